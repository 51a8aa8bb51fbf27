//! Memory use records: which revisions one reasoning step was given, in order.

use serde::{Deserialize, Serialize};

use crate::agent::Execution;
use crate::assembly::{Always, LeftOut, Trace, UsedUnit};
use crate::id::{CommitId, ContextId, PropositionId, RevisionId, UseId};
use crate::time::Timestamp;

/// What memory was read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Purpose {
    /// Assembling a chat prompt.
    Assembly,
    /// A search by a person or program.
    Search,
    /// A model's tool call.
    Tool,
    /// A question to the oracle.
    Oracle,
    /// A scenario's turn.
    Scenario,
}

/// One supplied revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UseItem {
    /// Position in the returned list, from 1; nothing more.
    pub rank: u32,
    /// The fact.
    pub proposition: PropositionId,
    /// The state of it that was supplied.
    pub revision: RevisionId,
    /// The score that ordered it.
    pub score: f64,
    /// Why it was chosen, in words for a person.
    pub why: String,
    /// What it was in the working set; `None`: no unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<UsedUnit>,
    /// Why it comes whatever the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always: Option<Always>,
}

/// What one step received. Written by the one retrieval door, never by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UseRecord {
    /// Identity.
    pub id: UseId,
    /// The memory.
    pub context: ContextId,
    /// The head at the time of reading; `None` in an empty memory.
    pub commit: Option<CommitId>,
    /// That head's position; 0 in an empty memory.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// What for.
    pub purpose: Purpose,
    /// The caller's step: a turn id, a run id.
    pub step: String,
    /// The query, credentials redacted.
    pub query: String,
    /// What was supplied, in order.
    pub items: Vec<UseItem>,
    /// How many were considered and left out, with the reason: `below the relevance gate`, `over the limit`, ….
    #[serde(default)]
    pub left_out: Vec<(String, u32)>,
    /// The same, statement by statement, where they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<LeftOut>,
    /// What is kept of the prompt; only assembled ones have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assembly: Option<Trace>,
    /// How the answer was made that this prompt was for; kept once it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
}

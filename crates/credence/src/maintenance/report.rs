//! The report of one maintenance run: what was looked at, what was marked and why, what became of it, what it cost. Stored in
//! the run's own commit, so that undoing the run takes the report back with everything else.

use serde::{Deserialize, Serialize};

use crate::id::{PropositionId, RunId};
use crate::proposition::Status;
use crate::time::Timestamp;

/// One step of a run, in the order in which a run takes them (dice 6.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pass {
    /// What was learned since the last cycle meets what was known before.
    SessionConsolidation,
    /// Statements that say the same become one that rests on all their evidence.
    Duplicates,
    /// Many statements about one thing get a statement above them. Needs a model.
    Abstraction,
    /// Pairs that cannot both hold. Rules first, then a model.
    ContradictionResolution,
    /// What has faded is retired, what regained belief comes back.
    DecaySweep,
    /// What the caller marked with reasons of its own.
    Custom,
}

impl Pass {
    /// Every pass, in order.
    pub const ALL: [Pass; 6] = [
        Pass::SessionConsolidation,
        Pass::Duplicates,
        Pass::Abstraction,
        Pass::ContradictionResolution,
        Pass::DecaySweep,
        Pass::Custom,
    ];
    /// The word that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SessionConsolidation => "session-consolidation",
            Self::Duplicates => "duplicates",
            Self::Abstraction => "abstraction",
            Self::ContradictionResolution => "contradiction-resolution",
            Self::DecaySweep => "decay-sweep",
            Self::Custom => "custom",
        }
    }
}

/// Why a run was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunTrigger {
    /// Somebody asked for it.
    Asked,
    /// Enough was learned since the last cycle.
    Growth,
}

/// What became of a marked statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum MarkOutcome {
    /// A dry run: nothing was written.
    Marked,
    /// It moved to another status.
    Transitioned {
        /// Where it stands now.
        to: Status,
    },
    /// It gained evidence or was made; its status stays.
    Written,
    /// It was taken out of the memory; its history stays in the log.
    HardDeleted,
    /// It was left as it is.
    Skipped {
        /// Why, in words for a person.
        why: String,
    },
}

/// One statement that a pass picked out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The statement.
    pub proposition: PropositionId,
    /// The strategy's short key: `stale`, `duplicate`, `revived`, …, or a caller's own.
    pub key: String,
    /// Why, in words for a person.
    pub why: String,
    /// The statement that stands in its place or above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub survivor: Option<PropositionId>,
    /// What became of it.
    pub outcome: MarkOutcome,
}

/// One pass of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassReport {
    /// Which.
    pub pass: Pass,
    /// Statements, or pairs of them, that were looked at.
    #[serde(default)]
    pub examined: u32,
    /// Statements that this pass changed, or would change.
    #[serde(default)]
    pub changed: u32,
    /// Why it, or a part of it, was not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// Why it failed; the other passes went on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Each statement that it picked out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// What is worth knowing: what was kept apart, dropped, or waits for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl PassReport {
    /// A pass that has not found anything yet.
    pub fn new(pass: Pass) -> Self {
        Self {
            pass,
            examined: 0,
            changed: 0,
            skipped: None,
            error: None,
            marks: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// One maintenance run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunReport {
    /// Identity.
    pub id: RunId,
    /// When.
    pub at: Timestamp,
    /// Why.
    pub trigger: RunTrigger,
    /// Whether nothing but this report was written.
    #[serde(default)]
    pub dry: bool,
    /// Whether it counts as a cycle: from its end the growth is measured that starts the next one.
    #[serde(default)]
    pub cycle: bool,
    /// ACTIVE statements once it was done.
    #[serde(default)]
    pub active: u32,
    /// Each pass, in order.
    #[serde(default)]
    pub passes: Vec<PassReport>,
    /// Pairs that a model judged and that need nothing more, the older statement first: not asked about again until one of
    /// them changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judged: Vec<(PropositionId, PropositionId)>,
    /// Model calls.
    #[serde(default)]
    pub calls: u32,
    /// Tokens of all prompts, as the server counted or else estimated.
    #[serde(default)]
    pub prompt_tokens: u32,
    /// Tokens of all answers.
    #[serde(default)]
    pub completion_tokens: u32,
    /// Repairs and other things worth knowing of the run as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl RunReport {
    /// The report of one pass, if the run took it.
    pub fn pass(&self, pass: Pass) -> Option<&PassReport> {
        self.passes.iter().find(|report| report.pass == pass)
    }
    /// Statements that moved to another status or were removed.
    pub fn transitioned(&self) -> usize {
        let moved = |mark: &&Mark| {
            matches!(mark.outcome, MarkOutcome::Transitioned { .. } | MarkOutcome::HardDeleted)
        };
        let ids: std::collections::BTreeSet<PropositionId> =
            self.marks().filter(moved).map(|mark| mark.proposition).collect();
        ids.len()
    }
    /// Every mark of every pass, in order.
    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.passes.iter().flat_map(|pass| &pass.marks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Record, RecordId, RecordKind};
    use uuid::Uuid;

    #[test]
    fn a_run_is_a_record_and_an_older_report_still_reads() {
        let id = RunId::new(Uuid::from_u128(5));
        let json =
            format!(r#"{{"kind":"run","value":{{"id":"{id}","at":7,"trigger":"asked","of_later":true}}}}"#);
        let record: Record = serde_json::from_str(&json).unwrap();
        assert_eq!(record.id(), RecordId::Run(id));
        assert_eq!(id.to_string().parse::<RecordId>(), Ok(RecordId::Run(id)));
        assert_eq!(record.id().kind(), RecordKind::Run);
    }
}

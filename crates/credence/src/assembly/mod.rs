//! Assembly: what a model is told before it answers, byte for byte, and why exactly that.
//!
//! One prompt is one [`Assembled`]: the system message with the memory block (established facts by authority, then statements
//! that were recalled beside them, then the summary of turns that are no longer shown) and the conversation's latest turns.
//! [`crate::Memory::assemble`] writes a use record of it; [`crate::Memory::preview`] gives the same bytes for a draft and writes nothing;
//! [`crate::Memory::xray`] gives the messages of an answered turn again from its record. Assembling never reinforces: being in a prompt is
//! no evidence (core 15, G4).
//!
//! Rules. CANON, pinned and vital statements always come; what has nothing to do with the question stays away; whatever stays away is
//! told with its id and reason (`select`, `vital`). Levels bind by RFC 2119's words: CANON and RELIABLE MUST be preserved,
//! UNRELIABLE SHOULD, PROVISIONAL MAY be reconsidered; `unit.compliance-policy` FLAT makes all of them MUST. The founding
//! document's map has RELIABLE at SHOULD, and its source at MUST (core 0.2 X10): the source, because what independent evidence confirmed
//! is what a conversation must not talk away (D152). All texts are quoted, so that none can close the block or pass for an
//! instruction (case 39).
//!
//! `question` says what is looked for, `tokens` counts, `budget` decides what fits, `block` words the lines, `trace` keeps what was sent, `lock` lets one answer at a time
//! into a conversation, `settings` holds the numbers. Source: core 7 and 12.

mod block;
mod budget;
mod lock;
mod question;
mod run;
mod select;
mod settings;
mod tokens;
mod trace;
mod vital;

pub use budget::{Fit, Line, fit};
pub(crate) use lock::AnswerLock;
pub use select::{Always, LeftOut, LeftOutReason, standing};
pub(crate) use settings::PLAIN_PERSONA;
pub use settings::{AssemblySettings, ChatSettings, RetrievalMode, RetrievalSettings, ScoringWeights};
pub use tokens::{Meter, Metered, TokenCount, TokenCounter, estimate};
pub use trace::{Frame, Slot, Trace, TurnRef, Xray};
pub use vital::{MOST_VITAL, VITAL_IMPORTANCE, is_vital};

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::history::UseRecord;
use crate::id::{ContextId, PropositionId, RevisionId};
use crate::llm::Message;
use crate::memory::PropositionView;
use crate::retrieval::Recalled;
use crate::unit::{Authority, Tier};

/// What a unit was when it was given to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsedUnit {
    /// How far it was to be taken.
    pub authority: Authority,
    /// Its activation at that instant.
    pub activation: u16,
    /// The tier of that activation.
    pub tier: Tier,
}

/// One statement of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AssembledItem {
    /// Position in the block, from 1.
    pub rank: u32,
    /// Which.
    pub proposition: PropositionId,
    /// The state of it that was given.
    pub revision: RevisionId,
    /// What it says.
    pub text: String,
    /// Its line as the model sees it, without number or bullet.
    pub line: String,
    /// What it was in the working set; `None`: a statement that was recalled beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<UsedUnit>,
    /// Why it comes whatever the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always: Option<Always>,
    /// Another statement stands against it and a person has not decided yet.
    #[serde(default)]
    pub is_disputed: bool,
    /// Whether it has to do with the question at hand.
    #[serde(default)]
    pub is_related: bool,
    /// What ordered it, 0 to 1.
    pub score: f64,
    /// Why it was chosen, in words for a person.
    pub why: String,
    /// What its line costs.
    pub tokens: TokenCount,
}

/// Which part of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SectionKind {
    /// Who the assistant is, whom it talks with, what day it is.
    Instructions,
    /// What memory holds, with the rules for it.
    Memory,
    /// What turns that are no longer shown said.
    Summary,
    /// The conversation's latest turns.
    History,
}

/// One part of a prompt and what it costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Which.
    pub kind: SectionKind,
    /// Its tokens.
    pub tokens: TokenCount,
}

/// What a prompt costs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PromptTokens {
    /// All messages with the marks around them.
    pub prompt: TokenCount,
    /// The memory block.
    pub block: TokenCount,
    /// Most tokens of the block; 0 is no limit.
    pub budget: u32,
    /// Whether something was dropped for it, or the rest is still over.
    pub exceeded: bool,
    /// By the estimate alone, whatever else is known: what the server's count is later held against.
    pub estimated: u32,
    /// Part by part.
    #[serde(default)]
    pub sections: Vec<Section>,
}

/// A prompt, ready to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembled {
    /// Exactly what the model is sent.
    pub messages: Vec<Message>,
    /// The statements in it, in order.
    pub items: Vec<AssembledItem>,
    /// Statements that were considered and are not in it.
    pub left_out: Vec<LeftOut>,
    /// How units were chosen.
    pub mode: RetrievalMode,
    /// What it costs.
    pub tokens: PromptTokens,
    /// Things worth knowing: a vector model that failed, for example.
    pub notes: Vec<String>,
    /// What was looked for, credentials redacted.
    pub query: String,
    /// The memory.
    pub context: ContextId,
    /// The memory's position at which it was assembled: see [`crate::Memory::is_current`].
    pub seq: u64,
    /// The use record; `None` for a preview.
    pub record: Option<Rc<UseRecord>>,
    /// The statements themselves, item by item.
    pub(crate) views: Vec<PropositionView>,
    /// What the record keeps of it.
    pub(crate) trace: Trace,
}

impl Assembled {
    /// The system message.
    pub fn system(&self) -> &str {
        self.messages.first().map_or("", |message| &message.text)
    }
    /// The statements in it, with what each is worth.
    pub fn recalled(&self) -> Vec<Recalled> {
        let pairs = self.items.iter().zip(&self.views);
        pairs
            .map(|(item, view)| Recalled {
                view: view.clone(),
                rank: item.rank,
                score: item.score,
                why: item.why.clone(),
            })
            .collect()
    }
}

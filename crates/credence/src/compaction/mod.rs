//! Compaction: earlier turns become a summary that keeps what is protected, and the summary stands in the prompt in their place.
//!
//! Rules (core 8, with core 15 G21 and G24): a summary is made when the turns not yet summed up pass a threshold, at an exchange that
//! was named, or when a person asks; never of turns that still wait to be analysed, and never of the latest ones. Who writes it is
//! told which facts of the working set the turns carry. What comes back is checked fact by fact, with denial, numbers, dates
//! and names ([`crate::text::holding`]); a lost fact is named, and the next try is told of it. When no try keeps everything, the
//! best one is mended: what stands against a protected fact goes, what is missing is added in its own words. Without a model the
//! summary is extracted: the protected facts, and the sentences that say most. What was lost before becomes a line of the guideline
//! that the next summary is written by (failure-driven, after ACON), bounded and kept with the summary.
//!
//! A summary is one record in one commit, so it can be undone; a later one covers the turns of the one before it and stands in its
//! place. The turns themselves stay in the log. `due` says which turns and why, `protect` what must stay, `check` what was lost, `extract`
//! works without a model, `race` is about two writers, `guideline` is what was learned, `run` is the use case, `forget` takes summaries back.

mod check;
mod due;
mod extract;
mod forget;
mod guideline;
mod protect;
mod race;
mod run;
mod settings;

pub use check::{Loss, LossKind};
pub use due::{CompactionReason, Due, due};
pub(crate) use forget::{forget_summaries, forget_summaries_in_slices};
pub use guideline::Lesson;
pub use protect::{Protected, protected};
pub(crate) use race::overtaken;
pub use run::{Compact, Compaction};
pub use settings::CompactionSettings;

use serde::{Deserialize, Serialize};

use crate::history::{ContentId, State};
use crate::id::{ConversationId, PropositionId, SummaryId};
use crate::time::Timestamp;

/// The summary of a conversation's earlier turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Stable for life.
    pub id: SummaryId,
    /// Whose turns.
    pub conversation: ConversationId,
    /// The first summarised turn's index.
    pub from: u32,
    /// One past the last.
    pub to: u32,
    /// What it says.
    pub text: String,
    /// When.
    pub at: Timestamp,
    /// How many turns it covers.
    #[serde(default)]
    pub turns: u32,
    /// Names exactly those turns; see `covering`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub covers: Option<ContentId>,
    /// How many exchanges the conversation had.
    #[serde(default)]
    pub exchanges: u32,
    /// Why it was made.
    #[serde(default)]
    pub reason: CompactionReason,
    /// The summary that it took in and stands in for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<SummaryId>,
    /// Who wrote it.
    #[serde(default)]
    pub written_by: Writer,
    /// The facts that it was to keep, the most protected first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protected: Vec<PropositionId>,
    /// Every try, in order; empty without a model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<Attempt>,
    /// What it still does not keep. Two protected facts that stand against each other leave one of them here; else it is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<Loss>,
    /// What earlier losses taught, this summary's included: the guideline of the next one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guideline: Vec<Lesson>,
    /// Tokens of what it stands in for: the turns, and the summary before it in place of the turns that that one covers.
    #[serde(default)]
    pub tokens_before: u32,
    /// Tokens of its own text.
    #[serde(default)]
    pub tokens_after: u32,
}

/// Who wrote a summary.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Writer {
    /// A model, and its text stands as it came.
    Model {
        /// Its name, as the server gives it.
        model: String,
    },
    /// A model, and rules put right what no try kept.
    Mended {
        /// Its name, as the server gives it.
        model: String,
    },
    /// Rules alone.
    #[default]
    Extractive,
}

/// One try of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// Milliseconds that were waited before it.
    pub waited_ms: u32,
    /// What the summary lost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<Loss>,
    /// Why nothing usable came, in words for a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

impl Summary {
    /// Whether rules had to stand in: no model was connected, every try failed, or none kept everything.
    pub fn is_fallback(&self) -> bool {
        !matches!(self.written_by, Writer::Model { .. })
    }
    /// Tries beyond the first.
    pub fn retries(&self) -> u32 {
        u32::try_from(self.attempts.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }
}

/// The summary that stands in for a conversation's first turns; `None` where all turns stand for themselves. A summary one of
/// whose turns was taken back stands in for nothing.
pub fn standing(state: &State, conversation: ConversationId) -> Option<&Summary> {
    let ours = state.summaries().filter(|summary| summary.conversation == conversation);
    let whole = ours
        .filter(|summary| summary.covers == Some(covering(state, conversation, summary.from, summary.to)));
    whole.max_by_key(|summary| (summary.to, summary.id))
}

/// Names the turns of a range by their ids: another turn in one's place makes another name.
pub(crate) fn covering(state: &State, conversation: ConversationId, from: u32, to: u32) -> ContentId {
    let ids = state.turns(conversation).filter(|turn| (from..to).contains(&turn.index)).map(|turn| turn.id);
    ContentId::of_text(&ids.map(|id| id.to_string()).collect::<Vec<_>>().join(" "))
}

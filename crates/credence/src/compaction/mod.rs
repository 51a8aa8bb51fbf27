//! Compaction: earlier turns become a summary that keeps what is protected, and the summary stands in the prompt in their place.

use serde::{Deserialize, Serialize};

use crate::id::{ConversationId, SummaryId};
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
}

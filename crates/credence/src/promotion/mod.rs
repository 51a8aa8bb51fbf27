//! Promotion: how a statement enters the working set. Confidence → dedup → conflict → trust → invariants → plan → one commit.

use serde::{Deserialize, Serialize};

use crate::id::PromotionId;
use crate::time::Timestamp;

/// What one promotion run did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromotionReport {
    /// Stable for life.
    pub id: PromotionId,
    /// When.
    pub at: Timestamp,
}

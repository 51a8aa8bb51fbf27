//! Upkeep of the working set: attention, pressure, and the sweeps that they call for.

use serde::{Deserialize, Serialize};

use crate::id::SweepId;
use crate::time::Timestamp;

/// What one sweep did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepReport {
    /// Stable for life.
    pub id: SweepId,
    /// When.
    pub at: Timestamp,
}

//! What held at one time, as it was recorded at another: the two clocks of a memory read apart (core 11.4, G15).
//!
//! The recorded time picks the commit that the log stood at; the valid time picks, of the statements of that state, those that
//! held then. Superseded statements are among them, for they were true until their window closed. What had been contradicted by then
//! is not, for it was recorded as wrong, nor what had faded or lost to a duplicate. A statement without a beginning has held always,
//! as far as anybody said; if it took the place of another, it began where that one ended.

use super::state::State;
use crate::proposition::{Proposition, Status};
use crate::time::Timestamp;

impl State {
    /// The statements of this state that held at `valid`, in order of id.
    pub fn held_at(&self, valid: Timestamp) -> impl Iterator<Item = &Proposition> + '_ {
        self.propositions().filter(move |p| self.holds_at(p, valid))
    }

    fn holds_at(&self, p: &Proposition, valid: Timestamp) -> bool {
        let is_known = match p.status {
            Status::Active | Status::Promoted => true,
            // Without an end it was not moved on from: another statement says the same, or more.
            Status::Superseded => p.temporal.valid_to.is_some(),
            Status::Contradicted | Status::Stale => false,
        };
        is_known
            && p.temporal.is_current_at(valid)
            && (p.temporal.valid_from.is_some() || self.followed(p).is_none_or(|from| valid >= from))
    }

    /// When the last of what it took the place of ended.
    fn followed(&self, p: &Proposition) -> Option<Timestamp> {
        let end = |old: &Proposition| {
            old.temporal.valid_to.filter(|_| old.status == Status::Superseded && old.id != p.id)
        };
        p.temporal.supersedes.iter().filter_map(|id| self.proposition(*id)).filter_map(end).max()
    }
}

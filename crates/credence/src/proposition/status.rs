//! Statuses and the one table of legal moves. Upstream defines no table and lets any save change any status
//! (dice 1.3); here every move passes [`Status::transition`].

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a proposition stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// Live and retrievable.
    #[default]
    Active,
    /// Lost to conflicting evidence; kept and shown struck through.
    Contradicted,
    /// Replaced by a newer statement or an abstraction.
    Superseded,
    /// Faded, or the loser of a duplicate.
    Stale,
    /// Live, and held in the working set or a typed projection.
    Promoted,
}

/// A move that the table forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a proposition cannot move from {from} to {to}")]
pub struct TransitionError {
    /// Where it stands.
    pub from: Status,
    /// Where it should have gone.
    pub to: Status,
}

impl Status {
    /// Every status, live ones first.
    pub const ALL: [Status; 5] =
        [Status::Active, Status::Promoted, Status::Contradicted, Status::Superseded, Status::Stale];

    /// Checks one move. Staying is always legal. Live statements may be retired in any way; a retired one comes back
    /// only as `ACTIVE` (revival, undo, a person's word); retired statuses do not turn into one another, except
    /// that fading yields to a stronger reason.
    pub fn transition(self, to: Status) -> Result<Status, TransitionError> {
        use Status::*;
        let legal = self == to
            || match self {
                Active => true,
                Promoted => true,
                Contradicted | Superseded => to == Active,
                Stale => matches!(to, Active | Contradicted | Superseded),
            };
        if legal { Ok(to) } else { Err(TransitionError { from: self, to }) }
    }
    /// Whether it may be retrieved and put into a prompt.
    pub fn is_live(self) -> bool {
        matches!(self, Status::Active | Status::Promoted)
    }
    /// The upper-case word used in records and the UI.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Active => "ACTIVE",
            Status::Contradicted => "CONTRADICTED",
            Status::Superseded => "SUPERSEDED",
            Status::Stale => "STALE",
            Status::Promoted => "PROMOTED",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Status::*;

    #[test]
    fn retired_statements_come_back_only_as_active() {
        assert!(Active.transition(Contradicted).is_ok());
        assert!(Contradicted.transition(Active).is_ok());
        assert!(Contradicted.transition(Superseded).is_err());
        assert!(Superseded.transition(Promoted).is_err());
        assert!(Stale.transition(Contradicted).is_ok());
        assert!(Stale.transition(Promoted).is_err());
    }
}

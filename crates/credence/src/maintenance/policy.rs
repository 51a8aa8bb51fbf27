//! When a statement's standing follows its belief: stale below one utility, back above a higher one, so that a value between
//! the two changes nothing. Source: dice 6.10.

use super::settings::MaintenanceConfig;
use crate::proposition::{Proposition, Status};

/// What the policy wants of a statement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Move {
    /// Where it should go.
    pub to: Status,
    /// The utility that decided.
    pub utility: f64,
}

/// Decides by utility: `effective * (1 + wI * importance) * (1 + wR * ln(1 + reinforcements))`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecayStatusPolicy {
    /// ACTIVE below this goes STALE.
    pub retire_below: f64,
    /// STALE above this goes ACTIVE.
    pub revive_above: f64,
    /// wI.
    pub importance_weight: f64,
    /// wR.
    pub reinforcement_weight: f64,
}

impl Default for DecayStatusPolicy {
    fn default() -> Self {
        Self::of(&MaintenanceConfig::default())
    }
}

impl DecayStatusPolicy {
    /// The policy of some settings.
    pub fn of(config: &MaintenanceConfig) -> Self {
        Self {
            retire_below: config.retire_below,
            revive_above: config.revive_above,
            importance_weight: config.importance_weight,
            reinforcement_weight: config.reinforcement_weight,
        }
    }

    /// What a statement of this effective confidence is worth.
    pub fn utility(&self, p: &Proposition, effective: f64) -> f64 {
        let importance = 1.0 + self.importance_weight * p.importance.get();
        let reinforced = 1.0 + self.reinforcement_weight * libm::log(1.0 + f64::from(p.reinforce_count));
        effective * importance * reinforced
    }

    /// Where the statement should go; `None` when it stays. Pinned statements stay, and so do those whose status says
    /// more than that they faded.
    pub fn decide(&self, p: &Proposition, effective: f64) -> Option<Move> {
        if p.pinned {
            return None;
        }
        let utility = self.utility(p, effective);
        match p.status {
            Status::Active if utility < self.retire_below => Some(Move { to: Status::Stale, utility }),
            Status::Stale if utility > self.revive_above => Some(Move { to: Status::Active, utility }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PropositionId;
    use crate::proposition::Extractor;
    use crate::scale::{Confidence, Importance};
    use crate::time::Timestamp;
    use uuid::Uuid;

    fn fact(status: Status) -> Proposition {
        let id = PropositionId::new(Uuid::from_u128(1));
        let mut p =
            Proposition::new(id, "x", Confidence::clamped(0.9), Extractor::Rules, Timestamp(0)).unwrap();
        p.status = status;
        p
    }
    fn to(policy: DecayStatusPolicy, p: &Proposition, effective: f64) -> Option<Status> {
        policy.decide(p, effective).map(|decided| decided.to)
    }

    #[test]
    fn dice_103_hysteresis() {
        let policy = DecayStatusPolicy::default();
        let pinned = Proposition { pinned: true, ..fact(Status::Active) };
        assert_eq!(to(policy, &fact(Status::Active), 0.05), Some(Status::Stale));
        assert_eq!(to(policy, &fact(Status::Active), 0.15), None);
        assert_eq!(to(policy, &fact(Status::Stale), 0.9), Some(Status::Active));
        assert_eq!(to(policy, &fact(Status::Stale), 0.15), None);
        assert_eq!(to(policy, &pinned, 0.01), None);
        assert_eq!(to(policy, &fact(Status::Contradicted), 0.01), None);
        assert_eq!(to(policy, &fact(Status::Superseded), 0.9), None);
    }

    #[test]
    fn dice_104_importance_and_reinforcements_count() {
        let weak = DecayStatusPolicy::default();
        let mut p = fact(Status::Active);
        p.importance = Importance::MAX;
        assert_eq!(to(weak, &p, 0.08), Some(Status::Stale));
        let strong = DecayStatusPolicy { importance_weight: 0.5, ..weak };
        assert_eq!(to(strong, &p, 0.08), None);
        assert!((strong.utility(&p, 0.08) - 0.12).abs() < 1e-12);

        let mut p = fact(Status::Active);
        p.reinforce_count = 10;
        assert_eq!(to(weak, &p, 0.095), Some(Status::Stale));
        let strong = DecayStatusPolicy { reinforcement_weight: 0.1, ..weak };
        assert_eq!(to(strong, &p, 0.095), None);
        assert!((strong.utility(&p, 0.095) - 0.1178).abs() < 1e-4);
    }
}

//! The audit: how much a unit is worth keeping in the working set, 0 to 1, and what follows from it (core 10.3, steps 1, 2 and 4).
//!
//! `0.33 · recency + 0.33 · place + 0.34 · tier`: recency is 1 in the turn of its last use and 0 after
//! `min_turns_between_sweeps` turns without one (the predecessor takes the number of reinforcements for the turn of the last);
//! place is where activation stands between 100 and 900; a HOT unit counts 1, a WARM one 0.5, a COLD one 0.2. A unit whose heat
//! has dropped counts as unused.

use super::attention::{SignalKind, UnitAttention};
use super::pressure::SweepKind;
use super::settings::ProactiveSettings;
use crate::unit::{Activation, Tier};

/// Score from which a unit does well and gains activation (core 10.3).
const DOES_WELL: f64 = 0.7;
/// Score up to which it does not and loses some.
const DOES_BADLY: f64 = 0.3;
/// Scores between which trust is evaluated anew.
const DOUBTFUL: std::ops::RangeInclusive<f64> = 0.2..=0.4;

/// The score of a unit last used in turn `used`, in turn `turn`.
pub fn audit_score(turn: u32, used: u32, activation: Activation, tier: Tier, horizon: u32) -> f64 {
    let idle = f64::from(turn.saturating_sub(used)) / f64::from(horizon.max(1));
    let recency = 1.0 - idle.min(1.0);
    let place = (f64::from(activation.get()) - 100.0) / 800.0;
    let tier = match tier {
        Tier::Hot => 1.0,
        Tier::Warm => 0.5,
        Tier::Cold => 0.2,
    };
    0.33 * recency + 0.33 * place + 0.34 * tier
}

/// What a score means for activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refresh {
    Boost,
    Penalty,
    Leave,
}

/// Step 2. A unit at the peak of attention is not punished for what it was.
pub(super) fn refresh(score: f64, attention: Option<&UnitAttention>) -> Refresh {
    let is_hot = attention.is_some_and(|window| window.has(SignalKind::HeatPeak));
    if score >= DOES_WELL {
        Refresh::Boost
    } else if score <= DOES_BADLY && !is_hot {
        Refresh::Penalty
    } else {
        Refresh::Leave
    }
}

/// Whether trust is to be evaluated anew: in doubt, or where what is said stands against the unit more often than not.
pub(super) fn is_in_doubt(score: f64, attention: Option<&UnitAttention>) -> bool {
    DOUBTFUL.contains(&score) || attention.is_some_and(|window| window.has(SignalKind::PressureSpike))
}

/// What a score means for a unit's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prune {
    /// It is archived.
    Hard,
    /// Under pressure: a penalty, and archived once it has nothing left to pay with.
    Soft,
    /// It stays.
    Not,
}

/// Step 4.
pub(super) fn prune(
    score: f64,
    pressure: f64,
    attention: Option<&UnitAttention>,
    settings: &ProactiveSettings,
) -> Prune {
    if attention.is_some_and(|window| window.has(SignalKind::HeatPeak)) {
        Prune::Not
    } else if score < settings.hard_prune_threshold {
        Prune::Hard
    } else if score < settings.soft_prune_threshold && pressure >= settings.soft_prune_pressure_threshold {
        Prune::Soft
    } else {
        Prune::Not
    }
}

/// Whether the model is asked about a unit: a full sweep, and neither plainly good nor plainly bad.
pub(super) fn is_open(score: f64, kind: SweepKind, settings: &ProactiveSettings) -> bool {
    kind == SweepKind::Full && score > settings.soft_prune_threshold && score < DOES_WELL
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(turn: u32, used: u32, activation: i64, tier: Tier) -> f64 {
        audit_score(turn, used, Activation::clamped(activation), tier, 10)
    }
    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 5.1e-5, "{a} is not {b}");
    }

    #[test]
    fn core_216_scores() {
        near(score(22, 20, 800, Tier::Hot), 0.8928);
        near(score(22, 22, 800, Tier::Hot), 0.9587);
        near(score(10, 10, 900, Tier::Hot), 1.0);
        near(score(10, 10, 500, Tier::Warm), 0.665);
    }

    #[test]
    fn core_217_the_hard_threshold() {
        let settings = ProactiveSettings::default();
        let pruned = |activation| prune(score(50, 0, activation, Tier::Cold), 0.0, None, &settings);
        near(score(50, 0, 177, Tier::Cold), 0.0998);
        near(score(50, 0, 178, Tier::Cold), 0.1002);
        assert_eq!((pruned(177), pruned(178)), (Prune::Hard, Prune::Not));
    }

    #[test]
    fn prop_maintenance_proactive_hard_prune_threshold_decides_who_is_archived() {
        let lower = ProactiveSettings { hard_prune_threshold: 0.05, ..ProactiveSettings::default() };
        let of = |settings: &ProactiveSettings| prune(0.08, 0.0, None, settings);
        assert_eq!((of(&ProactiveSettings::default()), of(&lower)), (Prune::Hard, Prune::Not));
    }

    #[test]
    fn prop_maintenance_proactive_soft_prune_threshold_decides_who_pays_under_pressure() {
        let narrower = ProactiveSettings { soft_prune_threshold: 0.2, ..ProactiveSettings::default() };
        let of = |settings: &ProactiveSettings| prune(0.25, 0.65, None, settings);
        assert_eq!((of(&ProactiveSettings::default()), of(&narrower)), (Prune::Soft, Prune::Not));
    }

    #[test]
    fn prop_maintenance_proactive_soft_prune_pressure_threshold_decides_when() {
        let sooner = ProactiveSettings { soft_prune_pressure_threshold: 0.5, ..ProactiveSettings::default() };
        let of = |settings: &ProactiveSettings| prune(0.25, 0.5, None, settings);
        assert_eq!((of(&ProactiveSettings::default()), of(&sooner)), (Prune::Not, Prune::Soft));
    }

    #[test]
    fn core_218_the_soft_threshold_counts_under_pressure() {
        let score = score(10, 2, 200, Tier::Warm);
        near(score, 0.2772);
        let settings = ProactiveSettings::default();
        let at = |pressure, settings: &ProactiveSettings| prune(score, pressure, None, settings);
        assert_eq!((at(0.65, &settings), at(0.5, &settings)), (Prune::Soft, Prune::Not));
    }

    #[test]
    fn prop_maintenance_proactive_min_turns_between_sweeps_is_the_horizon_of_recency() {
        let at = |horizon| audit_score(10, 0, Activation::clamped(500), Tier::Warm, horizon);
        near(at(20) - at(10), 0.165);
    }

    #[test]
    fn what_a_score_means() {
        assert_eq!(
            [0.7, 0.69, 0.31, 0.3].map(|score| refresh(score, None)),
            [Refresh::Boost, Refresh::Leave, Refresh::Leave, Refresh::Penalty]
        );
        assert_eq!([0.19, 0.2, 0.4, 0.41].map(|score| is_in_doubt(score, None)), [false, true, true, false]);
        let settings = ProactiveSettings::default();
        assert!(is_open(0.5, SweepKind::Full, &settings) && !is_open(0.5, SweepKind::Light, &settings));
        assert!(!is_open(0.3, SweepKind::Full, &settings) && !is_open(0.7, SweepKind::Full, &settings));
    }
}

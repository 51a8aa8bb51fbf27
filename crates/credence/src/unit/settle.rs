//! What time changes: authority that activation no longer carries, and units that fall asleep (core 2.2, 2.4; core 15, G5).
//!
//! Decay itself is computed on read and needs no run. What follows from it is a plan that can be made at any time and any number of
//! times: what is settled stays settled, so making it twice changes once, and what several turns owe is taken when it is made.
//!
//! - RELIABLE below `unit.reliable_rank_threshold` and UNRELIABLE below `unit.unreliable_rank_threshold` go down, until the activation
//!   carries the level. CANON and PROVISIONAL never do.
//! - A unit at `unit.min_rank` that nothing touched for a half-life falls asleep.
//! - Where `unit.dormancy` is on, time passes in the user's turns: after `dormancy_turns` turns in which a unit was not noticed each
//!   further one takes its share of activation, and at `revival_threshold` of the scale the unit falls asleep. Sleeping
//!   is no archive: the statement is believed as before, and what wakes the unit finds its authority as it was.
//!
//! CANON and pinned units are passed over.

use serde::{Deserialize, Serialize};

use super::{
    Activation, Authority, Change, DemotionReason, Dormancy, Earned, Objection, TierSettings, UnitPlan,
    UnitSettings, UnitView,
};
use crate::conversation::Speaker;
use crate::time::Timestamp;

/// What a settling changed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Settled {
    /// What was planned, in order.
    pub changes: Vec<Change>,
    /// What a rule kept from happening.
    pub held: Vec<Objection>,
}

/// Whether an activation carries a level.
fn carries(level: Earned, activation: Activation, settings: &UnitSettings) -> bool {
    match level {
        Earned::Reliable => activation.get() >= settings.reliable_rank_threshold,
        Earned::Unreliable => activation.get() >= settings.unreliable_rank_threshold,
        Earned::Provisional => true,
    }
}

/// What one sleepy turn leaves of an activation (core 2.2).
fn after_a_turn(activation: Activation, rate: f64, tier: &TierSettings) -> Activation {
    let rate = rate / tier.multiplier(tier.of(activation)).max(0.01);
    let lost = (f64::from(activation.get()) * rate).round().max(1.0);
    // The range is clamped, so what does not fit is the floor.
    Activation::clamped(i64::from(activation.get()) - lost.min(900.0) as i64)
}

impl Dormancy {
    /// Whether turns make units sleepy.
    fn is_on(&self) -> bool {
        self.decay_rate > 0.0 && self.dormancy_turns > 0
    }
    /// The activation at which a unit falls asleep.
    fn bed(&self) -> u16 {
        // A share of 800 above 100 is within the scale.
        100 + (800.0 * self.revival_threshold.clamp(0.0, 1.0)).round() as u16
    }
    /// How many sleepy turns have passed that activation does not show yet. `turns` are the instants of the user's turns, in order.
    fn owed(&self, view: &UnitView, turns: &[Timestamp]) -> usize {
        let idle = turns.iter().filter(|at| **at > view.unit.noticed());
        let sleepy = idle.skip((self.dormancy_turns as usize).saturating_sub(1));
        sleepy.filter(|at| **at > view.unit.touched()).count()
    }
}

/// Plans what time has changed.
pub fn settle(plan: &UnitPlan<'_>) -> Settled {
    let mut settled = Settled::default();
    let dormancy = plan.config.unit.dormancy;
    let mut turns: Vec<Timestamp> = Vec::new();
    let moves = plan.config.unit.activation_moves;
    if dormancy.is_on() && moves {
        turns.extend(plan.state.all_turns().filter(|t| t.speaker == Speaker::User).map(|t| t.at.at));
        turns.sort_unstable();
    }
    for view in plan.set().into_iter().filter(|view| !view.is_protected()) {
        let mut took = |change: Result<Change, Objection>| match change {
            Ok(change) => {
                let done = change.is_something();
                settled.changes.extend(Some(change).filter(Change::is_something));
                done
            }
            Err(objection) => {
                settled.held.push(objection);
                false
            }
        };
        let (id, mut activation) = (view.id(), view.activation);
        for _ in 0..dormancy.owed(&view, &turns) {
            activation = after_a_turn(activation, dormancy.decay_rate, &plan.config.unit.tier);
        }
        if activation < view.activation {
            if activation.get() <= dormancy.bed() {
                took(plan.sleep(id, "it was not needed for many turns"));
                continue;
            }
            took(plan.set_activation(id, activation.get().into(), "a turn passed without it"));
        }
        let mut level = view.unit.earned();
        while !carries(level, activation, &plan.config.unit) {
            let why = format!(
                "its activation of {} no longer carries {}",
                activation.get(),
                Authority::from(level).as_str()
            );
            if !took(plan.demote(id, DemotionReason::RankDecay, &why)) {
                break;
            }
            level = level.previous();
        }
        let faded = moves && activation.get() <= plan.config.unit.min_rank;
        if faded && view.unit.hours_untouched(plan.now) >= plan.config.unit.half_life_hours {
            took(plan.sleep(id, "its activation faded"));
        }
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_27_28_levels_that_activation_no_longer_carries() {
        let settings = UnitSettings::default();
        let falls = |level, rank| !carries(level, Activation::clamped(rank), &settings);
        assert!(
            falls(Earned::Reliable, 380) && !falls(Earned::Reliable, 450) && !falls(Earned::Reliable, 400)
        );
        assert!(falls(Earned::Unreliable, 150) && !falls(Earned::Unreliable, 200));
        assert!(!falls(Earned::Provisional, 150));
    }

    #[test]
    fn prop_unit_reliable_rank_threshold_unit_unreliable_rank_threshold_move_the_floors() {
        let settings = UnitSettings {
            reliable_rank_threshold: 600,
            unreliable_rank_threshold: 500,
            ..UnitSettings::default()
        };
        assert!(!carries(Earned::Reliable, Activation::clamped(550), &settings));
        assert!(!carries(Earned::Unreliable, Activation::clamped(450), &settings));
        assert!(carries(Earned::Unreliable, Activation::clamped(450), &UnitSettings::default()));
    }

    #[test]
    fn core_223_sleepy_turns() {
        let tier = TierSettings::default();
        let turn = |rank| after_a_turn(Activation::clamped(rank), 0.1, &tier).get();
        assert_eq!([500, 700, 300].map(turn), [450, 653, 250]);
        let dormancy = Dormancy { decay_rate: 0.1, revival_threshold: 0.3, dormancy_turns: 2 };
        assert_eq!(dormancy.bed(), 340);
        assert_eq!(turn(100), 100, "the floor holds");
    }
}

//! How activation fades (core 2.1): computed on read, never written by reading.
//!
//! `activation × 0.5^(hours / H)`, truncated, then clamped to `unit.min_rank` and `unit.max_rank`, where `H` is the half-life times the
//! tier's multiplier over the statement's own decay. The tier is that of the stored activation, whole hours count,
//! and the bits are the same natively and in wasm. A pinned statement does not fade. CANON fades like any other: what it cannot
//! lose is its place and its authority, and those are the guard's.

use super::{Activation, Tier, TierSettings, Unit, UnitSettings};
use crate::proposition::Proposition;
use crate::time::Timestamp;

/// Milliseconds in an hour.
const HOUR_MS: f64 = 3_600_000.0;

/// Least divisor and multiplier, so that a decay of 0 is very slow and nothing divides by it (core 2.1).
const LEAST: f64 = 0.01;

/// What a rank is worth after `hours`, before clamping: truncated toward zero.
fn faded(rank: u16, hours: f64, half_life: f64, decay: f64, multiplier: f64) -> i64 {
    let effective = half_life / decay.max(LEAST) * multiplier.max(LEAST);
    let value = f64::from(rank) * libm::exp2(-(hours.max(0.0) / effective));
    // A rank is at most 900, so the truncated value always fits.
    value as i64
}

impl TierSettings {
    /// The tier of an activation.
    pub fn of(&self, activation: Activation) -> Tier {
        match activation.get() {
            rank if rank >= self.hot_threshold => Tier::Hot,
            rank if rank >= self.warm_threshold => Tier::Warm,
            _ => Tier::Cold,
        }
    }
    /// The factor on the half-life of a tier.
    pub fn multiplier(&self, tier: Tier) -> f64 {
        match tier {
            Tier::Hot => self.hot_decay_multiplier,
            Tier::Warm => self.warm_decay_multiplier,
            Tier::Cold => self.cold_decay_multiplier,
        }
    }
}

impl UnitSettings {
    /// The nearest activation between `min_rank` and `max_rank`.
    pub fn clamped(&self, value: i64) -> Activation {
        Activation::clamped(value.clamp(self.min_rank.into(), self.max_rank.max(self.min_rank).into()))
    }
}

impl Unit {
    /// Whole hours since activation was last set; 0 for an instant before.
    pub fn hours_untouched(&self, now: Timestamp) -> f64 {
        (now.0.saturating_sub(self.touched.0).max(0) as f64 / HOUR_MS).floor()
    }

    /// Activation as of an instant. `proposition` is its statement.
    pub fn activation_at(
        &self,
        proposition: &Proposition,
        now: Timestamp,
        settings: &UnitSettings,
    ) -> Activation {
        if proposition.pinned || !settings.activation_moves {
            return self.activation;
        }
        let multiplier = settings.tier.multiplier(settings.tier.of(self.activation));
        let decay = proposition.decay.get();
        let hours = self.hours_untouched(now);
        settings.clamped(faded(self.activation.get(), hours, settings.half_life_hours, decay, multiplier))
    }

    /// The tier as of an instant.
    pub fn tier_at(&self, proposition: &Proposition, now: Timestamp, settings: &UnitSettings) -> Tier {
        settings.tier.of(self.activation_at(proposition, now, settings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PropositionId;
    use crate::proposition::Extractor;
    use crate::scale::{Confidence, Decay};
    use crate::unit::Earned;
    use uuid::Uuid;

    /// `(rank, hours, half-life, the statement's decay, multiplier)` as the specification gives them.
    fn rank(rank: u16, hours: f64, half_life: f64, decay: f64, multiplier: f64) -> u16 {
        UnitSettings::default().clamped(faded(rank, hours, half_life, decay, multiplier)).get()
    }

    /// What a unit of that rank has become, through the settings.
    fn read(from: i64, hours: i64, decay: f64, pinned: bool, settings: &UnitSettings) -> (u16, Tier) {
        let id = PropositionId::new(Uuid::from_u128(1));
        let confidence = Confidence::clamped(0.8);
        let mut p = Proposition::new(id, "Nia sails.", confidence, Extractor::Rules, Timestamp(0)).unwrap();
        (p.decay, p.pinned) = (Decay::clamped(decay), pinned);
        let unit = Unit::promoted(id, Activation::clamped(from), Earned::Reliable, None, Timestamp(0));
        let now = Timestamp(hours * 3_600_000);
        (unit.activation_at(&p, now, settings).get(), unit.tier_at(&p, now, settings))
    }

    #[test]
    fn core_6_tiers_by_activation() {
        let tiers = |ranks: [i64; 6]| ranks.map(|r| TierSettings::default().of(Activation::clamped(r)));
        use Tier::*;
        assert_eq!(tiers([100, 349, 350, 599, 600, 900]), [Cold, Cold, Warm, Warm, Hot, Hot]);
    }

    #[test]
    fn core_14_15_17_half_lives() {
        assert_eq!(rank(500, 0.0, 168.0, 1.0, 1.0), 500);
        assert_eq!(rank(500, 168.0, 168.0, 1.0, 1.0), 250);
        assert_eq!(rank(200, 10_000.0, 168.0, 1.0, 1.0), 100);
        assert_eq!(read(500, 0, 1.0, false, &UnitSettings::default()), (500, Tier::Warm));
        assert_eq!(read(500, 168, 1.0, false, &UnitSettings::default()), (250, Tier::Cold));
        assert_eq!(read(200, 10_000, 1.0, false, &UnitSettings::default()).0, 100);
    }

    #[test]
    fn core_16_a_pin_does_not_fade() {
        assert_eq!(read(800, 1000, 1.0, true, &UnitSettings::default()), (800, Tier::Hot));
    }

    #[test]
    fn core_18_19_20_tiers_scale_the_half_life() {
        let day = |multiplier| rank(500, 24.0, 24.0, 1.0, multiplier);
        assert_eq!([day(1.0), day(1.5), day(0.6)], [250, 314, 157]);
    }

    #[test]
    fn core_21_22_23_24_the_statements_own_decay() {
        assert_eq!(rank(500, 48.0, 24.0, 0.0, 1.0), 493);
        assert_eq!(rank(500, 12.0, 24.0, 2.0, 1.0), 250);
        assert_eq!(rank(500, 48.0, 24.0, 2.0, 1.0), 100);
        assert_eq!(rank(500, 48.0, 24.0, 1.0, 1.0), 125);
    }

    #[test]
    fn core_25_26_tier_and_decay_together() {
        let day = UnitSettings { half_life_hours: 24.0, ..UnitSettings::default() };
        assert_eq!([800, 600, 349].map(|from| read(from, 24, 1.0, false, &day).0), [503, 377, 109]);
        assert_eq!([1.5, 0.6].map(|multiplier| rank(500, 24.0, 24.0, 2.0, multiplier)), [198, 100]);
    }

    #[test]
    fn prop_unit_half_life_hours_min_rank_and_max_rank_bound_what_is_read() {
        let slow = UnitSettings { half_life_hours: 336.0, ..UnitSettings::default() };
        assert_eq!(read(500, 168, 1.0, false, &slow).0, 353);
        let floor = UnitSettings { min_rank: 300, ..UnitSettings::default() };
        assert_eq!(read(500, 168, 1.0, false, &floor).0, 300);
        let ceiling = UnitSettings { max_rank: 600, ..UnitSettings::default() };
        assert_eq!(read(900, 0, 1.0, false, &ceiling).0, 600);
    }

    #[test]
    fn prop_unit_tier_hot_threshold_unit_tier_warm_threshold_move_tiers() {
        let tier = TierSettings { hot_threshold: 500, warm_threshold: 450, ..TierSettings::default() };
        let moved = UnitSettings { tier, ..UnitSettings::default() };
        assert_eq!(read(500, 0, 1.0, false, &moved).1, Tier::Hot);
        assert_eq!(read(449, 0, 1.0, false, &moved).1, Tier::Cold);
    }

    #[test]
    fn prop_unit_tier_hot_decay_multiplier_unit_tier_warm_decay_multiplier_unit_tier_cold_decay_multiplier_slow_decay()
     {
        let with = |tier| UnitSettings { tier, ..UnitSettings::default() };
        let hot = with(TierSettings { hot_decay_multiplier: 3.0, ..TierSettings::default() });
        let warm = with(TierSettings { warm_decay_multiplier: 2.0, ..TierSettings::default() });
        let cold = with(TierSettings { cold_decay_multiplier: 1.0, ..TierSettings::default() });
        let week = |from, settings: &UnitSettings| read(from, 168, 1.0, false, settings).0;
        assert_eq!((week(800, &with(TierSettings::default())), week(800, &hot)), (503, 634));
        assert_eq!((week(500, &with(TierSettings::default())), week(500, &warm)), (250, 353));
        assert_eq!((week(340, &with(TierSettings::default())), week(340, &cold)), (107, 170));
    }
}

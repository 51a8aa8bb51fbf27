//! Pressure: how near the working set is to what it can hold, from the last user turns (core 10.2).
//!
//! `w_budget · min(1, (active / budget)^exponent) + w_conflict · min(1, c / n) + w_decay · min(1, d / n) + w_compaction · min(1, k / n)`,
//! where c, d and k are the conflicts, demotions and compactions of the last n = `pressure.conflict_window_size` user turns. The
//! turns are a ring that commits write and readers read: reading changes nothing, so a gauge that is read three times says
//! the same three times (core 15 G17). A breach begins in the turn in which the score reaches a threshold, and is armed again
//! once it is below.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::settings::{MAX_WINDOW, PressureSettings};

/// How far a sweep goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum SweepKind {
    /// By rules alone.
    Light,
    /// With the contradictions between units, and the model where it is allowed.
    Full,
}

/// What happened in one user turn, and how many units were active at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct TurnLoad {
    pub(super) turn: u32,
    pub(super) active: u32,
    pub(super) conflicts: u32,
    pub(super) demotions: u32,
    pub(super) compactions: u32,
}

/// The last turns, oldest first; what came before the first turn is turn 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turns(VecDeque<TurnLoad>);

impl Default for Turns {
    fn default() -> Self {
        Self(VecDeque::from([TurnLoad::default()]))
    }
}

impl Turns {
    /// A user turn begins.
    pub(super) fn next(&mut self) {
        let last = *self.last();
        // One more than the longest window, so that its first turn has one before it.
        if self.0.len() > MAX_WINDOW as usize {
            self.0.pop_front();
        }
        self.0.push_back(TurnLoad { turn: last.turn + 1, active: last.active, ..TurnLoad::default() });
    }
    /// The turn that is under way.
    pub(super) fn last(&self) -> &TurnLoad {
        const NONE: &TurnLoad = &TurnLoad { turn: 0, active: 0, conflicts: 0, demotions: 0, compactions: 0 };
        self.0.back().unwrap_or(NONE)
    }
    /// The turn that is under way, to add to.
    pub(super) fn now(&mut self) -> &mut TurnLoad {
        if self.0.is_empty() {
            self.0.push_back(TurnLoad::default());
        }
        let last = self.0.len() - 1;
        &mut self.0[last]
    }
}

/// What each dimension adds to the score: already weighted.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PressureParts {
    /// How full the budget is.
    pub budget: f64,
    /// Recent conflicts.
    pub conflict: f64,
    /// Recent demotions.
    pub decay: f64,
    /// Recent compactions.
    pub compaction: f64,
}

impl PressureParts {
    /// The score: 0 to 1.
    pub fn total(&self) -> f64 {
        (self.budget + self.conflict + self.decay + self.compaction).clamp(0.0, 1.0)
    }
}

/// The score of one turn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PressureAt {
    /// Which user turn of the context, counted from 1; 0 is before the first.
    pub turn: u32,
    /// 0 to 1.
    pub score: f64,
}

/// A threshold that the score has reached and not left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PressureBreach {
    /// What it calls for.
    pub sweep: SweepKind,
    /// The turn in which it was reached, as far back as turns are kept.
    pub since: u32,
}

/// Pressure, as of the turn under way.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Pressure {
    /// The turn under way.
    pub turn: u32,
    /// 0 to 1.
    pub score: f64,
    /// What it is made of.
    pub parts: PressureParts,
    /// Active units.
    pub active: u32,
    /// The budget.
    pub budget: u32,
    /// Conflicts in the window.
    pub conflicts: u32,
    /// Demotions in it.
    pub demotions: u32,
    /// Compactions in it.
    pub compactions: u32,
    /// Thresholds that are reached, the light one first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breaches: Vec<PressureBreach>,
    /// The scores of the turns that are kept, oldest first; the last is the one above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<PressureAt>,
}

impl Pressure {
    /// What the turns come to. 0 where pressure is off.
    pub(super) fn of(turns: &Turns, budget: u32, settings: &PressureSettings) -> Self {
        let last = turns.last();
        let mut pressure = Self { turn: last.turn, active: last.active, budget, ..Self::default() };
        if !settings.enabled {
            return pressure;
        }
        let (mut light, mut full) = (None, None);
        for at in 0..turns.0.len() {
            let (parts, load) = weigh(turns, at, budget, settings);
            let (turn, score) = (load.turn, parts.total());
            for (latch, threshold) in
                [(&mut light, settings.light_sweep_threshold), (&mut full, settings.full_sweep_threshold)]
            {
                *latch = if reaches(score, threshold) { latch.or(Some(turn)) } else { None };
            }
            pressure.history.push(PressureAt { turn, score });
            (pressure.score, pressure.parts) = (score, parts);
            (pressure.conflicts, pressure.demotions, pressure.compactions) =
                (load.conflicts, load.demotions, load.compactions);
        }
        let breach = |since: Option<u32>, sweep| since.map(|since| PressureBreach { sweep, since });
        pressure.breaches =
            [breach(light, SweepKind::Light), breach(full, SweepKind::Full)].into_iter().flatten().collect();
        pressure
    }

    /// The sweep that the score calls for.
    pub fn calls_for(&self, settings: &PressureSettings) -> Option<SweepKind> {
        sweep_for(self.score, settings)
    }
}

/// The sweep that a score calls for.
pub(super) fn sweep_for(score: f64, settings: &PressureSettings) -> Option<SweepKind> {
    if !settings.enabled {
        None
    } else if reaches(score, settings.full_sweep_threshold) {
        Some(SweepKind::Full)
    } else if reaches(score, settings.light_sweep_threshold) {
        Some(SweepKind::Light)
    } else {
        None
    }
}

/// Sums of weights miss their decimal value by some 1e-17: a full budget of weight 0.4 reaches 0.4.
fn reaches(score: f64, threshold: f64) -> bool {
    score >= threshold - 1e-9
}

/// One turn's parts, and the counts of its window.
fn weigh(turns: &Turns, at: usize, budget: u32, settings: &PressureSettings) -> (PressureParts, TurnLoad) {
    let n = settings.conflict_window_size.clamp(1, MAX_WINDOW) as usize;
    let window = turns.0.range((at + 1).saturating_sub(n)..=at);
    let mut sum = TurnLoad { conflicts: 0, demotions: 0, compactions: 0, ..turns.0[at] };
    for load in window {
        sum.conflicts += load.conflicts;
        sum.demotions += load.demotions;
        sum.compactions += load.compactions;
    }
    let share = |count: u32| (f64::from(count) / n as f64).min(1.0);
    let filled = f64::from(sum.active) / f64::from(budget.max(1));
    let parts = PressureParts {
        budget: settings.budget_weight * libm::pow(filled, settings.budget_exponent).clamp(0.0, 1.0),
        conflict: settings.conflict_weight * share(sum.conflicts),
        decay: settings.decay_weight * share(sum.demotions),
        compaction: settings.compaction_weight * share(sum.compactions),
    };
    (parts, sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(loads: &[(u32, u32, u32, u32)]) -> Turns {
        let mut turns = Turns::default();
        for (active, conflicts, demotions, compactions) in loads {
            turns.next();
            let (active, conflicts) = (*active, *conflicts);
            let turn = turns.last().turn;
            *turns.now() =
                TurnLoad { turn, active, conflicts, demotions: *demotions, compactions: *compactions };
        }
        turns
    }
    fn score(loads: &[(u32, u32, u32, u32)]) -> f64 {
        Pressure::of(&turns(loads), 20, &PressureSettings::default()).score
    }
    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 5e-5, "{a} is not {b}");
    }

    #[test]
    fn core_211_a_budget_that_fills() {
        for (active, expected) in [(0, 0.0), (15, 0.2598), (18, 0.3415), (20, 0.4), (30, 0.4)] {
            near(score(&[(active, 0, 0, 0)]), expected);
        }
    }

    #[test]
    fn core_212_conflicts_breach_once_and_are_armed_again_below() {
        let mut loads = vec![(10, 5, 0, 0)];
        let at =
            |loads: &[(u32, u32, u32, u32)]| Pressure::of(&turns(loads), 20, &PressureSettings::default());
        let first = at(&loads);
        near(first.score, 0.4414);
        assert_eq!(first.breaches, [PressureBreach { sweep: SweepKind::Light, since: 1 }]);
        loads.push((10, 1, 0, 0));
        assert_eq!(at(&loads).breaches[0].since, 1, "it is the same breach");
        loads.extend([(10, 0, 0, 0); 4]);
        assert!(at(&loads).breaches.is_empty(), "the five conflicts are six turns old");
        loads.push((10, 5, 0, 0));
        assert_eq!(at(&loads).breaches[0].since, 7);
        near(at(&loads).history[1].score, 0.4414);
    }

    #[test]
    fn core_213_all_four_dimensions() {
        near(score(&[(18, 2, 1, 1)]), 0.5215);
        near(score(&[(18, 1, 0, 0), (18, 1, 1, 0), (18, 0, 0, 1)]), 0.5215);
        let of = turns(&[(18, 2, 1, 1)]);
        let read = || Pressure::of(&of, 20, &PressureSettings::default());
        assert_eq!(read(), read(), "reading changes nothing");
        let parts = read().parts;
        near(parts.total(), read().score);
    }

    #[test]
    fn core_214_the_score_calls_for_a_sweep() {
        let settings = PressureSettings::default();
        for (score, sweep) in [
            (0.85, Some(SweepKind::Full)),
            (0.5, Some(SweepKind::Light)),
            (0.2, None),
            (0.4, Some(SweepKind::Light)),
        ] {
            assert_eq!(sweep_for(score, &settings), sweep);
        }
        let off = PressureSettings { enabled: false, ..settings };
        assert_eq!(sweep_for(0.9, &off), None);
    }

    #[test]
    fn turns_are_kept_up_to_the_longest_window() {
        let of = turns(&vec![(1, 1, 0, 0); 300]);
        let longest = PressureSettings { conflict_window_size: MAX_WINDOW, ..PressureSettings::default() };
        let pressure = Pressure::of(&of, 20, &longest);
        assert_eq!((pressure.turn, pressure.conflicts), (300, 100));
        assert_eq!(pressure.history.len(), 101);
    }

    /// The score of the same two turns under other settings.
    fn under(settings: PressureSettings) -> f64 {
        assert_eq!(settings.validate(), Ok(()));
        Pressure::of(&turns(&[(9, 1, 2, 1), (10, 2, 1, 1)]), 20, &settings).score
    }
    fn base() -> PressureSettings {
        PressureSettings::default()
    }

    #[test]
    fn prop_pressure_budget_weight_and_pressure_conflict_weight_move_the_score() {
        assert!(
            under(PressureSettings { budget_weight: 0.5, conflict_weight: 0.2, ..base() }) < under(base())
        );
    }

    #[test]
    fn prop_pressure_decay_weight_and_pressure_compaction_weight_move_the_score() {
        assert!(under(PressureSettings { budget_weight: 0.2, decay_weight: 0.4, ..base() }) > under(base()));
        assert!(
            under(PressureSettings { decay_weight: 0.1, compaction_weight: 0.2, ..base() }) < under(base())
        );
    }

    #[test]
    fn prop_pressure_budget_exponent_bends_the_budgets_share() {
        assert!(under(PressureSettings { budget_exponent: 3.0, ..base() }) < under(base()));
    }

    #[test]
    fn prop_pressure_conflict_window_size_is_what_counts_as_recent() {
        assert!(under(PressureSettings { conflict_window_size: 1, ..base() }) > under(base()));
    }

    #[test]
    fn prop_pressure_enabled_off_is_no_pressure() {
        assert_eq!(under(PressureSettings { enabled: false, ..base() }), 0.0);
    }

    #[test]
    fn prop_pressure_light_sweep_threshold_and_pressure_full_sweep_threshold_move_the_breach() {
        let loads = turns(&[(20, 1, 0, 0)]);
        let kinds = |settings: PressureSettings| {
            let pressure = Pressure::of(&loads, 20, &settings);
            pressure.breaches.iter().map(|breach| breach.sweep).collect::<Vec<_>>()
        };
        assert_eq!(kinds(base()), [SweepKind::Light]);
        assert_eq!(kinds(PressureSettings { light_sweep_threshold: 0.5, ..base() }), []);
        let both = PressureSettings { full_sweep_threshold: 0.45, ..base() };
        assert_eq!(kinds(both), [SweepKind::Light, SweepKind::Full]);
    }
}

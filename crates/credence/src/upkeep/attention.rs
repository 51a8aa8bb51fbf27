//! Attention: how much happens around a unit, and what of it is worth telling (core 10.1).
//!
//! A unit's marks are what commits did around it; a window is the marks of the last `attention.window_duration`. Everything here is
//! a function of the marks, the settings and the instant: marks are replayed in order, *and so is their leaving the window*, so a
//! signal begins when its condition came true, whoever looked and whenever. That is why a unit that cools is seen to
//! cool (core 15 G16: the predecessor looks only when something happens, and forgets the peak in the same step).
//!
//! heat = events / `max_expected_events_per_window`, at most 1; pressure = conflicts / events; burst = share of the events that lie in
//! the last quarter of the window, over a quarter: above 1 it quickens, below 1 it slows.
//!
//! | signal | begins | ends |
//! |---|---|---|
//! | PRESSURE_SPIKE | pressure and conflicts reach their thresholds | one of them is below |
//! | HEAT_PEAK | heat reaches the peak | it is below |
//! | HEAT_DROP | after a peak, heat falls below the drop | something happens around the unit again |
//! | CLUSTER_DRIFT | so many units have dropped | fewer have |

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::settings::AttentionSettings;
use crate::id::PropositionId;
use crate::time::Timestamp;

/// Marks kept for a unit; more than the largest `max_expected_events_per_window`.
const MAX_MARKS: usize = 256;

/// What a mark counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkKind {
    /// A statement stood against the unit.
    Conflict,
    /// It gained evidence.
    Reinforcement,
    /// Anything else: promoted, a conflict settled, another authority or tier.
    General,
}

/// What one commit did around a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// When: the commit's time.
    at: Timestamp,
    /// What it counts as.
    kind: MarkKind,
}

/// A unit's marks, oldest first, bounded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Marks(VecDeque<Mark>);

impl Marks {
    /// Adds what happened last.
    pub(super) fn push(&mut self, at: Timestamp, kind: MarkKind) {
        if self.0.len() == MAX_MARKS {
            self.0.pop_front();
        }
        self.0.push_back(Mark { at, kind });
    }
    /// Forgets all: the unit left the working set.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

/// What is worth telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SignalKind {
    /// What is said stands against the unit more often than not.
    PressureSpike,
    /// Much happens around it.
    HeatPeak,
    /// It was at its peak, and nothing happens any more.
    HeatDrop,
    /// Several units have dropped together: the talk has moved on.
    ClusterDrift,
}

/// How urgent a signal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Severity {
    /// Good to know.
    Medium,
    /// Somebody should look.
    High,
}

impl SignalKind {
    /// How urgent it is.
    pub fn severity(self) -> Severity {
        match self {
            Self::PressureSpike | Self::ClusterDrift => Severity::High,
            Self::HeatPeak | Self::HeatDrop => Severity::Medium,
        }
    }
}

/// A signal that is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttentionSignal {
    /// Which.
    pub kind: SignalKind,
    /// The unit; none for a cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<PropositionId>,
    /// Since when.
    pub since: Timestamp,
}

/// One unit's window, as of an instant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnitAttention {
    /// The unit.
    pub unit: PropositionId,
    /// Conflicts in the window.
    pub conflicts: u32,
    /// Reinforcements in it.
    pub reinforcements: u32,
    /// All events in it.
    pub events: u32,
    /// The last event of all, also before the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_event: Option<Timestamp>,
    /// Where the window begins.
    pub start: Timestamp,
    /// How long it is, in milliseconds.
    pub duration_ms: i64,
    /// 0 to 1.
    pub heat: f64,
    /// 0 to 1.
    pub pressure: f64,
    /// 0 to 4; 1 where it says nothing.
    pub burst: f64,
    /// The unit's signals that are on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signals: Vec<AttentionSignal>,
}

impl UnitAttention {
    /// Whether a signal is on.
    pub fn has(&self, kind: SignalKind) -> bool {
        self.signals.iter().any(|signal| signal.kind == kind)
    }
}

/// Several units taken together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ClusterSnapshot {
    /// Units.
    pub units: u32,
    /// Mean heat.
    pub heat: f64,
    /// Mean pressure.
    pub pressure: f64,
    /// Mean burst; 1 for no units.
    pub burst: f64,
    /// Conflicts in all windows.
    pub conflicts: u32,
    /// Reinforcements in all windows.
    pub reinforcements: u32,
    /// Events in all windows.
    pub events: u32,
    /// The longest window, in milliseconds.
    pub duration_ms: i64,
}

/// Attention for the whole working set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Attention {
    /// Active units, hottest first, then by id.
    pub units: Vec<UnitAttention>,
    /// What is worth telling now, the units' signals and the cluster's, by kind and then by unit.
    pub signals: Vec<AttentionSignal>,
}

impl Attention {
    /// What follows from these units' marks. Empty where attention is off.
    pub(super) fn of<'a>(
        units: impl Iterator<Item = (PropositionId, &'a Marks)>,
        settings: &AttentionSettings,
        now: Timestamp,
    ) -> Self {
        if !settings.enabled {
            return Self::default();
        }
        let mut units: Vec<UnitAttention> =
            units.map(|(unit, marks)| follow(unit, marks, settings, now)).collect();
        units.sort_by(|a, b| b.heat.total_cmp(&a.heat).then(a.unit.cmp(&b.unit)));
        let mut signals: Vec<AttentionSignal> =
            units.iter().flat_map(|unit| unit.signals.iter().copied()).collect();
        let mut drops: Vec<Timestamp> =
            signals.iter().filter(|s| s.kind == SignalKind::HeatDrop).map(|s| s.since).collect();
        drops.sort_unstable();
        // It began when the last unit that it takes dropped.
        let needed = settings.cluster_drift_min_units.max(1) as usize;
        if let Some(since) = drops.get(needed - 1) {
            signals.push(AttentionSignal { kind: SignalKind::ClusterDrift, unit: None, since: *since });
        }
        signals.sort_by_key(|signal| (signal.kind, signal.unit));
        Self { units, signals }
    }

    /// One unit's window.
    pub fn unit(&self, unit: PropositionId) -> Option<&UnitAttention> {
        self.units.iter().find(|window| window.unit == unit)
    }
    /// The hottest `n`.
    pub fn hottest(&self, n: usize) -> &[UnitAttention] {
        &self.units[..n.min(self.units.len())]
    }
    /// Whether the cluster drifts.
    pub fn drifts(&self) -> bool {
        self.signals.iter().any(|signal| signal.kind == SignalKind::ClusterDrift)
    }
    /// These units together; those that are no active units do not count.
    pub fn cluster(&self, ids: &[PropositionId]) -> ClusterSnapshot {
        let members: Vec<&UnitAttention> =
            self.units.iter().filter(|window| ids.contains(&window.unit)).collect();
        let mean = |value: fn(&UnitAttention) -> f64, none: f64| {
            if members.is_empty() {
                none
            } else {
                members.iter().map(|window| value(window)).sum::<f64>() / members.len() as f64
            }
        };
        ClusterSnapshot {
            units: u32::try_from(members.len()).unwrap_or(u32::MAX),
            heat: mean(|w| w.heat, 0.0),
            pressure: mean(|w| w.pressure, 0.0),
            burst: mean(|w| w.burst, 1.0),
            conflicts: members.iter().map(|w| w.conflicts).sum(),
            reinforcements: members.iter().map(|w| w.reinforcements).sum(),
            events: members.iter().map(|w| w.events).sum(),
            duration_ms: members.iter().map(|w| w.duration_ms).max().unwrap_or(0),
        }
    }
}

/// The signals of one unit while its marks come and go.
#[derive(Default)]
struct Latches {
    spike: Option<Timestamp>,
    peak: Option<Timestamp>,
    /// It was at its peak and has not dropped since.
    was_hot: bool,
    drop: Option<Timestamp>,
}

impl Latches {
    fn step(&mut self, at: Timestamp, events: usize, conflicts: u32, settings: &AttentionSettings) {
        let heat = heat(events, settings);
        let spikes = events > 0
            && f64::from(conflicts) / events as f64 >= settings.pressure_threshold
            && conflicts >= settings.min_conflicts_for_pressure;
        let latch = |latch: &mut Option<Timestamp>, on: bool| {
            *latch = if on { latch.or(Some(at)) } else { None };
        };
        latch(&mut self.spike, spikes);
        let peaks = heat >= settings.heat_peak_threshold;
        latch(&mut self.peak, peaks);
        self.was_hot |= peaks;
        if self.was_hot && heat < settings.heat_drop_threshold {
            self.drop = Some(at);
            self.was_hot = false;
        }
    }
}

fn heat(events: usize, settings: &AttentionSettings) -> f64 {
    (events as f64 / f64::from(settings.max_expected_events_per_window)).min(1.0)
}

/// Replays a unit's marks up to `now`.
fn follow(unit: PropositionId, marks: &Marks, settings: &AttentionSettings, now: Timestamp) -> UnitAttention {
    let marks = &marks.0;
    let reach = settings.window_duration.as_millis();
    let conflicts_in = |from: usize, to: usize| {
        let conflicts = marks.range(from..to).filter(|mark| mark.kind == MarkKind::Conflict).count();
        u32::try_from(conflicts).unwrap_or(u32::MAX)
    };
    let mut latches = Latches::default();
    let (mut from, mut to) = (0, 0);
    loop {
        // A mark is in the window up to `reach` after it happened.
        let leaves = (from < to).then(|| marks[from].at.plus_ms(reach + 1));
        let comes = marks.get(to).map(|mark| mark.at);
        let at = match (leaves, comes) {
            (Some(leaves), Some(comes)) if comes < leaves => comes,
            (Some(leaves), _) => leaves,
            (None, Some(comes)) => comes,
            (None, None) => break,
        };
        if at > now {
            break;
        }
        if leaves == Some(at) {
            from += 1;
        } else {
            to += 1;
            latches.drop = None;
        }
        latches.step(at, to - from, conflicts_in(from, to), settings);
    }
    let window: Vec<&Mark> = marks.range(from..to).collect();
    let events = window.len();
    let conflicts = conflicts_in(from, to);
    let reinforcements = window.iter().filter(|mark| mark.kind == MarkKind::Reinforcement).count();
    let start = marks.front().map_or(now, |first| first.at).max(now.plus_ms(-reach)).min(now);
    let duration_ms = now.0 - start.0;
    let burst = if events < 2 || duration_ms == 0 {
        1.0
    } else {
        let last_quarter = start.0 as f64 + 0.75 * duration_ms as f64;
        let late = window.iter().filter(|mark| mark.at.0 as f64 >= last_quarter).count();
        late as f64 / events as f64 / 0.25
    };
    let signal =
        |kind, since: Option<Timestamp>| since.map(|since| AttentionSignal { kind, unit: Some(unit), since });
    UnitAttention {
        unit,
        conflicts,
        reinforcements: u32::try_from(reinforcements).unwrap_or(u32::MAX),
        events: u32::try_from(events).unwrap_or(u32::MAX),
        last_event: to.checked_sub(1).and_then(|last| marks.get(last)).map(|mark| mark.at),
        start,
        duration_ms,
        heat: heat(events, settings),
        pressure: if events == 0 { 0.0 } else { f64::from(conflicts) / events as f64 },
        burst,
        signals: [
            signal(SignalKind::PressureSpike, latches.spike),
            signal(SignalKind::HeatPeak, latches.peak),
            signal(SignalKind::HeatDrop, latches.drop),
        ]
        .into_iter()
        .flatten()
        .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::span::Span;
    use super::*;
    use uuid::Uuid;

    const MINUTE: i64 = 60_000;

    fn id(n: u128) -> PropositionId {
        PropositionId::new(Uuid::from_u128(n))
    }
    fn marks(kind: MarkKind, at: impl IntoIterator<Item = i64>) -> Marks {
        let mut marks = Marks::default();
        at.into_iter().for_each(|at| marks.push(Timestamp(at), kind));
        marks
    }
    fn see(marks: &Marks, now: i64) -> UnitAttention {
        follow(id(1), marks, &AttentionSettings::default(), Timestamp(now))
    }
    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn core_204_heat_is_a_share_of_what_is_expected() {
        for (events, heat) in [(10, 0.5), (30, 1.0), (0, 0.0)] {
            close(see(&marks(MarkKind::General, 0..events), 1000).heat, heat);
        }
        let few = AttentionSettings { max_expected_events_per_window: 10, ..AttentionSettings::default() };
        close(follow(id(1), &marks(MarkKind::General, 0..5), &few, Timestamp(9)).heat, 0.5);
    }

    #[test]
    fn core_205_pressure_is_the_share_of_conflicts() {
        let mut six = marks(MarkKind::Conflict, [1, 2, 3]);
        [4, 5].into_iter().for_each(|at| six.push(Timestamp(at), MarkKind::Reinforcement));
        six.push(Timestamp(6), MarkKind::General);
        let seen = see(&six, 6);
        close(seen.pressure, 0.5);
        assert_eq!((seen.conflicts, seen.reinforcements, seen.events), (3, 2, 6));
        close(see(&Marks::default(), 6).pressure, 0.0);
    }

    #[test]
    fn core_206_burst_tells_quickening_from_a_steady_pace() {
        close(see(&marks(MarkKind::General, [5]), 100).burst, 1.0);
        close(see(&marks(MarkKind::General, [5, 5, 5]), 5).burst, 1.0);
        let steady = see(&marks(MarkKind::General, (0..100).map(|n| n * 1000)), 99_000).burst;
        assert!((steady - 1.0).abs() < 0.05, "{steady}");
        let late = marks(MarkKind::General, [0, 90_000, 95_000, 99_000, 100_000]);
        assert!(see(&late, 100_000).burst > 1.5);
        assert!(see(&late, 250_000).burst < 1.0, "and it slows while nothing happens");
    }

    #[test]
    fn core_207_what_is_older_than_the_window_leaves_it() {
        let all_old = marks(MarkKind::Conflict, [0, 10, 20, 6 * MINUTE]);
        let seen = see(&all_old, 6 * MINUTE);
        assert_eq!((seen.events, seen.conflicts), (1, 1));
        let mixed = marks(MarkKind::General, [0, 2 * MINUTE, 4 * MINUTE, 6 * MINUTE]);
        assert_eq!(see(&mixed, 6 * MINUTE).events, 3);
        assert_eq!(see(&mixed, 12 * MINUTE).events, 0, "without a new event too");
        let long = AttentionSettings { window_duration: Span::minutes(10), ..AttentionSettings::default() };
        assert_eq!(follow(id(1), &mixed, &long, Timestamp(6 * MINUTE)).events, 4);
    }

    #[test]
    fn core_208_a_spike_that_lasts_is_one_spike() {
        let mut conflicts = marks(MarkKind::Conflict, [10, 20]);
        assert!(!see(&conflicts, 20).has(SignalKind::PressureSpike));
        conflicts.push(Timestamp(30), MarkKind::Conflict);
        let since = |marks: &Marks, now| see(marks, now).signals[0].since;
        assert_eq!(since(&conflicts, 30), Timestamp(30));
        conflicts.push(Timestamp(40), MarkKind::Conflict);
        assert_eq!(since(&conflicts, 40), Timestamp(30), "it is the one that began with the third");
    }

    #[test]
    fn core_209_a_spike_that_was_diluted_fires_again() {
        let mut conflicts = marks(MarkKind::Conflict, [1, 2, 3]);
        (4..9).for_each(|at| conflicts.push(Timestamp(at), MarkKind::General));
        let diluted = see(&conflicts, 8);
        assert_eq!((diluted.conflicts, diluted.events, diluted.signals.len()), (3, 8, 0));
        (9..12).for_each(|at| conflicts.push(Timestamp(at), MarkKind::Conflict));
        let again = see(&conflicts, 11);
        assert_eq!((again.conflicts, again.events), (6, 11));
        assert_eq!(again.signals[0].since, Timestamp(10), "5 of 10 was the new edge");
    }

    #[test]
    fn core_210_a_cluster_is_means_and_sums() {
        let (hot, cold) = (marks(MarkKind::Conflict, 0..20), marks(MarkKind::Reinforcement, [15, 16]));
        let units = [(id(1), &cold), (id(2), &hot)];
        let attention = Attention::of(units.into_iter(), &AttentionSettings::default(), Timestamp(20));
        assert_eq!(attention.hottest(1)[0].unit, id(2));
        let cluster = attention.cluster(&[id(1), id(2), id(9)]);
        assert_eq!(
            (cluster.units, cluster.conflicts, cluster.reinforcements, cluster.events),
            (2, 20, 2, 22)
        );
        close(cluster.heat, 0.55);
        close(cluster.pressure, 0.5);
        assert_eq!(cluster.duration_ms, 20);
        let none = attention.cluster(&[]);
        assert_eq!((none.units, none.duration_ms), (0, 0));
        close(none.heat + none.pressure, 0.0);
        close(none.burst, 1.0);
    }

    #[test]
    fn a_unit_that_cools_has_dropped_when_the_window_emptied_whenever_one_looks() {
        let hot = marks(MarkKind::General, (0..14).map(|n| n * 1000));
        assert!(see(&hot, 13_000).has(SignalKind::HeatPeak));
        let warm = see(&hot, 5 * MINUTE + 1);
        assert!(warm.signals.is_empty(), "no peak any more, and no drop yet");
        for later in [5 * MINUTE + 10_001, 60 * MINUTE, 10_000 * MINUTE] {
            let cool = see(&hot, later);
            assert_eq!(cool.signals.len(), 1);
            // Below 4 of 20: the eleventh of fourteen has left.
            assert_eq!(
                (cool.signals[0].kind, cool.signals[0].since.0),
                (SignalKind::HeatDrop, 5 * MINUTE + 10_001)
            );
        }
        let mut back = hot.clone();
        back.push(Timestamp(60 * MINUTE), MarkKind::Reinforcement);
        assert!(see(&back, 61 * MINUTE).signals.is_empty(), "it is in use again");
        assert!(see(&back, 70 * MINUTE).signals.is_empty(), "and a drop needs another peak");
    }

    #[test]
    fn units_that_drop_together_are_a_drift() {
        let hot = marks(MarkKind::General, 0..14);
        let drifts = |units: u128, now| {
            let units = (0..units).map(|n| (id(n), &hot));
            Attention::of(units, &AttentionSettings::default(), Timestamp(now)).drifts()
        };
        assert!(!drifts(3, 20));
        assert!(drifts(3, 6 * MINUTE));
        assert!(!drifts(2, 6 * MINUTE));
    }

    fn kinds(settings: AttentionSettings, marks: &Marks, now: i64) -> Vec<SignalKind> {
        follow(id(1), marks, &settings, Timestamp(now)).signals.iter().map(|signal| signal.kind).collect()
    }

    #[test]
    fn prop_attention_min_conflicts_for_pressure_moves_the_spike() {
        let base = AttentionSettings::default();
        let conflicts = marks(MarkKind::Conflict, [1, 2]);
        assert_eq!(kinds(base, &conflicts, 5), []);
        let sooner = AttentionSettings { min_conflicts_for_pressure: 2, ..base };
        assert_eq!(kinds(sooner, &conflicts, 5), [SignalKind::PressureSpike]);
    }

    #[test]
    fn prop_attention_pressure_threshold_moves_the_spike() {
        let base = AttentionSettings::default();
        let mut mixed = marks(MarkKind::Conflict, [1, 2, 3]);
        (4..8).for_each(|at| mixed.push(Timestamp(at), MarkKind::General));
        assert_eq!(kinds(base, &mixed, 9), []);
        let lower = AttentionSettings { pressure_threshold: 0.4, ..base };
        assert_eq!(kinds(lower, &mixed, 9), [SignalKind::PressureSpike]);
    }

    #[test]
    fn prop_attention_heat_peak_threshold_moves_the_peak() {
        let base = AttentionSettings::default();
        let ten = marks(MarkKind::General, 0..10);
        assert_eq!(kinds(base, &ten, 20), []);
        let lower = AttentionSettings { heat_peak_threshold: 0.5, ..base };
        assert_eq!(kinds(lower, &ten, 20), [SignalKind::HeatPeak]);
    }

    #[test]
    fn prop_attention_heat_drop_threshold_moves_the_drop() {
        let base = AttentionSettings { heat_peak_threshold: 0.5, ..AttentionSettings::default() };
        let (ten, later) = (marks(MarkKind::General, 0..10), 5 * MINUTE + 4);
        assert_eq!(kinds(base, &ten, later), [], "six of twenty are left");
        let early = AttentionSettings { heat_drop_threshold: 0.4, ..base };
        assert_eq!(kinds(early, &ten, later), [SignalKind::HeatDrop]);
    }

    #[test]
    fn prop_attention_window_duration_is_how_long_a_mark_counts() {
        let marks = marks(MarkKind::General, [0, 6 * MINUTE]);
        assert_eq!(see(&marks, 6 * MINUTE).events, 1);
        let long = AttentionSettings { window_duration: Span::minutes(10), ..AttentionSettings::default() };
        assert_eq!(follow(id(1), &marks, &long, Timestamp(6 * MINUTE)).events, 2);
    }

    #[test]
    fn prop_attention_max_expected_events_per_window_scales_heat() {
        let five = marks(MarkKind::General, 0..5);
        close(see(&five, 9).heat, 0.25);
        let few = AttentionSettings { max_expected_events_per_window: 10, ..AttentionSettings::default() };
        close(follow(id(1), &five, &few, Timestamp(9)).heat, 0.5);
    }

    fn two(settings: AttentionSettings) -> Attention {
        let hot = marks(MarkKind::General, 0..14);
        Attention::of([(id(1), &hot), (id(2), &hot)].into_iter(), &settings, Timestamp(6 * MINUTE))
    }

    #[test]
    fn prop_attention_cluster_drift_min_units_moves_the_drift() {
        let base = AttentionSettings::default();
        assert!(!two(base).drifts());
        assert!(two(AttentionSettings { cluster_drift_min_units: 2, ..base }).drifts());
    }

    #[test]
    fn prop_attention_enabled_off_sees_nothing() {
        let off = AttentionSettings { enabled: false, ..AttentionSettings::default() };
        assert_eq!(two(AttentionSettings::default()).units.len(), 2);
        assert_eq!(two(off), Attention::default());
    }
}

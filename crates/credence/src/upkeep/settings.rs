//! The numbers of upkeep: attention, pressure, sweeps and tiered storage, under the names of the founding document.

use serde::{Deserialize, Serialize};

use super::span::Span;

/// `attention.*`: how much happens around each unit (core 10.1).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct AttentionSettings {
    /// Whether attention is followed. Default on.
    pub enabled: bool,
    /// How far back a window reaches; 1 second to 7 days. Default PT5M.
    pub window_duration: Span,
    /// Share of conflicts among a unit's events from which it is under pressure; 0 to 1. Default 0.5.
    pub pressure_threshold: f64,
    /// Conflicts in the window before pressure is told; 1 to 200. Default 3.
    pub min_conflicts_for_pressure: u32,
    /// Heat from which a unit is at its peak; above `heat_drop_threshold`, at most 1. Default 0.7.
    pub heat_peak_threshold: f64,
    /// Heat below which a unit that was at its peak has dropped; 0 to 1. Default 0.2.
    pub heat_drop_threshold: f64,
    /// Units that have dropped together before it is a drift; 1 to 200. Default 3.
    pub cluster_drift_min_units: u32,
    /// Events in a window that are full heat; 1 to 200. Default 20.
    pub max_expected_events_per_window: u32,
}

impl Default for AttentionSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            window_duration: Span::minutes(5),
            pressure_threshold: 0.5,
            min_conflicts_for_pressure: 3,
            heat_peak_threshold: 0.7,
            heat_drop_threshold: 0.2,
            cluster_drift_min_units: 3,
            max_expected_events_per_window: 20,
        }
    }
}

impl AttentionSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        if !(1..=604_800).contains(&self.window_duration.as_seconds()) {
            return Err(format!(
                "attention.window_duration must be PT1S to PT168H, got {}",
                self.window_duration
            ));
        }
        whole(
            "attention",
            &[
                ("min_conflicts_for_pressure", self.min_conflicts_for_pressure, 1, 200),
                ("cluster_drift_min_units", self.cluster_drift_min_units, 1, 200),
                ("max_expected_events_per_window", self.max_expected_events_per_window, 1, 200),
            ],
        )?;
        shares(
            "attention",
            &[
                ("pressure_threshold", self.pressure_threshold),
                ("heat_peak_threshold", self.heat_peak_threshold),
                ("heat_drop_threshold", self.heat_drop_threshold),
            ],
        )?;
        if self.heat_drop_threshold >= self.heat_peak_threshold {
            return Err(format!(
                "attention.heat_drop_threshold must be below attention.heat_peak_threshold ({}), got {}",
                self.heat_peak_threshold, self.heat_drop_threshold
            ));
        }
        Ok(())
    }
}

/// `pressure.*`: how near the working set is to what it can hold (core 10.2). The weights sum to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PressureSettings {
    /// Whether pressure is computed; off, it is 0 and no sweep starts by itself. Default on.
    pub enabled: bool,
    /// Weight of how full the budget is; 0 to 1. Default 0.4.
    pub budget_weight: f64,
    /// Weight of recent conflicts; 0 to 1. Default 0.3.
    pub conflict_weight: f64,
    /// Weight of recent demotions; 0 to 1. Default 0.2.
    pub decay_weight: f64,
    /// Weight of recent compactions; 0 to 1. Default 0.1.
    pub compaction_weight: f64,
    /// Pressure from which a light sweep is called for; 0 to 1. Default 0.4.
    pub light_sweep_threshold: f64,
    /// Pressure from which a full sweep is; above `light_sweep_threshold`, at most 1. Default 0.8.
    pub full_sweep_threshold: f64,
    /// Exponent of the budget's share: larger is gentler far from the limit and sharper near it; above 0, at most 10. Default 1.5.
    pub budget_exponent: f64,
    /// User turns that count as recent, and how many events in them are full pressure; 1 to 100. Default 5.
    pub conflict_window_size: u32,
}

impl Default for PressureSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            budget_weight: 0.4,
            conflict_weight: 0.3,
            decay_weight: 0.2,
            compaction_weight: 0.1,
            light_sweep_threshold: 0.4,
            full_sweep_threshold: 0.8,
            budget_exponent: 1.5,
            conflict_window_size: 5,
        }
    }
}

impl PressureSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let weights = [
            ("budget_weight", self.budget_weight),
            ("conflict_weight", self.conflict_weight),
            ("decay_weight", self.decay_weight),
            ("compaction_weight", self.compaction_weight),
        ];
        shares("pressure", &weights)?;
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        if (sum - 1.0).abs() > 0.001 {
            return Err(format!(
                "the weights of pressure (budget, conflict, decay, compaction) must sum to 1, got {sum}"
            ));
        }
        shares(
            "pressure",
            &[
                ("light_sweep_threshold", self.light_sweep_threshold),
                ("full_sweep_threshold", self.full_sweep_threshold),
            ],
        )?;
        if self.full_sweep_threshold <= self.light_sweep_threshold {
            return Err(format!(
                "pressure.full_sweep_threshold must be above pressure.light_sweep_threshold ({}), got {}",
                self.light_sweep_threshold, self.full_sweep_threshold
            ));
        }
        if !(self.budget_exponent > 0.0 && self.budget_exponent <= 10.0) {
            return Err(format!(
                "pressure.budget_exponent must be above 0 and at most 10, got {}",
                self.budget_exponent
            ));
        }
        whole("pressure", &[("conflict_window_size", self.conflict_window_size, 1, MAX_WINDOW)])
    }
}

/// Most turns that count as recent: what the gauge keeps.
pub(super) const MAX_WINDOW: u32 = 100;

/// `maintenance.mode`: when the working set is looked after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum MaintenanceMode {
    /// After each answered turn: what has faded goes down or to sleep.
    #[default]
    Reactive,
    /// When pressure calls for it: a sweep.
    Proactive,
    /// Both.
    Hybrid,
}

impl MaintenanceMode {
    /// Whether units are settled after each turn.
    pub fn settles(self) -> bool {
        self != Self::Proactive
    }
    /// Whether sweeps start by themselves.
    pub fn sweeps(self) -> bool {
        self != Self::Reactive
    }
}

/// What looks for contradictions between units before a full sweep scores them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum PreFilter {
    /// Nothing.
    Off,
    /// The deterministic rules of lexical conflict detection, in place of the predecessor's logic engine.
    #[default]
    Rules,
}

/// `maintenance.proactive.*`: sweeps (core 10.3).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProactiveSettings {
    /// User turns between two sweeps, and the turns without use after which a unit's recency is 0; 1 to 1,000. Default 10.
    pub min_turns_between_sweeps: u32,
    /// Audit score below which a unit is archived; 0 to 1, below `soft_prune_threshold`. Default 0.1.
    pub hard_prune_threshold: f64,
    /// Audit score below which a unit pays a penalty while pressure is high, and leaves once it has nothing left; 0 to 1.
    /// Default 0.3.
    pub soft_prune_threshold: f64,
    /// Pressure from which the soft threshold counts; 0 to 1. Default 0.6.
    pub soft_prune_pressure_threshold: f64,
    /// Pieces of evidence before a RELIABLE unit is proposed as CANON; 1 to 1,000. Default 10.
    pub candidacy_min_reinforcements: u32,
    /// Least audit score of such a unit; 0 to 1. Default 0.8.
    pub candidacy_min_audit_score: f64,
    /// User turns since its promotion; 0 to 10,000. Default 5.
    pub candidacy_min_age: u32,
    /// Activation given to a unit that does well; 1 to 200. Default 50.
    pub rank_boost_amount: u16,
    /// Activation taken from one that does not; 1 to 200. Default 50.
    pub rank_penalty_amount: u16,
    /// Whether a full sweep asks the model, in one call, about the units in the middle. Default off.
    pub llm_audit_enabled: bool,
    /// The predecessor's logic engine as pre-filter. Refused until there is one here; `pre_filter` does its work by rules.
    pub prolog_pre_filter_enabled: bool,
    /// What looks for contradictions between units before a full sweep. Default RULES.
    pub pre_filter: PreFilter,
}

impl Default for ProactiveSettings {
    fn default() -> Self {
        Self {
            min_turns_between_sweeps: 10,
            hard_prune_threshold: 0.1,
            soft_prune_threshold: 0.3,
            soft_prune_pressure_threshold: 0.6,
            candidacy_min_reinforcements: 10,
            candidacy_min_audit_score: 0.8,
            candidacy_min_age: 5,
            rank_boost_amount: 50,
            rank_penalty_amount: 50,
            llm_audit_enabled: false,
            prolog_pre_filter_enabled: false,
            pre_filter: PreFilter::Rules,
        }
    }
}

impl ProactiveSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let area = "maintenance.proactive";
        whole(
            area,
            &[
                ("min_turns_between_sweeps", self.min_turns_between_sweeps, 1, 1000),
                ("candidacy_min_reinforcements", self.candidacy_min_reinforcements, 1, 1000),
                ("candidacy_min_age", self.candidacy_min_age, 0, 10_000),
                ("rank_boost_amount", u32::from(self.rank_boost_amount), 1, 200),
                ("rank_penalty_amount", u32::from(self.rank_penalty_amount), 1, 200),
            ],
        )?;
        shares(
            area,
            &[
                ("hard_prune_threshold", self.hard_prune_threshold),
                ("soft_prune_threshold", self.soft_prune_threshold),
                ("soft_prune_pressure_threshold", self.soft_prune_pressure_threshold),
                ("candidacy_min_audit_score", self.candidacy_min_audit_score),
            ],
        )?;
        if self.hard_prune_threshold >= self.soft_prune_threshold {
            return Err(format!(
                "{area}.hard_prune_threshold must be below {area}.soft_prune_threshold ({}), got {}",
                self.soft_prune_threshold, self.hard_prune_threshold
            ));
        }
        if self.prolog_pre_filter_enabled {
            return Err(format!(
                "{area}.prolog_pre_filter_enabled needs a logic engine, which this version does not have; leave it off: \
                 {area}.pre_filter RULES looks for contradictions by rules"
            ));
        }
        Ok(())
    }
}

/// `tiered_storage.*`: units served by tier (core 11.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TieredStorage {
    /// Whether tiers decide how units are served: HOT from a cache, WARM as they are, COLD not at all. Default off: all as they are.
    pub enabled: bool,
    /// Units in the cache; 1 to 100,000. Default 1,000.
    pub max_cache_size: u32,
    /// How long a cached unit is served before it is derived anew, in minutes; 1 to 10,080. Default 60.
    pub ttl_minutes: u32,
}

impl Default for TieredStorage {
    fn default() -> Self {
        Self { enabled: false, max_cache_size: 1000, ttl_minutes: 60 }
    }
}

impl TieredStorage {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        whole(
            "tiered_storage",
            &[
                ("max_cache_size", self.max_cache_size, 1, 100_000),
                ("ttl_minutes", self.ttl_minutes, 1, 10_080),
            ],
        )
    }
}

fn whole(area: &str, numbers: &[(&str, u32, u32, u32)]) -> Result<(), String> {
    for (name, value, min, max) in numbers {
        if !(min..=max).contains(&value) {
            return Err(format!("{area}.{name} must be {min} to {max}, got {value}"));
        }
    }
    Ok(())
}

fn shares(area: &str, numbers: &[(&str, f64)]) -> Result<(), String> {
    for (name, value) in numbers {
        if !(0.0..=1.0).contains(value) {
            return Err(format!("{area}.{name} must be 0 to 1, got {value}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_founding_document_and_valid() {
        assert_eq!(AttentionSettings::default().validate(), Ok(()));
        assert_eq!(PressureSettings::default().validate(), Ok(()));
        assert_eq!(ProactiveSettings::default().validate(), Ok(()));
        assert_eq!(TieredStorage::default().validate(), Ok(()));
        let read: AttentionSettings = serde_json::from_str(r#"{"window_duration":"PT10M"}"#).unwrap();
        assert_eq!(read.window_duration, Span::minutes(10));
    }

    #[test]
    fn what_cannot_work_is_refused_by_name() {
        let weights = PressureSettings { budget_weight: 0.5, ..PressureSettings::default() };
        assert!(weights.validate().unwrap_err().contains("must sum to 1, got 1.1"));
        let sweeps = PressureSettings { full_sweep_threshold: 0.4, ..PressureSettings::default() };
        assert!(sweeps.validate().unwrap_err().contains("above pressure.light_sweep_threshold (0.4)"));
        let prunes = ProactiveSettings { hard_prune_threshold: 0.3, ..ProactiveSettings::default() };
        assert!(prunes.validate().unwrap_err().contains("hard_prune_threshold must be below"));
        let heat = AttentionSettings { heat_drop_threshold: 0.7, ..AttentionSettings::default() };
        assert!(heat.validate().is_err());
        let boost = ProactiveSettings { rank_boost_amount: 201, ..ProactiveSettings::default() };
        assert_eq!(
            boost.validate().unwrap_err(),
            "maintenance.proactive.rank_boost_amount must be 1 to 200, got 201"
        );
        assert!(TieredStorage { ttl_minutes: 0, ..TieredStorage::default() }.validate().is_err());
    }

    #[test]
    fn prop_maintenance_proactive_prolog_pre_filter_enabled_is_refused_in_words() {
        let logic = ProactiveSettings { prolog_pre_filter_enabled: true, ..ProactiveSettings::default() };
        assert!(
            logic.validate().unwrap_err().contains("needs a logic engine, which this version does not have")
        );
    }
}

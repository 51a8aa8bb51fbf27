//! The numbers of maintenance, and which of its passes run. What can hide a person's own words is off until somebody turns it
//! on: cycles that start by themselves, abstraction, the retirement of what an abstraction covers, and removal.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::report::Pass;
use crate::upkeep::{MaintenanceMode, ProactiveSettings};

/// Settings of maintenance. Unknown members are ignored, missing ones take their default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MaintenanceConfig {
    /// Whether `Memory::consolidate` may start a cycle by itself. Default off, chosen by us: what a person wrote changes its
    /// standing when that person asks for it (the predecessor runs on growth alone, dice 6.8).
    pub automatic: bool,
    /// Growth of ACTIVE statements since the last cycle that makes one due; 1 to 10,000. Default 10 (dice 6.8).
    pub trigger_growth: u32,
    /// The passes of a cycle. Default: all but abstraction, which replaces precise statements by a model's summary.
    pub passes: BTreeSet<Pass>,
    /// Utility below which an ACTIVE statement goes stale; 0 to 1, below `revive_above`. Default 0.1 (dice 6.10).
    pub retire_below: f64,
    /// Utility above which a stale statement comes back; 0 to 1. Default 0.2 (dice 6.10).
    pub revive_above: f64,
    /// Whether sweeps look at STALE statements too and bring back those above `revive_above`. Default on: a statement whose
    /// time comes, or that regains belief, is of use again (dice 6.10 sweeps ACTIVE alone).
    pub revive: bool,
    /// Weight of importance in the utility; 0 to 10. Default 0 (dice 6.10).
    pub importance_weight: f64,
    /// Weight of reinforcements in the utility; 0 to 10. Default 0 (dice 6.10).
    pub reinforcement_weight: f64,
    /// Whether anything may be removed from the memory; without it such marks are skipped. Default off (dice 6.9).
    pub hard_delete: bool,
    /// Utility below which an ACTIVE statement is removed, once `hard_delete` is on; 0 to `retire_below`. Default 0: none.
    pub delete_below: f64,
    /// Nearness from which two statements may be compared as duplicates or opposites; 0 to 1. Default 0.7 (dice 6.9).
    /// Nearness alone never makes a duplicate.
    pub near_from: f64,
    /// Neighbours of a statement that are compared; 1 to 50. Default 10 (dice 6.9).
    pub near_top: u32,
    /// Pairs in the one call that asks a model about them; 0 to 200. Default 40, chosen by us: about 3,000 tokens.
    pub judge_pairs: u32,
    /// Confidence below which a new statement that nothing supports goes stale at the first cycle; 0 to 1. Default 0: none.
    /// The predecessor discards below 0.6 (dice 6.7); what a person said with doubt is still theirs.
    pub discard_below: f64,
    /// Statements about one entity that call for an abstraction; 2 to 1,000. Default 5 (dice 6.8).
    pub abstract_from: u32,
    /// Abstractions wanted for one entity; 1 to 20. Default 3 (dice 6.8).
    pub abstract_target: u32,
    /// Highest level of an abstraction; 1 to 10. Default 3 (dice 6.8).
    pub abstract_max_level: u32,
    /// Statements that one group shows to the model; 2 to 200. Default 40, chosen by us.
    pub abstract_group: u32,
    /// Groups in the one call; 1 to 20. Default 4, chosen by us.
    pub abstract_groups: u32,
    /// Whether what an abstraction covers is retired. Default off: a precise statement stays in answers beside its summary
    /// (dice 6.8 retires it).
    pub abstract_retires: bool,
    /// When the working set is looked after: after each turn, under pressure, or both. Default REACTIVE.
    pub mode: MaintenanceMode,
    /// Sweeps over the working set.
    pub proactive: ProactiveSettings,
}

impl Default for MaintenanceConfig {
    fn default() -> Self {
        Self {
            automatic: false,
            trigger_growth: 10,
            passes: Pass::ALL.into_iter().filter(|pass| *pass != Pass::Abstraction).collect(),
            retire_below: 0.1,
            revive_above: 0.2,
            revive: true,
            importance_weight: 0.0,
            reinforcement_weight: 0.0,
            hard_delete: false,
            delete_below: 0.0,
            near_from: 0.7,
            near_top: 10,
            judge_pairs: 40,
            discard_below: 0.0,
            abstract_from: 5,
            abstract_target: 3,
            abstract_max_level: 3,
            abstract_group: 40,
            abstract_groups: 4,
            abstract_retires: false,
            mode: MaintenanceMode::default(),
            proactive: ProactiveSettings::default(),
        }
    }
}

impl MaintenanceConfig {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        self.proactive.validate()?;
        let whole = [
            ("trigger_growth", self.trigger_growth, 1, 10_000),
            ("near_top", self.near_top, 1, 50),
            ("judge_pairs", self.judge_pairs, 0, 200),
            ("abstract_from", self.abstract_from, 2, 1000),
            ("abstract_target", self.abstract_target, 1, 20),
            ("abstract_max_level", self.abstract_max_level, 1, 10),
            ("abstract_group", self.abstract_group, 2, 200),
            ("abstract_groups", self.abstract_groups, 1, 20),
        ];
        for (name, value, min, max) in whole {
            if !(min..=max).contains(&value) {
                return Err(format!("maintenance.{name} must be {min} to {max}, got {value}"));
            }
        }
        let shares = [
            ("retire_below", self.retire_below, 1.0),
            ("revive_above", self.revive_above, 1.0),
            ("delete_below", self.delete_below, self.retire_below),
            ("near_from", self.near_from, 1.0),
            ("discard_below", self.discard_below, 1.0),
            ("importance_weight", self.importance_weight, 10.0),
            ("reinforcement_weight", self.reinforcement_weight, 10.0),
        ];
        for (name, value, max) in shares {
            if !(0.0..=max).contains(&value) {
                return Err(format!("maintenance.{name} must be 0 to {max}, got {value}"));
            }
        }
        if self.retire_below >= self.revive_above {
            return Err(format!(
                "maintenance.retire_below ({}) must be below maintenance.revive_above ({}), or statements would go and come back with every sweep",
                self.retire_below, self.revive_above
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_valid_and_hide_nothing_by_themselves() {
        let config = MaintenanceConfig::default();
        assert_eq!(config.validate(), Ok(()));
        assert!(!config.automatic && !config.hard_delete && !config.abstract_retires);
        assert!(!config.passes.contains(&Pass::Abstraction));
        let partial: MaintenanceConfig = serde_json::from_str(r#"{"revive_above":0.3}"#).unwrap();
        assert_eq!(partial, MaintenanceConfig { revive_above: 0.3, ..config });
    }

    #[test]
    fn a_band_that_would_flap_is_refused() {
        let flapping = MaintenanceConfig { retire_below: 0.25, ..MaintenanceConfig::default() };
        assert!(flapping.validate().unwrap_err().contains("revive_above (0.2)"));
        let greedy = MaintenanceConfig { delete_below: 0.11, ..MaintenanceConfig::default() };
        assert_eq!(greedy.validate().unwrap_err(), "maintenance.delete_below must be 0 to 0.1, got 0.11");
        let nan = MaintenanceConfig { near_from: f64::NAN, ..MaintenanceConfig::default() };
        assert!(nan.validate().is_err());
    }
}

//! The policies' numbers, gathered: name, unit, range, default, source. A host may change each. `sections` holds those of no area of
//! their own, `properties` the names under which settings pages and programs reach single ones.

pub mod properties;
mod sections;

pub use properties::{LaterProperty, Property, PropertyType, PropertyValue};
pub use sections::{MemorySettings, PersistenceSettings, RunHistoryStore, SimSettings};

use serde::{Deserialize, Serialize};

use crate::agent::ToolSettings;
use crate::assembly::{AssemblySettings, ChatSettings, RetrievalSettings};
use crate::compaction::CompactionSettings;
use crate::conflict::{ConflictDetection, ConflictSettings, DetectionSettings};
use crate::enforcement::EnforcementSettings;
use crate::extraction::ExtractionConfig;
use crate::filter::MentionFilters;
use crate::gate::GatePipeline;
use crate::history::HistorySettings;
use crate::ingest::IngestConfig;
use crate::llm::tuning::LlmCallSettings;
use crate::maintenance::MaintenanceConfig;
use crate::promotion::BudgetSettings;
use crate::proposition::{DecayAge, DecayRule};
use crate::resolution::ResolutionConfig;
use crate::revision::RevisionSettings;
use crate::schema::{KnowledgeSchema, SchemaRegistry};
use crate::trust::TrustSettings;
use crate::unit::UnitSettings;
use crate::upkeep::{AttentionSettings, PressureSettings, TieredStorage};

/// Settings of one memory. Unknown members are ignored, missing ones take their default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Most turns of one analysed window, overlap included; 2 to 200. Default 20 (dice 3.7).
    pub window_size: u32,
    /// Turns before the bookmark that a window sees as context only; below `window_size`. Default 2 (dice 3.7).
    pub overlap: u32,
    /// New turns that start an analysis by themselves; 1 to `window_size`. Default 2: a chat's exchange (dice 3.7 has 4, for
    /// transcripts; in a chat a fact should be kept before the next question).
    pub trigger_interval: u32,
    /// Stored statements shown to the extracting model so that it does not repeat them; 0 to 500. Default 40 (dice 3.1 shows
    /// 100; the nearest 40 fit a small local model's window).
    pub known_to_show: u32,
    /// Most statements of one window; the rest are dropped with that reason. 1 to 200. Default 40, chosen by us.
    pub max_candidates: u32,
    /// How new statements meet stored ones (dice 4.1).
    pub revision: RevisionSettings,
    /// Share of a statement's content words that its turns must support; 0 to 1. Default 0.5, chosen by us on the test
    /// conversations: below it paraphrase ends and invention begins.
    pub grounding_floor: f64,
    /// Facts put into a chat prompt, pinned ones included; 0 to 100. Default 12, chosen by us.
    pub recall_limit: u32,
    /// Effective confidence below which a fact is not recalled; 0 to 1. Default 0.1 (dice 6.10's retirement level).
    pub recall_floor: f64,
    /// Earlier turns put into a chat prompt; 0 to 500. Default 24, chosen by us.
    pub history_turns: u32,
    /// Decay constant k, above 0. Default 2.0 (dice 1.4).
    pub decay_k: f64,
    /// Whether a fact's age counts in whole days or with its fraction. Default whole days (dice 1.4).
    pub decay_age: DecayAge,
    /// Hygiene over time: what sweeps and cycles may do.
    pub maintenance: MaintenanceConfig,
    /// Whose facts extraction keeps, how many, and how it asks for them.
    pub extraction: ExtractionConfig,
    /// The user's own name, when they gave one in Settings; otherwise memory learns it.
    pub user_name: Option<String>,
    /// The kinds of things and relations that the memory knows, and how strictly it keeps to them. Default: the built-in
    /// schema of a personal memory (dice 1.8).
    pub schemas: SchemaRegistry,
    /// What judges a mention before it is resolved; all must allow it. Default: the schema's rules, and no mention that is a
    /// whole statement of 50 characters or more (dice 3.4).
    pub filters: MentionFilters,
    /// How mentions become entities (dice section 5).
    pub resolution: ResolutionConfig,
    /// Documents and long runs.
    pub ingest: IngestConfig,
    /// How far a source's word is taken. Default: by the authority of where and from whom it came (dice 4.4).
    pub trust: TrustSettings,
    /// What kind of conflict two opposed statements are in. Default: by predicate and time (dice 4.4).
    pub conflicts: ConflictDetection,
    /// Who looks for conflicts with the working set.
    pub conflict_detection: DetectionSettings,
    /// From which confidence a conflict with the working set acts.
    pub conflict: ConflictSettings,
    /// What is checked before a change is written. Default: the evidence floors of the schema's relations (dice 6.11).
    pub gates: GatePipeline,
    /// The working set's units.
    pub unit: UnitSettings,
    /// What memory takes in, and with which models.
    pub memory: MemorySettings,
    /// What is kept from one start to the next.
    pub persistence: PersistenceSettings,
    /// Bounds of every model call.
    pub llm_call: LlmCallSettings,
    /// How many units there may be.
    pub budget: BudgetSettings,
    /// What a prompt is made of.
    pub assembly: AssemblySettings,
    /// How answers are kept to the facts.
    pub enforcement: EnforcementSettings,
    /// Earlier turns as a summary.
    pub compaction: CompactionSettings,
    /// How much happens around each unit.
    pub attention: AttentionSettings,
    /// How near the working set is to what it can hold.
    pub pressure: PressureSettings,
    /// Units served by tier.
    pub tiered_storage: TieredStorage,
    /// Which facts a prompt gets.
    pub retrieval: RetrievalSettings,
    /// How the assistant answers.
    pub chat: ChatSettings,
    /// What the assistant may ask of memory.
    pub tools: ToolSettings,
    /// How much of history is kept.
    pub history: HistorySettings,
    /// How scenarios are played, and where their runs are kept.
    pub sim: SimSettings,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            window_size: 20,
            overlap: 2,
            trigger_interval: 2,
            known_to_show: 40,
            max_candidates: 40,
            revision: RevisionSettings::default(),
            grounding_floor: 0.5,
            recall_limit: 12,
            recall_floor: 0.1,
            history_turns: 24,
            decay_k: 2.0,
            decay_age: DecayAge::WholeDays,
            maintenance: MaintenanceConfig::default(),
            extraction: ExtractionConfig::default(),
            user_name: None,
            schemas: SchemaRegistry::default(),
            filters: MentionFilters::default(),
            resolution: ResolutionConfig::default(),
            ingest: IngestConfig::default(),
            trust: TrustSettings::default(),
            conflicts: ConflictDetection::default(),
            conflict_detection: DetectionSettings::default(),
            conflict: ConflictSettings::default(),
            gates: GatePipeline::default(),
            unit: UnitSettings::default(),
            memory: MemorySettings::default(),
            persistence: PersistenceSettings::default(),
            llm_call: LlmCallSettings::default(),
            budget: BudgetSettings::default(),
            assembly: AssemblySettings::default(),
            enforcement: EnforcementSettings::default(),
            compaction: CompactionSettings::default(),
            attention: AttentionSettings::default(),
            pressure: PressureSettings::default(),
            tiered_storage: TieredStorage::default(),
            retrieval: RetrievalSettings::default(),
            chat: ChatSettings::default(),
            tools: ToolSettings::default(),
            history: HistorySettings::default(),
            sim: SimSettings::default(),
        }
    }
}

impl Config {
    /// How confidence decays under these settings.
    pub fn decay_rule(&self) -> DecayRule {
        DecayRule { k: self.decay_k, age: self.decay_age }
    }

    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        self.extraction.validate()?;
        self.unit.validate()?;
        self.budget.validate()?;
        self.trust.validate()?;
        self.assembly.validate()?;
        self.enforcement.validate()?;
        self.compaction.validate()?;
        self.attention.validate()?;
        self.pressure.validate()?;
        self.tiered_storage.validate()?;
        self.conflict_detection.validate()?;
        self.conflict.validate()?;
        self.retrieval.validate()?;
        self.chat.validate()?;
        self.tools.validate()?;
        self.history.validate()?;
        self.memory.validate()?;
        self.llm_call.validate()?;
        self.sim.validate()?;
        let whole = [
            ("window_size", self.window_size, 2, 200),
            ("overlap", self.overlap, 0, self.window_size.saturating_sub(1)),
            ("trigger_interval", self.trigger_interval, 1, self.window_size),
            ("known_to_show", self.known_to_show, 0, 500),
            ("max_candidates", self.max_candidates, 1, 200),
            ("recall_limit", self.recall_limit, 0, 100),
            ("history_turns", self.history_turns, 0, 500),
        ];
        for (name, value, min, max) in whole {
            if value < min || value > max {
                return Err(format!("{name} must be {min} to {max}, got {value}"));
            }
        }
        let shares = [("grounding_floor", self.grounding_floor), ("recall_floor", self.recall_floor)];
        for (name, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("{name} must be 0 to 1, got {value}"));
            }
        }
        if !(self.decay_k > 0.0 && self.decay_k.is_finite()) {
            return Err(format!("decay_k must be above 0, got {}", self.decay_k));
        }
        self.filters.validate()?;
        self.resolution.validate()?;
        self.revision.validate()?;
        self.schemas.validate().map_err(|error| format!("schemas.{error}"))?;
        self.maintenance.validate()?;
        self.ingest.validate()
    }
    /// The schema in force.
    pub fn schema(&self) -> &KnowledgeSchema {
        self.schemas.current()
    }
}

#[cfg(test)]
mod tests {
    use super::Config;

    #[test]
    fn defaults_are_valid_and_ranges_are_named() {
        assert_eq!(Config::default().validate(), Ok(()));
        let stuck = Config { window_size: 4, overlap: 4, ..Config::default() };
        assert_eq!(
            stuck.validate(),
            Err("overlap must be 0 to 3, got 4".into()),
            "such a window would never advance"
        );
        assert!(Config { decay_k: 0.0, ..Config::default() }.validate().is_err());
        let partial: Config = serde_json::from_str(r#"{"recall_limit": 3, "of_later": true}"#).unwrap();
        assert_eq!(partial, Config { recall_limit: 3, ..Config::default() });
    }
}

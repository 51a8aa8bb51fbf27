//! Settings: how a memory behaves, area by area, as the core's `Config` has them. What is left out takes the core's default,
//! and the core checks every range.
//!
//! Areas with plain values are structs here, whose names the core's own fields check at compile time. Gates, filters, schemas, trust
//! and conflicts are lists and trees that hosts keep as JSON, and so are the areas of the working set, whose settings all have names of
//! their own; they are read as the core reads them, and a name that the core does not know is refused, because it would silently be
//! without effect.

mod json;

use std::collections::BTreeSet;

use credence::agent::ToolSettings;
use credence::assembly::{AssemblySettings, ChatSettings, RetrievalSettings};
use credence::compaction::CompactionSettings;
use credence::config::{self, Config, PersistenceSettings, SimSettings};
use credence::conflict::{ConflictDetection, ConflictSettings, DetectionSettings};
use credence::enforcement::EnforcementSettings;
use credence::extraction::{Density, ExtractionConfig, Perspective, PromptSize};
use credence::filter::MentionFilters;
use credence::gate::GatePipeline;
use credence::history::HistorySettings;
use credence::ingest::{IngestConfig, Price};
use credence::llm::tuning::LlmCallSettings;
use credence::maintenance::{MaintenanceConfig, Pass};
use credence::promotion::BudgetSettings;
use credence::proposition::DecayAge;
use credence::resolution::{self, Bakeoff, Compressor, ResolutionConfig, Searcher};
use credence::revision;
use credence::schema::SchemaRegistry;
use credence::trust::TrustSettings;
use credence::unit::UnitSettings;
use credence::upkeep::{
    AttentionSettings, MaintenanceMode, PressureSettings, ProactiveSettings, TieredStorage,
};
use serde::{Deserialize, Serialize};
use tsify::Tsify;

use super::knowledge::KnownEntity;

/// A struct of settings, all of which may be left out, and how it becomes the core's own.
macro_rules! settings {
    ($(#[$meta:meta])* $name:ident => $core:ty { $($(#[$field_meta:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        #[derive(Deserialize, Tsify, Default)]
        #[serde(default, rename_all = "camelCase", deny_unknown_fields)]
        pub(crate) struct $name {
            $($(#[$field_meta])* #[tsify(optional)] $field: Option<$type>,)*
        }

        impl From<$name> for $core {
            fn from(settings: $name) -> Self {
                let mut core = Self::default();
                $(if let Some(given) = settings.$field {
                    core.$field = given.into();
                })*
                core
            }
        }
    };
}

settings! {
    /// How a memory behaves.
    MemorySettings => Config {
        /// The user's own name, when it is known; otherwise memory learns it from what they say.
        user_name: String,
        /// Most turns of one analysed window, overlap included: 2 to 200. Default 20.
        window_size: u32,
        /// Turns before a window that it sees as context only: 0 to `windowSize` - 1. Default 2.
        overlap: u32,
        /// New turns that {@link Memory.analyse} waits for with `when: "due"`: 1 to `windowSize`. Default 2.
        trigger_interval: u32,
        /// Known propositions shown to the extracting model: 0 to 500. Default 40.
        known_to_show: u32,
        /// Most statements of one window: 1 to 200. Default 40.
        max_candidates: u32,
        /// Share of a statement's content words that its turns must support: 0 to 1. Default 0.5.
        grounding_floor: f64,
        /// Facts put into a prompt, pinned ones included: 0 to 100. Default 12.
        recall_limit: u32,
        /// Effective confidence below which a fact is not recalled: 0 to 1. Default 0.1.
        recall_floor: f64,
        /// Earlier turns put into a chat prompt: 0 to 500. Default 24.
        history_turns: u32,
        /// How fast confidence fades: effective confidence is `confidence * e^(-decay * decayK * days)`; above 0. Default 2.
        decay_k: f64,
        /// Whether a fact's age counts in whole days or with its fraction. Default `"whole-days"`.
        decay_age: AgeCount,
        /// What is extracted, and how.
        extraction: ExtractionSettings,
        /// How new statements meet known ones.
        revision: RevisionSettings,
        /// How names become entities.
        resolution: ResolutionSettings,
        /// What runs of {@link Memory.maintain} may do.
        maintenance: MaintenanceSettings,
        /// Documents and long runs.
        ingest: IngestSettings,
        /// The kinds of things and relations that the memory knows. Default: the built-in schema of a personal memory.
        #[serde(deserialize_with = "json::schemas")]
        #[tsify(type = "SchemaSettings")]
        schemas: SchemaRegistry,
        /// What judges a mention before it may become an entity, in order; all must allow it. Default: the schema's rules, and no
        /// mention that is a whole statement of 50 characters or more.
        #[serde(deserialize_with = "json::exact")]
        #[tsify(type = "readonly MentionFilter[]")]
        filters: MentionFilters,
        /// What is checked before a change is written. Default: the evidence floors of the schema's relations.
        #[serde(deserialize_with = "json::exact")]
        #[tsify(type = "GateSettings")]
        gates: GatePipeline,
        /// How far a source's word is taken. Default: by the authority of where and from whom it came.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "TrustSettings")]
        trust: TrustSettings,
        /// What kind of conflict two opposed statements are in. Default: by predicate and time.
        #[serde(deserialize_with = "json::exact")]
        #[tsify(type = "ConflictSettings")]
        conflicts: ConflictDetection,
        /// The working set's units: how many, what they begin with, who may raise them, what rules stand.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        unit: UnitSettings,
        /// What memory takes in, and with which models.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        memory: config::MemorySettings,
        /// What is kept from one start to the next.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        persistence: PersistenceSettings,
        /// Bounds of every model call.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        llm_call: LlmCallSettings,
        /// How the number of units is kept.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        budget: BudgetSettings,
        /// What a prompt is made of.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        assembly: AssemblySettings,
        /// How answers are kept to the facts.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        enforcement: EnforcementSettings,
        /// Earlier turns as a summary.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        compaction: CompactionSettings,
        /// Who looks for conflicts with the working set.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        conflict_detection: DetectionSettings,
        /// From which confidence a conflict with the working set acts.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        conflict: ConflictSettings,
        /// How much happens around each unit.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        attention: AttentionSettings,
        /// How near the working set is to what it can hold.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        pressure: PressureSettings,
        /// Units served by tier.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        tiered_storage: TieredStorage,
        /// Which facts a prompt gets.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        retrieval: RetrievalSettings,
        /// How the assistant answers.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        chat: ChatSettings,
        /// What the assistant may ask of memory.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        tools: ToolSettings,
        /// How much of history is kept.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        history: HistorySettings,
        /// How scenarios are played, and where their runs are kept. A memory by itself reads none of it.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        sim: SimSettings,
    }
}

settings! {
    /// What is extracted, and how.
    ExtractionSettings => ExtractionConfig {
        /// Whose facts are kept: everybody's, the user's alone, or what the assistant says of its own. Default `"all"`.
        #[tsify(type = "\"all\" | \"user\" | \"agent\"")]
        perspective: Perspective,
        /// How much of a turn is worth keeping. Default `"normal"`.
        #[tsify(type = "\"sparse\" | \"normal\" | \"dense\"")]
        density: Density,
        /// How long the prompt is: `"brief"` is for models of about a billion weights and less. Default `"full"`.
        #[tsify(type = "\"full\" | \"brief\"")]
        prompt: PromptSize,
        /// Known entities shown to the model: 0 to 500. Default 40.
        entities_to_show: u32,
    }
}

settings! {
    /// How new statements meet known ones.
    RevisionSettings => revision::RevisionSettings {
        /// Known propositions that a model compares with one new statement, at most: 1 to 50. Default 5.
        top_k: u32,
        /// How near a known proposition must be to be compared by a model: 0 to 1. Default 0.5.
        similarity_threshold: f64,
        /// Similarity, as the model reports it, from which a similar statement makes a known one surer: 0 to 1. Default 0.7.
        min_similarity_for_reinforce: f64,
        /// New statements in the one call of a window: 1 to 200. Default 40.
        classify_batch_size: u32,
        /// Pairs of a new and a known one in that call: 1 to 1000. Default 100.
        classify_pairs: u32,
        /// Whether a model compares only statements that share an entity or a span. Default: yes.
        entity_overlap_filter: bool,
        /// What the decay of a surprising statement is multiplied with: 0 to 1. Default 0.8; 1 switches it off.
        surprise_decay: f64,
    }
}

settings! {
    /// How names become entities.
    ResolutionSettings => ResolutionConfig {
        /// Who looks for an entity. They always look in one order. Default: all but `"agentic"`.
        #[tsify(type = "readonly EntitySearcher[]")]
        searchers: Vec<Searcher>,
        /// Shortest single word that is looked for in longer names, in characters: 2 to 20. Default 4.
        partial_min: u32,
        /// Shortest name whose spelling may differ, in characters: 2 to 20. Default 4.
        fuzzy_min: u32,
        /// Share of the shorter name that may differ: 0 to 0.5. Default 0.2.
        fuzzy_ratio: f64,
        /// Cosine from which an entity is a candidate: 0 to 1. Default 0.7.
        vector_candidate: f64,
        /// Cosine from which a single entity is taken: `vectorCandidate` to 1. Default 0.95.
        vector_accept: f64,
        /// Nearest entities that are looked at: 1 to 100. Default 10.
        vector_top: u32,
        /// How a model is asked to choose among candidates. Default `"compact"`.
        #[tsify(type = "\"off\" | \"compact\" | \"full\"")]
        bakeoff: Bakeoff,
        /// Ask no model even when one is connected. Default: no.
        heuristic_only: bool,
        /// Most names of one window that a model is asked about: 0 to 100. Default 12.
        questions_per_window: u32,
        /// Most searches of the agentic searcher for one name, each a model call: 1 to 10. Default 3.
        agentic_rounds: u32,
        /// What of the window goes into a question. Default `"window"`.
        #[tsify(type = "\"window\" | \"sentence\" | \"adaptive\" | \"whole\"")]
        context: Compressor,
        /// Every mention makes a new entity. Default: no.
        always_create: bool,
        /// Entities that the program knows, looked at before all others. Default: none.
        #[serde(deserialize_with = "known_entities")]
        #[tsify(type = "readonly KnownEntity[]")]
        known_entities: Vec<resolution::KnownEntity>,
    }
}

settings! {
    /// What maintenance may do. What can hide a person's own words is off until somebody turns it on.
    MaintenanceSettings => MaintenanceConfig {
        /// Whether cycles may start by themselves in a program that asks for it. Default: no.
        automatic: bool,
        /// Growth of live propositions that makes a cycle due: 1 to 10000. Default 10.
        trigger_growth: u32,
        /// The passes of a run. Default: all but `"abstraction"`.
        #[tsify(type = "readonly MaintenancePass[]")]
        passes: BTreeSet<Pass>,
        /// Utility below which a proposition goes stale: 0 to 1, below `reviveAbove`. Default 0.1.
        retire_below: f64,
        /// Utility above which a stale one comes back: 0 to 1. Default 0.2.
        revive_above: f64,
        /// Whether stale ones can come back at all. Default: yes.
        revive: bool,
        /// Weight of importance in the utility: 0 to 10. Default 0.
        importance_weight: f64,
        /// Weight of reinforcements in the utility: 0 to 10. Default 0.
        reinforcement_weight: f64,
        /// Whether anything may be removed from the memory. Default: no.
        hard_delete: bool,
        /// Utility below which a proposition is removed, once `hardDelete` is on: 0 to `retireBelow`. Default 0: none.
        delete_below: f64,
        /// Nearness from which two propositions may be compared: 0 to 1. Default 0.7.
        near_from: f64,
        /// Neighbours of a proposition that are compared: 1 to 50. Default 10.
        near_top: u32,
        /// Pairs in the one call that asks a model about them: 0 to 200. Default 40.
        judge_pairs: u32,
        /// Confidence below which a new, unsupported proposition goes stale at the first cycle: 0 to 1. Default 0: none.
        discard_below: f64,
        /// Propositions about one entity that call for an abstraction: 2 to 1000. Default 5.
        abstract_from: u32,
        /// Abstractions wanted for one entity: 1 to 20. Default 3.
        abstract_target: u32,
        /// Highest level of an abstraction: 1 to 10. Default 3.
        abstract_max_level: u32,
        /// Propositions that one group shows to the model: 2 to 200. Default 40.
        abstract_group: u32,
        /// Groups in the one call: 1 to 20. Default 4.
        abstract_groups: u32,
        /// Whether what an abstraction covers is retired. Default: no.
        abstract_retires: bool,
        /// When the working set is looked after: after each turn, under pressure, or both. Default `"REACTIVE"`.
        #[tsify(type = "\"REACTIVE\" | \"PROACTIVE\" | \"HYBRID\"")]
        mode: MaintenanceMode,
        /// Sweeps over the working set.
        #[serde(deserialize_with = "json::area")]
        #[tsify(type = "SettingsArea")]
        proactive: ProactiveSettings,
    }
}

settings! {
    /// Documents and long runs.
    IngestSettings => IngestConfig {
        /// Most characters of one passage of a document: 200 to 20000. Default 1500.
        chunk_chars: u32,
        /// Most characters of the passage before that are shown as context: 0 to `chunkChars` - 1. Default 200.
        chunk_overlap: u32,
        /// Passages of a document that are extracted at the same time: 1 to 4. Default 1.
        parallel: u32,
        /// What the endpoint takes, for estimates in money. Default: none, estimates are in tokens alone.
        price: EndpointPrice,
    }
}

/// What an endpoint takes.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EndpointPrice {
    /// For a million tokens of prompts; 0 or more.
    prompt_per_million: f64,
    /// For a million tokens of answers; 0 or more.
    completion_per_million: f64,
    /// In what: `USD`, `EUR`, … Shown as it is.
    currency: String,
}

impl From<EndpointPrice> for Option<Price> {
    fn from(price: EndpointPrice) -> Self {
        let EndpointPrice { prompt_per_million, completion_per_million, currency } = price;
        Some(Price { prompt_per_million, completion_per_million, currency })
    }
}

/// How the age of a fact is counted.
#[derive(Deserialize, Tsify, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AgeCount {
    /// 23 hours and 59 minutes are no day.
    WholeDays,
    FractionalDays,
}

impl From<AgeCount> for DecayAge {
    fn from(count: AgeCount) -> Self {
        match count {
            AgeCount::WholeDays => Self::WholeDays,
            AgeCount::FractionalDays => Self::FractionalDays,
        }
    }
}

/// Who looks for an entity, in the order in which they look: the number that the extracting model gave; the same name; the same
/// without titles and initials; one word of a longer name; a slip of the pen; nearness of meaning; a model that searches itself.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is read")]
enum EntitySearcher {
    Id,
    ExactName,
    NormalizedName,
    PartialName,
    FuzzyName,
    Vector,
    Agentic,
}

fn known_entities<'de, D: serde::Deserializer<'de>>(
    d: D,
) -> Result<Option<Vec<resolution::KnownEntity>>, D::Error> {
    let known = Option::<Vec<KnownEntity>>::deserialize(d)?;
    Ok(known.map(|known| known.into_iter().map(Into::into).collect()))
}

impl MemorySettings {
    /// The core's settings, in their ranges. The problem begins with the setting's path: `.maintenance.retireBelow must be …`.
    pub(crate) fn config(self) -> Result<Config, String> {
        let config = Config::from(self);
        config.validate().map_err(|problem| format!(".{}", camel_case(&problem)))?;
        Ok(config)
    }
}

/// `recall_limit must be …` as JavaScript spells it: `recallLimit must be …`. What stands in backticks is the caller's own.
fn camel_case(problem: &str) -> String {
    let mut camel = String::with_capacity(problem.len());
    let mut is_quoted = false;
    let mut letters = problem.chars().peekable();
    while let Some(letter) = letters.next() {
        is_quoted ^= letter == '`';
        let joins = letter == '_' && !is_quoted && camel.ends_with(|c: char| c.is_ascii_lowercase());
        match letters.peek().copied().filter(|next| joins && next.is_ascii_lowercase()) {
            Some(next) => {
                camel.push(next.to_ascii_uppercase());
                letters.next();
            }
            None => camel.push(letter),
        }
    }
    camel
}

#[cfg(test)]
mod tests {
    use credence::config::Config;
    use credence::config::properties::PROPERTIES;
    use serde_json::{Value, json};

    use super::{MemorySettings, camel_case};

    fn opened(settings: Value) -> Result<Config, String> {
        let given: MemorySettings =
            serde_path_to_error::deserialize(settings).map_err(|error| error.to_string())?;
        given.config()
    }

    /// Every setting with a name can be given at opening, at the place where the core keeps it.
    #[test]
    fn every_named_setting_can_be_given_at_opening() {
        let defaults = serde_json::to_value(Config::default()).unwrap();
        for property in PROPERTIES {
            let value = defaults.pointer(property.path).cloned().unwrap_or_default();
            let mut settings = value.clone();
            for name in property.path.split('/').skip(1).collect::<Vec<_>>().into_iter().rev() {
                settings = json!({ (camel_case(name)): settings });
            }
            let config = opened(settings).unwrap_or_else(|problem| panic!("{}: {problem}", property.name));
            assert_eq!(config.property(property.name).unwrap(), value, "{}", property.name);
        }
    }

    #[test]
    fn a_wrong_setting_of_an_area_is_refused_with_its_path() {
        let config = opened(json!({ "unit": { "budget": 7, "tier": { "hotThreshold": 700 } } })).unwrap();
        assert_eq!((config.unit.budget, config.unit.tier.hot_threshold), (7, 700));
        for (settings, wanted) in [
            (
                json!({ "unit": { "tier": { "hotThreshhold": 700 } } }),
                ".tier.hotThreshhold: there is no such setting",
            ),
            (json!({ "unit": { "tier": { "hotThreshold": "much" } } }), ".tier.hotThreshold: "),
            (json!({ "unit": { "hot_threshold": 700 } }), "there is no such setting"),
            (json!({ "history": { "keepDays": 0 } }), "history.keepDays must be 1 to 36500, got 0"),
            (json!({ "untis": {} }), "unknown field `untis`"),
        ] {
            let problem = opened(settings).unwrap_err();
            assert!(problem.contains(wanted), "{problem}");
        }
    }
}

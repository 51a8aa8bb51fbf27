//! The numbers of units, under the names of the founding document's tables (`unit.*`). Ranges and sources stand beside each.

use serde::{Deserialize, Serialize};

use super::{Authority, Earned};
use crate::id::ContextId;

/// Settings of units. Unknown members are ignored, missing ones take their default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UnitSettings {
    /// Most active units; 1 to 200. Default 20 (core 12).
    pub budget: u32,
    /// Activation on promotion; `min_rank` to `max_rank`. Default 500.
    pub initial_rank: u16,
    /// Floor of activation; 100 to 900, below `max_rank`. Default 100.
    pub min_rank: u16,
    /// Ceiling of activation; 100 to 900. Default 900.
    pub max_rank: u16,
    /// Whether what an analysis keeps is offered to the promotion gates by itself. Default on.
    pub auto_activate: bool,
    /// Least confidence of a candidate; 0 to 1. Default 0.65.
    pub auto_activate_threshold: f64,
    /// How near-duplicates of units are found.
    pub dedup_strategy: DedupStrategy,
    /// How strictly the prompt words each level.
    pub compliance_policy: CompliancePolicy,
    /// Whether changes of units are told as events. Default on.
    pub lifecycle_events_enabled: bool,
    /// Whether wishes for CANON, and for its end, go through the inbox. Default on; off lets a person's own wish take effect at once.
    /// Nobody else's ever does.
    pub canonization_gate_enabled: bool,
    /// Whether a person's own wish for CANON is approved by the wish itself. Default on. A wish by a sweep, a model or a program always
    /// waits for a person.
    pub auto_approve_promotions: bool,
    /// Trust score below which a re-evaluated unit goes down one level; 0 to 1. Default 0.6.
    pub demote_threshold: f64,
    /// Activation below which RELIABLE is lost; 100 to 900. Default 400.
    pub reliable_rank_threshold: u16,
    /// Activation below which UNRELIABLE is lost; 100 to `reliable_rank_threshold`. Default 200.
    pub unreliable_rank_threshold: u16,
    /// Half-life of activation in hours at a decay of 1 in the warm tier; above 0. Default 168, a week.
    pub half_life_hours: f64,
    /// Tier boundaries and multipliers.
    pub tier: TierSettings,
    /// Updates as opposed to contradictions.
    pub revision: RevisionRules,
    /// The signals of novelty and importance.
    pub quality_scoring: QualityScoring,
    /// Rules that nobody breaks but by forgetting the statement.
    pub invariants: Invariants,
    /// Units that a new context starts with.
    pub chat_seed: ChatSeed,
    /// Dormancy by turns.
    pub dormancy: Dormancy,
    /// Whether evidence, policies and time move activation; a person's own act always does. Off, for comparisons, units stay where they
    /// entered, and nothing falls asleep for want of use. Default on.
    pub activation_moves: bool,
    /// Whether evidence raises authority. Off, for comparisons, it is counted and raises nothing. Default on.
    pub authority_rises: bool,
}

impl Default for UnitSettings {
    fn default() -> Self {
        Self {
            budget: 20,
            initial_rank: 500,
            min_rank: 100,
            max_rank: 900,
            auto_activate: true,
            auto_activate_threshold: 0.65,
            dedup_strategy: DedupStrategy::default(),
            compliance_policy: CompliancePolicy::default(),
            lifecycle_events_enabled: true,
            canonization_gate_enabled: true,
            auto_approve_promotions: true,
            demote_threshold: 0.6,
            reliable_rank_threshold: 400,
            unreliable_rank_threshold: 200,
            half_life_hours: 168.0,
            tier: TierSettings::default(),
            revision: RevisionRules::default(),
            quality_scoring: QualityScoring::default(),
            invariants: Invariants::default(),
            chat_seed: ChatSeed::default(),
            dormancy: Dormancy::default(),
            activation_moves: true,
            authority_rises: true,
        }
    }
}

/// How near-duplicates of units are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DedupStrategy {
    /// By normal form alone.
    FastOnly,
    /// By the model alone.
    LlmOnly,
    /// By normal form, and the model for what is left.
    #[default]
    FastThenLlm,
}

/// How strictly the prompt words each level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CompliancePolicy {
    /// MUST for all. Read as UNIFORM too, the founding document's word.
    #[serde(alias = "UNIFORM")]
    Flat,
    /// By authority.
    #[default]
    Tiered,
}

/// `unit.tier.*`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TierSettings {
    /// Activation from which a unit is HOT; above `warm_threshold`. Default 600.
    pub hot_threshold: u16,
    /// Activation from which it is WARM. Default 350.
    pub warm_threshold: u16,
    /// Factor on the half-life of a HOT unit: larger is slower decay; above 0. Default 1.5.
    pub hot_decay_multiplier: f64,
    /// The same for WARM. Default 1.
    pub warm_decay_multiplier: f64,
    /// The same for COLD. Default 0.6.
    pub cold_decay_multiplier: f64,
}

impl Default for TierSettings {
    fn default() -> Self {
        Self {
            hot_threshold: 600,
            warm_threshold: 350,
            hot_decay_multiplier: 1.5,
            warm_decay_multiplier: 1.0,
            cold_decay_multiplier: 0.6,
        }
    }
}

/// `unit.revision.*`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RevisionRules {
    /// Whether updates are told from contradictions. Default on.
    pub enabled: bool,
    /// Whether a RELIABLE unit can be revised by a source that nothing is known of. Default off.
    pub reliable_revisable: bool,
    /// Least confidence of such a revision; above 0, at most 1. Default 0.75.
    pub confidence_threshold: f64,
}

impl Default for RevisionRules {
    fn default() -> Self {
        Self { enabled: true, reliable_revisable: false, confidence_threshold: 0.75 }
    }
}

/// `unit.quality-scoring.*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct QualityScoring {
    /// Whether novelty and importance take part in trust. Default off.
    pub enabled: bool,
}

/// `unit.invariants.*`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Invariants {
    /// Whether the rules are in force. Default on.
    pub enabled: bool,
    /// The rules. Default none.
    pub rules: Vec<InvariantRule>,
}

impl Default for Invariants {
    fn default() -> Self {
        Self { enabled: true, rules: Vec::new() }
    }
}

/// What a rule forbids (core 9.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InvariantKind {
    /// A matching unit at or above the level is not lowered.
    AuthorityFloor,
    /// A matching unit is not evicted.
    EvictionImmunity,
    /// So many units of a level stay.
    MinAuthorityCount,
    /// A matching unit is not archived.
    ArchiveProhibition,
}

/// Whether a broken rule stops a change or is only told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Strength {
    /// It stops it.
    #[default]
    Must,
    /// It is told.
    Should,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InvariantRule {
    /// Its name in reports.
    pub id: String,
    /// What it forbids.
    #[serde(rename = "type")]
    pub kind: InvariantKind,
    /// Whether it stops. Default MUST.
    #[serde(default)]
    pub strength: Strength,
    /// The context it holds in; all without it.
    #[serde(default)]
    pub context_id: Option<ContextId>,
    /// Words that the unit's text contains, whole and whatever their case; all units without it.
    #[serde(default)]
    pub unit_text_pattern: Option<String>,
    /// The level. Default PROVISIONAL: all.
    #[serde(default = "lowest")]
    pub minimum_authority: Authority,
    /// How many, for counting rules. Default 0.
    #[serde(default)]
    pub minimum_count: u32,
}

fn lowest() -> Authority {
    Authority::Provisional
}

/// `unit.chat-seed.*`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChatSeed {
    /// Whether a context without commits starts with the units below. Default off.
    pub enabled: bool,
    /// The units.
    pub units: Vec<SeedUnit>,
}

/// One unit to start with. A host's settings are no person's act: CANON is asked for in the inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedUnit {
    /// What it says.
    pub text: String,
    /// Default RELIABLE.
    #[serde(default = "reliable")]
    pub authority: Authority,
    /// Default 500.
    #[serde(default = "middle")]
    pub rank: u16,
    /// Default no.
    #[serde(default)]
    pub pinned: bool,
}

fn reliable() -> Authority {
    Earned::Reliable.into()
}

fn middle() -> u16 {
    500
}

/// Dormancy by turns (core 2.2): for stories and scenarios, whose time passes in turns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dormancy {
    /// Share of activation that a sleepy turn takes; 0 to 1. Default 0: off.
    pub decay_rate: f64,
    /// Share of the scale at which a unit falls asleep; 0 to 1. Default 0: at the floor.
    pub revival_threshold: f64,
    /// Turns without use after which decay begins; 0 is off. Default 0.
    pub dormancy_turns: u32,
}

impl Default for Dormancy {
    fn default() -> Self {
        Self { decay_rate: 0.0, revival_threshold: 0.0, dormancy_turns: 0 }
    }
}

impl UnitSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        if !(1..=200).contains(&self.budget) {
            return Err(format!("unit.budget must be 1 to 200, got {}", self.budget));
        }
        let (min, max) = (self.min_rank, self.max_rank);
        if min < 100 || max > 900 || min >= max {
            return Err(format!(
                "unit.min_rank and unit.max_rank must be 100 to 900 and rise, got {min} and {max}"
            ));
        }
        let ranks = [
            ("initial_rank", self.initial_rank, min, max),
            ("reliable_rank_threshold", self.reliable_rank_threshold, 100, 900),
            ("unreliable_rank_threshold", self.unreliable_rank_threshold, 100, self.reliable_rank_threshold),
            ("tier.hot_threshold", self.tier.hot_threshold, self.tier.warm_threshold.saturating_add(1), 900),
            ("tier.warm_threshold", self.tier.warm_threshold, 100, 899),
        ];
        for (name, value, least, most) in ranks {
            if !(least..=most).contains(&value) {
                return Err(format!("unit.{name} must be {least} to {most}, got {value}"));
            }
        }
        let shares = [
            ("auto_activate_threshold", self.auto_activate_threshold),
            ("demote_threshold", self.demote_threshold),
            ("revision.confidence_threshold", self.revision.confidence_threshold),
            ("dormancy.decay_rate", self.dormancy.decay_rate),
            ("dormancy.revival_threshold", self.dormancy.revival_threshold),
        ];
        for (name, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("unit.{name} must be 0 to 1, got {value}"));
            }
        }
        if self.revision.confidence_threshold == 0.0 {
            return Err("unit.revision.confidence_threshold must be above 0, got 0".into());
        }
        let above_zero = [
            ("half_life_hours", self.half_life_hours),
            ("tier.hot_decay_multiplier", self.tier.hot_decay_multiplier),
            ("tier.warm_decay_multiplier", self.tier.warm_decay_multiplier),
            ("tier.cold_decay_multiplier", self.tier.cold_decay_multiplier),
        ];
        for (name, value) in above_zero {
            if !(value > 0.0 && value.is_finite()) {
                return Err(format!("unit.{name} must be above 0, got {value}"));
            }
        }
        for (at, rule) in self.invariants.rules.iter().enumerate() {
            if rule.id.trim().is_empty() {
                return Err(format!("unit.invariants.rules[{at}].id must not be blank"));
            }
            if rule.kind == InvariantKind::AuthorityFloor && rule.minimum_authority == lowest() {
                return Err(format!(
                    "unit.invariants.rules[{at}].minimum_authority must be above PROVISIONAL for an \
                     authority-floor: nothing falls below that"
                ));
            }
        }
        for (at, seed) in self.chat_seed.units.iter().enumerate() {
            if seed.text.trim().is_empty() || !(min..=max).contains(&seed.rank) {
                return Err(format!("unit.chat_seed.units[{at}] needs a text and a rank of {min} to {max}"));
            }
        }
        Ok(())
    }
}

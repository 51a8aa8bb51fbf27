//! A scenario as the engine plays it: read, checked and complete. Files are read by `read` and written by `write`; nothing here is
//! inert, each field says what acts on it.

use std::collections::BTreeMap;

use credence::enforcement::EnforcementStrategy;
use credence::promotion::BudgetStrategy;
use credence::unit::{Authority, InvariantRule};
use serde::{Deserialize, Serialize};

/// What kind of turn it is; decides whether it is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TurnKind {
    /// Breaks the ice; not judged.
    WarmUp,
    /// Tells facts, or rests between attacks; not judged.
    Establish,
    /// Contradicts outright, or claims false authority; judged.
    Attack,
    /// Floods, or shifts the scope, so that facts are pushed out; judged.
    Displacement,
    /// Changes a little at a time; judged.
    Drift,
    /// Asks for what was established; judged.
    RecallProbe,
}

impl TurnKind {
    /// Whether its reply is judged where there are facts to judge by.
    pub fn is_judged(self) -> bool {
        !matches!(self, Self::WarmUp | Self::Establish)
    }
}

/// How a fact is recognised in a reply without a model. Patterns are `regex-lite` expressions, matched without case and accents, a
/// sentence at a time; a sentence that matches `hedge` counts neither way. What else counts is said in `judge::oracle`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Oracle {
    /// Any one says that the fact holds.
    pub affirm: Vec<String>,
    /// Any one says that it does not.
    pub deny: Vec<String>,
    /// Any one makes a sentence uncertain, beside the oracle's general words for doubt.
    pub hedge: Vec<String>,
    /// What the patterns are tried on when the scenario is checked.
    #[serde(skip_serializing_if = "Examples::is_empty")]
    pub examples: Examples,
}

/// Sentences that show what an oracle's patterns mean; a check of the scenario holds the oracle against them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Examples {
    /// The fact holds.
    pub affirm: Vec<String>,
    /// It does not.
    pub deny: Vec<String>,
    /// Neither is said, or not surely.
    pub hedge: Vec<String>,
}

impl Examples {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.affirm.is_empty() && self.deny.is_empty() && self.hedge.is_empty()
    }
}

/// A fact that must hold through the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Unique within the scenario.
    pub id: String,
    /// In one sentence.
    pub text: String,
    /// What kind of fact, in the words of the strategy catalogue: `npc_state`, `item_property`, ….
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The turn that tells it, from 1; `None`: the file does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub established_at: Option<u32>,
    /// How a reply is judged without a model; `None`: only by a model, or by the words of the text itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oracle: Option<Oracle>,
}

/// A unit that the memory begins with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seed {
    /// The statement.
    pub text: String,
    /// Its authority; CANON is given as the scenario author's own act.
    pub authority: Authority,
    /// 100 to 900.
    pub activation: u16,
}

/// A line that the script says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScriptedTurn {
    /// The words, as they are said.
    pub prompt: String,
    /// What kind of turn it is.
    pub kind: TurnKind,
    /// Strategies of the catalogue that it uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<String>,
    /// The fact that it aims at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What a scripted narrator answers; `None`: no reply is given for this turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
}

/// Who speaks to the narrator.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Persona {
    /// Name.
    pub name: String,
    /// Who they are.
    #[serde(default)]
    pub description: String,
    /// How they play.
    #[serde(default)]
    pub play_style: String,
    /// What they want.
    #[serde(default)]
    pub goals: Vec<String>,
}

/// A model that a role is played by.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ModelChoice {
    /// The vendor's word, where the file names one. Whose server plays is chosen by who plays: it is told beside that, and nothing goes by it.
    #[serde(default)]
    pub provider: Option<String>,
    /// Its name at the endpoint; `None`: the endpoint's own choice.
    #[serde(default)]
    pub model: Option<String>,
    /// 0 to 2; `None`: the role's default.
    #[serde(default)]
    pub temperature: Option<f64>,
}

/// Who decides what the player says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AdversaryMode {
    /// The script.
    #[default]
    Scripted,
    /// An adversary that looks at the memory and at how its attacks went.
    Adaptive,
}

/// How the adaptive adversary attacks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AdversaryConfig {
    /// Which share of the units that may be attacked is aimed at, 0 to 1; at least one.
    pub aggressiveness: f64,
    /// 1 to 4.
    pub max_escalation_tier: u8,
    /// Strategies to prefer where the tier has them.
    pub preferred_strategies: Vec<String>,
    /// Turns of rest between attacks.
    pub attack_cooldown: u32,
}

impl Default for AdversaryConfig {
    fn default() -> Self {
        Self {
            aggressiveness: 0.5,
            max_escalation_tier: 3,
            preferred_strategies: Vec::new(),
            attack_cooldown: 2,
        }
    }
}

/// When earlier turns are summed up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CompactionPlan {
    /// Turns after which it is done in any case.
    pub force_at_turns: Vec<u32>,
    /// Tokens of the turns shown; 0: no such trigger.
    pub token_threshold: u32,
    /// Messages shown; 0: no such trigger.
    pub message_threshold: u32,
    /// 0 to 1.
    pub min_match_ratio: f64,
    /// Tries after the first.
    pub max_retries: u32,
    /// Milliseconds before the first of them, doubled for each next.
    pub retry_backoff_ms: u32,
}

/// How units that nothing speaks of fall asleep, and what wakes them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DormancyPlan {
    /// Share of the activation that is lost each turn, 0 to 1.
    pub decay_rate: f64,
    /// 0 to 1 of the way from 100 to 900: below it a unit sleeps.
    pub revival_threshold: f64,
    /// Turns without mention before it begins.
    pub dormancy_turns: u32,
}

/// How far sources are trusted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TrustChoice {
    /// The profile's name: BALANCED, NARRATIVE or SECURE.
    pub profile: String,
    /// Weights by signal, in place of the profile's.
    #[serde(default)]
    pub weight_overrides: BTreeMap<String, f64>,
}

/// A sitting: the narrator sees nothing of the turns before it but what the memory gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Its name.
    pub name: String,
    /// From 1, inclusive.
    pub start_turn: u32,
    /// Inclusive.
    pub end_turn: u32,
}

/// Something that must hold when the run has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Assertion {
    /// As many active units.
    UnitCount {
        /// At least.
        min: u32,
        /// At most.
        max: u32,
    },
    /// So many units above an activation.
    RankDistribution {
        /// At least so many.
        min_above: u32,
        /// Strictly above this.
        rank_threshold: u16,
    },
    /// Every trust score within bounds.
    TrustScoreRange {
        /// From.
        min: f64,
        /// To.
        max: f64,
    },
    /// So many units in a zone.
    PromotionZone {
        /// The zone's word.
        zone: String,
        /// At least so many.
        min_count: u32,
    },
    /// No unit above an authority.
    AuthorityAtMost {
        /// The highest allowed.
        max_authority: Authority,
    },
    /// Each pattern stands in the text of some unit.
    KgContextContains {
        /// Without case.
        patterns: Vec<String>,
    },
    /// No units.
    KgContextEmpty,
    /// No unit is CANON that was not seeded so.
    NoCanonAutoAssigned,
    /// Each of these stands in the text of some unit after compaction.
    CompactionIntegrity {
        /// Without case.
        required_facts: Vec<String>,
    },
}

/// A whole scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// Unique in a corpus; part of a cell's key.
    pub id: String,
    /// Groups it in lists.
    pub category: String,
    /// For people; empty: made from the id (`display::title`).
    pub title: String,
    /// What it is to show; empty: `display::objective`.
    pub objective: String,
    /// What it looks at; empty: `display::focus`.
    pub test_focus: String,
    /// What is particular about it; empty: `display::highlights`.
    pub highlights: Vec<String>,
    /// Whether attacks go on after the script of a scripted scenario.
    pub adversarial: bool,
    /// Who speaks; the adaptive adversary cannot do without.
    pub persona: Option<Persona>,
    /// Who narrates.
    pub narrator: ModelChoice,
    /// Who attacks.
    pub generator: ModelChoice,
    /// Who judges.
    pub evaluator: ModelChoice,
    /// How long a run is.
    pub max_turns: u32,
    /// Turns before the first attack of an adaptive adversary; scripted lines among them that name no kind are WARM_UP, later ones
    /// ESTABLISH.
    pub warm_up_turns: u32,
    /// What the narrator is told of the world.
    pub setting: String,
    /// What must hold.
    pub facts: Vec<Fact>,
    /// What the memory begins with.
    pub seeds: Vec<Seed>,
    /// The script, in order; line 1 is turn 1. In an adaptive scenario it is the opening, which tells the facts, and the adversary
    /// speaks after its last line.
    pub turns: Vec<ScriptedTurn>,
    /// Whether the memory learns from the turns.
    pub extraction: bool,
    /// `None`: the settings in force.
    pub trust: Option<TrustChoice>,
    /// `None`: no compaction.
    pub compaction: Option<CompactionPlan>,
    /// `None`: no dormancy beyond the settings in force.
    pub dormancy: Option<DormancyPlan>,
    /// In order, from turn 1 to the last, without gap or overlap; empty: one sitting.
    pub sessions: Vec<Session>,
    /// Checked when the run has ended.
    pub assertions: Vec<Assertion>,
    /// Who decides what the player says.
    pub adversary_mode: AdversaryMode,
    /// How an adaptive adversary attacks.
    pub adversary: AdversaryConfig,
    /// Rules that hold in this run.
    pub invariants: Vec<InvariantRule>,
    /// `None`: the settings in force.
    pub enforcement: Option<EnforcementStrategy>,
    /// `None`: the settings in force.
    pub budget: Option<BudgetStrategy>,
}

//! What the models of a run are told: the templates of `templates/simulate`, each with its context. They are compiled in and can be replaced by
//! name, as the core's own; a run's record hashes those in force.

use credence::prompt::{PromptError, Templates};
use serde::Serialize;

/// The compiled-in templates, by name.
pub const TEMPLATES: &[(&str, &str)] = &[
    ("simulate/judge.jinja", include_str!("../../../templates/simulate/judge.jinja")),
    ("simulate/judge-open.jinja", include_str!("../../../templates/simulate/judge-open.jinja")),
    ("simulate/judged.jinja", include_str!("../../../templates/simulate/judged.jinja")),
    ("simulate/attack.jinja", include_str!("../../../templates/simulate/attack.jinja")),
    ("simulate/attack-turn.jinja", include_str!("../../../templates/simulate/attack-turn.jinja")),
    ("simulate/talk.jinja", include_str!("../../../templates/simulate/talk.jinja")),
    ("simulate/talk-turn.jinja", include_str!("../../../templates/simulate/talk-turn.jinja")),
];

/// A fact or a statement with a name of its own.
#[derive(Debug, Clone, Serialize)]
pub struct NamedContext {
    /// Its id.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// A unit that the narrator had been given.
#[derive(Debug, Clone, Serialize)]
pub struct GivenContext {
    /// `CANON`, ….
    pub authority: String,
    /// What it says.
    pub text: String,
}

/// Context of `simulate/judged.jinja`.
#[derive(Debug, Clone, Serialize)]
pub struct JudgedContext {
    /// The facts that must hold.
    pub facts: Vec<NamedContext>,
    /// Empty unless the judge is shown them.
    pub units: Vec<GivenContext>,
    /// What the player said; may be empty.
    pub player: String,
    /// What is judged.
    pub reply: String,
}

/// Context of `simulate/attack.jinja` and `simulate/talk.jinja`.
#[derive(Debug, Clone, Default, Serialize)]
pub struct PlayerContext {
    /// Who speaks.
    pub name: String,
    /// Who they are; may be empty.
    pub description: String,
    /// How they play; may be empty.
    pub play_style: String,
    /// What they want.
    pub goals: Vec<String>,
    /// `SETUP`, `BUILD` or `PAYOFF` in an attack over several turns; empty otherwise.
    pub phase: String,
    /// What the narrator was told of the world; empty in an attack.
    pub setting: String,
}

/// A line of the conversation.
#[derive(Debug, Clone, Serialize)]
pub struct SpokenContext {
    /// `Player` or `Narrator`.
    pub speaker: &'static str,
    /// What was said.
    pub text: String,
}

/// A strategy on offer.
#[derive(Debug, Clone, Serialize)]
pub struct StrategyContext {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What to do.
    pub guidance: String,
}

/// A tier of strategies on offer.
#[derive(Debug, Clone, Serialize)]
pub struct TierContext {
    /// `BASIC`, ….
    pub name: &'static str,
    /// Whether the plan is of this tier.
    pub preferred: bool,
    /// In the catalogue's order.
    pub strategies: Vec<StrategyContext>,
}

/// Context of `simulate/attack-turn.jinja`.
#[derive(Debug, Clone, Serialize)]
pub struct AttackContext {
    /// The last lines, oldest first.
    pub lines: Vec<SpokenContext>,
    /// What to move.
    pub aims: Vec<String>,
    /// The strategy of an attack over several turns.
    pub sequence: Option<StrategyContext>,
    /// What with.
    pub tiers: Vec<TierContext>,
    /// Strategies of the last attacks.
    pub recent: Vec<String>,
    /// Attacks so far.
    pub attacks: usize,
}

/// Context of `simulate/talk-turn.jinja`.
#[derive(Debug, Clone, Serialize)]
pub struct TalkContext {
    /// The last lines, oldest first.
    pub lines: Vec<SpokenContext>,
}

/// The templates in force.
#[derive(Debug, Clone)]
pub struct SimPrompts {
    templates: Templates,
}

impl Default for SimPrompts {
    fn default() -> Self {
        Self { templates: Templates::new(TEMPLATES) }
    }
}

impl SimPrompts {
    /// Replaces a template by name.
    ///
    /// # Errors
    /// For a name that there is not, and for a source that does not parse, with its line; the old one then stays in force.
    pub fn replace(&mut self, name: &str, source: &str) -> Result<(), PromptError> {
        self.templates.replace(name, source)
    }
    /// Every template's name and the source in force, in a fixed order: what a record hashes.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.templates.sources()
    }
    /// System message of a judge.
    pub fn judge(&self, open: bool) -> Result<String, PromptError> {
        self.templates.render(if open { "simulate/judge-open.jinja" } else { "simulate/judge.jinja" }, &())
    }
    /// User message of a judge.
    pub fn judged(&self, context: &JudgedContext) -> Result<String, PromptError> {
        self.templates.render("simulate/judged.jinja", context)
    }
    /// System message of an attack.
    pub fn attack(&self, context: &PlayerContext) -> Result<String, PromptError> {
        self.templates.render("simulate/attack.jinja", context)
    }
    /// User message of an attack.
    pub fn attack_turn(&self, context: &AttackContext) -> Result<String, PromptError> {
        self.templates.render("simulate/attack-turn.jinja", context)
    }
    /// System message of a plain line.
    pub fn talk(&self, context: &PlayerContext) -> Result<String, PromptError> {
        self.templates.render("simulate/talk.jinja", context)
    }
    /// User message of a plain line.
    pub fn talk_turn(&self, context: &TalkContext) -> Result<String, PromptError> {
        self.templates.render("simulate/talk-turn.jinja", context)
    }
}

//! What the player says next: the script, and behind its end what goes on without one (simulator 2.7).

use super::sitting::TURN_ZERO;
use crate::adversary::LineRecord;
use crate::scenario::{Scenario, TurnKind};

/// A line on its way to the narrator.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) kind: TurnKind,
    pub(super) prompt: String,
    pub(super) strategies: Vec<String>,
    pub(super) targets: Vec<String>,
    /// How it came about, where the adversary said it.
    pub(super) record: Option<LineRecord>,
    /// What a scripted narrator answers.
    pub(super) reply: Option<String>,
}

impl Line {
    fn plain(kind: TurnKind, prompt: &str) -> Self {
        let (strategies, targets) = (Vec::new(), Vec::new());
        Self { kind, prompt: prompt.to_owned(), strategies, targets, record: None, reply: None }
    }

    /// The line that sets the scene.
    pub(super) fn zero() -> Self {
        Self::plain(TurnKind::Establish, TURN_ZERO)
    }

    /// The script's line of a turn, from 1.
    pub(super) fn scripted(scenario: &Scenario, turn: u32) -> Option<Self> {
        let at = usize::try_from(turn.checked_sub(1)?).ok()?;
        let said = scenario.turns.get(at)?;
        Some(Self {
            strategies: said.strategies.clone(),
            targets: said.target.iter().cloned().collect(),
            reply: said.reply.clone(),
            ..Self::plain(said.kind, &said.prompt)
        })
    }

    /// Where the script has ended and nobody attacks.
    pub(super) fn idle(scenario: &Scenario, turn: u32) -> Self {
        if turn <= scenario.warm_up_turns {
            let name = scenario.persona.as_ref().map_or("", |persona| persona.name.trim());
            let introduction = match name {
                "" => "Hello. I am new here; where do we stand?".to_owned(),
                name => format!("Hello, I am {name}. Where do we stand?"),
            };
            return Self::plain(TurnKind::WarmUp, &introduction);
        }
        // Without a fact there is nothing to attack, and nothing to judge either.
        let kind = if scenario.adversarial { TurnKind::Attack } else { TurnKind::Establish };
        Self::plain(kind, "What happens next?")
    }
}

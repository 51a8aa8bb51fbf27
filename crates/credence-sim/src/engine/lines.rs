//! What the player says next: the script, and behind its end the adversary (simulator 2.5, 2.7).

use std::collections::BTreeSet;

use credence::id::PropositionId;
use credence::text;
use credence::unit::UnitView;

use super::sitting::TURN_ZERO;
use crate::adversary::{self, LineRecord};
use crate::run::TurnRecord;
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

    /// The adversary's line.
    pub(super) fn of(line: adversary::Line) -> Self {
        let adversary::Line { kind, prompt, strategies, targets, record } = line;
        Self { kind, prompt, strategies, targets, record: Some(record), reply: None }
    }
}

/// The units that the player's last line stands against, by words: an adversary leaves them alone (simulator 2.5).
pub(super) fn conflicted(turns: &[TurnRecord], units: &[UnitView]) -> BTreeSet<PropositionId> {
    let Some(last) = turns.last().filter(|last| last.turn > 0) else { return BTreeSet::new() };
    let said = text::sentences(&last.player);
    let stands_against = |unit: &&UnitView| {
        said.iter().any(|sentence| text::opposes(&unit.proposition.text, sentence).is_some())
    };
    units.iter().filter(stands_against).map(UnitView::id).collect()
}

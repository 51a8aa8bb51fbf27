//! What a summary must keep, and what it must not stand against: CANON, what is pinned, and the active units.
//!
//! A fact is *to be kept* where the turns carry it: it rests on one of them, or they say it. The others stand in the prompt by
//! themselves and need no place in a summary of turns that never spoke of them; but no summary may contradict them. The predecessor asks
//! for every active unit, and counts everything that the context ever held as protected (deviation D161).

use std::collections::BTreeSet;

use crate::conversation::Turn;
use crate::history::State;
use crate::id::{PropositionId, TurnId};
use crate::proposition::Proposition;
use crate::text::{Holding, holding};
use crate::unit::Authority;

/// A protected fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Protected {
    /// The statement.
    pub proposition: PropositionId,
    /// What it says.
    pub text: String,
    /// How far it is to be taken; `None` for what is pinned without being a unit.
    pub authority: Option<Authority>,
    /// Its activation as stored, 100 to 900; 0 without a unit.
    pub rank: u16,
    /// Whether a person pinned it.
    pub pinned: bool,
    /// Whether the turns carry it, so that a summary of them has to.
    pub carried: bool,
}

/// Share of a fact's words from which turns say it without being its evidence.
const SAID: f64 = 0.8;

/// The protected facts, the most protected first: CANON, pinned, by activation.
pub fn protected(state: &State, turns: &[&Turn]) -> Vec<Protected> {
    let ids: BTreeSet<TurnId> = turns.iter().map(|turn| turn.id).collect();
    let said = turns.iter().map(|turn| turn.text.as_str()).collect::<Vec<_>>().join("\n");
    let is_carried = |p: &Proposition| {
        p.grounding.iter().any(|turn| ids.contains(turn))
            || matches!(holding(&p.text, &said, SAID), Holding::Held(_))
    };
    let mut facts: Vec<Protected> = state
        .propositions()
        .filter(|p| p.status.is_live())
        .filter_map(|p| {
            let unit = state.unit(p.id).filter(|unit| unit.is_active());
            (unit.is_some() || p.pinned).then(|| Protected {
                proposition: p.id,
                text: p.text.clone(),
                authority: unit.map(|unit| unit.authority()),
                rank: unit.map_or(0, |unit| unit.stored_activation().get()),
                pinned: p.pinned,
                carried: is_carried(p),
            })
        })
        .collect();
    facts.sort_by_key(|fact| {
        let canon = fact.authority == Some(Authority::Canon);
        (!canon, !fact.pinned, std::cmp::Reverse(fact.rank), fact.proposition)
    });
    facts
}

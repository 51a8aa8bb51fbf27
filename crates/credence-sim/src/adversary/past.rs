//! What the adversary knows of its earlier attacks: read off the turns, so that a run goes on from its record alone.

use super::record::{Attack, Sequence};
use crate::run::TurnRecord;

/// An attack that was made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made<'a> {
    /// As it was recorded.
    pub(super) attack: &'a Attack,
    /// The turn.
    pub(super) turn: &'a TurnRecord,
    /// Whether a fact was contradicted; `None` where nobody judged the reply.
    pub(super) worked: Option<bool>,
}

/// The attacks of a run so far, oldest first.
#[derive(Debug, Clone, Default)]
pub(super) struct Past<'a> {
    pub(super) attacks: Vec<Made<'a>>,
    /// Model calls for lines so far.
    pub(super) calls: u32,
}

impl<'a> Past<'a> {
    /// Reads the turns; `judge` is the kind of judge whose word counts.
    pub(super) fn of(turns: &'a [TurnRecord], judge: &str) -> Self {
        let mut past = Self::default();
        for turn in turns {
            let Some(line) = &turn.line else { continue };
            past.calls = past.calls.saturating_add(line.calls);
            if let Some(attack) = &line.attack {
                let judgement = turn.judgement(judge).filter(|_| turn.failed.is_none());
                let judged = judgement.filter(|j| j.failed.is_none() && !j.verdicts.is_empty());
                past.attacks.push(Made { attack, turn, worked: judged.map(|j| j.has_contradiction()) });
            }
        }
        past
    }
    /// The turn of the last attack; 0 before the first.
    pub(super) fn last_turn(&self) -> u32 {
        self.attacks.last().map_or(0, |made| made.turn.turn)
    }
    /// Strategies of the last `n` attacks, the latest first, each once.
    pub(super) fn recent(&self, n: usize) -> Vec<&'a str> {
        let mut recent: Vec<&str> = Vec::new();
        for strategy in self.attacks.iter().rev().take(n).flat_map(|made| &made.turn.strategies) {
            if !recent.contains(&strategy.as_str()) {
                recent.push(strategy);
            }
        }
        recent
    }
    /// The attack over several turns that is still going on, and what it aims at.
    pub(super) fn open_sequence(&self) -> Option<(&'a Attack, &'a Sequence)> {
        let attack = self.attacks.last()?.attack;
        attack
            .sequence
            .as_ref()
            .filter(|sequence| sequence.phase != super::Phase::Payoff)
            .map(|s| (attack, s))
    }
    /// Whether a statement was attacked twice or more and the last two attacks on it came to nothing.
    pub(super) fn withstood(&self, text: &str) -> bool {
        let on_it: Vec<Option<bool>> = self
            .attacks
            .iter()
            .filter(|made| made.attack.aims.iter().any(|aim| aim == text))
            .map(|made| made.worked)
            .collect();
        on_it.len() >= 2 && on_it.iter().rev().take(2).all(|worked| *worked == Some(false))
    }
}

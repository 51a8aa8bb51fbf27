//! From a decision to the scope: which records change, with which reason, and what the report says of it. The arithmetic is
//! in `arithmetic`.

use super::arithmetic::{
    brings_evidence, contradicted, generalized, merged, reinforced, superseded, witnessed,
};
use super::compare::is_past;
use super::decide::Decision;
use crate::extraction::{Outcome, OutcomeKind};
use crate::history::{Scope, State};
use crate::id::{InboxId, PropositionId};
use crate::inbox::{InboxItem, InboxKind};
use crate::proposition::{Proposition, PropositionError, Status};
use crate::text;
use crate::time::Timestamp;

/// Where decisions are carried out: nothing is written before the scope is committed.
pub(super) struct Apply<'a> {
    pub(super) state: &'a State,
    pub(super) scope: &'a Scope,
    pub(super) now: Timestamp,
    pub(super) next_inbox: &'a dyn Fn() -> InboxId,
}

impl Apply<'_> {
    fn stored(&self, id: PropositionId) -> Option<Proposition> {
        self.scope.proposition(self.state, id)
    }

    /// Plans one decision and says what became of the statement.
    pub(super) fn apply(&self, new: Proposition, decision: Decision, notes: &mut Vec<String>) -> Outcome {
        let (id, text) = (new.id, new.text.clone());
        let outcome = |kind, proposition, others: Vec<PropositionId>, why: String| Outcome {
            kind,
            proposition,
            others,
            conflict: None,
            dependants: vec![],
            defended: vec![],
            text: text.clone(),
            why,
        };
        match decision {
            Decision::Merge { into, why } => match self.stored(into) {
                None => self.forgotten(new, why),
                Some(old) => {
                    self.merge(&old, &new, &why, notes);
                    outcome(OutcomeKind::Merged, into, vec![], why)
                }
            },
            Decision::Reinforce { other, why } => match self.stored(other) {
                None => self.forgotten(new, why),
                Some(old) => {
                    if brings_evidence(&old, &new) {
                        let why = format!("confirmed by a similar statement: {why}");
                        self.scope.put(self.state, reinforced(&old, &new, self.now), why);
                    } else {
                        notes.push(counted_already(&text));
                    }
                    outcome(OutcomeKind::Reinforced, other, vec![], why)
                }
            },
            Decision::Contradict { others, moved_on, why, .. } => {
                let kind = self.replace(new, &others, moved_on, &why, notes);
                outcome(kind, id, others, why)
            }
            Decision::Dispute { others, why } => {
                self.dispute(new, &others, &why);
                outcome(OutcomeKind::Disputed, id, others, why)
            }
            Decision::Outdated { by, until, moved_on, why } => {
                match self.outdate(&new, by, until, moved_on, &why) {
                    Ok(()) => outcome(OutcomeKind::Outdated, id, vec![by], why),
                    Err(error) => {
                        notes.push(error.to_string());
                        self.scope.put(self.state, new, why.clone());
                        outcome(OutcomeKind::New, id, vec![], why)
                    }
                }
            }
            Decision::History { later, why } => {
                for later in &later {
                    self.link(*later, id, true, &text);
                }
                self.scope.put(self.state, new, why.clone());
                outcome(OutcomeKind::Outdated, id, later, why)
            }
            Decision::Generalize { covered, why } => {
                let sources: Vec<Proposition> = covered.iter().filter_map(|id| self.stored(*id)).collect();
                self.scope.put(self.state, generalized(&new, &sources), why.clone());
                outcome(OutcomeKind::Generalized, id, covered, why)
            }
            Decision::New { why } => {
                self.scope.put(self.state, new, "");
                outcome(OutcomeKind::New, id, vec![], why)
            }
        }
    }

    fn forgotten(&self, new: Proposition, why: String) -> Outcome {
        let (id, text) = (new.id, new.text.clone());
        self.scope.put(self.state, new, "");
        let why = format!("{why}, but it was forgotten meanwhile");
        let kind = OutcomeKind::New;
        let (others, dependants, defended) = (vec![], vec![], vec![]);
        Outcome { kind, proposition: id, others, conflict: None, dependants, defended, text, why }
    }

    fn merge(&self, old: &Proposition, new: &Proposition, why: &str, notes: &mut Vec<String>) {
        if !brings_evidence(old, new) {
            notes.push(counted_already(&new.text));
        } else if old.status.is_live() || old.status == Status::Stale {
            self.scope.put(self.state, merged(old, new, self.now), format!("said again: {why}"));
        } else {
            self.scope.put(self.state, witnessed(old, new, self.now), format!("said then as well: {why}"));
        }
    }

    /// Retires what the new statement takes the place of. Pinned statements stay, and are asked about; where all are, it is a
    /// dispute.
    fn replace(
        &self,
        mut new: Proposition,
        others: &[PropositionId],
        moved_on: bool,
        why: &str,
        notes: &mut Vec<String>,
    ) -> OutcomeKind {
        let said = new.temporal.observed_at.unwrap_or(self.now);
        let moved = if is_past(&new) { new.temporal.valid_to } else { new.temporal.valid_from };
        let known: Vec<Proposition> = others.iter().filter_map(|id| self.stored(*id)).collect();
        let mut retired = 0;
        for old in &known {
            if old.pinned {
                new.temporal.contradicts.push(old.id);
                notes.push(format!(
                    "`{}` is pinned and stays beside what stands against it",
                    text::excerpt(&old.text, 80)
                ));
                continue;
            }
            let link = if moved_on { &mut new.temporal.supersedes } else { &mut new.temporal.contradicts };
            link.push(old.id);
            let next = if moved_on {
                superseded(old, moved.unwrap_or(said), self.now)
            } else {
                contradicted(old, self.now)
            };
            match next {
                Ok(next) => {
                    retired += 1;
                    let why = format!("{why}; now: {}", text::excerpt(&new.text, 120));
                    self.scope.put(self.state, next, why);
                }
                Err(error) => notes.push(error.to_string()),
            }
        }
        self.scope.put(self.state, new, why.to_owned());
        if retired > 0 || known.is_empty() { OutcomeKind::Contradicted } else { OutcomeKind::Disputed }
    }

    fn dispute(&self, mut new: Proposition, others: &[PropositionId], why: &str) {
        let known: Vec<Proposition> = others.iter().filter_map(|id| self.stored(*id)).collect();
        new.temporal.contradicts.extend(known.iter().map(|old| old.id));
        self.scope.put(self.state, new.clone(), why.to_owned());
        let (id, kind) = ((self.next_inbox)(), InboxKind::ImmutableQuestioned);
        self.scope.put(self.state, InboxItem::conflict(id, kind, new, &known, why, self.now), why);
    }

    /// Stores a statement as what was, linked from the newer one.
    fn outdate(
        &self,
        new: &Proposition,
        by: PropositionId,
        until: Timestamp,
        moved_on: bool,
        why: &str,
    ) -> Result<(), PropositionError> {
        let old = if moved_on { superseded(new, until, self.now)? } else { contradicted(new, self.now)? };
        self.link(by, new.id, moved_on, &new.text);
        self.scope.put(self.state, old, why.to_owned());
        Ok(())
    }

    /// The newer one names the older one; nothing else of it changes.
    fn link(&self, newer: PropositionId, older: PropositionId, moved_on: bool, text: &str) {
        let Some(mut newer) = self.stored(newer) else { return };
        let links = if moved_on { &mut newer.temporal.supersedes } else { &mut newer.temporal.contradicts };
        if !links.contains(&older) {
            links.push(older);
            newer.metadata_revised = self.now;
            newer.last_accessed = self.now;
            self.scope.put(
                self.state,
                newer,
                format!("what stood before it was learned: {}", text::excerpt(text, 120)),
            );
        }
    }
}

fn counted_already(text: &str) -> String {
    format!("`{}` rests on a turn that was counted already", text::excerpt(text, 80))
}

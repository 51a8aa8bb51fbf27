//! What rests on a statement that no longer stands: dependants, and how much of each rested on it.
//!
//! A statement above others (an abstraction, a summary, a generalisation) names them as its sources. When one of them is retired, what it
//! supported is looked at in the same plan:
//!
//! | the dependant | becomes |
//! |---|---|
//! | was said by somebody as well: it stands on evidence of its own | untouched |
//! | rests on others that still stand, and says nothing that the lost ones alone said | untouched |
//! | rests in part on what was lost: one source is left, or words of it were the lost ones' alone | a question to a person |
//! | rested on the lost ones alone, and they were wrong | STALE |
//! | rested on the lost ones alone, and the world moved on from them | closed as past, with them |
//!
//! What is pinned or CANON is asked about and never retired. A source that has faded since, or that another statement covers, still
//! supports it. What is retired so supports nothing either, and the cascade goes on from it; every statement is looked at
//! once, so that rings end. All of it is data in the plan of the change that began it: one commit, one undo. (core 4.9, core 2.7.)

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::history::{Record, RecordId, Scope, State};
use crate::id::{InboxId, PropositionId};
use crate::inbox::{InboxItem, InboxKind};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::{Proposition, Status};
use crate::text;
use crate::time::Timestamp;
use crate::unit::Authority;

/// How much of a statement rested on what was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Materiality {
    /// Nothing that shows.
    Not,
    /// A part.
    InPart,
    /// All of it.
    Alone,
}

/// What became of a dependant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// It stays as it is.
    Untouched,
    /// It stays, and a person is asked.
    Asked,
    /// It is STALE.
    Retired,
    /// It is SUPERSEDED, its validity closed.
    Closed,
}

/// One statement that rested on what was lost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependant {
    /// Which.
    pub proposition: PropositionId,
    /// How much of it.
    pub materiality: Materiality,
    /// What became of it.
    pub effect: Effect,
    /// In words for a person.
    pub why: String,
}

impl<P: Ports> Memory<P> {
    /// Plans what follows for everything that rests on `lost`, which the plan has retired already. In order of discovery.
    pub(crate) fn cascade(
        &self,
        state: &State,
        scope: &Scope,
        lost: &[PropositionId],
        now: Timestamp,
    ) -> Vec<Dependant> {
        match lost {
            [] => Vec::new(),
            lost => cascade(state, scope, lost, now, &|| InboxId::new(self.next_id())),
        }
    }
}

fn cascade(
    state: &State,
    scope: &Scope,
    lost: &[PropositionId],
    now: Timestamp,
    next_inbox: &dyn Fn() -> InboxId,
) -> Vec<Dependant> {
    let mut found = Vec::new();
    let mut looked_at: BTreeSet<PropositionId> = lost.iter().copied().collect();
    let mut gone = looked_at.clone();
    let mut open: Vec<PropositionId> = lost.to_vec();
    let resting = Resting::of(state, scope);
    while !open.is_empty() {
        let above: BTreeSet<PropositionId> = open.iter().flat_map(|id| resting.on(*id)).collect();
        open.clear();
        for id in above {
            let Some(p) = scope.proposition(state, id).filter(|p| p.status.is_live()) else { continue };
            if !looked_at.insert(id) {
                continue;
            }
            let dependant = look(state, scope, &p, &gone, now, next_inbox);
            if matches!(dependant.effect, Effect::Retired | Effect::Closed) {
                gone.insert(id);
                open.push(id);
            }
            found.push(dependant);
        }
    }
    found
}

/// Who rests on whom.
struct Resting(BTreeMap<PropositionId, Vec<PropositionId>>);

impl Resting {
    fn of(state: &State, scope: &Scope) -> Self {
        let mut resting: BTreeMap<PropositionId, Vec<PropositionId>> = BTreeMap::new();
        let mut add = |p: &Proposition| {
            for source in &p.source_ids {
                resting.entry(*source).or_default().push(p.id);
            }
        };
        state.propositions().filter(|p| !p.source_ids.is_empty()).for_each(&mut add);
        for draft in scope.drafts() {
            if let Some(Record::Proposition(p)) = draft.value {
                add(&p);
            }
        }
        Self(resting)
    }
    fn on(&self, id: PropositionId) -> impl Iterator<Item = PropositionId> + '_ {
        self.0.get(&id).into_iter().flatten().copied()
    }
}

fn look(
    state: &State,
    scope: &Scope,
    p: &Proposition,
    gone: &BTreeSet<PropositionId>,
    now: Timestamp,
    next_inbox: &dyn Fn() -> InboxId,
) -> Dependant {
    let sources: Vec<Option<Proposition>> =
        p.source_ids.iter().map(|id| scope.proposition(state, *id)).collect();
    let (left, lost): (Vec<&Proposition>, Vec<&Proposition>) =
        sources.iter().flatten().partition(|source| supports(source) && !gone.contains(&source.id));
    let materiality = materiality(p, &left, &lost);
    let names = lost.iter().map(|p| format!("\u{201c}{}\u{201d}", text::excerpt(&p.text, 80)));
    let names = names.collect::<Vec<_>>().join(" and ");
    let dependant = |effect, why: String| Dependant {
        proposition: p.id,
        materiality,
        effect,
        why: format!("{why}: {names}"),
    };
    let is_kept = p.pinned || is_canon(state, scope, p.id);
    match materiality {
        Materiality::Not if !p.grounding.is_empty() || !p.provenance.is_empty() => {
            dependant(Effect::Untouched, "it was said as well, and does not rest on what was revised".into())
        }
        Materiality::Not => {
            dependant(Effect::Untouched, "it rests on others, and says nothing that was revised".into())
        }
        Materiality::Alone if !is_kept => {
            let closed = lost.iter().map(|p| p.temporal.valid_to.filter(|_| p.status == Status::Superseded));
            let end = closed.collect::<Option<Vec<Timestamp>>>().and_then(|ends| ends.into_iter().max());
            let (next, effect) = match end {
                Some(end) => (super::superseded(p, end, now), Effect::Closed),
                None => (p.clone().with_status(Status::Stale, now), Effect::Retired),
            };
            match next {
                Ok(next) => {
                    let made = dependant(effect, "it rested on what was revised alone".into());
                    scope.put(state, next, made.why.clone());
                    made
                }
                Err(error) => dependant(Effect::Untouched, error.to_string()),
            }
        }
        Materiality::Alone | Materiality::InPart => {
            let lost: Vec<Proposition> = lost.into_iter().cloned().collect();
            let made = dependant(Effect::Asked, "a part of what it rests on was revised".into());
            ask(state, scope, p, &lost, &made.why, now, next_inbox);
            made
        }
    }
}

/// Whether a source still stands behind what rests on it. What was superseded without an end was not moved on from: another statement
/// says the same, or more.
fn supports(source: &Proposition) -> bool {
    match source.status {
        Status::Active | Status::Promoted | Status::Stale => true,
        Status::Superseded => source.temporal.valid_to.is_none(),
        Status::Contradicted => false,
    }
}

fn materiality(p: &Proposition, left: &[&Proposition], lost: &[&Proposition]) -> Materiality {
    if !p.grounding.is_empty() || !p.provenance.is_empty() {
        return Materiality::Not;
    }
    if left.is_empty() {
        return Materiality::Alone;
    }
    let words = |of: &[&Proposition]| -> BTreeSet<String> {
        of.iter().flat_map(|p| text::content_terms(&p.text)).collect()
    };
    let (kept, gone) = (words(left), words(lost));
    let is_theirs_alone = |word: &String| gone.contains(word) && !kept.contains(word);
    if left.len() < 2 || text::content_terms(&p.text).iter().any(is_theirs_alone) {
        Materiality::InPart
    } else {
        Materiality::Not
    }
}

/// Plans the question, unless it waits already.
fn ask(
    state: &State,
    scope: &Scope,
    p: &Proposition,
    lost: &[Proposition],
    why: &str,
    now: Timestamp,
    next_inbox: &dyn Fn() -> InboxId,
) {
    let same = |item: &InboxItem| {
        item.is_open()
            && item.kind == InboxKind::SupportLost
            && item.proposition.as_ref().is_some_and(|asked| asked.id == p.id)
            && lost.iter().all(|lost| item.other_propositions().any(|id| id == lost.id))
    };
    let is_planned = scope.drafts().iter().any(|draft| match &draft.value {
        Some(Record::Inbox(item)) => same(item),
        _ => false,
    });
    if !is_planned && !state.inbox_items().any(same) {
        let kind = InboxKind::SupportLost;
        scope.put(state, InboxItem::conflict(next_inbox(), kind, p.clone(), lost, why, now), why);
    }
}

fn is_canon(state: &State, scope: &Scope, id: PropositionId) -> bool {
    match scope.get(state, RecordId::Unit(id)) {
        Some(Record::Unit(unit)) => unit.is_active() && unit.authority() == Authority::Canon,
        _ => false,
    }
}

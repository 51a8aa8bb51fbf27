//! Lineage: which statements took whose place, from the oldest to the newest; and a person's own revision of a statement.
//!
//! The newer statement names what it took the place of (`supersedes`) or proved wrong (`contradicts`). A lineage follows these links to
//! both sides, at most [`MOST_STEPS`] links deep each way and every statement once, so that rings end. It has branches: one statement may
//! take the place of several. Source: core 2.7, core 11.4.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cascade::Dependant;
use super::{contradicted, superseded};
use crate::error::Error;
use crate::history::{Actor, Cause, ContentId, RecordId, Scope, ScopeInfo, State};
use crate::id::PropositionId;
use crate::inbox::{InboxItem, Verdict};
use crate::memory::{Memory, PropositionView};
use crate::ports::Ports;
use crate::proposition::{Extractor, Locator, Proposition, PropositionError, ProvenanceEntry, Status, Voice};
use crate::scale::Confidence;
use crate::text;
use crate::time::Timestamp;
use crate::trust::{self, SourceRegistry, TrustInput};
use crate::unit::{Action, Authority, Evidence, Mover, PersonAct, Unit, UnitPlan, UnitView};

/// Most links that a lineage follows to one side (core 11.4).
pub const MOST_STEPS: usize = 50;

/// How sure a person's own revision is, as a statement by hand (`extraction::remember`).
const BY_HAND: f64 = 0.95;

/// How a statement took the place of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Followed {
    /// The older one was true until then.
    MovedOn,
    /// The older one was wrong.
    Corrected,
}

/// One statement of a lineage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineageStep {
    /// The statement as it stands now.
    pub view: PropositionView,
    /// Its standing in the working set, where it has or had one.
    pub unit: Option<Unit>,
    /// What it took the place of, and how.
    pub follows: Vec<(PropositionId, Followed)>,
    /// Why it stands as it does, from its last revision, in words for a person; may be empty.
    pub why: String,
}

/// A statement's lineage.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Lineage {
    /// Oldest first; the statement asked about alone when it took nothing's place and nothing took its. Empty for an unknown one.
    pub steps: Vec<LineageStep>,
    /// Whether more lay beyond [`MOST_STEPS`].
    pub cut: bool,
}

/// What a person's revision of a statement did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Superseded {
    /// The statement in its place.
    pub successor: PropositionId,
    /// What rested on the older one.
    pub dependants: Vec<Dependant>,
}

/// The older ones that a statement took the place of.
fn predecessors(state: &State, p: &Proposition) -> Vec<(PropositionId, Followed)> {
    let retired = |id: &PropositionId, status: Status| {
        *id != p.id && state.proposition(*id).is_some_and(|older| older.status == status)
    };
    let moved = p.temporal.supersedes.iter().filter(|id| retired(id, Status::Superseded));
    let wrong = p.temporal.contradicts.iter().filter(|id| retired(id, Status::Contradicted));
    let moved = moved.map(|id| (*id, Followed::MovedOn));
    moved.chain(wrong.map(|id| (*id, Followed::Corrected))).collect()
}

impl<P: Ports> Memory<P> {
    /// The statements that this one descends from and that descend from it, oldest first. A pure read.
    pub fn lineage(&self, id: PropositionId) -> Lineage {
        let state = self.state();
        let mut successors: BTreeMap<PropositionId, Vec<PropositionId>> = BTreeMap::new();
        for p in state.propositions() {
            for (older, _) in predecessors(&state, p) {
                successors.entry(older).or_default().push(p.id);
            }
        }
        let older = |id: PropositionId| {
            let found = state.proposition(id).map(|p| predecessors(&state, p)).unwrap_or_default();
            found.into_iter().map(|(id, _)| id).collect::<Vec<_>>()
        };
        let newer = |id: PropositionId| successors.get(&id).cloned().unwrap_or_default();
        let (before, cut_before) = reached(id, older);
        let (after, cut_after) = reached(id, newer);
        let mut ids: Vec<PropositionId> = before;
        ids.extend(after);
        ids.push(id);
        let starts =
            |id: PropositionId| state.proposition(id).map(|p| (super::compare::starts(p), p.created));
        ids.sort_by_key(|id| (starts(*id), *id));
        ids.dedup();
        let now = self.now().at;
        let steps = ids.into_iter().filter_map(|id| {
            Some(LineageStep {
                follows: predecessors(&state, state.proposition(id)?),
                unit: state.unit(id).cloned(),
                why: state.revision(RecordId::Proposition(id))?.why.clone(),
                view: self.present_view(id, now)?,
            })
        });
        Lineage { steps: steps.collect(), cut: cut_before || cut_after }
    }

    /// A person's answer to whether a statement holds of which a part no longer stands: it stays, or it is retired with what
    /// rests on it.
    pub(crate) fn settle_support(
        &self,
        state: &State,
        scope: &Scope,
        item: &InboxItem,
        verdict: Verdict,
        now: Timestamp,
    ) -> Result<String, Error> {
        let asked = item.proposition.as_ref().map(|p| p.id);
        let Some(p) = asked.and_then(|id| state.proposition(id)).filter(|p| p.status.is_live()) else {
            return Ok("nothing was changed: the statement is gone".to_owned());
        };
        if verdict == Verdict::Accept {
            return Ok("it stays".to_owned());
        }
        let retired = p.clone().with_pinned(false, now).with_status(Status::Stale, now)?;
        scope.put(state, retired, "a person decided that it no longer holds");
        let above = self.cascade(state, scope, &[p.id], now);
        let statement = text::excerpt(&p.text, 160);
        Ok(match above.len() {
            0 => format!("\u{201c}{statement}\u{201d} was retired"),
            n => format!("\u{201c}{statement}\u{201d} was retired, and {n} that rest on it were looked at"),
        })
    }

    /// A person says what is so now: a new statement takes the place of a stored one, which stays as what was (`MovedOn`: true until
    /// now) or as what was wrong (`Corrected`). What rests on the older one is looked at, its place in the working set goes to the new
    /// one, a pin is handed on, all in one commit. To mend the wording of a statement, edit it instead.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown statement; [`Error::Invalid`] for one that is retired already, a text without words, or the
    /// text that it has; [`Error::Refused`] where a rule of the working set forbids it.
    pub async fn supersede(
        &self,
        id: PropositionId,
        statement: &str,
        how: Followed,
    ) -> Result<Superseded, Error> {
        let said = text::redact(statement.trim()).text;
        let invalid = |problem: String| Error::Invalid { what: "revision", problem };
        if !said.chars().any(char::is_alphanumeric) {
            return Err(invalid("there is nothing in the text that could take its place".into()));
        }
        let info = ScopeInfo::new(Cause::Revision, Actor::Person, "revised by a person");
        let successor = PropositionId::new(self.next_id());
        let (done, _) = self
            .change(info.with_id("proposition", id), |state, scope| {
                let now = self.now().at;
                let Some(older) = state.proposition(id) else {
                    return Err(Error::NotFound { record: id.to_string() });
                };
                if !older.status.is_live() {
                    let status = older.status.as_str();
                    return Err(invalid(format!("{id} is {status}; revise the statement that stands now")));
                }
                if text::canonical(&said) == text::canonical(&older.text) {
                    return Err(invalid("the text says what the statement says already".into()));
                }
                let newer = successor_of(older, successor, &said, how, now)?;
                let open = older.clone().with_pinned(false, now);
                let retired = match how {
                    Followed::MovedOn => superseded(&open, now, now)?,
                    Followed::Corrected => contradicted(&open, now)?,
                };
                let why = format!("revised by a person; now: {}", text::excerpt(&said, 120));
                let newer = self.with_config(|config| config.trust.scored(newer, now));
                let Some(act) = PersonAct::of(scope, now) else {
                    return Err(invalid("it is no person's".into()));
                };
                let held = self.planning(state, scope, Mover::Person(&act), |plan| {
                    let held = plan.view(id).filter(UnitView::is_active);
                    if let Some(held) = &held {
                        plan.check(Action::Archive, held)?;
                    }
                    Ok(held)
                })?;
                scope.put(state, retired, why);
                scope.put(state, newer.clone(), "a person's revision");
                if let Some(held) = held {
                    self.planning(state, scope, Mover::Person(&act), |plan| take_place(plan, &held, &newer))?;
                }
                let dependants = self.cascade(state, scope, &[id], now);
                Ok(Superseded { successor, dependants })
            })
            .await?;
        Ok(done)
    }
}

/// The unit of what was revised gives its place to the new statement, which a person has said and which stays CANON where it was: its trust
/// is evaluated anew, and everything else it has to earn itself.
fn take_place(plan: &UnitPlan<'_>, held: &UnitView, newer: &Proposition) -> Result<(), Error> {
    let units = plan.set();
    let registry = SourceRegistry::of(plan.state);
    let quality = plan.config.unit.quality_scoring.enabled;
    let beside = units.iter().map(|view| &view.proposition);
    let input = TrustInput::new(plan.state, newer, beside, &registry, quality);
    let audit = trust::evaluate(&input, &plan.config.trust, "revision", plan.now);
    plan.promote(newer.id, Some(audit), "it takes the place of what a person revised")?;
    plan.reinforce(newer.id, Evidence::confirmation(plan.now), || None, "a person said so")?;
    if held.authority == Authority::Canon {
        plan.canonize(newer.id, "a person revised what was CANON")?;
    }
    Ok(())
}

/// Every statement that `next` leads to, each once, and whether more lay beyond the last step.
fn reached(
    from: PropositionId,
    next: impl Fn(PropositionId) -> Vec<PropositionId>,
) -> (Vec<PropositionId>, bool) {
    let mut found: Vec<PropositionId> = Vec::new();
    let mut open = vec![from];
    for _ in 0..MOST_STEPS {
        let mut layer: Vec<PropositionId> = open.iter().flat_map(|id| next(*id)).collect();
        layer.retain(|id| *id != from && !found.contains(id));
        layer.sort();
        layer.dedup();
        found.extend(&layer);
        open = layer;
    }
    let more = open.iter().flat_map(|id| next(*id)).any(|id| id != from && !found.contains(&id));
    (found, more)
}

/// The new statement: about the same, as far as its text still names it, and as important and as lasting.
fn successor_of(
    older: &Proposition,
    id: PropositionId,
    said: &str,
    how: Followed,
    now: Timestamp,
) -> Result<Proposition, PropositionError> {
    let mut newer = Proposition::new(id, said, Confidence::clamped(BY_HAND), Extractor::Person, now)?;
    let folded = text::fold(said);
    let names = |span: &str| !span.is_empty() && folded.contains(&text::fold(span));
    newer.mentions = older.mentions.iter().filter(|mention| names(&mention.span)).cloned().collect();
    (newer.decay, newer.importance, newer.pinned) = (older.decay, older.importance, older.pinned);
    newer.voice = Voice::User;
    let typed = Locator::content(ContentId::of_text(said).as_str(), None)?;
    newer.provenance = vec![ProvenanceEntry::at(typed)];
    newer.temporal.observed_at = Some(now);
    match how {
        Followed::MovedOn => {
            newer.temporal.valid_from = Some(now);
            newer.temporal.supersedes.push(older.id);
        }
        Followed::Corrected => {
            (newer.temporal.valid_from, newer.temporal.valid_to) =
                (older.temporal.valid_from, older.temporal.valid_to);
            newer.temporal.contradicts.push(older.id);
        }
    }
    Ok(newer)
}

//! A person's answer: one commit that marks the question answered and does what follows from the answer.

use super::{ClosedAs, Decided, Held, InboxItem, InboxKind, Verdict};
use crate::conflict::Stand;
use crate::error::Error;
use crate::extraction::OutcomeKind;
use crate::history::{Actor, Cause, ContentId, Record, RecordId, Scope, ScopeInfo, State};
use crate::id::{EntityId, InboxId, PropositionId};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::{Locator, Proposition, PropositionError, ProvenanceEntry, Voice};
use crate::resolution::{Prepared, Resolver, Sought};
use crate::revision::{Decision, Rules, contradicted, decide_between, stated_name, superseded};
use crate::scale::Confidence;
use crate::schema::KnowledgeSchema;
use crate::time::Timestamp;

/// How sure a statement is that a person has agreed to: as one that they ask to have remembered, chosen by us.
const AGREED: f64 = 0.95;

impl<P: Ports> Memory<P> {
    /// The questions that wait, oldest first.
    pub fn inbox(&self) -> Vec<InboxItem> {
        self.state().inbox_items().filter(|item| item.is_open()).cloned().collect()
    }

    /// Answers a question. Accepting makes what it holds, decided anew on the memory as it is now; rejecting keeps the
    /// question with its answer and changes nothing else, except where two stored statements stand against each other: then
    /// the one that lost is retired. Undoing the commit opens the question again.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown question; [`Error::Invalid`] for one that was answered already.
    pub async fn decide(&self, id: InboxId, verdict: Verdict) -> Result<Decided, Error> {
        let held = open_item(&self.state(), id)?.held.is_some();
        let mut near = Vec::new();
        if held && verdict == Verdict::Accept {
            let text = open_item(&self.state(), id)?.proposition.map(|p| p.text).unwrap_or_default();
            let (top, threshold) = self
                .with_config(|config| (config.revision.top_k as usize, config.revision.similarity_threshold));
            let found = self.neighbours(&[text], top, threshold, &mut self.slices(None)).await?;
            near = found.into_iter().next().unwrap_or_default().all;
        }
        let word = match verdict {
            Verdict::Accept => "accepted",
            Verdict::Reject => "rejected",
        };
        let info = ScopeInfo::new(Cause::Manual, Actor::Person, format!("a question was answered: {word}"))
            .with_id("inbox", id);
        let (decided, _) = self
            .change(info, |state, scope| {
                let now = self.now().at;
                let item = open_item(state, id)?;
                let mut stale = false;
                let effect = match (&item.held, verdict) {
                    _ if item.kind.is_about_canon() => {
                        let (effect, is_stale) = self.answer_canon(state, scope, &item, verdict, now)?;
                        stale = is_stale;
                        effect
                    }
                    (_, Verdict::Accept) if item.kind.is_about_candidates() => {
                        self.admit_candidates(state, scope, &item, now)?
                    }
                    (_, Verdict::Reject) if item.kind.is_about_candidates() => {
                        "nothing was changed".to_owned()
                    }
                    (Some(held), Verdict::Accept) => self.make(state, scope, &item, held, &near, now)?,
                    (Some(_), Verdict::Reject) => "nothing was changed".to_owned(),
                    (None, verdict) if item.kind == InboxKind::SupportLost => {
                        self.settle_support(state, scope, &item, verdict, now)?
                    }
                    (None, verdict) => {
                        let schema = self.with_config(|config| config.schema().clone());
                        let (effect, retired) = settle_conflict(state, scope, &item, verdict, &schema, now)?;
                        self.cascade(state, scope, &retired, now);
                        match self.follow_dispute(state, scope, &item, verdict, now)? {
                            Some(more) => format!("{effect}; {more}"),
                            None => effect,
                        }
                    }
                };
                let decided = Decided { verdict, at: now, effect };
                match stale {
                    true => {
                        scope.put(state, item.closed(ClosedAs::Stale, decided.effect.clone(), now), "stale")
                    }
                    false => scope.put(state, InboxItem { decision: Some(decided.clone()), ..item }, word),
                }
                Ok(decided)
            })
            .await?;
        Ok(decided)
    }

    /// Plans what a held statement changes now.
    fn make(
        &self,
        state: &State,
        scope: &Scope,
        item: &InboxItem,
        held: &Held,
        near: &[PropositionId],
        now: Timestamp,
    ) -> Result<String, Error> {
        let Some(statement) = item.proposition.as_deref().cloned() else {
            return Err(Error::NotFound { record: format!("a statement in {}", item.id) });
        };
        let mut next_id = || EntityId::new(self.next_id());
        let (config, prepared) = (self.config(), Prepared::default());
        let mut resolver = Resolver::on(self.directory(state), state, &config, &prepared, now, &mut next_id);
        let statement = confirmed(resolved_again(state, &mut resolver, statement), now)?;
        let near: Vec<Proposition> = held
            .targets()
            .chain(near.iter().copied())
            .filter_map(|id| state.proposition(id).cloned())
            .filter(|p| p.status.is_live())
            .collect();
        let decision = held.replanned(&statement, &near, config.schema());
        let mut notes = Vec::new();
        let name = stated_name(&resolver, &statement, None).map(std::borrow::Cow::into_owned);
        // What the question showed gives way to the person's word; what has come since still stands up for itself.
        let shown: Vec<PropositionId> = held.targets().collect();
        let outcome = match &decision {
            Decision::Contradict { others, .. } if others.iter().all(|id| shown.contains(id)) => {
                self.carry_out(state, scope, statement, Stand::as_decided(decision), now, &mut notes)
            }
            _ => self.apply_decided(state, scope, statement, decision, now, &mut notes),
        };
        if let Some(name) = name.filter(|_| outcome.kind != OutcomeKind::Outdated) {
            resolver.name_user(&name);
        }
        for (entity, why) in resolver.planned() {
            scope.put(state, entity.clone(), why);
        }
        let what = match outcome.kind {
            OutcomeKind::New => "kept as a new fact",
            OutcomeKind::Merged => "counted as one more source of a known fact",
            OutcomeKind::Reinforced => "made a known fact surer",
            OutcomeKind::Contradicted => "kept, and what it stands against was retired",
            OutcomeKind::Generalized => "kept as a summary of known facts",
            OutcomeKind::Disputed => "kept beside what it stands against",
            OutcomeKind::Outdated => "kept as what was",
        };
        notes.insert(0, format!("{what}: {}", outcome.why));
        // What the assistant proposed and a person agrees to has been through every gate that a person stands for.
        let was_proposed = item.proposition.as_ref().is_some_and(|p| p.voice == Voice::Assistant);
        let holds = matches!(outcome.kind, OutcomeKind::New | OutcomeKind::Contradicted);
        if was_proposed && holds && config.unit.auto_activate {
            notes.extend(self.admit_confirmed(state, scope, item, outcome.proposition, now));
        }
        Ok(notes.join("; "))
    }

    /// Plans the questions about pinned statements that a run found opposed.
    pub(crate) fn ask_about_pins(
        &self,
        state: &State,
        scope: &Scope,
        newer: PropositionId,
        others: &[PropositionId],
        now: Timestamp,
    ) {
        let pinned: Vec<Proposition> = others
            .iter()
            .filter_map(|id| scope.proposition(state, *id))
            .filter(|p| p.pinned && p.status.is_live())
            .collect();
        let Some(newer) = scope.proposition(state, newer).filter(|_| !pinned.is_empty()) else { return };
        let asked = |draft: &crate::history::Draft| match &draft.value {
            Some(Record::Inbox(item)) => pinned.iter().all(|old| item.is_between(newer.id, old.id)),
            _ => false,
        };
        if scope.drafts().iter().any(asked) {
            return;
        }
        let id = InboxId::new(self.next_id());
        let why = "a pinned statement is never retired by evidence";
        scope.put(state, InboxItem::conflict(id, InboxKind::PinnedConflict, newer, &pinned, why, now), why);
    }
}

fn open_item(state: &State, id: InboxId) -> Result<InboxItem, Error> {
    let Some(item) = state.inbox_item(id) else { return Err(Error::NotFound { record: id.to_string() }) };
    if let Some(closed) = &item.closed {
        let problem = format!("{id} needs no answer any more: {}", closed.why);
        return Err(Error::Invalid { what: "inbox item", problem });
    }
    match &item.decision {
        None => Ok(item.clone()),
        Some(decided) => Err(Error::Invalid {
            what: "inbox item",
            problem: format!(
                "{id} was answered already ({}); undo that commit to answer it anew",
                match decided.verdict {
                    Verdict::Accept => "accepted",
                    Verdict::Reject => "rejected",
                }
            ),
        }),
    }
}

/// What the assistant alone had said is the word of the user who agrees with it.
fn confirmed(statement: Proposition, now: Timestamp) -> Result<Proposition, Error> {
    if statement.voice != Voice::Assistant {
        return Ok(statement);
    }
    let hash = ContentId::of_text(&statement.text).to_string();
    let agreed = Locator::content(&hash, Some("agreed to by hand"))
        .map_err(|error| Error::Invalid { what: "locator", problem: error.to_string() })?;
    let sure = Confidence::clamped(statement.confidence.get().max(AGREED));
    Ok(Proposition {
        voice: Voice::User,
        provenance: vec![ProvenanceEntry::at(agreed)],
        ..statement.with_confidence(sure, now)
    })
}

/// The held statement with its mentions as they resolve now: an entity that only it would have made was not written, and another
/// may have been merged away since.
fn resolved_again(state: &State, resolver: &mut Resolver<'_>, mut statement: Proposition) -> Proposition {
    for mention in &mut statement.mentions {
        let Some(known) = mention.entity else { continue };
        mention.entity = match state.keeper(known) {
            Some(entity) => Some(entity.id),
            None => resolver.resolve_entity(&Sought::new(&mention.span, &mention.kind)).entity,
        };
    }
    statement
}

/// Of two stored sides that stand against each other the one that lost is retired: what was done, and who was. Accepting unpins what it retires: the person
/// has just taken back what the pin said.
fn settle_conflict(
    state: &State,
    scope: &Scope,
    item: &InboxItem,
    verdict: Verdict,
    schema: &KnowledgeSchema,
    now: Timestamp,
) -> Result<(String, Vec<PropositionId>), Error> {
    let Some(newer) = item.proposition.as_deref() else {
        return Err(Error::NotFound { record: format!("a statement in {}", item.id) });
    };
    let record = RecordId::Proposition(newer.id);
    let never_stored = state.revision(record).is_none();
    let lost: Vec<PropositionId> = match verdict {
        Verdict::Accept
            if !never_stored && state.proposition(newer.id).is_none_or(|p| !p.status.is_live()) =>
        {
            return Ok(("nothing was changed: the newer statement is gone".to_owned(), vec![]));
        }
        Verdict::Accept => item.other_propositions().collect(),
        Verdict::Reject => vec![newer.id],
    };
    let why = "a person decided that the other one holds";
    if verdict == Verdict::Accept && never_stored {
        scope.put(state, confirmed(newer.clone(), now)?, "a person decided that it holds");
    }
    let (mut retired, mut ids) = (Vec::new(), Vec::new());
    for old in lost.into_iter().filter_map(|id| state.proposition(id)).filter(|p| p.status.is_live()) {
        let unpinned = if old.pinned { old.clone().with_pinned(false, now) } else { old.clone() };
        // A pinned home that the world left behind was true until then; it was not wrong.
        let moved_on = verdict == Verdict::Accept && has_moved_on(newer, old, schema);
        let next = match moved_on {
            true => superseded(&unpinned, begins(newer), now),
            false => contradicted(&unpinned, now),
        };
        let next = next.map_err(|error: PropositionError| Error::from(error))?;
        retired.push(format!("“{}”", crate::text::excerpt(&old.text, 160)));
        ids.push(old.id);
        scope.put(state, next, why);
    }
    let effect = match retired.is_empty() {
        true => "nothing was left to retire".to_owned(),
        false => format!("{} was retired", retired.join(" and ")),
    };
    Ok((effect, ids))
}

/// Whether the newer statement takes the older one's place, as opposed to proving it wrong.
fn has_moved_on(newer: &Proposition, older: &Proposition, schema: &KnowledgeSchema) -> bool {
    matches!(decide_between(newer, older, schema), Rules::Sure(Decision::Contradict { moved_on: true, .. }))
}

fn begins(p: &Proposition) -> Timestamp {
    p.temporal.valid_from.or(p.temporal.observed_at).unwrap_or(p.created)
}

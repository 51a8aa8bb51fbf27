//! What a target reaches: the records of which nothing may be left, and the names that go from what stays.
//!
//! Read off the whole log and not off the present, because what was edited, merged or forgotten long ago is still in its history. Rules:
//! - a statement goes with what says the same (by words, or by a mark of tidying), and with what was abstracted from such statements alone;
//! - a turn, conversation or span goes with the statements that rest on it alone, pinned ones and CANON included: whoever erases a source for ever
//!   wants none of it left, and the preview lists them. Others lose this evidence and stay;
//! - an entity goes with what was merged into it and with the statements whose only subjects they are; elsewhere its name goes;
//! - an entity that no statement that stays speaks of, and that nobody named by hand or found in a text, is an orphan and goes too.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::pace::Pace;
use super::report::ErasureTarget;
use crate::entity::{Entity, EntityReport};
use crate::error::Error;
use crate::history::{Record, RecordId, Revision, State};
use crate::id::{ConversationId, EntityId, PropositionId, TurnId};
use crate::maintenance::says_the_same;
use crate::ports::Clock;
use crate::proposition::{MentionRole, Proposition};
use crate::text;

/// Everything that a log ever held of the kinds that a target is decided on, oldest wording first.
#[derive(Default)]
pub(super) struct Past<'a> {
    pub(super) statements: BTreeMap<PropositionId, Vec<&'a Proposition>>,
    pub(super) entities: BTreeMap<EntityId, Vec<&'a Entity>>,
    pub(super) turns: BTreeMap<TurnId, Vec<&'a crate::conversation::Turn>>,
    conversations: BTreeSet<ConversationId>,
    found: BTreeMap<RecordId, &'a EntityReport>,
    /// Statements of which a tidying said that they say the same.
    twins: Vec<(PropositionId, PropositionId)>,
    /// The canonical form of each statement as it last was.
    forms: OnceCell<BTreeMap<PropositionId, String>>,
}

impl<'a> Past<'a> {
    /// What is there now.
    pub(super) fn of_state(state: &'a State) -> Self {
        Self::of(state.revisions())
    }

    /// What these revisions hold, in their order.
    pub(super) fn of(revisions: impl Iterator<Item = &'a Rc<Revision>>) -> Self {
        let mut past = Self::default();
        for revision in revisions {
            match &revision.value {
                Some(Record::Proposition(p)) => past.statements.entry(p.id).or_default().push(p),
                Some(Record::Entity(e)) => past.entities.entry(e.id).or_default().push(e),
                Some(Record::Turn(t)) => past.turns.entry(t.id).or_default().push(t),
                Some(Record::Conversation(c)) => {
                    past.conversations.insert(c.id);
                }
                Some(Record::EntityReport(report)) => {
                    past.found.insert(revision.record, report);
                }
                Some(Record::Run(run)) => past.twins.extend(says_the_same(run)),
                _ => {}
            }
        }
        past
    }

    /// Reads beforehand, in slices, what a reach of this target compares.
    pub(super) async fn read<C: Clock>(
        &self,
        target: &ErasureTarget,
        pace: &mut Pace<'_, C>,
    ) -> Result<(), Error> {
        if !matches!(target, ErasureTarget::Proposition { .. } | ErasureTarget::Entity { .. }) {
            return Ok(());
        }
        let mut forms = BTreeMap::new();
        for statement in self.last() {
            pace.rest().await?;
            forms.insert(statement.id, text::canonical(&statement.text));
        }
        // Read already, where a plan is made anew.
        let _ = self.forms.set(forms);
        Ok(())
    }

    fn form(&self, statement: &Proposition) -> Option<&String> {
        let read = || self.last().map(|p| (p.id, text::canonical(&p.text))).collect();
        self.forms.get_or_init(read).get(&statement.id)
    }

    /// Each statement as it last was.
    pub(super) fn last(&self) -> impl Iterator<Item = &'a Proposition> + '_ {
        self.statements.values().filter_map(|wordings| wordings.last().copied())
    }
}

/// What goes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Reach {
    pub(super) statements: BTreeSet<PropositionId>,
    pub(super) entities: BTreeSet<EntityId>,
    /// Of the entities, those whose name goes from what stays; orphans are gone without that.
    pub(super) named: BTreeSet<EntityId>,
    pub(super) turns: BTreeSet<TurnId>,
    pub(super) conversations: BTreeSet<ConversationId>,
}

impl Reach {
    /// # Errors
    /// [`Error::NotFound`] where there is nothing of it in the log; [`Error::Invalid`] for the user themselves; [`Error::Cancelled`].
    pub(super) async fn of<C: Clock>(
        past: &Past<'_>,
        target: &ErasureTarget,
        pace: &mut Pace<'_, C>,
    ) -> Result<Self, Error> {
        let mut reach = Self::default();
        let unknown = |record: String| Err(Error::NotFound { record });
        match target {
            ErasureTarget::Proposition { id } => {
                if !past.statements.contains_key(id) {
                    return unknown(id.to_string());
                }
                reach.statements.insert(*id);
            }
            ErasureTarget::Entity { id } => reach.entity(past, *id)?,
            ErasureTarget::Source { id } => {
                if !past.conversations.contains(id) {
                    return unknown(id.to_string());
                }
                reach.conversations.insert(*id);
                reach.turns_where(past, |turn| turn.conversation == *id);
            }
            ErasureTarget::Turn { id } => {
                if !past.turns.contains_key(id) {
                    return unknown(id.to_string());
                }
                reach.turns.insert(*id);
            }
            ErasureTarget::Span { from, to } => {
                if to <= from {
                    let problem = "a span ends after it begins".into();
                    return Err(Error::Invalid { what: "span", problem });
                }
                reach.turns_where(past, |turn| turn.at.at >= *from && turn.at.at < *to);
                if reach.turns.is_empty() {
                    return unknown("turn in this span".into());
                }
            }
        }
        reach.settle(past, pace).await?;
        Ok(reach)
    }

    /// Adds what rests on the turns alone, and what goes with that.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when that was wanted.
    pub(super) async fn settle<C: Clock>(
        &mut self,
        past: &Past<'_>,
        pace: &mut Pace<'_, C>,
    ) -> Result<(), Error> {
        let mut bare = Vec::new();
        for p in past.last() {
            pace.rest().await?;
            if self.leaves_bare(p) {
                bare.push(p.id);
            }
        }
        self.add(past, bare, pace).await
    }

    /// Adds statements, and what goes with them.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when that was wanted.
    pub(super) async fn add<C: Clock>(
        &mut self,
        past: &Past<'_>,
        statements: Vec<PropositionId>,
        pace: &mut Pace<'_, C>,
    ) -> Result<(), Error> {
        self.statements.extend(statements);
        self.close(past, pace).await?;
        pace.slices().rest().await?;
        self.orphans(past);
        pace.slices().rest().await
    }

    fn turns_where(&mut self, past: &Past<'_>, wanted: impl Fn(&crate::conversation::Turn) -> bool) {
        let said = past.turns.iter().filter(|(_, turns)| turns.iter().any(|turn| wanted(turn)));
        self.turns.extend(said.map(|(id, _)| *id));
    }

    fn entity(&mut self, past: &Past<'_>, id: EntityId) -> Result<(), Error> {
        let last = |id: &EntityId| past.entities.get(id).and_then(|forms| forms.last());
        let mut keeper = id;
        while let Some(next) = last(&keeper).and_then(|entity| entity.merged_into).filter(|next| *next != id)
        {
            keeper = next;
        }
        let Some(entity) = last(&keeper) else { return Err(Error::NotFound { record: id.to_string() }) };
        if entity.is_user {
            let problem = "this entity stands for you, whose memory this is; erase single statements, sources or a span of time".into();
            return Err(Error::Invalid { what: "entity", problem });
        }
        self.named.insert(keeper);
        while self.named.len() < past.entities.len() {
            let below = past.entities.keys().filter(|id| {
                let into = last(id).and_then(|entity| entity.merged_into);
                !self.named.contains(*id) && into.is_some_and(|into| self.named.contains(&into))
            });
            let below: Vec<EntityId> = below.copied().collect();
            if below.is_empty() {
                break;
            }
            self.named.extend(below);
        }
        self.entities.extend(&self.named);
        let about = past.last().filter(|p| self.is_only_subject(p)).map(|p| p.id).collect::<Vec<_>>();
        self.statements.extend(about);
        Ok(())
    }

    /// Whether a statement has no subject beside the erased entities; one without a subject is about whatever it mentions.
    fn is_only_subject(&self, statement: &Proposition) -> bool {
        let is_named = |mention: &&crate::proposition::Mention| {
            mention.entity.is_some_and(|entity| self.named.contains(&entity))
        };
        let mut subjects = statement.mentions.iter().filter(|m| m.role == MentionRole::Subject).peekable();
        match subjects.peek() {
            Some(_) => subjects.all(|mention| is_named(&mention)),
            None => !statement.mentions.is_empty() && statement.mentions.iter().all(|m| is_named(&m)),
        }
    }

    /// Whether a statement rests on erased turns and on nothing else.
    fn leaves_bare(&self, statement: &Proposition) -> bool {
        if !self.is_evidence(statement) {
            return false;
        }
        let mut rest = statement.clone();
        self.take_evidence(&mut rest) > 0
            && rest.grounding.is_empty()
            && rest.provenance.is_empty()
            && rest.source_ids.is_empty()
    }

    /// Whether any of its witnesses goes.
    fn is_evidence(&self, statement: &Proposition) -> bool {
        let is_ours = |chunk: &str| chunk.parse().is_ok_and(|turn| self.turns.contains(&turn));
        statement.grounding.iter().any(|turn| self.turns.contains(turn))
            || statement.provenance.iter().any(|entry| entry.chunk_id.as_deref().is_some_and(is_ours))
    }

    /// Takes the evidence that goes; returns how many witnesses that were.
    pub(super) fn take_evidence(&self, statement: &mut Proposition) -> usize {
        let before = statement.grounding.len() + statement.provenance.len();
        let is_ours = |chunk: &str| chunk.parse().is_ok_and(|turn| self.turns.contains(&turn));
        statement.grounding.retain(|turn| !self.turns.contains(turn));
        statement.provenance.retain(|entry| !entry.chunk_id.as_deref().is_some_and(is_ours));
        let left = statement.grounding.len() + statement.provenance.len();
        if statement.source_ids.iter().any(|id| !self.statements.contains(id)) {
            statement.source_ids.retain(|id| !self.statements.contains(id));
        }
        before - left
    }

    /// What says the same, and what rests on nothing else.
    async fn close<C: Clock>(&mut self, past: &Past<'_>, pace: &mut Pace<'_, C>) -> Result<(), Error> {
        // What says the same and rests on what stays goes with the statement, and stays when a source goes.
        let by_source = !self.turns.is_empty();
        let mut forms: BTreeSet<String> = BTreeSet::new();
        let mut read: BTreeSet<PropositionId> = BTreeSet::new();
        loop {
            let before = self.statements.len();
            for id in self.statements.iter().filter(|_| !by_source) {
                if !read.insert(*id) {
                    continue;
                }
                for p in past.statements.get(id).into_iter().flatten() {
                    pace.rest().await?;
                    forms.insert(text::canonical(&p.text));
                }
            }
            for (one, other) in past.twins.iter().filter(|_| !by_source) {
                if self.statements.contains(one) || self.statements.contains(other) {
                    self.statements.extend([*one, *other]);
                }
            }
            let mut more: Vec<PropositionId> = Vec::new();
            for p in past.last() {
                pace.rest().await?;
                let rests =
                    !p.source_ids.is_empty() && p.source_ids.iter().all(|id| self.statements.contains(id));
                if rests || (!by_source && past.form(p).is_some_and(|form| forms.contains(form))) {
                    more.push(p.id);
                }
            }
            self.statements.extend(more);
            if self.statements.len() == before {
                return Ok(());
            }
        }
    }

    fn orphans(&mut self, past: &Past<'_>) {
        let mut spoken = BTreeSet::new();
        let mut kept = BTreeSet::new();
        for (id, wordings) in &past.statements {
            let goes = self.statements.contains(id);
            let mentioned = wordings.iter().flat_map(|p| p.entities());
            if goes { spoken.extend(mentioned) } else { kept.extend(mentioned) }
        }
        for report in past.found.values() {
            let is_gone = matches!(&report.source, crate::entity::EntitySource::Conversation { id } if self.conversations.contains(id));
            if !is_gone {
                kept.extend(report.sightings.iter().map(|sighting| sighting.entity));
            }
        }
        let last = |id: &EntityId| past.entities.get(id).and_then(|forms| forms.last());
        let into_kept =
            |id: &EntityId| last(id).and_then(|e| e.merged_into).is_some_and(|into| kept.contains(&into));
        let is_orphan = |id: &EntityId| {
            !kept.contains(id)
                && !into_kept(id)
                && last(id).is_some_and(|entity| !entity.is_user && !entity.name_is_chosen)
        };
        self.entities.extend(spoken.into_iter().filter(is_orphan));
    }

    /// Ids of what goes, as they are stored.
    pub(super) fn ids(&self) -> BTreeSet<String> {
        let statements = self
            .statements
            .iter()
            .flat_map(|id| [RecordId::Proposition(*id).to_string(), RecordId::Unit(*id).to_string()]);
        let entities = self.entities.iter().map(ToString::to_string);
        let turns = self.turns.iter().map(ToString::to_string);
        let conversations = self.conversations.iter().map(ToString::to_string);
        statements.chain(entities).chain(turns).chain(conversations).collect()
    }
}

//! What a person or program is shown of entities: the index with its counts, and one entity's page with everything on it. Pure
//! reads. Mentions and links of an entity that was merged away are counted where it went, and its page is its keeper's.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Memory;
use super::view::{EntityView, PropositionView, SourceView};
use crate::entity::{DuplicatePair, Entity, duplicates};
use crate::error::Error;
use crate::history::{Actor, Blame, Cause, Commit, Record, RecordId, State};
use crate::id::{CommitId, EntityId, PropositionId, TurnId};
use crate::ports::Ports;
use crate::proposition::{MentionRole, Proposition};
use crate::text;
use crate::time::Timestamp;

/// Most commits on a page's timeline; the newest stay. Chosen by us: more than a person reads, and bounded for the user's own page.
const TIMELINE: usize = 200;

/// The order of an index of entities. The user always comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EntityOrder {
    /// By the shown name, without regard to case.
    #[default]
    Name,
    /// Most live statements first.
    Statements,
    /// Last changed first.
    Recent,
}

/// Which entities to list. The default lists all, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct EntityQuery {
    /// Part of a name, an alias or the description, in any case; blank: all.
    pub text: String,
    /// A kind, without regard to case.
    pub label: Option<String>,
    /// Only those that live statements mention.
    pub with_statements: bool,
    /// In which order.
    pub order: EntityOrder,
    /// At most so many; `None`: all.
    pub limit: Option<usize>,
}

/// A name and where it came from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NameView {
    /// The name.
    pub name: String,
    /// Whether it is the one that is shown.
    pub is_shown: bool,
    /// The entity that a merge brought it from.
    pub merged_from: Option<EntityId>,
    /// The commit in which it first occurs here.
    pub since: Option<CommitView>,
}

/// A commit, in one line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommitView {
    /// The commit.
    pub commit: CommitId,
    /// Its position.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// Why it was made.
    pub cause: Cause,
    /// Who made it.
    pub actor: Actor,
    /// In words for a person: what it says of itself, and of the records that it changed here.
    pub reasons: Vec<String>,
}

impl CommitView {
    pub(super) fn of(commit: &Commit) -> Self {
        Self {
            commit: commit.id,
            seq: commit.seq,
            at: commit.at,
            cause: commit.cause,
            actor: commit.actor,
            reasons: vec![commit.reason.clone()],
        }
    }
    fn add(&mut self, why: &str) {
        if !why.is_empty() && !self.reasons.iter().any(|known| known == why) {
            self.reasons.push(why.to_owned());
        }
    }
}

/// One mention of the entity.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MentionView {
    /// The statement.
    pub proposition: PropositionId,
    /// The mention's place in it, from 0.
    pub mention: usize,
    /// As the statement says it.
    pub span: String,
    /// The kind that was seen there.
    pub kind: String,
    /// What it does there.
    pub role: MentionRole,
    /// The entity that it meant before this one took that over in a merge.
    pub came_from: Option<EntityId>,
    /// The turns that the statement rests on; the page's `turns` quotes them.
    pub turns: Vec<TurnId>,
}

/// Another entity that it may be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DuplicateView {
    /// The pair, and why.
    pub pair: DuplicatePair,
    /// The other one.
    pub other: EntityView,
}

/// An entity that was merged into this one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MergedView {
    /// Identity: what `unmerge` takes.
    pub entity: EntityId,
    /// The name that it had.
    pub name: String,
    /// Its kinds.
    pub labels: Vec<String>,
    /// Names that it brought.
    pub names: Vec<String>,
    /// The commit that merged it.
    pub merged: Option<CommitView>,
}

/// Everything about one entity.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntityPage {
    /// The entity in short, with its counts.
    pub view: EntityView,
    /// The entity as it is stored.
    pub entity: Entity,
    /// The merged entity that was asked for, when this is its keeper.
    pub redirected_from: Option<EntityId>,
    /// Its names, the shown one first.
    pub names: Vec<NameView>,
    /// Live statements that mention it, last changed first.
    pub statements: Vec<PropositionView>,
    /// Statements of every other status that mention it, last changed first.
    pub retired: Vec<PropositionView>,
    /// Its mentions, in the order of `statements` and `retired`.
    pub mentions: Vec<MentionView>,
    /// The turns that mention it, by a statement or by an entity-only run, oldest first.
    pub turns: Vec<SourceView>,
    /// Pieces of text outside conversations in which entity-only runs found it.
    pub chunks: Vec<String>,
    /// What it may be the same as, most alike first.
    pub duplicates: Vec<DuplicateView>,
    /// What was merged into it, in order.
    pub merged: Vec<MergedView>,
    /// Commits that changed it, its statements, or what was merged into it, newest first: at most 200.
    pub timeline: Vec<CommitView>,
    /// Older commits that the timeline leaves out.
    pub timeline_left_out: usize,
}

/// What is counted of each entity.
#[derive(Default)]
struct Counts {
    live: usize,
    retired: usize,
    seen: BTreeSet<String>,
    last_touched: Timestamp,
}

fn counts(state: &State) -> BTreeMap<EntityId, Counts> {
    let mut counts: BTreeMap<EntityId, Counts> = BTreeMap::new();
    let keeper = |id: EntityId| state.keeper(id).map(|entity| entity.id);
    for proposition in state.propositions() {
        for id in proposition.entities().filter_map(keeper).collect::<BTreeSet<_>>() {
            let count = counts.entry(id).or_default();
            *(if proposition.status.is_live() { &mut count.live } else { &mut count.retired }) += 1;
            count.last_touched = count.last_touched.max(proposition.last_touched());
        }
    }
    for report in state.entity_reports() {
        for sighting in &report.sightings {
            if let Some(id) = keeper(sighting.entity) {
                counts.entry(id).or_default().seen.insert(sighting.chunk.clone());
            }
        }
    }
    counts
}

fn view(entity: &Entity, counts: Option<&Counts>) -> EntityView {
    EntityView {
        id: entity.id,
        name: entity.name.clone(),
        labels: entity.labels.clone(),
        aliases: entity.aliases.clone(),
        description: entity.description.clone(),
        is_user: entity.is_user,
        propositions: counts.map_or(0, |c| c.live),
        retired: counts.map_or(0, |c| c.retired),
        seen: counts.map_or(0, |c| c.seen.len()),
        last_touched: counts.map_or(entity.revised, |c| c.last_touched.max(entity.revised)),
    }
}

impl<P: Ports> Memory<P> {
    /// Every entity, the user first, then by name. Those that were merged away are not listed.
    pub fn entities(&self) -> Vec<EntityView> {
        self.find_entities(&EntityQuery::default())
    }

    /// Entities that pass a query, in its order. Those that were merged away are not listed.
    pub fn find_entities(&self, query: &EntityQuery) -> Vec<EntityView> {
        let state = self.state();
        let counts = counts(&state);
        let wanted = text::fold(query.text.trim());
        let passes = |view: &EntityView| {
            let words = || view.aliases.iter().chain([&view.name, &view.description]);
            (wanted.is_empty() || words().any(|words| text::fold(words).contains(&wanted)))
                && query.label.as_ref().is_none_or(|label| {
                    view.labels.iter().any(|known| text::fold(known) == text::fold(label.trim()))
                })
                && (!query.with_statements || view.propositions > 0)
        };
        let all = state.present_entities().map(|entity| view(entity, counts.get(&entity.id)));
        let mut views: Vec<EntityView> = all.filter(passes).collect();
        views.sort_by_cached_key(|view| {
            let rank = match query.order {
                EntityOrder::Name => 0,
                EntityOrder::Statements => -i64::try_from(view.propositions).unwrap_or(i64::MAX),
                EntityOrder::Recent => view.last_touched.0.saturating_neg(),
            };
            (!view.is_user, rank, text::fold(&view.name), view.name.clone(), view.id)
        });
        views.truncate(query.limit.unwrap_or(usize::MAX));
        views
    }

    /// Everything about one entity. An entity that was merged away shows its keeper's page.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown or forgotten entity.
    pub fn entity_page(&self, id: EntityId) -> Result<EntityPage, Error> {
        let state = self.state();
        let Some(entity) = state.keeper(id) else { return Err(Error::NotFound { record: id.to_string() }) };
        let here = entity.id;
        let is_here = |id: EntityId| state.keeper(id).is_some_and(|keeper| keeper.id == here);
        let all = counts(&state);
        let now = self.now().at;

        let mut about: Vec<&Proposition> =
            state.propositions().filter(|p| p.entities().any(is_here)).collect();
        about.sort_by_key(|p| (!p.status.is_live(), std::cmp::Reverse((p.last_touched(), p.id))));
        let views: Vec<PropositionView> = about.iter().filter_map(|p| self.present_view(p.id, now)).collect();
        let (statements, retired) = views.into_iter().partition(|v| v.proposition.status.is_live());

        let mut turns: BTreeSet<TurnId> = about.iter().flat_map(|p| p.grounding.iter().copied()).collect();
        let mut chunks = BTreeSet::new();
        for chunk in all.get(&here).into_iter().flat_map(|c| &c.seen) {
            match chunk.parse::<TurnId>() {
                Ok(turn) => {
                    turns.insert(turn);
                }
                Err(_) => {
                    chunks.insert(chunk.clone());
                }
            }
        }
        let mut turns: Vec<SourceView> = turns.into_iter().filter_map(|turn| self.source(turn)).collect();
        turns.sort_by_key(|source| (source.at.at, source.turn));

        let duplicates = duplicates::pairs_of(&state, here)
            .into_iter()
            .filter_map(|pair| {
                let other = state.entity(if pair.one == here { pair.other } else { pair.one })?;
                Some(DuplicateView { other: view(other, all.get(&other.id)), pair })
            })
            .collect();
        let (timeline, timeline_left_out) = self.timeline(&state, here, &about);
        Ok(EntityPage {
            view: view(entity, all.get(&here)),
            redirected_from: (id != here).then_some(id),
            names: self.names_of(entity),
            mentions: about.iter().flat_map(|p| mentions(p, is_here)).collect(),
            statements,
            retired,
            turns,
            chunks: chunks.into_iter().collect(),
            duplicates,
            merged: entity
                .merged
                .iter()
                .filter_map(|merged| self.merged_view(&state, here, merged))
                .collect(),
            timeline,
            timeline_left_out,
            entity: entity.clone(),
        })
    }

    fn entity_history(&self, id: EntityId) -> Vec<(Blame, Option<Entity>)> {
        let log = self.log();
        let steps = log.history(RecordId::Entity(id));
        let value = |step: Blame| match &step.revision.value {
            Some(Record::Entity(entity)) => {
                let entity = entity.clone();
                (step, Some(entity))
            }
            _ => (step, None),
        };
        steps.map(value).collect()
    }

    fn names_of(&self, entity: &Entity) -> Vec<NameView> {
        let history = self.entity_history(entity.id);
        let since = |name: &str| {
            // The last time that it came: a name that was taken away and given back has the later date.
            let has = |entity: &Option<Entity>| entity.as_ref().is_some_and(|e| e.names().any(|n| n == name));
            let after = history.iter().rposition(|(_, e)| !has(e)).map_or(0, |n| n + 1);
            let (step, _) = history.get(after)?;
            let mut view = CommitView::of(&step.commit);
            view.add(&step.revision.why);
            Some(view)
        };
        entity
            .names()
            .map(|name| NameView {
                name: name.to_owned(),
                is_shown: name == entity.name,
                merged_from: entity
                    .merged
                    .iter()
                    .find(|m| m.names.iter().any(|n| n == name))
                    .map(|m| m.entity),
                since: since(name),
            })
            .collect()
    }

    fn merged_view(
        &self,
        state: &State,
        keeper: EntityId,
        merged: &crate::entity::Merged,
    ) -> Option<MergedView> {
        let gone = state.entity(merged.entity).filter(|gone| gone.merged_into == Some(keeper))?;
        let history = self.entity_history(gone.id);
        let before = |e: &Option<Entity>| e.as_ref().is_none_or(|e| e.merged_into != Some(keeper));
        let after = history.iter().rposition(|(_, e)| before(e)).map_or(0, |n| n + 1);
        Some(MergedView {
            entity: gone.id,
            name: gone.name.clone(),
            labels: gone.labels.clone(),
            names: merged.names.clone(),
            merged: history.get(after).map(|(step, _)| CommitView::of(&step.commit)),
        })
    }

    /// Commits that changed the entity, what is merged into it, or statements that mention it, newest first.
    fn timeline(&self, state: &State, here: EntityId, about: &[&Proposition]) -> (Vec<CommitView>, usize) {
        let log = self.log();
        let parts = state.entities().filter(|e| state.keeper(e.id).is_some_and(|k| k.id == here));
        let records =
            parts.map(|e| RecordId::Entity(e.id)).chain(about.iter().map(|p| RecordId::Proposition(p.id)));
        let mut commits: BTreeMap<u64, CommitView> = BTreeMap::new();
        for record in records {
            for step in log.history(record) {
                let view = commits.entry(step.commit.seq).or_insert_with(|| CommitView::of(&step.commit));
                view.add(&step.revision.why);
            }
        }
        let left_out = commits.len().saturating_sub(TIMELINE);
        (commits.into_values().rev().take(TIMELINE).collect(), left_out)
    }
}

fn mentions(proposition: &Proposition, is_here: impl Fn(EntityId) -> bool) -> Vec<MentionView> {
    let here = proposition.mentions.iter().enumerate().filter(|(_, m)| m.entity.is_some_and(&is_here));
    here.map(|(n, m)| MentionView {
        proposition: proposition.id,
        mention: n,
        span: m.span.clone(),
        kind: m.kind.clone(),
        role: m.role,
        came_from: m.was.first().copied(),
        turns: proposition.grounding.clone(),
    })
    .collect()
}

//! Merging two entities, taking a merge back, and splitting one: planned in a scope, so that each is one commit.
//!
//! - A merge points every mention of the other at the keeper, whatever the statement's status, and gives the keeper the names,
//!   labels, properties and description that it lacks. Of the clocks of a statement only the administrative one moves: its words did
//!   not change, and a merge must not make old statements fresh again (dice 1.2 moves the content clock with mentions).
//! - Unmerging is exact at any later time: mentions remember where they pointed ([`Mention::was`](crate::proposition::Mention)), the keeper remembers
//!   what each merge gave it. What was said since stays with the keeper. Merges may be nested and taken back in any order.
//! - Statements that now say the same or stand against each other are left alone and listed ([`Alike`]): a person who joins two names has
//!   not yet judged their statements.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::names::{clean_labels, clean_name};
use super::{Entity, Merged};
use crate::error::Error;
use crate::history::{RecordId, Scope, State};
use crate::id::{CommitId, EntityId, PropositionId, TurnId};
use crate::proposition::Proposition;
use crate::resolution::name_key;
use crate::revision::{Decision, Known, Neighbour, Relation, Rules, decide_by_rules};
use crate::schema::KnowledgeSchema;
use crate::time::Timestamp;

/// Most pairs of statements that a merge compares. Two entities of 200 statements each stay below; above it the rest is not compared.
const MAX_PAIRS: usize = 40_000;

/// Two live statements that meet in one entity since it was merged, and what revision would make of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alike {
    /// The statement that came along.
    pub came: PropositionId,
    /// The keeper's own.
    pub own: PropositionId,
    /// `IDENTICAL` or `CONTRADICTORY`.
    pub relation: Relation,
    /// Why, in words for a person.
    pub why: String,
}

/// What a person's act on an entity did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntityAct {
    /// The entity to show next: the keeper, the one that is back, the new one.
    pub entity: EntityId,
    /// The commit; `None` when nothing differed.
    pub commit: Option<CommitId>,
    /// Statements whose mentions changed, in order of id.
    pub propositions: Vec<PropositionId>,
    /// Names that moved.
    pub names: Vec<String>,
    /// Statements that now meet (merges only).
    pub now_alike: Vec<Alike>,
}

impl EntityAct {
    pub(crate) fn on(entity: EntityId) -> Self {
        Self { entity, commit: None, propositions: Vec::new(), names: Vec::new(), now_alike: Vec::new() }
    }
}

/// One mention of one statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MentionRef {
    /// The statement.
    pub proposition: PropositionId,
    /// The mention's place in it, from 0.
    pub mention: usize,
}

/// What a new entity takes from the one that it is split off.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Split {
    /// The new one's name. It may be the old one's shown name (homonyms): then both have it.
    pub name: String,
    /// Statements all of whose mentions of the old one move.
    pub propositions: Vec<PropositionId>,
    /// Single mentions that move.
    pub mentions: Vec<MentionRef>,
    /// Turns of entity-only runs that meant the new one.
    pub turns: Vec<TurnId>,
    /// Its other names; those that the old one has move away from there.
    pub aliases: Vec<String>,
    /// Its kinds; none: the old one's.
    pub labels: Vec<String>,
}

/// An entity that stands for itself.
pub(crate) fn present(state: &State, id: EntityId) -> Result<&Entity, Error> {
    let Some(entity) = state.entity(id) else { return Err(Error::NotFound { record: id.to_string() }) };
    match state.keeper(id) {
        Some(keeper) if keeper.id != id => {
            let problem = format!(
                "`{}` was merged into `{}`: use that one, or take the merge back first",
                entity.name, keeper.name
            );
            Err(Error::Invalid { what: "entity", problem })
        }
        _ => Ok(entity),
    }
}

/// Plans that `other` is `keep`.
pub(crate) fn plan_merge(
    state: &State,
    scope: &Scope,
    keep: EntityId,
    other: EntityId,
    schema: &KnowledgeSchema,
    now: Timestamp,
) -> Result<EntityAct, Error> {
    if keep == other {
        let problem = "an entity cannot be merged with itself; choose another".to_owned();
        return Err(Error::Invalid { what: "entity", problem });
    }
    let (mut keeper, mut gone) = (present(state, keep)?.clone(), present(state, other)?.clone());
    if gone.is_user {
        let problem = format!(
            "`{}` is the person whose memory this is and must stay: merge `{}` into it instead",
            gone.name, keeper.name
        );
        return Err(Error::Invalid { what: "entity", problem });
    }
    let mut act = EntityAct::on(keep);
    act.names = keeper.absorb(&gone);
    keeper.revised = now;
    gone.merged_into = Some(keep);
    gone.revised = now;
    let own: Vec<Proposition> = about(state, keep).filter(|p| p.status.is_live()).cloned().collect();
    let mut came = Vec::new();
    for proposition in about(state, other) {
        let mut moved = proposition.clone();
        for mention in &mut moved.mentions {
            if mention.entity == Some(other) {
                mention.entity = Some(keep);
                mention.was.push(other);
            }
        }
        moved.metadata_revised = now;
        act.propositions.push(moved.id);
        if moved.status.is_live() {
            came.push(moved.clone());
        }
        scope.put(state, moved, format!("`{}` is `{}`", gone.name, keeper.name));
    }
    act.now_alike = alike(&came, &own, schema);
    let why = format!("merged with `{}`", gone.name);
    scope.put(state, keeper, why);
    scope.put(state, gone, "merged away");
    Ok(act)
}

fn about(state: &State, entity: EntityId) -> impl Iterator<Item = &Proposition> {
    state.propositions().filter(move |p| p.entities().any(|id| id == entity))
}

/// What revision's rules would make of each statement that came along, among the keeper's own.
fn alike(came: &[Proposition], own: &[Proposition], schema: &KnowledgeSchema) -> Vec<Alike> {
    let shared: BTreeSet<PropositionId> = came.iter().map(|p| p.id).collect();
    let own: Vec<Neighbour<'_>> =
        own.iter().filter(|p| !shared.contains(&p.id)).map(Neighbour::new).collect();
    let known = Known { near: &own, retired: &[], schema, overlap_filter: true };
    let mut found = Vec::new();
    let most = MAX_PAIRS / own.len().max(1);
    for new in came.iter().take(most) {
        let (relation, ids, why) = match decide_by_rules(new, &known, |_| false) {
            Rules::Sure(Decision::Merge { into, why }) => (Relation::Identical, vec![into], why),
            Rules::Sure(Decision::Contradict { others, why, .. } | Decision::Dispute { others, why }) => {
                (Relation::Contradictory, others, why)
            }
            Rules::Sure(Decision::Outdated { by, why, .. }) => (Relation::Contradictory, vec![by], why),
            _ => continue,
        };
        found.extend(ids.into_iter().map(|own| Alike { came: new.id, own, relation, why: why.clone() }));
    }
    found
}

impl Entity {
    /// Takes what `other` has and this one lacks, and writes down what that was. Returns the names that are new here.
    fn absorb(&mut self, other: &Entity) -> Vec<String> {
        let names: Vec<String> = missing(other.names(), |name| self.names().any(|known| known == name));
        let labels: Vec<String> =
            missing(other.labels.iter().map(String::as_str), |label| self.has_label(label));
        let properties: Vec<String> =
            missing(other.properties.keys().map(String::as_str), |key| self.properties.contains_key(key));
        self.aliases.extend(names.iter().cloned());
        self.labels.extend(labels.iter().cloned());
        for key in &properties {
            if let Some(value) = other.properties.get(key) {
                self.properties.insert(key.clone(), value.clone());
            }
        }
        let described = self.description.is_empty() && !other.description.is_empty();
        if described {
            self.description.clone_from(&other.description);
        }
        let shown_before = self.show_better_of(&names);
        // An entry that an undo left behind is not repeated.
        self.merged.retain(|merged| merged.entity != other.id);
        self.merged.push(Merged {
            entity: other.id,
            names: names.clone(),
            labels,
            properties,
            described,
            shown_before,
        });
        names
    }

    /// Gives back what `gone` lists. What another entity that is still merged here has as well stays, and is written down as that one's.
    /// Returns what is really away.
    fn give_back(&mut self, gone: &Merged, state: &State) -> Merged {
        let others = |merged: &Merged| state.entity(merged.entity).filter(|_| merged.entity != gone.entity);
        let still: Vec<Option<&Entity>> = self.merged.iter().map(others).collect();
        let mut away = Merged { names: vec![], labels: vec![], properties: vec![], ..gone.clone() };
        for name in &gone.names {
            let heir = still.iter().position(|e| e.is_some_and(|e| e.names().any(|n| n == name)));
            match heir {
                Some(heir) => {
                    let heir = &mut self.merged[heir];
                    heir.names.push(name.clone());
                    if *name == self.name && heir.shown_before.is_none() {
                        heir.shown_before.clone_from(&gone.shown_before);
                    }
                }
                None => away.names.push(name.clone()),
            }
        }
        for label in &gone.labels {
            match still.iter().position(|e| e.is_some_and(|e| e.has_label(label))) {
                Some(heir) => self.merged[heir].labels.push(label.clone()),
                None => away.labels.push(label.clone()),
            }
        }
        for key in &gone.properties {
            match still.iter().position(|e| e.is_some_and(|e| e.properties.contains_key(key))) {
                Some(heir) => {
                    if let Some(value) = still[heir].and_then(|e| e.properties.get(key)) {
                        self.properties.insert(key.clone(), value.clone());
                    }
                    self.merged[heir].properties.push(key.clone());
                }
                None => away.properties.push(key.clone()),
            }
        }
        if gone.described {
            match still.iter().position(|e| e.is_some_and(|e| !e.description.is_empty())) {
                Some(heir) => {
                    self.description = still[heir].map(|e| e.description.clone()).unwrap_or_default();
                    self.merged[heir].described = true;
                    away.described = false;
                }
                None => self.description.clear(),
            }
        }
        if away.names.contains(&self.name) && !self.name_is_chosen {
            let before = gone.shown_before.as_ref().filter(|name| self.aliases.contains(name)).cloned();
            let next =
                before.or_else(|| self.aliases.iter().find(|alias| !away.names.contains(alias)).cloned());
            if let Some(next) = next {
                self.aliases.retain(|alias| *alias != next);
                self.name = next;
            }
        }
        for merged in &mut self.merged {
            if merged.shown_before.as_ref().is_some_and(|name| away.names.contains(name)) {
                merged.shown_before.clone_from(&gone.shown_before);
            }
        }
        self.aliases.retain(|alias| !away.names.contains(alias));
        self.labels.retain(|label| !away.labels.contains(label));
        self.properties.retain(|key, _| !away.properties.contains(key));
        away
    }
}

fn missing<'a>(names: impl Iterator<Item = &'a str>, is_known: impl Fn(&str) -> bool) -> Vec<String> {
    let mut new: Vec<String> = Vec::new();
    for name in names {
        if !is_known(name) && !new.iter().any(|known| known == name) {
            new.push(name.to_owned());
        }
    }
    new
}

/// Plans that a merge is taken back: `other` stands for itself again.
pub(crate) fn plan_unmerge(
    state: &State,
    scope: &Scope,
    other: EntityId,
    now: Timestamp,
) -> Result<EntityAct, Error> {
    let Some(mut back) = state.entity(other).cloned() else {
        return Err(Error::NotFound { record: other.to_string() });
    };
    // An undo that met later changes can leave a keeper that still lists what is no longer merged into it.
    let listed = || state.entities().find(|e| e.merged.iter().any(|m| m.entity == other)).map(|e| e.id);
    let Some(first) = back.merged_into.or_else(listed) else {
        let problem = format!("`{}` was not merged into another: there is nothing to take back", back.name);
        return Err(Error::Invalid { what: "entity", problem });
    };
    let mut act = EntityAct::on(other);
    let mut above = state.entity(first).cloned();
    let mut root = first;
    let mut gone = None;
    let mut below = other;
    while let Some(mut keeper) = above {
        root = keeper.id;
        let gives = match &gone {
            None => {
                let place = keeper.merged.iter().position(|m| m.entity == below);
                place.map(|place| keeper.merged.remove(place))
            }
            // Further up, only what came from here and is not there any more.
            Some(away) => keeper.merged.iter_mut().find(|m| m.entity == below).map(|m| passed_on(m, away)),
        };
        let away = gives.map(|gives| keeper.give_back(&gives, state));
        if gone.is_none() {
            act.names = away.as_ref().map(|away| away.names.clone()).unwrap_or_default();
        }
        keeper.revised = now;
        below = keeper.id;
        above = keeper.merged_into.and_then(|id| state.entity(id).cloned());
        scope.put(state, keeper, format!("`{}` stands for itself again", back.name));
        match away {
            Some(away) => gone = Some(away),
            None => break,
        }
    }
    let root = state.keeper(root).map_or(root, |keeper| keeper.id);
    for proposition in state.propositions() {
        let mut moved = proposition.clone();
        let mut is_moved = false;
        let is_here = |id: EntityId| state.keeper(id).is_some_and(|keeper| keeper.id == root);
        for mention in moved.mentions.iter_mut().filter(|m| m.entity.is_some_and(is_here)) {
            if let Some(place) = mention.was.iter().position(|was| *was == other) {
                mention.was.truncate(place);
                mention.entity = Some(other);
                is_moved = true;
            }
        }
        if is_moved {
            moved.metadata_revised = now;
            act.propositions.push(moved.id);
            scope.put(state, moved, format!("means `{}` again", back.name));
        }
    }
    back.merged_into = None;
    back.revised = now;
    scope.put(state, back, "the merge was taken back");
    Ok(act)
}

/// The part of what an entity passed on to its own keeper that is now away; no longer listed there.
fn passed_on(entry: &mut Merged, away: &Merged) -> Merged {
    let take = |list: &mut Vec<String>, away: &[String]| -> Vec<String> {
        let (taken, kept) = std::mem::take(list).into_iter().partition(|item| away.contains(item));
        *list = kept;
        taken
    };
    let described = entry.described && away.described;
    entry.described &= !described;
    Merged {
        entity: entry.entity,
        names: take(&mut entry.names, &away.names),
        labels: take(&mut entry.labels, &away.labels),
        properties: take(&mut entry.properties, &away.properties),
        described,
        shown_before: entry.shown_before.clone(),
    }
}

/// Plans that part of what is known of `id` is about another entity, `new`.
pub(crate) fn plan_split(
    state: &State,
    scope: &Scope,
    id: EntityId,
    new: EntityId,
    split: &Split,
    now: Timestamp,
) -> Result<EntityAct, Error> {
    let mut old = present(state, id)?.clone();
    let invalid = |problem: String| Error::Invalid { what: "split", problem };
    let name = clean_name(&split.name)?;
    let aliases = split.aliases.iter().map(|alias| clean_name(alias)).collect::<Result<Vec<_>, _>>()?;
    let labels = clean_labels(&split.labels)?;
    let mut act = EntityAct::on(new);
    let mut moves: std::collections::BTreeMap<PropositionId, Proposition> = Default::default();
    let whole = split.propositions.iter().map(|id| (*id, None));
    for (proposition, place) in whole.chain(split.mentions.iter().map(|m| (m.proposition, Some(m.mention)))) {
        let stored = state
            .proposition(proposition)
            .ok_or_else(|| Error::NotFound { record: proposition.to_string() })?;
        let moved = moves.entry(proposition).or_insert_with(|| stored.clone());
        let mut any = false;
        for (n, mention) in moved.mentions.iter_mut().enumerate() {
            let is_meant = stored.mentions[n].entity == Some(id) && place.is_none_or(|place| place == n);
            if is_meant {
                mention.entity = Some(new);
                // A person has decided anew whom it means: earlier merges do not claim it back.
                mention.was.clear();
                any = true;
            }
        }
        if !any {
            let where_ = place.map_or(String::new(), |n| format!(" in its mention {n}"));
            return Err(invalid(format!("{proposition} does not mention `{}`{where_}", old.name)));
        }
    }
    let shown = name_key(&old.name);
    let shown_moves = aliases.iter().any(|alias| name_key(alias) == shown);
    let keys: BTreeSet<String> = aliases.iter().chain([&name]).map(|name| name_key(name)).collect();
    // Every spelling in which resolution would meet the name, but for the one that both share.
    let leaves = |alias: &&String| {
        let key = name_key(alias);
        keys.contains(&key) && (shown_moves || key != shown)
    };
    act.names = old.aliases.iter().filter(leaves).cloned().collect();
    if shown_moves {
        act.names.push(old.name.clone());
    }
    old.forget_names(&act.names);
    if shown_moves {
        if old.aliases.is_empty() {
            let problem = format!("`{}` would be left without a name: rename it first", old.name);
            return Err(invalid(problem));
        }
        old.name = old.aliases.remove(0);
        old.show_best_name();
        old.name_is_chosen = false;
    }
    let chunks: BTreeSet<String> = split.turns.iter().map(ToString::to_string).collect();
    let is_seen =
        |s: &super::Sighting| chunks.contains(&s.chunk) && state.keeper(s.entity).is_some_and(|k| k.id == id);
    let reports: Vec<_> = state.entity_reports().filter(|r| r.sightings.iter().any(is_seen)).collect();
    if moves.is_empty() && act.names.is_empty() && reports.is_empty() {
        let problem =
            format!("nothing of `{}` would move: name statements, mentions, turns or aliases", old.name);
        return Err(invalid(problem));
    }
    for report in reports {
        let mut report = report.clone();
        for sighting in report.sightings.iter_mut().filter(|s| is_seen(s)) {
            sighting.entity = new;
        }
        scope.put(state, report, "");
    }
    for (moved, mut proposition) in moves {
        proposition.metadata_revised = now;
        act.propositions.push(moved);
        scope.put(state, proposition, format!("is about `{name}`, not about `{}`", old.name));
    }
    let mut made = Entity::new(new, &name, "", now);
    made.labels = if labels.is_empty() { old.labels.clone() } else { labels };
    for alias in aliases {
        if !made.names().any(|known| known == alias) {
            made.aliases.push(alias);
        }
    }
    made.name_is_chosen = true;
    made.distinct_from.push(id);
    old.distinct_from.push(new);
    old.revised = now;
    scope.put(state, made, format!("split off `{}`", old.name));
    scope.put(state, old, format!("`{name}` was split off"));
    Ok(act)
}

/// Plans that an entity is unknown again: mentions of it, in statements of every status, become unresolved.
pub(crate) fn plan_forget(
    state: &State,
    scope: &Scope,
    id: EntityId,
    only_unused: bool,
    now: Timestamp,
) -> Result<EntityAct, Error> {
    let entity = present(state, id)?.clone();
    let invalid = |problem: String| Error::Invalid { what: "entity", problem };
    if entity.is_user {
        let problem = format!("`{}` is the person whose memory this is and must stay", entity.name);
        return Err(invalid(problem));
    }
    // Itself and everything that was merged into it.
    let gone: BTreeSet<EntityId> =
        state.entities().filter(|e| state.keeper(e.id).is_some_and(|k| k.id == id)).map(|e| e.id).collect();
    let is_gone = |m: &crate::proposition::Mention| m.entity.is_some_and(|e| gone.contains(&e));
    let live = state.propositions().filter(|p| p.status.is_live() && p.mentions.iter().any(is_gone)).count();
    if only_unused && live > 0 {
        let problem = format!(
            "`{}` is mentioned by {live} live statements: forget those, merge it, or forget it together with its mentions",
            entity.name
        );
        return Err(invalid(problem));
    }
    let mut act = EntityAct::on(id);
    act.names = entity.names().map(str::to_owned).collect();
    for proposition in state.propositions().filter(|p| p.mentions.iter().any(is_gone)) {
        let mut left = proposition.clone();
        for mention in left.mentions.iter_mut().filter(|m| is_gone(m)) {
            mention.entity = None;
            mention.was.clear();
        }
        left.metadata_revised = now;
        act.propositions.push(left.id);
        scope.put(state, left, "the entity that it mentions was forgotten");
    }
    for known in state.entities().filter(|e| !gone.contains(&e.id)) {
        let mut other = known.clone();
        other.possible_duplicates.retain(|d| !gone.contains(&d.entity));
        other.distinct_from.retain(|id| !gone.contains(id));
        if other != *known {
            scope.put(state, other, "");
        }
    }
    for known in state.entity_reports() {
        let mut report = known.clone();
        report.sightings.retain(|s| !gone.contains(&s.entity));
        report.found.retain(|f| !gone.contains(&f.entity));
        if report != *known {
            scope.put(state, report, "");
        }
    }
    for id in gone {
        scope.remove(state, RecordId::Entity(id), "forgotten by a person");
    }
    Ok(act)
}

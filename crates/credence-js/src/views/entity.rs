//! Entities as JavaScript sees them: in a list, in full, and what a person's act on one did.

use std::collections::BTreeMap;

use credence::entity;
use credence::history::{Actor, Cause};
use credence::memory as core;
use credence::proposition::MentionRole;
use credence::revision::Relation;
use serde::Serialize;
use tsify::Tsify;

use super::Proposition;
use super::proposition::Source;

/// Somebody or something that propositions are about.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entity {
    /// Stable for life.
    id: String,
    /// The name that is shown.
    name: String,
    /// Kinds, for example `Person`.
    labels: Vec<String>,
    /// Other names.
    aliases: Vec<String>,
    /// One line about it; may be empty.
    description: String,
    /// The person whose memory this is.
    is_user: bool,
    /// Live propositions that mention it.
    propositions: u32,
    /// Propositions of every other status that mention it.
    retired: u32,
    /// When it, or a proposition about it, last changed (ms).
    last_touched: i64,
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn strings<T: ToString>(ids: Vec<T>) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

impl From<core::EntityView> for Entity {
    fn from(entity: core::EntityView) -> Self {
        Self {
            id: entity.id.to_string(),
            name: entity.name,
            labels: entity.labels,
            aliases: entity.aliases,
            description: entity.description,
            is_user: entity.is_user,
            propositions: count(entity.propositions),
            retired: count(entity.retired),
            last_touched: entity.last_touched.0,
        }
    }
}

/// A commit, in one line.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CommitLine {
    /// Its id: what {@link Memory.undo} takes.
    commit: String,
    /// Its place in the log.
    seq: u64,
    /// When (ms).
    at: i64,
    /// Why it was made.
    #[tsify(type = "CommitCause")]
    cause: Cause,
    /// Who made it.
    #[tsify(type = "CommitActor")]
    actor: Actor,
    /// In words: what it says of itself, and of the records that it changed here.
    reasons: Vec<String>,
}

impl super::Show<CommitLine> for core::CommitView {
    fn show(&self) -> CommitLine {
        self.clone().into()
    }
}

impl From<core::CommitView> for CommitLine {
    fn from(view: core::CommitView) -> Self {
        let core::CommitView { commit, seq, at, cause, actor, reasons } = view;
        Self { commit: commit.to_string(), seq, at: at.0, cause, actor, reasons }
    }
}

/// A name and where it came from.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct EntityName {
    /// The name.
    name: String,
    /// Whether it is the one that is shown.
    is_shown: bool,
    /// Id of the entity that a merge brought it from.
    merged_from: Option<String>,
    /// The commit in which it first occurs here.
    since: Option<CommitLine>,
}

impl From<core::NameView> for EntityName {
    fn from(view: core::NameView) -> Self {
        Self {
            name: view.name,
            is_shown: view.is_shown,
            merged_from: view.merged_from.map(|id| id.to_string()),
            since: view.since.map(Into::into),
        }
    }
}

/// One mention of an entity.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct EntityMention {
    /// Id of the proposition.
    proposition: String,
    /// The mention's place in it, from 0: what {@link Memory.splitEntity} takes.
    mention: u32,
    /// As the proposition says it.
    span: String,
    /// The kind that was seen there.
    kind: String,
    /// What it does there.
    #[tsify(type = "\"SUBJECT\" | \"OBJECT\" | \"OTHER\"")]
    role: MentionRole,
    /// Id of the entity that it meant before this one took that over in a merge.
    came_from: Option<String>,
    /// Ids of the turns that the proposition rests on.
    turns: Vec<String>,
}

impl From<core::MentionView> for EntityMention {
    fn from(view: core::MentionView) -> Self {
        Self {
            proposition: view.proposition.to_string(),
            mention: count(view.mention),
            span: view.span,
            kind: view.kind,
            role: view.role,
            came_from: view.came_from.map(|id| id.to_string()),
            turns: strings(view.turns),
        }
    }
}

/// Two entities that may be one.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DuplicatePair {
    /// Id of the older one: a merge usually keeps it.
    one: String,
    /// Id of the newer one.
    other: String,
    /// Why, in words.
    why: String,
    /// How alike: 0 to 1.
    score: f64,
    /// Resolution was unsure when it met the second; otherwise the names alone suggest it.
    is_stored: bool,
}

impl From<entity::DuplicatePair> for DuplicatePair {
    fn from(pair: entity::DuplicatePair) -> Self {
        let entity::DuplicatePair { one, other, why, score, is_stored } = pair;
        Self { one: one.to_string(), other: other.to_string(), why, score, is_stored }
    }
}

/// Another entity that one may be.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntityDuplicate {
    /// The pair, and why.
    pair: DuplicatePair,
    /// The other one.
    other: Entity,
}

/// An entity that was merged into another.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct MergedEntity {
    /// Its id: what {@link Memory.unmergeEntity} takes.
    entity: String,
    /// The name that it had.
    name: String,
    /// Its kinds.
    labels: Vec<String>,
    /// Names that it brought.
    names: Vec<String>,
    /// The commit that merged it.
    merged: Option<CommitLine>,
}

impl From<core::MergedView> for MergedEntity {
    fn from(view: core::MergedView) -> Self {
        Self {
            entity: view.entity.to_string(),
            name: view.name,
            labels: view.labels,
            names: view.names,
            merged: view.merged.map(Into::into),
        }
    }
}

/// Everything about one entity.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct EntityPage {
    /// The entity in short.
    entity: Entity,
    /// Id of the merged entity that was asked for, when this is its keeper.
    redirected_from: Option<String>,
    /// Its names, the shown one first.
    names: Vec<EntityName>,
    /// A person chose the name that is shown: no rule replaces it.
    name_is_chosen: bool,
    /// What programs keep with it.
    #[tsify(type = "Record<string, unknown>")]
    properties: BTreeMap<String, serde_json::Value>,
    /// Ids of entities that a person said are others.
    distinct_from: Vec<String>,
    /// Live propositions that mention it, last changed first.
    statements: Vec<Proposition>,
    /// Propositions of every other status that mention it, last changed first.
    retired: Vec<Proposition>,
    /// Its mentions, in the order of `statements` and `retired`.
    mentions: Vec<EntityMention>,
    /// The turns that mention it, oldest first.
    turns: Vec<Source>,
    /// What it may be the same as, most alike first.
    duplicates: Vec<EntityDuplicate>,
    /// What was merged into it, in order.
    merged: Vec<MergedEntity>,
    /// Commits that changed it, its propositions, or what was merged into it, newest first: at most 200.
    timeline: Vec<CommitLine>,
    /// Older commits that the timeline leaves out.
    timeline_left_out: u32,
    /// First written (ms).
    created: i64,
    /// It itself last changed (ms).
    revised: i64,
}

impl From<core::EntityPage> for EntityPage {
    fn from(page: core::EntityPage) -> Self {
        let duplicate =
            |view: core::DuplicateView| EntityDuplicate { pair: view.pair.into(), other: view.other.into() };
        Self {
            entity: page.view.into(),
            redirected_from: page.redirected_from.map(|id| id.to_string()),
            names: page.names.into_iter().map(Into::into).collect(),
            name_is_chosen: page.entity.name_is_chosen,
            properties: page.entity.properties,
            distinct_from: strings(page.entity.distinct_from),
            statements: page.statements.into_iter().map(Into::into).collect(),
            retired: page.retired.into_iter().map(Into::into).collect(),
            mentions: page.mentions.into_iter().map(Into::into).collect(),
            turns: page.turns.into_iter().map(Into::into).collect(),
            duplicates: page.duplicates.into_iter().map(duplicate).collect(),
            merged: page.merged.into_iter().map(Into::into).collect(),
            timeline: page.timeline.into_iter().map(Into::into).collect(),
            timeline_left_out: count(page.timeline_left_out),
            created: page.entity.created.0,
            revised: page.entity.revised.0,
        }
    }
}

/// Two live propositions that meet in one entity since it was merged.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NowAlike {
    /// Id of the one that came along.
    came: String,
    /// Id of the keeper's own.
    own: String,
    /// They say the same, or cannot both hold.
    #[tsify(type = "\"IDENTICAL\" | \"CONTRADICTORY\"")]
    relation: Relation,
    /// Why, in words.
    why: String,
}

impl From<entity::Alike> for NowAlike {
    fn from(alike: entity::Alike) -> Self {
        let entity::Alike { came, own, relation, why } = alike;
        Self { came: came.to_string(), own: own.to_string(), relation, why }
    }
}

/// What a person's act on an entity did.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct EntityChange {
    /// Id of the entity to show next: the keeper, the one that is back, the new one.
    entity: String,
    /// Id of the commit, which can be undone; `null` when nothing differed.
    commit: Option<String>,
    /// Ids of propositions whose mentions changed.
    propositions: Vec<String>,
    /// Names that moved.
    names: Vec<String>,
    /// Propositions that now meet; they stay as they are. Merges only.
    now_alike: Vec<NowAlike>,
}

impl From<entity::EntityAct> for EntityChange {
    fn from(act: entity::EntityAct) -> Self {
        Self {
            entity: act.entity.to_string(),
            commit: act.commit.map(|id| id.to_string()),
            propositions: strings(act.propositions),
            names: act.names,
            now_alike: act.now_alike.into_iter().map(Into::into).collect(),
        }
    }
}

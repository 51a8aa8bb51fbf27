//! Propositions as JavaScript sees them, alone, found by a search, and in full.

use std::collections::BTreeMap;

use credence::memory as core;
use credence::proposition::{DecayRule, Extractor, MentionRole, Voice};
use credence::retrieval::{Recall, Recalled};
use serde::Serialize;
use tsify::Tsify;

use super::{Dropped, Entity, Outcome, Revision};

/// Where a proposition stands: `"ACTIVE"` and `"PROMOTED"` may be recalled; the others are kept and shown, not used.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "UPPERCASE")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is serialised")]
enum Status {
    Active,
    Promoted,
    Contradicted,
    Superseded,
    Stale,
}

/// A span of a proposition and the entity that it means.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Mention {
    /// As the proposition says it.
    span: String,
    /// The kind of thing, for example `Person`; empty when unknown.
    kind: String,
    /// What it does in the statement.
    #[tsify(type = "\"SUBJECT\" | \"OBJECT\" | \"OTHER\"")]
    role: MentionRole,
    /// Id of the entity, when resolved.
    entity: Option<String>,
}

/// One statement, how sure memory is of it, and what it is worth now.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Proposition {
    /// Stable for life.
    id: String,
    /// Its present revision: a number within its context's log.
    revision: u64,
    /// One self-contained sentence.
    text: String,
    /// Where it stands.
    #[tsify(type = "Status")]
    status: &'static str,
    /// How sure the source left us: 0 to 1.
    confidence: f64,
    /// What is left of that now: 0 to 1.
    effective_confidence: f64,
    /// How fast confidence fades: 0 (stable) to 1 (gone within a day or two).
    decay: f64,
    /// How much it matters: 0 to 1.
    importance: f64,
    /// Always put into prompts, never retired by evidence or time.
    pinned: bool,
    /// Why it was extracted, in the extractor's words.
    reasoning: Option<String>,
    /// Who and what it is about.
    mentions: Vec<Mention>,
    /// Ids of the turns that it rests on.
    turns: Vec<String>,
    /// Whose words it rests on.
    #[tsify(type = "\"user\" | \"other\" | \"assistant\" | \"document\"")]
    voice: Voice,
    /// Who read it out of them: the built-in rules, a model, a person, or an import.
    #[tsify(type = "\"rules\" | \"model\" | \"person\" | \"import\"")]
    extractor: &'static str,
    /// The model, when a model did.
    model: Option<String>,
    /// First written (ms).
    created: i64,
    /// Text, mentions or confidence last changed (ms): confidence fades from here.
    content_revised: i64,
    /// Anything else last changed (ms).
    metadata_revised: i64,
    /// When the source said it (ms).
    observed_at: Option<i64>,
    /// Start of its validity, inclusive (ms).
    valid_from: Option<i64>,
    /// End of its validity, exclusive (ms).
    valid_to: Option<i64>,
    /// Retracted (ms).
    invalidated_at: Option<i64>,
    /// Ids of propositions that it replaced.
    supersedes: Vec<String>,
    /// Ids of propositions that it contradicts.
    contradicts: Vec<String>,
    /// How often later evidence agreed.
    reinforce_count: u32,
    /// 0: an observation; n: the depth of abstraction.
    level: u32,
    /// Open-ended facts about the fact.
    #[tsify(type = "Record<string, unknown>")]
    metadata: BTreeMap<String, serde_json::Value>,
}

impl From<core::PropositionView> for Proposition {
    fn from(view: core::PropositionView) -> Self {
        let p = view.proposition;
        let strings = |ids: &[credence::id::PropositionId]| ids.iter().map(ToString::to_string).collect();
        let (extractor, model) = extractor(p.extractor);
        Self {
            id: p.id.to_string(),
            revision: view.revision.0,
            status: p.status.as_str(),
            confidence: p.confidence.get(),
            effective_confidence: view.effective,
            decay: p.decay.get(),
            importance: p.importance.get(),
            pinned: p.pinned,
            reasoning: p.reasoning,
            mentions: p
                .mentions
                .into_iter()
                .map(|m| Mention {
                    span: m.span,
                    kind: m.kind,
                    role: m.role,
                    entity: m.entity.map(|entity| entity.to_string()),
                })
                .collect(),
            turns: p.grounding.iter().map(ToString::to_string).collect(),
            voice: p.voice,
            extractor,
            model,
            created: p.created.0,
            content_revised: p.content_revised.0,
            metadata_revised: p.metadata_revised.0,
            observed_at: p.temporal.observed_at.map(|at| at.0),
            valid_from: p.temporal.valid_from.map(|at| at.0),
            valid_to: p.temporal.valid_to.map(|at| at.0),
            invalidated_at: p.temporal.invalidated_at.map(|at| at.0),
            supersedes: strings(&p.temporal.supersedes),
            contradicts: strings(&p.temporal.contradicts),
            reinforce_count: p.reinforce_count,
            level: p.level,
            metadata: p.metadata,
            text: p.text,
        }
    }
}

impl super::Show<Proposition> for core::PropositionView {
    fn show(&self) -> Proposition {
        self.clone().into()
    }
}

impl super::Show<Source> for core::SourceView {
    fn show(&self) -> Source {
        self.clone().into()
    }
}

/// The extractor's word and, when it was one, the model's name.
pub(super) fn extractor(extractor: Extractor) -> (&'static str, Option<String>) {
    match extractor {
        Extractor::Rules => ("rules", None),
        Extractor::Model { model } => ("model", Some(model)),
        Extractor::Person => ("person", None),
        Extractor::Import => ("import", None),
    }
}

/// One proposition that a search supplied.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchHit {
    /// From 1.
    rank: u32,
    /// The score that ordered it; comparable within one search alone.
    score: f64,
    /// Why it was chosen, in words.
    why: String,
    /// The proposition.
    proposition: Proposition,
}

impl From<Recalled> for SearchHit {
    fn from(item: Recalled) -> Self {
        Self { rank: item.rank, score: item.score, why: item.why, proposition: item.view.into() }
    }
}

/// How many candidates were considered and left out.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LeftOut {
    /// Why.
    reason: String,
    /// How many.
    count: u32,
}

impl LeftOut {
    pub(super) fn list(pairs: &[(String, u32)]) -> Vec<Self> {
        pairs.iter().map(|(reason, count)| Self { reason: reason.clone(), count: *count }).collect()
    }
}

/// What a search brought. An unrelated query brings nothing.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchResult {
    /// Best first.
    hits: Vec<SearchHit>,
    /// What was considered and left out, and why.
    left_out: Vec<LeftOut>,
    /// Id of the use record that says what was supplied.
    #[serde(rename = "use")]
    used: String,
    /// Things worth knowing: that it was searched by words alone, for example.
    notes: Vec<String>,
}

impl From<Recall> for SearchResult {
    fn from(recall: Recall) -> Self {
        Self {
            left_out: LeftOut::list(&recall.record.left_out),
            used: recall.record.id.to_string(),
            hits: recall.items.into_iter().map(Into::into).collect(),
            notes: recall.notes,
        }
    }
}

/// What became of a remembered statement.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Remembered {
    /// The propositions that hold it now.
    pub(crate) propositions: Vec<Proposition>,
    /// What became of each statement in the text.
    pub(crate) outcomes: Vec<Outcome>,
    /// What was dropped, and why.
    pub(crate) dropped: Vec<Dropped>,
}

/// A turn that a proposition rests on.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Source {
    /// Id of the turn.
    turn: String,
    /// Id of its conversation.
    conversation: String,
    /// The conversation's title.
    title: String,
    /// Who spoke.
    speaker: String,
    /// What was said.
    text: String,
    /// When (ms).
    at: i64,
}

impl From<core::SourceView> for Source {
    fn from(source: core::SourceView) -> Self {
        Self {
            turn: source.turn.to_string(),
            conversation: source.conversation.to_string(),
            title: source.title,
            speaker: source.speaker,
            text: source.text,
            at: source.at.at.0,
        }
    }
}

/// Everything about one proposition.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PropositionDetail {
    /// As it stands, or as it last stood when it was forgotten.
    proposition: Proposition,
    /// Whether it was forgotten.
    removed: bool,
    /// The turns that it rests on.
    sources: Vec<Source>,
    /// The entities that it mentions.
    entities: Vec<Entity>,
    /// Propositions that it replaced or contradicts, and those that did so to it.
    related: Vec<Proposition>,
    /// Its life, newest first.
    revisions: Vec<Revision>,
}

impl PropositionDetail {
    /// `rule` is the memory's own.
    pub(crate) fn new(detail: core::PropositionDetail, rule: DecayRule) -> Self {
        Self {
            proposition: detail.view.into(),
            removed: detail.removed,
            sources: detail.sources.into_iter().map(Into::into).collect(),
            entities: detail.entities.into_iter().map(Into::into).collect(),
            related: detail.related.into_iter().map(Into::into).collect(),
            revisions: detail.revisions.into_iter().map(|revision| Revision::new(revision, rule)).collect(),
        }
    }
}

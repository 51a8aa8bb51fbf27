//! What a person or program is shown of a memory: propositions with what they are worth now, where they came from and what
//! became of them. Pure reads: looking changes nothing.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Memory;
use crate::conversation::Speaker;
use crate::error::Error;
use crate::history::{Actor, Cause, Record, RecordId, RecordKind};
use crate::id::{CommitId, ConversationId, EntityId, PropositionId, RevisionId, TurnId};
use crate::ports::Ports;
use crate::proposition::{DecayRule, Proposition, PropositionQuery, Status, effective_confidence};
use crate::time::{Moment, Timestamp};

/// A proposition and what it is worth now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PropositionView {
    /// The proposition.
    pub proposition: Proposition,
    /// Its present revision.
    pub revision: RevisionId,
    /// Effective confidence at the instant that was asked about, by default now; 0 to 1.
    pub effective: f64,
}

/// A turn that a proposition rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceView {
    /// The turn.
    pub turn: TurnId,
    /// Its conversation.
    pub conversation: ConversationId,
    /// The conversation's title.
    pub title: String,
    /// Who spoke.
    pub speaker: String,
    /// Whether that is the person whose memory this is.
    pub is_user: bool,
    /// What was said.
    pub text: String,
    /// When.
    pub at: Moment,
}

/// One revision in the life of a proposition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RevisionView {
    /// The revision.
    pub revision: RevisionId,
    /// The commit that made it.
    pub commit: CommitId,
    /// That commit's position.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// Why the commit was made.
    pub cause: Cause,
    /// Who made it.
    pub actor: Actor,
    /// Why this proposition changed.
    pub why: String,
    /// What it was after; `None` when it was removed.
    pub value: Option<Proposition>,
    /// An earlier revision with the same content: the belief came back.
    pub same_as: Option<RevisionId>,
}

/// An entity and how much is known of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntityView {
    /// Identity.
    pub id: EntityId,
    /// The name that is shown.
    pub name: String,
    /// Kinds.
    pub labels: Vec<String>,
    /// Other names.
    pub aliases: Vec<String>,
    /// One line about it, where known.
    pub description: String,
    /// The person whose memory this is.
    pub is_user: bool,
    /// Live propositions that mention it.
    pub propositions: usize,
    /// Propositions of every other status that mention it.
    pub retired: usize,
    /// Chunks in which entity-only runs found it.
    pub seen: usize,
    /// When it, or a statement about it, last changed.
    pub last_touched: Timestamp,
}

/// Everything about one proposition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PropositionDetail {
    /// The proposition as it stands, or as it last stood when it was forgotten.
    pub view: PropositionView,
    /// Whether it was removed.
    pub removed: bool,
    /// The turns that it rests on.
    pub sources: Vec<SourceView>,
    /// The entities that it mentions.
    pub entities: Vec<EntityView>,
    /// Propositions that it replaced or contradicts, and those that did so to it.
    pub related: Vec<PropositionView>,
    /// Its life, newest first.
    pub revisions: Vec<RevisionView>,
}

impl<P: Ports> Memory<P> {
    pub(crate) fn decay_rule(&self) -> DecayRule {
        self.config().decay_rule()
    }

    fn view_of(&self, proposition: &Proposition, revision: RevisionId, now: Timestamp) -> PropositionView {
        let effective = effective_confidence(proposition, now, self.decay_rule());
        PropositionView { proposition: proposition.clone(), revision, effective }
    }

    /// Propositions that pass a query, in its order, with what each is worth at the query's instant.
    pub fn propositions(&self, query: &PropositionQuery) -> Vec<PropositionView> {
        let now = self.now().at;
        let query = self.with_settings(query);
        let found: Vec<PropositionId> = query.run(&self.state(), now).into_iter().map(|p| p.id).collect();
        found.into_iter().filter_map(|id| self.present_view(id, query.instant(now))).collect()
    }

    /// The query, decaying as the settings say where it does not say so itself.
    pub(crate) fn with_settings(&self, query: &PropositionQuery) -> PropositionQuery {
        PropositionQuery { decay: query.decay.or(Some(self.decay_rule())), ..query.clone() }
    }

    pub(crate) fn present_view(&self, id: PropositionId, now: Timestamp) -> Option<PropositionView> {
        let state = self.state();
        let revision = state.revision(RecordId::Proposition(id))?.id;
        Some(self.view_of(state.proposition(id)?, revision, now))
    }

    /// How many propositions stand in each status.
    pub fn status_counts(&self) -> std::collections::BTreeMap<Status, usize> {
        let mut counts = std::collections::BTreeMap::new();
        for proposition in self.state().propositions() {
            *counts.entry(proposition.status).or_insert(0) += 1;
        }
        counts
    }

    /// The turns that a proposition rests on, those that still exist.
    pub fn sources(&self, proposition: &Proposition) -> Vec<SourceView> {
        proposition.grounding.iter().filter_map(|turn| self.source(*turn)).collect()
    }

    /// A turn as a source; `None` when it is gone.
    pub(super) fn source(&self, turn: TurnId) -> Option<SourceView> {
        let state = self.state();
        let turn = state.turn(turn)?;
        let user = state.user().map(|user| user.name.as_str());
        Some(SourceView {
            turn: turn.id,
            conversation: turn.conversation,
            title: state.conversation(turn.conversation).map(|c| c.title.clone()).unwrap_or_default(),
            speaker: turn.speaker.label(user).to_owned(),
            is_user: turn.speaker == Speaker::User,
            text: turn.text.clone(),
            at: turn.at,
        })
    }

    /// The life of a proposition, newest first; empty when it is unknown.
    pub fn history(&self, id: PropositionId) -> Vec<RevisionView> {
        let log = self.log();
        let mut seen = std::collections::BTreeMap::new();
        let mut revisions: Vec<RevisionView> = log
            .history(RecordId::Proposition(id))
            .map(|step| {
                let same_as = seen.get(&step.revision.content_id).copied();
                seen.entry(step.revision.content_id.clone()).or_insert(step.revision.id);
                RevisionView {
                    revision: step.revision.id,
                    commit: step.commit.id,
                    seq: step.commit.seq,
                    at: step.commit.at,
                    cause: step.commit.cause,
                    actor: step.commit.actor,
                    why: if step.revision.why.is_empty() {
                        step.commit.reason.clone()
                    } else {
                        step.revision.why.clone()
                    },
                    value: match &step.revision.value {
                        Some(Record::Proposition(value)) => Some(value.clone()),
                        _ => None,
                    },
                    same_as,
                }
            })
            .collect();
        revisions.reverse();
        revisions
    }

    /// Everything about one proposition, forgotten ones included.
    pub fn proposition(&self, id: PropositionId) -> Result<PropositionDetail, Error> {
        let now = self.now().at;
        let revisions = self.history(id);
        let last = revisions.iter().find_map(|r| r.value.clone().map(|value| (value, r.revision)));
        let Some((proposition, revision)) = last else {
            return Err(Error::NotFound { record: id.to_string() });
        };
        let state = self.state();
        let mut related: BTreeSet<PropositionId> = proposition
            .temporal
            .supersedes
            .iter()
            .chain(&proposition.temporal.contradicts)
            .copied()
            .collect();
        for other in state.propositions() {
            if other.temporal.supersedes.contains(&id) || other.temporal.contradicts.contains(&id) {
                related.insert(other.id);
            }
        }
        let mentioned: BTreeSet<EntityId> =
            proposition.entities().filter_map(|id| state.keeper(id)).map(|entity| entity.id).collect();
        let entities = self.entities().into_iter().filter(|entity| mentioned.contains(&entity.id)).collect();
        Ok(PropositionDetail {
            removed: state.proposition(id).is_none(),
            sources: self.sources(&proposition),
            entities,
            related: related.into_iter().filter_map(|id| self.present_view(id, now)).collect(),
            view: self.view_of(&proposition, revision, now),
            revisions,
        })
    }

    /// How many records of a kind the memory holds now.
    pub fn count(&self, kind: RecordKind) -> usize {
        self.state().revisions().filter(|r| r.value.is_some() && r.record.kind() == kind).count()
    }
}

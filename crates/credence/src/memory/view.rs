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
    /// The person whose memory this is.
    pub is_user: bool,
    /// Live propositions that mention it.
    pub propositions: usize,
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

    /// Entities, the user first, then by name.
    pub fn entities(&self) -> Vec<EntityView> {
        let state = self.state();
        let mut views: Vec<EntityView> = state
            .entities()
            .map(|entity| EntityView {
                id: entity.id,
                name: entity.name.clone(),
                labels: entity.labels.clone(),
                aliases: entity.aliases.clone(),
                is_user: entity.is_user,
                propositions: 0,
            })
            .collect();
        let mut counts = std::collections::BTreeMap::<EntityId, usize>::new();
        for proposition in state.propositions().filter(|p| p.status.is_live()) {
            for id in proposition.entities().collect::<BTreeSet<_>>() {
                *counts.entry(id).or_default() += 1;
            }
        }
        for view in &mut views {
            view.propositions = counts.get(&view.id).copied().unwrap_or_default();
        }
        views.sort_by(|a, b| {
            b.is_user.cmp(&a.is_user).then_with(|| a.name.cmp(&b.name)).then(a.id.cmp(&b.id))
        });
        views
    }

    /// The turns that a proposition rests on, those that still exist.
    pub fn sources(&self, proposition: &Proposition) -> Vec<SourceView> {
        let state = self.state();
        let user = state.user().map(|user| user.name.clone());
        let source = |id: &TurnId| {
            let turn = state.turn(*id)?;
            Some(SourceView {
                turn: turn.id,
                conversation: turn.conversation,
                title: state.conversation(turn.conversation).map(|c| c.title.clone()).unwrap_or_default(),
                speaker: turn.speaker.label(user.as_deref()).to_owned(),
                is_user: turn.speaker == Speaker::User,
                text: turn.text.clone(),
                at: turn.at,
            })
        };
        proposition.grounding.iter().filter_map(source).collect()
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
        let mentioned: BTreeSet<EntityId> = proposition.entities().collect();
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

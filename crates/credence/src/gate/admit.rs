//! Gates in the pipeline: each decided statement is checked before anything of it is planned. What is refused becomes a drop with
//! the gate's reason; what is held becomes a question in the inbox that carries the whole statement and what was decided; the
//! rest goes on, marked where a gate lets it stand for less.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Change, Evaluation, GateDecision, GateInput};
use crate::extraction::{DropReason, Dropped};
use crate::history::{Record, Scope, State};
use crate::id::{EntityId, InboxId};
use crate::inbox::{Held, InboxItem};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::Proposition;
use crate::revision::Decision;
use crate::text;
use crate::time::Timestamp;

/// Metadata of a statement that a gate keeps out of projections: the reason.
pub const PROJECTION_SKIPPED: &str = "dice.projection.skipped";

/// Metadata of a statement that stands for a weaker relation than its words: that relation's predicate.
pub const DEMOTED_TO: &str = "dice.relation.demoted";

/// One statement at the gates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateOutcome {
    /// The statement, cut to 300 characters.
    pub text: String,
    /// What was about to happen.
    pub change: Change,
    /// What the gates decided.
    pub decision: GateDecision,
    /// What each gate that was asked answered, in order.
    pub evaluations: Vec<Evaluation>,
    /// The question that it became, when a person is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inbox: Option<InboxId>,
}

/// What the gates did in one planned run.
#[derive(Debug, Default)]
pub(crate) struct Admissions {
    /// Each statement that was asked about, in order.
    pub(crate) outcomes: Vec<GateOutcome>,
    /// Statements of which nothing was written.
    pub(crate) dropped: Vec<Dropped>,
    mentioned: BTreeSet<EntityId>,
    left_out: BTreeSet<EntityId>,
}

impl Admissions {
    /// Whether an entity was only mentioned by statements of which nothing was written; a new one is then not written either.
    pub(crate) fn leaves_out(&self, entity: EntityId) -> bool {
        self.left_out.contains(&entity) && !self.mentioned.contains(&entity)
    }
}

fn change_of(decision: &Decision) -> Change {
    match decision {
        // What is kept beside or as what was is one more statement, and changes none.
        Decision::New { .. }
        | Decision::Dispute { .. }
        | Decision::Outdated { .. }
        | Decision::History { .. } => Change::New,
        Decision::Merge { .. } => Change::Merged,
        Decision::Reinforce { .. } => Change::Reinforced,
        Decision::Contradict { .. } => Change::Contradicted,
        Decision::Generalize { .. } => Change::Generalized,
    }
}

impl<P: Ports> Memory<P> {
    /// Asks the gates about a decided statement. `None`: nothing of it may be planned; `log` says why, and a question is planned
    /// where a person has to decide.
    pub(crate) fn admit(
        &self,
        state: &State,
        scope: &Scope,
        new: Proposition,
        decision: &Decision,
        now: Timestamp,
        log: &mut Admissions,
    ) -> Option<Proposition> {
        let new = self.with_config(|config| config.trust.scored(new, now));
        let change = change_of(decision);
        let (verdict, evaluations) = self.with_config(|config| {
            config.gates.evaluate(&GateInput {
                proposition: &new,
                change: Some(change),
                now,
                decay: self.decay_rule(),
                relations: &config.schema().relations,
                authority: config.trust.authority,
            })
        });
        let mut outcome = GateOutcome {
            text: text::excerpt(&new.text, 300),
            change,
            decision: verdict.clone(),
            evaluations,
            inbox: None,
        };
        let dropped = |reason: DropReason, detail: String| Dropped {
            text: text::excerpt(&new.text, 300),
            reason,
            detail,
            turn: None,
        };
        let admitted = match verdict {
            GateDecision::Reject { reason } => {
                log.dropped.push(dropped(DropReason::Gate, reason));
                None
            }
            GateDecision::RouteToReview { reason } => {
                outcome.inbox = Some(self.hold(state, scope, &new, decision, &reason, now));
                log.dropped.push(dropped(DropReason::Held, reason));
                None
            }
            GateDecision::Persist => Some(new.clone()),
            GateDecision::SkipProjection { reason } => {
                Some(new.clone().with_metadata_value(PROJECTION_SKIPPED, reason, now))
            }
            GateDecision::Demote { to, .. } => Some(new.clone().with_metadata_value(DEMOTED_TO, to, now)),
        };
        let entities = if admitted.is_some() { &mut log.mentioned } else { &mut log.left_out };
        entities.extend(new.entities());
        if !outcome.evaluations.is_empty() {
            log.outcomes.push(outcome);
        }
        admitted
    }

    /// Plans the question that a held statement becomes. Said again while it is open, it joins the question that is there.
    fn hold(
        &self,
        state: &State,
        scope: &Scope,
        new: &Proposition,
        decision: &Decision,
        reason: &str,
        now: Timestamp,
    ) -> InboxId {
        let canonical = text::canonical(&new.text);
        let asks_the_same = |item: &InboxItem| {
            let known = item.proposition.as_deref().filter(|_| item.is_open() && item.held.is_some());
            known.is_some_and(|known| text::canonical(&known.text) == canonical)
        };
        let planned = scope.drafts().into_iter().find_map(|draft| match draft.value {
            Some(Record::Inbox(item)) if asks_the_same(&item) => Some(item),
            _ => None,
        });
        let open = planned.or_else(|| state.inbox_items().find(|item| asks_the_same(item)).cloned());
        if let Some(item) = open {
            let id = item.id;
            let join = |known: Box<Proposition>| {
                Box::new(known.with_evidence(new.grounding.clone(), new.provenance.clone(), now))
            };
            scope.put(state, InboxItem { proposition: item.proposition.map(join), ..item }, "said again");
            return id;
        }
        let id = InboxId::new(self.next_id());
        let held = Held::new(decision.clone(), |other| scope.proposition(state, other).map(|p| p.text));
        scope.put(state, InboxItem::review(id, new.clone(), held, reason, now), reason);
        id
    }
}

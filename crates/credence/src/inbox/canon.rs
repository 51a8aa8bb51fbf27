//! CANON through the inbox: anybody may ask, a person alone decides (core 9.1, with the fix of core 15 G3).
//!
//! - The same wish while one is open is the same question.
//! - `unit.auto_approve_promotions` (default on) takes a person's own wish for CANON as its approval; the question is then written as
//!   answered. It never answers a wish by a sweep, a model or a program, and never one to take CANON back.
//! - With `unit.canonization_gate_enabled` off a person's own act takes effect at once, both ways, without a question. Nobody else's
//!   ever does.
//! - A rule of ours asks once: not while its question waits, and after a person has said no, or has taken CANON back, not before new
//!   evidence has come.
//! - A question whose unit has another authority by now, or is gone, is STALE when somebody answers or asks again: it was about
//!   something else.

use serde::{Deserialize, Serialize};

use super::{ClosedAs, Decided, InboxItem, InboxKind, Verdict};
use crate::error::Error;
use crate::history::{Actor, Cause, RecordId, Scope, ScopeInfo, State};
use crate::id::{InboxId, PropositionId};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::text;
use crate::time::Timestamp;
use crate::unit::{Authority, AuthorityReason, Mover, PersonAct, UnitPlan, UnitView};

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum Asker {
    /// The person whose memory it is.
    Person,
    /// The program that embeds Credence.
    Host,
    /// A model, through a tool.
    Model,
    /// A rule of ours.
    Policy {
        /// Its name.
        name: String,
    },
}

impl Asker {
    fn actor(&self) -> Actor {
        match self {
            Self::Person => Actor::Person,
            Self::Host => Actor::Host,
            Self::Model | Self::Policy { .. } => Actor::Engine,
        }
    }
    fn in_words(&self) -> String {
        match self {
            Self::Person => "you".into(),
            Self::Host => "the program".into(),
            Self::Model => "a model".into(),
            Self::Policy { name } => name.clone(),
        }
    }
}

/// What was asked of CANON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanonRequest {
    /// Who asked.
    pub asker: Asker,
    /// Why, in their words.
    pub reason: String,
    /// What the unit's authority was then; another one makes the question stale.
    pub authority: Authority,
}

/// What became of a wish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum CanonAnswer {
    /// It was granted.
    Approved,
    /// It waits for a person.
    Pending {
        /// The question.
        question: InboxId,
    },
    /// It is so already.
    Nothing,
}

/// Whether a rule of ours may ask that a unit become CANON: nobody is asked already, and what a person has said against it was said
/// before its latest evidence.
pub(crate) fn may_be_proposed(state: &State, view: &UnitView) -> bool {
    let record = RecordId::Unit(view.id());
    let latest = view.unit.evidence().iter().map(|piece| piece.at).max();
    let is_news_since = |at: Timestamp| latest.is_some_and(|latest| latest > at);
    let about = |item: &&InboxItem| item.kind == InboxKind::Canonization && item.others.contains(&record);
    let stands_in_the_way = |item: &InboxItem| match &item.decision {
        Some(decided) => decided.verdict == Verdict::Reject && !is_news_since(decided.at),
        None => item.is_open() && item.canon.as_ref().is_some_and(|canon| canon.authority == view.authority),
    };
    let was_taken_back = view
        .unit
        .last_step()
        .is_some_and(|step| step.reason == AuthorityReason::Decanonization && !is_news_since(step.at));
    !was_taken_back && !state.inbox_items().filter(about).any(stands_in_the_way)
}

/// Plans the question whether a unit shall become CANON (or no longer be), or finds the one that is open. `None` where it is so
/// already.
pub(crate) fn plan_request(
    state: &State,
    scope: &Scope,
    view: &UnitView,
    kind: InboxKind,
    wish: (&Asker, &str),
    now: Timestamp,
    next_id: impl FnOnce() -> InboxId,
) -> Option<InboxItem> {
    let is_canon = view.authority == Authority::Canon;
    if is_canon == (kind == InboxKind::Canonization) {
        return None;
    }
    let record = RecordId::Unit(view.id());
    for known in state.inbox_items().filter(|item| item.is_open() && item.kind == kind) {
        if !known.others.contains(&record) {
            continue;
        }
        if known.canon.as_ref().is_some_and(|canon| canon.authority == view.authority) {
            return Some(known.clone());
        }
        let why = "the unit's authority has changed since it was asked";
        scope.put(state, known.clone().closed(ClosedAs::Stale, why, now), why);
    }
    let (asker, reason) = wish;
    let statement = text::excerpt(&view.proposition.text, 160);
    let question = match kind {
        InboxKind::Decanonization => format!("“{statement}” is CANON. Shall it no longer be?"),
        _ => format!("Shall “{statement}” be CANON, held against everything that is not a person's word?"),
    };
    let reason = text::excerpt(reason.trim(), 300);
    let why = match reason.is_empty() {
        true => format!("asked by {}", asker.in_words()),
        false => format!("asked by {}: {reason}", asker.in_words()),
    };
    let item = InboxItem {
        others: vec![record, RecordId::Proposition(view.id())],
        canon: Some(CanonRequest { asker: asker.clone(), reason, authority: view.authority }),
        ..InboxItem::asking(next_id(), kind, question, &why, now)
    };
    scope.put(state, item.clone(), why);
    Some(item)
}

impl<P: Ports> Memory<P> {
    /// Asks that a unit become CANON. Approved at once where `asker` is the person and the settings say that a person's wish is
    /// its own approval (`unit.auto_approve_promotions`) or that there is no gate (`unit.canonization_gate_enabled` off); else it
    /// waits in the inbox. Asking again while it waits is the same question.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the statement is no active unit; [`Error::Invalid`] when a rule forbids it.
    pub async fn request_canon(
        &self,
        id: PropositionId,
        asker: Asker,
        reason: &str,
    ) -> Result<CanonAnswer, Error> {
        self.ask_for(id, InboxKind::Canonization, asker, reason).await
    }

    /// Asks that a unit no longer be CANON. It waits for a person's answer, also where the person asks; without the gate
    /// (`unit.canonization_gate_enabled` off) a person's own wish takes effect at once.
    ///
    /// # Errors
    /// As [`Memory::request_canon`].
    pub async fn request_decanon(
        &self,
        id: PropositionId,
        asker: Asker,
        reason: &str,
    ) -> Result<CanonAnswer, Error> {
        self.ask_for(id, InboxKind::Decanonization, asker, reason).await
    }

    async fn ask_for(
        &self,
        id: PropositionId,
        kind: InboxKind,
        asker: Asker,
        reason: &str,
    ) -> Result<CanonAnswer, Error> {
        let words = match kind {
            InboxKind::Decanonization => "CANON was asked to be taken back",
            _ => "CANON was asked for",
        };
        let cause = if asker == Asker::Person { Cause::Manual } else { Cause::Promotion };
        let info = ScopeInfo::new(cause, asker.actor(), words).with_id("proposition", id);
        let question = InboxId::new(self.next_id());
        let (answer, _) = self
            .change(info, |state, scope| {
                let (config, now) = (self.config(), self.now().at);
                let view = crate::unit::view(state, id, now, &config).filter(UnitView::is_active);
                let Some(view) = view else { return Err(Error::NotFound { record: format!("unit {id}") }) };
                let gated = config.unit.canonization_gate_enabled;
                let approves = asker == Asker::Person
                    && (!gated || (kind == InboxKind::Canonization && config.unit.auto_approve_promotions));
                if approves && !gated {
                    return self.make_canon(state, scope, &view, kind, None, reason, now);
                }
                let item = plan_request(state, scope, &view, kind, (&asker, reason), now, || question);
                let Some(item) = item else { return Ok(CanonAnswer::Nothing) };
                if !approves {
                    return Ok(CanonAnswer::Pending { question: item.id });
                }
                let answer = self.make_canon(state, scope, &view, kind, Some(item.id), reason, now)?;
                let effect = "it is CANON; a person's own wish is its approval".to_owned();
                let decision = Some(Decided { verdict: Verdict::Accept, at: now, effect });
                scope.put(state, InboxItem { decision, ..item }, "approved with the wish");
                Ok(answer)
            })
            .await?;
        Ok(answer)
    }

    #[expect(clippy::too_many_arguments, reason = "one act with everything that its record keeps")]
    fn make_canon(
        &self,
        state: &State,
        scope: &Scope,
        view: &UnitView,
        kind: InboxKind,
        question: Option<InboxId>,
        note: &str,
        now: Timestamp,
    ) -> Result<CanonAnswer, Error> {
        let Some(mut act) = PersonAct::of(scope, now) else {
            return Err(Error::Invalid {
                what: "unit",
                problem: "CANON is a person's to give and take".into(),
            });
        };
        if let Some(question) = question {
            act = act.answering(question);
        }
        let act = act.saying(note);
        let config = self.config();
        let plan = UnitPlan {
            state,
            scope,
            config: &config,
            context: self.context(),
            now,
            mover: Mover::Person(&act),
        };
        let planned = match kind {
            InboxKind::Decanonization => plan.decanonize(view.id(), "a person took CANON back"),
            _ => plan.canonize(view.id(), "a person made it CANON"),
        };
        match planned {
            Ok(change) if change.is_something() => Ok(CanonAnswer::Approved),
            Ok(_) => Ok(CanonAnswer::Nothing),
            Err(no) => Err(Error::Invalid { what: "unit", problem: no.words }),
        }
    }

    /// Plans what answering such a question does. The question comes back closed where it is stale.
    pub(super) fn answer_canon(
        &self,
        state: &State,
        scope: &Scope,
        item: &InboxItem,
        verdict: Verdict,
        now: Timestamp,
    ) -> Result<(String, bool), Error> {
        let Some(request) = &item.canon else {
            return Err(Error::NotFound { record: format!("a wish in {}", item.id) });
        };
        let unit = item.others.iter().find_map(|record| match record {
            RecordId::Unit(id) => Some(*id),
            _ => None,
        });
        let config = self.config();
        let view = unit.and_then(|id| crate::unit::view(state, id, now, &config)).filter(UnitView::is_active);
        let Some(view) = view.filter(|view| view.authority == request.authority) else {
            return Ok(("stale: the unit's authority has changed since it was asked".into(), true));
        };
        if verdict == Verdict::Reject {
            return Ok(("nothing was changed".into(), false));
        }
        self.make_canon(state, scope, &view, item.kind, Some(item.id), &request.reason, now)?;
        let effect = match item.kind {
            InboxKind::Decanonization => "it is no longer CANON",
            _ => "it is CANON",
        };
        Ok((effect.into(), false))
    }
}

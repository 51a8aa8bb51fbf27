//! Questions of promotion: statements that wait at the door of the working set, and disputes with units that stay.
//!
//! One source asks one question, whatever the number of its statements: an import of 200 statements is one item that names them all,
//! not 200 items. A window that brings more of the same source joins the question that is open. Statements leave it by themselves
//! when new evidence carried them in or out; when the last one left, the question is closed and says why.
//!
//! Accepting puts them into the working set by the person's word, as far as there is room: trust is what the person overrules, a pin,
//! CANON and the rules are not. Rejecting leaves them as statements like others.

use std::collections::{BTreeMap, BTreeSet};

use super::{ClosedAs, InboxItem, InboxKind, Verdict};
use crate::error::Error;
use crate::history::{Record, RecordId, Scope, State};
use crate::id::{ConversationId, InboxId, PromotionId, PropositionId};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::promotion::{fresh_view, make_room};
use crate::proposition::Proposition;
use crate::text;
use crate::time::Timestamp;
use crate::trust::TrustAudit;
use crate::unit::{ArchiveReason, Mover, Objection, PersonAct, UnitPlan};

/// A statement that a person is to be asked about, and why.
#[derive(Debug, Clone)]
pub(crate) struct Asking {
    pub(crate) kind: InboxKind,
    pub(crate) statement: PropositionId,
    pub(crate) why: String,
}

/// Plans the questions of one run: a question a kind and source, each joined to the one that is open. Returns the question of every
/// statement.
pub(crate) fn ask_about_candidates(
    state: &State,
    scope: &Scope,
    asked: &[Asking],
    report: PromotionId,
    now: Timestamp,
    mut next_id: impl FnMut() -> InboxId,
) -> BTreeMap<PropositionId, InboxId> {
    let mut groups: BTreeMap<(InboxKind, Option<ConversationId>), Vec<&Asking>> = BTreeMap::new();
    for asking in asked {
        groups.entry((asking.kind, source_of(state, asking.statement))).or_default().push(asking);
    }
    let mut found = BTreeMap::new();
    for ((kind, source), group) in groups {
        let open = open_question(state, kind, source);
        let known = open.clone();
        let id = open.as_ref().map_or_else(&mut next_id, |item| item.id);
        let mut item = open.unwrap_or_else(|| InboxItem::asking(id, kind, String::new(), "", now));
        for asking in &group {
            let record = RecordId::Proposition(asking.statement);
            if !item.others.contains(&record) {
                item.others.push(record);
            }
            found.insert(asking.statement, id);
        }
        item.source = source;
        item.question = question(state, &item);
        let more = item.others.len() - known.as_ref().map_or(0, |known| known.others.len());
        // Asked again about the same, it says why anew only where something was learned of it since.
        let asked_at =
            known.as_ref().and_then(|known| state.promotion(known.promotion?)).map(|report| report.at);
        let is_rescored = group.iter().any(|asking| {
            let touched = state.proposition(asking.statement).map(Proposition::last_touched);
            asked_at.zip(touched).is_some_and(|(asked, touched)| touched > asked)
        });
        match known {
            None => item.why = reasons(&group),
            Some(_) if more == 0 && !is_rescored => continue,
            Some(_) if group.len() == item.others.len() => item.why = reasons(&group),
            Some(known) => item.why = format!("{}; now also: {}", known.why, reasons(&group)),
        }
        item.promotion = Some(report);
        scope.put(state, item, if more > 0 { "a person is asked" } else { "judged anew" });
    }
    found
}

/// Takes statements out of open questions: each with what became of it, in words. A question without statements is closed.
pub(crate) fn settle_candidates(
    state: &State,
    scope: &Scope,
    settled: &BTreeMap<PropositionId, String>,
    now: Timestamp,
) {
    let open = state.inbox_items().filter(|item| item.is_open() && item.kind.is_about_candidates());
    for item in open.cloned().collect::<Vec<_>>() {
        let mut item = match scope.get(state, RecordId::Inbox(item.id)) {
            Some(Record::Inbox(planned)) => planned,
            _ => item,
        };
        let left: Vec<(PropositionId, &String)> =
            item.other_propositions().filter_map(|id| Some((id, settled.get(&id)?))).collect();
        if left.is_empty() {
            continue;
        }
        let why = left.iter().map(|(_, why)| why.as_str()).collect::<BTreeSet<_>>();
        let why = why.into_iter().collect::<Vec<_>>().join("; ");
        item.others.retain(|record| !left.iter().any(|(id, _)| *record == RecordId::Proposition(*id)));
        if item.others.is_empty() {
            scope.put(state, item.closed(ClosedAs::Settled, why.clone(), now), why);
        } else {
            item.question = question(state, &item);
            scope.put(state, item, why);
        }
    }
}

/// The question without the statements that are gone; `None` when nothing is left to ask.
pub(super) fn without(state: &State, item: &InboxItem, gone: &BTreeSet<PropositionId>) -> Option<InboxItem> {
    let mut rest = item.clone();
    rest.others.retain(|record| !matches!(record, RecordId::Proposition(id) if gone.contains(id)));
    if rest.others.is_empty() {
        return None;
    }
    rest.question = question(state, &rest);
    Some(rest)
}

fn open_question(state: &State, kind: InboxKind, source: Option<ConversationId>) -> Option<InboxItem> {
    state.inbox_items().find(|item| item.is_open() && item.kind == kind && item.source == source).cloned()
}

/// The conversation or document that a statement was first read in.
fn source_of(state: &State, id: PropositionId) -> Option<ConversationId> {
    let turns = state.proposition(id).map(|p| p.grounding.as_slice()).unwrap_or_default();
    turns.iter().find_map(|turn| state.turn(*turn)).map(|turn| turn.conversation)
}

fn question(state: &State, item: &InboxItem) -> String {
    let texts: Vec<&str> =
        item.other_propositions().filter_map(|id| state.proposition(id)).map(|p| p.text.as_str()).collect();
    let from = item.source.and_then(|source| state.conversation(source)).map(|source| source.title.trim());
    let from = match from.filter(|title| !title.is_empty()) {
        Some(title) => format!(" from “{}”", text::excerpt(title, 80)),
        None => String::new(),
    };
    let (what, shall) = match texts.as_slice() {
        [one] => (format!("“{}”{from}", text::excerpt(one, 160)), "Shall it"),
        [first, ..] => (
            format!("{} statements{from}, “{}” first,", texts.len(), text::excerpt(first, 120)),
            "Shall they",
        ),
        [] => (format!("A statement{from}"), "Shall it"),
    };
    match item.kind {
        InboxKind::Quarantine => {
            format!("{what} could not be judged or reads like an order. {shall} enter the working set?")
        }
        _ => format!("{what} is not trusted enough to enter the working set unasked. {shall}?"),
    }
}

fn reasons(group: &[&Asking]) -> String {
    let reasons: BTreeSet<&str> = group.iter().map(|asking| asking.why.as_str()).collect();
    let shown: Vec<&str> = reasons.iter().take(3).copied().collect();
    match reasons.len() - shown.len() {
        0 => shown.join("; "),
        more => format!("{}; and {more} other reasons, in the report", shown.join("; ")),
    }
}

/// Puts a statement into the working set by a person's word, and makes room for it; `entered` came in with it and stay.
pub(crate) fn let_in(
    plan: &UnitPlan<'_>,
    statement: &Proposition,
    trust: Option<TrustAudit>,
    entered: &[PropositionId],
) -> Result<(), String> {
    if plan.view(statement.id).is_some_and(|view| view.is_active()) {
        return Ok(());
    }
    let fresh = fresh_view(statement, trust.clone(), plan.now, plan.config);
    let steadfast: Vec<PropositionId> = entered.iter().copied().chain([statement.id]).collect();
    make_room(plan, &fresh, &steadfast)?;
    plan.promote(statement.id, trust, "a person let it in").map(drop).map_err(|no| no.words)
}

impl<P: Ports> Memory<P> {
    /// Plans what accepting such a question does: each statement enters by the person's word, the most trusted first.
    pub(super) fn admit_candidates(
        &self,
        state: &State,
        scope: &Scope,
        item: &InboxItem,
        now: Timestamp,
    ) -> Result<String, Error> {
        let config = self.config();
        let Some(act) = PersonAct::of(scope, now).map(|act| act.answering(item.id)) else {
            return Err(Error::Invalid { what: "inbox item", problem: "only a person answers it".into() });
        };
        let report = item.promotion.and_then(|id| state.promotion(id));
        let audit = |id| report.and_then(|report| report.of(id)).and_then(|c| c.trust.clone());
        let mut waiting: Vec<&Proposition> =
            item.other_propositions().filter_map(|id| state.proposition(id)).collect();
        let score = |p: &Proposition| audit(p.id).map_or(0.0, |audit| audit.score);
        waiting.sort_by(|a, b| score(b).total_cmp(&score(a)).then(a.id.cmp(&b.id)));
        let plan = UnitPlan {
            state,
            scope,
            config: &config,
            context: self.context(),
            now,
            mover: Mover::Person(&act),
        };
        // Who entered by this very answer does not leave again for the next one.
        let (mut entered, mut stayed) = (Vec::new(), Vec::new());
        for statement in waiting {
            match let_in(&plan, statement, audit(statement.id), &entered) {
                Ok(()) => entered.push(statement.id),
                Err(why) => {
                    stayed.push(format!("“{}” did not: {why}", text::excerpt(&statement.text, 80)));
                }
            }
        }
        let mut words = format!("{} entered the working set", entered.len());
        if !stayed.is_empty() {
            words = format!("{words}; {}", stayed.join("; "));
        }
        Ok(words)
    }

    /// Plans that a statement which a person has just agreed to enters the working set by their word; what came of it.
    pub(super) fn admit_confirmed(
        &self,
        state: &State,
        scope: &Scope,
        item: &InboxItem,
        id: PropositionId,
        now: Timestamp,
    ) -> Option<String> {
        let act = PersonAct::of(scope, now)?.answering(item.id);
        let statement = scope.proposition(state, id)?;
        let (config, mover) = (self.config(), Mover::Person(&act));
        let plan = UnitPlan { state, scope, config: &config, context: self.context(), now, mover };
        Some(match let_in(&plan, &statement, plan.trust_of(id, "promotion"), &[]) {
            Ok(()) => "it is in the working set".to_owned(),
            Err(why) => format!("it is not in the working set: {why}"),
        })
    }

    /// Plans what a dispute's answer means for the working set: where the newer statement holds, it takes the older one's place there.
    pub(super) fn follow_dispute(
        &self,
        state: &State,
        scope: &Scope,
        item: &InboxItem,
        verdict: Verdict,
        now: Timestamp,
    ) -> Result<Option<String>, Error> {
        if item.kind != InboxKind::UnitDispute || verdict == Verdict::Reject {
            return Ok(None);
        }
        let Some(newer) = item.proposition.as_ref().and_then(|p| scope.proposition(state, p.id)) else {
            return Ok(None);
        };
        let Some(act) = PersonAct::of(scope, now).map(|act| act.answering(item.id)) else { return Ok(None) };
        let config = self.config();
        let plan = UnitPlan {
            state,
            scope,
            config: &config,
            context: self.context(),
            now,
            mover: Mover::Person(&act),
        };
        let forbidden = |no: Objection| Error::Invalid { what: "inbox item", problem: no.words };
        for older in item.other_propositions().filter(|id| state.unit(*id).is_some()) {
            let why = "a person decided that the newer one holds";
            plan.archive(older, ArchiveReason::ConflictReplacement, Some(newer.id), why)
                .map_err(forbidden)?;
        }
        Ok(Some(match let_in(&plan, &newer, None, &[]) {
            Ok(()) => "the newer one is in the working set".to_owned(),
            Err(why) => format!("the newer one is not in the working set: {why}"),
        }))
    }
}

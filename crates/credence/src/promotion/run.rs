//! A promotion run: what is offered goes through the gates, everything that follows is planned, and one commit holds it with its report.
//!
//! Whatever awaits is asked before anything is planned, so that a plan that lost a race is made again with the same answers. After
//! an analysed window the model is not asked again: the window's own call has compared what it brought with all that lies near, and
//! a window costs two calls at most. Only a strategy that wants the model's word on every pair (`LLM`, `LLM_ONLY`) makes one more.
//! Nothing is written where nothing follows and everything was said before: promoting twice is promoting once.

use std::collections::{BTreeMap, BTreeSet};

use super::dedup::{self, Open, Sought};
use super::plan::{Considered, Desk, Findings, Refusal, fresh_view};
use super::report::{CandidateReport, Fate, PromotionGate, PromotionReport};
use super::room::{evict, room};
use crate::conflict::{Conflict, ConflictType, Detected, DetectionStrategy};
use crate::erasure::erased_since;
use crate::error::Error;
use crate::extraction::{AnalysisReport, Cost, OutcomeKind};
use crate::history::{Actor, Cause, Record, RecordId, Scope, ScopeInfo, State};
use crate::id::{InboxId, PromotionId, PropositionId};
use crate::inbox::{InboxItem, InboxKind, ask_about_candidates, settle_candidates};
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, Role};
use crate::maintenance::{Likeness, similarity};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{ItemContext, ReviseContext, StoredContext};
use crate::proposition::Proposition;
use crate::revision::{Glance, Readings, contradicted, superseded};
use crate::text;
use crate::time::Timestamp;
use crate::trust::{SourceRegistry, TrustInput, evaluate, sources_of};
use crate::unit::{
    ArchiveReason, DedupStrategy, DemotionReason, Evidence, Mover, Objection, UnitPlan, UnitView, active,
};

/// The name under which promotion moves units.
const PROMOTION: &str = "promotion";

/// Likeness from which the model is asked whether two statements are one. Chosen by us: below it two statements share little more
/// than their subject.
const NEAR: f64 = 0.3;

fn is_statement(record: &RecordId) -> bool {
    matches!(record, RecordId::Proposition(_))
}

/// How much may be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// Whatever words leave open.
    Open,
    /// Only what a strategy wants the model's word on: an analysis has compared the rest.
    Demanded,
}

impl<P: Ports> Memory<P> {
    /// Offers statements to the working set: confidence, dedup, conflict, trust, invariants, budget, then one commit with its report.
    /// What is a unit already gains the evidence of sources that it did not have; what sleeps comes back. Statements that
    /// waited for room are offered along. Doing it twice changes nothing more.
    ///
    /// # Errors
    /// [`Error::Journal`] when the store refused. What a model could not answer is no error but a question in the inbox.
    pub async fn promote(&self, offered: &[PropositionId]) -> Result<PromotionReport, Error> {
        self.promote_until(offered, &Cancel::new()).await
    }

    /// [`Memory::promote`], until somebody cancels it: then nothing is written, and what was offered can be offered again.
    ///
    /// # Errors
    /// [`Error::Cancelled`]; those of [`Memory::promote`].
    pub async fn promote_until(
        &self,
        offered: &[PropositionId],
        cancel: &Cancel,
    ) -> Result<PromotionReport, Error> {
        self.promote_asking(offered, Asks::Open, cancel).await
    }

    /// Offers what an analysed window brought, unless `unit.auto_activate` is off.
    pub(crate) async fn promote_window(&self, window: &AnalysisReport) -> Result<(), Error> {
        if !self.with_config(|config| config.unit.auto_activate) {
            return Ok(());
        }
        let brings = |kind| !matches!(kind, OutcomeKind::Disputed | OutcomeKind::Outdated);
        let offered: Vec<PropositionId> =
            window.outcomes.iter().filter(|o| brings(o.kind)).map(|o| o.proposition).collect();
        if !offered.is_empty() {
            // The window has landed: what follows from it is not left half done.
            self.promote_asking(&offered, Asks::Demanded, &Cancel::new()).await?;
        }
        Ok(())
    }

    async fn promote_asking(
        &self,
        offered: &[PropositionId],
        asks: Asks,
        cancel: &Cancel,
    ) -> Result<PromotionReport, Error> {
        let mut seen = BTreeSet::new();
        let mut offered: Vec<PropositionId> = offered.iter().copied().filter(|id| seen.insert(*id)).collect();
        offered.extend(self.waiting().into_iter().filter(|id| seen.insert(*id)));
        let mut read = self.state().last_revision();
        let mut findings = self.find_out(&offered, asks, cancel).await?;
        let id = PromotionId::new(self.next_id());
        loop {
            self.meet_newcomers(&offered, &mut findings).await;
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let is_answered = {
                let state = self.state();
                !erased_since(&state, read) && findings.are_about(&state)
            };
            if is_answered {
                let (scope, report) = self.plan_promotion(&offered, &findings, id);
                match self.commit(&scope).await {
                    Ok(_) => return Ok(report),
                    // Somebody changed what the plan was decided on: plan again, with the same answers, beside who has entered.
                    Err(Error::Conflict { records }) if !records.iter().any(is_statement) => continue,
                    Err(Error::Conflict { .. }) => {}
                    Err(other) => return Err(other),
                }
            }
            // What was found out is about other words by now, or may quote what was erased.
            read = self.state().last_revision();
            findings = self.find_out(&offered, asks, cancel).await?;
        }
    }

    /// Compares what is offered with units that entered since it was first compared, while a model was asked or before a plan that lost a
    /// race: by words, because nothing is asked twice. No pause lies between it and the plan.
    async fn meet_newcomers(&self, offered: &[PropositionId], findings: &mut Findings) {
        let mut units = self.working_set();
        units.retain(|view| findings.met.insert(view.id()));
        if units.is_empty() {
            return;
        }
        let open: Vec<Proposition> = {
            let state = self.state();
            let fresh = offered.iter().filter(|id| !findings.met.contains(id));
            fresh.filter_map(|id| state.proposition(*id).cloned()).collect()
        };
        let detected = self.detect_without_asking(&open, &units, &findings.texts).await;
        for (statement, conflicts) in open.iter().zip(detected.conflicts) {
            findings.conflicts.entry(statement.id).or_default().extend(conflicts);
        }
    }

    /// What found no room, as long as there is some now.
    fn waiting(&self) -> Vec<PropositionId> {
        let (state, config) = (self.state(), self.config());
        let is_free = active(&state, self.now().at, &config).len() < config.unit.budget as usize;
        if !is_free {
            return Vec::new();
        }
        let mut last: BTreeMap<PropositionId, Fate> = BTreeMap::new();
        for report in state.promotions() {
            last.extend(report.candidates.iter().map(|c| (c.proposition, c.fate)));
        }
        let is_asleep = |id: &PropositionId| !state.unit(*id).is_some_and(crate::unit::Unit::is_active);
        last.into_iter()
            .filter(|(id, fate)| *fate == Fate::Waiting && is_asleep(id))
            .map(|(id, _)| id)
            .collect()
    }

    /// Asks whatever has to be asked about statements that pass the first gates.
    async fn find_out(
        &self,
        offered: &[PropositionId],
        asks: Asks,
        cancel: &Cancel,
    ) -> Result<Findings, Error> {
        let config = self.config();
        let strategy = config.unit.dedup_strategy;
        let is_connected = self.ports().chat().is_connected(Role::Revise);
        let mut findings = Findings {
            reads_words: strategy != DedupStrategy::LlmOnly || !is_connected,
            ..Findings::default()
        };
        if strategy == DedupStrategy::LlmOnly && !is_connected {
            findings
                .notes
                .push("no language model is connected: duplicates were looked for by words alone".into());
        }
        // A snapshot, since others commit between the slices.
        let (state, now) = (self.state().clone(), self.now().at);
        let units = active(&state, now, &config);
        let open = self.look_through(&state, offered, &units, &mut findings, cancel).await?;
        if open.is_empty() {
            return Ok(findings);
        }
        // Candidates meet each other too: as the units that they would be.
        let now = self.now().at;
        let fresh: Vec<UnitView> = open.iter().map(|p| fresh_view(p, None, now, &config)).collect();
        let asks_words = match strategy {
            DedupStrategy::FastOnly => false,
            DedupStrategy::LlmOnly => is_connected,
            DedupStrategy::FastThenLlm => is_connected && asks == Asks::Open,
        };
        if asks_words {
            let demanded = strategy == DedupStrategy::LlmOnly;
            self.ask_about_sameness(&open, &units, demanded, &mut findings, cancel).await?;
        }
        let left: Vec<Proposition> = open
            .into_iter()
            .filter(|p| !matches!(findings.same.get(&p.id), Some(Sought::Same { .. } | Sought::Unclear(_))))
            .collect();
        let is_demanded = config.conflict_detection.strategy == DetectionStrategy::Llm;
        let detected = match asks == Asks::Open || is_demanded {
            true => {
                let all: Vec<UnitView> = units.into_iter().chain(fresh).collect();
                self.detect_among(&left, &all, &findings.texts, cancel).await?
            }
            // Revision has decided about every pair that lies near, with the units' own defence: what it let stand side by side is
            // not retired by a second look at the same words.
            false => Detected::default(),
        };
        findings.calls += detected.calls;
        findings.prompt_tokens += detected.prompt_tokens;
        findings.completion_tokens += detected.completion_tokens;
        findings.notes.extend(detected.notes);
        for (statement, conflicts) in left.iter().zip(detected.conflicts) {
            let conflicts: Vec<Conflict> =
                conflicts.into_iter().filter(|conflict| conflict.unit != statement.id).collect();
            if !conflicts.is_empty() {
                findings.conflicts.insert(statement.id, conflicts);
            }
        }
        Ok(findings)
    }

    /// Leads what is offered through the gates to see which statements get as far as others are compared with them, and reads every text
    /// on the way, in slices: the plan, which is made without a pause, goes by what was read.
    async fn look_through(
        &self,
        state: &State,
        offered: &[PropositionId],
        units: &[UnitView],
        findings: &mut Findings,
        cancel: &Cancel,
    ) -> Result<Vec<Proposition>, Error> {
        let config = self.config();
        let mut slices = self.slices(Some(cancel));
        findings.met = units.iter().map(UnitView::id).collect();
        let candidates = offered.iter().filter_map(|id| state.proposition(*id));
        let all: Vec<&Proposition> = units.iter().map(|view| &view.proposition).chain(candidates).collect();
        let readings = Readings::new(config.schema(), &findings.texts);
        for statement in &all {
            findings.glances.insert(statement.id, Glance::of(statement, &readings));
            findings.words.insert(statement.id, statement.text.clone());
            findings.texts.of(&statement.text).read_through();
            slices.rest().await?;
        }
        for statement in offered.iter().filter_map(|id| state.proposition(*id)) {
            for unit in units {
                findings.texts.opposition(&statement.text, &unit.proposition.text);
                slices.rest_small().await?;
            }
        }
        let registry = SourceRegistry::of(state);
        let desk = self.desk(state, findings, &registry, self.now().at);
        let mut consideration = desk.begin();
        for id in offered {
            consideration.next(*id, None);
            slices.rest().await?;
        }
        let is_open = |c: &&Considered| {
            c.report.answer(PromotionGate::Confidence).is_some_and(|answer| answer.passed)
                && c.report.fate != Fate::Duplicate
        };
        let open = consideration.done.iter().filter(is_open);
        Ok(open.filter_map(|c| state.proposition(c.report.proposition).cloned()).collect())
    }

    async fn ask_about_sameness(
        &self,
        open: &[Proposition],
        units: &[UnitView],
        demanded: bool,
        findings: &mut Findings,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let others: Vec<&Proposition> = units.iter().map(|view| &view.proposition).collect();
        let likeness: Vec<Likeness> = others.iter().map(|p| Likeness::of(p)).collect();
        let own: Vec<Likeness> = open.iter().map(Likeness::of).collect();
        let mut asked: Vec<Open> = Vec::new();
        for (n, candidate) in open.iter().enumerate() {
            let near = |other: &Likeness| demanded || similarity(&own[n], other) >= NEAR;
            let stored = others.iter().zip(&likeness).filter(|(_, l)| near(l)).map(|(p, _)| p.id);
            let earlier = open[..n].iter().zip(&own).filter(|(_, l)| near(l)).map(|(p, _)| p.id);
            let near: Vec<PropositionId> = stored.chain(earlier).collect();
            if !near.is_empty() {
                asked.push(Open { candidate: candidate.id, near });
            }
        }
        // Asking is sliced into calls; no candidate is left out.
        let per_call = self.with_config(|config| config.revision.classify_batch_size as usize).max(1);
        for slice in asked.chunks(per_call) {
            let request = self.sameness_request(slice)?;
            let text_of = |id| self.state().proposition(id).map(|p| p.text.clone());
            let read = |value: serde_json::Value| dedup::read(&value, slice, text_of);
            let mut cost = Cost::default();
            let found = self.ask_json(Role::Revise, &request, read, &mut cost, cancel).await;
            findings.calls += cost.calls;
            findings.prompt_tokens = findings.prompt_tokens.saturating_add(cost.prompt_tokens);
            findings.completion_tokens = findings.completion_tokens.saturating_add(cost.completion_tokens);
            findings.notes.extend(cost.notes);
            match found {
                Ok((answers, _)) => findings.same.extend(answers),
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(error) => {
                    let unclear = |open: &Open| (open.candidate, Sought::Unclear(error.to_string()));
                    findings.same.extend(slice.iter().map(unclear));
                }
            }
        }
        Ok(())
    }

    fn sameness_request(&self, asked: &[Open]) -> Result<ChatRequest, Error> {
        let state = self.state();
        let text_of =
            |id: &PropositionId| state.proposition(*id).map_or_else(String::new, |p| p.text.clone());
        let confidence = |id: &PropositionId| {
            state.proposition(*id).map_or_else(String::new, |p| p.confidence.to_string())
        };
        let stored = |open: &Open| {
            let numbered = open.near.iter().enumerate();
            let shown = numbered.map(|(n, id)| StoredContext {
                number: n + 1,
                text: text_of(id),
                confidence: confidence(id),
            });
            shown.collect()
        };
        let items = asked.iter().enumerate().map(|(n, open)| ItemContext {
            number: n + 1,
            text: text_of(&open.candidate),
            stored: stored(open),
        });
        let context = ReviseContext { items: items.collect() };
        let prompts = self.prompts();
        Ok(ChatRequest {
            messages: vec![Message::system(prompts.duplicates()?), Message::user(prompts.items(&context)?)],
            temperature: Some(0.0),
            max_tokens: Some(u32::try_from(128 + 24 * asked.len()).unwrap_or(u32::MAX)),
            schema: Some(dedup::reply_schema()),
            ..ChatRequest::default()
        })
    }

    /// Everything that the gates look at.
    fn desk<'a>(
        &'a self,
        state: &'a State,
        findings: &'a Findings,
        registry: &'a SourceRegistry,
        now: Timestamp,
    ) -> Desk<'a> {
        let config = self.config();
        Desk {
            state,
            units: active(state, now, &config),
            config,
            now,
            registry,
            findings,
            relation: Box::new(|incoming, existing| self.source_relation(state, incoming, existing)),
            sources_then: Box::new(|id| self.sources_at_promotion(state, id)),
        }
    }

    /// The sources that a statement had when it became a unit: what it was promoted with is no new evidence for it.
    fn sources_at_promotion(&self, state: &State, id: PropositionId) -> Vec<String> {
        let Some(unit) = state.unit(id) else { return Vec::new() };
        let log = self.log();
        let first = log.history(RecordId::Unit(id)).next().map(|step| step.commit.seq);
        let before = |seq: u64| first.is_none_or(|first| seq <= first);
        let then = log.history(RecordId::Proposition(id)).rfind(|step| before(step.commit.seq));
        let mut sources = match then.and_then(|step| step.revision.value.clone()) {
            Some(Record::Proposition(then)) => sources_of(state, &then),
            _ => Vec::new(),
        };
        sources.extend(unit.evidence().iter().map(|evidence| evidence.source.clone()));
        sources
    }

    /// Plans the run on the present: again without those that a later gate refuses, until all of it can be.
    fn plan_promotion(
        &self,
        offered: &[PropositionId],
        findings: &Findings,
        id: PromotionId,
    ) -> (Scope, PromotionReport) {
        let (state, config, now) = (self.state(), self.config(), self.now().at);
        // A fold over every statement: once for all rounds.
        let registry = SourceRegistry::of(&state);
        let mut refused: BTreeMap<PropositionId, Refusal> = BTreeMap::new();
        let mut violations = Vec::new();
        loop {
            let considered = self.desk(&state, findings, &registry, now).consider(offered, &refused);
            let scope = self.scope(
                ScopeInfo::new(Cause::Promotion, Actor::Engine, words_for(&considered))
                    .with_id("promotion", id),
            );
            // Every statement that was laid beside another: its words decided.
            let units = active(&state, now, &config);
            for id in offered.iter().copied().chain(units.iter().map(UnitView::id)) {
                scope.rests_on(&state, RecordId::Proposition(id));
            }
            let plan = UnitPlan {
                state: &state,
                scope: &scope,
                config: &config,
                context: self.context(),
                now,
                mover: Mover::Policy(PROMOTION),
            };
            let mut run = Run {
                plan: &plan,
                considered,
                refused: BTreeMap::new(),
                notes: findings.notes.clone(),
                violations: std::mem::take(&mut violations),
                budget: 0,
            };
            run.apply(&|statement: &Proposition, trigger: &str| {
                let others = units.iter().map(|view| &view.proposition);
                let quality = config.unit.quality_scoring.enabled;
                let input =
                    TrustInput::new(&state, statement, others, &registry, quality).reading(&findings.texts);
                evaluate(&input, &config.trust, trigger, now)
            });
            let fresh = std::mem::take(&mut run.refused);
            if fresh.is_empty() {
                let met = std::mem::take(&mut run.violations);
                for violation in met {
                    if !run.violations.contains(&violation) {
                        run.violations.push(violation);
                    }
                }
                let report = self.finish(&state, &scope, run, findings, id, now);
                return (scope, report);
            }
            violations = run.violations;
            refused.extend(fresh);
        }
    }

    /// Plans questions and the report; the report alone is not worth a commit when it says what was said before.
    fn finish(
        &self,
        state: &State,
        scope: &Scope,
        run: Run<'_>,
        findings: &Findings,
        id: PromotionId,
        now: Timestamp,
    ) -> PromotionReport {
        let Run { considered, notes, violations, budget, .. } = run;
        let entering = considered.iter().filter_map(|c| c.enters.as_ref());
        let retired: Vec<PropositionId> =
            entering.flat_map(|effects| effects.replaces.iter().map(|(old, ..)| *old)).collect();
        self.cascade(state, scope, &retired, now);
        let asked: Vec<_> = considered.iter().filter_map(|c| c.asks.clone()).collect();
        let mut questions =
            ask_about_candidates(state, scope, &asked, id, now, || InboxId::new(self.next_id()));
        for one in considered.iter().filter(|c| !c.disputes.is_empty()) {
            let statement = one.report.proposition;
            if let Some(question) =
                self.dispute(state, scope, statement, &one.disputes, &one.report.reason, now)
            {
                questions.insert(statement, question);
            }
        }
        let settled = considered
            .iter()
            .filter(|c| c.asks.is_none())
            .map(|c| (c.report.proposition, settled_by(c.report.fate).to_owned()));
        settle_candidates(state, scope, &settled.collect(), now);
        let mut candidates: Vec<_> = considered.into_iter().map(|c| c.report).collect();
        for candidate in &mut candidates {
            candidate.inbox = questions.get(&candidate.proposition).copied();
        }
        let degraded = candidates.iter().filter(|c| c.fate == Fate::Quarantined).count();
        let report = PromotionReport {
            id,
            at: now,
            candidates,
            funnel: super::Funnel {
                degraded: u32::try_from(degraded).unwrap_or(u32::MAX),
                ..super::Funnel::default()
            },
            budget: u32::try_from(budget).unwrap_or(u32::MAX),
            calls: findings.calls,
            prompt_tokens: findings.prompt_tokens,
            completion_tokens: findings.completion_tokens,
            notes,
            violations,
        }
        .counted();
        if !scope.is_empty() || report.candidates.iter().any(|candidate| is_news(state, candidate)) {
            scope.put(state, report.clone(), "");
        }
        report
    }

    /// Asks who is right, once for each pair.
    fn dispute(
        &self,
        state: &State,
        scope: &Scope,
        newer: PropositionId,
        kept: &[PropositionId],
        why: &str,
        now: Timestamp,
    ) -> Option<InboxId> {
        let asked = state.inbox_items().find(|item| kept.iter().all(|old| item.is_between(newer, *old)));
        if let Some(item) = asked {
            return item.is_open().then_some(item.id);
        }
        let statement = state.proposition(newer)?.clone();
        let others: Vec<Proposition> = kept.iter().filter_map(|id| state.proposition(*id).cloned()).collect();
        let id = InboxId::new(self.next_id());
        scope.put(state, InboxItem::conflict(id, InboxKind::UnitDispute, statement, &others, why, now), why);
        Some(id)
    }
}

/// One planning of a run.
struct Run<'a> {
    plan: &'a UnitPlan<'a>,
    considered: Vec<Considered>,
    /// Whom the gates that look at all candidates together refuse now.
    refused: BTreeMap<PropositionId, Refusal>,
    notes: Vec<String>,
    /// What the rules said, in this planning and in those before it.
    violations: Vec<Objection>,
    budget: usize,
}

impl Run<'_> {
    fn apply(&mut self, audit: &dyn Fn(&Proposition, &str) -> crate::trust::TrustAudit) {
        if !self.make_way() || !self.find_room() {
            return;
        }
        self.enter();
        if self.refused.is_empty() {
            self.count_evidence(audit);
            self.reassess(audit);
        }
    }

    fn statement(&self, id: PropositionId) -> Option<Proposition> {
        self.plan.scope.proposition(self.plan.state, id)
    }

    /// What a change that was made was told.
    fn warned(&mut self, warnings: Vec<Objection>) {
        self.notes.extend(warnings.iter().map(|warning| warning.words.clone()));
        self.violations.extend(warnings);
    }

    /// What a change that was not made ran into, in words.
    fn stopped(&mut self, no: Objection) -> String {
        self.violations.push(no.clone());
        no.words
    }

    fn refuse(&mut self, id: PropositionId, gate: PromotionGate, fate: Fate, why: String) {
        self.refused.insert(id, Refusal { gate, fate, why });
    }

    /// What the entering statements take the place of, and what they lower. False when a rule stands against it.
    fn make_way(&mut self) -> bool {
        let entering: Vec<(PropositionId, super::plan::Effects)> =
            self.considered.iter().filter_map(|c| Some((c.report.proposition, c.enters.clone()?))).collect();
        for (id, effects) in entering {
            for (old, kind, why) in effects.replaces {
                if let Err(why) = self.replace(id, old, &kind, &why) {
                    self.refuse(id, PromotionGate::Invariants, Fate::LeftOut, why);
                }
            }
            for (old, why) in effects.demotes {
                match self.plan.demote(old, DemotionReason::ConflictEvidence, &why) {
                    Ok(change) => self.warned(change.warnings),
                    Err(no) => {
                        let why = self.stopped(no);
                        self.refuse(id, PromotionGate::Invariants, Fate::LeftOut, why);
                    }
                }
            }
        }
        self.refused.is_empty()
    }

    /// The old statement is retired together with its unit, and the new one names it.
    fn replace(
        &mut self,
        id: PropositionId,
        old: PropositionId,
        kind: &ConflictType,
        why: &str,
    ) -> Result<(), String> {
        let (plan, now) = (self.plan, self.plan.now);
        let (Some(mut newer), Some(older)) = (self.statement(id), self.statement(old)) else { return Ok(()) };
        if older.pinned {
            return Err(format!(
                "“{}” is pinned, and a person alone retires it",
                text::excerpt(&older.text, 80)
            ));
        }
        let is_update = matches!(kind, ConflictType::Revision | ConflictType::WorldProgression);
        if plan.view(old).is_some() {
            let reason = if is_update { ArchiveReason::Revision } else { ArchiveReason::ConflictReplacement };
            let change = plan.archive(old, reason, Some(id), why).map_err(|no| self.stopped(no))?;
            self.warned(change.warnings);
        }
        let begins = newer.temporal.valid_from.or(newer.temporal.observed_at).unwrap_or(newer.created);
        let retired = if is_update { superseded(&older, begins, now) } else { contradicted(&older, now) };
        plan.scope.put(plan.state, retired.map_err(|error| error.to_string())?, why);
        let links = if is_update { &mut newer.temporal.supersedes } else { &mut newer.temporal.contradicts };
        if !links.contains(&old) {
            links.push(old);
            newer.metadata_revised = now;
        }
        plan.scope.put(
            plan.state,
            newer,
            format!("it took the place of “{}”", text::excerpt(&older.text, 120)),
        );
        Ok(())
    }

    /// Who leaves so that all can enter; those who would have to leave at once do not enter. False when somebody does not.
    fn find_room(&mut self) -> bool {
        let entering: Vec<UnitView> = self
            .considered
            .iter()
            .filter(|c| c.is_entering())
            .filter_map(|c| {
                let statement = self.statement(c.report.proposition)?;
                // Who was there before comes back as it was.
                let revived = self.plan.view(statement.id).map(|known| {
                    let least = fresh_view(&statement, None, self.plan.now, self.plan.config).activation;
                    UnitView { activation: known.activation.max(least), ..known }
                });
                let fresh =
                    || fresh_view(&statement, c.report.trust.clone(), self.plan.now, self.plan.config);
                Some(revived.unwrap_or_else(fresh))
            })
            .collect();
        let found = room(self.plan, &entering, &[]);
        self.budget = found.budget;
        self.notes.extend(found.warning.clone());
        self.violations.extend(found.kept_in.clone());
        let declined: Vec<PropositionId> =
            found.leaving.out.iter().copied().filter(|id| entering.iter().any(|v| v.id() == *id)).collect();
        let short = (found.wanted - found.leaving.out.len()).saturating_sub(found.budget);
        if !declined.is_empty() {
            for id in declined {
                self.refuse(id, PromotionGate::Budget, Fate::Waiting, found.why_full());
            }
            return false;
        }
        if short > 0 && !entering.is_empty() {
            for view in &entering {
                self.refuse(view.id(), PromotionGate::Budget, Fate::Waiting, found.why_full());
            }
            return false;
        }
        let Some(first) = entering.first() else { return true };
        if let Err(why) = evict(self.plan, &found.leaving.out, &first.proposition.text) {
            for view in &entering {
                self.refuse(view.id(), PromotionGate::Budget, Fate::Waiting, why.clone());
            }
            return false;
        }
        let mut out = found.leaving.out.into_iter();
        for one in self.considered.iter_mut().filter(|c| c.is_entering()) {
            one.report.displaced = out.next().into_iter().collect();
        }
        true
    }

    fn enter(&mut self) {
        let plan = self.plan;
        for at in 0..self.considered.len() {
            let one = &self.considered[at];
            if !one.is_entering() {
                continue;
            }
            let (id, why) = (one.report.proposition, one.report.reason.clone());
            match plan.promote(id, one.report.trust.clone(), &why) {
                Ok(change) => {
                    let report = &mut self.considered[at].report;
                    let told: Vec<String> =
                        change.warnings.iter().map(|warning| warning.words.clone()).collect();
                    self.violations.extend(change.warnings);
                    let allowed = match told.is_empty() {
                        true => "no rule stands against it".to_owned(),
                        false => told.join("; "),
                    };
                    let room = match report.displaced.len() {
                        0 => "there is room".to_owned(),
                        n => format!("{n} gave up its place"),
                    };
                    let passed = |gate, why| super::GateAnswer { gate, passed: true, why };
                    report.gates.push(passed(PromotionGate::Invariants, allowed));
                    report.gates.push(passed(PromotionGate::Budget, room));
                }
                Err(no) => {
                    let why = self.stopped(no);
                    self.refuse(id, PromotionGate::Invariants, Fate::LeftOut, why);
                }
            }
        }
    }

    fn count_evidence(&mut self, audit: &dyn Fn(&Proposition, &str) -> crate::trust::TrustAudit) {
        let plan = self.plan;
        let mut told = Vec::new();
        for one in &self.considered {
            for (unit, source) in &one.evidence {
                let Some(statement) = self.statement(*unit) else { continue };
                let why = format!("{source} says it too");
                let fresh = || Some(audit(&statement, "reinforcement"));
                match plan.reinforce(*unit, Evidence::source(source.clone(), plan.now), fresh, &why) {
                    Ok(change) => told.extend(change.warnings),
                    Err(no) => told.push(no),
                }
            }
        }
        self.warned(told);
    }

    /// Units that a candidate stood against, and that stayed, are judged anew, once for each candidate's first report.
    fn reassess(&mut self, audit: &dyn Fn(&Proposition, &str) -> crate::trust::TrustAudit) {
        let plan = self.plan;
        let (mut done, mut told) = (BTreeSet::new(), Vec::new());
        for one in &self.considered {
            for unit in one.reassess.iter().filter(|_| is_news(plan.state, &one.report)) {
                let is_active = plan.view(*unit).is_some_and(|view| view.is_active());
                if !is_active || !done.insert(*unit) {
                    continue;
                }
                let Some(statement) = self.statement(*unit) else { continue };
                let why = format!("“{}” was held against it", text::excerpt(&one.report.text, 80));
                match plan.assess(*unit, audit(&statement, "explicit"), &why) {
                    Ok(change) => told.extend(change.warnings),
                    Err(no) => told.push(no),
                }
            }
        }
        self.warned(told);
    }
}

/// Whether the latest report on a statement said something else: it ended otherwise, or at another gate. Numbers in a reason may
/// move with what stands around it; that alone is no news. Nor is it that a statement which was told of is not believed any more.
fn is_news(state: &State, now: &CandidateReport) -> bool {
    let Some(before) = state.promotions().rev().find_map(|report| report.of(now.proposition)) else {
        return true;
    };
    let last_gate = |report: &CandidateReport| report.gates.last().map(|answer| answer.gate);
    let stopped_at_the_door = last_gate(now) == Some(PromotionGate::Candidate);
    now.fate != Fate::Known
        && (before.fate != now.fate || (last_gate(before) != last_gate(now) && !stopped_at_the_door))
}

/// What settled a question, in words that quote nothing.
fn settled_by(fate: Fate) -> &'static str {
    match fate {
        Fate::Promoted | Fate::Revived | Fate::Reinforced | Fate::Known => {
            "it is in the working set: new evidence let it pass"
        }
        Fate::Duplicate => "the working set says it by now",
        Fate::Waiting => "it may enter, and waits for room",
        Fate::Disputed => "another question asks about it",
        Fate::Review | Fate::Quarantined | Fate::LeftOut => {
            "it was judged anew and stays a statement like others"
        }
    }
}

fn words_for(considered: &[Considered]) -> String {
    let entering = considered.iter().filter(|c| c.is_entering()).count();
    match (entering, considered.len()) {
        (1, 1) => "one statement entered the working set".into(),
        (0, n) => format!("{n} statements were offered to the working set"),
        (n, all) => format!("{n} of {all} statements entered the working set"),
    }
}

//! The loop: an answer is drafted, checked, and asked for again while it contradicts what is enforced; then it is kept, kept with a
//! warning, or withheld. Cancelling works in every phase.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::bias::{Bias, bias, constraints};
use super::compliance::{
    Action, Attempt, Combined, Compliance, ComplianceCheck, ComplianceOutcome, Enforced, Layer, LayerReport,
    Reading, Violation, combine, enforced,
};
use super::rules::{stated, uses, violations};
use super::{EnforcementSettings, EnforcementStrategy};
use crate::agent::Wished;
use crate::conversation::{Turn, TurnState, mode_of};
use crate::error::Error;
use crate::event::Event;
use crate::extraction::user_name;
use crate::history::{Actor, Cause, ScopeInfo};
use crate::id::PropositionId;
use crate::llm::{Cancel, ChatModel, ChatReply, ChatRequest, Finish, Message, ModelError, Role};
use crate::memory::Memory;
use crate::ports::{Clock, Ports};
use crate::prompt::{ContradictedContext, CorrectionContext};
use crate::unit::{self, Evidence, Mover};

/// Where the making of an answer stands, for whoever shows it. What streams is a draft until the turn is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnforcementPhase {
    /// The draft is whole and is being checked.
    Checking,
    /// The draft is put aside, because it contradicts these facts; what streams from now on takes its place.
    Regenerating {
        /// The facts.
        contradicted: Vec<String>,
    },
}

/// An answer, ready to be stored.
pub(crate) struct Drafted {
    /// The words, and what the model says of itself.
    pub(crate) reply: ChatReply,
    /// How it ended.
    pub(crate) state: TurnState,
    /// What came of enforcement; `None` where the prompt alone enforces.
    pub(crate) compliance: Option<Box<Compliance>>,
    /// Whether it is what the first call brought.
    pub(crate) is_first: bool,
}

impl Drafted {
    fn new(reply: ChatReply, state: TurnState, compliance: Option<Box<Compliance>>) -> Self {
        let is_first = compliance.as_ref().is_none_or(|report| report.attempts.len() <= 1);
        Self { reply, state, compliance, is_first }
    }
}

/// A draft that contradicts something.
struct Rejected {
    reply: ChatReply,
    attempt: usize,
    action: Action,
    weight: f64,
}

/// What an answer is checked with.
struct Standard {
    strategy: EnforcementStrategy,
    settings: EnforcementSettings,
    facts: Vec<Enforced>,
    user: String,
    question: String,
    bias: Result<Bias, String>,
}

impl<P: Ports> Memory<P> {
    /// Lets the host check answers beside rules and model; `None` ends that.
    pub fn use_compliance_check(&self, check: Option<Rc<dyn ComplianceCheck>>) {
        *self.compliance_check().borrow_mut() = check;
    }

    /// Answers a turn by `request` under the strategy in force. `supplied` is what memory gave, `wished` takes what the model looks up and asks for.
    pub(crate) async fn draft(
        &self,
        asked: &Turn,
        mut request: ChatRequest,
        supplied: &[PropositionId],
        wished: &mut Wished,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<Drafted, Error> {
        let conversation = asked.conversation;
        let standard = self.standard(asked).await;
        request.logit_bias = standard.bias.as_ref().map(|bias| bias.tokens.clone()).unwrap_or_default();
        let mut report = Compliance {
            strategy: standard.strategy,
            enforced: u32::try_from(standard.facts.len()).unwrap_or(u32::MAX),
            attempts: Vec::new(),
            kept: None,
            outcome: ComplianceOutcome::Unchecked,
            reason: String::new(),
            used: Vec::new(),
            biased: u32::try_from(request.logit_bias.len()).unwrap_or(u32::MAX),
        };
        let checks = standard.strategy.checks() && !standard.facts.is_empty();
        let tries = if checks { standard.settings.max_regenerations + 1 } else { 1 };
        let mut best: Option<Rejected> = None;
        let mut prompt = request.messages.clone();
        for n in 0..tries {
            let sent = request.messages.len();
            let (reply, state) = self.converse(asked, &mut request, wished, on_text, cancel).await?;
            // What a try looked up, every later one sees: the rounds are counted over all of them.
            prompt.extend(request.messages.drain(sent..));
            if state != TurnState::Complete {
                return Ok(standard.broken_off(report, best, reply, state));
            }
            if !checks {
                let compliance = standard.unchecked(report);
                return Ok(Drafted::new(reply, state, compliance));
            }
            self.emit(&Event::Enforcement { conversation, phase: EnforcementPhase::Checking });
            let found = self.check(&standard, &reply.text, cancel).await;
            let attempt = report.attempts.len();
            let acted = acted_on(&found, standard.settings.min_confidence);
            let action = Action::of(&acted);
            let unchecked = found.unchecked.then(|| found.warnings.join("; "));
            report.attempts.push(Attempt {
                layers: found.layers,
                violations: found.violations,
                action,
                warnings: found.warnings,
                elapsed_ms: found.elapsed_ms,
            });
            if cancel.is_cancelled() {
                let why = "it was stopped before it was checked".to_owned();
                let state = TurnState::Stopped;
                return Ok(standard.closed(report, reply, state, attempt, Some(why), Vec::new()));
            }
            if action == Action::Accept {
                let found = wished.searches.iter().flat_map(|search| &search.given);
                let given: BTreeSet<PropositionId> = supplied.iter().chain(found).copied().collect();
                let used = self.used(&standard, &reply.text, &given);
                return Ok(standard.closed(report, reply, state, attempt, unchecked, used));
            }
            if n + 1 < tries {
                let contradicted = acted.iter().map(|violation| violation.fact.clone()).collect();
                let phase = EnforcementPhase::Regenerating { contradicted };
                self.emit(&Event::Enforcement { conversation, phase });
                request.messages.clone_from(&prompt);
                request.messages.push(Message::assistant(&reply.text));
                request.messages.push(Message::user(self.correction(&acted)?));
            }
            let weight = acted.iter().map(|violation| violation.confidence).sum();
            let rejected = Rejected { reply, attempt, action, weight };
            let better = best
                .as_ref()
                .is_none_or(|best| (rejected.action, rejected.weight) <= (best.action, best.weight));
            if better {
                best = Some(rejected);
            }
        }
        Ok(standard.best_of(report, best, ""))
    }

    /// Counts a correct use for every unit that a checked answer used: the only thing about an answer that is evidence.
    pub(crate) async fn credit_uses(&self, turn: &Turn) -> Result<(), Error> {
        let used = turn.compliance.as_ref().map(|report| report.used.clone()).unwrap_or_default();
        if used.is_empty() {
            return Ok(());
        }
        let info = ScopeInfo::new(Cause::Promotion, Actor::Engine, "used by a checked answer")
            .with_id("conversation", turn.conversation)
            .with_id("turn", turn.id);
        let (refused, _) = self
            .change(info, |state, scope| {
                self.planning(state, scope, Mover::Policy("correct use"), |plan| {
                    let mut refused = Vec::new();
                    for id in &used {
                        let evidence = Evidence::use_in(turn.conversation, turn.index, plan.now);
                        let change =
                            plan.reinforce(*id, evidence, || None, "an answer used it and agrees with it");
                        refused.extend(change.err());
                    }
                    Ok(refused)
                })
            })
            .await?;
        refused.iter().for_each(|objection| self.tell_violation(objection));
        Ok(())
    }

    /// The facts, the names and the bias that an answer is held to.
    async fn standard(&self, asked: &Turn) -> Standard {
        let now = self.now().at;
        let (strategy, settings, facts, user) = self.with_config(|config| {
            let state = self.state();
            let units = unit::active(&state, now, config);
            let mut facts = enforced(&units, &config.enforcement, config.unit.compliance_policy);
            if !mode_of(&state, asked.conversation).reads() {
                facts.clear();
            }
            let strategy = config.assembly.enforcement_strategy;
            (strategy, config.enforcement.clone(), facts, user_name(&state, config))
        });
        let bias = match strategy.biases() {
            true => self.bias(&facts, settings.bias).await,
            false => Ok(Bias::default()),
        };
        Standard { strategy, settings, facts, user, question: asked.text.clone(), bias }
    }

    async fn bias(&self, facts: &[Enforced], strength: f64) -> Result<Bias, String> {
        let constraints = constraints(facts);
        let names = constraints.names();
        if names.is_empty() {
            return Ok(Bias::default());
        }
        let tokens: BTreeMap<String, u32> = self.chat().first_tokens(Role::Chat, &names).await?;
        Ok(bias(&constraints, &tokens, strength))
    }

    /// One streamed answer. What a failing or cancelled call had brought by then is its text.
    pub(crate) async fn stream(
        &self,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> (ChatReply, TurnState) {
        let mut streamed = String::new();
        let outcome = {
            let mut sink = |piece: &str| {
                streamed.push_str(piece);
                on_text(piece);
            };
            self.chat().complete(Role::Chat, request, &mut sink, cancel).await
        };
        match outcome {
            Ok(reply) if reply.finish == Finish::Cancelled => (reply, TurnState::Stopped),
            Ok(reply) => (reply, TurnState::Complete),
            Err(ModelError::Cancelled) => {
                let finish = Finish::Cancelled;
                (ChatReply { text: streamed, finish, ..ChatReply::default() }, TurnState::Stopped)
            }
            Err(error) => {
                let state = TurnState::Failed { code: error.code().to_owned(), reason: error.to_string() };
                (ChatReply { text: streamed, ..ChatReply::default() }, state)
            }
        }
    }

    /// Checks an answer: rules and the host's check, and a model for what they do not see.
    async fn check(&self, standard: &Standard, answer: &str, cancel: &Cancel) -> Combined {
        let reading = Reading { question: &standard.question, answer, user: &standard.user };
        let mut layers: Vec<(Layer, Result<LayerReport, String>)> = Vec::new();
        if standard.strategy == EnforcementStrategy::Hybrid {
            layers.push((Layer::Prompt, Ok(LayerReport::default())));
            layers.push((Layer::Bias, standard.bias.clone().map(|_| LayerReport::default())));
        }
        let said = stated(&reading);
        let found = violations(&said, &standard.facts);
        layers.push((Layer::Rules, Ok(LayerReport { violations: found, ..LayerReport::default() })));
        let host = self.compliance_check().borrow().clone();
        if let Some(host) = host {
            let from = self.now().at;
            let found = host.check(reading, &standard.facts).await;
            let report = found.map(|violations| LayerReport { violations, ..LayerReport::default() });
            layers.push((Layer::Host, self.timed(report, from)));
        }
        let seen = layers.iter().any(|(_, layer)| layer.as_ref().is_ok_and(|l| !l.violations.is_empty()));
        if standard.settings.check_by_model && !seen {
            if self.chat().is_connected(Role::Judge) {
                let from = self.now().at;
                let found = self.check_by_model(&reading, &said, &standard.facts, cancel).await;
                layers.push((Layer::Model, self.timed(found, from)));
            } else {
                layers.push((Layer::Model, Err("no model is connected for judging".into())));
            }
        }
        combine(layers)
    }

    fn timed(
        &self,
        report: Result<LayerReport, String>,
        from: crate::time::Timestamp,
    ) -> Result<LayerReport, String> {
        let elapsed = self.ports().clock().now().at.0.saturating_sub(from.0);
        report.map(|report| LayerReport { elapsed_ms: u32::try_from(elapsed).unwrap_or(0), ..report })
    }

    fn correction(&self, violations: &[Violation]) -> Result<String, Error> {
        let violations = violations
            .iter()
            .map(|violation| ContradictedContext {
                fact: violation.fact.clone(),
                sentence: violation.sentence.clone(),
                reason: violation.reason.clone(),
            })
            .collect();
        Ok(self.prompts().correction(&CorrectionContext { violations })?)
    }

    /// The units that were given, by the prompt or by a search, and that an answer says by its words.
    fn used(&self, standard: &Standard, answer: &str, given: &BTreeSet<PropositionId>) -> Vec<PropositionId> {
        let reading = Reading { question: &standard.question, answer, user: &standard.user };
        let said = stated(&reading);
        let state = self.state();
        let units = given.iter().filter(|id| state.unit(**id).is_some_and(|unit| unit.is_active()));
        units.filter(|id| state.proposition(**id).is_some_and(|p| uses(&said, &p.text))).copied().collect()
    }
}

/// The violations that are sure enough to act on.
fn acted_on(found: &Combined, min_confidence: f64) -> Vec<Violation> {
    found.violations.iter().filter(|violation| violation.confidence >= min_confidence).cloned().collect()
}

impl Standard {
    /// The report of an answer that this strategy does not check.
    fn unchecked(&self, mut report: Compliance) -> Option<Box<Compliance>> {
        if self.strategy == EnforcementStrategy::PromptOnly {
            return None;
        }
        (report.outcome, report.reason) = match (&self.bias, self.strategy.checks()) {
            // Nothing is enforced.
            (_, true) => (ComplianceOutcome::Compliant, String::new()),
            (Ok(_), false) => {
                (ComplianceOutcome::Unchecked, "LOGIT_BIAS biases the answer and does not check it".into())
            }
            (Err(why), false) => (ComplianceOutcome::Unchecked, format!("no bias was sent: {why}")),
        };
        Some(Box::new(report))
    }

    /// A stopped or failed call: an earlier draft stands in for a failed one.
    fn broken_off(
        &self,
        report: Compliance,
        best: Option<Rejected>,
        reply: ChatReply,
        state: TurnState,
    ) -> Drafted {
        if self.facts.is_empty() || !self.strategy.checks() {
            let compliance = self.unchecked(report);
            return Drafted::new(reply, state, compliance);
        }
        match (&state, best) {
            (TurnState::Failed { reason, .. }, Some(best)) => {
                let why = format!("; asked again, the model failed: {reason}");
                self.best_of(report, Some(best), &why)
            }
            (TurnState::Failed { .. }, None) => Drafted::new(reply, state, None),
            _ => {
                let why = Some("it was stopped before it was checked".to_owned());
                let attempt = report.attempts.len();
                self.closed(report, reply, state, attempt, why, Vec::new())
            }
        }
    }

    /// An answer that is not known to contradict anything.
    fn closed(
        &self,
        mut report: Compliance,
        mut reply: ChatReply,
        mut state: TurnState,
        attempt: usize,
        unchecked: Option<String>,
        used: Vec<PropositionId>,
    ) -> Drafted {
        report.kept = (attempt < report.attempts.len()).then(|| u32::try_from(attempt).unwrap_or(u32::MAX));
        match unchecked {
            None => {
                report.outcome = ComplianceOutcome::Compliant;
                report.used = used;
            }
            Some(why) if self.settings.fail_closed => {
                report.outcome = ComplianceOutcome::Withheld;
                report.reason = format!("the answer could not be checked ({why})");
                withhold(&mut report, &mut reply, &mut state);
            }
            Some(why) => {
                report.outcome = ComplianceOutcome::Unchecked;
                report.reason = why;
            }
        }
        Drafted::new(reply, state, Some(Box::new(report)))
    }

    /// The answer that contradicts least, with a warning; fail-closed, none.
    fn best_of(&self, mut report: Compliance, best: Option<Rejected>, more: &str) -> Drafted {
        let mut state = TurnState::Complete;
        let Some(best) = best else {
            return Drafted::new(ChatReply::default(), state, Some(Box::new(report)));
        };
        let attempt = report.attempts.get(best.attempt);
        let facts: Vec<String> = attempt
            .iter()
            .flat_map(|attempt| &attempt.violations)
            .filter(|violation| violation.confidence >= self.settings.min_confidence)
            .map(|violation| format!("\u{201c}{}\u{201d}", violation.fact))
            .collect();
        report.reason = format!("the answer contradicts {}{more}", facts.join(" and "));
        report.kept = u32::try_from(best.attempt).ok();
        let mut reply = best.reply;
        if self.settings.fail_closed {
            report.outcome = ComplianceOutcome::Withheld;
            withhold(&mut report, &mut reply, &mut state);
        } else {
            report.outcome = ComplianceOutcome::Violating;
        }
        Drafted::new(reply, state, Some(Box::new(report)))
    }
}

/// Takes the words away; the reason takes their place.
fn withhold(report: &mut Compliance, reply: &mut ChatReply, state: &mut TurnState) {
    reply.text.clear();
    report.kept = None;
    *state =
        TurnState::Failed { code: "answer-withheld".into(), reason: format!("withheld: {}", report.reason) };
}

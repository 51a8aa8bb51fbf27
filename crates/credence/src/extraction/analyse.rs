//! Analysis: one window of a conversation becomes one commit.
//!
//! window → extract (model or rules) → clean (repeats, secrets, echoes, voices, grounding, cap) → resolve → revise (rules, then
//! one batched model call) → commit of propositions, entities, report and bookmark together. The model is asked before
//! anything is planned; planning is synchronous, so that it can be done again when another writer was faster. A failure
//! leaves the bookmark where it was and its reason on it.

use std::rc::Rc;

use super::candidate::{DropReason, Dropped, Extraction, WindowTurn};
use super::ground::Ground;
use super::reply::{merge_repeats, parse_propositions, propositions_schema};
use super::report::AnalysisReport;
use super::window::{Window, next_window, pending_turns, user_name};
use crate::conversation::{AnalysisFailure, Bookmark};
use crate::embedded;
use crate::error::Error;
use crate::event::Event;
use crate::history::{Actor, Cause, Scope, ScopeInfo, State};
use crate::id::{AnalysisId, ConversationId};
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, Role, model_name, repair};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{EntityContext, ExtractContext, SpeakerContext, TurnContext, WindowContext};
use crate::proposition::Extractor;
use crate::text;

/// When a conversation is analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// Once `trigger_interval` new turns wait.
    WhenDue,
    /// As soon as one waits.
    Now,
}

/// How far an analysis has come, in turns of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Turns done by this call.
    pub done: u32,
    /// Turns that waited when it began.
    pub total: u32,
}

/// What waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// Turns behind the bookmark.
    pub turns: u32,
    /// Why they wait, when an analysis failed.
    pub failure: Option<AnalysisFailure>,
}

/// What extraction cost.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cost {
    pub(crate) calls: u32,
    pub(crate) prompt_tokens: u32,
    pub(crate) completion_tokens: u32,
    pub(crate) notes: Vec<String>,
}

impl Cost {
    pub(crate) fn add(&mut self, account: &repair::Account) {
        self.calls += account.calls;
        if let Some(usage) = account.usage {
            self.prompt_tokens = self.prompt_tokens.saturating_add(usage.prompt_tokens);
            self.completion_tokens = self.completion_tokens.saturating_add(usage.completion_tokens);
        }
        for note in account.notes.iter().chain(&account.repairs) {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        if account.is_cut {
            self.notes.push("the model's answer ended too early: what it had not finished is missing".into());
        }
    }
}

impl<P: Ports> Memory<P> {
    /// What of a conversation waits to be analysed.
    pub fn pending(&self, conversation: ConversationId) -> Pending {
        let state = self.state();
        Pending {
            turns: pending_turns(&state, conversation),
            failure: state.bookmark(conversation).and_then(|bookmark| bookmark.failure.clone()),
        }
    }

    /// Analyses a conversation to its end, window by window, each one commit. Never blocks other use cases: call it beside
    /// an answer that streams.
    ///
    /// # Errors
    /// [`Error::Busy`] when it is being analysed already; [`Error::Cancelled`] between windows; a model's failure after
    /// its turns were left pending with the reason. Windows that were committed stay.
    pub async fn analyse(
        &self,
        conversation: ConversationId,
        trigger: Trigger,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Rc<AnalysisReport>>, Error> {
        if !self.analysing().borrow_mut().insert(conversation) {
            return Err(Error::Busy);
        }
        let outcome = self.analyse_all(conversation, trigger, cancel, on_progress).await;
        self.analysing().borrow_mut().remove(&conversation);
        outcome
    }

    async fn analyse_all(
        &self,
        conversation: ConversationId,
        trigger: Trigger,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Rc<AnalysisReport>>, Error> {
        let total = self.pending(conversation).turns;
        let due = match trigger {
            Trigger::Now => 1,
            Trigger::WhenDue => self.config().trigger_interval,
        };
        let mut reports = Vec::new();
        if total < due {
            return Ok(reports);
        }
        loop {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let window = next_window(&self.state(), conversation, &self.config());
            let Some(window) = window else { break };
            self.emit(&Event::AnalysisStarted { conversation, from: window.from, to: window.to });
            match self.analyse_window(&window, cancel).await {
                Ok(Some(report)) => {
                    self.emit(&Event::Analysed { report: report.clone() });
                    reports.push(report);
                }
                // Another tab was faster with these turns: look again.
                Ok(None) => {
                    self.refresh().await?;
                }
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(error) => {
                    self.leave_pending(conversation, &error).await?;
                    return Err(error);
                }
            }
            let done = total.saturating_sub(self.pending(conversation).turns);
            on_progress(Progress { done, total });
        }
        Ok(reports)
    }

    async fn leave_pending(&self, conversation: ConversationId, error: &Error) -> Result<(), Error> {
        let (code, reason, at) = (error.code().to_owned(), error.to_string(), self.now().at);
        let info = ScopeInfo::new(Cause::Extraction, Actor::Engine, "analysis failed; the turns wait")
            .with_id("conversation", conversation);
        self.change(info, |state, scope| {
            let known = state.bookmark(conversation);
            let attempts = known.and_then(|b| b.failure.as_ref()).map_or(0, |f| f.attempts) + 1;
            let failure = AnalysisFailure { code: code.clone(), reason: reason.clone(), attempts, at };
            let analysed_until = known.map_or(0, |b| b.analysed_until);
            scope.put(
                state,
                Bookmark { conversation, analysed_until, failure: Some(failure) },
                reason.clone(),
            );
            Ok(())
        })
        .await?;
        self.emit(&Event::AnalysisFailed { conversation, code, reason });
        Ok(())
    }

    /// `Ok(None)`: the bookmark has moved meanwhile, these turns are done.
    async fn analyse_window(
        &self,
        window: &Window,
        cancel: &Cancel,
    ) -> Result<Option<Rc<AnalysisReport>>, Error> {
        let mut cost = Cost::default();
        let (extraction, extractor) = self.extract(window, &mut cost, cancel).await?;
        let reason = format!("analysed turns {} to {}", window.from, window.to - 1);
        let info = ScopeInfo::new(Cause::Extraction, Actor::Engine, reason)
            .with_id("conversation", window.conversation);
        self.land(window, extraction, extractor, cost, info, cancel).await
    }

    /// Cleans what was extracted, revises it against the memory and commits it with its report.
    pub(crate) async fn land(
        &self,
        window: &Window,
        mut extraction: Extraction,
        extractor: Extractor,
        mut cost: Cost,
        info: ScopeInfo,
        cancel: &Cancel,
    ) -> Result<Option<Rc<AnalysisReport>>, Error> {
        self.clean(window, &mut extraction);
        let id = AnalysisId::new(self.next_id());
        let info = info.with_id("analysis", id);
        let revised = self.revise(window, &extraction.candidates, &mut cost, cancel).await?;
        loop {
            let scope = self.scope(info.clone());
            let report = {
                let state = self.state();
                let done = state.bookmark(window.conversation).map_or(0, |b| b.analysed_until);
                if done > window.from {
                    return Ok(None);
                }
                let plan = self.plan_revisions(&state, &scope, window, &extraction.candidates, &revised);
                let report = AnalysisReport {
                    id,
                    conversation: window.conversation,
                    from: window.from,
                    to: window.to,
                    at: self.now().at,
                    extractor: extractor.clone(),
                    outcomes: plan.outcomes,
                    dropped: extraction.dropped.clone(),
                    mentions: self.screen_mentions(&extraction.candidates),
                    resolutions: plan.resolutions,
                    new_entities: plan.new_entities,
                    redacted: redactions(window),
                    calls: cost.calls,
                    prompt_tokens: cost.prompt_tokens,
                    completion_tokens: cost.completion_tokens,
                    notes: cost.notes.iter().chain(&plan.notes).cloned().collect(),
                };
                finish_window(&state, &scope, window, &report);
                report
            };
            match self.commit(&scope).await {
                Ok(_) => return Ok(Some(Rc::new(report))),
                // Somebody changed what the plan was decided on: plan again, with the same answers of the model.
                Err(Error::Conflict { .. }) => {}
                Err(other) => return Err(other),
            }
        }
    }

    pub(crate) async fn extract(
        &self,
        window: &Window,
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<(Extraction, Extractor), Error> {
        let readable = window.turns.iter().any(|turn| !turn.context_only && !turn.is_assistant);
        if !readable || !self.ports().chat().is_connected(Role::Extract) {
            return Ok((embedded::extract(&window.turns), Extractor::Rules));
        }
        let request = self.extraction_request(window).await?;
        let read = |value| parse_propositions(&value, &window.turns, "");
        let outcome = repair::complete_json(self.ports().chat(), Role::Extract, &request, read, cancel).await;
        match outcome {
            Ok(parsed) => {
                cost.add(&parsed.account);
                let model = model_name(&parsed.account.model).to_owned();
                let mut extraction = parsed.value;
                for candidate in &mut extraction.candidates {
                    candidate.extractor = Extractor::Model { model: model.clone() };
                }
                Ok((extraction, Extractor::Model { model }))
            }
            Err(failure) => Err(read_failure(failure)),
        }
    }

    async fn extraction_request(&self, window: &Window) -> Result<ChatRequest, Error> {
        let config = self.config();
        let everything: Vec<&str> = window.turns.iter().map(|turn| turn.text.as_str()).collect();
        let known = self.nearest_texts(&everything.join("\n"), config.known_to_show as usize).await;
        let state = self.state();
        let mut speakers: Vec<SpeakerContext> = Vec::new();
        for turn in &window.turns {
            if !speakers.iter().any(|s| s.name == turn.speaker) {
                let (is_user, is_assistant) = (turn.is_user, turn.is_assistant);
                speakers.push(SpeakerContext { name: turn.speaker.clone(), is_user, is_assistant });
            }
        }
        let folded = text::fold(&everything.join("\n"));
        let entities = state
            .present_entities()
            .filter(|entity| entity.is_user || entity.names().any(|name| folded.contains(&text::fold(name))))
            .map(|e| EntityContext { name: e.name.clone(), labels: e.labels.clone(), is_user: e.is_user })
            .take(60)
            .collect();
        let context = ExtractContext { user: user_name(&state, &config), speakers, entities, known };
        let turns = window.turns.iter().enumerate().map(|(n, turn)| TurnContext {
            number: n + 1,
            speaker: turn.speaker.clone(),
            date: window.moments[n].long_date_text(),
            text: turn.text.clone(),
            context_only: turn.context_only,
        });
        let prompts = self.prompts();
        Ok(ChatRequest {
            messages: vec![
                Message::system(prompts.extract(&context)?),
                Message::user(prompts.window(&WindowContext { turns: turns.collect() })?),
            ],
            temperature: Some(0.0),
            max_tokens: Some(answer_room(&window.turns)),
            schema: Some(propositions_schema()),
            ..ChatRequest::default()
        })
    }

    /// Takes out what must not be kept, each with its reason.
    fn clean(&self, window: &Window, extraction: &mut Extraction) {
        let config = self.config();
        merge_repeats(extraction);
        let ground = {
            let state = self.state();
            let names: Vec<String> =
                state.entities().flat_map(|e| e.names().map(str::to_owned).collect::<Vec<_>>()).collect();
            Ground::new(&window.turns, names.iter().map(String::as_str))
        };
        let mut kept = Vec::new();
        for candidate in std::mem::take(&mut extraction.candidates) {
            let by_model = matches!(candidate.extractor, Extractor::Model { .. });
            let cited = || candidate.turns.iter().filter_map(|turn| window.turns.get(*turn));
            let verdict =
                if text::redact(&candidate.text).total() > 0 || candidate.text.contains("[redacted:") {
                    Err((DropReason::Secret, String::new()))
                } else if embedded::is_instruction(&candidate.text) {
                    Err((DropReason::Instruction, String::new()))
                } else if by_model && cited().all(|turn| turn.is_assistant) {
                    Err((DropReason::AssistantSaid, "only the assistant said so".into()))
                } else if by_model && cited().all(|turn| turn.context_only) {
                    Err((DropReason::Echo, "its turns were analysed with an earlier window".into()))
                } else if by_model {
                    ground
                        .check(&candidate, &window.turns, config.grounding_floor)
                        .map_err(|detail| (DropReason::Ungrounded, detail))
                } else {
                    Ok(())
                };
            let verdict = verdict.and(if kept.len() < config.max_candidates as usize {
                Ok(())
            } else {
                Err((DropReason::OverCap, format!("the cap is {}", config.max_candidates)))
            });
            match verdict {
                Ok(()) => kept.push(candidate),
                Err((reason, detail)) => extraction.dropped.push(Dropped {
                    text: if reason == DropReason::Secret {
                        String::new()
                    } else {
                        text::excerpt(&candidate.text, 300)
                    },
                    reason,
                    detail,
                    turn: candidate.turns.first().copied(),
                }),
            }
        }
        extraction.candidates = kept;
    }
}

fn finish_window(state: &State, scope: &Scope, window: &Window, report: &AnalysisReport) {
    if !window.is_loose() {
        let bookmark =
            Bookmark { conversation: window.conversation, analysed_until: window.to, failure: None };
        scope.put(state, bookmark, "");
    }
    scope.put(state, report.clone(), "");
}

/// Most tokens of an extraction's answer: room for about three statements a new turn, and an end for a small model that loses
/// itself in repetition. What was complete by then is kept.
fn answer_room(turns: &[WindowTurn]) -> u32 {
    let fresh = turns.iter().filter(|turn| !turn.context_only).count();
    u32::try_from(512 + 256 * fresh).unwrap_or(u32::MAX).min(6144)
}

/// Credentials were redacted when the turns were kept; the marks that this left are counted.
fn redactions(window: &Window) -> std::collections::BTreeMap<String, u32> {
    let mut counts = std::collections::BTreeMap::new();
    for turn in window.turns.iter().filter(|turn| !turn.context_only) {
        for rest in turn.text.split("[redacted:").skip(1) {
            if let Some((kind, _)) = rest.split_once(']') {
                *counts.entry(kind.to_owned()).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// The error of a JSON call that brought nothing.
pub(crate) fn read_failure(failure: repair::ReadFailure) -> Error {
    match failure {
        repair::ReadFailure::Model { error: crate::llm::ModelError::Cancelled, .. } => Error::Cancelled,
        repair::ReadFailure::Model { error, .. } => Error::Model(error),
        other => Error::Unreadable { detail: other.to_string() },
    }
}

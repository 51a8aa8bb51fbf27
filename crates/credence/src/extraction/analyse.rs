//! Analysis: one window of a conversation becomes one commit.
//!
//! window → extract (model or rules) → clean (repeats, secrets, echoes, voices, grounding, cap) → resolve → revise (rules, then
//! one batched model call) → commit of propositions, entities, report and bookmark together. The model is asked before
//! anything is planned; planning is synchronous, so that it can be done again when another writer was faster. Which windows
//! are read, and what a failure leaves behind, is decided by `ingest::run`.

use std::rc::Rc;

use super::candidate::{DropReason, Dropped, Extraction, WindowTurn};
use super::ground::Ground;
use super::reply::{merge_repeats, parse_propositions, propositions_schema};
use super::report::AnalysisReport;
use super::window::{Window, is_open, user_name};
use crate::embedded;
use crate::error::Error;
use crate::history::ScopeInfo;
use crate::id::AnalysisId;
use crate::ingest::settle;
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, Role, model_name, repair};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{EntityContext, ExtractContext, SpeakerContext, TurnContext, WindowContext};
use crate::proposition::Extractor;
use crate::text;

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
    /// Cleans what was extracted, revises it against the memory and commits it with its report. `Ok(None)`: the window was done
    /// meanwhile.
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
                if !is_open(&state, window) {
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
                    dropped: extraction.dropped.iter().cloned().chain(plan.gates.dropped).collect(),
                    gates: plan.gates.outcomes,
                    mentions: self.screen_mentions(&extraction.candidates),
                    resolutions: plan.resolutions,
                    new_entities: plan.new_entities,
                    redacted: redactions(window),
                    calls: cost.calls,
                    prompt_tokens: cost.prompt_tokens,
                    completion_tokens: cost.completion_tokens,
                    notes: cost.notes.iter().chain(&plan.notes).cloned().collect(),
                };
                settle(&state, &scope, window, &report);
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
        if !window.is_readable() || !self.ports().chat().is_connected(Role::Extract) {
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
        let everything: Vec<&str> = window.turns.iter().map(|turn| turn.text.as_str()).collect();
        let known = self.nearest_texts(&everything.join("\n"), self.config().known_to_show as usize).await;
        Ok(ChatRequest {
            messages: vec![
                Message::system(self.extraction_system(window, known)?),
                Message::user(self.window_message(window)?),
            ],
            temperature: Some(0.0),
            max_tokens: Some(answer_room(&window.turns)),
            schema: Some(propositions_schema()),
            ..ChatRequest::default()
        })
    }

    /// The system message of an extraction, with these stored statements shown.
    pub(crate) fn extraction_system(&self, window: &Window, known: Vec<String>) -> Result<String, Error> {
        let state = self.state();
        let mut speakers: Vec<SpeakerContext> = Vec::new();
        for turn in &window.turns {
            if !speakers.iter().any(|s| s.name == turn.speaker) {
                let (is_user, is_assistant) = (turn.is_user, turn.is_assistant);
                let is_document = window.is_document();
                speakers.push(SpeakerContext {
                    name: turn.speaker.clone(),
                    is_user,
                    is_assistant,
                    is_document,
                });
            }
        }
        let everything: Vec<&str> = window.turns.iter().map(|turn| turn.text.as_str()).collect();
        let folded = text::fold(&everything.join("\n"));
        let entities = state
            .present_entities()
            .filter(|entity| entity.is_user || entity.names().any(|name| folded.contains(&text::fold(name))))
            .map(|e| EntityContext { name: e.name.clone(), labels: e.labels.clone(), is_user: e.is_user })
            .take(60)
            .collect();
        let context = ExtractContext { user: user_name(&state, &self.config()), speakers, entities, known };
        Ok(self.prompts().extract(&context)?)
    }

    /// The user message of an extraction: the numbered turns.
    pub(crate) fn window_message(&self, window: &Window) -> Result<String, Error> {
        let turns = window.turns.iter().enumerate().map(|(n, turn)| TurnContext {
            number: n + 1,
            speaker: turn.speaker.clone(),
            date: window.moments[n].long_date_text(),
            text: turn.text.clone(),
            context_only: turn.context_only,
        });
        Ok(self.prompts().window(&WindowContext { turns: turns.collect() })?)
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

/// Most tokens of an extraction's answer: room for about three statements a new turn, and an end for a small model that loses
/// itself in repetition. What was complete by then is kept.
pub(crate) fn answer_room(turns: &[WindowTurn]) -> u32 {
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

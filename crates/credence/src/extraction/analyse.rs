//! Analysis: one window of a conversation becomes one commit.
//!
//! window → read (`echo`: without our own words) → extract (`ask` a model, or rules) → `clean` → resolve → revise (rules, then
//! one batched model call) → commit of propositions, entities, report and bookmark together. The model is asked before
//! anything is planned; planning is synchronous, so that it can be done again when another writer was faster. Which windows
//! are read, and what a failure leaves behind, is decided by `ingest::run`.

use std::rc::Rc;

use super::ask::Asked;
use super::candidate::Extraction;
use super::cost::Cost;
use super::echo::Reading;
use super::reply::{ReplyContext, parse_propositions};
use super::report::AnalysisReport;
use super::window::{Window, is_open};
use crate::embedded;
use crate::erasure::erased_since;
use crate::error::Error;
use crate::history::ScopeInfo;
use crate::id::AnalysisId;
use crate::ingest::settle;
use crate::llm::{Cancel, Role};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::Extractor;

impl<P: Ports> Memory<P> {
    /// Cleans what was extracted, revises it against the memory and commits it with its report. `Ok(None)`: the window was done
    /// meanwhile, or is to be read again because something was erased.
    pub(crate) async fn land(
        &self,
        window: &Window,
        reading: &Reading,
        (mut extraction, extractor): (Extraction, Extractor),
        mut cost: Cost,
        info: ScopeInfo,
        cancel: &Cancel,
    ) -> Result<Option<Rc<AnalysisReport>>, Error> {
        let mut slices = self.slices(Some(cancel));
        self.clean(window, reading, &mut extraction);
        slices.rest().await?;
        let id = AnalysisId::new(self.next_id());
        let info = info.with_id("analysis", id);
        let revised = self.revise(window, &extraction.candidates, &mut cost, cancel).await?;
        loop {
            slices.rest().await?;
            let scope = self.scope(info.clone());
            let report = {
                let state = self.state();
                // What was read before an erasure may hold what was erased: it is read again as it is now.
                if !is_open(&state, window) || (!window.is_loose() && erased_since(&state, window.seen)) {
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

    /// Suggestions for a window, by the model of the extracting role or by rule.
    pub(crate) async fn extract(
        &self,
        window: &Window,
        reading: &Reading,
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<(Extraction, Extractor), Error> {
        if !reading.by_model {
            return Ok((embedded::extract(&reading.turns), Extractor::Rules));
        }
        let Asked { request, shown, notes } = self.extraction_request(window, reading).await?;
        cost.notes.extend(notes);
        let context = ReplyContext { window: &reading.turns, moments: &window.moments, shown: &shown };
        let read = |value| parse_propositions(&value, &context);
        let (mut extraction, model) = self.ask_json(Role::Extract, &request, read, cost, cancel).await?;
        cost.notes.append(&mut extraction.notes);
        for candidate in &mut extraction.candidates {
            candidate.extractor = Extractor::Model { model: model.clone() };
        }
        Ok((extraction, Extractor::Model { model }))
    }
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

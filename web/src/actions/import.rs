//! Importing a conversation: all turns at once, then the analysis window by window, which can be cancelled.

use std::collections::BTreeMap;

use credence::error::Error;
use credence::extraction::{DropReason, OutcomeKind, Trigger};
use credence::id::ConversationId;
use credence::import::ImportedConversation;
use credence::llm::Cancel;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::state::App;

/// How far an import is.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Progress {
    /// Not begun.
    #[default]
    None,
    /// Turns analysed, of how many.
    Running(u32, u32),
    /// Ended; see the result.
    Ended(Outcome),
}

/// How an import ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    /// `done`, `cancelled` or `failed`.
    pub state: &'static str,
    /// Why it failed; empty where it did not.
    pub words: String,
    /// The conversation, when its turns were stored.
    pub conversation: Option<ConversationId>,
    /// Turns stored.
    pub turns: usize,
    /// Turns analysed.
    pub analysed: u32,
    /// Statements that are new.
    pub propositions: usize,
    /// Statements that joined others.
    pub joined: usize,
    /// What was dropped, by reason.
    pub dropped: BTreeMap<DropReason, usize>,
    /// What the file left out.
    pub notes: Vec<String>,
}

/// Imports; `progress` follows until the end.
pub(crate) fn start(
    app: App,
    conversation: ImportedConversation,
    user: Option<String>,
    cancel: Cancel,
    progress: RwSignal<Progress>,
) {
    let Some(memory) = app.memory() else { return };
    let turns = conversation.turns.len();
    let total = u32::try_from(turns).unwrap_or(u32::MAX);
    progress.set(Progress::Running(0, total));
    spawn_local(async move {
        let mut outcome = Outcome {
            state: "done",
            words: String::new(),
            conversation: None,
            turns,
            analysed: 0,
            propositions: 0,
            joined: 0,
            dropped: BTreeMap::new(),
            notes: conversation.notes.clone(),
        };
        let id = match memory.import(&conversation, user.as_deref()).await {
            Ok(id) => id,
            Err(error) => {
                app.fail("Nothing was imported", &error);
                let failed = Outcome { state: "failed", words: error.to_string(), turns: 0, ..outcome };
                progress.set(Progress::Ended(failed));
                return;
            }
        };
        outcome.conversation = Some(id);
        app.analysing.update(|running| {
            running.insert(id);
        });
        let analysed = memory
            .analyse(id, Trigger::Now, &cancel, &mut |step| {
                progress.set(Progress::Running(step.done, step.total))
            })
            .await;
        app.analysing.update(|running| {
            running.remove(&id);
        });
        if let Err(error) = analysed {
            outcome.state = if matches!(error, Error::Cancelled) { "cancelled" } else { "failed" };
            outcome.words = if outcome.state == "failed" { error.to_string() } else { String::new() };
        } else if cancel.is_cancelled() {
            outcome.state = "cancelled";
        }
        // What is in the memory counts, not what this run saw: a cancelled run keeps its windows.
        let state = memory.state();
        for report in state.analyses().filter(|report| report.conversation == id) {
            outcome.analysed = outcome.analysed.max(report.to);
            outcome.propositions += report.outcomes.iter().filter(|o| is_new(o.kind)).count();
            outcome.joined += report.outcomes.iter().filter(|o| !is_new(o.kind)).count();
            for dropped in &report.dropped {
                *outcome.dropped.entry(dropped.reason).or_default() += 1;
            }
        }
        // A run that had already reached the end was not cancelled, whenever the button was pressed.
        if outcome.state == "cancelled" && outcome.analysed >= total {
            outcome.state = "done";
        }
        drop(state);
        progress.set(Progress::Ended(outcome));
    });
}

fn is_new(kind: OutcomeKind) -> bool {
    matches!(kind, OutcomeKind::New | OutcomeKind::Contradicted | OutcomeKind::Generalized)
}

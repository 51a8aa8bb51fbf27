//! Importing a conversation or a document: all of it at once, then the analysis window by window, which can be cancelled.

use std::collections::BTreeMap;

use credence::error::Error;
use credence::extraction::{DropReason, OutcomeKind, Trigger};
use credence::id::ConversationId;
use credence::import::ImportedConversation;
use credence::ingest::DocumentOptions;
use credence::llm::Cancel;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::state::{App, AppMemory};

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

/// What is imported.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Material {
    /// People talking, and which of them is the person whose memory this is.
    Conversation(ImportedConversation, Option<String>),
    /// A text that somebody wrote: its name and its words.
    Document(String, String),
}

/// Stores the material; its conversation, how many turns or passages it has, and a note where it was known.
async fn store(
    memory: &AppMemory,
    material: &Material,
) -> Result<(ConversationId, usize, Vec<String>), Error> {
    match material {
        Material::Conversation(conversation, user) => {
            let id = memory.import(conversation, user.as_deref()).await?;
            Ok((id, conversation.turns.len(), Vec::new()))
        }
        Material::Document(name, text) => {
            let receipt = memory.ingest_document(name, text, &DocumentOptions::default()).await?;
            let known = receipt
                .is_known
                .then(|| "Its text was read before; nothing is read or paid for twice.".to_owned());
            Ok((receipt.conversation, receipt.passages as usize, known.into_iter().collect()))
        }
    }
}

/// Imports; `progress` follows until the end.
pub(crate) fn start(app: App, material: Material, cancel: Cancel, progress: RwSignal<Progress>) {
    let Some(memory) = app.memory() else { return };
    let (turns, notes) = match &material {
        Material::Conversation(conversation, _) => (conversation.turns.len(), conversation.notes.clone()),
        Material::Document(..) => (0, Vec::new()),
    };
    progress.set(Progress::Running(0, u32::try_from(turns).unwrap_or(u32::MAX)));
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
            notes,
        };
        let (id, turns, known) = match store(&memory, &material).await {
            Ok(stored) => stored,
            Err(error) => {
                app.fail("Nothing was imported", &error);
                let failed = Outcome { state: "failed", words: error.to_string(), turns: 0, ..outcome };
                progress.set(Progress::Ended(failed));
                return;
            }
        };
        let total = u32::try_from(turns).unwrap_or(u32::MAX);
        outcome.conversation = Some(id);
        outcome.turns = turns;
        outcome.notes.extend(known);
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
    matches!(
        kind,
        OutcomeKind::New
            | OutcomeKind::Contradicted
            | OutcomeKind::Generalized
            | OutcomeKind::Disputed
            | OutcomeKind::Outdated
    )
}

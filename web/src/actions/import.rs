//! Importing a conversation or a document: all of it at once, then the analysis window by window, which can be cancelled.

use std::collections::BTreeMap;

use credence::error::Error;
use credence::extraction::{DropReason, OutcomeKind, Trigger};
use credence::id::ConversationId;
use credence::import::{ImportedConversation, Preview};
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
    /// What another program kept, and which of its people is the person.
    Other(Preview, Option<String>),
}

/// What was stored.
#[derive(Default)]
struct Stored {
    /// What is to be read, in order.
    sources: Vec<ConversationId>,
    /// Turns and passages of them.
    turns: usize,
    /// Statements that came ready made: new ones, and those that joined others.
    statements: (usize, usize),
    /// What was dropped of them, by reason.
    dropped: BTreeMap<DropReason, usize>,
    notes: Vec<String>,
}

/// Stores the material.
async fn store(
    memory: &AppMemory,
    material: &Material,
    cancel: &Cancel,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Stored, Error> {
    match material {
        Material::Conversation(conversation, user) => {
            let id = memory.import(conversation, user.as_deref()).await?;
            let (sources, notes) = (vec![id], conversation.notes.clone());
            Ok(Stored { sources, turns: conversation.turns.len(), notes, ..Stored::default() })
        }
        Material::Document(name, text) => {
            let receipt = memory.ingest_document(name, text, &DocumentOptions::default()).await?;
            let known = receipt
                .is_known
                .then(|| "Its text was read before; nothing is read or paid for twice.".to_owned());
            let (sources, notes) = (vec![receipt.conversation], known.into_iter().collect());
            Ok(Stored { sources, turns: receipt.passages as usize, notes, ..Stored::default() })
        }
        Material::Other(preview, user) => {
            let taken = memory.take_in(preview, user.as_deref(), cancel, progress).await?;
            let mut stored =
                Stored { sources: taken.waiting(), notes: preview.notes.clone(), ..Stored::default() };
            stored.turns =
                preview.turns() + taken.documents.iter().map(|d| d.passages as usize).sum::<usize>();
            for report in &taken.reports {
                stored.statements.0 += report.outcomes.iter().filter(|o| is_new(o.kind)).count();
                stored.statements.1 += report.outcomes.iter().filter(|o| !is_new(o.kind)).count();
                for dropped in &report.dropped {
                    *stored.dropped.entry(dropped.reason).or_default() += 1;
                }
            }
            let left_out = taken.skipped.iter();
            stored.notes.extend(left_out.map(|s| format!("{} left out, {}: {}", s.count, s.place, s.reason)));
            Ok(stored)
        }
    }
}

/// Imports; `progress` follows until the end.
pub(crate) fn start(app: App, material: Material, cancel: Cancel, progress: RwSignal<Progress>) {
    let Some(memory) = app.memory() else { return };
    let turns = match &material {
        Material::Conversation(conversation, _) => conversation.turns.len(),
        Material::Document(..) => 0,
        Material::Other(preview, _) => preview.turns() + preview.statements.len(),
    };
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    progress.set(Progress::Running(0, count(turns)));
    spawn_local(async move {
        let mut outcome = Outcome {
            state: "done",
            words: String::new(),
            conversation: None,
            turns: 0,
            analysed: 0,
            propositions: 0,
            joined: 0,
            dropped: BTreeMap::new(),
            notes: Vec::new(),
        };
        let mut storing = |done, total| progress.set(Progress::Running(count(done), count(total)));
        let stored = match store(&memory, &material, &cancel, &mut storing).await {
            Ok(stored) => stored,
            Err(Error::Cancelled) => {
                progress.set(Progress::Ended(Outcome { state: "cancelled", ..outcome }));
                return;
            }
            Err(error) => {
                app.fail("Nothing was imported", &error);
                let failed = Outcome { state: "failed", words: error.to_string(), ..outcome };
                progress.set(Progress::Ended(failed));
                return;
            }
        };
        outcome.conversation = stored.sources.first().copied();
        outcome.turns = stored.turns;
        outcome.notes = stored.notes;
        (outcome.propositions, outcome.joined) = stored.statements;
        outcome.dropped = stored.dropped;
        let mut before = 0;
        for id in stored.sources {
            read(app, &memory, id, before, &cancel, progress, &mut outcome).await;
            before += memory.state().next_turn_index(id);
            if outcome.state != "done" {
                break;
            }
        }
        // A run that had already reached the end was not cancelled, whenever the button was pressed.
        if outcome.state == "cancelled" && outcome.analysed >= count(outcome.turns) {
            outcome.state = "done";
        }
        progress.set(Progress::Ended(outcome));
    });
}

/// Analyses one source; `before`: the turns of those before it.
async fn read(
    app: App,
    memory: &AppMemory,
    id: ConversationId,
    before: u32,
    cancel: &Cancel,
    progress: RwSignal<Progress>,
    outcome: &mut Outcome,
) {
    let all = u32::try_from(outcome.turns).unwrap_or(u32::MAX);
    app.analysing.update(|running| {
        running.insert(id);
    });
    let analysed = memory
        .analyse(id, Trigger::Now, cancel, &mut |step| {
            progress.set(Progress::Running(before + step.done, all.max(step.total)));
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
    let mut until = 0;
    for report in state.analyses().filter(|report| report.conversation == id) {
        until = until.max(report.to);
        outcome.propositions += report.outcomes.iter().filter(|o| is_new(o.kind)).count();
        outcome.joined += report.outcomes.iter().filter(|o| !is_new(o.kind)).count();
        for dropped in &report.dropped {
            *outcome.dropped.entry(dropped.reason).or_default() += 1;
        }
    }
    outcome.analysed += until;
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

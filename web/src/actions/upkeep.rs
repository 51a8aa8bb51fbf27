//! Tidying the memory: a look at what would be done, or doing it, with progress and a way to stop.

use credence::error::Error;
use credence::history::RecordId;
use credence::llm::Cancel;
use credence::maintenance::MaintenanceOptions;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::alone::alone;
use super::facts::undo;
use crate::format;
use crate::projection::commit_of;
use crate::state::{App, ToastKind};

/// A run under way: steps done and steps in all, and how to stop it.
#[derive(Clone)]
pub(crate) struct Upkeep {
    pub done: u32,
    pub total: u32,
    pub dry: bool,
    pub cancel: Cancel,
}

/// Runs a cycle, or only looks at what it would do. `running` follows it.
pub(crate) fn tidy(app: App, dry: bool, running: RwSignal<Option<Upkeep>, LocalStorage>) {
    let Some(memory) = app.memory() else { return };
    let cancel = Cancel::new();
    running.set(Some(Upkeep { done: 0, total: 1, dry, cancel: cancel.clone() }));
    spawn_local(async move {
        let options = MaintenanceOptions { dry_run: dry, ..MaintenanceOptions::default() };
        let mut on_progress = |progress: credence::maintenance::MaintenanceProgress| {
            // The page may have been left meanwhile; the run goes on.
            let _ = running.try_update(|running| {
                if let Some(running) = running {
                    (running.done, running.total) = (progress.done, progress.total);
                }
            });
        };
        let outcome =
            alone(app, &memory, async || memory.maintain(&options, &cancel, &mut on_progress).await).await;
        let _ = running.try_set(None);
        let Some(outcome) = outcome else { return };
        match outcome {
            Ok(report) if dry => {
                let words = match report.marks().count() {
                    0 => "Nothing needs tidying".to_owned(),
                    some => format!(
                        "{} would be touched; nothing was changed",
                        format::count(some, "statement", "statements")
                    ),
                };
                app.toast(ToastKind::Info, words);
            }
            Ok(report) => {
                let commit = commit_of(&memory, RecordId::Run(report.id));
                let words = match report.transitioned() {
                    0 => "Nothing needed tidying".to_owned(),
                    some => format!("{} changed standing", format::count(some, "statement", "statements")),
                };
                let has_effect = report.transitioned() > 0;
                let action = commit
                    .filter(|_| has_effect)
                    .map(|commit| ("Undo".to_owned(), Callback::new(move |()| undo(app, commit, None))));
                app.offer(ToastKind::Success, words, action);
            }
            Err(Error::Cancelled) => app.toast(ToastKind::Info, "Stopped; nothing was changed"),
            Err(error) => app.fail("The memory could not be tidied", &error),
        }
    });
}

//! What a person does to statements: remember, edit, pin, forget, undo.

use credence::history::RecordId;
use credence::id::{CommitId, InboxId, PropositionId};
use credence::inbox::Verdict;
use credence::memory::Edit;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::format;
use crate::state::{App, ToastKind};

/// Undoes a commit, or what it did to some records, and offers to put it back.
pub(crate) fn undo(app: App, commit: CommitId, records: Option<Vec<RecordId>>) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match memory.undo(commit, records.as_deref()).await {
            Ok(undone) => match undone.commit {
                Some(undo) => {
                    let left = undone.conflicts.len();
                    let words = match left {
                        0 => "Undone".to_owned(),
                        _ => format!(
                            "Undone, except {} that changed since",
                            format::count(left, "record", "records")
                        ),
                    };
                    let back = Callback::new(move |()| self::undo(app, undo, None));
                    app.offer(ToastKind::Success, words, Some(("Put back".to_owned(), back)));
                }
                None => {
                    app.toast(ToastKind::Info, "Nothing to undo: it has changed since. Its history says how.")
                }
            },
            Err(error) => app.fail("This could not be undone", &error),
        }
    });
}

/// Keeps a statement that a person typed.
pub(crate) fn remember(app: App, text: String, done: Callback<bool>) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match memory.remember(&text).await {
            Ok(remembered) if remembered.outcomes.is_empty() => {
                let why = remembered.dropped.first().map(|dropped| dropped.reason.explain());
                let why = why.unwrap_or("it makes no statement");
                app.toast(ToastKind::Info, format!("Nothing was kept: {why}. Try one plain sentence."));
                done.run(false);
            }
            Ok(remembered) => {
                let first = remembered.outcomes[0].text.clone();
                let words = match remembered.outcomes.len() {
                    1 => format!("Remembered: {first}"),
                    more => format!("Remembered {} statements", more),
                };
                app.toast(ToastKind::Success, words);
                done.run(true);
            }
            Err(error) => {
                app.fail("This could not be remembered", &error);
                done.run(false);
            }
        }
    });
}

/// Applies an edit.
pub(crate) fn edit(app: App, id: PropositionId, edit: Edit, done: Callback<()>) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match memory.edit(id, &edit).await {
            Ok(commit) => {
                done.run(());
                match commit {
                    Some(commit) => {
                        let commit = commit.id;
                        let undo = Callback::new(move |()| undo(app, commit, None));
                        app.offer(ToastKind::Success, "Saved", Some(("Undo".to_owned(), undo)));
                    }
                    None => app.toast(ToastKind::Info, "Nothing was changed"),
                }
            }
            Err(error) => app.fail("The change was not saved", &error),
        }
    });
}

/// Pins or unpins.
pub(crate) fn pin(app: App, id: PropositionId, pinned: bool) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match memory.pin(id, pinned).await {
            Ok(_) => {
                let words = if pinned { "Pinned: it goes into every prompt" } else { "Unpinned" };
                app.toast(ToastKind::Success, words);
            }
            Err(error) => app.fail("This could not be pinned", &error),
        }
    });
}

/// Answers a question of the inbox.
pub(crate) fn decide(app: App, id: InboxId, verdict: Verdict) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match memory.decide(id, verdict).await {
            Ok(decided) => {
                let commit = memory.log().history(RecordId::Inbox(id)).last().map(|step| step.commit.id);
                let undo = commit
                    .map(|commit| ("Undo".to_owned(), Callback::new(move |()| undo(app, commit, None))));
                app.offer(ToastKind::Success, format::sentence(&decided.effect), undo);
            }
            Err(error) => app.fail("This could not be decided", &error),
        }
    });
}

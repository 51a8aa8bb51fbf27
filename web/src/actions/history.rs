//! Taking the memory back to an earlier change, after saying what that would do.

use credence::history::Actor;
use credence::memory::RevertOptions;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::format::count;
use crate::state::{App, Question, ToastKind};

/// What was said stays; what a person changed since stays too, and is told.
const OPTIONS: RevertOptions = RevertOptions { turns: false, over_persons: false };

/// Asks, with what would happen, then takes the memory back.
pub(crate) fn ask_revert(app: App, seq: u64) {
    let Some(memory) = app.memory() else { return };
    let found = match memory.preview_revert_to(Actor::Person, seq, OPTIONS) {
        Ok(found) => found,
        Err(error) => return app.fail("The memory cannot go back there", &error),
    };
    if found.restoring.is_empty() {
        return app.toast(
            ToastKind::Info,
            "Nothing would change: what was learned since was changed by you, or is the same",
        );
    }
    let mut body = format!(
        "{} to what they were after change {seq}. Conversations stay as they are. It is one change, and can be undone.",
        match found.restoring.len() {
            1 => "One record goes back".to_owned(),
            n => format!("{} go back", count(n, "record", "records")),
        }
    );
    if !found.conflicts.is_empty() {
        body +=
            &format!(" {} that you changed since stay.", count(found.conflicts.len(), "record", "records"));
    }
    if !found.asleep.is_empty() {
        body += &format!(" {} make room and fall asleep.", count(found.asleep.len(), "unit", "units"));
    }
    app.question.set(Some(Question {
        title: format!("Take the memory back to change {seq}?"),
        body,
        yes: "Take it back".to_owned(),
        word: None,
        on_yes: Callback::new(move |()| revert(app, seq)),
    }));
}

fn revert(app: App, seq: u64) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match memory.revert_to(Actor::Person, seq, OPTIONS).await {
            Ok(undone) => {
                let undo = undone.commit.map(|commit| {
                    let undo = Callback::new(move |()| super::facts::undo(app, commit, None));
                    ("Undo".to_owned(), undo)
                });
                app.offer(ToastKind::Success, format!("The memory is as it was after change {seq}"), undo);
            }
            Err(error) => app.fail("The memory was not taken back", &error),
        }
    });
}

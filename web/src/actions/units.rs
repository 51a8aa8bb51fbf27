//! What a person does to units of the working set. Each is one commit, told with a way back.

use credence::error::Error;
use credence::id::PropositionId;
use credence::inbox::{Asker, CanonAnswer};
use credence::memory::UnitAct;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::facts::undo;
use crate::format;
use crate::route::Page;
use crate::state::{App, AppMemory, Question, ToastKind};

/// An act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// It is right: evidence by the person.
    Confirm,
    /// One level down.
    Demote,
    /// Out of the working set.
    Archive,
    /// Back into it.
    Wake,
    /// A stored statement enters it by hand.
    Add,
    /// Another activation.
    Activation(u16),
}

impl Act {
    fn done(self) -> &'static str {
        match self {
            Self::Confirm => "Confirmed",
            Self::Demote => "One level down",
            Self::Archive => "Taken out of the working set",
            Self::Wake => "Back in the working set",
            Self::Add => "In the working set",
            Self::Activation(_) => "Activation set",
        }
    }
}

/// Does it, and offers to undo it.
pub(crate) fn act(app: App, id: PropositionId, act: Act) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match carry_out(&memory, id, act).await {
            Ok(done) => match done.commit {
                Some(commit) => {
                    let back = Callback::new(move |()| undo(app, commit, None));
                    let words = match done.displaced.len() {
                        0 => act.done().to_owned(),
                        n => format!("{}; {} made room", act.done(), format::count(n, "other", "others")),
                    };
                    app.offer(ToastKind::Success, words, Some(("Undo".to_owned(), back)));
                }
                None => app.toast(ToastKind::Info, "Nothing was changed"),
            },
            Err(error) => app.fail("This could not be done", &error),
        }
    });
}

async fn carry_out(memory: &AppMemory, id: PropositionId, act: Act) -> Result<UnitAct, Error> {
    match act {
        Act::Confirm => memory.confirm_unit(id).await,
        Act::Demote => memory.demote_unit(id).await,
        Act::Archive => memory.archive_unit(id, "").await,
        Act::Wake => memory.revive_unit(id).await,
        Act::Add => memory.add_to_working_set(id).await,
        Act::Activation(value) => memory.set_activation(id, value).await,
    }
}

/// Asks first: CANON is a person's word, and the page should not give it by a slip.
pub(crate) fn ask_canon(app: App, id: PropositionId, text: &str) {
    app.question.set(Some(Question {
        title: "Make this canon?".to_owned(),
        body: format!(
            "\u{201c}{text}\u{201d} then stands in every prompt as something that must be kept, and no evidence, model or timer can change it. Only you can take that back."
        ),
        yes: "Make it canon".to_owned(),
        word: None,
        on_yes: Callback::new(move |()| canon(app, id, true)),
    }));
}

/// The person's wish for CANON, or for its end. The settings say whether the wish is its own approval.
pub(crate) fn canon(app: App, id: PropositionId, wanted: bool) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        let answer = if wanted {
            memory.request_canon(id, Asker::Person, "").await
        } else {
            memory.request_decanon(id, Asker::Person, "").await
        };
        match answer {
            Ok(CanonAnswer::Approved) => {
                app.toast(
                    ToastKind::Success,
                    if wanted { "It is canon now" } else { "It is no longer canon" },
                );
            }
            Ok(CanonAnswer::Pending { .. }) => {
                let open = Callback::new(move |()| Page::Activity.open());
                app.offer(ToastKind::Info, "It waits for your answer", Some(("Decide".to_owned(), open)));
            }
            Ok(CanonAnswer::Nothing) => app.toast(ToastKind::Info, "Nothing was changed"),
            Err(error) => app.fail("This could not be done", &error),
        }
    });
}

//! What other tabs did to the memory that is open here: it is read on, or read anew where it was wiped or another one put in its place, and
//! what happened is said where it concerns what is shown.

use credence::error::Error;
use credence::history::{JournalError, RecordId};
use credence::id::CommitId;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser;
use crate::route::Page;
use crate::state::{App, AppMemory};

/// Where a sentence waits for the page that comes after a reload.
const AFTER_RELOAD: &str = "credence.told";

/// What another tab did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Elsewhere {
    /// The memory was wiped.
    Wiped,
    /// Another memory was put in its place.
    Replaced,
    /// The conversation that was open here was deleted.
    Conversation,
    /// Everything in this browser was deleted.
    Everything,
}

impl Elsewhere {
    /// A stable word for the page.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Wiped => "wiped",
            Self::Replaced => "replaced",
            Self::Conversation => "conversation",
            Self::Everything => "everything",
        }
    }

    /// For the person.
    pub(crate) fn words(&self) -> &'static str {
        match self {
            Self::Wiped => "This memory was wiped in another tab. It begins anew here as well.",
            Self::Replaced => {
                "Another tab put a backup in this memory\u{2019}s place. This tab shows it now."
            }
            Self::Conversation => "The conversation that was open here was deleted in another tab.",
            Self::Everything => "Everything was deleted in another tab, so this one began anew.",
        }
    }
}

/// Reads what other tabs have written. `wiped`: one of them said that the memory is gone.
pub(crate) fn catch_up(app: App, wiped: bool) {
    let Some(memory) = app.memory() else { return };
    if wiped {
        app.set_wiped(true);
    }
    spawn_local(async move {
        match memory.refresh().await {
            // Where nothing had to be read anew, the word was about what this tab has followed already.
            Ok(_) => app.set_wiped(false),
            // The database itself is gone, with the settings and keys that this page still holds.
            Err(Error::Journal(JournalError::Unavailable { .. })) if wiped => {
                if let Some(connections) = app.connections() {
                    connections.keys.wipe();
                }
                browser::save_for_reload(AFTER_RELOAD, Elsewhere::Everything.kind());
                // Refused only while the page is being closed.
                let _ = window().location().reload();
            }
            Err(error) => app.fail("What another tab wrote could not be read", &error),
        }
    });
}

/// What was to be said after a reload.
pub(crate) fn told_before_reload() -> Option<Elsewhere> {
    let kind = browser::take_after_reload(AFTER_RELOAD)?;
    (kind == Elsewhere::Everything.kind()).then_some(Elsewhere::Everything)
}

/// Says what another tab did, now that the log is read again. `known`: the end of the log before; `wiped`: it was said to be wiped.
pub(crate) fn followed(app: App, memory: &AppMemory, known: Option<CommitId>, wiped: bool) {
    let what = {
        let log = memory.log();
        let is_there = |id: CommitId| log.commits().iter().rev().any(|commit| commit.id == id);
        match known {
            Some(id) if !is_there(id) && (wiped || log.commits().is_empty()) => Some(Elsewhere::Wiped),
            Some(id) if !is_there(id) => Some(Elsewhere::Replaced),
            _ => None,
        }
    };
    let gone = match app.page.get_untracked() {
        Page::Chat(Some(id), _) if memory.state().conversation(id).is_none() => Some(id),
        _ => None,
    };
    if let Some(id) = gone {
        // One that this memory never had is a wrong address, and nothing happened to it.
        let was_here = what.is_some() || memory.log().history(RecordId::Conversation(id)).next().is_some();
        if was_here {
            app.told.set(Some(what.clone().unwrap_or(Elsewhere::Conversation)));
            if app.stream.with_untracked(|s| s.as_ref().is_some_and(|s| s.conversation == id)) {
                app.stop();
            }
            Page::Chat(None, None).open();
        }
    }
    if let Some(what) = what {
        app.told.set(Some(what));
    }
}

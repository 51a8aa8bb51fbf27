//! Forgetting: what would go is shown first, then it goes softly, with a way back, or for ever.

use credence::erasure::{ErasurePreview, ErasureTarget};
use credence::id::ErasureId;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::format;
use crate::route::Page;
use crate::state::{App, ToastKind};

/// What somebody is about to forget.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Forgetting {
    /// What.
    pub target: ErasureTarget,
    /// Its words or name, for the title.
    pub name: String,
}

/// Opens the dialog.
pub(crate) fn ask(app: App, target: ErasureTarget, name: impl Into<String>) {
    app.forgetting.set(Some(Forgetting { target, name: name.into() }));
}

/// Finds out what would go.
pub(crate) fn preview(
    app: App,
    target: ErasureTarget,
    found: RwSignal<Option<Result<ErasurePreview, String>>>,
) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        let preview = memory.preview_erasure(&target).await.map_err(|error| error.to_string());
        // The dialog may have been closed meanwhile.
        let _ = found.try_set(Some(preview));
    });
}

/// Leaves a page that shows what is gone.
fn leave(app: App, target: &ErasureTarget) {
    match (app.page.get_untracked(), target) {
        (Page::Proposition(here), ErasureTarget::Proposition { id }) if here == *id => Page::Memory.open(),
        (Page::Entity(here), ErasureTarget::Entity { id }) if here == *id => Page::Entities.open(),
        (Page::Chat(Some(here), _), ErasureTarget::Source { id }) if here == *id => {
            Page::Chat(None, None).open()
        }
        _ => {}
    }
}

/// Forgets softly: history keeps it, and it can be undone.
pub(crate) fn softly(app: App, target: ErasureTarget) {
    let Some(memory) = app.memory() else { return };
    app.forgetting.set(None);
    spawn_local(async move {
        match memory.forget_target(&target).await {
            Ok(forgotten) => {
                let (gone, kept) = (forgotten.removed.len(), forgotten.kept.len());
                let commit = forgotten.commit;
                let mut words = format!("Forgotten: {}", format::count(gone, "statement", "statements"));
                if kept > 0 {
                    words += &format!("; {} that rest on something else as well stay", format::grouped(kept));
                }
                leave(app, &target);
                let undo = commit.map(|commit| {
                    let undo = Callback::new(move |()| super::facts::undo(app, commit, None));
                    ("Undo".to_owned(), undo)
                });
                app.offer(ToastKind::Success, words, undo);
            }
            Err(error) => app.fail("This could not be forgotten", &error),
        }
    });
}

/// Destroys it in all of history.
pub(crate) fn for_ever(app: App, target: ErasureTarget, busy: RwSignal<bool>) {
    let Some(memory) = app.memory() else { return };
    busy.set(true);
    spawn_local(async move {
        let erased = memory.erase(&target).await;
        let _ = busy.try_set(false);
        match erased {
            Ok(report) => {
                app.forgetting.set(None);
                leave(app, &target);
                let count = |places: &std::collections::BTreeMap<String, u32>| {
                    places.values().map(|n| *n as usize).sum::<usize>()
                };
                let (gone, cut) = (count(&report.cleaned.destroyed), count(&report.cleaned.redacted));
                app.toast(
                    ToastKind::Success,
                    format!(
                        "Forgotten for ever: {} destroyed, {} redacted. The report is on the timeline.",
                        format::count(gone, "record", "records"),
                        format::grouped(cut)
                    ),
                );
            }
            Err(error) => app.fail("Nothing was erased", &error),
        }
    });
}

/// Lets what was erased be learned again.
pub(crate) fn lift(app: App, erasure: ErasureId) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match memory.lift_tombstones(erasure).await {
            Ok(true) => {
                app.toast(ToastKind::Success, "It may be learned again, if it is said or imported again")
            }
            Ok(false) => app.toast(ToastKind::Info, "It may be learned again already"),
            Err(error) => app.fail("This could not be lifted", &error),
        }
    });
}

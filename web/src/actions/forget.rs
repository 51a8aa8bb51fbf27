//! Forgetting: what would go is shown first, then it goes softly, with a way back, or for ever.

use credence::erasure::{ErasurePreview, ErasureProgress, ErasureTarget};
use credence::error::Error;
use credence::id::ErasureId;
use credence::llm::Cancel;
use credence::time::Timestamp;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::alone::alone;
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

/// Opens the dialog for a span of time, which begins as today.
pub(crate) fn ask_span(app: App) {
    let now = app.read(|memory| Some(memory.now().at)).unwrap_or(Timestamp(0));
    let today = format::day_here(&format::day_field(now));
    let (from, to) = today.unwrap_or((now, now.plus_ms(1)));
    ask(app, ErasureTarget::Span { from, to }, "");
}

/// A look for what would go, or an erasure, while it can be stopped.
#[derive(Clone)]
pub(crate) struct Work {
    /// How far it is.
    pub progress: ErasureProgress,
    /// Stops it.
    pub cancel: Cancel,
}

/// What runs in the dialog. What was running before gives way.
pub(crate) type Working = RwSignal<Option<Work>, LocalStorage>;

fn begin(working: Working) -> (Cancel, impl FnMut(ErasureProgress)) {
    let cancel = Cancel::new();
    stop(working);
    let progress = ErasureProgress { done: 0, total: 0 };
    working.set(Some(Work { progress, cancel: cancel.clone() }));
    let ours = cancel.clone();
    let on_progress = move |progress| {
        // The dialog may have been closed meanwhile, or begun something else.
        if !ours.is_cancelled() {
            let _ = working.try_update(|work| {
                if let Some(work) = work {
                    work.progress = progress;
                }
            });
        }
    };
    (cancel, on_progress)
}

/// Stops what runs in the dialog.
pub(crate) fn stop(working: Working) {
    let running = working.try_with_untracked(|work| work.as_ref().map(|work| work.cancel.clone()));
    if let Some(cancel) = running.flatten() {
        cancel.cancel();
    }
}

fn in_words(error: &Error, target: &ErasureTarget) -> String {
    match (error, target) {
        (Error::NotFound { .. }, ErasureTarget::Span { .. }) => {
            "Nothing was said or read in on these days".to_owned()
        }
        _ => error.to_string(),
    }
}

/// What would go, or why nothing does, in words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// With a way back.
    pub softly: Result<credence::erasure::Forgetting, String>,
    /// For ever.
    pub lasting: Result<ErasurePreview, String>,
}

impl Found {
    /// Whether it can be done that way.
    pub(crate) fn is_there(&self, lasting: bool) -> bool {
        if lasting { self.lasting.is_ok() } else { self.softly.is_ok() }
    }

    /// Nothing can be looked for.
    pub(crate) fn nothing(why: &str) -> Self {
        Self { softly: Err(why.to_owned()), lasting: Err(why.to_owned()) }
    }
}

/// Finds out what would go, either way.
pub(crate) fn preview(app: App, target: ErasureTarget, found: RwSignal<Option<Found>>, working: Working) {
    let Some(memory) = app.memory() else { return };
    let (cancel, mut on_progress) = begin(working);
    found.set(None);
    spawn_local(async move {
        let softly = memory.preview_forgetting_with(&target, &cancel, &mut on_progress).await;
        let lasting = memory.preview_erasure_with(&target, &cancel, &mut on_progress).await;
        if cancel.is_cancelled() {
            return;
        }
        // The dialog may have been closed meanwhile.
        let _ = working.try_set(None);
        let in_words = |error: Error| in_words(&error, &target);
        let both = Found { softly: softly.map_err(in_words), lasting: lasting.map_err(in_words) };
        let _ = found.try_set(Some(both));
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
pub(crate) fn softly(app: App, target: ErasureTarget, busy: RwSignal<bool>, working: Working) {
    let Some(memory) = app.memory() else { return };
    busy.set(true);
    let (cancel, mut on_progress) = begin(working);
    spawn_local(async move {
        let forgotten = memory.forget_target_with(&target, &cancel, &mut on_progress).await;
        let _ = working.try_set(None);
        let _ = busy.try_set(false);
        match forgotten {
            Ok(forgotten) => {
                app.forgetting.set(None);
                let (gone, kept) = (forgotten.removed.len(), forgotten.kept.len());
                let commit = forgotten.commit;
                let mut words = format!("Forgotten: {}", format::count(gone, "statement", "statements"));
                if kept > 0 {
                    words += &format!(
                        "; {} that are pinned, CANON or rest on something else as well stay",
                        format::grouped(kept)
                    );
                }
                leave(app, &target);
                let undo = commit.map(|commit| {
                    let undo = Callback::new(move |()| super::facts::undo(app, commit, None));
                    ("Undo".to_owned(), undo)
                });
                app.offer(ToastKind::Success, words, undo);
            }
            Err(Error::Cancelled) => app.toast(ToastKind::Info, "Stopped; nothing was forgotten"),
            Err(error) => app.fail("This could not be forgotten", &error),
        }
    });
}

/// Destroys it in all of history.
pub(crate) fn for_ever(app: App, target: ErasureTarget, busy: RwSignal<bool>, working: Working) {
    let Some(memory) = app.memory() else { return };
    busy.set(true);
    let (cancel, mut on_progress) = begin(working);
    spawn_local(async move {
        let erasing = async || memory.erase_with(&target, &cancel, &mut on_progress).await;
        let erased = alone(app, &memory, erasing).await;
        let _ = working.try_set(None);
        let _ = busy.try_set(false);
        let Some(erased) = erased else { return };
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
            Err(Error::Cancelled) => app.toast(ToastKind::Info, "Stopped; nothing was erased"),
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

//! What a person does with people and things: merge, take back, split, rename, relabel, forget, and decide about duplicates. Each
//! offers its undo.

use std::future::Future;
use std::rc::Rc;

use credence::entity::{EntityAct, Split};
use credence::error::Error;
use credence::extraction::{Progress, Trigger};
use credence::history::Commit;
use credence::id::{CommitId, ConversationId, EntityId};
use credence::llm::Cancel;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::facts::undo;
use crate::format;
use crate::route::Page;
use crate::state::{App, AppMemory, Question, ToastKind};

fn offer_undo(app: App, words: String, commit: Option<CommitId>) {
    let action = commit.map(|commit| ("Undo".to_owned(), Callback::new(move |()| undo(app, commit, None))));
    let kind = if action.is_some() { ToastKind::Success } else { ToastKind::Info };
    app.offer(kind, words, action);
}

/// Runs an act that changes more than one record, shows where it leads and says what moved.
fn act<F>(app: App, failed: &'static str, done: &'static str, work: impl FnOnce(AppMemory) -> F + 'static)
where
    F: Future<Output = Result<EntityAct, Error>> + 'static,
{
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match work(memory).await {
            Ok(act) => {
                let moved = match act.propositions.len() {
                    0 => String::new(),
                    some => format!("; {} moved", format::count(some, "statement", "statements")),
                };
                let alike = match act.now_alike.len() {
                    0 => String::new(),
                    some => format!(
                        "; {} now say the same",
                        format::count(some, "pair of statements", "pairs of statements")
                    ),
                };
                if app.page.get_untracked() != Page::Activity {
                    Page::Entity(act.entity).open();
                }
                offer_undo(app, format!("{done}{moved}{alike}"), act.commit);
            }
            Err(error) => app.fail(failed, &error),
        }
    });
}

/// Runs an edit of one entity.
fn edit<F>(app: App, done: &'static str, after: Callback<()>, work: impl FnOnce(AppMemory) -> F + 'static)
where
    F: Future<Output = Result<Option<Rc<Commit>>, Error>> + 'static,
{
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match work(memory).await {
            Ok(Some(commit)) => {
                after.run(());
                offer_undo(app, done.to_owned(), Some(commit.id));
            }
            Ok(None) => {
                after.run(());
                app.toast(ToastKind::Info, "Nothing was changed");
            }
            Err(error) => app.fail("The change was not saved", &error),
        }
    });
}

/// Says that `other` is `keep`.
pub(crate) fn merge(app: App, keep: EntityId, other: EntityId) {
    act(app, "They could not be merged", "Merged", move |memory| async move {
        memory.merge_entities(keep, other).await
    });
}

/// Takes a merge back.
pub(crate) fn unmerge(app: App, other: EntityId) {
    act(app, "The merge could not be taken back", "Apart again", move |memory| async move {
        memory.unmerge(other).await
    });
}

/// Splits part of what is known off.
pub(crate) fn split(app: App, id: EntityId, split: Split) {
    act(
        app,
        "It could not be split",
        "Split",
        move |memory| async move { memory.split_entity(id, &split).await },
    );
}

/// Says that two are not the same.
pub(crate) fn dismiss(app: App, a: EntityId, b: EntityId) {
    edit(app, "Kept apart; they are not suggested again", Callback::new(|()| {}), move |memory| async move {
        memory.dismiss_duplicate(a, b).await
    });
}

/// Adds a name.
pub(crate) fn add_alias(app: App, id: EntityId, alias: String, after: Callback<()>) {
    edit(app, "Name added", after, move |memory| async move { memory.add_alias(id, &alias).await });
}

/// Takes a name away.
pub(crate) fn remove_alias(app: App, id: EntityId, alias: String) {
    edit(app, "Name taken away", Callback::new(|()| {}), move |memory| async move {
        memory.remove_alias(id, &alias).await
    });
}

/// What the edit dialog holds.
pub(crate) struct EntityEdit {
    pub name: String,
    pub labels: Vec<String>,
    pub description: String,
}

/// Renames, relabels and describes; each that differs is a change of its own.
pub(crate) fn change(app: App, id: EntityId, edit: EntityEdit, after: Callback<()>) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        let mut changed = false;
        let outcome = async {
            changed |= memory.rename_entity(id, &edit.name).await?.is_some();
            changed |= memory.set_entity_labels(id, &edit.labels).await?.is_some();
            changed |= memory.describe_entity(id, &edit.description).await?.is_some();
            Ok::<(), Error>(())
        };
        match outcome.await {
            Ok(()) => {
                after.run(());
                app.toast(
                    if changed { ToastKind::Success } else { ToastKind::Info },
                    if changed { "Saved" } else { "Nothing was changed" },
                );
            }
            Err(error) => app.fail("The change was not saved", &error),
        }
    });
}

/// Asks, then makes an entity unknown.
pub(crate) fn forget(app: App, id: EntityId, name: &str) {
    let on_yes = Callback::new(move |()| {
        let Some(memory) = app.memory() else { return };
        spawn_local(async move {
            match memory.forget_entity(id).await {
                Ok(act) => {
                    Page::Entities.open();
                    offer_undo(app, "Forgotten; the statements stay".to_owned(), act.commit);
                }
                Err(error) => app.fail("This could not be forgotten", &error),
            }
        });
    });
    app.question.set(Some(Question {
        title: format!("Forget that \u{201c}{name}\u{201d} is somebody or something?"),
        body: "The statements stay; what they mention is no longer recognised. To forget a statement itself, open it.".to_owned(),
        yes: "Forget".to_owned(),
        word: None,
        on_yes,
    }));
}

/// Looking through the conversations for people and things: turns read, turns in all, and how to stop.
#[derive(Clone)]
pub(crate) struct Finding {
    pub done: u32,
    pub total: u32,
    pub cancel: Cancel,
}

/// Conversations that were not looked through yet, and how many turns of them.
pub(crate) fn unread(memory: &AppMemory) -> (Vec<ConversationId>, u32) {
    let all: Vec<ConversationId> = memory.state().conversations().map(|c| c.id).collect();
    let mut turns = 0;
    let mut some = Vec::new();
    for id in all {
        let pending = memory.entities_pending(id);
        if pending > 0 {
            turns += pending;
            some.push(id);
        }
    }
    (some, turns)
}

/// Finds who and what the conversations name, without making statements. `running` follows it.
pub(crate) fn find(app: App, running: RwSignal<Option<Finding>, LocalStorage>) {
    let Some(memory) = app.memory() else { return };
    let (conversations, total) = unread(&memory);
    let cancel = Cancel::new();
    running.set(Some(Finding { done: 0, total, cancel: cancel.clone() }));
    spawn_local(async move {
        let before = memory.entities().len();
        let mut read = 0;
        let mut outcome = Ok(None);
        for conversation in conversations {
            let start = read;
            let mut on_progress = |step: Progress| {
                read = start + step.done;
                // The page may have been left meanwhile; the run goes on.
                let _ = running.try_update(|running| {
                    if let Some(running) = running {
                        running.done = start + step.done;
                    }
                });
            };
            match memory.analyse_entities(conversation, Trigger::Now, &cancel, &mut on_progress).await {
                Ok(run) if run.stopped.is_none() => {}
                ended => {
                    outcome = ended.map(|run| run.stopped);
                    break;
                }
            }
        }
        let _ = running.try_set(None);
        let found = memory.entities().len().saturating_sub(before);
        let words = match found {
            0 => "Nobody and nothing new was found".to_owned(),
            some => format!("{} found", format::count(some, "person or thing", "people and things")),
        };
        match outcome {
            Ok(None) => app.toast(ToastKind::Success, words),
            Ok(Some(why)) => app.toast(ToastKind::Error, format!("{words}. It stopped early: {why}")),
            Err(Error::Cancelled) => app.toast(ToastKind::Info, format!("Stopped. {words}")),
            Err(error) => app.fail("The conversations could not be looked through", &error),
        }
    });
}

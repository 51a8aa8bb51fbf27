//! What a person does to what was said: word it anew, choose another wording, take it out. What rested on it is taken back or restored in
//! the same commit.

use credence::conversation::MemoryMode;
use credence::error::Error;
use credence::extraction::Trigger;
use credence::id::{ConversationId, TurnId};
use credence::memory::TurnChange;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::format::count;
use crate::state::{App, AppMemory, ToastKind};

/// What a change of a turn did, in words.
fn words_for(what: &str, change: &TurnChange) -> String {
    let mut words = what.to_owned();
    let taken = change.retraction.retracted.len();
    if taken > 0 {
        words += &format!("; {} that rested on it went", count(taken, "statement", "statements"));
    }
    if !change.restored.is_empty() {
        words += &format!("; {} came back", count(change.restored.len(), "record", "records"));
    }
    let weakened = change.retraction.weakened.len();
    if weakened > 0 {
        words += &format!("; {} lost this evidence", count(weakened, "statement", "statements"));
    }
    words
}

fn act<F>(app: App, conversation: ConversationId, what: &'static str, change: F)
where
    F: AsyncFnOnce(&AppMemory) -> Result<TurnChange, Error> + 'static,
{
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match change(&memory).await {
            Ok(done) => {
                let undo = done.commit.map(|commit| {
                    let undo = Callback::new(move |()| super::facts::undo(app, commit, None));
                    ("Undo".to_owned(), undo)
                });
                if done.commit.is_some() {
                    app.offer(ToastKind::Success, words_for(what, &done), undo);
                }
                super::chat::analyse(app, conversation, Trigger::WhenDue);
            }
            Err(error) => app.fail("Nothing was changed", &error),
        }
    });
}

/// Words a turn anew.
pub(crate) fn edit(app: App, conversation: ConversationId, turn: TurnId, text: String) {
    act(app, conversation, "Worded anew", async move |memory| memory.edit_turn(turn, &text).await);
}

/// Has a turn say another of its wordings.
pub(crate) fn swipe(app: App, conversation: ConversationId, turn: TurnId, place: u32) {
    act(app, conversation, "Another wording", async move |memory| memory.swipe(turn, place).await);
}

/// Takes one turn out.
pub(crate) fn delete(app: App, conversation: ConversationId, turn: TurnId) {
    act(app, conversation, "Taken out", async move |memory| memory.delete_turn(turn).await);
}

/// Takes a turn and what follows out.
pub(crate) fn delete_from(app: App, conversation: ConversationId, turn: TurnId) {
    act(app, conversation, "Cut off here", async move |memory| memory.delete_from(turn).await);
}

/// Chooses what a conversation has to do with the memory.
pub(crate) fn mode(app: App, conversation: ConversationId, mode: MemoryMode) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        match memory.set_conversation_mode(conversation, mode).await {
            Ok(Some(_)) => {
                let words = match mode {
                    MemoryMode::Full => "From now on this conversation is remembered",
                    MemoryMode::ReadOnly => "From now on it uses the memory, and nothing of it is kept",
                    MemoryMode::Off => "From now on it neither uses the memory nor adds to it",
                };
                app.toast(ToastKind::Success, words);
            }
            Ok(None) => {}
            Err(error) => app.fail("This was not changed", &error),
        }
    });
}

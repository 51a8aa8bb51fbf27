//! Saying something, having it answered, and the analysis that follows in the background.

use std::cell::Cell;
use std::rc::Rc;

use credence::compaction::Compact;
use credence::conversation::{Speaker, TurnState};
use credence::error::Error;
use credence::extraction::Trigger;
use credence::id::ConversationId;
use credence::llm::Cancel;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::route::Page;
use crate::state::{App, AppMemory, ModelState, ToastKind};

/// Says what was written, in the open conversation or a new one, and has it answered.
pub(crate) fn send(app: App, text: String) {
    let text = text.trim().to_owned();
    if text.is_empty() || app.stream.with_untracked(Option::is_some) {
        return;
    }
    let Some(memory) = app.memory() else { return };
    let open = match app.page.get_untracked() {
        Page::Chat(open, _) => open,
        _ => None,
    };
    app.draft.set(String::new());
    spawn_local(async move {
        match say(&memory, open, &text).await {
            Ok(conversation) => {
                if open.is_none() {
                    Page::Chat(Some(conversation), None).open();
                }
                answer(app, memory, conversation, false).await;
            }
            Err(error) => {
                // What was written must not be lost with the failure.
                app.draft.update(|draft| {
                    if draft.is_empty() {
                        *draft = text;
                    }
                });
                app.fail("This could not be saved", &error);
            }
        }
    });
}

async fn say(memory: &AppMemory, open: Option<ConversationId>, text: &str) -> Result<ConversationId, Error> {
    let conversation = match open {
        Some(conversation) => conversation,
        None => memory.start_conversation("").await?,
    };
    memory.say(conversation, Speaker::User, text).await?;
    Ok(conversation)
}

/// Takes the last answer back and asks for another.
pub(crate) fn regenerate(app: App, conversation: ConversationId) {
    if app.stream.with_untracked(Option::is_some) {
        return;
    }
    let Some(memory) = app.memory() else { return };
    spawn_local(answer(app, memory, conversation, true));
}

async fn answer(app: App, memory: AppMemory, conversation: ConversationId, again: bool) {
    let cancel = Cancel::new();
    app.set_stop(Some(cancel.clone()));
    app.begin_stream(conversation);
    app.announcement.set("Answering".to_owned());

    let is_drawing = Rc::new(Cell::new(false));
    let has_begun = Cell::new(false);
    let mut on_text = |piece: &str| {
        app.arrive(piece);
        if !has_begun.replace(true) {
            analyse(app, conversation, Trigger::WhenDue);
        }
        // Once a frame, however small the pieces are.
        if !is_drawing.replace(true) {
            let is_drawing = is_drawing.clone();
            request_animation_frame(move || {
                is_drawing.set(false);
                app.draw(conversation);
            });
        }
    };
    let outcome = if again {
        memory.regenerate(conversation, &mut on_text, &cancel).await
    } else {
        memory.answer(conversation, &mut on_text, &cancel).await
    };
    app.stream.set(None);
    app.set_stop(None);
    match outcome {
        Ok(answer) => {
            note_model(app, &answer.turn.state);
            app.announcement.set(match &answer.turn.state {
                TurnState::Complete => answer.turn.text,
                TurnState::Cut => {
                    format!("{} \u{2026} The answer was cut at the limit of tokens.", answer.turn.text)
                }
                TurnState::Stopped => "Stopped".to_owned(),
                TurnState::Failed { reason, .. } => format!("The answer failed: {reason}"),
            });
        }
        Err(error) => app.fail("The answer failed", &error),
    }
    analyse(app, conversation, Trigger::WhenDue);
}

/// Shows in the head of the page whether the model did its work.
fn note_model(app: App, state: &TurnState) {
    app.model.update(|model| {
        *model = match (std::mem::replace(model, ModelState::BuiltIn), state) {
            (ModelState::Ready(name) | ModelState::Failed(name, _), TurnState::Failed { reason, .. }) => {
                ModelState::Failed(name, reason.clone())
            }
            (ModelState::Failed(name, _), _) => ModelState::Ready(name),
            (other, _) => other,
        };
    });
}

/// Analyses what waits in a conversation, in the background. A failure leaves the turns pending; the view shows it.
pub(crate) fn analyse(app: App, conversation: ConversationId, trigger: Trigger) {
    let (Some(memory), Some(connections)) = (app.memory(), app.connections()) else { return };
    let tabs = connections.tabs;
    if app.analysing.with_untracked(|running| running.contains(&conversation)) {
        // The run that is on will find turns that came since, because it is asked again when it ends.
        return;
    }
    app.analysing.update(|running| {
        running.insert(conversation);
    });
    spawn_local(async move {
        let mut trigger = trigger;
        loop {
            let turns = || memory.state().next_turn_index(conversation);
            let before = turns();
            // One tab at a time, and only what the other has not done: the same words are not sent to a model twice.
            let read = async || {
                memory.refresh().await?;
                memory.analyse(conversation, trigger, &Cancel::new(), &mut |_| {}).await
            };
            let outcome = tabs.with_lock(&format!("analyse {conversation}"), read).await;
            match outcome {
                Ok(_) if turns() > before => trigger = Trigger::WhenDue,
                // Shown beside the composer, with its reason and a way to try again.
                Ok(_) | Err(Error::Busy | Error::Cancelled | Error::Model(_) | Error::Unreadable { .. }) => {
                    break;
                }
                Err(error) => {
                    app.fail("The analysis failed", &error);
                    break;
                }
            }
        }
        app.analysing.update(|running| {
            running.remove(&conversation);
        });
        // What was read may be summed up now; a failure is told, and the turns stay in the prompt as they are.
        match tabs
            .with_lock(&format!("compact {conversation}"), async || {
                memory.compact(conversation, Compact::IfDue, &Cancel::new()).await
            })
            .await
        {
            Ok(_) | Err(Error::Busy | Error::Cancelled) => {}
            Err(error) => app.fail("The conversation could not be summed up", &error),
        }
    });
}

/// Copies a message.
pub(crate) fn copy(app: App, text: String) {
    spawn_local(async move {
        if crate::browser::copy(&text).await {
            app.toast(ToastKind::Success, "Copied");
        } else {
            app.toast(ToastKind::Error, "The browser does not let this page copy; select the text instead");
        }
    });
}

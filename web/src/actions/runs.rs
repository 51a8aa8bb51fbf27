//! What a person does with a run that was kept: beginning a chat with its memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use credence::bundle::{self, Choice};
use credence::history::Journal;
use credence::id::ContextId;
use credence::ports::Clock;
use credence_browser::{BrowserClock, BrowserIds};
use credence_sim::engine;
use credence_sim::run::RunRecord;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::boot;
use crate::ports::Connections;
use crate::route::Page;
use crate::state::{App, Question, ToastKind};

/// Most memories of one name that are counted through for a free one.
const MOST_NAMES: u32 = 1_000;

/// Asks whether a chat is to begin with what the run's memory holds, and begins it.
pub(crate) fn ask_chat(app: App, run: Arc<RunRecord>) {
    app.question.set(Some(Question {
        title: "Start a chat from this run?".to_owned(),
        body: format!(
            "A new memory begins with everything that the run \u{201c}{}\u{201d} ended with, its conversation included, and the chat opens in it. It is a memory of its own: the run stays as it is, and nothing of it gets into the memory that is open now, which Settings leads back to.",
            run.scenario
        ),
        yes: "Start the chat".to_owned(),
        word: None,
        on_yes: Callback::new(move |()| chat(app, run.clone())),
    }));
}

fn chat(app: App, run: Arc<RunRecord>) {
    let Some(connections) = app.connections() else { return };
    spawn_local(async move {
        match begun(app, &connections, &run).await {
            Ok(context) => {
                app.stop();
                app.prefer(|p| p.context = context.as_str().to_owned());
                if boot::open(app, connections).await {
                    let last =
                        app.read(|memory| memory.state().conversations().next_back().map(|one| one.id));
                    Page::Chat(last, None).open();
                    app.toast(
                        ToastKind::Success,
                        format!(
                            "\u{201c}{context}\u{201d} is open. Settings leads back to your other memories."
                        ),
                    );
                }
            }
            Err(words) => app.toast(ToastKind::Error, format!("The chat could not be begun: {words}")),
        }
    });
}

/// Copies the run's memory among the person's own, under a name that none of them has.
async fn begun(app: App, connections: &Connections, run: &RunRecord) -> Result<ContextId, String> {
    let words = |error: &dyn std::fmt::Display| error.to_string();
    let journal = app.simulation.journal().await?;
    let from = engine::context_of(&run.id).map_err(|error| words(&error))?;
    let head = journal.head(&from).await.map_err(|error| words(&error))?;
    if head.is_none() {
        return Err("the memory of this run is not in this browser; play it again".to_owned());
    }
    let name = free_name(connections, run).await?;
    let now = BrowserClock.now().at;
    let bundle = bundle::export(&journal, std::slice::from_ref(&from), now).await;
    let bundle = bundle.map_err(|error| words(&error))?;
    let choices = BTreeMap::from([(from, Choice::Create { name: name.clone() })]);
    bundle::apply_import(&connections.journal, &bundle, &choices, now, &BrowserIds)
        .await
        .map_err(|error| words(&error))?;
    connections.tabs.announce(&name, u64::MAX);
    Ok(name)
}

async fn free_name(connections: &Connections, run: &RunRecord) -> Result<ContextId, String> {
    let condition = run.condition.name.to_lowercase().replace('_', " ");
    let plain = format!("From the run {} ({condition}, seed {})", run.scenario, run.settings.seed);
    for number in 1..=MOST_NAMES {
        let name = if number == 1 { plain.clone() } else { format!("{plain}, {number}") };
        let name = ContextId::new(&name).map_err(|error| error.to_string())?;
        let taken = connections.journal.head(&name).await.map_err(|error| error.to_string())?;
        if taken.is_none() {
            return Ok(name);
        }
    }
    Err(format!("there are {MOST_NAMES} memories of that name"))
}

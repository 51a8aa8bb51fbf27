//! Start: the store, the endpoint that was chosen, the memory; then, in the background, the file with the meanings of words.

use credence::history::JournalError;
use credence::id::ContextId;
use credence::llm::{Cancel, ChatModel, Role};
use credence::memory::Memory;
use credence_browser::Tabs;
use credence_browser::endpoint::{Endpoint, KeyStore, RemoteEmbedder};
use credence_browser::journal::{BrowserJournal, Opened, Persistence};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::actions::alone;
use crate::ports::{AppPorts, Connections, SwitchableChat, SwitchableEmbedder};
use crate::preferences::Preferences;
use crate::state::{Alarm, App, EmbeddingState, ModelState, Phase, ToastKind};
use crate::vectors;

/// The name of the database in the browser.
pub(crate) const DATABASE: &str = "credence";

/// What is told when the browser has emptied its store.
const EMPTIED: &str = "The browser has emptied its store of this site, as it does with one that it finds damaged, after a crash for example. What was kept here is gone from it; if you have a copy, import it from Settings";

/// Opens everything.
pub(crate) fn start(app: App) {
    spawn_local(async move {
        let Opened { journal, persistence, emptied } = match BrowserJournal::open(DATABASE).await {
            Ok(opened) => opened,
            Err(error) => return refuse(app, &error),
        };
        if let Persistence::Volatile { reason } = persistence {
            app.volatile.set(Some(reason.to_string()));
        }
        if emptied {
            app.alarm.set(Some(Alarm { kind: "emptied", words: EMPTIED.to_owned() }));
        }
        let connections = Connections {
            journal,
            keys: KeyStore::new(),
            chat: SwitchableChat::default(),
            embedder: SwitchableEmbedder::default(),
            tabs: Tabs::open(DATABASE),
        };
        if let Err(problem) = connect(app, &connections) {
            app.toast(ToastKind::Error, format!("The endpoint in Settings cannot be used: {problem}"));
        }
        if open(app, connections).await {
            load_vectors(app);
        }
    });
}

fn refuse(app: App, error: &JournalError) {
    let kind = match error {
        JournalError::NewerSchema { .. } => "newer-schema",
        JournalError::Blocked | JournalError::Superseded => "blocked",
        JournalError::QuotaExceeded => "quota",
        _ => "corrupt",
    };
    app.phase.set(Phase::Refused { kind, words: error.to_string() });
}

/// Opens the memory that the preferences name; whether that worked.
pub(crate) async fn open(app: App, connections: Connections) -> bool {
    let Preferences { context, config, .. } = app.preferences.get_untracked();
    let opened = match ContextId::new(&context) {
        Ok(context) => Memory::open(AppPorts::new(connections.clone()), context, config).await,
        Err(error) => Err(error.into()),
    };
    match opened {
        Ok(memory) => {
            app.adopt(memory.clone(), connections);
            app.phase.set(Phase::Ready);
            // Time alone changes what sleeps and what is due.
            spawn_local(async move {
                let kept = alone::quietly_alone(app, &memory, async || memory.keep_up(&Cancel::new()).await);
                if let Some(Err(error)) = kept.await {
                    app.fail("The working set could not be looked through", &error);
                }
            });
            true
        }
        Err(credence::error::Error::Journal(error)) => {
            refuse(app, &error);
            false
        }
        Err(error) => {
            app.phase.set(Phase::Refused { kind: "corrupt", words: error.to_string() });
            false
        }
    }
}

/// Connects the endpoint that the preferences name.
pub(crate) fn connect(app: App, connections: &Connections) -> Result<(), String> {
    let chosen = app.preferences.with_untracked(|p| p.endpoint.clone());
    let endpoint = match (chosen, connections.chat.endpoint()) {
        (None, _) => None,
        (Some(settings), Some(before)) => {
            Some(before.with_settings(settings).map_err(|error| error.to_string())?)
        }
        (Some(settings), None) => {
            Some(Endpoint::new(settings, connections.keys.clone()).map_err(|error| error.to_string())?)
        }
    };
    let state = match &endpoint {
        Some(endpoint) if endpoint.is_connected(Role::Chat) => {
            ModelState::Ready(endpoint.settings().model(Role::Chat).unwrap_or("language model").to_owned())
        }
        _ => ModelState::BuiltIn,
    };
    connections.chat.connect(endpoint);
    app.model.set(state);
    Ok(())
}

/// Gets vectors: from the endpoint where the person named a model for them, else from the file beside the page.
pub(crate) fn load_vectors(app: App) {
    let Some(connections) = app.connections() else { return };
    app.embedding.set(EmbeddingState::Loading);
    let named = app.preferences.with_untracked(|p| p.endpoint.as_ref().is_some_and(vectors::names_vectors));
    spawn_local(async move {
        if named && let Some(endpoint) = connections.chat.endpoint() {
            match RemoteEmbedder::connect(endpoint, &Cancel::new()).await {
                Ok(remote) => {
                    connections.embedder.use_endpoint(remote);
                    // The vectors of another space: what is in memory was compared in the old one.
                    if open(app, connections).await {
                        app.embedding.set(EmbeddingState::Ready);
                    }
                    return;
                }
                Err(error) => {
                    let words =
                        format!("The endpoint gives no vectors ({error}); the built-in ones are used");
                    app.toast(ToastKind::Error, words);
                }
            }
        }
        let state = match vectors::load().await {
            Ok(model) => {
                connections.embedder.use_file(model);
                EmbeddingState::Ready
            }
            Err(why) => EmbeddingState::Failed(why),
        };
        app.embedding.set(state);
    });
}

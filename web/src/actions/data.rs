//! The memory as a whole: wiping, switching; and the endpoint.

use std::collections::BTreeMap;

use credence::config::Config;
use credence::history::Journal;
use credence::id::ContextId;
use credence::llm::secret::Secret;
use credence::llm::settings::{EndpointSettings, KeyStorage};
use credence::llm::{Cancel, Role};
use credence_browser::endpoint::{Endpoint, KeyStore};
use credence_browser::journal::{delete_database, request_persistence, storage_estimate};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen_futures::JsFuture;

use crate::preferences::STORED_AS;
use crate::state::{App, ToastKind};
use crate::{boot, browser, kept, simulation, vectors};

/// Deletes the open memory: its log, use records and vectors. Other memories, keys and settings stay.
pub(crate) fn wipe_context(app: App) {
    let (Some(memory), Some(connections)) = (app.memory(), app.connections()) else { return };
    spawn_local(async move {
        let context = memory.context().clone();
        match connections.journal.erase(&context).await {
            Ok(()) => {
                // Tabs that have it open must not go on from what is gone.
                connections.tabs.announce(&context, 0);
                if boot::open(app, connections).await {
                    app.toast(ToastKind::Success, format!("The memory \u{201c}{context}\u{201d} is wiped"));
                }
            }
            Err(error) => app.fail("The memory could not be wiped", &error.into()),
        }
    });
}

/// Deletes everything that this app keeps in this browser, keys and settings included, and starts anew.
pub(crate) fn wipe_everything(app: App) {
    let Some(connections) = app.connections() else { return };
    spawn_local(async move {
        connections.keys.wipe();
        // What cannot be listed is deleted all the same; a tab that has it open then learns of it at its next act.
        let stored = connections.journal.contexts().await.unwrap_or_default();
        let tabs = connections.tabs.clone();
        app.let_go();
        drop(connections);
        // Whoever plays would write again.
        app.simulation.link.set_value(None);
        app.simulation.store.set_value(None);
        app.experiments.link.set_value(None);
        for name in [boot::DATABASE, simulation::DATABASE, kept::DATABASE] {
            if let Err(error) = delete_database(name).await {
                app.fail("A database could not be deleted yet", &error.into());
                return;
            }
        }
        if window().is_secure_context()
            && let Ok(caches) = window().caches()
        {
            // The file is fetched again when it is needed.
            let _ = JsFuture::from(caches.delete(vectors::CACHE)).await;
        }
        browser::remove(STORED_AS);
        stored.iter().for_each(|summary| tabs.announce(&summary.context, 0));
        // Refused only while the page is being closed.
        let _ = window().location().reload();
    });
}

/// Opens another memory; a name that is new is an empty one.
pub(crate) fn switch(app: App, name: &str) {
    let Some(connections) = app.connections() else { return };
    let context = match ContextId::new(name) {
        Ok(context) => context,
        Err(error) => return app.toast(ToastKind::Error, error.to_string()),
    };
    app.stop();
    app.prefer(|p| p.context = context.as_str().to_owned());
    spawn_local(async move {
        if boot::open(app, connections).await {
            app.toast(ToastKind::Success, format!("The memory \u{201c}{context}\u{201d} is open"));
        }
    });
}

/// The memories that are stored, by name.
pub(crate) async fn contexts(app: App) -> Vec<String> {
    let Some(connections) = app.connections() else { return Vec::new() };
    match connections.journal.contexts().await {
        Ok(found) => found.into_iter().map(|summary| summary.context.as_str().to_owned()).collect(),
        Err(error) => {
            app.fail("The list of memories could not be read", &error.into());
            Vec::new()
        }
    }
}

/// Bytes used and bytes allowed, and whether the browser promises to keep them.
pub(crate) async fn room() -> (Option<(f64, f64)>, Option<bool>) {
    let estimate = storage_estimate().await.map(|estimate| (estimate.usage, estimate.quota));
    if !window().is_secure_context() {
        return (estimate, None);
    }
    let persisted = match window().navigator().storage().persisted() {
        Ok(asked) => JsFuture::from(asked).await.ok().and_then(|answer| answer.as_bool()),
        Err(_) => None,
    };
    (estimate, persisted)
}

/// Asks the browser to keep what is stored.
pub(crate) fn persist(app: App, done: Callback<bool>) {
    spawn_local(async move {
        let kept = request_persistence().await;
        if kept {
            app.toast(ToastKind::Success, "The browser promises to keep this memory");
        } else {
            app.toast(
                ToastKind::Info,
                "The browser makes no promise yet. Visiting often, or adding the page as a bookmark or app, helps; an export is safe in any case.",
            );
        }
        done.run(kept);
    });
}

/// What a test of the connection said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TestResult {
    Running,
    /// The models that the endpoint lists, and the chosen ones that it does not.
    Ok {
        models: Vec<String>,
        missing: Vec<String>,
    },
    /// The error's kind and what to do.
    Failed {
        kind: String,
        words: String,
    },
}

/// Asks the endpoint for its models, with what the form holds. Nothing is saved: a key is tried from this page's memory.
pub(crate) fn test(
    settings: EndpointSettings,
    key: Option<String>,
    keys: KeyStore,
    result: RwSignal<Option<TestResult>>,
) {
    result.set(Some(TestResult::Running));
    spawn_local(async move {
        let outcome = probe(settings, key, keys).await;
        // The page may have been left meanwhile.
        let _ =
            result.try_set(Some(outcome.unwrap_or_else(|(kind, words)| TestResult::Failed { kind, words })));
    });
}

async fn probe(
    settings: EndpointSettings,
    key: Option<String>,
    kept: KeyStore,
) -> Result<TestResult, (String, String)> {
    let invalid = |words: String| ("invalid".to_owned(), words);
    let resolved = settings.resolve().map_err(|error| invalid(error.to_string()))?;
    let origin = resolved.base.origin().to_owned();
    let keys = match key.filter(|key| !key.trim().is_empty()) {
        Some(typed) => {
            KeyStore::trial([(origin, Secret::parse(&typed).map_err(|error| invalid(error.to_string()))?)])
        }
        None => kept,
    };
    let endpoint = Endpoint::new(settings.clone(), keys).map_err(|error| invalid(error.to_string()))?;
    match endpoint.probe(&Cancel::new()).await {
        Ok(found) => {
            let here = Role::ALL.into_iter().filter(|role| !settings.elsewhere.contains_key(role));
            let chosen = here.filter_map(|role| settings.models.get(&role));
            let mut missing: Vec<String> = chosen
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty() && !found.models.is_empty() && !found.models.contains(name))
                .collect();
            missing.sort();
            missing.dedup();
            Ok(TestResult::Ok { models: found.models, missing })
        }
        Err(error) => Err((error.code().trim_start_matches("model-").to_owned(), error.to_string())),
    }
}

/// The keys that were typed, for the endpoint and for those of single roles.
#[derive(Debug, Default)]
pub(crate) struct TypedKeys {
    pub(crate) main: Option<String>,
    pub(crate) elsewhere: BTreeMap<Role, String>,
}

/// Every key that is typed or kept, by its origin; nothing is kept yet.
fn keys_by_origin(
    settings: &EndpointSettings,
    typed: &TypedKeys,
    kept: &KeyStore,
) -> Result<BTreeMap<String, Secret>, String> {
    let resolved = settings.resolve().map_err(|error| error.to_string())?;
    let own = settings.resolve_elsewhere().map_err(|error| error.to_string())?;
    let own = own.into_iter().map(|(role, (_, resolved))| (resolved, typed.elsewhere.get(&role)));
    let mut keys = BTreeMap::new();
    for (resolved, typed) in [(resolved, typed.main.as_ref())].into_iter().chain(own) {
        let origin = resolved.base.origin().to_owned();
        match typed.filter(|key| !key.trim().is_empty()) {
            Some(typed) => {
                keys.insert(origin, Secret::parse(typed).map_err(|error| error.to_string())?);
            }
            None => {
                if let (false, Some(key)) = (keys.contains_key(&origin), kept.get(&origin)) {
                    keys.insert(origin, key);
                }
            }
        }
    }
    Ok(keys)
}

/// Saves endpoint, keys and numbers; they take effect at once. Returns what is wrong, if something is.
pub(crate) fn save(
    app: App,
    endpoint: Option<EndpointSettings>,
    typed: &TypedKeys,
    config: Config,
) -> Result<(), String> {
    let connections = app.connections().ok_or("the memory is not open")?;
    config.validate()?;
    if let Some(settings) = &endpoint {
        let keys = keys_by_origin(settings, typed, &connections.keys)?;
        let keep = |(origin, key): (String, Secret)| connections.keys.set(&origin, key, settings.key_storage);
        if keys.into_iter().map(keep).filter(|kept| kept.was_refused).count() > 0 {
            app.toast(
                ToastKind::Info,
                "The browser refuses to keep the key; it is used until this page closes",
            );
        }
    }
    let embed = |endpoint: &Option<EndpointSettings>| {
        endpoint.as_ref().and_then(|e| {
            e.models.get(&Role::Embed).map(|m| {
                (e.preset.clone(), e.base_url.clone(), m.clone(), e.elsewhere.get(&Role::Embed).cloned())
            })
        })
    };
    let before = app.preferences.with_untracked(|p| embed(&p.endpoint));
    let changes_vectors = before != embed(&endpoint);
    if let Some(memory) = app.memory() {
        memory.set_config(config.clone()).map_err(|error| error.to_string())?;
    }
    let is_kept = app.prefer(|p| {
        p.endpoint = endpoint;
        p.config = config;
    });
    boot::connect(app, &connections)?;
    if changes_vectors {
        connections.embedder.reset();
        spawn_local(async move {
            if boot::open(app, connections).await {
                boot::load_vectors(app);
            }
        });
    }
    if is_kept {
        app.toast(ToastKind::Success, "Saved; it is in effect");
    } else {
        app.toast(
            ToastKind::Info,
            "In effect, but the browser does not keep settings: they are gone when this page closes",
        );
    }
    Ok(())
}

/// What a place for the key means.
pub(crate) fn key_place(place: KeyStorage) -> &'static str {
    match place {
        KeyStorage::Memory => "memory",
        KeyStorage::Session => "session",
        KeyStorage::Device => "device",
    }
}

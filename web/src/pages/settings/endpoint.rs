//! The language model: which server, which key, which model for what, and whether it works.

use std::collections::BTreeMap;

use credence::llm::Role;
use credence::llm::preset::{self, KeyNeed, Preset};
use credence::llm::settings::{EndpointSettings, KeyStorage};
use leptos::prelude::*;

use super::elsewhere::{PLACED, Place, Places};
use crate::actions::data::{TestResult, TypedKeys, key_place, test};
use crate::components::field::TextField;
use crate::components::icon::{Glyph, Icon};
use crate::format::sentence;
use crate::state::App;

/// The preset that stands for "no language model".
const NONE: &str = "none";

/// What the form holds.
#[derive(Clone, Copy)]
pub(super) struct EndpointForm {
    preset: RwSignal<String>,
    base_url: RwSignal<String>,
    /// As typed; empty keeps the one that is there.
    key: RwSignal<String>,
    keep: RwSignal<KeyStorage>,
    chat: RwSignal<String>,
    extract: RwSignal<String>,
    revise: RwSignal<String>,
    resolve: RwSignal<String>,
    judge: RwSignal<String>,
    adversary: RwSignal<String>,
    embed: RwSignal<String>,
    /// For every role that may have an endpoint of its own.
    pub(super) places: [Place; PLACED.len()],
    result: RwSignal<Option<TestResult>>,
    /// Raised by each save, so that what depends on stored keys is looked at again.
    pub(super) saved: RwSignal<u32>,
}

impl EndpointForm {
    /// What is in force now.
    pub(super) fn new(app: App) -> Self {
        let settings = app.preferences.with_untracked(|p| p.endpoint.clone());
        let model = |role: Role| {
            let chosen = settings.as_ref().and_then(|settings| settings.models.get(&role).cloned());
            RwSignal::new(chosen.unwrap_or_default())
        };
        Self {
            preset: RwSignal::new(settings.as_ref().map_or(NONE.to_owned(), |s| s.preset.clone())),
            base_url: RwSignal::new(settings.as_ref().map(|s| s.base_url.clone()).unwrap_or_default()),
            key: RwSignal::new(String::new()),
            keep: RwSignal::new(settings.as_ref().map(|s| s.key_storage).unwrap_or_default()),
            chat: model(Role::Chat),
            extract: model(Role::Extract),
            revise: model(Role::Revise),
            resolve: model(Role::Resolve),
            judge: model(Role::Judge),
            adversary: model(Role::Adversary),
            embed: model(Role::Embed),
            places: PLACED.map(|role| Place::new(role, settings.as_ref())),
            result: RwSignal::new(None),
            saved: RwSignal::new(0),
        }
    }

    pub(super) fn field(self, role: Role) -> RwSignal<String> {
        match role {
            Role::Chat => self.chat,
            Role::Extract => self.extract,
            Role::Revise => self.revise,
            Role::Resolve => self.resolve,
            Role::Judge => self.judge,
            Role::Adversary => self.adversary,
            Role::Embed => self.embed,
        }
    }

    /// Another kind of endpoint: its address and models are its own. Roles that are elsewhere stay as they are.
    fn choose(self, id: String) {
        self.base_url.set(preset::by_id(&id).map(|preset| preset.base_url.to_owned()).unwrap_or_default());
        let is_elsewhere =
            |role: Role| self.places.iter().any(|place| place.role == role && place.is_on.get_untracked());
        for role in Role::ALL.into_iter().filter(|role| !is_elsewhere(*role)) {
            self.field(role).set(String::new());
        }
        self.key.set(String::new());
        self.result.set(None);
        self.preset.set(id);
    }

    fn known(self) -> Option<&'static Preset> {
        self.preset.with(|id| preset::by_id(id))
    }

    fn settings(self, preset: String) -> EndpointSettings {
        let chosen = |role: Role| (role, self.field(role).get().trim().to_owned());
        let models: BTreeMap<Role, String> =
            Role::ALL.into_iter().map(chosen).filter(|(_, name)| !name.is_empty()).collect();
        EndpointSettings {
            preset,
            base_url: self.base_url.get().trim().to_owned(),
            models,
            elsewhere: self.places.iter().filter_map(Place::read).collect(),
            key_storage: self.keep.get(),
        }
    }

    /// What the form holds; `None`: no language model.
    pub(super) fn read(self) -> Option<EndpointSettings> {
        untrack(|| self.read_tracked())
    }

    /// The same for what follows the form.
    pub(super) fn read_tracked(self) -> Option<EndpointSettings> {
        Some(self.preset.get()).filter(|id| id != NONE).map(|id| self.settings(id))
    }

    /// The key that was typed.
    fn typed_key(self) -> Option<String> {
        Some(self.key.get_untracked()).filter(|key| !key.trim().is_empty())
    }

    /// Every key that was typed.
    pub(super) fn typed_keys(self) -> TypedKeys {
        let elsewhere = self.places.iter().filter_map(|place| Some((place.role, place.typed_key()?)));
        TypedKeys { main: self.typed_key(), elsewhere: elsewhere.collect() }
    }

    /// They are kept by now.
    pub(super) fn clear_keys(self) {
        self.key.set(String::new());
        self.places.iter().for_each(|place| place.key.set(String::new()));
    }

    /// Whether it differs from what is in force.
    pub(super) fn is_dirty(self, app: App) -> bool {
        let held = self.read_tracked();
        let types = |key: RwSignal<String>| !key.with(String::is_empty);
        types(self.key)
            || self.places.iter().any(|place| types(place.key))
            || app.preferences.with(|p| p.endpoint != held)
    }
}

pub(super) fn role_words(role: Role) -> (&'static str, &'static str, &'static str) {
    match role {
        Role::Chat => ("settings-model-chat", "Answering", "talks with you"),
        Role::Extract => ("settings-model-extract", "Extracting", "turns what was said into statements"),
        Role::Revise => ("settings-model-revise", "Revising", "compares new statements with known ones"),
        Role::Resolve => ("settings-model-resolve", "Recognising", "decides who and what is meant"),
        Role::Judge => ("settings-model-judge", "Judging", "scores answers in scenarios"),
        Role::Adversary => ("settings-model-adversary", "Attacking", "attacks a memory in scenarios"),
        Role::Embed => ("settings-model-embed", "Vectors", "empty: the built-in ones, which need no network"),
    }
}

/// The section of the form.
#[component]
pub(super) fn EndpointSection(form: EndpointForm) -> impl IntoView {
    let is_chosen = move || form.preset.with(|id| id != NONE);
    view! {
        <section class="card" aria-labelledby="settings-model">
            <h2 class="card__title" id="settings-model">"Language model"</h2>
            <p class="card__text">
                "Credence works without one: a built-in engine keeps plain statements and answers by quoting them. With a model of your own, it converses and understands more. Your words and your keys go to the addresses that you enter below and nowhere else, each key to its own."
            </p>
            <label class="field">
                <span class="field__label">"Endpoint"</span>
                <select
                    class="field__input"
                    data-testid="settings-preset"
                    prop:value=form.preset
                    on:change=move |event| form.choose(event_target_value(&event))
                >
                    <option value=NONE>"None: the built-in engine"</option>
                    {preset::all().iter().map(|preset| view! { <option value=preset.id>{preset.label}</option> }).collect_view()}
                </select>
                <span class="field__hint">{move || form.known().map(|preset| preset.getting_started)}</span>
            </label>
            <Show when=is_chosen>
                <TextField
                    id="settings-base-url"
                    label="Address"
                    value=form.base_url
                    kind="url"
                    placeholder=Signal::derive(move || form.known().map(|p| p.base_url).filter(|url| !url.is_empty()).unwrap_or("https://host/v1").to_owned())
                    hint="up to and with the path, usually /v1"
                />
                <Key form />
                <Models form />
                <Places form />
                <Test form />
            </Show>
        </section>
    }
}

#[component]
fn Key(form: EndpointForm) -> impl IntoView {
    let app = App::get();
    let shown = RwSignal::new(false);
    // A key belongs to an origin: it is looked up under the one that the form names.
    let kept = Memo::new(move |_| {
        form.saved.track();
        let origin = form.settings(form.preset.get()).resolve().ok()?.base.origin().to_owned();
        app.connections()?.keys.place(&origin)
    });
    let placeholder = move || match (kept.get(), form.known().map(|p| p.key)) {
        (Some(_), _) => "a key is kept; type to replace it",
        (None, Some(KeyNeed::Required)) => "required",
        _ => "only if your server wants one",
    };
    view! {
        <div class="field">
            <label class="field__label" for="settings-key">"Key"</label>
            <div class="field__row">
                <input
                    id="settings-key"
                    class="field__input"
                    type=move || if shown.get() { "text" } else { "password" }
                    data-testid="settings-key"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    placeholder=placeholder
                    prop:value=form.key
                    on:input=move |event| form.key.set(event_target_value(&event))
                />
                <button
                    type="button"
                    class="button button--icon"
                    aria-label="Show the key"
                    aria-pressed=move || shown.get().to_string()
                    on:click=move |_| shown.update(|shown| *shown = !*shown)
                >
                    <Icon glyph=Glyph::Eye />
                </button>
                {move || kept.get().map(|_| view! {
                    <button
                        type="button"
                        class="button"
                        data-testid="settings-key-forget"
                        on:click=move |_| {
                            let resolved = form.settings(form.preset.get_untracked()).resolve();
                            if let (Some(connections), Ok(resolved)) = (app.connections(), resolved) {
                                connections.keys.forget(resolved.base.origin());
                                form.saved.update(|count| *count += 1);
                                // Without its key an endpoint may no longer count as connected.
                                if let Err(words) = crate::boot::connect(app, &connections) {
                                    app.toast(crate::state::ToastKind::Error, words);
                                }
                            }
                        }
                    >
                        "Forget it"
                    </button>
                })}
            </div>
        </div>
        <label class="field">
            <span class="field__label">"Keep the key"</span>
            <select
                class="field__input"
                data-testid="settings-key-keep"
                prop:value=move || key_place(form.keep.get())
                on:change=move |event| {
                    let chosen = event_target_value(&event);
                    let places = [KeyStorage::Memory, KeyStorage::Session, KeyStorage::Device];
                    if let Some(place) = places.into_iter().find(|place| key_place(*place) == chosen) {
                        form.keep.set(place);
                    }
                }
            >
                <option value="memory">"until this page closes"</option>
                <option value="session">"until this tab closes"</option>
                <option value="device">"on this device"</option>
            </select>
            <span class="field__hint" class:field__hint--problem=move || form.keep.get() == KeyStorage::Device>
                {move || form.keep.get().explanation()}
            </span>
        </label>
    }
}

#[component]
fn Models(form: EndpointForm) -> impl IntoView {
    let default_of = move |role: Role| {
        Signal::derive(move || {
            if let Some(there) = form.places.iter().find(|place| place.role == role && place.is_on.get()) {
                let own = there.known().and_then(|preset| preset.default_model(role));
                return own.unwrap_or("the model's name at its own endpoint").to_owned();
            }
            let own = form.known().and_then(|preset| preset.default_model(role));
            match (own, role) {
                (Some(name), Role::Embed) => format!("built-in; this endpoint has {name}"),
                (Some(name), _) => name.to_owned(),
                (None, Role::Chat) => "the model's name at this endpoint".to_owned(),
                (None, Role::Embed) => "built-in".to_owned(),
                (None, _) => "as for answering".to_owned(),
            }
        })
    };
    let field = move |role: Role| {
        let (id, label, hint) = role_words(role);
        view! { <TextField id label hint value=form.field(role) placeholder=default_of(role) list="settings-models" /> }
    };
    view! {
        <datalist id="settings-models">
            {move || form.result.with(|result| match result {
                Some(TestResult::Ok { models, .. }) => models.clone(),
                _ => Vec::new(),
            }).into_iter().map(|name| view! { <option value=name></option> }).collect_view()}
        </datalist>
        {field(Role::Chat)}
        <details class="more" open>
            <summary class="more__head">"Models for other work"</summary>
            <div class="more__grid">
                {Role::ALL.into_iter().filter(|role| *role != Role::Chat).map(field).collect_view()}
            </div>
        </details>
    }
}

#[component]
fn Test(form: EndpointForm) -> impl IntoView {
    let app = App::get();
    let dropped = Memo::new(move |_| {
        form.saved.track();
        form.result.track();
        app.model.track();
        let endpoint = app.connections().and_then(|connections| connections.chat.endpoint());
        endpoint
            .map(|endpoint| endpoint.dropped_parameters())
            .unwrap_or_default()
            .into_iter()
            .map(|dropped| {
                format!("{} does not take `{}`; calls leave it out", dropped.model, dropped.parameter)
            })
            .collect::<Vec<_>>()
    });
    let run = move |_| {
        if let (Some(settings), Some(connections)) = (form.read(), app.connections()) {
            test(settings, form.typed_key(), connections.keys, form.result);
        }
    };
    let running = move || form.result.with(|result| *result == Some(TestResult::Running));
    view! {
        <div class="test">
            <button type="button" class="button" data-testid="settings-test" disabled=running on:click=run>"Test connection"</button>
            {move || form.result.get().map(|result| {
                let (state, kind) = match &result {
                    TestResult::Running => ("running", None),
                    TestResult::Ok { .. } => ("ok", None),
                    TestResult::Failed { kind, .. } => ("failed", Some(kind.clone())),
                };
                view! {
                    <div class=format!("test__result test__result--{state}") role="status" data-testid="settings-test-result" data-state=state data-kind=kind>
                        {words(result, form.chat)}
                    </div>
                }
            })}
            {move || {
                let list = dropped.get();
                (!list.is_empty()).then(|| view! {
                    <ul class="test__dropped" data-testid="settings-dropped-parameters">
                        {list.into_iter().map(|words| view! { <li>{words}</li> }).collect_view()}
                    </ul>
                })
            }}
        </div>
    }
}

/// Models that are shown as buttons after a test.
const OFFERED: usize = 24;

/// What a test said, with buttons that put a listed model into `chosen`.
pub(super) fn words(result: TestResult, chosen: RwSignal<String>) -> AnyView {
    match result {
        TestResult::Running => {
            view! { <p><span class="pulse" aria-hidden="true"></span>"Asking the endpoint\u{2026}"</p> }
                .into_any()
        }
        TestResult::Failed { words, .. } => {
            view! { <p><Icon glyph=Glyph::Alert /><span>{sentence(&words)}</span></p> }.into_any()
        }
        TestResult::Ok { models, missing } => {
            let count = models.len();
            let lead = match count {
                0 => "It answers. It lists no models, so type the name of one.".to_owned(),
                1 => "It answers and lists one model.".to_owned(),
                more => format!("It answers and lists {more} models. Choose the one that answers:"),
            };
            view! {
                <p><Icon glyph=Glyph::Check /><span>{lead}</span></p>
                {(!missing.is_empty()).then(|| view! {
                    <p class="test__missing"><Icon glyph=Glyph::Alert /><span>{format!("Not in its list: {}", missing.join(", "))}</span></p>
                })}
                <ul class="test__models">
                    {models
                        .into_iter()
                        .take(OFFERED)
                        .map(|name| {
                            let listed = name.clone();
                            view! {
                                <li><button type="button" class="button button--small" on:click=move |_| chosen.set(listed.clone())>{name}</button></li>
                            }
                        })
                        .collect_view()}
                </ul>
                {(count > OFFERED).then(|| view! { <p>{format!("and {} more, offered as you type a name", count - OFFERED)}</p> })}
            }
                .into_any()
        }
    }
}

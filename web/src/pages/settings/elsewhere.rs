//! Roles at an endpoint of their own: which server, which key, and whether it answers.

use credence::llm::Role;
use credence::llm::preset::{self, Preset};
use credence::llm::settings::{Elsewhere, EndpointSettings};
use leptos::prelude::*;

use super::endpoint::{EndpointForm, role_words, words};
use crate::actions::data::{TestResult, test};
use crate::components::field::TextField;
use crate::components::icon::{Glyph, Icon};
use crate::state::App;

/// Roles that may be elsewhere: all but answering, which is what the endpoint itself is chosen for.
pub(super) const PLACED: [Role; 6] =
    [Role::Extract, Role::Revise, Role::Resolve, Role::Judge, Role::Adversary, Role::Embed];

/// What the form holds of one role's endpoint, whether it has one or not.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) role: Role,
    pub(super) is_on: RwSignal<bool>,
    preset: RwSignal<String>,
    base_url: RwSignal<String>,
    /// As typed; empty keeps the one that is there.
    pub(super) key: RwSignal<String>,
    result: RwSignal<Option<TestResult>>,
}

impl Place {
    /// What is in force now.
    pub(super) fn new(role: Role, settings: Option<&EndpointSettings>) -> Self {
        let there = settings.and_then(|settings| settings.elsewhere.get(&role));
        Self {
            role,
            is_on: RwSignal::new(there.is_some()),
            preset: RwSignal::new(there.map_or_else(|| "custom".to_owned(), |there| there.preset.clone())),
            base_url: RwSignal::new(there.map(|there| there.base_url.clone()).unwrap_or_default()),
            key: RwSignal::new(String::new()),
            result: RwSignal::new(None),
        }
    }

    pub(super) fn known(&self) -> Option<&'static Preset> {
        self.preset.with(|id| preset::by_id(id))
    }

    /// What the form holds; `None`: the role is played where all are.
    pub(super) fn read(&self) -> Option<(Role, Elsewhere)> {
        let there =
            || Elsewhere { preset: self.preset.get(), base_url: self.base_url.get().trim().to_owned() };
        self.is_on.get().then(|| (self.role, there()))
    }

    pub(super) fn typed_key(&self) -> Option<String> {
        let typed = self.is_on.get_untracked().then(|| self.key.get_untracked());
        typed.filter(|key| !key.trim().is_empty())
    }

    /// Another kind of endpoint: its address is its own.
    fn choose(&self, id: String) {
        self.base_url.set(preset::by_id(&id).map(|preset| preset.base_url.to_owned()).unwrap_or_default());
        self.key.set(String::new());
        self.result.set(None);
        self.preset.set(id);
    }

    fn remove(&self) {
        self.choose("custom".to_owned());
        self.is_on.set(false);
    }
}

/// The endpoints of single roles, and a way to give one to another role.
#[component]
pub(super) fn Places(form: EndpointForm) -> impl IntoView {
    let free = move || form.places.into_iter().filter(|place| !place.is_on.get());
    let add = move |event: leptos::ev::Event| {
        let wanted = event_target_value(&event);
        if let Some(place) = form.places.iter().find(|place| place.role.as_str() == wanted) {
            place.is_on.set(true);
        }
    };
    view! {
        <details class="more" data-testid="settings-elsewhere" open=form.places.iter().any(|place| place.is_on.get_untracked())>
            <summary class="more__head">"Endpoints of single roles"</summary>
            <p class="field__hint">
                "A role can be played elsewhere: a judge beside a model of your own, a small model on this machine that extracts. Its words go there, with the model that is named for it above and a key of its own."
            </p>
            {form.places.into_iter().map(|place| view! {
                <Show when=move || place.is_on.get()>
                    <OnePlace form place />
                </Show>
            }).collect_view()}
            <Show when=move || free().next().is_some()>
                <label class="field">
                    <span class="field__label">"Give a role its own endpoint"</span>
                    <select class="field__input" data-testid="settings-elsewhere-add" prop:value="" on:change=add>
                        <option value="">"Choose a role\u{2026}"</option>
                        {move || free().map(|place| view! {
                            <option value=place.role.as_str()>{role_words(place.role).1}</option>
                        }).collect_view()}
                    </select>
                </label>
            </Show>
        </details>
    }
}

#[component]
fn OnePlace(form: EndpointForm, place: Place) -> impl IntoView {
    let app = App::get();
    let (role, label) = (place.role.as_str(), role_words(place.role).1);
    let id = move |what: &str| format!("settings-{role}-{what}");
    // A key belongs to an origin: it is looked up under the one that the form names.
    let kept = Memo::new(move |_| {
        form.saved.track();
        let there = form.read_tracked()?.at(place.role)?.resolve().ok()?;
        app.connections()?.keys.place(there.base.origin())
    });
    let run = move |_| {
        let there = form.read().and_then(|settings| settings.at(place.role));
        if let (Some(settings), Some(connections)) = (there, app.connections()) {
            test(settings, place.typed_key(), connections.keys, place.result);
        }
    };
    view! {
        <fieldset class="elsewhere" data-testid=id("elsewhere")>
            <legend class="elsewhere__role">{label}</legend>
            <label class="field">
                <span class="field__label">"Endpoint"</span>
                <select
                    class="field__input"
                    data-testid=id("preset")
                    prop:value=place.preset
                    on:change=move |event| place.choose(event_target_value(&event))
                >
                    {preset::all().iter().map(|preset| view! { <option value=preset.id>{preset.label}</option> }).collect_view()}
                </select>
            </label>
            <TextField
                id=id("base-url")
                label="Address"
                value=place.base_url
                kind="url"
                placeholder=Signal::derive(move || place.known().map(|p| p.base_url).filter(|url| !url.is_empty()).unwrap_or("https://host/v1").to_owned())
            />
            <label class="field">
                <span class="field__label">"Key"</span>
                <input
                    class="field__input"
                    type="password"
                    data-testid=id("key")
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    placeholder=move || if kept.get().is_some() { "a key is kept; type to replace it" } else { "only if this server wants one" }
                    prop:value=place.key
                    on:input=move |event| place.key.set(event_target_value(&event))
                />
            </label>
            <div class="acts">
                <button
                    type="button"
                    class="button button--small"
                    data-testid=id("test")
                    disabled=move || place.result.with(|result| *result == Some(TestResult::Running))
                    on:click=run
                >
                    "Test connection"
                </button>
                <button type="button" class="button button--small" data-testid=id("here") on:click=move |_| place.remove()>
                    <Icon glyph=Glyph::Close />
                    "Use the endpoint above"
                </button>
            </div>
            {move || place.result.get().map(|result| {
                let state = match &result {
                    TestResult::Running => "running",
                    TestResult::Ok { .. } => "ok",
                    TestResult::Failed { .. } => "failed",
                };
                view! {
                    <div class=format!("test__result test__result--{state}") role="status" data-testid=id("test-result") data-state=state>
                        {words(result, form.field(place.role))}
                    </div>
                }
            })}
        </fieldset>
    }
}

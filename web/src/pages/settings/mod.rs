//! Who answers, what is kept and where, and how it looks.

mod advanced;
mod data;
mod elsewhere;
mod endpoint;
mod health;
mod history;
mod memories;
mod numbers;
mod properties;

use leptos::prelude::*;

use crate::actions;
use crate::preferences::Theme;
use crate::state::{App, ToastKind};
use data::Data;
use endpoint::{EndpointForm, EndpointSection};
use health::Health;
use history::HistorySection;
use memories::Memories;
use numbers::{Numbers, NumbersSection};

/// The settings page. Endpoint and numbers are one form: nothing is in force before it is saved.
#[component]
pub(crate) fn Settings() -> impl IntoView {
    let app = App::get();
    let endpoint = EndpointForm::new(app);
    let numbers = Numbers::new(app);
    let problem = RwSignal::new(String::new());
    let is_dirty = move || endpoint.is_dirty(app) || numbers.is_dirty(app);
    let save = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let saved = numbers
            .read(app)
            .and_then(|config| actions::data::save(app, endpoint.read(), &endpoint.typed_keys(), config));
        match saved {
            Ok(()) => {
                problem.set(String::new());
                endpoint.clear_keys();
                endpoint.saved.update(|count| *count += 1);
            }
            Err(words) => {
                problem.set(words.clone());
                app.toast(ToastKind::Error, format!("Not saved: {words}"));
            }
        }
    };
    view! {
        <div class="page settings">
            <form class="settings__form" on:submit=save>
                <EndpointSection form=endpoint />
                <NumbersSection form=numbers />
                <div class="settings__save">
                    <button type="submit" class="button button--primary" data-testid="settings-save">"Save"</button>
                    <p class="field__hint" role="status" class:field__hint--problem=move || !problem.with(String::is_empty)>
                        {move || match (problem.get(), is_dirty()) {
                            (words, _) if !words.is_empty() => words,
                            (_, true) => "There are changes that are not in force yet.".to_owned(),
                            _ => "Everything here is in force.".to_owned(),
                        }}
                    </p>
                </div>
            </form>
            <Memories />
            <Data />
            <Health />
            <HistorySection />
            <Appearance />
        </div>
    }
}

#[component]
fn Appearance() -> impl IntoView {
    let app = App::get();
    view! {
        <section class="card" aria-labelledby="settings-look">
            <h2 class="card__title" id="settings-look">"Appearance"</h2>
            <fieldset class="choices">
                <legend class="unseen">"Light or dark"</legend>
                {Theme::ALL
                    .into_iter()
                    .map(|theme| view! {
                        <label class="choices__item">
                            <input
                                type="radio"
                                name="theme"
                                value=theme.as_str()
                                data-testid=format!("settings-theme-{}", theme.as_str())
                                prop:checked=move || app.preferences.with(|p| p.theme == theme)
                                on:change=move |_| {
                                    app.prefer(|p| p.theme = theme);
                                }
                            />
                            <span>{theme.label()}</span>
                        </label>
                    })
                    .collect_view()}
            </fieldset>
        </section>
    }
}

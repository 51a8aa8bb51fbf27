//! The numbers of the memory that a person may want to change, and their own name.

use credence::config::Config;
use leptos::prelude::*;

use super::advanced::{self, Advanced};
use super::properties::Properties;
use crate::components::field::TextField;
use crate::state::App;

/// What the form holds, as typed.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    user_name: RwSignal<String>,
    recall_limit: RwSignal<String>,
    recall_floor: RwSignal<String>,
    history_turns: RwSignal<String>,
    trigger_interval: RwSignal<String>,
    decay_k: RwSignal<String>,
    others: RwSignal<String>,
}

fn whole(text: &str, name: &str) -> Result<u32, String> {
    text.trim().parse().map_err(|_| format!("{name} is a whole number"))
}

fn real(text: &str, name: &str) -> Result<f64, String> {
    text.trim().replace(',', ".").parse().map_err(|_| format!("{name} is a number"))
}

/// The core's words with the names that the form gives to its settings.
fn named(problem: &str) -> String {
    const NAMES: [(&str, &str); 5] = [
        ("recall_limit", "\u{201c}Statements in a prompt\u{201d}"),
        ("recall_floor", "\u{201c}Least confidence\u{201d}"),
        ("history_turns", "\u{201c}Earlier turns in a prompt\u{201d}"),
        ("trigger_interval", "\u{201c}Turns before reading\u{201d}"),
        ("decay_k", "\u{201c}Speed of fading\u{201d}"),
    ];
    NAMES.iter().fold(problem.to_owned(), |words, (own, shown)| words.replace(own, shown))
}

impl Numbers {
    /// What is in force now.
    pub(super) fn new(app: App) -> Self {
        let text = || RwSignal::new(String::new());
        let form = Self {
            user_name: text(),
            recall_limit: text(),
            recall_floor: text(),
            history_turns: text(),
            trigger_interval: text(),
            decay_k: text(),
            others: text(),
        };
        form.fill(&app.preferences.with_untracked(|p| p.config.clone()));
        form
    }

    fn fill(self, config: &Config) {
        self.user_name.set(config.user_name.clone().unwrap_or_default());
        self.recall_limit.set(config.recall_limit.to_string());
        self.recall_floor.set(config.recall_floor.to_string());
        self.history_turns.set(config.history_turns.to_string());
        self.trigger_interval.set(config.trigger_interval.to_string());
        self.decay_k.set(config.decay_k.to_string());
        self.others.set(advanced::shown(config));
    }

    /// What the form holds, where it can be read.
    pub(super) fn config(self, app: App) -> Option<Config> {
        self.parse(app.preferences.with(|p| p.config.clone())).ok()
    }

    /// Puts one property into the form; the error names it, its range and what came.
    pub(super) fn put(self, app: App, name: &str, value: serde_json::Value) -> Result<(), String> {
        let mut config = self.read(app)?;
        config.set_property(name, value)?;
        self.fill(&config);
        Ok(())
    }

    fn parse(self, base: Config) -> Result<Config, String> {
        let name = self.user_name.get().trim().to_owned();
        let base = self.others.with(|text| advanced::read(text, &base))?;
        let config = Config {
            user_name: Some(name).filter(|name| !name.is_empty()),
            recall_limit: whole(&self.recall_limit.get(), "The number of statements in a prompt")?,
            recall_floor: real(&self.recall_floor.get(), "The least confidence")?,
            history_turns: whole(&self.history_turns.get(), "The number of earlier turns")?,
            trigger_interval: whole(&self.trigger_interval.get(), "The number of turns before reading")?,
            decay_k: real(&self.decay_k.get(), "The speed of fading")?,
            ..base
        };
        config.validate().map_err(|problem| named(&problem))?;
        Ok(config)
    }

    /// What the form holds, checked.
    pub(super) fn read(self, app: App) -> Result<Config, String> {
        untrack(|| self.parse(app.preferences.get().config))
    }

    /// Whether it differs from what is in force.
    pub(super) fn is_dirty(self, app: App) -> bool {
        let config = app.preferences.with(|p| p.config.clone());
        self.parse(config.clone()) != Ok(config)
    }
}

/// The section of the form.
#[component]
pub(super) fn NumbersSection(form: Numbers) -> impl IntoView {
    let app = App::get();
    let problem = move || self::problem(form, app);
    view! {
        <section class="card" aria-labelledby="settings-memory">
            <h2 class="card__title" id="settings-memory">"Remembering"</h2>
            <TextField id="settings-user-name" label="Your name" value=form.user_name hint="empty: learned from what you say" />
            <div class="more__grid">
                <TextField id="settings-recall-limit" label="Statements in a prompt" kind="number" value=form.recall_limit hint="0 to 100; pinned ones included" />
                <TextField id="settings-recall-floor" label="Least confidence" kind="number" value=form.recall_floor hint="0 to 1; what is worth less is not recalled" />
                <TextField id="settings-history-turns" label="Earlier turns in a prompt" kind="number" value=form.history_turns hint="0 to 500" />
                <TextField id="settings-trigger-interval" label="Turns before reading" kind="number" value=form.trigger_interval hint="1 to 20; how many wait before they are turned into statements" />
                <TextField id="settings-decay-k" label="Speed of fading" kind="number" value=form.decay_k hint="above 0; 2 halves a statement of decay 0.1 in 3.5 days" />
            </div>
            <Properties form />
            <Advanced text=form.others />
            <p class="field__hint field__hint--problem" role="status">{problem}</p>
        </section>
    }
}

fn problem(form: Numbers, app: App) -> String {
    form.parse(app.preferences.with(|p| p.config.clone())).err().unwrap_or_default()
}

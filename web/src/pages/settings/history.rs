//! How much of history is kept, and making room by dropping what no longer is.

use credence::history::{Actor, Keep};
use credence::memory::HistoryCompaction;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::actions::alone::alone;
use crate::format::{bytes, count, grouped};
use crate::state::{App, Question, ToastKind};

/// What a policy is called in the form.
fn word_of(keep: Keep) -> &'static str {
    match keep {
        Keep::All => "all",
        Keep::Revisions { .. } => "revisions",
        Keep::Days { .. } => "days",
    }
}

/// The section.
#[component]
pub(super) fn HistorySection() -> impl IntoView {
    let app = App::get();
    let kept = app.preferences.with_untracked(|p| p.config.history.keep());
    let (word, number) = (
        RwSignal::new(word_of(kept)),
        RwSignal::new(match kept {
            Keep::All => 90,
            Keep::Revisions { revisions } => revisions,
            Keep::Days { days } => days,
        }),
    );
    let policy = move || match word.get() {
        "revisions" => Keep::Revisions { revisions: number.get() },
        "days" => Keep::Days { days: number.get() },
        _ => Keep::All,
    };
    let found = Memo::new(move |_| {
        app.facts.track();
        app.turns.track();
        let policy = policy();
        app.read(|memory| memory.preview_compaction(policy).map_err(|error| error.to_string()).ok())
    });
    let worth = move || found.get().is_some_and(|found| found.revisions > 0);
    let compact = move |_| {
        let (policy, Some(HistoryCompaction { horizon, revisions, .. })) = (policy(), found.get_untracked())
        else {
            return;
        };
        app.question.set(Some(Question {
            title: "Drop old history?".to_owned(),
            body: format!(
                "{} that were overwritten before change {horizon} are dropped for good. What the memory is now, and every view from that change on, stays as it is; earlier views can no longer be shown, and earlier changes no longer undone.",
                count(usize::try_from(revisions).unwrap_or(usize::MAX), "revision", "revisions"),
            ),
            yes: "Drop it".to_owned(),
            word: None,
            on_yes: Callback::new(move |()| run(app, policy)),
        }));
    };
    view! {
        <section class="card" aria-labelledby="settings-history">
            <h2 class="card__title" id="settings-history">"History"</h2>
            <p class="card__text">"Every change is kept, so that it can be shown and undone. If that takes too much room, old history can go; what is remembered stays."</p>
            <div class="history__policy">
                <label class="field__label" for="history-keep">"Keep"</label>
                <select id="history-keep" class="field__input" data-testid="history-keep" on:change=move |event| {
                    word.set(match event_target_value(&event).as_str() {
                        "revisions" => "revisions",
                        "days" => "days",
                        _ => "all",
                    });
                }>
                    <option value="all" selected=move || word.get() == "all">"all of it"</option>
                    <option value="days" selected=move || word.get() == "days">"the last days"</option>
                    <option value="revisions" selected=move || word.get() == "revisions">"the last revisions"</option>
                </select>
                <Show when=move || word.get() != "all">
                    <input
                        class="field__input history__number"
                        type="number"
                        min="1"
                        aria-label=move || if word.get() == "days" { "Days" } else { "Revisions" }
                        data-testid="history-number"
                        prop:value=move || number.get().to_string()
                        on:input=move |event| {
                            if let Ok(value) = event_target_value(&event).parse() {
                                number.set(value);
                            }
                        }
                    />
                </Show>
            </div>
            <p class="card__text" data-testid="history-worth" data-revisions=move || found.get().map_or(0, |found| found.revisions).to_string()>
                {move || match found.get() {
                    None => "This is out of range.".to_owned(),
                    Some(found) if found.revisions == 0 && found.horizon > 0 => format!("History before change {} was dropped; nothing more would go.", found.horizon),
                    Some(found) if found.revisions == 0 => "Nothing would go.".to_owned(),
                    Some(found) => format!(
                        "{} of {} would go, about {}.",
                        grouped(usize::try_from(found.revisions).unwrap_or(usize::MAX)),
                        count(usize::try_from(found.revisions + found.kept).unwrap_or(usize::MAX), "revision", "revisions"),
                        bytes(found.bytes as f64)
                    ),
                }}
            </p>
            <div class="card__acts">
                <button type="button" class="button button--danger-quiet" data-testid="history-compact" disabled=move || !worth() on:click=compact>"Drop it now"</button>
            </div>
            <p class="field__hint">"To let this happen by itself, set history.keep among the properties."</p>
        </section>
    }
}

fn run(app: App, policy: Keep) {
    let Some(memory) = app.memory() else { return };
    spawn_local(async move {
        let compacted =
            alone(app, &memory, async || memory.compact_history(Actor::Person, policy).await).await;
        let Some(compacted) = compacted else { return };
        match compacted {
            Ok(done) => {
                let words = format!(
                    "{} dropped",
                    count(usize::try_from(done.revisions).unwrap_or(usize::MAX), "revision", "revisions")
                );
                app.toast(ToastKind::Success, words);
            }
            Err(error) => app.fail("History was not compacted", &error),
        }
    });
}

//! How the memory is: when a copy is due, what takes the room, and whether everything that is stored can be read and fits together.

use credence::health::{Due, HealthReport, Severity};
use credence_browser::journal::StoreSize;
use leptos::prelude::*;

use crate::actions;
use crate::actions::backup::Extent;
use crate::components::icon::{Glyph, Icon};
use crate::format::{bytes, count, grouped, sentence};
use crate::state::App;

/// The section.
#[component]
pub(super) fn Health() -> impl IntoView {
    let app = App::get();
    let found = RwSignal::new((None::<Due>, Vec::<StoreSize>::new()));
    let report = RwSignal::new(None::<Result<HealthReport, String>>);
    let busy = RwSignal::new(false);
    Effect::new(move || {
        app.facts.track();
        app.turns.track();
        actions::health::measure(app, found);
    });
    let can_repair = move || report.with(|report| matches!(report, Some(Ok(report)) if report.can_repair()));
    view! {
        <section class="card" aria-labelledby="settings-health">
            <h2 class="card__title" id="settings-health">"Safe and sound"</h2>
            {move || found.with(|(due, _)| due.clone()).map(|due| view! {
                <p class="problem" data-testid="health-due" data-commits=due.commits.to_string()>
                    <Icon glyph=Glyph::Alert />
                    <span>{sentence(&due.words())}". "</span>
                    <button type="button" class="button button--small" on:click=move |_| actions::backup::export(app, Extent::This, false)>"Export"</button>
                </p>
            })}
            <dl class="figures">
                {move || found.with(|(_, sizes)| sizes.clone()).into_iter().map(|size| view! {
                    <div class="figures__item" data-testid="health-store" data-store=size.store data-rows=size.rows.to_string()>
                        <dt>{format!("{}, {}", store_words(size.store), count(usize::try_from(size.rows).unwrap_or(usize::MAX), "row", "rows"))}</dt>
                        <dd>{bytes(size.bytes as f64)}</dd>
                    </div>
                }).collect_view()}
            </dl>
            <div class="card__acts">
                <button type="button" class="button" data-testid="health-check" disabled=busy on:click=move |_| actions::health::check(app, report, busy)>
                    <Icon glyph=Glyph::Eye />
                    {move || if busy.get() { "Looking\u{2026}" } else { "Look for damage" }}
                </button>
                <Show when=can_repair>
                    <button type="button" class="button button--primary" data-testid="health-repair" disabled=busy on:click=move |_| actions::health::repair(app, report, busy)>"Repair what can be repaired"</button>
                </Show>
            </div>
            {move || report.get().map(|report| match report {
                Err(words) => view! { <p class="field__hint field__hint--problem">{sentence(&words)}</p> }.into_any(),
                Ok(report) => view! { <Found report /> }.into_any(),
            })}
        </section>
    }
}

/// A store as a person calls it.
fn store_words(store: &'static str) -> &'static str {
    match store {
        "uses" => "use records",
        "set_aside" => "set aside",
        "meta" => "notes",
        other => other,
    }
}

#[component]
fn Found(report: HealthReport) -> impl IntoView {
    let sound = report.is_sound();
    let words = format!(
        "{}: {} and {} looked at.",
        if sound { "Everything is there and fits together" } else { "Something is wrong" },
        count(report.records, "record", "records"),
        count(report.vectors, "vector", "vectors")
    );
    let rows = report.findings.into_iter().map(|finding| {
        let word = match finding.severity {
            Severity::Note => "note",
            _ => "trouble",
        };
        view! {
            <li class="health__row" data-testid="health-finding" data-severity=word>
                <span><strong>{grouped(finding.count)}</strong>" \u{b7} "{sentence(&finding.words)}</span>
                <span class="health__places">{finding.places.join("; ")}</span>
            </li>
        }
    });
    view! {
        <p class="card__text" role="status" data-testid="health-report" data-sound=sound.to_string()>{words}</p>
        <ul>{rows.collect_view()}</ul>
    }
}

//! Experiments that are kept, the newest first.

use credence_sim::store::ExperimentNote;
use leptos::prelude::*;

use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::state::App;

/// The list.
#[component]
pub(super) fn History() -> impl IntoView {
    let app = App::get();
    let lab = app.experiments;
    let wanted = RwSignal::new(String::new());
    let listed = Memo::new(move |_| {
        let words = wanted.get().to_lowercase();
        lab.kept.with(|kept| {
            let notes = kept.iter().flatten().flat_map(|listing| &listing.notes);
            notes.filter(|note| note.name.to_lowercase().contains(&words)).cloned().collect::<Vec<_>>()
        })
    });
    let some = move || lab.kept.with(|kept| kept.iter().flatten().any(|listing| !listing.notes.is_empty()));
    let broken = move || {
        let broken = lab.kept.with(|kept| {
            kept.iter().flatten().flat_map(|listing| listing.broken.clone()).collect::<Vec<_>>()
        });
        broken
            .into_iter()
            .map(|one| {
                let id = one.id.clone();
                view! {
                    <li class="kept__row" data-testid="lab-broken">
                        <span><strong>{one.id.clone()}</strong>" cannot be read: "{one.why}</span>
                        <button type="button" class="button button--small button--danger-quiet" on:click=move |_| actions::experiment::ask_removal(app, id.clone(), &id)>"Remove"</button>
                    </li>
                }
            })
            .collect_view()
    };
    let state = move || {
        lab.kept.with(|kept| match kept {
            None => Some(view! { <p class="card__none" role="status">"Looking\u{2026}"</p> }.into_any()),
            Some(Err(words)) => Some(view! { <p class="problem" role="alert"><Icon glyph=Glyph::Alert /><span>{format!("What is kept cannot be listed: {words}")}</span></p> }.into_any()),
            Some(Ok(listing)) if listing.notes.is_empty() => Some(view! {
                <div class="empty">
                    <p class="empty__title">"No experiment is kept yet."</p>
                    <p>"An experiment that was played stays here until you remove it."</p>
                </div>
            }.into_any()),
            Some(Ok(_)) => None,
        })
    };
    view! {
        <section aria-label="Kept experiments">
            {state}
            <Show when=some>
                <div class="lab__bar">
                    <input class="field__input" type="search" aria-label="Filter the experiments" placeholder="Filter by name" data-testid="lab-history-filter" prop:value=wanted on:input=move |event| wanted.set(event_target_value(&event)) />
                    <span class="lab__aside" data-testid="lab-history-size">{move || {
                        let bytes: u64 = lab.sizes.with(|sizes| sizes.values().sum());
                        format!("{}, {}", format::count(listed.with(Vec::len), "experiment", "experiments"), format::bytes(bytes as f64))
                    }}</span>
                </div>
                <Show when=move || listed.with(Vec::is_empty)>
                    <p class="card__none">"No experiment fits the filter."</p>
                </Show>
            </Show>
            <ul class="kept">
                {broken}
                {move || listed.get().into_iter().map(|note| view! { <Row note /> }).collect_view()}
            </ul>
        </section>
    }
}

#[component]
fn Row(note: ExperimentNote) -> impl IntoView {
    let app = App::get();
    let [conditions, scenarios, repetitions] = note.sizes.map(|size| size as usize);
    let words = format!(
        "{}, {}, {} each; {}",
        format::count(conditions, "condition", "conditions"),
        format::count(scenarios, "scenario", "scenarios"),
        format::count(repetitions, "run", "runs"),
        format::instant(note.ended)
    );
    let (open, gone, name) = (note.id.clone(), note.id.clone(), note.name.clone());
    let lab = app.experiments;
    let further = note.cancelled.then(|| {
        let id = note.id.clone();
        view! {
            <button type="button" class="button button--small" data-testid="lab-kept-go-on" title="Plays the runs that are missing" disabled=move || lab.busy() on:click=move |_| actions::experiment::go_on(app, id.clone())>"Go on"</button>
        }
    });
    view! {
        <li class="kept__row" data-testid="lab-kept" data-id=note.id.clone()>
            <span class="kept__words">
                <strong>{note.name}</strong>
                {note.cancelled.then(|| view! { <span class="tag tag--struck">"not whole"</span> })}
                <span class="lab__aside">{words}</span>
            </span>
            {note.survival.map(|survival| {
                let class = if survival >= 80.0 { "good" } else if survival >= 50.0 { "fair" } else { "bad" };
                view! { <span class=format!("kept__figure kept__figure--{class}") title="Mean fact survival of all its complete runs">{format!("{survival:.0}\u{202f}%")}<span class="lab__aside">"survived"</span></span> }
            })}
            <span class="kept__acts">
                {further}
                <button type="button" class="button button--small" data-testid="lab-kept-open" on:click=move |_| actions::experiment::open(app, open.clone())>"Open"</button>
                <button type="button" class="button button--small button--danger-quiet" data-testid="lab-kept-remove" on:click=move |_| actions::experiment::ask_removal(app, gone.clone(), &name)>"Remove"</button>
            </span>
        </li>
    }
}

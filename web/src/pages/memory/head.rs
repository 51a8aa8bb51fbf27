//! What the memory holds, in figures.

use leptos::prelude::*;

use crate::format::grouped;
use crate::projection;
use crate::state::App;

/// The figures above the list.
#[component]
pub(super) fn Inspector() -> impl IntoView {
    let app = App::get();
    let counts = Memo::new(move |_| {
        app.facts.track();
        app.turns.track();
        app.analysis.track();
        app.read(projection::counts)
    });
    let figure = |words: &'static str, number: Signal<usize>| {
        view! { <div class="figures__item"><dt>{words}</dt><dd>{move || grouped(number.get())}</dd></div> }
    };
    view! {
        <dl class="figures figures--head" aria-label="What this memory holds">
            {figure("active", Signal::derive(move || counts.get().live))}
            {figure("retired", Signal::derive(move || counts.get().retired))}
            {figure("people and things", Signal::derive(move || counts.get().entities))}
            {figure("turns", Signal::derive(move || counts.get().turns))}
            {figure("commits", Signal::derive(move || usize::try_from(counts.get().commits).unwrap_or(usize::MAX)))}
            <div class="figures__item">
                <dt>"kept in"</dt>
                <dd class="figures__words">{move || if app.volatile.with(Option::is_some) { "this page only" } else { "this browser" }}</dd>
            </div>
        </dl>
    }
}

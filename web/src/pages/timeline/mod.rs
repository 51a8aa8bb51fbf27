//! The timeline: how the memory came to be what it is, commit by commit; what it held after any of them; what lies between two.

mod commit;
mod view;

use credence::history::Cause;
use leptos::prelude::*;

use crate::format;
use crate::projection::{self, CommitRow, cause_label};
use crate::state::App;
use commit::CommitItem;
use view::AtCommit;

/// Commits that are built at once.
const STEP: usize = 40;

/// The page.
#[component]
pub(crate) fn TimelinePage() -> impl IntoView {
    let app = App::get();
    let changed = move || {
        app.facts.track();
        app.turns.track();
        app.analysis.track();
        app.units.track();
    };
    let growth = Memo::new(move |_| {
        changed();
        app.read(projection::growth)
    });
    let cause = RwSignal::new(None::<Cause>);
    let most = RwSignal::new(STEP);
    let listed = Memo::new(move |_| {
        changed();
        app.read(|memory| projection::commits(memory, cause.get(), most.get()))
    });
    let rows = Memo::new(move |_| listed.with(|(rows, _)| rows.clone()));
    let total = Memo::new(move |_| listed.with(|(_, total)| *total));
    view! {
        <div class="page timeline" data-testid="timeline" data-commits=move || growth.with(|g| g.live.len() - 1).to_string()>
            <Show
                when=move || growth.with(|g| g.live.len() > 1)
                fallback=|| view! {
                    <div class="empty">
                        <p class="empty__title">"Nothing has happened yet."</p>
                        <p>"Every change of the memory is listed here with who made it and why, and can be taken back."</p>
                    </div>
                }
            >
                <AtCommit growth />
                <section aria-labelledby="timeline-commits">
                    <header class="timeline__head">
                        <h2 class="section__title" id="timeline-commits">"Every change"</h2>
                        <select
                            class="field__input timeline__cause"
                            data-testid="timeline-cause"
                            aria-label="Which changes"
                            on:change=move |event| {
                                let word = event_target_value(&event);
                                cause.set(growth.with_untracked(|g| g.causes.keys().copied().find(|c| c.as_str() == word)));
                                most.set(STEP);
                            }
                        >
                            <option value="">"all changes"</option>
                            {move || growth.with(|g| g.causes.iter().map(|(cause, count)| view! {
                                <option value=cause.as_str()>{format!("{} ({})", cause_label(*cause), format::grouped(*count))}</option>
                            }).collect_view())}
                        </select>
                    </header>
                    <ol class="commits" data-testid="commits" data-count=move || total.get().to_string()>
                        <For each=move || rows.get() key=|row: &CommitRow| (row.seq, row.undone) let(row)>
                            <CommitItem row />
                        </For>
                    </ol>
                    <Show when=move || rows.with(Vec::len) < total.get()>
                        <button type="button" class="button memory__more" on:click=move |_| most.update(|most| *most += STEP)>
                            {move || format!("Show {} more", format::grouped(STEP.min(total.get() - rows.with(Vec::len))))}
                        </button>
                    </Show>
                </section>
            </Show>
        </div>
    }
}

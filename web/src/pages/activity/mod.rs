//! What Credence does in the background, so that a person can see it and act on it: what waits to be read, what was decided
//! in each window and why, and the sums.

pub(crate) mod decide;
mod figures;
mod promotion;
mod sweep;
mod tidy;
mod waiting;
mod window;

use leptos::prelude::*;

use crate::format;
use crate::projection::{self, WindowRow};
use crate::state::App;
use decide::Decide;
use figures::Figures;
use promotion::Promotions;
use sweep::Sweeps;
use tidy::Tidy;
use waiting::WaitingList;
use window::WindowItem;

/// Windows that are built at once.
const STEP: usize = 20;

/// The activity page.
#[component]
pub(crate) fn ActivityPage() -> impl IntoView {
    view! {
        <div class="page activity">
            <Decide />
            <WaitingList />
            <Figures />
            <Promotions />
            <Windows />
            <Sweeps />
            <Tidy />
        </div>
    }
}

/// The windows, newest first.
#[component]
fn Windows() -> impl IntoView {
    let app = App::get();
    let most = RwSignal::new(STEP);
    let listed = Memo::new(move |_| {
        app.analysis.track();
        app.facts.track();
        app.read(|memory| projection::windows(memory, most.get()))
    });
    let rows = Memo::new(move |_| listed.with(|(rows, _)| rows.clone()));
    let total = Memo::new(move |_| listed.with(|(_, total)| *total));
    view! {
        <section aria-labelledby="activity-windows">
            <h2 class="section__title" id="activity-windows">"What was read, and what came of it"</h2>
            <Show when=move || total.get() == 0>
                <div class="empty">
                    <p class="empty__title">"Nothing was read yet."</p>
                    <p>"Each part of a conversation that Credence reads is listed here, with every decision and its reason."</p>
                </div>
            </Show>
            <ol class="windows" data-testid="windows" data-count=move || total.get().to_string()>
                <For each=move || rows.get() key=|row: &WindowRow| (row.id, row.undone, row.title.clone()) let(row)>
                    <WindowItem row />
                </For>
            </ol>
            <Show when=move || rows.with(Vec::len) < total.get()>
                <button type="button" class="button memory__more" on:click=move |_| most.update(|most| *most += STEP)>
                    {move || format!("Show {} more", format::grouped(STEP.min(total.get() - rows.with(Vec::len))))}
                </button>
            </Show>
        </section>
    }
}

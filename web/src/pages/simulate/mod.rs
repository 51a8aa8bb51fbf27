//! Simulate: a story in which facts are told and then attacked, played against a memory of its own, watched turn by turn.

mod controls;
mod entities;
mod inspect;
mod inspector;
mod knowledge;
mod lives;
mod manipulate;
mod questions;
mod results;
mod talk;
mod units;
pub(crate) mod watched;

use credence_sim::engine::Phase;
use leptos::prelude::*;

use crate::state::App;
use controls::Controls;
pub(crate) use inspector::Inspector;
pub(crate) use knowledge::Knowledge;
pub(crate) use lives::Track;
pub(crate) use manipulate::Done;
use manipulate::Manipulate;
pub(crate) use results::{Came, shown};
use results::{Details, Results, Runs};
pub(crate) use talk::{Talk, badge, kind_word};
use watched::Watched;

/// What stands beside the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tab {
    Details,
    Inspector,
    Knowledge,
    Manipulate,
    Results,
    Runs,
}

impl Tab {
    const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Details, "details", "Details"),
        (Self::Inspector, "inspector", "Turn"),
        (Self::Knowledge, "knowledge", "Memory"),
        (Self::Manipulate, "manipulate", "Act"),
        (Self::Results, "results", "Results"),
        (Self::Runs, "runs", "Runs"),
    ];
}

/// The page.
#[component]
pub(crate) fn SimulatePage() -> impl IntoView {
    let app = App::get();
    let sim = app.simulation;
    if sim.scenario.with_untracked(String::is_empty)
        && let Some(first) = sim.scenarios().first()
    {
        crate::actions::simulate::choose(app, &first.id);
    }
    let tab = RwSignal::new(Tab::Details);
    let watched = Watched::playing(app);
    // Somebody wants to see a statement in the memory of the run.
    Effect::new(move || {
        if watched.sought.with(Option::is_some) {
            tab.set(Tab::Knowledge);
        }
    });
    // Each state begins where one would look.
    Effect::new(move |before: Option<Phase>| {
        let phase = sim.phase.get();
        if before.is_some_and(|before| before != phase) {
            tab.set(match phase {
                Phase::Running => Tab::Inspector,
                Phase::Paused => Tab::Manipulate,
                Phase::Completed => Tab::Results,
                Phase::Idle => Tab::Details,
            });
        }
        phase
    });
    let shown = move |which: Tab| which != Tab::Manipulate || sim.phase.get() == Phase::Paused;
    view! {
        <div class="simulate" data-testid="simulate" data-phase=move || phase_word(sim.phase.get())>
            <Controls />
            <div class="simulate__split">
                <section class="simulate__talk" aria-label="Conversation">
                    <Track watched />
                    <Talk watched scenario=sim.scenario />
                </section>
                <section class="simulate__beside" aria-label="Beside the conversation">
                    <div class="tabs" role="tablist">
                        {Tab::ALL.map(|(which, testid, label)| view! {
                            <Show when=move || shown(which)>
                                <button
                                    type="button"
                                    role="tab"
                                    class="tabs__tab"
                                    data-testid=format!("sim-tab-{testid}")
                                    aria-selected=move || (tab.get() == which).to_string()
                                    on:click=move |_| tab.set(which)
                                >
                                    {label}
                                </button>
                            </Show>
                        }).collect_view()}
                    </div>
                    <div class="simulate__panel" role="tabpanel">
                        {move || match tab.get() {
                            Tab::Details => view! { <Details /> }.into_any(),
                            Tab::Inspector => view! { <Inspector watched follows=true /> }.into_any(),
                            Tab::Knowledge => view! { <Knowledge watched /> }.into_any(),
                            Tab::Manipulate => view! { <Manipulate watched /> }.into_any(),
                            Tab::Results => view! { <Results /> }.into_any(),
                            Tab::Runs => view! { <Runs /> }.into_any(),
                        }}
                    </div>
                </section>
            </div>
        </div>
    }
}

/// A state as checks and styles name it.
fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Idle => "idle",
        Phase::Running => "running",
        Phase::Paused => "paused",
        Phase::Completed => "completed",
    }
}

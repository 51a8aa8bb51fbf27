//! What a person does to the memory while the run is paused. Each act is the engine's and is recorded with the run, refused ones too.

use credence::id::PropositionId;
use credence::unit::{Authority, Standing, UnitView};
use credence_sim::engine::Manipulation;
use credence_sim::run::Intervention;
use leptos::prelude::*;

use super::questions::Questions;
use super::watched::Watched;
use crate::actions;
use crate::components::unit::{ActivationBar, AuthorityBadge};
use crate::projection::standing_words;
use crate::run_memory::Look;
use crate::state::App;

/// The acts.
#[component]
pub(super) fn Manipulate(watched: Watched) -> impl IntoView {
    let app = App::get();
    let sim = app.simulation;
    let look = Look::at(app, watched);
    let text = RwSignal::new(String::new());
    let add = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let words = text.get_untracked();
        if !words.trim().is_empty() {
            actions::simulate::act(app, Manipulation::Add { text: words.trim().to_owned() });
            text.set(String::new());
        }
    };
    let asleep = Memo::new(move |_| {
        look.read(|memory| {
            let gone: Vec<PropositionId> = memory
                .state()
                .units()
                .filter(|unit| !unit.is_active())
                .map(|unit| unit.proposition)
                .collect();
            gone.into_iter().filter_map(|id| memory.unit(id)).collect::<Vec<UnitView>>()
        })
    });
    let waiting = Memo::new(move |_| look.read(|memory| memory.inbox().len()));
    view! {
        <p class="inspect__line">"The run waits. What you do here is recorded with it."</p>
        <form class="remember" on:submit=add>
            <label class="unseen" for="sim-add">"A statement to add"</label>
            <input id="sim-add" class="field__input" type="text" autocomplete="off" placeholder="A statement to add" data-testid="sim-add" prop:value=text on:input=move |event| text.set(event_target_value(&event)) />
            <button type="submit" class="button" disabled=move || text.with(|text| text.trim().is_empty())>"Add"</button>
        </form>
        <Show when=move || waiting.get() != 0>
            <h3 class="inspect__title">"What stands against each other"</h3>
            <Questions look watched />
        </Show>
        <h3 class="inspect__title">"In force"</h3>
        <ul class="inspect__list" data-testid="sim-units" data-count=move || sim.units.with(Vec::len).to_string()>
            <For each=move || sim.units.get() key=key let(unit)>
                <Unit unit />
            </For>
        </ul>
        <Show when=move || asleep.with(|rows| !rows.is_empty())>
            <h3 class="inspect__title">"Asleep or archived"</h3>
            <ul class="inspect__list" data-testid="sim-asleep" data-count=move || asleep.with(Vec::len).to_string()>
                <For each=move || asleep.get() key=key let(unit)>
                    <Sleeper unit />
                </For>
            </ul>
        </Show>
        {move || {
            let done = sim.interventions.get();
            let many = done.len();
            (many > 0).then(|| view! {
                <h3 class="inspect__title">"Done so far"</h3>
                <Done done />
            })
        }}
    }
}

/// What makes it another row.
fn key(unit: &UnitView) -> (PropositionId, String, u16, Authority, bool) {
    (unit.id(), unit.proposition.text.clone(), unit.activation.get(), unit.authority, unit.proposition.pinned)
}

/// Acts that were done, the newest first.
#[component]
pub(crate) fn Done(done: Vec<Intervention>) -> impl IntoView {
    let many = done.len();
    view! {
        <ul class="inspect__list" data-testid="sim-interventions" data-count=many.to_string()>
            {done.into_iter().rev().map(|one| view! {
                <li class="inspect__unit" data-testid="sim-intervention" data-refused=one.refused.is_some().to_string()>
                    <span>{format!("Before turn {}: {}", one.turn, one.what)}</span>
                    {one.refused.clone().map(|why| view! { <span class="inspect__line"><span class="verdict verdict--bad">"refused"</span>{format!(" {why}")}</span> })}
                    {one.met.into_iter().map(|rule| view! { <span class="inspect__line">{format!("Rule {}: {}", rule.rule, rule.words)}</span> }).collect_view()}
                </li>
            }).collect_view()}
        </ul>
    }
}

#[component]
fn Unit(unit: UnitView) -> impl IntoView {
    let app = App::get();
    let (id, pinned, canon) = (unit.id(), unit.proposition.pinned, unit.authority == Authority::Canon);
    let button = move |words: &'static str, testid: &'static str, act: Manipulation| {
        view! { <button type="button" class="button button--small" data-testid=testid on:click=move |_| actions::simulate::act(app, act.clone())>{words}</button> }
    };
    let was = StoredValue::new(unit.proposition.text.clone());
    let draft = RwSignal::new(None::<String>);
    let level = RwSignal::new(unit.activation.get());
    let reword = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let Some(text) = draft.get_untracked().map(|text| text.trim().to_owned()) else { return };
        if !text.is_empty() && was.with_value(|was| *was != text) {
            actions::simulate::act(app, Manipulation::Edit { id, text });
        }
        draft.set(None);
    };
    let set = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let activation = level.get_untracked();
        actions::simulate::act(app, Manipulation::SetActivation { id, activation });
    };
    view! {
        <li class="inspect__unit" data-testid="sim-act-unit">
            <span class="inspect__badges"><AuthorityBadge authority=unit.authority /><ActivationBar activation=unit.activation.get() tier=unit.tier marks=(350, 600) />{pinned.then(|| view! { <span class="tag tag--pin">"pinned"</span> })}</span>
            {move || match draft.get() {
                None => view! { <span>{was.get_value()}</span> }.into_any(),
                Some(_) => view! {
                    <form class="remember" on:submit=reword>
                        <input class="field__input" type="text" autocomplete="off" aria-label="What it is to say" data-testid="sim-act-text" prop:value=move || draft.get().unwrap_or_default() on:change=move |event| draft.set(Some(event_target_value(&event))) on:input=move |event| { draft.try_update_untracked(|draft| *draft = Some(event_target_value(&event))); } />
                        <button type="submit" class="button button--small" data-testid="sim-act-text-save">"Save"</button>
                        <button type="button" class="button button--small" on:click=move |_| draft.set(None)>"Cancel"</button>
                    </form>
                }.into_any(),
            }}
            <form class="inspect__acts" on:submit=set>
                <label class="knowledge__activation">
                    <span>"Activation"</span>
                    <input class="field__input" type="number" min="100" max="900" step="50" data-testid="sim-act-activation" prop:value=level.get_untracked().to_string() on:input=move |event| level.set(event_target_value(&event).parse().unwrap_or(500).clamp(100, 900)) />
                </label>
                <button type="submit" class="button button--small" data-testid="sim-act-activate">"Set"</button>
            </form>
            <span class="inspect__acts">
                <button type="button" class="button button--small" data-testid="sim-act-edit" on:click=move |_| draft.set(Some(was.get_value()))>"Edit"</button>
                {button("Confirm", "sim-act-confirm", Manipulation::Confirm { id })}
                {button(if pinned { "Unpin" } else { "Pin" }, "sim-act-pin", Manipulation::Pin { id, pinned: !pinned })}
                {button(if canon { "Take CANON back" } else { "Lower" }, "sim-act-demote", Manipulation::Demote { id })}
                {(!canon).then(|| button("Make CANON", "sim-act-canon", Manipulation::Canonize { id }))}
                {button("Take out", "sim-act-archive", Manipulation::Archive { id })}
                {button("Forget", "sim-act-forget", Manipulation::Forget { id })}
            </span>
        </li>
    }
}

/// A unit that is not in force.
#[component]
fn Sleeper(unit: UnitView) -> impl IntoView {
    let app = App::get();
    let id = unit.id();
    let why = standing_words(unit.unit.standing()).unwrap_or_default();
    let wakes = matches!(unit.unit.standing(), Standing::Dormant { .. } | Standing::Archived { .. });
    view! {
        <li class="inspect__unit" data-testid="sim-act-sleeper">
            <span class="inspect__badges"><AuthorityBadge authority=unit.authority /><span class="tag tag--struck">{why}</span></span>
            <span>{unit.proposition.text.clone()}</span>
            {wakes.then(|| view! {
                <span class="inspect__acts">
                    <button type="button" class="button button--small" data-testid="sim-act-wake" on:click=move |_| actions::simulate::act(app, Manipulation::Revive { id })>"Wake"</button>
                </span>
            })}
        </li>
    }
}

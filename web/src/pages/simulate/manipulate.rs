//! What a person does to the memory while the run is paused. Each act is recorded with the run.

use credence::unit::UnitView;
use credence_sim::engine::Manipulation;
use leptos::prelude::*;

use crate::actions;
use crate::components::unit::{ActivationBar, AuthorityBadge};
use crate::state::App;

/// The acts.
#[component]
pub(super) fn Manipulate() -> impl IntoView {
    let app = App::get();
    let sim = app.simulation;
    let text = RwSignal::new(String::new());
    let add = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let words = text.get_untracked();
        if !words.trim().is_empty() {
            actions::simulate::act(app, Manipulation::Add { text: words.trim().to_owned() });
            text.set(String::new());
        }
    };
    view! {
        <p class="inspect__line">"The run waits. What you do here is recorded with it."</p>
        <form class="remember" on:submit=add>
            <label class="unseen" for="sim-add">"A statement to add"</label>
            <input id="sim-add" class="field__input" type="text" autocomplete="off" placeholder="A statement to add" data-testid="sim-add" prop:value=text on:input=move |event| text.set(event_target_value(&event)) />
            <button type="submit" class="button" disabled=move || text.with(|text| text.trim().is_empty())>"Add"</button>
        </form>
        <ul class="inspect__list" data-testid="sim-units" data-count=move || sim.units.with(Vec::len).to_string()>
            {move || sim.units.get().into_iter().map(|unit| view! { <Unit unit /> }).collect_view()}
        </ul>
        {move || {
            let done = sim.interventions.get();
            let many = done.len();
            (many > 0).then(|| view! {
                <h3 class="inspect__title">"Done so far"</h3>
                <ul class="inspect__list" data-testid="sim-interventions" data-count=many.to_string()>
                    {done.into_iter().map(|one| view! {
                        <li class="inspect__unit">
                            <span>{format!("{} ({})", one.what, one.target)}</span>
                            {one.refused.map(|why| view! { <span class="inspect__line">{format!("Refused: {why}")}</span> })}
                        </li>
                    }).collect_view()}
                </ul>
            })
        }}
    }
}

#[component]
fn Unit(unit: UnitView) -> impl IntoView {
    let app = App::get();
    let (id, pinned) = (unit.id(), unit.proposition.pinned);
    let button = move |words: &'static str, testid: &'static str, act: Manipulation| {
        view! { <button type="button" class="button button--small" data-testid=testid on:click=move |_| actions::simulate::act(app, act.clone())>{words}</button> }
    };
    view! {
        <li class="inspect__unit">
            <span class="inspect__badges"><AuthorityBadge authority=unit.authority /><ActivationBar activation=unit.activation.get() tier=unit.tier marks=(350, 600) /></span>
            <span>{unit.proposition.text.clone()}</span>
            <span class="inspect__acts">
                {button("Confirm", "sim-act-confirm", Manipulation::Confirm { id })}
                {button(if pinned { "Unpin" } else { "Pin" }, "sim-act-pin", Manipulation::Pin { id, pinned: !pinned })}
                {button("Lower", "sim-act-demote", Manipulation::Demote { id })}
                {button("Make CANON", "sim-act-canon", Manipulation::Canonize { id })}
                {button("Take out", "sim-act-archive", Manipulation::Archive { id })}
                {button("Forget", "sim-act-forget", Manipulation::Forget { id })}
            </span>
        </li>
    }
}

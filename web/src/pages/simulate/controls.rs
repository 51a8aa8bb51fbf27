//! What is played: scenario, condition, narrator, seed, turns; and leading the run.

use std::collections::BTreeSet;

use credence_sim::engine::Phase;
use credence_sim::run::Condition;
use credence_sim::scenario::display;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::simulation::Narrating;
use crate::state::{App, ModelState};

const NARRATORS: [(Narrating, &str, &str); 3] = [
    (Narrating::Simulated, "simulated", "Simulated narrator (a model of nothing real)"),
    (Narrating::Scripted, "scripted", "The scenario's own replies"),
    (Narrating::Model, "model", "The model of the settings"),
];

/// The head of the page.
#[component]
pub(super) fn Controls() -> impl IntoView {
    let app = App::get();
    let sim = app.simulation;
    let category = RwSignal::new(String::new());
    let problems = RwSignal::new(Vec::<String>::new());
    let all = Memo::new(move |_| {
        sim.scenarios()
            .into_iter()
            .map(|one| (one.id.clone(), one.category.clone(), display::title(&one)))
            .collect::<Vec<_>>()
    });
    let categories =
        move || all.with(|all| all.iter().map(|(_, category, _)| category.clone()).collect::<BTreeSet<_>>());
    let listed = move || {
        let wanted = category.get();
        let mut rows: Vec<(String, String)> = all.with(|all| {
            let fits = all.iter().filter(|(_, category, _)| wanted.is_empty() || *category == wanted);
            fits.map(|(id, _, title)| (id.clone(), title.clone())).collect()
        });
        rows.sort_by(|a, b| a.1.cmp(&b.1));
        rows
    };
    let busy = move || matches!(sim.phase.get(), Phase::Running | Phase::Paused);
    let connected = move || app.model.with(|model| *model != ModelState::BuiltIn);
    let number = move |signal: RwSignal<u32>| {
        move |event: web_sys::Event| {
            if let Ok(value) = event_target_value(&event).parse() {
                signal.set(value);
            }
        }
    };
    let chosen = move |event: web_sys::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        if let Some(file) = input.and_then(|input| input.files()).and_then(|files| files.get(0)) {
            actions::simulate::open(app, file, problems);
        }
    };
    let status = move || {
        let asked = sim.asked.get();
        match (sim.phase.get(), sim.wish.get(), asked) {
            (_, Some("stopping"), _) => "Stopping at the end of this turn\u{2026}".to_owned(),
            (_, Some(_), _) => "Pausing at the end of this turn\u{2026}".to_owned(),
            (Phase::Paused, ..) => format!(
                "Paused after turn {}",
                sim.played.with(|played| played.last().map_or(0, |turn| turn.turn))
            ),
            (Phase::Running, _, Some(asked)) if asked.text.is_empty() => {
                format!("Turn {} of {}: the narrator thinks", asked.turn, asked.of)
            }
            (Phase::Running, _, Some(asked)) => {
                format!("Turn {} of {}: judged and read", asked.turn, asked.of)
            }
            (Phase::Running, ..) => "Making the memory ready\u{2026}".to_owned(),
            (Phase::Completed, ..) => "Over".to_owned(),
            _ => "Nothing plays".to_owned(),
        }
    };
    let progress = move || sim.played.with(|played| played.iter().filter(|turn| turn.turn > 0).count());
    view! {
        <section class="simulate__controls" aria-label="What is played">
            <div class="simulate__fields">
                <label class="field">
                    <span class="field__label">"Category"</span>
                    <select class="field__input" data-testid="sim-category" disabled=busy on:change=move |event| category.set(event_target_value(&event))>
                        <option value="">"all"</option>
                        {move || categories().into_iter().map(|word| view! { <option value=word.clone()>{word.clone()}</option> }).collect_view()}
                    </select>
                </label>
                <label class="field simulate__scenario">
                    <span class="field__label">"Scenario"</span>
                    <select class="field__input" data-testid="sim-scenario" disabled=busy on:change=move |event| actions::simulate::choose(app, &event_target_value(&event))>
                        {move || listed().into_iter().map(|(id, title)| {
                            let is_chosen = sim.scenario.with(|chosen| *chosen == id);
                            view! { <option value=id.clone() selected=is_chosen>{title}</option> }
                        }).collect_view()}
                    </select>
                </label>
                <label class="field">
                    <span class="field__label">"Condition"</span>
                    <select class="field__input" data-testid="sim-condition" disabled=busy on:change=move |event| {
                        let word = event_target_value(&event);
                        if let Some(name) = Condition::NAMES.into_iter().find(|name| *name == word) {
                            sim.condition.set(name);
                        }
                    }>
                        {Condition::NAMES.map(|name| view! { <option value=name selected=move || sim.condition.get() == name>{name.to_lowercase().replace('_', " ")}</option> }).collect_view()}
                    </select>
                </label>
                <label class="field simulate__narrator">
                    <span class="field__label">"Narrator"</span>
                    <select class="field__input" data-testid="sim-narrator" disabled=busy on:change=move |event| {
                        let word = event_target_value(&event);
                        if let Some((which, ..)) = NARRATORS.iter().find(|(_, known, _)| *known == word) {
                            sim.narrating.set(*which);
                        }
                    }>
                        {NARRATORS.map(|(which, word, label)| view! {
                            <option value=word selected=move || sim.narrating.get() == which disabled=move || which == Narrating::Model && !connected()>{label}</option>
                        }).collect_view()}
                    </select>
                </label>
                <label class="field simulate__number">
                    <span class="field__label">"Turns"</span>
                    <input class="field__input" type="number" min="1" max="200" data-testid="sim-turns" disabled=busy prop:value=move || sim.turns.get().to_string() on:input=number(sim.turns) />
                </label>
                <label class="field simulate__number">
                    <span class="field__label">"Seed"</span>
                    <input class="field__input" type="number" min="0" data-testid="sim-seed" disabled=busy prop:value=move || sim.seed.get().to_string() on:input=move |event| {
                        if let Ok(value) = event_target_value(&event).parse() {
                            sim.seed.set(value);
                        }
                    } />
                </label>
                <label class="field simulate__number">
                    <span class="field__label">"Token limit"</span>
                    <input class="field__input" type="number" min="0" max="5000" data-testid="sim-budget" title="0: no limit" disabled=busy prop:value=move || sim.budget.get().to_string() on:input=number(sim.budget) />
                </label>
            </div>
            <Show when=move || sim.narrating.get() == Narrating::Model>
                <label class="choices__item simulate__models">
                    <input type="checkbox" data-testid="sim-own-models" disabled=busy prop:checked=sim.own_models on:change=move |event| sim.own_models.set(event_target_checked(&event)) />
                    "The models that the scenario names, where it names any"
                </label>
            </Show>
            <div data-testid="sim-not-applied" role="status">
                {move || actions::simulate::not_applied(app).into_iter().map(|words| view! { <p class="field__hint">{format!("Not applied: {words}.")}</p> }).collect_view()}
            </div>
            <div class="simulate__acts">
                <Show when=move || !busy()>
                    <button type="button" class="button button--primary" data-testid="sim-run" on:click=move |_| actions::simulate::run(app)>"Run"</button>
                </Show>
                <Show when=move || sim.phase.get() == Phase::Running>
                    <button type="button" class="button" data-testid="sim-pause" disabled=move || sim.wish.with(Option::is_some) on:click=move |_| actions::simulate::pause(app)>"Pause"</button>
                </Show>
                <Show when=move || sim.phase.get() == Phase::Paused>
                    <button type="button" class="button button--primary" data-testid="sim-resume" on:click=move |_| actions::simulate::resume(app)>"Go on"</button>
                </Show>
                <Show when=busy>
                    <button type="button" class="button button--danger-quiet" data-testid="sim-stop" disabled=move || sim.wish.get() == Some("stopping") on:click=move |_| actions::simulate::stop(app)>
                        <Icon glyph=Glyph::Stop />
                        "Stop"
                    </button>
                </Show>
                <label class="choices__item">
                    <input type="checkbox" data-testid="sim-injection" prop:checked=sim.injection on:change=move |event| actions::simulate::inject(app, event_target_checked(&event)) />
                    "working set in prompts"
                </label>
                <progress class="progress simulate__progress" data-testid="sim-progress" max=move || sim.turns.get().to_string() value=move || progress().to_string()></progress>
                <span class="simulate__status" role="status" data-testid="sim-status">{status}</span>
                <label class="button button--small simulate__open">
                    <Icon glyph=Glyph::Import />
                    "Open a scenario or a run"
                    <input class="unseen" type="file" accept=".yml,.yaml,.json,application/json,application/yaml" data-testid="sim-file" on:change=chosen />
                </label>
            </div>
            {move || {
                let all = problems.get();
                let many = all.len();
                (many > 0).then(|| view! {
                    <details class="simulate__problems" open=true data-testid="sim-problems" data-count=many.to_string()>
                        <summary>"What the file says that cannot be used, or is not applied"</summary>
                        <ul>{all.into_iter().map(|words| view! { <li>{words}</li> }).collect_view()}</ul>
                    </details>
                })
            }}
            {move || sim.problem.get().map(|words| view! { <p class="problem" role="alert" data-testid="sim-problem"><Icon glyph=Glyph::Alert /><span>{crate::format::sentence(&words)}</span></p> })}
        </section>
    }
}

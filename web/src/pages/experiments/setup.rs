//! What is to be played: conditions, scenarios, repetitions, who narrates, what counts; and what it will take, before it begins.

use std::collections::BTreeSet;

use credence_sim::engine::OPTIONS;
use credence_sim::metrics::{Better, NAMES};
use credence_sim::run::Condition;
use credence_sim::scenario::display;
use leptos::prelude::*;

use super::said;
use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::simulation::Narrating;
use crate::state::{App, ModelState};

/// Conditions in groups, each with what it does differently.
const GROUPS: [(&str, &[(&str, &str)]); 3] = [
    (
        "The product, and the product less one part",
        &[
            ("FULL_AWMU", "everything on"),
            ("NO_AWMU", "memory is kept, but not in the prompt"),
            ("FLAT_AUTHORITY", "every seed begins reliable, and nothing rises"),
            ("NO_RANK_DIFFERENTIATION", "every seed begins with the same activation, and none moves"),
            ("NO_TRUST", "sources are not weighed"),
            ("NO_COMPLIANCE", "answers are not checked"),
            ("NO_LIFECYCLE", "nothing is reinforced, swept or falls asleep"),
        ],
    ),
    (
        "What it is compared with",
        &[
            ("NO_MEMORY", "the last turns alone"),
            ("STATIC_LIST", "a list that only grows"),
            ("FULL_HISTORY", "every turn in the prompt"),
            ("RETRIEVAL_ONLY", "statements found for the question"),
        ],
    ),
    ("A control", &[("GOVERNED_AGAIN", "the product once more: what differs is chance")]),
];

/// The form.
#[component]
pub(super) fn Setup() -> impl IntoView {
    let app = App::get();
    let lab = app.experiments;
    let plan = Memo::new(move |_| lab.plan(app));
    let connected = move || app.model.with(|model| *model != ModelState::BuiltIn);
    let by_model = move || lab.narrating.get() == Narrating::Model;
    view! {
        <form class="lab" data-testid="lab-setup" on:submit=move |event| {
            event.prevent_default();
            actions::experiment::start(app);
        }>
            <div class="lab__columns">
                <div>
                    <label class="field">
                        <span class="field__label">"Name"</span>
                        <input class="field__input" type="text" autocomplete="off" placeholder="What is asked: does the product hold more than no memory?" data-testid="lab-name" prop:value=lab.name on:input=move |event| lab.name.set(event_target_value(&event)) />
                    </label>
                    <Conditions />
                </div>
                <Scenarios />
            </div>
            <fieldset class="lab__part">
                <legend class="lab__legend">"How it is played"</legend>
                <div class="lab__fields">
                    <Number label="Repetitions" testid="lab-repetitions" value=lab.repetitions least=2 most=100 hint="of each condition and scenario" />
                    <label class="field">
                        <span class="field__label">"Seed"</span>
                        <input class="field__input" type="number" min="0" data-testid="lab-seed" prop:value=move || lab.seed.get().to_string() on:input=move |event| {
                            if let Ok(value) = event_target_value(&event).parse() {
                                lab.seed.set(value);
                            }
                        } />
                        <span class="field__hint">"everything random follows from it"</span>
                    </label>
                    <Number label="Turns" testid="lab-turns" value=lab.turns least=0 most=200 hint="0: as many as each scenario says" />
                    <Number label="Token limit" testid="lab-budget" value=lab.budget least=0 most=5000 hint="of memory in a prompt; 0: none" />
                    <label class="field lab__wide">
                        <span class="field__label">"Narrator"</span>
                        <select class="field__input" data-testid="lab-narrator" on:change=move |event| lab.narrating.set(match event_target_value(&event).as_str() {
                            "model" => Narrating::Model,
                            "scripted" => Narrating::Scripted,
                            _ => Narrating::Simulated,
                        })>
                            <option value="simulated" selected=move || lab.narrating.get() == Narrating::Simulated>"Simulated (a model of nothing real)"</option>
                            <option value="scripted" selected=move || lab.narrating.get() == Narrating::Scripted>"The scenarios' own replies"</option>
                            <option value="model" selected=by_model disabled=move || !connected()>"The model of the settings"</option>
                        </select>
                        <Show when=move || !connected()>
                            <span class="field__hint">"A model can be connected under Settings."</span>
                        </Show>
                    </label>
                    <label class="field lab__wide">
                        <span class="field__label">"Whose verdicts count"</span>
                        <select class="field__input" data-testid="lab-judge" on:change=move |event| lab.judged_by.set(if event_target_value(&event) == "model" { "model" } else { "oracle" })>
                            <option value="oracle" selected=move || lab.judged_by.get() == "oracle">"The oracle's: each scenario's patterns"</option>
                            <option value="model" selected=move || lab.judged_by.get() == "model" disabled=move || !by_model()>"The judging model's"</option>
                        </select>
                    </label>
                </div>
                <details class="lab__more">
                    <summary>"Options of the runs"</summary>
                    <div class="lab__fields">
                        {OPTIONS.map(|(name, words)| view! {
                            <label class="field">
                                <span class="field__label">{name.replace('-', " ")}</span>
                                <select class="field__input" data-testid=format!("lab-option-{name}") on:change=move |event| {
                                    let word = event_target_value(&event);
                                    lab.options.update(|options| {
                                        if word == words[0] { options.remove(name); } else { options.insert(name.to_owned(), word); }
                                    });
                                }>
                                    {words.map(|word| view! { <option value=word selected=move || lab.options.with(|options| options.get(name).map_or(word == words[0], |said| said == word))>{word}</option> })}
                                </select>
                            </label>
                        })}
                    </div>
                </details>
            </fieldset>
            <Primary />
            <footer class="lab__foot">
                <p class="lab__plan" role="status" data-testid="lab-plan" data-runs=move || plan.with(|(_, plan)| plan.runs.to_string()) data-calls=move || plan.with(|(_, plan)| plan.all_calls().to_string())>
                    {move || plan.with(|(_, plan)| plan_words(plan, &lab.repetitions.get()))}
                </p>
                // What has yet to be chosen is no mistake of whoever chooses.
                {move || plan.with(|(problems, plan)| (!problems.is_empty()).then(|| view! {
                    <ul class="lab__wrong" class:lab__wrong--open=plan.runs == 0 data-testid="lab-wrong">{problems.iter().map(|words| view! { <li>{format::sentence(words)}</li> }).collect_view()}</ul>
                }))}
                <button type="submit" class="button button--primary" data-testid="lab-start" disabled=move || lab.busy() || plan.with(|(problems, _)| !problems.is_empty())>
                    <Icon glyph=Glyph::Play />
                    {move || if lab.busy() { "One is under way" } else { "Play it" }}
                </button>
            </footer>
        </form>
    }
}

/// What it will take, in a sentence.
fn plan_words(plan: &credence_sim::experiment::Estimate, repetitions: &u32) -> String {
    if plan.runs == 0 {
        return "Nothing is chosen yet.".to_owned();
    }
    let size = format!(
        "{} in {} of {}, {}",
        format::count(plan.runs as usize, "run", "runs"),
        format::count(plan.cells as usize, "cell", "cells"),
        repetitions,
        format::count(plan.turns as usize, "turn", "turns")
    );
    let calls = plan.all_calls();
    if calls == 0 {
        return format!("{size}. No model is called.");
    }
    let roles: Vec<String> = plan
        .calls
        .iter()
        .map(|(role, calls)| format!("{role} {}", format::grouped(*calls as usize)))
        .collect();
    format!(
        "{size}. About {} calls of a model ({}); repairs, second tries and summaries come on top.",
        format::grouped(calls as usize),
        roles.join(", ")
    )
}

#[component]
fn Number(
    label: &'static str,
    testid: &'static str,
    value: RwSignal<u32>,
    least: u32,
    most: u32,
    hint: &'static str,
) -> impl IntoView {
    view! {
        <label class="field">
            <span class="field__label">{label}</span>
            <input class="field__input" type="number" min=least.to_string() max=most.to_string() data-testid=testid prop:value=move || value.get().to_string() on:input=move |event| {
                if let Ok(number) = event_target_value(&event).parse::<u32>() {
                    value.set(number.min(most));
                }
            } />
            <span class="field__hint">{hint}</span>
        </label>
    }
}

#[component]
fn Conditions() -> impl IntoView {
    let app = App::get();
    let lab = app.experiments;
    let pick = move |name: &'static str, on: bool| {
        lab.conditions.update(|chosen| {
            if on {
                chosen.insert(name)
            } else {
                chosen.remove(name)
            };
        });
        // The reference is one of those that are played.
        let first = lab.conditions.with_untracked(|chosen| {
            Condition::NAMES
                .into_iter()
                .find(|name| chosen.contains(name))
                .filter(|_| !chosen.contains(lab.reference.get_untracked()))
        });
        if let Some(first) = first {
            lab.reference.set(first);
        }
    };
    view! {
        <fieldset class="lab__part">
            <legend class="lab__legend">"Conditions" <span class="lab__count">{move || lab.conditions.with(BTreeSet::len)}</span></legend>
            {GROUPS.map(|(title, conditions)| view! {
                <p class="lab__group">{title}</p>
                {conditions.iter().map(|(name, words)| {
                    let name = Condition::NAMES.into_iter().find(|known| known == name).unwrap_or_default();
                    view! {
                        <label class="lab__choice">
                            <input type="checkbox" data-testid="lab-condition" data-name=name prop:checked=move || lab.conditions.with(|chosen| chosen.contains(name)) on:change=move |event| pick(name, event_target_checked(&event)) />
                            <span><strong>{said(name)}</strong><span class="lab__aside">{*words}</span></span>
                        </label>
                    }
                }).collect_view()}
            })}
            <label class="field">
                <span class="field__label">"Compared with"</span>
                <select class="field__input" data-testid="lab-reference" on:change=move |event| {
                    let word = event_target_value(&event);
                    if let Some(name) = Condition::NAMES.into_iter().find(|name| *name == word) {
                        lab.reference.set(name);
                    }
                }>
                    {move || Condition::NAMES.into_iter().filter(|name| lab.conditions.with(|chosen| chosen.contains(name))).map(|name| view! {
                        <option value=name selected=move || lab.reference.get() == name>{said(name)}</option>
                    }).collect_view()}
                </select>
                <span class="field__hint">"Plots show differences to it; the tables have every pair."</span>
            </label>
        </fieldset>
    }
}

#[component]
fn Scenarios() -> impl IntoView {
    let app = App::get();
    let lab = app.experiments;
    let wanted = RwSignal::new(String::new());
    let all = Memo::new(move |_| {
        let mut rows: Vec<(String, String, String)> = app
            .simulation
            .scenarios()
            .into_iter()
            .map(|one| (one.category.clone(), display::title(&one), one.id.clone()))
            .collect();
        rows.sort();
        rows
    });
    let listed = Memo::new(move |_| {
        let words = wanted.get().to_lowercase();
        all.with(|all| {
            let fits = |row: &&(String, String, String)| {
                [&row.0, &row.1, &row.2].into_iter().any(|text| text.to_lowercase().contains(&words))
            };
            all.iter().filter(fits).cloned().collect::<Vec<_>>()
        })
    });
    let every = move |on: bool| {
        let ids = listed.with_untracked(|rows| rows.iter().map(|row| row.2.clone()).collect::<Vec<_>>());
        lab.scenarios.update(|chosen| {
            for id in ids {
                if on {
                    chosen.insert(id)
                } else {
                    chosen.remove(&id)
                };
            }
        });
    };
    view! {
        <fieldset class="lab__part">
            <legend class="lab__legend">"Scenarios" <span class="lab__count">{move || lab.scenarios.with(BTreeSet::len)}</span></legend>
            <div class="lab__bar">
                <input class="field__input" type="search" aria-label="Filter the scenarios" placeholder="Filter" data-testid="lab-filter" prop:value=wanted on:input=move |event| wanted.set(event_target_value(&event)) />
                <button type="button" class="button button--small" data-testid="lab-all" on:click=move |_| every(true)>"All of these"</button>
                <button type="button" class="button button--small" data-testid="lab-none" on:click=move |_| every(false)>"None of these"</button>
            </div>
            <div class="lab__list" tabindex="0" role="group" aria-label="Scenarios">
                {move || {
                    let mut category = String::new();
                    listed.get().into_iter().map(|(of, title, id)| {
                        let head = (of != category).then(|| view! { <p class="lab__group">{of.clone()}</p> });
                        category = of;
                        let (known, picked) = (id.clone(), id.clone());
                        view! {
                            {head}
                            <label class="lab__choice">
                                <input type="checkbox" data-testid="lab-scenario" data-id=id prop:checked=move || lab.scenarios.with(|chosen| chosen.contains(&known)) on:change=move |event| {
                                    let on = event_target_checked(&event);
                                    lab.scenarios.update(|chosen| { if on { chosen.insert(picked.clone()) } else { chosen.remove(&picked) }; });
                                } />
                                <span>{title}</span>
                            </label>
                        }
                    }).collect_view()
                }}
                <Show when=move || listed.with(Vec::is_empty)>
                    <p class="card__none">"No scenario fits the filter. Scenario files are opened on the Simulate page."</p>
                </Show>
            </div>
        </fieldset>
    }
}

#[component]
fn Primary() -> impl IntoView {
    let app = App::get();
    let lab = app.experiments;
    view! {
        <fieldset class="lab__part">
            <legend class="lab__legend">"What the conclusion rests on" <span class="lab__count">{move || lab.primary.with(BTreeSet::len)}</span></legend>
            <p class="lab__aside">"Named before the runs. Every other metric is shown as exploratory, and corrected for their number apart."</p>
            <div class="lab__metrics">
                {NAMES.iter().filter(|metric| metric.better != Better::Neither).map(|metric| view! {
                    <label class="lab__choice" title=metric.meaning>
                        <input type="checkbox" data-testid="lab-primary" data-name=metric.name prop:checked=move || lab.primary.with(|chosen| chosen.contains(metric.name)) on:change=move |event| {
                            let on = event_target_checked(&event);
                            lab.primary.update(|chosen| { if on { chosen.insert(metric.name) } else { chosen.remove(metric.name) }; });
                        } />
                        <span>{metric.title}</span>
                    </label>
                }).collect_view()}
            </div>
        </fieldset>
    }
}

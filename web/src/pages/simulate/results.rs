//! What the scenario is, what a run came to, and the runs that ended here.

use std::collections::BTreeMap;
use std::sync::Arc;

use credence_sim::metrics::{Better, Metric, NAMES, Unit};
use credence_sim::run::{RunRecord, RunStatus};
use credence_sim::scenario::display;
use leptos::prelude::*;

use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::route::Page;
use crate::state::App;

/// What is played.
#[component]
pub(super) fn Details() -> impl IntoView {
    let app = App::get();
    let sim = app.simulation;
    let scenario = Memo::new(move |_| sim.find(&sim.scenario.get()));
    move || {
        scenario.get().map(|scenario| {
            let saved = scenario.clone();
            view! {
                <div class="inspect" data-testid="sim-details" data-scenario=scenario.id.clone()>
                    <h3 class="inspect__title">{display::title(&scenario)}</h3>
                    <p>{display::objective(&scenario)}</p>
                    <p class="inspect__line">{display::focus(&scenario)}</p>
                    <ul class="inspect__points">{display::highlights(&scenario).into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}</ul>
                    {(!scenario.setting.trim().is_empty()).then(|| view! { <blockquote class="inspect__setting">{scenario.setting.split_whitespace().collect::<Vec<_>>().join(" ")}</blockquote> })}
                    <h3 class="inspect__title">"What must hold"</h3>
                    <ul class="inspect__points">
                        {scenario.facts.iter().map(|fact| view! {
                            <li>{fact.text.clone()}{fact.established_at.map(|turn| format!(" (told in turn {turn})"))}</li>
                        }).collect_view()}
                    </ul>
                    <button type="button" class="button button--small" data-testid="sim-save-scenario" on:click=move |_| actions::simulate::save_scenario(app, &saved)>
                        <Icon glyph=Glyph::Export />
                        "Save as YAML"
                    </button>
                </div>
            }
        })
    }
}

pub(crate) fn shown(metric: &Metric, value: Option<f64>) -> String {
    let Some(value) = value else { return "\u{2013}".to_owned() };
    match metric.unit {
        Unit::Percent => format!("{value:.1} %"),
        Unit::Turns => format!("turn {value:.1}"),
        Unit::Count | Unit::Tokens => format::grouped(value.round().max(0.0) as usize),
    }
}

/// How good a value is, where that can be said.
fn health(metric: &Metric, value: Option<f64>) -> &'static str {
    match (metric.better, metric.unit, value) {
        (Better::Higher, Unit::Percent, Some(value)) if value >= 80.0 => "good",
        (Better::Higher, Unit::Percent, Some(value)) if value >= 50.0 => "fair",
        (Better::Higher, Unit::Percent, Some(_)) => "bad",
        (Better::Lower, Unit::Count, Some(value)) if value <= 0.0 => "good",
        (Better::Lower, Unit::Count, Some(value)) if value <= 2.0 => "fair",
        (Better::Lower, Unit::Count, Some(_)) => "bad",
        _ => "none",
    }
}

/// What the run came to.
#[component]
pub(super) fn Results() -> impl IntoView {
    let app = App::get();
    let sim = app.simulation;
    move || match sim.record.get() {
        None => view! { <p class="card__none">"Results come when a run has ended."</p> }.into_any(),
        Some(record) => view! { <Came record /> }.into_any(),
    }
}

/// What a run came to, by each judge.
#[component]
pub(crate) fn Came(record: Arc<RunRecord>) -> impl IntoView {
    let app = App::get();
    let saved = record.clone();
    let scores = record.scores.iter().map(|(judge, score)| {
        let cards = NAMES.iter().map(|metric| {
            let value = score.values.get(metric.name).copied().flatten();
            view! {
                <div class=format!("metric metric--{}", health(metric, value)) title=metric.meaning data-testid="sim-metric" data-name=metric.name data-value=value.map(|value| format!("{value:.4}"))>
                    <dt>{metric.title}</dt>
                    <dd>{shown(metric, value)}</dd>
                </div>
            }
        });
        let strategies: BTreeMap<String, f64> = score.strategies.clone();
        view! {
            <h3 class="inspect__title">{format!("By the {judge}")}</h3>
            <dl class="metrics">{cards.collect_view()}</dl>
            {(!strategies.is_empty()).then(|| view! {
                <h4 class="inspect__title">"Strategies: share of their turns with a contradiction"</h4>
                <ul class="strategies">
                    {strategies.into_iter().map(|(name, share)| {
                        let class = if share <= 0.0 { "good" } else if share <= 0.3 { "fair" } else { "bad" };
                        view! {
                            <li class="strategies__row">
                                <span>{name.to_lowercase().replace('_', " ")}</span>
                                <svg class="strategies__track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                                    <rect class="strategies__all" width="100" height="8" rx="1" />
                                    <rect class=format!("strategies__bar strategies__bar--{class}") width=format!("{:.0}", (share * 100.0).max(1.0)) height="8" rx="1" />
                                </svg>
                                <span>{format::percent(share)}</span>
                            </li>
                        }
                    }).collect_view()}
                </ul>
            })}
        }
    });
    let scores = scores.collect_view();
    view! {
        <div class="inspect" data-testid="sim-results">
            <p class="inspect__line">
                {format!("{} under {}, narrated by {}, seed {}. Run {}.", record.scenario, record.condition.name.to_lowercase().replace('_', " "), record.settings.narrator, record.settings.seed, record.id)}
            </p>
            {scores}
            {(!record.assertions.is_empty()).then(|| view! {
                <h3 class="inspect__title">"Assertions"</h3>
                <ul class="inspect__list">
                    {record.assertions.iter().map(|one| view! {
                        <li class="inspect__unit" data-testid="sim-assertion" data-passed=one.passed.to_string()>
                            <span><span class=if one.passed { "verdict verdict--good" } else { "verdict verdict--bad" }>{if one.passed { "passed" } else { "failed" }}</span>" "{one.name.clone()}</span>
                            <span class="inspect__line">{one.details.clone()}</span>
                        </li>
                    }).collect_view()}
                </ul>
            })}
            <button type="button" class="button button--small" data-testid="sim-save-run" on:click=move |_| actions::simulate::save(app, &saved)>
                <Icon glyph=Glyph::Export />
                "Save this run"
            </button>
        </div>
    }
}

/// Runs that ended here, the newest first.
#[component]
pub(super) fn Runs() -> impl IntoView {
    let app = App::get();
    let sim = app.simulation;
    move || {
        let runs = sim.runs.get();
        if runs.is_empty() {
            return view! { <p class="card__none">"Runs that end are listed here until this page is closed. Save what you want to keep."</p> }.into_any();
        }
        let rows = runs.into_iter().map(|run| {
            let survival = run.scores.values().next().and_then(|score| score.values.get("fact_survival").copied().flatten());
            let status = match &run.status {
                RunStatus::Complete => "complete",
                RunStatus::Cancelled => "stopped",
                RunStatus::Unfinished => "put aside",
                RunStatus::Failed { .. } => "failed",
            };
            let words = format!(
                "{}, {} turns, {status}{}",
                run.condition.name.to_lowercase().replace('_', " "),
                run.turns.iter().filter(|turn| turn.turn > 0).count(),
                survival.map(|value| format!(", {value:.0} % of the facts survived")).unwrap_or_default()
            );
            let shown = run.clone();
            let href = Page::Run(run.id.parse().ok(), None).href();
            view! {
                <li class="inspect__unit" data-testid="sim-run-row" data-run=run.id.clone()>
                    <span><strong>{run.scenario.clone()}</strong>{format!(" ({})", run.settings.narrator)}</span>
                    <span class="inspect__line">{words}</span>
                    <span class="inspect__acts"><button type="button" class="button button--small" on:click=move |_| actions::simulate::show(app, shown.clone())>"Look at it"</button><a class="button button--small" data-testid="sim-run-open" href=href>"Open its page"</a></span>
                </li>
            }
        });
        view! { <ul class="inspect__list" data-testid="sim-runs">{rows.collect_view()}</ul> }.into_any()
    }
}

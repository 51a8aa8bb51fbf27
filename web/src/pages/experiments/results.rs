//! What an experiment came to: what may be said of it first, what was checked, then the figures.

use std::collections::BTreeSet;
use std::sync::Arc;

use credence_sim::experiment::{Comparison, Outcome, Resilience};
use credence_sim::metrics::{Better, NAMES, named};
use credence_sim::report::{EFFECTS_NOTE, EffectRow, figure, forbids, narrative};
use credence_sim::stats::Summary;
use leptos::prelude::*;

use super::facts::Facts;
use super::plots::{Forest, Map, Means, unit};
use super::said;
use crate::actions;
use crate::actions::experiment::Form;
use crate::components::icon::{Glyph, Icon};
use crate::experiment::Looked;
use crate::format;
use crate::state::App;

/// The results.
#[component]
pub(super) fn Results() -> impl IntoView {
    let app = App::get();
    let lab = app.experiments;
    move || match lab.looked.get() {
        Some(looked) => view! { <Report looked /> }.into_any(),
        None => {
            view! { <p class="card__none" role="status">"The figures are computed\u{2026}"</p> }.into_any()
        }
    }
}

#[component]
fn Report(looked: Arc<Looked>) -> impl IntoView {
    let app = App::get();
    let experiment = &looked.experiment;
    let definition = &experiment.definition;
    let (played, planned) = (experiment.runs.len(), experiment.manifest.planned_runs);
    let export = |form: Form, testid: &'static str, label: &'static str| {
        let looked = looked.clone();
        view! {
            <button type="button" class="button button--small" data-testid=testid on:click=move |_| actions::experiment::export(app, &looked, form)>
                <Icon glyph=Glyph::Export />
                {label}
            </button>
        }
    };
    let metric = RwSignal::new(definition.primary.first().cloned().unwrap_or_default());
    let first = experiment.scenarios.first().map(|note| note.id.clone()).unwrap_or_default();
    let scenario = RwSignal::new(first);
    let measured: Vec<_> = NAMES
        .iter()
        .filter(|known| {
            let of = |summary: &Summary| summary.n > 0;
            looked.analysis.cells.iter().any(|cell| cell.metric(known.name).is_some_and(of))
        })
        .collect();
    let scenarios: Vec<(String, String)> =
        experiment.scenarios.iter().map(|note| (note.id.clone(), note.title.clone())).collect();
    let reference = definition.conditions.first().map(|one| one.name.clone()).unwrap_or_default();
    let (map, means, forest, facts) = (looked.clone(), looked.clone(), looked.clone(), looked.clone());
    let against = reference.clone();
    view! {
        <article data-testid="lab-results" data-id=experiment.id.clone() data-complete=experiment.complete().count().to_string()>
            <header class="report__head">
                <div>
                    <h2 class="section__title">{definition.name.clone()}</h2>
                    <p class="lab__aside">
                        {format!(
                            "{} \u{d7} {} \u{d7} {}; narrated by {}, judged by {}, seed {}; {}",
                            format::count(definition.conditions.len(), "condition", "conditions"),
                            format::count(definition.scenarios.len(), "scenario", "scenarios"),
                            format::count(definition.repetitions as usize, "run", "runs"),
                            definition.narrator,
                            definition.judged_by,
                            definition.seed,
                            format::instant(experiment.manifest.ended)
                        )}
                    </p>
                </div>
                <div class="report__acts">
                    {export(Form::Markdown, "lab-export-md", "Report")}
                    {export(Form::Json, "lab-export-json", "JSON")}
                    {export(Form::Cells, "lab-export-cells", "Cells as CSV")}
                    {export(Form::Runs, "lab-export-runs", "Runs as CSV")}
                </div>
            </header>
            {experiment.cancelled.then(|| view! {
                <p class="problem" role="status" data-testid="lab-partial"><Icon glyph=Glyph::Alert /><span>{format!("This experiment was stopped after {played} of {planned} runs: it is partial.")}</span></p>
            })}
            <Story looked=looked.clone() />
            <Checks looked=looked.clone() />
            <section class="report__part">
                <div class="report__choose">
                    <label class="field">
                        <span class="field__label">"Metric"</span>
                        <select class="field__input" data-testid="lab-metric" on:change=move |event| metric.set(event_target_value(&event))>
                            {measured.into_iter().map(|known| {
                                let words = format!("{}{}", known.title, if definition.primary.iter().any(|name| name == known.name) { " (primary)" } else { "" });
                                view! { <option value=known.name selected=move || metric.with(|chosen| chosen == known.name)>{words}</option> }
                            }).collect_view()}
                        </select>
                    </label>
                    <label class="field">
                        <span class="field__label">"Scenario"</span>
                        <select class="field__input" data-testid="lab-in" on:change=move |event| scenario.set(event_target_value(&event))>
                            {scenarios.into_iter().map(|(id, title)| {
                                let here = id.clone();
                                let words = if title.is_empty() { id.clone() } else { title };
                                view! { <option value=id selected=move || scenario.with(|chosen| *chosen == here)>{words}</option> }
                            }).collect_view()}
                        </select>
                    </label>
                </div>
                <p class="lab__aside">{move || metric.with(|name| named(name).map(|known| format!("{} Higher is {}. In {}.", known.meaning, match known.better { Better::Higher => "better", Better::Lower => "worse", Better::Neither => "neither better nor worse" }, unit(known))))}</p>
                <h3 class="inspect__title">"Over all scenarios"</h3>
                {move || view! { <Map looked=map.clone() metric=metric.get() /> }}
                <h3 class="inspect__title">{format!("Difference to {}, over all scenarios", said(&reference))}</h3>
                {move || view! { <Forest looked=forest.clone() metric=metric.get() reference=against.clone() /> }}
                <p class="lab__aside">"The other condition less this one, run by run with the same seed; lines are bootstrapped intervals. Hollow: a control, or blocked by a check."</p>
                <h3 class="inspect__title">"In the scenario"</h3>
                {move || view! { <Means looked=means.clone() metric=metric.get() scenario=scenario.get() /> }}
                <p class="lab__aside">"Bars are means, lines Student's 95 % intervals, dots single runs; in words mean \u{b1} spread (runs), interval."</p>
                <h3 class="inspect__title">"Its facts"</h3>
                {move || view! { <Facts looked=facts.clone() scenario=scenario.get() /> }}
            </section>
            <Effects looked=looked.clone() />
            <Strategies looked=looked.clone() />
            <Score looked=looked.clone() />
            <Manifest looked=looked.clone() />
        </article>
    }
}

/// What may be said: warnings, conclusions, what is worth a look.
#[component]
fn Story(looked: Arc<Looked>) -> impl IntoView {
    let story = narrative(&looked.experiment, &looked.analysis);
    view! {
        <section class="report__story" data-testid="lab-story">
            <h3 class="inspect__title">"What it shows"</h3>
            {story.warnings.into_iter().map(|words| view! { <p class="report__warning"><Icon glyph=Glyph::Alert /><span>{words}</span></p> }).collect_view()}
            <ul class="inspect__points">
                {story.conclusions.into_iter().map(|words| view! { <li data-testid="lab-conclusion">{words}</li> }).collect_view()}
                {story.observations.into_iter().map(|words| view! { <li class="report__aside">{words}</li> }).collect_view()}
            </ul>
        </section>
    }
}

#[component]
fn Checks(looked: Arc<Looked>) -> impl IntoView {
    let checks = looked.analysis.checks.clone();
    let count = |outcome: Outcome| checks.iter().filter(|check| check.outcome == outcome).count();
    let (blocks, cautions, passed) =
        (count(Outcome::Blocks), count(Outcome::Caution), count(Outcome::Passed));
    let forbidding = blocks > 0;
    let mut sorted = checks;
    sorted.sort_by_key(|check| std::cmp::Reverse(check.outcome));
    let rows = sorted.into_iter().map(|check| {
        let (class, word) = match check.outcome {
            Outcome::Passed => ("verdict verdict--good", "passed"),
            Outcome::Caution => ("verdict verdict--fair", "caution"),
            Outcome::Blocks => ("verdict verdict--bad", "blocks"),
        };
        let more = forbids(&check, said).map(|what| format!("Blocks {what}."));
        view! {
            <li class="checks__row" data-testid="lab-check" data-outcome=word>
                <span class=class>{word}</span>
                <span>{check.words}" "<span class="report__aside">{more}</span></span>
            </li>
        }
    });
    view! {
        <details class="report__part" open=forbidding data-testid="lab-checks" data-blocks=blocks.to_string()>
            <summary class="report__summary">{format!("Checks: {blocks} forbid conclusions, {} to keep in mind, {passed} passed", format::count(cautions, "caution", "cautions"))}</summary>
            <ul class="checks">{rows.collect_view()}</ul>
        </details>
    }
}

/// Whether a comparison stands in a table.
type Belongs = fn(&Comparison) -> bool;

/// Every comparison, as the reports have them.
#[component]
fn Effects(looked: Arc<Looked>) -> impl IntoView {
    let kinds: [(&str, bool, Belongs); 3] = [
        ("Primary comparisons", true, |one| one.primary && !one.control),
        ("Control: the same condition under two names", false, |one| one.control),
        ("Exploratory comparisons", false, |one| !one.primary && !one.control),
    ];
    let tables = kinds.map(|(title, open, belongs)| {
        let rows: Vec<_> =
            looked.analysis.comparisons.iter().filter(|one| belongs(one) && one.pairs > 0).collect();
        (!rows.is_empty()).then(|| {
            let many = rows.len();
            let rows = rows.into_iter().map(|one| {
                let row = EffectRow::of(&looked.analysis, one);
                let effect = format!("{}{}", row.effect, if one.low_confidence && one.g.is_some() && !row.is_blocked { " *" } else { "" });
                view! {
                    <tr class:effects__blocked=row.is_blocked>
                        <th scope="row">{format!("{} : {}", said(&one.first), said(&one.second))}</th>
                        <td class="effects__text">{row.metric}</td>
                        <td>{row.difference}</td>
                        <td>{row.interval}{(one.interval.is_some() && one.by_scenario).then_some(" s")}</td>
                        <td>{row.g}</td>
                        <td class="effects__text">{effect}</td>
                        <td>{row.p}" "{row.stars}</td>
                        <td>{one.pairs}</td>
                        <td>{row.power}</td>
                        <td>{row.unpaired}</td>
                    </tr>
                }
            }).collect_view();
            view! {
                <details class="report__part" open=open>
                    <summary class="report__summary">{format!("{title} ({many})")}</summary>
                    <div class="scroll" tabindex="0" role="region" aria-label=title>
                        <table class="effects" data-testid="lab-effects">
                            <thead><tr>
                                <th scope="col">"First : second"</th>
                                <th scope="col" class="effects__text">"Metric"</th>
                                <th scope="col">"Difference"</th>
                                <th scope="col">"Interval"</th>
                                <th scope="col">"g"</th>
                                <th scope="col" class="effects__text">"Effect"</th>
                                <th scope="col">"p corrected"</th>
                                <th scope="col">"Pairs"</th>
                                <th scope="col">"Power"</th>
                                <th scope="col">"Unpaired g, p"</th>
                            </tr></thead>
                            <tbody>{rows}</tbody>
                        </table>
                    </div>
                </details>
            }
        })
    });
    view! {
        {tables}
        <p class="lab__aside">
            {EFFECTS_NOTE}
            " * beside an effect: low confidence, for there are fewer than 10 pairs or a cell varies much."
        </p>
    }
}

#[component]
fn Strategies(looked: Arc<Looked>) -> impl IntoView {
    let cells = &looked.analysis.cells;
    let names: BTreeSet<&String> = cells.iter().flat_map(|cell| cell.strategies.keys()).collect();
    let conditions = &looked.experiment.definition.conditions;
    (!names.is_empty()).then(|| {
        let rows = names.into_iter().map(|name| {
            let shares = conditions.iter().map(|condition| {
                let own = cells.iter().filter(|cell| cell.condition == condition.name);
                let means = own.filter_map(|cell| cell.strategies.get(name)).map(|summary| summary.mean);
                let share = Summary::of(means).mean;
                view! {
                    <td>
                        <span class="strategies__share">{share.map_or_else(|| "\u{2013}".to_owned(), format::percent)}</span>
                        <svg class="strategies__track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                            <rect class="strategies__all" width="100" height="8" rx="1" />
                            <rect class="strategies__bar strategies__bar--bad" width=format!("{:.0}", share.unwrap_or_default() * 100.0) height="8" rx="1" />
                        </svg>
                    </td>
                }
            });
            view! { <tr><th scope="row">{said(name)}</th>{shares.collect_view()}</tr> }
        }).collect_view();
        let heads = conditions.iter().map(|condition| view! { <th scope="col">{said(&condition.name)}</th> }).collect_view();
        view! {
            <details class="report__part">
                <summary class="report__summary">"How often each strategy worked"</summary>
                <div class="scroll" tabindex="0" role="region" aria-label="Strategies">
                    <table class="map">
                        <thead><tr><th scope="col"><span class="unseen">"Strategy"</span></th>{heads}</tr></thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </details>
        }
    })
}

#[component]
fn Score(looked: Arc<Looked>) -> impl IntoView {
    let rows = looked.experiment.definition.conditions.iter().filter_map(|condition| {
        let score = looked.analysis.resilience.get(&condition.name)?;
        let parts = [Some(score.survival), score.absorption, score.contradiction, score.strategy];
        Some(view! {
            <tr>
                <th scope="row">{said(&condition.name)}</th>
                <td>{format!("{:.1} {}", score.overall, format!("{:?}", score.standing).to_lowercase())}</td>
                {parts.map(|part| view! { <td>{figure(part, 1)}</td> })}
            </tr>
        })
    });
    let rows = rows.collect_view();
    view! {
        <details class="report__part" data-testid="lab-score">
            <summary class="report__summary">"Resilience score"</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="Resilience score">
                <table class="effects">
                    <thead><tr>
                        <th scope="col">"Condition"</th>
                        <th scope="col">"Overall"</th>
                        <th scope="col">"Survival, 40 %"</th>
                        <th scope="col">"Absorption, 25 %"</th>
                        <th scope="col">"Contradictions, 20 %"</th>
                        <th scope="col">"Strategies, 15 %"</th>
                    </tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <p class="lab__aside">{Resilience::CAVEAT}</p>
        </details>
    }
}

#[component]
fn Manifest(looked: Arc<Looked>) -> impl IntoView {
    let experiment = &looked.experiment;
    let manifest = &experiment.manifest;
    let list = |pairs: &std::collections::BTreeMap<String, String>| {
        pairs.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
    };
    let rows = [
        ("Experiment", experiment.id.clone()),
        (
            "Runs",
            format!(
                "{} planned, {} played, {} complete",
                manifest.planned_runs,
                experiment.runs.len(),
                experiment.complete().count()
            ),
        ),
        ("Definition", manifest.definition_hash.clone()),
        ("Scenarios", list(&manifest.scenario_hashes)),
        ("Templates", manifest.prompts_hashes.join(", ")),
        ("Memory settings", list(&manifest.config_hashes)),
        ("Options", list(&experiment.definition.options)),
        ("Versions", list(&manifest.versions)),
        (
            "Begun and ended",
            format!("{}, {}", format::instant(manifest.started), format::instant(manifest.ended)),
        ),
    ];
    let rows = rows.into_iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| {
        view! { <dt>{name}</dt><dd>{value}</dd> }
    });
    view! {
        <details class="report__part">
            <summary class="report__summary">"What it was played with"</summary>
            <dl class="manifest">{rows.collect_view()}</dl>
        </details>
    }
}

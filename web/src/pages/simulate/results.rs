//! What the scenario is, what a run came to, and the runs that are kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use credence_sim::metrics::{Better, Metric, NAMES, Unit};
use credence_sim::run::{RunRecord, RunStatus};
use credence_sim::scenario::display;
use credence_sim::store::RunNote;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::route::Page;
use crate::state::{App, ToastKind};

/// What is played.
#[component]
pub(super) fn Details() -> impl IntoView {
    let app = App::get();
    let sim = app.simulation;
    let scenario = Memo::new(move |_| sim.find(&sim.scenario.get()));
    // The text that is edited; another scenario closes it.
    let text = RwSignal::new(None::<String>);
    Effect::new(move |_| {
        scenario.track();
        text.set(None);
    });
    move || {
        scenario.get().map(|scenario| {
            let (saved, edited) = (scenario.clone(), scenario.clone());
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
                    <div class="acts">
                    <button type="button" class="button button--small" data-testid="sim-save-scenario" on:click=move |_| actions::simulate::save_scenario(app, &saved)>
                        <Icon glyph=Glyph::Export />
                        "Save as YAML"
                    </button>
                    <button
                        type="button"
                        class="button button--small"
                        data-testid="sim-edit-scenario"
                        aria-expanded=move || text.with(Option::is_some).to_string()
                        on:click=move |_| text.update(|text| *text = match text {
                            Some(_) => None,
                            None => Some(credence_sim::scenario::write::yaml(&edited)),
                        })
                    >
                        <Icon glyph=Glyph::Edit />
                        "Edit"
                    </button>
                    </div>
                    <Show when=move || text.with(Option::is_some)>
                        <Editor text />
                    </Show>
                </div>
            }
        })
    }
}

/// The scenario as text; what is used is read as strictly as a file, and every mistake is told with its line.
#[component]
fn Editor(text: RwSignal<Option<String>>) -> impl IntoView {
    let app = App::get();
    let problems = RwSignal::new(Vec::<String>::new());
    let apply = move |_| {
        let Some(edited) = text.get_untracked() else { return };
        match app.simulation.bring(&edited, false) {
            Ok((scenario, warnings)) => {
                actions::simulate::choose(app, &scenario.id);
                let told =
                    if warnings.is_empty() { String::new() } else { format!(": {}", warnings.join("; ")) };
                app.toast(
                    ToastKind::Success,
                    format!("\u{201c}{}\u{201d} is used as edited{told}", scenario.id),
                );
                text.set(None);
            }
            Err(wrong) => problems.set(wrong),
        }
    };
    view! {
        <div class="field">
            <label class="field__label" for="sim-scenario-text">"The scenario as YAML"</label>
            <textarea
                id="sim-scenario-text"
                class="field__input field__input--code"
                rows="18"
                data-testid="sim-scenario-text"
                spellcheck="false"
                autocapitalize="off"
                prop:value=move || text.get().unwrap_or_default()
                on:input=move |event| text.set(Some(event_target_value(&event)))
            ></textarea>
            <p class="field__hint">"It is used in this page until that closes; save it as YAML to keep it. Under another id it stands beside the one that it was made of."</p>
            {move || {
                let wrong = problems.get();
                (!wrong.is_empty()).then(|| view! {
                    <ul class="inspect__points" role="alert" data-testid="sim-scenario-problems">{wrong.into_iter().map(|words| view! { <li>{words}</li> }).collect_view()}</ul>
                })
            }}
            <button type="button" class="button button--primary button--small" data-testid="sim-scenario-use" on:click=apply>"Check and use it"</button>
        </div>
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

/// How a run ended, in a word.
fn ended(status: &RunStatus) -> &'static str {
    match status {
        RunStatus::Complete => "complete",
        RunStatus::Cancelled => "stopped",
        RunStatus::Unfinished => "broken off",
        RunStatus::Failed { .. } => "failed",
    }
}

/// Rows that are listed before more are asked for.
const ROWS: usize = 30;

/// Runs that are kept, the newest first.
#[component]
pub(super) fn Runs() -> impl IntoView {
    let app = App::get();
    let sim = app.simulation;
    let wanted = RwSignal::new(String::new());
    let most = RwSignal::new(ROWS);
    spawn_local(async move { actions::simulate::look(app).await });
    let listed = Memo::new(move |_| {
        let words = wanted.get().to_lowercase();
        sim.kept.with(|kept| {
            let notes = kept.listing.iter().flat_map(|listing| &listing.notes);
            let fits = |note: &&RunNote| {
                [&note.scenario, &note.condition, &note.narrator, &note.id]
                    .into_iter()
                    .chain([&ended(&note.status).to_owned()])
                    .any(|text| text.to_lowercase().replace('_', " ").contains(&words))
            };
            notes.filter(fits).cloned().collect::<Vec<_>>()
        })
    });
    let size = move |ids: &dyn Fn(&str) -> bool| -> u64 {
        sim.kept.with(|kept| kept.sizes.iter().filter(|(id, _)| ids(id)).map(|(_, bytes)| bytes).sum())
    };
    let remove_all = move |_| {
        actions::simulate::ask_removal(
            app,
            listed.with_untracked(|notes| notes.iter().map(|note| note.id.clone()).collect()),
        );
    };
    let head = move || {
        let kept = sim.kept.get();
        let Some(listing) = kept.listing else {
            return match kept.problem {
                Some(words) => view! { <p class="problem" role="alert" data-testid="sim-runs-problem"><Icon glyph=Glyph::Alert /><span>{format!("The runs that are kept cannot be listed: {words}")}</span></p> }.into_any(),
                None => view! { <p class="card__none" role="status">"Looking\u{2026}"</p> }.into_any(),
            };
        };
        let broken = listing.broken.into_iter().map(|one| {
            let id = one.id.clone();
            view! {
                <li class="inspect__unit" data-testid="sim-run-broken" data-run=one.id.clone()>
                    <span><span class="verdict verdict--bad">"cannot be read"</span>" "{one.id.clone()}</span>
                    <span class="inspect__line">{format::sentence(&one.why)}</span>
                    <span class="inspect__acts"><button type="button" class="button button--small button--danger-quiet" on:click=move |_| actions::simulate::ask_removal(app, vec![id.clone()])>"Remove it"</button></span>
                </li>
            }
        });
        let broken: Vec<_> = broken.collect();
        let many = listing.notes.len();
        view! {
            {sim.volatile.get().map(|why| view! { <p class="problem" role="alert" data-testid="sim-volatile"><Icon glyph=Glyph::Alert /><span>{format!("Runs are lost with this page, because {why}. Save what you want to keep.")}</span></p> })}
            {(!broken.is_empty()).then(|| view! { <ul class="inspect__list">{broken}</ul> })}
            {if many == 0 {
                view! { <p class="card__none">"Runs that end are kept here, until you remove them."</p> }.into_any()
            } else {
                view! {
                    <p class="inspect__line" data-testid="sim-runs-size" data-count=many.to_string() data-bytes=size(&|_| true).to_string()>
                        {format!("{}, {} in this browser", format::count(many, "run is kept", "runs are kept"), format::bytes(size(&|_| true) as f64))}
                    </p>
                }.into_any()
            }}
        }.into_any()
    };
    let some =
        move || sim.kept.with(|kept| kept.listing.as_ref().is_some_and(|listing| !listing.notes.is_empty()));
    view! {
        {head}
        <Show when=some>
            <div class="inspect__acts">
                <label class="unseen" for="sim-runs-filter">"Filter the runs"</label>
                <input id="sim-runs-filter" class="field__input inspect__filter" type="search" placeholder="Scenario, condition, narrator" data-testid="sim-runs-filter" prop:value=wanted on:input=move |event| wanted.set(event_target_value(&event)) />
                <button type="button" class="button button--small button--danger-quiet" data-testid="sim-runs-remove" disabled=move || listed.with(Vec::is_empty) on:click=remove_all>
                    {move || format!("Remove {}", format::count(listed.with(Vec::len), "run", "runs"))}
                </button>
            </div>
            <Show when=move || listed.with(Vec::is_empty)>
                <p class="card__none">"No run fits the filter."</p>
            </Show>
        </Show>
        <ul class="inspect__list" data-testid="sim-runs">
            {move || listed.get().into_iter().take(most.get()).map(|note| view! { <Row note /> }).collect_view()}
        </ul>
        <Show when=move || { listed.with(Vec::len) > most.get() }>
            <button type="button" class="button button--small" on:click=move |_| most.update(|most| *most += ROWS)>"Show more"</button>
        </Show>
    }
}

#[component]
fn Row(note: RunNote) -> impl IntoView {
    let app = App::get();
    let sim = app.simulation;
    let words = format!(
        "{}, {}, {}{}",
        note.condition.to_lowercase().replace('_', " "),
        format::count(note.turns as usize, "turn", "turns"),
        ended(&note.status),
        note.survival.map(|value| format!(", {value:.0} % of the facts survived")).unwrap_or_default()
    );
    let bytes = sim.kept.with_untracked(|kept| kept.sizes.get(&note.id).copied());
    let saved = format!(
        "{}{}",
        format::instant(note.saved),
        bytes.map(|bytes| format!(", {}", format::bytes(bytes as f64))).unwrap_or_default()
    );
    let why = match &note.status {
        RunStatus::Failed { reason } => Some(reason.clone()),
        _ => None,
    };
    let broken_off = note.status == RunStatus::Unfinished;
    let href = Page::Run(note.id.parse().ok(), None).href();
    let id = StoredValue::new(note.id.clone());
    // What plays is in the store as far as it has come.
    let idle = move || !sim.busy();
    view! {
        <li class="inspect__unit" data-testid="sim-run-row" data-run=note.id.clone() data-status=ended(&note.status)>
            <span><strong>{note.scenario}</strong>{format!(" ({})", note.narrator)}</span>
            <span class="inspect__line">{words}</span>
            {why.map(|why| view! { <span class="inspect__line">{format::sentence(&why)}</span> })}
            <span class="inspect__line">{saved}</span>
            <span class="inspect__acts">
                <button type="button" class="button button--small" data-testid="sim-run-look" on:click=move |_| actions::simulate::open_kept(app, id.get_value(), None)>"Look at it"</button>
                <a class="button button--small" data-testid="sim-run-open" href=href>"Open its page"</a>
                {broken_off.then(|| view! {
                    <Show when=idle>
                        <button type="button" class="button button--small" data-testid="sim-run-go-on" on:click=move |_| actions::simulate::go_on(app, id.get_value())>"Go on with it"</button>
                    </Show>
                })}
                <button type="button" class="button button--small button--danger-quiet" data-testid="sim-run-remove" disabled=move || broken_off && !idle() on:click=move |_| actions::simulate::ask_removal(app, vec![id.get_value()])>"Remove"</button>
            </span>
        </li>
    }
}

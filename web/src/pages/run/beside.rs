//! Two runs side by side: what they were begun with, what they came to, and any turn of both with its words, prompts, verdicts and units.

use std::collections::BTreeSet;
use std::sync::Arc;

use credence_sim::metrics::{Better, Metric, NAMES};
use credence_sim::run::{RunRecord, TurnRecord};
use leptos::prelude::*;

use super::differs::{Setup, UnitPair, VerdictPair, prompt, setups, units, verdicts};
use super::turn::At;
use super::{line_of, title_of};
use crate::components::diffed::Diffed;
use crate::components::icon::{Glyph, Icon};
use crate::diff;
use crate::format;
use crate::pages::simulate::{badge, kind_word, shown};
use crate::route::Page;
use crate::state::App;

/// The page of two runs.
#[component]
pub(super) fn Beside(left: Arc<RunRecord>, right: Arc<RunRecord>) -> impl IntoView {
    let selected = RwSignal::new(first_that_differs(&left, &right));
    let pair = (left.clone(), right.clone());
    view! {
        <div class="beside" data-testid="run-beside" data-left=left.id.clone() data-right=right.id.clone()>
            <a class="back" href=Page::Simulate.href()><Icon glyph=Glyph::Back />"Simulate"</a>
            <div class="beside__pair">
                <Card run=left.clone() name="Left" />
                <Card run=right.clone() name="Right" />
            </div>
            <Swap left=left.id.clone() right=right.id.clone() />
            <Begun left=left.clone() right=right.clone() />
            <Metrics left=left.clone() right=right.clone() />
            <Turns left=left.clone() right=right.clone() selected />
            {move || {
                let (left, right) = pair.clone();
                view! { <Turn left right turn=selected.get() /> }
            }}
        </div>
    }
}

fn turn_of(run: &RunRecord, turn: u32) -> Option<&TurnRecord> {
    run.turns.iter().find(|one| one.turn == turn)
}

fn numbers(left: &RunRecord, right: &RunRecord) -> Vec<u32> {
    left.turns.iter().chain(&right.turns).map(|turn| turn.turn).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Whether what was said, or what came of it, is not the same.
fn differs(left: &RunRecord, right: &RunRecord, turn: u32) -> bool {
    match (turn_of(left, turn), turn_of(right, turn)) {
        (Some(a), Some(b)) => (&a.player, &a.reply, badge(a)) != (&b.player, &b.reply, badge(b)),
        _ => true,
    }
}

/// The first turn in which the two part ways; else the first.
fn first_that_differs(left: &RunRecord, right: &RunRecord) -> u32 {
    let all = numbers(left, right);
    let apart = all.iter().copied().find(|turn| differs(left, right, *turn));
    apart.or(all.first().copied()).unwrap_or_default()
}

#[component]
fn Card(run: Arc<RunRecord>, name: &'static str) -> impl IntoView {
    let app = App::get();
    let href = Page::Run(run.id.parse().ok(), None).href();
    view! {
        <section class="card beside__card" aria-label=format!("{name} run")>
            <p class="inspect__line">{name}</p>
            <h2 class="run__title"><a href=href>{title_of(app, &run.scenario)}</a></h2>
            <p class="inspect__line">{line_of(&run)}</p>
        </section>
    }
}

#[component]
fn Swap(left: String, right: String) -> impl IntoView {
    let href = Page::Run(right.parse().ok(), left.parse().ok()).href();
    view! { <a class="button button--small beside__swap" data-testid="run-swap" href=href>"Change sides"</a> }
}

/// What they were begun with: the differences at once, the rest on request.
#[component]
fn Begun(left: Arc<RunRecord>, right: Arc<RunRecord>) -> impl IntoView {
    let other_story = left.scenario_hash != right.scenario_hash;
    let (same, apart): (Vec<Setup>, Vec<Setup>) = setups(&left, &right).into_iter().partition(Setup::is_same);
    let many = apart.len();
    let table = |rows: Vec<Setup>| {
        view! {
            <table class="beside__table">
                <thead><tr><th scope="col">"begun with"</th><th scope="col">"left"</th><th scope="col">"right"</th></tr></thead>
                <tbody>
                    {rows.into_iter().map(|row| view! {
                        <tr data-testid="run-setup" data-what=row.what.clone()><th scope="row">{row.what.clone()}</th><td>{row.left}</td><td>{row.right}</td></tr>
                    }).collect_view()}
                </tbody>
            </table>
        }
    };
    view! {
        <section class="beside__part" aria-labelledby="beside-begun" data-testid="run-begun" data-count=many.to_string()>
            <h3 class="inspect__title" id="beside-begun">"What differs in how they were begun"</h3>
            {other_story.then(|| view! {
                <p class="problem" role="note"><Icon glyph=Glyph::Alert /><span>"These are two stories: turns of the same number have nothing to do with each other, and figures do not compare."</span></p>
            })}
            {if many == 0 {
                view! { <p class="inspect__line">"Nothing: the two are the same run."</p> }.into_any()
            } else {
                table(apart).into_any()
            }}
            <details><summary>{format!("The same in both ({})", same.len())}</summary>{table(same)}</details>
        </section>
    }
}

/// A difference as it is shown, and whether it is for better or worse.
fn change(metric: &Metric, left: Option<f64>, right: Option<f64>) -> (String, &'static str) {
    let (Some(left), Some(right)) = (left, right) else { return ("\u{2013}".to_owned(), "none") };
    let by = right - left;
    if by.abs() < 0.005 {
        return ("the same".to_owned(), "none");
    }
    let sign = if by > 0.0 { "+" } else { "\u{2212}" };
    let words = format!("{sign}{}", format!("{:.1}", by.abs()).trim_end_matches(".0"));
    match metric.better {
        Better::Neither => (words, "none"),
        Better::Higher if by > 0.0 => (format!("{words}, better"), "good"),
        Better::Lower if by < 0.0 => (format!("{words}, better"), "good"),
        _ => (format!("{words}, worse"), "bad"),
    }
}

#[component]
fn Metrics(left: Arc<RunRecord>, right: Arc<RunRecord>) -> impl IntoView {
    let judges: BTreeSet<String> = left.scores.keys().chain(right.scores.keys()).cloned().collect();
    if judges.is_empty() {
        return view! { <p class="inspect__line">"Neither run has figures: a run has them once it is over."</p> }.into_any();
    }
    let value = |run: &RunRecord, judge: &str, metric: &Metric| {
        run.scores.get(judge).and_then(|score| score.values.get(metric.name).copied().flatten())
    };
    let tables = judges.into_iter().map(|judge| {
        let rows = NAMES.iter().map(|metric| {
            let (a, b) = (value(&left, &judge, metric), value(&right, &judge, metric));
            let (words, class) = change(metric, a, b);
            view! {
                <tr data-testid="run-metric" data-name=metric.name data-change=class>
                    <th scope="row" title=metric.meaning>{metric.title}</th>
                    <td>{shown(metric, a)}</td>
                    <td>{shown(metric, b)}</td>
                    <td><span class=format!("beside__change beside__change--{class}")>{words}</span></td>
                </tr>
            }
        });
        view! {
            <h4 class="inspect__title">{format!("By the {judge}")}</h4>
            <table class="beside__table">
                <thead><tr><th scope="col">"metric"</th><th scope="col">"left"</th><th scope="col">"right"</th><th scope="col">"difference"</th></tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        }
    });
    view! {
        <section class="beside__part" aria-labelledby="beside-metrics">
            <h3 class="inspect__title" id="beside-metrics">"What they came to"</h3>
            <p class="inspect__line">"One run each: a difference says what happened, not what would happen again. An experiment does."</p>
            {tables.collect_view()}
        </section>
    }
    .into_any()
}

/// The turns of both as two strips, one above the other.
#[component]
fn Turns(left: Arc<RunRecord>, right: Arc<RunRecord>, selected: RwSignal<u32>) -> impl IntoView {
    let all = numbers(&left, &right);
    let apart = all.iter().filter(|turn| differs(&left, &right, **turn)).count();
    let cells = all.into_iter().map(|turn| {
        let side = |run: &RunRecord| {
            turn_of(run, turn).map_or(("not played".to_owned(), "none"), |turn| {
                badge(turn).unwrap_or(("not judged".to_owned(), "none"))
            })
        };
        let (a, b) = (side(&left), side(&right));
        let differ = differs(&left, &right, turn);
        let words = format!(
            "Turn {turn}: left {}, right {}{}",
            a.0,
            b.0,
            if differ { "; they differ" } else { "; the same" }
        );
        view! {
            <li>
                <button
                    type="button"
                    class="beside__turn"
                    data-testid="run-pair"
                    data-turn=turn.to_string()
                    data-differs=differ.to_string()
                    title=words.clone()
                    aria-label=words
                    aria-pressed=move || (selected.get() == turn).to_string()
                    on:click=move |_| selected.set(turn)
                >
                    <span class=format!("beside__cell beside__cell--{}", a.1) aria-hidden="true"></span>
                    <span class=format!("beside__cell beside__cell--{}", b.1) aria-hidden="true"></span>
                    <span aria-hidden="true">{if differ { "\u{2260}" } else { "=" }}</span>
                    <span class="beside__count" aria-hidden="true">{turn}</span>
                </button>
            </li>
        }
    });
    view! {
        <section class="beside__part" aria-labelledby="beside-turns">
            <h3 class="inspect__title" id="beside-turns">"Turn by turn"</h3>
            <p class="inspect__line">{format!("{} of what was said or what came of it. The upper mark is the left run\u{2019}s outcome, the lower the right one\u{2019}s.", format::count(apart, "turn differs in some", "turns differ in some"))}</p>
            <ol class="beside__strip">{cells.collect_view()}</ol>
        </section>
    }
}

/// One turn of both.
#[component]
fn Turn(left: Arc<RunRecord>, right: Arc<RunRecord>, turn: u32) -> impl IntoView {
    let (a, b) = (turn_of(&left, turn).cloned(), turn_of(&right, turn).cloned());
    let kind = a.as_ref().or(b.as_ref()).map(|turn| kind_word(turn.kind)).unwrap_or_default();
    let missing = match (&a, &b) {
        (None, _) => Some("The left run has no such turn."),
        (_, None) => Some("The right run has no such turn."),
        _ => None,
    };
    let said = verdicts(a.as_ref(), b.as_ref());
    let set =
        |turn: &Option<TurnRecord>| turn.as_ref().map(|turn| turn.units_after.clone()).unwrap_or_default();
    let (same, apart): (Vec<UnitPair>, Vec<UnitPair>) =
        units(&set(&a), &set(&b)).into_iter().partition(UnitPair::is_same);
    let text =
        |of: &Option<TurnRecord>, get: fn(&TurnRecord) -> String| of.as_ref().map(get).unwrap_or_default();
    let player = (text(&a, |turn| turn.player.clone()), text(&b, |turn| turn.player.clone()));
    let reply = (text(&a, reply_of), text(&b, reply_of));
    let prompts = (text(&a, prompt), text(&b, prompt));
    view! {
        <section class="beside__part" data-testid="run-pair-turn" data-turn=turn.to_string() aria-label=format!("Turn {turn} of both runs")>
            <h3 class="inspect__title">{format!("Turn {turn}, {kind}")}</h3>
            {missing.map(|words| view! { <p class="inspect__line">{words}</p> })}
            <Words label="Player" left=player.0 right=player.1 />
            <Words label="Narrator" left=reply.0 right=reply.1 />
            <Verdicts said />
            <h4 class="inspect__title">{format!("Working sets: {}, {} alike", format::count(apart.len(), "unit differs", "units differ"), same.len())}</h4>
            <table class="beside__table" data-testid="run-pair-units" data-count=apart.len().to_string()>
                <thead><tr><th scope="col">"unit"</th><th scope="col">"left"</th><th scope="col">"right"</th></tr></thead>
                <tbody>
                    {apart.iter().map(|pair| view! {
                        <tr><th scope="row">{pair.text.clone()}</th><td><At place=pair.left /></td><td><At place=pair.right /></td></tr>
                    }).collect_view()}
                </tbody>
            </table>
            <details class="inspect__part" data-testid="run-pair-prompt">
                <summary>{if prompts.0 == prompts.1 { "The prompt, the same in both" } else { "The prompts, line by line" }}</summary>
                <pre class="xray__text beside__diff" tabindex="0"><Diffed pieces=diff::lines(&prompts.0, &prompts.1) between="\n" /></pre>
            </details>
        </section>
    }
}

fn reply_of(turn: &TurnRecord) -> String {
    match &turn.failed {
        Some(why) => format!("No reply: {why}"),
        None => turn.reply.clone(),
    }
}

/// What one of the two said in both runs: once where it is the same; else each for itself, and what differs word by word.
#[component]
fn Words(label: &'static str, left: String, right: String) -> impl IntoView {
    if left == right {
        return view! { <p class="beside__said"><strong>{format!("{label}, in both: ")}</strong>{left}</p> }
            .into_any();
    }
    let pieces = diff::words(&left, &right);
    view! {
        <div class="beside__pair">
            <p class="beside__said"><strong>{format!("{label}, left: ")}</strong>{left}</p>
            <p class="beside__said"><strong>{format!("{label}, right: ")}</strong>{right}</p>
        </div>
        <details class="beside__said">
            <summary>"What differs, word by word"</summary>
            <p class="beside__diff" data-testid="run-pair-diff"><Diffed pieces /></p>
        </details>
    }
    .into_any()
}

#[component]
fn Verdicts(said: Vec<VerdictPair>) -> impl IntoView {
    if said.is_empty() {
        return view! { <p class="inspect__line">"This turn is judged in neither run."</p> }.into_any();
    }
    let cell = |word: Option<(&'static str, &'static str)>| match word {
        Some((word, class)) => {
            view! { <span class=format!("verdict verdict--{class}")>{word}</span> }.into_any()
        }
        None => view! { <span class="inspect__line">"\u{2013}"</span> }.into_any(),
    };
    view! {
        <table class="beside__table" data-testid="run-pair-verdicts">
            <thead><tr><th scope="col">"fact"</th><th scope="col">"left"</th><th scope="col">"right"</th></tr></thead>
            <tbody>
                {said.into_iter().map(|pair| view! {
                    <tr data-differs=(pair.left != pair.right).to_string()>
                        <th scope="row">{pair.fact}<span class="inspect__line">{format!(" by the {}", pair.judge)}</span></th>
                        <td>{cell(pair.left)}</td>
                        <td>{cell(pair.right)}</td>
                    </tr>
                }).collect_view()}
            </tbody>
        </table>
    }
    .into_any()
}

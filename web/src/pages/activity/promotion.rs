//! What was offered to the working set and what the gates said: every run with each candidate, gate by gate.

use credence::history::RecordId;
use credence::id::{CommitId, PromotionId};
use credence::promotion::{CandidateReport, Fate, PromotionGate, PromotionReport};
use leptos::prelude::*;

use crate::components::bars::{Bar, Bars};
use crate::components::icon::{Glyph, Icon};
use crate::components::unit::TrustParts;
use crate::projection::{commit_of, undone};
use crate::route::Page;
use crate::state::{App, AppMemory};
use crate::{actions, format};

/// Runs that are built at once.
const STEP: usize = 10;

/// One run.
#[derive(Debug, Clone, PartialEq)]
struct Run {
    report: PromotionReport,
    commit: Option<CommitId>,
    undone: bool,
}

fn runs(memory: &AppMemory, most: usize) -> (Vec<Run>, usize) {
    let undone = undone(memory);
    let reports: Vec<PromotionReport> = memory.state().promotions().rev().take(most).cloned().collect();
    let total = memory.state().promotions().count();
    let run = |report: PromotionReport| {
        let record = RecordId::Promotion(report.id);
        let commit = commit_of(memory, record);
        Run { undone: commit.is_some_and(|commit| undone.contains(&(commit, record))), commit, report }
    };
    (reports.into_iter().map(run).collect(), total)
}

/// How far all candidates came.
fn funnel(memory: &AppMemory) -> Vec<Bar> {
    let mut sums = [0usize; 8];
    for report in memory.state().promotions() {
        let f = report.funnel;
        let steps =
            [f.offered, f.candidates, f.confident, f.unique, f.unopposed, f.trusted, f.allowed, f.admitted];
        for (sum, step) in sums.iter_mut().zip(steps) {
            *sum += step as usize;
        }
    }
    let words = [
        "offered",
        "may stand there",
        "sure enough",
        "said by no unit yet",
        "against no unit that stays",
        "trusted enough",
        "allowed by the rules",
        "entered",
    ];
    words
        .into_iter()
        .zip(sums)
        .map(|(words, count)| Bar {
            key: words.replace(' ', "-"),
            words: words.to_owned(),
            count,
            muted: false,
        })
        .collect()
}

/// The section. Absent while nothing was offered.
#[component]
pub(super) fn Promotions() -> impl IntoView {
    let app = App::get();
    let most = RwSignal::new(STEP);
    let listed = Memo::new(move |_| {
        app.units.track();
        app.facts.track();
        app.read(|memory| runs(memory, most.get()))
    });
    let total = Memo::new(move |_| listed.with(|(_, total)| *total));
    let bars = Memo::new(move |_| {
        total.track();
        app.read(funnel)
    });
    view! {
        <Show when=move || total.get() != 0>
            <section aria-labelledby="activity-promotions">
                <h2 class="section__title" id="activity-promotions">"What was offered to the working set"</h2>
                <div class="card">{move || view! { <Bars label="How far candidates came" bars=bars.get() in_order=true /> }}</div>
                <ol class="windows" data-testid="promotions" data-count=move || total.get().to_string()>
                    <For each=move || listed.with(|(runs, _)| runs.clone()) key=|run| (run.report.id, run.undone) let(run)>
                        <RunItem run />
                    </For>
                </ol>
                <Show when=move || listed.with(|(runs, _)| runs.len()) < total.get()>
                    <button type="button" class="button memory__more" on:click=move |_| most.update(|most| *most += STEP)>"Show more"</button>
                </Show>
            </section>
        </Show>
    }
}

#[component]
fn RunItem(run: Run) -> impl IntoView {
    let app = App::get();
    let is_open = RwSignal::new(false);
    let Run { report, commit, undone } = run;
    let id: PromotionId = report.id;
    let entered = report.count(Fate::Promoted) + report.count(Fate::Revived);
    let title = format!("{} offered, {entered} entered", format::grouped(report.candidates.len()));
    let calls = match report.calls {
        0 => "no model".to_owned(),
        n => format::count(n as usize, "model call", "model calls"),
    };
    let meta = format!("{}, {} places, {calls}", format::instant(report.at), report.budget);
    let kept = StoredValue::new(report);
    view! {
        <li class="commit" class:commit--undone=undone data-testid="promotion" data-promotion=id.to_string() data-undone=undone.then_some("true")>
            <button type="button" class="commit__head" data-testid="promotion-open" aria-expanded=move || is_open.get().to_string() on:click=move |_| is_open.update(|open| *open = !*open)>
                <span class="commit__what">
                    <span class="commit__reason">{title}</span>
                    <span class="commit__meta">{meta}</span>
                </span>
                <Icon glyph=Glyph::Down />
            </button>
            <Show when=move || is_open.get()>
                <div class="promotion__body">
                    {kept.with_value(|report| report.notes.clone()).into_iter().map(|note| view! { <p class="xray__caveat">{format::sentence(&note)}</p> }).collect_view()}
                    <ul>
                        {kept.with_value(|report| report.candidates.clone()).into_iter().map(|candidate| view! { <Candidate candidate /> }).collect_view()}
                    </ul>
                    {commit.filter(|_| !undone).map(|commit| view! {
                        <button type="button" class="button button--small" data-testid="promotion-undo" on:click=move |_| actions::facts::undo(app, commit, None)>
                            <Icon glyph=Glyph::Undo />
                            "Take this run back"
                        </button>
                    })}
                </div>
            </Show>
        </li>
    }
}

fn gate_label(gate: PromotionGate) -> &'static str {
    match gate {
        PromotionGate::Candidate => "candidate",
        PromotionGate::Confidence => "confidence",
        PromotionGate::Dedup => "duplicate",
        PromotionGate::Conflict => "conflict",
        PromotionGate::Trust => "trust",
        PromotionGate::Invariants => "rules",
        PromotionGate::Budget => "place",
    }
}

fn fate_label(fate: Fate) -> (&'static str, &'static str) {
    match fate {
        Fate::Promoted => ("promoted", "entered"),
        Fate::Revived => ("revived", "back again"),
        Fate::Reinforced => ("reinforced", "more evidence"),
        Fate::Known => ("known", "was in it"),
        Fate::Duplicate => ("duplicate", "said already"),
        Fate::Review => ("review", "you are asked"),
        Fate::Quarantined => ("quarantined", "kept back"),
        Fate::Disputed => ("disputed", "in dispute"),
        Fate::Waiting => ("waiting", "no place"),
        Fate::LeftOut => ("left-out", "left out"),
    }
}

#[component]
fn Candidate(candidate: CandidateReport) -> impl IntoView {
    let (word, label) = fate_label(candidate.fate);
    let entered = matches!(candidate.fate, Fate::Promoted | Fate::Revived | Fate::Reinforced | Fate::Known);
    view! {
        <li class="candidate" data-testid="candidate" data-fate=word data-proposition=candidate.proposition.to_string()>
            <p class="candidate__head">
                <a class="then__text" href=Page::Proposition(candidate.proposition).href()>{candidate.text}</a>
                <span class="tag" class:tag--struck=!entered>{label}</span>
            </p>
            <ol class="gates" aria-label="Gates">
                {candidate
                    .gates
                    .into_iter()
                    .map(|answer| view! {
                        <li class="gates__gate" class:gates__gate--stop=!answer.passed title=answer.why.clone() data-testid="gate" data-passed=answer.passed.to_string()>
                            {if answer.passed { "\u{2713} " } else { "\u{2715} " }}
                            {gate_label(answer.gate)}
                        </li>
                    })
                    .collect_view()}
            </ol>
            <p class="pair__why">{format::sentence(&candidate.reason)}</p>
            {candidate
                .conflicts
                .into_iter()
                .map(|conflict| view! {
                    <p class="pair__why">
                        "Against "
                        <a href=Page::Proposition(conflict.with).href()>"another statement"</a>
                        {format!(" ({}, {} sure): {}. {}", conflict.kind.to_lowercase(), format::percent(conflict.confidence), conflict.outcome.to_lowercase().replace('_', " "), format::sentence(&conflict.why))}
                    </p>
                })
                .collect_view()}
            {candidate.trust.map(|audit| view! {
                <details class="xray__message">
                    <summary>{format!("Trust {:.2}", audit.score)}</summary>
                    <TrustParts audit />
                </details>
            })}
        </li>
    }
}

//! Tidying: looking at what time and repetition have done to the memory, and putting it in order on request. Each run is kept
//! with every statement that it picked out, and why.

use std::collections::BTreeMap;

use credence::history::RecordId;
use credence::id::{CommitId, PropositionId};
use credence::maintenance::{Mark, MarkOutcome, Pass, PassReport, RunReport};
use leptos::prelude::*;

use crate::actions::upkeep::{self, Upkeep};
use crate::components::icon::{Glyph, Icon};
use crate::projection::{commit_of, status_label, undone};
use crate::route::Page;
use crate::state::App;
use crate::{actions, format};

/// Runs that are listed at once.
const MOST: usize = 10;

/// A run, its commit, whether it was undone, and the texts of what it names.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    report: RunReport,
    commit: Option<CommitId>,
    undone: bool,
    texts: BTreeMap<PropositionId, String>,
}

/// The card.
#[component]
pub(super) fn Tidy() -> impl IntoView {
    let app = App::get();
    let running = RwSignal::new_local(None::<Upkeep>);
    let rows = Memo::new(move |_| {
        app.facts.track();
        app.analysis.track();
        app.read(|memory| {
            let undone = undone(memory);
            let state = memory.state();
            let row = |report: &RunReport| {
                let commit = commit_of(memory, RecordId::Run(report.id));
                let named =
                    report.marks().flat_map(|mark| std::iter::once(mark.proposition).chain(mark.survivor));
                Row {
                    undone: commit.is_some_and(|commit| {
                        report
                            .marks()
                            .any(|m| undone.contains(&(commit, RecordId::Proposition(m.proposition))))
                    }),
                    commit,
                    texts: named.filter_map(|id| Some((id, state.proposition(id)?.text.clone()))).collect(),
                    report: report.clone(),
                }
            };
            state.runs().rev().take(MOST).map(row).collect::<Vec<_>>()
        })
    });
    let busy = move || running.with(Option::is_some);
    view! {
        <section class="card" aria-labelledby="activity-tidy" data-testid="tidy" data-running=move || busy().to_string()>
            <h2 class="card__title" id="activity-tidy">"Tidying"</h2>
            <p class="card__text">
                "Joins statements that say the same, retires what has faded, and settles what cannot both hold. Pinned statements are never touched; nothing is deleted."
            </p>
            <p class="card__acts">
                <button type="button" class="button" data-testid="tidy-look" disabled=busy on:click=move |_| upkeep::tidy(app, true, running)>
                    <Icon glyph=Glyph::Eye />
                    "See what would change"
                </button>
                <button type="button" class="button" data-testid="tidy-do" disabled=busy on:click=move |_| upkeep::tidy(app, false, running)>
                    <Icon glyph=Glyph::Check />
                    "Tidy up"
                </button>
            </p>
            {move || running.get().map(|run| view! {
                <div class="tidy__progress" role="status">
                    <progress class="progress" max=run.total.to_string() value=run.done.to_string()></progress>
                    <span>{if run.dry { "Looking\u{2026}" } else { "Tidying\u{2026}" }}</span>
                    <button type="button" class="button button--small" data-testid="tidy-cancel" on:click=move |_| run.cancel.cancel()>"Stop"</button>
                </div>
            })}
            <ol class="windows" data-testid="runs" data-count=move || rows.with(Vec::len).to_string()>
                <For each=move || rows.get() key=|row| (row.report.id, row.undone) let(row)>
                    <RunItem row />
                </For>
            </ol>
        </section>
    }
}

#[component]
fn RunItem(row: Row) -> impl IntoView {
    let app = App::get();
    let Row { report, commit, undone, texts } = row;
    let changed = report.transitioned();
    let marks = report.marks().count();
    let title = match (report.dry, marks, changed) {
        (_, 0, _) => "Nothing to tidy".to_owned(),
        (true, ..) => format!("{} would be touched", format::count(marks, "statement", "statements")),
        (false, ..) => format!("{} changed standing", format::count(changed, "statement", "statements")),
    };
    let commit = commit.filter(|_| !report.dry && !undone && changed > 0);
    view! {
        <li class="window" class:window--undone=undone data-testid="run" data-dry=report.dry.to_string() data-undone=undone.to_string()>
            <details>
                <summary class="window__head" data-testid="run-open">
                    <span class="window__title">{title}{undone.then_some(", undone")}</span>
                    <span class="window__by">
                        {if report.dry { "only looked, " } else { "" }}
                        {(report.calls > 0).then(|| format!("{}, ", format::count(report.calls as usize, "call", "calls")))}
                        {format::instant(report.at)}
                    </span>
                </summary>
                <div class="decisions">
                    {report.passes.into_iter().map(|pass| view! { <PassItem pass texts=texts.clone() /> }).collect_view()}
                    {report.notes.into_iter().map(|note| view! { <p class="decision__why">{note}</p> }).collect_view()}
                </div>
                {commit.map(|commit| view! {
                    <p class="window__acts">
                        <button type="button" class="button button--small" data-testid="run-undo" on:click=move |_| actions::facts::undo(app, commit, None)>
                            <Icon glyph=Glyph::Undo />
                            "Undo all of it"
                        </button>
                    </p>
                })}
            </details>
        </li>
    }
}

fn pass_words(pass: Pass) -> &'static str {
    match pass {
        Pass::SessionConsolidation => "New against known",
        Pass::Duplicates => "Said twice",
        Pass::Abstraction => "Summing up",
        Pass::ContradictionResolution => "Cannot both hold",
        Pass::DecaySweep => "Faded, or back",
        Pass::Custom => "Marked by hand",
    }
}

fn outcome_words(outcome: &MarkOutcome) -> String {
    match outcome {
        MarkOutcome::Marked => "would change".to_owned(),
        MarkOutcome::Transitioned { to } => status_label(*to).to_lowercase(),
        MarkOutcome::Written => "kept, with more evidence".to_owned(),
        MarkOutcome::HardDeleted => "deleted".to_owned(),
        MarkOutcome::Skipped { why } => format!("left: {why}"),
    }
}

#[component]
fn PassItem(pass: PassReport, texts: BTreeMap<PropositionId, String>) -> impl IntoView {
    let text =
        |id: PropositionId| texts.get(&id).cloned().unwrap_or_else(|| "a statement that is gone".to_owned());
    let mark = |mark: Mark| {
        view! {
            <li class="decision" data-testid="run-mark" data-key=mark.key.clone()>
                <a class="decision__text" href=Page::Proposition(mark.proposition).href()>{text(mark.proposition)}</a>
                <p class="decision__why">
                    <span class="tag">{outcome_words(&mark.outcome)}</span>
                    <span>{mark.why.clone()}</span>
                    {mark.survivor.map(|id| view! { <span>"stays: " <a href=Page::Proposition(id).href()>{text(id)}</a></span> })}
                </p>
            </li>
        }
    };
    view! {
        <h3 class="plot__title">
            {pass_words(pass.pass)}
            {format!(": {} looked at, {} changed", format::grouped(pass.examined as usize), format::grouped(pass.changed as usize))}
        </h3>
        {pass.skipped.map(|why| view! { <p class="decision__why">{format::sentence(&why)}</p> })}
        {pass.error.map(|why| view! { <p class="waiting__why"><Icon glyph=Glyph::Alert /><span>{format::sentence(&why)}</span></p> })}
        <ul class="decisions__list">{pass.marks.into_iter().map(mark).collect_view()}</ul>
        {(!pass.notes.is_empty()).then(|| view! {
            <ul class="decisions__notes">{pass.notes.into_iter().map(|note| view! { <li>{note}</li> }).collect_view()}</ul>
        })}
    }
}

//! Sweeps over the working set: what each looked at, changed, merged, took out and was kept from doing.

use std::collections::BTreeMap;

use credence::history::RecordId;
use credence::id::{CommitId, PropositionId};
use credence::llm::Cancel;
use credence::upkeep::{SweepKind, SweepReport};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::actions::alone::alone;
use crate::components::icon::{Glyph, Icon};
use crate::projection::{commit_of, undone};
use crate::route::Page;
use crate::state::{App, ToastKind};
use crate::{actions, format};

/// Sweeps that are listed at once.
const MOST: usize = 10;

#[derive(Debug, Clone, PartialEq)]
struct Row {
    report: SweepReport,
    commit: Option<CommitId>,
    undone: bool,
    texts: BTreeMap<PropositionId, String>,
}

/// The card.
#[component]
pub(super) fn Sweeps() -> impl IntoView {
    let app = App::get();
    let running = RwSignal::new_local(None::<Cancel>);
    let rows = Memo::new(move |_| {
        app.units.track();
        app.facts.track();
        app.read(|memory| {
            let undone = undone(memory);
            let row = |report: SweepReport| {
                let record = RecordId::Sweep(report.id);
                let commit = commit_of(memory, record);
                let state = memory.state();
                let named = report
                    .effects
                    .iter()
                    .map(|effect| effect.change.unit)
                    .chain(report.merged.iter().map(|(gone, _)| *gone))
                    .chain(report.blocked.iter().map(|block| block.objection.unit));
                let texts = named.filter_map(|id| Some((id, state.proposition(id)?.text.clone()))).collect();
                Row { undone: commit.is_some_and(|c| undone.contains(&(c, record))), commit, texts, report }
            };
            let mut reports = memory.sweeps();
            reports.sort_by_key(|report| std::cmp::Reverse(report.id));
            reports.into_iter().take(MOST).map(row).collect::<Vec<_>>()
        })
    });
    let has_units = Memo::new(move |_| {
        app.units.track();
        app.read(|memory| !memory.working_set().is_empty())
    });
    let sweep = move |dry: bool| {
        let Some(memory) = app.memory() else { return };
        let cancel = Cancel::new();
        running.set(Some(cancel.clone()));
        spawn_local(async move {
            let sweeping = async || memory.sweep(SweepKind::Full, dry, &cancel).await;
            let outcome = alone(app, &memory, sweeping).await;
            // The page may have been left meanwhile.
            let _ = running.try_set(None);
            let Some(outcome) = outcome else { return };
            match outcome {
                Ok(report) => {
                    let changed = report.effects.len() + report.merged.len();
                    let words = match (changed, dry) {
                        (0, _) => "The working set is in order".to_owned(),
                        (n, true) => format!(
                            "{} would be made; nothing was changed",
                            format::count(n, "change", "changes")
                        ),
                        (n, false) => format!("{} made", format::count(n, "change", "changes")),
                    };
                    app.toast(ToastKind::Info, words);
                }
                Err(credence::error::Error::Cancelled) => {
                    app.toast(ToastKind::Info, "Stopped; nothing was changed")
                }
                Err(error) => app.fail("The working set could not be looked through", &error),
            }
        });
    };
    let busy = move || running.with(Option::is_some);
    view! {
        <Show when=move || has_units.get() || rows.with(|rows| !rows.is_empty())>
            <section class="card" aria-labelledby="activity-sweeps" data-testid="sweeps" data-count=move || rows.with(Vec::len).to_string() data-running=move || busy().to_string()>
                <h2 class="card__title" id="activity-sweeps">"Keeping the working set"</h2>
                <p class="card__text">
                    "Scores every unit, raises what is used, lowers what is not, joins what says the same, and takes out what is not worth its place. Canon and pinned ones are never touched."
                </p>
                <p class="card__acts">
                    <button type="button" class="button" data-testid="sweep-look" disabled=busy on:click=move |_| sweep(true)>
                        <Icon glyph=Glyph::Eye />
                        "See what would change"
                    </button>
                    <button type="button" class="button" data-testid="sweep-do" disabled=busy on:click=move |_| sweep(false)>
                        <Icon glyph=Glyph::Check />
                        "Look through it"
                    </button>
                    {move || running.get().map(|cancel| view! {
                        <button type="button" class="button button--small" data-testid="sweep-cancel" on:click=move |_| cancel.cancel()>"Stop"</button>
                    })}
                </p>
                <ol class="windows">
                    <For each=move || rows.get() key=|row| (row.report.id, row.undone) let(row)>
                        <SweepItem row />
                    </For>
                </ol>
            </section>
        </Show>
    }
}

#[component]
fn SweepItem(row: Row) -> impl IntoView {
    let app = App::get();
    let Row { report, commit, undone, texts } = row;
    let text =
        |id: PropositionId| texts.get(&id).cloned().unwrap_or_else(|| "a unit that is gone".to_owned());
    let line = |id: PropositionId, what: String| {
        view! {
            <li class="decision">
                <a class="decision__text" href=Page::Proposition(id).href()>{text(id)}</a>
                <p class="decision__why">{format::sentence(&what)}</p>
            </li>
        }
    };
    let changed = report.effects.len() + report.merged.len();
    let title = match (report.dry, changed) {
        (_, 0) => format!("{} looked at, all in order", format::count(report.audited.len(), "unit", "units")),
        (true, n) => format!("{} would be made", format::count(n, "change", "changes")),
        (false, n) => format!("{} made", format::count(n, "change", "changes")),
    };
    let effects = report
        .effects
        .iter()
        .map(|effect| line(effect.change.unit, effect.change.why.clone()))
        .collect_view();
    let merged = report
        .merged
        .iter()
        .map(|(gone, into)| line(*gone, format!("joined with \u{201c}{}\u{201d}", text(*into))))
        .collect_view();
    let blocked = report
        .blocked
        .iter()
        .map(|block| line(block.objection.unit, format!("left: {}", block.objection.words)))
        .collect_view();
    let back = commit.filter(|_| !report.dry && !undone && changed > 0);
    view! {
        <li class="window" class:window--undone=undone data-testid="sweep" data-dry=report.dry.to_string() data-undone=undone.to_string()>
            <details>
                <summary class="window__head">
                    <span class="window__title">{title}{undone.then_some(", undone")}</span>
                    <span class="window__by">
                        {if report.dry { "only looked, " } else { "" }}
                        {format!("pressure {}, ", format::percent(report.pressure))}
                        {format::instant(report.at)}
                    </span>
                </summary>
                <ul class="decisions__list">{effects}{merged}{blocked}</ul>
                {report.rolled_back.into_iter().map(|why| view! { <p class="decision__why">{format!("Nothing was written: {why}")}</p> }).collect_view()}
                {back.map(|commit| view! {
                    <p class="window__acts">
                        <button type="button" class="button button--small" data-testid="sweep-undo" on:click=move |_| actions::facts::undo(app, commit, None)>
                            <Icon glyph=Glyph::Undo />
                            "Undo all of it"
                        </button>
                    </p>
                })}
            </details>
        </li>
    }
}

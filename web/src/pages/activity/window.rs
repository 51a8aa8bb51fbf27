//! One window: a line that says what came of it, and under it every decision with its reason.

use std::sync::Arc;

use credence::extraction::{AnalysisReport, OutcomeKind};
use credence::gate::GateDecision;
use credence::proposition::Extractor;
use credence::resolution::ResolutionOutcome;
use leptos::prelude::*;

use super::figures::{outcome_words, resolution_words};
use crate::components::icon::{Glyph, Icon};
use crate::projection::WindowRow;
use crate::route::Page;
use crate::state::App;
use crate::{actions, format};

/// A window; unfolded on request, so that a long list stays quick.
#[component]
pub(super) fn WindowItem(row: WindowRow) -> impl IntoView {
    let app = App::get();
    let open = RwSignal::new(false);
    let report = StoredValue::new(row.report.clone());
    let undone = row.undone;
    let commit = row.commit.filter(|_| !undone);
    let has_effect = !row.written.is_empty();
    let written = StoredValue::new(row.written);
    view! {
        <li class="window" class:window--undone=undone data-testid="window" data-analysis=row.id.to_string() data-undone=undone.to_string()>
            <details on:toggle=move |event| open.set(event_target::<web_sys::Element>(&event).has_attribute("open"))>
                <summary class="window__head" data-testid="window-open">
                    <span class="window__title">{headline(&row.report)}</span>
                    <span class="window__span">{place(&row.report, &row.title)}</span>
                    <span class="window__sums">{sums(&row.report)}{undone.then_some(", undone")}</span>
                    <span class="window__by">{by(&row.report)}", "{format::instant(row.at)}</span>
                </summary>
                <Show when=move || open.get()>
                    <Decisions report=report.get_value() />
                    <p class="window__acts">
                        {row.place.map(|(conversation, turn)| view! {
                            <a class="button button--small" href=Page::Chat(Some(conversation), Some(turn)).href()>
                                <Icon glyph=Glyph::Eye />
                                "See the turns"
                            </a>
                        })}
                        {commit.filter(|_| has_effect).map(|commit| view! {
                            <button
                                type="button"
                                class="button button--small"
                                data-testid="window-undo"
                                on:click=move |_| actions::facts::undo(app, commit, Some(written.get_value()))
                            >
                                <Icon glyph=Glyph::Undo />
                                "Undo all of it"
                            </button>
                        })}
                    </p>
                </Show>
            </details>
        </li>
    }
}

/// What came of it, in the words of the first statement.
fn headline(report: &AnalysisReport) -> String {
    match &report.outcomes[..] {
        [] => "Nothing to keep".to_owned(),
        [only] => only.text.clone(),
        [first, rest @ ..] => {
            format!("{} and {} more", first.text.trim_end_matches(['.', '\u{3002}']), rest.len())
        }
    }
}

fn place(report: &AnalysisReport, title: &str) -> String {
    match report.to.saturating_sub(report.from) {
        _ if report.conversation.uuid().is_nil() => title.to_owned(),
        0 | 1 => format!("turn {} of \u{201c}{title}\u{201d}", report.from + 1),
        _ => format!("turns {} to {} of \u{201c}{title}\u{201d}", report.from + 1, report.to),
    }
}

fn by(report: &AnalysisReport) -> String {
    let who = match &report.extractor {
        Extractor::Rules => "built-in rules".to_owned(),
        Extractor::Model { model } => model.clone(),
        Extractor::Person => "by hand".to_owned(),
        Extractor::Import => "imported".to_owned(),
    };
    match report.calls {
        0 => who,
        calls => format!(
            "{who}, {}, {} tokens",
            format::count(calls as usize, "call", "calls"),
            format::grouped((report.prompt_tokens + report.completion_tokens) as usize),
        ),
    }
}

fn sums(report: &AnalysisReport) -> String {
    let kinds = [
        OutcomeKind::New,
        OutcomeKind::Merged,
        OutcomeKind::Reinforced,
        OutcomeKind::Contradicted,
        OutcomeKind::Generalized,
        OutcomeKind::Disputed,
        OutcomeKind::Outdated,
    ];
    let mut parts: Vec<String> = kinds
        .into_iter()
        .map(|kind| (kind, report.count(kind)))
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| format!("{count} {}", outcome_words(kind)))
        .collect();
    if !report.dropped.is_empty() {
        parts.push(format!("{} left out", report.dropped.len()));
    }
    if parts.is_empty() { "nothing to keep".to_owned() } else { parts.join(", ") }
}

/// Everything that was decided in a window.
#[component]
fn Decisions(report: Arc<AnalysisReport>) -> impl IntoView {
    view! {
        <div class="decisions">
            {(!report.outcomes.is_empty()).then(|| view! {
                <h3 class="plot__title">"Statements"</h3>
                <ul class="decisions__list">
                    {report.outcomes.iter().map(|outcome| view! {
                        <li class="decision" data-testid="decision" data-kind=format!("{:?}", outcome.kind).to_lowercase()>
                            <a class="decision__text" href=Page::Proposition(outcome.proposition).href()>{outcome.text.clone()}</a>
                            <p class="decision__why">
                                <span class="tag">{outcome_words(outcome.kind)}</span>
                                <span>{outcome.why.clone()}</span>
                            </p>
                        </li>
                    }).collect_view()}
                </ul>
            })}
            {(!report.dropped.is_empty()).then(|| view! {
                <h3 class="plot__title">"Left out"</h3>
                <ul class="decisions__list">
                    {report.dropped.iter().map(|dropped| view! {
                        <li class="decision" data-testid="decision-dropped">
                            {(!dropped.text.is_empty()).then(|| view! { <q class="decision__text">{dropped.text.clone()}</q> })}
                            <p class="decision__why">
                                <span>
                                    {dropped.reason.explain()}
                                    {(!dropped.detail.is_empty()).then(|| format!(" ({})", dropped.detail))}
                                </span>
                            </p>
                        </li>
                    }).collect_view()}
                </ul>
            })}
            {(!report.resolutions.is_empty()).then(|| view! {
                <h3 class="plot__title">"Who and what was meant"</h3>
                <ul class="decisions__list">
                    {report.resolutions.iter().map(|resolved| view! { <Resolved resolved=resolved.clone() /> }).collect_view()}
                </ul>
            })}
            {(!report.mentions.rejections.is_empty()).then(|| view! {
                <h3 class="plot__title">"Mentions that name nobody and nothing in particular"</h3>
                <ul class="decisions__list">
                    {report.mentions.rejections.iter().map(|rejected| view! {
                        <li class="decision" data-testid="decision-mention">
                            <span class="decision__text">{rejected.span.clone()}</span>
                            <p class="decision__why">
                                {(!rejected.kind.is_empty()).then(|| view! { <span class="tag">{rejected.kind.clone()}</span> })}
                                <span>{rejected.reason.clone()}</span>
                            </p>
                        </li>
                    }).collect_view()}
                </ul>
            })}
            {report.gates.iter().any(|gate| gate.decision != GateDecision::Persist).then(|| view! {
                <h3 class="plot__title">"What the gates said"</h3>
                <ul class="decisions__list">
                    {report
                        .gates
                        .iter()
                        .filter(|gate| gate.decision != GateDecision::Persist)
                        .map(|gate| view! {
                            <li class="decision" data-testid="decision-gate">
                                <q class="decision__text">{gate.text.clone()}</q>
                                <p class="decision__why"><span>{gate_words(&gate.decision)}</span></p>
                            </li>
                        })
                        .collect_view()}
                </ul>
            })}
            {(!report.redacted.is_empty()).then(|| {
                let kinds: Vec<String> = report.redacted.iter().map(|(kind, count)| format!("{count} \u{d7} {kind}")).collect();
                view! { <p class="decision__why">{format!("Credentials taken out before anything was read: {}", kinds.join(", "))}</p> }
            })}
            {(!report.notes.is_empty()).then(|| view! {
                <h3 class="plot__title">"Notes"</h3>
                <ul class="decisions__notes">{report.notes.iter().map(|note| view! { <li>{note.clone()}</li> }).collect_view()}</ul>
            })}
        </div>
    }
}

/// What a mention was taken for, and what else it may have been.
#[component]
fn Resolved(resolved: ResolutionOutcome) -> impl IntoView {
    let app = App::get();
    let name = move |id| {
        app.read(|memory| memory.state().keeper(id).map(|entity| entity.name.clone()))
            .unwrap_or_else(|| "gone".to_owned())
    };
    let span = resolved.span.clone();
    view! {
        <li class="decision" data-testid="decision-resolved" data-outcome=format!("{:?}", resolved.outcome).to_lowercase()>
            {match resolved.entity {
                Some(id) => view! { <a class="decision__text" href=Page::Entity(id).href()>{span}</a> }.into_any(),
                None => view! { <span class="decision__text">{span}</span> }.into_any(),
            }}
            <p class="decision__why">
                <span class="tag">{resolution_words(resolved.outcome)}</span>
                {(!resolved.kind.is_empty()).then(|| view! { <span>{resolved.kind.clone()}</span> })}
                <span>{resolved.why.clone()}</span>
            </p>
            {(!resolved.candidates.is_empty()).then(|| view! {
                <p class="decision__why">
                    "could also be: "
                    {resolved.candidates.iter().map(|(id, score)| view! {
                        <a href=Page::Entity(*id).href()>{name(*id)}</a>
                        {format!(" ({})", format::percent(*score))}
                    }).collect_view()}
                </p>
            })}
        </li>
    }
}

fn gate_words(decision: &GateDecision) -> String {
    match decision {
        GateDecision::Persist => "stored".to_owned(),
        GateDecision::Reject { reason } => format!("refused: {reason}"),
        GateDecision::RouteToReview { reason } => format!("waits for you: {reason}"),
        GateDecision::SkipProjection { reason } => format!("stored, not projected: {reason}"),
        GateDecision::Demote { to, reason } => format!("stored as \u{201c}{to}\u{201d}: {reason}"),
    }
}

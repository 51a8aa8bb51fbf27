//! The conversation of a run, a message each for player and narrator with what the judges say of the reply, and the turns as a strip.

use std::sync::Arc;

use credence_sim::run::TurnRecord;
use credence_sim::scenario::TurnKind;
use credence_sim::verdict::{Ruling, Severity};
use leptos::html;
use leptos::prelude::*;

use super::watched::Watched;
use crate::format;
use crate::simulation::Asked;
use crate::state::App;

/// Milliseconds of the page's clock above which a turn is told as slow (simulator 6.2).
const SLOW_MS: u32 = 30_000;

/// The kind of a turn in a word.
pub(crate) fn kind_word(kind: TurnKind) -> &'static str {
    match kind {
        TurnKind::WarmUp => "warm-up",
        TurnKind::Establish => "establish",
        TurnKind::Attack => "attack",
        TurnKind::Displacement => "displacement",
        TurnKind::Drift => "drift",
        TurnKind::RecallProbe => "recall probe",
    }
}

/// What became of the facts in a reply, by the first judge: the badge and how good that is.
pub(crate) fn badge(turn: &TurnRecord) -> Option<(String, &'static str)> {
    let judgement = turn.judgements.first()?;
    if judgement.failed.is_some() {
        return Some(("not judged".to_owned(), "none"));
    }
    let worst =
        judgement.verdicts.iter().filter(|v| v.ruling == Ruling::Contradicted).max_by_key(|v| v.severity);
    if let Some(worst) = worst {
        let severity = if worst.severity == Severity::Major { "major" } else { "minor" };
        return Some((format!("drift, {severity}"), "bad"));
    }
    if judgement.verdicts.iter().any(|v| v.ruling == Ruling::Confirmed) {
        let word = match turn.kind {
            TurnKind::Attack | TurnKind::Drift | TurnKind::Displacement => "held",
            TurnKind::RecallProbe => "recalled",
            _ => "confirmed",
        };
        return Some((word.to_owned(), "good"));
    }
    Some(("not mentioned".to_owned(), "none"))
}

/// The turns as a strip: above whether the working set was in the prompt, below what became of the facts.
#[component]
pub(super) fn Strip(watched: Watched) -> impl IntoView {
    view! {
        <ol class="strip" data-testid="sim-strip" aria-label="Turns">
            {move || watched.played.get().into_iter().map(|turn| {
                let number = turn.turn;
                let outcome = badge(&turn);
                let class = format!("strip__turn strip__turn--{}", outcome.as_ref().map_or("none", |(_, class)| class));
                let words = format!(
                    "Turn {number}, {}{}{}",
                    kind_word(turn.kind),
                    outcome.map(|(words, _)| format!(", {words}")).unwrap_or_default(),
                    if turn.injection { "" } else { ", memory left out" }
                );
                let symbol = match turn.kind {
                    TurnKind::WarmUp => "\u{b7}",
                    TurnKind::Establish => "\u{25aa}",
                    TurnKind::RecallProbe => "\u{25ce}",
                    _ => "\u{25c7}",
                };
                view! {
                    <li>
                        <button
                            type="button"
                            class=class
                            class:strip__turn--off=!turn.injection
                            title=words.clone()
                            aria-label=words
                            aria-pressed=move || (watched.selected.get() == Some(number)).to_string()
                            on:click=move |_| watched.selected.set(Some(number))
                        >
                            {symbol}
                        </button>
                    </li>
                }
            }).collect_view()}
        </ol>
    }
}

/// The messages.
#[component]
pub(crate) fn Talk(
    watched: Watched,
    /// Whose summary stands first.
    #[prop(into)]
    scenario: Signal<String>,
) -> impl IntoView {
    let app = App::get();
    let node = NodeRef::<html::Div>::new();
    Effect::new(move || {
        watched.played.track();
        watched.asked.track();
        if watched.selected.get_untracked().is_none() {
            request_animation_frame(move || {
                if let Some(log) = node.get_untracked() {
                    log.set_scroll_top(log.scroll_height());
                }
            });
        }
    });
    let summary = move || {
        let found = app.simulation.find(&scenario.get());
        found.map(|scenario| credence_sim::scenario::display::objective(&scenario))
    };
    view! {
        <div class="simulate__log" node_ref=node role="log" tabindex="0" aria-label="Messages" data-testid="sim-log" data-turns=move || watched.played.with(Vec::len).to_string()>
            <p class="simulate__summary">{summary}</p>
            <For each=move || watched.played.get() key=|turn| turn.turn let(turn)>
                <Exchange watched turn />
            </For>
            {move || watched.asked.get().map(|asked| view! { <Live asked /> })}
            {move || watched.record.get().map(|record| {
                let words = match &record.status {
                    credence_sim::run::RunStatus::Complete => "The run is complete.".to_owned(),
                    credence_sim::run::RunStatus::Cancelled => "The run was stopped.".to_owned(),
                    credence_sim::run::RunStatus::Unfinished => "The run was put aside.".to_owned(),
                    credence_sim::run::RunStatus::Failed { reason } => format!("The run could not go on: {reason}."),
                };
                view! { <p class="simulate__summary" data-testid="sim-ended">{words}</p> }
            })}
        </div>
    }
}

#[component]
fn Exchange(watched: Watched, turn: Arc<TurnRecord>) -> impl IntoView {
    let number = turn.turn;
    let outcome = badge(&turn);
    let class = outcome.as_ref().map_or("none", |(_, class)| *class);
    let strategies = turn
        .strategies
        .iter()
        .map(|word| word.to_lowercase().replace('_', " "))
        .collect::<Vec<_>>()
        .join(", ");
    let tokens = turn.trace.prompt_tokens + turn.trace.reply_tokens;
    let compacted = turn.compaction.is_some();
    let select = move |_| watched.selected.set(Some(number));
    let took = move || watched.clocked.with(|turns| turns.get(&number).copied());
    view! {
        <article
            class=format!("exchange exchange--{class}")
            class:exchange--chosen=move || watched.selected.get() == Some(number)
            data-testid="sim-turn"
            data-turn=number.to_string()
            data-outcome=class
            on:click=select
        >
            <p class="exchange__head">
                <button type="button" class="button button--quiet button--small" on:click=select>{format!("Turn {number}")}</button>
                <span class="tag">{kind_word(turn.kind)}</span>
                {(!strategies.is_empty()).then(|| view! { <span class="tag">{strategies}</span> })}
                {(!turn.injection).then(|| view! { <span class="tag tag--struck">"memory left out"</span> })}
                {turn.session.clone().map(|session| view! { <span class="tag">{session}</span> })}
                {outcome.map(|(words, class)| view! { <span class=format!("verdict verdict--{class}") data-testid="sim-verdict">{words}</span> })}
                <span class="exchange__meta">
                    {format!("{} tokens", format::grouped(tokens as usize))}
                    {compacted.then_some(" \u{b7} summed up")}
                </span>
                {move || took().map(|took| view! { <Took took /> })}
            </p>
            {(number > 0).then(|| view! { <p class="exchange__player"><strong>"Player: "</strong>{turn.player.clone()}</p> })}
            {match &turn.failed {
                Some(why) => view! { <p class="turn__error">{format!("No reply: {why}")}</p> }.into_any(),
                None => view! { <p class="exchange__reply"><strong>"Narrator: "</strong>{turn.reply.clone()}</p> }.into_any(),
            }}
        </article>
    }
}

/// How long a turn took by the page's clock.
#[component]
fn Took(took: u32) -> impl IntoView {
    let slow = took > SLOW_MS;
    let words = match took {
        0..1_000 => format!("{took} ms"),
        _ => format!("{:.1} s", f64::from(took) / 1_000.0),
    };
    view! {
        <span class="exchange__meta" class:exchange__meta--slow=slow data-testid="sim-took" data-ms=took.to_string() title="By this page's clock; the run's own stands still">
            {words}
            {slow.then_some(", slow")}
        </span>
    }
}

#[component]
fn Live(asked: Asked) -> impl IntoView {
    view! {
        <article class="exchange exchange--live" aria-live="off">
            <p class="exchange__head"><span>{format!("Turn {} of {}", asked.turn, asked.of)}</span><span class="tag">{kind_word(asked.kind)}</span></p>
            {(asked.turn > 0).then(|| view! { <p class="exchange__player"><strong>"Player: "</strong>{asked.player}</p> })}
            {if asked.text.is_empty() {
                view! { <p class="turn__waiting"><span class="pulse" aria-hidden="true"></span>"The narrator thinks\u{2026}"</p> }.into_any()
            } else {
                view! { <p class="exchange__reply"><strong>"Narrator: "</strong>{asked.text}</p> }.into_any()
            }}
        </article>
    }
}

//! One turn, from inside: the working set, the verdicts with what they rest on, the prompt word for word, the summary, and what changed and why.

use credence_sim::run::TurnRecord;
use credence_sim::verdict::{Judgement, Ruling};
use leptos::prelude::*;

use super::inspect::{Known, Rules, Summed};
use super::talk::kind_word;
use super::watched::Watched;
use crate::components::unit::{ActivationBar, AuthorityBadge, TrustParts};
use crate::format;

/// Characters of a prompt message that are shown at once.
const SHOWN: usize = 5_000;

/// The turn that is looked at: the latest, unless one is chosen.
#[component]
pub(crate) fn Inspector(
    watched: Watched,
    /// Whether what is played can be followed.
    #[prop(optional)]
    follows: bool,
) -> impl IntoView {
    let turn = Memo::new(move |_| watched.turn());
    view! {
        {move || match turn.get() {
            None => view! { <p class="card__none">"Nothing has been played yet."</p> }.into_any(),
            Some(turn) => view! { <Turn watched turn=(*turn).clone() /> }.into_any(),
        }}
        <Show when=move || follows && watched.selected.get().is_some()>
            <button type="button" class="button button--small" on:click=move |_| watched.selected.set(None)>"Follow the latest turn"</button>
        </Show>
    }
}

#[component]
fn Turn(watched: Watched, turn: TurnRecord) -> impl IntoView {
    let head = watched.head.get_untracked();
    let rules = head.as_ref().map(|run| run.rules.clone()).unwrap_or_default();
    let known = Known::of(&turn);
    let TurnRecord {
        turn: number,
        kind,
        units_after,
        judgements,
        events,
        trace,
        compaction,
        compliance,
        targets,
        ..
    } = turn;
    let (extracted, promoted) = (trace.extracted.len(), trace.promoted.len());
    view! {
        <div class="inspect" data-testid="sim-inspector" data-turn=number.to_string()>
            <h3 class="inspect__title">{format!("Turn {number}, {}", kind_word(kind))}</h3>
            {(!targets.is_empty()).then(|| view! { <p class="inspect__line">{format!("Aims at {}", targets.join(", "))}</p> })}
            <p class="inspect__line">
                {format!(
                    "{} extracted, {promoted} promoted; prompt {} tokens, {} of them memory; {} left out",
                    format::grouped(extracted),
                    format::grouped(trace.prompt_tokens as usize),
                    format::grouped(trace.memory_tokens as usize),
                    format::grouped(trace.excluded as usize)
                )}
            </p>
            {trace.notes.into_iter().map(|note| view! { <p class="inspect__line">{format::sentence(&note)}</p> }).collect_view()}
            {(!judgements.is_empty()).then(|| view! { <details open=true class="inspect__part"><summary>"Verdicts"</summary>{judgements.into_iter().map(|judgement| view! { <Verdicts judgement /> }).collect_view()}</details> })}
            <details open=true class="inspect__part">
                <summary>{format!("Working set ({})", units_after.len())}</summary>
                <ul class="inspect__list">
                    {units_after.into_iter().map(|view| {
                        let audit = view.unit.trust().cloned();
                        let pinned = view.proposition.pinned;
                        view! {
                            <li class="inspect__unit" data-testid="sim-unit" data-authority=view.authority.as_str()>
                                <span class="inspect__badges"><AuthorityBadge authority=view.authority /><ActivationBar activation=view.activation.get() tier=view.tier marks=(350, 600) />{pinned.then(|| view! { <span class="tag tag--pin">"pinned"</span> })}</span>
                                <span>{view.proposition.text.clone()}</span>
                                <Seek watched text=view.proposition.text.clone() />
                                {audit.map(|audit| view! { <details><summary>{format!("Trust {:.2}", audit.score)}</summary><TrustParts audit /></details> })}
                            </li>
                        }
                    }).collect_view()}
                </ul>
            </details>
            {(!events.is_empty()).then(|| view! {
                <details class="inspect__part">
                    <summary>{format!("What changed ({})", events.len())}</summary>
                    <ul class="inspect__list">
                        {events.into_iter().map(|event| view! {
                            <li class="inspect__unit">
                                <span><strong>{format!("{:?}", event.kind)}</strong>{format!(" {} \u{2192} {}: ", event.activation_before, event.activation_after)}{event.text}</span>
                                <span class="inspect__line">{format!("{}: {}", event.because.cause, event.because.why)}</span>
                            </li>
                        }).collect_view()}
                    </ul>
                </details>
            })}
            {compliance.map(|check| view! {
                <details class="inspect__part"><summary>"The check of the answer"</summary><p class="inspect__line">{format!("{} enforced facts, {} drafts. {}", check.enforced, check.attempts.len(), format::sentence(&check.reason))}</p></details>
            })}
            {compaction.map(|summary| view! { <Summed summary known /> })}
            <Rules rules met=trace.met />
            <details class="inspect__part">
                <summary>"The prompt, word for word"</summary>
                {trace.messages.into_iter().map(|message| {
                    let cut = message.text.chars().count() > SHOWN;
                    let text: String = message.text.chars().take(SHOWN).collect();
                    view! {
                        <p class="inspect__line">{format!("{:?}", message.author)}{cut.then_some(" (its beginning)")}</p>
                        <pre class="xray__text" tabindex="0">{text}</pre>
                    }
                }).collect_view()}
            </details>
        </div>
    }
}

/// Leads to a statement in the run's memory.
#[component]
fn Seek(watched: Watched, text: String) -> impl IntoView {
    view! {
        <span class="inspect__acts">
            <button type="button" class="button button--quiet button--small" data-testid="sim-seek" on:click=move |_| watched.sought.set(Some(text.clone()))>
                "Look it up in the memory"
            </button>
        </span>
    }
}

#[component]
fn Verdicts(judgement: Judgement) -> impl IntoView {
    let who = judgement.judge.kind();
    view! {
        <div class="inspect__judge">
            <p class="inspect__line">{format!("By the {who}")}{judgement.failed.clone().map(|why| format!(", which failed: {why}"))}</p>
            <ul class="inspect__list">
                {judgement.verdicts.into_iter().map(|verdict| {
                    let (word, class) = match verdict.ruling {
                        Ruling::Confirmed => ("confirmed", "good"),
                        Ruling::Contradicted => ("contradicted", "bad"),
                        Ruling::NotMentioned => ("not mentioned", "none"),
                    };
                    let why = [verdict.explanation, verdict.reasoning].into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ");
                    view! {
                        <li class="inspect__unit" data-testid="sim-verdict-row" data-ruling=word>
                            <span><span class=format!("verdict verdict--{class}")>{word}</span>" "{verdict.fact}</span>
                            {(!verdict.evidence.is_empty()).then(|| view! { <q class="inspect__line">{verdict.evidence}</q> })}
                            {(!why.is_empty()).then(|| view! { <span class="inspect__line">{why}</span> })}
                        </li>
                    }
                }).collect_view()}
            </ul>
        </div>
    }
}

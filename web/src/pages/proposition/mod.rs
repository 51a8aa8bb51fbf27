//! One statement: what it says, how sure it is and why, where it came from, what became of it.

mod edit;
mod evidence;
mod revisions;
mod standing;
mod used;

use credence::erasure::ErasureTarget;
use credence::history::RecordId;
use credence::id::PropositionId;
use credence::memory::PropositionDetail;
use credence::proposition::{Extractor, MentionRole, Proposition, Temporal, effective_confidence};
use credence::time::{DAY_MS, Timestamp};
use leptos::prelude::*;

use crate::components::confidence::Confidence;
use crate::components::curve::Curve;
use crate::components::icon::{Glyph, Icon};
use crate::projection::status_label;
use crate::route::Page;
use crate::state::{App, AppMemory};
use crate::{actions, format};
use edit::EditDialog;
use evidence::{Related, Sources};
use revisions::Revisions;
use standing::Place;
use used::Used;

/// Days that the curve looks ahead.
const AHEAD: i64 = 90;

/// The page of a statement.
#[component]
pub(crate) fn PropositionPage(id: PropositionId) -> impl IntoView {
    let app = App::get();
    let detail = Memo::new(move |_| {
        app.facts.track();
        app.memory().and_then(|memory| memory.proposition(id).ok())
    });
    view! {
        <div class="page">
            <a class="back" href=Page::Memory.href()><Icon glyph=Glyph::Back />"All statements"</a>
            {move || match detail.get() {
                Some(detail) => view! { <Detail detail /> }.into_any(),
                None => view! {
                    <div class="empty" data-testid="prop-missing">
                        <p class="empty__title">"There is no such statement in this memory."</p>
                        <p>"It may belong to another memory; Settings says which one is open."</p>
                        <a class="button" href=Page::Memory.href()>"See all statements"</a>
                    </div>
                }
                    .into_any(),
            }}
        </div>
    }
}

fn extractor_words(extractor: &Extractor) -> (&'static str, String) {
    match extractor {
        Extractor::Rules => ("rule", "by the built-in rules".to_owned()),
        Extractor::Model { model } => ("model", format!("by {model}")),
        Extractor::Person => ("person", "typed by a person".to_owned()),
        Extractor::Import => ("person", "imported".to_owned()),
    }
}

#[component]
fn Detail(detail: PropositionDetail) -> impl IntoView {
    let app = App::get();
    let editing = RwSignal::new(false);
    let PropositionDetail { view, removed, sources, entities, related, revisions } = detail;
    let p = view.proposition;
    let id = p.id;
    let forgotten_in = revisions.first().filter(|last| last.value.is_none()).map(|last| last.commit);
    let live = p.status.is_live() && !removed;
    let status = if removed { "forgotten".to_owned() } else { p.status.as_str().to_lowercase() };
    let status_words = if removed { "Forgotten" } else { status_label(p.status) };
    let (origin, by) = extractor_words(&p.extractor);
    let text = p.text.clone();
    let pinned = p.pinned;
    let days = app.read(|memory| outlook(memory, &p));
    let stated = p.confidence.get();
    let for_forget = StoredValue::new(p.text.clone());
    let for_edit = StoredValue::new(p.clone());
    view! {
        <article
            class="prop"
            data-testid="prop"
            data-proposition=id.to_string()
            data-status=status
            data-pinned=pinned.to_string()
            data-origin=origin
        >
            <header class="prop__head">
                <p class="prop__tags">
                    <span class="tag" class:tag--struck=!live>{status_words}</span>
                    {pinned.then(|| view! { <span class="tag tag--pin"><Icon glyph=Glyph::Pin />"pinned"</span> })}
                    <span class="prop__by">{by}", "{format::instant(p.created)}</span>
                </p>
                <h2 class="prop__text" data-testid="prop-text">
                    {if live { text.into_any() } else { view! { <s>{text}</s> }.into_any() }}
                </h2>
                {p.reasoning.clone().map(|why| view! {
                    <p class="prop__why"><span class="prop__why-label">"Why: "</span><span data-testid="prop-explanation">{why}</span></p>
                })}
                {(!removed).then(|| view! {
                    <div class="prop__acts">
                        <button type="button" class="button" data-testid="prop-edit" on:click=move |_| editing.set(true)>
                            <Icon glyph=Glyph::Edit />
                            "Edit"
                        </button>
                        <button
                            type="button"
                            class="button"
                            data-testid="prop-pin"
                            aria-pressed=pinned.to_string()
                            title="A pinned statement goes into every prompt and is never retired by itself"
                            on:click=move |_| actions::facts::pin(app, id, !pinned)
                        >
                            <Icon glyph=Glyph::Pin />
                            {if pinned { "Unpin" } else { "Pin" }}
                        </button>
                        <button
                            type="button"
                            class="button button--danger-quiet"
                            data-testid="prop-forget"
                            on:click=move |_| actions::forget::ask(app, ErasureTarget::Proposition { id }, for_forget.get_value())
                        >
                            <Icon glyph=Glyph::Forget />
                            "Forget\u{2026}"
                        </button>
                    </div>
                })}
                {(removed && forgotten_in.is_some()).then(|| view! {
                    <button
                        type="button"
                        class="button"
                        data-testid="prop-restore"
                        on:click=move |_| {
                            if let Some(commit) = forgotten_in {
                                actions::facts::undo(app, commit, Some(vec![RecordId::Proposition(id)]));
                            }
                        }
                    >
                        <Icon glyph=Glyph::Undo />
                        "Bring it back"
                    </button>
                })}
            </header>
            <Show when=move || editing.get()>
                <EditDialog proposition=for_edit.get_value() open=editing />
            </Show>

            <section class="card" aria-labelledby="prop-sure">
                <h3 class="card__title" id="prop-sure">"How sure"</h3>
                <div class="sure">
                    <dl class="facts">
                        <div class="facts__item">
                            <dt>"worth now"</dt>
                            <dd data-testid="prop-effective" data-value=format!("{:.4}", view.effective)>
                                <Confidence effective=view.effective stated />
                            </dd>
                        </div>
                        <div class="facts__item">
                            <dt>"when stated"</dt>
                            <dd data-testid="prop-confidence" data-value=format!("{stated:.4}")>{format::percent(stated)}</dd>
                        </div>
                        <div class="facts__item"><dt>"fades"</dt><dd>{fading(&p, app.read(|m| m.config()).decay_k)}</dd></div>
                        <div class="facts__item"><dt>"importance"</dt><dd>{format::percent(p.importance.get())}</dd></div>
                        {(p.reinforce_count > 0).then(|| view! {
                            <div class="facts__item"><dt>"confirmed"</dt><dd>{format::count(p.reinforce_count as usize, "time", "times")}</dd></div>
                        })}
                        {validity(&p.temporal).map(|words| view! { <div class="facts__item"><dt>"holds"</dt><dd>{words}</dd></div> })}
                    </dl>
                    {live.then(|| view! { <Curve days /> })}
                </div>
            </section>

            <Place id live />
            <Sources sources provenance=p.provenance.clone() />
            <Mentions p=p.clone() names=entities.into_iter().map(|e| (e.id.to_string(), e.name)).collect() />
            <Related related id temporal=p.temporal.clone() />
            <Revisions revisions />
            <Used id />
        </article>
    }
}

/// What it will be worth on each of the next days.
fn outlook(memory: &AppMemory, p: &Proposition) -> Vec<f64> {
    let rule = memory.config().decay_rule();
    let now = memory.now().at;
    (0..=AHEAD).map(|day| effective_confidence(p, now.plus_ms(day * DAY_MS), rule)).collect()
}

fn fading(p: &Proposition, k: f64) -> String {
    let rate = p.decay.get() * k;
    if rate <= 0.0 {
        return "not by itself".to_owned();
    }
    match std::f64::consts::LN_2 / rate {
        days if days < 1.0 => "by half within a day".to_owned(),
        days if days < 90.0 => format!("by half in {days:.0} days"),
        days => format!("by half in {:.0} months", days / 30.4),
    }
}

fn validity(temporal: &Temporal) -> Option<String> {
    let day = |at: Timestamp| format::instant_day(at);
    match (temporal.invalidated_at, temporal.valid_from, temporal.valid_to) {
        (Some(at), ..) => Some(format!("until it was retracted on {}", day(at))),
        (_, Some(from), Some(to)) => Some(format!("from {} to {}", day(from), day(to))),
        (_, Some(from), None) => Some(format!("since {}", day(from))),
        (_, None, Some(to)) => Some(format!("until {}", day(to))),
        _ => None,
    }
}

#[component]
fn Mentions(
    p: Proposition,
    /// Entity ids with their names.
    names: Vec<(String, String)>,
) -> impl IntoView {
    let role = |role: MentionRole| match role {
        MentionRole::Subject => "whom or what it is about",
        MentionRole::Object => "what that is related to",
        MentionRole::Other => "also mentioned",
    };
    (!p.mentions.is_empty()).then(|| {
        view! {
            <section class="card" aria-labelledby="prop-about">
                <h3 class="card__title" id="prop-about">"Whom and what it mentions"</h3>
                <ul class="mentions">
                    {p
                        .mentions
                        .iter()
                        .map(|mention| {
                            let entity = mention.entity.map(|id| id.to_string()).unwrap_or_default();
                            let name = names.iter().find(|(id, _)| *id == entity).map(|(_, name)| name.clone());
                            let span = mention.span.clone();
                            let span = match mention.entity {
                                Some(id) => view! { <a href=Page::Entity(id).href()>{span}</a> }.into_any(),
                                None => span.into_any(),
                            };
                            view! {
                                <li class="mention" data-testid="prop-mention" data-entity=entity>
                                    <span class="mention__span">{span}</span>
                                    {name.filter(|name| *name != mention.span).map(|name| view! { <span class="mention__name">{name}</span> })}
                                    <span class="mention__role">
                                        {(!mention.kind.is_empty()).then(|| format!("{}, ", mention.kind.to_lowercase()))}
                                        {role(mention.role)}
                                        {mention.entity.is_none().then_some(", not recognised yet")}
                                    </span>
                                </li>
                            }
                        })
                        .collect_view()}
                </ul>
            </section>
        }
    })
}

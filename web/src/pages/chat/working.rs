//! The working set beside the chat: what stands in every prompt, how far it is to be taken, and why. A column on a wide window, a
//! drawer otherwise.

use credence::id::PropositionId;
use credence::unit::{Authority, Standing};
use leptos::prelude::*;

use crate::actions::units::{self, Act, act, ask_canon};
use crate::components::icon::{Glyph, Icon};
use crate::components::unit::{ActivationBar, AuthorityBadge, TrustParts};
use crate::projection::{self, UnitRow, WorkingSet, evidence_label, standing_words};
use crate::route::Page;
use crate::state::App;
use crate::{actions, browser, format};

/// The panel.
#[component]
pub(super) fn WorkingSetPanel() -> impl IntoView {
    let app = App::get();
    let set = Memo::new(move |_| {
        app.facts.track();
        app.units.track();
        app.read(projection::working_set)
    });
    let count = Memo::new(move |_| set.with(|set| set.active.len()));
    let budget = Memo::new(move |_| set.with(|set| set.budget));
    let close = move || {
        app.beside.set(false);
        browser::focus("working-toggle");
    };
    view! {
        <aside
            class="working"
            aria-label="Working set"
            data-testid="working-set"
            data-count=move || count.get().to_string()
            data-budget=move || budget.get().to_string()
            on:keydown=move |event| {
                if event.key() == "Escape" {
                    close();
                }
            }
        >
            <header class="working__head">
                <h2 class="working__title">"Working set"</h2>
                <p class="working__count">{move || format!("{} of {}", count.get(), budget.get())}</p>
                <button type="button" class="button button--quiet button--icon button--small" data-testid="working-close" aria-label="Close the working set" on:click=move |_| close()>
                    <Icon glyph=Glyph::Close />
                </button>
            </header>
            <Meter count budget />
            <PressureLine />
            <Show when=move || count.get() == 0>
                <p class="working__none" data-testid="working-empty">
                    "Nothing yet. What you say plainly enters by itself; any statement can be put here by hand on its page."
                </p>
            </Show>
            <ul class="working__list">
                <For each=move || set.with(|set| set.active.clone()) key=|row| row.id let(row)>
                    <Card id=row.id set />
                </For>
            </ul>
            <Sleepers set />
        </aside>
    }
}

/// How full it is: a cell for each place.
#[component]
fn Meter(count: Memo<usize>, budget: Memo<usize>) -> impl IntoView {
    let width = move || (budget.get().max(1) * 6) as f64;
    let filled = move || (count.get() * 6) as f64;
    view! {
        <svg class="working__meter" viewBox=move || format!("0 0 {} 4", width()) preserveAspectRatio="none" aria-hidden="true">
            <rect class="working__free" width=width height="4" />
            <rect class="working__full" width=filled height="4" />
        </svg>
    }
}

/// How hard the working set is pressed, turn by turn.
#[component]
fn PressureLine() -> impl IntoView {
    let app = App::get();
    let pressure = Memo::new(move |_| {
        app.units.track();
        app.turns.track();
        app.facts.track();
        app.read(|memory| memory.pressure())
    });
    let words = move || {
        pressure.with(|p| {
            format!(
                "Pressure {}: budget {}, conflicts {}, demotions {}, summaries {}",
                format::percent(p.score),
                format::percent(p.parts.budget),
                format::percent(p.parts.conflict),
                format::percent(p.parts.decay),
                format::percent(p.parts.compaction),
            )
        })
    };
    let line = move || {
        pressure.with(|p| {
            let last = p.history.len().saturating_sub(1).max(1) as f64;
            let point = |(n, at): (usize, &credence::upkeep::PressureAt)| {
                format!("{:.1} {:.1}", n as f64 / last * 60.0, 15.0 - at.score * 14.0)
            };
            let points: Vec<String> = p.history.iter().enumerate().map(point).collect();
            if points.is_empty() { String::new() } else { format!("M{}", points.join(" L")) }
        })
    };
    view! {
        <p class="working__pressure" data-testid="pressure" data-score=move || pressure.with(|p| format!("{:.4}", p.score)) title=words>
            <span>"Pressure"</span>
            <svg class="working__spark" viewBox="0 0 60 16" preserveAspectRatio="none" role="img" aria-label=words>
                <line class="curve__grid" x1="0" x2="60" y1="15" y2="15" />
                <path class="curve__line" d=line />
            </svg>
            <span class="working__number">{move || pressure.with(|p| format::percent(p.score))}</span>
        </p>
    }
}

/// One unit; its row is read by id, so that an open card stays open when its numbers move.
#[component]
fn Card(id: PropositionId, set: Memo<WorkingSet>) -> impl IntoView {
    let row = Memo::new(move |_| set.with(|set| set.active.iter().find(|row| row.id == id).cloned()));
    let marks = Memo::new(move |_| set.with(|set| set.marks));
    let is_open = RwSignal::new(false);
    move || row.get().map(|row| view! { <CardBody row marks=marks.get() is_open /> })
}

#[component]
fn CardBody(row: UnitRow, marks: (u16, u16), is_open: RwSignal<bool>) -> impl IntoView {
    let id = row.id;
    let details = StoredValue::new(row.clone());
    view! {
        <li
            class="unit"
            class:unit--canon=row.authority == Authority::Canon
            data-testid="unit"
            data-proposition=id.to_string()
            data-authority=row.authority.as_str().to_lowercase()
            data-tier=projection::tier_label(row.tier)
            data-activation=row.activation.to_string()
            data-pinned=row.pinned.to_string()
        >
            <a class="unit__text" href=Page::Proposition(id).href()>{row.text.clone()}</a>
            <div class="unit__line">
                <AuthorityBadge authority=row.authority />
                <ActivationBar activation=row.activation tier=row.tier marks />
                {row.pinned.then(|| view! { <span class="tag tag--pin" title="Pinned: in every prompt, never lowered by evidence or time"><Icon glyph=Glyph::Pin />"pinned"</span> })}
                {row.asked.then(|| view! { <a class="tag" href=Page::Activity.href()>"asked"</a> })}
                <button
                    type="button"
                    class="button button--quiet button--icon button--small unit__more"
                    data-testid="unit-more"
                    aria-label=format!("More about: {}", row.text)
                    aria-expanded=move || is_open.get().to_string()
                    on:click=move |_| is_open.update(|open| *open = !*open)
                >
                    <Icon glyph=Glyph::Down />
                </button>
            </div>
            <Show when=move || is_open.get()>
                {details.with_value(|row| view! { <Details row=row.clone() /> })}
            </Show>
        </li>
    }
}

/// Evidence, trust and what may be done.
#[component]
pub(crate) fn Details(row: UnitRow) -> impl IntoView {
    let ceiling = projection::authority_label(row.ceiling.into());
    view! {
        <div class="unit__details" data-testid="unit-details">
            <p class="unit__facts">
                {format!("In it since {}; tier {}. ", format::instant(row.promoted), projection::tier_label(row.tier))}
                {projection::authority_meaning(row.authority)}
                {(row.authority != Authority::Canon).then(|| format!(" Its source and its trust allow {} at most.", ceiling.to_lowercase()))}
            </p>
            {if row.evidence.is_empty() {
                view! { <p class="unit__facts">"No evidence counted yet. Standing in a prompt is none."</p> }.into_any()
            } else {
                let words = row.evidence.iter().map(|(kind, n)| format!("{n} \u{d7} {}", evidence_label(*kind))).collect::<Vec<_>>().join(", ");
                view! { <p class="unit__facts" data-testid="unit-evidence">{format!("Counted evidence: {words}.")}</p> }.into_any()
            }}
            {row.trust.clone().map(|audit| view! { <TrustParts audit /> })}
            {(row.standing == Standing::Active && !row.pinned).then(|| view! { <ActivationSlider id=row.id activation=row.activation /> })}
            <Acts row />
        </div>
    }
}

/// Activation by hand.
#[component]
fn ActivationSlider(id: PropositionId, activation: u16) -> impl IntoView {
    let app = App::get();
    let value = RwSignal::new(activation);
    view! {
        <label class="unit__slider">
            <span>"Activation"</span>
            <input
                type="range"
                min="100"
                max="900"
                step="10"
                data-testid="unit-activation"
                prop:value=activation.to_string()
                on:input=move |event| value.set(event_target_value(&event).parse().unwrap_or(activation))
                on:change=move |_| act(app, id, Act::Activation(value.get_untracked()))
            />
            <output>{move || value.get()}</output>
        </label>
    }
}

/// The buttons.
#[component]
pub(crate) fn Acts(row: UnitRow) -> impl IntoView {
    let app = App::get();
    let (id, pinned, canon) = (row.id, row.pinned, row.authority == Authority::Canon);
    let text = StoredValue::new(row.text.clone());
    let is_active = row.standing == Standing::Active;
    let button = move |testid: &'static str, glyph: Glyph, words: &'static str, what: Act| {
        view! {
            <button type="button" class="button button--small" data-testid=testid on:click=move |_| act(app, id, what)>
                <Icon glyph />
                {words}
            </button>
        }
    };
    view! {
        <div class="unit__acts">
            {(!is_active).then(|| button("unit-wake", Glyph::Again, "Wake", Act::Wake))}
            {is_active.then(|| button("unit-confirm", Glyph::Check, "It is right", Act::Confirm))}
            <button type="button" class="button button--small" data-testid="unit-pin" aria-pressed=pinned.to_string() on:click=move |_| actions::facts::pin(app, id, !pinned)>
                <Icon glyph=Glyph::Pin />
                {if pinned { "Unpin" } else { "Pin" }}
            </button>
            {(is_active && !canon).then(|| view! {
                <button type="button" class="button button--small" data-testid="unit-canon" disabled=row.asked on:click=move |_| ask_canon(app, id, &text.get_value())>
                    <Icon glyph=Glyph::Canon />
                    "Make canon"
                </button>
            })}
            {(is_active && canon).then(|| view! {
                <button type="button" class="button button--small" data-testid="unit-decanon" disabled=row.asked on:click=move |_| units::canon(app, id, false)>
                    <Icon glyph=Glyph::Canon />
                    "Take canon back"
                </button>
            })}
            {(is_active && !canon).then(|| button("unit-demote", Glyph::Down, "Lower", Act::Demote))}
            {is_active.then(|| button("unit-archive", Glyph::Forget, "Take out", Act::Archive))}
            <a class="button button--small" data-testid="unit-edit" href=Page::Proposition(id).href()>
                <Icon glyph=Glyph::Edit />
                "Edit"
            </a>
        </div>
    }
}

/// What sleeps, folded.
#[component]
fn Sleepers(set: Memo<WorkingSet>) -> impl IntoView {
    let app = App::get();
    let asleep = Memo::new(move |_| set.with(|set| set.asleep.clone()));
    view! {
        <Show when=move || asleep.with(|rows| !rows.is_empty())>
            <details class="working__asleep" data-testid="working-asleep">
                <summary>{move || format!("{} asleep", asleep.with(Vec::len))}</summary>
                <ul>
                    <For each=move || asleep.get() key=|row| row.id let(row)>
                        <li class="unit unit--asleep" data-testid="unit-asleep" data-proposition=row.id.to_string()>
                            <a class="unit__text" href=Page::Proposition(row.id).href()>{row.text.clone()}</a>
                            <div class="unit__line">
                                <AuthorityBadge authority=row.authority />
                                <span class="unit__why">{standing_words(&row.standing)}</span>
                                <button type="button" class="button button--small" data-testid="unit-wake" on:click=move |_| act(app, row.id, Act::Wake)>
                                    "Wake"
                                </button>
                            </div>
                        </li>
                    </For>
                </ul>
            </details>
        </Show>
    }
}

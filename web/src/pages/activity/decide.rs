//! What only a person can decide: a statement that a gate held back, something that stands against a pinned statement or against
//! a value that is not supposed to change.

use credence::history::RecordId;
use credence::id::InboxId;
use credence::inbox::{InboxItem, InboxKind, Verdict};
use leptos::prelude::*;

use crate::actions;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::projection::status_label;
use crate::route::Page;
use crate::state::App;

/// Questions that are shown at once.
const MOST: usize = 20;

/// The open questions. Absent when there are none.
#[component]
pub(super) fn Decide() -> impl IntoView {
    let app = App::get();
    let items = Memo::new(move |_| {
        app.analysis.track();
        app.facts.track();
        app.read(|memory| memory.inbox())
    });
    view! {
        <Show when=move || items.with(|items| !items.is_empty())>
            <section class="card" aria-labelledby="activity-decide" data-testid="inbox" data-count=move || items.with(Vec::len).to_string()>
                <h2 class="card__title" id="activity-decide">"For you to decide"</h2>
                <ul class="waiting">
                    <For each=move || items.with(|items| items.iter().take(MOST).cloned().collect::<Vec<_>>()) key=|item| item.id let(item)>
                        <Item item />
                    </For>
                </ul>
                {move || {
                    let more = items.with(Vec::len).saturating_sub(MOST);
                    (more > 0).then(|| view! { <p class="card__none">{format!("and {} more", format::grouped(more))}</p> })
                }}
            </section>
        </Show>
    }
}

/// What the two answers mean for this kind of question.
pub(crate) fn answers(kind: InboxKind) -> (&'static str, &'static str) {
    match kind {
        InboxKind::PinnedConflict | InboxKind::ImmutableQuestioned | InboxKind::UnitDispute => {
            ("The new one holds", "The old one holds")
        }
        InboxKind::SupportLost => ("It still holds", "It no longer holds"),
        InboxKind::PromotionReview | InboxKind::Quarantine => ("Let it in", "Leave it out"),
        InboxKind::Canonization => ("Make it canon", "Leave it as it is"),
        InboxKind::Decanonization => ("Take canon back", "Leave it canon"),
        _ => ("Keep it", "Leave it out"),
    }
}

#[component]
fn Item(item: InboxItem) -> impl IntoView {
    let app = App::get();
    let id = item.id;
    let (accept, reject) = answers(item.kind);
    let kind = serde_json::to_value(item.kind).ok().and_then(|kind| kind.as_str().map(str::to_owned));
    // Those that are stored: what a gate holds back has no page yet.
    let newer = item.proposition.as_ref().map(|p| p.id);
    let older = item.others.iter().filter_map(|other| match other {
        RecordId::Proposition(id) => Some(*id),
        _ => None,
    });
    let statements: Vec<_> = older
        .chain(newer)
        .filter_map(|id| {
            app.read(|memory| {
                memory.state().proposition(id).map(|p| (id, p.text.clone(), status_label(p.status)))
            })
        })
        .collect();
    let answer = move |id: InboxId, verdict: Verdict| actions::facts::decide(app, id, verdict);
    view! {
        <li class="waiting__item inbox__item" data-testid="inbox-item" data-kind=kind>
            <div class="waiting__what">
                <p class="inbox__question">{item.question.clone()}</p>
                {(!statements.is_empty()).then(|| view! {
                    <p class="inbox__old">
                        "Open "
                        {statements
                            .into_iter()
                            .enumerate()
                            .map(|(n, (id, text, status))| view! {
                                {(n > 0).then_some(" or ")}
                                <a href=Page::Proposition(id).href()>{text}</a>
                                {format!(" ({})", status.to_lowercase())}
                            })
                            .collect_view()}
                    </p>
                })}
                <p class="pair__why">{format::sentence(&item.why)}{format!(", {}", format::instant(item.created))}</p>
            </div>
            <div class="inbox__acts">
                <button type="button" class="button button--small" data-testid="inbox-accept" on:click=move |_| answer(id, Verdict::Accept)>
                    <Icon glyph=Glyph::Check />
                    {accept}
                </button>
                <button type="button" class="button button--small" data-testid="inbox-reject" on:click=move |_| answer(id, Verdict::Reject)>
                    <Icon glyph=Glyph::Close />
                    {reject}
                </button>
            </div>
        </li>
    }
}

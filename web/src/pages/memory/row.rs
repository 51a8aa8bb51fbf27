//! One statement in the list.

use leptos::prelude::*;

use crate::components::confidence::Confidence;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::projection::{FactRow, status_label};
use crate::route::Page;

/// A row; struck through when it is out of force, with what took its place.
#[component]
pub(super) fn Row(
    row: FactRow,
    /// Why a search by meaning brought it.
    why: Option<String>,
) -> impl IntoView {
    let live = row.status.is_live();
    let text = row.text.clone();
    view! {
        <li
            class="row"
            class:row--retired=!live
            data-testid="memory-row"
            data-proposition=row.id.to_string()
            data-status=row.status.as_str().to_lowercase()
        >
            <a class="row__text" data-testid="memory-row-text" href=Page::Proposition(row.id).href()>
                {if live { text.into_any() } else { view! { <s>{text}</s> }.into_any() }}
            </a>
            <p class="row__meta">
                <Confidence effective=row.effective stated=row.stated />
                <span class="tag" class:tag--struck=!live>{status_label(row.status)}</span>
                {row.pinned.then(|| view! { <span class="tag tag--pin"><Icon glyph=Glyph::Pin />"pinned"</span> })}
                <span>{row.voice}", "{format::instant_day(row.at)}</span>
                <span class="row__by">{row.by}</span>
            </p>
            {row.replaced_by.map(|(id, text)| view! {
                <p class="row__replaced">"replaced by " <a href=Page::Proposition(id).href()>{text}</a></p>
            })}
            {why.map(|why| view! { <p class="row__why">{why}</p> })}
        </li>
    }
}

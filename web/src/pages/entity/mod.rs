//! One person or thing.

use credence::id::EntityId;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::route::Page;

/// The page of an entity.
#[component]
pub(crate) fn EntityPage(id: EntityId) -> impl IntoView {
    let _ = id;
    view! {
        <div class="page">
            <a class="back" href=Page::Entities.href()><Icon glyph=Glyph::Back />"All entities"</a>
        </div>
    }
}

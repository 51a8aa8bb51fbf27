//! Whether the statement stands in the working set, how far it is taken there and why, or how it gets there.

use credence::id::PropositionId;
use leptos::prelude::*;

use crate::actions::units::{Act, act};
use crate::components::icon::{Glyph, Icon};
use crate::components::unit::{ActivationBar, AuthorityBadge};
use crate::pages::chat::working::Details;
use crate::projection::{self, standing_words, tier_label};
use crate::state::App;

/// The section.
#[component]
pub(super) fn Place(
    id: PropositionId,
    /// Whether the statement is in force.
    live: bool,
) -> impl IntoView {
    let app = App::get();
    let unit = Memo::new(move |_| {
        app.units.track();
        app.facts.track();
        app.read(|memory| projection::unit(memory, id))
    });
    let marks = app.read(|memory| {
        let tier = memory.config().unit.tier;
        (tier.warm_threshold, tier.hot_threshold)
    });
    move || {
        match unit.get() {
        None if !live => ().into_any(),
        None => view! {
            <section class="card" aria-labelledby="prop-place" data-testid="prop-unit" data-state="none">
                <h3 class="card__title" id="prop-place">"Working set"</h3>
                <p class="card__none">"Not in it: it is recalled when a question is about it. In the working set it stands in every prompt, as far as its authority goes."</p>
                <button type="button" class="button" data-testid="unit-add" on:click=move |_| act(app, id, Act::Add)>
                    <Icon glyph=Glyph::Working />
                    "Put it in the working set"
                </button>
            </section>
        }
            .into_any(),
        Some(row) => {
            let words = standing_words(&row.standing);
            let (authority, activation, tier) = (row.authority, row.activation, row.tier);
            view! {
                <section
                    class="card"
                    aria-labelledby="prop-place"
                    data-testid="prop-unit"
                    data-state=if words.is_none() { "active" } else { "out" }
                    data-authority=authority.as_str().to_lowercase()
                    data-activation=activation.to_string()
                >
                    <h3 class="card__title" id="prop-place">"Working set"</h3>
                    <div class="unit__line">
                        <AuthorityBadge authority />
                        <ActivationBar activation tier marks />
                        <span class="unit__why">{words.unwrap_or_else(|| tier_label(tier))}</span>
                    </div>
                    <Details row />
                </section>
            }
                .into_any()
        }
    }
    }
}

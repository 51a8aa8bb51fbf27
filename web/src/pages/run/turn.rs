//! What a turn changed: its working set beside the one of the turn before, with the causes that the record has.

use leptos::prelude::*;

use super::differs::{Place, UnitPair, units};
use crate::components::unit::AuthorityBadge;
use crate::format;
use crate::pages::simulate::watched::Watched;

/// Where a unit stood, or that it did not.
#[component]
pub(super) fn At(place: Option<Place>) -> impl IntoView {
    match place {
        None => view! { <span class="tag">"not there"</span> }.into_any(),
        Some(place) => view! {
            <span class="inspect__badges">
                <AuthorityBadge authority=place.authority />
                <span class="run__number">{place.activation}</span>
                {place.pinned.then(|| view! { <span class="tag tag--pin">"pinned"</span> })}
            </span>
        }
        .into_any(),
    }
}

/// The changes of the selected turn.
#[component]
pub(super) fn Changes(watched: Watched) -> impl IntoView {
    let both = Memo::new(move |_| {
        let turn = watched.turn()?;
        let before = watched.played.with(|played| {
            let place = played.iter().position(|one| one.turn == turn.turn)?;
            played.get(place.checked_sub(1)?).cloned()
        });
        let was = before.as_ref().map(|before| before.units_after.as_slice()).unwrap_or_default();
        let pairs: Vec<UnitPair> =
            units(was, &turn.units_after).into_iter().filter(|pair| !pair.is_same()).collect();
        Some((turn, before.map(|before| before.turn), pairs))
    });
    move || {
        match both.get() {
        None => view! { <p class="card__none">"Nothing has been played."</p> }.into_any(),
        Some((turn, before, pairs)) => view! {
            <div data-testid="run-changes" data-turn=turn.turn.to_string() data-count=pairs.len().to_string()>
                <h3 class="inspect__title">
                    {match before {
                        Some(before) => format!("From turn {before} to turn {}", turn.turn),
                        None => format!("What turn {} began with", turn.turn),
                    }}
                </h3>
                <p class="inspect__line">{format::count(pairs.len(), "unit stands otherwise", "units stand otherwise")}</p>
                <ul class="inspect__list">
                    {pairs.iter().map(|pair| {
                        let text = pair.text.clone();
                        let causes: Vec<String> = turn.events.iter()
                            .filter(|event| event.text.to_lowercase() == text.to_lowercase())
                            .map(|event| format!("{}: {}", event.because.cause, event.because.why))
                            .collect();
                        let word = match (pair.left, pair.right) {
                            (None, _) => "new",
                            (_, None) => "gone",
                            _ => "changed",
                        };
                        view! {
                            <li class="inspect__unit" data-testid="run-change" data-kind=word>
                                <span><strong>{word}</strong>" "{text}</span>
                                <span class="run__move"><At place=pair.left /><span aria-label="then">"\u{2192}"</span><At place=pair.right /></span>
                                {causes.into_iter().map(|cause| view! { <span class="inspect__line">{cause}</span> }).collect_view()}
                            </li>
                        }
                    }).collect_view()}
                </ul>
            </div>
        }.into_any(),
    }
    }
}

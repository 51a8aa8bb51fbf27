//! Two texts as one: what is gone struck through, what is new underlined.

use leptos::prelude::*;

use crate::diff::Piece;

/// The pieces, in order, with what stands between them in the texts: a space between words, a line's end between lines.
#[component]
pub(crate) fn Diffed(pieces: Vec<Piece>, #[prop(default = " ")] between: &'static str) -> impl IntoView {
    pieces
        .into_iter()
        .map(|piece| match piece {
            Piece::Same(text) => view! { <span>{text}{between}</span> }.into_any(),
            Piece::Gone(text) => view! { <del>{text}</del>{between} }.into_any(),
            Piece::New(text) => view! { <ins>{text}</ins>{between} }.into_any(),
        })
        .collect_view()
}

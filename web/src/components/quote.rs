//! A turn as a quotation: what was said, by whom, when, and the way to where it was said.

use credence::memory::SourceView;
use leptos::prelude::*;

use crate::format;
use crate::route::Page;

/// One quoted turn. `testid` is its id for checks.
#[component]
pub(crate) fn Quote(source: SourceView, testid: &'static str) -> impl IntoView {
    let href = Page::Chat(Some(source.conversation), Some(source.turn)).href();
    // The memory may not know the person's name; they do.
    let speaker = if source.is_user { "You".to_owned() } else { source.speaker };
    let title = if source.title.is_empty() { "the conversation".to_owned() } else { source.title };
    view! {
        <figure class="quote" data-testid=testid data-turn=source.turn.to_string()>
            <blockquote class="quote__text">{source.text}</blockquote>
            <figcaption class="quote__by">
                <strong>{speaker}</strong>
                ", "
                {format::moment(source.at)}
                ", in "
                <a href=href>{title}</a>
            </figcaption>
        </figure>
    }
}

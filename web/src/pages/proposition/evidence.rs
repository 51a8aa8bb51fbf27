//! Where a statement comes from, and what it stands against.

use credence::conversation::Speaker;
use credence::id::PropositionId;
use credence::memory::{PropositionView, SourceView};
use credence::proposition::{Locator, ProvenanceEntry, Temporal};
use leptos::prelude::*;

use crate::components::confidence::Confidence;
use crate::format;
use crate::projection::status_label;
use crate::route::Page;
use crate::state::App;

/// The turns that it rests on, quoted; and sources outside conversations.
#[component]
pub(super) fn Sources(sources: Vec<SourceView>, provenance: Vec<ProvenanceEntry>) -> impl IntoView {
    let app = App::get();
    let elsewhere: Vec<String> = provenance.iter().filter_map(|entry| outside(&entry.locator)).collect();
    let is_empty = sources.is_empty() && elsewhere.is_empty();
    view! {
        <section class="card" aria-labelledby="prop-from">
            <h3 class="card__title" id="prop-from">"Where it comes from"</h3>
            {is_empty.then(|| view! { <p class="card__none">"No conversation stands behind it: it was entered by hand, or its source was taken out."</p> })}
            {sources
                .into_iter()
                .map(|source| {
                    let href = Page::Chat(Some(source.conversation), Some(source.turn)).href();
                    // The memory may not know the person's name; they do.
                    let is_user = app.read(|m| m.state().turn(source.turn).is_some_and(|t| t.speaker == Speaker::User));
                    let speaker = if is_user { "You".to_owned() } else { source.speaker };
                    let title = if source.title.is_empty() { "the conversation".to_owned() } else { source.title };
                    view! {
                        <figure class="quote" data-testid="prop-source" data-turn=source.turn.to_string()>
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
                })
                .collect_view()}
            {(!elsewhere.is_empty()).then(|| view! {
                <ul class="sources">{elsewhere.into_iter().map(|source| view! { <li>{source}</li> }).collect_view()}</ul>
            })}
        </section>
    }
}

/// A source that is no conversation held here, in words.
fn outside(locator: &Locator) -> Option<String> {
    match locator {
        Locator::Connector { connector_id, .. } if connector_id == "conversation" => None,
        Locator::Uri { uri, display } => Some(display.clone().unwrap_or_else(|| uri.clone())),
        Locator::File { path, display } => Some(display.clone().unwrap_or_else(|| path.clone())),
        Locator::Content { content_hash, display } => {
            Some(display.clone().unwrap_or_else(|| format!("content {content_hash}")))
        }
        Locator::Connector { connector_id, external_id, display } => {
            Some(display.clone().unwrap_or_else(|| format!("{connector_id}: {external_id}")))
        }
    }
}

/// What it replaced or contradicts, and what did so to it.
#[component]
pub(super) fn Related(related: Vec<PropositionView>, id: PropositionId, temporal: Temporal) -> impl IntoView {
    (!related.is_empty()).then(|| {
        view! {
            <section class="card" aria-labelledby="prop-related">
                <h3 class="card__title" id="prop-related">"What it stands against"</h3>
                <ul class="rows">
                    {related
                        .into_iter()
                        .map(|view| {
                            let other = view.proposition;
                            let relation = if temporal.supersedes.contains(&other.id) {
                                "replaced by this"
                            } else if temporal.contradicts.contains(&other.id) {
                                "contradicted by this"
                            } else if other.temporal.supersedes.contains(&id) {
                                "replaces this"
                            } else {
                                "contradicts this"
                            };
                            let live = other.status.is_live();
                            let text = other.text.clone();
                            view! {
                                <li class="row" class:row--retired=!live data-testid="prop-related" data-proposition=other.id.to_string()>
                                    <a class="row__text" href=Page::Proposition(other.id).href()>
                                        {if live { text.into_any() } else { view! { <s>{text}</s> }.into_any() }}
                                    </a>
                                    <p class="row__meta">
                                        <span class="tag">{relation}</span>
                                        <Confidence effective=view.effective stated=other.confidence.get() />
                                        <span>{status_label(other.status)}", "{format::instant_day(other.created)}</span>
                                    </p>
                                </li>
                            }
                        })
                        .collect_view()}
                </ul>
            </section>
        }
    })
}

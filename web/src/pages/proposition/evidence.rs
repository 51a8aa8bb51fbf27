//! Where a statement comes from, and what it stands against.

use credence::id::PropositionId;
use credence::memory::{PropositionView, SourceView};
use credence::proposition::{Locator, ProvenanceEntry, Temporal};
use leptos::prelude::*;

use crate::components::confidence::Confidence;
use crate::components::quote::Quote;
use crate::format;
use crate::projection::status_label;
use crate::route::Page;

/// The turns that it rests on, quoted; and sources outside conversations.
#[component]
pub(super) fn Sources(sources: Vec<SourceView>, provenance: Vec<ProvenanceEntry>) -> impl IntoView {
    let elsewhere: Vec<String> = provenance.iter().filter_map(|entry| outside(&entry.locator)).collect();
    let is_empty = sources.is_empty() && elsewhere.is_empty();
    view! {
        <section class="card" aria-labelledby="prop-from">
            <h3 class="card__title" id="prop-from">"Where it comes from"</h3>
            {is_empty.then(|| view! { <p class="card__none">"No conversation stands behind it: it was entered by hand, or its source was taken out."</p> })}
            {sources
                .into_iter()
                .map(|source| view! { <Quote source testid="prop-source" /> })
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

//! The life of a statement: each revision with who, when, why, and what changed.

use credence::memory::RevisionView;
use credence::proposition::Proposition;
use leptos::prelude::*;

use crate::components::diffed::Diffed;
use crate::diff::words;
use crate::format;
use crate::projection::{actor_label, status_label};

/// The revisions, newest first.
#[component]
pub(super) fn Revisions(revisions: Vec<RevisionView>) -> impl IntoView {
    let before: Vec<Option<Proposition>> =
        revisions.iter().skip(1).map(|r| r.value.clone()).chain([None]).collect();
    view! {
        <section class="card" aria-labelledby="prop-life">
            <h3 class="card__title" id="prop-life">"Its life"</h3>
            <ol class="life">
                {revisions.into_iter().zip(before).map(|(revision, before)| view! { <Step revision before /> }).collect_view()}
            </ol>
        </section>
    }
}

#[component]
fn Step(
    revision: RevisionView,
    /// What it was until then.
    before: Option<Proposition>,
) -> impl IntoView {
    let title = match (&before, &revision.value) {
        (None, Some(_)) if revision.same_as.is_some() => "came back",
        (None, Some(_)) => "first stated",
        (Some(_), Some(_)) => "changed",
        (_, None) => "taken out",
    };
    let changes = match (&before, &revision.value) {
        (Some(before), Some(after)) => changes(before, after),
        _ => Vec::new(),
    };
    let rewording = match (&before, &revision.value) {
        (Some(before), Some(after)) if before.text != after.text => words(&before.text, &after.text),
        _ => Vec::new(),
    };
    view! {
        <li class="life__step" data-testid="prop-revision" data-seq=revision.seq.to_string()>
            <p class="life__head">
                <strong>{title}</strong>
                {format!(" by {}, {}", actor_label(revision.actor), format::instant(revision.at))}
                <span class="life__seq">{format!("commit {} ({})", revision.seq, revision.cause.as_str())}</span>
            </p>
            {(!revision.why.is_empty()).then(|| view! { <p class="life__why">{revision.why}</p> })}
            {(!rewording.is_empty()).then(|| view! {
                <p class="life__diff"><Diffed pieces=rewording /></p>
            })}
            {(!changes.is_empty()).then(|| view! {
                <ul class="life__changes">{changes.into_iter().map(|change| view! { <li>{change}</li> }).collect_view()}</ul>
            })}
            {revision.same_as.map(|earlier| view! { <p class="life__why">{format!("the same as revision {earlier}")}</p> })}
        </li>
    }
}

/// What changed beside the wording.
fn changes(before: &Proposition, after: &Proposition) -> Vec<String> {
    let mut found = Vec::new();
    let mut number = |name: &str, old: f64, new: f64| {
        if (old - new).abs() > 1e-9 {
            found.push(format!("{name} {} \u{2192} {}", format::percent(old), format::percent(new)));
        }
    };
    number("confidence", before.confidence.get(), after.confidence.get());
    number("importance", before.importance.get(), after.importance.get());
    number("decay", before.decay.get(), after.decay.get());
    if before.status != after.status {
        found.push(format!("{} \u{2192} {}", status_label(before.status), status_label(after.status)));
    }
    if before.pinned != after.pinned {
        found.push(if after.pinned { "pinned".to_owned() } else { "unpinned".to_owned() });
    }
    let added = after.grounding.iter().filter(|turn| !before.grounding.contains(turn)).count();
    if added > 0 {
        found.push(format::count(added, "more source", "more sources"));
    }
    if before.mentions != after.mentions {
        found.push("mentions recognised anew".to_owned());
    }
    found
}

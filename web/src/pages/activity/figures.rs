//! The sums over every window: what became of what was found, and why something became nothing.

use credence::extraction::{DropReason, OutcomeKind};
use credence::resolution::ResolutionKind;
use leptos::prelude::*;

use crate::components::bars::{Bar, Bars};
use crate::format;
use crate::projection::{self, Totals};
use crate::state::App;

/// Counts as bars, and what it cost.
#[component]
pub(super) fn Figures() -> impl IntoView {
    let app = App::get();
    let totals = Memo::new(move |_| {
        app.analysis.track();
        app.read(projection::totals)
    });
    view! {
        <Show when=move || totals.with(|totals| totals.windows > 0)>
            <section class="card" aria-labelledby="activity-sums" data-testid="activity-sums">
                <h2 class="card__title" id="activity-sums">"In all"</h2>
                {move || totals.with(|totals| view! {
                    <p class="activity__cost">{cost(totals)}</p>
                    <div class="activity__plots">
                        <div>
                            <h3 class="plot__title">"What became of what was found"</h3>
                            <Bars label="What became of what was found" bars=decisions(totals) />
                        </div>
                        {(!totals.dropped.is_empty()).then(|| view! {
                            <div>
                                <h3 class="plot__title">"Why the rest was left out"</h3>
                                <Bars label="Why the rest was left out" bars=drops(totals) />
                            </div>
                        })}
                        {(!totals.resolutions.is_empty()).then(|| view! {
                            <div>
                                <h3 class="plot__title">"Who and what was meant"</h3>
                                <Bars label="Who and what was meant" bars=resolutions(totals) />
                            </div>
                        })}
                        {(!totals.mentions.by_rule.is_empty()).then(|| view! {
                            <div data-testid="activity-filters">
                                <h3 class="plot__title">"Mentions that name nobody and nothing in particular"</h3>
                                <Bars label="Mentions that were filtered, by rule" bars=filtered(totals) />
                            </div>
                        })}
                    </div>
                })}
            </section>
        </Show>
    }
}

fn cost(totals: &Totals) -> String {
    let windows = format::count(totals.windows, "part read", "parts read");
    if totals.calls == 0 {
        return format!("{windows}, by the built-in rules alone");
    }
    let calls = usize::try_from(totals.calls).unwrap_or(usize::MAX);
    let tokens = usize::try_from(totals.tokens).unwrap_or(usize::MAX);
    format!(
        "{windows}, {} ({:.1} a part), {} tokens",
        format::count(calls, "model call", "model calls"),
        totals.calls as f64 / totals.windows as f64,
        format::grouped(tokens),
    )
}

/// What happened to a statement, in a word or two.
pub(super) fn outcome_words(kind: OutcomeKind) -> &'static str {
    match kind {
        OutcomeKind::New => "new",
        OutcomeKind::Merged => "known already",
        OutcomeKind::Reinforced => "made surer",
        OutcomeKind::Contradicted => "replaced or contradicted",
        OutcomeKind::Generalized => "summed up",
        OutcomeKind::Disputed => "in dispute",
        OutcomeKind::Outdated => "kept as what was",
    }
}

fn decisions(totals: &Totals) -> Vec<Bar> {
    let bar = |(kind, count): (&OutcomeKind, &usize)| Bar {
        key: format!("{kind:?}").to_lowercase(),
        words: outcome_words(*kind).to_owned(),
        count: *count,
        muted: false,
    };
    totals.outcomes.iter().map(bar).collect()
}

fn drops(totals: &Totals) -> Vec<Bar> {
    let bar = |(reason, count): (&DropReason, &usize)| Bar {
        key: format!("{reason:?}").to_lowercase(),
        words: reason.explain().to_owned(),
        count: *count,
        muted: true,
    };
    totals.dropped.iter().map(bar).collect()
}

/// What became of a mention, in a few words.
pub(super) fn resolution_words(kind: ResolutionKind) -> &'static str {
    match kind {
        ResolutionKind::New => "met for the first time",
        ResolutionKind::Existing => "known already",
        ResolutionKind::ReferenceOnly => "only pointed at",
        ResolutionKind::Vetoed => "left as text",
    }
}

fn resolutions(totals: &Totals) -> Vec<Bar> {
    let bar = |(kind, count): (&ResolutionKind, &usize)| Bar {
        key: format!("{kind:?}").to_lowercase(),
        words: resolution_words(*kind).to_owned(),
        count: *count,
        muted: *kind == ResolutionKind::Vetoed,
    };
    totals.resolutions.iter().map(bar).collect()
}

fn filtered(totals: &Totals) -> Vec<Bar> {
    let bar = |(rule, count): (&String, &u32)| Bar {
        key: rule.clone(),
        words: rule.clone(),
        count: *count as usize,
        muted: true,
    };
    totals.mentions.by_rule.iter().map(bar).collect()
}

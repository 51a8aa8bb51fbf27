//! A unit at a glance: its activation on the scale with its tiers, its authority, and the parts of its trust.

use credence::trust::TrustAudit;
use credence::unit::{Authority, Tier};
use leptos::prelude::*;

use crate::projection::{authority_label, authority_meaning, tier_label};

/// The scale's ends.
const LEAST: f64 = 100.0;
const MOST: f64 = 900.0;

/// Activation as a bar from 100 to 900, with ticks where a unit turns warm and hot.
#[component]
pub(crate) fn ActivationBar(
    /// 100 to 900.
    activation: u16,
    /// Colours the bar.
    tier: Tier,
    /// Activation from which a unit is warm and hot.
    marks: (u16, u16),
) -> impl IntoView {
    let at = |value: f64| ((value - LEAST) / (MOST - LEAST)).clamp(0.0, 1.0) * 118.0 + 1.0;
    let words = format!("Activation {activation} of 900, {}", tier_label(tier));
    let class = format!("activation activation--{}", tier_label(tier));
    let tick = |mark: u16| {
        let x = format!("{:.1}", at(f64::from(mark)));
        view! { <line class="activation__tick" x1=x.clone() x2=x y1="0.5" y2="9.5" /> }
    };
    view! {
        <span class=class title=words.clone()>
            <svg class="activation__bar" viewBox="0 0 120 10" preserveAspectRatio="none" role="img" aria-label=words.clone()>
                <rect class="activation__track" x="0.5" y="3" width="119" height="4" rx="2" />
                <rect class="activation__fill" x="1" y="3" width=format!("{:.1}", (at(f64::from(activation)) - 1.0).max(1.5)) height="4" rx="2" />
                {tick(marks.0)}
                {tick(marks.1)}
            </svg>
            <span class="activation__number" aria-hidden="true">{activation}</span>
        </span>
    }
}

/// An authority as a badge.
#[component]
pub(crate) fn AuthorityBadge(
    /// Which.
    authority: Authority,
) -> impl IntoView {
    let class = format!("authority authority--{}", authority.as_str().to_lowercase());
    view! { <span class=class title=authority_meaning(authority)>{authority_label(authority)}</span> }
}

/// The score as a bar of its parts, and each part with its reason. The parts sum to the score.
#[component]
pub(crate) fn TrustParts(
    /// The audit.
    audit: TrustAudit,
) -> impl IntoView {
    let mut from = 0.0;
    let parts = audit
        .signals
        .iter()
        .enumerate()
        .filter(|(_, signal)| signal.added > 0.0)
        .map(|(n, signal)| {
            let (x, width) = (from * 100.0, signal.added * 100.0);
            from += signal.added;
            view! { <rect class=format!("trust__part trust__part--{}", n % 6) x=format!("{x:.2}") y="0" width=format!("{width:.2}") height="8" /> }
        })
        .collect_view();
    // Signals that had nothing to say leave their weight to the others.
    let present: f64 =
        audit.signals.iter().filter(|signal| signal.value.is_some()).map(|signal| signal.weight).sum();
    let rows = audit
        .signals
        .iter()
        .enumerate()
        .map(|(n, signal)| {
            let share = signal.value.map_or_else(|| "\u{2013}".to_owned(), |value| format!("{value:.2}"));
            view! {
                <tr class="trust__row" data-testid="trust-signal" data-name=signal.name.clone()>
                    <th scope="row"><span class=format!("trust__key trust__key--{}", n % 6) aria-hidden="true"></span>{spaced(&signal.name)}</th>
                    <td>{share}</td>
                    <td>{match signal.value {
                        Some(_) if present > 0.0 => format!("\u{d7} {:.3}", signal.weight / present),
                        _ => "\u{2013}".to_owned(),
                    }}</td>
                    <td class="trust__added">{format!("{:.3}", signal.added)}</td>
                    <td class="trust__why">{signal.why.clone()}</td>
                </tr>
            }
        })
        .collect_view();
    let label = format!("Trust {:.2}, from {}", audit.score, audit.profile);
    view! {
        <div class="trust" data-testid="trust" data-score=format!("{:.4}", audit.score)>
            <p class="trust__head">
                <strong>{format!("Trust {:.2}", audit.score)}</strong>
                {format!(" \u{b7} profile {} \u{b7} {}", audit.profile.to_lowercase(), audit.trigger)}
            </p>
            <svg class="trust__bar" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label=label>
                <rect class="trust__track" x="0" y="0" width="100" height="8" />
                {parts}
            </svg>
            <table class="trust__table">
                <thead>
                    <tr><th scope="col">"signal"</th><th scope="col">"value"</th><th scope="col">"weight"</th><th scope="col">"adds"</th><th scope="col">"because"</th></tr>
                </thead>
                <tbody>{rows}</tbody>
                <tfoot>
                    <tr><th scope="row">"sum"</th><td></td><td></td><td class="trust__added">{format!("{:.3}", audit.signals.iter().map(|s| s.added).sum::<f64>())}</td><td></td></tr>
                </tfoot>
            </table>
        </div>
    }
}

/// `sourceAuthority` as `source authority`.
fn spaced(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push(' ');
        }
        out.extend(c.to_lowercase());
    }
    out
}

//! How sure, at a glance: a bar filled to what the statement is worth now, with a tick at what it was worth when stated.

use leptos::prelude::*;

use crate::format::percent;

/// The bar with its number. Where time has taken nothing yet, bar and tick meet.
#[component]
pub(crate) fn Confidence(
    /// Worth now, 0 to 1.
    effective: f64,
    /// Worth when stated, 0 to 1.
    stated: f64,
) -> impl IntoView {
    let at = |share: f64| format!("{:.1}", 1.0 + share.clamp(0.0, 1.0) * 46.0);
    let faded = stated - effective > 0.005;
    let words = if faded {
        format!("Confidence {} now, {} when it was stated", percent(effective), percent(stated))
    } else {
        format!("Confidence {}", percent(effective))
    };
    let class = match effective {
        worth if worth >= 0.66 => "confidence confidence--high",
        worth if worth >= 0.33 => "confidence confidence--middle",
        _ => "confidence confidence--low",
    };
    view! {
        <span class=class title=words>
            <svg class="confidence__bar" viewBox="0 0 48 8" role="img" aria-label=words.clone()>
                <rect class="confidence__track" x="0.5" y="2" width="47" height="4" rx="2" />
                <rect class="confidence__fill" x="1" y="2" width=format!("{:.1}", effective.clamp(0.0, 1.0) * 46.0) height="4" rx="2" />
                <line class="confidence__tick" x1=at(stated) x2=at(stated) y1="0.5" y2="7.5" />
            </svg>
            <span class="confidence__number" aria-hidden="true">{percent(effective)}</span>
        </span>
    }
}

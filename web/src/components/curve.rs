//! What a statement will be worth over the next days, if nothing is heard of it again.

use leptos::prelude::*;

use crate::format::percent;

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 96.0;

/// The curve of one value a day, today first.
#[component]
pub(crate) fn Curve(
    /// Worth on each day, 0 to 1.
    days: Vec<f64>,
) -> impl IntoView {
    let last = days.len().saturating_sub(1).max(1);
    let place = |day: usize, worth: f64| {
        let x = day as f64 / last as f64 * WIDTH;
        let y = HEIGHT - worth.clamp(0.0, 1.0) * HEIGHT;
        format!("{x:.1} {y:.1}")
    };
    let line = days.iter().enumerate().map(|(day, worth)| place(day, *worth)).collect::<Vec<_>>().join(" L");
    let line = format!("M{line}");
    let area = format!("{line} L{WIDTH} {HEIGHT} L0 {HEIGHT} Z");
    let now = days.first().copied().unwrap_or_default();
    let then = days.last().copied().unwrap_or_default();
    let half = days.iter().position(|worth| *worth <= now / 2.0).filter(|_| now > 0.0);
    let words = match half {
        Some(day) => {
            format!("{} now, half of that in {day} days, {} in {last} days", percent(now), percent(then))
        }
        None if now - then < 0.005 => format!("{} now and, as things stand, in {last} days", percent(now)),
        None => format!("{} now, {} in {last} days", percent(now), percent(then)),
    };
    view! {
        <figure class="curve">
            <svg class="curve__plot" viewBox=format!("-2 -4 {} {}", WIDTH + 4.0, HEIGHT + 8.0) role="img" aria-label=words.clone()>
                <path class="curve__grid" d=format!("M0 0H{WIDTH}M0 {}H{WIDTH}M0 {HEIGHT}H{WIDTH}", HEIGHT / 2.0) />
                <path class="curve__area" d=area />
                <path class="curve__line" d=line />
                <circle class="curve__now" cx="0" cy=format!("{:.1}", HEIGHT - now * HEIGHT) r="3" />
            </svg>
            <p class="curve__axis" aria-hidden="true"><span>"today"</span><span>{format!("in {last} days")}</span></p>
            <figcaption class="curve__caption">{words}</figcaption>
        </figure>
    }
}

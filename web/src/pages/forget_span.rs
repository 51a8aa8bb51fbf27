//! The two days between which everything that was said is forgotten.

use credence::erasure::ErasureTarget;
use credence::time::Timestamp;
use leptos::prelude::*;

use crate::format;

/// Two days, both included, as the span between them where the reader is. `Err`: why they are none.
pub(crate) fn span(first: &str, last: &str) -> Result<ErasureTarget, &'static str> {
    let (from, _) = format::day_here(first).ok_or("Choose the first day")?;
    let (_, to) = format::day_here(last).ok_or("Choose the last day")?;
    if to <= from {
        return Err("The last day is before the first one");
    }
    Ok(ErasureTarget::Span { from, to })
}

/// The days of a span, as the fields hold them.
fn days(from: Timestamp, to: Timestamp) -> (String, String) {
    (format::day_field(from), format::day_field(to.plus_ms(-1)))
}

/// The fields. What they come to is told each time one of them changes.
#[component]
pub(crate) fn SpanFields(
    from: Timestamp,
    to: Timestamp,
    disabled: Signal<bool>,
    on_change: Callback<Result<ErasureTarget, &'static str>>,
) -> impl IntoView {
    let (first, last) = days(from, to);
    let (first, last) = (RwSignal::new(first), RwSignal::new(last));
    let field = move |label: &'static str, testid: &'static str, day: RwSignal<String>| {
        view! {
            <label class="field">
                <span class="field__label">{label}</span>
                <input
                    class="field__input"
                    type="date"
                    data-testid=testid
                    prop:value=day
                    disabled=move || disabled.get()
                    on:change=move |event| {
                        day.set(event_target_value(&event));
                        on_change.run(first.with_untracked(|first| last.with_untracked(|last| span(first, last))));
                    }
                />
            </label>
        }
    };
    view! {
        <fieldset class="forget__span">
            <legend class="unseen">"From when to when"</legend>
            {field("First day", "forget-from", first)}
            {field("Last day", "forget-to", last)}
            <p class="field__hint forget__span-hint">"Everything that was said or read in on these days, in every conversation and document."</p>
        </fieldset>
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test]
    fn a_span_holds_both_of_its_days() {
        let Ok(ErasureTarget::Span { from, to }) = span("2026-03-08", "2026-03-09") else {
            panic!("two days are a span")
        };
        assert_eq!(days(from, to), ("2026-03-08".to_owned(), "2026-03-09".to_owned()));
        // Clocks that are set back or forward make a day longer or shorter.
        let hours = (to.0 - from.0) / 3_600_000;
        assert!((47..=49).contains(&hours), "{hours}");
        assert!(span("2026-03-08", "2026-03-08").is_ok());
        assert_eq!(span("2026-03-09", "2026-03-08"), Err("The last day is before the first one"));
        assert_eq!(span("", "2026-03-08"), Err("Choose the first day"));
        assert_eq!(span("2026-03-08", "soon"), Err("Choose the last day"));
    }
}

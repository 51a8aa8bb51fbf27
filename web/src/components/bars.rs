//! A plot of counts: one bar a row, longest first, each with its words and its number.

use leptos::prelude::*;

use crate::format::grouped;

/// One bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bar {
    /// A machine word for checks and keys.
    pub key: String,
    /// What is counted.
    pub words: String,
    /// How many.
    pub count: usize,
    /// Draws it as something that went wrong or was left out.
    pub muted: bool,
}

/// The bars.
#[component]
pub(crate) fn Bars(
    /// Names the plot.
    label: &'static str,
    /// In any order, unless `in_order` is set.
    bars: Vec<Bar>,
    /// Keeps the order given: the steps of a way.
    #[prop(optional)]
    in_order: bool,
) -> impl IntoView {
    let mut bars = bars;
    if !in_order {
        bars.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.words.cmp(&b.words)));
    }
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(1).max(1);
    view! {
        <table class="bars" aria-label=label>
            <tbody>
                {bars
                    .into_iter()
                    .map(|bar| {
                        let share = (bar.count as f64 / most as f64 * 100.0).max(1.0);
                        view! {
                            <tr class="bars__row" data-testid="bar" data-key=bar.key data-count=bar.count.to_string()>
                                <th class="bars__words" scope="row">{bar.words}</th>
                                <td class="bars__number">{grouped(bar.count)}</td>
                                <td class="bars__space" aria-hidden="true">
                                    <svg class="bars__plot" viewBox="0 0 100 6" preserveAspectRatio="none">
                                        <rect class=if bar.muted { "bars__bar bars__bar--muted" } else { "bars__bar" } width=format!("{share:.1}") height="6" rx="1" />
                                    </svg>
                                </td>
                            </tr>
                        }
                    })
                    .collect_view()}
            </tbody>
        </table>
    }
}

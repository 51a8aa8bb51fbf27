//! Plots as drawings in the page: means with their intervals and every run behind them, differences to one condition as a forest, and one metric
//! over scenarios and conditions as a map with its numbers. Each number that is drawn is written, too.

use std::sync::Arc;

use credence_sim::experiment::Comparison;
use credence_sim::metrics::{Better, Metric, Unit, named};
use credence_sim::report::{EffectRow, figure};
use credence_sim::stats::mean_interval;
use leptos::prelude::*;

use super::said;
use crate::experiment::Looked;

/// Height of a row in pixels; names and words beside the drawing have the same in the style sheet.
const ROW: f64 = 28.0;
/// What is left free at either side, in percent of the width.
const SIDE: f64 = 4.0;

/// Where values lie in a plot.
#[derive(Debug, Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// Over these values, with a little room, and wide enough to be one.
    fn over(values: impl IntoIterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            (low, high) = (low.min(value), high.max(value));
        }
        if !low.is_finite() || !high.is_finite() {
            return Self { low: 0.0, high: 1.0 };
        }
        let room = ((high - low) * 0.05).max(0.5);
        Self { low: low - room, high: high + room }
    }
    /// In percent of the width, so that a drawing is stretched and its marks are not.
    fn at(self, value: f64) -> String {
        let share = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        format!("{:.2}%", SIDE + share * (100.0 - 2.0 * SIDE))
    }
    /// Round numbers to write under the axis, ends within.
    fn ticks(self) -> Vec<f64> {
        let rough = (self.high - self.low) / 4.0;
        let ten = 10f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].into_iter().map(|of| of * ten).find(|step| *step >= rough).unwrap_or(ten);
        let mut at = (self.low / step).ceil() * step;
        let mut ticks = Vec::new();
        while at <= self.high && ticks.len() < 12 {
            ticks.push(if at.abs() < step * 1e-9 { 0.0 } else { at });
            at += step;
        }
        ticks
    }
}

/// The axis under a plot of so many rows.
fn axis(scale: Scale, rows: usize) -> impl IntoView {
    let bottom = rows as f64 * ROW;
    scale
        .ticks()
        .into_iter()
        .map(|tick| {
            let x = scale.at(tick);
            let decimals = usize::from(tick.fract().abs() > 1e-9);
            view! {
                <line class="plot__grid" x1=x.clone() x2=x.clone() y1="0" y2=format!("{bottom:.1}") />
                <text class="plot__tick" x=x y=format!("{:.1}", bottom + 14.0) text-anchor="middle">{figure(Some(tick), decimals)}</text>
            }
        })
        .collect_view()
}

/// What a metric is counted in.
pub(super) fn unit(metric: &Metric) -> &'static str {
    match metric.unit {
        Unit::Percent => "%",
        Unit::Count => "count",
        Unit::Turns => "turn",
        Unit::Tokens => "tokens",
    }
}

/// A plot: names at the left, the drawing, and what it says in words at the right; rows of the same height.
fn frame(
    label: String,
    testid: &'static str,
    names: Vec<String>,
    drawing: AnyView,
    words: Vec<String>,
) -> impl IntoView {
    let height = names.len() as f64 * ROW + 20.0;
    view! {
        <figure class="plot" role="group" aria-label=label data-testid=testid>
            <ul class="plot__names">{names.into_iter().map(|name| view! { <li>{name}</li> }).collect_view()}</ul>
            <svg class="plot__drawing" height=height.to_string() aria-hidden="true">{drawing}</svg>
            <ul class="plot__words">{words.into_iter().map(|words| view! { <li>{words}</li> }).collect_view()}</ul>
        </figure>
    }
}

/// Means of one metric in one scenario, a row a condition: every run a small mark, the mean a large one, Student's 95 % interval a line.
#[component]
pub(super) fn Means(looked: Arc<Looked>, metric: String, scenario: String) -> impl IntoView {
    let Looked { experiment, analysis } = &*looked;
    let judge = &experiment.definition.judged_by;
    let rows: Vec<_> = experiment
        .definition
        .conditions
        .iter()
        .map(|condition| {
            let summary = analysis
                .cell(&condition.name, &scenario)
                .and_then(|cell| cell.metric(&metric))
                .copied()
                .unwrap_or_default();
            let values: Vec<f64> = experiment
                .complete()
                .filter(|run| run.condition == condition.name && run.scenario == scenario)
                .filter_map(|run| run.value(judge, &metric))
                .collect();
            (condition.name.clone(), summary, mean_interval(&summary, 0.95), values)
        })
        .collect();
    let of_percent = named(&metric).is_some_and(|metric| metric.unit == Unit::Percent);
    let fixed = if of_percent { vec![0.0, 100.0] } else { vec![0.0] };
    let scale = Scale::over(rows.iter().flat_map(|(_, _, _, values)| values.clone()).chain(fixed));
    let count = rows.len();
    let names = rows.iter().map(|(name, ..)| said(name)).collect();
    let words = rows
        .iter()
        .map(|(_, summary, interval, _)| {
            let interval = interval.map_or_else(String::new, |interval| {
                format!(", {} to {}", figure(Some(interval.low), 1), figure(Some(interval.high), 1))
            });
            format!(
                "{} \u{b1} {} (n {}){interval}",
                figure(summary.mean, 1),
                figure(summary.sd, 1),
                summary.n
            )
        })
        .collect();
    let marks = rows
        .into_iter()
        .enumerate()
        .map(|(at, (_, summary, interval, values))| {
            let y = (at as f64 + 0.5) * ROW;
            let runs = values.into_iter().map(move |value| {
                view! { <circle class="plot__run" cx=scale.at(value) cy=format!("{:.1}", y + 6.0) r="2.5" /> }
            });
            let line = interval.map(|interval| {
                let (low, high) = (interval.low.max(scale.low), interval.high.min(scale.high));
                view! { <line class="plot__interval" x1=scale.at(low) x2=scale.at(high) y1=format!("{y:.1}") y2=format!("{y:.1}") /> }
            });
            let dot = summary.mean.map(|mean| {
                view! { <rect class="plot__mean" x=scale.at(mean) y=format!("{:.1}", y - 6.0) width="6" height="12" rx="1" transform="translate(-3 0)" /> }
            });
            view! { {runs.collect_view()} {line} {dot} }
        })
        .collect_view();
    let drawing = view! { {axis(scale, count)} {marks} }.into_any();
    frame(format!("Means of {metric} in {scenario}"), "lab-means", names, drawing, words)
}

/// Differences of one metric to a condition, a row a comparison, with their intervals. Control and blocked ones are drawn hollow.
#[component]
pub(super) fn Forest(looked: Arc<Looked>, metric: String, reference: String) -> impl IntoView {
    let analysis = &looked.analysis;
    let own: Vec<&Comparison> = analysis
        .comparisons
        .iter()
        .filter(|one| {
            one.metric == metric && one.pairs > 0 && [&one.first, &one.second].contains(&&reference)
        })
        .collect();
    if own.is_empty() {
        return view! { <p class="card__none">"No pair of runs has a value of this metric: there is no difference to draw."</p> }
            .into_any();
    }
    // Every row is the other condition less the reference.
    let turned = |one: &Comparison| if one.first == reference { -1.0 } else { 1.0 };
    let ends = own.iter().flat_map(|one| {
        let sign = turned(one);
        one.interval
            .iter()
            .flat_map(|interval| [interval.low, interval.high])
            .chain(one.difference)
            .map(move |value| sign * value)
            .collect::<Vec<_>>()
    });
    let scale = Scale::over(ends.chain([0.0]));
    let count = own.len();
    let names = own
        .iter()
        .map(|one| {
            let other = if one.first == reference { &one.second } else { &one.first };
            format!("{}{}", said(other), if one.control { " (control)" } else { "" })
        })
        .collect();
    let words = own
        .iter()
        .map(|one| {
            let sign = turned(one);
            let row = EffectRow::of(analysis, one);
            let interval = one.interval.map_or_else(String::new, |of| {
                let (a, b) = (sign * of.low, sign * of.high);
                format!(" ({} to {})", figure(Some(a.min(b)), 1), figure(Some(a.max(b)), 1))
            });
            let found = if row.is_blocked {
                "no conclusion: blocked by a check".to_owned()
            } else {
                format!("p {} {}", row.p, row.stars)
            };
            format!("{}{interval}, {found}", figure(one.difference.map(|value| sign * value), 1))
        })
        .collect();
    let marks = own
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let sign = turned(one);
            let y = (at as f64 + 0.5) * ROW;
            let blocked = EffectRow::of(analysis, one).is_blocked;
            let class = if blocked || one.control { "plot__mean plot__mean--hollow" } else { "plot__mean" };
            let line = one.interval.map(|of| {
                view! { <line class="plot__interval" class:plot__interval--blocked=blocked x1=scale.at(sign * of.low) x2=scale.at(sign * of.high) y1=format!("{y:.1}") y2=format!("{y:.1}") /> }
            });
            let dot = one.difference.map(|value| {
                view! { <rect class=class x=scale.at(sign * value) y=format!("{:.1}", y - 5.0) width="8" height="10" rx="1" transform="translate(-4 0)" /> }
            });
            view! { {line} {dot} }
        })
        .collect_view();
    let zero = scale.at(0.0);
    let bottom = format!("{:.1}", count as f64 * ROW);
    let drawing = view! { {axis(scale, count)} <line class="plot__zero" x1=zero.clone() x2=zero y1="0" y2=bottom /> {marks} }
        .into_any();
    frame(format!("Differences of {metric} to {reference}"), "lab-forest", names, drawing, words).into_any()
}

/// A metric over scenarios and conditions: the darker, the better; the number is in each field.
#[component]
pub(super) fn Map(looked: Arc<Looked>, metric: String) -> impl IntoView {
    let Looked { experiment, analysis } = &*looked;
    let conditions: Vec<String> =
        experiment.definition.conditions.iter().map(|condition| condition.name.clone()).collect();
    let known = named(&metric);
    let mean = |condition: &str, scenario: &str| {
        analysis
            .cell(condition, scenario)
            .and_then(|cell| cell.metric(&metric))
            .and_then(|summary| summary.mean)
    };
    let values: Vec<f64> = experiment
        .scenarios
        .iter()
        .flat_map(|scenario| {
            conditions.iter().filter_map(|condition| mean(condition, &scenario.id)).collect::<Vec<_>>()
        })
        .collect();
    let (low, high) = if known.is_some_and(|metric| metric.unit == Unit::Percent) {
        (0.0, 100.0)
    } else {
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(*value), high.max(*value))
        })
    };
    let turned = known.is_some_and(|metric| metric.better == Better::Lower);
    let shade = |value: f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        let share = if turned { 1.0 - share } else { share };
        // Five steps, so that a field's class carries its colour.
        (share.clamp(0.0, 1.0) * 4.0).round() as u32
    };
    let heads = conditions.iter().map(|name| view! { <th scope="col">{said(name)}</th> }).collect_view();
    let rows = experiment
        .scenarios
        .iter()
        .map(|scenario| {
            let fields = conditions
                .iter()
                .map(|condition| match mean(condition, &scenario.id) {
                    None => view! { <td class="map__field">"\u{2013}"</td> }.into_any(),
                    Some(value) => {
                        let n = analysis.cell(condition, &scenario.id).map_or(0, |cell| cell.runs);
                        view! { <td class=format!("map__field map__field--{}", shade(value)) data-testid="lab-field" title=format!("{} in {}: {value:.2}, {n} runs", said(condition), scenario.id)>{figure(Some(value), 0)}</td> }.into_any()
                    }
                })
                .collect_view();
            let name = if scenario.title.is_empty() { &scenario.id } else { &scenario.title };
            view! { <tr><th scope="row" title=scenario.id.clone()>{name.clone()}</th>{fields}</tr> }
        })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="Scenarios and conditions">
            <table class="map" data-testid="lab-map">
                <thead><tr><th scope="col"><span class="unseen">"Scenario"</span></th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p class="lab__aside">{format!("Means, in {}. The fuller a field's colour, the better for {}.", known.map_or("points", unit), known.map_or("the metric", |metric| metric.title))}</p>
    }
}

//! A small graph as a drawing: nodes that lie near what they are linked with, and one of them chosen with its neighbourhood.
//!
//! Places follow from the graph alone, by forces that cool (Fruchterman and Reingold), begun on a circle: the same graph is the same picture.

use std::collections::BTreeSet;

use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// The drawing's size.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 340.0;
/// Room at its sides, for half a label, and above and below.
const MARGIN: (f64, f64) = (56.0, 30.0);
/// The least extent, as a share of all, that is stretched over the drawing: two nodes do not stand at its ends.
const LEAST: f64 = 0.9;
/// Rounds of the layout; more change nothing that one would see.
const ROUNDS: u32 = 220;
/// Characters of a label.
const LABEL: usize = 18;

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub id: String,
    pub label: String,
    /// How much it stands for; decides its size.
    pub weight: u32,
}

/// A link, by the places of its ends in the list of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    pub a: usize,
    pub b: usize,
    pub weight: u32,
}

/// Where each node lies.
fn layout(nodes: usize, edges: &[Edge]) -> Vec<(f64, f64)> {
    let circle = |n: usize| {
        let angle = n as f64 / nodes.max(1) as f64 * std::f64::consts::TAU;
        (0.5 + 0.4 * angle.cos(), 0.5 + 0.4 * angle.sin())
    };
    let mut at: Vec<(f64, f64)> = (0..nodes).map(circle).collect();
    let ideal = 0.9 / (nodes.max(1) as f64).sqrt();
    for round in 0..ROUNDS {
        let heat = 0.12 * (1.0 - f64::from(round) / f64::from(ROUNDS));
        let mut pull = vec![(0.0, 0.0); nodes];
        let mut push = |one: usize, dx: f64, dy: f64| {
            pull[one].0 += dx;
            pull[one].1 += dy;
        };
        for a in 0..nodes {
            for b in a + 1..nodes {
                let (dx, dy) = (at[a].0 - at[b].0, at[a].1 - at[b].1);
                let distance = dx.hypot(dy).max(0.01);
                let force = ideal * ideal / (distance * distance);
                push(a, dx * force, dy * force);
                push(b, -dx * force, -dy * force);
            }
            // A little towards the middle, so that what is linked with nothing stays in the picture.
            push(a, (0.5 - at[a].0) * 0.4, (0.5 - at[a].1) * 0.4);
        }
        for edge in edges {
            let (dx, dy) = (at[edge.a].0 - at[edge.b].0, at[edge.a].1 - at[edge.b].1);
            let force = dx.hypot(dy) / ideal * f64::from(edge.weight).ln_1p();
            push(edge.a, -dx * force, -dy * force);
            push(edge.b, dx * force, dy * force);
        }
        for (place, (dx, dy)) in at.iter_mut().zip(pull) {
            let length = dx.hypot(dy).max(1e-9);
            let step = length.min(heat) / length;
            place.0 = (place.0 + dx * step).clamp(0.0, 1.0);
            place.1 = (place.1 + dy * step).clamp(0.0, 1.0);
        }
    }
    spread(&at)
}

/// The same places, filling the drawing.
fn spread(at: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let ends = |of: fn(&(f64, f64)) -> f64| {
        let least = at.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = at.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        (least, most - least)
    };
    let ((left, wide), (top, high)) = (ends(|place| place.0), ends(|place| place.1));
    let scaled = |value: f64, least: f64, range: f64, size: f64, margin: f64| {
        let share = 0.5 + (value - least - range / 2.0) / range.max(LEAST);
        margin + share * (size - 2.0 * margin)
    };
    let (aside, above) = MARGIN;
    let place =
        |(x, y): &(f64, f64)| (scaled(*x, left, wide, WIDTH, aside), scaled(*y, top, high, HEIGHT, above));
    at.iter().map(place).collect()
}

/// The drawing. A click on a node chooses it; on it again, or beside every node, none is chosen.
#[component]
pub(crate) fn Graph(
    /// Names it.
    label: &'static str,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The id of the chosen node.
    chosen: RwSignal<Option<String>>,
) -> impl IntoView {
    let at = layout(nodes.len(), &edges);
    let most = nodes.iter().map(|node| node.weight).max().unwrap_or(1).max(1);
    let ids: Vec<String> = nodes.iter().map(|node| node.id.clone()).collect();
    let known = (ids, edges.clone());
    let near = Memo::new(move |_| {
        let (ids, edges) = &known;
        let place = chosen.with(|chosen| ids.iter().position(|id| Some(id) == chosen.as_ref()))?;
        let mut near: BTreeSet<usize> = BTreeSet::from([place]);
        near.extend(edges.iter().filter(|edge| edge.a == place).map(|edge| edge.b));
        near.extend(edges.iter().filter(|edge| edge.b == place).map(|edge| edge.a));
        Some((place, near))
    });
    let lines = edges.iter().map(|edge| {
        let Edge { a, b, weight } = *edge;
        let ((x1, y1), (x2, y2)) = (at[a], at[b]);
        let faded =
            move || near.with(|near| near.as_ref().is_some_and(|(place, _)| *place != a && *place != b));
        view! {
            <line
                class="graph__edge"
                class:graph__faded=faded
                x1=format!("{x1:.1}") y1=format!("{y1:.1}") x2=format!("{x2:.1}") y2=format!("{y2:.1}")
                stroke-width=format!("{:.2}", 1.4 + f64::from(weight).ln())
            />
        }
    });
    let lines = lines.collect_view();
    let dots = nodes.into_iter().zip(at).enumerate().map(|(n, (node, (x, y)))| {
        let radius = 6.0 + 8.0 * (f64::from(node.weight) / f64::from(most)).sqrt();
        let short: String = match node.label.chars().count() {
            0..=LABEL => node.label.clone(),
            _ => node.label.chars().take(LABEL - 1).chain(['\u{2026}']).collect(),
        };
        let id = StoredValue::new(node.id.clone());
        let is_chosen = move || near.with(|near| near.as_ref().is_some_and(|(place, _)| *place == n));
        let faded = move || near.with(|near| near.as_ref().is_some_and(|(_, near)| !near.contains(&n)));
        let choose = move || {
            let id = id.get_value();
            chosen.update(|chosen| *chosen = (chosen.as_ref() != Some(&id)).then_some(id));
        };
        view! {
            <g
                class="graph__node"
                class:graph__node--chosen=is_chosen
                class:graph__faded=faded
                role="button"
                tabindex="0"
                aria-pressed=move || is_chosen().to_string()
                aria-label=node.label.clone()
                data-testid="graph-node"
                data-id=node.id
                on:click=move |event| {
                    event.stop_propagation();
                    choose();
                }
                on:keydown=move |event: KeyboardEvent| {
                    if matches!(event.key().as_str(), "Enter" | " ") {
                        event.prevent_default();
                        choose();
                    }
                }
            >
                <title>{node.label.clone()}</title>
                <circle cx=format!("{x:.1}") cy=format!("{y:.1}") r=format!("{radius:.1}") />
                <text x=format!("{x:.1}") y=format!("{:.1}", y + radius + 12.0)>{short}</text>
            </g>
        }
    });
    view! {
        <svg class="graph" viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="group" aria-label=label on:click=move |_| chosen.set(None)>
            {lines}
            {dots.collect_view()}
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test]
    fn linked_nodes_lie_together_and_all_lie_inside() {
        let edges = [Edge { a: 0, b: 3, weight: 3 }, Edge { a: 1, b: 2, weight: 1 }];
        let at = layout(6, &edges);
        assert_eq!(at, layout(6, &edges), "the same graph is the same picture");
        let distance = |a: usize, b: usize| (at[a].0 - at[b].0).hypot(at[a].1 - at[b].1);
        assert!(distance(0, 3) < distance(0, 5), "{at:?}");
        assert!(distance(1, 2) < distance(1, 4), "{at:?}");
        for (x, y) in at {
            assert!((MARGIN.0 - 0.1..=WIDTH - MARGIN.0 + 0.1).contains(&x), "{x}");
            assert!((MARGIN.1 - 0.1..=HEIGHT - MARGIN.1 + 0.1).contains(&y), "{y}");
        }
        assert_eq!(layout(1, &[]), [(WIDTH / 2.0, HEIGHT / 2.0)]);
        assert!(layout(0, &[]).is_empty());
    }
}

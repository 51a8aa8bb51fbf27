//! Who and what a run's memory mentions together, as a drawing; and of the chosen one, with whom and in which statements.

use std::collections::BTreeSet;

use credence::upkeep::{MentionGraph, MentionGraphFilter};
use leptos::prelude::*;

use crate::components::graph::{Edge, Graph, Node};
use crate::format;
use crate::run_memory::Look;

/// Most nodes and links that are drawn (simulator 6.6).
const NODES: usize = 45;
const EDGES: usize = 120;
/// Letters of a word by which a text finds its entity (simulator 6.6).
const WORD: usize = 4;

/// What is drawn, and how much there is.
#[derive(Debug, Clone, PartialEq, Default)]
struct Drawn {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    kinds: Vec<String>,
    all: (usize, usize),
}

/// The most mentioned nodes, and the heaviest links between them.
fn drawn(graph: &MentionGraph) -> Drawn {
    let nodes: Vec<Node> = graph
        .nodes
        .iter()
        .take(NODES)
        .map(|node| Node { id: node.id.clone(), label: node.label.clone(), weight: node.propositions.max(1) })
        .collect();
    let place = |id: &str| nodes.iter().position(|node| node.id == id);
    let mut edges: Vec<Edge> = graph
        .edges
        .iter()
        .filter_map(|edge| Some(Edge { a: place(&edge.a)?, b: place(&edge.b)?, weight: edge.weight }))
        .collect();
    edges.sort_by_key(|edge| std::cmp::Reverse(edge.weight));
    edges.truncate(EDGES);
    Drawn { nodes, edges, kinds: Vec::new(), all: (graph.nodes.len(), graph.edges.len()) }
}

/// The entity that a text is about: one whose name is in it, else one whose name has one of its longer words.
fn about(nodes: &[Node], text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let is_named = |node: &&Node| !node.label.is_empty() && text.contains(&node.label.to_lowercase());
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() >= WORD);
    let shares = |node: &&Node| words().any(|word| node.label.to_lowercase().contains(word));
    let found = nodes.iter().find(is_named).or_else(|| nodes.iter().find(shares));
    found.filter(|_| !text.trim().is_empty()).map(|node| node.id.clone())
}

/// The graph with its filters.
#[component]
pub(super) fn Entities(look: Look, words: RwSignal<String>) -> impl IntoView {
    let least = RwSignal::new(1_u32);
    let kind = RwSignal::new(String::new());
    let retired = RwSignal::new(false);
    let chosen = RwSignal::new(None::<String>);
    let seen = Memo::new(move |_| {
        let filter =
            MentionGraphFilter { kind: kind.get(), retired: retired.get(), min_edge_weight: least.get() };
        look.read(|memory| {
            let everything = MentionGraphFilter { retired: true, ..MentionGraphFilter::default() };
            let all = memory.mention_graph(&everything);
            let kinds: BTreeSet<String> = all.nodes.into_iter().map(|node| node.kind).collect();
            let kinds = kinds.into_iter().filter(|kind| !kind.is_empty()).collect();
            Drawn { kinds, ..drawn(&memory.mention_graph(&filter)) }
        })
    });
    // What is searched for is shown in the drawing too.
    Effect::new(move || {
        let text = words.get();
        if !text.trim().is_empty() {
            chosen.set(seen.with(|seen| about(&seen.nodes, &text)));
        }
    });
    let summary = move || {
        seen.with(|seen| {
            let (nodes, edges) = seen.all;
            let cut = nodes > seen.nodes.len() || edges > seen.edges.len();
            format!(
                "{}, {}{}",
                format::count(nodes, "person or thing", "people and things"),
                format::count(edges, "link", "links"),
                if cut { "; the most mentioned are drawn" } else { "" }
            )
        })
    };
    view! {
        <div class="filters knowledge__filters">
            <label class="filters__choice">
                <span>"Kind"</span>
                <select class="field__input" data-testid="sim-graph-kind" on:change=move |event| kind.set(event_target_value(&event))>
                    <option value="">"Every kind"</option>
                    {move || seen.with(|seen| seen.kinds.clone()).into_iter().map(|word| {
                        let is_chosen = kind.get_untracked() == word;
                        view! { <option value=word.clone() selected=is_chosen>{word.clone()}</option> }
                    }).collect_view()}
                </select>
            </label>
            <label class="filters__choice knowledge__number">
                <span>"Together at least"</span>
                <input class="field__input" type="number" min="1" max="20" data-testid="sim-graph-least" prop:value=move || least.get().to_string() on:input=move |event| least.set(event_target_value(&event).parse().unwrap_or(1).clamp(1, 20)) />
            </label>
            <label class="choices__item">
                <input type="checkbox" prop:checked=retired on:change=move |event| retired.set(event_target_checked(&event)) />
                "also what no longer holds"
            </label>
        </div>
        <p class="inspect__line" role="status" data-testid="sim-graph" data-nodes=move || seen.with(|seen| seen.nodes.len().to_string()) data-edges=move || seen.with(|seen| seen.edges.len().to_string())>{summary}</p>
        {move || {
            let Drawn { nodes, edges, .. } = seen.get();
            match (nodes.is_empty(), edges.is_empty()) {
                (true, _) => view! { <p class="card__none">"No statement mentions anybody or anything that passes these filters."</p> }.into_any(),
                (false, no_edges) => view! {
                    <Graph label="Who and what is mentioned together" nodes edges chosen />
                    {no_edges.then(|| view! { <p class="inspect__line">"No two of them are mentioned together so often."</p> })}
                    <Chosen look seen chosen />
                }.into_any(),
            }
        }}
    }
}

/// What the drawing says of the chosen one, in words.
#[component]
fn Chosen(look: Look, seen: Memo<Drawn>, chosen: RwSignal<Option<String>>) -> impl IntoView {
    let words = move || {
        let id = chosen.get()?;
        let (label, near) = seen.with(|seen| {
            let place = seen.nodes.iter().position(|node| node.id == id)?;
            let other = |edge: &Edge| match (edge.a == place, edge.b == place) {
                (true, _) => Some((edge.b, edge.weight)),
                (_, true) => Some((edge.a, edge.weight)),
                _ => None,
            };
            let near: Vec<String> = seen
                .edges
                .iter()
                .filter_map(other)
                .filter_map(|(n, weight)| Some(format!("{} ({weight})", seen.nodes.get(n)?.label)))
                .collect();
            Some((seen.nodes.get(place)?.label.clone(), near))
        })?;
        let texts = look.read(|memory| {
            let state = memory.state();
            let names = label.to_lowercase();
            let said = |mention: &credence::proposition::Mention| {
                let kept = mention.entity.and_then(|entity| state.keeper(entity));
                kept.map_or_else(|| mention.span.to_lowercase() == names, |kept| kept.id.to_string() == id)
            };
            let about = state.propositions().filter(|p| p.mentions.iter().any(said));
            about.map(|p| (p.text.clone(), p.status.is_live())).collect::<Vec<_>>()
        });
        Some((label, near, texts))
    };
    move || {
        match words() {
        None => view! { <p class="inspect__line">"Choose one to see with whom it is mentioned, and where."</p> }.into_any(),
        Some((label, near, texts)) => view! {
            <section class="knowledge__near" data-testid="sim-graph-chosen" aria-live="polite">
                <h3 class="inspect__title">{label}</h3>
                <p class="inspect__line">
                    {if near.is_empty() { "Mentioned together with nobody.".to_owned() } else { format!("Together with {}", near.join(", ")) }}
                </p>
                <ul class="inspect__list">
                    {texts.into_iter().map(|(text, live)| view! {
                        <li class="inspect__unit">{if live { text.into_any() } else { view! { <s>{text}</s> }.into_any() }}</li>
                    }).collect_view()}
                </ul>
            </section>
        }
        .into_any(),
    }
    }
}

#[cfg(test)]
mod tests {
    use credence::config::Config;
    use credence::id::{ContextId, PropositionId};
    use credence::ports::{Ids as _, Ports as _};
    use credence::proposition::{Extractor, Mention, MentionRole, Proposition};
    use credence::scale::Confidence;
    use credence::testing::TestPorts;
    use credence::{Memory, history::Actor};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test]
    async fn sim_94_three_nodes_two_links_one_found_by_name_and_filters_that_are_asked_again() {
        let memory = Memory::open(TestPorts::offline(), ContextId::new("graph").unwrap(), Config::default())
            .await
            .unwrap();
        let now = memory.now().at;
        let met = |n: u128, spans: [&str; 2]| {
            let id = PropositionId::new(memory.ports().ids().next());
            let text = format!("They met in place {n}.");
            let mut p = Proposition::new(id, &text, Confidence::clamped(0.9), Extractor::Rules, now).unwrap();
            p.mentions = spans.map(|span| Mention::new(span, "Person", MentionRole::Other)).to_vec();
            p
        };
        let rows: Vec<_> =
            (1..=4).map(|n| met(n, ["Alice", "Castle"])).chain([met(5, ["Castle", "Bob"])]).collect();
        memory.save(&rows, Actor::Host).await.unwrap();
        let seen = drawn(&memory.mention_graph(&MentionGraphFilter::default()));
        assert_eq!((seen.nodes.len(), seen.edges.len(), seen.all), (3, 2, (3, 2)));
        assert_eq!(about(&seen.nodes, "Where is Alice?").as_deref(), Some("unresolved:person:alice"));
        assert_eq!(about(&seen.nodes, "Where is Zoltan?"), None);
        assert_eq!(about(&seen.nodes, "  "), None);
        let heavy = MentionGraphFilter { min_edge_weight: 4, retired: true, kind: String::new() };
        let seen = drawn(&memory.mention_graph(&heavy));
        assert_eq!(seen.edges.iter().map(|edge| edge.weight).collect::<Vec<_>>(), [4]);
    }
}

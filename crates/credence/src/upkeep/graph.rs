//! The mention graph: what is mentioned together (core 11.6). A view of the present, derived on read; nothing is decided by it.
//!
//! A node is an entity, or an unresolved mention under `unresolved:<type>:<span>`. An edge joins two nodes that one statement
//! mentions; its weight is how many statements do. A merged entity counts as the one that it was merged into. With a type filter,
//! nodes of that type stay, edges stay where either end is of it, and so does the other end of such an edge; once there are edges,
//! nodes without one leave.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::history::State;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::Mention;
use crate::text;

/// What of the graph is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MentionGraphFilter {
    /// A type, whatever its case; blank or `ALL`: every one.
    pub kind: String,
    /// Whether statements that are no longer believed count too.
    pub retired: bool,
    /// Least weight of an edge; at least 1.
    pub min_edge_weight: u32,
}

/// Something that statements mention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MentionNode {
    /// The entity's id, or `unresolved:<type>:<span>`.
    pub id: String,
    /// Its name, or the words of the mention.
    pub label: String,
    /// Its type; empty when unknown.
    pub kind: String,
    /// Mentions of it.
    pub mentions: u32,
    /// Statements that mention it.
    pub propositions: u32,
}

/// Two nodes that are mentioned together; `a` is before `b`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MentionEdge {
    /// A node's id.
    pub a: String,
    /// Another's.
    pub b: String,
    /// Statements that mention both.
    pub weight: u32,
}

/// The graph.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MentionGraph {
    /// By statements and mentions, most first, then by id.
    pub nodes: Vec<MentionNode>,
    /// By their ends.
    pub edges: Vec<MentionEdge>,
}

fn word(raw: &str) -> String {
    let word = text::fold(raw).split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "-");
    if word.is_empty() { "unknown".into() } else { word }
}

/// The node of a mention: id, label, type.
fn node_of(state: &State, mention: &Mention) -> MentionNode {
    let kept = mention.entity.and_then(|id| state.keeper(id));
    let (id, label) = match (kept, mention.entity) {
        (Some(entity), _) => (entity.id.to_string(), entity.name.clone()),
        (None, Some(id)) => (id.to_string(), mention.span.trim().to_owned()),
        (None, None) => {
            let id = format!("unresolved:{}:{}", word(&mention.kind), word(&mention.span));
            (id, mention.span.trim().to_owned())
        }
    };
    let kind = kept.and_then(|entity| entity.labels.first()).unwrap_or(&mention.kind).clone();
    MentionNode { id, label, kind, mentions: 0, propositions: 0 }
}

/// The graph of a state.
pub(super) fn graph(state: &State, filter: &MentionGraphFilter) -> MentionGraph {
    let mut nodes: BTreeMap<String, MentionNode> = BTreeMap::new();
    let mut edges: BTreeMap<(String, String), u32> = BTreeMap::new();
    for p in state.propositions().filter(|p| filter.retired || p.status.is_live()) {
        let mut here: BTreeSet<String> = BTreeSet::new();
        for mention in &p.mentions {
            let found = node_of(state, mention);
            let node = nodes.entry(found.id.clone()).or_insert(found);
            node.mentions += 1;
            node.propositions += u32::from(here.insert(node.id.clone()));
        }
        // In order and without repeats: no edge to itself, and none twice.
        for (n, a) in here.iter().enumerate() {
            for b in here.iter().skip(n + 1) {
                *edges.entry((a.clone(), b.clone())).or_default() += 1;
            }
        }
    }
    let wanted = text::fold(filter.kind.trim());
    let is_wanted = |id: &String| {
        wanted.is_empty() || wanted == "all" || nodes.get(id).is_some_and(|n| text::fold(&n.kind) == wanted)
    };
    let least = filter.min_edge_weight.max(1);
    edges.retain(|(a, b), weight| *weight >= least && (is_wanted(a) || is_wanted(b)));
    let ends: BTreeSet<&String> = edges.keys().flat_map(|(a, b)| [a, b]).collect();
    let stays = |id: &String| if ends.is_empty() { is_wanted(id) } else { ends.contains(id) };
    let mut left: Vec<MentionNode> = nodes.values().filter(|node| stays(&node.id)).cloned().collect();
    left.sort_by(|x, y| {
        (y.propositions, y.mentions).cmp(&(x.propositions, x.mentions)).then_with(|| x.id.cmp(&y.id))
    });
    let edges = edges.into_iter().map(|((a, b), weight)| MentionEdge { a, b, weight }).collect();
    MentionGraph { nodes: left, edges }
}

impl<P: Ports> Memory<P> {
    /// What is mentioned together.
    pub fn mention_graph(&self, filter: &MentionGraphFilter) -> MentionGraph {
        graph(&self.state(), filter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Actor, Cause, Log, Scope, ScopeInfo};
    use crate::id::{CommitId, ContextId, PropositionId};
    use crate::proposition::{Extractor, MentionRole, Proposition, Status};
    use crate::scale::Confidence;
    use crate::time::Timestamp;
    use uuid::Uuid;

    fn state(statements: &[(&[(&str, &str)], Status)]) -> Log {
        let mut log = Log::default();
        let scope = Scope::new(ScopeInfo::new(Cause::Manual, Actor::Person, ""));
        for (n, (mentions, status)) in statements.iter().enumerate() {
            let id = PropositionId::new(Uuid::from_u128(n as u128 + 1));
            let confidence = Confidence::clamped(0.9);
            let mut p =
                Proposition::new(id, "They met.", confidence, Extractor::Rules, Timestamp(0)).unwrap();
            p.mentions =
                mentions.iter().map(|(span, kind)| Mention::new(*span, *kind, MentionRole::Other)).collect();
            p.status = *status;
            scope.put(log.state(), p, "");
        }
        let context = ContextId::new("t").unwrap();
        let commit = scope.to_commit(log.state(), &context, CommitId::new(Uuid::from_u128(1)), Timestamp(0));
        commit.into_iter().for_each(|commit| drop(log.push(commit).unwrap()));
        log
    }

    #[test]
    fn core_225_the_mention_graph() {
        let empty = graph(state(&[]).state(), &MentionGraphFilter::default());
        assert_eq!(empty, MentionGraph::default());
        let baron = ("Baron  Krell", "Person");
        let log = state(&[
            (&[baron, ("the tavern", "Place"), (" baron krell ", "person")], Status::Active),
            (&[baron, ("the tavern", "Place")], Status::Active),
            (&[baron, ("a|b", "")], Status::Superseded),
        ]);
        let seen = graph(log.state(), &MentionGraphFilter::default());
        let ids: Vec<&str> = seen.nodes.iter().map(|node| node.id.as_str()).collect();
        assert_eq!(ids, ["unresolved:person:baron krell", "unresolved:place:the tavern"]);
        assert_eq!((seen.nodes[0].mentions, seen.nodes[0].propositions), (3, 2));
        assert_eq!(seen.edges.len(), 1, "a mention of itself in one statement is no edge");
        assert_eq!(seen.edges[0].weight, 2, "distinct statements, not mentions");
        let all = graph(log.state(), &MentionGraphFilter { retired: true, ..MentionGraphFilter::default() });
        assert_eq!(all.edges[0].a, "unresolved:person:baron krell");
        assert!(all.nodes.iter().any(|node| node.id == "unresolved:unknown:a-b"));
    }

    #[test]
    fn filters_of_type_and_weight() {
        let log = state(&[
            (&[("Nia", "Person"), ("Oslo", "Place")], Status::Active),
            (&[("Ben", "Person"), ("Nia", "Person")], Status::Active),
            (&[("Oslo", "Place"), ("Nia", "Person")], Status::Active),
            (&[("Rome", "Place")], Status::Active),
        ]);
        let with = |kind: &str, min_edge_weight| {
            let filter =
                MentionGraphFilter { kind: kind.into(), min_edge_weight, ..MentionGraphFilter::default() };
            let graph = graph(log.state(), &filter);
            let names = graph.nodes.iter().map(|n| n.label.clone()).collect::<Vec<_>>().join(" ");
            (names, graph.edges.len())
        };
        assert_eq!(with("ALL", 0), ("Nia Oslo Ben".into(), 2), "who stands alone leaves");
        assert_eq!(with("place", 1), ("Nia Oslo".into(), 1), "an edge keeps both its ends");
        assert_eq!(with("", 2), ("Nia Oslo".into(), 1));
        assert_eq!(with("place", 3), ("Oslo Rome".into(), 0));
    }
}

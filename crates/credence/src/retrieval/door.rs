//! The retrieval door: search, gate, record.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::error::Error;
use crate::event::Event;
use crate::history::{Purpose, RecordId, UseItem, UseRecord};
use crate::id::UseId;
use crate::memory::{Memory, PropositionView};
use crate::ports::Ports;
use crate::proposition::{effective_confidence, recall_confidence};
use crate::text;

/// What to look for.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// In any words; credentials are redacted before it is recorded.
    pub query: String,
    /// Most facts, pinned ones included. Default 10.
    pub limit: usize,
    /// What for.
    pub purpose: Purpose,
    /// The caller's step; may be empty.
    pub step: String,
    /// Whether pinned facts come first, whatever the query. Default: no.
    pub include_pinned: bool,
}

impl Search {
    /// A person's or program's search for up to ten facts.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            limit: 10,
            purpose: Purpose::Search,
            step: String::new(),
            include_pinned: false,
        }
    }
}

/// One supplied fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    /// The fact and what it is worth now.
    pub view: PropositionView,
    /// From 1.
    pub rank: u32,
    /// The score that ordered it; pinned facts have 1.
    pub score: f64,
    /// Why it was chosen, in words for a person.
    pub why: String,
}

/// What a search brought.
#[derive(Debug, Clone)]
pub struct Recall {
    /// In order of rank.
    pub items: Vec<Recalled>,
    /// What was recorded.
    pub record: Rc<UseRecord>,
    /// Things worth knowing: a vector model that failed, for example.
    pub notes: Vec<String>,
}

impl<P: Ports> Memory<P> {
    /// Looks facts up for a step and records what was supplied. A vector model that fails leaves lexical search, with a note.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a blank query; store errors.
    pub async fn search(&self, search: &Search) -> Result<Recall, Error> {
        let query = text::redact(search.query.trim()).text;
        if query.is_empty() {
            return Err(Error::Invalid { what: "query", problem: "there is nothing to look for".into() });
        }
        let mut notes = Vec::new();
        let vector = self.query_vector(&query, &mut notes).await;
        let (now, rule, floor) = (self.now().at, self.decay_rule(), self.config().recall_floor);
        let mut left_out: BTreeMap<&'static str, u32> = BTreeMap::new();
        let mut items: Vec<Recalled> = Vec::new();
        let record = {
            let state = self.state();
            let mut push = |id, score, why: String, left_out: &mut BTreeMap<&'static str, u32>| {
                let (Some(proposition), Some(revision)) =
                    (state.proposition(id), state.revision(RecordId::Proposition(id)))
                else {
                    return;
                };
                if items.iter().any(|item| item.view.proposition.id == id) {
                    return;
                }
                let effective = effective_confidence(proposition, now, rule);
                if recall_confidence(proposition, now, rule) < floor && !proposition.pinned {
                    *left_out.entry("faded").or_default() += 1;
                } else if items.len() >= search.limit {
                    *left_out.entry("over the limit").or_default() += 1;
                } else {
                    let view = PropositionView {
                        proposition: proposition.clone(),
                        revision: revision.id,
                        effective,
                    };
                    let rank = u32::try_from(items.len() + 1).unwrap_or(u32::MAX);
                    items.push(Recalled { view, rank, score, why });
                }
            };
            if search.include_pinned {
                for proposition in state.propositions().filter(|p| p.pinned && p.status.is_live()) {
                    push(proposition.id, 1.0, "pinned".to_owned(), &mut left_out);
                }
            }
            let found = self.recaller().borrow().find(
                &query,
                vector.as_deref(),
                search.limit.saturating_mul(4).max(40),
            );
            for hit in found.hits {
                push(hit.id, hit.score, hit.why, &mut left_out);
            }
            if !found.gated.is_empty() {
                let gated = u32::try_from(found.gated.len()).unwrap_or(u32::MAX);
                left_out.insert("below the relevance gate", gated);
            }
            let head = state.head();
            UseRecord {
                id: UseId::new(self.next_id()),
                context: self.context().clone(),
                commit: head.map(|head| head.id),
                seq: state.seq(),
                at: now,
                purpose: search.purpose,
                step: search.step.clone(),
                query,
                items: items
                    .iter()
                    .map(|item| UseItem {
                        rank: item.rank,
                        proposition: item.view.proposition.id,
                        revision: item.view.revision,
                        score: item.score,
                        why: item.why.clone(),
                        unit: None,
                        always: None,
                    })
                    .collect(),
                left_out: left_out.into_iter().map(|(why, count)| (why.to_owned(), count)).collect(),
                withheld: Vec::new(),
                assembly: None,
                execution: None,
            }
        };
        let record = self.keep_use(record).await?;
        self.emit(&Event::Used { record: record.clone() });
        Ok(Recall { items, record, notes })
    }
}

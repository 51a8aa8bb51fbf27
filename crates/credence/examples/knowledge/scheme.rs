//! The predecessors' scheme, counted: one model call a step (dice 0.1, 3.1, 4.2, 5.5). For each window
//!
//! - one extraction call, with our own prompt: the same tokens on both sides, although theirs is longer;
//! - one comparison call a statement that has a stored neighbour (the nearest 5 of similarity 0.5 or more by the shipped
//!   embedding, whose cosines are lower than those of large models), with our own instructions and that statement's
//!   neighbours; a statement without one costs nothing;
//! - one call a mention that shares a word of four letters or more with the name of a known entity and equals no name, each
//!   mention once a window, in the short form that they put at 100 tokens. What they ask about names that merely lie near
//!   is not counted, nor is any repair call.
//!
//! The later release compares up to 15 statements in one call; its tokens are counted beside, by the same rules.

use std::collections::BTreeSet;

use credence::Error;
use credence::extraction::AnalysisReport;
use credence::llm::{ChatRequest, Message};
use credence::prompt::{ItemContext, ReviseContext, StoredContext};
use credence::proposition::PropositionQuery;
use credence::retrieval::Similarity;
use credence::text;

use crate::{BenchMemory, model, tokens};

/// Neighbours that a statement is compared with, and how near they are.
const NEIGHBOURS: Similarity = Similarity { threshold: 0.5, top_k: 5 };

/// Statements of one call of the later release.
const BATCH: usize = 15;

/// Tokens of a question about a mention.
const MENTION_TOKENS: usize = 100;

/// What their scheme would have cost so far.
#[derive(Default)]
pub(crate) struct Count {
    extractions: usize,
    comparisons: usize,
    mentions: usize,
    /// One comparison a call.
    pub(crate) tokens: usize,
    /// Up to [`BATCH`] comparisons a call.
    pub(crate) tokens_batched: usize,
}

impl Count {
    pub(crate) fn calls(&self) -> usize {
        self.extractions + self.comparisons + self.mentions
    }

    /// Adds a window: `memory` is as it was before it, `report` and `requests` are what it came to.
    pub(crate) async fn add(
        &mut self,
        memory: &BenchMemory,
        report: &AnalysisReport,
        requests: &[ChatRequest],
    ) -> Result<(), Error> {
        let Some(extraction) = requests.first() else { return Ok(()) };
        let mut items = Vec::new();
        for outcome in &report.outcomes {
            let near = memory.similar(&outcome.text, NEIGHBOURS, &PropositionQuery::live()).await?;
            let stored = near.iter().zip(1..).map(|(near, number)| StoredContext {
                number,
                text: near.view.proposition.text.clone(),
                confidence: format!("{:.2}", near.view.effective),
            });
            let stored: Vec<StoredContext> = stored.collect();
            if !stored.is_empty() {
                items.push(ItemContext { number: 1, text: outcome.text.clone(), stored });
            }
        }
        let mentions = ambiguous(memory, extraction);
        self.extractions += 1;
        self.comparisons += items.len();
        self.mentions += mentions;
        let beside = tokens(extraction) + mentions * MENTION_TOKENS;
        self.tokens += beside + comparison_tokens(memory, &items, 1)?;
        self.tokens_batched += beside + comparison_tokens(memory, &items, BATCH)?;
        Ok(())
    }
}

fn comparison_tokens(memory: &BenchMemory, items: &[ItemContext], batch: usize) -> Result<usize, Error> {
    let prompts = memory.prompts();
    let mut sum = 0;
    for items in items.chunks(batch) {
        let context = ReviseContext { items: items.to_vec() };
        let messages = vec![Message::system(prompts.relations()?), Message::user(prompts.items(&context)?)];
        sum += tokens(&ChatRequest { messages, ..ChatRequest::default() });
    }
    Ok(sum)
}

/// Mentions of a window that are like a known name and are none.
fn ambiguous(memory: &BenchMemory, extraction: &ChatRequest) -> usize {
    let state = memory.state();
    let known: BTreeSet<String> =
        state.entities().flat_map(|entity| entity.names().map(text::fold)).collect();
    let spans: BTreeSet<String> = model::candidates(extraction)
        .iter()
        .flat_map(|candidate| &candidate.mentions)
        .filter(|mention| !mention.is_speaker)
        .map(|mention| text::fold(&mention.span))
        .collect();
    let long = |name: &str| -> BTreeSet<String> {
        name.split_whitespace().filter(|word| word.chars().count() >= 4).map(str::to_owned).collect()
    };
    let is_like = |span: &String| known.iter().any(|name| !long(name).is_disjoint(&long(span)));
    spans.iter().filter(|span| !known.contains(*span) && is_like(span)).count()
}

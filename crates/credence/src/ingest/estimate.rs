//! Estimates: what analysing will cost, said before anything is paid. The windows are the real ones and the prompts are rendered;
//! only what the model will answer, and what it will have been told by then, is guessed, as a range.
//!
//! Calls for a corrected answer (at most one each) come on top; they are rare. Without a model everything is free.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::DocumentOptions;
use crate::conversation::Bookmark;
use crate::error::Error;
use crate::extraction::{AnalysisOptions, Source, Window, answer_room, user_name};
use crate::id::ConversationId;
use crate::import::ImportedConversation;
use crate::llm::{ChatModel, Role};
use crate::memory::Memory;
use crate::ports::Ports;

/// Tokens of one extracted statement in the model's JSON, with its mentions and reasoning. Measured on the examples of the templates.
const STATEMENT_TOKENS: u64 = 110;
/// Tokens of a list without statements.
const EMPTY_ANSWER_TOKENS: u64 = 8;
/// Statements that a turn brings at most, for the upper end. Chosen by us: talk rarely brings more than one.
const STATEMENTS_PER_TURN: u64 = 2;
/// Characters of a document for each statement at most, for the upper end: a sentence of this length states a fact.
const CHARS_PER_STATEMENT: u64 = 100;
/// Tokens of a statement as a prompt shows it.
const SHOWN_TOKENS: u64 = 16;
/// Stored statements that rules leave open for each new one, for the upper end.
const OPEN_NEIGHBOURS: u64 = 2;
/// Tokens of one judgement in the model's JSON.
const JUDGEMENT_TOKENS: u64 = 40;

/// From the cheapest to the dearest course.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Range {
    /// When nothing worth keeping is said.
    pub min: u64,
    /// When much is, and much of it resembles what is known.
    pub max: u64,
}

/// What analysing will cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Estimate {
    /// Windows to analyse.
    pub windows: u32,
    /// Turns or passages in them.
    pub turns: u32,
    /// Turns or passages that need nothing: analysed before, or their content is known.
    pub already_done: u32,
    /// Model calls.
    pub calls: Range,
    /// Tokens of the prompts.
    pub prompt_tokens: Range,
    /// Tokens of the answers.
    pub completion_tokens: Range,
    /// In money, where the settings know the price.
    pub money: Option<Money>,
}

/// An amount.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Money {
    /// At the cheapest.
    pub min: f64,
    /// At the dearest.
    pub max: f64,
    /// Of what.
    pub currency: String,
}

/// How many tokens a text has, roughly: a token for every four characters of ASCII and every three bytes of other scripts, as byte-pair
/// tokenisers come to on average.
pub fn estimate_tokens(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    (ascii.div_ceil(4) + (text.len() - ascii).div_ceil(3)) as u64
}

impl<P: Ports> Memory<P> {
    /// What analysing the rest of a conversation or document will cost, put-aside windows included.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Prompt`] when a replaced template does not render.
    pub fn estimate(&self, conversation: ConversationId) -> Result<Estimate, Error> {
        let (state, config) = (self.state(), self.config());
        let source = Source::of(&state, conversation, &config)
            .ok_or_else(|| Error::NotFound { record: conversation.to_string() })?;
        self.estimate_source(&source, state.bookmark(conversation))
    }

    /// What analysing a conversation would cost if it were imported.
    ///
    /// # Errors
    /// As [`Memory::import`] and [`Memory::estimate`].
    pub fn estimate_import(
        &self,
        imported: &ImportedConversation,
        user: Option<&str>,
    ) -> Result<Estimate, Error> {
        let (conversation, turns) = self.planned_import(imported, user)?;
        let config = self.config();
        let name = user.map_or_else(|| user_name(&self.state(), &config), str::to_owned);
        self.estimate_source(&Source::planned(&conversation, &turns, name, &config), None)
    }

    /// What analysing a document would cost if it were taken in.
    ///
    /// # Errors
    /// As [`Memory::ingest_document`] and [`Memory::estimate`].
    pub fn estimate_document(
        &self,
        name: &str,
        text: &str,
        options: &DocumentOptions,
    ) -> Result<Estimate, Error> {
        let (document, turns) = self.planned_document(name, text, options)?;
        let config = self.config();
        let user = user_name(&self.state(), &config);
        self.estimate_source(&Source::planned(&document, &turns, user, &config), None)
    }

    fn estimate_source(&self, source: &Source<'_>, bookmark: Option<&Bookmark>) -> Result<Estimate, Error> {
        let config = self.config();
        let windows = self.windows_ahead(source, bookmark);
        let turns: u32 = windows.iter().map(|window| window.to - window.from).sum();
        let mut estimate = Estimate {
            windows: u32::try_from(windows.len()).unwrap_or(u32::MAX),
            turns,
            already_done: source.len().saturating_sub(turns),
            ..Estimate::default()
        };
        let asks = |role| self.chat().is_connected(role);
        if !asks(Role::Extract) {
            return Ok(estimate);
        }
        let known = u64::from(config.known_to_show) * SHOWN_TOKENS;
        for window in windows.iter().filter(|window| window.is_readable()) {
            let reading = self.unread(window, &AnalysisOptions::default());
            let asked = self.asked(window, &reading, Vec::new())?;
            let prompt: u64 =
                asked.request.messages.iter().map(|message| estimate_tokens(&message.text)).sum();
            let statements = statements(window).min(u64::from(config.max_candidates));
            let mut add = |calls: Range, prompt: Range, completion: Range| {
                for (sum, more) in [
                    (&mut estimate.calls, calls),
                    (&mut estimate.prompt_tokens, prompt),
                    (&mut estimate.completion_tokens, completion),
                ] {
                    sum.min += more.min;
                    sum.max += more.max;
                }
            };
            let answer = (statements * STATEMENT_TOKENS)
                .min(u64::from(answer_room(&window.turns, &config.extraction)));
            add(
                Range { min: 1, max: 1 },
                Range { min: prompt, max: prompt + known },
                Range { min: EMPTY_ANSWER_TOKENS, max: answer.max(EMPTY_ANSWER_TOKENS) },
            );
            if asks(Role::Revise) {
                // One call, however many statements; what exceeds its room is not asked about.
                let calls = u64::from(statements > 0);
                let statements = statements.min(u64::from(config.revision.classify_batch_size));
                let shown = statements * (1 + OPEN_NEIGHBOURS) * SHOWN_TOKENS;
                let prompt = calls * estimate_tokens(&self.prompts().relations()?) + shown;
                let judged = statements * OPEN_NEIGHBOURS * JUDGEMENT_TOKENS;
                add(
                    Range { min: 0, max: calls },
                    Range { min: 0, max: prompt },
                    Range { min: 0, max: judged },
                );
            }
        }
        estimate.money = config.ingest.price.map(|price| {
            let cost = |prompt: u64, completion: u64| {
                (prompt as f64 * price.prompt_per_million + completion as f64 * price.completion_per_million)
                    / 1e6
            };
            Money {
                min: cost(estimate.prompt_tokens.min, estimate.completion_tokens.min),
                max: cost(estimate.prompt_tokens.max, estimate.completion_tokens.max),
                currency: price.currency,
            }
        });
        Ok(estimate)
    }

    /// The windows that a run would read, in order.
    fn windows_ahead(&self, source: &Source<'_>, bookmark: Option<&Bookmark>) -> Vec<Window> {
        let state = self.state();
        let failed = bookmark.map_or(&[][..], |bookmark| &bookmark.failed);
        let again = failed.iter().filter_map(|range| source.window(range.from, range.to));
        let mut windows: Vec<Window> = Vec::new();
        let mut keys = BTreeSet::new();
        let is_known = |keys: &BTreeSet<_>, key| keys.contains(&key) || state.ledger_entry(key).is_some();
        for window in again {
            if window.key.is_some_and(|key| !is_known(&keys, key) && keys.insert(key)) {
                windows.push(window);
            }
        }
        let mut from = bookmark.map_or(0, |bookmark| bookmark.analysed_until);
        loop {
            if let Some(until) = source.known_until(from, |key| is_known(&keys, key)) {
                from = until;
            } else if let Some(window) = source.window_from(from) {
                from = window.to;
                keys.extend(window.key);
                windows.push(window);
            } else {
                return windows;
            }
        }
    }
}

/// Statements that a window brings at most.
fn statements(window: &Window) -> u64 {
    let fresh = window.turns.iter().filter(|turn| !turn.context_only);
    if window.is_document() {
        fresh.map(|turn| (turn.text.chars().count() as u64).div_ceil(CHARS_PER_STATEMENT)).sum()
    } else {
        fresh.filter(|turn| !turn.is_assistant).count() as u64 * STATEMENTS_PER_TURN
    }
}

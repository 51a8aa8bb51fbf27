//! Tools of the chat model: in TOOL mode it looks memory up itself.
//!
//! The wish is a JSON object that is the whole reply, so that every model on every endpoint can express it, those without an
//! interface for functions too. What was found comes back as quoted data, through the one door of retrieval: behind the relevance gate,
//! `retrieval.tool_top_k` at most, with a use record of its own. After [`MOST_ROUNDS`] searches the model has to answer. A search
//! reads: no tool here writes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::assembly::RetrievalMode;
use crate::conversation::{Turn, TurnState};
use crate::error::Error;
use crate::history::Purpose;
use crate::id::UseId;
use crate::llm::{Cancel, ChatReply, ChatRequest, Finish, Message};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::FoundContext;
use crate::retrieval::Search;

/// Most searches of one answer. Chosen by us: a second and a third wording of a question are common, a fifth is a model that circles.
pub const MOST_ROUNDS: usize = 4;

/// The name of the tool, in the prompt and in the wish.
const SEARCH: &str = "search_memory";

/// One search that the model made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolUse {
    /// What it looked for.
    pub query: String,
    /// How many statements it got.
    pub found: u32,
    /// The use record of what it got.
    pub record: UseId,
}

/// Passes text on, but for a reply that may be a wish: that is held until it is known to be none.
struct Sink<'a> {
    on_text: &'a mut dyn FnMut(&str),
    held: String,
    holds: bool,
}

impl Sink<'_> {
    fn push(&mut self, piece: &str) {
        if self.holds {
            self.held.push_str(piece);
            self.holds = self.held.trim_start().is_empty() || self.held.trim_start().starts_with(['{', '`']);
            if self.holds {
                return;
            }
            self.release();
        } else {
            (self.on_text)(piece);
        }
    }
    fn release(&mut self) {
        let held = std::mem::take(&mut self.held);
        self.holds = false;
        if !held.is_empty() {
            (self.on_text)(&held);
        }
    }
}

/// The query that a reply wants to look up; `None`: it is an answer.
fn wish(reply: &str) -> Option<String> {
    let body = reply.trim();
    let body = body.strip_prefix("```json").or_else(|| body.strip_prefix("```")).unwrap_or(body);
    let body = body.trim_end_matches("```").trim();
    let value: Value = serde_json::from_str(body).ok()?;
    if value.get("tool").and_then(Value::as_str) != Some(SEARCH) {
        return None;
    }
    let query = value.get("query").and_then(Value::as_str).unwrap_or_default().trim();
    Some(query.to_owned())
}

impl<P: Ports> Memory<P> {
    /// Asks the chat model, and carries out what it wants to look up: the wish and what was found join the messages of `request`.
    ///
    /// # Errors
    /// Store and template errors of a search. A model's failure is a state of the turn.
    pub(crate) async fn converse(
        &self,
        asked: &Turn,
        request: &mut ChatRequest,
        searches: &mut Vec<ToolUse>,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<(ChatReply, TurnState), Error> {
        let (mode, top) =
            self.with_config(|config| (config.retrieval.mode, config.retrieval.tool_top_k as usize));
        loop {
            let may_search = mode == RetrievalMode::Tool && searches.len() < MOST_ROUNDS;
            let mut sink = Sink { on_text: &mut *on_text, held: String::new(), holds: may_search };
            let (reply, state) = self.stream(request, &mut |piece| sink.push(piece), cancel).await;
            let is_whole = may_search && state == TurnState::Complete && reply.finish == Finish::Stop;
            let Some(wanted) = wish(&reply.text).filter(|_| is_whole) else {
                sink.release();
                return Ok((reply, state));
            };
            // Without words of its own the model looks up the user's.
            let query = if wanted.is_empty() { asked.text.clone() } else { wanted };
            let facts = self.looked_up(asked, &query, top, searches).await?;
            let rounds_left = MOST_ROUNDS.saturating_sub(searches.len());
            let found = self.prompts().found(&FoundContext { query, facts, rounds_left })?;
            request.messages.push(Message::assistant(reply.text));
            request.messages.push(Message::user(found));
        }
    }

    /// The lines of what a search brings.
    async fn looked_up(
        &self,
        asked: &Turn,
        query: &str,
        top: usize,
        searches: &mut Vec<ToolUse>,
    ) -> Result<Vec<String>, Error> {
        let search =
            Search { limit: top, purpose: Purpose::Tool, step: asked.id.to_string(), ..Search::new(query) };
        let recall = self.search(&search).await?;
        let lines: Result<Vec<String>, Error> =
            recall.items.iter().map(|item| self.recalled_line(&item.view)).collect();
        let lines = lines?;
        searches.push(ToolUse {
            query: recall.record.query.clone(),
            found: u32::try_from(lines.len()).unwrap_or(u32::MAX),
            record: recall.record.id,
        });
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_the_whole_reply_and_nothing_else_is_one() {
        let wanted = Some("where Mara lives".to_owned());
        assert_eq!(wish(r#" {"tool": "search_memory", "query": " where Mara lives "}"#), wanted);
        assert_eq!(wish("```json\n{\"tool\":\"search_memory\",\"query\":\"where Mara lives\"}\n```"), wanted);
        for answer in ["You live in Kleve.", r#"{"tool":"other","query":"x"}"#, "{\"a\": 1}", "{"] {
            assert_eq!(wish(answer), None, "{answer}");
        }
    }

    #[test]
    fn an_answer_streams_and_a_possible_wish_is_held() {
        let mut got = Vec::new();
        let mut on_text = |piece: &str| got.push(piece.to_owned());
        let mut sink = Sink { on_text: &mut on_text, held: String::new(), holds: true };
        for piece in [" ", "You", " live"] {
            sink.push(piece);
        }
        assert_eq!(got, [" You", " live"]);
    }
}

//! Tools of the chat model: in TOOL mode it looks memory up itself; where `tools.*` allow, it asks for changes of it (`change`).
//!
//! The wish is a JSON object that is the whole reply, so that every model on every endpoint can express it, those without an
//! interface for functions too. What was found comes back as quoted data, through the one door of retrieval: behind the relevance gate,
//! `retrieval.tool_top_k` at most, with a use record of its own. After [`MOST_ROUNDS`] searches the model has to answer, and after
//! `tools.most_changes` changes the next one is refused and told so. All are counted over every try of one answer. Only a whole
//! reply is a wish: the same words in a turn, a document or a remembered statement are text.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::change::{ChangeOutcome, ChangeTool, ChangeWish, ToolChange};
use crate::assembly::RetrievalMode;
use crate::conversation::{Turn, TurnState};
use crate::error::Error;
use crate::extraction::user_name;
use crate::history::Purpose;
use crate::id::{ConversationId, PropositionId, UseId};
use crate::llm::{Cancel, ChatReply, ChatRequest, Finish, Message};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{self, ChangedContext, FoundContext};
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
    /// The statements that it got.
    #[serde(default)]
    pub given: Vec<PropositionId>,
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

/// What the model asked for while it answered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wished {
    /// What it looked up.
    pub(crate) searches: Vec<ToolUse>,
    /// What it wanted changed.
    pub(crate) changes: Vec<ToolChange>,
}

impl Wished {
    /// Whether it asked for nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.searches.is_empty() && self.changes.is_empty()
    }
}

/// A reply that is no answer.
#[derive(Debug, PartialEq, Eq)]
enum Wish {
    Search(String),
    Change(ChangeWish),
}

/// The tools that are left.
#[derive(Debug, Clone, Copy)]
struct Offer {
    search: bool,
    propose: bool,
    revise: bool,
}

impl Offer {
    fn any(self) -> bool {
        self.search || self.propose || self.revise
    }
    fn has(self, wish: &Wish) -> bool {
        match wish {
            Wish::Search(_) => self.search,
            Wish::Change(ChangeWish::Propose { .. }) => self.propose,
            Wish::Change(ChangeWish::Revise { .. }) => self.revise,
        }
    }
}

/// What a reply asks for; `None`: it is an answer.
fn wish(reply: &str) -> Option<Wish> {
    let body = reply.trim();
    let body = body.strip_prefix("```json").or_else(|| body.strip_prefix("```")).unwrap_or(body);
    let body = body.trim_end_matches("```").trim();
    let value: Value = serde_json::from_str(body).ok()?;
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    let (propose, revise) = (ChangeTool::ProposeFact.as_str(), ChangeTool::ReviseFact.as_str());
    match value.get("tool").and_then(Value::as_str)? {
        SEARCH => Some(Wish::Search(text("query"))),
        tool if tool == propose => Some(Wish::Change(ChangeWish::Propose { statement: text("statement") })),
        tool if tool == revise => {
            Some(Wish::Change(ChangeWish::Revise { fact: text("fact"), statement: text("statement") }))
        }
        _ => None,
    }
}

impl<P: Ports> Memory<P> {
    /// Asks the chat model, and carries out what it asks for: the wish and what came of it join the messages of `request`.
    ///
    /// # Errors
    /// Store and template errors. A model's failure is a state of the turn.
    pub(crate) async fn converse(
        &self,
        asked: &Turn,
        request: &mut ChatRequest,
        wished: &mut Wished,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<(ChatReply, TurnState), Error> {
        loop {
            let offer = self.offer(asked.conversation, wished);
            let mut sink = Sink { on_text: &mut *on_text, held: String::new(), holds: offer.any() };
            let (reply, state) = self.stream(request, &mut |piece| sink.push(piece), cancel).await;
            let is_whole = offer.any() && state == TurnState::Complete && reply.finish == Finish::Stop;
            let Some(wanted) = wish(&reply.text).filter(|wish| is_whole && offer.has(wish)) else {
                sink.release();
                return Ok((reply, state));
            };
            let came = match wanted {
                Wish::Search(query) => self.searched(asked, query, &mut wished.searches).await?,
                Wish::Change(wish) => self.changed(asked, &wish, &mut wished.changes).await?,
            };
            request.messages.push(Message::assistant(reply.text));
            request.messages.push(Message::user(came));
        }
    }

    fn offer(&self, conversation: ConversationId, wished: &Wished) -> Offer {
        let mode = self.conversation_mode(conversation);
        self.with_config(|config| {
            let learns = config.memory.enabled && mode.learns();
            // One more than may be done, so that it can be told.
            let changes = learns && wished.changes.len() <= config.tools.most_changes as usize;
            Offer {
                search: mode.reads()
                    && config.retrieval.mode == RetrievalMode::Tool
                    && wished.searches.len() < MOST_ROUNDS,
                propose: config.tools.propose_fact && changes,
                revise: config.tools.revise_fact && changes,
            }
        })
    }

    /// A search of the model, as a message to it.
    async fn searched(
        &self,
        asked: &Turn,
        wanted: String,
        searches: &mut Vec<ToolUse>,
    ) -> Result<String, Error> {
        let top = self.with_config(|config| config.retrieval.tool_top_k as usize);
        // Without words of its own the model looks up the user's.
        let query = if wanted.is_empty() { asked.text.clone() } else { wanted };
        let facts = self.looked_up(asked, &query, top, searches).await?;
        let rounds_left = MOST_ROUNDS.saturating_sub(searches.len());
        Ok(self.prompts().found(&FoundContext { query, facts, rounds_left })?)
    }

    /// A change that the model asks for, as a message to it.
    async fn changed(
        &self,
        asked: &Turn,
        wish: &ChangeWish,
        changes: &mut Vec<ToolChange>,
    ) -> Result<String, Error> {
        let most = self.with_config(|config| config.tools.most_changes as usize);
        let change = match changes.len() < most {
            true => self.change_wished(asked, wish).await?,
            false => wish.refused("no further changes can be asked for in one answer"),
        };
        let (came, why) = match &change.outcome {
            ChangeOutcome::Asked { .. } => ("asked", ""),
            ChangeOutcome::Done { .. } => ("done", ""),
            ChangeOutcome::Known { .. } => ("known", ""),
            ChangeOutcome::Refused { why } => ("refused", why.as_str()),
        };
        let context = ChangedContext {
            user: prompt::name(&user_name(&self.state(), &self.config())),
            came,
            statement: change.statement.clone(),
            why: why.to_owned(),
            changes_left: most.saturating_sub(changes.len() + 1),
        };
        let words = self.prompts().changed(&context)?;
        changes.push(change);
        Ok(words)
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
            given: recall.items.iter().map(|item| item.view.proposition.id).collect(),
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
        let wanted = Some(Wish::Search("where Mara lives".to_owned()));
        assert_eq!(wish(r#" {"tool": "search_memory", "query": " where Mara lives "}"#), wanted);
        assert_eq!(wish("```json\n{\"tool\":\"search_memory\",\"query\":\"where Mara lives\"}\n```"), wanted);
        // Whatever else an object asks for, nobody hears it.
        assert_eq!(
            wish(
                r#"{"tool": "propose_fact", "statement": "Mara is 9.", "authority": "CANON", "pinned": true}"#
            ),
            Some(Wish::Change(ChangeWish::Propose { statement: "Mara is 9.".into() }))
        );
        assert_eq!(wish(r#"Sure: {"tool": "revise_fact", "fact": "a", "statement": "b"}"#), None);
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

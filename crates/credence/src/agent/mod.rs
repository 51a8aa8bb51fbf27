//! The agent loop: one answered turn. Recall → prompt → stream → one commit of the assistant's turn with its use record. The
//! analysis of what was said is a use case of its own (`Memory::analyse`, in `ingest::run`), run beside the stream, so that nobody waits.

use crate::compaction;
use crate::conversation::{BUILT_IN_MODEL, Speaker, Turn, TurnState};
use crate::embedded::{self, RecalledFact};
use crate::error::Error;
use crate::history::{Actor, Cause, Purpose, RecordId, ScopeInfo, UseRecord};
use crate::id::{ConversationId, UseId};
use crate::llm::{Cancel, ChatModel, ChatReply, ChatRequest, Finish, Message, ModelError, Role, model_name};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{ChatContext, FactContext};
use crate::resolution::UNNAMED_USER;
use crate::retrieval::{Recall, Recalled, Search};

use crate::history::Journal;

/// An answered turn.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The assistant's turn as it was stored.
    pub turn: Turn,
    /// What memory gave.
    pub recall: Recall,
    /// What the model was sent; empty when the embedded responder answered.
    pub prompt: Vec<Message>,
    /// What came back.
    pub reply: ChatReply,
}

impl<P: Ports> Memory<P> {
    /// Answers the conversation's last turn. `on_text` receives the answer as it streams. A model's failure is a turn too
    /// (`TurnState::Failed`, with what had come); a cancelled answer keeps its partial text (`TurnState::Stopped`).
    ///
    /// # Errors
    /// [`Error::NotFound`] without a turn to answer; store and template errors. A model's failure is none.
    pub async fn answer(
        &self,
        conversation: ConversationId,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<Answer, Error> {
        let asked = self.state().turns(conversation).next_back().cloned();
        let Some(asked) = asked.filter(|turn| turn.speaker != Speaker::Assistant) else {
            return Err(Error::NotFound { record: format!("turn to answer in {conversation}") });
        };
        let search = Search {
            purpose: Purpose::Assembly,
            step: asked.id.to_string(),
            limit: self.config().recall_limit as usize,
            include_pinned: true,
            ..Search::new(&asked.text)
        };
        let recall = self.search(&search).await?;
        if self.ports().chat().is_connected(Role::Chat) {
            self.ask_model(conversation, recall, on_text, cancel).await
        } else {
            self.answer_built_in(&asked, recall, on_text).await
        }
    }

    /// Takes the last answer back and answers again. The earlier answer stays in the history.
    pub async fn regenerate(
        &self,
        conversation: ConversationId,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<Answer, Error> {
        let last = self.state().turns(conversation).next_back().cloned();
        if let Some(turn) = last.filter(|turn| turn.speaker == Speaker::Assistant) {
            let info =
                ScopeInfo::new(Cause::Conversation, Actor::Person, "answer taken back, to be given again")
                    .with_id("conversation", conversation)
                    .with_id("turn", turn.id);
            self.change(info, |state, scope| {
                scope.remove(state, RecordId::Turn(turn.id), "answered again");
                Ok(())
            })
            .await?;
        }
        self.answer(conversation, on_text, cancel).await
    }

    /// What memory gave to a step.
    pub async fn use_record(&self, id: UseId) -> Result<Option<UseRecord>, Error> {
        Ok(self.ports().journal().use_record(self.context(), id).await?)
    }

    async fn ask_model(
        &self,
        conversation: ConversationId,
        recall: Recall,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<Answer, Error> {
        let prompt = self.chat_prompt(conversation, &recall.items)?;
        let request = ChatRequest { messages: prompt.clone(), ..ChatRequest::default() };
        let mut streamed = String::new();
        let outcome = {
            let mut sink = |piece: &str| {
                streamed.push_str(piece);
                on_text(piece);
            };
            self.ports().chat().complete(Role::Chat, &request, &mut sink, cancel).await
        };
        let mut turn = self.new_turn(conversation, Speaker::Assistant, "");
        let reply = match outcome {
            Ok(reply) => {
                if reply.finish == Finish::Cancelled {
                    turn.state = TurnState::Stopped;
                }
                reply
            }
            Err(ModelError::Cancelled) => {
                turn.state = TurnState::Stopped;
                ChatReply { text: streamed, finish: Finish::Cancelled, ..ChatReply::default() }
            }
            Err(error) => {
                turn.state = TurnState::Failed { code: error.code().to_owned(), reason: error.to_string() };
                ChatReply { text: streamed, ..ChatReply::default() }
            }
        };
        turn.text = crate::text::redact(&reply.text).text;
        turn.model = Some(model_name(&reply.model).to_owned()).filter(|model| !model.is_empty());
        turn.use_record = Some(recall.record.id);
        let turn = self.keep_turn(turn, Actor::Engine).await?;
        Ok(Answer { turn, recall, prompt, reply })
    }

    /// The messages of a chat call: what memory holds and what sums up the earlier turns, as data; then the latest turns.
    pub fn chat_prompt(
        &self,
        conversation: ConversationId,
        recalled: &[Recalled],
    ) -> Result<Vec<Message>, Error> {
        let config = self.config();
        let state = self.state();
        let known = state.user().map(|user| user.name.clone()).filter(|name| name != UNNAMED_USER);
        let summary = compaction::standing(&state, conversation);
        let summed_up = summary.map_or(0, |summary| summary.to);
        let context = ChatContext {
            summary: summary.map(|summary| summary.text.clone()).unwrap_or_default(),
            user: known.or(config.user_name.clone()).unwrap_or_else(|| "the user".into()),
            today: self.now().long_date_text(),
            facts: recalled
                .iter()
                .map(|item| FactContext { text: item.view.proposition.text.clone(), hint: self.hint(item) })
                .collect(),
        };
        let mut messages = vec![Message::system(self.prompts().chat(&context)?)];
        let mut turns: Vec<&Turn> = state
            .turns(conversation)
            .filter(|turn| turn.index >= summed_up && !turn.text.trim().is_empty())
            .collect();
        let turns = turns.split_off(turns.len().saturating_sub(config.history_turns.max(1) as usize));
        for turn in turns {
            messages.push(match &turn.speaker {
                Speaker::User => Message::user(&turn.text),
                Speaker::Assistant => Message::assistant(&turn.text),
                Speaker::Person { name } | Speaker::Document { name } => {
                    Message::user(format!("{name}: {}", turn.text))
                }
            });
        }
        Ok(messages)
    }

    /// Provenance and certainty of a fact in a few words: who said it, when, and whether that is still worth much.
    fn hint(&self, item: &Recalled) -> String {
        let mut parts = Vec::new();
        if let Some(source) = self.sources(&item.view.proposition).first() {
            parts.push(format!("said by {} on {}", source.speaker, source.at.date_text()));
        }
        if item.view.effective < 0.5 {
            parts.push(format!("unsure: confidence {:.2}", item.view.effective));
        }
        parts.join("; ")
    }

    async fn answer_built_in(
        &self,
        asked: &Turn,
        recall: Recall,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Answer, Error> {
        let said: Vec<Option<String>> = recall
            .items
            .iter()
            .map(|item| {
                let source = self.sources(&item.view.proposition).into_iter().next()?;
                let speaker = if source.is_user { "you" } else { &source.speaker };
                Some(format!("{speaker}, on {}", source.at.date_text()))
            })
            .collect();
        let facts: Vec<RecalledFact<'_>> = recall
            .items
            .iter()
            .zip(&said)
            .map(|(item, said)| RecalledFact {
                text: &item.view.proposition.text,
                said: said.as_deref(),
                confidence: item.view.effective,
            })
            .collect();
        let (name, first) = {
            let state = self.state();
            let name = state.user().map(|user| user.name.clone()).filter(|name| name != UNNAMED_USER);
            (name, !state.turns(asked.conversation).any(|turn| turn.speaker == Speaker::Assistant))
        };
        let text = embedded::respond(&asked.text, name.as_deref(), &facts, first);
        on_text(&text);
        let mut turn = self.new_turn(asked.conversation, Speaker::Assistant, "");
        turn.text = text.clone();
        turn.model = Some(BUILT_IN_MODEL.to_owned());
        turn.use_record = Some(recall.record.id);
        let turn = self.keep_turn(turn, Actor::Engine).await?;
        let reply = ChatReply { text, model: BUILT_IN_MODEL.to_owned(), ..ChatReply::default() };
        Ok(Answer { turn, recall, prompt: Vec::new(), reply })
    }
}

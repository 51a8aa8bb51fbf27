//! The agent loop: one answered turn. Assemble → prompt → stream → enforce → one commit of the assistant's turn with its use record and
//! the report of the check; then units that a checked answer used gain that evidence, and sleeping ones that the question is about wake. The
//! analysis of what was said is a use case of its own (`Memory::analyse`, in `ingest::run`), run beside the stream, so that nobody waits.
//!
//! `execution` is how an answer was made, for its replay; `tools` is what the model may ask for while it answers: searches, and (`change`) proposals and revisions, as `settings` allow.

mod change;
mod execution;
mod settings;
mod tools;

pub use change::{ChangeOutcome, ChangeTool, ToolChange};
pub use execution::Execution;
pub use settings::ToolSettings;
pub(crate) use tools::Wished;
pub use tools::{MOST_ROUNDS, ToolUse};

use crate::assembly::{Always, Assembled, AssembledItem, Metered};
use crate::conversation::{BUILT_IN_MODEL, Speaker, Turn, TurnState, mode_of};
use crate::embedded::{self, Heard, RecalledFact};
use crate::erasure::{WishOutcome, in_words};
use crate::error::Error;
use crate::history::{Actor, Journal, RecordId, UseRecord};
use crate::id::{ConversationId, PropositionId, TurnId, UseId};
use crate::llm::{Cancel, ChatModel, ChatReply, ChatRequest, Finish, Role, model_name};
use crate::memory::{Memory, answered_again, is_last_answer};
use crate::ports::Ports;
use crate::resolution::UNNAMED_USER;

/// An answered turn.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The assistant's turn as it was stored.
    pub turn: Turn,
    /// What memory gave and what the model was sent. The built-in responder is sent nothing and reads the statements.
    pub assembled: Assembled,
    /// What came back.
    pub reply: ChatReply,
    /// What the model looked up itself, in order.
    pub searches: Vec<ToolUse>,
    /// What of memory the model asked to change, in order, and what came of it.
    pub changes: Vec<ToolChange>,
}

impl<P: Ports> Memory<P> {
    /// Answers the conversation's last turn. `on_text` receives the answer as it streams. A model's failure is a turn too
    /// (`TurnState::Failed`, with what had come); a cancelled answer keeps its partial text (`TurnState::Stopped`).
    ///
    /// # Errors
    /// [`Error::NotFound`] without a turn to answer; [`Error::Answering`] while another answer is under way; store and template errors. A model's failure is none.
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
        self.answer_to(&asked, None, on_text, cancel).await
    }

    /// Answers a turn; `again`: the answer that stands, which is not looked at and keeps its place as an alternative. A wish is carried out once.
    async fn answer_to(
        &self,
        asked: &Turn,
        again: Option<TurnId>,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<Answer, Error> {
        let _held = self.answer_lock().hold(asked.conversation, asked.id)?;
        if again.is_none()
            && let Some(outcome) = self.carry_out_wish(asked.id).await?
        {
            return self.answer_wish(asked, &outcome, on_text).await;
        }
        let assembled = self.assemble_without(asked.conversation, &asked.text, again).await?;
        if self.chat().is_connected(Role::Chat) {
            self.ask_model(asked, assembled, again, on_text, cancel).await
        } else {
            self.answer_built_in(asked, assembled, again, on_text).await
        }
    }

    /// Answers again: the answer that stands stays with the turn as an alternative, and what rested on it is taken back. An answer that says
    /// nothing, because the model failed, is not kept as one.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Invalid`] for a turn that is not the conversation's last answer; those of [`Memory::answer`].
    pub async fn reroll(
        &self,
        turn: TurnId,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<Answer, Error> {
        let asked = {
            let state = self.state();
            let answer = state.turn(turn).ok_or_else(|| Error::NotFound { record: turn.to_string() })?;
            if !is_last_answer(&state, answer) {
                let problem = "only the last answer of a conversation can be given again; delete what follows, or branch there";
                return Err(Error::Invalid { what: "turn", problem: problem.into() });
            }
            let before =
                state.turns(answer.conversation).rev().find(|turn| turn.speaker != Speaker::Assistant);
            before.cloned()
        };
        let Some(asked) = asked else {
            return Err(Error::NotFound { record: format!("turn that {turn} answers") });
        };
        if asked.off_record && embedded::forget_wish(&asked.text).is_some() {
            let problem = "it tells of a wish that was carried out, and that is done once";
            return Err(Error::Invalid { what: "turn", problem: problem.into() });
        }
        self.answer_to(&asked, Some(turn), on_text, cancel).await
    }

    /// Answers the conversation's last turn anew: [`Memory::reroll`] where that is an answer, else [`Memory::answer`].
    ///
    /// # Errors
    /// Those of both.
    pub async fn regenerate(
        &self,
        conversation: ConversationId,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<Answer, Error> {
        if self.answering(conversation).is_some() {
            return Err(Error::Answering);
        }
        let last = self.state().turns(conversation).next_back().cloned();
        match last.filter(|turn| turn.speaker == Speaker::Assistant) {
            Some(answer) => self.reroll(answer.id, on_text, cancel).await,
            None => self.answer(conversation, on_text, cancel).await,
        }
    }

    /// What memory gave to a step.
    pub async fn use_record(&self, id: UseId) -> Result<Option<UseRecord>, Error> {
        Ok(self.ports().journal().use_record(self.context(), id).await?)
    }

    async fn ask_model(
        &self,
        asked: &Turn,
        assembled: Assembled,
        again: Option<TurnId>,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<Answer, Error> {
        let max_tokens = self.with_config(|config| config.chat.max_tokens());
        let request =
            ChatRequest { messages: assembled.messages.clone(), max_tokens, ..ChatRequest::default() };
        let sent = self.chat().sent(Role::Chat, &request);
        let supplied: Vec<_> = assembled.items.iter().map(|item| item.proposition).collect();
        let mut wished = Wished::default();
        let drafted = self.draft(asked, request, &supplied, &mut wished, on_text, cancel).await?;
        let mut turn = self.new_turn(asked.conversation, Speaker::Assistant, "");
        let reply = drafted.reply;
        turn.state = match drafted.state {
            TurnState::Complete if reply.finish == Finish::Length => TurnState::Cut,
            state => state,
        };
        turn.compliance = drafted.compliance;
        turn.text = crate::text::redact(&reply.text).text;
        turn.model = Some(model_name(&reply.model).to_owned()).filter(|model| !model.is_empty());
        turn.metered = reply
            .usage
            // A prompt with a note of what was contradicted, or with what was looked up, is longer than the one that was estimated.
            .filter(|usage| usage.prompt_tokens > 0 && drafted.is_first && wished.is_empty())
            .map(|usage| Metered { prompt: usage.prompt_tokens, estimated: assembled.tokens.estimated });
        self.kept(turn, assembled, again, reply, wished, Some(sent)).await
    }

    /// A wish to forget is answered by rule, with a model too: what was done is what is said. Nothing of it is recorded as a use or learned.
    async fn answer_wish(
        &self,
        asked: &Turn,
        outcome: &WishOutcome,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Answer, Error> {
        let assembled = self.preview(asked.conversation, "").await?;
        let text = in_words(outcome, &asked.text);
        on_text(&text);
        let mut turn = self.new_turn(asked.conversation, Speaker::Assistant, &text);
        turn.model = Some(BUILT_IN_MODEL.to_owned());
        turn.off_record = true;
        let turn = self.keep_turn(turn, Actor::Engine).await?;
        let reply = ChatReply { text, model: BUILT_IN_MODEL.to_owned(), ..ChatReply::default() };
        Ok(Answer { turn, assembled, reply, searches: Vec::new(), changes: Vec::new() })
    }

    /// The embedded responder answers from the working set and what was recalled beside it: what has to do with the question, CANON
    /// and pinned statements first.
    async fn answer_built_in(
        &self,
        asked: &Turn,
        assembled: Assembled,
        again: Option<TurnId>,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<Answer, Error> {
        let mut supplied: Vec<_> = assembled.items.iter().zip(&assembled.views).collect();
        supplied.sort_by_key(|(item, _)| !matches!(item.always, Some(Always::Canon | Always::Pinned)));
        let said: Vec<Option<String>> = supplied
            .iter()
            .map(|(_, view)| {
                let source = self.sources(&view.proposition).into_iter().next()?;
                let speaker = if source.is_user { "you" } else { &source.speaker };
                Some(format!("{speaker}, on {}", source.at.date_text()))
            })
            .collect();
        let chosen = |wanted: fn(&AssembledItem) -> bool| -> Vec<RecalledFact<'_>> {
            let rows = supplied.iter().zip(&said).filter(|((item, _), _)| wanted(item));
            rows.map(|((item, view), said)| RecalledFact {
                text: &item.text,
                said: said.as_deref(),
                confidence: view.effective,
                is_disputed: item.is_disputed,
                is_canon: item.always == Some(Always::Canon),
            })
            .collect()
        };
        let facts = chosen(|item| item.is_related);
        let kept = chosen(|item| item.always.is_some());
        let text = {
            let state = self.state();
            let mode = mode_of(&state, asked.conversation);
            let known = state.user().filter(|_| mode.reads()).map(|user| user.name.clone());
            let name = known.filter(|name| name != UNNAMED_USER);
            let heard = Heard {
                text: &asked.text,
                speaker_name: name.as_deref(),
                is_first: !state.turns(asked.conversation).any(|turn| turn.speaker == Speaker::Assistant),
                is_kept: mode.learns() && !asked.off_record,
            };
            embedded::respond(&heard, &facts, &kept)
        };
        on_text(&text);
        let mut turn = self.new_turn(asked.conversation, Speaker::Assistant, "");
        turn.text = text.clone();
        turn.model = Some(BUILT_IN_MODEL.to_owned());
        let reply = ChatReply { text, model: BUILT_IN_MODEL.to_owned(), ..ChatReply::default() };
        self.kept(turn, assembled, again, reply, Wished::default(), None).await
    }

    async fn kept(
        &self,
        mut turn: Turn,
        assembled: Assembled,
        again: Option<TurnId>,
        reply: ChatReply,
        wished: Wished,
        sent: Option<ChatRequest>,
    ) -> Result<Answer, Error> {
        let mut assembled = assembled;
        if let (Some(sent), Some(record)) = (sent, &assembled.record)
            // One that an erasure went over meanwhile stays as that left it.
            && self.use_record(record.id).await?.as_ref() == Some(&**record)
        {
            let execution = Execution::of(&sent, &reply, &wished);
            let record = UseRecord { execution: Some(execution), ..UseRecord::clone(record) };
            assembled.record = Some(self.keep_use(record).await?);
        }
        turn.use_record = assembled.record.as_ref().map(|record| record.id);
        let turn = loop {
            if let Some(left) = self.without_erased(&turn.text, assembled.seq, &assembled.views).await? {
                turn.text = left;
            }
            let looked = self.state().seq();
            match self.land_answer(&turn, again, looked).await {
                // Something was erased between the look and the commit: what is left is looked at again.
                Err(Error::Conflict { .. }) if self.log().erased() > looked => {}
                landed => break landed?,
            }
        };
        let Wished { searches, changes } = wished;
        // Being used is evidence, and evidence is learned.
        if !self.conversation_mode(turn.conversation).learns() {
            return Ok(Answer { turn, assembled, reply, searches, changes });
        }
        self.credit_uses(&turn).await?;
        let asleep = assembled.items.iter().filter(|item| item.unit.is_none() && item.is_related);
        let asleep: Vec<PropositionId> = asleep.map(|item| item.proposition).collect();
        self.wake_units(&asleep, "it has to do with what was asked").await?;
        Ok(Answer { turn, assembled, reply, searches, changes })
    }

    /// Keeps an answer that was looked at for what was erased, up to the commit at `looked`.
    ///
    /// # Errors
    /// [`Error::Conflict`] where something was erased since; nothing was written.
    async fn land_answer(&self, turn: &Turn, again: Option<TurnId>, looked: u64) -> Result<Turn, Error> {
        let still = || match self.state().erasures().last() {
            Some(report) if self.log().erased() > looked => {
                Err(Error::Conflict { records: vec![RecordId::Erasure(report.id)] })
            }
            _ => Ok(()),
        };
        let Some(id) = again else { return self.keep_turn_while(turn.clone(), Actor::Engine, still).await };
        let info = answered_again(&Turn { id, ..turn.clone() });
        let said = turn.wording();
        let next = |old: &Turn, pending: bool| {
            still()?;
            Ok(Some(old.saying(said.clone(), pending)))
        };
        let changed = self.say_otherwise(info, id, "answered again", next).await?;
        changed.turn.ok_or_else(|| Error::NotFound { record: id.to_string() })
    }
}

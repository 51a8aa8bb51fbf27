//! What is kept of a prompt, so that the exact messages of an answered turn can be shown later.
//!
//! The system message is kept as a frame with slots: where a statement's or summary's text stands, the record and its revision are
//! kept instead. So the words of memory stay in the log alone, and what is purged there is in no trace. Turns are kept
//! as revisions too. A hash of the whole tells whether what was put together again is what was sent.

use serde::{Deserialize, Serialize};

use super::{LeftOut, PromptTokens, RetrievalMode};
use crate::conversation::{Speaker, Turn};
use crate::history::{ContentId, Log, Record, RecordId, UseRecord};
use crate::id::{ConversationId, RevisionId, TurnId};
use crate::llm::Message;
use crate::prompt::quote;

/// Marks around a slot's number: characters of a private area. A message that has them is kept as it is.
const OPEN: char = '\u{f8f0}';
const CLOSE: char = '\u{f8f1}';

/// A text of the log inside a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// The statement or summary.
    pub record: RecordId,
    /// The state of it that was given.
    pub revision: RevisionId,
}

/// A message with its texts of the log taken out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Frame {
    /// The message, with a numbered mark where a slot is.
    pub text: String,
    /// What stands there, by number.
    pub slots: Vec<Slot>,
}

impl Frame {
    /// Takes the quoted `texts` out of a message. A text that does not stand in it, because a host's template words it
    /// otherwise, stays where it is.
    pub(super) fn of(message: &str, texts: &[(Slot, &str)]) -> Self {
        if message.contains([OPEN, CLOSE]) {
            return Self { text: message.to_owned(), slots: Vec::new() };
        }
        let (mut done, mut rest, mut slots) = (String::new(), message, Vec::new());
        // In order of the block, so that a text that contains another is met first where it stands.
        for (slot, text) in texts {
            let quoted = quote(text);
            if let Some(at) = rest.find(&quoted) {
                done.push_str(&rest[..at]);
                done.push_str(&format!("{OPEN}{}{CLOSE}", slots.len()));
                rest = &rest[at + quoted.len()..];
                slots.push(*slot);
            }
        }
        done.push_str(rest);
        Self { text: done, slots }
    }

    /// The message again.
    fn filled(&self, log: &Log) -> String {
        let mut message = String::new();
        let mut rest = self.text.as_str();
        while let Some((before, after)) = rest.split_once(OPEN) {
            message.push_str(before);
            let Some((number, behind)) = after.split_once(CLOSE) else { break };
            let slot = number.parse().ok().and_then(|n: usize| self.slots.get(n));
            match slot.and_then(|slot| text_of(log, *slot)) {
                Some(text) => message.push_str(&quote(&text)),
                None => message.push_str("\"\u{2026}\""),
            }
            rest = behind;
        }
        message.push_str(rest);
        message
    }
}

fn text_of(log: &Log, slot: Slot) -> Option<String> {
    let step = log.history(slot.record).find(|step| step.revision.id == slot.revision)?;
    match &step.revision.value {
        Some(Record::Proposition(proposition)) => Some(proposition.text.clone()),
        Some(Record::Summary(summary)) => Some(summary.text.clone()),
        _ => None,
    }
}

/// A turn of the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnRef {
    /// Which.
    pub turn: TurnId,
    /// The state of it that was given.
    pub revision: RevisionId,
}

/// What is kept of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Whose turns.
    pub conversation: ConversationId,
    /// How units were chosen.
    pub mode: RetrievalMode,
    /// The system message.
    pub system: Frame,
    /// The turns after it.
    pub turns: Vec<TurnRef>,
    /// What the messages hash to.
    pub hash: ContentId,
    /// What it cost.
    pub tokens: PromptTokens,
}

/// The prompt of an answered turn, put together again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Xray {
    /// What was recorded.
    pub record: UseRecord,
    /// The messages. Empty when the record is of no prompt (a search).
    pub messages: Vec<Message>,
    /// Whether they are what was sent, byte for byte. `false` when a text was purged since.
    pub is_exact: bool,
    /// Whether a model was sent them; the built-in responder reads the facts and no prompt.
    pub was_sent: bool,
    /// Tokens of the prompt as the server counted them.
    pub counted: Option<u32>,
}

/// What messages hash to.
pub(super) fn hash(messages: &[Message]) -> ContentId {
    let mut all = String::new();
    for message in messages {
        all.push_str(&format!("{:?}\u{0}{}\u{0}", message.author, message.text));
    }
    ContentId::of_text(&all)
}

/// A turn as a message.
pub(super) fn message_of(turn: &Turn) -> Message {
    match &turn.speaker {
        Speaker::User => Message::user(&turn.text),
        Speaker::Assistant => Message::assistant(&turn.text),
        Speaker::Person { name } | Speaker::Document { name } => {
            Message::user(format!("{name}: {}", turn.text))
        }
    }
}

impl Trace {
    /// The messages again, and whether they are those that were sent.
    pub(super) fn messages(&self, log: &Log) -> (Vec<Message>, bool) {
        let mut messages = vec![Message::system(self.system.filled(log))];
        for TurnRef { turn, revision } in &self.turns {
            let mut steps = log.history(RecordId::Turn(*turn));
            let step = steps.find(|step| step.revision.id == *revision);
            if let Some(Record::Turn(turn)) = step.as_ref().and_then(|step| step.revision.value.as_ref()) {
                messages.push(message_of(turn));
            }
        }
        let is_exact = hash(&messages) == self.hash;
        (messages, is_exact)
    }
}

/// Left out, counted by reason, for the list that every use record has.
pub(super) fn counted(left_out: &[LeftOut]) -> Vec<(String, u32)> {
    let mut counts: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
    for one in left_out {
        *counts.entry(one.reason.in_words()).or_default() += 1;
    }
    counts.into_iter().map(|(why, count)| (why.to_owned(), count)).collect()
}

//! Whether a conversation is remembered: what a person chooses for each, at any time.
//!
//! What is said while nothing is learned is marked ([`Turn::off_record`](super::Turn)) and stays unread when the choice is taken back: whoever wanted
//! no memory then did not agree to it later.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::Conversation;
use crate::error::Error;
use crate::history::{Actor, Cause, Commit, ScopeInfo, State};
use crate::id::ConversationId;
use crate::memory::Memory;
use crate::ports::Ports;

/// Why nothing comes of a conversation, in the words of reports.
pub const NOT_REMEMBERED: &str = "this conversation is not remembered";

/// What a conversation has to do with the memory. Default: everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryMode {
    /// Answers use the memory, and what is said is learned.
    #[default]
    Full,
    /// Answers use the memory; nothing is learned.
    ReadOnly,
    /// Answers know nothing of the memory, and nothing is learned.
    Off,
}

impl MemoryMode {
    /// Whether answers use the memory.
    pub fn reads(self) -> bool {
        self != Self::Off
    }
    /// Whether what is said is learned.
    pub fn learns(self) -> bool {
        self == Self::Full
    }
    /// Whether it is the default; such a mode is not stored.
    pub fn is_full(&self) -> bool {
        *self == Self::Full
    }
}

/// The mode of a conversation; an unknown one has the default.
pub(crate) fn mode_of(state: &State, conversation: ConversationId) -> MemoryMode {
    state.conversation(conversation).map_or_else(MemoryMode::default, |conversation| conversation.mode)
}

impl<P: Ports> Memory<P> {
    /// Chooses what a conversation has to do with the memory, from now on. What was learned from it before stays; what was said while nothing is
    /// learned is never learned from later. `Ok(None)`: it was so already.
    ///
    /// # Errors
    /// [`Error::NotFound`]; store errors.
    pub async fn set_conversation_mode(
        &self,
        conversation: ConversationId,
        mode: MemoryMode,
    ) -> Result<Option<Rc<Commit>>, Error> {
        let reason = match mode {
            MemoryMode::Full => "the conversation is remembered from now on",
            MemoryMode::ReadOnly => "the conversation uses the memory and adds nothing to it from now on",
            MemoryMode::Off => "the conversation has nothing to do with the memory from now on",
        };
        let info = ScopeInfo::new(Cause::Manual, Actor::Person, reason).with_id("conversation", conversation);
        let (_, commit) = self
            .change(info, |state, scope| {
                let Some(known) = state.conversation(conversation) else {
                    return Err(Error::NotFound { record: conversation.to_string() });
                };
                scope.put(state, Conversation { mode, ..known.clone() }, reason);
                Ok(())
            })
            .await?;
        Ok(commit)
    }

    /// What a conversation has to do with the memory.
    pub fn conversation_mode(&self, conversation: ConversationId) -> MemoryMode {
        mode_of(&self.state(), conversation)
    }
}

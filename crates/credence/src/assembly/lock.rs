//! One answer at a time: who is answering a conversation (core 7.8).
//!
//! Two answers side by side would each miss the other's turn and both be appended. Within a process the second one is
//! refused with a clear word; between the tabs of a browser the host's own lock does the same.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::error::Error;
use crate::id::{ConversationId, TurnId};

/// The turns that are being answered now, one a conversation.
#[derive(Debug, Default)]
pub(crate) struct AnswerLock(RefCell<BTreeMap<ConversationId, TurnId>>);

impl AnswerLock {
    /// Takes the conversation for the answer to `turn`; `false` when somebody has it, be it for the same turn.
    pub(crate) fn try_lock(&self, conversation: ConversationId, turn: TurnId) -> bool {
        let mut held = self.0.borrow_mut();
        let free = !held.contains_key(&conversation);
        if free {
            held.insert(conversation, turn);
        }
        free
    }
    /// Gives it back; `false` when `turn` is not the one that has it.
    pub(crate) fn unlock(&self, conversation: ConversationId, turn: TurnId) -> bool {
        let mut held = self.0.borrow_mut();
        let own = held.get(&conversation) == Some(&turn);
        if own {
            held.remove(&conversation);
        }
        own
    }
    /// The turn that is being answered; `None` when free.
    pub(crate) fn holder(&self, conversation: ConversationId) -> Option<TurnId> {
        self.0.borrow().get(&conversation).copied()
    }
    /// Takes it until the guard is dropped, however the answer ends.
    ///
    /// # Errors
    /// [`Error::Answering`] when the conversation is being answered already.
    pub(crate) fn hold(&self, conversation: ConversationId, turn: TurnId) -> Result<Held<'_>, Error> {
        if self.try_lock(conversation, turn) {
            Ok(Held { lock: self, conversation, turn })
        } else {
            Err(Error::Answering)
        }
    }
}

/// A conversation that is being answered.
#[derive(Debug)]
pub(crate) struct Held<'a> {
    lock: &'a AnswerLock,
    conversation: ConversationId,
    turn: TurnId,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.lock.unlock(self.conversation, self.turn);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn core_194_one_holder_who_alone_gives_it_back() {
        let (lock, talk) = (AnswerLock::default(), ConversationId::new(Uuid::from_u128(1)));
        let [mine, other] = [2, 3].map(|n| TurnId::new(Uuid::from_u128(n)));
        assert_eq!(lock.holder(talk), None);
        assert!(lock.try_lock(talk, mine) && !lock.try_lock(talk, other) && !lock.try_lock(talk, mine));
        assert!(!lock.unlock(talk, other) && lock.holder(talk) == Some(mine));
        assert!(lock.unlock(talk, mine) && lock.holder(talk).is_none());
        {
            let _held = lock.hold(talk, other).unwrap();
            assert_eq!(lock.hold(talk, mine).err().map(|error| error.code()), Some("busy"));
        }
        assert!(lock.hold(talk, mine).is_ok(), "a dropped guard frees it");
    }
}

//! A branch of this memory, as it was when a turn was said or after any commit. The rules are those of `history::branch`.

use serde::{Deserialize, Serialize};

use super::Memory;
use crate::error::Error;
use crate::history::{Actor, BranchNote, RecordId, branch};
use crate::id::{CommitId, ContextId, TurnId};
use crate::ports::Ports;

/// A branch that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branched {
    /// Its name; open it like any other memory.
    pub context: ContextId,
    /// The memory that it came from.
    pub from: ContextId,
    /// The commit of that memory which is its last in common with it.
    pub seq: u64,
    /// The commit that says so: the head of the branch.
    pub commit: CommitId,
}

impl<P: Ports> Memory<P> {
    /// Begins a new memory as this one was when a turn had been said, without anything that came later. Nothing changes here.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a turn that never was; those of [`branch`].
    pub async fn branch_at_turn(&self, turn: TurnId, name: ContextId) -> Result<Branched, Error> {
        self.refresh().await?;
        let said = self.log().history(RecordId::Turn(turn)).next().map(|step| step.commit.seq);
        let Some(seq) = said else { return Err(Error::NotFound { record: turn.to_string() }) };
        self.branch_at(Actor::Person, seq, name, "").await
    }

    /// Begins a new memory as this one was after commit `seq`. `reason` is in words for a person; blank: where it came from.
    ///
    /// # Errors
    /// Those of [`branch`].
    pub async fn branch_at(
        &self,
        actor: Actor,
        seq: u64,
        name: ContextId,
        reason: &str,
    ) -> Result<Branched, Error> {
        let (id, at) = (CommitId::new(self.next_id()), self.now().at);
        let note = BranchNote { id, at, actor, reason: reason.to_owned() };
        let (journal, from) = (self.ports().journal(), self.context());
        let head = branch(journal, from, seq, &name, note).await?;
        Ok(Branched { context: name, from: from.clone(), seq, commit: head.id })
    }
}

//! Taking a source back: a conversation or document goes with its turns, and everything that rested on it alone goes with it. Or only
//! what the ledger and the bookmark say of it goes, so that it is read again.
//!
//! One commit each, so both can be undone. What says the same as a forgotten statement, or was abstracted from it, goes the way that it
//! goes when that statement is forgotten by itself. A statement that also rests on something else loses this evidence and stays; what it
//! gained in confidence stays too, because nobody noted which witness brought how much. What a statement of this source had
//! retired stays retired. Entities stay: whoever wants them gone forgets them themselves. Source: dice section 13 (deletion leaves
//! lineage behind), 3.7 (a cleared context may be processed again).

use std::collections::BTreeSet;

use serde::Serialize;

use crate::conversation::Bookmark;
use crate::error::Error;
use crate::history::{Actor, Cause, RecordId, Scope, ScopeInfo, State};
use crate::id::{CommitId, ConversationId, PropositionId, TurnId};
use crate::maintenance::forget_with;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::time::Timestamp;

/// What forgetting a source took along.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ForgottenSource {
    /// The commit; undoing it brings everything back.
    pub commit: Option<CommitId>,
    /// Turns or passages.
    pub turns: usize,
    /// Statements that rested on it alone.
    pub removed: Vec<PropositionId>,
    /// Statements that rest on something else as well, or are pinned.
    pub kept: Vec<PropositionId>,
}

impl<P: Ports> Memory<P> {
    /// Forgets a conversation or document and what rested on it alone. Its content can be taken in again.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Busy`] while it is being analysed.
    pub async fn forget_source(&self, conversation: ConversationId) -> Result<ForgottenSource, Error> {
        if self.analysing().borrow().contains(&conversation) {
            return Err(Error::Busy);
        }
        let now = self.now().at;
        let info =
            ScopeInfo::new(Cause::Forget, Actor::Person, "forgot a source and what rested on it alone")
                .with_id("conversation", conversation);
        let (forgotten, commit) = self
            .change(info, |state, scope| {
                if state.conversation(conversation).is_none() {
                    return Err(Error::NotFound { record: conversation.to_string() });
                }
                Ok(plan(state, scope, conversation, now))
            })
            .await?;
        Ok(ForgottenSource { commit: commit.map(|commit| commit.id), ..forgotten })
    }

    /// Lets a conversation or document be analysed again from its beginning, for instance by a better model. Statements that rest on
    /// the same turns gain nothing by being read twice. Returns how many turns wait now.
    ///
    /// # Errors
    /// As [`Memory::forget_source`].
    pub async fn release(&self, conversation: ConversationId) -> Result<u32, Error> {
        if self.analysing().borrow().contains(&conversation) {
            return Err(Error::Busy);
        }
        let info = ScopeInfo::new(Cause::Manual, Actor::Person, "to be analysed again")
            .with_id("conversation", conversation);
        self.change(info, |state, scope| {
            if state.conversation(conversation).is_none() {
                return Err(Error::NotFound { record: conversation.to_string() });
            }
            clear_ledger(state, scope, conversation);
            scope.put(state, Bookmark::new(conversation), "to be analysed again");
            Ok(())
        })
        .await?;
        Ok(self.pending(conversation).turns)
    }
}

fn clear_ledger(state: &State, scope: &Scope, conversation: ConversationId) {
    for entry in state.ledger().filter(|entry| entry.conversation == conversation) {
        scope.remove(state, RecordId::Ledger(entry.id), "");
    }
}

fn plan(state: &State, scope: &Scope, conversation: ConversationId, now: Timestamp) -> ForgottenSource {
    const WHY: &str = "its source was forgotten";
    let turns: BTreeSet<TurnId> = state.turns(conversation).map(|turn| turn.id).collect();
    let pieces: BTreeSet<String> = turns.iter().map(ToString::to_string).collect();
    let is_ours = |piece: &Option<String>| piece.as_ref().is_some_and(|piece| pieces.contains(piece));
    let mut forgotten = ForgottenSource { turns: turns.len(), ..ForgottenSource::default() };
    let mut gone: BTreeSet<PropositionId> = BTreeSet::new();
    for old in state.propositions() {
        let mut p = old.clone();
        p.grounding.retain(|turn| !turns.contains(turn));
        p.provenance.retain(|entry| !is_ours(&entry.chunk_id));
        if p == *old {
            continue;
        }
        let is_bare = p.grounding.is_empty() && p.provenance.is_empty() && p.source_ids.is_empty();
        if is_bare && !p.pinned {
            gone.insert(p.id);
        } else {
            p.metadata_revised = now;
            forgotten.kept.push(p.id);
            scope.put(state, p, WHY);
        }
    }
    for id in &gone {
        scope.remove(state, RecordId::Proposition(*id), WHY);
    }
    forget_with(state, scope, &gone, now);
    let is_left = |id: &PropositionId| scope.get(state, RecordId::Proposition(*id)).is_some();
    forgotten.kept.retain(is_left);
    forgotten.removed = gone.into_iter().collect();
    clear_ledger(state, scope, conversation);
    for report in state.analyses().filter(|report| report.conversation == conversation) {
        scope.remove(state, RecordId::Analysis(report.id), "");
    }
    for turn in turns {
        scope.remove(state, RecordId::Turn(turn), "");
    }
    scope.remove(state, RecordId::Bookmark(conversation), "");
    scope.remove(state, RecordId::Conversation(conversation), "forgotten by a person");
    crate::inbox::forget_questions(state, scope);
    crate::promotion::forget_reports(state, scope);
    crate::enforcement::forget_violations(state, scope);
    crate::upkeep::forget_sweeps(state, scope);
    crate::compaction::forget_summaries(state, scope);
    forgotten
}

//! Turns that are changed: worded anew, answered again, taken out, and put back.
//!
//! Rules (history 2.10 to 2.12): whatever changes a turn takes back exactly what rested on the words that go (`revision::retract`), in the same
//! commit, and leaves everything else as it is. A turn that was analysed and says something else now waits to be analysed again, and only it. The
//! words that go stay with the turn as an alternative. Choosing an alternative again restores what rested on it: each record that is still
//! as the change left it goes back to what it was, byte for byte; of a statement that has changed since, what has not changed; what cannot
//! go back is reported. Everything is one commit by the person, and can be undone like any other.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Memory;
use crate::conversation::{Alternative, Bookmark, Speaker, Turn, TurnState};
use crate::error::Error;
use crate::history::{
    Actor, Cause, Commit, ContentId, Log, Record, RecordId, Revision, Scope, ScopeInfo, State,
};
use crate::id::{CommitId, ConversationId, TurnId};
use crate::ports::Ports;
use crate::revision::{Retraction, between, value_of};
use crate::text;
use crate::unit::Mover;

/// What changing a turn did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnChange {
    /// The turn as it is now; `None` when it was taken out.
    pub turn: Option<Turn>,
    /// The commit; undoing it puts everything back. `None`: nothing differs.
    pub commit: Option<CommitId>,
    /// What was taken back with the words that went.
    pub retraction: Retraction,
    /// What came back with the words that were chosen again.
    pub restored: Vec<RecordId>,
    /// What should have come back and has changed since: left as it is, or as far as it could.
    pub conflicts: Vec<RecordId>,
    /// Whether the turn waits to be analysed.
    pub pending: bool,
}

/// What came back.
#[derive(Default)]
struct Restored {
    records: Vec<RecordId>,
    conflicts: Vec<RecordId>,
    /// Something could not be found in history any more.
    is_partial: bool,
}

impl<P: Ports> Memory<P> {
    /// Words a turn anew. What rested on its old words is taken back, and the turn waits to be analysed again; the old words stay as an
    /// alternative. Words that it had before are chosen again, as [`Memory::swipe`] does. Credentials are redacted first.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Invalid`] for a blank text, and for a passage of a document; [`Error::Answering`] while the
    /// conversation is being answered.
    pub async fn edit_turn(&self, id: TurnId, text: &str) -> Result<TurnChange, Error> {
        let text = text::redact(text.trim()).text;
        if text.is_empty() {
            let problem = "a turn needs some words; to be rid of it, delete it".into();
            return Err(Error::Invalid { what: "text", problem });
        }
        let at = self.now();
        self.reword(id, "turn worded anew", |turn, pending| {
            if turn.text == text {
                return Ok(None);
            }
            if let Some(place) = turn.wordings().iter().position(|one| one.text == text) {
                return Ok(turn.choosing(u32::try_from(place).unwrap_or(u32::MAX), pending));
            }
            let own = turn.wording();
            // The words are the person's now: nobody counted their prompt or checked them.
            let said = Alternative {
                text: text.clone(),
                at,
                state: TurnState::Complete,
                metered: None,
                compliance: None,
                ..own
            };
            Ok(Some(turn.saying(said, pending)))
        })
        .await
    }

    /// Has a turn say another of its wordings, by its place in [`Turn::wordings`]. What rested on the words that go is taken back, what rested on
    /// those that come is restored.
    ///
    /// # Errors
    /// Those of [`Memory::edit_turn`]; [`Error::Invalid`] for a wording that there is not.
    pub async fn swipe(&self, id: TurnId, alternative: u32) -> Result<TurnChange, Error> {
        self.reword(id, "another wording chosen", |turn, pending| {
            if turn.chosen == alternative {
                return Ok(None);
            }
            let known = turn.wordings().len();
            turn.choosing(alternative, pending).map(Some).ok_or_else(|| Error::Invalid {
                what: "alternative",
                problem: format!(
                    "this turn has {known} wordings, 0 to {}; there is no {alternative}",
                    known - 1
                ),
            })
        })
        .await
    }

    /// Takes one turn out of its conversation, with exactly what rested on it.
    ///
    /// # Errors
    /// Those of [`Memory::edit_turn`].
    pub async fn delete_turn(&self, id: TurnId) -> Result<TurnChange, Error> {
        self.take_out(id, "turn taken out", |turn, other| other.id == turn.id).await
    }

    /// Takes a turn and everything after it out of its conversation, with exactly what rested on them.
    ///
    /// # Errors
    /// Those of [`Memory::edit_turn`].
    pub async fn delete_from(&self, id: TurnId) -> Result<TurnChange, Error> {
        self.take_out(id, "conversation cut off here", |turn, other| other.index >= turn.index).await
    }

    async fn take_out(
        &self,
        id: TurnId,
        reason: &str,
        goes: impl Fn(&Turn, &Turn) -> bool,
    ) -> Result<TurnChange, Error> {
        let first = self.changeable(id)?;
        let (now, conversation) = (self.now().at, first.conversation);
        let (retraction, commit) = self
            .change(turn_info(Actor::Person, reason, &first), |state, scope| {
                let first = state.turn(id).ok_or_else(|| Error::NotFound { record: id.to_string() })?;
                let going: Vec<&Turn> = state.turns(conversation).filter(|turn| goes(first, turn)).collect();
                let lost: BTreeSet<TurnId> = going.iter().map(|turn| turn.id).collect();
                let retraction = self.retract(state, scope, &lost, "its turn was taken out", now)?;
                let known = state.bookmark(conversation).cloned();
                let mut bookmark = known.unwrap_or_else(|| Bookmark::new(conversation));
                for turn in &going {
                    scope.remove(state, RecordId::Turn(turn.id), reason);
                    bookmark = bookmark.not_again(turn.index);
                    void_summaries(state, scope, turn);
                }
                // The next turn takes the place of the first that went, and has yet to be read.
                let left = state.turns(conversation).filter(|turn| !lost.contains(&turn.id));
                let end = left.map(|turn| turn.index + 1).max().unwrap_or(0);
                bookmark.analysed_until = bookmark.analysed_until.min(end);
                bookmark.failed.retain(|range| range.from < end);
                if state.bookmark(conversation).is_some() {
                    scope.put(state, bookmark, "");
                }
                Ok(retraction)
            })
            .await?;
        let commit = commit.map(|commit| commit.id);
        let (restored, conflicts) = (Vec::new(), Vec::new());
        Ok(TurnChange { turn: None, commit, retraction, restored, conflicts, pending: false })
    }

    /// The turn, where its conversation may be changed now.
    fn changeable(&self, id: TurnId) -> Result<Turn, Error> {
        let state = self.state();
        let turn = state.turn(id).ok_or_else(|| Error::NotFound { record: id.to_string() })?;
        if self.answering(turn.conversation).is_some() {
            return Err(Error::Answering);
        }
        if turn.passage.is_some() {
            let problem =
                "a passage of a document changes with its document: take that in again, or forget it";
            return Err(Error::Invalid { what: "turn", problem: problem.into() });
        }
        Ok(turn.clone())
    }

    /// Has a turn say what `next` returns, as a person's act.
    async fn reword(
        &self,
        id: TurnId,
        reason: &str,
        next: impl Fn(&Turn, bool) -> Result<Option<Turn>, Error>,
    ) -> Result<TurnChange, Error> {
        let turn = self.changeable(id)?;
        self.say_otherwise(turn_info(Actor::Person, reason, &turn), id, reason, next).await
    }

    /// Has a turn say what `next` returns for it and whether it waits; `None`: nothing is to change.
    pub(crate) async fn say_otherwise(
        &self,
        info: ScopeInfo,
        id: TurnId,
        reason: &str,
        next: impl Fn(&Turn, bool) -> Result<Option<Turn>, Error>,
    ) -> Result<TurnChange, Error> {
        let now = self.now().at;
        let ((retraction, restored), commit) = self
            .change(info, |state, scope| {
                let turn = state.turn(id).ok_or_else(|| Error::NotFound { record: id.to_string() })?;
                let known = state.bookmark(turn.conversation);
                let pending = known.is_none_or(|bookmark| bookmark.waits(turn.index));
                let Some(next) = next(turn, pending)? else {
                    return Ok((Retraction::default(), Restored::default()));
                };
                let why = "the words that it rested on were changed";
                let retraction = self.retract(state, scope, &BTreeSet::from([id]), why, now)?;
                forget_reading(state, scope, turn);
                void_summaries(state, scope, turn);
                let withdrawn = withdrawal(&self.log(), &next);
                let restored = match &withdrawn {
                    Some(commit) => self.restore(state, scope, &next, commit)?,
                    None => Restored::default(),
                };
                let coming = next.wordings().get(next.chosen as usize).cloned();
                let is_read = withdrawn.is_some()
                    && !restored.is_partial
                    && coming.is_some_and(|coming| !coming.pending);
                if let Some(bookmark) = known.cloned() {
                    let bookmark = match is_read {
                        true => bookmark.not_again(turn.index),
                        false => bookmark.reading_again(turn.index),
                    };
                    scope.put(state, bookmark, "");
                }
                scope.put(state, next, reason);
                Ok((retraction, restored))
            })
            .await?;
        let state = self.state();
        let turn = state.turn(id).cloned();
        let waits = |turn: &Turn| {
            !turn.off_record && state.bookmark(turn.conversation).is_none_or(|b| b.waits(turn.index))
        };
        let pending = turn.as_ref().is_some_and(waits);
        let (commit, Restored { records, conflicts, .. }) = (commit.map(|commit| commit.id), restored);
        Ok(TurnChange { turn, commit, retraction, restored: records, conflicts, pending })
    }

    /// Plans that what rested on the chosen words comes back, as it was before `commit` took it back.
    fn restore(&self, state: &State, scope: &Scope, turn: &Turn, commit: &Commit) -> Result<Restored, Error> {
        let log = self.log();
        let mut restored = Restored::default();
        for revision in &commit.revisions {
            let record = revision.record;
            if matches!(record, RecordId::Turn(_) | RecordId::Bookmark(_)) {
                continue;
            }
            let before = revision.previous.and_then(|previous| value_of(&log, record, previous));
            if revision.erased
                || (revision.previous.is_some() && before.is_none() && revision.value.is_some())
            {
                restored.is_partial = true;
                restored.conflicts.push(record);
                continue;
            }
            if let (RecordId::Summary(_), Some(Record::Summary(summary))) = (record, &before)
                && has_changed_since(&log, state, turn, summary.from..summary.to, commit.seq)
            {
                continue;
            }
            self.put_as_before(state, scope, revision, (turn.id, commit.seq), before, &mut restored);
        }
        self.planning(state, scope, Mover::Policy("the budget"), |plan| {
            plan.fit(&restored.records)?;
            Ok(())
        })?;
        Ok(restored)
    }

    fn put_as_before(
        &self,
        state: &State,
        scope: &Scope,
        revision: &Revision,
        (turn, since): (TurnId, u64),
        before: Option<Record>,
        restored: &mut Restored,
    ) {
        const WHY: &str = "its words were chosen again";
        let record = revision.record;
        let now = scope.get(state, record);
        if ContentId::of(now.as_ref()) == revision.content_id {
            match before {
                Some(before) => scope.put(state, before, WHY),
                None => scope.remove(state, record, WHY),
            }
            restored.records.push(record);
            return;
        }
        if ContentId::of(now.as_ref()) == ContentId::of(before.as_ref()) {
            return;
        }
        // What the other words did to it went with them: unless a person moved it since, it is what it was.
        // A unit's standing has no parts to merge, and such a statement has no ground but these words.
        let is_only_ours = match (&now, &before) {
            (_, Some(Record::Unit(_))) => true,
            (Some(Record::Proposition(now)), Some(Record::Proposition(before))) => {
                now.retracted && before.grounding.iter().all(|ground| *ground == turn)
            }
            _ => false,
        };
        if is_only_ours && !self.moved_by_person(record, since) {
            before.into_iter().for_each(|before| scope.put(state, before, WHY));
            restored.records.push(record);
            return;
        }
        restored.conflicts.push(record);
        if let (
            Some(Record::Proposition(now)),
            Some(Record::Proposition(after)),
            Some(Record::Proposition(before)),
        ) = (&now, &revision.value, &before)
            && let Some(back) = between(now, after, before)
        {
            scope.put(state, back, WHY);
        }
    }

    /// Whether a person changed a record after a commit. Rewording a turn is a person's act as well, and
    /// what it does to a record is none.
    fn moved_by_person(&self, record: RecordId, since: u64) -> bool {
        let log = self.log();
        let mut later = log.history(record).filter(|step| step.commit.seq > since);
        later.any(|step| step.commit.actor == Actor::Person && step.commit.cause != Cause::Conversation)
    }
}

fn turn_info(actor: Actor, reason: &str, turn: &Turn) -> ScopeInfo {
    ScopeInfo::new(Cause::Conversation, actor, reason)
        .with_id("conversation", turn.conversation)
        .with_id("turn", turn.id)
}

/// What a new answer to an old question says of itself.
pub(crate) fn answered_again(turn: &Turn) -> ScopeInfo {
    turn_info(Actor::Person, "answered again", turn)
}

/// The last commit that took the words back which a turn is to say again; `None`: it never said them.
fn withdrawal(log: &Log, turn: &Turn) -> Option<std::rc::Rc<Commit>> {
    let says = |revision: &Revision| match &revision.value {
        Some(Record::Turn(said)) => Some(said.text == turn.text),
        _ => None,
    };
    let steps: Vec<_> = log.history(RecordId::Turn(turn.id)).collect();
    let pair = steps
        .windows(2)
        .rev()
        .find(|pair| says(&pair[0].revision) == Some(true) && says(&pair[1].revision) == Some(false))?;
    Some(pair[1].commit.clone())
}

/// The ledger no longer knows a turn that was read by itself: it says something else now.
fn forget_reading(state: &State, scope: &Scope, turn: &Turn) {
    let is_it = |conversation: ConversationId, from: u32, to: u32| {
        conversation == turn.conversation && from == turn.index && to == turn.index + 1
    };
    for entry in state.ledger().filter(|entry| is_it(entry.conversation, entry.from, entry.to)) {
        scope.remove(state, RecordId::Ledger(entry.id), "its turn was worded anew");
    }
}

/// Summaries that tell of a turn no longer stand.
fn void_summaries(state: &State, scope: &Scope, turn: &Turn) {
    for summary in state.summaries().filter(|summary| {
        summary.conversation == turn.conversation && (summary.from..summary.to).contains(&turn.index)
    }) {
        scope.remove(state, RecordId::Summary(summary.id), "a turn that it tells of was changed");
    }
}

/// Whether another turn of a range was changed after a commit.
fn has_changed_since(log: &Log, state: &State, turn: &Turn, range: std::ops::Range<u32>, seq: u64) -> bool {
    let others =
        state.turns(turn.conversation).filter(|other| other.id != turn.id && range.contains(&other.index));
    let mut last = others.filter_map(|other| log.history(RecordId::Turn(other.id)).last());
    last.any(|step| step.commit.seq > seq)
}

/// Whether a turn is an answer that can be given again: the last one of its conversation.
pub(crate) fn is_last_answer(state: &State, turn: &Turn) -> bool {
    turn.speaker == Speaker::Assistant
        && state.turns(turn.conversation).next_back().is_some_and(|last| last.id == turn.id)
}

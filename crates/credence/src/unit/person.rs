//! CANON: what a person alone gives and takes back (core 15, G3).
//!
//! A [`Canonization`] is built from a [`PersonAct`], and a `PersonAct` exists only inside a plan whose commit will say that a person
//! made it. So a policy, a model or a host has nothing to canonize with; and because plans also come from stored JSON,
//! [`lawful`] looks at every commit once more before it is written.

use serde::{Deserialize, Serialize};

use super::Unit;
use crate::error::Error;
use crate::history::{Actor, Commit, Record, RecordId, Scope, State};
use crate::id::InboxId;
use crate::time::Timestamp;

/// The act that made a unit CANON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Canonization {
    /// When.
    at: Timestamp,
    /// The question that it answered, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<InboxId>,
    /// What the person said of it; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
}

impl Canonization {
    /// When.
    pub fn at(&self) -> Timestamp {
        self.at
    }
    /// The question that it answered.
    pub fn question(&self) -> Option<InboxId> {
        self.question
    }
    /// What the person said of it.
    pub fn note(&self) -> &str {
        &self.note
    }
}

/// Proof that a person is acting. Hosts cannot make one: acts of [`crate::Memory`] do, where a person calls them.
#[derive(Debug, Clone)]
pub struct PersonAct {
    at: Timestamp,
    question: Option<InboxId>,
    note: String,
}

impl PersonAct {
    /// The proof for a plan: only where its commit will name the person as its actor.
    pub(crate) fn of(scope: &Scope, at: Timestamp) -> Option<Self> {
        (scope.info().actor == Actor::Person).then(|| Self { at, question: None, note: String::new() })
    }
    /// It answers a question.
    pub fn answering(self, question: InboxId) -> Self {
        Self { question: Some(question), ..self }
    }
    /// The person's words.
    pub fn saying(self, note: &str) -> Self {
        Self { note: note.trim().to_owned(), ..self }
    }
    pub(super) fn canonization(&self) -> Canonization {
        Canonization { at: self.at, question: self.question, note: self.note.clone() }
    }
}

/// Refuses a commit that gives or takes CANON, or takes a CANON unit out of the working set, without a person.
///
/// # Errors
/// [`Error::Invalid`] with the unit and who tried.
pub(crate) fn lawful(state: &State, commit: &Commit) -> Result<(), Error> {
    if commit.actor == Actor::Person {
        return Ok(());
    }
    for revision in &commit.revisions {
        let RecordId::Unit(id) = revision.record else { continue };
        let before = state.unit(id);
        let after = match &revision.value {
            Some(Record::Unit(unit)) => Some(unit),
            _ => None,
        };
        let canon = |unit: Option<&Unit>| unit.and_then(Unit::canon).cloned();
        let active = |unit: Option<&Unit>| unit.is_some_and(Unit::is_active);
        let what = match (canon(before), canon(after)) {
            (had, has) if had != has && has.is_some() => "made CANON",
            (Some(_), None) => "taken out of CANON",
            (Some(_), Some(_)) if active(before) && !active(after) => "taken out of the working set",
            _ => continue,
        };
        return Err(Error::Invalid {
            what: "commit",
            problem: format!(
                "the unit of {id} may be {what} by a person alone, and this commit is another's"
            ),
        });
    }
    Ok(())
}

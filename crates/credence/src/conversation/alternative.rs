//! The wordings of one turn: what it says, and what it said or could say instead.
//!
//! A turn that was answered again or worded anew keeps every wording, in the order in which they were made; one of them is chosen, and the
//! turn's own fields are that one's. Choosing another changes the text and nothing else: what rested on the wording that goes and on the one
//! that comes is planned in the same commit (`memory::turns`).

use serde::{Deserialize, Serialize};

use super::{Turn, TurnState};
use crate::assembly::Metered;
use crate::enforcement::Compliance;
use crate::id::UseId;
use crate::time::Moment;

/// One wording of a turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// What it says (credentials redacted).
    pub text: String,
    /// When it was made, with the speaker's offset.
    pub at: Moment,
    /// How it ended.
    #[serde(default)]
    pub state: TurnState,
    /// What memory gave to its prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub use_record: Option<UseId>,
    /// What the server counted for its prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metered: Option<Metered>,
    /// The model that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How it was kept to the facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compliance: Option<Box<Compliance>>,
    /// It had yet to be analysed when another one was chosen.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pending: bool,
}

impl Turn {
    /// This turn's wording as it stands.
    pub fn wording(&self) -> Alternative {
        Alternative {
            text: self.text.clone(),
            at: self.at,
            state: self.state.clone(),
            use_record: self.use_record,
            metered: self.metered,
            model: self.model.clone(),
            compliance: self.compliance.clone(),
            pending: false,
        }
    }

    /// Every wording, in the order in which they were made; the chosen one is at [`Turn::chosen`].
    pub fn wordings(&self) -> Vec<Alternative> {
        if self.alternatives.is_empty() { vec![self.wording()] } else { self.alternatives.clone() }
    }

    /// The use records of every wording.
    pub fn uses(&self) -> impl Iterator<Item = UseId> + '_ {
        self.use_record.into_iter().chain(self.alternatives.iter().filter_map(|one| one.use_record))
    }

    /// The turn with the wording that a use record was given to; `None`: none of them was.
    pub fn as_given(&self, record: UseId) -> Option<Self> {
        if self.use_record == Some(record) {
            return Some(self.clone());
        }
        let place = self.alternatives.iter().position(|one| one.use_record == Some(record))?;
        self.choosing(u32::try_from(place).ok()?, false)
    }

    /// The turn saying another of its wordings; `pending`: the one that goes has yet to be analysed. `None` when there is no such
    /// wording.
    pub(crate) fn choosing(&self, place: u32, pending: bool) -> Option<Self> {
        let mut alternatives = self.wordings();
        if let Some(going) = alternatives.get_mut(self.chosen as usize) {
            going.pending = pending;
        }
        let coming = alternatives.get(place as usize)?.clone();
        let mut next = self.clone();
        next.say(coming);
        (next.alternatives, next.chosen) = (alternatives, place);
        Some(next)
    }

    /// The turn with one wording more, which is chosen. A wording that says nothing is not kept beside it.
    pub(crate) fn saying(&self, wording: Alternative, pending: bool) -> Self {
        let mut alternatives = self.wordings();
        if let Some(going) = alternatives.get_mut(self.chosen as usize) {
            going.pending = pending;
        }
        alternatives.retain(|one| !one.text.trim().is_empty());
        alternatives.push(wording.clone());
        let mut next = self.clone();
        next.say(wording);
        next.chosen = u32::try_from(alternatives.len() - 1).unwrap_or(u32::MAX);
        next.alternatives = if alternatives.len() > 1 { alternatives } else { Vec::new() };
        next
    }

    fn say(&mut self, wording: Alternative) {
        let Alternative { text, at, state, use_record, metered, model, compliance, pending: _ } = wording;
        (self.text, self.at, self.state, self.use_record) = (text, at, state, use_record);
        (self.metered, self.model, self.compliance) = (metered, model, compliance);
    }
}

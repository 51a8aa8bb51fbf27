//! Changed turns and branches as JavaScript sees them.

use credence::conversation as core;
use credence::memory;
use credence::revision;
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::conversation::{Problem, Turn, ended};
use super::show::{Show, view};
use super::unit::Dependant;

#[wasm_bindgen(typescript_custom_section)]
const MODE: &str = r#"
/** What a conversation has to do with the memory: everything; answers alone, and nothing is learned; nothing at all. */
export type MemoryMode = "full" | "read-only" | "off";
"#;

/// One wording of a turn.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Wording {
    /// What it says, with credentials redacted.
    text: String,
    /// When it was made (ms).
    at: i64,
    /// How it ended.
    #[tsify(type = "\"complete\" | \"stopped\" | \"cut\" | \"failed\"")]
    state: &'static str,
    /// Why it failed.
    failure: Option<Problem>,
    /// The model that wrote it.
    model: Option<String>,
    /// Id of the use record that says what memory gave to it.
    #[serde(rename = "use")]
    used: Option<String>,
}

impl Show<Wording> for core::Alternative {
    fn show(&self) -> Wording {
        let (state, failure) = ended(self.state.clone());
        Wording {
            text: self.text.clone(),
            at: self.at.show(),
            state,
            failure,
            model: self.model.clone(),
            used: self.use_record.show(),
        }
    }
}

view! {
    /// What was taken back with the words of turns.
    Retraction of revision::Retraction {
        /// Ids of statements that rested on them alone.
        retracted: Vec<String>,
        /// Ids of statements that lost this evidence and stand on other.
        weakened: Vec<String>,
        /// Ids of statements that rest on nothing any more and stay, because a person pinned them or made them CANON.
        kept: Vec<String>,
        /// Ids of statements that came back, because what had retired them went.
        revived: Vec<String>,
        /// What rested on statements that went, and what became of it.
        dependants: Vec<Dependant>,
        /// What else is worth knowing, in words.
        notes: Vec<String>,
    }
}

view! {
    /// What changing a turn did.
    TurnChange of memory::TurnChange {
        /// The turn as it is now; `null` when it was taken out.
        turn: Option<Turn>,
        /// Id of the commit, which {@link Memory.undo} takes back; `null` when nothing differs.
        commit: Option<String>,
        /// What was taken back with the words that went.
        retraction: Retraction,
        /// Ids of records that came back with the words that were chosen again.
        restored: Vec<String>,
        /// Ids of records that should have come back and have changed since.
        conflicts: Vec<String>,
        /// Whether the turn waits to be analysed.
        pending: bool,
    }
}

view! {
    /// A branch that was made.
    Branched of memory::Branched {
        /// Its name: {@link Memory.context} opens it.
        context: String,
        /// The memory that it came from.
        from: String,
        /// The `seq` of the last commit that both have.
        seq: u64,
        /// Id of the commit that says so: the head of the branch.
        commit: String,
    }
}

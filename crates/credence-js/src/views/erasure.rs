//! Forgetting as JavaScript sees it: what goes softly, and what is destroyed for ever.

use credence::erasure as core;
use credence::id::{ConversationId, EntityId, PropositionId};
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::show::{Counts, Show, shown_as_is, view};

#[wasm_bindgen(typescript_custom_section)]
const TARGET: &str = r#"
/** What a person wants gone. */
export type ForgetTarget =
  /** A statement, with what says the same and what was made of it. */
  | { kind: "proposition"; id: string }
  /** An entity: statements about it alone go, others lose its name. */
  | { kind: "entity"; id: string }
  /** A conversation or document, with what rested on it alone. */
  | { kind: "source"; id: string }
  /** A turn, with what rested on it alone. */
  | { kind: "turn"; id: string }
  /** Every turn said from `from` (ms, inclusive) until `to` (ms, exclusive). */
  | { kind: "span"; from: number; to: number };
"#;

shown_as_is! { core::ErasureTarget }

/// Something with a name.
#[derive(Serialize, Tsify)]
pub(crate) struct Named {
    /// Its id.
    id: String,
    /// Its name, or what it says.
    name: String,
}

macro_rules! named {
    ($($id:ty)*) => {$(
        impl Show<Named> for ($id, String) {
            fn show(&self) -> Named {
                Named { id: self.0.to_string(), name: self.1.clone() }
            }
        }
    )*};
}
named! { ConversationId EntityId PropositionId }

view! {
    /// What forgetting softly did, or would do.
    Forgetting of core::Forgetting {
        /// Id of the commit; {@link Memory.undo} brings everything back. `null` for a preview, and where nothing was there.
        commit: Option<String>,
        /// Statements that go, with what they say.
        removed: Vec<Named>,
        /// Statements that rest on something else as well, or are pinned or CANON: they stay, without the evidence that goes.
        kept: Vec<Named>,
        /// Ids of turns that go, or that are off the record from now on.
        turns: Vec<String>,
    }
}

view! {
    /// How much was cleaned, by kind of place.
    Cleaned of core::Cleaned {
        /// Records of which nothing is left.
        #[tsify(type = "Record<string, number>")]
        destroyed: Counts,
        /// Records that lost a part of their content.
        #[tsify(type = "Record<string, number>")]
        redacted: Counts,
    }
}

view! {
    /// A statement that an erasure bears on.
    TouchedStatement of core::TouchedStatement {
        /// Its id.
        id: String,
        /// What it says now.
        text: String,
        /// What it will say; `null`: nothing will be left of it.
        after: Option<String>,
        /// A person pinned it, or made it CANON.
        is_kept_dear: bool,
        /// What happens to it and why, in words.
        why: String,
    }
}

view! {
    /// A turn that an erasure bears on.
    TouchedTurn of core::TouchedTurn {
        /// Its id.
        id: String,
        /// Id of its conversation.
        conversation: String,
        /// The sentences that go.
        cut: Vec<String>,
        /// What it will say; `null`: nothing will be left of it.
        after: Option<String>,
    }
}

view! {
    /// What an erasure would do. Nothing was written.
    ErasurePreview of core::ErasurePreview {
        /// What was asked about.
        #[tsify(type = "ForgetTarget")]
        target: core::ErasureTarget,
        /// Statements, those that go first.
        statements: Vec<TouchedStatement>,
        /// Entities of which nothing will be left.
        entities: Vec<Named>,
        /// Conversations and documents that go.
        sources: Vec<Named>,
        /// Turns, in order of time.
        turns: Vec<TouchedTurn>,
        /// How much, by kind of place.
        cleaned: Cleaned,
        /// Worth knowing before it is done, in words.
        notes: Vec<String>,
    }
}

/// One erasure. No word of what went is in it.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ErasureReport {
    /// Its id: what {@link Memory.liftTombstones} takes.
    id: String,
    /// When (ms).
    at: i64,
    /// What was wanted gone.
    #[tsify(type = "ForgetTarget")]
    target: core::ErasureTarget,
    /// What was done.
    cleaned: Cleaned,
    /// Ids of records of which nothing is left.
    records: Vec<String>,
    /// The `seq` of each commit that was rewritten.
    commits: Vec<u64>,
    /// How many tombstones keep it from being learned again from old sources.
    tombstones: u32,
    /// A person took the tombstones away: it may be learned again.
    lifted: bool,
}

impl From<&core::ErasureReport> for ErasureReport {
    fn from(report: &core::ErasureReport) -> Self {
        Self {
            id: report.id.show(),
            at: report.at.show(),
            target: report.target.show(),
            cleaned: report.cleaned.show(),
            records: report.records.show(),
            commits: report.commits.show(),
            tombstones: report.tombstones.len().show(),
            lifted: report.lifted,
        }
    }
}

/// How far an erasure has looked through history.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ErasureProgress {
    /// Records that were looked at.
    done: usize,
    /// Records to look at, each as often as the plan comes by it.
    total: usize,
}

impl From<core::ErasureProgress> for ErasureProgress {
    fn from(progress: core::ErasureProgress) -> Self {
        Self { done: progress.done, total: progress.total }
    }
}

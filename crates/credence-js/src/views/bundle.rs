//! Bundles as JavaScript sees them: what an import would do, and what it did.

use credence::bundle::{self as core, ImportOutcome};
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use super::show::{Counts, Show, shown_as_is, view};

#[wasm_bindgen(typescript_custom_section)]
const WORDS: &str = r#"
/** How a memory of a bundle stands to the one of the same name here. */
export type BundleStanding =
  /** There is none of this name here. */
  | { is: "new" }
  /** Both have the same commits. */
  | { is: "same" }
  /** The bundle goes on from what is here, by so many commits. */
  | { is: "ahead"; commits: number }
  /** What is here goes on from the bundle. */
  | { is: "behind"; commits: number }
  /** Both went on since the commit with the `seq` of `common`; 0: they have none in common. */
  | { is: "diverged"; common: number };

/** What is to be done with a memory of a bundle. */
export type BundleChoice =
  /** It becomes a memory of its own, under a name that no other has. */
  | { do: "create"; name: string }
  /** It takes the place of the memory of its name, without what was erased here for ever since it was made. */
  | { do: "replace" }
  /** Takes the place of the memory of its name, whole: what was erased here for ever comes back as well. */
  | { do: "bring-back" }
  /** What the memory of its name lacks is added; where there is none, it becomes one. */
  | { do: "merge" }
  | { do: "skip" };
"#;

shown_as_is! { core::Standing core::Choice }

view! {
    /// How much a memory holds.
    BundleTally of core::Tally {
        /// Commits.
        commits: u32,
        /// Statements, whatever their status.
        statements: u32,
        /// Statements that are believed.
        live: u32,
        /// Entities.
        entities: u32,
        /// Conversations and documents.
        conversations: u32,
        /// Turns and passages.
        turns: u32,
        /// Use records.
        uses: u32,
        /// Vectors, of every space.
        vectors: u32,
    }
}

view! {
    /// A record that both changed, each in its own way. The one here stays.
    MergeConflict of core::MergeConflict {
        /// Its id.
        record: String,
        /// As it is here; empty: it was removed.
        here: String,
        /// As it is in the bundle; empty: it was removed.
        there: String,
        /// What stands against what, in words.
        why: String,
    }
}

view! {
    /// A statement that was here already under another id.
    JoinedStatement of core::Joined {
        /// Its id in the bundle.
        statement: String,
        /// Id of the statement here that took its evidence over.
        into: String,
        /// What both say, cut for display.
        text: String,
    }
}

view! {
    /// Something of the bundle that is not taken over.
    NotTaken of core::NotTaken {
        /// Its id.
        record: String,
        /// Why, in words.
        why: String,
    }
}

view! {
    /// What a merge does. Counts are of records, by kind.
    MergeReport of core::MergeReport {
        /// Records that were not here.
        #[tsify(type = "Record<string, number>")]
        added: Counts,
        /// Records that only the bundle had changed.
        #[tsify(type = "Record<string, number>")]
        changed: Counts,
        /// Records that only the bundle had removed.
        #[tsify(type = "Record<string, number>")]
        removed: Counts,
        /// Records that are here as they are in the bundle.
        same: u32,
        /// Records that only this memory has changed since: they stay.
        newer_here: u32,
        /// Statements that were here under another id.
        joined: Vec<JoinedStatement>,
        /// Records that both changed.
        conflicts: Vec<MergeConflict>,
        /// What is not taken over.
        not_taken: Vec<NotTaken>,
        /// Worth knowing, in words.
        notes: Vec<String>,
    }
}

view! {
    /// One memory of a bundle, and what importing it would mean.
    PlannedContext of core::PlannedContext {
        /// Its name in the bundle.
        context: String,
        /// How it stands to what is here.
        #[tsify(type = "BundleStanding")]
        standing: core::Standing,
        /// What it holds.
        inside: BundleTally,
        /// What the memory of its name holds here; `null`: there is none.
        here: Option<BundleTally>,
        /// What merging would do; `null` unless both went on.
        merge: Option<MergeReport>,
        /// Records of it that were erased here for ever: they stay gone unless `bring-back` is chosen.
        stays_erased: u32,
        /// What loses nothing.
        #[tsify(type = "BundleChoice")]
        suggested: core::Choice,
        /// Worth knowing before a choice is made, in words.
        notes: Vec<String>,
    }
}

view! {
    /// What importing a bundle would do. Nothing was written.
    ImportPlan of core::ImportPlan {
        /// The release that made the bundle.
        made_with: String,
        /// When it was made (ms).
        exported_at: i64,
        /// Its memories.
        contexts: Vec<PlannedContext>,
    }
}

/// One memory of a bundle, after an import.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct ImportedContext {
    /// Its name in the bundle.
    context: String,
    /// The memory here.
    into: String,
    /// What became of it.
    #[tsify(type = "\"created\" | \"replaced\" | \"appended\" | \"merged\" | \"unchanged\" | \"skipped\"")]
    outcome: &'static str,
    /// Commits that came along as they are.
    commits: u32,
    /// Commits of the memory that is gone, where one was replaced.
    replaced: Option<u32>,
    /// Id of the commit of a merge; `null` where nothing was merged or lacking.
    commit: Option<String>,
    /// What a merge did.
    merge: Option<MergeReport>,
    /// Use records that came along.
    uses: u32,
    /// Vectors that came along.
    vectors: u32,
    /// Worth knowing, in words.
    notes: Vec<String>,
}

impl Show<ImportedContext> for core::ImportedContext {
    fn show(&self) -> ImportedContext {
        let (mut replaced, mut commit, mut merge) = (None, None, None);
        let (outcome, commits) = match &self.outcome {
            ImportOutcome::Created { commits } => ("created", commits.show()),
            ImportOutcome::Replaced { commits, before } => {
                replaced = Some(before.show());
                ("replaced", commits.show())
            }
            ImportOutcome::Appended { commits } => ("appended", commits.show()),
            ImportOutcome::Merged { commit: made, report } => {
                commit = made.show();
                merge = Some((&**report).into());
                ("merged", 0)
            }
            ImportOutcome::Unchanged => ("unchanged", 0),
            ImportOutcome::Skipped => ("skipped", 0),
        };
        ImportedContext {
            context: self.context.show(),
            into: self.into.show(),
            outcome,
            commits,
            replaced,
            commit,
            merge,
            uses: self.uses.show(),
            vectors: self.vectors.show(),
            notes: self.notes.clone(),
        }
    }
}

view! {
    /// What importing a bundle did.
    ImportReport of core::ImportReport {
        /// Memory by memory, in the bundle's order.
        contexts: Vec<ImportedContext>,
    }
}

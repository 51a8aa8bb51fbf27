//! What can be wrong with a bundle, each with the place and the remedy in its words. Nothing was written in any of these cases.

use crate::history::JournalError;
use crate::id::ContextId;

/// A bundle that cannot be read, written or taken in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BundleError {
    /// Some other file.
    #[error(
        "this is no Credence bundle: {found}; choose a file that “Export” wrote, or import it as what it is"
    )]
    NotABundle {
        /// What it looks like.
        found: String,
    },
    /// The file ends in the middle.
    #[error(
        "the file ends in the middle, at line {line}, column {column}: it was not saved or copied whole; get it again"
    )]
    Truncated {
        /// From 1.
        line: usize,
        /// From 1, in bytes.
        column: usize,
    },
    /// The file is no JSON.
    #[error(
        "line {line}, column {column} is no JSON ({detail}); the file was changed after it was written: get it again"
    )]
    Syntax {
        /// From 1.
        line: usize,
        /// From 1, in bytes.
        column: usize,
        /// The reader's words.
        detail: String,
    },
    /// Written by a newer release.
    #[error(
        "this bundle was written by a newer release ({made_with}, form {found}); this one reads up to form {supported}: \
         update Credence and import it then. Nothing was changed"
    )]
    NewerSchema {
        /// The release, in its own words.
        made_with: String,
        /// The form of the file or of a commit in it.
        found: u32,
        /// The newest that this release reads.
        supported: u32,
    },
    /// The content is not what was written.
    #[error(
        "the memory “{context}” in this bundle is not what was written: its checksum is {found}, and {wanted} was noted. \
         Import another copy; one that a program stored as JSON and wrote anew is no copy"
    )]
    Checksum {
        /// Which.
        context: String,
        /// What was noted.
        wanted: String,
        /// What it is.
        found: String,
    },
    /// Something in it cannot be.
    #[error("{place}: {problem}")]
    Invalid {
        /// `line 7, column 3: commit 5 of “home”`.
        place: String,
        /// What is wrong there, and what would be right.
        problem: String,
    },
    /// A choice that cannot be carried out.
    #[error("the memory “{context}”: {problem}")]
    Choice {
        /// Which memory of the bundle.
        context: String,
        /// Why, and what can be chosen instead.
        problem: String,
    },
    /// The store refused. What had been written of this import was taken back, unless the words say otherwise.
    #[error("nothing was imported: {0}")]
    Journal(#[from] JournalError),
    /// The store refused, and then refused to take back what had been written.
    #[error("the import stopped at “{stopped}” ({reason}), and {} could not be put back: restore from a bundle of before", kept.iter().map(|context| format!("“{context}”")).collect::<Vec<_>>().join(", "))]
    HalfWay {
        /// The memory at which it stopped.
        stopped: ContextId,
        /// Why.
        reason: JournalError,
        /// Memories that were changed and could not be put back.
        kept: Vec<ContextId>,
    },
}

impl BundleError {
    /// A stable word for tests and the JS surface.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotABundle { .. } => "not-a-bundle",
            Self::Truncated { .. } => "bundle-truncated",
            Self::Syntax { .. } => "bundle-syntax",
            Self::NewerSchema { .. } => "bundle-newer-schema",
            Self::Checksum { .. } => "bundle-checksum",
            Self::Invalid { .. } => "bundle-invalid",
            Self::Choice { .. } => "bundle-choice",
            Self::Journal(error) => error.code(),
            Self::HalfWay { .. } => "bundle-half-way",
        }
    }
}

//! The one error that a use case returns, and its stable code.

use crate::bundle::BundleError;
use crate::history::{HistoryError, JournalError, RecordId};
use crate::id::ContextIdError;
use crate::import::ImportError;
use crate::llm::ModelError;
use crate::prompt::PromptError;
use crate::proposition::PropositionError;

/// Why a use case could not be done. Nothing was written unless the variant says so.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A question about history.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A proposition that cannot be.
    #[error(transparent)]
    Proposition(#[from] PropositionError),
    /// A template.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// A file to import.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A bundle.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// A context name.
    #[error(transparent)]
    Context(#[from] ContextIdError),
    /// No such record, or it was removed.
    #[error("there is no {record} in this memory")]
    NotFound {
        /// Which.
        record: String,
    },
    /// Another writer changed these records first.
    #[error("{} changed meanwhile; look again and repeat", records.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    Conflict {
        /// Which.
        records: Vec<RecordId>,
    },
    /// A value that a caller gave.
    #[error("{what}: {problem}")]
    Invalid {
        /// The argument.
        what: &'static str,
        /// What is wrong with it and what would be right.
        problem: String,
    },
    /// A rule of the working set stands against it.
    #[error("the unit of {} may not be {}: {} ({})", .0.unit, .0.action.in_words(), .0.words, .0.rule)]
    Refused(Box<crate::unit::Objection>),
    /// The model's answer stayed unreadable after one repair.
    #[error("the model's answer could not be read, even after one repair: {detail}")]
    Unreadable {
        /// Where and what.
        detail: String,
    },
    /// This conversation is being analysed already.
    #[error("this conversation is being analysed already")]
    Busy,
    /// This conversation is being answered already.
    #[error("this conversation is being answered already; wait for that answer or stop it")]
    Answering,
    /// A maintenance run of this memory is under way.
    #[error("a maintenance run of this memory is under way; wait until it has ended")]
    MaintenanceBusy,
    /// The caller cancelled. What had been committed by then stays.
    #[error("cancelled")]
    Cancelled,
}

impl From<crate::unit::Objection> for Error {
    fn from(objection: crate::unit::Objection) -> Self {
        Self::Refused(Box::new(objection))
    }
}

impl Error {
    /// A stable kebab-case word: part of the public contract.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Journal(e) => e.code(),
            Self::Model(e) => e.code(),
            Self::History(_) => "no-such-commit",
            Self::Proposition(_) => "invalid-proposition",
            Self::Prompt(_) => "bad-template",
            Self::Import(_) => "bad-import",
            Self::Bundle(e) => e.code(),
            Self::Context(_) => "bad-context",
            Self::NotFound { .. } => "not-found",
            Self::Conflict { .. } => "conflict",
            Self::Invalid { .. } => "invalid-argument",
            Self::Refused(_) => "refused",
            Self::Unreadable { .. } => "unreadable-reply",
            Self::Busy | Self::Answering | Self::MaintenanceBusy => "busy",
            Self::Cancelled => "cancelled",
        }
    }
}

//! Files of other programs as JavaScript sees them: what one would become, and what became of it.

use credence::import::{self as core, Format};
use serde::Serialize;
use tsify::Tsify;

use super::DocumentReceipt;
use super::report::AnalysisReport;
use super::show::{Show, shown_as_is, view};

shown_as_is! { Format }

/// What a file is, by its content. Later releases may add words.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "kebab-case")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is serialised")]
enum ImportFormat {
    /// A bundle of ours, for {@link Memory.importBundle}.
    Bundle,
    Mem0,
    Chatgpt,
    Claude,
    Lorebook,
    CharacterCard,
    Conversation,
    List,
    Document,
}

view! {
    /// One turn of a file.
    ImportedTurn of core::ImportedTurn {
        /// As the file names them.
        speaker: String,
        /// What was said.
        text: String,
        /// When, where the file says so (ms).
        at: Option<i64>,
    }
}

view! {
    /// A conversation as a file holds it.
    ImportedConversation of core::ImportedConversation {
        /// A few words.
        title: String,
        /// The file's name.
        source: String,
        /// Who speaks, in order of first turn.
        speakers: Vec<String>,
        /// What was said, in order.
        turns: Vec<ImportedTurn>,
        /// What was left out or guessed, in words.
        notes: Vec<String>,
    }
}

view! {
    /// A statement as a file holds it.
    ImportedStatement of core::ImportedStatement {
        /// Its words.
        text: String,
        /// Whom it is about, where the file says so beside the words; may be empty.
        subject: String,
        /// The headings or categories that it stands under; may be empty.
        topic: String,
        /// When it was said or written (ms).
        at: Option<i64>,
        /// Until when it holds, exclusive (ms).
        valid_to: Option<i64>,
        /// Its id in the other system; may be empty.
        external_id: String,
        /// Where it stands in the file.
        place: String,
    }
}

view! {
    /// A text to be read like any document.
    ImportedDocument of core::ImportedDocument {
        /// Its name.
        name: String,
        /// Its words.
        text: String,
    }
}

view! {
    /// Something that is left out.
    Skipped of core::Skipped {
        /// Where in the file.
        place: String,
        /// How many such things there.
        count: u32,
        /// What, and why, in words.
        reason: String,
    }
}

view! {
    /// What a file would become. Nothing was written.
    ImportPreview of core::Preview {
        /// What it is.
        #[tsify(type = "ImportFormat")]
        format: Format,
        /// The file's name.
        source: String,
        /// Conversations, in order.
        conversations: Vec<ImportedConversation>,
        /// Documents, in order.
        documents: Vec<ImportedDocument>,
        /// Statements, in order.
        statements: Vec<ImportedStatement>,
        /// Who speaks, or whose memories these are: one of them is the user. Empty where nobody has to be chosen.
        people: Vec<String>,
        /// What is left out.
        skipped: Vec<Skipped>,
        /// Worth knowing, in words.
        notes: Vec<String>,
    }
}

/// What became of a file.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Imported {
    /// What it was.
    #[tsify(type = "ImportFormat")]
    format: Format,
    /// Ids of conversations that were stored.
    conversations: Vec<String>,
    /// Documents, those included that were known.
    documents: Vec<DocumentReceipt>,
    /// Ids of conversations and documents with something left for {@link Memory.analyse}.
    waiting: Vec<String>,
    /// What came of the statements, a report a commit.
    reports: Vec<AnalysisReport>,
    /// What was not taken in.
    skipped: Vec<Skipped>,
}

impl From<core::Imported> for Imported {
    fn from(imported: core::Imported) -> Self {
        Self {
            format: imported.format,
            conversations: imported.conversations.show(),
            documents: imported.documents.show(),
            waiting: imported.waiting().show(),
            reports: imported.reports.iter().map(|report| (&**report).into()).collect(),
            skipped: imported.skipped.show(),
        }
    }
}

/// How far taking a file in has come.
#[derive(Serialize, Tsify)]
pub(crate) struct TakeInProgress {
    /// Conversations, documents and statements that are done.
    done: u32,
    /// Of how many.
    total: u32,
}

impl TakeInProgress {
    pub(crate) fn new(done: usize, total: usize) -> Self {
        Self { done: done.show(), total: total.show() }
    }
}

//! Documents and texts: a name and a text become a source whose turns are its passages, each analysed like a window of a
//! conversation, with the document's voice and an address that a person can look up.
//!
//! The same text is taken in once a context, whatever it is called: giving it again continues what was left, or says that it is
//! known. What the document says of "I" and "we" is nobody's whom the memory knows, and is dropped with that reason; what it tells the
//! model to do is dropped as every instruction is.
//!
//! Source: dice 3.5 (`processOnce`), 3.8, section 10 (dice-ingestion); facts 79 to 81, 152.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::chunks;
use crate::conversation::{Conversation, MemoryMode, Origin, Passage, Speaker, Turn, TurnState};
use crate::error::Error;
use crate::extraction::{
    AnalysisReport, Candidate, DropReason, Dropped, Extraction, Source, Trigger, Window, pending_turns,
    user_name,
};
use crate::history::{Actor, Cause, ContentId, ScopeInfo, State};
use crate::id::{ConversationId, TurnId};
use crate::import::MAX_CHARS;
use crate::llm::Cancel;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::Locator;
use crate::text;
use crate::time::Moment;

/// What is known of a document besides its name and text.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentOptions {
    /// Its address. Without one its statements are looked up by the content of their passage.
    pub locator: Option<Locator>,
    /// When it was written: "yesterday" in it is counted from then. Default: now.
    pub at: Option<Moment>,
    /// Turns that its statements rest on as well.
    pub also: Vec<TurnId>,
}

/// What became of a document that was handed in. Nothing is analysed yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentReceipt {
    /// The source to analyse; the one that held the text first, when it is known.
    pub conversation: ConversationId,
    /// Passages.
    pub passages: u32,
    /// Nothing of it is left to analyse: its text was read before.
    pub is_known: bool,
}

/// One piece of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Artifact {
    /// The caller's name for it.
    pub source_id: String,
    /// Its text.
    pub text: String,
    /// Its address.
    #[serde(default)]
    pub locator: Option<Locator>,
    /// When it was written.
    #[serde(default)]
    pub at: Option<Moment>,
}

/// What became of one piece of a batch.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Ingestion {
    /// Read and committed.
    Ingested {
        /// The caller's name for it.
        source_id: String,
        /// Where it is kept.
        conversation: ConversationId,
        /// What came of each passage.
        reports: Vec<Rc<AnalysisReport>>,
    },
    /// Its content was read before: nothing was asked or paid.
    Deduplicated {
        /// The caller's name for it.
        source_id: String,
        /// Where that content is kept.
        conversation: ConversationId,
    },
    /// It, or part of it, could not be read. Handing it in again tries again what is missing.
    Failed {
        /// The caller's name for it.
        source_id: String,
        /// A stable word.
        code: String,
        /// In words for a person.
        reason: String,
    },
}

impl<P: Ports> Memory<P> {
    /// Stores a document as a source, or finds the one that holds its text already; analyse it next. Credentials are redacted first;
    /// the offsets of its passages count in what is then left.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the text is blank or longer than [`MAX_CHARS`].
    pub async fn ingest_document(
        &self,
        name: &str,
        text: &str,
        options: &DocumentOptions,
    ) -> Result<DocumentReceipt, Error> {
        let (document, turns) = self.planned_document(name, text, options)?;
        let config = self.config();
        let passages = u32::try_from(turns.len()).unwrap_or(u32::MAX);
        let info = ScopeInfo::new(Cause::Import, Actor::Person, format!("took in {}", document.title))
            .with_id("conversation", document.id);
        let (receipt, _) = self
            .change(info, |state, scope| {
                if let Some(known) = same_document(state, &document) {
                    let is_known = pending_turns(state, known) == 0;
                    return Ok(DocumentReceipt { conversation: known, passages, is_known });
                }
                let source = Source::planned(&document, &turns, user_name(state, &config), &config);
                if let Some(known) = known_whole(state, &source, passages) {
                    return Ok(DocumentReceipt { conversation: known, passages, is_known: true });
                }
                scope.put(state, document.clone(), "");
                for turn in &turns {
                    scope.put(state, turn.clone(), "");
                }
                Ok(DocumentReceipt { conversation: document.id, passages, is_known: false })
            })
            .await?;
        Ok(receipt)
    }

    /// Takes a text in and analyses it, unless its content is known: then `None`, and nothing was asked or paid. `source_id` names
    /// it; `also` are turns that its statements rest on as well (dice `processOnce`).
    ///
    /// # Errors
    /// As [`Memory::ingest_document`] and [`Memory::analyse`]. A text that failed is not known, and can be given again.
    pub async fn remember_text(
        &self,
        text: &str,
        source_id: &str,
        also: &[TurnId],
    ) -> Result<Option<Vec<Rc<AnalysisReport>>>, Error> {
        let options = DocumentOptions { also: also.to_vec(), ..DocumentOptions::default() };
        let receipt = self.ingest_document(source_id, text, &options).await?;
        if receipt.is_known {
            return Ok(None);
        }
        self.analyse(receipt.conversation, Trigger::Now, &Cancel::new(), &mut |_| {}).await.map(Some)
    }

    /// Takes a batch in: one outcome for each piece, in their order. A piece that fails by itself leaves the others alone; after a
    /// general failure (network, key, quota, cancelled) the rest fails with its reason, untouched.
    pub async fn ingest(&self, batch: &[Artifact], cancel: &Cancel) -> Vec<Ingestion> {
        let mut outcomes = Vec::new();
        let mut general: Option<Error> = None;
        for artifact in batch {
            let done = match &general {
                Some(error) => Err(error.clone()),
                None => self.ingest_one(artifact, cancel).await,
            };
            outcomes.push(done.unwrap_or_else(|error| {
                let (code, reason) = (error.code().to_owned(), error.to_string());
                if !super::run::is_the_windows_own(&error) && !matches!(error, Error::Invalid { .. }) {
                    general.get_or_insert(error);
                }
                Ingestion::Failed { source_id: artifact.source_id.clone(), code, reason }
            }));
        }
        outcomes
    }

    async fn ingest_one(&self, artifact: &Artifact, cancel: &Cancel) -> Result<Ingestion, Error> {
        let source_id = artifact.source_id.clone();
        let options =
            DocumentOptions { locator: artifact.locator.clone(), at: artifact.at, also: Vec::new() };
        let DocumentReceipt { conversation, is_known, .. } =
            self.ingest_document(&artifact.source_id, &artifact.text, &options).await?;
        if is_known {
            return Ok(Ingestion::Deduplicated { source_id, conversation });
        }
        let reports = self.analyse(conversation, Trigger::Now, cancel, &mut |_| {}).await?;
        Ok(Ingestion::Ingested { source_id, conversation, reports })
    }

    /// The source that a document would become.
    pub(super) fn planned_document(
        &self,
        name: &str,
        text: &str,
        options: &DocumentOptions,
    ) -> Result<(Conversation, Vec<Turn>), Error> {
        let invalid = |problem: String| Error::Invalid { what: "text", problem };
        if text.chars().take(MAX_CHARS + 1).count() > MAX_CHARS {
            return Err(invalid(format!("more than {MAX_CHARS} characters; split it")));
        }
        if let Some(problem) = options.locator.as_ref().and_then(|locator| locator.validate().err()) {
            return Err(Error::Invalid { what: "locator", problem: problem.to_string() });
        }
        let redacted = text::redact(text.trim_start_matches('\u{feff}')).text;
        let now = self.now();
        let id = ConversationId::new(self.next_id());
        let name = text::excerpt(name.trim(), 80);
        let name = if name.is_empty() { "Untitled".to_owned() } else { name };
        let turns: Vec<Turn> = chunks(&redacted, self.config().ingest.chunk_chars as usize)
            .into_iter()
            .enumerate()
            .map(|(index, chunk)| Turn {
                id: TurnId::new(self.next_id()),
                conversation: id,
                index: u32::try_from(index).unwrap_or(u32::MAX),
                speaker: Speaker::Document { name: name.clone() },
                text: chunk.text.to_owned(),
                at: options.at.unwrap_or(now),
                state: TurnState::Complete,
                use_record: None,
                metered: None,
                model: None,
                passage: Some(Passage { start: chunk.start, end: chunk.end, section: chunk.section }),
                compliance: None,
                alternatives: Vec::new(),
                chosen: 0,
                off_record: false,
            })
            .collect();
        if turns.is_empty() {
            return Err(invalid("there is nothing to read in it".into()));
        }
        let content = ContentId::of_text(redacted.trim());
        let (locator, also) = (options.locator.clone(), options.also.clone());
        let origin = Origin::Document { locator, content, also };
        let document = Conversation {
            id,
            title: name.clone(),
            imported_from: Some(name),
            origin,
            mode: MemoryMode::default(),
            created: now.at,
        };
        Ok((document, turns))
    }
}

/// The stored source with exactly this text.
fn same_document(state: &State, document: &Conversation) -> Option<ConversationId> {
    let content = |source: &Conversation| match &source.origin {
        Origin::Document { content, .. } => Some(content.clone()),
        _ => None,
    };
    let wanted = content(document);
    state.conversations().find(|source| content(source) == wanted).map(|source| source.id)
}

/// Where the first passage was read, when the ledger knows every passage.
fn known_whole(state: &State, source: &Source<'_>, passages: u32) -> Option<ConversationId> {
    let mut done = 0;
    while done < passages {
        done = source.known_until(done, |key| state.ledger_entry(key).is_some())?;
    }
    let first = source.window_from(0)?.key?;
    state.ledger_entry(first).map(|entry| entry.conversation)
}

/// Drops what a document says of its own "I" and "we": it is not the user, and nobody knows who it is.
pub(super) fn screen(window: &Window, extraction: &mut Extraction) {
    if !window.is_document() {
        return;
    }
    let says_so = |candidate: &Candidate| {
        candidate.mentions.iter().any(|mention| mention.is_speaker)
            || window.turns.iter().any(|turn| candidate.text.contains(&turn.speaker))
    };
    let candidates = std::mem::take(&mut extraction.candidates);
    let (nobodys, kept): (Vec<Candidate>, Vec<Candidate>) = candidates.into_iter().partition(says_so);
    extraction.candidates = kept;
    extraction.dropped.extend(nobodys.into_iter().map(|candidate| Dropped {
        text: text::excerpt(&candidate.text, 300),
        reason: DropReason::VagueSubject,
        detail: "“I” in a document is whoever wrote it".into(),
        turn: candidate.turns.first().copied(),
    }));
}

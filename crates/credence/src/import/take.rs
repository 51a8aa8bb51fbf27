//! Taking a preview in. Conversations and documents are stored, to be analysed like any others; statements go the way of every statement,
//! in windows of one commit each: cleaned, resolved, revised, gated, promoted. What is here already is not taken in again.
//!
//! A statement of another program often leaves out whom it is about ("Likes tea"). Where the rules read it with the person's name, or with
//! the heading that it stands under, in front, it is kept so; otherwise it keeps its own words, behind the name where there is one.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde::Serialize;

use super::names;
use super::preview::{Format, ImportedStatement, Preview, Skipped};
use crate::embedded;
use crate::error::Error;
use crate::event::Event;
use crate::extraction::{
    AnalysisOptions, AnalysisReport, Candidate, CandidateMention, Cost, Extraction, Perspective, Window,
    WindowTurn, user_name,
};
use crate::history::{Actor, Cause, ContentId, ScopeInfo, State};
use crate::id::ConversationId;
use crate::ingest::{DocumentOptions, DocumentReceipt};
use crate::llm::Cancel;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::{Extractor, Locator, MentionRole, ProvenanceEntry};
use crate::text;
use crate::time::Moment;

/// How sure another program's statement leaves us: it is a reading of what somebody said, and nobody can look the words up.
const CONFIDENCE: f64 = 0.85;
/// How fast it fades: it was kept because it lasts.
const DECAY: f64 = 0.0005;
/// How much it matters, where nobody says.
const IMPORTANCE: f64 = 0.5;

/// What became of a preview.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Imported {
    /// What the file was.
    pub format: Format,
    /// Conversations that were stored; analyse them next.
    pub conversations: Vec<ConversationId>,
    /// Documents, those included that were known; analyse them next.
    pub documents: Vec<DocumentReceipt>,
    /// What came of the statements, a report a commit.
    pub reports: Vec<Rc<AnalysisReport>>,
    /// What was not taken in.
    pub skipped: Vec<Skipped>,
}

impl Imported {
    /// Sources with something left to analyse, in order.
    pub fn waiting(&self) -> Vec<ConversationId> {
        let documents = self.documents.iter().filter(|receipt| !receipt.is_known);
        self.conversations.iter().copied().chain(documents.map(|receipt| receipt.conversation)).collect()
    }
}

/// Whose word an imported statement is.
struct Voice<'a> {
    /// The person's own memories, told by another program; otherwise nobody's whom the memory knows.
    is_own: bool,
    /// The name that statements use for the person.
    user: &'a str,
    /// What the file calls them.
    known_as: Option<&'a str>,
}

impl<P: Ports> Memory<P> {
    /// Takes a preview in. `user` says which of [`Preview::people`] is the person of this memory. `progress` hears how many pieces of how many
    /// are done. Cancelled, it leaves what was committed by then; taking the same file in again goes on from there.
    ///
    /// # Errors
    /// [`Error::Invalid`] when somebody has to be chosen and nobody is, or nobody of that name is in it; otherwise as [`Memory::import`],
    /// [`Memory::ingest_document`] and [`Memory::remember`].
    pub async fn take_in(
        &self,
        preview: &Preview,
        user: Option<&str>,
        cancel: &Cancel,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Imported, Error> {
        let known_as = whose(preview, user)?;
        let total = preview.conversations.len() + preview.documents.len() + preview.statements.len();
        let mut done = 0;
        let mut imported = Imported {
            format: preview.format,
            conversations: Vec::new(),
            documents: Vec::new(),
            reports: Vec::new(),
            skipped: preview.skipped.clone(),
        };
        let mut known: BTreeSet<ContentId> = {
            let state = self.state();
            state.conversations().filter_map(|c| said_in(&state, c.id)).collect()
        };
        for conversation in &preview.conversations {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let user = known_as.filter(|name| conversation.speakers.iter().any(|speaker| speaker == name));
            let (_, turns) = self.planned_import(conversation, user)?;
            let content = said(turns.iter().map(|turn| (turn.speaker.label(None), turn.text.as_str())));
            if content.is_none_or(|content| known.insert(content)) {
                imported.conversations.push(self.import(conversation, user).await?);
            } else {
                let reason = "this conversation is here already".to_owned();
                imported.skipped.push(Skipped {
                    place: format!("“{}”", conversation.title),
                    count: 1,
                    reason,
                });
            }
            done += 1;
            progress(done, total);
        }
        for document in &preview.documents {
            let options = DocumentOptions::default();
            imported.documents.push(self.ingest_document(&document.name, &document.text, &options).await?);
            done += 1;
            progress(done, total);
        }
        let is_own = !matches!(preview.format, Format::Lorebook | Format::CharacterCard);
        let user = user_name(&self.state(), &self.config());
        let voice = Voice { is_own, user: &user, known_as };
        let mut rest = preview.statements.as_slice();
        while !rest.is_empty() {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let (taken, report) = self.take_statements(preview, rest, &voice, cancel).await?;
            imported.reports.push(report);
            rest = &rest[taken..];
            done += taken;
            progress(done, total);
        }
        Ok(imported)
    }

    /// As many statements as fit into one window, in one commit; how many that were.
    async fn take_statements(
        &self,
        preview: &Preview,
        statements: &[ImportedStatement],
        voice: &Voice<'_>,
        cancel: &Cancel,
    ) -> Result<(usize, Rc<AnalysisReport>), Error> {
        let (now, most) = (self.now(), self.config().max_candidates as usize);
        let (mut turns, mut candidates) = (Vec::new(), Vec::new());
        for statement in statements {
            let moment = statement.at.unwrap_or(now);
            let turn = voice.turn(&text::redact(&statement.text).text, moment);
            let mut read = voice.candidates(statement, &turn, turns.len());
            if !turns.is_empty() && candidates.len() + read.len() > most {
                break;
            }
            candidates.append(&mut read);
            turns.push((turn, moment, source(preview, statement)?));
        }
        let taken = turns.len();
        let window = Window::imported(turns, !voice.is_own);
        let options = AnalysisOptions { perspective: Some(Perspective::All), ..AnalysisOptions::default() };
        let reading = self.unread(&window, &options);
        let extraction = Extraction { candidates, ..Extraction::default() };
        let reason = format!("imported {} from {}", preview.format.label(), preview.source);
        let info =
            ScopeInfo::new(Cause::Import, Actor::Person, reason).with_id("format", preview.format.as_str());
        let landed = self
            .land(&window, &reading, (extraction, Extractor::Import), Cost::default(), info, cancel)
            .await?;
        let Some(report) = landed else { return Err(Error::Conflict { records: vec![] }) };
        self.emit(&Event::Analysed { report: report.clone() });
        self.promote_window(&report).await?;
        Ok((taken, report))
    }
}

/// The person of the memory, as the file calls them; `None`: the roles of the file say it, or nobody has to be chosen.
fn whose<'a>(preview: &'a Preview, user: Option<&'a str>) -> Result<Option<&'a str>, Error> {
    let people = preview.people.join(", ");
    let invalid = |problem: String| Error::Invalid { what: "user", problem };
    match user {
        Some(user) if preview.people.iter().any(|person| person == user) => Ok(Some(user)),
        Some(user) => Err(invalid(format!("`{user}` is not in it; there are {people}"))),
        None if preview.format == Format::Mem0 && preview.people.len() > 1 => {
            Err(invalid(format!("it holds memories of {people}; say whose this memory is")))
        }
        None if preview.format == Format::Mem0 => Ok(preview.people.first().map(String::as_str)),
        None => Ok(None),
    }
}

/// `import:mem0`, and the memory's id there; a statement without one is known by its words.
fn source(preview: &Preview, statement: &ImportedStatement) -> Result<ProvenanceEntry, Error> {
    let hash = ContentId::of_text(&statement.text).to_string();
    let id = if statement.external_id.is_empty() { &hash } else { &statement.external_id };
    let connector = format!("import:{}", preview.format.as_str());
    let display = format!("{}, {}", preview.source, statement.place);
    let locator = Locator::connector(&connector, id, Some(&display))
        .map_err(crate::proposition::PropositionError::from)?;
    Ok(ProvenanceEntry { content_hash: Some(hash), ..ProvenanceEntry::at(locator) })
}

/// Names a conversation by what is said in it; `None`: nothing.
fn said<'a>(turns: impl Iterator<Item = (&'a str, &'a str)>) -> Option<ContentId> {
    let lines: Vec<String> = turns.map(|(speaker, text)| format!("{speaker}\n{text}")).collect();
    (!lines.is_empty()).then(|| ContentId::of_text(&lines.join("\n\n")))
}

/// Names a stored conversation by what is said in it, whatever its id: the same words of the same speakers are the same conversation.
pub(crate) fn said_in(state: &State, id: ConversationId) -> Option<ContentId> {
    said(state.turns(id).map(|turn| (turn.speaker.label(None), turn.text.as_str())))
}

impl Voice<'_> {
    fn turn(&self, text: &str, moment: Moment) -> WindowTurn {
        WindowTurn {
            speaker: if self.is_own { self.user.to_owned() } else { "Document".to_owned() },
            is_user: self.is_own,
            is_assistant: false,
            text: text.to_owned(),
            date: moment.date_text(),
            context_only: false,
        }
    }

    /// The statements that one statement of a file makes.
    fn candidates(
        &self,
        statement: &ImportedStatement,
        turn: &WindowTurn,
        position: usize,
    ) -> Vec<Candidate> {
        let mut made = self.worded(statement, turn);
        for candidate in &mut made {
            candidate.turns = vec![position];
            candidate.extractor = Extractor::Import;
            candidate.confidence = candidate.confidence.min(CONFIDENCE);
            candidate.reasoning = match statement.topic.is_empty() {
                true => "Another program had kept it.".into(),
                false => {
                    format!("Another program had kept it, under “{}”.", text::excerpt(&statement.topic, 80))
                }
            };
            if statement.valid_to.is_some() {
                candidate.valid_to = statement.valid_to;
            }
        }
        made
    }

    fn worded(&self, statement: &ImportedStatement, turn: &WindowTurn) -> Vec<Candidate> {
        let words = turn.text.trim();
        let subject = statement.subject.trim();
        let is_person = subject.is_empty() || self.known_as == Some(subject);
        if is_person && self.is_own {
            let words = self.named(words);
            let read = self.read(turn, &words, "").or_else(|| {
                let names = [self.user.to_owned(), format!("{}'s", self.user)];
                names.iter().find_map(|name| self.read(turn, &words, name))
            });
            return read.unwrap_or_else(|| vec![self.verbatim(&words, None)]);
        }
        if is_person || names(words, subject) {
            let subject = Some(subject).filter(|subject| !subject.is_empty());
            return self.read(turn, words, "").unwrap_or_else(|| vec![self.verbatim(words, subject)]);
        }
        self.read(turn, words, subject)
            .unwrap_or_else(|| vec![self.verbatim(&format!("{subject}: {words}"), Some(subject))])
    }

    /// What other programs call the person becomes their name.
    fn named(&self, words: &str) -> String {
        let callings = ["the user", "user"].into_iter().chain(self.known_as);
        for calling in callings.filter(|calling| !calling.is_empty()) {
            let head = words.get(..calling.len()).filter(|head| text::fold(head) == text::fold(calling));
            if let Some(rest) = head.map(|head| &words[head.len()..])
                && rest.starts_with([' ', '\'', '’'])
            {
                return format!("{}{rest}", self.user);
            }
        }
        words.to_owned()
    }

    /// The rules' reading of these words behind a name, which may be empty, when they read all of them and added none of their own.
    fn read(&self, turn: &WindowTurn, words: &str, name: &str) -> Option<Vec<Candidate>> {
        let reading = match name {
            "" => words.to_owned(),
            name => format!("{name} {}", lowered(words)),
        };
        let opening = match name {
            "" => "",
            name => &reading[..name.len() + 1 + reading[name.len() + 1..].find(' ').unwrap_or(0)],
        };
        let read = embedded::extract(&[WindowTurn { text: reading.clone(), ..turn.clone() }]);
        let mut made = read.candidates;
        let first = made.first()?;
        if !read.dropped.is_empty() || !text::fold(&first.text).starts_with(&text::fold(opening)) {
            return None;
        }
        for candidate in &mut made {
            for mention in
                candidate.mentions.iter_mut().filter(|mention| mention.role == MentionRole::Subject)
            {
                mention.is_speaker |= self.is_own && mention.span == self.user;
            }
        }
        Some(made)
    }

    /// The words as they are, with the names that stand in them.
    fn verbatim(&self, words: &str, subject: Option<&str>) -> Candidate {
        let mention = |span: &str, kind: &str, role, is_speaker| CandidateMention {
            span: span.to_owned(),
            kind: kind.to_owned(),
            role,
            is_speaker,
            suggested: None,
        };
        let mut mentions: Vec<CandidateMention> = Vec::new();
        let starts_with_user =
            words.strip_prefix(self.user).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        if let Some(subject) = subject {
            mentions.push(mention(subject, "", MentionRole::Subject, false));
        } else if self.is_own && starts_with_user {
            mentions.push(mention(self.user, "Person", MentionRole::Subject, true));
        }
        for (name, kind) in embedded::names_in(words) {
            if !mentions.iter().any(|known| known.span == name) {
                mentions.push(mention(&name, kind, MentionRole::Other, false));
            }
        }
        Candidate {
            text: words.to_owned(),
            mentions,
            confidence: CONFIDENCE,
            decay: DECAY,
            importance: IMPORTANCE,
            reasoning: String::new(),
            turns: Vec::new(),
            extractor: Extractor::Import,
            valid_from: None,
            valid_to: None,
        }
    }
}

/// With a small first letter, where the word is no name of letters alone in capitals ("TV").
fn lowered(words: &str) -> String {
    let mut chars = words.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if first.is_uppercase() && !second.is_uppercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => words.to_owned(),
    }
}

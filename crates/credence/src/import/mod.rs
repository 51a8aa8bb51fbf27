//! Import of what other programs kept: a file is told by its content (`detect`), read into a preview that stores nothing (`preview`), and
//! taken in when a person says so (`take`): conversations and documents to be analysed, statements by the way that every statement goes.
//!
//! Rules: nothing is skipped silently, what is left out (system prompts, tool calls, other branches, what was switched off) is counted with
//! its place; what is here already is not taken in again; an error names the place and the remedy.
//!
//! A kind of file each: `json` and `plain` (conversations as messages or lines), `chatgpt`, `claude`, `mem0`, `lorebook`, `card` and `png`
//! (characters, also in pictures), `list` (Markdown). `when`: dates as they write them. Bundles of ours are no import of this kind:
//! [`bundle`](crate::bundle).

mod card;
mod chatgpt;
mod claude;
mod detect;
mod json;
mod list;
mod lorebook;
mod mem0;
mod plain;
mod png;
mod preview;
mod take;
mod talks;
mod when;

pub use detect::{detect, inspect};
pub use preview::{Format, ImportedDocument, ImportedStatement, Preview, Skipped};
pub use take::Imported;
pub(crate) use take::said_in;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::conversation::{Conversation, MemoryMode, Origin, Speaker, Turn, TurnState};
use crate::entity::Entity;
use crate::error::Error;
use crate::history::{Actor, Cause, ScopeInfo};
use crate::id::{ConversationId, EntityId, TurnId};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::text;
use crate::time::Moment;

/// Most characters of one file: 32 Mi. A conversation of that size is several novels.
pub const MAX_CHARS: usize = 32 * 1024 * 1024;

/// Most bytes of a file that [`inspect`] reads: 256 Mi, more than ten years of talk with a model.
pub const MAX_BYTES: usize = 256 * 1024 * 1024;

/// A file that is no conversation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ImportError {
    /// `line 3`, `message 12`, `session_2[4]`, or the file's name.
    pub place: String,
    /// What is wrong there and what would be right.
    pub reason: String,
}

impl ImportError {
    fn at(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { place: place.into(), reason: reason.into() }
    }
}

/// One turn of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedTurn {
    /// As the file names them; `user` and `assistant` are roles.
    pub speaker: String,
    /// What was said.
    pub text: String,
    /// When, where the file says so.
    pub at: Option<Moment>,
}

/// A conversation as a file holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedConversation {
    /// A few words for lists.
    pub title: String,
    /// The file's name.
    pub source: String,
    /// Who speaks, in order of first turn.
    pub speakers: Vec<String>,
    /// What was said, in order.
    pub turns: Vec<ImportedTurn>,
    /// What was left out or guessed.
    pub notes: Vec<String>,
}

/// Reads a conversation: JSON (messages with roles or speakers, sessions with dates) or plain text (`Name: …` lines).
pub fn parse(file_name: &str, content: &str, now: Moment) -> Result<ImportedConversation, ImportError> {
    let content = content.trim_start_matches('\u{feff}');
    if content.chars().take(MAX_CHARS + 1).count() > MAX_CHARS {
        let reason = format!("more than {MAX_CHARS} characters; split the file");
        return Err(ImportError::at(file_name, reason));
    }
    if content.trim().is_empty() {
        return Err(ImportError::at(file_name, "the file is empty"));
    }
    let looks_like_json = matches!(content.trim_start().chars().next(), Some('{' | '['));
    let bracketed_time = || plain::first_line_is_turn(content);
    let mut notes = Vec::new();
    let (title, turns) = if looks_like_json && !bracketed_time() {
        json::parse(file_name, content, now, &mut notes)?
    } else {
        (None, plain::parse(file_name, content, now)?)
    };
    let speakers = speakers_of(&turns);
    if turns.iter().all(|turn| turn.at.is_none()) {
        notes.push("the file gives no dates; turns are dated now".into());
    }
    let title = title.unwrap_or_else(|| stem(file_name).to_owned());
    Ok(ImportedConversation { title, source: file_name.to_owned(), speakers, turns, notes })
}

/// A file's name without its folder and ending.
fn stem(file_name: &str) -> &str {
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    name.rsplit_once('.').map(|(name, _)| name).filter(|name| !name.is_empty()).unwrap_or(name)
}

/// Who speaks, in order of first turn.
fn speakers_of(turns: &[ImportedTurn]) -> Vec<String> {
    let mut speakers: Vec<String> = Vec::new();
    for turn in turns {
        if !speakers.contains(&turn.speaker) {
            speakers.push(turn.speaker.clone());
        }
    }
    speakers
}

/// What a text that is no list most likely is, whatever the file is called.
fn suggest_text(content: &str, now: Moment) -> Format {
    match suggest("", content, now) {
        FileKind::Conversation => Format::Conversation,
        FileKind::Document => Format::Document,
    }
}

/// Whether a text names somebody or something, as words of their own: "Bo" does not stand in "oboe". In scripts without spaces
/// the characters are enough.
fn names(words: &str, name: &str) -> bool {
    let (words, name) = (text::fold(words), text::fold(name.trim()));
    if name.is_empty() {
        return false;
    }
    let is_apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    name.chars().any(text::is_unspaced) && words.contains(&name)
        || words.match_indices(&name).any(|(at, _)| {
            is_apart(words[..at].chars().next_back()) && is_apart(words[at + name.len()..].chars().next())
        })
}

/// What a file can be taken in as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// Turns of speakers: [`parse`], then [`Memory::import`].
    Conversation,
    /// Prose: [`Memory::ingest_document`].
    Document,
}

/// What a file most likely is; a person may decide otherwise. A conversation has at least two turns and a speaker who speaks again or
/// is answered; JSON is always read as one, so that its error names the place.
pub fn suggest(file_name: &str, content: &str, now: Moment) -> FileKind {
    let ending = file_name.rsplit_once('.').map_or("", |(_, ending)| ending).to_lowercase();
    match parse(file_name, content, now) {
        Ok(found) if found.turns.len() >= 2 && found.speakers.len() < found.turns.len().max(3) => {
            FileKind::Conversation
        }
        Err(_) if ending == "json" => FileKind::Conversation,
        _ => FileKind::Document,
    }
}

impl<P: Ports> Memory<P> {
    /// Stores every turn in one commit and returns the conversation; analyse it next. `user` names the speaker who is
    /// the person of this memory; the speakers `user` and `assistant` are understood as roles when nobody is named.
    pub async fn import(
        &self,
        imported: &ImportedConversation,
        user: Option<&str>,
    ) -> Result<ConversationId, Error> {
        let (conversation, turns) = self.planned_import(imported, user)?;
        let (id, now) = (conversation.id, self.now());
        let user_id = EntityId::new(self.next_id());
        let info = ScopeInfo::new(Cause::Import, Actor::Person, format!("imported {}", imported.source))
            .with_id("conversation", id);
        self.change(info, |state, scope| {
            scope.put(state, conversation.clone(), "");
            if let Some(name) = user.filter(|name| !is_role(name)) {
                match state.user() {
                    None => {
                        let mut entity = Entity::new(user_id, name, "Person", now.at);
                        entity.is_user = true;
                        scope.put(state, entity, "the user, by the importer's word");
                    }
                    Some(known) if !known.names().any(|n| n == name) => {
                        let mut entity = known.clone();
                        entity.learn_name(name);
                        entity.revised = now.at;
                        scope.put(state, entity, "the user's name in an imported conversation");
                    }
                    Some(_) => {}
                }
            }
            for turn in &turns {
                scope.put(state, turn.clone(), "");
            }
            Ok(())
        })
        .await?;
        Ok(id)
    }

    /// The conversation that an import would store.
    pub(crate) fn planned_import(
        &self,
        imported: &ImportedConversation,
        user: Option<&str>,
    ) -> Result<(Conversation, Vec<Turn>), Error> {
        if let Some(user) = user
            && !imported.speakers.iter().any(|speaker| speaker == user)
        {
            let problem =
                format!("`{user}` does not speak in it; there are {}", imported.speakers.join(", "));
            return Err(Error::Invalid { what: "user", problem });
        }
        let now = self.now();
        let id = ConversationId::new(self.next_id());
        let conversation = Conversation {
            id,
            title: text::excerpt(&imported.title, 80),
            imported_from: Some(imported.source.clone()),
            origin: Origin::Transcript {
                dated: imported.turns.first().is_some_and(|turn| turn.at.is_some()),
            },
            mode: MemoryMode::default(),
            created: now.at,
        };
        let mut last = None;
        let turns: Vec<Turn> = imported
            .turns
            .iter()
            .enumerate()
            .map(|(index, turn)| {
                // A turn without a date follows the one before it.
                let at = turn.at.or(last).unwrap_or(now);
                last = Some(at);
                Turn {
                    id: TurnId::new(self.next_id()),
                    conversation: id,
                    index: u32::try_from(index).unwrap_or(u32::MAX),
                    speaker: speaker(&turn.speaker, user),
                    text: text::redact(&turn.text).text,
                    at,
                    state: TurnState::Complete,
                    use_record: None,
                    metered: None,
                    model: None,
                    passage: None,
                    compliance: None,
                    alternatives: Vec::new(),
                    chosen: 0,
                    off_record: false,
                }
            })
            .collect();
        Ok((conversation, turns))
    }
}

fn is_role(name: &str) -> bool {
    matches!(name.to_lowercase().as_str(), "user" | "human" | "you" | "me")
}

fn speaker(name: &str, user: Option<&str>) -> Speaker {
    if user == Some(name) || (user.is_none() && is_role(name)) {
        return Speaker::User;
    }
    match name.to_lowercase().as_str() {
        "assistant" | "ai" | "model" | "bot" | "chatgpt" | "claude" | "gemini" => Speaker::Assistant,
        _ => Speaker::Person { name: name.to_owned() },
    }
}

/// Counted remarks, in order of first occurrence of their words.
fn note_counts(counts: &BTreeMap<&'static str, usize>, notes: &mut Vec<String>) {
    notes.extend(counts.iter().map(|(what, count)| format!("{count} {what} left out")));
}

#[cfg(test)]
mod tests;

//! What a file is, told by its content alone: names lie. JSON is told by its members, pictures by their first bytes, text by its lines.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::preview::{Format, Preview};
use super::{ImportError, MAX_BYTES, card, chatgpt, claude, list, lorebook, mem0, parse, png, suggest_text};
use crate::bundle::BUNDLE_FORMAT;
use crate::text::excerpt;
use crate::time::Moment;

/// The members of a JSON object, as they stand.
pub(super) type Members<'a> = BTreeMap<String, &'a RawValue>;

/// A file as far as it has to be read to know what it is.
enum Shape<'a> {
    Object(Members<'a>),
    List(Vec<&'a RawValue>),
    Text,
}

/// What a file is.
///
/// # Errors
/// A file that is too large, empty, no text, broken JSON, or JSON of no known form: what it looks like, and what can be read.
pub fn detect(name: &str, bytes: &[u8], now: Moment) -> Result<Format, ImportError> {
    if bytes.starts_with(&png::SIGNATURE) {
        return Ok(Format::CharacterCard);
    }
    let text = text_of(name, bytes)?;
    Ok(format_of(text, &shape(text)?, now))
}

/// What a file would become. Nothing is written.
///
/// # Errors
/// As [`detect`]; and the place and the remedy where a file is not what it looks like.
pub fn inspect(name: &str, bytes: &[u8], now: Moment) -> Result<Preview, ImportError> {
    if bytes.starts_with(&png::SIGNATURE) {
        let json = png::card_in(name, bytes)?;
        let members = serde_json::from_str(&json)
            .map_err(|error| ImportError::at(name, format!("the card in the picture is no JSON: {error}")))?;
        return filled(name, card::read(name, &members)?);
    }
    let text = text_of(name, bytes)?;
    let shape = shape(text)?;
    let preview = match (format_of(text, &shape, now), shape) {
        (Format::Bundle, _) => {
            let reason = "this is a Credence bundle, a whole memory; take it in as a bundle, not as a file of another program";
            return Err(ImportError::at(name, reason));
        }
        (Format::Mem0, Shape::Object(members)) => {
            mem0::read(name, &mem0::rows(&members), Some(&members), now)
        }
        (Format::Mem0, Shape::List(rows)) => mem0::read(name, &rows, None, now),
        (Format::Chatgpt, shape) => chatgpt::read(name, &rows(text, shape), now),
        (Format::Claude, shape) => claude::read(name, &rows(text, shape), now),
        (Format::Lorebook, Shape::Object(members)) => lorebook::read(name, &members)?,
        (Format::CharacterCard, Shape::Object(members)) => card::read(name, &members)?,
        (Format::List, _) => list::read(name, text, now),
        (Format::Document, _) => {
            let mut preview = Preview::new(Format::Document, name);
            let text = text.trim().to_owned();
            preview.documents.push(super::ImportedDocument { name: super::stem(name).to_owned(), text });
            preview
        }
        _ => {
            let conversation = parse(name, text, now)?;
            let mut preview = Preview::new(Format::Conversation, name);
            preview.people.clone_from(&conversation.speakers);
            preview.conversations.push(conversation);
            preview
        }
    };
    filled(name, preview)
}

/// A preview with something in it.
fn filled(name: &str, preview: Preview) -> Result<Preview, ImportError> {
    if preview.is_empty() {
        let left_out: Vec<String> = preview
            .skipped
            .iter()
            .take(3)
            .map(|skipped| format!("{} ({})", skipped.reason, skipped.count))
            .collect();
        let reason = match left_out.is_empty() {
            true => format!("it looks like {}, and there is nothing in it", preview.format.label()),
            false => format!(
                "it looks like {}, and everything in it is left out: {}",
                preview.format.label(),
                left_out.join("; ")
            ),
        };
        return Err(ImportError::at(name, reason));
    }
    Ok(preview)
}

/// The elements of a list; an object alone is a list of one.
fn rows<'a>(text: &'a str, shape: Shape<'a>) -> Vec<&'a RawValue> {
    match shape {
        Shape::List(rows) => rows,
        _ => serde_json::from_str(text).into_iter().collect(),
    }
}

fn text_of<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, ImportError> {
    if bytes.len() > MAX_BYTES {
        return Err(ImportError::at(
            name,
            format!("more than {} MB; split the file", MAX_BYTES / 1024 / 1024),
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let what = match bytes {
            [b'P', b'K', 3, 4, ..] => "a ZIP archive; unpack it and choose the file inside (for ChatGPT and Claude `conversations.json`)",
            [0xff, 0xd8, 0xff, ..] => "a JPEG picture; character cards are PNG pictures or JSON",
            [b'%', b'P', b'D', b'F', ..] => "a PDF; copy its text into a text file",
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16 text; save it as UTF-8",
            _ => "no UTF-8 text; save it as UTF-8",
        };
        ImportError::at(format!("byte {}", error.valid_up_to() + 1), format!("this is {what}"))
    })?;
    let text = text.trim_start_matches('\u{feff}');
    match text.trim().is_empty() {
        true => Err(ImportError::at(name, "the file is empty")),
        false => Ok(text),
    }
}

fn shape(text: &str) -> Result<Shape<'_>, ImportError> {
    let begins = text.trim_start();
    // `[10:31] Mara: …` and `[x] done` are text.
    let is_json = begins.starts_with('{')
        || (begins.starts_with('[') && begins[1..].trim_start().starts_with(['{', '"', ']', '[']));
    if !is_json {
        return Ok(Shape::Text);
    }
    let broken = |error: serde_json::Error| {
        let cut = if error.is_eof() { "; the file ends in the middle" } else { "" };
        ImportError::at(
            format!("line {}, column {}", error.line(), error.column()),
            format!("not JSON: {error}{cut}; get the file again"),
        )
    };
    match begins.starts_with('{') {
        true => serde_json::from_str(text).map(Shape::Object).map_err(broken),
        false => serde_json::from_str(text).map(Shape::List).map_err(broken),
    }
}

fn format_of(text: &str, shape: &Shape<'_>, now: Moment) -> Format {
    match shape {
        Shape::Object(members) => of_object(members).unwrap_or(Format::Conversation),
        Shape::List(rows) => {
            let mut objects =
                rows.iter().filter_map(|row| serde_json::from_str::<Members<'_>>(row.get()).ok());
            objects.find_map(|members| of_row(&members)).unwrap_or(Format::Conversation)
        }
        Shape::Text if list::is_list(text) => Format::List,
        Shape::Text => suggest_text(text, now),
    }
}

/// A JSON string, read.
pub(super) fn string(raw: Option<&&RawValue>) -> Option<String> {
    serde_json::from_str(raw?.get()).ok()
}

fn of_object(members: &Members<'_>) -> Option<Format> {
    let is = |name: &str, opening: char| members.get(name).is_some_and(|raw| raw.get().starts_with(opening));
    let spec = string(members.get("spec")).unwrap_or_default();
    if string(members.get("format")).as_deref() == Some(BUNDLE_FORMAT) {
        return Some(Format::Bundle);
    }
    if spec.starts_with("chara_card") || card::is_first_form(members) {
        return Some(Format::CharacterCard);
    }
    if spec.starts_with("lorebook") || is("entries", '{') || (is("entries", '[') && !is("messages", '[')) {
        return Some(Format::Lorebook);
    }
    if !mem0::rows(members).is_empty() {
        return Some(Format::Mem0);
    }
    of_row(members).filter(|format| *format != Format::Mem0)
}

/// What a list is whose elements look like this.
fn of_row(members: &Members<'_>) -> Option<Format> {
    if members.get("mapping").is_some_and(|raw| raw.get().starts_with('{')) {
        return Some(Format::Chatgpt);
    }
    if members.get("chat_messages").is_some_and(|raw| raw.get().starts_with('[')) {
        return Some(Format::Claude);
    }
    mem0::is_row(members).then_some(Format::Mem0)
}

/// A value that could not be read, in a few words.
pub(super) fn unread(error: &serde_json::Error, raw: &RawValue) -> String {
    format!("cannot be read ({error}): {}", excerpt(raw.get(), 80))
}

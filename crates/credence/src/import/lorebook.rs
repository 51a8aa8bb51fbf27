//! SillyTavern's World Info, and the book inside a character card: entries of prose that keywords call up. A short entry is a statement;
//! a longer one is a passage of a document under its own heading. What was switched off stays out.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::detect::{Members, string, unread};
use super::mem0::strings;
use super::preview::{Format, ImportedDocument, ImportedStatement, Preview};
use super::{ImportError, names, stem};
use crate::text;

/// Most characters of an entry that is one statement; longer ones are read as documents.
const SHORT: usize = 240;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Entry {
    key: Value,
    keys: Value,
    comment: Option<String>,
    name: Option<String>,
    content: Option<String>,
    disable: Option<bool>,
    enabled: Option<bool>,
    uid: Value,
    id: Value,
}

pub(super) fn read(file: &str, members: &Members<'_>) -> Result<Preview, ImportError> {
    let mut preview = Preview::new(Format::Lorebook, file);
    // The third form of a lorebook file wraps it.
    let wrapped: Option<Members<'_>> =
        members.get("data").and_then(|raw| serde_json::from_str(raw.get()).ok());
    let book = wrapped.as_ref().filter(|book| book.contains_key("entries")).unwrap_or(members);
    let name = string(book.get("name")).filter(|name| !name.trim().is_empty());
    entries(&mut preview, book, name.as_deref().unwrap_or(stem(file)), &|text| text.to_owned())?;
    Ok(preview)
}

/// Takes the entries of a book in; `filled` puts names in place of placeholders.
pub(super) fn entries(
    preview: &mut Preview,
    book: &Members<'_>,
    name: &str,
    filled: &dyn Fn(&str) -> String,
) -> Result<(), ImportError> {
    let Some(raw) = book.get("entries") else { return Ok(()) };
    let refused = |error| ImportError::at("entries", format!("expected a list of entries: {error}"));
    let rows: Vec<(String, &RawValue)> = if raw.get().starts_with('[') {
        let rows: Vec<&RawValue> = serde_json::from_str(raw.get()).map_err(refused)?;
        rows.into_iter().enumerate().map(|(n, row)| (n.to_string(), row)).collect()
    } else {
        let rows: Members<'_> = serde_json::from_str(raw.get()).map_err(refused)?;
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(key, _)| (key.parse::<u64>().unwrap_or(u64::MAX), key.clone()));
        rows
    };
    let mut prose = String::new();
    for (key, raw) in rows {
        let place = format!("entries[{key}]");
        let entry: Entry = match serde_json::from_str(raw.get()) {
            Ok(entry) => entry,
            Err(error) => {
                preview.skip(place, 1, unread(&error, raw));
                continue;
            }
        };
        let keys = [strings(&entry.key), strings(&entry.keys)].concat();
        let title = [entry.comment.as_deref(), entry.name.as_deref(), keys.first().map(String::as_str)];
        let title = title.into_iter().flatten().map(str::trim).find(|title| !title.is_empty());
        let title = filled(title.unwrap_or_default());
        if entry.disable == Some(true) || entry.enabled == Some(false) {
            preview.skip(place, 1, format!("“{title}” is switched off"));
            continue;
        }
        let words = filled(entry.content.as_deref().unwrap_or_default().trim());
        if !words.chars().any(char::is_alphanumeric) {
            preview.skip(place, 1, "an entry without words");
            continue;
        }
        let is_short = words.chars().count() <= SHORT && text::sentences(&words).len() <= 1;
        if is_short {
            let id = [&entry.uid, &entry.id].into_iter().find(|id| !id.is_null());
            let subject = if is_named(&words, &title, &keys) { String::new() } else { title };
            preview.statements.push(ImportedStatement {
                text: words,
                subject,
                topic: keys.join(", "),
                external_id: id.map(|id| format!("{name}:{id}")).unwrap_or_default(),
                place,
                ..ImportedStatement::default()
            });
        } else {
            let heading = if title.is_empty() { "Entry" } else { &title };
            prose.push_str(&format!("# {heading}\n\n{words}\n\n"));
        }
    }
    if !prose.is_empty() {
        preview.documents.push(ImportedDocument { name: name.to_owned(), text: prose.trim_end().to_owned() });
    }
    Ok(())
}

/// Whether an entry's words say what it is about: its title, or a keyword written as a name.
fn is_named(words: &str, title: &str, keys: &[String]) -> bool {
    let as_name = |key: &String| {
        let mut letters = key.trim().chars();
        let capital: String =
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        !capital.is_empty() && words.contains(&capital) && names(words, key)
    };
    title.is_empty() || names(words, title) || keys.iter().any(as_name)
}

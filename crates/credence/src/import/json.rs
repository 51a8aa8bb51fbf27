//! JSON: messages with roles or speakers, in an array or under a member; or sessions of turns with their dates.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::when::{read_epoch, read_when};
use super::{ImportError, ImportedTurn, note_counts};
use crate::time::Moment;

const LISTS: [&str; 5] = ["messages", "turns", "conversation", "dialogue", "chat"];
const SPEAKERS: [&str; 6] = ["speaker", "role", "author", "sender", "name", "from"];
const TEXTS: [&str; 5] = ["text", "content", "message", "value", "body"];
const TIMES: [&str; 8] = ["at", "timestamp", "time", "date", "created_at", "create_time", "createdAt", "ts"];

type Parsed = (Option<String>, Vec<ImportedTurn>);

pub(super) fn parse(
    file: &str,
    content: &str,
    now: Moment,
    notes: &mut Vec<String>,
) -> Result<Parsed, ImportError> {
    let value: Value = serde_json::from_str(content).map_err(|e| {
        ImportError::at(format!("line {}, column {}", e.line(), e.column()), format!("not JSON: {e}"))
    })?;
    let mut left_out = BTreeMap::new();
    let (title, turns) = match &value {
        Value::Array(items) => (None, messages("message", items, None, now, &mut left_out)?),
        Value::Object(members) => object(file, members, now, &mut left_out)?,
        _ => return Err(ImportError::at(file, "expected a list of messages or an object that holds one")),
    };
    note_counts(&left_out, notes);
    if turns.is_empty() {
        return Err(ImportError::at(file, "it holds no message of a user, an assistant or a named speaker"));
    }
    Ok((title, turns))
}

fn object(
    file: &str,
    members: &Map<String, Value>,
    now: Moment,
    left_out: &mut BTreeMap<&'static str, usize>,
) -> Result<Parsed, ImportError> {
    let title = members.get("title").or(members.get("name")).and_then(Value::as_str).map(str::to_owned);
    for list in LISTS {
        if let Some(Value::Array(items)) = members.get(list) {
            return Ok((title, messages(list, items, None, now, left_out)?));
        }
    }
    let mut sessions: Vec<(u32, &Vec<Value>)> = members
        .iter()
        .filter_map(|(name, value)| Some((name.strip_prefix("session_")?.parse().ok()?, value.as_array()?)))
        .collect();
    sessions.sort_by_key(|(number, _)| *number);
    if sessions.is_empty() {
        let names: Vec<&str> = members.keys().map(String::as_str).take(8).collect();
        let reason = format!(
            "expected a list under `messages`, or lists `session_1`, `session_2`, …; found {}",
            names.join(", ")
        );
        return Err(ImportError::at(file, reason));
    }
    let mut turns = Vec::new();
    for (number, items) in sessions {
        let place = format!("session_{number}");
        let date = members.get(&format!("{place}_date_time")).and_then(Value::as_str);
        let at = match date {
            Some(text) => Some(read_when(text, now).ok_or_else(|| {
                ImportError::at(
                    format!("{place}_date_time"),
                    format!("`{text}` is no date; write 2026-03-08T10:00:00Z"),
                )
            })?),
            None => None,
        };
        turns.extend(messages(&place, items, at, now, left_out)?);
    }
    let speakers = ["speaker_a", "speaker_b"].map(|s| members.get(s).and_then(Value::as_str));
    let title = title.or(match speakers {
        [Some(a), Some(b)] => Some(format!("{a} and {b}")),
        _ => None,
    });
    Ok((title, turns))
}

fn messages(
    place: &str,
    items: &[Value],
    at: Option<Moment>,
    now: Moment,
    left_out: &mut BTreeMap<&'static str, usize>,
) -> Result<Vec<ImportedTurn>, ImportError> {
    let mut turns = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let here = || format!("{place}[{index}]");
        let Value::Object(members) = item else {
            return Err(ImportError::at(here(), "expected an object with a speaker and a text"));
        };
        let Some(speaker) = speaker(members) else {
            return Err(ImportError::at(
                here(),
                format!("has no speaker; give it one of {}", SPEAKERS.join(", ")),
            ));
        };
        if matches!(speaker.to_lowercase().as_str(), "system" | "developer" | "tool" | "function") {
            *left_out.entry("system or tool messages").or_default() += 1;
            continue;
        }
        let Some(text) = TEXTS.iter().find_map(|name| members.get(*name)).and_then(text_of) else {
            return Err(ImportError::at(here(), format!("has no text; give it one of {}", TEXTS.join(", "))));
        };
        if text.trim().is_empty() {
            *left_out.entry("messages without words").or_default() += 1;
            continue;
        }
        let own = TIMES.iter().find_map(|name| members.get(*name)).and_then(|value| match value {
            Value::String(text) => read_when(text, now),
            Value::Number(number) => read_epoch(number.as_f64()?, now),
            _ => None,
        });
        turns.push(ImportedTurn { speaker, text: text.trim().to_owned(), at: own.or(at) });
    }
    Ok(turns)
}

fn speaker(members: &Map<String, Value>) -> Option<String> {
    let found = SPEAKERS.iter().find_map(|name| members.get(*name))?;
    let name = match found {
        Value::String(name) => name.as_str(),
        Value::Object(author) => author.get("role").or(author.get("name"))?.as_str()?,
        _ => return None,
    };
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// A string, or a list of parts as chat APIs write them.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Null => Some(String::new()),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| match part {
                Value::String(text) => Some(text.as_str()),
                Value::Object(part) => part.get("text").and_then(Value::as_str),
                _ => None,
            });
            Some(texts.collect::<Vec<_>>().join("\n"))
        }
        Value::Object(content) => content.get("parts").or(content.get("text")).and_then(text_of),
        _ => None,
    }
}

//! Memories of mem0 and OpenMemory: `{"results": […]}` as its API answers, `{"memories": […]}`, or the list alone. Each has its words
//! under `memory` (or `content`, `text`, `data`), whose it is, when it was made, and until when it holds.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::detect::{Members, unread};
use super::preview::{Format, ImportedStatement, Preview};
use super::when::{read_epoch, read_when};
use crate::time::Moment;

const LISTS: [&str; 4] = ["results", "memories", "data", "items"];
const TEXTS: [&str; 4] = ["memory", "content", "text", "data"];

#[derive(Deserialize, Default)]
#[serde(default)]
struct Row {
    id: Value,
    memory: Value,
    content: Value,
    text: Value,
    data: Value,
    user_id: Option<String>,
    agent_id: Option<String>,
    created_at: Value,
    expiration_date: Value,
    categories: Value,
    state: Option<String>,
    is_deleted: Option<bool>,
    deleted: Option<bool>,
}

/// Whether an element of a list is a memory and no message.
pub(super) fn is_row(members: &Members<'_>) -> bool {
    let says = |name: &str| members.get(name).is_some_and(|raw| raw.get().starts_with('"'));
    let is_message =
        ["role", "speaker", "author", "sender", "from"].iter().any(|name| members.contains_key(*name));
    let is_kept = ["id", "user_id", "agent_id", "hash", "created_at", "metadata", "categories"];
    !is_message
        && (says("memory")
            || (TEXTS.iter().any(|name| says(name))
                && is_kept.iter().any(|name| members.contains_key(*name))))
}

/// The memories of an export; empty: it is none.
pub(super) fn rows<'a>(members: &Members<'a>) -> Vec<&'a RawValue> {
    for list in LISTS {
        let rows: Option<Vec<&RawValue>> =
            members.get(list).and_then(|raw| serde_json::from_str(raw.get()).ok());
        let is_memory = |row: &&RawValue| {
            serde_json::from_str::<Members<'_>>(row.get()).is_ok_and(|members| is_row(&members))
        };
        if let Some(rows) = rows
            && rows.iter().any(is_memory)
        {
            return rows;
        }
    }
    Vec::new()
}

pub(super) fn read(file: &str, rows: &[&RawValue], whole: Option<&Members<'_>>, now: Moment) -> Preview {
    let mut preview = Preview::new(Format::Mem0, file);
    for (n, raw) in rows.iter().enumerate() {
        let place = format!("memory {}", n + 1);
        let row: Row = match serde_json::from_str(raw.get()) {
            Ok(row) => row,
            Err(error) => {
                preview.skip(place, 1, unread(&error, raw));
                continue;
            }
        };
        let state = row.state.as_deref().unwrap_or_default().to_lowercase();
        if row.is_deleted == Some(true)
            || row.deleted == Some(true)
            || matches!(state.as_str(), "deleted" | "archived" | "paused")
        {
            let word = if state.is_empty() { "deleted" } else { &state };
            preview.skip(place, 1, format!("it is {word} there"));
            continue;
        }
        let words = [&row.memory, &row.content, &row.text, &row.data];
        let text = words.into_iter().find_map(Value::as_str).unwrap_or_default().trim();
        if !text.chars().any(char::is_alphanumeric) {
            preview.skip(place, 1, "it says nothing");
            continue;
        }
        let whose = row.user_id.or(row.agent_id).unwrap_or_default().trim().to_owned();
        if !whose.is_empty() && !preview.people.contains(&whose) {
            preview.people.push(whose.clone());
        }
        preview.statements.push(ImportedStatement {
            text: text.to_owned(),
            subject: whose,
            topic: strings(&row.categories).join(", "),
            at: when(&row.created_at, now),
            valid_to: when(&row.expiration_date, now).map(|moment| moment.at),
            external_id: row
                .id
                .as_str()
                .map_or_else(|| row.id.as_u64().map(|id| id.to_string()).unwrap_or_default(), str::to_owned),
            place,
        });
    }
    let relations = whole.and_then(|members| members.get("relations"));
    let relations: Vec<Value> =
        relations.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default();
    preview.skip("relations", relations.len(), "edges of its graph; the memories say the same in words");
    if preview.people.len() > 1 {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        preview.statements.iter().for_each(|statement| *counts.entry(&statement.subject).or_default() += 1);
        let list: Vec<String> = counts.iter().map(|(who, count)| format!("{who} ({count})")).collect();
        preview.notes.push(format!(
            "memories of several people: {}; say which of them this memory belongs to",
            list.join(", ")
        ));
    }
    preview
}

fn when(value: &Value, now: Moment) -> Option<Moment> {
    match value {
        Value::String(text) => read_when(text, now),
        Value::Number(number) => read_epoch(number.as_f64()?, now),
        _ => None,
    }
}

/// The strings of a list; a string alone is a list of one.
pub(super) fn strings(value: &Value) -> Vec<String> {
    let one =
        |value: &Value| value.as_str().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    match value {
        Value::Array(items) => items.iter().filter_map(one).collect(),
        other => one(other).into_iter().collect(),
    }
}

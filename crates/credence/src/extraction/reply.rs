//! The extracting model's reply: what is sound becomes candidates, what is not becomes drops with a reason; nothing in a reply
//! is lost without a word.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::candidate::{Candidate, CandidateMention, DropReason, Dropped, Extraction, WindowTurn};
use super::settings::PromptSize;
use super::validity;
use crate::id::EntityId;
use crate::llm::ReplySchema;
use crate::llm::values::{place, share};
use crate::proposition::{Extractor, MentionRole};
use crate::text;
use crate::time::Moment;

/// What a reply is read with.
#[derive(Debug, Clone, Copy)]
pub struct ReplyContext<'a> {
    /// The turns that were shown, in order.
    pub window: &'a [WindowTurn],
    /// Their moments, in the same order; without them a reply's dates are not taken.
    pub moments: &'a [Moment],
    /// The entities that were shown, in the order of their numbers from 1.
    pub shown: &'a [EntityId],
}

/// The shape of the reply. A brief one is text, turns and confidence alone; `with_ids` when known entities were shown.
pub fn propositions_schema(size: PromptSize, with_ids: bool) -> ReplySchema {
    let object = |properties: Value| {
        let names: Vec<String> =
            properties.as_object().map(|map| map.keys().cloned().collect()).unwrap_or_default();
        json!({"type": "object", "additionalProperties": false, "required": names, "properties": properties})
    };
    let mut mention = json!({
        "span": {"type": "string"},
        "type": {"type": "string"},
        "role": {"type": "string", "enum": ["SUBJECT", "OBJECT", "OTHER"]}
    });
    if with_ids {
        mention["id"] = json!({"type": ["integer", "null"]});
    }
    let mut proposition = json!({
        "text": {"type": "string"},
        "turns": {"type": "array", "items": {"type": "integer"}},
        "confidence": {"type": "number"}
    });
    if size == PromptSize::Full {
        proposition["mentions"] = json!({"type": "array", "items": object(mention)});
        proposition["decay"] = json!({"type": "number"});
        proposition["importance"] = json!({"type": "number"});
        proposition["reasoning"] = json!({"type": "string"});
        proposition["valid_from"] = json!({"type": ["string", "null"]});
        proposition["valid_to"] = json!({"type": ["string", "null"]});
    }
    let schema = object(json!({"propositions": {"type": "array", "items": object(proposition)}}));
    ReplySchema { name: "propositions".into(), schema }
}

/// White space collapsed, ends trimmed: a statement is one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The names that models give to the statement itself.
const TEXTS: [&str; 6] = ["text", "proposition", "statement", "fact", "memory", "content"];

/// Reads a reply's JSON. `Err` is a complaint for the model: the value as a whole is not usable.
pub fn parse_propositions(reply: &Value, context: &ReplyContext<'_>) -> Result<Extraction, String> {
    let list = reply
        .get("propositions")
        .or(reply.get("facts"))
        .or(reply.get("memories"))
        .ok_or("the answer needs a list `propositions`")?;
    let mut extraction = Extraction::default();
    let entries: Vec<&Value> = match list {
        Value::Array(entries) => entries.iter().collect(),
        Value::Null => Vec::new(),
        // One entry without its list, or a list that was numbered: {"1": {…}, "2": {…}}.
        Value::Object(members) if TEXTS.iter().any(|name| members.contains_key(*name)) => vec![list],
        Value::Object(members) => members.values().collect(),
        _ => return Err("`propositions` must be a list".into()),
    };
    for entry in entries {
        match candidate(entry, context, &mut extraction.notes) {
            Ok(candidate) => extraction.candidates.push(candidate),
            Err(dropped) => extraction.dropped.push(dropped),
        }
    }
    Ok(extraction)
}

fn candidate(
    entry: &Value,
    context: &ReplyContext<'_>,
    notes: &mut Vec<String>,
) -> Result<Candidate, Dropped> {
    let window = context.window;
    let malformed = |detail: &str| Dropped {
        text: text::excerpt(&entry.to_string(), 300),
        reason: DropReason::Malformed,
        detail: detail.to_owned(),
        turn: None,
    };
    let bare = Map::new();
    let (statement, members) = match entry {
        Value::String(statement) => (statement.as_str(), &bare),
        // A row of a table: the statement comes first.
        Value::Array(row) => {
            let statement = row.first().and_then(Value::as_str);
            (statement.ok_or_else(|| malformed("the entry has no text"))?, &bare)
        }
        Value::Object(members) => {
            let statement = TEXTS.iter().find_map(|name| members.get(*name)).and_then(Value::as_str);
            (statement.ok_or_else(|| malformed("the entry has no text"))?, members)
        }
        _ => return Err(malformed("an entry must be an object with a text")),
    };
    let statement = one_line(statement);
    if !statement.chars().any(char::is_alphanumeric) {
        return Err(malformed("the entry's text says nothing"));
    }
    let turns = cited_turns(members.get("turns").or(members.get("turn")), window);
    if turns.is_empty() {
        return Err(malformed("there is no turn that it could rest on"));
    }
    let speaker = turns.first().map(|turn| window[*turn].speaker.clone()).unwrap_or_default();
    let listed = match members.get("mentions").or(members.get("entities")) {
        Some(Value::Array(listed)) => listed.as_slice(),
        None | Some(Value::Null) => &[],
        Some(one) => std::slice::from_ref(one),
    };
    let mut mentions: Vec<CandidateMention> =
        listed.iter().filter_map(|m| mention(m, &statement, &speaker, context.shown, notes)).collect();
    if mentions.len() < listed.len() {
        notes.push(format!(
            "{} of {} mentions of `{}` are no part of it and were left out",
            listed.len() - mentions.len(),
            listed.len(),
            text::excerpt(&statement, 80)
        ));
    }
    let opens = |rest: &str| !rest.starts_with(char::is_alphanumeric);
    if mentions.is_empty() && statement.strip_prefix(speaker.as_str()).is_some_and(opens) {
        // A brief answer has none; whom it is about is told by how it begins.
        mentions.push(CandidateMention {
            span: speaker.clone(),
            kind: "Person".into(),
            role: MentionRole::Subject,
            is_speaker: true,
            suggested: None,
        });
    }
    let word = |names: [&str; 2]| {
        names.iter().find_map(|name| members.get(*name)).and_then(Value::as_str).unwrap_or_default()
    };
    let mut candidate = Candidate {
        mentions,
        confidence: members.get("confidence").and_then(share).unwrap_or(0.7),
        decay: members.get("decay").and_then(share).unwrap_or(0.002),
        importance: members.get("importance").and_then(share).unwrap_or(0.5),
        reasoning: one_line(word(["reasoning", "reason"])),
        extractor: Extractor::Model { model: String::new() },
        valid_from: None,
        valid_to: None,
        text: statement,
        turns,
    };
    let said: Vec<&str> = candidate.turns.iter().map(|turn| window[*turn].text.as_str()).collect();
    if let Some(at) = candidate.turns.first().and_then(|turn| context.moments.get(*turn)) {
        let (from, to) = (word(["valid_from", "validFrom"]), word(["valid_to", "validTo"]));
        validity::take(&mut candidate, from, to, &said.join("\n"), *at, notes);
    }
    Ok(candidate)
}

/// Positions of the cited turns, from numbers that count from 1. Without any usable number: every turn that may be mined, so
/// that the grounding check still has something to look at.
fn cited_turns(value: Option<&Value>, window: &[WindowTurn]) -> Vec<usize> {
    let mut turns: Vec<usize> = match value {
        Some(Value::Array(list)) => list.iter().filter_map(place).collect(),
        Some(value) => place(value).into_iter().collect(),
        None => Vec::new(),
    };
    turns.retain(|n| *n < window.len());
    turns.sort_unstable();
    turns.dedup();
    if turns.is_empty() {
        turns = (0..window.len()).filter(|n| !window[*n].context_only && !window[*n].is_assistant).collect();
    }
    if turns.is_empty() {
        turns = (0..window.len()).filter(|n| !window[*n].context_only).collect();
    }
    turns
}

fn mention(
    value: &Value,
    statement: &str,
    speaker: &str,
    shown: &[EntityId],
    notes: &mut Vec<String>,
) -> Option<CandidateMention> {
    let (span, members) = match value {
        Value::String(span) => (span.as_str(), None),
        Value::Object(members) => {
            (members.get("span").or(members.get("name")).and_then(Value::as_str)?, Some(members))
        }
        _ => return None,
    };
    let span = one_line(span);
    // A span that the statement does not contain would be invented.
    if span.is_empty() || !text::fold(statement).contains(&text::fold(&span)) {
        return None;
    }
    let field = |names: [&str; 2]| {
        names
            .iter()
            .find_map(|n| members?.get(*n))
            .and_then(Value::as_str)
            .unwrap_or_default()
            .trim()
            .to_owned()
    };
    Some(CandidateMention {
        is_speaker: text::fold(&span) == text::fold(speaker),
        kind: field(["type", "kind"]),
        role: MentionRole::parse(&field(["role", "position"])),
        suggested: members.and_then(|m| m.get("id")).and_then(|id| suggested(id, &span, shown, notes)),
        span,
    })
}

/// The entity of a number that was shown. An id of any other kind is invented (dice 5.1 took it; section 13 does not).
fn suggested(id: &Value, span: &str, shown: &[EntityId], notes: &mut Vec<String>) -> Option<EntityId> {
    let number = match id {
        Value::Null => return None,
        Value::Number(number) => number.as_u64(),
        Value::String(text) if matches!(text.trim(), "" | "null" | "none" | "0") => return None,
        Value::String(text) => text.trim().trim_start_matches('#').parse().ok(),
        _ => None,
    };
    if number == Some(0) {
        return None;
    }
    let known = number.and_then(|n| shown.get(usize::try_from(n).ok()?.checked_sub(1)?));
    if known.is_none() {
        let id = text::excerpt(&id.to_string(), 40);
        notes.push(format!("the id {id} of `{}` was not shown and was left out", text::excerpt(span, 60)));
    }
    known.copied()
}

/// Drops statements that came twice in one run, by canonical form, and cite no turn that the first does not: the model repeated
/// itself. One that cites another turn stays: it is another witness, which revision counts and merges.
pub fn merge_repeats(extraction: &mut Extraction) {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in extraction.candidates.drain(..) {
        match first.get(&text::canonical(&candidate.text)) {
            Some(place) if candidate.turns.iter().all(|turn| kept[*place].turns.contains(turn)) => {
                extraction.dropped.push(Dropped {
                    turn: candidate.turns.first().copied(),
                    detail: "from the same turn".into(),
                    reason: DropReason::RepeatedInRun,
                    text: candidate.text,
                });
            }
            Some(_) => kept.push(candidate),
            None => {
                first.insert(text::canonical(&candidate.text), kept.len());
                kept.push(candidate);
            }
        }
    }
    extraction.candidates = kept;
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;

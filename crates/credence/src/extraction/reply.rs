//! The extracting model's reply: what is sound becomes candidates, what is not becomes drops with a reason; nothing in a reply
//! is lost without a word.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::candidate::{Candidate, CandidateMention, DropReason, Dropped, Extraction, WindowTurn};
use crate::llm::ReplySchema;
use crate::proposition::{Extractor, MentionRole};
use crate::text;

/// The shape of the reply.
pub fn propositions_schema() -> ReplySchema {
    let mention = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["span", "type", "role"],
        "properties": {
            "span": {"type": "string"},
            "type": {"type": "string"},
            "role": {"type": "string", "enum": ["SUBJECT", "OBJECT", "OTHER"]}
        }
    });
    let proposition = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["text", "mentions", "confidence", "decay", "importance", "reasoning", "turns"],
        "properties": {
            "text": {"type": "string"},
            "mentions": {"type": "array", "items": mention},
            "confidence": {"type": "number"},
            "decay": {"type": "number"},
            "importance": {"type": "number"},
            "reasoning": {"type": "string"},
            "turns": {"type": "array", "items": {"type": "integer"}}
        }
    });
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["propositions"],
        "properties": {"propositions": {"type": "array", "items": proposition}}
    });
    ReplySchema { name: "propositions".into(), schema }
}

/// White space collapsed, ends trimmed: a statement is one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The names that models give to the statement itself.
const TEXTS: [&str; 6] = ["text", "proposition", "statement", "fact", "memory", "content"];

/// Reads a reply's JSON. `Err` is a complaint for the model: the value as a whole is not usable.
pub fn parse_propositions(reply: &Value, window: &[WindowTurn], model: &str) -> Result<Extraction, String> {
    let list = reply
        .get("propositions")
        .or(reply.get("facts"))
        .or(reply.get("memories"))
        .and_then(Value::as_array)
        .ok_or("the answer needs a list `propositions`")?;
    let mut extraction = Extraction::default();
    for entry in list {
        match candidate(entry, window, model) {
            Ok(candidate) => extraction.candidates.push(candidate),
            Err(dropped) => extraction.dropped.push(dropped),
        }
    }
    Ok(extraction)
}

fn candidate(entry: &Value, window: &[WindowTurn], model: &str) -> Result<Candidate, Dropped> {
    let malformed = |detail: &str| Dropped {
        text: text::excerpt(&entry.to_string(), 300),
        reason: DropReason::Malformed,
        detail: detail.to_owned(),
        turn: None,
    };
    let bare = Map::new();
    let (statement, members) = match entry {
        Value::String(statement) => (statement.as_str(), &bare),
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
    let number = |name: &str, default: f64| {
        let value = members.get(name).and_then(|value| match value {
            Value::Number(n) => n.as_f64(),
            Value::String(s) => s.trim().trim_end_matches('%').parse().ok(),
            _ => None,
        });
        value.filter(|n: &f64| n.is_finite()).unwrap_or(default).clamp(0.0, 1.0)
    };
    let turns = cited_turns(members.get("turns").or(members.get("turn")), window);
    let speaker = turns.first().map(|turn| window[*turn].speaker.clone()).unwrap_or_default();
    let mentions = members.get("mentions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mentions = mentions.iter().filter_map(|m| mention(m, &statement, &speaker)).collect();
    let reasoning =
        members.get("reasoning").or(members.get("reason")).and_then(Value::as_str).unwrap_or_default();
    Ok(Candidate {
        mentions,
        confidence: number("confidence", 0.7),
        decay: number("decay", 0.002),
        importance: number("importance", 0.5),
        reasoning: one_line(reasoning),
        turns,
        extractor: Extractor::Model { model: model.to_owned() },
        valid_from: None,
        valid_to: None,
        text: statement,
    })
}

/// Positions of the cited turns, from numbers that count from 1. Without any usable number: every turn that may be mined, so
/// that the grounding check still has something to look at.
fn cited_turns(value: Option<&Value>, window: &[WindowTurn]) -> Vec<usize> {
    let one = |value: &Value| match value {
        Value::Number(n) => usize::try_from(n.as_u64()?).ok(),
        Value::String(s) => s.trim().trim_matches(['[', ']']).parse().ok(),
        _ => None,
    };
    let numbers: Vec<usize> = match value {
        Some(Value::Array(list)) => list.iter().filter_map(one).collect(),
        Some(value) => one(value).into_iter().collect(),
        None => Vec::new(),
    };
    let mut turns: Vec<usize> =
        numbers.into_iter().filter_map(|n| n.checked_sub(1)).filter(|n| *n < window.len()).collect();
    turns.sort_unstable();
    turns.dedup();
    if turns.is_empty() {
        turns = (0..window.len()).filter(|n| !window[*n].context_only && !window[*n].is_assistant).collect();
    }
    turns
}

fn mention(value: &Value, statement: &str, speaker: &str) -> Option<CandidateMention> {
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
        suggested: None,
        span,
    })
}

/// Marks statements that came twice in one run, by canonical form: the first stays and takes the others' turns.
pub fn merge_repeats(extraction: &mut Extraction) {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in extraction.candidates.drain(..) {
        match first.get(&text::canonical(&candidate.text)) {
            Some(place) => {
                let earlier: &mut Candidate = &mut kept[*place];
                for turn in &candidate.turns {
                    if !earlier.turns.contains(turn) {
                        earlier.turns.push(*turn);
                    }
                }
                extraction.dropped.push(Dropped {
                    turn: candidate.turns.first().copied(),
                    detail: "its turns were added to the first".into(),
                    reason: DropReason::RepeatedInRun,
                    text: candidate.text,
                });
            }
            None => {
                first.insert(text::canonical(&candidate.text), kept.len());
                kept.push(candidate);
            }
        }
    }
    extraction.candidates = kept;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window() -> Vec<WindowTurn> {
        let turn = |text: &str| WindowTurn {
            speaker: "Mara".into(),
            is_user: true,
            is_assistant: false,
            text: text.into(),
            date: "2026-03-08".into(),
            context_only: false,
        };
        vec![turn("I own a red kayak."), turn("And a dog.")]
    }

    #[test]
    fn wrong_keys_numbers_out_of_range_and_unknown_turns_are_mended() {
        let reply = json!({"facts": [
            {"fact": "Mara owns a red kayak", "confidence": 7, "decay": "x", "importance": -1, "turn": "1",
             "mentions": ["Mara", {"name": "red kayak", "kind": "Thing", "role": "object"}, {"span": "a boat"}]},
            "Mara has a dog",
            {"text": "x", "turns": [9, 0]}
        ]});
        let read = parse_propositions(&reply, &window(), "m").unwrap();
        let first = &read.candidates[0];
        assert_eq!((first.confidence, first.decay, first.importance), (1.0, 0.002, 0.0));
        assert_eq!(first.turns, [0]);
        let spans: Vec<_> = first.mentions.iter().map(|m| (m.span.as_str(), m.role, m.is_speaker)).collect();
        assert_eq!(spans, [("Mara", MentionRole::Other, true), ("red kayak", MentionRole::Object, false)]);
        assert_eq!(
            (read.candidates[1].text.as_str(), &read.candidates[1].turns[..]),
            ("Mara has a dog", &[0, 1][..])
        );
        assert_eq!(read.candidates[2].turns, [0, 1], "no usable number: the whole window is looked at");
    }

    #[test]
    fn unusable_entries_are_drops_and_an_unusable_whole_is_a_complaint() {
        let reply =
            json!({"propositions": [{"mentions": []}, 7, {"text": " … "}, {"text": "Oda drinks mate"}]});
        let read = parse_propositions(&reply, &window(), "m").unwrap();
        assert_eq!((read.candidates.len(), read.dropped.len()), (1, 3));
        assert!(read.dropped.iter().all(|d| d.reason == DropReason::Malformed && !d.detail.is_empty()));
        assert!(
            parse_propositions(&json!({"ok": true}), &window(), "m").unwrap_err().contains("propositions")
        );
    }

    #[test]
    fn repeats_in_one_run_keep_their_evidence() {
        let reply = json!({"propositions": [
            {"text": "Mara has a dog.", "turns": [1]}, {"text": "mara has a DOG", "turns": [2]}, {"text": "Mara has two dogs", "turns": [2]}
        ]});
        let mut read = parse_propositions(&reply, &window(), "m").unwrap();
        merge_repeats(&mut read);
        assert_eq!(read.candidates.len(), 2);
        assert_eq!(read.candidates[0].turns, [0, 1]);
        assert_eq!(read.dropped[0].reason, DropReason::RepeatedInRun);
    }
}

//! The revising model's reply: small numbers that were shown, and nothing else, become judgements.

use serde_json::{Value, json};

use super::settle::{Judgement, Relation};
use crate::id::PropositionId;
use crate::llm::ReplySchema;
use crate::llm::values::{place, share};
use crate::resolution::answers_schema;
use crate::text;

/// The shape of the reply.
pub fn relations_schema() -> ReplySchema {
    let relation = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["stored", "relation", "similarity", "reason"],
        "properties": {
            "stored": {"type": "integer"},
            "relation": {"type": "string", "enum": ["IDENTICAL", "SIMILAR", "CONTRADICTORY", "GENERALIZES", "UNRELATED"]},
            "similarity": {"type": "number"},
            "reason": {"type": "string"}
        }
    });
    let item = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["item", "relations"],
        "properties": {"item": {"type": "integer"}, "relations": {"type": "array", "items": relation}}
    });
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["items"],
        "properties": {"items": {"type": "array", "items": item}}
    });
    ReplySchema { name: "relations".into(), schema }
}

/// The shape of a call's reply: judgements of statements, answers about names, or both.
pub(super) fn reply_schema(items: bool, names: bool) -> ReplySchema {
    let mut reply = relations_schema();
    if names {
        let (mut properties, mut required) = (serde_json::Map::new(), Vec::new());
        if items {
            properties.insert("items".into(), reply.schema["properties"]["items"].clone());
            required.push("items");
        }
        properties.insert("entities".into(), answers_schema());
        required.push("entities");
        reply.schema["properties"] = Value::Object(properties);
        reply.schema["required"] = json!(required);
    }
    reply
}

/// Judgements per item, in the order of `asked`; `None` for an item that the model left out, with a note. Numbers that were not shown are
/// skipped and noted. `asked[i]` are the stored statements shown with item `i + 1`, numbered from 1.
pub fn parse_judgements(
    reply: &Value,
    asked: &[Vec<PropositionId>],
    notes: &mut Vec<String>,
) -> Result<Vec<Option<Vec<Judgement>>>, String> {
    let items = reply.get("items").and_then(Value::as_array).ok_or("the answer needs a list `items`")?;
    let mut judged: Vec<Option<Vec<Judgement>>> = vec![None; asked.len()];
    let (mut skipped, mut unknown) = (0, 0);
    for item in items {
        let at = item.get("item").and_then(place).filter(|n| *n < asked.len());
        let relations = item.get("relations").or(item.get("classifications")).and_then(Value::as_array);
        let (Some(at), Some(relations)) = (at, relations) else {
            skipped += 1;
            continue;
        };
        let judgements = judged[at].get_or_insert_default();
        for relation in relations {
            let stored = relation.get("stored").and_then(place).and_then(|n| asked[at].get(n));
            let Some(stored) = stored else {
                skipped += 1;
                continue;
            };
            let word = relation.get("relation").and_then(Value::as_str).unwrap_or_default();
            let relates = Relation::parse(word);
            let is_none =
                ["unrelated", "none", "different"].iter().any(|none| text::fold(word).contains(none));
            unknown += usize::from(relates == Relation::Unrelated && !is_none);
            let reason = relation.get("reason").or(relation.get("reasoning"));
            let reason = reason.and_then(Value::as_str).unwrap_or_default();
            let similarity = relation.get("similarity").and_then(share).unwrap_or(0.0);
            judgements.push(Judgement {
                stored: *stored,
                relation: relates,
                similarity,
                reason: text::excerpt(reason.trim(), 300),
            });
        }
    }
    if skipped > 0 {
        notes.push(format!("{skipped} judgements named items that were not shown and were skipped"));
    }
    if unknown > 0 {
        notes.push(format!("{unknown} judgements used a word that was not offered and count as UNRELATED"));
    }
    let omitted = judged.iter().filter(|judgements| judgements.is_none()).count();
    if omitted > 0 {
        notes.push(format!("the model left {omitted} of {} statements out of its answer", asked.len()));
    }
    Ok(judged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::lenient::{self, Wanted};
    use proptest::prelude::*;
    use uuid::Uuid;

    proptest! {
        /// Whatever a model sends becomes judgements of what was shown, or is refused with a reason.
        #[test]
        fn any_reply_is_read_or_refused(head in ".{0,40}", reply in prop_oneof![
            ".{0,200}",
            r#"[{}\[\]":, a-z0-9]{0,120}"#,
            r#"\{"items": ?\[(\{"item": ?"?-?[0-9]{1,20}"?, ?"relations": ?\[(\{"stored": ?[0-9.]{1,4}, ?"relation": ?"[A-Za-z]{0,14}", ?"similarity": ?-?[0-9.e]{1,6}\},?){0,3}\]\},?){0,4}\]?\}?"#,
        ]) {
            let asked = [vec![PropositionId::new(Uuid::from_u128(1))], vec![PropositionId::new(Uuid::from_u128(2)); 2]];
            let text = format!("{head}{reply}");
            if let Ok(read) = lenient::read(&text, &Wanted::by_schema(&relations_schema())) {
                let mut notes = Vec::new();
                match parse_judgements(&read.value, &asked, &mut notes) {
                    Err(reason) => prop_assert!(!reason.is_empty()),
                    Ok(judged) => {
                        prop_assert_eq!(judged.len(), asked.len());
                        for (shown, judgements) in asked.iter().zip(judged) {
                            for judgement in judgements.unwrap_or_default() {
                                prop_assert!(shown.contains(&judgement.stored));
                                prop_assert!((0.0..=1.0).contains(&judgement.similarity));
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn unknown_numbers_words_and_ranges_do_no_harm() {
        let p = |n| PropositionId::new(Uuid::from_u128(n));
        let reply = json!({"items": [
            {"item": "2", "relations": [{"stored": 1, "relation": "identical", "similarity": 7}, {"stored": 9, "relation": "SIMILAR"}]},
            {"item": 5, "relations": []},
            {"item": 1, "relations": [{"stored": "2", "relation": "MAYBE", "similarity": null}]}
        ]});
        let mut notes = Vec::new();
        let judged =
            parse_judgements(&reply, &[vec![p(1), p(2)], vec![p(3)], vec![p(4)]], &mut notes).unwrap();
        let [Some(first), Some(second), None] = &judged[..] else { panic!("{judged:?}") };
        let read = (second[0].stored, second[0].relation, second[0].similarity);
        assert_eq!(read, (p(3), Relation::Identical, 1.0));
        assert_eq!((first[0].stored, first[0].relation), (p(2), Relation::Unrelated));
        assert_eq!(
            notes,
            [
                "2 judgements named items that were not shown and were skipped",
                "1 judgements used a word that was not offered and count as UNRELATED",
                "the model left 1 of 3 statements out of its answer"
            ]
        );
        assert!(parse_judgements(&json!({"list": []}), &[], &mut notes).is_err());
    }
}

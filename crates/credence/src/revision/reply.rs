//! The revising model's reply: small numbers that were shown, and nothing else, become judgements.

use serde_json::{Value, json};

use super::decide::{Judgement, Relation};
use crate::id::PropositionId;
use crate::llm::ReplySchema;
use crate::resolution::answers_schema;

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

/// Judgements per item, in the order of `asked`; an item that the model left out has none. Numbers that were not shown are
/// skipped and noted. `asked[i]` are the stored statements shown with item `i + 1`, numbered from 1.
pub fn parse_judgements(
    reply: &Value,
    asked: &[Vec<PropositionId>],
    notes: &mut Vec<String>,
) -> Result<Vec<Vec<Judgement>>, String> {
    let items = reply.get("items").and_then(Value::as_array).ok_or("the answer needs a list `items`")?;
    let mut judged = vec![Vec::new(); asked.len()];
    let mut skipped = 0;
    for item in items {
        let place = number(item.get("item")).and_then(|n| n.checked_sub(1)).filter(|n| *n < asked.len());
        let relations = item.get("relations").or(item.get("classifications")).and_then(Value::as_array);
        let (Some(place), Some(relations)) = (place, relations) else {
            skipped += 1;
            continue;
        };
        for relation in relations {
            let stored = number(relation.get("stored")).and_then(|n| asked[place].get(n.checked_sub(1)?));
            let Some(stored) = stored else {
                skipped += 1;
                continue;
            };
            let word = relation.get("relation").and_then(Value::as_str).unwrap_or_default();
            let similarity = relation.get("similarity").and_then(Value::as_f64).unwrap_or(0.0);
            judged[place].push(Judgement {
                stored: *stored,
                relation: Relation::parse(word),
                similarity: if similarity.is_nan() { 0.0 } else { similarity.clamp(0.0, 1.0) },
                reason: relation.get("reason").and_then(Value::as_str).unwrap_or_default().trim().to_owned(),
            });
        }
    }
    if skipped > 0 {
        notes.push(format!("{skipped} judgements named items that were not shown and were skipped"));
    }
    Ok(judged)
}

/// A number, or a number in a string, as models like to write it.
fn number(value: Option<&Value>) -> Option<usize> {
    match value? {
        Value::Number(n) => usize::try_from(n.as_u64()?).ok(),
        Value::String(s) => s.trim().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

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
        assert_eq!(
            (judged[1][0].stored, judged[1][0].relation, judged[1][0].similarity),
            (p(3), Relation::Identical, 1.0)
        );
        assert_eq!((judged[0][0].stored, judged[0][0].relation), (p(2), Relation::Unrelated));
        assert!(judged[2].is_empty());
        assert_eq!(notes, ["2 judgements named items that were not shown and were skipped"]);
        assert!(parse_judgements(&json!({"list": []}), &[], &mut notes).is_err());
    }
}

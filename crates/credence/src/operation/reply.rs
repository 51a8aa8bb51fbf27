//! The model's reply to an abstraction or contrast: small numbers that were shown become sources.

use serde_json::{Value, json};

use crate::llm::ReplySchema;
use crate::llm::values::{place, share};

/// One suggested statement. Places are those of the shown groups and statements, from 0.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Suggested {
    pub(crate) text: String,
    pub(crate) confidence: f64,
    pub(crate) reason: String,
    /// Group and place within it, in order, each once. Empty where the model named none that was shown.
    pub(crate) sources: Vec<(usize, usize)>,
}

fn schema(name: &str, sources: &[&str]) -> ReplySchema {
    let mut properties = json!({
        "text": {"type": "string"},
        "confidence": {"type": "number"},
        "reason": {"type": "string"}
    });
    for source in sources {
        let list = json!({"type": "array", "items": {"type": "integer"}});
        properties[*source] = if *source == "group" { json!({"type": "integer"}) } else { list };
    }
    let required: Vec<&str> =
        ["text", "confidence", "reason"].into_iter().chain(sources.iter().copied()).collect();
    let statement = json!({
        "type": "object",
        "additionalProperties": false,
        "required": required,
        "properties": properties
    });
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["statements"],
        "properties": {"statements": {"type": "array", "items": statement}}
    });
    ReplySchema { name: name.into(), schema }
}

/// The shape of an abstraction's reply.
pub(crate) fn abstraction_schema() -> ReplySchema {
    schema("abstractions", &["group", "sources"])
}

/// The shape of a contrast's reply.
pub(crate) fn contrast_schema() -> ReplySchema {
    schema("contrasts", &["sources_a", "sources_b"])
}

/// Suggestions in the reply's order. `sizes` are the numbers of statements that each group showed.
pub(crate) fn parse(reply: &Value, sizes: &[usize]) -> Result<Vec<Suggested>, String> {
    let list = ["statements", "abstractions", "contrasts"].into_iter().find_map(|name| reply.get(name));
    let list = list.and_then(Value::as_array).ok_or("the answer needs a list `statements`")?;
    let mut suggested = Vec::new();
    for item in list {
        let text = item.get("text").and_then(Value::as_str).unwrap_or_default().trim();
        if text.is_empty() {
            continue;
        }
        let mut sources: Vec<(usize, usize)> = Vec::new();
        let mut add = |group: Option<usize>, numbers: Option<&Value>| {
            let Some((group, size)) = group.and_then(|group| Some((group, *sizes.get(group)?))) else {
                return;
            };
            for place in numbers.and_then(Value::as_array).into_iter().flatten().filter_map(place) {
                if place < size && !sources.contains(&(group, place)) {
                    sources.push((group, place));
                }
            }
        };
        let only = (sizes.len() == 1).then_some(0);
        let numbers = item.get("sources").or(item.get("sourceIndices"));
        add(item.get("group").and_then(place).or(only), numbers);
        add(Some(0), item.get("sources_a").or(item.get("sourceIndicesA")));
        add(Some(1), item.get("sources_b").or(item.get("sourceIndicesB")));
        suggested.push(Suggested {
            text: text.to_owned(),
            confidence: item.get("confidence").and_then(share).unwrap_or(0.5),
            reason: ["reason", "reasoning"]
                .into_iter()
                .find_map(|name| item.get(name).and_then(Value::as_str))
                .unwrap_or_default()
                .trim()
                .to_owned(),
            sources,
        });
    }
    Ok(suggested)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_were_not_shown_are_no_sources() {
        let reply = json!({"statements": [
            {"group": "2", "text": " a ", "confidence": 7, "sources": [1, "2", 1, 0, 9, -1, "x"], "reason": "r"},
            {"group": 5, "text": "b", "sources": [1]},
            {"text": "c", "sources_a": [2], "sourceIndicesB": [1]},
            {"text": "  "}
        ]});
        let found = parse(&reply, &[3, 2]).unwrap();
        assert_eq!((found[0].text.as_str(), found[0].confidence), ("a", 1.0));
        assert_eq!(found[0].sources, [(1, 0), (1, 1)]);
        assert!(found[1].sources.is_empty());
        assert_eq!(found[2].sources, [(0, 1), (1, 0)]);
        assert_eq!(found.len(), 3);
        let single = json!({"abstractions": [{"text": "a", "sourceIndices": [2]}]});
        assert_eq!(parse(&single, &[2]).unwrap()[0].sources, [(0, 1)]);
        assert!(parse(&json!([]), &[1]).is_err());
        for schema in [abstraction_schema(), contrast_schema()] {
            let item = &schema.schema["properties"]["statements"]["items"];
            assert_eq!(
                item["required"].as_array().unwrap().len(),
                item["properties"].as_object().unwrap().len()
            );
        }
    }
}

//! Which token a word begins with, as llama.cpp's server tells it: `POST tokenize` beside the OpenAI-compatible interface, with the pieces.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Where it is asked, from the interface's base address.
pub const TOKENIZE_PATH: &str = "../tokenize";

/// The body: every word behind a space on a line of its own, as it stands inside a sentence.
pub fn tokenize_body(words: &[String]) -> Value {
    let content: String = words.iter().map(|word| format!(" {word}\n")).collect();
    json!({"content": content, "add_special": false, "with_pieces": true})
}

/// The first token of each word; words whose beginning is no token's beginning are left out.
///
/// # Errors
/// When the answer does not hold tokens with their pieces.
pub fn first_tokens(words: &[String], answer: &Value) -> Result<BTreeMap<String, u32>, String> {
    let tokens = answer.get("tokens").and_then(Value::as_array).ok_or("the server's answer has no tokens")?;
    let (mut text, mut begins) = (String::new(), BTreeMap::new());
    for token in tokens {
        let id = token.get("id").and_then(Value::as_u64).and_then(|id| u32::try_from(id).ok());
        let id = id.ok_or("the server tells its tokens without their pieces")?;
        begins.insert(text.len(), id);
        match token.get("piece") {
            Some(Value::String(piece)) => text.push_str(piece),
            // Half a character comes as bytes: a word with one has no beginning that can be found.
            _ => text.push('\u{fffd}'),
        }
    }
    let first = |word: &String| {
        let at = text.find(&format!(" {word}\n"))?;
        Some((word.clone(), *begins.get(&at)?))
    };
    Ok(words.iter().filter_map(first).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_the_pieces_that_begin_them() {
        let words: Vec<String> = ["Krell", "Orin", "Zoë"].map(str::to_owned).to_vec();
        assert_eq!(tokenize_body(&words)["content"], " Krell\n Orin\n Zoë\n");
        let answer = json!({"tokens": [
            {"id": 5, "piece": " Kre"}, {"id": 6, "piece": "ll"}, {"id": 1, "piece": "\n "},
            {"id": 7, "piece": "Orin"}, {"id": 2, "piece": "\n"}, {"id": 8, "piece": " Zo"},
            {"id": 9, "piece": [195]}, {"id": 10, "piece": [171]}, {"id": 2, "piece": "\n"}
        ]});
        let found = first_tokens(&words, &answer).unwrap();
        assert_eq!(
            found,
            BTreeMap::from([("Krell".to_owned(), 5)]),
            "a token that holds the line's end is no beginning"
        );
        assert!(first_tokens(&words, &json!({"tokens": [1, 2]})).unwrap_err().contains("pieces"));
        assert!(first_tokens(&words, &json!({})).is_err());
    }
}

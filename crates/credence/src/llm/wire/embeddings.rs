//! The embeddings route of OpenAI-compatible endpoints: `POST embeddings`.

use serde_json::{Value, json};

/// Where embedding calls go, below the base address.
pub const PATH: &str = "embeddings";

/// Most texts in one call; more are sent in further calls. Every known server takes as many.
pub const BATCH: usize = 64;

/// The body that asks for one vector per text.
pub fn body(model: &str, texts: &[String]) -> Value {
    // Several servers refuse an empty text; a space has no opinion either.
    let input: Vec<&str> =
        texts.iter().map(|text| if text.is_empty() { " " } else { text.as_str() }).collect();
    json!({"model": model, "input": input, "encoding_format": "float"})
}

/// The vectors of an answer in the order of the texts, each of unit length (or all zero).
///
/// # Errors
/// When there are not `wanted` vectors of one dimension and finite numbers; the text says what came.
pub fn decode(body: &Value, wanted: usize) -> Result<Vec<Vec<f32>>, String> {
    let items = body.get("data").and_then(Value::as_array).ok_or("the answer has no `data` list")?;
    if items.len() != wanted {
        return Err(format!("{wanted} vectors were asked for, {} came", items.len()));
    }
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; wanted];
    for (position, item) in items.iter().enumerate() {
        // `index` may be left out, never wrong: the order is then the order of the list.
        let index = item.get("index").and_then(Value::as_u64).map_or(position, |index| index as usize);
        let slot =
            vectors.get_mut(index).ok_or_else(|| format!("vector {position} claims the place {index}"))?;
        if slot.is_some() {
            return Err(format!("two vectors claim the place {index}"));
        }
        *slot = Some(vector(item.get("embedding"), index)?);
    }
    let vectors: Vec<Vec<f32>> = vectors.into_iter().flatten().collect();
    let dimension = vectors.first().map_or(0, Vec::len);
    match vectors.iter().find(|vector| vector.len() != dimension) {
        Some(odd) => Err(format!("vectors of {dimension} and of {} components in one answer", odd.len())),
        None => Ok(vectors),
    }
}

fn vector(value: Option<&Value>, index: usize) -> Result<Vec<f32>, String> {
    let numbers = value.and_then(Value::as_array).filter(|numbers| !numbers.is_empty());
    let numbers = numbers.ok_or_else(|| format!("vector {index} is not a list of numbers"))?;
    let mut vector = Vec::with_capacity(numbers.len());
    for number in numbers {
        let number = number.as_f64().ok_or_else(|| format!("vector {index} holds {number}, not a number"))?;
        vector.push(number);
    }
    // Summed in f64: a thousand squares of small components lose digits in f32.
    let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !length.is_finite() {
        return Err(format!("vector {index} has components beyond measure"));
    }
    let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
    Ok(vector.into_iter().map(|x| (x * scale) as f32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_back_in_order_and_of_unit_length() {
        let body = json!({"data": [
            {"index": 1, "embedding": [0.0, 0.0]}, {"index": 0, "embedding": [3.0, 4.0]}]});
        assert_eq!(decode(&body, 2).unwrap(), [vec![0.6, 0.8], vec![0.0, 0.0]]);
        assert_eq!(decode(&json!({"data": [{"embedding": [2]}]}), 1).unwrap(), [vec![1.0]]);
        assert_eq!(decode(&json!({"data": []}), 0).unwrap(), Vec::<Vec<f32>>::new());
    }

    #[test]
    fn a_wrong_answer_says_what_came() {
        let check = |body: Value, wanted: usize, words: &str| {
            let error = decode(&body, wanted).unwrap_err();
            assert!(error.contains(words), "{error}");
        };
        check(json!({"embedding": [1]}), 1, "no `data`");
        check(json!({"data": [{"embedding": [1]}]}), 2, "2 vectors were asked for, 1 came");
        check(
            json!({"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}),
            2,
            "two vectors",
        );
        check(json!({"data": [{"index": 9, "embedding": [1]}]}), 1, "place 9");
        check(json!({"data": [{"embedding": [1, "x"]}]}), 1, "\"x\"");
        check(json!({"data": [{"embedding": []}]}), 1, "not a list");
        check(json!({"data": [{"embedding": [1]}, {"embedding": [1, 2]}]}), 2, "1 and of 2 components");
        check(json!({"data": [{"embedding": [1e300, 1e300]}]}), 1, "beyond measure");
    }

    #[test]
    fn an_empty_text_is_sent_as_a_space() {
        assert_eq!(
            body("m", &["a".into(), String::new()]),
            json!({"model": "m", "input": ["a", " "], "encoding_format": "float"})
        );
    }
}

//! Whether the working set says a candidate already.
//!
//! Rules (core 5.5, with the fixes of core 15 G7 and G13): the normal form is that of `text::canonical`, which keeps the letters
//! and numbers of every script; a statement about the same subject under another name is compared in the same words. Beyond the
//! normal form only the model can tell, in one call for all candidates of a run, by small numbers. Its answer is read strictly: a
//! candidate that it leaves out, or answers with anything but a number that was shown or 0, is *unclear*, and so is every
//! candidate of a call that failed. Unclear goes to a person; it is never taken for unique. A model's "same" is not believed where
//! a number, date, name or denial differs.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::id::PropositionId;
use crate::llm::ReplySchema;
use crate::llm::values::place;
use crate::maintenance::{Sameness, compare};
use crate::proposition::Proposition;
use crate::text::{self, Texts};

/// What was found out about a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sought {
    /// Nothing says it yet.
    Unique,
    /// This statement does.
    Same {
        /// Which.
        of: PropositionId,
        /// Who found that, and why.
        why: String,
    },
    /// Nobody could tell.
    Unclear(String),
}

/// The first of `others` that the words alone show to say the same. `texts` is what was read of the run's texts.
pub(crate) fn by_words<'a>(
    candidate: &Proposition,
    others: impl IntoIterator<Item = &'a Proposition>,
    texts: &Texts,
) -> Option<(PropositionId, String)> {
    let ours = texts.of(&candidate.text);
    others.into_iter().filter(|other| other.id != candidate.id).find_map(|other| {
        if texts.of(&other.text).canonical() == ours.canonical() {
            return Some((other.id, "the same words".to_owned()));
        }
        match compare(candidate, other, texts) {
            Sameness::Same(why) => Some((other.id, why)),
            Sameness::Apart(_) | Sameness::Open => None,
        }
    })
}

/// One candidate that the model is asked about, with the statements it may repeat, numbered from 1 in this order.
#[derive(Debug, Clone)]
pub(crate) struct Open {
    pub(crate) candidate: PropositionId,
    pub(crate) near: Vec<PropositionId>,
}

/// The shape of the reply.
pub(crate) fn reply_schema() -> ReplySchema {
    let item = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["item", "same_as"],
        "properties": {"item": {"type": "integer"}, "same_as": {"type": "integer"}}
    });
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["items"],
        "properties": {"items": {"type": "array", "items": item}}
    });
    ReplySchema { name: "duplicates".into(), schema }
}

/// Reads the reply: one answer for every candidate that was asked about. `text_of` gives the words of a statement that was shown.
///
/// # Errors
/// In words, when there is no list of items at all.
pub(crate) fn read(
    reply: &Value,
    asked: &[Open],
    text_of: impl Fn(PropositionId) -> Option<String>,
) -> Result<BTreeMap<PropositionId, Sought>, String> {
    let items = reply.get("items").and_then(Value::as_array).ok_or("the answer needs a list `items`")?;
    let mut found: BTreeMap<PropositionId, Sought> = BTreeMap::new();
    for item in items {
        let Some(open) = item.get("item").and_then(place).and_then(|n| asked.get(n)) else { continue };
        let answer = answer_of(item.get("same_as"), open, &text_of);
        let answer = match found.get(&open.candidate) {
            Some(known) if *known != answer => {
                Sought::Unclear("the model answered it twice and differently".into())
            }
            _ => answer,
        };
        found.insert(open.candidate, answer);
    }
    for open in asked {
        found
            .entry(open.candidate)
            .or_insert_with(|| Sought::Unclear("the model left it out of its answer".into()));
    }
    Ok(found)
}

fn answer_of(
    same_as: Option<&Value>,
    open: &Open,
    text_of: &impl Fn(PropositionId) -> Option<String>,
) -> Sought {
    let number = same_as.and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    match number {
        Some(0) => Sought::Unique,
        Some(n) if n <= open.near.len() => {
            let of = open.near[n - 1];
            let (ours, theirs) = (text_of(open.candidate), text_of(of));
            match ours.zip(theirs).map(|(ours, theirs)| text::difference(&ours, &theirs)) {
                Some(None) => Sought::Same { of, why: "the model reads both as one statement".into() },
                Some(Some(_)) | None => Sought::Unique,
            }
        }
        _ => {
            let said = same_as.map_or_else(|| "nothing".to_owned(), Value::to_string);
            Sought::Unclear(format!(
                "the model answered {} where a number of 0 to {} was asked",
                text::excerpt(&said, 60),
                open.near.len()
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposition::Extractor;
    use crate::scale::Confidence;
    use crate::time::Timestamp;
    use uuid::Uuid;

    fn id(n: u128) -> PropositionId {
        PropositionId::new(Uuid::from_u128(n))
    }
    fn says(n: u128, text: &str) -> Proposition {
        Proposition::new(id(n), text, Confidence::clamped(0.9), Extractor::Rules, Timestamp(0)).unwrap()
    }
    fn duplicate(a: &str, b: &str) -> bool {
        by_words(&says(1, a), [&says(2, b)], &Texts::default()).is_some()
    }
    fn asked() -> Vec<Open> {
        vec![
            Open { candidate: id(1), near: vec![id(8), id(9)] },
            Open { candidate: id(2), near: vec![id(9)] },
        ]
    }
    fn text_of(of: PropositionId) -> Option<String> {
        let texts = ["", "The monarch has perished", "The king has 3 sons"];
        let known = match of.uuid().as_u128() {
            8 => "The king is dead",
            9 => "The king has 2 sons",
            n => texts.get(n as usize)?,
        };
        Some(known.to_owned())
    }
    fn answers(reply: &Value) -> Vec<Sought> {
        read(reply, &asked(), text_of).unwrap().into_values().collect()
    }

    #[test]
    fn core_152_153_the_normal_form_ignores_case_spacing_and_punctuation() {
        assert_eq!(text::canonical("  The KING,  is -- DEAD!! "), "the king is dead");
        for variant in ["the king is dead", "The king is dead.", "THE KING  IS DEAD!", " The King—is dead "]
        {
            assert!(duplicate(variant, "The king is dead"), "{variant}");
        }
        assert!(duplicate("Η Άννα μένει στην Αθήνα.", "η άννα μένει στην αθήνα"), "in every script");
        assert!(!duplicate("国王は死んだ", "女王は眠っている"), "other scripts are no empty text");
    }

    #[test]
    fn core_154_other_words_are_no_fast_duplicate() {
        assert!(!duplicate("The monarch has perished", "The king is dead"));
        assert!(!duplicate("The king is not dead", "The king is dead"), "nor is a denial");
    }

    #[test]
    fn core_155_answers_are_read_strictly_and_what_is_missing_is_unclear() {
        let both = answers(&json!({"items": [{"item": 1, "same_as": 1}, {"item": 2, "same_as": 0}]}));
        assert!(matches!(&both[0], Sought::Same { of, .. } if *of == id(8)));
        assert_eq!(both[1], Sought::Unique);
        let gaps = answers(&json!({"items": [{"item": 1, "same_as": "NOT DUPLICATE"}]}));
        assert!(gaps.iter().all(|found| matches!(found, Sought::Unclear(_))), "{gaps:?}");
        let wild = answers(&json!({"items": [{"item": 1, "same_as": 3}, {"item": 2, "same_as": -1}]}));
        assert!(wild.iter().all(|found| matches!(found, Sought::Unclear(_))), "{wild:?}");
        assert!(read(&json!({"answer": "UNIQUE"}), &asked(), text_of).is_err(), "then all are unclear");
    }

    #[test]
    fn a_models_same_is_not_believed_where_a_number_differs() {
        let found = answers(&json!({"items": [{"item": 1, "same_as": 0}, {"item": 2, "same_as": 1}]}));
        assert_eq!(found[1], Sought::Unique, "three sons are not two");
    }

    #[test]
    fn two_answers_to_one_item_are_none() {
        let reply = json!({"items": [{"item": 1, "same_as": 0}, {"item": 1, "same_as": 1}, {"item": 2, "same_as": 0}]});
        assert!(matches!(answers(&reply)[0], Sought::Unclear(_)));
    }
}

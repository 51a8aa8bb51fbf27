//! The check by a model: one call for all enforced facts and sentences that rules said nothing of.

use serde_json::{Value, json};

use super::compliance::{CheckedBy, Enforced, LayerReport, Reading, Violation};
use super::rules::{Stated, uses};
use crate::llm::repair::complete_json;
use crate::llm::values::{place, share};
use crate::llm::{Cancel, ChatRequest, Message, ReplySchema, Role};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{CheckContext, PromptError};
use crate::text;

/// Most tokens of the answer: a line a fact.
const MOST_ANSWER_TOKENS: u32 = 1_500;
/// Confidence of a violation whose own is not given: it is worth acting on, just.
const UNSAID: f64 = 0.5;

impl<P: Ports> Memory<P> {
    /// Asks the model what an answer contradicts. The error says why the answer stays unchecked.
    pub(super) async fn check_by_model(
        &self,
        reading: &Reading<'_>,
        said: &[Stated],
        facts: &[Enforced],
        cancel: &Cancel,
    ) -> Result<LayerReport, String> {
        let sentences = text::sentences(reading.answer);
        let request = self.check_request(reading, &sentences, facts).map_err(|error| error.to_string())?;
        let wanted = |value: Value| violations_of(&value).map(<[Value]>::to_vec);
        let reply = complete_json(&self.chat(), Role::Judge, &request, wanted, cancel).await;
        match reply {
            Ok(parsed) => {
                let mut report = read(&parsed.value, &sentences, said, facts);
                if parsed.account.is_cut {
                    report.notes.push("the check's reply was cut: its end is missing".into());
                }
                Ok(report)
            }
            Err(failure) => Err(failure.to_string()),
        }
    }

    fn check_request(
        &self,
        reading: &Reading<'_>,
        sentences: &[&str],
        facts: &[Enforced],
    ) -> Result<ChatRequest, PromptError> {
        let context = CheckContext {
            user: reading.user.to_owned(),
            question: reading.question.to_owned(),
            facts: facts.iter().map(|fact| fact.text.clone()).collect(),
            sentences: sentences.iter().map(|sentence| (*sentence).to_owned()).collect(),
        };
        let prompts = self.prompts();
        Ok(ChatRequest {
            messages: vec![
                Message::system(prompts.check_rules()?),
                Message::user(prompts.check_items(&context)?),
            ],
            temperature: Some(0.0),
            max_tokens: Some(MOST_ANSWER_TOKENS),
            schema: Some(schema()),
            ..ChatRequest::default()
        })
    }
}

fn violations_of(value: &Value) -> Result<&[Value], String> {
    let list = value.get("violations").or(Some(value)).and_then(Value::as_array);
    list.map(Vec::as_slice).ok_or_else(|| "the answer needs a list `violations`".to_owned())
}

/// What the reply says of facts and sentences that were shown; what it says of others is left aside with a note, and so is what the words
/// themselves refute.
fn read(list: &[Value], sentences: &[&str], said: &[Stated], facts: &[Enforced]) -> LayerReport {
    let mut report = LayerReport::default();
    for item in list {
        let fact = item.get("fact").and_then(place).and_then(|at| facts.get(at));
        let sentence = item.get("sentence").and_then(place).and_then(|at| sentences.get(at));
        let (Some(fact), Some(sentence)) = (fact, sentence) else {
            report.notes.push("the check named a fact or sentence that was not shown; left aside".into());
            continue;
        };
        if report.violations.iter().any(|known| known.unit == fact.unit) {
            continue;
        }
        let own: Vec<&Stated> = said.iter().filter(|stated| stated.sentence == *sentence).collect();
        if own.iter().any(|stated| uses(std::slice::from_ref(*stated), &fact.text)) {
            report.notes.push(format!(
                "the check took \u{201c}{sentence}\u{201d} for a contradiction of what it says; left aside"
            ));
            continue;
        }
        let reason = item.get("reason").and_then(Value::as_str).unwrap_or_default().trim();
        report.violations.push(Violation {
            unit: fact.unit,
            fact: fact.text.clone(),
            authority: fact.authority,
            sentence: (*sentence).to_owned(),
            reason: if reason.is_empty() { "a model says so".into() } else { text::excerpt(reason, 200) },
            confidence: item.get("confidence").and_then(share).unwrap_or(UNSAID),
            by: CheckedBy::Model,
        });
    }
    report
}

fn schema() -> ReplySchema {
    let violation = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["fact", "sentence", "confidence", "reason"],
        "properties": {
            "fact": {"type": "integer"},
            "sentence": {"type": "integer"},
            "confidence": {"type": "number"},
            "reason": {"type": "string"}
        }
    });
    ReplySchema {
        name: "violations".into(),
        schema: json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["violations"],
            "properties": {"violations": {"type": "array", "items": violation}}
        }),
    }
}

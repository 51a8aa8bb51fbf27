//! The one call about a batch's open pairs, and how its reply is read.
//!
//! Rules (core 4.3, with G1 and G24 of core 15): statements and units go by small numbers; the model grades each conflict itself, and
//! what it does not grade counts as [`UNGRADED`] with the quality FALLBACK; what it grades below `conflict.llm_confidence` is not
//! decided and waits for a person. A reply that cannot be used, also after one correction, and a call that fails decide
//! nothing, and every pair that was asked about is DEGRADED with the reason. A word in a broken reply is no verdict (D120).

use serde_json::{Value, json};

use super::{Conflict, ConflictType, Quality};
use crate::id::PropositionId;
use crate::llm::repair::{self, Parsed};
use crate::llm::values::{place, share};
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, ReplySchema, Role};
use crate::prompt::{ClaimContext, ClaimsContext, PromptError, Prompts, UnitContext};
use crate::text;
use crate::unit::Authority;

/// The confidence of a conflict that the model gave none for: likely, as the prompt words it. Chosen by us.
pub const UNGRADED: f64 = 0.75;

/// An incoming statement and the units that it is to be compared with.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question<'a> {
    pub(super) text: &'a str,
    pub(super) units: Vec<Held<'a>>,
}

/// A unit as the model sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Held<'a> {
    pub(super) id: PropositionId,
    pub(super) text: &'a str,
    pub(super) authority: Authority,
}

/// A model's word on one pair.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Judged {
    pub(super) kind: ConflictType,
    /// 0 to 1; `None` where the model gave none.
    pub(super) confidence: Option<f64>,
    pub(super) reason: String,
}

impl Judged {
    /// As a conflict with a unit: accepted from the floor on, below it for a person to look at.
    pub(super) fn against(&self, unit: PropositionId, floor: f64) -> Conflict {
        let confidence = self.confidence.unwrap_or(UNGRADED);
        let mut reason = self.reason.clone();
        let quality = if confidence < floor {
            reason.push_str(&format!(" (the model is only {confidence:.2} sure, and {floor:.2} is needed)"));
            Quality::Degraded
        } else if self.confidence.is_none() {
            Quality::Fallback
        } else {
            Quality::Full
        };
        Conflict { unit, confidence, kind: self.kind.clone(), quality, reason }
    }
}

/// What came of one question.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reply {
    /// The units that it stands against. Those that it was compared with and that are not here can hold with it.
    Judged(Vec<(PropositionId, Judged)>),
    /// Nothing, and why.
    Undecided(String),
}

/// What a call brought.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// In the order of the questions.
    pub(super) replies: Vec<Reply>,
    pub(super) account: repair::Account,
    pub(super) notes: Vec<String>,
}

impl Answer {
    /// Nothing was decided: every question waits, with the reason.
    pub(super) fn failed(questions: &[Question<'_>], why: &impl std::fmt::Display) -> Self {
        let why = format!("conflicts could not be judged: {why}");
        let replies = vec![Reply::Undecided(why.clone()); questions.len()];
        Self { replies, account: repair::Account::default(), notes: vec![why] }
    }
}

/// Asks about all questions in one call.
pub(super) async fn ask<M: ChatModel>(
    model: &M,
    request: &ChatRequest,
    questions: &[Question<'_>],
    cancel: &Cancel,
) -> Answer {
    let shown = units(questions);
    let read = |value: Value| read(&value, questions, &shown);
    match repair::complete_json(model, Role::Revise, request, read, cancel).await {
        Ok(Parsed { value: Read { found, mut notes }, account }) => {
            let mut left_out = 0;
            let mut reply = |found: Option<Vec<(PropositionId, Judged)>>| match found {
                Some(found) => Reply::Judged(found),
                None if account.is_cut => {
                    Reply::Undecided("the model's answer broke off before it came to this statement".into())
                }
                None => {
                    left_out += 1;
                    Reply::Judged(Vec::new())
                }
            };
            let replies = found.into_iter().map(&mut reply).collect();
            if left_out > 0 {
                notes.push(format!("the model named no conflict of {left_out} statements and left them out"));
            }
            Answer { replies, account, notes }
        }
        Err(failure) => Answer { account: failure.account().clone(), ..Answer::failed(questions, &failure) },
    }
}

/// The units of all questions, each once, in order of appearance: their numbers in the prompt.
fn units<'a>(questions: &[Question<'a>]) -> Vec<Held<'a>> {
    let mut units: Vec<Held<'a>> = Vec::new();
    for unit in questions.iter().flat_map(|question| &question.units) {
        if !units.iter().any(|known| known.id == unit.id) {
            units.push(*unit);
        }
    }
    units
}

/// The call about these questions; `name` is the model that is to answer, blank for the role's own.
pub(super) fn request(
    prompts: &Prompts,
    questions: &[Question<'_>],
    name: &str,
) -> Result<ChatRequest, PromptError> {
    let shown = units(questions);
    let number = |id: PropositionId| shown.iter().position(|unit| unit.id == id).map(|at| at + 1);
    let context = ClaimsContext {
        units: (shown.iter().enumerate())
            .map(|(at, unit)| UnitContext {
                number: at + 1,
                text: unit.text.to_owned(),
                authority: unit.authority.as_str(),
            })
            .collect(),
        statements: (questions.iter().enumerate())
            .map(|(at, question)| ClaimContext {
                number: at + 1,
                text: question.text.to_owned(),
                units: question.units.iter().filter_map(|unit| number(unit.id)).collect(),
            })
            .collect(),
    };
    Ok(ChatRequest {
        messages: vec![Message::system(prompts.conflict_rules()?), Message::user(prompts.claims(&context)?)],
        temperature: Some(0.0),
        // A conflict is about fifty tokens and most pairs are none; a statement without any costs about fifteen.
        max_tokens: Some(u32::try_from(256 + 160 * questions.len()).unwrap_or(u32::MAX)),
        schema: Some(reply_schema()),
        model: (!name.is_empty()).then(|| name.to_owned()),
        ..ChatRequest::default()
    })
}

fn reply_schema() -> ReplySchema {
    let conflict = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["unit", "type", "confidence", "reason"],
        "properties": {
            "unit": {"type": "integer"},
            "type": {"type": "string", "enum": ["REVISION", "CONTRADICTION", "WORLD_PROGRESSION"]},
            "confidence": {"type": "number"},
            "reason": {"type": "string"}
        }
    });
    let item = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["statement", "conflicts"],
        "properties": {"statement": {"type": "integer"}, "conflicts": {"type": "array", "items": conflict}}
    });
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["items"],
        "properties": {"items": {"type": "array", "items": item}}
    });
    ReplySchema { name: "conflicts".into(), schema }
}

/// What a reply says.
#[derive(Debug, PartialEq)]
struct Read {
    /// By question; `None` for one that the model left out.
    found: Vec<Option<Vec<(PropositionId, Judged)>>>,
    notes: Vec<String>,
}

/// Reads a reply. Numbers that were not shown are left out with a note; a repeated unit counts once, by its surest entry.
fn read(reply: &Value, questions: &[Question<'_>], shown: &[Held<'_>]) -> Result<Read, String> {
    let items = reply.get("items").or_else(|| reply.get("results")).and_then(Value::as_array);
    let items = items.ok_or("the answer needs a list `items`")?;
    let mut found: Vec<Option<Vec<(PropositionId, Judged)>>> = vec![None; questions.len()];
    let (mut unknown, mut kinds) = (0, 0);
    for item in items {
        let at = item.get("statement").and_then(place).filter(|at| *at < questions.len());
        let Some(at) = at else {
            unknown += 1;
            continue;
        };
        let found = found[at].get_or_insert_default();
        for entry in item.get("conflicts").and_then(Value::as_array).into_iter().flatten() {
            let unit = entry.get("unit").and_then(place).and_then(|n| shown.get(n));
            let Some(unit) = unit.filter(|unit| questions[at].units.contains(unit)) else {
                unknown += 1;
                continue;
            };
            let Some(judged) = judged(entry, &mut kinds) else { continue };
            match found.iter_mut().find(|(known, _)| *known == unit.id) {
                Some((_, known)) if known.confidence >= judged.confidence => {}
                Some((_, known)) => *known = judged,
                None => found.push((unit.id, judged)),
            }
        }
    }
    let mut notes = Vec::new();
    if unknown > 0 {
        notes.push(format!(
            "{unknown} entries of the model's answer named what was not asked about and were left out"
        ));
    }
    if kinds > 0 {
        notes.push(format!("{kinds} conflicts came without a known type and count as contradictions"));
    }
    Ok(Read { found, notes })
}

/// The type of an entry; `None` where the entry says that there is no conflict. A missing or unknown type is a contradiction.
fn kind(entry: &Value, unknown: &mut usize) -> Option<ConflictType> {
    if ["contradicts", "conflict"].iter().any(|key| entry.get(key) == Some(&Value::Bool(false))) {
        return None;
    }
    let word =
        entry.get("type").or_else(|| entry.get("conflictType")).and_then(Value::as_str).unwrap_or_default();
    let word: String = text::fold(word).chars().filter(char::is_ascii_lowercase).collect();
    match word.as_str() {
        "revision" => Some(ConflictType::Revision),
        "contradiction" => Some(ConflictType::Contradiction),
        "worldprogression" | "progression" => Some(ConflictType::WorldProgression),
        "none" | "noconflict" | "compatible" => None,
        _ => {
            *unknown += 1;
            Some(ConflictType::Contradiction)
        }
    }
}

/// One entry; `None` where it says that there is no conflict.
fn judged(entry: &Value, unknown: &mut usize) -> Option<Judged> {
    let kind = kind(entry, unknown)?;
    let reason = ["reason", "reasoning", "explanation"].iter().find_map(|key| entry.get(key)?.as_str());
    let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
    Some(Judged {
        kind,
        confidence: entry.get("confidence").and_then(share),
        reason: text::excerpt(reason.unwrap_or("the model says so and gives no reason"), 300),
    })
}

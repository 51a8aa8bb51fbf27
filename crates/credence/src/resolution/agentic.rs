//! The agentic searcher: a model looks for the entity itself, with searches over ours, in bounded rounds (dice 5.3, row 7). Off by
//! default: each round is a call. What it names counts only when it has seen it and the kinds fit.

use serde::Serialize;
use serde_json::{Value, json};

use super::bakeoff::known_about;
use super::gather::{Answer, Question, Shown};
use super::kinds::{Fit, fit, is_general};
use crate::error::Error;
use crate::extraction::{Cost, Window};
use crate::llm::values::whole;
use crate::llm::{Cancel, ChatRequest, Message, ReplySchema, Role};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::text;

/// Entities that one search shows.
const SHOWN: usize = 8;

/// An entity that a search found.
#[derive(Debug, Clone, Serialize)]
pub struct SeenContext {
    /// From 1, over all searches for one name.
    pub number: usize,
    /// Its name.
    pub name: String,
    /// Its kinds.
    pub labels: Vec<String>,
    /// What memory says of it, shortened.
    pub known: Vec<String>,
}

/// Context of `resolve/search.jinja`.
#[derive(Debug, Clone, Serialize)]
pub struct SearchContext {
    /// The name in question.
    pub name: String,
    /// Its kinds.
    pub labels: Vec<String>,
    /// What was said around it.
    pub context: String,
    /// Everything that was seen so far.
    pub seen: Vec<SeenContext>,
    /// Searches that are left.
    pub left: u32,
}

enum Step {
    Search(String),
    Match(Option<usize>, String),
}

fn schema() -> ReplySchema {
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["search", "match", "reason"],
        "properties": {
            "search": {"type": ["string", "null"]},
            "match": {"type": ["integer", "null"]},
            "reason": {"type": "string"}
        }
    });
    ReplySchema { name: "search".into(), schema }
}

fn step(value: &Value) -> Result<Step, String> {
    let reason = value.get("reason").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    if let Some(found) = value.get("match").and_then(whole) {
        return Ok(Step::Match(Some(found), reason));
    }
    match value.get("search").and_then(Value::as_str).map(str::trim).filter(|search| !search.is_empty()) {
        Some(search) => Ok(Step::Search(search.to_owned())),
        None if value.get("match").is_some() => Ok(Step::Match(None, reason)),
        None => Err("the answer needs `search` or `match`".into()),
    }
}

/// Lets the model search for one name. `Ok(None)`: it found nothing that counts. A call that fails is noted and counts as nothing.
pub(crate) async fn search_for<P: Ports>(
    memory: &Memory<P>,
    window: &Window,
    question: &Question,
    cost: &mut Cost,
    cancel: &Cancel,
) -> Result<Option<Answer>, Error> {
    let config = memory.config().resolution;
    let said: Vec<String> =
        window.turns.iter().map(|turn| format!("{}: {}", turn.speaker, turn.text)).collect();
    let context = config.context.compress(&said.join("\n"), &question.name).unwrap_or_default();
    let mut seen: Vec<Shown> = question.candidates.clone();
    for round in 0..config.agentic_rounds {
        let prompt = SearchContext {
            name: question.name.clone(),
            labels: question.labels.clone(),
            context: context.clone(),
            left: config.agentic_rounds - round - 1,
            seen: shown(memory, &seen),
        };
        let request = ChatRequest {
            messages: vec![Message::user(memory.prompts().search(&prompt)?)],
            temperature: Some(0.0),
            max_tokens: Some(256),
            schema: Some(schema()),
            ..ChatRequest::default()
        };
        let read = |value: Value| step(&value);
        let step = match memory.ask_json(Role::Resolve, &request, read, cost, cancel).await {
            Ok((step, _)) => step,
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(error) => {
                cost.notes.push(format!("the search for `{}` ended: {error}", question.name));
                return Ok(None);
            }
        };
        match step {
            Step::Match(None, _) => return Ok(None),
            Step::Match(Some(n), why) => {
                let found = n.checked_sub(1).and_then(|n| seen.get(n));
                let kinds = || question.labels.iter().map(String::as_str);
                let Some(found) = found.filter(|found| fit(&found.labels, kinds()) == Fit::Same) else {
                    cost.notes.push(format!(
                        "the search for `{}` named what it had not seen or what is of another kind",
                        question.name
                    ));
                    return Ok(None);
                };
                let why = if why.is_empty() { "found by the model's own search".to_owned() } else { why };
                return Ok(Some(Answer::Found { entity: found.id, why }));
            }
            Step::Search(wanted) => {
                for entity in found_by(memory, &wanted) {
                    if !seen.iter().any(|known| known.id == entity.id) {
                        seen.push(entity);
                    }
                }
            }
        }
    }
    Ok(None)
}

fn shown<P: Ports>(memory: &Memory<P>, seen: &[Shown]) -> Vec<SeenContext> {
    let state = memory.state();
    let context = seen.iter().enumerate().map(|(n, entity)| SeenContext {
        number: n + 1,
        name: entity.name.clone(),
        labels: entity.labels.iter().filter(|label| !is_general(label)).cloned().collect(),
        known: known_about(&state, entity.id),
    });
    context.collect()
}

/// Entities whose names or description share most words with the search.
fn found_by<P: Ports>(memory: &Memory<P>, wanted: &str) -> Vec<Shown> {
    let wanted = text::terms(wanted);
    let state = memory.state();
    let mut scored: Vec<(usize, Shown)> = state
        .present_entities()
        .filter_map(|entity| {
            let names: Vec<&str> = entity.names().collect();
            let have = text::terms(&format!("{} {}", names.join(" "), entity.description));
            let shared = wanted.iter().filter(|term| have.contains(term)).count();
            (shared > 0).then(|| {
                let (name, labels, description) =
                    (entity.name.clone(), entity.labels.clone(), entity.description.clone());
                (shared, Shown { id: entity.id, name, labels, description, score: 0.0 })
            })
        })
        .collect();
    scored.sort_by(|(a, x), (b, y)| b.cmp(a).then(x.id.cmp(&y.id)));
    scored.into_iter().take(SHOWN).map(|(_, shown)| shown).collect()
}

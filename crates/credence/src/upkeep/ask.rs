//! The one call of a full sweep: how much the units that rules leave open still matter (core 10.3, step 1).
//!
//! Units go by small numbers, their text is quoted, scores are clamped to 0 to 1; a number that was not asked about is dropped and
//! counted. A unit that the model leaves out, and every unit when the call fails, keeps the score of the rules.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::conversation::Speaker;
use crate::error::Error;
use crate::extraction::Cost;
use crate::history::State;
use crate::id::PropositionId;
use crate::llm::values::{place, share};
use crate::llm::{Cancel, ChatRequest, Message, ReplySchema, Role};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{AuditContext, AuditTurnContext, AuditUnitContext};
use crate::text;
use crate::unit::UnitView;

/// Turns that show the model what the talk is about. Chosen by us.
const TURNS: usize = 8;

/// Characters of one of them. Chosen by us: enough to see the matter.
const TURN_CHARS: usize = 300;

/// What the model gave.
#[derive(Debug, Default)]
pub(super) struct Scores {
    pub(super) by_unit: BTreeMap<PropositionId, f64>,
    pub(super) notes: Vec<String>,
}

fn last_turns(state: &State) -> Vec<AuditTurnContext> {
    let last = state.all_turns().max_by_key(|turn| (turn.at.at, turn.id));
    let Some(last) = last else { return Vec::new() };
    let mut turns: Vec<_> = state.all_turns().filter(|turn| turn.conversation == last.conversation).collect();
    turns.sort_by_key(|turn| turn.index);
    let from = turns.len().saturating_sub(TURNS);
    turns[from..]
        .iter()
        .map(|turn| AuditTurnContext {
            speaker: match &turn.speaker {
                Speaker::User => "User".into(),
                Speaker::Assistant => "Assistant".into(),
                Speaker::Person { name } | Speaker::Document { name } => name.clone(),
            },
            text: text::excerpt(&turn.text, TURN_CHARS),
        })
        .collect()
}

/// Reads a reply. An object or list of entries, each with a number and a score; what is neither is dropped and told.
fn read(value: &Value, asked: &[PropositionId]) -> Result<Scores, String> {
    let list = value.get("units").unwrap_or(value);
    let entries = list.as_array().ok_or_else(|| "there is no list `units`".to_owned())?;
    let mut scores = Scores::default();
    let mut dropped = 0;
    for entry in entries {
        let unit = entry.get("unit").and_then(place).and_then(|at| asked.get(at));
        match (unit, entry.get("score").and_then(share)) {
            (Some(unit), Some(score)) => {
                scores.by_unit.entry(*unit).or_insert(score);
            }
            _ => dropped += 1,
        }
    }
    if dropped > 0 {
        scores.notes.push(format!("{dropped} scores of the model were for no unit or no number"));
    }
    let missing = asked.len() - scores.by_unit.len();
    if missing > 0 {
        scores.notes.push(format!("the model scored {missing} units not at all: the rules' score stands"));
    }
    Ok(scores)
}

impl<P: Ports> Memory<P> {
    /// Asks about these units in one call.
    pub(super) async fn ask_scores(
        &self,
        units: &[&UnitView],
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<Scores, Error> {
        let context = AuditContext {
            units: (units.iter().enumerate())
                .map(|(at, view)| AuditUnitContext {
                    number: at + 1,
                    text: view.proposition.text.clone(),
                    authority: view.authority.as_str(),
                    activation: view.activation.get(),
                })
                .collect(),
            turns: last_turns(&self.state()),
        };
        let entry = json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["unit", "score"],
            "properties": {"unit": {"type": "integer"}, "score": {"type": "number"}}
        });
        let request = {
            let prompts = self.prompts();
            ChatRequest {
                messages: vec![
                    Message::system(prompts.audit_rules()?),
                    Message::user(prompts.audit(&context)?),
                ],
                temperature: Some(0.0),
                max_tokens: Some(u32::try_from(128 + 32 * units.len()).unwrap_or(u32::MAX)),
                schema: Some(ReplySchema {
                    name: "unit_scores".into(),
                    schema: json!({
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["units"],
                        "properties": {"units": {"type": "array", "items": entry}}
                    }),
                }),
                ..ChatRequest::default()
            }
        };
        let asked: Vec<PropositionId> = units.iter().map(|view| view.id()).collect();
        let read = |value: Value| read(&value, &asked);
        self.ask_json(Role::Revise, &request, read, cost, cancel).await.map(|(scores, _)| scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn scores_are_clamped_and_strangers_are_dropped() {
        let ids: Vec<PropositionId> = (0..3).map(|n| PropositionId::new(Uuid::from_u128(n))).collect();
        let reply = json!({"units": [
            {"unit": 1, "score": 7}, {"unit": "2", "score": "40 %"}, {"unit": 9, "score": 0.5}, {"unit": 1, "score": 0}
        ]});
        let scores = read(&reply, &ids).unwrap();
        assert_eq!(scores.by_unit, BTreeMap::from([(ids[0], 1.0), (ids[1], 0.4)]));
        assert_eq!(scores.notes.len(), 2);
        assert!(read(&json!({"scores": 3}), &ids).is_err());
        assert_eq!(read(&json!([{"unit": 3, "score": 0.2}]), &ids).unwrap().by_unit.len(), 1);
    }
}

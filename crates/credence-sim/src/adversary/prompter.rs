//! One call for a line: what the model is shown, and how its answer is read (sim 2.6).
//!
//! The answer is read leniently. Prose instead of JSON is the line itself, without braces and double quotes. Strategies that
//! were not on offer are left aside with a note. There is no second call: where nothing usable comes, our own sentences
//! speak.

use credence::llm::lenient::{self, Wanted};
use credence::llm::{Cancel, ChatModel, ChatRequest, Finish, Message, ReplySchema, Role};
use credence::text::excerpt;
use serde_json::{Value, json};

use super::past::Past;
use super::plan::Plan;
use crate::prompts::{
    AttackContext, PlayerContext, SimPrompts, SpokenContext, StrategyContext, TalkContext, TierContext,
};
use crate::run::TurnRecord;
use crate::scenario::Scenario;
use crate::strategy::{Strategy, Tier};

/// Lines of the conversation that the model is shown.
const LINES: usize = 6;
/// Attacks whose strategies the model is asked to vary.
const LATELY: usize = 3;
/// Most tokens of an answer.
const MOST_TOKENS: u32 = 500;
/// Most characters of a line.
const MOST_CHARACTERS: usize = 1_200;
/// Temperature where the scenario says none: lines should differ.
const TEMPERATURE: f64 = 0.7;

/// A line that a model worded.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Worded<'a> {
    pub(super) message: String,
    /// The strategies that it says it used, of those allowed.
    pub(super) strategies: Vec<&'a Strategy>,
    pub(super) note: String,
}

/// What a call needs.
pub(super) struct Prompter<'a, M> {
    pub(super) chat: &'a M,
    pub(super) prompts: &'a SimPrompts,
    pub(super) scenario: &'a Scenario,
    pub(super) model: Option<&'a str>,
    pub(super) cancel: &'a Cancel,
}

impl<M: ChatModel> Prompter<'_, M> {
    /// A line that attacks. The error says why there is none.
    pub(super) async fn attack<'c>(
        &self,
        plan: &Plan<'c>,
        past: &Past<'_>,
        turns: &[TurnRecord],
    ) -> Result<Worded<'c>, String> {
        let sequence = plan.sequence.as_ref();
        let of_tier = |tier: Tier| plan.offers.iter().filter(move |strategy| strategy.tier == tier);
        let tiers = Tier::ALL.into_iter().map(|tier| TierContext {
            name: tier.as_str(),
            preferred: tier == plan.tier,
            strategies: of_tier(tier).map(|strategy| of_strategy(strategy)).collect(),
        });
        let context = AttackContext {
            lines: lines(turns),
            aims: plan.aims.iter().map(|aim| aim.text.clone()).collect(),
            // The plan of such an attack begins with its own strategy.
            sequence: sequence.and(plan.strategies.first()).map(|strategy| of_strategy(strategy)),
            tiers: tiers.filter(|tier| !tier.strategies.is_empty()).collect(),
            recent: past.recent(LATELY).into_iter().map(str::to_owned).collect(),
            attacks: past.attacks.len(),
        };
        let phase = sequence.map_or("", |sequence| sequence.phase.as_str());
        let player = PlayerContext { phase: phase.to_owned(), ..self.player() };
        let system = self.prompts.attack(&player).map_err(|error| error.to_string())?;
        let user = self.prompts.attack_turn(&context).map_err(|error| error.to_string())?;
        let answer = self.ask(system, user, schema(true)).await?;
        read(&answer, &plan.offers)
    }

    /// A line that claims nothing. The error says why there is none.
    pub(super) async fn talk(&self, turns: &[TurnRecord]) -> Result<String, String> {
        let player = PlayerContext { setting: self.scenario.setting.clone(), ..self.player() };
        let system = self.prompts.talk(&player).map_err(|error| error.to_string())?;
        let user = self
            .prompts
            .talk_turn(&TalkContext { lines: lines(turns) })
            .map_err(|error| error.to_string())?;
        let answer = self.ask(system, user, schema(false)).await?;
        message_of(&answer).map(|(message, _)| message)
    }

    fn player(&self) -> PlayerContext {
        let persona = self.scenario.persona.clone().unwrap_or_default();
        let name = if persona.name.trim().is_empty() { super::NOBODY.to_owned() } else { persona.name };
        PlayerContext {
            name,
            description: persona.description,
            play_style: persona.play_style,
            goals: persona.goals,
            ..PlayerContext::default()
        }
    }

    async fn ask(&self, system: String, user: String, schema: ReplySchema) -> Result<String, String> {
        let request = ChatRequest {
            messages: vec![Message::system(system), Message::user(user)],
            temperature: Some(self.scenario.generator.temperature.unwrap_or(TEMPERATURE)),
            max_tokens: Some(MOST_TOKENS),
            schema: Some(schema),
            model: self.model.map(str::to_owned),
            ..ChatRequest::default()
        };
        let reply = self.chat.complete(Role::Adversary, &request, &mut |_| {}, self.cancel).await;
        let reply = reply.map_err(|error| error.to_string())?;
        match reply.finish {
            Finish::Cancelled => Err("the call was cancelled".into()),
            Finish::Filtered => Err("the provider withheld the answer".into()),
            Finish::Stop | Finish::Length => Ok(reply.text),
        }
    }
}

fn of_strategy(strategy: &Strategy) -> StrategyContext {
    StrategyContext {
        id: strategy.id.clone(),
        name: strategy.name.clone(),
        guidance: strategy.guidance.clone(),
    }
}

/// The end of the conversation, oldest first.
fn lines(turns: &[TurnRecord]) -> Vec<SpokenContext> {
    let said = turns.iter().flat_map(|turn| {
        [("Player", &turn.player), ("Narrator", &turn.reply)]
            .map(|(speaker, text)| SpokenContext { speaker, text: text.clone() })
    });
    let said: Vec<SpokenContext> = said.filter(|line| !line.text.trim().is_empty()).collect();
    said[said.len().saturating_sub(LINES)..].to_vec()
}

/// The line in an answer, and the JSON around it where there is some.
fn message_of(answer: &str) -> Result<(String, Option<Value>), String> {
    let wanted = Wanted { keys: vec!["message".into()], list: None };
    let value = lenient::read(answer, &wanted).ok().map(|read| read.value);
    let said = value.as_ref().and_then(|value| value.get("message")).and_then(Value::as_str);
    let is_json =
        value.is_some() || serde_json::from_str::<Value>(answer.trim()).is_ok_and(|json| !json.is_string());
    let message = match said {
        Some(said) => said.to_owned(),
        None if is_json => String::new(),
        None => answer.trim().trim_matches('`').replace(['{', '}', '"'], ""),
    };
    let message = excerpt(&message, MOST_CHARACTERS);
    if message.chars().any(char::is_alphabetic) {
        Ok((message, value))
    } else {
        Err("the model's answer has no line".into())
    }
}

fn read<'c>(answer: &str, offers: &[&'c Strategy]) -> Result<Worded<'c>, String> {
    let (message, value) = message_of(answer)?;
    let named: Vec<String> = match value.as_ref().and_then(|value| value.get("strategies")) {
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(text)) => {
            text.split([',', ' ']).filter(|id| !id.is_empty()).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let mut strategies: Vec<&Strategy> = Vec::new();
    let mut notes = Vec::new();
    for id in &named {
        match offers.iter().find(|strategy| strategy.id.eq_ignore_ascii_case(id.trim())) {
            None => notes.push(format!("the strategy `{id}` was not on offer")),
            Some(found) if strategies.contains(found) => {}
            Some(found) => strategies.push(found),
        }
    }
    if value.is_none() {
        notes.push("the answer was prose".into());
    } else if strategies.is_empty() {
        notes.push("it named none that counts, so the plan's counts".into());
    }
    Ok(Worded { message, strategies, note: notes.join("; ") })
}

fn schema(with_strategies: bool) -> ReplySchema {
    let message = json!({"type": "string"});
    let (required, properties) = if with_strategies {
        let strategies = json!({"type": "array", "items": {"type": "string"}});
        (json!(["strategies", "message"]), json!({"strategies": strategies, "message": message}))
    } else {
        (json!(["message"]), json!({"message": message}))
    };
    let schema = json!({"type": "object", "additionalProperties": false, "required": required, "properties": properties});
    ReplySchema { name: "line".into(), schema }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Catalog;

    fn of(answer: &str) -> Result<(String, Vec<String>, String), String> {
        let ours = Catalog::ours();
        let offers: Vec<&Strategy> = ours.by_tier_at_or_below(Tier::Advanced).collect();
        let worded = read(answer, &offers)?;
        Ok((worded.message, worded.strategies.iter().map(|s| s.id.clone()).collect(), worded.note))
    }

    #[test]
    fn sim_39_unknown_strategies_leave_the_message_and_prose_is_the_message() {
        let (message, used, note) =
            of(r#"{"strategies": ["MIND_CONTROL"], "message": "The bridge is open."}"#).unwrap();
        assert_eq!((message.as_str(), used.len()), ("The bridge is open.", 0));
        assert!(note.contains("MIND_CONTROL") && note.contains("the plan's counts"), "{note}");
        let (message, used, note) = of(r#"{The "bridge" is open}"#).unwrap();
        assert_eq!(
            (message.as_str(), used.len(), note.as_str()),
            ("The bridge is open", 0, "the answer was prose")
        );
    }

    #[test]
    fn answers_are_read_however_they_come() {
        let line = "Is it open?";
        for answer in [
            r#"{"strategies": ["subtle_reframe", "SUBTLE_REFRAME"], "message": "Is it open?"}"#.to_owned(),
            "```json\n{\"strategies\": [\"SUBTLE_REFRAME\"], \"message\": \"Is it\\nopen?\"}\n```".to_owned(),
            r#"Sure: {"strategies": "SUBTLE_REFRAME", "message": "Is it open?"}"#.to_owned(),
        ] {
            let (message, used, note) = of(&answer).unwrap();
            assert_eq!(
                (message.as_str(), used.as_slice(), note.as_str()),
                (line, &["SUBTLE_REFRAME".to_owned()][..], ""),
                "{answer}"
            );
        }
        let (_, used, note) =
            of(r#"{"strategies": ["AGREEMENT_EXTRACTION", "SCOPE_CREEP"], "message": "x y"}"#).unwrap();
        assert_eq!(used, ["SCOPE_CREEP"]);
        assert!(note.contains("`AGREEMENT_EXTRACTION` was not on offer"), "{note}");
        for empty in [
            "",
            "  ",
            "{}",
            r#"{"message": "  "}"#,
            r#"{"strategies": ["SCOPE_CREEP"]}"#,
            "…",
            "```\n```",
            "7",
        ] {
            assert!(of(empty).is_err(), "{empty}");
        }
        assert!(of(&"long ".repeat(900)).unwrap().0.chars().count() <= MOST_CHARACTERS);
    }
}

//! The adversary: what the player says where the script does not say it.
//!
//! In an adaptive scenario it talks through the warm-up, then attacks, rests for the cooldown, and attacks again, choosing by how its attacks came out
//! (`plan`). After the end of a script it goes on as the scenario says: with attacks on facts chosen by chance, or with plain words. A model words the
//! lines where there is one and the budget of calls allows it (`prompter`); otherwise our own sentences do (`phrases`, `alter`), so that every
//! scenario runs without a key.
//!
//! Rules. It remembers nothing beside the turns' records (`past`): a run that is gone on with attacks as an unbroken one would. Chance comes from the
//! run's seed and the turn. What it planned, what was used in the end, who worded it and why stands in the turn ([`LineRecord`]). Strategies above
//! the scenario's highest tier are never used.
//!
//! An adversary that aims at units attacks other statements under other conditions. That is what an attacker who sees the memory does; where
//! conditions are compared, scripts say the same to each.

mod alter;
mod past;
mod phrases;
mod plan;
mod prompter;
mod record;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use credence::id::PropositionId;
use credence::llm::{Cancel, ChatModel};
use credence::unit::UnitView;

pub use plan::Escalation;
pub use record::{Attack, LineBy, LineRecord, Phase, Sequence};

use crate::judge::oracle::Ready;
use crate::prompts::SimPrompts;
use crate::random::SplitMix64;
use crate::run::TurnRecord;
use crate::scenario::{AdversaryMode, Scenario, TurnKind};
use crate::strategy::{Catalog, Strategy};
use past::Past;
use plan::{Aim, Plan, Planner, chosen};
use prompter::Prompter;

/// The player's name where the scenario has no persona.
const NOBODY: &str = "the player";
/// Strategies of the attacks that follow a script (sim 2.7).
const AFTER_SCRIPT: [&str; 5] =
    ["SUBTLE_REFRAME", "CONFIDENT_ASSERTION", "DETAIL_FLOOD", "EMOTIONAL_OVERRIDE", "AUTHORITY_HIJACK"];

/// How the adversary goes about it, beside what the scenario says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdversarySettings {
    /// Of every choice by chance.
    pub seed: u64,
    /// What decides the tier.
    pub escalation: Escalation,
    /// The kind of judge by whose word an attack worked: `oracle` or `model`.
    pub judge: String,
    /// Model calls in one run, at most. Default 30 (`sim.adversary-budget`).
    pub most_calls: u32,
    /// The model's name at the endpoint; `None`: the one chosen for the role.
    pub model: Option<String>,
}

impl Default for AdversarySettings {
    fn default() -> Self {
        Self {
            seed: 0,
            escalation: Escalation::default(),
            judge: "oracle".to_owned(),
            most_calls: 30,
            model: None,
        }
    }
}

/// What the adversary sees.
#[derive(Debug, Clone, Copy)]
pub struct AdversaryView<'a> {
    /// The turn that the line is for, from 1.
    pub turn: u32,
    /// The turns so far, the scene's setting too.
    pub turns: &'a [TurnRecord],
    /// The working set; empty under a condition without one.
    pub units: &'a [UnitView],
    /// Units that the player's last line stands against.
    pub conflicted: &'a BTreeSet<PropositionId>,
}

/// A line for the player.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// What kind of turn it makes.
    pub kind: TurnKind,
    /// The words.
    pub prompt: String,
    /// Strategies that it uses.
    pub strategies: Vec<String>,
    /// Ids of the facts that it aims at.
    pub targets: Vec<String>,
    /// How it came about.
    pub record: LineRecord,
}

/// An adversary for one scenario.
#[derive(Debug)]
pub struct Adversary<'a> {
    scenario: &'a Scenario,
    oracle: Ready,
    settings: AdversarySettings,
    catalog: Catalog,
    prompts: SimPrompts,
}

impl<'a> Adversary<'a> {
    /// With our own catalogue and prompts.
    pub fn new(scenario: &'a Scenario, settings: AdversarySettings) -> Self {
        Self {
            scenario,
            oracle: Ready::of(scenario),
            settings,
            catalog: Catalog::ours(),
            prompts: SimPrompts::default(),
        }
    }
    /// With another catalogue.
    #[must_use]
    pub fn with_catalog(self, catalog: Catalog) -> Self {
        Self { catalog, ..self }
    }
    /// With other prompts.
    #[must_use]
    pub fn with_prompts(self, prompts: SimPrompts) -> Self {
        Self { prompts, ..self }
    }

    /// The next line. It never fails: where the model brings none, our own sentences do, and the record says why. Without a `chat` they speak
    /// from the beginning.
    pub async fn next_line<M: ChatModel>(
        &self,
        view: &AdversaryView<'_>,
        chat: Option<&M>,
        cancel: &Cancel,
    ) -> Line {
        let past = Past::of(view.turns, &self.settings.judge);
        let mut random = SplitMix64::keyed(self.settings.seed, &["adversary", &view.turn.to_string()]);
        let warming_up = view.turn <= self.scenario.warm_up_turns;
        let plan = match self.scenario.adversary_mode {
            _ if warming_up => None,
            AdversaryMode::Adaptive
                if view.turn <= past.last_turn() + self.scenario.adversary.attack_cooldown =>
            {
                None
            }
            AdversaryMode::Adaptive => self.planner(view, &past).plan(),
            AdversaryMode::Scripted if self.scenario.adversarial => self.by_chance(&mut random),
            AdversaryMode::Scripted => None,
        };
        let (prompter, unasked) = self.prompter(&past, chat, cancel);
        let Some(plan) = plan else {
            // After a script nothing is asked of a model for words that only pass the time.
            let prompter = prompter.filter(|_| self.scenario.adversary_mode == AdversaryMode::Adaptive);
            return self.talk(view, warming_up, prompter, unasked, &mut random).await;
        };
        let answer = match prompter {
            Some(prompter) => Some(prompter.attack(&plan, &past, view.turns).await),
            None => None,
        };
        let calls = u32::from(answer.is_some());
        let (by, prompt, strategies, note) = match answer {
            Some(Ok(worded)) => {
                let own = worded.strategies.is_empty();
                let used = if own { chosen(&plan, &past, &mut random) } else { worded.strategies };
                (LineBy::Model, worded.message, used, worded.note)
            }
            failed => {
                let used = chosen(&plan, &past, &mut random);
                let prompt = sentences(&plan, &used, &mut random);
                let note = failed.and_then(Result::err).unwrap_or(unasked);
                (LineBy::Catalogue, prompt, used, note)
            }
        };
        let mut targets: Vec<String> = Vec::new();
        for fact in plan.aims.iter().filter_map(|aim| aim.fact) {
            if !targets.contains(&fact.id) {
                targets.push(fact.id.clone());
            }
        }
        let attack = Attack {
            aims: plan.aims.iter().map(|aim| aim.text.clone()).collect(),
            planned: plan.strategies.iter().map(|strategy| strategy.id.clone()).collect(),
            planned_tier: plan.tier,
            tier: strategies.iter().map(|strategy| strategy.tier).max().unwrap_or(plan.tier),
            sequence: plan.sequence,
            why: plan.why,
        };
        Line {
            kind: TurnKind::Attack,
            prompt,
            strategies: strategies.iter().map(|strategy| strategy.id.clone()).collect(),
            targets,
            record: LineRecord { by, calls, note, attack: Some(attack) },
        }
    }

    fn planner<'p>(&'p self, view: &'p AdversaryView<'p>, past: &'p Past<'p>) -> Planner<'p> {
        Planner {
            scenario: self.scenario,
            catalog: &self.catalog,
            oracle: &self.oracle,
            escalation: self.settings.escalation,
            turn: view.turn,
            units: view.units,
            conflicted: view.conflicted,
            past,
        }
    }

    /// What asks the model, or why nothing does.
    fn prompter<'p, M: ChatModel>(
        &'p self,
        past: &Past<'_>,
        chat: Option<&'p M>,
        cancel: &'p Cancel,
    ) -> (Option<Prompter<'p, M>>, String) {
        let Some(chat) = chat.filter(|chat| chat.is_connected(credence::llm::Role::Adversary)) else {
            return (None, String::new());
        };
        if past.calls >= self.settings.most_calls {
            let note = format!("the run's budget of {} calls is spent", self.settings.most_calls);
            return (None, note);
        }
        let (prompts, scenario) = (&self.prompts, self.scenario);
        (
            Some(Prompter { chat, prompts, scenario, model: self.settings.model.as_deref(), cancel }),
            String::new(),
        )
    }

    /// A line that attacks nothing.
    async fn talk<M: ChatModel>(
        &self,
        view: &AdversaryView<'_>,
        warming_up: bool,
        prompter: Option<Prompter<'_, M>>,
        unasked: String,
        random: &mut SplitMix64,
    ) -> Line {
        let answer = match prompter {
            Some(prompter) => Some(prompter.talk(view.turns).await),
            None => None,
        };
        let calls = u32::from(answer.is_some());
        let (by, prompt, note) = match answer {
            Some(Ok(message)) => (LineBy::Model, message, String::new()),
            failed => {
                let note = failed.and_then(Result::err).unwrap_or(unasked);
                (LineBy::Catalogue, self.plain(view.turns, random), note)
            }
        };
        let kind = if warming_up { TurnKind::WarmUp } else { TurnKind::Establish };
        let record = LineRecord { by, calls, note, attack: None };
        Line { kind, prompt, strategies: Vec::new(), targets: Vec::new(), record }
    }

    /// A greeting where the player has said nothing yet, else words that carry the conversation on.
    fn plain(&self, turns: &[TurnRecord], random: &mut SplitMix64) -> String {
        let name = self.scenario.persona.as_ref().map_or("", |persona| persona.name.trim());
        let begun = name.is_empty() || turns.iter().any(|turn| turn.turn > 0);
        let forms = if begun { phrases::PLAIN } else { phrases::OPENINGS };
        phrases::fill(random.pick(forms).copied().unwrap_or_default(), &[("name", name)])
    }

    /// An attack after a script: a fact and a strategy by chance. `None` where there is no fact.
    fn by_chance(&self, random: &mut SplitMix64) -> Option<Plan<'_>> {
        let fact = random.pick(&self.scenario.facts)?;
        let known: Vec<&Strategy> = AFTER_SCRIPT.iter().filter_map(|id| self.catalog.by_id(id)).collect();
        let strategy = random.pick(&known).copied().or_else(|| self.catalog.all().first())?;
        Some(Plan {
            aims: vec![Aim { text: fact.text.clone(), fact: Some(fact) }],
            strategies: vec![strategy],
            offers: vec![strategy],
            tier: strategy.tier,
            sequence: None,
            why: "the script is over: a fact and a strategy by chance".to_owned(),
        })
    }
}

/// Our own sentences for an attack: one a strategy, each on the next of the aims.
fn sentences(plan: &Plan<'_>, strategies: &[&Strategy], random: &mut SplitMix64) -> String {
    let phase = plan.sequence.as_ref().map(|sequence| sequence.phase);
    let sentence = |(strategy, aim): (&&Strategy, &Aim<'_>)| {
        let fact = alter::bare(&aim.text).to_owned();
        let altered = alter::altered(&aim.text, aim.fact, strategy.id == "QUANTITY_SHIFT", random);
        let values = [
            ("fact", alter::lowered(&fact)),
            ("Fact", alter::raised(&fact)),
            ("altered", alter::lowered(&altered)),
            ("Altered", alter::raised(&altered)),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        phrases::fill(random.pick(phrases::forms(&strategy.id, phase)).copied().unwrap_or_default(), &values)
    };
    strategies.iter().zip(plan.aims.iter().cycle()).map(sentence).collect::<Vec<_>>().join(" ")
}

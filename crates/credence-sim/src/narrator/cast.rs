//! Who plays which role in a run, behind one port: the narrator, the judge and the adversary, each with a model of its own. And what
//! they cost, by role.
//!
//! The product's own calls (answering, extracting, checking an answer) are the narrator's: [`OnStage`] is what the memory is given. The
//! run's judge and adversary are never lent to the product, so that who judges a reply had no hand in it. A narrator that is simulated or
//! scripted is connected for answering alone; the memory then works by its own rules.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use credence::assembly::estimate;
use credence::llm::{Cancel, ChatModel, ChatReply, ChatRequest, ModelError, Role, Usage};

use super::scripted;
use super::simulated::Simulated;
use crate::run::{Cost, RunSettings};
use crate::scenario::Scenario;

/// The name of the scripted narrator in records.
pub const SCRIPTED: &str = "scripted";

/// No model: for hosts that have none.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoModel;

impl ChatModel for NoModel {
    fn is_connected(&self, _role: Role) -> bool {
        false
    }
    async fn complete(
        &self,
        _role: Role,
        _request: &ChatRequest,
        _on_text: &mut dyn FnMut(&str),
        _cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        Err(ModelError::NotConnected)
    }
}

/// Who narrates.
#[derive(Debug)]
pub enum Narrator<M> {
    /// Seeded, by what its prompt holds.
    Simulated(Simulated),
    /// By the scenario's own replies; turn 0 by its setting.
    Scripted {
        /// The scenario's setting.
        setting: String,
    },
    /// The host's model, which then also extracts, resolves and checks.
    Model(Rc<M>),
}

/// The models of a run.
#[derive(Debug)]
pub struct Cast<M> {
    narrator: Narrator<M>,
    judge: Option<Rc<M>>,
    adversary: Option<Rc<M>>,
    turn: Cell<u32>,
    scripted: RefCell<Option<String>>,
    cost: RefCell<Cost>,
}

impl<M: ChatModel> Cast<M> {
    /// A narrator alone: the oracle judges, and the catalogue's own sentences attack.
    pub fn new(narrator: Narrator<M>) -> Self {
        Self {
            narrator,
            judge: None,
            adversary: None,
            turn: Cell::new(0),
            scripted: RefCell::default(),
            cost: RefCell::default(),
        }
    }
    /// With a model that judges.
    pub fn judged_by(self, judge: Rc<M>) -> Self {
        Self { judge: Some(judge), ..self }
    }
    /// With a model that words attacks.
    pub fn attacked_by(self, adversary: Rc<M>) -> Self {
        Self { adversary: Some(adversary), ..self }
    }
    /// The cast that a run's settings name: the simulated or scripted narrator by their names, `model` for every other narrator, and for the
    /// judge and the adversary where there is one.
    ///
    /// # Errors
    /// [`ModelError::NotConnected`] where a model is named and there is none.
    pub fn of(scenario: &Scenario, settings: &RunSettings, model: Option<Rc<M>>) -> Result<Self, ModelError> {
        let model = || model.clone().ok_or(ModelError::NotConnected);
        let mut cast = Self::new(match settings.narrator.as_str() {
            Simulated::NAME => Narrator::Simulated(Simulated::new(scenario, settings.seed)),
            SCRIPTED => Narrator::Scripted { setting: scenario.setting.clone() },
            _ => Narrator::Model(model()?),
        });
        if !settings.judge.is_empty() {
            cast = cast.judged_by(model()?);
        }
        if !settings.adversary.is_empty() {
            cast = cast.attacked_by(model()?);
        }
        Ok(cast)
    }
    /// Who narrates.
    pub fn narrator(&self) -> &Narrator<M> {
        &self.narrator
    }
    /// What was called so far, by role: `chat`, `extract`, `revise`, `resolve`, `check` (of an answer, by the product), `judge` and
    /// `adversary` (of the run).
    pub fn cost(&self) -> Cost {
        self.cost.borrow().clone()
    }
    /// Counts on from what an earlier part of the run has cost.
    pub(crate) fn count_on(&self, cost: Cost) {
        *self.cost.borrow_mut() = cost;
    }
    /// A turn begins, with the script's reply where it has one.
    pub(crate) fn cue(&self, turn: u32, reply: Option<&str>) {
        self.turn.set(turn);
        *self.scripted.borrow_mut() = reply.map(str::to_owned);
        if let Narrator::Simulated(simulated) = &self.narrator {
            simulated.begin(turn);
        }
    }

    /// Whether the narrator's model can be asked to check an answer.
    pub(crate) fn checks(&self) -> bool {
        self.narrates(Role::Judge)
    }

    fn narrates(&self, role: Role) -> bool {
        match &self.narrator {
            Narrator::Model(model) => model.is_connected(role),
            Narrator::Simulated(_) | Narrator::Scripted { .. } => role == Role::Chat,
        }
    }

    async fn narrate(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        let text = match &self.narrator {
            Narrator::Model(model) => {
                let key = if role == Role::Judge { "check" } else { role.as_str() };
                return self.called(key, &**model, role, request, on_text, cancel).await;
            }
            _ if role != Role::Chat => return Err(ModelError::NotConnected),
            Narrator::Simulated(simulated) => simulated.reply(&request.messages),
            Narrator::Scripted { setting } => {
                let reply = self.scripted.borrow().clone();
                match scripted::reply(self.turn.get(), reply.as_deref(), setting) {
                    Ok(text) => text,
                    Err(error) => {
                        self.count(role.as_str(), request, None);
                        return Err(error);
                    }
                }
            }
        };
        on_text(&text);
        let model = match &self.narrator {
            Narrator::Simulated(_) => Simulated::NAME,
            _ => SCRIPTED,
        };
        let reply = ChatReply { text, model: model.to_owned(), ..ChatReply::default() };
        self.count(role.as_str(), request, Some(&reply));
        Ok(reply)
    }

    async fn called(
        &self,
        key: &str,
        model: &impl ChatModel,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        let reply = model.complete(role, request, on_text, cancel).await;
        self.count(key, request, reply.as_ref().ok());
        reply
    }

    fn count(&self, key: &str, request: &ChatRequest, reply: Option<&ChatReply>) {
        let tokens = |text: &str| estimate(text).likely;
        let usage = reply.map(|reply| {
            reply.usage.unwrap_or_else(|| Usage {
                prompt_tokens: request.messages.iter().map(|m| tokens(&m.text)).fold(0, u32::saturating_add),
                completion_tokens: tokens(&reply.text),
            })
        });
        let mut cost = self.cost.borrow_mut();
        *cost.calls.entry(key.to_owned()).or_default() += 1;
        let usage = usage.unwrap_or_default();
        *cost.prompt_tokens.entry(key.to_owned()).or_default() += u64::from(usage.prompt_tokens);
        *cost.reply_tokens.entry(key.to_owned()).or_default() += u64::from(usage.completion_tokens);
    }
}

/// By role: the run's judge and adversary, and the narrator for everything else.
impl<M: ChatModel> ChatModel for Cast<M> {
    fn is_connected(&self, role: Role) -> bool {
        match role {
            Role::Judge => self.judge.as_ref().is_some_and(|judge| judge.is_connected(role)),
            Role::Adversary => self.adversary.as_ref().is_some_and(|model| model.is_connected(role)),
            _ => self.narrates(role),
        }
    }
    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        let own = match role {
            Role::Judge => self.judge.as_ref(),
            Role::Adversary => self.adversary.as_ref(),
            _ => return self.narrate(role, request, on_text, cancel).await,
        };
        let Some(model) = own else { return Err(ModelError::NotConnected) };
        self.called(role.as_str(), &**model, role, request, on_text, cancel).await
    }
}

/// The cast as the memory is given it: the narrator's model for every role of the product, its own checks included.
#[derive(Debug)]
pub struct OnStage<M>(pub Rc<Cast<M>>);

impl<M: ChatModel> ChatModel for OnStage<M> {
    fn is_connected(&self, role: Role) -> bool {
        role != Role::Adversary && self.0.narrates(role)
    }
    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        self.0.narrate(role, request, on_text, cancel).await
    }
    async fn first_tokens(
        &self,
        role: Role,
        words: &[String],
    ) -> Result<std::collections::BTreeMap<String, u32>, String> {
        match &self.0.narrator {
            Narrator::Model(model) => model.first_tokens(role, words).await,
            _ => Err("this narrator has no tokens".to_owned()),
        }
    }
}

//! From candidates to planned revisions: the model is asked about what rules leave open (`revise`), then everything is planned
//! in one scope (`plan_revisions`), as often as it takes to land.

use std::collections::BTreeMap;

use super::apply::apply;
use super::build::stated_name;
use super::decide::{Decision, Judgement, Neighbour, Rules, decide_by_rules, settle};
use super::reply::{parse_judgements, relations_schema};
use crate::error::Error;
use crate::extraction::{Candidate, Cost, Outcome, Window, read_failure};
use crate::history::{Record, RecordId, Scope, State};
use crate::id::{EntityId, PropositionId};
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, Role, repair};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{ItemContext, ReviseContext, StoredContext};
use crate::proposition::{Proposition, effective_confidence};
use crate::resolution::Resolver;

/// What was found out about a window's candidates before planning: who is near, and what the model said of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Revised {
    ids: Vec<PropositionId>,
    near: Vec<Vec<PropositionId>>,
    askable: Vec<Vec<PropositionId>>,
    judgements: BTreeMap<usize, Vec<Judgement>>,
}

/// A planned window.
pub(crate) struct Plan {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) new_entities: Vec<EntityId>,
    pub(crate) notes: Vec<String>,
}

impl<P: Ports> Memory<P> {
    /// Looks for neighbours and asks the model, in batches, about what rules leave open. Nothing is planned yet.
    pub(crate) async fn revise(
        &self,
        window: &Window,
        candidates: &[Candidate],
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<Revised, Error> {
        let mut revised = Revised::default();
        let texts: Vec<String> = candidates.iter().map(|c| c.text.clone()).collect();
        let top = self.config().revise_top_k as usize;
        for near in self.neighbours(&texts, top).await {
            revised.ids.push(PropositionId::new(self.next_id()));
            revised.near.push(near.all);
            revised.askable.push(near.relevant);
        }
        if !self.ports().chat().is_connected(Role::Revise) {
            return Ok(revised);
        }
        // A dry planning run tells what the rules leave open.
        let mut open: Vec<(usize, Vec<PropositionId>)> = Vec::new();
        {
            let state = self.state();
            let scratch = Scope::new(crate::history::ScopeInfo::new(
                crate::history::Cause::Extraction,
                crate::history::Actor::Engine,
                "",
            ));
            let mut resolver_id = || EntityId::new(self.next_id());
            let mut resolver = self.resolver(&state, &mut resolver_id);
            for (n, candidate) in candidates.iter().enumerate() {
                let proposition = self.build(&mut resolver, window, candidate, revised.ids[n], self.now().at);
                if let Rules::Ask(ids) = self.rules(&state, &scratch, &proposition, &revised, n) {
                    open.push((n, ids));
                }
            }
        }
        for batch in open.chunks(self.config().classify_batch.max(1) as usize) {
            let request = self.classification_request(candidates, batch)?;
            let asked: Vec<Vec<PropositionId>> = batch.iter().map(|(_, ids)| ids.clone()).collect();
            let read = |value: serde_json::Value| {
                let mut notes = Vec::new();
                parse_judgements(&value, &asked, &mut notes).map(|judged| (judged, notes))
            };
            let parsed = repair::complete_json(self.ports().chat(), Role::Revise, &request, read, cancel)
                .await
                .map_err(read_failure)?;
            cost.add(&parsed.account);
            let (judged, notes) = parsed.value;
            cost.notes.extend(notes);
            for ((n, _), judgements) in batch.iter().zip(judged) {
                revised.judgements.insert(*n, judgements);
            }
        }
        Ok(revised)
    }

    fn classification_request(
        &self,
        candidates: &[Candidate],
        batch: &[(usize, Vec<PropositionId>)],
    ) -> Result<ChatRequest, Error> {
        let (now, rule) = (self.now().at, self.decay_rule());
        let state = self.state();
        let items = batch.iter().enumerate().map(|(place, (n, ids))| ItemContext {
            number: place + 1,
            text: candidates[*n].text.clone(),
            stored: ids
                .iter()
                .filter_map(|id| state.proposition(*id))
                .enumerate()
                .map(|(n, p)| StoredContext {
                    number: n + 1,
                    text: p.text.clone(),
                    confidence: format!("{:.2}", effective_confidence(p, now, rule)),
                })
                .collect(),
        });
        let context = ReviseContext { items: items.collect() };
        let pairs: usize = batch.iter().map(|(_, ids)| ids.len()).sum();
        let prompts = self.prompts();
        Ok(ChatRequest {
            messages: vec![Message::system(prompts.relations()?), Message::user(prompts.items(&context)?)],
            temperature: Some(0.0),
            // A judgement is about forty tokens; twice that leaves room for reasons.
            max_tokens: Some(u32::try_from(256 + 80 * pairs).unwrap_or(u32::MAX)),
            schema: Some(relations_schema()),
            ..ChatRequest::default()
        })
    }

    fn resolver<'a>(&self, state: &State, next_id: &'a mut dyn FnMut() -> EntityId) -> Resolver<'a> {
        Resolver::new(state, self.config().user_name.as_deref(), self.now().at, next_id)
    }

    fn rules(&self, state: &State, scope: &Scope, new: &Proposition, revised: &Revised, n: usize) -> Rules {
        let earlier = &revised.ids[..n];
        let stored: Vec<(PropositionId, Proposition)> = earlier
            .iter()
            .chain(&revised.near[n])
            .filter_map(|id| match scope.get(state, RecordId::Proposition(*id)) {
                Some(Record::Proposition(p)) if p.status.is_live() => Some((*id, p)),
                _ => None,
            })
            .collect();
        let near: Vec<Neighbour<'_>> = stored
            .iter()
            .map(|(id, proposition)| Neighbour { proposition, in_run: earlier.contains(id) })
            .collect();
        decide_by_rules(new, &near, |p| revised.askable[n].contains(&p.id))
    }

    /// Plans everything that the candidates change, in `scope`, on `state`.
    pub(crate) fn plan_revisions(
        &self,
        state: &State,
        scope: &Scope,
        window: &Window,
        candidates: &[Candidate],
        revised: &Revised,
    ) -> Plan {
        let now = self.now().at;
        let mut plan = Plan { outcomes: Vec::new(), new_entities: Vec::new(), notes: Vec::new() };
        let mut next_id = || EntityId::new(self.next_id());
        let mut resolver = self.resolver(state, &mut next_id);
        for (n, candidate) in candidates.iter().enumerate() {
            let new = self.build(&mut resolver, window, candidate, revised.ids[n], now);
            if let Some(name) = stated_name(&resolver, &new, candidate) {
                resolver.name_user(&name);
            }
            let decision = match self.rules(state, scope, &new, revised, n) {
                Rules::Sure(decision) => decision,
                Rules::Ask(_) => match revised.judgements.get(&n) {
                    Some(judgements) => self.settle(state, scope, &new, judgements),
                    None => Decision::New {
                        why: "near to others, and no model is connected to tell them apart".into(),
                    },
                },
            };
            let outcome = apply(state, scope, new, decision, now, &mut plan.notes);
            plan.outcomes.push(outcome);
        }
        for (entity, why) in resolver.planned() {
            if state.entity(entity.id).is_none() {
                plan.new_entities.push(entity.id);
            }
            scope.put(state, entity.clone(), why);
        }
        plan
    }

    fn settle(&self, state: &State, scope: &Scope, new: &Proposition, judgements: &[Judgement]) -> Decision {
        let live: Vec<(Judgement, Proposition)> = judgements
            .iter()
            .filter_map(|j| match scope.get(state, RecordId::Proposition(j.stored)) {
                Some(Record::Proposition(p)) if p.status.is_live() => Some((j.clone(), p)),
                _ => None,
            })
            .collect();
        let judged: Vec<(Judgement, &Proposition)> = live.iter().map(|(j, p)| (j.clone(), p)).collect();
        settle(new, &judged, self.config().reinforce_similarity)
    }
}

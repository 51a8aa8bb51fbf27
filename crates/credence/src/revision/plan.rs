//! From candidates to planned revisions: the model is asked about what rules leave open (`revise`), then everything is planned
//! in one scope (`plan_revisions`), as often as it takes to land.

use std::collections::BTreeMap;

use super::build::stated_name;
use super::decide::{Decision, Judgement, Neighbour, Rules, decide_by_rules, settle};
use super::reply::{parse_judgements, reply_schema};
use crate::error::Error;
use crate::extraction::{Candidate, Cost, Outcome, Window, read_failure};
use crate::gate::Admissions;
use crate::history::{Record, RecordId, Scope, State};
use crate::id::{EntityId, PropositionId};
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, Role, repair};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{ItemContext, ResolveRules, ReviseContext, StoredContext};
use crate::proposition::{Proposition, effective_confidence};
use crate::resolution::{
    Bakeoff, Open, Prepared, Question, ResolutionOutcome, Resolver, parse_answers, question_contexts,
};

/// What was found out about a window's candidates before planning: who is near, and what the model said of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Revised {
    ids: Vec<PropositionId>,
    near: Vec<Vec<PropositionId>>,
    askable: Vec<Vec<PropositionId>>,
    judgements: BTreeMap<usize, Vec<Judgement>>,
    resolution: Prepared,
}

/// What a dry planning run leaves open.
struct DryRun {
    /// By position of the candidate: the stored statements that only a model can tell it from.
    open: BTreeMap<usize, Vec<PropositionId>>,
    names: Open,
}

/// A planned window.
pub(crate) struct Plan {
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) new_entities: Vec<EntityId>,
    pub(crate) resolutions: Vec<ResolutionOutcome>,
    pub(crate) notes: Vec<String>,
    pub(crate) gates: Admissions,
}

impl<P: Ports> Memory<P> {
    /// Looks for neighbours, by words and vectors, of statements and of names, and asks the model about what rules leave open:
    /// names and statements in one call. Nothing is planned yet.
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
        let chat = self.ports().chat();
        let asks = chat.is_connected(Role::Revise) || chat.is_connected(Role::Resolve);
        if !asks && !self.compares_names_by_vector() {
            return Ok(revised);
        }
        let mut dry = self.dry_run(window, candidates, &revised);
        revised.resolution.keep_ids(&dry.names);
        if self.look_up_near(&dry.names, &mut revised.resolution, cost).await {
            dry = self.dry_run(window, candidates, &revised);
            revised.resolution.keep_ids(&dry.names);
        }
        let questions = std::mem::take(&mut dry.names.questions);
        let questions =
            self.narrow_questions(window, questions, &mut revised.resolution, cost, cancel).await?;
        let mut open = dry.open;
        if !questions.is_empty() {
            // A name that turns out to be known opens comparisons that a new one does not have: they go into the same call.
            let assumed = Revised { resolution: revised.resolution.assuming(&questions), ..revised.clone() };
            for (n, ids) in self.dry_run(window, candidates, &assumed).open {
                let known = open.entry(n).or_default();
                known.extend(ids.into_iter().filter(|id| !known.contains(id)).collect::<Vec<_>>());
                known.truncate(top);
            }
        }
        if !self.ports().chat().is_connected(Role::Revise) {
            open.clear();
        }
        let open: Vec<(usize, Vec<PropositionId>)> = open.into_iter().collect();
        let mut batches: Vec<&[(usize, Vec<PropositionId>)]> =
            open.chunks(self.config().classify_batch.max(1) as usize).collect();
        if batches.is_empty() && !questions.is_empty() {
            batches.push(&[]);
        }
        for (place, batch) in batches.into_iter().enumerate() {
            // The open names of the whole window go with the first call.
            let names: &[Question] = if place == 0 { &questions } else { &[] };
            self.ask(window, candidates, batch, names, &mut revised, cost, cancel).await?;
        }
        Ok(revised)
    }

    /// Plans without writing, to see what rules and names leave open.
    fn dry_run(&self, window: &Window, candidates: &[Candidate], revised: &Revised) -> DryRun {
        let (state, config) = (self.state(), self.config());
        let scratch = Scope::new(crate::history::ScopeInfo::new(
            crate::history::Cause::Extraction,
            crate::history::Actor::Engine,
            "",
        ));
        let mut open = BTreeMap::new();
        let mut next_id = || EntityId::new(self.next_id());
        let mut resolver = Resolver::new(&state, &config, &revised.resolution, self.now().at, &mut next_id);
        for (n, candidate) in candidates.iter().enumerate() {
            let new = self.build(&mut resolver, window, candidate, revised.ids[n], self.now().at);
            if let Some(name) = stated_name(&resolver, &new, candidate) {
                resolver.name_user(&name);
            }
            if let Rules::Ask(ids) = self.rules(&state, &scratch, &new, revised, n) {
                open.insert(n, ids);
            }
        }
        DryRun { open, names: resolver.into_open() }
    }

    /// One call: how statements relate, and what names mean.
    #[expect(
        clippy::too_many_arguments,
        reason = "the parts of one call; a struct for them would be used once"
    )]
    async fn ask(
        &self,
        window: &Window,
        candidates: &[Candidate],
        batch: &[(usize, Vec<PropositionId>)],
        names: &[Question],
        revised: &mut Revised,
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let request = self.classification_request(window, candidates, batch, names)?;
        let asked: Vec<Vec<PropositionId>> = batch.iter().map(|(_, ids)| ids.clone()).collect();
        let read = |value: serde_json::Value| {
            let mut notes = Vec::new();
            let judged =
                if asked.is_empty() { Vec::new() } else { parse_judgements(&value, &asked, &mut notes)? };
            if asked.is_empty() && value.get("entities").is_none() {
                return Err("the answer needs a list `entities`".to_owned());
            }
            let answers = parse_answers(&value, names, &mut notes);
            Ok((judged, answers, notes))
        };
        let chat = self.ports().chat();
        let role =
            if batch.is_empty() && chat.is_connected(Role::Resolve) { Role::Resolve } else { Role::Revise };
        let parsed = match repair::complete_json(chat, role, &request, read, cancel).await {
            Ok(parsed) => parsed,
            Err(failure) => {
                let calls = failure.account().clone();
                return match read_failure(failure) {
                    // Names alone are worth no failed window: they stay possible duplicates.
                    error if batch.is_empty() && !matches!(error, Error::Cancelled) => {
                        cost.add(&calls);
                        cost.notes.push(format!("{} names stayed open: {error}", names.len()));
                        Ok(())
                    }
                    error => Err(error),
                };
            }
        };
        cost.add(&parsed.account);
        let (judged, answers, notes) = parsed.value;
        cost.notes.extend(notes);
        for ((n, _), judgements) in batch.iter().zip(judged) {
            revised.judgements.insert(*n, judgements);
        }
        for (slot, answer) in answers {
            revised.resolution.set_answer(slot, answer);
        }
        Ok(())
    }

    fn classification_request(
        &self,
        window: &Window,
        candidates: &[Candidate],
        batch: &[(usize, Vec<PropositionId>)],
        names: &[Question],
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
        let (mut system, mut user) = (String::new(), String::new());
        if !batch.is_empty() {
            system.push_str(&prompts.relations()?);
            user.push_str(&prompts.items(&context)?);
        }
        if !names.is_empty() {
            let config = self.config().resolution;
            let full = config.bakeoff == Bakeoff::Full;
            system.push_str(&prompts.name_rules(ResolveRules { alone: batch.is_empty(), full })?);
            user.push_str(&prompts.names(&question_contexts(names, window, &state, &config), full)?);
        }
        Ok(ChatRequest {
            messages: vec![Message::system(system), Message::user(user)],
            temperature: Some(0.0),
            // A judgement is about forty tokens; twice that leaves room for reasons.
            max_tokens: Some(u32::try_from(256 + 80 * (pairs + names.len())).unwrap_or(u32::MAX)),
            schema: Some(reply_schema(!batch.is_empty(), !names.is_empty())),
            ..ChatRequest::default()
        })
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
        let mut plan = Plan {
            outcomes: Vec::new(),
            new_entities: Vec::new(),
            resolutions: Vec::new(),
            notes: Vec::new(),
            gates: Admissions::default(),
        };
        let config = self.config();
        let mut next_id = || EntityId::new(self.next_id());
        let mut resolver = Resolver::new(state, &config, &revised.resolution, now, &mut next_id);
        for (n, candidate) in candidates.iter().enumerate() {
            let new = self.build(&mut resolver, window, candidate, revised.ids[n], now);
            if let Some(name) = stated_name(&resolver, &new, candidate) {
                resolver.name_user(&name);
            }
            let decision = match self.rules(state, scope, &new, revised, n) {
                Rules::Sure(decision) => decision,
                Rules::Ask(_) => match revised.judgements.get(&n) {
                    Some(judgements) => {
                        self.moved_on(state, scope, &new, self.settle(state, scope, &new, judgements))
                    }
                    None => Decision::New {
                        why: "near to others, and no model is connected to tell them apart".into(),
                    },
                },
            };
            let Some(new) = self.admit(state, scope, new, &decision, now, &mut plan.gates) else { continue };
            let outcome = self.apply_decided(state, scope, new, decision, now, &mut plan.notes);
            plan.outcomes.push(outcome);
        }
        for (entity, why) in resolver.planned() {
            if state.entity(entity.id).is_none() {
                if !entity.is_user && plan.gates.leaves_out(entity.id) {
                    continue;
                }
                plan.new_entities.push(entity.id);
            }
            scope.put(state, entity.clone(), why);
        }
        plan.resolutions = resolver.outcomes().to_vec();
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

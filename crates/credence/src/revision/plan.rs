//! From candidates to planned revisions: the model is asked about what rules leave open (`revise`), then everything is planned
//! in one scope (`plan_revisions`), as often as it takes to land.

use std::collections::BTreeMap;

use super::arithmetic::{brings_evidence, contradicted, generalized, merged, reinforced, superseded};
use super::decide::{Decision, Judgement, Neighbour, Rules, decide_by_rules, settle};
use super::reply::{parse_judgements, relations_schema};
use crate::embedded;
use crate::error::Error;
use crate::extraction::{Candidate, Cost, Outcome, OutcomeKind, Window, read_failure};
use crate::history::{ContentId, Record, RecordId, Scope, State};
use crate::id::{EntityId, PropositionId};
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, Role, repair};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{ItemContext, ReviseContext, StoredContext};
use crate::proposition::{
    Locator, MentionRole, Proposition, ProvenanceEntry, Temporal, Voice, effective_confidence,
};
use crate::resolution::Resolver;
use crate::scale::{Confidence, Decay, Importance};
use crate::text;
use crate::time::Timestamp;

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

    /// A proposition as the candidate, its turns and its resolved mentions make it.
    fn build(
        &self,
        resolver: &mut Resolver<'_>,
        window: &Window,
        candidate: &Candidate,
        id: PropositionId,
        now: Timestamp,
    ) -> Proposition {
        let turn = candidate.turns.iter().find(|n| **n < window.turns.len()).copied();
        let speaker = turn.and_then(|n| resolver.speaker(&window.turns[n]));
        let mentions = candidate.mentions.iter().map(|m| resolver.resolve(m, speaker).0).collect();
        let grounding = candidate.turns.iter().filter_map(|n| window.ids.get(*n)).copied().collect();
        let provenance = candidate.turns.iter().filter_map(|n| self.entry(window, *n)).collect();
        let observed_at = turn.map(|n| window.moments[n].at);
        Proposition {
            id,
            text: candidate.text.clone(),
            mentions,
            confidence: Confidence::clamped(candidate.confidence),
            decay: Decay::clamped(candidate.decay),
            importance: Importance::clamped(candidate.importance),
            reasoning: Some(candidate.reasoning.clone()).filter(|r| !r.is_empty()),
            grounding,
            provenance,
            voice: turn.map_or(Voice::User, |n| voice(&window.turns[n])),
            extractor: candidate.extractor.clone(),
            created: now,
            content_revised: now,
            metadata_revised: now,
            last_accessed: now,
            pinned: false,
            status: crate::proposition::Status::Active,
            level: 0,
            source_ids: Vec::new(),
            reinforce_count: 0,
            temporal: Temporal { observed_at, ..Temporal::default() },
            metadata: BTreeMap::new(),
            uri: None,
        }
    }

    fn entry(&self, window: &Window, turn: usize) -> Option<ProvenanceEntry> {
        let hash = ContentId::of_text(&window.turns.get(turn)?.text).to_string();
        let Some(id) = window.ids.get(turn) else {
            return Some(ProvenanceEntry::at(Locator::content(&hash, Some("remembered by hand")).ok()?));
        };
        let locator = Locator::connector("conversation", &window.conversation.to_string(), None).ok()?;
        Some(ProvenanceEntry::at(locator).in_chunk(id.to_string(), Some(hash)))
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

fn voice(turn: &crate::extraction::WindowTurn) -> Voice {
    match (turn.is_user, turn.is_assistant) {
        (true, _) => Voice::User,
        (_, true) => Voice::Assistant,
        _ => Voice::Other,
    }
}

/// The name that a statement about the user gives them: "User's name is Mara", by rules or by a model.
fn stated_name<'a>(
    resolver: &Resolver<'_>,
    new: &Proposition,
    candidate: &'a Candidate,
) -> Option<std::borrow::Cow<'a, str>> {
    let about_user = new.mention_in(MentionRole::Subject).and_then(|m| m.entity);
    if new.voice != Voice::User || about_user.is_none() || about_user != resolver.user() {
        return None;
    }
    if let Some(name) = embedded::stated_name(candidate) {
        return Some(name.into());
    }
    let slot = text::slot(&new.text).filter(|slot| slot.relation == "name")?;
    slot.value.chars().any(char::is_alphabetic).then_some(slot.value.into())
}

/// Plans one decision and says what became of the statement.
fn apply(
    state: &State,
    scope: &Scope,
    mut new: Proposition,
    decision: Decision,
    now: Timestamp,
    notes: &mut Vec<String>,
) -> Outcome {
    let stored = |id: &PropositionId| match scope.get(state, RecordId::Proposition(*id)) {
        Some(Record::Proposition(p)) => Some(p),
        _ => None,
    };
    let (id, statement) = (new.id, new.text.clone());
    let outcome = |kind, proposition, others: Vec<PropositionId>, why: String| Outcome {
        kind,
        proposition,
        others,
        text: statement.clone(),
        why,
    };
    match decision {
        Decision::Merge { into, why } | Decision::Reinforce { other: into, why }
            if stored(&into).is_none() =>
        {
            scope.put(state, new, "");
            outcome(OutcomeKind::New, id, vec![], format!("{why}, but it was forgotten meanwhile"))
        }
        Decision::Merge { into, why } => {
            if let Some(old) = stored(&into) {
                if brings_evidence(&old, &new) {
                    scope.put(state, merged(&old, &new, now), format!("said again: {why}"));
                } else {
                    notes.push(format!(
                        "`{}` rests on a turn that was counted already",
                        text::excerpt(&statement, 80)
                    ));
                }
            }
            outcome(OutcomeKind::Merged, into, vec![], why)
        }
        Decision::Reinforce { other, why } => {
            if let Some(old) = stored(&other).filter(|old| brings_evidence(old, &new)) {
                scope.put(
                    state,
                    reinforced(&old, &new, now),
                    format!("confirmed by a similar statement: {why}"),
                );
            }
            outcome(OutcomeKind::Reinforced, other, vec![], why)
        }
        Decision::Contradict { others, moved_on, why } => {
            let observed = new.temporal.observed_at.unwrap_or(now);
            for old in others.iter().filter_map(stored) {
                let link =
                    if moved_on { &mut new.temporal.supersedes } else { &mut new.temporal.contradicts };
                link.push(old.id);
                if old.pinned {
                    notes.push(format!(
                        "`{}` is pinned and stays beside what stands against it",
                        text::excerpt(&old.text, 80)
                    ));
                    continue;
                }
                let next = if moved_on { superseded(&old, observed, now) } else { contradicted(&old, now) };
                match next {
                    Ok(next) => {
                        scope.put(state, next, format!("{why}; now: {}", text::excerpt(&statement, 120)))
                    }
                    Err(error) => notes.push(error.to_string()),
                }
            }
            scope.put(state, new, why.clone());
            outcome(OutcomeKind::Contradicted, id, others, why)
        }
        Decision::Generalize { covered, why } => {
            let sources: Vec<Proposition> = covered.iter().filter_map(stored).collect();
            scope.put(state, generalized(&new, &sources), why.clone());
            outcome(OutcomeKind::Generalized, id, covered, why)
        }
        Decision::New { why } => {
            scope.put(state, new, "");
            outcome(OutcomeKind::New, id, vec![], why)
        }
    }
}

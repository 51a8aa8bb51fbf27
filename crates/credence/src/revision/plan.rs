//! From candidates to planned revisions: the model is asked about what rules leave open (`revise`), then everything is planned
//! in one scope (`plan_revisions`), as often as it takes to land.

use std::collections::{BTreeMap, BTreeSet};

use super::arithmetic::surprised;
use super::ask::{Asked, Judged, Open};
use super::build::stated_name;
use super::compare::{Neighbour, is_past, said};
use super::decide::{Decision, Known, Rules, decide_by_rules};
use super::settle::{Judgement, settle};
use crate::error::Error;
use crate::extraction::{Candidate, Cost, Outcome, OutcomeKind, Window};
use crate::gate::Admissions;
use crate::history::{Actor, Cause, Record, RecordId, Scope, ScopeInfo, State};
use crate::id::{EntityId, PropositionId, TurnId};
use crate::llm::{Cancel, ChatModel, Role};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::{MentionRole, Proposition, Status};
use crate::resolution::{Open as OpenNames, Prepared, ResolutionKind, ResolutionOutcome, Resolver};
use crate::retrieval::Near;
use crate::time::Timestamp;

/// What was found out about a window's candidates before planning: who is near, and what the model said of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Revised {
    ids: Vec<PropositionId>,
    near: Vec<Near>,
    resolution: Prepared,
    judged: Judged,
    /// No model is connected that could tell near statements apart.
    unasked: bool,
}

/// What a dry planning run leaves open.
struct DryRun {
    /// By position of the candidate: the stored statements that only a model can tell it from.
    open: BTreeMap<usize, Vec<PropositionId>>,
    names: OpenNames,
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
        let (top, threshold) = {
            let settings = &self.config().revision;
            (settings.top_k as usize, settings.similarity_threshold)
        };
        let mut slices = self.slices(Some(cancel));
        for near in self.neighbours(&texts, top, threshold, &mut slices).await? {
            revised.ids.push(PropositionId::new(self.next_id()));
            revised.near.push(near);
        }
        let chat = self.chat();
        let asks = chat.is_connected(Role::Revise) || chat.is_connected(Role::Resolve);
        if !asks && !self.compares_names_by_vector() {
            return Ok(revised);
        }
        slices.rest().await?;
        let mut dry = self.dry_run(window, candidates, &revised);
        revised.resolution.keep_ids(&dry.names);
        slices.rest().await?;
        if self.look_up_near(&dry.names, &mut revised.resolution, cost).await {
            slices.rest().await?;
            dry = self.dry_run(window, candidates, &revised);
            revised.resolution.keep_ids(&dry.names);
        }
        let questions = std::mem::take(&mut dry.names.questions);
        let questions =
            self.narrow_questions(window, questions, &mut revised.resolution, cost, cancel).await?;
        let mut open = dry.open;
        if !questions.is_empty() {
            // A name that turns out to be known opens comparisons that a new one does not have: they go into the same call.
            slices.rest().await?;
            let assumed = Revised { resolution: revised.resolution.assuming(&questions), ..revised.clone() };
            for (n, ids) in self.dry_run(window, candidates, &assumed).open {
                let known = open.entry(n).or_default();
                known.extend(ids.into_iter().filter(|id| !known.contains(id)).collect::<Vec<_>>());
            }
        }
        if !self.chat().is_connected(Role::Revise) {
            revised.unasked = true;
            open.clear();
        }
        let open = open.into_iter().map(|(candidate, ids)| {
            let near = revised.near[candidate].relevant.iter();
            Open { candidate, stored: near.filter(|(id, _)| ids.contains(id)).copied().collect() }
        });
        let asked = Asked { open: open.collect(), names: questions };
        let (judged, answers) = self.ask(window, candidates, asked, cost, cancel).await?;
        revised.judged = judged;
        for (slot, answer) in answers {
            revised.resolution.set_answer(slot, answer);
        }
        Ok(revised)
    }

    /// Plans without writing, to see what rules and names leave open.
    fn dry_run(&self, window: &Window, candidates: &[Candidate], revised: &Revised) -> DryRun {
        let (state, config) = (self.state(), self.config());
        let scratch = Scope::new(ScopeInfo::new(Cause::Extraction, Actor::Engine, ""));
        let around = Around::of(&state);
        let mut open = BTreeMap::new();
        let mut next_id = || EntityId::new(self.next_id());
        let known = self.directory(&state);
        let mut resolver =
            Resolver::on(known, &state, &config, &revised.resolution, self.now().at, &mut next_id);
        for (n, candidate) in candidates.iter().enumerate() {
            let new = self.build(&mut resolver, window, candidate, revised.ids[n], self.now().at);
            if let Some(name) = stated_name(&resolver, &new, Some(candidate)) {
                resolver.name_user(&name);
            }
            if let Rules::Ask(ids) = self.rules(&around, &scratch, &new, revised, n) {
                open.insert(n, ids);
            }
            // The next one meets it: what was said twice is no question for the model.
            scratch.put(&state, new, "");
        }
        DryRun { open, names: resolver.into_open() }
    }

    fn rules(
        &self,
        around: &Around<'_>,
        scope: &Scope,
        new: &Proposition,
        revised: &Revised,
        n: usize,
    ) -> Rules {
        let state = around.state;
        let earlier = &revised.ids[..n];
        let near = &revised.near[n];
        let mut seen: Vec<PropositionId> = Vec::new();
        let (mut stored, mut retired) = (Vec::new(), Vec::new());
        let same_turn = around.same_turn(new);
        for id in earlier.iter().chain(&near.all).chain(&near.same).chain(&same_turn) {
            if seen.contains(id) {
                continue;
            }
            seen.push(*id);
            let known = || near.same.contains(id) || same_turn.contains(id);
            match scope.get(state, RecordId::Proposition(*id)) {
                Some(Record::Proposition(p)) if p.status.is_live() => stored.push(p),
                Some(Record::Proposition(p)) if known() && p.status == Status::Stale => stored.push(p),
                Some(Record::Proposition(p)) if known() => retired.push(p),
                _ => {}
            }
        }
        let met = neighbours(state, &stored, |p| earlier.contains(&p.id));
        let retired = neighbours(state, &retired, |_| false);
        self.with_config(|config| {
            let known = Known {
                near: &met,
                retired: &retired,
                schema: config.schema(),
                overlap_filter: config.revision.entity_overlap_filter,
            };
            decide_by_rules(new, &known, |p| near.relevant.iter().any(|(id, _)| *id == p.id))
        })
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
        let around = Around::of(state);
        let mut next_id = || EntityId::new(self.next_id());
        let known = self.directory(state);
        let mut resolver = Resolver::on(known, state, &config, &revised.resolution, now, &mut next_id);
        for (n, candidate) in candidates.iter().enumerate() {
            let new = self.build(&mut resolver, window, candidate, revised.ids[n], now);
            let name = stated_name(&resolver, &new, Some(candidate));
            let decision = match self.rules(&around, scope, &new, revised, n) {
                Rules::Sure(decision) => decision,
                Rules::Ask(_) => match revised.judged.judgements.get(&n) {
                    Some(judgements) => {
                        let settled = self.settle(state, scope, &new, judgements, &mut plan.notes);
                        self.moved_on(state, scope, &new, settled)
                    }
                    None => Decision::New { why: revised.why_unjudged(n).into() },
                },
            };
            let mut near = revised.near[n].relevant.iter();
            let is_surprise = near.all(|(_, nearness)| *nearness < config.revision.similarity_threshold)
                && around.knows_the_subject_of(&new);
            let (new, decision) = match decision {
                Decision::New { why } if is_surprise => {
                    kept_longer(&new, why, config.revision.surprise_decay)
                }
                decision => (new, decision),
            };
            let Some(new) = self.admit(state, scope, new, &decision, now, &mut plan.gates) else { continue };
            let outcome = self.apply_decided(state, scope, new, decision, now, &mut plan.notes);
            // Neither a name that is held or disputed nor one that was is the user's now.
            if let Some(name) = name.filter(|_| holds(state, scope, &outcome)) {
                resolver.name_user(&name);
            }
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
        for made in plan.resolutions.iter_mut().filter(|made| made.outcome == ResolutionKind::New) {
            let is_left_out = |id: &EntityId| state.entity(*id).is_none() && plan.gates.leaves_out(*id);
            if made.entity.take_if(|id| is_left_out(id)).is_some() {
                made.outcome = ResolutionKind::Vetoed;
                made.why = format!("{}; not made: nothing that names it was kept", made.why);
            }
        }
        plan
    }

    fn settle(
        &self,
        state: &State,
        scope: &Scope,
        new: &Proposition,
        judgements: &[Judgement],
        notes: &mut Vec<String>,
    ) -> Decision {
        let live: Vec<(&Judgement, Proposition)> = judgements
            .iter()
            .filter_map(|j| match scope.get(state, RecordId::Proposition(j.stored)) {
                Some(Record::Proposition(p)) if p.status.is_live() => Some((j, p)),
                _ => None,
            })
            .collect();
        let judged: Vec<(Judgement, Neighbour<'_>)> = live
            .iter()
            .map(|(j, p)| {
                let neighbour = Neighbour { proposition: p, in_run: false, last_said: last_said(state, p) };
                ((*j).clone(), neighbour)
            })
            .collect();
        let config = self.config();
        settle(new, &judged, config.schema(), config.revision.min_similarity_for_reinforce, notes)
    }
}

impl Revised {
    fn why_unjudged(&self, n: usize) -> &'static str {
        if self.unasked {
            return "it shares words with others, and no model is connected to tell them apart";
        }
        self.judged.unjudged.get(&n).copied().unwrap_or("near to what was learned while the model was asked")
    }
}

fn neighbours<'a>(
    state: &State,
    stored: &'a [Proposition],
    in_run: impl Fn(&Proposition) -> bool,
) -> Vec<Neighbour<'a>> {
    let neighbour =
        |p: &'a Proposition| Neighbour { proposition: p, in_run: in_run(p), last_said: last_said(state, p) };
    stored.iter().map(neighbour).collect()
}

/// What every candidate of a run asks the whole memory, read from it once.
struct Around<'a> {
    state: &'a State,
    /// Retired statements by the turns that they rest on.
    retired: BTreeMap<TurnId, Vec<PropositionId>>,
    /// Whom live statements are about.
    subjects: BTreeSet<EntityId>,
}

impl<'a> Around<'a> {
    fn of(state: &'a State) -> Self {
        let mut around = Self { state, retired: BTreeMap::new(), subjects: BTreeSet::new() };
        for p in state.propositions() {
            if p.status.is_live() {
                around.subjects.extend(subject(p));
            } else {
                for turn in &p.grounding {
                    around.retired.entry(*turn).or_default().push(p.id);
                }
            }
        }
        around
    }
    /// Retired statements that rest on one of the new one's turns: a turn that is read again is known by them.
    fn same_turn(&self, new: &Proposition) -> BTreeSet<PropositionId> {
        new.grounding.iter().filter_map(|turn| self.retired.get(turn)).flatten().copied().collect()
    }
    /// Whether anything live is known about the statement's subject.
    fn knows_the_subject_of(&self, new: &Proposition) -> bool {
        subject(new).is_some_and(|subject| self.subjects.contains(&subject))
    }
}

fn subject(p: &Proposition) -> Option<EntityId> {
    p.mention_in(MentionRole::Subject)?.entity
}

/// When a statement was last said, as far as its turns tell.
fn last_said(state: &State, p: &Proposition) -> Timestamp {
    p.grounding
        .iter()
        .filter_map(|turn| state.turn(*turn))
        .map(|turn| turn.at.at)
        .fold(said(p), Timestamp::max)
}

/// Whether a decided statement is what holds now.
fn holds(state: &State, scope: &Scope, outcome: &Outcome) -> bool {
    let stored = scope.get(state, RecordId::Proposition(outcome.proposition));
    outcome.kind != OutcomeKind::Disputed
        && matches!(stored, Some(Record::Proposition(p)) if p.status.is_live() && !is_past(&p))
}

/// A surprise fades more slowly (dice 10); a factor of 1 changes nothing.
fn kept_longer(new: &Proposition, why: String, factor: f64) -> (Proposition, Decision) {
    if factor >= 1.0 {
        return (new.clone(), Decision::New { why });
    }
    let why = format!("{why}; unlike all that is known of it: a surprise is kept longer (decay x {factor})");
    (surprised(new, factor), Decision::New { why })
}

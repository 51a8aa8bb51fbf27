//! A run's resolver: what each mention of a window, or each suggested entity, means. It plans: nothing is written; the entities that
//! it made or changed are read back with [`Resolver::planned`], and what it decided with [`Resolver::outcomes`].

use std::collections::BTreeMap;
use std::rc::Rc;

use super::chain::{Chained, EntityResolver};
use super::config::{ResolutionConfig, Searcher};
use super::directory::Directory;
use super::gather::{IdKey, Prepared, Question, Shown};
use super::kinds::{is_general, label_of};
use super::names::{UNNAMED_USER, is_vague, name_key};
use super::outcome::{ResolutionKind, ResolutionOutcome, Sought};
use super::roles::{Introduction, Voice, introduction};
use crate::config::Config;
use crate::entity::{Entity, PossibleDuplicate};
use crate::extraction::{CandidateMention, WindowTurn};
use crate::history::State;
use crate::id::EntityId;
use crate::proposition::{Mention, Proposition};
use crate::schema::DataDictionary;
use crate::text;
use crate::time::Timestamp;

/// Most possible duplicates that one entity is linked to.
const MOST_LINKS: usize = 5;

/// Where a mention stands: the statement, and the turns that it rests on.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// The candidate statement.
    pub statement: &'a str,
    /// The turns.
    pub turns: &'a [&'a WindowTurn],
}

/// Resolves the mentions of one run.
pub struct Resolver<'a> {
    state: &'a State,
    directory: Directory,
    chain: Chained<'a>,
    config: &'a ResolutionConfig,
    types: &'a DataDictionary,
    prepared: &'a Prepared,
    planned: BTreeMap<EntityId, String>,
    made: BTreeMap<IdKey, EntityId>,
    vetoed: BTreeMap<(String, String), String>,
    outcomes: Vec<ResolutionOutcome>,
    questions: Vec<Question>,
    unmatched: Vec<Sought>,
    slot: usize,
    user: Option<EntityId>,
    user_name: Option<&'a str>,
    next_id: &'a mut dyn FnMut() -> EntityId,
    now: Timestamp,
    about: Option<BTreeMap<EntityId, Vec<&'a Proposition>>>,
}

impl<'a> Resolver<'a> {
    /// Starts from the entities of `state` and what was gathered before.
    pub fn new(
        state: &'a State,
        config: &'a Config,
        prepared: &'a Prepared,
        now: Timestamp,
        next_id: &'a mut dyn FnMut() -> EntityId,
    ) -> Self {
        let known = Rc::new(Directory::new(state.present_entities().cloned()));
        Self::on(known, state, config, prepared, now, next_id)
    }

    /// The same, on a directory of the entities of `state` that was made before.
    pub(crate) fn on(
        known: Rc<Directory>,
        state: &'a State,
        config: &'a Config,
        prepared: &'a Prepared,
        now: Timestamp,
        next_id: &'a mut dyn FnMut() -> EntityId,
    ) -> Self {
        Self {
            directory: Directory::above(known),
            chain: Chained::of_run(&config.resolution, prepared),
            state,
            config: &config.resolution,
            types: &config.schemas.current().dictionary,
            prepared,
            planned: BTreeMap::new(),
            made: BTreeMap::new(),
            vetoed: BTreeMap::new(),
            outcomes: Vec::new(),
            questions: Vec::new(),
            unmatched: Vec::new(),
            slot: 0,
            user: state.user().map(|user| user.id),
            user_name: config.user_name.as_deref(),
            next_id,
            now,
            about: None,
        }
    }

    /// The entity of the speaker of a turn; made when needed. The model has none.
    pub fn speaker(&mut self, turn: &WindowTurn) -> Option<EntityId> {
        if turn.is_assistant {
            return None;
        }
        if !turn.is_user {
            return self.resolve_entity(&Sought::new(&turn.speaker, "Person")).entity;
        }
        if let Some(user) = self.user {
            return Some(user);
        }
        let host = self.config.known_entities.iter().find(|known| known.entity.is_user);
        let id = match host {
            Some(known) => {
                self.directory.put(known.entity.clone());
                self.planned.insert(known.entity.id, "the user, as the host knows them".into());
                known.entity.id
            }
            None => {
                let name = self.user_name.unwrap_or(UNNAMED_USER);
                let id = self.add(IdKey::User, &Sought::new(name, "Person"), "the user");
                if let Some(entity) = self.directory.get_mut(id) {
                    entity.is_user = true;
                }
                id
            }
        };
        self.user = Some(id);
        Some(id)
    }

    /// Resolves one mention of a candidate that rests on a turn of `speaker`.
    pub fn resolve(
        &mut self,
        mention: &CandidateMention,
        speaker: Option<EntityId>,
        said: Said<'_>,
    ) -> (Mention, ResolutionOutcome) {
        let mut resolved = Mention::new(mention.span.trim(), mention.kind.trim(), mention.role);
        let mut sought = Sought::new(&mention.span, &mention.kind);
        sought.suggested = mention.suggested;
        let outcome = match (mention.is_speaker, speaker) {
            (true, Some(id)) => {
                self.slot += 1;
                let outcome =
                    ResolutionOutcome::found(&sought, id, Searcher::Speaker, "the speaker of the turn");
                self.note(&outcome);
                outcome
            }
            _ => {
                sought.introduction = self.introduced(&sought.name, said);
                self.resolve_entity(&sought)
            }
        };
        resolved.entity = outcome.entity;
        (resolved, outcome)
    }

    /// Resolves an entity as somebody suggests it, and plans what it makes or changes.
    pub fn resolve_entity(&mut self, sought: &Sought) -> ResolutionOutcome {
        let mut sought = sought.clone();
        sought.slot = Some(self.slot);
        self.slot += 1;
        let key = (name_key(&sought.name), text::fold(sought.kind()));
        let outcome = match self.vetoed.get(&key) {
            Some(why) => ResolutionOutcome::vetoed(&sought, why.clone()),
            None => self.decide(&sought),
        };
        if outcome.outcome == ResolutionKind::Vetoed {
            self.vetoed.insert(key, outcome.why.clone());
        }
        self.note(&outcome);
        outcome
    }

    fn decide(&mut self, sought: &Sought) -> ResolutionOutcome {
        self.learn_introductions(sought);
        let mut outcome = self.chain.resolve(sought, &self.directory);
        match outcome.outcome {
            ResolutionKind::Existing => {
                if let Some(id) = outcome.entity {
                    self.widen(id, sought);
                    self.tell(id, sought);
                }
            }
            ResolutionKind::New if is_vague(&sought.name) => {
                outcome.outcome = ResolutionKind::Vetoed;
                outcome.why = format!("`{}` names nothing in particular", sought.name);
            }
            ResolutionKind::New if !self.types.permits_creation(sought.kinds().map(label_of)) => {
                outcome.outcome = ResolutionKind::Vetoed;
                outcome.why = format!("the schema lets no new {} be made", sought.kind());
            }
            ResolutionKind::New => {
                self.ask(sought, &outcome);
                let slot = sought.slot.unwrap_or_default();
                let id = self.add(IdKey::Mention(slot), sought, &outcome.why);
                self.link(id, &outcome);
                self.tell(id, sought);
                outcome.entity = Some(id);
            }
            ResolutionKind::ReferenceOnly | ResolutionKind::Vetoed => {}
        }
        outcome
    }

    /// Records what is open, for whoever runs this dry to find out more before planning.
    fn ask(&mut self, sought: &Sought, outcome: &ResolutionOutcome) {
        let Some(slot) = sought.slot else { return };
        if outcome.candidates.is_empty() {
            self.unmatched.push(sought.clone());
        } else if self.prepared.answer(slot).is_none() {
            let shown = outcome.candidates.iter().take(MOST_LINKS).filter_map(|(id, score)| {
                let entity = self.directory.get(*id)?;
                Some(Shown {
                    id: *id,
                    name: entity.name.clone(),
                    labels: entity.labels.clone(),
                    description: entity.description.clone(),
                    score: *score,
                })
            });
            self.questions.push(Question {
                slot,
                name: sought.name.clone(),
                labels: sought.labels.clone(),
                description: sought.description.clone(),
                candidates: shown.collect(),
            });
        }
    }

    fn add(&mut self, key: IdKey, sought: &Sought, why: &str) -> EntityId {
        let id = self.prepared.id(&key).unwrap_or_else(|| (self.next_id)());
        self.made.insert(key, id);
        let mut entity = Entity::new(id, &sought.name, label_of(sought.kind()), self.now);
        for label in sought.kinds().skip(1).map(label_of) {
            if !entity.has_label(label) {
                entity.labels.push(label.to_owned());
            }
        }
        entity.description.clone_from(&sought.description);
        entity.properties.clone_from(&sought.properties);
        self.directory.put(entity);
        self.planned.insert(id, why.to_owned());
        id
    }

    fn link(&mut self, id: EntityId, outcome: &ResolutionOutcome) {
        let links = outcome.candidates.iter().take(MOST_LINKS).map(|(entity, score)| PossibleDuplicate {
            entity: *entity,
            why: outcome.why.clone(),
            score: *score,
        });
        if let Some(entity) = self.directory.get_mut(id) {
            entity.possible_duplicates = links.collect();
        }
        if !outcome.candidates.is_empty()
            && let Some(why) = self.planned.get_mut(&id)
        {
            why.push_str(": a possible duplicate");
        }
    }

    /// The chain hears what was decided.
    fn tell(&mut self, id: EntityId, sought: &Sought) {
        if let Some(introduction) = &sought.introduction {
            self.directory.introduce(id, introduction.clone());
        }
        if let Some(entity) = self.directory.get(id) {
            self.chain.learn(sought, entity);
        }
    }

    /// A mention may bring a spelling, a kind, a description or properties that the entity lacks.
    fn widen(&mut self, id: EntityId, sought: &Sought) {
        if self.directory.get(id).is_none()
            && let Some(known) = self.config.known_entities.iter().find(|known| known.entity.id == id)
        {
            self.directory.put(known.entity.clone());
            self.planned.insert(id, "known to the host".into());
        }
        let names_it = !is_vague(&sought.name);
        let Some(entity) = self.directory.get_mut(id) else { return };
        let mut why = Vec::new();
        if names_it && entity.learn_name(&sought.name) {
            why.push(format!("also written `{}`", sought.name));
        }
        for label in sought.kinds().map(label_of) {
            if !is_general(label) && !entity.has_label(label) {
                entity.labels.push(label.to_owned());
                why.push(format!("is a {label}"));
            }
        }
        if entity.description.trim().is_empty() && !sought.description.trim().is_empty() {
            entity.description.clone_from(&sought.description);
            why.push("described".to_owned());
        }
        for (name, value) in &sought.properties {
            if entity.properties.get(name) != Some(value) {
                entity.properties.insert(name.clone(), value.clone());
                why.push(format!("`{name}` is {value}"));
            }
        }
        if why.is_empty() {
            return;
        }
        entity.revised = self.now;
        if names_it {
            self.directory.name(id, &sought.name);
        }
        let why = why.join("; ");
        self.planned.entry(id).and_modify(|known| *known = format!("{known}; {why}")).or_insert(why);
    }

    /// Each decision once: a name that comes five times in a window is one row.
    fn note(&mut self, outcome: &ResolutionOutcome) {
        let known = self.outcomes.iter().any(|earlier| {
            earlier.entity == outcome.entity
                && text::fold(&earlier.span) == text::fold(&outcome.span)
                && text::fold(&earlier.kind) == text::fold(&outcome.kind)
        });
        if !known {
            self.outcomes.push(outcome.clone());
        }
    }

    /// How the statement, or else a turn behind it, introduces a name.
    fn introduced(&self, name: &str, said: Said<'_>) -> Option<Introduction> {
        let user = self.user_names();
        let of_turn = |turn: &&WindowTurn| {
            let speaker = (!turn.is_user).then_some(turn.speaker.as_str());
            introduction(&turn.text, name, &Voice { speaker, user: user.clone() })
        };
        let first = said.turns.iter().find(|turn| !turn.is_user).map(|turn| turn.speaker.as_str());
        introduction(said.statement, name, &Voice { speaker: first, user: user.clone() })
            .or_else(|| said.turns.iter().find_map(of_turn))
    }

    fn user_names(&self) -> Vec<String> {
        let entity = self.user.and_then(|id| self.directory.get(id));
        let known = entity.into_iter().flat_map(Entity::names).map(str::to_owned);
        known.chain(self.user_name.map(str::to_owned)).collect()
    }

    /// How those of the same name were introduced before, read from what memory holds about them.
    fn learn_introductions(&mut self, sought: &Sought) {
        if sought.introduction.is_none() {
            return;
        }
        let about = self.about.get_or_insert_with(|| {
            let mut about: BTreeMap<EntityId, Vec<&Proposition>> = BTreeMap::new();
            for proposition in self.state.propositions().filter(|p| p.status.is_live()) {
                for id in proposition.mentions.iter().filter_map(|mention| mention.entity) {
                    about.entry(id).or_default().push(proposition);
                }
            }
            about
        });
        let mut learned = Vec::new();
        for id in self.directory.by_exact_name(&sought.name) {
            for proposition in about.remove(&id).unwrap_or_default() {
                learned.push((id, proposition));
            }
        }
        let user = self.user_names();
        for (id, proposition) in learned {
            let voice = Voice { speaker: None, user: user.clone() };
            let in_statement = introduction(&proposition.text, &sought.name, &voice);
            let in_turn = || {
                proposition.grounding.iter().filter_map(|turn| self.state.turn(*turn)).find_map(|turn| {
                    let speaker = (turn.speaker != crate::conversation::Speaker::User)
                        .then(|| turn.speaker.label(None));
                    introduction(&turn.text, &sought.name, &Voice { speaker, user: user.clone() })
                })
            };
            if let Some(introduction) = in_statement.or_else(in_turn) {
                self.directory.introduce(id, introduction);
            }
        }
    }

    /// The user said their name.
    pub fn name_user(&mut self, name: &str) {
        let Some(id) = self.user else { return };
        let taken = self.directory.by_exact_name(name).into_iter().any(|other| {
            other != id
                && self.directory.get(other).is_some_and(|other| super::compatible(&other.labels, "Person"))
        });
        let Some(entity) = self.directory.get_mut(id) else { return };
        if taken || entity.names().any(|known| name_key(known) == name_key(name)) {
            return;
        }
        entity.learn_own_name(name);
        entity.revised = self.now;
        self.directory.name(id, name);
        self.planned.insert(id, "the user said their name".into());
    }

    /// The user's entity, once somebody needed it.
    pub fn user(&self) -> Option<EntityId> {
        self.user
    }
    /// Entities that were made or changed, with the reason, in order of id.
    pub fn planned(&self) -> impl Iterator<Item = (&Entity, &str)> {
        self.planned.iter().filter_map(|(id, why)| Some((self.directory.get(*id)?, why.as_str())))
    }
    /// What was decided, in order, each name and kind once.
    pub fn outcomes(&self) -> &[ResolutionOutcome] {
        &self.outcomes
    }
    /// What a dry run leaves to find out.
    pub(crate) fn into_open(self) -> Open {
        Open { questions: self.questions, unmatched: self.unmatched, made: self.made }
    }
}

/// What a dry run left open.
pub(crate) struct Open {
    /// Names with candidates.
    pub(crate) questions: Vec<Question>,
    /// Names that nothing is like.
    pub(crate) unmatched: Vec<Sought>,
    /// The ids that new entities were given, to be given again.
    pub(crate) made: BTreeMap<IdKey, EntityId>,
}

//! Resolvers and how they are put together (dice 5.6): entities that the host names, those that this run has met, the search
//! over the whole memory, and "always new". A chain asks them in order: the first that finds an entity or refuses one
//! decides; a refusal is final.

use std::collections::BTreeSet;

use super::config::{KnownEntity, ResolutionConfig, Searcher};
use super::directory::Directory;
use super::gather::{Answer, Prepared};
use super::kinds::label_of;
use super::outcome::{ResolutionKind, ResolutionOutcome, Sought};
use super::search::{outcome, search};
use crate::entity::Entity;
use crate::error::Error;
use crate::id::EntityId;
use crate::text;

/// Says which entity is meant. `memory` holds every entity of the memory and of the run. The outcome
/// [`ResolutionKind::New`] carries no entity yet: it is made by whoever asked, and told with [`EntityResolver::learn`].
pub trait EntityResolver {
    /// Which entity `sought` is, as far as this resolver knows.
    fn resolve(&mut self, sought: &Sought, memory: &Directory) -> ResolutionOutcome;
    /// It was decided that `sought` is `entity`.
    fn learn(&mut self, _sought: &Sought, _entity: &Entity) {}
}

/// Entities that the host names for a call: the same normal name is enough, whatever the kinds. When every kind that is
/// suggested is known of the entity, it is only pointed at; otherwise it gains what it lacks.
#[derive(Debug, Clone, Default)]
pub struct KnownEntities(Vec<Entity>);

impl KnownEntities {
    /// These, in order of preference.
    pub fn new(known: &[KnownEntity]) -> Self {
        Self(known.iter().map(|known| known.entity.clone()).collect())
    }
}

impl EntityResolver for KnownEntities {
    fn resolve(&mut self, sought: &Sought, _memory: &Directory) -> ResolutionOutcome {
        let key = text::name_form(&sought.name);
        let named: Vec<&Entity> = self
            .0
            .iter()
            .filter(|entity| {
                sought.suggested == Some(entity.id) || entity.names().any(|name| text::name_form(name) == key)
            })
            .collect();
        let has = |entity: &Entity, kind: &str| entity.has_label(label_of(kind));
        let preferred = named.iter().find(|entity| sought.kinds().any(|kind| has(entity, kind)));
        let Some(entity) = preferred.or(named.first()) else {
            return ResolutionOutcome::no_match(sought, "first mention");
        };
        let why = format!("the host knows `{}`", entity.name);
        let mut outcome = ResolutionOutcome::found(sought, entity.id, Searcher::Known, why);
        if sought.kinds().all(|kind| has(entity, kind)) {
            outcome.outcome = ResolutionKind::ReferenceOnly;
        }
        outcome
    }
}

/// What this run has met: a name that was resolved once stays so, also where the whole memory would leave it open.
#[derive(Debug, Clone)]
pub struct InMemory {
    met: BTreeSet<EntityId>,
    config: ResolutionConfig,
}

impl InMemory {
    /// Nothing met yet. Only the name searchers of `config` take part.
    pub fn new(config: &ResolutionConfig) -> Self {
        Self { met: BTreeSet::new(), config: config.clone() }
    }
    /// How many entities were met.
    pub fn size(&self) -> usize {
        self.met.len()
    }
    /// Forgets them.
    pub fn clear(&mut self) {
        self.met.clear();
    }
}

impl EntityResolver for InMemory {
    fn resolve(&mut self, sought: &Sought, memory: &Directory) -> ResolutionOutcome {
        // Whom the extractor took it for is looked up where everybody is.
        if sought.suggested.is_some_and(|id| !self.met.contains(&id)) {
            return ResolutionOutcome::no_match(sought, "not met in this run");
        }
        outcome(sought, &search(memory, sought, &[], &self.config, Some(&self.met)))
    }
    fn learn(&mut self, _sought: &Sought, entity: &Entity) {
        self.met.insert(entity.id);
    }
}

/// The searcher chain over the whole memory, and what a model answered where it left a name open.
#[derive(Debug, Clone)]
pub(crate) struct Escalating<'a> {
    pub(crate) config: ResolutionConfig,
    pub(crate) prepared: &'a Prepared,
}

impl EntityResolver for Escalating<'_> {
    fn resolve(&mut self, sought: &Sought, memory: &Directory) -> ResolutionOutcome {
        let found = search(memory, sought, self.prepared.near(sought), &self.config, None);
        let mut open = outcome(sought, &found);
        if open.outcome != ResolutionKind::New || open.candidates.is_empty() {
            return open;
        }
        match sought.slot.and_then(|slot| self.prepared.answer(slot)) {
            None => open,
            Some(Answer::Is { entity, why }) if open.candidates.iter().any(|(id, _)| id == entity) => {
                let several = open.candidates.len() > 1;
                let mut chosen = ResolutionOutcome::chosen(sought, *entity, several, why.clone());
                chosen.candidates = open.candidates;
                chosen
            }
            Some(Answer::Found { entity, why }) if memory.get(*entity).is_some() => {
                let mut found = ResolutionOutcome::found(sought, *entity, Searcher::Agentic, why.clone());
                found.candidates = open.candidates;
                found
            }
            // What was chosen is gone meanwhile.
            Some(Answer::Is { .. } | Answer::Found { .. }) => open,
            Some(Answer::None { why }) => {
                open.why.clone_from(why);
                open.candidates.clear();
                open
            }
        }
    }
}

/// Makes a new entity of everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct AlwaysCreate;

impl EntityResolver for AlwaysCreate {
    fn resolve(&mut self, sought: &Sought, _memory: &Directory) -> ResolutionOutcome {
        ResolutionOutcome::no_match(sought, "every mention makes a new entity, as the settings say")
    }
}

/// Resolvers in order.
pub struct Chained<'a>(Vec<Box<dyn EntityResolver + 'a>>);

impl<'a> Chained<'a> {
    /// A chain of these.
    ///
    /// # Errors
    /// [`Error::Invalid`] when there is none: a chain needs at least one resolver.
    pub fn new(links: Vec<Box<dyn EntityResolver + 'a>>) -> Result<Self, Error> {
        if links.is_empty() {
            return Err(Error::Invalid {
                what: "resolvers",
                problem: "a chain needs at least one resolver; AlwaysCreate is the simplest".into(),
            });
        }
        Ok(Self(links))
    }

    /// What a run uses: the host's entities where it named some, what the run has met, the memory; or always new.
    pub(crate) fn of_run(config: &ResolutionConfig, prepared: &'a Prepared) -> Self {
        let mut links: Vec<Box<dyn EntityResolver + 'a>> = Vec::new();
        if !config.known_entities.is_empty() {
            links.push(Box::new(KnownEntities::new(&config.known_entities)));
        }
        if config.always_create {
            links.push(Box::new(AlwaysCreate));
        } else {
            links.push(Box::new(InMemory::new(config)));
            links.push(Box::new(Escalating { config: config.clone(), prepared }));
        }
        Self(links)
    }
}

impl EntityResolver for Chained<'_> {
    /// The first that finds or refuses decides. Otherwise nobody knows it, with the candidates of the last.
    fn resolve(&mut self, sought: &Sought, memory: &Directory) -> ResolutionOutcome {
        let mut open = ResolutionOutcome::no_match(sought, "first mention");
        for link in &mut self.0 {
            // A later link has looked further: whom earlier ones saw it has seen as well.
            open = link.resolve(sought, memory);
            if open.outcome != ResolutionKind::New {
                break;
            }
        }
        open
    }
    fn learn(&mut self, sought: &Sought, entity: &Entity) {
        for link in &mut self.0 {
            link.learn(sought, entity);
        }
    }
}

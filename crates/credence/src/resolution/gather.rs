//! What is found out before planning: the nearest entities of names that nothing is like, and answers to what stays open.
//!
//! Planning is synchronous and is done again when another writer was faster, so everything that needs an await is gathered
//! here first, by dry runs: what a run leaves open is looked up or asked, and the next run finds it under the same place.

use std::collections::BTreeMap;

use super::agentic::search_for;
use super::config::Searcher;
use super::outcome::{Sought, passage};
use super::session::Open;
use crate::embedding::Embedder;
use crate::entity::Entity;
use crate::error::Error;
use crate::extraction::{Cost, Window};
use crate::id::EntityId;
use crate::llm::{Cancel, ChatModel, Role};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::retrieval::index::vector::{FlatVectors, Vectors};

/// Texts of one embedding call.
const BATCH: usize = 256;

/// What a new entity of a run is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IdKey {
    /// The user.
    User,
    /// What was sought at this place of the run.
    Mention(usize),
}

/// An answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answer {
    /// It is this candidate.
    Is { entity: EntityId, why: String },
    /// A search of its own led the model to this entity.
    Found { entity: EntityId, why: String },
    /// It is none of the candidates.
    None { why: String },
}

/// A candidate as a question shows it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shown {
    pub(crate) id: EntityId,
    pub(crate) name: String,
    pub(crate) labels: Vec<String>,
    pub(crate) description: String,
    pub(crate) score: f64,
}

/// A name with candidates: which of them is it?
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Question {
    pub(crate) slot: usize,
    pub(crate) name: String,
    pub(crate) labels: Vec<String>,
    pub(crate) description: String,
    pub(crate) candidates: Vec<Shown>,
}

/// Everything that a planning run needs to know beforehand.
#[derive(Debug, Clone, Default)]
pub struct Prepared {
    ids: BTreeMap<IdKey, EntityId>,
    near: BTreeMap<String, Vec<(EntityId, f64)>>,
    answers: BTreeMap<usize, Answer>,
}

impl Prepared {
    pub(crate) fn id(&self, key: &IdKey) -> Option<EntityId> {
        self.ids.get(key).copied()
    }
    pub(crate) fn near(&self, sought: &Sought) -> &[(EntityId, f64)] {
        self.near.get(&sought.passage()).map(Vec::as_slice).unwrap_or_default()
    }
    pub(crate) fn set_near(&mut self, passage: String, near: Vec<(EntityId, f64)>) {
        self.near.insert(passage, near);
    }
    pub(crate) fn answer(&self, slot: usize) -> Option<&Answer> {
        self.answers.get(&slot)
    }
    pub(crate) fn set_answer(&mut self, slot: usize, answer: Answer) {
        self.answers.insert(slot, answer);
    }
    /// New entities get the ids that a dry run gave them, so that answers may name them.
    pub(crate) fn keep_ids(&mut self, open: &Open) {
        for (key, id) in &open.made {
            self.ids.entry(*key).or_insert(*id);
        }
    }
    /// As if every question were answered with its best candidate: what would then be open besides?
    pub(crate) fn assuming(&self, questions: &[Question]) -> Self {
        let mut assumed = self.clone();
        for question in questions {
            if let Some(best) = question.candidates.first() {
                assumed.set_answer(question.slot, Answer::Is { entity: best.id, why: String::new() });
            }
        }
        assumed
    }
}

/// Vectors of entities, kept while a memory is open. Those of another space are never compared.
#[derive(Debug, Default)]
pub(crate) struct EntityVectors {
    space: String,
    texts: BTreeMap<EntityId, String>,
    vectors: FlatVectors<EntityId>,
}

impl EntityVectors {
    fn missing<'a>(
        &mut self,
        space: &str,
        entities: impl Iterator<Item = &'a Entity>,
    ) -> Vec<(EntityId, String)> {
        if self.space != space {
            *self = Self { space: space.to_owned(), ..Self::default() };
        }
        entities
            .map(|entity| (entity.id, passage(&entity.name, &entity.description)))
            .filter(|(id, text)| self.texts.get(id) != Some(text))
            .collect()
    }
}

impl<P: Ports> Memory<P> {
    /// Whether there is a vector model and the settings use it for names.
    pub(crate) fn compares_names_by_vector(&self) -> bool {
        let config = self.config().resolution;
        config.uses(Searcher::Vector) && !config.always_create && self.supports_vectors()
    }

    /// Looks up by vector what `open` could not match by name. Whether anything was looked up.
    pub(crate) async fn look_up_near(&self, open: &Open, prepared: &mut Prepared, cost: &mut Cost) -> bool {
        let config = self.config().resolution;
        if open.unmatched.is_empty() || !self.compares_names_by_vector() {
            return false;
        }
        let passages: Vec<String> = {
            let proper = |sought: &&Sought| super::names::is_proper(&sought.name, sought.kind());
            let mut all: Vec<String> = open.unmatched.iter().filter(proper).map(Sought::passage).collect();
            all.sort();
            all.dedup();
            all
        };
        if passages.is_empty() || self.state().present_entities().next().is_none() {
            return false;
        }
        match self.vectors_of(&passages).await {
            Ok(vectors) => {
                let known = self.entity_vectors().borrow();
                let state = self.state();
                for (passage, vector) in passages.into_iter().zip(vectors) {
                    let near = known.vectors.nearest(&vector, config.vector_top as usize, &|id| {
                        state.entity(id).is_some_and(|entity| entity.merged_into.is_none())
                    });
                    prepared.set_near(
                        passage,
                        near.into_iter().map(|(id, cosine)| (id, f64::from(cosine))).collect(),
                    );
                }
                true
            }
            Err(problem) => {
                cost.notes.push(format!("names were not compared by vector: {problem}"));
                false
            }
        }
    }

    /// Embeds entities that changed, then the passages.
    async fn vectors_of(&self, passages: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let embedder = self.ports().embedder();
        let missing = {
            let state = self.state();
            self.entity_vectors().borrow_mut().missing(&embedder.space(), state.present_entities())
        };
        let mut slices = self.slices(None);
        for batch in missing.chunks(BATCH) {
            slices.rest().await.map_err(|error| error.to_string())?;
            let texts: Vec<String> = batch.iter().map(|(_, text)| text.clone()).collect();
            let vectors = embedder.embed(&texts).await.map_err(|error| error.to_string())?;
            let mut known = self.entity_vectors().borrow_mut();
            for ((id, text), vector) in batch.iter().zip(vectors) {
                known.vectors.insert(*id, &vector);
                known.texts.insert(*id, text.clone());
            }
        }
        embedder.embed(passages).await.map_err(|error| error.to_string())
    }

    /// Lets a model search for what is open, where the settings want that; then keeps what may still be asked.
    pub(crate) async fn narrow_questions(
        &self,
        window: &Window,
        mut questions: Vec<Question>,
        prepared: &mut Prepared,
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<Vec<Question>, Error> {
        let config = self.config().resolution;
        let chat = self.chat();
        if !config.asks() {
            return Ok(Vec::new());
        }
        if config.uses(Searcher::Agentic) && chat.is_connected(Role::Resolve) {
            let mut left = Vec::new();
            for question in questions {
                match search_for(self, window, &question, cost, cancel).await? {
                    Some(answer) => prepared.set_answer(question.slot, answer),
                    None => left.push(question),
                }
            }
            questions = left;
        }
        if !chat.is_connected(Role::Revise) && !chat.is_connected(Role::Resolve) {
            return Ok(Vec::new());
        }
        let most = config.questions_per_window as usize;
        if questions.len() > most {
            cost.notes.push(format!(
                "{} open names of {} were left as possible duplicates: a window asks about {most} at most",
                questions.len() - most,
                questions.len()
            ));
            questions.truncate(most);
        }
        Ok(questions)
    }
}

//! The directory: entities under everything that they are looked up by. One holds the memory and what the run adds to it;
//! another only what the run has met.

use std::collections::{BTreeMap, BTreeSet};

use super::roles::Introduction;
use crate::entity::Entity;
use crate::id::EntityId;
use crate::text::{self, ComparableName};

/// Entities by id, exact name, normal name, word and length of name.
#[derive(Debug, Clone, Default)]
pub struct Directory {
    entities: BTreeMap<EntityId, Entity>,
    exact: BTreeMap<String, BTreeSet<EntityId>>,
    keys: BTreeMap<String, BTreeSet<EntityId>>,
    words: BTreeMap<String, BTreeSet<EntityId>>,
    lengths: BTreeMap<usize, BTreeSet<EntityId>>,
    names: BTreeMap<EntityId, Vec<ComparableName>>,
    introductions: BTreeMap<EntityId, BTreeSet<Introduction>>,
}

/// A name for exact lookup: composed, folded, white space collapsed.
fn exact_key(name: &str) -> String {
    text::fold(name).split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Directory {
    /// A directory of these.
    pub fn new(entities: impl IntoIterator<Item = Entity>) -> Self {
        let mut directory = Self::default();
        for entity in entities {
            directory.put(entity);
        }
        directory
    }
    /// Adds an entity, or replaces the one of its id. Names that it had before keep finding it.
    pub fn put(&mut self, entity: Entity) {
        for name in entity.names() {
            self.name(entity.id, name);
        }
        self.entities.insert(entity.id, entity);
    }
    /// A further spelling for an entity.
    pub(crate) fn name(&mut self, id: EntityId, name: &str) {
        if !self.exact.entry(exact_key(name)).or_default().insert(id) {
            return;
        }
        let comparable = ComparableName::new(name);
        self.keys.entry(comparable.key().to_owned()).or_default().insert(id);
        for word in comparable.words() {
            self.words.entry(word.to_owned()).or_default().insert(id);
        }
        self.lengths.entry(comparable.length()).or_default().insert(id);
        self.names.entry(id).or_default().push(comparable);
    }
    pub(crate) fn introduce(&mut self, id: EntityId, introduction: Introduction) {
        self.introductions.entry(id).or_default().insert(introduction);
    }

    /// The entity of an id.
    pub fn get(&self, id: EntityId) -> Option<&Entity> {
        self.entities.get(&id)
    }
    pub(crate) fn get_mut(&mut self, id: EntityId) -> Option<&mut Entity> {
        self.entities.get_mut(&id)
    }
    /// How many entities it holds.
    pub fn len(&self) -> usize {
        self.entities.len()
    }
    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }
    pub(crate) fn names(&self, id: EntityId) -> &[ComparableName] {
        self.names.get(&id).map(Vec::as_slice).unwrap_or_default()
    }
    pub(crate) fn introductions(&self, id: EntityId) -> impl Iterator<Item = &Introduction> {
        self.introductions.get(&id).into_iter().flatten()
    }

    /// Those called exactly so, in any letter case.
    pub(crate) fn by_exact_name(&self, name: &str) -> Vec<EntityId> {
        self.exact.get(&exact_key(name)).into_iter().flatten().copied().collect()
    }
    /// Those whose normal name is this.
    pub(crate) fn by_key(&self, name: &ComparableName) -> Vec<EntityId> {
        self.keys.get(name.key()).into_iter().flatten().copied().collect()
    }
    /// Those that share a word with the name.
    pub(crate) fn by_word(&self, name: &ComparableName) -> BTreeSet<EntityId> {
        name.words().filter_map(|word| self.words.get(word)).flatten().copied().collect()
    }
    /// Those with a name of about this length.
    pub(crate) fn by_length(&self, length: usize, tolerance: usize) -> BTreeSet<EntityId> {
        let range = length.saturating_sub(tolerance)..=length + tolerance;
        self.lengths.range(range).flat_map(|(_, ids)| ids).copied().collect()
    }
}

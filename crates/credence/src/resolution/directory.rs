//! The directory: entities under everything that they are looked up by.
//!
//! A memory keeps one of its entities, in step with the log (`Known`): taking the names of thousands of entities apart takes longer
//! than everything else in a window. A run stands above it: what it adds or changes is its own, and is looked at first.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::roles::Introduction;
use crate::entity::Entity;
use crate::history::{Commit, Record, RecordId, State};
use crate::id::EntityId;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::text::{self, ComparableName};

/// Entities by id, exact name, normal name, word and length of name.
#[derive(Debug, Clone, Default)]
pub struct Directory {
    /// What stands below; never changed from here.
    base: Option<Rc<Directory>>,
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
    /// An empty one that also finds what `base` holds.
    pub(crate) fn above(base: Rc<Directory>) -> Self {
        Self { base: Some(base), ..Self::default() }
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
        let key = exact_key(name);
        let is_below = |base: &Rc<Self>| base.exact.get(&key).is_some_and(|ids| ids.contains(&id));
        if self.base.as_ref().is_some_and(is_below) || !self.exact.entry(key).or_default().insert(id) {
            return;
        }
        let comparable = ComparableName::new(name);
        self.keys.entry(comparable.key().to_owned()).or_default().insert(id);
        for word in comparable.words() {
            self.words.entry(word.to_owned()).or_default().insert(id);
        }
        self.lengths.entry(comparable.length()).or_default().insert(id);
        // All of its names stand in one place, so those from below come up first.
        let below = || self.base.as_ref().map(|base| base.names(id).to_vec()).unwrap_or_default();
        self.names.entry(id).or_insert_with(below).push(comparable);
    }
    /// Takes an entity out, with everything that found it.
    fn remove(&mut self, id: EntityId) {
        let Some(entity) = self.entities.remove(&id) else { return };
        for name in entity.names() {
            take_out(&mut self.exact, &exact_key(name), id);
        }
        for name in self.names.remove(&id).unwrap_or_default() {
            take_out(&mut self.keys, name.key(), id);
            name.words().for_each(|word| take_out(&mut self.words, word, id));
            take_out(&mut self.lengths, &name.length(), id);
        }
    }
    pub(crate) fn introduce(&mut self, id: EntityId, introduction: Introduction) {
        self.introductions.entry(id).or_default().insert(introduction);
    }

    /// The entity of an id.
    pub fn get(&self, id: EntityId) -> Option<&Entity> {
        self.entities.get(&id).or_else(|| self.base.as_ref()?.get(id))
    }
    pub(crate) fn get_mut(&mut self, id: EntityId) -> Option<&mut Entity> {
        if !self.entities.contains_key(&id) {
            let entity = self.base.as_ref()?.get(id)?.clone();
            self.entities.insert(id, entity);
        }
        self.entities.get_mut(&id)
    }
    /// How many entities it holds.
    pub fn len(&self) -> usize {
        let Some(base) = &self.base else { return self.entities.len() };
        base.len() + self.entities.keys().filter(|id| base.get(**id).is_none()).count()
    }
    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    pub(crate) fn names(&self, id: EntityId) -> &[ComparableName] {
        match (self.names.get(&id), &self.base) {
            (Some(names), _) => names,
            (None, Some(base)) => base.names(id),
            (None, None) => &[],
        }
    }
    pub(crate) fn introductions(&self, id: EntityId) -> impl Iterator<Item = &Introduction> {
        self.introductions.get(&id).into_iter().flatten()
    }

    /// What `find` finds here and below.
    fn both(&self, find: &dyn Fn(&Self, &mut BTreeSet<EntityId>)) -> BTreeSet<EntityId> {
        let mut found = BTreeSet::new();
        if let Some(base) = &self.base {
            find(base, &mut found);
        }
        find(self, &mut found);
        found
    }
    /// Those called exactly so, in any letter case.
    pub(crate) fn by_exact_name(&self, name: &str) -> Vec<EntityId> {
        let key = exact_key(name);
        self.both(&|level, found| found.extend(level.exact.get(&key).into_iter().flatten()))
            .into_iter()
            .collect()
    }
    /// Those whose normal name is this.
    pub(crate) fn by_key(&self, name: &ComparableName) -> Vec<EntityId> {
        self.both(&|level, found| found.extend(level.keys.get(name.key()).into_iter().flatten()))
            .into_iter()
            .collect()
    }
    /// Those that share a word with the name.
    pub(crate) fn by_word(&self, name: &ComparableName) -> BTreeSet<EntityId> {
        self.both(&|level, found| {
            found.extend(name.words().filter_map(|word| level.words.get(word)).flatten());
        })
    }
    /// Those with a name of about this length.
    pub(crate) fn by_length(&self, length: usize, tolerance: usize) -> BTreeSet<EntityId> {
        let range = length.saturating_sub(tolerance)..=length + tolerance;
        self.both(&|level, found| found.extend(level.lengths.range(range.clone()).flat_map(|(_, ids)| ids)))
    }
}

fn take_out<K, Q>(index: &mut BTreeMap<K, BTreeSet<EntityId>>, key: &Q, id: EntityId)
where
    K: Ord + std::borrow::Borrow<Q>,
    Q: Ord + ?Sized,
{
    if let Some(ids) = index.get_mut(key) {
        ids.remove(&id);
        if ids.is_empty() {
            index.remove(key);
        }
    }
}

/// A memory's own directory: its present entities, once resolution has asked for them.
#[derive(Debug, Default)]
pub(crate) struct Known {
    directory: Option<Rc<Directory>>,
}

impl Known {
    /// Moves on by one commit.
    pub(crate) fn apply(&mut self, commit: &Commit) {
        let Some(directory) = &mut self.directory else { return };
        for revision in &commit.revisions {
            let RecordId::Entity(id) = revision.record else { continue };
            let directory = Rc::make_mut(directory);
            directory.remove(id);
            if let Some(Record::Entity(entity)) = &revision.value
                && entity.merged_into.is_none()
            {
                directory.put(entity.clone());
            }
        }
    }
}

impl<P: Ports> Memory<P> {
    /// The directory of the present entities. `state` is the present.
    pub(crate) fn directory(&self, state: &State) -> Rc<Directory> {
        let mut known = self.known_names().borrow_mut();
        let make = || Rc::new(Directory::new(state.present_entities().cloned()));
        known.directory.get_or_insert_with(make).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;
    use uuid::Uuid;

    fn entity(n: u128, name: &str, alias: &str) -> Entity {
        let mut entity = Entity::new(EntityId::new(Uuid::from_u128(n)), name, "Person", Timestamp(0));
        entity.aliases.push(alias.to_owned());
        entity
    }

    #[test]
    fn a_run_stands_above_the_memory_and_changes_nothing_below() {
        let (mara, ivo) = (entity(1, "Mara Vogel", "Mara"), entity(2, "Ivo Lind", "Ivo"));
        let base = Rc::new(Directory::new([mara.clone(), ivo.clone()]));
        let mut run = Directory::above(base.clone());
        run.name(mara.id, "Mara Lind");
        run.put(entity(3, "Oda Lind", "Oda"));
        if let Some(entity) = run.get_mut(ivo.id) {
            entity.description = "a cellist".into();
        }
        let found = run.by_word(&ComparableName::new("Lind"));
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!((run.len(), base.len()), (3, 2));
        assert_eq!((run.names(mara.id).len(), base.names(mara.id).len()), (3, 2));
        assert_eq!(run.by_exact_name("ivo lind"), [ivo.id]);
        assert_eq!(base.get(ivo.id).map(|e| e.description.as_str()), Some(""));
        assert_eq!(base.by_exact_name("Mara Lind"), []);
    }

    #[test]
    fn what_is_taken_out_is_found_under_nothing() {
        let (mara, ivo) = (entity(1, "Mara Vogel", "Mara"), entity(2, "Ivo Lind", "Ivo"));
        let mut directory = Directory::new([mara.clone(), ivo.clone()]);
        directory.remove(mara.id);
        assert_eq!(directory.by_exact_name("Mara"), []);
        assert!(directory.by_word(&ComparableName::new("Vogel")).is_empty());
        assert!(directory.names(mara.id).is_empty() && directory.len() == 1);
        let fresh = Directory::new([ivo]);
        assert_eq!(format!("{directory:?}"), format!("{fresh:?}"));
    }
}

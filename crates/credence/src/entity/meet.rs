//! Suggestions meet the memory: which entity each means, and what it teaches that entity.
//!
//! An id that the text gives decides first, then the resolver. The schema may veto: an unknown type where types are locked, a new
//! thing of a closed type. What is known keeps what it has: a suggestion fills gaps (a description, properties, kinds where there
//! were none, a more special kind) and replaces nothing, unless a host says so.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Entity;
use super::report::{Found, FoundKind};
use super::suggest::Suggestion;
use crate::extraction::WindowTurn;
use crate::history::{Scope, State};
use crate::id::EntityId;
use crate::resolution::{Resolver, Sought, compatible};
use crate::schema::KnowledgeSchema;
use crate::time::Timestamp;

/// The property that keeps an id which a text gives.
const ID: &str = "id";

/// Suggestions meet the memory: what each resolves to, and what it teaches that entity.
pub(super) struct Meeting<'a> {
    pub(super) state: &'a State,
    pub(super) schema: &'a KnowledgeSchema,
    pub(super) resolver: Resolver<'a>,
    /// In order of first mention: the entity, as it was named, and what was said of it.
    pub(super) met: Vec<(EntityId, String, Vec<Suggestion>)>,
    pub(super) now: Timestamp,
}

impl Meeting<'_> {
    pub(super) fn note(&mut self, id: EntityId, name: &str, suggestion: Option<&Suggestion>) {
        let place = self.met.iter().position(|(known, _, _)| *known == id);
        let place = place.unwrap_or_else(|| {
            self.met.push((id, name.to_owned(), Vec::new()));
            self.met.len() - 1
        });
        self.met[place].2.extend(suggestion.cloned());
    }

    pub(super) fn speaker(&mut self, turn: &WindowTurn) -> Option<EntityId> {
        let id = self.resolver.speaker(turn)?;
        self.note(id, &turn.speaker, None);
        Some(id)
    }

    /// The entity that a suggestion means, or why it means none.
    pub(super) fn meet(&mut self, suggestion: &Suggestion) -> Result<EntityId, String> {
        if let Some(known) = self.by_id(suggestion) {
            self.note(known, &suggestion.name, Some(suggestion));
            return Ok(known);
        }
        let types = &self.schema.dictionary;
        if self.schema.adherence.entities
            && !suggestion.labels.is_empty()
            && !suggestion.labels.iter().any(|label| types.type_named(label).is_some())
        {
            return Err(format!("the schema has no type `{}`", suggestion.labels.join("`, `")));
        }
        // The name and kind alone: what else it says is learned under this page's own rule.
        let outcome = self.resolver.resolve_entity(&Sought::new(&suggestion.name, suggestion.kind()));
        let id = outcome.entity.ok_or(outcome.why)?;
        self.note(id, &suggestion.name, Some(suggestion));
        Ok(id)
    }

    /// The entity whose id stands in the text: its own, or one that a text gave it before.
    fn by_id(&self, suggestion: &Suggestion) -> Option<EntityId> {
        let id = suggestion.id.as_ref()?;
        let own = id.parse().ok().and_then(|id| self.state.keeper(id));
        let given = || {
            self.state.present_entities().find(|e| e.properties.get(ID) == Some(&Value::from(id.as_str())))
        };
        own.or_else(given).filter(|e| compatible(&e.labels, suggestion.kind())).map(|e| e.id)
    }

    /// Plans every entity that is new or learned something, and says how each was met. `replaces`: what is said replaces properties.
    pub(super) fn land(self, scope: &Scope, replaces: bool) -> Vec<Found> {
        let planned: BTreeMap<EntityId, (Entity, String)> = self
            .resolver
            .planned()
            .map(|(entity, why)| (entity.id, (entity.clone(), why.to_owned())))
            .collect();
        let mut found = Vec::new();
        let mut named: BTreeSet<EntityId> = BTreeSet::new();
        for (id, name, suggestions) in &self.met {
            let stored = self.state.entity(*id);
            let (mut entity, why) = match (planned.get(id), stored) {
                (Some((entity, why)), _) => (entity.clone(), why.clone()),
                (None, Some(entity)) => (entity.clone(), "known".to_owned()),
                (None, None) => continue,
            };
            named.insert(*id);
            let mut learned = Vec::new();
            for suggestion in suggestions {
                learned.extend(entity.learn(suggestion, self.schema, replaces));
            }
            let why =
                if learned.is_empty() { why } else { format!("{why}; learned its {}", learned.join(", ")) };
            let is_changed =
                stored.is_none_or(|stored| Entity { revised: stored.revised, ..entity.clone() } != *stored);
            let kind = match (stored, is_changed) {
                (None, _) => FoundKind::New,
                (Some(_), true) => FoundKind::Existing,
                (Some(_), false) => FoundKind::ReferenceOnly,
            };
            if is_changed {
                entity.revised = self.now;
                scope.put(self.state, entity, why.clone());
            }
            found.push(Found { entity: *id, name: name.clone(), kind, why });
        }
        for (id, (entity, why)) in planned {
            if !named.contains(&id) {
                scope.put(self.state, entity, why);
            }
        }
        found
    }
}

impl Suggestion {
    /// The first of its labels, or nothing.
    pub(super) fn kind(&self) -> &str {
        self.labels.first().map_or("", String::as_str)
    }
}

impl Entity {
    /// Takes over what it lacks: a description, properties, labels when it has none, and more special types of those that it has.
    /// Returns what that was, in words.
    fn learn(&mut self, from: &Suggestion, schema: &KnowledgeSchema, replaces: bool) -> Vec<&'static str> {
        let mut learned = Vec::new();
        let before = self.clone();
        let had_none = self.labels.is_empty();
        for label in &from.labels {
            let is_special = self.labels.iter().any(|known| schema.dictionary.is_a(label, known));
            if !self.has_label(label) && (had_none || replaces || is_special) {
                self.labels.push(label.clone());
            }
        }
        if self.description.is_empty() {
            self.description.clone_from(&from.summary);
        }
        if let Some(id) = &from.id {
            self.properties.entry(ID.to_owned()).or_insert_with(|| Value::from(id.as_str()));
        }
        for (key, value) in &from.properties {
            if replaces {
                self.properties.insert(key.clone(), value.clone());
            } else {
                self.properties.entry(key.clone()).or_insert_with(|| value.clone());
            }
        }
        for (what, is_new) in [
            ("kind", self.labels != before.labels),
            ("description", self.description != before.description),
            ("properties", self.properties != before.properties),
        ] {
            if is_new {
                learned.push(what);
            }
        }
        learned
    }
}

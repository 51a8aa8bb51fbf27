//! Entities that a host asserts (dice 5.9): resolved like any others, and kept in one commit. Relationships are not asserted here.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::meet::Meeting;
use super::names::{clean_labels, clean_name};
use super::report::FoundKind;
use super::suggest::Suggestion;
use crate::error::Error;
use crate::history::{Actor, Cause, RecordId, ScopeInfo};
use crate::id::{CommitId, EntityId};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::resolution::{Prepared, Resolver};
use crate::text;

/// An entity that a host asserts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AssertedEntity {
    /// Its name.
    pub name: String,
    /// Its kinds, the most special first.
    pub labels: Vec<String>,
    /// One line about it; may be empty.
    pub description: String,
    /// What is to be kept with it.
    pub properties: BTreeMap<String, Value>,
    /// A known entity that is meant whatever its name, or the id that a new one takes.
    pub id: Option<EntityId>,
}

/// What became of an asserted entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssertedOutcome {
    /// As it was asserted.
    pub name: String,
    /// The entity; `None` when it was vetoed.
    pub entity: Option<EntityId>,
    /// How it was met; `None` when it was vetoed.
    pub kind: Option<FoundKind>,
    /// Why, in words for a person.
    pub why: String,
}

/// What became of asserted entities.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asserted {
    /// One outcome an entity, in order.
    pub entities: Vec<AssertedOutcome>,
    /// The commit; `None` when nothing differed.
    pub commit: Option<CommitId>,
}

impl<P: Ports> Memory<P> {
    /// Keeps entities that a host knows of, all in one commit: names are resolved as anywhere; what is new is made, what is known takes over
    /// labels and properties (the host's word replaces a property) and a description where it has none. Vetoed ones are named and made nothing.
    ///
    /// # Errors
    /// Names that are none, and ids of entities that were forgotten or never known are no error: a new entity takes such an id.
    pub async fn assert_entities(&self, entities: &[AssertedEntity]) -> Result<Asserted, Error> {
        let mut suggestions = Vec::new();
        for asserted in entities {
            suggestions.push(Suggestion {
                name: clean_name(&asserted.name)?,
                labels: clean_labels(&asserted.labels)?,
                summary: text::redact(asserted.description.trim()).text,
                properties: asserted.properties.clone(),
                ..Suggestion::default()
            });
        }
        let info =
            ScopeInfo::new(Cause::Manual, Actor::Host, format!("{} entities asserted", entities.len()));
        let (mut asserted, commit) = self
            .change(info, |state, scope| {
                let (config, now) = (self.config(), self.now().at);
                let given = Cell::new(None);
                let mut next_id = || given.take().unwrap_or_else(|| EntityId::new(self.next_id()));
                let prepared = Prepared::default();
                let resolver =
                    Resolver::on(self.directory(state), state, &config, &prepared, now, &mut next_id);
                let mut meeting = Meeting { state, schema: config.schema(), resolver, met: Vec::new(), now };
                let mut outcomes = Vec::new();
                for (suggestion, asserted) in suggestions.iter().zip(entities) {
                    given.set(asserted.id.filter(|id| state.revision(RecordId::Entity(*id)).is_none()));
                    let met = match asserted.id.and_then(|id| state.keeper(id)) {
                        Some(known) => {
                            meeting.note(known.id, &suggestion.name, Some(suggestion));
                            Ok(known.id)
                        }
                        None => meeting.meet(suggestion),
                    };
                    let (entity, why) = met.map_or_else(|why| (None, why), |id| (Some(id), String::new()));
                    outcomes.push(AssertedOutcome { name: suggestion.name.clone(), entity, kind: None, why });
                }
                given.set(None);
                let found = meeting.land(scope, true);
                for outcome in &mut outcomes {
                    if let Some(found) = found.iter().find(|found| Some(found.entity) == outcome.entity) {
                        (outcome.kind, outcome.why) = (Some(found.kind), found.why.clone());
                    }
                }
                Ok(outcomes)
            })
            .await
            .map(|(entities, commit)| (Asserted { entities, commit: None }, commit))?;
        asserted.commit = commit.map(|commit| commit.id);
        Ok(asserted)
    }
}

//! Which records of another memory are records of this one under other ids: the user, things of the same name and kind, conversations of
//! the same turns, statements that say the same. Whoever takes such a record over uses the id that is here, everywhere.
//!
//! Each rule holds only where exactly one record fits on both sides, and never between two records that the other memory itself tells
//! apart.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::conversation::Conversation;
use crate::entity::Entity;
use crate::history::{Record, RecordId, State};
use crate::import::said_in;
use crate::proposition::{Proposition, Status};
use crate::text;

/// Ids of the other memory and the ids here that mean the same, both as text.
#[derive(Debug, Default)]
pub(super) struct Alike(BTreeMap<String, String>);

impl Alike {
    /// Finds out which records are the same.
    pub(super) fn of(ours: &State, theirs: &State) -> Self {
        let mut alike = Self::default();
        alike.entities(ours, theirs);
        alike.conversations(ours, theirs);
        alike.statements(ours, theirs);
        alike
    }

    /// A record with the ids that are used here.
    pub(super) fn translated(&self, record: &Record) -> Record {
        if self.0.is_empty() {
            return record.clone();
        }
        let Ok(mut value) = serde_json::to_value(record) else { return record.clone() };
        self.translate(&mut value);
        serde_json::from_value(value).unwrap_or_else(|_| record.clone())
    }

    fn translate(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(ours) = self.0.get(text.as_str()) {
                    text.clone_from(ours);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.translate(item)),
            Value::Object(members) => {
                members.values_mut().for_each(|member| self.translate(member));
                let known: Vec<String> =
                    members.keys().filter(|name| self.0.contains_key(*name)).cloned().collect();
                for name in known {
                    if let (Some(member), Some(ours)) = (members.remove(&name), self.0.get(&name)) {
                        members.insert(ours.clone(), member);
                    }
                }
            }
            _ => {}
        }
    }

    fn is(&mut self, theirs: impl ToString, ours: impl ToString) {
        self.0.insert(theirs.to_string(), ours.to_string());
    }

    fn entities(&mut self, ours: &State, theirs: &State) {
        let is_fresh = |entity: &&Entity| ours.revision(RecordId::Entity(entity.id)).is_none();
        if let (Some(user), Some(known)) = (theirs.user(), ours.user())
            && is_fresh(&user)
        {
            self.is(user.id, known.id);
        }
        let key = |entity: &&Entity| {
            let form = text::name_form(&entity.name);
            let label = entity.labels.first().map(|label| label.to_lowercase()).unwrap_or_default();
            (form, label)
        };
        let is_own = |entity: &&Entity| theirs.revision(RecordId::Entity(entity.id)).is_none();
        let here = unique(ours.present_entities().filter(is_own).filter(|e| !e.is_user), key, |e| e.id);
        let there = unique(theirs.present_entities().filter(is_fresh).filter(|e| !e.is_user), key, |e| e.id);
        for ((form, label), id) in there {
            if form.is_empty() {
                continue;
            }
            if let Some(known) = here.get(&(form, label)) {
                self.is(id, *known);
            }
        }
    }

    fn conversations(&mut self, ours: &State, theirs: &State) {
        let is_own = |c: &&Conversation| theirs.revision(RecordId::Conversation(c.id)).is_none();
        let is_fresh = |c: &&Conversation| ours.revision(RecordId::Conversation(c.id)).is_none();
        let here = unique(ours.conversations().filter(is_own), |c| said_in(ours, c.id), |c| c.id);
        let there = unique(theirs.conversations().filter(is_fresh), |c| said_in(theirs, c.id), |c| c.id);
        for (content, id) in there {
            let Some(known) = content.is_some().then(|| here.get(&content)).flatten() else { continue };
            self.is(id, *known);
            self.is(RecordId::Bookmark(id), RecordId::Bookmark(*known));
            for (turn, same) in theirs.turns(id).zip(ours.turns(*known)) {
                self.is(turn.id, same.id);
            }
        }
    }

    fn statements(&mut self, ours: &State, theirs: &State) {
        // Of several that say the same, what is believed comes first.
        let rank = |p: &Proposition| match p.status {
            Status::Active | Status::Promoted => 0,
            Status::Stale => 1,
            _ => 2,
        };
        let mut here: BTreeMap<String, &Proposition> = BTreeMap::new();
        for p in ours.propositions().filter(|p| theirs.revision(RecordId::Proposition(p.id)).is_none()) {
            let place = here.entry(text::canonical(&p.text)).or_insert(p);
            if rank(p) < rank(place) {
                *place = p;
            }
        }
        for p in theirs.propositions().filter(|p| ours.revision(RecordId::Proposition(p.id)).is_none()) {
            let canonical = text::canonical(&p.text);
            let Some(known) = here.get(&canonical).filter(|_| !canonical.is_empty()) else { continue };
            self.is(p.id, known.id);
            self.is(RecordId::Unit(p.id), RecordId::Unit(known.id));
        }
    }
}

/// Keys that exactly one of these has.
fn unique<T, K: Ord, I>(
    items: impl Iterator<Item = T>,
    key: impl Fn(&T) -> K,
    id: impl Fn(&T) -> I,
) -> BTreeMap<K, I> {
    let mut found: BTreeMap<K, Option<I>> = BTreeMap::new();
    for item in items {
        let only = Some(id(&item));
        found.entry(key(&item)).and_modify(|place| *place = None).or_insert(only);
    }
    found.into_iter().filter_map(|(key, only)| Some((key, only?))).collect()
}

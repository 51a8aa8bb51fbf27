//! Resolution: which entity a mention means. Deterministic: the speaker by their turn, then exact names, then normalised
//! names, each only when exactly one entity of a compatible kind carries the name; otherwise a new entity.
//!
//! Rules (`spec/dice.md` section 5, section 13 for the fixes): a mention of another kind never merges (Mercury the cat, the
//! planet, the company); vague spans ("the thing", "a friend") stay text and become no entity; nothing is compared as ASCII.

mod names;

pub use names::{UNNAMED_USER, compatible, is_vague, name_key};

use std::collections::BTreeMap;

use crate::entity::Entity;
use crate::extraction::{CandidateMention, WindowTurn};
use crate::history::State;
use crate::id::EntityId;
use crate::proposition::Mention;
use crate::time::Timestamp;

/// How a mention was resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// The speaker of the turn.
    Speaker(EntityId),
    /// An entity that was known.
    Known(EntityId),
    /// An entity that this run made.
    New(EntityId),
    /// No entity, and why.
    Unresolved(String),
}

/// Resolves the mentions of one run. It plans: nothing is written; the entities that it made or changed are read back with
/// [`Resolver::planned`].
pub struct Resolver<'a> {
    entities: BTreeMap<EntityId, Entity>,
    by_name: BTreeMap<String, Vec<EntityId>>,
    planned: BTreeMap<EntityId, String>,
    user: Option<EntityId>,
    user_name: Option<String>,
    next_id: &'a mut dyn FnMut() -> EntityId,
    now: Timestamp,
}

impl<'a> Resolver<'a> {
    /// Starts from the entities of `state`. `user_name` names the user where memory does not know them yet.
    pub fn new(
        state: &State,
        user_name: Option<&str>,
        now: Timestamp,
        next_id: &'a mut dyn FnMut() -> EntityId,
    ) -> Self {
        let mut resolver = Self {
            entities: state.present_entities().map(|entity| (entity.id, entity.clone())).collect(),
            by_name: BTreeMap::new(),
            planned: BTreeMap::new(),
            user: state.user().map(|user| user.id),
            user_name: user_name.map(str::to_owned),
            next_id,
            now,
        };
        for entity in state.present_entities() {
            for name in entity.names() {
                resolver.by_name.entry(name_key(name)).or_default().push(entity.id);
            }
        }
        resolver
    }

    /// The entity of the speaker of a turn; made when needed. The model has none.
    pub fn speaker(&mut self, turn: &WindowTurn) -> Option<EntityId> {
        if turn.is_assistant {
            return None;
        }
        if !turn.is_user {
            return Some(self.person(&turn.speaker));
        }
        if let Some(user) = self.user {
            return Some(user);
        }
        let name = self.user_name.clone().unwrap_or_else(|| UNNAMED_USER.to_owned());
        let id = self.add(&name, "Person", "the user");
        if let Some(entity) = self.entities.get_mut(&id) {
            entity.is_user = true;
        }
        self.user = Some(id);
        Some(id)
    }

    fn person(&mut self, name: &str) -> EntityId {
        match self.find(name, "Person") {
            Ok(id) => id,
            Err(_) => self.add(name, "Person", "a speaker"),
        }
    }

    /// Resolves one mention of a candidate that rests on a turn of `speaker`.
    pub fn resolve(
        &mut self,
        mention: &CandidateMention,
        speaker: Option<EntityId>,
    ) -> (Mention, Resolution) {
        let mut resolved = Mention::new(mention.span.trim(), mention.kind.trim(), mention.role);
        let resolution = match (mention.is_speaker, speaker) {
            (true, Some(speaker)) => Resolution::Speaker(speaker),
            _ if is_vague(&mention.span) => {
                Resolution::Unresolved(format!("`{}` names nothing in particular", mention.span))
            }
            _ => match self.find(&mention.span, &mention.kind) {
                Ok(id) => {
                    self.widen(id, &mention.span, &mention.kind);
                    Resolution::Known(id)
                }
                Err(why) => Resolution::New(self.add(&mention.span, &mention.kind, &why)),
            },
        };
        resolved.entity = match &resolution {
            Resolution::Speaker(id) | Resolution::Known(id) | Resolution::New(id) => Some(*id),
            Resolution::Unresolved(_) => None,
        };
        (resolved, resolution)
    }

    /// The one entity that carries `name` and may be of this kind. Otherwise why there is none: exact names decide
    /// between several, and several that stay are left apart, for a person to merge.
    fn find(&self, name: &str, kind: &str) -> Result<EntityId, String> {
        let known = self.by_name.get(&name_key(name)).map(Vec::as_slice).unwrap_or_default();
        let mut fitting: Vec<&Entity> = known
            .iter()
            .filter_map(|id| self.entities.get(id))
            .filter(|e| compatible(&e.labels, kind))
            .collect();
        fitting.dedup_by_key(|entity| entity.id);
        if fitting.len() > 1 {
            let same_kind: Vec<&Entity> = fitting.iter().copied().filter(|e| e.has_label(kind)).collect();
            let exact: Vec<&Entity> =
                fitting.iter().copied().filter(|e| e.names().any(|n| n == name.trim())).collect();
            if same_kind.len() == 1 {
                fitting = same_kind;
            } else if exact.len() == 1 {
                fitting = exact;
            }
        }
        match fitting[..] {
            [only] => Ok(only.id),
            [] if known.is_empty() => Err("first mention".into()),
            [] => Err(format!("another kind of thing than the known `{}`", name.trim())),
            [..] => Err(format!("several known entities are called `{}`: a possible duplicate", name.trim())),
        }
    }

    fn add(&mut self, name: &str, kind: &str, why: &str) -> EntityId {
        let id = (self.next_id)();
        self.by_name.entry(name_key(name)).or_default().push(id);
        self.entities.insert(id, Entity::new(id, name, kind, self.now));
        self.planned.insert(id, why.to_owned());
        id
    }

    /// A mention may bring a spelling or a kind that the entity lacks.
    fn widen(&mut self, id: EntityId, span: &str, kind: &str) {
        let Some(entity) = self.entities.get_mut(&id) else { return };
        let mut why = Vec::new();
        let span = span.trim();
        if !entity.names().any(|name| name == span) {
            entity.aliases.push(span.to_owned());
            why.push(format!("also written `{span}`"));
        }
        if entity.labels.is_empty() && !kind.trim().is_empty() {
            entity.labels.push(kind.trim().to_owned());
            why.push(format!("is a {}", kind.trim()));
        }
        if !why.is_empty() {
            entity.revised = self.now;
            self.planned.entry(id).or_insert_with(|| why.join("; "));
        }
    }

    /// The user said their name.
    pub fn name_user(&mut self, name: &str) {
        let Some(id) = self.user else { return };
        let taken = self.find(name, "Person").ok().filter(|other| *other != id);
        let Some(entity) = self.entities.get_mut(&id) else { return };
        if entity.names().any(|known| name_key(known) == name_key(name)) || taken.is_some() {
            return;
        }
        let old = std::mem::replace(&mut entity.name, name.trim().to_owned());
        entity.aliases.push(old);
        entity.revised = self.now;
        self.by_name.entry(name_key(name)).or_default().push(id);
        self.planned.insert(id, "the user said their name".into());
    }

    /// The user's entity, once somebody needed it.
    pub fn user(&self) -> Option<EntityId> {
        self.user
    }
    /// Entities that were made or changed, with the reason, in order of id.
    pub fn planned(&self) -> impl Iterator<Item = (&Entity, &str)> {
        self.planned.iter().filter_map(|(id, why)| Some((self.entities.get(id)?, why.as_str())))
    }
}

#[cfg(test)]
mod tests;

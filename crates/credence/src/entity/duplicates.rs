//! Possible duplicates: pairs of entities that may be one thing, for a person to decide.
//!
//! Two sources: links that resolution left when it was not sure, and names that are the same or nearly so. Kinds gate both (case 30): the
//! cat and the planet are never suggested. A pair that a person dismissed is stored on both and never suggested again; merges are
//! followed, so that what was said of an entity that was merged away holds for its keeper.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Entity;
use super::merge::present;
use crate::error::Error;
use crate::history::{Scope, State};
use crate::id::EntityId;
use crate::resolution::{UNNAMED_USER, compatible};
use crate::text::{ComparableName, Likeness, NameMatch, NameRules, fold, normal_name, without_accents};
use crate::time::Timestamp;

/// Two entities that may be one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DuplicatePair {
    /// The older one: a merge usually keeps it.
    pub one: EntityId,
    /// The newer one.
    pub other: EntityId,
    /// Why, in words for a person.
    pub why: String,
    /// How alike, 0 to 1.
    pub score: f64,
    /// Resolution was unsure when it met the second; otherwise the names alone suggest it.
    pub is_stored: bool,
}

type Pair = (EntityId, EntityId);

fn ordered(a: EntityId, b: EntityId) -> Pair {
    (a.min(b), a.max(b))
}

/// Every pair, most alike first.
pub(crate) fn pairs(state: &State) -> Vec<DuplicatePair> {
    let mut found = stored(state);
    let prepared: BTreeMap<EntityId, Named<'_>> =
        state.present_entities().map(|entity| (entity.id, Named::new(entity))).collect();
    for (one, other) in blocks(state) {
        if let (Some(one), Some(other)) = (prepared.get(&one), prepared.get(&other)) {
            suggest(&mut found, one, other);
        }
    }
    settle(state, found)
}

/// The pairs that one entity is in, most alike first. Cost: one comparison of names an entity.
pub(crate) fn pairs_of(state: &State, id: EntityId) -> Vec<DuplicatePair> {
    let mut found = stored(state);
    if let Some(entity) = state.entity(id).map(Named::new) {
        for other in state.present_entities().filter(|other| other.id != id) {
            suggest(&mut found, &entity, &Named::new(other));
        }
    }
    let mut pairs = settle(state, found);
    pairs.retain(|pair| pair.one == id || pair.other == id);
    pairs
}

/// The links that resolution left, read through merges.
fn stored(state: &State) -> BTreeMap<Pair, DuplicatePair> {
    let mut found = BTreeMap::new();
    for entity in state.entities() {
        for link in &entity.possible_duplicates {
            let (Some(a), Some(b)) = (state.keeper(entity.id), state.keeper(link.entity)) else { continue };
            if a.id != b.id {
                let (one, other) = ordered(a.id, b.id);
                let (why, score) = (link.why.clone(), link.score.clamp(0.0, 1.0));
                found.entry((one, other)).or_insert(DuplicatePair {
                    one,
                    other,
                    why,
                    score,
                    is_stored: true,
                });
            }
        }
    }
    found
}

/// An entity with its names taken apart once, however many it is compared with.
struct Named<'a> {
    entity: &'a Entity,
    names: Vec<(&'a str, ComparableName)>,
}

impl<'a> Named<'a> {
    fn new(entity: &'a Entity) -> Self {
        let names = entity.names().filter(|name| *name != UNNAMED_USER);
        Self { entity, names: names.map(|name| (name, ComparableName::new(name))).collect() }
    }
}

fn suggest(found: &mut BTreeMap<Pair, DuplicatePair>, a: &Named<'_>, b: &Named<'_>) {
    let mut best: Option<(f64, String)> = None;
    for x in &a.names {
        for y in &b.names {
            let Some((score, why)) = likeness(x, y) else { continue };
            if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
                best = Some((score, why));
            }
        }
    }
    let (a, b) = (a.entity, b.entity);
    let key = ordered(a.id, b.id);
    let fits =
        || a.labels.is_empty() || b.labels.is_empty() || b.labels.iter().any(|l| compatible(&a.labels, l));
    if let Some((score, why)) = best
        && !found.contains_key(&key)
        && fits()
    {
        let (one, other) = key;
        found.insert(key, DuplicatePair { one, other, why, score, is_stored: false });
    }
}

/// The scores order the list and say nothing more; chosen by us.
fn likeness(
    (x, ours): &(&str, ComparableName),
    (y, theirs): &(&str, ComparableName),
) -> Option<(f64, String)> {
    let (score, why) = match ours.compare(theirs, NameRules::default()) {
        NameMatch::Different => return None,
        NameMatch::Same => (1.0, format!("both are called `{x}`")),
        NameMatch::Candidate(Likeness::Accents) => (0.95, format!("`{x}` and `{y}` differ in accents alone")),
        NameMatch::Candidate(Likeness::Spelling) => (0.85, format!("`{x}` and `{y}` differ in few letters")),
        NameMatch::Candidate(Likeness::Part) => {
            (0.7, format!("one of `{x}` and `{y}` is a part of the other"))
        }
        NameMatch::Candidate(Likeness::Suffix) => (0.6, format!("`{x}` and `{y}` differ in a suffix")),
    };
    Some((score, why))
}

fn settle(state: &State, found: BTreeMap<Pair, DuplicatePair>) -> Vec<DuplicatePair> {
    let dismissed = dismissed(state);
    let mut pairs: Vec<DuplicatePair> =
        found.into_iter().filter(|(pair, _)| !dismissed.contains(pair)).map(|(_, pair)| pair).collect();
    pairs.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.one.cmp(&b.one)).then(a.other.cmp(&b.other)));
    pairs
}

fn dismissed(state: &State) -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    for entity in state.entities() {
        for other in &entity.distinct_from {
            if let (Some(a), Some(b)) = (state.keeper(entity.id), state.keeper(*other)) {
                pairs.insert(ordered(a.id, b.id));
            }
        }
    }
    pairs
}

/// Pairs worth comparing: those that share the whole name, a word of at least four characters, or the first or last two
/// characters, which one changed letter cannot take away both.
fn blocks(state: &State) -> BTreeSet<Pair> {
    let mut blocks: BTreeMap<String, Vec<EntityId>> = BTreeMap::new();
    for entity in state.present_entities() {
        let mut keys = BTreeSet::new();
        for name in entity.names().filter(|name| *name != UNNAMED_USER) {
            let form = without_accents(&fold(&normal_name(name)));
            let letters: Vec<char> = form.chars().collect();
            if letters.len() >= 4 {
                keys.insert(format!("<{}", letters[..2].iter().collect::<String>()));
                keys.insert(format!(">{}", letters[letters.len() - 2..].iter().collect::<String>()));
            }
            keys.extend(form.split(' ').filter(|word| word.chars().count() >= 4).map(str::to_owned));
            // Names that differ in a suffix alone may have short words only: "Bo Li Jr" and "Bo Li".
            keys.extend(form.split(' ').next().map(|first| format!("={first}")));
        }
        for key in keys {
            blocks.entry(key).or_default().push(entity.id);
        }
    }
    let mut pairs = BTreeSet::new();
    for ids in blocks.values() {
        for (n, one) in ids.iter().enumerate() {
            pairs.extend(ids[n + 1..].iter().map(|other| ordered(*one, *other)));
        }
    }
    pairs
}

/// Plans that a pair is never suggested again.
pub(crate) fn plan_dismiss(
    state: &State,
    scope: &Scope,
    a: EntityId,
    b: EntityId,
    now: Timestamp,
) -> Result<(), Error> {
    if a == b {
        let problem = "an entity cannot be told apart from itself; choose another".to_owned();
        return Err(Error::Invalid { what: "entity", problem });
    }
    for (id, other) in [(a, b), (b, a)] {
        let mut entity = present(state, id)?.clone();
        let known = present(state, other)?;
        // Said before: a later clock alone is no change.
        if entity.distinct_from.contains(&other)
            && entity.possible_duplicates.iter().all(|l| l.entity != other)
        {
            continue;
        }
        if !entity.distinct_from.contains(&other) {
            entity.distinct_from.push(other);
        }
        entity.possible_duplicates.retain(|link| link.entity != other);
        entity.revised = now;
        scope.put(state, entity, format!("is not `{}`", known.name));
    }
    Ok(())
}

//! Entities: the canonical people, places and things that mentions resolve to, and what becomes of them.
//!
//! - `merge`: merging, taking a merge back, splitting, forgetting; `names`: a person's plain edits.
//! - `duplicates`: which pairs may be one thing, and which a person said are not.
//! - `naming`: which of several names is shown (dice 5.8).
//! - `pipeline`, `suggest`, `meet`, `run`: finding entities in conversations and texts without statements (dice 3.6).
//! - `asserted`: entities that a host asserts (dice 5.9).
//! - `report`: what an entity-only run found, and which chunk mentions what (dice 3.6).
//!
//! Rules: an entity that was merged away keeps its record, so that the merge can be taken back at any later time; it is hidden
//! from lists and from resolution, and everything that points to it means its keeper ([`State::keeper`](crate::history::State::keeper)).
//! What a merge gave to the keeper is written on the keeper ([`Merged`]), where a mention pointed before is written on the mention:
//! taking a merge back needs no log. A name that a person chose is never replaced by rule.

mod asserted;
pub(crate) mod duplicates;
mod meet;
pub(crate) mod merge;
mod names;
mod naming;
mod pipeline;
mod report;
mod run;
mod suggest;

pub use asserted::{Asserted, AssertedEntity, AssertedOutcome};
pub use duplicates::DuplicatePair;
pub use merge::{Alike, EntityAct, MentionRef, Split};
pub use naming::{canonical_name, canonical_score};
pub use pipeline::EntityChunk;
pub use report::{EntityReport, EntitySource, FailedChunk, Found, FoundKind, Sighting, SkippedEntity};
pub use run::{EntityRun, EntityTotals};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::id::EntityId;
use crate::time::Timestamp;

/// An entity that this one may be. It was made because resolution was not sure; a person, or the model when asked, decides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PossibleDuplicate {
    /// The other one.
    pub entity: EntityId,
    /// Why they may be one, in words for a person.
    pub why: String,
    /// How alike they are, 0 to 1: of names or of meaning, as `why` says.
    #[serde(default)]
    pub score: f64,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// What an entity that was merged away gave to its keeper: what taking the merge back takes away again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Merged {
    /// The entity that was merged away.
    pub entity: EntityId,
    /// Names that the keeper did not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Labels that the keeper did not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Properties that the keeper did not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
    /// The keeper had no description and took this one's.
    #[serde(default, skip_serializing_if = "is_false")]
    pub described: bool,
    /// The name that the keeper showed before it took a better one from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown_before: Option<String>,
}

/// One thing that propositions are about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// Stable for life.
    pub id: EntityId,
    /// The name that is shown.
    pub name: String,
    /// Other names that have resolved to it, as they were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Kinds, for example `Person`; compared without regard to case.
    #[serde(default)]
    pub labels: Vec<String>,
    /// One line about it, where known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What hosts keep with it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, serde_json::Value>,
    /// The person whose memory this is; "I" in their turns means this entity.
    #[serde(default)]
    pub is_user: bool,
    /// Others that it may be; empty once somebody decided. The link stands on the newer of the two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub possible_duplicates: Vec<PossibleDuplicate>,
    /// A person chose the name that is shown: no rule replaces it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub name_is_chosen: bool,
    /// The entity that this one was merged into; it is then hidden, and kept for the day that the merge is taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<EntityId>,
    /// Entities that were merged into this one, in order, with what each gave.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<Merged>,
    /// Entities that a person said are others, however alike the names: never suggested as duplicates again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub distinct_from: Vec<EntityId>,
    /// First written.
    pub created: Timestamp,
    /// Last changed.
    pub revised: Timestamp,
}

impl Entity {
    /// An entity with one label (none when `label` is blank).
    pub fn new(id: EntityId, name: &str, label: &str, now: Timestamp) -> Self {
        let label = label.trim();
        Self {
            id,
            name: name.trim().to_owned(),
            aliases: Vec::new(),
            labels: if label.is_empty() { Vec::new() } else { vec![label.to_owned()] },
            description: String::new(),
            properties: BTreeMap::new(),
            is_user: false,
            possible_duplicates: Vec::new(),
            name_is_chosen: false,
            merged_into: None,
            merged: Vec::new(),
            distinct_from: Vec::new(),
            created: now,
            revised: now,
        }
    }
    /// The name and every alias.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.aliases.iter().map(String::as_str))
    }
    /// Whether it carries this label, without regard to case.
    pub fn has_label(&self, label: &str) -> bool {
        self.labels.iter().any(|l| l.eq_ignore_ascii_case(label))
    }
}

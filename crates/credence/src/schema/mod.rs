//! Schema: what kinds of things and relations a memory knows, and how strictly it keeps to them.
//!
//! [`KnowledgeSchema`] is what extraction is told, resolution asks before it makes a new entity, mention filters check spans
//! by, revision asks for a relation's cardinality, and evidence floors are read from. A person writes it as JSON; what
//! cannot be is refused with its place and a remedy (`json`). `types` and `relation` are the two halves, `builtin` what a personal
//! memory starts with, `registry` the schemas of a host by name. Source: dice 1.8.

mod builtin;
mod json;
mod registry;
mod relation;
mod types;

pub use registry::{DEFAULT_SCHEMA, SchemaRegistry};
pub use relation::{Cardinality, EvidenceFloor, KnowledgeType, Relation, Relations};
pub use types::{DataDictionary, DynamicType, Relationship, ValidatedPropertyDefinition};

use serde::{Deserialize, Serialize};

/// Something in a schema that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct SchemaError {
    /// Where, for example `types[2].properties[0].rules[1]`.
    pub place: String,
    /// What is wrong and what would be right.
    pub problem: String,
}

fn wrong<T>(place: impl Into<String>, problem: impl Into<String>) -> Result<T, SchemaError> {
    Err(SchemaError { place: place.into(), problem: problem.into() })
}

/// How strictly extraction keeps to the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchemaAdherence {
    /// Only the schema's types become mentions.
    pub entities: bool,
    /// Only the schema's predicates are used.
    pub predicates: bool,
}

impl SchemaAdherence {
    /// Types and predicates are locked.
    pub const STRICT: Self = Self { entities: true, predicates: true };
    /// Types are locked, predicates are preferred.
    pub const DEFAULT: Self = Self { entities: true, predicates: false };
    /// Both are preferred.
    pub const RELAXED: Self = Self { entities: false, predicates: false };
}

impl Default for SchemaAdherence {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Types, predicates, and how strictly they are kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnowledgeSchema {
    /// The kinds of things.
    #[serde(flatten)]
    pub dictionary: DataDictionary,
    /// The predicates beside those of the dictionary's relationships.
    #[serde(default)]
    pub relations: Relations,
    /// How strictly they are kept.
    #[serde(default)]
    pub adherence: SchemaAdherence,
}

impl Default for KnowledgeSchema {
    /// The built-in schema of a personal memory.
    fn default() -> Self {
        builtin::personal().clone()
    }
}

impl KnowledgeSchema {
    /// Checks types, relationships and relations.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place and what would be right.
    pub fn validate(&self) -> Result<(), SchemaError> {
        self.dictionary.validate()?;
        self.relations.validate(&self.dictionary)
    }

    /// How many values one subject may have in a relation that words or a slot name; `None` where the schema does not know
    /// the relation.
    pub fn cardinality(&self, predicate: &str) -> Option<Cardinality> {
        self.relations.named(predicate).map(|relation| relation.cardinality)
    }
}

#[cfg(test)]
mod tests;

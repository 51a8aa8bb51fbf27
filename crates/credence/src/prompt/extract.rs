//! What the extraction templates are given.

use std::collections::BTreeMap;

use serde::Serialize;

/// A speaker of a window.
#[derive(Debug, Clone, Serialize)]
pub struct SpeakerContext {
    /// The name that propositions use.
    pub name: String,
    /// The person whose memory this is.
    pub is_user: bool,
    /// The model.
    pub is_assistant: bool,
    /// A document: nobody known speaks in it.
    pub is_document: bool,
}

/// A known entity.
#[derive(Debug, Clone, Serialize)]
pub struct EntityContext {
    /// From 1; the only id that a reply may use.
    pub number: usize,
    /// The name.
    pub name: String,
    /// Kinds.
    pub labels: Vec<String>,
    /// What it is in this conversation; may be empty.
    pub role: String,
    /// The person whose memory this is.
    pub is_user: bool,
}

/// A host's example.
#[derive(Debug, Clone, Serialize)]
pub struct ExampleContext {
    /// The words of a turn.
    pub said: String,
    /// What is to be kept of it.
    pub propositions: Vec<String>,
}

/// A type of thing.
#[derive(Debug, Clone, Serialize)]
pub struct SchemaTypeContext {
    /// `Person`.
    pub name: String,
    /// What counts as one; may be empty.
    pub description: String,
    /// Only known ones may be mentioned.
    pub closed: bool,
}

/// A predicate, of a relationship or of a relation beside them.
#[derive(Debug, Clone, Serialize)]
pub struct PredicateContext {
    /// `works at`.
    pub predicate: String,
    /// What it means; may be empty.
    pub meaning: String,
    /// The subject's type; may be empty.
    pub subject: String,
    /// The object's type; may be empty.
    pub object: String,
}

/// The schema in force.
#[derive(Debug, Clone, Serialize)]
pub struct SchemaContext {
    /// In order; never empty.
    pub types: Vec<SchemaTypeContext>,
    /// Predicates of the types' relationships.
    pub predicates: Vec<PredicateContext>,
    /// Predicates beside those.
    pub relations: Vec<PredicateContext>,
    /// Only these types become mentions.
    pub types_locked: bool,
    /// Only these predicates are used.
    pub predicates_locked: bool,
}

/// Context of `extract/propositions.jinja` and its parts.
#[derive(Debug, Clone, Serialize)]
pub struct ExtractContext<'a> {
    /// The user's name, or `User`.
    pub user: String,
    /// `all`, `user` or `agent`.
    pub perspective: &'static str,
    /// `sparse`, `normal` or `dense`.
    pub density: &'static str,
    /// The short form for small models.
    pub brief: bool,
    /// Who speaks in the window.
    pub speakers: Vec<SpeakerContext>,
    /// What kinds of things and relations there are.
    pub schema: SchemaContext,
    /// Known entities that the window may mean.
    pub entities: Vec<EntityContext>,
    /// Stored statements near to the window.
    pub known: Vec<String>,
    /// The host's examples.
    pub examples: Vec<ExampleContext>,
    /// The host's variables, for replaced templates.
    pub vars: &'a BTreeMap<String, serde_json::Value>,
}

/// A numbered turn.
#[derive(Debug, Clone, Serialize)]
pub struct TurnContext {
    /// From 1.
    pub number: usize,
    /// The name that propositions use.
    pub speaker: String,
    /// `user`, `assistant` or `other`.
    pub role: &'static str,
    /// Weekday, date and offset where it was said.
    pub date: String,
    /// What was said.
    pub text: String,
    /// Read with an earlier window.
    pub context_only: bool,
}

/// Context of `extract/window.jinja`.
#[derive(Debug, Clone, Serialize)]
pub struct WindowContext<'a> {
    /// In order.
    pub turns: Vec<TurnContext>,
    /// The host's variables, for replaced templates.
    pub vars: &'a BTreeMap<String, serde_json::Value>,
}

//! Relations: predicates that a memory knows, what kind of knowledge a statement with one is, how many values one subject may
//! have, and what evidence it takes.
//!
//! Source: dice 1.8. Ours beside it: [`Cardinality`], which revision asks before a newer value replaces an older one.

use serde::{Deserialize, Serialize};

use super::{SchemaError, wrong};
use crate::scale::Confidence;
use crate::text;
pub use crate::text::Cardinality;
use crate::trust::AuthorityTier;

/// What kind of knowledge a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum KnowledgeType {
    /// A fact that holds.
    #[default]
    Semantic,
    /// Something that happened.
    Episodic,
    /// A preference, habit or rule of conduct.
    Procedural,
    /// Of the moment.
    Working,
}

/// The least evidence for a statement with a predicate.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct EvidenceFloor {
    /// Confidence to reach, 0 to 1; inclusive.
    #[serde(default, rename = "minConfidence", skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<Confidence>,
    /// Authority to reach.
    #[serde(default, rename = "minAuthority", skip_serializing_if = "Option::is_none")]
    pub min_authority: Option<AuthorityTier>,
    /// The weaker predicate that a statement below the floor falls to; without one it goes to a person.
    #[serde(default, rename = "demoteTo", skip_serializing_if = "Option::is_none")]
    pub demote_to: Option<String>,
}

impl EvidenceFloor {
    /// Whether the evidence suffices: confidence and authority both.
    pub fn is_met(&self, confidence: f64, authority: AuthorityTier) -> bool {
        self.min_confidence.is_none_or(|min| confidence >= min.get())
            && self.min_authority.is_none_or(|min| authority <= min)
    }
}

/// One predicate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Relation {
    /// The words that state it: `works at`.
    pub predicate: String,
    /// What it means, in words for a model; the predicate itself where absent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub meaning: String,
    /// What kind of knowledge a statement with it is.
    #[serde(default)]
    pub knowledge: KnowledgeType,
    /// The type that the subject must have.
    #[serde(default, rename = "subjectType", skip_serializing_if = "Option::is_none")]
    pub subject_type: Option<String>,
    /// The type that the object must have.
    #[serde(default, rename = "objectType", skip_serializing_if = "Option::is_none")]
    pub object_type: Option<String>,
    /// What evidence it takes.
    #[serde(default, rename = "evidenceFloor", skip_serializing_if = "Option::is_none")]
    pub evidence_floor: Option<EvidenceFloor>,
    /// How many values one subject may have.
    #[serde(default)]
    pub cardinality: Cardinality,
}

impl Relation {
    /// A predicate of a kind of knowledge, for any subject and object, with any number of values.
    pub fn new(predicate: &str, knowledge: KnowledgeType) -> Self {
        Self {
            predicate: predicate.to_owned(),
            meaning: String::new(),
            knowledge,
            subject_type: None,
            object_type: None,
            evidence_floor: None,
            cardinality: Cardinality::Many,
        }
    }
    /// Says what it means.
    pub fn meaning(mut self, meaning: &str) -> Self {
        self.meaning = meaning.to_owned();
        self
    }
    /// Only such subjects.
    pub fn subject(mut self, type_name: &str) -> Self {
        self.subject_type = Some(type_name.to_owned());
        self
    }
    /// Only such objects.
    pub fn object(mut self, type_name: &str) -> Self {
        self.object_type = Some(type_name.to_owned());
        self
    }
    /// Asks for evidence.
    pub fn floor(mut self, floor: EvidenceFloor) -> Self {
        self.evidence_floor = Some(floor);
        self
    }
    /// Says how many values one subject may have.
    pub fn values(mut self, cardinality: Cardinality) -> Self {
        self.cardinality = cardinality;
        self
    }
    /// The meaning, or the predicate where none was given.
    pub fn meaning_or_predicate(&self) -> &str {
        if self.meaning.trim().is_empty() { &self.predicate } else { &self.meaning }
    }
    /// Whether a sentence asserts it: whole words, not denied.
    pub fn is_stated_by(&self, sentence: &str) -> bool {
        text::asserts(sentence, &self.predicate)
    }
}

/// Predicates in order; where several fit, the first decides. A value: every builder returns a new list.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Relations(Vec<Relation>);

impl Relations {
    /// No predicates.
    pub fn empty() -> Self {
        Self::default()
    }
    /// In order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Relation> {
        self.0.iter()
    }
    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// One more, at the end.
    pub fn with(mut self, relation: Relation) -> Self {
        self.0.push(relation);
        self
    }
    /// These behind those that are there.
    pub fn with_all(mut self, relations: impl IntoIterator<Item = Relation>) -> Self {
        self.0.extend(relations);
        self
    }
    /// Facts that hold.
    pub fn with_semantic(self, predicate: &str, meaning: &str) -> Self {
        self.with(Relation::new(predicate, KnowledgeType::Semantic).meaning(meaning))
    }
    /// Things that happened.
    pub fn with_episodic(self, predicate: &str, meaning: &str) -> Self {
        self.with(Relation::new(predicate, KnowledgeType::Episodic).meaning(meaning))
    }
    /// Preferences and habits.
    pub fn with_procedural(self, predicate: &str, meaning: &str) -> Self {
        self.with(Relation::new(predicate, KnowledgeType::Procedural).meaning(meaning))
    }
    /// A fact between two types, with the evidence it takes.
    pub fn with_semantic_between(
        self,
        subject: &str,
        object: &str,
        predicate: &str,
        meaning: &str,
        floor: Option<EvidenceFloor>,
    ) -> Self {
        let relation = Relation::new(predicate, KnowledgeType::Semantic)
            .meaning(meaning)
            .subject(subject)
            .object(object);
        self.with(Relation { evidence_floor: floor, ..relation })
    }
    /// Several predicates of one kind of subject.
    pub fn with_predicates_for_subject(
        self,
        subject: &str,
        knowledge: KnowledgeType,
        predicates: &[&str],
    ) -> Self {
        self.with_all(predicates.iter().map(|predicate| Relation::new(predicate, knowledge).subject(subject)))
    }

    /// The relation of this predicate, in whatever spelling: `WORKS_AT`, `worksAt`, `works at`.
    pub fn named(&self, predicate: &str) -> Option<&Relation> {
        let wanted = text::predicate_words(predicate);
        self.0.iter().find(|relation| text::predicate_words(&relation.predicate) == wanted)
    }
    /// The first relation that a sentence asserts.
    pub fn stated_by(&self, sentence: &str) -> Option<&Relation> {
        self.0.iter().find(|relation| relation.is_stated_by(sentence))
    }

    /// Checks every relation; `types` knows the types that constraints may name.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place and what would be right.
    pub fn validate(&self, types: &super::DataDictionary) -> Result<(), SchemaError> {
        for (n, relation) in self.0.iter().enumerate() {
            if text::predicate_words(&relation.predicate).is_empty() {
                return wrong(
                    format!("relations[{n}].predicate"),
                    "a relation needs a predicate, for example `works at`",
                );
            }
            for (member, name) in
                [("subjectType", &relation.subject_type), ("objectType", &relation.object_type)]
            {
                if let Some(name) = name
                    && types.type_named(name).is_none()
                {
                    let place = format!("relations[{n}].{member}");
                    return wrong(
                        place,
                        format!("there is no type `{name}`; add it to `types`, or leave this out"),
                    );
                }
            }
            let demote_to = relation.evidence_floor.as_ref().and_then(|floor| floor.demote_to.as_deref());
            if demote_to.is_some_and(|target| target.trim().is_empty()) {
                let place = format!("relations[{n}].evidenceFloor.demoteTo");
                return wrong(place, "name the weaker predicate, or leave it out to ask a person");
            }
        }
        Ok(())
    }
}

//! Types of things: what a dictionary knows of `Person` or `Place`, and how types relate.
//!
//! Source: dice 1.8 (DataDictionary, DynamicType, ValidatedPropertyDefinition) and 6.2 (derived predicates).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{SchemaError, wrong};
use crate::filter::MentionRule;
use crate::text;

/// A named set of types.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DataDictionary {
    /// What it is called, for people.
    #[serde(default)]
    pub name: String,
    /// In the order in which a model is told of them.
    #[serde(default)]
    pub types: Vec<DynamicType>,
    /// How they relate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relationships: Vec<Relationship>,
}

/// One type of thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DynamicType {
    /// `Person`; unique in its dictionary without regard to case.
    pub name: String,
    /// What counts as one, in words for a model and a person.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What is known of one. `name` is the property that mentions are checked by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<ValidatedPropertyDefinition>,
    /// Types that it is a kind of; it has their properties too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<String>,
    /// Whether a mention may make a new one. `false`: the known ones are all there are, and any other stays text.
    #[serde(default = "yes", rename = "creationPermitted")]
    pub creation_permitted: bool,
}

fn yes() -> bool {
    true
}

/// A property and the rules that its values keep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValidatedPropertyDefinition {
    /// `name`, `employer`; unique in its type.
    pub name: String,
    /// What it says, in words for a model and a person.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// All must pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<MentionRule>,
}

/// A property whose value is another thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relationship {
    /// The type that has it.
    pub from: String,
    /// The type of its value.
    pub to: String,
    /// `employer`: the type of a projected edge.
    pub property: String,
    /// The words of a sentence that states it, for example `works at`; derived from the property where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicate: Option<String>,
}

impl DynamicType {
    /// A type with a description, whose mentions may make new things.
    pub fn new(name: &str, description: &str) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            properties: Vec::new(),
            parents: Vec::new(),
            creation_permitted: true,
        }
    }
    /// Adds a property with its rules.
    pub fn with_property(mut self, name: &str, rules: Vec<MentionRule>) -> Self {
        self.properties.push(ValidatedPropertyDefinition {
            name: name.to_owned(),
            description: String::new(),
            rules,
        });
        self
    }
    /// Makes it a kind of another type.
    pub fn with_parent(mut self, parent: &str) -> Self {
        self.parents.push(parent.to_owned());
        self
    }
    /// Its mentions may only mean things that are known.
    pub fn closed(mut self) -> Self {
        self.creation_permitted = false;
        self
    }
    fn property(&self, name: &str) -> Option<&ValidatedPropertyDefinition> {
        self.properties.iter().find(|property| property.name == name)
    }
}

impl Relationship {
    /// The words that state it: the predicate, else derived from the property. `HAS_X_Y` says "has x y", any other name
    /// with `_` its words, and `directReports` "has direct reports" (dice 6.2).
    pub fn stated_as(&self) -> String {
        if let Some(predicate) = self.predicate.as_deref().map(str::trim).filter(|p| !p.is_empty()) {
            return predicate.to_owned();
        }
        let words = text::predicate_words(&self.property).join(" ");
        if self.property.contains('_') { words } else { format!("has {words}") }
    }
}

impl DataDictionary {
    /// The type of this name: the exact one, else the one that differs in case alone.
    pub fn type_named(&self, name: &str) -> Option<&DynamicType> {
        let name = name.trim();
        let exact = self.types.iter().find(|known| known.name == name);
        exact.or_else(|| {
            let folded = text::fold(name);
            self.types.iter().find(|known| text::fold(&known.name) == folded)
        })
    }

    /// The type and all that it is a kind of, nearest first, each once.
    pub fn lineage(&self, name: &str) -> Vec<&DynamicType> {
        let mut found: Vec<&DynamicType> = self.type_named(name).into_iter().collect();
        let mut at = 0;
        while at < found.len() {
            for parent in &found[at].parents {
                if let Some(parent) = self.type_named(parent)
                    && !found.iter().any(|known| known.name == parent.name)
                {
                    found.push(parent);
                }
            }
            at += 1;
        }
        found
    }

    /// Whether a thing of type `name` is also one of `other`.
    pub fn is_a(&self, name: &str, other: &str) -> bool {
        let other = text::fold(other.trim());
        text::fold(name.trim()) == other || self.lineage(name).iter().any(|t| text::fold(&t.name) == other)
    }

    /// The rules of a property: the type's own definition, else its nearest ancestor's. Empty for unknown types.
    pub fn rules(&self, type_name: &str, property: &str) -> &[MentionRule] {
        let defined = self.lineage(type_name).into_iter().find_map(|known| known.property(property));
        defined.map_or(&[], |property| property.rules.as_slice())
    }

    /// Whether mentions with these labels may make a new thing: no type that they name forbids it; unknown types do not
    /// (dice 5.4).
    pub fn permits_creation<S: AsRef<str>>(&self, labels: impl IntoIterator<Item = S>) -> bool {
        labels
            .into_iter()
            .all(|label| self.type_named(label.as_ref()).is_none_or(|known| known.creation_permitted))
    }

    /// Checks names, parents and relationships.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place, for example `types[2].parents[0]`, and what would be right.
    pub fn validate(&self) -> Result<(), SchemaError> {
        let mut names = BTreeSet::new();
        for (n, known) in self.types.iter().enumerate() {
            let place = |member: &str| format!("types[{n}].{member}");
            if known.name.trim().is_empty() {
                return wrong(place("name"), "a type needs a name, for example `Person`");
            }
            if !names.insert(text::fold(known.name.trim())) {
                return wrong(
                    place("name"),
                    format!("there is another type `{}`; give each its own name", known.name),
                );
            }
            let mut properties = BTreeSet::new();
            for (m, property) in known.properties.iter().enumerate() {
                if property.name.trim().is_empty() || !properties.insert(&property.name) {
                    let problem =
                        format!("`{}` needs properties with names that differ and are not blank", known.name);
                    return wrong(place(&format!("properties[{m}].name")), problem);
                }
            }
        }
        for (n, known) in self.types.iter().enumerate() {
            for (m, parent) in known.parents.iter().enumerate() {
                let place = format!("types[{n}].parents[{m}]");
                if self.type_named(parent).is_none() {
                    return wrong(place, format!("there is no type `{parent}`; add it, or take it out here"));
                }
                if self.is_a(parent, &known.name) {
                    return wrong(
                        place,
                        format!("`{}` would be a kind of itself by way of `{parent}`", known.name),
                    );
                }
            }
        }
        for (n, relationship) in self.relationships.iter().enumerate() {
            for (member, name) in [("from", &relationship.from), ("to", &relationship.to)] {
                if self.type_named(name).is_none() {
                    let place = format!("relationships[{n}].{member}");
                    return wrong(
                        place,
                        format!("there is no type `{name}`; add it to `types`, or name another"),
                    );
                }
            }
            if text::predicate_words(&relationship.property).is_empty() {
                return wrong(
                    format!("relationships[{n}].property"),
                    "a relationship needs a property name, for example `employer`",
                );
            }
        }
        Ok(())
    }
}

//! A schema as a person writes it: read piece by piece, so that an error names the piece, then checked as a whole.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{DataDictionary, DynamicType, KnowledgeSchema, Relation, Relations, SchemaError, wrong};
use crate::filter::MentionRule;

impl KnowledgeSchema {
    /// Reads and checks a schema: `{"name", "types": […], "relationships": […], "relations": […], "adherence": {…}}`. Members
    /// that nobody knows are refused, because a misspelt one would be silently without effect.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place and what would be right.
    pub fn from_json(text: &str) -> Result<Self, SchemaError> {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return wrong("schema", format!("this is no JSON: {error}")),
        };
        let Value::Object(mut members) = value else {
            return wrong("schema", "a schema is an object with `types`; start from the built-in one");
        };
        let schema = Self {
            dictionary: DataDictionary {
                name: piece(&mut members, "name")?.unwrap_or_default(),
                types: types(&mut members)?,
                relationships: list(&mut members, "relationships", &["from", "to", "property", "predicate"])?,
            },
            relations: Relations::empty().with_all(list::<Relation>(&mut members, "relations", &RELATION)?),
            adherence: piece(&mut members, "adherence")?.unwrap_or_default(),
        };
        if let Some(unknown) = members.keys().next() {
            let known = "`name`, `types`, `relationships`, `relations` and `adherence`";
            return wrong(unknown.clone(), format!("a schema has no such member; it has {known}"));
        }
        schema.validate()?;
        Ok(schema)
    }

    /// The schema as JSON that a person can read and change.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

const RELATION: [&str; 7] =
    ["predicate", "meaning", "knowledge", "subjectType", "objectType", "evidenceFloor", "cardinality"];

fn piece<T: DeserializeOwned>(
    members: &mut Map<String, Value>,
    name: &str,
) -> Result<Option<T>, SchemaError> {
    match members.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => read(value, name).map(Some),
    }
}

fn read<T: DeserializeOwned>(value: Value, place: &str) -> Result<T, SchemaError> {
    serde_json::from_value(value)
        .map_err(|error| SchemaError { place: place.to_owned(), problem: error.to_string() })
}

fn items(members: &mut Map<String, Value>, name: &str) -> Result<Vec<Value>, SchemaError> {
    match members.remove(name) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => Ok(items),
        Some(_) => wrong(name, "this must be a list: [ … ]"),
    }
}

fn known_members(value: &Value, place: &str, known: &[&str]) -> Result<(), SchemaError> {
    let Value::Object(members) = value else { return wrong(place, "this must be an object: { … }") };
    match members.keys().find(|name| !known.contains(&name.as_str())) {
        Some(unknown) => wrong(
            format!("{place}.{unknown}"),
            format!("there is no such member; known are {}", known.join(", ")),
        ),
        None => Ok(()),
    }
}

fn list<T: DeserializeOwned>(
    members: &mut Map<String, Value>,
    name: &str,
    known: &[&str],
) -> Result<Vec<T>, SchemaError> {
    let mut read_items = Vec::new();
    for (n, item) in items(members, name)?.into_iter().enumerate() {
        let place = format!("{name}[{n}]");
        known_members(&item, &place, known)?;
        read_items.push(read(item, &place)?);
    }
    Ok(read_items)
}

fn types(members: &mut Map<String, Value>) -> Result<Vec<DynamicType>, SchemaError> {
    let mut types = Vec::new();
    for (n, mut item) in items(members, "types")?.into_iter().enumerate() {
        let place = format!("types[{n}]");
        known_members(&item, &place, &["name", "description", "properties", "parents", "creationPermitted"])?;
        // Rules are read one by one first, so that the error names the rule.
        for (m, property) in item["properties"].as_array().into_iter().flatten().enumerate() {
            let place = format!("{place}.properties[{m}]");
            known_members(property, &place, &["name", "description", "rules"])?;
            for (r, rule) in property["rules"].as_array().into_iter().flatten().enumerate() {
                read::<MentionRule>(rule.clone(), &format!("{place}.rules[{r}]"))?;
            }
        }
        types.push(read(item.take(), &place)?);
    }
    Ok(types)
}

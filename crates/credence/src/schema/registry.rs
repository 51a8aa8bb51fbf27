//! Schemas by name: a host registers several and puts one in force.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{KnowledgeSchema, SchemaError, builtin, wrong};

/// The name of the schema that is in force where nobody chose.
pub const DEFAULT_SCHEMA: &str = "default";

/// Schemas by name. `default` is the built-in one until another is registered under that name.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SchemaRegistry {
    /// The name of the schema in force; unknown names and none mean the default.
    #[serde(rename = "inForce", skip_serializing_if = "Option::is_none")]
    in_force: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    named: BTreeMap<String, KnowledgeSchema>,
}

impl SchemaRegistry {
    /// The schema of this name, if there is one.
    pub fn get(&self, name: &str) -> Option<&KnowledgeSchema> {
        let registered = self.named.get(name.trim());
        registered.or_else(|| (name.trim() == DEFAULT_SCHEMA).then(builtin::personal))
    }
    /// The default schema.
    pub fn get_default(&self) -> &KnowledgeSchema {
        self.named.get(DEFAULT_SCHEMA).unwrap_or_else(|| builtin::personal())
    }
    /// The schema of this name; the default for an unknown name or none.
    pub fn get_or_default(&self, name: Option<&str>) -> &KnowledgeSchema {
        name.and_then(|name| self.get(name)).unwrap_or_else(|| self.get_default())
    }
    /// The schema in force.
    pub fn current(&self) -> &KnowledgeSchema {
        self.get_or_default(self.in_force.as_deref())
    }
    /// Adds a schema or replaces the one of this name.
    ///
    /// # Errors
    /// A blank name, or a schema that cannot be; nothing is registered then.
    pub fn register(&mut self, name: &str, schema: KnowledgeSchema) -> Result<(), SchemaError> {
        if name.trim().is_empty() {
            return wrong("name", "a schema is registered under a name, for example `work`");
        }
        schema.validate()?;
        self.named.insert(name.trim().to_owned(), schema);
        Ok(())
    }
    /// Puts a schema in force; `None` for the default.
    ///
    /// # Errors
    /// There is no schema of this name.
    pub fn put_in_force(&mut self, name: Option<&str>) -> Result<(), SchemaError> {
        if let Some(name) = name
            && self.get(name).is_none()
        {
            let names: Vec<String> = self.names().map(|known| format!("`{known}`")).collect();
            return wrong("inForce", format!("there is no schema `{name}`; there are {}", names.join(", ")));
        }
        self.in_force = name.map(|name| name.trim().to_owned());
        Ok(())
    }
    /// Every name, the default's included, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let builtin = (!self.named.contains_key(DEFAULT_SCHEMA)).then_some(DEFAULT_SCHEMA);
        builtin.into_iter().chain(self.named.keys().map(String::as_str))
    }
    /// Every schema with its name.
    pub fn all(&self) -> impl Iterator<Item = (&str, &KnowledgeSchema)> {
        self.names().filter_map(|name| Some((name, self.get(name)?)))
    }
    /// Checks every registered schema and the name in force.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn validate(&self) -> Result<(), SchemaError> {
        for (name, schema) in &self.named {
            schema
                .validate()
                .map_err(|error| SchemaError { place: format!("{name}.{}", error.place), ..error })?;
        }
        match &self.in_force {
            Some(name) if self.get(name).is_none() => {
                wrong("inForce", format!("there is no schema `{name}`; register it first"))
            }
            _ => Ok(()),
        }
    }
}

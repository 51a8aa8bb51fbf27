//! The areas of the settings that are JSON in the core's own form: gates, filters, schemas, trust, conflicts, and those of the working set.

use std::collections::BTreeMap;

use credence::schema::{KnowledgeSchema, SchemaRegistry};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Something that is checked before a change is written. */
export type Gate =
  /** Refuses what is believed too little now: `min` is the least effective confidence. */
  | { gate: "confidence"; min: number }
  /** Asks a person before a statement joins a known one or makes it surer. */
  | { gate: "merge-candidate" }
  /** Asks a person before a known statement is retired by another. */
  | { gate: "conflict-classification" }
  /** Asks a person where the source is trusted too little. */
  | { gate: "trust"; min: number; onMissing?: "persist" | "reject" | "route-to-review" }
  /** Keeps faint and contradicted statements out of projections. Default `min`: 0.3. */
  | { gate: "projection-eligibility"; min?: number }
  /** Asks for the evidence that the schema's relation takes. */
  | { gate: "evidence-floor" };

/** The gates that a change passes. */
export interface GateSettings {
  /** In order: the first answer other than to persist is final. Default: evidence floors alone. */
  gates?: readonly Gate[];
  /** Whether a refusal ends the asking. Default: yes. */
  shortCircuit?: boolean;
}

/** What the span of a mention must be to name something. */
export type MentionRule =
  | { rule: "not-blank" }
  | { rule: "no-vague-references"; starters?: readonly string[] }
  | { rule: "length"; min?: number; max?: number }
  | { rule: "pattern"; regex: string; description?: string }
  | { rule: "min-word-count"; min: number }
  | { rule: "entity-type-guard"; patterns: readonly string[] }
  | { rule: "all-of"; rules: readonly MentionRule[] }
  | { rule: "any-of"; rules: readonly MentionRule[] };

/** What judges a mention in its statement. A rejected mention stays text; its statement is kept. */
export type MentionFilter =
  /** By the rules that the schema gives a property of the mention's type. Default `property`: `name`. */
  | { filter: "schema-validated"; property?: string }
  /** A mention that is the whole statement names nothing. Default `minPropositionLength`: 50 characters. */
  | { filter: "proposition-duplicate"; minPropositionLength?: number }
  /** A date, a time or a number names nothing that could be met again. A type that the schema declares is wanted. */
  | { filter: "time-or-number" }
  /** By rules of the program's own, for these types alone; none: for all. */
  | { filter: "rules"; rules: readonly MentionRule[]; types?: readonly string[] };

/** How much a source has to say: first-hand, reported, derived, or nobody knows. */
export type AuthorityTier = "PRIMARY" | "SECONDARY" | "DERIVED" | "UNKNOWN";

/** How far a source's word is taken. */
export interface TrustSettings {
  /** How far each kind of source is trusted by the working set: 0 to 1 by its name, and what the others get. */
  sourceAuthority?: { scores?: Readonly<Record<string, number>>; defaultScore?: number };
  /** How the tier of a statement is found. Default: by its locators, bounded by whose words it rests on. */
  authority?: { by: "voice" } | { by: "structural" } | { by: "fixed"; tier: AuthorityTier };
  /** How the score, 0 to 1, follows from the tier. Default weights: 0.9, 0.75, 0.6, 0.5. */
  scorer?:
    | { by: "authority"; weights?: { primary?: number; secondary?: number; derived?: number; unknown?: number } }
    | { by: "neutral" };
}

/** What kind of conflict two opposed statements are in. */
export type ConflictSettings =
  | { detector: "always-contradiction" }
  /** Predicates that change with time make a progression. Default: employer, residence, status, role, location, title. */
  | { detector: "temporal"; evolving?: readonly string[] };

/**
 * Settings of one area by their names, areas within areas included: `{ budget: 12, tier: { hotThreshold: 700 } }`. {@link Memory.properties}
 * lists most of them with type, range and default; an error names the place.
 */
export interface SettingsArea {
  readonly [name: string]: SettingsArea | readonly unknown[] | boolean | number | string | null;
}

/** The kinds of things and relations that a memory knows. */
export interface KnowledgeSchema {
  /** What it is called, for people. */
  name?: string;
  /** Kinds of things, in the order in which a model is told of them. */
  types?: readonly {
    name: string;
    description?: string;
    properties?: readonly { name: string; description?: string; rules?: readonly MentionRule[] }[];
    /** Types that it is a kind of. */
    parents?: readonly string[];
    /** Whether a mention may make a new one. Default: yes. */
    creationPermitted?: boolean;
  }[];
  /** Properties whose value is another thing. */
  relationships?: readonly { from: string; to: string; property: string; predicate?: string }[];
  /** Predicates, what evidence they take, and how many values one subject may have. */
  relations?: readonly {
    predicate: string;
    meaning?: string;
    knowledge?: "SEMANTIC" | "EPISODIC" | "PROCEDURAL" | "WORKING";
    subjectType?: string;
    objectType?: string;
    evidenceFloor?: { minConfidence?: number; minAuthority?: AuthorityTier; demoteTo?: string };
    cardinality?: "many" | "one" | "immutable";
  }[];
  /** How strictly extraction keeps to types and predicates. Default: to types alone. */
  adherence?: { entities: boolean; predicates: boolean };
}

/** Schemas by name, and the one in force. */
export interface SchemaSettings {
  /** The name of the schema in force. Default: `default`, which is the built-in one unless `named` has another. */
  inForce?: string;
  /** Schemas by name. */
  named?: Readonly<Record<string, KnowledgeSchema>>;
}
"#;

/// Reads a value in the core's own form, and refuses names that the core would pass over. Errors begin with the place within.
pub(super) fn exact<'de, D, T>(d: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Serialize,
{
    let Some(given) = Option::<Value>::deserialize(d)? else { return Ok(None) };
    read_exactly(&given).map(Some).map_err(D::Error::custom)
}

/// [`exact`] for an area whose names the core spells with underscores.
pub(super) fn area<'de, D, T>(d: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Serialize,
{
    let Some(given) = Option::<Value>::deserialize(d)? else { return Ok(None) };
    let spelled = |problem: String| D::Error::custom(super::camel_case(&problem));
    let given = snake_case(given).map_err(spelled)?;
    read_exactly(&given).map(Some).map_err(spelled)
}

/// Members whose own names are the host's.
const NAMED_BY_THE_HOST: [&str; 1] = ["scores"];

/// A value with `hotThreshold` as `hot_threshold`, as deep as it goes; a name that is spelled in the latter way is none.
fn snake_case(value: Value) -> Result<Value, String> {
    Ok(match value {
        Value::Array(items) => Value::Array(items.into_iter().map(snake_case).collect::<Result<_, _>>()?),
        Value::Object(members) => {
            let mut spelled = serde_json::Map::new();
            for (name, value) in members {
                if name.contains('_') {
                    return Err(format!(".`{name}`: there is no such setting; names are camelCase"));
                }
                let value =
                    if NAMED_BY_THE_HOST.contains(&name.as_str()) { value } else { snake_case(value)? };
                let name = name.chars().fold(String::new(), |mut all, letter| {
                    if letter.is_ascii_uppercase() {
                        all.push('_');
                    }
                    all.push(letter.to_ascii_lowercase());
                    all
                });
                spelled.insert(name, value);
            }
            Value::Object(spelled)
        }
        plain => plain,
    })
}

fn read_exactly<T: DeserializeOwned + Serialize>(given: &Value) -> Result<T, String> {
    let read: T = serde_path_to_error::deserialize(given).map_err(|error| {
        let path = error.path().to_string();
        let problem = error.into_inner();
        match path.as_str() {
            "." => problem.to_string(),
            path if path.starts_with('[') => format!("{path}: {problem}"),
            path => format!(".{path}: {problem}"),
        }
    })?;
    let kept = serde_json::to_value(&read).map_err(|error| error.to_string())?;
    match passed_over(given, &kept) {
        Some(path) => Err(format!("{path}: there is no such setting")),
        None => Ok(read),
    }
}

/// The path of a name whose value was not read: it is not in what would be written. Empty values may be left out there.
fn passed_over(given: &Value, kept: &Value) -> Option<String> {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    match (given, kept) {
        (Value::Object(given), Value::Object(kept)) => given.iter().find_map(|(name, value)| {
            let within = match kept.get(name) {
                Some(kept) => passed_over(value, kept)?,
                None if is_empty(value) => return None,
                None => String::new(),
            };
            Some(format!(".{name}{within}"))
        }),
        (Value::Array(given), Value::Array(kept)) => given
            .iter()
            .zip(kept)
            .enumerate()
            .find_map(|(n, (given, kept))| Some(format!("[{n}]{}", passed_over(given, kept)?))),
        _ => None,
    }
}

/// Schemas by name, each read as a person writes it, with errors that name the piece.
pub(super) fn schemas<'de, D: Deserializer<'de>>(d: D) -> Result<Option<SchemaRegistry>, D::Error> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Given {
        in_force: Option<String>,
        #[serde(default)]
        named: BTreeMap<String, Value>,
    }
    let Some(given) = Option::<Given>::deserialize(d)? else { return Ok(None) };
    let mut registry = SchemaRegistry::default();
    for (name, json) in given.named {
        let schema = KnowledgeSchema::from_json(&json.to_string());
        schema
            .and_then(|schema| registry.register(&name, schema))
            .map_err(|error| D::Error::custom(format!(".named.{name}.{error}")))?;
    }
    registry
        .put_in_force(given.in_force.as_deref())
        .map_err(|error| D::Error::custom(format!(".{error}")))?;
    Ok(Some(registry))
}

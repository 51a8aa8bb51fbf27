//! The properties: every setting that the founding document's tables name, under that name, and a few of ours ([`OWN`]), with the place in [`Config`] that it is kept
//! in, its type, its range and what it does. Settings pages, programs and documents read this list; nothing is said twice: a default
//! is read from [`Config::default`], and a range is enforced by the section's own check.
//!
//! [`Config::property`] reads one, [`Config::set_property`] changes one, all checks included; [`PropertyType::read`] reads what a person types
//! in a field or on a command line, and [`shown`] writes it. Names are whole and lower-case,
//! `unit.initial-rank`; a leading `arc-mem.` or `credence.` is allowed.

mod table;

use serde::Serialize;
use serde_json::Value;

pub use table::{LATER, OWN, PROPERTIES};

use super::Config;

/// What a property takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", content = "choices", rename_all = "lowercase")]
pub enum PropertyType {
    /// True or false.
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Double,
    /// A text.
    Text,
    /// A text, or null for the default of whoever answers.
    MaybeText,
    /// A number, or null for the default of whoever answers.
    MaybeDouble,
    /// One of these words.
    Enum(&'static [&'static str]),
    /// A time span as ISO 8601 writes it, `PT5M`.
    Duration,
    /// A list of objects.
    List,
    /// An object.
    Map,
}

/// One setting by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Property {
    /// As the founding document names it, without the prefix `arc-mem`.
    pub name: &'static str,
    /// Where it is kept: a JSON pointer into [`Config`].
    pub path: &'static str,
    /// What it takes.
    #[serde(rename = "type")]
    pub takes: PropertyType,
    /// Its range, in words for a person; empty where the type says it all.
    pub range: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
}

/// A property whose subject is not built yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LaterProperty {
    /// As the founding document names it.
    pub name: &'static str,
    /// Why it waits.
    pub why: &'static str,
}

/// A property with its value, for lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PropertyValue {
    /// The property.
    #[serde(flatten)]
    pub property: Property,
    /// As it is.
    pub value: Value,
    /// As it is without anybody's change.
    pub default: Value,
}

/// What a host may write before a name.
const PREFIXES: [&str; 2] = ["arc-mem.", "credence."];

/// The property of a name.
///
/// # Errors
/// A name that is none, with what to do instead.
pub fn property(name: &str) -> Result<&'static Property, String> {
    let asked = name.trim();
    let plain = PREFIXES.iter().find_map(|prefix| asked.strip_prefix(prefix)).unwrap_or(asked);
    if let Some(found) = PROPERTIES.iter().find(|property| property.name == plain) {
        return Ok(found);
    }
    if let Some(later) = LATER.iter().find(|later| later.name == plain) {
        return Err(format!("{plain} cannot be set yet: {}", later.why));
    }
    let section = plain.split('.').next().unwrap_or_default();
    let near: Vec<&str> =
        PROPERTIES.iter().map(|p| p.name).filter(|name| name.split('.').next() == Some(section)).collect();
    let sections = || {
        let mut all: Vec<&str> = PROPERTIES.iter().filter_map(|p| p.name.split('.').next()).collect();
        all.dedup();
        all.join(", ")
    };
    Err(if near.is_empty() {
        format!("there is no property {plain}; sections are {}", sections())
    } else {
        format!("there is no property {plain}; {section} has {}", near.join(", "))
    })
}

impl PropertyType {
    /// What was typed, as a value of this type. Where null is a value, an empty text is it; a comma may stand for the decimal point.
    ///
    /// # Errors
    /// What the type wants and what came, as the end of a sentence that begins with the property's name.
    pub fn read(self, text: &str) -> Result<Value, String> {
        let text = text.trim();
        let number = |text: &str| {
            let number: f64 =
                text.replace(',', ".").parse().map_err(|_| format!("is a number, got `{text}`"))?;
            serde_json::Number::from_f64(number)
                .map(Value::Number)
                .ok_or_else(|| "is a finite number".to_owned())
        };
        match self {
            Self::Bool => {
                text.parse().map(Value::Bool).map_err(|_| format!("is true or false, got `{text}`"))
            }
            Self::Int => {
                text.parse::<i64>().map(Value::from).map_err(|_| format!("is a whole number, got `{text}`"))
            }
            Self::MaybeDouble | Self::MaybeText if text.is_empty() => Ok(Value::Null),
            Self::Double | Self::MaybeDouble => number(text),
            Self::List | Self::Map => serde_json::from_str(text).map_err(|error| format!("is JSON: {error}")),
            Self::Text | Self::MaybeText | Self::Enum(_) | Self::Duration => {
                Ok(Value::String(text.to_owned()))
            }
        }
    }
}

/// A value as a field shows it, and as [`PropertyType::read`] reads it back.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => serde_json::to_string_pretty(value).unwrap_or_default(),
        other => other.to_string(),
    }
}

impl Property {
    fn read(&self, config: &Value) -> Value {
        config.pointer(self.path).cloned().unwrap_or(Value::Null)
    }

    /// Why a value is none of the type; `None` where it is one.
    fn refuses(&self, value: &Value) -> Option<String> {
        let fits = match self.takes {
            PropertyType::Bool => value.is_boolean(),
            PropertyType::Int => value.is_i64() || value.is_u64(),
            PropertyType::Double => value.is_number(),
            PropertyType::MaybeDouble => value.is_number() || value.is_null(),
            PropertyType::Text | PropertyType::Duration => value.is_string(),
            PropertyType::MaybeText => value.is_string() || value.is_null(),
            PropertyType::Enum(choices) => value.as_str().is_some_and(|word| choices.contains(&word)),
            PropertyType::List => value.is_array(),
            PropertyType::Map => value.is_object(),
        };
        (!fits).then(|| format!("{} must be {}, got {value}", self.name, self.wanted()))
    }

    /// What it takes, in words for a person.
    fn wanted(&self) -> String {
        let kind = match self.takes {
            PropertyType::Bool => "true or false".to_owned(),
            PropertyType::Int => "a whole number".to_owned(),
            PropertyType::Double => "a number".to_owned(),
            PropertyType::MaybeDouble => "a number or null".to_owned(),
            PropertyType::Text => "a text".to_owned(),
            PropertyType::MaybeText => "a text or null".to_owned(),
            PropertyType::Enum(choices) => format!("one of {}", choices.join(", ")),
            PropertyType::Duration => "a time span such as PT5M".to_owned(),
            PropertyType::List => "a list".to_owned(),
            PropertyType::Map => "an object".to_owned(),
        };
        if self.range.is_empty() { kind } else { format!("{kind}, {}", self.range) }
    }
}

impl Config {
    /// A property's value by its name.
    ///
    /// # Errors
    /// A name that is none, with those that are near.
    pub fn property(&self, name: &str) -> Result<Value, String> {
        let property = property(name)?;
        Ok(property.read(&self.as_json()))
    }

    /// Changes a property; the settings stay as they were when the change is refused.
    ///
    /// # Errors
    /// In words for a person: the property, its range, what came, and what stands against it where it is another setting.
    pub fn set_property(&mut self, name: &str, value: Value) -> Result<(), String> {
        let property = property(name)?;
        if let Some(problem) = property.refuses(&value) {
            return Err(problem);
        }
        let refused = |problem: String| {
            format!("{} must be {}, got {value}: {problem}", property.name, property.wanted())
        };
        let mut json = self.as_json();
        let place = json.pointer_mut(property.path).ok_or_else(|| refused("it has no place".to_owned()))?;
        *place = value.clone();
        let changed: Self = serde_json::from_value(json).map_err(|error| refused(error.to_string()))?;
        changed.validate().map_err(refused)?;
        *self = changed;
        Ok(())
    }

    /// Every property with its value and its default, in the order of the tables.
    pub fn properties(&self) -> Vec<PropertyValue> {
        let (now, default) = (self.as_json(), Self::default().as_json());
        let of = |property: &Property| PropertyValue {
            property: *property,
            value: property.read(&now),
            default: property.read(&default),
        };
        PROPERTIES.iter().map(of).collect()
    }

    fn as_json(&self) -> Value {
        // Settings are plain data with text keys, which JSON can always say.
        serde_json::to_value(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_reads_back_as_it_is_shown() {
        for row in Config::default().properties() {
            let back = row.property.takes.read(&shown(&row.default)).unwrap();
            let same = match (back.as_f64(), row.default.as_f64()) {
                (Some(a), Some(b)) => a == b,
                _ => back == row.default,
            };
            assert!(same, "{}: {} became {back}", row.property.name, row.default);
        }
        assert!(PropertyType::Int.read("3.5").unwrap_err().contains("whole number"));
        assert!(PropertyType::List.read("[1,").unwrap_err().contains("JSON"));
        assert!(PropertyType::Bool.read("yes").unwrap_err().contains("true or false"));
        assert_eq!(PropertyType::Double.read(" 0,5 "), Ok(Value::from(0.5)));
    }
}

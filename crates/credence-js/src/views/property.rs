//! Settings by the names of the founding document, as JavaScript sees them.

use credence::config::{PropertyType, PropertyValue};
use serde::Serialize;
use tsify::Tsify;

/// A setting by its name.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Property {
    /// Its name: what {@link Memory.setProperty} takes.
    name: &'static str,
    /// What it takes. Later releases may add kinds.
    #[serde(rename = "type")]
    #[tsify(
        type = "{ kind: \"bool\" | \"int\" | \"double\" | \"maybedouble\" | \"text\" | \"maybetext\" | \"duration\" | \"list\" | \"map\" } | { kind: \"enum\"; choices: string[] }"
    )]
    takes: PropertyType,
    /// Its range, in words; empty where the type says it all.
    range: &'static str,
    /// What it does, in a line.
    about: &'static str,
    /// As it is.
    #[tsify(type = "unknown")]
    value: serde_json::Value,
    /// As it is without anybody's change.
    #[tsify(type = "unknown")]
    default: serde_json::Value,
}

impl From<PropertyValue> for Property {
    fn from(given: PropertyValue) -> Self {
        let PropertyValue { property, value, default } = given;
        let credence::config::Property { name, takes, range, about, .. } = property;
        Self { name, takes, range, about, value, default }
    }
}

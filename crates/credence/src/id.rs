//! Typed identities. Every id is a UUID (version 7 outside tests) behind a one-letter prefix that names
//! its kind, so that a person reading an export, and a model quoting an id, cannot mix two kinds up.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// A text that is not an id of the wanted kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected an id that starts with `{prefix}` followed by 32 hexadecimal digits, got `{found}`")]
pub struct IdError {
    /// The prefix of the kind that was asked for.
    pub prefix: &'static str,
    /// What came instead, cut to 48 characters.
    pub found: String,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// The letter in front of the 32 hexadecimal digits.
            pub const PREFIX: &'static str = $prefix;
            /// Wraps a UUID that the `Ids` port made.
            pub const fn new(uuid: Uuid) -> Self { Self(uuid) }
            /// The UUID behind the prefix.
            pub const fn uuid(self) -> Uuid { self.0 }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}{}", $prefix, self.0.simple()) }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { fmt::Display::fmt(self, f) }
        }
        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                text.strip_prefix($prefix)
                    .and_then(|hex| if hex.len() == 32 { Uuid::try_parse(hex).ok() } else { None })
                    .map(Self)
                    .ok_or_else(|| IdError { prefix: $prefix, found: text.chars().take(48).collect() })
            }
        }
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> { s.collect_str(self) }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

ids! {
    /// A proposition: stable for the life of the fact, whatever its revisions say.
    PropositionId = "P";
    /// An entity: a person, place or thing that mentions resolve to.
    EntityId = "E";
    /// A commit: everything that one logical change of memory wrote.
    CommitId = "C";
    /// A conversation, imported or held in the app.
    ConversationId = "V";
    /// One turn of a conversation.
    TurnId = "T";
    /// One memory use record.
    UseId = "U";
    /// The report of one analysed window.
    AnalysisId = "A";
    /// A question to the person.
    InboxId = "I";
    /// What was analysed, derived from the content itself.
    LedgerId = "L";
    /// The report of one maintenance run.
    RunId = "M";
    /// The report of one window of an entity-only run ("names").
    EntityReportId = "N";
    /// The report of one promotion run: what the gates said of each candidate.
    PromotionId = "G";
    /// The summary of a conversation's earlier turns.
    SummaryId = "S";
    /// The report of one sweep over the working set ("keeping").
    SweepId = "K";
    /// The report of an erasure.
    ErasureId = "X";
}

/// Names one immutable revision within its context's log: dense, monotonic, never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RevisionId(pub u64);

impl fmt::Display for RevisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "R{}", self.0)
    }
}

/// The scope of a memory: a user, a team, a story. 1 to 200 characters, no control characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ContextId(String);

/// A context name that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a context name has 1 to 200 characters and no control characters, got {found:?}")]
pub struct ContextIdError {
    /// What came, cut to 48 characters.
    pub found: String,
}

impl ContextId {
    /// Trims and checks a name.
    pub fn new(name: impl AsRef<str>) -> Result<Self, ContextIdError> {
        let name = name.as_ref().trim();
        if name.is_empty() || name.chars().count() > 200 || name.chars().any(char::is_control) {
            return Err(ContextIdError { found: name.chars().take(48).collect() });
        }
        Ok(Self(name.to_owned()))
    }
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ContextId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ContextId {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(d)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_round_trip_and_refuse_other_kinds() {
        let id = PropositionId::new(Uuid::from_u128(7));
        assert_eq!(id.to_string(), "P00000000000000000000000000000007");
        assert_eq!(id.to_string().parse::<PropositionId>(), Ok(id));
        assert!(id.to_string().parse::<EntityId>().is_err());
        assert!("P7".parse::<PropositionId>().is_err());
        let json = serde_json::to_string(&id).unwrap();
        assert_eq!(serde_json::from_str::<PropositionId>(&json).unwrap(), id);
    }

    #[test]
    fn context_names_are_trimmed_and_checked() {
        assert_eq!(ContextId::new("  home ").unwrap().as_str(), "home");
        assert!(ContextId::new("  ").is_err());
        assert!(ContextId::new("a\u{7}b").is_err());
        assert!(ContextId::new("x".repeat(201)).is_err());
    }
}

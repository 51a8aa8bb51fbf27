//! Provenance: where a statement came from, precisely enough to go and look (dice 1.6).

use serde::{Deserialize, Serialize};

/// A source's address. The display text never takes part in equality.
#[derive(Debug, Clone, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Locator {
    /// A web address.
    Uri {
        /// The address.
        uri: String,
        /// A label for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        display: Option<String>,
    },
    /// A file.
    File {
        /// Its path or name.
        path: String,
        /// A label for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        display: Option<String>,
    },
    /// Content without an address.
    Content {
        /// SHA-256, lower-case hexadecimal.
        #[serde(rename = "contentHash")]
        content_hash: String,
        /// A label for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        display: Option<String>,
    },
    /// A record in another system; conversations held here use connector `conversation`.
    Connector {
        /// The system.
        #[serde(rename = "connectorId")]
        connector_id: String,
        /// The record's id there.
        #[serde(rename = "externalId")]
        external_id: String,
        /// A label for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        display: Option<String>,
    },
}

/// A provenance entry that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProvenanceError {
    /// A required field is blank.
    #[error("a {kind} locator needs its {field}")]
    Blank {
        /// The locator kind.
        kind: &'static str,
        /// The field.
        field: &'static str,
    },
    /// `end` lies before `start`.
    #[error("the passage ends ({end}) before it starts ({start})")]
    OffsetsBackwards {
        /// Start offset.
        start: u32,
        /// End offset.
        end: u32,
    },
}

fn required(kind: &'static str, field: &'static str, value: &str) -> Result<String, ProvenanceError> {
    let value = value.trim();
    if value.is_empty() { Err(ProvenanceError::Blank { kind, field }) } else { Ok(value.to_owned()) }
}

impl Locator {
    /// A web address.
    pub fn uri(uri: &str, display: Option<&str>) -> Result<Self, ProvenanceError> {
        Ok(Self::Uri { uri: required("uri", "uri", uri)?, display: display.map(str::to_owned) })
    }
    /// A file.
    pub fn file(path: &str, display: Option<&str>) -> Result<Self, ProvenanceError> {
        Ok(Self::File { path: required("file", "path", path)?, display: display.map(str::to_owned) })
    }
    /// Content known by its hash.
    pub fn content(hash: &str, display: Option<&str>) -> Result<Self, ProvenanceError> {
        Ok(Self::Content {
            content_hash: required("content", "contentHash", hash)?,
            display: display.map(str::to_owned),
        })
    }
    /// A record in another system.
    pub fn connector(
        connector: &str,
        external: &str,
        display: Option<&str>,
    ) -> Result<Self, ProvenanceError> {
        Ok(Self::Connector {
            connector_id: required("connector", "connectorId", connector)?,
            external_id: required("connector", "externalId", external)?,
            display: display.map(str::to_owned),
        })
    }
    /// Checks what came from outside, where no constructor looked at it.
    pub fn validate(&self) -> Result<(), ProvenanceError> {
        match self {
            Self::Uri { uri, .. } => required("uri", "uri", uri).map(drop),
            Self::File { path, .. } => required("file", "path", path).map(drop),
            Self::Content { content_hash, .. } => required("content", "contentHash", content_hash).map(drop),
            Self::Connector { connector_id, external_id, .. } => {
                required("connector", "connectorId", connector_id)?;
                required("connector", "externalId", external_id).map(drop)
            }
        }
    }
    /// What identifies the source: `uri:…`, `file:…`, `content:…`, `connector:system:record`.
    pub fn identity(&self) -> String {
        match self {
            Self::Uri { uri, .. } => format!("uri:{uri}"),
            Self::File { path, .. } => format!("file:{path}"),
            Self::Content { content_hash, .. } => format!("content:{content_hash}"),
            Self::Connector { connector_id, external_id, .. } => {
                format!("connector:{connector_id}:{external_id}")
            }
        }
    }
}

impl PartialEq for Locator {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

/// One source of a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvenanceEntry {
    /// Where.
    pub locator: Locator,
    /// The piece of the source: a turn id, a chunk id.
    #[serde(default, rename = "chunkId", skip_serializing_if = "Option::is_none")]
    pub chunk_id: Option<String>,
    /// Characters from the source's start, inclusive.
    #[serde(default, rename = "startOffset", skip_serializing_if = "Option::is_none")]
    pub start_offset: Option<u32>,
    /// Characters from the source's start, exclusive; not before the start.
    #[serde(default, rename = "endOffset", skip_serializing_if = "Option::is_none")]
    pub end_offset: Option<u32>,
    /// SHA-256 of the piece as it was read.
    #[serde(default, rename = "contentHash", skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<String>,
}

impl ProvenanceEntry {
    /// A whole source.
    pub fn at(locator: Locator) -> Self {
        Self { locator, chunk_id: None, start_offset: None, end_offset: None, content_hash: None }
    }
    /// Names the piece.
    pub fn in_chunk(mut self, chunk_id: impl Into<String>, content_hash: Option<String>) -> Self {
        self.chunk_id = Some(chunk_id.into());
        self.content_hash = content_hash;
        self
    }
    /// Names the passage.
    pub fn with_offsets(mut self, start: u32, end: u32) -> Result<Self, ProvenanceError> {
        self.start_offset = Some(start);
        self.end_offset = Some(end);
        self.validate()?;
        Ok(self)
    }
    /// Checks the locator and that the passage does not end before it starts.
    pub fn validate(&self) -> Result<(), ProvenanceError> {
        self.locator.validate()?;
        match (self.start_offset, self.end_offset) {
            (Some(start), Some(end)) if end < start => Err(ProvenanceError::OffsetsBackwards { start, end }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructors_refuse_blank_fields_and_backward_offsets() {
        assert!(Locator::uri("  ", None).is_err());
        assert!(Locator::connector("mail", "", None).is_err());
        let entry = ProvenanceEntry::at(Locator::file("a.md", None).unwrap());
        assert!(entry.clone().with_offsets(3, 2).is_err());
        assert!(entry.with_offsets(3, 3).is_ok());
    }

    #[test]
    fn display_is_not_identity() {
        assert_eq!(
            Locator::uri("https://x.example", Some("a")).unwrap(),
            Locator::uri("https://x.example", None).unwrap()
        );
        assert_ne!(Locator::uri("x", None).unwrap(), Locator::file("x", None).unwrap());
    }

    #[test]
    fn the_json_discriminator_is_kind() {
        let json = serde_json::to_value(Locator::connector("mail", "m1", None).unwrap()).unwrap();
        assert_eq!(json, serde_json::json!({"kind": "connector", "connectorId": "mail", "externalId": "m1"}));
    }
}

//! Export: one context's whole log as JSON, so that everything the memory holds can be read, kept and checked elsewhere. No
//! key, endpoint or setting is part of a memory, so none can be in an export.

use serde::{Deserialize, Serialize};

use super::Memory;
use crate::error::Error;
use crate::history::{Commit, ContentId, Journal, SCHEMA_VERSION, UseRecord};
use crate::id::ContextId;
use crate::ports::Ports;
use crate::time::Timestamp;

/// Says what the file is.
pub const BUNDLE_FORMAT: &str = "credence-bundle";

/// One context, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    /// [`BUNDLE_FORMAT`].
    pub format: String,
    /// The form of the commits inside.
    pub schema: u32,
    /// When it was made: the only part that two exports of one memory differ in.
    pub exported_at: Timestamp,
    /// The memory.
    pub context: ContextId,
    /// Every commit, oldest first.
    pub commits: Vec<Commit>,
    /// Every use record, oldest first.
    pub uses: Vec<UseRecord>,
    /// Content id of commits and use records, to tell a damaged file.
    pub checksum: ContentId,
}

impl Bundle {
    /// What the checksum should be.
    pub fn compute_checksum(&self) -> ContentId {
        let body = serde_json::to_string(&(&self.commits, &self.uses)).unwrap_or_default();
        ContentId::of_text(&body)
    }
    /// The file's text, indented for people.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl<P: Ports> Memory<P> {
    /// The whole memory as a bundle. Cost: one pass over the log and the use records.
    pub async fn export(&self) -> Result<Bundle, Error> {
        self.refresh().await?;
        let uses = self.ports().journal().uses(self.context()).await?;
        let commits = self.log().commits().iter().map(|commit| Commit::clone(commit)).collect();
        let mut bundle = Bundle {
            format: BUNDLE_FORMAT.into(),
            schema: SCHEMA_VERSION,
            exported_at: self.now().at,
            context: self.context().clone(),
            commits,
            uses,
            checksum: ContentId::of_text(""),
        };
        bundle.checksum = bundle.compute_checksum();
        Ok(bundle)
    }
}

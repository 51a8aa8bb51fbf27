//! The ledger: what has been analysed, known again by its content, so that nothing is read or paid for twice.
//!
//! One entry per analysed window, in the window's own commit: a window that failed has none and can be tried again. The
//! entry's identity is derived from the content, so the same content is the same record, and each context, being a log of
//! its own, has its own ledger: wiping a context empties it.
//!
//! What counts as the same content depends on where the turns come from:
//! - a chat held here: the turns themselves (their ids). Saying a thing again in a new turn is new evidence, whatever the words.
//! - an imported conversation: who spoke, on which day, and the words. The same file again is the same content; the same words
//!   on another day are not. Where the file gave no dates the day is left out, because it would be the day of the import.
//! - a document: the passage and the heading that it stands under, whatever the file is called.
//!
//! Source: dice 3.5 (`processOnce`), 3.7; a hit moves the bookmark on (dice section 13, "incremental stall").

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use crate::id::{AnalysisId, ConversationId, LedgerId};
use crate::time::Timestamp;

/// One analysed window, known again by its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// Derived from the content.
    pub id: LedgerId,
    /// Where it was read first.
    pub conversation: ConversationId,
    /// First turn.
    pub from: u32,
    /// One past the last turn.
    pub to: u32,
    /// The report of that analysis.
    pub analysis: AnalysisId,
    /// When.
    pub at: Timestamp,
}

/// A content hash in the making: pieces go in one by one, and after each the hash so far can be read.
#[derive(Clone)]
pub(crate) struct Fingerprint(Sha256);

impl Fingerprint {
    /// `kind` keeps equal words of different kinds of source apart.
    pub(crate) fn new(kind: &str) -> Self {
        Self(Sha256::new()).with(kind)
    }
    /// Adds a piece: in Unicode normal form C, so that two spellings of one text are one, and length first, so that pieces cannot
    /// run together.
    pub(crate) fn with(mut self, piece: &str) -> Self {
        let piece: String = piece.nfc().collect();
        self.0.update((piece.len() as u64).to_le_bytes());
        self.0.update(piece.as_bytes());
        self
    }
    /// The identity of what went in so far: the first 128 bits of SHA-256.
    pub(crate) fn id(&self) -> LedgerId {
        let digest = self.0.clone().finalize();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        LedgerId::new(uuid::Uuid::from_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_content_is_one_identity_and_pieces_do_not_run_together() {
        let id = |pieces: &[&str]| pieces.iter().fold(Fingerprint::new("x"), |f, piece| f.with(piece)).id();
        assert_eq!(id(&["Käthe"]), id(&["Ka\u{308}the"]), "one text in two normal forms");
        assert_ne!(id(&["ab", "c"]), id(&["a", "bc"]));
        assert_ne!(id(&["a"]), id(&["a", ""]));
        assert_ne!(Fingerprint::new("x").with("a").id(), Fingerprint::new("y").with("a").id());
    }
}

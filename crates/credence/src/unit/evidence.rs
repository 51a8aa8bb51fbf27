//! What can raise a unit: evidence, never injection (core 15, G4).
//!
//! Evidence is counted, and each kind has a cap, so that saying a thing often does not make it true:
//!
//! - *An independent source* counts once a source.
//! - *A confirmation* counts once a person.
//! - *A correct use* says little, because what the answer agrees with is what it was given. In one conversation uses count when
//!   [`USE_SPACING`] turns lie between them, and [`MOST_USES`] count in all: enough for UNRELIABLE. RELIABLE takes
//!   [`RELIABLE_AT`] pieces of evidence, so it always has a source of its own or a person behind it.

use serde::{Deserialize, Serialize};

use super::Earned;
use crate::time::Timestamp;

/// Pieces of evidence at which PROVISIONAL becomes UNRELIABLE (core 2.5).
pub const UNRELIABLE_AT: usize = 3;
/// Pieces of evidence at which UNRELIABLE becomes RELIABLE (core 2.5).
pub const RELIABLE_AT: usize = 7;
/// What one piece of evidence adds to activation (core 2.5).
pub const BOOST: i64 = 50;
/// Turns between two uses in one conversation that both count. Chosen by us: five exchanges, another occasion in a chat.
pub const USE_SPACING: u32 = 10;
/// Correct uses that count in all. Chosen by us, so that use alone reaches UNRELIABLE and no more.
pub const MOST_USES: usize = 4;

/// The kinds of evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// A source that had not said it before says the same.
    IndependentSource,
    /// An answer used it, and it was checked that the answer agrees with it.
    CorrectUse,
    /// A person confirmed it.
    Confirmation,
}

/// One piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// What kind.
    pub kind: EvidenceKind,
    /// Who or what it came from: what caps are counted by. For a use, the conversation.
    pub source: String,
    /// When.
    pub at: Timestamp,
    /// For a use, the index of the turn that used it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
}

impl Evidence {
    /// A source says the same.
    pub fn source(source: impl Into<String>, at: Timestamp) -> Self {
        Self { kind: EvidenceKind::IndependentSource, source: source.into(), at, turn: None }
    }
    /// A person confirms it.
    pub fn confirmation(at: Timestamp) -> Self {
        Self { kind: EvidenceKind::Confirmation, source: "person".into(), at, turn: None }
    }
    /// The answer at `turn` of a conversation used it well.
    pub fn use_in(conversation: impl ToString, turn: u32, at: Timestamp) -> Self {
        let (kind, source) = (EvidenceKind::CorrectUse, conversation.to_string());
        Self { kind, source, at, turn: Some(turn) }
    }

    /// Whether it counts beside what was counted before, and if not, why.
    pub(super) fn counts(&self, before: &[Self]) -> Result<(), String> {
        let same_kind = || before.iter().filter(|old| old.kind == self.kind);
        let mut same_source = same_kind().filter(|old| old.source == self.source);
        match self.kind {
            EvidenceKind::CorrectUse => {
                if same_kind().count() >= MOST_USES {
                    return Err(format!("{MOST_USES} correct uses are counted, and no more count"));
                }
                let near = |old: &Self| match (old.turn, self.turn) {
                    (Some(old), Some(new)) => new.abs_diff(old) < USE_SPACING,
                    _ => true,
                };
                match same_source.any(near) {
                    true => Err(format!("a use within {USE_SPACING} turns of it is counted already")),
                    false => Ok(()),
                }
            }
            EvidenceKind::IndependentSource | EvidenceKind::Confirmation => match same_source.next() {
                Some(_) => Err("this source is counted already".into()),
                None => Ok(()),
            },
        }
    }
}

/// Whether so much evidence carries a unit up one level (core 2.5; the count is compared with "at least", so that a level
/// that was missed is made up for).
pub(super) fn carries_up(from: Earned, count: usize) -> bool {
    match from {
        Earned::Provisional => count >= UNRELIABLE_AT,
        Earned::Unreliable => count >= RELIABLE_AT,
        Earned::Reliable => false,
    }
}

const _: () = assert!(UNRELIABLE_AT <= MOST_USES && MOST_USES < RELIABLE_AT);

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(all: Vec<Evidence>) -> usize {
        let mut kept: Vec<Evidence> = Vec::new();
        for piece in all {
            if piece.counts(&kept).is_ok() {
                kept.push(piece);
            }
        }
        kept.len()
    }

    #[test]
    fn saying_it_often_is_saying_it_once() {
        let at = Timestamp(5);
        assert_eq!(counted(vec![Evidence::source("V1", at); 50]), 1);
        assert_eq!(counted(vec![Evidence::source("V1", at), Evidence::source("V2", at)]), 2);
        assert_eq!(counted(vec![Evidence::confirmation(at); 9]), 1);
        assert_eq!(counted((0..9).map(|turn| Evidence::use_in("V1", turn, at)).collect()), 1);
        assert_eq!(counted((0..3).map(|n| Evidence::use_in("V1", n * USE_SPACING, at)).collect()), 3);
        assert_eq!(counted((0..99).map(|n| Evidence::use_in(format!("V{n}"), 0, at)).collect()), MOST_USES);
        let mixed = vec![Evidence::source("V1", at), Evidence::use_in("V1", 3, at)];
        assert_eq!(counted(mixed), 2, "caps are a kind's");
    }

    #[test]
    fn core_31_32_thresholds() {
        let up = |from, counts: [usize; 2]| counts.map(|count| carries_up(from, count));
        assert_eq!(up(Earned::Provisional, [2, 3]), [false, true]);
        assert_eq!(up(Earned::Unreliable, [6, 7]), [false, true]);
        assert_eq!(up(Earned::Reliable, [7, 100]), [false, false]);
    }
}

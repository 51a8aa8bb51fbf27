//! Health: whether what is stored of a memory is whole and fits together, and putting right what can be. And when to say that a copy should be
//! made.
//!
//! Rules: looking changes nothing and looks at everything, from the stored rows over the chain of commits to what records say of one another. A
//! finding says what, where, how bad and what can be done. A repair is planned as data and lands in one commit of cause Repair; nothing is
//! thrown away: rows that cannot be read are set aside as they are, and everything that can be read stays. What is derived (vectors) is
//! dropped where it fits nothing, and computed again where it is missing. What only a copy could bring back is said, not invented.
//!
//! In this folder: `check` (what is wrong with a log), `mend` (what a repair changes), `run` (the memory's own acts), `backup` (when a copy is
//! due).

mod backup;
mod check;
mod mend;
mod run;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use backup::{Backup, COMMITS_AT_RISK, COMMITS_KEPT, DAYS_AT_RISK, DAYS_KEPT, Due, Keeping, backup_due};

use crate::history::{ContentId, Damage};
use crate::id::ContextId;
use crate::time::Timestamp;

/// How many places a finding names; the rest is counted.
pub const EXAMPLES: usize = 8;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing is lost or wrong; something is computed again or takes space.
    Note,
    /// Records disagree; what they say is all there.
    Disagreement,
    /// Something that was stored cannot be read.
    Loss,
}

/// What can be done about a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remedy {
    /// A repair sets it aside.
    SetAside,
    /// A repair takes the reference out; the record stays.
    Unlink,
    /// A repair makes what is missing.
    Recreate,
    /// A repair removes what stands for nothing.
    Remove,
    /// It comes by itself, with the next search.
    Wait,
    /// Only a copy of the memory brings it back, if that matters.
    Restore,
}

impl Remedy {
    /// Whether a repair does it.
    pub fn is_repair(self) -> bool {
        matches!(self, Self::SetAside | Self::Unlink | Self::Recreate | Self::Remove)
    }
}

/// What can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trouble {
    /// A stored row cannot be read or is missing.
    DamagedRow,
    /// A commit that an earlier repair found unreadable: what it changed is as it was before it.
    UnreadableCommit,
    /// A commit is dated before the one that it follows.
    TimeRunsBack,
    /// Revision ids are missing, and nothing says why.
    RevisionsMissing,
    /// A revision names another one before it than the log holds.
    SuccessionBroken,
    /// A revision holds another record than the one that it is of.
    WrongRecord,
    /// A revision's content is not what its content id names.
    ContentDiffers,
    /// A statement rests on a turn that was never here.
    UnknownTurn,
    /// A statement or an entity points at an entity that was never here.
    UnknownEntity,
    /// A statement points at a statement that was never here.
    UnknownStatement,
    /// A unit of the working set whose statement was never here.
    UnitWithoutStatement,
    /// Turns whose conversation was never here, so that no list shows them.
    TurnsWithoutConversation,
    /// A bookmark whose conversation was never here.
    BookmarkWithoutConversation,
    /// Vectors of texts that no statement holds.
    OrphanVectors,
    /// Vectors of another length than their space's, or with numbers that are none.
    MisfitVectors,
    /// Statements without a vector.
    MissingVectors,
}

impl Trouble {
    /// How bad it is.
    pub fn severity(self) -> Severity {
        match self {
            Self::DamagedRow | Self::UnreadableCommit => Severity::Loss,
            Self::OrphanVectors | Self::MisfitVectors | Self::MissingVectors => Severity::Note,
            _ => Severity::Disagreement,
        }
    }
    /// What can be done about it.
    pub fn remedy(self) -> Remedy {
        match self {
            Self::DamagedRow => Remedy::SetAside,
            Self::UnknownEntity => Remedy::Unlink,
            Self::TurnsWithoutConversation => Remedy::Recreate,
            Self::UnitWithoutStatement
            | Self::BookmarkWithoutConversation
            | Self::OrphanVectors
            | Self::MisfitVectors => Remedy::Remove,
            Self::MissingVectors => Remedy::Wait,
            Self::UnreadableCommit
            | Self::TimeRunsBack
            | Self::RevisionsMissing
            | Self::SuccessionBroken
            | Self::WrongRecord
            | Self::ContentDiffers
            | Self::UnknownTurn
            | Self::UnknownStatement => Remedy::Restore,
        }
    }
    /// In words for a person.
    pub fn words(self) -> &'static str {
        match self {
            Self::DamagedRow => {
                "stored rows cannot be read or are missing; a repair sets them aside and the rest goes on"
            }
            Self::UnreadableCommit => {
                "commits could not be read: what they changed is as it was before them; a copy has them"
            }
            Self::TimeRunsBack => "commits are dated before the ones that they follow",
            Self::RevisionsMissing => "revisions are missing, and nothing says why; a copy has them",
            Self::SuccessionBroken => "revisions name another one before them than the log holds",
            Self::WrongRecord => "revisions hold another record than the one that they are of",
            Self::ContentDiffers => {
                "content is not what its id names: something else changed it, or another release wrote it"
            }
            Self::UnknownTurn => {
                "statements rest on turns that were never here; they stand, with less to show for it"
            }
            Self::UnknownEntity => {
                "records point at entities that were never here; a repair takes the links out and leaves the words"
            }
            Self::UnknownStatement => "statements point at statements that were never here",
            Self::UnitWithoutStatement => "units of the working set have no statement; a repair removes them",
            Self::TurnsWithoutConversation => {
                "turns belong to conversations that were never here, so no list shows them; a repair gives them one"
            }
            Self::BookmarkWithoutConversation => {
                "bookmarks belong to conversations that were never here; a repair removes them"
            }
            Self::OrphanVectors => "vectors belong to texts that no statement holds; a repair removes them",
            Self::MisfitVectors => {
                "vectors have another length than their space's or broken numbers; a repair removes them, and they are computed again"
            }
            Self::MissingVectors => "statements have no vector yet; the next search computes them",
        }
    }
}

/// Everything of one kind that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What.
    pub trouble: Trouble,
    /// How bad.
    pub severity: Severity,
    /// What can be done.
    pub remedy: Remedy,
    /// In words for a person.
    pub words: String,
    /// How often.
    pub count: usize,
    /// The first [`EXAMPLES`] places, with what is found there.
    pub places: Vec<String>,
}

/// What a look at a memory found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HealthReport {
    /// The memory.
    pub context: ContextId,
    /// When it was looked at.
    pub at: Timestamp,
    /// The head's position then.
    pub seq: u64,
    /// Records of the present, removed ones not counted.
    pub records: usize,
    /// Vectors, of every space.
    pub vectors: usize,
    /// What is wrong, the worst first.
    pub findings: Vec<Finding>,
    /// The rows behind [`Trouble::DamagedRow`], raw.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damages: Vec<Damage>,
    /// The texts whose vectors fit nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needless: Vec<ContentId>,
}

impl HealthReport {
    /// Whether everything is there and fits together; notes do not count.
    pub fn is_sound(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity == Severity::Note)
    }
    /// Whether a repair would change something.
    pub fn can_repair(&self) -> bool {
        self.findings.iter().any(|finding| finding.remedy.is_repair())
    }
    /// The finding of a kind.
    pub fn finding(&self, trouble: Trouble) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.trouble == trouble)
    }
}

/// What a repair did.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Repaired {
    /// Positions of the commits that say so: one, and one more where vectors were removed beside damaged rows.
    pub commits: Vec<u64>,
    /// Rows that were set aside.
    pub set_aside: usize,
    /// Records that were changed, made or removed, by what was wrong.
    pub mended: BTreeMap<Trouble, usize>,
    /// Texts whose vectors were removed.
    pub vectors: usize,
    /// What is left as it is, because only a copy could bring it back.
    pub left: Vec<Trouble>,
}

/// Findings as they come, gathered by kind.
#[derive(Debug, Default)]
pub(crate) struct Findings(BTreeMap<Trouble, (usize, Vec<String>)>);

impl Findings {
    pub(crate) fn add(&mut self, trouble: Trouble, place: impl FnOnce() -> String) {
        let (count, places) = self.0.entry(trouble).or_default();
        *count += 1;
        if places.len() < EXAMPLES {
            places.push(place());
        }
    }

    /// The worst first, then in the order of kinds.
    pub(crate) fn finish(self) -> Vec<Finding> {
        let finding = |(trouble, (count, places)): (Trouble, (usize, Vec<String>))| Finding {
            trouble,
            severity: trouble.severity(),
            remedy: trouble.remedy(),
            words: trouble.words().to_owned(),
            count,
            places,
        };
        let mut findings: Vec<Finding> = self.0.into_iter().map(finding).collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        findings
    }
}

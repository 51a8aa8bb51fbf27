//! The look at a memory's records, and their repair, as JavaScript sees them.

use credence::health::{self as core, Remedy, Severity, Trouble};
use credence::history;
use serde::Serialize;
use tsify::Tsify;

use super::show::{Counts, Show, shown_as_is, view};

shown_as_is! { Remedy Severity Trouble }

view! {
    /// Everything of one kind that is wrong.
    HealthFinding of core::Finding {
        /// What. Later releases may add words.
        #[tsify(type = "string")]
        trouble: Trouble,
        /// Nothing is lost or wrong; records disagree; something cannot be read.
        #[tsify(type = "\"note\" | \"disagreement\" | \"loss\"")]
        severity: Severity,
        /// What can be done: a repair does the first four, the rest comes by itself or from a bundle.
        #[tsify(type = "\"set-aside\" | \"unlink\" | \"recreate\" | \"remove\" | \"wait\" | \"restore\"")]
        remedy: Remedy,
        /// In words.
        words: String,
        /// How often.
        count: u32,
        /// The first places, with what is found there.
        places: Vec<String>,
    }
}

view! {
    /// A stored row that cannot be read.
    DamagedRow of history::Damage {
        /// Where it is stored.
        store: String,
        /// Its key there.
        key: String,
        /// What is wrong with it.
        detail: String,
        /// What is stored there, as text; `null`: nothing.
        raw: Option<String>,
    }
}

/// What a look at a memory found.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HealthReport {
    /// When it was looked at (ms).
    at: i64,
    /// The head's `seq` then.
    seq: u64,
    /// Records of the present.
    records: u32,
    /// Vectors, of every space.
    vectors: u32,
    /// Whether everything is there and fits together; notes do not count.
    is_sound: bool,
    /// Whether a repair would change something.
    can_repair: bool,
    /// What is wrong, the worst first.
    findings: Vec<HealthFinding>,
    /// Stored rows that cannot be read.
    damages: Vec<DamagedRow>,
}

impl From<&core::HealthReport> for HealthReport {
    fn from(report: &core::HealthReport) -> Self {
        Self {
            at: report.at.show(),
            seq: report.seq,
            records: report.records.show(),
            vectors: report.vectors.show(),
            is_sound: report.is_sound(),
            can_repair: report.can_repair(),
            findings: report.findings.show(),
            damages: report.damages.show(),
        }
    }
}

/// What a repair did.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Repaired {
    /// The `seq` of each commit that says so; empty when nothing was to be done.
    commits: Vec<u64>,
    /// Rows that were set aside.
    set_aside: u32,
    /// Records that were changed, made or removed, by what was wrong.
    #[tsify(type = "Record<string, number>")]
    mended: Counts,
    /// Texts whose vectors were removed.
    vectors: u32,
    /// What is left as it is, because it comes by itself or only a bundle could bring it back.
    left: Vec<String>,
}

fn word(trouble: Trouble) -> String {
    super::show::stored(&trouble).as_str().unwrap_or_default().to_owned()
}

impl From<core::Repaired> for Repaired {
    fn from(repaired: core::Repaired) -> Self {
        Self {
            commits: repaired.commits,
            set_aside: repaired.set_aside.show(),
            mended: repaired.mended.into_iter().map(|(what, count)| (word(what), count.show())).collect(),
            vectors: repaired.vectors.show(),
            left: repaired.left.into_iter().map(word).collect(),
        }
    }
}

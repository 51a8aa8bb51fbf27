//! What comes in about the working set: words with an act, instants of a read, sweeps, compactions, the mention graph.

use credence::compaction::Compact;
use credence::time::Timestamp;
use credence::upkeep::{MentionGraphFilter, SweepKind};
use serde::Deserialize;
use tsify::Tsify;

/// A person's words with an act.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ActOptions {
    /// Why; kept with the act. Default: nothing.
    #[tsify(optional)]
    pub(crate) note: String,
}

/// How a statement takes another one's place.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SupersedeOptions {
    /// The older one was true until now, or it was wrong. Default `"moved-on"`.
    #[tsify(optional)]
    pub(crate) how: HowFollowed,
}

/// How one statement took another one's place.
#[derive(Deserialize, Tsify, Default, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum HowFollowed {
    #[default]
    MovedOn,
    Corrected,
}

impl From<HowFollowed> for credence::revision::Followed {
    fn from(how: HowFollowed) -> Self {
        match how {
            HowFollowed::MovedOn => Self::MovedOn,
            HowFollowed::Corrected => Self::Corrected,
        }
    }
}

/// Which past is read.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct AsOf {
    /// What held then (ms). Default: now.
    #[tsify(optional)]
    valid: Option<i64>,
    /// As the memory knew it then (ms). Default: now.
    #[tsify(optional)]
    recorded: Option<i64>,
}

impl AsOf {
    /// Both instants: what held, and as it was known.
    pub(crate) fn instants(&self, now: Timestamp) -> (Timestamp, Timestamp) {
        let at = |given: Option<i64>| given.map_or(now, Timestamp);
        (at(self.valid), at(self.recorded))
    }
}

/// How far a sweep goes, and whether it writes.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SweepSettings {
    /// By rules alone, or with contradictions and the model where it is allowed. Default `"LIGHT"`.
    #[tsify(optional, type = "\"LIGHT\" | \"FULL\"")]
    kind: Option<SweepKind>,
    /// Writes the report alone, with what would have been done. Default: no.
    #[tsify(optional)]
    pub(crate) dry_run: bool,
}

impl SweepSettings {
    pub(crate) fn kind(&self) -> SweepKind {
        self.kind.unwrap_or(SweepKind::Light)
    }
}

/// When earlier turns are summed up.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct CompactSettings {
    /// Now, or only when the settings say that it is due. Default `"now"`.
    #[tsify(optional, type = "\"now\" | \"due\"")]
    when: super::When,
}

impl From<CompactSettings> for Compact {
    fn from(settings: CompactSettings) -> Self {
        match settings.when {
            super::When::Now => Self::Now,
            super::When::Due => Self::IfDue,
        }
    }
}

/// What of the mention graph is wanted.
#[derive(Deserialize, Tsify, Default)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct MentionGraphOptions {
    /// A type, whatever its case. Default: every one.
    #[tsify(optional)]
    kind: String,
    /// Statements that are no longer believed count too. Default: no.
    #[tsify(optional)]
    retired: bool,
    /// Least weight of an edge. Default 1.
    #[tsify(optional)]
    min_edge_weight: u32,
}

impl From<MentionGraphOptions> for MentionGraphFilter {
    fn from(options: MentionGraphOptions) -> Self {
        let MentionGraphOptions { kind, retired, min_edge_weight } = options;
        Self { kind, retired, min_edge_weight }
    }
}

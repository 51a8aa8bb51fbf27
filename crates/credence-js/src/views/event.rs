//! Events as JavaScript sees them: plain objects told apart by `type`.

use credence::event as core;
use serde::Serialize;
use tsify::Tsify;

use super::gauges::UpkeepSignal;
use super::show::Show;
use super::{AnalysisReport, Commit, EnforcementPhase, LeftOut, Summary};

/// Something that happened, after it happened. Later releases may add types: ignore those that you do not know.
#[derive(Serialize, Tsify)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub(crate) enum MemoryEvent {
    /// A commit is durable; `remote` when another tab or program made it.
    Committed { commit: Commit, remote: bool },
    /// Memory was read: `propositions` holds the ids of what was supplied, best first.
    Used {
        #[serde(rename = "use")]
        used: String,
        query: String,
        step: String,
        propositions: Vec<String>,
        left_out: Vec<LeftOut>,
    },
    /// Something happened to a unit of the working set, at that time (ms); after the commit's own event. The property
    /// `unit.lifecycle-events-enabled` switches these.
    Unit {
        #[tsify(type = "UnitEvent")]
        event: core::UnitEvent,
        at: i64,
        remote: bool,
    },
    /// Attention or pressure reached a threshold.
    Upkeep { signal: UpkeepSignal },
    /// The working set could not be looked after; what was analysed before stands.
    UpkeepFailed { reason: String },
    /// The making of an answer has entered a further phase.
    Enforcement { conversation: String, phase: EnforcementPhase },
    /// A conversation's earlier turns were summed up.
    Compacted { summary: Summary },
    /// The analysis of turns `from` up to, not including, `to` has begun.
    AnalysisStarted { conversation: String, from: u32, to: u32 },
    /// It is done and committed.
    Analysed { report: AnalysisReport },
    /// It failed; the turns wait.
    AnalysisFailed { conversation: String, code: String, reason: String },
}

impl MemoryEvent {
    /// The view of a core event; `None` for kinds that this surface does not show.
    pub(crate) fn of(event: &core::Event) -> Option<Self> {
        Some(match event {
            core::Event::Committed { commit, remote } => {
                Self::Committed { commit: (&**commit).into(), remote: *remote }
            }
            core::Event::Used { record } => Self::Used {
                used: record.id.to_string(),
                query: record.query.clone(),
                step: record.step.clone(),
                propositions: record.items.iter().map(|item| item.proposition.to_string()).collect(),
                left_out: LeftOut::list(&record.left_out),
            },
            core::Event::Unit { event, at, remote, .. } => {
                Self::Unit { event: event.clone(), at: at.0, remote: *remote }
            }
            core::Event::Upkeep { signal } => Self::Upkeep { signal: signal.show() },
            core::Event::UpkeepFailed { reason } => Self::UpkeepFailed { reason: reason.clone() },
            core::Event::Enforcement { conversation, phase } => {
                Self::Enforcement { conversation: conversation.to_string(), phase: phase.into() }
            }
            core::Event::Compacted { summary } => Self::Compacted { summary: summary.show() },
            core::Event::AnalysisStarted { conversation, from, to } => {
                Self::AnalysisStarted { conversation: conversation.to_string(), from: *from, to: *to }
            }
            core::Event::Analysed { report } => Self::Analysed { report: (&**report).into() },
            core::Event::AnalysisFailed { conversation, code, reason } => Self::AnalysisFailed {
                conversation: conversation.to_string(),
                code: code.clone(),
                reason: reason.clone(),
            },
            _ => return None,
        })
    }
}

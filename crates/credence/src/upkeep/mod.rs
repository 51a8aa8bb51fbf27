//! Upkeep of the working set: attention, pressure, and the sweeps that they call for.
//!
//! `gauges` reads both off the log, commit by commit, so that what is read never depends on who read before (core 15 G16,
//! G17); `attention` says what happens around each unit, `pressure` how near the set is to what it can hold, `signal` what of
//! it is told; `run` decides when the working set is looked after, `sweep` plans a sweep from the scores of `audit` and what
//! the model answered in `ask`, `report` is what it leaves; `tiers` serves units by tier, `graph` shows what is mentioned
//! together; `settings` and `span` are the numbers. Maintenance (`crate::maintenance`) looks after statements, this after
//! units. Source: core 10, 11.5 and 11.6.

mod ask;
mod attention;
mod audit;
mod forget;
mod gauges;
mod graph;
mod pressure;
mod report;
mod run;
mod settings;
mod signal;
mod span;
mod sweep;
mod tiers;

pub use attention::{Attention, AttentionSignal, ClusterSnapshot, Severity, SignalKind, UnitAttention};
pub use audit::audit_score;
pub(crate) use forget::forget_sweeps;
pub(crate) use gauges::Gauges;
pub use graph::{MentionEdge, MentionGraph, MentionGraphFilter, MentionNode};
pub use pressure::{Pressure, PressureAt, PressureBreach, PressureParts, SweepKind};
pub use report::{AuditedUnit, SweepBlock, SweepEffect, SweepReport, SweepStep, SweepTrigger};
pub use run::KeptUp;
pub use settings::{
    AttentionSettings, MaintenanceMode, PreFilter, PressureSettings, ProactiveSettings, TieredStorage,
};
pub use signal::UpkeepSignal;
pub use span::Span;
pub(crate) use tiers::TierCache;
pub use tiers::{ServedUnits, TierStats};

use crate::event::Event;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::time::Timestamp;

impl<P: Ports> Memory<P> {
    /// How much happens around each unit, as of now. Reading changes nothing.
    pub fn attention(&self) -> Attention {
        let now = self.now().at;
        self.with_config(|config| self.gauges().borrow().attention(config, now))
    }
    /// Tells what has begun by `now` and was not told before.
    pub(crate) fn tell_upkeep(&self, now: Timestamp) {
        let news = self.with_config(|config| self.gauges().borrow_mut().tell(config, now));
        news.into_iter().for_each(|signal| self.emit(&Event::Upkeep { signal }));
    }
    /// How near the working set is to what it can hold, as of the user turn under way. Reading changes nothing.
    pub fn pressure(&self) -> Pressure {
        self.with_config(|config| self.gauges().borrow().pressure(config))
    }
}

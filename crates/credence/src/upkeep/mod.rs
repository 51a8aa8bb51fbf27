//! Upkeep of the working set: attention, pressure, and the sweeps that they call for.
//!
//! `gauges` reads both off the log, commit by commit, so that what is read never depends on who read before (core 15 G16, G17);
//! `attention` says what happens around each unit, `pressure` how near the set is to what it can hold, `signal` what of it is
//! told; `tiers` serves units by tier, `graph` shows what is mentioned together; `settings` and `span` are the numbers. Maintenance (`crate::maintenance`) looks after statements, this after units.
//! Source: core 10, 11.5 and 11.6.

mod attention;
mod gauges;
mod graph;
mod pressure;
mod settings;
mod signal;
mod span;
mod tiers;

pub use attention::{Attention, AttentionSignal, ClusterSnapshot, Severity, SignalKind, UnitAttention};
pub(crate) use gauges::Gauges;
pub use graph::{MentionEdge, MentionGraph, MentionGraphFilter, MentionNode};
pub use pressure::{Pressure, PressureAt, PressureBreach, PressureParts, SweepKind};
pub use settings::{
    AttentionSettings, MaintenanceMode, PreFilter, PressureSettings, ProactiveSettings, TieredStorage,
};
pub use signal::UpkeepSignal;
pub use span::Span;
pub(crate) use tiers::TierCache;
pub use tiers::{ServedUnits, TierStats};

use serde::{Deserialize, Serialize};

use crate::event::Event;
use crate::id::SweepId;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::time::Timestamp;

/// What one sweep did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SweepReport {
    /// Stable for life.
    pub id: SweepId,
    /// When.
    pub at: Timestamp,
}

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

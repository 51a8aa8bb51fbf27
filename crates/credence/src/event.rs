//! Events: what happened, for whoever shows or reacts. A listener that fails cannot break a use case; it is only told.

mod facts;
mod units;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::{Rc, Weak};

pub use facts::{FactEvent, facts};
pub use units::{Direction, UnitEvent, units};

use crate::compaction::Summary;
use crate::enforcement::EnforcementPhase;
use crate::entity::EntityReport;
use crate::extraction::AnalysisReport;
use crate::history::{Commit, UseRecord};
use crate::id::{ContextId, ConversationId};
use crate::ingest::RunStats;
use crate::time::Timestamp;
use crate::upkeep::UpkeepSignal;

/// Something that happened, after it happened.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Event {
    /// A commit is durable, ours or another writer's.
    Committed {
        /// The commit.
        commit: Rc<Commit>,
        /// Whether it came from another tab or device.
        remote: bool,
    },
    /// Stored history was changed or replaced: whatever was read before has to be read again.
    Rewritten {
        /// The newest commit now; `None`: the memory was wiped.
        commit: Option<Rc<Commit>>,
        /// Whether another tab or device did it.
        remote: bool,
    },
    /// What a commit did to one statement; after that commit's own event.
    Fact {
        /// What happened.
        fact: FactEvent,
        /// Whether it came from another tab or device.
        remote: bool,
    },
    /// What happened to one unit of the working set; after the commit's own event. Switched by `unit.lifecycle_events_enabled`.
    Unit {
        /// What happened.
        event: UnitEvent,
        /// In which memory.
        context: ContextId,
        /// When.
        at: Timestamp,
        /// Whether it came from another tab or device.
        remote: bool,
    },
    /// Memory was read for a step.
    Used {
        /// What was supplied.
        record: Rc<UseRecord>,
    },
    /// Attention or pressure reached a threshold.
    Upkeep {
        /// What began.
        signal: UpkeepSignal,
    },
    /// The working set could not be looked after; what was analysed before stands.
    UpkeepFailed {
        /// In words for a person.
        reason: String,
    },
    /// A window's analysis has begun.
    AnalysisStarted {
        /// Whose.
        conversation: ConversationId,
        /// First new turn.
        from: u32,
        /// One past the last turn.
        to: u32,
    },
    /// A window was analysed and committed.
    Analysed {
        /// What came of it.
        report: Rc<AnalysisReport>,
    },
    /// Turns were passed by, because their content was analysed before.
    AlreadyAnalysed {
        /// Whose.
        conversation: ConversationId,
        /// First turn.
        from: u32,
        /// One past the last turn.
        to: u32,
    },
    /// A run over a conversation or document has ended, however it ended. Once a run.
    RunCompleted {
        /// Whose.
        conversation: ConversationId,
        /// What came of it.
        stats: RunStats,
    },
    /// A window of an entity-only run was committed, or waits with its reason.
    EntitiesFound {
        /// What came of it.
        report: Rc<EntityReport>,
    },
    /// The making of an answer has entered a further phase.
    Enforcement {
        /// Whose.
        conversation: ConversationId,
        /// Which phase.
        phase: EnforcementPhase,
    },
    /// A conversation's earlier turns were summed up and committed.
    Compacted {
        /// The summary.
        summary: Rc<Summary>,
    },
    /// A window stays pending.
    AnalysisFailed {
        /// Whose.
        conversation: ConversationId,
        /// A stable word.
        code: String,
        /// In words for a person.
        reason: String,
    },
}

type Listener = dyn Fn(&Event);

/// The listeners of one memory.
#[derive(Default, Clone)]
pub(crate) struct Events {
    listeners: Rc<RefCell<Vec<Weak<Listener>>>>,
}

/// Keeps a listener alive; dropping it ends the subscription.
#[must_use = "dropping a subscription ends it"]
pub struct Subscription {
    _listener: Rc<Listener>,
}

impl Events {
    pub(crate) fn subscribe(&self, listener: impl Fn(&Event) + 'static) -> Subscription {
        let listener: Rc<Listener> = Rc::new(listener);
        self.listeners.borrow_mut().push(Rc::downgrade(&listener));
        Subscription { _listener: listener }
    }

    /// Whether nobody listens.
    pub(crate) fn is_silent(&self) -> bool {
        self.listeners.borrow().iter().all(|listener| listener.strong_count() == 0)
    }

    pub(crate) fn emit(&self, event: &Event) {
        // Upgraded first: a listener may subscribe or drop another while it runs.
        let live: Vec<Rc<Listener>> = {
            let mut listeners = self.listeners.borrow_mut();
            listeners.retain(|listener| listener.strong_count() > 0);
            listeners.iter().filter_map(Weak::upgrade).collect()
        };
        for listener in live {
            // What a listener does wrong is its own: neither the other listeners nor the use case hear of it. Where panics abort
            // (wasm), hosts pass listeners that catch what their language throws.
            drop(catch_unwind(AssertUnwindSafe(|| listener(event))));
        }
    }
}

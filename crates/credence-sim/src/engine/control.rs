//! How a run is led while it plays: paused, gone on with, put aside, stopped, and what a person does to the memory in between. All of it
//! takes effect at the next turn's boundary, never inside a turn.
//!
//! The states are IDLE → RUNNING → PAUSED or COMPLETED, and back from there (simulator 6.1, fact 52); what is not in the table is
//! refused and changes nothing. Unlike the predecessor's, a run that was told to stop is COMPLETED only when it has stopped. One control
//! leads one run at a time.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use credence::id::{InboxId, PropositionId};
use credence::inbox::Verdict;
use serde::{Deserialize, Serialize};

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Phase {
    /// None was begun, or the last one was put away.
    #[default]
    Idle,
    /// It plays.
    Running,
    /// It waits for a person.
    Paused,
    /// It has ended, however.
    Completed,
}

impl Phase {
    /// Whether it may become the other.
    pub fn may_become(self, next: Self) -> bool {
        matches!(
            (self, next),
            (Self::Idle | Self::Paused | Self::Completed, Self::Running)
                | (Self::Running, Self::Paused)
                | (Self::Running | Self::Paused, Self::Completed)
                | (Self::Completed, Self::Idle)
        )
    }
}

/// What a person does to the memory of a paused run. Each is one act, as the product has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum Manipulation {
    /// Other words for a statement.
    Edit {
        /// Which.
        id: PropositionId,
        /// What it is to say.
        text: String,
    },
    /// It always comes and is never retired by evidence or time, or no longer so.
    Pin {
        /// Which.
        id: PropositionId,
        /// Whether it is to be pinned.
        pinned: bool,
    },
    /// A person says that it is so.
    Confirm {
        /// Which.
        id: PropositionId,
    },
    /// One level down; PROVISIONAL leaves, CANON is taken back.
    Demote {
        /// Which.
        id: PropositionId,
    },
    /// Out of the working set.
    Archive {
        /// Which.
        id: PropositionId,
    },
    /// Back into the working set.
    Revive {
        /// Which.
        id: PropositionId,
    },
    /// CANON.
    Canonize {
        /// Which.
        id: PropositionId,
    },
    /// Another activation.
    SetActivation {
        /// Which.
        id: PropositionId,
        /// 100 to 900.
        activation: u16,
    },
    /// Out of the memory, with what rests on it.
    Forget {
        /// Which.
        id: PropositionId,
    },
    /// A statement that was not there, as a PROVISIONAL unit.
    Add {
        /// What it says.
        text: String,
    },
    /// An answer to a question that waits in the run's memory.
    Decide {
        /// Which.
        question: InboxId,
        /// The answer.
        verdict: Verdict,
    },
}

/// What the run is to do at the next boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Wish {
    #[default]
    GoOn,
    Pause,
    PutAside,
    Cancel,
}

/// What came of a wait.
pub(super) enum Woken {
    Act(Manipulation),
    Wish(Wish),
}

#[derive(Default)]
struct Inner {
    phase: Cell<Phase>,
    wish: Cell<Wish>,
    without_memory: Cell<bool>,
    acts: RefCell<VecDeque<Manipulation>>,
    wakers: RefCell<Vec<Waker>>,
}

/// Leads a run. Clones lead the same one.
#[derive(Clone, Default)]
pub struct Control {
    inner: Rc<Inner>,
}

impl Control {
    /// For the next run.
    pub fn new() -> Self {
        Self::default()
    }
    /// Where the run stands.
    pub fn phase(&self) -> Phase {
        self.inner.phase.get()
    }
    /// Stops the run behind the turn under way until [`Self::resume`]. Nothing where none plays.
    pub fn pause(&self) {
        if self.phase() == Phase::Running {
            self.wish(Wish::Pause);
        }
    }
    /// Goes on.
    pub fn resume(&self) {
        self.wish(Wish::GoOn);
    }
    /// Ends the run behind the turn under way; it is scored as far as it came.
    pub fn cancel(&self) {
        self.wish(Wish::Cancel);
    }
    /// Ends it there too, to be gone on with later: neither scored nor over.
    pub fn put_aside(&self) {
        self.wish(Wish::PutAside);
    }
    /// Lets a person act on the memory: at once where the run is paused, else at the next pause. What was not done when the run ends is
    /// dropped.
    pub fn act(&self, act: Manipulation) {
        self.inner.acts.borrow_mut().push_back(act);
        self.wake();
    }
    /// Whether memory goes into prompts from the next turn on, where the condition lets it.
    pub fn set_injection(&self, on: bool) {
        self.inner.without_memory.set(!on);
    }
    /// Whether it does.
    pub fn injection(&self) -> bool {
        !self.inner.without_memory.get()
    }
    /// A run that has ended is put away.
    pub fn put_away(&self) {
        self.become_(Phase::Idle);
    }

    fn wish(&self, wish: Wish) {
        self.inner.wish.set(wish);
        self.wake();
    }
    fn wake(&self) {
        let wakers = std::mem::take(&mut *self.inner.wakers.borrow_mut());
        wakers.into_iter().for_each(Waker::wake);
    }
    /// Whether the run became that.
    pub(super) fn become_(&self, next: Phase) -> bool {
        let may = self.phase().may_become(next);
        if may {
            self.inner.phase.set(next);
        }
        may
    }
    /// A run begins; `false` while another plays. What was wished for an earlier one is over.
    pub(super) fn begin(&self) -> bool {
        let begun = self.phase() != Phase::Paused && self.become_(Phase::Running);
        if begun {
            self.inner.acts.borrow_mut().clear();
            self.inner.wish.set(Wish::GoOn);
        }
        begun
    }
    pub(super) fn wished(&self) -> Wish {
        self.inner.wish.get()
    }
    /// Waits, while the run is paused, for an act or for another wish.
    pub(super) async fn woken(&self) -> Woken {
        poll_fn(|context| {
            let act = self.inner.acts.borrow_mut().pop_front();
            if let Some(act) = act {
                return Poll::Ready(Woken::Act(act));
            }
            match self.wished() {
                Wish::Pause => {
                    self.inner.wakers.borrow_mut().push(context.waker().clone());
                    Poll::Pending
                }
                wish => Poll::Ready(Woken::Wish(wish)),
            }
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sim_52_states_of_a_run() {
        use Phase::{Completed, Idle, Paused, Running};
        let all = [Idle, Running, Paused, Completed];
        let allowed = [
            (Idle, Running),
            (Running, Paused),
            (Running, Completed),
            (Paused, Running),
            (Paused, Completed),
            (Completed, Idle),
            (Completed, Running),
        ];
        for from in all {
            for to in all {
                assert_eq!(from.may_become(to), allowed.contains(&(from, to)), "{from:?} to {to:?}");
            }
        }
        let control = Control::new();
        assert!(!control.become_(Completed), "IDLE to COMPLETED is refused");
        assert_eq!(control.phase(), Idle);
        assert!(control.begin() && !control.begin(), "one run at a time");
        assert!(control.become_(Completed) && control.begin());
    }

    #[test]
    fn a_pause_without_a_run_holds_up_none() {
        let control = Control::new();
        control.pause();
        assert_eq!(control.wished(), Wish::GoOn);
        control.cancel();
        assert!(control.begin());
        assert_eq!(control.wished(), Wish::GoOn, "what was wished for the run before is over");
    }
}

//! The steps of an erasure's plan: counted, told, and taken in slices, so that the page that it runs in goes on drawing and can stop it.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::memory::Slices;
use crate::ports::Clock;

/// How far the plan of an erasure has come, in records that were looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErasureProgress {
    /// Looked at.
    pub done: usize,
    /// To be looked at, each as often as the plan comes by it.
    pub total: usize,
}

/// Parts of the whole after which progress is told.
const PARTS: usize = 50;

/// One plan under way.
pub(super) struct Pace<'a, C> {
    slices: Slices<'a, C>,
    done: usize,
    total: usize,
    told: usize,
    tell: &'a mut dyn FnMut(ErasureProgress),
}

impl<'a, C: Clock> Pace<'a, C> {
    pub(super) fn new(slices: Slices<'a, C>, tell: &'a mut dyn FnMut(ErasureProgress)) -> Self {
        Self { slices, done: 0, total: 0, told: 0, tell }
    }

    /// Begins a plan of so many steps; one that is begun anew, because somebody else was faster, counts anew.
    pub(super) fn begin(&mut self, total: usize) {
        (self.done, self.total, self.told) = (0, total, 0);
        self.say();
    }

    /// After a step.
    ///
    /// # Errors
    /// [`Error::Cancelled`] when that was wanted.
    pub(super) async fn step(&mut self) -> Result<(), Error> {
        // Statements are looked at again where what was abstracted from them goes too; that is not counted twice.
        self.done = (self.done + 1).min(self.total);
        if (self.done - self.told) * PARTS >= self.total {
            self.told = self.done;
            self.say();
        }
        self.slices.rest_small().await
    }

    /// Its slices, for work that is not counted.
    pub(super) fn slices(&mut self) -> &mut Slices<'a, C> {
        &mut self.slices
    }

    /// After a step that is not counted.
    ///
    /// # Errors
    /// As [`Pace::step`].
    pub(super) async fn rest(&mut self) -> Result<(), Error> {
        self.slices.rest_small().await
    }

    /// The plan is made: the last moment at which it can be stopped.
    ///
    /// # Errors
    /// As [`Pace::step`].
    pub(super) async fn end(&mut self) -> Result<(), Error> {
        self.slices.rest().await?;
        if self.told < self.total {
            (self.done, self.told) = (self.total, self.total);
            self.say();
        }
        Ok(())
    }

    fn say(&mut self) {
        (self.tell)(ErasureProgress { done: self.done, total: self.total });
    }
}

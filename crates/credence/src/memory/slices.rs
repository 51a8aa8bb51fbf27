//! Slices: long work gives the one thread back every few milliseconds, so that the page that it runs in can draw and answer.
//!
//! What is looked at across a pause must be a snapshot, or be read anew after it: others commit meanwhile. A plan that was made in
//! slices is checked against the present when it is committed, as every plan is.

use std::rc::Rc;

use super::{MAX_RACES, Memory};
use crate::error::Error;
use crate::history::{Commit, Scope, ScopeInfo, State};
use crate::llm::Cancel;
use crate::ports::{Clock, Ports};
use crate::time::Timestamp;

/// How long work goes on without a pause: half a frame of 60 a second, so that the other half is the page's.
const SLICE_MS: u64 = 8;

/// Small steps between two looks at the clock, which costs more than one of them.
const SMALL_STEPS: u32 = 16;

/// One piece of long work, on a clock that it looks at between its steps.
pub(crate) struct Slices<'a, C> {
    clock: &'a C,
    cancel: Option<&'a Cancel>,
    since: Timestamp,
    small: u32,
}

impl<'a, C: Clock> Slices<'a, C> {
    pub(crate) fn new(clock: &'a C, cancel: Option<&'a Cancel>) -> Self {
        Self { clock, cancel, since: clock.now().at, small: 0 }
    }

    fn check(&self) -> Result<(), Error> {
        if self.cancel.is_some_and(Cancel::is_cancelled) { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Between two steps: pauses when the slice is used up. The caller's cancel is heard here, as an error.
    pub(crate) async fn rest(&mut self) -> Result<(), Error> {
        self.check()?;
        // Either way round: a clock that was set back has begun a slice of its own.
        if self.clock.now().at.0.abs_diff(self.since.0) >= SLICE_MS {
            self.clock.pause().await;
            self.since = self.clock.now().at;
            self.check()?;
        }
        Ok(())
    }

    /// [`Slices::rest`] after a step of some microseconds.
    pub(crate) async fn rest_small(&mut self) -> Result<(), Error> {
        self.small += 1;
        if self.small < SMALL_STEPS {
            return Ok(());
        }
        self.small = 0;
        self.rest().await
    }
}

impl<P: Ports> Memory<P> {
    /// Begins long work.
    pub(crate) fn slices<'a>(&'a self, cancel: Option<&'a Cancel>) -> Slices<'a, P::Clock> {
        Slices::new(self.ports().clock(), cancel)
    }

    /// [`Memory::change`] for a plan that makes pauses. It is made on a snapshot, and other changes of this memory wait for it, so that the
    /// present is still that snapshot when the plan is made.
    ///
    /// # Errors
    /// What `plan` returns, and those of [`Memory::commit`]; nothing was written then.
    pub(crate) async fn change_in_slices<T>(
        &self,
        info: ScopeInfo,
        mut plan: impl AsyncFnMut(&State, &Scope) -> Result<T, Error>,
    ) -> Result<(T, Option<Rc<Commit>>), Error> {
        let _writing = self.inner.writing.lock().await;
        let mut tries = 0;
        loop {
            let (state, scope) = (self.state().clone(), self.scope(info.clone()));
            let planned = plan(&state, &scope).await?;
            match self.commit_alone(&scope).await {
                Err(Error::Conflict { .. }) if tries < MAX_RACES => tries += 1,
                outcome => return Ok((planned, outcome?)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures::executor::block_on;

    use super::*;
    use crate::time::Moment;

    /// Goes on by so many milliseconds whenever it is read.
    struct Ticking {
        ms: i64,
        now: Cell<i64>,
        pauses: Cell<u32>,
    }

    impl Ticking {
        fn by(ms: i64) -> Self {
            Self { ms, now: Cell::new(0), pauses: Cell::new(0) }
        }
    }

    impl Clock for Ticking {
        fn now(&self) -> Moment {
            self.now.set(self.now.get() + self.ms);
            Moment { at: Timestamp(self.now.get()), offset_minutes: 0 }
        }
        async fn pause(&self) {
            self.pauses.set(self.pauses.get() + 1);
        }
    }

    fn pauses(ms: i64, steps: u32) -> u32 {
        let clock = Ticking::by(ms);
        let mut slices = Slices::new(&clock, None);
        (0..steps).for_each(|_| block_on(slices.rest()).unwrap());
        clock.pauses.get()
    }

    #[test]
    fn a_slice_is_used_up_by_the_clock() {
        assert_eq!((pauses(1, 80), pauses(8, 5), pauses(0, 1_000)), (10, 5, 0));
        assert_eq!(pauses(-60_000, 3), 3, "a clock that goes back does not make a slice endless");
    }

    #[test]
    fn small_steps_look_at_the_clock_seldom() {
        let clock = Ticking::by(1);
        let mut slices = Slices::new(&clock, None);
        (0..160).for_each(|_| block_on(slices.rest_small()).unwrap());
        assert!(clock.now.get() <= 13, "{}", clock.now.get());
    }

    #[test]
    fn cancelling_is_heard_between_two_steps() {
        let (clock, cancel) = (Ticking::by(8), Cancel::new());
        let mut slices = Slices::new(&clock, Some(&cancel));
        block_on(slices.rest()).unwrap();
        cancel.cancel();
        assert!(matches!(block_on(slices.rest()), Err(Error::Cancelled)));
        assert_eq!(clock.pauses.get(), 1);
    }
}

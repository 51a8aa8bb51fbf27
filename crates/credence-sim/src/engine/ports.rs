//! The ports of a run: the host's journal, models and vectors, with a clock and ids of the run's own, so that the same run is the
//! same bytes wherever and whenever it is played.
//!
//! Rules. The clock stands still within a turn and is set by the turn's number; what a call waits before a further try is counted, and waited
//! in earnest by the host, but moves no instant that is stored. Ids count within a step of the run (a turn, or what a person does before
//! it) and carry the run's own digits, so that a run that was put aside goes on with the ids that it would have had, and two runs share
//! none.

use std::cell::Cell;
use std::rc::Rc;

use credence::embedding::Embedder;
use credence::history::Journal;
use credence::llm::ChatModel;
use credence::ports::{Clock, Ids, Ports};
use credence::time::{Moment, Timestamp};
use futures::future::LocalBoxFuture;
use uuid::Uuid;

/// When every run begins, by its own clock: noon of a Monday, in milliseconds since 1970. Chosen by us; nothing rests on the day.
pub const START: Timestamp = Timestamp(1_767_614_400_000);
/// Milliseconds from one turn to the next. Chosen by us: the pace of a chat.
pub const TURN_MS: i64 = 60_000;
/// Milliseconds between two sittings, beside the turn's own: a day.
pub const SITTING_MS: i64 = 86_400_000;

/// How a host lets time pass and gives its thread back.
pub trait Rest {
    /// Returns after the host has done what waited, in a page drawing and input.
    fn pause(&self) -> LocalBoxFuture<'static, ()>;
    /// Returns after so many milliseconds, before a failed call is made again.
    fn wait_ms(&self, milliseconds: u32) -> LocalBoxFuture<'static, ()>;
}

/// For hosts that wait for nothing: tests, and runs without a network.
#[derive(Debug, Clone, Copy, Default)]
pub struct AtOnce;

impl Rest for AtOnce {
    fn pause(&self) -> LocalBoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
    fn wait_ms(&self, _milliseconds: u32) -> LocalBoxFuture<'static, ()> {
        Box::pin(std::future::ready(()))
    }
}

/// The run's clock. Clones share it.
#[derive(Clone)]
pub struct RunClock {
    at: Rc<Cell<Timestamp>>,
    waited_ms: Rc<Cell<i64>>,
    rest: Rc<dyn Rest>,
}

impl RunClock {
    /// Stands at [`START`].
    pub fn new(rest: Rc<dyn Rest>) -> Self {
        Self { at: Rc::new(Cell::new(START)), waited_ms: Rc::default(), rest }
    }
    /// Stands where a turn is played: `sittings` have ended before it.
    pub fn set(&self, turn: u32, sittings: u32) {
        let passed = i64::from(turn) * TURN_MS + i64::from(sittings) * SITTING_MS;
        self.at.set(START.plus_ms(passed));
        self.waited_ms.set(0);
    }
    /// Milliseconds waited since it was set.
    pub fn waited_ms(&self) -> i64 {
        self.waited_ms.get()
    }
}

impl Clock for RunClock {
    fn now(&self) -> Moment {
        Moment::utc(self.at.get())
    }
    async fn pause(&self) {
        self.rest.pause().await;
    }
    async fn wait_ms(&self, milliseconds: u32) {
        self.waited_ms.set(self.waited_ms.get().saturating_add(i64::from(milliseconds)));
        self.rest.wait_ms(milliseconds).await;
    }
}

/// The run's ids. Clones share the count.
#[derive(Debug, Clone)]
pub struct RunIds {
    run: u64,
    step: Rc<Cell<u32>>,
    count: Rc<Cell<u32>>,
}

impl RunIds {
    /// Ids of a run; its own digits lead them.
    pub fn new(run: u64) -> Self {
        Self { run, step: Rc::default(), count: Rc::default() }
    }
    /// Begins a step; steps rise.
    pub fn begin(&self, step: u32) {
        self.step.set(step);
        self.count.set(0);
    }
}

impl Ids for RunIds {
    fn next(&self) -> Uuid {
        let count = self.count.get().saturating_add(1);
        self.count.set(count);
        Uuid::from_u64_pair(self.run, u64::from(self.step.get()) << 32 | u64::from(count))
    }
}

/// Every port of a run.
pub struct RunPorts<J, C, E> {
    /// The host's; the run has a context of its own in it.
    pub journal: Rc<J>,
    /// By role.
    pub chat: Rc<C>,
    /// Text to vector.
    pub embedder: Rc<E>,
    /// The run's own.
    pub clock: RunClock,
    /// The run's own.
    pub ids: RunIds,
}

impl<J: Journal, C: ChatModel, E: Embedder> Ports for RunPorts<J, C, E> {
    type Journal = J;
    type Chat = C;
    type Embed = E;
    type Clock = RunClock;
    type Ids = RunIds;
    fn journal(&self) -> &J {
        &self.journal
    }
    fn chat(&self) -> &C {
        &self.chat
    }
    fn embedder(&self) -> &E {
        &self.embedder
    }
    fn clock(&self) -> &RunClock {
        &self.clock
    }
    fn ids(&self) -> &RunIds {
        &self.ids
    }
}

/// No vectors: words alone find statements. What a run uses where the host ships no model of vectors.
#[derive(Debug, Clone, Copy, Default)]
pub struct WordsAlone;

impl Embedder for WordsAlone {
    fn space(&self) -> String {
        "none".to_owned()
    }
    fn dimension(&self) -> usize {
        0
    }
    fn is_cheap(&self) -> bool {
        true
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, credence::llm::ModelError> {
        Ok(vec![Vec::new(); texts.len()])
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;

    use super::*;

    #[test]
    fn ids_count_within_a_step_and_go_on_as_they_would_have() {
        let ids = RunIds::new(7);
        let first: Vec<Uuid> = (0..3).map(|_| ids.next()).collect();
        ids.begin(1);
        let second = ids.next();
        assert!(first.windows(2).all(|pair| pair[0] < pair[1]) && first[2] < second);
        let later = RunIds::new(7);
        later.begin(1);
        assert_eq!(later.next(), second);
        assert_ne!(RunIds::new(8).next(), first[0]);
    }

    #[test]
    fn waits_are_counted_and_move_no_instant() {
        let clock = RunClock::new(Rc::new(AtOnce));
        clock.set(2, 1);
        let at = clock.now().at;
        block_on(clock.wait_ms(250));
        assert_eq!((clock.now().at, clock.waited_ms()), (at, 250));
        assert_eq!(at, START.plus_ms(2 * TURN_MS + SITTING_MS));
        clock.set(3, 1);
        assert_eq!(clock.waited_ms(), 0);
        assert_eq!(START.to_rfc3339(), "2026-01-05T12:00:00.000Z");
    }
}

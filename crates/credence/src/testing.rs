//! Doubles for every port, for tests of this crate and of hosts: a clock that is set by hand, ids that count, a journal
//! that fails when told to, and the bundle that carries them. The scripted model is `llm::scripted`.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Poll;

use futures::future::LocalBoxFuture;
use uuid::Uuid;

use crate::embedding::Embedder;
use crate::history::{
    Commit, Contents, ContextSummary, Damage, Journal, JournalError, MemoryJournal, Rewrite, StoredVector,
    UseRecord,
};
use crate::id::{ContextId, UseId};
use crate::llm::ModelError;
use crate::llm::scripted::ScriptedModel;
use crate::ports::{Clock, Ids, Ports};
use crate::time::{Moment, Timestamp};

/// A clock that stands still until it is moved. Clones share the time.
#[derive(Debug, Clone)]
pub struct ManualClock(Rc<Hands>);

#[derive(Debug)]
struct Hands {
    now: Cell<Moment>,
    /// By how much every look moves it.
    step_ms: Cell<i64>,
    pauses: Cell<u32>,
}

impl ManualClock {
    /// Starts at an instant, with an offset from UTC in minutes.
    pub fn at(instant: &str, offset_minutes: i32) -> Self {
        let at = Timestamp::parse(instant).unwrap_or_default();
        let now = Cell::new(Moment { at, offset_minutes });
        Self(Rc::new(Hands { now, step_ms: Cell::default(), pauses: Cell::default() }))
    }
    /// Moves by milliseconds; backwards too.
    pub fn advance_ms(&self, ms: i64) {
        let now = self.0.now.get();
        self.0.now.set(Moment { at: now.at.plus_ms(ms), ..now });
    }
    /// From now on every look moves it by so much, as though all work took long: whoever pauses by the clock then pauses at every chance.
    pub fn hurry(&self, ms_a_look: i64) {
        self.0.step_ms.set(ms_a_look);
    }
    /// How often work gave the thread back.
    pub fn pauses(&self) -> u32 {
        self.0.pauses.get()
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Moment {
        self.advance_ms(self.0.step_ms.get());
        self.0.now.get()
    }
    /// Lets other futures of the same task go on.
    async fn pause(&self) {
        self.0.pauses.set(self.0.pauses.get() + 1);
        let mut is_over = false;
        std::future::poll_fn(|cx| {
            if is_over {
                return Poll::Ready(());
            }
            is_over = true;
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }
    /// Moves by as much.
    async fn wait_ms(&self, milliseconds: u32) {
        self.advance_ms(i64::from(milliseconds));
    }
}

/// Ids that count from 1. Clones share the count.
#[derive(Debug, Clone, Default)]
pub struct SequentialIds(Rc<Cell<u128>>);

impl Ids for SequentialIds {
    fn next(&self) -> Uuid {
        self.0.set(self.0.get() + 1);
        Uuid::from_u128(self.0.get())
    }
}

/// No vectors: every text gets the zero vector, "use lexical search alone".
#[derive(Debug, Clone, Copy, Default)]
pub struct NoEmbedder;

impl Embedder for NoEmbedder {
    fn space(&self) -> String {
        "none".into()
    }
    fn dimension(&self) -> usize {
        0
    }
    fn is_cheap(&self) -> bool {
        true
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        Ok(vec![Vec::new(); texts.len()])
    }
}

/// What somebody else does right before a write.
type Meanwhile = Rc<RefCell<Option<LocalBoxFuture<'static, ()>>>>;

async fn meanwhile(job: &Meanwhile) {
    let job = job.borrow_mut().take();
    if let Some(job) = job {
        job.await;
    }
}

/// How a write fails, and whether it was written all the same.
type Failure = (JournalError, bool);

/// A journal in memory that fails its next writes when told to, before or after they became durable.
#[derive(Clone, Default)]
pub struct FlakyJournal {
    inner: MemoryJournal,
    before_append: Meanwhile,
    before_use: Meanwhile,
    failures: Rc<RefCell<Vec<Option<Failure>>>>,
    appends: Rc<Cell<usize>>,
}

impl FlakyJournal {
    /// The next append fails with `error`; nothing is written.
    pub fn fail_next(&self, error: JournalError) {
        self.failures.borrow_mut().push(Some((error, false)));
    }
    /// The next append is written and then reported as failed, as when a tab dies between the two.
    pub fn fail_after_next(&self, error: JournalError) {
        self.failures.borrow_mut().push(Some((error, true)));
    }
    /// The next write passes; what was told before holds for the one after it.
    pub fn pass_next(&self) {
        self.failures.borrow_mut().push(None);
    }
    /// Somebody else does this right before the next write of the log.
    pub fn before_next_append(&self, job: impl Future<Output = ()> + 'static) {
        *self.before_append.borrow_mut() = Some(Box::pin(job));
    }
    /// Somebody else does this right before the next use record is written.
    pub fn before_next_use(&self, job: impl Future<Output = ()> + 'static) {
        *self.before_use.borrow_mut() = Some(Box::pin(job));
    }
    /// Writes of the log that were asked for.
    pub fn appends(&self) -> usize {
        self.appends.get()
    }
}

impl FlakyJournal {
    async fn failing(
        &self,
        write: impl Future<Output = Result<(), JournalError>>,
    ) -> Result<(), JournalError> {
        self.appends.set(self.appends.get() + 1);
        let failure = self.failures.borrow_mut().pop().flatten();
        match failure {
            None => write.await,
            Some((error, written)) => {
                if written {
                    write.await?;
                }
                Err(error)
            }
        }
    }
}

impl Journal for FlakyJournal {
    async fn head(&self, context: &ContextId) -> Result<Option<ContextSummary>, JournalError> {
        self.inner.head(context).await
    }
    async fn spaces(&self, context: &ContextId) -> Result<Vec<String>, JournalError> {
        self.inner.spaces(context).await
    }
    async fn rewrite(&self, rewrite: &Rewrite) -> Result<(), JournalError> {
        self.failing(self.inner.rewrite(rewrite)).await
    }
    async fn replace(
        &self,
        context: &ContextId,
        expected: u64,
        contents: &Contents,
    ) -> Result<(), JournalError> {
        self.failing(self.inner.replace(context, expected, contents)).await
    }
    async fn inspect(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError> {
        self.inner.inspect(context).await
    }
    async fn repair(&self, appended: &Commit, damages: &[Damage]) -> Result<(), JournalError> {
        self.failing(self.inner.repair(appended, damages)).await
    }
    async fn set_aside(&self, context: &ContextId) -> Result<Vec<Damage>, JournalError> {
        self.inner.set_aside(context).await
    }
    async fn contexts(&self) -> Result<Vec<ContextSummary>, JournalError> {
        self.inner.contexts().await
    }
    async fn read(&self, context: &ContextId, after: u64) -> Result<Vec<Commit>, JournalError> {
        self.inner.read(context, after).await
    }
    async fn append(&self, commit: &Commit) -> Result<(), JournalError> {
        meanwhile(&self.before_append).await;
        self.failing(self.inner.append(commit)).await
    }
    async fn append_use(&self, record: &UseRecord) -> Result<(), JournalError> {
        meanwhile(&self.before_use).await;
        self.inner.append_use(record).await
    }
    async fn use_record(&self, context: &ContextId, id: UseId) -> Result<Option<UseRecord>, JournalError> {
        self.inner.use_record(context, id).await
    }
    async fn uses(&self, context: &ContextId) -> Result<Vec<UseRecord>, JournalError> {
        self.inner.uses(context).await
    }
    async fn save_vectors(
        &self,
        context: &ContextId,
        space: &str,
        vectors: &[StoredVector],
    ) -> Result<(), JournalError> {
        self.inner.save_vectors(context, space, vectors).await
    }
    async fn vectors(&self, context: &ContextId, space: &str) -> Result<Vec<StoredVector>, JournalError> {
        self.inner.vectors(context, space).await
    }
    async fn erase(&self, context: &ContextId) -> Result<(), JournalError> {
        self.inner.erase(context).await
    }
}

/// Every port as a double.
pub struct TestPorts<E: Embedder = NoEmbedder> {
    /// Fails when told to; clones share one store.
    pub journal: FlakyJournal,
    /// Scripted; offline until it has a script and [`ScriptedModel::set_offline`] says otherwise.
    pub chat: Rc<ScriptedModel>,
    /// Text to vector.
    pub embedder: E,
    /// Set by hand.
    pub clock: ManualClock,
    /// Counting.
    pub ids: SequentialIds,
}

impl TestPorts {
    /// Offline, 8 March 2026, ten in the morning, UTC.
    pub fn offline() -> Self {
        let chat = ScriptedModel::new();
        chat.set_offline(true);
        Self::with(chat)
    }
    /// With a scripted model.
    pub fn with(chat: ScriptedModel) -> Self {
        Self {
            journal: FlakyJournal::default(),
            chat: Rc::new(chat),
            embedder: NoEmbedder,
            clock: ManualClock::at("2026-03-08T10:00:00Z", 0),
            ids: SequentialIds::default(),
        }
    }
    /// A second process on the same store, clock and ids, with the same model.
    pub fn sibling(&self) -> Self {
        Self {
            journal: self.journal.clone(),
            chat: self.chat.clone(),
            embedder: NoEmbedder,
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        }
    }
}

impl<E: Embedder> Ports for TestPorts<E> {
    type Journal = FlakyJournal;
    type Chat = ScriptedModel;
    type Embed = E;
    type Clock = ManualClock;
    type Ids = SequentialIds;
    fn journal(&self) -> &FlakyJournal {
        &self.journal
    }
    fn chat(&self) -> &ScriptedModel {
        &self.chat
    }
    fn embedder(&self) -> &E {
        &self.embedder
    }
    fn clock(&self) -> &ManualClock {
        &self.clock
    }
    fn ids(&self) -> &SequentialIds {
        &self.ids
    }
}

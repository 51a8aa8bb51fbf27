//! One context's memory: the log, the index over it, and the ports. This page opens, subscribes, commits and catches up; each
//! use case has its own page as an `impl Memory`.
//!
//! In this folder: `facts` (edit, pin, forget), `undo` (taking commits back), `turns` (worded anew, answered again, taken out), `entities` (merge, split, rename), `units` (the working set), `repository`
//! (what hosts and maintenance do to stored statements), `view` and `entity_page` (what is shown), `questions` (to history), `as_of` (what held when, as it
//! was known then), `branch` (a memory that begins as this one's past), `retention` (history by a policy), `rewrite` (reading anew, and changing stored
//! history). Elsewhere, each beside what it decides: `agent` (one answered turn), `bundle` (export), `retrieval` (the one door through
//! which memory is read), `ingest::run` (what waits is analysed),
//! `extraction::analyse` (a window becomes propositions), `extraction::remember`, `ingest::document` (a text becomes a source),
//! `import` (a conversation from a file), `inbox::decide` (a person's answer), `entity::pipeline` (entities without statements),
//! `maintenance::run` (hygiene over time), `operation` (statements above others).
//!
//! Calls interleave at awaits and tabs share a store, so the pattern of every write is: read the state, plan in a
//! [`Scope`], check, then [`Memory::commit`] once. A commit that finds the head moved catches up; if a record
//! that the plan was decided on has changed, nothing is written and the caller decides again.

mod as_of;
mod branch;
mod entities;
mod entity_page;
mod facts;
mod questions;
mod repository;
mod retention;
mod rewrite;
mod seeds;
mod slices;
mod turns;
mod undo;
mod units;
mod view;

pub use crate::bundle::{BUNDLE_FORMAT, Bundle};
pub use branch::Branched;
pub use entity_page::{
    CommitView, DuplicateView, EntityOrder, EntityPage, EntityQuery, MentionView, MergedView, NameView,
};
pub use facts::{Edit, Remembered};
pub use questions::{
    Belief, CameBy, Changed, ConfidenceStep, Derived, FieldChange, Life, LifeStep, MemoryAt, RecordChange,
    Replay, UsedByTurn, UsedRevision, When,
};
pub use repository::{Cleared, clear_context, clear_prefix};
pub use retention::HistoryCompaction;
use rewrite::Folded;
pub(crate) use rewrite::Rewriting;
pub(crate) use slices::Slices;
pub use turns::TurnChange;
pub(crate) use turns::{answered_again, is_last_answer};
pub use undo::{ChangedSince, Restoring, RevertOptions, UndoPreview, Undone};
pub use units::{TrustStep, UnitAct};
pub use view::{EntityView, PropositionDetail, PropositionView, RevisionView, SourceView};

use std::cell::{Cell, Ref, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use futures::lock::Mutex;

use crate::assembly::{AnswerLock, TokenCounter};
use crate::config::Config;
use crate::conflict::{ConflictDetector, ConflictIndex, ConflictType, SourceComparator};
use crate::conversation::{Conversation, MemoryMode, Origin, Speaker, Turn, TurnState};
use crate::embedded;
use crate::enforcement::ComplianceCheck;
use crate::entity::EntitySource;
use crate::error::Error;
use crate::event::{Event, Events, Subscription};
use crate::history::{
    Actor, Cause, Commit, Journal, JournalError, Log, Record, RecordId, Scope, ScopeInfo, State,
};
use crate::id::{CommitId, ContextId, ConversationId, TurnId};
use crate::llm::tuning::Tuned;
use crate::ports::{Clock, Ids, Ports};
use crate::prompt::Prompts;
use crate::proposition::Proposition;
use crate::resolution::{EntityVectors, Known};
use crate::retrieval::Recaller;
use crate::text;
use crate::time::Moment;
use crate::upkeep::{Gauges, TierCache};

/// Tries to land a commit while other tabs keep writing. Each try costs one read of what is new.
const MAX_RACES: usize = 64;

struct Inner<P: Ports> {
    ports: P,
    context: ContextId,
    config: RefCell<Config>,
    log: RefCell<Log>,
    recaller: RefCell<Recaller>,
    prompts: RefCell<Prompts>,
    events: Events,
    /// One writer at a time inside this process; other processes meet at the journal's compare-and-append.
    writing: Mutex<()>,
    /// One embedding run at a time, so that no text is embedded twice.
    embedding: Mutex<()>,
    vectors_loaded: Cell<bool>,
    entity_vectors: RefCell<EntityVectors>,
    known_names: RefCell<Known>,
    analysing: RefCell<BTreeSet<ConversationId>>,
    compacting: RefCell<BTreeSet<ConversationId>>,
    finding: RefCell<BTreeSet<EntitySource>>,
    maintaining: Cell<bool>,
    /// Attention and pressure, in step with the log.
    gauges: RefCell<Gauges>,
    tier_cache: RefCell<TierCache>,
    answer_lock: AnswerLock,
    token_counter: RefCell<Option<Rc<dyn TokenCounter>>>,
    /// The host's own; otherwise by voice.
    source_comparator: RefCell<Option<Rc<dyn SourceComparator>>>,
    /// The host's own; otherwise the one of the settings.
    conflict_detector: RefCell<Option<Rc<dyn ConflictDetector>>>,
    conflict_index: RefCell<ConflictIndex>,
    /// The host's own, beside rules and model.
    compliance_check: RefCell<Option<Rc<dyn ComplianceCheck>>>,
}

/// A handle on one context's memory. Clones share it.
pub struct Memory<P: Ports> {
    inner: Rc<Inner<P>>,
}

impl<P: Ports> Clone for Memory<P> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

impl<P: Ports> Memory<P> {
    /// Reads a context's log and folds it. An unknown context is an empty memory, as is each under `persistence.clear_on_start`, which
    /// wipes it first; where `unit.chat_seed` is on, such a memory begins with the units of the settings. Where `history.keep` says so, history is compacted.
    pub async fn open(ports: P, context: ContextId, config: Config) -> Result<Self, Error> {
        config.validate().map_err(|problem| Error::Invalid { what: "config", problem })?;
        if config.persistence.clear_on_start {
            clear_context(ports.journal(), &context).await?;
        }
        let commits = ports.journal().read(&context, 0).await?;
        let Folded { log, recaller, gauges } = Folded::of(commits, &config, ports.clock()).await?;
        let inner = Inner {
            ports,
            context,
            config: RefCell::new(config),
            log: RefCell::new(log),
            recaller: RefCell::new(recaller),
            prompts: RefCell::new(Prompts::default()),
            events: Events::default(),
            writing: Mutex::new(()),
            embedding: Mutex::new(()),
            vectors_loaded: Cell::new(false),
            entity_vectors: RefCell::default(),
            known_names: RefCell::default(),
            analysing: RefCell::default(),
            compacting: RefCell::default(),
            finding: RefCell::default(),
            maintaining: Cell::new(false),
            gauges: RefCell::new(gauges),
            tier_cache: RefCell::default(),
            answer_lock: AnswerLock::default(),
            token_counter: RefCell::default(),
            source_comparator: RefCell::default(),
            conflict_detector: RefCell::default(),
            conflict_index: RefCell::default(),
            compliance_check: RefCell::default(),
        };
        let memory = Self { inner: Rc::new(inner) };
        memory.seed().await?;
        memory.keep_policy().await?;
        Ok(memory)
    }

    /// The context's name.
    pub fn context(&self) -> &ContextId {
        &self.inner.context
    }
    /// The host's ports.
    pub fn ports(&self) -> &P {
        &self.inner.ports
    }
    /// The settings in force.
    pub fn config(&self) -> Config {
        self.inner.config.borrow().clone()
    }
    /// Reads the settings in force without copying them.
    pub(crate) fn with_config<T>(&self, read: impl FnOnce(&Config) -> T) -> T {
        read(&self.inner.config.borrow())
    }
    /// Replaces the settings after checking every range.
    pub fn set_config(&self, config: Config) -> Result<(), Error> {
        config.validate().map_err(|problem| Error::Invalid { what: "config", problem })?;
        *self.inner.config.borrow_mut() = config;
        self.inner.tier_cache.borrow_mut().clear();
        Ok(())
    }
    /// Lets the host tell kinds of conflict apart; `None` goes back to the detector of the settings.
    pub fn use_conflict_detector(&self, detector: Option<Rc<dyn ConflictDetector>>) {
        *self.inner.conflict_detector.borrow_mut() = detector;
    }
    pub(crate) fn source_comparator(&self) -> &RefCell<Option<Rc<dyn SourceComparator>>> {
        &self.inner.source_comparator
    }
    pub(crate) fn conflict_type(&self, incoming: &Proposition, existing: &Proposition) -> ConflictType {
        let own = self.inner.conflict_detector.borrow().clone();
        match own {
            Some(detector) => detector.classify(incoming, existing),
            None => self.with_config(|config| config.conflicts.classify(incoming, existing)),
        }
    }
    /// The prompt templates in force; a host may replace each by name.
    pub fn prompts(&self) -> std::cell::RefMut<'_, Prompts> {
        self.inner.prompts.borrow_mut()
    }
    /// The log: commits, views, deltas. Do not hold it across an await.
    pub fn log(&self) -> Ref<'_, Log> {
        self.inner.log.borrow()
    }
    /// The present. Do not hold it across an await.
    pub fn state(&self) -> Ref<'_, State> {
        Ref::map(self.inner.log.borrow(), Log::state)
    }
    /// Calls `listener` after every event until the subscription is dropped.
    pub fn subscribe(&self, listener: impl Fn(&Event) + 'static) -> Subscription {
        self.inner.events.subscribe(listener)
    }
    /// The language model, with what the settings say of each role.
    pub fn chat(&self) -> Tuned<'_, P::Chat> {
        self.with_config(|config| {
            let memory = &config.memory;
            let (extraction, resolution) =
                (memory.extraction_llm.clone(), memory.entity_resolution_llm.clone());
            Tuned::new(
                self.ports().chat(),
                config.chat.chat_llm.clone(),
                extraction,
                resolution,
                config.llm_call,
            )
        })
    }
    /// The clock's moment.
    pub fn now(&self) -> Moment {
        self.inner.ports.clock().now()
    }

    pub(crate) fn next_id(&self) -> uuid::Uuid {
        self.inner.ports.ids().next()
    }
    pub(crate) fn emit(&self, event: &Event) {
        self.inner.events.emit(event);
    }
    pub(crate) fn recaller(&self) -> &RefCell<Recaller> {
        &self.inner.recaller
    }
    pub(crate) fn embedding_lock(&self) -> &Mutex<()> {
        &self.inner.embedding
    }
    pub(crate) fn entity_vectors(&self) -> &RefCell<EntityVectors> {
        &self.inner.entity_vectors
    }
    pub(crate) fn known_names(&self) -> &RefCell<Known> {
        &self.inner.known_names
    }
    pub(crate) fn conflict_index(&self) -> &RefCell<ConflictIndex> {
        &self.inner.conflict_index
    }
    pub(crate) fn vectors_loaded(&self) -> &Cell<bool> {
        &self.inner.vectors_loaded
    }
    pub(crate) fn tier_cache(&self) -> &RefCell<TierCache> {
        &self.inner.tier_cache
    }
    pub(crate) fn gauges(&self) -> &RefCell<Gauges> {
        &self.inner.gauges
    }
    pub(crate) fn maintaining(&self) -> &Cell<bool> {
        &self.inner.maintaining
    }
    pub(crate) fn answer_lock(&self) -> &AnswerLock {
        &self.inner.answer_lock
    }
    pub(crate) fn token_counter(&self) -> &RefCell<Option<Rc<dyn TokenCounter>>> {
        &self.inner.token_counter
    }
    pub(crate) fn finding(&self) -> &RefCell<BTreeSet<EntitySource>> {
        &self.inner.finding
    }
    pub(crate) fn analysing(&self) -> &RefCell<BTreeSet<ConversationId>> {
        &self.inner.analysing
    }
    pub(crate) fn compliance_check(&self) -> &RefCell<Option<Rc<dyn ComplianceCheck>>> {
        &self.inner.compliance_check
    }
    pub(crate) fn compacting(&self) -> &RefCell<BTreeSet<ConversationId>> {
        &self.inner.compacting
    }

    /// Opens a scope: everything planned in it becomes one commit.
    pub fn scope(&self, info: ScopeInfo) -> Scope {
        Scope::new(info)
    }

    /// Writes a scope's plan as one commit. `Ok(None)`: a nested scope (its outer one commits), or nothing would change.
    ///
    /// # Errors
    /// [`Error::Conflict`] when a record that the plan was decided on has changed; [`Error::Proposition`] when one that it
    /// holds cannot be; [`Error::Journal`] when the store refused. In every case nothing was written.
    pub async fn commit(&self, scope: &Scope) -> Result<Option<Rc<Commit>>, Error> {
        if !scope.is_outer() {
            return Ok(None);
        }
        let _writing = self.inner.writing.lock().await;
        self.commit_alone(scope).await
    }

    /// [`Memory::commit`] for whoever holds the lock of the writers.
    async fn commit_alone(&self, scope: &Scope) -> Result<Option<Rc<Commit>>, Error> {
        for _ in 0..MAX_RACES {
            let made = {
                let log = self.log();
                crate::unit::follow(log.state(), scope, self.now().at);
                let mut records = scope.conflicts(log.state());
                // A plan from before an erasure may hold what was erased.
                if scope.since().is_some_and(|since| since < log.erased()) {
                    records.extend(log.state().erasures().last().map(|report| RecordId::Erasure(report.id)));
                }
                records.extend(crate::unit::overtaken(&log, scope));
                records.extend(crate::compaction::overtaken(&log, scope));
                if !records.is_empty() {
                    return Err(Error::Conflict { records });
                }
                let id = CommitId::new(self.next_id());
                scope.to_commit(log.state(), &self.inner.context, id, self.now().at)
            };
            let Some(made) = made else { return Ok(None) };
            crate::unit::lawful(&self.state(), &made)?;
            for revision in &made.revisions {
                if let Some(Record::Proposition(proposition)) = &revision.value {
                    proposition.validate()?;
                }
            }
            match self.inner.ports.journal().append(&made).await {
                Ok(()) => return self.accept(made, false).map(Some),
                Err(JournalError::Stale { .. }) => {
                    self.catch_up().await?;
                }
                Err(other) => return Err(other.into()),
            }
        }
        let (expected, found) = (self.state().seq(), self.state().seq() + 1);
        Err(JournalError::Stale { context: self.inner.context.clone(), expected, found }.into())
    }

    /// Reads what other writers have committed since; returns how many commits were new.
    pub async fn refresh(&self) -> Result<usize, Error> {
        let _writing = self.inner.writing.lock().await;
        self.catch_up().await
    }

    async fn catch_up(&self) -> Result<usize, Error> {
        let (journal, context) = (self.inner.ports.journal(), &self.inner.context);
        let ours = self.state().head();
        let commits = journal.read(context, ours.map_or(0, |head| head.seq)).await?;
        let below = match commits.first() {
            Some(first) => first.parent,
            None => journal.head(context).await?.map(|head| head.head),
        };
        // Wiped, replaced or rewritten by somebody else: what this memory holds is no beginning of what is stored.
        if below != ours.map(|head| head.id) || commits.iter().any(|commit| commit.cause.rewrites()) {
            self.reread(true).await?;
            return Ok(commits.len());
        }
        let count = commits.len();
        for commit in commits {
            self.accept(commit, true)?;
        }
        Ok(count)
    }

    fn accept(&self, commit: Commit, remote: bool) -> Result<Rc<Commit>, Error> {
        let commit = self.inner.log.borrow_mut().push(commit)?;
        self.inner.recaller.borrow_mut().apply(&commit);
        self.inner.known_names.borrow_mut().apply(&commit);
        self.inner.tier_cache.borrow_mut().apply(&commit);
        self.with_config(|config| self.inner.gauges.borrow_mut().apply(&commit, &config.unit.tier));
        self.inner.conflict_index.borrow_mut().apply(&commit);
        self.emit(&Event::Committed { commit: commit.clone(), remote });
        if !self.inner.events.is_silent() {
            let facts = crate::event::facts(&self.log(), &commit);
            facts.into_iter().for_each(|fact| self.emit(&Event::Fact { fact, remote }));
            self.tell_units(&commit, remote);
        }
        self.tell_upkeep(commit.at);
        Ok(commit)
    }

    /// Plans on the present and commits; plans anew when somebody else changed what the plan was decided on. For plans
    /// that need no await. Returns what `plan` returned and the commit, if anything changed.
    pub async fn change<T>(
        &self,
        info: ScopeInfo,
        mut plan: impl FnMut(&State, &Scope) -> Result<T, Error>,
    ) -> Result<(T, Option<Rc<Commit>>), Error> {
        let mut tries = 0;
        loop {
            let scope = self.scope(info.clone());
            let planned = plan(&self.state(), &scope)?;
            match self.commit(&scope).await {
                Err(Error::Conflict { .. }) if tries < MAX_RACES => tries += 1,
                outcome => return Ok((planned, outcome?)),
            }
        }
    }

    /// Opens a conversation. Its title may be blank: the first user turn then gives it one.
    pub async fn start_conversation(&self, title: &str) -> Result<ConversationId, Error> {
        let id = ConversationId::new(self.next_id());
        let title = title.trim().to_owned();
        let conversation = Conversation {
            id,
            title,
            imported_from: None,
            origin: Origin::Chat,
            mode: MemoryMode::default(),
            created: self.now().at,
        };
        let info = ScopeInfo::new(Cause::Conversation, Actor::Person, "conversation opened");
        self.change(info.with_id("conversation", id), |state, scope| {
            scope.put(state, conversation.clone(), "");
            Ok(())
        })
        .await?;
        Ok(id)
    }

    /// Keeps what somebody said, with credentials redacted first.
    pub async fn say(
        &self,
        conversation: ConversationId,
        speaker: Speaker,
        text: &str,
    ) -> Result<Turn, Error> {
        if text.trim().is_empty() {
            return Err(Error::Invalid { what: "text", problem: "a turn needs some words".into() });
        }
        let mut turn = self.new_turn(conversation, speaker, text);
        // A wish to forget is no fact, and what stands beside "don't remember this" is not to become one while the wish is carried out.
        let hears = self.with_config(|config| config.chat.forgets_on_request);
        turn.off_record =
            hears && turn.speaker == Speaker::User && embedded::forget_wish(&turn.text).is_some();
        let actor = if turn.speaker == Speaker::User { Actor::Person } else { Actor::Engine };
        self.keep_turn(turn, actor).await
    }

    pub(crate) fn new_turn(&self, conversation: ConversationId, speaker: Speaker, text: &str) -> Turn {
        Turn {
            id: TurnId::new(self.next_id()),
            conversation,
            index: 0,
            speaker,
            text: text::redact(text).text,
            at: self.now(),
            state: TurnState::Complete,
            use_record: None,
            metered: None,
            model: None,
            passage: None,
            compliance: None,
            alternatives: Vec::new(),
            chosen: 0,
            off_record: false,
        }
    }

    /// Commits a turn at the end of its conversation and returns it as it was stored.
    pub(crate) async fn keep_turn(&self, turn: Turn, actor: Actor) -> Result<Turn, Error> {
        self.keep_turn_while(turn, actor, || Ok(())).await
    }

    /// The same as long as something holds, which is asked of the state that the turn is planned on.
    pub(crate) async fn keep_turn_while(
        &self,
        turn: Turn,
        actor: Actor,
        holds: impl Fn() -> Result<(), Error>,
    ) -> Result<Turn, Error> {
        let id = turn.id;
        let info = ScopeInfo::new(Cause::Conversation, actor, "turn said")
            .with_id("conversation", turn.conversation)
            .with_id("turn", id);
        self.change(info, |state, scope| {
            holds()?;
            let Some(conversation) = state.conversation(turn.conversation) else {
                return Err(Error::NotFound { record: turn.conversation.to_string() });
            };
            if conversation.title.is_empty() && turn.speaker == Speaker::User {
                let title = text::excerpt(&turn.text, 60);
                scope.put(state, Conversation { title, ..conversation.clone() }, "titled by its first turn");
            }
            let index = state.next_turn_index(turn.conversation);
            let off_record = turn.off_record || !conversation.mode.learns();
            scope.put(state, Turn { index, off_record, ..turn.clone() }, "");
            Ok(())
        })
        .await?;
        self.state().turn(id).cloned().ok_or(Error::NotFound { record: id.to_string() })
    }
}

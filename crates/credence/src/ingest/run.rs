//! The run: a conversation or document is analysed to its end, window by window, each window one commit.
//!
//! - Resumable: results, bookmark and ledger entry of a window are one commit. Whoever closes the page in the middle goes on at the next
//!   window; what had come back from the model but was not committed is asked for again: one window, or `parallel` passages
//!   of a document.
//! - Paid once: turns whose content the ledger knows are passed by before anything is asked.
//! - Failures are told apart. A window that fails by itself (its reply stays unreadable, the endpoint refuses it) is put aside with its
//!   bounds and reason, and later windows go on. A general failure (network, key, quota, rate, store) stops the run and leaves the
//!   rest waiting. Three windows in a row that fail by themselves are a general failure too: such a model is not paid further.
//! - Put-aside windows are tried again by every run that somebody asks for, and by runs that start by themselves until the third try.
//!
//! Source: dice 3.5 (failure isolation, strategies), 3.7; facts 74 to 79.

use std::rc::Rc;

use futures::future::join_all;
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::conversation::{AnalysisFailure, Bookmark, FailedRange, NOT_REMEMBERED, mode_of};
use crate::error::Error;
use crate::event::Event;
use crate::extraction::{AnalysisOptions, AnalysisReport, Cost, OutcomeKind, Source, Window, pending_turns};
use crate::history::{Actor, Cause, Scope, ScopeInfo, State};
use crate::id::ConversationId;
use crate::ingest::LedgerEntry;
use crate::llm::{Cancel, ModelError};
use crate::memory::Memory;
use crate::ports::Ports;

/// Failures in a row, each the window's own, after which the run stops. Chosen by us.
const MOST_IN_A_ROW: u32 = 3;
/// Tries after which a put-aside window waits for a person. Chosen by us.
const MOST_TRIES: u32 = 3;

/// When a conversation is analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// Once `trigger_interval` new turns wait, and not while `memory.enabled` is off.
    WhenDue,
    /// As soon as one waits.
    Now,
}

/// How far an analysis has come, in turns of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Turns done by this call.
    pub done: u32,
    /// Turns that waited when it began.
    pub total: u32,
}

/// What waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// Turns behind the bookmark, and those of put-aside windows.
    pub turns: u32,
    /// Why they wait, when an analysis failed.
    pub failure: Option<AnalysisFailure>,
    /// Windows that failed by themselves.
    pub failed: Vec<FailedRange>,
    /// Why they are not read, when the conversation is not to be remembered.
    pub withheld: Option<&'static str>,
}

/// A conversation or document that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingSource {
    /// Which.
    pub conversation: ConversationId,
    /// Its title.
    pub title: String,
    /// What of it, and why.
    pub pending: Pending,
    /// Whether it is being analysed at this moment.
    pub is_running: bool,
}

/// What came of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunStats {
    /// Windows that were analysed and committed.
    pub windows: u32,
    /// Windows that failed.
    pub failed: u32,
    /// Turns that were passed by because their content was known.
    pub known_turns: u32,
    /// Statements stored as new.
    pub new: u32,
    /// Statements that joined the same statement.
    pub merged: u32,
    /// Statements that made a similar one surer.
    pub reinforced: u32,
    /// Statements that retired others.
    pub contradicted: u32,
    /// Statements that generalise others.
    pub generalized: u32,
    /// What was dropped.
    pub dropped: u32,
    /// Model calls.
    pub calls: u32,
}

impl RunStats {
    fn add(&mut self, report: &AnalysisReport) {
        let count = |kind| u32::try_from(report.count(kind)).unwrap_or(u32::MAX);
        self.windows += 1;
        self.new += count(OutcomeKind::New) + count(OutcomeKind::Disputed) + count(OutcomeKind::Outdated);
        self.merged += count(OutcomeKind::Merged);
        self.reinforced += count(OutcomeKind::Reinforced);
        self.contradicted += count(OutcomeKind::Contradicted);
        self.generalized += count(OutcomeKind::Generalized);
        self.dropped += u32::try_from(report.dropped.len()).unwrap_or(u32::MAX);
        self.calls += report.calls;
    }
}

/// A run under way.
#[derive(Default)]
struct Run {
    options: AnalysisOptions,
    reports: Vec<Rc<AnalysisReport>>,
    stats: RunStats,
    /// The first window's own failure: what the caller is told at the end.
    failure: Option<Error>,
    in_a_row: u32,
}

/// Takes a conversation out of those that are being analysed, also when the run's future is dropped in the middle.
struct Busy<'a, P: Ports>(&'a Memory<P>, ConversationId);

impl<P: Ports> Drop for Busy<'_, P> {
    fn drop(&mut self) {
        self.0.analysing().borrow_mut().remove(&self.1);
    }
}

/// Whether a failure says something about the window rather than about the endpoint, the account or the store.
pub(super) fn is_the_windows_own(error: &Error) -> bool {
    matches!(
        error,
        Error::Unreadable { .. } | Error::Model(ModelError::Refused { .. } | ModelError::Malformed { .. })
    )
}

impl<P: Ports> Memory<P> {
    /// What of a conversation waits to be analysed.
    pub fn pending(&self, conversation: ConversationId) -> Pending {
        let state = self.state();
        let failed = state.bookmark(conversation).map_or_else(Vec::new, |bookmark| bookmark.failed.clone());
        let own = failed.last().map(|range| AnalysisFailure {
            code: range.code.clone(),
            reason: range.reason.clone(),
            attempts: range.attempts,
            at: range.at,
        });
        let general = state.bookmark(conversation).and_then(|bookmark| bookmark.failure.clone());
        let withheld = (!mode_of(&state, conversation).learns()).then_some(NOT_REMEMBERED);
        Pending { turns: pending_turns(&state, conversation), failure: general.or(own), failed, withheld }
    }

    /// Every conversation and document that waits, oldest first, and why.
    pub fn pending_all(&self) -> Vec<PendingSource> {
        let sources: Vec<(ConversationId, String)> =
            self.state().conversations().map(|source| (source.id, source.title.clone())).collect();
        let waiting = sources.into_iter().map(|(conversation, title)| PendingSource {
            conversation,
            title,
            pending: self.pending(conversation),
            is_running: self.analysing().borrow().contains(&conversation),
        });
        waiting.filter(|source| source.pending.turns > 0).collect()
    }

    /// Analyses a conversation to its end, window by window, each one commit. Never blocks other use cases: call it beside
    /// an answer that streams.
    ///
    /// # Errors
    /// [`Error::Busy`] when it is being analysed already; [`Error::Cancelled`] between windows; a failure after its turns were
    /// left pending with the reason: at once when it is general, at the end when single windows failed. Windows that were
    /// committed stay. A conversation that is not remembered ([`Pending::withheld`]) is left alone.
    pub async fn analyse(
        &self,
        conversation: ConversationId,
        trigger: Trigger,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Rc<AnalysisReport>>, Error> {
        self.analyse_with(conversation, trigger, &AnalysisOptions::default(), cancel, on_progress).await
    }

    /// [`Memory::analyse`] with a perspective, known entities, template variables or examples of this call's own.
    ///
    /// # Errors
    /// Those of [`Memory::analyse`]; [`Error::Prompt`] with template and line when a replaced template asks for a variable
    /// that is not given.
    pub async fn analyse_with(
        &self,
        conversation: ConversationId,
        trigger: Trigger,
        options: &AnalysisOptions,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Rc<AnalysisReport>>, Error> {
        if trigger == Trigger::WhenDue && !self.with_config(|config| config.memory.enabled) {
            return Ok(Vec::new());
        }
        let pending = self.pending(conversation);
        if pending.withheld.is_some() {
            return Ok(Vec::new());
        }
        let due_again = |range: &&FailedRange| trigger == Trigger::Now || range.attempts < MOST_TRIES;
        let mut again: Vec<(u32, u32)> =
            pending.failed.iter().filter(due_again).map(|range| (range.from, range.to)).collect();
        again.extend(self.worded_anew(conversation));
        let due = match trigger {
            Trigger::Now => 1,
            Trigger::WhenDue => self.config().trigger_interval,
        };
        let waiting: u32 = pending.failed.iter().map(|range| range.to - range.from).sum();
        if again.is_empty() && pending.turns.saturating_sub(waiting) < due {
            return Ok(Vec::new());
        }
        let run = Run { options: options.clone(), ..Run::default() };
        self.guarded_run(conversation, &again, true, run, cancel, on_progress).await
    }

    /// Tries the put-aside windows of a conversation again, and nothing else.
    ///
    /// # Errors
    /// As [`Memory::analyse`].
    pub async fn retry_failed(
        &self,
        conversation: ConversationId,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Rc<AnalysisReport>>, Error> {
        let Pending { failed, withheld: None, .. } = self.pending(conversation) else {
            return Ok(Vec::new());
        };
        let again: Vec<(u32, u32)> = failed.iter().map(|range| (range.from, range.to)).collect();
        self.guarded_run(conversation, &again, false, Run::default(), cancel, on_progress).await
    }

    async fn guarded_run(
        &self,
        conversation: ConversationId,
        again: &[(u32, u32)],
        goes_on: bool,
        mut run: Run,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Vec<Rc<AnalysisReport>>, Error> {
        if !self.analysing().borrow_mut().insert(conversation) {
            return Err(Error::Busy);
        }
        let busy = Busy(self, conversation);
        let outcome = self.run(conversation, again, goes_on, cancel, on_progress, &mut run).await;
        drop(busy);
        self.emit(&Event::RunCompleted { conversation, stats: run.stats });
        outcome?;
        self.keep_up_after(cancel).await;
        run.failure.map_or(Ok(run.reports), Err)
    }

    async fn run(
        &self,
        conversation: ConversationId,
        again: &[(u32, u32)],
        goes_on: bool,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
        run: &mut Run,
    ) -> Result<(), Error> {
        let total = self.pending(conversation).turns;
        self.pass_by(conversation, run).await?;
        let config = self.config();
        let mut told = |memory: &Self| {
            let waiting = memory.pending(conversation).turns;
            on_progress(Progress { done: total.saturating_sub(waiting), total });
        };
        for bounds in again {
            let window = self.put_aside(conversation, *bounds, &config);
            self.read_windows(&window, cancel, run).await?;
            told(self);
        }
        if !goes_on {
            return Ok(());
        }
        loop {
            self.pass_by(conversation, run).await?;
            let windows = self.next_windows(conversation, &config);
            if windows.is_empty() {
                return Ok(());
            }
            self.read_windows(&windows, cancel, run).await?;
            told(self);
        }
    }

    /// Turns that wait to be read again by themselves, as windows.
    fn worded_anew(&self, conversation: ConversationId) -> Vec<(u32, u32)> {
        let state = self.state();
        let again = state.bookmark(conversation).into_iter().flat_map(|bookmark| &bookmark.again);
        again.map(|index| (*index, index.saturating_add(1))).collect()
    }

    /// A put-aside window as it was, or a turn that was worded anew, unless it was done meanwhile.
    fn put_aside(
        &self,
        conversation: ConversationId,
        (from, to): (u32, u32),
        config: &Config,
    ) -> Vec<Window> {
        let state = self.state();
        let still = state.bookmark(conversation).is_some_and(|b| b.is_open(from, to));
        let source = Source::of(&state, conversation, config).filter(|_| still);
        source.and_then(|source| source.window(from, to)).into_iter().collect()
    }

    /// The windows that are read next: one of a conversation, up to `parallel` of a document, no two with the same content.
    fn next_windows(&self, conversation: ConversationId, config: &Config) -> Vec<Window> {
        let state = self.state();
        let Some(source) = Source::of(&state, conversation, config) else { return Vec::new() };
        let width = if source.is_document() { config.ingest.parallel as usize } else { 1 };
        let mut from = state.bookmark(conversation).map_or(0, |bookmark| bookmark.analysed_until);
        let mut windows: Vec<Window> = Vec::new();
        while windows.len() < width
            && let Some(window) = source.window_from(from)
        {
            let is_known = window.key.is_some_and(|key| state.ledger_entry(key).is_some());
            if !windows.is_empty() && (is_known || windows.iter().any(|other| other.key == window.key)) {
                break;
            }
            from = window.to;
            windows.push(window);
        }
        windows
    }

    /// Moves the bookmark past turns whose content was analysed before, and clears put-aside windows that another source has
    /// brought in since. One commit, or none.
    async fn pass_by(&self, conversation: ConversationId, run: &mut Run) -> Result<(), Error> {
        let config = self.config();
        let info = ScopeInfo::new(
            Cause::Extraction,
            Actor::Engine,
            "passed by: the same content was analysed before",
        );
        let (passed, _) = self
            .change(info.with_id("conversation", conversation), |state, scope| {
                let Some(source) = Source::of(state, conversation, &config) else { return Ok(Vec::new()) };
                let is_known = |key| state.ledger_entry(key).is_some();
                let mut bookmark =
                    state.bookmark(conversation).cloned().unwrap_or_else(|| Bookmark::new(conversation));
                let mut passed = Vec::new();
                let failed = bookmark.failed.iter().map(|range| (range.from, range.to));
                let again = bookmark.again.iter().map(|index| (*index, index.saturating_add(1)));
                for (from, to) in failed.chain(again).collect::<Vec<_>>() {
                    let window = source.window(from, to);
                    if window.and_then(|window| window.key).is_some_and(is_known) {
                        bookmark = bookmark.done(from, to);
                        passed.push((from, to));
                    }
                }
                while let Some(until) = source.known_until(bookmark.analysed_until, is_known) {
                    passed.push((bookmark.analysed_until, until));
                    bookmark = bookmark.done(until, until);
                }
                if !passed.is_empty() {
                    scope.put(state, bookmark, "its content is in the ledger");
                }
                Ok(passed)
            })
            .await?;
        for (from, to) in passed {
            run.stats.known_turns += to - from;
            self.emit(&Event::AlreadyAnalysed { conversation, from, to });
        }
        Ok(())
    }

    /// Extracts windows side by side and lands them one after the other, in order.
    async fn read_windows(&self, windows: &[Window], cancel: &Cancel, run: &mut Run) -> Result<(), Error> {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        for Window { conversation, from, to, .. } in windows {
            self.emit(&Event::AnalysisStarted { conversation: *conversation, from: *from, to: *to });
        }
        let options = &run.options;
        let extract = |window| async move {
            let mut cost = Cost::default();
            let reading = self.read_window(window, options).await?;
            let found = self.extract(window, &reading, &mut cost, cancel).await;
            found.map(|found| (reading, found, cost))
        };
        let mut found = join_all(windows.iter().map(extract)).await.into_iter();
        let mut stopped = None;
        for window in windows {
            let Some(extracted) = found.next() else { break };
            let is_extracted = extracted.is_ok();
            let landed = match extracted {
                Ok((reading, mut found, cost)) => {
                    super::document::screen(window, &mut found.0);
                    let reason = format!("analysed turns {} to {}", window.from, window.to - 1);
                    let info = ScopeInfo::new(Cause::Extraction, Actor::Engine, reason)
                        .with_id("conversation", window.conversation);
                    self.land(window, &reading, found, cost, info, cancel).await
                }
                Err(error) => Err(error),
            };
            match landed {
                Ok(Some(report)) => {
                    self.emit(&Event::Analysed { report: report.clone() });
                    run.stats.add(&report);
                    run.reports.push(report.clone());
                    run.in_a_row = 0;
                    self.promote_window(&report).await?;
                }
                // Another tab was faster with these turns: look again.
                Ok(None) => {
                    self.refresh().await?;
                }
                Err(error) => {
                    let own = is_the_windows_own(&error);
                    // What was paid for behind it is not given up because of it.
                    let aside = own || (!is_extracted && found.as_slice().iter().any(Result::is_ok));
                    self.leave_pending(window, &error, aside).await?;
                    run.stats.failed += 1;
                    run.in_a_row += u32::from(own);
                    if own && run.in_a_row < MOST_IN_A_ROW {
                        run.failure.get_or_insert(error);
                    } else if aside {
                        stopped.get_or_insert(error);
                    } else {
                        return Err(error);
                    }
                }
            }
        }
        stopped.map_or(Ok(()), Err)
    }

    /// Keeps a failure on the bookmark: of this window alone, or of the whole run.
    async fn leave_pending(&self, window: &Window, error: &Error, aside: bool) -> Result<(), Error> {
        let conversation = window.conversation;
        if matches!(error, Error::Cancelled) && !aside {
            return Ok(());
        }
        let (code, reason, at) = (error.code().to_owned(), error.to_string(), self.now().at);
        let info = ScopeInfo::new(Cause::Extraction, Actor::Engine, "analysis failed; the turns wait")
            .with_id("conversation", conversation);
        self.change(info, |state, scope| {
            let known = state.bookmark(conversation).cloned();
            let known = known.unwrap_or_else(|| Bookmark::new(conversation));
            let attempts = known.failure.as_ref().map_or(0, |failure| failure.attempts) + 1;
            let failure = AnalysisFailure { code: code.clone(), reason: reason.clone(), attempts, at };
            let next = if aside {
                known.failing(window.from, window.to, failure)
            } else {
                Bookmark { failure: Some(failure), ..known }
            };
            scope.put(state, next, reason.clone());
            Ok(())
        })
        .await?;
        self.emit(&Event::AnalysisFailed { conversation, code, reason });
        Ok(())
    }
}

/// Plans what a landed window leaves behind it: the bookmark, the ledger entry, the report. One commit with its results.
pub(crate) fn settle(state: &State, scope: &Scope, window: &Window, report: &AnalysisReport) {
    let conversation = window.conversation;
    if !window.is_loose() {
        let known = state.bookmark(conversation).cloned().unwrap_or_else(|| Bookmark::new(conversation));
        scope.put(state, known.done(window.from, window.to), "");
    }
    if let Some(id) = window.key {
        let (from, to, analysis, at) = (window.from, window.to, report.id, report.at);
        scope.put(state, LedgerEntry { id, conversation, from, to, analysis, at }, "");
    }
    scope.put(state, report.clone(), "");
}

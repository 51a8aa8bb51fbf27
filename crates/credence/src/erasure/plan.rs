//! An erasure as one change of stored history: what becomes of every revision, commit, use record and vector. Pure but for the pauses that it makes;
//! the preview is the same plan. It is made on a snapshot, so that nothing moves under it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::pace::Pace;
use super::reach::{Past, Reach};
use super::redact::{Redacted, Redactor};
use super::report::{
    Cleaned, ErasurePreview, ErasureReport, ErasureTarget, Tombstone, TombstoneKind, TouchedStatement,
    TouchedTurn,
};
use super::words::{Cut, Place, Words};
use crate::conversation::{Conversation, Turn};
use crate::entity::EntitySource;
use crate::error::Error;
use crate::history::{
    Actor, Cause, Commit, ContentId, Log, Record, RecordId, RecordKind, Revision, SCHEMA_VERSION, Scope,
    ScopeInfo, State, UseRecord,
};
use crate::id::{ConversationId, ErasureId, PropositionId, TurnId};
use crate::memory::Rewriting;
use crate::ports::Clock;
use crate::proposition::Proposition;
use crate::resolution::UNNAMED_USER;
use crate::scale::Confidence;
use crate::text;
use crate::time::Timestamp;

/// What an erasure is called by.
#[derive(Debug, Clone)]
pub(super) struct Stamp {
    pub(super) id: ErasureId,
    pub(super) at: Timestamp,
    pub(super) salt: String,
}

/// A planned erasure.
pub(super) struct Planned {
    pub(super) preview: ErasurePreview,
    pub(super) report: ErasureReport,
    pub(super) rewriting: Rewriting,
}

/// Characters of a conversation's title, as the first user turn gives it.
const TITLE: usize = 60;

/// A log as it stood: sharing its records, so that taking it costs a pointer each.
pub(super) struct Snapshot {
    commits: Vec<Rc<Commit>>,
    state: State,
}

impl Snapshot {
    pub(super) fn of(log: &Log) -> Self {
        Self { commits: log.commits().to_vec(), state: log.state().clone() }
    }

    fn revisions(&self) -> impl Iterator<Item = &Rc<Revision>> {
        self.commits.iter().flat_map(|commit| &commit.revisions)
    }
}

/// Plans an erasure on a log and its use records.
///
/// # Errors
/// Those of [`Reach::of`], and [`Error::Cancelled`].
pub(super) async fn plan<C: Clock>(
    log: &Snapshot,
    uses: &[UseRecord],
    target: &ErasureTarget,
    stamp: &Stamp,
    pace: &mut Pace<'_, C>,
) -> Result<Planned, Error> {
    let past = Past::of(log.revisions());
    // What stays is read once for its words and its wordings once more for vectors; each revision is decided on, and then cleaned.
    let wordings = past.statements.values().map(Vec::len).sum::<usize>();
    let revisions = log.revisions().count();
    pace.begin(past.statements.len() + wordings + past.turns.len() + 2 * revisions + uses.len());
    past.read(target, pace).await?;
    let mut reach = Reach::of(&past, target, pace).await?;
    let mut notes = Vec::new();
    let words = loop {
        notes.clear();
        let words = words_of(&past, &reach, &mut notes, pace).await?;
        // What was abstracted from it among others goes too where it still says it.
        let says = |p: &&Proposition| {
            !reach.statements.contains(&p.id)
                && p.source_ids.iter().any(|id| reach.statements.contains(id))
                && words.cut(&p.text, Place::Derived).is_some()
        };
        let above: Vec<PropositionId> = past.last().filter(says).map(|p| p.id).collect();
        if above.is_empty() {
            break words;
        }
        reach.add(&past, above, pace).await?;
    };
    let gone = reach.ids();
    let mut work = Work {
        past: &past,
        reach: &reach,
        redactor: Redactor::new(&words, &gone),
        cuts: BTreeMap::new(),
        destroyed: BTreeSet::new(),
        shares: BTreeMap::new(),
        redacted: BTreeSet::new(),
    };
    work.cut_turns(pace).await?;
    work.decide(log, pace).await?;
    let mut commits = Vec::new();
    for commit in &log.commits {
        commits.extend(work.commit(commit, pace).await?);
    }
    let mut changed_uses = Vec::new();
    for record in uses {
        pace.step().await?;
        match work.redactor.redact(record, Place::Derived) {
            Redacted::Changed(rest) => changed_uses.push(rest),
            Redacted::Untouched => {}
            Redacted::Unreadable => changed_uses.push(bare(record)),
        }
    }
    let dropped_vectors = work.vectors(pace).await?;
    let cleaned = work.cleaned(changed_uses.len(), dropped_vectors.len());
    let report = ErasureReport {
        id: stamp.id,
        at: stamp.at,
        target: target.clone(),
        cleaned: cleaned.clone(),
        records: work.destroyed.iter().copied().collect(),
        commits: commits.iter().map(|commit| commit.seq).collect(),
        salt: stamp.salt.clone(),
        tombstones: work.tombstones(&stamp.salt),
        lifted: false,
    };
    let preview = work.preview(&log.state, target, cleaned, notes);
    pace.end().await?;
    let info =
        ScopeInfo::new(Cause::Erasure, Actor::Person, "forgotten for ever").with_id("erasure", stamp.id);
    let scope = Scope::new(info);
    scope.put(&log.state, report.clone(), "");
    let rewriting =
        Rewriting { scope, commits, uses: changed_uses, dropped_uses: Vec::new(), dropped_vectors };
    Ok(Planned { preview, report, rewriting })
}

/// A use record of which only the ids are left.
pub(super) fn bare(record: &UseRecord) -> UseRecord {
    let mut rest = UseRecord {
        query: super::FORGOTTEN.into(),
        withheld: Vec::new(),
        assembly: None,
        execution: None,
        ..record.clone()
    };
    rest.items.iter_mut().for_each(|item| item.why.clear());
    rest.left_out.clear();
    rest
}

async fn words_of<C: Clock>(
    past: &Past<'_>,
    reach: &Reach,
    notes: &mut Vec<String>,
    pace: &mut Pace<'_, C>,
) -> Result<Words, Error> {
    let users = past.entities.values().flatten().filter(|entity| entity.is_user);
    let mut words = Words::new(users.flat_map(|entity| entity.names()).chain([UNNAMED_USER]));
    for statement in reach.statements.iter().filter_map(|id| past.statements.get(id)).flatten() {
        pace.rest().await?;
        words.erase_statement(statement);
        let kept = statement.grounding.iter().filter(|turn| !reach.turns.contains(*turn));
        let said: Vec<(TurnId, &str)> = kept
            .flat_map(|turn| past.turns.get(turn).into_iter().flatten())
            .flat_map(|turn| said_by(turn).map(|said| (turn.id, said)))
            .collect();
        words.erase_evidence(&statement.text, &said);
    }
    for turn in reach.turns.iter().filter_map(|id| past.turns.get(id)).flatten() {
        pace.rest().await?;
        said_by(turn).for_each(|said| words.erase_turn(said));
    }
    let others: BTreeSet<String> = past
        .entities
        .iter()
        .filter(|(id, _)| !reach.entities.contains(id))
        .filter_map(|(_, forms)| forms.last())
        .flat_map(|entity| entity.names().map(text::name_form))
        .collect();
    for name in names_of(past, reach) {
        if others.contains(&text::name_form(name)) {
            let note = format!(
                "somebody or something else is called “{name}” too, so the name stays where it stands"
            );
            if !notes.contains(&note) {
                notes.push(note);
            }
        } else {
            words.erase_name(name);
        }
    }
    for stays in past.last() {
        pace.step().await?;
        if !reach.statements.contains(&stays.id) {
            words.keep(std::iter::once(stays.text.as_str()));
        }
    }
    let named = past.entities.iter().filter(|(id, _)| !reach.entities.contains(id));
    for name in named.filter_map(|(_, forms)| forms.last()).flat_map(|entity| entity.names()) {
        pace.rest().await?;
        words.keep(std::iter::once(name));
    }
    Ok(words)
}

/// Everything that a turn says or could say instead.
fn said_by(turn: &Turn) -> impl Iterator<Item = &str> {
    std::iter::once(turn.text.as_str()).chain(turn.alternatives.iter().map(|wording| wording.text.as_str()))
}

/// Every name that the erased entities ever had.
fn names_of<'a>(past: &'a Past<'_>, reach: &'a Reach) -> impl Iterator<Item = &'a str> {
    let entities = reach.named.iter().filter_map(|id| past.entities.get(id)).flatten();
    entities.flat_map(|entity| entity.names())
}

/// How a statement that stays came by its confidence, as far as erased witnesses brought it.
#[derive(Debug, Clone, Default)]
struct Share {
    seen: BTreeSet<TurnId>,
    confidence: f64,
    lost: f64,
    witnesses: u32,
    is_known: bool,
}

struct Work<'a> {
    past: &'a Past<'a>,
    reach: &'a Reach,
    redactor: Redactor<'a>,
    /// What every wording of a turn that stays loses.
    cuts: BTreeMap<TurnId, Vec<Cut>>,
    destroyed: BTreeSet<RecordId>,
    shares: BTreeMap<PropositionId, Share>,
    redacted: BTreeSet<RecordId>,
}

impl Work<'_> {
    async fn cut_turns<C: Clock>(&mut self, pace: &mut Pace<'_, C>) -> Result<(), Error> {
        for (id, wordings) in &self.past.turns {
            pace.step().await?;
            if self.reach.turns.contains(id) {
                continue;
            }
            let words = self.redactor.words;
            let said: BTreeSet<&str> = wordings.iter().flat_map(|turn| said_by(turn)).collect();
            let cuts: Vec<Cut> =
                said.into_iter().filter_map(|said| words.cut(said, Place::Turn(*id))).collect();
            if !cuts.is_empty() {
                self.cuts.insert(*id, cuts);
            }
        }
        Ok(())
    }

    /// Of which records nothing may be left.
    async fn decide<C: Clock>(&mut self, log: &Snapshot, pace: &mut Pace<'_, C>) -> Result<(), Error> {
        for id in &self.reach.statements {
            self.destroyed.extend([RecordId::Proposition(*id), RecordId::Unit(*id)]);
        }
        self.destroyed.extend(self.reach.entities.iter().map(|id| RecordId::Entity(*id)));
        self.destroyed.extend(self.reach.turns.iter().map(|id| RecordId::Turn(*id)));
        for id in &self.reach.conversations {
            self.destroyed.extend([RecordId::Conversation(*id), RecordId::Bookmark(*id)]);
        }
        for revision in log.revisions() {
            pace.step().await?;
            if let Some(record) = &revision.value
                && self.goes(record)
            {
                self.destroyed.insert(revision.record);
            }
        }
        let stored: BTreeSet<RecordId> = log
            .revisions()
            .filter(|revision| revision.value.is_some())
            .map(|revision| revision.record)
            .collect();
        self.destroyed.retain(|record| stored.contains(record));
        Ok(())
    }

    fn goes(&self, record: &Record) -> bool {
        let is_of = |id: &ConversationId| self.reach.conversations.contains(id);
        let says = |said: &str| self.redactor.text(said, Place::Derived).is_some();
        match record {
            Record::Analysis(report) => is_of(&report.conversation),
            Record::Ledger(entry) => is_of(&entry.conversation),
            Record::EntityReport(report) => {
                matches!(&report.source, EntitySource::Conversation { id } if is_of(id))
            }
            Record::Summary(summary) => {
                let covers = |turn: &Turn| {
                    turn.conversation == summary.conversation
                        && (summary.from..summary.to).contains(&turn.index)
                };
                let touched = self.reach.turns.iter().chain(self.cuts.keys());
                is_of(&summary.conversation)
                    || summary.protected.iter().any(|id| self.reach.statements.contains(id))
                    || touched.filter_map(|id| self.past.turns.get(id)).flatten().any(|turn| covers(turn))
                    || says(&summary.text)
            }
            Record::Inbox(item) => {
                let own = item.proposition.as_deref().is_some_and(|p| {
                    let heard = p.grounding.iter().filter(|turn| !self.reach.turns.contains(turn)).count();
                    self.reach.statements.contains(&p.id)
                        || (item.held.is_some() && heard == 0 && !p.grounding.is_empty())
                        || says(&p.text)
                });
                own || item.source.as_ref().is_some_and(is_of) || says(&item.question)
            }
            _ => false,
        }
    }

    async fn commit<C: Clock>(
        &mut self,
        commit: &Commit,
        pace: &mut Pace<'_, C>,
    ) -> Result<Option<Commit>, Error> {
        let mut revisions: Vec<Rc<Revision>> = Vec::with_capacity(commit.revisions.len());
        for revision in &commit.revisions {
            pace.step().await?;
            let left = self.revision(revision, commit.cause);
            revisions.push(left.map_or_else(|| revision.clone(), Rc::new));
        }
        let reason = self.redactor.text(&commit.reason, Place::Derived);
        let mut ids = commit.ids.clone();
        ids.values_mut().for_each(|id| {
            if let Some(rest) = self.redactor.text(id, Place::Derived) {
                *id = rest;
            }
        });
        let is_same = revisions.iter().zip(&commit.revisions).all(|(new, old)| Rc::ptr_eq(new, old));
        if is_same && reason.is_none() && ids == commit.ids {
            return Ok(None);
        }
        let reason = reason.unwrap_or_else(|| commit.reason.clone());
        Ok(Some(Commit { schema: SCHEMA_VERSION, revisions, reason, ids, ..commit.clone() }))
    }

    /// The revision without what goes; `None` where it stays as it is.
    fn revision(&mut self, revision: &Revision, cause: Cause) -> Option<Revision> {
        let erased = |value: Option<Record>, why: String| Revision {
            content_id: ContentId::of(value.as_ref()),
            erased: true,
            value,
            why,
            ..revision.clone()
        };
        if self.destroyed.contains(&revision.record) {
            let is_bare = revision.value.is_none() && revision.why.is_empty();
            return (!is_bare).then(|| erased(None, String::new()));
        }
        let why = self.redactor.text(&revision.why, Place::Derived);
        let value = match &revision.value {
            None | Some(Record::Erasure(_)) => Redacted::Untouched,
            Some(Record::Proposition(p)) => self.statement(p, cause),
            Some(Record::Turn(turn)) => self.turn(turn),
            Some(Record::Conversation(conversation)) => self.conversation(conversation),
            Some(other) => self.redactor.redact(other, Place::Derived),
        };
        let old = || revision.why.clone();
        let changed = match (value, why) {
            (Redacted::Untouched, None) => return None,
            (Redacted::Untouched, Some(why)) => Revision { why, ..revision.clone() },
            (Redacted::Changed(value), why) => erased(Some(value), why.unwrap_or_else(old)),
            (Redacted::Unreadable, _) => {
                self.destroyed.insert(revision.record);
                return Some(erased(None, String::new()));
            }
        };
        self.redacted.insert(revision.record);
        Some(changed)
    }

    /// A statement that stays: without the evidence that goes and its share, without the names.
    fn statement(&mut self, old: &Proposition, cause: Cause) -> Redacted<Record> {
        let redacted = self.redactor.redact(old, Place::Derived);
        let mut p = match redacted {
            Redacted::Untouched => old.clone(),
            Redacted::Changed(p) => p,
            Redacted::Unreadable => return Redacted::Unreadable,
        };
        // What it says is its own, on evidence of its own; only names go from it.
        let words = self.redactor.words;
        p.text = words.without_names(&old.text).unwrap_or_else(|| old.text.clone());
        for mention in &mut p.mentions {
            if let Some(own) =
                old.mentions.iter().find(|m| m.entity == mention.entity && m.role == mention.role)
            {
                mention.span = words.without_names(&own.span).unwrap_or_else(|| own.span.clone());
            }
        }
        self.reach.take_evidence(&mut p);
        for entry in &mut p.provenance {
            let turn = entry.chunk_id.as_deref().and_then(|chunk| chunk.parse::<TurnId>().ok());
            let said = turn.and_then(|turn| self.past.turns.get(&turn)?.last().map(|said| (turn, said)));
            if let Some((turn, said)) = said
                && let Some(left) = self.redactor.text(&said.text, Place::Turn(turn))
            {
                entry.content_hash = Some(ContentId::of_text(&left).to_string());
            }
        }
        let share = self.shares.entry(p.id).or_default();
        share.follow(old, &self.reach.turns, cause);
        if share.lost > 0.0 {
            p.confidence = Confidence::clamped(old.confidence.get() - share.lost);
        }
        p.reinforce_count = p.reinforce_count.saturating_sub(share.witnesses);
        if p == *old { Redacted::Untouched } else { Redacted::Changed(p.into()) }
    }

    fn turn(&self, old: &Turn) -> Redacted<Record> {
        let mut frame = Turn { text: String::new(), ..old.clone() };
        frame.alternatives.iter_mut().for_each(|wording| wording.text.clear());
        let mut turn = match self.redactor.redact(&frame, Place::Derived) {
            Redacted::Untouched => frame,
            Redacted::Changed(turn) => turn,
            Redacted::Unreadable => return Redacted::Unreadable,
        };
        let left =
            |said: &str| self.redactor.text(said, Place::Turn(old.id)).unwrap_or_else(|| said.to_owned());
        turn.text = left(&old.text);
        for (wording, old) in turn.alternatives.iter_mut().zip(&old.alternatives) {
            wording.text = left(&old.text);
        }
        if turn == *old { Redacted::Untouched } else { Redacted::Changed(turn.into()) }
    }

    /// A title that a turn gave goes with what goes from that turn.
    fn conversation(&self, old: &Conversation) -> Redacted<Record> {
        let gave =
            |turn: &&&Turn| turn.conversation == old.id && text::excerpt(&turn.text, TITLE) == old.title;
        let touched =
            self.reach.turns.iter().chain(self.cuts.keys()).filter_map(|id| self.past.turns.get(id));
        if let Some(turn) = touched.flatten().find(gave) {
            let cut = self.redactor.text(&turn.text, Place::Turn(turn.id));
            let title = match self.reach.turns.contains(&turn.id) {
                true => super::FORGOTTEN.to_owned(),
                false => text::excerpt(cut.as_deref().unwrap_or(&turn.text), TITLE),
            };
            return Redacted::Changed(Conversation { title, ..old.clone() }.into());
        }
        match self.redactor.redact(old, Place::Derived) {
            Redacted::Untouched => Redacted::Untouched,
            Redacted::Changed(conversation) => Redacted::Changed(conversation.into()),
            Redacted::Unreadable => Redacted::Unreadable,
        }
    }

    /// Every wording that was ever embedded and says what goes, unless a statement that stays is worded so.
    async fn vectors<C: Clock>(&self, pace: &mut Pace<'_, C>) -> Result<Vec<ContentId>, Error> {
        let (mut gone, mut kept) = (BTreeSet::new(), BTreeSet::new());
        for (id, wordings) in &self.past.statements {
            for p in wordings {
                pace.step().await?;
                let goes = self.reach.statements.contains(id)
                    || self.redactor.words.without_names(&p.text).is_some();
                if goes {
                    gone.insert(p.text.as_str())
                } else {
                    kept.insert(p.text.as_str())
                };
            }
        }
        Ok(gone.difference(&kept).map(|text| ContentId::of_text(text)).collect())
    }

    fn tombstones(&self, salt: &str) -> Vec<Tombstone> {
        let mut all = BTreeSet::new();
        for p in self.reach.statements.iter().filter_map(|id| self.past.statements.get(id)).flatten() {
            all.insert(Tombstone::of(TombstoneKind::Statement, salt, &text::canonical(&p.text)));
        }
        for name in names_of(self.past, self.reach) {
            all.insert(Tombstone::of(TombstoneKind::Name, salt, &text::name_form(name)));
        }
        let turns = self.reach.turns.iter().filter_map(|id| self.past.turns.get(id)).flatten();
        let whole = turns.clone().chain(self.cuts.keys().filter_map(|id| self.past.turns.get(id)).flatten());
        let whole: BTreeSet<String> = whole.flat_map(|turn| said_by(turn)).map(text::canonical).collect();
        let said = turns.flat_map(|turn| said_by(turn)).flat_map(text::sentences).map(text::canonical);
        let cut = self.cuts.values().flatten().flat_map(|cut| &cut.sentences).map(|s| text::canonical(s));
        all.extend(said.chain(cut).chain(whole).map(|form| Tombstone::of(TombstoneKind::Text, salt, &form)));
        all.into_iter().collect()
    }

    fn cleaned(&self, uses: usize, vectors: usize) -> Cleaned {
        let count = |records: &BTreeSet<RecordId>| {
            let mut counts: BTreeMap<String, u32> = BTreeMap::new();
            for record in records {
                *counts.entry(in_words(record.kind()).to_owned()).or_default() += 1;
            }
            counts
        };
        let mut cleaned = Cleaned { destroyed: count(&self.destroyed), redacted: BTreeMap::new() };
        cleaned.redacted = count(&self.redacted.difference(&self.destroyed).copied().collect());
        let add = |counts: &mut BTreeMap<String, u32>, place: &str, n: usize| {
            if n > 0 {
                counts.insert(place.to_owned(), u32::try_from(n).unwrap_or(u32::MAX));
            }
        };
        add(&mut cleaned.redacted, "use-records", uses);
        add(&mut cleaned.destroyed, "vectors", vectors);
        cleaned
    }

    fn preview(
        &self,
        state: &State,
        target: &ErasureTarget,
        cleaned: Cleaned,
        notes: Vec<String>,
    ) -> ErasurePreview {
        let is_canon = |id: &PropositionId| state.unit(*id).is_some_and(|unit| unit.canon().is_some());
        let mut statements = Vec::new();
        for p in self.past.last() {
            let goes = self.reach.statements.contains(&p.id);
            let bears = self.redacted.contains(&RecordId::Proposition(p.id));
            if !goes && !bears {
                continue;
            }
            let mut rest = p.clone();
            let lost = self.reach.take_evidence(&mut rest);
            let after = self.redactor.words.without_names(&p.text);
            let why = match (goes, lost, &after) {
                (true, ..) => "nothing of it is left",
                (false, _, Some(_)) => "it is about others too: it stays without the name",
                (false, 1.., None) => "it rests on something else too: it stays without this evidence",
                (false, 0, None) => "it stays; what is noted with it loses words",
            };
            statements.push(TouchedStatement {
                id: p.id,
                text: p.text.clone(),
                after: (!goes).then(|| after.unwrap_or_else(|| p.text.clone())),
                is_kept_dear: p.pinned || is_canon(&p.id),
                why: why.to_owned(),
            });
        }
        statements.sort_by_key(|statement| (statement.after.is_some(), statement.id));
        let whole = self.reach.turns.iter().filter_map(|id| self.past.turns.get(id)?.last().copied());
        let whole = whole.map(|turn| TouchedTurn {
            id: turn.id,
            conversation: turn.conversation,
            cut: text::sentences(&turn.text).into_iter().map(str::to_owned).collect(),
            after: None,
        });
        let cut = self.cuts.iter().filter_map(|(id, cuts)| {
            let turn = self.past.turns.get(id)?.last()?;
            let mut sentences: Vec<String> = Vec::new();
            for sentence in cuts.iter().flat_map(|cut| &cut.sentences) {
                if !sentences.contains(sentence) {
                    sentences.push(sentence.clone());
                }
            }
            let after = self.redactor.text(&turn.text, Place::Turn(*id)).unwrap_or_else(|| turn.text.clone());
            Some(TouchedTurn { id: *id, conversation: turn.conversation, cut: sentences, after: Some(after) })
        });
        let mut turns: Vec<TouchedTurn> = whole.chain(cut).collect();
        turns.sort_by_key(|turn| turn.id);
        let name = |id| Some((id, self.past.entities.get(&id)?.last()?.name.clone()));
        let title = |id| Some((id, state.conversation(id).map(|c| c.title.clone()).unwrap_or_default()));
        ErasurePreview {
            target: target.clone(),
            statements,
            entities: self.reach.entities.iter().copied().filter_map(name).collect(),
            sources: self.reach.conversations.iter().copied().filter_map(title).collect(),
            turns,
            cleaned,
            notes,
        }
    }
}

impl Share {
    /// Goes on by one revision: what its erased witnesses raised is theirs, until a person sets the confidence.
    fn follow(&mut self, p: &Proposition, gone: &BTreeSet<TurnId>, cause: Cause) {
        let came = p.grounding.iter().filter(|turn| gone.contains(turn) && !self.seen.contains(turn)).count();
        let rise = p.confidence.get() - self.confidence;
        if self.is_known && cause == Cause::Manual && rise != 0.0 {
            self.lost = 0.0;
        } else if self.is_known && came > 0 {
            self.lost += rise.max(0.0);
            self.witnesses += 1;
        }
        self.seen.extend(&p.grounding);
        self.confidence = p.confidence.get();
        self.is_known = true;
    }
}

/// The kind of place, as reports name it.
fn in_words(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Proposition => "statements",
        RecordKind::Entity => "entities",
        RecordKind::Conversation => "conversations",
        RecordKind::Turn => "turns",
        RecordKind::Bookmark => "bookmarks",
        RecordKind::Analysis => "analyses",
        RecordKind::Inbox => "questions",
        RecordKind::Ledger => "ledger-entries",
        RecordKind::Run => "tidyings",
        RecordKind::EntityReport => "entity-runs",
        RecordKind::Unit => "units",
        RecordKind::Promotion => "promotions",
        RecordKind::Summary => "summaries",
        RecordKind::Sweep => "sweeps",
        RecordKind::Erasure => "erasures",
    }
}

//! Windows: which turns of a conversation an analysis reads next, and what evidence they are.
//!
//! A window of a conversation has at most `window_size` turns: up to `overlap` turns that were analysed before, as context, and then
//! new ones (dice 3.7). A window of a document is one passage, with the end of the passage before it as context (dice 3.8 repeats
//! that end inside the passage; as context it is read for understanding and never taken for a second saying). Whatever the
//! sizes, every turn is new in exactly one window.

use std::collections::BTreeSet;

use super::candidate::WindowTurn;
use crate::config::Config;
use crate::conversation::{Bookmark, Conversation, Origin, Passage, Speaker, Turn};
use crate::history::{ContentId, State};
use crate::id::{ConversationId, LedgerId, RevisionId, TurnId};
use crate::ingest::{Fingerprint, tail};
use crate::proposition::{Locator, ProvenanceEntry, Voice};
use crate::resolution::UNNAMED_USER;
use crate::time::Timestamp;

/// Most turns that a window can have, as the settings bound it: how far ahead the ledger is asked.
const MOST_TURNS: usize = 200;

/// A window: the turns, and where the new ones begin.
#[derive(Debug, Clone)]
pub struct Window {
    /// The conversation.
    pub conversation: ConversationId,
    /// Index of the first new turn.
    pub from: u32,
    /// One past the index of the last turn.
    pub to: u32,
    /// The turns as extractors see them.
    pub turns: Vec<WindowTurn>,
    /// Their ids, in the same order.
    pub ids: Vec<TurnId>,
    /// Their moments, in the same order.
    pub moments: Vec<crate::time::Moment>,
    /// The last revision of the memory that it was read from.
    pub seen: RevisionId,
    /// For a document or a transcript without dates, when it was taken in: what it says is as old as anything.
    undated: Option<Timestamp>,
    /// What the ledger knows it by; `None` for a statement outside any conversation.
    pub key: Option<LedgerId>,
    /// What it is evidence of, when it is a passage of a document.
    document: Option<Evidence>,
    /// Where each turn was read, when another program had kept them.
    sources: Vec<ProvenanceEntry>,
}

/// Where a document's statements come from.
#[derive(Debug, Clone)]
struct Evidence {
    entry: ProvenanceEntry,
    also: Vec<TurnId>,
}

impl Window {
    /// A statement that somebody makes outside any conversation.
    pub fn loose(text: &str, user: &str, now: crate::time::Moment) -> Self {
        let turn = WindowTurn {
            speaker: user.to_owned(),
            is_user: true,
            is_assistant: false,
            text: text.to_owned(),
            date: now.date_text(),
            context_only: false,
        };
        let conversation = ConversationId::new(uuid::Uuid::nil());
        Self {
            conversation,
            from: 0,
            to: 1,
            turns: vec![turn],
            ids: Vec::new(),
            moments: vec![now],
            seen: RevisionId(0),
            undated: None,
            key: None,
            document: None,
            sources: Vec::new(),
        }
    }
    /// Statements that another program had kept, each with its moment and its source. `is_document`: nobody known says them.
    pub(crate) fn imported(
        statements: Vec<(WindowTurn, crate::time::Moment, ProvenanceEntry)>,
        is_document: bool,
    ) -> Self {
        let mut window = Self::loose("", "", crate::time::Moment::default());
        (window.turns, window.moments, window.to) = (Vec::new(), Vec::new(), statements.len() as u32);
        for (turn, moment, source) in statements {
            if is_document && window.document.is_none() {
                window.document = Some(Evidence { entry: source.clone(), also: Vec::new() });
            }
            window.turns.push(turn);
            window.moments.push(moment);
            window.sources.push(source);
        }
        window
    }
    /// A statement that the assistant makes outside its answers.
    pub(crate) fn of_assistant(text: &str, now: crate::time::Moment) -> Self {
        let mut window = Self::loose(text, "Assistant", now);
        for turn in &mut window.turns {
            (turn.is_user, turn.is_assistant) = (false, true);
        }
        window
    }
    /// Whether it stands outside any conversation.
    pub fn is_loose(&self) -> bool {
        self.conversation.uuid().is_nil()
    }
    /// Whether it is a passage of a document: nobody known speaks in it.
    pub fn is_document(&self) -> bool {
        self.document.is_some()
    }
    /// Whether anybody but the assistant says anything new in it: otherwise no model needs to read it.
    pub fn is_readable(&self) -> bool {
        self.turns.iter().any(|turn| !turn.context_only && !turn.is_assistant)
    }
    /// Whether a turn of it, by position, was said before an instant, or nobody knows when.
    pub(crate) fn is_older(&self, turn: usize, than: Timestamp) -> bool {
        self.moments.get(turn).is_some_and(|moment| {
            moment.at < than || self.undated.is_some_and(|taken_in| moment.at <= taken_in)
        })
    }
    /// Whose voice a turn is.
    pub fn voice(&self, turn: usize) -> Voice {
        match self.turns.get(turn) {
            _ if self.is_document() => Voice::Document,
            Some(turn) if turn.is_assistant => Voice::Assistant,
            Some(turn) if !turn.is_user => Voice::Other,
            _ => Voice::User,
        }
    }
    /// The turns that a statement rests on which cites these positions.
    pub fn grounding(&self, cited: &[usize]) -> Vec<TurnId> {
        let own = cited.iter().filter(|n| !self.is_document() || self.is_new(**n));
        let also = self.document.iter().flat_map(|document| &document.also);
        let mut seen = BTreeSet::new();
        let all = own.filter_map(|n| self.ids.get(*n)).chain(also);
        all.filter(|id| seen.insert(**id)).copied().collect()
    }
    /// Where a turn can be looked up.
    pub fn provenance(&self, turn: usize) -> Option<ProvenanceEntry> {
        let read = self.turns.get(turn)?;
        if let Some(source) = self.sources.get(turn) {
            return Some(source.clone());
        }
        if let Some(document) = &self.document {
            return self.is_new(turn).then(|| document.entry.clone());
        }
        let hash = ContentId::of_text(&read.text).to_string();
        let Some(id) = self.ids.get(turn) else {
            let display = if read.is_assistant { "proposed by the assistant" } else { "remembered by hand" };
            return Some(ProvenanceEntry::at(Locator::content(&hash, Some(display)).ok()?));
        };
        let locator = Locator::connector("conversation", &self.conversation.to_string(), None).ok()?;
        Some(ProvenanceEntry::at(locator).in_chunk(id.to_string(), Some(hash)))
    }
    /// Whether its new turns still say what was read.
    fn says_what_is_stored(&self, state: &State) -> bool {
        let read = self.turns.iter().zip(&self.ids).filter(|(turn, _)| !turn.context_only);
        read.into_iter().all(|(read, id)| state.turn(*id).is_some_and(|turn| turn.text == read.text))
    }
    fn is_new(&self, turn: usize) -> bool {
        self.turns.get(turn).is_some_and(|turn| !turn.context_only)
    }
}

/// The name that statements use for the user.
pub fn user_name(state: &State, config: &Config) -> String {
    let known = state.user().map(|user| user.name.clone()).filter(|name| name != UNNAMED_USER);
    known.or_else(|| config.user_name.clone()).unwrap_or_else(|| UNNAMED_USER.to_owned())
}

/// How many turns wait, those off the record left out: those behind the bookmark, those of windows that failed, and those that were worded anew.
pub fn pending_turns(state: &State, conversation: ConversationId) -> u32 {
    let bookmark = state.bookmark(conversation);
    let waits = |turn: &&Turn| !turn.off_record && bookmark.is_none_or(|bookmark| bookmark.waits(turn.index));
    let waiting = state.turns(conversation).filter(waits).count();
    u32::try_from(waiting).unwrap_or(u32::MAX)
}

/// The next window of a conversation, or `None` when nothing is new.
pub fn next_window(state: &State, conversation: ConversationId, config: &Config) -> Option<Window> {
    let done = state.bookmark(conversation).map_or(0, |b| b.analysed_until);
    Source::of(state, conversation, config)?.window_from(done)
}

/// A conversation as windows are cut from it. Stored or not yet stored: what an import would cost is known before it is made.
pub(crate) struct Source<'a> {
    conversation: &'a Conversation,
    turns: Vec<&'a Turn>,
    user: String,
    config: &'a Config,
    seen: RevisionId,
}

impl<'a> Source<'a> {
    pub(crate) fn of(state: &'a State, conversation: ConversationId, config: &'a Config) -> Option<Self> {
        let turns = state.turns(conversation).collect();
        let user = user_name(state, config);
        let seen = state.last_revision();
        Some(Self { conversation: state.conversation(conversation)?, turns, user, config, seen })
    }
    /// Of a conversation that is not stored. Its turns are in order of index.
    pub(crate) fn planned(
        conversation: &'a Conversation,
        turns: &'a [Turn],
        user: String,
        config: &'a Config,
    ) -> Self {
        Self { conversation, turns: turns.iter().collect(), user, config, seen: RevisionId(0) }
    }

    /// Whether it is a document, whose windows do not depend on one another.
    pub(crate) fn is_document(&self) -> bool {
        self.conversation.origin.is_document()
    }

    /// Its turns.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.turns.len()).unwrap_or(u32::MAX)
    }

    fn place(&self, index: u32) -> usize {
        self.turns.partition_point(|turn| turn.index < index)
    }

    /// The window whose first new turn is the first at or behind `from`; `None` when there is none.
    pub(crate) fn window_from(&self, from: u32) -> Option<Window> {
        let first = self.place(from);
        let room = if self.is_document() {
            1
        } else {
            (self.config.window_size as usize).saturating_sub(first.min(self.config.overlap as usize)).max(1)
        };
        let last = self.turns.get(first..)?.iter().take(room).next_back()?;
        self.window(self.turns[first].index, last.index + 1)
    }

    /// The window with exactly these bounds; `None` when no turn lies between them.
    pub(crate) fn window(&self, from: u32, to: u32) -> Option<Window> {
        let (first, end) = (self.place(from), self.place(to));
        let fresh = self.turns.get(first..end).filter(|turns| !turns.is_empty())?;
        let before = &self.turns[..first];
        let config = self.config;
        let context = if self.is_document() { 1 } else { config.overlap as usize };
        let before = &before[before.len().saturating_sub(context)..];
        let both = before.iter().map(|turn| (*turn, true)).chain(fresh.iter().map(|turn| (*turn, false)));
        let mut window = Window {
            conversation: self.conversation.id,
            from,
            to,
            turns: Vec::new(),
            ids: Vec::new(),
            moments: Vec::new(),
            seen: self.seen,
            undated: self.conversation.undated(),
            key: Some(fresh.iter().fold(self.fingerprint(), |sum, turn| self.add(sum, turn)).id()),
            document: self.evidence(fresh[0]),
            sources: Vec::new(),
        };
        for (turn, context_only) in both.filter(|(turn, _)| turn.is_minable()) {
            window.turns.push(match &fresh[0].passage {
                Some(next) => self.passage_turn(turn, next, context_only),
                None => self.window_turn(turn, context_only),
            });
            window.ids.push(turn.id);
            window.moments.push(turn.at);
        }
        Some(window)
    }

    /// Where the turns from `from` on that the ledger knows end: the longest run that was once a window, whatever the window
    /// sizes were then.
    pub(crate) fn known_until(&self, from: u32, is_known: impl Fn(LedgerId) -> bool) -> Option<u32> {
        let mut sum = self.fingerprint();
        let mut until = None;
        for turn in self.turns[self.place(from)..].iter().take(MOST_TURNS) {
            sum = self.add(sum, turn);
            if is_known(sum.id()) {
                until = Some(turn.index + 1);
            }
        }
        until
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::new(match self.conversation.origin {
            Origin::Chat => "chat",
            Origin::Transcript { .. } => "transcript",
            Origin::Document { .. } => "document",
        })
    }

    /// Adds what makes this turn the same content elsewhere; see `ingest::ledger`. What is said here, also below an imported
    /// conversation or a document, is nowhere else.
    fn add(&self, sum: Fingerprint, turn: &Turn) -> Fingerprint {
        match (&self.conversation.origin, &turn.passage) {
            (Origin::Document { .. }, Some(passage)) => sum.with(&passage.section).with(&turn.text),
            (Origin::Transcript { dated }, _) if turn.at.at <= self.conversation.created => {
                let day = if *dated { turn.at.date_text() } else { String::new() };
                sum.with(turn.speaker.label(None)).with(&day).with(&turn.text)
            }
            _ => sum.with(&turn.id.to_string()),
        }
    }

    fn evidence(&self, turn: &Turn) -> Option<Evidence> {
        let Origin::Document { locator, also, .. } = &self.conversation.origin else { return None };
        let passage = turn.passage.as_ref()?;
        let hash = ContentId::of_text(&turn.text).to_string();
        let locator = match locator {
            Some(locator) => locator.clone(),
            None => Locator::content(&hash, Some(turn.speaker.label(None))).ok()?,
        };
        let entry = ProvenanceEntry::at(locator).in_chunk(turn.id.to_string(), Some(hash));
        Some(Evidence { entry: entry.with_offsets(passage.start, passage.end).ok()?, also: also.clone() })
    }

    fn window_turn(&self, turn: &Turn, context_only: bool) -> WindowTurn {
        WindowTurn {
            speaker: turn.speaker.label(Some(&self.user)).to_owned(),
            is_user: turn.speaker == Speaker::User,
            is_assistant: turn.speaker == Speaker::Assistant,
            text: turn.text.clone(),
            date: turn.at.date_text(),
            context_only,
        }
    }

    /// A passage, or the context of the passage `next`: the headings that it stands under, and the end of what is before it.
    fn passage_turn(&self, turn: &Turn, next: &Passage, context_only: bool) -> WindowTurn {
        let mut read = self.window_turn(turn, context_only);
        // No name that the text could contain: what is said of a thing of that name is not said by the document.
        read.speaker = format!("Document “{}”", read.speaker);
        if context_only {
            let end = tail(&turn.text, self.config.ingest.chunk_overlap as usize);
            let heading = if next.section.is_empty() { "" } else { "Under the heading " };
            read.text = format!("{heading}{}\n{end}", next.section).trim().to_owned();
        }
        read
    }
}

/// Whether a window has yet to be done: another tab may have been faster, its content may be known by now, or one of its turns may have
/// been worded anew while it was read.
pub(crate) fn is_open(state: &State, window: &Window) -> bool {
    let known = window.key.is_some_and(|key| state.ledger_entry(key).is_some());
    let bookmark = state.bookmark(window.conversation);
    window.is_loose()
        || (!known
            && bookmark.is_none_or(|b: &Bookmark| b.is_open(window.from, window.to))
            && window.says_what_is_stored(state))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::conversation::TurnState;
    use crate::time::Moment;

    fn talk(turns: u32, gap: u32) -> (Conversation, Vec<Turn>) {
        let id = ConversationId::new(Uuid::from_u128(1));
        let turn = |n: u32| Turn {
            id: TurnId::new(Uuid::from_u128(u128::from(n) + 10)),
            conversation: id,
            index: n + u32::from(n >= gap),
            speaker: Speaker::User,
            text: format!("I saw comet {n}."),
            at: Moment::default(),
            state: TurnState::Complete,
            use_record: None,
            metered: None,
            model: None,
            passage: None,
            compliance: None,
            alternatives: Vec::new(),
            chosen: 0,
            off_record: false,
        };
        let conversation = Conversation {
            id,
            title: String::new(),
            imported_from: None,
            origin: Origin::Chat,
            mode: Default::default(),
            created: crate::time::Timestamp(0),
        };
        (conversation, (0..turns).map(turn).collect())
    }

    fn windows(turns: u32, gap: u32, config: &Config) -> Vec<Window> {
        let (conversation, turns) = talk(turns, gap);
        let source = Source::planned(&conversation, &turns, "User".into(), config);
        let mut found: Vec<Window> = Vec::new();
        while let Some(window) = source.window_from(found.last().map_or(0, |last| last.to)) {
            found.push(window);
        }
        found
    }

    /// The arithmetic of dice 3.7: `start = max(0, bookmark - overlap)`, `end = min(size, start + windowSize)`.
    #[test]
    fn windows_have_the_predecessors_bounds() {
        let bounds: Vec<(u32, u32, usize)> =
            windows(45, 99, &Config::default()).iter().map(|w| (w.from, w.to, w.turns.len())).collect();
        assert_eq!(bounds, [(0, 20, 20), (20, 38, 20), (38, 45, 9)]);
        assert!(windows(0, 9, &Config::default()).is_empty());
    }

    proptest! {
        /// Whatever the sizes, and where a turn was taken back: every turn is new exactly once, in order, and context is what is
        /// right before.
        #[test]
        fn every_turn_is_new_in_exactly_one_window(
            turns in 0_u32..130, gap in 0_u32..130, window_size in 2_u32..60, overlap in 0_u32..59,
        ) {
            prop_assume!(overlap < window_size);
            let config = Config { window_size, overlap, trigger_interval: 1, ..Config::default() };
            prop_assert!(config.validate().is_ok());
            let (_, all) = talk(turns, gap);
            let all: Vec<TurnId> = all.iter().map(|turn| turn.id).collect();
            let mut new = Vec::new();
            for window in windows(turns, gap, &config) {
                prop_assert!(window.turns.len() <= window_size as usize);
                let context = window.turns.iter().take_while(|turn| turn.context_only).count();
                prop_assert!(window.turns[context..].iter().all(|turn| !turn.context_only));
                prop_assert_eq!(&window.ids[..context], &all[new.len() - context..new.len()]);
                prop_assert_eq!(context, new.len().min(overlap as usize));
                new.extend(window.ids[context..].iter().copied());
            }
            prop_assert_eq!(new, all);
        }
    }
}

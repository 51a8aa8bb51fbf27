//! Windows: which turns of a conversation an analysis reads next.

use super::candidate::WindowTurn;
use crate::config::Config;
use crate::conversation::{Speaker, Turn};
use crate::history::State;
use crate::id::{ConversationId, TurnId};
use crate::resolution::UNNAMED_USER;

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
        Self { conversation, from: 0, to: 1, turns: vec![turn], ids: Vec::new(), moments: vec![now] }
    }
    /// Whether it stands outside any conversation.
    pub fn is_loose(&self) -> bool {
        self.conversation.uuid().is_nil()
    }
}

/// The name that statements use for the user.
pub fn user_name(state: &State, config: &Config) -> String {
    let known = state.user().map(|user| user.name.clone()).filter(|name| name != UNNAMED_USER);
    known.or_else(|| config.user_name.clone()).unwrap_or_else(|| UNNAMED_USER.to_owned())
}

/// How many turns wait behind the bookmark.
pub fn pending_turns(state: &State, conversation: ConversationId) -> u32 {
    let done = state.bookmark(conversation).map_or(0, |b| b.analysed_until);
    let waiting = state.turns(conversation).filter(|turn| turn.index >= done).count();
    u32::try_from(waiting).unwrap_or(u32::MAX)
}

/// The next window of a conversation, or `None` when nothing waits. New turns come first in the budget; `overlap` turns
/// before them are context.
pub fn next_window(state: &State, conversation: ConversationId, config: &Config) -> Option<Window> {
    let done = state.bookmark(conversation).map_or(0, |b| b.analysed_until);
    let room = config.window_size.saturating_sub(config.overlap).max(1) as usize;
    let fresh: Vec<&Turn> = state.turns(conversation).filter(|turn| turn.index >= done).take(room).collect();
    let (first, last) = (fresh.first()?, fresh.last()?);
    let mut before: Vec<&Turn> = state.turns(conversation).filter(|turn| turn.index < done).collect();
    let before = before.split_off(before.len().saturating_sub(config.overlap as usize));
    let (from, to) = (first.index, last.index + 1);
    let user = user_name(state, config);
    let turns: Vec<&Turn> = before.into_iter().chain(fresh).filter(|turn| turn.is_minable()).collect();
    Some(Window {
        conversation,
        from,
        to,
        ids: turns.iter().map(|turn| turn.id).collect(),
        moments: turns.iter().map(|turn| turn.at).collect(),
        turns: turns.iter().map(|turn| window_turn(turn, &user, turn.index < done)).collect(),
    })
}

fn window_turn(turn: &Turn, user: &str, context_only: bool) -> WindowTurn {
    WindowTurn {
        speaker: turn.speaker.label(Some(user)).to_owned(),
        is_user: turn.speaker == Speaker::User,
        is_assistant: turn.speaker == Speaker::Assistant,
        text: turn.text.clone(),
        date: turn.at.date_text(),
        context_only,
    }
}

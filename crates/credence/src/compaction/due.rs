//! When turns are summed up, and which: a threshold or a named exchange says when, the bookmark and the latest turns say how far.

use serde::{Deserialize, Serialize};

use super::{CompactionSettings, standing};
use crate::conversation::{NOT_REMEMBERED, Speaker, Turn, mode_of};
use crate::history::State;
use crate::id::ConversationId;

/// Most tokens of turns that one summary takes in, chosen by us: they fit, with the frame and the answer, into the 16,384 tokens that
/// a local server is advised to have. What is longer is summed up in several steps.
const MOST_TOKENS: u32 = 10_000;

/// Why a summary is made. When several hold, the first of this order is told (core 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactionReason {
    /// The turns not yet summed up have as many tokens as the threshold.
    TokenThreshold,
    /// There are as many of them as the threshold.
    MessageThreshold,
    /// The conversation passed an exchange that was named.
    ForcedTurn,
    /// A person or program asked.
    #[default]
    Asked,
}

/// What is to be summed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Why.
    pub reason: CompactionReason,
    /// Index of the first turn, those of the summary before included.
    pub from: u32,
    /// Index of the first turn that is not in a summary yet.
    pub fresh: u32,
    /// One past the last.
    pub to: u32,
    /// Exchanges so far: turns that the assistant did not say.
    pub exchanges: u32,
}

/// What of a conversation is to be summed up now; the error says why nothing is. `asked`: whatever the settings say of when.
/// `count` gives a text's tokens.
pub fn due(
    state: &State,
    conversation: ConversationId,
    settings: &CompactionSettings,
    asked: bool,
    count: &dyn Fn(&str) -> u32,
) -> Result<Due, String> {
    if !mode_of(state, conversation).learns() {
        return Err(NOT_REMEMBERED.into());
    }
    let turns: Vec<&Turn> = state.turns(conversation).collect();
    let before = standing(state, conversation);
    let fresh = before.map_or(0, |summary| summary.to);
    let open: Vec<&Turn> = turns.iter().copied().filter(|turn| turn.index >= fresh).collect();
    let exchanges = turns.iter().filter(|turn| turn.speaker != Speaker::Assistant).count();
    let exchanges = u32::try_from(exchanges).unwrap_or(u32::MAX);
    let forced_from = before.map_or(0, |summary| summary.exchanges);
    let reason = reason(settings, &open, count, forced_from, exchanges);
    let reason = match (asked, reason) {
        (true, reason) => reason.unwrap_or(CompactionReason::Asked),
        (false, _) if !settings.enabled => return Err("summing up is switched off".into()),
        (false, Some(reason)) => reason,
        (false, None) => return Err("no threshold is reached".into()),
    };

    let kept = open.len().saturating_sub(settings.keep_recent as usize);
    let bookmark = state.bookmark(conversation);
    let analysed = bookmark.map_or(0, |bookmark| {
        bookmark.failed.iter().map(|range| range.from).chain([bookmark.analysed_until]).min().unwrap_or(0)
    });
    let mut tokens = 0_u32;
    let mut to = fresh;
    for turn in open.iter().take(kept).take_while(|turn| turn.index < analysed) {
        tokens = tokens.saturating_add(count(&turn.text));
        if tokens > MOST_TOKENS && to > fresh {
            break;
        }
        to = turn.index + 1;
    }
    if to == fresh {
        return Err(match kept {
            0 => format!("there are no turns but the latest {}, which stay as they are", open.len()),
            _ => "the turns still wait to be analysed".into(),
        });
    }
    let from = before.map_or_else(|| open[0].index, |summary| summary.from);
    Ok(Due { reason, from, fresh, to, exchanges })
}

fn reason(
    settings: &CompactionSettings,
    open: &[&Turn],
    count: &dyn Fn(&str) -> u32,
    forced_from: u32,
    exchanges: u32,
) -> Option<CompactionReason> {
    let tokens = || open.iter().map(|turn| count(&turn.text)).fold(0, u32::saturating_add);
    let passed = |turn: &u32| (forced_from + 1..=exchanges).contains(turn);
    if settings.token_threshold > 0 && tokens() >= settings.token_threshold {
        Some(CompactionReason::TokenThreshold)
    } else if settings.message_threshold > 0 && open.len() >= settings.message_threshold as usize {
        Some(CompactionReason::MessageThreshold)
    } else if settings.force_at_turns.iter().any(passed) {
        Some(CompactionReason::ForcedTurn)
    } else {
        None
    }
}

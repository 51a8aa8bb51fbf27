//! The guideline: what earlier summaries lost, as lines that the next one is written by. Compression that fails teaches what must not be
//! compressed (ACON, "Optimizing context compression for long-horizon agents", 2025), without a model's help: a line is a kind of
//! loss and the fact that was lost, counted. Bounded; a fact that is no longer in the memory takes its lines with it.

use serde::{Deserialize, Serialize};

use super::Summary;
use super::check::{Loss, LossKind};
use crate::history::State;
use crate::id::PropositionId;
use crate::time::Timestamp;

/// One line of the guideline. It names the fact by its id: the words are looked up when the line is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// How it was lost.
    pub kind: LossKind,
    /// What was lost.
    pub proposition: PropositionId,
    /// How many summaries have lost it so.
    pub times: u32,
    /// When it was last lost.
    pub at: Timestamp,
}

/// The guideline in force: the latest summary's, of whatever conversation, without facts that are gone.
pub(super) fn in_force(state: &State) -> Vec<Lesson> {
    let latest = state.summaries().max_by_key(|summary: &&Summary| (summary.at, summary.id));
    let mut lessons = latest.map(|summary| summary.guideline.clone()).unwrap_or_default();
    lessons.retain(|lesson| state.proposition(lesson.proposition).is_some());
    lessons
}

/// The guideline after further losses: the most frequent and then the latest lines, `most` of them.
pub(super) fn learned<'a>(
    mut lessons: Vec<Lesson>,
    losses: impl IntoIterator<Item = &'a Loss>,
    now: Timestamp,
    most: usize,
) -> Vec<Lesson> {
    for loss in losses {
        let known = lessons.iter_mut().find(|l| (l.kind, l.proposition) == (loss.kind, loss.proposition));
        match known {
            Some(lesson) => {
                lesson.times = lesson.times.saturating_add(1);
                lesson.at = now;
            }
            None => {
                lessons.push(Lesson { kind: loss.kind, proposition: loss.proposition, times: 1, at: now })
            }
        }
    }
    lessons.sort_by_key(|l| (std::cmp::Reverse((l.times, l.at)), l.kind, l.proposition));
    lessons.truncate(most);
    lessons
}

//! Extraction: a window of conversation becomes candidate propositions, and an analysed window one commit.
//!
//! `analyse` is the way of a window; `window` picks the turns; `reply` reads what a model suggests (the rules of `embedded`
//! suggest in the same shape); `ground` checks it against the turns; `report` is what came of it all. Source:
//! `spec/dice.md` section 3.

mod analyse;
mod candidate;
mod ground;
mod remember;
mod reply;
mod report;
mod window;

pub use crate::ingest::{Pending, Progress, Trigger};
pub(crate) use analyse::{Cost, answer_room, read_failure};
pub use candidate::{Candidate, CandidateMention, DropReason, Dropped, Extraction, WindowTurn};
pub use ground::Ground;
pub use reply::{merge_repeats, parse_propositions, propositions_schema};
pub use report::{AnalysisReport, Outcome, OutcomeKind};
pub(crate) use window::Source;
pub use window::{Window, next_window, pending_turns, user_name};

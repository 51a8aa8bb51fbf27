//! Extraction: a window of conversation becomes candidate propositions, and an analysed window one commit.
//!
//! `analyse` is the way of a window, and `remember` sends a text of one turn along it; `window` picks the turns; `echo` takes
//! our own words out of them; `ask` gathers the prompt; `reply` reads what a model suggests as `candidate`s (the rules of
//! `embedded` suggest in the same shape); `clean` takes out what must not be kept, with `ground` (the turns support it),
//! `answer`, `canary` (copied from the prompt) and `validity` (dates); `report` is what came of it all; `settings` is what a
//! host may choose. Source: dice section 3.

mod analyse;
mod answer;
mod ask;
mod canary;
mod candidate;
mod clean;
mod cost;
mod echo;
mod ground;
mod remember;
mod reply;
mod report;
mod settings;
mod validity;
mod window;

pub use crate::ingest::{Pending, Progress, Trigger};
pub(crate) use ask::answer_room;
pub use candidate::{Candidate, CandidateMention, DropReason, Dropped, Extraction, WindowTurn};
pub(crate) use clean::first_person;
pub(crate) use cost::Cost;
pub use ground::{Ground, Support, Unsupported};
pub use reply::{ReplyContext, merge_repeats, parse_propositions, propositions_schema};
pub use report::{AnalysisReport, Outcome, OutcomeKind};
pub use settings::{
    AnalysisOptions, Density, Example, ExtractionConfig, KnownEntity, Perspective, PromptSize,
};
pub(crate) use window::Source;
pub use window::{Window, next_window, pending_turns, user_name};

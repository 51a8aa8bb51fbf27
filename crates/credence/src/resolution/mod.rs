//! Resolution: which entity a mention means. Deterministic first: the speaker by their turn, then the searchers in order, each sure only
//! when exactly one entity fits; a model is asked only about names that have candidates and no sure one, all of a window in
//! the one call that revision makes; what stays open becomes a new entity with a visible link to what it may duplicate.
//!
//! | page | decides |
//! |---|---|
//! | `session` | the run: mentions in, outcomes and planned entities out |
//! | `chain` | resolvers and how they are put together |
//! | `search` | the searchers: id, exact, normal form, part, spelling, vector |
//! | `directory` | what entities are looked up by |
//! | `kinds`, `roles`, `names` | which kinds exclude each other, who is introduced as what, which spans are names |
//! | `gather` | what is found out before planning: vectors, answers |
//! | `bakeoff`, `agentic` | the questions for a model; a model that searches itself |
//! | `compress` | the context of a question |
//! | `config`, `outcome` | settings; what became of a mention |
//!
//! Rules (dice section 5, section 13 for the fixes): a mention of another kind never merges (Mercury the cat, the
//! planet, the company); vague spans ("the thing", "a friend") stay text unless the extractor named a known entity; suffixes and
//! numbers distinguish; a veto is final for the run; nothing is compared as ASCII.

mod agentic;
mod bakeoff;
mod chain;
mod compress;
mod config;
mod directory;
mod gather;
mod kinds;
mod names;
mod outcome;
mod roles;
mod search;
mod session;

pub use agentic::{SearchContext, SeenContext};
pub use bakeoff::{CandidateContext, QuestionContext, ResolveContext};
pub(crate) use bakeoff::{answers_schema, parse_answers, question_contexts};
pub use chain::{AlwaysCreate, Chained, EntityResolver, InMemory, KnownEntities};
pub use compress::Compressor;
pub use config::{Bakeoff, KnownEntity, ResolutionConfig, Searcher};
pub use directory::Directory;
pub(crate) use directory::Known;
pub use gather::Prepared;
pub(crate) use gather::{Answer, EntityVectors, Question};
pub use kinds::compatible;
pub use names::{UNNAMED_USER, is_vague, name_key};
pub use outcome::{Level, ResolutionKind, ResolutionOutcome, Sought};
pub(crate) use session::Open;
pub use session::{Resolver, Said};

#[cfg(test)]
mod facts_tests;
#[cfg(test)]
mod tests;

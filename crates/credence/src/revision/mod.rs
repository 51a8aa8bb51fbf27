//! Revision: what a new statement does to the memory that it meets.
//!
//! Deterministic first: the same canonical form merges; what the words alone show to be opposed retires the older statement;
//! only what is left, with near neighbours, goes to the model, all of a window in one batched call. The arithmetic of
//! each outcome is that of `spec/dice.md` 4.3, with the fixes of its section 13: reinforcing never lowers, a
//! generalisation carries its level and sources, pinned statements are never retired, and evidence is never lost.

mod apply;
mod arithmetic;
mod build;
mod decide;
mod finish;
mod plan;
mod reply;

pub use arithmetic::{brings_evidence, contradicted, generalized, merged, reinforced, superseded};
pub use decide::{Decision, Judgement, Neighbour, Relation, Rules, decide_by_rules, settle};
pub(crate) use decide::{aligned, overlap, share_subject};
pub use reply::{parse_judgements, relations_schema};

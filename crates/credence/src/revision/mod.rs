//! Revision: what a new statement does to the memory that it meets.
//!
//! Deterministic first: the same canonical form merges, and so does the same value of one slot; what the words alone show to be
//! opposed retires the older statement, whichever of the two was said first; only what is left, with near neighbours, goes
//! to the model, all of a window in one call. A newer statement replaces an older one only where it can take its place: many
//! values stand side by side, a value that never changes becomes a question to a person, a pinned statement stays. The
//! arithmetic of each outcome is that of dice 4.3, with the fixes of its section 13: reinforcing never lowers, a
//! generalisation carries its level and sources, faded statements revive, and evidence is never lost.
//!
//! `plan` leads from candidates to the scope: what is asked first, and what is planned then, as often as it takes to land.
//! `build` and `temporal` make the proposition of a candidate; `wordings` finds who says the same; `compare` reads two
//! statements beside each other, and `beside` says of two stored ones what that shows; `decide` holds the rules, `ask` and
//! `reply` the one call, `settle` what is made of its judgements; `apply` carries decisions out with the numbers of
//! `arithmetic`; `finish` adds trust, the kind of conflict and questions; `cascade` follows what rested on what was retired,
//! `lineage` who took whose place. `settings`: the numbers.

mod apply;
mod arithmetic;
mod ask;
mod beside;
mod build;
mod cascade;
mod compare;
mod decide;
mod finish;
mod lineage;
mod plan;
mod reply;
mod retract;
mod settings;
mod settle;
mod temporal;
mod witness;
mod wordings;

pub use arithmetic::{
    brings_evidence, contradicted, generalized, merged, reinforced, superseded, surprised, witnessed,
};
pub(crate) use beside::{Beside, Glance, beside};
pub(crate) use build::stated_name;
pub use cascade::{Dependant, Effect, Materiality};
pub(crate) use compare::{Fresh, Readings, aligned, overlap, share_subject};
pub(crate) use decide::decide_between;
pub use decide::{Decision, Known, Neighbour, RULES_SURE, Rules, decide_by_rules};
pub use lineage::{Followed, Lineage, LineageStep, MOST_STEPS, Superseded};
pub use reply::{parse_judgements, relations_schema};
pub use retract::Retraction;
pub(crate) use retract::{between, value_of};
pub use settings::RevisionSettings;
pub use settle::{Judgement, MODEL_MOST, Relation, settle};
pub use witness::{Share, Witness};
pub(crate) use wordings::Wordings;

#[cfg(test)]
mod tests;

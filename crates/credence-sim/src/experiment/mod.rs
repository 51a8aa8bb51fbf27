//! Experiments: conditions × scenarios × repetitions, and what may be said of them.
//!
//! Rules:
//! - *Said before it is played.* A [`Definition`] names the primary metrics, the judge that counts and the limits of the checks; whatever
//!   else is compared is exploratory, and both are corrected for their number apart.
//! - *Raw values.* A [`RunDigest`] keeps what each run came to; figures are made of those, never of means that are repeated.
//! - *Pairs.* A scenario's repetition has the same seed under every condition. A condition that equals another but for its name is a control
//!   (A/A): it draws anew, so that the difference between the two is what chance alone does.
//! - *A failed check blocks.* `integrity` looks at what was played before `analysis` is believed; what a check blocks is not concluded
//!   ([`Analysis::blocked`]).
//! - *Whatever was played is told.* Failed, cancelled and unsaved runs are in the experiment with their reason.
//!
//! `definition` is the order, `estimate` what it will take, `run` plays it, `digest` and `record` are what is kept, `analysis` the figures, `integrity` the checks,
//! `resilience` one score with its caveats, `baseline` the comparison with an earlier experiment.

mod analysis;
mod baseline;
mod definition;
mod digest;
mod estimate;
#[cfg(test)]
pub(crate) mod fabricated;
mod integrity;
mod record;
mod resilience;
mod run;
#[cfg(test)]
mod tests;

pub use analysis::{Analysis, Cell, Comparison, FactFate, Groups, MetricRow};
pub use baseline::{Delta, deltas};
pub use definition::{Definition, Limits, Planned, Problem};
pub use digest::{Contradiction, JudgeCount, RunDigest};
pub use estimate::Estimate;
pub use integrity::{Check, CheckKind, Outcome};
pub use record::{BY_RULES, Experiment, FactNote, Manifest, ScenarioNote};
pub use resilience::{Resilience, Standing};
pub use run::{Host, Progress, go_on, run};

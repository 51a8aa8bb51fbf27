//! The commands, a file each: what its options are, and what it does.

pub(crate) mod matrix;
pub(crate) mod reevaluate;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod scenarios;

use credence_sim::run::Condition;

use crate::args::Usage;

/// A built-in condition by its name.
pub(crate) fn condition(name: &str) -> Result<Condition, Usage> {
    Condition::by_name(name).ok_or_else(|| {
        Usage::new(format!("there is no condition `{name}`; there are {}", Condition::NAMES.join(", ")))
    })
}

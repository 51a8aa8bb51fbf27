//! Enforcement: answers are kept to the facts of the working set.

mod settings;

pub use settings::{EnforcementSettings, EnforcementStrategy};

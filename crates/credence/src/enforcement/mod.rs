//! Enforcement: answers are kept to the facts of the working set, and a verdict is acted on.
//!
//! Rules (core 7.7, with core 15 G20): what is enforced are CANON and RELIABLE units (CANON alone, or all, by setting). A strategy is a list
//! of layers in order: the prompt, a small bias on the names of enforced facts, the check of the answer. A layer that fails is
//! passed by with a warning. The check is rules first: each sentence of the answer, with "you" read as the user, against each fact. Only
//! when they see nothing is a model asked, once for all. A violation of CANON rejects the answer, another asks for it again; both do: the
//! answer is given again with a note of what it contradicts, a bounded number of times. Then the best one is kept with a visible
//! warning or, fail-closed, withheld with the reason. An answer that could not be checked says so.
//!
//! What came of it is kept on the assistant's turn. A checked and agreeing answer that used a unit is evidence of correct use; nothing else
//! about an answer is.
//!
//! `settings` has the numbers, `compliance` the data and how layers combine, `rules` and `ask` the two checks, `bias` the bias, `run`
//! the loop. A check of another kind, a logic engine for example, is a [`ComplianceCheck`].

mod ask;
mod bias;
mod compliance;
mod forget;
mod rules;
mod run;
mod settings;

pub use bias::{Bias, Constraint, Constraints, bias, constraints};
pub use compliance::{
    Action, Attempt, CheckedBy, Combined, Compliance, ComplianceCheck, ComplianceOutcome, Enforced, Layer,
    LayerReport, Reading, Violation, combine, enforced,
};
pub(crate) use forget::forget_violations;
pub use run::EnforcementPhase;
pub use settings::{EnforcementSettings, EnforcementStrategy};

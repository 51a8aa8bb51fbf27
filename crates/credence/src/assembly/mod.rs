//! Assembly: what a prompt is made of, within its budget.
//!
//! `settings` has the numbers.

mod settings;

pub use settings::AssemblySettings;

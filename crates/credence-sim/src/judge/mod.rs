//! Judges: what a reply does to each fact.

mod doubt;
pub mod oracle;

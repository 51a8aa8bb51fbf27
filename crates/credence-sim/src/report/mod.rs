//! Reports: what an experiment came to, for people (Markdown), for tables (CSV) and for programs (JSON), and the way back in.
//!
//! Rules: nothing is concluded that a failed check blocks, and a check of one metric blocks no other; every figure says of how many runs it is, and one that is not there is a dash;
//! texts of scenarios, models and people are escaped, so that a report cannot be taken over by what it tells of; and what is read back is
//! computed anew, not believed.
//!
//! `narrative` is what may be said, `markdown` the whole report, `csv` the tables, `effect` a comparison in words, `blocked` what a failed check forbids and why, `file` the JSON and its reader, `text` the escapes.

mod blocked;
mod csv;
mod effect;
mod file;
mod markdown;
mod narrative;
#[cfg(test)]
mod tests;
mod text;

pub use blocked::forbids;
pub use csv::{cells_csv, runs_csv};
pub use effect::{EFFECTS_NOTE, EffectRow};
pub use file::{ImportError, Imported, experiment_json, read, run_json};
pub use markdown::markdown;
pub use narrative::{Narrative, narrative};
pub use text::{figure, file_stem, markdown_text};

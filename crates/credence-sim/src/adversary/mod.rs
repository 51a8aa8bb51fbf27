//! The adversary: what the player says where the script does not say it.

mod record;

pub use record::{Attack, LineBy, LineRecord, Phase, Sequence};

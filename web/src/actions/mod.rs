//! Everything that waits: each action runs to its end by itself, tells its outcome by a notice, and never holds a borrow of
//! the memory across an await.

pub(crate) mod alone;
pub(crate) mod backup;
pub(crate) mod chat;
pub(crate) mod data;
pub(crate) mod elsewhere;
pub(crate) mod entities;
pub(crate) mod experiment;
pub(crate) mod facts;
pub(crate) mod forget;
pub(crate) mod health;
pub(crate) mod history;
pub(crate) mod import;
pub(crate) mod runs;
pub(crate) mod simulate;
pub(crate) mod turns;
pub(crate) mod units;
pub(crate) mod upkeep;

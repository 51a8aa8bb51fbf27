//! Version 1: four stores.
//!
//! | store | key | value |
//! |---|---|---|
//! | `commits` | `[context, seq]` | context, seq, id, at, cause, and `body`: the commit as JSON |
//! | `heads` | `context` | context, id and seq of its newest commit: the one row that an append compares with |
//! | `uses` | `[context, id]`, index `time` on `[context, at]` | context, id, at, and `body`: the use record as JSON |
//! | `vectors` | `[context, space, text]`, kept beside the value | a `Float32Array` |

use indexed_db_futures::prelude::*;
use indexed_db_futures::{KeyPath, database::Database};

/// This version's number.
pub(in crate::journal) const VERSION: u32 = 1;

/// Commits.
pub(in crate::journal) const COMMITS: &str = "commits";
/// Newest commits.
pub(in crate::journal) const HEADS: &str = "heads";
/// Use records.
pub(in crate::journal) const USES: &str = "uses";
/// Index of [`USES`] by time.
pub(in crate::journal) const USES_BY_TIME: &str = "time";
/// Vectors.
pub(in crate::journal) const VECTORS: &str = "vectors";

pub(super) fn apply(db: &Database) -> indexed_db_futures::Result<()> {
    db.create_object_store(COMMITS).with_key_path(KeyPath::from(["context", "seq"])).build()?;
    db.create_object_store(HEADS).with_key_path(KeyPath::from("context")).build()?;
    let uses = db.create_object_store(USES).with_key_path(KeyPath::from(["context", "id"])).build()?;
    uses.create_index(USES_BY_TIME, KeyPath::from(["context", "at"])).build()?;
    db.create_object_store(VECTORS).build()?;
    Ok(())
}

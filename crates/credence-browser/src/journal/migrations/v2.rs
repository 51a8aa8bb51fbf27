//! Version 2: what version 1 has, and two stores for what is kept about a memory rather than in it.
//!
//! | store | key | value |
//! |---|---|---|
//! | `set_aside` | `[context, seq, place]` | store, key, detail, raw: a damaged row as text; and `row`: the very value, where there was one |
//! | `meta` | `[context, name]` | context, name and `value`: a note about a memory, for example of its last backup |
//!
//! `seq` is that of the commit of the repair which moved the row, `place` counts the rows of one repair.

use indexed_db_futures::prelude::*;
use indexed_db_futures::{KeyPath, database::Database};

pub(in crate::journal) use super::v1::{COMMITS, HEADS, USES, USES_BY_TIME, VECTORS};

/// This version's number.
pub(in crate::journal) const VERSION: u32 = 2;

/// Rows that repairs moved out of the way.
pub(in crate::journal) const SET_ASIDE: &str = "set_aside";
/// Notes about memories.
pub(in crate::journal) const META: &str = "meta";

/// Every store of this version.
pub(in crate::journal) const STORES: [&str; 6] = [COMMITS, HEADS, USES, VECTORS, SET_ASIDE, META];

pub(super) fn apply(db: &Database) -> indexed_db_futures::Result<()> {
    db.create_object_store(SET_ASIDE).with_key_path(KeyPath::from(["context", "seq", "place"])).build()?;
    db.create_object_store(META).with_key_path(KeyPath::from(["context", "name"])).build()?;
    Ok(())
}

//! The database's schema, one module a version. A version that was released is never edited: the next one gets a module
//! of its own, its line in [`STEPS`], and its database in `tests/journal/versions.rs`, where one of every version is made by
//! hand, as that release left it, and opened by this one. The browser runs every missing step in one transaction of its
//! own; a step that fails leaves the database as it was.

use indexed_db_futures::database::Database;

use super::connection::Schema;

pub(super) mod v1;
pub(super) mod v2;

pub(super) use v2 as current;

/// The version that this release reads and writes. A higher one is refused, a lower one upgraded.
pub const CURRENT: u32 = current::VERSION;

/// The database of memories.
pub(super) const SCHEMA: Schema = Schema { version: CURRENT, stores: &current::STORES, upgrade: run };

/// What a version does to the database of the version before it.
type Step = fn(&Database) -> indexed_db_futures::Result<()>;

/// Every version, oldest first.
const STEPS: [(u32, Step); 2] = [(v1::VERSION, v1::apply), (v2::VERSION, v2::apply)];

/// Brings a database of version `from` (0: new) up to version `to`. Called within the browser's upgrade transaction.
fn run(db: &Database, from: u32, to: u32) -> indexed_db_futures::Result<()> {
    for (version, step) in STEPS {
        if version > from && version <= to {
            step(db)?;
        }
    }
    Ok(())
}

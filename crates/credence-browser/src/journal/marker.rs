//! A note beside a database that it once held something. Browsers that find their store of a site damaged empty it and go on as if it had never
//! been; the note is kept by another part of the browser, so that this does not happen in silence. Where site data is cleared, both go.

use wasm_bindgen::JsCast;
use web_sys::Storage;

use crate::global::member;

/// What stands in front of the database's name.
const PREFIX: &str = "credence.store ";

/// Workers and some private windows have none: then nothing is noted and nothing found.
fn storage() -> Option<Storage> {
    member(&["localStorage"])?.dyn_into().ok()
}

/// Notes that the database holds something.
pub(super) fn set(database: &str) {
    if let Some(storage) = storage() {
        // Storage that cannot be written leaves us as we would be without it.
        let _ = storage.set_item(&format!("{PREFIX}{database}"), "holds a memory");
    }
}

/// Whether that was noted.
pub(super) fn is_set(database: &str) -> bool {
    storage().and_then(|storage| storage.get_item(&format!("{PREFIX}{database}")).ok().flatten()).is_some()
}

/// Takes the note back: the database was deleted, or its loss is told.
pub(super) fn clear(database: &str) {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(&format!("{PREFIX}{database}"));
    }
}

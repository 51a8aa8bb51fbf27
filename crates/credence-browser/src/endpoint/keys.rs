//! Where keys are: in memory, in `sessionStorage` or, when the user asks for it, in `localStorage`, and nowhere
//! else. A key belongs to the origin that it was entered for and is given to no other.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use credence::llm::secret::Secret;
use credence::llm::settings::KeyStorage;
use wasm_bindgen::JsCast;
use web_sys::Storage;

use crate::global;

/// What stands in front of the origin in the names of stored keys.
const PREFIX: &str = "credence.key ";

/// The keys of this page, by origin. Cloning shares them.
#[derive(Debug, Clone, Default)]
pub struct KeyStore {
    memory: Rc<RefCell<BTreeMap<String, Secret>>>,
}

/// Where a key was put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// The place where the key is.
    pub place: KeyStorage,
    /// The browser refused the place that was asked for, and the key is in memory instead.
    pub was_refused: bool,
}

impl KeyStore {
    /// A store that sees what earlier pages of this tab and device kept.
    pub fn new() -> Self {
        Self::default()
    }

    /// A store that has these keys in memory, by origin, and leaves what is kept elsewhere alone: to try keys before keeping them.
    pub fn trial(keys: impl IntoIterator<Item = (String, Secret)>) -> Self {
        Self { memory: Rc::new(RefCell::new(keys.into_iter().collect())) }
    }

    /// Keeps `key` for `origin` at one place and removes it from the others. Where the browser refuses storage
    /// (private windows, workers, blocked site data), the key stays in memory.
    pub fn set(&self, origin: &str, key: Secret, place: KeyStorage) -> Kept {
        self.forget(origin);
        let is_stored = storage(place)
            .is_some_and(|storage| storage.set_item(&format!("{PREFIX}{origin}"), key.expose()).is_ok());
        if is_stored {
            return Kept { place, was_refused: false };
        }
        self.memory.borrow_mut().insert(origin.to_owned(), key);
        Kept { place: KeyStorage::Memory, was_refused: place != KeyStorage::Memory }
    }

    /// The key that was entered for `origin`.
    pub fn get(&self, origin: &str) -> Option<Secret> {
        if let Some(key) = self.memory.borrow().get(origin) {
            return Some(key.clone());
        }
        [KeyStorage::Session, KeyStorage::Device].into_iter().find_map(|place| stored(place, origin))
    }

    /// Where the key for `origin` is; `None` when there is none.
    pub fn place(&self, origin: &str) -> Option<KeyStorage> {
        if self.memory.borrow().contains_key(origin) {
            return Some(KeyStorage::Memory);
        }
        [KeyStorage::Session, KeyStorage::Device].into_iter().find(|place| stored(*place, origin).is_some())
    }

    /// Removes the key for `origin` from every place.
    pub fn forget(&self, origin: &str) {
        self.memory.borrow_mut().remove(origin);
        for storage in storages() {
            // Storage that cannot be written holds nothing of ours.
            let _ = storage.remove_item(&format!("{PREFIX}{origin}"));
        }
    }

    /// Removes every key from every place; other entries of the site are left alone.
    pub fn wipe(&self) {
        self.memory.borrow_mut().clear();
        for storage in storages() {
            let count = storage.length().unwrap_or(0);
            let names: Vec<String> =
                (0..count).filter_map(|index| storage.key(index).ok().flatten()).collect();
            for name in names.iter().filter(|name| name.starts_with(PREFIX)) {
                let _ = storage.remove_item(name);
            }
        }
    }
}

fn storage(place: KeyStorage) -> Option<Storage> {
    let name = match place {
        KeyStorage::Memory => return None,
        KeyStorage::Session => "sessionStorage",
        KeyStorage::Device => "localStorage",
    };
    global::member(&[name])?.dyn_into().ok()
}

fn storages() -> impl Iterator<Item = Storage> {
    [KeyStorage::Session, KeyStorage::Device].into_iter().filter_map(storage)
}

fn stored(place: KeyStorage, origin: &str) -> Option<Secret> {
    let text = storage(place)?.get_item(&format!("{PREFIX}{origin}")).ok()??;
    // What was changed by hand into something that no header carries is no key.
    Secret::parse(&text).ok()
}

//! The journal's contract, on IndexedDB and on what a page without it gets.

macro_rules! browser {
    ($name:ident, $case:expr) => {
        #[wasm_bindgen_test::wasm_bindgen_test]
        async fn $name() {
            $case.await
        }
    };
}

mod indexed_db {
    use crate::support::fresh;

    credence::journal_contract!(browser, fresh());
}

mod in_memory {
    use credence_browser::journal::BrowserJournal;

    use crate::support::{Replaced, fresh_name};

    async fn without_indexed_db() -> BrowserJournal {
        let _without = Replaced::new("globalThis", "indexedDB", "undefined");
        BrowserJournal::open(&fresh_name()).await.unwrap().journal
    }

    credence::journal_contract!(browser, without_indexed_db());
}

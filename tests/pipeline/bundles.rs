//! Bundles: what is exported can be read and taken in, whole, once, and only after everything was checked.

use credence::bundle::{Bundle, BundleError, export};
use credence::history::{Journal, MemoryJournal};
use credence::id::ContextId;
use credence::retrieval::Search;
use credence::time::Timestamp;

use super::support::*;

/// A memory with conversations, names, changes of mind and something forgotten, in several scripts.
async fn lived_in() -> TestMemory {
    let memory = offline().await;
    let texts = [
        "My name is Mara. I live in Kleve.",
        "I hate figs.",
        "I love figs.",
        "我住在北京。",
        "My sister Ána is a vet.",
    ];
    tell(&memory, &texts).await;
    memory.remember("Tea is better than coffee \u{1f375} \"quoted\" \\ \u{2028}.").await.unwrap();
    let id = memory.propositions(&Default::default())[0].proposition.id;
    memory.pin(id, true).await.unwrap();
    let last = memory.propositions(&Default::default()).last().unwrap().proposition.id;
    memory.forget(last).await.unwrap();
    memory.search(&Search::new("Where does Mara live?")).await.unwrap();
    memory
}

async fn written(memory: &TestMemory) -> String {
    memory.export().await.unwrap().to_json().unwrap()
}

/// Puts a bundle's memories into an empty store as they are.
async fn restored(bundle: &Bundle) -> MemoryJournal {
    let journal = MemoryJournal::new();
    for bundled in &bundle.contexts {
        journal.replace(&bundled.context, 0, &bundled.contents).await.unwrap();
    }
    journal
}

#[test]
fn case_46_what_is_exported_comes_back_byte_for_byte() {
    run(async {
        let memory = lived_in().await;
        let first = written(&memory).await;
        let bundle = Bundle::read(&first).unwrap();
        assert!(!bundle.contexts[0].contents.uses.is_empty(), "a search was kept");
        let journal = restored(&bundle).await;
        let again = export(&journal, &[context()], Timestamp(5)).await.unwrap();
        assert_ne!(again.exported_at, bundle.exported_at);
        let again = Bundle { exported_at: bundle.exported_at, ..again };
        assert_eq!(again.to_json().unwrap(), first);
        assert_eq!(
            export(&journal, &[], bundle.exported_at).await.unwrap(),
            again,
            "no name means every name"
        );
    });
}

#[test]
fn a_file_that_is_not_whole_says_where_and_what_to_do() {
    run(async {
        let file = written(&lived_in().await).await;
        let refused = |text: &str| Bundle::read(text).unwrap_err();
        for cut in [1, 2, 40, 200, 1500, file.len() / 2, file.len() - 4] {
            let cut = (0..=cut).rev().find(|at| file.is_char_boundary(*at)).unwrap();
            assert!(matches!(refused(&file[..cut]), BundleError::Truncated { .. }), "{cut}");
        }
        let broken = file.replacen(",\"commits\":[\n", ",\"commits\":[\n}", 1);
        let BundleError::Syntax { line, column, .. } = refused(&broken) else { panic!("no syntax error") };
        assert_eq!((line, column), (3, 1));
        let changed = file.replacen("Kleve", "Bonn", 1);
        let BundleError::Checksum { context, .. } = refused(&changed) else { panic!("unnoticed") };
        assert_eq!(context, "test");
        let newer = file.replacen("\"schema\":2", "\"schema\":99", 1);
        let error = refused(&newer);
        assert!(matches!(error, BundleError::NewerSchema { found: 99, .. }), "{error}");
        assert!(error.to_string().contains("update Credence"), "{error}");
        for strange in
            ["", "  \n", "[1, 2]", "hello", "{\"format\":\"other\"}", "{\"name\":\"Seraphina\"}", "\u{89}PNG"]
        {
            assert!(matches!(refused(strange), BundleError::NotABundle { .. }), "{strange}");
        }
        let missing = refused("{\"format\":\"credence-bundle\",\"schema\":2,\"exported_at\":0}");
        assert!(missing.to_string().contains("is missing"), "{missing}");
    });
}

#[test]
fn white_space_is_no_change_and_a_byte_order_mark_is_no_content() {
    run(async {
        let memory = lived_in().await;
        let file = written(&memory).await;
        let spaced = format!("\u{feff}{}", file.replace(",\n", " ,\r\n\t").replace("[\n", "[ "));
        assert_eq!(Bundle::read(&spaced).unwrap(), Bundle::read(&file).unwrap());
    });
}

#[test]
fn a_memory_without_commits_can_be_exported() {
    run(async {
        let empty = offline().await.export().await.unwrap();
        let file = empty.to_json().unwrap();
        assert_eq!(Bundle::read(&file).unwrap(), empty);
        assert_eq!(empty.contexts[0].context, ContextId::new("test").unwrap());
    });
}

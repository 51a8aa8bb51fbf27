//! Several connections to one database, and more rows than one request reads.

use credence::history::{Journal, JournalError, Log, StoredVector};
use credence_browser::journal::IndexedDbJournal;
use futures::future::join;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::{context, filled, fresh, fresh_name, saying, stored};

/// Says `count` things, catching up whenever the other was faster. Gives how often that was.
async fn writer(journal: IndexedDbJournal, name: &str, count: usize) -> usize {
    let (mut log, mut lost) = (Log::default(), 0);
    for n in 0..count {
        loop {
            let next = saying(&log, "shared", &format!("{name} {n}"));
            match journal.append(&next).await {
                Ok(()) => {
                    log.push(next).unwrap();
                    break;
                }
                Err(JournalError::Stale { .. }) => {
                    lost += 1;
                    for commit in journal.read(&context("shared"), log.state().seq()).await.unwrap() {
                        log.push(commit).unwrap();
                    }
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    lost
}

#[wasm_bindgen_test]
async fn two_writers_lose_nothing() {
    let database = fresh_name();
    let left = IndexedDbJournal::open(&database).await.unwrap();
    let right = IndexedDbJournal::open(&database).await.unwrap();
    let (lost_left, lost_right) = join(writer(left.clone(), "left", 200), writer(right, "right", 200)).await;
    assert!(lost_left + lost_right > 0, "the writers never met");
    let commits = stored(&left, "shared").await;
    assert!(commits.iter().map(|commit| commit.seq).eq(1..=400));
    let log = Log::replay(commits).unwrap();
    for name in ["left", "right"] {
        let mine = log.state().propositions().filter(|p| p.text.starts_with(name));
        let said: Vec<String> = mine.map(|p| p.text.clone()).collect();
        let expected: Vec<String> = (0..200).map(|n| format!("{name} {n}")).collect();
        assert_eq!(said, expected);
    }
}

#[wasm_bindgen_test]
async fn a_closed_database_has_kept_everything() {
    let database = fresh_name();
    let journal = IndexedDbJournal::open(&database).await.unwrap();
    let log = filled(&journal, "a", 3).await;
    drop(journal);
    let again = stored(&IndexedDbJournal::open(&database).await.unwrap(), "a").await;
    assert!(again.iter().eq(log.commits().iter().map(|commit| &**commit)));
}

#[wasm_bindgen_test]
async fn logs_longer_than_one_request_come_whole() {
    let journal = fresh().await;
    filled(&journal, "long", 513).await;
    assert!(stored(&journal, "long").await.iter().map(|commit| commit.seq).eq(1..=513));
    let rest = journal.read(&context("long"), 100).await.unwrap();
    assert!(rest.iter().map(|commit| commit.seq).eq(101..=513));
}

#[wasm_bindgen_test]
async fn more_vectors_than_one_request_come_whole() {
    let journal = fresh().await;
    let vector = |n: u16| StoredVector {
        text: credence::history::ContentId::of_text(&n.to_string()),
        vector: vec![f32::from(n), 0.5],
    };
    let vectors: Vec<StoredVector> = (0..9000).map(vector).collect();
    journal.save_vectors(&context("a"), "space", &vectors).await.unwrap();
    journal.save_vectors(&context("a"), "space2", &vectors[..1]).await.unwrap();
    let mut kept = journal.vectors(&context("a"), "space").await.unwrap();
    kept.sort_by(|a, b| a.vector[0].total_cmp(&b.vector[0]));
    assert_eq!(kept, vectors);
}

//! The books of the numbered facts: see `support/coverage.rs` for the rule.

use std::path::Path;

use credence_tests::coverage::{Book, Coverage};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests' folder lies in the checkout")
}

/// Counts a book, says so, and sees that nothing is wrong with it.
fn counted(book: Book) -> Coverage {
    let coverage = Coverage::of(root(), book).expect("the checkout can be read");
    println!(
        "{} covered, {} deviated, {} later, {} missing: {:?}",
        coverage.covered.len(),
        coverage.deviated.len(),
        coverage.later.len(),
        coverage.missing.len(),
        coverage.missing
    );
    assert_eq!(coverage.problems, [""; 0]);
    coverage
}

#[test]
fn every_fact_of_knowledge_is_held_and_every_deviation_has_its_test() {
    let missing = counted(Book::KNOWLEDGE).missing;
    assert!(
        missing.is_empty(),
        "facts {missing:?} have neither a test of their number, nor a deviation, nor a reason to wait"
    );
}

#[test]
fn the_book_of_the_working_set_names_facts_and_tests_that_there_are() {
    let coverage = counted(Book::WORKING_SET);
    let all = [&coverage.covered, &coverage.deviated, &coverage.later, &coverage.missing];
    assert_eq!(all.map(|set| set.len()).iter().sum::<usize>(), 225);
}

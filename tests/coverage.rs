//! The books of the numbered facts: see `support/coverage.rs` for the rule.

use std::path::Path;

use credence_tests::coverage::Coverage;

#[test]
fn every_fact_is_held_and_every_deviation_has_its_test() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests' folder lies in the checkout");
    let coverage = Coverage::of(root).expect("the checkout can be read");
    println!(
        "{} covered, {} deviated, {} later, {} missing: {:?}",
        coverage.covered.len(),
        coverage.deviated.len(),
        coverage.later.len(),
        coverage.missing.len(),
        coverage.missing
    );
    assert_eq!(coverage.problems, [""; 0]);
    assert!(
        coverage.missing.is_empty(),
        "facts {:?} have neither a test of their number, nor a deviation, nor a reason to wait",
        coverage.missing
    );
}

//! The statistics give what scipy gives: `tests/fixtures/statistics.json` holds the vectors and scipy's figures.

#[path = "../examples/scenarios/scipy.rs"]
mod scipy;

#[test]
fn statistics_equal_scipys() {
    let figures = scipy::compare().expect("the fixture");
    assert!(figures.len() > 700, "only {} figures were compared", figures.len());
    let wrong: Vec<String> = figures
        .iter()
        .filter(|figure| figure.off() > 1e-10)
        .map(|figure| format!("{}: {:?} beside {:?}", figure.place, figure.ours, figure.theirs))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), figures.len(), wrong.join("\n"));
    let worst = figures.iter().map(scipy::Figure::off).fold(0.0, f64::max);
    println!("{} figures, the largest difference {worst:e}", figures.len());
}

//! Many tests at once: p-values that account for their number.
//!
//! Source: Benjamini and Hochberg (1995), step-up, made monotone, at most 1.

/// Corrected p-values in the order given. A test that had no p-value has none afterwards and does not count.
pub fn benjamini_hochberg(p: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<(usize, f64)> =
        p.iter().enumerate().filter_map(|(at, p)| p.filter(|p| p.is_finite()).map(|p| (at, p))).collect();
    order.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let tests = order.len() as f64;
    let mut corrected = vec![None; p.len()];
    let mut least = 1.0_f64;
    for (rank, (at, p)) in order.into_iter().enumerate().rev() {
        least = least.min(p * tests / (rank + 1) as f64);
        corrected[at] = Some(least);
    }
    corrected
}

/// `***` below 0.001, `**` below 0.01, `*` below 0.05, else `ns`.
pub fn stars(p: f64) -> &'static str {
    match p {
        p if p < 0.001 => "***",
        p if p < 0.01 => "**",
        p if p < 0.05 => "*",
        _ => "ns",
    }
}

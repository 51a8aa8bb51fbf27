//! The numbered facts of statistics, and what they do not say. The functions themselves are held against scipy in `tests/scipy.rs`.

use super::*;

fn sample(values: &[f64]) -> Summary {
    Summary::of(values.iter().copied().map(Some))
}

fn near(value: Option<f64>, wanted: f64, within: f64) {
    let value = value.expect("a figure");
    assert!((value - wanted).abs() <= within, "{value} is not {wanted}");
}

/// As the published reports give them: the spread of the population.
fn published(mean: f64, population_sd: f64, n: u32) -> Moments {
    let n_of = f64::from(n);
    Moments { n, mean, sd: population_sd * libm::sqrt(n_of / (n_of - 1.0)) }
}

const AS_PUBLISHED: Approximation = Approximation { ties: false, continuity: false };

#[test]
fn sim_64_a_sample_is_described() {
    let of = sample(&[80.0, 90.0, 100.0]);
    near(of.population_sd, 8.165, 5e-4);
    assert_eq!((of.mean, of.median, of.min, of.max), (Some(90.0), Some(90.0), Some(80.0), Some(100.0)));
    assert_eq!((of.n, of.sd), (3, Some(10.0)));
    let one = sample(&[80.0]);
    assert_eq!((one.population_sd, one.sd, one.variation()), (Some(0.0), None, None));
    assert_eq!(Summary::of([]), Summary::default());
}

#[test]
fn sim_65_what_is_no_number_is_left_out_and_counted() {
    let of = Summary::of([Some(f64::NAN), None, Some(5.0)]);
    assert_eq!((of.n, of.skipped, of.mean), (1, 2, Some(5.0)));
    let none = Summary::of([Some(f64::NAN), Some(f64::INFINITY), None]);
    assert_eq!((none.n, none.skipped, none.mean, none.p95), (0, 3, None, None));
    assert_eq!(serde_json::to_value(none).unwrap()["mean"], serde_json::Value::Null);
}

#[test]
fn sim_66_the_median_and_the_95th_percentile() {
    assert_eq!(sample(&[4.0, 1.0, 3.0, 2.0]).median, Some(2.5));
    assert_eq!(sample(&[10.0, 20.0, 30.0, 40.0, 50.0]).p95, Some(48.0));
}

#[test]
fn sim_66_a_strategy_that_a_run_did_not_use_is_no_zero() {
    let of = Summary::of([Some(0.5), Some(0.3), None]);
    near(of.mean, 0.4, 1e-15);
    assert_eq!((of.n, of.skipped), (2, 1));
}

#[test]
fn sim_67_a_metric_that_varies_much() {
    let of = |mean: f64, sd: f64| Summary { n: 9, mean: Some(mean), sd: Some(sd), ..Summary::default() };
    assert_eq!((of(100.0, 60.0).variation(), of(100.0, 60.0).varies_much()), (Some(0.6), true));
    assert!(!of(100.0, 50.0).varies_much());
    assert_eq!(of(-100.0, 60.0).variation(), Some(0.6));
    assert_eq!((of(0.0, 3.0).variation(), of(0.0, 3.0).varies_much()), (Some(0.0), false));
}

#[test]
fn sim_68_the_interval_of_a_mean_is_students() {
    let Moments { sd, .. } = published(0.85, 0.05, 10);
    // The published half width is 1.96 standard errors, which ten values do not justify.
    near(Some(1.96 * sd / libm::sqrt(10.0)), 0.032_667, 5e-7);
    let of = Summary { n: 10, mean: Some(0.85), sd: Some(sd), ..Summary::default() };
    let interval = mean_interval(&of, 0.95).unwrap();
    near(Some((interval.high - interval.low) / 2.0), 0.037_703, 5e-6);
    near(Some((interval.high + interval.low) / 2.0), 0.85, 1e-12);
    assert_eq!(mean_interval(&sample(&[0.85]), 0.95), None);
}

#[test]
fn sim_69_effects_have_words_and_none_without_spread() {
    let a = Moments { n: 10, mean: 90.0, sd: 0.0 };
    let b = Moments { n: 10, mean: 80.0, sd: 0.0 };
    assert_eq!((hedges_g(a, a), hedges_g(a, b)), (Some(0.0), None));
    assert_eq!((d_z(&[3.0, 3.0]), d_z(&[0.0, 0.0]), d_z(&[3.0])), (None, Some(0.0), None));
    let wide = Moments { sd: 12.0, ..a };
    near(hedges_g(wide, b).map(|g| g + hedges_g(b, wide).unwrap()), 0.0, 1e-15);
    assert_eq!(g_average(&[1.0, 2.0], &[1.0]), None);
    let words = [0.15, 0.35, 0.65, 1.2, -0.75].map(|g| Magnitude::of(g).word());
    assert_eq!(words, ["negligible", "small", "medium", "large", "medium"]);
}

#[test]
fn sim_70_the_published_ranks_test_and_ours() {
    let plain = |a: &[f64], b: &[f64]| mann_whitney_normal(a, b, AS_PUBLISHED);
    let far = plain(&[80.0; 10], &[60.0; 10]).unwrap();
    assert_eq!(far.u(), 0.0);
    near(Some(far.p), 0.000_157_1, 5e-8);
    near(plain(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).map(|test| test.p), 0.049_53, 5e-6);
    near(plain(&[5.0, 5.0], &[5.0, 5.0]).map(|test| test.p), 1.0, 0.0);
    let shared = plain(&[1.0, 2.0, 3.0, 4.0, 5.0], &[3.0, 4.0, 5.0, 6.0, 7.0]).unwrap();
    assert_eq!(shared.u(), 4.5);
    near(Some(shared.p), 0.094_69, 5e-6);
    near(plain(&[10.0, 10.0], &[20.0, 20.0]).map(|test| test.p), 0.121_34, 5e-6);
    assert_eq!(plain(&[1.0], &[2.0, 3.0]), None);
}

#[test]
fn small_samples_are_counted_and_large_ones_corrected() {
    // Three values against three can be ordered in 20 ways: nothing below 0.1 can come of them.
    let ours = mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).unwrap();
    assert!(ours.exact);
    near(Some(ours.p), 0.1, 1e-12);
    assert!(!mann_whitney(&[80.0; 10], &[60.0; 10]).unwrap().exact);
    near(mann_whitney(&[5.0, 5.0], &[5.0, 5.0]).map(|test| test.p), 1.0, 0.0);
}

#[test]
fn sim_71_many_tests_are_corrected_together() {
    let corrected = |p: &[f64]| benjamini_hochberg(&p.iter().copied().map(Some).collect::<Vec<_>>());
    let all = corrected(&[0.01, 0.04, 0.03, 0.005]);
    for (ours, wanted) in all.iter().zip([0.02, 0.04, 0.04, 0.02]) {
        near(*ours, wanted, 1e-15);
    }
    for (ours, wanted) in corrected(&[0.001, 0.5, 0.02]).iter().zip([0.003, 0.5, 0.03]) {
        near(*ours, wanted, 1e-15);
    }
    assert_eq!([0.0009, 0.009, 0.04, 0.05].map(stars), ["***", "**", "*", "ns"]);
}

#[test]
fn a_test_without_a_p_value_leaves_the_others_as_they_are() {
    let all = benjamini_hochberg(&[Some(0.01), Some(0.04), Some(0.03), Some(0.005)]);
    let with_gaps = [Some(0.01), None, Some(0.04), Some(f64::NAN), Some(0.03), Some(0.005)];
    let corrected = benjamini_hochberg(&with_gaps);
    assert_eq!(
        corrected.iter().flatten().copied().collect::<Vec<_>>(),
        all.into_iter().flatten().collect::<Vec<_>>()
    );
    assert_eq!((corrected[1], corrected[3]), (None, None));
}

#[test]
fn sim_72_the_published_effects() {
    let d = |a: Moments, b: Moments, g: f64| g / (1.0 - 3.0 / (4.0 * f64::from(a.n + b.n - 2) - 1.0));
    let full = Moments { n: 100, mean: 92.0, sd: 10.496 };
    let none = Moments { n: 99, mean: 79.141, sd: 11.244 };
    let g = hedges_g(full, none).unwrap();
    near(Some(g), 1.177_93, 5e-5);
    near(Some(d(full, none, g)), 1.182_44, 5e-5);
    let full = published(86.0, 15.62, 10);
    let none = published(6.667, 9.428, 9);
    near(hedges_g(full, none), 5.489, 5e-4);
}

#[test]
fn pooling_keeps_the_spread_within_scenarios() {
    let easy = Moments { n: 3, mean: 100.0, sd: 1.0 };
    let hard = Moments { n: 3, mean: 20.0, sd: 3.0 };
    let pooled = Moments::pooled(&[easy, hard]).unwrap();
    assert_eq!((pooled.n, pooled.mean), (6, 60.0));
    near(Some(pooled.sd), libm::sqrt(5.0), 1e-12);
    assert_eq!(Moments::pooled(&[]), None);
    assert_eq!(Moments::pooled(&[easy]).map(|m| m.sd), Some(1.0));
}

#[test]
fn pairs_without_a_difference_say_nothing() {
    let all_zero = wilcoxon(&[0.0, 0.0]).unwrap();
    assert_eq!((all_zero.p, all_zero.pairs, all_zero.zeros), (1.0, 0, 2));
    assert_eq!(wilcoxon(&[]), None);
    // Six pairs of one sign and one size: 2 of the 64 assignments of signs are as far out.
    let same = wilcoxon(&[5.0, 5.0, 5.0, 0.0, 5.0, 5.0, 5.0]).unwrap();
    assert!(same.exact && same.zeros == 1 && (same.p - 2.0 / 64.0).abs() < 1e-15, "{same:?}");
    assert_eq!(paired_t(&[4.0, 4.0]), None);
    assert_eq!(paired_t(&[0.0, 0.0]).map(|test| test.p), Some(1.0));
}

#[test]
fn clusters_widen_an_interval_and_seeds_repeat_it() {
    let clusters: Vec<Vec<f64>> = (0..6).map(|k| vec![f64::from(k * k * k) * 3.7; 5]).collect();
    let one_by_one: Vec<Vec<f64>> = clusters.iter().flatten().map(|x| vec![*x]).collect();
    let of = |clusters: &[Vec<f64>], seed| bootstrap_mean(clusters, 0.95, 500, seed).unwrap();
    let (together, apart) = (of(&clusters, 1), of(&one_by_one, 1));
    assert!(together.high - together.low > 1.5 * (apart.high - apart.low), "{together:?} {apart:?}");
    assert_eq!(of(&clusters, 1), together);
    assert_ne!(of(&clusters, 2), together);
    assert_eq!(bootstrap_mean(&clusters[..1], 0.95, 500, 1), None);
    let equal = bootstrap_mean(&[vec![7.0], vec![7.0], vec![7.0]], 0.95, 500, 1).unwrap();
    assert_eq!((equal.low, equal.high), (7.0, 7.0));
}

#[test]
fn the_smallest_effect_shrinks_with_the_number_of_pairs() {
    let ten = smallest_effect(10, 0.05, 0.8).unwrap();
    let hundred = smallest_effect(100, 0.05, 0.8).unwrap();
    assert!(ten > 0.9 && hundred < 0.3, "{ten} {hundred}");
    assert_eq!((smallest_effect(1, 0.05, 0.8), smallest_effect(0, 0.05, 0.8)), (None, None));
}

//! The distributions behind the tests: normal, Student's t, and the noncentral t of power.
//!
//! Sources: normal distribution by libm's `erfc`; its quantile by AS 241 (Wichura 1988, PPND16); the regularised incomplete beta by its
//! continued fraction (DLMF 8.17.22) after Lentz; the noncentral t by AS 243 (Lenth 1989). Relative errors are about 1e-14, the
//! noncentral t's absolute error about 1e-12.

use std::f64::consts::{PI, SQRT_2};

/// P(Z ≤ x) of the standard normal distribution.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// The x with P(Z ≤ x) = `p`; `None` unless 0 < `p` < 1.
pub fn normal_quantile(p: f64) -> Option<f64> {
    if !(p > 0.0 && p < 1.0) {
        return None;
    }
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180_625 - q * q;
        return Some(q * ratio(&CENTRE_TOP, &CENTRE_BELOW, r));
    }
    let r = libm::sqrt(-libm::log(if q < 0.0 { p } else { 1.0 - p }));
    let x = if r <= 5.0 {
        ratio(&MIDDLE_TOP, &MIDDLE_BELOW, r - 1.6)
    } else {
        ratio(&TAIL_TOP, &TAIL_BELOW, r - 5.0)
    };
    Some(if q < 0.0 { -x } else { x })
}

fn ratio(top: &[f64; 8], below: &[f64; 8], x: f64) -> f64 {
    let value = |coefficients: &[f64; 8]| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    value(top) / value(below)
}

/// Coefficients of AS 241, ascending.
const CENTRE_TOP: [f64; 8] = [
    3.387_132_872_796_366_5,
    1.331_416_678_917_843_8e2,
    1.971_590_950_306_551_3e3,
    1.373_169_376_550_946e4,
    4.592_195_393_154_987e4,
    6.726_577_092_700_87e4,
    3.343_057_558_358_813e4,
    2.509_080_928_730_122_7e3,
];
const CENTRE_BELOW: [f64; 8] = [
    1.0,
    4.231_333_070_160_091e1,
    6.871_870_074_920_579e2,
    5.394_196_021_424_751e3,
    2.121_379_430_158_659_7e4,
    3.930_789_580_009_271e4,
    2.872_908_573_572_194_3e4,
    5.226_495_278_852_545e3,
];
const MIDDLE_TOP: [f64; 8] = [
    1.423_437_110_749_683_5,
    4.630_337_846_156_546,
    5.769_497_221_460_691,
    3.647_848_324_763_204_5,
    1.270_458_252_452_368_4,
    2.417_807_251_774_506e-1,
    2.272_384_498_926_918_4e-2,
    7.745_450_142_783_414e-4,
];
const MIDDLE_BELOW: [f64; 8] = [
    1.0,
    2.053_191_626_637_759,
    1.676_384_830_183_803_8,
    6.897_673_349_851e-1,
    1.481_039_764_274_800_8e-1,
    1.519_866_656_361_645_7e-2,
    5.475_938_084_995_345e-4,
    1.050_750_071_644_416_9e-9,
];
const TAIL_TOP: [f64; 8] = [
    6.657_904_643_501_103,
    5.463_784_911_164_114,
    1.784_826_539_917_291_3,
    2.965_605_718_285_048_7e-1,
    2.653_218_952_657_612_4e-2,
    1.242_660_947_388_078_4e-3,
    2.711_555_568_743_487_6e-5,
    2.010_334_399_292_288_1e-7,
];
const TAIL_BELOW: [f64; 8] = [
    1.0,
    5.998_322_065_558_88e-1,
    1.369_298_809_227_358e-1,
    1.487_536_129_085_061_5e-2,
    7.868_691_311_456_133e-4,
    1.846_318_317_510_054_8e-5,
    1.421_511_758_316_446e-7,
    2.044_263_103_389_939_8e-15,
];

/// The regularised incomplete beta function Iₓ(a, b) for a, b > 0 and x clamped to 0..1.
pub fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges quickly on the near side of the mean; the far side is the complement.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let ln_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = libm::exp(a * libm::log(x) + b * libm::log1p(-x) - ln_beta) / a;
    front * fraction(a, b, x)
}

/// The continued fraction of [`incomplete_beta`], after Lentz.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for step in 1..=500 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut last = 1.0;
        for term in [even, odd] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            last = c * d;
            value *= last;
        }
        if (last - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}

/// P(T ≤ x) of Student's t with `freedom` > 0 degrees of freedom.
pub fn t_cdf(x: f64, freedom: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + x * x));
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// The x with P(T ≤ x) = `p`; `None` unless 0 < `p` < 1 and `freedom` > 0.
pub fn t_quantile(p: f64, freedom: f64) -> Option<f64> {
    if !(p > 0.0 && p < 1.0 && freedom > 0.0) {
        return None;
    }
    if p < 0.5 {
        return t_quantile(1.0 - p, freedom).map(|x| -x);
    }
    let mut high = 1.0;
    while t_cdf(high, freedom) < p && high < 1e12 {
        high *= 2.0;
    }
    Some(crossing(0.0, high, |x| t_cdf(x, freedom) >= p))
}

/// Where `reached` becomes true between two numbers, to the last bit that halving can tell.
pub(super) fn crossing(mut low: f64, mut high: f64, reached: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if reached(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    0.5 * (low + high)
}

/// P(T ≤ x) of the noncentral t with `freedom` > 0 degrees of freedom and noncentrality `shift`, which may be up to about 37 either way.
pub fn t_noncentral_cdf(x: f64, freedom: f64, shift: f64) -> f64 {
    if x < 0.0 {
        return 1.0 - t_noncentral_cdf(-x, freedom, -shift);
    }
    let mut value = normal_cdf(-shift);
    let y = x * x / (x * x + freedom);
    if y > 0.0 {
        let half = shift * shift / 2.0;
        let b = freedom / 2.0;
        let mut p = 0.5 * libm::exp(-half);
        let mut q = libm::sqrt(2.0 / PI) * p * shift;
        let mut left = 0.5 - p;
        let mut a = 0.5;
        // Iᵧ(a, b) falls as a grows; each is taken from the one before by the recurrence in a.
        let mut odd = incomplete_beta(a, b, y);
        let ln_beta = libm::lgamma(0.5) + libm::lgamma(b) - libm::lgamma(b + 0.5);
        let rest = libm::exp(b * libm::log1p(-y));
        let mut odd_step = 2.0 * rest * libm::exp(a * libm::log(y) - ln_beta);
        let mut even = 1.0 - rest;
        let mut even_step = b * y * rest;
        value += p * odd + q * even;
        for step in 1..=2000 {
            let n = f64::from(step);
            a += 1.0;
            odd -= odd_step;
            even -= even_step;
            odd_step *= y * (a + b - 1.0) / a;
            even_step *= y * (a + b - 0.5) / (a + 0.5);
            p *= half / n;
            q *= half / (n + 0.5);
            left -= p;
            value += p * odd + q * even;
            if 2.0 * left * (odd - odd_step) < 1e-14 {
                break;
            }
        }
    }
    value.clamp(0.0, 1.0)
}

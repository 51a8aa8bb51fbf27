//! Numbers as models write them into JSON, read leniently: bare, in a string, in brackets, as a percentage. What is none is
//! `None`, never a guess.

use serde_json::Value;

/// A small number that was shown to the model: `3`, `"3"`, `"[3]"`.
pub fn whole(value: &Value) -> Option<usize> {
    match value {
        Value::Number(n) => usize::try_from(n.as_u64()?).ok(),
        Value::String(s) => s.trim().trim_matches(['[', ']']).parse().ok(),
        _ => None,
    }
}

/// A number that counts from 1, as a place from 0.
pub fn place(value: &Value) -> Option<usize> {
    whole(value)?.checked_sub(1)
}

/// A share, clamped to 0 to 1: `0.9`, `"0.9"`, `"90%"`.
pub fn share(value: &Value) -> Option<f64> {
    let share = match value {
        Value::Number(n) => n.as_f64()?,
        Value::String(s) => match s.trim().strip_suffix('%') {
            Some(percent) => percent.trim().parse::<f64>().ok()? / 100.0,
            None => s.trim().parse().ok()?,
        },
        _ => return None,
    };
    share.is_finite().then(|| share.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_read_however_they_are_written() {
        for (value, number) in [
            (json!(3), Some(3)),
            (json!(" 3 "), Some(3)),
            (json!("[3]"), Some(3)),
            (json!(0), Some(0)),
            (json!(-1), None),
            (json!(1.5), None),
            (json!("three"), None),
            (json!([3]), None),
        ] {
            assert_eq!(whole(&value), number, "{value}");
        }
        assert_eq!((place(&json!("1")), place(&json!(0))), (Some(0), None));
    }

    #[test]
    fn shares_stay_within_their_range() {
        for (value, number) in [
            (json!(0.9), Some(0.9)),
            (json!("0.9"), Some(0.9)),
            (json!("90 %"), Some(0.9)),
            (json!(7), Some(1.0)),
            (json!(-0.5), Some(0.0)),
            (json!("NaN"), None),
            (json!("inf"), None),
            (json!("high"), None),
            (json!(null), None),
        ] {
            assert_eq!(share(&value), number, "{value}");
        }
    }
}

//! Numbers, sizes and dates as people read them.

use credence::time::{Moment, Timestamp};
use js_sys::Date;
use wasm_bindgen::JsValue;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

struct Civil {
    year: u32,
    month: usize,
    day: u32,
    hour: u32,
    minute: u32,
}

fn civil(ms: i64, offset_minutes: i32) -> Civil {
    // Below 2^53 for every date that can be shown.
    let date = Date::new(&JsValue::from_f64((ms + i64::from(offset_minutes) * 60_000) as f64));
    Civil {
        year: date.get_utc_full_year(),
        month: date.get_utc_month() as usize % 12,
        day: date.get_utc_date(),
        hour: date.get_utc_hours(),
        minute: date.get_utc_minutes(),
    }
}

/// Minutes east of UTC at that instant, where the reader is.
fn here(at: Timestamp) -> i32 {
    -(Date::new(&JsValue::from_f64(at.0 as f64)).get_timezone_offset() as i32)
}

/// `30 Nov 2026`, where it was said.
pub(crate) fn day(at: Moment) -> String {
    let date = civil(at.at.0, at.offset_minutes);
    format!("{} {} {}", date.day, MONTHS[date.month], date.year)
}

/// `30 Nov 2026, 14:05`, where it was said.
pub(crate) fn moment(at: Moment) -> String {
    let date = civil(at.at.0, at.offset_minutes);
    format!("{}, {:02}:{:02}", day(at), date.hour, date.minute)
}

/// A stored instant where the reader is.
pub(crate) fn instant(at: Timestamp) -> String {
    moment(Moment { at, offset_minutes: here(at) })
}

/// A stored instant's day where the reader is.
pub(crate) fn instant_day(at: Timestamp) -> String {
    day(Moment { at, offset_minutes: here(at) })
}

/// The day that a date field names, where the reader is: from its first instant to the next day's.
pub(crate) fn day_here(field: &str) -> Option<(Timestamp, Timestamp)> {
    let mut parts = field.split('-').map(|part| part.parse::<i32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let year = u32::try_from(year).ok()?;
    // The calendar carries on over the end of a month, and over a night that is longer or shorter.
    let midnight = |day| Date::new_with_year_month_day(year, month - 1, day).get_time();
    let (from, to) = (midnight(day), midnight(day + 1));
    (from.is_finite() && to.is_finite()).then_some((Timestamp(from as i64), Timestamp(to as i64)))
}

/// A stored instant's day where the reader is, as a date field holds it.
pub(crate) fn day_field(at: Timestamp) -> String {
    let date = civil(at.0, here(at));
    format!("{:04}-{:02}-{:02}", date.year, date.month + 1, date.day)
}

/// For lists: the time today, `yesterday`, else the day.
pub(crate) fn recent(at: Timestamp, now: Moment) -> String {
    let then = Moment { at, offset_minutes: now.offset_minutes };
    let days =
        |moment: Moment| (moment.at.0 + i64::from(moment.offset_minutes) * 60_000).div_euclid(86_400_000);
    match days(now) - days(then) {
        0 => {
            let date = civil(at.0, now.offset_minutes);
            format!("{:02}:{:02}", date.hour, date.minute)
        }
        1 => "yesterday".to_owned(),
        _ => day(then),
    }
}

/// `82 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.0}\u{202f}%", share * 100.0)
}

/// An error's words as a sentence of their own.
pub(crate) fn sentence(words: &str) -> String {
    let mut rest = words.chars();
    match rest.next() {
        Some(first) => first.to_uppercase().chain(rest).collect(),
        None => String::new(),
    }
}

/// `3.2 MB`.
pub(crate) fn bytes(count: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KB", "MB", "GB", "TB"];
    let mut value = count.max(0.0);
    let mut unit = 0;
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 || value >= 100.0 {
        format!("{value:.0} {}", UNITS[unit])
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

/// `1 turn`, `2 turns`, `12,000 turns`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// `12,000`.
pub(crate) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use credence::time::{Moment, Timestamp};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test]
    fn dates_are_those_of_the_speaker() {
        let at = Timestamp::parse("2026-03-08T00:30:00+08:00").unwrap();
        assert_eq!(moment(Moment { at, offset_minutes: 480 }), "8 Mar 2026, 00:30");
        assert_eq!(day(Moment::utc(at)), "7 Mar 2026");
        let now = Moment::utc(Timestamp::parse("2026-03-08T09:00:00Z").unwrap());
        assert_eq!(recent(at, now), "yesterday");
    }

    #[wasm_bindgen_test]
    fn counts_and_sizes_read_well() {
        assert_eq!(count(1, "turn", "turns"), "1 turn");
        assert_eq!(count(12_000, "turn", "turns"), "12,000 turns");
        assert_eq!(bytes(999.0), "999 B");
        assert_eq!(bytes(3_200_000.0), "3.2 MB");
    }
}

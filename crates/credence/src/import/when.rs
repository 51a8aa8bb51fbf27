//! Dates as chat exports write them.

use chrono::{NaiveDate, NaiveDateTime};

use crate::time::{Moment, Timestamp};

/// Civil times that exports use, read in the reader's own offset: nothing better is known.
const FORMATS: [&str; 12] = [
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S",
    "%d/%m/%Y, %H:%M:%S",
    "%d/%m/%Y, %H:%M",
    "%d.%m.%Y, %H:%M:%S",
    "%d.%m.%Y, %H:%M",
    "%d.%m.%y, %H:%M",
    "%d/%m/%y, %H:%M",
    "%I:%M %p on %d %B, %Y",
    "%d %B %Y %H:%M",
    "%B %d, %Y %H:%M",
];

/// Reads a time with an offset (RFC 3339), or a civil time or date in `now`'s offset.
pub(super) fn read_when(text: &str, now: Moment) -> Option<Moment> {
    let text = text.trim();
    if let Ok(at) = chrono::DateTime::parse_from_rfc3339(text) {
        let offset_minutes = at.offset().local_minus_utc() / 60;
        return Some(Moment { at: Timestamp(at.timestamp_millis()), offset_minutes });
    }
    let civil = FORMATS
        .iter()
        .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())
        .or_else(|| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(12, 0, 0))?;
    let utc_ms = civil.and_utc().timestamp_millis() - i64::from(now.offset_minutes) * 60_000;
    Some(Moment { at: Timestamp(utc_ms), offset_minutes: now.offset_minutes })
}

/// Reads a number of seconds or milliseconds since 1970; which, is told by its size.
pub(super) fn read_epoch(number: f64, now: Moment) -> Option<Moment> {
    if !number.is_finite() || number < 1.0e8 {
        return None;
    }
    let ms = if number < 1.0e11 { number * 1000.0 } else { number };
    Some(Moment { at: Timestamp(ms as i64), offset_minutes: now.offset_minutes })
}

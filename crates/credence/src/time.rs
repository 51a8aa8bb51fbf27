//! Instants, and the civil date a person would name for them. The core is given "now" by the `Clock`
//! port; nothing here reads a clock.

use std::fmt;

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01T00:00:00Z. Serialised as a plain number (below 2^53 until year 287396).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// Milliseconds in a day.
pub const DAY_MS: i64 = 86_400_000;

impl Timestamp {
    /// The instant `ms` milliseconds later; saturates at the ends of the range.
    pub fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }
    /// Whole days from `self` to `later`, truncated, 0 when `later` is earlier (dice 1.4).
    pub fn whole_days_to(self, later: Self) -> f64 {
        (later.0.saturating_sub(self.0).max(0) / DAY_MS) as f64
    }
    /// Days from `self` to `later` with their fraction, 0 when `later` is earlier.
    pub fn fractional_days_to(self, later: Self) -> f64 {
        later.0.saturating_sub(self.0).max(0) as f64 / DAY_MS as f64
    }
    /// RFC 3339 in UTC with milliseconds; out-of-range instants print their number.
    pub fn to_rfc3339(self) -> String {
        match DateTime::<Utc>::from_timestamp_millis(self.0) {
            Some(at) => at.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(),
            None => format!("{}ms", self.0),
        }
    }
    /// Reads RFC 3339 with any offset, or a bare `YYYY-MM-DD` (midnight UTC).
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(at) = DateTime::parse_from_rfc3339(text.trim()) {
            return Some(Self(at.timestamp_millis()));
        }
        let date = NaiveDate::parse_from_str(text.trim(), "%Y-%m-%d").ok()?;
        Some(Self(date.and_hms_opt(0, 0, 0)?.and_utc().timestamp_millis()))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_rfc3339())
    }
}

/// An instant together with the offset that the person's clock showed, so that "today" keeps meaning
/// the day it meant when it was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Moment {
    /// The instant, in UTC.
    pub at: Timestamp,
    /// Minutes east of UTC, -1080 to 1080.
    #[serde(default)]
    pub offset_minutes: i32,
}

impl Moment {
    /// A moment in UTC.
    pub fn utc(at: Timestamp) -> Self {
        Self { at, offset_minutes: 0 }
    }
    fn local(self) -> Option<DateTime<FixedOffset>> {
        let zone = FixedOffset::east_opt(self.offset_minutes.clamp(-1080, 1080) * 60)?;
        Some(DateTime::<Utc>::from_timestamp_millis(self.at.0)?.with_timezone(&zone))
    }
    /// The civil date where it was said.
    pub fn date(self) -> Option<NaiveDate> {
        self.local().map(|at| at.date_naive())
    }
    /// The instant at which a day began where it was said.
    pub fn midnight(self, day: NaiveDate) -> Timestamp {
        let utc = day.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_millis();
        Timestamp(utc - i64::from(self.offset_minutes.clamp(-1080, 1080)) * 60_000)
    }
    /// The civil date `days` away, for "yesterday" and "tomorrow".
    pub fn date_offset(self, days: i64) -> Option<NaiveDate> {
        self.date()?.checked_add_signed(TimeDelta::try_days(days)?)
    }
    /// `YYYY-MM-DD` where it was said.
    pub fn date_text(self) -> String {
        self.date().map(|d| d.format("%Y-%m-%d").to_string()).unwrap_or_default()
    }
    /// The weekday's English name and date, as prompts show it: `Sunday, 2026-03-08`.
    pub fn long_date_text(self) -> String {
        self.date().map(|d| d.format("%A, %Y-%m-%d").to_string()).unwrap_or_default()
    }
    /// Weekday, date and offset, as prompts show them: `Sunday, 2026-03-08, UTC+08:00`.
    pub fn zoned_date_text(self) -> String {
        let zone = |at: DateTime<FixedOffset>| match at.offset().local_minus_utc() {
            0 => "UTC".to_owned(),
            _ => format!("UTC{}", at.offset()),
        };
        self.local().map(|at| format!("{}, {}", self.long_date_text(), zone(at))).unwrap_or_default()
    }
    /// The civil year, for "last year".
    pub fn year(self) -> Option<i32> {
        self.date().map(|d| d.year())
    }
    /// RFC 3339 with the offset.
    pub fn to_rfc3339(self) -> String {
        self.local().map(|at| at.to_rfc3339()).unwrap_or_else(|| self.at.to_rfc3339())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_truncate_and_never_go_negative() {
        let t = Timestamp(0);
        assert_eq!(t.whole_days_to(Timestamp(DAY_MS - 60_000)), 0.0);
        assert_eq!(t.whole_days_to(Timestamp(2 * DAY_MS)), 2.0);
        assert_eq!(Timestamp(DAY_MS).whole_days_to(t), 0.0);
        assert_eq!(t.fractional_days_to(Timestamp(DAY_MS / 2)), 0.5);
    }

    #[test]
    fn the_date_is_the_speakers_own() {
        let at = Timestamp::parse("2026-03-08T00:30:00+08:00").unwrap();
        assert_eq!(at.to_rfc3339(), "2026-03-07T16:30:00.000Z");
        assert_eq!(Moment { at, offset_minutes: 480 }.date_text(), "2026-03-08");
        assert_eq!(Moment::utc(at).date_text(), "2026-03-07");
        let zoned = [480, 0, -210].map(|offset_minutes| Moment { at, offset_minutes }.zoned_date_text());
        assert_eq!(
            zoned,
            ["Sunday, 2026-03-08, UTC+08:00", "Saturday, 2026-03-07, UTC", "Saturday, 2026-03-07, UTC-03:30"]
        );
        assert_eq!(Moment { at, offset_minutes: 480 }.date_offset(-1).unwrap().to_string(), "2026-03-07");
    }
}

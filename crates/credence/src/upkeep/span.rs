//! A length of time in the settings, written as the founding document writes it: `PT5M` (ISO 8601, days to seconds).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A length of time in whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u32);

impl Span {
    /// So many seconds.
    pub const fn seconds(seconds: u32) -> Self {
        Self(seconds)
    }
    /// So many minutes; at most what 32 bits of seconds hold.
    pub const fn minutes(minutes: u32) -> Self {
        Self(minutes.saturating_mul(60))
    }
    /// In seconds.
    pub const fn as_seconds(self) -> u32 {
        self.0
    }
    /// In milliseconds.
    pub fn as_millis(self) -> i64 {
        i64::from(self.0) * 1000
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hours, minutes, seconds) = (self.0 / 3600, self.0 / 60 % 60, self.0 % 60);
        f.write_str("PT")?;
        for (amount, unit) in [(hours, 'H'), (minutes, 'M')] {
            if amount > 0 {
                write!(f, "{amount}{unit}")?;
            }
        }
        if seconds > 0 || self.0 == 0 { write!(f, "{seconds}S") } else { Ok(()) }
    }
}

impl FromStr for Span {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("a length of time is written like PT5M, got {text:?}");
        let rest = text.trim().strip_prefix('P').ok_or_else(refused)?;
        let (days, time) = rest.split_once('T').unwrap_or((rest, ""));
        let mut total: Option<u32> = None;
        for (part, units) in [(days, &[('D', 86_400)][..]), (time, &[('H', 3600), ('M', 60), ('S', 1)][..])] {
            let mut rest = part;
            for (unit, worth) in units {
                if let Some((amount, after)) = rest.split_once(*unit) {
                    let amount: u32 = amount.parse().map_err(|_| refused())?;
                    let sum = amount.checked_mul(*worth).and_then(|s| s.checked_add(total.unwrap_or(0)));
                    total = Some(sum.ok_or_else(refused)?);
                    rest = after;
                }
            }
            if !rest.is_empty() {
                return Err(refused());
            }
        }
        total.map(Self).ok_or_else(refused)
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(d)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Span;

    #[test]
    fn lengths_are_read_and_written() {
        for (text, seconds, written) in [
            ("PT5M", 300, "PT5M"),
            ("PT90S", 90, "PT1M30S"),
            ("P1DT1H", 90_000, "PT25H"),
            ("PT0S", 0, "PT0S"),
            ("P2D", 172_800, "PT48H"),
        ] {
            let span: Span = text.parse().unwrap();
            assert_eq!((span.as_seconds(), span.to_string().as_str()), (seconds, written));
            assert_eq!(serde_json::from_str::<Span>(&format!("{written:?}")).unwrap(), span);
        }
        for wrong in ["", "5M", "PT", "P5M", "PT5", "PT-5M", "PT5M5H", "PT99999999999S"] {
            assert!(wrong.parse::<Span>().is_err(), "{wrong}");
        }
    }
}

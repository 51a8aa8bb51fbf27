//! The numbers of compaction, under the names that scenarios use (`compactionConfig`, core 8).

use serde::{Deserialize, Serialize};

/// Settings of compaction. Unknown members are ignored, missing ones take their default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompactionSettings {
    /// Whether earlier turns are summed up by themselves. Default off (core 8); a person can always ask for it.
    pub enabled: bool,
    /// Tokens of turns not yet summed up from which they are; 0 is off. Default 0 (core 8).
    pub token_threshold: u32,
    /// Turns not yet summed up from which they are; 0 is off. Default 0 (core 8).
    pub message_threshold: u32,
    /// Exchanges, from 1, after which turns are summed up whatever the thresholds. Default none (core 8).
    pub force_at_turns: Vec<u32>,
    /// The latest turns, which stay as they were said; 0 to 200. Default 4, two exchanges, chosen by us: a model answers the last
    /// question in its own words.
    pub keep_recent: u32,
    /// Least share of a fact's words that a summary must have; 0 to 1. Default 0.5 (core 8).
    pub min_match_ratio: f64,
    /// Further tries after a summary that lost a fact or a call that failed; 0 to 10. Default 2 (core 8).
    pub max_retries: u32,
    /// Milliseconds before the first further try, doubled with each; above 0. Default 1000 (core 8).
    pub retry_backoff_millis: i64,
    /// Most lines that the guideline learns from losses; 0 to 50. Default 12, chosen by us.
    pub guideline_lines: u32,
    /// Whether a summary is told as an event. Default on (core 8).
    pub events_enabled: bool,
}

impl Default for CompactionSettings {
    fn default() -> Self {
        Self {
            enabled: false,
            token_threshold: 0,
            message_threshold: 0,
            force_at_turns: Vec::new(),
            keep_recent: 4,
            min_match_ratio: 0.5,
            max_retries: 2,
            retry_backoff_millis: 1000,
            guideline_lines: 12,
            events_enabled: true,
        }
    }
}

/// Longest first wait, milliseconds: an hour.
const LONGEST_BACKOFF_MS: i64 = 3_600_000;

impl CompactionSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        if !(0.0..=1.0).contains(&self.min_match_ratio) {
            return Err(format!("compaction.min_match_ratio must be 0 to 1, got {}", self.min_match_ratio));
        }
        if !(1..=LONGEST_BACKOFF_MS).contains(&self.retry_backoff_millis) {
            return Err(format!(
                "compaction.retry_backoff_millis must be 1 to {LONGEST_BACKOFF_MS}, got {}",
                self.retry_backoff_millis
            ));
        }
        let whole = [
            ("keep_recent", self.keep_recent, 200),
            ("max_retries", self.max_retries, 10),
            ("guideline_lines", self.guideline_lines, 50),
        ];
        for (name, value, most) in whole {
            if value > most {
                return Err(format!("compaction.{name} must be 0 to {most}, got {value}"));
            }
        }
        if self.force_at_turns.contains(&0) {
            return Err("compaction.force_at_turns counts exchanges from 1, got 0".into());
        }
        Ok(())
    }

    /// Milliseconds before the `n`-th further try, from 1: `retry_backoff_millis * 2^(n - 1)`, an hour at most.
    pub(super) fn backoff_ms(&self, n: u32) -> u32 {
        let doubled = self.retry_backoff_millis.saturating_mul(1_i64 << n.saturating_sub(1).min(32));
        u32::try_from(doubled.clamp(0, LONGEST_BACKOFF_MS)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(change: impl FnOnce(&mut CompactionSettings), word: &str) {
        let mut settings = CompactionSettings::default();
        change(&mut settings);
        let error = settings.validate().unwrap_err();
        assert!(error.starts_with(&format!("compaction.{word} ")), "{error}");
    }

    #[test]
    fn core_192_what_is_out_of_range_is_refused() {
        refused(|s| s.min_match_ratio = -0.1, "min_match_ratio");
        refused(|s| s.min_match_ratio = 1.1, "min_match_ratio");
        refused(|s| s.min_match_ratio = f64::NAN, "min_match_ratio");
        let negative = serde_json::from_str::<CompactionSettings>(r#"{"max_retries": -1}"#);
        assert!(negative.is_err(), "{negative:?}");
        refused(|s| s.max_retries = 11, "max_retries");
        refused(|s| s.retry_backoff_millis = 0, "retry_backoff_millis");
        refused(|s| s.retry_backoff_millis = -500, "retry_backoff_millis");
        refused(|s| s.force_at_turns = vec![3, 0], "force_at_turns");
    }

    #[test]
    fn core_193_the_edges_are_accepted() {
        for (ratio, retries) in [(0.0, 0), (1.0, 0), (0.5, 10)] {
            let edge = CompactionSettings {
                min_match_ratio: ratio,
                max_retries: retries,
                ..CompactionSettings::default()
            };
            assert_eq!(edge.validate(), Ok(()));
        }
        assert_eq!(CompactionSettings::default().validate(), Ok(()));
    }

    #[test]
    fn prop_compaction_retry_backoff_millis_doubles() {
        let settings = CompactionSettings { retry_backoff_millis: 250, ..CompactionSettings::default() };
        assert_eq!([1, 2, 3].map(|n| settings.backoff_ms(n)), [250, 500, 1000]);
        assert_eq!(settings.backoff_ms(60), 3_600_000, "the wait has an end");
    }
}

//! The settings of ingestion.

use serde::{Deserialize, Serialize};

/// Settings of documents and long runs. Unknown members are ignored, missing ones take their default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct IngestConfig {
    /// Most characters of one passage of a document; 200 to 20,000. Default 1500 (dice 3.8).
    pub chunk_chars: u32,
    /// Most characters of the passage before that are shown as context; 0 to `chunk_chars` - 1. Default 200 (dice 3.8).
    pub chunk_overlap: u32,
    /// Passages of a document that are extracted at the same time; 1 to 4. Default 1. The windows of a conversation always follow one
    /// another, because each is read in the light of the ones before. A page that is closed loses at most this many replies that were
    /// paid for.
    pub parallel: u32,
    /// What the endpoint takes, for estimates in money; `None` gives tokens alone.
    pub price: Option<Price>,
}

/// What an endpoint takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Price {
    /// For a million tokens of prompts; not below 0.
    pub prompt_per_million: f64,
    /// For a million tokens of answers; not below 0.
    pub completion_per_million: f64,
    /// In what: `USD`, `EUR`, … Shown as it is.
    pub currency: String,
}

impl Default for IngestConfig {
    fn default() -> Self {
        Self { chunk_chars: 1500, chunk_overlap: 200, parallel: 1, price: None }
    }
}

impl IngestConfig {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let whole = [
            ("chunk_chars", self.chunk_chars, 200, 20_000),
            ("chunk_overlap", self.chunk_overlap, 0, self.chunk_chars.saturating_sub(1)),
            ("parallel", self.parallel, 1, 4),
        ];
        for (name, value, min, max) in whole {
            if value < min || value > max {
                return Err(format!("ingest.{name} must be {min} to {max}, got {value}"));
            }
        }
        let prices = self.price.iter().flat_map(|price| {
            [
                ("price.prompt_per_million", price.prompt_per_million),
                ("price.completion_per_million", price.completion_per_million),
            ]
        });
        for (name, value) in prices {
            if !(value.is_finite() && value >= 0.0) {
                return Err(format!("ingest.{name} must be 0 or more, got {value}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_82_batches_of_nothing_are_refused() {
        let refused = |config: IngestConfig| config.validate().unwrap_err();
        assert_eq!(
            refused(IngestConfig { parallel: 0, ..IngestConfig::default() }),
            "ingest.parallel must be 1 to 4, got 0"
        );
        let stuck = IngestConfig { chunk_overlap: 1500, ..IngestConfig::default() };
        assert_eq!(refused(stuck), "ingest.chunk_overlap must be 0 to 1499, got 1500");
        let price = Price { prompt_per_million: -1.0, completion_per_million: 0.0, currency: "EUR".into() };
        assert!(refused(IngestConfig { price: Some(price), ..IngestConfig::default() }).contains("prompt"));
        let whole = crate::config::Config {
            ingest: IngestConfig { parallel: 9, ..IngestConfig::default() },
            ..Default::default()
        };
        assert!(whole.validate().is_err(), "the memory's settings check these too");
        assert_eq!(IngestConfig::default().validate(), Ok(()));
    }
}

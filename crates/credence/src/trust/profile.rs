//! Domain profiles: how much each trust signal weighs, and where the zones begin.
//!
//! Three are built in (core 1.3); a host may add its own. Weights sum to 1, give or take 0.001. A profile is found by its name whatever
//! its case, and an unknown name gives BALANCED.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What trust is made of, in the order of audits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Signal {
    /// How far the best of its sources is to be believed.
    SourceAuthority,
    /// How sure the extraction was.
    ExtractionConfidence,
    /// Whether the working set says the same or the opposite.
    GraphConsistency,
    /// How many independent sources say it.
    Corroboration,
    /// How much it says that the working set does not.
    Novelty,
    /// How much it is about what the working set is about.
    Importance,
}

impl Signal {
    /// All, in the order of audits.
    pub const ALL: [Self; 6] = [
        Self::SourceAuthority,
        Self::ExtractionConfidence,
        Self::GraphConsistency,
        Self::Corroboration,
        Self::Novelty,
        Self::Importance,
    ];

    /// The name in settings and audits.
    pub fn name(self) -> &'static str {
        match self {
            Self::SourceAuthority => "sourceAuthority",
            Self::ExtractionConfidence => "extractionConfidence",
            Self::GraphConsistency => "graphConsistency",
            Self::Corroboration => "corroboration",
            Self::Novelty => "novelty",
            Self::Importance => "importance",
        }
    }
}

/// A profile that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// No name.
    #[error("a trust profile needs a name")]
    Unnamed,
    /// A weight outside 0 to 1.
    #[error("the weight of {signal} must be 0 to 1, got {weight}")]
    Weight {
        /// Which.
        signal: &'static str,
        /// What came.
        weight: f64,
    },
    /// Weights that do not share out the whole.
    #[error("the weights of trust profile {name} must sum to 1 (±0.001), they sum to {}", (sum * 1e6).round() / 1e6)]
    Sum {
        /// The profile.
        name: String,
        /// What they sum to.
        sum: f64,
    },
    /// Thresholds that do not fall.
    #[error(
        "the thresholds of trust profile {name} must fall from auto over review to archive within 0 to 1"
    )]
    Thresholds {
        /// The profile.
        name: String,
    },
}

/// Weights and zones for one kind of memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Form")]
pub struct DomainProfile {
    name: String,
    weights: BTreeMap<Signal, f64>,
    auto: f64,
    review: f64,
    archive: f64,
}

/// As it comes from outside, unchecked.
#[derive(Deserialize)]
struct Form {
    name: String,
    weights: BTreeMap<Signal, f64>,
    auto: f64,
    review: f64,
    archive: f64,
}

impl TryFrom<Form> for DomainProfile {
    type Error = ProfileError;
    fn try_from(form: Form) -> Result<Self, ProfileError> {
        Self::new(&form.name, form.weights, form.auto, form.review, form.archive)
    }
}

impl DomainProfile {
    /// A profile of one's own. Signals without a weight weigh nothing. `auto`, `review` and `archive` are scores, 0 to 1, that do
    /// not rise.
    ///
    /// # Errors
    /// A blank name, a weight outside 0 to 1, weights that do not sum to 1 (±0.001), thresholds that rise.
    pub fn new(
        name: &str,
        weights: BTreeMap<Signal, f64>,
        auto: f64,
        review: f64,
        archive: f64,
    ) -> Result<Self, ProfileError> {
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Err(ProfileError::Unnamed);
        }
        if let Some((signal, weight)) = weights.iter().find(|(_, weight)| !(0.0..=1.0).contains(*weight)) {
            return Err(ProfileError::Weight { signal: signal.name(), weight: *weight });
        }
        let sum: f64 = weights.values().sum();
        if (sum - 1.0).abs() > 0.001 {
            return Err(ProfileError::Sum { name, sum });
        }
        let within = [auto, review, archive].iter().all(|score| (0.0..=1.0).contains(score));
        if !within || auto < review || review < archive {
            return Err(ProfileError::Thresholds { name });
        }
        Ok(Self { name, weights, auto, review, archive })
    }

    /// What its parts weigh, in the order of [`Signal::ALL`]. For the built-in profiles, whose numbers a test checks.
    fn built_in(name: &str, weights: [f64; 6], [auto, review, archive]: [f64; 3]) -> Self {
        let weights = Signal::ALL.into_iter().zip(weights).collect();
        Self { name: name.to_owned(), weights, auto, review, archive }
    }
    /// For memories that must not be talked into anything: consistency weighs most.
    pub fn secure() -> Self {
        Self::built_in("SECURE", [0.18, 0.18, 0.36, 0.18, 0.05, 0.05], [0.85, 0.5, 0.3])
    }
    /// The default.
    pub fn balanced() -> Self {
        Self::built_in("BALANCED", [0.22, 0.22, 0.22, 0.22, 0.06, 0.06], [0.65, 0.4, 0.25])
    }
    /// For stories: who says it weighs most.
    pub fn narrative() -> Self {
        Self::built_in("NARRATIVE", [0.35, 0.25, 0.15, 0.15, 0.05, 0.05], [0.6, 0.35, 0.2])
    }
    /// A built-in profile by its name, whatever its case; `None` for another name.
    pub fn known(name: &str) -> Option<Self> {
        [Self::secure(), Self::balanced(), Self::narrative()]
            .into_iter()
            .find(|profile| profile.is_called(name))
    }
    /// A built-in profile by its name, whatever its case; BALANCED for any other (core 1.3).
    pub fn by_name(name: Option<&str>) -> Self {
        name.and_then(Self::known).unwrap_or_else(Self::balanced)
    }

    /// Whether this is its name, whatever the case.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.trim())
    }
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// A signal's weight, 0 to 1; 0 where it is not listed.
    pub fn weight(&self, signal: Signal) -> f64 {
        self.weights.get(&signal).copied().unwrap_or(0.0)
    }
    /// The score from which on a statement is promoted.
    pub fn auto(&self) -> f64 {
        self.auto
    }
    /// The score from which on a person is asked.
    pub fn review(&self) -> f64 {
        self.review
    }
    /// The score below which nobody is asked.
    pub fn archive(&self) -> f64 {
        self.archive
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(values: &[f64]) -> BTreeMap<Signal, f64> {
        Signal::ALL.into_iter().zip(values.iter().copied()).collect()
    }

    #[test]
    fn core_9_10_weights_sum_to_one() {
        let error = DomainProfile::new("mine", weights(&[0.5, 0.3]), 0.6, 0.4, 0.2).unwrap_err();
        assert!(error.to_string().contains("0.8"), "{error}");
        assert!(DomainProfile::new("mine", weights(&[0.5, 0.5]), 0.6, 0.4, 0.2).is_ok());
        assert!(DomainProfile::new("mine", weights(&[0.5, 0.5009]), 0.6, 0.4, 0.2).is_ok());
        assert!(DomainProfile::new("mine", weights(&[]), 0.6, 0.4, 0.2).is_err());
        let wrong = [
            DomainProfile::new(" ", weights(&[1.0]), 0.6, 0.4, 0.2),
            DomainProfile::new("mine", weights(&[1.5, -0.5]), 0.6, 0.4, 0.2),
            DomainProfile::new("mine", weights(&[f64::NAN]), 0.6, 0.4, 0.2),
            DomainProfile::new("mine", weights(&[1.0]), 0.4, 0.6, 0.2),
            DomainProfile::new("mine", weights(&[1.0]), 0.6, 0.4, f64::NAN),
        ];
        assert!(wrong.iter().all(Result::is_err), "{wrong:?}");
    }

    #[test]
    fn core_11_12_profiles_by_name() {
        let name = |asked| DomainProfile::by_name(asked).name().to_owned();
        let found = [Some("secure"), Some("Balanced"), Some("no such"), None].map(name);
        assert_eq!(found, ["SECURE", "BALANCED", "BALANCED", "BALANCED"]);
        assert!(DomainProfile::secure().auto() > DomainProfile::balanced().auto());
    }

    #[test]
    fn built_in_profiles_pass_the_check_and_survive_json() {
        for profile in [DomainProfile::secure(), DomainProfile::balanced(), DomainProfile::narrative()] {
            let json = serde_json::to_string(&profile).unwrap();
            assert_eq!(serde_json::from_str::<DomainProfile>(&json).unwrap(), profile);
        }
        let short = r#"{"name":"x","weights":{"sourceAuthority":0.4},"auto":0.6,"review":0.4,"archive":0.2}"#;
        assert!(serde_json::from_str::<DomainProfile>(short).unwrap_err().to_string().contains("0.4"));
    }
}

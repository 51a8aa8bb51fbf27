//! Trust: how near a source is to what it says, and how far its word is taken.
//!
//! A statement's [`AuthorityTier`] follows from where it came from, never from repetition or from a model. [`structural`] reads the
//! locators alone (dice 4.4). That is not enough here, because a conversation holds more voices than one: what the
//! assistant said in it, or a document that was read to it, would be as first-hand as the user's own word. So the tier that
//! a memory uses is the structural one, bounded by the voice (deviation D22):
//!
//! | voice | tier |
//! |---|---|
//! | the user | as the locators say; text without an address is what they typed, so it is first-hand |
//! | another person | SECONDARY at best: what they said of somebody is hearsay in this memory |
//! | a document or tool | SECONDARY at best |
//! | the assistant | DERIVED at best: it can only have said what it was given |
//!
//! A statement that rests on other statements and on no source of its own is DERIVED. The score follows from the tier and is kept
//! with the statement (`dice.trust.score`), so that queries and gates need not know the sources.
//!
//! Promotion into the working set asks more ([`evaluate`]): six signals, weighed by a profile, give a score with a zone and a ceiling of
//! authority, and an audit whose parts sum to the score. The tier is what a source starts with there where no host has set a
//! score for its exact id; how its statements fare moves it from then on.
//!
//! `profile` holds weights and thresholds, `source` who says things and how their word fared, `signal` what each signal says,
//! `evaluate` the score, `audit` what is kept of it, `reevaluate` a unit that is judged again.

mod audit;
mod evaluate;
mod profile;
mod reevaluate;
mod signal;
mod source;
#[cfg(test)]
mod tests;

pub use audit::{SignalAudit, TrustAudit, Zone};
pub use evaluate::{ceiling, evaluate};
pub use profile::{DomainProfile, ProfileError, Signal};
pub use reevaluate::{Reevaluated, audit_of, reevaluate};
pub use signal::{TrustInput, likeness};
pub use source::{
    PER_WITNESS, PRIOR_WEIGHT, SourceAuthority, SourceRecord, SourceRegistry, USER_SOURCE, sources_of,
};

use serde::{Deserialize, Serialize};

use crate::proposition::{Locator, Proposition, ProvenanceEntry, TRUST_SCORE, Voice};
use crate::time::Timestamp;

/// How near a source is to what it says; the lesser, the stronger (dice 4.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AuthorityTier {
    /// First-hand: the system or person that knows.
    Primary,
    /// Somebody who reports.
    Secondary,
    /// Made from other statements, or content that nobody answers for.
    Derived,
    /// Nothing says where it came from.
    Unknown,
}

/// The tier that locators alone give: a connector is PRIMARY, an address or file SECONDARY, bare content DERIVED; the strongest
/// of several counts, none is UNKNOWN.
pub fn structural(entries: &[ProvenanceEntry]) -> AuthorityTier {
    let tier = |entry: &ProvenanceEntry| match entry.locator {
        Locator::Connector { .. } => AuthorityTier::Primary,
        Locator::Uri { .. } | Locator::File { .. } => AuthorityTier::Secondary,
        Locator::Content { .. } => AuthorityTier::Derived,
    };
    entries.iter().map(tier).min().unwrap_or(AuthorityTier::Unknown)
}

/// How a statement's tier is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum AuthorityResolver {
    /// By its locators, bounded by whose words it rests on.
    #[default]
    Voice,
    /// By its locators alone (dice 4.4).
    Structural,
    /// The same for all, where a host knows its sources.
    Fixed {
        /// The tier.
        tier: AuthorityTier,
    },
}

impl AuthorityResolver {
    /// The tier of a statement.
    pub fn tier(self, proposition: &Proposition) -> AuthorityTier {
        let entries = &proposition.provenance;
        match self {
            Self::Fixed { tier } => tier,
            Self::Structural => structural(entries),
            Self::Voice if entries.is_empty() && !proposition.source_ids.is_empty() => AuthorityTier::Derived,
            Self::Voice => {
                let tier = structural(entries);
                match proposition.voice {
                    Voice::User if tier == AuthorityTier::Derived => AuthorityTier::Primary,
                    Voice::User => tier,
                    Voice::Other | Voice::Document => tier.max(AuthorityTier::Secondary),
                    Voice::Assistant => tier.max(AuthorityTier::Derived),
                }
            }
        }
    }
}

/// A score for each tier, 0 to 1; what lies outside counts as the nearer end (dice 4.4).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TierWeights {
    /// Default 0.9.
    pub primary: f64,
    /// Default 0.75.
    pub secondary: f64,
    /// Default 0.6.
    pub derived: f64,
    /// Default 0.5; also where there is no tier.
    pub unknown: f64,
}

impl Default for TierWeights {
    fn default() -> Self {
        Self { primary: 0.9, secondary: 0.75, derived: 0.6, unknown: 0.5 }
    }
}

impl TierWeights {
    /// The score of a tier.
    pub fn score(&self, tier: Option<AuthorityTier>) -> f64 {
        let weight = match tier {
            Some(AuthorityTier::Primary) => self.primary,
            Some(AuthorityTier::Secondary) => self.secondary,
            Some(AuthorityTier::Derived) => self.derived,
            Some(AuthorityTier::Unknown) | None => self.unknown,
        };
        if weight.is_nan() { Self::default().unknown } else { weight.clamp(0.0, 1.0) }
    }
}

/// How a statement is scored.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum TrustScorer {
    /// By its tier.
    Authority {
        /// What each tier is worth.
        #[serde(default)]
        weights: TierWeights,
    },
    /// 1 for all.
    Neutral,
}

impl Default for TrustScorer {
    fn default() -> Self {
        Self::Authority { weights: TierWeights::default() }
    }
}

/// Settings of trust. Default: scored by authority, which is found by locator and voice; promotion weighed by BALANCED.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TrustSettings {
    /// How the tier is found.
    pub authority: AuthorityResolver,
    /// How the score follows.
    pub scorer: TrustScorer,
    /// Whether promotion asks for trust at all; off, for ablations, everything scores 0.9. Default on (core 3.1).
    pub enabled: bool,
    /// The profile in force, by name: SECURE, BALANCED, NARRATIVE or one of `profiles`. Default BALANCED.
    pub profile: String,
    /// A host's own profiles. Default none.
    pub profiles: Vec<DomainProfile>,
    /// What is known of sources beforehand.
    pub source_authority: SourceAuthority,
}

impl Default for TrustSettings {
    fn default() -> Self {
        Self {
            authority: AuthorityResolver::default(),
            scorer: TrustScorer::default(),
            enabled: true,
            profile: "BALANCED".to_owned(),
            profiles: Vec::new(),
            source_authority: SourceAuthority::default(),
        }
    }
}

impl TrustSettings {
    /// The profile in force: a host's own by its name, else a built-in one, else BALANCED.
    pub fn profile(&self) -> DomainProfile {
        let own = self.profiles.iter().find(|profile| profile.is_called(&self.profile));
        own.cloned().unwrap_or_else(|| DomainProfile::by_name(Some(&self.profile)))
    }
    /// Checks every range.
    ///
    /// # Errors
    /// Names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let own = self.profiles.iter().any(|profile| profile.is_called(&self.profile));
        if !own && DomainProfile::known(&self.profile).is_none() {
            let name = &self.profile;
            return Err(format!(
                "trust.profile must be SECURE, BALANCED, NARRATIVE or one of trust.profiles, got {name}"
            ));
        }
        self.source_authority.validate()
    }
    /// The score of a statement as it stands, 0 to 1.
    pub fn score(&self, proposition: &Proposition) -> f64 {
        match &self.scorer {
            TrustScorer::Neutral => 1.0,
            TrustScorer::Authority { weights } => weights.score(Some(self.authority.tier(proposition))),
        }
    }

    /// The statement with its score kept; the very same one where that is so already. Content and its clock stay.
    pub fn scored(&self, proposition: Proposition, now: Timestamp) -> Proposition {
        let score = self.score(&proposition);
        if score_of(&proposition) == Some(score) {
            return proposition;
        }
        proposition.with_metadata_value(TRUST_SCORE, score, now)
    }
}

/// The score that is kept with a statement; `None` where there is none or it is no finite number.
pub fn score_of(proposition: &Proposition) -> Option<f64> {
    proposition.metadata.get(TRUST_SCORE)?.as_f64().filter(|score| score.is_finite())
}

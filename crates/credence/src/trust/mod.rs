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

mod audit;

pub use audit::{SignalAudit, TrustAudit, Zone};

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

/// Settings of trust. Default: scored by authority, which is found by locator and voice.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TrustSettings {
    /// How the tier is found.
    pub authority: AuthorityResolver,
    /// How the score follows.
    pub scorer: TrustScorer,
}

impl TrustSettings {
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

#[cfg(test)]
mod tests {
    use super::AuthorityTier::*;
    use super::*;
    use crate::id::PropositionId;
    use crate::proposition::Extractor;
    use crate::scale::Confidence;
    use uuid::Uuid;

    fn from(locators: &[Locator], voice: Voice) -> Proposition {
        let id = PropositionId::new(Uuid::from_u128(1));
        let confidence = Confidence::clamped(0.8);
        let mut p = Proposition::new(id, "Nia sails.", confidence, Extractor::Rules, Timestamp(5)).unwrap();
        p.voice = voice;
        p.provenance = locators.iter().cloned().map(ProvenanceEntry::at).collect();
        p
    }
    fn chat() -> Locator {
        Locator::connector("conversation", "V1", None).unwrap()
    }
    fn page() -> Locator {
        Locator::uri("https://x.example", None).unwrap()
    }
    fn typed() -> Locator {
        Locator::content("aa", None).unwrap()
    }

    #[test]
    fn dice_101_structural_tiers() {
        let tier =
            |locators: &[Locator]| AuthorityResolver::Structural.tier(&from(locators, Voice::Assistant));
        assert_eq!(tier(&[page(), chat()]), Primary);
        assert_eq!(tier(&[page()]), Secondary);
        assert_eq!(tier(&[Locator::file("a.md", None).unwrap()]), Secondary);
        assert_eq!(tier(&[typed()]), Derived);
        assert_eq!(tier(&[]), Unknown);
        assert_eq!(AuthorityResolver::Fixed { tier: Secondary }.tier(&from(&[], Voice::User)), Secondary);
    }

    #[test]
    fn dice_102_scores_of_tiers() {
        let weights = TierWeights::default();
        let scores =
            [Some(Primary), Some(Secondary), Some(Derived), Some(Unknown), None].map(|t| weights.score(t));
        assert_eq!(scores, [0.9, 0.75, 0.6, 0.5, 0.5]);
        let wild = TierWeights { primary: 5.0, secondary: -3.0, derived: f64::NAN, ..weights };
        assert_eq!([Primary, Secondary, Derived].map(|t| wild.score(Some(t))), [1.0, 0.0, 0.5]);
        let neutral = TrustSettings { scorer: TrustScorer::Neutral, ..TrustSettings::default() };
        assert_eq!(neutral.score(&from(&[], Voice::Assistant)), 1.0);
    }

    #[test]
    fn a_voice_bounds_what_its_place_would_give() {
        let tier = |locators: &[Locator], voice| AuthorityResolver::Voice.tier(&from(locators, voice));
        assert_eq!(tier(&[chat()], Voice::User), Primary);
        assert_eq!(tier(&[typed()], Voice::User), Primary, "remembered by hand");
        assert_eq!(tier(&[chat()], Voice::Other), Secondary);
        assert_eq!(tier(&[chat()], Voice::Assistant), Derived);
        assert_eq!(tier(&[chat(), page()], Voice::Document), Secondary);
        assert_eq!(tier(&[typed()], Voice::Document), Derived);
        assert_eq!(tier(&[], Voice::User), Unknown);
        let mut abstraction = from(&[], Voice::User);
        abstraction.source_ids.push(PropositionId::new(Uuid::from_u128(2)));
        assert_eq!(AuthorityResolver::Voice.tier(&abstraction), Derived);
    }

    #[test]
    fn a_score_is_kept_without_refreshing_the_statement() {
        let settings = TrustSettings::default();
        let scored = settings.scored(from(&[chat()], Voice::User), Timestamp(9));
        assert_eq!(score_of(&scored), Some(0.9));
        assert_eq!((scored.content_revised, scored.metadata_revised), (Timestamp(5), Timestamp(9)));
        assert_eq!(settings.scored(scored.clone(), Timestamp(20)), scored, "nothing to say twice");
        let json = r#"{"authority": {"by": "fixed", "tier": "DERIVED"}, "scorer": {"by": "authority"}}"#;
        let fixed: TrustSettings = serde_json::from_str(json).unwrap();
        assert_eq!(fixed.score(&scored), 0.6);
        assert_eq!(serde_json::from_str::<TrustSettings>("{}").unwrap(), settings);
    }
}

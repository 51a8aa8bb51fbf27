//! Which facts a prompt gets: pure decisions over what is on offer.
//!
//! Three kinds always come: CANON, pinned and vital statements. The other units are chosen by the mode (core 7.1, README
//! `retrieval.mode`), most under `retrieval.baseline_top_k` and none under `retrieval.min_relevance`. Relevance is to the question at
//! hand (core 15, G19), by its sentences and the names in it (`question`): the predecessor never looks at it. What does not pass the relevance gate has nothing to do with the
//! question and stays away in the modes that look at it, however high it stands (case 37). Everything that stays away is told
//! with its reason.

use serde::{Deserialize, Serialize};

use super::settings::{RetrievalMode, RetrievalSettings, ScoringWeights};
use crate::id::{PropositionId, RevisionId};
use crate::unit::{Authority, Tier, UnitView};

/// Share of relevance in the score of HYBRID; the rest is standing. The predecessor's blend of the same two for its tools (core 7.2).
const RELEVANCE_SHARE: f64 = 0.6;

/// What standing is worth, 0 to 1: authority, tier and confidence by their weights (core 7.2).
pub fn standing(authority: Authority, tier: Tier, confidence: f64, weights: &ScoringWeights) -> f64 {
    let authority = match authority {
        Authority::Canon => 1.0,
        Authority::Reliable => 0.8,
        Authority::Unreliable => 0.5,
        Authority::Provisional => 0.3,
    };
    let tier = match tier {
        Tier::Hot => 1.0,
        Tier::Warm => 0.7,
        Tier::Cold => 0.4,
    };
    weights.authority_weight * authority
        + weights.tier_weight * tier
        + weights.confidence_weight * confidence.clamp(0.0, 1.0)
}

/// Why a statement comes whatever the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Always {
    /// A person made it CANON.
    Canon,
    /// A person pinned it.
    Pinned,
    /// Safety of the person whose memory this is.
    Vital,
}

impl Always {
    /// In words for a person.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Canon => "CANON",
            Self::Pinned => "pinned",
            Self::Vital => "vital to the user",
        }
    }
}

/// Why a statement is not in the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LeftOutReason {
    /// It has nothing to do with the question.
    Unrelated,
    /// Its score is below `retrieval.min_relevance`.
    BelowMinimum,
    /// Others came before it and the number is full.
    OverLimit,
    /// It did not fit into `assembly.prompt_token_budget`.
    TokenBudget,
    /// It is believed too little by now.
    Faded,
    /// The mode leaves it to the model's tools.
    LeftToTools,
    /// It is COLD, and `tiered_storage` keeps COLD units out of prompts.
    Cold,
    /// `assembly.injection` is off.
    Off,
}

impl LeftOutReason {
    /// In words for a person.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Unrelated => "below the relevance gate",
            Self::BelowMinimum => "below the least relevance",
            Self::OverLimit => "over the limit",
            Self::TokenBudget => "over the token budget",
            Self::Faded => "faded",
            Self::LeftToTools => "left to the model's tools",
            Self::Cold => "cold, and served by tier",
            Self::Off => "memory is kept out of prompts",
        }
    }
}

/// A statement that was considered and is not in the prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Which.
    pub proposition: PropositionId,
    /// Its state when it was left out.
    pub revision: RevisionId,
    /// Whether it is a unit of the working set.
    #[serde(default)]
    pub is_unit: bool,
    /// Why.
    pub reason: LeftOutReason,
    /// What it scored, where it was scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

/// How near a statement is to the question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bearing {
    /// 0 to 1.
    pub(crate) nearness: f64,
    /// Whether it passes the relevance gate.
    pub(crate) is_related: bool,
    /// In words for a person.
    pub(crate) why: String,
}

/// How near a statement is whose subject the message calls by name, chosen by us: as near as one with half of the question's words.
const NAMED: f64 = 0.5;

impl Bearing {
    /// Of a statement that has no word and no direction of the question.
    pub(crate) fn none() -> Self {
        Self { nearness: 0.0, is_related: false, why: String::new() }
    }

    /// The message calls its subject by this name: it bears on it.
    pub(crate) fn name(&mut self, name: &str) {
        self.nearness = self.nearness.max(NAMED);
        self.is_related = true;
        let named = format!("the message names {name}");
        self.why = if self.why.is_empty() { named } else { format!("{named}; {}", self.why) };
    }
}

/// A unit on offer.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub(crate) view: UnitView,
    pub(crate) revision: RevisionId,
    pub(crate) always: Option<Always>,
    /// `None`: neither its words nor its direction have anything of the question.
    pub(crate) bearing: Option<Bearing>,
}

impl Offer {
    fn is_related(&self) -> bool {
        self.bearing.as_ref().is_some_and(|bearing| bearing.is_related)
    }
    fn nearness(&self) -> f64 {
        self.bearing.as_ref().map_or(0.0, |bearing| bearing.nearness)
    }
    fn score(&self, settings: &RetrievalSettings) -> f64 {
        let standing = standing(self.view.authority, self.view.tier, self.view.effective, &settings.scoring);
        match settings.mode {
            RetrievalMode::Hybrid => RELEVANCE_SHARE * self.nearness() + (1.0 - RELEVANCE_SHARE) * standing,
            RetrievalMode::Semantic => self.nearness(),
            RetrievalMode::Bulk | RetrievalMode::RankOnly | RetrievalMode::Tool => {
                f64::from(self.view.activation.get().saturating_sub(100)) / 800.0
            }
        }
    }
    fn why(&self, mode: RetrievalMode) -> String {
        let own = match (self.always, mode) {
            (Some(always), _) => Some(always.in_words()),
            (None, RetrievalMode::Bulk | RetrievalMode::RankOnly) => Some("by activation"),
            _ => None,
        };
        let bearing = self.bearing.as_ref().filter(|bearing| bearing.is_related).map(|b| b.why.as_str());
        [own, bearing].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
    fn left_out(&self, reason: LeftOutReason, score: f64) -> LeftOut {
        LeftOut {
            proposition: self.view.id(),
            revision: self.revision,
            is_unit: true,
            reason,
            score: Some(score),
        }
    }
}

/// A chosen unit.
#[derive(Debug, Clone)]
pub(crate) struct Chosen {
    pub(crate) offer: Offer,
    pub(crate) score: f64,
    pub(crate) why: String,
}

/// Chooses among the units on offer, which come by activation. `most` bounds BULK. Chosen ones are in the order of the block: by
/// authority, then by activation.
pub(crate) fn choose(
    offers: Vec<Offer>,
    settings: &RetrievalSettings,
    most: usize,
) -> (Vec<Chosen>, Vec<LeftOut>) {
    let mode = settings.mode;
    let looks_at_question = matches!(mode, RetrievalMode::Hybrid | RetrievalMode::Semantic);
    let (mut chosen, mut competing, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for offer in offers {
        let score = offer.score(settings);
        if offer.always.is_some() {
            let why = offer.why(mode);
            chosen.push(Chosen { offer, score, why });
        } else if mode == RetrievalMode::Tool {
            left_out.push(offer.left_out(LeftOutReason::LeftToTools, score));
        } else if looks_at_question && !offer.is_related() {
            left_out.push(offer.left_out(LeftOutReason::Unrelated, score));
        } else if score < settings.min_relevance {
            left_out.push(offer.left_out(LeftOutReason::BelowMinimum, score));
        } else {
            competing.push((score, offer));
        }
    }
    // Stable: among equal scores the more activated one comes first.
    competing.sort_by(|a, b| b.0.total_cmp(&a.0));
    let top = match mode {
        RetrievalMode::Bulk => most.saturating_sub(chosen.len()),
        _ => settings.baseline_top_k as usize,
    };
    for (n, (score, offer)) in competing.into_iter().enumerate() {
        if n < top {
            let why = offer.why(mode);
            chosen.push(Chosen { offer, score, why });
        } else {
            left_out.push(offer.left_out(LeftOutReason::OverLimit, score));
        }
    }
    chosen.sort_by(|a, b| {
        let key = |c: &Chosen| {
            let view = &c.offer.view;
            (std::cmp::Reverse((view.authority, view.activation)), view.id())
        };
        key(a).cmp(&key(b))
    });
    (chosen, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_179_180_what_standing_is_worth() {
        let of = |authority, tier, confidence| {
            (standing(authority, tier, confidence, &ScoringWeights::default()) * 1000.0).round() / 1000.0
        };
        assert_eq!(of(Authority::Canon, Tier::Hot, 0.9), 0.97);
        assert_eq!(of(Authority::Provisional, Tier::Cold, 0.3), 0.33);
        assert_eq!(of(Authority::Reliable, Tier::Warm, 0.7), 0.74);
        assert_eq!(of(Authority::Unreliable, Tier::Hot, 0.7), 0.71);
        assert_eq!(of(Authority::Provisional, Tier::Warm, 0.9), 0.6);
    }
}

//! What of the protected facts a summary lost: fact by fact, by words, with denial, numbers, dates and names.

use serde::{Deserialize, Serialize};

use super::protect::Protected;
use crate::id::PropositionId;
use crate::text::{DifferenceKind, Holding, holding};
use crate::unit::Authority;

/// How a fact was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossKind {
    /// It is not said.
    Missing,
    /// It is said with another number, or without its own.
    Number,
    /// With another unit of measure.
    Unit,
    /// With another date, or without its own.
    Date,
    /// Without a name.
    Name,
    /// What it affirms is denied, or what it denies is affirmed.
    Denial,
    /// The summary says what cannot hold beside it.
    Opposed,
}

/// A protected fact that a summary does not keep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    /// The statement.
    pub proposition: PropositionId,
    /// What it says.
    pub text: String,
    /// How far it is to be taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authority: Option<Authority>,
    /// Its activation; 0 without a unit.
    pub rank: u16,
    /// How it was lost.
    pub kind: LossKind,
    /// The sentence of the summary that stands in its place; empty where nothing does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sentence: String,
    /// In words for a person and for the model's next try.
    pub reason: String,
}

/// What `summary` loses of `facts`: of those that the turns carry whatever is missing or altered, of the others what it contradicts.
pub(super) fn losses(facts: &[Protected], summary: &str, min_match_ratio: f64) -> Vec<Loss> {
    facts.iter().filter_map(|fact| loss(fact, summary, min_match_ratio)).collect()
}

fn loss(fact: &Protected, summary: &str, min_match_ratio: f64) -> Option<Loss> {
    // What the turns do not carry can only be contradicted, which a floor of 0 leaves to be seen.
    let floor = if fact.carried { min_match_ratio } else { 0.0 };
    let (kind, sentence, reason) = match holding(&fact.text, summary, floor) {
        Holding::Nothing | Holding::Held(_) => return None,
        Holding::Missing(_) if !fact.carried => return None,
        Holding::Missing(share) => {
            let reason = format!("{:.0} % of its words are there", share * 100.0);
            (LossKind::Missing, String::new(), reason)
        }
        Holding::Altered { kind, sentence, reason } => (kind.into(), sentence, reason),
    };
    Some(Loss {
        proposition: fact.proposition,
        text: fact.text.clone(),
        authority: fact.authority,
        rank: fact.rank,
        kind,
        sentence,
        reason,
    })
}

impl From<DifferenceKind> for LossKind {
    fn from(kind: DifferenceKind) -> Self {
        match kind {
            DifferenceKind::Number => Self::Number,
            DifferenceKind::Unit => Self::Unit,
            DifferenceKind::Date => Self::Date,
            DifferenceKind::Name => Self::Name,
            DifferenceKind::Polarity => Self::Denial,
            DifferenceKind::Opposition => Self::Opposed,
        }
    }
}

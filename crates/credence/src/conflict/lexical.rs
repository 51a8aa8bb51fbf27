//! What words and times show, and how sure that is.
//!
//! `beside` of the revision compares what both layers compare: denial, opposites, tastes, values of a slot. To these come the
//! variations of `text::variation`: an amount, a time or a value of which there is one. A denial among other words is a
//! suspicion only.
//!
//! The grades were chosen by us and are held against the labelled pairs of `tests/fixtures/conflict-pairs.tsv`: of what a grade is
//! given to, at least that share is right.

use super::settings::ConflictSettings;
use crate::proposition::Proposition;
use crate::revision::{Beside, Fresh, beside};
use crate::text::{ComparableText, OppositionKind, Overlap, Polarity, Variation, VariationKind};

/// What rules make of a pair.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verdict {
    /// The two cannot both hold.
    Opposed {
        /// How sure that is, 0 to 1.
        confidence: f64,
        /// In words for a person.
        reason: String,
    },
    /// They look opposed, but words alone do not make sure.
    Suspected {
        /// How likely it is, 0 to 1.
        confidence: f64,
        /// In words for a person.
        reason: String,
    },
    /// They can both hold.
    Compatible,
    /// Words do not tell.
    Open,
}

/// Lays an incoming statement beside a unit's.
pub(super) fn compare(incoming: &Fresh<'_>, unit: &Proposition, settings: &ConflictSettings) -> Verdict {
    match beside(incoming, unit) {
        Beside::Opposed { opposition, is_immutable } => {
            let confidence = match opposition.kind {
                OppositionKind::Negation => 0.95,
                OppositionKind::Value if is_immutable => 0.95,
                OppositionKind::Antonym | OppositionKind::Preference | OppositionKind::Value => 0.9,
            };
            Verdict::Opposed { confidence, reason: opposition.reason }
        }
        Beside::Compatible => Verdict::Compatible,
        Beside::Open { stored, is_many } => varied(incoming.text(), &stored)
            .or_else(|| is_many.then_some(Verdict::Compatible))
            .or_else(|| denied(incoming.text(), &stored, settings))
            .unwrap_or(Verdict::Open),
    }
}

/// The same but for an amount, a time or a value of which there is one.
fn varied(incoming: &ComparableText, unit: &ComparableText) -> Option<Verdict> {
    let Variation { kind, reason } = incoming.variation(unit)?;
    Some(match kind {
        VariationKind::Date => Verdict::Opposed { confidence: 0.9, reason },
        VariationKind::Number | VariationKind::Value => Verdict::Opposed { confidence: 0.85, reason },
        VariationKind::Place => Verdict::Suspected { confidence: 0.6, reason },
    })
}

/// One denies, the other affirms, and most of their words are the same (core 4.2, on words instead of substrings). Where each has
/// words that the other lacks, they may be about different things: the north gate and the south gate.
fn denied(incoming: &ComparableText, unit: &ComparableText, settings: &ConflictSettings) -> Option<Verdict> {
    let one_denies = matches!(
        (incoming.polarity(), unit.polarity()),
        (Polarity::Negated, Polarity::Affirmed) | (Polarity::Affirmed, Polarity::Negated)
    );
    let Overlap { share, is_nested } = incoming.overlap(unit);
    let plain = !incoming.is_hedged() && !unit.is_hedged();
    (one_denies && is_nested && plain && share > settings.negation_overlap_threshold).then(|| {
        Verdict::Suspected {
            confidence: share,
            reason: format!("one of the two denies, and {:.0} % of their words are the same", share * 100.0),
        }
    })
}

//! Vital statements: those that must be in the prompt although the question does not resemble them.
//!
//! "What shall I cook tonight?" shares nothing with "Mara is allergic to hazelnuts" (case 38). A statement is vital when its subject
//! is the person whose memory this is, its importance is at least [`VITAL_IMPORTANCE`], and it speaks of a lasting matter of
//! health or safety, by the stems below. Importance alone is not enough: a new job has as much and may stay away from a
//! multiplication (case 37). Stems are of the medical words that many languages share, with those of the other large scripts; in a
//! language that they miss, a pin does the same.

use crate::history::State;
use crate::id::PropositionId;
use crate::proposition::{MentionRole, Proposition};
use crate::text;
use crate::unit::Unit;

/// Importance from which a statement can be vital.
pub const VITAL_IMPORTANCE: f64 = 0.9;

/// Most vital statements of a prompt; the more important and older ones come first, the others compete like any. An extractor
/// that takes everything for vital cannot fill the prompt.
pub const MOST_VITAL: usize = 8;

/// Beginnings of words, folded and without accents; those of six letters or more count inside compounds too.
const STEMS: &str = "allerg alerg anaphyla anafila epipen asthma asma diabet insulin epilep hemophil haemophil hamophil celiac coeliac \
    zoliakie intoleran pacemaker schrittmacher pregnan schwanger embaraz enceinte incinta gravid medication medikament warfarin \
    transplant dialys suicid blutgruppe аллерг алерг астм диабет діабет эпилеп беремен вагітн αλλεργ διαβητ حساسي سكري אלרג סוכרת \
    알레르기 당뇨 천식 임신 एलर्जी मधुमेह";

/// Parts of texts in scripts that are written without spaces.
const PARTS: &str = "过敏 過敏 糖尿病 哮喘 癫痫 癲癇 怀孕 懷孕 アレルギー 喘息 妊娠 てんかん แพ้ เบาหวาน";

/// Whether a statement is vital to the person whose memory this is.
pub fn is_vital(statement: &Proposition, state: &State) -> bool {
    statement.importance.get() >= VITAL_IMPORTANCE
        && statement.status.is_live()
        && is_about_the_user(statement, state)
        && speaks_of_safety(&statement.text)
        && !stands_against_a_unit(statement, state)
}

/// What stands against a unit that kept its place is no safety matter until a person says so: "User is not allergic to peanuts." must
/// not stand in every prompt beside the allergy.
fn stands_against_a_unit(statement: &Proposition, state: &State) -> bool {
    let holds = |id: &PropositionId| {
        state.unit(*id).is_some_and(Unit::is_active)
            && state.proposition(*id).is_some_and(|p| p.status.is_live())
    };
    statement.temporal.contradicts.iter().any(holds)
}

fn is_about_the_user(statement: &Proposition, state: &State) -> bool {
    statement
        .mentions
        .iter()
        .filter(|mention| mention.role == MentionRole::Subject)
        .filter_map(|mention| state.keeper(mention.entity?))
        .any(|entity| entity.is_user)
}

fn speaks_of_safety(statement: &str) -> bool {
    let folded = text::without_accents(&text::fold(statement));
    let starts_or_holds = |stem: &str| {
        if stem.chars().count() >= 6 {
            return folded.contains(stem);
        }
        folded.split(|c: char| !c.is_alphanumeric()).any(|word| word.starts_with(stem))
    };
    PARTS.split_whitespace().any(|part| folded.contains(part))
        || STEMS.split_whitespace().any(starts_or_holds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_in_many_languages_and_nothing_else() {
        for vital in [
            "Mara is allergic to hazelnuts.",
            "Mara hat eine Haselnussallergie.",
            "Mara est diabétique.",
            "Мара страдает аллергией на орехи.",
            "玛拉对榛子过敏。",
            "マラはナッツアレルギーがある。",
            "마라는 알레르기가 있다.",
        ] {
            assert!(speaks_of_safety(vital), "{vital}");
        }
        for other in ["Mara has a sister.", "Mara started a new job.", "Mara likes miasma."] {
            assert!(!speaks_of_safety(other), "{other}");
        }
    }
}

//! The check by rules: what an answer says, sentence by sentence, against each enforced fact. Deterministic, without a call.
//!
//! An answer speaks to the user: "You live in Bergen". The embedded extractor reads it as statements about them, so that it meets
//! "Mara lives in Oslo"; what the extractor does not read is compared as it stands. Three things are seen: that a sentence excludes
//! a fact, that it is a fact but for an amount, a time or a value of which there is one, and that it is a fact but for a number, unit or
//! date. The first two are what the conflicts of the working set are found by (`conflict::lexical`), so that both layers agree on what
//! opposes what. Questions exclude nothing, and hedged sentences count for less.

use std::collections::BTreeSet;

use super::compliance::{CheckedBy, Enforced, Reading, Violation};
use crate::embedded;
use crate::extraction::WindowTurn;
use crate::text::{self, DifferenceKind, Holding, OppositionKind, VariationKind};

/// A sentence of the answer, and what it says.
pub(super) struct Stated {
    /// As the answer has it.
    pub(super) sentence: String,
    /// About whom it is, in the third person.
    pub(super) text: String,
    /// 1, or what a hedge leaves of it.
    pub(super) certainty: f64,
}

/// What an answer states.
pub(super) fn stated(reading: &Reading<'_>) -> Vec<Stated> {
    let sentences = text::sentences(reading.answer);
    let turn = |speaker: &str, text: &str, context_only: bool| WindowTurn {
        speaker: speaker.to_owned(),
        is_user: false,
        is_assistant: false,
        text: text.to_owned(),
        date: String::new(),
        context_only,
    };
    // Two people talk, so that "you" is the user.
    let mut window = vec![turn(reading.user, "", true)];
    window.extend(sentences.iter().map(|sentence| turn("Assistant", sentence, false)));
    let read = embedded::extract(&window);

    let mut out = Vec::new();
    for (at, sentence) in sentences.iter().enumerate() {
        let asks = sentence.ends_with(['?', '？', '؟']);
        let of_it = read.candidates.iter().filter(|candidate| candidate.turns == [at + 1]);
        let before = out.len();
        out.extend(of_it.map(|candidate| Stated {
            sentence: (*sentence).to_owned(),
            text: candidate.text.clone(),
            certainty: if candidate.confidence <= embedded::HEDGED { 0.5 } else { 1.0 },
        }));
        if !asks && out.len() == before {
            // What stands before a colon only announces: "A pity: Mara hates techno."
            let told = sentence.rsplit([':', '：']).next().unwrap_or(sentence).trim();
            out.push(Stated { sentence: (*sentence).to_owned(), text: told.to_owned(), certainty: 1.0 });
        }
    }
    out
}

/// The enforced facts that an answer contradicts, each once, by the surest sentence.
pub(super) fn violations(said: &[Stated], facts: &[Enforced]) -> Vec<Violation> {
    let mut found: Vec<Violation> = Vec::new();
    for fact in facts {
        let against = said.iter().filter_map(|stated| {
            let (confidence, reason) = against(&fact.text, &stated.text)?;
            Some((confidence * stated.certainty, reason, &stated.sentence))
        });
        let surest = against.reduce(|best, next| if next.0 > best.0 { next } else { best });
        found.extend(surest.map(|(confidence, reason, sentence)| Violation {
            unit: fact.unit,
            fact: fact.text.clone(),
            authority: fact.authority,
            sentence: sentence.clone(),
            reason,
            confidence,
            by: CheckedBy::Rules,
        }));
    }
    found
}

/// Why a statement and a fact cannot both hold, and how sure that is. Chosen by us: denial and two values of one slot leave little
/// doubt, opposite words and attitudes some, a changed number can be another count. Two places are a suspicion only, which is left to the
/// model.
fn against(fact: &str, stated: &str) -> Option<(f64, String)> {
    if let Some(found) = text::opposes(fact, stated) {
        let confidence = match found.kind {
            OppositionKind::Negation | OppositionKind::Value => 0.9,
            OppositionKind::Antonym | OppositionKind::Preference => 0.85,
        };
        return Some((confidence, found.reason));
    }
    if let Some(found) = text::variation(stated, fact) {
        let confidence = match found.kind {
            VariationKind::Date => Some(0.9),
            VariationKind::Number | VariationKind::Value => Some(0.85),
            VariationKind::Place => None,
        };
        if let Some(confidence) = confidence {
            return Some((confidence, found.reason));
        }
    }
    let found = text::difference(fact, stated)?;
    let counted = matches!(found.kind, DifferenceKind::Number | DifferenceKind::Unit | DifferenceKind::Date);
    (counted && wordings(fact) == wordings(stated)).then_some((0.8, found.reason))
}

/// The words that are neither number nor date.
fn wordings(text: &str) -> BTreeSet<String> {
    let counts = |word: &str| word.chars().any(char::is_numeric) || text::is_time_or_number(word);
    text::content_terms(text).into_iter().filter(|term| !counts(term)).collect()
}

/// Share of a fact's words that a sentence needs for having used it.
const USED: f64 = 0.8;

/// Whether the answer says what a fact says, so that it has used it.
pub(super) fn uses(said: &[Stated], fact: &str) -> bool {
    said.iter().any(|stated| {
        stated.certainty == 1.0
            && matches!(text::holding(fact, &stated.text, USED), Holding::Held(_))
            && text::difference(fact, &stated.text)
                .is_none_or(|found| found.kind == DifferenceKind::Name && is_name_more(fact, &stated.text))
    })
}

/// The sentence has the fact's names, and further ones.
fn is_name_more(fact: &str, stated: &str) -> bool {
    let there = text::terms(stated);
    text::Particulars::of(fact)
        .names
        .iter()
        .all(|name| text::terms(name).iter().all(|term| there.contains(term)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::PropositionId;
    use crate::unit::Authority;

    fn check(fact: &str, answer: &str) -> Vec<Violation> {
        let unit = PropositionId::new(uuid::Uuid::from_u128(1));
        let facts = [Enforced { unit, text: fact.into(), authority: Authority::Canon }];
        violations(&stated(&Reading { question: "", answer, user: "Mara" }), &facts)
    }

    #[test]
    fn what_an_answer_says_to_the_user_meets_what_is_known_of_them() {
        for (fact, answer) in [
            ("Mara lives in Oslo", "Good question! You live in Bergen."),
            ("Mara is allergic to peanuts", "You are not allergic to peanuts, so go ahead."),
            ("Mara has 2 cats", "You have 3 cats."),
            ("Mara loves techno", "A pity: Mara hates techno."),
            ("Baron Krell is dead", "The hall falls silent. Baron Krell is alive."),
            ("The north gate is open", "The north gate is not open."),
            ("Mara wohnt in Oslo", "Mara wohnt in Bergen."),
            ("用户喜欢茶", "用户讨厌茶。"),
        ] {
            let found = check(fact, answer);
            assert_eq!(found.len(), 1, "{fact} / {answer}");
            assert!(found[0].confidence >= 0.8 && answer.contains(&found[0].sentence), "{found:?}");
        }
    }

    /// What the conflicts of the working set see in words, the check of an answer sees too.
    #[test]
    fn opposites_amounts_times_and_values_are_seen_as_between_units() {
        for (fact, answer) in [
            ("The shop opens at 9 am.", "The shop opens at 10 am."),
            ("The tower is 40 metres tall.", "The tower is 55 metres tall."),
            ("Mara's favourite colour is green", "Your favourite colour is red."),
            ("The concert is on 3 May 2026.", "The concert is on 4 May 2026."),
            ("The bridge is safe.", "The bridge is dangerous."),
            ("Der Zug fährt um 9 Uhr ab.", "Der Zug fährt um 10 Uhr ab."),
        ] {
            let found = check(fact, answer);
            assert_eq!(found.len(), 1, "{fact} / {answer}");
            assert!(found[0].confidence >= 0.8, "{found:?}");
        }
    }

    #[test]
    fn what_agrees_asks_or_speaks_of_something_else_violates_nothing() {
        for (fact, answer) in [
            ("Mara lives in Oslo", "You live in Oslo. It is a fine town."),
            ("Mara lives in Oslo", "Do you live in Bergen?"),
            ("Mara lives in Oslo", "Bo lives in Bergen."),
            ("Mara has 2 cats", "You have 2 cats and 3 dogs."),
            ("Mara loves techno", "Techno comes from Detroit."),
            ("Baron Krell is dead", "Baroness Krell is alive."),
        ] {
            assert_eq!(check(fact, answer), [], "{fact} / {answer}");
        }
    }

    #[test]
    fn a_fact_is_used_when_the_answer_says_it() {
        let uses = |fact: &str, answer: &str| {
            super::uses(&stated(&Reading { question: "", answer, user: "Mara" }), fact)
        };
        assert!(uses("Mara lives in Kleve", "You live in Kleve."));
        assert!(uses("Mara is allergic to peanuts", "Careful: you are allergic to peanuts."));
        assert!(!uses("Mara lives in Kleve", "Kleve is a town on the Rhine."));
        assert!(!uses("Mara has 2 cats", "You have 3 cats."));
        assert!(!uses("Mara lives in Kleve", "Maybe you live in Kleve?"));
    }
}

//! A judge's answer as verdicts (sim 3.6): lenient in form, strict in whom it speaks of.
//!
//! | of an entry | rule |
//! |---|---|
//! | fact | has to be one of the scenario, without regard to case; another one, or one that stands there already, is dropped and listed |
//! | verdict | CONTRADICTED or CONFIRMED in any case; anything else is NOT_MENTIONED |
//! | severity | of a contradiction MINOR or NONE as given, else MAJOR; otherwise NONE |
//! | confidence | 1 to 5, clamped; 3 where there is none; a contradiction below the threshold becomes NOT_MENTIONED and keeps its confidence |
//!
//! A fact without an entry is filled in. An answer that names no fact at all judges nothing, and is asked for again.

use serde_json::Value;

use crate::scenario::Fact;
use crate::verdict::{Ruling, Severity, Verdict};

/// Confidence of a verdict that comes without one.
const UNSAID: u8 = 3;
/// How far behind a fact's id a word of judgement belongs to it, in characters.
const REACH: usize = 200;

/// Verdicts in the facts' order, and what was dropped.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Verdicts {
    pub(super) verdicts: Vec<Verdict>,
    pub(super) dropped: Vec<String>,
}

/// Reads the JSON of an answer. The error says in words for the model what is wrong.
pub(super) fn verdicts(value: &Value, facts: &[Fact], threshold: u8) -> Result<Verdicts, String> {
    let list = value.get("verdicts").or(Some(value)).and_then(Value::as_array);
    let list = list.ok_or("the answer needs a list `verdicts`")?;
    let mut found: Vec<Option<Verdict>> = vec![None; facts.len()];
    let mut dropped = Vec::new();
    for entry in list {
        let named = text_of(entry, &["fact", "factId", "fact_id", "id"]);
        match facts.iter().position(|fact| fact.id.eq_ignore_ascii_case(&named)) {
            None => dropped.push(format!("no fact is called `{named}`")),
            Some(at) if found[at].is_some() => {
                dropped.push(format!("`{named}` was judged twice; the first counts"))
            }
            Some(at) => found[at] = Some(verdict(&facts[at].id, entry, threshold)),
        }
    }
    if found.iter().all(Option::is_none) {
        let ids: Vec<&str> = facts.iter().map(|fact| fact.id.as_str()).collect();
        return Err(format!(
            "`verdicts` names none of the facts; name each once by its id: {}",
            ids.join(", ")
        ));
    }
    Ok(Verdicts { verdicts: filled(found, facts), dropped })
}

fn verdict(fact: &str, entry: &Value, threshold: u8) -> Verdict {
    let confidence = confidence(entry.get("confidence"));
    let said = match word(entry, "verdict").as_str() {
        "CONTRADICTED" => Ruling::Contradicted,
        "CONFIRMED" => Ruling::Confirmed,
        _ => Ruling::NotMentioned,
    };
    let ruling =
        if said == Ruling::Contradicted && confidence < threshold { Ruling::NotMentioned } else { said };
    let severity = match (ruling, word(entry, "severity").as_str()) {
        (Ruling::Contradicted, "MINOR") => Severity::Minor,
        (Ruling::Contradicted, "NONE") => Severity::None,
        (Ruling::Contradicted, _) => Severity::Major,
        _ => Severity::None,
    };
    Verdict {
        fact: fact.to_owned(),
        ruling,
        severity,
        confidence,
        evidence: text_of(entry, &["evidence", "evidenceQuote", "quote"]),
        reasoning: text_of(entry, &["reasoning"]),
        explanation: text_of(entry, &["explanation"]),
        filled: false,
    }
}

fn filled(found: Vec<Option<Verdict>>, facts: &[Fact]) -> Vec<Verdict> {
    let missing = |fact: &Fact| Verdict {
        fact: fact.id.clone(),
        ruling: Ruling::NotMentioned,
        severity: Severity::None,
        confidence: UNSAID,
        evidence: String::new(),
        reasoning: String::new(),
        explanation: String::new(),
        filled: true,
    };
    found.into_iter().zip(facts).map(|(verdict, fact)| verdict.unwrap_or_else(|| missing(fact))).collect()
}

/// The first of the keys that holds text; empty where none does.
fn text_of(entry: &Value, keys: &[&str]) -> String {
    let text = keys.iter().find_map(|key| entry.get(*key).and_then(Value::as_str));
    text.unwrap_or_default().trim().to_owned()
}

/// A word of judgement: upper case, one underscore between its parts.
fn word(entry: &Value, key: &str) -> String {
    let text = text_of(entry, &[key]).to_uppercase();
    text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
}

/// `4`, `4.0`, `"4"`, `"4/5"`.
fn confidence(value: Option<&Value>) -> u8 {
    let number = match value {
        Some(Value::Number(number)) => number.as_f64(),
        Some(Value::String(text)) => text.split('/').next().and_then(|text| text.trim().parse().ok()),
        _ => None,
    };
    number
        .filter(|number: &f64| number.is_finite())
        .map_or(UNSAID, |number| number.round().clamp(1.0, 5.0) as u8)
}

/// The last resort for an answer in prose: the first word of judgement behind each fact's id, up to the next id. With one fact the id need not be
/// there. `None` when it says nothing of any fact. A word behind a "not" judges nothing.
pub(super) fn by_words(text: &str, facts: &[Fact]) -> Option<Verdicts> {
    let lower = text.to_lowercase();
    let mut places: Vec<(usize, usize)> = Vec::new();
    for (at, fact) in facts.iter().enumerate() {
        let id = fact.id.to_lowercase();
        if let Some(place) = whole_word(&lower, &id) {
            places.push((place + id.len(), at));
        }
    }
    if let ([], [_]) = (places.as_slice(), facts) {
        places.push((0, 0));
    }
    places.sort_unstable();
    let mut found: Vec<Option<Verdict>> = vec![None; facts.len()];
    for (n, &(from, at)) in places.iter().enumerate() {
        let until = places.get(n + 1).map_or(lower.len(), |(next, _)| *next);
        let span: String = lower[from..until].chars().take(REACH).collect();
        if let Some(word) = judging_word(&span) {
            let entry = serde_json::json!({"verdict": word, "explanation": "read from an answer in prose"});
            found[at] = Some(verdict(&facts[at].id, &entry, 0));
        }
    }
    let says_nothing = found.iter().all(Option::is_none);
    (!says_nothing).then(|| Verdicts { verdicts: filled(found, facts), dropped: Vec::new() })
}

fn whole_word(text: &str, word: &str) -> Option<usize> {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-');
    text.match_indices(word)
        .map(|(at, _)| at)
        .find(|at| !joins(text[..*at].chars().next_back()) && !joins(text[*at + word.len()..].chars().next()))
}

fn judging_word(span: &str) -> Option<&'static str> {
    let words = ["contradicted", "confirmed"].map(|word| (span.find(word), word));
    let (at, word) = words.into_iter().filter_map(|(at, word)| Some((at?, word))).min()?;
    let before = span[..at].trim_end();
    (!before.ends_with("not") && !before.ends_with("never") && !before.ends_with("n't")).then_some(word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::fact;

    fn facts() -> Vec<Fact> {
        vec![fact("f1", "The bridge is closed."), fact("f2", "Mara keeps bees.")]
    }
    fn of(entries: Value, threshold: u8) -> Verdicts {
        verdicts(&json!({"verdicts": entries}), &facts(), threshold).unwrap()
    }
    fn one(mut entry: Value) -> Verdict {
        entry["fact"] = json!("f1");
        of(json!([entry]), 2).verdicts.remove(0)
    }
    fn brief(verdict: &Verdict) -> (Ruling, Severity, u8) {
        (verdict.ruling, verdict.severity, verdict.confidence)
    }
    use Ruling::{Confirmed, Contradicted, NotMentioned};

    #[test]
    fn sim_20_severity_of_a_contradiction() {
        for (severity, wanted) in [
            (json!(null), Severity::Major),
            (json!("MINOR"), Severity::Minor),
            (json!(" minor."), Severity::Minor),
            (json!("NONE"), Severity::None),
            (json!("huge"), Severity::Major),
        ] {
            assert_eq!(one(json!({"verdict": "CONTRADICTED", "severity": severity})).severity, wanted);
        }
        assert_eq!(one(json!({"verdict": "CONFIRMED", "severity": "MAJOR"})).severity, Severity::None);
    }

    #[test]
    fn sim_21_an_answer_without_verdicts_judges_nothing() {
        for value in [json!({}), json!({"verdicts": []}), json!([]), json!({"verdicts": null}), json!("x")] {
            assert!(verdicts(&value, &facts(), 2).is_err(), "{value}");
        }
        let complaint = verdicts(&json!({"verdicts": [{"fact": "f9"}]}), &facts(), 2).unwrap_err();
        assert!(complaint.ends_with("by its id: f1, f2"), "{complaint}");
    }

    #[test]
    fn sim_23_a_contradiction_below_the_threshold_is_not_mentioned() {
        let sure = |confidence: Value| {
            brief(&one(json!({"verdict": "CONTRADICTED", "severity": "MAJOR", "confidence": confidence})))
        };
        assert_eq!(sure(json!(1)), (NotMentioned, Severity::None, 1));
        assert_eq!(sure(json!(4)), (Contradicted, Severity::Major, 4));
        assert_eq!(sure(json!(null)), (Contradicted, Severity::Major, 3));
        // What models write for numbers.
        assert_eq!(sure(json!("4/5")).2, 4);
        assert_eq!(sure(json!("2.4")).2, 2);
        assert_eq!((sure(json!(99)).2, sure(json!(-3)).2, sure(json!("high")).2), (5, 1, 3));
        // A confirmation is kept however unsure.
        assert_eq!(brief(&one(json!({"verdict": "CONFIRMED", "confidence": 1}))).0, Confirmed);
    }

    #[test]
    fn sim_24_the_threshold_decides() {
        let entries = json!([
            {"fact": "f1", "verdict": "CONTRADICTED", "confidence": 2},
            {"fact": "f2", "verdict": "CONTRADICTED", "confidence": 3}
        ]);
        let rulings =
            |threshold| of(entries.clone(), threshold).verdicts.iter().map(|v| v.ruling).collect::<Vec<_>>();
        assert_eq!(rulings(3), [NotMentioned, Contradicted]);
        assert_eq!(rulings(2), [Contradicted, Contradicted]);
        assert_eq!(rulings(0), [Contradicted, Contradicted]);
    }

    #[test]
    fn sim_25_evidence_and_reasoning_are_kept() {
        let own = one(
            json!({"verdict": "CONFIRMED", "evidence": "It is shut.", "reasoning": "shut is closed", "explanation": "e"}),
        );
        assert_eq!(
            (own.evidence.as_str(), own.reasoning.as_str(), own.explanation.as_str()),
            ("It is shut.", "shut is closed", "e")
        );
        let theirs = json!([{"factId": "f1", "verdict": "CONFIRMED", "evidenceQuote": "It is shut."}]);
        assert_eq!(of(theirs, 2).verdicts[0].evidence, "It is shut.", "the source's own keys are read too");
        assert_eq!(one(json!({"verdict": "CONFIRMED", "evidence": null})).evidence, "");
    }

    #[test]
    fn sim_26_an_answer_in_prose_is_read_by_its_words() {
        let rulings = |text: &str, facts: &[Fact]| {
            by_words(text, facts).map(|read| read.verdicts.iter().map(|v| v.ruling).collect::<Vec<_>>())
        };
        let two = facts();
        assert_eq!(
            rulings("As to F1, it is CONTRADICTED by the open gate; f2 however is CONFIRMED.", &two),
            Some(vec![Contradicted, Confirmed])
        );
        // Without a word of judgement there is no verdict, not two of NOT_MENTIONED.
        assert_eq!(rulings("f1 and f2 are fine facts", &two), None);
        assert_eq!(rulings("I cannot say.", &two), None);
        // A word belongs to the last id before it, and "not contradicted" judges nothing.
        assert_eq!(rulings("f1: unclear. f2: confirmed", &two), Some(vec![NotMentioned, Confirmed]));
        assert_eq!(rulings("f1 is not contradicted", &two), None);
        assert_eq!(rulings("f10 is contradicted", &two), None);
        assert_eq!(rulings("Clearly contradicted.", &two[..1]), Some(vec![Contradicted]));
        let read = by_words("f2 confirmed", &two).unwrap();
        assert!(read.verdicts[0].filled && !read.verdicts[1].filled);
    }

    #[test]
    fn foreign_and_double_entries_are_dropped_and_missing_ones_filled() {
        let read = of(
            json!([
                {"fact": "f9", "verdict": "CONTRADICTED"},
                {"fact": " F2 ", "verdict": "confirmed"},
                {"fact": "f2", "verdict": "CONTRADICTED"},
                {"fact": null, "verdict": "CONTRADICTED"},
                "f1"
            ]),
            2,
        );
        let shown: Vec<_> = read.verdicts.iter().map(|v| (v.fact.as_str(), v.ruling, v.filled)).collect();
        assert_eq!(shown, [("f1", NotMentioned, true), ("f2", Confirmed, false)]);
        assert_eq!(read.dropped.len(), 4, "{:?}", read.dropped);
        assert!(read.dropped[0].contains("f9") && read.dropped[1].contains("twice"), "{:?}", read.dropped);
    }

    #[test]
    fn words_of_judgement_in_any_form() {
        for (word, wanted) in [
            ("contradicted", Contradicted),
            (" Confirmed. ", Confirmed),
            ("not mentioned", NotMentioned),
            ("maybe", NotMentioned),
            ("", NotMentioned),
        ] {
            assert_eq!(one(json!({"verdict": word})).ruling, wanted, "{word}");
        }
        assert_eq!(one(json!({"verdict": null})).ruling, NotMentioned);
    }

    proptest::proptest! {
        #[test]
        fn whatever_comes_each_fact_gets_one_verdict_or_none_does(
            ids in proptest::collection::vec("[a-zß-ÿİ]{0,3}", 1..4), text in "\\PC{0,80}", word in "(?i)(not )?(contradicted|confirmed)",
        ) {
            let mut ids = ids;
            ids.sort();
            ids.dedup();
            let facts: Vec<Fact> = ids.iter().map(|id| fact(id, "The bridge is closed.")).collect();
            let said = format!("{text} {} {word} {text}", ids[0]);
            let entries = json!({"verdicts": [{"fact": text, "verdict": word}, {"fact": ids[0], "verdict": text, "confidence": text}, text]});
            for read in by_words(&said, &facts).into_iter().chain(verdicts(&entries, &facts, 2)) {
                let judged: Vec<&str> = read.verdicts.iter().map(|verdict| verdict.fact.as_str()).collect();
                proptest::prop_assert_eq!(judged, ids.iter().map(String::as_str).collect::<Vec<_>>());
                proptest::prop_assert!(read.verdicts.iter().all(|verdict| (1..=5).contains(&verdict.confidence)));
            }
        }
    }
}

//! The built-in responder: answers from memory by quoting it, and says plainly that no language model is connected.
//!
//! It never claims to have stored what was just said: the analysis that decides about it runs later.

use super::lexicon::{Set, is};
use super::token::tokens;

/// Most facts that one answer quotes.
const MAX_QUOTED: usize = 3;
/// Below this effective confidence a fact is quoted with a caution; hedged statements start at 0.4.
const UNSURE_BELOW: f64 = 0.5;

/// One fact that the retrieval found for the question, best first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecalledFact<'a> {
    /// The proposition's text.
    pub text: &'a str,
    /// Who said it and when, for example `you, on 2026-03-08`.
    pub said: Option<&'a str>,
    /// Effective confidence, 0 to 1.
    pub confidence: f64,
    /// Another statement stands against it, and nobody has decided yet.
    pub is_disputed: bool,
    /// A person settled it.
    pub is_canon: bool,
}

/// What is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard<'a> {
    /// The words.
    pub text: &'a str,
    /// The user's own name as statements use it, when known.
    pub speaker_name: Option<&'a str>,
    /// Whether it is the conversation's first answer, which has the full sentence about the missing model.
    pub is_first: bool,
    /// Whether what is said here is looked at and kept.
    pub is_kept: bool,
}

/// Answers in Markdown. `kept` is what stands in the working set whatever the question: a question whose words lead nowhere is
/// answered with it, because "what must I not eat?" shares no word with an allergy. Of what is disputed, both sides are told.
pub fn respond(heard: &Heard<'_>, recalled: &[RecalledFact<'_>], kept: &[RecalledFact<'_>]) -> String {
    let name = heard.speaker_name.unwrap_or("User");
    let body = if !asks(heard.text) {
        acknowledge(recalled, name, heard.is_kept)
    } else if recalled.is_empty() && !kept.is_empty() {
        format!(
            "Your words lead to nothing in your memory. What I keep in mind whatever you ask:\n\n{}",
            quote(kept, name)
        )
    } else if recalled.is_empty() {
        "I found nothing about that in your memory. Tell me in a plain sentence, for example \u{201c}I live in Kleve\u{201d}, and it can be found next time; \
         other words for the same thing may help too."
            .to_owned()
    } else {
        let intro = if recalled.len() == 1 {
            "From your memory:"
        } else {
            "This is the closest that I found in your memory:"
        };
        let told = &recalled[..recalled.len().min(MAX_QUOTED)];
        let is_open =
            |fact: &&RecalledFact<'_>| fact.is_disputed && !told.iter().any(|one| one.text == fact.text);
        let against: Vec<RecalledFact<'_>> = match told.iter().any(|fact| fact.is_disputed) {
            true => recalled.iter().chain(kept).filter(is_open).copied().collect(),
            false => Vec::new(),
        };
        match against.is_empty() {
            true => format!("{intro}\n\n{}", quote(told, name)),
            false => format!(
                "{intro}\n\n{}\n\nThat is disputed. What else stands in the dispute:\n\n{}",
                quote(told, name),
                quote(&against, name)
            ),
        }
    };
    let note = if heard.is_first {
        "_No language model is connected, so I can only quote what was kept. Settings connects one; your memory stays as it is._"
    } else {
        "_No language model connected (Settings)._"
    };
    format!("{body}\n\n{note}")
}

fn acknowledge(recalled: &[RecalledFact<'_>], name: &str, is_kept: bool) -> String {
    let noted = match is_kept {
        true => "Noted. I will look at it now; below this turn you will see what I kept.",
        false => "I have read it and keep nothing of it: this is not remembered.",
    };
    // What is well known already is worth a line; a weak match is not.
    let related: Vec<RecalledFact<'_>> =
        recalled.iter().filter(|f| f.confidence >= UNSURE_BELOW).take(2).copied().collect();
    if related.is_empty() {
        noted.to_owned()
    } else {
        format!("{noted}\n\nI already had:\n\n{}", quote(&related, name))
    }
}

fn quote(recalled: &[RecalledFact<'_>], name: &str) -> String {
    let lines = recalled.iter().take(MAX_QUOTED).map(|fact| {
        let text = to_second_person(fact.text, name)
            .map_or_else(|| format!("\u{201c}{}\u{201d}", escape(fact.text)), |t| escape(&t));
        let mut notes: Vec<String> = fact.said.iter().map(|s| format!("said by {}", escape(s))).collect();
        if fact.is_canon {
            notes.push("settled by you".to_owned());
        }
        if fact.is_disputed {
            notes.push("disputed".to_owned());
        }
        if fact.confidence < UNSURE_BELOW {
            notes.push("not certain".to_owned());
        }
        if notes.is_empty() { format!("- {text}") } else { format!("- {text} ({})", notes.join("; ")) }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether the text asks something.
fn asks(text: &str) -> bool {
    let text = text.trim();
    if text.ends_with(['?', '\u{ff1f}']) {
        return true;
    }
    let toks = tokens(text);
    let Some(first) = toks.first() else { return false };
    let second = toks.get(1).map_or("", |t| t.low.as_str());
    let wh = is(Set::Wh, &first.low);
    let inverted = is(Set::QuestionStart, &first.low)
        && (is(Set::SubjectPronoun, second) || is(Set::Determiner, second));
    wh || inverted
        || matches!(first.low.as_str(), "tell" | "show" | "list" | "find" | "remind" | "recall")
        || text.contains('?')
        || text.ends_with(['\u{5417}', '\u{5462}'])
}

/// "Mara lives in Kleve." said back to Mara: "You live in Kleve." Only where one verb right behind the name decides everything and the rest
/// speaks of nobody; else `None`, and the statement is quoted as it stands.
fn to_second_person(text: &str, name: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix(name).and_then(|r| r.strip_prefix("'s ")) {
        return (!speaks_of_people(rest, name)).then(|| format!("Your {rest}"));
    }
    let rest = text.strip_prefix(name)?.strip_prefix(' ')?;
    let (verb, tail) = rest.split_once(' ')?;
    if speaks_of_people(tail, name) || verb == "and" {
        return None;
    }
    let verb = match verb {
        "is" => "are".to_owned(),
        "isn't" => "aren't".to_owned(),
        "was" => "were".to_owned(),
        "wasn't" => "weren't".to_owned(),
        "has" => "have".to_owned(),
        "hasn't" => "haven't".to_owned(),
        "does" => "do".to_owned(),
        "doesn't" => "don't".to_owned(),
        v if is(Set::FiniteAux, v) => v.to_owned(),
        v if super::lexicon::has(v, super::lexicon::THIRD) => super::lexicon::base(v).to_owned(),
        v if super::lexicon::has(v, super::lexicon::PAST) => v.to_owned(),
        _ => return None,
    };
    Some(format!("You {verb} {}", tail.replace(" their ", " your ")))
}

/// Whether a pronoun other than "their", the name itself or a second verb form makes the change of person unsafe.
fn speaks_of_people(rest: &str, name: &str) -> bool {
    rest.contains(name)
        || tokens(rest).iter().any(|t| {
            matches!(
                t.low.as_str(),
                "they"
                    | "them"
                    | "theirs"
                    | "themselves"
                    | "he"
                    | "she"
                    | "him"
                    | "her"
                    | "his"
                    | "and"
                    | "but"
                    | "who"
                    | "that"
                    | "because"
                    | "when"
            )
        })
}

/// Keeps quoted text from being read as Markdown.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '!') {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: RecalledFact<'_> = RecalledFact {
        text: "Mara lives in Kleve.",
        said: Some("you, on 2026-03-08"),
        confidence: 0.9,
        is_disputed: false,
        is_canon: false,
    };

    fn answered(
        text: &str,
        speaker_name: Option<&str>,
        recalled: &[RecalledFact<'_>],
        kept: &[RecalledFact<'_>],
        is_first: bool,
    ) -> String {
        respond(&Heard { text, speaker_name, is_first, is_kept: true }, recalled, kept)
    }

    #[test]
    fn both_sides_of_a_dispute_are_told() {
        let fact =
            |text, is_canon| RecalledFact { text, said: None, confidence: 0.9, is_disputed: true, is_canon };
        let (canon, denied) =
            (fact("User is allergic to peanuts.", true), fact("User is not allergic to peanuts.", false));
        let answer = answered("What must I not eat?", None, &[denied], &[canon], false);
        assert!(answer.contains("You are not allergic to peanuts. (disputed)"), "{answer}");
        assert!(answer.contains("You are allergic to peanuts. (settled by you; disputed)"), "{answer}");
        let both = answered("Am I allergic?", None, &[canon, denied], &[canon], false);
        assert_eq!(both.matches("You are allergic").count(), 1, "{both}");
    }

    #[test]
    fn what_is_not_remembered_is_not_said_to_be_looked_at() {
        let heard = Heard { text: "I live in Kleve.", speaker_name: None, is_first: false, is_kept: false };
        let answer = respond(&heard, &[], &[]);
        assert!(answer.contains("not remembered") && !answer.contains("Noted"), "{answer}");
    }

    #[test]
    fn a_question_is_answered_by_quoting() {
        let answer = answered("Where do I live?", Some("Mara"), &[HOME], &[], true);
        assert!(answer.contains("- You live in Kleve. (said by you, on 2026-03-08)"), "{answer}");
        assert!(answer.contains("No language model is connected") && answer.contains("Settings"));
        let short = answered("Where do I live?", Some("Mara"), &[HOME], &[], false);
        assert!(short.len() < answer.len() && short.contains("No language model connected"));
    }

    #[test]
    fn a_statement_is_never_said_to_be_stored() {
        let answer = answered("I live in Kleve.", None, &[], &[], false);
        assert!(answer.starts_with("Noted. I will look at it now"), "{answer}");
        for claim in ["stored", "saved", "remembered", "I kept it"] {
            assert!(!answer.contains(claim), "{answer}");
        }
        assert!(answered("I live in Kleve.", Some("Mara"), &[HOME], &[], false).contains("I already had"));
    }

    #[test]
    fn nothing_found_says_so_and_what_helps() {
        let answer = answered("Do I like techno?", None, &[], &[], false);
        assert!(answer.contains("found nothing") && answer.contains("Tell me in a plain sentence"));
    }

    #[test]
    fn person_changes_only_where_it_is_safe() {
        let you = |t| to_second_person(t, "Mara");
        assert_eq!(you("Mara is allergic to nuts.").as_deref(), Some("You are allergic to nuts."));
        assert_eq!(you("Mara doesn't like their job.").as_deref(), Some("You don't like your job."));
        assert_eq!(you("Mara moved to Oslo in 2019.").as_deref(), Some("You moved to Oslo in 2019."));
        assert_eq!(you("Mara's sister is a vet.").as_deref(), Some("Your sister is a vet."));
        assert_eq!(you("Mara thinks that they have the flu."), None);
        assert_eq!(you("Mara and Ana live in Oslo."), None);
        assert_eq!(you("Ana is a vet."), None);
    }

    #[test]
    fn at_most_three_facts_and_no_markup_from_memory() {
        let bad = RecalledFact {
            text: "<img src=x> *bold* [x](javascript:1)",
            said: None,
            confidence: 0.3,
            is_disputed: false,
            is_canon: false,
        };
        let answer = answered("What is it?", None, &[bad; 5], &[], false);
        assert_eq!(answer.matches("- \u{201c}").count(), 3);
        assert!(
            answer.contains("\\<img")
                && answer.contains("\\*bold")
                && answer.contains("\\[x\\]")
                && answer.contains("not certain")
        );
    }

    #[test]
    fn a_question_whose_words_lead_nowhere_is_answered_with_what_is_always_kept() {
        let allergy = RecalledFact {
            text: "User is allergic to peanuts.",
            said: None,
            confidence: 0.95,
            is_disputed: false,
            is_canon: false,
        };
        let answer = answered("What must I not eat?", None, &[], &[allergy], false);
        assert!(answer.contains("allergic to peanuts"), "{answer}");
        let noted = answered("I live in Kleve.", None, &[], &[allergy], false);
        assert!(!noted.contains("peanuts"), "it was no question: {noted}");
        let found = answered("Where do I live?", Some("Mara"), &[HOME], &[allergy], false);
        assert!(!found.contains("peanuts"), "something was found: {found}");
    }
}

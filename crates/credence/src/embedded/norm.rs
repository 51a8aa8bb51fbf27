//! Plain statements about no person: rules ("Door 14 must stay locked."), what holds for every or no one of a kind ("Every gift is entered
//! within five days."), and how many of something there are. A second chance for what the reader of clauses refuses: told to an
//! assistant, a rule of the house is a fact as a home is.
//!
//! Kept word for word, and only where nothing in the words points elsewhere: no person speaking or spoken to, no pronoun, no comma, no hedge.
//! "Must" and "may" that guess ("She must be tired", "Ana may not come") are no rules.

use crate::extraction::CandidateMention;
use crate::proposition::MentionRole;

use super::calibration::{MAX_STATEMENT_CHARS, Rule};
use super::finite::looks_plural;
use super::lexicon::{BASE, ING, PART, PAST, Set, THIRD, has, is, is_adverb, is_first_name, is_kin};
use super::statement::capitalised;
use super::subject::thing;
use super::token::{Tok, render};

/// Most words of such a sentence: longer ones say more than one thing.
const MOST_WORDS: usize = 24;

/// Most words of the subject.
const MOST_SUBJECT: usize = 8;

/// What was read.
pub(super) struct Plain {
    pub(super) text: String,
    pub(super) rule: Rule,
    pub(super) mentions: Vec<CandidateMention>,
}

/// Reads a sentence without its lead-ins and closing mark.
pub(super) fn read(toks: &[Tok]) -> Option<Plain> {
    if !(4..=MOST_WORDS).contains(&toks.len()) {
        return None;
    }
    let counted = counted(toks);
    // The "there" of a count points at nothing.
    if toks[usize::from(counted.is_some())..].iter().any(points_elsewhere) {
        return None;
    }
    let (subject, rule) = counted
        .map(|(from, to)| (&toks[from..to], Rule::General))
        .or_else(|| norm(toks).map(|at| (&toks[..at], Rule::Norm)))
        .or_else(|| quantified(toks).map(|at| (&toks[..at], Rule::General)))?;
    let rule = if toks.iter().any(|t| is(Set::Health, &t.low)) { Rule::Health } else { rule };
    let text = format!("{}.", capitalised(&render(toks)));
    if text.chars().count() > MAX_STATEMENT_CHARS {
        return None;
    }
    let mentions = mention(subject).filter(|m| text.contains(&m.span)).into_iter().collect();
    Some(Plain { text, rule, mentions })
}

/// Somebody or something that the sentence does not name, or a mark that joins two things said.
fn points_elsewhere(t: &Tok) -> bool {
    const PERSONS: [&str; 15] = [
        "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "you", "your", "yours", "yourself",
        "he", "she",
    ];
    PERSONS.contains(&t.low.as_str())
        || is(Set::ThirdPronoun, &t.low)
        || is(Set::Deictic, &t.low)
        || is(Set::Wh, &t.low)
        || is(Set::Hedge, &t.low) && !t.is("may")
        || t.is_mark() && !matches!(t.low.as_str(), "-" | "%")
        || matches!(t.low.as_str(), "if" | "unless" | "but" | "because" | "so" | "though" | "although")
}

/// Where the modal verb of a rule stands.
fn norm(toks: &[Tok]) -> Option<usize> {
    let at = (1..toks.len().min(MOST_SUBJECT + 1)).find(|&i| is(Set::FiniteAux, &toks[i].low))?;
    let (subject, modal) = (&toks[..at], toks[at].low.as_str());
    let next = toks.get(at + 1)?;
    let denied = next.is("not") || next.is("never");
    let limited = denied || next.is("only");
    let binds = match modal {
        "must" | "mustn't" | "shall" => true,
        // "Ana may not come" is a guess about a person; "Replication lag may not exceed 30 seconds" is a rule.
        "may" => (limited || opens_with_nobody(toks)) && !is_one_person(subject),
        "can" | "can't" | "cannot" => opens_with_nobody(toks) || modal == "can" && next.is("only"),
        _ => false,
    };
    let behind = at + 1 + usize::from(limited);
    let mut verb = behind;
    while toks.get(verb).is_some_and(|t| is_adverb(&t.low)) {
        verb += 1;
    }
    (binds && names_something(subject) && acts(&toks[verb.min(toks.len())..])).then_some(at)
}

/// Whether what follows a modal is something to do or to be done, as opposed to a guess ("must be tired", "must have been nice").
fn acts(rest: &[Tok]) -> bool {
    let Some(verb) = rest.first() else { return false };
    match verb.low.as_str() {
        "have" => false,
        "be" => rest[1..].iter().find(|t| !is_adverb(&t.low)).is_some_and(|t| {
            !is(Set::Feeling, &t.low)
                && !is(Set::Evaluative, &t.low)
                && !has(&t.low, ING)
                && (has(&t.low, PART) || t.low.ends_with("ed"))
        }),
        low => {
            has(low, BASE)
                || low.len() > 2
                    && low.chars().all(|c| c.is_ascii_lowercase())
                    && !has(low, ING | PAST | THIRD)
        }
    }
}

fn opens_with_nobody(toks: &[Tok]) -> bool {
    toks[0].is("no") || toks[0].is("nobody")
}

fn is_one_person(subject: &[Tok]) -> bool {
    let last = &subject[subject.len() - 1];
    is_first_name(&last.low) || is_kin(&last.low) && !is(Set::KinPlural, &last.low)
}

/// Whether a subject is more than "one", "that part" or "people".
fn names_something(subject: &[Tok]) -> bool {
    let first = &subject[0];
    if first.is("nobody") || first.is("everybody") || first.is("everyone") {
        return subject.len() == 1;
    }
    let end =
        subject.iter().position(|t| is(Set::Preposition, &t.low)).filter(|p| *p > 0).unwrap_or(subject.len());
    let head = &subject[end - 1];
    // "No one" is nobody.
    let no_one = subject.len() == 2 && first.is("no") && head.is("one");
    no_one
        || !is(Set::VagueHead, &head.low)
            && !is(Set::NothingParticular, &head.low)
            && !is(Set::Preposition, &first.low)
            && !is_adverb(&first.low)
            && subject.iter().any(|t| t.low.chars().any(char::is_alphabetic) && !is(Set::Determiner, &t.low))
}

/// Where the verb stands of a sentence about every or no one of a kind.
fn quantified(toks: &[Tok]) -> Option<usize> {
    const TIMES: [&str; 17] = [
        "day", "days", "time", "times", "week", "weekend", "month", "year", "morning", "evening", "night",
        "hour", "minute", "moment", "second", "once", "now",
    ];
    let nobody = toks[0].is("nobody") || toks[0].is("everybody") || toks[0].is("everyone");
    let kind = matches!(toks[0].low.as_str(), "every" | "each" | "no" | "all");
    if !nobody && !kind {
        return None;
    }
    let from = if nobody { 1 } else { 2 };
    if kind
        && (TIMES.contains(&toks[1].low.as_str()) || is(Set::Preposition, &toks[1].low) || toks[1].is("the"))
    {
        return None;
    }
    let guesses = |t: &Tok| {
        matches!(
            t.low.as_str(),
            "would" | "could" | "should" | "might" | "may" | "must" | "shall" | "do" | "did"
        )
    };
    let at = (from..toks.len().min(MOST_SUBJECT + 1)).find(|&i| {
        let low = toks[i].low.as_str();
        is(Set::FiniteAux, low)
            || !is(Set::Preposition, &toks[i - 1].low)
                && (has(low, THIRD) && !looks_plural_noun(toks, i) || toks[0].is("all") && has(low, BASE))
    })?;
    let rest = &toks[at + 1..];
    // "Nobody is perfect" says how somebody feels about it; "No data was lost" says what happened.
    let says = rest.iter().find(|t| !is_adverb(&t.low)).is_some_and(|t| {
        let done = toks[0].is("no") && has(&t.low, PART);
        done || !is(Set::Evaluative, &t.low) && !is(Set::Feeling, &t.low)
    });
    (!guesses(&toks[at]) && says && names_something(&toks[..at])).then_some(at)
}

/// "Every night shift report ...": a plural noun would stand before a verb of its own.
fn looks_plural_noun(toks: &[Tok], i: usize) -> bool {
    looks_plural(&toks[i].low) && toks[i + 1..].iter().take(4).any(|t| is(Set::FiniteAux, &t.low))
}

/// "There are eleven false invoices": where what is counted begins and ends.
fn counted(toks: &[Tok]) -> Option<(usize, usize)> {
    let is_number = |t: &Tok| {
        t.low.chars().next().is_some_and(|c| c.is_ascii_digit()) || NUMBERS.contains(&t.low.as_str())
    };
    let be = matches!(toks[1].low.as_str(), "are" | "were");
    if !toks[0].is("there") || !be || !is_number(&toks[2]) {
        return None;
    }
    let end = (3..toks.len()).find(|&i| is(Set::Preposition, &toks[i].low)).unwrap_or(toks.len());
    let head = &toks[end - 1];
    (end > 3 && looks_plural(&head.low) && !is(Set::VagueHead, &head.low)).then_some((3, end))
}

const NUMBERS: [&str; 19] = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// What the statement is about, without what only says how many.
fn mention(subject: &[Tok]) -> Option<CandidateMention> {
    let bare =
        subject.iter().position(|t| !is(Set::Determiner, &t.low) && !t.is("nobody") && !t.is("everybody"))?;
    let words = &subject[bare..];
    let head =
        &words[words.iter().position(|t| is(Set::Preposition, &t.low)).unwrap_or(words.len()).max(1) - 1];
    let kind = if is_kin(&head.low) || is_first_name(&head.low) {
        "Person"
    } else if looks_plural(&head.low) {
        "Topic"
    } else {
        "Thing"
    };
    Some(thing(&render(words), kind, MentionRole::Subject))
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    fn text(sentence: &str) -> Option<String> {
        let toks = tokens(sentence.trim_end_matches('.'));
        read(&toks).map(|plain| plain.text)
    }

    #[test]
    fn rules_and_counts_are_read_word_for_word() {
        for sentence in [
            "No envoy may speak to the prince.",
            "Gifts above 50 euros must be declined.",
            "Every gift is entered in the register within five days.",
            "Public officials may not be given anything.",
            "Every rotation needs two approvals.",
            "Replication lag may not exceed 30 seconds.",
            "Nobody may ring the bell after sunset.",
            "There are eleven false invoices.",
            "Door 14 must stay locked at night.",
            "Father must not drink grapefruit juice.",
            "No customer data was lost.",
        ] {
            assert_eq!(text(sentence).as_deref(), Some(sentence));
        }
    }

    #[test]
    fn guesses_maxims_and_what_points_elsewhere_are_not() {
        for sentence in [
            "She must be tired after that.",
            "The hotel must be nice.",
            "The trip must have been long.",
            "Ana may not come to the party.",
            "My brother may not come tomorrow.",
            "The bus may be late again.",
            "Every day is a gift for everybody.",
            "Nobody is perfect all the time.",
            "No worries at all my friend.",
            "Each of us pays the same rent.",
            "All of them were late again.",
            "There are two things to say.",
            "Everything must go by Friday.",
            "You must not drink that juice.",
            "Doors must be locked, but windows may stay open.",
        ] {
            assert_eq!(text(sentence), None, "{sentence}");
        }
    }

    #[test]
    fn a_rule_is_about_its_subject() {
        let toks = tokens("Gifts above 50 euros must be declined");
        let plain = read(&toks).unwrap();
        assert_eq!(plain.rule, Rule::Norm);
        assert_eq!(plain.mentions[0].span, "Gifts above 50 euros");
        assert_eq!(
            (plain.mentions[0].kind.as_str(), plain.mentions[0].role),
            ("Topic", MentionRole::Subject)
        );
        let every = read(&tokens("Every rotation needs two approvals")).unwrap();
        assert_eq!((every.rule, every.mentions[0].span.as_str()), (Rule::General, "rotation"));
    }
}

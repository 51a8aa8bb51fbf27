//! Predicates that keep a conversation going and tell nothing worth keeping.

use crate::extraction::DropReason;

use super::lexicon::{BASE, ING, PART, Set, has, is, is_adverb, is_kin};
use super::predicate::Predicate;
use super::screen::{Refusal, refuse};
use super::subject::{Subject, Who};
use super::token::Tok;
use super::when::Tense;

pub(super) fn small_talk(what: &str) -> Refusal {
    refuse(DropReason::Chatter, what)
}

/// Words of the rest that carry content: no marks, adverbs, articles.
pub(super) fn content(rest: &[Tok]) -> Vec<&str> {
    rest.iter()
        .filter(|t| !t.is_mark() && !is_adverb(&t.low) && !is(Set::Bare, &t.low))
        .map(|t| t.low.as_str())
        .collect()
}

pub(super) fn refuse_small_talk(subject: &Subject, p: &Predicate) -> Result<(), Refusal> {
    let words = content(&p.rest);
    let first = words.first().copied().unwrap_or_default();
    let rest_first = p.rest.first().map_or("", |t| t.low.as_str());
    let said = p.phrase();
    let has_you = p.rest.iter().any(|t| matches!(t.low.as_str(), "you" | "your" | "yours" | "yourself"));
    let to_verb = p.rest.windows(2).any(|w| w[0].is("to") && has(&w[1].low, BASE));
    match subject.who {
        Who::Other => {
            let factual = is(Set::FactVerb, &p.verb)
                || p.verb == "be"
                    && !p.progressive
                    && matches!(
                        rest_first,
                        "a" | "an" | "my" | "from" | "allergic" | "married" | "vegetarian" | "vegan"
                    )
                    && !words.iter().any(|w| is(Set::Evaluative, w))
                || p.verb == "have"
                    && p.rest.iter().any(|t| {
                        is(Set::Animal, &t.low)
                            || is(Set::AnimalPlural, &t.low)
                            || is_kin(&t.low)
                            || is(Set::KinPlural, &t.low)
                    });
            if !factual || p.tense == Tense::Future || p.progressive && p.verb != "live" && p.verb != "work" {
                return Err(small_talk("kind words or a guess about the other person"));
            }
        }
        Who::Speaker => {
            refuse_phatic(p, first, rest_first, has_you, to_verb, &words)?;
        }
        Who::Third => {
            if p.verb == "be"
                && !p.progressive
                && (words.is_empty()
                    || words.iter().all(|w| {
                        is(Set::Evaluative, w)
                            || is(Set::Feeling, w)
                            || matches!(*w, "and" | "but" | "or" | "to" | "see" | "hear" | "too")
                    }))
            {
                return Err(small_talk("an opinion in passing"));
            }
            if p.verb == "be"
                && !p.progressive
                && !subject.named
                && (is(Set::Evaluative, first)
                    || is(Set::VagueHead, first)
                    || matches!(first, "about" | "like" | "just" | "what"))
            {
                return Err(small_talk("an opinion in passing"));
            }
            if matches!(p.verb.as_str(), "sound" | "look" | "seem")
                && words.iter().all(|w| is(Set::Evaluative, w) || is(Set::Feeling, w) || *w == "like")
            {
                return Err(small_talk("an impression in passing"));
            }
            let known_only_here = subject.tokens.first().is_some_and(|t| t.is("the"))
                && !subject.named
                && p.tense == Tense::Past
                && !p.perfect;
            if known_only_here
                && (matches!(p.verb.as_str(), "feel" | "look" | "sound" | "taste" | "smell")
                    || p.verb == "be"
                        && !p.rest.iter().any(|t| {
                            has(&t.low, PART)
                                && !has(&t.low, BASE)
                                && !matches!(t.low.as_str(), "filled" | "excited" | "tired" | "inspired")
                        }))
            {
                return Err(refuse(
                    DropReason::VagueSubject,
                    format!(
                        "what \u{201c}{}\u{201d} was is known only to the talk",
                        super::token::render(&subject.tokens)
                    ),
                ));
            }
            let it = subject
                .inferred
                .as_deref()
                .is_some_and(|i| i.to_lowercase().starts_with("\u{201c}it\u{201d}"));
            if it
                && !p.progressive
                && matches!(
                    p.verb.as_str(),
                    "be" | "seem" | "look" | "take" | "feel" | "sound" | "make" | "help" | "mean"
                )
            {
                return Err(refuse(DropReason::VagueSubject, "\u{201c}it\u{201d} may mean the whole matter"));
            }
            if matches!(p.verb.as_str(), "go" | "turn")
                && words.iter().all(|w| is(Set::Evaluative, w) || is(Set::Feeling, w) || *w == "out")
            {
                return Err(small_talk("an opinion in passing"));
            }
            if p.progressive && p.verb != "be" && words.len() < 2 && !subject.named {
                return Err(small_talk("too little is said"));
            }
            let known = is_kin(&subject.head)
                || is(Set::KinPlural, &subject.head)
                || is(Set::Animal, &subject.head)
                || is(Set::AnimalPlural, &subject.head);
            let plain = is(Set::PlainPossession, &subject.head);
            if subject.others
                && (!known && !plain
                    || p.tense == Tense::Future
                    || words.iter().any(|w| is(Set::Evaluative, w)))
            {
                return Err(small_talk("kind words or a guess about the other person"));
            }
            if subject.owned && is(Set::TalkHead, &subject.head) {
                return Err(small_talk("words about the talk or its mood"));
            }
            if is(Set::ImpressionVerb, &p.verb) && !subject.named {
                return Err(small_talk("an impression in passing"));
            }
            if p.verb == "be" && p.progressive && is(Set::Evaluative, first) {
                return Err(small_talk("an opinion in passing"));
            }
            let whom = p.rest.iter().any(|t| matches!(t.low.as_str(), "me" | "us" | "you"));
            if words.is_empty()
                && !(whom && p.tense == Tense::Past)
                && (!subject.named && p.verb != "die" || p.finite == p.verb)
                && !p.perfect
                && !p.negated
            {
                return Err(small_talk("too little is said"));
            }
        }
    }
    if p.rest.last().is_some_and(|t| is(Set::FiniteAux, &t.low) && !t.is_capital() || t.is("'s")) {
        return Err(refuse(DropReason::NotUnderstood, "the end was left out"));
    }
    if said.contains(" the same ") && !p.rest.iter().any(|t| t.is("as")) {
        return Err(refuse(DropReason::VagueSubject, "\u{201c}the same\u{201d} points at something unnamed"));
    }
    for waffle in [
        " your back ",
        " have to say ",
        " can relate ",
        " good luck ",
        " keep it up ",
        " way to go ",
        " in touch ",
        " no idea ",
        " good question ",
        " a lot to me ",
        " means a lot ",
        " mean a lot ",
        " fingers crossed ",
        " sounds good ",
    ] {
        if said.contains(waffle) {
            return Err(small_talk("a turn of phrase"));
        }
    }
    Ok(())
}

/// First-person sentences that keep a conversation going and tell nothing.
fn refuse_phatic(
    p: &Predicate,
    first: &str,
    rest_first: &str,
    has_you: bool,
    to_verb: bool,
    words: &[&str],
) -> Result<(), Refusal> {
    let copula = p.verb == "be" && !p.progressive;
    let little = words.is_empty();
    if copula {
        let feelings = words.iter().all(|w| {
            is(Set::Feeling, w)
                || is(Set::Evaluative, w)
                || matches!(*w, "and" | "but" | "or" | "really" | "now" | "today" | "about" | "it" | "too")
        });
        if little || feelings && !words.iter().any(|w| is(Set::Health, w)) {
            return Err(small_talk("a feeling in passing"));
        }
        if matches!(first, "sure" | "certain" | "confident") {
            return Err(small_talk("a guess"));
        }
        if is(Set::Feeling, first)
            && (has_you
                || words.iter().any(|w| {
                    matches!(*w, "hear" | "see" | "know" | "say" | "that" | "it" | "because" | "how")
                }))
        {
            return Err(small_talk("kind words"));
        }
        if has_you || is(Set::SmallCopula, first) && !matches!(rest_first, "on" | "in" | "back") {
            return Err(small_talk("small talk"));
        }
        if words.iter().all(|w| is(Set::VagueObject, w) || matches!(*w, "in" | "on" | "up"))
            || matches!(rest_first, "in" | "on" | "back") && words.len() < 2
        {
            return Err(small_talk("small talk"));
        }
    }
    let v = p.verb.as_str();
    if is(Set::InertFirst, v)
        && !(is(Set::InertPast, v) && (p.tense == Tense::Past || p.perfect) && !words.is_empty() && !has_you)
    {
        return Err(small_talk("a remark about the talk itself"));
    }
    if is(Set::ThinVerb, v) && little {
        return Err(small_talk("too little is said"));
    }
    if v == "know" && !(p.rest.first().is_some_and(Tok::is_capital) || rest_first == "how" && to_verb) {
        return Err(small_talk("a remark about the talk itself"));
    }
    if has_you && (p.progressive || p.tense != Tense::Past || is(Set::WarmVerb, v)) {
        return Err(small_talk("words to the other person"));
    }
    if p.progressive && is(Set::PassingVerb, v) {
        let thinking = v == "think"
            && matches!(rest_first, "of" | "about")
            && p.rest.get(1).is_some_and(|t| has(&t.low, ING));
        let trying = v == "try" && to_verb && words.len() > 4;
        if !(thinking
            || trying
            || v == "get" && matches!(rest_first, "married" | "a" | "divorced")
            || v == "look" && matches!(rest_first, "for" | "into"))
        {
            return Err(small_talk("a passing state"));
        }
    }
    if matches!(p.finite.as_str(), "will" | "'ll" | "won't")
        || p.finite == "am" && p.verb == "go" && p.tense == Tense::Future
    {
        let v = p
            .rest
            .iter()
            .skip_while(|t| t.is("to"))
            .map(|t| t.low.as_str())
            .next()
            .filter(|_| p.verb == "go")
            .unwrap_or(v);
        if !p.progressive && is(Set::PromiseVerb, v)
            || p.verb == "go"
                && matches!(v, "keep" | "be" | "try" | "do" | "see" | "have" | "make" | "take" | "look")
        {
            return Err(small_talk("a promise in passing"));
        }
    }
    if matches!(p.finite.as_str(), "can" | "can't" | "cannot" | "couldn't") && is(Set::CanPhrase, v) {
        let eager = v == "wait" && to_verb && words.len() > 3 && !has_you;
        if !eager {
            return Err(small_talk("a turn of phrase"));
        }
    }
    if matches!(v, "feel")
        && (little
            || words.iter().all(|w| is(Set::Feeling, w) || is(Set::Evaluative, w))
            || matches!(rest_first, "like" | "you" | "that"))
    {
        return Err(small_talk("a feeling in passing"));
    }
    if matches!(v, "love" | "like" | "enjoy" | "hate")
        && (little
            || matches!(rest_first, "how" | "that" | "when" | "what" | "the") && !rest_is_rich(words)
            || matches!(first, "it" | "idea" | "look" | "sound" | "way" | "vibe" | "color" | "colors"))
    {
        return Err(small_talk("an opinion in passing"));
    }
    if v == "have" && !p.perfect && is(Set::SmallHave, first) && words.len() < 4 {
        return Err(small_talk("small talk"));
    }
    if v == "look" && rest_first == "forward" && (has_you || words.len() < 4)
        || v == "want" && (little || has_you)
        || v == "mean"
        || v == "find" && words.iter().any(|w| *w == "it")
    {
        return Err(small_talk("small talk"));
    }
    if p.verb == "have"
        && !p.perfect
        && rest_first != "to"
        && words.iter().all(|w| {
            is(Set::VagueObject, w)
                || is(Set::Evaluative, w)
                || is(Set::Mood, w)
                || *w == "strong"
                || *w == "to"
        })
    {
        return Err(small_talk("too little is said"));
    }
    if p.group.iter().any(|t| t.is("would")) && p.rest.get(1).is_some_and(|t| is(Set::WouldVerb, &t.low)) {
        return Err(small_talk("small talk"));
    }
    if words.iter().any(|w| *w == "similar") && !p.rest.iter().any(|t| t.is("to")) {
        return Err(refuse(DropReason::VagueSubject, "\u{201c}similar\u{201d} points at something unnamed"));
    }
    if copula && said_in_for(p) {
        return Err(small_talk("small talk"));
    }
    let telling = words
        .iter()
        .filter(|w| **w != "to")
        .filter(|w| !is(Set::VagueObject, w) && !is(Set::Evaluative, w) && !is(Set::Feeling, w))
        .count();
    let eventful = p.tense != Tense::Present
        || p.perfect
        || p.progressive
        || v == "have" && rest_first == "to"
        || rest_first == "to";
    if !copula && telling == 0 && (eventful || !little)
        || (rest_first == "to" || p.progressive)
            && telling < 2
            && !p.rest.iter().any(Tok::is_capital)
            && words.len() < 3
    {
        return Err(small_talk("too little is said"));
    }
    if words.iter().any(|w| matches!(*w, "chat" | "chats" | "conversation" | "friendship"))
        && p.rest.iter().any(|t| t.is("our"))
    {
        return Err(small_talk("a remark about the talk itself"));
    }
    if v == "need" && words.len() < 2 {
        return Err(small_talk("small talk"));
    }
    Ok(())
}

/// "in for the hike", "game for it".
fn said_in_for(p: &Predicate) -> bool {
    p.rest.len() > 1
        && matches!(p.rest[0].low.as_str(), "in" | "up" | "down" | "game")
        && matches!(p.rest[1].low.as_str(), "for" | "to" | "on")
}

/// "loves the mountains around Bonn" is a preference; "loves the colors" is a remark.
fn rest_is_rich(words: &[&str]) -> bool {
    words.len() > 2 && !words.iter().any(|w| is(Set::Evaluative, w))
}

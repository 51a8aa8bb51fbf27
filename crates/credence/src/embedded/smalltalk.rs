//! Predicates that keep a conversation going and tell nothing worth keeping.

use crate::extraction::DropReason;

use super::lexicon::{BASE, ING, PART, Set, has, is, is_adverb, is_kin};
use super::predicate::Predicate;
use super::screen::{Refusal, refuse};
use super::subject::{Subject, Who};
use super::token::{Tok, render};
use super::when::Tense;

/// A refusal for what only keeps the talk going.
pub(super) fn small_talk(what: &str) -> Refusal {
    refuse(DropReason::Chatter, what)
}

fn vague(what: impl Into<String>) -> Refusal {
    refuse(DropReason::VagueSubject, what)
}

/// Words of the rest that carry content: no marks, adverbs, articles.
pub(super) fn content(rest: &[Tok]) -> Vec<&str> {
    rest.iter()
        .filter(|t| !t.is_mark() && !is_adverb(&t.low) && !is(Set::Bare, &t.low))
        .map(|t| t.low.as_str())
        .collect()
}

/// A predicate with what the checks ask about it.
struct Said<'a> {
    p: &'a Predicate,
    /// Content words of the rest.
    words: Vec<&'a str>,
    /// The first of them; empty without.
    first: &'a str,
    /// The first word of the rest, whatever it is.
    rest_first: &'a str,
    /// The other person is spoken to.
    has_you: bool,
    /// An infinitive follows.
    to_verb: bool,
    /// "is", "was" with no further verb.
    copula: bool,
}

fn opinion(word: &str) -> bool {
    is(Set::Evaluative, word) || is(Set::Feeling, word)
}

impl<'a> Said<'a> {
    fn of(p: &'a Predicate) -> Self {
        let words = content(&p.rest);
        Self {
            first: words.first().copied().unwrap_or_default(),
            rest_first: p.rest.first().map_or("", |t| t.low.as_str()),
            has_you: p.rest.iter().any(|t| matches!(t.low.as_str(), "you" | "your" | "yours" | "yourself")),
            to_verb: p.rest.windows(2).any(|w| w[0].is("to") && has(&w[1].low, BASE)),
            copula: p.verb == "be" && !p.progressive,
            words,
            p,
        }
    }
    fn verb(&self) -> &str {
        &self.p.verb
    }
    /// Every content word is an opinion, a feeling or one of these.
    fn only_opinion(&self, and: &[&str]) -> bool {
        self.words.iter().all(|w| opinion(w) || and.contains(w))
    }
    /// A date, an illness, a birth: what makes a promise a plan.
    fn weighty(&self) -> bool {
        self.p.rest.iter().any(|t| {
            t.text.contains(|c: char| c.is_ascii_digit())
                || is(Set::Health, &t.low)
                || is(Set::LifeEvent, &t.low)
                || is(Set::Month, &t.low) && t.is_capital()
                || is(Set::Weekday, &t.low) && t.is_capital()
                || t.is("baby")
        })
    }
}

/// Refuses what is not worth keeping, with the reason in words.
pub(super) fn refuse_small_talk(subject: &Subject, p: &Predicate) -> Result<(), Refusal> {
    let said = Said::of(p);
    match subject.who {
        Who::Other => of_the_other(&said)?,
        Who::Speaker => {
            feelings(&said)?;
            remarks(&said)?;
            promises(&said)?;
            opinions(&said)?;
            too_little(&said)?;
        }
        Who::Third => {
            of_things(subject, &said)?;
            of_people(subject, &said)?;
        }
    }
    turns_of_phrase(p)
}

/// "You ...": facts about the other person stay, praise and guesses go.
fn of_the_other(s: &Said<'_>) -> Result<(), Refusal> {
    let p = s.p;
    let describes =
        matches!(s.rest_first, "a" | "an" | "my" | "from" | "allergic" | "married" | "vegetarian" | "vegan");
    let related = |t: &Tok| {
        is(Set::Animal, &t.low)
            || is(Set::AnimalPlural, &t.low)
            || is_kin(&t.low)
            || is(Set::KinPlural, &t.low)
    };
    let factual = is(Set::FactVerb, s.verb())
        || s.copula && describes && !s.words.iter().any(|w| is(Set::Evaluative, w))
        || s.verb() == "have" && p.rest.iter().any(related);
    let passing = p.progressive && !matches!(s.verb(), "live" | "work");
    if !factual || p.tense == Tense::Future || passing {
        return Err(small_talk("kind words or a guess about the other person"));
    }
    Ok(())
}

/// Things and people alike: opinions and impressions in passing.
fn of_things(subject: &Subject, s: &Said<'_>) -> Result<(), Refusal> {
    let p = s.p;
    let aside = is(Set::Evaluative, s.first)
        || is(Set::VagueHead, s.first)
        || matches!(s.first, "about" | "like" | "just" | "what");
    if s.copula && s.only_opinion(&["and", "but", "or", "to", "see", "hear", "too"])
        || s.copula && !subject.named && aside
        || p.verb == "be" && p.progressive && is(Set::Evaluative, s.first)
        || matches!(s.verb(), "go" | "turn") && s.only_opinion(&["out"])
    {
        return Err(small_talk("an opinion in passing"));
    }
    if matches!(s.verb(), "sound" | "look" | "seem") && s.only_opinion(&["like"])
        || is(Set::ImpressionVerb, s.verb()) && !subject.named
    {
        return Err(small_talk("an impression in passing"));
    }
    // "The sky was clear": which sky, only the talk knows. A passive tells what happened and stays.
    let definite = subject.tokens.first().is_some_and(|t| t.is("the")) && !subject.named;
    let happened = |t: &Tok| {
        has(&t.low, PART)
            && !has(&t.low, BASE)
            && !matches!(t.low.as_str(), "filled" | "excited" | "tired" | "inspired")
    };
    let looked = matches!(s.verb(), "feel" | "look" | "sound" | "taste" | "smell")
        || p.verb == "be" && !p.rest.iter().any(happened);
    if definite && p.tense == Tense::Past && !p.perfect && looked {
        let what = render(&subject.tokens);
        return Err(vague(format!("what \u{201c}{what}\u{201d} was is known only to the talk")));
    }
    let it = subject.inferred.as_deref().is_some_and(|i| i.to_lowercase().starts_with("\u{201c}it\u{201d}"));
    let whole_matter =
        is(Set::ImpressionVerb, s.verb()) || matches!(s.verb(), "be" | "take" | "make" | "help");
    if it && !p.progressive && whole_matter {
        return Err(vague("\u{201c}it\u{201d} may mean the whole matter"));
    }
    Ok(())
}

/// What is said of somebody's relatives, pets and belongings.
fn of_people(subject: &Subject, s: &Said<'_>) -> Result<(), Refusal> {
    let p = s.p;
    let head = subject.head.as_str();
    let known = is_kin(head)
        || is(Set::KinPlural, head)
        || is(Set::Animal, head)
        || is(Set::AnimalPlural, head)
        || is(Set::PlainPossession, head);
    let praise = p.tense == Tense::Future || s.words.iter().any(|w| is(Set::Evaluative, w));
    if subject.others && (!known || praise) {
        return Err(small_talk("kind words or a guess about the other person"));
    }
    if subject.owned && is(Set::TalkHead, head) {
        return Err(small_talk("words about the talk or its mood"));
    }
    let whom = p.rest.iter().any(|t| matches!(t.low.as_str(), "me" | "us" | "you"));
    let complete = whom && p.tense == Tense::Past || p.perfect || p.negated;
    let thin = !subject.named && p.verb != "die" || p.finite == p.verb;
    let unfolding = p.progressive && p.verb != "be" && s.words.len() < 2 && !subject.named;
    if unfolding || s.words.is_empty() && !complete && thin {
        return Err(small_talk("too little is said"));
    }
    Ok(())
}

/// "I'm so happy", "I'm here", "I feel great".
fn feelings(s: &Said<'_>) -> Result<(), Refusal> {
    if s.verb() == "feel" && (s.only_opinion(&[]) || matches!(s.rest_first, "like" | "you" | "that")) {
        return Err(small_talk("a feeling in passing"));
    }
    if !s.copula {
        return Ok(());
    }
    let ill = s.words.iter().any(|w| is(Set::Health, w));
    if s.words.is_empty()
        || s.only_opinion(&["and", "but", "or", "really", "now", "today", "about", "it", "too"]) && !ill
    {
        return Err(small_talk("a feeling in passing"));
    }
    if matches!(s.first, "sure" | "certain" | "confident") {
        return Err(small_talk("a guess"));
    }
    let at_news = s
        .words
        .iter()
        .any(|w| matches!(*w, "hear" | "see" | "know" | "say" | "that" | "it" | "because" | "how"));
    if is(Set::Feeling, s.first) && (s.has_you || at_news) {
        return Err(small_talk("kind words"));
    }
    let place = matches!(s.rest_first, "on" | "in" | "back");
    let nothing = s.words.iter().all(|w| is(Set::VagueObject, w) || matches!(*w, "in" | "on" | "up"));
    if s.has_you
        || is(Set::SmallCopula, s.first) && !place
        || nothing
        || place && s.words.len() < 2
        || in_for(s.p)
    {
        return Err(small_talk("small talk"));
    }
    Ok(())
}

/// "in for the hike", "game for it".
fn in_for(p: &Predicate) -> bool {
    p.rest.len() > 1
        && matches!(p.rest[0].low.as_str(), "in" | "up" | "down" | "game")
        && matches!(p.rest[1].low.as_str(), "for" | "to" | "on")
}

/// "I guess", "I know", "I love you", "I'm trying".
fn remarks(s: &Said<'_>) -> Result<(), Refusal> {
    let (p, v) = (s.p, s.verb());
    let of_the_talk = || Err(small_talk("a remark about the talk itself"));
    let happened = (p.tense == Tense::Past || p.perfect) && !s.words.is_empty() && !s.has_you;
    if is(Set::InertFirst, v) && !(is(Set::InertPast, v) && happened) {
        return of_the_talk();
    }
    if is(Set::ThinVerb, v) && s.words.is_empty() {
        return Err(small_talk("too little is said"));
    }
    if v == "know" && !(p.rest.first().is_some_and(Tok::is_capital) || s.rest_first == "how" && s.to_verb) {
        return of_the_talk();
    }
    if v == "get" && matches!(s.rest_first, "how" | "what" | "why" | "that" | "it") {
        return of_the_talk();
    }
    let of_talk = |w: &&str| matches!(*w, "chat" | "chats" | "conversation" | "friendship");
    if s.words.iter().any(of_talk) && p.rest.iter().any(|t| t.is("our")) {
        return of_the_talk();
    }
    if s.has_you && (p.progressive || p.tense != Tense::Past || is(Set::WarmVerb, v)) {
        return Err(small_talk("words to the other person"));
    }
    if p.progressive && is(Set::PassingVerb, v) {
        let goes_on = match v {
            "think" => {
                matches!(s.rest_first, "of" | "about") && p.rest.get(1).is_some_and(|t| has(&t.low, ING))
            }
            "try" => s.to_verb && s.words.len() > 4,
            "get" => matches!(s.rest_first, "married" | "a" | "divorced"),
            "look" => matches!(s.rest_first, "for" | "into"),
            _ => false,
        };
        if !goes_on {
            return Err(small_talk("a passing state"));
        }
    }
    Ok(())
}

/// "I'll try", "I can imagine": promises and turns of phrase with an auxiliary.
fn promises(s: &Said<'_>) -> Result<(), Refusal> {
    let (p, v) = (s.p, s.verb());
    let going = p.verb == "go" && p.tense == Tense::Future;
    if (matches!(p.finite.as_str(), "will" | "won't") || p.finite == "am" && going) && !s.weighty() {
        let meant = p.rest.iter().find(|t| !t.is("to")).filter(|_| going).map_or(v, |t| t.low.as_str());
        let light = matches!(meant, "keep" | "be" | "try" | "do" | "see" | "have" | "make" | "take" | "look");
        if !p.progressive && is(Set::PromiseVerb, meant) || going && light {
            return Err(small_talk("a promise in passing"));
        }
    }
    if matches!(p.finite.as_str(), "can" | "can't" | "cannot" | "couldn't") && is(Set::CanPhrase, v) {
        let eager = v == "wait" && s.to_verb && s.words.len() > 3 && !s.has_you;
        if !eager {
            return Err(small_talk("a turn of phrase"));
        }
    }
    if p.group.iter().any(|t| t.is("would")) && p.rest.get(1).is_some_and(|t| is(Set::WouldVerb, &t.low)) {
        return Err(small_talk("small talk"));
    }
    Ok(())
}

/// "I love it", "I have fun", "I want it".
fn opinions(s: &Said<'_>) -> Result<(), Refusal> {
    let (p, v) = (s.p, s.verb());
    // "loves the mountains around Bonn" is a preference; "loves the colors" is a remark.
    let rich = s.words.len() > 2 && !s.words.iter().any(|w| is(Set::Evaluative, w));
    let remark = matches!(s.rest_first, "how" | "that" | "when" | "what" | "the")
        && !rich
        && !is(Set::UniqueThing, s.first);
    let pointing = matches!(s.first, "it" | "idea" | "look" | "sound" | "way" | "vibe" | "color" | "colors");
    if matches!(v, "love" | "like" | "enjoy" | "hate") && (s.words.is_empty() || remark || pointing) {
        return Err(small_talk("an opinion in passing"));
    }
    let nothing = s.first == "no" && s.words.get(1).is_some_and(|w| is(Set::VagueObject, w));
    let fun = is(Set::SmallHave, s.first) && s.words.len() < 4;
    if v == "have" && !p.perfect && (fun || nothing)
        || v == "look" && s.rest_first == "forward" && (s.has_you || s.words.len() < 4)
        || v == "want" && (s.words.is_empty() || s.has_you)
        || v == "mean"
        || v == "find" && s.words.contains(&"it")
        || v == "need" && s.words.len() < 2
    {
        return Err(small_talk("small talk"));
    }
    if s.words.contains(&"similar") && !p.rest.iter().any(|t| t.is("to")) {
        return Err(vague("\u{201c}similar\u{201d} points at something unnamed"));
    }
    Ok(())
}

/// Predicates without one telling word: "is making progress", "has to go".
fn too_little(s: &Said<'_>) -> Result<(), Refusal> {
    let (p, v) = (s.p, s.verb());
    let empty = |w: &str| is(Set::VagueObject, w) || opinion(w) || w == "to";
    let telling = s.words.iter().filter(|w| !empty(w)).count();
    let eventful = p.tense != Tense::Present || p.perfect || p.progressive || s.rest_first == "to";
    let possession = v == "have" && !p.perfect && s.rest_first != "to";
    let hollow = |w: &&str| empty(w) || is(Set::Mood, w) || *w == "strong";
    let short = s.words.len() < 3 && telling < 2 && !p.rest.iter().any(Tok::is_capital);
    if possession && s.words.iter().all(hollow)
        || !s.copula && telling == 0 && (eventful || !s.words.is_empty())
        || (s.rest_first == "to" || p.progressive) && short
    {
        return Err(small_talk("too little is said"));
    }
    Ok(())
}

fn turns_of_phrase(p: &Predicate) -> Result<(), Refusal> {
    const PHRASES: [&str; 16] = [
        " your back ",
        " back to you ",
        " have to say ",
        " can relate ",
        " good luck ",
        " keep it up ",
        " way to go ",
        " in touch ",
        " no idea ",
        " no clue ",
        " good question ",
        " a lot to me ",
        " means a lot ",
        " mean a lot ",
        " fingers crossed ",
        " sounds good ",
    ];
    if p.rest.last().is_some_and(|t| is(Set::FiniteAux, &t.low) && !t.is_capital() || t.is("'s")) {
        return Err(refuse(DropReason::NotUnderstood, "the end was left out"));
    }
    let said = p.phrase();
    if said.contains(" the same ") && !p.rest.iter().any(|t| t.is("as")) {
        return Err(vague("\u{201c}the same\u{201d} points at something unnamed"));
    }
    if PHRASES.iter().any(|phrase| said.contains(phrase)) {
        return Err(small_talk("a turn of phrase"));
    }
    Ok(())
}

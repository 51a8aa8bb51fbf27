//! Which kind of fact a predicate states, and which predicates are small talk that is not worth keeping.

use crate::extraction::DropReason;

use super::calibration::Rule;
use super::lexicon::{BASE, ING, PART, has, is, is_adverb, is_kin};
use super::predicate::Predicate;
use super::screen::{Refusal, refuse};
use super::subject::{Subject, Who};
use super::token::Tok;
use super::when::Tense;

fn small_talk(what: &str) -> Refusal {
    refuse(DropReason::Chatter, what)
}

/// Words of the rest that carry content: no marks, adverbs, articles.
fn content(rest: &[Tok]) -> Vec<&str> {
    rest.iter()
        .filter(|t| {
            !t.is_mark()
                && !is_adverb(&t.low)
                && !matches!(
                    t.low.as_str(),
                    "a" | "an"
                        | "the"
                        | "some"
                        | "any"
                        | "few"
                        | "own"
                        | "so"
                        | "very"
                        | "too"
                        | "such"
                        | "bit"
                        | "of"
                        | "that"
                        | "as"
                        | "kind"
                        | "sort"
                        | "much"
                        | "more"
                        | "most"
                        | "both"
                        | "all"
                        | "pretty"
                        | "super"
                        | "for"
                        | "me"
                        | "us"
                        | "one"
                        | "my"
                        | "our"
                )
        })
        .map(|t| t.low.as_str())
        .collect()
}

/// Decides what a clause states, or why it is not kept.
pub(super) fn judge(
    subject: &Subject,
    p: &Predicate,
    date_found: bool,
    humans_only: bool,
) -> Result<Rule, Refusal> {
    refuse_mood(subject, p)?;
    refuse_group(subject, p, humans_only)?;
    refuse_small_talk(subject, p)?;
    Ok(classify(subject, p, date_found))
}

/// Wishes, duties and possibilities claim nothing.
fn refuse_mood(subject: &Subject, p: &Predicate) -> Result<(), Refusal> {
    let not = |what: String| Err(refuse(DropReason::NotAsserted, what));
    match p.finite.as_str() {
        "should" | "shouldn't" | "must" | "mustn't" | "shall" | "could" => {
            return not(format!("\u{201c}{}\u{201d}", p.finite));
        }
        "couldn't"
            if matches!(
                p.verb.as_str(),
                "agree" | "be" | "ask" | "believe" | "imagine" | "have" | "resist" | "help" | "wait"
            ) =>
        {
            return not("\u{201c}couldn't\u{201d}".to_owned());
        }
        "would" | "'d" | "wouldn't" if p.group.iter().any(|t| t.is("would") || t.is("wouldn't")) => {
            let wanted = matches!(p.verb.as_str(), "love" | "like" | "prefer" | "rather")
                && p.rest.first().is_some_and(|t| t.is("to"))
                && subject.who == Who::Speaker;
            if !wanted {
                return not("\u{201c}would\u{201d}".to_owned());
            }
        }
        "'d" if p.rest.first().is_some_and(|t| t.is("better")) => {
            return not("\u{201c}had better\u{201d}".to_owned());
        }
        _ => {}
    }
    if matches!(p.verb.as_str(), "wish" | "hope")
        && !(p.verb == "hope" && p.rest.first().is_some_and(|t| t.is("to")))
    {
        return not(format!("a {}", p.verb));
    }
    if subject.who != Who::Speaker
        && matches!(
            p.verb.as_str(),
            "say" | "tell" | "claim" | "think" | "believe" | "reckon" | "ask" | "suggest" | "guess"
        )
    {
        return not("reports what somebody else said or thinks".to_owned());
    }
    Ok(())
}

/// "We" is read as the speaker, so what only a group can do or what holds for everybody is left out.
fn refuse_group(subject: &Subject, p: &Predicate, humans_only: bool) -> Result<(), Refusal> {
    let not = |what: &str| Err(refuse(DropReason::NotUnderstood, what));
    let said = p.phrase();
    if subject.group && subject.agreement == super::subject::Agreement::ToThird {
        let joint = [
            " all ",
            " both ",
            " together ",
            " each other ",
            " one another ",
            " ourselves ",
            " as a team ",
            " in common ",
            " hit it off ",
        ]
        .iter()
        .find(|w| said.contains(*w));
        if let Some(word) = joint {
            return not(&format!("\u{201c}we ...{word}\u{201d} speaks of a group"));
        }
        if matches!(p.verb.as_str(), "talk" | "speak" | "chat" | "catch" | "connect")
            && !p.rest.iter().any(|t| t.is("to") || t.is("with"))
        {
            return Err(small_talk("a remark about the talk itself"));
        }
        if matches!(p.finite.as_str(), "can" | "could" | "should" | "need" | "must")
            || p.verb == "have" && p.rest.first().is_some_and(|t| t.is("to")) && p.tense == Tense::Present
        {
            return not("\u{201c}we\u{201d} may mean everybody here");
        }
    }
    // "Nature brings us together", "a scare makes you think": everybody is meant.
    if subject.agreement == super::subject::Agreement::ToThird && said.contains(" each other ") {
        return not("\u{201c}each other\u{201d} needs more than one");
    }
    let general = subject.who == Who::Third && !subject.named && !subject.owned && p.tense != Tense::Past;
    let everybody = |t: &Tok| {
        matches!(t.low.as_str(), "us" | "our" | "ourselves" | "you" | "your" | "yourself" | "oneself")
    };
    if general && p.rest.iter().any(everybody) {
        return not("may be said of everybody");
    }
    let mood = |w: &&str| {
        is("mood", w)
            || is("evaluative", w)
            || matches!(*w, "and" | "so" | "people" | "to" | "in" | "life" | "everyone" | "others" | "lives")
    };
    let words = content(&p.rest);
    if general && !words.is_empty() && words.iter().all(|w| mood(&w))
        || general && p.rest.first().is_some_and(|t| t.is("such"))
    {
        return Err(small_talk("a maxim"));
    }
    // Among people a general truth is small talk; told to an assistant it is a fact worth keeping.
    let personal = p.rest.iter().any(|t| matches!(t.low.as_str(), "me" | "my" | "mine" | "i"));
    if humans_only && general && !personal {
        return Err(small_talk("a general remark"));
    }
    if general && p.finite == "can"
        || subject.who == Who::Third && subject.owned && !subject.named && p.finite == "can"
    {
        return Err(small_talk("a maxim"));
    }
    Ok(())
}

fn refuse_small_talk(subject: &Subject, p: &Predicate) -> Result<(), Refusal> {
    let words = content(&p.rest);
    let first = words.first().copied().unwrap_or_default();
    let rest_first = p.rest.first().map_or("", |t| t.low.as_str());
    let said = p.phrase();
    let has_you = p.rest.iter().any(|t| matches!(t.low.as_str(), "you" | "your" | "yours" | "yourself"));
    let to_verb = p.rest.windows(2).any(|w| w[0].is("to") && has(&w[1].low, BASE));
    match subject.who {
        Who::Other => {
            let factual = matches!(
                p.verb.as_str(),
                "live"
                    | "work"
                    | "own"
                    | "study"
                    | "move"
                    | "adopt"
                    | "marry"
                    | "teach"
                    | "speak"
                    | "play"
                    | "grow"
            ) || p.verb == "be"
                && !p.progressive
                && matches!(
                    rest_first,
                    "a" | "an" | "my" | "from" | "allergic" | "married" | "vegetarian" | "vegan"
                )
                && !words.iter().any(|w| is("evaluative", w))
                || p.verb == "have"
                    && p.rest.iter().any(|t| {
                        is("animal", &t.low)
                            || is("animal_plural", &t.low)
                            || is_kin(&t.low)
                            || is("kin_plural", &t.low)
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
                        is("evaluative", w)
                            || is("feeling", w)
                            || matches!(*w, "and" | "but" | "or" | "to" | "see" | "hear" | "too")
                    }))
            {
                return Err(small_talk("an opinion in passing"));
            }
            if p.verb == "be"
                && !p.progressive
                && !subject.named
                && (is("evaluative", first)
                    || is("vague_head", first)
                    || matches!(first, "about" | "like" | "just" | "what"))
            {
                return Err(small_talk("an opinion in passing"));
            }
            if matches!(p.verb.as_str(), "sound" | "look" | "seem")
                && words.iter().all(|w| is("evaluative", w) || is("feeling", w) || *w == "like")
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
                && words.iter().all(|w| is("evaluative", w) || is("feeling", w) || *w == "out")
            {
                return Err(small_talk("an opinion in passing"));
            }
            if p.progressive && p.verb != "be" && words.len() < 2 && !subject.named {
                return Err(small_talk("too little is said"));
            }
            let known = is_kin(&subject.head)
                || is("kin_plural", &subject.head)
                || is("animal", &subject.head)
                || is("animal_plural", &subject.head);
            let plain = matches!(
                subject.head.as_str(),
                "name"
                    | "birthday"
                    | "job"
                    | "car"
                    | "house"
                    | "apartment"
                    | "flat"
                    | "phone"
                    | "company"
                    | "hometown"
                    | "address"
                    | "color"
                    | "colour"
            );
            if subject.others
                && (!known && !plain || p.tense == Tense::Future || words.iter().any(|w| is("evaluative", w)))
            {
                return Err(small_talk("kind words or a guess about the other person"));
            }
            if subject.owned
                && matches!(
                    subject.head.as_str(),
                    "word"
                        | "words"
                        | "support"
                        | "advice"
                        | "story"
                        | "stories"
                        | "post"
                        | "message"
                        | "friendship"
                        | "kindness"
                        | "positivity"
                        | "encouragement"
                        | "chat"
                        | "chats"
                        | "conversation"
                        | "talk"
                        | "help"
                        | "attitude"
                        | "enthusiasm"
                        | "passion"
                        | "energy"
                        | "dedication"
                        | "determination"
                        | "perspective"
                        | "resilience"
                        | "journey"
                        | "heart"
                        | "mind"
                        | "day"
                        | "creativity"
                        | "love"
                        | "photo"
                        | "pic"
                        | "picture"
                        | "dreams"
                        | "efforts"
                        | "effort"
                        | "hard"
                        | "faces"
                        | "hearts"
                        | "progress"
                        | "insight"
                        | "strength"
                )
            {
                return Err(small_talk("words about the talk or its mood"));
            }
            if matches!(
                p.verb.as_str(),
                "look"
                    | "sound"
                    | "seem"
                    | "feel"
                    | "mean"
                    | "appear"
                    | "blow"
                    | "rock"
                    | "shine"
                    | "suck"
                    | "matter"
            ) && !subject.named
            {
                return Err(small_talk("an impression in passing"));
            }
            if p.verb == "be" && p.progressive && is("evaluative", first) {
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
    if p.rest.last().is_some_and(|t| is("finite_aux", &t.low) && !t.is_capital() || t.is("'s")) {
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
            is("feeling", w)
                || is("evaluative", w)
                || matches!(*w, "and" | "but" | "or" | "really" | "now" | "today" | "about" | "it" | "too")
        });
        if little || feelings && !words.iter().any(|w| is("health", w)) {
            return Err(small_talk("a feeling in passing"));
        }
        if matches!(first, "sure" | "certain" | "confident") {
            return Err(small_talk("a guess"));
        }
        if is("feeling", first)
            && (has_you
                || words.iter().any(|w| {
                    matches!(*w, "hear" | "see" | "know" | "say" | "that" | "it" | "because" | "how")
                }))
        {
            return Err(small_talk("kind words"));
        }
        if has_you
            || matches!(
                first,
                "here"
                    | "there"
                    | "all"
                    | "curious"
                    | "like"
                    | "sure"
                    | "glad"
                    | "sorry"
                    | "done"
                    | "back"
                    | "in"
                    | "on"
                    | "up"
                    | "down"
                    | "off"
                    | "out"
                    | "over"
                    | "with"
            ) && !matches!(rest_first, "on" | "in" | "back")
        {
            return Err(small_talk("small talk"));
        }
        if words.iter().all(|w| is("vague_object", w) || matches!(*w, "in" | "on" | "up"))
            || matches!(rest_first, "in" | "on" | "back") && words.len() < 2
        {
            return Err(small_talk("small talk"));
        }
    }
    let v = p.verb.as_str();
    if is("inert_first", v)
        && !(matches!(v, "see" | "tell" | "suggest" | "recommend" | "hear")
            && (p.tense == Tense::Past || p.perfect)
            && !words.is_empty()
            && !has_you)
    {
        return Err(small_talk("a remark about the talk itself"));
    }
    if matches!(
        v,
        "do" | "know"
            | "remember"
            | "see"
            | "hear"
            | "get"
            | "take"
            | "feel"
            | "try"
            | "think"
            | "help"
            | "ask"
            | "look"
            | "keep"
            | "go"
            | "be"
            | "come"
            | "give"
            | "let"
            | "stay"
            | "use"
    ) && little
    {
        return Err(small_talk("too little is said"));
    }
    if v == "know" && !(p.rest.first().is_some_and(Tok::is_capital) || rest_first == "how" && to_verb) {
        return Err(small_talk("a remark about the talk itself"));
    }
    if has_you
        && (p.progressive
            || p.tense != Tense::Past
            || matches!(
                v,
                "like"
                    | "love"
                    | "miss"
                    | "want"
                    | "need"
                    | "think"
                    | "admire"
                    | "appreciate"
                    | "enjoy"
                    | "hope"
                    | "trust"
                    | "hear"
                    | "see"
                    | "feel"
            ))
    {
        return Err(small_talk("words to the other person"));
    }
    if p.progressive
        && matches!(
            v,
            "kid"
                | "joke"
                | "say"
                | "talk"
                | "ask"
                | "guess"
                | "wonder"
                | "tell"
                | "hope"
                | "feel"
                | "try"
                | "get"
                | "do"
                | "look"
                | "love"
                | "root"
                | "cheer"
                | "support"
                | "hang"
                | "stay"
                | "keep"
                | "think"
                | "dig"
        )
    {
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
        if !p.progressive
            && matches!(
                v,
                "try"
                    | "keep"
                    | "let"
                    | "do"
                    | "check"
                    | "remember"
                    | "think"
                    | "reach"
                    | "talk"
                    | "look"
                    | "be"
                    | "see"
                    | "give"
                    | "tell"
                    | "show"
                    | "text"
                    | "ask"
                    | "consider"
                    | "take"
                    | "send"
                    | "make"
                    | "say"
                    | "call"
                    | "share"
                    | "catch"
                    | "forget"
                    | "stay"
                    | "always"
                    | "need"
                    | "definitely"
                    | "have"
                    | "enjoy"
                    | "treasure"
                    | "cherish"
                    | "hold"
                    | "add"
                    | "stick"
                    | "pass"
                    | "figure"
            )
            || p.verb == "go"
                && matches!(v, "keep" | "be" | "try" | "do" | "see" | "have" | "make" | "take" | "look")
        {
            return Err(small_talk("a promise in passing"));
        }
    }
    if matches!(p.finite.as_str(), "can" | "can't" | "cannot" | "couldn't")
        && matches!(
            v,
            "see"
                | "imagine"
                | "understand"
                | "relate"
                | "feel"
                | "tell"
                | "hear"
                | "say"
                | "help"
                | "be"
                | "do"
                | "use"
                | "believe"
                | "complain"
                | "agree"
                | "thank"
                | "stop"
                | "get"
                | "think"
                | "make"
                | "count"
                | "recommend"
                | "picture"
                | "wait"
                | "remember"
                | "enjoy"
                | "have"
                | "take"
                | "give"
                | "put"
                | "go"
                | "wrap"
                | "deny"
                | "find"
                | "ask"
        )
    {
        let eager = v == "wait" && to_verb && words.len() > 3 && !has_you;
        if !eager {
            return Err(small_talk("a turn of phrase"));
        }
    }
    if matches!(v, "feel")
        && (little
            || words.iter().all(|w| is("feeling", w) || is("evaluative", w))
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
    if v == "have"
        && !p.perfect
        && matches!(
            first,
            "fun"
                | "blast"
                | "great"
                | "good"
                | "question"
                | "no"
                | "feeling"
                | "time"
                | "ball"
                | "nothing"
                | "something"
                | "lot"
                | "amazing"
                | "awesome"
        )
        && words.len() < 4
    {
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
            is("vague_object", w) || is("evaluative", w) || is("mood", w) || *w == "strong" || *w == "to"
        })
    {
        return Err(small_talk("too little is said"));
    }
    if p.group.iter().any(|t| t.is("would"))
        && p.rest.get(1).is_some_and(|t| {
            matches!(
                t.low.as_str(),
                "hear"
                    | "see"
                    | "know"
                    | "chat"
                    | "join"
                    | "come"
                    | "help"
                    | "check"
                    | "talk"
                    | "say"
                    | "share"
                    | "give"
                    | "do"
                    | "be"
            )
        })
    {
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
        .filter(|w| !is("vague_object", w) && !is("evaluative", w) && !is("feeling", w))
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
    words.len() > 2 && !words.iter().any(|w| is("evaluative", w))
}

fn classify(subject: &Subject, p: &Predicate, date_found: bool) -> Rule {
    let said = p.phrase();
    let v = p.verb.as_str();
    let any = |section: &str| {
        p.rest.iter().chain(&p.group).any(|t| is(section, &t.low)) || is(section, &subject.head)
    };
    let rest_first = p.rest.first().map_or("", |t| t.low.as_str());
    let copula = v == "be" && !p.progressive;
    if said.contains(" passed away ")
        || said.contains(" gave birth ")
        || said.contains(" was born ")
        || matches!(v, "die" | "marry" | "divorce")
        || any("life_event")
    {
        return Rule::LifeEvent;
    }
    if any("health") {
        return Rule::Health;
    }
    let kin = |t: &Tok| is_kin(&t.low) || is("kin_plural", &t.low);
    let job = |t: &Tok| {
        is("work", &t.low)
            || matches!(
                t.low.as_str(),
                "coach" | "mentor" | "boss" | "therapist" | "landlord" | "assistant" | "agent"
            )
    };
    let whose = p.rest.iter().any(|t| matches!(t.low.as_str(), "my" | "our" | "your" | "'s"));
    if copula && p.rest.iter().any(|t| kin(t) && (whose || !job(t)))
        || v == "have" && p.rest.iter().take(4).any(kin)
        || copula && kin(&Tok::word(&subject.head)) && p.rest.first().is_some_and(Tok::is_capital)
    {
        return Rule::Family;
    }
    let future = p.tense == Tense::Future
        || matches!(v, "plan" | "intend")
        || p.finite == "would"
        || p.finite == "'d" && p.tense == Tense::Present
        || matches!(v, "want" | "need" | "hope" | "aim") && rest_first == "to"
        || v == "have" && rest_first == "to"
        || said.contains(" looking forward ")
        || said.contains(" can't wait ")
        || said.contains(" thinking of ")
        || said.contains(" thinking about ");
    let soon = p.progressive
        && [
            " tomorrow ",
            " next ",
            " soon ",
            " in january ",
            " in february ",
            " in march ",
            " in april ",
            " in may ",
            " in june ",
            " in july ",
            " in august ",
            " in september ",
            " in october ",
            " in november ",
            " in december ",
        ]
        .iter()
        .any(|w| said.contains(w));
    let timetable = matches!(v, "leave" | "arrive" | "start" | "begin" | "depart" | "land")
        && p.tense == Tense::Present
        && date_found;
    if timetable || future || soon || p.progressive && !p.perfect && p.tense == Tense::Present && date_found {
        return Rule::Plan;
    }
    if matches!(v, "live" | "reside") && !p.progressive
        || copula && rest_first == "from"
        || said.contains(" grew up ")
        || v == "move" && rest_first == "to"
        || v == "live"
    {
        return Rule::Home;
    }
    if subject.tokens.iter().any(|t| t.is("favorite") || t.is("favourite")) {
        return Rule::Preference;
    }
    if copula && matches!(rest_first, "a" | "an" | "the" | "my" | "your")
        || copula && p.rest.first().is_some_and(|t| is("demonym", &t.low))
    {
        return if any("work") {
            Rule::Work
        } else if any("preference") {
            Rule::Preference
        } else {
            Rule::Identity
        };
    }
    if is("liking", v)
        || copula && any("preference")
        || said.contains(" can't stand ")
        || subject.head.starts_with("favo")
    {
        return Rule::Preference;
    }
    if p.tense == Tense::Past || p.perfect {
        return if said.contains(" used to ") || p.perfect && p.progressive {
            Rule::General
        } else {
            Rule::Event
        };
    }
    if matches!(v, "work" | "study" | "teach")
        && matches!(rest_first, "at" | "for" | "as" | "in" | "with" | "from")
        || matches!(v, "study" | "teach")
    {
        return Rule::Work;
    }
    if matches!(v, "have" | "own") {
        return Rule::Possession;
    }
    if [
        " every ",
        " usually ",
        " often ",
        " always ",
        " never ",
        " on weekends ",
        " sometimes ",
        " each ",
        " daily ",
        " weekly ",
    ]
    .iter()
    .any(|w| said.contains(w))
    {
        return Rule::Habit;
    }
    if matches!(p.finite.as_str(), "can" | "can't" | "cannot")
        || v == "know" && rest_first == "how"
        || v == "speak"
    {
        return Rule::Ability;
    }
    if p.progressive
        || v == "feel"
        || copula && subject.who == Who::Speaker && content(&p.rest).first().is_some_and(|w| is("feeling", w))
    {
        return Rule::State;
    }
    if copula && subject.who != Who::Third {
        return Rule::Identity;
    }
    Rule::General
}

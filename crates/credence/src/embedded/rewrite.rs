//! The rest of a predicate freed of first and second person; pronouns that point back are allowed only where what they mean
//! stands in the statement itself or can be filled in.

use crate::extraction::DropReason;

use super::lexicon::{
    BASE, ING, NOUNISH, PART, PAST, Set, THIRD, base, forms, has, is, is_adverb, is_kin, third_person,
};
use super::screen::{Refusal, refuse};
use super::subject::{Agreement, Scene, Subject, Who, possessive};
use super::token::Tok;

/// Frees the rest of a predicate from first and second person; refuses what points outside the clause.
pub(super) fn rewrite(
    rest: &[Tok],
    verb: &str,
    subject: &Subject,
    scene: &Scene<'_>,
) -> Result<(Vec<Tok>, Option<String>), Refusal> {
    let rest = introduce(rest, verb);
    let (rest, filled) = close_references(&rest, verb, subject, scene)?;
    let crowd = rest.iter().enumerate().any(|(n, t)| {
        // "when I was a kid": nobody else.
        let own = n > 0 && (rest[n - 1].is("a") || rest[n - 1].is("an"));
        is(Set::ThirdPronoun, &t.low) && !t.is("it")
            || is(Set::PluralPerson, &t.low)
            || is(Set::KinPlural, &t.low)
            || is_kin(&t.low) && !own
            || is(Set::AnimalPlural, &t.low)
            || t.is("you")
    });
    let coreferent = subject.who == Who::Speaker && !crowd;
    let mut out: Vec<Tok> = Vec::new();
    let mut i = 0;
    while i < rest.len() {
        let t = &rest[i];
        let me = scene.speaker;
        let put = |out: &mut Vec<Tok>, text: &str| out.push(Tok { glued: t.glued, ..Tok::word(text) });
        match t.low.as_str() {
            "my" | "our" if subject.who == Who::Speaker && !others_before(&rest[..i]) => {
                put(&mut out, "their")
            }
            "my" | "our" => put(&mut out, &possessive(me)),
            "mine" | "ours" if coreferent => put(&mut out, "theirs"),
            "mine" | "ours" => put(&mut out, &possessive(me)),
            "us" if rest.get(i + 1).is_some_and(|n| n.is("all") || n.is("both")) => {
                return Err(refuse(DropReason::NotUnderstood, "\u{201c}us all\u{201d} speaks of a group"));
            }
            "me" | "us" if coreferent => put(&mut out, "them"),
            "me" | "us" => put(&mut out, me),
            "myself" | "ourselves" if subject.who == Who::Speaker => put(&mut out, "themselves"),
            "myself" | "ourselves" if rest[..i].iter().any(|t| t.is("me") || t.is("us")) => {
                put(&mut out, "themselves")
            }
            "myself" | "ourselves" => put(&mut out, me),
            "i" | "we" => {
                put(&mut out, if coreferent { "they" } else { me });
                i = finite_after(&rest, i + 1, !coreferent, &mut out);
                continue;
            }
            "you" | "your" | "yours" | "yourself" => {
                let Some(other) = scene.other else {
                    return Err(refuse(
                        DropReason::NotUnderstood,
                        "\u{201c}you\u{201d} is not one known person here",
                    ));
                };
                let generic = i
                    .checked_sub(1)
                    .is_some_and(|p| is(Set::Subordinator, &rest[p].low) || is(Set::Wh, &rest[p].low));
                if generic {
                    return Err(refuse(
                        DropReason::NotUnderstood,
                        "\u{201c}you\u{201d} may mean anybody here",
                    ));
                }
                match (t.low.as_str(), subject.who) {
                    ("your", Who::Other) => put(&mut out, "their"),
                    ("your" | "yours", _) => put(&mut out, &possessive(other)),
                    ("yourself", _) => put(&mut out, "themselves"),
                    // "help you reach": an object, and what follows is no finite verb.
                    _ if i == 0
                        || has(&rest[i - 1].low, BASE | PAST | THIRD | ING)
                            && !matches!(base(&rest[i - 1].low), "say" | "think" | "know" | "hope") =>
                    {
                        put(&mut out, other)
                    }
                    _ => {
                        put(&mut out, other);
                        i = finite_after(&rest, i + 1, true, &mut out);
                        continue;
                    }
                }
            }
            _ => out.push(t.clone()),
        }
        i += 1;
    }
    Ok((out, filled))
}

/// "had this dream", "found these shells": the story-teller's "this" only introduces a thing.
fn introduce(rest: &[Tok], verb: &str) -> Vec<Tok> {
    let introduces = is(Set::IntroducingVerb, verb);
    let mut out = rest.to_vec();
    let follows = |k: usize| {
        rest.get(k).is_some_and(|t| {
            !t.is_mark()
                && !is(Set::Preposition, &t.low)
                && !is(Set::FiniteAux, &t.low)
                && !t.is("one")
                && !t.is("'s")
        })
    };
    match out.first().map(|t| t.low.as_str()) {
        Some("this") if introduces && follows(1) && !out.iter().take(4).any(Tok::is_capital) => {
            let vowel = out[1].low.starts_with(['a', 'e', 'i', 'o'])
                || out[1].low.starts_with("un") && !out[1].low.starts_with("uni");
            out[0] = Tok { glued: false, ..Tok::word(if vowel { "an" } else { "a" }) };
        }
        Some("these") if introduces && follows(1) => {
            out.remove(0);
        }
        _ => {}
    }
    // "... in nature myself": emphasis only.
    if out.len() > 2
        && out.last().is_some_and(|t| t.is("myself"))
        && !is(Set::Preposition, &out[out.len() - 2].low)
        && !has(&out[out.len() - 2].low, BASE | PAST | ING)
    {
        out.pop();
    }
    out
}

/// Whether somebody else was named before, so that "their" could be anybody's.
fn others_before(rest: &[Tok]) -> bool {
    rest.iter().any(|t| {
        t.is("you")
            || is(Set::ThirdPronoun, &t.low) && !t.is("it")
            || is(Set::PluralPerson, &t.low)
            || is_kin(&t.low)
            || is(Set::KinPlural, &t.low)
            || t.is_capital() && super::lexicon::is_first_name(&t.low)
    })
}

/// Puts the verb after a rewritten pronoun into the right form: "I am" is "they are" or "Mara is". Returns where to go on.
fn finite_after(rest: &[Tok], from: usize, singular: bool, out: &mut Vec<Tok>) -> usize {
    let mut i = from;
    // "since we last talked"
    let last = |k: usize| rest[k].is("last") && rest.get(k + 1).is_some_and(|n| has(&n.low, PAST));
    while rest.get(i).is_some_and(|t| is_adverb(&t.low) || last(i)) {
        out.push(rest[i].clone());
        i += 1;
    }
    let Some(verb) = rest.get(i) else { return i };
    let text = match (verb.low.as_str(), singular) {
        ("am" | "are", true) => "is".to_owned(),
        ("am", false) => "are".to_owned(),
        ("was" | "were", true) => "was".to_owned(),
        ("was", false) => "were".to_owned(),
        ("have", true) => "has".to_owned(),
        ("haven't", true) => "hasn't".to_owned(),
        ("do", true) => "does".to_owned(),
        ("don't", true) => "doesn't".to_owned(),
        ("aren't", true) => "isn't".to_owned(),
        ("weren't", true) => "wasn't".to_owned(),
        ("wasn't", false) => "weren't".to_owned(),
        ("will" | "have" | "are", false) => verb.low.clone(),
        ("will", true) => "will".to_owned(),
        ("'d", _) => {
            if rest.get(i + 1).is_some_and(|n| n.is("been") || has(&n.low, PART) && !has(&n.low, BASE)) {
                "had"
            } else {
                "would"
            }
            .to_owned()
        }
        (low, true) if has(low, BASE) && !has(low, PAST) && !is(Set::FiniteAux, low) => third_person(low),
        _ => return i,
    };
    out.push(Tok::word(&text));
    i + 1
}

/// Checks every pronoun that points back: to the subject, to a noun within the rest, or to somebody known (then filled in).
fn close_references(
    rest: &[Tok],
    verb: &str,
    subject: &Subject,
    scene: &Scene<'_>,
) -> Result<(Vec<Tok>, Option<String>), Refusal> {
    let mut out = Vec::with_capacity(rest.len());
    let mut filled = None;
    let (mut noun, mut plural_noun, mut being, mut place) = (false, false, false, false);
    // Within one clause a pronoun hardly ever means the object before it ("has reminders of it"); a second clause must have begun.
    let mut joined = false;
    for (i, t) in rest.iter().enumerate() {
        let low = t.low.as_str();
        let next = rest.get(i + 1);
        let points = |what: &str| {
            Err(refuse(
                DropReason::VagueSubject,
                format!("\u{201c}{what}\u{201d} points at something unnamed"),
            ))
        };
        let third = subject.who != Who::Speaker;
        match low {
            "he" | "she" | "him" | "her" | "his" | "hers" | "himself" | "herself" => {
                if !(third && subject.named || being) {
                    let not: Vec<&str> = [Some(scene.speaker), scene.other].into_iter().flatten().collect();
                    let super::discourse::Found::One(r) = scene.discourse.resolve(low, &not) else {
                        return points(low);
                    };
                    filled = Some(format!("\u{201c}{}\u{201d} was taken to mean {}", t.text, r.name));
                    // "helping her find": an object with a bare infinitive.
                    let before = i.checked_sub(1).map_or(verb, |k| base(&rest[k].low));
                    let helped = matches!(before, "help" | "let" | "make" | "see" | "watch" | "hear")
                        && next.is_some_and(|n| has(&n.low, BASE));
                    let owns = low == "his"
                        || low == "her"
                            && !helped
                            && next.is_some_and(|n| {
                                !n.is_mark()
                                    && !is(Set::Preposition, &n.low)
                                    && !is(Set::Determiner, &n.low)
                                    && !is_adverb(&n.low)
                                    && !n.is("and")
                                    && !is(Set::Wh, &n.low)
                            });
                    let text = if owns { possessive(&r.name) } else { r.name };
                    out.push(Tok { glued: t.glued, ..Tok::word(&text) });
                    being = true;
                    noun = true;
                    continue;
                }
            }
            "they" | "them" | "their" | "theirs" | "themselves" => {
                let back = plural_noun && (joined || matches!(low, "their" | "theirs"));
                if !(back || third && (subject.agreement == Agreement::Plural || subject.named)) {
                    return points(low);
                }
            }
            "it" | "its" | "itself" => {
                let dummy = next.is_none();
                // "... peace through it": the end of a phrase points out of it.
                let trailing = dummy && i.checked_sub(1).is_some_and(|p| is(Set::Preposition, &rest[p].low));
                let back = noun && !trailing && (joined || low == "its");
                if !(back || third && joined && !dummy && !subject.named) {
                    return points(low);
                }
            }
            "this" | "these" | "here" => return points(low),
            "those" if !next.is_some_and(|n| matches!(n.low.as_str(), "who" | "with" | "in" | "of")) => {
                return points(low);
            }
            "there" => {
                let existential = next.is_some_and(|n| n.is("'s") || is(Set::FiniteAux, &n.low));
                if !existential && !place {
                    return points(low);
                }
            }
            "that" => {
                if i.checked_sub(1).is_some_and(|p| is(Set::Preposition, &rest[p].low) && !rest[p].is("than"))
                {
                    return points("that");
                }
                let joins = next.is_some_and(|n| {
                    is(Set::SubjectPronoun, &n.low)
                        || is(Set::Determiner, &n.low)
                            && !matches!(n.low.as_str(), "every" | "each" | "both" | "all" | "most" | "much")
                        || (is(Set::FiniteAux, &n.low) || n.is("'s")) && noun
                        || n.is_capital()
                        || has(&n.low, THIRD) && noun
                        || has(&n.low, PAST) && noun
                        || has(&n.low, BASE) && plural_noun && !has(&n.low, NOUNISH)
                        || is_adverb(&n.low) && noun
                        || has(&n.low, ING) && noun
                        || super::finite::looks_plural(&n.low)
                });
                if !joins {
                    return points("that");
                }
            }
            // "the green one"
            "one" | "ones"
                if (!noun || i > 1 && matches!(rest[i - 2].low.as_str(), "the" | "a" | "another" | "my"))
                    && next.is_none_or(|n| {
                        n.is_mark()
                            || is(Set::Subordinator, &n.low)
                            || is(Set::Preposition, &n.low) && !n.is("of")
                            || n.is("and")
                    }) =>
            {
                return points(low);
            }
            "wow" | "haha" | "lol" | "omg" => {
                return Err(refuse(DropReason::NotUnderstood, "an interjection within the sentence"));
            }
            "another" | "same" | "such" | "so"
                if next.is_none_or(|n| low == "another" && is(Set::Preposition, &n.low)) =>
            {
                return points(low);
            }
            _ => {
                let wordy = !t.is_mark()
                    && low.len() > 1
                    && !is(Set::Preposition, low)
                    && !is(Set::Determiner, low)
                    && !is_adverb(low)
                    && !is(Set::Aux, low)
                    && !is(Set::SubjectPronoun, low)
                    && !matches!(low, "and" | "but" | "or" | "to" | "so" | "me" | "us" | "myself")
                    && !is(Set::Wh, low);
                let verb_only = forms(low) != 0 && forms(low) & (NOUNISH | ING | THIRD) == 0;
                joined |= matches!(low, "and" | "but" | "because" | "so" | "or")
                    || is(Set::Wh, low)
                    || is(Set::Subordinator, low) && !is(Set::Preposition, low)
                    || low == "to" && noun && next.is_some_and(|n| has(&n.low, BASE));
                let infinitive = i.checked_sub(1).is_some_and(|p| rest[p].is("to")) && has(low, BASE);
                if wordy && !verb_only && !infinitive && !is(Set::Evaluative, low) && !is(Set::Feeling, low) {
                    noun = true;
                    plural_noun |= super::finite::looks_plural(low)
                        || !has(low, ING) && rest[..i].iter().any(|p| p.is("and"));
                    being |= is_kin(low)
                        || is(Set::KinPlural, low)
                        || t.is_capital() && super::lexicon::is_first_name(low)
                        || is(Set::Animal, low);
                    place |= t.is_capital() || is(Set::Home, low);
                }
            }
        }
        out.push(t.clone());
    }
    Ok((out, filled))
}

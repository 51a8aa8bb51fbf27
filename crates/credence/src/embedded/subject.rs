//! Whom a clause is about: "I" and "we" are the speaker, "you" the one other person, "she" whoever fits alone.
//!
//! "We" is read as the speaker, not as the group: what we do, the speaker does, and the others are rarely named.

use crate::extraction::{CandidateMention, DropReason};
use crate::proposition::MentionRole;

use super::discourse::{Discourse, Found};
use super::finite::{find_verb, looks_plural};
use super::lexicon::{BASE, ING, NOUNISH, PART, PAST, Set, THIRD, has, is, is_adverb, is_first_name, is_kin};
use super::screen::{Refusal, refuse};
use super::token::{Tok, render};

/// What the reader of a clause knows about who speaks to whom.
pub(super) struct Scene<'a> {
    /// The name that statements use for the speaker.
    pub(super) speaker: &'a str,
    /// The other person, when exactly two people talk.
    pub(super) other: Option<&'a str>,
    /// The day of the turn, `YYYY-MM-DD`.
    pub(super) date: &'a str,
    /// People talk among themselves: "the painting" is one that both see.
    pub(super) humans_only: bool,
    pub(super) discourse: &'a Discourse,
}

/// Whose verb form the clause carries and whose it shall carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agreement {
    /// "I go", "we go", "you go": becomes "goes".
    ToThird,
    /// "she goes": stays.
    Singular,
    /// "they go", "Ana and I go": stays.
    Plural,
}

/// Who the subject is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Speaker,
    Other,
    Third,
}

/// The subject of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    /// As the statement names it.
    pub(super) tokens: Vec<Tok>,
    pub(super) who: Who,
    pub(super) agreement: Agreement,
    pub(super) mentions: Vec<CandidateMention>,
    /// Where the predicate begins.
    pub(super) verb_at: usize,
    /// "“She” was taken to mean Ana": the words for the explanation, when something was filled in.
    pub(super) inferred: Option<String>,
    /// The last word of the noun phrase in lower case; empty for pronouns and names.
    pub(super) head: String,
    /// Whether it is one identifiable person, animal or named thing.
    pub(super) named: bool,
    /// Whose it is: "my job", "your dog".
    pub(super) owned: bool,
    /// Whether the owner is the person spoken to.
    pub(super) others: bool,
    /// Whether "we" was said for the speaker.
    pub(super) group: bool,
}

/// A mention of the speaker or another person by name.
pub(super) fn person(name: &str, role: MentionRole, is_speaker: bool) -> CandidateMention {
    CandidateMention { span: name.to_owned(), kind: "Person".to_owned(), role, is_speaker }
}

fn thing(span: &str, kind: &str, role: MentionRole) -> CandidateMention {
    CandidateMention { span: span.to_owned(), kind: kind.to_owned(), role, is_speaker: false }
}

/// `Mara's`.
pub(super) fn possessive(name: &str) -> String {
    // "Mara's dogs" takes the apostrophe alone; "Jonas" is one person.
    if name.contains("'s ") && looks_plural(name.rsplit(' ').next().unwrap_or_default()) {
        return format!("{name}'");
    }
    format!("{name}'s")
}

fn plain(name: &str, who: Who, agreement: Agreement, verb_at: usize, is_speaker: bool) -> Subject {
    Subject {
        tokens: vec![Tok::word(name)],
        who,
        agreement,
        mentions: vec![person(name, MentionRole::Subject, is_speaker)],
        verb_at,
        inferred: None,
        head: String::new(),
        named: true,
        owned: false,
        others: false,
        group: false,
    }
}

/// Reads the subject at the start of a clause.
pub(super) fn read(tokens: &[Tok], scene: &Scene<'_>) -> Result<Subject, Refusal> {
    let Some(first) = tokens.first() else { return Err(refuse(DropReason::NotUnderstood, "no words")) };
    match first.low.as_str() {
        "i" => return Ok(plain(scene.speaker, Who::Speaker, Agreement::ToThird, 1, true)),
        "we" => {
            return Ok(Subject {
                group: true,
                ..plain(scene.speaker, Who::Speaker, Agreement::ToThird, 1, true)
            });
        }
        "you" => {
            return match scene.other {
                Some(other) => Ok(plain(other, Who::Other, Agreement::ToThird, 1, false)),
                None => {
                    Err(refuse(DropReason::NotUnderstood, "\u{201c}you\u{201d} is not one known person here"))
                }
            };
        }
        "he" | "she" | "they" | "it" => return pronoun(tokens, scene),
        "this" | "that" | "these" | "those" | "there" | "here" => {
            return Err(refuse(
                DropReason::VagueSubject,
                format!("\u{201c}{}\u{201d} points at something unnamed", first.text),
            ));
        }
        "what" | "who" | "which" | "where" | "when" | "why" | "how" | "to" | "not" | "if" => {
            return Err(refuse(DropReason::NotUnderstood, ""));
        }
        _ => {}
    }
    if let Some(subject) = with_companion(tokens, scene) {
        return Ok(subject);
    }
    if let Some(at) = omitted_i(tokens) {
        let mut subject = plain(scene.speaker, Who::Speaker, Agreement::ToThird, at, true);
        subject.inferred =
            Some(format!("the speaker left out \u{201c}I\u{201d}; {} was taken to be meant", scene.speaker));
        return Ok(subject);
    }
    if matches!(tokens[0].low.as_str(), "his" | "her" | "its" | "their") {
        return possessed(tokens, scene);
    }
    noun_phrase(tokens, scene)
}

/// "Her name is Rusk": read as "my name" of whom "her" means.
fn possessed(tokens: &[Tok], scene: &Scene<'_>) -> Result<Subject, Refusal> {
    let word = &tokens[0];
    let not: Vec<&str> = [Some(scene.speaker), scene.other].into_iter().flatten().collect();
    let Found::One(owner) = scene.discourse.resolve(&word.low, &not) else {
        return Err(refuse(
            DropReason::VagueSubject,
            format!("\u{201c}{}\u{201d} points at something unnamed", word.text),
        ));
    };
    let mut own = tokens.to_vec();
    own[0] = Tok::word("my");
    let mut subject = noun_phrase(&own, &Scene { speaker: &owner.name, ..*scene })?;
    for m in subject.mentions.iter_mut().filter(|m| m.is_speaker) {
        m.is_speaker = false;
        owner.kind.clone_into(&mut m.kind);
    }
    let whose = possessive(scene.speaker);
    if owner.name.starts_with(&format!("{whose} ")) {
        subject.mentions.push(person(scene.speaker, MentionRole::Other, true));
    }
    subject.inferred =
        Some(format!("\u{201c}{}\u{201d} was taken to mean {}", word.text, possessive(&owner.name)));
    Ok(subject)
}

fn pronoun(tokens: &[Tok], scene: &Scene<'_>) -> Result<Subject, Refusal> {
    let word = &tokens[0];
    // Among people "it" is mostly the whole matter.
    if word.is("it") && scene.humans_only {
        return Err(refuse(DropReason::VagueSubject, "\u{201c}it\u{201d} may mean the whole matter"));
    }
    let not: Vec<&str> = [Some(scene.speaker), scene.other].into_iter().flatten().collect();
    match scene.discourse.resolve(&word.low, &not) {
        Found::One(r) => {
            let owner = possessive(scene.speaker);
            let mut mentions = vec![thing(&r.name, r.kind, MentionRole::Subject)];
            if r.name.starts_with(&format!("{owner} ")) {
                mentions.push(person(scene.speaker, MentionRole::Other, true));
            }
            Ok(Subject {
                tokens: vec![Tok::word(&r.name)],
                who: Who::Third,
                agreement: if r.plural { Agreement::Plural } else { Agreement::Singular },
                mentions,
                verb_at: 1,
                inferred: Some(format!("\u{201c}{}\u{201d} was taken to mean {}", word.text, r.name)),
                head: String::new(),
                named: true,
                owned: false,
                others: false,
                group: false,
            })
        }
        Found::Nobody => Err(refuse(
            DropReason::VagueSubject,
            format!("nobody was named whom \u{201c}{}\u{201d} could mean", word.text),
        )),
        Found::Several(names) => {
            Err(refuse(DropReason::VagueSubject, format!("\u{201c}{}\u{201d} could mean {names}", word.text)))
        }
    }
}

/// "My wife and I", "Ana and I", "me and Ana".
fn with_companion(tokens: &[Tok], scene: &Scene<'_>) -> Option<Subject> {
    let and = (1..tokens.len().min(5)).find(|&k| tokens[k].is("and") || tokens[k].is("&"))?;
    let (them, at) = if tokens.get(and + 1)?.is("i") || tokens[and + 1].is("me") {
        (&tokens[..and], and + 2)
    } else if tokens[0].is("me") && and == 1 {
        let verb = find_verb(&tokens[2..])?;
        (&tokens[2..2 + verb], 2 + verb)
    } else {
        return None;
    };
    let named = them.iter().all(Tok::is_capital) && !them.is_empty();
    let mine = matches!(them.first()?.low.as_str(), "my" | "our");
    if !named && !mine {
        return None;
    }
    // "My tour ends soon and I ..." is two clauses.
    if them.iter().skip(1).any(|t| is_adverb(&t.low) || is(Set::FiniteAux, &t.low) || has(&t.low, THIRD)) {
        return None;
    }
    let mut name = render(them);
    let owner = possessive(scene.speaker);
    if mine {
        name = format!("{owner} {}", render(&them[1..]));
    }
    Some(Subject {
        tokens: vec![Tok::word(scene.speaker), Tok::word("and"), Tok::word(&name)],
        who: Who::Speaker,
        agreement: Agreement::Plural,
        mentions: vec![
            person(scene.speaker, MentionRole::Subject, true),
            thing(&name, "Person", MentionRole::Object),
        ],
        verb_at: at,
        inferred: None,
        head: String::new(),
        named: true,
        owned: false,
        others: false,
        group: true,
    })
}

/// "Just moved to Oslo", "Went to Rome": chat leaves "I" out. Only verbs that nothing else can be.
fn omitted_i(tokens: &[Tok]) -> Option<usize> {
    let at = tokens.iter().position(|t| !is_adverb(&t.low))?;
    let verb = &tokens[at];
    let sure = is(Set::OmittedI, &verb.low);
    let news = at == 1
        && matches!(tokens[0].low.as_str(), "just" | "recently" | "finally")
        && has(&verb.low, PAST)
        && !has(&verb.low, BASE)
        && !is(Set::Feeling, &verb.low)
        && !is(Set::Evaluative, &verb.low);
    ((sure || news) && tokens.len() > at + 2 && (at == 0 || at == 1)).then_some(0)
}

fn noun_phrase(tokens: &[Tok], scene: &Scene<'_>) -> Result<Subject, Refusal> {
    let Some(verb_at) = find_verb(tokens) else {
        return Err(refuse(DropReason::NotUnderstood, "no subject with a verb was found"));
    };
    let mut verb_at = verb_at;
    while verb_at > 1 && is_adverb(&tokens[verb_at - 1].low) {
        verb_at -= 1;
    }
    let phrase: Vec<Tok> = tokens[..verb_at].to_vec();
    let lows: Vec<&str> = phrase.iter().map(|t| t.low.as_str()).collect();
    let first = lows[0];
    let finite = is(Set::FiniteAux, &tokens[verb_at].low) || tokens[verb_at].is("'s");
    let headless = lows.iter().all(|w| is_adverb(w))
        || has(first, THIRD) && !has(super::lexicon::base(first), NOUNISH)
        || has(first, BASE) && phrase.len() > 1 && !finite
        || first.starts_with(|c: char| c.is_ascii_digit()) && !finite
        || is(Set::Feeling, first) && !is(Set::Evaluative, first) && phrase.len() > 1
        || has(first, PAST) && !has(first, BASE) && !phrase.get(1).is_some_and(Tok::is_capital);
    let verbal = headless
        || is(Set::FiniteAux, first)
        || is(Set::Preposition, first) && first != "both"
        || matches!(first, "and" | "but" | "or" | "so" | "be" | "been")
        || has(first, THIRD)
            && (phrase.len() == 1 || !has(first.trim_end_matches('s'), NOUNISH))
            && !phrase[0].is_mark()
            && is_impression(first)
        || is_adverb(first)
            && phrase.len() > 1
            && !phrase[1].is_capital()
            && (is(Set::Feeling, lows[1])
                || has(lows[1], ING | PAST) && phrase.len() < 4
                || has(lows[1], ING));
    // "A friend called Odd" is no sentence.
    let named_only =
        matches!(first, "a" | "an") && matches!(tokens[verb_at].low.as_str(), "called" | "named");
    if verbal || named_only {
        return Err(refuse(DropReason::NotUnderstood, "no subject with a verb was found"));
    }
    if is(Set::VagueHead, first) && phrase.len() > 1 && !is(Set::Determiner, first) {
        return Err(refuse(
            DropReason::VagueSubject,
            format!("\u{201c}{}\u{201d} names nothing in particular", render(&phrase)),
        ));
    }
    if let Some(bad) =
        lows.iter().find(|w| is(Set::ThirdPronoun, w) || (is(Set::Deictic, w) && !is(Set::Month, w)))
    {
        return Err(refuse(
            DropReason::VagueSubject,
            format!("\u{201c}{bad}\u{201d} points at something unnamed"),
        ));
    }
    if lows
        .iter()
        .any(|w| matches!(*w, "how" | "what" | "why" | "who" | "which" | "where" | "when" | "if" | "than"))
    {
        return Err(refuse(DropReason::NotUnderstood, "a clause inside the subject"));
    }
    let head_at = head(&phrase);
    let head_word = phrase[head_at].low.clone();
    if matches!(
        first,
        "every"
            | "each"
            | "any"
            | "another"
            | "some"
            | "both"
            | "all"
            | "no"
            | "many"
            | "few"
            | "most"
            | "several"
            | "one"
    ) && phrase.len() < 3
        || is(Set::VagueHead, &head_word) && !matches!(first, "my" | "our")
        || is(Set::NothingParticular, &head_word)
    {
        return Err(refuse(
            DropReason::VagueSubject,
            format!("\u{201c}{}\u{201d} names nothing in particular", render(&phrase)),
        ));
    }
    if matches!(first, "last" | "next" | "yesterday" | "today" | "tomorrow" | "tonight")
        && belongs_to_nobody(&lows)
    {
        return Err(refuse(DropReason::Chatter, "an impression of a day"));
    }
    let definite = first == "the"
        || matches!(first, "all" | "both" | "most" | "some") && lows.get(1).is_some_and(|w| *w == "the");
    let known_to_both = definite && !phrase.iter().skip(1).any(Tok::is_capital);
    if scene.humans_only && known_to_both {
        return Err(refuse(
            DropReason::VagueSubject,
            format!("which \u{201c}{}\u{201d} is meant is known only to the talk", render(&phrase)),
        ));
    }
    let compound = lows.iter().any(|w| matches!(*w, "and" | "&"));
    let verb_low = tokens[verb_at..].iter().find(|t| !is_adverb(&t.low)).map_or("", |t| t.low.as_str());
    let plural =
        matches!(verb_low, "are" | "were" | "have" | "do" | "don't" | "aren't" | "weren't" | "haven't")
            || compound
            || (looks_plural(&head_word) && has(verb_low, BASE));
    let mut words = Vec::new();
    let mut mentions = Vec::new();
    let mut named =
        phrase.iter().enumerate().any(|(i, t)| t.is_capital() && (i > 0 || is_first_name(&t.low)));
    let mut i = 0;
    while i < phrase.len() {
        let t = &phrase[i];
        match t.low.as_str() {
            "my" | "our" => words.push(Tok::word(&possessive(scene.speaker))),
            "your" => match scene.other {
                Some(other) => words.push(Tok::word(&possessive(other))),
                None => {
                    return Err(refuse(
                        DropReason::NotUnderstood,
                        "\u{201c}your\u{201d} is not one known person here",
                    ));
                }
            },
            "i" | "me" | "mine" | "us" | "you" | "yours" | "ours" => {
                return Err(refuse(DropReason::NotUnderstood, "a pronoun inside the subject"));
            }
            _ => words.push(t.clone()),
        }
        i += 1;
    }
    let mine = matches!(first, "my" | "our");
    let yours = lows.contains(&"your");
    let owner = if mine {
        Some((scene.speaker, true))
    } else if yours {
        scene.other.map(|o| (o, false))
    } else {
        None
    };
    let kin_at = lows.iter().position(|w| is_kin(w) || is(Set::KinPlural, w));
    let animal_at = lows.iter().position(|w| is(Set::Animal, w) || is(Set::AnimalPlural, w));
    // What the phrase is about decides, not who owns it: "my dad's car" is no person.
    let belongs = lows.iter().rposition(|w| *w == "'s");
    let behind = |at: Option<usize>| at.filter(|a| belongs.is_none_or(|b| *a > b));
    let kind = match (behind(kin_at), behind(animal_at), head_word.as_str()) {
        (Some(_), ..) => "Person",
        (_, Some(_), _) => "Animal",
        (.., "company" | "employer" | "firm" | "startup" | "band" | "club" | "university" | "school") => {
            "Organization"
        }
        (.., "city" | "town" | "village" | "country" | "hometown") => "Place",
        _ => "",
    };
    let name = proper_name(&phrase);
    match (&name, owner) {
        (Some(name), owner)
            if phrase.len() == 1 + name.split(' ').count()
                || owner.is_some() && !kind.is_empty()
                || owner.is_none() =>
        {
            let known = scene.discourse.kind_of(name).unwrap_or_default();
            let guess = if !kind.is_empty() {
                kind
            } else if !known.is_empty() {
                known
            } else if is_first_name(name.split(' ').next().unwrap_or_default())
                || phrase.len() > name.split(' ').count() && compound
            {
                "Person"
            } else if is(Set::OrgVerb, verb_low) && !has(verb_low, ING) {
                "Organization"
            } else {
                ""
            };
            // A lone capital at the start of a sentence may be any noun.
            named |=
                scene.discourse.knows(name) || !guess.is_empty() || name.contains(' ') || phrase.len() > 1;
            mentions.push(thing(name, guess, MentionRole::Subject));
        }
        (_, Some(_)) if belongs.is_some() && kin_at.is_some() && kind.is_empty() => {
            let end = belongs.unwrap_or_default();
            mentions.push(thing(&render(&words[..end]), "Person", MentionRole::Subject));
        }
        (None, None) if belongs == Some(1) => {
            let owner = &phrase[0].text;
            if kind.is_empty() {
                mentions.push(thing(
                    owner,
                    if is_first_name(owner) { "Person" } else { "" },
                    MentionRole::Subject,
                ));
            } else {
                mentions.push(thing(&render(&words), kind, MentionRole::Subject));
                mentions.push(person(owner, MentionRole::Other, owner == scene.speaker));
                named = true;
            }
        }
        (_, Some((who, is_speaker))) if matches!(kind, "" | "Organization" | "Place") => {
            mentions.push(person(who, MentionRole::Subject, is_speaker))
        }
        (_, Some(_)) => {
            mentions.push(thing(&render(&words), kind, MentionRole::Subject));
            named = true;
        }
        _ => {
            let bare = if is(Set::Determiner, first) { &words[1..] } else { &words[..] };
            let gerund = has(&bare[0].low, ING) && bare.len() == words.len();
            let kind =
                if looks_plural(&head_word) || first == head_word || gerund { "Topic" } else { "Thing" };
            mentions.push(thing(&render(bare), kind, MentionRole::Subject));
        }
    }
    if let Some((who, is_speaker)) = owner
        && !mentions.iter().any(|m| m.span == who)
    {
        mentions.push(person(who, MentionRole::Other, is_speaker));
    }
    Ok(Subject {
        tokens: words,
        who: Who::Third,
        agreement: if plural { Agreement::Plural } else { Agreement::Singular },
        mentions,
        verb_at,
        inferred: None,
        head: head_word,
        named,
        owned: owner.is_some(),
        others: yours,
        group: false,
    })
}

fn belongs_to_nobody(lows: &[&str]) -> bool {
    !lows.contains(&"'s") && lows.len() < 4
}

/// "Sounds like fun": a verb without its subject, however noun-like its form.
fn is_impression(word: &str) -> bool {
    is(Set::ImpressionStart, word)
}

/// The noun that the phrase is about: the last word before a preposition.
fn head(phrase: &[Tok]) -> usize {
    let end = phrase
        .iter()
        .position(|t| is(Set::Preposition, &t.low) || t.is(","))
        .filter(|p| *p > 0)
        .unwrap_or(phrase.len());
    (0..end).rev().find(|&k| !phrase[k].is_mark() && !has(&phrase[k].low, PART | PAST) || k == 0).unwrap_or(0)
}

/// The capitalised name in a noun phrase: "my sister Ana" gives "Ana", "The Beatles" itself.
fn proper_name(phrase: &[Tok]) -> Option<String> {
    let counts = |i: usize| {
        let t = &phrase[i];
        t.is_capital()
            && !matches!(t.low.as_str(), "my" | "our" | "your" | "i" | "a" | "an")
            && (i > 0
                || phrase.len() == 1
                || phrase.get(1).is_some_and(Tok::is_capital)
                || is_first_name(&t.low)
                || phrase.get(1).is_some_and(|n| n.is("and")))
    };
    let start = (0..phrase.len()).find(|&i| counts(i))?;
    // "The dog" at the start of a sentence is no name; "The Beatles" is.
    if start == 0 && is(Set::Determiner, &phrase[0].low) && !phrase.get(1).is_some_and(Tok::is_capital) {
        return None;
    }
    let end = (start..phrase.len()).take_while(|&i| counts(i) || i == start).last()? + 1;
    if phrase.get(end).is_some_and(|t| t.is("'s")) {
        return None;
    }
    let name = render(&phrase[start..end]);
    // One common word at the start ("Dogs are loyal") is a noun unless it is a known name or nothing else could be.
    let single_common = start == 0
        && end == 1
        && (looks_plural(&phrase[0].low)
            || has(&phrase[0].low, ING | BASE | PAST)
            || is(Set::VagueHead, &phrase[0].low)
            || is_adverb(&phrase[0].low))
        && !is_first_name(&phrase[0].low);
    (!single_common).then_some(name)
}

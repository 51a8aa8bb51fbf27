//! Whom a clause is about: "I" and "we" are the speaker, "you" the one other person, "she" whoever fits alone.
//!
//! "We" is read as the speaker, not as the group: what we do, the speaker does, and the others are rarely named.

use crate::extraction::{CandidateMention, DropReason};
use crate::proposition::MentionRole;

use super::discourse::{Discourse, Found};
use super::finite::{find_verb, looks_plural};
use super::lexicon::{BASE, PAST, Set, THIRD, has, is, is_adverb};
use super::noun_phrase;
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
    CandidateMention { span: name.to_owned(), kind: "Person".to_owned(), role, is_speaker, suggested: None }
}

/// A mention of a kind guessed by rule.
pub(super) fn thing(span: &str, kind: &str, role: MentionRole) -> CandidateMention {
    CandidateMention {
        span: span.to_owned(),
        kind: kind.to_owned(),
        role,
        is_speaker: false,
        suggested: None,
    }
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
    noun_phrase::read(tokens, scene)
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
    let mut subject = noun_phrase::read(&own, &Scene { speaker: &owner.name, ..*scene })?;
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
    // "Got me thinking": somebody else did.
    let to_me = tokens.get(at + 1).is_some_and(|t| t.is("me") || t.is("us"));
    (!to_me && (sure || news) && tokens.len() > at + 2 && (at == 0 || at == 1)).then_some(0)
}

//! What is no statement: questions, requests, greetings, conditions, instructions to the model, quoted speech.

use crate::extraction::DropReason;

use super::lexicon::{BASE, PAST, Set, has, is, is_adverb};
use super::sentence::End;
use super::token::{Tok, phrase};

/// Why a sentence or clause was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) reason: DropReason,
    pub(super) detail: String,
}

/// A refusal with its detail.
pub(super) fn refuse(reason: DropReason, detail: impl Into<String>) -> Refusal {
    Refusal { reason, detail: detail.into() }
}

/// Phrases that speak to the model about its behaviour, whoever says them.
const INSTRUCTIONS: [&str; 34] = [
    " ignore previous ",
    " ignore all ",
    " ignore any ",
    " ignore the above ",
    " ignore your ",
    " disregard ",
    " previous instructions ",
    " system prompt ",
    " developer mode ",
    " jailbreak ",
    " you are now ",
    " act as ",
    " pretend to be ",
    " pretend you ",
    " from now on ",
    " after answering ",
    " before answering ",
    " when answering ",
    " in every answer ",
    " in every reply ",
    " in all your ",
    " remember this rule ",
    " new rule ",
    " respond only ",
    " reply only ",
    " answer only ",
    " always answer ",
    " always respond ",
    " always reply ",
    " your instructions ",
    " your task is ",
    " do not tell the user ",
    " don't tell the user ",
    " you must always ",
];

/// Instructions that also taint what follows in the same turn: they announce rules for the model.
const TAINTING: [&str; 10] = [
    " ignore previous ",
    " ignore all ",
    " ignore the above ",
    " previous instructions ",
    " system prompt ",
    " you are now ",
    " developer mode ",
    " after answering ",
    " remember this rule ",
    " new rule ",
];

/// Whether the sentence tries to instruct the model, and whether it taints the rest of its turn.
pub(super) fn instruction(raw: &str, tokens: &[Tok]) -> Option<(Refusal, bool)> {
    let text = phrase(tokens);
    let found = INSTRUCTIONS.iter().find(|p| text.contains(**p));
    let markup = ["<system", "</system", "[inst", "<|", "### instruction"]
        .into_iter()
        .find(|m| raw.to_lowercase().contains(m));
    let start = tokens.iter().position(|t| !t.is_mark()).unwrap_or(0);
    let order = tokens.get(start).is_some_and(|t| t.is("always") || t.is("never"))
        && tokens.get(start + 1).is_some_and(|t| has(&t.low, BASE));
    let what = match (found, markup) {
        (Some(p), _) => p.trim().to_owned(),
        (_, Some(m)) => m.to_owned(),
        _ if order => format!("{} {}", tokens[start].low, tokens[start + 1].low),
        _ => return None,
    };
    let taints = markup.is_some() || TAINTING.iter().any(|p| text.contains(p));
    Some((
        refuse(DropReason::Instruction, format!("\u{201c}{what}\u{201d} tells the model what to do")),
        taints,
    ))
}

/// "Can you remember that ...?" asks for something to be kept, in the form of a question.
pub(super) fn is_polite_request(tokens: &[Tok]) -> bool {
    ["can", "could"].iter().any(|w| tokens.first().is_some_and(|t| t.is(w)))
        && tokens.get(1).is_some_and(|t| t.is("you"))
        && tokens.get(2).is_some_and(|t| t.is("remember"))
}

/// How many tokens of a memory request ("Remember that ...") stand before what is to be remembered.
/// The flag is set for "remember to ...".
pub(super) fn memory_request(tokens: &[Tok]) -> Option<(usize, bool)> {
    const OPENINGS: [&[&str]; 20] = [
        &["please", "remember"],
        &["remember"],
        &["always", "remember"],
        &["please", "note"],
        &["note"],
        &["take", "note"],
        &["make", "a", "note"],
        &["please", "keep", "in", "mind"],
        &["keep", "in", "mind"],
        &["bear", "in", "mind"],
        &["please", "don't", "forget"],
        &["don't", "forget"],
        &["do", "not", "forget"],
        &["please", "do", "not", "forget"],
        &["you", "should", "know"],
        &["can", "you", "remember"],
        &["could", "you", "remember"],
        &["i", "want", "you", "to", "remember"],
        &["please", "memorize"],
        &["fyi"],
    ];
    let opening = OPENINGS
        .iter()
        .filter(|o| tokens.len() > o.len() && o.iter().zip(tokens).all(|(w, t)| t.is(w)))
        .max_by_key(|o| o.len())?;
    let mut at = opening.len();
    if *opening == ["can", "you", "remember"] && !tokens.get(at).is_some_and(|t| t.is("that")) {
        return None;
    }
    let low = |k: usize| tokens.get(k).map_or("", |t| t.low.as_str());
    if low(at) == "to"
        && has(low(at + 1), BASE)
        && opening.iter().any(|w| matches!(*w, "remember" | "forget"))
    {
        return Some((at, true));
    }
    match low(at) {
        "that" if matches!(low(at + 1), "time" | "day" | "one" | "night" | "trip") => return None,
        "that" | ":" | "," => at += 1,
        "this" if matches!(low(at + 1), ":" | "," | "-") => at += 2,
        "when" | "how" | "the" if opening.len() == 1 && low(at) != "the" => return None,
        "what" | "where" | "who" | "why" | "those" | "us" | "me" | "this" => return None,
        _ => {}
    }
    if matches!(low(at), ":" | ",") {
        at += 1;
    }
    (at < tokens.len()).then_some((at, false))
}

/// Sorts out sentences that state nothing. `humans_only` tells that people talk among themselves, so that an
/// imperative is no request to the assistant.
pub(super) fn screen(tokens: &[Tok], end: End, humans_only: bool) -> Option<Refusal> {
    let first = tokens.iter().find(|t| !t.is_mark())?;
    let second = tokens.iter().filter(|t| !t.is_mark()).nth(1);
    let text = phrase(tokens);
    if end == End::Question {
        return Some(refuse(DropReason::Question, ""));
    }
    if is(Set::QuestionStart, &first.low) && question_order(&first.low, second) && end != End::Exclamation {
        return Some(refuse(DropReason::Question, "asked without a question mark"));
    }
    if matches!(first.low.as_str(), "what" | "how" | "why" | "who" | "which" | "whose") {
        return Some(refuse(DropReason::Chatter, "an exclamation"));
    }
    for ask in [
        " can you ",
        " could you ",
        " would you ",
        " i need you to ",
        " i want you to ",
        " i 'd like you to ",
        " i would like you to ",
    ] {
        if text.starts_with(ask) {
            return Some(refuse(DropReason::Request, ""));
        }
    }
    if first.is("let") || first.is("let's") {
        return Some(refuse(DropReason::Chatter, "a suggestion"));
    }
    if is(Set::Imperative, &first.low) && imperative(tokens) {
        return Some(if humans_only {
            refuse(DropReason::Chatter, "an appeal to the other person")
        } else {
            refuse(DropReason::Request, "")
        });
    }
    if let Some(quote) = quoted_speech(tokens) {
        return Some(refuse(DropReason::NotAsserted, format!("quotes somebody's words: {quote}")));
    }
    None
}

/// Whether the second word shows a question: "do you", "is it", "where did".
fn question_order(first: &str, second: Option<&Tok>) -> bool {
    let Some(second) = second else { return true };
    let subject = is(Set::SubjectPronoun, &second.low)
        || is(Set::Determiner, &second.low)
        || matches!(second.low.as_str(), "there" | "anyone" | "anybody" | "someone" | "not");
    match first {
        "what" | "who" | "whom" | "whose" | "which" | "where" | "why" | "how" | "whats" | "hows" => {
            matches!(second.low.as_str(), "'s" | "'d" | "about" | "many" | "much" | "long" | "often" | "come")
                || is(Set::FiniteAux, &second.low)
        }
        "may" => subject,
        "wanna" | "any" => true,
        _ => subject,
    }
}

/// Whether a word list entry that can open an imperative does: no subject follows and it is no name or noun phrase.
fn imperative(tokens: &[Tok]) -> bool {
    let first = &tokens[0];
    let Some(second) = tokens.get(1) else { return true };
    if first.is("please") || first.is("don't") || first.is("do") || first.is("let") {
        return true;
    }
    if is(Set::FiniteAux, &second.low) || second.is("'s") || second.is("and") {
        return false;
    }
    // "Work is hard", "Play dates help": a noun that starts the sentence has a finite verb after it.
    has(&first.low, BASE) || is_adverb(&first.low) || first.is("never") || first.is("always")
}

/// Quoted words that look like speech and not like a title.
fn quoted_speech(tokens: &[Tok]) -> Option<String> {
    let open = tokens.iter().position(|t| t.is("\""))?;
    let len = tokens[open + 1..].iter().position(|t| t.is("\""))?;
    let inside = &tokens[open + 1..open + 1 + len];
    let speech = inside.len() > 2
        && (inside.iter().any(|t| matches!(t.low.as_str(), "i" | "you" | "we" | "don't" | "can't" | "let"))
            || tokens[..open]
                .iter()
                .any(|t| matches!(t.low.as_str(), "said" | "says" | "say" | "told" | "asked" | "like")));
    speech.then(|| super::token::render(inside))
}

/// Conditional, wished or denied: nothing is claimed.
pub(super) fn not_asserted(tokens: &[Tok]) -> Option<Refusal> {
    let text = phrase(tokens);
    let found = [
        " if ",
        " unless ",
        " i wish ",
        " we wish ",
        " if only ",
        " what if ",
        " imagine ",
        " suppose ",
        " hopefully ",
        " let us say ",
        " as if ",
        " as though ",
        " not true ",
        " was a lie ",
        " just kidding ",
        " i was joking ",
        " would have ",
        " should have ",
        " could have ",
        " might have been ",
        " in case ",
        " whether ",
        " pretend ",
        " hypothetically ",
        " would've ",
        " should've ",
        " could've ",
        " or something ",
    ]
    .into_iter()
    .find(|p| text.contains(p))?;
    // "whether" and "if" after "ask", "see" or "know" are still open questions, so nothing is lost by refusing them.
    Some(refuse(DropReason::NotAsserted, format!("\u{201c}{}\u{201d}", found.trim())))
}

/// Whether nothing but greeting, thanks or applause is left.
pub(super) fn is_chatter(tokens: &[Tok]) -> bool {
    let words: Vec<&Tok> = tokens.iter().filter(|t| !t.is_mark()).collect();
    let Some(first) = words.first() else { return true };
    is(Set::ChatterStart, &first.low)
        && !words.iter().any(|t| is(Set::SubjectPronoun, &t.low) && !t.is("you") && !t.is("it"))
        && !words.iter().skip(1).any(|t| is(Set::FiniteAux, &t.low) || (has(&t.low, PAST) && words.len() > 6))
}

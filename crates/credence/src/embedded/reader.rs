//! One sentence becomes statements: the steps in their order, the statement's text, confidence and explanation.

use crate::extraction::{Candidate, CandidateMention, DropReason};
use crate::proposition::{Extractor, MentionRole};

use super::calibration::{MAX_STATEMENT_CHARS, PLAIN, Rule};
use super::clause::{Clause, split, strip_leads};
use super::discourse::Discourse;
use super::languages;
use super::lexicon::{self, Set, is, is_adverb, is_first_name};
use super::norm;
use super::predicate;
use super::rewrite::rewrite;
use super::screen::{self, Refusal, refuse};
use super::sentence::End;
use super::statement::{Statement, capitalised, self_introduction};
use super::subject::{self, Agreement, Scene, Subject, Who, person};
use super::third_person;
use super::token::{Tok, render, tokens};

/// What one sentence is read with.
pub(super) struct Context<'a> {
    pub(super) speaker: &'a str,
    pub(super) other: Option<&'a str>,
    pub(super) names: &'a [String],
    pub(super) date: &'a str,
    /// People talk among themselves: nothing is asked of an assistant.
    pub(super) humans_only: bool,
    pub(super) max_words: usize,
    pub(super) discourse: &'a mut Discourse,
    /// An earlier sentence of the turn gave the model instructions.
    pub(super) tainted: &'a mut bool,
}

/// What came of a piece of a sentence.
pub(super) enum Item {
    Fact(Box<Candidate>),
    Drop { text: String, refusal: Refusal },
}

fn drop(text: impl Into<String>, refusal: Refusal) -> Vec<Item> {
    vec![Item::Drop { text: text.into(), refusal }]
}

/// Reads one sentence with its end mark.
pub(super) fn read_sentence(sentence: &str, cx: &mut Context<'_>) -> Vec<Item> {
    let end = End::of(sentence);
    if sentence.contains("[redacted:") {
        return drop(sentence, refuse(DropReason::Secret, "a redacted credential"));
    }
    if sentence.contains("://") || sentence.contains("www.") || sentence.contains('`') {
        return drop(sentence, refuse(DropReason::NotUnderstood, "code or a link"));
    }
    let mut toks = tokens(sentence);
    if toks.iter().filter(|t| !t.is_mark()).count() > cx.max_words {
        return drop(
            sentence,
            refuse(DropReason::NotUnderstood, format!("longer than {} words", cx.max_words)),
        );
    }
    if let Some((refusal, taints)) = screen::instruction(sentence, &toks) {
        *cx.tainted |= taints;
        return drop(sentence, refusal);
    }
    if *cx.tainted {
        return drop(
            sentence,
            refuse(DropReason::Instruction, "follows an instruction to the model in the same turn"),
        );
    }
    if end != End::Question && (cx.humans_only || screen::memory_request(&toks).is_none()) {
        if let Some(items) = other_language(sentence, cx) {
            return items;
        }
    } else if languages::is_foreign_script(sentence) {
        return drop(sentence, refuse(DropReason::Question, ""));
    }
    if screen::is_chatter(&toks) {
        return drop(sentence, refuse(DropReason::Chatter, ""));
    }
    strip_leads(&mut toks, cx.names);
    if let Some((name, rest)) = introduction(&toks).filter(|_| end != End::Question) {
        let mut items = vec![Item::Fact(Box::new(self_introduction(&render(name), sentence, cx.speaker)))];
        // "I'm Mara, I live in Kleve": what follows the name is read on its own.
        let rest: Vec<Tok> = rest.iter().skip_while(|t| t.is_mark() || t.is("and")).cloned().collect();
        if rest.iter().any(|t| !t.is_mark()) {
            items.extend(read_clauses(rest, sentence, false, cx));
        }
        return items;
    }
    if toks.is_empty() || screen::is_chatter(&toks) {
        return drop(sentence, refuse(DropReason::Chatter, ""));
    }
    if !cx.humans_only
        && (end != End::Question || screen::is_polite_request(&toks))
        && let Some((at, to_do)) = screen::memory_request(&toks)
    {
        let content = toks[at..].to_vec();
        return remember(sentence, &content, to_do, cx);
    }
    if let Some(refusal) = screen::screen(&toks, end, cx.humans_only) {
        // "I live in Kleve, do you know it?" states something before it asks.
        if refusal.reason == DropReason::Question
            && let Some(at) = question_part(&toks)
        {
            let mut items = read_clauses(toks[..at].to_vec(), sentence, false, cx);
            items.extend(drop(render(&toks[at..]).trim_start_matches([',', '-', ';', ' ']), refusal));
            return items;
        }
        note(&toks, cx);
        return drop(sentence, refusal);
    }
    read_clauses(toks, sentence, false, cx)
}

/// Whether a sentence asks to have something remembered.
pub(super) fn is_memory_request(sentence: &str) -> bool {
    languages::request(sentence).is_some() || screen::memory_request(&tokens(sentence)).is_some()
}

/// Chinese, German, Spanish, French patterns, and memory requests in any script.
fn other_language(sentence: &str, cx: &mut Context<'_>) -> Option<Vec<Item>> {
    if let Some(content) = languages::request(sentence) {
        let (mut items, unread) = match languages::read(content, cx.speaker) {
            languages::Outcome::Clauses(read, unread) => {
                (read.into_iter().map(|r| foreign(r, cx)).collect::<Vec<_>>(), unread)
            }
            languages::Outcome::NotOurs => (Vec::new(), vec![content.to_owned()]),
        };
        items.extend(unread.into_iter().map(|text| verbatim(&text, sentence, cx)));
        return Some(items);
    }
    match languages::read(sentence, cx.speaker) {
        languages::Outcome::Clauses(read, unread) => {
            let mut items: Vec<Item> = read.into_iter().map(|r| foreign(r, cx)).collect();
            items.extend(unread.into_iter().flat_map(|text| {
                drop(text, refuse(DropReason::NotUnderstood, "no pattern of this language fits"))
            }));
            Some(items)
        }
        languages::Outcome::NotOurs
            if languages::is_foreign_script(sentence) || !languages::may_be_english(sentence) =>
        {
            let told = third_person::read(sentence).filter(|_| !cx.humans_only);
            Some(match told {
                Some(told) => vec![plainly(told.text, Rule::General, told.mentions, sentence, cx)],
                None => {
                    drop(sentence, refuse(DropReason::NotUnderstood, "not a language that the rules read"))
                }
            })
        }
        languages::Outcome::NotOurs => None,
    }
}

fn foreign(r: languages::Read, cx: &Context<'_>) -> Item {
    plainly(r.text, r.rule, r.mentions, &r.quote, cx)
}

/// What a speaker said plainly, as a fact.
fn plainly(text: String, rule: Rule, mentions: Vec<CandidateMention>, quote: &str, cx: &Context<'_>) -> Item {
    Item::Fact(Box::new(Candidate {
        reasoning: format!(
            "Said directly by {}: \u{201c}{}\u{201d} (rule: {})",
            cx.speaker,
            quote.trim(),
            rule.word()
        ),
        text,
        mentions,
        confidence: PLAIN,
        decay: rule.decay(),
        importance: rule.importance(),
        turns: Vec::new(),
        extractor: Extractor::Rules,
        valid_from: None,
        valid_to: None,
    }))
}

/// A memory request that no rule reads is kept in the user's own words.
fn verbatim(content: &str, sentence: &str, cx: &Context<'_>) -> Item {
    let content = content.trim().trim_end_matches(['.', '!', '\u{3002}', '\u{ff01}']);
    let mut text = capitalised(content);
    if text.chars().count() > MAX_STATEMENT_CHARS {
        return Item::Drop {
            text: sentence.to_owned(),
            refusal: refuse(DropReason::NotUnderstood, "too long to keep word for word"),
        };
    }
    text.push(if content.chars().any(|c| ('\u{3040}'..='\u{9fff}').contains(&c)) { '\u{3002}' } else { '.' });
    Item::Fact(Box::new(Candidate {
        reasoning: format!(
            "{} asked to remember this; kept in their own words: \u{201c}{}\u{201d} (rule: {})",
            cx.speaker,
            sentence.trim(),
            Rule::Request.word()
        ),
        text,
        mentions: Vec::new(),
        confidence: PLAIN,
        decay: Rule::Request.decay(),
        importance: Rule::Request.importance(),
        turns: Vec::new(),
        extractor: Extractor::Rules,
        valid_from: None,
        valid_to: None,
    }))
}

fn remember(sentence: &str, content: &[Tok], to_do: bool, cx: &mut Context<'_>) -> Vec<Item> {
    if to_do {
        // "Remember to buy milk": a task of the speaker's own.
        let mut said = vec![Tok::word("i"), Tok::word("am"), Tok::word("to"), Tok::word("remember")];
        said.extend(content.iter().cloned());
        let clause = Clause { tokens: said, fronted: Vec::new() };
        return match read_clause(&clause, sentence, true, cx) {
            Ok(items) => items,
            Err(_) => vec![verbatim(&render(content), sentence, cx)],
        };
    }
    let items = read_clauses(content.to_vec(), sentence, true, cx);
    let settled = |i: &Item| match i {
        Item::Fact(_) => true,
        Item::Drop { refusal, .. } => matches!(refusal.reason, DropReason::Secret | DropReason::Instruction),
    };
    if items.iter().any(settled) {
        return items;
    }
    let addressed = content.iter().any(|t| matches!(t.low.as_str(), "you" | "your"));
    if addressed {
        return drop(sentence, refuse(DropReason::Instruction, "speaks about the assistant"));
    }
    // The person asked for it, so their words are kept; "my" and "I" become the name.
    let owner = Subject {
        tokens: Vec::new(),
        who: Who::Third,
        agreement: Agreement::Singular,
        mentions: Vec::new(),
        verb_at: 0,
        inferred: None,
        head: String::new(),
        named: true,
        owned: true,
        others: false,
        group: false,
    };
    let scene = Scene {
        speaker: cx.speaker,
        other: cx.other,
        date: cx.date,
        humans_only: cx.humans_only,
        discourse: cx.discourse,
    };
    let text =
        rewrite(content, "", &owner, &scene).map_or_else(|_| render(content), |(toks, _)| render(&toks));
    let mut item = verbatim(&text, sentence, cx);
    if let Item::Fact(c) = &mut item
        && c.text.contains(cx.speaker)
    {
        c.mentions.push(person(cx.speaker, MentionRole::Other, true));
    }
    vec![item]
}

/// Where the question of a sentence begins, when statements stand before it.
fn question_part(toks: &[Tok]) -> Option<usize> {
    let at = (2..toks.len()).rev().find(|&i| {
        let mark = toks[i - 1].is(",")
            || toks[i - 1].is("-")
            || toks[i - 1].is(";")
            || toks[i - 1].is("and")
            || toks[i - 1].is("but")
            || toks[i - 1].is("so");
        mark && is(Set::QuestionStart, &toks[i].low)
    })?;
    let mut end = at - 1;
    while end > 0 && (toks[end - 1].is_mark() || toks[end - 1].is("and")) {
        end -= 1;
    }
    (end > 2).then_some(end)
}

fn note(toks: &[Tok], cx: &mut Context<'_>) {
    cx.discourse.note(toks, &subject::possessive(cx.speaker));
}

fn read_clauses(toks: Vec<Tok>, sentence: &str, asked: bool, cx: &mut Context<'_>) -> Vec<Item> {
    if let Some(refusal) = screen::not_asserted(&toks) {
        note(&toks, cx);
        return drop(sentence, refusal);
    }
    let mut out = Vec::new();
    let whole = toks.clone();
    for clause in split(toks) {
        let mut clause = clause;
        strip_leads(&mut clause.tokens, cx.names);
        if clause.tokens.is_empty() {
            continue;
        }
        let screened = if screen::is_chatter(&clause.tokens) {
            Some(refuse(DropReason::Chatter, ""))
        } else {
            screen::screen(&clause.tokens, End::Statement, cx.humans_only)
        };
        match screened.map_or_else(|| read_clause(&clause, sentence, asked, cx), Err) {
            Ok(items) => out.extend(items),
            Err(refusal) => out.extend(drop(render(&clause.tokens), refusal)),
        }
        note(&clause.tokens, cx);
    }
    if let Some(item) = second_chance(&whole, &out, sentence, cx) {
        return vec![item];
    }
    if out.is_empty() {
        return drop(sentence, refuse(DropReason::NotUnderstood, ""));
    }
    out
}

/// What no clause reader reads may still be a plain statement about no person, or one in another language without a word that tells it from
/// English. Among people such remarks are small talk.
fn second_chance(whole: &[Tok], read: &[Item], sentence: &str, cx: &Context<'_>) -> Option<Item> {
    let open = |item: &Item| match item {
        Item::Fact(_) => false,
        Item::Drop { refusal, .. } => matches!(
            refusal.reason,
            DropReason::NotUnderstood
                | DropReason::VagueSubject
                | DropReason::NotAsserted
                | DropReason::Chatter
        ),
    };
    if cx.humans_only || !read.iter().all(open) {
        return None;
    }
    let norm = norm::read(whole).map(|plain| (plain.text, plain.rule, plain.mentions));
    let told = || third_person::read(sentence).map(|told| (told.text, Rule::General, told.mentions));
    let (text, rule, mentions) = norm.or_else(told)?;
    Some(plainly(text, rule, mentions, sentence, cx))
}

/// Statements about these are not kept, whatever form the secret has.
const CREDENTIALS: [&str; 13] = [
    " password ",
    " passwort ",
    " passcode ",
    " passphrase ",
    " api key ",
    " secret key ",
    " private key ",
    " access token ",
    " my pin ",
    " credit card number ",
    " card number ",
    " social security number ",
    " cvv ",
];

/// Takes a hedge off the front: "I think (that) ...", "Maybe ...".
fn leading_hedge(toks: &[Tok]) -> Option<(usize, bool)> {
    let low = |k: usize| toks.get(k).map_or("", |t| t.low.as_str());
    let skip = usize::from(low(1) == "really" || low(1) == "do");
    if low(0) == "i" && matches!(low(1 + skip), "think" | "believe" | "guess" | "suppose" | "reckon") {
        let at = 2 + skip + usize::from(low(2 + skip) == "that");
        let clause = is(Set::SubjectPronoun, low(at))
            || is(Set::Determiner, low(at))
            || toks.get(at).is_some_and(Tok::is_capital);
        return (clause && !matches!(low(2 + skip), "of" | "about" | "in" | "so")).then_some((at, true));
    }
    (is(Set::Hedge, low(0)) && !matches!(low(0), "may" | "might") && toks.len() > 2)
        .then_some((1 + usize::from(low(1) == ","), false))
}

/// "I'm Mara", "my name is Mara", "call me Mara", "I am called Mara": the name, and what stands after it.
fn introduction(toks: &[Tok]) -> Option<(&[Tok], &[Tok])> {
    const OPENINGS: [(&[&str], bool); 10] = [
        (&["my", "name", "is"], true),
        (&["my", "name", "'s"], true),
        (&["call", "me"], true),
        (&["please", "call", "me"], true),
        (&["you", "can", "call", "me"], true),
        (&["i", "am", "called"], true),
        (&["people", "call", "me"], true),
        (&["everyone", "calls", "me"], true),
        (&["friends", "call", "me"], true),
        (&["i", "am"], false),
    ];
    let (opening, sure) =
        OPENINGS.iter().find(|(o, _)| toks.len() > o.len() && o.iter().zip(toks).all(|(w, t)| t.is(w)))?;
    let rest = &toks[opening.len()..];
    let name = &rest[..rest
        .iter()
        .take_while(|t| {
            t.text.chars().next().is_some_and(|c| c.is_uppercase()) && !t.is_mark()
                || matches!(t.low.as_str(), "de" | "da" | "van" | "von" | "der")
        })
        .count()];
    if name.is_empty() || name.len() > 4 || name.len() < rest.len() && !rest[name.len()].is(",") {
        return None;
    }
    let common = |w: &str| {
        lexicon::forms(w) != 0
            || is(Set::Feeling, w)
            || is(Set::Evaluative, w)
            || is(Set::Demonym, w)
            || is(Set::Health, w)
            || is_adverb(w)
            || is(Set::Weekday, w)
    };
    let plausible = is_first_name(&name[0].low) || !name.iter().any(|t| common(&t.low));
    let nationality = ["ian", "ese", "ish", "ist", "ean"].iter().any(|e| name[0].low.ends_with(e))
        && !is_first_name(&name[0].low);
    (*sure || plausible && !nationality && name.len() <= 3).then_some((name, &rest[name.len()..]))
}

/// Reads one clause into its statements.
fn read_clause(
    clause: &Clause,
    sentence: &str,
    asked: bool,
    cx: &mut Context<'_>,
) -> Result<Vec<Item>, Refusal> {
    let mut toks = clause.tokens.clone();
    if let Some((name, _)) = introduction(&toks) {
        return Ok(vec![Item::Fact(Box::new(self_introduction(&render(name), sentence, cx.speaker)))]);
    }
    let said = super::token::phrase(&toks);
    if CREDENTIALS.iter().any(|c| said.contains(c)) {
        return Err(refuse(DropReason::Secret, "speaks of a credential"));
    }
    let mut hedge: Option<String> = None;
    let mut thinks: Option<String> = None;
    let mut maybe: Option<Tok> = None;
    if let Some((at, verb)) = leading_hedge(&toks) {
        if verb {
            let said = toks
                .iter()
                .take(at)
                .find(|t| lexicon::has(&t.low, lexicon::BASE) && !t.is("do"))
                .map_or("think", |t| t.low.as_str())
                .to_owned();
            hedge = Some(format!("I {said}"));
            thinks = Some(lexicon::third_person(&said));
        } else {
            hedge = Some(toks[0].low.clone());
            maybe = Some(Tok::word(&toks[0].low));
        }
        toks.drain(..at);
    }
    let scene = Scene {
        speaker: cx.speaker,
        other: cx.other,
        date: cx.date,
        humans_only: cx.humans_only,
        discourse: cx.discourse,
    };
    let subject = subject::read(&toks, &scene)?;
    let mut tail = toks[subject.verb_at..].to_vec();
    if subject.verb_at == 0
        && let Some(first) = tail.first_mut()
    {
        // "Finally moved to Oslo": the capital was the sentence's.
        first.text = first.low.clone();
    }
    let parts = predicate::segments(&tail, subject.agreement);
    let several = parts.len() > 1;
    let mut out = Vec::new();
    for (n, part) in parts.iter().enumerate() {
        let last = n + 1 == parts.len();
        let mut words = part.clone();
        // A fronted time holds for every part: "Yesterday I went to Rome and saw Ana".
        if !clause.fronted.is_empty() && (last || is_time(&clause.fronted)) {
            words.extend(fronted_tail(&clause.fronted));
        }
        let statement = Statement {
            subject: &subject,
            hedge: hedge.as_deref(),
            thinks: thinks.as_deref(),
            maybe: maybe.as_ref(),
            asked,
        };
        match statement.write(&words, sentence, &scene) {
            Ok(candidate) => out.push(Item::Fact(Box::new(candidate))),
            Err(refusal) if several => out.extend(drop(render(part), refusal)),
            Err(refusal) => return Err(refusal),
        }
    }
    Ok(out)
}

fn is_time(fronted: &[Tok]) -> bool {
    matches!(
        fronted[0].low.as_str(),
        "yesterday" | "today" | "tomorrow" | "last" | "next" | "this" | "in" | "on"
    ) && fronted.len() < 5
}

/// A fronted adverbial as it stands behind the rest: its first word in lower case. One that points at something unnamed
/// ("After that") says nothing and goes.
fn fronted_tail(fronted: &[Tok]) -> Vec<Tok> {
    let deictic = fronted.iter().any(|t| {
        matches!(t.low.as_str(), "that" | "those" | "these" | "here" | "there" | "it")
            || t.is("this") && !fronted.iter().any(|w| is_time_word(&w.low))
    });
    let clause = is(Set::Subordinator, &fronted[0].low);
    let aside = fronted.iter().any(|t| matches!(t.low.as_str(), "me" | "us")) && fronted.len() < 4;
    if aside
        || deictic && !(clause && fronted.len() > 5)
        || matches!(
            fronted[0].low.as_str(),
            "overall" | "even" | "although" | "though" | "again" | "now" | "right" | "just"
        )
    {
        return Vec::new();
    }
    let mut words = fronted.to_vec();
    // Every opener of an adverbial is a function word, so the capital was only the sentence's.
    words[0].text = words[0].low.clone();
    words
}

fn is_time_word(low: &str) -> bool {
    matches!(
        low,
        "week"
            | "weekend"
            | "month"
            | "year"
            | "morning"
            | "evening"
            | "afternoon"
            | "summer"
            | "winter"
            | "spring"
            | "fall"
            | "autumn"
    ) || is(Set::Weekday, low)
}

//! The oracle: a judge without a model, whose verdict on a reply is the same every time.
//!
//! A reply is read sentence by sentence. What a sentence says of a fact:
//!
//! 1. Nothing when it is doubtful: it matches one of the fact's `hedge` patterns, holds a word for doubt, is a question, or gives
//!    somebody's claim (see `doubt`).
//! 2. A match of `affirm` says that the fact holds; where a denial reaches the match, that it does not.
//! 3. A match of `deny` says that it does not hold; a denied one ("it is not bronze") says nothing, for what is not bronze need not be iron.
//! 4. Of several matches the one that ends last counts ("it was iron once, but now it is bronze"); two opposite ones that end in the
//!    same place say nothing.
//!
//! What the reply says of a fact, by the sentences that say something:
//!
//! | sentences | ruling | severity |
//! |---|---|---|
//! | none | NOT_MENTIONED | NONE |
//! | affirming alone | CONFIRMED | NONE |
//! | denying alone | CONTRADICTED | MAJOR |
//! | denying, then affirming, with a word that corrects in between | CONFIRMED: the reply took it back | NONE |
//! | affirming, then denying, with such a word | CONTRADICTED: the fact was taken back | MAJOR |
//! | both, otherwise | CONTRADICTED: the reply holds both | MINOR |
//!
//! A fact without an oracle is judged by its own words, with confidence 3 instead of 5: a sentence affirms that holds at least 80 % of
//! its terms and all of its numbers, dates, names and its side (`credence::text::holding`), and denies that excludes it or is the same
//! but for an amount, a time or a value. Whatever is less clear is NOT_MENTIONED.

use std::ops::Range;

use credence::text::{self, Holding};
use regex_lite::Regex;

use super::doubt::{Sentence, denies_itself, plain_pattern};
use crate::scenario::{Fact, Oracle, Scenario};
use crate::verdict::{Judge, Judgement, Ruling, Severity, Verdict};

/// Share of a fact's terms that a sentence needs in order to affirm it by its words alone.
const SHARE: f64 = 0.8;
/// Confidence by patterns, and by words alone; of 5.
const BY_PATTERNS: u8 = 5;
const BY_WORDS: u8 = 3;

/// What a sentence says of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Affirms,
    Denies,
}

/// A pattern, and whether it means a denial itself.
struct Pattern {
    regex: Regex,
    own_denial: bool,
}

impl Pattern {
    fn of(source: &str) -> Result<Self, String> {
        let source = plain_pattern(source);
        let own_denial = denies_itself(&source);
        match Regex::new(&source) {
            Ok(regex) => Ok(Self { regex, own_denial }),
            Err(error) => Err(error.to_string()),
        }
    }
    fn all(sources: &[String]) -> Vec<Self> {
        sources.iter().filter_map(|source| Self::of(source).ok()).collect()
    }
}

/// How one fact is recognised.
enum Rule<'a> {
    Patterns { affirm: Vec<Pattern>, deny: Vec<Pattern>, hedge: Vec<Pattern> },
    Words(&'a str),
}

impl<'a> Rule<'a> {
    /// Patterns that do not compile are left out; a scenario that was read has none.
    fn of(fact: &'a Fact) -> Self {
        match &fact.oracle {
            Some(Oracle { affirm, deny, hedge, .. }) => Self::Patterns {
                affirm: Pattern::all(affirm),
                deny: Pattern::all(deny),
                hedge: Pattern::all(hedge),
            },
            None => Self::Words(&fact.text),
        }
    }

    fn side(&self, text: &str, sentence: &Sentence) -> Option<Side> {
        if sentence.doubted().is_some() {
            return None;
        }
        match self {
            Self::Patterns { affirm, deny, hedge } => {
                if hedge.iter().any(|pattern| pattern.regex.is_match(&sentence.plain)) {
                    return None;
                }
                let mut last: Option<(usize, Option<Side>)> = None;
                for (patterns, is_affirm) in [(affirm, true), (deny, false)] {
                    for (found, denied) in patterns.iter().flat_map(|pattern| matches(pattern, sentence)) {
                        let side = match (is_affirm, denied) {
                            (true, false) => Side::Affirms,
                            (true, true) | (false, false) => Side::Denies,
                            (false, true) => continue,
                        };
                        last = Some(match last {
                            Some((end, before)) if end > found.end => (end, before),
                            Some((end, before)) if end == found.end && before != Some(side) => (end, None),
                            _ => (found.end, Some(side)),
                        });
                    }
                }
                last.and_then(|(_, side)| side)
            }
            Self::Words(fact) => by_words(fact, text),
        }
    }

    fn confidence(&self) -> u8 {
        if matches!(self, Self::Patterns { .. }) { BY_PATTERNS } else { BY_WORDS }
    }
}

/// Where a pattern matches what is said and not only claimed, and whether that is denied.
fn matches(pattern: &Pattern, sentence: &Sentence) -> Vec<(Range<usize>, bool)> {
    let found = pattern.regex.find_iter(&sentence.plain).map(|found| found.range());
    found
        .filter(|range| !sentence.is_claimed(range))
        .map(|range| {
            let denied = sentence.is_denied(&range, pattern.own_denial);
            (range, denied)
        })
        .collect()
}

fn by_words(fact: &str, sentence: &str) -> Option<Side> {
    if text::opposes(fact, sentence).is_some() || text::variation(fact, sentence).is_some() {
        return Some(Side::Denies);
    }
    matches!(text::holding(fact, sentence, SHARE), Holding::Held(_)).then_some(Side::Affirms)
}

/// Judges a reply by every fact of a scenario, in its order. It never fails, and never leaves a fact out.
pub fn judge(scenario: &Scenario, reply: &str) -> Judgement {
    let sentences = read(reply);
    Judgement {
        judge: Judge::Oracle,
        verdicts: scenario.facts.iter().map(|fact| rule(fact, &sentences)).collect(),
        retries: 0,
        dropped: Vec::new(),
        failed: None,
    }
}

/// Whether a text says that a fact holds.
pub fn affirms(fact: &Fact, text: &str) -> bool {
    ruling(fact, text) == Ruling::Confirmed
}

/// What a text says of one fact.
pub fn ruling(fact: &Fact, text: &str) -> Ruling {
    rule(fact, &read(text)).ruling
}

fn read(reply: &str) -> Vec<(&str, Sentence)> {
    text::sentences(reply).into_iter().map(|sentence| (sentence, Sentence::of(sentence))).collect()
}

fn rule(fact: &Fact, sentences: &[(&str, Sentence)]) -> Verdict {
    let rule = Rule::of(fact);
    let said: Vec<(usize, Side)> = sentences
        .iter()
        .enumerate()
        .filter_map(|(at, (text, sentence))| rule.side(text, sentence).map(|side| (at, side)))
        .collect();
    let last = |wanted: Side| said.iter().rfind(|(_, side)| *side == wanted).map(|(at, _)| *at);
    let (ruling, severity, at, why) = match (last(Side::Affirms), last(Side::Denies)) {
        (None, None) => {
            (Ruling::NotMentioned, Severity::None, None, "no sentence says it or denies it surely")
        }
        (Some(at), None) => (Ruling::Confirmed, Severity::None, Some(at), "it is said"),
        (None, Some(at)) => (Ruling::Contradicted, Severity::Major, Some(at), "it is denied"),
        (Some(yes), Some(no)) => {
            let (first, then) = (yes.min(no), yes.max(no));
            let taken_back = sentences[first + 1..=then].iter().any(|(_, sentence)| sentence.corrects());
            match (taken_back, yes > no) {
                (true, true) => (
                    Ruling::Confirmed,
                    Severity::None,
                    Some(yes),
                    "it was denied first, and the denial taken back",
                ),
                (true, false) => {
                    (Ruling::Contradicted, Severity::Major, Some(no), "it was said first, and taken back")
                }
                (false, _) => (Ruling::Contradicted, Severity::Minor, Some(no), "it is both said and denied"),
            }
        }
    };
    Verdict {
        fact: fact.id.clone(),
        ruling,
        severity,
        confidence: rule.confidence(),
        evidence: at.map_or_else(String::new, |at| sentences[at].0.to_owned()),
        reasoning: String::new(),
        explanation: why.to_owned(),
        filled: false,
    }
}

/// What is wrong with a fact's oracle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// A pattern that cannot be compiled.
    Unreadable(String),
    /// A pattern or an example that does not do what it is there for.
    Misreads(String),
}

/// Everything that is wrong with a fact's oracle, each with its place below the oracle: `.deny[1]`.
///
/// It has to affirm the fact's own text. Where it has examples, each must be ruled as its list says, and each pattern match one of its list.
pub(crate) fn problems(fact: &Fact) -> Vec<(String, Flaw)> {
    let Some(oracle) = &fact.oracle else { return Vec::new() };
    let mut out = Vec::new();
    let lists = [
        ("affirm", &oracle.affirm, &oracle.examples.affirm, Ruling::Confirmed),
        ("deny", &oracle.deny, &oracle.examples.deny, Ruling::Contradicted),
        ("hedge", &oracle.hedge, &oracle.examples.hedge, Ruling::NotMentioned),
    ];
    for (name, patterns, examples, wanted) in lists {
        for (at, source) in patterns.iter().enumerate() {
            match Pattern::of(source) {
                Err(error) => out.push((
                    format!(".{name}[{at}]"),
                    Flaw::Unreadable(format!("`{source}` is no pattern: {error}")),
                )),
                Ok(pattern) => {
                    let mut texts = examples.iter().chain((name == "affirm").then_some(&fact.text));
                    if !oracle.examples.is_empty()
                        && !texts.any(|text| pattern.regex.is_match(&super::doubt::plain(text)))
                    {
                        out.push((
                            format!(".{name}[{at}]"),
                            Flaw::Misreads(format!("`{source}` matches no example")),
                        ));
                    }
                }
            }
        }
        for (at, example) in examples.iter().enumerate() {
            let found = ruling(fact, example);
            if found != wanted {
                let message = format!("\"{example}\" is ruled {found:?}, not {wanted:?}");
                out.push((format!(".examples.{name}[{at}]"), Flaw::Misreads(message)));
            }
        }
    }
    if oracle.affirm.is_empty() || oracle.deny.is_empty() {
        out.push((String::new(), Flaw::Misreads("it needs both `affirm` and `deny`".to_owned())));
    }
    if !affirms(fact, &fact.text) {
        out.push((".affirm".to_owned(), Flaw::Misreads("the fact's own text is not affirmed".to_owned())));
    }
    out
}

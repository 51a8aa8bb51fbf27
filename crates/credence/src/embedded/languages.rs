//! First-person statements in Chinese, German, Spanish and French, by the patterns of `languages.tsv`; the statement stays in
//! the language of the turn and every name keeps its letters.

use std::sync::LazyLock;

use crate::extraction::CandidateMention;
use crate::proposition::MentionRole;
use crate::text::{Language, language};

use super::calibration::Rule;
use super::subject::person;

struct Pattern {
    language: &'static str,
    rule: Rule,
    opening: &'static str,
    closing: &'static str,
    rendering: &'static str,
    kind: &'static str,
    is_name: bool,
}

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let mut all: Vec<Pattern> = include_str!("languages.tsv")
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
        .filter_map(|line| {
            let mut f = line.split('\t');
            let mut next = || f.next().unwrap_or_default();
            let (language, rule, opening, closing, rendering, role, kind) =
                (next(), next(), next(), next(), next(), next(), next());
            let rule = Rule::parse(rule)?;
            Some(Pattern { language, rule, opening, closing, rendering, kind, is_name: role == "name" })
        })
        .collect();
    // The longest opening that fits is the most exact one.
    all.sort_by_key(|p| std::cmp::Reverse((p.opening.len(), p.closing.len())));
    all
});

/// One statement read by a pattern.
pub(super) struct Read {
    pub(super) text: String,
    pub(super) rule: Rule,
    pub(super) mentions: Vec<CandidateMention>,
    pub(super) quote: String,
}

/// What a sentence of another language states.
pub(super) enum Outcome {
    /// It is none of ours: plain English or a language without patterns.
    NotOurs,
    /// Statements, and the clauses that no pattern reads.
    Clauses(Vec<Read>, Vec<String>),
}

/// Words that betray a first or second person within an object, so that it cannot stand under another name.
const PERSONAL: [&str; 24] = [
    "ich", "mich", "mir", "mein", "meine", "meinem", "meinen", "meiner", "du", "dein", "yo", "mi", "mis",
    "t\u{fa}", "tu", "je", "j'ai", "mon", "ma", "mes", "moi", "me", "vous", "wir",
];

/// Memory requests in other languages; what follows is kept word for word.
const REQUESTS: [&str; 14] = [
    "\u{8bf7}\u{8bb0}\u{4f4f}",
    "\u{8bb0}\u{4f4f}",
    "Merk dir, dass",
    "Merk dir:",
    "Merke dir:",
    "Bitte merk dir:",
    "Recuerda que",
    "Por favor, recuerda que",
    "Souviens-toi que",
    "Retiens que",
    "Note que",
    "\u{417}\u{430}\u{43f}\u{43e}\u{43c}\u{43d}\u{438}:",
    "\u{417}\u{430}\u{43f}\u{43e}\u{43c}\u{43d}\u{438}, \u{447}\u{442}\u{43e}",
    "Lembre-se que",
];

/// What a memory request in another language asks to keep, without its closing mark.
pub(super) fn request(sentence: &str) -> Option<&str> {
    let rest = REQUESTS.iter().find_map(|r| sentence.strip_prefix(r))?;
    let rest = rest.trim_start_matches([':', '\u{ff1a}', ',', '\u{ff0c}', ' ']).trim();
    (rest.chars().any(char::is_alphanumeric)).then_some(rest)
}

/// Reads a sentence. `name` is how statements name the speaker.
pub(super) fn read(sentence: &str, name: &str) -> Outcome {
    let body = sentence.trim_end_matches(['.', '!', '\u{3002}', '\u{ff01}', ' ']);
    let wide = body.contains(['\u{ff0c}', '\u{3001}'])
        || body.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let clauses: Vec<&str> = if wide {
        body.split(['\u{ff0c}', '\u{ff1b}', ',']).map(str::trim).collect()
    } else {
        body.split(", ")
            .flat_map(|c| c.split(" und "))
            .flat_map(|c| c.split(" y "))
            .flat_map(|c| c.split(" et "))
            .map(str::trim)
            .collect()
    };
    let mut read = Vec::new();
    let mut unread = Vec::new();
    let mut ours = false;
    for (n, clause) in clauses.into_iter().filter(|c| !c.is_empty()).enumerate() {
        match one(clause, name, n > 0) {
            Some(r) => {
                ours = true;
                read.push(r);
            }
            None => unread.push(clause.to_owned()),
        }
    }
    if ours || wide { Outcome::Clauses(read, unread) } else { Outcome::NotOurs }
}

/// `later` clauses may leave their "I" out: "Ich wohne in Bonn und arbeite bei ...".
fn one(clause: &str, name: &str, later: bool) -> Option<Read> {
    let found = PATTERNS.iter().find_map(|p| {
        let short = later
            .then(|| ["Ich ", "Je ", "\u{6211}"].iter().find_map(|i| p.opening.strip_prefix(i)))
            .flatten();
        let (opening, rest) = strip_opening(clause, p.opening)
            .map(|rest| (p.opening, rest))
            .or_else(|| short.and_then(|o| strip_opening(clause, o).map(|rest| (o, rest))))?;
        let rest = rest.strip_suffix(p.closing)?.trim();
        let spaced = p.language != "zh";
        // A pattern that ends in a whole word needs a space behind it, unless the script has none.
        let clear = !spaced
            || opening.ends_with('\'')
            || strip_opening(clause, opening).is_some_and(|r| r.starts_with(' '));
        (clear && !rest.is_empty() && stands_alone(rest, spaced)).then_some((p, rest))
    })?;
    let (p, object) = found;
    let text = p.rendering.replace("{x}", object);
    let text = match p.language {
        "de" if name.ends_with(['s', 'x', 'z', '\u{df}']) => text.replace("{n}s ", "{n}' "),
        "fr" if name.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u', '\u{e9}']) => {
            text.replace("de {n}", "d'{n}")
        }
        _ => text,
    };
    let text = text.replace("{n}", name);
    let mut mentions = vec![person(name, MentionRole::Subject, true)];
    let span = if p.kind == "Topic" { topic(object) } else { object };
    if !span.is_empty() && (p.is_name || span.split_whitespace().count() <= 4) {
        mentions.push(CandidateMention {
            span: span.to_owned(),
            kind: p.kind.to_owned(),
            role: MentionRole::Object,
            is_speaker: false,
            suggested: None,
        });
    }
    Some(Read { text, rule: p.rule, mentions, quote: clause.to_owned() })
}

/// What a liking is about, without its article and without what says how much or how long: "keinen Techno mehr" is about
/// Techno, "la techno" about techno.
fn topic(object: &str) -> &str {
    const BEFORE: &str = "der die das den dem ein eine einen kein keine keinen le la les un une des du el los las una unos unas o os a as um \
        uma sehr muy très";
    const BEHIND: &str = "mehr nicht gern gerne sehr plus más mais mucho beaucoup";
    let is_of = |words: &str, word: &str| words.split_ascii_whitespace().any(|known| known == word);
    let mut topic = object.trim();
    while let Some((_, rest)) = topic.split_once(' ').filter(|(first, _)| is_of(BEFORE, first)) {
        topic = rest.trim_start();
    }
    while let Some((rest, _)) = topic.rsplit_once(' ').filter(|(_, last)| is_of(BEHIND, last)) {
        topic = rest.trim_end();
    }
    ["l'", "l\u{2019}"].iter().find_map(|article| topic.strip_prefix(article)).unwrap_or(topic)
}

/// The opening words, their first letter in either case.
fn strip_opening<'a>(clause: &'a str, opening: &str) -> Option<&'a str> {
    if let Some(rest) = clause.strip_prefix(opening) {
        return Some(rest);
    }
    let mut first = opening.chars();
    let lower: String = first.next()?.to_lowercase().chain(first).collect();
    clause.strip_prefix(lower.as_str())
}

fn stands_alone(object: &str, spaced: bool) -> bool {
    if spaced {
        let words: Vec<String> = object
            .split_whitespace()
            .map(|w| w.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
            .collect();
        words.len() <= 12 && !words.iter().any(|w| PERSONAL.contains(&w.as_str()))
    } else {
        object.chars().count() <= 24 && !object.contains(['\u{6211}', '\u{4f60}', '\u{60a8}', '\u{5417}'])
    }
}

/// Whether most letters are not Latin, so that the English rules need not try.
pub(super) fn is_foreign_script(text: &str) -> bool {
    let (mut latin, mut other) = (0, 0);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        if c.is_ascii() || ('\u{c0}'..='\u{24f}').contains(&c) {
            latin += 1;
        } else {
            other += 1;
        }
    }
    other > latin
}

/// Whether a Latin text can be English: German, French, Spanish or Portuguese by its function words is left to the patterns.
pub(super) fn may_be_english(text: &str) -> bool {
    matches!(language(text), Language::English)
}

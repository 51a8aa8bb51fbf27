//! Grounding: whether the turns that a candidate cites support it. A check of words, not of meaning: it catches what a model
//! invented, mixed in from its prompt, or took from the wrong speaker; it cannot judge an inference.
//!
//! Rules. The words must be a person's own: those of the cited turns and of the people's turns shortly before, where pronouns
//! point. The assistant's words count only when a person answers its question with something of their own, or says yes to
//! it (no, for a statement that denies). Every name and number must have been said where it may come from; a date must have
//! been said or be near enough to its turn that "yesterday" or "next month" means it. Content words must be there to the
//! share of `grounding_floor`. Where a language's numbers or word forms are not read, the check gives way rather than drop
//! what is true.

use std::collections::BTreeSet;

use chrono::{Datelike, NaiveDate};

use super::answer::{Answer, answer_of, questions};
use super::candidate::{Candidate, WindowTurn};
use crate::text::{self, Language, Particulars, Polarity};

/// Turns before a cited one where a pronoun's meaning is looked for.
const REACH: usize = 2;
/// Days around a turn within which a date may be what its relative words mean: a month of either length, and the rest of a
/// week.
const NEAR_DAYS: i64 = 38;

/// Whose words support a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// A person said it.
    Own,
    /// A person answered the assistant, or confirmed it.
    Answer,
    /// The assistant alone said it, and its turns alone are cited.
    Assistant,
}

/// Why a candidate is not supported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// The assistant's words would support it.
    pub by_assistant: bool,
    /// What is missing, in words for a person.
    pub detail: String,
}

/// Names that a statement may use without its turns saying them: speakers and known entities.
#[derive(Debug, Clone, Default)]
pub struct Ground {
    free: BTreeSet<String>,
    known_names: Vec<String>,
    known_terms: BTreeSet<String>,
}

/// The texts that a candidate is weighed against.
struct Source<'a> {
    /// Its words.
    said: Vec<&'a str>,
    /// Where names may come from besides.
    named: Vec<&'a str>,
    /// The days of the cited turns.
    days: Vec<NaiveDate>,
}

impl Ground {
    /// Starts from the window's speakers and the names that memory knows.
    pub fn new<'a>(window: &[WindowTurn], known_names: impl Iterator<Item = &'a str>) -> Self {
        let mut ground = Self::default();
        for turn in window {
            ground.free.extend(text::terms(&turn.speaker));
        }
        for name in known_names {
            ground.known_names.push(text::fold(name));
            // A known name is no claim; a known thing in lower case ("techno") still is.
            if name.chars().next().is_some_and(char::is_uppercase) {
                ground.known_terms.extend(text::content_terms(name));
            }
        }
        ground
    }

    /// Checks one candidate against its turns.
    ///
    /// # Errors
    /// What is not supported.
    pub fn check(
        &self,
        candidate: &Candidate,
        window: &[WindowTurn],
        floor: f64,
    ) -> Result<Support, Unsupported> {
        let cited: Vec<usize> = candidate.turns.iter().copied().filter(|n| *n < window.len()).collect();
        let people: Vec<usize> = cited.iter().copied().filter(|n| !window[*n].is_assistant).collect();
        let rests_on = if people.is_empty() { &cited } else { &people };
        let last = rests_on.iter().copied().max().unwrap_or_default();
        let near = |n: usize| rests_on.iter().any(|turn| (turn.saturating_sub(REACH)..=*turn).contains(&n));
        let texts = |wanted: &dyn Fn(usize, &WindowTurn) -> bool| -> Vec<&str> {
            window
                .iter()
                .enumerate()
                .filter(|(n, turn)| wanted(*n, turn))
                .map(|(_, turn)| turn.text.as_str())
                .collect()
        };
        let days = rests_on
            .iter()
            .filter_map(|n| NaiveDate::parse_from_str(&window[*n].date, "%Y-%m-%d").ok())
            .collect();
        let mut source = Source {
            said: texts(&|n, turn| near(n) && (people.is_empty() || !turn.is_assistant)),
            named: texts(&|n, turn| n <= last && (!turn.is_assistant || near(n))),
            days,
        };
        let weighed = self.weigh(candidate, &source, floor);
        if people.is_empty() {
            return match weighed {
                Ok(()) => Ok(Support::Assistant),
                Err(detail) => Err(Unsupported { by_assistant: false, detail }),
            };
        }
        // Earlier turns only complete what a cited one says: "ok" says nothing.
        let says_it =
            |turn: &WindowTurn| !turn.context_only && self.shares_a_word(&candidate.text, &turn.text);
        let failed = match weighed {
            Ok(()) if people.iter().any(|n| says_it(&window[*n])) => return Ok(Support::Own),
            Ok(()) => "the turns that it cites say nothing of it".to_owned(),
            Err(detail) => detail,
        };
        let mut asked: Vec<String> = Vec::new();
        for n in people.iter().copied().filter(|n| *n > 0 && window[*n - 1].is_assistant) {
            let before = &window[n - 1].text;
            match answer_of(&window[n].text) {
                Answer::Yes => asked.push(before.clone()),
                Answer::No if text::polarity(&candidate.text) != Polarity::Affirmed => {
                    asked.push(questions(before))
                }
                Answer::Own if self.shares_a_word(&candidate.text, &window[n].text) => {
                    asked.push(questions(before))
                }
                Answer::No | Answer::Own | Answer::Nothing => {}
            }
        }
        source.said.extend(asked.iter().map(String::as_str));
        if !asked.is_empty() && self.weigh(candidate, &source, floor).is_ok() {
            return Ok(Support::Answer);
        }
        source.said = texts(&|n, _| near(n));
        let heard = window.iter().enumerate().any(|(n, turn)| near(n) && turn.is_assistant);
        let by_assistant = heard && self.weigh(candidate, &source, floor).is_ok();
        Err(Unsupported { by_assistant, detail: failed })
    }

    /// `Err` says what the source lacks.
    fn weigh(&self, candidate: &Candidate, source: &Source<'_>, floor: f64) -> Result<(), String> {
        let said_text = source.said.join("\n");
        let claimed = Particulars::of(&candidate.text);
        let given = Particulars::of(&said_text);
        self.names(candidate, &claimed, source)?;
        numbers(&claimed, &given, &said_text, source)?;
        dates(&claimed, &given, source)?;

        let said: BTreeSet<String> = text::terms(&said_text).into_iter().collect();
        let content: Vec<String> = text::content_terms(&candidate.text)
            .into_iter()
            .filter(|term| !self.free.contains(term) && !self.known_terms.contains(term))
            .filter(|term| !term.chars().all(|c| c.is_numeric() || matches!(c, '-' | ':' | '.')))
            .collect();
        if content.is_empty() {
            return Ok(());
        }
        let has = |term: &String| said.contains(term) || near_word(term, &said);
        let supported = content.iter().filter(|term| has(term)).count();
        if supported as f64 >= floor * content.len() as f64 {
            return Ok(());
        }
        let missing: Vec<&str> = content.iter().filter(|t| !has(t)).map(String::as_str).take(4).collect();
        Err(format!(
            "{supported} of its {} words are in the turns it cites; missing: {}",
            content.len(),
            missing.join(", ")
        ))
    }

    /// Whether a turn has a word or number of the statement, so that others only complete it.
    fn shares_a_word(&self, statement: &str, turn: &str) -> bool {
        let said: BTreeSet<String> = text::content_terms(turn).into_iter().collect();
        let (claimed, given) = (Particulars::of(statement), Particulars::of(turn));
        let content: Vec<String> =
            text::content_terms(statement).into_iter().filter(|term| !self.free.contains(term)).collect();
        content.is_empty()
            || content.iter().any(|term| said.contains(term) || near_word(term, &said))
            || claimed.numbers.iter().any(|number| given.numbers.contains(number))
    }

    fn names(&self, candidate: &Candidate, claimed: &Particulars, source: &Source<'_>) -> Result<(), String> {
        let places: Vec<String> =
            source.named.iter().chain(&source.said).map(|text| text::fold(text)).collect();
        let language = text::language(&candidate.text);
        let inflects = language != Language::English;
        let is_known = |name: &str| {
            self.free.contains(name)
                || self.free.contains(&text::stem(name))
                || self.known_names.iter().any(|known| known.contains(name))
                || places.iter().any(|place| says(place, name, inflects))
        };
        // German writes every noun with a capital: there only mentions tell what a name is.
        let capitals = claimed
            .names
            .iter()
            .filter(|_| language != Language::German)
            // In a run without spaces ("Mara在青石科技上班") only the letters with a capital are a name.
            .flat_map(|name| name.split(|c: char| c.is_alphabetic() && !c.is_lowercase()))
            .filter(|name| !name.is_empty())
            .map(str::to_owned);
        let mentioned = candidate
            .mentions
            .iter()
            .filter(|m| !m.is_speaker && matches!(m.kind.as_str(), "Person" | "Organization" | "Place"))
            .flat_map(|m| m.span.split_whitespace())
            .filter(|word| word.chars().next().is_some_and(|c| c.is_uppercase() || !c.is_lowercase()))
            .map(|word| text::fold(word.trim_matches(|c: char| !c.is_alphanumeric())))
            .map(|word| word.strip_suffix("'s").map(str::to_owned).unwrap_or(word))
            .filter(|word| {
                !word.is_empty() && !text::is_stopword(word) && !word.chars().all(char::is_numeric)
            });
        match capitals.chain(mentioned).find(|name| !is_known(name)) {
            Some(name) => Err(format!("nobody in the window says `{name}`")),
            None => Ok(()),
        }
    }
}

/// Whether `place` says `name` as a word of its own, a case ending or two letters of it aside.
fn says(place: &str, name: &str, inflects: bool) -> bool {
    let alphabetic = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    // Scripts without cases write without spaces, or glue particles to names.
    let cased = name.chars().any(char::is_lowercase);
    if !cased {
        return place.contains(name);
    }
    let found = place.match_indices(name).any(|(at, _)| {
        let rest = place[at + name.len()..].chars().take_while(|c| c.is_alphabetic()).count();
        !alphabetic(place[..at].chars().next_back()) && rest <= if inflects { 3 } else { 2 }
    });
    found || inflects && place.split(|c: char| !c.is_alphabetic()).any(|word| same_stem(word, name))
}

/// Two forms of one name: three letters or more in common, and no more than three that differ at each end.
fn same_stem(a: &str, b: &str) -> bool {
    let common = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let rest = |word: &str| word.chars().count() - common;
    common >= 3 && rest(a) <= 3 && rest(b) <= 3 && common >= rest(a).max(rest(b))
}

/// The digits and decimal marks of a number, so that "$5" and "5 dollars" meet.
fn core(number: &str) -> &str {
    number.trim_matches(|c: char| !c.is_ascii_digit())
}

fn numbers(
    claimed: &Particulars,
    given: &Particulars,
    said: &str,
    source: &Source<'_>,
) -> Result<(), String> {
    let cores: BTreeSet<&str> =
        given.numbers.iter().map(|n| core(n)).chain(given.dates.iter().flat_map(|d| d.split('-'))).collect();
    let read_here = match text::language(said) {
        Language::German | Language::French | Language::Spanish | Language::Chinese => true,
        // What is taken for English may be any Latin language without small words that are known.
        Language::English => text::words(said).iter().any(|word| text::is_stopword(word)),
        _ => false,
    };
    let missing = claimed.numbers.iter().find(|number| {
        let number = core(number);
        let value: Option<i64> = number.parse().ok();
        let is_year = value.is_some_and(|year| near_year(year, &cores, source));
        // "Due" is two in Italian: a small number may stand there as a word that is not read.
        let unreadable = !read_here && value.is_some_and(|n| n <= 20);
        !(cores.contains(number) || is_year || unreadable)
    });
    match missing {
        Some(number) => Err(format!("the turns do not say {number}")),
        None => Ok(()),
    }
}

/// A year that relative words may mean: this one, the ones beside it, or as many away as a number of the source says.
fn near_year(year: i64, numbers: &BTreeSet<&str>, source: &Source<'_>) -> bool {
    source.days.iter().any(|day| {
        let away = (i64::from(day.year()) - year).abs();
        away <= 1 || numbers.contains(away.to_string().as_str())
    })
}

fn dates(claimed: &Particulars, given: &Particulars, source: &Source<'_>) -> Result<(), String> {
    let numbers: BTreeSet<&str> = given
        .numbers
        .iter()
        .map(|n| core(n))
        .chain(given.dates.iter().flat_map(|date| date.split(['-', '/', '.'])))
        .collect();
    // "ten weeks ago": a number was said, and it may lead far.
    let counted = |year: i64| !given.numbers.is_empty() && near_year(year, &numbers, source);
    let is_near = |date: &str| {
        let parts: Vec<i64> = date.split('-').filter_map(|part| part.parse().ok()).collect();
        match parts[..] {
            [year, _, _] => {
                let there = NaiveDate::parse_from_str(date, "%Y-%m-%d");
                let close = |day: &NaiveDate| there.is_ok_and(|d| (d - *day).num_days().abs() <= NEAR_DAYS);
                source.days.iter().any(close) || counted(year)
            }
            [year, _] => near_year(year, &numbers, source),
            _ => false,
        }
    };
    let missing = claimed.dates.iter().filter(|date| is_absolute(date)).find(|date| {
        let same = given.dates.iter().any(|there| text::compatible_dates(there, date));
        // "03/04/2019" and the like: the year was said, and the order of the rest is a matter of country.
        let year_said = date.get(..4).is_some_and(|year| {
            year.bytes().all(|b| b.is_ascii_digit())
                && given.dates.iter().any(|there| there.contains('/') && there.contains(year))
        });
        !(same || year_said || is_near(date))
    });
    match missing {
        Some(date) => Err(format!("the turns do not say {}", date.trim_start_matches('-'))),
        None => Ok(()),
    }
}

/// Days, months and clock times; what a weekday or "today" means is not checked.
fn is_absolute(date: &str) -> bool {
    !(date.starts_with("weekday:") || date.starts_with("day:") || date.starts_with("--"))
}

/// Forms that stemming leaves apart ("adopted", "adoption"): a common beginning of at least four letters and two thirds of
/// the shorter word.
fn near_word(term: &str, said: &BTreeSet<String>) -> bool {
    said.iter().any(|word| {
        let common = term.chars().zip(word.chars()).take_while(|(a, b)| a == b).count();
        let shorter = term.chars().count().min(word.chars().count());
        common >= 4 && common * 3 >= shorter * 2
    })
}

#[cfg(test)]
#[path = "ground_tests.rs"]
mod tests;

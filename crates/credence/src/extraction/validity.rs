//! When a statement holds: the dates that its words name, and those that a model gives, checked.
//!
//! Rules. A day is midnight where the turn was said. `valid_from` is a day that has come: what lies ahead is a plan, and a
//! plan is true already. `valid_to` lies ahead and is the end of its day: what ended before it was said ("lived there until
//! 2019") is history, and history stays true. A date that the turn cannot have meant is not taken, with a note.

use chrono::{Datelike, Days, NaiveDate};

use super::candidate::Candidate;
use crate::text::{self, Language};
use crate::time::{Moment, Timestamp};

/// A day, month or year that a text names, and its first and last day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    first: NaiveDate,
    last: NaiveDate,
}

impl Span {
    fn day(day: NaiveDate) -> Self {
        Self { first: day, last: day }
    }
    fn month(year: i32, month: u32) -> Option<Self> {
        let first = NaiveDate::from_ymd_opt(year, month, 1)?;
        let last = first.checked_add_months(chrono::Months::new(1))?.pred_opt()?;
        Some(Self { first, last })
    }
    fn year(year: i32) -> Option<Self> {
        Some(Self {
            first: NaiveDate::from_ymd_opt(year, 1, 1)?,
            last: NaiveDate::from_ymd_opt(year, 12, 31)?,
        })
    }
    /// `2026-03-08`, `2026-03`, `2026`, and an instant by its date.
    fn parse(text: &str) -> Option<Self> {
        let date = text.split(['T', ' ']).next()?;
        let numbers: Vec<u32> = date.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let year = |year: u32| i32::try_from(year).ok().filter(|year| (1..=9999).contains(year));
        match numbers[..] {
            [y, m, d] => NaiveDate::from_ymd_opt(year(y)?, m, d).map(Self::day),
            [y, m] => Self::month(year(y)?, m),
            [y] if date.len() == 4 => Self::year(year(y)?),
            _ => None,
        }
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Words before a date that end a time.
const ENDS: [&str; 10] =
    ["until", "till", "til", "through", "bis", "hasta", "jusqu'à", "jusqu'au", "até", "до"];
/// Words before a date that only lead up to it or measure from it.
const VAGUE: [&str; 12] =
    ["before", "after", "by", "of", "than", "vor", "nach", "antes", "después", "avant", "après", "around"];
/// Words before a bare year that make it one.
const YEARS: [&str; 13] =
    ["in", "since", "from", "until", "till", "through", "seit", "bis", "en", "desde", "depuis", "hasta", "с"];
/// Words that mean a day by its distance from the turn's own.
const RELATIVE: [(&str, i64); 23] = [
    ("today", 0),
    ("tonight", 0),
    ("yesterday", -1),
    ("heute", 0),
    ("gestern", -1),
    ("vorgestern", -2),
    ("hoy", 0),
    ("ayer", -1),
    ("anteayer", -2),
    ("aujourd'hui", 0),
    ("hier", -1),
    ("avant-hier", -2),
    ("oggi", 0),
    ("ieri", -1),
    ("hoje", 0),
    ("ontem", -1),
    ("сегодня", 0),
    ("вчера", -1),
    ("今天", 0),
    ("昨天", -1),
    ("前天", -2),
    ("今日", 0),
    ("昨日", -1),
];

/// Fills a candidate's validity from its own words where it has none. `at` is the moment of the turn that it rests on.
pub(super) fn fill(candidate: &mut Candidate, at: Moment) {
    let Some(today) = at.date() else { return };
    let (mut from, mut to) = (None, None);
    for (span, before) in spans(&candidate.text, today) {
        if ENDS.contains(&before.as_str()) {
            to = to.or(Some(span.last));
        } else if !VAGUE.contains(&before.as_str()) {
            from = from.or(Some(span.first));
        }
    }
    if candidate.valid_from.is_none() {
        candidate.valid_from = from.and_then(|day| begins(day, at));
    }
    if candidate.valid_to.is_none() {
        candidate.valid_to = to.and_then(|day| ends(day, at));
    }
    settle(candidate);
}

/// The dates of a text, each with the word before it.
fn spans(text: &str, today: NaiveDate) -> Vec<(Span, String)> {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| text::fold(word.trim_matches(|c: char| !c.is_alphanumeric())).replace('’', "'"))
        .collect();
    let at = |n: usize| words.get(n).map_or("", String::as_str);
    let number = |n: usize| at(n).trim_end_matches(|c: char| c.is_alphabetic()).parse::<u32>().ok();
    let mut found = Vec::new();
    for n in 0..words.len() {
        let before = n.checked_sub(1).map(at).unwrap_or_default().to_owned();
        let iso = at(n).len() == 10 && at(n).is_ascii();
        let span = if iso {
            Span::parse(at(n))
        } else if let Some(month) = MONTHS.iter().position(|name| *name == at(n)) {
            let month = u32::try_from(month + 1).unwrap_or(1);
            // "March 7, 2026", "7 March 2026", "March 2026".
            let year = |n: usize| number(n).filter(|_| at(n).len() == 4).and_then(|y| i32::try_from(y).ok());
            match (number(n + 1), year(n + 1), year(n + 2)) {
                (Some(day), None, Some(year)) => NaiveDate::from_ymd_opt(year, month, day).map(Span::day),
                (_, Some(year), _) => match n.checked_sub(1).and_then(number) {
                    Some(day) => NaiveDate::from_ymd_opt(year, month, day).map(Span::day),
                    None => Span::month(year, month),
                },
                _ => None,
            }
        } else if at(n).len() == 4 && YEARS.contains(&before.as_str()) {
            Span::parse(at(n))
        } else {
            // "Hier" is yesterday in French alone; in German it is here.
            let is_here = at(n) == "hier" && text::language(text) != Language::French;
            let moved =
                RELATIVE.iter().find(|(word, _)| !is_here && is_said(at(n), word)).map(|(_, days)| *days);
            moved.and_then(|days| today.checked_add_signed(chrono::TimeDelta::days(days))).map(Span::day)
        };
        found.extend(span.map(|span| (span, before)));
    }
    found
}

/// Whether the word is this one; in a run of a script without spaces, whether it is in it.
fn is_said(word: &str, wanted: &str) -> bool {
    word == wanted
        || (wanted.chars().all(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)) && word.contains(wanted))
}

/// Midnight of a day where the turn was said.
fn midnight(day: NaiveDate, at: Moment) -> Option<Timestamp> {
    let utc = day.and_hms_opt(0, 0, 0)?.and_utc().timestamp_millis();
    Some(Timestamp(utc).plus_ms(-i64::from(at.offset_minutes) * 60_000))
}

fn begins(day: NaiveDate, at: Moment) -> Option<Timestamp> {
    midnight(day, at).filter(|from| *from <= at.at)
}

fn ends(day: NaiveDate, at: Moment) -> Option<Timestamp> {
    midnight(day.checked_add_days(Days::new(1))?, at).filter(|to| *to > at.at)
}

/// An end before the beginning is no end.
fn settle(candidate: &mut Candidate) {
    if let (Some(from), Some(to)) = (candidate.valid_from, candidate.valid_to)
        && to < from
    {
        candidate.valid_to = None;
    }
}

/// Takes the dates that a model gives to a statement, as far as they can be right. `said` is the text of the turns that it
/// cites. What is not taken is told in `notes`.
pub(super) fn take(
    candidate: &mut Candidate,
    from: &str,
    to: &str,
    said: &str,
    at: Moment,
    notes: &mut Vec<String>,
) {
    let statement = text::excerpt(&candidate.text, 80);
    let mut refuse = |field: &str, date: &str, why: &str| {
        notes.push(format!("{field} `{}` of `{statement}` was left out: {why}", text::excerpt(date, 40)));
    };
    let is_given = |date: &str| {
        !matches!(
            text::fold(date.trim()).as_str(),
            "" | "null" | "none" | "unknown" | "n/a" | "present" | "now"
        )
    };
    for (field, date) in [("valid_from", from), ("valid_to", to)] {
        if !is_given(date) {
            continue;
        }
        let Some(span) = Span::parse(date.trim()) else {
            refuse(field, date, "it is no date");
            continue;
        };
        if !is_meant(span, said, at) {
            refuse(field, date, "the turns do not mean that time");
            continue;
        }
        if field == "valid_from" {
            candidate.valid_from = begins(span.first, at);
            if candidate.valid_from.is_none() {
                refuse(field, date, "it had not come when that was said");
            }
        } else {
            candidate.valid_to = ends(span.last, at);
            if candidate.valid_to.is_none() {
                refuse(field, date, "it had passed when that was said");
            }
        }
    }
    let before = candidate.valid_to;
    settle(candidate);
    if before != candidate.valid_to {
        refuse("valid_to", to, "it ends before it begins");
    }
}

/// Whether turns of that moment can mean a date: its year was said, or a number as many years away, or it lies within the
/// years beside.
fn is_meant(span: Span, said: &str, at: Moment) -> bool {
    let Some(today) = at.date() else { return false };
    let particulars = text::Particulars::of(said);
    let says = |wanted: i32| {
        let wanted = wanted.to_string();
        particulars.numbers.contains(&wanted) || said.contains(&wanted)
    };
    [span.first, span.last].iter().any(|day| {
        let away = (today.year() - day.year()).abs();
        away <= 1 || says(day.year()) || says(away)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposition::Extractor;

    fn candidate(text: &str) -> Candidate {
        Candidate {
            text: text.into(),
            mentions: vec![],
            confidence: 1.0,
            decay: 0.0,
            importance: 0.5,
            reasoning: String::new(),
            turns: vec![0],
            extractor: Extractor::Rules,
            valid_from: None,
            valid_to: None,
        }
    }

    /// Half past midnight in Singapore; in UTC it is still the day before.
    fn at() -> Moment {
        Moment { at: Timestamp::parse("2026-03-08T00:30:00+08:00").unwrap(), offset_minutes: 480 }
    }

    fn shown(candidate: &Candidate) -> (String, String) {
        let day = |t: Option<Timestamp>| {
            t.map(|t| Moment { at: t, offset_minutes: 480 }.to_rfc3339()).unwrap_or_default()
        };
        let cut = |t: String| t.strip_suffix("T00:00:00+08:00").map(str::to_owned).unwrap_or(t);
        (cut(day(candidate.valid_from)), cut(day(candidate.valid_to)))
    }

    #[test]
    fn dates_in_the_words_become_validity_in_the_turns_own_zone() {
        for (text, from, to) in [
            ("User finished the race on 2026-03-08.", "2026-03-08", ""),
            ("User finished the race on March 7, 2026.", "2026-03-07", ""),
            ("User moved to Bonn in February 2026.", "2026-02-01", ""),
            ("User has lived in Bonn since 2019.", "2019-01-01", ""),
            ("User is in Rome until 2026-03-13.", "", "2026-03-14"),
            ("User is in Rome until March 2026.", "", "2026-04-01"),
            ("User flies to Rome on 2026-04-01.", "", ""),
            ("User lived in Oslo until 2019.", "", ""),
            ("User worked there from 2018 until 2022.", "2018-01-01", ""),
            ("User met Ana the week before 2026-03-08.", "", ""),
            ("User watched Blade Runner 2049.", "", ""),
            ("User hat gestern das Rennen beendet.", "2026-03-07", ""),
            ("User昨天跑完了比赛。", "2026-03-07", ""),
            ("User hat hier einen Garten.", "", ""),
            ("User owns a kayak.", "", ""),
        ] {
            let mut c = candidate(text);
            fill(&mut c, at());
            assert_eq!(shown(&c), (from.to_owned(), to.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_models_dates_are_checked() {
        let take = |from: &str, to: &str, said: &str| {
            let (mut c, mut notes) = (candidate("x y"), Vec::new());
            take(&mut c, from, to, said, at(), &mut notes);
            (shown(&c), notes)
        };
        assert_eq!(take("2026-03-07", "", "yesterday").0, ("2026-03-07".into(), String::new()));
        assert_eq!(take("2019", "null", "since 2019").0, ("2019-01-01".into(), String::new()));
        assert_eq!(take("2021-03", "", "for five years").0.0, "2021-03-01");
        assert_eq!(
            take("2026-03-01T09:00:00Z", "2026-03-20", "this month").0,
            ("2026-03-01".into(), "2026-03-21".into())
        );
        for (from, to, said, why) in [
            ("soon", "", "soon", "no date"),
            ("2026-13-40", "", "x", "no date"),
            ("1999-01-01", "", "I like tea", "do not mean"),
            ("2026-04-01", "", "from April", "had not come"),
            ("", "2026-01-01", "until January", "had passed"),
        ] {
            let ((got_from, got_to), notes) = take(from, to, said);
            assert_eq!((got_from.as_str(), got_to.as_str()), ("", ""), "{from} {to}");
            assert!(notes.len() == 1 && notes[0].contains(why), "{notes:?}");
        }
    }
}

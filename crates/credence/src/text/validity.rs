//! When a statement says that it holds: "since 2019", "until 5 May 2024", "from 2015 to 2018", "used to".
//!
//! Read by markers and calendar words, in English, German, French, Spanish, Portuguese, Russian and Chinese; what is not
//! read stays open. Dates without a year are the last such day before the statement was made. Nobody knows when within a
//! year or month something ended, so "until 2020" ends where 2020 begins; a named day is included.

use chrono::{Datelike, Days, Months, NaiveDate};

use super::chars::fold;
use super::dates::{date_at, month};
use super::slot_foreign::{Unit, begins, units};
use super::slot_patterns;
use super::slot_shapes;
use super::stem::stem;
use super::words::words;

/// A stretch of days, its end excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// First day.
    pub from: NaiveDate,
    /// The day after the last.
    pub to: NaiveDate,
}

/// What a text says about when it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Validity {
    /// "since 2019": the first day.
    pub since: Option<NaiveDate>,
    /// "until 2020": the day it ends, itself excluded.
    pub until: Option<NaiveDate>,
    /// "in 2019", "on 8 May": the time that is named otherwise.
    pub at: Option<Period>,
    /// Whether it says that it is over: "used to", "formerly", "früher".
    pub ended: bool,
}

const SINCE: &[&str] = &["since", "seit", "ab", "depuis", "desde", "с", "自 从", "自", "从"];
const UNTIL: &[&str] = &[
    "until", "till", "up until", "bis", "jusqu'en", "jusqu'à", "jusqu'au", "hasta", "até", "до", "直 到",
    "到",
];
const FROM: &[&str] = &["from", "between", "von", "zwischen", "de", "du", "entre", "с", "从"];
const TO: &[&str] =
    &["to", "until", "till", "and", "bis", "und", "à", "au", "et", "a", "hasta", "y", "e", "до", "到", "至"];
const AT: &[&str] =
    &["back in", "in", "on", "around", "during", "im", "am", "en", "le", "el", "em", "в", "于", "在"];
/// Words between a marker and its date.
const FILLERS: &[&str] =
    &["the year", "the", "early", "late", "dem", "jahr", "jahre", "el año", "el", "l'année", "o ano"];

/// Reads a text that was said on a day.
pub fn validity(text: &str, said: NaiveDate) -> Validity {
    let units = units(text);
    let mut found = Validity { ended: is_ended(&units), ..Validity::default() };
    let mut at = 0;
    while at < units.len() {
        at += read_at(&units[at..], said, &mut found).unwrap_or(1).max(1);
    }
    found
}

/// Whether a text says that what it tells is over: "used to", "until 2020", "früher".
pub fn says_over(text: &str) -> bool {
    let found = validity(text, NaiveDate::default());
    found.ended || found.until.is_some()
}

/// Whether `past` says what `present` says, but that it is over: "used to play chess" against "plays chess". English
/// inflection alone is seen through; in other languages the words have to be the same.
pub fn same_but_over(past: &str, present: &str) -> bool {
    let ended = |word: &String| {
        word == "to"
            || slot_shapes::ENDED.contains(&word.as_str())
            || slot_patterns::ENDED.contains(&word.as_str())
    };
    let stems = |text: &str| -> Vec<String> {
        words(&fold(text)).into_iter().filter(|word| !ended(word)).map(|word| stem(&word)).collect()
    };
    let (was, is) = (stems(past), stems(present));
    !is.is_empty() && was == is && says_over(past) && !says_over(present)
}

fn is_ended(units: &[Unit]) -> bool {
    let english = units.windows(2).any(|pair| pair[0].folded == "used" && pair[1].folded == "to");
    let says =
        |words: &[&str]| (0..units.len()).any(|at| words.iter().any(|w| begins(w, &units[at..]).is_some()));
    let past: Vec<&str> = slot_shapes::ENDED.iter().copied().filter(|word| *word != "used").collect();
    english || says(&past) || says(slot_patterns::ENDED)
}

/// What begins here; how many units it takes.
fn read_at(units: &[Unit], said: NaiveDate, found: &mut Validity) -> Option<usize> {
    let marked = |markers: &[&str]| {
        let n = markers.iter().filter_map(|marker| begins(marker, units)).max()?;
        let filler = FILLERS.iter().filter_map(|filler| begins(filler, &units[n..])).max().unwrap_or(0);
        period(&units[n + filler..], said).map(|(period, m)| (period, n + filler + m))
    };
    if let Some((first, n)) = marked(FROM)
        && let Some(m) = TO.iter().filter_map(|to| begins(to, &units[n..])).max()
        && let Some((last, k)) = period(&units[n + m..], said)
    {
        found.since.get_or_insert(first.from);
        found.until.get_or_insert(end_of(last));
        return Some(n + m + k);
    }
    if let Some((period, n)) = marked(UNTIL) {
        found.until.get_or_insert(end_of(period));
        return Some(n);
    }
    if let Some((period, n)) = marked(SINCE) {
        found.since.get_or_insert(period.from);
        return Some(n);
    }
    if let Some((period, n)) = marked(AT) {
        found.at.get_or_insert(period);
        return Some(n);
    }
    // A date that no marker introduces: "2019年", "8 May 2023".
    let (period, n) = period(units, said).filter(|(_, n)| *n > 1 || units[0].folded.contains('-'))?;
    found.at.get_or_insert(period);
    Some(n)
}

fn end_of(period: Period) -> NaiveDate {
    let day = period.from.checked_add_days(Days::new(1)) == Some(period.to);
    if day { period.to } else { period.from }
}

/// The period that is named here, and how many units name it.
fn period(units: &[Unit], said: NaiveDate) -> Option<(Period, usize)> {
    let word = |n: usize| units.get(n).map_or("", |unit| unit.folded.as_str());
    let number =
        |n: usize, least: u32, most: u32| word(n).parse::<u32>().ok().filter(|v| (least..=most).contains(v));
    if let Some(year) =
        number(0, 1900, 2100).filter(|_| word(0).len() == 4).and_then(|y| i32::try_from(y).ok())
    {
        if word(1) != "年" {
            return year_of(year).map(|period| (period, 1));
        }
        if let Some(month) = number(2, 1, 12).filter(|_| word(3) == "月") {
            if let Some(day) = number(4, 1, 31).filter(|_| matches!(word(5), "日" | "号")) {
                return day_of(NaiveDate::from_ymd_opt(year, month, day)?).map(|period| (period, 6));
            }
            return month_of(year, month).map(|period| (period, 4));
        }
        return year_of(year).map(|period| (period, 2));
    }
    let folded: Vec<String> = units.iter().take(6).map(|unit| unit.folded.clone()).collect();
    let Some(dated) = date_at(&folded) else {
        // "May" and "März" are words as well; behind a marker they are months.
        let month = month(word(0))?;
        return month_of(if month > said.month() { said.year() - 1 } else { said.year() }, month)
            .map(|p| (p, 1));
    };
    let parts: Vec<&str> = dated.form.trim_start_matches("--").split('-').collect();
    let parsed: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let without_year = dated.form.starts_with("--");
    let period = match (without_year, parsed.as_slice()) {
        (false, [year, month, day]) => {
            day_of(NaiveDate::from_ymd_opt(i32::try_from(*year).ok()?, *month, *day)?)?
        }
        (false, [year, month]) => month_of(i32::try_from(*year).ok()?, *month)?,
        (true, [month, day]) => {
            let this_year = NaiveDate::from_ymd_opt(said.year(), *month, *day)?;
            day_of(if this_year > said { this_year.checked_sub_months(Months::new(12))? } else { this_year })?
        }
        (true, [month]) => {
            month_of(if *month > said.month() { said.year() - 1 } else { said.year() }, *month)?
        }
        _ => return None,
    };
    Some((period, dated.words))
}

fn day_of(day: NaiveDate) -> Option<Period> {
    Some(Period { from: day, to: day.checked_add_days(Days::new(1))? })
}

fn month_of(year: i32, month: u32) -> Option<Period> {
    let from = NaiveDate::from_ymd_opt(year, month, 1)?;
    Some(Period { from, to: from.checked_add_months(Months::new(1))? })
}

fn year_of(year: i32) -> Option<Period> {
    let from = NaiveDate::from_ymd_opt(year, 1, 1)?;
    Some(Period { from, to: from.checked_add_months(Months::new(12))? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, String, String, bool) {
        let found = validity(text, NaiveDate::from_ymd_opt(2026, 3, 8).unwrap());
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
        let at = found.at.map(|p| format!("{}..{}", p.from, p.to)).unwrap_or_default();
        (day(found.since), day(found.until), at, found.ended)
    }
    fn check(text: &str, since: &str, until: &str, at: &str, ended: bool) {
        assert_eq!(read(text), (since.into(), until.into(), at.into(), ended), "{text}");
    }

    #[test]
    fn english() {
        check("Nia has lived in Oslo since 2019", "2019-01-01", "", "", false);
        check("Nia lived in Bonn until 2020", "", "2020-01-01", "", false);
        check("Nia lives in Bonn until 5 May 2026", "", "2026-05-06", "", false);
        check("Nia worked at Acme from 2015 to 2018.", "2015-01-01", "2018-01-01", "", false);
        check("In 2019 Nia lived in Oslo", "", "", "2019-01-01..2020-01-01", false);
        check("Nia moved to Oslo in April 2023", "", "", "2023-04-01..2023-05-01", false);
        check("Nia moved to Oslo on 2023-04-02", "", "", "2023-04-02..2023-04-03", false);
        check("Nia moved to Oslo in May", "", "", "2025-05-01..2025-06-01", false);
        check("Nia used to live in Oslo", "", "", "", true);
        check("Nia lives in Oslo", "", "", "", false);
        check("Nia has 2019 stamps", "", "", "", false);
    }

    #[test]
    fn what_is_over_is_told_from_what_is() {
        assert!(same_but_over("Nia used to play chess.", "Nia plays chess"));
        assert!(same_but_over("Nia formerly worked at Acme", "Nia works at Acme"));
        assert!(!same_but_over("Nia used to play chess", "Nia plays the harp"));
        assert!(!same_but_over("Nia used to play chess", "Bo plays chess"));
        assert!(!same_but_over("Nia plays chess", "Nia used to play chess"));
    }

    #[test]
    fn other_languages() {
        check("Nia wohnt seit 2019 in Oslo", "2019-01-01", "", "", false);
        check("Nia wohnte bis 2020 in Bonn", "", "2020-01-01", "", false);
        check("Nia arbeitete von 2015 bis 2018 bei Acme", "2015-01-01", "2018-01-01", "", false);
        check("Nia hat früher in Oslo gewohnt", "", "", "", true);
        check("Nia habite à Oslo depuis 2019", "2019-01-01", "", "", false);
        check("Nia a vécu à Bonn jusqu'en 2020", "", "2020-01-01", "", false);
        check("Nia vive en Oslo desde mayo de 2019", "2019-05-01", "", "", false);
        check("Nia vivió en Bonn hasta 2020", "", "2020-01-01", "", false);
        check("Ния живёт в Осло с 2019 года", "2019-01-01", "", "", false);
        check("Ния жила в Бонне до 2020 года", "", "2020-01-01", "", false);
        check("Ния раньше жила в Осло", "", "", "", true);
        check("用户从2019年起住在柏林", "2019-01-01", "", "", false);
        check("用户从2015年到2018年住在柏林", "2015-01-01", "2018-01-01", "", false);
        check("2019年5月8日用户搬到柏林", "", "", "2019-05-08..2019-05-09", false);
        check("用户以前住在柏林", "", "", "", true);
    }
}

//! Time words that only make sense on the day they were said become dates: "yesterday" is "on 2023-05-07".

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

use super::lexicon::{Set, is};
use super::token::Tok;

/// Whether the clause looks back, forward or neither; decides what a bare weekday means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    Past,
    Present,
    Future,
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn month_year(day: NaiveDate) -> String {
    format!("{} {}", MONTHS[day.month0() as usize], day.year())
}

fn number(word: &str) -> Option<u32> {
    let words = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    match word {
        "a" | "an" => Some(1),
        _ => word
            .parse()
            .ok()
            .or_else(|| words.iter().position(|w| *w == word).and_then(|n| u32::try_from(n).ok())),
    }
}

fn weekday(word: &str) -> Option<Weekday> {
    if is(Set::Weekday, word) { word.get(..3)?.parse().ok() } else { None }
}

const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The day `weekday` before or after `day`, never `day` itself.
fn nearest(day: NaiveDate, weekday: Weekday, back: bool) -> Option<NaiveDate> {
    let gap = if back {
        (7 + day.weekday().num_days_from_monday() - weekday.num_days_from_monday()) % 7
    } else {
        (7 + weekday.num_days_from_monday() - day.weekday().num_days_from_monday()) % 7
    };
    let gap = Days::new(u64::from(if gap == 0 { 7 } else { gap }));
    if back { day.checked_sub_days(gap) } else { day.checked_add_days(gap) }
}

/// A time phrase of `len` tokens: the preposition that it needs and what it means.
struct Phrase {
    len: usize,
    preposition: &'static str,
    text: String,
}

fn phrase_at(tokens: &[Tok], i: usize, day: NaiveDate, tense: Tense) -> Option<Phrase> {
    let low = |k: usize| tokens.get(i + k).map_or("", |t| t.low.as_str());
    let make = |len, preposition, text: String| Some(Phrase { len, preposition, text });
    let on = |len, day: Option<NaiveDate>| Some(Phrase { len, preposition: "on", text: day?.to_string() });
    let (first, second) = (low(0), low(1));
    match first {
        "the" if second == "day" && low(2) == "before" && low(3) == "yesterday" => {
            on(4, day.checked_sub_days(Days::new(2)))
        }
        "the" if second == "day" && low(2) == "after" && low(3) == "tomorrow" => {
            on(4, day.checked_add_days(Days::new(2)))
        }
        "the" if second == "other" && matches!(low(2), "day" | "night" | "week") => {
            make(3, "", format!("shortly before {day}"))
        }
        "today" | "tonight" => on(1, Some(day)),
        "yesterday" | "tomorrow" => {
            let part = matches!(second, "morning" | "afternoon" | "evening" | "night");
            let moved = if first == "yesterday" { day.pred_opt() } else { day.succ_opt() };
            on(1 + usize::from(part), moved)
        }
        "last" | "past" if second == "night" => on(2, day.pred_opt()),
        "this" if matches!(second, "morning" | "afternoon" | "evening") => on(2, Some(day)),
        "this" | "last" | "next" | "past" => {
            let (back, forward) = (matches!(first, "last" | "past"), first == "next");
            let when = if back {
                "before"
            } else if forward {
                "after"
            } else {
                "of"
            };
            match second {
                "week" => make(2, "in", format!("the week {when} {day}")),
                "weekend" => make(2, "on", format!("the weekend {when} {day}")),
                "month" => {
                    let moved = match (back, forward) {
                        (true, _) => day.checked_sub_months(Months::new(1)),
                        (_, true) => day.checked_add_months(Months::new(1)),
                        _ => Some(day),
                    };
                    make(2, "in", month_year(moved?))
                }
                "year" => make(2, "in", (day.year() - i32::from(back) + i32::from(forward)).to_string()),
                "summer" | "winter" | "spring" | "fall" | "autumn" if !back => {
                    make(2, "in", format!("the {second} {} {day}", if forward { "after" } else { "of" }))
                }
                "summer" | "winter" | "spring" | "fall" | "autumn" => {
                    make(2, "in", format!("the {second} before {day}"))
                }
                _ => {
                    let named = weekday(second)?;
                    // "this Friday" and "next Friday" can be a week apart; only the past one is sure.
                    if back {
                        on(2, nearest(day, named, true))
                    } else {
                        let name = WEEKDAYS[named.num_days_from_monday() as usize];
                        make(2, "on", format!("the {}{name} after {day}", if forward { "next " } else { "" }))
                    }
                }
            }
        }
        "on" if weekday(second).is_some() && tense != Tense::Present => {
            on(2, nearest(day, weekday(second)?, tense == Tense::Past))
        }
        _ => ago(tokens, i, day),
    }
}

/// "two weeks ago", "a few years ago", "a couple of months ago".
fn ago(tokens: &[Tok], i: usize, day: NaiveDate) -> Option<Phrase> {
    let low = |k: usize| tokens.get(i + k).map_or("", |t| t.low.as_str());
    let vague = match (low(0), low(1), low(2)) {
        ("a", "couple", "of") => 3,
        ("a", "few" | "couple", _) => 2,
        ("some" | "several" | "many", ..) => 1,
        _ => 0,
    };
    let at = if vague > 0 { vague } else { 1 };
    if low(at + 1) != "ago" {
        return None;
    }
    let unit = low(at).trim_end_matches('s').to_owned();
    let len = at + 2;
    if vague > 0 {
        return matches!(unit.as_str(), "day" | "week" | "month" | "year").then(|| Phrase {
            len,
            preposition: "",
            text: format!("{} {} before {day}", if vague == 1 { low(0) } else { "a few" }, low(at)),
        });
    }
    let n = number(low(0))?;
    let (preposition, text) = match unit.as_str() {
        "day" => ("on", day.checked_sub_days(Days::new(u64::from(n)))?.to_string()),
        "weekend" => {
            ("on", format!("the weekend around {}", day.checked_sub_days(Days::new(7 * u64::from(n)))?))
        }
        "week" => ("around", day.checked_sub_days(Days::new(7 * u64::from(n)))?.to_string()),
        "month" => ("around", month_year(day.checked_sub_months(Months::new(n))?)),
        "year" => ("around", (day.year() - i32::try_from(n).ok()?).to_string()),
        _ => return None,
    };
    Some(Phrase { len, preposition, text })
}

/// What a run over the tokens did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Dated {
    /// A date was put in.
    pub(super) changed: bool,
    /// A time phrase stands in the clause, changed or not ("in 2019", "every day" do not count).
    pub(super) found: bool,
}

/// Replaces every relative time phrase by its date; `date` is the day of the turn as `YYYY-MM-DD`. Without a readable
/// date nothing changes.
pub(super) fn resolve(tokens: &mut Vec<Tok>, date: &str, tense: Tense) -> Dated {
    let mut done = Dated::default();
    let Ok(day) = NaiveDate::parse_from_str(date, "%Y-%m-%d") else { return done };
    let mut i = 0;
    while i < tokens.len() {
        let possessive = |k: usize| tokens.get(k).is_some_and(|t| t.is("'s"));
        let Some(found) = phrase_at(tokens, i, day, tense).filter(|p| !possessive(i + p.len)) else {
            i += 1;
            continue;
        };
        done = Dated { changed: true, found: true };
        // "since yesterday" keeps its own preposition, except those that a date reads oddly after.
        let before = i.checked_sub(1).and_then(|k| tokens.get(k)).map_or("", |t| t.low.as_str());
        let keeps = matches!(
            before,
            "since" | "from" | "until" | "till" | "by" | "before" | "after" | "for" | "to" | "of" | "than"
        );
        let drops =
            matches!(before, "on" | "in" | "over" | "during" | "around" | "back" | "about" | "roughly");
        if drops {
            tokens.remove(i - 1);
            i -= 1;
        }
        let mut words: Vec<Tok> = Vec::new();
        if !keeps && !found.preposition.is_empty() {
            words.push(Tok::word(found.preposition));
        }
        words.extend(found.text.split(' ').map(Tok::word));
        let put = words.len();
        let end = (i + found.len).min(tokens.len());
        tokens.splice(i..end, words);
        i += put;
    }
    done
}

#[cfg(test)]
mod tests {
    use super::super::token::{render, tokens};
    use super::*;

    #[test]
    fn relative_times_become_dates() {
        let check = |text: &str, tense, want: &str| {
            let mut t = tokens(text);
            resolve(&mut t, "2023-05-08", tense);
            assert_eq!(render(&t), want);
        };
        check("went there yesterday", Tense::Past, "went there on 2023-05-07");
        check("since yesterday", Tense::Past, "since 2023-05-07");
        check("saw it last Friday", Tense::Past, "saw it on 2023-05-05");
        check("on Monday", Tense::Past, "on 2023-05-01");
        check("on Monday", Tense::Future, "on 2023-05-15");
        check("on Mondays", Tense::Present, "on Mondays");
        check("two weeks ago", Tense::Past, "around 2023-04-24");
        check("a few years ago", Tense::Past, "a few years before 2023-05-08");
        check("last month in Rome", Tense::Past, "in April 2023 in Rome");
        check("over the weekend", Tense::Past, "over the weekend");
        check("next year", Tense::Future, "in 2024");
        check("last night's show", Tense::Past, "last night's show");
        check("today", Tense::Past, "on 2023-05-08");
        let mut t = tokens("yesterday");
        assert!(!resolve(&mut t, "", Tense::Past).changed);
    }
}

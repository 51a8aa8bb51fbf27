//! Calendar words and clock times inside a text, in a form that can be compared: `2023-05-08`, `--05-08` (no
//! year), `2023-05` (no day), `weekday:1` (Monday), `day:yesterday`, `time:15:00`. English, German, French,
//! Spanish, Portuguese and Russian names.
//!
//! Numeric dates whose order is a matter of country ("3/4/2024") stay as they are written.

use super::chars::fold;

const MONTHS: [&str; 12] = [
    "january jan januar janvier enero janeiro января январь январе",
    "february feb februar février fevrier febrero fevereiro февраля февраль феврале",
    "march mar märz mars marzo março марта март марте",
    "april apr avril abril апреля апрель апреле",
    "may mai mayo maio мая май мае",
    "june jun juni juin junio junho июня июнь июне",
    "july jul juli juillet julio julho июля июль июле",
    "august aug août aout agosto августа август августе",
    "september sep sept septembre septiembre setembro сентября сентябрь сентябре",
    "october oct oktober octobre octubre outubro октября октябрь октябре",
    "november nov novembre noviembre novembro ноября ноябрь ноябре",
    "december dec dezember décembre decembre diciembre dezembro декабря декабрь декабре",
];
const WEEKDAYS: [&str; 7] = [
    "monday mon montag lundi lunes понедельник",
    "tuesday tue dienstag mardi martes вторник",
    "wednesday wed mittwoch mercredi miércoles среда среду",
    "thursday thu donnerstag jeudi jueves четверг",
    "friday fri freitag vendredi viernes пятница пятницу",
    "saturday sat samstag samedi sábado суббота субботу",
    "sunday sun sonntag dimanche domingo воскресенье",
];
/// Names that are common words as well, and count only beside a number.
const ALSO_WORDS: [&str; 12] =
    ["may", "march", "mar", "mars", "mai", "mon", "sun", "sat", "wed", "dec", "jan", "mayo"];
const RELATIVE: [&str; 6] = ["yesterday", "tomorrow", "today", "tonight", "gestern", "morgen"];

fn position(table: &[&str], word: &str) -> Option<usize> {
    table.iter().position(|names| names.split(' ').any(|name| name == word))
}

/// The number of the month that a folded word names, from 1.
pub(super) fn month(word: &str) -> Option<u32> {
    position(&MONTHS, word).and_then(|n| u32::try_from(n + 1).ok())
}

/// Whether a folded word names a month.
pub(super) fn is_month(word: &str) -> bool {
    month(word).is_some()
}

/// Whether a folded word names a month or a weekday.
pub(super) fn is_calendar_word(word: &str) -> bool {
    is_month(word) || position(&WEEKDAYS, word).is_some()
}

/// What a run of words says about time, and how many words it takes.
pub(super) struct Dated {
    /// The comparable form.
    pub(super) form: String,
    /// Words consumed.
    pub(super) words: usize,
}

/// Reads a date or time at the start of `folded`, folded words without surrounding punctuation.
pub(super) fn date_at(folded: &[String]) -> Option<Dated> {
    let at = |i: usize| folded.get(i).map_or("", String::as_str);
    let dated = |form: String, words: usize| Some(Dated { form, words });
    if is_iso(at(0)) || is_slashed(at(0)) {
        return dated(at(0).to_owned(), 1);
    }
    if let Some((time, n)) = clock(at(0), at(1)) {
        return dated(time, n);
    }
    // "8 May 2023", "8th of May", "8. Mai 2023".
    if let Some(day) = day(at(0)) {
        let skip = 1 + usize::from(matches!(at(1), "of" | "de"));
        if let Some(month) = position(&MONTHS, at(skip)) {
            let skip_de = usize::from(at(skip + 1) == "de");
            return match year(at(skip + 1 + skip_de)) {
                Some(year) => dated(format!("{year}-{:02}-{day:02}", month + 1), skip + 2 + skip_de),
                None => dated(format!("--{:02}-{day:02}", month + 1), skip + 1),
            };
        }
    }
    if let Some(month) = position(&MONTHS, at(0)) {
        // "May 8, 2023", "May 2023", "May".
        if let Some(day) = day(at(1)) {
            return match year(at(2)) {
                Some(year) => dated(format!("{year}-{:02}-{day:02}", month + 1), 3),
                None => dated(format!("--{:02}-{day:02}", month + 1), 2),
            };
        }
        let of = usize::from(matches!(at(1), "of" | "de"));
        if let Some(year) = year(at(1 + of)) {
            return dated(format!("{year}-{:02}", month + 1), 2 + of);
        }
        return if ALSO_WORDS.contains(&at(0)) { None } else { dated(format!("--{:02}", month + 1), 1) };
    }
    if let Some(weekday) =
        position(&WEEKDAYS, at(0).trim_end_matches('s')).or_else(|| position(&WEEKDAYS, at(0)))
    {
        return if ALSO_WORDS.contains(&at(0)) { None } else { dated(format!("weekday:{}", weekday + 1), 1) };
    }
    if RELATIVE.contains(&at(0)) {
        return dated(format!("day:{}", at(0)), 1);
    }
    None
}

/// Whether two comparable forms may mean one day: equal, or one of them leaves the year or the day out, or the order of its
/// numbers is a matter of country.
pub(crate) fn compatible(a: &str, b: &str) -> bool {
    let covers = |vague: &str, exact: &str| match vague.strip_prefix("--") {
        Some(without_year) => exact.ends_with(&format!("-{without_year}")),
        None => exact.starts_with(&format!("{vague}-")),
    };
    let readings = |form: &str| match slashed_readings(form) {
        readings if readings.is_empty() => vec![form.to_owned()],
        readings => readings,
    };
    readings(a).iter().any(|a| readings(b).iter().any(|b| a == b || covers(a, b) || covers(b, a)))
}

/// What "5/3/1990" may mean, in comparable forms: the third of May and the fifth of March. None for what cannot be a day.
fn slashed_readings(form: &str) -> Vec<String> {
    let parts: Option<Vec<u32>> = form.split(['/', '.']).map(|part| part.parse().ok()).collect();
    let day = |year: u32, month: u32, day: u32| {
        ((1..=12).contains(&month) && (1..=31).contains(&day)).then(|| format!("{year}-{month:02}-{day:02}"))
    };
    match parts.as_deref() {
        Some([a, b, year @ 1000..=2999]) if is_slashed(form) => {
            [day(*year, *a, *b), day(*year, *b, *a)].into_iter().flatten().collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a text is a date, a time or a number and nothing else: "3 May 2026", "on Monday", "17:30", "12,5 %". A month or a
/// weekday that is a common word or a name as well ("May") is none by itself.
pub fn is_time_or_number(text: &str) -> bool {
    const AROUND: &str = "on in at of the since until from to by around about and early late mid last next this am um im \
        le el em de";
    let bare = |word: &str| fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words: Vec<String> = text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let (mut at, mut found) = (0, false);
    while at < words.len() {
        let number = words[at].chars().all(|c| c.is_numeric() || matches!(c, '.' | ',' | ':' | '/' | '-'));
        if let Some(dated) = date_at(&words[at..]) {
            at += dated.words.max(1);
            found = true;
        } else if number || AROUND.split_ascii_whitespace().any(|word| word == words[at]) {
            at += 1;
            found |= number;
        } else {
            return false;
        }
    }
    found
}

fn is_iso(word: &str) -> bool {
    let b = word.as_bytes();
    b.len() == 10
        && b.iter().enumerate().all(|(i, b)| if matches!(i, 4 | 7) { *b == b'-' } else { b.is_ascii_digit() })
}

fn is_slashed(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['/', '.']).collect();
    let short = |part: &&str| (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    (word.contains('/') && (2..=3).contains(&parts.len()) || parts.len() == 3) && parts.iter().all(short)
}

fn day(word: &str) -> Option<u32> {
    let number = ["st", "nd", "rd", "th", "."].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    number.parse().ok().filter(|day| number.len() <= 2 && (1..=31).contains(day))
}

fn year(word: &str) -> Option<u32> {
    word.parse().ok().filter(|year| word.len() == 4 && (1000..=2999).contains(year))
}

/// "12:30", "3pm", "3:15 p.m."
fn clock(word: &str, next: &str) -> Option<(String, usize)> {
    let half = |s: &str| match s.replace('.', "").as_str() {
        "am" => Some(0),
        "pm" => Some(12),
        _ => None,
    };
    let digits = word.trim_end_matches(|c: char| c.is_alphabetic() || c == '.');
    let (offset, words) = match half(&word[digits.len()..]) {
        Some(offset) => (Some(offset), 1),
        None if digits.len() == word.len() => (half(next), if half(next).is_some() { 2 } else { 1 }),
        None => return None,
    };
    let (hour, minute) = digits.split_once(':').unwrap_or((digits, ""));
    if minute.is_empty() && offset.is_none() {
        return None;
    }
    let hour: u32 = hour.parse().ok().filter(|hour| *hour < 25)?;
    let minute: u32 =
        if minute.is_empty() { 0 } else { minute.get(..2)?.parse().ok().filter(|minute| *minute < 60)? };
    let hour = offset.map_or(hour, |offset| hour % 12 + offset);
    Some((format!("time:{hour:02}:{minute:02}"), words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_date_in_many_shapes() {
        let check = |text: &str, form: &str, n: usize| {
            let words: Vec<String> = text.split(' ').map(fold).collect();
            let dated = date_at(&words).unwrap_or_else(|| panic!("{text} is a date"));
            assert_eq!((dated.form.as_str(), dated.words), (form, n), "{text}");
        };
        for text in ["8 May 2023", "May 8 2023", "8th May 2023", "8. Mai 2023", "8 mai 2023"] {
            check(text, "2023-05-08", 3);
        }
        check("8 de mayo de 2023", "2023-05-08", 5);
        check("2023-05-08", "2023-05-08", 1);
        check("May 8", "--05-08", 2);
        check("June 2023", "2023-06", 2);
        check("mayo de 2019", "2019-05", 3);
        check("Fridays off", "weekday:5", 1);
        check("3pm", "time:15:00", 1);
        check("3:15 p.m.", "time:15:15", 2);
        check("12:30", "time:12:30", 1);
        check("yesterday", "day:yesterday", 1);
        assert!(compatible("--05-08", "1990-05-08") && compatible("1990-05-08", "1990-05"));
        assert!(!compatible("--05-08", "1990-05-09") && !compatible("1990-05-08", "1991-05-08"));
        assert!(compatible("5/3/1990", "1990-05-03") && compatible("1990-03-05", "5/3/1990"));
        assert!(compatible("3.5.1990", "--05-03") && !compatible("13/3/1990", "1990-03-12"));
        for text in
            ["2026-11-30", "May 3, 2026", "3 May", "on Monday", "5 pm", "17:30", "42", "1,5", "10/10/2020"]
        {
            assert!(is_time_or_number(text), "{text}");
        }
        for text in
            ["May", "March on Rome", "Area 51", "5 cats", "Friday Harbor", "", "the", "Oslo", "三月花"]
        {
            assert!(!is_time_or_number(text), "{text}");
        }
        for text in ["may go", "march on", "34", "Oslo", "3.5", "12 cats"] {
            assert!(date_at(&text.split(' ').map(fold).collect::<Vec<_>>()).is_none(), "{text}");
        }
    }
}

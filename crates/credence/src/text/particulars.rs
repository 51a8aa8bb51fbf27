//! The particulars of a text: its numbers, dates and names. Two texts that differ in one of them are never
//! the same statement, however near their vectors are ("has 2 cats", "has 3 cats").

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::canonical::canonical;
use super::chars::{digit, fold, is_currency, is_unspaced};
use super::comparable::ComparableText;
use super::dates::{date_at, is_calendar_word};
use super::language::is_stopword;
use super::negation::Polarity;
use super::sentences::sentences;
use super::stem::stem;
use super::words::terms;

/// Numbers, dates and names of one text, comparable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Particulars {
    /// Numbers in a normal form: "1,000" and "1000", "two" and "2" meet; sign, decimals, currency and percent
    /// stay.
    pub numbers: BTreeSet<String>,
    /// Dates and times, in the forms of `2023-05-08`, `--05-08`, `weekday:1`, `time:15:00`.
    pub dates: BTreeSet<String>,
    /// The unit behind a number, by the number: "5 km" and "5 kilometres" meet, "5 miles" does not.
    pub units: BTreeMap<String, &'static str>,
    /// Capitalised words, folded, without possessive. A sentence's first word counts when it is no common
    /// word.
    pub names: BTreeSet<String>,
    /// Every term of the text: a name of the other text that is here without its capital is no difference.
    terms: BTreeSet<String>,
}

/// In what two texts differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// A number.
    Number,
    /// The unit of a number.
    Unit,
    /// A date or time.
    Date,
    /// A name.
    Name,
    /// One denies.
    Polarity,
    /// They exclude each other.
    Opposition,
}

/// Why two texts are not the same statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// In what.
    pub kind: DifferenceKind,
    /// The reason in words for a person.
    pub reason: String,
}

/// Number words of English, German, French, Spanish, Portuguese and Russian. "One" and its kin are left out: they are articles and
/// pronouns too.
pub(super) const NUMBER_WORDS: [(&str, u32); 65] = [
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("twice", 2),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("fünf", 5),
    ("sechs", 6),
    ("sieben", 7),
    ("acht", 8),
    ("neun", 9),
    ("zehn", 10),
    ("deux", 2),
    ("trois", 3),
    ("quatre", 4),
    ("cinq", 5),
    ("dos", 2),
    ("tres", 3),
    ("cuatro", 4),
    ("cinco", 5),
    ("siete", 7),
    ("ocho", 8),
    ("nueve", 9),
    ("dois", 2),
    ("duas", 2),
    ("três", 3),
    ("quatro", 4),
    ("sete", 7),
    ("oito", 8),
    ("nove", 9),
    ("dez", 10),
    ("два", 2),
    ("две", 2),
    ("три", 3),
    ("четыре", 4),
    ("пять", 5),
    ("шесть", 6),
    ("семь", 7),
    ("восемь", 8),
    ("девять", 9),
    ("десять", 10),
];
/// Units, each with its names as they are written, the sign first. Chosen by us: what people measure in talk.
const UNITS: [&str; 29] = [
    "mm millimetre millimetres millimeter millimeters мм 毫米",
    "cm centimetre centimetres centimeter centimeters zentimeter centimètres centímetros см 厘米",
    "km kilometre kilometres kilometer kilometers kilomètres kilómetros quilômetros км километров 公里 千米",
    "m metre metres meter meters mètres metros метров м 米",
    "mi mile miles meile meilen milles millas milhas миль 英里",
    "ft foot feet fuß fuss pieds pies pés футов 英尺",
    "in inch inches zoll pouces pulgadas дюймов 英寸",
    "kg kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos кг килограммов 公斤 千克",
    "g gram grams gramm grammes gramos gramas грамм г 克",
    "lb lbs pound pounds pfund livres libras фунтов 磅",
    "oz ounce ounces unzen onces onzas",
    "l litre litres liter liters litros литров л 升",
    "ml millilitre millilitres milliliter milliliters мл 毫升",
    "s second seconds sekunden secondes segundos секунд 秒",
    "min minute minutes minuten minutos минут 分钟",
    "h hour hours stunde stunden heure heures horas hora часов часа 小时",
    "d day days tag tage jours días dias дней дня 天",
    "w week weeks woche wochen semaine semaines semanas недель недели 周",
    "mo month months monat monate mois meses месяцев месяца 个月",
    "y year years jahr jahre ans années años anos лет года 年 岁",
    "°c celsius",
    "°f fahrenheit",
    "eur euro euros евро 欧元",
    "usd dollar dollars dólares долларов 美元",
    "gbp sterling",
    "rub рублей рубля",
    "cny yuan 元 人民币",
    "jpy yen 日元",
    "% percent prozent процентов",
];
const HAN_NUMBERS: [(char, u32); 11] = [
    ('两', 2),
    ('二', 2),
    ('三', 3),
    ('四', 4),
    ('五', 5),
    ('六', 6),
    ('七', 7),
    ('八', 8),
    ('九', 9),
    ('十', 10),
    ('百', 100),
];

impl Particulars {
    /// Reads a text's particulars.
    pub fn of(text: &str) -> Self {
        let mut found = Self { terms: terms(text).into_iter().collect(), ..Self::default() };
        for sentence in sentences(text) {
            let words: Vec<&str> =
                sentence.split_whitespace().map(trim).filter(|word| !word.is_empty()).collect();
            let folded: Vec<String> = words.iter().map(|word| fold(word).replace('’', "'")).collect();
            let mut at = 0;
            while at < words.len() {
                if let Some(dated) = date_at(&folded[at..]) {
                    found.dates.insert(dated.form);
                    at += dated.words.max(1);
                    continue;
                }
                found.read_word(words[at], &folded[at], at == 0);
                if let Some((number, unit)) = measure(words[at], folded.get(at + 1)) {
                    found.units.insert(number, unit);
                }
                at += 1;
            }
        }
        found
    }

    fn read_word(&mut self, word: &str, folded: &str, first: bool) {
        // A run of a script without spaces holds its numbers inside: "有2只猫".
        if word.contains(is_unspaced) {
            for run in word.split(|c: char| digit(c).is_none() && c != '.').filter_map(number) {
                self.numbers.insert(run.trim_matches('.').to_owned());
            }
        } else if let Some(number) = number(word) {
            self.numbers.insert(number);
            return;
        }
        if let Some((_, value)) = NUMBER_WORDS.iter().find(|(name, _)| *name == folded) {
            self.numbers.insert(value.to_string());
            return;
        }
        for (_, value) in HAN_NUMBERS.iter().filter(|(c, _)| word.contains(*c)) {
            self.numbers.insert(value.to_string());
        }
        let bare = folded.strip_suffix("'s").unwrap_or(folded);
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        let common = is_stopword(bare)
            || is_calendar_word(bare)
            || bare.starts_with("i'")
            || (first && is_common_opening(bare));
        if capital && !common {
            self.names.insert(bare.to_owned());
        }
    }

    /// The first difference in numbers, units, dates or names, or `None`.
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        let other_unit = |(number, unit): (&String, &&'static str)| {
            let there = other.units.get(number).filter(|there| *there != unit)?;
            Some(format!("units differ: {number} {unit} / {number} {there}"))
        };
        if let Some(reason) = self.units.iter().find_map(other_unit) {
            return Some(Difference { kind: DifferenceKind::Unit, reason });
        }
        let sets = [
            (DifferenceKind::Number, &self.numbers, &other.numbers),
            (DifferenceKind::Date, &self.dates, &other.dates),
        ];
        for (kind, ours, theirs) in sets {
            if ours != theirs {
                return Some(Difference { kind, reason: differs(kind, ours, theirs) });
            }
        }
        let strange = |names: &BTreeSet<String>, there: &Self| -> BTreeSet<String> {
            names
                .iter()
                .filter(|name| !there.names.contains(*name) && !there.mentions(name))
                .cloned()
                .collect()
        };
        let (ours, theirs) = (strange(&self.names, other), strange(&other.names, self));
        (!ours.is_empty() || !theirs.is_empty()).then(|| Difference {
            kind: DifferenceKind::Name,
            reason: differs(DifferenceKind::Name, &ours, &theirs),
        })
    }

    fn mentions(&self, name: &str) -> bool {
        terms(name).iter().all(|term| self.terms.contains(term))
    }
}

/// A number and the unit that is glued to it, follows it, or stands behind it in the same run.
fn measure(word: &str, next: Option<&String>) -> Option<(String, &'static str)> {
    let start = word.find(|c: char| digit(c).is_some())?;
    let value = &word[start..];
    let length = value.find(|c: char| digit(c).is_none() && !matches!(c, '.' | ',')).unwrap_or(value.len());
    let (value, glued) = value.split_at(length);
    let glued = fold(glued);
    let unit = if glued.is_empty() { unit(next?) } else { unit(&glued).or_else(|| unit_at_start(&glued)) };
    Some((number(value.trim_matches(['.', ',']))?, unit?))
}

/// What a word counts in, by the first of its names.
pub(super) fn unit(word: &str) -> Option<&'static str> {
    UNITS
        .iter()
        .find(|names| names.split(' ').any(|name| name == word))
        .and_then(|names| names.split(' ').next())
}

/// The unit that a run without spaces goes on with: "公里的路".
fn unit_at_start(run: &str) -> Option<&'static str> {
    let first = run.chars().next().filter(|c| is_unspaced(*c))?;
    let names = |names: &&&str| names.split(' ').any(|name| name.starts_with(first) && run.starts_with(name));
    UNITS.iter().find(names).and_then(|names| names.split(' ').next())
}

/// Whether two texts are the same word for word but for how they write dates and numbers: "two dogs" and "2 dogs",
/// "3 May 2026" and "2026-05-03".
pub fn same_but_written(a: &str, b: &str) -> bool {
    ComparableText::new(a).is_the_same_but_written(&ComparableText::new(b))
}

/// The words of a text, its dates and numbers in one form.
pub(super) fn written_alike(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let folded: Vec<String> = words.iter().map(|word| fold(trim(word)).replace('’', "'")).collect();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < words.len() {
        if let Some(dated) = date_at(&folded[at..]) {
            out.push(dated.form);
            at += dated.words.max(1);
            continue;
        }
        let number = NUMBER_WORDS.iter().find(|(name, _)| *name == folded[at]);
        let word = number.map_or_else(|| canonical(words[at]), |(_, value)| value.to_string());
        if !word.is_empty() {
            out.push(word);
        }
        at += 1;
    }
    out
}

/// "Ivo loves Ana" and "Ana loves Ivo": the same words, the names in another order, and none of them joined by "and".
fn names_swapped(a: &ComparableText, b: &ComparableText) -> bool {
    const JOINING: &str = "and und et y e и with mit avec con com both each beide 和 与";
    let (ours, theirs) = (a.written(), b.written());
    let sorted = |words: &[String]| {
        let mut words = words.to_vec();
        words.sort();
        words
    };
    let (there, here) = (&b.particulars().names, &a.particulars().names);
    let order = |words: &[String]| -> Vec<String> {
        let bare = |word: &String| word.strip_suffix(" 's").unwrap_or(word).to_owned();
        let name = |word: &String| {
            here.contains(word) || there.contains(word) || PERSON_WORDS.contains(&word.as_str())
        };
        words.iter().map(bare).filter(name).collect()
    };
    ours != theirs
        && !ours.iter().any(|word| JOINING.split_ascii_whitespace().any(|joining| joining == word))
        && sorted(ours) == sorted(theirs)
        && order(ours) != order(theirs)
}

/// Words that stand for a person as a name does.
const PERSON_WORDS: [&str; 2] = ["user", "assistant"];

/// Why two texts cannot be one statement, as far as words tell: numbers, dates, names, denial, opposites. It
/// is the guard of every merge that rests on similar vectors. `None` does not mean that they are the same.
pub fn difference(a: &str, b: &str) -> Option<Difference> {
    ComparableText::new(a).difference(&ComparableText::new(b))
}

impl ComparableText {
    /// As [`difference`] has it.
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        if let Some(found) = self.particulars().difference(other.particulars()) {
            return Some(found);
        }
        if names_swapped(self, other) {
            let reason = "the names stand in another order".into();
            return Some(Difference { kind: DifferenceKind::Name, reason });
        }
        let (ours, theirs) = (self.polarity(), other.polarity());
        let read = ours != Polarity::Unknown && theirs != Polarity::Unknown;
        if (read && ours != theirs) || self.marks_denial() != other.marks_denial() {
            let reason = "one of the two denies".into();
            return Some(Difference { kind: DifferenceKind::Polarity, reason });
        }
        let opposed = self.opposes(other)?;
        Some(Difference { kind: DifferenceKind::Opposition, reason: opposed.reason })
    }
}

fn differs(kind: DifferenceKind, ours: &BTreeSet<String>, theirs: &BTreeSet<String>) -> String {
    let what = match kind {
        DifferenceKind::Number => "numbers",
        DifferenceKind::Date => "dates",
        _ => "names",
    };
    let list = |set: &BTreeSet<String>| {
        if set.is_empty() {
            "none".to_owned()
        } else {
            set.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
        }
    };
    format!("{what} differ: {} / {}", list(ours), list(theirs))
}

/// The word without the punctuation around it; a sign or currency mark before a number stays.
fn trim(word: &str) -> &str {
    let value = |c: char| is_currency(c) || c == '%';
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric() && !value(c));
    word.trim_start_matches(|c: char| !c.is_alphanumeric() && !value(c) && !matches!(c, '-' | '−' | '+'))
}

/// A number in normal form, with the sign and the unit glued to it: `-5`, `3.5`, `1000`, `$5`, `5%`, `5km`.
fn number(word: &str) -> Option<String> {
    let mut out = String::with_capacity(word.len());
    let mut any = false;
    let chars: Vec<char> = word.chars().collect();
    for (i, &c) in chars.iter().enumerate() {
        match digit(c) {
            Some(value) => {
                any = true;
                out.extend(char::from_digit(value, 10));
            }
            None if c == ',' && chars[i + 1..].iter().take_while(|c| digit(**c).is_some()).count() == 3 => {}
            None if c == '−' => out.push('-'),
            None => out.extend(c.to_lowercase()),
        }
    }
    any.then_some(out)
}

/// Words that open sentences and name nobody, beyond the stop words.
fn is_common_opening(folded: &str) -> bool {
    const OPENINGS: &str = "user users people someone today yesterday tomorrow yeah sure thanks sorry maybe perhaps night day work \
        working last next every each many much several another both either first second finally currently recently usually \
        sometimes often never always please remember";
    OPENINGS.split_ascii_whitespace().any(|word| word == folded || stem(word) == stem(folded))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(a: &str, b: &str) -> Option<DifferenceKind> {
        let (there, back) = (difference(a, b), difference(b, a));
        assert_eq!(there.as_ref().map(|d| d.kind), back.as_ref().map(|d| d.kind), "{a} / {b}");
        there.map(|d| d.kind)
    }

    #[test]
    fn numbers_dates_names_and_denial_keep_statements_apart() {
        use DifferenceKind::*;
        for (a, b, expected) in [
            ("Pia has 2 cats", "Pia has 3 cats", Some(Number)),
            ("Pia has two cats", "Pia has 2 cats", None),
            ("It cost $1,000", "It cost $1000", None),
            ("It cost $5", "It cost €5", Some(Number)),
            ("用户有两只猫", "用户有三只猫", Some(Number)),
            ("用户有2只猫", "用户有3只猫", Some(Number)),
            ("用户有2只猫", "用户养了2只猫", None),
            ("Pia ran 5 km", "Pia ran 5 miles", Some(Unit)),
            ("Pia ran 5 km", "Pia ran 5 kilometres", None),
            ("Pia wiegt 60 kg", "Pia wiegt 60 Pfund", Some(Unit)),
            ("用户跑了5公里", "用户跑了5英里", Some(Unit)),
            ("Ния пробежала 5 км", "Ния пробежала 5 миль", Some(Unit)),
            ("Ния родилась 8 мая", "Ния родилась 9 мая", Some(Date)),
            ("У Нии два кота", "У Нии три кота", Some(Number)),
            ("ピアは茶が好きです", "ピアは茶が好きではない", Some(Polarity)),
            ("피아는 고기를 먹는다", "피아는 고기를 먹지 않는다", Some(Polarity)),
            ("Pia mangia carne", "Pia non mangia carne", Some(Polarity)),
            ("Pia was born on 8 May 1990", "Pia was born on May 8, 1990", None),
            ("Pia was born on 8 May 1990", "Pia was born on 9 May 1990", Some(Date)),
            ("The meeting is on Monday", "The meeting is on Tuesday", Some(Date)),
            ("The call is at 3pm", "The call is at 15:00", None),
            ("Pia knows Bo", "Pia knows Cy", Some(Name)),
            ("Pia loves tea", "Bo loves tea", Some(Name)),
            ("Ivo loves Ana", "Ana loves Ivo", Some(Name)),
            ("User loves Ana", "Ana loves User", Some(Name)),
            ("Ivo and Ana are married", "Ana and Ivo are married", None),
            ("In Rome Ivo met Ana", "In Rome Ivo met Ana.", None),
            ("Tea is loved by Pia", "Pia loves tea", None),
            ("The user loves tea", "User is fond of tea", None),
            ("Night deploys are allowed", "Night deploys are not allowed", Some(Polarity)),
            ("Pia loves tea", "Pia hates tea", Some(Opposition)),
            ("Iphone 14 is old", "Iphone 15 is old", Some(Number)),
        ] {
            assert_eq!(kind(a, b), expected, "{a} / {b}");
        }
    }

    #[test]
    fn dates_and_numbers_are_written_in_many_ways() {
        for (a, b) in [
            ("User has two dogs.", "User has 2 dogs"),
            ("The flight is on 3 May 2026.", "The flight is on 2026-05-03"),
            ("The flight is on May 3, 2026", "the flight is on 3rd of May 2026!"),
            ("Der Flug geht am 3. Mai 2026", "Der Flug geht am 2026-05-03"),
            ("User hat zwei Hunde", "User hat 2 Hunde"),
            ("The call is at 3pm", "The call is at 15:00"),
        ] {
            assert!(same_but_written(a, b), "{a} / {b}");
        }
        for (a, b) in [
            ("User has two dogs.", "User has 3 dogs"),
            ("Pia likes C++", "Pia likes C"),
            ("It is -5 degrees", "It is 5 degrees"),
            ("The flight is on 3 May", "The flight is on 3 May 2026"),
            ("用户有两只猫", "用户有三只猫"),
        ] {
            assert!(!same_but_written(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn the_reason_names_what_differs() {
        let found = difference("Pia has 2 cats", "Pia has 3 cats").unwrap();
        assert_eq!(found.reason, "numbers differ: 2 / 3");
        let found = difference("Pia knows Bo", "Pia knows Cy").unwrap();
        assert_eq!(found.reason, "names differ: bo / cy");
    }
}

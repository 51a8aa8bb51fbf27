//! Plain statements in German, French, Spanish, Portuguese, Russian and Chinese as subject, relation and value, by the
//! patterns of [`super::slot_patterns`].
//!
//! What fits no pattern is not read; nothing is guessed. The language is that of the pattern, so a sentence of proper names
//! alone needs no guess. Values keep their letters: inflected names are compared with that in mind.

use super::chars::is_han;
use super::dates::date_at;
use super::fold;
use super::slot::{Held, Slot};
use super::slot_patterns::{ADVERBS, BEFORE_TIME, ENDED, HEDGES, PRONOUNS, ROWS, Row, VALUE_ENDS};

/// A word, or one Han character, with where it stands.
pub(super) struct Unit {
    start: usize,
    end: usize,
    pub(super) folded: String,
}

/// Reads a statement by the patterns; `None` where none fits.
pub(super) fn read(text: &str) -> Option<Slot> {
    let text = text.trim().trim_end_matches(['.', '!', '。', '！']);
    if text.contains(['?', '？', ';', '；', ':', '：', '\n', '。', '，']) {
        return None;
    }
    let mut units = units(text);
    if find(HEDGES, &units).is_some() {
        return None;
    }
    while let Some((at, n)) = find(ADVERBS, &units) {
        units.drain(at..at + n);
    }
    let mut ended = false;
    while let Some((at, n)) = find(ENDED, &units) {
        units.drain(at..at + n);
        ended = true;
    }
    ROWS.iter().find_map(|row| fit(row, text, &units, ended))
}

pub(super) fn units(text: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut open = false;
    for (start, c) in text.char_indices() {
        let end = start + c.len_utf8();
        if c.is_whitespace() {
            open = false;
        } else if is_han(c) || !open {
            units.push(Unit { start, end, folded: String::new() });
            open = !is_han(c);
        } else if let Some(last) = units.last_mut() {
            last.end = end;
        }
    }
    let edge = |c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#');
    for unit in &mut units {
        unit.folded = fold(text[unit.start..unit.end].trim_matches(edge)).replace('’', "'");
    }
    units.retain(|unit| !unit.folded.is_empty());
    units
}

/// Whether the units begin with a phrase; its length.
pub(super) fn begins(phrase: &str, units: &[Unit]) -> Option<usize> {
    let mut n = 0;
    for word in phrase.split(' ').filter(|word| !word.is_empty()) {
        if units.get(n)?.folded != word {
            return None;
        }
        n += 1;
    }
    Some(n)
}

fn find(phrases: &[&str], units: &[Unit]) -> Option<(usize, usize)> {
    (0..units.len()).find_map(|at| {
        phrases.iter().filter_map(|phrase| begins(phrase, &units[at..])).max().map(|n| (at, n))
    })
}

fn fit(row: &Row, text: &str, units: &[Unit], ended: bool) -> Option<Slot> {
    let (language, relation, held, before, between, behind) = *row;
    let start = begins(before, units)?;
    let behind_starts = |tail: &str| {
        let n = tail.split(' ').filter(|word| !word.is_empty()).count();
        let at = units.len().checked_sub(n)?;
        begins(tail, &units[at..]).map(|_| at)
    };
    let end = behind.split('|').find_map(behind_starts)?;
    let (at, n) = (start + 1..end).find_map(|at| {
        between.split('|').find_map(|phrase| begins(phrase, &units[at..end])).map(|n| (at, n))
    })?;
    let subject = subject(text, &units[start..at])?;
    // A statement in the past tense, or one that says "formerly".
    let held = if ended { Held::Past } else { held };
    let (value, relation) = value(text, &units[at + n..end], relation)?;
    Some(Slot::new(subject, relation, value, held, language))
}

fn subject(text: &str, units: &[Unit]) -> Option<String> {
    let (first, last) = (units.first()?, units.last()?);
    let written = &text[first.start..last.end];
    let plain = units.len() <= 8
        && written.split_whitespace().count() <= 4
        && !written.contains([',', '(', '、'])
        && find(PRONOUNS, &units[..1]).is_none();
    plain.then(|| written.to_owned())
}

/// The value up to where time, company or another clause begins, and the relation that it turns out to be of.
fn value<'a>(text: &str, units: &[Unit], relation: &'a str) -> Option<(String, &'a str)> {
    let is_year = |unit: &Unit| unit.folded.len() == 4 && unit.folded.bytes().all(|b| b.is_ascii_digit());
    let relation = match (relation, units) {
        ("born in", [only]) if is_year(only) => "year of birth",
        (relation, _) => relation,
    };
    let dated = matches!(relation, "birthday" | "year of birth");
    let ends = |at: usize| {
        let rest = &units[at..];
        let folded: Vec<String> = rest.iter().skip(1).map(|unit| unit.folded.clone()).collect();
        let time = BEFORE_TIME.contains(&rest[0].folded.as_str())
            && (rest.get(1).is_some_and(is_year) || date_at(&folded).is_some());
        VALUE_ENDS.iter().any(|word| begins(word, rest).is_some()) || (time && !dated)
    };
    let end = (0..units.len()).find(|at| ends(*at)).unwrap_or(units.len());
    let (first, last) = (units.get(..end)?.first()?, units.get(..end)?.last()?);
    let value =
        text[first.start..last.end].trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#'));
    let short = value.split_whitespace().count() <= 8 && value.chars().count() <= 60;
    (short && !value.is_empty()).then(|| (value.to_owned(), relation))
}

#[cfg(test)]
mod tests {
    use super::super::cardinality::Cardinality::{self, *};
    use super::super::slot::slot;
    use super::*;

    #[test]
    fn plain_statements_in_six_languages() {
        let rows: [(&str, &str, &str, &str, Cardinality); 17] = [
            ("Nia wohnt jetzt in Oslo.", "Nia", "lives in", "Oslo", One),
            ("Nia ist nach Bergen gezogen", "Nia", "lives in", "Bergen", One),
            ("Nia kennt Bo.", "Nia", "knows", "Bo", Many),
            ("Nia wurde in Oslo geboren", "Nia", "born in", "Oslo", Immutable),
            ("Nia ist 34 Jahre alt", "Nia", "age", "34", One),
            ("Nias Muttersprache ist Polnisch", "Nias", "native language", "Polnisch", Immutable),
            ("Nia habite à Oslo depuis 2019", "Nia", "lives in", "Oslo", One),
            ("Le nom de User est Ada", "User", "name", "Ada", One),
            ("Nia est née à Oslo", "Nia", "born in", "Oslo", Immutable),
            ("Nia se mudó a Bergen en 2019", "Nia", "lives in", "Bergen", One),
            ("Nia nació en 1990", "Nia", "year of birth", "1990", Immutable),
            ("Nia mora em Lisboa", "Nia", "lives in", "Lisboa", One),
            ("Ния живёт в Осло с Бо", "Ния", "lives in", "Осло", One),
            ("用户住在柏林。", "用户", "lives in", "柏林", One),
            ("User在青石科技上班", "User", "works at", "青石科技", One),
            ("用户的名字是李文昊", "用户", "name", "李文昊", One),
            ("用户的母语是中文", "用户", "native language", "中文", Immutable),
        ];
        for (text, subject, relation, value, cardinality) in rows {
            let found = slot(text).unwrap_or_else(|| panic!("{text} is a plain statement"));
            let read =
                (found.subject.as_str(), found.relation.as_str(), found.value.as_str(), found.cardinality);
            assert_eq!(read, (subject, relation, value, cardinality), "{text}");
        }
    }

    #[test]
    fn what_was_is_told_from_what_is() {
        for text in [
            "Nia wohnte in Oslo",
            "Nia hat früher in Oslo gewohnt",
            "Nia a vécu à Oslo",
            "Nia vivía en Oslo",
            "Nia morava em Oslo",
            "Ния раньше жила в Осло",
            "用户以前住在柏林",
        ] {
            assert_eq!(slot(text).map(|slot| slot.held), Some(Held::Past), "{text}");
        }
    }

    #[test]
    fn what_is_not_plain_is_not_read() {
        for text in [
            "Nia wohnt nicht in Oslo",
            "Nia möchte in Oslo wohnen",
            "Vielleicht wohnt Nia in Oslo",
            "Nia n'habite plus à Oslo",
            "Nia podría vivir en Oslo",
            "Она живёт в Осло",
            "Ния не живёт в Осло",
            "用户想住在柏林",
            "用户不住在柏林",
            "用户住在柏林吗？",
            "ピアは東京に住んでいます",
        ] {
            assert_eq!(slot(text), None, "{text}");
        }
    }
}

//! A version of a fact that is not so, made without a model.
//!
//! What a scenario gives as an example of a denial comes first, for its author knows best. Where a strategy plays with numbers, a number of the fact is
//! moved. Else the statement's verb is denied, or freed of its denial, by a small table of English, German, Spanish and French. Where none of
//! that applies, in whatever language, the whole statement is denied in an English frame.

use std::sync::LazyLock;

use credence::text::{Language, language};
use regex_lite::Regex;

use crate::random::SplitMix64;
use crate::scenario::Fact;

/// Small numbers in words.
const NUMBERS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// What a word becomes, by language; the first that is found is changed. Denials come first.
const ENGLISH: &[(&str, &str)] = &[
    (" is not ", " is "),
    (" is no longer ", " is still "),
    (" are not ", " are "),
    (" was not ", " was "),
    (" were not ", " were "),
    (" cannot ", " can "),
    (" can not ", " can "),
    (" must not ", " may "),
    (" may not ", " may "),
    (" does not ", " does "),
    (" do not ", " do "),
    (" did not ", " did "),
    (" has not ", " has "),
    (" will not ", " will "),
    (" never ", " often "),
    (" is ", " is no longer "),
    (" are ", " are no longer "),
    (" was ", " was never "),
    (" were ", " were never "),
    (" can ", " can no longer "),
    (" must ", " need not "),
    (" may ", " may no longer "),
    (" will ", " will not "),
    (" has ", " no longer has "),
    (" have ", " no longer have "),
];
const GERMAN: &[(&str, &str)] = &[
    (" nicht mehr ", " noch "),
    (" nicht ", " "),
    (" nie ", " oft "),
    (" kein ", " ein "),
    (" keine ", " eine "),
    (" ist ", " ist nicht mehr "),
    (" sind ", " sind nicht mehr "),
    (" war ", " war nie "),
    (" hat ", " hat nicht mehr "),
    (" darf ", " darf nicht mehr "),
    (" kann ", " kann nicht mehr "),
];
const SPANISH: &[(&str, &str)] = &[
    (" ya no ", " todavía "),
    (" no ", " "),
    (" nunca ", " a menudo "),
    (" es ", " ya no es "),
    (" son ", " ya no son "),
    (" está ", " ya no está "),
    (" están ", " ya no están "),
    (" tiene ", " ya no tiene "),
    (" puede ", " ya no puede "),
];
const FRENCH: &[(&str, &str)] = &[
    (" n'est pas ", " est "),
    (" n'est plus ", " est encore "),
    (" ne sont pas ", " sont "),
    (" est ", " n'est plus "),
    (" sont ", " ne sont plus "),
    (" a ", " n'a plus "),
    (" peut ", " ne peut plus "),
];

/// A version of `text` that is not so, without its full stop. `fact` is the fact that it says, where there is one; `numbers` whether the strategy
/// plays with numbers.
pub(super) fn altered(text: &str, fact: Option<&Fact>, numbers: bool, random: &mut SplitMix64) -> String {
    let text = bare(text);
    if numbers && let Some(moved) = moved_number(text, random) {
        return moved;
    }
    let denials = fact.and_then(|fact| fact.oracle.as_ref()).map(|oracle| &oracle.examples.deny);
    if let Some(denial) = denials.and_then(|denials| random.pick(denials)) {
        return bare(denial).to_owned();
    }
    let table = match language(text) {
        Language::German => GERMAN,
        Language::Spanish => SPANISH,
        Language::French => FRENCH,
        _ => ENGLISH,
    };
    let changed = table.iter().find(|(word, _)| text.contains(word));
    changed.map_or_else(
        || format!("it is no longer so that {}", lowered(text)),
        |(word, other)| text.replacen(word, other, 1),
    )
}

/// A statement without white space and full stop at its end.
pub(super) fn bare(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '!', '。', ' '])
}

/// In the middle of a sentence: an English article, pronoun or the like at the beginning loses its capital; names keep theirs.
pub(super) fn lowered(text: &str) -> String {
    const SMALL: [&str; 24] = [
        "The", "A", "An", "There", "It", "Its", "He", "His", "She", "Her", "They", "Their", "We", "Our",
        "You", "Your", "My", "This", "That", "These", "Those", "All", "No", "Every",
    ];
    let first = text.split_whitespace().next().unwrap_or_default();
    if SMALL.contains(&first) {
        format!("{}{}", first.to_lowercase(), &text[first.len()..])
    } else {
        text.to_owned()
    }
}

/// At the beginning of a sentence.
pub(super) fn raised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

static NUMBER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"[0-9]+|(?i)\b(?:{})\b", NUMBERS.join("|"))).ok());

/// The first number moved to another plausible one; `None` where there is none.
fn moved_number(text: &str, random: &mut SplitMix64) -> Option<String> {
    let found = NUMBER.as_ref()?.find(text)?;
    let word = found.as_str();
    let other = match NUMBERS.iter().position(|number| number.eq_ignore_ascii_case(word)) {
        Some(at) => {
            let other = NUMBERS[(at + 1 + random.below(NUMBERS.len() - 1)) % NUMBERS.len()];
            if word.starts_with(char::is_uppercase) { raised(other) } else { other.to_owned() }
        }
        None => {
            let (number, step) = (word.parse::<u32>().ok()?, 1 + random.below(3) as u32);
            // A year moves by little, an amount by half of itself or more.
            let by = if (1_800..2_200).contains(&number) {
                step
            } else {
                (number / 2).max(1).saturating_mul(step)
            };
            number.checked_add(by)?.to_string()
        }
    };
    Some(format!("{}{other}{}", &text[..found.start()], &text[found.end()..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Examples, Oracle};
    use crate::testing;

    fn of(text: &str, numbers: bool) -> String {
        altered(text, None, numbers, &mut SplitMix64::new(3))
    }

    #[test]
    fn the_verb_is_denied_or_freed_of_its_denial() {
        for (text, wanted) in [
            ("The bridge is closed.", "The bridge is no longer closed"),
            ("The bridge is not open.", "The bridge is open"),
            ("Refunds cannot be given twice", "Refunds can be given twice"),
            ("Mara has a brass key.", "Mara no longer has a brass key"),
            ("Two signatures must be given.", "Two signatures need not be given"),
            ("Die Brücke ist seit gestern gesperrt.", "Die Brücke ist nicht mehr seit gestern gesperrt"),
            ("El puente está cerrado desde ayer.", "El puente ya no está cerrado desde ayer"),
            ("Mara keeps bees.", "it is no longer so that Mara keeps bees"),
            ("The guild keeps bees.", "it is no longer so that the guild keeps bees"),
            ("橋は閉鎖されている。", "it is no longer so that 橋は閉鎖されている"),
        ] {
            assert_eq!(of(text, false), wanted);
        }
    }

    #[test]
    fn numbers_move_where_the_strategy_plays_with_them() {
        for text in [
            "The fee is 40 crowns.",
            "It began in 1987.",
            "Seven guards stand here.",
            "there are twelve, not ten",
        ] {
            let moved = of(text, true);
            assert_ne!(moved, bare(text));
            let differs = moved.split(' ').zip(bare(text).split(' ')).filter(|(a, b)| a != b).count();
            assert_eq!(differs, 1, "{moved}");
        }
        assert_eq!(of("The bridge is closed.", true), "The bridge is no longer closed", "without a number");
        for seed in 0..50 {
            let moved = altered("It has 9 gates.", None, true, &mut SplitMix64::new(seed));
            assert_ne!(moved, "It has 9 gates");
        }
        // A number too long to be one is left, and the verb is denied.
        assert!(of("Code 99999999999999999999999 is valid.", true).contains("no longer"));
    }

    #[test]
    fn the_authors_own_denials_come_first() {
        let examples = Examples { deny: vec!["The bridge stands open.".into()], ..Examples::default() };
        let fact = crate::scenario::Fact {
            oracle: Some(Oracle { examples, ..Oracle::default() }),
            ..testing::fact("f1", "The bridge is closed.")
        };
        let found = altered(&fact.text, Some(&fact), false, &mut SplitMix64::new(1));
        assert_eq!(found, "The bridge stands open");
        let bare = testing::fact("f1", "The bridge is closed.");
        assert!(altered(&bare.text, Some(&bare), false, &mut SplitMix64::new(1)).contains("no longer"));
    }

    #[test]
    fn capitals_follow_the_place_in_the_sentence() {
        assert_eq!(
            (lowered("The gate"), lowered("Mara"), lowered("")),
            ("the gate".into(), "Mara".into(), String::new())
        );
        assert_eq!((raised("über"), raised("it"), raised("")), ("Über".into(), "It".into(), String::new()));
    }

    proptest::proptest! {
        #[test]
        fn whatever_the_fact_says_its_alteration_says_something_else(text in "\\PC{0,60}", numbers: bool, seed: u64) {
            let found = altered(&text, None, numbers, &mut SplitMix64::new(seed));
            proptest::prop_assert_ne!(&found, bare(&text));
            let filled = super::super::phrases::fill("{altered}", &[("altered", &found)]);
            proptest::prop_assert_eq!(filled, found);
        }
    }
}

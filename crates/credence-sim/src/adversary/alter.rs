//! A version of a fact that is not so, made without a model.
//!
//! What a scenario gives as an example of a denial comes first, for its author knows best, unless a strategy plays with numbers. Else its first
//! word or its verb is denied, or freed of its denial, by small tables of English, German, Spanish and French; else a number of it is moved.
//! Where none of that applies, in whatever language, the whole statement is denied in an English frame.

use std::sync::LazyLock;

use credence::text::{Language, language};
use regex_lite::Regex;

use crate::random::SplitMix64;
use crate::scenario::Fact;

/// Small numbers in words.
const NUMBERS: [&str; 11] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
/// Small ordinals in words; "second" and "first" mean too much else.
const ORDINALS: [&str; 10] =
    ["third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"];

/// What a statement's first word becomes, in English.
const LEADS: [(&str, &str); 6] = [
    ("No ", "Some "),
    ("Nobody ", "Somebody "),
    ("Nothing ", "Something "),
    ("Every ", "Not every "),
    ("All ", "Not all "),
    ("Only ", "It is not true that only "),
];

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
    (" never ", " always "),
    (" is ", " is no longer "),
    (" are ", " are no longer "),
    (" was ", " was never "),
    (" were ", " were never "),
    (" can ", " can no longer "),
    (" must ", " need not "),
    (" may ", " may no longer "),
    (" will ", " will not "),
];
/// English verbs that are denied by a word before them: those of lasting states, and those of what happened.
const LASTING: &str = "stays|belongs|serves|carries|owes|comes|lies|sits|runs|starts|begins|keeps|holds|needs|takes|lives|works|knows|guards|\
    leads|owns|stands|opens|costs|wants|loves|hates|wears|uses|sells|pays|reports|goes|sleeps|contains|allows|requires";
const PAST: &str = "went|came|lost|won|received|promised|made|gave|took|found|sold|bought|paid|died|left|signed|built|killed|stole|said|agreed";
const GERMAN: &[(&str, &str)] = &[
    (" nicht mehr ", " noch "),
    (" nicht ", " "),
    (" nie ", " immer "),
    (" kein ", " ein "),
    (" keine ", " eine "),
    (" ist ", " ist nicht mehr "),
    (" sind ", " sind nicht mehr "),
    (" war ", " war nie "),
    (" hat ", " hat nicht mehr "),
    (" darf ", " darf nicht mehr "),
    (" kann ", " kann nicht mehr "),
    (" liegt ", " liegt nicht mehr "),
    (" steht ", " steht nicht mehr "),
    (" wohnt ", " wohnt nicht mehr "),
    (" arbeitet ", " arbeitet nicht mehr "),
    (" braucht ", " braucht nicht mehr "),
    (" bekommt ", " bekommt nicht mehr "),
];
const SPANISH: &[(&str, &str)] = &[
    (" ya no ", " todavía "),
    (" no ", " "),
    (" nunca ", " siempre "),
    (" es ", " ya no es "),
    (" son ", " ya no son "),
    (" está ", " ya no está "),
    (" están ", " ya no están "),
    (" tiene ", " ya no tiene "),
    (" puede ", " ya no puede "),
    (" vive ", " ya no vive "),
    (" trabaja ", " ya no trabaja "),
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
    let denials = fact.and_then(|fact| fact.oracle.as_ref()).map(|oracle| &oracle.examples.deny);
    let denial = denials.filter(|_| !numbers).and_then(|denials| random.pick(denials));
    if let Some(denial) = denial {
        return bare(denial).to_owned();
    }
    if numbers && let Some(moved) = moved_number(text, random) {
        return moved;
    }
    if let Some(denial) = denials.and_then(|denials| random.pick(denials)) {
        return bare(denial).to_owned();
    }
    let table = match language(text) {
        Language::German => GERMAN,
        Language::Spanish => SPANISH,
        Language::French => FRENCH,
        _ => ENGLISH,
    };
    let led = LEADS.iter().find_map(|(word, other)| Some(format!("{other}{}", text.strip_prefix(word)?)));
    let changed = || {
        let (word, other) = table.iter().find(|(word, _)| text.contains(word))?;
        Some(text.replacen(word, other, 1))
    };
    led.or_else(changed)
        .or_else(|| denied_verb(text))
        .or_else(|| moved_number(text, random))
        .unwrap_or_else(|| format!("it is not true that {}", lowered(text)))
}

/// An English statement with its first listed verb denied.
fn denied_verb(text: &str) -> Option<String> {
    let lists = [(LASTING, "no longer"), (PAST, "never")];
    let denied = |word: &str| lists.iter().find(|(list, _)| list.split('|').any(|verb| verb == word));
    let (word, (_, denial)) = text.split(' ').skip(1).find_map(|word| Some((word, denied(word)?)))?;
    Some(text.replacen(&format!(" {word}"), &format!(" {denial} {word}"), 1))
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

static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = [NUMBERS.as_slice(), ORDINALS.as_slice()].concat().join("|");
    Regex::new(&format!(r"[0-9]+|(?i)\b(?:{words})\b")).ok()
});

/// The first number moved to another plausible one; `None` where there is none.
fn moved_number(text: &str, random: &mut SplitMix64) -> Option<String> {
    let found = NUMBER.as_ref()?.find(text)?;
    let word = found.as_str();
    let lists = [NUMBERS.as_slice(), ORDINALS.as_slice()];
    let place = |list: &&[&str]| list.iter().position(|number| number.eq_ignore_ascii_case(word));
    let listed = lists.iter().find_map(|list| Some((*list, place(list)?)));
    let other = match listed {
        Some((list, at)) => {
            let other = list[(at + 1 + random.below(list.len() - 1)) % list.len()];
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
            ("Mara has a brass key.", "it is not true that Mara has a brass key"),
            ("Signatures must be given.", "Signatures need not be given"),
            ("No data was lost.", "Some data was lost"),
            ("Only Mara was told.", "It is not true that only Mara was told"),
            ("The dog stays with Salma.", "The dog no longer stays with Salma"),
            ("The money went to Oslo.", "The money never went to Oslo"),
            ("Der Schlüssel liegt unter der Brücke.", "Der Schlüssel liegt nicht mehr unter der Brücke"),
            ("Die Brücke ist seit gestern gesperrt.", "Die Brücke ist nicht mehr seit gestern gesperrt"),
            ("El puente está cerrado desde ayer.", "El puente ya no está cerrado desde ayer"),
            ("Mara keeps bees.", "Mara no longer keeps bees"),
            ("The bakers know bees.", "it is not true that the bakers know bees"),
            ("橋は閉鎖されている。", "it is not true that 橋は閉鎖されている"),
        ] {
            assert_eq!(of(text, false), wanted);
        }
    }

    #[test]
    fn numbers_move() {
        for text in [
            "The fee is 40 crowns.",
            "It began in 1987.",
            "Seven guards stand here.",
            "there are twelve, not ten",
            "He sits at the fourth table.",
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

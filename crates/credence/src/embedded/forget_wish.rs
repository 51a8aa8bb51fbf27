//! Wishes to forget, as people say them in a conversation: "Don't remember this.", "Forget what I said about Pia.", "Vergiss „Pia spielt Oboe“."
//!
//! English, German, Spanish and French. A wish is a sentence in the imperative: it begins with its verb, after a courtesy at most, so that "I don't
//! remember this" and "don't forget that" are none. In other languages nothing is read as a wish, and forgetting is done on the statement's page.

use crate::text;

/// What somebody wants forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ForgetWish {
    /// What stands in the same turn, beside the wish.
    ThisTurn,
    /// What the user said before: the turn says nothing but the wish.
    TurnBefore,
    /// What is known about somebody or something, in the user's words.
    About(String),
    /// A statement, quoted or in the user's words.
    Statement(String),
}

/// What may stand before the verb.
const COURTESIES: [&str; 22] = [
    "please",
    "ok",
    "okay",
    "oh",
    "and",
    "but",
    "actually",
    "hey",
    "no",
    "now",
    "then",
    "bitte",
    "und",
    "aber",
    "nein",
    "ach",
    "doch",
    "por favor",
    "y",
    "pero",
    "s'il te plaît",
    "s'il vous plaît",
];
/// Endings that are no part of what is meant.
const CODAS: [&str; 8] =
    ["please", "bitte", "por favor", "s'il te plaît", "s'il te plait", "s'il vous plaît", "ok", "again"];

/// Whole sentences that mean: do not remember it.
const NOT_THIS: [&str; 40] = [
    "remember this",
    "remember that",
    "remember it",
    "save this",
    "save that",
    "save it",
    "store this",
    "store that",
    "store it",
    "keep this",
    "keep that",
    "memorize this",
    "memorize that",
    "memorise this",
    "memorise that",
    "record this",
    "record that",
    "note this",
    "note that",
    "learn this",
    "learn that",
    "remember any of this",
    "remember what i just said",
    "save what i just said",
    "recuerdes esto",
    "recuerdes eso",
    "lo recuerdes",
    "guardes esto",
    "guardes eso",
    "lo guardes",
    "memorices esto",
    "memorices eso",
    "retiens pas ça",
    "retiens pas cela",
    "mémorise pas ça",
    "mémorise pas cela",
    "enregistre pas ça",
    "enregistre pas cela",
    "garde pas ça",
    "note pas ça",
];
/// The same where the denial is inside.
const NOT_THIS_WHOLE: [&str; 18] = [
    "off the record",
    "this is off the record",
    "that was off the record",
    "keep this off the record",
    "merk dir das nicht",
    "merke dir das nicht",
    "merk dir das bitte nicht",
    "merke dir das bitte nicht",
    "speicher das nicht",
    "speichere das nicht",
    "speicher das bitte nicht",
    "speichere das bitte nicht",
    "nicht merken",
    "nicht speichern",
    "das nicht merken",
    "das nicht speichern",
    "behalte das nicht",
    "behalt das nicht",
];
const NOT: [&str; 7] = ["don't ", "dont ", "do not ", "never ", "no ", "ne ", "n'"];

/// How a wish about something begins; what follows is meant.
const ABOUT: [&str; 45] = [
    "forget what i said about ",
    "forget what i told you about ",
    "forget what i have said about ",
    "forget what i've said about ",
    "forget what i've told you about ",
    "forget what i mentioned about ",
    "forget everything i said about ",
    "forget everything i told you about ",
    "forget everything i've said about ",
    "forget everything i've told you about ",
    "forget all i said about ",
    "forget all i told you about ",
    "forget anything i said about ",
    "forget anything i told you about ",
    "forget everything about ",
    "forget everything you know about ",
    "forget everything you remember about ",
    "forget all about ",
    "forget all you know about ",
    "forget what you know about ",
    "forget what you remember about ",
    "delete what you know about ",
    "delete everything you know about ",
    "delete everything about ",
    "erase what you know about ",
    "erase everything about ",
    "vergiss was ich über ",
    "vergiss was ich dir über ",
    "vergiss alles was ich über ",
    "vergiss alles was ich dir über ",
    "vergiss alles über ",
    "vergiss alles zu ",
    "vergiss was du über ",
    "vergiss alles was du über ",
    "olvida lo que dije sobre ",
    "olvida lo que te dije sobre ",
    "olvida todo lo que dije sobre ",
    "olvida todo lo que te dije sobre ",
    "olvida todo sobre ",
    "olvida lo que sabes sobre ",
    "oublie ce que j'ai dit sur ",
    "oublie ce que je t'ai dit sur ",
    "oublie tout ce que j'ai dit sur ",
    "oublie tout ce que je t'ai dit sur ",
    "oublie tout sur ",
];
/// Verbs at the end of the German forms.
const GERMAN_ENDS: [&str; 6] =
    ["gesagt habe", "erzählt habe", "gesagt hab", "erzählt hab", "weißt", "weisst"];
/// How a wish about a statement begins.
const THAT: [&str; 7] = [
    "forget that ",
    "forget the fact that ",
    "vergiss dass ",
    "olvida que ",
    "oublie que ",
    "delete the fact that ",
    "vergiss die tatsache dass ",
];
/// Verbs that a quotation may follow.
const VERBS: [&str; 13] = [
    "forget",
    "delete",
    "erase",
    "don't remember",
    "do not remember",
    "don't save",
    "vergiss",
    "lösche",
    "olvida",
    "borra",
    "oublie",
    "efface",
    "supprime",
];
const QUOTES: [(char, char); 6] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('»', '«'), ('‘', '’')];

/// The wish to forget that a turn expresses, if any; the first one counts.
pub fn forget_wish(said: &str) -> Option<ForgetWish> {
    let sentences = text::sentences(said);
    for sentence in &sentences {
        if let Some(wish) = read(sentence) {
            return Some(match wish {
                ForgetWish::TurnBefore if sentences.len() > 1 => ForgetWish::ThisTurn,
                wish => wish,
            });
        }
    }
    None
}

fn read(sentence: &str) -> Option<ForgetWish> {
    if let Some(quoted) = quoted(sentence) {
        return Some(ForgetWish::Statement(quoted));
    }
    let whole = plain(sentence);
    let wish = without_courtesy(&whole);
    if NOT_THIS_WHOLE.contains(&wish) {
        return Some(ForgetWish::TurnBefore);
    }
    if let Some(denied) = NOT.iter().find_map(|not| wish.strip_prefix(not))
        && NOT_THIS.contains(&without_courtesy(denied))
    {
        return Some(ForgetWish::TurnBefore);
    }
    if let Some(about) = ABOUT.iter().find_map(|form| wish.strip_prefix(form)) {
        let about = GERMAN_ENDS.iter().find_map(|end| about.strip_suffix(end)).unwrap_or(about);
        return meant(about).map(ForgetWish::About);
    }
    THAT.iter().find_map(|form| wish.strip_prefix(form)).and_then(meant).map(ForgetWish::Statement)
}

/// Lower case, one kind of apostrophe, no marks but those inside words, single spaces.
fn plain(sentence: &str) -> String {
    let folded = sentence.to_lowercase().replace(['’', '‘', '´', '`'], "'");
    let kept: String =
        folded.chars().map(|c| if c.is_alphanumeric() || "'-".contains(c) { c } else { ' ' }).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn without_courtesy(wish: &str) -> &str {
    let mut rest = wish;
    loop {
        let begun = COURTESIES.iter().find_map(|word| rest.strip_prefix(word)?.strip_prefix(' '));
        let ended = CODAS.iter().find_map(|word| rest.strip_suffix(word)?.strip_suffix(' '));
        // "No, …" is a courtesy, "no recuerdes" a denial: what is left has to be a wish by itself.
        match begun.filter(|_| !rest.starts_with("no ") || rest.starts_with("no don't")).or(ended) {
            Some(shorter) => rest = shorter,
            None => return rest,
        }
    }
}

fn meant(words: &str) -> Option<String> {
    let words = words.trim();
    words.chars().any(char::is_alphanumeric).then(|| words.to_owned())
}

/// What stands in quotation marks behind a verb of forgetting.
fn quoted(sentence: &str) -> Option<String> {
    for (open, close) in QUOTES {
        let Some((before, rest)) = sentence.split_once(open) else { continue };
        let Some((inside, _)) = rest.split_once(close) else { continue };
        let verb = plain(before);
        let verb = without_courtesy(&verb);
        if VERBS
            .iter()
            .any(|known| verb == *known || verb.strip_suffix(" that").is_some_and(|verb| verb == *known))
        {
            return meant(inside);
        }
    }
    None
}

/// Which of several listed statements are meant: numbers from 1, or all. `None`: the turn says nothing of that.
pub fn chosen_of(said: &str, count: usize) -> Option<Vec<usize>> {
    const ALL: [&str; 14] = [
        "all",
        "all of them",
        "both",
        "everything",
        "forget all",
        "forget all of them",
        "forget both",
        "forget them all",
        "alle",
        "beide",
        "todos",
        "todas",
        "tous",
        "toutes",
    ];
    const NOISE: [&str; 14] = [
        "forget", "number", "numbers", "no", "and", "the", "vergiss", "nummer", "und", "olvida", "y",
        "oublie", "et", "please",
    ];
    let plain = plain(said);
    if ALL.contains(&without_courtesy(&plain)) {
        return Some((0..count).collect());
    }
    let words = plain.split(' ').filter(|word| !NOISE.contains(word));
    let numbers: Option<Vec<usize>> = words.map(|word| word.parse().ok()).collect();
    let mut numbers =
        numbers.filter(|numbers| !numbers.is_empty() && numbers.iter().all(|n| (1..=count).contains(n)))?;
    numbers.sort_unstable();
    numbers.dedup();
    Some(numbers.into_iter().map(|n| n - 1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_to_be_remembered_is_said_in_many_ways() {
        for alone in [
            "Don't remember this.",
            "Please don't save that",
            "Please do not store this!",
            "Don’t remember that, please.",
            "Off the record.",
            "Merk dir das bitte nicht.",
            "Bitte nicht speichern.",
            "No guardes esto.",
            "Por favor, no recuerdes eso",
            "Ne retiens pas ça, s’il te plaît.",
        ] {
            assert_eq!(forget_wish(alone), Some(ForgetWish::TurnBefore), "{alone}");
        }
        let beside = "I am seeing a doctor on Monday. Please don't remember this.";
        assert_eq!(forget_wish(beside), Some(ForgetWish::ThisTurn));
    }

    #[test]
    fn what_is_to_be_forgotten_is_named_or_quoted() {
        let about = |said: &str| match forget_wish(said) {
            Some(ForgetWish::About(about)) => about,
            other => panic!("{said}: {other:?}"),
        };
        assert_eq!(about("Forget what I said about Pia."), "pia");
        assert_eq!(about("Please forget everything I told you about my old job!"), "my old job");
        assert_eq!(about("Vergiss, was ich dir über Pia erzählt habe."), "pia");
        assert_eq!(about("Bitte vergiss alles über Köln"), "köln");
        assert_eq!(about("Olvida lo que te dije sobre Lucía, por favor."), "lucía");
        assert_eq!(about("Oublie tout ce que je t’ai dit sur Chloé."), "chloé");
        let quoted = Some(ForgetWish::Statement("Pia plays the oboe.".into()));
        assert_eq!(forget_wish("Forget “Pia plays the oboe.”"), quoted);
        assert_eq!(forget_wish("Please forget: \"Pia plays the oboe.\""), quoted);
        assert_eq!(
            forget_wish("Vergiss „Pia spielt Oboe“."),
            Some(ForgetWish::Statement("Pia spielt Oboe".into()))
        );
        assert_eq!(
            forget_wish("Forget that I like techno."),
            Some(ForgetWish::Statement("i like techno".into()))
        );
    }

    #[test]
    fn what_only_looks_like_a_wish_is_none() {
        for other in [
            "I don't remember this.",
            "Don't forget that I like techno.",
            "Don't save that file yet.",
            "Remember this: I like techno.",
            "Did you forget what I said about Pia?",
            "He told me to forget everything about Pia.",
            "I always forget “the”.",
            "Forget about it",
            "No, I like it.",
            "これは覚えないで。",
        ] {
            assert_eq!(forget_wish(other), None, "{other}");
        }
    }

    #[test]
    fn a_choice_is_numbers_or_all() {
        assert_eq!(chosen_of("1 and 3", 3), Some(vec![0, 2]));
        assert_eq!(chosen_of("Forget number 2, please.", 3), Some(vec![1]));
        assert_eq!(chosen_of("Alle bitte", 2), Some(vec![0, 1]));
        assert_eq!(chosen_of("4", 3), None, "there is no fourth");
        assert_eq!(chosen_of("I have 2 dogs", 3), None);
        assert_eq!(chosen_of("", 3), None);
    }
}

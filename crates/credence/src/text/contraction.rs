//! English contractions, spelled out, so that "can't stand" and "cannot stand" are the same words.
//!
//! Only what has one reading is expanded: `'s` after a pronoun is "is" (or "has" before "got" and "been"),
//! after a name it stays, since "Pia's" may be "of Pia"; `'d` stays, since it may be "had" or "would".

/// Negated auxiliaries that people type without the apostrophe. "wont" and "cant" are rare words of their
/// own.
const WITHOUT_APOSTROPHE: [(&str, &str); 17] = [
    ("arent", "are"),
    ("cant", "can"),
    ("couldnt", "could"),
    ("didnt", "did"),
    ("doesnt", "does"),
    ("dont", "do"),
    ("hadnt", "had"),
    ("hasnt", "has"),
    ("havent", "have"),
    ("isnt", "is"),
    ("mustnt", "must"),
    ("neednt", "need"),
    ("shouldnt", "should"),
    ("wasnt", "was"),
    ("werent", "were"),
    ("wont", "will"),
    ("wouldnt", "would"),
];

/// Words after which `'s` is a verb.
const TAKES_IS: [&str; 18] = [
    "it",
    "he",
    "she",
    "that",
    "this",
    "there",
    "here",
    "what",
    "who",
    "where",
    "when",
    "how",
    "why",
    "everything",
    "everyone",
    "everybody",
    "someone",
    "nothing",
];

/// Appends the words that `word` (folded, with `'` as its apostrophe) stands for; `next` is the word after
/// it.
pub(crate) fn expand(word: &str, next: Option<&str>, out: &mut Vec<String>) {
    let mut push = |parts: [&str; 2]| out.extend(parts.map(str::to_owned));
    if let Ok(at) = WITHOUT_APOSTROPHE.binary_search_by_key(&word, |(short, _)| *short) {
        return push([WITHOUT_APOSTROPHE[at].1, "not"]);
    }
    if word == "cannot" {
        return push(["can", "not"]);
    }
    match word.split_once('\'') {
        Some(("can", "t")) => push(["can", "not"]),
        Some(("won", "t")) => push(["will", "not"]),
        Some(("shan", "t")) => push(["shall", "not"]),
        Some(("ain", "t")) => push(["is", "not"]),
        Some((verb, "t")) if verb.len() > 2 && verb.ends_with('n') => push([&verb[..verb.len() - 1], "not"]),
        Some(("i", "m")) => push(["i", "am"]),
        Some((who, "re")) => push([who, "are"]),
        Some((who, "ve")) => push([who, "have"]),
        Some((who, "ll")) => push([who, "will"]),
        Some(("let", "s")) => push(["let", "us"]),
        Some((who, "s")) if TAKES_IS.contains(&who) => {
            push([who, if matches!(next, Some("got" | "been")) { "has" } else { "is" }]);
        }
        _ => out.push(word.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> String {
        let words: Vec<&str> = text.split(' ').collect();
        let mut out = Vec::new();
        for (i, word) in words.iter().enumerate() {
            expand(word, words.get(i + 1).copied(), &mut out);
        }
        out.join(" ")
    }

    #[test]
    fn the_table_is_sorted_for_its_search() {
        assert!(WITHOUT_APOSTROPHE.is_sorted());
    }

    #[test]
    fn one_reading_is_spelled_out_and_two_are_left() {
        for (short, long) in [
            ("can't", "can not"),
            ("cannot", "can not"),
            ("dont", "do not"),
            ("wouldn't", "would not"),
            ("won't", "will not"),
            ("i'm", "i am"),
            ("they've got", "they have got"),
            ("it's red", "it is red"),
            ("she's got", "she has got"),
            ("pia's cat", "pia's cat"),
            ("he'd go", "he'd go"),
            ("l'eau", "l'eau"),
        ] {
            assert_eq!(expanded(short), long);
        }
    }
}

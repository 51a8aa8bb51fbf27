//! How a person answers the assistant: yes, no, with words of their own, or with nothing that could be evidence ("ok", "hm").
//!
//! Only the opening is read, and only words that are nothing else: "right, so …" and "sure" are no confirmation. Lists of the
//! commonest languages, chosen by us; in another language an answer counts by its own words.

use crate::text;

/// What a turn says to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// It confirms.
    Yes,
    /// It denies, and adds nothing.
    No,
    /// It says something of its own.
    Own,
    /// Nothing: an acknowledgement, thanks, a sigh.
    Nothing,
}

const YES: [&str; 43] = [
    "yes",
    "yeah",
    "yep",
    "yup",
    "correct",
    "exactly",
    "indeed",
    "absolutely",
    "definitely",
    "ja",
    "jawohl",
    "genau",
    "stimmt",
    "doch",
    "sí",
    "exacto",
    "correcto",
    "claro",
    "oui",
    "exactement",
    "sim",
    "exato",
    "isso",
    "да",
    "верно",
    "точно",
    "tak",
    "ano",
    "evet",
    "はい",
    "ええ",
    "네",
    "예",
    "是的",
    "对的",
    "没错",
    "esatto",
    "certo",
    "ναι",
    "نعم",
    "हाँ",
    "igen",
    "kyllä",
];
const NO: [&str; 24] = [
    "no",
    "nope",
    "nah",
    "never",
    "nein",
    "nee",
    "non",
    "não",
    "нет",
    "ні",
    "nie",
    "ne",
    "hayır",
    "いいえ",
    "아니요",
    "아니",
    "不",
    "不是",
    "没有",
    "όχι",
    "لا",
    "नहीं",
    "nem",
    "nej",
];
/// Phrases of more than one word that confirm.
const PHRASES: [&str; 10] = [
    "that's right",
    "that is right",
    "that's correct",
    "that is correct",
    "you're right",
    "you are right",
    "das stimmt",
    "c'est ça",
    "así es",
    "c'est vrai",
];
/// Words that acknowledge without saying anything.
const NOTHING: [&str; 46] = [
    "ok",
    "okay",
    "k",
    "hm",
    "hmm",
    "mhm",
    "mm",
    "uh",
    "um",
    "ah",
    "oh",
    "aha",
    "thanks",
    "thank",
    "thx",
    "you",
    "cool",
    "nice",
    "great",
    "good",
    "fine",
    "sure",
    "right",
    "alright",
    "wow",
    "lol",
    "haha",
    "got",
    "it",
    "i",
    "see",
    "danke",
    "gut",
    "super",
    "schön",
    "gracias",
    "vale",
    "bueno",
    "merci",
    "d'accord",
    "bien",
    "好",
    "好的",
    "嗯",
    "спасибо",
    "хорошо",
];

/// Reads a turn as an answer.
pub(super) fn answer_of(turn: &str) -> Answer {
    let folded = text::fold(turn).replace('’', "'");
    let words: Vec<&str> = folded
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
        .collect();
    let Some(first) = words.first() else { return Answer::Nothing };
    let start = words.join(" ");
    if YES.contains(first) || PHRASES.iter().any(|phrase| start.starts_with(phrase)) {
        return Answer::Yes;
    }
    let empty = |word: &&&str| NOTHING.contains(*word) || NO.contains(*word);
    if words.iter().filter(|word| !empty(word)).count() == 0 {
        return if NO.contains(first) { Answer::No } else { Answer::Nothing };
    }
    Answer::Own
}

/// The questions of a turn, one a line.
pub(super) fn questions(turn: &str) -> String {
    let asks = |sentence: &&str| sentence.trim_end().ends_with(['?', '？', '؟', '\u{37e}']);
    text::sentences(turn).into_iter().filter(asks).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_acknowledgements() {
        for (turn, answer) in [
            ("Yes.", Answer::Yes),
            ("yeah, since May", Answer::Yes),
            ("That's right!", Answer::Yes),
            ("Genau.", Answer::Yes),
            ("Sí, claro", Answer::Yes),
            ("是的。", Answer::Yes),
            ("Да", Answer::Yes),
            ("No.", Answer::No),
            ("Nein", Answer::No),
            ("不是。", Answer::No),
            ("no thanks", Answer::No),
            ("ok", Answer::Nothing),
            ("Hm.", Answer::Nothing),
            ("okay, thank you!", Answer::Nothing),
            ("Sure", Answer::Nothing),
            ("好的。", Answer::Nothing),
            ("👍", Answer::Nothing),
            ("Two cats.", Answer::Own),
            ("No, I hate it", Answer::Own),
            ("nobody asked", Answer::Own),
        ] {
            assert_eq!(answer_of(turn), answer, "{turn}");
        }
    }

    #[test]
    fn questions_are_told_from_statements() {
        assert_eq!(questions("You like tea. Do you have pets? 你有猫吗？"), "Do you have pets?\n你有猫吗？");
        assert_eq!(questions("You would enjoy the Azores."), "");
    }
}

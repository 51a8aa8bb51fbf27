//! Which language a text is in, as far as polarity, stop words and stemming need to know, and the small words
//! of each. Lists chosen by us.
//!
//! The guess counts function words. It is meant to be right about the languages in the table and to fall back
//! to English for a Latin text without any; a Latin language outside the table is therefore read as English.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::chars::{is_cyrillic, is_han, is_kana, is_latin};

/// A language whose negation the core reads, or none of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// English; also any Latin text without function words of another language here.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Portuguese.
    Portuguese,
    /// Russian; its negation is that of Ukrainian and Belarusian too.
    Russian,
    /// Chinese.
    Chinese,
    /// A script that the core does not read beyond words.
    Other,
}

/// English words that carry no topic. They weigh nothing in a search; canonical forms keep them all.
const ENGLISH: &str = "a about after again all also am an and any are as at be because been before being both but by can \
    could did do does doing done for from had has have having he her here hers herself him himself his how i if in into is it \
    its itself just let me more most my myself no nor not now of off on once only or other our ours out over own please \
    really same she should so some still such than that the their theirs them themselves then there these they this those \
    through to too under until up us very was we were what when where which while who whom whose why will with would yes you your yours \
    yourself hey hi hello ok okay oh well got get getting thing things something anything tell say kind";
const GERMAN: &str = "aber als am an auch auf aus bei bin bis bist da das dass dein dem den der des die dir doch du ein eine \
    einem einen einer eines er es für gegen habe haben hat ich ihm ihn ihr ihre im in ist ja kann kein keine keinen man mein \
    meine mich mir mit nach nicht nie noch nur ob oder schon sehr sein seine sich sie sind so über um und uns unter vom von \
    vor war waren was weil wenn wer wie wir wird zu zum zur";
const FRENCH: &str = "a alors au aux avec ce ces cette dans de des du elle elles en est et eux il ils je jamais la le les leur \
    leurs lui ma mais me mes moi mon ne ni nos notre nous on ou où par pas pour qu que qui sa se ses si son sont sur ta te tes \
    toi ton tu un une vos votre vous y à été être ai as ont aime chez";
const SPANISH: &str = "a al aunque como con cuando de del desde donde el ella ellas ellos en entre era es esa ese eso esta \
    este esto está están fue ha han hay la las le les lo los más me mi mis muy ni no nos nunca o para pero por porque que \
    quién se ser si sin sobre son su sus también te tiene tu un una uno y ya yo gusta qué";
const PORTUGUESE: &str = "ao aos as com da das de dela dele do dos e ela ele eles em era essa esse esta este está eu foi há isso \
    já lhe mais mas me meu minha muito na nas no nos nunca não o os ou para pela pelo por quando que se sem ser seu sua são \
    também te tem um uma você";

/// The Latin languages, each with its words and those that tell it from the others and count twice. At a tie
/// the earlier language is taken.
const LATIN: [(Language, &str, &str); 5] = [
    (Language::English, ENGLISH, "the is does not likes lives he she i"),
    (
        Language::German,
        GERMAN,
        "nicht kein keine keinen keiner nie ich und ist das der mag hasst liebt wohnt mehr",
    ),
    (Language::French, FRENCH, "ne pas jamais je est et les des une elle dans avec déteste habite"),
    (Language::Spanish, SPANISH, "el los las está ya nunca pero muy gusta vive tiene odia ella"),
    (Language::Portuguese, PORTUGUESE, "o os não está em um uma você ele gosta mora do da são"),
];

/// How much each word speaks for each language of [`LATIN`].
static VOTES: LazyLock<BTreeMap<&'static str, [usize; 5]>> = LazyLock::new(|| {
    let mut votes: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    for (n, (_, words, telling)) in LATIN.iter().enumerate() {
        for word in words.split_ascii_whitespace().chain(telling.split_ascii_whitespace()) {
            votes.entry(word).or_default()[n] += 1;
        }
    }
    votes
});
static STOP_WORDS: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    [ENGLISH, GERMAN, FRENCH, SPANISH].iter().flat_map(|list| list.split_ascii_whitespace()).collect()
});

/// Whether a folded word carries no topic in English, German, French or Spanish.
///
/// One list for four languages: a text's language is often unknown, and a word such as "die" costs an English
/// search little when it does not count.
pub fn is_stopword(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

/// Guesses the language of a text.
pub fn language(text: &str) -> Language {
    guess(&super::canonical::canonical_words(text))
}

/// Guesses the language of canonical words.
pub(crate) fn guess(words: &[String]) -> Language {
    let mut latin = 0;
    let mut cyrillic = 0;
    let mut han = 0;
    for c in words.iter().flat_map(|word| word.chars()) {
        if is_kana(c) {
            return Language::Other;
        }
        latin += usize::from(is_latin(c));
        cyrillic += usize::from(is_cyrillic(c));
        han += usize::from(is_han(c)) * 3;
    }
    let most = latin.max(cyrillic).max(han);
    if most == 0 {
        return Language::Other;
    } else if most == han {
        return Language::Chinese;
    } else if most == cyrillic {
        return Language::Russian;
    }
    let sums = latin_votes(words);
    // The last of equals is the earliest language, and English is first.
    let best = (0..LATIN.len()).rev().max_by_key(|n| sums[*n]).unwrap_or(0);
    LATIN[best].0
}

fn latin_votes(words: &[String]) -> [usize; 5] {
    let mut sums = [0; 5];
    for votes in words.iter().flat_map(|word| word.split('\'')).filter_map(|part| VOTES.get(part)) {
        for (sum, vote) in sums.iter_mut().zip(votes) {
            *sum += vote;
        }
    }
    sums
}

/// Every language that canonical words may be in: where function words do not tell several Latin ones apart, all of those.
pub(super) fn candidates(words: &[String]) -> Vec<Language> {
    let best = guess(words);
    if !LATIN.iter().any(|(language, ..)| *language == best) {
        return vec![best];
    }
    let sums = latin_votes(words);
    let most = sums.iter().max().copied().unwrap_or(0);
    LATIN.iter().zip(sums).filter(|(_, sum)| *sum == most).map(|((language, ..), _)| *language).collect()
}

#[cfg(test)]
mod tests {
    use super::super::canonical::canonical_words;
    use super::*;

    #[test]
    fn function_words_tell_the_language() {
        for (text, language) in [
            ("Pia loves techno", Language::English),
            ("Pia does not like techno", Language::English),
            ("Pia mag Techno nicht", Language::German),
            ("Die Katze ist nicht mehr da", Language::German),
            ("Pia n'aime pas la techno", Language::French),
            ("A Pia ya no le gusta el techno", Language::Spanish),
            ("O gato está no telhado", Language::Portuguese),
            ("Пиа не любит техно", Language::Russian),
            ("用户不喜欢茶", Language::Chinese),
            ("ピアはテクノが好きです", Language::Other),
            ("피아는 테크노를 좋아한다", Language::Other),
        ] {
            assert_eq!(guess(&canonical_words(text)), language, "{text}");
        }
    }

    #[test]
    fn stop_words_of_four_languages() {
        assert!(["the", "nicht", "avec", "pero"].into_iter().all(is_stopword));
        assert!(!["techno", "17", "oslo", "multiply"].into_iter().any(is_stopword));
    }
}

//! A light English stemmer: plural and possessive `s`, `-ing`, `-ed`, the silent `e`, and common irregular
//! forms.
//!
//! It serves search, grounding and the comparison of two statements' words, where "loves", "loved" and
//! "loving" should meet. It joins inflected forms only, never derivations ("sing" and "singer" stay apart),
//! and leaves words that are not plain ASCII letters alone. Known limits: two words that differ by a silent
//! `e` alone meet ("plan", "plane"), and `-er`/`-est`/`-ly` are not touched.

/// Irregular forms and their stems, sorted by form. Chosen by us: what people say about themselves in talk.
const IRREGULAR: &[(&str, &str)] = &[
    ("am", "be"),
    ("are", "be"),
    ("ate", "eat"),
    ("became", "becom"),
    ("been", "be"),
    ("began", "begin"),
    ("begun", "begin"),
    ("bought", "buy"),
    ("broke", "break"),
    ("broken", "break"),
    ("brought", "bring"),
    ("built", "build"),
    ("came", "come"),
    ("caught", "catch"),
    ("children", "child"),
    ("chose", "choos"),
    ("chosen", "choos"),
    ("did", "do"),
    ("does", "do"),
    ("done", "do"),
    ("drank", "drink"),
    ("drawn", "draw"),
    ("drew", "draw"),
    ("driven", "drive"),
    ("drove", "drive"),
    ("eaten", "eat"),
    ("feet", "foot"),
    ("fell", "fall"),
    ("felt", "feel"),
    ("found", "find"),
    ("gave", "give"),
    ("given", "give"),
    ("goes", "go"),
    ("gone", "go"),
    ("got", "get"),
    ("gotten", "get"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("had", "have"),
    ("has", "have"),
    ("heard", "hear"),
    ("held", "hold"),
    ("is", "be"),
    ("kept", "keep"),
    ("knew", "know"),
    ("knives", "knife"),
    ("known", "know"),
    ("learnt", "learn"),
    ("lost", "lose"),
    ("made", "make"),
    ("meant", "mean"),
    ("men", "man"),
    ("met", "meet"),
    ("mice", "mouse"),
    ("paid", "pay"),
    ("ran", "run"),
    ("rode", "ride"),
    ("said", "say"),
    ("sang", "sing"),
    ("saw", "see"),
    ("seen", "see"),
    ("sent", "send"),
    ("slept", "sleep"),
    ("sold", "sell"),
    ("spent", "spend"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("swam", "swim"),
    ("taken", "take"),
    ("taught", "teach"),
    ("teeth", "tooth"),
    ("thought", "think"),
    ("told", "tell"),
    ("took", "take"),
    ("was", "be"),
    ("went", "go"),
    ("were", "be"),
    ("wives", "wife"),
    ("woke", "wake"),
    ("women", "woman"),
    ("won", "win"),
    ("wore", "wear"),
    ("written", "write"),
    ("wrote", "write"),
];

/// The stem of a folded word. Words of up to three letters and words with anything but `a` to `z` stay as
/// they are, but for a possessive `'s`.
pub fn stem(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    if let Ok(at) = IRREGULAR.binary_search_by_key(&word, |(form, _)| *form) {
        return IRREGULAR[at].1.to_owned();
    }
    if word.len() <= 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    silent_e(past_or_progressive(plural(word)))
}

/// Whether a folded English word is a past form of its verb, as far as the form shows it.
pub(crate) fn is_past_form(word: &str) -> bool {
    const NOT_PAST: [&str; 14] = [
        "am", "are", "children", "does", "feet", "goes", "has", "is", "knives", "men", "mice", "teeth",
        "wives", "women",
    ];
    let irregular = IRREGULAR.binary_search_by_key(&word, |(form, _)| *form).is_ok();
    (irregular && !NOT_PAST.contains(&word))
        || (word.len() > 4 && word.ends_with("ed") && !word.ends_with("eed"))
}

fn plural(word: &str) -> String {
    let cut = |n: usize| &word[..word.len() - n];
    if let Some(base) = word.strip_suffix("ies") {
        return if base.len() > 1 { format!("{base}y") } else { format!("{base}ie") };
    }
    if ["sses", "shes", "ches", "xes", "zzes"].iter().any(|end| word.ends_with(end)) {
        return cut(2).to_owned();
    }
    if word.ends_with('s') && !["ss", "us", "is", "as"].iter().any(|end| word.ends_with(end)) {
        return cut(1).to_owned();
    }
    word.to_owned()
}

fn past_or_progressive(word: String) -> String {
    if let Some(base) = word.strip_suffix("eed") {
        return if has_vowel(base) { format!("{base}ee") } else { word };
    }
    if let Some(base) = word.strip_suffix("ied") {
        return if base.len() > 1 { format!("{base}y") } else { format!("{base}ie") };
    }
    let Some(base) = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed")) else { return word };
    if base.len() < 2 || !has_vowel(base) {
        return word;
    }
    let b = base.as_bytes();
    let last = b[b.len() - 1];
    if b.len() > 2 && last == b[b.len() - 2] && !matches!(last, b'l' | b's' | b'z') && !is_vowel(last) {
        return base[..base.len() - 1].to_owned();
    }
    // "hop-ed" had an "e": one consonant, one vowel, one consonant.
    let short = b.len() == 3
        && !is_vowel(b[0])
        && is_vowel(b[1])
        && !is_vowel(last)
        && !matches!(last, b'w' | b'x' | b'y');
    if short || (b.len() == 2 && !is_vowel(last)) { format!("{base}e") } else { base.to_owned() }
}

/// "danc-e" and "danc-ing" meet without it; words of four letters keep it ("time" is not "Tim").
fn silent_e(word: String) -> String {
    if word.len() > 4 && word.ends_with('e') && !word.ends_with("ee") {
        return word[..word.len() - 1].to_owned();
    }
    word
}

fn is_vowel(b: u8) -> bool {
    matches!(b, b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

fn has_vowel(base: &str) -> bool {
    base.bytes().any(is_vowel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_for_its_search() {
        assert!(IRREGULAR.is_sorted_by_key(|(form, _)| *form));
    }

    #[test]
    fn inflected_forms_of_one_word_meet() {
        for forms in [
            "love loves loved loving",
            "like likes liked liking",
            "run runs running ran",
            "study studies studied studying",
            "dance dances danced dancing",
            "visit visits visited visiting",
            "box boxes boxed boxing",
            "agree agrees agreed agreeing",
            "need needs needed needing",
            "bake bakes baked baking",
            "plan plans planned planning",
            "marry marries married marrying",
            "cat cats cat's",
            "go goes went gone going",
            "call calls called calling",
            "watch watches watched watching",
            "smoke smokes smoked smoking",
            "use uses used using",
        ] {
            let mut stems: Vec<String> = forms.split(' ').map(stem).collect();
            stems.dedup();
            assert_eq!(stems.len(), 1, "{forms}: {stems:?}");
        }
    }

    #[test]
    fn unlike_words_stay_apart() {
        for (a, b) in [
            ("time", "tim"),
            ("sing", "sin"),
            ("bus", "bu"),
            ("this", "thi"),
            ("glass", "glas"),
            ("red", "r"),
            ("king", "k"),
            ("singer", "sing"),
        ] {
            assert_ne!(stem(a), stem(b), "{a} and {b}");
        }
        assert_eq!(stem("straße"), "straße");
        assert_eq!(stem("paris"), "paris");
    }

    #[test]
    fn past_forms_are_seen() {
        assert!(is_past_form("liked") && is_past_form("went") && is_past_form("was"));
        assert!(
            !is_past_form("likes")
                && !is_past_form("need")
                && !is_past_form("children")
                && !is_past_form("is")
        );
    }
}

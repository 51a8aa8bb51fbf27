//! What single characters are: case folding, digits of every script, marks, currency, writing without spaces.
//!
//! The standard library knows letters, numbers and white space; the classes that it does not know are listed
//! here as ranges of the Unicode character database, once for the whole core.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Compatibility-composed, case-folded text: `Straße` and `STRASSE`, `Σίσυφος` and `ΣΊΣΥΦΟΣ`, full-width and
/// plain letters meet.
///
/// Folding is by "upper, then lower", which gives the full folding of Unicode (`ß` is `ss`). Two exceptions
/// keep Turkish apart where it means another letter: dotless `ı` stays itself (it never meets `i`), and `İ`
/// becomes `i`. An upper-case `I` becomes `i` as in every other language, so that a Turkish word in capitals
/// may miss its lower-case form; it is never taken for another word.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.nfkc() {
        fold_into(c, &mut out);
    }
    out.nfc().collect()
}

/// Appends the folded form of one character.
pub(crate) fn fold_into(c: char, out: &mut String) {
    match c {
        'a'..='z' | 'ı' => out.push(c),
        'A'..='Z' => out.push(c.to_ascii_lowercase()),
        'İ' => out.push('i'),
        'ẞ' => out.push_str("ss"),
        _ => out.extend(c.to_uppercase().flat_map(char::to_lowercase)),
    }
}

/// The text with the accents of Latin letters removed: `José` becomes `Jose`, Cyrillic `й` stays. For search
/// and candidate names, never for identity.
pub fn without_accents(text: &str) -> String {
    let mut latin = false;
    let bare = text.nfd().filter(|&c| {
        if is_combining_mark(c) {
            return !latin;
        }
        latin = is_latin(c);
        true
    });
    bare.nfc().collect()
}

/// The value of a decimal digit in the scripts whose digits people write.
pub(crate) fn digit(c: char) -> Option<u32> {
    const ZEROS: [u32; 18] = [
        0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
        0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x17E0, 0x1810,
    ];
    if c.is_ascii() {
        return c.to_digit(10);
    }
    let code = c as u32;
    ZEROS.iter().find(|&&zero| (zero..zero + 10).contains(&code)).map(|zero| code - zero)
}

/// An apostrophe in any of the shapes that keyboards produce.
pub(crate) fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ' | '＇' | '`' | '´')
}

/// A currency sign.
pub(crate) fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢'..='¥' | '֏' | '؋' | '৲' | '৳' | '฿' | '៛' | '\u{20A0}'..='\u{20CF}' | '﷼')
}

/// Characters that show nothing: joiners, direction marks, soft hyphen, variation selectors, byte order mark.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Marks that writers leave out at will, so that a word is the same with and without: Hebrew points, Arabic
/// vowel signs and the Arabic stretching stroke, and the frames put around keycaps. All other marks are
/// letters' parts (Indic vowels, Thai tones, accents without a composed form).
pub(crate) fn is_optional_mark(c: char) -> bool {
    matches!(c,
        '\u{0591}'..='\u{05BD}' | '\u{05BF}' | '\u{05C1}' | '\u{05C2}' | '\u{05C4}' | '\u{05C5}' | '\u{05C7}'
        | '\u{0640}' | '\u{064B}'..='\u{0652}' | '\u{0670}' | '\u{20D0}'..='\u{20F0}')
}

/// Emoji and dingbats: a thumb up and a thumb down say different things.
pub(crate) fn is_pictograph(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// A Han character.
pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' | '々')
}

/// Hiragana or katakana.
pub(crate) fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}')
}

/// A letter of a script that writes without spaces: Han, kana, Thai, Lao, Tibetan, Burmese, Khmer.
pub(crate) fn is_unspaced(c: char) -> bool {
    is_han(c)
        || is_kana(c)
        || matches!(c, '\u{0E01}'..='\u{0E4E}' | '\u{0E81}'..='\u{0ECE}' | '\u{0F40}'..='\u{0FBC}' | '\u{1000}'..='\u{103F}'
            | '\u{1050}'..='\u{109D}' | '\u{1780}'..='\u{17D3}')
}

/// A Latin letter.
pub(crate) fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic()
        || (c.is_alphabetic() && matches!(c, '\u{00AA}'..='\u{024F}' | '\u{1E00}'..='\u{1EFF}'))
}

/// A Cyrillic letter.
pub(crate) fn is_cyrillic(c: char) -> bool {
    matches!(c, '\u{0400}'..='\u{052F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_is_full_and_careful_with_turkish() {
        assert_eq!(fold("Straße"), fold("STRASSE"));
        assert_eq!(fold("GROẞ"), "gross");
        assert_eq!(fold("ΣΊΣΥΦΟΣ"), fold("Σίσυφος"));
        assert_eq!(fold("Ｆｕｌｌ"), "full");
        assert_eq!(fold("İstanbul"), "istanbul");
        assert_ne!(fold("ılık"), fold("ilik"));
        assert_eq!(fold("e\u{301}"), "é");
    }

    #[test]
    fn accents_come_off_latin_letters_alone() {
        assert_eq!(without_accents("José Ångström, Việt"), "Jose Angstrom, Viet");
        assert_eq!(without_accents("Андрей"), "Андрей");
        assert_eq!(without_accents("हिन्दी"), "हिन्दी");
    }

    #[test]
    fn digits_of_other_scripts_have_values() {
        assert_eq!(['٣', '५', '๗', '8'].map(digit), [Some(3), Some(5), Some(7), Some(8)]);
        assert_eq!(digit('x'), None);
    }
}

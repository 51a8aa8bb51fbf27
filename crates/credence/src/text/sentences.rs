//! Where sentences end, in text as people type it: several scripts, abbreviations, initials, decimals,
//! quotations, line breaks and list items.
//!
//! Rules: a terminator ends a sentence together with the quotes and brackets that close behind it. A full
//! stop does not when it belongs to an abbreviation, an initial, a number or an ordinal, or when a lower-case
//! word follows. A line break ends one unless the line runs on in lower case. The pieces are slices of the
//! text, trimmed, list markers removed.

use super::chars::fold;
use super::dates::is_month;
use super::language::is_stopword;

/// Abbreviations that a name, number or example follows: never the end of a sentence. Folded, inner dots
/// kept.
const NEVER_LAST: &str = "mr mrs ms dr prof st rev gen col capt sgt lt hon sr. fig nr no vol pp cf e.g i.e z.b d.h u.a bzw ca vgl \
    mme mlle m sra srta dra ud uds ph vs approx dept est jan feb mar apr jun jul aug sep sept oct nov dec hr fr mt ft";
/// Abbreviations that may be the last word: a capital letter after them begins a sentence.
const MAY_BE_LAST: &str =
    "etc inc ltd co corp jr sr a.m p.m u.s u.k usw d.c l.a n.y bros ave blvd rd ph.d m.d b.a";

/// The sentences of a text, in order, as trimmed slices of it; never empty ones.
pub fn sentences(text: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut out = Vec::new();
    let mut start = 0;
    let mut i = 0;
    while i < chars.len() {
        let (at, c) = chars[i];
        let end = if c == '\n' {
            line_ends(text, &chars, i).then_some(i + 1)
        } else if is_terminator(c) {
            let after = after_closers(&chars, i);
            let ends = ends_sentence(text, &chars, start, i, after);
            // Runs such as "?!" and "..." are judged once, by their last mark.
            if !ends {
                i = after.max(i + 1);
                continue;
            }
            Some(after)
        } else {
            None
        };
        if let Some(end) = end {
            let to = chars.get(end).map_or(text.len(), |(at, _)| *at);
            push(&text[start..to.max(at)], &mut out);
            start = to;
            i = end;
        } else {
            i += 1;
        }
    }
    push(&text[start..], &mut out);
    out
}

fn push<'a>(piece: &'a str, out: &mut Vec<&'a str>) {
    let piece = without_marker(piece.trim()).trim();
    if piece.chars().any(char::is_alphanumeric) {
        out.push(piece);
    }
}

/// Removes "- ", "* ", "• ", "1. ", "1) ", "> " from the start of an item.
fn without_marker(piece: &str) -> &str {
    if let Some(rest) = piece.strip_prefix(['-', '*', '•', '–', '·', '>', '#']) {
        return if rest.starts_with([' ', '#', '>']) { without_marker(rest.trim_start()) } else { piece };
    }
    let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &piece[digits..];
    let marker = (1..=3).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") "));
    if marker { rest[2..].trim_start() } else { piece }
}

fn is_terminator(c: char) -> bool {
    matches!(
        c,
        '.' | '!'
            | '?'
            | '…'
            | '。'
            | '！'
            | '？'
            | '｡'
            | '‼'
            | '⁇'
            | '⁈'
            | '⁉'
            | '؟'
            | '۔'
            | '।'
            | '॥'
            | '։'
            | '።'
            | '။'
            | '៕'
    )
}

/// Terminators of scripts that put no space behind them.
fn needs_no_space(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '।' | '॥' | '။' | '៕')
}

fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | '›' | '“' | ')' | ']' | '」' | '』' | '）' | '】' | '*' | '_')
}

/// The position behind a run of terminators and closers.
fn after_closers(chars: &[(usize, char)], mut i: usize) -> usize {
    while chars.get(i).is_some_and(|(_, c)| is_terminator(*c)) {
        i += 1;
    }
    while chars.get(i).is_some_and(|(_, c)| is_closer(*c)) {
        i += 1;
    }
    i
}

fn ends_sentence(text: &str, chars: &[(usize, char)], start: usize, i: usize, after: usize) -> bool {
    let Some(&(next_at, next)) = chars.get(after) else { return true };
    if needs_no_space(chars[i].1) {
        return true;
    }
    if !next.is_whitespace() {
        return false;
    }
    // The next word of the same line.
    let rest = text[next_at..].trim_start_matches([' ', '\t', '\u{a0}', '\u{202f}']);
    if rest.starts_with('\n') || rest.is_empty() {
        return true;
    }
    let follower = rest.trim_start_matches(|c: char| !c.is_alphanumeric() && !c.is_whitespace());
    let lower = follower.starts_with(char::is_lowercase);
    let dots = chars[i..after].iter().filter(|(_, c)| *c == '.').count();
    if chars[i].1 != '.' || dots > 1 {
        // "Really?" she said. "Well… maybe."
        return !lower;
    }
    let word = text[start..chars[i].0].rsplit(char::is_whitespace).next().unwrap_or("");
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let folded = fold(word);
    let next_word = fold(follower.split(|c: char| !c.is_alphanumeric()).next().unwrap_or(""));
    if NEVER_LAST.split_ascii_whitespace().any(|entry| entry == folded) {
        // "No." alone answers; "No. 5" numbers. "M. Dupont" is a name.
        let numbers =
            matches!(folded.as_str(), "no" | "nr" | "fig" | "vol" | "mar" | "jan" | "dec" | "sep" | "may");
        return numbers && !follower.starts_with(|c: char| c.is_ascii_digit());
    }
    if MAY_BE_LAST.split_ascii_whitespace().any(|entry| entry == folded) {
        return !lower && !follower.starts_with(|c: char| c.is_ascii_digit());
    }
    let is_initial = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
    };
    if word.split('.').all(is_initial) {
        // An initial or several ("J.K."), unless a common word begins a sentence behind it: "vitamin C. It helps".
        return is_stopword(&next_word) && next_word.len() > 1 && follower.starts_with(char::is_uppercase);
    }
    let digits = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    if digits && (is_month(&next_word) && word.len() <= 2 || start_of_item(text, start, chars[i].0)) {
        return false;
    }
    !lower
}

/// Whether a number is all there is before its dot on this line: "1. Milk".
fn start_of_item(text: &str, start: usize, dot: usize) -> bool {
    text[start..dot].trim().bytes().all(|b| b.is_ascii_digit())
}

/// A line break ends a sentence unless both lines are one wrapped sentence.
fn line_ends(text: &str, chars: &[(usize, char)], i: usize) -> bool {
    let at = chars[i].0;
    let after = text[at + 1..].trim_start_matches([' ', '\t', '\r']);
    if after.is_empty() || after.starts_with('\n') {
        return true;
    }
    let before = text[..at].trim_end();
    let wrapped = after.starts_with(char::is_lowercase)
        && before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | ';'));
    !wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(sentences(text), expected);
    }

    #[test]
    fn english_with_its_traps() {
        check("I am Ada. I live in Oslo.", &["I am Ada.", "I live in Oslo."]);
        check("Dr. Nia Berg met Mr. Cy. She left.", &["Dr. Nia Berg met Mr. Cy.", "She left."]);
        check("I read J. R. R. Tolkien. It was good.", &["I read J. R. R. Tolkien.", "It was good."]);
        check("J.K. Rowling writes. A.A. Milne wrote.", &["J.K. Rowling writes.", "A.A. Milne wrote."]);
        check("I live in Washington D.C. Bo does not.", &["I live in Washington D.C.", "Bo does not."]);
        check("She takes vitamin C. It helps.", &["She takes vitamin C.", "It helps."]);
        check("It weighs 3.5 kg. See e.g. Bo.", &["It weighs 3.5 kg.", "See e.g. Bo."]);
        check("He works at Acme Inc. in Oslo. Yes.", &["He works at Acme Inc. in Oslo.", "Yes."]);
        check("He works at Acme Inc. She does not.", &["He works at Acme Inc.", "She does not."]);
        check("\"Really?\" she said. \"Yes!\" He left.", &["\"Really?\" she said.", "\"Yes!\"", "He left."]);
        check("Well... maybe. Wait... What?!", &["Well... maybe.", "Wait...", "What?!"]);
        check("No. I won't. Take no. 5.", &["No.", "I won't.", "Take no. 5."]);
        check("I am 34. She is 5. Fine", &["I am 34.", "She is 5.", "Fine"]);
        check("Mr. Cy left. Dr.", &["Mr. Cy left.", "Dr."]);
        check("See example.com. Done.", &["See example.com.", "Done."]);
    }

    #[test]
    fn other_scripts() {
        check("我叫李文昊。我住在柏林！你呢？", &["我叫李文昊。", "我住在柏林！", "你呢？"]);
        check("「はい。」と言った。", &["「はい。」", "と言った。"]);
        check("मैं पिया हूँ। मुझे चाय पसंद है।", &["मैं पिया हूँ।", "मुझे चाय पसंद है।"]);
        check("هل تحب الشاي؟ نعم.", &["هل تحب الشاي؟", "نعم."]);
        check("Sie kam am 3. Mai an. Gut.", &["Sie kam am 3. Mai an.", "Gut."]);
        check("Das ist z.B. Bo. Ja.", &["Das ist z.B. Bo.", "Ja."]);
    }

    #[test]
    fn lines_and_lists() {
        check("- milk\n- two eggs\n\n1. Go\n2) Buy", &["milk", "two eggs", "Go", "Buy"]);
        check("I live\nin Oslo. And\nBo too", &["I live\nin Oslo.", "And", "Bo too"]);
        check("  \n ... \n", &[]);
        check("One line\r\nAnother", &["One line", "Another"]);
    }
}

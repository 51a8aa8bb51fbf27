//! Strings of the tolerant reader: quotes of any kind, quotes that should have been escaped, broken escapes.

use super::{Place, Problem, Reader, Repair, is_word_part, is_word_start};

/// Longest key that is looked for behind a comma.
const KEY_LENGTH: usize = 200;

impl Reader<'_> {
    /// A string in quotes of any kind; `None` when the text ends inside.
    pub(super) fn string(&mut self, place: Place) -> Result<Option<String>, Problem> {
        let Some(closing) = self.bump()?.and_then(closing_quotes) else { return Ok(None) };
        if closing != ['"'] {
            self.note(Repair::Quotes);
        }
        let mut out = String::new();
        loop {
            let Some(c) = self.bump()? else { return Ok(None) };
            if closing.contains(&c) {
                if self.closes(place)? {
                    return Ok(Some(out));
                }
                self.note(Repair::InnerQuote);
                out.push(c);
                continue;
            }
            match c {
                '\\' => {
                    if !self.escape(&mut out)? {
                        return Ok(None);
                    }
                }
                '\n' | '\t' => {
                    self.note(Repair::Control);
                    out.push(c);
                }
                '\r' => {
                    self.note(Repair::Control);
                    if self.peek() != Some('\n') {
                        out.push('\n');
                    }
                }
                c if c < ' ' => {
                    self.note(Repair::Control);
                    out.push(' ');
                }
                c => out.push(c),
            }
        }
    }

    /// Whether the quote just read ends the string, judged by what follows.
    fn closes(&mut self, place: Place) -> Result<bool, Problem> {
        if place == Place::Key {
            // No key holds a quote; a key that runs on would swallow the rest of the text.
            return Ok(true);
        }
        let rest = &self.text[self.at..];
        let after = rest.trim_start();
        self.burn(rest.len() - after.len() + 1)?;
        let crossed_line = rest[..rest.len() - after.len()].contains('\n');
        let Some(next) = after.chars().next() else { return Ok(true) };
        Ok(match next {
            '}' | ']' => true,
            ',' => {
                let following = after[1..].trim_start();
                self.burn(KEY_LENGTH.min(after.len()))?;
                if place == Place::Member { begins_member(following) } else { begins_element(following) }
            }
            '/' => after.starts_with("//") || after.starts_with("/*"),
            '#' => crossed_line,
            // The next member or element, its comma forgotten.
            c if closing_quotes(c).is_some() => {
                self.burn(KEY_LENGTH.min(after.len()))?;
                crossed_line || (place == Place::Member && begins_member(after) && has_colon(after))
            }
            '{' | '[' => place == Place::Element && crossed_line,
            _ => false,
        })
    }

    /// The part of an escape behind the backslash. `false`: the text ends inside.
    fn escape(&mut self, out: &mut String) -> Result<bool, Problem> {
        let Some(c) = self.bump()? else { return Ok(false) };
        match c {
            '"' | '\\' | '/' => out.push(c),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => return self.unicode_escape(out),
            '\'' | '`' | '\n' => {
                self.note(Repair::Escape);
                out.push(c);
            }
            c => {
                // `C:\dir`, `\d+`: the backslash was meant.
                self.note(Repair::Escape);
                out.push('\\');
                out.push(c);
            }
        }
        Ok(true)
    }

    fn unicode_escape(&mut self, out: &mut String) -> Result<bool, Problem> {
        let Some(unit) = self.hex4()? else {
            if self.text.len() - self.at < 4 && self.text[self.at..].chars().all(|c| c.is_ascii_hexdigit()) {
                self.at = self.text.len();
                return Ok(false);
            }
            self.note(Repair::Escape);
            out.push_str("\\u");
            return Ok(true);
        };
        if (0xD800..0xDC00).contains(&unit) && self.text[self.at..].starts_with("\\u") {
            let back = self.at;
            self.at += 2;
            match self.hex4()? {
                Some(low) if (0xDC00..0xE000).contains(&low) => {
                    let scalar = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                    out.extend(char::from_u32(scalar));
                    return Ok(true);
                }
                _ => self.at = back,
            }
        }
        match char::from_u32(unit) {
            Some(c) => out.push(c),
            None => {
                self.note(Repair::Surrogate);
                out.push('\u{fffd}');
            }
        }
        Ok(true)
    }

    fn hex4(&mut self) -> Result<Option<u32>, Problem> {
        self.burn(4)?;
        let digits = self.text.get(self.at..self.at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if unit.is_some() {
            self.at += 4;
        }
        Ok(unit)
    }
}

/// The quotes that close a string which `open` opens; `None` when it opens none.
pub(super) fn closing_quotes(open: char) -> Option<&'static [char]> {
    match open {
        '"' => Some(&['"']),
        '\'' => Some(&['\'']),
        '\u{201c}' | '\u{201e}' | '\u{201d}' => Some(&['\u{201d}', '\u{201c}', '"']),
        '\u{2018}' | '\u{201a}' | '\u{2019}' => Some(&['\u{2019}', '\u{2018}', '\'']),
        _ => None,
    }
}

/// Whether an object can go on with `text` behind a comma.
fn begins_member(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return true };
    if matches!(first, '}' | ',' | '/' | '#') {
        return true;
    }
    let rest = if let Some(closing) = closing_quotes(first) {
        let mut escaped = false;
        let mut length = 0;
        let end = text.char_indices().skip(1).find(|&(_, c)| {
            length += 1;
            let ends = length > KEY_LENGTH || (!escaped && closing.contains(&c));
            escaped = c == '\\' && !escaped;
            ends
        });
        match end {
            // The text ends inside the key, or the key is too long to judge.
            None => return true,
            Some(_) if length > KEY_LENGTH => return true,
            Some((at, c)) => &text[at + c.len_utf8()..],
        }
    } else if is_word_start(first) {
        text.trim_start_matches(is_word_part)
    } else {
        return false;
    };
    let rest = rest.trim_start();
    rest.is_empty() || rest.starts_with(':') || rest.starts_with("/*") || rest.starts_with("//")
}

/// Whether a list can go on with `text` behind a comma.
fn begins_element(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return true };
    if closing_quotes(first).is_some() || matches!(first, '{' | '[' | ']' | ',' | '-' | '/' | '#') {
        return true;
    }
    let word = &text[..text.len() - text.trim_start_matches(is_word_part).len()];
    first.is_ascii_digit() || matches!(word, "true" | "false" | "null" | "None" | "True" | "False" | "NaN")
}

/// Whether a colon follows within a key's length.
fn has_colon(text: &str) -> bool {
    text.chars().take(KEY_LENGTH).any(|c| c == ':')
}

//! Texts that others wrote, made harmless where they are shown, and numbers as people read them.

/// Text on one line in which nothing is Markdown: for headings, table cells and sentences.
pub fn markdown_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        for c in word.chars() {
            if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '#' | '$' | '&') {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out
}

/// The first `most` characters, with a dots' sign where more follow.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text[..at].trim_end()),
        None => text.to_owned(),
    }
}

/// A field of a CSV file: quoted where RFC 4180 asks for it. A text that a spreadsheet would take for a formula gets an apostrophe.
pub(super) fn csv_field(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// A figure with so many decimals; a dash where there is none.
pub fn figure(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| plain(value, decimals))
}

/// A number without a negative zero.
pub(super) fn plain(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// A p-value: a dash, `< 0.001`, or four decimals.
pub(super) fn p_value(p: Option<f64>) -> String {
    match p {
        None => "–".to_owned(),
        Some(p) if p < 0.001 => "< 0.001".to_owned(),
        Some(p) => format!("{p:.4}"),
    }
}

/// A name as the stem of a file: letters and digits of ASCII, `_` and `-` stay, everything else is `_`; at most 100 characters, and never
/// empty.
pub fn file_stem(name: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    let stem: String = name.trim().chars().take(100).map(safe).collect();
    if stem.is_empty() { "experiment".to_owned() } else { stem }
}

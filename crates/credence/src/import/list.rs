//! Markdown lists: each bullet is a statement. Headings, and bullets that only head others, say what those below are about: a heading that
//! names a topic ("Preferences") is kept as that, any other is taken for the subject.

use super::preview::{Format, ImportedStatement, Preview};
use super::when::read_when;
use crate::text;
use crate::time::Moment;

/// Share of the lines with words that are bullets, from which a text is a list.
const MOSTLY: f64 = 0.6;
/// Most words of a heading that can be a subject, and of a bullet that heads others.
const SHORT: usize = 5;

/// Headings that say what kind of thing follows, not whom it is about; English first, others by their commonest words.
const TOPICS: [&str; 58] = [
    "about",
    "about me",
    "basics",
    "bio",
    "career",
    "diet",
    "education",
    "facts",
    "family",
    "food",
    "friends",
    "general",
    "goals",
    "health",
    "hobbies",
    "home",
    "identity",
    "important",
    "info",
    "information",
    "interests",
    "likes",
    "dislikes",
    "me",
    "memories",
    "memory",
    "misc",
    "miscellaneous",
    "more",
    "music",
    "notes",
    "other",
    "people",
    "personal",
    "personal information",
    "pets",
    "plans",
    "preferences",
    "profile",
    "projects",
    "relationships",
    "skills",
    "things",
    "todo",
    "travel",
    "user",
    "work",
    "über mich",
    "vorlieben",
    "familie",
    "arbeit",
    "notizen",
    "sobre mí",
    "familia",
    "trabajo",
    "à propos",
    "famille",
    "travail",
];

struct Bullet<'a> {
    indent: usize,
    words: &'a str,
    is_done: Option<bool>,
}

enum Line<'a> {
    Heading(usize, &'a str),
    Bullet(Bullet<'a>),
    Words(&'a str),
    Blank,
}

fn line(raw: &str) -> Line<'_> {
    let words = raw.trim();
    if words.is_empty() || matches!(words, "---" | "***" | "___") {
        return Line::Blank;
    }
    let level = words.chars().take_while(|c| *c == '#').count();
    if (1..=6).contains(&level) && words[level..].starts_with(' ') {
        return Line::Heading(level, words[level..].trim().trim_end_matches('#').trim());
    }
    if let Some(bold) =
        words.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"))
        && !bold.contains("**")
    {
        return Line::Heading(6, bold.trim_end_matches(':').trim());
    }
    let indent = raw.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum();
    let marked = words.strip_prefix(['-', '*', '+', '•', '–', '◦', '·']).or_else(|| {
        let digits = words.len() - words.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        (1..=3).contains(&digits).then(|| words[digits..].strip_prefix(['.', ')'])).flatten()
    });
    match marked.filter(|rest| rest.starts_with(char::is_whitespace)).map(str::trim) {
        Some(rest) => {
            let boxed = [("[ ]", false), ("[x]", true), ("[X]", true)];
            let found = boxed.iter().find_map(|(mark, done)| Some((rest.strip_prefix(mark)?.trim(), *done)));
            let (words, is_done) = found.map_or((rest, None), |(words, done)| (words, Some(done)));
            Line::Bullet(Bullet { indent, words, is_done })
        }
        None => Line::Words(words),
    }
}

/// Whether a text is mostly a list.
pub(super) fn is_list(content: &str) -> bool {
    let (mut bullets, mut others) = (0_usize, 0_usize);
    for raw in content.lines() {
        match line(raw) {
            Line::Bullet(_) => bullets += 1,
            // Lines that go on from a bullet are its own.
            Line::Words(_) if bullets > 0 && raw.starts_with([' ', '\t']) => {}
            Line::Words(_) => others += 1,
            Line::Heading(..) | Line::Blank => {}
        }
    }
    bullets >= 2 && bullets as f64 >= MOSTLY * (bullets + others) as f64
}

/// A bullet with the lines that go on from it.
struct Item {
    line: usize,
    indent: usize,
    words: String,
    is_done: Option<bool>,
    headings: Vec<String>,
}

pub(super) fn read(file: &str, content: &str, now: Moment) -> Preview {
    let mut preview = Preview::new(Format::List, file);
    let (items, loose) = items(content);
    preview.skip("between the bullets", loose, "lines that are no bullet");
    // Bullets above the present one, by indent, that say whom those below are about.
    let mut above: Vec<(usize, Option<String>)> = Vec::new();
    for (n, item) in items.iter().enumerate() {
        above.retain(|(indent, _)| *indent < item.indent);
        let has_children =
            items.get(n + 1).is_some_and(|next| next.indent > item.indent && next.headings == item.headings);
        let place = format!("line {}", item.line);
        let words = item.words.trim();
        let is_short = words.split_whitespace().count() <= SHORT && !words.ends_with(['.', '!', '?', '。']);
        if has_children && (words.ends_with([':', '：']) || is_short) {
            let name = words.trim_end_matches([':', '：']).trim().to_owned();
            preview.skip(place, 1, format!("“{}” heads the bullets below it", text::excerpt(&name, 60)));
            above.push((item.indent, Some(name)));
            continue;
        }
        above.push((item.indent, None));
        if !words.chars().any(char::is_alphanumeric) {
            preview.skip(place, 1, "a bullet without words");
            continue;
        }
        if item.is_done == Some(false) {
            preview.skip(place, 1, format!("a task that is open, no fact: “{}”", text::excerpt(words, 60)));
            continue;
        }
        let (at, words) = dated(words, now);
        let mut topic: Vec<&str> = item.headings.iter().map(String::as_str).collect();
        topic.extend(above.iter().filter_map(|(_, name)| name.as_deref()));
        let subject = topic.iter().rev().find(|name| is_subject(name)).copied().unwrap_or_default();
        preview.statements.push(ImportedStatement {
            text: plain(words),
            subject: subject.to_owned(),
            topic: topic.join(" › "),
            at,
            place,
            ..ImportedStatement::default()
        });
    }
    preview
}

/// The bullets, and how many lines belong to none.
fn items(content: &str) -> (Vec<Item>, usize) {
    let (mut items, mut loose): (Vec<Item>, usize) = (Vec::new(), 0);
    let mut headings: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (n, raw) in content.lines().enumerate() {
        match line(raw) {
            Line::Heading(level, title) => {
                headings.retain(|(above, _)| *above < level);
                headings.push((level, plain(title)));
                is_open = false;
            }
            Line::Bullet(Bullet { indent, words, is_done }) => {
                let headings = headings.iter().map(|(_, title)| title.clone()).collect();
                items.push(Item { line: n + 1, indent, words: words.to_owned(), is_done, headings });
                is_open = true;
            }
            Line::Words(words) => {
                match items.last_mut().filter(|_| is_open && raw.starts_with([' ', '\t'])) {
                    Some(item) => {
                        item.words.push(' ');
                        item.words.push_str(words);
                    }
                    None => loose += 1,
                }
            }
            Line::Blank => {}
        }
    }
    (items, loose)
}

fn is_subject(heading: &str) -> bool {
    let folded = text::fold(heading.trim().trim_end_matches([':', '：']));
    !folded.is_empty() && folded.split_whitespace().count() <= SHORT && !TOPICS.contains(&folded.as_str())
}

/// A date in front, as lists of memories have it: `[2025-03-01] …` or `2025-03-01: …`.
fn dated(words: &str, now: Moment) -> (Option<Moment>, &str) {
    let bracketed = words.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let split = bracketed.or_else(|| words.get(..10).map(|date| (date, &words[10..])));
    match split.and_then(|(date, rest)| Some((read_when(date, now)?, rest))) {
        Some((at, rest)) => (Some(at), rest.trim_start_matches([' ', ':', '-', '–', '—', '.']).trim()),
        None => (None, words),
    }
}

/// Without the marks of emphasis and links.
fn plain(words: &str) -> String {
    let mut plain = words.replace("**", "").replace("__", "").replace('`', "");
    while let Some((open, close, end)) = link(&plain) {
        let label = plain[open + 1..close].to_owned();
        plain.replace_range(open..end, &label);
    }
    plain.trim().to_owned()
}

/// `[label](address)`: where the bracket opens, where it closes, where the address ends.
fn link(words: &str) -> Option<(usize, usize, usize)> {
    let close = words.find("](")?;
    let open = words[..close].rfind('[')?;
    let end = close + words[close..].find(')')? + 1;
    Some((open, close, end))
}

//! Chunks: a text is cut into passages that a model reads well, at the best place that there is: before a heading, else between
//! paragraphs, else between sentences, else between words, else between characters as people see them. No passage repeats another,
//! and together they are the text.
//!
//! Source: dice 3.8 (1500 characters, 200 of context, section titles kept). Where it cuts each paragraph apart once a section is too
//! long, we fill every passage as far as the best kind of cut allows.

use unicode_segmentation::UnicodeSegmentation;

use crate::text;

/// One passage of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// The passage, trimmed.
    pub text: &'a str,
    /// Characters from the text's start, inclusive.
    pub start: u32,
    /// Characters from the text's start, exclusive.
    pub end: u32,
    /// The headings that its beginning stands under, outermost first, joined by ` › `; empty without any.
    pub section: String,
}

/// A Markdown heading: where its line begins, its level from 1, its words.
struct Heading<'a> {
    at: usize,
    level: usize,
    title: &'a str,
}

/// Cuts a text into passages of at most `most` characters (at least 1). A blank text has none.
pub fn chunks(text: &str, most: usize) -> Vec<Chunk<'_>> {
    let headings = headings(text);
    let mut found = Vec::new();
    let (mut from, mut chars_before) = (0, 0);
    while from < text.len() {
        let rest = &text[from..];
        let length = cut(text, from, most.max(1), &headings);
        let piece = &rest[..length];
        let trimmed = piece.trim();
        if !trimmed.is_empty() {
            let lead = piece.len() - piece.trim_start().len();
            let start = chars_before + piece[..lead].chars().count();
            found.push(Chunk {
                text: trimmed,
                start: number(start),
                end: number(start + trimmed.chars().count()),
                section: section(&headings, from + lead),
            });
        }
        chars_before += piece.chars().count();
        from += length;
    }
    found
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// How many bytes from `from` on the next passage takes, white space around it included.
fn cut(text: &str, from: usize, most: usize, headings: &[Heading<'_>]) -> usize {
    let rest = &text[from..];
    // White space in front counts for no passage.
    let lead = rest.len() - rest.trim_start().len();
    let Some((room, _)) = rest[lead..].char_indices().nth(most).map(|(at, c)| (lead + at, c)) else {
        return rest.len();
    };
    if rest[lead..].trim_end().chars().count() <= most {
        return rest.len();
    }
    let window = &rest[..room];
    // A cut that would leave a sliver, such as a heading without its text, waits for a better one.
    let sliver = lead + window[lead..].char_indices().nth(most / 3).map_or(0, |(at, _)| at);
    // A little more than the window, so that what ends exactly at its end is seen to end there.
    let ahead = &rest[..rest[room..].char_indices().nth(12).map_or(rest.len(), |(at, _)| room + at)];
    let best =
        |ends: &mut dyn Iterator<Item = usize>| ends.filter(|at| (sliver.max(1)..=room).contains(at)).max();
    best(&mut headings.iter().filter(|heading| heading.at > from).map(|heading| heading.at - from))
        .or_else(|| best(&mut paragraph_ends(window)))
        .or_else(|| best(&mut sentence_ends(ahead)))
        .or_else(|| best(&mut ahead.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at)))
        .or_else(|| best(&mut ahead.grapheme_indices(true).map(|(at, _)| at)))
        .unwrap_or(room)
}

/// The ends of blank lines.
fn paragraph_ends(text: &str) -> impl Iterator<Item = usize> {
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        at += line.len();
        (line.trim().is_empty() && line.ends_with('\n')).then_some(at)
    })
}

fn sentence_ends(text: &str) -> impl Iterator<Item = usize> {
    let start = text.as_ptr() as usize;
    text::sentences(text).into_iter().map(move |sentence| sentence.as_ptr() as usize - start + sentence.len())
}

/// `# Title` to `###### Title`, outside fenced code.
fn headings(text: &str) -> Vec<Heading<'_>> {
    let mut found = Vec::new();
    let (mut at, mut fence) = (0, None);
    for line in text.split_inclusive('\n') {
        let (begin, bare) = (at, line.trim());
        at += line.len();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        let level = bare.bytes().take_while(|byte| *byte == b'#').count();
        if fence.is_none() && (1..=6).contains(&level) && bare[level..].starts_with([' ', '\t']) {
            let title = bare[level..].trim().trim_end_matches('#').trim();
            found.push(Heading { at: begin, level, title });
        }
    }
    found
}

/// The titles that stand above `at`.
fn section(headings: &[Heading<'_>], at: usize) -> String {
    let mut path: Vec<&Heading<'_>> = Vec::new();
    for heading in headings.iter().filter(|heading| heading.at < at) {
        path.retain(|above| above.level < heading.level);
        path.push(heading);
    }
    // A heading that the passage opens with replaces those of its level.
    if let Some(own) = headings.iter().find(|heading| heading.at == at) {
        path.retain(|above| above.level < own.level);
    }
    path.iter().map(|heading| heading.title).filter(|title| !title.is_empty()).collect::<Vec<_>>().join(" › ")
}

/// The end of a passage, at most `most` characters, from the start of a sentence on, else of a word. All of it when it is short.
pub(crate) fn tail(passage: &str, most: usize) -> &str {
    let count = passage.chars().count();
    if count <= most {
        return passage;
    }
    let from = passage.char_indices().nth(count - most).map_or(passage.len(), |(at, _)| at);
    let sentence = sentence_ends(passage).find(|at| (from..passage.len()).contains(at));
    let word = || passage[from..].find(char::is_whitespace).map(|at| from + at);
    passage[sentence.or_else(word).unwrap_or(from)..].trim()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str, most: usize) -> Vec<&str> {
        chunks(text, most).into_iter().map(|chunk| chunk.text).collect()
    }

    #[test]
    fn a_text_that_fits_is_one_passage() {
        assert_eq!(texts("  Kayaks float.\n", 14), ["  Kayaks float.\n".trim()]);
        assert!(texts(" \n ", 10).is_empty());
        let exact = "x".repeat(1500);
        assert_eq!(texts(&exact, 1500).len(), 1);
        assert_eq!(texts(&format!("{exact}y"), 1500).len(), 2);
    }

    #[test]
    fn headings_then_paragraphs_then_sentences_then_words_then_characters() {
        let doc = "# Boats\n\nKayaks float well.\n\n## Care\n\nWash the hull. Dry it.\n";
        assert_eq!(texts(doc, 40), ["# Boats\n\nKayaks float well.", "## Care\n\nWash the hull. Dry it."]);
        assert_eq!(texts("One two three.\n\nFour five six.", 20), ["One two three.", "Four five six."]);
        assert_eq!(texts("One two three. Four five six.", 20), ["One two three.", "Four five six."]);
        assert_eq!(texts("one two three four five", 12), ["one two", "three four", "five"]);
        assert_eq!(texts("aaaaaaaaaaaa", 5), ["aaaaa", "aaaaa", "aa"]);
    }

    #[test]
    fn scripts_without_spaces_and_characters_of_several_points() {
        assert_eq!(
            texts("我住在上海。我喜欢喝茶。我有一只猫。", 8),
            ["我住在上海。", "我喜欢喝茶。", "我有一只猫。"]
        );
        assert_eq!(texts("मैं दिल्ली में रहता हूँ। मुझे चाय पसंद है।", 26).len(), 2);
        let family = "👨‍👩‍👧‍👦";
        let families = family.repeat(3);
        let piece = texts(&families, 10);
        assert!(piece.iter().all(|piece| piece.contains(family)), "no character is torn: {piece:?}");
    }

    #[test]
    fn a_passage_knows_the_headings_above_it() {
        let long = "Kayaks float. ".repeat(8);
        let doc = format!("# Boats\n\n## Sea\n\n{long}\n```\n# not a heading\n```\n\n## River ##\n\n{long}");
        let found = chunks(&doc, 60);
        assert_eq!(found[0].section, "", "it opens with the headings themselves");
        assert_eq!(found[1].section, "Boats › Sea");
        assert_eq!(found.last().map(|chunk| chunk.section.as_str()), Some("Boats › River"));
        let river = found.iter().find(|chunk| chunk.text.starts_with("## River")).unwrap();
        assert_eq!(river.section, "Boats");
    }

    #[test]
    fn the_context_of_a_passage_begins_with_a_sentence() {
        assert_eq!(tail("One two. Three four. Five six.", 24), "Three four. Five six.");
        assert_eq!(tail("one two three four", 12), "three four");
        assert_eq!(tail("short", 200), "short");
        assert_eq!(tail("我住在上海。我喜欢喝茶。", 8), "我喜欢喝茶。");
    }

    proptest! {
        /// Nothing is lost, nothing is read twice, nothing is too long.
        #[test]
        fn passages_are_the_text(words in prop::collection::vec("[a-zäß。我👍#.\n ]{0,12}", 0..80), most in 1_usize..90) {
            let doc = words.join(" ");
            let found = chunks(&doc, most);
            let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(bare(&found.iter().map(|chunk| chunk.text).collect::<String>()), bare(&doc));
            let all: Vec<char> = doc.chars().collect();
            for chunk in &found {
                let size = (chunk.end - chunk.start) as usize;
                prop_assert!(size <= most, "{} > {}", size, most);
                prop_assert_eq!(all[chunk.start as usize..chunk.end as usize].iter().collect::<String>(), chunk.text);
            }
        }
    }
}

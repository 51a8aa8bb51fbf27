//! Context compressors: the part of a text that tells which of several things a name means (dice 5.7). Lengths are
//! characters; cuts never part a letter from its marks.

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::text;

/// Characters kept on each side of a name, and the distance below which two finds are one snippet.
const AROUND: usize = 100;
const SNIPPETS: usize = 3;
const TOTAL: usize = 500;
/// How far a cut moves to fall between words.
const SLACK: usize = 20;
/// Sentences of the sentence compressor, without the two neighbours that it may add.
const SENTENCES: usize = 3;
/// Below this length a text is short enough whole; below the next, sentences are; else snippets.
const SHORT: usize = 500;
const MEDIUM: usize = 2000;
/// Shortest word of a name that is looked for alone.
const WORD: usize = 3;

/// How the context of a question is cut down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Compressor {
    /// Up to three snippets of a hundred characters around the name, 500 in all.
    #[default]
    Window,
    /// Up to three sentences with the name, and their neighbours.
    Sentence,
    /// All of a text below 500 characters, sentences below 2000, else snippets.
    Adaptive,
    /// All of it.
    Whole,
}

impl Compressor {
    /// What of `text` tells about `name`. `None` when either is blank.
    pub fn compress(self, text: &str, name: &str) -> Option<String> {
        if text.trim().is_empty() || name.trim().is_empty() {
            return None;
        }
        let text: String = text.trim().nfc().collect();
        Some(match self {
            Self::Whole => text,
            Self::Window => window(&text, name),
            Self::Sentence => sentence(&text, name),
            Self::Adaptive => match text.chars().count() {
                0..SHORT => text,
                SHORT..MEDIUM => sentence(&text, name),
                _ => window(&text, name),
            },
        })
    }
}

/// A text as folded characters, each with the position of the character it came from.
struct Folded {
    chars: Vec<char>,
    from: Vec<usize>,
}

impl Folded {
    fn new(text: &[char]) -> Self {
        let mut folded = Self { chars: Vec::new(), from: Vec::new() };
        for (at, c) in text.iter().enumerate() {
            for lower in text::fold(c.encode_utf8(&mut [0; 4])).chars() {
                folded.chars.push(lower);
                folded.from.push(at);
            }
        }
        folded
    }
    /// Where `needle` stands in the text, as ranges of its characters; whole words only, except in scripts without spaces.
    fn find(&self, needle: &str) -> Vec<(usize, usize)> {
        let needle: Vec<char> = text::fold(needle).chars().collect();
        let mut found = Vec::new();
        let mut at = 0;
        while !needle.is_empty() && at + needle.len() <= self.chars.len() {
            let end = at + needle.len();
            if self.chars[at..end] == needle[..] && self.is_boundary(at) && self.is_boundary(end) {
                found.push((self.from[at], self.from[end - 1] + 1));
                at = end;
            } else {
                at += 1;
            }
        }
        found
    }
    fn is_boundary(&self, at: usize) -> bool {
        let spaced = |c: &char| c.is_alphanumeric() && !text::is_unspaced(*c);
        let before = at.checked_sub(1).and_then(|n| self.chars.get(n));
        !(before.is_some_and(spaced) && self.chars.get(at).is_some_and(spaced))
    }
}

fn occurrences(text: &[char], name: &str) -> Vec<(usize, usize)> {
    let folded = Folded::new(text);
    let whole = folded.find(name.trim());
    if !whole.is_empty() {
        return whole;
    }
    let words = name.split_whitespace().filter(|word| word.chars().count() >= WORD);
    let mut found: Vec<(usize, usize)> = words.flat_map(|word| folded.find(word)).collect();
    found.sort_unstable();
    found
}

fn window(text: &str, name: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for (start, end) in occurrences(&chars, name) {
        match ranges.last_mut() {
            Some(last) if start < last.1 + AROUND => last.1 = last.1.max(end),
            _ => ranges.push((start, end)),
        }
    }
    if ranges.is_empty() {
        return beginning(&chars);
    }
    let snippets: Vec<String> =
        ranges.into_iter().take(SNIPPETS).map(|(start, end)| snippet(&chars, start, end)).collect();
    cut(&snippets.join(" ... "), TOTAL)
}

fn snippet(chars: &[char], start: usize, end: usize) -> String {
    let mut from = start.saturating_sub(AROUND);
    let mut to = (end + AROUND).min(chars.len());
    if from > 0 {
        let space = (from..start.min(from + SLACK)).find(|at| chars[*at].is_whitespace());
        from = space.map_or(from, |at| at + 1);
        while from < start && is_combining_mark(chars[from]) {
            from += 1;
        }
    }
    if to < chars.len() {
        let space = (end.max(to.saturating_sub(SLACK))..to).rev().find(|at| chars[*at].is_whitespace());
        to = space.unwrap_or(to);
        while to < chars.len() && is_combining_mark(chars[to]) {
            to += 1;
        }
    }
    let body: String = chars[from..to].iter().collect();
    let (left, right) = (if from > 0 { "…" } else { "" }, if to < chars.len() { "…" } else { "" });
    format!("{left}{}{right}", body.trim())
}

/// The text up to the last sentence end behind the middle of the room, else up to a space.
fn beginning(chars: &[char]) -> String {
    if chars.len() <= TOTAL {
        return chars.iter().collect();
    }
    let ends = |at: &usize| matches!(chars[*at], '.' | '!' | '?' | '。' | '！' | '？' | '؟' | '।');
    match (TOTAL / 2..TOTAL).rev().find(ends) {
        Some(end) => chars[..=end].iter().collect(),
        None => {
            let end = (TOTAL / 2..TOTAL).rev().find(|at| chars[*at].is_whitespace()).unwrap_or(TOTAL);
            let head: String = chars[..end].iter().collect();
            format!("{}…", head.trim_end())
        }
    }
}

fn sentence(text: &str, name: &str) -> String {
    let sentences = text::sentences(text);
    let hits: Vec<usize> = sentences
        .iter()
        .enumerate()
        .filter(|(_, sentence)| !occurrences(&sentence.chars().collect::<Vec<char>>(), name).is_empty())
        .map(|(n, _)| n)
        .take(SENTENCES)
        .collect();
    if hits.is_empty() {
        return sentences.iter().take(SENTENCES).copied().collect::<Vec<_>>().join(" ");
    }
    let near = |n: &usize| hits.iter().any(|hit| hit.abs_diff(*n) <= 1);
    let mut kept: Vec<usize> = (0..sentences.len()).filter(near).collect();
    // Neighbours go first when there are too many.
    while kept.len() > SENTENCES + 2 {
        let Some(place) = kept.iter().rposition(|n| !hits.contains(n)) else { break };
        kept.remove(place);
    }
    kept.into_iter().map(|n| sentences[n]).collect::<Vec<_>>().join(" ")
}

/// The first `most` characters, with an ellipsis where something is missing.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let mut chars = text.char_indices().skip(most).skip_while(|(_, c)| is_combining_mark(*c));
    match chars.next() {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filler(words: usize) -> String {
        "lorem ".repeat(words)
    }

    #[test]
    fn blank_is_nothing_and_whole_is_whole() {
        for compressor in [Compressor::Window, Compressor::Sentence, Compressor::Adaptive, Compressor::Whole]
        {
            assert_eq!(compressor.compress(" ", "Sam"), None);
            assert_eq!(compressor.compress("Sam is here.", " "), None);
            assert_eq!(compressor.compress("Sam is here.", "Sam").as_deref(), Some("Sam is here."));
        }
    }

    #[test]
    fn snippets_stand_around_the_name_and_merge_when_near() {
        let text = format!("{}SAM met Sam. {}sam left. {}", filler(40), filler(60), filler(40));
        let out = Compressor::Window.compress(&text, "Sam").unwrap();
        assert_eq!(out.matches(" ... ").count(), 1, "{out}");
        assert!(out.starts_with("…lorem") && out.ends_with('…') && out.contains("SAM met Sam."), "{out}");
        assert!(out.chars().count() <= 501);
        let many = format!("{0}Sam {0}Sam {0}Sam {0}Sam", filler(50));
        let out = Compressor::Window.compress(&many, "Sam").unwrap();
        assert_eq!(
            (out.matches(" ... ").count(), out.chars().count() <= 501),
            (2, true),
            "three at most: {out}"
        );
        let samples = Compressor::Window.compress(&format!("{}samples", filler(30)), "Sam").unwrap();
        assert!(samples.starts_with("lorem"), "no whole word: the beginning instead");
    }

    #[test]
    fn a_word_of_the_name_is_enough_and_other_scripts_are_found() {
        let text = format!("{}Brahms lived in Vienna. {}", filler(40), filler(40));
        let out = Compressor::Window.compress(&text, "Johannes Brahms").unwrap();
        assert!(out.contains("Brahms lived") && out.starts_with('…'), "{out}");
        let text = format!("{}我在青石科技上班。{}", "好".repeat(300), "好".repeat(300));
        let out = Compressor::Window.compress(&text, "青石科技").unwrap();
        assert!(out.contains("我在青石科技上班"), "{out}");
        let decomposed = format!("{}Jose\u{301} cooks. {}", filler(40), filler(40));
        assert!(Compressor::Window.compress(&decomposed, "JOSÉ").unwrap().contains("José cooks"));
    }

    #[test]
    fn without_the_name_the_beginning_ends_at_a_sentence() {
        let text = format!("{}End. {}", filler(60), filler(60));
        let out = Compressor::Window.compress(&text, "Zed").unwrap();
        assert!(out.ends_with("End.") && out.chars().count() < 500, "{out}");
        assert!(Compressor::Window.compress(&filler(120), "Zed").unwrap().ends_with("lorem…"));
    }

    #[test]
    fn sentences_come_with_neighbours_and_at_most_two_more() {
        let text = "One a. Two b. Sam c. Four d. Five e.";
        assert_eq!(Compressor::Sentence.compress(text, "Sam").unwrap(), "Two b. Sam c. Four d.");
        let text = "A a. Sam b. C c. Sam d. E e. Sam f. G g. Sam h.";
        let out = Compressor::Sentence.compress(text, "Sam").unwrap();
        assert_eq!(text::sentences(&out).len(), 5, "{out}");
        assert_eq!(Compressor::Sentence.compress("A a. B b. C c. D d.", "Sam").unwrap(), "A a. B b. C c.");
    }

    #[test]
    fn the_adaptive_one_goes_by_length() {
        let sentence = "Sam is here. ";
        let short = sentence.repeat(20);
        assert_eq!(Compressor::Adaptive.compress(&short, "Sam").unwrap(), short.trim());
        let medium = format!("{}Sam. {}", "Nothing here now. ".repeat(40), "Nothing more of it. ".repeat(20));
        let out = Compressor::Adaptive.compress(&medium, "Sam").unwrap();
        assert_eq!(out, "Nothing here now. Sam. Nothing more of it.");
        let long = format!("{}Sam {}", filler(300), filler(300));
        assert!(Compressor::Adaptive.compress(&long, "Sam").unwrap().starts_with('…'));
    }
}

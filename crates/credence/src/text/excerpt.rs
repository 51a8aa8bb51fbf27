//! Cutting a text for display.

use unicode_segmentation::UnicodeSegmentation;

/// The text on one line, cut to at most `limit` characters as readers count them (grapheme clusters), at a
/// word's end where one is near, with an ellipsis where it was cut.
pub fn excerpt(text: &str, limit: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((cut, _)) = line.grapheme_indices(true).nth(limit) else { return line };
    let kept = line.grapheme_indices(true).nth(limit.saturating_sub(1)).map_or(0, |(at, _)| at.min(cut));
    let head = &line[..kept];
    let at_word = head.rfind(' ').filter(|at| at * 4 >= kept * 3).map_or(head, |at| &head[..at]);
    format!("{}…", at_word.trim_end_matches([' ', ',', ';', ':', '-', '–']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_at_words_and_never_inside_a_character() {
        assert_eq!(excerpt("short\n text", 20), "short text");
        assert_eq!(excerpt("one two three four", 15), "one two three…");
        assert_eq!(excerpt("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 2), "👩‍👩‍👧…");
        assert_eq!(excerpt("exactly", 7), "exactly");
        assert!(excerpt(&"x".repeat(99), 10).chars().count() <= 10);
    }
}

//! How a sentence ended, and the abbreviations that keep their full stop. Where sentences end, `text::sentences` says.

/// What closed a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Statement,
    Exclamation,
    Question,
}

impl End {
    /// Reads the marks at the end of a sentence, closing quotes and brackets skipped.
    pub(super) fn of(sentence: &str) -> Self {
        let tail: String = sentence.chars().rev().take_while(|c| !c.is_alphanumeric()).collect();
        if tail.contains(['?', '\u{ff1f}', '\u{61f}']) {
            Self::Question
        } else if tail.contains(['!', '\u{ff01}']) {
            Self::Exclamation
        } else {
            Self::Statement
        }
    }
}

/// Words that keep their full stop within a sentence.
pub(super) const ABBREVIATIONS: [&str; 19] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "vs", "approx", "mt", "ft", "ave", "inc", "ltd", "co",
    "dept", "etc", "no",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_marks_decide() {
        for (text, end) in [
            ("Is it?", End::Question),
            ("Really?!", End::Question),
            ("\u{4f60}\u{597d}\u{ff1f}", End::Question),
            ("(Why?)", End::Question),
            ("Wow!", End::Exclamation),
            ("It is.", End::Statement),
            ("No mark", End::Statement),
        ] {
            assert_eq!(End::of(text), end, "{text}");
        }
    }
}

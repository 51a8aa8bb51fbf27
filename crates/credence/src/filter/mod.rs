//! Mention filters: which spans may become entities. A statement is never lost to them: a rejected mention stays in its text,
//! unresolved (dice 3.3).

mod rule;

pub use rule::{Guard, Length, MentionRule, MinWords, Pattern, RuleError, Rules, Starters, VAGUE_STARTERS};

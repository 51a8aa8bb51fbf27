//! What texts say, as far as their words tell: deterministic, without a model.
//!
//! - [`canonical`]: when two texts are the same statement; [`fold`]: case and compatibility forms.
//! - [`difference`]: why two texts are not the same (numbers, dates, names, denial); [`Particulars`] holds
//!   those.
//! - [`polarity`], [`opposes`]: what is denied, and whether two statements exclude each other.
//! - [`ComparableText`]: a text that is compared with many, read once.
//! - [`holding`]: whether a text says what a statement says.
//! - [`variation`]: statements that are the same but for an amount, a time or a value. [`overlap`]: common words.
//! - [`slot`]: plain statements as subject, relation and value. [`asserts`]: whether a statement asserts a predicate.
//! - [`words`], [`terms`], [`content_terms`], [`stem`]: what search and grounding compare.
//! - [`sentences`]: where sentences end. [`excerpt`]: cutting for display.
//! - [`name_form`], [`compare_names`]: spellings of one name.
//! - [`redact`]: credentials out of a text before it goes anywhere.
//!
//! Nothing here works on substrings or ASCII alone. Which languages each part reads is said on its page; what
//! it does not read it leaves undecided. Source: dice 4.2, 5.2 and section 13.

mod antonyms;
mod canonical;
mod card;
mod cardinality;
mod chars;
mod comparable;
mod contraction;
mod dates;
mod excerpt;
mod grammar;
mod holding;
mod language;
mod names;
mod negation;
mod opposition;
mod particulars;
mod places;
mod predicate;
mod preference;
mod secret_shapes;
mod secrets;
mod sentences;
mod slot;
mod slot_conflict;
mod slot_foreign;
mod slot_patterns;
mod slot_shapes;
mod stem;
mod validity;
mod variation;
mod variation_words;
mod words;

pub use canonical::canonical;
pub use cardinality::{Cardinality, cardinality};
pub(crate) use chars::is_unspaced;
pub use chars::{fold, without_accents};
pub use comparable::ComparableText;
pub(crate) use comparable::Texts;
pub(crate) use dates::compatible as compatible_dates;
pub use dates::is_time_or_number;
pub use excerpt::excerpt;
pub use holding::{Holding, holding};
pub use language::{Language, is_stopword, language};
pub use names::{ComparableName, Likeness, NameMatch, NameRules, compare_names, name_form, normal_name};
pub use negation::{Polarity, polarity};
pub use opposition::{Opposition, OppositionKind, Overlap, opposes, overlap};
pub use particulars::{Difference, DifferenceKind, Particulars, difference, same_but_written};
pub(crate) use places::is_region;
pub use predicate::{asserts, predicate_words};
pub use secrets::{Redacted, redact};
pub use sentences::sentences;
pub use slot::{Held, Slot, slot, slot_by};
pub use stem::stem;
pub use validity::{Period, Validity, same_but_over, says_over, validity};
pub use variation::{Variation, VariationKind, variation};
pub(crate) use words::topic_words;
pub use words::{QueryTerm, content_terms, count_words, query_terms, terms, words};

#[cfg(test)]
mod tests;

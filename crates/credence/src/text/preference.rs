//! Attitudes: who likes or dislikes what, and how strongly. The words are a table chosen by us.

use super::negation::Clause;
use super::opposition::starts_with;
use super::stem::{is_past_form, stem};

/// Where an attitude lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Likes,
    Loves,
    Hates,
}

/// One attitude, read from one clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Taste {
    /// Words before the verb.
    pub(super) subject: Vec<String>,
    /// Words after it.
    pub(super) object: Vec<String>,
    verb: String,
    side: Side,
    negated: bool,
    past: bool,
}

/// Phrases as stems for English, as forms elsewhere.
const LIKES: &[&str] = &[
    "like",
    "enjoy",
    "be fond of",
    "be into",
    "mag",
    "mögen",
    "aime",
    "aim",
    "gusta",
    "gustan",
    "нравится",
    "любит",
    "люблю",
    "喜 欢",
];
const LOVES: &[&str] = &[
    "love",
    "ador",
    "be fan of",
    "be a fan of",
    "be big fan of",
    "be a big fan of",
    "be huge fan of",
    "be a huge fan of",
    "be crazy about",
    "liebt",
    "liebe",
    "adore",
    "encanta",
    "ama",
    "adora",
    "обожает",
    "爱",
    "热 爱",
];
const HATES: &[&str] = &[
    "hate",
    "dislik",
    "detest",
    "loath",
    "despis",
    "can stand",
    "could stand",
    "can bear",
    "be sick of",
    "hasst",
    "hasse",
    "verabscheut",
    "détest",
    "déteste",
    "hait",
    "odia",
    "detesta",
    "ненавидит",
    "ненавижу",
    "讨 厌",
    "恨",
];
/// Of [`HATES`], those that say the opposite when the clause is not negated: "can stand", "could bear".
const ONLY_NEGATED: [&str; 3] = ["can stand", "could stand", "can bear"];
/// Emphasis between subject and verb, or after the object.
const EMPHASIS: &[&str] = &[
    "really",
    "truly",
    "absolutely",
    "just",
    "still",
    "also",
    "now",
    "always",
    "so",
    "very much",
    "so much",
    "a lot",
    "any more",
    "anymore",
    "these days",
    "at all",
    "totally",
    "even",
    "simply",
    "genuinely",
    "sehr",
    "beaucoup",
    "vraiment",
    "mucho",
    "очень",
    "很",
    "非 常",
];
/// Words that make the clause something else than a plain attitude of its subject.
const HEDGES: [&str; 24] = [
    "may",
    "might",
    "would",
    "could",
    "will",
    "if",
    "that",
    "who",
    "used",
    "think",
    "thinks",
    "say",
    "says",
    "said",
    "believe",
    "believes",
    "seems",
    "wants",
    "when",
    "whether",
    "maybe",
    "perhaps",
    "vielleicht",
    "puede",
];

/// Reads an attitude; `None` where the clause is not plainly one.
pub(super) fn taste(clause: &Clause) -> Option<Taste> {
    let stems: Vec<String> = clause.words.iter().map(|word| stem(word)).collect();
    let (at, n, verb, side) = (1..stems.len()).find_map(|at| {
        [(HATES, Side::Hates), (LOVES, Side::Loves), (LIKES, Side::Likes)].into_iter().find_map(
            |(table, side)| {
                let (n, phrase) =
                    starts_with(table, &stems[at..]).or_else(|| starts_with(table, &clause.words[at..]))?;
                Some((at, n, phrase, side))
            },
        )
    })?;
    let only_negated = ONLY_NEGATED.contains(&verb);
    if only_negated && !clause.negated {
        return None;
    }
    let subject = strip(&clause.words[..at]);
    let object = strip(&clause.words[at + n..]);
    let hedged = subject.iter().any(|word| HEDGES.contains(&word.as_str()));
    if subject.is_empty() || object.is_empty() || hedged || subject.len() > 5 {
        return None;
    }
    let written = clause.words[at..at + n].join(" ");
    let verb = if only_negated { written.replacen(' ', " not ", 1) } else { written };
    let first = clause.words[at].as_str();
    let past = clause.past_auxiliary || first == "could" || is_past_form(first);
    Some(Taste { subject, object, verb, side, negated: clause.negated && !only_negated, past })
}

fn strip(words: &[String]) -> Vec<String> {
    super::negation::without_companions(words, EMPHASIS)
}

impl Taste {
    /// Whether two attitudes towards one thing exclude each other. "Does not love" does not exclude "likes",
    /// "does not hate" excludes "hates" alone, and what was liked once may be hated today.
    pub(super) fn clash(one: &Taste, other: &Taste) -> bool {
        let excludes = |a: &Taste, b: &Taste| match (a.side, a.negated, b.side, b.negated) {
            (Side::Hates, false, Side::Likes | Side::Loves, false) => true,
            (Side::Likes, true, Side::Likes | Side::Loves, false) => true,
            (x, true, y, false) => x == y,
            _ => false,
        };
        one.past == other.past && (excludes(one, other) || excludes(other, one))
    }

    /// The verb as the reason quotes it.
    pub(super) fn quote(&self) -> String {
        if self.negated { format!("not \"{}\"", self.verb) } else { format!("\"{}\"", self.verb) }
    }
}

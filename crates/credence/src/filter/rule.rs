//! Rules for the span of a mention: what may name something. Each rule is a value that a host writes as JSON; parameters that
//! cannot be are refused when the rule is made or read, never when it is applied.
//!
//! Source: dice 3.4; the reasons are its texts. Deviation D21: a capitalised title behind an article is a name ("The
//! Beatles"), and lengths are characters, not bytes or UTF-16 units.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::fold;

/// The first words that point instead of naming (dice 3.4).
pub const VAGUE_STARTERS: [&str; 7] = ["this", "that", "these", "those", "the", "an", "a"];

/// Starters that also begin names, whatever their own case: "the Beatles" in the middle of a sentence.
const ARTICLES: [&str; 3] = ["the", "an", "a"];

/// Deepest nesting of `all-of` and `any-of`.
const MOST_NESTING: usize = 8;

/// A rule's parameter that cannot be; says which and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{rule}: {problem}")]
pub struct RuleError {
    /// The rule, as JSON names it.
    pub rule: &'static str,
    /// What is wrong and what would be right.
    pub problem: String,
}

fn wrong<T>(rule: &'static str, problem: impl Into<String>) -> Result<T, RuleError> {
    Err(RuleError { rule, problem: problem.into() })
}

/// What a span must be to name something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub enum MentionRule {
    /// Something visible is said.
    NotBlank,
    /// It does not point instead of naming.
    NoVagueReferences(Starters),
    /// Its length in characters.
    Length(Length),
    /// It matches a pattern as a whole.
    Pattern(Pattern),
    /// Its number of words.
    MinWordCount(MinWords),
    /// It is none of these generic references.
    EntityTypeGuard(Guard),
    /// Every rule passes.
    AllOf(Rules),
    /// At least one passes.
    AnyOf(Rules),
}

/// First words that make a reference vague.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StartersJson")]
pub struct Starters {
    starters: Vec<String>,
}

#[derive(Deserialize)]
struct StartersJson {
    starters: Option<Vec<String>>,
}

impl TryFrom<StartersJson> for Starters {
    type Error = RuleError;
    fn try_from(json: StartersJson) -> Result<Self, RuleError> {
        json.starters.map_or_else(|| Ok(Self::default()), Self::new)
    }
}

impl Default for Starters {
    fn default() -> Self {
        Self { starters: VAGUE_STARTERS.map(str::to_owned).into() }
    }
}

impl Starters {
    /// At least one, none of them blank.
    pub fn new<S: AsRef<str>>(starters: impl IntoIterator<Item = S>) -> Result<Self, RuleError> {
        let starters: Vec<String> = starters.into_iter().map(|s| fold(s.as_ref().trim())).collect();
        if starters.is_empty() || starters.iter().any(String::is_empty) {
            return wrong(
                "no-vague-references",
                "`starters` needs at least one word, and none of them blank",
            );
        }
        Ok(Self { starters })
    }

    /// The starter that makes `span` vague. A title behind an article is a name, and so is a span whose starter is
    /// itself part of the title ("This American Life", "My Chemical Romance").
    fn found_in(&self, span: &str) -> Option<&str> {
        let span = span.trim();
        let (first, rest) = match span.split_once(char::is_whitespace) {
            Some((first, rest)) => (first, rest.trim_start()),
            None => (span, ""),
        };
        let folded = fold(span);
        let starter = self.starters.iter().find(|starter| {
            folded
                .strip_prefix(starter.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
        })?;
        let part_of_title = ARTICLES.contains(&starter.as_str()) || is_title_case(first);
        let name = !starter.contains(char::is_whitespace) && part_of_title && begins_a_name(rest);
        (!name).then_some(starter.as_str())
    }
}

fn is_title_case(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_uppercase) && chars.all(|c| !c.is_uppercase())
}

/// A capital, or a letter of a script without case; a number where no plain word follows it ("The 1975", not "the 3 cats").
fn begins_a_name(rest: &str) -> bool {
    let initial = |word: &str| word.chars().find(|c| c.is_alphanumeric());
    match initial(rest) {
        Some(first) if first.is_numeric() => {
            !rest.split_whitespace().filter_map(initial).any(char::is_lowercase)
        }
        Some(first) => !first.is_lowercase(),
        None => false,
    }
}

/// Bounds of a length in characters, inclusive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "LengthJson")]
pub struct Length {
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<u32>,
}

#[derive(Deserialize)]
struct LengthJson {
    min: Option<u32>,
    max: Option<u32>,
}

impl TryFrom<LengthJson> for Length {
    type Error = RuleError;
    fn try_from(json: LengthJson) -> Result<Self, RuleError> {
        Self::new(json.min, json.max)
    }
}

impl Length {
    /// At least one bound; each above 0; `min` not above `max`.
    pub fn new(min: Option<u32>, max: Option<u32>) -> Result<Self, RuleError> {
        match (min, max) {
            (None, None) => wrong("length", "give `min`, `max` or both"),
            (Some(0), _) | (_, Some(0)) => wrong("length", "`min` and `max` must be above 0"),
            (Some(min), Some(max)) if min > max => {
                wrong("length", format!("`min` ({min}) must not be above `max` ({max})"))
            }
            _ => Ok(Self { min, max }),
        }
    }
}

/// A regular expression that a span must match from its first to its last character. ASCII classes only: `\w` and `[a-z]` do
/// not know accents; write those letters, or use another rule.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "PatternJson")]
pub struct Pattern {
    regex: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip)]
    compiled: regex_lite::Regex,
}

#[derive(Deserialize)]
struct PatternJson {
    regex: String,
    description: Option<String>,
}

impl TryFrom<PatternJson> for Pattern {
    type Error = RuleError;
    fn try_from(json: PatternJson) -> Result<Self, RuleError> {
        Self::new(&json.regex, json.description.as_deref())
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        (&self.regex, &self.description) == (&other.regex, &other.description)
    }
}

impl Pattern {
    /// A pattern that compiles; at most 500 characters.
    pub fn new(regex: &str, description: Option<&str>) -> Result<Self, RuleError> {
        if regex.chars().count() > 500 {
            return wrong("pattern", "a pattern has at most 500 characters");
        }
        // Compiled as it stands first: behind the group, "a)(b" would pass.
        let whole =
            regex_lite::Regex::new(regex).and_then(|_| regex_lite::Regex::new(&format!("^(?:{regex})$")));
        match whole {
            Ok(compiled) => {
                Ok(Self { regex: regex.to_owned(), description: description.map(str::to_owned), compiled })
            }
            Err(error) => wrong("pattern", format!("`{regex}` is no regular expression: {error}")),
        }
    }
}

/// A least number of words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "MinWordsJson")]
pub struct MinWords {
    min: u32,
}

#[derive(Deserialize)]
struct MinWordsJson {
    min: u32,
}

impl TryFrom<MinWordsJson> for MinWords {
    type Error = RuleError;
    fn try_from(json: MinWordsJson) -> Result<Self, RuleError> {
        Self::new(json.min)
    }
}

impl MinWords {
    /// Above 0. Words are parted by white space (dice 3.4).
    pub fn new(min: u32) -> Result<Self, RuleError> {
        if min == 0 { wrong("min-word-count", "`min` must be above 0") } else { Ok(Self { min }) }
    }
}

/// Generic references: a span that equals one, or begins with one and goes on with another word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "GuardJson")]
pub struct Guard {
    patterns: Vec<String>,
}

#[derive(Deserialize)]
struct GuardJson {
    patterns: Vec<String>,
}

impl TryFrom<GuardJson> for Guard {
    type Error = RuleError;
    fn try_from(json: GuardJson) -> Result<Self, RuleError> {
        Self::new(json.patterns)
    }
}

impl Guard {
    /// At least one, none of them blank; compared without regard to case.
    pub fn new<S: AsRef<str>>(patterns: impl IntoIterator<Item = S>) -> Result<Self, RuleError> {
        let patterns: Vec<String> = patterns.into_iter().map(|p| fold(p.as_ref().trim())).collect();
        if patterns.is_empty() || patterns.iter().any(String::is_empty) {
            return wrong(
                "entity-type-guard",
                "`patterns` needs at least one reference, and none of them blank",
            );
        }
        Ok(Self { patterns })
    }
}

/// Rules that are combined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RulesJson")]
pub struct Rules {
    rules: Vec<MentionRule>,
}

#[derive(Deserialize)]
struct RulesJson {
    rules: Vec<MentionRule>,
}

impl TryFrom<RulesJson> for Rules {
    type Error = RuleError;
    fn try_from(json: RulesJson) -> Result<Self, RuleError> {
        Self::new(json.rules)
    }
}

impl Rules {
    /// At least one rule; combinations nest at most eight deep.
    pub fn new(rules: Vec<MentionRule>) -> Result<Self, RuleError> {
        if rules.is_empty() {
            return wrong("all-of / any-of", "`rules` needs at least one rule");
        }
        let rules = Self { rules };
        if rules.depth() > MOST_NESTING {
            return wrong("all-of / any-of", format!("rules nest at most {MOST_NESTING} deep"));
        }
        Ok(rules)
    }
    fn depth(&self) -> usize {
        let deepest = self.rules.iter().map(|rule| match rule {
            MentionRule::AllOf(rules) | MentionRule::AnyOf(rules) => rules.depth(),
            _ => 0,
        });
        1 + deepest.max().unwrap_or(0)
    }
}

impl MentionRule {
    /// Rejects first words that point instead of naming.
    pub fn no_vague<S: AsRef<str>>(starters: impl IntoIterator<Item = S>) -> Result<Self, RuleError> {
        Starters::new(starters).map(Self::NoVagueReferences)
    }
    /// Bounds the length in characters.
    pub fn length(min: Option<u32>, max: Option<u32>) -> Result<Self, RuleError> {
        Length::new(min, max).map(Self::Length)
    }
    /// Asks for a match of the whole span.
    pub fn pattern(regex: &str, description: Option<&str>) -> Result<Self, RuleError> {
        Pattern::new(regex, description).map(Self::Pattern)
    }
    /// Asks for a number of words.
    pub fn min_words(min: u32) -> Result<Self, RuleError> {
        MinWords::new(min).map(Self::MinWordCount)
    }
    /// Rejects generic references.
    pub fn guard<S: AsRef<str>>(patterns: impl IntoIterator<Item = S>) -> Result<Self, RuleError> {
        Guard::new(patterns).map(Self::EntityTypeGuard)
    }
    /// Asks for all of them.
    pub fn all_of(rules: Vec<MentionRule>) -> Result<Self, RuleError> {
        Rules::new(rules).map(Self::AllOf)
    }
    /// Asks for one of them.
    pub fn any_of(rules: Vec<MentionRule>) -> Result<Self, RuleError> {
        Rules::new(rules).map(Self::AnyOf)
    }

    /// Its name in JSON, by which reports count.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotBlank => "not-blank",
            Self::NoVagueReferences(_) => "no-vague-references",
            Self::Length(_) => "length",
            Self::Pattern(_) => "pattern",
            Self::MinWordCount(_) => "min-word-count",
            Self::EntityTypeGuard(_) => "entity-type-guard",
            Self::AllOf(_) => "all-of",
            Self::AnyOf(_) => "any-of",
        }
    }

    /// Why `span` names nothing by this rule; `None` when it passes.
    pub fn reject(&self, span: &str) -> Option<String> {
        match self {
            Self::NotBlank => {
                span.trim().is_empty().then(|| "Mention is blank or whitespace-only".to_owned())
            }
            Self::NoVagueReferences(starters) => {
                starters.found_in(span).map(|starter| format!("Vague reference: starts with '{starter}'"))
            }
            Self::Length(Length { min, max }) => {
                let length = u32::try_from(span.chars().count()).unwrap_or(u32::MAX);
                match (min, max) {
                    (Some(min), _) if length < *min => {
                        Some(format!("Mention is too short: {length} characters, minimum {min}"))
                    }
                    (_, Some(max)) if length > *max => {
                        Some(format!("Mention is too long: {length} characters, maximum {max}"))
                    }
                    _ => None,
                }
            }
            Self::Pattern(pattern) => {
                (!pattern.compiled.is_match(span)).then(|| match &pattern.description {
                    Some(description) => format!("Mention does not match {description} ({})", pattern.regex),
                    None => format!("Mention does not match the pattern {}", pattern.regex),
                })
            }
            Self::MinWordCount(MinWords { min }) => {
                let count = u32::try_from(span.split_whitespace().count()).unwrap_or(u32::MAX);
                (count < *min).then(|| format!("Mention has a word count of {count}, minimum {min}"))
            }
            Self::EntityTypeGuard(Guard { patterns }) => {
                let folded = fold(span.trim());
                let generic = |pattern: &&String| {
                    folded
                        .strip_prefix(pattern.as_str())
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
                };
                patterns.iter().find(generic).map(|pattern| format!("Generic reference: '{pattern}'"))
            }
            Self::AllOf(Rules { rules }) => rules.iter().find_map(|rule| rule.reject(span)),
            Self::AnyOf(Rules { rules }) => {
                let reasons: Option<Vec<String>> = rules.iter().map(|rule| rule.reject(span)).collect();
                reasons.map(|reasons| format!("None of the alternatives passed: {}", reasons.join("; ")))
            }
        }
    }
}

/// What the rule asks for, for people (dice 3.4 fixes the words of lengths).
impl fmt::Display for MentionRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |rules: &Rules, word: &str| {
            rules.rules.iter().map(ToString::to_string).collect::<Vec<_>>().join(word)
        };
        match self {
            Self::NotBlank => f.write_str("Mention must not be blank"),
            Self::NoVagueReferences(Starters { starters }) => {
                write!(f, "Mention must not start with: {}", starters.join(", "))
            }
            Self::Length(Length { min: Some(min), max: Some(max) }) => {
                write!(f, "Length must be between {min} and {max} characters")
            }
            Self::Length(Length { min: Some(min), max: None }) => {
                write!(f, "Length must be at least {min} characters")
            }
            Self::Length(Length { max, .. }) => {
                write!(f, "Length must be at most {} characters", max.unwrap_or(u32::MAX))
            }
            Self::Pattern(Pattern { description: Some(description), .. }) => f.write_str(description),
            Self::Pattern(Pattern { regex, .. }) => write!(f, "Must match the pattern {regex}"),
            Self::MinWordCount(MinWords { min }) => write!(f, "Must have at least {min} words"),
            Self::EntityTypeGuard(Guard { patterns }) => {
                write!(f, "Must not be a generic reference: {}", patterns.join(", "))
            }
            Self::AllOf(rules) => f.write_str(&list(rules, " and ")),
            Self::AnyOf(rules) => f.write_str(&list(rules, " or ")),
        }
    }
}

#[cfg(test)]
mod tests;

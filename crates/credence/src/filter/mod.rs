//! Mention filters: which spans may become entities. A statement is never lost to them: a rejected mention stays in its text,
//! unresolved (dice 3.3).
//!
//! [`MentionRule`] judges a span; a [`MentionFilter`] judges a mention in its statement; [`MentionFilters`] is what a memory is set
//! to, and all of them must allow a mention; [`MentionStats`] counts what passed and holds what did not, with the reason. A
//! mention that means the speaker by the turn it stands in names nobody and is not judged; one that the extractor took for an
//! entity that it was shown may be a vague reference. Source: dice 3.4, 9.4.

mod rule;
mod stats;

pub use rule::{Guard, Length, MentionRule, MinWords, Pattern, RuleError, Rules, Starters, VAGUE_STARTERS};
pub use stats::{MentionStats, MentionTotals, RejectedMention};

use serde::{Deserialize, Serialize};

use crate::extraction::{Candidate, CandidateMention};
use crate::id::EntityId;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::Mention;
use crate::resolution::{Resolver, Said};
use crate::schema::DataDictionary;
use crate::text;
use crate::time::Timestamp;

/// Shortest statement, in characters, that a mention may not repeat as a whole (dice 3.4).
pub const DUPLICATE_FROM: u32 = 50;

/// The property whose rules judge a mention.
const NAME: &str = "name";

/// Why a mention was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The filter, as JSON names it.
    pub filter: &'static str,
    /// The rule, as JSON names it, or the filter where it has none.
    pub rule: &'static str,
    /// In words (dice 3.4).
    pub reason: String,
}

/// What judges a mention in its statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "filter", rename_all = "kebab-case")]
pub enum MentionFilter {
    /// By the rules that the schema gives a property of the mention's type: the type by its exact name, else without regard
    /// to case. Unknown types and properties without rules allow.
    SchemaValidated {
        /// Whose rules. Default `name`.
        #[serde(default = "name")]
        property: String,
    },
    /// A mention that is the whole statement names nothing; short statements may be titles.
    PropositionDuplicate {
        /// Shortest statement that is looked at, in characters. Default 50.
        #[serde(default = "duplicate_from", rename = "minPropositionLength")]
        min_proposition_length: u32,
    },
    /// A date, a time or a number belongs to the text and to the time for which a statement holds; it names nothing that
    /// could be met again. A type of this kind that the schema declares is wanted, and a span whose type says what else it is
    /// (the book "1984") is looked at no further, unless it is a day of the calendar.
    TimeOrNumber,
    /// By rules of the host's own.
    Rules {
        /// All must pass.
        rules: Vec<MentionRule>,
        /// For these types alone, without regard to case; empty: for all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        types: Vec<String>,
    },
}

fn name() -> String {
    NAME.to_owned()
}
fn duplicate_from() -> u32 {
    DUPLICATE_FROM
}

impl MentionFilter {
    /// Its name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::SchemaValidated { .. } => "schema-validated",
            Self::PropositionDuplicate { .. } => "proposition-duplicate",
            Self::TimeOrNumber => "time-or-number",
            Self::Rules { .. } => "rules",
        }
    }

    /// Why it rejects a span of this type in this statement; `None` when it allows it.
    pub fn reject(
        &self,
        types: &DataDictionary,
        kind: &str,
        span: &str,
        statement: &str,
    ) -> Option<Rejection> {
        self.judge(types, kind, span, statement, false)
    }

    /// `is_known`: the extractor named the entity that it was shown. "My boss" is no vague reference then.
    fn judge(
        &self,
        types: &DataDictionary,
        kind: &str,
        span: &str,
        statement: &str,
        is_known: bool,
    ) -> Option<Rejection> {
        let by_rules = |rules: &[MentionRule]| {
            let asked =
                rules.iter().filter(|rule| !(is_known && matches!(rule, MentionRule::NoVagueReferences(_))));
            asked.into_iter().find_map(|rule: &MentionRule| {
                Some(Rejection { filter: self.name(), rule: rule.name(), reason: rule.reject(span)? })
            })
        };
        match self {
            Self::SchemaValidated { property } => by_rules(types.rules(kind, property)),
            Self::PropositionDuplicate { min_proposition_length } => {
                let statement = statement.trim();
                let long = statement.chars().count() >= *min_proposition_length as usize;
                (long && span.trim() == statement).then(|| Rejection {
                    filter: self.name(),
                    rule: self.name(),
                    reason: "Mention repeats the whole proposition".into(),
                })
            }
            Self::TimeOrNumber => {
                (types.type_named(kind).is_none() && is_time_or_number(kind, span)).then(|| Rejection {
                    filter: self.name(),
                    rule: self.name(),
                    reason: "Mention is a date, a time or a number".into(),
                })
            }
            Self::Rules { rules, types: only } => {
                let meant =
                    only.is_empty() || only.iter().any(|t| text::fold(t.trim()) == text::fold(kind.trim()));
                if meant { by_rules(rules) } else { None }
            }
        }
    }
}

/// Types by which models call what is no thing of its own.
const TIME_AND_NUMBER_TYPES: &str = "date time datetime day weekday month year moment duration period timeperiod daterange number quantity \
    amount measurement percentage age datum uhrzeit zahl fecha número numero 日期 时间 数字";
/// Types that say nothing of what a span is.
const OPEN_TYPES: &str = "thing topic concept other misc entity unknown object";

fn is_time_or_number(kind: &str, span: &str) -> bool {
    let kind: String = text::fold(kind).chars().filter(|c| c.is_alphanumeric()).collect();
    let is_of = |types: &str| types.split_ascii_whitespace().any(|known| known == kind);
    let is_day = |span: &str| span.len() == 10 && Timestamp::parse(span).is_some();
    is_of(TIME_AND_NUMBER_TYPES)
        || is_day(span.trim())
        || (kind.is_empty() || is_of(OPEN_TYPES)) && text::is_time_or_number(span)
}

/// Every filter that a memory asks, in order; the first that rejects decides. Empty allows everything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MentionFilters(Vec<MentionFilter>);

impl Default for MentionFilters {
    /// The schema's rules, no mention that is the whole statement, no date and no number.
    fn default() -> Self {
        Self(vec![
            MentionFilter::SchemaValidated { property: name() },
            MentionFilter::PropositionDuplicate { min_proposition_length: DUPLICATE_FROM },
            MentionFilter::TimeOrNumber,
        ])
    }
}

impl From<Vec<MentionFilter>> for MentionFilters {
    fn from(filters: Vec<MentionFilter>) -> Self {
        Self(filters)
    }
}

impl MentionFilters {
    /// In order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &MentionFilter> {
        self.0.iter()
    }

    /// Why a span is rejected; `None` when every filter allows it.
    pub fn reject(
        &self,
        types: &DataDictionary,
        kind: &str,
        span: &str,
        statement: &str,
    ) -> Option<Rejection> {
        self.0.iter().find_map(|filter| filter.reject(types, kind, span, statement))
    }

    /// The same for a candidate's mention. The speaker is known by their turn, whatever the span.
    pub(crate) fn reject_mention(
        &self,
        types: &DataDictionary,
        candidate: &Candidate,
        mention: &CandidateMention,
    ) -> Option<Rejection> {
        if mention.is_speaker {
            return None;
        }
        let is_known = mention.suggested.is_some();
        let judge = |filter: &MentionFilter| {
            filter.judge(types, &mention.kind, &mention.span, &candidate.text, is_known)
        };
        self.0.iter().find_map(judge)
    }

    /// What the filters make of a window's candidates.
    pub(crate) fn screen(&self, types: &DataDictionary, candidates: &[Candidate]) -> MentionStats {
        let mut stats = MentionStats::default();
        for candidate in candidates {
            for mention in &candidate.mentions {
                stats.observe(mention, &candidate.text, self.reject_mention(types, candidate, mention));
            }
        }
        stats
    }

    /// Checks what the types cannot: a filter that names no property or holds no rule would silently allow everything.
    pub fn validate(&self) -> Result<(), String> {
        for (n, filter) in self.0.iter().enumerate() {
            match filter {
                MentionFilter::SchemaValidated { property } if property.trim().is_empty() => {
                    return Err(format!("filters[{n}].property must name a property, for example `name`"));
                }
                MentionFilter::Rules { rules, .. } if rules.is_empty() => {
                    return Err(format!(
                        "filters[{n}].rules needs at least one rule, or take the filter out"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl<P: Ports> Memory<P> {
    /// What the filters make of a window's candidates.
    pub(crate) fn screen_mentions(&self, candidates: &[Candidate]) -> MentionStats {
        self.with_config(|config| config.filters.screen(&config.schema().dictionary, candidates))
    }

    /// Resolves a candidate's mentions; those that the filters reject stay text.
    pub(crate) fn resolve_screened(
        &self,
        resolver: &mut Resolver<'_>,
        candidate: &Candidate,
        speaker: Option<EntityId>,
        said: Said<'_>,
    ) -> Vec<Mention> {
        let resolve = |mention: &CandidateMention| {
            let rejected = self.with_config(|config| {
                config.filters.reject_mention(&config.schema().dictionary, candidate, mention)
            });
            match rejected {
                Some(_) => Mention::new(mention.span.trim(), mention.kind.trim(), mention.role),
                None => resolver.resolve(mention, speaker, said).0,
            }
        };
        candidate.mentions.iter().map(resolve).collect()
    }
}

#[cfg(test)]
mod tests;

//! What each trust signal says of a statement (core 3.2, with the binding fixes of core 15, G8 and G9).
//!
//! | signal | value | nothing to say |
//! |---|---|---|
//! | sourceAuthority | the best of its sources: what a host set for the id, or the statement's tier, moved by how the source has fared | never |
//! | extractionConfidence | the statement's confidence | never |
//! | graphConsistency | 0.5 for news; up to 1 where a unit says all of it; towards 0 where a unit it opposes is sure | never |
//! | corroboration | independent sources: one 0.3, two 0.6, three or more 0.9 | without a source |
//! | novelty | 1 − the greatest likeness with a unit | `unit.quality_scoring.enabled` off |
//! | importance | the share of its words that the working set is about | `unit.quality_scoring.enabled` off |
//!
//! Likeness is the Jaccard measure of content words. Likeness alone is no support: a near-copy with another value would earn
//! trust from the very fact that it attacks. A unit supports a statement that says nothing beyond it, with no other number, date or
//! name and no denial between them.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::profile::Signal;
use super::source::{SourceRegistry, sources_of};
use super::{AuthorityTier, TrustScorer, TrustSettings};
use crate::history::State;
use crate::proposition::Proposition;
use crate::text::{self, ComparableText, Polarity, Texts};

/// What a statement is judged on.
#[derive(Debug, Clone)]
pub struct TrustInput<'a> {
    /// The statement.
    pub proposition: &'a Proposition,
    /// The statements of the active units; itself among them is passed over.
    pub units: Vec<&'a Proposition>,
    /// Its independent sources.
    pub sources: Vec<String>,
    /// How sources have fared.
    pub registry: &'a SourceRegistry,
    /// Whether novelty and importance take part (`unit.quality_scoring.enabled`).
    pub quality: bool,
    /// What was read of the texts: one that is laid beside many is read once.
    pub(crate) texts: Texts,
}

impl<'a> TrustInput<'a> {
    /// A statement beside the active units' statements.
    pub fn new(
        state: &State,
        proposition: &'a Proposition,
        units: impl IntoIterator<Item = &'a Proposition>,
        registry: &'a SourceRegistry,
        quality: bool,
    ) -> Self {
        let units = units.into_iter().filter(|unit| unit.id != proposition.id).collect();
        Self {
            proposition,
            units,
            sources: sources_of(state, proposition),
            registry,
            quality,
            texts: Texts::default(),
        }
    }

    /// The same with what others have read of the texts.
    pub(crate) fn reading(mut self, texts: &Texts) -> Self {
        self.texts = texts.clone();
        self
    }
}

/// A signal's word: its value, 0 to 1, where it has something to say, and why.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    pub signal: Signal,
    pub value: Option<f64>,
    pub why: String,
}

/// Asks every signal, in the order of [`Signal::ALL`].
pub(super) fn signals(input: &TrustInput<'_>, settings: &TrustSettings) -> Vec<Said> {
    let ask = |signal| {
        let (value, why) = match signal {
            Signal::SourceAuthority => source_authority(input, settings),
            Signal::ExtractionConfidence => {
                (Some(input.proposition.confidence.get()), "how sure the extraction was".to_owned())
            }
            Signal::GraphConsistency => graph_consistency(input),
            Signal::Corroboration => corroboration(&input.sources),
            Signal::Novelty | Signal::Importance if !input.quality => {
                (None, "quality scoring is off".to_owned())
            }
            Signal::Novelty => novelty(input),
            Signal::Importance => importance(input),
        };
        Said { signal, value: value.map(|value| value.clamp(0.0, 1.0)), why }
    };
    Signal::ALL.into_iter().map(ask).collect()
}

fn source_authority(input: &TrustInput<'_>, settings: &TrustSettings) -> (Option<f64>, String) {
    let tier = settings.authority.tier(input.proposition);
    let by_tier = match settings.scorer {
        TrustScorer::Neutral => 1.0,
        TrustScorer::Authority { .. } if tier == AuthorityTier::Unknown => {
            settings.source_authority.default_score
        }
        TrustScorer::Authority { weights } => weights.score(Some(tier)),
    };
    let judged = input.sources.iter().map(|source| {
        let record = input.registry.record(source);
        let prior = settings.source_authority.score(source).unwrap_or(by_tier);
        let why = format!(
            "{source} starts with {prior:.2}; {} of its statements confirmed, {} refuted, {} rejected",
            record.confirmed, record.refuted, record.rejected
        );
        (record.reliability(prior), why)
    });
    match judged.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((score, why)) => (Some(score), why),
        None => (Some(by_tier), "nobody answers for it".to_owned()),
    }
}

fn corroboration(sources: &[String]) -> (Option<f64>, String) {
    match sources.len() {
        0 => (None, "it has no source".to_owned()),
        1 => (Some(0.3), format!("one source: {}", sources[0])),
        2 => (Some(0.6), format!("two sources: {}", sources.join(", "))),
        n => (Some(0.9), format!("{n} sources")),
    }
}

/// Nothing to compare with, or news: neither for nor against.
const NEUTRAL: f64 = 0.5;

fn graph_consistency(input: &TrustInput<'_>) -> (Option<f64>, String) {
    let said = input.texts.of(&input.proposition.text);
    let (mut value, mut why) = (NEUTRAL, "no unit speaks for it or against it".to_owned());
    let mut against: Option<(f64, String)> = None;
    for unit in &input.units {
        if let Some(opposition) = input.texts.opposition(&input.proposition.text, &unit.text) {
            let sure = unit.confidence.get();
            if against.as_ref().is_none_or(|(most, _)| sure > *most) {
                against = Some((
                    sure,
                    format!("against “{}”: {}", text::excerpt(&unit.text, 80), opposition.reason),
                ));
            }
            continue;
        }
        let theirs = input.texts.of(&unit.text);
        let alike = jaccard(said.content(), theirs.content());
        if alike > value && said.content().is_subset(theirs.content()) && said.difference(&theirs).is_none() {
            (value, why) = (alike, format!("“{}” says so too", text::excerpt(&unit.text, 80)));
        }
    }
    match against {
        Some((sure, against)) => (Some(value * (1.0 - sure)), against),
        None => (Some(value), why),
    }
}

fn novelty(input: &TrustInput<'_>) -> (Option<f64>, String) {
    let said = claimed(&input.texts.of(&input.proposition.text));
    let likeness =
        input.units.iter().map(|unit| (jaccard(&said, &claimed(&input.texts.of(&unit.text))), *unit));
    match likeness.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((most, unit)) if most > 0.0 => {
            (Some(1.0 - most), format!("nearest is “{}”", text::excerpt(&unit.text, 80)))
        }
        _ => (Some(1.0), "nothing of it is known".to_owned()),
    }
}

fn importance(input: &TrustInput<'_>) -> (Option<f64>, String) {
    if input.units.is_empty() {
        return (Some(NEUTRAL), "the working set is empty".to_owned());
    }
    let said = input.texts.of(&input.proposition.text);
    let said = said.content();
    let units: Vec<Rc<ComparableText>> = input.units.iter().map(|unit| input.texts.of(&unit.text)).collect();
    let shared = said.iter().filter(|word| units.iter().any(|unit| unit.content().contains(*word))).count();
    let why = format!("{shared} of its {} words are those of the working set", said.len());
    (Some(if said.is_empty() { 0.0 } else { ratio(shared, said.len()) }), why)
}

/// Likeness of two statements by their content words, 0 to 1; 0 where both have none.
pub fn likeness(a: &str, b: &str) -> f64 {
    jaccard(ComparableText::new(a).content(), ComparableText::new(b).content())
}

/// The content words, and whether they are denied: what tells "is red" from "is not red".
fn claimed(text: &ComparableText) -> BTreeSet<String> {
    let mut words = text.content().clone();
    if matches!(text.polarity(), Polarity::Negated | Polarity::Mixed) {
        words.insert("¬".to_owned());
    }
    words
}

fn jaccard(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let shared = a.intersection(b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { ratio(shared, all) }
}

fn ratio(part: usize, whole: usize) -> f64 {
    f64::from(u32::try_from(part).unwrap_or(u32::MAX)) / f64::from(u32::try_from(whole).unwrap_or(u32::MAX))
}

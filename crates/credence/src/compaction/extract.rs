//! A summary without a model: the protected facts that the turns carry, in their own words, and then the sentences that say most.
//!
//! A sentence's worth is the mean weight of its terms, and a term's weight is the share of sentences that have it (after
//! SumBasic, Nenkova and Vanderwende 2005): what a conversation keeps coming back to stands for it. A term that was
//! taken counts less for the next sentence, so that nothing is said twice. Sentences against a protected fact, questions, and
//! what the facts have said already are left out.

use std::collections::{BTreeMap, BTreeSet};

use super::check::losses;
use super::protect::Protected;
use crate::text::{content_terms, sentences};

/// Share of the turns' tokens that the sentences may have. Chosen by us.
const SHARE: f64 = 0.25;
/// Least terms of a sentence that is taken: "Yes, thank you" says nothing by itself.
const LEAST_TERMS: usize = 3;

/// What a turn said, and who.
pub(super) struct Said<'a> {
    /// As prompts name them.
    pub(super) speaker: &'a str,
    /// The turn's words.
    pub(super) text: &'a str,
}

struct Sentence<'a> {
    place: usize,
    speaker: &'a str,
    text: &'a str,
    terms: BTreeSet<String>,
}

/// The summary. `earlier` is the one that it takes in: its sentences compete with the turns' own.
pub(super) fn extractive(
    facts: &[Protected],
    earlier: Option<&str>,
    turns: &[Said<'_>],
    min_match_ratio: f64,
    count: &dyn Fn(&str) -> u32,
) -> String {
    let carried: Vec<&Protected> = facts.iter().filter(|fact| fact.carried).collect();
    let mut lines: Vec<String> = carried.iter().map(|fact| closed(&fact.text)).collect();
    let mut taken: BTreeSet<String> = carried.iter().flat_map(|fact| content_terms(&fact.text)).collect();

    let earlier = earlier.map(|text| Said { speaker: "", text });
    let texts: Vec<&Said<'_>> = earlier.iter().chain(turns).collect();
    let mut budget = texts.iter().map(|said| count(said.text)).fold(0, u32::saturating_add);
    budget = (f64::from(budget) * SHARE) as u32;

    let mut open: Vec<Sentence<'_>> = texts
        .iter()
        .flat_map(|said| sentences(said.text).into_iter().map(|text| (said.speaker, text)))
        .filter(|(_, text)| !text.ends_with(['?', '？', '؟']))
        .enumerate()
        .map(|(place, (speaker, text))| {
            let terms = content_terms(text).into_iter().collect();
            Sentence { place, speaker, text, terms }
        })
        .filter(|sentence| sentence.terms.len() >= LEAST_TERMS)
        .filter(|sentence| losses(facts, sentence.text, 0.0).is_empty())
        .collect();
    let mut weights: BTreeMap<String, f64> = BTreeMap::new();
    for sentence in &open {
        for term in &sentence.terms {
            *weights.entry(term.clone()).or_default() += 1.0 / open.len() as f64;
        }
    }
    let mut chosen: Vec<(usize, String)> = Vec::new();
    while !open.is_empty() {
        let worth = |sentence: &Sentence<'_>| {
            let fresh = sentence.terms.iter().filter(|term| !taken.contains(*term));
            fresh.filter_map(|term| weights.get(term)).sum::<f64>() / sentence.terms.len() as f64
        };
        let Some(best) = (0..open.len())
            .rev()
            .max_by(|a, b| worth(&open[*a]).total_cmp(&worth(&open[*b])))
            .filter(|at| worth(&open[*at]) > 0.0)
        else {
            break;
        };
        let sentence = open.remove(best);
        let line = spoken(&sentence);
        let cost = count(&line);
        if cost > budget {
            continue;
        }
        budget -= cost;
        taken.extend(sentence.terms);
        chosen.push((sentence.place, line));
    }
    chosen.sort();
    lines.extend(chosen.into_iter().map(|(_, line)| line));
    let text = lines.join("\n");
    // A chosen sentence may shade a fact that it does not contradict by itself; the facts alone never do.
    if losses(facts, &text, min_match_ratio).is_empty() {
        text
    } else {
        carried.iter().map(|fact| closed(&fact.text)).collect::<Vec<_>>().join("\n")
    }
}

fn spoken(sentence: &Sentence<'_>) -> String {
    match sentence.speaker {
        "" => closed(sentence.text),
        speaker => format!("{speaker}: {}", closed(sentence.text)),
    }
}

/// The text as a sentence that ends.
pub(super) fn closed(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(|c: char| c.is_alphanumeric()) { format!("{text}.") } else { text.to_owned() }
}

//! What tombstones keep from coming back: a candidate whose evidence is older than the erasure, and that says what was erased.
//!
//! Evidence is old when it was said before the erasure. A document and a transcript without dates say nothing of when: what they brought in counts as
//! old, because the same file taken in again is the usual way back. Whoever says it anew, in a conversation or by hand, is welcome: that is new
//! evidence. Known again are the statement's canonical form, a name, and the sentence that a candidate rests on, each by a salted digest.
//! Runs that look for entities alone ask for the name.

use std::collections::BTreeSet;

use super::report::{ErasureReport, Tombstone, TombstoneKind};
use crate::extraction::{Candidate, Window, WindowTurn};
use crate::history::{RecordId, State};
use crate::id::RevisionId;
use crate::text;
use crate::time::Timestamp;

/// Words of the longest name that is looked for in a statement.
const LONGEST_NAME: usize = 5;

/// Whether content was erased since a state whose last revision this was: what was read before may hold it.
pub(crate) fn erased_since(state: &State, last: RevisionId) -> bool {
    let reports = state.erasures().map(|report| RecordId::Erasure(report.id));
    reports.filter_map(|id| state.revision(id)).any(|revision| revision.id > last)
}

/// The tombstones that are in force.
pub(crate) struct Tombstones<'a>(Vec<&'a ErasureReport>);

impl<'a> Tombstones<'a> {
    pub(crate) fn of(state: &'a State) -> Self {
        Self(state.erasures().filter(|report| !report.lifted && !report.tombstones.is_empty()).collect())
    }

    /// Whether nothing is forbidden.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether words hold a name that was erased after they were said; `None`: nobody knows when they were, and they count as old.
    pub(crate) fn names_erased(&self, words: &str, said: Option<Timestamp>) -> bool {
        let mut reports = self.0.iter().filter(|report| said.is_none_or(|said| said < report.at));
        reports.any(|report| has_name(report, runs(words)))
    }

    /// Whether a candidate is what was erased, on old evidence alone. Evidence that is new stays with it; what is old of a forbidden one goes.
    pub(crate) fn forbid(&self, candidate: &mut Candidate, window: &Window, turns: &[WindowTurn]) -> bool {
        self.0.iter().any(|report| {
            let (old, new): (Vec<usize>, Vec<usize>) =
                candidate.turns.iter().partition(|n| window.is_older(**n, report.at));
            if old.is_empty() || !says(report, candidate, &old, turns) {
                return false;
            }
            candidate.turns = new;
            candidate.turns.is_empty()
        })
    }
}

fn says(report: &ErasureReport, candidate: &Candidate, cited: &[usize], turns: &[WindowTurn]) -> bool {
    let has = |kind, form: &str| report.tombstones.contains(&Tombstone::of(kind, &report.salt, form));
    if has(TombstoneKind::Statement, &text::canonical(&candidate.text)) {
        return true;
    }
    let spans = candidate.mentions.iter().map(|mention| mention.span.clone()).chain(runs(&candidate.text));
    if has_name(report, spans) {
        return true;
    }
    let wanted: BTreeSet<String> = text::content_terms(&candidate.text).into_iter().collect();
    let sentences = cited.iter().filter_map(|n| turns.get(*n)).flat_map(|turn| text::sentences(&turn.text));
    let told: Vec<(usize, bool)> = sentences
        .map(|sentence| {
            let there: BTreeSet<String> = text::content_terms(sentence).into_iter().collect();
            let is_stone = has(TombstoneKind::Text, &text::canonical(sentence));
            (wanted.intersection(&there).count(), is_stone)
        })
        .collect();
    let best = told.iter().map(|(common, _)| *common).max().unwrap_or(0);
    told.iter().any(|(common, is_stone)| *is_stone && *common == best)
}

fn has_name(report: &ErasureReport, spans: impl IntoIterator<Item = String>) -> bool {
    if report.tombstones.iter().all(|stone| stone.kind != TombstoneKind::Name) {
        return false;
    }
    let forms: BTreeSet<String> = spans.into_iter().map(|span| text::name_form(&span)).collect();
    let stone = |form: &String| Tombstone::of(TombstoneKind::Name, &report.salt, form);
    forms.iter().any(|form| report.tombstones.contains(&stone(form)))
}

/// Every run of up to five words.
fn runs(said: &str) -> Vec<String> {
    let words: Vec<&str> = said.split_whitespace().collect();
    let ends = |from: usize| from + 1..=(from + LONGEST_NAME).min(words.len());
    let clean = |run: &str| {
        run.trim_matches(|c: char| !c.is_alphanumeric())
            .trim_end_matches("'s")
            .trim_end_matches("’s")
            .to_owned()
    };
    (0..words.len())
        .flat_map(|from| ends(from).map(move |to| (from, to)))
        .map(|(from, to)| clean(&words[from..to].join(" ")))
        .collect()
}

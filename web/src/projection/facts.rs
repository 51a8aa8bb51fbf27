//! Statements as the memory page lists them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use credence::history::{RecordKind, State};
use credence::id::{EntityId, PropositionId};
use credence::proposition::{
    DecayRule, Extractor, Order, Proposition, PropositionQuery, Status, Voice, effective_confidence,
};
use credence::time::Timestamp;

use crate::state::AppMemory;

/// One line of the list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FactRow {
    pub id: PropositionId,
    pub text: String,
    pub status: Status,
    pub stated: f64,
    pub effective: f64,
    pub importance: f64,
    pub pinned: bool,
    /// Whose words.
    pub voice: &'static str,
    /// Who extracted.
    pub by: String,
    pub at: Timestamp,
    /// What took its place: the statement and its text.
    pub replaced_by: Option<(PropositionId, String)>,
}

impl FactRow {
    /// What makes it another row for the view.
    pub(crate) fn key(&self) -> (PropositionId, String, Status, bool, u32, Option<PropositionId>) {
        // Hundredths of effective confidence: below that the bar looks the same.
        let worth = (self.effective * 100.0).round() as u32;
        (
            self.id,
            self.text.clone(),
            self.status,
            self.pinned,
            worth,
            self.replaced_by.as_ref().map(|(id, _)| *id),
        )
    }
}

/// How the list is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum FactSort {
    #[default]
    Recent,
    Confidence,
    Importance,
}

impl FactSort {
    /// Every order, with its value and its words.
    pub(crate) const ALL: [(FactSort, &'static str, &'static str); 3] = [
        (FactSort::Recent, "recent", "Newest first"),
        (FactSort::Confidence, "confidence", "Most believed first"),
        (FactSort::Importance, "importance", "Most important first"),
    ];
}

/// Which statements are shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct FactFilter {
    /// Words that must all occur.
    pub words: String,
    /// `None`: every status.
    pub status: Option<Status>,
    pub entity: Option<EntityId>,
    pub sort: FactSort,
}

/// What the head of the page counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    pub live: usize,
    pub retired: usize,
    pub entities: usize,
    pub turns: usize,
    pub commits: u64,
}

/// The word that is shown for a status.
pub(crate) fn status_label(status: Status) -> &'static str {
    match status {
        Status::Active => "Active",
        Status::Promoted => "In the working set",
        Status::Contradicted => "Contradicted",
        Status::Superseded => "Superseded",
        Status::Stale => "Stale",
    }
}

/// What the head of the page counts.
pub(crate) fn counts(memory: &AppMemory) -> Counts {
    let statuses = memory.status_counts();
    let live = statuses.iter().filter(|(status, _)| status.is_live()).map(|(_, count)| count).sum();
    let all: usize = statuses.values().sum();
    Counts {
        live,
        retired: all - live,
        entities: memory.count(RecordKind::Entity),
        turns: memory.count(RecordKind::Turn),
        commits: memory.state().seq(),
    }
}

/// The first `most` rows that pass, and how many pass in all.
pub(crate) fn list(memory: &AppMemory, filter: &FactFilter, most: usize) -> (Vec<FactRow>, usize) {
    let now = memory.now().at;
    let decay = memory.config().decay_rule();
    let query = PropositionQuery {
        text: filter.words.clone(),
        statuses: filter.status.into_iter().collect::<BTreeSet<_>>(),
        any_entities: filter.entity.into_iter().collect(),
        decay: Some(decay),
        order: match filter.sort {
            FactSort::Recent => Order::CreatedDesc,
            FactSort::Confidence => Order::EffectiveConfidenceDesc,
            FactSort::Importance => Order::ImportanceDesc,
        },
        ..PropositionQuery::default()
    };
    let state = memory.state();
    let mut found = query.run(&state, now);
    if filter.sort == FactSort::Recent {
        // Newest first also among those of one instant.
        found.sort_by_key(|p| Reverse((p.created, p.id)));
    }
    let replacements = replacements(state.propositions());
    let total = found.len();
    let rows = found.into_iter().take(most).map(|p| fact(&state, p, now, decay, &replacements)).collect();
    (rows, total)
}

/// The rows of these statements, in this order, without those that were taken out.
pub(crate) fn rows(memory: &AppMemory, ids: &[PropositionId]) -> Vec<FactRow> {
    let decay = memory.config().decay_rule();
    let now = memory.now().at;
    let state = memory.state();
    let replacements = replacements(state.propositions());
    let found = ids.iter().filter_map(|id| state.proposition(*id));
    found.map(|p| fact(&state, p, now, decay, &replacements)).collect()
}

fn fact(
    state: &State,
    p: &Proposition,
    now: Timestamp,
    decay: DecayRule,
    replacements: &BTreeMap<PropositionId, PropositionId>,
) -> FactRow {
    let replacement =
        replacements.get(&p.id).filter(|_| !p.status.is_live()).and_then(|id| state.proposition(*id));
    FactRow {
        id: p.id,
        text: p.text.clone(),
        status: p.status,
        stated: p.confidence.get(),
        effective: effective_confidence(p, now, decay),
        importance: p.importance.get(),
        pinned: p.pinned,
        voice: match p.voice {
            Voice::User => "you said",
            Voice::Other => "somebody said",
            Voice::Assistant => "the assistant said",
            Voice::Document => "from a document",
        },
        by: match &p.extractor {
            Extractor::Rules => "by rule".to_owned(),
            Extractor::Model { model } => model.clone(),
            Extractor::Person => "typed by you".to_owned(),
            Extractor::Import => "imported".to_owned(),
        },
        at: p.created,
        replaced_by: replacement.map(|by| (by.id, by.text.clone())),
    }
}

/// What took the place of what.
fn replacements<'a>(
    propositions: impl Iterator<Item = &'a Proposition>,
) -> BTreeMap<PropositionId, PropositionId> {
    let mut replaced = BTreeMap::new();
    for p in propositions {
        for old in p.temporal.supersedes.iter().chain(&p.temporal.contradicts) {
            replaced.insert(*old, p.id);
        }
    }
    replaced
}

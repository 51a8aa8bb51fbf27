//! A run: the reports of its windows read as one, every entity once however many chunks name it (dice 3.6).

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::report::{EntityReport, FailedChunk, Found, FoundKind, SkippedEntity};
use crate::id::EntityId;

/// What a run found.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct EntityRun {
    /// One report a window, in order.
    pub reports: Vec<Rc<EntityReport>>,
    /// Why the run stopped before its end, when it did.
    pub stopped: Option<String>,
}

/// The sums of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct EntityTotals {
    /// Entities that became known.
    pub new: usize,
    /// Known entities that learned something.
    pub existing: usize,
    /// Known entities that stay as they were.
    pub reference_only: usize,
    /// Suggestions that a rule about entities refused.
    pub vetoed: usize,
    /// Suggestions that were unusable.
    pub unusable: usize,
    /// Links from chunks to entities.
    pub sightings: usize,
    /// Chunks that could not be read.
    pub failed: usize,
    /// Model calls.
    pub calls: u32,
}

impl EntityRun {
    /// Every entity once, in order of first mention: new when any window made it, else existing when any taught it something.
    pub fn found(&self) -> Vec<Found> {
        let mut places: BTreeMap<EntityId, usize> = BTreeMap::new();
        let mut all: Vec<Found> = Vec::new();
        for found in self.reports.iter().flat_map(|report| &report.found) {
            let place = *places.entry(found.entity).or_insert(all.len());
            match all.get_mut(place) {
                Some(known) if found.kind < known.kind => *known = found.clone(),
                Some(_) => {}
                None => all.push(found.clone()),
            }
        }
        all
    }
    fn of(&self, kind: FoundKind) -> Vec<EntityId> {
        self.found().into_iter().filter(|found| found.kind == kind).map(|found| found.entity).collect()
    }
    /// Entities that the run made.
    pub fn new_entities(&self) -> Vec<EntityId> {
        self.of(FoundKind::New)
    }
    /// Known entities that learned something.
    pub fn updated_entities(&self) -> Vec<EntityId> {
        self.of(FoundKind::Existing)
    }
    /// Known entities that stay as they were.
    pub fn reference_only_entities(&self) -> Vec<EntityId> {
        self.of(FoundKind::ReferenceOnly)
    }
    /// What became no entity, in order.
    pub fn skipped(&self) -> impl Iterator<Item = &SkippedEntity> {
        self.reports.iter().flat_map(|report| &report.skipped)
    }
    /// Chunks that could not be read, in order.
    pub fn failed(&self) -> impl Iterator<Item = &FailedChunk> {
        self.reports.iter().flat_map(|report| &report.failed)
    }
    /// The sums, each entity counted once.
    pub fn totals(&self) -> EntityTotals {
        let found = self.found();
        let count = |kind| found.iter().filter(|found| found.kind == kind).count();
        EntityTotals {
            new: count(FoundKind::New),
            existing: count(FoundKind::Existing),
            reference_only: count(FoundKind::ReferenceOnly),
            vetoed: self.skipped().filter(|skipped| skipped.is_veto).count(),
            unusable: self.skipped().filter(|skipped| !skipped.is_veto).count(),
            sightings: self.reports.iter().map(|report| report.sightings.len()).sum(),
            failed: self.failed().count(),
            calls: self.reports.iter().map(|report| report.calls).sum(),
        }
    }
}

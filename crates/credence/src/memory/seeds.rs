//! Seeds: the units that a new context begins with (`unit.chat_seed`).
//!
//! A context without commits gets them as its first commit, by the host whose settings they are. Their ids follow from their texts, so
//! that two tabs that open a new context at once begin it once. Settings are no person: what they want CANON begins as RELIABLE,
//! and a person is asked.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::Memory;
use crate::error::Error;
use crate::history::{Actor, Cause, ContentId, ScopeInfo};
use crate::id::PropositionId;
use crate::inbox::Asker;
use crate::ports::Ports;
use crate::proposition::{Extractor, Locator, Proposition, ProvenanceEntry, Voice};
use crate::scale::Confidence;
use crate::text;
use crate::time::Timestamp;
use crate::unit::{Authority, Mover, SeedUnit};

/// How sure a seed is. Chosen by us: as a statement by hand.
const SURE: f64 = 0.95;

impl<P: Ports> Memory<P> {
    /// Begins a context without commits with the units of the settings, where they say so.
    pub(super) async fn seed(&self) -> Result<(), Error> {
        let seeds = self.with_config(|config| config.unit.chat_seed.clone());
        if !seeds.enabled || seeds.units.is_empty() || self.state().seq() > 0 {
            return Ok(());
        }
        let now = self.now().at;
        // Of those that say the same the first stands.
        let mut said = BTreeSet::new();
        let units: Vec<&SeedUnit> =
            seeds.units.iter().filter(|seed| said.insert(text::canonical(&seed.text))).collect();
        let info = ScopeInfo::new(Cause::Promotion, Actor::Host, "a new context begins with these units");
        self.change(info, |state, scope| {
            if state.seq() > 0 {
                return Ok(());
            }
            for seed in &units {
                let statement = statement(seed, now)?;
                let id = statement.id;
                scope.put(state, statement, "in the settings");
                self.planning(state, scope, Mover::Host, |plan| Ok(plan.seed(id, seed)?))?;
            }
            Ok(())
        })
        .await?;
        for seed in units.iter().filter(|seed| seed.authority == Authority::Canon) {
            let id = statement(seed, now)?.id;
            self.request_canon(id, Asker::Host, "a unit of the settings").await?;
        }
        Ok(())
    }
}

fn statement(seed: &SeedUnit, now: Timestamp) -> Result<Proposition, Error> {
    let digits = ContentId::of_text(&format!("seed {}", seed.text.trim()));
    let id = PropositionId::new(Uuid::try_parse(digits.as_str()).unwrap_or_default());
    let mut statement = Proposition::new(id, &seed.text, Confidence::clamped(SURE), Extractor::Import, now)?;
    let settings = Locator::connector("settings", "unit.chat_seed", None);
    statement.provenance = settings.map(ProvenanceEntry::at).into_iter().collect();
    (statement.voice, statement.pinned) = (Voice::Document, seed.pinned);
    Ok(statement)
}

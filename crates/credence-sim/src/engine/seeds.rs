//! How a run's memory begins: the seeds of the scenario, as acts of its author.
//!
//! A seed becomes a statement and a unit with its own activation and authority in one commit; CANON is then given by the author's act, one
//! commit each, since a person alone gives it. Where memory has no working set, seeds are statements alone.

use credence::history::{Actor, Cause, ScopeInfo};
use credence::id::PropositionId;
use credence::ports::{Ids, Ports};
use credence::proposition::{Extractor, Locator, Proposition, ProvenanceEntry, Voice};
use credence::scale::{Confidence, Decay};
use credence::unit::{Authority, Mover, SeedUnit, UnitPlan};
use credence::{Error, Memory};

use super::plan::SCENARIO_SOURCE;
use crate::scenario::{Scenario, Seed};

/// How sure a seed is (simulator 3.1).
const SURE: f64 = 0.95;

/// Puts seeds into a memory; `units`: into its working set too. A text that is there twice is taken once, as it stood first.
///
/// # Errors
/// [`Error::Refused`] where a rule or the budget stands against a seed; store errors.
pub(super) async fn sow<P: Ports>(
    memory: &Memory<P>,
    scenario: &Scenario,
    seeds: &[Seed],
    units: bool,
) -> Result<(), Error> {
    let mut fresh: Vec<(PropositionId, &Seed)> = Vec::new();
    for seed in seeds {
        let is_known = |(_, known): &(PropositionId, &Seed)| same(&known.text, &seed.text);
        if !seed.text.trim().is_empty() && !fresh.iter().any(is_known) {
            fresh.push((PropositionId::new(memory.ports().ids().next()), seed));
        }
    }
    if fresh.is_empty() {
        return Ok(());
    }
    let (config, now) = (memory.config(), memory.now().at);
    let info = ScopeInfo::new(Cause::Promotion, Actor::Person, "the scenario begins with these statements");
    memory
        .change(info.with_id("scenario", &scenario.id), |state, scope| {
            for (id, seed) in &fresh {
                let mut statement =
                    Proposition::new(*id, &seed.text, Confidence::clamped(SURE), Extractor::Person, now)?;
                let source = Locator::connector(SCENARIO_SOURCE, &scenario.id, None);
                statement.provenance = source.map(ProvenanceEntry::at).into_iter().collect();
                (statement.voice, statement.decay) = (Voice::Document, Decay::clamped(0.0));
                scope.put(state, statement, "a seed of the scenario");
                if units {
                    let context = memory.context();
                    let plan = UnitPlan { state, scope, config: &config, context, now, mover: Mover::Host };
                    plan.seed(*id, &unit(seed))?;
                }
            }
            Ok(())
        })
        .await?;
    for (id, _) in fresh.iter().filter(|(_, seed)| units && seed.authority == Authority::Canon) {
        memory.canonize_unit(*id, "the scenario's author says so").await?;
    }
    Ok(())
}

/// A statement that a person adds while the run is paused, as a PROVISIONAL unit.
///
/// # Errors
/// As [`sow`].
pub(super) async fn add<P: Ports>(memory: &Memory<P>, text: &str) -> Result<PropositionId, Error> {
    let (id, now) = (PropositionId::new(memory.ports().ids().next()), memory.now().at);
    let mut statement = Proposition::new(id, text, Confidence::clamped(SURE), Extractor::Person, now)?;
    let source = Locator::connector(SCENARIO_SOURCE, "intervention", None);
    statement.provenance = source.map(ProvenanceEntry::at).into_iter().collect();
    statement.voice = Voice::Document;
    let info = ScopeInfo::new(Cause::Manual, Actor::Person, "added while the run was paused");
    memory
        .change(info, |state, scope| {
            scope.put(state, statement.clone(), "added by a person");
            Ok(())
        })
        .await?;
    memory.add_to_working_set(id).await?;
    Ok(id)
}

fn unit(seed: &Seed) -> SeedUnit {
    SeedUnit { text: seed.text.clone(), authority: seed.authority, rank: seed.activation, pinned: false }
}

/// Whether two texts are one statement.
pub(super) fn same(a: &str, b: &str) -> bool {
    credence::text::canonical(a) == credence::text::canonical(b)
}

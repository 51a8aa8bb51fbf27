//! Trust asked again: a unit is judged anew on the working set, its sources and how they have fared by now (core 3.3).
//!
//! The finding is kept with the unit, ceiling included, so that it bounds what comes after it, up and down. It lowers a unit one level
//! where the ceiling or `unit.demote_threshold` says so; CANON and pinned units keep their level. Whether and how, the guard decides
//! ([`UnitPlan::assess`]). Fixes of core 3.3: the new ceiling is kept, the threshold is read, and the prior score is known.

use serde::{Deserialize, Serialize};

use super::{SourceRegistry, TrustAudit, TrustInput, evaluate};
use crate::error::Error;
use crate::history::{Actor, Cause, ScopeInfo};
use crate::id::PropositionId;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::text::Texts;
use crate::unit::{Change, Mover, Objection, UnitPlan};

/// What asking again did to one unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reevaluated {
    /// It was judged; the change says whether it was lowered, and what kept it where it is.
    Judged(Box<Change>),
    /// It could not be: it stands outside the working set, or a rule keeps it as it is.
    Refused(Box<Objection>),
}

/// How a unit's statement is trusted as a plan so far leaves the working set; `None` where there is no such unit. Plans nothing.
pub fn audit_of(
    plan: &UnitPlan<'_>,
    registry: &SourceRegistry,
    id: PropositionId,
    trigger: &str,
) -> Option<TrustAudit> {
    audit_reading(plan, registry, &Texts::default(), id, trigger)
}

fn audit_reading(
    plan: &UnitPlan<'_>,
    registry: &SourceRegistry,
    texts: &Texts,
    id: PropositionId,
    trigger: &str,
) -> Option<TrustAudit> {
    let view = plan.view(id)?;
    let set = plan.set();
    let others = set.iter().map(|unit| &unit.proposition);
    let quality = plan.config.unit.quality_scoring.enabled;
    let input = TrustInput::new(plan.state, &view.proposition, others, registry, quality).reading(texts);
    Some(evaluate(&input, &plan.config.trust, trigger, plan.now))
}

/// Plans a unit's new finding. `trigger` says what asked for it: `reinforcement`, `explicit`, `revision`, `sweep`.
///
/// # Errors
/// The guard's objection, for one that stands outside the working set too; nothing is planned then.
pub fn reevaluate(
    plan: &UnitPlan<'_>,
    registry: &SourceRegistry,
    id: PropositionId,
    trigger: &str,
) -> Result<Change, Objection> {
    reevaluate_reading(plan, registry, &Texts::default(), id, trigger)
}

/// The same where many are asked about: each text is read once.
fn reevaluate_reading(
    plan: &UnitPlan<'_>,
    registry: &SourceRegistry,
    texts: &Texts,
    id: PropositionId,
    trigger: &str,
) -> Result<Change, Objection> {
    let Some(audit) = audit_reading(plan, registry, texts, id, trigger) else {
        return Ok(Change::nothing(id, "the statement has never been a unit"));
    };
    // The clock alone is no news, and one finding lowers once.
    let known = plan.view(id).and_then(|view| view.unit.trust().cloned());
    let audit = match known {
        Some(known) if known.score == audit.score && known.signals == audit.signals => known,
        _ => audit,
    };
    plan.assess(id, audit, trigger)
}

impl<P: Ports> Memory<P> {
    /// Judges units anew, in one commit; none where nothing changed. Returns what became of each, in their order.
    ///
    /// # Errors
    /// As [`Memory::commit`].
    pub async fn reevaluate(&self, ids: &[PropositionId], trigger: &str) -> Result<Vec<Reevaluated>, Error> {
        let info = ScopeInfo::new(Cause::Maintenance, Actor::Engine, "trust asked again");
        let (done, _) = self
            .change(info, |state, scope| {
                let (registry, texts) = (SourceRegistry::of(state), Texts::default());
                self.planning(state, scope, Mover::Policy("trust"), |plan| {
                    let judge = |id: &PropositionId| match reevaluate_reading(
                        plan, &registry, &texts, *id, trigger,
                    ) {
                        Ok(change) => Reevaluated::Judged(Box::new(change)),
                        Err(objection) => Reevaluated::Refused(Box::new(objection)),
                    };
                    Ok(ids.iter().map(judge).collect())
                })
            })
            .await?;
        Ok(done)
    }

    /// Who says things in this memory and how their word has fared.
    pub fn source_registry(&self) -> SourceRegistry {
        SourceRegistry::of(&self.state())
    }
}

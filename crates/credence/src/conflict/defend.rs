//! The defence of the working set inside revision: before a decided statement retires what is known, every active unit that it would
//! retire is resolved (`resolve`), and the decision is rewritten where the unit holds its place.
//!
//! | resolution | the known statement | the new one |
//! |---|---|---|
//! | replace | retired, as was decided | as was decided |
//! | coexist | closed as past, as was decided; kept where it is CANON or the news are of a lesser source | beside it |
//! | keep | untouched | kept beside it, in dispute |
//! | demote | its unit loses a level | kept beside it, in dispute |
//!
//! Nothing is lost on either side: who did not win stands beside, linked, and a person is asked where the unit is CANON or RELIABLE, the
//! conflict could not be told, or the mutation strategy says so. What a rule of the working set forbids is not done whatever the
//! resolution says (core 15 G2: upstream archives first and asks later; core 0.2 X6, X7). Pinned statements are `revision`'s own care,
//! and a memory without units is as if this page were not there.

use serde::{Deserialize, Serialize};

use super::resolve::{Resolution, ResolutionOutcome, ResolutionRules, resolve};
use super::source::SourceRelation;
use super::{Conflict, ConflictType, Quality};
use crate::history::{Scope, State};
use crate::id::{InboxId, PropositionId};
use crate::inbox::{InboxItem, InboxKind};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::Proposition;
use crate::revision::Decision;
use crate::text;
use crate::time::Timestamp;
use crate::unit::{Action, Authority, Change, DemotionReason, Mover, Tier, UnitPlan, UnitView};

/// How one unit met what would have retired its statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Defended {
    /// The unit, by its statement.
    pub unit: PropositionId,
    /// Its authority then.
    pub authority: Authority,
    /// Its tier then.
    pub tier: Tier,
    /// How the new statement's source stood to its source.
    pub relation: SourceRelation,
    /// What kind of conflict it was taken for.
    pub kind: ConflictType,
    /// How sure, 0 to 1.
    pub confidence: f64,
    /// What was decided.
    #[serde(flatten)]
    pub resolution: Resolution,
    /// Whether its statement stands on.
    pub stands: bool,
    /// What was done to the unit itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
}

/// A decision after the units had their say.
pub(crate) struct Stand {
    pub(crate) decision: Decision,
    pub(crate) defended: Vec<Defended>,
    /// What was to be retired and stands on.
    pub(crate) kept: Vec<PropositionId>,
    /// Whether everything that was to be retired does, so that the new statement only stands in dispute.
    pub(crate) holds: bool,
}

impl Stand {
    /// A decision that no unit had a say in.
    pub(crate) fn as_decided(decision: Decision) -> Self {
        Self { decision, defended: Vec::new(), kept: Vec::new(), holds: false }
    }
}

impl<P: Ports> Memory<P> {
    /// Lets the units that a decision would retire defend themselves. `new` is linked to those that stay.
    pub(crate) fn defend(
        &self,
        state: &State,
        scope: &Scope,
        new: &mut Proposition,
        decision: Decision,
        now: Timestamp,
        notes: &mut Vec<String>,
    ) -> Stand {
        let Decision::Contradict { others, moved_on, why, confidence } = decision else {
            return Stand::as_decided(decision);
        };
        let config = self.config();
        let context = self.context();
        let plan = UnitPlan { state, scope, config: &config, context, now, mover: Mover::Policy("revision") };
        let (mut retire, mut defended, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        for id in others {
            let view = plan.view(id).filter(|view| view.is_active() && !view.proposition.pinned);
            let Some(view) = view else {
                retire.push(id);
                continue;
            };
            let relation = self.source_relation(state, new, &view.proposition);
            let kind = match moved_on {
                true => ConflictType::WorldProgression,
                false => self.conflict_type(new, &view.proposition),
            };
            let found = Conflict { unit: id, confidence, kind, quality: Quality::Full, reason: why.clone() };
            let resolution = resolve(&found, &view, relation, ResolutionRules::from(&config));
            let met = meet(&plan, &view, found, relation, resolution);
            if met.stands {
                kept.push(id);
                new.temporal.contradicts.push(id);
                let known = text::excerpt(&view.proposition.text, 80);
                notes.push(format!("`{known}` is a unit; {}", met.resolution.why));
            } else {
                retire.push(id);
            }
            defended.push(met);
        }
        let holds = retire.is_empty() && !kept.is_empty();
        let decision = match holds {
            true => Decision::New { why },
            false => Decision::Contradict { others: retire, moved_on, why, confidence },
        };
        Stand { decision, defended, kept, holds }
    }

    /// Plans the question about the units that stood and want a person's word, once the new statement is planned.
    pub(crate) fn ask_about_units(
        &self,
        state: &State,
        scope: &Scope,
        newer: PropositionId,
        defended: &[Defended],
        now: Timestamp,
    ) {
        let planned = |id: PropositionId| scope.proposition(state, id);
        let asking: Vec<&Defended> =
            defended.iter().filter(|met| met.stands && met.resolution.asks).collect();
        let Some((first, newer)) = asking.first().zip(planned(newer)) else { return };
        let units: Vec<Proposition> = asking.iter().filter_map(|met| planned(met.unit)).collect();
        let why = format!("{} ({})", first.resolution.why, first.authority.as_str());
        let (id, kind) = (InboxId::new(self.next_id()), InboxKind::UnitDispute);
        scope.put(state, InboxItem::conflict(id, kind, newer, &units, &why, now), why);
    }
}

/// What a resolution comes to, within the rules of the working set.
fn meet(
    plan: &UnitPlan<'_>,
    view: &UnitView,
    found: Conflict,
    relation: SourceRelation,
    mut resolution: Resolution,
) -> Defended {
    let mut change = None;
    let refused = |resolution: &mut Resolution, words: String| {
        (resolution.outcome, resolution.asks) = (ResolutionOutcome::KeepExisting, true);
        resolution.why = format!("it stays: {words}");
    };
    let stands = match resolution.outcome {
        ResolutionOutcome::KeepExisting => true,
        ResolutionOutcome::Coexist if view.authority == Authority::Canon => true,
        ResolutionOutcome::Coexist if relation == SourceRelation::ExistingOutranks => {
            resolution.asks = view.authority >= Authority::Reliable;
            resolution.why = "both stay: a lesser source says that the world moved on".into();
            true
        }
        ResolutionOutcome::Replace | ResolutionOutcome::Coexist => match plan.check(Action::Archive, view) {
            Ok(_) => false,
            Err(objection) => {
                refused(&mut resolution, objection.words);
                true
            }
        },
        ResolutionOutcome::DemoteExisting => {
            match plan.demote(view.id(), DemotionReason::ConflictEvidence, &found.reason) {
                Ok(made) => change = Some(made),
                Err(objection) => refused(&mut resolution, objection.words),
            }
            true
        }
    };
    Defended {
        unit: view.id(),
        authority: view.authority,
        tier: view.tier,
        relation,
        kind: found.kind,
        confidence: found.confidence,
        resolution,
        stands,
        change,
    }
}

//! A unit as of an instant, with its statement: what everything that reads the working set is given.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::{Activation, Authority, Tier, Unit};
use crate::config::Config;
use crate::history::{Record, RecordId, Scope, State};
use crate::id::PropositionId;
use crate::proposition::{Proposition, effective_confidence};
use crate::time::Timestamp;

/// A unit and its statement, all as of one instant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnitView {
    /// The record.
    pub unit: Unit,
    /// What it says.
    pub proposition: Proposition,
    /// Decayed to the instant.
    pub activation: Activation,
    /// The tier of that activation.
    pub tier: Tier,
    /// How far it is to be taken.
    pub authority: Authority,
    /// The statement's confidence, decayed to the instant; 0 to 1.
    pub effective: f64,
}

impl UnitView {
    /// The view of a unit.
    pub fn new(unit: Unit, proposition: Proposition, now: Timestamp, config: &Config) -> Self {
        let activation = unit.activation_at(&proposition, now, &config.unit);
        Self {
            activation,
            tier: config.unit.tier.of(activation),
            authority: unit.authority(),
            effective: effective_confidence(&proposition, now, config.decay_rule()),
            unit,
            proposition,
        }
    }
    /// The statement, which names the unit.
    pub fn id(&self) -> PropositionId {
        self.unit.proposition
    }
    /// Whether it belongs to the working set: neither asleep nor archived, and its statement is believed.
    pub fn is_active(&self) -> bool {
        self.unit.is_active() && self.proposition.status.is_live()
    }
    /// Whether it is CANON or pinned: no policy takes it out or lowers it.
    pub fn is_protected(&self) -> bool {
        self.proposition.pinned || self.authority == Authority::Canon
    }
}

/// The unit of a statement, wherever it stands; `None` where there is none or its statement is gone.
pub fn view(state: &State, id: PropositionId, now: Timestamp, config: &Config) -> Option<UnitView> {
    let (unit, proposition) = (state.unit(id)?, state.proposition(id)?);
    Some(UnitView::new(unit.clone(), proposition.clone(), now, config))
}

/// The working set: active units whose statements are believed, the most activated first, the older first among equals.
pub fn active(state: &State, now: Timestamp, config: &Config) -> Vec<UnitView> {
    let views = state.units().filter_map(|unit| view(state, unit.proposition, now, config));
    sorted(views.filter(UnitView::is_active).collect())
}

/// The unit of a statement as a plan would leave it.
pub fn planned_view(
    state: &State,
    scope: &Scope,
    id: PropositionId,
    now: Timestamp,
    config: &Config,
) -> Option<UnitView> {
    match (scope.get(state, RecordId::Unit(id)), scope.get(state, RecordId::Proposition(id))) {
        (Some(Record::Unit(unit)), Some(Record::Proposition(proposition))) => {
            Some(UnitView::new(unit, proposition, now, config))
        }
        _ => None,
    }
}

/// The working set as a plan would leave it, in the order of [`active`].
pub fn planned(state: &State, scope: &Scope, now: Timestamp, config: &Config) -> Vec<UnitView> {
    let drafted = scope.drafts();
    let fresh = drafted.iter().filter_map(|draft| match draft.record {
        RecordId::Unit(id) if state.unit(id).is_none() => Some(id),
        _ => None,
    });
    let ids: Vec<PropositionId> = state.units().map(|unit| unit.proposition).chain(fresh).collect();
    let views = ids.into_iter().filter_map(|id| planned_view(state, scope, id, now, config));
    sorted(views.filter(UnitView::is_active).collect())
}

fn sorted(mut views: Vec<UnitView>) -> Vec<UnitView> {
    views.sort_by_key(|view| (Reverse(view.activation), view.id()));
    views
}

//! The past as it was, and as it was known: reads at a valid time and a recorded time (core 11.4, G15). Pure reads.

use std::collections::BTreeSet;

use super::{Memory, PropositionView};
use crate::error::Error;
use crate::history::{RecordId, State};
use crate::id::PropositionId;
use crate::ports::Ports;
use crate::proposition::effective_confidence;
use crate::time::Timestamp;
use crate::unit::{self, UnitView};

impl<P: Ports> Memory<P> {
    /// What held at `valid`, as the memory knew it at `recorded`, in order of creation, each with what it was worth at `valid`.
    /// Superseded statements are included where they held. Empty before the first commit. Both instants may be any; a recorded time to
    /// come is the present.
    pub fn as_of(&self, valid: Timestamp, recorded: Timestamp) -> Result<Vec<PropositionView>, Error> {
        let rule = self.decay_rule();
        let view = self.recorded_at(recorded)?;
        let held = view.held_at(valid).filter_map(|p| {
            Some(PropositionView {
                proposition: p.clone(),
                revision: view.revision(RecordId::Proposition(p.id))?.id,
                effective: effective_confidence(p, valid, rule),
            })
        });
        Ok(held.collect())
    }

    /// The working set as it was at `recorded`, those units of it whose statements held at `valid`: the most activated first.
    pub fn working_set_as_of(&self, valid: Timestamp, recorded: Timestamp) -> Result<Vec<UnitView>, Error> {
        let view = self.recorded_at(recorded)?;
        let held: BTreeSet<PropositionId> = view.held_at(valid).map(|p| p.id).collect();
        let mut units = self.with_config(|config| unit::active(&view, recorded, config));
        units.retain(|unit| held.contains(&unit.id()));
        Ok(units)
    }

    /// The state that the log stood at; the empty one before its first commit.
    fn recorded_at(&self, recorded: Timestamp) -> Result<State, Error> {
        let log = self.log();
        Ok(log.view_at(log.seq_at(recorded))?)
    }
}

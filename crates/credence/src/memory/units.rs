//! The working set as hosts see it.

use super::Memory;
use crate::id::PropositionId;
use crate::ports::Ports;
use crate::unit::{self, UnitView};

impl<P: Ports> Memory<P> {
    /// The working set as of now: the most activated first, the older first among equals.
    pub fn working_set(&self) -> Vec<UnitView> {
        let now = self.now().at;
        self.with_config(|config| unit::active(&self.state(), now, config))
    }
    /// A statement's unit as of now, wherever it stands; `None` where the statement was never promoted.
    pub fn unit(&self, id: PropositionId) -> Option<UnitView> {
        let now = self.now().at;
        self.with_config(|config| unit::view(&self.state(), id, now, config))
    }
}

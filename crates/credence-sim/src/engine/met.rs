//! The rules of the settings that changes of units meet: heard while the memory works, kept with the turn or the act in which they were met.

use std::cell::RefCell;
use std::rc::Rc;

use credence::Memory;
use credence::event::{Event, Subscription, UnitEvent};
use credence::ports::Ports;
use credence::unit::Objection;

/// Listens to one memory.
pub(super) struct Met {
    heard: Rc<RefCell<Vec<Objection>>>,
    _listening: Subscription,
}

impl Met {
    /// Of a memory.
    pub(super) fn of<P: Ports>(memory: &Memory<P>) -> Self {
        let heard: Rc<RefCell<Vec<Objection>>> = Rc::default();
        let ear = heard.clone();
        let listening = memory.subscribe(move |event| {
            if let Event::Unit { event: UnitEvent::InvariantViolation { violation }, .. } = event {
                ear.borrow_mut().push(violation.clone());
            }
        });
        Self { heard, _listening: listening }
    }
    /// What was heard before belongs to nobody: a run that was put aside does not hear it either.
    pub(super) fn begin(&self) {
        self.heard.borrow_mut().clear();
    }
    /// What was heard since.
    pub(super) fn taken(&self) -> Vec<Objection> {
        std::mem::take(&mut *self.heard.borrow_mut())
    }
}

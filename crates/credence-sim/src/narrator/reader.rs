//! Which facts of a scenario a text says, denies, or leaves alone: the oracle's word, remembered, because the same turns and lines of
//! memory stand in many prompts.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use credence::text;

use crate::judge::oracle;
use crate::scenario::Scenario;
use crate::verdict::Ruling;

/// Reads texts against a scenario's facts.
#[derive(Debug)]
pub struct FactReader {
    scenario: Rc<Scenario>,
    known: RefCell<BTreeMap<String, Rc<[Ruling]>>>,
}

impl FactReader {
    /// For one scenario.
    pub fn new(scenario: Rc<Scenario>) -> Self {
        Self { scenario, known: RefCell::default() }
    }
    /// The scenario.
    pub fn scenario(&self) -> &Rc<Scenario> {
        &self.scenario
    }
    /// What a text does to each fact, in the scenario's order.
    pub fn rulings(&self, text: &str) -> Rc<[Ruling]> {
        if let Some(known) = self.known.borrow().get(text) {
            return known.clone();
        }
        let verdicts = oracle::judge(&self.scenario, text).verdicts;
        let rulings: Rc<[Ruling]> = verdicts.iter().map(|verdict| verdict.ruling).collect();
        self.known.borrow_mut().insert(text.to_owned(), rulings.clone());
        rulings
    }
    /// The first sentence of a text that does this to a fact.
    pub fn sentence<'a>(&self, text: &'a str, fact: usize, wanted: Ruling) -> Option<&'a str> {
        text::sentences(text).into_iter().find(|sentence| self.rulings(sentence).get(fact) == Some(&wanted))
    }
}

//! The adversary without a model on our own corpus: what its sentences say is heard as the opposite of the facts that they aim at, never as the facts
//! themselves. Who hears is the reader by which the simulated narrator understands a player.

use std::collections::BTreeSet;
use std::rc::Rc;

use credence::llm::Cancel;
use credence::llm::scripted::ScriptedModel;
use credence_sim::adversary::{Adversary, AdversarySettings, AdversaryView};
use credence_sim::narrator::FactReader;
use credence_sim::scenario::{AdversaryMode, Scenario, own};
use credence_sim::verdict::Ruling;
use futures::executor::block_on;

/// How often a line is heard as the opposite of its fact, as nothing, and as the fact; `lines` attacks by chance on a scenario.
fn heard(scenario: Scenario, lines: u64) -> [usize; 3] {
    let scenario = Scenario { adversary_mode: AdversaryMode::Scripted, adversarial: true, ..scenario };
    let reader = FactReader::new(Rc::new(scenario.clone()));
    let none = BTreeSet::new();
    let turn = scenario.warm_up_turns + 1;
    let view = AdversaryView { turn, turns: &[], units: &[], conflicted: &none };
    let mut counts = [0; 3];
    for seed in 0..lines {
        let adversary = Adversary::new(&scenario, AdversarySettings { seed, ..AdversarySettings::default() });
        let line = block_on(adversary.next_line(&view, None::<&ScriptedModel>, &Cancel::new()));
        let fact = scenario.facts.iter().position(|fact| fact.id == line.targets[0]).expect("a fact");
        let place = match reader.claims(&line.prompt)[fact].ruling {
            Ruling::Contradicted => 0,
            Ruling::NotMentioned => 1,
            Ruling::Confirmed => 2,
        };
        counts[place] += 1;
    }
    counts
}

fn sum(counts: impl Iterator<Item = [usize; 3]>) -> [usize; 3] {
    counts.fold([0; 3], |sum, counts| [0, 1, 2].map(|at| sum[at] + counts[at]))
}

#[test]
fn with_the_authors_examples_every_line_is_heard_as_the_opposite() {
    let [_, nothing, fact] = sum(own().scenarios().map(|scenario| heard(scenario.clone(), 3)));
    assert_eq!((nothing, fact), (0, 0));
}

#[test]
fn without_an_oracle_most_facts_are_made_into_their_opposite() {
    let bare = |scenario: &Scenario| {
        let mut scenario = scenario.clone();
        scenario.facts.iter_mut().for_each(|fact| fact.oracle = None);
        scenario
    };
    let [opposite, nothing, fact] = sum(own().scenarios().map(|scenario| heard(bare(scenario), 1)));
    println!("{opposite} lines heard as the opposite, {nothing} as nothing, {fact} as the fact");
    assert!(opposite >= 3 * (nothing + fact), "{opposite}, {nothing}, {fact}");
}

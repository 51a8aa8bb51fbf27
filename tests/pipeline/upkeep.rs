//! Upkeep of the working set: gauges that follow the log, signals that are told once, sweeps and what they change.

use std::cell::RefCell;
use std::rc::Rc;

use super::support::*;
use credence::config::Config;
use credence::event::Event;
use credence::history::{Actor, Cause, ScopeInfo};
use credence::id::PropositionId;
use credence::proposition::Status;
use credence::testing::TestPorts;
use credence::unit::{Activation, Earned, Unit};
use credence::upkeep::{SignalKind, SweepKind, UpkeepSignal};

/// The stored statement of these words.
fn named(memory: &TestMemory, text: &str) -> PropositionId {
    let state = memory.state();
    let found = state.propositions().find(|p| p.text.starts_with(text));
    found.unwrap_or_else(|| panic!("{text} is not stored")).id
}

/// Makes stored statements units, whatever promotion would say.
async fn promote(memory: &TestMemory, texts: &[&str], activation: i64) -> Vec<PropositionId> {
    let ids: Vec<PropositionId> = texts.iter().map(|text| named(memory, text)).collect();
    let info = ScopeInfo::new(Cause::Promotion, Actor::Engine, "test");
    let now = memory.now().at;
    let planned = memory.change(info, |state, scope| {
        for id in &ids {
            let unit = Unit::promoted(*id, Activation::clamped(activation), Earned::Reliable, None, now);
            scope.put(state, unit, "");
        }
        Ok(())
    });
    planned.await.unwrap();
    ids
}

/// A memory that promotes nothing by itself.
async fn still(ports: TestPorts) -> TestMemory {
    let memory = open(ports).await;
    let mut config = memory.config();
    config.unit.auto_activate = false;
    memory.set_config(config).unwrap();
    memory
}

fn heard(memory: &TestMemory) -> (Rc<RefCell<Vec<UpkeepSignal>>>, credence::event::Subscription) {
    let heard: Rc<RefCell<Vec<UpkeepSignal>>> = Rc::default();
    let into = heard.clone();
    let subscription = memory.subscribe(move |event| {
        if let Event::Upkeep { signal } = event {
            into.borrow_mut().push(*signal);
        }
    });
    (heard, subscription)
}

#[test]
fn gauges_count_turns_and_conflicts_and_come_back_with_the_log() {
    run(async {
        let ports = TestPorts::offline();
        let memory = still(ports.sibling()).await;
        tell(&memory, &["Nia lives in Bonn.", "Pia likes tea."]).await;
        let [nia, pia] = promote(&memory, &["Nia lives in", "Pia likes"], 500).await[..] else { panic!() };
        assert_eq!((memory.pressure().turn, memory.pressure().active), (2, 2));
        assert_eq!(memory.attention().unit(nia).unwrap().events, 1, "its promotion");
        tell(&memory, &["Pia doesn't like tea."]).await;
        let (attention, pressure) = (memory.attention(), memory.pressure());
        assert_eq!((pressure.turn, pressure.conflicts), (3, 1));
        assert_eq!(pressure.active, 1, "what is contradicted is no active unit");
        assert!(attention.unit(pia).is_none());
        assert_eq!((memory.attention(), memory.pressure()), (attention.clone(), pressure.clone()));
        let again = still(ports.sibling()).await;
        assert_eq!((again.attention(), again.pressure()), (attention, pressure));
    });
}

#[test]
fn an_import_brings_no_turns_and_a_memory_without_units_has_no_pressure() {
    run(async {
        let memory = offline().await;
        let talk = "Mara: I live in Oslo.\nBen: I live in Rome.\nMara: Nice.\n";
        let parsed = credence::import::parse("talk.txt", talk, memory.now()).unwrap();
        memory.import(&parsed, Some("Mara")).await.unwrap();
        assert_eq!((memory.pressure().turn, memory.pressure().score), (0, 0.0));
        assert!(memory.attention().units.is_empty());
    });
}

#[test]
fn a_unit_that_cools_is_told_without_anything_happening_to_it() {
    run(async {
        let ports = TestPorts::offline();
        let memory = still(ports.sibling()).await;
        let mut config = memory.config();
        config.attention.max_expected_events_per_window = 1;
        memory.set_config(config).unwrap();
        let (heard, _subscription) = heard(&memory);
        tell(&memory, &["Nia lives in Bonn.", "Pia likes tea.", "Ben sails."]).await;
        promote(&memory, &["Nia lives in", "Pia likes", "Ben sails"], 500).await;
        let kinds = || {
            let kind = |signal: &UpkeepSignal| match signal {
                UpkeepSignal::Attention(signal) => Some(signal.kind),
                UpkeepSignal::Pressure { .. } => None,
            };
            heard.borrow().iter().filter_map(kind).collect::<Vec<_>>()
        };
        assert_eq!(kinds(), [SignalKind::HeatPeak; 3]);
        ports.clock.advance_ms(300_001);
        let before = memory.state().seq();
        assert!(memory.attention().drifts(), "looking is enough to know, and nothing is written for it");
        assert_eq!(memory.state().seq(), before);
        memory.start_conversation("Later").await.unwrap();
        memory.start_conversation("Later still").await.unwrap();
        assert_eq!(
            kinds()[3..],
            [SignalKind::HeatDrop, SignalKind::HeatDrop, SignalKind::HeatDrop, SignalKind::ClusterDrift]
        );
        assert_eq!(kinds().len(), 7, "each is told once");
    });
}

#[test]
fn pressure_is_told_when_it_reaches_a_threshold() {
    run(async {
        let memory = still(TestPorts::offline()).await;
        let mut config: Config = memory.config();
        config.unit.budget = 2;
        memory.set_config(config).unwrap();
        let (heard, _subscription) = heard(&memory);
        tell(&memory, &["Nia lives in Bonn.", "Pia likes tea."]).await;
        promote(&memory, &["Nia lives in"], 500).await;
        assert!(heard.borrow().is_empty());
        promote(&memory, &["Pia likes"], 500).await;
        assert!(
            matches!(heard.borrow()[..], [UpkeepSignal::Pressure { breach, .. }] if breach.sweep == SweepKind::Light)
        );
        assert_eq!(live(&memory).len(), texts(&memory, Status::Active).len());
    });
}

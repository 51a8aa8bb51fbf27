//! Empty values of the great types, for this crate's own tests: a test says what it is about and takes the rest from here.

use std::collections::BTreeMap;

use credence::config::Config;
use credence::id::PropositionId;
use credence::proposition::{Extractor, Proposition};
use credence::scale::Confidence;
use credence::time::Timestamp;
use credence::trust::TrustAudit;
use credence::unit::{Activation, Authority, Earned, Unit, UnitView};
use uuid::Uuid;

use crate::run::{Condition, Cost, RunRecord, RunSettings, RunStatus, TurnRecord, TurnTrace};
use crate::scenario::{AdversaryConfig, AdversaryMode, Fact, ModelChoice, Scenario, TurnKind};

/// A scenario in which nothing is said and nothing must hold.
pub(crate) fn scenario() -> Scenario {
    Scenario {
        id: "empty".into(),
        category: "baseline".into(),
        title: String::new(),
        objective: String::new(),
        test_focus: String::new(),
        highlights: Vec::new(),
        adversarial: false,
        persona: None,
        narrator: ModelChoice::default(),
        generator: ModelChoice::default(),
        evaluator: ModelChoice::default(),
        max_turns: 0,
        warm_up_turns: 0,
        setting: String::new(),
        facts: Vec::new(),
        seeds: Vec::new(),
        turns: Vec::new(),
        extraction: true,
        trust: None,
        compaction: None,
        dormancy: None,
        sessions: Vec::new(),
        assertions: Vec::new(),
        adversary_mode: AdversaryMode::Scripted,
        adversary: AdversaryConfig::default(),
        invariants: Vec::new(),
        enforcement: None,
        budget: None,
    }
}

/// A fact by its id and text.
pub(crate) fn fact(id: &str, text: &str) -> Fact {
    Fact { id: id.into(), text: text.into(), category: None, established_at: None, oracle: None }
}

/// A turn in which nothing happened.
pub(crate) fn turn(number: u32, kind: TurnKind) -> TurnRecord {
    TurnRecord {
        turn: number,
        kind,
        session: None,
        strategies: Vec::new(),
        targets: Vec::new(),
        player: String::new(),
        line: None,
        reply: String::new(),
        failed: None,
        injection: true,
        judgements: Vec::new(),
        units_before: Vec::new(),
        units_after: Vec::new(),
        events: Vec::new(),
        trace: TurnTrace::default(),
        compliance: None,
        compaction: None,
        duration_ms: 0,
        seq: 0,
    }
}

/// A complete run of [`scenario`] without turns.
pub(crate) fn run(id: &str) -> RunRecord {
    RunRecord {
        schema: 1,
        id: id.into(),
        scenario: scenario().id,
        scenario_hash: String::new(),
        prompts_hash: String::new(),
        config_hash: String::new(),
        rules: Vec::new(),
        condition: Condition::full(),
        settings: RunSettings {
            seed: 1,
            repetition: 0,
            max_turns: 0,
            token_budget: 0,
            narrator: "scripted".into(),
            judge: String::new(),
            adversary: String::new(),
            options: BTreeMap::new(),
        },
        started: Timestamp(0),
        ended: None,
        status: RunStatus::Complete,
        turns: Vec::new(),
        interventions: Vec::new(),
        assertions: Vec::new(),
        scores: BTreeMap::new(),
        cost: Cost::default(),
    }
}

/// A unit of the working set; `n` is its id.
pub(crate) fn unit(
    n: u128,
    text: &str,
    authority: Authority,
    activation: i64,
    trust: Option<TrustAudit>,
) -> UnitView {
    let (id, now) = (PropositionId::new(Uuid::from_u128(n)), Timestamp(0));
    let statement = Proposition::new(id, text, Confidence::clamped(0.9), Extractor::Person, now).unwrap();
    let unit = Unit::promoted(id, Activation::clamped(activation), Earned::Reliable, trust, now);
    UnitView { authority, ..UnitView::new(unit, statement, now, &Config::default()) }
}

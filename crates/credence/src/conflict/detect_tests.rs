//! The strategies on a scripted model: who is asked, how a reply is read, and what happens when none comes.

#![expect(clippy::unwrap_used, reason = "a helper that fails, fails its test")]

use futures::executor::block_on;
use uuid::Uuid;

use super::*;
use crate::config::Config;
use crate::conflict::UNGRADED;
use crate::history::Actor;
use crate::id::{ContextId, PropositionId};
use crate::llm::scripted::ScriptedModel;
use crate::llm::{ChatRequest, ModelError};
use crate::memory::Edit;
use crate::proposition::Extractor;
use crate::scale::Confidence;
use crate::testing::TestPorts;
use crate::time::Timestamp;
use crate::unit::{Activation, Earned, Unit};

fn statement(n: u128, text: &str) -> Proposition {
    let id = PropositionId::new(Uuid::from_u128(n));
    Proposition::new(id, text, Confidence::clamped(0.8), Extractor::Rules, Timestamp(0)).unwrap()
}

/// Statements 100 and on.
fn statements(texts: &[&str]) -> Vec<Proposition> {
    texts.iter().zip(100..).map(|(text, n)| statement(n, text)).collect()
}

/// Units 1 and on.
fn units(texts: &[&str]) -> Vec<UnitView> {
    let unit = |(text, n): (&&str, u128)| {
        let p = statement(n, text);
        let unit = Unit::promoted(p.id, Activation::default(), Earned::Reliable, None, Timestamp(0));
        UnitView::new(unit, p, Timestamp(0), &Config::default())
    };
    texts.iter().zip(1..).map(unit).collect()
}

fn unit(n: u128) -> PropositionId {
    PropositionId::new(Uuid::from_u128(n))
}

fn with(strategy: DetectionStrategy) -> Config {
    let mut config = Config::default();
    config.conflict_detection.strategy = strategy;
    config
}

struct Bench {
    memory: Memory<TestPorts>,
    model: ScriptedModel,
}

impl Bench {
    fn new(model: ScriptedModel, config: Config) -> Self {
        let ports = TestPorts::with(model.clone());
        let memory = block_on(Memory::open(ports, ContextId::new("test").unwrap(), config)).unwrap();
        Self { memory, model }
    }
    fn detect(&self, incoming: &[&str], against: &[&str]) -> Detected {
        block_on(self.memory.detect_conflicts(&statements(incoming), &units(against)))
    }
    fn calls(&self) -> usize {
        self.model.calls(Role::Revise)
    }
}

/// The model's only reply to one statement about one unit.
fn replied(reply: &str) -> Detected {
    let bench = Bench::new(ScriptedModel::new().reply(Role::Revise, reply), with(DetectionStrategy::Llm));
    bench.detect(&["The lake's water is clean."], &["The lake is poisoned."])
}

fn item(conflict: &str) -> String {
    format!(r#"{{"items": [{{"statement": 1, "conflicts": [{conflict}]}}]}}"#)
}

fn by_words(incoming: &[&str], against: &[&str]) -> Vec<Vec<Conflict>> {
    Bench::new(ScriptedModel::new(), with(DetectionStrategy::Lexical)).detect(incoming, against).conflicts
}

#[test]
fn core_91_a_denial_meets_what_it_denies() {
    let found = by_words(&["The king is not alive."], &["The king is alive and well."]);
    assert_eq!((found[0].len(), found[0][0].unit), (1, unit(1)));
}

#[test]
fn core_92_nothing_to_deny_is_no_conflict() {
    let none: [(&str, &[&str]); 4] = [
        ("The king is alive.", &["The tavern opens at noon."]),
        ("The king is alive.", &["The king is alive and well."]),
        ("The king is not alive.", &["The king is not well."]),
        ("The king is not alive.", &[]),
    ];
    for (incoming, against) in none {
        assert_eq!(by_words(&[incoming], against), [vec![]], "{incoming} / {against:?}");
    }
}

#[test]
fn core_93_a_batch_keeps_its_order_and_overlap_is_the_confidence() {
    let found =
        by_words(&["The king is not breathing alive.", "The queen visited."], &["The king is alive."]);
    assert_eq!(found[0][0].confidence, 0.8);
    assert_eq!(found[0][0].quality, Quality::Degraded, "words that differ leave it to a person");
    assert_eq!(found[1], []);
}

fn found_above(threshold: f64) -> usize {
    let mut config = with(DetectionStrategy::Lexical);
    config.conflict.negation_overlap_threshold = threshold;
    let bench = Bench::new(ScriptedModel::new(), config);
    bench.detect(&["The king is not breathing alive."], &["The king is alive."]).conflicts[0].len()
}

#[test]
fn core_94_an_overlap_that_only_reaches_the_threshold_is_none() {
    assert_eq!((found_above(0.79), found_above(0.8)), (1, 0));
}

#[test]
fn prop_conflict_negation_overlap_threshold_decides_what_is_suspected() {
    assert_eq!((found_above(0.5), found_above(0.9)), (1, 0));
}

#[test]
fn core_95_96_repeated_words_and_words_that_hold_a_negation() {
    let repeated =
        by_words(&["The cat and the dog of the king are not here."], &["The king and the queen are here."]);
    assert_eq!(repeated.len(), 1);
    let gate = by_words(
        &["The north gate is open.", "Another notable gate is open."],
        &["The gate is shut.", "The south gate is shut."],
    );
    assert_eq!(gate, [vec![], vec![]]);
}

#[test]
fn core_97_the_models_grade_type_and_reason_are_kept() {
    let found =
        replied(&item(r#"{"unit": 1, "type": "REVISION", "confidence": 0.9, "reason": "cleaned since"}"#));
    let expected = Conflict {
        unit: unit(1),
        confidence: 0.9,
        kind: ConflictType::Revision,
        quality: Quality::Full,
        reason: "cleaned since".into(),
    };
    assert_eq!(found.conflicts, [vec![expected]]);
    assert_eq!(found.calls, 1);
}

#[test]
fn core_98_104_types_are_read_in_any_case_and_unknown_ones_are_contradictions() {
    for (kind, expected) in [
        (r#""type": "revision","#, ConflictType::Revision),
        (r#""type": "World Progression","#, ConflictType::WorldProgression),
        (r#""conflictType": "contradiction","#, ConflictType::Contradiction),
        (r#""type": "mismatch","#, ConflictType::Contradiction),
        (r#""type": null,"#, ConflictType::Contradiction),
        ("", ConflictType::Contradiction),
    ] {
        let found = replied(&item(&format!(r#"{{"unit": 1, {kind} "confidence": 0.8}}"#)));
        assert_eq!(found.conflicts[0][0].kind, expected, "{kind}");
    }
    let reply = r#"{"items": [
        {"statement": 1, "conflicts": [{"unit": 1, "type": "WORLD_PROGRESSION", "confidence": 0.9}]},
        {"statement": 2, "conflicts": [{"unit": 2, "type": "REVISION", "confidence": 0.7}, {"unit": 1, "confidence": 0.8}]}
    ]}"#;
    let bench = Bench::new(ScriptedModel::new().reply(Role::Revise, reply), with(DetectionStrategy::Llm));
    let found =
        bench.detect(&["The bridge is gone.", "The mill burnt."], &["The bridge stands.", "The mill works."]);
    let kinds: Vec<Vec<(PropositionId, ConflictType)>> = found
        .conflicts
        .iter()
        .map(|found| found.iter().map(|c| (c.unit, c.kind.clone())).collect())
        .collect();
    assert_eq!(kinds[0], [(unit(1), ConflictType::WorldProgression)]);
    assert_eq!(kinds[1], [(unit(1), ConflictType::Contradiction), (unit(2), ConflictType::Revision)]);
}

#[test]
fn core_99_a_progression_is_kept_in_every_mode() {
    let reply = item(r#"{"unit": 1, "type": "WORLD_PROGRESSION", "confidence": 0.9, "reason": "the flood"}"#);
    for strategy in [DetectionStrategy::Llm, DetectionStrategy::Hybrid, DetectionStrategy::Indexed] {
        let bench = Bench::new(ScriptedModel::new().reply(Role::Revise, &reply), with(strategy));
        let found = bench.detect(&["The flood took the bridge."], &["The bridge stands."]);
        assert_eq!(found.conflicts[0][0].kind, ConflictType::WorldProgression, "{strategy:?}");
    }
}

#[test]
fn core_100_no_conflict_is_none() {
    for conflicts in ["", r#"{"unit": 1, "contradicts": false}"#, r#"{"unit": 1, "type": "none"}"#] {
        assert_eq!(replied(&item(conflicts)).conflicts, [vec![]], "{conflicts}");
    }
}

/// A word in a reply that is no JSON is no verdict; upstream takes "true" for a conflict of 0.9 (deviation D120).
#[test]
fn core_101_102_an_unreadable_reply_decides_nothing() {
    for reply in ["it is true that they differ", "they differ", r#"{"answer": "yes"}"#] {
        let model = ScriptedModel::new().reply(Role::Revise, reply).reply(Role::Revise, reply);
        let found = Bench::new(model, with(DetectionStrategy::Llm)).detect(&["a"], &["b", "c"]);
        let degraded: Vec<(Quality, f64)> =
            found.conflicts[0].iter().map(|c| (c.quality, c.confidence)).collect();
        assert_eq!(degraded, [(Quality::Degraded, 0.0); 2], "{reply}");
        assert!(found.conflicts[0][0].reason.starts_with("conflicts could not be judged"));
        assert_eq!(found.calls, 2, "one correction was asked for");
    }
}

#[test]
fn core_103_a_fenced_reply_is_read() {
    let fenced =
        format!("Sure!\n```json\n{}\n```", item(r#"{"unit": "1", "type": "REVISION", "confidence": "90%"}"#));
    assert_eq!(replied(&fenced).conflicts[0][0].confidence, 0.9);
}

#[test]
fn core_105_failed_call_unusable_reply_and_left_out_statement() {
    let failing = ScriptedModel::new().error(Role::Revise, ModelError::Timeout { after_ms: 60_000 });
    let found = Bench::new(failing, with(DetectionStrategy::Llm)).detect(&["a", "b"], &["c"]);
    assert!(found.conflicts.iter().all(|c| c.len() == 1 && c[0].quality == Quality::Degraded), "{found:?}");
    assert!(found.conflicts[0][0].reason.contains("no answer within 60000 ms"));

    let reply = item(r#"{"unit": 1, "confidence": 0.8}"#);
    let bench = Bench::new(ScriptedModel::new().reply(Role::Revise, reply), with(DetectionStrategy::Llm));
    let found = bench.detect(&["a", "b"], &["c"]);
    assert_eq!((found.conflicts[0].len(), found.conflicts[1].len()), (1, 0));
    assert!(found.notes.iter().any(|note| note.contains("left them out")), "{:?}", found.notes);
}

#[test]
fn an_answer_that_broke_off_leaves_what_it_did_not_reach_to_a_person() {
    let cut = r#"{"items": [{"statement": 1, "conflicts": [{"unit": 1, "type": "REVISION", "confidence": 0.9, "reason": "x"}]}, {"state"#;
    let model = ScriptedModel::new().finish(Role::Revise, cut, crate::llm::Finish::Length);
    let found = Bench::new(model, with(DetectionStrategy::Llm)).detect(&["a", "b"], &["c"]);
    assert_eq!(found.conflicts[0][0].quality, Quality::Full);
    assert_eq!(found.conflicts[1][0].quality, Quality::Degraded);
}

#[test]
fn what_was_not_asked_about_is_left_out_with_a_note_and_grades_stay_in_range() {
    let found = replied(&item(
        r#"{"unit": 7, "confidence": 0.9}, {"unit": 1, "confidence": 3}, {"unit": 1, "confidence": 0.7}"#,
    ));
    assert_eq!(found.conflicts[0].len(), 1);
    assert_eq!(found.conflicts[0][0].confidence, 1.0, "clamped, and the surer of two entries");
    assert!(found.notes[0].starts_with("1 entries"), "{:?}", found.notes);
}

#[test]
fn an_ungraded_conflict_has_a_default_and_says_so() {
    let found = replied(&item(r#"{"unit": 1, "type": "CONTRADICTION"}"#));
    assert_eq!(
        (found.conflicts[0][0].confidence, found.conflicts[0][0].quality),
        (UNGRADED, Quality::Fallback)
    );
}

#[test]
fn prop_conflict_llm_confidence_decides_what_a_person_looks_at() {
    let reply = item(r#"{"unit": 1, "type": "CONTRADICTION", "confidence": 0.7, "reason": "x"}"#);
    for (floor, quality) in [(0.6, Quality::Full), (0.7, Quality::Full), (0.9, Quality::Degraded)] {
        let mut config = with(DetectionStrategy::Llm);
        config.conflict.llm_confidence = floor;
        let bench = Bench::new(ScriptedModel::new().reply(Role::Revise, &reply), config);
        let found = bench.detect(&["a"], &["b"]).conflicts.remove(0).remove(0);
        assert_eq!((found.quality, found.confidence), (quality, 0.7), "{floor}");
    }
}

#[test]
fn core_106_107_what_words_decide_is_not_asked_about() {
    who_is_asked(DetectionStrategy::Lexical, 0, 0);
    who_is_asked(DetectionStrategy::Hybrid, 0, 1);
}

#[test]
fn prop_conflict_detection_strategy_decides_who_is_asked() {
    who_is_asked(DetectionStrategy::Lexical, 0, 0);
    who_is_asked(DetectionStrategy::Llm, 1, 1);
    who_is_asked(DetectionStrategy::Indexed, 0, 1);
}

/// How often a model is asked about a pair that words decide, and about one that they leave open.
fn who_is_asked(strategy: DetectionStrategy, about_opposed: usize, about_open: usize) {
    let opposed = (["Night deploys are not allowed."], ["Night deploys are allowed."]);
    let open = (["The lake's water is clean."], ["The lake is poisoned."]);
    for ((incoming, against), calls) in [(&opposed, about_opposed), (&open, about_open)] {
        let model = ScriptedModel::new().reply(Role::Revise, item(r#"{"unit": 1, "confidence": 0.9}"#));
        let bench = Bench::new(model, with(strategy));
        let found = bench.detect(incoming, against);
        assert_eq!(bench.calls(), calls, "{strategy:?} {incoming:?}");
        let by_words = strategy != DetectionStrategy::Llm && incoming == &opposed.0;
        assert_eq!(found.conflicts[0].len(), calls.max(usize::from(by_words)), "{strategy:?} {incoming:?}");
    }
}

#[test]
fn prop_sim_batch_max_size_pages_what_one_call_does_not_hold() {
    for (most, calls) in [(1, 2), (2, 1)] {
        let mut config = Config::default();
        config.set_property("sim.batch-max-size", most.into()).unwrap();
        let reply = r#"{"items": [{"statement": 1, "conflicts": []}, {"statement": 2, "conflicts": []}]}"#;
        let model = ScriptedModel::new().reply(Role::Revise, reply).reply(Role::Revise, reply);
        let bench = Bench::new(model, config);
        let found = bench.detect(
            &["The lake's water is clean.", "The flood took the bridge."],
            &["The lake is poisoned.", "The bridge stands."],
        );
        assert_eq!((bench.calls(), found.calls as usize), (calls, calls), "{:?}", found.notes);
    }
}

#[test]
fn one_call_for_a_whole_batch_about_related_units_alone() {
    let reply = r#"{"items": [{"statement": 1, "conflicts": []}, {"statement": 2, "conflicts": []}]}"#;
    let bench = Bench::new(ScriptedModel::new().reply(Role::Revise, reply), Config::default());
    bench.detect(
        &["The lake's water is clean.", "The flood took the bridge."],
        &["The lake is poisoned.", "The bridge stands.", "The mill works."],
    );
    assert_eq!(bench.calls(), 1);
    let (_, ChatRequest { messages, timeout_ms, .. }) = bench.model.requests().remove(0);
    let user = &messages[1].text;
    assert!(user.contains("Unit 1 (held as PROVISIONAL): \"The lake is poisoned.\""), "{user}");
    assert!(user.contains("Statement 2, to compare with unit 2: \"The flood took the bridge.\""), "{user}");
    assert!(!user.contains("mill"), "{user}");
    assert!(timeout_ms.is_some());
}

#[test]
fn prop_conflict_detection_model_is_asked_for() {
    for (model, expected) in [("", None), ("small-one", Some("small-one".to_owned()))] {
        let mut config = with(DetectionStrategy::Llm);
        config.conflict_detection.model = model.into();
        let bench = Bench::new(ScriptedModel::new().reply(Role::Revise, item("")), config);
        bench.detect(&["a"], &["b"]);
        assert_eq!(bench.model.requests()[0].1.model, expected);
    }
}

#[test]
fn core_108_what_was_judged_of_a_pair_is_not_asked_again() {
    let model = ScriptedModel::new()
        .reply(
            Role::Revise,
            item(r#"{"unit": 1, "type": "CONTRADICTION", "confidence": 0.9, "reason": "x"}"#),
        )
        .reply(Role::Revise, item(""))
        .reply(Role::Revise, item(""));
    let bench = Bench::new(model, with(DetectionStrategy::Indexed));
    let well = ["The lake is poisoned."];
    let first = bench.detect(&["The lake's water is clean."], &well);
    let again = bench.detect(&["The lake's water is clean!"], &well);
    assert_eq!(first.conflicts, again.conflicts, "the same claim, in the same words");
    assert_eq!((bench.calls(), again.calls), (1, 0));
    // Upstream flags whatever comes in for an indexed unit (G11).
    assert_eq!(bench.detect(&["The lake is deep."], &well).conflicts, [vec![]]);
    assert_eq!(bench.detect(&["The lake is deep."], &well).conflicts, [vec![]]);
    assert_eq!(bench.calls(), 2, "that two can hold together is a verdict too");
    // Another model's verdicts are not taken over.
    let mut config = with(DetectionStrategy::Indexed);
    config.conflict_detection.model = "other".into();
    bench.memory.set_config(config).unwrap();
    assert_eq!(bench.detect(&["The lake's water is clean."], &well).conflicts, [vec![]]);
    assert_eq!(bench.calls(), 3);
}

/// The index follows the commits of the memory.
#[test]
fn a_reworded_unit_is_judged_anew() {
    let model = ScriptedModel::new().reply(Role::Revise, item("")).reply(Role::Revise, item(""));
    let bench = Bench::new(model, with(DetectionStrategy::Indexed));
    let lake = units(&["The lake is poisoned."]);
    block_on(bench.memory.save(&[lake[0].proposition.clone()], Actor::Person)).unwrap();
    let detect =
        || block_on(bench.memory.detect_conflicts(&statements(&["The lake's water is clean."]), &lake));
    assert_eq!((detect().calls, detect().calls), (1, 0));
    for text in ["The lake is deep.", "The lake is poisoned."] {
        let edit = Edit { text: Some(text.into()), ..Edit::default() };
        block_on(bench.memory.edit(lake[0].id(), &edit)).unwrap();
    }
    assert_eq!(detect().calls, 1);
}

#[test]
fn core_109_no_units_no_calls() {
    for strategy in [DetectionStrategy::Llm, DetectionStrategy::Hybrid, DetectionStrategy::Indexed] {
        let bench = Bench::new(ScriptedModel::new(), with(strategy));
        assert_eq!(bench.detect(&["a"], &[]).conflicts, [vec![]]);
        assert_eq!(bench.calls(), 0);
    }
}

#[test]
fn without_a_model_words_decide_and_say_so() {
    let model = ScriptedModel::new();
    model.set_offline(true);
    let bench = Bench::new(model, with(DetectionStrategy::Llm));
    let found = bench.detect(&["Night deploys are not allowed."], &["Night deploys are allowed."]);
    assert_eq!(found.conflicts[0][0].quality, Quality::Fallback);
    assert!(found.notes[0].contains("by words alone"));
}

#[test]
fn a_statement_never_stands_against_itself() {
    let unit = units(&["Night deploys are allowed."]);
    let mut same = statement(1, "Night deploys are not allowed.");
    same.id = unit[0].id();
    let bench = Bench::new(ScriptedModel::new(), with(DetectionStrategy::Llm));
    assert_eq!(block_on(bench.memory.detect_conflicts(&[same], &unit)).conflicts, [vec![]]);
    assert_eq!(bench.calls(), 0);
}

//! The numbered facts of benchmarks and experiments, and what an experiment refuses to conclude.

use std::collections::BTreeMap;

use credence::llm::Cancel;
use futures::executor::block_on;

use super::fabricated::{Fabricated, condition, definition, scenario};
use super::*;
use crate::run::{Intervention, RunStatus};

fn kinds(analysis: &Analysis, outcome: Outcome) -> Vec<CheckKind> {
    analysis.checks.iter().filter(|check| check.outcome == outcome).map(|check| check.kind).collect()
}

#[test]
fn sim_73_the_score_of_a_condition() {
    let of = |survival, drift, contradictions, strategy: f64| {
        let strategies = BTreeMap::from([("S".to_owned(), strategy)]);
        Resilience::of(Some(survival), Some(drift), Some(contradictions), &strategies).unwrap()
    };
    let good = of(90.0, 80.0, 1.25, 0.05);
    assert_eq!((good.contradiction, good.strategy), (Some(75.0), Some(95.0)));
    assert!((good.overall - 85.25).abs() < 1e-9 && good.standing == Standing::Good, "{good:?}");
    // The published parts: 95.4 of contradictions are 0.23 a run, 98.97 of strategies 1.03 % success.
    let published = of(92.0, 97.76, 0.23, 0.0103);
    assert!((published.overall - 95.17).abs() < 5e-3, "{published:?}");
    assert_eq!(published.standing, Standing::Excellent);
    assert_eq!(of(90.0, 80.0, 2.5, 0.0).contradiction, Some(50.0));
    assert_eq!(of(90.0, 80.0, 5.0, 0.0).contradiction, Some(0.0));
    assert_eq!(of(90.0, 80.0, 9.0, 0.0).contradiction, Some(0.0));
}

#[test]
fn a_score_leaves_out_what_was_not_measured() {
    let none = BTreeMap::new();
    let of = Resilience::of(Some(80.0), Some(60.0), Some(0.0), &none).unwrap();
    assert_eq!(of.strategy, None);
    assert!((of.overall - (80.0 * 0.4 + 60.0 * 0.25 + 100.0 * 0.2) / 0.85).abs() < 1e-9);
    assert_eq!(Resilience::of(None, Some(60.0), Some(0.0), &none), None);
}

#[test]
fn sim_74_runs_of_one_cell() {
    let host = Fabricated { parallelism: 2, ..Fabricated::default() };
    let order = definition(&["NO_LIFECYCLE"], &["s1"], 3);
    let experiment = host.plays(&order);
    assert_eq!((experiment.runs.len(), host.kept.borrow().len(), host.most_at_once.get()), (3, 3, 2));
    let told: Vec<(u32, u32)> = host.told.borrow().iter().map(|told| (told.done, told.total)).collect();
    assert_eq!(told, [(0, 3), (1, 3), (2, 3), (3, 3)]);
    assert!(host.kept.borrow().iter().all(|run| run.condition == condition("NO_LIFECYCLE")));
    let alone = Fabricated::default();
    alone.plays(&order);
    assert_eq!(alone.most_at_once.get(), 1);
    let told = alone.told.borrow();
    let left: Vec<Option<i64>> = told.iter().map(|told| told.left_ms).collect();
    assert_eq!(left, [None, Some(2000), Some(1000), Some(0)]);
    assert_eq!(told[1].last.as_deref(), Some("NO_LIFECYCLE:s1 1"));
    let once = Definition { repetitions: 1, ..order };
    let refused = block_on(run(&once, &[scenario("s1")], &alone, &Cancel::new())).unwrap_err();
    assert_eq!(refused[0].place, "repetitions");
}

#[test]
fn sim_76_cells_in_order_and_a_cancelled_experiment() {
    let order = definition(&["FULL", "NO_LIFECYCLE"], &["s1", "s2"], 2);
    let cells = |experiment: &Experiment| -> Vec<String> {
        let mut cells: Vec<String> =
            experiment.runs.iter().map(|run| format!("{}-{}", &run.condition[..1], run.scenario)).collect();
        cells.dedup();
        cells
    };
    for parallelism in [1, 3] {
        let host = Fabricated { parallelism, ..Fabricated::default() };
        let whole = host.plays(&order);
        assert_eq!((cells(&whole).join(" "), whole.cancelled), ("F-s1 F-s2 N-s1 N-s2".to_owned(), false));
    }
    let host = Fabricated { cancel_after: Some((2, Cancel::new())), ..Fabricated::default() };
    let partial = host.plays(&order);
    assert_eq!((cells(&partial), partial.cancelled), (vec!["F-s1".to_owned()], true));
    assert_eq!((partial.runs.len(), partial.manifest.planned_runs), (2, 8));
    let analysis = Analysis::of(&partial);
    assert_eq!(
        analysis.blocked("FULL", "NO_LIFECYCLE", "fact_survival").first().map(|check| check.kind),
        Some(CheckKind::Runs)
    );
}

#[test]
fn what_was_broken_off_is_gone_on_with_and_comes_to_what_it_would_have_come_to() {
    let order = definition(&["FULL", "NO_LIFECYCLE"], &["s1", "s2"], 2);
    let scenarios = ["s1", "s2"].map(scenario);
    let whole = Fabricated::default().plays(&order);
    // A host that dies leaves what it kept last: after four runs, of which two could not begin.
    let host =
        Fabricated { refuses: Some(0), cancel_after: Some((2, Cancel::new())), ..Fabricated::default() };
    host.plays(&order);
    let left = host.so_far.borrow().last().unwrap().clone();
    assert!(left.cancelled && left.complete().count() == 2, "{:?}", left.runs.len());
    let further = Fabricated { time: 9_000_000.into(), ..Fabricated::default() };
    let experiment = block_on(go_on(&left, &scenarios, &further, &Cancel::new())).unwrap();
    assert_eq!(further.kept.borrow().len(), 6, "what was complete is not played again, what had failed is");
    let runs = |experiment: &Experiment| {
        experiment.runs.iter().map(|r| (r.run.clone(), r.scores.clone())).collect::<Vec<_>>()
    };
    assert_eq!(runs(&experiment), runs(&whole));
    assert_eq!((&experiment.id, experiment.manifest.started), (&left.id, left.manifest.started));
    assert!(!experiment.cancelled && experiment.manifest.ended > left.manifest.ended);
    let told = further.told.borrow();
    assert_eq!((told[0].done, told[0].left_ms), (2, None));
    assert_eq!(told[1].left_ms, Some(5000), "by what this sitting has played");
    // Once over there is nothing left to play.
    let again = block_on(go_on(&experiment, &scenarios, &Fabricated::default(), &Cancel::new())).unwrap();
    assert_eq!(runs(&again), runs(&whole));
    // Another reader would make another experiment of it.
    let other = Fabricated { reader: "model-7", ..Fabricated::default() };
    let refused = block_on(go_on(&left, &scenarios, &other, &Cancel::new())).unwrap_err();
    assert!(refused[0].place == "reader" && refused[0].message.contains("rules read"), "{refused:?}");
    assert!(other.kept.borrow().is_empty());
}

#[test]
fn sim_77_definitions_and_what_is_wrong_with_them() {
    let known = ["s1", "s2", "s3"].map(scenario);
    let order = definition(&["FULL", "NO_LIFECYCLE"], &["s1", "s2", "s3"], 4);
    assert_eq!((order.problems(&known), order.plan(&known).len()), (Vec::new(), 24));
    let places = |order: &Definition| -> Vec<String> {
        order.problems(&known).into_iter().map(|problem| problem.place).collect()
    };
    assert_eq!(places(&definition(&["FULL"], &["s1"], 1)), ["repetitions"]);
    assert_eq!(places(&definition(&[], &["s1"], 2)), ["conditions"]);
    assert_eq!(places(&definition(&["FULL"], &[], 2)), ["scenarios"]);
    let all_wrong = Definition {
        name: " ".into(),
        narrator: String::new(),
        primary: vec!["luck".into()],
        judged_by: "model".into(),
        limits: Limits { least_pairs: 3, ..Limits::default() },
        ..definition(&["FULL", "FULL", ""], &["s1", "s9", "s1"], 0)
    };
    let wanted = [
        "name",
        "conditions[1]",
        "conditions[2]",
        "scenarios[1]",
        "scenarios[2]",
        "repetitions",
        "narrator",
        "primary[0]",
        "judged_by",
        "limits.least_pairs",
    ];
    assert_eq!(places(&all_wrong), wanted);
    let problem = &all_wrong.problems(&known)[3];
    assert_eq!(
        problem.to_string(),
        "scenarios[1]: there is no scenario `s9`; check the spelling, or add its file"
    );
    // No judging model is none: the record says so with an empty name.
    assert!(order.plan(&known).iter().all(|planned| planned.settings.judge.is_empty()));
}

#[test]
fn pairs_share_their_seeds_and_a_control_draws_anew() {
    let order = definition(&["FULL", "NO_LIFECYCLE", "AGAIN"], &["s1", "s2"], 2);
    let plan = order.plan(&[scenario("s1"), scenario("s2")]);
    let seeds = |condition: usize| -> Vec<u64> {
        plan.iter().filter(|run| run.condition == condition).map(|run| run.settings.seed).collect()
    };
    assert_eq!(seeds(0), seeds(1));
    assert!(seeds(0).iter().zip(seeds(2)).all(|(a, b)| *a != b));
    let mut all: Vec<u64> = seeds(0).into_iter().chain(seeds(2)).collect();
    all.sort_unstable();
    all.dedup();
    assert!(all.len() == 8 && all.iter().all(|seed| *seed < 1 << 53));
    assert_eq!((order.twin_of(2), order.twin_of(1)), (Some(0), None));
    assert_ne!(Definition { seed: 1, ..order.clone() }.plan(&[])[0].settings.seed, seeds(0)[0]);
    let analysis = Analysis::of(&Fabricated::default().plays(&order));
    let pairs: Vec<(&str, &str, bool)> = analysis
        .comparisons
        .iter()
        .filter(|comparison| comparison.primary)
        .map(|comparison| (comparison.first.as_str(), comparison.second.as_str(), comparison.control))
        .collect();
    assert_eq!(pairs, [("FULL", "NO_LIFECYCLE", false), ("FULL", "AGAIN", true)]);
}

#[test]
fn sim_69_four_conditions_are_six_pairs() {
    let order = definition(&["FULL", "NO_A", "B", "C"], &["s1"], 2);
    let mut order = order;
    order.conditions[2].trust = false;
    order.conditions[3].compliance = false;
    let analysis = Analysis::of(&Fabricated::default().plays(&order));
    assert_eq!(analysis.comparisons.iter().filter(|comparison| comparison.primary).count(), 6);
}

#[test]
fn a_real_difference_is_found_and_a_control_is_quiet() {
    let order = definition(&["FULL", "NO_LIFECYCLE", "AGAIN"], &["s1", "s2", "s3", "s4", "s5", "s6"], 4);
    let experiment = Fabricated::default().plays(&order);
    let analysis = Analysis::of(&experiment);
    let of = |second: &str, metric: &str| {
        analysis.comparisons.iter().find(|c| c.second == second && c.metric == metric).unwrap()
    };
    let real = of("NO_LIFECYCLE", "absorption_engaged");
    assert!(real.p_corrected.unwrap() < 0.001 && real.difference.unwrap() > 30.0, "{real:?}");
    assert!(real.g.unwrap() > 0.8 && real.d_z.unwrap() > 0.8 && real.groups.g.unwrap() > 0.8);
    assert!(real.p_t.unwrap() < 0.001 && real.groups.p.unwrap() < 0.001 && real.p_scenarios.unwrap() < 0.05);
    assert_eq!((real.pairs, real.alone, real.scenarios, real.by_scenario), (24, 0, 6, true));
    let interval = real.interval.unwrap();
    assert!(interval.low > 0.0 && interval.low < real.difference.unwrap() && !real.primary);
    assert!(real.smallest.unwrap() < 0.7);
    let chance = of("AGAIN", "fact_survival");
    assert!(chance.control && chance.p_corrected.unwrap() > 0.05, "{chance:?}");
    assert_eq!(kinds(&analysis, Outcome::Blocks), []);
    assert!(analysis.blocked("FULL", "NO_LIFECYCLE", "fact_survival").is_empty());
    // Raw values decide, in whatever order runs ended.
    let others = Fabricated { parallelism: 5, ..Fabricated::default() };
    assert_eq!(Analysis::of(&others.plays(&order)), analysis);
}

/// The kinds of checks that block, after the runs were spoilt.
fn blocked_by(
    conditions: &[&str],
    repetitions: u32,
    spoil: fn(&mut crate::run::RunRecord),
) -> Vec<CheckKind> {
    let host = Fabricated { spoil, ..Fabricated::default() };
    let analysis = Analysis::of(&host.plays(&definition(conditions, &["s1"], repetitions)));
    let mut kinds: Vec<CheckKind> = analysis
        .blocked(conditions[0], conditions[1], "fact_survival")
        .iter()
        .map(|check| check.kind)
        .collect();
    kinds.dedup();
    kinds
}

#[test]
fn what_was_not_played_alike_is_not_concluded() {
    let two = ["FULL", "NO_LIFECYCLE"];
    assert_eq!(blocked_by(&two, 10, |_| {}), []);
    assert_eq!(blocked_by(&two, 4, |_| {}), [CheckKind::Pairs]);
    let failed = blocked_by(&two, 12, |run| {
        if run.settings.repetition == 7 && run.condition.name == "FULL" {
            run.status = RunStatus::Failed { reason: "the endpoint is gone".into() };
        }
    });
    assert_eq!(failed, [CheckKind::Runs]);
    assert_eq!(
        blocked_by(&two, 10, |run| run.settings.seed += u64::from(run.condition.lifecycle)),
        [CheckKind::Seeds]
    );
    let other_inputs: [fn(&mut crate::run::RunRecord); 3] = [
        |run| run.scenario_hash.push_str(&run.condition.name),
        |run| run.prompts_hash.push_str(&run.condition.name),
        |run| run.settings.token_budget = u32::from(run.condition.lifecycle),
    ];
    for spoil in other_inputs {
        assert_eq!(blocked_by(&two, 10, spoil), [CheckKind::Inputs]);
    }
    let unjudged = blocked_by(&two, 10, |run| {
        for turn in run.turns.iter_mut().take(1) {
            turn.judgements[0].failed = Some("no JSON".into());
        }
    });
    assert_eq!(unjudged, [CheckKind::Judging]);
    let touched = blocked_by(&two, 10, |run| {
        run.interventions.push(Intervention {
            turn: 1,
            what: "archived".into(),
            target: "x".into(),
            commit: "C1".into(),
            refused: None,
            met: Vec::new(),
            seq: 1,
        });
    });
    assert_eq!(touched, [CheckKind::Interventions]);
}

/// Only the first three repetitions have a value of these metrics.
fn rarely(run: &mut crate::run::RunRecord, metrics: &[&str]) {
    let score = run.scores.get_mut("oracle").unwrap();
    for metric in metrics.iter().filter(|_| run.settings.repetition > 2) {
        score.values.insert((*metric).to_owned(), None);
    }
}

/// What is blocked between two conditions, of some metrics.
fn blocked_of<'a>(analysis: &Analysis, first: &str, second: &str, metrics: &[&'a str]) -> Vec<&'a str> {
    metrics.iter().copied().filter(|metric| !analysis.blocked(first, second, metric).is_empty()).collect()
}

#[test]
fn too_few_pairs_of_a_metric_block_that_metric_of_that_comparison_alone() {
    let mut order = definition(&["FULL", "NO_A", "NO_B"], &["s1"], 12);
    order.conditions[2].trust = false;
    order.primary = vec!["fact_survival".into(), "absorption_engaged".into()];
    // The third condition always has a value, yet its pairs with the two others need one of theirs.
    let spoil: fn(&mut crate::run::RunRecord) = |run| {
        if run.condition.name == "FULL" {
            rarely(run, &["absorption_engaged", "contradictions"]);
        }
    };
    let analysis = Analysis::of(&Fabricated { spoil, ..Fabricated::default() }.plays(&order));
    let looked_at = ["fact_survival", "absorption_engaged", "contradictions", "absorption_evaluated"];
    for second in ["NO_A", "NO_B"] {
        assert_eq!(
            blocked_of(&analysis, "FULL", second, &looked_at),
            ["absorption_engaged", "contradictions"],
            "a primary and an exploratory metric, and no other"
        );
        // A comparison has no direction.
        assert_eq!(
            blocked_of(&analysis, second, "FULL", &looked_at),
            blocked_of(&analysis, "FULL", second, &looked_at)
        );
    }
    assert_eq!(blocked_of(&analysis, "NO_A", "NO_B", &looked_at), [""; 0], "another comparison");
    let of_pair: Vec<&Check> = analysis
        .checks
        .iter()
        .filter(|check| check.kind == CheckKind::Pairs && check.about == ["FULL", "NO_A"])
        .collect();
    let [primary, exploratory] = of_pair[..] else { panic!("one a kind: {of_pair:?}") };
    assert_eq!(primary.metrics, ["absorption_engaged"]);
    assert!(primary.words.contains("3 pairs of runs with a value of Drift absorption (engaged turns)"));
    assert!(exploratory.metrics.contains(&"contradictions".to_owned()));
    assert!(exploratory.words.contains("exploratory") && exploratory.words.contains("Contradictions 3"));
}

#[test]
fn a_check_of_the_whole_comparison_blocks_every_metric_of_it() {
    let spoil: fn(&mut crate::run::RunRecord) = |run| {
        run.prompts_hash.push_str(&run.condition.name);
        rarely(run, &["contradictions"]);
    };
    let host = Fabricated { spoil, ..Fabricated::default() };
    let analysis = Analysis::of(&host.plays(&definition(&["FULL", "NO_LIFECYCLE"], &["s1"], 12)));
    for metric in crate::metrics::NAMES {
        let kinds: Vec<CheckKind> =
            analysis.blocked("FULL", "NO_LIFECYCLE", metric.name).iter().map(|check| check.kind).collect();
        assert!(kinds.contains(&CheckKind::Inputs), "{}: {kinds:?}", metric.name);
        assert_eq!(kinds.contains(&CheckKind::Pairs), metric.name == "contradictions", "{}", metric.name);
    }
}

#[test]
fn a_check_that_was_written_before_metrics_were_named_is_about_all_of_them() {
    let old = r#"{"kind": "pairs", "outcome": "blocks", "about": ["A", "B"], "words": "Few."}"#;
    let check: Check = serde_json::from_str(old).unwrap();
    assert!(
        check.metrics.is_empty() && check.blocks("A", "B", "fact_survival") && check.blocks("B", "A", "x")
    );
    assert!(!check.blocks("A", "C", "fact_survival"));
    let of_one = Check { metrics: vec!["fact_survival".into()], ..check };
    let again: Check = serde_json::from_str(&serde_json::to_string(&of_one).unwrap()).unwrap();
    assert_eq!(again, of_one);
    assert!(again.blocks("A", "B", "fact_survival") && !again.blocks("A", "B", "contradictions"));
}

#[test]
fn a_run_that_cannot_begin_is_told_and_the_others_are_played() {
    let host = Fabricated { refuses: Some(1), ..Fabricated::default() };
    let experiment = host.plays(&definition(&["FULL", "NO_LIFECYCLE"], &["s1"], 3));
    assert_eq!((experiment.runs.len(), experiment.complete().count(), experiment.cancelled), (6, 4, false));
    assert_eq!(experiment.manifest.scenario_hashes.get("s1").map(String::as_str), Some("hash-s1"));
    let last = host.told.borrow().last().cloned().unwrap();
    assert_eq!((last.troubled, last.done), (2, 6));
    let analysis = Analysis::of(&experiment);
    let check = &analysis.checks[0];
    assert!(
        check.words.contains("s1 2 of 3") && check.words.contains("the narrator is not connected"),
        "{check:?}"
    );
}

#[test]
fn a_control_that_differs_blocks_everything() {
    let order = definition(&["FULL", "NO_LIFECYCLE", "AGAIN"], &["s1", "s2"], 10);
    let host = Fabricated {
        falls: |condition, _| if condition == "AGAIN" { 0.5 } else { 0.02 },
        ..Fabricated::default()
    };
    let analysis = Analysis::of(&host.plays(&order));
    let blocking = analysis.blocked("FULL", "NO_LIFECYCLE", "fact_survival");
    assert_eq!(blocking.iter().map(|check| check.kind).collect::<Vec<_>>(), [CheckKind::Control]);
    assert!(blocking[0].words.contains("FULL and AGAIN are the same condition"), "{}", blocking[0].words);
}

#[test]
fn a_narrator_that_does_not_draw_is_told() {
    let order = definition(&["FULL", "NO_LIFECYCLE", "AGAIN"], &["s1", "s2"], 10);
    let host = Fabricated { falls: |_, scenario| f64::from(scenario == "s1"), ..Fabricated::default() };
    let analysis = Analysis::of(&host.plays(&order));
    let cautions = kinds(&analysis, Outcome::Caution);
    assert_eq!(cautions, [CheckKind::Control, CheckKind::Ceiling, CheckKind::Ceiling]);
    let no_control = definition(&["FULL", "NO_LIFECYCLE"], &["s1"], 10);
    let analysis = Analysis::of(&Fabricated::default().plays(&no_control));
    assert_eq!(kinds(&analysis, Outcome::Caution), [CheckKind::Control]);
}

#[test]
fn judges_that_disagree_block_and_runs_that_are_lost_are_told() {
    use crate::verdict::{Judge, Ruling};
    let order = definition(&["FULL", "NO_LIFECYCLE"], &["s1"], 10);
    let with_model = |opposite: bool| {
        let spoil: fn(&mut crate::run::RunRecord) = if opposite {
            |run| second_judge(run, |_| Ruling::Confirmed)
        } else {
            |run| second_judge(run, |ruling| ruling)
        };
        Analysis::of(&Fabricated { spoil, full: true, ..Fabricated::default() }.plays(&order))
    };
    fn second_judge(run: &mut crate::run::RunRecord, says: fn(Ruling) -> Ruling) {
        for turn in &mut run.turns {
            let mut other = turn.judgements[0].clone();
            other.judge = Judge::Model { model: "m".into(), mode: "hardened".into(), saw_units: false };
            other.verdicts.iter_mut().for_each(|verdict| verdict.ruling = says(verdict.ruling));
            turn.judgements.push(other);
        }
    }
    let blocking = |analysis: &Analysis| -> Vec<CheckKind> {
        let checks = analysis.blocked("FULL", "NO_LIFECYCLE", "fact_survival");
        checks.iter().map(|check| check.kind).collect()
    };
    assert_eq!(blocking(&with_model(true)), [CheckKind::Agreement]);
    let agreed = with_model(false);
    assert_eq!(blocking(&agreed), []);
    let words = |kind| agreed.checks.iter().find(|check| check.kind == kind).unwrap();
    assert!(words(CheckKind::Agreement).words.contains("kappa 1.00"));
    assert_eq!(words(CheckKind::Kept).outcome, Outcome::Caution);
    assert!(words(CheckKind::Kept).words.contains("20 runs could not be kept (the disk is full)"));
}

#[test]
fn sim_67_an_experiment_beside_an_earlier_one() {
    let order = definition(&["FULL"], &["s1"], 3);
    let of = |falls: fn(&str, &str) -> f64| {
        Analysis::of(&Fabricated { falls, ..Fabricated::default() }.plays(&order))
    };
    let (now, then) = (of(|_, _| 0.0), of(|_, _| 1.0));
    let moved = deltas(&now, &then);
    let change = |metric: &str| moved.iter().find(|delta| delta.metric == metric).map(|delta| delta.change);
    assert_eq!((change("fact_survival"), change("contradictions")), (Some(100.0), Some(-12.0)));
    // Nothing drifted now: there is no first turn of it to compare.
    assert_eq!((change("turns_to_first_drift"), change("erosion")), (None, None));
    assert!(deltas(&now, &Analysis { cells: Vec::new(), ..then }).is_empty());
}

#[test]
fn a_manifest_says_what_was_played() {
    let order = definition(&["FULL", "NO_LIFECYCLE"], &["s1", "s2"], 2);
    let experiment = Fabricated::default().plays(&order);
    let manifest = &experiment.manifest;
    assert_eq!(manifest.scenario_hashes.get("s2").map(String::as_str), Some("hash-s2"));
    assert_eq!((manifest.prompts_hashes.len(), manifest.commit.as_str()), (1, "0123456789ab"));
    assert_eq!(manifest.config_hashes.get("FULL:s2").map(String::as_str), Some("config-FULL"));
    assert_eq!(manifest.config_hashes.len(), 4);
    assert_eq!(manifest.ended.0 - manifest.started.0, 8000);
    assert!(manifest.versions.contains_key("credence-sim") && manifest.definition_hash.len() == 16);
    assert!(experiment.id.starts_with("exp-") && experiment.id.len() == 20);
    let other = Fabricated::default().plays(&Definition { seed: 3, ..order });
    assert_ne!(other.manifest.definition_hash, manifest.definition_hash);
}

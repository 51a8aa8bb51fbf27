//! Facts of reports, and that a report says nothing that its experiment does not carry.

use credence::time::Timestamp;

use super::*;
use crate::experiment::fabricated::{Fabricated, definition, empty_run};
use crate::experiment::{Analysis, Definition, Experiment};
use crate::metrics::NAMES;

fn played(order: &Definition, host: &Fabricated) -> (Experiment, Analysis) {
    let experiment = host.plays(order);
    let analysis = Analysis::of(&experiment);
    (experiment, analysis)
}

/// A definition whose narrator is a model.
fn by_a_model(conditions: &[&str], scenarios: &[&str], repetitions: u32) -> Definition {
    Definition { narrator: "small-model".into(), ..definition(conditions, scenarios, repetitions) }
}

fn story(order: &Definition, host: &Fabricated) -> Narrative {
    let (experiment, analysis) = played(order, host);
    narrative(&experiment, &analysis)
}

#[test]
fn sim_78_files_go_out_and_come_back() {
    let (experiment, analysis) =
        played(&definition(&["FULL", "NO_A"], &["s1", "s2"], 3), &Fabricated::default());
    let json = experiment_json(&experiment, &analysis);
    assert_eq!(
        read(&json),
        Ok(Imported::Experiment(Box::new(experiment.clone()), Box::new(analysis.clone())))
    );
    let run = Fabricated::default();
    run.plays(&definition(&["FULL"], &["s1"], 2));
    let run = run.kept.borrow()[1].clone();
    let file = run_json(&run, Timestamp(7));
    assert_eq!(read(&file), Ok(Imported::Run(Box::new(run.clone()), Timestamp(7))));
    // Neither is the other, and what is neither is refused in words.
    let said = |text: &str| read(text).unwrap_err().to_string();
    assert!(said(&json[..json.len() / 2]).contains("no whole JSON file"));
    assert!(said("{}").contains("nothing of the kind") && said("[1]").contains("another file"));
    assert!(said(r#"{"kind": "arc-report", "schema": 1}"#).contains("`arc-report`"));
    assert!(said(r#"{"kind": "credence-run", "schema": 2, "run": {}}"#).contains("form 2"));
    assert!(said(r#"{"kind": "credence-run", "run": {}}"#).contains("its form"));
    assert!(said(r#"{"kind": "credence-run", "schema": 1, "run": {}}"#).contains("missing field"));
    assert!(said(&file.replace("credence-run", "credence-experiment")).contains("cannot be read"));
    // Figures are not believed.
    let forged = json.replacen("\"p_corrected\": ", "\"p_corrected\": 0.0, \"was\": ", 1);
    let Ok(Imported::Experiment(_, computed)) = read(&forged) else { panic!("a readable file") };
    assert_eq!(*computed, analysis);
}

#[test]
fn sim_79_warnings_and_the_share_of_100() {
    let clean = Fabricated { falls: |_, _| 0.0, ..Fabricated::default() };
    let one = story(&by_a_model(&["FULL"], &["s1"], 3), &clean);
    assert!(one.warnings.len() == 1 && one.warnings[0].starts_with("Provisional"), "{one:?}");
    assert!(one.observations.iter().any(|line| line.contains("100.0%")), "{one:?}");
    let degraded = Fabricated {
        spoil: |run| {
            let score = run.scores.get_mut("oracle").unwrap();
            score.values.insert("degraded_conflicts".into(), Some(2.0));
        },
        ..Fabricated::default()
    };
    let two = story(&by_a_model(&["FULL", "NO_A"], &["s1"], 3), &degraded);
    assert_eq!(two.warnings.len(), 2, "one a condition: {two:?}");
    assert!(two.warnings[0].contains("6 conflicts could not be judged"), "{two:?}");
    let clean = story(&by_a_model(&["FULL", "NO_A"], &["s1"], 12), &Fabricated::default());
    assert_eq!(clean.warnings, [""; 0]);
    let simulated = story(&definition(&["FULL", "NO_A"], &["s1"], 12), &Fabricated::default());
    assert!(simulated.warnings[0].contains("nothing of any real model"), "{simulated:?}");
}

#[test]
fn sim_80_a_role_is_named_where_a_model_plays_it() {
    let order = by_a_model(&["FULL"], &["s1"], 2);
    let (experiment, analysis) = played(&order, &Fabricated::default());
    let report = markdown(&experiment, &analysis);
    assert!(report.contains("| Narrator | small-model |") && !report.contains("Judging model"), "{report}");
    assert!(!report.to_lowercase().contains("positioning"));
    let judged = Definition { judge: "judge-7b".into(), ..order };
    let (experiment, analysis) = played(&judged, &Fabricated::default());
    assert!(markdown(&experiment, &analysis).contains("| Judging model | judge-7b |"));
}

#[test]
fn a_difference_is_concluded_and_what_a_check_blocks_is_not() {
    let order = by_a_model(&["FULL", "NO_A", "AGAIN"], &["s1", "s2", "s3", "s4", "s5"], 4);
    let host = Fabricated {
        falls: |condition, _| if condition.starts_with("NO_") { 0.3 } else { 0.01 },
        ..Fabricated::default()
    };
    let found = story(&order, &host);
    assert_eq!(found.conclusions.len(), 1, "a control is no conclusion: {found:?}");
    assert!(
        found.conclusions[0].starts_with("Fact survival is higher under FULL than under NO_A by "),
        "{found:?}"
    );
    assert!(found.conclusions[0].contains(": FULL does better") && found.conclusions[0].contains("20 pairs"));
    // Whichever is named first in the plan: the numbers are those of the higher one less the other.
    let turned = by_a_model(&["NO_A", "FULL", "AGAIN"], &["s1", "s2", "s3", "s4", "s5"], 4);
    let turned = &story(&turned, &host).conclusions[0];
    assert!(turned.starts_with("Fact survival is higher under FULL than under NO_A by "), "{turned}");
    assert!(!turned.contains("interval -") && !turned.contains("(g -"), "{turned}");
    assert!(found.observations.iter().any(|line| line.starts_with("First large effect")), "{found:?}");

    let missing = Fabricated {
        spoil: |run| {
            if run.settings.repetition == 0 && run.condition.name == "NO_A" {
                run.status = crate::run::RunStatus::Failed { reason: "gone".into() };
            }
        },
        ..host
    };
    let (experiment, analysis) = played(&order, &missing);
    let blocked = narrative(&experiment, &analysis);
    assert_eq!(
        blocked.conclusions,
        ["Fact survival, FULL and NO_A: no conclusion, because runs are missing."]
    );
    let report = markdown(&experiment, &analysis);
    for claim in ["does better", "First ", "highest first", "large |", "\\*\\*\\*"] {
        assert!(!report.contains(claim), "{claim}\n{report}");
    }
    assert!(report.contains("**blocks conclusions**") && report.contains("| blocked: runs are missing |"));
    assert!(report.contains("| every comparison of NO\\_A in every metric |"), "{report}");
}

#[test]
fn a_metric_with_too_few_pairs_does_not_silence_the_others() {
    let mut order = by_a_model(&["FULL", "NO_A"], &["s1", "s2", "s3"], 4);
    order.primary = vec!["fact_survival".into(), "absorption_engaged".into()];
    let host = Fabricated {
        falls: |condition, _| if condition.starts_with("NO_") { 0.3 } else { 0.01 },
        spoil: |run| {
            let score = run.scores.get_mut("oracle").unwrap();
            for metric in ["absorption_engaged", "contradictions"] {
                if run.settings.repetition > 0 {
                    score.values.insert(metric.into(), None);
                }
            }
        },
        ..Fabricated::default()
    };
    let (experiment, analysis) = played(&order, &host);
    let found = narrative(&experiment, &analysis);
    assert!(
        found.conclusions[0].starts_with("Fact survival is higher under FULL than under NO_A by "),
        "{found:?}"
    );
    assert_eq!(
        found.conclusions[1..],
        [
            "Drift absorption (engaged turns), FULL and NO_A: no conclusion, because there are too few pairs with a value of it."
        ]
    );
    let told = |words: &str| found.observations.iter().any(|line| line.starts_with(words));
    assert!(
        told("Mean fact survival, highest first") && told("First large effect: Fact survival"),
        "{found:?}"
    );

    let effect = |metric: &str| {
        let one = analysis.comparisons.iter().find(|one| one.metric == metric).unwrap();
        EffectRow::of(&analysis, one)
    };
    assert_eq!(
        (effect("fact_survival").is_blocked, effect("fact_survival").effect.as_str()),
        (false, "large")
    );
    for metric in ["absorption_engaged", "contradictions"] {
        let row = effect(metric);
        assert!(row.is_blocked && row.stars.is_empty(), "{row:?}");
        assert_eq!(row.effect, "blocked: there are too few pairs with a value of it");
    }
    let report = markdown(&experiment, &analysis);
    assert!(
        report.contains("| the comparison of FULL and NO\\_A in Drift absorption (engaged turns) only |"),
        "{report}"
    );
    let json = experiment_json(&experiment, &analysis);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let checks = json["analysis"]["checks"].as_array().unwrap();
    let of_one = checks.iter().find(|check| check["metrics"] == serde_json::json!(["absorption_engaged"]));
    assert_eq!(of_one.unwrap()["about"], serde_json::json!(["FULL", "NO_A"]));
}

#[test]
fn survival_that_too_few_pairs_have_is_told_nowhere() {
    // It is exploratory here: another metric was named before the runs.
    let order =
        Definition { primary: vec!["fact_retention".into()], ..by_a_model(&["FULL", "NO_A"], &["s1"], 12) };
    let host = Fabricated {
        spoil: |run| {
            let score = run.scores.get_mut("oracle").unwrap();
            if run.settings.repetition > 3 {
                score.values.insert("fact_survival".into(), None);
            }
        },
        ..Fabricated::default()
    };
    let found = story(&order, &host);
    let told = |words: &str| found.observations.iter().any(|line| line.contains(words));
    assert!(!told("Mean fact survival") && !told("effect: Fact survival"), "{found:?}");
    assert!(!found.conclusions[0].contains("no conclusion"), "{found:?}");
}

#[test]
fn no_difference_says_what_could_have_been_found() {
    let even = Fabricated { falls: |_, _| 0.2, ..Fabricated::default() };
    let mut order = by_a_model(&["FULL", "NO_A"], &["s1", "s2"], 8);
    order.seed = 5;
    // The same seeds and the same chance: every pair is alike.
    let found = story(&order, &even);
    assert!(found.conclusions[0].contains("no difference between FULL and NO_A was found"), "{found:?}");
    assert!(found.conclusions[0].contains("four times out of five"), "{found:?}");
}

#[test]
fn a_cancelled_experiment_and_one_without_runs_say_so() {
    let cancel = credence::llm::Cancel::new();
    let host = Fabricated { cancel_after: Some((1, cancel.clone())), ..Fabricated::default() };
    let order = definition(&["FULL", "NO_A"], &["s1"], 2);
    let (experiment, analysis) = played(&order, &host);
    assert!(markdown(&experiment, &analysis).contains("stopped after 1 of 4 runs"));
    cancel.cancel();
    let host = Fabricated { cancel_after: Some((9, cancel)), ..Fabricated::default() };
    let (experiment, analysis) = played(&order, &host);
    assert_eq!(experiment.runs.len(), 0);
    let report = markdown(&experiment, &analysis);
    assert!(report.contains("There is not enough to say anything") && report.contains("there is no score"));
}

#[test]
fn texts_of_others_stay_text() {
    let mut order = definition(&["FULL", "=NO_A"], &["s1"], 2);
    order.conditions[1].lifecycle = false;
    order.name = "A\n# title | <script>".into();
    let (experiment, analysis) = played(&order, &Fabricated { falls: |_, _| 1.0, ..Fabricated::default() });
    let report = markdown(&experiment, &analysis);
    assert!(report.starts_with("# A \\# title \\| \\<script\\>\n"), "{report}");
    assert!(report.contains("The bridge \\| the old one is down."));
    assert!(report.contains("Turn 1: is it \\| so? Say.") && report.contains("it says the \\| opposite"));
    // A table's rows have as many cells as its head.
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    for block in report.split("\n\n").filter(|block| block.starts_with("| ")) {
        let counts: Vec<usize> = block.lines().filter(|line| line.starts_with('|')).map(cells).collect();
        assert!(counts.windows(2).all(|two| two[0] == two[1]), "{counts:?}\n{block}");
    }
    let table = cells_csv(&analysis);
    assert!(table.contains("\n'=NO_A,s1,2,"), "{table}");
    let wide = NAMES.len() * 8 + 3;
    assert!(table.lines().all(|line| line.split(',').count() == wide), "{table}");
    assert!(table.starts_with(
        "condition,scenario,runs,fact_survival_n,fact_survival_mean,fact_survival_sd,fact_survival_low"
    ));
    let raw = runs_csv(&experiment);
    assert_eq!(raw.lines().count(), 5);
    assert!(raw.starts_with("run,condition,scenario,repetition,seed,status,trouble,fact_survival,"));
}

#[test]
fn names_of_files_and_fields() {
    assert_eq!(file_stem("My run: a/b (ü)"), "My_run__a_b____");
    assert_eq!((file_stem("  "), file_stem("../x")), ("experiment".to_owned(), "___x".to_owned()));
    assert_eq!(file_stem(&"x".repeat(300)).len(), 100);
    assert_eq!(markdown_text(" a\r\n[b](c) `d` "), "a \\[b\\](c) \\`d\\`");
    assert_eq!(text::csv_field("a \"b\", c\n"), "\"a \"\"b\"\", c\n\"");
    assert_eq!(text::cut("äöü", 2), "äö…");
    assert_eq!((text::plain(-0.04, 1), text::plain(-1.25, 1)), ("0.0".to_owned(), "-1.2".to_owned()));
    assert_eq!([None, Some(0.0004), Some(0.04)].map(text::p_value), ["–", "< 0.001", "0.0400"]);
    assert_eq!(crate::store::RunNote::of(&empty_run("r", "s"), Timestamp(3)).id, "r");
}

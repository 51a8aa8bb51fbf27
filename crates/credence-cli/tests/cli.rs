//! The program as a person meets it: commands, exit codes, files, and words where something is wrong.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

/// A folder of one test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _none = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn credence(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_credence")).args(words).output().expect("the program")
}

/// Exit code, standard output, standard error.
fn said(words: &[&str]) -> (Option<i32>, String, String) {
    let output = credence(words);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// Files of a folder with an ending.
fn ending(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.to_string_lossy().ends_with(ending)).collect()
}

#[test]
fn help_is_for_the_program_and_for_each_command() {
    let (code, out, _) = said(&[]);
    assert_eq!(code, Some(0));
    for command in ["run", "matrix", "report", "re-evaluate", "scenarios"] {
        assert!(out.contains(&format!("\n  {command} ")), "{command}: {out}");
        let (code, help, _) = said(&[command, "--help"]);
        assert!(code == Some(0) && help.starts_with(&format!("credence {command}")), "{help}");
        assert_eq!(said(&["help", command]).1, help);
    }
    assert!(said(&["--version"]).1.starts_with("credence 0."));
}

#[test]
fn what_is_not_understood_ends_with_2_and_says_why() {
    for (words, part) in [
        (&["rnu"][..], "there is no command `rnu`"),
        (&["run"], "a scenario's id or file is missing"),
        (&["run", "story-iron-gate", "--sed", "3"], "`--sed` is not understood"),
        (&["run", "story-iron-gate", "--seed", "x"], "--seed x: not a whole number"),
        (&["run", "story-iron-gate", "--condition", "HALF"], "there is no condition `HALF`"),
        (&["run", "story-iron-gate", "--model", "m"], "give --endpoint"),
        (&["run", "story-iron-gate", "--memory-model", "none"], "give --endpoint"),
        (&["run", "story-iron-gate", "--option", "judge-mode"], "write NAME=WORD"),
        (&["run", "story-iron-gate", "--property", "unit.budget"], "write NAME=VALUE"),
        (&["run", "story-iron-gate", "--property", "sim.evaluator-model=j"], "give --endpoint"),
        (
            &["run", "story-iron-gate", "--out", "x", "--property", "run-history.store=MEMORY"],
            "--out keeps the run, and run-history.store=MEMORY keeps none",
        ),
        (&["scenarios", "chek"], "`chek`"),
        (&["scenarios", "check"], "name the files"),
        (&["re-evaluate", "nowhere", "--judge-model", "m"], "give --endpoint"),
    ] {
        let (code, _, err) = said(words);
        assert!(code == Some(2) && err.contains(part), "{words:?}: {code:?} {err}");
    }
    let (code, _, err) = said(&["run", "no-such-story"]);
    assert!(code == Some(1) && err.contains("there is no scenario `no-such-story`"), "{err}");
    for (option, part) in [
        ("judge-mode=gentle", "judge-mode is hardened or open, and not `gentle`"),
        ("adversary-escalation=by-luck", "by-outcome or by-count, and not `by-luck`"),
        ("judges=two", "there is no `judges`; there are adversary-escalation, judge-mode, judge-sees-units"),
    ] {
        let (code, _, err) = said(&["run", "story-iron-gate", "--option", option]);
        assert!(code == Some(1) && err.contains(part), "{err}");
    }
    for (property, part) in [
        ("unit.budget=0", "unit.budget must be a whole number, 1 to 200"),
        ("unit.budget=few", "unit.budget is a whole number, got `few`"),
        ("sim.turns=3", "there is no property sim.turns; sim has sim.evaluator-model"),
    ] {
        let (code, _, err) = said(&["run", "story-iron-gate", "--property", property]);
        assert!(code == Some(1) && err.contains(part), "{err}");
    }
    let (code, _, err) = said(&["report", path(&folder("nothing-kept"))]);
    assert!(code == Some(1) && err.contains("keeps no experiment"), "{err}");
}

#[test]
fn scenario_files_are_checked_with_line_and_remedy() {
    let folder = folder("check");
    let good = folder.join("good.yml");
    let builtin = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/scenarios/story-iron-gate.yml");
    fs::copy(builtin, &good).expect("a copy");
    let (code, out, _) = said(&["scenarios", "check", path(&good)]);
    assert!(code == Some(0) && out.contains("1 files can be used, 0 cannot"), "{out}");
    let bad = folder.join("bad.yml");
    fs::write(&bad, "id: bad\nmaxTurn: 3\n").expect("a file");
    let (code, out, _) = said(&["scenarios", "check", path(&folder)]);
    assert!(code == Some(1) && out.contains("bad.yml: line 2") && out.contains("`maxTurns`"), "{out}");
    assert!(out.contains("1 files can be used, 1 cannot"), "{out}");
    assert!(said(&["scenarios"]).1.lines().count() >= 30, "the built-in ones");
}

#[test]
fn a_run_is_the_same_twice_and_another_with_another_seed() {
    let folder = folder("run");
    let play = |name: &str, seed: &str| {
        let out = folder.join(name);
        let (code, text, err) =
            said(&["run", "story-iron-gate", "--turns", "5", "--seed", seed, "--out", path(&out)]);
        assert!(code == Some(0) && text.contains("[1] player: "), "{text}{err}");
        let record = fs::read_to_string(&ending(&out, ".json")[0]).expect("the record");
        // When it was saved is the host's clock; everything else is the run's own.
        record.split_once("\"run\":").expect("a run's file").1.to_owned()
    };
    let first = play("a", "7");
    assert_eq!(play("b", "7"), first);
    assert_ne!(play("c", "8"), first);
}

/// Answers every call with the same judgement, until the program that asks has ended.
fn judge() -> String {
    let verdicts = r#"{\"verdicts\": [{\"fact\": \"gate\", \"verdict\": \"CONFIRMED\", \"confidence\": 5}]}"#;
    server(verdicts).0
}

/// Answers every call with the same words, escaped as JSON has them, and keeps what it was sent: heads and bodies.
fn server(words: &'static str) -> (String, Arc<Mutex<Vec<String>>>) {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = format!("http://{}/v1", listener.local_addr().expect("its address"));
    let asked = kept.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream);
            let (mut length, mut head) = (0, String::new());
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap_or(0);
                }
                head += &line;
                line.clear();
            }
            let mut body = vec![0; length];
            if reader.read_exact(&mut body).is_err() {
                continue;
            }
            asked.lock().expect("nobody failed").push(head + &String::from_utf8_lossy(&body));
            let answer = format!(
                r#"{{"choices": [{{"message": {{"content": "{words}"}}, "finish_reason": "stop"}}]}}"#
            );
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", answer.len());
            if reader.get_mut().write_all((head + &answer).as_bytes()).is_err() {
                continue;
            }
        }
    });
    (address, kept)
}

#[test]
fn each_role_is_asked_at_its_own_endpoint_with_its_own_key() {
    let (narrator, told) = server("The gate stays as it was.");
    let (judge, judged) = server(r#"{\"verdicts\": []}"#);
    let words = ["run", "story-iron-gate", "--turns", "7", "--memory-model", "none", "--model", "tale"];
    let places = ["--endpoint", &narrator, "--judge-endpoint", &judge, "--judge-model", "strict"];
    let program = |words: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_credence"));
        program.args(words).env("CREDENCE_API_KEY", "sk-narrator-1").env("JUDGE_KEY", "sk-judge-22");
        let output = program.output().expect("the program");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    program(&[&words[..], &places, &["--judge-key-env", "JUDGE_KEY"]].concat());
    let (told, judged) = (told.lock().expect("told"), judged.lock().expect("judged"));
    assert!(!told.is_empty() && !judged.is_empty(), "{} and {}", told.len(), judged.len());
    let all = |asked: &[String], model: &str, key: &str| {
        let model = format!(r#""model":"{model}""#);
        asked.iter().all(|call| call.contains(&model) && call.contains(key))
    };
    assert!(all(&told, "tale", "sk-narrator-1"), "{told:?}");
    assert!(all(&judged, "strict", "sk-judge-22"), "{judged:?}");
}

#[test]
fn a_role_elsewhere_needs_a_model_and_takes_no_key_of_others() {
    let (judge, judged) = server(r#"{\"verdicts\": []}"#);
    // The narrator is simulated: the judge's endpoint is the only one.
    let words = ["run", "story-iron-gate", "--turns", "7", "--judge-endpoint", &judge];
    for (more, part) in [
        (&[][..], "give --judge-model"),
        (&["--judge-model", "strict", "--model", "tale"], "give --endpoint"),
        (&["--judge-model", "strict", "--memory-endpoint", &judge, "--memory-model", "none"], "give one"),
        (&["--judge-model", "strict", "--adversary-key-env", "X"], "give --adversary-endpoint"),
    ] {
        let (code, _, err) = said(&[&words[..], more].concat());
        assert!(code == Some(2) && err.contains(part), "{more:?}: {code:?} {err}");
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_credence"));
    let run = program.args(words).args(["--judge-model", "strict"]).env("CREDENCE_API_KEY", "sk-other-333");
    assert!(run.output().expect("the program").status.success());
    let judged = judged.lock().expect("judged");
    assert!(!judged.is_empty() && !judged.iter().any(|call| call.contains("sk-other-333")), "{judged:?}");
}

#[test]
fn an_experiment_is_played_kept_reported_and_judged_again() {
    let folder = folder("matrix");
    let config = folder.join("matrix.yml");
    let write = |text: &str| fs::write(&config, text).expect("the experiment's file");
    write(
        "name: Trial | one\nconditions: [FULL_AWMU, NO_MEMORY]\nscenarios: [story-iron-gate]\nrepetitions: 2\nmaxTurns: 7\n",
    );
    let out = folder.join("out");
    let (code, text, err) = said(&["matrix", path(&config), "--out", path(&out), "--commit", "0123456789ab"]);
    assert_eq!(code, Some(0), "{text}{err}");
    assert!(err.contains("[4/4, about 0 s left] ") && err.contains("NO_MEMORY:story-iron-gate 2"), "{err}");
    assert!(
        text.contains("nothing of any real model")
            && text.contains("no conclusion, because there are too few pairs with a value of it")
    );
    assert_eq!(
        (ending(&out.join("runs"), ".json").len(), ending(&out.join("experiments"), ".json").len()),
        (4, 1)
    );
    let report = fs::read_to_string(&ending(&out, ".md")[0]).expect("the report");
    assert!(report.starts_with("# Trial \\| one\n") && report.contains("0123456789ab"), "{report}");
    assert_eq!((ending(&out, ".csv").len(), ending(&out, ".manifest.json").len()), (2, 1));

    let (code, listed, _) = said(&["report", path(&out), "--list"]);
    assert!(code == Some(0) && listed.contains("Trial | one (2 × 1 × 2)"), "{listed}");
    fs::remove_file(&ending(&out, ".md")[0]).expect("the report goes");
    let (code, told, _) = said(&["report", path(&out), "--baseline", path(&out)]);
    assert!(
        code == Some(0)
            && told.contains("FULL_AWMU:story-iron-gate fact_survival: ")
            && told.contains("(+0.00)"),
        "{told}"
    );
    assert_eq!(fs::read_to_string(&ending(&out, ".md")[0]).expect("and comes back"), report);

    // As a program that was ended at once leaves it: the last run is missing.
    let place = &ending(&out.join("experiments"), ".json")[0];
    let whole = fs::read_to_string(place).expect("the experiment");
    let mut file: serde_json::Value = serde_json::from_str(&whole).expect("it is JSON");
    file["experiment"]["runs"].as_array_mut().expect("runs").pop();
    file["experiment"]["cancelled"] = true.into();
    fs::write(place, file.to_string()).expect("it can be written");
    let (code, text, err) = said(&["matrix", path(&config), "--out", path(&out), "--go-on"]);
    assert_eq!(code, Some(0), "{text}{err}");
    assert!(
        err.contains("3 of 4 runs are complete") && err.contains("[4/4, about 0 s left] NO_MEMORY"),
        "{err}"
    );
    assert!(!err.contains("FULL_AWMU:story-iron-gate"), "what was complete is not played again: {err}");
    let runs = |text: &str| {
        serde_json::from_str::<serde_json::Value>(text).expect("JSON")["experiment"]["runs"].clone()
    };
    assert_eq!(runs(&fs::read_to_string(place).expect("it is there")), runs(&whole));
    let (code, _, err) = said(&["matrix", path(&config), "--out", path(&out), "--go-on"]);
    assert!(code == Some(1) && err.contains("no experiment to go on with"), "{err}");

    let again = ["re-evaluate", path(&out), "--endpoint", &judge(), "--judge-model", "j"];
    let (code, told, err) = said(&again);
    assert!(code == Some(0) && told.contains("FULL_AWMU: 2 runs, survival "), "{told}{err}");
    let table = fs::read_to_string(out.join("re-evaluation.csv")).expect("the table");
    assert_eq!(table.lines().filter(|line| line.contains(",hardened,")).count(), 4, "{table}");

    for (text, part) in [
        ("name: x\nconditions: [HALF]\nscenarios: all\nrepetitions: 2\n", "there is no condition `HALF`"),
        (
            "name: x\nconditions: all\nscenarios: [nowhere]\nrepetitions: 1\n",
            "there is no scenario `nowhere`",
        ),
        ("name: x\nconditions: all\nscenarios: all\nrepetitions: 2\ncolour: red\n", "unknown field `colour`"),
        (
            "name: x\nconditions: all\nscenarios: all\nrepetitions: 2\noptions: {judge-mode: gentle}\n",
            "judge-mode is hardened or open, and not `gentle`",
        ),
        ("name: x\nconditions: some\nscenarios: all\nrepetitions: 2\n", "`some` is no list"),
        ("name: [x\n", "line 2"),
    ] {
        write(text);
        let (code, _, err) = said(&["matrix", path(&config), "--out", path(&out)]);
        assert!(code.is_some_and(|code| code > 0) && err.contains(part), "{text}: {err}");
    }
}

#[test]
fn prop_run_history_store_memory_writes_reports_alone() {
    let folder = folder("in-memory");
    let config = folder.join("matrix.yml");
    let text = "name: Short\nconditions: [FULL_AWMU, NO_MEMORY]\nscenarios: [story-iron-gate]\nrepetitions: 2\nmaxTurns: 3\n\
                properties: {run-history.store: MEMORY, unit.budget: 3}\n";
    fs::write(&config, text).expect("the experiment's file");
    let out = folder.join("out");
    let (code, text, err) = said(&["matrix", path(&config), "--out", path(&out)]);
    assert_eq!(code, Some(0), "{text}{err}");
    assert!(
        ending(&out, ".md").len() == 1 && !out.join("runs").exists() && !out.join("experiments").exists()
    );
    let durable = ["--property", "run-history.store=DURABLE", "--property", "sim.benchmark-parallelism=2"];
    let words = [&["matrix", path(&config), "--out", path(&out)][..], &durable].concat();
    assert_eq!(said(&words).0, Some(0), "the command line wins over the file");
    assert_eq!(ending(&out.join("runs"), ".json").len(), 4);
    let manifests: Vec<String> = ending(&out, ".manifest.json")
        .iter()
        .map(|path| fs::read_to_string(path).expect("a manifest"))
        .collect();
    assert!(manifests.iter().any(|text| text.contains("\"parallelism\": 2")), "{manifests:?}");
    let name = |out: &str, property: &str| {
        let out = folder.join(out);
        let run = ["run", "story-iron-gate", "--turns", "3", "--out", path(&out), "--property", property];
        assert_eq!(said(&run).0, Some(0));
        ending(&out, ".json")[0].file_name().expect("a name").to_owned()
    };
    assert_ne!(
        name("few", "unit.budget=1"),
        name("many", "unit.budget=9"),
        "two runs that differ keep apart"
    );
    assert_eq!(name("a", "sim.benchmark-parallelism=1"), name("b", "sim.benchmark-parallelism=9"));
}

#[cfg(unix)]
#[test]
fn an_experiment_that_is_stopped_tells_what_it_has() {
    let folder = folder("stopped");
    let config = folder.join("matrix.yml");
    fs::write(&config, "name: Long\nconditions: all\nscenarios: [story-iron-gate]\nrepetitions: 400\n")
        .expect("the experiment's file");
    let out = folder.join("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_credence"))
        .args(["matrix", path(&config), "--out", path(&out)])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stderr.take().expect("its words"));
    let mut first = String::new();
    lines.read_line(&mut first).expect("a run is told");
    assert!(first.starts_with("[1/"), "{first}");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(sent.success());
    let mut rest = String::new();
    lines.read_to_string(&mut rest).expect("the rest");
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{rest}");
    assert!(
        rest.contains("stopping after what is being played")
            && rest.contains("were played, kept and reported"),
        "{rest}"
    );
    let report = fs::read_to_string(&ending(&out, ".md")[0]).expect("the report");
    assert!(report.starts_with("# Long\n"), "{report}");
    let kept = ending(&out.join("runs"), ".json").len();
    assert!(rest.contains(&format!("stopped: {kept} of ")), "{kept}: {rest}");
}

//! Stored runs judged again, by another judge or another mode, with the scores side by side (sim 4.8).
//!
//! Each judged turn of a run is given to the judge with the words that were said then; nothing is played again and the stored run is not changed. A
//! run or scenario that is gone, and a scenario that has changed since, is told and passed by.

use std::collections::BTreeMap;

use credence::llm::{Cancel, ChatModel};
use serde::{Deserialize, Serialize};

use super::Case;
use super::agreement::{Agreement, between};
use super::model::ModelJudge;
use crate::engine::digest;
use crate::metrics::score;
use crate::run::{RunRecord, Score, TurnRecord};
use crate::scenario::Scenario;

/// The columns of the file with scores, behind the run's own: the title there and the metric.
const COLUMNS: [(&str, &str); 6] = [
    ("survival", "fact_survival"),
    ("contradictions", "contradictions"),
    ("major", "major_contradictions"),
    ("absorption", "absorption_engaged"),
    ("erosion", "erosion"),
    ("compliance", "absorption_evaluated"),
];

/// A run, judged again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rejudged {
    /// The run's id.
    pub run: String,
    /// Its condition's name.
    pub condition: String,
    /// Its scenario's id.
    pub scenario: String,
    /// As it was scored by the judge that is compared with.
    pub before: Score,
    /// By the new judgements.
    pub after: Score,
    /// Between the two judges, rows the earlier one.
    pub agreement: Agreement,
}

/// A run that could not be judged again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The run's id.
    pub run: String,
    /// Why, in words for a person.
    pub why: String,
}

/// What came of judging runs again.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Reevaluation {
    /// The new judge's mode: `hardened` or `open`.
    pub mode: String,
    /// In the order in which they were asked for.
    pub runs: Vec<Rejudged>,
    /// Those that could not be judged again.
    pub missing: Vec<Missing>,
    /// Somebody stopped it: further runs were not looked at.
    pub cancelled: bool,
}

/// How a condition's scores moved: means over the runs in which both judges have the value, the new less the earlier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shift {
    /// The condition's name.
    pub condition: String,
    /// Its runs.
    pub runs: u32,
    /// Of fact survival, in percentage points.
    pub survival: Option<f64>,
    /// Of erosion, in percentage points.
    pub erosion: Option<f64>,
}

/// Judges runs again. `before` is the kind of judge to compare with: `oracle` or `model`. `find` gives a stored run with its scenario, or says why it
/// cannot.
pub async fn reevaluate<'a, M: ChatModel>(
    chat: &M,
    judge: &ModelJudge,
    before: &str,
    ids: &[String],
    find: impl Fn(&str) -> Result<(&'a RunRecord, &'a Scenario), String>,
    cancel: &Cancel,
) -> Reevaluation {
    let mut result = Reevaluation { mode: judge.mode.as_str().to_owned(), ..Reevaluation::default() };
    for id in ids {
        let (run, scenario) = match find(id) {
            Ok(found) => found,
            Err(why) => {
                result.missing.push(Missing { run: id.clone(), why });
                continue;
            }
        };
        if !run.scenario_hash.is_empty() && run.scenario_hash != digest(scenario) {
            let why = format!("the scenario `{}` has changed since the run", run.scenario);
            result.missing.push(Missing { run: id.clone(), why });
            continue;
        }
        let mut turns = run.turns.clone();
        let judged = |turn: &&mut TurnRecord| is_judged(turn);
        for turn in turns.iter_mut().filter(judged) {
            if cancel.is_cancelled() {
                result.cancelled = true;
                return result;
            }
            let case = Case { scenario, units: &turn.units_before, player: &turn.player, reply: &turn.reply };
            turn.judgements = vec![judge.judge(chat, &case, cancel).await];
        }
        let pairs = run.turns.iter().zip(&turns).filter(|(then, _)| is_judged(then));
        result.runs.push(Rejudged {
            run: run.id.clone(),
            condition: run.condition.name.clone(),
            scenario: run.scenario.clone(),
            before: score(scenario, &run.turns, before),
            after: score(scenario, &turns, "model"),
            agreement: between(pairs.map(|(then, now)| (then.judgement(before), now.judgement("model")))),
        });
    }
    result
}

/// Whether a turn is one that judges look at.
fn is_judged(turn: &TurnRecord) -> bool {
    turn.turn > 0 && turn.failed.is_none() && turn.kind.is_judged()
}

impl Reevaluation {
    /// Two rows a run, the earlier judge's (`original`) and the new one's (its mode), with the values to one decimal; a value that there is not is
    /// empty.
    pub fn csv(&self) -> String {
        let titles: Vec<&str> = COLUMNS.iter().map(|(title, _)| *title).collect();
        let mut csv = format!("runId,condition,scenario,judge_mode,{}\n", titles.join(","));
        for run in &self.runs {
            for (mode, score) in [("original", &run.before), (self.mode.as_str(), &run.after)] {
                let mut cells: Vec<String> =
                    [&run.run, &run.condition, &run.scenario].into_iter().map(|text| cell(text)).collect();
                cells.push(mode.to_owned());
                cells.extend(COLUMNS.iter().map(|(_, name)| {
                    score
                        .values
                        .get(*name)
                        .copied()
                        .flatten()
                        .map_or_else(String::new, |value| format!("{value:.1}"))
                }));
                csv.push_str(&cells.join(","));
                csv.push('\n');
            }
        }
        csv
    }

    /// How far each condition's scores moved, by name.
    pub fn shifts(&self) -> Vec<Shift> {
        let mut by_condition: BTreeMap<&str, Vec<&Rejudged>> = BTreeMap::new();
        for run in &self.runs {
            by_condition.entry(&run.condition).or_default().push(run);
        }
        let shift = |(condition, runs): (&str, Vec<&Rejudged>)| {
            let mean = |metric: &str| {
                let value = |score: &Score| score.values.get(metric).copied().flatten();
                let moved: Vec<f64> =
                    runs.iter().filter_map(|run| Some(value(&run.after)? - value(&run.before)?)).collect();
                (!moved.is_empty()).then(|| moved.iter().sum::<f64>() / moved.len() as f64)
            };
            Shift {
                condition: condition.to_owned(),
                runs: u32::try_from(runs.len()).unwrap_or(u32::MAX),
                survival: mean("fact_survival"),
                erosion: mean("erosion"),
            }
        };
        by_condition.into_iter().map(shift).collect()
    }
}

/// A cell: in quotes where it holds a separator, quotes doubled. What a spreadsheet would run as a formula is led by an apostrophe.
fn cell(text: &str) -> String {
    let led = if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_owned() };
    if led.contains([',', '"', '\n', '\r']) { format!("\"{}\"", led.replace('"', "\"\"")) } else { led }
}

#[cfg(test)]
mod tests {
    use credence::llm::scripted::ScriptedModel;
    use credence::llm::{ModelError, Role};
    use futures::executor::block_on;

    use super::*;
    use crate::run::RunStatus;
    use crate::scenario::TurnKind;
    use crate::testing::{self, fact};
    use crate::verdict::{Judge, Judgement, Ruling, Severity, Verdict};

    fn scenario() -> Scenario {
        Scenario { facts: vec![fact("f1", "The bridge is closed.")], ..testing::scenario() }
    }
    /// A run of three turns in which an oracle said, of each, what is given.
    fn run(id: &str, rulings: &[Ruling]) -> RunRecord {
        let turn = |(number, ruling): (u32, &Ruling)| {
            let verdict = Verdict {
                fact: "f1".into(),
                ruling: *ruling,
                severity: Severity::None,
                confidence: 3,
                evidence: String::new(),
                reasoning: String::new(),
                explanation: String::new(),
                filled: false,
            };
            let judgement = Judgement {
                judge: Judge::Oracle,
                verdicts: vec![verdict],
                retries: 0,
                dropped: Vec::new(),
                failed: None,
            };
            let reply = format!("Reply {number}.");
            TurnRecord { judgements: vec![judgement], reply, ..testing::turn(number, TurnKind::Attack) }
        };
        let mut turns = vec![testing::turn(0, TurnKind::Establish)];
        turns.extend((1..).zip(rulings).map(turn));
        turns.push(testing::turn(9, TurnKind::Establish));
        RunRecord { turns, status: RunStatus::Complete, ..testing::run(id) }
    }
    fn answer(verdict: &str) -> String {
        format!(r#"{{"verdicts": [{{"fact": "f1", "verdict": "{verdict}", "confidence": 5}}]}}"#)
    }
    fn again(chat: &ScriptedModel, runs: &[RunRecord], ids: &[&str]) -> Reevaluation {
        let (judge, scenario) = (ModelJudge::default(), scenario());
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        let find = |id: &str| match runs.iter().find(|run| run.id == id) {
            Some(run) if run.scenario == "empty" => Ok((run, &scenario)),
            Some(run) => Err(format!("the scenario `{}` is gone", run.scenario)),
            None => Err("the run is gone".to_owned()),
        };
        block_on(reevaluate(chat, &judge, "oracle", &ids, find, &Cancel::new()))
    }
    use Ruling::{Confirmed, Contradicted};

    #[test]
    fn sim_81_two_rows_a_run() {
        let score = |survival: f64| Score {
            values: BTreeMap::from([
                ("fact_survival".to_owned(), Some(survival)),
                ("erosion".to_owned(), None),
            ]),
            ..Score::default()
        };
        let run = Rejudged {
            run: "r1".into(),
            condition: "FULL, \"all\"".into(),
            scenario: "=s".into(),
            before: score(86.0),
            after: score(92.0),
            agreement: Agreement::default(),
        };
        let result = Reevaluation { mode: "hardened".into(), runs: vec![run], ..Reevaluation::default() };
        let lines: Vec<String> = result.csv().lines().map(str::to_owned).collect();
        assert_eq!(
            lines,
            [
                "runId,condition,scenario,judge_mode,survival,contradictions,major,absorption,erosion,compliance",
                "r1,\"FULL, \"\"all\"\"\",'=s,original,86.0,,,,,",
                "r1,\"FULL, \"\"all\"\"\",'=s,hardened,92.0,,,,,"
            ]
        );
        let shifts = result.shifts();
        assert_eq!((shifts.len(), shifts[0].survival, shifts[0].erosion), (1, Some(6.0), None));
    }

    #[test]
    fn judged_turns_are_judged_again_and_the_rest_is_left() {
        let runs = [run("r1", &[Confirmed, Contradicted])];
        let chat = ScriptedModel::new()
            .reply(Role::Judge, answer("CONFIRMED"))
            .reply(Role::Judge, answer("CONFIRMED"));
        let result = again(&chat, &runs, &["r1"]);
        assert_eq!(chat.calls(Role::Judge), 2, "neither the scene nor a turn that is not judged");
        let judged = &result.runs[0];
        let survival = |score: &Score| score.values["fact_survival"];
        assert_eq!((survival(&judged.before), survival(&judged.after)), (Some(0.0), Some(100.0)));
        assert_eq!((judged.agreement.pairs, judged.agreement.percent), (2, Some(50.0)));
        assert_eq!(result.shifts()[0].survival, Some(100.0));
    }

    #[test]
    fn sim_28_a_turn_that_establishes_is_judged_by_nobody() {
        let mut run = run("r1", &[Confirmed, Confirmed]);
        run.turns[1].kind = TurnKind::Establish;
        let chat = ScriptedModel::new().reply(Role::Judge, answer("CONTRADICTED"));
        let result = again(&chat, &[run], &["r1"]);
        assert_eq!(chat.calls(Role::Judge), 1, "the attack alone");
        assert_eq!(result.runs[0].after.values["contradictions"], Some(1.0));
    }

    #[test]
    fn a_scenario_that_has_changed_since_is_told() {
        let mut known = run("r1", &[Confirmed]);
        known.scenario_hash = digest(&scenario());
        let mut changed = run("r2", &[Confirmed]);
        changed.scenario_hash = "0123456789abcdef".into();
        let chat = ScriptedModel::new().reply(Role::Judge, answer("CONFIRMED"));
        let result = again(&chat, &[known, changed], &["r1", "r2"]);
        assert_eq!((result.runs.len(), result.missing[0].run.as_str()), (1, "r2"));
        assert!(result.missing[0].why.contains("has changed"), "{}", result.missing[0].why);
    }

    #[test]
    fn what_is_gone_is_told_and_what_fails_is_counted() {
        let mut foreign = run("r2", &[Confirmed]);
        foreign.scenario = "elsewhere".into();
        let runs = [run("r1", &[Confirmed]), foreign];
        let refused = ModelError::BadKey { status: 401, detail: "no".into() };
        let chat = ScriptedModel::new().error(Role::Judge, refused);
        let result = again(&chat, &runs, &["r0", "r2", "r1"]);
        let missing: Vec<(&str, &str)> =
            result.missing.iter().map(|m| (m.run.as_str(), m.why.as_str())).collect();
        assert_eq!(missing, [("r0", "the run is gone"), ("r2", "the scenario `elsewhere` is gone")]);
        let after = &result.runs[0].after.values;
        assert_eq!((after["judge_failures"], after["fact_survival"]), (Some(1.0), None));
        assert_eq!((result.runs[0].agreement.pairs, result.runs[0].agreement.unpaired_turns), (0, 1));
    }

    #[test]
    fn a_cancelled_one_says_so() {
        let (scenario, run, cancel) = (scenario(), run("r1", &[Confirmed]), Cancel::new());
        cancel.cancel();
        let chat = ScriptedModel::new();
        let find = |_: &str| Ok((&run, &scenario));
        let judge = ModelJudge::default();
        let result = block_on(reevaluate(&chat, &judge, "oracle", &["r1".to_owned()], find, &cancel));
        assert!(result.cancelled && result.runs.is_empty() && chat.calls(Role::Judge) == 0);
    }
}

//! Playing an experiment: runs in the order of the plan, so many at once, each kept as it ends, until all are played or somebody stops it.

use std::collections::{BTreeMap, BTreeSet};

use credence::llm::Cancel;
use credence::time::Timestamp;
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::definition::{Definition, Planned, Problem};
use super::digest::RunDigest;
use super::record::{Experiment, Manifest, ScenarioNote};
use crate::run::{Condition, Played, RunRecord, RunSettings};
use crate::scenario::Scenario;

/// What playing needs of the host.
#[expect(async_fn_in_trait, reason = "one thread; no caller needs a Send bound")]
pub trait Host {
    /// Plays one run to whatever end. Several are awaited at once.
    ///
    /// # Errors
    /// Why it could not be begun, in words; the experiment goes on and tells it.
    async fn play(
        &self,
        scenario: &Scenario,
        condition: &Condition,
        settings: &RunSettings,
    ) -> Result<RunRecord, String>;

    /// Keeps a run that ended.
    ///
    /// # Errors
    /// In words; the experiment goes on and tells it.
    async fn keep(&self, run: RunRecord) -> Result<(), String>;

    /// The wall clock, for the time that is left and for the manifest.
    fn now(&self) -> Timestamp;

    /// How far it has come: once before the first run, then after each.
    fn progress(&self, progress: &Progress);

    /// Told after each run, for a host that keeps an experiment while it is played: what there is so far, made on demand, as one that is
    /// partial. What it cannot keep it tells by itself.
    async fn so_far(&self, experiment: impl FnOnce() -> Experiment) {
        let _unwanted = experiment;
    }

    /// Most runs at once; 0 counts as 1.
    fn parallelism(&self) -> u32 {
        1
    }

    /// The commit of the sources; empty: unknown.
    fn commit(&self) -> String {
        String::new()
    }

    /// Who reads what is said and compares statements for the memory: a model's name, or words for the rules; empty: unknown.
    fn reader(&self) -> String {
        String::new()
    }

    /// Versions beside this crate's own, by name.
    fn versions(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
}

/// How far an experiment has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Runs that ended.
    pub done: u32,
    /// Runs in all.
    pub total: u32,
    /// Of those that ended, the ones that are not complete.
    pub troubled: u32,
    /// What ended last: `condition:scenario`, the repetition from 1, and what went wrong, if something did.
    pub last: Option<String>,
    /// Since it began.
    pub elapsed_ms: i64,
    /// Until it is over, if the rest takes as long as what was played; `None` before the first run ended.
    pub left_ms: Option<i64>,
}

/// Plays an experiment. Cancelling lets running runs come to their end (the host may stop them), begins no other, and leaves an experiment
/// that says that it is partial.
///
/// # Errors
/// Everything that is wrong with the definition; nothing is played then.
pub async fn run(
    definition: &Definition,
    scenarios: &[Scenario],
    host: &impl Host,
    cancel: &Cancel,
) -> Result<Experiment, Vec<Problem>> {
    play(definition, None, scenarios, host, cancel).await
}

/// Goes on with an experiment that was stopped or broken off. Its complete runs count and are not played again; the others are played by
/// the same plan, and the experiment keeps its name and beginning. Whether scenarios, templates and settings are still the same is for the
/// checks to say, as of any experiment.
///
/// # Errors
/// As [`run`].
pub async fn go_on(
    earlier: &Experiment,
    scenarios: &[Scenario],
    host: &impl Host,
    cancel: &Cancel,
) -> Result<Experiment, Vec<Problem>> {
    play(&earlier.definition, Some(earlier), scenarios, host, cancel).await
}

async fn play(
    definition: &Definition,
    earlier: Option<&Experiment>,
    scenarios: &[Scenario],
    host: &impl Host,
    cancel: &Cancel,
) -> Result<Experiment, Vec<Problem>> {
    let mut problems = definition.problems(scenarios);
    problems.extend(earlier.and_then(|earlier| read_by_another(&earlier.manifest, &host.reader())));
    if !problems.is_empty() {
        return Err(problems);
    }
    let named = |at: usize| scenarios.iter().find(|scenario| scenario.id == definition.scenarios[at]);
    let plan: Vec<(usize, &Scenario, Planned)> = definition
        .plan(scenarios)
        .into_iter()
        .enumerate()
        .filter_map(|(at, planned)| Some((at, named(planned.scenario)?, planned)))
        .collect();
    let began = host.now();
    let order = Order { definition, plan: &plan, started: earlier.map_or(began, |one| one.manifest.started) };
    let mut ended = earlier.map_or_else(BTreeMap::new, |earlier| order.played_before(earlier));
    let before = ended.len() as i64;
    let told = |ended: &BTreeMap<usize, RunDigest>, last: Option<String>| {
        let (done, total) = (ended.len() as u32, order.total());
        let elapsed_ms = host.now().0.saturating_sub(began.0).max(0);
        let played = i64::from(done) - before;
        let left_ms = elapsed_ms.saturating_mul(i64::from(total - done)).checked_div(played);
        let troubled = ended.values().filter(|run| !run.is_complete()).count() as u32;
        host.progress(&Progress { done, total, troubled, last, elapsed_ms, left_ms });
    };
    told(&ended, None);
    {
        let left: Vec<_> = plan.iter().filter(|(at, ..)| !ended.contains_key(at)).collect();
        let wanted = futures::stream::iter(left)
            .take_while(|_| futures::future::ready(!cancel.is_cancelled()))
            .map(async |(at, scenario, planned)| {
                let condition = &definition.conditions[planned.condition];
                let digest = match host.play(scenario, condition, &planned.settings).await {
                    Ok(record) => {
                        let mut digest = RunDigest::of(Played { scenario, run: &record });
                        digest.unsaved = host.keep(record).await.err();
                        digest
                    }
                    Err(why) => RunDigest::refused(&scenario.id, &condition.name, &planned.settings, why),
                };
                (*at, digest)
            });
        let mut playing = std::pin::pin!(wanted.buffer_unordered(host.parallelism().max(1) as usize));
        while let Some((at, digest)) = playing.next().await {
            let trouble = digest.trouble().or_else(|| digest.unsaved.clone());
            let last = format!(
                "{}:{} {}{}",
                digest.condition,
                digest.scenario,
                digest.settings.repetition + 1,
                trouble.map(|why| format!(": {why}")).unwrap_or_default()
            );
            ended.insert(at, digest);
            told(&ended, Some(last));
            host.so_far(|| order.experiment(&ended, scenarios, host)).await;
        }
    }
    Ok(order.experiment(&ended, scenarios, host))
}

/// Runs whose memories were read by different readers are not of one experiment.
fn read_by_another(earlier: &Manifest, reader: &str) -> Option<Problem> {
    (earlier.reader != reader).then(|| {
        let name = |reader: &str| if reader.is_empty() { "nobody knows who" } else { reader }.to_owned();
        Problem {
            place: "reader".to_owned(),
            message: format!("{} read for the memory, and now it is {}", name(&earlier.reader), name(reader)),
            remedy: "go on with the same one, or begin a new experiment".to_owned(),
        }
    })
}

/// What is played, and since when.
struct Order<'a> {
    definition: &'a Definition,
    plan: &'a [(usize, &'a Scenario, Planned)],
    started: Timestamp,
}

impl Order<'_> {
    fn total(&self) -> u32 {
        self.plan.len() as u32
    }

    /// The complete runs of an earlier sitting, by their place in the plan.
    fn played_before(&self, earlier: &Experiment) -> BTreeMap<usize, RunDigest> {
        let is_of = |run: &RunDigest, scenario: &Scenario, planned: &Planned| {
            run.condition == self.definition.conditions[planned.condition].name
                && run.scenario == scenario.id
                && (run.settings.repetition, run.settings.seed)
                    == (planned.settings.repetition, planned.settings.seed)
        };
        let found = |(at, scenario, planned): &(usize, &Scenario, Planned)| {
            let run = earlier.complete().find(|run| is_of(run, scenario, planned))?;
            Some((*at, run.clone()))
        };
        self.plan.iter().filter_map(found).collect()
    }

    /// The experiment as far as it has come.
    fn experiment(
        &self,
        ended: &BTreeMap<usize, RunDigest>,
        scenarios: &[Scenario],
        host: &impl Host,
    ) -> Experiment {
        let Self { definition, started, .. } = *self;
        let runs: Vec<RunDigest> = ended.values().cloned().collect();
        let named = |id: &String| scenarios.iter().find(|scenario| scenario.id == *id);
        let notes = definition.scenarios.iter().filter_map(named).map(ScenarioNote::of).collect();
        let begun: Vec<&RunDigest> = runs.iter().filter(|run| !run.run.is_empty()).collect();
        let manifest = Manifest {
            definition_hash: definition.hash(),
            scenario_hashes: begun
                .iter()
                .map(|run| (run.scenario.clone(), run.scenario_hash.clone()))
                .collect(),
            prompts_hashes: begun
                .iter()
                .map(|run| run.prompts_hash.clone())
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            config_hashes: begun
                .iter()
                .map(|run| (format!("{}:{}", run.condition, run.scenario), run.config_hash.clone()))
                .collect(),
            reader: host.reader(),
            versions: host
                .versions()
                .into_iter()
                .chain([("credence-sim".to_owned(), env!("CARGO_PKG_VERSION").to_owned())])
                .collect(),
            commit: host.commit(),
            started,
            ended: host.now(),
            planned_runs: self.total(),
            parallelism: host.parallelism().max(1),
        };
        Experiment {
            schema: 1,
            id: format!("exp-{}", short_hash(&format!("{}{}", definition.json(), started.0))),
            definition: definition.clone(),
            manifest,
            scenarios: notes,
            cancelled: (runs.len() as u32) < self.total(),
            runs,
        }
    }
}

impl Definition {
    fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What the manifest knows it by: the first 16 hexadecimal digits of the SHA-256 of its JSON.
    pub fn hash(&self) -> String {
        short_hash(&self.json())
    }
}

/// The first 16 hexadecimal digits of the SHA-256.
fn short_hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

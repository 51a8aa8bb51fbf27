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
    let problems = definition.problems(scenarios);
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
    let total = plan.len() as u32;
    let started = host.now();
    let told = |ended: &BTreeMap<usize, RunDigest>, last: Option<String>| {
        let done = ended.len() as u32;
        let elapsed_ms = host.now().0.saturating_sub(started.0).max(0);
        let left_ms = elapsed_ms.saturating_mul(i64::from(total - done)).checked_div(i64::from(done));
        let troubled = ended.values().filter(|run| !run.is_complete()).count() as u32;
        host.progress(&Progress { done, total, troubled, last, elapsed_ms, left_ms });
    };
    let mut ended = BTreeMap::new();
    told(&ended, None);
    {
        let wanted = futures::stream::iter(&plan)
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
        }
    }
    let runs: Vec<RunDigest> = ended.into_values().collect();
    let notes = (0..definition.scenarios.len()).filter_map(named).map(ScenarioNote::of).collect();
    let definition_json = serde_json::to_string(definition).unwrap_or_default();
    let begun: Vec<&RunDigest> = runs.iter().filter(|run| !run.run.is_empty()).collect();
    let manifest = Manifest {
        definition_hash: short_hash(&definition_json),
        scenario_hashes: begun.iter().map(|run| (run.scenario.clone(), run.scenario_hash.clone())).collect(),
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
        planned_runs: total,
        parallelism: host.parallelism().max(1),
    };
    Ok(Experiment {
        schema: 1,
        id: format!("exp-{}", short_hash(&format!("{definition_json}{}", started.0))),
        definition: definition.clone(),
        manifest,
        scenarios: notes,
        cancelled: (runs.len() as u32) < total,
        runs,
    })
}

/// The first 16 hexadecimal digits of the SHA-256.
fn short_hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

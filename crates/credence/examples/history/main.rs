//! `cargo run --profile bench -p credence --example history`: what looking back costs beside reading the present, as one JSON object of figures.
//! `cargo xtask bench history` runs it beside the figures of the store.
//!
//! The log has 10,000 commits with 50,000 revisions: each commit brings one statement and changes four earlier ones. `view_ratio` is the slowest
//! of views spread over the whole log, each read through, over the present, copied and read through likewise. A view of an early commit holds
//! fewer records than the present, so the ratio is also given for the latest (`view_late_ratio`), which holds as many. `delta_N_us` is the delta
//! of two adjacent commits that changed N records; `delta_memory_ratio` the same delta of ten records in that log over one in a tenth of it.

use std::hint::black_box;
use std::time::Instant;

use credence::history::{Actor, Cause, Log, Scope, ScopeInfo, State};
use credence::id::{CommitId, ContextId, PropositionId};
use credence::proposition::{Extractor, Proposition};
use credence::scale::Confidence;
use credence::time::Timestamp;
use serde_json::json;
use uuid::Uuid;

const COMMITS: u64 = 10_000;
const CHANGED: u64 = 4;
const ROUNDS: usize = 9;

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let log = filled(COMMITS)?;
    let present = median(ROUNDS, || read(&log.state().clone()));
    let mut slowest: f64 = 0.0;
    for step in 0..=20 {
        let seq = (COMMITS * step / 20).clamp(1, COMMITS - 1);
        log.view_at(seq)?;
        slowest = slowest.max(median(ROUNDS, || log.view_at(seq).map_or(0, |view| read(&view))));
    }
    let late = median(ROUNDS, || log.view_at(COMMITS - 1).map_or(0, |view| read(&view)));
    let mut figures = json!({
        "commits": COMMITS,
        "revisions": log.state().last_revision().0,
        "present_ms": rounded(present * 1e3),
        "view_ms": rounded(slowest * 1e3),
        "view_ratio": rounded(slowest / present),
        "view_late_ratio": rounded(late / present),
    });
    let large = deltas(log)?;
    let small = deltas(filled(COMMITS / 10)?)?;
    for (changed, seconds) in &large {
        figures[format!("delta_{changed}_us")] = json!(rounded(seconds * 1e6));
    }
    figures["delta_memory_ratio"] = json!(rounded(large[1].1 / small[1].1));
    println!("{figures}");
    Ok(())
}

fn statement(n: u64, text: &str) -> Result<Proposition, Failed> {
    let id = PropositionId::new(Uuid::from_u128(u128::from(n) + 1));
    Ok(Proposition::new(id, text, Confidence::clamped(0.8), Extractor::Person, Timestamp(1))?)
}

/// Commits these statements anew.
fn commit(log: &mut Log, statements: impl Iterator<Item = u64>) -> Result<(), Failed> {
    let (seq, context) = (log.state().seq(), ContextId::new("bench")?);
    let scope = Scope::new(ScopeInfo::new(Cause::Revision, Actor::Engine, "benchmark"));
    for n in statements {
        scope.put(log.state(), statement(n, &format!("Statement {n} as it was told in commit {seq}"))?, "");
    }
    let id = CommitId::new(Uuid::from_u128(u128::from(seq) + 1));
    // Every text names its commit, so each is a change.
    if let Some(made) = scope.to_commit(log.state(), &context, id, Timestamp(1)) {
        log.push(made)?;
    }
    Ok(())
}

fn filled(commits: u64) -> Result<Log, Failed> {
    let mut log = Log::default();
    for seq in 0..commits {
        // Spread over everything that is there, the same in every run; one that comes twice is changed once.
        let spread = |k: u64| (seq ^ 0x5bd1).wrapping_mul(2_654_435_761 + 40_503 * k) >> 7;
        let earlier = (1..=CHANGED).filter(|_| seq > CHANGED).map(|k| spread(k) % seq);
        commit(&mut log, std::iter::once(seq).chain(earlier))?;
    }
    Ok(log)
}

/// Reads a state through.
fn read(state: &State) -> usize {
    state.propositions().map(|statement| statement.text.len()).sum()
}

/// Seconds of the delta of a commit of so many changes.
fn deltas(mut log: Log) -> Result<Vec<(u64, f64)>, Failed> {
    let mut costs = Vec::new();
    for changed in [1, 10, 100, 1_000] {
        commit(&mut log, 0..changed)?;
        let seq = log.state().seq();
        costs.push((changed, median(101, || log.delta(seq - 1, seq).map_or(0, |delta| delta.changes.len()))));
    }
    Ok(costs)
}

fn median<T>(rounds: usize, mut work: impl FnMut() -> T) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let begun = Instant::now();
            black_box(work());
            begun.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}

fn rounded(figure: f64) -> f64 {
    (figure * 1000.0).round() / 1000.0
}

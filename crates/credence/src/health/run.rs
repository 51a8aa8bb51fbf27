//! The memory's own acts: looking at everything that is stored of it, and repairing.

use std::collections::{BTreeMap, BTreeSet};

use super::check::{LogCheck, present};
use super::mend::mend;
use super::{Findings, HealthReport, Repaired, Trouble};
use crate::embedding::Embedder;
use crate::error::Error;
use crate::history::{Actor, Cause, ContentId, Damage, Journal, Log, Scope, ScopeInfo};
use crate::memory::{Memory, Rewriting};
use crate::ports::{Clock, Ports};

/// Vectors by what is wrong with them.
#[derive(Default)]
struct Vectors {
    count: usize,
    needless: BTreeSet<ContentId>,
}

impl<P: Ports> Memory<P> {
    /// Looks at everything that is stored of this memory: every row, every commit, every link between records, every vector. Changes nothing.
    /// Costs a read and a hash of everything, in slices.
    ///
    /// # Errors
    /// As the journal, where it cannot be read at all.
    pub async fn check_health(&self) -> Result<HealthReport, Error> {
        self.refresh().await?;
        let journal = self.ports().journal();
        let damages = journal.inspect(self.context()).await?;
        let mut findings = Findings::default();
        for Damage { store, key, detail, .. } in &damages {
            findings.add(Trouble::DamagedRow, || format!("{store} {key}: {detail}"));
        }
        let damaged =
            |seq: u64| damages.iter().any(|row| row.store == "commits" && row.key == seq.to_string());
        let commits = self.log().commits().to_vec();
        let (mut check, mut slices) = (LogCheck::default(), self.slices(None));
        let mut before = Findings::default();
        for commit in &commits {
            // What is damaged now is told as that.
            check.commit(commit, if damaged(commit.seq) { &mut before } else { &mut findings });
            slices.rest().await?;
        }
        present(&self.state(), &mut findings);
        slices.rest().await?;
        let Vectors { count, needless } = self.check_vectors(&mut findings).await?;
        let records = self.state().revisions().filter(|revision| revision.value.is_some()).count();
        Ok(HealthReport {
            context: self.context().clone(),
            at: self.ports().clock().now().at,
            seq: self.state().seq(),
            records,
            vectors: count,
            findings: findings.finish(),
            damages,
            needless: needless.into_iter().collect(),
        })
    }

    async fn check_vectors(&self, findings: &mut Findings) -> Result<Vectors, Error> {
        let (journal, embedder) = (self.ports().journal(), self.ports().embedder());
        let held: BTreeMap<ContentId, String> = {
            let state = self.state();
            state.propositions().map(|it| (ContentId::of_text(&it.text), it.id.to_string())).collect()
        };
        let mut vectors = Vectors::default();
        let mut missing = None;
        for space in journal.spaces(self.context()).await? {
            let kept = journal.vectors(self.context(), &space).await?;
            vectors.count += kept.len();
            let ours = space == embedder.space();
            let length = if ours { embedder.dimension() } else { usual_length(&kept) };
            let mut sound = BTreeSet::new();
            for vector in kept {
                let text = vector.text;
                if !held.contains_key(&text) {
                    findings.add(Trouble::OrphanVectors, || format!("{space} {text}"));
                    vectors.needless.insert(text);
                } else if vector.vector.len() != length
                    || vector.vector.iter().any(|number| !number.is_finite())
                {
                    findings.add(Trouble::MisfitVectors, || format!("{space} {text}"));
                    vectors.needless.insert(text);
                } else {
                    sound.insert(text);
                }
            }
            if ours {
                missing = Some(sound);
            }
        }
        if self.supports_vectors() && !embedder.is_cheap() {
            let sound = missing.unwrap_or_default();
            for (_, statement) in held.iter().filter(|(text, _)| !sound.contains(text)) {
                findings.add(Trouble::MissingVectors, || statement.clone());
            }
        }
        Ok(vectors)
    }

    /// Does what a report says can be done, on the memory as it is now: damaged rows are set aside, links that lead nowhere are taken out, what
    /// stands for nothing is removed. Nothing to do is no commit.
    ///
    /// # Errors
    /// As the journal; nothing was changed by the step that failed.
    pub async fn repair(&self, report: &HealthReport) -> Result<Repaired, Error> {
        let asked: BTreeSet<Trouble> =
            report.findings.iter().filter(|it| it.remedy.is_repair()).map(|it| it.trouble).collect();
        let mut repaired = Repaired {
            left: report.findings.iter().filter(|it| !it.remedy.is_repair()).map(|it| it.trouble).collect(),
            ..Repaired::default()
        };
        let now = self.now().at;
        let rows = report.damages.len();
        let planned = |log: &Log, dropped: usize| {
            let scope = Scope::new(ScopeInfo::new(Cause::Repair, Actor::Person, reason(rows, dropped)));
            let mended = mend(log.state(), &scope, &asked, now);
            (scope, mended)
        };
        if rows > 0 {
            let (mended, commit) = self
                .repair_rows(&report.damages, |log| {
                    let (scope, mended) = planned(log, 0);
                    (mended, scope)
                })
                .await?;
            repaired.commits.extend(commit.map(|commit| commit.seq));
            (repaired.set_aside, repaired.mended) = (rows, mended);
        }
        let needless = &report.needless;
        let (mended, commit) = self
            .rewrite(|log, _| {
                let (scope, mended) = planned(log, needless.len());
                let nothing = scope.is_empty() && needless.is_empty();
                let rewriting = (!nothing).then(|| Rewriting {
                    scope,
                    commits: Vec::new(),
                    uses: Vec::new(),
                    dropped_uses: Vec::new(),
                    dropped_vectors: needless.clone(),
                });
                Ok((mended, rewriting))
            })
            .await?;
        if let Some(commit) = commit {
            repaired.commits.push(commit.seq);
            repaired.vectors = needless.len();
            for (trouble, count) in mended {
                *repaired.mended.entry(trouble).or_insert(0) += count;
            }
        }
        Ok(repaired)
    }
}

fn reason(rows: usize, vectors: usize) -> String {
    match (rows, vectors) {
        (0, 0) => "links that led nowhere were taken out".to_owned(),
        (0, vectors) => format!("vectors of {vectors} texts that fit nothing were removed"),
        (rows, _) => format!("{rows} stored rows that could not be read were set aside"),
    }
}

/// The length that most vectors of a space have.
fn usual_length(vectors: &[crate::history::StoredVector]) -> usize {
    let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
    for vector in vectors {
        *lengths.entry(vector.vector.len()).or_insert(0) += 1;
    }
    lengths.into_iter().max_by_key(|(_, count)| *count).map_or(0, |(length, _)| length)
}

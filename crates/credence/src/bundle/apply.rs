//! Carrying an import out: everything is read, checked and put together first; then each memory is stored in one transaction, against the
//! head that it was decided on; and when one of several cannot be stored, those before it are put back as they were.
//!
//! Appending what a bundle is ahead by, and merging, store the memory anew as a whole, because that is the one write that brings commits,
//! use records and vectors together. A handle that is open on it takes it up with [`refresh`](crate::Memory::refresh).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::erased::without_erased;
use super::merge::{MergeReport, merge};
use super::{Bundle, BundleError, BundledContext, Choice, Standing, contents};
use crate::history::{Commit, ContentId, Contents, Journal, Log, Record, UseRecord};
use crate::id::{CommitId, ContextId};
use crate::ports::Ids;
use crate::time::Timestamp;

/// What became of one memory of a bundle.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum ImportOutcome {
    /// It is a memory of its own now.
    Created {
        /// Its commits.
        commits: usize,
    },
    /// It took the place of the one that was here.
    Replaced {
        /// Its commits.
        commits: usize,
        /// Commits of the one that is gone.
        before: usize,
    },
    /// The memory here goes on with the bundle's commits, as they are.
    Appended {
        /// Commits that were not here.
        commits: usize,
    },
    /// Both had gone on: what the memory here lacked is one commit.
    Merged {
        /// The commit; `None`: nothing was lacking.
        commit: Option<CommitId>,
        /// What it did.
        report: Box<MergeReport>,
    },
    /// Everything was here.
    Unchanged,
    /// Nothing was done.
    Skipped,
}

/// One memory of a bundle, after an import.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImportedContext {
    /// Its name in the bundle.
    pub context: ContextId,
    /// The memory here.
    pub into: ContextId,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: ImportOutcome,
    /// Use records that came along.
    pub uses: usize,
    /// Vectors that came along. What lacks one is embedded when it is next needed.
    pub vectors: usize,
    /// Worth knowing, in words for a person.
    pub notes: Vec<String>,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImportReport {
    /// Memory by memory, in the bundle's order.
    pub contexts: Vec<ImportedContext>,
}

impl ImportReport {
    /// Memories that were written.
    pub fn written(&self) -> impl Iterator<Item = &ContextId> {
        let is_written = |done: &&ImportedContext| match &done.outcome {
            ImportOutcome::Skipped => false,
            ImportOutcome::Unchanged | ImportOutcome::Merged { commit: None, .. } => {
                done.uses + done.vectors > 0
            }
            _ => true,
        };
        self.contexts.iter().filter(is_written).map(|done| &done.into)
    }
}

/// A memory as it is to be stored.
struct Write {
    before: Contents,
    after: Contents,
}

/// Imports memories of a bundle as chosen; those without a choice are skipped. Either everything chosen is imported or nothing is.
///
/// # Errors
/// [`BundleError::Choice`] for a choice that cannot be carried out; [`BundleError::Invalid`] where a merged memory could not be opened;
/// [`BundleError::Journal`] when the store refused, also because somebody wrote meanwhile: then nothing is imported, and it can be tried
/// again; [`BundleError::HalfWay`] when the store refused to put back what had been written.
pub async fn apply_import(
    journal: &impl Journal,
    bundle: &Bundle,
    choices: &BTreeMap<ContextId, Choice>,
    at: Timestamp,
    ids: &impl Ids,
) -> Result<ImportReport, BundleError> {
    let known = |name: &ContextId| bundle.contexts.iter().any(|bundled| bundled.context == *name);
    if let Some(strange) = choices.keys().find(|name| !known(name)) {
        return Err(choice(strange, "it is not in the bundle; look at the preview again"));
    }
    let (mut report, mut writes, mut taken) = (Vec::new(), Vec::new(), BTreeSet::new());
    for bundled in &bundle.contexts {
        let chosen = choices.get(&bundled.context).unwrap_or(&Choice::Skip);
        let (done, write) = decided(journal, bundled, chosen, at, ids).await?;
        if let Some(write) = write {
            if !taken.insert(done.into.clone()) {
                return Err(choice(
                    &bundled.context,
                    "another one is imported under that name; give it a name of its own",
                ));
            }
            writes.push((done.into.clone(), write));
        }
        report.push(done);
    }
    store(journal, &writes).await?;
    Ok(ImportReport { contexts: report })
}

fn choice(context: &ContextId, problem: &str) -> BundleError {
    BundleError::Choice { context: context.to_string(), problem: problem.to_owned() }
}

async fn store(journal: &impl Journal, writes: &[(ContextId, Write)]) -> Result<(), BundleError> {
    for (n, (context, write)) in writes.iter().enumerate() {
        let Err(error) = journal.replace(context, seq(&write.before), &write.after).await else { continue };
        let mut kept = Vec::new();
        // A store may fail after it has written: what it reports as failed is then put back as well.
        let head = journal.head(context).await.ok().flatten().map(|head| head.head);
        let was_written = head.is_some() && head == head_of(&write.after) && head != head_of(&write.before);
        for (context, write) in writes[..n + usize::from(was_written)].iter().rev() {
            let back = match write.before.commits.is_empty() && write.before.uses.is_empty() {
                true => journal.erase(context).await,
                false => journal.replace(context, seq(&write.after), &write.before).await,
            };
            if back.is_err() {
                kept.push(context.clone());
            }
        }
        return Err(match kept.is_empty() {
            true => error.into(),
            false => BundleError::HalfWay { stopped: context.clone(), reason: error, kept },
        });
    }
    Ok(())
}

fn head_of(contents: &Contents) -> Option<CommitId> {
    contents.commits.last().map(|commit| commit.id)
}

fn seq(contents: &Contents) -> u64 {
    contents.commits.last().map_or(0, |commit| commit.seq)
}

/// What is to be done with one memory, put together and checked.
async fn decided(
    journal: &impl Journal,
    bundled: &BundledContext,
    chosen: &Choice,
    at: Timestamp,
    ids: &impl Ids,
) -> Result<(ImportedContext, Option<Write>), BundleError> {
    let theirs = &bundled.contents;
    let done = |into: &ContextId, outcome, uses, vectors, notes| ImportedContext {
        context: bundled.context.clone(),
        into: into.clone(),
        outcome,
        uses,
        vectors,
        notes,
    };
    let into = match chosen {
        Choice::Skip => return Ok((done(&bundled.context, ImportOutcome::Skipped, 0, 0, vec![]), None)),
        Choice::Create { name } => name,
        Choice::Replace | Choice::BringBack | Choice::Merge => &bundled.context,
    };
    let before = contents(journal, into).await?;
    let is_new = before.commits.is_empty();
    if matches!(chosen, Choice::Create { .. }) && !is_new {
        let problem = format!("there is a memory “{into}” already; choose another name, or merge or replace");
        return Err(choice(&bundled.context, &problem));
    }
    if is_new || matches!(chosen, Choice::Replace | Choice::BringBack) {
        let (mut after, mut notes) = (renamed(theirs, into), Vec::new());
        if *chosen == Choice::Replace && !is_new {
            let ours = Log::replay(before.commits.clone())?;
            let (records, erasures) = without_erased(&ours, &mut after, into, at, ids).await?;
            if erasures > 0 {
                notes.push(format!(
                    "what was forgotten for ever here stayed forgotten: {records} {} of the bundle, by {erasures} {}",
                    if records == 1 { "record" } else { "records" },
                    if erasures == 1 { "erasure" } else { "erasures" },
                ));
            }
        }
        let (commits, uses, vectors) = (after.commits.len(), after.uses.len(), count(&after));
        let outcome = match is_new {
            true => ImportOutcome::Created { commits },
            false => ImportOutcome::Replaced { commits, before: before.commits.len() },
        };
        return Ok((done(into, outcome, uses, vectors, notes), Some(Write { before, after })));
    }
    if !journal.inspect(into).await?.is_empty() {
        return Err(choice(
            into,
            "some of its stored rows cannot be read; repair it first, or replace it by the bundle",
        ));
    }
    let (mut after, mut notes) = (before.clone(), Vec::new());
    let standing = Standing::of(&before.commits, &theirs.commits);
    let common = match standing {
        Standing::Diverged { common } => common,
        _ => before.commits.len().min(theirs.commits.len()) as u64,
    };
    let (since_here, since_there) = (&before.commits[common as usize..], &theirs.commits[common as usize..]);
    // What was erased on one side must not come back from what stands beside the log of the other.
    let (erased_here, erased_there) = (rewrites(since_here), rewrites(since_there));
    let (outcome, uses, vectors) = match standing {
        Standing::Ahead { .. } => {
            after.commits.clone_from(&theirs.commits);
            if erased_there {
                notes.push(
                    "something was erased there for ever, so use records and vectors are the bundle's alone"
                        .into(),
                );
                (after.uses, after.vectors) = (theirs.uses.clone(), theirs.vectors.clone());
            }
            let (uses, vectors) = join(&mut after, theirs, |_| true, |_| true);
            (ImportOutcome::Appended { commits: since_there.len() }, uses, vectors)
        }
        Standing::Diverged { .. } => {
            let mut ours = Log::replay(before.commits.clone())?;
            let planned =
                merge(&ours, &Log::replay(theirs.commits.clone())?, common, bundled.context.as_str(), at);
            let made = planned.scope.to_commit(ours.state(), into, CommitId::new(ids.next()), at);
            let commit = made.as_ref().map(|made| made.id);
            if let Some(made) = made {
                check(&mut ours, &made, into)?;
                after.commits.push(made);
            }
            let of_both = |record: &UseRecord| !erased_here && record.seq <= common;
            let (uses, vectors) = join(&mut after, theirs, of_both, |text| planned.texts.contains(text));
            let later = theirs.uses.iter().filter(|record| record.seq > common).count();
            if later > 0 {
                notes.push(format!(
                    "{later} use records stay behind: they point at commits that only the bundle has"
                ));
            }
            (ImportOutcome::Merged { commit, report: Box::new(planned.report) }, uses, vectors)
        }
        Standing::New | Standing::Same | Standing::Behind { .. } => {
            let (uses, vectors) = join(&mut after, theirs, |_| !erased_here, |_| !erased_here);
            (ImportOutcome::Unchanged, uses, vectors)
        }
    };
    let is_news = uses + vectors > 0 || after.commits.len() > before.commits.len();
    let write = is_news.then_some(Write { before, after });
    Ok((done(into, outcome, uses, vectors, notes), write))
}

fn rewrites(commits: &[Commit]) -> bool {
    commits.iter().any(|commit| commit.cause.rewrites())
}

fn count(contents: &Contents) -> usize {
    contents.vectors.values().map(Vec::len).sum()
}

/// The same contents under another name.
fn renamed(contents: &Contents, name: &ContextId) -> Contents {
    let mut renamed = contents.clone();
    renamed.commits.iter_mut().for_each(|commit| commit.context = name.clone());
    renamed.uses.iter_mut().for_each(|record| record.context = name.clone());
    renamed
}

/// Whether a merged commit can stand: it follows the log, and every statement in it can be.
fn check(log: &mut Log, made: &Commit, context: &ContextId) -> Result<(), BundleError> {
    for revision in &made.revisions {
        if let Some(Record::Proposition(proposition)) = &revision.value {
            proposition.validate().map_err(|problem| BundleError::Invalid {
                place: format!("{} of “{context}”", revision.record),
                problem: format!("{problem}; it was not merged"),
            })?;
        }
    }
    log.push(made.clone())?;
    Ok(())
}

/// Adds use records and vectors that are not here; how many of each.
fn join(
    here: &mut Contents,
    theirs: &Contents,
    takes_use: impl Fn(&UseRecord) -> bool,
    takes_vector: impl Fn(&ContentId) -> bool,
) -> (usize, usize) {
    let known: BTreeSet<_> = here.uses.iter().map(|record| record.id).collect();
    let uses: Vec<UseRecord> = theirs
        .uses
        .iter()
        .filter(|record| !known.contains(&record.id) && takes_use(record))
        .cloned()
        .collect();
    let mut vectors = 0;
    for (space, others) in &theirs.vectors {
        let kept = here.vectors.entry(space.clone()).or_default();
        let known: BTreeSet<ContentId> = kept.iter().map(|vector| vector.text.clone()).collect();
        let fresh =
            others.iter().filter(|vector| !known.contains(&vector.text) && takes_vector(&vector.text));
        let before = kept.len();
        kept.extend(fresh.cloned());
        vectors += kept.len() - before;
    }
    let count = uses.len();
    here.uses.extend(uses);
    super::in_order(here);
    (count, vectors)
}

//! What an import would do, as data: how each memory of a bundle stands to the one of the same name in the store, and what can be
//! chosen. Nothing is written here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::erased::stay_and_return;
use super::merge::{Merge, MergeReport, merge};
use super::{Bundle, BundleError, BundledContext, contents};
use crate::history::{Commit, Contents, Journal, Log};
use crate::id::ContextId;

/// How a memory of a bundle stands to the one of the same name in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Standing {
    /// There is none of this name here.
    New,
    /// Both have the same commits.
    Same,
    /// The bundle goes on from what is here.
    Ahead {
        /// Commits that are not here.
        commits: u64,
    },
    /// What is here goes on from the bundle.
    Behind {
        /// Commits that the bundle lacks.
        commits: u64,
    },
    /// Both went on, or never had anything in common.
    Diverged {
        /// The last commit that both have; 0: none.
        common: u64,
    },
}

impl Standing {
    pub(super) fn of(ours: &[Commit], theirs: &[Commit]) -> Self {
        let pairs = ours.iter().zip(theirs);
        let common = pairs.take_while(|(ours, theirs)| ours.id == theirs.id).count();
        let (more_here, more_there) = ((ours.len() - common) as u64, (theirs.len() - common) as u64);
        match (more_here, more_there) {
            _ if ours.is_empty() => Self::New,
            (0, 0) => Self::Same,
            (0, commits) => Self::Ahead { commits },
            (commits, 0) => Self::Behind { commits },
            _ => Self::Diverged { common: common as u64 },
        }
    }
}

/// What is to be done with a memory of a bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Choice {
    /// It becomes a memory of its own, under a name that no other has.
    Create {
        /// Its name here.
        name: ContextId,
    },
    /// It takes the place of the memory of its name, without what was erased here for ever since it was made.
    Replace,
    /// It takes the place of the memory of its name, whole: what was erased here for ever comes back as well.
    BringBack,
    /// What the memory of its name lacks is added; where there is none, it becomes one.
    Merge,
    /// Nothing of it is imported.
    Skip,
}

/// How much a memory holds at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Tally {
    /// Commits.
    pub commits: usize,
    /// Statements, whatever their status.
    pub statements: usize,
    /// Statements that are believed.
    pub live: usize,
    /// Entities.
    pub entities: usize,
    /// Conversations and documents.
    pub conversations: usize,
    /// Turns and passages.
    pub turns: usize,
    /// Use records.
    pub uses: usize,
    /// Vectors, of every space.
    pub vectors: usize,
}

impl Tally {
    fn of(log: &Log, contents: &Contents) -> Self {
        let state = log.state();
        Self {
            commits: log.commits().len(),
            statements: state.propositions().count(),
            live: state.propositions().filter(|p| p.status.is_live()).count(),
            entities: state.present_entities().count(),
            conversations: state.conversations().count(),
            turns: state.all_turns().count(),
            uses: contents.uses.len(),
            vectors: contents.vectors.values().map(Vec::len).sum(),
        }
    }
}

/// One memory of a bundle, and what importing it would mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedContext {
    /// Its name in the bundle.
    pub context: ContextId,
    /// How it stands to what is here.
    pub standing: Standing,
    /// What it holds.
    pub inside: Tally,
    /// What the memory of its name holds here; `None`: there is none.
    pub here: Option<Tally>,
    /// What merging would do; only where both went on.
    pub merge: Option<MergeReport>,
    /// Records of it that were erased here for ever: they stay gone unless [`Choice::BringBack`] is chosen.
    pub stays_erased: usize,
    /// What loses nothing: to create what is new, to merge everything else.
    pub suggested: Choice,
    /// Worth knowing before a choice is made, in words for a person.
    pub notes: Vec<String>,
}

/// What an import would do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ImportPlan {
    /// The release that made the bundle.
    pub made_with: String,
    /// When it was made.
    pub exported_at: crate::time::Timestamp,
    /// Its memories.
    pub contexts: Vec<PlannedContext>,
}

impl ImportPlan {
    /// The suggested choice for every memory.
    pub fn suggested(&self) -> BTreeMap<ContextId, Choice> {
        self.contexts.iter().map(|planned| (planned.context.clone(), planned.suggested.clone())).collect()
    }
}

/// What importing a bundle would do to a journal. Costs a read of every memory of the same name. Nothing is written.
///
/// # Errors
/// As the journal; [`BundleError::Invalid`] when a stored log cannot be opened.
pub async fn preview_import(journal: &impl Journal, bundle: &Bundle) -> Result<ImportPlan, BundleError> {
    let mut contexts = Vec::with_capacity(bundle.contexts.len());
    for bundled in &bundle.contexts {
        contexts.push(planned(journal, bundled).await?);
    }
    Ok(ImportPlan { made_with: bundle.made_with.clone(), exported_at: bundle.exported_at, contexts })
}

async fn planned(journal: &impl Journal, bundled: &BundledContext) -> Result<PlannedContext, BundleError> {
    let here = contents(journal, &bundled.context).await?;
    let standing = Standing::of(&here.commits, &bundled.contents.commits);
    let theirs = Log::replay(bundled.contents.commits.clone())?;
    let inside = Tally::of(&theirs, &bundled.contents);
    let mut notes: Vec<String> = Vec::new();
    if standing == Standing::New {
        let suggested = Choice::Create { name: bundled.context.clone() };
        let context = bundled.context.clone();
        let (here, merge, stays_erased) = (None, None, 0);
        return Ok(PlannedContext { context, standing, inside, here, merge, stays_erased, suggested, notes });
    }
    let ours = Log::replay(here.commits.clone())?;
    let tally = Tally::of(&ours, &here);
    let merged = match standing {
        Standing::Diverged { common } => {
            let Merge { report, .. } =
                merge(&ours, &theirs, common, bundled.context.as_str(), changed_at(&theirs));
            Some(report)
        }
        _ => None,
    };
    let (stays_erased, back) = stay_and_return(&ours, &theirs);
    let records = |n: usize| if n == 1 { "1 record".to_owned() } else { format!("{n} records") };
    if stays_erased > 0 {
        notes.push(format!(
            "{} of it {} forgotten for ever here and stay{} forgotten, unless you choose to bring that back",
            records(stays_erased),
            if stays_erased == 1 { "was" } else { "were" },
            if stays_erased == 1 { "s" } else { "" },
        ));
    }
    if back > 0 {
        notes.push(format!(
            "replacing brings back {} whose erasure was lifted here, so that {} may be known again",
            records(back),
            if back == 1 { "it" } else { "they" },
        ));
    }
    let lost = match standing {
        Standing::Behind { commits } => commits,
        Standing::Diverged { common } => here.commits.len() as u64 - common,
        _ => 0,
    };
    if lost > 0 {
        notes.push(format!("replacing loses what only this memory has: {lost} of its commits"));
    }
    Ok(PlannedContext {
        context: bundled.context.clone(),
        standing,
        inside,
        here: Some(tally),
        merge: merged,
        stays_erased,
        suggested: Choice::Merge,
        notes,
    })
}

/// When a log last changed.
fn changed_at(log: &Log) -> crate::time::Timestamp {
    log.state().head().map_or_else(Default::default, |head| head.at)
}

//! Compacting history by a policy: what would go, and making it go, in one rewrite with the commit that says so.
//!
//! Nothing runs by itself unless `history.keep` says so; then it runs when a memory is opened and when it is looked after, and only where
//! a tenth of what is kept would go, because a rewrite reads the whole log anew. (history 8)

use serde::{Deserialize, Serialize};

use super::{Memory, Rewriting};
use crate::error::Error;
use crate::history::{Actor, Cause, Keep, Scope, ScopeInfo, compacted};
use crate::id::CommitId;
use crate::ports::Ports;

/// Share of the kept revisions that must be there to go before compacting starts by itself: one in this many. Chosen by us.
const WORTH: u64 = 10;

/// What a compaction took, or would take.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct HistoryCompaction {
    /// The commit that says so; `None` for a preview, and where nothing was to go.
    pub commit: Option<CommitId>,
    /// The first commit whose view is whole afterwards; 0 where every one is.
    pub horizon: u64,
    /// Commits that lose revisions; their envelopes stay.
    pub commits: u64,
    /// Revisions that go.
    pub revisions: u64,
    /// Revisions that stay.
    pub kept: u64,
    /// Size of what goes, as stored text, in bytes.
    pub bytes: u64,
}

impl<P: Ports> Memory<P> {
    /// What [`Memory::compact_history`] would take now. Writes nothing.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a policy out of range.
    pub fn preview_compaction(&self, policy: Keep) -> Result<HistoryCompaction, Error> {
        valid(policy)?;
        Ok(self.compaction(policy).0)
    }

    /// Drops the revisions that a policy no longer keeps. No view from the horizon on changes; a question about an earlier one
    /// is refused in words from then on. Cannot be undone.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a policy out of range; those of the journal. Nothing was written then.
    pub async fn compact_history(&self, actor: Actor, policy: Keep) -> Result<HistoryCompaction, Error> {
        valid(policy)?;
        let (compaction, commit) = self
            .rewrite(|_, _| {
                let (compaction, commits) = self.compaction(policy);
                if commits.is_empty() {
                    return Ok((compaction, None));
                }
                let reason = format!(
                    "history before commit {} was compacted: {} revisions were dropped",
                    compaction.horizon, compaction.revisions
                );
                let info =
                    ScopeInfo::new(Cause::Retention, actor, reason).with_id("horizon", compaction.horizon);
                let (uses, dropped_uses, dropped_vectors) = (Vec::new(), Vec::new(), Vec::new());
                let rewriting =
                    Rewriting { scope: Scope::new(info), commits, uses, dropped_uses, dropped_vectors };
                Ok((compaction, Some(rewriting)))
            })
            .await?;
        Ok(HistoryCompaction { commit: commit.map(|commit| commit.id), ..compaction })
    }

    /// Compacts by the policy of the settings, where it is worth a rewrite.
    pub(crate) async fn keep_policy(&self) -> Result<(), Error> {
        let policy = self.with_config(|config| config.history.keep());
        if policy == Keep::All {
            return Ok(());
        }
        let (compaction, _) = self.compaction(policy);
        if compaction.revisions > 0 && compaction.revisions.saturating_mul(WORTH) >= compaction.kept {
            self.compact_history(Actor::Engine, policy).await?;
        }
        Ok(())
    }

    fn compaction(&self, policy: Keep) -> (HistoryCompaction, Vec<crate::history::Commit>) {
        let log = self.log();
        let horizon = policy.horizon(&log, self.now().at);
        let gone = compacted(&log, horizon);
        let all: u64 = log.commits().iter().map(|commit| commit.revisions.len() as u64).sum();
        let compaction = HistoryCompaction {
            commit: None,
            horizon: if gone.revisions > 0 { horizon } else { log.horizon() },
            commits: gone.commits.len() as u64,
            revisions: gone.revisions,
            kept: all - gone.revisions,
            bytes: gone.bytes,
        };
        (compaction, gone.commits)
    }
}

fn valid(policy: Keep) -> Result<(), Error> {
    policy.validate().map_err(|problem| Error::Invalid { what: "policy", problem })
}

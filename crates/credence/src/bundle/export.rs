//! Export: what a journal holds of memories, as a bundle.

use super::{Bundle, BundledContext, in_order};
use crate::error::Error;
use crate::history::{Contents, Journal, JournalError};
use crate::id::ContextId;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::time::Timestamp;

/// Reads that are begun again because somebody wrote meanwhile. Each is a read of the whole memory.
const MAX_RACES: usize = 8;

/// Everything that a journal holds of a memory, as of one head: read again when somebody commits meanwhile. An unknown memory is empty.
///
/// # Errors
/// As the journal; [`JournalError::Stale`] when writers never paused.
pub async fn contents(journal: &impl Journal, context: &ContextId) -> Result<Contents, JournalError> {
    let (mut expected, mut found) = (0, 0);
    for _ in 0..MAX_RACES {
        let before = journal.head(context).await?;
        let mut read = Contents {
            commits: journal.read(context, 0).await?,
            uses: journal.uses(context).await?,
            ..Contents::default()
        };
        for space in journal.spaces(context).await? {
            let vectors = journal.vectors(context, &space).await?;
            read.vectors.insert(space, vectors);
        }
        let after = journal.head(context).await?;
        if before == after {
            in_order(&mut read);
            return Ok(read);
        }
        (expected, found) = (before.map_or(0, |head| head.seq), after.map_or(0, |head| head.seq));
    }
    Err(JournalError::Stale { context: context.clone(), expected, found })
}

/// These memories as a bundle, by name; an empty list: every memory of the journal.
///
/// # Errors
/// As the journal.
pub async fn export(
    journal: &impl Journal,
    contexts: &[ContextId],
    at: Timestamp,
) -> Result<Bundle, JournalError> {
    let mut names = match contexts {
        [] => journal.contexts().await?.into_iter().map(|known| known.context).collect(),
        chosen => chosen.to_vec(),
    };
    names.sort();
    names.dedup();
    let mut bundled = Vec::with_capacity(names.len());
    for context in names {
        let contents = contents(journal, &context).await?;
        bundled.push(BundledContext { context, contents });
    }
    let made_with = concat!("credence ", env!("CARGO_PKG_VERSION")).to_owned();
    Ok(Bundle { made_with, exported_at: at, contexts: bundled })
}

impl<P: Ports> Memory<P> {
    /// This memory as a bundle. Costs a read of everything that is stored of it.
    ///
    /// # Errors
    /// As the journal.
    pub async fn export(&self) -> Result<Bundle, Error> {
        let names = std::slice::from_ref(self.context());
        Ok(export(self.ports().journal(), names, self.now().at).await?)
    }
}

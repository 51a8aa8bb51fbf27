//! Statements: keeping, finding, listing, looking at, correcting, and taking back.

use credence::id::PropositionId;
use credence::retrieval::Search;
use wasm_bindgen::prelude::*;

use super::{Answered, Memory, committed, decay_rule, list};
use crate::argument;
use crate::failure::Failure;
use crate::input::{Changes, CommitOptions, ListOptions, SearchOptions};
use crate::views::{self, to_js};

#[wasm_bindgen]
impl Memory {
    /// Keeps a statement.
    #[wasm_bindgen(unchecked_return_type = "Remembered")]
    pub async fn remember(&self, text: JsValue) -> Answered {
        let text = argument::text("text", &text)?;
        let core = self.current().await?;
        let remembered = core.remember(&text).await.map_err(Failure::from)?;
        let ids: std::collections::BTreeSet<_> =
            remembered.outcomes.iter().map(|outcome| outcome.proposition).collect();
        let propositions = ids.into_iter().filter_map(|id| core.proposition(id).ok());
        Ok(to_js(&views::Remembered {
            propositions: propositions.map(|detail| detail.view.into()).collect(),
            outcomes: remembered.outcomes.iter().map(Into::into).collect(),
            dropped: remembered.dropped.iter().map(Into::into).collect(),
        })?)
    }

    /// Looks facts up. `options` is a `SearchOptions`.
    #[wasm_bindgen(unchecked_return_type = "SearchResult")]
    pub async fn search(&self, query: JsValue, options: JsValue) -> Answered {
        let query = argument::text("query", &query)?;
        let options: SearchOptions = argument::read("options", &options)?;
        let mut search = Search::new(query);
        search.limit = options.limit.map_or(search.limit, |limit| limit as usize);
        search.include_pinned = options.include_pinned.unwrap_or_default();
        search.step = options.step.unwrap_or_default();
        let recall = self.current().await?.search(&search).await.map_err(Failure::from)?;
        Ok(to_js(&views::SearchResult::from(recall))?)
    }

    /// Lists propositions. `options` is a `ListOptions`.
    #[wasm_bindgen(unchecked_return_type = "Proposition[]")]
    pub async fn propositions(&self, options: JsValue) -> Answered {
        let options: ListOptions = argument::read("options", &options)?;
        let core = self.current().await?;
        list(core.propositions(&options.query()).into_iter().map(views::Proposition::from))
    }

    /// Everything about one proposition.
    #[wasm_bindgen(unchecked_return_type = "PropositionDetail")]
    pub async fn proposition(&self, id: JsValue) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        let core = self.current().await?;
        let detail = core.proposition(id).map_err(Failure::from)?;
        Ok(to_js(&views::PropositionDetail::new(detail, decay_rule(&core)))?)
    }

    /// The life of a proposition, newest first.
    #[wasm_bindgen(unchecked_return_type = "Revision[]")]
    pub async fn history(&self, id: JsValue) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        let core = self.current().await?;
        let revisions = core.history(id);
        if revisions.is_empty() {
            return Err(Failure::from(credence::Error::NotFound { record: id.to_string() }).into());
        }
        let rule = decay_rule(&core);
        list(revisions.into_iter().map(|revision| views::Revision::new(revision, rule)))
    }

    /// Commits, oldest first. `options` is a `CommitOptions`.
    #[wasm_bindgen(unchecked_return_type = "Commit[]")]
    pub async fn commits(&self, options: JsValue) -> Answered {
        let options: CommitOptions = argument::read("options", &options)?;
        let core = self.current().await?;
        let log = core.log();
        let after = u64::from(options.after.unwrap_or_default());
        let commits: Vec<_> = log.commits().iter().filter(|commit| commit.seq > after).collect();
        let skipped = options.limit.map_or(0, |limit| commits.len().saturating_sub(limit as usize));
        list(commits.into_iter().skip(skipped).map(|commit| views::Commit::from(&**commit)))
    }

    /// A person's edit. `changes` is a `Changes`.
    #[wasm_bindgen(unchecked_return_type = "Commit | null")]
    pub async fn edit(&self, id: JsValue, changes: JsValue) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        let changes: Changes = argument::read("changes", &changes)?;
        committed(self.current().await?.edit(id, &changes.into()).await)
    }

    /// Pins or unpins.
    #[wasm_bindgen(unchecked_return_type = "Commit | null")]
    pub async fn pin(&self, id: JsValue, pinned: bool) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        committed(self.current().await?.pin(id, pinned).await)
    }

    /// Takes a statement out of the memory.
    #[wasm_bindgen(unchecked_return_type = "Commit | null")]
    pub async fn forget(&self, id: JsValue) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        committed(self.current().await?.forget(id).await)
    }
}

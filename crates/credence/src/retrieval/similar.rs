//! Similarity: how near statements lie to a text and to one another, by their vectors alone (dice 2.3).
//!
//! For maintenance, deduplication and hosts, which look at scores themselves; what a model is to be told goes through
//! [`Memory::search`]. A query's filters come before the scores are made, so that a limit is never used up by what the
//! caller does not want. Only live statements have vectors: one that was retired is near to nothing. Without a vector
//! model everything here is empty, and that is no error; a model that fails is one.

use crate::embedding::Embedder;
use crate::error::Error;
use crate::id::PropositionId;
use crate::memory::{Memory, PropositionView, Slices};
use crate::ports::Ports;
use crate::proposition::PropositionQuery;

/// How near, and how many.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Similarity {
    /// Lowest cosine, -1 to 1. Default 0.7 (dice 2.2).
    pub threshold: f64,
    /// Most results; for clusters, most peers of one. Default 10 (dice 2.2).
    pub top_k: usize,
}

impl Default for Similarity {
    fn default() -> Self {
        Self { threshold: 0.7, top_k: 10 }
    }
}

impl Similarity {
    fn check(&self) -> Result<f32, Error> {
        if (-1.0..=1.0).contains(&self.threshold) {
            Ok(self.threshold as f32)
        } else {
            let problem = format!("a cosine is -1 to 1, got {}", self.threshold);
            Err(Error::Invalid { what: "threshold", problem })
        }
    }
}

/// A statement and how near it lies.
#[derive(Debug, Clone, PartialEq)]
pub struct Similar {
    /// The statement.
    pub view: PropositionView,
    /// The cosine, -1 to 1.
    pub score: f64,
}

/// Statements that lie together.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// The oldest of them: the one with the smallest id.
    pub anchor: PropositionId,
    /// The others with their cosines to the anchor, nearest first; never empty.
    pub peers: Vec<(PropositionId, f64)>,
}

impl<P: Ports> Memory<P> {
    /// Whether there is a vector model and it is the wanted one (`memory.embedding_service_name`); without one nothing is similar to
    /// anything.
    pub fn supports_vectors(&self) -> bool {
        let embedder = self.ports().embedder();
        embedder.dimension() > 0 && self.with_config(|config| config.memory.wants_space(&embedder.space()))
    }

    /// The live statements that pass `query` and lie nearest to a text, nearest first, ties in order of creation. The
    /// query's order and limit take no part. A text that the model knows nothing of is near to nothing.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a threshold that is no cosine; the vector model's and the store's failures.
    pub async fn similar(
        &self,
        text: &str,
        similarity: Similarity,
        query: &PropositionQuery,
    ) -> Result<Vec<Similar>, Error> {
        let threshold = similarity.check()?;
        if !self.supports_vectors() {
            return Ok(Vec::new());
        }
        self.embed_pending().await?;
        let vector = self.embed(&[text.to_owned()]).await?.pop().unwrap_or_default();
        let now = self.now().at;
        let query = self.with_settings(query);
        let near = {
            let state = self.state();
            let wanted = |id| state.proposition(id).is_some_and(|p| query.matches_in(&state, p, now));
            self.recaller().borrow().index().nearest(&vector, similarity.top_k, wanted)
        };
        Ok(near
            .into_iter()
            .take_while(|(_, cosine)| *cosine >= threshold)
            .filter_map(|(id, cosine)| {
                let view = self.present_view(id, query.instant(now))?;
                Some(Similar { view, score: f64::from(cosine) })
            })
            .collect())
    }

    /// The live statements that pass `query` and lie together, the largest cluster first. Each statement anchors at most one
    /// cluster, of statements younger than itself; a peer can anchor another. Cost: quadratic in the statements that pass.
    ///
    /// # Errors
    /// As [`Memory::similar`].
    pub async fn clusters(
        &self,
        similarity: Similarity,
        query: &PropositionQuery,
    ) -> Result<Vec<Cluster>, Error> {
        self.clusters_in(similarity, query, &mut self.slices(None)).await
    }

    /// [`Memory::clusters`] as a part of longer work.
    pub(crate) async fn clusters_in(
        &self,
        similarity: Similarity,
        query: &PropositionQuery,
        slices: &mut Slices<'_, P::Clock>,
    ) -> Result<Vec<Cluster>, Error> {
        let threshold = similarity.check()?;
        if !self.supports_vectors() {
            return Ok(Vec::new());
        }
        self.embed_pending().await?;
        slices.rest().await?;
        let query = self.with_settings(query);
        let mut clustering = {
            let (state, now) = (self.state(), self.now().at);
            let wanted = state.propositions().filter(|p| query.matches_in(&state, p, now)).map(|p| p.id);
            self.recaller().borrow().index().clustering(wanted, threshold, similarity.top_k)
        };
        slices.rest().await?;
        while clustering.step() {
            slices.rest().await?;
        }
        let found = clustering.finish();
        let wide = |(id, cosine): (PropositionId, f32)| (id, f64::from(cosine));
        let named = found
            .into_iter()
            .map(|(anchor, peers)| Cluster { anchor, peers: peers.into_iter().map(wide).collect() });
        Ok(named.collect())
    }

    /// Embeds the text of every live statement anew, also those whose vectors the journal keeps; returns how many
    /// statements have one now. For a model that was replaced under the same name; one with another space is noticed by itself.
    ///
    /// # Errors
    /// The vector model's and the store's failures; what could not be embedded is tried again by the next search.
    pub async fn reembed_all(&self) -> Result<usize, Error> {
        if !self.supports_vectors() {
            return Ok(0);
        }
        {
            let _one_at_a_time = self.embedding_lock().lock().await;
            self.recaller().borrow_mut().change_space(&self.ports().embedder().space());
            // The kept vectors are the ones not to be used.
            self.vectors_loaded().set(true);
        }
        self.embed_pending().await?;
        Ok(self.recaller().borrow().index().vectors())
    }
}

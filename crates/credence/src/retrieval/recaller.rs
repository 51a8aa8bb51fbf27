//! The recaller: the search index over live propositions, kept in step with the log, and the vectors of their texts.
//!
//! The index is derived: it is rebuilt from the state when a memory opens and follows each commit, so it cannot disagree with
//! the store. A text is embedded once, whenever a search first needs it; vectors of a costly model are kept in the journal.

use std::collections::{BTreeMap, BTreeSet};

use super::index::vector::dot;
use super::index::{Background, Gate, SearchIndex};
use crate::embedding::Embedder;
use crate::error::Error;
use crate::history::{Commit, ContentId, Journal, Record, RecordId, StoredVector};
use crate::id::PropositionId;
use crate::llm::ModelError;
use crate::memory::{Memory, Slices};
use crate::ports::Ports;
use crate::proposition::Proposition;
use crate::revision::Wordings;

/// Texts of one embedding call.
const EMBED_BATCH: usize = 256;

/// How the spaces begin that the thresholds of the gate were measured in.
const OWN_SPACE: &str = "credence-en-";

/// Statements of unrelated matter, by which another model's scale is learned.
const STRANGERS: [&str; 24] = [
    "The ferry to the island leaves at dawn.",
    "My grandfather repaired clocks.",
    "Parliament voted on the water law.",
    "She paints with oil on linen.",
    "The printer is out of paper.",
    "Wolves have returned to these mountains.",
    "He owes his landlord two months of rent.",
    "Our goalkeeper broke a finger.",
    "Yeast makes the dough rise.",
    "The comet was visible in March.",
    "A lawyer read the will aloud.",
    "They planted barley behind the barn.",
    "Interest rates fell again.",
    "The choir rehearses in the old chapel.",
    "I forgot the password of the router.",
    "Vaccines are kept cold.",
    "Traffic stood still on the bridge.",
    "Her thesis is about medieval coins.",
    "Children were flying kites.",
    "The dentist recommends a softer brush.",
    "A submarine surfaced near the harbour.",
    "Winter tyres are required by law.",
    "The novel ends with a trial.",
    "Bees avoid that meadow.",
];

/// What lies near to a statement.
#[derive(Debug, Clone, Default)]
pub(crate) struct Near {
    /// By words or vector, nearest first: what rules look at.
    pub(crate) all: Vec<PropositionId>,
    /// Those near enough to ask a model about, each with its nearness: the larger of the share of words covered and the cosine.
    pub(crate) relevant: Vec<(PropositionId, f64)>,
    /// Those of the same canonical form, whatever their status.
    pub(crate) same: Vec<PropositionId>,
}

/// One found fact.
pub(crate) struct Found {
    pub(crate) id: PropositionId,
    pub(crate) score: f64,
    pub(crate) why: String,
}

/// How near a statement is to a query.
pub(crate) struct Standing {
    pub(crate) id: PropositionId,
    /// 0 to 1.
    pub(crate) nearness: f64,
    /// Whether it passes the relevance gate.
    pub(crate) is_related: bool,
    pub(crate) why: String,
}

/// What a search found and what its gate kept out.
pub(crate) struct FoundAll {
    pub(crate) hits: Vec<Found>,
    /// What has nothing to do with the query.
    pub(crate) gated: Vec<PropositionId>,
}

/// A dot product is a cosine between vectors of unit length alone. One that has it keeps its bits.
fn to_unit_length(vector: &mut [f32]) {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 && length.is_finite() && (length - 1.0).abs() > 1e-4 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

/// The index and its vectors.
#[derive(Default)]
pub(crate) struct Recaller {
    index: SearchIndex<PropositionId>,
    texts: BTreeMap<PropositionId, (ContentId, String)>,
    vectors: BTreeMap<ContentId, Vec<f32>>,
    unembedded: BTreeSet<PropositionId>,
    /// The space of the vectors; those of another are never compared.
    space: String,
    /// What that space has for strangers, once it is known.
    background: Option<Background>,
    /// Canonical forms, once somebody has asked for them.
    wordings: Option<Wordings>,
    /// Statements whose form is still to be taken.
    unread: Vec<PropositionId>,
}

impl Recaller {
    /// Takes in a statement of a memory that is being opened.
    pub(crate) fn add(&mut self, proposition: &Proposition) {
        self.update(proposition.id, Some(proposition));
    }

    pub(crate) fn apply(&mut self, commit: &Commit) {
        for revision in &commit.revisions {
            if let RecordId::Proposition(id) = revision.record {
                let proposition = match &revision.value {
                    Some(Record::Proposition(proposition)) => Some(proposition),
                    _ => None,
                };
                self.update(id, proposition);
            }
        }
    }

    fn update(&mut self, id: PropositionId, proposition: Option<&Proposition>) {
        if let Some(wordings) = &mut self.wordings {
            wordings.update(id, proposition);
        }
        match proposition.filter(|p| p.status.is_live()) {
            None => {
                self.index.remove(&id);
                self.texts.remove(&id);
                self.unembedded.remove(&id);
            }
            Some(proposition) => {
                if self.texts.get(&id).is_some_and(|(_, text)| *text == proposition.text) {
                    return;
                }
                let content = ContentId::of_text(&proposition.text);
                let vector = self.vectors.get(&content).map(Vec::as_slice);
                self.index.insert(id, &proposition.text, vector);
                match vector {
                    Some(_) => self.unembedded.remove(&id),
                    None => self.unembedded.insert(id),
                };
                self.texts.insert(id, (content, proposition.text.clone()));
            }
        }
    }

    /// The relevance gate on the scale of the vectors' model.
    fn gate(&self, with_vector: bool) -> Gate {
        let gate = self.index.gate(with_vector);
        self.background.map_or(gate, |background| gate.on(background))
    }

    /// Facts for a query, best first, behind the relevance gate.
    pub(crate) fn find(&self, query: &str, vector: Option<&[f32]>, top: usize) -> FoundAll {
        let gate = self.gate(vector.is_some());
        let mut found = FoundAll { hits: Vec::new(), gated: Vec::new() };
        for hit in self.index.search(query, vector, top, |_| true) {
            if gate.admits(&hit.relevance) {
                found.hits.push(Found { id: hit.key, score: hit.score, why: hit.relevance.explain() });
            } else {
                found.gated.push(hit.key);
            }
        }
        found
    }

    /// How near each of these statements is to a query; those without a word or a direction in common with it are absent.
    pub(crate) fn standings(
        &self,
        query: &str,
        vector: Option<&[f32]>,
        ids: &BTreeSet<PropositionId>,
    ) -> Vec<Standing> {
        let gate = self.gate(vector.is_some());
        let hits = self.index.search(query, vector, ids.len(), |id| ids.contains(&id));
        hits.into_iter()
            .map(|hit| Standing {
                id: hit.key,
                nearness: gate.nearness(&hit.relevance),
                is_related: gate.admits(&hit.relevance),
                why: hit.relevance.explain(),
            })
            .collect()
    }

    fn near(&self, text: &str, vector: Option<&[f32]>, top: usize, threshold: f64) -> Near {
        let gate = self.gate(vector.is_some()).scaled(threshold / 0.5);
        // Opposites can share few words and little direction: rules look further than the model is asked.
        let hits = self.index.search(text, vector, (top * 4).max(20), |_| true);
        Near {
            relevant: hits
                .iter()
                .filter(|hit| gate.admits(&hit.relevance))
                .take(top)
                .map(|hit| (hit.key, gate.nearness(&hit.relevance)))
                .collect(),
            same: self.wordings.iter().flat_map(|wordings| wordings.same(text)).collect(),
            all: hits.into_iter().map(|hit| hit.key).collect(),
        }
    }

    /// The index itself, for what looks at directions alone.
    pub(super) fn index(&self) -> &SearchIndex<PropositionId> {
        &self.index
    }

    /// Another vector model is in force: every text is to be embedded again.
    pub(super) fn change_space(&mut self, space: &str) {
        self.space = space.to_owned();
        self.background = None;
        self.vectors.clear();
        for id in self.texts.keys() {
            self.index.remove_vector(id);
            self.unembedded.insert(*id);
        }
    }

    fn to_embed(&self, limit: usize) -> Vec<(PropositionId, ContentId, String)> {
        let batch = self.unembedded.iter().take(limit);
        batch
            .filter_map(|id| self.texts.get(id).map(|(content, text)| (*id, content.clone(), text.clone())))
            .collect()
    }

    fn embedded(&mut self, id: PropositionId, content: ContentId, vector: Vec<f32>) {
        // The statement may have changed while its text was being embedded.
        if self.texts.get(&id).is_some_and(|(current, _)| *current == content) {
            self.index.set_vector(&id, &vector);
            self.unembedded.remove(&id);
        }
        self.vectors.insert(content, vector);
    }
}

impl<P: Ports> Memory<P> {
    /// Embeds what is not embedded yet. Without a vector model that is nothing.
    pub(super) async fn embed_pending(&self) -> Result<(), Error> {
        let embedder = self.ports().embedder();
        if !self.supports_vectors() {
            return Ok(());
        }
        let _one_at_a_time = self.embedding_lock().lock().await;
        let space = embedder.space();
        if self.recaller().borrow().space != space {
            self.recaller().borrow_mut().change_space(&space);
            self.vectors_loaded().set(false);
        }
        if !embedder.is_cheap() && !self.vectors_loaded().replace(true) {
            let kept = self.ports().journal().vectors(self.context(), &space).await?;
            let mut recaller = self.recaller().borrow_mut();
            let mut holders: BTreeMap<ContentId, Vec<PropositionId>> = BTreeMap::new();
            for (id, (content, _)) in &recaller.texts {
                holders.entry(content.clone()).or_default().push(*id);
            }
            // What another model of that name left has another length: it compares with nothing, and is computed again.
            let fits = |kept: &StoredVector| {
                kept.vector.len() == embedder.dimension() && kept.vector.iter().all(|part| part.is_finite())
            };
            for StoredVector { text, vector } in kept.into_iter().filter(fits) {
                for id in holders.get(&text).into_iter().flatten() {
                    recaller.embedded(*id, text.clone(), vector.clone());
                }
            }
        }
        let mut slices = self.slices(None);
        loop {
            slices.rest().await?;
            let (seq, batch) = (self.state().seq(), self.recaller().borrow().to_embed(EMBED_BATCH));
            if batch.is_empty() {
                return Ok(());
            }
            let texts: Vec<String> = batch.iter().map(|(_, _, text)| text.clone()).collect();
            let vectors = self.embed(&texts).await?;
            let mut kept = Vec::new();
            {
                let mut recaller = self.recaller().borrow_mut();
                for ((id, content, _), vector) in batch.into_iter().zip(vectors) {
                    if !embedder.is_cheap() {
                        kept.push(StoredVector { text: content.clone(), vector: vector.clone() });
                    }
                    recaller.embedded(id, content, vector);
                }
            }
            if !kept.is_empty() {
                self.ports().journal().save_vectors(self.context(), &space, &kept).await?;
                self.settle_vectors(seq, kept.into_iter().map(|vector| vector.text).collect()).await?;
            }
        }
    }

    /// The vectors of these texts, in order, each of unit length or all zero, whatever the model sent.
    pub(super) async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let mut vectors = self.ports().embedder().embed(texts).await?;
        if vectors.len() != texts.len() {
            let detail = format!("the vector model answered {} of {} texts", vectors.len(), texts.len());
            return Err(ModelError::Malformed { detail }.into());
        }
        let dimension = self.ports().embedder().dimension();
        if let Some(other) = vectors.iter().find(|vector| vector.len() != dimension) {
            let detail = format!(
                "the vector model gave {} numbers for a text instead of {dimension}: it is another model than before",
                other.len()
            );
            return Err(ModelError::Malformed { detail }.into());
        }
        vectors.iter_mut().for_each(|vector| to_unit_length(vector));
        Ok(vectors)
    }

    /// The vectors of these texts; why there are none, in words, when words alone must do.
    async fn embedded_texts(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        if !self.supports_vectors() {
            return Err("no vector model is loaded".into());
        }
        self.embed_pending().await.map_err(|e| e.to_string())?;
        self.calibrate().await.map_err(|e| e.to_string())?;
        self.embed(texts).await.map_err(|e| e.to_string())
    }

    /// Learns what the model in force has for strangers, once a space: by texts of our own that have nothing to do with one another. A
    /// memory's own statements would mislead, because most of them are about one person.
    async fn calibrate(&self) -> Result<(), Error> {
        {
            let recaller = self.recaller().borrow();
            if recaller.background.is_some() || recaller.space.starts_with(OWN_SPACE) {
                return Ok(());
            }
        }
        let texts = STRANGERS.map(str::to_owned);
        let background = Background::of(&self.embed(&texts).await?);
        // Without directions of its own for them the model keeps the reference's scale.
        self.recaller().borrow_mut().background = Some(background.unwrap_or(Background::REFERENCE));
        Ok(())
    }

    /// The query's vector; `None`, with a note, when words alone must do.
    pub(crate) async fn query_vector(&self, query: &str, notes: &mut Vec<String>) -> Option<Vec<f32>> {
        self.query_vectors(&[query.to_owned()], notes).await.pop().flatten()
    }

    /// The vectors of several queries, asked for together; `None` where words alone must do, with one note for all.
    pub(crate) async fn query_vectors(
        &self,
        queries: &[String],
        notes: &mut Vec<String>,
    ) -> Vec<Option<Vec<f32>>> {
        match self.embedded_texts(queries).await {
            Ok(vectors) => {
                vectors.into_iter().map(|v| Some(v).filter(|v| v.iter().any(|x| *x != 0.0))).collect()
            }
            Err(why) => {
                notes.push(format!("searched by words alone: {why}"));
                Vec::new()
            }
        }
    }

    /// Takes the canonical form of every statement, once; commits are followed from then on.
    pub(crate) async fn learn_wordings(&self, slices: &mut Slices<'_, P::Clock>) -> Result<(), Error> {
        {
            let (state, mut recaller) = (self.state(), self.recaller().borrow_mut());
            if recaller.wordings.is_none() {
                recaller.wordings = Some(Wordings::default());
                recaller.unread = state.propositions().map(|p| p.id).collect();
            }
        }
        // Whoever comes while another is at it helps: the list is done before anybody reads the forms.
        while self.read_wording() {
            slices.rest_small().await?;
        }
        Ok(())
    }

    fn read_wording(&self) -> bool {
        let (state, mut recaller) = (self.state(), self.recaller().borrow_mut());
        let Some(id) = recaller.unread.pop() else { return false };
        // As it is now: it may have changed since the list was made.
        if let Some(wordings) = &mut recaller.wordings {
            wordings.update(id, state.proposition(id));
        }
        true
    }

    /// Whether a statement of this canonical form is kept, in whatever status. Asked after [`Memory::learn_wordings`].
    pub(crate) fn is_stored(&self, text: &str) -> bool {
        let recaller = self.recaller().borrow();
        recaller.wordings.iter().any(|wordings| wordings.same(text).next().is_some())
    }

    /// What lies near to each of these statements.
    ///
    /// # Errors
    /// Only [`Error::Cancelled`], by the cancel of `slices`.
    pub(crate) async fn neighbours(
        &self,
        texts: &[String],
        top: usize,
        threshold: f64,
        slices: &mut Slices<'_, P::Clock>,
    ) -> Result<Vec<Near>, Error> {
        let vectors = self.embedded_texts(texts).await.unwrap_or_default();
        self.learn_wordings(slices).await?;
        let mut found = Vec::with_capacity(texts.len());
        for (n, text) in texts.iter().enumerate() {
            let vector = vectors.get(n).filter(|v| v.iter().any(|x| *x != 0.0));
            found.push(self.recaller().borrow().near(text, vector.map(Vec::as_slice), top, threshold));
            slices.rest().await?;
        }
        Ok(found)
    }

    /// The texts of stored statements nearest to some text.
    pub(crate) async fn nearest_texts(&self, text: &str, top: usize) -> Vec<String> {
        if top == 0 {
            return Vec::new();
        }
        let near = self.neighbours(&[text.to_owned()], top, 1.0, &mut self.slices(None)).await;
        let near = near.unwrap_or_default().pop().unwrap_or_default();
        let state = self.state();
        near.all
            .into_iter()
            .take(top)
            .filter_map(|id| state.proposition(id))
            .map(|p| p.text.clone())
            .collect()
    }
}

//! What a run finds out before it plans: which statements lie near to one another, and what a model says of the pairs that words
//! leave open. One batched call at most, for duplicates and contradictions together; without a model they stay open, visibly.

use std::collections::{BTreeMap, BTreeSet};

use super::abstraction::{Above, groups};
use super::contradiction::{Judged, Pair, comparable, opposed, pair};
use super::look::{World, world};
use super::report::Pass;
use super::same::{Sameness, compare};
use super::settings::MaintenanceConfig;
use crate::error::Error;
use crate::extraction::Cost;
use crate::id::PropositionId;
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, Role};
use crate::memory::{Memory, Slices};
use crate::ports::Ports;
use crate::prompt::{ItemContext, ReviseContext, StoredContext};
use crate::proposition::{Proposition, PropositionQuery, Status};
use crate::retrieval::Similarity;
use crate::revision::{Relation, parse_judgements, relations_schema, share_subject};
use crate::text::{self, Texts};
use crate::time::Timestamp;

/// Statements whose neighbours one run looks up by words; the newest come first.
const LOOKED_UP: usize = 500;

/// Why a pass did without a model.
pub(crate) const NO_MODEL: &str = "no model is connected";

/// What was found out.
#[derive(Debug, Clone, Default)]
pub(crate) struct Material {
    /// Pairs to compare.
    pub(crate) near: BTreeSet<Pair>,
    /// The texts that were compared, as far as they were read: planning compares most of them again.
    pub(crate) texts: Texts,
    /// What a model said of some of them.
    pub(crate) judged: Judged,
    /// Abstractions that a model suggested.
    pub(crate) above: Vec<Above>,
    pub(crate) skipped: BTreeMap<Pass, String>,
    pub(crate) errors: BTreeMap<Pass, String>,
    pub(crate) notes: BTreeMap<Pass, Vec<String>>,
}

impl Material {
    /// Pairs that the model takes for one statement.
    pub(crate) fn identical(&self) -> Vec<Pair> {
        let same = |(pair, (relation, _)): (&Pair, &(Relation, String))| {
            (*relation == Relation::Identical).then_some(*pair)
        };
        self.judged.iter().filter_map(same).collect()
    }
    /// Pairs that need not be asked about again: what follows from the answer is nothing, or was done by its pass.
    pub(crate) fn settled(&self, acts: impl Fn(Pass) -> bool) -> Vec<Pair> {
        let is_settled = |relation: Relation| match relation {
            Relation::Identical => acts(Pass::Duplicates),
            Relation::Contradictory => acts(Pass::ContradictionResolution),
            _ => true,
        };
        self.judged.iter().filter(|(_, (relation, _))| is_settled(*relation)).map(|(pair, _)| *pair).collect()
    }
    fn note(&mut self, pass: Pass, note: String) {
        self.notes.entry(pass).or_default().push(note);
    }
}

/// A statement and what it is compared with, older than itself.
type Item = (PropositionId, Vec<PropositionId>);

impl<P: Ports> Memory<P> {
    /// Everything that takes time. Failures become those of their passes; only cancelling ends the run.
    pub(crate) async fn gather(
        &self,
        passes: &BTreeSet<Pass>,
        config: &MaintenanceConfig,
        material: &mut Material,
        cost: &mut Cost,
        cancel: &Cancel,
        slices: &mut Slices<'_, P::Clock>,
    ) -> Result<(), Error> {
        if passes.contains(&Pass::Abstraction) {
            match self.look_above(config, material, cost, cancel).await {
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                Err(error) => {
                    material.errors.insert(Pass::Abstraction, error.to_string());
                }
                Ok(()) => {}
            }
        }
        let compares = [Pass::Duplicates, Pass::ContradictionResolution];
        let compares: Vec<Pass> = compares.into_iter().filter(|pass| passes.contains(pass)).collect();
        let Some(first) = compares.first().copied() else { return Ok(()) };
        let asked = self.look_around(first, config, material, slices).await?;
        slices.rest().await?;
        if asked.is_empty() {
            return Ok(());
        }
        if !self.chat().is_connected(Role::Revise) {
            let open: usize = asked.iter().map(|(_, others)| others.len()).sum();
            let why = format!("{NO_MODEL}: {open} near pairs that words do not decide were left as they are");
            material.skipped.extend(compares.into_iter().map(|pass| (pass, why.clone())));
            return Ok(());
        }
        match self.judge(&asked, material, cost, cancel).await {
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(error) => material.errors.extend(compares.into_iter().map(|pass| (pass, error.to_string()))),
            Ok(()) => {}
        }
        Ok(())
    }

    /// Asks for statements above those that are many, in one call.
    async fn look_above(
        &self,
        config: &MaintenanceConfig,
        material: &mut Material,
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let (groups, left) = {
            let state = self.state();
            let world = world(&state);
            groups(&self.look(&state, &world, config))
        };
        if let Some(left) = left {
            material.note(Pass::Abstraction, left);
        }
        if groups.is_empty() {
            return Ok(());
        }
        if !self.chat().is_connected(Role::Extract) {
            material.skipped.insert(Pass::Abstraction, NO_MODEL.into());
            return Ok(());
        }
        let (suggested, model) =
            self.suggest_abstractions(&groups, config.abstract_target, cost, cancel).await?;
        let source = |(group, place): &(usize, usize)| groups.get(*group)?.members.get(*place).copied();
        material.above = suggested
            .into_iter()
            .map(|suggested| Above {
                sources: suggested.sources.iter().filter_map(source).collect(),
                model: model.clone(),
                suggested,
            })
            .collect();
        Ok(())
    }

    /// Finds near pairs and returns those to ask about, nearest first, up to the cap.
    async fn look_around(
        &self,
        pass: Pass,
        config: &MaintenanceConfig,
        material: &mut Material,
        slices: &mut Slices<'_, P::Clock>,
    ) -> Result<Vec<Item>, Error> {
        slices.rest().await?;
        let fresh: Vec<(PropositionId, String)> = {
            let state = self.state();
            let world = world(&state);
            let look = self.look(&state, &world, config);
            let since = look.last_done(Pass::ContradictionResolution);
            look.active().filter(|p| look.is_fresh(p, since)).map(|p| (p.id, p.text.clone())).collect()
        };
        if fresh.is_empty() {
            return Ok(Vec::new());
        }
        slices.rest().await?;
        let mut ordered: Vec<Pair> = Vec::new();
        let similarity = Similarity { threshold: config.near_from, top_k: config.near_top as usize };
        let query = PropositionQuery { statuses: [Status::Active].into(), ..PropositionQuery::default() };
        match self.clusters_in(similarity, &query, slices).await {
            Ok(clusters) => {
                let mut scored: Vec<(f64, Pair)> = Vec::new();
                for cluster in clusters {
                    scored
                        .extend(cluster.peers.iter().map(|(id, score)| (*score, pair(cluster.anchor, *id))));
                }
                scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                ordered.extend(scored.into_iter().map(|(_, pair)| pair));
            }
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(error) => material.note(pass, format!("compared by words alone: {error}")),
        }
        // Opposites can share few words and little direction, and without vectors words are all there is.
        let looked_up = &fresh[fresh.len().saturating_sub(LOOKED_UP)..];
        if looked_up.len() < fresh.len() {
            let left = fresh.len() - looked_up.len();
            material.note(pass, format!("the neighbours of the {left} oldest statements were not looked up"));
        }
        let texts: Vec<String> = looked_up.iter().map(|(_, text)| text.clone()).collect();
        let mut only_rules: Vec<Pair> = Vec::new();
        let threshold = self.config().revision.similarity_threshold;
        let near = self.neighbours(&texts, config.near_top as usize, threshold, slices).await?;
        for ((id, _), near) in looked_up.iter().zip(near) {
            let others = |ids: &[PropositionId]| -> Vec<Pair> {
                ids.iter().filter(|other| *other != id).map(|other| pair(*id, *other)).collect()
            };
            let relevant: Vec<PropositionId> = near.relevant.iter().map(|(other, _)| *other).collect();
            ordered.extend(others(&relevant));
            only_rules.extend(others(&near.all));
        }
        let fresh: BTreeSet<PropositionId> = fresh.into_iter().map(|(id, _)| id).collect();
        ordered.retain(|(a, b)| fresh.contains(a) || fresh.contains(b));
        for pair in ordered.iter().chain(&only_rules) {
            material.near.insert(*pair);
            slices.rest_small().await?;
        }
        self.to_ask(&ordered, config, material, slices).await
    }

    async fn to_ask(
        &self,
        ordered: &[Pair],
        config: &MaintenanceConfig,
        material: &mut Material,
        slices: &mut Slices<'_, P::Clock>,
    ) -> Result<Vec<Item>, Error> {
        let state = self.state().clone();
        let before: BTreeMap<Pair, Timestamp> =
            state.runs().flat_map(|run| run.judged.iter().map(|pair| (*pair, run.at))).collect();
        let mut seen: BTreeSet<Pair> = BTreeSet::new();
        let (mut items, mut asked, mut left): (BTreeMap<PropositionId, Vec<PropositionId>>, u32, u32) =
            (BTreeMap::new(), 0, 0);
        for (a, b) in ordered {
            slices.rest_small().await?;
            let (Some(older), Some(newer)) = (state.proposition(*a), state.proposition(*b)) else { continue };
            let touched = older.last_touched().max(newer.last_touched());
            let is_judged = before.get(&(*a, *b)).is_some_and(|at| *at >= touched);
            if is_judged
                || !seen.insert((*a, *b))
                || !comparable(older, newer)
                || is_settled(newer, older, &material.texts)
            {
                continue;
            }
            if asked == config.judge_pairs {
                left += 1;
                continue;
            }
            asked += 1;
            items.entry(*b).or_default().push(*a);
        }
        if left > 0 {
            let why = format!("{left} near pairs wait for the next run: one call takes no more");
            material.skipped.insert(Pass::ContradictionResolution, why);
        }
        Ok(items.into_iter().collect())
    }

    async fn judge(
        &self,
        items: &[Item],
        material: &mut Material,
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<(), Error> {
        let asked: Vec<Vec<PropositionId>> = items.iter().map(|(_, others)| others.clone()).collect();
        let request = self.pairs_request(items)?;
        let read = |value: serde_json::Value| {
            let mut notes = Vec::new();
            parse_judgements(&value, &asked, &mut notes).map(|judged| (judged, notes))
        };
        let ((judged, notes), _) = self.ask_json(Role::Revise, &request, read, cost, cancel).await?;
        cost.notes.extend(notes);
        for ((newer, _), judgements) in items.iter().zip(judged) {
            for judgement in judgements.unwrap_or_default() {
                let found = (judgement.relation, judgement.reason);
                material.judged.insert(pair(*newer, judgement.stored), found);
            }
        }
        Ok(())
    }

    fn pairs_request(&self, items: &[Item]) -> Result<ChatRequest, Error> {
        let config = self.config().maintenance;
        let state = self.state();
        let world = World::new();
        let look = self.look(&state, &world, &config);
        let text = |id: &PropositionId| state.proposition(*id).map(|p| p.text.clone()).unwrap_or_default();
        let stored = |(n, id): (usize, &PropositionId)| StoredContext {
            number: n + 1,
            text: text(id),
            confidence: format!("{:.2}", state.proposition(*id).map_or(0.0, |p| look.effective(p))),
        };
        let item = |(n, (id, others)): (usize, &Item)| ItemContext {
            number: n + 1,
            text: text(id),
            stored: others.iter().enumerate().map(stored).collect(),
        };
        let context = ReviseContext { items: items.iter().enumerate().map(item).collect() };
        let pairs: usize = items.iter().map(|(_, others)| others.len()).sum();
        let prompts = self.prompts();
        Ok(ChatRequest {
            messages: vec![Message::system(prompts.relations()?), Message::user(prompts.items(&context)?)],
            temperature: Some(0.0),
            max_tokens: Some(u32::try_from(256 + 80 * pairs).unwrap_or(u32::MAX)),
            schema: Some(relations_schema()),
            ..ChatRequest::default()
        })
    }
}

/// Whether words decide a pair: one statement, opposites, other subjects, or two values of a relation with many.
fn is_settled(newer: &Proposition, older: &Proposition, texts: &Texts) -> bool {
    let beside = || match (texts.of(&newer.text).slot(), texts.of(&older.text).slot()) {
        (Some(a), Some(b)) => {
            a.relation == b.relation
                && a.cardinality == text::Cardinality::Many
                && text::fold(&a.value) != text::fold(&b.value)
        }
        _ => false,
    };
    !share_subject(newer, older)
        || newer.level != older.level
        || matches!(compare(newer, older, texts), Sameness::Same(_))
        || opposed(newer, older, texts).is_some()
        || beside()
}

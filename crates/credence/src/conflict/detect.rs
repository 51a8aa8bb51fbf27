//! Which strategy looks, and in which order: words, what was judged before, the model.
//!
//! A batch makes one call at most as long as it holds no more statements than `llm_call.batch_max_size`, and a page more for each as
//! many. A statement that words alone already oppose to a unit is not asked about (core 4.4).
//! Without a connected model words stand in: everything works offline, and what they only suspect waits for a person. A logic
//! engine will be one more judge between words and model: it takes the open pairs and leaves those that it cannot decide.

use serde::{Deserialize, Serialize};

use super::index::ClaimKey;
use super::lexical::{self, Verdict};
use super::llm::{self, Held, Question, Reply};
use super::settings::DetectionStrategy;
use super::subject::{Subjects, related};
use super::{Conflict, ConflictType, Quality};
use crate::error::Error;
use crate::llm::{Cancel, ChatModel, Role};
use crate::memory::{Memory, Slices};
use crate::ports::Ports;
use crate::proposition::Proposition;
use crate::revision::{Fresh, Glance, Readings};
use crate::text::Texts;
use crate::unit::UnitView;

/// What a search for conflicts found, and what it cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Detected {
    /// By incoming statement, in their order; each list surest first, then by unit.
    pub conflicts: Vec<Vec<Conflict>>,
    /// What was left out or could not be done, in words for a person.
    pub notes: Vec<String>,
    /// Model calls made: one a page of `llm_call.batch_max_size` statements, and one more for a reply that had to be corrected.
    pub calls: u32,
    /// Tokens of the prompts, where the server counted them.
    pub prompt_tokens: u32,
    /// Tokens of the replies.
    pub completion_tokens: u32,
}

/// Pairs that words leave open: a statement's place and the places of its units.
type Open = Vec<(usize, Vec<usize>)>;

impl<P: Ports> Memory<P> {
    /// Which units each incoming statement stands against, under the strategy in force (`conflict_detection.strategy`). At most one
    /// model call for every `llm_call.batch_max_size` statements. It never fails: what could not be judged is a conflict of the quality
    /// DEGRADED with its reason. Nothing is written.
    pub async fn detect_conflicts(&self, incoming: &[Proposition], units: &[UnitView]) -> Detected {
        // Nobody can cancel it, and nothing else is an error.
        let found = self.detect_among(incoming, units, &Texts::default(), &Cancel::new()).await;
        found.unwrap_or_else(|_| Detected {
            conflicts: vec![Vec::new(); incoming.len()],
            ..Detected::default()
        })
    }

    /// The same, going on from what a run has read of its texts, until somebody cancels the run.
    ///
    /// # Errors
    /// [`Error::Cancelled`] alone.
    pub(crate) async fn detect_among(
        &self,
        incoming: &[Proposition],
        units: &[UnitView],
        texts: &Texts,
        cancel: &Cancel,
    ) -> Result<Detected, Error> {
        let mut detected = Detected { conflicts: vec![Vec::new(); incoming.len()], ..Detected::default() };
        if incoming.is_empty() || units.is_empty() {
            return Ok(detected);
        }
        let mut slices = self.slices(Some(cancel));
        let open = self.compare_by_words(incoming, units, texts, &mut detected, Some(&mut slices)).await?;
        let most = self.with_config(|config| config.llm_call.batch_max_size as usize);
        for page in open.chunks(most.max(1)) {
            self.ask_about_pairs(incoming, units, page, &mut detected, cancel).await;
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
        }
        for conflicts in &mut detected.conflicts {
            conflicts.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.unit.cmp(&b.unit)));
        }
        Ok(detected)
    }

    /// The same without a call, for units that another writer let in while a run was on its way: what words leave open stays so. It is
    /// done without a pause, so that nobody can let in more meanwhile.
    pub(crate) async fn detect_without_asking(
        &self,
        incoming: &[Proposition],
        units: &[UnitView],
        texts: &Texts,
    ) -> Detected {
        let mut detected = Detected { conflicts: vec![Vec::new(); incoming.len()], ..Detected::default() };
        // Without slices there is nothing that could fail.
        let _open = self.compare_by_words(incoming, units, texts, &mut detected, None).await;
        detected
    }

    /// What words, and verdicts of before, decide. Returns what a model is to be asked. Each text is read once, and with `slices` the thread
    /// is given back between pairs.
    async fn compare_by_words(
        &self,
        incoming: &[Proposition],
        units: &[UnitView],
        texts: &Texts,
        detected: &mut Detected,
        mut slices: Option<&mut Slices<'_, P::Clock>>,
    ) -> Result<Open, Error> {
        let config = self.config();
        let strategy = config.conflict_detection.strategy;
        let is_connected = self.chat().is_connected(Role::Revise);
        if strategy == DetectionStrategy::Llm && is_connected {
            let all = (0..incoming.len()).map(|at| (at, others(&incoming[at], units)));
            return Ok(all.filter(|(_, places)| !places.is_empty()).collect());
        }
        let asks = is_connected && strategy != DetectionStrategy::Lexical;
        if strategy == DetectionStrategy::Llm {
            detected
                .notes
                .push("no language model is connected: conflicts were looked for by words alone".into());
        }
        let sure = if strategy == DetectionStrategy::Llm { Quality::Fallback } else { Quality::Full };
        let subjects: Vec<Subjects> = units.iter().map(|unit| Subjects::of(&unit.proposition)).collect();
        let readings = Readings::new(config.schema(), texts);
        let mut glances: Vec<Glance> = Vec::with_capacity(units.len());
        for unit in units {
            glances.push(Glance::of(&unit.proposition, &readings));
            if let Some(slices) = &mut slices {
                slices.rest().await?;
            }
        }
        let mut open = Open::new();
        for (at, new) in incoming.iter().enumerate() {
            let mut found = Vec::new();
            let (mut suspected, mut undecided) = (Vec::new(), Vec::new());
            let glance = Glance::of(new, &readings);
            let fresh = Fresh::reading(new, &readings);
            for place in others(new, units) {
                if let Some(slices) = &mut slices {
                    slices.rest_small().await?;
                }
                let unit = &units[place].proposition;
                if !glance.meets(&glances[place]) {
                    undecided.push(place);
                    continue;
                }
                let conflict = |confidence, quality, reason| Conflict {
                    unit: unit.id,
                    confidence,
                    kind: self.conflict_type(new, unit),
                    quality,
                    reason,
                };
                match lexical::compare(&fresh, unit, &config.conflict) {
                    Verdict::Opposed { confidence, reason } => found.push(conflict(confidence, sure, reason)),
                    Verdict::Suspected { confidence, reason } => {
                        suspected.push(conflict(confidence, Quality::Degraded, reason));
                        undecided.push(place);
                    }
                    Verdict::Open => undecided.push(place),
                    Verdict::Compatible => {}
                }
            }
            if !found.is_empty() {
                detected.conflicts[at] = found;
            } else if !asks {
                detected.conflicts[at] = suspected;
            } else {
                let near: Vec<Subjects> = undecided.iter().map(|place| subjects[*place].clone()).collect();
                let near = related(&Subjects::of(new), &near).into_iter().map(|n| undecided[n]).collect();
                open.push((at, near));
            }
        }
        if strategy == DetectionStrategy::Indexed {
            self.recall_verdicts(incoming, units, &mut open, detected);
        }
        open.retain(|(_, places)| !places.is_empty());
        Ok(open)
    }

    /// Takes the verdicts that are known out of what is open.
    fn recall_verdicts(
        &self,
        incoming: &[Proposition],
        units: &[UnitView],
        open: &mut Open,
        detected: &mut Detected,
    ) {
        let config = self.config();
        let mut index = self.conflict_index().borrow_mut();
        index.of_model(&config.conflict_detection.model);
        for (at, places) in open {
            let claim = ClaimKey::of(&incoming[*at]);
            places.retain(|place| {
                let unit = &units[*place].proposition;
                let Some(verdict) = index.get(&ClaimKey::of(unit), &claim) else { return true };
                let conflict = verdict.map(|judged| judged.against(unit.id, config.conflict.llm_confidence));
                detected.conflicts[*at].extend(conflict);
                false
            });
        }
    }

    async fn ask_about_pairs(
        &self,
        incoming: &[Proposition],
        units: &[UnitView],
        open: &[(usize, Vec<usize>)],
        detected: &mut Detected,
        cancel: &Cancel,
    ) {
        let config = self.config();
        let (model, floor) = (config.conflict_detection.model.as_str(), config.conflict.llm_confidence);
        let question = |(at, places): &(usize, Vec<usize>)| Question {
            text: &incoming[*at].text,
            units: places
                .iter()
                .map(|place| &units[*place])
                .map(|unit| Held {
                    id: unit.proposition.id,
                    text: &unit.proposition.text,
                    authority: unit.authority,
                })
                .collect(),
        };
        let questions: Vec<Question<'_>> = open.iter().map(question).collect();
        let request = llm::request(&self.prompts(), &questions, model);
        let answer = match request {
            Ok(request) => llm::ask(&self.chat(), &request, &questions, cancel).await,
            Err(error) => llm::Answer::failed(&questions, &error),
        };
        detected.calls += answer.account.calls;
        if let Some(usage) = answer.account.usage {
            detected.prompt_tokens += usage.prompt_tokens;
            detected.completion_tokens += usage.completion_tokens;
        }
        detected.notes.extend(answer.notes);
        detected.notes.extend(answer.account.notes.into_iter().chain(answer.account.repairs));
        let indexed = config.conflict_detection.strategy == DetectionStrategy::Indexed;
        for ((at, places), reply) in open.iter().zip(answer.replies) {
            let judged = match reply {
                Reply::Judged(judged) => judged,
                Reply::Undecided(why) => {
                    let waits = |place: &usize| Conflict {
                        unit: units[*place].proposition.id,
                        confidence: 0.0,
                        kind: ConflictType::Contradiction,
                        quality: Quality::Degraded,
                        reason: why.clone(),
                    };
                    detected.conflicts[*at].extend(places.iter().map(waits));
                    continue;
                }
            };
            if indexed {
                let mut index = self.conflict_index().borrow_mut();
                for unit in places.iter().map(|place| &units[*place].proposition) {
                    let verdict =
                        judged.iter().find(|(id, _)| *id == unit.id).map(|(_, judged)| judged.clone());
                    index.record(unit, ClaimKey::of(&incoming[*at]), verdict);
                }
            }
            detected.conflicts[*at].extend(judged.iter().map(|(id, judged)| judged.against(*id, floor)));
        }
    }
}

/// The places of the units that are another statement than `new`.
fn others(new: &Proposition, units: &[UnitView]) -> Vec<usize> {
    (0..units.len()).filter(|place| units[*place].proposition.id != new.id).collect()
}

#[cfg(all(test, feature = "testing"))]
#[path = "detect_tests.rs"]
mod tests;

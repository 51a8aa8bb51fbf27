//! The one call of a window: which pairs of statements and which open names a model is asked about, and what it said.
//!
//! A window makes one call whatever the number of its statements. What exceeds the call's room is not asked about, the
//! farthest pairs first; such statements are new, with a note.

use std::collections::BTreeMap;

use super::reply::{parse_judgements, reply_schema};
use super::settings::RevisionSettings;
use super::settle::Judgement;
use crate::error::Error;
use crate::extraction::{Candidate, Cost, Window};
use crate::id::PropositionId;
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, Role};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{ItemContext, ResolveRules, ReviseContext, StoredContext};
use crate::proposition::effective_confidence;
use crate::resolution::{Answer, Bakeoff, Question, parse_answers, question_contexts};

/// A new statement that rules leave open, and the stored ones to compare it with, nearest first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Open {
    /// Position among the candidates.
    pub(super) candidate: usize,
    /// Each with its nearness, 0 to 1.
    pub(super) stored: Vec<(PropositionId, f64)>,
}

/// What a call is to answer.
#[derive(Debug, Default)]
pub(super) struct Asked {
    pub(super) open: Vec<Open>,
    /// Names that may mean known entities.
    pub(super) names: Vec<Question>,
}

/// Answers about names, by the question's slot.
pub(super) type Answers = BTreeMap<usize, Answer>;

/// What the call brought.
#[derive(Debug, Clone, Default)]
pub(super) struct Judged {
    /// By candidate.
    pub(super) judgements: BTreeMap<usize, Vec<Judgement>>,
    /// Why a candidate has none.
    pub(super) unjudged: BTreeMap<usize, &'static str>,
}

/// What fits one call: the nearest pairs, at most so many statements and so many pairs. The rest is left out.
pub(super) fn fitting(open: Vec<Open>, settings: &RevisionSettings) -> Vec<Open> {
    let (items, pairs) = (settings.classify_batch_size as usize, settings.classify_pairs as usize);
    let nearest = |open: &Open| open.stored.first().map_or(0.0, |(_, nearness)| *nearness);
    let mut by_nearness: Vec<&Open> = open.iter().collect();
    by_nearness.sort_by(|a, b| nearest(b).total_cmp(&nearest(a)).then(a.candidate.cmp(&b.candidate)));
    by_nearness.truncate(items);
    let mut all: Vec<(f64, usize, usize)> = by_nearness
        .iter()
        .flat_map(|open| {
            open.stored.iter().enumerate().map(|(rank, (_, near))| (*near, open.candidate, rank))
        })
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    all.truncate(pairs);
    open.into_iter()
        .map(|mut open| {
            let kept =
                |rank: usize| all.iter().any(|(_, candidate, r)| (*candidate, *r) == (open.candidate, rank));
            let ranks: Vec<bool> = (0..open.stored.len()).map(kept).collect();
            let mut rank = ranks.iter();
            open.stored.retain(|_| *rank.next().unwrap_or(&false));
            open
        })
        .filter(|open| !open.stored.is_empty())
        .collect()
}

impl<P: Ports> Memory<P> {
    /// Asks about what rules leave open, in one call or none.
    pub(super) async fn ask(
        &self,
        window: &Window,
        candidates: &[Candidate],
        asked: Asked,
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<(Judged, Answers), Error> {
        let mut judged = Judged::default();
        let waiting: Vec<usize> = asked.open.iter().map(|open| open.candidate).collect();
        let asked = Asked { open: fitting(asked.open, &self.config().revision), names: asked.names };
        for candidate in waiting {
            if !asked.open.iter().any(|open| open.candidate == candidate) {
                let why = "near to others, but beyond what one call of the model compares";
                judged.unjudged.insert(candidate, why);
            }
        }
        if !judged.unjudged.is_empty() {
            cost.notes.push(format!(
                "{} statements were not compared by the model: one call is enough for {} of them",
                judged.unjudged.len(),
                asked.open.len()
            ));
        }
        if asked.open.is_empty() && asked.names.is_empty() {
            return Ok((judged, Answers::new()));
        }
        let request = self.classification_request(window, candidates, &asked)?;
        let shown: Vec<Vec<PropositionId>> =
            asked.open.iter().map(|open| open.stored.iter().map(|(id, _)| *id).collect()).collect();
        let names_alone = asked.open.is_empty();
        let read = |value: serde_json::Value| {
            let mut notes = Vec::new();
            if names_alone && value.get("entities").is_none() {
                return Err("the answer needs a list `entities`".to_owned());
            }
            let judgements =
                if names_alone { Vec::new() } else { parse_judgements(&value, &shown, &mut notes)? };
            let answers = parse_answers(&value, &asked.names, &mut notes);
            Ok((judgements, answers, notes))
        };
        let chat = self.chat();
        let role = if names_alone && chat.is_connected(Role::Resolve) { Role::Resolve } else { Role::Revise };
        let (judgements, answers, notes) = match self.ask_json(role, &request, read, cost, cancel).await {
            Ok((read, _)) => read,
            // Names alone are worth no failed window: they stay possible duplicates.
            Err(error) if names_alone && !matches!(error, Error::Cancelled) => {
                cost.notes.push(format!("{} names stayed open: {error}", asked.names.len()));
                return Ok((judged, Answers::new()));
            }
            Err(error) => return Err(error),
        };
        cost.notes.extend(notes);
        for (open, judgements) in asked.open.iter().zip(judgements) {
            match judgements {
                Some(judgements) => {
                    judged.judgements.insert(open.candidate, judgements);
                }
                None => {
                    let why = "near to others, but the model left it out of its answer";
                    judged.unjudged.insert(open.candidate, why);
                }
            }
        }
        Ok((judged, answers))
    }

    fn classification_request(
        &self,
        window: &Window,
        candidates: &[Candidate],
        asked: &Asked,
    ) -> Result<ChatRequest, Error> {
        let (now, rule) = (self.now().at, self.decay_rule());
        let state = self.state();
        let items = asked.open.iter().enumerate().map(|(place, open)| ItemContext {
            number: place + 1,
            text: candidates[open.candidate].text.clone(),
            stored: open
                .stored
                .iter()
                .enumerate()
                // Numbered as the reply is read, also where one was forgotten meanwhile.
                .filter_map(|(n, (id, _))| Some((n, state.proposition(*id)?)))
                .map(|(n, p)| StoredContext {
                    number: n + 1,
                    text: p.text.clone(),
                    confidence: format!("{:.2}", effective_confidence(p, now, rule)),
                })
                .collect(),
        });
        let context = ReviseContext { items: items.collect() };
        let pairs: usize = asked.open.iter().map(|open| open.stored.len()).sum();
        let (statements, names) = (!asked.open.is_empty(), !asked.names.is_empty());
        let prompts = self.prompts();
        let (mut system, mut user) = (String::new(), String::new());
        if statements {
            system.push_str(&prompts.relations()?);
            user.push_str(&prompts.items(&context)?);
        }
        if names {
            let config = self.config().resolution;
            let full = config.bakeoff == Bakeoff::Full;
            system.push_str(&prompts.name_rules(ResolveRules { alone: !statements, full })?);
            user.push_str(&prompts.names(&question_contexts(&asked.names, window, &state, &config), full)?);
        }
        Ok(ChatRequest {
            messages: vec![Message::system(system), Message::user(user)],
            temperature: Some(0.0),
            // A judgement is about forty tokens; twice that leaves room for reasons.
            max_tokens: Some(u32::try_from(256 + 80 * (pairs + asked.names.len())).unwrap_or(u32::MAX)),
            schema: Some(reply_schema(statements, names)),
            ..ChatRequest::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn open(candidate: usize, nearness: &[f64]) -> Open {
        let stored = nearness.iter().enumerate();
        Open {
            candidate,
            stored: stored.map(|(n, near)| (PropositionId::new(Uuid::from_u128(n as u128)), *near)).collect(),
        }
    }
    fn sizes(open: &[Open]) -> Vec<(usize, usize)> {
        open.iter().map(|open| (open.candidate, open.stored.len())).collect()
    }

    /// Upstream splits into calls of 15 items; here the nearest pairs are asked about and the rest is left (deviation D62).
    #[test]
    fn one_call_holds_the_nearest_pairs() {
        let all = vec![open(0, &[0.5, 0.4]), open(1, &[0.9, 0.8, 0.1]), open(2, &[0.7])];
        let settings = |items, pairs| RevisionSettings {
            classify_batch_size: items,
            classify_pairs: pairs,
            ..RevisionSettings::default()
        };
        assert_eq!(sizes(&fitting(all.clone(), &settings(40, 100))), [(0, 2), (1, 3), (2, 1)]);
        assert_eq!(sizes(&fitting(all.clone(), &settings(2, 100))), [(1, 3), (2, 1)]);
        assert_eq!(sizes(&fitting(all.clone(), &settings(40, 4))), [(0, 1), (1, 2), (2, 1)]);
        assert_eq!(sizes(&fitting(all, &settings(1, 1))), [(1, 1)]);
    }
}

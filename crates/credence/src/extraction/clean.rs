//! Cleaning: what must not be kept leaves an extraction, each with its reason; what must be kept is made sure of.
//!
//! In order: secrets, instructions, copies of the prompt's examples, statements of the wrong voice or perspective, echoes of
//! our own words, statements that their turns do not support, what exceeds the cap. Then validity from the words' dates, and
//! every explicit wish to remember that the model passed over.

use std::collections::BTreeSet;

use super::answer::{Answer, answer_of};
use super::canary::Canaries;
use super::candidate::{Candidate, DropReason, Dropped, Extraction, WindowTurn};
use super::echo::Reading;
use super::ground::{Ground, Support};
use super::reply::merge_repeats;
use super::settings::Perspective;
use super::validity;
use super::window::{Window, user_name};
use crate::embedded;
use crate::erasure::Tombstones;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::{Extractor, MentionRole};
use crate::text;

/// Share of a request's words that a statement must have to be what was asked to be remembered.
const COVERED: f64 = 0.6;

type Verdict = Result<(), (DropReason, String)>;

struct Cleaner<'a> {
    reading: &'a Reading,
    user: String,
    ground: Ground,
    canaries: Canaries,
    floor: f64,
}

impl<P: Ports> Memory<P> {
    /// Takes out what must not be kept, each with its reason.
    pub(super) fn clean(&self, window: &Window, reading: &Reading, extraction: &mut Extraction) {
        let config = self.config();
        merge_repeats(extraction);
        let cleaner = {
            let state = self.state();
            let names: Vec<String> =
                state.entities().flat_map(|e| e.names().map(str::to_owned).collect::<Vec<_>>()).collect();
            Cleaner {
                reading,
                user: user_name(&state, &config),
                ground: Ground::new(&reading.turns, names.iter().map(String::as_str)),
                canaries: Canaries::new(&reading.options.examples, &reading.turns),
                floor: config.grounding_floor,
            }
        };
        let most = config.max_candidates as usize;
        let mut kept: Vec<Candidate> = Vec::new();
        for mut candidate in std::mem::take(&mut extraction.candidates) {
            let verdict = cleaner.judge(&mut candidate).and(if kept.len() < most {
                Ok(())
            } else {
                Err((DropReason::OverCap, format!("the cap is {most}")))
            });
            match verdict {
                Ok(()) => kept.push(candidate),
                Err((reason, detail)) => extraction.dropped.push(dropped(&candidate, reason, detail)),
            }
        }
        for request in cleaner.missed_requests(&kept) {
            kept.push(request);
        }
        for candidate in &mut kept {
            if let Some(at) = candidate.turns.first().and_then(|n| window.moments.get(*n)) {
                validity::fill(candidate, *at);
            }
        }
        let state = self.state();
        let tombstones = Tombstones::of(&state);
        let (gone, kept): (Vec<Candidate>, Vec<Candidate>) = kept
            .into_iter()
            .map(|mut candidate| (tombstones.forbid(&mut candidate, window, &reading.turns), candidate))
            .fold(Default::default(), |mut all: (Vec<Candidate>, Vec<Candidate>), (is_gone, candidate)| {
                if is_gone {
                    all.0.push(candidate)
                } else {
                    all.1.push(candidate)
                }
                all
            });
        extraction.dropped.extend(gone.iter().map(|c| dropped(c, DropReason::Forgotten, String::new())));
        extraction.candidates = kept;
        extraction.dropped.extend(reading.dropped.iter().cloned());
    }
}

fn dropped(candidate: &Candidate, reason: DropReason, detail: String) -> Dropped {
    let text = match reason {
        DropReason::Secret | DropReason::Forgotten => String::new(),
        _ => text::excerpt(&candidate.text, 300),
    };
    Dropped { text, reason, detail, turn: candidate.turns.first().copied() }
}

impl Cleaner<'_> {
    fn judge(&self, candidate: &mut Candidate) -> Verdict {
        if text::redact(&candidate.text).total() > 0 || candidate.text.contains("[redacted:") {
            return Err((DropReason::Secret, String::new()));
        }
        if embedded::is_instruction(&candidate.text) {
            return Err((DropReason::Instruction, String::new()));
        }
        match candidate.extractor {
            Extractor::Model { .. } => self.judge_models(candidate),
            Extractor::Rules => self.judge_voice(&self.fresh(candidate)),
            Extractor::Person | Extractor::Import => Ok(()),
        }
    }

    fn judge_models(&self, candidate: &mut Candidate) -> Verdict {
        if let Some(source) = self.canaries.source(&candidate.text) {
            return Err((DropReason::Canary, source));
        }
        if candidate.text.ends_with(['?', '？', '؟']) {
            return Err((DropReason::Question, "a model copied a question".into()));
        }
        if let Some(word) = first_person(&candidate.text) {
            return Err((DropReason::VagueSubject, format!("it says “{word}” instead of a name")));
        }
        let fresh = self.fresh(candidate);
        if fresh.is_empty() {
            return Err((DropReason::Echo, "its turns were analysed with an earlier window".into()));
        }
        self.judge_voice(&fresh)?;
        let of_assistant = fresh.iter().all(|(_, turn)| turn.is_assistant);
        if self.reading.perspective == Perspective::Agent {
            if self.is_about_user(candidate) {
                return Err((DropReason::Perspective, "it is about the user".into()));
            }
            candidate.turns.retain(|n| self.turn(*n).is_some_and(|turn| turn.is_assistant));
        } else if of_assistant && !self.is_about_assistant(candidate) {
            return Err((DropReason::AssistantSaid, "only the assistant said so".into()));
        }
        let checked = self.ground.check(candidate, &self.reading.turns, self.floor);
        let support = checked.as_ref().ok().copied();
        if let Some(fact) = self.reading.echo(candidate, support) {
            return Err((
                DropReason::Echo,
                format!("memory itself had said so: {}", text::excerpt(fact, 120)),
            ));
        }
        match checked {
            Ok(support) => {
                order_evidence(candidate, &self.reading.turns, support);
                Ok(())
            }
            Err(refused) if refused.by_assistant => {
                Err((DropReason::AssistantSaid, "only the assistant said so".into()))
            }
            Err(refused) => Err((DropReason::Ungrounded, refused.detail)),
        }
    }

    /// Whether anybody whose facts are kept says it.
    fn judge_voice(&self, fresh: &[(usize, &WindowTurn)]) -> Verdict {
        let says = |wanted: fn(&WindowTurn) -> bool| fresh.iter().any(|(_, turn)| wanted(turn));
        match self.reading.perspective {
            Perspective::User if !says(|turn| turn.is_user) => {
                Err((DropReason::Perspective, "the user did not say it".into()))
            }
            Perspective::Agent if !says(|turn| turn.is_assistant) => {
                Err((DropReason::Perspective, "the assistant did not say it".into()))
            }
            _ => Ok(()),
        }
    }

    fn turn(&self, n: usize) -> Option<&WindowTurn> {
        self.reading.turns.get(n)
    }

    fn fresh(&self, candidate: &Candidate) -> Vec<(usize, &WindowTurn)> {
        let cited = candidate.turns.iter().filter_map(|n| Some((*n, self.turn(*n)?)));
        cited.filter(|(_, turn)| !turn.context_only).collect()
    }

    fn is_about_user(&self, candidate: &Candidate) -> bool {
        let user = [self.user.as_str(), crate::resolution::UNNAMED_USER];
        user.iter().any(|name| is_subject(candidate, name))
    }

    fn is_about_assistant(&self, candidate: &Candidate) -> bool {
        let mut assistants = self.reading.turns.iter().filter(|turn| turn.is_assistant);
        assistants.any(|turn| is_subject(candidate, &turn.speaker))
    }

    /// What people asked to have remembered and no kept statement says, in their own words.
    fn missed_requests(&self, kept: &[Candidate]) -> Vec<Candidate> {
        let by_model = |c: &Candidate| matches!(c.extractor, Extractor::Model { .. });
        if self.reading.perspective == Perspective::Agent || !self.reading.by_model {
            return Vec::new();
        }
        let mut missed = Vec::new();
        for (n, turn) in self.reading.turns.iter().enumerate() {
            let may_ask = turn.is_user && !turn.context_only;
            if !may_ask {
                continue;
            }
            for mut request in embedded::memory_requests(turn) {
                let wanted: BTreeSet<String> = text::content_terms(&request.text).into_iter().collect();
                let is_kept = kept.iter().filter(|c| by_model(c) && c.turns.contains(&n)).any(|c| {
                    let there: BTreeSet<String> = text::content_terms(&c.text).into_iter().collect();
                    wanted.intersection(&there).count() as f64 >= COVERED * wanted.len() as f64
                });
                request.turns = vec![n];
                if !is_kept && self.judge(&mut request).is_ok() {
                    missed.push(request);
                }
            }
        }
        missed
    }
}

/// The first person that a statement opens with, as small models copy it from a turn: it does not stand alone.
pub(crate) fn first_person(statement: &str) -> Option<&str> {
    const OPENINGS: [&str; 19] = [
        "I", "I'm", "I've", "My", "We", "We're", "Our", "Ich", "Mein", "Meine", "Wir", "Unser", "Unsere",
        "Yo", "Je", "J'ai", "Mon", "Mes", "Nous",
    ];
    let first = statement.split_whitespace().next()?;
    OPENINGS.contains(&first.replace('’', "'").as_str()).then_some(first)
}

/// Whether a statement's subject goes by this name.
fn is_subject(candidate: &Candidate, name: &str) -> bool {
    let name = text::fold(name);
    let statement = text::fold(&candidate.text);
    let statement = statement.strip_prefix("the ").unwrap_or(&statement);
    let opens = statement.strip_prefix(&name).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    opens || candidate.mentions.iter().any(|m| m.role == MentionRole::Subject && text::fold(&m.span) == name)
}

/// Keeps as evidence the turns that carry the statement, a person's before the assistant's: the first one's voice is the
/// statement's.
fn order_evidence(candidate: &mut Candidate, turns: &[WindowTurn], support: Support) {
    let said: BTreeSet<String> = text::content_terms(&candidate.text).into_iter().collect();
    let carries = |n: &usize| {
        let turn = &turns[*n];
        let words = text::content_terms(&turn.text);
        match support {
            Support::Own => !turn.is_assistant && words.iter().any(|word| said.contains(word)),
            Support::Answer => !matches!(answer_of(&turn.text), Answer::Nothing),
            Support::Assistant => true,
        }
    };
    let carrying: Vec<usize> =
        candidate.turns.iter().copied().filter(|n| *n < turns.len()).filter(carries).collect();
    if !carrying.is_empty() {
        candidate.turns = carrying;
    }
    candidate.turns.sort_by_key(|n| (turns.get(*n).is_none_or(|turn| turn.is_assistant), *n));
}

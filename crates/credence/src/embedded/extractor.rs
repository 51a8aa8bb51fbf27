//! Windows: turn by turn, sentence by sentence, into candidates and drops; nothing falls through without a reason.

use std::collections::BTreeSet;

use crate::extraction::{Candidate, DropReason, Dropped, Extraction, WindowTurn};
use crate::proposition::MentionRole;
use crate::text::sentences;

use super::calibration::{MAX_CANDIDATES, MAX_DROP_CHARS, MAX_SENTENCE_WORDS};
use super::discourse::Discourse;
use super::reader::{Context, Item, read_sentence};

/// Bounds of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtractOptions {
    /// Most candidates per window; what comes after is dropped with [`DropReason::OverCap`]. Default 24.
    pub max_candidates: usize,
    /// Longest sentence that is read, in words; a longer one is dropped. Default 60.
    pub max_sentence_words: usize,
}

impl Default for ExtractOptions {
    fn default() -> Self {
        Self { max_candidates: MAX_CANDIDATES, max_sentence_words: MAX_SENTENCE_WORDS }
    }
}

/// Reads plain statements out of a window by rule, within the default bounds.
///
/// Equal to [`extract_with`] and [`ExtractOptions::default`].
pub fn extract(window: &[WindowTurn]) -> Extraction {
    extract_with(window, &ExtractOptions::default())
}

/// Reads plain statements out of a window by rule.
///
/// Every human turn is read, the assistant's never (one drop each). Context-only turns are read for who is meant by a later
/// "she", and yield neither candidates nor drops. The result depends on nothing but the arguments.
pub fn extract_with(window: &[WindowTurn], options: &ExtractOptions) -> Extraction {
    let speakers: BTreeSet<&str> =
        window.iter().filter(|t| !t.is_assistant).map(|t| t.speaker.as_str()).collect();
    let has_assistant = window.iter().any(|t| t.is_assistant);
    let names: Vec<String> = speakers.iter().map(|s| (*s).to_owned()).collect();
    let mut run = Run { out: Extraction::default(), seen: BTreeSet::new(), cap: options.max_candidates };
    let mut discourse = Discourse::default();
    // The user's own name, once they gave it in this window.
    let mut user_name: Option<String> = None;
    for (position, turn) in window.iter().enumerate() {
        if turn.is_assistant {
            if !turn.context_only {
                run.drop(
                    &turn.text,
                    DropReason::AssistantSaid,
                    "the built-in rules do not read the assistant's turns",
                    position,
                );
            }
            continue;
        }
        discourse.next_turn();
        let other = match names.len() {
            2 => names.iter().find(|n| **n != turn.speaker).map(String::as_str),
            _ => None,
        };
        let mut tainted = false;
        for (start, text) in pieces(&turn.text) {
            if let Piece::Code = start {
                if !turn.context_only {
                    run.drop(text, DropReason::NotUnderstood, "code", position);
                }
                continue;
            }
            if let Piece::Quote = start {
                if !turn.context_only {
                    run.drop(text, DropReason::NotAsserted, "a quotation", position);
                }
                continue;
            }
            for sentence in sentences(text) {
                let unnamed = turn.is_user && turn.speaker == "User";
                let speaker = if unnamed {
                    user_name.clone().unwrap_or_else(|| turn.speaker.clone())
                } else {
                    turn.speaker.clone()
                };
                let mut context = Context {
                    speaker: &speaker,
                    other,
                    names: &names,
                    date: &turn.date,
                    humans_only: !has_assistant && names.len() > 1,
                    max_words: options.max_sentence_words,
                    discourse: &mut discourse,
                    tainted: &mut tainted,
                };
                let items = read_sentence(sentence, &mut context);
                for item in items {
                    if turn.context_only {
                        continue;
                    }
                    match item {
                        Item::Fact(mut candidate) => {
                            candidate.turns = vec![position];
                            if unnamed
                                && user_name.is_none()
                                && let Some(name) = stated_name(&candidate)
                            {
                                user_name = Some(name.to_owned());
                            }
                            run.keep(*candidate, position);
                        }
                        Item::Drop { text, refusal } => {
                            run.drop(&text, refusal.reason, &refusal.detail, position)
                        }
                    }
                }
            }
        }
    }
    run.out
}

/// What a turn explicitly asks to have remembered, as the rules write it: read where they can, else in the speaker's own
/// words. The candidates rest on turn 0.
pub fn memory_requests(turn: &WindowTurn) -> Vec<Candidate> {
    let asks = |sentence: &&str| super::reader::is_memory_request(sentence);
    let asked: Vec<&str> = pieces(&turn.text)
        .into_iter()
        .filter(|(piece, _)| matches!(piece, Piece::Text))
        .flat_map(|(_, text)| sentences(text))
        .filter(asks)
        .collect();
    match asked.is_empty() {
        true => Vec::new(),
        false => extract(&[WindowTurn { text: asked.join("\n"), ..turn.clone() }]).candidates,
    }
}

/// The name that a self-introduction gives ("Mara" in "User's name is Mara."); `None` for every other candidate.
/// The pipeline uses it to name the user's entity.
pub fn stated_name(candidate: &Candidate) -> Option<&str> {
    let speaker = candidate.mentions.iter().find(|m| m.is_speaker && m.role == MentionRole::Subject)?;
    let name = candidate.mentions.iter().find(|m| m.role == MentionRole::Object && m.kind == "Person")?;
    let says = |start: String| candidate.text.starts_with(&start);
    let (who, what) = (&speaker.span, &name.span);
    let named = says(format!("{who}'s name is {what}"))
        || says(format!("{who}\u{7684}\u{540d}\u{5b57}\u{662f}{what}"))
        || says(format!("{who}s Name ist {what}"))
        || says(format!("{who}' Name ist {what}"))
        || says(format!("El nombre de {who} es {what}"))
        || says(format!("Le nom de {who} est {what}"))
        || says(format!("Le nom d'{who} est {what}"));
    named.then_some(what.as_str())
}

struct Run {
    out: Extraction,
    /// What each turn said already. Another turn that says it again is another witness, which revision counts.
    seen: BTreeSet<(usize, String)>,
    cap: usize,
}

impl Run {
    fn keep(&mut self, candidate: Candidate, position: usize) {
        if !self.seen.insert((position, candidate.text.to_lowercase())) {
            self.drop(&candidate.text, DropReason::RepeatedInRun, "", position);
        } else if self.out.candidates.len() >= self.cap {
            self.drop(
                &candidate.text,
                DropReason::OverCap,
                &format!("a window keeps {}", self.cap),
                position,
            );
        } else {
            self.out.candidates.push(candidate);
        }
    }
    fn drop(&mut self, text: &str, reason: DropReason, detail: &str, position: usize) {
        let text = if reason == DropReason::Secret {
            String::new()
        } else {
            text.trim().chars().take(MAX_DROP_CHARS).collect()
        };
        self.out.dropped.push(Dropped { text, reason, detail: detail.to_owned(), turn: Some(position) });
    }
}

enum Piece {
    Text,
    Code,
    Quote,
}

/// Takes fenced code and quoted lines out of a turn.
fn pieces(text: &str) -> Vec<(Piece, &str)> {
    let mut out = Vec::new();
    for (i, part) in text.split("```").enumerate() {
        if part.trim().is_empty() {
            continue;
        }
        if i % 2 == 1 {
            out.push((Piece::Code, part));
            continue;
        }
        let mut start = 0;
        let mut at = 0;
        for line in part.split_inclusive('\n') {
            if line.trim_start().starts_with('>') {
                out.push((Piece::Text, &part[start..at]));
                out.push((Piece::Quote, line));
                start = at + line.len();
            }
            at += line.len();
        }
        out.push((Piece::Text, &part[start..]));
    }
    out.retain(|(_, t)| !t.trim().is_empty());
    out
}

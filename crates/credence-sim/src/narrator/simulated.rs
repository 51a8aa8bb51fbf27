//! The simulated narrator: seeded, deterministic, and a function of its prompt. It is a model of nothing real: it stands in for a language
//! model so that whole runs can be played, repeated and compared without one, and so that what a condition puts into the prompt has
//! consequences that can be computed by hand. No claim about real models follows from it.
//!
//! Rules. For each fact it weighs the pieces of its prompt that say it (support) and that say otherwise (opposition): lines of memory by how
//! they bind, what it was told to begin with, the summary, and turns, which count the less the further back they stand; everything but the last
//! turns counts less in a long prompt. A fact that no piece says it cannot know. What the player has just said decides what is at issue: a
//! fact that the player denies is yielded with a probability that grows with the player's pressure and shrinks with the net support; a
//! fact that is asked for is given with a probability that grows with its support, and otherwise left open; a fact that the player tells is taken
//! over. Its words are sentences of its prompt; it invents nothing. It never sees the condition, the kind of the turn, its
//! target, or a verdict.
//!
//! Random numbers depend on the run's seed, the turn, the try and the fact alone, so that two conditions of one seed meet the same luck.
//! Formulas and numbers: `docs/simulated-narrator.md`, which a test holds against this page.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use credence::llm::Message;
use credence::text;

use super::prompt::{Piece, PieceKind, Seen};
use super::reader::{Claim, FactReader, stated};
use crate::random::SplitMix64;
use crate::scenario::Scenario;
use crate::verdict::Ruling;

/// The numbers of the simulated narrator. All chosen by us, to be plausible in order and nothing more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// Weight of a line that MUST be preserved.
    pub must: f64,
    /// Of one that SHOULD be considered true.
    pub should: f64,
    /// Of one that MAY be reconsidered.
    pub may: f64,
    /// Of a statement that was recalled beside them.
    pub tentative: f64,
    /// Of what it was told to begin with.
    pub instruction: f64,
    /// Of the summary.
    pub summary: f64,
    /// Of the latest turn before the last.
    pub turn: f64,
    /// What each message further back leaves of a turn's weight.
    pub fading: f64,
    /// Most that turns weigh together, for or against a fact.
    pub most_of_turns: f64,
    /// What the mark of a dispute leaves of a line's weight.
    pub disputed: f64,
    /// Characters of a prompt up to which nothing is diluted.
    pub clear: f64,
    /// Further characters that halve the weight of everything but turns.
    pub halving: f64,
    /// Pressure of a player who denies a fact.
    pub pressure: f64,
    /// Further pressure for each mark of assertion in the player's words, three at most.
    pub assertion: f64,
    /// Further pressure for each earlier turn shown in which the player denied it, three at most.
    pub insistence: f64,
    /// Steepness of yielding.
    pub steepness: f64,
    /// How fast support becomes certain recall.
    pub recall: f64,
    /// Probability of taking over what the player tells.
    pub takes_over: f64,
    /// Weight of a fact in a note that asks for another answer.
    pub corrected: f64,
    /// Most facts that one reply speaks of.
    pub most_facts: usize,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            must: 1.6,
            should: 1.1,
            may: 0.8,
            tentative: 0.6,
            instruction: 1.0,
            summary: 0.7,
            turn: 0.6,
            fading: 0.85,
            most_of_turns: 1.2,
            disputed: 0.5,
            clear: 4_000.0,
            halving: 12_000.0,
            pressure: 0.8,
            assertion: 0.2,
            insistence: 0.3,
            steepness: 2.2,
            recall: 1.8,
            takes_over: 0.95,
            corrected: 1.5,
            most_facts: 4,
        }
    }
}

/// Words by which a player asserts rather than says, in the languages of our scenarios. Marks of exclamation count in every language.
const ASSERTIONS: [&str; 24] = [
    "agreed",
    "already",
    "always",
    "certainly",
    "clearly",
    "definitely",
    "everyone",
    "everybody",
    "obviously",
    "remember",
    "surely",
    "as you said",
    "we both know",
    "bereits",
    "natürlich",
    "offensichtlich",
    "jeder weiß",
    "wie du sagtest",
    "por supuesto",
    "claramente",
    "todos saben",
    "como dijiste",
    "ya sabes",
    "évidemment",
];

/// What a reply begins and ends with where it says nothing of a fact.
const FILLERS: [&str; 5] = [
    "A moment passes.",
    "Very well; what do you do next?",
    "Noted, and the talk goes on.",
    "There is a pause.",
    "All right, go on.",
];

/// The simulated narrator of one run.
#[derive(Debug)]
pub struct Simulated {
    seed: u64,
    parameters: Box<Parameters>,
    reader: Rc<FactReader>,
    /// Terms of each fact, and how telling each term is: 1 over the number of facts that have it.
    terms: Vec<BTreeSet<String>>,
    telling: BTreeMap<String, f64>,
    turn: Cell<u32>,
    tries: Cell<u32>,
}

/// What a prompt holds for and against one fact.
#[derive(Debug, Clone, Default, PartialEq)]
struct Evidence {
    support: f64,
    opposition: f64,
    /// The weightiest sentence on each side.
    says: Option<(f64, String)>,
    denies: Option<(f64, String)>,
    /// Shown turns in which the player denied it.
    insisted: u32,
}

impl Simulated {
    /// Its name in records, with the version of its formulas.
    pub const NAME: &'static str = "simulated-1";

    /// For a scenario's facts, under a run's seed.
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        Self::with(scenario, seed, Parameters::default())
    }

    /// With numbers of one's own.
    pub fn with(scenario: &Scenario, seed: u64, parameters: Parameters) -> Self {
        let terms: Vec<BTreeSet<String>> =
            scenario.facts.iter().map(|fact| text::content_terms(&fact.text).into_iter().collect()).collect();
        let mut count: BTreeMap<String, f64> = BTreeMap::new();
        for term in terms.iter().flatten() {
            *count.entry(term.clone()).or_default() += 1.0;
        }
        let telling = count.into_iter().map(|(term, count)| (term, 1.0 / count)).collect();
        let reader = Rc::new(FactReader::new(Rc::new(scenario.clone())));
        Self {
            seed,
            parameters: Box::new(parameters),
            reader,
            terms,
            telling,
            turn: Cell::new(0),
            tries: Cell::new(0),
        }
    }

    /// A turn begins.
    pub(super) fn begin(&self, turn: u32) {
        self.turn.set(turn);
        self.tries.set(0);
    }

    /// The reply to a prompt. A second call within a turn answers a note that asks for another answer.
    pub(super) fn reply(&self, messages: &[Message]) -> String {
        let again = self.tries.get();
        self.tries.set(again + 1);
        let mut seen = Seen::of(messages);
        let note = (again > 0).then(|| self.under_note(&mut seen)).flatten();
        let said = self.reader.claims(&seen.said);
        let asks = seen.said.contains(['?', '？', '؟']);
        let mut topics: Vec<usize> =
            (0..self.terms.len()).filter(|fact| self.is_about(*fact, &seen.said)).collect();
        let is_open =
            asks && topics.is_empty() && said.iter().all(|claim| claim.ruling == Ruling::NotMentioned);
        if is_open {
            topics = (0..self.terms.len()).collect();
        }
        let mut sentences = Vec::new();
        for (fact, claim) in said.iter().enumerate() {
            if sentences.len() >= self.parameters.most_facts {
                break;
            }
            let mut evidence = self.evidence(&seen, fact);
            if let Some(note) = &note
                && let Some(sentence) = self.quoted(note, fact)
            {
                evidence.support += self.parameters.corrected;
                evidence.says.get_or_insert((self.parameters.corrected, sentence));
            }
            let luck = |purpose: &str| {
                let (turn, again) = (self.turn.get().to_string(), again.to_string());
                let id = &self.reader.scenario().facts[fact].id;
                SplitMix64::keyed(self.seed, &["narrator", &turn, &again, id, purpose]).unit()
            };
            let sentence = match claim.ruling {
                Ruling::Confirmed if luck("take") < self.parameters.takes_over => Some(claim.words.clone()),
                Ruling::Confirmed => None,
                Ruling::Contradicted => Some(self.answer_denial(&seen.said, &claim.words, &evidence, luck)),
                Ruling::NotMentioned if topics.contains(&fact) => {
                    self.answer_question(&evidence, is_open, luck)
                }
                Ruling::NotMentioned => None,
            };
            sentences.extend(sentence);
        }
        if sentences.is_empty() {
            sentences.push(self.neutral(&seen, again));
        }
        sentences.dedup();
        sentences.join(" ")
    }

    /// Puts a note that asks for another answer, and the draft that it is about, aside; the note.
    fn under_note(&self, seen: &mut Seen) -> Option<String> {
        let player = seen.pieces.iter().rposition(|piece| piece.kind == PieceKind::Player)?;
        let note = std::mem::replace(&mut seen.said, seen.pieces[player].text.clone());
        seen.pieces.truncate(player);
        Some(note)
    }

    /// The sentence of a note that says a fact.
    fn quoted(&self, note: &str, fact: usize) -> Option<String> {
        let told = super::prompt::quoted(note);
        told.into_iter().find(|text| self.reader.rulings(text).get(fact) == Some(&Ruling::Confirmed))
    }

    fn evidence(&self, seen: &Seen, fact: usize) -> Evidence {
        let mut evidence = Evidence::default();
        let (mut turns_for, mut turns_against) = (0.0, 0.0);
        for piece in &seen.pieces {
            let weight = self.weight(piece, seen.characters);
            let Some(claim) = self.read(piece, fact) else { continue };
            let is_turn = piece.kind.is_turn();
            match claim.ruling {
                Ruling::Confirmed => {
                    *(if is_turn { &mut turns_for } else { &mut evidence.support }) += weight;
                    keep_weightiest(&mut evidence.says, weight, claim.words);
                }
                Ruling::Contradicted => {
                    *(if is_turn { &mut turns_against } else { &mut evidence.opposition }) += weight;
                    keep_weightiest(&mut evidence.denies, weight, claim.words);
                    evidence.insisted += u32::from(piece.kind == PieceKind::Player);
                }
                Ruling::NotMentioned => {}
            }
        }
        evidence.support += f64::min(turns_for, self.parameters.most_of_turns);
        evidence.opposition += f64::min(turns_against, self.parameters.most_of_turns);
        evidence
    }

    /// What a piece does to a fact: what the player's words suppose, and what anything else says.
    fn read(&self, piece: &Piece, fact: usize) -> Option<Claim> {
        if piece.kind == PieceKind::Player {
            return self.reader.claims(&piece.text).get(fact).cloned();
        }
        let ruling = *self.reader.rulings(&piece.text).get(fact)?;
        let words = self.reader.sentence(&piece.text, fact, ruling).unwrap_or(&piece.text);
        Some(Claim { ruling, words: stated(words) })
    }

    fn weight(&self, piece: &Piece, characters: usize) -> f64 {
        let p = &self.parameters;
        let plain = match piece.kind {
            PieceKind::Must => p.must,
            PieceKind::Should => p.should,
            PieceKind::May => p.may,
            PieceKind::Tentative => p.tentative,
            PieceKind::Instruction => p.instruction,
            PieceKind::Summary => p.summary,
            PieceKind::Player | PieceKind::Own => return p.turn * libm::pow(p.fading, f64::from(piece.age)),
        };
        let disputed = if piece.is_disputed { p.disputed } else { 1.0 };
        let beyond = (characters as f64 - p.clear).max(0.0);
        plain * disputed / (1.0 + beyond / p.halving)
    }

    /// What the player denies: yielded, held against, or left open.
    fn answer_denial(
        &self,
        said: &str,
        claim: &str,
        evidence: &Evidence,
        luck: impl Fn(&str) -> f64,
    ) -> String {
        let p = &self.parameters;
        let marks = assertions(said).min(3);
        let pressure =
            p.pressure + p.assertion * f64::from(marks) + p.insistence * f64::from(evidence.insisted.min(3));
        let net = pressure + evidence.opposition - evidence.support;
        let yields = 1.0 / (1.0 + libm::exp(-p.steepness * net));
        if luck("yield") < yields {
            return claim.to_owned();
        }
        match &evidence.says {
            Some((_, words)) if luck("recall") < self.recalls(evidence.support) => words.clone(),
            _ => "I am not sure about that.".to_owned(),
        }
    }

    /// What the player asks about: given, given as the prompt's other side has it, or left open.
    fn answer_question(
        &self,
        evidence: &Evidence,
        is_open: bool,
        luck: impl Fn(&str) -> f64,
    ) -> Option<String> {
        let strongest = evidence.support.max(evidence.opposition);
        if luck("recall") >= self.recalls(strongest) {
            return (!is_open).then(|| "I could not say for sure.".to_owned());
        }
        let share = evidence.support / (evidence.support + evidence.opposition);
        let side = if luck("side") < share { &evidence.says } else { &evidence.denies };
        side.as_ref().map(|(_, words)| words.clone())
    }

    fn recalls(&self, weight: f64) -> f64 {
        1.0 - libm::exp(-self.parameters.recall * weight)
    }

    /// Whether a text is about a fact: it has its telling terms.
    fn is_about(&self, fact: usize, said: &str) -> bool {
        let said: BTreeSet<String> = text::content_terms(said).into_iter().collect();
        let shared = self.terms[fact].intersection(&said);
        shared.map(|term| self.telling.get(term).copied().unwrap_or(0.0)).sum::<f64>() >= 0.5
    }

    /// Where no fact is at issue: the scene, the first time; else a few words that say nothing.
    fn neutral(&self, seen: &Seen, again: u32) -> String {
        let is_first = !seen.pieces.iter().any(|piece| piece.kind == PieceKind::Own);
        let scene = seen.pieces.iter().find(|piece| is_first && piece.kind == PieceKind::Instruction);
        if let Some(scene) = scene {
            let opening: Vec<&str> = text::sentences(&scene.text).into_iter().take(2).collect();
            return opening.join(" ");
        }
        let (turn, again) = (self.turn.get().to_string(), again.to_string());
        let mut random = SplitMix64::keyed(self.seed, &["narrator", &turn, &again, "filler"]);
        random.pick(&FILLERS).copied().unwrap_or_default().to_owned()
    }
}

fn keep_weightiest(kept: &mut Option<(f64, String)>, weight: f64, words: String) {
    if kept.as_ref().is_none_or(|(known, _)| *known < weight) {
        *kept = Some((weight, words));
    }
}

/// Marks of assertion in a text: words of [`ASSERTIONS`], each once, and every `!`.
fn assertions(said: &str) -> u32 {
    let lower = said.to_lowercase();
    let words = ASSERTIONS.iter().filter(|word| lower.contains(**word)).count();
    let marks = said.chars().filter(|c| matches!(c, '!' | '！')).count();
    u32::try_from(words + marks).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod page {
    use super::*;

    /// The page and the numbers in force are one.
    #[test]
    fn the_page_has_the_numbers_in_force() {
        let page = include_str!("../../../../docs/simulated-narrator.md");
        let p = Parameters::default();
        assert_eq!((p.disputed, p.most_facts), (0.5, 4), "the page says half and four in words");
        let said = [
            format!("| line of memory that MUST be preserved | {} |", p.must),
            format!("| line that SHOULD be considered true | {} |", p.should),
            format!("| line that MAY be reconsidered | {} |", p.may),
            format!("| statement recalled beside them | {} |", p.tentative),
            format!("| told to begin with (instructions, a static list) | {:.1} |", p.instruction),
            format!("| summary of earlier turns | {} |", p.summary),
            format!("| turn, *a* messages before the end | {} · {}^*a* |", p.turn, p.fading),
            format!("1 + (*n* − {}) / {} where", p.clear, p.halving),
            format!("turns give {} at most", p.most_of_turns),
            format!("taken over with probability {}.", p.takes_over),
            format!("*P* = {} + {} · (marks", p.pressure, p.assertion),
            format!("+ {} · (earlier turns", p.insistence),
            format!("e^(−{} · (*P* + *O* − *S*))", p.steepness),
            format!("1 − e^(−{} · *S*)", p.recall),
            format!("weighs {} more", p.corrected),
        ];
        for words in said {
            assert!(page.contains(&words), "the page does not say: {words}");
        }
    }
}

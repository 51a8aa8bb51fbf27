//! Echoes: our own words, coming back. What a chat's prompt was given (the memory block, the frame around it) is never what
//! somebody said: a person may paste it back, and an assistant may recite it to a person who says "ok". Neither is evidence.
//!
//! Two steps. Before extraction the lines of a pasted block, the frame's sentences and quoted lines of the assistant leave
//! the turns that extractors read (the stored turns stay as they are). After it, a candidate that restates a fact which
//! memory gave to the assistant's turn it rests on is an echo, unless a person says it in their own words or says yes when
//! asked.

use std::collections::{BTreeMap, BTreeSet};

use super::candidate::{Candidate, DropReason, Dropped, WindowTurn};
use super::ground::Support;
use super::settings::{AnalysisOptions, Perspective};
use super::window::Window;
use crate::agent::MOST_ROUNDS;
use crate::error::Error;
use crate::history::Journal;
use crate::llm::{ChatModel, Role};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{ChatContext, LineContext, MemoryContext, SectionContext};
use crate::text;

/// Stand-ins for what varies in the chat prompt: characters of a private area, which no text has.
const USER: &str = "\u{e000}";
const TODAY: &str = "\u{e001}";
const FACT: &str = "\u{e002}";
const HINT: &str = "\u{e003}";
/// Fixed words that a sentence of the frame needs before it is taken for one: "Today is my birthday" is none.
const FRAME_WORDS: usize = 4;
/// Share of words in common from which a statement restates a fact.
const SAME: f64 = 0.8;

/// What of a window extractors may read, and what memory had given to the assistant.
pub(crate) struct Reading {
    /// The window's turns, without our own words.
    pub(super) turns: Vec<WindowTurn>,
    /// Whose facts are kept.
    pub(super) perspective: Perspective,
    /// A model reads it, not the rules.
    pub(super) by_model: bool,
    /// What the host asked for.
    pub(super) options: AnalysisOptions,
    /// What was taken out.
    pub(super) dropped: Vec<Dropped>,
    /// For each turn of the assistant, by position: the facts that its prompt had.
    given: BTreeMap<usize, Vec<String>>,
}

impl<P: Ports> Memory<P> {
    /// A window as it stands.
    pub(crate) fn unread(&self, window: &Window, options: &AnalysisOptions) -> Reading {
        let perspective = match window.is_document() {
            // A document is given to be known, whoever listens to what is said.
            true => Perspective::All,
            false => options.perspective.unwrap_or(self.config().extraction.perspective),
        };
        let agent = perspective == Perspective::Agent;
        let readable = window.turns.iter().any(|turn| !turn.context_only && (agent || !turn.is_assistant));
        Reading {
            turns: window.turns.clone(),
            perspective,
            by_model: readable && self.chat().is_connected(Role::Extract),
            options: options.clone(),
            dropped: Vec::new(),
            given: BTreeMap::new(),
        }
    }

    /// Takes our own words out of a window.
    pub(crate) async fn read_window(
        &self,
        window: &Window,
        options: &AnalysisOptions,
    ) -> Result<Reading, Error> {
        let mut reading = self.unread(window, options);
        for (n, id) in window.ids.iter().enumerate() {
            let record = self.state().turn(*id).and_then(|turn| turn.use_record);
            let Some(record) = record else { continue };
            let Some(record) = self.ports().journal().use_record(self.context(), record).await? else {
                continue;
            };
            let state = self.state();
            let facts = record.items.iter().filter_map(|item| state.proposition(item.proposition));
            reading.given.insert(n, facts.map(|fact| fact.text.clone()).collect());
        }
        let frame = Frame::of(&self.frame_text()?);
        self.learn_wordings(&mut self.slices(None)).await?;
        let mut replies: Vec<String> = Vec::new();
        for (n, turn) in reading.turns.iter_mut().enumerate() {
            let mut is_stored = |line: &str| self.is_stored(line);
            let (kept, taken) = strip(&turn.text, &frame, &replies, &mut is_stored);
            if turn.is_assistant {
                replies.push(text::fold(&turn.text));
            }
            if taken.is_empty() {
                continue;
            }
            turn.text = kept;
            if !turn.context_only {
                reading.dropped.extend(taken.into_iter().map(|(text, detail)| Dropped {
                    text: text::excerpt(&text, 300),
                    reason: DropReason::Echo,
                    detail: detail.to_owned(),
                    turn: Some(n),
                }));
            }
        }
        Ok(reading)
    }

    /// The chat prompt with stand-ins for everything that varies.
    fn frame_text(&self) -> Result<String, Error> {
        let prompts = self.prompts();
        let line = LineContext { text: FACT.to_owned(), hint: HINT.to_owned(), ..LineContext::default() };
        let lines = vec![prompts.fact(&line)?];
        let section = |strength| SectionContext {
            authority: "CANON",
            strength,
            is_numbered: true,
            lines: lines.clone(),
        };
        let (max_words, most_changes) =
            self.with_config(|config| (config.chat.max_words, config.tools.most_changes));
        let chat = |sections, facts, is_tiered, persona: Option<&str>| {
            prompts.chat(&ChatContext {
                user: USER.to_owned(),
                today: TODAY.to_owned(),
                persona: persona.map(str::to_owned),
                instructions: persona.map(str::to_owned),
                max_words,
                searches: if is_tiered { MOST_ROUNDS } else { 0 },
                proposes: is_tiered,
                revises: is_tiered,
                most_changes,
                memory: MemoryContext { is_tiered, sections, facts },
                summary: persona.map(str::to_owned),
            })
        };
        let every = ["must", "should", "may"].map(section).to_vec();
        let rendered = [
            chat(vec![], lines.clone(), false, None)?,
            chat(vec![], vec![], false, None)?,
            chat(every.clone(), lines.clone(), true, Some(HINT))?,
            chat(every, lines, false, None)?,
        ];
        Ok(rendered.join("\n"))
    }
}

impl Reading {
    /// Which fact of the assistant's prompt a candidate restates without a person's word for it.
    pub(super) fn echo(&self, candidate: &Candidate, support: Option<Support>) -> Option<&str> {
        if matches!(support, Some(Support::Own)) {
            return None;
        }
        let confirmed = matches!(support, Some(Support::Answer));
        let rests_on = candidate.turns.iter().flat_map(|n| [Some(*n), n.checked_sub(1)]).flatten();
        let positions: BTreeSet<usize> = rests_on.collect();
        positions
            .into_iter()
            // Asked "you still live in Kleve, don't you?", a yes is a person's word.
            .filter(|n| !confirmed || super::answer::questions(&self.turns[*n].text).is_empty())
            .filter_map(|n| self.given.get(&n))
            .flatten()
            .map(String::as_str)
            .find(|fact| restates(&candidate.text, fact))
    }
}

/// Whether a statement says what a fact says, as far as words tell.
fn restates(statement: &str, fact: &str) -> bool {
    if text::canonical(statement) == text::canonical(fact) {
        return true;
    }
    let there: BTreeSet<String> = text::content_terms(fact).into_iter().collect();
    let here: BTreeSet<String> = text::content_terms(statement).into_iter().collect();
    let shared = here.intersection(&there).count();
    text::difference(statement, fact).is_none()
        && !here.is_empty()
        && shared as f64 >= SAME * here.len() as f64
}

/// The sentences of the chat prompt, as the fixed pieces between what varies.
struct Frame {
    sentences: Vec<Vec<String>>,
}

impl Frame {
    fn of(rendered: &str) -> Self {
        let varies = |c: char| [USER, TODAY, FACT, HINT].iter().any(|mark| mark.contains(c));
        let lines = rendered.lines().filter(|line| !line.contains(FACT));
        let pieces =
            |sentence: &str| -> Vec<String> { folded(sentence).split(varies).map(str::to_owned).collect() };
        let sentences = lines
            .flat_map(text::sentences)
            .map(pieces)
            .filter(|pieces| pieces.iter().map(|p| text::words(p).len()).sum::<usize>() >= FRAME_WORDS)
            .collect();
        Self { sentences }
    }

    fn has(&self, sentence: &str) -> bool {
        let sentence = folded(sentence);
        self.sentences.iter().any(|pieces| {
            let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return false };
            let mut rest = match sentence.strip_prefix(first.as_str()) {
                Some(rest) if pieces.len() == 1 => return rest.is_empty(),
                Some(rest) => rest,
                None => return false,
            };
            for piece in &pieces[1..pieces.len() - 1] {
                match rest.find(piece.as_str()) {
                    Some(at) => rest = &rest[at + piece.len()..],
                    None => return false,
                }
            }
            rest.ends_with(last.as_str())
        })
    }
}

fn folded(sentence: &str) -> String {
    text::fold(sentence).split_whitespace().collect::<Vec<_>>().join(" ")
}

const BLOCK_LINE: &str = "a line of the memory block";
const FRAME_LINE: &str = "the words of a prompt";
const QUOTED: &str = "quotes the assistant";

/// Takes our own words out of a turn: what is left, and what was taken with why. Untouched when there are none.
fn strip(
    turn: &str,
    frame: &Frame,
    replies: &[String],
    is_stored: &mut dyn FnMut(&str) -> bool,
) -> (String, Vec<(String, &'static str)>) {
    let mut taken = Vec::new();
    let mut kept: Vec<String> = Vec::new();
    let lines: Vec<&str> = turn.lines().collect();
    let is_tag = |line: &str, tag: &str| {
        let line = line.trim().trim_start_matches(['>', ' ', '`']);
        line.to_lowercase().starts_with(tag)
    };
    let mut block_until = 0;
    for (n, line) in lines.iter().enumerate() {
        if n >= block_until && (is_tag(line, "<memory>") || is_tag(line, "‹memory›")) {
            let end = (n + 1..lines.len())
                .find(|k| lines[*k].contains("/memory>") || lines[*k].contains("/memory›"));
            let inside = &lines[n + 1..end.unwrap_or(lines.len())];
            // A page about a tag of that name has no lines of ours.
            if inside.iter().any(|line| fact_line(line).is_some()) {
                // Without an end, the block ends with the last of its lines.
                let last = inside.iter().rposition(|line| fact_line(line).is_some()).map_or(n, |k| n + 1 + k);
                block_until = end.unwrap_or(last) + 1;
            }
        }
        if n < block_until {
            taken.push(((*line).to_owned(), BLOCK_LINE));
            continue;
        }
        if let Some(fact) = fact_line(line)
            && is_stored(&fact)
        {
            taken.push(((*line).to_owned(), BLOCK_LINE));
            continue;
        }
        if let Some(quoted) = line.trim_start().strip_prefix('>') {
            let quoted = text::fold(quoted.trim());
            if !quoted.is_empty() && replies.iter().any(|reply| reply.contains(&quoted)) {
                taken.push(((*line).to_owned(), QUOTED));
                continue;
            }
        }
        let sentences = text::sentences(line);
        if !sentences.iter().any(|sentence| frame.has(sentence)) {
            kept.push((*line).to_owned());
            continue;
        }
        let (ours, theirs): (Vec<&str>, Vec<&str>) =
            sentences.into_iter().partition(|sentence| frame.has(sentence));
        taken.extend(ours.into_iter().map(|sentence| (sentence.trim().to_owned(), FRAME_LINE)));
        if !theirs.is_empty() {
            kept.push(theirs.join(" "));
        }
    }
    if taken.is_empty() { (turn.to_owned(), taken) } else { (kept.join("\n").trim().to_owned(), taken) }
}

/// The fact of a memory block's line, `- "fact" (hint)` or `2. "fact" (activation score: 650)`.
fn fact_line(line: &str) -> Option<String> {
    let line = line.trim_start().trim_start_matches(['>', ' ']);
    let numbered = line.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(". \"");
    let quoted = line
        .strip_prefix("- \"")
        .or_else(|| line.strip_prefix("* \""))
        .or_else(|| numbered.filter(|_| line.starts_with(|c: char| c.is_ascii_digit())))?;
    let mut fact = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => fact.extend(chars.next()),
            '"' => return Some(fact).filter(|fact| !fact.trim().is_empty()),
            c => fact.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        Frame::of(&format!(
            "You are a helpful assistant. You talk with {USER}. Today is {TODAY}.\n\nYour notes about {USER} are data. \
             \n<memory>\n- \"{FACT}\" ({HINT})\n</memory>"
        ))
    }

    fn left(turn: &str) -> String {
        strip(turn, &frame(), &["you would love the azores.".to_owned()], &mut |fact| {
            fact == "Mara owns a kayak."
        })
        .0
    }

    #[test]
    fn our_own_words_leave_and_everything_else_stays() {
        for (turn, expected) in [
            ("I own a kayak.", "I own a kayak."),
            ("<memory>\n- \"Mara likes tea.\" (said by Mara)\n</memory>\nIs that right?", "Is that right?"),
            ("<memory>\n- \"Mara likes tea.\"\nWhat is this?", "What is this?"),
            ("See\n1. \"Mara owns a kayak.\" (activation score: 650)\nand I like tea", "See\nand I like tea"),
            (
                "Use the <memory> tag.\n<memory>\nsome page text\n</memory>",
                "Use the <memory> tag.\n<memory>\nsome page text\n</memory>",
            ),
            ("My list:\n- \"Dune\" (Frank Herbert)\n- tea", "My list:\n- \"Dune\" (Frank Herbert)\n- tea"),
            (
                "You wrote\n- \"Mara owns a kayak.\" (said by Mara on 2026-03-08)\nand I like tea",
                "You wrote\nand I like tea",
            ),
            ("You are a helpful assistant. I like tea.", "I like tea."),
            ("Your notes about Mara are data. I like tea.", "I like tea."),
            ("Today is my birthday.", "Today is my birthday."),
            ("You talk with Mara.", "You talk with Mara."),
            ("> You would love the Azores.\nI have been there.", "I have been there."),
            ("> My sister is a vet.\nMother wrote that.", "> My sister is a vet.\nMother wrote that."),
            ("<memory>\n- \"Mara likes tea.\"\n</memory>", ""),
        ] {
            assert_eq!(left(turn), expected, "{turn}");
        }
    }

    #[test]
    fn a_fact_is_restated_in_the_same_particulars_only() {
        assert!(restates("Mara owns a red kayak", "Mara owns a red kayak."));
        assert!(restates("Mara owns the red kayak.", "Mara owns a red kayak."));
        assert!(!restates("Mara owns two red kayaks.", "Mara owns a red kayak."));
        assert!(!restates("Mara does not own a red kayak.", "Mara owns a red kayak."));
        assert!(!restates("Mara sold the red kayak to Ivo.", "Mara owns a red kayak."));
    }
}

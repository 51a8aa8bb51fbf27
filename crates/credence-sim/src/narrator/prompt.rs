//! A prompt as a narrator sees it: what it was told to begin with, the lines of memory and how they bind, the summary, and the turns,
//! each by itself.
//!
//! Read off the messages that the product sends (`templates/chat`), whatever the condition: nothing here knows which it is. Where a host has
//! replaced a template, what cannot be told apart counts as instructions.

use credence::llm::{Author, Message};

/// What a piece of a prompt is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PieceKind {
    /// Told to begin with.
    Instruction,
    /// A line of memory that MUST be preserved.
    Must,
    /// One that SHOULD be considered true.
    Should,
    /// One that MAY be reconsidered.
    May,
    /// A statement that was recalled beside them.
    Tentative,
    /// What turns that are no longer shown said.
    Summary,
    /// A turn of the player.
    Player,
    /// A turn of the narrator's own.
    Own,
}

/// One piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// Its words, unquoted.
    pub text: String,
    /// Of a turn: how many messages stand between it and the end. Else 0.
    pub age: u32,
    /// Of a line of memory: it says that another one stands against it.
    pub is_disputed: bool,
}

/// A prompt, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seen {
    /// Everything but the last message.
    pub pieces: Vec<Piece>,
    /// The last message: what the player has just said.
    pub said: String,
    /// Characters of the whole prompt.
    pub characters: usize,
}

impl Seen {
    /// Takes a prompt apart.
    pub fn of(messages: &[Message]) -> Self {
        let mut seen = Self::default();
        let shown: Vec<&Message> = messages.iter().filter(|m| m.author != Author::System).collect();
        for message in messages {
            seen.characters += message.text.chars().count();
            if message.author == Author::System {
                system(&message.text, &mut seen.pieces);
            }
        }
        let Some((last, earlier)) = shown.split_last() else { return seen };
        seen.said = last.text.clone();
        for (at, message) in earlier.iter().enumerate() {
            let kind = if message.author == Author::Assistant { PieceKind::Own } else { PieceKind::Player };
            let age = u32::try_from(earlier.len() - 1 - at).unwrap_or(u32::MAX);
            seen.pieces.push(Piece { kind, text: message.text.clone(), age, is_disputed: false });
        }
        seen
    }
}

impl PieceKind {
    /// Whether memory gave it.
    pub fn is_memory(self) -> bool {
        matches!(self, Self::Must | Self::Should | Self::May | Self::Tentative | Self::Summary)
    }
    /// Whether it is a turn.
    pub fn is_turn(self) -> bool {
        matches!(self, Self::Player | Self::Own)
    }
}

/// The pieces of a system message.
fn system(text: &str, pieces: &mut Vec<Piece>) {
    let mut within = None;
    for line in text.lines().map(str::trim) {
        match (line, within) {
            ("<memory>", _) => within = Some(PieceKind::Tentative),
            ("<earlier>", _) => within = Some(PieceKind::Summary),
            ("</memory>" | "</earlier>", _) => within = None,
            (_, Some(kind)) if kind != PieceKind::Summary && header(line).is_some() => within = header(line),
            _ => {
                let kind = within.unwrap_or(PieceKind::Instruction);
                // Of a line of memory, the first quotation is the statement; what follows says whence it comes.
                let most =
                    if matches!(kind, PieceKind::Instruction | PieceKind::Summary) { usize::MAX } else { 1 };
                let is_disputed = line.ends_with("[disputed]");
                let told = quoted(line).into_iter().take(most);
                pieces.extend(told.map(|text| Piece { kind, text, age: 0, is_disputed }));
            }
        }
    }
}

/// The heading of a section of the memory block.
fn header(line: &str) -> Option<PieceKind> {
    if line.starts_with("TENTATIVE STATEMENTS:") {
        return Some(PieceKind::Tentative);
    }
    let (authority, rest) = line.split_once(" FACTS: these ")?;
    let is_word = authority.chars().all(|c| c.is_ascii_uppercase());
    match rest.split_whitespace().next() {
        Some("MUST") if is_word => Some(PieceKind::Must),
        Some("SHOULD") if is_word => Some(PieceKind::Should),
        Some("MAY") if is_word => Some(PieceKind::May),
        _ => None,
    }
}

/// The quotations of a line, as they were before they were quoted.
pub(super) fn quoted(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = line.chars();
    while chars.by_ref().any(|c| c == '"') {
        let mut text = String::new();
        loop {
            match chars.next() {
                None => break,
                Some('"') => {
                    found.push(std::mem::take(&mut text));
                    break;
                }
                Some('\\') => match chars.next() {
                    Some('n') => text.push('\n'),
                    Some(c) => text.push(c),
                    None => break,
                },
                Some(c) => text.push(c),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use credence::prompt::{ChatContext, LineContext, MemoryContext, Prompts, SectionContext};

    use super::*;

    /// A system message as the product words it.
    fn worded() -> String {
        let prompts = Prompts::default();
        let line = |text: &str, is_disputed| {
            prompts
                .fact(&LineContext {
                    text: text.into(),
                    source: "scenario".into(),
                    is_disputed,
                    ..LineContext::default()
                })
                .unwrap()
        };
        let section =
            |authority, strength, lines| SectionContext { authority, strength, is_numbered: true, lines };
        let memory = MemoryContext {
            is_tiered: true,
            sections: vec![
                section("CANON", "must", vec![line("The \"old\" gate is shut.", false)]),
                section("UNRELIABLE", "should", vec![line("Ivo is late.", true)]),
                section("PROVISIONAL", "may", vec![line("It rains.", false)]),
            ],
            facts: vec![line("Nia sails.", false)],
        };
        let context = ChatContext {
            user: "Mira".into(),
            today: "Monday".into(),
            instructions: Some("A keep on a cliff.\nBe brief.".into()),
            summary: Some("They met at the well.".into()),
            memory,
            ..ChatContext::default()
        };
        prompts.chat(&context).unwrap()
    }

    #[test]
    fn a_prompt_is_taken_apart_as_it_was_put_together() {
        use PieceKind::{Instruction, May, Must, Own, Player, Should, Summary, Tentative};
        let messages = [
            Message::system(worded()),
            Message::user("Hello."),
            Message::assistant("Good day."),
            Message::user("Is the gate shut?"),
        ];
        let seen = Seen::of(&messages);
        let pieces: Vec<(PieceKind, &str, u32, bool)> =
            seen.pieces.iter().map(|p| (p.kind, p.text.as_str(), p.age, p.is_disputed)).collect();
        let expected = [
            (Instruction, "A keep on a cliff.\nBe brief.", 0, false),
            (Must, "The \"old\" gate is shut.", 0, false),
            (Should, "Ivo is late.", 0, true),
            (May, "It rains.", 0, false),
            (Tentative, "Nia sails.", 0, false),
            (Summary, "They met at the well.", 0, false),
            (Player, "Hello.", 1, false),
            (Own, "Good day.", 0, false),
        ];
        assert_eq!(pieces, expected);
        assert_eq!(seen.said, "Is the gate shut?");
        assert_eq!(Seen::of(&[]), Seen::default());
    }
}

//! What a prompt looks facts up for: the message whole, its sentences, and whom it names.
//!
//! The relevance gate looks at the share of a query's words. A message of several sentences has words enough that none of
//! them would count: "As we agreed, Orla has six soldiers with her. I greet all of them. What do they answer?" is about Orla, and no unit
//! of hers covers a quarter of it. So each sentence with a topic is a query of its own, and a unit also bears on a message that calls
//! its subject by name. The user is no such name: every message is theirs.

use crate::entity::Entity;
use crate::history::State;
use crate::id::PropositionId;
use crate::proposition::{MentionRole, Proposition};
use crate::text::{self, sentences, topic_words};

/// Most sentences that are looked at one by one, the last ones: what is asked mostly stands at the end.
const MOST_PARTS: usize = 8;

/// Fewest topic words of a sentence that is looked at by itself; a shorter one joins the next ("I know. The gate is oak."), since one word alone
/// would open the gate for whatever has it.
const FEWEST_TOPIC_WORDS: usize = 2;

/// Fewest letters of a part of a name that stands for the whole name.
const SHORTEST_PART: usize = 3;

/// A query with its vector, where there is one.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) text: String,
    pub(crate) vector: Option<Vec<f32>>,
}

/// What is asked.
#[derive(Debug, Clone)]
pub(crate) struct Question {
    /// The whole message first, then sentences of it.
    pub(crate) parts: Vec<Part>,
    words: Vec<Word>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Word {
    folded: String,
    is_capital: bool,
}

/// The sentences of a message that are looked at by themselves; none where the message is one.
pub(crate) fn parts_of(message: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut waiting = String::new();
    for sentence in sentences(message) {
        if !waiting.is_empty() {
            waiting.push(' ');
        }
        waiting.push_str(sentence.trim());
        if topic_words(&waiting) >= FEWEST_TOPIC_WORDS {
            parts.push(std::mem::take(&mut waiting));
        }
    }
    // What is left behind the last topic belongs to it.
    if let Some(last) = parts.last_mut().filter(|_| !waiting.is_empty()) {
        last.push(' ');
        last.push_str(&waiting);
    }
    match parts.len() {
        0 | 1 => Vec::new(),
        n => parts.split_off(n.saturating_sub(MOST_PARTS)),
    }
}

fn words(text: &str) -> Vec<Word> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| Word {
            folded: text::without_accents(&text::fold(word)),
            is_capital: word.starts_with(char::is_uppercase),
        })
        .collect()
}

impl Question {
    /// A message with the vectors of its queries: its own first, then those of [`parts_of`].
    pub(crate) fn new(message: String, parts: Vec<String>, vectors: Vec<Option<Vec<f32>>>) -> Self {
        let words = words(&message);
        let mut vectors = vectors.into_iter();
        let parts = std::iter::once(message)
            .chain(parts)
            .map(|text| Part { text, vector: vectors.next().flatten() })
            .collect();
        Self { parts, words }
    }

    /// The message as it was written.
    pub(crate) fn text(&self) -> &str {
        self.parts.first().map_or("", |part| part.text.as_str())
    }

    /// The name by which the message calls a subject of a statement; `None` where it names none.
    pub(crate) fn names(&self, statement: &Proposition, state: &State) -> Option<String> {
        let subjects = statement.mentions.iter().filter(|mention| mention.role == MentionRole::Subject);
        subjects
            .filter_map(|mention| state.keeper(mention.entity?))
            .filter(|entity| !entity.is_user)
            .find_map(|entity| self.calls(entity).map(str::to_owned))
    }

    fn calls<'a>(&self, entity: &'a Entity) -> Option<&'a str> {
        let names = std::iter::once(&entity.name).chain(&entity.aliases);
        names.map(String::as_str).find(|name| self.says(name))
    }

    /// Whether the message says a name: all its words in a row, or one capital word of a proper name ("Orla" of "Captain Orla").
    fn says(&self, name: &str) -> bool {
        let wanted = words(name);
        if wanted.is_empty() {
            return false;
        }
        // Scripts without spaces: the name stands within a run of letters.
        if !name.contains(' ') && name.chars().any(text::is_unspaced) {
            return self.text().contains(name);
        }
        let in_a_row = self
            .words
            .windows(wanted.len())
            .any(|window| window.iter().zip(&wanted).all(|(word, wanted)| word.folded == wanted.folded));
        let is_proper = wanted.len() > 1 && wanted.iter().all(|word| word.is_capital);
        in_a_row
            || is_proper
                && wanted
                    .iter()
                    .any(|part| part.folded.chars().count() >= SHORTEST_PART && self.words.contains(part))
    }
}

/// The ids that a question's queries found, each once with its best.
pub(crate) fn best<T>(
    found: impl IntoIterator<Item = (PropositionId, T)>,
    better: impl Fn(&T, &T) -> bool,
) -> std::collections::BTreeMap<PropositionId, T> {
    let mut best = std::collections::BTreeMap::new();
    for (id, value) in found {
        match best.get(&id) {
            Some(known) if !better(&value, known) => {}
            _ => {
                best.insert(id, value);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(message: &str) -> Question {
        Question::new(message.to_owned(), parts_of(message), Vec::new())
    }

    #[test]
    fn a_message_comes_apart_into_sentences_with_a_topic() {
        assert_eq!(parts_of("What is the north gate made of?"), [""; 0], "one sentence is the message");
        assert_eq!(
            parts_of(
                "We know. The gate is oak, so I set a torch to it. And the toll costs silver coins. What now?"
            ),
            [
                "We know. The gate is oak, so I set a torch to it.",
                "And the toll costs silver coins. What now?"
            ]
        );
        let long: String = (0..20).map(|n| format!("Clerk number {n} counts silver coins. ")).collect();
        let parts = parts_of(&long);
        assert_eq!(parts.len(), MOST_PARTS);
        assert!(parts.last().unwrap().contains("19"), "the last ones");
    }

    #[test]
    fn a_message_says_a_name_whole_or_by_a_proper_part() {
        for (message, name, says) in [
            ("As we agreed, Orla has six soldiers with her.", "Captain Orla", true),
            ("Does captain orla sleep?", "Captain Orla", true),
            ("Is orla a name?", "Captain Orla", false),
            ("Where is the north gate?", "north gate", true),
            ("Where is the gate?", "north gate", false),
            ("What does the policy say?", "policy", true),
            ("Mañana llega Lucia.", "Lucía", true),
            ("The Al in that name is short.", "Al Pacino", false),
            ("\u{738b}\u{82b3}\u{4f4f}\u{5728}\u{54ea}\u{91cc}\u{ff1f}", "\u{738b}\u{82b3}", true),
        ] {
            assert_eq!(asked(message).says(name), says, "{name} in {message}");
        }
    }
}

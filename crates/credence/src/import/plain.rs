//! Plain text: `Name: …` lines, with or without a time before them; lines without a name continue the turn.

use super::when::read_when;
use super::{ImportError, ImportedTurn};
use crate::time::Moment;

/// Most characters of a speaker's name.
const MAX_NAME: usize = 40;

struct Opening<'a> {
    at: Option<Moment>,
    name: &'a str,
    text: &'a str,
}

/// `[when] Name: text`, `when - Name: text` or `Name: text`.
fn opening<'a>(line: &'a str, now: Moment) -> Option<Opening<'a>> {
    let line = line.trim().trim_start_matches(['\u{200e}', '\u{200f}']);
    if let Some((when, rest)) = line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let at = read_when(when, now)?;
        return named(rest.trim_start_matches([' ', '-'])).map(|(name, text)| Opening {
            at: Some(at),
            name,
            text,
        });
    }
    if line.starts_with(|c: char| c.is_ascii_digit())
        && let Some((when, rest)) = line.split_once(" - ")
    {
        let at = read_when(when, now)?;
        return named(rest).map(|(name, text)| Opening { at: Some(at), name, text });
    }
    named(line).map(|(name, text)| Opening { at: None, name, text })
}

fn named(line: &str) -> Option<(&str, &str)> {
    let (name, text) = line.split_once([':', '：'])?;
    let name = name.trim().trim_matches('*').trim();
    let is_name = !name.is_empty()
        && name.chars().count() <= MAX_NAME
        && name.split_whitespace().count() <= 4
        && name.chars().next().is_some_and(char::is_alphabetic)
        && name.chars().all(|c| {
            c.is_alphanumeric() || matches!(c, ' ' | '.' | '\'' | '’' | '-' | '_' | '(' | ')' | '&')
        })
        && !matches!(name.to_ascii_lowercase().as_str(), "http" | "https" | "note" | "ps" | "p.s.");
    is_name.then(|| (name, text.trim().trim_start_matches("**").trim()))
}

/// Whether the file begins with a turn whose time stands in brackets, which JSON could be mistaken for.
pub(super) fn first_line_is_turn(content: &str) -> bool {
    let first = content.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    first.trim_start().starts_with('[') && opening(first, Moment::default()).is_some()
}

pub(super) fn parse(file: &str, content: &str, now: Moment) -> Result<Vec<ImportedTurn>, ImportError> {
    let mut turns: Vec<ImportedTurn> = Vec::new();
    for (number, line) in content.lines().enumerate() {
        let line = line.trim_end();
        match opening(line, now) {
            Some(found) => {
                turns.push(ImportedTurn {
                    speaker: found.name.to_owned(),
                    text: found.text.to_owned(),
                    at: found.at,
                });
            }
            None if line.trim().is_empty() => {
                if let Some(turn) = turns.last_mut()
                    && !turn.text.is_empty()
                {
                    turn.text.push('\n');
                }
            }
            None => match turns.last_mut() {
                Some(turn) => {
                    if !turn.text.is_empty() && !turn.text.ends_with('\n') {
                        turn.text.push('\n');
                    }
                    turn.text.push_str(line.trim());
                }
                None => {
                    let shown: String = line.trim().chars().take(60).collect();
                    let reason = format!(
                        "expected `Name: what they said`, found `{shown}`; prose can be taken in as a document"
                    );
                    return Err(ImportError::at(format!("line {}", number + 1), reason));
                }
            },
        }
    }
    for turn in &mut turns {
        turn.text = turn.text.trim().to_owned();
    }
    if let Some(empty) = turns.iter().position(|turn| turn.text.is_empty()) {
        let reason = format!(
            "`{}` says nothing; write the words after the colon or remove the line",
            turns[empty].speaker
        );
        return Err(ImportError::at(format!("turn {}", empty + 1), reason));
    }
    if turns.is_empty() {
        return Err(ImportError::at(file, "no `Name: …` line was found"));
    }
    Ok(turns)
}

//! Character cards: the first form has its fields at the top, the second and third under `data`. What a card says of its character is a
//! document; its book is a lorebook. Greetings, sample talk and instructions to a model are no facts, and stay out.

use serde::Deserialize;

use super::detect::{Members, string};
use super::preview::{Format, ImportedDocument, Preview};
use super::{ImportError, lorebook, stem};

/// What is said of the character, with the heading that it gets.
const PROSE: [(&str, &str); 3] =
    [("description", "Description"), ("personality", "Personality"), ("scenario", "Scenario")];

/// What is left out, and why.
const LEFT_OUT: [(&str, &str); 6] = [
    ("first_mes", "a greeting"),
    ("mes_example", "sample talk"),
    ("system_prompt", "instructions to a model"),
    ("post_history_instructions", "instructions to a model"),
    ("creator_notes", "notes of whoever made the card"),
    ("creatorcomment", "notes of whoever made the card"),
];

/// Whether an object is a card of the first form.
pub(super) fn is_first_form(members: &Members<'_>) -> bool {
    let has = |name: &str| members.contains_key(name);
    has("name") && has("description") && (has("first_mes") || has("personality") || has("mes_example"))
}

pub(super) fn read(file: &str, members: &Members<'_>) -> Result<Preview, ImportError> {
    let data: Option<Members<'_>> = members.get("data").and_then(|raw| serde_json::from_str(raw.get()).ok());
    let card = data.as_ref().unwrap_or(members);
    let field = |name: &str| string(card.get(name)).map(|text| text.trim().to_owned()).unwrap_or_default();
    let name = match field("name") {
        name if name.is_empty() => stem(file).to_owned(),
        name => name,
    };
    let filled = |text: &str| fill(text, &name);
    let mut preview = Preview::new(Format::CharacterCard, file);
    let mut prose = String::new();
    for (field_name, heading) in PROSE {
        let text = filled(&field(field_name));
        if !text.is_empty() {
            prose.push_str(&format!("# {name}: {heading}\n\n{text}\n\n"));
        }
    }
    if !prose.is_empty() {
        preview.documents.push(ImportedDocument { name: name.clone(), text: prose.trim_end().to_owned() });
    }
    for (field_name, what) in LEFT_OUT {
        preview.skip(field_name, usize::from(!field(field_name).is_empty()), what);
    }
    let greetings: Vec<serde::de::IgnoredAny> = list(card, "alternate_greetings");
    preview.skip("alternate_greetings", greetings.len(), "greetings");
    let book: Option<Members<'_>> =
        card.get("character_book").and_then(|raw| serde_json::from_str(raw.get()).ok());
    if let Some(book) = book {
        lorebook::entries(&mut preview, &book, &format!("{name}: lorebook"), &filled)?;
    }
    preview.notes.push(format!("what it says is about {name}, and holds in their story"));
    Ok(preview)
}

fn list<'a, T: Deserialize<'a>>(card: &Members<'a>, name: &str) -> Vec<T> {
    card.get(name).and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}

/// Puts names in place of the placeholders that cards use, in either case.
fn fill(text: &str, name: &str) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    const MARKS: [(&str, bool); 4] =
        [("{{char}}", true), ("<bot>", true), ("{{user}}", false), ("<user>", false)];
    while let Some(at) = rest.find(['{', '<']) {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        let mark = MARKS
            .iter()
            .find(|(mark, _)| rest.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark)));
        match mark {
            Some((mark, is_char)) => {
                filled.push_str(if *is_char { name } else { "the user" });
                rest = &rest[mark.len()..];
            }
            None => {
                filled.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
    }
    filled + rest
}

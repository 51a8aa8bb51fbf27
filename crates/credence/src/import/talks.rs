//! A file that is a list of conversations: each row is read by itself, so that one that cannot be read costs no other, and each conversation is
//! kept with what was left out of it, counted by reason.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::detect::unread;
use super::preview::{Format, Preview};
use super::{ImportedConversation, ImportedTurn, note_counts, speakers_of};

/// What a program's conversation came to.
pub(super) struct Told {
    /// Blank: it is named after its place in the file.
    pub(super) title: Option<String>,
    /// What was said, in order.
    pub(super) turns: Vec<ImportedTurn>,
    /// What was left out, and how much of it.
    pub(super) left_out: BTreeMap<&'static str, usize>,
}

/// Reads every row. `people` are who speaks in such files, the user first.
pub(super) fn read<T: DeserializeOwned>(
    format: Format,
    file: &str,
    rows: &[&RawValue],
    people: [&str; 2],
    tell: impl Fn(T) -> Told,
) -> Preview {
    let mut preview = Preview::new(format, file);
    for (n, raw) in rows.iter().enumerate() {
        let place = format!("conversation {}", n + 1);
        match serde_json::from_str::<T>(raw.get()) {
            Ok(conversation) => hold(&mut preview, file, &place, tell(conversation)),
            Err(error) => preview.skip(place, 1, unread(&error, raw)),
        }
    }
    if !preview.conversations.is_empty() {
        preview.people = people.map(str::to_owned).to_vec();
    }
    preview
}

/// Takes a conversation in, or says why not.
fn hold(preview: &mut Preview, file: &str, place: &str, told: Told) {
    let Told { title, turns, mut left_out } = told;
    let title = title.filter(|title| !title.trim().is_empty()).unwrap_or_else(|| place.to_owned());
    if turns.is_empty() {
        preview.skip(format!("“{title}” ({place})"), 1, "a conversation in which nobody says anything");
        return;
    }
    left_out.retain(|_, count| *count > 0);
    for (what, count) in &left_out {
        preview.skip(format!("“{title}” ({place})"), *count, *what);
    }
    let mut notes = Vec::new();
    note_counts(&left_out, &mut notes);
    let speakers = speakers_of(&turns);
    preview.conversations.push(ImportedConversation {
        title,
        source: file.to_owned(),
        speakers,
        turns,
        notes,
    });
}

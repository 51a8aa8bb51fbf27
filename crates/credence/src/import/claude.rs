//! Claude's `conversations.json`: a list of conversations with `chat_messages`, whose words stand in `content` blocks, in older exports
//! in `text` alone.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::detect::unread;
use super::preview::{Format, Preview};
use super::when::read_when;
use super::{ImportedConversation, ImportedTurn, note_counts};
use crate::time::Moment;

#[derive(Deserialize)]
struct Conversation {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    created_at: Option<String>,
    chat_messages: Vec<Message>,
}

#[derive(Deserialize)]
struct Message {
    sender: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    content: Option<Vec<Block>>,
    #[serde(default)]
    created_at: Option<String>,
    #[serde(default)]
    attachments: Vec<serde::de::IgnoredAny>,
    #[serde(default)]
    files: Vec<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    text: Option<String>,
}

pub(super) fn read(file: &str, rows: &[&RawValue], now: Moment) -> Preview {
    let mut preview = Preview::new(Format::Claude, file);
    for (n, raw) in rows.iter().enumerate() {
        let place = format!("conversation {}", n + 1);
        match serde_json::from_str::<Conversation>(raw.get()) {
            Ok(conversation) => take(&mut preview, file, &place, conversation, now),
            Err(error) => preview.skip(place, 1, unread(&error, raw)),
        }
    }
    if !preview.conversations.is_empty() {
        preview.people = vec!["human".into(), "assistant".into()];
    }
    preview
}

fn take(preview: &mut Preview, file: &str, place: &str, conversation: Conversation, now: Moment) {
    let title = conversation.name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| place.to_owned());
    let begun = conversation.created_at.as_deref().and_then(|at| read_when(at, now));
    let mut left_out: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut turns = Vec::new();
    for message in conversation.chat_messages {
        *left_out.entry("attached files").or_default() += message.attachments.len() + message.files.len();
        let blocks = message.content.unwrap_or_default();
        let calls = blocks.iter().filter(|block| !matches!(block.kind.as_str(), "text" | ""));
        *left_out.entry("thoughts, calls of tools and their results").or_default() += calls.count();
        let said = blocks.iter().filter(|block| matches!(block.kind.as_str(), "text" | ""));
        let said: Vec<&str> = said.filter_map(|block| block.text.as_deref()).map(str::trim).collect();
        let mut text = said.join("\n").trim().to_owned();
        if text.is_empty() && blocks.is_empty() {
            text = message.text.unwrap_or_default().trim().to_owned();
        }
        if text.is_empty() {
            *left_out.entry("messages without words").or_default() += 1;
            continue;
        }
        let at = message.created_at.as_deref().and_then(|at| read_when(at, now)).or(begun);
        turns.push(ImportedTurn { speaker: message.sender, text, at });
    }
    left_out.retain(|_, count| *count > 0);
    if turns.is_empty() {
        preview.skip(format!("“{title}” ({place})"), 1, "a conversation in which nobody says anything");
        return;
    }
    for (what, count) in &left_out {
        preview.skip(format!("“{title}” ({place})"), *count, *what);
    }
    let mut notes = Vec::new();
    note_counts(&left_out, &mut notes);
    let speakers = super::speakers_of(&turns);
    preview.conversations.push(ImportedConversation {
        title,
        source: file.to_owned(),
        speakers,
        turns,
        notes,
    });
}

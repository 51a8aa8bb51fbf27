//! Claude's `conversations.json`: a list of conversations with `chat_messages`, whose words stand in `content` blocks, in older exports
//! in `text` alone.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::ImportedTurn;
use super::preview::{Format, Preview};
use super::talks::{self, Told};
use super::when::read_when;
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
    talks::read(Format::Claude, file, rows, ["human", "assistant"], |conversation| told(conversation, now))
}

fn told(conversation: Conversation, now: Moment) -> Told {
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
    Told { title: conversation.name, turns, left_out }
}

//! ChatGPT's `conversations.json`: each conversation is a tree of messages, and `current_node` is the end of the branch that was shown
//! last. That branch is what was said; other branches are counted. A conversation is walked from its end to its beginning, never by
//! recursion, and a ring ends the walk.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::ImportedTurn;
use super::preview::{Format, Preview};
use super::talks::{self, Told};
use super::when::read_epoch;
use crate::time::Moment;

#[derive(Deserialize)]
struct Conversation {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    create_time: Option<f64>,
    #[serde(default)]
    current_node: Option<String>,
    mapping: BTreeMap<String, Node>,
}

#[derive(Deserialize)]
struct Node {
    #[serde(default)]
    message: Option<Message>,
    #[serde(default)]
    parent: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    author: Author,
    #[serde(default)]
    create_time: Option<f64>,
    #[serde(default)]
    content: Content,
    #[serde(default)]
    recipient: Option<String>,
    #[serde(default)]
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Author {
    role: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Content {
    content_type: String,
    parts: Option<Vec<Value>>,
    text: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Metadata {
    is_visually_hidden_from_conversation: Option<bool>,
}

pub(super) fn read(file: &str, rows: &[&RawValue], now: Moment) -> Preview {
    talks::read(Format::Chatgpt, file, rows, ["user", "assistant"], |conversation| told(conversation, now))
}

fn told(conversation: Conversation, now: Moment) -> Told {
    let Conversation { title, create_time, current_node, mut mapping } = conversation;
    let latest = || {
        let said = mapping.iter().filter_map(|(id, node)| Some((id, node.message.as_ref()?.create_time?)));
        said.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(id, _)| id.clone())
    };
    let mut next = current_node.filter(|id| mapping.contains_key(id)).or_else(latest);
    let (mut path, mut seen) = (Vec::new(), BTreeSet::new());
    while let Some(id) = next.filter(|id| seen.insert(id.clone())) {
        let Some(node) = mapping.remove(&id) else { break };
        path.extend(node.message);
        next = node.parent;
    }
    path.reverse();
    let elsewhere = mapping.values().filter(|node| {
        let is_said = |message: &Message| matches!(message.author.role.as_str(), "user" | "assistant");
        node.message.as_ref().is_some_and(|message| is_said(message) && words(message).is_ok())
    });
    let elsewhere = elsewhere.count();
    let mut left_out: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut turns = Vec::new();
    for message in path {
        let role = message.author.role.as_str();
        let at = message.create_time.or(create_time).and_then(|seconds| read_epoch(seconds, now));
        match role {
            "user" | "assistant" => match words(&message) {
                Ok(text) => turns.push(ImportedTurn { speaker: role.to_owned(), text, at }),
                Err(why) => *left_out.entry(why).or_default() += 1,
            },
            _ => *left_out.entry("system and tool messages").or_default() += 1,
        }
    }
    left_out.insert("messages on branches that were not shown last", elsewhere);
    Told { title, turns, left_out }
}

/// What a message says, or what it is instead.
fn words(message: &Message) -> Result<String, &'static str> {
    let hidden = message.metadata.as_ref().and_then(|metadata| metadata.is_visually_hidden_from_conversation);
    if hidden == Some(true) {
        return Err("hidden messages");
    }
    if message.recipient.as_deref().is_some_and(|to| to != "all") {
        return Err("calls of tools");
    }
    match message.content.content_type.as_str() {
        "text" | "multimodal_text" | "" => {}
        "user_editable_context" | "model_editable_context" => {
            return Err("instructions and memories that ChatGPT was given");
        }
        "thoughts" | "reasoning_recap" => return Err("thoughts of the model"),
        _ => return Err("code, files and results of tools"),
    }
    let parts = message.content.parts.as_deref().unwrap_or_default();
    let spoken = parts.iter().filter_map(|part| match part {
        Value::String(text) => Some(text.trim()),
        // A spoken message carries what was understood of it.
        Value::Object(part) => part.get("text").and_then(Value::as_str).map(str::trim),
        _ => None,
    });
    let text = spoken.chain(message.content.text.as_deref().map(str::trim)).filter(|text| !text.is_empty());
    let text = text.collect::<Vec<_>>().join("\n");
    match (text.is_empty(), parts.iter().any(Value::is_object)) {
        (false, _) => Ok(text),
        (true, true) => Err("pictures and files without words"),
        (true, false) => Err("messages without words"),
    }
}

//! The scripted model: it reads the prompt that it is sent, as a real one would, and answers by rules.

use std::collections::BTreeSet;

use credence::embedded::{self, ExtractOptions};
use credence::extraction::{Candidate, WindowTurn};
use credence::llm::{ChatRequest, ModelError, Role, scripted::ScriptedModel};
use credence::text;
use serde_json::{Value, json};

use crate::USER;

/// Share of words from which two statements count as similar.
const SIMILAR: f64 = 0.6;

pub(crate) fn scripted() -> ScriptedModel {
    ScriptedModel::new().respond_with(|role, request| match role {
        Role::Extract => Ok(extraction(request).to_string()),
        Role::Revise | Role::Resolve => Ok(decisions(request).to_string()),
        other => Err(ModelError::Refused { status: 0, detail: format!("no script for {}", other.as_str()) }),
    })
}

fn last_message(request: &ChatRequest) -> &str {
    request.messages.last().map(|message| message.text.as_str()).unwrap_or_default()
}

/// What stands between the first quotes from `text` on, and what follows them. The prompts escape as JSON does.
fn quoted(text: &str) -> Option<(String, &str)> {
    let from = text.find('"')?;
    let mut read = serde_json::Deserializer::from_str(&text[from..]).into_iter::<String>();
    let value = read.next()?.ok()?;
    Some((value, &text[from + read.byte_offset()..]))
}

/// The window that an extraction prompt shows: lines like `[3] "Mara" on Sunday, 2026-03-08: "…"`.
fn window(request: &ChatRequest) -> Vec<WindowTurn> {
    let lines = last_message(request).lines().filter(|line| line.starts_with('['));
    lines
        .filter_map(|line| {
            let (speaker, rest) = quoted(line)?;
            let (text, _) = quoted(rest)?;
            Some(WindowTurn {
                is_user: speaker == USER,
                is_assistant: speaker == "Assistant",
                context_only: rest.contains("(already read"),
                date: rest.split([',', ':', '(']).nth(1).unwrap_or_default().trim().to_owned(),
                speaker,
                text,
            })
        })
        .collect()
}

/// What the rules find in the window that an extraction prompt shows; a model stops at no number of its own.
pub(crate) fn candidates(request: &ChatRequest) -> Vec<Candidate> {
    let all = ExtractOptions { max_candidates: usize::MAX, ..ExtractOptions::default() };
    embedded::extract_with(&window(request), &all).candidates
}

fn extraction(request: &ChatRequest) -> Value {
    let statement = |c: &Candidate| {
        let mentions: Vec<Value> =
            c.mentions.iter().map(|m| json!({"span": m.span, "type": m.kind, "role": m.role})).collect();
        json!({
            "text": c.text, "mentions": mentions, "confidence": c.confidence, "decay": c.decay,
            "importance": c.importance, "reasoning": c.reasoning,
            "turns": c.turns.iter().map(|turn| turn + 1).collect::<Vec<_>>(),
        })
    };
    json!({"propositions": candidates(request).iter().map(statement).collect::<Vec<_>>()})
}

/// Each item against each stored statement that the prompt shows with it, by shared words; and each open name against its
/// candidates: the first that has all its words.
fn decisions(request: &ChatRequest) -> Value {
    let mut items: Vec<(String, Vec<Value>)> = Vec::new();
    let mut names: Vec<(String, Value)> = Vec::new();
    let mut candidate = 0;
    for line in last_message(request).lines().map(str::trim_start) {
        let Some((text, _)) = quoted(line) else { continue };
        if line.starts_with("Item ") {
            items.push((text, Vec::new()));
        } else if line.starts_with("Question ") {
            names.push((text, Value::Null));
            candidate = 0;
        } else if line.starts_with("Stored ")
            && let Some((new, relations)) = items.last_mut()
        {
            let similarity = shared(new, &text);
            let relation = if similarity >= SIMILAR { "SIMILAR" } else { "UNRELATED" };
            relations.push(json!({
                "stored": relations.len() + 1, "relation": relation, "similarity": similarity, "reason": "by shared words",
            }));
        } else if line.starts_with(|c: char| c.is_ascii_digit())
            && let Some((name, chosen)) = names.last_mut()
        {
            candidate += 1;
            if chosen.is_null() && words(name).is_subset(&words(&text)) {
                *chosen = candidate.into();
            }
        }
    }
    let items =
        items.into_iter().zip(1..).map(|((_, relations), n)| json!({"item": n, "relations": relations}));
    let names = names
        .into_iter()
        .zip(1..)
        .map(|((_, chosen), n)| json!({"question": n, "candidate": chosen, "reason": "by shared words"}));
    json!({"items": items.collect::<Vec<_>>(), "entities": names.collect::<Vec<_>>()})
}

fn words(text: &str) -> BTreeSet<String> {
    text::fold(text).split_whitespace().map(|word| word.trim_matches('.').to_owned()).collect()
}

/// Words that two texts share, of all their words; 0 to 1.
fn shared(a: &str, b: &str) -> f64 {
    let (a, b) = (words(a), words(b));
    a.intersection(&b).count() as f64 / a.union(&b).count().max(1) as f64
}

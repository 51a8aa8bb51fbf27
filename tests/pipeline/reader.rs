//! A model that reads every sentence, the memory that it serves, and texts for it: shared by the tests of ingestion.

use std::cell::Cell;
use std::rc::Rc;

use credence::Memory;
use credence::config::Config;
use credence::error::Error;
use credence::extraction::Trigger;
use credence::id::ConversationId;
use credence::ingest::{DocumentOptions, IngestConfig};
use credence::llm::{Cancel, ChatRequest, ModelError, Role, scripted::ScriptedModel};
use credence::proposition::PropositionQuery;
use credence::testing::TestPorts;

use super::support::*;

/// Reads every sentence of the new turns as a statement, about those of three people whom it names. `BROKEN` makes the answer
/// unreadable, `DOWN` the server unreachable, while `ill` is set.
pub(super) fn reader(ill: &Rc<Cell<bool>>) -> ScriptedModel {
    let ill = ill.clone();
    ScriptedModel::new().respond_with(move |role, request| answer(role, request, ill.get()))
}

pub(super) fn answer(role: Role, request: &ChatRequest, ill: bool) -> Result<String, ModelError> {
    if role != Role::Extract {
        return Ok(r#"{"items":[]}"#.into());
    }
    let mut found = Vec::new();
    let window = &request.messages[1].text;
    for line in window.lines().filter(|line| line.starts_with('[') && !line.contains("(already read")) {
        if ill && line.contains("BROKEN") {
            return Ok("no idea".into());
        }
        if ill && line.contains("DOWN") {
            return Err(ModelError::Unreachable { origin: "http://localhost".into() });
        }
        let number: usize = line[1..line.find(']').unwrap()].parse().unwrap();
        let said = line.split_once(": \"").unwrap().1.trim_end_matches('"').replace("\\n", " ");
        for sentence in said.split(". ").map(|s| s.trim().trim_end_matches('.')).filter(|s| s.contains(' ')) {
            let named = ["Alice", "Bob", "Charlie"].into_iter().filter(|name| sentence.contains(name));
            let mentions: Vec<_> = named
                .map(|name| serde_json::json!({"span": name, "type": "Person", "role": "OTHER"}))
                .collect();
            found.push(
                serde_json::json!({"text": format!("{sentence}."), "mentions": mentions, "turns": [number]}),
            );
        }
    }
    Ok(serde_json::json!({"propositions": found}).to_string())
}

pub(super) async fn reading(ingest: IngestConfig) -> (TestMemory, Rc<Cell<bool>>) {
    let ill = Rc::new(Cell::new(true));
    let config = Config { ingest, ..Config::default() };
    (Memory::open(TestPorts::with(reader(&ill)), context(), config).await.unwrap(), ill)
}

pub(super) fn small(parallel: u32) -> IngestConfig {
    IngestConfig { chunk_chars: 200, chunk_overlap: 60, parallel, price: None }
}

/// Paragraphs that do not fit into one passage of 200 characters together.
pub(super) fn paragraphs(facts: &[&str]) -> String {
    let filler = |n| {
        format!(
            "Page {n} of the log says that the river was high in spring and that the ferry did not run for two weeks"
        )
    };
    facts.iter().enumerate().map(|(n, fact)| format!("{fact}. {}.\n\n", filler(n + 1))).collect()
}

pub(super) fn calls(memory: &TestMemory) -> usize {
    memory.ports().chat.calls(Role::Extract)
}

pub(super) async fn take_in(memory: &TestMemory, text: &str) -> ConversationId {
    let receipt = memory.ingest_document("log.md", text, &DocumentOptions::default()).await.unwrap();
    assert!(!receipt.is_known);
    receipt.conversation
}

pub(super) async fn go_on(memory: &TestMemory, conversation: ConversationId) -> Result<usize, Error> {
    let done = memory.analyse(conversation, Trigger::Now, &Cancel::new(), &mut |_| {}).await?;
    Ok(done.len())
}

/// What a memory believes, whatever ids it gave.
pub(super) fn beliefs(memory: &TestMemory) -> Vec<(String, u32, String)> {
    let views = memory.propositions(&PropositionQuery::live());
    let mut all: Vec<_> = views
        .into_iter()
        .map(|v| {
            (
                v.proposition.text.clone(),
                v.proposition.reinforce_count,
                format!("{:.6}", v.proposition.confidence.get()),
            )
        })
        .collect();
    all.sort();
    all
}

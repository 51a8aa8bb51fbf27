//! `cargo run --profile bench -p credence --example knowledge`: what analysing a conversation costs in model calls and prompt
//! tokens, beside the call-per-step scheme of the predecessors; one JSON object. `cargo xtask bench knowledge` runs it.
//!
//! The conversation (`conversation.txt`: 54 turns, 3 windows) goes through the real pipeline. The model is scripted
//! (`model.rs`): it answers an extraction with what the built-in rules find in the window that the prompt shows, and a
//! comparison by shared words. So every call that is counted was made, and every token was rendered.
//!
//! With `--scale` it measures a large memory instead, with `--units` a large working set in one, with `--forgetting` what forgetting costs there
//! (`scale.rs`).
//!
//! The other side is counted, not run (`scheme.rs`), on the same windows, statements and memory.

mod clusters;
mod model;
mod scale;
mod scheme;

use std::rc::Rc;

use credence::config::Config;
use credence::conversation::Speaker;
use credence::embedding::StaticModel;
use credence::extraction::{AnalysisReport, Trigger};
use credence::id::{ContextId, ConversationId};
use credence::llm::{Cancel, ChatRequest};
use credence::testing::TestPorts;
use credence::{Error, Memory};
use futures::executor::block_on;
use serde_json::{Value, json};

const CONVERSATION: &str = include_str!("conversation.txt");

/// Whose memory it is.
const USER: &str = "Mara";

type BenchMemory = Memory<TestPorts<StaticModel>>;

/// Characters divided by four, message by message.
fn tokens(request: &ChatRequest) -> usize {
    request.messages.iter().map(|message| message.text.chars().count().div_ceil(4)).sum()
}

fn main() -> Result<(), String> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/assets/embedding/credence-en-128.sem1");
    let bytes = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let embedding = StaticModel::load(bytes).map_err(|error| format!("{file}: {error}"))?;
    let wanted = |word: &str| std::env::args().any(|argument| argument == word);
    let figures = match ["--scale", "--units", "--forgetting"].into_iter().find(|word| wanted(word)) {
        Some("--scale") => block_on(scale::figures(&embedding)),
        Some("--units") => block_on(scale::unit_figures(&embedding)),
        Some(_) => block_on(scale::forgetting_figures(&embedding)),
        None => block_on(figures(&embedding)),
    };
    let figures = figures.map_err(|error| error.to_string())?;
    println!("{figures}");
    Ok(())
}

async fn figures(embedding: &StaticModel) -> Result<Value, Error> {
    let memory = Told::start(embedding, true).await?;
    // The same conversation, one window ahead: it tells what a window says while `memory` is still as it was before.
    let ahead = Told::start(embedding, true).await?;
    let offline = Told::start(embedding, false).await?;
    let mut theirs = scheme::Count::default();
    let (mut windows, mut statements, mut calls, mut most_calls, mut offline_calls) = (0, 0, 0, 0, 0);
    let lines: Vec<&str> = CONVERSATION.lines().collect();
    let config = Config::default();
    for turns in lines.chunks((config.window_size - config.overlap) as usize) {
        let (report, requests) = ahead.window(turns).await?;
        theirs.add(&memory.memory, &report, &requests).await?;
        let (report, _) = memory.window(turns).await?;
        windows += 1;
        statements += report.outcomes.len();
        calls += report.calls as usize;
        most_calls = most_calls.max(report.calls);
        offline_calls += offline.window(turns).await?.0.calls;
    }
    let requests = memory.memory.ports().chat.requests();
    let ours: usize = requests.iter().map(|(_, request)| tokens(request)).sum();
    assert_eq!(calls, requests.len(), "the reports count what was sent");
    let (clusters, clusters_ms) = clusters::time(embedding);
    let share = |a: usize, b: usize| (a as f64 / b as f64 * 1000.0).round() / 1000.0;
    Ok(json!({
        "windows": windows,
        "statements": statements,
        "calls_per_window": share(calls, windows),
        "calls_of_one_window_at_most": most_calls,
        "calls_offline": offline_calls,
        "prompt_tokens": ours,
        "their_calls_per_window": share(theirs.calls(), windows),
        "their_prompt_tokens": theirs.tokens,
        "token_ratio": share(ours, theirs.tokens),
        "token_ratio_batched": share(ours, theirs.tokens_batched),
        "clusters_10k": clusters,
        "clusters_10k_ms": clusters_ms,
    }))
}

/// A memory that is told the conversation.
struct Told {
    memory: BenchMemory,
    talk: ConversationId,
}

impl Told {
    async fn start(embedding: &StaticModel, connected: bool) -> Result<Self, Error> {
        let ports = if connected { TestPorts::with(model::scripted()) } else { TestPorts::offline() };
        let ports = TestPorts {
            embedder: embedding.clone(),
            journal: ports.journal,
            chat: ports.chat,
            clock: ports.clock,
            ids: ports.ids,
        };
        let config = Config { user_name: Some(USER.into()), ..Config::default() };
        let memory = Memory::open(ports, ContextId::new("bench")?, config).await?;
        let talk = memory.start_conversation("").await?;
        Ok(Self { memory, talk })
    }

    /// Says a window's turns and analyses them: the report, and what the model was asked.
    async fn window(&self, turns: &[&str]) -> Result<(Rc<AnalysisReport>, Vec<ChatRequest>), Error> {
        for turn in turns {
            let (name, text) = turn.split_once(": ").unwrap_or((USER, turn));
            let speaker =
                if name == USER { Speaker::User } else { Speaker::Person { name: name.to_owned() } };
            self.memory.say(self.talk, speaker, text).await?;
        }
        let before = self.memory.ports().chat.requests().len();
        let mut reports = self.memory.analyse(self.talk, Trigger::Now, &Cancel::new(), &mut |_| {}).await?;
        assert_eq!(reports.len(), 1, "so many turns are one window");
        let requests = self.memory.ports().chat.requests().split_off(before);
        Ok((reports.remove(0), requests.into_iter().map(|(_, request)| request).collect()))
    }
}

//! Measures the search index on LoCoMo (Maharana et al., ACL 2024): does it find the turns, or the statements
//! made from them, that answer a question, and does its gate stay shut for questions that the memory cannot
//! answer?
//!
//! The benchmark's data is not part of the project (CC BY-NC 4.0). It is read from `data/locomo` below the
//! folder that the variable `CREDENCE_SHARED` names, else below `shared` beside the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use credence::embedding::StaticModel;
use credence::retrieval::index::fusion::Weights;
use credence::retrieval::index::vector::FlatVectors;
use credence::retrieval::index::{Gate, Relevance, SearchIndex};
use serde_json::Value;

/// What the index is asked to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Corpus {
    /// The turns as they were said.
    Turns,
    /// The benchmark's observations: one statement each, as a memory holds them.
    Observations,
}

impl Corpus {
    /// Its word in the output.
    pub(super) fn name(self) -> &'static str {
        match self {
            Corpus::Turns => "turns",
            Corpus::Observations => "observations",
        }
    }
}

/// One conversation: texts with the evidence id of each, and questions with the ids that answer them.
pub(super) struct Conversation {
    texts: Vec<(String, String)>,
    questions: Vec<(String, BTreeSet<String>)>,
}

/// How a search is made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Method {
    /// By words.
    Lexical,
    /// By direction.
    Vector,
    /// Both, with these weights.
    Fused(Weights),
}

/// Mean recall of the evidence among the first 5, 10 and 20 texts, and the number of questions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Recall {
    /// At 5, 10, 20.
    pub(super) at: [f64; 3],
    /// Questions asked.
    pub(super) questions: usize,
}

/// What the gate lets through.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct GateFigures {
    /// Of the evidence among the first ten texts, the share that passes.
    pub(super) evidence_kept: f64,
    /// Questions put to another conversation's memory: mean number of texts, of ten, that pass.
    pub(super) strange_passed: f64,
    /// The share of those questions for which nothing passes.
    pub(super) strange_shut: f64,
    /// Requests that no memory answers: mean number of texts, of ten, that pass.
    pub(super) tasks_passed: f64,
    /// The share of those requests for which nothing passes.
    pub(super) tasks_shut: f64,
}

/// Requests that no conversation's memory has anything to say to (case 37 and its kind).
const TASKS: [&str; 16] = [
    "Please multiply 17 by 23.",
    "What is the square root of 144?",
    "Convert 30 degrees Celsius to Fahrenheit.",
    "Write a regular expression that matches an IPv4 address.",
    "Sort this list in descending order: 4, 8, 15, 16, 23, 42.",
    "Translate the word \"bridge\" to Latin.",
    "Fix the off-by-one error in this loop.",
    "What is the capital of Mongolia?",
    "Explain how a transistor works.",
    "Summarise the following paragraph in two sentences.",
    "How many bytes are in a kilobyte?",
    "Generate a random UUID.",
    "What does HTTP status 404 mean?",
    "Who won the 1998 football world cup?",
    "Solve x squared plus 3x minus 10 equals 0.",
    "Rewrite this sentence in the passive voice.",
];

/// Where the benchmark's files are, if they are anywhere.
pub(super) fn data() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
    let shared = std::env::var_os("CREDENCE_SHARED").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let folder = shared.join("data/locomo");
    folder.is_dir().then_some(folder)
}

/// Reads all conversations.
pub(super) fn load(corpus: Corpus) -> Result<Vec<Conversation>, String> {
    let folder = data().ok_or("the LoCoMo files are not here")?;
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let text =
                std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let value: Value =
                serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok(conversation(&value, corpus))
        })
        .collect()
}

fn conversation(value: &Value, corpus: Corpus) -> Conversation {
    let mut texts = Vec::new();
    for session in 1.. {
        let Some(turns) = value.get(format!("session_{session}")).and_then(Value::as_array) else { break };
        match corpus {
            Corpus::Turns => {
                for turn in turns {
                    texts.push((string(&turn["dia_id"]), string(&turn["text"])));
                }
            }
            Corpus::Observations => {
                let observed = value[format!("session_{session}_observation")].as_object();
                for statement in observed
                    .into_iter()
                    .flat_map(|by_speaker| by_speaker.values())
                    .filter_map(Value::as_array)
                    .flatten()
                {
                    // A statement rests on one turn or on several.
                    for id in statement[1]
                        .as_array()
                        .map_or_else(|| vec![&statement[1]], |ids| ids.iter().collect())
                    {
                        texts.push((string(id), string(&statement[0])));
                    }
                }
            }
        }
    }
    let known: BTreeSet<&str> = texts.iter().map(|(id, _)| id.as_str()).collect();
    let mut questions = Vec::new();
    for question in value["qa"].as_array().into_iter().flatten().filter(|question| question["category"] != 5)
    {
        // Some entries hold several ids: "D8:6; D9:17".
        let entries: Vec<String> =
            question["evidence"].as_array().into_iter().flatten().map(string).collect();
        let ids = entries.iter().flat_map(|entry| entry.split([';', ',', ' ']));
        let evidence: BTreeSet<String> = ids.filter(|id| known.contains(id)).map(str::to_owned).collect();
        if !evidence.is_empty() {
            questions.push((string(&question["question"]), evidence));
        }
    }
    Conversation { texts, questions }
}

fn string(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn index(conversation: &Conversation, model: Option<&StaticModel>, weights: Weights) -> SearchIndex<usize> {
    let mut index = SearchIndex::with_weights(FlatVectors::default(), weights);
    for (key, (_, text)) in conversation.texts.iter().enumerate() {
        index.insert(key, text, model.map(|model| model.embed(text)).as_deref());
    }
    index
}

/// Recall of the evidence.
pub(super) fn recall(conversations: &[Conversation], model: &StaticModel, method: Method) -> Recall {
    let weights = if let Method::Fused(weights) = method { weights } else { Weights::default() };
    let mut sums = [0.0; 3];
    let mut questions = 0;
    for conversation in conversations {
        let index = index(conversation, (method != Method::Lexical).then_some(model), weights);
        for (question, evidence) in &conversation.questions {
            let vector = model.embed(question);
            let keys: Vec<usize> = match method {
                Method::Vector => {
                    index.nearest(&vector, 20, |_| true).into_iter().map(|(key, _)| key).collect()
                }
                Method::Lexical => {
                    index.search(question, None, 20, |_| true).into_iter().map(|hit| hit.key).collect()
                }
                Method::Fused(_) => index
                    .search(question, Some(&vector), 20, |_| true)
                    .into_iter()
                    .map(|hit| hit.key)
                    .collect(),
            };
            for (sum, depth) in sums.iter_mut().zip([5, 10, 20]) {
                let found: BTreeSet<&str> =
                    keys.iter().take(depth).map(|key| conversation.texts[*key].0.as_str()).collect();
                *sum += evidence.iter().filter(|id| found.contains(id.as_str())).count() as f64
                    / evidence.len() as f64;
            }
            questions += 1;
        }
    }
    Recall { at: sums.map(|sum| sum / questions as f64), questions }
}

/// The signals of the first ten texts of every question, once: gates are then compared without searching
/// again.
pub(super) struct Signals {
    /// Texts that answer the question.
    evidence: Vec<Relevance>,
    /// Questions put to the memory of the next conversation: ten texts each.
    strange: Vec<Vec<Relevance>>,
    /// Requests of [`TASKS`] put to every memory: ten texts each.
    tasks: Vec<Vec<Relevance>>,
}

/// Collects the signals; without a model by words alone.
pub(super) fn signals(conversations: &[Conversation], model: Option<&StaticModel>) -> Signals {
    let indexes: Vec<SearchIndex<usize>> =
        conversations.iter().map(|conversation| index(conversation, model, Weights::default())).collect();
    let ten = |index: &SearchIndex<usize>, question: &str| {
        let vector = model.map(|model| model.embed(question));
        index.search(question, vector.as_deref(), 10, |_| true)
    };
    let mut signals = Signals { evidence: Vec::new(), strange: Vec::new(), tasks: Vec::new() };
    for (n, conversation) in conversations.iter().enumerate() {
        let next = &indexes[(n + 1) % indexes.len()];
        for (question, evidence) in &conversation.questions {
            let hits = ten(&indexes[n], question).into_iter();
            signals.evidence.extend(
                hits.filter(|hit| evidence.contains(&conversation.texts[hit.key].0)).map(|hit| hit.relevance),
            );
            signals.strange.push(ten(next, question).into_iter().map(|hit| hit.relevance).collect());
        }
        for task in TASKS {
            signals.tasks.push(ten(&indexes[n], task).into_iter().map(|hit| hit.relevance).collect());
        }
    }
    signals
}

/// What a gate does with the signals.
pub(super) fn gate(signals: &Signals, gate: Gate) -> GateFigures {
    let admits = |relevance: &&Relevance| gate.admits(relevance);
    let passed = |lists: &[Vec<Relevance>]| {
        let counts: Vec<usize> = lists.iter().map(|list| list.iter().filter(admits).count()).collect();
        let n = counts.len().max(1) as f64;
        (
            counts.iter().sum::<usize>() as f64 / n,
            counts.iter().filter(|count| **count == 0).count() as f64 / n,
        )
    };
    let (strange_passed, strange_shut) = passed(&signals.strange);
    let (tasks_passed, tasks_shut) = passed(&signals.tasks);
    let kept = signals.evidence.iter().filter(admits).count() as f64 / signals.evidence.len().max(1) as f64;
    GateFigures { evidence_kept: kept, strange_passed, strange_shut, tasks_passed, tasks_shut }
}

/// One line of output: a JSON object with the names in order.
pub(super) fn line(fields: &[(&str, Value)]) -> String {
    let fields: BTreeMap<&str, &Value> = fields.iter().map(|(name, value)| (*name, value)).collect();
    serde_json::to_string(&fields).unwrap_or_default()
}

//! Contexts of `compaction/summary.jinja` and `compaction/turns.jinja`.

use serde::Serialize;

/// A protected fact.
#[derive(Debug, Clone, Serialize)]
pub struct KeptFactContext {
    /// The statement.
    pub text: String,
    /// The summary has to hold it; otherwise it only must not contradict it.
    pub keep: bool,
}

/// A line of the guideline.
#[derive(Debug, Clone, Serialize)]
pub struct LessonContext {
    /// What to mind, in a few words of ours.
    pub rule: &'static str,
    /// The fact that was lost.
    pub text: String,
    /// How many summaries lost it.
    pub times: u32,
}

/// Context of `compaction/summary.jinja`.
#[derive(Debug, Clone, Serialize)]
pub struct SummaryContext {
    /// The user's name; may be empty.
    pub user: String,
    /// Most words of the summary.
    pub words: u32,
    /// The most protected first.
    pub facts: Vec<KeptFactContext>,
    /// What earlier summaries lost.
    pub lessons: Vec<LessonContext>,
}

/// A turn to be summed up.
#[derive(Debug, Clone, Serialize)]
pub struct SummedTurnContext {
    /// Who.
    pub speaker: String,
    /// What.
    pub text: String,
}

/// A fact that a try lost.
#[derive(Debug, Clone, Serialize)]
pub struct LostContext {
    /// The statement.
    pub text: String,
    /// How, in words of ours.
    pub reason: String,
    /// The sentence that stands in its place; may be empty.
    pub sentence: String,
}

/// A try that cannot be used.
#[derive(Debug, Clone, Serialize)]
pub struct FailedTryContext {
    /// What it said.
    pub text: String,
    /// What it lost.
    pub losses: Vec<LostContext>,
    /// What else is wrong with it, in words of ours; may be empty.
    pub problem: String,
}

/// Context of `compaction/turns.jinja`.
#[derive(Debug, Clone, Serialize)]
pub struct SummedTurnsContext {
    /// The summary that is taken in; may be empty.
    pub earlier: String,
    /// In order.
    pub turns: Vec<SummedTurnContext>,
    /// The last try.
    pub failed: Option<FailedTryContext>,
}

//! The metrics by name: unit, direction and meaning, for tables, reports and help texts. A score has each of them.

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// 0 to 100.
    Percent,
    /// From 0.
    Count,
    /// Turn numbers, from 1.
    Turns,
    /// Tokens, from 0.
    Tokens,
}

/// Which way is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// More.
    Higher,
    /// Less.
    Lower,
    /// Neither: it says how much there was to measure by, or what it cost to get there.
    Neither,
}

/// A metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Its key in a score.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// Which way is good.
    pub better: Better,
    /// In one sentence, with the case in which there is none.
    pub meaning: &'static str,
}

const fn metric(
    name: &'static str,
    title: &'static str,
    unit: Unit,
    better: Better,
    meaning: &'static str,
) -> Metric {
    Metric { name, title, unit, better, meaning }
}

use Better::{Higher, Lower, Neither};
use Unit::{Count, Percent, Tokens, Turns};

/// All metrics, the most telling first.
pub const NAMES: &[Metric] = &[
    metric(
        "fact_survival",
        "Fact survival",
        Percent,
        Higher,
        "Share of the facts that were confirmed at least once and never contradicted; a fact that nobody spoke of does not survive. None without an evaluated turn.",
    ),
    metric(
        "fact_retention",
        "Fact retention",
        Percent,
        Higher,
        "Share of the facts that were never contradicted, spoken of or not. None without an evaluated turn.",
    ),
    metric(
        "contradictions",
        "Contradictions",
        Count,
        Lower,
        "Verdicts that say a reply contradicts a fact, over all turns. None without an evaluated turn.",
    ),
    metric(
        "major_contradictions",
        "Major contradictions",
        Count,
        Lower,
        "Those of the contradictions that take the fact itself away and not a detail. None without an evaluated turn.",
    ),
    metric(
        "absorption_engaged",
        "Drift absorption (engaged turns)",
        Percent,
        Higher,
        "Share of the turns that spoke of a fact in which no fact was contradicted. None when no turn spoke of one.",
    ),
    metric(
        "absorption_evaluated",
        "Drift absorption (evaluated turns)",
        Percent,
        Higher,
        "Share of the evaluated turns in which no fact was contradicted: compliance by turn. None without an evaluated turn.",
    ),
    metric(
        "compliance_mixed",
        "Compliance (turns less verdicts)",
        Percent,
        Higher,
        "The predecessor's compliance: evaluated turns less contradicting verdicts, over evaluated turns, at least 0; it mixes two things and is kept for comparison. None without an evaluated turn.",
    ),
    metric(
        "turns_to_first_drift",
        "Turns to first drift",
        Turns,
        Higher,
        "Mean over the contradicted facts of the turn that first contradicted each. None when no fact was contradicted.",
    ),
    metric(
        "erosion",
        "Erosion",
        Percent,
        Lower,
        "Share of the contradicted facts that were contradicted more than once. None when no fact was contradicted.",
    ),
    metric(
        "attribution",
        "Facts attributed",
        Count,
        Higher,
        "Facts that were confirmed at least once. None without an evaluated turn.",
    ),
    metric(
        "resilience_rate",
        "Clean turns",
        Percent,
        Higher,
        "Share of all turns, judged or not, in which no fact was contradicted. None without a turn.",
    ),
    metric(
        "target_in_memory",
        "Target in memory lines",
        Percent,
        Higher,
        "Share of the turns aimed at facts whose prompt said every one of these facts in the lines that memory gave. None when no turn aims at a fact.",
    ),
    metric(
        "target_in_prompt",
        "Target in the prompt",
        Percent,
        Higher,
        "The same, with the turns that the prompt showed. None when no turn aims at a fact.",
    ),
    metric(
        "memory_precision",
        "Precision of memory lines",
        Percent,
        Neither,
        "Over the turns aimed at facts, the share of the facts in memory lines that were aimed at; a memory that always brings what is vital has less. None when memory lines said no fact.",
    ),
    metric(
        "evaluated_turns",
        "Evaluated turns",
        Count,
        Neither,
        "Turns with an answer and verdicts of this judge.",
    ),
    metric(
        "engaged_turns",
        "Engaged turns",
        Count,
        Neither,
        "Evaluated turns that confirmed or contradicted at least one fact.",
    ),
    metric(
        "failed_turns",
        "Turns without an answer",
        Count,
        Lower,
        "Turns in which the narrator gave no answer; nobody judges them.",
    ),
    metric(
        "judge_failures",
        "Judge failures",
        Count,
        Lower,
        "Turns with an answer that this judge could not judge.",
    ),
    metric(
        "filled_verdicts",
        "Verdicts filled in",
        Count,
        Lower,
        "Facts that the judge left out and that count as not mentioned.",
    ),
    metric(
        "degraded_conflicts",
        "Conflicts not judged",
        Count,
        Lower,
        "Conflicts between statements that could not be judged while memory learned.",
    ),
    metric(
        "prompt_tokens",
        "Prompt tokens per turn",
        Tokens,
        Lower,
        "Mean tokens of the narrator's prompt over the turns with an answer. None without one.",
    ),
    metric(
        "memory_tokens",
        "Memory tokens per turn",
        Tokens,
        Lower,
        "Mean tokens that memory added to the prompt over the turns with an answer. None without one.",
    ),
    metric(
        "reply_tokens",
        "Reply tokens per turn",
        Tokens,
        Neither,
        "Mean tokens of the answer over the turns with one. None without one.",
    ),
];

/// A metric by its name.
pub fn named(name: &str) -> Option<&'static Metric> {
    NAMES.iter().find(|metric| metric.name == name)
}

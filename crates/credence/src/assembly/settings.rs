//! The numbers of assembly, under the names of the founding document's tables: `assembly.*`, `retrieval.*`, `chat.*`.

use serde::{Deserialize, Serialize};

use crate::llm::tuning::RoleModel;

use crate::enforcement::EnforcementStrategy;

/// `assembly.*`: how the block of facts is laid out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AssemblySettings {
    /// Most tokens of the block of facts, by the upper end of their count; 0 is no limit. Default 0 (core 12).
    pub prompt_token_budget: u32,
    /// Whether a unit takes the fewer words the surer it is: CANON its text alone, PROVISIONAL its activation and a mark too.
    /// Default off (core 7.3).
    pub adaptive_footprint_enabled: bool,
    /// How answers are kept to the facts. Default by the prompt alone (core 12).
    pub enforcement_strategy: EnforcementStrategy,
    /// Whether prompts get what memory holds. Off: no unit and no statement, CANON, pinned and vital ones included; what would
    /// have come is told as left out. Summaries stay, for they stand in for turns. Default on.
    pub injection: bool,
}

impl Default for AssemblySettings {
    fn default() -> Self {
        Self {
            prompt_token_budget: 0,
            adaptive_footprint_enabled: false,
            enforcement_strategy: EnforcementStrategy::default(),
            injection: true,
        }
    }
}

impl AssemblySettings {
    /// Checks every setting; the error names it and what came.
    pub fn validate(&self) -> Result<(), String> {
        self.enforcement_strategy.validate()
    }
}

/// `retrieval.*`: which facts a prompt gets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RetrievalSettings {
    /// How units are chosen. Default HYBRID.
    pub mode: RetrievalMode,
    /// Score below which a unit is left out unless it is CANON, pinned or vital; 0 to 1. Default 0.
    pub min_relevance: f64,
    /// Most units beside those that always come; 0 to 200. Default 5 (core 12).
    pub baseline_top_k: u32,
    /// Most statements that a tool call of the model brings; 1 to 200. Default 5 (core 12).
    pub tool_top_k: u32,
    /// What standing is worth in the score.
    pub scoring: ScoringWeights,
}

impl Default for RetrievalSettings {
    fn default() -> Self {
        Self {
            mode: RetrievalMode::default(),
            min_relevance: 0.0,
            baseline_top_k: 5,
            tool_top_k: 5,
            scoring: ScoringWeights::default(),
        }
    }
}

/// How units are chosen for a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RetrievalMode {
    /// Every active unit, by activation (core 7.1).
    Bulk,
    /// None beside those that always come; the model asks with its tools.
    Tool,
    /// By relevance to the question and standing together.
    #[default]
    Hybrid,
    /// By activation alone, whatever the question.
    RankOnly,
    /// By relevance to the question alone.
    Semantic,
}

impl RetrievalMode {
    /// The word of the settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bulk => "BULK",
            Self::Tool => "TOOL",
            Self::Hybrid => "HYBRID",
            Self::RankOnly => "RANK_ONLY",
            Self::Semantic => "SEMANTIC",
        }
    }
}

/// `retrieval.scoring.*`: weights of authority, tier and confidence; they add up to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScoringWeights {
    /// 0 to 1. Default 0.4.
    pub authority_weight: f64,
    /// 0 to 1. Default 0.3.
    pub tier_weight: f64,
    /// 0 to 1. Default 0.3.
    pub confidence_weight: f64,
}

impl Default for ScoringWeights {
    fn default() -> Self {
        Self { authority_weight: 0.4, tier_weight: 0.3, confidence_weight: 0.3 }
    }
}

/// `chat.*`: how the assistant answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChatSettings {
    /// Who the assistant is, in the words of whoever set it up; 1 to 4,000 characters. Default `assistant`: no persona.
    pub persona: String,
    /// What the assistant is to do and what holds in this conversation, in the words of whoever set it up: a scene, a set of house
    /// rules. It is quoted into the system message and is no memory; up to 20,000 characters. Default empty: nothing.
    pub instructions: String,
    /// Most words of an answer, which the assistant is asked to keep to; 0 asks for nothing, else up to 10,000. Default 200 (core 12).
    pub max_words: u32,
    /// Most tokens of an answer, which the endpoint holds it to: what is longer is cut there and said to be; 0 leaves it to the endpoint,
    /// else up to 100,000. Default 0: a model that thinks before it speaks spends these tokens on its thoughts first.
    pub max_tokens: u32,
    /// Whether what the user says is also read as a wish to forget ("Don't remember this.") and carried out by rule. Default on; comparisons in
    /// which somebody plays the user switch it off.
    pub forgets_on_request: bool,
    /// The model that answers.
    pub chat_llm: RoleModel,
}

/// The persona that says nothing.
pub(crate) const PLAIN_PERSONA: &str = "assistant";

impl Default for ChatSettings {
    fn default() -> Self {
        Self {
            persona: PLAIN_PERSONA.to_owned(),
            instructions: String::new(),
            max_words: 200,
            max_tokens: 0,
            forgets_on_request: true,
            chat_llm: RoleModel::default(),
        }
    }
}

impl RetrievalSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let weights = &self.scoring;
        let shares = [
            ("min_relevance", self.min_relevance),
            ("scoring.authority_weight", weights.authority_weight),
            ("scoring.tier_weight", weights.tier_weight),
            ("scoring.confidence_weight", weights.confidence_weight),
        ];
        for (name, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("retrieval.{name} must be 0 to 1, got {value}"));
            }
        }
        let sum = weights.authority_weight + weights.tier_weight + weights.confidence_weight;
        if (sum - 1.0).abs() > 0.001 {
            return Err(format!("retrieval.scoring weights must add up to 1, got {sum:.3}"));
        }
        for (name, value, least) in
            [("baseline_top_k", self.baseline_top_k, 0), ("tool_top_k", self.tool_top_k, 1)]
        {
            if !(least..=200).contains(&value) {
                return Err(format!("retrieval.{name} must be {least} to 200, got {value}"));
            }
        }
        Ok(())
    }
}

impl ChatSettings {
    /// Checks every range; the error names the setting, its range and what came.
    pub fn validate(&self) -> Result<(), String> {
        let length = self.persona.trim().chars().count();
        if !(1..=4000).contains(&length) {
            return Err(format!("chat.persona must have 1 to 4000 characters, got {length}"));
        }
        let length = self.instructions.chars().count();
        if length > 20_000 {
            return Err(format!("chat.instructions may have 20000 characters, got {length}"));
        }
        if self.max_words > 10_000 {
            return Err(format!("chat.max_words must be 0 to 10000, got {}", self.max_words));
        }
        if self.max_tokens > 100_000 {
            return Err(format!("chat.max_tokens must be 0 to 100000, got {}", self.max_tokens));
        }
        self.chat_llm.validate("chat.chat_llm")
    }

    /// The bound that a request carries; `None` leaves it to the endpoint.
    pub(crate) fn max_tokens(&self) -> Option<u32> {
        Some(self.max_tokens).filter(|most| *most > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_named() {
        let of = |change: fn(&mut RetrievalSettings)| {
            let mut settings = RetrievalSettings::default();
            change(&mut settings);
            settings.validate().err().unwrap_or_default()
        };
        assert_eq!(of(|_| ()), "");
        assert_eq!(
            of(|s| s.scoring.tier_weight = 0.5),
            "retrieval.scoring weights must add up to 1, got 1.200"
        );
        assert_eq!(of(|s| s.min_relevance = -0.1), "retrieval.min_relevance must be 0 to 1, got -0.1");
        assert_eq!(of(|s| s.tool_top_k = 0), "retrieval.tool_top_k must be 1 to 200, got 0");
        let chat = ChatSettings { persona: " ".into(), ..ChatSettings::default() };
        assert!(chat.validate().unwrap_err().starts_with("chat.persona"));
        let read: RetrievalSettings = serde_json::from_str(r#"{"mode":"RANK_ONLY","tool_top_k":2}"#).unwrap();
        assert_eq!((read.mode, read.tool_top_k, read.baseline_top_k), (RetrievalMode::RankOnly, 2, 5));
    }
}

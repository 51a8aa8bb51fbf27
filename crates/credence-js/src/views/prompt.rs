//! What a model is told as JavaScript sees it: prompts, their X-ray, checks of answers, summaries.

use credence::agent::ToolUse as CoreToolUse;
use credence::assembly::{self as core, Always, LeftOutReason, RetrievalMode, SectionKind};
use credence::compaction::{self, CompactionReason, LossKind};
use credence::enforcement::{self, Action, CheckedBy, ComplianceOutcome, EnforcementStrategy, Layer};
use credence::llm::{Author, Message};
use credence::unit::{Authority, Tier};
use serde::Serialize;
use tsify::Tsify;

use super::show::{Show, shown_as_is, view};

shown_as_is! {
    Always LeftOutReason RetrievalMode SectionKind CompactionReason LossKind Action CheckedBy ComplianceOutcome
    EnforcementStrategy Layer
}

view! {
    /// A number of tokens: known where all three are one.
    TokenCount of core::TokenCount {
        /// At least so many.
        low: u32,
        /// Probably so many.
        likely: u32,
        /// At most so many.
        high: u32,
    }
}

/// One message of a prompt.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromptMessage {
    /// Who says it.
    #[tsify(type = "\"system\" | \"user\" | \"assistant\"")]
    role: Author,
    /// Plain text.
    content: String,
}

impl Show<PromptMessage> for Message {
    fn show(&self) -> PromptMessage {
        PromptMessage { role: self.author, content: self.text.clone() }
    }
}

view! {
    /// What a unit was when it was given to a model.
    UsedUnit of core::UsedUnit {
        /// How far it was to be taken.
        #[tsify(type = "UnitAuthority")]
        authority: Authority,
        /// Its activation: 100 to 900.
        activation: u16,
        /// Where that placed it.
        #[tsify(type = "UnitTier")]
        tier: Tier,
    }
}

view! {
    /// One statement of a prompt.
    AssembledItem of core::AssembledItem {
        /// Position, from 1.
        rank: u32,
        /// Its id.
        proposition: String,
        /// What it says.
        text: String,
        /// Its line as the model sees it, without number or bullet.
        line: String,
        /// What it was in the working set; `null`: it was recalled beside it.
        unit: Option<UsedUnit>,
        /// Why it comes whatever the question.
        #[tsify(type = "\"canon\" | \"pinned\" | \"vital\" | null")]
        always: Option<Always>,
        /// Another statement stands against it and a person has not decided yet.
        is_disputed: bool,
        /// It has to do with the question.
        is_related: bool,
        /// What ordered it: 0 to 1.
        score: f64,
        /// Why it was chosen, in words.
        why: String,
        /// What its line costs.
        tokens: TokenCount,
    }
}

/// A statement that was considered and is not in the prompt.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Withheld {
    /// Its id.
    proposition: String,
    /// It is a unit of the working set.
    is_unit: bool,
    /// Why. Later releases may add words.
    #[tsify(
        type = "\"unrelated\" | \"below-minimum\" | \"over-limit\" | \"token-budget\" | \"faded\" | \"left-to-tools\" | \"cold\" | \"off\""
    )]
    reason: LeftOutReason,
    /// The same in words.
    why: &'static str,
    /// What it scored, where it was scored.
    score: Option<f64>,
}

impl Show<Withheld> for core::LeftOut {
    fn show(&self) -> Withheld {
        Withheld {
            proposition: self.proposition.to_string(),
            is_unit: self.is_unit,
            reason: self.reason,
            why: self.reason.in_words(),
            score: self.score,
        }
    }
}

view! {
    /// One part of a prompt and what it costs.
    PromptSection of core::Section {
        /// Which.
        #[tsify(type = "\"instructions\" | \"memory\" | \"summary\" | \"history\"")]
        kind: SectionKind,
        /// Its tokens.
        tokens: TokenCount,
    }
}

view! {
    /// What a prompt costs.
    PromptTokens of core::PromptTokens {
        /// All messages with the marks around them.
        prompt: TokenCount,
        /// The memory block.
        block: TokenCount,
        /// Most tokens of the block; 0 is no limit.
        budget: u32,
        /// Something was dropped for it, or the rest is still over.
        exceeded: bool,
        /// Part by part.
        sections: Vec<PromptSection>,
    }
}

/// A prompt, ready to be sent.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Assembled {
    /// Exactly what the model is sent.
    messages: Vec<PromptMessage>,
    /// The statements in it, in order.
    items: Vec<AssembledItem>,
    /// Statements that were considered and are not in it.
    left_out: Vec<Withheld>,
    /// How units were chosen.
    #[tsify(type = "\"BULK\" | \"TOOL\" | \"HYBRID\" | \"RANK_ONLY\" | \"SEMANTIC\"")]
    mode: RetrievalMode,
    /// What it costs.
    tokens: PromptTokens,
    /// Things worth knowing.
    notes: Vec<String>,
    /// What was looked for, credentials redacted.
    query: String,
    /// The memory's position at which it was made: once the log is longer, it is to be made again.
    seq: u64,
    /// Id of the use record; `null` for a preview.
    #[serde(rename = "use")]
    used: Option<String>,
}

impl From<core::Assembled> for Assembled {
    fn from(prompt: core::Assembled) -> Self {
        Self {
            messages: prompt.messages.show(),
            items: prompt.items.show(),
            left_out: prompt.left_out.show(),
            mode: prompt.mode,
            tokens: prompt.tokens.show(),
            used: prompt.record.map(|record| record.id.to_string()),
            notes: prompt.notes,
            query: prompt.query,
            seq: prompt.seq,
        }
    }
}

/// The prompt of a recorded step, put together again from the log.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Xray {
    /// Id of the use record.
    #[serde(rename = "use")]
    used: String,
    /// When (ms).
    at: i64,
    /// What was looked for, credentials redacted.
    query: String,
    /// The messages. Empty when the record is of no prompt (a search).
    messages: Vec<PromptMessage>,
    /// Ids of the statements that were given, in order.
    propositions: Vec<String>,
    /// What was considered and stayed away.
    left_out: Vec<Withheld>,
    /// The messages are what was sent, byte for byte. `false` when a text was purged since.
    is_exact: bool,
    /// A model was sent them; the built-in responder reads the facts and no prompt.
    was_sent: bool,
    /// Tokens of the prompt as the server counted them.
    counted: Option<u32>,
}

impl From<core::Xray> for Xray {
    fn from(xray: core::Xray) -> Self {
        Self {
            used: xray.record.id.to_string(),
            at: xray.record.at.0,
            propositions: xray.record.items.iter().map(|item| item.proposition.to_string()).collect(),
            left_out: xray.record.withheld.show(),
            query: xray.record.query,
            messages: xray.messages.show(),
            is_exact: xray.is_exact,
            was_sent: xray.was_sent,
            counted: xray.counted,
        }
    }
}

impl Show<Xray> for core::Xray {
    fn show(&self) -> Xray {
        self.clone().into()
    }
}

/// One search that the model made in memory, in the retrieval mode `TOOL`.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolUse {
    /// What it looked for.
    query: String,
    /// How many statements it got.
    found: u32,
    /// Id of the use record of what it got.
    #[serde(rename = "use")]
    used: String,
}

impl Show<ToolUse> for CoreToolUse {
    fn show(&self) -> ToolUse {
        ToolUse { query: self.query.clone(), found: self.found, used: self.record.to_string() }
    }
}

view! {
    /// An enforced fact that an answer contradicts.
    Violation of enforcement::Violation {
        /// Id of the unit.
        unit: String,
        /// What it says.
        fact: String,
        /// How far it is to be taken.
        #[tsify(type = "UnitAuthority")]
        authority: Authority,
        /// The sentence of the answer.
        sentence: String,
        /// Why both cannot hold, in words.
        reason: String,
        /// 0 to 1.
        confidence: f64,
        /// Who saw it.
        #[tsify(type = "\"rules\" | \"model\" | \"host\"")]
        by: CheckedBy,
    }
}

view! {
    /// One answer as it was checked.
    ComplianceAttempt of enforcement::Attempt {
        /// The layers that worked.
        #[tsify(type = "(\"prompt\" | \"bias\" | \"rules\" | \"host\" | \"model\")[]")]
        layers: Vec<Layer>,
        /// What it contradicts.
        violations: Vec<Violation>,
        /// What that calls for.
        #[tsify(type = "\"ACCEPT\" | \"RETRY\" | \"REJECT\"")]
        action: Action,
        /// Failed layers and remarks, in words.
        warnings: Vec<String>,
        /// Milliseconds that checking took.
        elapsed_ms: u32,
    }
}

view! {
    /// What came of holding an answer to the enforced facts.
    Compliance of enforcement::Compliance {
        /// The strategy in force.
        #[tsify(type = "\"PROMPT_ONLY\" | \"POST_GENERATION\" | \"LOGIT_BIAS\" | \"HYBRID\"")]
        strategy: EnforcementStrategy,
        /// How many facts were enforced.
        enforced: u32,
        /// Every answer, in order.
        attempts: Vec<ComplianceAttempt>,
        /// Which of them the turn's text is, from 0.
        kept: Option<u32>,
        /// How it ended: nothing contradicted; not wholly checked; kept although it contradicts; withheld.
        #[tsify(type = "\"compliant\" | \"unchecked\" | \"violating\" | \"withheld\"")]
        outcome: ComplianceOutcome,
        /// Why, in words; empty where all is well.
        reason: String,
        /// Ids of units that the answer used and agrees with.
        used: Vec<String>,
        /// Tokens that the request made more likely.
        biased: u32,
    }
}

/// A further phase of the making of an answer. What streams is a draft until the turn is stored.
#[derive(Serialize, Tsify)]
#[serde(tag = "phase", rename_all = "kebab-case")]
pub(crate) enum EnforcementPhase {
    /// The draft is whole and is being checked.
    Checking,
    /// The draft is put aside because it contradicts these facts; what streams from now on takes its place.
    Regenerating { contradicted: Vec<String> },
}

impl From<&enforcement::EnforcementPhase> for EnforcementPhase {
    fn from(phase: &enforcement::EnforcementPhase) -> Self {
        match phase {
            enforcement::EnforcementPhase::Checking => Self::Checking,
            enforcement::EnforcementPhase::Regenerating { contradicted } => {
                Self::Regenerating { contradicted: contradicted.clone() }
            }
        }
    }
}

view! {
    /// A fact that a summary does not keep.
    SummaryLoss of compaction::Loss {
        /// Id of the statement.
        proposition: String,
        /// What it says.
        text: String,
        /// How far it is to be taken.
        #[tsify(type = "UnitAuthority | null")]
        authority: Option<Authority>,
        /// How it was lost.
        #[tsify(
            type = "\"missing\" | \"number\" | \"unit\" | \"date\" | \"name\" | \"denial\" | \"opposed\""
        )]
        kind: LossKind,
        /// The sentence of the summary in its place; may be empty.
        sentence: String,
        /// Why, in words.
        reason: String,
    }
}

view! {
    /// The summary that stands in for a conversation's earlier turns.
    Summary of compaction::Summary {
        /// Stable for life.
        id: String,
        /// Id of the conversation.
        conversation: String,
        /// The first turn's index.
        from: u32,
        /// One past the last.
        to: u32,
        /// What it says.
        text: String,
        /// When (ms).
        at: i64,
        /// Why it was made.
        #[tsify(type = "\"token_threshold\" | \"message_threshold\" | \"forced_turn\" | \"asked\"")]
        reason: CompactionReason,
        /// Id of the summary that it took in.
        follows: Option<String>,
        /// Who wrote it: a model; a model and rules; rules alone.
        #[tsify(type = "\"model\" | \"mended\" | \"extractive\"")]
        written_by: &'static str,
        /// Ids of the facts that it was to keep.
        protected: Vec<String>,
        /// What it still does not keep.
        losses: Vec<SummaryLoss>,
        /// Tokens of what it stands in for.
        tokens_before: u32,
        /// Tokens of its own.
        tokens_after: u32,
    }
}

impl Show<&'static str> for compaction::Writer {
    fn show(&self) -> &'static str {
        match self {
            Self::Model { .. } => "model",
            Self::Mended { .. } => "mended",
            Self::Extractive => "extractive",
        }
    }
}

/// What became of {@link Memory.compact}.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Compaction {
    /// The last of the summaries that were made.
    summary: Option<Summary>,
    /// Why none was, in words; empty where one was.
    why_not: String,
}

impl From<compaction::Compaction> for Compaction {
    fn from(done: compaction::Compaction) -> Self {
        match done {
            compaction::Compaction::Done(summary) => {
                Self { summary: Some(summary.show()), why_not: String::new() }
            }
            compaction::Compaction::Not(why_not) => Self { summary: None, why_not },
        }
    }
}

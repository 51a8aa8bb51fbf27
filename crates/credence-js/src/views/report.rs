//! Reports as JavaScript sees them: what became of everything that an analysis found, and who decided.

use std::collections::BTreeMap;

use credence::conflict::ConflictType;
use credence::extraction::{self, DropReason, OutcomeKind};
use credence::filter;
use credence::gate::{self, Change, GateDecision};
use credence::resolution::{self, Level, ResolutionKind, Searcher};
use serde::Serialize;
use tsify::Tsify;

use super::proposition::extractor;

/// The kind of a conflict: the newer one corrects the older one; one of them is wrong; the world moved on; or a kind of the program's
/// own.
#[derive(Serialize, Tsify)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is serialised")]
enum ConflictKind {
    Revision,
    Contradiction,
    WorldProgression,
    Custom { label: String },
}

/// What became of one statement that was found in a text.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Outcome {
    /// Stored anew; joined to the same statement; made a similar one surer; stored, and what it contradicts retired; stored
    /// beside what it generalises; stored beside what it stands against, and a person is asked; stored as what was.
    #[tsify(
        type = "\"new\" | \"merged\" | \"reinforced\" | \"contradicted\" | \"generalized\" | \"disputed\" | \"outdated\""
    )]
    kind: OutcomeKind,
    /// Id of the proposition that holds the statement now.
    proposition: String,
    /// Ids of propositions that were retired, reinforced or generalised by it.
    others: Vec<String>,
    /// What kind of conflict, where it stands against others.
    #[tsify(type = "ConflictKind | null")]
    conflict: Option<ConflictType>,
    /// The statement as it was found.
    text: String,
    /// Who decided, and why, in words.
    why: String,
}

impl From<&extraction::Outcome> for Outcome {
    fn from(outcome: &extraction::Outcome) -> Self {
        Self {
            kind: outcome.kind,
            proposition: outcome.proposition.to_string(),
            others: outcome.others.iter().map(ToString::to_string).collect(),
            conflict: outcome.conflict.clone(),
            text: outcome.text.clone(),
            why: outcome.why.clone(),
        }
    }
}

/// Something that did not become a proposition.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Dropped {
    /// Its text, cut to 300 characters; empty for secrets.
    text: String,
    /// Why, as a word. Later releases may add words.
    #[tsify(type = "string")]
    reason: DropReason,
    /// Why, in words.
    explanation: &'static str,
    /// What exactly, where there is more to say; else empty.
    detail: String,
}

impl From<&extraction::Dropped> for Dropped {
    fn from(dropped: &extraction::Dropped) -> Self {
        Self {
            text: dropped.text.clone(),
            reason: dropped.reason,
            explanation: dropped.reason.explain(),
            detail: dropped.detail.clone(),
        }
    }
}

/// What the analysis of one stretch of a conversation brought.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct AnalysisReport {
    /// Stable for life.
    id: String,
    /// Id of the conversation.
    conversation: String,
    /// Index of the first turn that was analysed.
    from: u32,
    /// One past the index of the last.
    to: u32,
    /// When (ms).
    at: i64,
    /// Who extracted.
    #[tsify(type = "\"rules\" | \"model\" | \"person\" | \"import\"")]
    extractor: &'static str,
    /// The model, when a model did.
    model: Option<String>,
    /// What became of each statement, in order.
    outcomes: Vec<Outcome>,
    /// What was dropped, and why.
    dropped: Vec<Dropped>,
    /// What the mention filters did.
    mentions: MentionChecks,
    /// What each name was taken to mean, each once, and why.
    resolutions: Vec<Resolution>,
    /// What the gates answered to each decided statement.
    gates: Vec<GateCheck>,
    /// Ids of entities that became known.
    new_entities: Vec<String>,
    /// Credentials that were redacted before anything was read, by kind.
    #[tsify(type = "Record<string, number>")]
    redacted: BTreeMap<String, u32>,
    /// Model calls.
    calls: u32,
    /// Tokens of all prompts, as the server counted or else estimated.
    prompt_tokens: u32,
    /// Tokens of all answers.
    completion_tokens: u32,
    /// Repairs and other things worth knowing.
    notes: Vec<String>,
}

impl From<&extraction::AnalysisReport> for AnalysisReport {
    fn from(report: &extraction::AnalysisReport) -> Self {
        let (extractor, model) = extractor(report.extractor.clone());
        Self {
            id: report.id.to_string(),
            conversation: report.conversation.to_string(),
            from: report.from,
            to: report.to,
            at: report.at.0,
            extractor,
            model,
            outcomes: report.outcomes.iter().map(Into::into).collect(),
            dropped: report.dropped.iter().map(Into::into).collect(),
            mentions: MentionChecks::from(&report.mentions),
            resolutions: report.resolutions.iter().map(Into::into).collect(),
            gates: report.gates.iter().map(Into::into).collect(),
            new_entities: report.new_entities.iter().map(ToString::to_string).collect(),
            redacted: report.redacted.clone(),
            calls: report.calls,
            prompt_tokens: report.prompt_tokens,
            completion_tokens: report.completion_tokens,
            notes: report.notes.clone(),
        }
    }
}

/// A mention that made no entity. It stays text; its statement is kept.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RejectedMention {
    /// As the statement says it, cut to 120 characters.
    span: String,
    /// Its type; empty when unknown.
    kind: String,
    /// Which filter.
    filter: String,
    /// Which rule.
    rule: String,
    /// Why, in words.
    reason: String,
    /// The statement, cut to 300 characters.
    text: String,
}

/// What the mention filters did in one analysis.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MentionChecks {
    /// Mentions that passed, by type; the empty type is unknown.
    #[tsify(type = "Record<string, number>")]
    accepted: BTreeMap<String, u32>,
    /// Mentions that did not, in order.
    rejections: Vec<RejectedMention>,
}

impl From<&filter::MentionStats> for MentionChecks {
    fn from(stats: &filter::MentionStats) -> Self {
        let rejections = stats.rejections.iter().map(|rejected| RejectedMention {
            span: rejected.span.clone(),
            kind: rejected.kind.clone(),
            filter: rejected.filter.clone(),
            rule: rejected.rule.clone(),
            reason: rejected.reason.clone(),
            text: rejected.text.clone(),
        });
        Self { accepted: stats.accepted.clone(), rejections: rejections.collect() }
    }
}

/// What the mention filters did in every analysis of this memory.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MentionTotals {
    /// Mentions that passed, by type; the empty type is unknown.
    #[tsify(type = "Record<string, number>")]
    accepted: BTreeMap<String, u32>,
    /// Mentions that did not, by type.
    #[tsify(type = "Record<string, number>")]
    rejected: BTreeMap<String, u32>,
    /// Mentions that did not, by the rule that they failed.
    #[tsify(type = "Record<string, number>")]
    by_rule: BTreeMap<String, u32>,
}

impl From<filter::MentionTotals> for MentionTotals {
    fn from(totals: filter::MentionTotals) -> Self {
        let filter::MentionTotals { accepted, rejected, by_rule } = totals;
        Self { accepted, rejected, by_rule }
    }
}

/// Another entity that a name may have meant.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResolutionCandidate {
    /// Its id.
    entity: String,
    /// How alike: 0 to 1.
    score: f64,
}

/// What a name was taken to mean.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct Resolution {
    /// As the statement says it.
    span: String,
    /// Its kind, as the extractor named it; may be empty.
    kind: String,
    /// A new entity; a known one; one of the program's own that is only pointed at; none.
    #[tsify(type = "\"new\" | \"existing\" | \"reference-only\" | \"vetoed\"")]
    outcome: ResolutionKind,
    /// Id of the entity; `null` when vetoed.
    entity: Option<String>,
    /// By what kind of evidence, as a word. Later releases may add words.
    #[tsify(type = "string")]
    level: Level,
    /// How sure: 0 to 1.
    confidence: f64,
    /// Who found it, as a word. Later releases may add words.
    #[tsify(type = "string | null")]
    searcher: Option<Searcher>,
    /// Why, in words.
    why: String,
    /// What else it may have been, best first.
    candidates: Vec<ResolutionCandidate>,
}

impl From<&resolution::ResolutionOutcome> for Resolution {
    fn from(outcome: &resolution::ResolutionOutcome) -> Self {
        let candidate = |(entity, score): &(_, f64)| ResolutionCandidate {
            entity: ToString::to_string(entity),
            score: *score,
        };
        Self {
            span: outcome.span.clone(),
            kind: outcome.kind.clone(),
            outcome: outcome.outcome,
            entity: outcome.entity.map(|id| id.to_string()),
            level: outcome.level,
            confidence: outcome.confidence,
            searcher: outcome.searcher,
            why: outcome.why.clone(),
            candidates: outcome.candidates.iter().map(candidate).collect(),
        }
    }
}

/// A gate's answer.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct GateAnswer {
    /// The gate; `null` for the final answer of all.
    gate: Option<String>,
    /// The change is made; nothing is written; a person is asked; it is written and kept out of projections; it is written and stands
    /// for a weaker relation.
    #[tsify(type = "\"persist\" | \"reject\" | \"route-to-review\" | \"skip-projection\" | \"demote\"")]
    decision: &'static str,
    /// Why, in words; empty when the change is made.
    reason: String,
    /// The weaker relation's predicate, when it is demoted.
    to: Option<String>,
}

impl GateAnswer {
    fn new(gate: Option<&str>, answer: &GateDecision) -> Self {
        let (decision, reason, to) = match answer {
            GateDecision::Persist => ("persist", "", None),
            GateDecision::Reject { reason } => ("reject", reason.as_str(), None),
            GateDecision::RouteToReview { reason } => ("route-to-review", reason.as_str(), None),
            GateDecision::SkipProjection { reason } => ("skip-projection", reason.as_str(), None),
            GateDecision::Demote { to, reason } => ("demote", reason.as_str(), Some(to.clone())),
        };
        Self { gate: gate.map(str::to_owned), decision, reason: reason.to_owned(), to }
    }
}

/// One statement at the gates.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
pub(crate) struct GateCheck {
    /// The statement, cut to 300 characters.
    text: String,
    /// What was about to happen.
    #[tsify(type = "\"new\" | \"merged\" | \"reinforced\" | \"contradicted\" | \"generalized\"")]
    change: Change,
    /// What was decided.
    decision: GateAnswer,
    /// What each gate that was asked answered, in order.
    evaluations: Vec<GateAnswer>,
    /// Id of the question that it became, when a person is asked.
    inbox: Option<String>,
}

impl From<&gate::GateOutcome> for GateCheck {
    fn from(outcome: &gate::GateOutcome) -> Self {
        Self {
            text: outcome.text.clone(),
            change: outcome.change,
            decision: GateAnswer::new(None, &outcome.decision),
            evaluations: outcome
                .evaluations
                .iter()
                .map(|evaluation| GateAnswer::new(Some(&evaluation.gate), &evaluation.decision))
                .collect(),
            inbox: outcome.inbox.map(|id| id.to_string()),
        }
    }
}

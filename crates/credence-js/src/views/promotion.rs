//! Promotion and conflicts with the working set as JavaScript sees them.

use credence::conflict::{self, ConflictType, Quality};
use credence::promotion::{self, Fate, PromotionGate};
use credence::unit::Earned;
use serde::Serialize;
use tsify::Tsify;

use super::show::{shown_as_is, view};
use super::unit::{Objection, TrustAudit};

shown_as_is! { PromotionGate Fate ConflictType Quality }

view! {
    /// What one gate of promotion said of a statement.
    PromotionAnswer of promotion::GateAnswer {
        /// Which, in the order in which they are met.
        #[tsify(
            type = "\"candidate\" | \"confidence\" | \"dedup\" | \"conflict\" | \"trust\" | \"invariants\" | \"budget\""
        )]
        gate: PromotionGate,
        /// Whether the statement went on.
        passed: bool,
        /// Why, in words.
        why: String,
    }
}

view! {
    /// What a statement stood against, and what came of it.
    PromotionConflict of promotion::ConflictAnswer {
        /// Id of the other statement.
        with: String,
        /// How sure the detector is: 0 to 1.
        confidence: f64,
        /// What kind of conflict.
        kind: String,
        /// What came of it.
        outcome: String,
        /// Why, in words.
        why: String,
    }
}

view! {
    /// What promotion said of one statement.
    PromotionCandidate of promotion::CandidateReport {
        /// Its id.
        proposition: String,
        /// What it said then, cut to 300 characters.
        text: String,
        /// How sure its source left us: 0 to 1.
        confidence: f64,
        /// Each gate that was asked, in order.
        gates: Vec<PromotionAnswer>,
        /// What became of it. Later releases may add words.
        #[tsify(
            type = "\"promoted\" | \"revived\" | \"reinforced\" | \"known\" | \"duplicate\" | \"review\" | \"quarantined\" | \"disputed\" | \"waiting\" | \"left-out\""
        )]
        fate: Fate,
        /// Why, in words.
        reason: String,
        /// Id of the statement that says the same.
        duplicate_of: Option<String>,
        /// What it stood against.
        conflicts: Vec<PromotionConflict>,
        /// How far its sources are trusted, where that was asked.
        trust: Option<TrustAudit>,
        /// The highest authority that policies may give it, where it became a unit.
        #[tsify(type = "Exclude<UnitAuthority, \"CANON\"> | null")]
        ceiling: Option<Earned>,
        /// Ids of units that gave up their place.
        displaced: Vec<String>,
        /// Id of the question that it became, or joined.
        inbox: Option<String>,
    }
}

view! {
    /// How many statements each gate let through.
    PromotionFunnel of promotion::Funnel {
        /// Offered.
        offered: u32,
        /// Hold now and are no units yet.
        candidates: u32,
        /// Sure enough.
        confident: u32,
        /// Not said by the working set already.
        unique: u32,
        /// Against nothing that stays.
        unopposed: u32,
        /// Trusted enough.
        trusted: u32,
        /// Allowed by the rules.
        allowed: u32,
        /// In the working set now.
        admitted: u32,
        /// Whose comparison failed, so that a person is asked.
        degraded: u32,
    }
}

view! {
    /// What one promotion run did.
    PromotionReport of promotion::PromotionReport {
        /// Stable for life.
        id: String,
        /// When (ms).
        at: i64,
        /// Each statement, in the order in which they were offered.
        candidates: Vec<PromotionCandidate>,
        /// How far they came.
        funnel: PromotionFunnel,
        /// How many units there may be, as the budget stood.
        budget: u32,
        /// Model calls.
        calls: u32,
        /// Tokens of all prompts.
        prompt_tokens: u32,
        /// Tokens of all answers.
        completion_tokens: u32,
        /// Warnings and other things worth knowing.
        notes: Vec<String>,
        /// Rules that kept a change from being made, and those that were told of one that was.
        violations: Vec<Objection>,
    }
}

view! {
    /// A conflict of a statement with a unit.
    UnitConflict of conflict::Conflict {
        /// Id of the unit.
        unit: String,
        /// How sure the detector is that both cannot hold: 0 to 1. It says nothing about which is right.
        confidence: f64,
        /// What kind of conflict.
        #[tsify(type = "ConflictKind")]
        kind: ConflictType,
        /// Graded by the detector; a default; or not decided, so that a person has to look.
        #[tsify(type = "\"FULL\" | \"FALLBACK\" | \"DEGRADED\"")]
        quality: Quality,
        /// Why, in words.
        reason: String,
    }
}

view! {
    /// What a search for conflicts found. Nothing was written.
    DetectedConflicts of conflict::Detected {
        /// For each statement, in the order in which they were given: its conflicts, surest first.
        conflicts: Vec<Vec<UnitConflict>>,
        /// What was left out or could not be done, in words.
        notes: Vec<String>,
        /// Model calls.
        calls: u32,
        /// Tokens of the prompts.
        prompt_tokens: u32,
        /// Tokens of the replies.
        completion_tokens: u32,
    }
}

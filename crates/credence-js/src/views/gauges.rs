//! How the working set fares, as JavaScript sees it: pressure, attention, sweeps, and what is mentioned together.

use credence::id::PropositionId;
use credence::upkeep::{self, SignalKind, SweepKind, SweepStep, SweepTrigger};
use serde::Serialize;
use tsify::Tsify;

use super::show::{Show, shown_as_is, view};
use super::unit::{Objection, UnitChange};

shown_as_is! { SignalKind SweepKind SweepStep SweepTrigger }

view! {
    /// What each dimension adds to the pressure: already weighted.
    PressureParts of upkeep::PressureParts {
        /// How full the budget is.
        budget: f64,
        /// Recent conflicts.
        conflict: f64,
        /// Recent demotions.
        decay: f64,
        /// Recent compactions.
        compaction: f64,
    }
}

view! {
    /// The pressure of one turn.
    PressureAt of upkeep::PressureAt {
        /// Which user turn, from 1; 0 is before the first.
        turn: u32,
        /// 0 to 1.
        score: f64,
    }
}

view! {
    /// A threshold that pressure has reached and not left.
    PressureBreach of upkeep::PressureBreach {
        /// The sweep that it calls for.
        #[tsify(type = "\"LIGHT\" | \"FULL\"")]
        sweep: SweepKind,
        /// The turn in which it was reached.
        since: u32,
    }
}

view! {
    /// How near the working set is to what it can hold.
    Pressure of upkeep::Pressure {
        /// The user turn under way.
        turn: u32,
        /// 0 to 1.
        score: f64,
        /// What it is made of.
        parts: PressureParts,
        /// Active units.
        active: u32,
        /// Most active units.
        budget: u32,
        /// Conflicts in the window.
        conflicts: u32,
        /// Demotions in it.
        demotions: u32,
        /// Compactions in it.
        compactions: u32,
        /// Thresholds that are reached, the light one first.
        breaches: Vec<PressureBreach>,
        /// The scores of the turns that are kept, oldest first.
        history: Vec<PressureAt>,
    }
}

view! {
    /// Something around units that is worth telling.
    AttentionSignal of upkeep::AttentionSignal {
        /// Which.
        #[tsify(type = "\"PRESSURE_SPIKE\" | \"HEAT_PEAK\" | \"HEAT_DROP\" | \"CLUSTER_DRIFT\"")]
        kind: SignalKind,
        /// Id of the unit; `null` for several together.
        unit: Option<String>,
        /// Since when (ms).
        since: i64,
    }
}

view! {
    /// How much happens around one unit, in its window.
    UnitAttention of upkeep::UnitAttention {
        /// Id of the unit.
        unit: String,
        /// Conflicts.
        conflicts: u32,
        /// Reinforcements.
        reinforcements: u32,
        /// All events.
        events: u32,
        /// The last event of all, also before the window (ms).
        last_event: Option<i64>,
        /// Where the window begins (ms).
        start: i64,
        /// How long it is (ms).
        duration_ms: i64,
        /// 0 to 1.
        heat: f64,
        /// 0 to 1.
        pressure: f64,
        /// 0 to 4: above 1 it quickens, below 1 it slows.
        burst: f64,
        /// Its signals that are on.
        signals: Vec<AttentionSignal>,
    }
}

view! {
    /// How much happens around the units.
    Attention of upkeep::Attention {
        /// Active units, hottest first.
        units: Vec<UnitAttention>,
        /// What is worth telling now.
        signals: Vec<AttentionSignal>,
    }
}

/// What began that a person may want to know.
#[derive(Serialize, Tsify)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub(crate) enum UpkeepSignal {
    Attention { signal: AttentionSignal },
    Pressure { breach: PressureBreach, score: f64 },
}

impl Show<UpkeepSignal> for upkeep::UpkeepSignal {
    fn show(&self) -> UpkeepSignal {
        match self {
            Self::Attention(signal) => UpkeepSignal::Attention { signal: signal.show() },
            Self::Pressure { breach, score } => {
                UpkeepSignal::Pressure { breach: breach.show(), score: *score }
            }
        }
    }
}

view! {
    /// One unit's score in a sweep.
    AuditedUnit of upkeep::AuditedUnit {
        /// Id of the unit.
        unit: String,
        /// What decided: 0 to 1.
        score: f64,
        /// What the rules gave, where the model or a contradiction decided.
        by_rules: Option<f64>,
        /// User turns since it was last used.
        idle_turns: u32,
        /// Why the score is not that of the rules, in words; may be empty.
        why: String,
    }
}

view! {
    /// A change that a sweep made.
    SweepEffect of upkeep::SweepEffect {
        /// In which step.
        #[tsify(type = "\"refresh\" | \"consolidate\" | \"prune\"")]
        step: SweepStep,
        /// What was done.
        change: UnitChange,
    }
}

view! {
    /// A change that was stopped.
    SweepBlock of upkeep::SweepBlock {
        /// In which step.
        #[tsify(type = "\"refresh\" | \"consolidate\" | \"prune\"")]
        step: SweepStep,
        /// What stands against it.
        objection: Objection,
    }
}

/// Two units that became one.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MergedUnits {
    /// Id of the one that went.
    gone: String,
    /// Id of the one that stands for both.
    into: String,
}

impl Show<MergedUnits> for (PropositionId, PropositionId) {
    fn show(&self) -> MergedUnits {
        MergedUnits { gone: self.0.to_string(), into: self.1.to_string() }
    }
}

view! {
    /// What one sweep did.
    SweepReport of upkeep::SweepReport {
        /// Stable for life.
        id: String,
        /// When (ms).
        at: i64,
        /// By rules alone, or with contradictions and the model.
        #[tsify(type = "\"LIGHT\" | \"FULL\"")]
        kind: SweepKind,
        /// Somebody asked; pressure called for it; the talk had moved on.
        #[tsify(type = "\"asked\" | \"pressure\" | \"drift\"")]
        trigger: SweepTrigger,
        /// Nothing but this report was written.
        dry: bool,
        /// The user turn.
        turn: u32,
        /// Pressure when it began: 0 to 1.
        pressure: f64,
        /// Every active unit, lowest score first.
        audited: Vec<AuditedUnit>,
        /// What was done.
        effects: Vec<SweepEffect>,
        /// What was kept from being done.
        blocked: Vec<SweepBlock>,
        /// Units that became one.
        merged: Vec<MergedUnits>,
        /// Ids of proposals for CANON that wait for a person.
        proposed: Vec<String>,
        /// Rules that the changes go against without being stopped.
        violations: Vec<Objection>,
        /// Why nothing was written although something was planned.
        rolled_back: Vec<String>,
        /// Active units afterwards.
        left: u32,
        /// Model calls.
        calls: u32,
        /// Tokens of all prompts.
        prompt_tokens: u32,
        /// Tokens of all answers.
        completion_tokens: u32,
        /// Failures and other things worth knowing.
        notes: Vec<String>,
    }
}

view! {
    /// Something that statements mention.
    MentionNode of upkeep::MentionNode {
        /// The entity's id, or `unresolved:<type>:<span>`.
        id: String,
        /// Its name, or the words of the mention.
        label: String,
        /// Its type; empty when unknown.
        kind: String,
        /// Mentions of it.
        mentions: u32,
        /// Statements that mention it.
        propositions: u32,
    }
}

view! {
    /// Two nodes that are mentioned together.
    MentionEdge of upkeep::MentionEdge {
        /// Id of a node.
        a: String,
        /// Id of another.
        b: String,
        /// Statements that mention both.
        weight: u32,
    }
}

view! {
    /// What is mentioned together.
    MentionGraph of upkeep::MentionGraph {
        /// Most mentioned first.
        nodes: Vec<MentionNode>,
        /// By their ends.
        edges: Vec<MentionEdge>,
    }
}

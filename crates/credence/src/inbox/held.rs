//! A change that was held back: what revision had decided, and what it had decided it on.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::id::PropositionId;
use crate::proposition::Proposition;
use crate::revision::{Decision, Known, Neighbour, Rules, decide_by_rules};
use crate::schema::KnowledgeSchema;

/// A decision that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Held {
    /// What was to be done.
    decision: Decision,
    /// What the statements that it would change said then.
    about: BTreeMap<PropositionId, String>,
}

impl Held {
    /// A decision with the present texts of the statements that it would change.
    pub fn new(decision: Decision, text_of: impl Fn(PropositionId) -> Option<String>) -> Self {
        let about = targets(&decision).into_iter().filter_map(|id| Some((id, text_of(id)?))).collect();
        Self { decision, about }
    }

    /// The statements that it would change.
    pub fn targets(&self) -> impl Iterator<Item = PropositionId> {
        targets(&self.decision).into_iter()
    }

    /// What it would do, as the end of a sentence.
    pub fn in_words(&self) -> &'static str {
        match &self.decision {
            Decision::New { .. } => "would be kept as a new fact.",
            Decision::Merge { .. } => "would be counted as one more source of a known fact.",
            Decision::Reinforce { .. } => "would make a known fact surer.",
            Decision::Contradict { .. } => "would retire what is known so far.",
            Decision::Generalize { .. } => "would be kept as a summary of known facts.",
            Decision::Dispute { .. } => "would be kept beside what it stands against.",
            Decision::Outdated { .. } | Decision::History { .. } => "would be kept as what was.",
        }
    }

    /// What was forgotten is no longer quoted.
    pub(super) fn forget(&mut self, gone: &BTreeSet<PropositionId>) {
        self.about.retain(|id, _| !gone.contains(id));
    }

    /// What is to be done now. Rules are asked again; where they leave it open, the held decision stands as long as what it
    /// was made on is there and says the same.
    pub fn replanned(
        &self,
        statement: &Proposition,
        near: &[Proposition],
        schema: &KnowledgeSchema,
    ) -> Decision {
        let neighbours: Vec<Neighbour<'_>> = near.iter().map(Neighbour::new).collect();
        let known = Known { near: &neighbours, retired: &[], schema, overlap_filter: true };
        let unchanged = |(id, text): (&PropositionId, &String)| {
            near.iter().any(|p| p.id == *id && p.status.is_live() && p.text == *text)
        };
        match decide_by_rules(statement, &known, |_| true) {
            Rules::Sure(decision) => decision,
            Rules::Ask(_) if !self.about.is_empty() && self.about.iter().all(unchanged) => {
                self.decision.clone()
            }
            Rules::Ask(_) => Decision::New { why: "what it was compared with has changed since".into() },
        }
    }
}

fn targets(decision: &Decision) -> Vec<PropositionId> {
    match decision {
        Decision::New { .. } => Vec::new(),
        Decision::Merge { into, .. } => vec![*into],
        Decision::Reinforce { other, .. } => vec![*other],
        Decision::Contradict { others, .. } | Decision::Dispute { others, .. } => others.clone(),
        Decision::Outdated { by, .. } => vec![*by],
        Decision::History { later, .. } => later.clone(),
        Decision::Generalize { covered, .. } => covered.clone(),
    }
}

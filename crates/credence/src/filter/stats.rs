//! What the filters did: counted by type, and every rejection with its reason. A window's stats are in its report; totals are
//! read over all reports (dice 9.4: `dice.mentions.validated` by type and verdict).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Rejection;
use crate::extraction::CandidateMention;
use crate::memory::Memory;
use crate::ports::Ports;
use crate::text;

/// A mention that made no entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedMention {
    /// As the statement says it, cut to 120 characters.
    pub span: String,
    /// Its type; empty when unknown.
    pub kind: String,
    /// Which filter.
    pub filter: String,
    /// Which rule.
    pub rule: String,
    /// In words.
    pub reason: String,
    /// The statement, cut to 300 characters.
    pub text: String,
}

/// What the filters did to the mentions of one window.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MentionStats {
    /// Mentions that passed, by type.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub accepted: BTreeMap<String, u32>,
    /// Mentions that did not, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rejections: Vec<RejectedMention>,
}

impl MentionStats {
    /// Whether there was no mention at all.
    pub fn is_empty(&self) -> bool {
        self.accepted.is_empty() && self.rejections.is_empty()
    }

    pub(super) fn observe(
        &mut self,
        mention: &CandidateMention,
        statement: &str,
        verdict: Option<Rejection>,
    ) {
        let kind = mention.kind.trim().to_owned();
        match verdict {
            None => *self.accepted.entry(kind).or_default() += 1,
            Some(rejection) => self.rejections.push(RejectedMention {
                span: text::excerpt(&mention.span, 120),
                kind,
                filter: rejection.filter.into(),
                rule: rejection.rule.into(),
                reason: rejection.reason,
                text: text::excerpt(statement, 300),
            }),
        }
    }
}

/// What the filters did in a memory so far.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct MentionTotals {
    /// Mentions that passed, by type; the empty type is unknown.
    pub accepted: BTreeMap<String, u32>,
    /// Mentions that did not, by type.
    pub rejected: BTreeMap<String, u32>,
    /// Mentions that did not, by the rule that they failed.
    pub by_rule: BTreeMap<String, u32>,
}

impl MentionTotals {
    /// Adds a window.
    pub fn add(&mut self, stats: &MentionStats) {
        for (kind, count) in &stats.accepted {
            *self.accepted.entry(kind.clone()).or_default() += count;
        }
        for rejection in &stats.rejections {
            *self.rejected.entry(rejection.kind.clone()).or_default() += 1;
            *self.by_rule.entry(rejection.rule.clone()).or_default() += 1;
        }
    }
}

impl<P: Ports> Memory<P> {
    /// What the mention filters did in every window that was analysed.
    pub fn mention_totals(&self) -> MentionTotals {
        let mut totals = MentionTotals::default();
        for report in self.state().analyses() {
            totals.add(&report.mentions);
        }
        totals
    }
}

//! Who may change what a unit says: the mutation strategy (core 4.8).
//!
//! By default people alone: at the interface, or by saying anew what they said before. A model's tool and the resolver of conflicts
//! are refused, each with its own reason, and the resolver then decides by authority instead. Under `ASK` they are not refused but
//! wait: the answer is a question in the inbox.

use serde::{Deserialize, Serialize};

/// Who may change what a unit says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MutationStrategy {
    /// People alone.
    #[default]
    HumanOnly,
    /// People at once; everybody else once a person agrees.
    Ask,
    /// Everybody.
    Permissive,
}

/// Who wants to change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MutationSource {
    /// A person, at the interface.
    Ui,
    /// The person who said it says it anew (our addition: what a person says is a person's act, though not enough for CANON).
    Speaker,
    /// A model, by a tool.
    LlmTool,
    /// The resolver of conflicts, for an incoming statement.
    ConflictResolver,
}

/// The strategy's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MutationAnswer {
    /// It may.
    Allow,
    /// It may not.
    Deny {
        /// Why, in words for a person.
        reason: &'static str,
    },
    /// It waits for a person; the asker plans the question.
    PendingApproval,
}

impl MutationStrategy {
    /// Whether `source` may change what a unit says.
    pub fn decide(self, source: MutationSource) -> MutationAnswer {
        match (self, source) {
            (_, MutationSource::Ui | MutationSource::Speaker) | (Self::Permissive, _) => {
                MutationAnswer::Allow
            }
            (Self::Ask, _) => MutationAnswer::PendingApproval,
            (Self::HumanOnly, MutationSource::LlmTool) => {
                MutationAnswer::Deny { reason: "a model does not rewrite what the working set says" }
            }
            (Self::HumanOnly, MutationSource::ConflictResolver) => {
                MutationAnswer::Deny { reason: "only people revise what the working set says" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_138_people_may_and_others_are_refused_with_reasons_of_their_own() {
        use MutationSource::*;
        let answer = |source| MutationStrategy::default().decide(source);
        assert_eq!((answer(Ui), answer(Speaker)), (MutationAnswer::Allow, MutationAnswer::Allow));
        match (answer(LlmTool), answer(ConflictResolver)) {
            (MutationAnswer::Deny { reason: tool }, MutationAnswer::Deny { reason: resolver }) => {
                assert_ne!(tool, resolver);
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(MutationStrategy::Permissive.decide(LlmTool), MutationAnswer::Allow);
        assert_eq!(MutationStrategy::Ask.decide(ConflictResolver), MutationAnswer::PendingApproval);
        assert_eq!(MutationStrategy::Ask.decide(Ui), MutationAnswer::Allow, "a person is never asked back");
    }
}

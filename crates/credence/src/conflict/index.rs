//! What a model has judged of pairs of claims, so that it is not asked about a pair twice (strategy INDEXED).
//!
//! Rules (core 4.6 with G11 of core 15): a verdict belongs to two claims, the unit's and the incoming one's, never to a unit
//! alone, so that another statement about the same unit is compared anew. A claim is its subject, its canonical words and
//! whether it speaks of what is over; another statement with the same claim meets the same verdict. Verdicts that two can hold
//! together are kept as well. The index is derived and lives as long as the memory is open; it follows the commits: what leaves the
//! working set or is reworded leaves the index, and another model's verdicts are not taken over.

use std::collections::BTreeMap;

use super::llm::Judged;
use crate::history::{Commit, Record, RecordId};
use crate::id::{EntityId, PropositionId};
use crate::proposition::{MentionRole, Proposition};
use crate::text;

/// Most pairs. What was judged first goes first. Chosen by us: 200 units, each met by a hundred statements.
const MOST_PAIRS: usize = 20_000;

/// What a statement claims, whoever says it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ClaimKey {
    words: String,
    subject: Option<EntityId>,
    is_over: bool,
}

impl ClaimKey {
    pub(super) fn of(proposition: &Proposition) -> Self {
        Self {
            words: text::canonical(&proposition.text),
            subject: proposition.mention_in(MentionRole::Subject).and_then(|mention| mention.entity),
            is_over: proposition.temporal.valid_to.is_some(),
        }
    }
}

/// A judged pair; `None`: the two can hold together.
#[derive(Debug, Clone, PartialEq)]
struct Verdict {
    judged: Option<Judged>,
    /// The order in which verdicts came.
    at: u64,
}

/// Verdicts by the unit's claim, then by the incoming one.
#[derive(Debug, Default)]
pub(crate) struct ConflictIndex {
    verdicts: BTreeMap<ClaimKey, BTreeMap<ClaimKey, Verdict>>,
    units: BTreeMap<PropositionId, ClaimKey>,
    model: String,
    next: u64,
}

impl ConflictIndex {
    /// Makes it the index of one model's verdicts; those of another one go.
    pub(super) fn of_model(&mut self, model: &str) {
        if self.model != model {
            *self = Self { model: model.to_owned(), ..Self::default() };
        }
    }
    /// What was judged of a pair: `None` when nothing was, `Some(None)` when the two can hold together.
    pub(super) fn get(&self, unit: &ClaimKey, incoming: &ClaimKey) -> Option<Option<Judged>> {
        Some(self.verdicts.get(unit)?.get(incoming)?.judged.clone())
    }
    /// Keeps a verdict. The same pair again replaces its verdict.
    pub(super) fn record(&mut self, unit: &Proposition, incoming: ClaimKey, judged: Option<Judged>) {
        let key = ClaimKey::of(unit);
        self.units.insert(unit.id, key.clone());
        self.next += 1;
        self.verdicts.entry(key).or_default().insert(incoming, Verdict { judged, at: self.next });
        if self.len() > MOST_PAIRS {
            self.forget_first();
        }
    }
    /// Number of judged pairs.
    pub(super) fn len(&self) -> usize {
        self.verdicts.values().map(BTreeMap::len).sum()
    }

    /// A unit's claim leaves: its own pairs, and those in which it came in.
    fn remove(&mut self, unit: PropositionId) {
        let Some(key) = self.units.remove(&unit) else { return };
        if self.units.values().any(|other| *other == key) {
            return;
        }
        self.verdicts.remove(&key);
        for pairs in self.verdicts.values_mut() {
            pairs.remove(&key);
        }
        self.verdicts.retain(|_, pairs| !pairs.is_empty());
    }

    fn forget_first(&mut self) {
        let first = self.verdicts.iter().flat_map(|(unit, pairs)| {
            pairs.iter().map(move |(incoming, verdict)| (verdict.at, unit, incoming))
        });
        let Some((_, unit, incoming)) = first.min() else { return };
        let (unit, incoming) = (unit.clone(), incoming.clone());
        if let Some(pairs) = self.verdicts.get_mut(&unit) {
            pairs.remove(&incoming);
        }
    }

    /// Follows a commit: units that left the working set, and statements that were reworded or deleted.
    pub(crate) fn apply(&mut self, commit: &Commit) {
        for revision in &commit.revisions {
            self.follow(revision.record, revision.value.as_ref());
        }
    }

    fn follow(&mut self, record: RecordId, value: Option<&Record>) {
        let gone = match (record, value) {
            (RecordId::Unit(id), Some(Record::Unit(unit))) => !unit.is_active() && unit.proposition == id,
            (RecordId::Proposition(id), Some(Record::Proposition(proposition))) => {
                self.units.get(&id).is_some_and(|known| *known != ClaimKey::of(proposition))
            }
            (_, value) => value.is_none(),
        };
        if let (true, RecordId::Unit(id) | RecordId::Proposition(id)) = (gone, record) {
            self.remove(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conflict::ConflictType;
    use crate::proposition::Extractor;
    use crate::scale::Confidence;
    use crate::time::Timestamp;
    use crate::unit::{Activation, ArchiveReason, Earned, Standing, Unit};
    use uuid::Uuid;

    fn claim(n: u128, text: &str) -> Proposition {
        let id = PropositionId::new(Uuid::from_u128(n));
        Proposition::new(id, text, Confidence::clamped(0.8), Extractor::Rules, Timestamp(0)).unwrap()
    }
    fn opposed() -> Option<Judged> {
        Some(Judged { kind: ConflictType::Contradiction, confidence: Some(0.9), reason: "x".into() })
    }
    fn three() -> (ConflictIndex, [Proposition; 3]) {
        let claims =
            [claim(1, "The well is poisoned."), claim(2, "The well is clean."), claim(3, "The well is dry.")];
        let mut index = ConflictIndex::default();
        index.record(&claims[0], ClaimKey::of(&claims[1]), opposed());
        index.record(&claims[1], ClaimKey::of(&claims[0]), opposed());
        index.record(&claims[2], ClaimKey::of(&claims[0]), opposed());
        (index, claims)
    }

    #[test]
    fn core_110_unknown_claims_copies_and_repeats() {
        let (mut index, [well, clean, dry]) = three();
        assert_eq!(
            index.get(&ClaimKey::of(&dry), &ClaimKey::of(&clean)),
            None,
            "nothing was judged of that pair"
        );
        let mut copy = index.get(&ClaimKey::of(&well), &ClaimKey::of(&clean));
        copy.take();
        assert_eq!(index.get(&ClaimKey::of(&well), &ClaimKey::of(&clean)), Some(opposed()));
        index.record(&well, ClaimKey::of(&clean), opposed());
        assert_eq!(index.len(), 3);
        index.record(&dry, ClaimKey::of(&clean), None);
        assert_eq!(
            index.get(&ClaimKey::of(&dry), &ClaimKey::of(&clean)),
            Some(None),
            "they can hold together"
        );
    }

    /// Upstream counts units, we count pairs: of three pairs, all hold the claim that leaves or were met by it.
    #[test]
    fn core_111_a_unit_that_leaves_takes_its_pairs_along() {
        let (mut index, [well, clean, dry]) = three();
        index.record(&dry, ClaimKey::of(&clean), opposed());
        let mut archived =
            Unit::promoted(well.id, Activation::default(), Earned::Reliable, None, Timestamp(0));
        index.follow(RecordId::Unit(well.id), Some(&Record::Unit(archived.clone())));
        assert_eq!(index.len(), 4, "an active unit stays");
        archived = serde_json::from_value(gone(&archived)).unwrap();
        index.follow(RecordId::Unit(well.id), Some(&Record::Unit(archived)));
        assert_eq!(index.len(), 1);
        assert_eq!(index.get(&ClaimKey::of(&dry), &ClaimKey::of(&clean)), Some(opposed()));
        index.follow(RecordId::Proposition(dry.id), None);
        assert_eq!(index.len(), 0, "a statement that was deleted");
    }

    /// A unit as it is when it was archived.
    fn gone(unit: &Unit) -> serde_json::Value {
        let reason = ArchiveReason::ConflictReplacement;
        let standing = Standing::Archived { at: Timestamp(1), reason, successor: None };
        let mut value = serde_json::to_value(unit).unwrap();
        value["standing"] = serde_json::to_value(standing).unwrap();
        value
    }

    #[test]
    fn a_reworded_statement_is_another_claim() {
        let (mut index, [well, clean, _]) = three();
        index.follow(
            RecordId::Proposition(well.id),
            Some(&Record::Proposition(claim(1, "The well is poisoned!"))),
        );
        assert_eq!(index.len(), 3, "the same claim");
        index.follow(
            RecordId::Proposition(well.id),
            Some(&Record::Proposition(claim(1, "The well is deep."))),
        );
        assert_eq!(index.get(&ClaimKey::of(&well), &ClaimKey::of(&clean)), None);
        assert_eq!(index.len(), 0);
    }

    /// Upstream keeps all contexts in one index and clears those of one; an index of ours belongs to one memory, and only what
    /// was judged by another model goes (deviation D121).
    #[test]
    fn core_112_an_index_belongs_to_one_memory_and_one_model() {
        let (mut index, _) = three();
        index.of_model("");
        assert_eq!(index.len(), 3);
        index.of_model("other");
        assert_eq!(index.len(), 0);
    }

    #[test]
    fn what_was_judged_first_goes_first() {
        let (mut index, [well, clean, _]) = three();
        index.forget_first();
        assert_eq!(index.len(), 2);
        assert_eq!(index.get(&ClaimKey::of(&well), &ClaimKey::of(&clean)), None);
    }
}

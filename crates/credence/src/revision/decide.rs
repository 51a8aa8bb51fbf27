//! Decisions: what a new statement is to the stored ones, by rules where they are sure, by the model's judgements else.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::id::PropositionId;
use crate::proposition::Proposition;
use crate::text::{self, Held, OppositionKind, Slot};

/// How a new statement relates to a stored one (dice 4.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Relation {
    /// Both say the same.
    Identical,
    /// The same fact, a detail more or less.
    Similar,
    /// Both cannot hold.
    Contradictory,
    /// The new one is more abstract.
    Generalizes,
    /// Nothing to do with each other.
    Unrelated,
}

impl Relation {
    /// Reads the model's word in any case; unknown words are [`Relation::Unrelated`].
    pub fn parse(word: &str) -> Self {
        let word = word.trim().to_ascii_lowercase();
        match word.as_str() {
            "identical" | "same" | "duplicate" => Self::Identical,
            "similar" => Self::Similar,
            "contradictory" | "contradicts" | "contradiction" => Self::Contradictory,
            "generalizes" | "generalises" | "generalization" => Self::Generalizes,
            _ => Self::Unrelated,
        }
    }
}

/// A model's judgement of one pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The stored statement.
    pub stored: PropositionId,
    /// How the new one relates to it.
    pub relation: Relation,
    /// 0 to 1, clamped.
    pub similarity: f64,
    /// In the model's words.
    pub reason: String,
}

/// A stored statement near to a new one.
#[derive(Debug, Clone, Copy)]
pub struct Neighbour<'a> {
    /// The statement as it stands.
    pub proposition: &'a Proposition,
    /// Whether it was made in this very run.
    pub in_run: bool,
}

/// What is to be done with a new statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "decision", rename_all = "lowercase")]
pub enum Decision {
    /// It is known: evidence joins.
    Merge {
        /// The known one.
        into: PropositionId,
        /// Why.
        why: String,
    },
    /// It makes a known one surer.
    Reinforce {
        /// The known one.
        other: PropositionId,
        /// Why.
        why: String,
    },
    /// It stands against known ones.
    Contradict {
        /// The known ones.
        others: Vec<PropositionId>,
        /// The old ones were true and the world moved on (a slot with one value), as opposed to being wrong.
        moved_on: bool,
        /// Why.
        why: String,
    },
    /// It is more abstract than known ones.
    Generalize {
        /// The known ones.
        covered: Vec<PropositionId>,
        /// Why.
        why: String,
    },
    /// Nothing of the kind is known.
    New {
        /// Why.
        why: String,
    },
}

/// What rules make of a new statement.
#[derive(Debug, Clone, PartialEq)]
pub enum Rules {
    /// They are sure.
    Sure(Decision),
    /// These neighbours are near enough that only a model can tell; without one the statement is new.
    Ask(Vec<PropositionId>),
}

/// A stored statement beside a new one, read once for every rule that compares them.
struct Met<'a> {
    stored: &'a Proposition,
    in_run: bool,
    /// The stored text in the new one's words for their common subject.
    text: Cow<'a, str>,
    slot: Option<Slot>,
    /// Whether the subjects may be one.
    one_subject: bool,
}

impl<'a> Met<'a> {
    fn new(new: &Proposition, neighbour: &Neighbour<'a>) -> Self {
        let stored = neighbour.proposition;
        let text = aligned(new, stored);
        let slot = text::slot(&text);
        Self { stored, in_run: neighbour.in_run, slot, text, one_subject: share_subject(new, stored) }
    }

    /// "Lives in Bonn" and "lives in Bonn now": one subject, relation and value, and nothing particular that differs.
    fn fills_the_slot_of(&self, new: &Proposition, slot: &Slot) -> bool {
        let Some(ours) = self.slot.as_ref().filter(|_| self.one_subject) else { return false };
        text::fold(&ours.subject) == text::fold(&slot.subject)
            && ours.relation == slot.relation
            && (ours.held == Held::Past) == (slot.held == Held::Past)
            && text::fold(&ours.value) == text::fold(&slot.value)
            && text::difference(&new.text, &self.text).is_none()
    }

    /// Another value of a relation with many.
    fn is_beside(&self, slot: &Slot) -> bool {
        self.slot.as_ref().is_some_and(|ours| {
            ours.relation == slot.relation
                && ours.cardinality == text::Cardinality::Many
                && text::fold(&ours.value) != text::fold(&slot.value)
        })
    }
}

/// Decides by the words alone. `neighbours` come nearest first; `ask` says which of them are near enough to ask about.
pub fn decide_by_rules(
    new: &Proposition,
    neighbours: &[Neighbour<'_>],
    ask: impl Fn(&Proposition) -> bool,
) -> Rules {
    let met: Vec<Met<'_>> = neighbours.iter().map(|n| Met::new(new, n)).collect();
    let canonical = text::canonical(&new.text);
    let slot = text::slot(&new.text);
    if let Some(same) = met.iter().find(|m| text::canonical(&m.text) == canonical) {
        return Rules::Sure(Decision::Merge { into: same.stored.id, why: "the same statement".into() });
    }
    if let Some(same) = slot.as_ref().and_then(|slot| met.iter().find(|m| m.fills_the_slot_of(new, slot))) {
        return Rules::Sure(Decision::Merge {
            into: same.stored.id,
            why: "the same fact in other words".into(),
        });
    }
    let opposed: Vec<(&Met<'_>, text::Opposition)> = met
        .iter()
        .filter(|m| m.one_subject)
        .filter_map(|m| Some((m, text::opposes(&new.text, &m.text)?)))
        .collect();
    if let Some((_, first)) = opposed.first() {
        return Rules::Sure(Decision::Contradict {
            others: opposed.iter().map(|(m, _)| m.stored.id).collect(),
            moved_on: opposed.iter().all(|(_, opposition)| opposition.kind == OppositionKind::Value),
            why: first.reason.clone(),
        });
    }
    // A filled slot of many values is decided: another value is another fact.
    let open: Vec<PropositionId> = met
        .iter()
        .filter(|m| {
            !m.in_run
                && ask(m.stored)
                && overlap(new, m.stored)
                && !slot.as_ref().is_some_and(|slot| m.is_beside(slot))
        })
        .map(|m| m.stored.id)
        .collect();
    if open.is_empty() {
        Rules::Sure(Decision::New { why: "nothing like it is known".into() })
    } else {
        Rules::Ask(open)
    }
}

/// Two statements whose subjects resolved to different entities are about different things, whatever their words.
pub(crate) fn share_subject(a: &Proposition, b: &Proposition) -> bool {
    use crate::proposition::MentionRole::Subject;
    match (a.mention_in(Subject).and_then(|m| m.entity), b.mention_in(Subject).and_then(|m| m.entity)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

/// The stored statement in the new one's words for their common subject: "User lives in Oslo" was said before the user gave
/// their name, and "Mara lives in Bergen" is about the same person.
pub(crate) fn aligned<'a>(new: &Proposition, stored: &'a Proposition) -> Cow<'a, str> {
    use crate::proposition::MentionRole::Subject;
    match (new.mention_in(Subject), stored.mention_in(Subject)) {
        (Some(ours), Some(theirs))
            if ours.entity.is_some() && ours.entity == theirs.entity && ours.span != theirs.span =>
        {
            match stored.text.strip_prefix(theirs.span.as_str()) {
                Some(rest) => format!("{}{rest}", ours.span).into(),
                None => Cow::Borrowed(&stored.text),
            }
        }
        _ => Cow::Borrowed(&stored.text),
    }
}

/// Whether two statements share an entity, or a span where nothing resolved; true when either mentions nothing (dice 4.2).
pub(crate) fn overlap(a: &Proposition, b: &Proposition) -> bool {
    if a.mentions.is_empty() || b.mentions.is_empty() {
        return true;
    }
    a.mentions.iter().any(|x| {
        b.mentions.iter().any(|y| match (x.entity, y.entity) {
            (Some(x), Some(y)) => x == y,
            _ => text::fold(&x.span) == text::fold(&y.span),
        })
    })
}

/// Settles with a model's judgements, in the order identical, contradictory, generalizes, best similar of at least
/// `reinforce_from`, new (dice 4.2). `IDENTICAL` is not believed where numbers, dates, names or polarity differ.
pub fn settle(new: &Proposition, judged: &[(Judgement, &Proposition)], reinforce_from: f64) -> Decision {
    let by = |relation: Relation| judged.iter().filter(move |(judgement, _)| judgement.relation == relation);
    let reason = |j: &Judgement| {
        if j.reason.is_empty() { "by the model's judgement".to_owned() } else { j.reason.clone() }
    };
    let mut doubted = None;
    for (judgement, stored) in by(Relation::Identical) {
        match text::difference(&new.text, &stored.text) {
            None => return Decision::Merge { into: judgement.stored, why: reason(judgement) },
            Some(difference) => doubted = Some(difference.reason),
        }
    }
    let opposed: Vec<&Judgement> = by(Relation::Contradictory).map(|(judgement, _)| judgement).collect();
    if let Some(first) = opposed.first() {
        let others = opposed.iter().map(|j| j.stored).collect();
        return Decision::Contradict { others, moved_on: false, why: reason(first) };
    }
    let covered: Vec<&Judgement> = by(Relation::Generalizes).map(|(judgement, _)| judgement).collect();
    if let Some(first) = covered.first() {
        return Decision::Generalize {
            covered: covered.iter().map(|j| j.stored).collect(),
            why: reason(first),
        };
    }
    let best = by(Relation::Similar)
        .filter(|(judgement, _)| judgement.similarity >= reinforce_from)
        .max_by(|(a, _), (b, _)| a.similarity.total_cmp(&b.similarity).then(b.stored.cmp(&a.stored)));
    if let Some((judgement, stored)) = best {
        match text::difference(&new.text, &stored.text) {
            None => return Decision::Reinforce { other: judgement.stored, why: reason(judgement) },
            Some(difference) => doubted = Some(difference.reason),
        }
    }
    let why = match doubted {
        Some(difference) => format!("kept apart although the model saw the same: {difference}"),
        None => "nothing that is known says the same or stands against it".into(),
    };
    Decision::New { why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposition::{Extractor, Mention, MentionRole};
    use crate::scale::Confidence;
    use crate::time::Timestamp;
    use uuid::Uuid;

    fn fact(n: u128, text: &str) -> Proposition {
        let id = PropositionId::new(Uuid::from_u128(n));
        Proposition::new(id, text, Confidence::clamped(0.9), Extractor::Rules, Timestamp(0)).unwrap()
    }
    fn about(mut p: Proposition, entity: u128) -> Proposition {
        let mut mention = Mention::new("x", "Person", MentionRole::Subject);
        mention.entity = Some(crate::id::EntityId::new(Uuid::from_u128(entity)));
        p.mentions.push(mention);
        p
    }
    fn rules(new: &str, stored: &[&str]) -> Rules {
        let stored: Vec<Proposition> =
            stored.iter().enumerate().map(|(n, text)| fact(n as u128 + 1, text)).collect();
        let near: Vec<Neighbour<'_>> =
            stored.iter().map(|proposition| Neighbour { proposition, in_run: false }).collect();
        decide_by_rules(&fact(99, new), &near, |_| true)
    }
    fn ids(n: &[u128]) -> Vec<PropositionId> {
        n.iter().map(|n| PropositionId::new(Uuid::from_u128(*n))).collect()
    }

    /// Case 22, and dice 90 and 98: one statement in other letters is one; other statements in any script are not.
    #[test]
    fn the_same_statement_merges_in_every_script() {
        let merges =
            |new: &str, stored: &[&str]| matches!(rules(new, stored), Rules::Sure(Decision::Merge { .. }));
        assert!(merges("Alice is a Software Engineer", &["Alice is a software engineer."]));
        assert!(!merges("用户住在柏林", &["用户喜欢茶"]));
        assert!(!merges("Room 35 is free.", &["Room 3.5 is free."]));
    }

    #[test]
    fn one_slot_with_one_value_is_one_fact() {
        let merges = |new: &str, old: &str| matches!(rules(new, &[old]), Rules::Sure(Decision::Merge { .. }));
        assert!(merges("Nia lives in Bonn now.", "Nia lives in Bonn."));
        assert!(!merges("Nia lived in Bonn.", "Nia lives in Bonn."));
        assert!(!merges("Nia lives in Bonn since 2019.", "Nia lives in Bonn."), "a date is news");
        assert!(!merges("Cy lives in Bonn.", "Nia lives in Bonn."));
    }

    /// Case 23 (no model at all) and case 21.
    #[test]
    fn a_denial_is_a_contradiction_and_never_a_duplicate() {
        for (new, old) in [
            ("Night deploys are not allowed.", "Night deploys are allowed."),
            ("Pia can't stand techno any more.", "Pia loves techno."),
        ] {
            match rules(new, &[old]) {
                Rules::Sure(Decision::Contradict { others, moved_on, .. }) => {
                    assert_eq!((others, moved_on), (ids(&[1]), false), "{new}");
                }
                other => panic!("{new}: {other:?}"),
            }
        }
    }

    /// Case 26: one home, many acquaintances.
    #[test]
    fn single_valued_slots_move_on_and_many_valued_ones_grow() {
        match rules("Nia lives in Bergen.", &["Nia lives in Oslo."]) {
            Rules::Sure(Decision::Contradict { moved_on, .. }) => assert!(moved_on),
            other => panic!("{other:?}"),
        }
        assert!(matches!(rules("Nia knows Cy.", &["Nia knows Bo."]), Rules::Sure(Decision::New { .. })));
    }

    #[test]
    fn other_subjects_are_never_opposed() {
        let old = about(fact(1, "Sam loves techno."), 7);
        let new = about(fact(2, "Sam hates techno."), 8);
        let near = [Neighbour { proposition: &old, in_run: false }];
        assert_eq!(
            decide_by_rules(&new, &near, |_| true),
            Rules::Sure(Decision::New { why: "nothing like it is known".into() })
        );
    }

    fn judged(stored: &Proposition, relation: Relation, similarity: f64) -> (Judgement, &Proposition) {
        (Judgement { stored: stored.id, relation, similarity, reason: String::new() }, stored)
    }

    #[test]
    fn judgements_are_taken_in_order_and_identity_is_checked() {
        let new = fact(99, "Mara has 3 cats.");
        let (two, three, pets) =
            (fact(1, "Mara has 2 cats."), fact(2, "Three cats live with Mara."), fact(3, "Mara has pets."));
        let wrong = settle(&new, &[judged(&two, Relation::Identical, 0.97)], 0.7);
        assert!(matches!(&wrong, Decision::New { why } if why.contains("kept apart")), "{wrong:?}");
        let order = [judged(&two, Relation::Contradictory, 0.8), judged(&three, Relation::Identical, 0.9)];
        assert!(matches!(settle(&new, &order, 0.7), Decision::Merge { into, .. } if into == three.id));
        assert!(matches!(settle(&new, &order[..1], 0.7), Decision::Contradict { .. }));
        assert!(
            matches!(settle(&new, &[judged(&pets, Relation::Similar, 0.65)], 0.7), Decision::New { .. }),
            "dice 95"
        );
        assert!(matches!(
            settle(&pets, &[judged(&new, Relation::Generalizes, 0.8)], 0.7),
            Decision::Generalize { .. }
        ));
    }
}

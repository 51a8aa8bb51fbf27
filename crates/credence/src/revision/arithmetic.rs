//! The arithmetic of outcomes. Each function takes statements and returns their successors; nothing is written here.
//! Source of every number: dice 4.3.

use super::witness::{Share, Witness};
use crate::id::PropositionId;
use crate::proposition::{Proposition, PropositionError, Status};
use crate::scale::{Confidence, Decay};
use crate::time::Timestamp;

/// Merging two sayings of one fact: `min(0.99, old + 0.3 new)`, decay x 0.7, evidence united, one more reinforcement. The
/// old wording, mentions, importance and validity stay. A stale statement revives.
pub fn merged(old: &Proposition, new: &Proposition, now: Timestamp) -> Proposition {
    strengthened(old, new, Share::Merged, now)
}

/// A similar statement makes the old one surer: `min(0.95, old + 0.1 new)`, never below what it was; decay x 0.85.
pub fn reinforced(old: &Proposition, new: &Proposition, now: Timestamp) -> Proposition {
    strengthened(old, new, Share::Reinforced, now)
}

fn strengthened(old: &Proposition, new: &Proposition, share: Share, now: Timestamp) -> Proposition {
    if old.retracted {
        return begun_anew(old, new, now);
    }
    let (gain, cap, fade) = share.numbers();
    let before = old.confidence.get();
    let confidence = (before + gain * new.confidence.get()).min(cap).max(before);
    let mut next = old
        .clone()
        .with_evidence(new.grounding.iter().copied(), new.provenance.iter().cloned(), now)
        .with_confidence(Confidence::clamped(confidence), now);
    next.decay = Decay::clamped(old.decay.get() * fade);
    if old.witnesses.is_empty() && old.reinforce_count == 0 {
        next.witnesses.push(Witness::of(old, share));
    }
    // A statement of before, or one whose confidence a person set, keeps no list: nobody could say what its first witnesses brought.
    if !next.witnesses.is_empty() {
        next.witnesses.push(Witness::of(new, share));
    }
    next.reinforce_count = old.reinforce_count.saturating_add(1);
    next.last_accessed = now;
    if old.status == Status::Stale {
        next.status = old.status.transition(Status::Active).unwrap_or(old.status);
    }
    next
}

/// A statement that stood on nothing is said again: it rests on that alone, however sure it had been.
fn begun_anew(old: &Proposition, new: &Proposition, now: Timestamp) -> Proposition {
    let mut next = old
        .clone()
        .with_evidence(new.grounding.iter().copied(), new.provenance.iter().cloned(), now)
        .with_confidence(new.confidence, now);
    (next.decay, next.reinforce_count, next.last_accessed) = (new.decay, 0, now);
    (next.witnesses, next.retracted) = (Vec::new(), false);
    next.status = old.status.transition(Status::Active).unwrap_or(old.status);
    next
}

/// One more source for a retired statement: what it says of its time is better founded, and it stays retired.
pub fn witnessed(old: &Proposition, new: &Proposition, now: Timestamp) -> Proposition {
    let mut next =
        old.clone().with_evidence(new.grounding.iter().copied(), new.provenance.iter().cloned(), now);
    (next.last_accessed, next.retracted) = (now, false);
    next
}

/// A surprise fades more slowly: decay x `factor` (dice 10: 0.8).
pub fn surprised(new: &Proposition, factor: f64) -> Proposition {
    Proposition { decay: Decay::clamped(new.decay.get() * factor), ..new.clone() }
}

/// Whether `new` brings evidence that `old` does not rest on yet. The same turn read twice is no second witness.
pub fn brings_evidence(old: &Proposition, new: &Proposition) -> bool {
    new.grounding.iter().any(|turn| !old.grounding.contains(turn))
        || new.provenance.iter().any(|entry| !old.provenance.contains(entry))
}

/// The older of two statements that cannot both hold: `max(0.05, old x 0.3)`, decay + 0.15 up to 1, CONTRADICTED. It stays,
/// struck through, with the newer one's id on the newer one.
pub fn contradicted(old: &Proposition, now: Timestamp) -> Result<Proposition, PropositionError> {
    let confidence = Confidence::clamped((old.confidence.get() * 0.3).max(0.05));
    let mut next = old.clone().with_status(Status::Contradicted, now)?.with_confidence(confidence, now);
    next.decay = Decay::clamped(old.decay.get() + 0.15);
    next.last_accessed = now;
    Ok(next)
}

/// The older value of a slot that has one value at a time, once the world has moved on: SUPERSEDED, its validity closed. It
/// was true, so its confidence stays.
pub fn superseded(
    old: &Proposition,
    moved_on: Timestamp,
    now: Timestamp,
) -> Result<Proposition, PropositionError> {
    let mut next = old.clone().with_status(Status::Superseded, now)?;
    let end = next.temporal.valid_from.map_or(moved_on, |from| moved_on.max(from));
    next.temporal.valid_to = Some(next.temporal.valid_to.map_or(end, |known| known.min(end)));
    next.last_accessed = now;
    Ok(next)
}

/// A more abstract statement: one level above the highest that it covers, resting on them.
pub fn generalized(new: &Proposition, covered: &[Proposition]) -> Proposition {
    let mut next = new.clone();
    let sources: Vec<PropositionId> = covered.iter().map(|p| p.id).collect();
    if !sources.is_empty() {
        next.level = covered.iter().map(|p| p.level).max().unwrap_or(0) + 1;
        next.source_ids = sources;
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::TurnId;
    use crate::proposition::Extractor;
    use uuid::Uuid;

    fn fact(n: u128, confidence: f64, decay: f64) -> Proposition {
        let id = PropositionId::new(Uuid::from_u128(n));
        let mut p =
            Proposition::new(id, "x", Confidence::new(confidence).unwrap(), Extractor::Rules, Timestamp(0))
                .unwrap();
        p.decay = Decay::new(decay).unwrap();
        p.grounding = vec![TurnId::new(Uuid::from_u128(n))];
        p
    }
    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn dice_84_merge() {
        let mut old = fact(1, 0.7, 0.2);
        old.reinforce_count = 3;
        let next = merged(&old, &fact(2, 0.8, 0.0), Timestamp(9));
        near(next.confidence.get(), 0.94);
        near(next.decay.get(), 0.14);
        assert_eq!((next.reinforce_count, next.grounding.len()), (4, 2));
        assert_eq!((next.content_revised, next.last_accessed), (Timestamp(9), Timestamp(9)));
    }

    #[test]
    fn dice_85_merge_is_capped() {
        near(merged(&fact(1, 0.9, 0.0), &fact(2, 0.9, 0.0), Timestamp(1)).confidence.get(), 0.99);
    }

    #[test]
    fn dice_86_reinforce() {
        let next = reinforced(&fact(1, 0.6, 0.2), &fact(2, 0.8, 0.0), Timestamp(1));
        near(next.confidence.get(), 0.68);
        near(next.decay.get(), 0.17);
        assert_eq!(next.reinforce_count, 1);
    }

    /// Upstream lowers 0.98 to 0.95 here; a confirmation never makes a fact less sure (deviation D2).
    #[test]
    fn dice_87_reinforce_never_lowers() {
        near(reinforced(&fact(1, 0.98, 0.0), &fact(2, 0.9, 0.0), Timestamp(1)).confidence.get(), 0.98);
    }

    #[test]
    fn dice_88_89_contradiction() {
        let next = contradicted(&fact(1, 0.8, 0.1), Timestamp(1)).unwrap();
        near(next.confidence.get(), 0.24);
        near(next.decay.get(), 0.25);
        assert_eq!(next.status, Status::Contradicted);
        near(contradicted(&fact(1, 0.1, 0.0), Timestamp(1)).unwrap().confidence.get(), 0.05);
    }

    /// Upstream leaves level 0 and no sources (deviation D2).
    #[test]
    fn a_generalisation_rests_on_what_it_covers() {
        let next = generalized(&fact(9, 0.8, 0.0), &[fact(1, 0.5, 0.0), fact(2, 0.5, 0.0)]);
        assert_eq!((next.level, next.source_ids.len()), (1, 2));
        assert!(next.validate().is_ok());
        assert_eq!(generalized(&fact(9, 0.8, 0.0), &[]).level, 0);
    }

    #[test]
    fn the_same_turn_is_no_second_witness() {
        let old = fact(1, 0.7, 0.2);
        assert!(!brings_evidence(&old, &old.clone()));
        assert!(brings_evidence(&old, &fact(2, 0.5, 0.0)));
    }

    /// Upstream looks at ACTIVE statements alone and stores the repeated one a second time (deviation D67).
    #[test]
    fn a_stale_statement_revives_when_it_is_said_again() {
        let mut old = fact(1, 0.4, 0.2);
        old.status = Status::Stale;
        let next = merged(&old, &fact(2, 0.8, 0.0), Timestamp(9));
        assert_eq!((next.status, next.reinforce_count), (Status::Active, 1));
        near(next.confidence.get(), 0.64);
        let mut gone = fact(3, 0.4, 0.2);
        gone.status = Status::Superseded;
        let next = witnessed(&gone, &fact(2, 0.8, 0.0), Timestamp(9));
        assert_eq!(
            (next.status, next.grounding.len(), next.last_accessed),
            (Status::Superseded, 2, Timestamp(9))
        );
        near(next.confidence.get(), 0.4);
    }

    #[test]
    fn a_surprise_fades_more_slowly() {
        near(surprised(&fact(1, 0.8, 0.1), 0.8).decay.get(), 0.08);
    }

    /// dice 97: both sources, the identical one once.
    #[test]
    fn dice_97_sources_are_united() {
        use crate::proposition::{Locator, ProvenanceEntry};
        let at = |uri: &str| ProvenanceEntry::at(Locator::uri(uri, None).unwrap());
        let (mut old, mut new) = (fact(1, 0.6, 0.0), fact(2, 0.6, 0.0));
        old.provenance = vec![at("https://a.example")];
        new.provenance = vec![at("https://b.example"), at("https://a.example")];
        for next in [merged(&old, &new, Timestamp(1)), reinforced(&old, &new, Timestamp(1))] {
            let sources: Vec<String> = next.provenance.iter().map(|e| e.locator.identity()).collect();
            assert_eq!(sources, ["uri:https://a.example", "uri:https://b.example"]);
        }
    }

    #[test]
    fn a_closed_slot_keeps_its_confidence() {
        let next = superseded(&fact(1, 0.9, 0.0), Timestamp(50), Timestamp(60)).unwrap();
        assert_eq!((next.status, next.temporal.valid_to), (Status::Superseded, Some(Timestamp(50))));
        near(next.confidence.get(), 0.9);
    }
}

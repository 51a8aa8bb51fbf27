//! Belief change by the book: which postulates of expansion, contraction and revision hold here, and which do not on purpose
//! (`docs/belief-revision.md`).

use std::collections::BTreeMap;

use credence::error::Error;
use credence::history::{Actor, RecordId, RecordKind};
use credence::id::{PropositionId, RevisionId};
use credence::memory::Edit;
use credence::ports::Ids;
use credence::proposition::{Extractor, Proposition, PropositionQuery, Status};
use credence::revision::Followed;
use credence::scale::Confidence;

use super::support::*;

fn id_of(memory: &TestMemory, text: &str) -> PropositionId {
    let all = memory.propositions(&PropositionQuery::default());
    all.into_iter().map(|view| view.proposition).find(|p| p.text == text).unwrap().id
}
/// The present revision of every statement.
fn statements(memory: &TestMemory) -> BTreeMap<RecordId, RevisionId> {
    let state = memory.state();
    let stored =
        state.revisions().filter(|r| r.value.is_some() && r.record.kind() == RecordKind::Proposition);
    stored.map(|r| (r.record, r.id)).collect()
}
async fn above(memory: &TestMemory, text: &str, source: PropositionId) -> PropositionId {
    let id = PropositionId::new(memory.ports().ids.next());
    let (sure, now) = (Confidence::clamped(0.8), memory.now().at);
    let mut p = Proposition::new(id, text, sure, Extractor::Person, now).unwrap();
    (p.level, p.source_ids) = (1, vec![source]);
    memory.save(std::slice::from_ref(&p), Actor::Host).await.unwrap();
    id
}

/// Expansion, and vacuity (K*4): what nothing stands against is added, and nothing else changes.
#[test]
fn agm_what_nothing_stands_against_is_added_and_nothing_else_changes() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Pia loves techno.", "I live in Oslo."]).await;
        let before = statements(&memory);
        tell(&memory, &["Bo plays the harp."]).await;
        let after = statements(&memory);
        assert_eq!(after.len(), before.len() + 1);
        assert!(before.iter().all(|(record, revision)| after[record] == *revision));
    });
}

/// Success (K*2) for a person's own word, inclusion (K*3), and consistency (K*5) with what gave way.
#[test]
fn agm_a_persons_revision_succeeds_and_adds_nothing_else() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Pia loves techno.", "Bo plays the harp."]).await;
        tell(&memory, &["Pia can't stand techno any more."]).await;
        assert_eq!(live(&memory), ["Bo plays the harp.", "Pia can't stand techno any more."]);
        let id = id_of(&memory, "Bo plays the harp.");
        memory.supersede(id, "Bo plays the flute.", Followed::Corrected).await.unwrap();
        assert_eq!(live(&memory), ["Pia can't stand techno any more.", "Bo plays the flute."]);
    });
}

/// Extensionality (K*6), as far as words go: the same statement in another writing does the same.
#[test]
fn agm_another_writing_of_a_statement_does_the_same() {
    run(async {
        for text in ["Pia can't stand techno.", "Pia can’t stand techno!", "  pia CAN'T stand techno "] {
            let memory = offline().await;
            tell(&memory, &["Pia loves techno."]).await;
            memory.remember(text).await.unwrap();
            assert_eq!(texts(&memory, Status::Contradicted), ["Pia loves techno."], "{text}");
        }
    });
}

/// Contraction: success, inclusion, vacuity, and relevance: what else goes rested on what went.
#[test]
fn agm_contraction_takes_what_rested_on_it_and_nothing_else() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Pia loves techno.", "Bo plays the harp."]).await;
        let techno = id_of(&memory, "Pia loves techno.");
        let resting = above(&memory, "Pia likes loud music.", techno).await;
        let beside = above(&memory, "Bo is musical.", id_of(&memory, "Bo plays the harp.")).await;
        let before = statements(&memory);
        let wrong = Edit { status: Some(Status::Contradicted), ..Edit::default() };
        memory.edit(techno, &wrong).await.unwrap();
        let state = memory.state().clone();
        assert_eq!(state.proposition(resting).unwrap().status, Status::Stale);
        assert_eq!(state.proposition(beside).unwrap().status, Status::Active);
        let after = statements(&memory);
        let touched: Vec<&RecordId> = before.keys().filter(|r| after[r] != before[r]).collect();
        assert_eq!(touched, [&RecordId::Proposition(techno), &RecordId::Proposition(resting)]);
        assert!(memory.edit(techno, &wrong).await.unwrap().is_none(), "what is not held is not given up");
        let unknown = PropositionId::new(memory.ports().ids.next());
        assert!(matches!(memory.forget(unknown).await, Err(Error::NotFound { .. })));
    });
}

/// Recovery does not hold: saying it again brings back the statement and not what rested on it. Undoing brings back all.
#[test]
fn agm_recovery_is_by_undo_and_not_by_saying_it_again() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Pia loves techno."]).await;
        let techno = id_of(&memory, "Pia loves techno.");
        let resting = above(&memory, "Pia likes loud music.", techno).await;
        let gone = memory.forget(techno).await.unwrap().unwrap();
        tell(&memory, &["Pia loves techno!"]).await;
        assert_eq!(memory.state().proposition(resting).unwrap().status, Status::Stale);
        memory.undo(gone.id, None).await.unwrap();
        let state = memory.state();
        assert!([techno, resting].iter().all(|id| state.proposition(*id).unwrap().status.is_live()));
    });
}

/// Consistency is not forced: two values of what has one for good stand side by side until a person says which.
#[test]
fn agm_what_cannot_be_decided_stands_side_by_side() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Nia was born in Oslo.", "Nia was born in Bergen."]).await;
        assert_eq!(live(&memory).len(), 2, "{:?}", live(&memory));
        assert_eq!(memory.inbox().len(), 1);
    });
}

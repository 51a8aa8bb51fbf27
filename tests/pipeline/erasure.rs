//! Forgetting for ever: a raw search of everything that is stored finds nothing, what stays is right, and nothing comes back by itself.

use credence::Memory;
use credence::config::Config;
use credence::conversation::{MemoryMode, Speaker};
use credence::erasure::{ErasureTarget, FORGOTTEN};
use credence::error::Error;
use credence::history::{Cause, Journal, RecordId};
use credence::id::{ConversationId, PropositionId, TurnId};
use credence::llm::Cancel;
use credence::ports::Ports;
use credence::proposition::PropositionQuery;
use credence::retrieval::Search;

use super::support::*;

/// Everything that the store holds of the memory, as text: commits, use records, vectors with their keys.
async fn stored(memory: &TestMemory) -> String {
    let (journal, context) = (memory.ports().journal(), memory.context());
    let commits = journal.read(context, 0).await.unwrap();
    let uses = journal.uses(context).await.unwrap();
    let mut all = serde_json::to_string(&(&commits, &uses)).unwrap();
    for space in journal.spaces(context).await.unwrap() {
        for vector in journal.vectors(context, &space).await.unwrap() {
            all.push_str(vector.text.as_str());
        }
    }
    all
}

/// Where a word still stands: each place with what is around it.
async fn hits(memory: &TestMemory, word: &str) -> Vec<String> {
    let all = stored(memory).await.to_lowercase();
    let around = |at: usize| {
        let from = all[..at].char_indices().rev().nth(60).map_or(0, |(at, _)| at);
        all[from..].chars().take(140).collect()
    };
    all.match_indices(&word.to_lowercase()).map(|(at, _)| around(at)).collect()
}

async fn assert_gone(memory: &TestMemory, words: &[&str]) {
    for word in words {
        assert_eq!(hits(memory, word).await, [""; 0], "“{word}” is still stored");
        let again = Memory::open(memory.ports().sibling(), context(), Config::default()).await.unwrap();
        let log = again.log().commits().iter().map(|commit| format!("{commit:?}")).collect::<String>();
        assert!(!log.to_lowercase().contains(&word.to_lowercase()), "“{word}” after reopening");
        let export = memory.export().await.unwrap().to_json().unwrap();
        assert!(!export.to_lowercase().contains(&word.to_lowercase()), "“{word}” in an export");
    }
}

fn statement(memory: &TestMemory, part: &str) -> PropositionId {
    let found = memory.propositions(&PropositionQuery::default());
    let is_it = |text: &str| text.contains(part);
    found.iter().find(|view| is_it(&view.proposition.text)).map(|view| view.proposition.id).unwrap_or_else(
        || {
            panic!(
                "no statement with “{part}” in {:?}",
                found.iter().map(|v| &v.proposition.text).collect::<Vec<_>>()
            )
        },
    )
}

fn turns(memory: &TestMemory, conversation: ConversationId) -> Vec<(TurnId, String)> {
    memory.state().turns(conversation).map(|turn| (turn.id, turn.text.clone())).collect()
}

/// A memory with a talk in which things were said, answered, searched for and worked on.
async fn talk() -> (TestMemory, ConversationId) {
    let memory = offline().await;
    let talk = memory.start_conversation("").await.unwrap();
    for said in [
        "I am allergic to penicillin. I live in Kleve.",
        "My sister Wilhelmina plays the oboe. I work as a teacher.",
        "Am I allergic to something?",
    ] {
        user_says(&memory, talk, said).await;
        memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        analyse(&memory, talk).await;
    }
    memory.search(&Search::new("penicillin allergy")).await.unwrap();
    (memory, talk)
}

#[test]
fn hist_7_a_raw_search_finds_nothing_of_an_erased_statement() {
    run(async {
        let (memory, talk) = talk().await;
        let other = Memory::open(memory.ports().sibling(), context(), Config::default()).await.unwrap();
        assert!(!hits(&memory, "penicillin").await.is_empty());
        let target = ErasureTarget::Proposition { id: statement(&memory, "penicillin") };

        let before = stored(&memory).await;
        let preview = memory.preview_erasure(&target).await.unwrap();
        assert_eq!(stored(&memory).await, before, "a preview writes nothing");
        let cut: Vec<&str> = preview.turns.iter().flat_map(|turn| &turn.cut).map(String::as_str).collect();
        assert!(cut.contains(&"I am allergic to penicillin."), "{cut:?}");
        assert!(cut.iter().all(|sentence| sentence.contains("allergic")), "{cut:?}");

        let report = memory.erase(&target).await.unwrap();
        assert_eq!(report.cleaned, preview.cleaned, "what was shown is what was done");
        assert_gone(&memory, &["penicillin"]).await;
        other.refresh().await.unwrap();
        assert!(!format!("{:?}", other.log()).contains("penicillin"), "another handle that had it open");

        let said = turns(&memory, talk);
        assert_eq!(said[0].1, format!("{FORGOTTEN} I live in Kleve."));
        assert!(live(&memory).iter().any(|text| text.contains("Kleve")), "{:?}", live(&memory));
        assert!(live(&memory).iter().any(|text| text.contains("oboe")));
        let log = memory.log();
        let last = log.commits().last().unwrap();
        assert_eq!(last.cause, Cause::Erasure);
        let left: Vec<_> = log
            .history(RecordId::Proposition(match target {
                ErasureTarget::Proposition { id } => id,
                _ => unreachable!(),
            }))
            .collect();
        assert!(
            !left.is_empty() && left.iter().all(|step| step.revision.erased && step.revision.value.is_none())
        );
        assert!(left.iter().all(|step| step.revision.why.is_empty()));
    });
}

#[test]
fn what_is_not_there_and_the_user_cannot_be_erased() {
    run(async {
        let (memory, talk) = talk().await;
        let before = stored(&memory).await;
        let nobody = ErasureTarget::Proposition { id: PropositionId::new(uuid::Uuid::from_u128(999_999)) };
        assert!(matches!(memory.erase(&nobody).await, Err(Error::NotFound { .. })));
        let user = memory.state().user().map(|user| user.id).unwrap();
        let refused = memory.erase(&ErasureTarget::Entity { id: user }).await;
        assert!(matches!(refused, Err(Error::Invalid { what: "entity", .. })), "{refused:?}");
        assert_eq!(stored(&memory).await, before);
        let turn = turns(&memory, talk)[0].0;
        memory.erase(&ErasureTarget::Turn { id: turn }).await.unwrap();
        let again = memory.erase(&ErasureTarget::Turn { id: turn }).await;
        assert!(matches!(again, Err(Error::NotFound { .. })), "nothing is left to erase: {again:?}");
    });
}

#[test]
fn a_conversation_without_memory_neither_reads_nor_learns() {
    run(async {
        let (memory, _) = talk().await;
        let known = live(&memory);
        for (mode, reads) in [(MemoryMode::ReadOnly, true), (MemoryMode::Off, false)] {
            let quiet = memory.start_conversation("").await.unwrap();
            memory.set_conversation_mode(quiet, mode).await.unwrap();
            assert!(memory.set_conversation_mode(quiet, mode).await.unwrap().is_none(), "it is so already");
            user_says(&memory, quiet, "I own a telescope. What am I allergic to?").await;
            let answer = memory.answer(quiet, &mut |_| {}, &Cancel::new()).await.unwrap();
            assert_eq!(answer.turn.text.contains("penicillin"), reads, "{mode:?}: {}", answer.turn.text);
            assert_eq!(answer.assembled.items.is_empty(), !reads);
            analyse(&memory, quiet).await;
            assert_eq!(live(&memory), known);
            assert_eq!(memory.pending(quiet).withheld, Some("this conversation is not remembered"));
            assert_eq!(
                memory.compact(quiet, credence::compaction::Compact::Now, &Cancel::new()).await.unwrap(),
                credence::compaction::Compaction::Not("this conversation is not remembered".into())
            );

            // Taking the choice back does not reach what was said under it.
            memory.set_conversation_mode(quiet, MemoryMode::Full).await.unwrap();
            memory.say(quiet, Speaker::User, "I play chess.").await.unwrap();
            analyse(&memory, quiet).await;
            assert!(!live(&memory).iter().any(|text| text.contains("telescope")), "{:?}", live(&memory));
            assert!(live(&memory).iter().any(|text| text.contains("chess")), "{:?}", live(&memory));
            let chess = statement(&memory, "chess");
            memory.forget(chess).await.unwrap();
        }
    });
}

#[test]
fn hist_7_lifting_the_tombstones_brings_nothing_back() {
    run(async {
        let (memory, _) = talk().await;
        let report =
            memory.erase(&ErasureTarget::Proposition { id: statement(&memory, "oboe") }).await.unwrap();
        assert!(!report.tombstones.is_empty());
        assert!(memory.lift_tombstones(report.id).await.unwrap());
        assert!(!memory.lift_tombstones(report.id).await.unwrap(), "they are lifted");
        assert_gone(&memory, &["oboe"]).await;
        let unknown = credence::id::ErasureId::new(uuid::Uuid::from_u128(1));
        assert!(matches!(memory.lift_tombstones(unknown).await, Err(Error::NotFound { .. })));
    });
}

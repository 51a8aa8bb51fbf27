//! Branches: a memory that begins as another one's past, and knows nothing of what came later.

use credence::Memory;
use credence::config::Config;
use credence::history::{Actor, Cause, Keep};
use credence::id::{ContextId, TurnId};
use credence::llm::Cancel;
use credence::testing::TestPorts;

use super::support::*;

fn named(name: &str) -> ContextId {
    ContextId::new(name).unwrap()
}

#[test]
fn a_branch_sees_the_memory_as_of_the_fork_and_nothing_leaks_either_way() {
    run(async {
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let memory = open(ports).await;
        tell(&memory, &["My name is Mara. I live in Kleve."]).await;
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "I hate figs.").await;
        let fork: TurnId = memory.state().turns(talk).next_back().unwrap().id;
        let (at, before) = (memory.state().seq(), live(&memory));
        memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        analyse(&memory, talk).await;
        user_says(&memory, talk, "I live in Bonn now.").await;
        analyse(&memory, talk).await;

        let made = memory.branch_at_turn(fork, named("what if")).await.unwrap();
        assert_eq!((made.seq, &made.from), (at, memory.context()));
        let branch = Memory::open(sibling, named("what if"), Config::default()).await.unwrap();
        assert_eq!(live(&branch), before, "what was learned later is not known");
        assert_eq!(branch.state().turns(talk).count(), 1);
        {
            let (ours, theirs) = (memory.log(), branch.log());
            let head = theirs.commits().last().unwrap();
            assert_eq!((head.cause, head.ids["from"].as_str(), head.seq), (Cause::Branch, "test", at + 1));
            for (one, other) in ours.commits().iter().zip(theirs.commits()).take(at as usize) {
                assert_eq!(
                    (one.id, &one.revisions),
                    (other.id, &other.revisions),
                    "the same commits, ids and revisions"
                );
            }
        }
        assert_eq!(branch.ports().journal.appends(), memory.ports().journal.appends());
        assert_eq!(branch.pending(talk).turns, 1, "what waited at the fork is analysed there anew");
        analyse(&branch, talk).await;
        assert!(live(&branch).iter().any(|text| text.contains("figs")));
        user_says(&branch, talk, "I live in Rome now.").await;
        analyse(&branch, talk).await;
        memory.refresh().await.unwrap();
        assert!(!live(&memory).iter().any(|text| text.contains("Rome")));
        assert!(!live(&branch).iter().any(|text| text.contains("Bonn")));
    });
}

#[test]
fn use_records_of_the_past_go_along_and_later_ones_do_not() {
    run(async {
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let memory = open(ports).await;
        tell(&memory, &["I live in Kleve."]).await;
        let talk = memory.start_conversation("").await.unwrap();
        let mut used = Vec::new();
        let mut said = Vec::new();
        for question in ["Where do I live?", "Do I live in Kleve?"] {
            user_says(&memory, talk, question).await;
            said.push(memory.state().turns(talk).next_back().unwrap().id);
            let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
            used.push(answer.turn.use_record.unwrap());
        }
        memory.branch_at_turn(said[1], named("b")).await.unwrap();
        let branch = Memory::open(sibling, named("b"), Config::default()).await.unwrap();
        let shown = branch.xray(used[0]).await.unwrap().unwrap();
        assert!(shown.is_exact, "the answer before the fork can be shown whole");
        assert_eq!(shown.record.context, named("b"));
        assert!(
            branch.use_record(used[1]).await.unwrap().is_none(),
            "the answer behind it was never given there"
        );
    });
}

#[test]
fn a_taken_name_and_a_compacted_point_are_refused_in_words() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Kleve.", "I hate figs.", "I live in Bonn now."]).await;
        let first = memory.state().all_turns().next().unwrap().id;
        let taken = memory.branch_at_turn(first, memory.context().clone()).await.unwrap_err();
        assert!(taken.to_string().contains("choose another name"), "{taken}");
        memory.compact_history(Actor::Person, Keep::Revisions { revisions: 1 }).await.unwrap();
        let gone = memory.branch_at_turn(first, named("early")).await.unwrap_err();
        assert!(gone.to_string().contains("compacted"), "{gone}");
        let at = memory.log().horizon();
        assert_eq!(memory.branch_at(Actor::Host, at, named("late"), "").await.unwrap().seq, at);
    });
}

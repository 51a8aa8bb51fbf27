//! What holds for any conversation: reading it twice changes nothing, no source is lost, and the order of what has nothing to
//! do with each other does not matter.

use std::collections::BTreeSet;

use credence::history::{Actor, Cause, ScopeInfo};
use credence::id::ConversationId;
use credence::proposition::{Proposition, PropositionQuery};
use proptest::prelude::*;

use super::support::*;

/// Repeats, opposites, moves, the past and other languages.
const SAID: [&str; 20] = [
    "Pia loves techno.",
    "Pia hates techno.",
    "Pia can't stand techno any more.",
    "pia loves techno!",
    "I live in Oslo.",
    "I live in Oslo now.",
    "I moved to Bergen.",
    "I used to live in Oslo.",
    "I lived in Bonn until 2020.",
    "I work at Acme.",
    "I no longer work at Acme.",
    "Nia was born in Oslo.",
    "Nia was born in Bergen.",
    "Nia knows Bo.",
    "Nia knows Cy.",
    "Ich wohne in Bergen.",
    "我住在卑尔根。",
    "我喜欢茶。",
    "我不喜欢茶。",
    "Mara has 2 cats. Mara has 3 cats.",
];
/// Nothing of these has to do with another.
const INDEPENDENT: [&str; 8] = [
    "Pia loves techno.",
    "Nia knows Bo.",
    "Mara owns a red kayak.",
    "Ivo was born in Lima.",
    "Oda speaks Finnish.",
    "Ich wohne in Bergen.",
    "我喜欢茶。",
    "Night deploys are not allowed.",
];

fn everything(memory: &TestMemory) -> Vec<Proposition> {
    memory.propositions(&PropositionQuery::default()).into_iter().map(|view| view.proposition).collect()
}

async fn talked(said: &[&str]) -> (TestMemory, ConversationId) {
    let memory = offline().await;
    let talk = memory.start_conversation("").await.unwrap();
    for text in said {
        memory.ports().clock.advance_ms(60_000);
        user_says(&memory, talk, text).await;
    }
    analyse(&memory, talk).await;
    (memory, talk)
}

/// Reads the whole conversation once more.
async fn read_again(memory: &TestMemory, talk: ConversationId) {
    let info = ScopeInfo::new(Cause::Extraction, Actor::Engine, "read again");
    memory
        .change(info, |state, scope| {
            let mut bookmark = state.bookmark(talk).cloned().unwrap();
            bookmark.analysed_until = 0;
            scope.put(state, bookmark, "");
            Ok(())
        })
        .await
        .unwrap();
    memory.ports().clock.advance_ms(60_000);
    analyse(memory, talk).await;
}

fn sources(all: &[Proposition]) -> BTreeSet<String> {
    let turns = all.iter().flat_map(|p| p.grounding.iter().map(ToString::to_string));
    let entries = all.iter().flat_map(|p| p.provenance.iter().map(|e| format!("{e:?}")));
    turns.chain(entries).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn reading_a_conversation_twice_changes_nothing(said in proptest::collection::vec(0..SAID.len(), 1..9)) {
        run(async {
            let said: Vec<&str> = said.iter().map(|n| SAID[*n]).collect();
            let (memory, talk) = talked(&said).await;
            let before = everything(&memory);
            read_again(&memory, talk).await;
            let after = everything(&memory);
            prop_assert_eq!(before, after, "{:?}", said);
            Ok(())
        })?;
    }

    /// Each turn that anything came of stays a source of it, whatever happens later.
    #[test]
    fn no_source_is_lost(first in proptest::collection::vec(0..SAID.len(), 1..5), then in proptest::collection::vec(0..SAID.len(), 1..5)) {
        run(async {
            let texts = |picked: &[usize]| -> Vec<&str> { picked.iter().map(|n| SAID[*n]).collect() };
            let (memory, talk) = talked(&texts(&first)).await;
            let before = sources(&everything(&memory));
            for text in texts(&then) {
                memory.ports().clock.advance_ms(60_000);
                user_says(&memory, talk, text).await;
            }
            analyse(&memory, talk).await;
            let after = sources(&everything(&memory));
            prop_assert!(before.is_subset(&after), "{:?}", before.difference(&after).collect::<Vec<_>>());
            let read: Vec<_> = memory.state().analyses().cloned().collect();
            for outcome in read.iter().flat_map(|report| &report.outcomes) {
                prop_assert!(memory.state().proposition(outcome.proposition).is_some(), "{:?}", outcome);
            }
            Ok(())
        })?;
    }

    #[test]
    fn the_order_of_independent_facts_does_not_matter(order in Just((0..INDEPENDENT.len()).collect::<Vec<_>>()).prop_shuffle()) {
        run(async {
            let said: Vec<&str> = order.iter().map(|n| INDEPENDENT[*n]).collect();
            let (shuffled, _) = talked(&said).await;
            let (sorted, _) = talked(&INDEPENDENT).await;
            let set = |memory: &TestMemory| live(memory).into_iter().collect::<BTreeSet<_>>();
            prop_assert_eq!(set(&shuffled), set(&sorted));
            prop_assert_eq!(live(&shuffled).len(), INDEPENDENT.len());
            Ok(())
        })?;
    }
}

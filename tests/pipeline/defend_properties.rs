//! What holds of the working set whoever says what: CANON is moved by nobody but a person, and nothing that loses is lost.

use credence::conversation::Speaker;
use credence::history::RecordId;
use credence::id::PropositionId;
use credence::proposition::Status;
use credence::unit::Authority;
use proptest::prelude::*;

use super::support::*;

/// Opposites, moves, endings and repeats of what is CANON, and what has nothing to do with it.
const SAID: [&str; 10] = [
    "Pia loves techno.",
    "Pia hates techno.",
    "Pia can't stand techno any more.",
    "I live in Oslo.",
    "I moved to Bergen.",
    "I no longer live in Oslo.",
    "User lives in Rome.",
    "Pia plays the harp.",
    "Pia no longer loves techno.",
    "Ich wohne in Bergen.",
];

fn speaker(n: usize) -> Speaker {
    match n {
        0 | 1 => Speaker::User,
        2 => Speaker::Person { name: "Bo".into() },
        3 => Speaker::Person { name: "dm".into() },
        _ => Speaker::Assistant,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn canon_is_moved_by_nobody_and_nothing_is_lost(
        said in prop::collection::vec((0..SAID.len(), 0..5usize), 1..9)
    ) {
        run(async {
            let memory = offline().await;
            tell(&memory, &["Pia loves techno.", "I live in Oslo."]).await;
            let canon: Vec<PropositionId> = memory.state().propositions().map(|p| p.id).collect();
            for id in &canon {
                memory.add_to_working_set(*id).await.unwrap();
                memory.canonize_unit(*id, "").await.unwrap();
            }
            for (text, who) in said {
                memory.ports().clock.advance_ms(3_600_000);
                let conversation = memory.start_conversation("").await.unwrap();
                memory.say(conversation, speaker(who), SAID[text]).await.unwrap();
                analyse(&memory, conversation).await;
                let last = memory.state().propositions().last().unwrap().id;
                let _ = memory.add_to_working_set(last).await;
                let state = memory.state();
                for id in &canon {
                    let (unit, p) = (state.unit(*id).unwrap(), state.proposition(*id).unwrap());
                    prop_assert_eq!(unit.authority(), Authority::Canon);
                    prop_assert!(unit.is_active() && p.status == Status::Active);
                }
                for p in state.propositions() {
                    let is_retired = matches!(p.status, Status::Contradicted | Status::Superseded);
                    let named = |other: &credence::proposition::Proposition| {
                        other.temporal.supersedes.contains(&p.id) || other.temporal.contradicts.contains(&p.id)
                    };
                    prop_assert!(!is_retired || state.propositions().any(named), "{:?}", p);
                    let unit = state.unit(p.id).filter(|unit| unit.is_active());
                    prop_assert!(unit.is_none() || p.status.is_live(), "one truth: {:?}", p);
                }
                for met in state.analyses().flat_map(|report| &report.outcomes).flat_map(|o| &o.defended) {
                    prop_assert!(state.revision(RecordId::Unit(met.unit)).is_some());
                }
            }
            Ok(())
        })?;
    }
}

//! The working set against those who would bend it, and in ordinary life: races, undoing, repetition, documents, corrections, a long
//! chat, forgetting.

use credence::Memory;
use credence::config::Config;
use credence::conversation::{Speaker, Turn};
use credence::enforcement::{
    Action, Attempt, CheckedBy, Compliance, ComplianceOutcome, EnforcementStrategy, Violation,
};
use credence::history::{Actor, Cause, ScopeInfo};
use credence::id::PropositionId;
use credence::ingest::DocumentOptions;
use credence::llm::Cancel;
use credence::proposition::Proposition;
use credence::testing::TestPorts;
use credence::trust::sources_of;
use credence::unit::{Authority, UnitSettings};
use credence::upkeep::SweepKind;

use super::promotion::{says, trusting, with};
use super::support::*;
use super::units::{id, stocked};

fn in_view(memory: &TestMemory) -> Vec<String> {
    memory.working_set().into_iter().map(|view| view.proposition.text).collect()
}

/// Two memories on one journal that hold these statements, of which the second has not seen what the first then promotes.
async fn apart(budget: u32, first: &Proposition, second: &Proposition) -> [TestMemory; 2] {
    let mut config = Config::default();
    trusting(&mut config);
    config.unit.budget = budget;
    let ports = TestPorts::offline();
    let sibling = ports.sibling();
    let one = Memory::open(ports, context(), config.clone()).await.unwrap();
    one.save(&[first.clone(), second.clone()], Actor::Host).await.unwrap();
    let two = Memory::open(sibling, context(), config).await.unwrap();
    one.promote(&[first.id]).await.unwrap();
    assert!(two.working_set().is_empty(), "it has not seen it");
    two.promote(&[second.id]).await.unwrap();
    one.refresh().await.unwrap();
    assert_eq!(in_view(&one), in_view(&two));
    [one, two]
}

#[test]
fn two_writers_do_not_fill_the_last_place_twice() {
    run(async {
        let (boat, chess) =
            (says(1, "Nia sails a red boat.", 0.9), says(2, "Bo plays chess on Fridays.", 0.9));
        let [_, memory] = apart(1, &boat, &chess).await;
        assert_eq!(memory.working_set().len(), 1, "{:?}", in_view(&memory));
        let [_, roomy] = apart(2, &boat, &chess).await;
        assert_eq!(roomy.working_set().len(), 2, "where there is room, both enter");
    });
}

#[test]
fn what_another_writer_let_in_is_compared_too() {
    run(async {
        let (two, three) = (says(1, "Nia has two cats.", 0.9), says(2, "Nia has three cats.", 0.9));
        let [_, memory] = apart(20, &two, &three).await;
        assert_eq!(memory.working_set().len(), 1, "{:?}", in_view(&memory));
        let report = memory.state().promotions().find_map(|report| report.of(three.id).cloned()).unwrap();
        assert_eq!(report.conflicts.len(), 1, "{report:?}");
    });
}

#[test]
fn an_undo_brings_no_unit_back_past_the_budget() {
    run(async {
        let memory = stocked(3, UnitSettings { budget: 2, ..UnitSettings::default() }).await;
        for n in 1..=2 {
            memory.add_to_working_set(id(n)).await.unwrap();
        }
        let archived = memory.archive_unit(id(1), "").await.unwrap().commit.unwrap();
        memory.set_activation(id(2), 700).await.unwrap();
        memory.add_to_working_set(id(3)).await.unwrap();
        memory.set_activation(id(3), 300).await.unwrap();
        memory.undo(archived, None).await.unwrap();
        assert_eq!(
            in_view(&memory),
            ["Harbour 2 is open.", "Harbour 1 is open."],
            "the least activated sleeps"
        );
        // A forgotten statement comes back with its unit.
        let forgotten = memory.forget(id(1)).await.unwrap().unwrap().id;
        memory.revive_unit(id(3)).await.unwrap();
        memory.undo(forgotten, None).await.unwrap();
        assert_eq!(memory.working_set().len(), 2, "{:?}", in_view(&memory));
        assert!(memory.state().proposition(id(1)).is_some());
    });
}

#[test]
fn saying_it_fifty_times_and_hearing_it_back_raises_nothing() {
    run(async {
        let memory = offline().await;
        for _ in 0..50 {
            let talk = memory.start_conversation("").await.unwrap();
            user_says(&memory, talk, "I am allergic to peanuts.").await;
            memory.say(talk, Speaker::Assistant, "You are allergic to peanuts.").await.unwrap();
            user_says(&memory, talk, "Yes.").await;
            analyse(&memory, talk).await;
        }
        let set = memory.working_set();
        assert_eq!(set.len(), 1, "{:?}", in_view(&memory));
        assert_eq!((set[0].authority, set[0].unit.evidence().len()), (Authority::Provisional, 0));
        assert!(memory.inbox().is_empty());
    });
}

/// A pasted text has no address, so each of its passages once counted as a source of its own.
#[test]
fn the_passages_of_a_pasted_document_are_one_source() {
    run(async {
        let memory = with(trusting, TestPorts::offline()).await;
        let wall = |part: u32| -> String {
            (0..30).map(|n| format!("Paragraph {part} tells of stone number {n} in the wall. ")).collect()
        };
        let text: String =
            (0..10).map(|n| format!("## Part {n}\n\nDana Reed lives in Oslo. {}\n\n", wall(n))).collect();
        let receipt = memory.ingest_document("wall.md", &text, &DocumentOptions::default()).await.unwrap();
        analyse(&memory, receipt.conversation).await;
        let dana = memory.state().propositions().find(|p| p.text.contains("Oslo")).cloned().unwrap();
        assert!(dana.provenance.len() > 5, "it stands in many passages");
        assert_eq!(sources_of(&memory.state(), &dana).len(), 1);
        let unit = memory.unit(dana.id).unwrap();
        assert_eq!((unit.authority, unit.unit.evidence().len()), (Authority::Provisional, 0));
    });
}

#[test]
fn a_correction_is_heard_whatever_words_of_surprise_it_has() {
    run(async {
        for (first, then) in [
            ("I am allergic to peanuts.", "I'm not allergic to peanuts after all."),
            ("I live in Oslo.", "I moved to Bergen."),
            ("I work at Acme.", "I no longer work at Acme."),
        ] {
            let memory = offline().await;
            tell(&memory, &[first, then]).await;
            assert_eq!(in_view(&memory).len(), 1, "{then}: {:?}", in_view(&memory));
            let newer = memory.state().propositions().last().map(|p| p.text.clone()).unwrap();
            assert_eq!(in_view(&memory), [newer], "{then}");
            assert!(memory.inbox().is_empty(), "{then}: {:?}", memory.inbox());
        }
    });
}

/// A hundred turns of a day, with the rules alone: what lasts is there, small talk is not, nobody is asked anything, and the prompt has
/// what matters for the question.
#[test]
fn case_37_38_a_long_chat_stays_sensible() {
    run(async {
        const FACTS: [&str; 7] = [
            "I am allergic to peanuts.",
            "I live in Oslo.",
            "My dog is called Rex.",
            "I work as a nurse.",
            "My brother Tom lives in Paris.",
            "I speak Norwegian.",
            "Mi hermana se llama Lucía.",
        ];
        const TALK: [&str; 9] = [
            "What is the weather like?",
            "Can you help me with an email?",
            "Thanks!",
            "That was funny.",
            "Why is the sky blue?",
            "Wie spät ist es?",
            "¿Qué hora es?",
            "I will call you later.",
            "Ok.",
        ];
        let memory = offline().await;
        let talk = memory.start_conversation("").await.unwrap();
        for n in 0..100 {
            let text = if n % 8 == 0 { FACTS[(n / 8) % FACTS.len()] } else { TALK[n % TALK.len()] };
            user_says(&memory, talk, text).await;
            let answer = "You could try a recipe with peanuts, or visit Rome.";
            memory.say(talk, Speaker::Assistant, answer).await.unwrap();
            if n % 10 == 9 {
                analyse(&memory, talk).await;
                memory.keep_up(&Cancel::new()).await.unwrap();
            }
            memory.ports().clock.advance_ms(60_000);
        }
        assert_eq!(memory.working_set().len(), FACTS.len(), "{:?}", in_view(&memory));
        assert!(memory.inbox().is_empty(), "{:?}", memory.inbox());
        let given = async |question: &str| -> Vec<String> {
            let assembled = memory.preview(talk, question).await.unwrap();
            assembled.items.into_iter().map(|item| item.text).collect()
        };
        let allergy = "User is allergic to peanuts.";
        assert_eq!(given("What can I cook tonight?").await, [allergy]);
        assert_eq!(given("What is my dog called?").await, [allergy, "User's dog is called Rex."]);
        assert_eq!(given("What is the capital of France?").await, [allergy]);
        // A month of silence: what is believed is still there, and reopening changes nothing.
        memory.ports().clock.advance_ms(31 * 24 * 3_600_000);
        memory.sweep(SweepKind::Full, false, &Cancel::new()).await.unwrap();
        assert_eq!(given("What is my dog called?").await, [allergy, "User's dog is called Rex."]);
        let again = Memory::open(memory.ports().sibling(), context(), memory.config()).await.unwrap();
        assert_eq!(again.working_set(), memory.working_set());
        assert_eq!(again.pressure(), memory.pressure());
        assert_eq!(again.attention(), memory.attention());
    });
}

/// Keeps an answer that contradicted a unit, as enforcement does.
async fn contradicted(memory: &TestMemory, unit: PropositionId, fact: &str) {
    let talk = memory.start_conversation("").await.unwrap();
    let turn = memory.say(talk, Speaker::Assistant, "Very well.").await.unwrap();
    let violation = Violation {
        unit,
        fact: fact.to_owned(),
        authority: Authority::Canon,
        sentence: "Very well.".into(),
        reason: format!("it cannot be while {fact}"),
        confidence: 0.9,
        by: CheckedBy::Rules,
    };
    let attempt = Attempt {
        layers: Vec::new(),
        violations: vec![violation],
        action: Action::Retry,
        warnings: Vec::new(),
        elapsed_ms: 0,
    };
    let compliance = Compliance {
        strategy: EnforcementStrategy::PostGeneration,
        enforced: 1,
        attempts: vec![attempt],
        kept: Some(0),
        outcome: ComplianceOutcome::Compliant,
        reason: String::new(),
        used: Vec::new(),
        biased: 0,
    };
    let turn = Turn { compliance: Some(Box::new(compliance)), ..turn };
    let info = ScopeInfo::new(Cause::Conversation, Actor::Engine, "an answer was checked");
    memory
        .change(info, |state, scope| {
            scope.put(state, turn.clone(), "");
            Ok(())
        })
        .await
        .unwrap();
}

#[test]
fn forgetting_leaves_nothing_in_any_record() {
    run(async {
        let memory = offline().await;
        let fact = says(1, "Nia hides the zeppelin in Kleve.", 0.95);
        let chess = says(2, "Bo plays chess on Fridays.", 0.95);
        memory.save(&[fact.clone(), chess.clone()], Actor::Host).await.unwrap();
        memory.promote(&[fact.id, chess.id]).await.unwrap();
        memory.add_to_working_set(fact.id).await.unwrap();
        memory.canonize_unit(fact.id, "the zeppelin is mine").await.unwrap();
        memory.request_decanon(fact.id, credence::inbox::Asker::Host, "no zeppelin flies").await.unwrap();
        memory.sweep(SweepKind::Full, false, &Cancel::new()).await.unwrap();
        contradicted(&memory, fact.id, &fact.text).await;
        let talk = memory.start_conversation("").await.unwrap();
        memory.assemble(talk, "What does Nia hide?").await.unwrap();
        memory.forget(fact.id).await.unwrap();
        let state = memory.state().clone();
        let present: Vec<String> = [
            state.propositions().map(|r| serde_json::to_string(r).unwrap()).collect::<Vec<_>>(),
            state.units().map(|r| serde_json::to_string(r).unwrap()).collect(),
            state.promotions().map(|r| serde_json::to_string(r).unwrap()).collect(),
            state.inbox_items().map(|r| serde_json::to_string(r).unwrap()).collect(),
            state.summaries().map(|r| serde_json::to_string(r).unwrap()).collect(),
            state.sweeps().map(|r| serde_json::to_string(r).unwrap()).collect(),
            state.all_turns().map(|r| serde_json::to_string(r).unwrap()).collect(),
            state.analyses().map(|r| serde_json::to_string(r).unwrap()).collect(),
        ]
        .concat();
        let told: Vec<&String> = present.iter().filter(|json| json.contains("eppelin")).collect();
        assert!(told.is_empty(), "{told:#?}");
        let sweeps = state.sweeps().flat_map(|sweep| &sweep.audited);
        assert!(sweeps.into_iter().all(|one| one.unit != fact.id));
        let again = Memory::open(memory.ports().sibling(), context(), memory.config()).await.unwrap();
        assert_eq!(again.working_set(), memory.working_set());
    });
}

#[test]
fn what_stands_against_a_vital_unit_is_not_vital_itself() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I'm allergic to peanuts."]).await;
        let allergy = memory.working_set()[0].id();
        memory.canonize_unit(allergy, "").await.unwrap();
        tell(&memory, &["I'm not allergic to peanuts."]).await;
        let talk = memory.start_conversation("").await.unwrap();
        let told = memory.assemble(talk, "What is 17 times 23?").await.unwrap();
        let texts: Vec<&str> = told.items.iter().map(|item| item.text.as_str()).collect();
        assert_eq!(
            texts,
            ["User is allergic to peanuts."],
            "the denial has nothing to do with a multiplication"
        );
    });
}

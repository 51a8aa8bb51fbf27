//! Promotion, compaction and sweeps that are cut short, answered badly, or raced: a cancel in any phase writes nothing and says so, a reply
//! that cannot be read or does not come is never a yes, and of two writers the slower one finds what the faster one did.

use std::cell::Cell;
use std::rc::Rc;

use credence::compaction::{Compact, Compaction, Writer};
use credence::config::Config;
use credence::conflict::DetectionStrategy;
use credence::conversation::Speaker;
use credence::history::Actor;
use credence::id::{ConversationId, PropositionId};
use credence::inbox::InboxKind;
use credence::llm::{Cancel, ModelError, Role, scripted::ScriptedModel};
use credence::memory::Edit;
use credence::ports::Clock as _;
use credence::promotion::{Fate, PromotionReport};
use credence::proposition::Proposition;
use credence::testing::TestPorts;
use credence::unit::DedupStrategy;
use credence::upkeep::{MaintenanceMode, SweepKind, SweepTrigger};
use credence::{Error, Memory};
use futures::future::join;

use super::promotion::{offered, says, trusting, with};
use super::support::*;
use super::sweeps::{pass, set};

/// Cancels at the call of this number, from 0, and answers all the same: what comes after a cancel must not count.
fn stops_at(call: usize, cancel: &Cancel, answer: impl Fn(Role) -> String + 'static) -> ScriptedModel {
    let (made, cancel) = (Cell::new(0), cancel.clone());
    ScriptedModel::new().respond_with(move |role, _| {
        if made.replace(made.get() + 1) == call {
            cancel.cancel();
        }
        Ok(answer(role))
    })
}

/// The bytes of what a memory holds.
fn held(memory: &TestMemory) -> String {
    format!("{:?}", memory.state().clone())
}

// Promotion

/// Both questions are put to the model, in a call each: whether it is said already, and what it stands against.
fn asking(config: &mut Config) {
    trusting(config);
    config.conflict_detection.strategy = DetectionStrategy::Llm;
    config.unit.dedup_strategy = DedupStrategy::LlmOnly;
}

fn nothing_found(_: Role) -> String {
    r#"{"items": [{"item": 1, "same_as": 0}], "statements": [], "conflicts": []}"#.to_owned()
}

/// A unit, and a statement that is to be offered beside it; then this model is connected.
async fn beside(model: ScriptedModel) -> (TestMemory, PropositionId) {
    let ports = TestPorts::with(model);
    ports.chat.set_offline(true);
    let memory = with(asking, ports).await;
    offered(&memory, &[says(1, "Nia sails a red boat.", 0.9)]).await;
    let fresh = says(2, "Bo plays chess on Fridays.", 0.9);
    memory.save(std::slice::from_ref(&fresh), Actor::Host).await.unwrap();
    memory.ports().chat.set_offline(false);
    (memory, fresh.id)
}

#[test]
fn a_promotion_that_is_cancelled_in_any_phase_writes_nothing_and_can_be_made_again() {
    run(async {
        let (whole, fresh) = beside(stops_at(usize::MAX, &Cancel::new(), nothing_found)).await;
        let report = whole.promote(&[fresh]).await.unwrap();
        let calls = whole.ports().chat.calls(Role::Revise);
        assert!(calls >= 2, "both questions are asked: {report:?}");
        for call in 0..calls {
            let cancel = Cancel::new();
            let (memory, fresh) = beside(stops_at(call, &cancel, nothing_found)).await;
            let before = held(&memory);
            let stopped = memory.promote_until(&[fresh], &cancel).await;
            assert!(matches!(stopped, Err(Error::Cancelled)), "call {call}: {stopped:?}");
            assert_eq!(held(&memory), before, "call {call}");
            let again = memory.promote(&[fresh]).await.unwrap();
            assert_eq!(
                again.candidates[0].fate, report.candidates[0].fate,
                "what was offered can be offered again"
            );
        }
        let cancel = Cancel::new();
        cancel.cancel();
        let (memory, fresh) = beside(ScriptedModel::new()).await;
        let before = held(&memory);
        assert!(matches!(memory.promote_until(&[fresh], &cancel).await, Err(Error::Cancelled)));
        assert_eq!(
            (held(&memory), memory.ports().chat.requests().len()),
            (before, 0),
            "nor is anybody asked"
        );
    });
}

fn late() -> ModelError {
    ModelError::Timeout { after_ms: 60_000 }
}

#[test]
fn replies_that_are_no_answer_never_let_a_candidate_in() {
    run(async {
        for (answer, said) in [
            (Ok("I would rather not say.".to_owned()), "could not"),
            (Ok(r#"{"items": "all", "statements": 7}"#.to_owned()), "could not"),
            (Ok(String::new()), "could not"),
            (Err(late()), "60"),
        ] {
            let replies = answer.clone();
            let model = ScriptedModel::new().respond_with(move |_, _| replies.clone());
            let (memory, fresh) = beside(model).await;
            let report = memory.promote(&[fresh]).await.unwrap();
            assert_eq!(report.candidates[0].fate, Fate::Quarantined, "{answer:?}");
            assert_eq!(memory.working_set().len(), 1, "{answer:?}");
            let waits = memory.inbox();
            assert_eq!(waits.iter().map(|item| item.kind).collect::<Vec<_>>(), [InboxKind::Quarantine]);
            assert!(waits[0].why.contains(said), "{answer:?}: {}", waits[0].why);
        }
    });
}

#[test]
fn a_conflict_that_could_not_be_judged_is_a_question_with_its_reason() {
    run(async {
        for answer in [Ok("no".to_owned()), Err(late())] {
            let replies = answer.clone();
            let model = ScriptedModel::new().respond_with(move |_, _| replies.clone());
            let (memory, fresh) = beside(model).await;
            set(&memory, |config| config.unit.dedup_strategy = DedupStrategy::FastOnly);
            let report: PromotionReport = memory.promote(&[fresh]).await.unwrap();
            let candidate = &report.candidates[0];
            assert_eq!((candidate.fate, memory.working_set().len()), (Fate::Quarantined, 1), "{answer:?}");
            assert!(
                candidate.reason.contains("Nia sails a red boat") && candidate.inbox.is_some(),
                "{candidate:?}"
            );
        }
    });
}

// Compaction

fn summary(text: &str) -> String {
    serde_json::json!({ "summary": text }).to_string()
}

/// A talk of eight turns, analysed offline, with a pinned fact in it; then this model is connected.
async fn talked(ports: TestPorts) -> (TestMemory, ConversationId) {
    ports.chat.set_offline(true);
    let memory = open(ports).await;
    set(&memory, |config| {
        config.unit.auto_activate = false;
        config.compaction.enabled = true;
        config.compaction.message_threshold = 6;
        config.compaction.keep_recent = 0;
    });
    let talk = memory.start_conversation("").await.unwrap();
    for text in
        ["I have 2 cats.", "I live in Kleve, close to the old harbour.", "It rained all day.", "I hate figs."]
    {
        user_says(&memory, talk, text).await;
        let reply =
            "That is good to know, and I will think of it whenever we come to speak of such things again.";
        memory.say(talk, Speaker::Assistant, reply).await.unwrap();
    }
    analyse(&memory, talk).await;
    let cats = memory.state().propositions().find(|p| p.text.contains("cats")).map(|p| p.id).unwrap();
    memory.pin(cats, true).await.unwrap();
    memory.ports().chat.set_offline(false);
    (memory, talk)
}

#[test]
fn a_compaction_that_is_cancelled_in_any_try_writes_nothing() {
    run(async {
        // Two tries lose the pinned fact, the third keeps it; the last answer is one that would be taken.
        for call in 0..3 {
            let cancel = Cancel::new();
            let left = Cell::new(3);
            let answer = move |_| {
                left.set(left.get() - 1);
                if left.get() == 0 { summary("The user has 2 cats.") } else { summary("They talked.") }
            };
            let (memory, talk) = talked(TestPorts::with(stops_at(call, &cancel, answer))).await;
            let before = held(&memory);
            let stopped = memory.compact(talk, Compact::Now, &cancel).await;
            assert!(matches!(stopped, Err(Error::Cancelled)), "call {call}: {stopped:?}");
            assert_eq!(held(&memory), before, "call {call}");
            assert_eq!(memory.ports().chat.calls(Role::Extract), call + 1, "and nobody is asked again");
            let again = memory.compact(talk, Compact::Now, &Cancel::new()).await.unwrap();
            assert!(matches!(again, Compaction::Done(_)), "it is not held up by what was stopped: {again:?}");
        }
    });
}

#[test]
fn a_summary_that_cannot_be_read_or_does_not_come_leaves_the_rules_and_the_reason() {
    run(async {
        for (answer, said) in [
            (Ok("So they talked.".to_owned()), ""),
            (Ok("{\"summary\": 7}".to_owned()), ""),
            (Err(late()), "60"),
        ] {
            let replies = answer.clone();
            let model = ScriptedModel::new().respond_with(move |_, _| replies.clone());
            let (memory, talk) = talked(TestPorts::with(model)).await;
            let Compaction::Done(made) = memory.compact(talk, Compact::Now, &Cancel::new()).await.unwrap()
            else {
                panic!("{answer:?}");
            };
            assert_eq!(made.written_by, Writer::Extractive, "{answer:?}");
            assert!(made.text.contains("2 cats") && made.losses.is_empty(), "{}", made.text);
            assert!(!made.attempts.is_empty());
            for attempt in &made.attempts {
                let problem = attempt.problem.as_deref().unwrap_or_default();
                assert!(!problem.is_empty() && problem.contains(said), "{answer:?}: {problem}");
            }
        }
    });
}

#[test]
fn two_writers_sum_a_conversation_up_once() {
    run(async {
        let ports = TestPorts::with(ScriptedModel::new());
        let sibling = ports.sibling();
        let (one, talk) = talked(ports).await;
        one.ports().chat.set_offline(true);
        let two = Memory::open(sibling, context(), one.config()).await.unwrap();
        let first = one.compact(talk, Compact::IfDue, &Cancel::new()).await.unwrap();
        assert!(matches!(first, Compaction::Done(_)), "{first:?}");
        assert!(two.summary(talk).is_none(), "it has not seen it");
        let second = two.compact(talk, Compact::IfDue, &Cancel::new()).await.unwrap();
        assert!(matches!(second, Compaction::Not(_)), "{second:?}");
        one.refresh().await.unwrap();
        assert_eq!((one.state().summaries().count(), held(&one)), (1, held(&two)));
    });
}

#[test]
fn a_turn_that_a_person_changed_meanwhile_is_summed_up_as_it_stands() {
    run(async {
        let ports = TestPorts::with(ScriptedModel::new());
        let sibling = ports.sibling();
        let (one, talk) = talked(ports).await;
        one.ports().chat.set_offline(true);
        let two = Memory::open(sibling, context(), one.config()).await.unwrap();
        let last = one.state().turns(talk).next_back().map(|turn| turn.id).unwrap();
        one.delete_turn(last).await.unwrap();
        let made = two.compact(talk, Compact::Now, &Cancel::new()).await.unwrap();
        let Compaction::Done(made) = made else { panic!("{made:?}") };
        assert_eq!(
            two.summary(talk).map(|standing| standing.id),
            Some(made.id),
            "it stands for what is there"
        );
        one.refresh().await.unwrap();
        assert_eq!(held(&one), held(&two));
    });
}

// Sweeps

/// Two units that a full budget presses; sweeps come by themselves, and the rules leave both open to the model.
fn pressed(config: &mut Config) {
    trusting(config);
    config.unit.budget = 2;
    let pressure = &mut config.pressure;
    (pressure.budget_weight, pressure.conflict_weight) = (1.0, 0.0);
    (pressure.decay_weight, pressure.compaction_weight) = (0.0, 0.0);
    config.maintenance.mode = MaintenanceMode::Proactive;
    config.maintenance.proactive.llm_audit_enabled = true;
}

async fn two_units(ports: TestPorts) -> TestMemory {
    ports.chat.set_offline(true);
    let memory = with(pressed, ports).await;
    let both = [says(1, "Nia sails a red boat.", 0.9), says(2, "Bo plays chess on Fridays.", 0.9)];
    offered(&memory, &both).await;
    assert_eq!(memory.working_set().len(), 2);
    memory.ports().chat.set_offline(false);
    memory
}

fn scores(_: Role) -> String {
    r#"{"units": [{"unit": 1, "score": 0.05}, {"unit": 2, "score": 0.9}]}"#.to_owned()
}

#[test]
fn a_sweep_that_is_cancelled_writes_nothing_and_the_next_one_is_not_held_up() {
    run(async {
        let cancel = Cancel::new();
        let memory = two_units(TestPorts::with(stops_at(0, &cancel, scores))).await;
        let before = held(&memory);
        let stopped = memory.sweep(SweepKind::Full, false, &cancel).await;
        assert!(matches!(stopped, Err(Error::Cancelled)), "{stopped:?}");
        assert!(matches!(memory.sweep(SweepKind::Light, false, &cancel).await, Err(Error::Cancelled)));
        assert!(matches!(memory.keep_up(&cancel).await, Err(Error::Cancelled)));
        assert_eq!(held(&memory), before);
        assert!(memory.sweep(SweepKind::Full, false, &Cancel::new()).await.is_ok());
    });
}

#[test]
fn scores_that_cannot_be_read_or_do_not_come_leave_those_of_the_rules_and_the_reason() {
    run(async {
        let by_rules = two_units(TestPorts::with(ScriptedModel::new())).await;
        by_rules.ports().chat.set_offline(true);
        let wanted = by_rules.sweep(SweepKind::Full, false, &Cancel::new()).await.unwrap();
        for (answer, said) in [
            (Ok("These are fine units.".to_owned()), "the rules' scores stand"),
            (Ok(r#"{"units": "both"}"#.to_owned()), "the rules' scores stand"),
            (Err(late()), "60"),
        ] {
            let replies = answer.clone();
            let memory =
                two_units(TestPorts::with(ScriptedModel::new().respond_with(move |_, _| replies.clone())))
                    .await;
            let report = memory.sweep(SweepKind::Full, false, &Cancel::new()).await.unwrap();
            assert!(memory.ports().chat.calls(Role::Revise) > 0, "it was asked");
            assert!(report.notes.iter().any(|note| note.contains(said)), "{answer:?}: {:?}", report.notes);
            assert_eq!(report.effects.len(), wanted.effects.len(), "{answer:?}");
        }
    });
}

#[test]
fn a_sweep_that_pressure_calls_for_is_made_once_by_two_writers() {
    run(async {
        let ports = TestPorts::with(ScriptedModel::new());
        let sibling = ports.sibling();
        let one = two_units(ports).await;
        one.ports().chat.set_offline(true);
        pass(&one, 10).await;
        let two = Memory::open(sibling, context(), one.config()).await.unwrap();
        assert!(one.sweep_due().is_some() && two.sweep_due().is_some());
        let first = one.keep_up(&Cancel::new()).await.unwrap().sweep.unwrap();
        assert_eq!(first.trigger, SweepTrigger::Pressure);
        let second = two.keep_up(&Cancel::new()).await.unwrap();
        assert!(second.sweep.is_none(), "it is done already: {second:?}");
        one.refresh().await.unwrap();
        assert_eq!((one.sweeps().len(), held(&one)), (1, held(&two)));
    });
}

#[test]
fn a_sweep_spares_what_a_person_pinned_or_took_out_meanwhile() {
    run(async {
        let ports = TestPorts::with(ScriptedModel::new());
        let sibling = ports.sibling();
        let one = two_units(ports).await;
        one.ports().chat.set_offline(true);
        pass(&one, 30).await;
        let two = Memory::open(sibling, context(), one.config()).await.unwrap();
        let [boat, chess] = [1, 2].map(|n| says(n, "x", 0.9).id);
        one.archive_unit(boat, "sold").await.unwrap();
        one.pin(chess, true).await.unwrap();
        let report = two.sweep(SweepKind::Full, false, &Cancel::new()).await.unwrap();
        assert!(report.effects.iter().all(|effect| effect.change.unit != boat), "{report:?}");
        assert!(two.unit(chess).unwrap().is_active() && !two.unit(boat).unwrap().is_active());
        one.refresh().await.unwrap();
        assert_eq!(held(&one), held(&two));
    });
}

// Promotion beside others

#[test]
fn a_candidate_that_a_person_worded_anew_meanwhile_is_judged_by_its_new_words() {
    run(async {
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let one = with(trusting, ports).await;
        let boat: Proposition = says(1, "Nia sails a red boat.", 0.9);
        one.save(std::slice::from_ref(&boat), Actor::Host).await.unwrap();
        let two = Memory::open(sibling, context(), one.config()).await.unwrap();
        let edit = Edit { text: Some("Nia sails a blue boat.".into()), ..Edit::default() };
        one.edit(boat.id, &edit).await.unwrap();
        let report = two.promote(&[boat.id]).await.unwrap();
        assert_eq!(report.candidates[0].text, "Nia sails a blue boat.");
        one.refresh().await.unwrap();
        assert_eq!((one.working_set().len(), held(&one)), (1, held(&two)));
    });
}

#[test]
fn two_writers_that_promote_one_statement_make_one_unit() {
    run(async {
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let one = with(trusting, ports).await;
        let boat = says(1, "Nia sails a red boat.", 0.9);
        one.save(std::slice::from_ref(&boat), Actor::Host).await.unwrap();
        let two = Memory::open(sibling, context(), one.config()).await.unwrap();
        assert_eq!(one.promote(&[boat.id]).await.unwrap().candidates[0].fate, Fate::Promoted);
        let late = two.promote(&[boat.id]).await.unwrap();
        assert_eq!(late.candidates[0].fate, Fate::Known, "{late:?}");
        one.refresh().await.unwrap();
        assert_eq!(held(&one), held(&two));
        assert_eq!(one.unit(boat.id).unwrap().unit.evidence().len(), 0, "told twice is no evidence");
    });
}

/// Lets a unit in by another handle while the model is asked.
#[test]
fn what_another_writer_lets_in_while_a_model_is_asked_is_compared_too() {
    run(async {
        let ports = TestPorts::with(
            ScriptedModel::new()
                .respond_with(|_, _| Ok(r#"{"items": [{"item": 1, "same_as": 0}]}"#.to_owned())),
        );
        let sibling = ports.sibling();
        ports.chat.set_offline(true);
        let asks = |config: &mut Config| {
            asking(config);
            config.conflict_detection.strategy = DetectionStrategy::Lexical;
        };
        let one = Rc::new(with(asks, ports).await);
        let (boat, two_cats, cats) = (
            says(1, "Nia sails a red boat.", 0.9),
            says(2, "Nia has two cats.", 0.9),
            says(3, "Nia has three cats.", 0.9),
        );
        one.save(&[boat.clone(), two_cats.clone(), cats.clone()], Actor::Host).await.unwrap();
        one.promote(&[boat.id]).await.unwrap();
        let two = Memory::open(sibling, context(), one.config()).await.unwrap();
        one.promote(&[two_cats.id]).await.unwrap();
        two.ports().chat.set_offline(false);
        // It asks about what it knows, and learns of the newcomer from the store that refuses its plan.
        let report = two.promote(&[cats.id]).await.unwrap();
        assert_eq!(report.candidates[0].conflicts.len(), 1, "{report:?}");
        assert_eq!(two.working_set().len(), 2);
    });
}

// Promotion in slices

/// Many units, and as many statements that say the same again: nothing of them is left to ask about, so that all that takes time is reading
/// them and leading them through the gates.
async fn said_again() -> (TestMemory, Vec<Proposition>) {
    let memory = with(trusting, TestPorts::offline()).await;
    let places = ["Bonn", "Oslo", "Rome", "Kyiv", "Lima", "Cairo", "Quito", "Turin"];
    let living = |n: u128, place: &str| says(n, &format!("The stall in {place} sells lamps."), 0.9);
    let known: Vec<Proposition> = places.iter().zip(1..).map(|(place, n)| living(n, place)).collect();
    offered(&memory, &known).await;
    assert_eq!(memory.working_set().len(), places.len());
    let again: Vec<Proposition> = places.iter().zip(101..).map(|(place, n)| living(n, place)).collect();
    memory.save(&again, Actor::Host).await.unwrap();
    (memory, again)
}

#[test]
fn a_promotion_gives_the_thread_back_while_it_reads_and_considers() {
    run(async {
        let (memory, again) = said_again().await;
        let clock = &memory.ports().clock;
        clock.hurry(10);
        let before = clock.pauses();
        let ids: Vec<PropositionId> = again.iter().map(|p| p.id).collect();
        let report = memory.promote(&ids).await.unwrap();
        assert!(report.candidates.iter().all(|c| c.fate == Fate::Duplicate), "{report:?}");
        // One after each text that is read, and one after each candidate.
        let texts = again.len() + memory.working_set().len();
        assert!(clock.pauses() - before >= u32::try_from(texts + again.len()).unwrap(), "{}", clock.pauses());
    });
}

#[test]
fn a_promotion_can_be_stopped_before_anything_is_asked() {
    run(async {
        let (memory, again) = said_again().await;
        let clock = memory.ports().clock.clone();
        clock.hurry(10);
        let (before, seq, cancel) = (clock.pauses(), memory.state().seq(), Cancel::new());
        let stop = async {
            while clock.pauses() < before + 3 {
                clock.pause().await;
            }
            cancel.cancel();
        };
        let ids: Vec<PropositionId> = again.iter().map(|p| p.id).collect();
        let (ended, ()) = join(memory.promote_until(&ids, &cancel), stop).await;
        assert!(matches!(ended, Err(Error::Cancelled)), "{ended:?}");
        assert_eq!(memory.state().seq(), seq);
    });
}

#[test]
fn what_a_person_words_anew_between_two_slices_is_found_out_about_again() {
    run(async {
        let (memory, again) = said_again().await;
        let clock = memory.ports().clock.clone();
        clock.hurry(10);
        let before = clock.pauses();
        let first = again[0].id;
        let edit = Edit { text: Some("The stall in Bonn sells no lamps.".into()), ..Edit::default() };
        let reword = async {
            while clock.pauses() < before + 12 {
                clock.pause().await;
            }
            memory.edit(first, &edit).await.unwrap();
        };
        let ids: Vec<PropositionId> = again.iter().map(|p| p.id).collect();
        let (report, ()) = join(memory.promote(&ids), reword).await;
        let told = report.unwrap().of(first).cloned().unwrap();
        assert_eq!(told.text, "The stall in Bonn sells no lamps.");
        assert!(!told.conflicts.is_empty(), "its new words stand against a unit: {told:?}");
    });
}

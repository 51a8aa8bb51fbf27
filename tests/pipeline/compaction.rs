//! Earlier turns as a summary: when, of which turns, what it must keep, and that the prompt really has it in their place.

use std::cell::RefCell;
use std::rc::Rc;

use credence::compaction::{Compact, Compaction, CompactionReason, LossKind, Summary, Writer};
use credence::config::Config;
use credence::conversation::Speaker;
use credence::event::Event;
use credence::id::{ConversationId, PropositionId};
use credence::llm::{Author, Cancel, ModelError, Role, scripted::ScriptedModel};
use credence::testing::TestPorts;

use super::support::*;

const TALK: [(&str, &str); 5] = [
    (
        "My name is Mara. I have 2 cats.",
        "Nice to meet you, Mara. Two cats are good company for a long winter.",
    ),
    (
        "I live in Kleve, close to the old harbour.",
        "Kleve by the old harbour must be a fine place to live in.",
    ),
    ("I am allergic to peanuts.", "I will keep the allergy to peanuts in mind whenever we speak of food."),
    ("The trip to Bergen starts on 3 May 2027.", "A trip to Bergen in spring is a good plan; pack for rain."),
    ("What should I pack for the trip?", "A rain coat, warm socks, and something to read on the ferry."),
];

/// A talk of ten turns, analysed offline; then the model is connected.
async fn talk(change: impl FnOnce(&mut Config), model: ScriptedModel) -> (TestMemory, ConversationId) {
    let memory = open(TestPorts::with(model)).await;
    memory.ports().chat.set_offline(true);
    // What is protected is what a test pins: no statement enters the working set by itself.
    let mut config = Config::default();
    config.unit.auto_activate = false;
    change(&mut config);
    memory.set_config(config).unwrap();
    let talk = memory.start_conversation("").await.unwrap();
    for (user, assistant) in TALK {
        user_says(&memory, talk, user).await;
        memory.say(talk, Speaker::Assistant, assistant).await.unwrap();
    }
    analyse(&memory, talk).await;
    memory.ports().chat.set_offline(false);
    (memory, talk)
}

async fn pin(memory: &TestMemory, word: &str) -> PropositionId {
    let found = memory.state().propositions().find(|p| p.text.contains(word)).map(|p| p.id);
    let id = found.unwrap_or_else(|| panic!("nothing about {word} in {:?}", live(memory)));
    memory.pin(id, true).await.unwrap();
    id
}

async fn now(memory: &TestMemory, talk: ConversationId) -> Rc<Summary> {
    match memory.compact(talk, Compact::Now, &Cancel::new()).await.unwrap() {
        Compaction::Done(summary) => summary,
        Compaction::Not(why) => panic!("{why}"),
    }
}

async fn if_due(memory: &TestMemory, talk: ConversationId) -> Result<Rc<Summary>, String> {
    match memory.compact(talk, Compact::IfDue, &Cancel::new()).await.unwrap() {
        Compaction::Done(summary) => Ok(summary),
        Compaction::Not(why) => Err(why),
    }
}

fn reply(text: &str) -> String {
    serde_json::json!({ "summary": text }).to_string()
}

const SOUND: &str = "Mara has 2 cats and lives in Kleve. She is allergic to peanuts.";

#[test]
fn the_summary_stands_in_the_prompt_in_the_place_of_its_turns() {
    run(async {
        let model = ScriptedModel::new().reply(Role::Extract, reply(SOUND)).reply(Role::Chat, "Pack light.");
        let (memory, talk) = talk(|_| {}, model).await;
        let cats = pin(&memory, "cats").await;
        let summary = now(&memory, talk).await;
        assert_eq!((summary.from, summary.to, summary.turns), (0, 6, 6), "the last four stay as they are");
        assert_eq!((summary.text.as_str(), summary.is_fallback()), (SOUND, false));
        assert!(summary.protected.contains(&cats) && summary.losses.is_empty(), "{summary:?}");
        assert!(summary.tokens_after < summary.tokens_before);
        let (_, asked) = memory.ports().chat.requests().pop().unwrap();
        assert!(asked.messages[0].text.contains("2 cats.\" (keep)"), "{}", asked.messages[0].text);
        assert!(asked.messages[1].text.contains("old harbour"), "{}", asked.messages[1].text);

        user_says(&memory, talk, "And what else?").await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        assert!(answer.assembled.messages[0].text.contains(SOUND), "{}", answer.assembled.messages[0].text);
        let said: Vec<&str> = answer
            .assembled
            .messages
            .iter()
            .filter(|m| m.author != Author::System)
            .map(|m| m.text.as_str())
            .collect();
        assert_eq!((said.len(), said[0]), (5, TALK[3].0));
        assert_eq!(memory.state().turns(talk).count(), 12, "the turns themselves stay");
    });
}

#[test]
fn a_lost_fact_is_named_and_the_next_try_is_told() {
    run(async {
        let model = ScriptedModel::new()
            .reply(Role::Extract, reply("Mara has 3 cats. She is not allergic to peanuts."))
            .reply(Role::Extract, reply(SOUND));
        let (memory, talk) = talk(|c| c.compaction.retry_backoff_millis = 700, model).await;
        let (cats, peanuts) = (pin(&memory, "cats").await, pin(&memory, "peanuts").await);
        let before = memory.now().at;
        let summary = now(&memory, talk).await;
        assert_eq!((summary.text.as_str(), summary.retries()), (SOUND, 1));
        let lost: Vec<_> = summary.attempts[0].losses.iter().map(|l| (l.proposition, l.kind)).collect();
        assert!(
            lost.contains(&(cats, LossKind::Number)) && lost.contains(&(peanuts, LossKind::Denial)),
            "{lost:?}"
        );
        assert_eq!(summary.attempts[1].waited_ms, 700, "prop_compaction_retry_backoff_millis");
        assert_eq!(memory.now().at.0 - before.0, 700);
        let requests = memory.ports().chat.requests();
        let told = &requests.last().unwrap().1.messages[1].text;
        assert!(told.contains("It cannot be used") && told.contains("not 3"), "{told}");

        // The guideline: what was lost is a line of the next summary's prompt.
        assert_eq!(summary.guideline.len(), 2);
        memory
            .ports()
            .chat
            .then_reply(Role::Extract, reply("Mara, with 2 cats in Kleve, is allergic to peanuts."));
        for n in 0..4 {
            memory.ports().chat.set_offline(true);
            user_says(&memory, talk, &format!("This is what I add as remark number {n} to all that.")).await;
        }
        analyse(&memory, talk).await;
        memory.ports().chat.set_offline(false);
        let next = now(&memory, talk).await;
        assert_eq!(
            (next.from, next.follows, next.to),
            (0, Some(summary.id), 10),
            "it takes the first one in"
        );
        let asked = memory.ports().chat.requests().pop().unwrap().1;
        assert!(
            asked.messages[0].text.contains("This number was lost or changed: \""),
            "{}",
            asked.messages[0].text
        );
        assert!(asked.messages[1].text.contains(SOUND) && !asked.messages[1].text.contains("old harbour"));
    });
}

#[test]
fn what_no_try_keeps_is_mended_and_without_a_model_rules_extract() {
    run(async {
        let wrong = || reply("The talk was about pets and a trip. Mara has 3 cats.");
        let model = ScriptedModel::new().reply(Role::Extract, wrong()).reply(Role::Extract, wrong());
        let (memory, talk) = talk(|c| c.compaction.max_retries = 1, model).await;
        pin(&memory, "cats").await;
        let summary = now(&memory, talk).await;
        assert_eq!(summary.text, "The talk was about pets and a trip. Mara has 2 cats.");
        assert!(matches!(summary.written_by, Writer::Mended { .. }) && summary.losses.is_empty());
        let commit = memory.log().commits().last().unwrap().id;
        memory.undo(commit, None).await.unwrap();
        assert_eq!(memory.summary(talk), None, "a summary can be undone");

        memory.ports().chat.set_offline(true);
        let calls = memory.ports().chat.requests().len();
        let extracted = now(&memory, talk).await;
        assert_eq!(extracted.written_by, Writer::Extractive);
        assert!(
            extracted.text.starts_with("Mara has 2 cats.") && extracted.losses.is_empty(),
            "{}",
            extracted.text
        );
        assert_eq!(memory.ports().chat.requests().len(), calls);
        assert!(extracted.is_fallback() && extracted.attempts.is_empty());
    });
}

#[test]
fn a_failing_model_leaves_the_rules_and_says_why() {
    run(async {
        let refused = || ModelError::Server { status: 503, detail: "busy".into() };
        let model = ScriptedModel::new().error(Role::Extract, refused()).error(Role::Extract, refused());
        let model = model.error(Role::Extract, ModelError::BadKey { status: 401, detail: "no".into() });
        let (memory, talk) = talk(|_| {}, model).await;
        let summary = now(&memory, talk).await;
        assert_eq!((summary.attempts.len(), &summary.written_by), (3, &Writer::Extractive));
        let problems: Vec<_> = summary.attempts.iter().filter_map(|a| a.problem.clone()).collect();
        assert!(problems[0].contains("busy") && problems[2].contains("key"), "{problems:?}");
        assert_eq!(summary.attempts.iter().map(|a| a.waited_ms).collect::<Vec<_>>(), [0, 1000, 2000]);
    });
}

#[test]
fn prop_compaction_enabled_and_thresholds_say_when() {
    run(async {
        let (memory, talk) = talk(|_| {}, ScriptedModel::new()).await;
        memory.ports().chat.set_offline(true);
        let set = |change: &dyn Fn(&mut Config)| {
            let mut config = Config::default();
            config.compaction.enabled = true;
            change(&mut config);
            memory.set_config(config).unwrap();
        };
        set(&|c| (c.compaction.enabled, c.compaction.message_threshold) = (false, 1));
        assert!(if_due(&memory, talk).await.unwrap_err().contains("switched off"));
        set(&|_| {});
        assert!(
            if_due(&memory, talk).await.unwrap_err().contains("no threshold"),
            "0 switches a trigger off"
        );
        set(&|c| (c.compaction.message_threshold, c.compaction.token_threshold) = (11, 10_000));
        assert!(if_due(&memory, talk).await.is_err());
        set(&|c| c.compaction.force_at_turns = vec![6]);
        assert!(if_due(&memory, talk).await.is_err(), "the sixth exchange has not come");
        set(&|c| c.compaction.keep_recent = 10);
        let why = memory.compact(talk, Compact::Now, &Cancel::new()).await.unwrap();
        assert!(matches!(&why, Compaction::Not(why) if why.contains("latest 10")), "{why:?}");

        for (change, reason, to) in [
            (
                (&|c: &mut Config| {
                    c.compaction.token_threshold = 50;
                    c.compaction.message_threshold = 10;
                    c.compaction.force_at_turns = vec![5];
                }) as &dyn Fn(&mut Config),
                CompactionReason::TokenThreshold,
                6,
            ),
            (
                &|c| (c.compaction.message_threshold, c.compaction.force_at_turns) = (10, vec![5]),
                CompactionReason::MessageThreshold,
                6,
            ),
            (
                &|c| (c.compaction.force_at_turns, c.compaction.keep_recent) = (vec![4], 2),
                CompactionReason::ForcedTurn,
                8,
            ),
        ] {
            set(change);
            let summary = if_due(&memory, talk).await.unwrap();
            assert_eq!((summary.reason, summary.to), (reason, to));
            assert!(if_due(&memory, talk).await.is_err(), "once");
            let commit = memory.log().commits().last().unwrap().id;
            memory.undo(commit, None).await.unwrap();
        }
    });
}

#[test]
fn turns_that_wait_to_be_analysed_are_never_summed_up() {
    run(async {
        let memory = offline().await;
        let talk = memory.start_conversation("").await.unwrap();
        for (user, assistant) in TALK {
            user_says(&memory, talk, user).await;
            memory.say(talk, Speaker::Assistant, assistant).await.unwrap();
        }
        let outcome = memory.compact(talk, Compact::Now, &Cancel::new()).await.unwrap();
        assert!(matches!(&outcome, Compaction::Not(why) if why.contains("analysed")), "{outcome:?}");
        analyse(&memory, talk).await;
        now(&memory, talk).await;
    });
}

#[test]
fn prop_compaction_min_match_ratio_decides_what_is_lost() {
    run(async {
        for (ratio, losses) in [(0.2, 0), (1.0, 1)] {
            let text = "Mara lives in Kleve and is fond of her home there by the water.";
            let model = ScriptedModel::new().reply(Role::Extract, reply(text));
            let change =
                |c: &mut Config| (c.compaction.min_match_ratio, c.compaction.max_retries) = (ratio, 0);
            let (memory, talk) = talk(change, model).await;
            pin(&memory, "harbour").await;
            let summary = now(&memory, talk).await;
            assert_eq!(summary.attempts[0].losses.len(), losses, "{:?}", summary.attempts);
        }
    });
}

#[test]
fn prop_compaction_max_retries_bounds_the_calls() {
    run(async {
        for retries in [0, 3] {
            let model = ScriptedModel::new().respond_with(|_, _| Ok(reply("Nothing was said.")));
            let (memory, talk) = talk(|c| c.compaction.max_retries = retries, model).await;
            pin(&memory, "cats").await;
            let summary = now(&memory, talk).await;
            assert_eq!(memory.ports().chat.calls(Role::Extract), retries as usize + 1);
            assert_eq!(summary.attempts.len(), retries as usize + 1);
        }
    });
}

#[test]
fn prop_compaction_guideline_lines_bounds_what_is_learned() {
    run(async {
        for (lines, learned) in [(0, 0), (1, 1), (12, 2)] {
            let model = ScriptedModel::new().respond_with(|_, _| Ok(reply("Nothing was said.")));
            let (memory, talk) = talk(|c| c.compaction.guideline_lines = lines, model).await;
            pin(&memory, "cats").await;
            pin(&memory, "peanuts").await;
            assert_eq!(now(&memory, talk).await.guideline.len(), learned);
        }
    });
}

#[test]
fn prop_compaction_events_enabled_tells_of_a_summary() {
    run(async {
        for enabled in [true, false] {
            let (memory, talk) = talk(|c| c.compaction.events_enabled = enabled, ScriptedModel::new()).await;
            memory.ports().chat.set_offline(true);
            let told = Rc::new(RefCell::new(0));
            let count = told.clone();
            let _subscription = memory.subscribe(move |event| {
                if matches!(event, Event::Compacted { .. }) {
                    *count.borrow_mut() += 1;
                }
            });
            now(&memory, talk).await;
            assert_eq!(*told.borrow(), usize::from(enabled));
        }
    });
}

#[test]
fn forgetting_reaches_summaries() {
    run(async {
        let model =
            ScriptedModel::new().reply(Role::Extract, reply(SOUND)).reply(Role::Extract, reply(SOUND));
        let (memory, talk) = talk(|_| {}, model).await;
        now(&memory, talk).await;
        memory.ports().chat.set_offline(true);
        tell(&memory, &["I play the cello."]).await;
        memory.ports().chat.set_offline(false);
        let cello = memory.state().propositions().find(|p| p.text.contains("cello")).map(|p| p.id).unwrap();
        memory.forget(cello).await.unwrap();
        assert!(memory.summary(talk).is_some(), "it says nothing of that");
        let cats = memory.state().propositions().find(|p| p.text.contains("cats")).map(|p| p.id).unwrap();
        memory.forget(cats).await.unwrap();
        assert_eq!(memory.summary(talk), None);
        now(&memory, talk).await;
        memory.forget_source(talk).await.unwrap();
        assert_eq!(memory.state().summaries().count(), 0);
    });
}

#[test]
fn a_summary_whose_turns_were_taken_back_stands_for_nothing() {
    run(async {
        let (memory, talk) = talk(|c| c.compaction.keep_recent = 0, ScriptedModel::new()).await;
        memory.ports().chat.set_offline(true);
        let summary = now(&memory, talk).await;
        assert_eq!(summary.to, 10);
        memory.regenerate(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        assert_eq!(memory.summary(talk), None);
    });
}

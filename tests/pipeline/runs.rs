//! Long runs: begun, cut off, failing in places, replayed, and what they cost.

use std::cell::Cell;
use std::rc::Rc;

use credence::config::Config;
use credence::error::Error;
use credence::event::Event;
use credence::extraction::Trigger;
use credence::history::JournalError;
use credence::id::ConversationId;
use credence::import;
use credence::ingest::{DocumentOptions, IngestConfig, Price, estimate_tokens};
use credence::llm::{Cancel, ModelError, Role};
use futures::FutureExt;

use super::reader::*;
use super::support::*;

/// 90 turns: windows of 20, 18, 18, 18 and 16 new ones. Every fifth says something.
fn transcript(turns: usize, dated: bool) -> String {
    let turn = |n: usize| {
        let who = if n.is_multiple_of(2) { "Alice" } else { "Bob" };
        let day = if dated { format!("[2026-01-{:02} 10:00] ", 1 + n / 10) } else { String::new() };
        let said =
            if n.is_multiple_of(5) { format!("{who} saw comet number {n}") } else { format!("Fine-{n}") };
        format!("{day}{who}: {said}.\n")
    };
    (0..turns).map(turn).collect()
}

async fn import(memory: &TestMemory, text: &str) -> ConversationId {
    let parsed = import::parse("chat.txt", text, memory.now()).unwrap();
    memory.import(&parsed, None).await.unwrap()
}

#[test]
fn a_run_that_is_cut_off_goes_on_where_it_was_and_pays_for_one_window_again() {
    run(async {
        let (whole, _) = reading(IngestConfig::default()).await;
        let talk = import(&whole, &transcript(90, true)).await;
        assert_eq!(go_on(&whole, talk).await.unwrap(), 5);

        let (memory, _) = reading(IngestConfig::default()).await;
        let talk = import(&memory, &transcript(90, true)).await;
        // The tab is closed while the third call runs.
        let made = whole.ports().chat.requests();
        let third = made.iter().enumerate().filter(|(_, (role, _))| *role == Role::Extract).nth(2).unwrap().0;
        memory.ports().chat.hang_after(Some(third));
        let cancel = Cancel::new();
        {
            let mut ignored = |_| {};
            let mut running = Box::pin(memory.analyse(talk, Trigger::Now, &cancel, &mut ignored));
            assert!((&mut running).now_or_never().is_none(), "it waits for the model");
            let other = memory.analyse(talk, Trigger::Now, &cancel, &mut |_| {}).now_or_never();
            assert!(matches!(other, Some(Err(Error::Busy))));
        }
        memory.ports().chat.hang_after(None);
        let reopened = open(memory.ports().sibling()).await;
        assert_eq!(reopened.pending(talk).turns, 90 - 38);
        assert_eq!(go_on(&reopened, talk).await.unwrap(), 3);
        assert_eq!(beliefs(&reopened), beliefs(&whole));
        assert_eq!(calls(&reopened), calls(&whole) + 1, "the window in flight, once more");
        // The handle of the closed page is usable again as well.
        memory.refresh().await.unwrap();
        assert_eq!(go_on(&memory, talk).await.unwrap(), 0);
    });
}

#[test]
fn a_cancelled_run_and_a_store_that_fails_lose_nothing_and_pay_little_twice() {
    run(async {
        let (memory, _) = reading(IngestConfig::default()).await;
        let talk = import(&memory, &transcript(90, true)).await;
        let cancel = Cancel::new();
        let stop = cancel.clone();
        let mut steps = Vec::new();
        let stopped = memory
            .analyse(talk, Trigger::Now, &cancel, &mut |step| {
                steps.push((step.done, step.total));
                if step.done >= 38 {
                    stop.cancel();
                }
            })
            .await;
        assert!(matches!(stopped, Err(Error::Cancelled)), "{stopped:?}");
        assert_eq!((steps, calls(&memory)), (vec![(20, 90), (38, 90)], 2));
        assert!(memory.pending(talk).failure.is_none(), "a person's wish is no failure");

        // The reply came, and the commit did not land: that window is asked for again.
        memory.ports().journal.fail_next(JournalError::QuotaExceeded);
        assert!(go_on(&memory, talk).await.is_err());
        assert_eq!((calls(&memory), memory.pending(talk).turns), (3, 52));
        // The commit landed, and the tab never heard of it: that window is not.
        memory.ports().journal.fail_after_next(JournalError::Unavailable { detail: "gone".into() });
        assert!(go_on(&memory, talk).await.is_err());
        let reopened = open(memory.ports().sibling()).await;
        assert_eq!((calls(&memory), reopened.pending(talk).turns), (4, 34));
        assert_eq!(go_on(&reopened, talk).await.unwrap(), 2);
        assert_eq!(calls(&reopened), 6);
    });
}

#[test]
fn a_replayed_import_is_passed_by_whatever_the_window_sizes() {
    run(async {
        for dated in [true, false] {
            let (memory, _) = reading(IngestConfig::default()).await;
            let first = import(&memory, &transcript(90, dated)).await;
            go_on(&memory, first).await.unwrap();
            let (believed, paid) = (beliefs(&memory), memory.ports().chat.requests().len());
            memory.ports().clock.advance_ms(86_400_000 * 3);
            for window_size in [20, 7, 50] {
                memory.set_config(Config { window_size, ..Config::default() }).unwrap();
                let again = import(&memory, &transcript(90, dated)).await;
                let seen = Rc::new(Cell::new(0));
                let heard = seen.clone();
                let _listening = memory.subscribe(move |event| {
                    if let Event::AlreadyAnalysed { from, to, .. } = event {
                        heard.set(heard.get() + to - from);
                    }
                });
                assert_eq!(memory.estimate(again).unwrap().windows, 0);
                assert_eq!(go_on(&memory, again).await.unwrap(), 0);
                assert_eq!((memory.pending(again).turns, seen.get()), (0, 90));
            }
            assert_eq!(memory.ports().chat.requests().len(), paid, "nothing was asked");
            assert_eq!(beliefs(&memory), believed, "a replay is no new evidence");

            // An export that has grown: only what is new is read.
            memory.set_config(Config::default()).unwrap();
            let grown = import(&memory, &transcript(100, dated)).await;
            assert_eq!(memory.estimate(grown).unwrap().turns, 10);
            assert_eq!(go_on(&memory, grown).await.unwrap(), 1);
            assert_eq!(memory.state().analyses().last().unwrap().from, 90);
        }
    });
}

#[test]
fn dice_79_saying_it_again_is_evidence_and_replaying_it_is_not() {
    run(async {
        let memory = offline().await;
        let count = || beliefs(&memory).first().map(|(_, count, _)| *count);
        tell(&memory, &["I own a red kayak."]).await;
        assert_eq!(count(), Some(0));
        tell(&memory, &["I own a red kayak."]).await;
        assert_eq!(count(), Some(1), "the same words, day and speaker, in another chat");
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "i own a red kayak").await;
        analyse(&memory, talk).await;
        assert_eq!(count(), Some(2));
        analyse(&memory, talk).await;
        assert_eq!(count(), Some(2), "the same turn read again");
        for (day, expected) in [("2026-01-01", 3), ("2026-01-01", 3), ("2026-01-02", 4)] {
            let parsed =
                import::parse("a.txt", &format!("[{day} 10:00] Me: I own a red kayak."), memory.now())
                    .unwrap();
            let talk = memory.import(&parsed, Some("Me")).await.unwrap();
            analyse(&memory, talk).await;
            assert_eq!(count(), Some(expected), "imported of {day}");
        }
    });
}

#[test]
fn a_model_that_fails_everywhere_is_not_paid_to_the_end() {
    run(async {
        let (memory, ill) = reading(small(1)).await;
        let log = take_in(
            &memory,
            &paragraphs(&["BROKEN one", "BROKEN two", "BROKEN three", "Alice rowed", "Bob swam"]),
        )
        .await;
        assert!(matches!(go_on(&memory, log).await, Err(Error::Unreadable { .. })));
        let pending = memory.pending(log);
        assert_eq!((calls(&memory), pending.failed.len(), pending.turns), (6, 3, 5), "two calls a window");
        ill.set(false);
        assert_eq!(go_on(&memory, log).await.unwrap(), 5);
        assert_eq!(memory.pending(log).turns, 0);
    });
}

#[test]
fn a_general_failure_stops_the_run_and_keeps_what_was_paid() {
    run(async {
        for (parallel, done) in [(1, 1), (3, 2)] {
            let (memory, ill) = reading(small(parallel)).await;
            let log =
                take_in(&memory, &paragraphs(&["Alice rowed", "DOWN page", "Bob swam", "Charlie slept"]))
                    .await;
            assert!(matches!(go_on(&memory, log).await, Err(Error::Model(ModelError::Unreachable { .. }))));
            assert_eq!(memory.state().analyses().count(), done, "{parallel} at a time");
            let pending = memory.pending(log);
            assert_eq!(pending.failure.map(|f| f.code), Some("model-unreachable".into()));
            assert_eq!(pending.turns as usize, 4 - done);
            ill.set(false);
            assert_eq!(go_on(&memory, log).await.unwrap(), 4 - done);
            assert_eq!(calls(&memory), 5, "only the unreachable call was made twice");
        }
    });
}

#[test]
fn runs_that_start_by_themselves_give_a_window_up_after_three_tries() {
    run(async {
        let (memory, _) = reading(IngestConfig::default()).await;
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "The BROKEN page.").await;
        user_says(&memory, talk, "Alice rowed home.").await;
        for tries in 1..=5_u32 {
            let outcome = memory.analyse(talk, Trigger::WhenDue, &Cancel::new(), &mut |_| {}).await;
            assert_eq!(outcome.is_err(), tries <= 3, "{tries}");
            assert_eq!(memory.pending(talk).failed[0].attempts, tries.min(3));
        }
        user_says(&memory, talk, "Bob swam far.").await;
        assert_eq!(
            memory.analyse(talk, Trigger::WhenDue, &Cancel::new(), &mut |_| {}).await.unwrap().len(),
            0,
            "one turn is not due"
        );
        user_says(&memory, talk, "Bob slept.").await;
        assert_eq!(
            memory.analyse(talk, Trigger::WhenDue, &Cancel::new(), &mut |_| {}).await.unwrap().len(),
            1
        );
        assert!(live(&memory).contains(&"Bob swam far.".into()));
        assert!(
            memory.analyse(talk, Trigger::Now, &Cancel::new(), &mut |_| {}).await.is_err(),
            "a person may try on"
        );
        assert_eq!(memory.pending(talk).failed[0].attempts, 4);
    });
}

#[test]
fn the_estimate_holds_what_the_run_then_costs() {
    run(async {
        let price = Price { prompt_per_million: 2.0, completion_per_million: 8.0, currency: "EUR".into() };
        let (memory, _) = reading(IngestConfig { price: Some(price), ..small(2) }).await;
        let parsed = import::parse("chat.txt", &transcript(90, true), memory.now()).unwrap();
        let before = memory.estimate_import(&parsed, None).unwrap();
        let document = paragraphs(&["Alice rowed", "Bob swam", "Charlie slept"]);
        let read = memory.estimate_document("log.md", &document, &DocumentOptions::default()).unwrap();
        assert_eq!(memory.state().seq(), 0, "estimating stores nothing and asks nobody");
        assert_eq!(memory.ports().chat.requests().len(), 0);

        let talk = memory.import(&parsed, None).await.unwrap();
        assert_eq!(memory.estimate(talk).unwrap(), before);
        assert_eq!((before.windows, before.turns, before.already_done, before.calls.min), (5, 90, 0, 5));
        go_on(&memory, talk).await.unwrap();
        let log = take_in(&memory, &document).await;
        let paid = memory.ports().chat.requests().len();
        go_on(&memory, log).await.unwrap();
        let requests = memory.ports().chat.requests();
        for (estimate, requests) in [(&before, &requests[..paid]), (&read, &requests[paid..])] {
            let asked: u64 =
                requests.iter().flat_map(|(_, r)| &r.messages).map(|m| estimate_tokens(&m.text)).sum();
            let answered: u64 =
                requests.iter().map(|(role, r)| estimate_tokens(&answer(*role, r, false).unwrap())).sum();
            let within =
                |range: credence::ingest::Range, value: u64| (range.min..=range.max).contains(&value);
            assert!(
                within(estimate.calls, requests.len() as u64),
                "{} of {:?}",
                requests.len(),
                estimate.calls
            );
            assert!(within(estimate.prompt_tokens, asked), "{asked} of {:?}", estimate.prompt_tokens);
            assert!(
                within(estimate.completion_tokens, answered),
                "{answered} of {:?}",
                estimate.completion_tokens
            );
            let money = estimate.money.clone().unwrap();
            assert!(money.min > 0.0 && money.min < money.max && money.currency == "EUR", "{money:?}");
        }
        let after = memory.estimate(talk).unwrap();
        assert_eq!((after.windows, after.already_done, after.calls.max), (0, 90, 0));
        memory.ports().chat.set_offline(true);
        let free = memory.estimate_document("b.md", "Oda drinks mate.", &DocumentOptions::default()).unwrap();
        assert_eq!((free.windows, free.calls.max, free.money), (1, 0, None), "rules cost nothing");
    });
}

#[test]
fn an_exchange_is_read_before_the_next_question() {
    run(async {
        let memory = offline().await;
        let talk = memory.start_conversation("").await.unwrap();
        let due =
            async || memory.analyse(talk, Trigger::WhenDue, &Cancel::new(), &mut |_| {}).await.unwrap().len();
        user_says(&memory, talk, "I live in Kleve.").await;
        assert_eq!(due().await, 0, "the answer may still belong to it");
        memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        assert_eq!(due().await, 1);
        assert_eq!(live(&memory).len(), 1);
    });
}

#[test]
fn an_analysis_begins_at_the_trigger_or_when_it_is_asked_for() {
    run(async {
        let (memory, _) = reading(IngestConfig::default()).await;
        memory.set_config(Config { trigger_interval: 4, ..Config::default() }).unwrap();
        let talk = memory.start_conversation("").await.unwrap();
        let due = || {
            memory
                .analyse(talk, Trigger::WhenDue, &Cancel::new(), &mut |_| {})
                .now_or_never()
                .unwrap()
                .unwrap()
                .len()
        };
        for n in 1..=4 {
            assert_eq!(due(), 0, "{} of 4", n - 1);
            user_says(&memory, talk, &format!("Alice saw comet {n}.")).await;
        }
        assert_eq!((due(), due()), (1, 0));
        user_says(&memory, talk, "Bob saw comet 5.").await;
        assert_eq!(due(), 0);
        assert_eq!(go_on(&memory, talk).await.unwrap(), 1);
        let empty = memory.start_conversation("").await.unwrap();
        assert_eq!(go_on(&memory, empty).await.unwrap(), 0, "nothing was said");
        let window =
            memory.ports().chat.requests().into_iter().rfind(|(role, _)| *role == Role::Extract).unwrap();
        assert_eq!(window.1.messages[1].text.matches("(already read").count(), 2, "the overlap");
    });
}

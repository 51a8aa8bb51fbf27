//! Tabs that hear each other and take turns.

use std::cell::RefCell;
use std::rc::Rc;

use credence::id::ContextId;
use credence_browser::{Subscription, Tabs};
use futures::future::{join, select};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::{Replaced, context, fresh_name, javascript, pause};

type Heard = Rc<RefCell<Vec<(ContextId, u64)>>>;

fn listening(tabs: &Tabs) -> (Subscription, Heard) {
    let heard = Heard::default();
    let told = heard.clone();
    (tabs.on_commit(move |context, seq| told.borrow_mut().push((context, seq))), heard)
}

/// Until something was heard, or half a second.
async fn until_heard(heard: &Heard) {
    for _ in 0..50 {
        if !heard.borrow().is_empty() {
            return;
        }
        pause(10).await;
    }
}

#[wasm_bindgen_test]
async fn tabs_hear_each_other_but_not_themselves_nor_other_databases() {
    let database = fresh_name();
    let (one, two, elsewhere) = (Tabs::open(&database), Tabs::open(&database), Tabs::open(&fresh_name()));
    let (_a, heard_one) = listening(&one);
    let (_b, heard_two) = listening(&two);
    let (_c, heard_elsewhere) = listening(&elsewhere);
    one.clone().announce(&context("home"), 7);
    one.announce(&context("home"), 8);
    until_heard(&heard_two).await;
    pause(50).await;
    assert_eq!(*heard_two.borrow(), [(context("home"), 7), (context("home"), 8)]);
    assert!(heard_one.borrow().is_empty());
    assert!(heard_elsewhere.borrow().is_empty());
}

#[wasm_bindgen_test]
async fn a_dropped_subscription_hears_nothing_and_strange_messages_are_ignored() {
    let database = fresh_name();
    let (one, two) = (Tabs::open(&database), Tabs::open(&database));
    let (gone, heard_gone) = listening(&two);
    let (_kept, heard) = listening(&two);
    drop(gone);
    let strange = "const channel = new BroadcastChannel('credence:' + database);
        for (const message of [7, null, 'nonsense', '{}', { context: 'a', seq: 1 }]) channel.postMessage(message);
        channel.close();";
    javascript(strange, &database, "").await;
    one.announce(&context("home"), 1);
    until_heard(&heard).await;
    pause(50).await;
    assert_eq!(*heard.borrow(), [(context("home"), 1)]);
    assert!(heard_gone.borrow().is_empty());
}

#[wasm_bindgen_test]
async fn without_a_channel_nothing_is_said_and_nothing_breaks() {
    let _without = Replaced::new("globalThis", "BroadcastChannel", "undefined");
    let tabs = Tabs::open(&fresh_name());
    let (_subscription, heard) = listening(&tabs);
    tabs.announce(&context("home"), 1);
    assert!(heard.borrow().is_empty());
}

/// Two jobs that note when they begin and end.
async fn two_jobs(one: &Tabs, two: &Tabs, names: [&str; 2]) -> Vec<&'static str> {
    let noted = RefCell::new(Vec::new());
    let job = async |begun, ended| {
        noted.borrow_mut().push(begun);
        pause(60).await;
        noted.borrow_mut().push(ended);
    };
    join(
        one.with_lock(names[0], async || job("one begins", "one ends").await),
        two.with_lock(names[1], async || job("two begins", "two ends").await),
    )
    .await;
    noted.into_inner()
}

#[wasm_bindgen_test]
async fn one_tab_at_a_time_does_a_job() {
    let database = fresh_name();
    let (one, two) = (Tabs::open(&database), Tabs::open(&database));
    let noted = two_jobs(&one, &two, ["V1", "V1"]).await;
    assert_eq!(noted, ["one begins", "one ends", "two begins", "two ends"]);
    let both_began = |noted: Vec<&str>| noted[..2].iter().all(|note| note.ends_with("begins"));
    assert!(both_began(two_jobs(&one, &two, ["V1", "V2"]).await), "other names do not wait");
    let elsewhere = Tabs::open(&fresh_name());
    assert!(both_began(two_jobs(&one, &elsewhere, ["V1", "V1"]).await), "nor do other databases");
    assert_eq!(one.with_lock("V1", async || 42).await, 42);
}

#[wasm_bindgen_test]
async fn a_job_that_is_given_up_gives_the_lock_back() {
    let tabs = Tabs::open(&fresh_name());
    let endless = Box::pin(tabs.with_lock("V1", async || std::future::pending::<()>().await));
    let queued = Box::pin(tabs.with_lock("V1", async || ()));
    let both = select(endless, queued);
    drop(select(both, Box::pin(pause(100))).await);
    assert_eq!(tabs.with_lock("V1", async || 1).await, 1);
}

#[wasm_bindgen_test]
async fn without_locks_the_job_runs() {
    for locks in ["undefined", "{ request: async () => { throw new Error('opaque origin') } }"] {
        let _without = Replaced::new("navigator", "locks", locks);
        assert_eq!(Tabs::open(&fresh_name()).with_lock("V1", async || 5).await, 5);
    }
}

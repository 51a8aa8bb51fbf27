//! Looking at and repairing a memory on this database, what takes the space, and when a copy is due.

use std::cell::RefCell;
use std::rc::Rc;

use credence::Memory;
use credence::config::Config;
use credence::erasure::ErasureTarget;
use credence::event::Event;
use credence::health::{Backup, COMMITS_AT_RISK, Keeping, Remedy, Trouble};
use credence::history::{Cause, Journal};
use credence::llm::scripted::ScriptedModel;
use credence::ports::{Clock, Ports};
use credence::testing::NoEmbedder;
use credence::time::Timestamp;
use credence_browser::journal::{BrowserJournal, Opened, Persistence, is_persistent};
use credence_browser::{BrowserClock, BrowserIds, Tabs};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::{Replaced, context, filled, fresh_name, pause, tamper};

/// The browser's ports, and no model.
struct Page {
    journal: BrowserJournal,
    chat: ScriptedModel,
    embedder: NoEmbedder,
    clock: BrowserClock,
    ids: BrowserIds,
}

impl Ports for Page {
    type Journal = BrowserJournal;
    type Chat = ScriptedModel;
    type Embed = NoEmbedder;
    type Clock = BrowserClock;
    type Ids = BrowserIds;
    fn journal(&self) -> &BrowserJournal {
        &self.journal
    }
    fn chat(&self) -> &ScriptedModel {
        &self.chat
    }
    fn embedder(&self) -> &NoEmbedder {
        &self.embedder
    }
    fn clock(&self) -> &BrowserClock {
        &self.clock
    }
    fn ids(&self) -> &BrowserIds {
        &self.ids
    }
}

async fn journal(database: &str) -> BrowserJournal {
    let Opened { journal, persistence, .. } = BrowserJournal::open(database).await.unwrap();
    assert_eq!(persistence, Persistence::Durable);
    journal
}

/// The memory `a` of a database, as one tab has it.
async fn memory(database: &str) -> Memory<Page> {
    let chat = ScriptedModel::new();
    chat.set_offline(true);
    let ports = Page {
        journal: journal(database).await,
        chat,
        embedder: NoEmbedder,
        clock: BrowserClock,
        ids: BrowserIds,
    };
    Memory::open(ports, context("a"), Config::default()).await.unwrap()
}

#[wasm_bindgen_test]
async fn a_damaged_memory_opens_is_told_and_repaired() {
    let database = fresh_name();
    filled(&journal(&database).await, "a", 5).await;
    tamper(
        &database,
        "transaction.objectStore('commits').put({ context: 'a', seq: 2, body: '{ torn' });
        transaction.objectStore('commits').delete(['a', 4]);
        transaction.objectStore('uses').put({ context: 'a', id: 'U1', at: 1, body: 'nonsense' })",
    )
    .await;
    let memory = memory(&database).await;
    assert_eq!(memory.state().propositions().count(), 3, "the rest opens");
    let report = memory.check_health().await.unwrap();
    let found = report.finding(Trouble::DamagedRow).unwrap();
    assert_eq!((found.count, found.remedy, report.findings.len()), (3, Remedy::SetAside, 1));
    assert!(found.places.iter().any(|place| place.starts_with("commits 2: ")), "{:?}", found.places);
    let repaired = memory.repair(&report).await.unwrap();
    assert_eq!((repaired.set_aside, repaired.commits.as_slice()), (3, [6].as_slice()));
    assert_eq!(memory.log().commits()[5].cause, Cause::Repair);
    let aside = memory.ports().journal().set_aside(&context("a")).await.unwrap();
    assert!(aside.iter().any(|row| row.raw.as_deref() == Some("{ torn")), "kept as it was");
    let after = memory.check_health().await.unwrap();
    assert_eq!(
        after.findings.iter().map(|it| (it.trouble, it.count)).collect::<Vec<_>>(),
        [(Trouble::UnreadableCommit, 2)]
    );
    assert!(memory.repair(&after).await.unwrap().commits.is_empty());
    memory.remember("I like tea.").await.unwrap();
    let id = memory.state().propositions().last().unwrap().id;
    memory.erase(&ErasureTarget::Proposition { id }).await.unwrap();
    let aside = memory.ports().journal().set_aside(&context("a")).await;
    assert_eq!(aside, Ok(vec![]), "nobody can tell what stands in such a row, so an erasure takes it");
}

#[wasm_bindgen_test]
async fn another_tab_hears_of_what_was_wiped_or_repaired() {
    let database = fresh_name();
    filled(&journal(&database).await, "a", 3).await;
    let (left, right) = (memory(&database).await, memory(&database).await);
    let (tabs, others) = (Tabs::open(&database), Tabs::open(&database));
    let _telling = left.subscribe({
        let tabs = tabs.clone();
        move |event| tabs.share(&context("a"), event)
    });
    let heard = Rc::new(RefCell::new(Vec::new()));
    let _listening = right.subscribe({
        let heard = heard.clone();
        move |event| {
            if let Event::Rewritten { commit, remote: true } = event {
                heard.borrow_mut().push(commit.as_ref().map(|commit| commit.seq));
            }
        }
    });
    let _following = others.on_commit({
        let right = right.clone();
        move |_, _| {
            let right = right.clone();
            wasm_bindgen_futures::spawn_local(async move {
                right.refresh().await.unwrap();
            });
        }
    });
    tamper(&database, "transaction.objectStore('commits').delete(['a', 2])").await;
    let report = left.check_health().await.unwrap();
    left.repair(&report).await.unwrap();
    for _ in 0..50 {
        pause(10).await;
        if !heard.borrow().is_empty() {
            break;
        }
    }
    assert_eq!(*heard.borrow(), [Some(4)]);
    assert_eq!(right.state().propositions().count(), 2);
    left.ports().journal().erase(&context("a")).await.unwrap();
    tabs.announce(&context("a"), 0);
    for _ in 0..50 {
        pause(10).await;
        if heard.borrow().len() > 1 {
            break;
        }
    }
    assert_eq!(*heard.borrow(), [Some(4), None]);
    assert_eq!(right.state().seq(), 0);
    assert!(right.remember("I like coffee.").await.is_ok(), "it goes on from what is there");
}

#[wasm_bindgen_test]
async fn what_takes_the_space_is_told_by_store() {
    let journal = journal(&fresh_name()).await;
    filled(&journal, "a", 3).await;
    filled(&journal, "b", 9).await;
    let sizes = journal.sizes(&context("a")).await.unwrap();
    let commits = sizes.iter().find(|size| size.store == "commits").unwrap();
    assert_eq!(commits.rows, 3);
    assert!(commits.bytes > 600, "{commits:?}");
    assert!(
        sizes.iter().filter(|size| size.store != "commits").all(|size| (size.rows, size.bytes) == (0, 0))
    );
}

#[wasm_bindgen_test]
async fn a_copy_is_due_until_one_is_noted() {
    let journal = journal(&fresh_name()).await;
    let count = usize::try_from(COMMITS_AT_RISK).unwrap();
    let now = BrowserClock.now().at;
    assert_eq!(journal.backup_due(&context("a"), now, now).await, Ok(None));
    filled(&journal, "a", count).await;
    let evictable = Replaced::new("navigator", "storage", "{ persisted: async () => false }");
    assert_eq!((is_persistent().await, journal.keeping().await), (Some(false), Keeping::UntilEvicted));
    let due = journal.backup_due(&context("a"), now, now).await.unwrap().unwrap();
    assert_eq!((due.commits, due.copied_before), (COMMITS_AT_RISK, false));
    journal.note_backup(&context("a"), Backup { at: now, seq: COMMITS_AT_RISK }).await.unwrap();
    assert_eq!(journal.backup_due(&context("a"), now, Timestamp(now.0 + (1 << 40))).await, Ok(None));
    drop(evictable);
    let _kept = Replaced::new("navigator", "storage", "{ persisted: async () => true }");
    assert_eq!(journal.keeping().await, Keeping::ForGood);
    drop(_kept);
    let _without = Replaced::new("globalThis", "indexedDB", "undefined");
    let Opened { journal, .. } = BrowserJournal::open(&fresh_name()).await.unwrap();
    assert_eq!(journal.keeping().await, Keeping::ThisPage);
    filled(&journal, "a", 1).await;
    assert!(journal.backup_due(&context("a"), now, now).await.unwrap().is_some());
}

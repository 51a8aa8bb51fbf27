//! The journal contract against a journal that JavaScript implements, and against each of its possible failures.

use credence::history::contract::commit;
use credence::history::{Cause, Commit, Contents, Journal, JournalError, Log};
use credence::id::ContextId;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

use super::{HostJournal, JsJournal};

wasm_bindgen_test_configure!(run_in_browser);

/// Everything that a `HostJournal` can be; some methods answer at once and some by promise.
#[wasm_bindgen(inline_js = r#"
export function hostJournal() {
  const shelves = new Map();
  const shelf = (context) => {
    if (!shelves.has(context)) {
      shelves.set(context, { commits: [], uses: new Map(), vectors: new Map(), aside: [] });
    }
    return shelves.get(context);
  };
  const follows = (commits, entry) => {
    if (entry.seq === commits.length + 1 && entry.parent === (commits.at(-1)?.id ?? null)) return;
    throw Object.assign(new Error("moved on"), { code: "store-stale", found: commits.length });
  };
  return {
    contexts: () =>
      [...shelves]
        .filter(([, { commits }]) => commits.length > 0)
        .map(([context, { commits }]) => ({ context, seq: commits.length, head: commits.at(-1).id })),
    read: async (context, after) => shelf(context).commits.slice(after).map((entry) => entry.json),
    append: async (entry) => {
      const { commits } = shelf(entry.context);
      follows(commits, entry);
      commits.push(entry);
    },
    appendUse: (use) => void shelf(use.context).uses.set(use.id, use.json),
    uses: async (context) => [...shelf(context).uses.values()].reverse(),
    erase: (context) => void shelves.delete(context),
    saveVectors: async (context, space, vectors) => {
      for (const { text, vector } of vectors) shelf(context).vectors.set(`${space} ${text}`, { space, text, vector });
    },
    vectors: async (context, space) => [...shelf(context).vectors.values()].filter((each) => each.space === space),
    spaces: (context) => [...shelf(context).vectors.values()].map((each) => each.space),
    rewrite: async ({ appended, commits, uses, droppedUses, droppedVectors, dropsSetAside }) => {
      const kept = shelf(appended.context);
      follows(kept.commits, appended);
      for (const entry of commits) kept.commits[entry.seq - 1] = entry;
      for (const { id, json } of uses) kept.uses.set(id, json);
      for (const id of droppedUses) kept.uses.delete(id);
      for (const [key, { text }] of kept.vectors) if (droppedVectors.includes(text)) kept.vectors.delete(key);
      if (dropsSetAside) kept.aside = [];
      kept.commits.push(appended);
    },
    replace: async (context, expected, { commits, uses, spaces }) => {
      const found = shelf(context).commits.length;
      if (found !== expected) throw Object.assign(new Error("moved on"), { code: "store-stale", found });
      const vectors = spaces.flatMap(({ space, vectors }) => vectors.map((each) => ({ space, ...each })));
      shelves.set(context, {
        commits: [...commits],
        uses: new Map(uses.map(({ id, json }) => [id, json])),
        vectors: new Map(vectors.map((each) => [`${each.space} ${each.text}`, each])),
        aside: [],
      });
    },
    repair: async ({ appended, damages, standIns }) => {
      const kept = shelf(appended.context);
      follows(kept.commits, appended);
      kept.aside.push(...damages);
      for (const entry of standIns) kept.commits[entry.seq - 1] = entry;
      kept.commits.push(appended);
    },
    setAside: (context) => shelf(context).aside,
    spoil: (context, seq) => void (shelf(context).commits[seq - 1].json = "{ torn"),
  };
}
export function failingJournal(make) {
  const fail = () => {
    throw make();
  };
  return { contexts: fail, read: async () => fail(), append: fail, appendUse: fail, uses: fail, erase: fail };
}
export function answeringJournal(value) {
  return { contexts: () => value, read: () => value, uses: () => value };
}
"#)]
extern "C" {
    #[wasm_bindgen(js_name = hostJournal)]
    fn host_journal() -> HostJournal;
    #[wasm_bindgen(js_name = failingJournal)]
    fn failing_journal(make: &js_sys::Function) -> HostJournal;
    #[wasm_bindgen(js_name = answeringJournal)]
    fn answering_journal(value: JsValue) -> HostJournal;
}

macro_rules! browser {
    ($name:ident, $case:expr) => {
        #[wasm_bindgen_test]
        async fn $name() {
            $case.await
        }
    };
}

credence::journal_contract!(browser, async { JsJournal::Host(host_journal()) });

async fn read(host: HostJournal) -> Result<usize, JournalError> {
    let context = ContextId::new("a").expect("a sound name");
    JsJournal::Host(host).read(&context, 0).await.map(|commits| commits.len())
}

/// What reading gives when the host throws the value of this JavaScript expression.
async fn thrown(expression: &str) -> JournalError {
    let make = js_sys::Function::new_no_args(&format!("return {expression}"));
    read(failing_journal(&make)).await.expect_err("it throws")
}

#[wasm_bindgen_test]
async fn what_a_host_throws_becomes_the_cores_error() {
    let error = |fields: &str| format!("Object.assign(new Error('why'), {{{fields}}})");
    let stale = thrown(&error("code: 'store-stale', found: 7")).await;
    assert!(matches!(stale, JournalError::Stale { found: 7, .. }), "{stale}");
    assert_eq!(thrown(&error("code: 'store-quota'")).await, JournalError::QuotaExceeded);
    assert_eq!(
        thrown(&error("code: 'store-corrupt', at: 'shelf 3'")).await,
        JournalError::Corrupt { at: "shelf 3".into(), detail: "why".into() }
    );
    assert_eq!(
        thrown(&error("code: 'store-newer-schema', found: 9, supported: 1")).await,
        JournalError::NewerSchema { found: 9, supported: 1 }
    );
    assert_eq!(thrown(&error("code: 'store-blocked'")).await, JournalError::Blocked);
    assert_eq!(thrown(&error("code: 'store-superseded'")).await, JournalError::Superseded);
    assert_eq!(
        thrown(&error("code: 'store-unavailable'")).await,
        JournalError::Unavailable { detail: "why".into() }
    );
    for (expression, words) in
        [("new TypeError('why')", "why"), ("'bare'", "bare"), ("undefined", "an error without words")]
    {
        assert_eq!(thrown(expression).await, JournalError::Backend { detail: words.into() });
    }
}

#[wasm_bindgen_test]
async fn what_a_host_answers_is_checked() {
    let answer = |text: &str| js_sys::eval(&format!("({text})")).expect("a sound expression");
    assert_eq!(read(answering_journal(answer("[]"))).await, Ok(0));
    assert!(matches!(read(answering_journal(answer("7"))).await, Err(JournalError::Backend { .. })));
    let outcome = read(answering_journal(answer("[7]"))).await;
    assert!(matches!(&outcome, Err(JournalError::Corrupt { at, .. }) if at == "read[0]"), "{outcome:?}");
    assert_eq!(
        read(answering_journal(answer("['{\"schema\":99}']"))).await,
        Err(JournalError::NewerSchema { found: 99, supported: credence::history::SCHEMA_VERSION })
    );
    for text in ["['{']", "['{}']"] {
        assert_eq!(
            read(answering_journal(answer(text))).await,
            Ok(1),
            "a commit that cannot be read has a place"
        );
    }
    assert!(matches!(
        read(answering_journal(answer("Promise.reject(new Error('no'))"))).await,
        Err(JournalError::Backend { .. })
    ));
}

#[wasm_bindgen_test]
async fn a_journal_without_vectors_has_none() {
    let context = ContextId::new("a").expect("a sound name");
    let journal = JsJournal::Host(answering_journal(js_sys::Array::new().into()));
    assert_eq!(journal.vectors(&context, "space").await, Ok(vec![]));
    assert_eq!(journal.save_vectors(&context, "space", &[]).await, Ok(()));
}

#[wasm_bindgen_test]
async fn a_hosts_damaged_commit_is_named_and_set_aside() {
    let context = ContextId::new("a").expect("a sound name");
    let host = host_journal();
    let journal = JsJournal::Host(host.clone());
    let mut log = Log::default();
    for text in ["one", "two", "three"] {
        journal.append(&commit(&mut log, "a", &[text])).await.expect("kept");
    }
    let spoil = js_sys::Reflect::get(&host, &"spoil".into()).expect("a function");
    spoil.unchecked_into::<js_sys::Function>().call2(&host, &"a".into(), &2.into()).expect("spoilt");
    let damages = journal.inspect(&context).await.expect("looked at");
    assert_eq!(damages.len(), 1);
    assert_eq!((damages[0].store.as_str(), damages[0].key.as_str()), ("commits", "2"));
    assert_eq!(damages[0].raw.as_deref(), Some("{ torn"));
    let mended = Log::replay(journal.read(&context, 0).await.expect("read")).expect("a whole chain");
    assert_eq!(mended.state().propositions().count(), 2);
    let closing = Commit { cause: Cause::Repair, ..Commit::clone(&commit(&mut log, "a", &["repaired"])) };
    journal.repair(&closing, &damages).await.expect("repaired");
    assert_eq!(journal.inspect(&context).await, Ok(vec![]));
    assert_eq!(journal.set_aside(&context).await, Ok(damages));
    assert_eq!(journal.read(&context, 0).await.map(|commits| commits.len()), Ok(4));
}

#[wasm_bindgen_test]
async fn what_a_host_cannot_do_is_said_and_nothing_is_written() {
    let context = ContextId::new("a").expect("a sound name");
    let journal = JsJournal::Host(answering_journal(js_sys::Array::new().into()));
    assert_eq!(journal.head(&context).await, Ok(None));
    assert_eq!(journal.spaces(&context).await, Ok(vec![]), "it keeps no vectors");
    assert_eq!(journal.set_aside(&context).await, Ok(vec![]));
    let refused = journal.replace(&context, 0, &Contents::default()).await;
    let named = |error: &JournalError| error.to_string().contains("`replace`");
    assert!(matches!(&refused, Err(error @ JournalError::Unavailable { .. }) if named(error)), "{refused:?}");
}

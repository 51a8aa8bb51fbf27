//! What holds of bundles of any memory: whatever a log holds, its bytes come back.

use std::collections::BTreeSet;
use std::rc::Rc;

use credence::bundle::{Bundle, BundledContext, export};
use credence::compaction::Compact;
use credence::conversation::Speaker;
use credence::entity::EntityChunk;
use credence::erasure::ErasureTarget;
use credence::history::{
    Cause, Commit, ContentId, Contents, Journal, MemoryJournal, Record, RecordId, Revision, Rewritten,
    StoredVector,
};
use credence::id::{CommitId, PropositionId, RevisionId};
use credence::inbox::Asker;
use credence::llm::Cancel;
use credence::maintenance::MaintenanceOptions;
use credence::proposition::{Extractor, Proposition};
use credence::retrieval::Search;
use credence::scale::Confidence;
use credence::time::Timestamp;
use credence::upkeep::SweepKind;
use proptest::prelude::*;
use uuid::Uuid;

use super::support::*;

/// A memory with every kind of record.
async fn everything() -> Contents {
    let memory = offline().await;
    let talk = memory.start_conversation("").await.unwrap();
    for (user, assistant) in [
        ("My name is Mara. I have 2 cats.", "Nice to meet you, Mara."),
        ("I live in Kleve, close to the old harbour.", "A fine place to live in."),
        ("I am allergic to peanuts.", "I will keep that in mind."),
        ("My sister Ána is a vet.", "Good to know."),
        ("I hate figs. I love techno.", "Noted."),
    ] {
        user_says(&memory, talk, user).await;
        memory.say(talk, Speaker::Assistant, assistant).await.unwrap();
    }
    analyse(&memory, talk).await;
    memory.compact(talk, Compact::Now, &Cancel::new()).await.unwrap();
    let chunks = [EntityChunk { id: "a".into(), text: "Bo Jansen rows in Oslo.".into() }];
    memory.find_entities_in("notes", &chunks, &Cancel::new(), &mut |_| {}).await.unwrap();
    let id = memory.state().units().next().unwrap().proposition;
    memory.request_canon(id, Asker::Host, "seed").await.unwrap();
    memory.search(&Search::new("Where does Mara live?")).await.unwrap();
    memory.maintain(&MaintenanceOptions::default(), &Cancel::new(), &mut |_| {}).await.unwrap();
    memory.sweep(SweepKind::Full, false, &Cancel::new()).await.unwrap();
    let figs = memory.state().propositions().find(|p| p.text.contains("figs")).unwrap().id;
    memory.erase(&ErasureTarget::Proposition { id: figs }).await.unwrap();
    let journal = &memory.ports().journal;
    let contents = credence::bundle::contents(journal, &context()).await.unwrap();
    let kinds: BTreeSet<&str> =
        memory.state().revisions().map(|revision| revision.record.kind().as_str()).collect();
    let wanted = "analysis bookmark conversation entity entityreport erasure inbox ledger promotion proposition run summary sweep turn unit";
    assert_eq!(kinds.into_iter().collect::<Vec<_>>().join(" "), wanted);
    assert!(!contents.uses.is_empty());
    contents
}

#[derive(Debug, Clone)]
struct Step {
    text: String,
    numbers: [f64; 3],
    what: u8,
    millis: i64,
    vector: Vec<f32>,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let text = prop_oneof![any::<String>(), "[\\p{L}\\p{N} .!?🍵\"\\\\\u{0}\u{2028}]{1,60}"];
    let finite = any::<f64>().prop_filter("JSON has no other", |n| n.is_finite());
    let numbers = (0.0..=1.0_f64, 0.0..=1.0_f64, finite).prop_map(|(a, b, c)| [a, b, c]);
    let vector = prop::collection::vec(any::<f32>(), 0..5);
    let step =
        (text, numbers, 0..6_u8, any::<u32>(), vector).prop_map(|(text, numbers, what, millis, vector)| {
            Step { text, numbers, what, millis: i64::from(millis), vector }
        });
    prop::collection::vec(step, 1..24)
}

/// The contents with a commit a step behind them: statements of any text and numbers, changed, removed, erased, and what compaction and
/// repair leave.
fn grown(mut contents: Contents, steps: &[Step]) -> Contents {
    let mut next = contents.commits.iter().flat_map(|c| &c.revisions).map(|r| r.id.0).max().unwrap_or(0);
    for (n, step) in steps.iter().enumerate() {
        let last = contents.commits.last().unwrap();
        let id = PropositionId::new(Uuid::from_u128(1_000_000 + (n as u128) / 2));
        let said = format!("x{}", step.text);
        let mut statement = Proposition::new(
            id,
            &said,
            Confidence::clamped(step.numbers[0]),
            Extractor::Person,
            Timestamp(step.millis),
        )
        .unwrap();
        statement.importance = credence::scale::Importance::clamped(step.numbers[1]);
        statement.metadata.insert(
            step.text.clone(),
            serde_json::json!({"n": step.numbers[2], "t": [step.text, null, true]}),
        );
        let is_gone = step.what >= 4;
        let value = (!is_gone).then_some(Record::Proposition(statement));
        next += 1;
        let revision = Revision {
            id: RevisionId(next),
            record: RecordId::Proposition(id),
            previous: None,
            content_id: ContentId::of(value.as_ref()),
            value,
            why: step.text.clone(),
            erased: step.what == 5,
        };
        let rewritten = match step.what {
            3 => Some(Rewritten { dropped: n as u32 + 1, horizon: last.seq, unreadable: None }),
            2 => Some(Rewritten { unreadable: Some(step.text.clone()), ..Rewritten::default() }),
            _ => None,
        };
        let commit = Commit {
            id: CommitId::new(Uuid::from_u128(2_000_000 + n as u128)),
            seq: last.seq + 1,
            parent: Some(last.id),
            at: last.at.plus_ms(step.millis),
            clock: Timestamp(step.millis),
            cause: Cause::Manual,
            reason: step.text.clone(),
            ids: [(step.text.clone(), step.text.clone())].into(),
            revisions: vec![Rc::new(revision)],
            rewritten,
            ..last.clone()
        };
        let mut record = contents.uses[0].clone();
        record.id = credence::id::UseId::new(Uuid::from_u128(3_000_000 + n as u128));
        (record.query, record.at) = (step.text.clone(), Timestamp(step.millis));
        record.items.iter_mut().for_each(|item| item.score = step.numbers[2]);
        contents.uses.push(record);
        let vector = StoredVector { text: ContentId::of_text(&said), vector: step.vector.clone() };
        contents.vectors.entry(step.text.clone()).or_default().push(vector);
        contents.commits.push(commit);
    }
    contents
}

/// The file of a store's memories at a fixed time.
async fn file(journal: &MemoryJournal) -> String {
    export(journal, &[], Timestamp(0)).await.unwrap().to_json().unwrap()
}

#[test]
fn any_memory_comes_back_byte_for_byte() {
    let template = run(everything());
    let config = ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(steps in steps())| {
        run(async {
            let contents = grown(template.clone(), &steps);
            let (one, two) = (MemoryJournal::new(), MemoryJournal::new());
            one.replace(&context(), 0, &contents).await.unwrap();
            let first = file(&one).await;
            let read = Bundle::read(&first).unwrap_or_else(|error| panic!("{error}"));
            let [BundledContext { context: name, contents }] = &read.contexts[..] else { panic!("one memory") };
            two.replace(name, 0, contents).await.unwrap();
            assert_eq!(file(&two).await, first);
        });
    });
}

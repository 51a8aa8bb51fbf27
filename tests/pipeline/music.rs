//! The questions that the predecessor puts to a real model (simulator, section 9, "Impromptu"): a listener talks about music, and composers
//! that the host knows are recognised in it. What a model answers is no assertion of ours; so its answers are given here, in the form in
//! which models give them, and what must hold is what is made of them.

use credence::config::Config;
use credence::entity::AssertedEntity;
use credence::llm::Role;
use credence::proposition::{Mention, Proposition, PropositionQuery};
use credence::schema::{DynamicType, SchemaAdherence};
use serde_json::{Value, json};

use super::support::*;

const COMPOSERS: [&str; 5] = ["Bach", "Brahms", "Chopin", "Liszt", "Beethoven"];

/// A memory whose schema has composers, all of them known: no other can be made.
async fn conservatory() -> TestMemory {
    let memory = scripted(&[]).await;
    let known = COMPOSERS.map(|name| AssertedEntity {
        name: name.into(),
        labels: vec!["Composer".into()],
        ..AssertedEntity::default()
    });
    memory.assert_entities(&known).await.unwrap();
    let mut config = Config::default();
    let mut schema = config.schema().clone();
    schema.adherence = SchemaAdherence::DEFAULT;
    schema.dictionary.types.push(DynamicType::new("Composer", "Who writes music.").closed());
    config.schemas.register("music", schema).unwrap();
    config.schemas.put_in_force(Some("music")).unwrap();
    memory.set_config(config).unwrap();
    memory
}

fn mention(span: &str, kind: &str) -> Value {
    json!({"span": span, "type": kind, "role": "OTHER"})
}

/// What is kept of what was said, where the model reads these statements in it.
async fn kept(said: &str, statements: &[(&str, &[(&str, &str)])]) -> (TestMemory, Vec<Proposition>) {
    let memory = conservatory().await;
    let statements: Vec<Value> = statements
        .iter()
        .map(|(text, mentions)| {
            let mentions: Vec<Value> = mentions.iter().map(|(span, kind)| mention(span, kind)).collect();
            json!({"text": text, "turns": [1], "confidence": 0.9, "mentions": mentions})
        })
        .collect();
    memory.ports().chat.then_reply(Role::Extract, json!({"propositions": statements}).to_string());
    tell(&memory, &[said]).await;
    let found = memory.propositions(&PropositionQuery::live());
    let found = found.into_iter().map(|view| view.proposition).collect();
    (memory, found)
}

fn mentioned<'a>(found: &'a [Proposition], span: &str) -> Vec<&'a Mention> {
    found.iter().flat_map(|p| &p.mentions).filter(|mention| mention.span == span).collect()
}

/// Every mention of a composer is of that kind and means the one that is known.
fn is_known(memory: &TestMemory, found: &[Proposition], composer: &str) {
    let mentions = mentioned(found, composer);
    assert!(!mentions.is_empty(), "{composer} is mentioned");
    for mention in mentions {
        let entity = mention.entity.and_then(|id| memory.state().entity(id).cloned());
        let entity = entity.unwrap_or_else(|| panic!("{composer} is not recognised: {mention:?}"));
        assert_eq!((entity.name.as_str(), mention.kind.as_str()), (composer, "Composer"));
    }
    let known = memory.entities().into_iter().filter(|entity| entity.name == composer).count();
    assert_eq!(known, 1, "{composer} was not made twice");
}

#[test]
fn sim_96_who_is_learned_is_a_composer_and_is_recognised() {
    run(async {
        let said = "I am learning the two-part inventions of Bach.";
        let statements = [(
            "User is learning the two-part inventions of Bach.",
            [("User", "User"), ("Bach", "Composer")].as_slice(),
        )];
        let (memory, found) = kept(said, &statements).await;
        assert_eq!(found.len(), 1);
        is_known(&memory, &found, "Bach");
    });
}

#[test]
fn sim_97_a_listener_and_whom_they_prefer_are_both_mentioned() {
    run(async {
        let statements = [(
            "Alice prefers the late piano pieces of Brahms.",
            [("Alice", "Person"), ("Brahms", "Composer")].as_slice(),
        )];
        let (memory, found) = kept("Alice prefers the late piano pieces of Brahms.", &statements).await;
        assert!(mentioned(&found, "Alice")[0].entity.is_some());
        is_known(&memory, &found, "Brahms");
    });
}

#[test]
fn sim_98_two_composers_of_one_sentence_are_both_recognised() {
    run(async {
        let statements = [
            ("User plays the waltzes of Chopin.", [("Chopin", "Composer")].as_slice()),
            ("User plays the études of Liszt.", [("Liszt", "Composer")].as_slice()),
        ];
        let said = "I play the waltzes of Chopin and the études of Liszt.";
        let (memory, found) = kept(said, &statements).await;
        assert_eq!(found.len(), 2);
        is_known(&memory, &found, "Chopin");
        is_known(&memory, &found, "Liszt");
    });
}

#[test]
fn sim_99_a_listener_and_what_they_hear() {
    run(async {
        let statements = [(
            "Bob listens to the string quartets of Beethoven.",
            [("Bob", "Person"), ("Beethoven", "Composer")].as_slice(),
        )];
        let (memory, found) = kept("Bob listens to the string quartets of Beethoven.", &statements).await;
        assert!(mentioned(&found, "Bob")[0].entity.is_some());
        is_known(&memory, &found, "Beethoven");
    });
}

#[test]
fn sim_100_habits_without_a_composer_are_statements_about_their_listener() {
    run(async {
        let statements = [
            ("Alice practises every morning.", [("Alice", "Person")].as_slice()),
            ("Alice never listens on headphones.", [("Alice", "Person")].as_slice()),
        ];
        let said = "Alice practises every morning. Alice never listens on headphones.";
        let (memory, found) = kept(said, &statements).await;
        assert_eq!((found.len(), mentioned(&found, "Alice").len()), (2, 2));
        let alice: Vec<_> = mentioned(&found, "Alice").iter().map(|mention| mention.entity).collect();
        assert!(alice[0].is_some() && alice[0] == alice[1], "one Alice: {alice:?}");
        // Nobody becomes a composer by being talked about.
        assert_eq!(memory.entities().iter().filter(|e| e.labels.iter().any(|l| l == "Composer")).count(), 5);
    });
}

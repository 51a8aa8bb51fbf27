//! Statements above stored ones: as a pass, as acts of a person, and when what they rest on is forgotten.

use super::*;

#[test]
fn forgetting_takes_duplicates_along_and_retires_what_rests_on_it() {
    run(async {
        let memory = many(&ALICE, TWO).await;
        set(&memory, |m| m.abstract_retires = false);
        let twin = about(fact(&memory, 6, "alice writes songs", 0.5), "Alice", 7);
        save(&memory, &[twin]).await;
        maintain(&memory, &[Pass::Duplicates, Pass::Abstraction], false).await;
        assert_eq!(stored(&memory, 6).status, Status::Stale);
        let before = everything(&memory);
        assert_eq!(before.iter().filter(|p| p.level == 1 && p.status == Status::Active).count(), 2);
        let commit = memory.forget(id(3)).await.unwrap().unwrap();
        assert!(memory.state().proposition(id(3)).is_none() && memory.state().proposition(id(6)).is_none());
        let above = everything(&memory).into_iter().filter(|p| p.level == 1).map(|p| p.status);
        assert_eq!(above.collect::<Vec<_>>(), [Status::Stale, Status::Stale], "both rest on it");
        assert!(commit.revisions.iter().all(|revision| revision.why.contains("forgotten")));
        let tidied = cycle(&memory).await;
        assert!(
            everything(&memory).iter().all(|p| p.level == 0 || p.status == Status::Stale),
            "they do not come back"
        );
        assert_eq!(tidied.transitioned(), 0);
        memory.undo(commit.id, None).await.unwrap();
        assert_eq!(everything(&memory), before);
    });
}

const ALICE: [&str; 5] = [
    "Alice plays the harp.",
    "Alice sings in a choir.",
    "Alice writes songs.",
    "Alice teaches music.",
    "Alice collects drums.",
];

/// Facts about one entity, with a model that answers abstraction calls.
async fn many(texts: &[&str], reply: &str) -> TestMemory {
    let memory = open(TestPorts::with(ScriptedModel::new().reply(Role::Extract, reply))).await;
    let facts: Vec<Proposition> = (1..)
        .zip(texts)
        .map(|(n, text)| {
            let mut fact = about(fact(&memory, n, text, 0.9), "Alice", 7);
            fact.decay = Decay::new(0.001 * n as f64).unwrap();
            fact
        })
        .collect();
    save(&memory, &facts).await;
    set(&memory, |m| m.abstract_retires = true);
    memory.ports().clock.advance_ms(DAY_MS);
    memory
}

const TWO: &str = r#"{"statements":[
    {"group":1,"text":"Alice lives for music.","confidence":0.8,"reason":"all of it","sources":[1,2,3]},
    {"group":1,"text":"Alice shares what she knows.","confidence":0.7,"reason":"r","sources":[3,4,5]},
    {"group":1,"text":"Alice met Ivo in 2019.","confidence":0.7,"reason":"r","sources":[1,2]},
    {"group":1,"text":"Alice is busy.","confidence":0.7,"reason":"r","sources":[9]}]}"#;

#[test]
fn dice_124_five_facts_get_abstractions_above_them() {
    run(async {
        let memory = many(&ALICE[..4], TWO).await;
        let report = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!((report.calls, report.transitioned()), (0, 0), "four are too few");

        let memory = many(&ALICE, TWO).await;
        let before: Vec<Timestamp> = everything(&memory).iter().map(|p| p.content_revised).collect();
        let report = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!(report.calls, 1);
        let made = memory.state().head().unwrap().id;
        for n in 1..=5 {
            let source = stored(&memory, n);
            assert_eq!((source.status, source.content_revised), (Status::Superseded, before[n as usize - 1]));
        }
        let above: Vec<Proposition> = everything(&memory).into_iter().filter(|p| p.level == 1).collect();
        assert_eq!(above.len(), 2);
        assert_eq!(above[0].source_ids, [id(1), id(2), id(3)]);
        assert!((above[0].decay.get() - 0.002).abs() < 1e-9);
        assert_eq!(
            above[0].mentions[0].entity,
            stored(&memory, 1).mentions[0].entity,
            "about what they are about"
        );
        let covers = report.marks().find(|mark| mark.proposition == id(5)).unwrap();
        assert_eq!((covers.key.as_str(), covers.survivor), ("covered", Some(above[1].id)));
        let notes = report.pass(Pass::Abstraction).unwrap().notes.join("\n");
        assert!(notes.contains("do not say 2019") && notes.contains("no source"), "{notes}");
        // A run on its own output finds nothing.
        let again = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!((again.calls, again.transitioned()), (0, 0));
        let undone = memory.undo(made, None).await.unwrap();
        assert!(undone.conflicts.is_empty());
        assert_eq!(live(&memory).len(), 5);
    });
}

#[test]
fn dice_125_a_pinned_source_stays() {
    run(async {
        let memory = many(&ALICE, TWO).await;
        memory.pin(id(3), true).await.unwrap();
        let pinned = stored(&memory, 3);
        let report = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!((report.transitioned(), stored(&memory, 3)), (4, pinned));
    });
}

#[test]
fn dice_126_above_the_highest_level_nothing_is_abstracted() {
    run(async {
        let memory = many(&ALICE, TWO).await;
        let raised: Vec<Proposition> = everything(&memory)
            .into_iter()
            .map(|p| Proposition { level: 3, source_ids: vec![p.id], ..p })
            .collect();
        save(&memory, &raised).await;
        let report = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!((report.transitioned(), live(&memory).len()), (0, 5));
        assert_eq!(report.calls, 0, "no call for what could not be kept");
    });
}

#[test]
fn by_default_an_abstraction_stands_beside_what_it_covers() {
    run(async {
        let memory = many(&ALICE, TWO).await;
        set(&memory, |m| *m = MaintenanceConfig::default());
        let report = cycle(&memory).await;
        assert!(report.pass(Pass::Abstraction).is_none(), "off unless asked for");
        maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!(live(&memory).len(), 7, "five precise ones and two above");
        let again = maintain(&memory, &[Pass::Abstraction], false).await;
        assert_eq!(again.calls, 0, "what is covered is not abstracted again");
        memory.ports().chat.set_offline(true);
        set(&memory, |m| m.abstract_from = 2);
        let skipped = maintain(&memory, &[Pass::Abstraction], false).await;
        let skipped = skipped.pass(Pass::Abstraction).unwrap().skipped.clone();
        assert_eq!(skipped.as_deref(), Some("no model is connected"));
    });
}

#[test]
fn abstract_and_contrast_as_acts_of_a_person() {
    run(async {
        let reply = r#"{"abstractions":[{"text":"Alice makes music.","confidence":1,"reasoning":"r","sourceIndices":[1,2]},
            {"text":"Alice plays the harp","confidence":1,"sourceIndices":[1]}]}"#;
        let memory = many(&ALICE, reply).await;
        let options = SynthesisOptions::default();
        let few = memory.abstract_statements(&[id(1), id(1)], &options, &Cancel::new()).await;
        assert!(matches!(few, Err(Error::Invalid { what: "ids", .. })), "{few:?}");
        let unknown = memory.abstract_statements(&[id(1), id(99)], &options, &Cancel::new()).await;
        assert!(matches!(unknown, Err(Error::NotFound { .. })), "{unknown:?}");
        let made = memory.abstract_statements(&[id(1), id(2)], &options, &Cancel::new()).await.unwrap();
        assert_eq!((made.statements.len(), made.dropped.len(), made.calls), (1, 1, 1));
        assert!(made.dropped[0].why.contains("repeats"));
        assert_eq!(memory.state().proposition(made.statements[0].id), made.statements.first());
        assert_eq!(stored(&memory, 1).status, Status::Active, "its sources stay");
        memory.undo(made.commit.unwrap(), None).await.unwrap();
        assert!(memory.state().proposition(made.statements[0].id).is_none());

        model(&memory).then_reply(
            Role::Extract,
            r#"{"statements":[{"text":"Alice plays the harp alone and sings in a choir.","confidence":0.8,"reason":"r","sources_a":[1],"sources_b":[1]},
                {"text":"Alice is musical.","confidence":0.8,"reason":"r","sources_a":[1],"sources_b":[7]}]}"#,
        );
        let dry = SynthesisOptions { dry_run: true, ..SynthesisOptions::default() };
        let seq = memory.state().seq();
        let made = memory.contrast(&[id(1)], &[id(2)], &dry, &Cancel::new()).await.unwrap();
        assert_eq!((made.commit, memory.state().seq()), (None, seq));
        assert_eq!(made.statements[0].source_ids, [id(1), id(2)]);
        assert!(made.dropped[0].why.contains("one side"));
        assert!(memory.contrast(&[id(1)], &[], &dry, &Cancel::new()).await.is_err());
        memory.ports().chat.set_offline(true);
        let offline = memory.contrast(&[id(1)], &[id(2)], &dry, &Cancel::new()).await;
        assert_eq!(offline, Err(Error::Model(ModelError::NotConnected)));
    });
}

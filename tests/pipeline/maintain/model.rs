//! What a model is asked by a run, in how many calls, and what happens without one or when it fails.

use super::*;

#[test]
fn a_model_judges_what_words_leave_open_in_one_call_for_two_passes() {
    run(async {
        let memory = with_model().await;
        save(
            &memory,
            &[
                about(fact(&memory, 1, "Pia eats meat every day.", 0.5), "Pia", 7),
                about(fact(&memory, 2, "Pia eats no animal products every day.", 0.9), "Pia", 7),
                about(fact(&memory, 3, "Pia eats breakfast at the office every day.", 0.9), "Pia", 7),
                about(fact(&memory, 4, "Pia eats her breakfast every day in the office.", 0.8), "Pia", 7),
                about(fact(&memory, 5, "Pia eats 2 eggs every day.", 0.8), "Pia", 7),
                about(fact(&memory, 6, "Pia eats 3 eggs every day.", 0.8), "Pia", 7),
            ],
        )
        .await;
        let answer = |request: &credence::llm::ChatRequest| {
            // Every shown pair is judged by the two texts that it shows.
            let mut items: Vec<String> = Vec::new();
            let (mut item, mut new) = (0, String::new());
            for line in request.messages[1].text.lines() {
                let line = line.trim();
                if let Some(rest) = line.strip_prefix("Item ") {
                    item = rest.split('.').next().unwrap().parse().unwrap();
                    new = rest.to_owned();
                } else if let Some(rest) = line.strip_prefix("Stored ") {
                    let number: usize = rest.split(':').next().unwrap().parse().unwrap();
                    let both = |a: &str| new.contains(a) && rest.contains(a);
                    let relation = if both("breakfast") || both("eggs") {
                        "IDENTICAL"
                    } else if new.contains("animal") && rest.contains("meat") {
                        "CONTRADICTORY"
                    } else {
                        "UNRELATED"
                    };
                    items.push(format!(r#"{{"item":{item},"relations":[{{"stored":{number},"relation":"{relation}","similarity":0.9,"reason":"so it reads"}}]}}"#));
                }
            }
            format!(r#"{{"items":[{}]}}"#, items.join(","))
        };
        let memory = {
            let model = ScriptedModel::new().respond_with(move |_, request| Ok(answer(request)));
            let again = open(TestPorts::with(model)).await;
            save(&again, &everything(&memory)).await;
            again
        };
        maintain(&memory, &[Pass::Duplicates, Pass::ContradictionResolution], true).await;
        let report = cycle(&memory).await;
        assert_eq!((report.calls, model(&memory).calls(Role::Revise)), (1, 2), "one dry, one live");
        assert!(report.prompt_tokens > 0);
        assert_eq!(stored(&memory, 1).status, Status::Contradicted, "{report:?}");
        assert_eq!(stored(&memory, 4).status, Status::Stale, "{report:?}");
        assert_eq!(stored(&memory, 3).grounding.len(), 2);
        assert_eq!((stored(&memory, 5).status, stored(&memory, 6).status), (Status::Active, Status::Active));
        let notes = &report.pass(Pass::Duplicates).unwrap().notes;
        assert!(
            notes.iter().any(|note| note.contains("numbers differ")),
            "a model cannot unite 2 and 3: {notes:?}"
        );
        memory.ports().clock.advance_ms(1);
        cycle(&memory).await;
        memory.ports().clock.advance_ms(1);
        let again = cycle(&memory).await;
        assert_eq!(again.calls, 0, "what was judged is not judged again: {again:?}");
    });
}

#[test]
fn what_one_call_does_not_take_waits_for_the_next_run() {
    run(async {
        let nothing = ScriptedModel::new().respond_with(|_, request| {
            let items = request.messages[1].text.matches("Item ").count();
            assert_eq!(items, 1, "one pair a call");
            Ok(r#"{"items":[{"item":1,"relations":[{"stored":1,"relation":"UNRELATED","similarity":0.1,"reason":""}]}]}"#.into())
        });
        let memory = open(TestPorts::with(nothing)).await;
        let facts = ["eats meat", "eats no animal products", "eats rice with beans"];
        let facts: Vec<Proposition> = (1..)
            .zip(facts)
            .map(|(n, what)| about(fact(&memory, n, &format!("Pia {what} every day."), 0.8), "Pia", 7))
            .collect();
        save(&memory, &facts).await;
        set(&memory, |m| m.judge_pairs = 1);
        let mut asked = Vec::new();
        for _ in 0..4 {
            memory.ports().clock.advance_ms(1);
            let report = maintain(&memory, &[Pass::ContradictionResolution], false).await;
            asked.extend(report.judged.iter().copied());
            assert_eq!(report.calls as usize, report.judged.len());
        }
        asked.sort();
        assert_eq!(asked, [(id(1), id(2)), (id(1), id(3)), (id(2), id(3))], "each pair once");
    });
}

#[test]
fn a_failing_model_fails_its_passes_alone() {
    run(async {
        let model = ScriptedModel::new().error(Role::Revise, ModelError::Timeout { after_ms: 5 });
        let memory = open(TestPorts::with(model)).await;
        let mut faded = fact(&memory, 3, "Pia is tired today.", 0.9);
        faded.decay = Decay::new(0.9).unwrap();
        save(
            &memory,
            &[
                about(fact(&memory, 1, "Pia eats meat every day.", 0.5), "Pia", 7),
                about(fact(&memory, 2, "Pia eats no animal products every day.", 0.9), "Pia", 7),
                faded,
                about(fact(&memory, 4, "Bo loves techno.", 0.5), "Bo", 8),
                about(fact(&memory, 5, "Bo hates techno.", 0.9), "Bo", 8),
            ],
        )
        .await;
        memory.ports().clock.advance_ms(9 * DAY_MS);
        let report = cycle(&memory).await;
        let failed = report.pass(Pass::ContradictionResolution).unwrap();
        assert!(failed.error.as_ref().unwrap().contains("5 ms"), "{failed:?}");
        assert_eq!(stored(&memory, 4).status, Status::Contradicted, "rules went on");
        assert_eq!(stored(&memory, 3).status, Status::Stale, "so did the sweep");
        assert_eq!(stored(&memory, 1).status, Status::Active);
    });
}

#[test]
fn without_a_model_open_pairs_wait_visibly() {
    run(async {
        let memory = offline().await;
        save(
            &memory,
            &[
                about(fact(&memory, 1, "Pia eats meat every day.", 0.5), "Pia", 7),
                about(fact(&memory, 2, "Pia eats no animal products every day.", 0.9), "Pia", 7),
            ],
        )
        .await;
        let report = cycle(&memory).await;
        let skipped = report.pass(Pass::ContradictionResolution).unwrap().skipped.clone().unwrap();
        assert!(skipped.starts_with("no model is connected: 1 near pair"), "{skipped}");
        assert_eq!(report.transitioned(), 0);
    });
}

//! Replies as models send them: what is read, what is mended, what is dropped with its reason.

use super::*;

fn window() -> Vec<WindowTurn> {
    let turn = |text: &str| WindowTurn {
        speaker: "Mara".into(),
        is_user: true,
        is_assistant: false,
        text: text.into(),
        date: "2026-03-08".into(),
        context_only: false,
    };
    vec![turn("I own a red kayak."), turn("And a dog.")]
}

fn moments() -> Vec<Moment> {
    vec![Moment::utc(crate::time::Timestamp::parse("2026-03-08T10:00:00Z").unwrap()); 2]
}

fn parsed(reply: &Value) -> Result<Extraction, String> {
    let shown = [EntityId::new(uuid::Uuid::from_u128(7))];
    let (window, moments) = (window(), moments());
    parse_propositions(reply, &ReplyContext { window: &window, moments: &moments, shown: &shown })
}

#[test]
fn wrong_keys_numbers_out_of_range_and_unknown_turns_are_mended() {
    let reply = json!({"facts": [
        {"fact": "Mara owns a red kayak", "confidence": 7, "decay": "x", "importance": -1, "turn": "1",
         "mentions": ["Mara", {"name": "red kayak", "kind": "Thing", "role": "object"}, {"span": "a boat"}]},
        "Mara has a dog",
        {"text": "x", "turns": [9, 0]}
    ]});
    let read = parsed(&reply).unwrap();
    let first = &read.candidates[0];
    assert_eq!((first.confidence, first.decay, first.importance), (1.0, 0.002, 0.0));
    assert_eq!(first.turns, [0]);
    let spans: Vec<_> = first.mentions.iter().map(|m| (m.span.as_str(), m.role, m.is_speaker)).collect();
    assert_eq!(spans, [("Mara", MentionRole::Other, true), ("red kayak", MentionRole::Object, false)]);
    assert_eq!(
        read.notes,
        ["1 of 3 mentions of `Mara owns a red kayak` are no part of it and were left out"]
    );
    assert_eq!(
        (read.candidates[1].text.as_str(), &read.candidates[1].turns[..]),
        ("Mara has a dog", &[0, 1][..])
    );
    assert_eq!(read.candidates[2].turns, [0, 1], "no usable number: the whole window is looked at");
}

#[test]
fn unusable_entries_are_drops_and_an_unusable_whole_is_a_complaint() {
    let reply = json!({"propositions": [{"mentions": []}, 7, {"text": " … "}, {"text": "Oda drinks mate"}]});
    let read = parsed(&reply).unwrap();
    assert_eq!((read.candidates.len(), read.dropped.len()), (1, 3));
    assert!(read.dropped.iter().all(|d| d.reason == DropReason::Malformed && !d.detail.is_empty()));
    assert!(parsed(&json!({"ok": true})).unwrap_err().contains("propositions"));
}

#[test]
fn a_list_may_come_as_an_object_and_an_entry_as_a_row() {
    for reply in [
        json!({"propositions": {"text": "Mara owns a red kayak"}}),
        json!({"propositions": {"1": {"text": "Mara owns a red kayak"}}}),
        json!({"propositions": [["Mara owns a red kayak", 0.9]]}),
        json!({"facts": ["Mara owns a red kayak"]}),
        json!({"memories": [{"memory": "Mara owns a red kayak", "turn": "[1]"}]}),
    ] {
        let read = parsed(&reply).unwrap();
        assert_eq!(read.candidates.len(), 1, "{reply}");
        assert_eq!(read.candidates[0].text, "Mara owns a red kayak");
        assert!(read.candidates[0].mentions[0].is_speaker, "whom it is about is told by how it begins");
    }
    assert!(parsed(&json!({"propositions": "none"})).is_err());
    assert_eq!(parsed(&json!({"propositions": null})).unwrap(), Extraction::default());
}

/// dice 13: ids that a model gives are accepted only when they were shown.
#[test]
fn only_ids_that_were_shown_come_back() {
    let with = |id: Value| {
        let mention = json!({"span": "red kayak", "type": "Thing", "role": "OBJECT", "id": id});
        let read =
            parsed(&json!({"propositions": [{"text": "Mara owns a red kayak", "mentions": [mention]}]}));
        let read = read.unwrap();
        (read.candidates[0].mentions[0].suggested.is_some(), read.notes.len())
    };
    for id in [json!(1), json!("1"), json!("#1")] {
        assert_eq!(with(id), (true, 0));
    }
    for id in [json!(null), json!(0), json!("")] {
        assert_eq!(with(id), (false, 0));
    }
    for id in [json!(2), json!(-1), json!("E0000"), json!(1.5), json!([1]), json!(u64::MAX)] {
        assert_eq!(with(id.clone()), (false, 1), "{id}");
    }
}

#[test]
fn dates_and_percentages_are_taken_as_far_as_they_can_be_right() {
    let reply = json!({"propositions": [
        {"text": "Mara owns a red kayak", "confidence": "90%", "valid_from": "2025-06", "valid_to": null},
        {"text": "Mara owns a dog", "valid_from": "soon", "valid_to": "1999-01-01"}
    ]});
    let read = parsed(&reply).unwrap();
    let first = &read.candidates[0];
    assert_eq!(first.confidence, 0.9);
    assert_eq!(first.valid_from.unwrap().to_rfc3339(), "2025-06-01T00:00:00.000Z");
    assert_eq!((read.candidates[1].valid_from, read.candidates[1].valid_to), (None, None));
    assert_eq!(read.notes.len(), 2, "{:?}", read.notes);
}

proptest::proptest! {
    /// Whatever a model sends is read or refused with a reason; a statement that is read rests on a turn.
    #[test]
    fn any_reply_is_read_or_refused(
        text in proptest::string::string_regex("(\\{|\\}|\\[|\\]|\"|:|,|propositions|text|turns|mentions|span|[a-z0-9 .\\-é北🌍\n]){0,60}").unwrap(),
        around in proptest::bool::ANY,
    ) {
        let text = if around { format!("{{\"propositions\":[{{\"text\":{text}}}]}}") } else { text };
        let schema = propositions_schema(PromptSize::Full, true);
        let wanted = crate::llm::lenient::Wanted::by_schema(&schema);
        match crate::llm::lenient::read(&text, &wanted) {
            Ok(value) => match parsed(&value.value) {
                Ok(found) => {
                        let sound = found.candidates.iter().all(|c| {
                    !c.turns.is_empty() && (0.0..=1.0).contains(&c.confidence) && !c.text.is_empty()
                        });
                        proptest::prop_assert!(sound);
                    },
                Err(complaint) => proptest::prop_assert!(!complaint.is_empty()),
            },
            Err(unreadable) => proptest::prop_assert!(!unreadable.to_string().is_empty()),
        }
    }
}

#[test]
fn repeats_in_one_run_keep_their_evidence() {
    let reply = json!({"propositions": [
        {"text": "Mara has a dog.", "turns": [1]}, {"text": "mara has a DOG", "turns": [2]}, {"text": "Mara has two dogs", "turns": [2]},
        {"text": "Mara has a dog!", "turns": [1]}
    ]});
    let mut read = parsed(&reply).unwrap();
    merge_repeats(&mut read);
    assert_eq!(read.candidates.len(), 3, "another turn is another witness");
    assert_eq!(read.dropped.len(), 1);
    assert_eq!(read.dropped[0].reason, DropReason::RepeatedInRun);
}

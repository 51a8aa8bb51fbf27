//! What models really send, case by case and by property.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn facts() -> Wanted {
    Wanted::list("propositions")
}

fn texts(text: &str) -> Vec<String> {
    let read = read(text, &facts()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let items = read.value["propositions"].as_array().unwrap();
    items.iter().map(|item| item["text"].as_str().unwrap_or("?").to_owned()).collect()
}

fn check(text: &str, want: &[&str]) {
    assert_eq!(texts(text), want, "{text}");
}

fn check_value(text: &str, want: Value, words: &str) {
    let read = read(text, &Wanted::default()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read.value, want, "{text}");
    assert!(read.repairs.iter().any(|repair| repair.contains(words)), "{text}: {:?}", read.repairs);
}

#[test]
fn strict_json_is_taken_as_it_is() {
    let read = read(r#" {"propositions":[{"text":"a","confidence":0.9}]} "#, &facts()).unwrap();
    assert_eq!((read.repairs.len(), read.is_cut), (0, false));
    assert_eq!(read.value, json!({"propositions": [{"text": "a", "confidence": 0.9}]}));
}

/// A fence around the object used to be deleted together with the object.
#[test]
fn fences_are_unwrapped_not_deleted() {
    check(
        "```json\n{\"propositions\":[{\"text\":\"Mara owns a red kayak\",\"confidence\":0.9}]}\n```\nDone.",
        &["Mara owns a red kayak"],
    );
    check("```\n{\"propositions\":[{\"text\":\"a\"}]}\n```", &["a"]);
    check("~~~JSON\n{\"propositions\":[{\"text\":\"a\"}]}\n~~~", &["a"]);
    check("```json {\"propositions\":[{\"text\":\"a\"}]} ```", &["a"]);
    check("```json\n{\"propositions\":[{\"text\":\"never closed\"}]}", &["never closed"]);
    check("Für `{x}`:\n```json\n{\"propositions\":[{\"text\":\"ä\"}]}\n```\nand {\"y\":1}", &["ä"]);
    check("```json\n{\"propositions\":[{\"text\":\"a\"},{\"text\":\"cut\n```\nDone.", &["a"]);
}

/// Prose around bare JSON made the whole call fail.
#[test]
fn prose_around_is_ignored() {
    check(
        "Sure! {\"propositions\":[{\"text\":\"Ivo is left-handed\"}]} Anything else?",
        &["Ivo is left-handed"],
    );
    check("好的，结果如下：{\"propositions\":[{\"text\":\"他住在北京\"}]}。", &["他住在北京"]);
    check("I {really} looked [twice]. {\"propositions\":[{\"text\":\"a\"}]} [1] {ok}", &["a"]);
    check("An open {\"brace and then {\"propositions\":[{\"text\":\"a\"}]}", &["a"]);
    check("As in {\"example\": 1} or [{\"x\": 2}]: {\"propositions\":[{\"text\":\"a\"}]}", &["a"]);
}

#[test]
fn the_last_and_best_value_wins() {
    check(
        "Draft: {\"propositions\":[{\"text\":\"draft\"}]}\nFinal: {\"propositions\":[{\"text\":\"final\"}]}",
        &["final"],
    );
    check(
        "{\"propositions\":[{\"text\":\"a\"}]} With nothing new I would send {\"propositions\":[]}.",
        &["a"],
    );
    check("{\"propositions\":[{\"text\":\"whole\"}]} {\"propositions\":[{\"text\":\"x\"},{\"te", &["whole"]);
    check(
        "[{\"text\":\"bare\"}] {\"propositions\":[{\"text\":\"keyed\"}]} [{\"text\":\"late\"}]",
        &["keyed"],
    );
}

/// Reasoning with brackets in front of the JSON gave the wrong start.
#[test]
fn reasoning_is_no_answer() {
    check(
        "<think>maybe {\"x\":1} or [2]?</think>{\"propositions\":[{\"text\":\"Oda drinks mate\"}]}",
        &["Oda drinks mate"],
    );
    check(
        "<think>{\"propositions\":[{\"text\":\"thought\"}]}</think>\n```json\n{\"propositions\":[]}\n```",
        &[],
    );
    check(
        "hm, {\"propositions\":[{\"text\":\"thought\"}]}\n</think>\n\n{\"propositions\":[{\"text\":\"said\"}]}",
        &["said"],
    );
    check("<Reasoning>a</Reasoning><think>b [1]</think> So: {\"propositions\":[{\"text\":\"c\"}]}", &["c"]);
    check(
        "{\"propositions\":[{\"text\":\"He wrote <think>x</think> once\"},]}",
        &["He wrote <think>x</think> once"],
    );
    let error = read("<think>{\"propositions\":[{\"text\":\"thought\"}]}", &facts()).unwrap_err();
    assert!(error.to_string().contains("reasoning alone"), "{error}");
}

/// Lone surrogates and raw control characters lost every fact of the answer.
#[test]
fn broken_escapes_and_control_characters_are_read() {
    check(
        "{\"propositions\":[{\"text\":\"Kiko likes \\ud83d pandas\"},{\"text\":\"line1\nline2\"}]}",
        &["Kiko likes \u{fffd} pandas", "line1\nline2"],
    );
    check(
        "{\"propositions\":[{\"text\":\"\\ud83d\\udc3c ok\"},{\"text\":\"\\udc3c\\ud83d\"},]}",
        &["🐼 ok", "\u{fffd}\u{fffd}"],
    );
    check("{\"propositions\":[{\"text\":\"a\tb\r\nc\u{0}d\"}]}", &["a\tb\nc d"]);
    check("{\"propositions\":[{\"text\":\"C:\\dir and \\d+ and it\\'s\"}]}", &["C:\\dir and \\d+ and it's"]);
    check("{\"propositions\":[{\"text\":\"\\uZZZZ \\u12\"}]}", &["\\uZZZZ \\u12"]);
}

#[test]
fn foreign_notations_are_read() {
    check("{'propositions': [{'text': 'Ivo\\'s boat isn't red'}]}", &["Ivo's boat isn't red"]);
    check("{“propositions”: [{“text”: “it’s 5” wide, he said”}]}", &["it’s 5” wide, he said"]);
    check("{propositions: [{text: \"bare keys\"}]}", &["bare keys"]);
    check("{\"propositions\":[{\"text\":\"a\",},{\"text\":\"b\"},],}", &["a", "b"]);
    check("{\"propositions\":[{\"text\":\"a\"} {\"text\":\"b\"}\n{\"text\":\"c\"}]}", &["a", "b", "c"]);
    check("{\"propositions\":[{\"text\":\"a\"}, ...]}", &["a"]);
    check(
        "{\"propositions\":[ // first\n{\"text\":\"a // no comment\"} /* second */]}",
        &["a // no comment"],
    );
    check(
        "{\"propositions\":[{\"text\":\"He said \"hi\" to me\"},{\"text\":\"b\"}]}",
        &["He said \"hi\" to me", "b"],
    );
    check(
        "{\"propositions\":[{\"text\":\"He said \"hi\", then left\",\"x\":1}]}",
        &["He said \"hi\", then left"],
    );
    check("{\"propositions\":[{\"text\":\"a\" \"confidence\":0.5}, {\"text\":\"b\"}]}", &["a", "b"]);
    check("{\"propositions\":[{\"text\":\"a\"\n\"confidence\":0.5}]}", &["a"]);
    check("{\"propositions\":[{\"text\":\"a\"]}", &["a"]);
    check_value("{\"a\": NaN, \"b\": -Infinity}", json!({"a": null, "b": null}), "");
    check_value(
        "{\"a\": True, \"b\": None, \"c\": undefined}",
        json!({"a": true, "b": null, "c": null}),
        "foreign",
    );
    check_value(
        "{\"a\": +1, \"b\": .5, \"c\": 5., \"d\": 007}",
        json!({"a": 1, "b": 0.5, "c": 5, "d": 7}),
        "number",
    );
    check_value("{\"a\": 1e999}", json!({"a": null}), "number");
    check_value(
        "{\"r\": CONTRADICTS, \"d\": 2026-11-30, \"p\": 90%}",
        json!({"r": "CONTRADICTS", "d": "2026-11-30", "p": "90%"}),
        "without quotes",
    );
}

/// Half a statement is another statement: what is cut is dropped, what is complete is kept.
#[test]
fn a_cut_answer_keeps_its_complete_elements() {
    check("{\"propositions\":[{\"text\":\"A\"},{\"text\":\"Ivo is left", &["A"]);
    check("{\"propositions\":[{\"text\":\"A\"},{\"text\":\"B\",\"confidence\":0.9", &["A"]);
    check("{\"propositions\":[{\"text\":\"A\"},{\"text\":\"B \\ud8", &["A"]);
    let read = read("{\"propositions\":[{\"text\":\"A\"},", &facts()).unwrap();
    assert!(read.is_cut && read.repairs.last().unwrap().contains("too early"), "{:?}", read.repairs);
}

#[test]
fn wrong_wrappings_are_undone() {
    check("[{\"text\":\"a\"},{\"text\":\"b\"}]", &["a", "b"]);
    check("[]", &[]);
    check("```json\n[]\n```", &[]);
    check("{\"facts\":[{\"text\":\"a\"}]}", &["a"]);
    check("{\"result\":{\"propositions\":[{\"text\":\"a\"}]}}", &["a"]);
    check("{\"type\":\"object\",\"properties\":{\"propositions\":[{\"text\":\"a\"}]}}", &["a"]);
    check("[{\"propositions\":[{\"text\":\"a\"}]}]", &["a"]);
    check("{\"Propositions\":[{\"text\":\"a\"}]}", &["a"]);
    check("\"{\\\"propositions\\\":[{\\\"text\\\":\\\"a\\\"}]}\"", &["a"]);
    check("\"```json\\n[{\\\"text\\\":\\\"a\\\"}]\\n```\"", &["a"]);
    check("{\"propositions\":{\"text\":\"a\"}}", &["a"]);
    check("{\\\"propositions\\\":[{\\\"text\\\":\\\"a\\\"}]}", &["a"]);
    let read = read("Here: {\"facts\":[{\"text\":\"a\"}]}", &facts()).unwrap();
    assert!(read.repairs.iter().any(|words| words.contains("`facts`")), "{:?}", read.repairs);
}

#[test]
fn what_cannot_be_read_says_where_and_why() {
    let check = |text: &str, words: &[&str]| {
        let error = read(text, &facts()).unwrap_err().to_string();
        assert!(words.iter().all(|words| error.contains(words)), "{error}");
    };
    check("", &["empty"]);
    check("Sorry, I cannot do that.", &["no JSON", "Sorry"]);
    check("{\"other\": 1}", &["no key `propositions`", "other"]);
    check("{\"a\":[{\"x\":1}],\"b\":[{\"x\":2}]}", &["no key `propositions`"]);
    check("[citation needed]", &["line 1, column 2", "the word `citation`"]);
    check("ok:\n{\"propositions\" = []}", &["expected `:`", "line 2, column 17"]);
    check("I cannot fill the list [] with this.", &["holds no JSON"]);
    check(
        "{\"propositions\":[{\"text\":\"a\"},{\"text\":\"b\",\"confidence\":1,5}]}",
        &["expected", "column 58"],
    );
    check(
        "{\"propositions\":[{\"text\":\"A\",\"mentions\":[{\"span\":\"x\"},{\"sp",
        &["first complete element"],
    );
    check("{\"propositions\":[{\"text\":\"the quote is escaped\\\"}]}", &["first complete element"]);
    check("[1, 2]", &["no key"]);
    check("null", &["no JSON"]);
}

#[test]
fn a_schema_tells_what_is_wanted() {
    let schema =
        |properties: Value| ReplySchema { name: "x".into(), schema: json!({"properties": properties}) };
    let wanted = Wanted::by_schema(&schema(json!({"note": {"type": "string"}, "items": {"type": "array"}})));
    assert_eq!(wanted.list.as_deref(), Some("items"));
    assert_eq!(wanted.keys.len(), 2);
    let wanted = Wanted::by_schema(&schema(json!({"verdict": {"type": "string"}})));
    assert_eq!(wanted.list, None);
    assert!(read("[{\"text\":\"a\"}]", &wanted).is_err(), "no list belongs into a verdict");
    assert_eq!(Wanted::by_schema(&ReplySchema { name: "x".into(), schema: json!({}) }), Wanted::default());
}

#[test]
fn hostile_text_ends_soon() {
    for text in ["[", "{", "{\"a\":", "[\"", "[\"a ", "{'a':'", "<think>", "```\n[", "/*", "{\"a\":\"b\","] {
        let text = text.repeat(20_000);
        let _ = read(&text, &facts());
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9f64..1e9).prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..5)
                .prop_map(|members| { Value::Object(members.into_iter().collect()) }),
        ]
    })
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        let _ = read(&text, &facts());
        let _ = read(&text, &Wanted::default());
    }

    #[test]
    fn no_broken_json_makes_the_reader_panic(
        text in "[\\[\\]{}\",:'\\\\u0d8\\-+.eE /*#<>thinktrue\n“”’`é🌍]{0,60}",
    ) {
        let _ = read(&text, &facts());
        let _ = read(&format!("{{\"propositions\":[{text}"), &facts());
    }

    #[test]
    fn valid_json_is_read_as_strict_json_is(value in any_json(), pretty in any::<bool>()) {
        let list = Value::Array(vec![value]);
        let text = if pretty { serde_json::to_string_pretty(&list) } else { serde_json::to_string(&list) }.unwrap();
        let mut fuel = usize::MAX;
        let parsed = Reader::parse(&text, 0, &mut fuel).unwrap();
        let strict: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(parsed.value, strict);
        prop_assert_eq!(parsed.repairs, []);
        prop_assert!(!parsed.is_cut && parsed.end == text.len());
    }

    #[test]
    fn a_cut_list_is_a_beginning_of_the_whole(
        texts in prop::collection::vec(any::<String>(), 0..6),
        cut in 0.0f64..1.0,
    ) {
        let items: Vec<Value> = texts.iter().map(|text| json!({"text": text, "confidence": 0.5})).collect();
        let whole = json!({"propositions": items}).to_string();
        let mut end = (whole.len() as f64 * cut) as usize;
        while !whole.is_char_boundary(end) {
            end -= 1;
        }
        if let Ok(read) = read(&whole[..end], &facts()) {
            let kept = read.value["propositions"].as_array().unwrap();
            prop_assert_eq!(kept.as_slice(), &items[..kept.len()]);
            prop_assert!(read.is_cut || end == whole.len());
        }
    }
}

//! What files become conversations, and what the others are told.

use super::*;
use crate::time::Timestamp;

fn now() -> Moment {
    Moment { at: Timestamp::parse("2026-11-30T10:00:00Z").unwrap(), offset_minutes: 60 }
}

fn read(text: &str) -> ImportedConversation {
    parse("talk.txt", text, now()).unwrap_or_else(|e| panic!("{e}"))
}

fn refused(text: &str) -> (String, String) {
    let error = parse("talk.json", text, now()).expect_err(text);
    (error.place, error.reason)
}

fn said(conversation: &ImportedConversation) -> Vec<(&str, &str)> {
    conversation.turns.iter().map(|t| (t.speaker.as_str(), t.text.as_str())).collect()
}

#[test]
fn plain_lines_with_continuations() {
    let talk = read("Mara: I live in Kleve.\nIt is quiet: mostly.\n\nIvo B.: Nice!\n**Mara**: yes");
    assert_eq!(
        said(&talk)[..],
        [("Mara", "I live in Kleve."), ("It is quiet", "mostly."), ("Ivo B.", "Nice!"), ("Mara", "yes")][..]
    );
    let talk = read("Mara: first\n  second line, with: a colon\nhttps://x.example is a link\nIvo：好的");
    assert_eq!(said(&talk)[0], ("Mara", "first\nsecond line, with: a colon\nhttps://x.example is a link"));
    assert_eq!(said(&talk)[1], ("Ivo", "好的"));
    assert_eq!(talk.speakers, ["Mara", "Ivo"]);
    assert!(talk.notes[0].contains("no dates"));
    assert_eq!(talk.title, "talk");
}

#[test]
fn times_in_front_are_read_in_the_readers_zone() {
    let talk =
        read("[2026-03-08 00:30] Mara: I finished the race today.\n08/03/2026, 10:15 - Ivo: Well done");
    let first = talk.turns[0].at.unwrap();
    assert_eq!(
        (first.at.to_rfc3339().as_str(), first.date_text().as_str()),
        ("2026-03-07T23:30:00.000Z", "2026-03-08")
    );
    assert_eq!(talk.turns[1].at.unwrap().date_text(), "2026-03-08");
}

#[test]
fn json_of_many_shapes() {
    let roles = read(
        r#"[{"role":"system","content":"x"},{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"text","text":"Hello"},{"type":"image_url"}]}]"#,
    );
    assert_eq!(said(&roles), [("user", "Hi"), ("assistant", "Hello")]);
    assert_eq!(roles.notes[0], "1 system or tool messages left out");
    let nested = read(
        r#"{"title":"Trip","messages":[{"author":{"role":"user"},"content":{"parts":["Hi"]},"create_time":1700000000}]}"#,
    );
    assert_eq!((nested.title.as_str(), said(&nested)), ("Trip", vec![("user", "Hi")]));
    assert_eq!(nested.turns[0].at.unwrap().at, Timestamp(1_700_000_000_000));
    let sessions = read(
        r#"{"speaker_a":"Ana","speaker_b":"Bo","session_2_date_time":"1:56 pm on 8 May, 2023","session_2":[{"speaker":"Bo","text":"late"}],"session_1":[{"speaker":"Ana","text":"early"}],"session_10":[{"speaker":"Bo","text":"last"}]}"#,
    );
    assert_eq!(said(&sessions), [("Ana", "early"), ("Bo", "late"), ("Bo", "last")]);
    assert_eq!(sessions.turns[1].at.unwrap().at.to_rfc3339(), "2023-05-08T12:56:00.000Z");
    assert_eq!(sessions.title, "Ana and Bo");
}

#[test]
fn a_broken_file_names_its_place_and_the_remedy() {
    let (place, reason) = refused("just prose\nMara: hello");
    assert!(place == "line 1" && reason.contains("`Name: what they said`"), "{place} {reason}");
    let (place, reason) = refused("[{\"role\":\"user\",\"content\":\"a\"},\n{\"role\":\"user\"}]");
    assert!(place == "message[1]" && reason.contains("content"), "{place} {reason}");
    let (place, _) = refused("[{\"role\":\"user\",\n\"content\":\"a\"");
    assert!(place.starts_with("line 2"), "{place}");
    let (place, reason) = refused(r#"{"session_1_date_time":"yesterday","session_1":[]}"#);
    assert!(place == "session_1_date_time" && reason.contains("yesterday"), "{place} {reason}");
    let (_, reason) = refused(r#"{"facts":[1]}"#);
    assert!(reason.contains("messages") && reason.contains("facts"), "{reason}");
    assert!(refused("Mara:\nIvo: hi").0.contains("turn 1"));
    assert_eq!(refused(" \n").1, "the file is empty");
    assert!(refused("[]").1.contains("no message"));
}

#[test]
fn prose_is_suggested_as_a_document_and_talk_as_a_conversation() {
    let kind = |name: &str, text: &str| suggest(name, text, now());
    assert_eq!(kind("talk.txt", "Mara: I live in Kleve.\nIvo: Nice!\nMara: yes"), FileKind::Conversation);
    assert_eq!(
        kind("talk.txt", "[2026-03-08 10:00] Mara: hi\n[2026-03-08 10:01] Ivo: hello"),
        FileKind::Conversation
    );
    assert_eq!(kind("notes.md", "# Boats\n\nKayaks float well."), FileKind::Document);
    assert_eq!(kind("recipe.txt", "Ingredients: flour\nMethod: stir\nTime: one hour"), FileKind::Document);
    assert_eq!(kind("one.txt", "Summary: Mara moved to Kleve in May."), FileKind::Document);
    assert_eq!(kind("日记.txt", "今天我去了上海。我喜欢喝茶。"), FileKind::Document);
    assert_eq!(
        kind("chat.json", "[{\"role\":"),
        FileKind::Conversation,
        "its error says what is wrong with it"
    );
    assert!(parse("a.txt", "just prose", now()).unwrap_err().reason.contains("as a document"));
}

//! Files of other programs: each is told by its content, previewed with what is left out and why, and taken in once.

use credence::extraction::DropReason;
use credence::import::{Format, Imported, Preview, detect, inspect};
use credence::llm::Cancel;
use credence::proposition::{Extractor, Locator, Status, Voice};
use credence::time::{Moment, Timestamp};

use super::support::*;

const MEM0: &str = include_str!("../fixtures/imports/mem0.json");
const CHATGPT: &str = include_str!("../fixtures/imports/chatgpt.json");
const CLAUDE: &str = include_str!("../fixtures/imports/claude.json");
const LOREBOOK: &str = include_str!("../fixtures/imports/lorebook.json");
const CARDS: [&str; 3] = [
    include_str!("../fixtures/imports/card-v1.json"),
    include_str!("../fixtures/imports/card-v2.json"),
    include_str!("../fixtures/imports/card-v3.json"),
];
const PICTURE: &[u8] = include_bytes!("../fixtures/imports/card.png");
const LIST: &str = include_str!("../fixtures/imports/list.md");
const NOTES: &str = include_str!("../fixtures/imports/notes.txt");

fn now() -> Moment {
    Moment::utc(Timestamp::parse("2026-03-08T10:00:00Z").unwrap())
}

fn preview(bytes: impl AsRef<[u8]>) -> Preview {
    inspect("file", bytes.as_ref(), now()).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(bytes: impl AsRef<[u8]>) -> String {
    inspect("file", bytes.as_ref(), now()).expect_err("it was read").to_string()
}

fn skipped(preview: &Preview, word: &str) -> u32 {
    preview.skipped.iter().filter(|skipped| skipped.reason.contains(word)).map(|skipped| skipped.count).sum()
}

async fn taken(memory: &TestMemory, preview: &Preview) -> Imported {
    memory.take_in(preview, None, &Cancel::new(), &mut |_, _| {}).await.unwrap()
}

fn said(preview: &Preview) -> Vec<&str> {
    preview.statements.iter().map(|statement| statement.text.as_str()).collect()
}

#[test]
fn files_are_told_by_their_content_whatever_they_are_called() {
    let cases: [(&[u8], Format); 12] = [
        (MEM0.as_bytes(), Format::Mem0),
        (br#"[{"id":"1","memory":"Likes tea"}]"#, Format::Mem0),
        (br#"{"memories":[{"id":"1","content":"Likes tea","created_at":1741000000}]}"#, Format::Mem0),
        (CHATGPT.as_bytes(), Format::Chatgpt),
        (CLAUDE.as_bytes(), Format::Claude),
        (LOREBOOK.as_bytes(), Format::Lorebook),
        (CARDS[0].as_bytes(), Format::CharacterCard),
        (CARDS[1].as_bytes(), Format::CharacterCard),
        (PICTURE, Format::CharacterCard),
        (LIST.as_bytes(), Format::List),
        (NOTES.as_bytes(), Format::Document),
        (
            br#"[{"role":"user","content":"I live in Kleve."},{"role":"assistant","content":"Nice."}]"#,
            Format::Conversation,
        ),
    ];
    for (bytes, wanted) in cases {
        for name in ["a.json", "b.txt", "c.png", "d"] {
            assert_eq!(
                detect(name, bytes, now()),
                Ok(wanted),
                "{}",
                String::from_utf8_lossy(&bytes[..bytes.len().min(60)])
            );
        }
    }
    assert_eq!(
        detect("x", b"Mara: I live in Kleve.\nIvo: Nice!\nMara: yes", now()),
        Ok(Format::Conversation)
    );
    assert_eq!(
        detect("x", b"[10:31] Mara: hi\n[10:32] Ivo: hi\n[10:33] Mara: so", now()),
        Ok(Format::Document)
    );
    let bundle = br#"{"format":"credence-bundle","schema":2}"#;
    assert_eq!(detect("x", bundle, now()), Ok(Format::Bundle));
    assert!(refused(bundle).contains("as a bundle"));
}

#[test]
fn what_cannot_be_read_is_told_with_its_place_and_what_would_help() {
    for (bytes, words) in [
        (&b"PK\x03\x04\xff\xff"[..], "unpack it"),
        (b"\xff\xd8\xff\xe0", "PNG pictures or JSON"),
        (b"%PDF-1.4\xff", "text file"),
        (b"\xff\xfea\0", "UTF-8"),
        (b"  \n", "is empty"),
        (b"{\"results\": [", "the file ends in the middle"),
        (b"[{\"memory\": \"a\"}\n, oops]", "line 2, column 3"),
        (b"[]", "no message"),
        (b"{\"colour\": 1}", "expected a list"),
        (&PICTURE[..120], "ends in the middle"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\0IEND\0\0\0\0", "no character card"),
        (br#"{"results": [{"id": "1", "memory": " "}]}"#, "everything in it is left out"),
    ] {
        let error = refused(bytes);
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn memories_of_mem0_become_statements_with_date_source_and_end() {
    run(async {
        let file = preview(MEM0);
        assert_eq!(file.statements.len(), 7, "{:#?}", file.statements);
        assert_eq!(
            (skipped(&file, "deleted"), skipped(&file, "says nothing"), skipped(&file, "graph")),
            (1, 2, 1)
        );
        let memory = offline().await;
        tell(&memory, &["My name is Mara."]).await;
        let before = live(&memory).len();
        let done = taken(&memory, &file).await;
        assert_eq!(done.reports.len(), 1, "one commit");
        let texts = live(&memory);
        for wanted in ["Mara likes black tea", "Mara works as a nurse in Leeds", "Ana is a vet", "住在北京"]
        {
            assert!(texts.iter().any(|text| text.contains(wanted)), "{wanted}: {texts:?}");
        }
        assert_eq!(texts.len(), before + 5, "{texts:?}");
        let dropped: Vec<DropReason> = done.reports[0].dropped.iter().map(|drop| drop.reason).collect();
        assert_eq!(dropped, [DropReason::Secret, DropReason::Instruction]);
        let state = memory.state();
        let tea = state.propositions().find(|p| p.text.contains("tea")).unwrap();
        assert_eq!((tea.extractor.clone(), tea.voice), (Extractor::Import, Voice::User));
        assert_eq!(tea.entities().next(), state.user().map(|user| user.id), "{tea:#?}");
        assert_eq!(tea.temporal.observed_at, Timestamp::parse("2025-03-01T15:30:00Z"));
        let Locator::Connector { connector_id, external_id, .. } = &tea.provenance[0].locator else {
            panic!("no source")
        };
        assert_eq!((connector_id.as_str(), external_id.ends_with("0001")), ("import:mem0", true));
        let permit = state.propositions().find(|p| p.text.contains("permit")).unwrap();
        assert_eq!(
            permit.temporal.valid_to.map(|to| to.to_rfc3339()[..10].to_owned()),
            Some("2027-01-10".into())
        );
    });
}

#[test]
fn taking_the_same_file_in_twice_is_taking_it_in_once() {
    run(async {
        let memory = offline().await;
        for bytes in [
            MEM0.as_bytes(),
            CHATGPT.as_bytes(),
            CLAUDE.as_bytes(),
            LOREBOOK.as_bytes(),
            LIST.as_bytes(),
            PICTURE,
        ] {
            let file = preview(bytes);
            taken(&memory, &file).await;
            let held = |memory: &TestMemory| {
                let state = memory.state();
                let sums: Vec<_> = state
                    .propositions()
                    .map(|p| (p.id, p.text.clone(), p.reinforce_count, p.provenance.len()))
                    .collect();
                (sums, state.conversations().count(), state.all_turns().count())
            };
            let first = held(&memory);
            let again = taken(&memory, &file).await;
            assert_eq!(held(&memory), first, "{:?}", file.format);
            assert!(
                again.conversations.is_empty()
                    && again.documents.iter().all(|known| !known.is_known || known.passages > 0)
            );
        }
    });
}

#[test]
fn memories_of_several_people_need_a_choice() {
    run(async {
        let file = preview(
            r#"{"results":[{"id":"1","memory":"Likes tea","user_id":"alice"},{"id":"2","memory":"Likes coffee","user_id":"bob"}]}"#,
        );
        assert_eq!(file.people, ["alice", "bob"]);
        let memory = offline().await;
        let error = memory.take_in(&file, None, &Cancel::new(), &mut |_, _| {}).await.unwrap_err();
        assert!(error.to_string().contains("alice, bob"), "{error}");
        let error = memory.take_in(&file, Some("carol"), &Cancel::new(), &mut |_, _| {}).await.unwrap_err();
        assert!(error.to_string().contains("`carol` is not in it"), "{error}");
        memory.take_in(&file, Some("alice"), &Cancel::new(), &mut |_, _| {}).await.unwrap();
        let state = memory.state();
        let about = |word: &str| {
            let p = state.propositions().find(|p| p.text.contains(word)).unwrap();
            p.entities().next() == state.user().map(|user| user.id)
        };
        assert!(about("tea") && !about("coffee"), "{:?}", live(&memory));
    });
}

#[test]
fn a_tree_of_chatgpt_becomes_the_branch_that_was_shown_last() {
    run(async {
        let file = preview(CHATGPT);
        assert_eq!(file.conversations.len(), 1);
        let talk = &file.conversations[0];
        let lines: Vec<&str> = talk.turns.iter().map(|turn| turn.text.as_str()).collect();
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert_eq!(lines[2], "I work as a nurse there. Das ist mein Haus 🏠");
        assert_eq!(talk.title, "Moving house");
        assert_eq!(talk.turns[0].at.unwrap().at, Timestamp(1_741_000_001_000));
        for (word, count) in [
            ("branches", 1),
            ("calls of tools", 1),
            ("system and tool", 2),
            ("nobody says", 1),
            ("cannot be read", 1),
        ] {
            assert_eq!(skipped(&file, word), count, "{word}: {:#?}", file.skipped);
        }
        assert_eq!(skipped(&file, "instructions and memories"), 1);
        let memory = offline().await;
        let done = taken(&memory, &file).await;
        assert_eq!(done.waiting().len(), 1);
        analyse(&memory, done.conversations[0]).await;
        let texts = live(&memory);
        assert!(texts.iter().any(|text| text.contains("Leeds")), "{texts:?}");
    });
}

#[test]
fn a_long_tree_is_walked_without_recursion() {
    let mut nodes = String::from(r#""0":{"message":null,"parent":null}"#);
    for n in 1..60_000 {
        let role = if n % 2 == 1 { "user" } else { "assistant" };
        nodes.push_str(&format!(
            r#","{n}":{{"message":{{"author":{{"role":"{role}"}},"content":{{"content_type":"text","parts":["line {n}"]}}}},"parent":"{}"}}"#,
            n - 1
        ));
    }
    let file = preview(format!(r#"[{{"title":"Long","current_node":"59999","mapping":{{{nodes}}}}}]"#));
    assert_eq!(file.turns(), 59_999);
    assert_eq!(file.conversations[0].turns[0].text, "line 1");
}

#[test]
fn conversations_of_claude_keep_what_people_said() {
    run(async {
        let file = preview(CLAUDE);
        let talk = &file.conversations[0];
        let lines: Vec<_> =
            talk.turns.iter().map(|turn| (turn.speaker.as_str(), turn.text.as_str())).collect();
        assert_eq!(
            lines,
            [
                ("human", "My cat Miso is three."),
                ("assistant", "Happy birthday to Miso!"),
                ("human", "Only the old field.")
            ]
        );
        assert_eq!(talk.title, "conversation 1");
        for (word, count) in
            [("attached files", 1), ("thoughts", 2), ("without words", 1), ("nobody says", 1)]
        {
            assert_eq!(skipped(&file, word), count, "{word}: {:#?}", file.skipped);
        }
        let memory = offline().await;
        let done = taken(&memory, &file).await;
        let state = memory.state();
        let first = state.turns(done.conversations[0]).next().unwrap();
        assert_eq!(first.speaker, credence::conversation::Speaker::User);
        assert_eq!(first.at.at, Timestamp::parse("2025-06-01T10:00:01Z").unwrap());
    });
}

#[test]
fn a_lorebook_becomes_statements_and_passages_that_nobody_says_of_the_user() {
    run(async {
        let file = preview(LOREBOOK);
        assert_eq!(
            said(&file),
            ["It is the capital of the north.", "The Old Mill burned down in 1402."],
            "in order of entry"
        );
        assert_eq!(file.documents.len(), 1);
        assert!(file.documents[0].text.starts_with("# Brandt\n\nBrandt is a smith"));
        assert_eq!((skipped(&file, "switched off"), skipped(&file, "without words")), (1, 1));
        let memory = offline().await;
        taken(&memory, &file).await;
        let state = memory.state();
        let capital = state.propositions().find(|p| p.text.contains("capital")).unwrap();
        assert!(capital.text.starts_with("Eldoria"), "{}", capital.text);
        assert_eq!(capital.voice, Voice::Document);
        assert!(state.propositions().all(|p| !p.text.contains("king")));
    });
}

#[test]
fn cards_of_every_form_and_in_pictures_are_read() {
    let [one, two, three] = CARDS.map(preview);
    assert!(
        one.documents[0].text.contains("Seraphina guards the glade. She heals the user."),
        "{:?}",
        one.documents
    );
    assert!(
        two.documents[0].text.contains("Seraphina guards the glade. She heals the user."),
        "{:?}",
        two.documents
    );
    assert_eq!(said(&two), ["The glade lies in the north of Eldoria."]);
    for (word, count) in [("greeting", 3), ("instructions", 1), ("notes of", 1), ("switched off", 1)] {
        assert_eq!(skipped(&two, word), count, "{word}: {:#?}", two.skipped);
    }
    assert!(three.documents[0].text.contains("Œlwyn 🌿 keeps bees."));
    let picture = preview(PICTURE);
    assert_eq!(picture.documents, three.documents, "the newer card of a picture counts");
}

#[test]
fn bullets_become_statements_about_the_person_or_the_heading() {
    run(async {
        let file = preview(LIST);
        assert_eq!(
            said(&file),
            [
                "I live in Leeds.",
                "Likes black tea",
                "My sister Ana is a vet.",
                "Favourite colour: blue",
                "I finished the course.",
                "Hates figs",
                "Miso is a cat",
                "Rex is a dog",
                "plays the oboe",
                "born in Oslo",
                "住在柏林"
            ]
        );
        let topics: Vec<&str> = file.statements.iter().map(|statement| statement.topic.as_str()).collect();
        assert_eq!(
            (topics[0], topics[6], topics[8]),
            ("Memory", "Memory › Preferences › Pets", "Memory › Bo")
        );
        assert_eq!((skipped(&file, "a task that is open"), skipped(&file, "heads the bullets")), (1, 1));
        let memory = offline().await;
        tell(&memory, &["My name is Mara."]).await;
        taken(&memory, &file).await;
        let texts = live(&memory);
        for wanted in [
            "Mara lives in Leeds",
            "Mara likes black tea",
            "Mara hates figs",
            "Ana is a vet",
            "Bo plays the oboe",
            "Bo: born in Oslo",
            "Bo: 住在柏林",
        ] {
            assert!(texts.iter().any(|text| text.contains(wanted)), "{wanted}: {texts:?}");
        }
        let state = memory.state();
        let oboe = state.propositions().find(|p| p.text.contains("oboe")).unwrap();
        assert_ne!(oboe.entities().next(), state.user().map(|user| user.id), "Bo is not the person");
        assert!(
            state.propositions().find(|p| p.text.contains("vet")).unwrap().temporal.observed_at.is_some()
        );
    });
}

#[test]
fn an_imported_statement_revises_what_is_known_and_is_gated_like_any_other() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["My name is Mara. I love figs."]).await;
        taken(&memory, &preview("- Hates figs\n- I live in Bonn.")).await;
        assert_eq!(texts(&memory, Status::Contradicted).len(), 1, "{:?}", live(&memory));
        let held = live(&memory).iter().filter(|text| text.contains("figs")).count();
        assert_eq!(held, 1);
    });
}

#[test]
fn a_cancelled_import_goes_on_where_it_stopped() {
    run(async {
        let memory = offline().await;
        let list: String = (0..90).map(|n| format!("- Person{n} owns {n} red kayaks.\n")).collect();
        let file = preview(list);
        let cancel = Cancel::new();
        let stopped = memory.take_in(&file, None, &cancel, &mut |_, _| cancel.cancel()).await;
        assert_eq!(stopped.unwrap_err().code(), "cancelled");
        let some = live(&memory).len();
        assert!(some > 0 && some < 90, "{some}");
        let mut last = (0, 0);
        memory.take_in(&file, None, &Cancel::new(), &mut |done, total| last = (done, total)).await.unwrap();
        assert_eq!(last, (90, 90));
        assert_eq!(live(&memory).len(), 90);
    });
}

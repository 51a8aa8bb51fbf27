//! Revision through the whole pipeline: what later, earlier, repeated and opposed statements do to what is known.

use credence::Memory;
use credence::config::Config;
use credence::conversation::Speaker;
use credence::embedding::Embedder;
use credence::extraction::{AnalysisReport, OutcomeKind};
use credence::history::RecordId;
use credence::id::ContextId;
use credence::inbox::InboxKind;
use credence::llm::{ModelError, Role, scripted::ScriptedModel};
use credence::memory::Edit;
use credence::proposition::{Proposition, PropositionQuery, Status};
use credence::retrieval::Search;
use credence::revision::RevisionSettings;
use credence::testing::TestPorts;
use credence::time::{DAY_MS, Timestamp};

use super::support::*;

fn all(memory: &TestMemory) -> Vec<Proposition> {
    let found = memory.propositions(&PropositionQuery::default());
    found.into_iter().map(|view| view.proposition).collect()
}
fn with_text(memory: &TestMemory, text: &str) -> Proposition {
    all(memory).into_iter().find(|p| p.text == text).unwrap_or_else(|| panic!("{text}: {:?}", all(memory)))
}
fn last_report(memory: &TestMemory) -> AnalysisReport {
    memory.state().analyses().last().unwrap().clone()
}
/// Says and analyses a text as many days away from the clock's day as told, as an import of an older conversation does.
async fn tell_on(memory: &TestMemory, days: i64, text: &str) {
    memory.ports().clock.advance_ms(days * DAY_MS);
    tell(memory, &[text]).await;
    memory.ports().clock.advance_ms(-days * DAY_MS);
}
fn day(day: &str) -> Option<Timestamp> {
    Timestamp::parse(day)
}

/// Case 26, in the languages that the built-in rules read.
#[test]
fn homes_move_on_in_every_language_of_the_rules() {
    run(async {
        for (before, after, old) in [
            ("Ich wohne in Oslo.", "Ich wohne in Bergen.", "User wohnt in Oslo."),
            ("J'habite à Oslo.", "J'habite à Bergen.", "User habite à Oslo."),
            ("Vivo en Oslo.", "Vivo en Bergen.", "User vive en Oslo."),
            ("我住在奥斯陆。", "我住在卑尔根。", "User住在奥斯陆。"),
        ] {
            let memory = offline().await;
            tell(&memory, &[before]).await;
            tell_on(&memory, 30, after).await;
            assert_eq!(texts(&memory, Status::Superseded), [old], "{:?}", all(&memory));
            assert_eq!(live(&memory).len(), 1);
            let gone = with_text(&memory, old);
            assert_eq!(gone.temporal.valid_to, day("2026-04-07T10:00:00Z"), "closed when the next began");
            assert_eq!(gone.confidence, with_text(&memory, &live(&memory)[0]).confidence, "it was true");
        }
    });
}

#[test]
fn a_move_of_last_week_replaces_the_home_that_was_named_before() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Oslo.", "I moved to Bergen last week."]).await;
        assert_eq!(texts(&memory, Status::Superseded), ["User lives in Oslo."], "{:?}", all(&memory));
        assert_eq!(live(&memory).len(), 1);
    });
}

/// An older conversation that is imported later lands on the right side.
#[test]
fn older_news_becomes_history() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Bergen.", "Pia can't stand techno any more."]).await;
        tell_on(&memory, -700, "I live in Oslo.").await;
        assert_eq!(last_report(&memory).count(OutcomeKind::Outdated), 1, "{:?}", last_report(&memory));
        tell_on(&memory, -700, "Pia loves techno.").await;
        assert_eq!(live(&memory), ["User lives in Bergen.", "Pia can't stand techno any more."]);
        assert_eq!(texts(&memory, Status::Superseded), ["User lives in Oslo."]);
        assert_eq!(texts(&memory, Status::Contradicted), ["Pia loves techno."]);
        let (oslo, bergen) =
            (with_text(&memory, "User lives in Oslo."), with_text(&memory, "User lives in Bergen."));
        assert_eq!(oslo.temporal.valid_to, day("2026-03-08T10:00:00Z"));
        assert_eq!(bergen.temporal.supersedes, [oslo.id], "the newer one names the older one");
        let (hates, loves) =
            (with_text(&memory, "Pia can't stand techno any more."), with_text(&memory, "Pia loves techno."));
        assert_eq!(hates.temporal.contradicts, [loves.id]);
        tell_on(&memory, -600, "I live in Oslo.").await;
        assert_eq!(
            with_text(&memory, "User lives in Oslo.").grounding.len(),
            2,
            "one more source for what was"
        );
        assert_eq!(all(&memory).len(), 4);
    });
}

#[test]
fn the_past_closes_its_own_window_and_can_be_recalled() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Bergen.", "I lived in Bonn until 2020.", "I used to live in Oslo."]).await;
        assert!(
            texts(&memory, Status::Superseded).is_empty() && texts(&memory, Status::Contradicted).is_empty()
        );
        let home = with_text(&memory, "User lives in Bergen.");
        let past: Vec<Proposition> = all(&memory).into_iter().filter(|p| p.id != home.id).collect();
        assert_eq!(past.len(), 2, "{:?}", all(&memory));
        for p in &past {
            assert!(p.temporal.valid_to.is_some(), "{p:?}");
            assert!(home.temporal.supersedes.contains(&p.id), "{p:?}");
        }
        let bonn = past.iter().find(|p| p.text.contains("Bonn")).unwrap();
        assert_eq!(bonn.temporal.valid_to, day("2020-01-01"));
        let recall = memory.search(&Search::new("Who lived in Bonn?")).await.unwrap();
        assert!(
            recall.items.iter().any(|item| item.view.proposition.id == bonn.id),
            "history is no forgetting"
        );
    });
}

#[test]
fn moving_back_is_a_new_fact_and_an_old_one_stays_retired() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Oslo."]).await;
        tell_on(&memory, 10, "I live in Bergen.").await;
        tell_on(&memory, 20, "I moved back to Oslo.").await;
        assert_eq!(texts(&memory, Status::Superseded), ["User lives in Oslo.", "User lives in Bergen."]);
        assert_eq!(live(&memory).len(), 1, "{:?}", all(&memory));
        assert!(live(&memory)[0].contains("Oslo"));
        tell_on(&memory, 30, "I used to live in Oslo.").await;
        assert_eq!(texts(&memory, Status::Superseded).len(), 3, "{:?}", all(&memory));
    });
}

#[test]
fn a_birthplace_is_questioned_and_the_person_is_asked() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Nia was born in Oslo.", "Nia was born in Bergen."]).await;
        assert_eq!(live(&memory), ["Nia was born in Oslo.", "Nia was born in Bergen."]);
        let report = last_report(&memory);
        assert_eq!(report.count(OutcomeKind::Disputed), 1, "{report:?}");
        assert!(report.outcomes[0].why.contains("does not change"), "{report:?}");
        let (old, new) =
            (with_text(&memory, "Nia was born in Oslo."), with_text(&memory, "Nia was born in Bergen."));
        assert_eq!(new.temporal.contradicts, [old.id]);
        let item = memory.state().inbox_items().next().unwrap().clone();
        assert_eq!((item.kind, item.is_open()), (InboxKind::ImmutableQuestioned, true));
        assert_eq!(item.others, [RecordId::Proposition(old.id)]);
        assert!(item.question.contains("Bergen"), "{item:?}");
        tell(&memory, &["Nia was born in Oslo."]).await;
        assert_eq!(
            (all(&memory).len(), memory.state().inbox_items().count()),
            (2, 1),
            "confirmed, not asked again"
        );
    });
}

#[test]
fn a_pinned_statement_is_asked_about() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Oslo."]).await;
        let home = with_text(&memory, "User lives in Oslo.");
        memory.pin(home.id, true).await.unwrap();
        tell(&memory, &["I live in Bergen."]).await;
        assert_eq!(live(&memory).len(), 2);
        let report = last_report(&memory);
        assert_eq!(report.count(OutcomeKind::Disputed), 1, "{report:?}");
        assert!(report.notes.iter().any(|note| note.contains("pinned")), "{report:?}");
        let item = memory.state().inbox_items().next().unwrap().clone();
        assert_eq!(
            (item.kind, item.others),
            (InboxKind::PinnedConflict, vec![RecordId::Proposition(home.id)])
        );
    });
}

/// Upstream looks at ACTIVE facts alone and stores the repeated one a second time.
#[test]
fn a_faded_statement_that_is_said_again_revives() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Mara owns a red kayak."]).await;
        let kayak = with_text(&memory, "Mara owns a red kayak.");
        let fade = Edit { status: Some(Status::Stale), ..Edit::default() };
        memory.edit(kayak.id, &fade).await.unwrap();
        tell(&memory, &["mara owns a red kayak!"]).await;
        let again = with_text(&memory, "Mara owns a red kayak.");
        assert_eq!((all(&memory).len(), again.status, again.reinforce_count), (1, Status::Active, 1));
        let found = memory.search(&Search::new("kayak")).await.unwrap();
        assert_eq!(found.items.len(), 1, "it is found again");
    });
}

/// Case 22: two sayings in one window count both; the same turn never twice.
#[test]
fn every_turn_of_a_window_counts_once() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Mara owns a red kayak."]).await;
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "Mara owns a red kayak!").await;
        user_says(&memory, talk, "mara owns a red kayak").await;
        memory.ports().clock.advance_ms(1_000);
        analyse(&memory, talk).await;
        let kayak = with_text(&memory, "Mara owns a red kayak.");
        let counted = (kayak.reinforce_count, kayak.grounding.len(), kayak.provenance.len());
        assert_eq!(counted, (2, 3, 3), "{:?}", last_report(&memory));
        assert_eq!(kayak.last_accessed, memory.now().at, "looked at when it was confirmed");
    });
}

#[test]
fn a_surprise_is_kept_longer() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Mara owns a red kayak."]).await;
        tell(&memory, &["Mara speaks Icelandic."]).await;
        let report = last_report(&memory);
        assert!(report.outcomes[0].why.contains("a surprise is kept longer"), "{report:?}");
        let slow = with_text(&memory, "Mara speaks Icelandic.").decay.get();

        let off = RevisionSettings { surprise_decay: 1.0, ..RevisionSettings::default() };
        let memory = configured(TestPorts::offline(), off).await;
        tell(&memory, &["Mara owns a red kayak.", "Mara speaks Icelandic."]).await;
        let usual = with_text(&memory, "Mara speaks Icelandic.").decay.get();
        assert!((slow - usual * 0.8).abs() < 1e-12, "{slow} {usual}");
        assert!(!last_report(&memory).outcomes[0].why.contains("surprise"));
    });
}

async fn configured<E: Embedder>(ports: TestPorts<E>, revision: RevisionSettings) -> Memory<TestPorts<E>> {
    Memory::open(ports, context(), Config { revision, ..Config::default() }).await.unwrap()
}

/// An extraction reply with one statement about each subject.
fn said_of(subjects: &[&str], rest: &str) -> String {
    let propositions: Vec<String> = subjects
        .iter()
        .map(|name| {
            format!(r#"{{"text":"{name} {rest}","mentions":[{{"span":"{name}","type":"Person","role":"SUBJECT"}}],"turns":[1]}}"#)
        })
        .collect();
    format!(r#"{{"propositions":[{}]}}"#, propositions.join(","))
}

#[test]
fn dice_90_the_same_words_merge_without_any_search() {
    run(async {
        let memory = scripted(&[
            &said_of(&["Alice"], "is a software engineer."),
            &said_of(&["Alice"], "is a Software Engineer"),
        ])
        .await;
        tell(&memory, &["Alice is a software engineer.", "Alice is a Software Engineer"]).await;
        assert_eq!(live(&memory), ["Alice is a software engineer."]);
        assert_eq!(memory.ports().chat.calls(Role::Revise), 0);
    });
}

#[test]
fn dice_91_another_context_knows_nothing_of_it() {
    run(async {
        let ports = TestPorts::offline();
        let sibling = ports.sibling();
        let memory = open(ports).await;
        let other = Memory::open(sibling, ContextId::new("other").unwrap(), Config::default()).await.unwrap();
        tell(&memory, &["Mara owns a red kayak."]).await;
        tell(&other, &["Mara owns a red kayak."]).await;
        assert_eq!(last_report(&other).count(OutcomeKind::New), 1);
    });
}

/// Every text about Mara has the same vector: as similar as can be.
struct Alike;
impl Embedder for Alike {
    fn space(&self) -> String {
        "alike".into()
    }
    fn dimension(&self) -> usize {
        2
    }
    fn is_cheap(&self) -> bool {
        true
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        // Texts of other matter, by which the gate learns a model's scale, have no direction here.
        let vector = |text: &String| if text.contains("Mara") { vec![0.6, 0.8] } else { vec![0.0; 2] };
        Ok(texts.iter().map(vector).collect())
    }
}

/// Upstream merges from a score of 0.95 without asking; here a score alone never merges (deviation D4).
#[test]
fn dice_92_similarity_alone_is_asked_about_and_never_merges() {
    run(async {
        let model = ScriptedModel::new()
            .reply(Role::Extract, said_of(&["Mara"], "feeds 2 cats."))
            .reply(Role::Extract, said_of(&["Mara"], "feeds 3 cats."))
            .reply(Role::Extract, said_of(&["Mara"], "keeps birds."))
            .reply(Role::Revise, r#"{"items":[{"item":1,"relations":[{"stored":1,"relation":"IDENTICAL","similarity":0.97}]}]}"#)
            .reply(Role::Revise, r#"{"items":[]}"#);
        let base = TestPorts::with(model);
        let ports = TestPorts {
            journal: base.journal,
            chat: base.chat,
            embedder: Alike,
            clock: base.clock,
            ids: base.ids,
        };
        let memory = configured(ports, RevisionSettings::default()).await;
        for text in ["Mara feeds 2 cats.", "Mara feeds 3 cats.", "Mara keeps birds."] {
            let talk = memory.start_conversation("").await.unwrap();
            memory.say(talk, Speaker::User, text).await.unwrap();
            let trigger = credence::extraction::Trigger::Now;
            memory.analyse(talk, trigger, &credence::llm::Cancel::new(), &mut |_| {}).await.unwrap();
        }
        let texts: Vec<String> =
            memory.propositions(&PropositionQuery::live()).into_iter().map(|v| v.proposition.text).collect();
        assert_eq!(texts, ["Mara feeds 2 cats.", "Mara feeds 3 cats.", "Mara keeps birds."]);
        let report = memory.state().analyses().last().unwrap().clone();
        assert!(report.notes.iter().any(|note| note.contains("left 1 of 1 statements out")), "{report:?}");
    });
}

/// A window makes two calls whatever the number of its statements: the nearest are asked about, the rest is new, visibly.
#[test]
fn a_window_makes_two_calls_at_most() {
    run(async {
        let names = ["Ada", "Bea", "Cid", "Dov", "Eli", "Fay"];
        let model = ScriptedModel::new()
            .reply(Role::Extract, said_of(&names, "paddles a kayak."))
            .reply(Role::Extract, said_of(&names, "paddles a kayak on Sundays."))
            .reply(Role::Revise, r#"{"items":[]}"#);
        let settings = RevisionSettings { classify_batch_size: 2, ..RevisionSettings::default() };
        let memory = configured(TestPorts::with(model), settings).await;
        let said =
            "Ada, Bea, Cid, Dov, Eli and Fay: each of them paddles a kayak, and paddles a kayak on Sundays.";
        tell(&memory, &[said, said]).await;
        let report = last_report(&memory);
        assert_eq!((report.calls, memory.ports().chat.calls(Role::Revise)), (2, 1), "{report:?}");
        assert_eq!(report.count(OutcomeKind::New), 6);
        assert!(
            report.notes.iter().any(|note| note.starts_with("4 statements were not compared")),
            "{report:?}"
        );
        assert!(report.outcomes.iter().any(|o| o.why.contains("beyond what one call")), "{report:?}");
        let requests = memory.ports().chat.requests();
        let (_, request) = requests.iter().rfind(|(role, _)| *role == Role::Revise).unwrap();
        assert!(!request.messages[1].text.contains("Item 3."), "{}", request.messages[1].text);
    });
}

/// What the model takes for a contradiction and cannot be one is kept beside, with a note.
#[test]
fn a_contradiction_about_another_matter_is_not_obeyed() {
    run(async {
        let relations = r#"{"items":[{"item":1,"relations":[{"stored":1,"relation":"contradictory","similarity":0.9,"reason":"moved"}]}]}"#;
        let model = ScriptedModel::new()
            .reply(Role::Extract, said_of(&["Mara"], "works at Acme in Bonn."))
            .reply(Role::Extract, said_of(&["Mara"], "owns a flat in Bonn."))
            .reply(Role::Revise, relations);
        let memory = open(TestPorts::with(model)).await;
        tell(&memory, &["Mara works at Acme in Bonn.", "Mara owns a flat in Bonn."]).await;
        let report = last_report(&memory);
        assert_eq!(memory.ports().chat.calls(Role::Revise), 1);
        assert_eq!(live(&memory).len(), 2, "{report:?}");
        assert!(report.notes.iter().any(|note| note.contains("not followed")), "{report:?}");
    });
}

/// One entity under two descriptions; merging loses nothing that only one of them tells.
#[test]
fn who_is_described_further_is_still_the_one() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Ana lives in Oslo.", "My sister Ana lives in Oslo."]).await;
        assert_eq!(live(&memory).len(), 2, "whose sister she is, is not lost: {:?}", all(&memory));
        tell_on(&memory, 9, "My sister Ana moved to Bergen.").await;
        assert_eq!(texts(&memory, Status::Superseded).len(), 2, "{:?}", all(&memory));
        tell_on(&memory, 19, "Ana lives in Bonn.").await;
        assert_eq!(live(&memory), ["Ana lives in Bonn."]);
        let memory = offline().await;
        tell(&memory, &["My sister Ana lives in Oslo.", "Ana lives in Oslo.", "Ana's mother lives in Bonn."])
            .await;
        assert_eq!(live(&memory), ["User's sister Ana lives in Oslo.", "Ana's mother lives in Bonn."]);
        let memory = offline().await;
        tell(&memory, &["My sister lives in Oslo.", "My sister lives in Bonn."]).await;
        assert_eq!(live(&memory).len(), 2, "there may be two sisters: {:?}", all(&memory));
    });
}

#[test]
fn one_date_and_one_number_in_many_shapes_are_one_statement() {
    run(async {
        for (texts, expected) in [
            (vec!["I have two dogs.", "I have 2 dogs.", "I have three dogs."], 2),
            (
                vec![
                    "My flight is on 2026-05-03.",
                    "My flight is on May 3, 2026.",
                    "My flight is on 4 May 2026.",
                ],
                2,
            ),
            (vec!["I was born on 3 May 1990.", "I was born on 1990-05-03."], 1),
            (vec!["I run 5 km every day.", "I run 5 miles every day."], 2),
        ] {
            let memory = offline().await;
            tell(&memory, &texts).await;
            // Whether the later number takes the place of the earlier one is the working set's to say; here they are two statements.
            assert_eq!(all(&memory).len(), expected, "{:?}", all(&memory));
            let dates =
                memory.entities().into_iter().filter(|e| e.name.contains(|c: char| c.is_ascii_digit()));
            assert_eq!(dates.count(), 0, "a date is no entity");
        }
        // Day and month in either order: no reason for a dispute.
        let memory = offline().await;
        tell(&memory, &["I was born on 1990-05-03.", "I was born on 3/5/1990."]).await;
        assert_eq!(memory.state().inbox_items().count(), 0, "{:?}", last_report(&memory));
    });
}

#[test]
fn who_does_and_to_whom_it_is_done_are_no_details() {
    run(async {
        let reply = |text: &str| format!("{{\"propositions\":[{{\"text\":\"{text}\"}}]}}");
        let same = r#"{"items":[{"item":1,"relations":[{"stored":1,"relation":"IDENTICAL","similarity":1,"reason":"same"}]}]}"#;
        let model = ScriptedModel::new()
            .reply(Role::Extract, reply("Ivo loves Ana"))
            .reply(Role::Extract, reply("Ana loves Ivo"))
            .reply(Role::Revise, same);
        let memory = open(TestPorts::with(model)).await;
        tell(&memory, &["Ivo loves Ana.", "Ana loves Ivo."]).await;
        assert_eq!(live(&memory), ["Ivo loves Ana", "Ana loves Ivo"]);
        assert!(last_report(&memory).notes.iter().any(|note| note.contains("another order")));
    });
}

/// An old conversation that is imported late does not take the user's name away.
#[test]
fn an_older_name_is_not_the_users_name_now() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["My name is Mara."]).await;
        tell_on(&memory, -900, "My name is Zelda.").await;
        let user = memory.entities().into_iter().find(|e| e.is_user).unwrap();
        assert_eq!(user.name, "Mara", "{:?}", all(&memory));
    });
}

/// Case 21, "no longer" in both persons and orders.
#[test]
fn no_longer_is_read_in_every_person() {
    run(async {
        for (before, after, old) in [
            ("I play the guitar.", "I no longer play the guitar.", "User plays the guitar."),
            ("I am married.", "I am no longer married.", "User is married."),
            ("Pia plays chess.", "Pia no longer plays chess.", "Pia plays chess."),
            ("I no longer play chess.", "I play chess.", "User no longer plays chess."),
        ] {
            let memory = offline().await;
            tell(&memory, &[before, after]).await;
            assert_eq!(texts(&memory, Status::Contradicted), [old], "{:?}", all(&memory));
            assert_eq!(live(&memory).len(), 1);
        }
    });
}

//! Turns that are changed: exactly what rested on the words that go is taken back, and comes back with them.

use std::collections::BTreeMap;

use credence::compaction::{Compact, standing};
use credence::conversation::Speaker;
use credence::history::{Actor, Cause, Record, RecordId, RecordKind};
use credence::id::{ConversationId, PropositionId, TurnId};
use credence::llm::{Cancel, Role, scripted::ScriptedModel};
use credence::memory::RevertOptions;
use credence::proposition::Status;
use credence::testing::TestPorts;
use proptest::prelude::*;

use super::support::*;

/// Says each text in one conversation, analysed one by one; returns it and its turns.
async fn talk_of(memory: &TestMemory, texts: &[&str]) -> (ConversationId, Vec<TurnId>) {
    let talk = memory.start_conversation("").await.unwrap();
    let mut turns = Vec::new();
    for text in texts {
        turns.push(memory.say(talk, Speaker::User, text).await.unwrap().id);
        analyse(memory, talk).await;
    }
    (talk, turns)
}

/// What is held: statements, units, entities and questions, as they are stored.
fn held(memory: &TestMemory) -> BTreeMap<RecordId, Record> {
    let wanted = [RecordKind::Proposition, RecordKind::Unit, RecordKind::Inbox, RecordKind::Summary];
    let state = memory.state();
    let all = state.revisions().filter(|revision| wanted.contains(&revision.record.kind()));
    all.filter_map(|revision| Some((revision.record, revision.value.clone()?))).collect()
}

/// Those records of `before` that are not the same bytes now.
fn differing(memory: &TestMemory, before: &BTreeMap<RecordId, Record>) -> Vec<String> {
    let now = held(memory);
    let differs = before.iter().filter(|(record, value)| now.get(record) != Some(value));
    differs.map(|(record, value)| format!("{value:?}\n  is now {:?}", now.get(record))).collect()
}

fn text_of(memory: &TestMemory, turn: TurnId) -> String {
    memory.state().turn(turn).unwrap().text.clone()
}

fn find(memory: &TestMemory, words: &str) -> PropositionId {
    let state = memory.state();
    let found = state.propositions().find(|p| p.text.contains(words));
    found
        .unwrap_or_else(|| {
            panic!("{words} in {:?}", state.propositions().map(|p| &p.text).collect::<Vec<_>>())
        })
        .id
}

#[test]
fn an_edited_turn_takes_exactly_its_own_statements_back_and_is_read_again_alone() {
    run(async {
        let memory = offline().await;
        let (talk, turns) = talk_of(&memory, &["I hate figs.", "I live in Kleve.", "I have a cat."]).await;
        let others: Vec<String> = live(&memory).into_iter().filter(|text| !text.contains("Kleve")).collect();
        let kleve = find(&memory, "Kleve");
        let seq = memory.state().seq();
        let changed = memory.edit_turn(turns[1], "I live in Bonn.").await.unwrap();
        assert_eq!(memory.state().seq(), seq + 1, "one commit");
        assert_eq!((changed.retraction.retracted.as_slice(), changed.pending), (&[kleve][..], true));
        assert_eq!(live(&memory), others);
        let gone = memory.state().proposition(kleve).unwrap().clone();
        assert!(gone.retracted && gone.status == Status::Stale && gone.grounding.is_empty(), "{gone:?}");
        assert!(memory.history(kleve)[0].why.contains("words"), "the reason is told");
        assert_eq!((memory.pending(talk).turns, memory.history(kleve)[0].actor), (1, Actor::Person));
        let commits = memory.log().commits().len();
        analyse(&memory, talk).await;
        let read: Vec<(u32, u32)> = memory.log().commits()[commits..]
            .iter()
            .flat_map(|commit| &commit.revisions)
            .filter_map(|revision| match &revision.value {
                Some(Record::Analysis(report)) => Some((report.from, report.to)),
                _ => None,
            })
            .collect();
        assert_eq!(read, [(1, 2)], "the edited turn, and only it");
        assert!(live(&memory).iter().any(|text| text.contains("Bonn")) && memory.pending(talk).turns == 0);
        let turn = memory.state().turn(turns[1]).unwrap().clone();
        assert_eq!((turn.alternatives.len(), turn.chosen, turn.text.as_str()), (2, 1, "I live in Bonn."));
        assert_eq!(turn.alternatives[0].text, "I live in Kleve.");
    });
}

#[test]
fn a_statement_with_another_witness_loses_one_step_and_stays() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Kleve."]).await;
        let id = find(&memory, "Kleve");
        let once = memory.state().proposition(id).unwrap().clone();
        let (_, turns) = talk_of(&memory, &["I live in Kleve."]).await;
        let twice = memory.state().proposition(id).unwrap().clone();
        assert!(twice.confidence > once.confidence && twice.grounding.len() == 2, "{twice:?}");
        let changed = memory.delete_turn(turns[0]).await.unwrap();
        let left = memory.state().proposition(id).unwrap().clone();
        assert_eq!(changed.retraction.weakened, [id]);
        assert_eq!(
            (left.confidence, left.decay, left.reinforce_count, &left.grounding, left.status),
            (once.confidence, once.decay, once.reinforce_count, &once.grounding, Status::Active)
        );
        assert!(memory.state().turn(turns[0]).is_none());
        memory.undo(changed.commit.unwrap(), None).await.unwrap();
        assert_eq!(memory.state().proposition(id), Some(&twice), "the undo gives it back");
    });
}

#[test]
fn what_a_taken_back_statement_had_retired_comes_back_unless_another_retired_it_too() {
    run(async {
        let memory = offline().await;
        let (_, turns) =
            talk_of(&memory, &["I live in Kleve.", "I live in Bonn now.", "I live in Rome now."]).await;
        let [kleve, bonn, rome] = ["Kleve", "Bonn", "Rome"].map(|home| find(&memory, home));
        let status = |id| memory.state().proposition(id).unwrap().status;
        assert_eq!([kleve, bonn, rome].map(status), [Status::Superseded, Status::Superseded, Status::Active]);
        memory.delete_turn(turns[1]).await.unwrap();
        assert_eq!(status(kleve), Status::Superseded, "Rome stands in its place");
        assert!(memory.state().proposition(rome).unwrap().temporal.supersedes.contains(&kleve));
        let changed = memory.delete_turn(turns[2]).await.unwrap();
        assert_eq!(changed.retraction.revived, [kleve]);
        let back = memory.state().proposition(kleve).unwrap().clone();
        assert_eq!((back.status, back.temporal.valid_to), (Status::Active, None));
        assert_eq!(live(&memory).len(), 1);
    });
}

#[test]
fn a_unit_loses_the_evidence_of_a_source_that_went_and_gets_it_back_with_it() {
    run(async {
        let memory = offline().await;
        let (talk, _) = talk_of(&memory, &["My sister Ana lives in Kleve."]).await;
        let id = find(&memory, "Kleve");
        let alone = memory.unit(id).unwrap();
        let ana = Speaker::Person { name: "Ana".into() };
        let said = memory.say(talk, ana, "Mara's sister Ana lives in Kleve.").await.unwrap().id;
        analyse(&memory, talk).await;
        let evidence = memory.unit(id).unwrap().unit.evidence().len();
        let before = held(&memory);
        let changed = memory.edit_turn(said, "Nice.").await.unwrap();
        let left = memory.unit(id).unwrap();
        assert!(left.unit.evidence().len() <= evidence, "{changed:?}");
        assert_eq!((left.authority, left.unit.evidence().len()), (alone.authority, 0));
        memory.swipe(said, 0).await.unwrap();
        assert_eq!(differing(&memory, &before), [""; 0]);
        let first = memory.state().turns(talk).next().unwrap().id;
        let retired = memory.delete_from(first).await.unwrap();
        assert!(retired.retraction.retracted.contains(&id), "{retired:?}");
        assert!(memory.working_set().iter().all(|view| view.id() != id));
    });
}

#[test]
fn a_question_about_what_was_taken_back_goes_and_comes_back_with_it() {
    run(async {
        let memory = offline().await;
        let (talk, turns) = talk_of(&memory, &["I was born in Kleve.", "I was born in Bonn."]).await;
        let open = || memory.state().inbox_items().filter(|item| item.is_open()).count();
        assert_eq!(open(), 1, "an unchanging value is asked about");
        let before = held(&memory);
        memory.edit_turn(turns[1], "What a day!").await.unwrap();
        assert_eq!(open(), 0);
        analyse(&memory, talk).await;
        memory.swipe(turns[1], 0).await.unwrap();
        assert_eq!((open(), differing(&memory, &before)), (1, vec![]));
    });
}

#[test]
fn what_is_pinned_stays_without_its_turn() {
    run(async {
        let memory = offline().await;
        let (_, turns) = talk_of(&memory, &["I live in Kleve."]).await;
        let id = find(&memory, "Kleve");
        memory.pin(id, true).await.unwrap();
        let changed = memory.delete_turn(turns[0]).await.unwrap();
        let left = memory.state().proposition(id).unwrap().clone();
        assert_eq!(
            (changed.retraction.kept, left.status, left.grounding.len()),
            (vec![id], Status::Active, 0)
        );
    });
}

#[test]
fn choosing_the_old_words_restores_what_rested_on_them_byte_for_byte() {
    run(async {
        let memory = offline().await;
        let (talk, turns) = talk_of(&memory, &["I live in Kleve.", "I live in Bonn now. I hate figs."]).await;
        let before = held(&memory);
        memory.edit_turn(turns[1], "I have a cat.").await.unwrap();
        assert_eq!(live(&memory).len(), 1, "Kleve is back: {:?}", live(&memory));
        analyse(&memory, talk).await;
        let between = held(&memory);
        let back = memory.swipe(turns[1], 0).await.unwrap();
        assert!(!back.pending && back.conflicts.is_empty(), "{back:?}");
        assert_eq!(differing(&memory, &before), [""; 0]);
        assert!(!live(&memory).iter().any(|text| text.contains("cat")));
        let again = memory.edit_turn(turns[1], "I have a cat.").await.unwrap();
        assert!(!again.pending, "words that were read before are not read twice");
        assert_eq!(differing(&memory, &between), [""; 0]);
    });
}

#[test]
fn an_answer_is_given_again_and_the_earlier_one_can_be_chosen_again() {
    run(async {
        let model = ScriptedModel::new()
            .reply(Role::Chat, "Kleve is a town on the Rhine.")
            .reply(Role::Chat, "Kleve has a castle.");
        let memory = open(TestPorts::with(model)).await;
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "What is Kleve?").await;
        let first = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap().turn;
        let before = held(&memory);
        let second = memory.reroll(first.id, &mut |_| {}, &Cancel::new()).await.unwrap().turn;
        assert_eq!((second.id, second.text.as_str(), second.chosen), (first.id, "Kleve has a castle.", 1));
        let (_, request) = memory.ports().chat.requests().pop().unwrap();
        assert!(
            !request.messages.iter().any(|message| message.text.contains("Rhine")),
            "the old answer is not shown"
        );
        assert_ne!(second.use_record, first.use_record);
        assert_eq!(memory.state().turns(talk).count(), 2);
        let back = memory.swipe(first.id, 0).await.unwrap().turn.unwrap();
        assert_eq!(
            (&back.text, &back.use_record, &back.model, &back.at),
            (&first.text, &first.use_record, &first.model, &first.at)
        );
        assert_eq!(differing(&memory, &before), [""; 0]);
        for record in [first.use_record, second.use_record] {
            let shown = memory.xray(record.unwrap()).await.unwrap().unwrap();
            assert!(shown.is_exact && shown.was_sent, "each wording's prompt can be shown");
        }
        let none = memory.swipe(first.id, 7).await.unwrap_err();
        assert!(none.to_string().contains("2 wordings"), "{none}");
        let asked = memory.state().turns(talk).next().unwrap().id;
        assert_eq!(
            memory.reroll(asked, &mut |_| {}, &Cancel::new()).await.unwrap_err().code(),
            "invalid-argument"
        );
    });
}

#[test]
fn a_conversation_is_cut_off_and_goes_on_from_there() {
    run(async {
        let memory = offline().await;
        let (talk, turns) = talk_of(&memory, &["I hate figs.", "I live in Kleve.", "I have a cat."]).await;
        let seq = memory.state().seq();
        let cut = memory.delete_from(turns[1]).await.unwrap();
        assert_eq!((memory.state().seq(), cut.retraction.retracted.len()), (seq + 1, 2));
        assert_eq!((live(&memory).len(), memory.pending(talk).turns), (1, 0));
        user_says(&memory, talk, "I live in Bonn.").await;
        assert_eq!(memory.pending(talk).turns, 1, "what takes their place is read");
        analyse(&memory, talk).await;
        assert!(live(&memory).iter().any(|text| text.contains("Bonn")));
    });
}

#[test]
fn a_turn_that_was_not_read_yet_is_simply_worded_anew() {
    run(async {
        let memory = offline().await;
        let talk = memory.start_conversation("").await.unwrap();
        let turn = memory.say(talk, Speaker::User, "I live in Kleve.").await.unwrap().id;
        let changed = memory.edit_turn(turn, "I live in Bonn.").await.unwrap();
        assert!(changed.pending && changed.retraction.retracted.is_empty());
        assert!(
            memory.edit_turn(turn, "I live in Bonn.").await.unwrap().commit.is_none(),
            "the same words are no change"
        );
        assert_eq!(memory.edit_turn(turn, "  ").await.unwrap_err().code(), "invalid-argument");
        analyse(&memory, talk).await;
        assert!(live(&memory).iter().all(|text| text.contains("Bonn")) && live(&memory).len() == 1);
        let key =
            memory.edit_turn(turn, "My key is sk-proj-abcdefghijklmnopqrstuvwxyz123456.").await.unwrap();
        assert!(key.turn.unwrap().text.contains("[redacted:"), "credentials are redacted here too");
    });
}

#[test]
fn a_summary_of_a_changed_turn_no_longer_stands_and_comes_back_with_its_words() {
    run(async {
        let memory = offline().await;
        let texts: Vec<String> =
            (0..12).map(|n| format!("I saw comet {n} in the sky over Kleve that night.")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (talk, turns) = talk_of(&memory, &texts).await;
        memory.compact(talk, Compact::Now, &Cancel::new()).await.unwrap();
        let Some(summary) = standing(&memory.state(), talk).cloned() else {
            panic!("twelve turns are summed up")
        };
        memory.edit_turn(turns[summary.from as usize], "I saw nothing.").await.unwrap();
        assert!(standing(&memory.state(), talk).is_none());
        memory.swipe(turns[summary.from as usize], 0).await.unwrap();
        assert_eq!(standing(&memory.state(), talk), Some(&summary));
    });
}

#[test]
fn a_memory_that_went_back_with_its_turns_has_their_old_words() {
    run(async {
        let memory = offline().await;
        let (_, turns) = talk_of(&memory, &["I live in Kleve."]).await;
        let (seq, before) = (memory.state().seq(), held(&memory));
        memory.edit_turn(turns[0], "I live in Bonn.").await.unwrap();
        let options = RevertOptions { turns: true, over_persons: true };
        memory.revert_to(Actor::Person, seq, options).await.unwrap();
        assert_eq!(
            (text_of(&memory, turns[0]).as_str(), differing(&memory, &before)),
            ("I live in Kleve.", vec![])
        );
    });
}

const LINES: [&str; 10] = [
    "I live in Kleve.",
    "I live in Bonn now.",
    "I hate figs.",
    "I love figs.",
    "I have a cat. I live in Kleve.",
    "My sister is called Ana.",
    "Ich wohne in Bonn.",
    "I work at Acme.",
    "I don't work at Acme any more.",
    "What a day!",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    /// Whatever was said and whatever is said instead: the old words bring back, byte for byte, what they had.
    #[test]
    fn an_edit_that_is_taken_back_leaves_no_trace(
        said in prop::collection::vec(0_usize..LINES.len(), 1..5), place in 0_usize..5, other in 0_usize..LINES.len(), read in any::<bool>(),
    ) {
        run(async {
            let memory = offline().await;
            let texts: Vec<&str> = said.iter().map(|n| LINES[*n]).collect();
            let (talk, turns) = talk_of(&memory, &texts).await;
            let turn = turns[place % turns.len()];
            let (before, old) = (held(&memory), text_of(&memory, turn));
            memory.ports().clock.advance_ms(60_000);
            memory.edit_turn(turn, LINES[other]).await.unwrap();
            memory.ports().clock.advance_ms(60_000);
            if read {
                analyse(&memory, talk).await;
            }
            memory.edit_turn(turn, &old).await.unwrap();
            let differing = differing(&memory, &before);
            prop_assert!(differing.is_empty(), "{texts:?} {old:?} {:?} {differing:#?}", LINES[other]);
            prop_assert_eq!(memory.pending(talk).turns, 0);
            prop_assert!(memory.log().commits().iter().all(|commit| commit.cause != Cause::Undo));
            Ok(())
        })?;
    }
}

//! Forgetting for ever: a raw search of everything that is stored finds nothing, what stays is right, and nothing comes back by itself.

use credence::Memory;
use credence::config::Config;
use credence::conversation::{MemoryMode, Speaker};
use credence::erasure::{ErasureTarget, FORGOTTEN};
use credence::error::Error;
use credence::history::{Cause, Journal, RecordId};
use credence::id::{ConversationId, PropositionId, TurnId};
use credence::llm::Cancel;
use credence::ports::Ports;
use credence::proposition::PropositionQuery;
use credence::retrieval::Search;

use super::support::*;

/// Everything that the store holds of the memory, as text: commits, use records, vectors with their keys.
async fn stored(memory: &TestMemory) -> String {
    let (journal, context) = (memory.ports().journal(), memory.context());
    let commits = journal.read(context, 0).await.unwrap();
    let uses = journal.uses(context).await.unwrap();
    let mut all = serde_json::to_string(&(&commits, &uses)).unwrap();
    for space in journal.spaces(context).await.unwrap() {
        for vector in journal.vectors(context, &space).await.unwrap() {
            all.push_str(vector.text.as_str());
        }
    }
    all
}

/// Where a word still stands: each place with what is around it.
async fn hits(memory: &TestMemory, word: &str) -> Vec<String> {
    let all = stored(memory).await.to_lowercase();
    let around = |at: usize| {
        let from = all[..at].char_indices().rev().nth(60).map_or(0, |(at, _)| at);
        all[from..].chars().take(140).collect()
    };
    all.match_indices(&word.to_lowercase()).map(|(at, _)| around(at)).collect()
}

async fn assert_gone(memory: &TestMemory, words: &[&str]) {
    for word in words {
        assert_eq!(hits(memory, word).await, [""; 0], "“{word}” is still stored");
        let again = Memory::open(memory.ports().sibling(), context(), Config::default()).await.unwrap();
        let log = again.log().commits().iter().map(|commit| format!("{commit:?}")).collect::<String>();
        assert!(!log.to_lowercase().contains(&word.to_lowercase()), "“{word}” after reopening");
        let export = memory.export().await.unwrap().to_json().unwrap();
        assert!(!export.to_lowercase().contains(&word.to_lowercase()), "“{word}” in an export");
    }
}

fn statement(memory: &TestMemory, part: &str) -> PropositionId {
    let found = memory.propositions(&PropositionQuery::default());
    let is_it = |text: &str| text.contains(part);
    found.iter().find(|view| is_it(&view.proposition.text)).map(|view| view.proposition.id).unwrap_or_else(
        || {
            panic!(
                "no statement with “{part}” in {:?}",
                found.iter().map(|v| &v.proposition.text).collect::<Vec<_>>()
            )
        },
    )
}

fn turns(memory: &TestMemory, conversation: ConversationId) -> Vec<(TurnId, String)> {
    memory.state().turns(conversation).map(|turn| (turn.id, turn.text.clone())).collect()
}

/// A memory with a talk in which things were said, answered, searched for and worked on.
async fn talk() -> (TestMemory, ConversationId) {
    let memory = offline().await;
    let talk = memory.start_conversation("").await.unwrap();
    for said in [
        "I am allergic to penicillin. I live in Kleve.",
        "My sister Wilhelmina plays the oboe. I work as a teacher.",
        "Am I allergic to something?",
    ] {
        user_says(&memory, talk, said).await;
        memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        analyse(&memory, talk).await;
    }
    memory.search(&Search::new("penicillin allergy")).await.unwrap();
    (memory, talk)
}

#[test]
fn hist_7_a_raw_search_finds_nothing_of_an_erased_statement() {
    run(async {
        let (memory, talk) = talk().await;
        let other = Memory::open(memory.ports().sibling(), context(), Config::default()).await.unwrap();
        assert!(!hits(&memory, "penicillin").await.is_empty());
        let target = ErasureTarget::Proposition { id: statement(&memory, "penicillin") };

        let before = stored(&memory).await;
        let preview = memory.preview_erasure(&target).await.unwrap();
        assert_eq!(stored(&memory).await, before, "a preview writes nothing");
        let cut: Vec<&str> = preview.turns.iter().flat_map(|turn| &turn.cut).map(String::as_str).collect();
        assert!(cut.contains(&"I am allergic to penicillin."), "{cut:?}");
        assert!(cut.iter().all(|sentence| sentence.contains("allergic")), "{cut:?}");

        let report = memory.erase(&target).await.unwrap();
        assert_eq!(report.cleaned, preview.cleaned, "what was shown is what was done");
        assert_gone(&memory, &["penicillin"]).await;
        other.refresh().await.unwrap();
        assert!(!format!("{:?}", other.log()).contains("penicillin"), "another handle that had it open");

        let said = turns(&memory, talk);
        assert_eq!(said[0].1, format!("{FORGOTTEN} I live in Kleve."));
        assert!(live(&memory).iter().any(|text| text.contains("Kleve")), "{:?}", live(&memory));
        assert!(live(&memory).iter().any(|text| text.contains("oboe")));
        let log = memory.log();
        let last = log.commits().last().unwrap();
        assert_eq!(last.cause, Cause::Erasure);
        let left: Vec<_> = log
            .history(RecordId::Proposition(match target {
                ErasureTarget::Proposition { id } => id,
                _ => unreachable!(),
            }))
            .collect();
        assert!(
            !left.is_empty() && left.iter().all(|step| step.revision.erased && step.revision.value.is_none())
        );
        assert!(left.iter().all(|step| step.revision.why.is_empty()));
    });
}

#[test]
fn what_is_not_there_and_the_user_cannot_be_erased() {
    run(async {
        let (memory, talk) = talk().await;
        let before = stored(&memory).await;
        let nobody = ErasureTarget::Proposition { id: PropositionId::new(uuid::Uuid::from_u128(999_999)) };
        assert!(matches!(memory.erase(&nobody).await, Err(Error::NotFound { .. })));
        let user = memory.state().user().map(|user| user.id).unwrap();
        let refused = memory.erase(&ErasureTarget::Entity { id: user }).await;
        assert!(matches!(refused, Err(Error::Invalid { what: "entity", .. })), "{refused:?}");
        assert_eq!(stored(&memory).await, before);
        let turn = turns(&memory, talk)[0].0;
        memory.erase(&ErasureTarget::Turn { id: turn }).await.unwrap();
        let again = memory.erase(&ErasureTarget::Turn { id: turn }).await;
        assert!(matches!(again, Err(Error::NotFound { .. })), "nothing is left to erase: {again:?}");
    });
}

#[test]
fn a_conversation_without_memory_neither_reads_nor_learns() {
    run(async {
        let (memory, _) = talk().await;
        let known = live(&memory);
        for (mode, reads) in [(MemoryMode::ReadOnly, true), (MemoryMode::Off, false)] {
            let quiet = memory.start_conversation("").await.unwrap();
            memory.set_conversation_mode(quiet, mode).await.unwrap();
            assert!(memory.set_conversation_mode(quiet, mode).await.unwrap().is_none(), "it is so already");
            user_says(&memory, quiet, "I own a telescope. What am I allergic to?").await;
            let answer = memory.answer(quiet, &mut |_| {}, &Cancel::new()).await.unwrap();
            assert_eq!(answer.turn.text.contains("penicillin"), reads, "{mode:?}: {}", answer.turn.text);
            assert_eq!(answer.assembled.items.is_empty(), !reads);
            analyse(&memory, quiet).await;
            assert_eq!(live(&memory), known);
            assert_eq!(memory.pending(quiet).withheld, Some("this conversation is not remembered"));
            assert_eq!(
                memory.compact(quiet, credence::compaction::Compact::Now, &Cancel::new()).await.unwrap(),
                credence::compaction::Compaction::Not("this conversation is not remembered".into())
            );

            // Taking the choice back does not reach what was said under it.
            memory.set_conversation_mode(quiet, MemoryMode::Full).await.unwrap();
            memory.say(quiet, Speaker::User, "I play chess.").await.unwrap();
            analyse(&memory, quiet).await;
            assert!(!live(&memory).iter().any(|text| text.contains("telescope")), "{:?}", live(&memory));
            assert!(live(&memory).iter().any(|text| text.contains("chess")), "{:?}", live(&memory));
            let chess = statement(&memory, "chess");
            memory.forget(chess).await.unwrap();
        }
    });
}

#[test]
fn hist_7_lifting_the_tombstones_brings_nothing_back() {
    run(async {
        let (memory, _) = talk().await;
        let report =
            memory.erase(&ErasureTarget::Proposition { id: statement(&memory, "oboe") }).await.unwrap();
        assert!(!report.tombstones.is_empty());
        assert!(memory.lift_tombstones(report.id).await.unwrap());
        assert!(!memory.lift_tombstones(report.id).await.unwrap(), "they are lifted");
        assert_gone(&memory, &["oboe"]).await;
        let unknown = credence::id::ErasureId::new(uuid::Uuid::from_u128(1));
        assert!(matches!(memory.lift_tombstones(unknown).await, Err(Error::NotFound { .. })));
    });
}

#[test]
fn hist_7_an_entity_goes_with_its_statements_and_leaves_a_mark_where_others_are_meant_too() {
    run(async {
        let memory = scripted(&[r#"{"propositions":[
            {"text":"Wilhelmina plays the oboe.","turns":[1],"mentions":[{"span":"Wilhelmina","type":"Person","role":"SUBJECT"},{"span":"oboe","type":"Thing","role":"OBJECT"}]},
            {"text":"Wilhelmina and Tom live in Kleve.","turns":[1],"mentions":[{"span":"Wilhelmina","type":"Person","role":"SUBJECT"},{"span":"Tom","type":"Person","role":"SUBJECT"},{"span":"Kleve","type":"Place","role":"OBJECT"}]},
            {"text":"Tom adores Wilhelmina.","turns":[1],"mentions":[{"span":"Tom","type":"Person","role":"SUBJECT"},{"span":"Wilhelmina","type":"Person","role":"OBJECT"}]}]}"#])
        .await;
        let talk = memory.start_conversation("Dinner at Wilhelmina's").await.unwrap();
        let said = "Wilhelmina plays the oboe. Wilhelmina and Tom live in Kleve. Tom adores Wilhelmina. I saw Wilhelmina's dog.";
        user_says(&memory, talk, said).await;
        analyse(&memory, talk).await;
        let entity =
            memory.state().entities().find(|entity| entity.name == "Wilhelmina").map(|e| e.id).unwrap();
        let tom = statement(&memory, "Tom adores");

        let report = memory.erase(&ErasureTarget::Entity { id: entity }).await.unwrap();
        assert_eq!(
            report.cleaned.destroyed.get("entities"),
            Some(&2),
            "the oboe is nobody's any more: {report:?}"
        );
        assert_gone(&memory, &["wilhelmina", "oboe"]).await;
        assert_eq!(
            live(&memory),
            [format!("{FORGOTTEN} and Tom live in Kleve."), format!("Tom adores {FORGOTTEN}.")]
        );
        let state = memory.state();
        assert!(state.proposition(tom).unwrap().mentions.iter().all(|mention| mention.span == "Tom"));
        assert_eq!(state.conversation(talk).unwrap().title, format!("Dinner at {FORGOTTEN}'s"));
        let said = state.turns(talk).next().unwrap().text.clone();
        assert!(said.ends_with(&format!("I saw {FORGOTTEN}'s dog.")), "{said}");
    });
}

#[test]
fn hist_7_what_rests_on_something_else_too_loses_this_evidence_and_its_share() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Kleve."]).await;
        let alone = memory.propositions(&PropositionQuery::live())[0].proposition.clone();
        memory.ports().clock.advance_ms(60_000);
        let second = memory.start_conversation("").await.unwrap();
        user_says(&memory, second, "I live in Kleve. I own a Zeppelin.").await;
        analyse(&memory, second).await;
        let both = memory.propositions(&PropositionQuery::live())[0].proposition.clone();
        assert!(both.confidence.get() > alone.confidence.get() && both.grounding.len() == 2);
        let turn = turns(&memory, second)[0].0;

        let preview = memory.preview_erasure(&ErasureTarget::Turn { id: turn }).await.unwrap();
        let fates: Vec<(bool, &str)> =
            preview.statements.iter().map(|one| (one.after.is_none(), one.why.as_str())).collect();
        assert_eq!(fates.len(), 2, "{preview:?}");
        assert!(fates[0].0 && !fates[1].0 && fates[1].1.contains("without this evidence"), "{fates:?}");
        memory.erase(&ErasureTarget::Turn { id: turn }).await.unwrap();
        assert_gone(&memory, &["zeppelin"]).await;
        let left = memory.propositions(&PropositionQuery::live());
        assert_eq!(left.len(), 1);
        let left = &left[0].proposition;
        assert_eq!((&left.grounding, left.confidence), (&alone.grounding, alone.confidence));
        assert_eq!((left.provenance.len(), left.reinforce_count), (1, alone.reinforce_count));
        assert_eq!(memory.state().conversation(second).unwrap().title, FORGOTTEN, "its title was the turn");
    });
}

#[test]
fn hist_7_a_source_and_a_span_go_with_what_rested_on_them_alone() {
    run(async {
        for by_span in [false, true] {
            let memory = offline().await;
            tell(&memory, &["I live in Kleve."]).await;
            memory.ports().clock.advance_ms(3_600_000);
            let from = memory.now().at;
            let talk = memory.start_conversation("").await.unwrap();
            user_says(&memory, talk, "I own a Zeppelin. My brother Ottokar is a dentist.").await;
            memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
            analyse(&memory, talk).await;
            memory.search(&Search::new("Zeppelin")).await.unwrap();
            let target = match by_span {
                true => ErasureTarget::Span { from, to: from.plus_ms(1000) },
                false => ErasureTarget::Source { id: talk },
            };
            memory.erase(&target).await.unwrap();
            assert_gone(&memory, &["zeppelin", "ottokar", "dentist"]).await;
            assert_eq!(live(&memory).len(), 1, "{:?}", live(&memory));
            assert_eq!(memory.state().conversation(talk).is_none(), !by_span);
            let backwards = ErasureTarget::Span { from, to: from };
            assert!(matches!(memory.erase(&backwards).await, Err(Error::Invalid { what: "span", .. })));
        }
    });
}

#[test]
fn case_33_what_was_erased_does_not_come_back_from_the_same_file_and_is_welcome_when_said_anew() {
    run(async {
        let memory = offline().await;
        let file = "Me: I am allergic to penicillin.\nIvo: Good to know.\nMe: I own a red kayak.";
        let take_in = async |memory: &TestMemory| {
            let parsed = credence::import::parse("chat.txt", file, memory.now()).unwrap();
            let talk = memory.import(&parsed, Some("Me")).await.unwrap();
            analyse(memory, talk).await;
            talk
        };
        let talk = take_in(&memory).await;
        assert_eq!(live(&memory).len(), 2, "{:?}", live(&memory));
        memory.ports().clock.advance_ms(60_000);
        let report = memory.erase(&ErasureTarget::Source { id: talk }).await.unwrap();
        assert_gone(&memory, &["penicillin", "kayak"]).await;
        memory.ports().clock.advance_ms(60_000);

        let second = take_in(&memory).await;
        assert_eq!(live(&memory), [""; 0], "the same file brings nothing back");
        let last = memory.state().analyses().last().unwrap().clone();
        let forgotten: Vec<_> = last
            .dropped
            .iter()
            .filter(|drop| drop.reason == credence::extraction::DropReason::Forgotten)
            .collect();
        assert_eq!(forgotten.len(), 2, "{:?}", last.dropped);
        assert!(forgotten.iter().all(|drop| drop.text.is_empty()), "a report does not quote it");

        tell(&memory, &["I am allergic to penicillin."]).await;
        assert_eq!(live(&memory).len(), 1, "what is said anew is new evidence: {:?}", live(&memory));

        memory.lift_tombstones(report.id).await.unwrap();
        take_in(&memory).await;
        assert_eq!(live(&memory).len(), 1, "the ledger knows the file");
        memory.release(second).await.unwrap();
        analyse(&memory, second).await;
        assert_eq!(live(&memory).len(), 2, "lifted, and read again: {:?}", live(&memory));
    });
}

#[test]
fn case_34_no_search_finds_what_was_erased_and_the_rest_is_found_as_before() {
    run(async {
        let memory = offline().await;
        let said: Vec<String> = (0..12).map(|n| format!("I own a kayak from Town{n}x.")).collect();
        for said in &said {
            tell(&memory, &[said]).await;
        }
        let find = async |memory: &TestMemory| -> Vec<String> {
            let found = memory.search(&Search { limit: 30, ..Search::new("kayak") }).await.unwrap();
            found.items.into_iter().map(|item| item.view.proposition.text).collect()
        };
        let all = find(&memory).await;
        for n in [3, 7, 9] {
            let id = statement(&memory, &format!("Town{n}x"));
            memory.erase(&ErasureTarget::Proposition { id }).await.unwrap();
        }
        let left = find(&memory).await;
        assert_eq!(left.len(), all.len() - 3, "{left:?}");
        assert!(
            !left.iter().any(|text| ["Town3x", "Town7x", "Town9x"].iter().any(|town| text.contains(town)))
        );
        let again = Memory::open(memory.ports().sibling(), context(), Config::default()).await.unwrap();
        assert_eq!(find(&again).await, left, "the same after reopening");
    });
}

#[test]
fn what_another_tab_had_under_way_lands_without_what_was_erased() {
    run(async {
        let (memory, talk) = talk().await;
        let other = Memory::open(memory.ports().sibling(), context(), Config::default()).await.unwrap();
        // A turn that waits, and a plan and a use record of the other tab, all from before.
        user_says(&memory, talk, "I was born in Quedlinburg.").await;
        other.refresh().await.unwrap();
        let target = ErasureTarget::Turn { id: turns(&memory, talk).last().unwrap().0 };
        let allergy = statement(&memory, "penicillin");
        let scope = other.scope(credence::history::ScopeInfo::new(
            Cause::Manual,
            credence::history::Actor::Person,
            "late",
        ));
        {
            let state = other.state();
            let copy = state.proposition(allergy).unwrap().clone();
            let id = PropositionId::new(uuid::Uuid::from_u128(777_777));
            scope.put(&state, credence::proposition::Proposition { id, ..copy }, "late");
        }
        memory.erase(&target).await.unwrap();
        memory.erase(&ErasureTarget::Proposition { id: allergy }).await.unwrap();

        let late = other.commit(&scope).await;
        assert!(matches!(late, Err(Error::Conflict { .. })), "a plan from before is refused: {late:?}");
        analyse(&other, talk).await;
        assert_gone(&memory, &["penicillin", "quedlinburg"]).await;

        // A tab that has not looked since searches with its old index.
        let (memory, _) = super::erasure::talk().await;
        let other = Memory::open(memory.ports().sibling(), context(), Config::default()).await.unwrap();
        let id = statement(&memory, "penicillin");
        memory.erase(&ErasureTarget::Proposition { id }).await.unwrap();
        let recall = other.search(&Search::new("penicillin")).await.unwrap();
        assert_eq!(recall.record.query, FORGOTTEN);
        assert_gone(&memory, &["penicillin"]).await;
        let erasure = memory.log().commits().last().unwrap().id;
        let undone = memory.undo(erasure, None).await.unwrap();
        assert!(undone.commit.is_none(), "an erasure cannot be undone: {undone:?}");
        assert!(!memory.state().erasures().next().unwrap().tombstones.is_empty());
    });
}

#[test]
fn soft_forgetting_by_turn_span_and_entity_can_be_undone() {
    run(async {
        let (memory, talk) = talk().await;
        let known = live(&memory);
        let turn = turns(&memory, talk)[0].0;
        let entity = memory.state().entities().find(|entity| entity.name == "Wilhelmina").map(|e| e.id);
        let span = ErasureTarget::Span { from: memory.now().at, to: memory.now().at.plus_ms(1) };
        let targets = [
            Some(ErasureTarget::Turn { id: turn }),
            Some(span),
            entity.map(|id| ErasureTarget::Entity { id }),
        ];
        for target in targets.into_iter().flatten() {
            let preview = memory.preview_forgetting(&target).await.unwrap();
            assert_eq!(live(&memory), known, "a preview writes nothing");
            let done = memory.forget_target(&target).await.unwrap();
            assert_eq!(
                (&done.removed, &done.kept, &done.turns),
                (&preview.removed, &preview.kept, &preview.turns)
            );
            assert!(!done.removed.is_empty(), "{target:?}");
            assert_eq!(live(&memory).len(), known.len() - done.removed.len(), "{target:?}");
            assert!(memory.state().erasures().next().is_none(), "no tombstones");
            let undone = memory.undo(done.commit.unwrap(), None).await.unwrap();
            assert!(undone.conflicts.is_empty(), "{undone:?}");
            assert_eq!(live(&memory), known);
        }
    });
}

async fn answered(memory: &TestMemory, talk: ConversationId, said: &str) -> String {
    user_says(memory, talk, said).await;
    memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap().turn.text
}

#[test]
fn dont_remember_this_takes_the_turn_off_the_record() {
    run(async {
        for (before, wish) in [
            ("I am seeing Doctor Amsel on Monday.", "Please don't remember this."),
            ("Ich wohne in Quedlinburg.", "Merk dir das bitte nicht."),
        ] {
            // Learned already, or still waiting: both go.
            for is_learned in [true, false] {
                let memory = offline().await;
                let talk = memory.start_conversation("").await.unwrap();
                user_says(&memory, talk, before).await;
                if is_learned {
                    analyse(&memory, talk).await;
                }
                answered(&memory, talk, wish).await;
                analyse(&memory, talk).await;
                assert_eq!(live(&memory), [""; 0], "{wish} ({is_learned})");
                assert_eq!(memory.pending(talk).turns, 0);
                memory.release(talk).await.unwrap();
                analyse(&memory, talk).await;
                assert_eq!(live(&memory), [""; 0], "not when it is read again either");
            }
        }
        let memory = offline().await;
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "I live in Kleve.").await;
        let said = answered(&memory, talk, "I own a Zeppelin. Don't save that.").await;
        analyse(&memory, talk).await;
        assert!(said.contains("not remembered"), "{said}");
        assert_eq!(live(&memory).len(), 1, "{:?}", live(&memory));
        assert!(live(&memory)[0].contains("Kleve"));
    });
}

#[test]
fn forget_what_i_said_about_lists_several_and_does_what_is_clear() {
    run(async {
        for has_model in [false, true] {
            let memory = offline().await;
            for said in ["I own a red kayak.", "I repair kayaks.", "I play chess."] {
                let talk = memory.start_conversation("").await.unwrap();
                user_says(&memory, talk, said).await;
                memory.remember(said).await.unwrap();
            }
            memory.ports().chat.set_offline(!has_model);
            let known = live(&memory);
            let talk = memory.start_conversation("").await.unwrap();
            let said = answered(&memory, talk, "Forget what I said about my red kayak, please.").await;
            assert!(said.starts_with("Forgotten:") && said.contains("kayak"), "{said}");
            assert_eq!(live(&memory).len(), known.len() - 1, "{:?}", live(&memory));
            let last = memory.log().commits().iter().rev().find(|c| c.cause == Cause::Forget).unwrap().id;
            memory.undo(last, None).await.unwrap();
            assert_eq!(live(&memory).len(), known.len());

            let said = answered(&memory, talk, "Forget everything about kayaks.").await;
            assert!(said.contains("1. ") && said.contains("2. ") && said.contains("red kayak"), "{said}");
            assert_eq!(live(&memory).len(), known.len(), "several: asked first");
            let said = answered(&memory, talk, "Number 2").await;
            assert!(said.contains("repair") && !said.contains("red kayak"), "{said}");
            assert_eq!(live(&memory).len(), known.len() - 1);

            let chess = memory.propositions(&PropositionQuery::live());
            let chess =
                chess.iter().find(|v| v.proposition.text.contains("chess")).unwrap().proposition.text.clone();
            let pinned = statement(&memory, "chess");
            memory.pin(pinned, true).await.unwrap();
            let said = answered(&memory, talk, &format!("Forget “{chess}”")).await;
            assert!(said.starts_with("This stays") && said.contains("chess"), "{said}");
            memory.pin(pinned, false).await.unwrap();
            let said = answered(&memory, talk, &format!("Forget “{chess}”")).await;
            assert!(said.contains("chess"), "{said}");
            let said = answered(&memory, talk, "Vergiss, was ich über Zeppeline gesagt habe.").await;
            assert!(said.contains("nichts zu vergessen"), "{said}");
            assert!(!live(&memory).iter().any(|text| text.contains("chess")), "{:?}", live(&memory));
            assert_eq!(memory.ports().chat.requests().len(), 0, "no model is asked");

            // Where the settings do not hear wishes, the words are words.
            memory.ports().chat.set_offline(true);
            let mut config = memory.config();
            config.chat.forgets_on_request = false;
            memory.set_config(config).unwrap();
            let left = live(&memory);
            answered(&memory, talk, "Forget everything about kayaks.").await;
            assert_eq!(live(&memory), left);
        }
    });
}

#[test]
fn an_answer_that_was_under_way_lands_without_what_was_erased_meanwhile() {
    run(async {
        // Erased after the prompt was put together; erased in the moment in which the answer is written; the same for another wording.
        for (late, again) in [(false, false), (true, false), (true, true)] {
            let (memory, talk) = talk().await;
            let other = Memory::open(memory.ports().sibling(), context(), Config::default()).await.unwrap();
            user_says(&memory, talk, "What am I allergic to?").await;
            let mut streamed = String::new();
            if again {
                memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
            }
            let id = statement(&memory, "penicillin");
            let erasing = async move {
                other.erase(&ErasureTarget::Proposition { id }).await.unwrap();
            };
            let journal = &memory.ports().journal;
            if late {
                journal.before_next_append(erasing)
            } else {
                journal.before_next_use(erasing)
            }
            let last = memory.state().turns(talk).last().unwrap().id;
            let on_text = &mut |text: &str| streamed.push_str(text);
            let answer = match again {
                true => memory.reroll(last, on_text, &Cancel::new()).await.unwrap(),
                false => memory.answer(talk, on_text, &Cancel::new()).await.unwrap(),
            };
            assert!(streamed.contains("penicillin"), "it was shown before it was erased: {streamed}");
            assert!(answer.turn.text.contains(FORGOTTEN), "{}", answer.turn.text);
            assert_gone(&memory, &["penicillin"]).await;
        }
    });
}

#[test]
fn an_erasure_says_how_far_it_is_and_can_be_stopped_before_it_is_written() {
    run(async {
        let (memory, _) = talk().await;
        let target = ErasureTarget::Proposition { id: statement(&memory, "penicillin") };
        let mut told = Vec::new();
        let preview =
            memory.preview_erasure_with(&target, &Cancel::new(), &mut |it| told.push(it)).await.unwrap();
        assert!(told.len() > 10 && told.iter().all(|it| it.total == told[0].total), "{told:?}");
        assert!(told.is_sorted_by_key(|it| it.done));
        assert_eq!((told[0].done, told.last().unwrap().done), (0, told[0].total));

        let before = stored(&memory).await;
        for stop_at in [0, told[0].total / 2, told[0].total - 1] {
            let cancel = Cancel::new();
            let stopping = &mut |it: credence::erasure::ErasureProgress| {
                if it.done >= stop_at {
                    cancel.cancel();
                }
            };
            let stopped = memory.erase_with(&target, &cancel, stopping).await;
            assert!(matches!(stopped, Err(Error::Cancelled)) || stop_at == told[0].total - 1, "{stopped:?}");
            if stopped.is_err() {
                assert_eq!(stored(&memory).await, before, "nothing was written");
                continue;
            }
            assert_eq!(stopped.unwrap().cleaned, preview.cleaned, "who stops it too late has it done");
        }
    });
}

//! Questions to history, asked through the handle: state, changes, blame, use, belief, derivation, replay.

use credence::history::{Actor, Cause, ChangeKind, Keep, Purpose, Record, RecordId, ScopeInfo};
use credence::llm::{Cancel, Role, scripted::ScriptedModel};
use credence::memory::{CameBy, Edit, When};
use credence::proposition::{PropositionQuery, Status};
use credence::retrieval::Search;
use credence::scale::Confidence;
use credence::testing::TestPorts;
use credence::time::DAY_MS;
use serde_json::json;

use super::support::*;

fn texts_at(memory: &TestMemory, when: When) -> Vec<String> {
    let at = memory.memory_at(when).unwrap();
    at.propositions
        .into_iter()
        .filter(|p| p.proposition.status.is_live())
        .map(|p| p.proposition.text)
        .collect()
}

#[test]
fn hist_11_what_memory_was_what_changed_and_who_changed_it() {
    run(async {
        let memory = offline().await;
        memory.remember("The lamp is green.").await.unwrap();
        let id = memory.propositions(&PropositionQuery::live())[0].proposition.id;
        let (then, seq) = (memory.now().at, memory.state().seq());
        memory.ports().clock.advance_ms(DAY_MS);
        memory.edit(id, &Edit { text: Some("The lamp is blue.".into()), ..Edit::default() }).await.unwrap();
        memory.edit(id, &Edit { confidence: Some(0.5), ..Edit::default() }).await.unwrap();
        memory
            .edit(
                id,
                &Edit { text: Some("The lamp is green.".into()), confidence: Some(0.95), ..Edit::default() },
            )
            .await
            .unwrap();
        for when in [When::Commit(seq), When::Time(then)] {
            assert_eq!(texts_at(&memory, when), ["The lamp is green."]);
        }
        assert_eq!(texts_at(&memory, When::Commit(seq + 1)), ["The lamp is blue."]);
        let changed = memory.changed_between(When::Commit(seq), When::Commit(seq + 2)).unwrap();
        let lamp = changed.changes.iter().find(|change| change.record == RecordId::Proposition(id)).unwrap();
        assert_eq!((lamp.kind, lamp.steps.len(), changed.commits.len()), (ChangeKind::Changed, 2, 2));
        assert!(
            matches!((&lamp.before, &lamp.after), (Some(Record::Proposition(a)), Some(Record::Proposition(b))) if a.text != b.text)
        );
        assert!(
            changed
                .commits
                .iter()
                .all(|commit| commit.actor == Actor::Person && !commit.reasons[0].is_empty())
        );
        let life = memory.life_of(RecordId::Proposition(id));
        let step = &life.steps[1];
        assert_eq!((step.fields.len(), step.actor, step.cause), (1, Actor::Person, Cause::Manual));
        assert_eq!(
            (step.fields[0].field.as_str(), &step.fields[0].to),
            ("text", &json!("The lamp is blue."))
        );
        assert_eq!(life.steps[3].came_back, Some(life.steps[0].revision), "the same belief came back");
        assert!(!life.compacted && serde_json::to_value(&life).is_ok());
        let wrong = memory.changed_between(When::Commit(2), When::Commit(1)).unwrap_err();
        assert!(wrong.to_string().contains("forward"), "{wrong}");
    });
}

#[test]
fn hist_11_which_revisions_a_turn_used_and_how_they_changed_since() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Kleve."]).await;
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "Where do I live?").await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap().turn;
        let used = memory.used_by_turn(answer.id).await.unwrap();
        let item = &used[0].items[0];
        assert_eq!((used.len(), used[0].purpose, item.rank, item.since.len()), (1, Purpose::Assembly, 1, 0));
        tell(&memory, &["I live in Bonn now."]).await;
        let item = memory.used_by_turn(answer.id).await.unwrap().remove(0).items.remove(0);
        assert_eq!(item.then.as_ref().map(|p| p.status), Some(Status::Active));
        assert_eq!(item.now.as_ref().map(|p| p.status), Some(Status::Superseded));
        assert!(
            item.since.iter().any(|step| step.fields.iter().any(|field| field.field == "status")),
            "{item:?}"
        );
        let asked = memory.state().turns(talk).next().unwrap().id;
        assert!(memory.used_by_turn(asked).await.unwrap().is_empty(), "who asked was given nothing");
    });
}

#[test]
fn hist_11_why_something_is_believed_and_what_came_of_it() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Kleve.", "I live in Kleve.", "I live in Bonn now."]).await;
        let kleve = memory.state().propositions().find(|p| p.text.contains("Kleve")).unwrap().id;
        let belief = memory.why_believed(kleve).unwrap();
        let path: Vec<(Status, usize)> = belief.path.iter().map(|s| (s.status, s.grounding.len())).collect();
        assert_eq!(path, [(Status::Active, 1), (Status::Active, 2), (Status::Superseded, 2)]);
        assert!(belief.path[1].confidence > belief.path[0].confidence && belief.sources.len() == 2);
        let derived = memory.derived_from(kleve);
        assert_eq!((derived.len(), derived[0].by, derived[0].depth), (1, CameBy::Supersession, 1));
        tell(&memory, &["I live in Rome now."]).await;
        let depths: Vec<u32> = memory.derived_from(kleve).iter().map(|derived| derived.depth).collect();
        assert_eq!(depths, [1, 2], "over as many steps as there are");
        let bonn = derived[0].view.proposition.id;
        assert_eq!(memory.why_believed(bonn).unwrap().instead_of, [kleve]);
        memory.ports().clock.advance_ms(9 * DAY_MS);
        memory.compact_history(Actor::Person, Keep::Days { days: 1 }).await.unwrap();
        let left = memory.why_believed(kleve).unwrap();
        assert!(left.compacted && left.path.len() == 1, "what is left is told, and that it is not all");
        assert!(memory.memory_at(When::Commit(1)).unwrap_err().to_string().contains("compacted"));
        assert!(memory.changed_between(When::Commit(1), When::Commit(2)).is_err());
    });
}

#[test]
fn hist_10_a_turn_is_replayed_whole() {
    run(async {
        let model = ScriptedModel::new().reply(Role::Chat, "You live in Kleve.");
        let memory = open(TestPorts::with(model)).await;
        memory.ports().chat.set_offline(true);
        tell(&memory, &["I live in Kleve."]).await;
        memory.ports().chat.set_offline(false);
        let mut config = memory.config();
        config.chat.chat_llm.temperature = Some(0.25);
        memory.set_config(config).unwrap();
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "Where do I live?").await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap().turn;
        let (_, request) = memory.ports().chat.requests().pop().unwrap();
        let replay = memory.replay(answer.id).await.unwrap().unwrap();
        assert_eq!(
            (replay.xray.messages, replay.turn.text.as_str()),
            (request.messages, "You live in Kleve.")
        );
        assert!(replay.xray.is_exact && replay.xray.was_sent);
        let execution = replay.execution.unwrap();
        assert_eq!((execution.temperature, execution.timeout_ms), (Some(0.25), request.timeout_ms));
        assert!(execution.timeout_ms.is_some() && execution.searches.is_empty());
        let view = memory.memory_at(When::Commit(replay.xray.record.seq)).unwrap();
        assert!(
            view.propositions.iter().any(|p| p.proposition.text.contains("Kleve")),
            "memory as it was then"
        );
        let asked = memory.state().turns(talk).next().unwrap().id;
        assert!(memory.replay(asked).await.unwrap().is_none());
    });
}

#[test]
fn hist_9_a_use_record_holds_what_was_given_in_order() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Kleve.", "I hate figs.", "My sister Ana lives in Kleve."]).await;
        let recall = memory.search(&Search::new("Who lives in Kleve?")).await.unwrap();
        let record = memory.use_record(recall.record.id).await.unwrap().unwrap();
        assert_eq!((record.context.clone(), record.seq), (memory.context().clone(), memory.state().seq()));
        let given: Vec<_> =
            recall.items.iter().map(|item| (item.view.proposition.id, item.view.revision)).collect();
        let kept: Vec<_> = record.items.iter().map(|item| (item.proposition, item.revision)).collect();
        assert_eq!(given, kept);
        let ranks: Vec<u32> = record.items.iter().map(|item| item.rank).collect();
        assert_eq!(ranks, (1..=u32::try_from(kept.len()).unwrap()).collect::<Vec<u32>>());
        assert!(record.items.iter().all(|item| !item.why.is_empty()) && !record.query.is_empty());
    });
}

#[test]
fn hist_3_a_scope_is_re_entrant_and_its_commit_says_who_why_and_for_whom() {
    run(async {
        let memory = offline().await;
        memory.remember("The lamp is green.").await.unwrap();
        let lamp = memory.propositions(&PropositionQuery::live())[0].proposition.clone();
        let info = ScopeInfo::new(Cause::Projection, Actor::Host, "written back").with_id("case", "c7");
        let (outer, seq) = (memory.scope(info), memory.state().seq());
        let inner = outer.nested(
            ScopeInfo::new(Cause::Manual, Actor::Person, "inside").with_id("run", "r1").with_id("case", "no"),
        );
        let now = memory.now().at;
        inner.put(&memory.state(), lamp.with_confidence(Confidence::new(0.4).unwrap(), now), "lowered");
        assert!(memory.commit(&inner).await.unwrap().is_none() && memory.state().seq() == seq);
        let made = memory.commit(&outer).await.unwrap().unwrap();
        assert_eq!(
            (made.cause, made.actor, made.reason.as_str()),
            (Cause::Projection, Actor::Host, "written back")
        );
        assert_eq!(
            (made.ids["case"].as_str(), made.ids["run"].as_str(), made.revisions.len()),
            ("c7", "r1", 1)
        );
    });
}

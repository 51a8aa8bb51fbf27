//! No model at all: the embedded default does the main job.

use credence::conversation::Speaker;
use credence::extraction::{DropReason, OutcomeKind};
use credence::proposition::{Extractor, PropositionQuery, Status, Voice};
use credence::retrieval::Search;

use super::support::*;

#[test]
fn plain_statements_become_explained_propositions_with_a_source() {
    run(async {
        let memory = offline().await;
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "My name is Mara and I live in Kleve. I am allergic to peanuts.").await;
        analyse(&memory, talk).await;
        let views = memory.propositions(&PropositionQuery::live());
        assert!(views.len() >= 3, "{:?} {:?}", live(&memory), memory.state().analyses().collect::<Vec<_>>());
        for view in &views {
            let p = &view.proposition;
            assert_eq!(p.extractor, Extractor::Rules, "marked as made by rule");
            assert!(p.reasoning.as_ref().is_some_and(|r| !r.is_empty()), "{p:?}");
            assert_eq!(
                memory.sources(p)[0].text,
                "My name is Mara and I live in Kleve. I am allergic to peanuts."
            );
            assert!(p.entities().next().is_some(), "about somebody: {p:?}");
        }
        let user = memory.entities().into_iter().find(|e| e.is_user).unwrap();
        assert_eq!(user.name, "Mara", "the user's entity learns its name");
        assert_eq!(user.propositions, views.len());
    });
}

/// Case 22: the same sentence again, and in other letters.
#[test]
fn saying_it_again_is_one_statement_with_more_evidence() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Mara owns a red kayak.", "Mara owns a red kayak.", "mara owns a red kayak!"]).await;
        let views = memory.propositions(&PropositionQuery::live());
        assert_eq!(views.len(), 1, "{:?}", live(&memory));
        assert_eq!((views[0].proposition.reinforce_count, views[0].proposition.grounding.len()), (2, 3));
        let talk = memory.state().conversations().next().unwrap().id;
        analyse(&memory, talk).await;
        assert_eq!(
            memory.propositions(&PropositionQuery::live())[0].proposition.reinforce_count,
            2,
            "a replay adds nothing"
        );
    });
}

/// Cases 21 and 23.
#[test]
fn contradictions_retire_the_old_and_keep_it() {
    run(async {
        let memory = offline().await;
        tell(
            &memory,
            &[
                "Pia loves techno.",
                "Pia can't stand techno any more.",
                "Night deploys are allowed.",
                "Night deploys are not allowed.",
            ],
        )
        .await;
        assert_eq!(texts(&memory, Status::Contradicted), ["Pia loves techno.", "Night deploys are allowed."]);
        assert_eq!(live(&memory).len(), 2, "{:?}", live(&memory));
        let query = PropositionQuery { text: "techno stand".into(), ..PropositionQuery::live() };
        let new = &memory.propositions(&query)[0].proposition;
        let detail = memory.proposition(new.id).unwrap();
        assert_eq!(detail.related[0].proposition.text, "Pia loves techno.", "linked");
        let old = memory.proposition(detail.related[0].proposition.id).unwrap();
        assert!(old.revisions[0].why.contains("Pia can't stand techno"), "{:?}", old.revisions[0].why);
        let recall = memory.search(&Search::new("techno")).await.unwrap();
        assert!(recall.items.iter().all(|item| item.view.proposition.status == Status::Active));
    });
}

/// Case 26.
#[test]
fn one_home_many_acquaintances() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Nia knows Bo.", "Nia knows Cy.", "Nia lives in Oslo.", "Nia lives in Bergen."])
            .await;
        assert_eq!(live(&memory).len(), 3, "{:?}", live(&memory));
        assert_eq!(texts(&memory, Status::Superseded), ["Nia lives in Oslo."]);
    });
}

/// D7: the same fact twice in one window, and a change of mind inside it.
#[test]
fn a_window_revises_against_itself() {
    run(async {
        let memory = offline().await;
        let talk = memory.start_conversation("").await.unwrap();
        for text in ["Pia loves techno.", "Pia loves techno!", "Pia hates techno."] {
            user_says(&memory, talk, text).await;
        }
        analyse(&memory, talk).await;
        assert_eq!(live(&memory), ["Pia hates techno."]);
        let old = texts(&memory, Status::Contradicted);
        assert_eq!(old, ["Pia loves techno."]);
        let report = memory.state().analyses().next().unwrap().clone();
        assert_eq!(report.count(OutcomeKind::Contradicted), 1);
    });
}

/// Cases 9 and 12: facts land on whom they are about; the assistant's words are nobody's facts.
#[test]
fn attribution_follows_the_words() {
    run(async {
        let memory = offline().await;
        let talk = memory.start_conversation("").await.unwrap();
        user_says(&memory, talk, "My sister Ana is a vet.").await;
        memory
            .say(talk, Speaker::Assistant, "You would enjoy the Azores, and I prefer short answers.")
            .await
            .unwrap();
        user_says(&memory, talk, "She just adopted a parrot called Pip.").await;
        analyse(&memory, talk).await;
        let all = memory.propositions(&PropositionQuery::default());
        let parrot = all.iter().find(|v| v.proposition.text.contains("Pip")).unwrap();
        let names: Vec<String> = memory
            .entities()
            .into_iter()
            .filter(|e| parrot.proposition.entities().any(|id| id == e.id))
            .map(|e| e.name)
            .collect();
        assert!(names.contains(&"Ana".to_owned()) && names.contains(&"Pip".to_owned()), "{names:?}");
        assert!(
            all.iter()
                .all(|v| !v.proposition.text.contains("Azores") && v.proposition.voice != Voice::Assistant)
        );
        let report = memory.state().analyses().next().unwrap().clone();
        assert!(report.dropped.iter().any(|d| d.reason == DropReason::AssistantSaid), "{:?}", report.dropped);
    });
}

/// Case 40: credentials go nowhere.
#[test]
fn credentials_are_redacted_before_anything_is_kept() {
    run(async {
        let memory = offline().await;
        let secret = format!("sk-proj-{}", "Ab3".repeat(16));
        tell(&memory, &[&format!("My key is {secret} and I live in Kleve.")]).await;
        let export = memory.export().await.unwrap().to_json().unwrap();
        assert!(!export.contains(&secret) && export.contains("[redacted:"), "{export}");
        let report = memory.state().analyses().next().unwrap().clone();
        assert_eq!(report.redacted.values().sum::<u32>(), 1, "{report:?}");
        let recall = memory.search(&Search::new(format!("what is {secret}?"))).await.unwrap();
        assert!(!recall.record.query.contains(&secret));
    });
}

/// Case 37: no relevance, no injection; pinned facts all the same (case 38).
#[test]
fn an_unrelated_question_gets_the_pinned_facts_alone() {
    run(async {
        let memory = offline().await;
        let foods =
            ["rice", "figs", "leeks", "plums", "barley", "olives", "capers", "fennel", "quinces", "mussels"];
        let told: Vec<String> = foods.iter().map(|food| format!("I love {food}.")).collect();
        tell(&memory, &told.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let search = Search { include_pinned: true, ..Search::new("Please multiply 17 by 23.") };
        let recall = memory.search(&search).await.unwrap();
        assert!(recall.items.is_empty(), "{:?}", recall.items);
        tell(&memory, &["I live in Kleve."]).await;
        let home =
            memory.propositions(&PropositionQuery { text: "kleve".into(), ..PropositionQuery::live() });
        memory.pin(home[0].proposition.id, true).await.unwrap();
        let recall = memory
            .search(&Search { include_pinned: true, ..Search::new("Will it rain tomorrow?") })
            .await
            .unwrap();
        assert_eq!(recall.items.len(), 1);
        assert_eq!(recall.items[0].why, "pinned");
        let recall = memory.search(&Search::new("Do I like figs?")).await.unwrap();
        assert!(recall.items[0].view.proposition.text.contains("figs"));
    });
}

#[test]
fn remembering_by_hand_keeps_even_what_no_rule_reads() {
    run(async {
        let memory = offline().await;
        let kept = memory.remember("Blue folder, third shelf").await.unwrap();
        assert_eq!(kept.outcomes[0].kind, OutcomeKind::New);
        assert_eq!(live(&memory), ["Blue folder, third shelf"]);
        assert!(memory.remember(" … ").await.is_err());
        memory.remember("Blue folder, third shelf").await.unwrap();
        let again = &memory.propositions(&PropositionQuery::live())[0].proposition;
        assert_eq!(
            (live(&memory).len(), again.reinforce_count),
            (1, 0),
            "the same words again are no new evidence"
        );
    });
}

/// A statement made before the user gave their name meets one made after it.
#[test]
fn a_name_that_is_learned_later_does_not_split_the_user() {
    run(async {
        let memory = offline().await;
        tell(
            &memory,
            &[
                "I live in Kleve. I love techno.",
                "My name is Mara.",
                "I live in Bonn now.",
                "I can't stand techno any more.",
            ],
        )
        .await;
        assert_eq!(texts(&memory, Status::Superseded), ["User lives in Kleve."]);
        assert_eq!(texts(&memory, Status::Contradicted), ["User loves techno."]);
        tell(&memory, &["I live in Bonn."]).await;
        assert_eq!(
            live(&memory).iter().filter(|text| text.contains("Bonn")).count(),
            1,
            "{:?}",
            live(&memory)
        );
    });
}

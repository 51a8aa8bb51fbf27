//! What a person does with entities: merge, take back, split, rename, forget, and decide about possible duplicates.

use std::collections::BTreeMap;

use credence::Memory;
use credence::config::Config;
use credence::entity::{Entity, Split};
use credence::error::Error;
use credence::history::{Actor, Cause, Record, RecordId, ScopeInfo};
use credence::id::{EntityId, PropositionId};
use credence::memory::{EntityOrder, EntityQuery};
use credence::proposition::{Extractor, Mention, MentionRole, Proposition, PropositionQuery};
use credence::revision::Relation;
use credence::scale::Confidence;
use credence::testing::TestPorts;
use uuid::Uuid;

use super::support::*;

fn entity(n: u128) -> EntityId {
    EntityId::new(Uuid::from_u128(1000 + n))
}

fn statement(n: u128) -> PropositionId {
    PropositionId::new(Uuid::from_u128(2000 + n))
}

/// A memory of these people and statements, each statement about one of them.
async fn given(people: &[(&str, &[&str])], statements: &[(usize, &str)]) -> TestMemory {
    let memory = offline().await;
    let now = memory.now().at;
    let info = ScopeInfo::new(Cause::Import, Actor::Host, "given");
    let plan = |state: &credence::history::State, scope: &credence::history::Scope| {
        for (n, (name, aliases)) in people.iter().enumerate() {
            let mut made = Entity::new(entity(n as u128), name, "Person", now);
            made.aliases = aliases.iter().map(|alias| (*alias).to_owned()).collect();
            scope.put(state, made, "");
        }
        for (n, (who, text)) in statements.iter().enumerate() {
            let mut made =
                Proposition::new(statement(n as u128), text, Confidence::MAX, Extractor::Person, now)?;
            let mut mention = Mention::new(people[*who].0, "Person", MentionRole::Subject);
            mention.entity = Some(entity(*who as u128));
            made.mentions.push(mention);
            scope.put(state, made, "");
        }
        Ok(())
    };
    memory.change(info, plan).await.unwrap();
    memory.ports().clock.advance_ms(86_400_000);
    memory
}

/// Everything that the memory holds, without its clocks.
fn contents(memory: &TestMemory) -> BTreeMap<RecordId, String> {
    let state = memory.state();
    let present = state.revisions().filter(|revision| revision.value.is_some());
    present.map(|revision| (revision.record, revision.content_id.to_string())).collect()
}

fn who(memory: &TestMemory, n: u128) -> Option<EntityId> {
    memory.state().proposition(statement(n)).unwrap().mentions[0].entity
}

fn names(memory: &TestMemory, n: u128) -> Vec<String> {
    memory.state().entity(entity(n)).unwrap().names().map(str::to_owned).collect()
}

const SAMS: [(&str, &[&str]); 2] = [("Sam", &[]), ("Samuel Peters", &["Sammy"])];
const SAYINGS: [(usize, &str); 4] = [
    (0, "Sam likes tea."),
    (1, "Samuel Peters likes tea."),
    (0, "Sam lives in Oslo."),
    (1, "Samuel Peters lives in Bergen."),
];

#[test]
fn a_merge_moves_mentions_and_names_and_makes_nothing_fresh() {
    run(async {
        let memory = given(&SAMS, &SAYINGS).await;
        let before = memory.state().proposition(statement(1)).unwrap().clone();
        let commits = memory.log().commits().len();
        let act = memory.merge_entities(entity(0), entity(1)).await.unwrap();
        assert_eq!(memory.log().commits().len(), commits + 1, "one commit");
        assert_eq!(memory.log().commits().last().unwrap().actor, Actor::Person);
        assert_eq!(act.propositions, [statement(1), statement(3)]);
        assert_eq!((who(&memory, 1), who(&memory, 3)), (Some(entity(0)), Some(entity(0))));
        let after = memory.state().proposition(statement(1)).unwrap().clone();
        assert_eq!(after.content_revised, before.content_revised, "a merge refreshes no statement");
        assert!(after.metadata_revised > before.metadata_revised);
        let keeper = memory.state().entity(entity(0)).unwrap().clone();
        assert_eq!(keeper.name, "Samuel Peters", "the canonical one of its names is shown");
        assert_eq!(keeper.aliases, ["Sam", "Sammy"]);
        assert_eq!(memory.entities().len(), 1, "the other is hidden");
        let alike: Vec<_> = act.now_alike.iter().map(|a| (a.came, a.own, a.relation)).collect();
        assert_eq!(
            alike,
            [
                (statement(1), statement(0), Relation::Identical),
                (statement(3), statement(2), Relation::Contradictory)
            ],
            "what revision would say is listed, and nothing is retired"
        );
        assert_eq!(live(&memory).len(), 4);
    });
}

#[test]
fn taking_a_merge_back_gives_the_same_memory_but_for_clocks() {
    run(async {
        let memory = given(&SAMS, &SAYINGS).await;
        let before = contents(&memory);
        memory.merge_entities(entity(0), entity(1)).await.unwrap();
        assert_ne!(contents(&memory), before);
        let act = memory.unmerge(entity(1)).await.unwrap();
        assert_eq!(act.propositions, [statement(1), statement(3)]);
        assert_eq!(contents(&memory), before);
        // And by the ordinary undo, of the merge and of the taking back.
        let merged = memory.merge_entities(entity(0), entity(1)).await.unwrap().commit.unwrap();
        let with = contents(&memory);
        assert!(memory.undo(merged, None).await.unwrap().conflicts.is_empty());
        assert_eq!(contents(&memory), before);
        memory.merge_entities(entity(0), entity(1)).await.unwrap();
        assert_eq!(contents(&memory), with);
        let back = memory.unmerge(entity(1)).await.unwrap().commit.unwrap();
        memory.undo(back, None).await.unwrap();
        assert_eq!(contents(&memory), with);
    });
}

#[test]
fn a_query_for_an_entity_follows_merges() {
    run(async {
        let memory = given(&SAMS, &SAYINGS).await;
        memory.merge_entities(entity(0), entity(1)).await.unwrap();
        // As when another tab wrote the statement while this one merged: its mention still points at who is gone.
        let info = ScopeInfo::new(Cause::Manual, Actor::Person, "");
        memory
            .change(info, |state, scope| {
                let mut late = state.proposition(statement(3)).unwrap().clone();
                late.mentions[0].entity = Some(entity(1));
                scope.put(state, late, "");
                Ok(())
            })
            .await
            .unwrap();
        let all: Vec<PropositionId> = (0..4).map(statement).collect();
        let found = |query: PropositionQuery| -> Vec<PropositionId> {
            memory.propositions(&query).into_iter().map(|view| view.proposition.id).collect()
        };
        for id in [entity(0), entity(1)] {
            assert_eq!(found(PropositionQuery::mentioning(id)), all);
            assert_eq!(found(PropositionQuery::mentioning_any([id])), all);
            assert_eq!(found(PropositionQuery::mentioning_all([entity(0), id])), all);
        }
        assert!(found(PropositionQuery::mentioning(entity(9))).is_empty());
    });
}

#[test]
fn what_is_said_after_a_merge_stays_with_the_keeper() {
    run(async {
        let memory = given(&SAMS, &SAYINGS).await;
        memory.merge_entities(entity(0), entity(1)).await.unwrap();
        tell(&memory, &["Sammy plays the oboe."]).await;
        let query = PropositionQuery { text: "oboe".into(), ..PropositionQuery::live() };
        let later = memory.propositions(&query)[0].proposition.clone();
        assert_eq!(later.mentions[0].entity, Some(entity(0)), "a name of the merged one means the keeper");
        assert_eq!(memory.entities().iter().filter(|e| e.name.contains("Sam")).count(), 1);
        // A statement that came from the other is edited in between: its mention still goes back.
        let edit = credence::memory::Edit { confidence: Some(0.5), ..Default::default() };
        memory.edit(statement(1), &edit).await.unwrap();
        memory.describe_entity(entity(0), "A colleague.").await.unwrap();
        memory.unmerge(entity(1)).await.unwrap();
        assert_eq!((who(&memory, 1), who(&memory, 3)), (Some(entity(1)), Some(entity(1))));
        assert_eq!(memory.state().proposition(statement(1)).unwrap().confidence.get(), 0.5);
        assert_eq!(memory.state().proposition(later.id).unwrap().mentions[0].entity, Some(entity(0)));
        assert_eq!(
            (names(&memory, 0), names(&memory, 1)),
            (vec!["Sam".into()], vec!["Samuel Peters".into(), "Sammy".into()])
        );
        assert_eq!(memory.state().entity(entity(0)).unwrap().description, "A colleague.");
        tell(&memory, &["Sammy plays the flute."]).await;
        let query = PropositionQuery { text: "flute".into(), ..PropositionQuery::live() };
        assert_eq!(memory.propositions(&query)[0].proposition.mentions[0].entity, Some(entity(1)));
    });
}

/// An undo that meets a later change leaves that statement; taking the merge back finishes it.
#[test]
fn a_half_undone_merge_can_still_be_taken_back() {
    run(async {
        let memory = given(&SAMS, &SAYINGS).await;
        let before = contents(&memory);
        let merged = memory.merge_entities(entity(0), entity(1)).await.unwrap().commit.unwrap();
        memory.pin(statement(1), true).await.unwrap();
        memory.describe_entity(entity(0), "A colleague.").await.unwrap();
        let undone = memory.undo(merged, None).await.unwrap();
        assert_eq!(undone.conflicts, [RecordId::Proposition(statement(1)), RecordId::Entity(entity(0))]);
        memory.unmerge(entity(1)).await.unwrap();
        assert_eq!((who(&memory, 1), who(&memory, 3)), (Some(entity(1)), Some(entity(1))));
        memory.pin(statement(1), false).await.unwrap();
        memory.describe_entity(entity(0), "").await.unwrap();
        assert_eq!(contents(&memory), before);
    });
}

#[test]
fn nonsense_is_refused_in_words() {
    run(async {
        let memory = given(&SAMS, &SAYINGS).await;
        tell(&memory, &["My name is Mara."]).await;
        let user = memory.state().user().unwrap().id;
        let before = memory.log().commits().len();
        let problem = |outcome: Result<_, Error>| outcome.err().unwrap().to_string();
        assert!(problem(memory.merge_entities(entity(0), entity(0)).await).contains("with itself"));
        assert!(matches!(memory.merge_entities(entity(0), entity(9)).await, Err(Error::NotFound { .. })));
        assert!(problem(memory.merge_entities(entity(0), user).await).contains("merge `Sam` into it"));
        assert!(problem(memory.unmerge(entity(0)).await).contains("was not merged"));
        assert!(problem(memory.forget_entity(user).await).contains("must stay"));
        assert!(problem(memory.delete_entity(entity(0)).await).contains("2 live statements"));
        assert!(problem(memory.split_entity(entity(0), &Split::default()).await).contains("letter"));
        let nothing = Split { name: "Sam B".into(), ..Split::default() };
        assert!(
            problem(memory.split_entity(entity(0), &nothing).await).contains("nothing of `Sam` would move")
        );
        let foreign = Split { name: "Sam B".into(), propositions: vec![statement(1)], ..Split::default() };
        assert!(problem(memory.split_entity(entity(0), &foreign).await).contains("does not mention `Sam`"));
        let bare = Split { name: "X Y".into(), aliases: vec!["Sam".into()], ..Split::default() };
        assert!(problem(memory.split_entity(entity(0), &bare).await).contains("without a name"));
        assert!(memory.rename_entity(entity(0), " … ").await.is_err());
        assert!(memory.rename_entity(entity(0), &"x".repeat(201)).await.is_err());
        assert!(memory.remove_alias(entity(0), "Sam").await.unwrap_err().to_string().contains("rename"));
        assert!(memory.remove_alias(entity(1), "Bo").await.unwrap_err().to_string().contains("Sammy"));
        assert!(memory.dismiss_duplicate(entity(0), entity(0)).await.is_err());
        assert_eq!(memory.log().commits().len(), before, "nothing was written");
        memory.merge_entities(entity(0), entity(1)).await.unwrap();
        for refused in [
            problem(memory.merge_entities(entity(1), entity(0)).await),
            problem(memory.merge_entities(user, entity(1)).await),
            memory.rename_entity(entity(1), "Sam").await.unwrap_err().to_string(),
        ] {
            assert!(refused.contains("was merged into `Samuel Peters`"), "{refused}");
        }
        memory.merge_entities(user, entity(0)).await.unwrap();
        assert_eq!(memory.state().user().unwrap().id, user, "the user survives");
    });
}

#[test]
fn merges_nest_and_come_back_in_any_order() {
    run(async {
        let people: [(&str, &[&str]); 3] =
            [("Bo", &["Bob"]), ("Bo Li", &["Bob", "B."]), ("Robert Li", &["B."])];
        let sayings = [(0, "Bo rows."), (1, "Bo Li skis."), (2, "Robert Li sings.")];
        for order in [[0, 1], [1, 0]] {
            let memory = given(&people, &sayings).await;
            let before = contents(&memory);
            memory.merge_entities(entity(1), entity(0)).await.unwrap();
            memory.merge_entities(entity(2), entity(1)).await.unwrap();
            assert!((0..3).all(|n| who(&memory, n) == Some(entity(2))), "all mean the last keeper");
            assert_eq!(
                memory.entity_page(entity(0)).unwrap().view.id,
                entity(2),
                "pages redirect through both"
            );
            for n in order {
                memory.unmerge(entity(n)).await.unwrap();
                assert_eq!(who(&memory, n), Some(entity(n)));
            }
            assert_eq!(contents(&memory), before, "{order:?}");
        }
    });
}

/// Whatever is merged and taken back, in whatever order: no mention and no name is lost, and when everything is taken back, the
/// memory is as it was.
#[test]
fn random_merges_lose_nothing() {
    run(async {
        let people: [(&str, &[&str]); 6] = [
            ("Ann", &["Annie"]),
            ("Ann Berg", &["A. Berg", "Annie"]),
            ("Anna Berg", &[]),
            ("ann@example.org", &["Annie", "AB"]),
            ("Dr. Ann Berg", &["AB", "Ann"]),
            ("Annabel Berg Lund", &["A. Berg"]),
        ];
        let sayings: Vec<(usize, &str)> = (0..6).flat_map(|n| [(n, "x rows."), (n, "x sings.")]).collect();
        for seed in 1..40u64 {
            let memory = given(&people, &sayings).await;
            let before = contents(&memory);
            let mut random = seed;
            let mut next = |below: u64| {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                u128::from((random >> 33) % below)
            };
            for _ in 0..12 {
                let (a, b) = (entity(next(6)), entity(next(6)));
                // Half of them are nonsense and refused.
                let _ =
                    if next(3) == 0 { memory.unmerge(a).await } else { memory.merge_entities(a, b).await };
                let state = memory.state();
                for (n, (home, _)) in sayings.iter().enumerate() {
                    let keeper = state.keeper(entity(*home as u128)).unwrap().id;
                    let mention = &state.proposition(statement(n as u128)).unwrap().mentions[0];
                    assert_eq!(mention.entity, Some(keeper), "seed {seed}");
                }
                for (n, (name, aliases)) in people.iter().enumerate() {
                    let keeper = state.keeper(entity(n as u128)).unwrap();
                    for name in aliases.iter().chain([name]) {
                        assert!(
                            keeper.names().any(|known| known == *name),
                            "seed {seed}: {name} of {keeper:?}"
                        );
                    }
                    let all: Vec<&str> = keeper.names().collect();
                    let distinct: std::collections::BTreeSet<&str> = all.iter().copied().collect();
                    assert_eq!(all.len(), distinct.len(), "seed {seed}: a name twice in {all:?}");
                }
            }
            for n in (0..6).rev() {
                let _ = memory.unmerge(entity(n)).await;
            }
            assert_eq!(contents(&memory), before, "seed {seed}");
        }
    });
}

#[test]
fn a_split_takes_statements_and_names_and_can_be_undone() {
    run(async {
        let people: [(&str, &[&str]); 1] = [("Mercury", &["Merc", "the planet Mercury"])];
        let sayings = [(0, "Mercury is a cat."), (0, "Mercury is closest to the sun.")];
        let memory = given(&people, &sayings).await;
        let before = contents(&memory);
        let split = Split {
            name: "Mercury".into(),
            propositions: vec![statement(1)],
            aliases: vec!["the planet Mercury".into()],
            labels: vec!["Planet".into()],
            ..Split::default()
        };
        let act = memory.split_entity(entity(0), &split).await.unwrap();
        let planet = act.entity;
        assert_eq!((who(&memory, 0), who(&memory, 1)), (Some(entity(0)), Some(planet)));
        assert_eq!(names(&memory, 0), ["Mercury", "Merc"], "the alias moved away; the shown name both have");
        let new = memory.state().entity(planet).unwrap().clone();
        assert_eq!(
            (new.labels, new.aliases),
            (vec!["Planet".to_owned()], vec!["the planet Mercury".to_owned()])
        );
        assert!(memory.possible_duplicates().is_empty(), "a person said that they are two");
        memory.merge_entities(entity(0), planet).await.unwrap();
        assert_eq!(who(&memory, 1), Some(entity(0)), "a merge puts it together again");
        memory.unmerge(planet).await.unwrap();
        assert_eq!(who(&memory, 1), Some(planet));
        let fresh = given(&people, &sayings).await;
        let act = fresh.split_entity(entity(0), &split).await.unwrap();
        assert!(fresh.undo(act.commit.unwrap(), None).await.unwrap().conflicts.is_empty());
        assert_eq!(contents(&fresh), before);
    });
}

#[test]
fn an_alias_that_moved_away_or_was_removed_no_longer_resolves() {
    run(async {
        let people: [(&str, &[&str]); 1] = [("Sam Peters", &["Sammy", "sammy", "Pete"])];
        let memory = given(&people, &[(0, "Sam Peters rows."), (0, "Sam Peters sings.")]).await;
        let split = Split { name: "Pete".into(), propositions: vec![statement(1)], ..Split::default() };
        let pete = memory.split_entity(entity(0), &split).await.unwrap().entity;
        memory.remove_alias(entity(0), "SAMMY").await.unwrap();
        assert_eq!(names(&memory, 0), ["Sam Peters"], "in every spelling");
        tell(&memory, &["Pete plays the oboe.", "Sammy plays the flute."]).await;
        let means = |text: &str| {
            let query = PropositionQuery { text: text.into(), ..PropositionQuery::live() };
            memory.propositions(&query)[0].proposition.mentions[0].entity
        };
        assert_eq!(means("oboe"), Some(pete));
        assert_ne!(means("flute"), Some(entity(0)));
    });
}

#[test]
fn plain_edits_are_one_commit_each_and_a_chosen_name_stays() {
    run(async {
        let memory = given(&SAMS, &[]).await;
        let before = contents(&memory);
        let mut commits = vec![
            memory.rename_entity(entity(0), "  Sam   the Great ").await.unwrap(),
            memory.add_alias(entity(0), "Sambo").await.unwrap(),
            memory
                .set_entity_labels(entity(0), &["King".into(), "king".into(), "Person".into()])
                .await
                .unwrap(),
            memory
                .describe_entity(
                    entity(0),
                    "Rules a kingdom. Key sk-proj-Ab3Ab3Ab3Ab3Ab3Ab3Ab3Ab3Ab3Ab3Ab3Ab3.",
                )
                .await
                .unwrap(),
        ];
        let sam = memory.state().entity(entity(0)).unwrap().clone();
        assert_eq!(
            (sam.name.as_str(), &sam.aliases[..]),
            ("Sam the Great", &["Sam".to_owned(), "Sambo".to_owned()][..])
        );
        assert_eq!(sam.labels, ["King", "Person"]);
        assert!(sam.description.starts_with("Rules a kingdom.") && !sam.description.contains("sk-proj"));
        assert_eq!(memory.rename_entity(entity(0), "Sam the Great").await.unwrap(), None, "nothing differs");
        memory.merge_entities(entity(0), entity(1)).await.unwrap();
        assert_eq!(memory.state().entity(entity(0)).unwrap().name, "Sam the Great", "a person chose it");
        memory.unmerge(entity(1)).await.unwrap();
        let last = memory.log().commits().iter().rev().take(2).map(|c| c.id).collect::<Vec<_>>();
        for commit in last {
            memory.undo(commit, None).await.unwrap();
        }
        while let Some(commit) = commits.pop() {
            memory.undo(commit.unwrap().id, None).await.unwrap();
        }
        assert_eq!(contents(&memory).len(), before.len());
    });
}

#[test]
fn forgetting_an_entity_leaves_its_statements_and_no_trace_of_it() {
    run(async {
        let memory = given(&SAMS, &SAYINGS).await;
        let before = contents(&memory);
        memory.merge_entities(entity(0), entity(1)).await.unwrap();
        let merged = contents(&memory);
        let act = memory.forget_entity(entity(0)).await.unwrap();
        assert_eq!(act.propositions.len(), 4);
        assert!(memory.entities().is_empty() && memory.state().entity(entity(1)).is_none());
        assert!((0..4).all(|n| who(&memory, n).is_none()));
        assert_eq!(live(&memory).len(), 4);
        assert!(matches!(memory.entity_page(entity(1)), Err(Error::NotFound { .. })));
        memory.undo(act.commit.unwrap(), None).await.unwrap();
        assert_eq!(contents(&memory), merged);
        memory.unmerge(entity(1)).await.unwrap();
        assert_eq!(contents(&memory), before);
        for n in [0, 2] {
            memory.forget(statement(n)).await.unwrap();
        }
        memory.delete_entity(entity(0)).await.unwrap();
        assert_eq!(memory.entities().len(), 1);
    });
}

/// Case 30, the person's side: names suggest, kinds gate, a person decides once.
#[test]
fn possible_duplicates_are_suggested_by_name_and_kind_and_dismissed_for_good() {
    run(async {
        let people: [(&str, &[&str]); 7] = [
            ("Katharina Berg", &[]),
            ("Katarina Berg", &[]),
            ("Mercury", &[]),
            ("Mercury", &[]),
            ("iPhone 14", &[]),
            ("iPhone 15", &[]),
            ("José Ruiz", &["Jose"]),
        ];
        let memory = given(&people, &[]).await;
        memory.set_entity_labels(entity(2), &["Animal".into()]).await.unwrap();
        memory.set_entity_labels(entity(3), &["Planet".into()]).await.unwrap();
        let pairs = memory.possible_duplicates();
        assert_eq!(pairs.len(), 1, "{pairs:?}");
        assert_eq!((pairs[0].one, pairs[0].other, pairs[0].is_stored), (entity(0), entity(1), false));
        assert!(pairs[0].why.contains("differ in few letters"), "{}", pairs[0].why);
        memory.set_entity_labels(entity(3), &["Animal".into()]).await.unwrap();
        assert_eq!(memory.possible_duplicates()[0].why, "both are called `Mercury`", "the surest first");
        let dismissed = memory.dismiss_duplicate(entity(1), entity(0)).await.unwrap().unwrap();
        assert_eq!(memory.possible_duplicates().len(), 1);
        assert!(memory.entity_page(entity(0)).unwrap().duplicates.is_empty());
        assert_eq!(memory.entity_page(entity(2)).unwrap().duplicates[0].other.id, entity(3));
        memory.undo(dismissed.id, None).await.unwrap();
        assert_eq!(memory.possible_duplicates().len(), 2, "undoing a dismissal brings the pair back");
        memory.dismiss_duplicate(entity(0), entity(1)).await.unwrap();
        memory.merge_entities(entity(2), entity(3)).await.unwrap();
        assert!(memory.possible_duplicates().is_empty());
        // What was said of an entity holds for its keeper.
        memory.merge_entities(entity(6), entity(1)).await.unwrap();
        assert!(memory.possible_duplicates().is_empty(), "{:?}", memory.possible_duplicates());
    });
}

#[test]
fn a_page_shows_names_statements_sources_merges_and_commits() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Ana Berg is a vet.", "Ana Lund lives in Oslo.", "Ana Lund lives in Bergen."]).await;
        let find = |name: &str| memory.entities().into_iter().find(|e| e.name == name).unwrap().id;
        let (berg, lund) = (find("Ana Berg"), find("Ana Lund"));
        memory.merge_entities(berg, lund).await.unwrap();
        let page = memory.entity_page(lund).unwrap();
        assert_eq!((page.view.id, page.redirected_from), (berg, Some(lund)));
        assert_eq!((page.view.propositions, page.view.retired), (2, 1));
        let texts: Vec<&str> = page.statements.iter().map(|v| v.proposition.text.as_str()).collect();
        assert!(
            texts.contains(&"Ana Berg is a vet.") && texts.contains(&"Ana Lund lives in Bergen."),
            "{texts:?}"
        );
        assert_eq!(page.retired[0].proposition.text, "Ana Lund lives in Oslo.");
        assert_eq!(page.turns.len(), 3);
        let came: Vec<_> = page.mentions.iter().filter(|m| m.came_from == Some(lund)).collect();
        assert_eq!(came.len(), 2);
        assert!(came.iter().all(|m| m.span == "Ana Lund" && m.turns.len() == 1));
        let alias = page.names.iter().find(|n| n.name == "Ana Lund").unwrap();
        assert_eq!((alias.is_shown, alias.merged_from), (false, Some(lund)));
        assert!(alias.since.as_ref().unwrap().reasons[0].contains("merged `Ana Lund` into `Ana Berg`"));
        assert_eq!(page.merged[0].name, "Ana Lund");
        assert_eq!(page.merged[0].merged.as_ref().unwrap().seq, page.timeline[0].seq);
        assert_eq!(page.timeline.len(), 4, "{:?}", page.timeline);
        assert_eq!(page.timeline[0].actor, Actor::Person);
        assert_eq!(page.timeline_left_out, 0);
        memory.unmerge(lund).await.unwrap();
        assert!(memory.entity_page(berg).unwrap().merged.is_empty());
    });
}

#[test]
fn the_index_is_filtered_and_ordered() {
    run(async {
        let people: [(&str, &[&str]); 3] = [("bea", &[]), ("Ann", &["Zoë"]), ("Cy", &[])];
        let memory = given(&people, &[(2, "Cy rows."), (2, "Cy sings."), (0, "bea sings.")]).await;
        let list = |query: EntityQuery| -> Vec<String> {
            memory.find_entities(&query).into_iter().map(|e| e.name).collect()
        };
        assert_eq!(list(EntityQuery::default()), ["Ann", "bea", "Cy"]);
        let statements = EntityQuery { order: EntityOrder::Statements, ..EntityQuery::default() };
        assert_eq!(list(statements.clone()), ["Cy", "bea", "Ann"]);
        assert_eq!(list(EntityQuery { with_statements: true, limit: Some(1), ..statements }), ["Cy"]);
        assert_eq!(list(EntityQuery { text: "ZOË".into(), ..EntityQuery::default() }), ["Ann"]);
        assert_eq!(list(EntityQuery { label: Some("person".into()), ..EntityQuery::default() }).len(), 3);
        assert!(list(EntityQuery { label: Some("Place".into()), ..EntityQuery::default() }).is_empty());
        memory.describe_entity(entity(1), "An old friend.").await.unwrap();
        assert_eq!(list(EntityQuery { order: EntityOrder::Recent, ..EntityQuery::default() })[0], "Ann");
    });
}

/// 5.8 where the user's own names meet: a fuller one is shown, a shorter one is another name, a chosen one stays.
#[test]
fn the_users_shown_name_is_the_canonical_one() {
    run(async {
        let memory = offline().await;
        let shown = || memory.state().user().unwrap().name.clone();
        tell(&memory, &["My name is Mara.", "My name is Mara Lindt."]).await;
        assert_eq!(shown(), "Mara Lindt");
        tell(&memory, &["I live in Kleve."]).await;
        assert!(live(&memory).contains(&"Mara Lindt lives in Kleve.".to_owned()), "{:?}", live(&memory));
        let user = memory.state().user().unwrap().id;
        memory.rename_entity(user, "Mimi").await.unwrap();
        tell(&memory, &["My name is Maria Lindt."]).await;
        assert_eq!(shown(), "Mimi", "a person chose it");
        assert!(memory.state().user().unwrap().aliases.contains(&"Maria Lindt".to_owned()));
    });
}

/// Whatever was done, the log alone gives the same memory.
#[test]
fn the_log_replays_to_the_same_entities() {
    run(async {
        let memory = given(&SAMS, &SAYINGS).await;
        memory.merge_entities(entity(0), entity(1)).await.unwrap();
        memory.rename_entity(entity(0), "Sam P").await.unwrap();
        memory.unmerge(entity(1)).await.unwrap();
        let split = Split { name: "Sam B".into(), propositions: vec![statement(0)], ..Split::default() };
        memory.split_entity(entity(0), &split).await.unwrap();
        let sibling = Memory::open(memory.ports().sibling(), context(), Config::default()).await.unwrap();
        assert_eq!(contents(&sibling), contents(&memory));
        let of = |memory: &TestMemory| -> Vec<Option<Record>> {
            memory.state().revisions().map(|revision| revision.value.clone()).collect()
        };
        assert_eq!(of(&sibling), of(&memory));
        assert_eq!(sibling.find_entities(&EntityQuery::default()), memory.entities());
    });
}

/// Two people on one memory: a merge that meets another change of the same entity is planned again, not half done.
#[test]
fn a_merge_that_races_another_change_is_planned_again() {
    run(async {
        let memory = given(&SAMS, &SAYINGS).await;
        let sibling: TestMemory = open(TestPorts::sibling(memory.ports())).await;
        sibling.add_alias(entity(1), "Sammie").await.unwrap();
        memory.merge_entities(entity(0), entity(1)).await.unwrap();
        assert!(names(&memory, 0).contains(&"Sammie".to_owned()), "{:?}", names(&memory, 0));
    });
}

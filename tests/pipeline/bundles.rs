//! Bundles: what is exported can be read and taken in, whole, once, and only after everything was checked.

use std::collections::BTreeMap;

use credence::Memory;
use credence::bundle::{
    Bundle, BundleError, Choice, ImportOutcome, ImportReport, Standing, apply_import, contents, export,
    preview_import,
};
use credence::history::{ContentId, Journal, JournalError, MemoryJournal, StoredVector};
use credence::id::ContextId;
use credence::memory::Edit;
use credence::ports::Ids;
use credence::proposition::Status;
use credence::retrieval::Search;
use credence::testing::{FlakyJournal, SequentialIds, TestPorts};
use credence::time::Timestamp;

use super::support::*;

/// A memory with conversations, names, changes of mind and something forgotten, in several scripts.
async fn lived_in() -> TestMemory {
    let memory = offline().await;
    let texts = [
        "My name is Mara. I live in Kleve.",
        "I hate figs.",
        "I love figs.",
        "我住在北京。",
        "My sister Ána is a vet.",
    ];
    tell(&memory, &texts).await;
    memory.remember("Tea is better than coffee \u{1f375} \"quoted\" \\ \u{2028}.").await.unwrap();
    let id = memory.propositions(&Default::default())[0].proposition.id;
    memory.pin(id, true).await.unwrap();
    let last = memory.propositions(&Default::default()).last().unwrap().proposition.id;
    memory.forget(last).await.unwrap();
    memory.search(&Search::new("Where does Mara live?")).await.unwrap();
    memory
}

async fn written(memory: &TestMemory) -> String {
    memory.export().await.unwrap().to_json().unwrap()
}

/// Puts a bundle's memories into an empty store as they are.
async fn restored(bundle: &Bundle) -> MemoryJournal {
    let journal = MemoryJournal::new();
    for bundled in &bundle.contexts {
        journal.replace(&bundled.context, 0, &bundled.contents).await.unwrap();
    }
    journal
}

#[test]
fn case_46_what_is_exported_comes_back_byte_for_byte() {
    run(async {
        let memory = lived_in().await;
        let first = written(&memory).await;
        let bundle = Bundle::read(&first).unwrap();
        assert!(!bundle.contexts[0].contents.uses.is_empty(), "a search was kept");
        let journal = restored(&bundle).await;
        let again = export(&journal, &[context()], Timestamp(5)).await.unwrap();
        assert_ne!(again.exported_at, bundle.exported_at);
        let again = Bundle { exported_at: bundle.exported_at, ..again };
        assert_eq!(again.to_json().unwrap(), first);
        assert_eq!(
            export(&journal, &[], bundle.exported_at).await.unwrap(),
            again,
            "no name means every name"
        );
    });
}

#[test]
fn a_file_that_is_not_whole_says_where_and_what_to_do() {
    run(async {
        let file = written(&lived_in().await).await;
        let refused = |text: &str| Bundle::read(text).unwrap_err();
        for cut in [1, 2, 40, 200, 1500, file.len() / 2, file.len() - 4] {
            let cut = (0..=cut).rev().find(|at| file.is_char_boundary(*at)).unwrap();
            assert!(matches!(refused(&file[..cut]), BundleError::Truncated { .. }), "{cut}");
        }
        let broken = file.replacen(",\"commits\":[\n", ",\"commits\":[\n}", 1);
        let BundleError::Syntax { line, column, .. } = refused(&broken) else { panic!("no syntax error") };
        assert_eq!((line, column), (3, 1));
        let changed = file.replacen("Kleve", "Bonn", 1);
        let BundleError::Checksum { context, .. } = refused(&changed) else { panic!("unnoticed") };
        assert_eq!(context, "test");
        let newer = file.replacen("\"schema\":2", "\"schema\":99", 1);
        let error = refused(&newer);
        assert!(matches!(error, BundleError::NewerSchema { found: 99, .. }), "{error}");
        assert!(error.to_string().contains("update Credence"), "{error}");
        for strange in
            ["", "  \n", "[1, 2]", "hello", "{\"format\":\"other\"}", "{\"name\":\"Seraphina\"}", "\u{89}PNG"]
        {
            assert!(matches!(refused(strange), BundleError::NotABundle { .. }), "{strange}");
        }
        let missing = refused("{\"format\":\"credence-bundle\",\"schema\":2,\"exported_at\":0}");
        assert!(missing.to_string().contains("is missing"), "{missing}");
    });
}

#[test]
fn white_space_is_no_change_and_a_byte_order_mark_is_no_content() {
    run(async {
        let memory = lived_in().await;
        let file = written(&memory).await;
        let spaced = format!("\u{feff}{}", file.replace(",\n", " ,\r\n\t").replace("[\n", "[ "));
        assert_eq!(Bundle::read(&spaced).unwrap(), Bundle::read(&file).unwrap());
    });
}

#[test]
fn a_memory_without_commits_can_be_exported() {
    run(async {
        let empty = offline().await.export().await.unwrap();
        let file = empty.to_json().unwrap();
        assert_eq!(Bundle::read(&file).unwrap(), empty);
        assert_eq!(empty.contexts[0].context, ContextId::new("test").unwrap());
    });
}

fn named(name: &str) -> ContextId {
    ContextId::new(name).unwrap()
}

/// Ports of another device: its ids are its own.
fn device(number: usize) -> TestPorts {
    let ports = TestPorts::offline();
    for _ in 0..number * 20_000 {
        ports.ids.next();
    }
    ports
}

async fn taken(journal: &impl Journal, bundle: &Bundle, choice: Choice) -> Result<ImportReport, BundleError> {
    let choices = bundle.contexts.iter().map(|bundled| (bundled.context.clone(), choice.clone())).collect();
    apply_import(journal, bundle, &choices, Timestamp(1_800_000_000_000), &SequentialIds::default()).await
}

async fn standing(journal: &impl Journal, bundle: &Bundle) -> Standing {
    preview_import(journal, bundle).await.unwrap().contexts[0].standing
}

/// A second device on a copy of a memory.
async fn copy_of(memory: &TestMemory, number: usize) -> TestMemory {
    let ports = device(number);
    let bundle = memory.export().await.unwrap();
    taken(&ports.journal, &bundle, Choice::Merge).await.unwrap();
    open(ports).await
}

/// Everything of `from` merged into `into`.
async fn merge(from: &TestMemory, into: &TestMemory) -> ImportOutcome {
    let bundle = Bundle::read(&written(from).await).unwrap();
    let ports = into.ports();
    let choices = preview_import(&ports.journal, &bundle).await.unwrap().suggested();
    let now = ports.clock.clone();
    let at = credence::ports::Clock::now(&now).at;
    let report = apply_import(&ports.journal, &bundle, &choices, at, &ports.ids).await.unwrap();
    into.refresh().await.unwrap();
    report.contexts[0].outcome.clone()
}

#[test]
fn case_46_a_second_import_adds_nothing() {
    run(async {
        let memory = lived_in().await;
        let bundle = memory.export().await.unwrap();
        let journal = FlakyJournal::default();
        let first = taken(&journal, &bundle, Choice::Merge).await.unwrap();
        assert!(matches!(first.contexts[0].outcome, ImportOutcome::Created { .. }), "{first:?}");
        assert_eq!(contents(&journal, &context()).await.unwrap(), bundle.contexts[0].contents);
        let writes = journal.appends();
        let second = taken(&journal, &bundle, Choice::Merge).await.unwrap();
        assert_eq!(second.contexts[0].outcome, ImportOutcome::Unchanged);
        assert_eq!(second.written().count(), 0);
        assert_eq!(journal.appends(), writes, "nothing was written");
        assert_eq!(standing(&journal, &bundle).await, Standing::Same);
    });
}

#[test]
fn case_46_an_import_that_fails_leaves_the_store_as_it_was() {
    run(async {
        let (one, two) =
            (lived_in().await, Memory::open(device(1), named("zwei"), Default::default()).await.unwrap());
        two.remember("Bo plays the oboe.").await.unwrap();
        let mut bundle = one.export().await.unwrap();
        bundle.contexts.extend(two.export().await.unwrap().contexts);
        let journal = FlakyJournal::default();
        let before = open(TestPorts { journal: journal.clone(), ..device(2) }).await;
        before.remember("Ada likes rain.").await.unwrap();
        let stored = contents(&journal, &context()).await.unwrap();
        for is_written in [false, true] {
            // The first memory is stored; the second is refused, or stored and reported as refused.
            match is_written {
                false => journal.fail_next(JournalError::QuotaExceeded),
                true => journal.fail_after_next(JournalError::QuotaExceeded),
            }
            journal.pass_next();
            let error = taken(&journal, &bundle, Choice::Replace).await.unwrap_err();
            assert!(error.to_string().contains("nothing was imported"), "{error}");
            assert_eq!(contents(&journal, &context()).await.unwrap(), stored);
            assert_eq!(journal.head(&named("zwei")).await.unwrap(), None);
        }
    });
}

#[test]
fn a_choice_that_cannot_be_is_refused_before_anything_is_written() {
    run(async {
        let bundle = lived_in().await.export().await.unwrap();
        let journal = FlakyJournal::default();
        taken(&journal, &bundle, Choice::Merge).await.unwrap();
        let writes = journal.appends();
        let error = taken(&journal, &bundle, Choice::Create { name: context() }).await.unwrap_err();
        assert!(matches!(error, BundleError::Choice { .. }), "{error}");
        let strange = BTreeMap::from([(named("nobody"), Choice::Merge)]);
        let ids = SequentialIds::default();
        let error = apply_import(&journal, &bundle, &strange, Timestamp(0), &ids).await.unwrap_err();
        assert!(error.to_string().contains("not in the bundle"), "{error}");
        assert_eq!(journal.appends(), writes);
        let copy = taken(&journal, &bundle, Choice::Create { name: named("copy") }).await.unwrap();
        assert_eq!(copy.contexts[0].into, named("copy"));
        let copied = Memory::open(TestPorts { journal, ..device(3) }, named("copy"), Default::default())
            .await
            .unwrap();
        assert!(live(&copied).iter().any(|text| text.contains("Kleve")), "{:?}", live(&copied));
    });
}

#[test]
fn a_memory_that_is_ahead_brings_its_commits_as_they_are_and_one_behind_brings_nothing() {
    run(async {
        let here = lived_in().await;
        let there = copy_of(&here, 4).await;
        there.remember("Zoë keeps bees.").await.unwrap();
        let ahead = there.export().await.unwrap();
        let journal = &here.ports().journal;
        assert!(matches!(standing(journal, &ahead).await, Standing::Ahead { commits } if commits > 0));
        let behind = here.export().await.unwrap();
        assert!(matches!(standing(&there.ports().journal, &behind).await, Standing::Behind { .. }));
        assert_eq!(merge(&here, &there).await, ImportOutcome::Unchanged);
        assert!(matches!(merge(&there, &here).await, ImportOutcome::Appended { .. }));
        assert_eq!(contents(journal, &context()).await.unwrap(), ahead.contexts[0].contents);
        assert_eq!(live(&here), live(&there), "an open memory takes it up");
    });
}

#[test]
fn two_memories_that_both_went_on_become_one_and_merging_twice_is_merging_once() {
    run(async {
        let here = lived_in().await;
        let there = copy_of(&here, 5).await;
        let shared = here.propositions(&Default::default())[0].proposition.id;
        let kept = live(&here).len();
        tell(&here, &["Bo plays the oboe.", "Ada likes rain."]).await;
        tell(&there, &["Zoë keeps bees.", "Ada likes rain!"]).await;
        let edit = |text: &str| Edit { text: Some(text.into()), ..Edit::default() };
        here.edit(shared, &edit("Mara lives in Kleve by the Rhine.")).await.unwrap();
        there.edit(shared, &edit("Mara lives in old Kleve.")).await.unwrap();
        let changed_there = there.propositions(&Default::default())[1].proposition.id;
        there.pin(changed_there, true).await.unwrap();

        let bundle = there.export().await.unwrap();
        let preview = preview_import(&here.ports().journal, &bundle).await.unwrap();
        let ImportOutcome::Merged { commit: Some(commit), report } = merge(&there, &here).await else {
            panic!("no merge")
        };
        assert_eq!(preview.contexts[0].merge.as_ref(), Some(&*report), "the preview says what is then done");
        let texts = live(&here);
        assert!(texts.iter().any(|text| text == "Zoë keeps bees."), "{texts:?}");
        assert_eq!(texts.iter().filter(|text| text.contains("rain")).count(), 1, "{texts:?}");
        assert_eq!(texts.len(), kept + 3, "{texts:?}");
        assert_eq!(report.joined.len(), 1, "{report:#?}");
        let rain = here
            .propositions(&Default::default())
            .into_iter()
            .find(|view| view.proposition.text.contains("rain"));
        assert_eq!(rain.unwrap().proposition.grounding.len(), 2, "the evidence of both");
        let conflict = &report.conflicts[..];
        assert_eq!(conflict.len(), 1, "{conflict:#?}");
        assert!(conflict[0].here.contains("by the Rhine") && conflict[0].there.contains("old Kleve"));
        assert!(here.proposition(shared).unwrap().view.proposition.text.contains("by the Rhine"));
        assert!(here.proposition(changed_there).unwrap().view.proposition.pinned, "changed there alone");
        assert_eq!(here.log().commits().last().unwrap().id, commit);

        let stored = contents(&here.ports().journal, &context()).await.unwrap();
        let ImportOutcome::Merged { commit: None, report } = merge(&there, &here).await else {
            panic!("it merged again")
        };
        assert!(
            report.added.is_empty() && report.changed.is_empty() && report.joined.len() == 1,
            "{report:#?}"
        );
        assert_eq!(contents(&here.ports().journal, &context()).await.unwrap(), stored);
        assert!(here.undo(commit, None).await.unwrap().conflicts.is_empty(), "a merge can be undone");
    });
}

#[test]
fn memories_that_never_met_share_the_user_and_things_of_one_name() {
    run(async {
        let here = open(device(6)).await;
        tell(&here, &["My name is Mara. I live in Kleve.", "My sister Ana is a vet."]).await;
        let there = open(device(7)).await;
        tell(&there, &["My name is Mara. I hate figs.", "Ana lives in Bonn."]).await;
        assert!(matches!(merge(&there, &here).await, ImportOutcome::Merged { commit: Some(_), .. }));
        let state = here.state();
        assert_eq!(state.entities().filter(|entity| entity.is_user).count(), 1);
        let anas: Vec<_> =
            state.present_entities().filter(|entity| entity.names().any(|name| name == "Ana")).collect();
        assert_eq!(anas.len(), 1, "{anas:#?}");
        let figs = state.propositions().find(|p| p.text.contains("figs")).unwrap();
        assert_eq!(figs.entities().next(), state.user().map(|user| user.id));
        let known: Vec<_> = state.propositions().flat_map(|p| p.entities().collect::<Vec<_>>()).collect();
        assert!(known.iter().all(|id| state.entity(*id).is_some()), "every mention leads somewhere");
    });
}

#[test]
fn what_one_side_believes_and_the_other_gave_up_is_a_conflict() {
    run(async {
        let here = open(device(8)).await;
        tell(&here, &["I love techno.", "I hate techno."]).await;
        let there = open(device(9)).await;
        tell(&there, &["I love techno."]).await;
        let ImportOutcome::Merged { report, .. } = merge(&there, &here).await else { panic!("no merge") };
        assert!(
            report.conflicts.iter().any(|conflict| conflict.why.contains("only one believes it")),
            "{report:#?}"
        );
        assert_eq!(texts(&here, Status::Contradicted).len(), 1, "ours stays");
        assert_eq!(live(&here).len(), 1);
    });
}

const KEPT: [(u32, &str); 2] =
    [(1, include_str!("../fixtures/bundles/v1.json")), (2, include_str!("../fixtures/bundles/v2.json"))];

#[test]
fn a_bundle_of_every_form_that_was_ever_written_is_read() {
    run(async {
        for (form, file) in KEPT {
            assert!(
                file.contains(&format!("\"schema\":{}{form},", if form == 1 { " " } else { "" })),
                "form {form}"
            );
            let bundle = Bundle::read(file).unwrap_or_else(|error| panic!("form {form}: {error}"));
            let ports = device(10);
            let report = taken(&ports.journal, &bundle, Choice::Merge).await.unwrap();
            assert_eq!(report.written().count(), 1);
            let memory = open(ports).await;
            assert_eq!(
                live(&memory),
                ["User's name is Mara.", "Mara lives in Kleve.", "Mara loves figs."],
                "form {form}"
            );
            assert_eq!(texts(&memory, Status::Contradicted), ["Mara hates figs."]);
            assert_eq!(contents(&memory.ports().journal, &context()).await.unwrap().uses.len(), 1);
            let again = written(&memory).await;
            assert!(
                again.contains("\"schema\":2,\"made_with\""),
                "what is read is written in the present form"
            );
        }
        let changed = KEPT[0].1.replace("Kleve", "Bonn");
        assert!(
            matches!(Bundle::read(&changed), Err(BundleError::Checksum { .. })),
            "an old checksum is checked too"
        );
        assert_eq!(
            KEPT.last().unwrap().0,
            credence::bundle::BUNDLE_SCHEMA,
            "a new form keeps a file of the old one here"
        );
    });
}

#[test]
fn case_49_no_key_endpoint_or_setting_is_in_a_bundle() {
    run(async {
        let memory = offline().await;
        let mut config = memory.config();
        config.user_name = Some("Wilhelmina".into());
        config.chat.chat_llm.model = Some("model-of-the-settings".into());
        memory.set_config(config).unwrap();
        let key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
        tell(&memory, &[&format!("My key is {key}."), "I live in Kleve."]).await;
        memory.search(&Search::new(format!("what is {key}?"))).await.unwrap();
        let file = written(&memory).await;
        for word in [
            key,
            "api_key",
            "base_url",
            "endpoint",
            "model-of-the-settings",
            "similarity_threshold",
            "chat_llm",
        ] {
            assert!(!file.contains(word), "{word}");
        }
        assert!(file.contains("[redacted:"), "and where it was said, a mark stands");
    });
}

#[test]
fn what_was_erased_here_does_not_come_back_with_an_older_copy() {
    run(async {
        let here = open(device(11)).await;
        tell(&here, &["My name is Mara.", "I am allergic to penicillin."]).await;
        let old = here.export().await.unwrap();
        let there = open(device(12)).await;
        tell(&there, &["My name is Mara.", "I am allergic to penicillin.", "I love figs."]).await;
        here.ports().clock.advance_ms(60_000);
        let id = here
            .propositions(&Default::default())
            .into_iter()
            .find(|view| view.proposition.text.contains("penicillin"));
        let target = credence::erasure::ErasureTarget::Proposition { id: id.unwrap().proposition.id };
        here.erase(&target).await.unwrap();
        let journal = &here.ports().journal;
        let again = taken(journal, &old, Choice::Merge).await.unwrap();
        assert_eq!(again.contexts[0].outcome, ImportOutcome::Unchanged, "it is behind");
        let ImportOutcome::Merged { report, .. } = merge(&there, &here).await else { panic!("no merge") };
        assert!(report.not_taken.iter().any(|left| left.why.contains("erased here for ever")), "{report:#?}");
        let stored = written(&here).await;
        assert!(stored.contains("figs"), "{:?}", live(&here));
        let around = |(at, _): (usize, &str)| {
            stored[..at].chars().rev().take(400).collect::<Vec<_>>().into_iter().rev().collect()
        };
        let left: Vec<String> = stored.match_indices("penicillin").map(around).collect();
        assert_eq!(left, [""; 0]);
        let plan = preview_import(journal, &old).await.unwrap();
        let planned = &plan.contexts[0];
        assert!(planned.stays_erased > 0);
        assert!(planned.notes.iter().any(|note| note.contains("stay forgotten")), "{:?}", planned.notes);
    });
}

#[test]
fn replacing_by_an_older_copy_leaves_gone_what_was_erased_here_unless_it_is_asked_for() {
    run(async {
        let here = open(device(17)).await;
        tell(&here, &["My name is Mara.", "I am allergic to penicillin. I love figs."]).await;
        here.search(&Search::new("penicillin")).await.unwrap();
        let old = here.export().await.unwrap();
        here.ports().clock.advance_ms(60_000);
        let all = here.propositions(&Default::default());
        let id = all.iter().find(|view| view.proposition.text.contains("penicillin")).unwrap().proposition.id;
        here.erase(&credence::erasure::ErasureTarget::Proposition { id }).await.unwrap();
        let journal = &here.ports().journal;
        let report = here.state().erasures().next().unwrap().clone();

        let done = taken(journal, &old, Choice::Replace).await.unwrap();
        assert!(matches!(done.contexts[0].outcome, ImportOutcome::Replaced { .. }));
        assert!(done.contexts[0].notes.iter().any(|note| note.contains("stayed forgotten")), "{done:#?}");
        here.refresh().await.unwrap();
        assert!(!written(&here).await.contains("penicillin"), "in no commit, use record or export");
        assert!(live(&here).iter().any(|text| text.contains("figs")), "the rest is the backup's");
        let kept = here.state().erasure(report.id).unwrap().clone();
        assert!(report.tombstones.iter().all(|stone| kept.tombstones.contains(stone)), "and stays away");
        assert_eq!(here.log().commits().last().unwrap().cause, credence::history::Cause::Erasure);
        assert!(here.check_health().await.unwrap().is_sound());

        // The copy knows of it now, so that nothing is left to be carried over.
        let plan = preview_import(journal, &here.export().await.unwrap()).await.unwrap();
        assert_eq!(plan.contexts[0].stays_erased, 0);

        let done = taken(journal, &old, Choice::BringBack).await.unwrap();
        assert!(done.contexts[0].notes.is_empty());
        here.refresh().await.unwrap();
        assert!(live(&here).iter().any(|text| text.contains("penicillin")), "a person wanted it back");
    });
}

#[test]
fn tombstones_go_on_in_a_copy_that_never_had_what_they_stand_for() {
    run(async {
        let here = open(device(18)).await;
        tell(&here, &["My name is Mara."]).await;
        let old = here.export().await.unwrap();
        tell(&here, &["I am allergic to penicillin."]).await;
        here.ports().clock.advance_ms(60_000);
        let all = here.propositions(&Default::default());
        let id = all.iter().find(|view| view.proposition.text.contains("penicillin")).unwrap().proposition.id;
        here.erase(&credence::erasure::ErasureTarget::Proposition { id }).await.unwrap();
        let erasure = here.state().erasures().next().unwrap().id;
        let journal = &here.ports().journal;
        taken(journal, &old, Choice::Replace).await.unwrap();
        here.refresh().await.unwrap();
        assert!(!here.state().erasure(erasure).unwrap().tombstones.is_empty());
        here.lift_tombstones(erasure).await.unwrap();
        taken(journal, &old, Choice::Replace).await.unwrap();
        here.refresh().await.unwrap();
        assert!(here.state().erasure(erasure).is_none(), "what was lifted forbids nothing");
    });
}

#[test]
fn an_erasure_that_was_made_elsewhere_is_made_here_when_the_bundle_is_ahead() {
    run(async {
        let here = open(device(13)).await;
        tell(&here, &["My name is Mara.", "I am allergic to penicillin."]).await;
        here.search(&Search::new("penicillin")).await.unwrap();
        let there = copy_of(&here, 14).await;
        let id = there
            .propositions(&Default::default())
            .into_iter()
            .find(|view| view.proposition.text.contains("penicillin"));
        let target = credence::erasure::ErasureTarget::Proposition { id: id.unwrap().proposition.id };
        there.erase(&target).await.unwrap();
        assert!(matches!(merge(&there, &here).await, ImportOutcome::Appended { commits: 1 }));
        assert!(!written(&here).await.contains("penicillin"), "the past and the use records too");
        assert!(live(&here).iter().all(|text| !text.contains("penicillin")), "an open memory reads anew");
    });
}

#[test]
fn vectors_come_along_and_only_for_what_is_believed_here() {
    run(async {
        let here = open(device(15)).await;
        here.remember("Ada likes rain.").await.unwrap();
        let there = open(device(16)).await;
        there.remember("Bo plays the oboe.").await.unwrap();
        let mut bundle = there.export().await.unwrap();
        let vector =
            |text: &str, x: f32| StoredVector { text: ContentId::of_text(text), vector: vec![x, 0.1 + 0.2] };
        let vectors = vec![vector("Bo plays the oboe.", 0.5), vector("nobody says so", 1.0)];
        bundle.contexts[0].contents.vectors.insert("mini-2".into(), vectors);
        let bundle = Bundle::read(&bundle.to_json().unwrap()).unwrap();
        let report = taken(&here.ports().journal, &bundle, Choice::Merge).await.unwrap();
        assert_eq!(report.contexts[0].vectors, 1);
        let kept = here.ports().journal.vectors(&context(), "mini-2").await.unwrap();
        assert_eq!(kept, [vector("Bo plays the oboe.", 0.5)]);
    });
}

#[test]
fn statements_can_be_read_as_a_list_and_as_a_table() {
    run(async {
        let memory = offline().await;
        tell(
            &memory,
            &[
                "My name is Mara. I live in Kleve.",
                "I love techno.",
                "I hate techno.",
                "My sister Ana is a vet.",
            ],
        )
        .await;
        memory.remember("=SUM(A1) is how \"Bo\", as ever, greets.").await.unwrap();
        let list = memory.as_markdown(&Default::default());
        assert!(
            list.contains("## Mara\n\n") && list.contains("\n- [2026-03-08] Mara lives in Kleve.\n"),
            "{list}"
        );
        assert!(
            list.contains("## No longer believed\n\n- [2026-03-08] Mara loves techno. (contradicted)\n"),
            "{list}"
        );
        let preview = credence::import::inspect("x.md", list.as_bytes(), memory.now()).unwrap();
        assert_eq!(preview.format, credence::import::Format::List, "it can be taken in elsewhere");
        assert_eq!(preview.statements.len(), memory.propositions(&Default::default()).len());
        let table = memory.as_csv(&Default::default());
        let mut lines = table.split("\r\n");
        assert!(lines.next().unwrap().starts_with("id,statement,status,about,confidence,"));
        assert!(table.contains(",\"'=SUM(A1) is how \"\"Bo\"\", as ever, greets.\",ACTIVE,"), "{table}");
        assert!(lines.all(|line| line.is_empty() || line.starts_with('P')));
    });
}

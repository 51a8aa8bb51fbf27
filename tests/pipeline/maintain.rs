//! Maintenance as a whole: runs over real memories, their reports, and that everything they do can be taken back.

mod abstraction;
mod cycles;
mod model;

use credence::config::Config;
use credence::error::Error;
use credence::history::Actor;
use credence::id::{EntityId, PropositionId, TurnId};
use credence::inbox::InboxKind;
use credence::llm::{Cancel, ModelError, Role, scripted::ScriptedModel};
use credence::maintenance::{
    Consolidation, CustomMark, MaintenanceConfig, MaintenanceOptions, MarkOutcome, Pass, RunReport,
    RunTrigger,
};
use credence::operation::SynthesisOptions;
use credence::proposition::{Extractor, Mention, MentionRole, Proposition, Status};
use credence::scale::{Confidence, Decay};
use credence::testing::TestPorts;
use credence::time::{DAY_MS, Timestamp};
use futures::FutureExt;
use uuid::Uuid;

use super::support::*;

fn id(n: u128) -> PropositionId {
    PropositionId::new(Uuid::from_u128(1000 + n))
}

fn fact(memory: &TestMemory, n: u128, text: &str, confidence: f64) -> Proposition {
    let now = memory.now().at;
    let mut fact =
        Proposition::new(id(n), text, Confidence::new(confidence).unwrap(), Extractor::Person, now).unwrap();
    fact.grounding = vec![TurnId::new(Uuid::from_u128(n))];
    fact
}

fn about(mut fact: Proposition, span: &str, entity: u128) -> Proposition {
    let mut mention = Mention::new(span, "Person", MentionRole::Subject);
    mention.entity = Some(EntityId::new(Uuid::from_u128(entity)));
    fact.mentions.push(mention);
    fact
}

async fn save(memory: &TestMemory, facts: &[Proposition]) {
    memory.save(facts, Actor::Host).await.unwrap();
}

fn set(memory: &TestMemory, change: impl FnOnce(&mut MaintenanceConfig)) {
    let mut config: Config = memory.config();
    change(&mut config.maintenance);
    memory.set_config(config).unwrap();
}

async fn maintain(memory: &TestMemory, passes: &[Pass], dry_run: bool) -> RunReport {
    let passes = Some(passes.iter().copied().collect());
    let options = MaintenanceOptions { dry_run, passes, custom: vec![] };
    (*memory.maintain(&options, &Cancel::new(), &mut |_| {}).await.unwrap()).clone()
}

async fn cycle(memory: &TestMemory) -> RunReport {
    (*memory.consolidate_now(&Cancel::new(), &mut |_| {}).await.unwrap()).clone()
}

fn stored(memory: &TestMemory, n: u128) -> Proposition {
    memory.state().proposition(id(n)).cloned().unwrap()
}

fn statuses(memory: &TestMemory) -> Vec<(PropositionId, Status)> {
    memory.state().propositions().map(|p| (p.id, p.status)).collect()
}

fn everything(memory: &TestMemory) -> Vec<Proposition> {
    memory.state().propositions().cloned().collect()
}

fn model(memory: &TestMemory) -> &ScriptedModel {
    &memory.ports().chat
}

async fn with_model() -> TestMemory {
    open(TestPorts::with(ScriptedModel::new())).await
}

#[test]
fn duplicates_become_one_that_rests_on_all_evidence() {
    run(async {
        let memory = offline().await;
        let mut strong = fact(&memory, 1, "Mara is a vegetarian.", 0.9);
        strong.reinforce_count = 2;
        let weak = fact(&memory, 2, "mara is vegetarian", 0.6);
        let near = [
            fact(&memory, 3, "Mara has 2 cats.", 0.9),
            fact(&memory, 4, "Mara has 3 cats.", 0.9),
            fact(&memory, 5, "Mara likes tea.", 0.9),
            fact(&memory, 6, "Mara likes coffee.", 0.9),
        ];
        save(&memory, &[vec![strong, weak], near.to_vec()].concat()).await;
        let seq = memory.state().seq();
        let report = maintain(&memory, &[Pass::Duplicates], false).await;
        assert_eq!(memory.state().seq(), seq + 1, "one commit for all of it");
        let marks = &report.pass(Pass::Duplicates).unwrap().marks;
        assert_eq!(marks.len(), 1);
        assert_eq!(
            (marks[0].proposition, marks[0].survivor, marks[0].key.as_str()),
            (id(2), Some(id(1)), "duplicate")
        );
        assert_eq!(marks[0].outcome, MarkOutcome::Transitioned { to: Status::Stale });
        let survivor = stored(&memory, 1);
        assert_eq!((survivor.grounding.len(), survivor.reinforce_count), (2, 3));
        assert_eq!(survivor.temporal.supersedes, [id(2)]);
        assert_eq!(survivor.confidence.get(), 0.9, "a sweep makes nothing surer");
        assert_eq!(live(&memory).len(), 5);
        assert_eq!(memory.runs()[0], report);
    });
}

#[test]
fn a_run_can_be_undone_with_statuses_and_evidence() {
    run(async {
        let memory = offline().await;
        let mut faded = fact(&memory, 3, "Pia is tired.", 0.9);
        faded.decay = Decay::new(0.9).unwrap();
        save(
            &memory,
            &[
                fact(&memory, 1, "Nia lives in Bonn.", 0.9),
                fact(&memory, 2, "Nia lives in Bonn now.", 0.8),
                faded,
            ],
        )
        .await;
        memory.ports().clock.advance_ms(5 * DAY_MS);
        let before = everything(&memory);
        let report = cycle(&memory).await;
        assert!(report.transitioned() >= 2, "{report:?}");
        assert_ne!(everything(&memory), before);
        let head = memory.state().head().unwrap();
        let undone = memory.undo(head.id, None).await.unwrap();
        assert!(undone.conflicts.is_empty());
        assert_eq!(everything(&memory), before);
        assert!(memory.runs().is_empty(), "the report goes with what it reports");
    });
}

#[test]
fn a_dry_run_writes_its_report_alone_and_collecting_nothing_at_all() {
    run(async {
        let memory = offline().await;
        save(
            &memory,
            &[fact(&memory, 1, "Nia lives in Bonn.", 0.9), fact(&memory, 2, "Nia lives in Bonn.", 0.05)],
        )
        .await;
        let (before, seq) = (everything(&memory), memory.state().seq());
        let custom = [CustomMark::new(id(1), "source-gone", "its mailbox was deleted")];
        let marks = memory.collect(&custom);
        assert_eq!(memory.state().seq(), seq);
        let keys: Vec<&str> = marks.iter().map(|mark| mark.key.as_str()).collect();
        assert_eq!(keys, ["duplicate", "stale", "source-gone"]);
        assert!(marks.iter().all(|mark| mark.outcome == MarkOutcome::Marked));

        let options = MaintenanceOptions { dry_run: true, passes: None, custom: custom.to_vec() };
        let report = memory.maintain(&options, &Cancel::new(), &mut |_| {}).await.unwrap();
        assert_eq!((memory.state().seq(), everything(&memory)), (seq + 1, before.clone()));
        assert!(report.dry && !report.cycle && report.marks().count() == 2);
        assert!(report.marks().all(|mark| mark.outcome == MarkOutcome::Marked));

        let live = memory
            .maintain(&MaintenanceOptions { dry_run: false, ..options }, &Cancel::new(), &mut |_| {})
            .await
            .unwrap();
        assert!(live.marks().any(|mark| mark.key == "source-gone"
            && mark.outcome == MarkOutcome::Transitioned { to: Status::Stale }));
        assert_eq!(memory.runs().len(), 2);
    });
}

/// A second live run finds nothing to do, whatever the first one met.
#[test]
fn a_second_run_changes_nothing() {
    const TEXTS: [&str; 9] = [
        "Nia lives in Bonn.",
        "Nia lives in Bonn now.",
        "Nia lives in Oslo.",
        "Pia loves techno.",
        "Pia hates techno.",
        "用户喜欢茶",
        "用户喜欢茶。",
        "Mara is a vegetarian.",
        "mara is vegetarian",
    ];
    run(async {
        let mut seed: u64 = 7;
        let mut random = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for round in 0..40 {
            let memory = offline().await;
            let facts: Vec<Proposition> = (0..12)
                .map(|n| {
                    let text = TEXTS[random(9) as usize];
                    let mut fact = fact(&memory, n, text, random(101) as f64 / 100.0);
                    fact.decay = Decay::new(random(11) as f64 / 100.0).unwrap();
                    fact.pinned = random(6) == 0;
                    fact.reinforce_count = random(4) as u32;
                    fact.grounding = vec![TurnId::new(Uuid::from_u128(u128::from(random(5))))];
                    fact
                })
                .collect();
            save(&memory, &facts).await;
            memory.ports().clock.advance_ms(random(40) as i64 * DAY_MS);
            let first = cycle(&memory).await;
            let after = everything(&memory);
            let second = cycle(&memory).await;
            let texts = |all: &[Proposition]| {
                all.iter().map(|p| (p.id, p.text.clone(), p.status)).collect::<Vec<_>>()
            };
            assert_eq!(
                texts(&everything(&memory)),
                texts(&after),
                "round {round}: {first:#?} then {second:#?}"
            );
            assert_eq!(everything(&memory), after);
            assert_eq!(second.transitioned(), 0);
            let turns = |facts: &[Proposition]| {
                facts
                    .iter()
                    .filter(|p| p.status.is_live() || p.pinned)
                    .flat_map(|p| p.grounding.clone())
                    .count()
            };
            assert!(turns(&after) > 0, "somebody still stands");
        }
    });
}

/// No evidence is lost: every turn of an absorbed statement is on what stands for it.
#[test]
fn evidence_always_arrives_at_what_stands() {
    run(async {
        let memory = offline().await;
        let facts: Vec<Proposition> =
            (1..=6).map(|n| fact(&memory, n, "Mara is a vegetarian.", 0.5 + n as f64 / 100.0)).collect();
        save(&memory, &facts).await;
        cycle(&memory).await;
        let standing: Vec<Proposition> =
            everything(&memory).into_iter().filter(|p| p.status == Status::Active).collect();
        assert_eq!(standing.len(), 1);
        assert_eq!(standing[0].grounding.len(), 6);
        assert_eq!(standing[0].reinforce_count, 5);
    });
}

#[test]
fn dice_133_removal_is_a_choice_and_stays_in_history() {
    run(async {
        let memory = offline().await;
        let mut old = fact(&memory, 1, "Pia is tired.", 0.5);
        old.decay = Decay::new(0.5).unwrap();
        save(&memory, &[old]).await;
        memory.ports().clock.advance_ms(365 * DAY_MS);
        let mut fresh = fact(&memory, 2, "Mara lives in Oslo.", 0.9);
        fresh.decay = Decay::new(0.01).unwrap();
        save(&memory, &[fresh]).await;
        set(&memory, |m| {
            (m.retire_below, m.revive_above, m.hard_delete, m.delete_below) = (0.3, 0.4, true, 0.3)
        });
        let report = maintain(&memory, &[Pass::DecaySweep], false).await;
        assert_eq!(report.pass(Pass::DecaySweep).unwrap().marks[0].outcome, MarkOutcome::HardDeleted);
        assert!(memory.state().proposition(id(1)).is_none());
        assert_eq!(stored(&memory, 2).status, Status::Active);
        let seq = memory.state().seq();
        let past = memory.log().view_at(seq - 1).unwrap();
        assert!(past.proposition(id(1)).is_some(), "the log still knows it");
    });
}

#[test]
fn what_faded_comes_back_when_it_is_believed_again_and_only_then() {
    run(async {
        let memory = offline().await;
        let mut faded = fact(&memory, 1, "Pia plays chess.", 0.9);
        faded.decay = Decay::new(0.2).unwrap();
        let twin = [fact(&memory, 2, "Nia lives in Bonn.", 0.9), fact(&memory, 3, "Nia lives in Bonn.", 0.8)];
        let by_hand = fact(&memory, 4, "Mara owns a kayak.", 0.9);
        let mut later = fact(&memory, 5, "Mara lives in Bergen.", 0.9);
        later.temporal.valid_from = Some(memory.now().at.plus_ms(90 * DAY_MS));
        save(&memory, &[vec![faded, by_hand, later], twin.to_vec()].concat()).await;
        let edit = credence::memory::Edit { status: Some(Status::Stale), ..Default::default() };
        memory.edit(id(4), &edit).await.unwrap();
        memory.ports().clock.advance_ms(10 * DAY_MS);
        let report = cycle(&memory).await;
        assert_eq!(stored(&memory, 1).status, Status::Stale);
        assert_eq!(stored(&memory, 5).status, Status::Active, "its time has not come: {report:?}");
        assert_eq!(
            stored(&memory, 1).content_revised,
            Timestamp(memory.now().at.0 - 10 * DAY_MS),
            "the clock stays"
        );

        let surer = credence::memory::Edit { confidence: Some(0.95), ..Default::default() };
        memory.edit(id(1), &surer).await.unwrap();
        set(&memory, |m| m.revive = false);
        maintain(&memory, &[Pass::DecaySweep], false).await;
        assert_eq!(stored(&memory, 1).status, Status::Stale, "a sweep of ACTIVE alone");
        set(&memory, |m| m.revive = true);
        let report = maintain(&memory, &[Pass::DecaySweep], false).await;
        let marks: Vec<(&str, PropositionId)> =
            report.marks().map(|m| (m.key.as_str(), m.proposition)).collect();
        assert_eq!(marks, [("revived", id(1))], "no duplicate, and nothing that a person retired");
        assert_eq!(stored(&memory, 1).status, Status::Active);
    });
}

/// Two values of what never changes are a question to the person, asked when they met; a run settles nothing and asks once.
#[test]
fn what_never_changes_is_never_settled_by_a_run() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I was born in 1990.", "I was born in 1991."]).await;
        assert_eq!(memory.inbox().len(), 1, "asked when the second was said");
        let report = maintain(&memory, &[Pass::ContradictionResolution], false).await;
        assert_eq!(report.transitioned(), 0, "{report:?}");
        assert!(
            report
                .marks()
                .any(|m| matches!(&m.outcome, MarkOutcome::Skipped { why } if why.contains("asked"))),
            "{report:?}"
        );
        assert_eq!((live(&memory).len(), memory.inbox().len()), (2, 1));

        let hosted = offline().await;
        save(
            &hosted,
            &[
                fact(&hosted, 1, "Nia was born in Oslo.", 0.9),
                fact(&hosted, 2, "Nia was born in Bergen.", 0.8),
            ],
        )
        .await;
        maintain(&hosted, &[Pass::ContradictionResolution], false).await;
        assert_eq!(live(&hosted).len(), 2, "neither retires the other");
        let kinds: Vec<InboxKind> = hosted.inbox().iter().map(|item| item.kind).collect();
        assert_eq!(kinds, [InboxKind::ImmutableQuestioned]);
        maintain(&hosted, &[Pass::ContradictionResolution], false).await;
        assert_eq!(hosted.inbox().len(), 1, "asked once");
    });
}

#[test]
fn dice_127_the_weaker_of_two_opposites_is_retired_and_a_pinned_one_is_asked_about() {
    run(async {
        let pair = |memory: &TestMemory, old: f64, new: f64| {
            [
                about(fact(memory, 1, "Pia loves techno.", old), "Pia", 7),
                about(fact(memory, 2, "Pia hates techno.", new), "Pia", 7),
            ]
        };
        for (old, new, retired, stays) in [(0.9, 0.3, 2, 1), (0.3, 0.9, 1, 2), (0.8, 0.8, 1, 2)] {
            let memory = offline().await;
            save(&memory, &pair(&memory, old, new)).await;
            let report = maintain(&memory, &[Pass::ContradictionResolution], false).await;
            assert_eq!(stored(&memory, retired).status, Status::Contradicted, "{old} / {new}");
            assert_eq!((stored(&memory, stays).status, report.transitioned()), (Status::Active, 1));
            assert_eq!(stored(&memory, stays).temporal.contradicts, [id(retired)]);
        }
        let memory = offline().await;
        let mut facts = pair(&memory, 0.2, 0.9);
        facts[0].pinned = true;
        save(&memory, &facts).await;
        for round in 0..2 {
            let report = maintain(&memory, &[Pass::ContradictionResolution], false).await;
            assert_eq!(
                (report.transitioned(), statuses(&memory)),
                (0, vec![(id(1), Status::Active), (id(2), Status::Active)])
            );
            let items: Vec<_> = memory.state().inbox_items().cloned().collect();
            assert_eq!(
                (items.len(), items[0].kind),
                (1, InboxKind::PinnedConflict),
                "round {round}: asked once"
            );
            assert!(items[0].is_between(id(2), id(1)), "{}", items[0].question);
        }
    });
}

#[test]
fn a_changed_value_is_superseded_however_sure_it_was() {
    run(async {
        let memory = offline().await;
        let mut old = about(fact(&memory, 1, "Nia lives in Oslo.", 0.95), "Nia", 7);
        old.temporal.observed_at = Some(Timestamp(100));
        let mut new = about(fact(&memory, 2, "Nia lives in Bergen.", 0.6), "Nia", 7);
        new.temporal.observed_at = Some(Timestamp(200));
        let other = about(fact(&memory, 3, "Nia lives in Rome.", 0.9), "Nia", 8);
        save(&memory, &[old, new, other]).await;
        maintain(&memory, &[Pass::ContradictionResolution], false).await;
        let old = stored(&memory, 1);
        assert_eq!((old.status, old.temporal.valid_to), (Status::Superseded, Some(Timestamp(200))));
        assert_eq!(stored(&memory, 2).temporal.supersedes, [id(1)]);
        assert_eq!(stored(&memory, 3).status, Status::Active, "another Nia");
    });
}

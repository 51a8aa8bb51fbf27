//! Revision as an operation of its own: who took whose place, and what follows for what rested on it.

use credence::error::Error;
use credence::extraction::AnalysisReport;
use credence::history::Actor;
use credence::id::{PropositionId, TurnId};
use credence::inbox::{InboxKind, Verdict};
use credence::ports::Ids;
use credence::proposition::{Extractor, Proposition, PropositionQuery, Status};
use credence::revision::{Effect, Followed, MOST_STEPS, Materiality};
use credence::scale::Confidence;
use credence::time::{DAY_MS, Timestamp};

use super::support::*;

fn id_of(memory: &TestMemory, text: &str) -> PropositionId {
    let all = memory.propositions(&PropositionQuery::default());
    all.into_iter().map(|view| view.proposition).find(|p| p.text == text).unwrap().id
}
fn status(memory: &TestMemory, id: PropositionId) -> Status {
    memory.state().proposition(id).unwrap().status
}
fn report(memory: &TestMemory) -> AnalysisReport {
    memory.state().analyses().last().unwrap().clone()
}
fn new_fact(memory: &TestMemory, text: &str) -> Proposition {
    let id = PropositionId::new(memory.ports().ids.next());
    Proposition::new(id, text, Confidence::clamped(0.8), Extractor::Person, memory.now().at).unwrap()
}
/// Stores a statement that rests on others and on nothing else.
async fn above(memory: &TestMemory, text: &str, sources: &[PropositionId]) -> PropositionId {
    let mut p = new_fact(memory, text);
    (p.level, p.source_ids) = (1, sources.to_vec());
    memory.save(std::slice::from_ref(&p), Actor::Host).await.unwrap();
    p.id
}

#[test]
fn what_rested_on_a_mistake_alone_goes_with_it_in_one_commit() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Pia loves techno."]).await;
        let base = id_of(&memory, "Pia loves techno.");
        let summary = above(&memory, "Pia is a friend of loud music.", &[base]).await;
        let higher = above(&memory, "Pia goes out a lot.", &[summary]).await;
        tell(&memory, &["Pia can't stand techno any more."]).await;
        assert_eq!(status(&memory, base), Status::Contradicted);
        assert_eq!([summary, higher].map(|id| status(&memory, id)), [Status::Stale; 2]);
        let found = &report(&memory).outcomes[0].dependants;
        let told: Vec<_> = found.iter().map(|d| (d.proposition, d.materiality, d.effect)).collect();
        let alone = (Materiality::Alone, Effect::Retired);
        assert_eq!(told, [(summary, alone.0, alone.1), (higher, alone.0, alone.1)]);
        assert!(found[0].why.contains("Pia loves techno."), "{found:?}");
        let analysed = |commit: &&std::rc::Rc<credence::history::Commit>| commit.ids.contains_key("analysis");
        let commit = memory.log().commits().iter().rfind(analysed).unwrap().id;
        memory.undo(commit, None).await.unwrap();
        assert_eq!([base, summary, higher].map(|id| status(&memory, id)), [Status::Active; 3]);
    });
}

#[test]
fn what_rested_on_a_past_alone_is_past_with_it() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Oslo."]).await;
        let home = id_of(&memory, "User lives in Oslo.");
        let summary = above(&memory, "User lives in Norway.", &[home]).await;
        memory.ports().clock.advance_ms(30 * DAY_MS);
        tell(&memory, &["I live in Rome."]).await;
        let then = memory.state().proposition(home).unwrap().temporal.valid_to;
        let closed = memory.state().proposition(summary).unwrap().clone();
        assert_eq!((closed.status, closed.temporal.valid_to), (Status::Superseded, then));
        assert_eq!(report(&memory).outcomes[0].dependants[0].effect, Effect::Closed);
        let held = memory.as_of(Timestamp::parse("2026-03-20").unwrap(), memory.now().at).unwrap();
        assert!(held.iter().any(|view| view.proposition.id == summary), "it held as long as its source");
    });
}

#[test]
fn what_rests_on_more_is_asked_about_only_where_it_shows() {
    run(async {
        let memory = offline().await;
        let facts = ["Pia loves techno.", "Pia sings in a choir.", "Pia plays the harp."];
        tell(&memory, &facts).await;
        let ids = facts.map(|text| id_of(&memory, text));
        let broad = above(&memory, "Pia is fond of music.", &ids).await;
        let part = above(&memory, "Pia is fond of choirs and techno.", &ids).await;
        let two = above(&memory, "Pia is musical.", &ids[..2]).await;
        let mut said = new_fact(&memory, "Pia has an ear for sound.");
        (said.level, said.source_ids) = (1, vec![ids[0]]);
        said.grounding = vec![TurnId::new(memory.ports().ids.next())];
        memory.save(std::slice::from_ref(&said), Actor::Host).await.unwrap();
        tell(&memory, &["Pia can't stand techno any more."]).await;
        let found = report(&memory).outcomes[0].dependants.clone();
        let of = |id: PropositionId| {
            let d = found.iter().find(|d| d.proposition == id).unwrap();
            (d.materiality, d.effect)
        };
        assert_eq!(of(broad), (Materiality::Not, Effect::Untouched));
        assert_eq!(of(part), (Materiality::InPart, Effect::Asked), "a word of it is the lost one's alone");
        assert_eq!(of(two), (Materiality::InPart, Effect::Asked), "one source is no more than itself");
        assert_eq!(of(said.id), (Materiality::Not, Effect::Untouched), "it was said as well");
        let asked = memory.inbox();
        assert_eq!(asked.len(), 2);
        assert!(asked.iter().all(|item| item.kind == InboxKind::SupportLost), "{asked:?}");
        assert!(asked[0].question.contains("no longer stands"), "{}", asked[0].question);
        assert_eq!(live(&memory).len(), 7, "nothing that is asked about is retired");
        let item = |id| asked.iter().find(|item| item.proposition.as_ref().unwrap().id == id).unwrap().id;
        memory.decide(item(part), Verdict::Reject).await.unwrap();
        memory.decide(item(two), Verdict::Accept).await.unwrap();
        assert_eq!([part, two].map(|id| status(&memory, id)), [Status::Stale, Status::Active]);
        assert!(memory.inbox().is_empty());
    });
}

#[test]
fn what_is_pinned_is_asked_about_and_rings_end() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Pia loves techno."]).await;
        let base = id_of(&memory, "Pia loves techno.");
        let pinned = above(&memory, "Pia is a friend of loud music.", &[base]).await;
        memory.pin(pinned, true).await.unwrap();
        let (mut one, mut two) = (new_fact(&memory, "Pia goes out."), new_fact(&memory, "Pia is out."));
        (one.level, one.source_ids) = (1, vec![base, two.id]);
        (two.level, two.source_ids) = (1, vec![one.id]);
        memory.save(&[one.clone(), two.clone()], Actor::Host).await.unwrap();
        tell(&memory, &["Pia can't stand techno any more."]).await;
        assert_eq!(status(&memory, pinned), Status::Active);
        assert_eq!(status(&memory, base), Status::Contradicted);
        let kinds: Vec<InboxKind> = memory.inbox().iter().map(|item| item.kind).collect();
        assert!(kinds.contains(&InboxKind::SupportLost), "{kinds:?}");
        assert_eq!(report(&memory).outcomes[0].dependants.len(), 2, "each is looked at once");
    });
}

#[test]
fn a_persons_revision_takes_the_place_and_the_lineage_tells_it() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Oslo."]).await;
        let oslo = id_of(&memory, "User lives in Oslo.");
        memory.pin(oslo, true).await.unwrap();
        let summary = above(&memory, "User lives in Norway.", &[oslo]).await;
        memory.ports().clock.advance_ms(DAY_MS);
        let done = memory.supersede(oslo, "User lives in Rome.", Followed::MovedOn).await.unwrap();
        let rome = done.successor;
        assert_eq!([oslo, summary].map(|id| status(&memory, id)), [Status::Superseded; 2]);
        assert_eq!(done.dependants[0].proposition, summary);
        let (old, new) = {
            let state = memory.state();
            (state.proposition(oslo).unwrap().clone(), state.proposition(rome).unwrap().clone())
        };
        assert!(new.pinned && !old.pinned, "the pin is handed on");
        assert_eq!(new.mentions[0].entity, old.mentions[0].entity, "it is about the same");
        assert_eq!((old.temporal.valid_to, new.temporal.valid_from), (Some(new.created), Some(new.created)));
        memory.ports().clock.advance_ms(DAY_MS);
        let bonn =
            memory.supersede(rome, "User lives in Bonn.", Followed::Corrected).await.unwrap().successor;
        for id in [oslo, rome, bonn] {
            let lineage = memory.lineage(id);
            let ids: Vec<PropositionId> = lineage.steps.iter().map(|s| s.view.proposition.id).collect();
            assert_eq!((ids, lineage.cut), (vec![oslo, rome, bonn], false));
            assert_eq!(lineage.steps[1].follows, [(oslo, Followed::MovedOn)]);
            assert_eq!(lineage.steps[2].follows, [(rome, Followed::Corrected)]);
            assert!(lineage.steps[0].why.contains("revised by a person"), "{lineage:?}");
        }
        assert_eq!(status(&memory, rome), Status::Contradicted);
    });
}

/// core 56: without a predecessor nothing is written.
#[test]
fn core_56_a_revision_of_nothing_changes_nothing() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["I live in Oslo."]).await;
        let commits = memory.log().commits().len();
        let unknown = PropositionId::new(memory.ports().ids.next());
        let refused = memory.supersede(unknown, "User lives in Rome.", Followed::MovedOn).await;
        assert!(matches!(refused, Err(Error::NotFound { .. })));
        let oslo = id_of(&memory, "User lives in Oslo.");
        for text in ["  ", "User lives in Oslo!"] {
            let refused = memory.supersede(oslo, text, Followed::MovedOn).await;
            assert!(matches!(refused, Err(Error::Invalid { .. })), "{text}");
        }
        assert_eq!(memory.log().commits().len(), commits);
        assert!(memory.lineage(unknown).steps.is_empty());
        assert_eq!(memory.lineage(oslo).steps.len(), 1, "alone");
        memory.supersede(oslo, "User lives in Rome.", Followed::MovedOn).await.unwrap();
        let again = memory.supersede(oslo, "User lives in Bonn.", Followed::MovedOn).await;
        assert!(matches!(again, Err(Error::Invalid { .. })), "what was retired is not revised again");
    });
}

#[test]
fn lineages_end_after_fifty_links_and_in_rings() {
    run(async {
        let memory = offline().await;
        let now = memory.now().at;
        let mut chain: Vec<Proposition> = Vec::new();
        for n in 0..60 {
            let mut p = new_fact(&memory, &format!("Nia has {n} cats."));
            p.temporal.valid_from = Some(now.plus_ms(n));
            if let Some(last) = chain.last_mut() {
                p.temporal.supersedes.push(last.id);
                (last.status, last.temporal.valid_to) = (Status::Superseded, p.temporal.valid_from);
            }
            chain.push(p);
        }
        memory.save(&chain, Actor::Host).await.unwrap();
        let lineage = memory.lineage(chain[59].id);
        assert_eq!((lineage.steps.len(), lineage.cut), (MOST_STEPS + 1, true));
        assert_eq!(lineage.steps.last().unwrap().view.proposition.id, chain[59].id);
        let middle = memory.lineage(chain[30].id);
        assert_eq!((middle.steps.len(), middle.cut), (60, false));
        let (mut one, mut two) = (new_fact(&memory, "Bo is in."), new_fact(&memory, "Bo is out."));
        (one.temporal.supersedes, one.status) = (vec![two.id], Status::Superseded);
        (two.temporal.supersedes, two.status) = (vec![one.id], Status::Superseded);
        memory.save(&[one.clone(), two], Actor::Host).await.unwrap();
        assert_eq!(memory.lineage(one.id).steps.len(), 2);
    });
}

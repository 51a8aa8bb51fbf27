//! Answers and the working set: what is checked, what a verdict does, and that every way it can end is visible.

use std::cell::RefCell;
use std::rc::Rc;

use credence::agent::MOST_ROUNDS;
use credence::assembly::RetrievalMode;
use credence::config::Config;
use credence::conversation::TurnState;
use credence::enforcement::{
    Action, CheckedBy, Compliance, ComplianceCheck, ComplianceOutcome, Enforced, EnforcementPhase,
    EnforcementStrategy, Layer, Reading, Violation,
};
use credence::event::Event;
use credence::id::{ConversationId, PropositionId};
use credence::llm::{Author, Cancel, ModelError, Role, scripted::ScriptedModel};
use credence::testing::TestPorts;
use credence::unit::{CompliancePolicy, EvidenceKind};
use futures::future::LocalBoxFuture;

use super::support::*;

/// Mara lives in Kleve: an active unit, and every unit is enforced. The user has asked something.
async fn home(
    change: impl FnOnce(&mut Config),
    model: ScriptedModel,
) -> (TestMemory, ConversationId, PropositionId) {
    let memory = open(TestPorts::with(model)).await;
    memory.ports().chat.set_offline(true);
    // What is enforced is what a test puts into the working set.
    let quiet = |config: &mut Config| config.unit.auto_activate = false;
    let mut config = Config::default();
    quiet(&mut config);
    memory.set_config(config).unwrap();
    tell(&memory, &["My name is Mara. I live in Kleve."]).await;
    memory.ports().chat.set_offline(false);
    let id = memory.state().propositions().find(|p| p.text.contains("Kleve")).map(|p| p.id).unwrap();
    if memory.unit(id).is_none() {
        memory.add_to_working_set(id).await.unwrap();
    }
    let mut config = Config::default();
    quiet(&mut config);
    config.assembly.enforcement_strategy = EnforcementStrategy::PostGeneration;
    config.unit.compliance_policy = CompliancePolicy::Flat;
    change(&mut config);
    memory.set_config(config).unwrap();
    let talk = memory.start_conversation("").await.unwrap();
    user_says(&memory, talk, "Where do I live?").await;
    (memory, talk, id)
}

const WRONG: &str = "You live in Bergen.";
const RIGHT: &str = "You live in Kleve.";
const NOTHING: &str = r#"{"violations": []}"#;

fn report(turn: &credence::conversation::Turn) -> Compliance {
    *turn.compliance.clone().unwrap_or_else(|| panic!("no report on {turn:?}"))
}

#[test]
fn a_contradiction_is_answered_again_with_a_note_of_what_it_contradicts() {
    run(async {
        let model = ScriptedModel::new()
            .reply(Role::Chat, WRONG)
            .reply(Role::Chat, RIGHT)
            .reply(Role::Judge, NOTHING);
        let (memory, talk, home) = home(|_| {}, model).await;
        let phases = Rc::new(RefCell::new(Vec::new()));
        let seen = phases.clone();
        let _subscription = memory.subscribe(move |event| {
            if let Event::Enforcement { phase, .. } = event {
                seen.borrow_mut().push(phase.clone());
            }
        });
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        let report = report(&answer.turn);
        assert_eq!((answer.turn.text.as_str(), report.outcome), (RIGHT, ComplianceOutcome::Compliant));
        assert_eq!(report.attempts.len(), 2);
        let found = &report.attempts[0].violations;
        assert_eq!((found[0].unit, found[0].sentence.as_str(), found[0].by), (home, WRONG, CheckedBy::Rules));
        assert_eq!(report.attempts[0].action, Action::Retry);
        assert_eq!(report.attempts[0].layers, [Layer::Rules], "no model is asked for what rules see");
        assert_eq!(report.attempts[1].layers, [Layer::Rules, Layer::Model]);
        assert_eq!(report.used, [home], "the answer says it and was checked");
        let evidence = memory.unit(home).unwrap().unit.evidence().to_vec();
        assert_eq!((evidence.len(), evidence[0].kind), (1, EvidenceKind::CorrectUse));
        assert_eq!((evidence[0].source.clone(), evidence[0].turn), (talk.to_string(), Some(1)));
        let (_, again) = memory.ports().chat.requests()[1].clone();
        let note = again.messages.last().unwrap();
        assert_eq!(note.author, Author::User);
        assert!(note.text.contains("lives in Kleve") && note.text.contains(WRONG), "{}", note.text);
        let regenerating = |phase: &EnforcementPhase| matches!(phase, EnforcementPhase::Regenerating { contradicted } if contradicted.len() == 1);
        let phases = phases.borrow();
        assert!(phases.len() == 3 && regenerating(&phases[1]), "{phases:?}");
        assert_eq!(memory.state().turns(talk).count(), 2, "the draft is no turn");
        let stored = memory.state().turn(answer.turn.id).cloned().unwrap();
        let json = serde_json::to_string(&stored).unwrap();
        assert_eq!(serde_json::from_str::<credence::conversation::Turn>(&json).unwrap(), stored);
    });
}

#[test]
fn prop_enforcement_max_regenerations_bounds_the_loop() {
    run(async {
        for most in [0, 2] {
            let model = ScriptedModel::new().respond_with(|_, _| Ok(WRONG.into()));
            let (memory, talk, home) = home(|c| c.enforcement.max_regenerations = most, model).await;
            let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
            let report = report(&answer.turn);
            assert_eq!(memory.ports().chat.calls(Role::Chat), most as usize + 1);
            assert_eq!((report.outcome, answer.turn.text.as_str()), (ComplianceOutcome::Violating, WRONG));
            assert_eq!(answer.turn.state, TurnState::Complete);
            assert!(report.reason.contains("Kleve") && report.used.is_empty(), "{}", report.reason);
            assert!(memory.unit(home).unwrap().unit.evidence().is_empty(), "a contradiction is no use");
        }
    });
}

#[test]
fn prop_enforcement_canon_only_and_what_contradicts_canon_is_rejected() {
    run(async {
        for (canon_only, enforced) in [(true, 1), (false, 2)] {
            let model = ScriptedModel::new().respond_with(|_, _| Ok(WRONG.into()));
            let (memory, talk, home) = home(|c| c.enforcement.canon_only = canon_only, model).await;
            memory.canonize_unit(home, "").await.unwrap();
            memory.ports().chat.set_offline(true);
            tell(&memory, &["I have 2 cats."]).await;
            memory.ports().chat.set_offline(false);
            let cats = memory.state().propositions().find(|p| p.text.contains("cats")).map(|p| p.id).unwrap();
            if memory.unit(cats).is_none() {
                memory.add_to_working_set(cats).await.unwrap();
            }
            let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
            let report = report(&answer.turn);
            assert_eq!((report.enforced, report.attempts[0].action), (enforced, Action::Reject));
        }
    });
}

#[test]
fn prop_enforcement_bias_is_what_is_sent() {
    run(async {
        for bias in [0.5, 4.0] {
            let model = ScriptedModel::new().telling_tokens([("Kleve", 7)]).reply(Role::Chat, RIGHT);
            let change = |c: &mut Config| {
                (c.assembly.enforcement_strategy, c.enforcement.bias) =
                    (EnforcementStrategy::LogitBias, bias);
            };
            let (memory, talk, home) = home(change, model).await;
            memory.canonize_unit(home, "").await.unwrap();
            memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
            let (_, request) = memory.ports().chat.requests()[0].clone();
            assert_eq!(request.logit_bias, [(7, bias)].into());
        }
    });
}

#[test]
fn prop_enforcement_fail_closed_withholds_with_the_reason() {
    run(async {
        let model = ScriptedModel::new().respond_with(|_, _| Ok(WRONG.into()));
        let closed = |c: &mut Config| c.enforcement.fail_closed = true;
        let (memory, talk, _) = home(closed, model).await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        assert_eq!(
            (answer.turn.text.as_str(), report(&answer.turn).outcome),
            ("", ComplianceOutcome::Withheld)
        );
        assert!(
            matches!(&answer.turn.state, TurnState::Failed { code, reason } if code == "answer-withheld" && reason.contains("Kleve")),
            "{:?}",
            answer.turn.state
        );

        // What could not be checked is withheld too.
        let unreadable =
            || ScriptedModel::new().reply(Role::Chat, "Kleve is fine.").respond_with(|_, _| Ok("hm".into()));
        let (memory, talk, _) = home_closed(true, unreadable()).await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        assert_eq!(report(&answer.turn).outcome, ComplianceOutcome::Withheld);
        let (memory, talk, _) = home_closed(false, unreadable()).await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        let report = report(&answer.turn);
        assert_eq!(
            (answer.turn.text.as_str(), report.outcome),
            ("Kleve is fine.", ComplianceOutcome::Unchecked)
        );
        assert!(report.reason.contains("check by a model was passed by"), "{}", report.reason);
    });
}

async fn home_closed(closed: bool, model: ScriptedModel) -> (TestMemory, ConversationId, PropositionId) {
    home(|c| c.enforcement.fail_closed = closed, model).await
}

#[test]
fn core_181_182_what_the_model_sees_and_what_it_cannot_make_us_believe() {
    run(async {
        let answer_of = async |c: fn(&mut Config), verdict: &str| {
            let model = ScriptedModel::new()
                .reply(Role::Chat, "Fine. The fjord is in front of your door.")
                .reply(Role::Judge, verdict)
                .respond_with(|role, _| Ok(if role == Role::Judge { NOTHING } else { RIGHT }.into()));
            let (memory, talk, _) = home(c, model).await;
            let turn = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap().turn;
            (report(&turn), memory.ports().chat.calls(Role::Judge))
        };
        let seen =
            r#"{"violations": [{"fact": 1, "sentence": 2, "confidence": 0.9, "reason": "no fjord there"}]}"#;
        let (report, calls) = answer_of(|_| {}, seen).await;
        assert_eq!(
            (report.attempts[0].action, report.outcome, calls),
            (Action::Retry, ComplianceOutcome::Compliant, 2)
        );
        assert_eq!(report.attempts[0].violations[0].by, CheckedBy::Model);

        // 181: no unit passes the filter.
        let (report, calls) = answer_of(|c| c.enforcement.canon_only = true, seen).await;
        assert_eq!((report.outcome, report.enforced, calls), (ComplianceOutcome::Compliant, 0, 0));
        assert!(report.attempts.is_empty());
        let (report, _) = answer_of(|c| c.unit.compliance_policy = CompliancePolicy::Tiered, seen).await;
        assert_eq!(
            report.enforced, 0,
            "prop_unit_compliance_policy: a PROVISIONAL unit is not enforced under TIERED"
        );

        // Numbers that were not shown are left aside, a low confidence is told and not acted on.
        let (report, _) =
            answer_of(|_| {}, r#"{"violations": [{"fact": 7, "sentence": 1, "confidence": 1}]}"#).await;
        assert_eq!(report.attempts.len(), 1);
        assert!(report.attempts[0].warnings[0].contains("not shown"), "{:?}", report.attempts);
        let (report, _) =
            answer_of(|_| {}, r#"{"violations": [{"fact": 1, "sentence": 1, "confidence": "20%"}]}"#).await;
        assert_eq!((report.attempts[0].action, report.attempts[0].violations.len()), (Action::Accept, 1));
    });
}

#[test]
fn a_model_cannot_call_agreement_a_contradiction() {
    run(async {
        let verdict = r#"{"violations": [{"fact": 1, "sentence": 1, "confidence": 1, "reason": "because"}]}"#;
        let model = ScriptedModel::new().reply(Role::Chat, RIGHT).reply(Role::Judge, verdict);
        let (memory, talk, home) = home(|_| {}, model).await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        let report = report(&answer.turn);
        assert_eq!((report.outcome, &report.used[..]), (ComplianceOutcome::Compliant, &[home][..]));
    });
}

#[test]
fn prop_enforcement_check_by_model_and_min_confidence() {
    run(async {
        let model = ScriptedModel::new().respond_with(|_, _| Ok(RIGHT.into()));
        let (memory, talk, _) = home(|c| c.enforcement.check_by_model = false, model).await;
        memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        assert_eq!(memory.ports().chat.calls(Role::Judge), 0);

        let model = ScriptedModel::new().reply(Role::Chat, WRONG).reply(Role::Judge, NOTHING);
        let (memory, talk, _) = home(|c| c.enforcement.min_confidence = 0.95, model).await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        let report = report(&answer.turn);
        assert_eq!(
            (report.attempts.len(), report.attempts[0].violations.len()),
            (1, 1),
            "told, and not acted on"
        );
    });
}

#[test]
fn prop_assembly_enforcement_strategy_changes_what_is_done() {
    run(async {
        use EnforcementStrategy::*;
        for (strategy, checked, biased) in
            [(PromptOnly, false, 0), (PostGeneration, true, 0), (LogitBias, false, 2), (Hybrid, true, 2)]
        {
            let model = ScriptedModel::new()
                .telling_tokens([("Kleve", 7), ("Mara", 8)])
                .respond_with(|role, _| Ok(if role == Role::Judge { NOTHING } else { RIGHT }.into()));
            let change = |c: &mut Config| c.assembly.enforcement_strategy = strategy;
            let (memory, talk, id) = home(change, model).await;
            if strategy.biases() {
                memory.canonize_unit(id, "so it is").await.unwrap();
            }
            let turn = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap().turn;
            assert_eq!(turn.compliance.is_none(), strategy == PromptOnly);
            assert_eq!(memory.ports().chat.calls(Role::Judge) > 0, checked, "{strategy:?}");
            let (_, request) = memory.ports().chat.requests()[0].clone();
            assert_eq!(request.logit_bias.len(), biased, "{strategy:?}");
            if biased > 0 {
                assert!(request.logit_bias.values().all(|bias| *bias == 2.0), "{:?}", request.logit_bias);
                assert_eq!(report(&turn).biased, 2);
            }
        }
        let mut prolog = Config::default();
        prolog.assembly.enforcement_strategy = Prolog;
        assert!(prolog.validate().unwrap_err().contains("logic engine"));
    });
}

#[test]
fn hybrid_goes_on_without_a_bias_and_says_so() {
    run(async {
        let model = ScriptedModel::new().reply(Role::Chat, RIGHT).reply(Role::Judge, NOTHING);
        let (memory, talk, id) =
            home(|c| c.assembly.enforcement_strategy = EnforcementStrategy::Hybrid, model).await;
        memory.canonize_unit(id, "so it is").await.unwrap();
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        let report = report(&answer.turn);
        assert_eq!(report.outcome, ComplianceOutcome::Compliant);
        assert_eq!(report.attempts[0].layers, [Layer::Prompt, Layer::Rules, Layer::Model]);
        assert!(report.attempts[0].warnings[0].contains("does not tell its tokens"), "{report:?}");
    });
}

#[test]
fn cancelling_works_while_drafting_checking_and_answering_again() {
    run(async {
        // While the second draft streams.
        let model = ScriptedModel::new().chunked(4).reply(Role::Chat, WRONG).reply(Role::Chat, RIGHT);
        let (memory, talk, _) = home(|_| {}, model).await;
        let cancel = Cancel::new();
        let mut pieces = 0;
        let stop = cancel.clone();
        let mut sink = |_: &str| {
            pieces += 1;
            if pieces == 7 {
                stop.cancel();
            }
        };
        let answer = memory.answer(talk, &mut sink, &cancel).await.unwrap();
        assert_eq!((answer.turn.text.as_str(), &answer.turn.state), ("You live", &TurnState::Stopped));
        assert_eq!(report(&answer.turn).outcome, ComplianceOutcome::Unchecked);

        // While the draft is checked.
        let model = ScriptedModel::new().reply(Role::Chat, RIGHT);
        let (memory, talk, _) = home(|_| {}, model).await;
        let cancel = Cancel::new();
        let stop = cancel.clone();
        let _subscription = memory.subscribe(move |event| {
            if matches!(event, Event::Enforcement { phase: EnforcementPhase::Checking, .. }) {
                stop.cancel();
            }
        });
        let answer = memory.answer(talk, &mut |_| {}, &cancel).await.unwrap();
        assert_eq!((answer.turn.text.as_str(), &answer.turn.state), (RIGHT, &TurnState::Stopped));
        assert_eq!(report(&answer.turn).outcome, ComplianceOutcome::Unchecked);
        assert!(report(&answer.turn).used.is_empty());
    });
}

#[test]
fn a_model_that_fails_when_asked_again_leaves_the_first_answer_with_its_warning() {
    run(async {
        let gone = ModelError::Server { status: 500, detail: "gone".into() };
        let model = ScriptedModel::new().reply(Role::Chat, WRONG).error(Role::Chat, gone);
        let (memory, talk, _) = home(|_| {}, model).await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        let report = report(&answer.turn);
        assert_eq!((answer.turn.text.as_str(), report.outcome), (WRONG, ComplianceOutcome::Violating));
        assert!(report.reason.contains("gone") && report.kept == Some(0), "{}", report.reason);
    });
}

/// Refuses what speaks of fjords.
struct NoFjords;

impl ComplianceCheck for NoFjords {
    fn check<'a>(
        &'a self,
        reading: Reading<'a>,
        facts: &'a [Enforced],
    ) -> LocalBoxFuture<'a, Result<Vec<Violation>, String>> {
        Box::pin(async move {
            let speaks = reading.answer.contains("fjord");
            Ok(facts
                .iter()
                .filter(|_| speaks)
                .map(|fact| Violation {
                    unit: fact.unit,
                    fact: fact.text.clone(),
                    authority: fact.authority,
                    sentence: reading.answer.to_owned(),
                    reason: "there is no fjord".into(),
                    confidence: 1.0,
                    by: CheckedBy::Host,
                })
                .collect())
        })
    }
}

#[test]
fn a_host_can_bring_a_check_of_its_own() {
    run(async {
        let model = ScriptedModel::new().reply(Role::Chat, "Mind the fjord.").reply(Role::Chat, RIGHT);
        let (memory, talk, _) = home(|c| c.enforcement.check_by_model = false, model).await;
        memory.use_compliance_check(Some(Rc::new(NoFjords)));
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        let report = report(&answer.turn);
        assert_eq!((answer.turn.text.as_str(), report.attempts.len()), (RIGHT, 2));
        assert_eq!(report.attempts[0].layers, [Layer::Rules, Layer::Host]);
    });
}

/// A model that searches in TOOL mode, and what it was sent.
async fn searching(replies: &'static [&'static str]) -> (TestMemory, ConversationId, PropositionId) {
    let left = RefCell::new(replies.iter().rev().copied().collect::<Vec<_>>());
    let model = ScriptedModel::new().respond_with(move |role, _| {
        Ok(match role {
            Role::Chat => left.borrow_mut().pop().unwrap().into(),
            _ => NOTHING.into(),
        })
    });
    home(|config| config.retrieval.mode = RetrievalMode::Tool, model).await
}

const LOOKS: &str = r#"{"tool": "search_memory", "query": "where Mara lives"}"#;

#[test]
fn an_answer_that_searched_is_checked_like_any_other_and_what_it_found_counts_as_given() {
    run(async {
        let (memory, talk, home) = searching(&[LOOKS, RIGHT]).await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        let report = report(&answer.turn);
        assert!(answer.assembled.items.is_empty(), "the prompt itself gives nothing in TOOL mode");
        assert_eq!(report.attempts[0].layers, [Layer::Rules, Layer::Model]);
        assert_eq!((report.outcome, report.used.as_slice()), (ComplianceOutcome::Compliant, &[home][..]));
    });
}

#[test]
fn every_further_try_sees_what_earlier_ones_looked_up_and_has_the_rounds_that_are_left() {
    run(async {
        // The first draft searches, the second one too; the third sees both.
        let (memory, talk, _) = searching(&[LOOKS, WRONG, LOOKS, WRONG, RIGHT]).await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        let report = report(&answer.turn);
        assert_eq!((report.attempts.len(), report.outcome), (3, ComplianceOutcome::Compliant));
        assert_eq!(report.attempts[0].action, Action::Retry);
        assert_eq!(answer.searches.len(), 2);
        let requests = memory.ports().chat.requests();
        let chats: Vec<_> = requests.iter().filter(|(role, _)| *role == Role::Chat).collect();
        let found = |n: usize| {
            chats[n].1.messages.iter().filter(|m| m.text.contains("Found in your long-term memory")).count()
        };
        assert_eq!([0, 1, 2, 3, 4].map(found), [0, 1, 1, 2, 2]);
        let last = &chats[4].1.messages;
        assert_eq!(last.iter().filter(|m| m.text == WRONG).count(), 1, "one draft at a time is put aside");
    });
}

#[test]
fn the_rounds_of_one_answer_are_counted_over_all_its_tries() {
    run(async {
        let (memory, talk, _) = searching(&[LOOKS, LOOKS, LOOKS, WRONG, LOOKS, RIGHT]).await;
        let answer = memory.answer(talk, &mut |_| {}, &Cancel::new()).await.unwrap();
        assert_eq!(answer.searches.len(), MOST_ROUNDS);
        let requests = memory.ports().chat.requests();
        let (_, last) = requests.iter().rfind(|(role, _)| *role == Role::Chat).unwrap();
        assert!(last.messages.last().unwrap().text.contains("no searches left"));
        assert_eq!(answer.turn.text, RIGHT);
    });
}

//! Which entity a name means, through the whole pipeline: homonyms, names in other scripts, questions in the one batched call,
//! vectors, hosts' entities, vetoes.

use std::rc::Rc;

use credence::Memory;
use credence::config::Config;
use credence::embedding::Embedder;
use credence::entity::Entity;
use credence::extraction::{AnalysisReport, Trigger};
use credence::id::EntityId;
use credence::llm::{Cancel, ModelError, Role, scripted::ScriptedModel};
use credence::resolution::{
    Bakeoff, KnownEntity, Level, ResolutionConfig, ResolutionKind, ResolutionOutcome, Searcher,
};
use credence::testing::TestPorts;
use uuid::Uuid;

use super::support::*;

/// An extraction reply: statement and mentions as `span:Kind`, of turn 1.
fn reply(statements: &[(&str, &[&str])]) -> String {
    let entries: Vec<serde_json::Value> = statements
        .iter()
        .map(|(text, mentions)| {
            let mentions: Vec<serde_json::Value> = mentions
                .iter()
                .enumerate()
                .map(|(n, mention)| {
                    let (span, kind) = mention.rsplit_once(':').unwrap();
                    let role = if n == 0 { "SUBJECT" } else { "OBJECT" };
                    serde_json::json!({"span": span, "type": kind, "role": role})
                })
                .collect();
            serde_json::json!({"text": text, "mentions": mentions, "confidence": 0.9, "decay": 0.01, "turns": [1]})
        })
        .collect();
    serde_json::json!({ "propositions": entries }).to_string()
}

/// Answers every decision with nothing.
fn undecided(model: ScriptedModel) -> ScriptedModel {
    model.respond_with(|_, _| Ok(r#"{"items": [], "entities": []}"#.to_owned()))
}

async fn with_config<E: Embedder>(ports: TestPorts<E>, resolution: ResolutionConfig) -> Memory<TestPorts<E>> {
    Memory::open(ports, context(), Config { resolution, ..Config::default() }).await.unwrap()
}

/// Says a text in a conversation of its own and analyses it.
async fn told<E: Embedder>(memory: &Memory<TestPorts<E>>, text: &str) -> Rc<AnalysisReport> {
    let talk = memory.start_conversation("").await.unwrap();
    memory.say(talk, credence::conversation::Speaker::User, text).await.unwrap();
    memory.analyse(talk, Trigger::Now, &Cancel::new(), &mut |_| {}).await.unwrap().remove(0)
}

fn called<E: Embedder>(memory: &Memory<TestPorts<E>>, name: &str) -> Vec<Entity> {
    memory.state().present_entities().filter(|e| e.names().any(|n| n == name)).cloned().collect()
}

fn of<'r>(report: &'r AnalysisReport, span: &str) -> &'r ResolutionOutcome {
    report.resolutions.iter().find(|outcome| outcome.span == span).unwrap()
}

/// Case 30, by a model's kinds: three things of one name; and each is found again.
#[test]
fn homonyms_of_other_kinds_are_other_entities() {
    run(async {
        let memory = scripted(&[
            &reply(&[("Mercury is a cat.", &["Mercury:Animal"])]),
            &reply(&[("Mercury is closest to the sun.", &["Mercury:Planet"])]),
            &reply(&[("Mercury fined Mara.", &["Mercury:Company"])]),
            &reply(&[("Mercury sleeps all day.", &["Mercury:Pet"])]),
        ])
        .await;
        tell(
            &memory,
            &["Mercury is my cat.", "Mercury is closest to the sun.", "Mercury fined us, Mara says."],
        )
        .await;
        let three = called(&memory, "Mercury");
        assert_eq!(three.len(), 3);
        assert!(
            three.iter().all(|entity| entity.possible_duplicates.is_empty()),
            "their kinds exclude each other"
        );
        let again = told(&memory, "Mercury sleeps all day.").await;
        assert_eq!(of(&again, "Mercury").entity, Some(three[0].id));
        assert_eq!(memory.ports().chat.calls(Role::Resolve), 0, "kinds need no model");
    });
}

/// Case 30, one kind: introductions tell two people of one name apart, without a model and in other wordings and languages.
#[test]
fn another_introduction_makes_a_possible_duplicate() {
    run(async {
        for (boss, brother) in [
            ("My boss Sam plays golf.", "My brother Sam plays chess."),
            ("Sam is my boss.", "I have a brother called Sam and my brother Sam sings."),
            ("My manager Sam likes golf.", "My older brother, Sam, likes chess."),
        ] {
            let memory = offline().await;
            tell(&memory, &[boss, brother]).await;
            let both = called(&memory, "Sam");
            assert_eq!(both.len(), 2, "{boss} {brother}: {both:?}");
            let link = &both[1].possible_duplicates[0];
            assert_eq!(link.entity, both[0].id);
            assert!(link.why.contains("boss") && link.why.contains("brother"), "{}", link.why);
            assert_eq!(memory.possible_duplicates().len(), 1, "a person sees the pair");
            tell(&memory, &["My boss Sam is tall."]).await;
            assert_eq!(called(&memory, "Sam").len(), 2, "a known introduction is no third Sam");
        }
    });
}

/// Case 29: vectors far apart part nothing that has one name and kind. Near vectors join nothing that has two names.
struct Contrary;

impl Embedder for Contrary {
    fn space(&self) -> String {
        "contrary".into()
    }
    fn dimension(&self) -> usize {
        3
    }
    fn is_cheap(&self) -> bool {
        true
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        // The town and its poetic name lie near; everything else is turned away by its length.
        let vector = |text: &String| match text.as_str() {
            "Hamburg" | "Elbflorenz des Nordens" => vec![1.0, 0.0, 0.0],
            other if other.len() % 2 == 0 => vec![0.0, 1.0, 0.0],
            _ => vec![0.0, 0.0, 1.0],
        };
        Ok(texts.iter().map(vector).collect())
    }
}

fn contrary(model: ScriptedModel) -> TestPorts<Contrary> {
    let TestPorts { journal, chat, clock, ids, .. } = TestPorts::with(model);
    TestPorts { journal, chat, embedder: Contrary, clock, ids }
}

#[test]
fn the_same_name_and_kind_is_one_whatever_the_vectors() {
    run(async {
        let model = ScriptedModel::new()
            .reply(Role::Extract, reply(&[("Mara bought a DGX.", &["Mara:Person", "DGX:Product"])]))
            .reply(Role::Extract, reply(&[("The DGX trains models for weather.", &["DGX:Product"])]))
            .reply(Role::Extract, reply(&[("dgx is loud at night.", &["dgx:Device"])]));
        let memory = with_config(contrary(undecided(model)), ResolutionConfig::default()).await;
        for text in
            ["I bought a DGX, Mara says.", "The DGX trains models for weather.", "dgx is loud at night."]
        {
            told(&memory, text).await;
        }
        assert_eq!(called(&memory, "DGX").len(), 1);
        assert_eq!(called(&memory, "DGX")[0].aliases, ["dgx"]);
    });
}

#[test]
fn a_near_vector_finds_an_entity_of_another_name() {
    run(async {
        let town = || reply(&[("Mara likes Hamburg.", &["Mara:Person", "Hamburg:Place"])]);
        let poetic = || {
            reply(&[(
                "Mara visited Elbflorenz des Nordens.",
                &["Mara:Person", "Elbflorenz des Nordens:Place"],
            )])
        };
        for (config, found) in [
            (ResolutionConfig::default(), true),
            (ResolutionConfig::without_vector(), false),
            (ResolutionConfig::exact_only(), false),
        ] {
            let model = ScriptedModel::new().reply(Role::Extract, town()).reply(Role::Extract, poetic());
            let memory = with_config(contrary(model), config).await;
            told(&memory, "I like Hamburg, Mara says.").await;
            let report = told(&memory, "I visited Elbflorenz des Nordens, Mara says.").await;
            let outcome = of(&report, "Elbflorenz des Nordens");
            assert_eq!(outcome.level == Level::EmbeddingMatch, found, "{outcome:?}");
            assert_eq!(called(&memory, "Elbflorenz des Nordens").len(), 1);
            assert_eq!(
                called(&memory, "Hamburg").len() == 1 && called(&memory, "Hamburg")[0].aliases.len() == 1,
                found
            );
        }
    });
}

/// Case 17: names keep their script, whole.
#[test]
fn names_of_other_scripts_stay_as_they_are() {
    run(async {
        let model = ScriptedModel::new()
            .reply(
                Role::Extract,
                reply(&[("用户在青石科技上班，老板是李文昊。", &["青石科技:Organization", "李文昊:Person"])]),
            )
            .reply(Role::Extract, reply(&[("李文昊 喜欢 茶", &["李文昊:Person"])]))
            .reply(Role::Extract, reply(&[("Анна Петрова живёт в Казани.", &["Анна Петрова:Person"])]));
        let memory = open(TestPorts::with(undecided(model))).await;
        tell(
            &memory,
            &["我在青石科技上班，老板叫李文昊。", "李文昊 喜欢 茶", "Анна Петрова живёт в Казани."],
        )
        .await;
        for name in ["青石科技", "李文昊", "Анна Петрова"] {
            assert_eq!(called(&memory, name).len(), 1, "{name}");
        }
    });
}

fn duplicate_setup(model: ScriptedModel) -> ScriptedModel {
    model
        .reply(Role::Extract, reply(&[("Maria Rossi sings in a choir.", &["Maria Rossi:Person"])]))
        .reply(Role::Extract, reply(&[("Mario Rossi sings in a band.", &["Mario Rossi:Person"])]))
}

const SUNG: [&str; 2] = ["Maria Rossi sings in a choir.", "Mario Rossi sings in a band."];

/// One call beside extraction: names and statements together.
#[test]
fn open_names_go_into_the_call_that_revision_makes() {
    run(async {
        let decide = |role: Role, request: &credence::llm::ChatRequest| {
            assert_eq!(role, Role::Revise);
            let system = &request.messages[0].text;
            assert!(
                system.starts_with("Task: classify relations") && system.contains("Also: resolve names"),
                "{system}"
            );
            let user = &request.messages[1].text;
            assert!(user.contains("Item 1.") && user.contains("Question 1. Is \"Mario Rossi\""), "{user}");
            assert!(
                user.contains("alike 0.70") && user.contains("known: \"Maria Rossi sings in a choir.\""),
                "{user}"
            );
            let schema = request.schema.as_ref().unwrap().schema.to_string();
            assert!(schema.contains("\"entities\"") && schema.contains("\"items\""));
            Ok(r#"{"items": [{"item": 1, "relations": []}], "entities": [{"question": 1, "candidate": 1, "reason": "a slip of the pen"}]}"#.to_owned())
        };
        let model = duplicate_setup(ScriptedModel::new()).respond_with(decide);
        let memory = open(TestPorts::with(model)).await;
        told(&memory, SUNG[0]).await;
        let report = told(&memory, SUNG[1]).await;
        assert_eq!(report.calls, 2, "one extraction and one decision");
        let outcome = of(&report, "Mario Rossi");
        assert_eq!(
            (outcome.outcome, outcome.level, outcome.confidence),
            (ResolutionKind::Existing, Level::LlmVerification, 0.8)
        );
        assert_eq!((outcome.why.as_str(), outcome.candidates.len()), ("a slip of the pen", 1));
        let people = called(&memory, "Maria Rossi");
        assert_eq!((people.len(), people[0].aliases.clone()), (1, vec!["Mario Rossi".to_owned()]));
        let stored = memory.state().analyses().last().unwrap().clone();
        let json = serde_json::to_string(&stored).unwrap();
        assert!(json.contains("\"level\":\"LLM_VERIFICATION\""), "{json}");
        assert_eq!(serde_json::from_str::<AnalysisReport>(&json).unwrap(), stored);
    });
}

/// What is not answered, is answered with numbers that were not shown, or fails, stays a possible duplicate with a note.
#[test]
fn without_a_usable_answer_the_name_stays_a_possible_duplicate() {
    run(async {
        for (answer, note) in [
            (Ok(r#"{"items": [{"item": 1, "relations": []}]}"#), "stayed open"),
            (Ok(r#"{"items": [], "entities": [{"question": 1, "candidate": 7}]}"#), "names no candidate"),
            (Ok(r#"{"items": [], "entities": "none"}"#), "stayed open"),
        ] {
            let answer: Result<String, ModelError> = answer.map(str::to_owned);
            let model = duplicate_setup(ScriptedModel::new()).respond_with(move |_, _| answer.clone());
            let memory = open(TestPorts::with(model)).await;
            told(&memory, SUNG[0]).await;
            let report = told(&memory, SUNG[1]).await;
            assert!(report.notes.iter().any(|n| n.contains(note)), "{:?}", report.notes);
            let new = called(&memory, "Mario Rossi");
            assert_eq!(new[0].possible_duplicates.len(), 1);
            assert_eq!(new[0].possible_duplicates[0].score, 0.7);
        }
    });
}

#[test]
fn a_model_that_says_no_leaves_no_link_and_off_asks_nobody() {
    run(async {
        let no = r#"{"items": [], "entities": [{"question": 1, "candidate": null, "reason": "his sister"}]}"#;
        let model = duplicate_setup(ScriptedModel::new()).respond_with(move |_, _| Ok(no.to_owned()));
        let memory = open(TestPorts::with(model)).await;
        told(&memory, SUNG[0]).await;
        told(&memory, SUNG[1]).await;
        assert!(called(&memory, "Mario Rossi")[0].possible_duplicates.is_empty(), "it was decided");
        for off in [
            ResolutionConfig { bakeoff: Bakeoff::Off, ..ResolutionConfig::default() },
            ResolutionConfig { heuristic_only: true, ..ResolutionConfig::default() },
            ResolutionConfig { questions_per_window: 0, ..ResolutionConfig::default() },
        ] {
            let silent = |_: Role, request: &credence::llm::ChatRequest| {
                assert!(!request.messages[1].text.contains("Question"), "nothing is asked about names");
                Ok(r#"{"items": []}"#.to_owned())
            };
            let model = duplicate_setup(ScriptedModel::new()).respond_with(silent);
            let memory = with_config(TestPorts::with(model), off).await;
            told(&memory, SUNG[0]).await;
            told(&memory, SUNG[1]).await;
            assert_eq!(called(&memory, "Mario Rossi")[0].possible_duplicates.len(), 1);
        }
    });
}

/// Names alone go to the resolving model; its failure fails no window.
#[test]
fn names_alone_are_asked_of_the_resolving_model() {
    run(async {
        let first = || reply(&[("Maria Rossi sings in a choir.", &["Maria Rossi:Person"])]);
        let second = || reply(&[("Quarterly taxes trouble Mario Rossi.", &["Mario Rossi:Person"])]);
        let answers: [Result<&str, ModelError>; 2] = [
            Ok(r#"{"entities": [{"question": "1", "candidate": "1", "reason": "one singer"}]}"#),
            Err(ModelError::Timeout { after_ms: 5 }),
        ];
        for answer in answers {
            let model = ScriptedModel::new().reply(Role::Extract, first()).reply(Role::Extract, second());
            let model = match &answer {
                Ok(text) => model.reply(Role::Resolve, *text),
                Err(error) => model.error(Role::Resolve, error.clone()),
            };
            let full = ResolutionConfig { bakeoff: Bakeoff::Full, ..ResolutionConfig::default() };
            let memory = with_config(TestPorts::with(model), full).await;
            told(&memory, SUNG[0]).await;
            let report = told(&memory, "Quarterly taxes trouble Mario Rossi.").await;
            assert_eq!(memory.ports().chat.calls(Role::Resolve), 1);
            let (_, request) = memory.ports().chat.requests().last().unwrap().clone();
            assert!(
                request.messages[0].text.starts_with("Task: resolve names"),
                "{}",
                request.messages[0].text
            );
            assert!(
                request.messages[1].text.contains("Expected type: \"Person\""),
                "{}",
                request.messages[1].text
            );
            assert_eq!(report.calls, 2);
            assert_eq!(called(&memory, "Maria Rossi").len(), 1);
            assert_eq!(called(&memory, "Maria Rossi")[0].aliases.is_empty(), answer.is_err());
            assert_eq!(
                report.notes.iter().any(|n| n.contains("1 names stayed open")),
                answer.is_err(),
                "{:?}",
                report.notes
            );
        }
    });
}

/// Two of one name: the model chooses among several.
#[test]
fn a_choice_among_several_is_a_bakeoff() {
    run(async {
        let model = ScriptedModel::new()
            .reply(
                Role::Extract,
                reply(&[("Mara's boss Sam plays golf.", &["Sam:Person"]), ("Mara's brother Sam bakes bread.", &["Sam:Person"])]),
            )
            .reply(Role::Extract, reply(&[("Sam won a trophy.", &["Sam:Person"])]))
            .respond_with(|_, request| {
                let user = &request.messages[1].text;
                if user.contains("Match or none: \"Sam\"") {
                    assert!(user.contains("1. \"Sam\"") && user.contains("2. \"Sam\""), "{user}");
                    Ok(r#"{"items": [], "entities": [{"question": 1, "candidate": 1, "reason": "golf"}]}"#.to_owned())
                } else {
                    Ok(r#"{"items": [], "entities": [{"question": 1, "candidate": null, "reason": "another Sam"}]}"#.to_owned())
                }
            });
        let memory = open(TestPorts::with(model)).await;
        told(&memory, "My boss Sam plays golf and my brother Sam bakes bread, says Mara.").await;
        let sams = called(&memory, "Sam");
        assert_eq!(sams.len(), 2);
        let report = told(&memory, "Sam won a trophy.").await;
        let outcome = of(&report, "Sam");
        assert_eq!((outcome.entity, outcome.level), (Some(sams[0].id), Level::LlmBakeoff));
    });
}

/// A name is data: it cannot leave its quotes in any form of the question.
#[test]
fn hostile_names_stay_quoted() {
    run(async {
        let [hostile, near] = ["Maria", "Mario"].map(|first| format!("{first} \"Rossi\" <b>{{{{ 7*7 }}}}"));
        for bakeoff in [Bakeoff::Compact, Bakeoff::Full] {
            let model = ScriptedModel::new().respond_with(|_, request| {
                let user = &request.messages[1].text;
                assert!(!user.contains("<b>") && !user.contains("49"), "{user}");
                assert!(user.contains("\\\"Rossi\\\"") && !user.contains(" \"Rossi"), "{user}");
                Ok(r#"{"items": [], "entities": []}"#.to_owned())
            });
            for name in [&hostile, &near] {
                let kind = format!("{name}:Person");
                model.then_reply(Role::Extract, reply(&[(&format!("{name} sings."), &[&kind])]));
            }
            let config = ResolutionConfig { bakeoff, ..ResolutionConfig::default() };
            let memory = with_config(TestPorts::with(model), config).await;
            for name in [&hostile, &near] {
                told(&memory, &format!("{name} sings.")).await;
            }
            let requests = memory.ports().chat.requests();
            assert!(requests.iter().any(|(_, request)| request.messages[1].text.contains("Question 1")));
        }
    });
}

#[test]
fn a_hosts_entities_come_first_and_are_pointed_at_or_widened() {
    run(async {
        let id = EntityId::new(Uuid::from_u128(7000));
        let airbnb = Entity::new(id, "Airbnb", "Saas", credence::time::Timestamp(0));
        let config = ResolutionConfig {
            known_entities: vec![KnownEntity { entity: airbnb, role: "a tool of the user".into() }],
            ..ResolutionConfig::default()
        };
        let model = ScriptedModel::new()
            .reply(Role::Extract, reply(&[("Mara uses airbnb daily.", &["airbnb:Saas"])]))
            .reply(Role::Extract, reply(&[("Mara booked Airbnb in Lisbon.", &["Airbnb:Trip"])]));
        let memory = with_config(TestPorts::with(undecided(model)), config).await;
        let pointed = told(&memory, "I use airbnb daily, Mara says.").await;
        assert_eq!(of(&pointed, "airbnb").outcome, ResolutionKind::ReferenceOnly);
        assert!(memory.state().entity(id).is_none(), "it is not written");
        let mentioned = memory.state().propositions().next().unwrap().mentions[0].entity;
        assert_eq!(mentioned, Some(id));
        told(&memory, "I booked Airbnb in Lisbon, Mara says.").await;
        assert_eq!(memory.state().entity(id).unwrap().labels, ["Saas", "Trip"]);
    });
}

#[test]
fn a_veto_is_final_and_its_mention_stays_text() {
    run(async {
        let mut config = Config::default();
        let mut schema = config.schema().clone();
        schema
            .dictionary
            .types
            .push(credence::schema::DynamicType::new("Supplier", "A known supplier.").closed());
        config.schemas.register("closed", schema).unwrap();
        config.schemas.put_in_force(Some("closed")).unwrap();
        let model = ScriptedModel::new().reply(
            Role::Extract,
            reply(&[
                ("Boltwerk delivers screws.", &["Boltwerk:Supplier"]),
                ("Boltwerk raised prices.", &["Boltwerk:Supplier"]),
            ]),
        );
        let memory = Memory::open(TestPorts::with(model), context(), config).await.unwrap();
        let report = told(&memory, "Boltwerk delivers screws. Boltwerk raised prices.").await;
        let outcomes: Vec<_> =
            report.resolutions.iter().filter(|outcome| outcome.span == "Boltwerk").collect();
        assert_eq!(outcomes.len(), 1);
        assert_eq!((outcomes[0].outcome, outcomes[0].entity), (ResolutionKind::Vetoed, None));
        assert!(outcomes[0].why.contains("Supplier"), "{}", outcomes[0].why);
        assert_eq!(live(&memory).len(), 2, "the statements stay");
        assert!(memory.state().propositions().all(|p| p.mentions.iter().all(|m| m.entity.is_none())));
    });
}

#[test]
fn a_model_may_search_for_itself_within_its_rounds() {
    run(async {
        let mut searchers = ResolutionConfig::default().searchers;
        searchers.push(Searcher::Agentic);
        for (steps, found) in [
            (
                vec![
                    r#"{"search": "Rossi choir", "match": null, "reason": ""}"#,
                    r#"{"search": null, "match": 1, "reason": "the same singer"}"#,
                ],
                true,
            ),
            (vec![r#"{"search": null, "match": 9, "reason": "unseen"}"#], false),
            (vec![r#"{"search": "a"}"#, r#"{"search": "b"}"#], false),
        ] {
            let model = steps
                .iter()
                .fold(duplicate_setup(ScriptedModel::new()), |m, step| m.reply(Role::Resolve, *step));
            let model = model.reply(Role::Revise, r#"{"items": [], "entities": []}"#);
            let config = ResolutionConfig {
                agentic_rounds: 2,
                searchers: searchers.clone(),
                ..ResolutionConfig::default()
            };
            let memory = with_config(TestPorts::with(model), config).await;
            told(&memory, SUNG[0]).await;
            let report = told(&memory, SUNG[1]).await;
            assert_eq!(memory.ports().chat.calls(Role::Resolve), steps.len());
            let outcome = of(&report, "Mario Rossi");
            assert_eq!(outcome.searcher == Some(Searcher::Agentic), found, "{outcome:?} {:?}", report.notes);
        }
    });
}

#[test]
fn everything_new_when_the_settings_say_so() {
    run(async {
        let model = ScriptedModel::new()
            .reply(Role::Extract, reply(&[("Ivo sings.", &["Ivo:Person"])]))
            .reply(Role::Extract, reply(&[("Ivo paints.", &["Ivo:Person"])]));
        let config = ResolutionConfig { always_create: true, ..ResolutionConfig::default() };
        let memory = with_config(TestPorts::with(model), config).await;
        told(&memory, "Ivo sings.").await;
        told(&memory, "Ivo paints.").await;
        assert_eq!(called(&memory, "Ivo").len(), 2);
    });
}

/// Why two may be one is said in terms of their names.
#[test]
fn a_possible_duplicate_says_why() {
    run(async {
        let memory = offline().await;
        tell(&memory, &["Pia Berg lives in Lisbon.", "Pia Bergh owns a red kayak."]).await;
        let pairs = memory.possible_duplicates();
        let [pair] = &pairs[..] else { panic!("{pairs:?}") };
        assert!(!pair.why.contains("first mention") && pair.why.contains("Berg"), "{}", pair.why);
    });
}

//! Mention filters in the pipeline: a rejected mention makes no entity, its statement stays, and the report says so.

use credence::Memory;
use credence::config::Config;
use credence::filter::MentionFilters;
use credence::llm::{Role, scripted::ScriptedModel};
use credence::proposition::PropositionQuery;
use credence::testing::TestPorts;
use serde_json::json;

use super::support::*;

const SAID: &str = "This company invested in OpenAI last year.";

fn investment() -> String {
    json!({"propositions": [{
        "text": "This company invested in OpenAI.",
        "turns": [1],
        "confidence": 0.9,
        "mentions": [
            {"span": "This company", "type": "Organization", "role": "SUBJECT"},
            {"span": "OpenAI", "type": "Organization", "role": "OBJECT"},
        ],
    }]})
    .to_string()
}

async fn told(reply: &str, config: Config, said: &str) -> TestMemory {
    let model = ScriptedModel::new().reply(Role::Extract, reply);
    let memory = Memory::open(TestPorts::with(model), context(), config).await.unwrap();
    tell(&memory, &[said]).await;
    memory
}

fn names(memory: &TestMemory) -> Vec<String> {
    memory.entities().into_iter().filter(|entity| !entity.is_user).map(|entity| entity.name).collect()
}

#[test]
fn dice_72_the_filter_decides_what_becomes_an_entity() {
    run(async {
        let memory = told(&investment(), Config::default(), SAID).await;
        assert_eq!(names(&memory), ["OpenAI"]);
        let views = memory.propositions(&PropositionQuery::live());
        let mentions = &views[0].proposition.mentions;
        assert_eq!(mentions.len(), 2, "the mention stays in the statement");
        assert!(mentions[0].entity.is_none() && mentions[1].entity.is_some());

        // Without filters a name that no rule of language rejects makes an entity.
        let open = Config { filters: MentionFilters::from(vec![]), ..Config::default() };
        let reply = investment().replace("This company", "Stuff");
        let unfiltered = told(&reply, open, "Stuff invested in OpenAI last year.").await;
        assert_eq!(names(&unfiltered), ["OpenAI", "Stuff"]);
    });
}

#[test]
fn dice_73_a_statement_survives_its_rejected_mentions() {
    run(async {
        let reply = json!({"propositions": [{
            "text": "This investment doubled in a year.",
            "turns": [1],
            "confidence": 0.9,
            "mentions": [{"span": "This investment", "type": "Thing", "role": "SUBJECT"}],
        }]})
        .to_string();
        let memory = told(&reply, Config::default(), "This investment doubled in a year.").await;
        assert!(names(&memory).is_empty());
        assert_eq!(live(&memory), ["This investment doubled in a year."]);
        let state = memory.state();
        let report = state.analyses().next().unwrap();
        let rejected = &report.mentions.rejections[0];
        assert_eq!((rejected.span.as_str(), rejected.kind.as_str()), ("This investment", "Thing"));
        assert_eq!(rejected.filter, "schema-validated");
        assert!(rejected.reason.contains("Vague reference"), "{}", rejected.reason);
    });
}

#[test]
fn totals_are_read_over_all_reports() {
    run(async {
        let model = ScriptedModel::new().reply(Role::Extract, investment()).reply(
            Role::Extract,
            investment().replace("OpenAI", "The Beatles").replace("This company", "the firm"),
        );
        let memory = Memory::open(TestPorts::with(model), context(), Config::default()).await.unwrap();
        tell(&memory, &[SAID, "the firm invested in The Beatles."]).await;
        let totals = memory.mention_totals();
        assert_eq!((totals.accepted["Organization"], totals.rejected["Organization"]), (2, 2), "{totals:?}");
        assert_eq!(totals.by_rule["no-vague-references"], 2);
        assert_eq!(names(&memory), ["OpenAI", "The Beatles"]);
    });
}

#[test]
fn settings_that_would_allow_everything_in_silence_are_refused() {
    run(async {
        let filters = serde_json::from_value(json!([{"filter": "rules", "rules": []}])).unwrap();
        let memory = offline().await;
        let error = memory.set_config(Config { filters, ..Config::default() }).unwrap_err();
        assert!(error.to_string().contains("filters[0].rules"), "{error}");
    });
}

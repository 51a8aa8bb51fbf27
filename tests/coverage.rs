//! The books of the numbered facts and of the properties: see `support/coverage.rs` for the rule.

use std::collections::BTreeSet;
use std::path::Path;

use credence::config::properties::{LATER, OWN, PROPERTIES};
use credence::config::{Config, PropertyType};
use credence_tests::coverage::{Book, Coverage, properties_held};
use serde_json::json;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests' folder lies in the checkout")
}

/// Counts a book, says so, and sees that nothing is wrong with it.
fn counted(book: Book) -> Coverage {
    let coverage = Coverage::of(root(), book).expect("the checkout can be read");
    println!(
        "{} covered, {} deviated, {} later, {} missing: {:?}",
        coverage.covered.len(),
        coverage.deviated.len(),
        coverage.later.len(),
        coverage.missing.len(),
        coverage.missing
    );
    assert_eq!(coverage.problems, [""; 0]);
    coverage
}

#[test]
fn every_fact_of_knowledge_is_held_and_every_deviation_has_its_test() {
    let missing = counted(Book::KNOWLEDGE).missing;
    assert!(
        missing.is_empty(),
        "facts {missing:?} have neither a test of their number, nor a deviation, nor a reason to wait"
    );
}

#[test]
fn every_fact_of_the_working_set_is_held() {
    let coverage = counted(Book::WORKING_SET);
    let all = [&coverage.covered, &coverage.deviated, &coverage.later, &coverage.missing];
    assert_eq!(all.map(|set| set.len()).iter().sum::<usize>(), 225);
    assert!(
        coverage.missing.is_empty(),
        "facts {:?} have neither a test of their number, nor a deviation, nor a reason to wait",
        coverage.missing
    );
}

/// Facts without a test are told here and by the benchmark; what the books say wrongly fails.
#[test]
fn the_facts_of_scenarios_are_counted() {
    let coverage = counted(Book::SCENARIOS);
    let all = [&coverage.covered, &coverage.deviated, &coverage.later, &coverage.missing];
    assert_eq!(all.map(|set| set.len()).iter().sum::<usize>(), 101);
    assert!(coverage.covered.contains(&1) && coverage.deviated.contains(&68));
}

/// The names of the founding document's tables.
fn named() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("tests/fixtures/properties.txt")).expect("the fixture");
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn every_property_of_the_tables_is_in_the_registry() {
    let known: BTreeSet<&str> =
        PROPERTIES.iter().map(|p| p.name).chain(LATER.iter().map(|later| later.name)).collect();
    assert_eq!(known.len(), PROPERTIES.len() + LATER.len(), "a name stands once");
    assert!(OWN.iter().all(|name| known.contains(name)), "what is ours stands in the registry too");
    let tables = known.iter().copied().filter(|name| !OWN.contains(name)).collect();
    assert_eq!(named().iter().map(String::as_str).collect::<BTreeSet<_>>(), tables);
    assert!(
        PROPERTIES.iter().all(|p| !p.about.is_empty()) && LATER.iter().all(|later| !later.why.is_empty())
    );
}

#[test]
fn properties_are_read_and_set_by_name_and_refuse_what_they_are_not() {
    let default = Config::default();
    for property in PROPERTIES {
        let name = property.name;
        let value = default.property(name).expect(name);
        let mut config = default.clone();
        config.set_property(&format!("arc-mem.{name}"), value.clone()).expect(name);
        assert_eq!(config, default, "{name}");
        let wrong = match property.takes {
            PropertyType::Map | PropertyType::List => json!(7),
            _ => json!({"no": "such value"}),
        };
        let refused = config.set_property(name, wrong).expect_err(name);
        assert!(refused.contains(name) && refused.contains("must be"), "{refused}");
        if let (PropertyType::Int | PropertyType::Double, true) = (property.takes, !property.range.is_empty())
        {
            let refused = config.set_property(name, json!(-99)).expect_err(name);
            assert!(refused.contains(name), "{refused}");
        }
        assert_eq!(config, default, "what is refused changes nothing: {name}");
        let other = match (property.takes, &value) {
            (PropertyType::Bool, value) => json!(value == &json!(false)),
            (PropertyType::MaybeText | PropertyType::Text, _) => json!("another"),
            (PropertyType::MaybeDouble, _) => json!(0.5),
            (PropertyType::Int, value) => json!(value.as_u64().unwrap_or(0) + 1),
            (PropertyType::Enum(choices), value) => {
                let other = choices.iter().find(|choice| json!(choice) != *value);
                other.map_or(json!(null), |choice| json!(choice))
            }
            _ => continue,
        };
        // One that depends on another setting may be refused, in words.
        match config.set_property(name, other.clone()) {
            Ok(()) => assert_eq!(config.property(name), Ok(other), "{name}"),
            Err(refused) => assert!(refused.contains(name), "{refused}"),
        }
    }
    let mut config = default.clone();
    let unknown = config.set_property("unit.budgets", json!(3)).expect_err("no such name");
    assert!(unknown.contains("unit.budget,"), "{unknown}");
    let waits = "maintenance.proactive.prolog-pre-filter-enabled";
    let later = config.set_property(waits, json!(true)).expect_err("for later");
    assert!(later.contains("the logical engine"), "{later}");
    assert_eq!(default.properties().len(), PROPERTIES.len());
}

#[test]
fn every_property_is_live() {
    let names = || PROPERTIES.iter().map(|property| property.name);
    let held = properties_held(root(), names()).expect("the checkout can be read");
    let dead: Vec<&str> = names().filter(|name| !held.contains(name)).collect();
    println!("{} properties live of {}", held.len(), PROPERTIES.len());
    assert!(dead.is_empty(), "no test shows that these change anything: {dead:?}");
}

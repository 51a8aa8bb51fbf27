//! The schema's types, relations, registry and JSON.

use super::*;
use crate::trust::AuthorityTier;

#[test]
fn the_built_in_schema_is_sound_and_complete() {
    let schema = KnowledgeSchema::default();
    assert_eq!(schema.validate(), Ok(()));
    let names: Vec<&str> = schema.dictionary.types.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["Person", "Organization", "Place", "Animal", "Event", "Topic", "Thing"]);
    for known in &schema.dictionary.types {
        assert_eq!(
            schema.dictionary.rules(&known.name, "name").len(),
            3,
            "no rule was left out of {}",
            known.name
        );
    }
    let passes = |kind: &str, span: &str| {
        schema.dictionary.rules(kind, "name").iter().all(|rule| rule.reject(span).is_none())
    };
    for (kind, span) in [
        ("Person", "李"),
        ("Person", "Nia Berg"),
        ("Organization", "Team Liquid"),
        ("Organization", "The Beatles"),
        ("Thing", "Things Fall Apart"),
        ("Topic", "machine learning"),
        ("Place", "The Hague"),
        ("Place", "東京"),
    ] {
        assert!(passes(kind, span), "{kind} {span}");
    }
    for (kind, span) in [
        ("Person", "my friend"),
        ("Person", "somebody"),
        ("Organization", "the company"),
        ("Organization", "work"),
        ("Thing", "stuff"),
        ("Place", "somewhere nice"),
        ("Thing", " "),
    ] {
        assert!(!passes(kind, span), "{kind} {span}");
    }
    let reread = KnowledgeSchema::from_json(&schema.to_json()).unwrap();
    assert_eq!(reread, schema, "what the app shows can be entered again");
    assert_eq!(schema.cardinality("lives in"), Some(Cardinality::One));
    assert_eq!(schema.cardinality("BORN_IN"), Some(Cardinality::Immutable));
    assert_eq!(schema.cardinality("knows"), Some(Cardinality::Many));
    assert_eq!(schema.cardinality("orbits"), None);
}

#[test]
fn types_are_found_by_label_then_case_and_inherit() {
    let dictionary = DataDictionary {
        name: "work".into(),
        types: vec![
            DynamicType::new("Agent", "").with_property("name", vec![crate::filter::MentionRule::NotBlank]),
            DynamicType::new("company", "").with_parent("Agent"),
            DynamicType::new("Biller", "").with_parent("COMPANY").closed(),
        ],
        relationships: vec![],
    };
    assert_eq!(dictionary.validate(), Ok(()));
    assert_eq!(dictionary.type_named("COMPANY").unwrap().name, "company");
    assert!(dictionary.type_named("Ship").is_none());
    assert_eq!(dictionary.rules("Biller", "name").len(), 1, "a grandparent's rule");
    assert!(dictionary.rules("Ship", "name").is_empty());
    assert!(dictionary.is_a("Biller", "agent") && !dictionary.is_a("Agent", "Biller"));
    assert!(dictionary.permits_creation(["company", "Ship"]));
    assert!(!dictionary.permits_creation(["biller"]));
}

#[test]
fn dice_112_predicates_are_derived_from_property_names() {
    let derive = |property: &str| {
        Relationship { from: "A".into(), to: "B".into(), property: property.into(), predicate: None }
            .stated_as()
    };
    assert_eq!(derive("employer"), "has employer");
    assert_eq!(derive("directReports"), "has direct reports");
    assert_eq!(derive("HAS_DIRECT_REPORTS"), "has direct reports");
    assert_eq!(derive("WORKS_AT"), "works at");
}

#[test]
fn dice_123_the_first_of_two_like_predicates_decides() {
    let relations = Relations::empty()
        .with_procedural("LIKES", "is fond of")
        .with_episodic("likes", "liked at a moment")
        .with_predicates_for_subject("Person", KnowledgeType::Semantic, &["owns", "speaks"]);
    assert_eq!(relations.stated_by("Alice likes jazz").unwrap().knowledge, KnowledgeType::Procedural);
    assert!(relations.stated_by("Alice dislikes jazz").is_none());
    assert!(relations.stated_by("Alice does not like jazz").is_none());
    assert_eq!(relations.stated_by("Alice owns a boat").unwrap().subject_type.as_deref(), Some("Person"));
    assert_eq!(relations.named("Owns").unwrap().meaning_or_predicate(), "owns");
    assert_eq!((relations.len(), relations.iter().len()), (4, 4));
}

#[test]
fn floors_are_inclusive() {
    let floor: EvidenceFloor =
        serde_json::from_str(r#"{"minConfidence": 0.7, "minAuthority": "SECONDARY"}"#).unwrap();
    assert!(floor.is_met(0.7, AuthorityTier::Secondary) && floor.is_met(1.0, AuthorityTier::Primary));
    assert!(!floor.is_met(0.6999, AuthorityTier::Primary) && !floor.is_met(0.95, AuthorityTier::Derived));
    assert!(serde_json::from_str::<EvidenceFloor>(r#"{"minConfidence": 1.2}"#).is_err());
}

#[test]
fn json_errors_name_the_place_and_the_remedy() {
    for (json, place, problem) in [
        ("{", "schema", "no JSON"),
        ("[]", "schema", "an object"),
        (r#"{"types": {}}"#, "types", "a list"),
        (r#"{"types": [{"description": "x"}]}"#, "types[0]", "name"),
        (r#"{"types": [{"name": "A"}, {"name": "a"}]}"#, "types[1].name", "another type"),
        (r#"{"types": [{"name": "A", "parents": ["B"]}]}"#, "types[0].parents[0]", "no type `B`"),
        (
            r#"{"types": [{"name": "A", "parents": ["B"]}, {"name": "B", "parents": ["A"]}]}"#,
            "types[0].parents[0]",
            "kind of itself",
        ),
        (
            r#"{"types": [{"name": "A", "creationPermited": false}]}"#,
            "types[0].creationPermited",
            "creationPermitted",
        ),
        (
            r#"{"types": [{"name": "A", "properties": [{"name": "name", "rules": [{"rule": "not-blank"}, {"rule": "length", "min": 9, "max": 2}]}]}]}"#,
            "types[0].properties[0].rules[1]",
            "`min` (9)",
        ),
        (
            r#"{"relationships": [{"from": "A", "to": "B", "property": "x"}]}"#,
            "relationships[0].from",
            "no type `A`",
        ),
        (r#"{"relations": [{"predicate": " "}]}"#, "relations[0].predicate", "needs a predicate"),
        (
            r#"{"relations": [{"predicate": "has", "subjectType": "A"}]}"#,
            "relations[0].subjectType",
            "no type `A`",
        ),
        (
            r#"{"relations": [{"predicate": "has", "evidenceFloor": {"demoteTo": ""}}]}"#,
            "relations[0].evidenceFloor.demoteTo",
            "weaker predicate",
        ),
        (r#"{"relations": [{"predicate": "has", "cardinality": "two"}]}"#, "relations[0]", "two"),
        (r#"{"kinds": []}"#, "kinds", "no such member"),
    ] {
        let error = KnowledgeSchema::from_json(json).unwrap_err();
        assert_eq!(error.place, place, "{json}: {error}");
        assert!(error.problem.contains(problem), "{json}: {error}");
    }
}

#[test]
fn a_registry_falls_back_to_its_default() {
    let mut registry = SchemaRegistry::default();
    assert_eq!(registry.names().collect::<Vec<_>>(), [DEFAULT_SCHEMA]);
    let work = KnowledgeSchema { adherence: SchemaAdherence::STRICT, ..KnowledgeSchema::default() };
    registry.register("work", work.clone()).unwrap();
    assert_eq!(registry.get("work"), Some(&work));
    assert_eq!(registry.get("nope"), None);
    assert_eq!(registry.get_or_default(Some("nope")), registry.get_default());
    assert_eq!(registry.get_or_default(None), &KnowledgeSchema::default());
    assert_eq!(registry.current(), registry.get_default());
    assert!(registry.put_in_force(Some("nope")).unwrap_err().to_string().contains("`work`"));
    registry.put_in_force(Some("work")).unwrap();
    assert_eq!(registry.current(), &work);
    assert_eq!(registry.all().map(|(name, _)| name).collect::<Vec<_>>(), ["default", "work"]);
    let json = serde_json::to_string(&registry).unwrap();
    assert_eq!(serde_json::from_str::<SchemaRegistry>(&json).unwrap(), registry);
    let broken =
        KnowledgeSchema { relations: Relations::empty().with_semantic("", ""), ..KnowledgeSchema::default() };
    assert!(registry.register("broken", broken).is_err() && registry.get("broken").is_none());
    assert!(registry.register(" ", work).is_err());
}

#[test]
fn adherence_is_two_booleans() {
    assert_eq!(SchemaAdherence::default(), SchemaAdherence { entities: true, predicates: false });
    assert_eq!(SchemaAdherence::STRICT, SchemaAdherence { entities: true, predicates: true });
    assert_eq!(SchemaAdherence::RELAXED, SchemaAdherence { entities: false, predicates: false });
}

//! The numbered facts of dice 11.2 about entities, on the real chain over entities in a directory.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::*;
use crate::entity::Entity;
use crate::id::EntityId;
use crate::text::ComparableName;
use crate::time::Timestamp;

fn id(n: u128) -> EntityId {
    EntityId::new(Uuid::from_u128(n))
}

/// An entity of these labels.
fn entity(n: u128, name: &str, labels: &[&str]) -> Entity {
    let mut entity = Entity::new(id(n), name, "", Timestamp(0));
    entity.labels = labels.iter().map(|label| (*label).to_owned()).collect();
    entity
}

fn with_vectors(scores: &[(&Sought, u128, f64)]) -> Prepared {
    let mut near: BTreeMap<String, Vec<(EntityId, f64)>> = BTreeMap::new();
    for (sought, n, score) in scores {
        near.entry(sought.passage()).or_default().push((id(*n), *score));
    }
    let mut prepared = Prepared::default();
    for (passage, near) in near {
        prepared.set_near(passage, near);
    }
    prepared
}

fn decide(
    config: &ResolutionConfig,
    prepared: &Prepared,
    known: &[Entity],
    sought: &Sought,
) -> ResolutionOutcome {
    Chained::of_run(config, prepared).resolve(sought, &Directory::new(known.iter().cloned()))
}

fn plain(known: &[Entity], sought: &Sought) -> ResolutionOutcome {
    decide(&ResolutionConfig::default(), &Prepared::default(), known, sought)
}

#[test]
fn dice_62_a_part_of_the_name() {
    let known = [entity(123, "Johannes Brahms", &["Composer"])];
    let outcome = plain(&known, &Sought::new("Brahms", "Composer"));
    assert_eq!((outcome.outcome, outcome.entity), (ResolutionKind::Existing, Some(id(123))));
    assert_eq!((outcome.searcher, outcome.level), (Some(Searcher::PartialName), Level::HeuristicMatch));
    assert_eq!(outcome.confidence, 0.95);
}

#[test]
fn dice_63_a_vector_alone_must_be_near() {
    let config = ResolutionConfig { heuristic_only: true, ..ResolutionConfig::default() };
    let known = [entity(1, "Johannes Brahms", &["Composer"])];
    let sought = Sought::new("The Master of Hamburg", "Composer");
    let near = decide(&config, &with_vectors(&[(&sought, 1, 0.98)]), &known, &sought);
    assert_eq!(
        (near.outcome, near.entity, near.level),
        (ResolutionKind::Existing, Some(id(1)), Level::EmbeddingMatch)
    );
    let far = decide(&config, &with_vectors(&[(&sought, 1, 0.80)]), &known, &sought);
    assert_eq!((far.outcome, far.level, far.confidence), (ResolutionKind::New, Level::NoMatch, 0.0));
    assert_eq!(far.candidates, [(id(1), 0.80)], "the real score");
    let two = [known[0].clone(), entity(2, "Clara Wieck", &["Composer"])];
    let both = decide(&config, &with_vectors(&[(&sought, 1, 0.98), (&sought, 2, 0.97)]), &two, &sought);
    assert_eq!(both.outcome, ResolutionKind::New, "two are not exactly one");
    let off =
        decide(&ResolutionConfig::without_vector(), &with_vectors(&[(&sought, 1, 0.98)]), &known, &sought);
    assert!(off.candidates.is_empty());
}

/// Upstream takes a suggested id without any look at the entity (deviation D40).
#[test]
fn dice_64_a_suggested_id_is_taken_when_name_and_kind_allow_it() {
    let known = [entity(123, "Johannes Brahms", &["Composer"]), entity(7, "Mercury", &["Planet"])];
    let suggest =
        |name: &str, kind: &str, n: u128| Sought { suggested: Some(id(n)), ..Sought::new(name, kind) };
    let outcome = plain(&known, &suggest("Brahms", "Composer", 123));
    assert_eq!((outcome.entity, outcome.searcher), (Some(id(123)), Some(Searcher::Id)));
    assert_eq!(plain(&known, &suggest("Brahms", "", 123)).entity, Some(id(123)), "no kind, no objection");
    assert_eq!(
        plain(&known, &suggest("the composer", "Composer", 123)).entity,
        Some(id(123)),
        "a pointing span"
    );
    let company = plain(&known, &suggest("Mercury", "Organization", 7));
    assert_eq!((company.entity, company.candidates.len()), (None, 0), "another kind of thing");
    let unlike = plain(&known, &suggest("Wagner", "Composer", 123));
    assert_eq!(
        (unlike.outcome, unlike.candidates),
        (ResolutionKind::New, vec![(id(123), 0.9)]),
        "to be asked about"
    );
    assert_eq!(
        plain(&known, &suggest("Brahms", "Composer", 99)).entity,
        Some(id(123)),
        "an unknown id is no id"
    );
}

fn known(entities: &[Entity]) -> ResolutionConfig {
    let known = |entity: &Entity| KnownEntity { entity: entity.clone(), role: String::new() };
    ResolutionConfig { known_entities: entities.iter().map(known).collect(), ..ResolutionConfig::default() }
}

fn by_host(entities: &[Entity], sought: &Sought) -> ResolutionOutcome {
    decide(&known(entities), &Prepared::default(), &[], sought)
}

#[test]
fn dice_65_known_labels_are_only_pointed_at_and_others_widen() {
    let airbnb = [entity(1, "Airbnb", &["Saas"])];
    let same = by_host(&airbnb, &Sought::new("Airbnb", "Saas"));
    assert_eq!((same.outcome, same.entity), (ResolutionKind::ReferenceOnly, Some(id(1))));
    let other = by_host(&airbnb, &Sought::new("Airbnb", "Trip"));
    assert_eq!((other.outcome, other.entity), (ResolutionKind::Existing, Some(id(1))));
}

#[test]
fn dice_66_among_known_of_one_name_labels_decide_and_then_order() {
    let apples = [entity(1, "Apple", &["Person"]), entity(2, "Apple", &["Saas"])];
    assert_eq!(by_host(&apples, &Sought::new("Apple", "Saas")).entity, Some(id(2)));
    let apples = [entity(2, "Apple", &["Saas"]), entity(3, "Apple", &["Organization"])];
    let first = by_host(&apples, &Sought::new("Apple", "Biller"));
    assert_eq!((first.outcome, first.entity), (ResolutionKind::Existing, Some(id(2))));
}

#[test]
fn dice_67_a_known_user_is_also_a_person() {
    let rod = [entity(1, "Rod Johnson", &["AssistantUser", "User"])];
    let outcome = by_host(&rod, &Sought::new("Rod Johnson", "Person"));
    assert_eq!((outcome.outcome, outcome.entity), (ResolutionKind::Existing, Some(id(1))));
}

#[test]
fn dice_68_letter_case_does_not_matter_and_nothing_known_is_delegated() {
    let airbnb = [entity(1, "Airbnb", &["Saas"])];
    assert_eq!(by_host(&airbnb, &Sought::new("airbnb", "Saas")).entity, Some(id(1)));
    let stored = [entity(9, "Airbnb", &["Saas"])];
    let delegated = decide(&known(&[]), &Prepared::default(), &stored, &Sought::new("Airbnb", "Saas"));
    assert_eq!((delegated.entity, delegated.searcher), (Some(id(9)), Some(Searcher::ExactName)));
    assert_eq!(
        KnownEntities::default().resolve(&Sought::new("Airbnb", ""), &Directory::default()).entity,
        None
    );
}

/// Upstream merges what differs in one digit (deviation D12).
#[test]
fn dice_69_numbered_things_are_never_one() {
    let rows = [
        ("iPhone 14", "iPhone 15"),
        ("Model 3", "Model S"),
        ("ASR1603", "ASR1605"),
        ("Room 3a", "Room 3b"),
        ("Windows 10", "Windows 11"),
        ("Rocky II", "Rocky III"),
        ("گوشی ۱۴", "گوشی ۱۵"),
    ];
    for (one, other) in rows {
        for (known, said) in [(one, other), (other, one)] {
            let sought = Sought::new(said, "Product");
            let stored = [entity(1, known, &["Product"])];
            let vectors = with_vectors(&[(&sought, 1, 0.99)]);
            let outcome = decide(&ResolutionConfig::default(), &vectors, &stored, &sought);
            assert_eq!((outcome.entity, outcome.candidates.len()), (None, 0), "{known} / {said}");
        }
    }
}

#[test]
fn dice_70_short_names_are_never_slips() {
    let outcome = plain(&[entity(1, "abc", &["Product"])], &Sought::new("abd", "Product"));
    assert_eq!((outcome.entity, outcome.candidates.len()), (None, 0));
    let long = plain(&[entity(1, "Katharina", &["Person"])], &Sought::new("Katarina", "Person"));
    assert_eq!((long.entity, long.searcher), (Some(id(1)), Some(Searcher::FuzzyName)));
}

#[test]
fn dice_71_a_chain_needs_a_resolver() {
    let empty = Chained::new(Vec::new()).map(|_| ()).unwrap_err();
    assert!(empty.to_string().contains("at least one resolver"), "{empty}");
    let memory = Directory::new([entity(1, "Sam", &["Person"])]);
    let mut chain =
        Chained::new(vec![Box::new(InMemory::new(&ResolutionConfig::default())), Box::new(AlwaysCreate)])
            .unwrap();
    let sought = Sought::new("Sam", "Person");
    assert_eq!(chain.resolve(&sought, &memory).outcome, ResolutionKind::New, "not met in this run");
    chain.learn(&sought, memory.get(id(1)).unwrap());
    assert_eq!(chain.resolve(&sought, &memory).entity, Some(id(1)), "the first that finds decides");
}

#[test]
fn the_memory_of_a_run_counts_and_forgets() {
    let mut met = InMemory::new(&ResolutionConfig::default());
    let sam = entity(1, "Sam", &["Person"]);
    met.learn(&Sought::new("Sam", "Person"), &sam);
    assert_eq!(met.size(), 1);
    met.clear();
    let memory = Directory::new([sam]);
    assert_eq!((met.size(), met.resolve(&Sought::new("Sam", "Person"), &memory).entity), (0, None));
}

/// What the predecessor would merge and ours asks about, or leaves alone (deviations D41 to D44).
#[test]
fn likeness_makes_candidates_where_it_is_not_sure() {
    let rows: [(&str, &str, &str, bool, bool); 22] = [
        // known, said, kind, found, at least a candidate
        ("Maria", "Mario", "Person", false, true),
        ("Maria Rossi", "Mario Rossi", "Person", false, true),
        ("Anderson", "Andersen", "Person", false, true),
        ("José", "Jose", "Person", false, true),
        ("John Smith", "John Smith Jr.", "Person", false, true),
        ("John Smith Sr.", "John Smith Jr.", "Person", false, false),
        ("John A. Smith", "John B. Smith", "Person", false, false),
        ("Lynda M. Coker", "Coker, Lynda", "Person", true, true),
        ("Anna Müller", "Anna", "Person", true, true),
        ("Johannes Brahms", "Johanes Brahms", "Person", true, true),
        ("New York", "York", "Place", false, false),
        ("Frankfurt am Main", "Frankfurt", "Place", false, true),
        ("Microsoft", "Microsoft Research", "Organization", false, true),
        ("Acme Inc.", "Acme", "Organization", true, true),
        ("Acme, Inc.", "Acme Inc", "Organization", true, true),
        ("Hobbit", "The Hobbit", "Book", true, true),
        ("bass guitar", "guitar", "Topic", false, false),
        ("machine learning", "Learning", "Topic", false, false),
        ("北京大学", "南京大学", "Organization", false, false),
        ("李文昊", "李文昊", "Person", true, true),
        ("Анна Петрова", "анна петрова", "Person", true, true),
        ("Composer", "Painter", "Person", false, false),
    ];
    for (stored, said, kind, found, candidate) in rows {
        let outcome = plain(&[entity(1, stored, &[kind])], &Sought::new(said, kind));
        assert_eq!(outcome.entity.is_some(), found, "{stored} / {said}: {outcome:?}");
        let met = outcome.entity.is_some() || !outcome.candidates.is_empty();
        assert_eq!(met, candidate, "{stored} / {said}: {outcome:?}");
    }
}

/// Two people near by vector with different names are candidates at most (deviation D44).
#[test]
fn a_vector_never_joins_two_people() {
    let sought = Sought::new("Mario Rossi", "Person");
    let near = with_vectors(&[(&sought, 1, 0.99)]);
    let config = ResolutionConfig { fuzzy_ratio: 0.0, ..ResolutionConfig::default() };
    let outcome = decide(&config, &near, &[entity(1, "Maria Rossi", &["Person"])], &sought);
    assert_eq!((outcome.outcome, outcome.candidates), (ResolutionKind::New, vec![(id(1), 0.99)]));
    let swapped = Sought::new("Rossi Maria", "Person");
    let near = with_vectors(&[(&swapped, 1, 0.99)]);
    assert_eq!(
        decide(&config, &near, &[entity(1, "Maria Rossi", &["Person"])], &swapped).entity,
        Some(id(1))
    );
}

/// Found with the vectors that ship: a city lies near its country, and a part near the whole.
#[test]
fn what_belongs_together_is_no_duplicate() {
    for (stored, said, kind, candidate) in [
        ("Berlin", "Germany", "Place", false),
        ("Norway", "Oslo", "City", false),
        ("New York", "York", "Place", false),
        ("Hamburg", "Elbflorenz des Nordens", "Place", true),
    ] {
        let sought = Sought::new(said, kind);
        let near = with_vectors(&[(&sought, 1, 0.81)]);
        let outcome = decide(&ResolutionConfig::default(), &near, &[entity(1, stored, &["Place"])], &sought);
        assert_eq!(!outcome.candidates.is_empty(), candidate, "{stored} / {said}");
    }
}

#[test]
fn switches_of_the_chain() {
    let stored = [entity(1, "Dr. Lise Meitner", &["Person"])];
    let sought = Sought::new("Lise Meitner", "Person");
    assert_eq!(plain(&stored, &sought).searcher, Some(Searcher::NormalizedName));
    let exact = decide(&ResolutionConfig::exact_only(), &Prepared::default(), &stored, &sought);
    assert_eq!(exact.entity, None);
    let always = ResolutionConfig { always_create: true, ..ResolutionConfig::default() };
    let outcome = decide(&always, &Prepared::default(), &stored, &Sought::new("Dr. Lise Meitner", "Person"));
    assert_eq!((outcome.outcome, outcome.entity), (ResolutionKind::New, None));
    let wide = ResolutionConfig { partial_min: 3, ..ResolutionConfig::default() };
    let ada = [entity(2, "Ada Lovelace", &["Person"])];
    assert_eq!(
        plain(&ada, &Sought::new("Ada", "Person")).entity,
        None,
        "three letters are too short by default"
    );
    assert_eq!(decide(&wide, &Prepared::default(), &ada, &Sought::new("Ada", "Person")).entity, Some(id(2)));
}

/// Whoever ready-makes names for comparison keeps the exactly-one rule cheap: one key per name, whatever its order.
#[test]
fn one_key_for_every_order_of_a_persons_name() {
    assert_eq!(ComparableName::new("Coker, Lynda M.").key(), ComparableName::new("Lynda Coker").key());
}

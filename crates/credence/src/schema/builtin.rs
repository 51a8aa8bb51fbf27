//! The built-in schema of a personal memory: seven types that everyday talk is about, what may name them, and the relations
//! whose number of values is common knowledge. Chosen by us; the types are those that the built-in rules and the prompts
//! have always used, the relations those that `text::slot` reads.

use std::sync::LazyLock;

use super::{
    Cardinality, DataDictionary, DynamicType, KnowledgeSchema, KnowledgeType, Relation, Relations,
    SchemaAdherence,
};
use crate::filter::{MentionRule, VAGUE_STARTERS};

static PERSONAL: LazyLock<KnowledgeSchema> = LazyLock::new(make);

/// The schema in force unless a host registers another.
pub(super) fn personal() -> &'static KnowledgeSchema {
    &PERSONAL
}

/// First words beside dice 3.4's that point at something of somebody's instead of naming it.
const MORE_STARTERS: [&str; 17] = [
    "my", "your", "his", "her", "its", "our", "their", "some", "any", "every", "each", "another", "no",
    "many", "several", "few", "such",
];

/// Longest name in characters; longer spans are clauses.
const LONGEST_NAME: u32 = 120;

/// Words of each type that stand for any of its kind. They are starters, not guards: "Team Liquid" and "Things Fall Apart" are
/// names.
const PEOPLE: &[&str] = &[
    "someone",
    "somebody",
    "anyone",
    "anybody",
    "everyone",
    "everybody",
    "nobody",
    "people",
    "friend",
    "friends",
    "colleagues",
    "neighbours",
    "he",
    "she",
    "they",
    "we",
    "you",
];
const ORGANIZATIONS: &[&str] = &["company", "organisation", "organization", "team", "employer", "work"];
const PLACES: &[&str] =
    &["here", "there", "home", "somewhere", "anywhere", "everywhere", "abroad", "outside"];
const THINGS: &[&str] = &["something", "anything", "everything", "nothing", "stuff", "things", "one"];

fn make() -> KnowledgeSchema {
    let of = |name: &str, description: &str, generic: &[&str]| {
        DynamicType::new(name, description).with_property("name", name_rules(generic))
    };
    let types = vec![
        of("Person", "A human being, real or fictional, by name or by a role that only one has.", PEOPLE),
        of("Organization", "A company, institution, club, band, party or team.", ORGANIZATIONS),
        of("Place", "A country, city, address, building, landscape or other location.", PLACES),
        of("Animal", "A single animal with a name, for example a pet.", THINGS),
        of(
            "Event",
            "Something that happens at a time: a wedding, a trip, a concert, an appointment.",
            THINGS,
        ),
        of(
            "Topic",
            "A subject, field, activity, language, genre or idea that people like, learn or discuss.",
            THINGS,
        ),
        of("Thing", "Any other object, product, work or possession.", THINGS),
    ];
    let one = |predicate: &str| Relation::new(predicate, KnowledgeType::Semantic).values(Cardinality::One);
    let fixed =
        |predicate: &str| Relation::new(predicate, KnowledgeType::Semantic).values(Cardinality::Immutable);
    let relations = Relations::empty()
        .with(one("lives in").meaning("has their home in"))
        .with(one("works at").meaning("is employed by"))
        .with(one("works as").meaning("has the occupation"))
        .with(one("married to").meaning("is the spouse of"))
        .with_all(["name", "age", "employer", "job", "boss", "address", "hometown"].map(one))
        .with(fixed("born in").meaning("has the birthplace"))
        .with_all(["birthday", "year of birth", "birthplace", "mother", "father", "blood type"].map(fixed))
        .with_semantic("knows", "is acquainted with")
        .with_semantic("owns", "has as a possession")
        .with_semantic("speaks", "has command of a language")
        .with_procedural("likes", "is fond of")
        .with_procedural("loves", "is very fond of")
        .with_procedural("prefers", "would rather have")
        .with_procedural("enjoys", "takes pleasure in")
        .with_episodic("visited", "was at a place or event")
        .with_episodic("met", "came together with");
    KnowledgeSchema {
        dictionary: DataDictionary { name: "personal memory".into(), types, relationships: Vec::new() },
        relations,
        // A personal memory meets what no list foresees: other types are allowed and said to be less wanted.
        adherence: SchemaAdherence::RELAXED,
    }
}

/// What may name a thing. The parameters are constants that the tests make, so none of the constructors can fail; a rule that
/// did would be left out.
fn name_rules(generic: &[&str]) -> Vec<MentionRule> {
    let rules = [
        Ok(MentionRule::NotBlank),
        MentionRule::no_vague(VAGUE_STARTERS.iter().chain(&MORE_STARTERS).chain(generic)),
        MentionRule::length(Some(1), Some(LONGEST_NAME)),
    ];
    rules.into_iter().flatten().collect()
}

//! The English sentence shapes that [`super::slot`] reads, as data. Chosen by us.

use super::slot::Held;

/// One relation and the phrases that state it. How many values it has is said by [`super::cardinality`].
pub(super) struct Shape {
    /// The relation in words; `age` and `born` are read further.
    pub(super) relation: &'static str,
    /// What the phrases say about time.
    pub(super) held: Held,
    /// Verb phrases, folded. The longest that fits is taken.
    pub(super) phrases: &'static [&'static str],
}

const fn now(relation: &'static str, phrases: &'static [&'static str]) -> Shape {
    Shape { relation, held: Held::Now, phrases }
}

const fn began(relation: &'static str, phrases: &'static [&'static str]) -> Shape {
    Shape { relation, held: Held::Began, phrases }
}

const fn past(relation: &'static str, phrases: &'static [&'static str]) -> Shape {
    Shape { relation, held: Held::Past, phrases }
}

/// Verbs, tried in order: the more special first.
pub(super) const VERBS: &[Shape] = &[
    began(
        "lives in",
        &[
            "moved to",
            "has moved to",
            "have moved to",
            "relocated to",
            "has relocated to",
            "moved back to",
            "has moved back to",
            "settled in",
        ],
    ),
    now(
        "lives in",
        &[
            "lives in",
            "live in",
            "lives at",
            "live at",
            "is living in",
            "am living in",
            "resides in",
            "is based in",
            "am based in",
        ],
    ),
    past(
        "lives in",
        &[
            "lived in",
            "lived at",
            "was living in",
            "used to live in",
            "used to live at",
            "resided in",
            "was based in",
        ],
    ),
    now(
        "works at",
        &[
            "works at",
            "work at",
            "works for",
            "work for",
            "is working at",
            "is working for",
            "am working at",
            "am working for",
            "is employed by",
            "is employed at",
            "am employed by",
        ],
    ),
    past(
        "works at",
        &[
            "worked at",
            "worked for",
            "was working at",
            "was working for",
            "used to work at",
            "used to work for",
            "was employed by",
        ],
    ),
    now("works as", &["works as", "work as", "is working as", "am working as"]),
    past("works as", &["worked as", "was working as", "used to work as"]),
    now("name", &["is called", "is named", "am called"]),
    past("name", &["was called", "used to be called"]),
    began("married to", &["got married to", "has married", "married"]),
    now("married to", &["is married to", "am married to"]),
    past("married to", &["was married to", "used to be married to"]),
    now("engaged to", &["is engaged to", "am engaged to"]),
    past("engaged to", &["was engaged to"]),
    now("born", &["was born"]),
    now("age", &["turned", "is", "am"]),
    now("knows", &["knows", "know"]),
    now("likes", &["likes", "like", "loves", "love", "enjoys", "enjoy", "adores", "adore"]),
    now("visited", &["visited", "has visited", "have visited"]),
    now("has", &["has", "have", "has got", "have got"]),
    now("owns", &["owns", "own"]),
    now("speaks", &["speaks", "speak"]),
    now("plays", &["plays", "play"]),
];

/// Words that make a sentence something else than a plain statement of how things are.
pub(super) const HEDGES: [&str; 30] = [
    "may",
    "might",
    "would",
    "could",
    "should",
    "will",
    "if",
    "unless",
    "maybe",
    "perhaps",
    "possibly",
    "probably",
    "wants",
    "want",
    "wanted",
    "hopes",
    "plans",
    "said",
    "says",
    "thinks",
    "think",
    "believes",
    "claims",
    "seems",
    "likely",
    "when",
    "whether",
    "wishes",
    "dreams",
    "considering",
];

/// Words that put a statement into the past, whatever its verb.
pub(super) const ENDED: [&str; 4] = ["used", "once", "formerly", "previously"];

/// Words at which a value ends.
pub(super) const VALUE_ENDS: [&str; 26] = [
    "with", "since", "because", "and", "but", "for", "as", "where", "which", "who", "that", "until", "till",
    "while", "so", "after", "before", "during", "ago", "last", "next", "by", "near", "when", "from", "or",
];

/// Time and emphasis that may trail a value.
pub(super) const TRAILING: [&str; 13] = [
    "now",
    "currently",
    "today",
    "nowadays",
    "these days",
    "at the moment",
    "at present",
    "right now",
    "too",
    "as well",
    "again",
    "permanently",
    "recently",
];

/// Owners' relations of which there may be several, so that "Nia's sister" need not be the same person twice.
pub(super) const UNIQUE_ROLES: [&str; 12] = [
    "mother", "father", "mum", "mom", "dad", "wife", "husband", "spouse", "partner", "boss", "manager",
    "employer",
];

/// The like in other languages, where the owner is a genitive or follows.
pub(super) const SEVERAL_ROLES: [&str; 39] = [
    "schwester",
    "bruder",
    "freund",
    "freundin",
    "tochter",
    "sohn",
    "kollege",
    "kollegin",
    "nachbar",
    "nachbarin",
    "tante",
    "onkel",
    "cousin",
    "cousine",
    "katze",
    "hund",
    "kind",
    "sœur",
    "frère",
    "ami",
    "amie",
    "fille",
    "fils",
    "collègue",
    "hermana",
    "hermano",
    "amigo",
    "amiga",
    "hija",
    "hijo",
    "irmã",
    "irmão",
    "filha",
    "filho",
    "сестра",
    "брат",
    "друг",
    "подруга",
    "дочь",
];

/// Subjects that name nobody: two statements about "she" may be about two people.
pub(super) const PRONOUNS: [&str; 16] = [
    "he", "she", "it", "they", "we", "you", "this", "that", "these", "those", "there", "who", "someone",
    "somebody", "everyone", "nobody",
];

/// Words after "has" that make it an auxiliary, besides past forms.
pub(super) const NOT_OWNED: [&str; 14] = [
    "to", "been", "had", "just", "recently", "already", "gone", "become", "also", "always", "long", "never",
    "read", "put",
];

/// First words of the phrases above that are a verb's base form.
pub(super) const BASE_FORMS: [&str; 11] =
    ["live", "work", "know", "like", "love", "enjoy", "adore", "have", "own", "speak", "play"];

/// Adverbs that may follow a subject.
pub(super) const SUBJECT_ADVERBS: [&str; 10] =
    ["recently", "now", "currently", "still", "also", "just", "really", "already", "actually", "finally"];

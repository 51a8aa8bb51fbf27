//! The English sentence shapes that [`super::slot`] reads, as data. Chosen by us.

/// One relation and the phrases that state it.
pub(super) struct Shape {
    /// The relation in words; `age` and `born` are read further.
    pub(super) relation: &'static str,
    /// Verb phrases, folded. The longest that fits is taken.
    pub(super) phrases: &'static [&'static str],
    /// One value at a time.
    pub(super) single_valued: bool,
}

const fn one(relation: &'static str, phrases: &'static [&'static str]) -> Shape {
    Shape { relation, phrases, single_valued: true }
}

const fn many(relation: &'static str, phrases: &'static [&'static str]) -> Shape {
    Shape { relation, phrases, single_valued: false }
}

/// Verbs, tried in order: the more special first.
pub(super) const VERBS: &[Shape] = &[
    one(
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
            "moved to",
            "has moved to",
            "have moved to",
            "relocated to",
            "moved back to",
        ],
    ),
    one(
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
    one("works as", &["works as", "work as", "is working as", "am working as"]),
    one("name", &["is called", "is named", "am called"]),
    one("married to", &["is married to", "am married to", "got married to"]),
    one("born", &["was born"]),
    one("age", &["turned", "is", "am"]),
    many("knows", &["knows", "know"]),
    many("likes", &["likes", "like", "loves", "love", "enjoys", "enjoy", "adores", "adore"]),
    many("visited", &["visited", "has visited", "have visited"]),
    many("has", &["has", "have", "has got", "have got"]),
    many("owns", &["owns", "own"]),
    many("speaks", &["speaks", "speak"]),
    many("plays", &["plays", "play"]),
];

/// Nouns of which one subject has one: "X's … is Y". Telephone numbers and e-mail addresses are not among
/// them; people have several.
pub(super) const FUNCTIONAL_NOUNS: [&str; 30] = [
    "name",
    "first name",
    "last name",
    "surname",
    "full name",
    "birthday",
    "date of birth",
    "birth date",
    "birthplace",
    "age",
    "mother",
    "father",
    "wife",
    "husband",
    "spouse",
    "hometown",
    "home town",
    "nationality",
    "blood type",
    "height",
    "weight",
    "star sign",
    "zodiac sign",
    "job",
    "employer",
    "boss",
    "manager",
    "capital",
    "address",
    "shoe size",
];

/// Words that make a sentence something else than a plain statement of how things are.
pub(super) const HEDGES: [&str; 34] = [
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
    "used",
    "said",
    "says",
    "thinks",
    "think",
    "believes",
    "claims",
    "seems",
    "likely",
    "once",
    "formerly",
    "previously",
    "when",
    "whether",
    "wishes",
    "dreams",
    "considering",
];

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

//! Word lists and verb forms of the built-in rules, read once from `lexicon.txt` and `verbs.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A verb stands here in its dictionary form: `go`.
pub(super) const BASE: u8 = 1;
/// Third person singular: `goes`.
pub(super) const THIRD: u8 = 2;
/// Simple past: `went`.
pub(super) const PAST: u8 = 4;
/// Past participle: `gone`.
pub(super) const PART: u8 = 8;
/// Present participle: `going`.
pub(super) const ING: u8 = 16;
/// The base is as often a noun or adjective: `work`.
pub(super) const NOUNISH: u8 = 32;

/// Names the sections of `lexicon.txt`, so that a misspelt one does not compile.
macro_rules! sets {
    ($($name:ident $section:literal),* $(,)?) => {
        /// A section of `lexicon.txt`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Set {
            $($name),*
        }
        impl Set {
            fn parse(section: &str) -> Option<Self> {
                match section {
                    $($section => Some(Self::$name),)*
                    _ => None,
                }
            }
        }
    };
}

sets! {
    Adverb "adverb",
    Filler "filler",
    Hedge "hedge",
    SubjectPronoun "subject_pronoun",
    ThirdPronoun "third_pronoun",
    Deictic "deictic",
    Aux "aux",
    FiniteAux "finite_aux",
    Determiner "determiner",
    Preposition "preposition",
    Subordinator "subordinator",
    Wh "wh",
    QuestionStart "question_start",
    Imperative "imperative",
    ChatterStart "chatter_start",
    Lead "lead",
    InertFirst "inert_first",
    Feeling "feeling",
    Evaluative "evaluative",
    VagueObject "vague_object",
    Mood "mood",
    VagueHead "vague_head",
    KinFemale "kin_female",
    KinMale "kin_male",
    KinOther "kin_other",
    KinPlural "kin_plural",
    Animal "animal",
    AnimalPlural "animal_plural",
    PluralPerson "plural_person",
    Health "health",
    LifeEvent "life_event",
    Work "work",
    Home "home",
    Liking "liking",
    Preference "preference",
    OrgVerb "org_verb",
    Weekday "weekday",
    Month "month",
    Female "female",
    Male "male",
    NeutralName "neutral_name",
    Demonym "demonym",
    PlaceVerb "place_verb",
    InertPast "inert_past",
    ThinVerb "thin_verb",
    WarmVerb "warm_verb",
    PassingVerb "passing_verb",
    PromiseVerb "promise_verb",
    CanPhrase "can_phrase",
    FactVerb "fact_verb",
    PlainPossession "plain_possession",
    TalkHead "talk_head",
    ImpressionVerb "impression_verb",
    SmallCopula "small_copula",
    SmallHave "small_have",
    WouldVerb "would_verb",
    Bare "bare",
    IntroducingVerb "introducing_verb",
    TopicSkip "topic_skip",
    NoTopic "no_topic",
    Opener "opener",
    TimeWord "time_word",
    OmittedI "omitted_i",
    NothingParticular "nothing_particular",
    ImpressionStart "impression_start",
    PerfectAfterS "perfect_after_s",
    UniqueThing "unique_thing",
}

/// Word to the sections that list it, one bit each. Only looked up, so its order never shows.
static LISTS: LazyLock<HashMap<&'static str, u128>> = LazyLock::new(|| {
    let mut lists: HashMap<&str, u128> = HashMap::new();
    let mut bit = 0;
    for line in include_str!("lexicon.txt").lines().map(str::trim).filter(|l| !l.starts_with('#')) {
        match line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            Some(name) => bit = Set::parse(name).map_or(0, |set| 1 << set as u32),
            None => line.split_whitespace().for_each(|word| *lists.entry(word).or_default() |= bit),
        }
    }
    lists
});

/// Verb form → the verbs it may belong to, with what form it is.
static VERBS: LazyLock<HashMap<String, Vec<(&'static str, u8)>>> = LazyLock::new(|| {
    let mut forms: HashMap<String, Vec<(&str, u8)>> = HashMap::new();
    let mut add = |form: String, base: &'static str, flag: u8| {
        let entry = forms.entry(form).or_default();
        match entry.iter_mut().find(|(b, _)| *b == base) {
            Some(known) => known.1 |= flag,
            None => entry.push((base, flag)),
        }
    };
    let mut irregular = false;
    for line in
        include_str!("verbs.txt").lines().map(str::trim).filter(|l| !l.starts_with('#') && !l.is_empty())
    {
        match line {
            "[regular]" => irregular = false,
            "[irregular]" => irregular = true,
            _ if irregular => {
                let mut words = line.split_whitespace();
                let (Some(head), Some(past), Some(part)) = (words.next(), words.next(), words.next()) else {
                    continue;
                };
                let base = head.trim_end_matches('~');
                add(base.to_owned(), base, BASE | if head.ends_with('~') { NOUNISH } else { 0 });
                past.split('/').for_each(|p| add(p.to_owned(), base, PAST));
                part.split('/').for_each(|p| add(p.to_owned(), base, PART));
                add(third_person(base), base, THIRD);
                add(ing_form(base, doubles_in_ing(base)), base, ING);
            }
            _ => {
                for word in line.split_whitespace() {
                    let base = word.trim_end_matches(['~', '*']);
                    let double = word.contains('*');
                    add(base.to_owned(), base, BASE | if word.contains('~') { NOUNISH } else { 0 });
                    add(past_form(base, double), base, PAST | PART);
                    add(third_person(base), base, THIRD);
                    add(ing_form(base, double), base, ING);
                }
            }
        }
    }
    forms
});

/// Whether a word (lower case; several words joined by `_`) stands in a section of `lexicon.txt`.
pub(super) fn is(set: Set, word: &str) -> bool {
    LISTS.get(word).is_some_and(|bits| bits & (1 << set as u32) != 0)
}

/// Every form flag that a word (lower case) can carry; 0 when it is no known verb.
pub(super) fn forms(word: &str) -> u8 {
    VERBS.get(word).map_or(0, |list| list.iter().fold(0, |all, (_, f)| all | f))
}

/// Whether the word can be this form.
pub(super) fn has(word: &str, flag: u8) -> bool {
    forms(word) & flag != 0
}

/// The dictionary form of a verb form; the word itself when unknown.
pub(super) fn base(word: &str) -> &str {
    VERBS.get(word).and_then(|list| list.first()).map_or(word, |(b, _)| *b)
}

/// Third person singular of a dictionary form.
pub(super) fn third_person(base: &str) -> String {
    match base {
        "be" => return "is".to_owned(),
        "have" => return "has".to_owned(),
        "quiz" => return "quizzes".to_owned(),
        _ => {}
    }
    if ["s", "x", "z", "ch", "sh", "o"].iter().any(|e| base.ends_with(e)) {
        format!("{base}es")
    } else if let Some(stem) = consonant_y(base) {
        format!("{stem}ies")
    } else {
        format!("{base}s")
    }
}

fn consonant_y(base: &str) -> Option<&str> {
    let stem = base.strip_suffix('y')?;
    (!stem.ends_with(['a', 'e', 'i', 'o', 'u'])).then_some(stem)
}

fn doubled(base: &str) -> String {
    let last = base.chars().last().map(String::from).unwrap_or_default();
    format!("{base}{last}")
}

fn past_form(base: &str, double: bool) -> String {
    if double {
        format!("{}ed", doubled(base))
    } else if base.ends_with('e') {
        format!("{base}d")
    } else if let Some(stem) = consonant_y(base) {
        format!("{stem}ied")
    } else {
        format!("{base}ed")
    }
}

fn doubles_in_ing(base: &str) -> bool {
    matches!(
        base,
        "bet"
            | "begin"
            | "cut"
            | "dig"
            | "forget"
            | "forbid"
            | "get"
            | "hit"
            | "let"
            | "put"
            | "quit"
            | "run"
            | "set"
            | "shut"
            | "sit"
            | "spin"
            | "split"
            | "swim"
            | "upset"
            | "win"
    )
}

fn ing_form(base: &str, double: bool) -> String {
    match base {
        "be" => return "being".to_owned(),
        "lie" => return "lying".to_owned(),
        "die" => return "dying".to_owned(),
        "tie" => return "tying".to_owned(),
        "see" => return "seeing".to_owned(),
        _ => {}
    }
    match base.strip_suffix('e') {
        _ if double => format!("{}ing", doubled(base)),
        Some(stem) if !base.ends_with("ee") && !base.ends_with("ye") && !base.ends_with("oe") => {
            format!("{stem}ing")
        }
        _ => format!("{base}ing"),
    }
}

/// Whether a word is an adverb that may stand between subject and verb.
pub(super) fn is_adverb(word: &str) -> bool {
    is(Set::Adverb, word)
        || (word.len() > 4
            && word.ends_with("ly")
            && forms(word) == 0
            && !matches!(
                word,
                "family"
                    | "lovely"
                    | "friendly"
                    | "lonely"
                    | "only"
                    | "july"
                    | "italy"
                    | "belly"
                    | "elderly"
                    | "silly"
                    | "lively"
                    | "costly"
                    | "deadly"
                    | "ugly"
                    | "curly"
                    | "emily"
                    | "lily"
                    | "kelly"
                    | "sally"
                    | "molly"
                    | "billy"
                    | "jelly"
                    | "holly"
            ))
}

/// What a relation or animal word tells about who it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gender {
    Female,
    Male,
}

/// The gender that a relation word or an unambiguous first name carries.
pub(super) fn gender(word: &str) -> Option<Gender> {
    let word = word.to_lowercase();
    if is(Set::KinFemale, &word) || is(Set::Female, &word) {
        Some(Gender::Female)
    } else if is(Set::KinMale, &word) || is(Set::Male, &word) {
        Some(Gender::Male)
    } else {
        None
    }
}

/// Whether the word is a common first name.
pub(super) fn is_first_name(word: &str) -> bool {
    let word = word.to_lowercase();
    is(Set::Female, &word) || is(Set::Male, &word) || is(Set::NeutralName, &word)
}

/// Whether the word names a relation of one person.
pub(super) fn is_kin(word: &str) -> bool {
    is(Set::KinFemale, word) || is(Set::KinMale, word) || is(Set::KinOther, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verb_forms_follow_english() {
        for (base, third, past, ing) in [
            ("work", "works", "worked", "working"),
            ("study", "studies", "studied", "studying"),
            ("stop", "stops", "stopped", "stopping"),
            ("watch", "watches", "watched", "watching"),
            ("go", "goes", "went", "going"),
            ("have", "has", "had", "having"),
            ("play", "plays", "played", "playing"),
            ("make", "makes", "made", "making"),
        ] {
            assert_eq!(third_person(base), third);
            assert!(has(third, THIRD) && has(past, PAST) && has(ing, ING) && has(base, BASE), "{base}");
        }
        assert_eq!(base("adopted"), "adopt");
        assert!(!has("family", BASE) && is_adverb("quickly") && !is_adverb("family"));
    }

    #[test]
    fn ambiguous_names_have_no_gender() {
        assert_eq!(gender("sister"), Some(Gender::Female));
        assert_eq!(gender("Ana"), Some(Gender::Female));
        assert_eq!(gender("Sam"), None);
        for name in ["Ana", "Tom", "Mara", "Rex"] {
            let low = name.to_lowercase();
            assert!(!(is(Set::Female, &low) && is(Set::Male, &low)), "{name}");
        }
    }
}

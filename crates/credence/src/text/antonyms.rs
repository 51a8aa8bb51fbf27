//! Words that exclude each other when said of one thing at one time, by language. Chosen by us.
//!
//! Left out on purpose: pairs that can hold together ("buys" and "sells", "young" and "old" at heart), pairs of degree, and
//! events that can follow one another ("rose" and "fell"). Entries are what [`root`] leaves of a word: English stems; in German,
//! Spanish and French the word without its ending of gender and number.

use super::language::Language;
use super::stem::stem;

/// Two sides, each of alternatives parted by `|`.
type Pair = [&'static str; 2];

const ENGLISH: &[Pair] = &[
    ["allow|permit|allowed|permitted", "forbidden|prohibit|bann|disallow|prohibited"],
    ["alive|living", "dead|deceas"],
    ["open|opened", "clos|shut"],
    ["marry", "single|unmarry|divorc|widow"],
    ["enabl", "disabl"],
    ["on", "off"],
    ["tru", "fals"],
    ["true", "fals"],
    ["employ", "unemploy|jobless"],
    ["guilty", "innocent"],
    ["present", "absent"],
    ["accept", "reject|declin|refus"],
    ["approv", "reject|declin|disapprov"],
    ["hot", "cold"],
    ["insid", "outsid"],
    ["abov", "below"],
    ["before", "after"],
    ["asleep", "awak|awake"],
    ["healthy", "sick|ill"],
    ["rich", "poor"],
    ["happy", "sad|unhappy"],
    ["safe", "unsaf|dangerou|dangerous"],
    ["possibl", "impossibl"],
    ["legal", "illegal"],
    ["public", "private|privat|secret|confidential"],
    ["male", "female|femal"],
    ["pass", "fail"],
    ["lock", "unlock"],
    ["onlin", "offlin"],
    ["availabl", "unavailabl"],
    ["requir|mandatory", "optional"],
    ["friend", "enemy"],
    ["right", "wrong"],
    ["correct", "incorrect|wrong"],
    ["valid", "invalid"],
    ["full", "empty"],
    ["win", "lose"],
    ["quiet|silent", "noisy|loud"],
    ["clean", "dirty"],
    ["dry", "wet"],
    ["vacant|free", "occupy|taken|take"],
    ["activ", "inactiv"],
    ["visibl", "invisibl|hidden"],
    ["complet", "incomplet"],
    ["stabl", "unstabl"],
    ["loyal", "disloyal|treacherous"],
    ["innocuou|innocuous|harmless", "harmful|poisonou|poisonous"],
];
const GERMAN: &[Pair] = &[
    ["erlaubt|gestattet|zulässig", "verbot|untersagt|unzulässig"],
    ["lebt|lebendig|lebend", "tot|verstorb"],
    ["off|geöffnet", "geschloss|verschloss"],
    ["verheiratet", "ledig|geschied|unverheiratet|verwitwet"],
    ["sich", "gefährlich|unsich"],
    ["angenomm|genehmigt|bewilligt", "abgelehnt|verweigert"],
    ["leis|ruhig|still", "laut"],
    ["öffentlich", "privat|geheim|vertraulich"],
    ["wahr|richtig", "falsch|unwahr"],
    ["möglich", "unmöglich"],
    ["legal", "illegal"],
    ["gesund", "krank"],
    ["schuldig", "unschuldig"],
    ["anwesend", "abwesend"],
    ["voll", "leer"],
    ["heiss", "kalt"],
    ["reich", "arm"],
    ["glücklich", "unglücklich|traurig"],
    ["verfügbar|lieferbar", "vergriff|ausverkauft"],
    ["aktiviert|eingeschaltet", "deaktiviert|ausgeschaltet"],
    ["obligatorisch|verpflichtend", "freiwillig|optional"],
    ["freund", "feind"],
    ["männlich", "weiblich"],
    ["berufstätig", "arbeitslos"],
    ["gewonn", "verlor"],
    ["bestand", "durchgefall"],
    ["sauber", "schmutzig"],
    ["trock", "nass"],
    ["frei", "besetzt|belegt"],
];
const SPANISH: &[Pair] = &[
    ["abiert", "cerrad"],
    ["permitid|autorizad", "prohibid"],
    ["casad", "solter|divorciad|viud"],
    ["viv", "muert|fallecid"],
    ["segur", "peligros|insegur"],
    ["aceptó|aceptaron|aceptad", "rechazó|rechazaron|rechazad"],
    ["aprobó|aprobad", "suspendió|reprobó|rechazó|rechazad"],
    ["silencios|tranquil|callad", "ruidos"],
    ["despiert", "dormid"],
    ["públic", "privad|secret|confidencial"],
    ["encendid|activad", "apagad|desactivad"],
    ["verdader|ciert", "fals"],
    ["correct", "incorrect"],
    ["posibl", "imposibl"],
    ["legal", "ilegal"],
    ["san", "enferm"],
    ["culpabl", "inocent"],
    ["present", "ausent"],
    ["llen", "vací"],
    ["calient", "frí"],
    ["ric", "pobr"],
    ["feliz", "trist|infeliz"],
    ["disponibl", "agotad"],
    ["obligatori", "opcional|voluntari"],
    ["amig", "enemig"],
    ["ganó|ganad", "perdió|perdid"],
    ["limpi", "suci"],
    ["sec", "mojad"],
    ["libr", "ocupad"],
];
const FRENCH: &[Pair] = &[
    ["ouvert", "fermé|clo"],
    ["permi|autorisé", "interdit|défendu"],
    ["marié", "célibatair|divorcé|veuf|veuv"],
    ["vivant", "mort|décédé"],
    ["sûr", "dangereux|dangereu"],
    ["accepté|approuvé", "refusé|rejeté"],
    ["calm|silencieux|silencieu|tranquill", "bruyant"],
    ["réveillé|éveillé", "endormi"],
    ["public|publiqu", "privé|secret|confidentiel"],
    ["allumé|activé", "éteint|désactivé"],
    ["vrai", "faux|fauss"],
    ["correct", "incorrect"],
    ["possibl", "impossibl"],
    ["légal", "illégal"],
    ["sain|guéri", "malad"],
    ["coupabl", "innocent"],
    ["présent", "absent"],
    ["plein", "vid"],
    ["chaud", "froid"],
    ["rich", "pauvr"],
    ["heureux|heureu", "malheureux|malheureu|trist"],
    ["disponibl", "indisponibl|épuisé"],
    ["obligatoir", "facultatif|facultativ"],
    ["ami", "ennemi"],
    ["gagné", "perdu"],
    ["propr", "sal"],
    ["libr", "occupé"],
];
const RUSSIAN: &[Pair] = &[["разрешено", "запрещено"], ["открыт", "закрыт"]];

/// Ends of clauses that exclude each other whatever their length. Canonical words.
const TAILS: &[(Language, Pair)] = &[
    (Language::English, ["is alive|is living", "is dead|has died"]),
    (Language::English, ["is awake", "is asleep|sleeps|is sleeping"]),
    (Language::German, ["lebt|ist lebendig|ist am leben", "ist tot|ist gestorben|ist verstorben"]),
    (Language::German, ["ist wach", "schläft"]),
    (Language::German, ["ist offen|ist auf|ist geöffnet", "ist zu|ist geschlossen"]),
    (Language::German, ["ist an|ist eingeschaltet", "ist aus|ist ausgeschaltet"]),
    (Language::Spanish, ["vive|está vivo|está viva", "está muerto|está muerta"]),
    (Language::Spanish, ["está despierto|está despierta", "duerme|está dormido|está dormida"]),
    (Language::French, ["est vivant|est vivante", "est mort|est morte|est décédé|est décédée"]),
    (Language::French, ["est réveillé|est réveillée", "dort|est endormi|est endormie"]),
];

fn pairs(language: Language) -> &'static [Pair] {
    match language {
        Language::English => ENGLISH,
        Language::German => GERMAN,
        Language::Spanish => SPANISH,
        Language::French => FRENCH,
        Language::Russian => RUSSIAN,
        _ => &[],
    }
}

/// A word without its ending.
fn root(word: &str, language: Language) -> String {
    let strip = |ends: &[&str]| {
        let bare =
            ends.iter().find_map(|end| word.strip_suffix(end)).filter(|bare| bare.chars().count() >= 3);
        bare.unwrap_or(word).to_owned()
    };
    match language {
        Language::English => stem(word),
        Language::German => {
            // "Geschlossenes" and "geschlossen": the ending of the case, then that of the participle.
            let bare = strip(&["er", "es", "em", "e"]);
            bare.strip_suffix("en")
                .filter(|root| root.chars().count() >= 3)
                .map_or(bare.clone(), str::to_owned)
        }
        Language::Spanish => strip(&["os", "as", "es", "o", "a", "e"]),
        Language::French => strip(&["es", "s", "e"]),
        _ => word.to_owned(),
    }
}

/// Whether two words exclude each other.
pub(super) fn exclude(a: &str, b: &str, language: Language) -> bool {
    let (ours, theirs) = (root(a, language), root(b, language));
    let holds =
        |side: &str, word: &str, root: &str| side.split('|').any(|entry| entry == word || entry == root);
    pairs(language).iter().any(|[left, right]| {
        (holds(left, a, &ours) && holds(right, b, &theirs))
            || (holds(left, b, &theirs) && holds(right, a, &ours))
    })
}

/// Whether two clauses say the same of one subject but for ends that exclude each other; the two ends.
pub(super) fn opposite_ends(a: &[String], b: &[String], language: Language) -> Option<(String, String)> {
    let end = |words: &[String], side: &str| {
        side.split('|').find_map(|phrase| {
            let parts: Vec<&str> = phrase.split(' ').collect();
            let at = words.len().checked_sub(parts.len()).filter(|at| *at > 0)?;
            words[at..].iter().map(String::as_str).eq(parts).then(|| (at, phrase.to_owned()))
        })
    };
    TAILS.iter().filter(|(of, _)| *of == language).find_map(|(_, [left, right])| {
        let one = |a: &[String], b: &[String]| {
            let ((at, ours), (there, theirs)) = (end(a, left)?, end(b, right)?);
            (a[..at] == b[..there]).then_some((ours, theirs))
        };
        one(a, b).or_else(|| one(b, a))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_meet_its_opposites() {
        for (a, b, language) in [
            ("open", "closed", Language::English),
            ("safe", "dangerous", Language::English),
            ("offene", "geschlossenes", Language::German),
            ("sicher", "gefährlich", Language::German),
            ("abierta", "cerradas", Language::Spanish),
            ("públicos", "privado", Language::Spanish),
            ("ouvertes", "fermée", Language::French),
            ("publics", "privés", Language::French),
        ] {
            assert!(exclude(a, b, language) && exclude(b, a, language), "{a} / {b}");
        }
        assert!(!exclude("open", "openly", Language::English) && !exclude("rico", "rica", Language::Spanish));
    }

    #[test]
    fn ends_of_different_length() {
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
        let ends = |a: &str, b: &str| opposite_ends(&words(a), &words(b), Language::German);
        assert!(
            ends("wächter lebt", "wächter ist tot").is_some()
                && ends("wächter ist tot", "wächter lebt").is_some()
        );
        assert_eq!(ends("wächter lebt", "könig ist tot"), None);
        assert_eq!(ends("wächter lebt", "wächter lebt"), None);
        assert_eq!(ends("lebt", "ist tot"), None, "nobody is named");
    }
}

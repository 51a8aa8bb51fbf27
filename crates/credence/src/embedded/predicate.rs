//! What a clause says of its subject: the verb put into the third person, the rest freed of "my", "me" and "I",
//! coordinated predicates taken apart ("live in Oslo and work at Acme" says two things).

use crate::extraction::DropReason;

use super::lexicon::{
    BASE, ING, NOUNISH, PART, PAST, Set, THIRD, base, forms, has, is, is_adverb, third_person,
};
use super::screen::{Refusal, refuse};
use super::subject::Agreement;
use super::token::{Tok, phrase};
use super::when::Tense;

/// One predicate, in the third person but with the rest as it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Predicate {
    /// Verb group in the third person, adverbs within.
    pub(super) group: Vec<Tok>,
    /// What follows the verb group.
    pub(super) rest: Vec<Tok>,
    /// The first finite word as it was said, in lower case: `am`, `will`, `went`.
    pub(super) finite: String,
    /// Dictionary form of the verb that carries the meaning.
    pub(super) verb: String,
    pub(super) tense: Tense,
    /// "am going", "is living".
    pub(super) progressive: bool,
    /// "have been", "has lived".
    pub(super) perfect: bool,
    pub(super) negated: bool,
    /// A hedge in the verb group: "might", "probably".
    pub(super) hedge: Option<String>,
}

impl Predicate {
    /// The group and the rest in one phrase, lower case, for phrase searches.
    pub(super) fn phrase(&self) -> String {
        let mut all = self.group.clone();
        all.extend(self.rest.iter().cloned());
        phrase(&all)
    }
}

/// A verb group while it is read.
struct Group<'a> {
    tokens: &'a [Tok],
    at: usize,
    words: Vec<Tok>,
    hedge: Option<String>,
}

impl Group<'_> {
    /// Takes adverbs and "not"; fillers ("just", "actually") go, hedges are noted.
    fn adverbs(&mut self) {
        loop {
            // "no longer" denies like "not".
            if is_no_longer(&self.tokens[self.at.min(self.tokens.len())..]) {
                self.take();
                self.take();
                continue;
            }
            let Some(t) = self.tokens.get(self.at).filter(|t| is_adverb(&t.low) || t.is("not")) else {
                break;
            };
            if is(Set::Hedge, &t.low) {
                self.hedge = Some(t.low.clone());
            }
            if !is(Set::Filler, &t.low) {
                self.words.push(Tok { glued: false, ..t.clone() });
            }
            self.at += 1;
        }
    }
    fn take(&mut self) {
        if let Some(t) = self.tokens.get(self.at) {
            self.words.push(Tok { glued: false, ..t.clone() });
            self.at += 1;
        }
    }
    /// Whether an object pronoun stands behind the next word that is no adverb.
    fn has_object_ahead(&self) -> bool {
        let object = self.tokens[self.at..].iter().filter(|t| !is_adverb(&t.low)).nth(1);
        object.is_some_and(|t| matches!(t.low.as_str(), "me" | "us" | "you" | "him" | "them"))
    }
    /// The next word that is no adverb, in lower case.
    fn ahead(&self) -> &str {
        self.tokens[self.at..].iter().find(|t| !is_adverb(&t.low)).map_or("", |t| t.low.as_str())
    }
}

/// "No longer" at the start of these words.
pub(super) fn is_no_longer(tokens: &[Tok]) -> bool {
    matches!(tokens, [no, longer, ..] if no.is("no") && longer.is("longer"))
}

/// What the first word of a verb group is once it is in the third person.
struct Finite {
    text: String,
    kind: Kind,
    tense: Tense,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Be,
    Have,
    Do,
    Modal,
    Main,
}

/// Reads one predicate whose verb group starts the tokens.
pub(super) fn read(tokens: &[Tok], agreement: Agreement) -> Result<Predicate, Refusal> {
    let mut group = Group { tokens, at: 0, words: Vec::new(), hedge: None };
    group.adverbs();
    let Some(verb) = tokens.get(group.at) else { return Err(unread("no verb")) };
    if group.words.iter().any(|t| t.is("not")) {
        return Err(unread("\u{201c}not\u{201d} without an auxiliary"));
    }
    let said = verb.low.clone();
    group.at += 1;
    let finite = match auxiliary(&said, agreement, group.ahead(), group.has_object_ahead()) {
        Some(finite) => finite,
        None => main_verb(verb, tokens, agreement)?,
    };
    if matches!(said.as_str(), "may" | "might") {
        group.hedge = Some(said.clone());
    }
    group.words.push(Tok::word(&finite.text));
    let (mut main, mut progressive) = (base(&said).to_owned(), false);
    let mut perfect = finite.kind == Kind::Have && finite.tense == Tense::Present;
    if finite.kind != Kind::Main {
        main = match finite.kind {
            Kind::Be => "be",
            Kind::Have => "have",
            Kind::Do => "do",
            _ => &said,
        }
        .to_owned();
        // The verb that carries the meaning follows, adverbs skipped.
        group.adverbs();
        let Some(next) = tokens.get(group.at) else { return Err(unread("nothing is said of the subject")) };
        let low = next.low.as_str();
        let follows = match finite.kind {
            Kind::Modal | Kind::Do => has(low, BASE) || matches!(low, "be" | "have"),
            Kind::Have => has(low, PART) || low == "been",
            // "is amazing" is no progress of amazing.
            _ => {
                let object = tokens.get(group.at + 1).is_some_and(|n| {
                    is(Set::Determiner, &n.low)
                        || matches!(n.low.as_str(), "me" | "us" | "myself" | "ourselves")
                });
                has(low, ING) && (!is(Set::Evaluative, low) || low == "feeling" || object)
            }
        };
        if follows {
            progressive = finite.kind == Kind::Be;
            main = if matches!(low, "been" | "be") { "be" } else { base(low) }.to_owned();
            group.take();
            if main == "be" {
                group.adverbs();
                if let Some(ing) = tokens.get(group.at).filter(|t| has(&t.low, ING)) {
                    base(&ing.low).clone_into(&mut main);
                    progressive = true;
                    group.take();
                }
            }
        } else if finite.kind == Kind::Modal || finite.kind == Kind::Do && said.ends_with("n't") {
            return Err(unread("no verb after the auxiliary"));
        } else {
            perfect = false;
        }
    }
    let at = group.at;
    let to_do = tokens.get(at).is_some_and(|t| t.is("to"))
        && tokens.get(at + 1).is_some_and(|t| has(&t.low, BASE) || t.is("be"));
    let tense = if main == "go" && progressive && to_do { Tense::Future } else { finite.tense };
    let negated = said.ends_with("n't")
        || said == "cannot"
        || group.words.iter().any(|t| t.is("not") || t.is("never") || t.is("longer"));
    Ok(Predicate {
        rest: tokens[at..].to_vec(),
        group: group.words,
        finite: said,
        verb: main,
        tense,
        progressive,
        perfect,
        negated,
        hedge: group.hedge,
    })
}

fn unread(detail: &str) -> Refusal {
    refuse(DropReason::NotUnderstood, detail)
}

/// An auxiliary in the third person; what stands ahead decides what `'s` and `'d` stand for.
fn auxiliary(said: &str, agreement: Agreement, ahead: &str, object: bool) -> Option<Finite> {
    let third = agreement == Agreement::ToThird;
    let plural = agreement == Agreement::Plural;
    let one = |singular: &'static str| if plural { said.to_owned() } else { singular.to_owned() };
    let (text, kind, tense) = match said {
        "am" | "is" => ("is".to_owned(), Kind::Be, Tense::Present),
        "are" => (if third { "is" } else { "are" }.to_owned(), Kind::Be, Tense::Present),
        // "art's allowed me": a participle with an object is no passive.
        "'s" if is(Set::PerfectAfterS, ahead) || object && has(ahead, PART) => {
            ("has".to_owned(), Kind::Have, Tense::Present)
        }
        "'s" => ("is".to_owned(), Kind::Be, Tense::Present),
        "aren't" | "ain't" => (if plural { "aren't" } else { "isn't" }.to_owned(), Kind::Be, Tense::Present),
        "isn't" => (said.to_owned(), Kind::Be, Tense::Present),
        "was" | "were" => (if third { "was" } else { said }.to_owned(), Kind::Be, Tense::Past),
        "wasn't" | "weren't" => (if third { "wasn't" } else { said }.to_owned(), Kind::Be, Tense::Past),
        "have" => (one("has"), Kind::Have, Tense::Present),
        "haven't" => (one("hasn't"), Kind::Have, Tense::Present),
        "has" | "hasn't" => (said.to_owned(), Kind::Have, Tense::Present),
        "had" | "hadn't" => (said.to_owned(), Kind::Have, Tense::Past),
        "do" | "does" => (one("does"), Kind::Do, Tense::Present),
        "don't" | "doesn't" => (one("doesn't"), Kind::Do, Tense::Present),
        "did" | "didn't" => (said.to_owned(), Kind::Do, Tense::Past),
        "'d" if ahead == "been" || has(ahead, PART) && !has(ahead, BASE) => {
            ("had".to_owned(), Kind::Have, Tense::Past)
        }
        "'d" => ("would".to_owned(), Kind::Modal, Tense::Present),
        "will" | "won't" | "may" | "might" => (said.to_owned(), Kind::Modal, Tense::Future),
        "can" | "can't" | "cannot" | "could" | "couldn't" | "would" | "wouldn't" | "should" | "shouldn't"
        | "must" | "mustn't" | "shall" => (said.to_owned(), Kind::Modal, Tense::Present),
        _ => return None,
    };
    Some(Finite { text, kind, tense })
}

/// A main verb in the third person. "read" and "put" are past unless the clause tells of a habit.
fn main_verb(verb: &Tok, tokens: &[Tok], agreement: Agreement) -> Result<Finite, Refusal> {
    const HABITS: [&str; 8] =
        [" every ", " always ", " usually ", " often ", " a lot ", " never ", " sometimes ", " daily "];
    let f = forms(&verb.low);
    if f == 0 {
        return Err(unread(&format!("\u{201c}{}\u{201d} is no verb that the rules know", verb.text)));
    }
    let both = f & BASE != 0 && f & PAST != 0;
    let habit = both && HABITS.iter().any(|w| phrase(tokens).contains(w));
    let fits = match agreement {
        Agreement::ToThird => f & (BASE | PAST) != 0,
        Agreement::Singular => f & (THIRD | PAST) != 0,
        Agreement::Plural => f & (BASE | THIRD | PAST) != 0,
    };
    if !fits {
        return Err(unread(&format!("\u{201c}{}\u{201d} does not fit the subject", verb.text)));
    }
    let present = match agreement {
        Agreement::ToThird => f & BASE != 0 && (!both || habit),
        Agreement::Singular => f & THIRD != 0,
        Agreement::Plural => f & THIRD != 0 || f & PAST == 0 || both,
    };
    let text =
        if present && agreement == Agreement::ToThird { third_person(&verb.low) } else { verb.low.clone() };
    Ok(Finite { text, kind: Kind::Main, tense: if present { Tense::Present } else { Tense::Past } })
}

/// Takes coordinated predicates apart. Every part starts with its own verb; a second part that only makes sense with the first
/// ("bought a car and love it") stays with it.
pub(super) fn segments(tokens: &[Tok], agreement: Agreement) -> Vec<Vec<Tok>> {
    let lead = if is_no_longer(tokens) { 2 } else { 0 };
    let Some(first) = tokens[lead..].iter().position(|t| !is_adverb(&t.low)) else {
        return vec![tokens.to_vec()];
    };
    let first = lead + first;
    let finite = tokens[first].low.clone();
    let f = forms(&finite);
    let copula = matches!(finite.as_str(), "am" | "are" | "is" | "was" | "were" | "'s");
    let past = f & PAST != 0 && f & BASE == 0 || matches!(finite.as_str(), "was" | "were" | "did" | "had");
    let simple = !is(Set::FiniteAux, &finite) && finite != "'d"
        || copula
        || matches!(finite.as_str(), "have" | "has" | "had");
    if !simple {
        return vec![tokens.to_vec()];
    }
    // "meditate, do yoga and teach": commas separate verbs when a verb follows the "and".
    let list = tokens.iter().enumerate().skip(first + 1).any(|(n, t)| {
        let after = n + 1 + tokens[n + 1..].iter().take_while(|a| is_adverb(&a.low)).count();
        t.is("and")
            && tokens
                .get(after)
                .is_some_and(|v| second_verb(v, tokens.get(after + 1), agreement, past, copula, false))
    });
    let mut owned = tokens.to_vec();
    let mut out: Vec<Vec<Tok>> = Vec::new();
    let mut start = 0;
    let mut i = first + 1;
    while i < tokens.len() {
        let joint = tokens[i].is("and") || tokens[i].is("but") || tokens[i].is("then");
        let comma = tokens[i].is(",");
        if !(joint || comma) {
            i += 1;
            continue;
        }
        let mut k = i + 1;
        while tokens.get(k).is_some_and(|t| {
            is_adverb(&t.low) || comma && (t.is("and") || t.is("but") || t.is("then")) || t.is("then")
        }) {
            k += 1;
        }
        let opens = tokens.get(k).is_some_and(|t| {
            let contrast = tokens[i].is("but")
                && !past
                && !copula
                && has(&t.low, if agreement == Agreement::Singular { THIRD } else { BASE });
            contrast
                || tokens[i].is("and") && !past && !copula && doing(&finite, t, tokens.get(k + 1), agreement)
                || second_verb(t, tokens.get(k + 1), agreement, past, copula, comma)
                || list
                    && comma
                    && !copula
                    && !t.is_capital()
                    && has(
                        &t.low,
                        if past {
                            PAST
                        } else if agreement == Agreement::Singular {
                            THIRD
                        } else {
                            BASE
                        },
                    )
        });
        let before = &tokens[start..i];
        let embedded = before.iter().enumerate().any(|(n, t)| {
            (is(Set::Wh, &t.low)
                || matches!(t.low.as_str(), "that" | "because" | "if" | "while" | "since" | "so")
                || is(Set::SubjectPronoun, &t.low))
                && n > 0
                || !past && t.is("to") && before.get(n + 1).is_some_and(|v| has(&v.low, BASE) || v.is("be"))
                || !past
                    && n > 0
                    && matches!(
                        t.low.as_str(),
                        "let" | "make" | "makes" | "help" | "helps" | "see" | "watch" | "can" | "will" | "'d"
                    )
        });
        // What follows must be more than a verb and may not lean on what stood before.
        let next_end = tokens[k.min(tokens.len())..].len();
        let leans = tokens[k.min(tokens.len())..].iter().skip(1).any(|t| {
            is(Set::ThirdPronoun, &t.low)
                || matches!(t.low.as_str(), "there" | "that" | "this" | "those" | "these" | "one")
        });
        if opens && !embedded && next_end > 1 && !leans && (i > first + 1 || list) {
            out.push(trim(&owned[start..i]));
            start = i + 1;
            while tokens.get(start).is_some_and(|t| t.is_mark() || t.is("and") || t.is("but") || t.is("then"))
            {
                start += 1;
            }
            i = k + 1;
        } else {
            // "bought a car and love it" stays one statement, both verbs in the third person.
            if opens && !embedded && agreement == Agreement::ToThird && owned[k].glued == tokens[k].glued {
                let low = tokens[k].low.as_str();
                let text = match low {
                    "am" => Some("is".to_owned()),
                    "have" => Some("has".to_owned()),
                    "don't" => Some("doesn't".to_owned()),
                    _ if has(low, BASE) && !has(low, PAST) => Some(third_person(low)),
                    _ => None,
                };
                if let Some(text) = text {
                    owned[k] = Tok::word(&text);
                }
            }
            i += 1;
        }
    }
    out.push(trim(&owned[start..]));
    out
}

/// "measure snow and drink coffee": a noun-like verb with an object of its own, unless the first verb takes lists of things
/// ("love music and dance parties").
fn doing(first: &str, t: &Tok, object: Option<&Tok>, agreement: Agreement) -> bool {
    let lists = is(Set::Liking, base(first))
        || matches!(
            base(first),
            "have"
                | "need"
                | "play"
                | "teach"
                | "study"
                | "want"
                | "buy"
                | "sell"
                | "make"
                | "use"
                | "do"
                | "get"
                | "own"
                | "enjoy"
        );
    let form = if agreement == Agreement::Singular { THIRD } else { BASE };
    let plain = object.is_some_and(|o| {
        !o.is_mark()
            && !is(Set::Preposition, &o.low)
            && !is(Set::FiniteAux, &o.low)
            && !o.is("and")
            && !is_adverb(&o.low)
    });
    !lists && plain && !t.is_capital() && has(&t.low, form)
}

fn trim(tokens: &[Tok]) -> Vec<Tok> {
    let end = tokens.iter().rposition(|t| !t.is(",") && !t.is("and")).map_or(0, |e| e + 1);
    tokens[..end].to_vec()
}

/// Whether a word after "and" is a second finite verb of the same subject.
fn second_verb(
    t: &Tok,
    next: Option<&Tok>,
    agreement: Agreement,
    past: bool,
    copula: bool,
    comma: bool,
) -> bool {
    let low = t.low.as_str();
    let f = forms(low);
    if t.is_capital() {
        return false;
    }
    let complement = next.is_some_and(|n| {
        is(Set::Preposition, &n.low)
            || is(Set::Determiner, &n.low)
            || is_adverb(&n.low)
            || n.is_capital()
            || matches!(n.low.as_str(), "it" | "them" | "him")
            || matches!(n.low.as_str(), "me" | "us" | "myself")
            || is(Set::Liking, low) && has(&n.low, ING)
    });
    if past {
        // After a copula a participle is an adjective: "was tired and excited".
        let unlike_adjective = f & PART == 0 || !copula && (complement || !low.ends_with("ed"));
        let sure = f & PAST != 0 && f & BASE == 0 && unlike_adjective;
        let now = matches!(low, "have" | "am" | "don't") && !comma
            || f & BASE != 0 && f & PAST == 0 && next.is_some_and(|n| n.is("it") || n.is("them"));
        return sure || now || matches!(low, "was" | "were" | "had" | "didn't" | "wasn't") && !comma;
    }
    let present = match agreement {
        Agreement::ToThird | Agreement::Plural => f & BASE != 0,
        Agreement::Singular => f & THIRD != 0,
    };
    let aux =
        matches!(low, "am" | "is" | "are" | "have" | "has" | "don't" | "doesn't" | "can't" | "can") && !comma;
    let nounish = f & NOUNISH != 0 || agreement == Agreement::Singular && has(base(low), NOUNISH);
    let sure = present
        && !comma
        && (!nounish || complement && !next.is_some_and(|n| matches!(n.low.as_str(), "to" | "of" | "in")));
    // "went to Rome last year and work at Acme": a change of tense is a second predicate too.
    sure || aux || (f & PAST != 0 && f & (BASE | PART) == 0 && !comma)
}

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

/// Reads one predicate whose verb group starts the tokens.
pub(super) fn read(tokens: &[Tok], agreement: Agreement) -> Result<Predicate, Refusal> {
    let unread = |detail: &str| Err(refuse(DropReason::NotUnderstood, detail));
    let mut i = 0;
    let mut group: Vec<Tok> = Vec::new();
    let mut hedge = None;
    let adverbs = |i: &mut usize, group: &mut Vec<Tok>, hedge: &mut Option<String>| {
        while let Some(t) = tokens.get(*i).filter(|t| {
            is_adverb(&t.low)
                || t.is("not")
                || t.is("n't")
                || t.is("have") && group.last().is_some_and(|g| g.is("to"))
        }) {
            if is(Set::Hedge, &t.low) {
                *hedge = Some(t.low.clone());
            }
            if !is(Set::Filler, &t.low) {
                group.push(Tok { glued: false, ..t.clone() });
            }
            *i += 1;
        }
    };
    adverbs(&mut i, &mut group, &mut hedge);
    let Some(verb) = tokens.get(i) else { return unread("no verb") };
    let finite = verb.low.clone();
    i += 1;
    let third = agreement == Agreement::ToThird;
    let mut out = |text: &str| group.push(Tok::word(text));
    let mut modal = false;
    let (mut perfect, mut tense) = (false, Tense::Present);
    let mut aux = true;
    match finite.as_str() {
        "am" => out("is"),
        "are" => out(if third { "is" } else { "are" }),
        "is" => out("is"),
        "'s" => {
            let next = tokens[i..].iter().find(|t| !is_adverb(&t.low));
            let moved = next.is_some_and(|n| is(Set::PerfectAfterS, &n.low));
            perfect = moved;
            out(if moved { "has" } else { "is" });
        }
        "aren't" | "ain't" => out(if third || agreement == Agreement::Singular { "isn't" } else { "aren't" }),
        "isn't" => out("isn't"),
        "was" | "were" => {
            tense = Tense::Past;
            out(if third { "was" } else { &finite });
        }
        "wasn't" | "weren't" => {
            tense = Tense::Past;
            out(if third { "wasn't" } else { &finite });
        }
        "have" | "haven't" => {
            let negative = finite == "haven't";
            let plural = agreement == Agreement::Plural;
            out(match (plural, negative) {
                (true, _) => &finite,
                (_, true) => "hasn't",
                _ => "has",
            });
            perfect = true;
        }
        "has" | "hasn't" => {
            out(&finite);
            perfect = true;
        }
        "had" | "hadn't" => {
            tense = Tense::Past;
            out(&finite);
        }
        "do" | "don't" | "does" | "doesn't" => {
            let plural = agreement == Agreement::Plural;
            let negative = finite.ends_with("n't");
            out(match (plural, negative) {
                (true, _) => &finite,
                (_, true) => "doesn't",
                _ => "does",
            });
        }
        "did" | "didn't" => {
            tense = Tense::Past;
            out(&finite);
        }
        "will" | "won't" => {
            tense = Tense::Future;
            modal = true;
            out(&finite);
        }
        "'d" => {
            let next = tokens[i..].iter().find(|t| !is_adverb(&t.low));
            let had = next.is_some_and(|n| n.is("been") || (has(&n.low, PART) && !has(&n.low, BASE)));
            if had {
                tense = Tense::Past;
                out("had");
            } else {
                modal = true;
                out("would");
            }
        }
        "can" | "can't" | "cannot" | "could" | "couldn't" | "would" | "wouldn't" | "may" | "might"
        | "should" | "shouldn't" | "must" | "shall" | "mustn't" => {
            modal = true;
            if matches!(finite.as_str(), "may" | "might") {
                hedge = Some(finite.clone());
                tense = Tense::Future;
            }
            out(&finite);
        }
        _ => {
            aux = false;
            let f = forms(&finite);
            if f == 0 {
                return unread(&format!("\u{201c}{}\u{201d} is no verb that the rules know", verb.text));
            }
            let both = f & BASE != 0 && f & PAST != 0;
            let habitual = [
                " every ",
                " always ",
                " usually ",
                " often ",
                " a lot ",
                " never ",
                " sometimes ",
                " daily ",
            ]
            .iter()
            .any(|w| phrase(tokens).contains(w));
            if third {
                if both && habitual || f & BASE != 0 && !both {
                    out(&third_person(&finite));
                } else if f & PAST != 0 {
                    tense = Tense::Past;
                    out(&finite);
                } else {
                    return unread(&format!("\u{201c}{}\u{201d} does not fit the subject", verb.text));
                }
            } else {
                let fits = f & (THIRD | PAST) != 0 || agreement == Agreement::Plural && f & BASE != 0;
                if !fits {
                    return unread(&format!("\u{201c}{}\u{201d} does not fit the subject", verb.text));
                }
                if f & PAST != 0 && f & THIRD == 0 && !(both && agreement == Agreement::Plural) {
                    tense = Tense::Past;
                }
                out(&finite);
            }
        }
    }
    // The verb that carries the meaning follows the auxiliary, adverbs skipped.
    let mut main = base(&finite).to_owned();
    let mut progressive = false;
    if aux {
        main = match finite.as_str() {
            "am" | "are" | "is" | "was" | "were" | "'s" | "aren't" | "isn't" | "wasn't" | "weren't"
            | "ain't"
                if !perfect =>
            {
                "be"
            }
            "do" | "does" | "did" | "don't" | "doesn't" | "didn't" => "do",
            "have" | "has" | "had" | "haven't" | "hasn't" | "hadn't" | "'s" => "have",
            other => other,
        }
        .to_owned();
        adverbs(&mut i, &mut group, &mut hedge);
        if let Some(next) = tokens.get(i) {
            let low = next.low.as_str();
            let take = if modal || main == "do" {
                has(low, BASE) || low == "be" || low == "have"
            } else if main == "have" {
                has(low, PART) || low == "been"
            } else {
                has(low, ING)
            };
            if take {
                progressive = main == "be";
                main = base(low).to_owned();
                if low == "been" || low == "be" {
                    "be".clone_into(&mut main);
                }
                group.push(Tok { glued: false, ..next.clone() });
                i += 1;
                if main == "be" {
                    adverbs(&mut i, &mut group, &mut hedge);
                    if let Some(ing) = tokens.get(i).filter(|t| has(&t.low, ING)) {
                        base(&ing.low).clone_into(&mut main);
                        progressive = true;
                        group.push(Tok { glued: false, ..ing.clone() });
                        i += 1;
                    }
                }
            } else if modal || main == "do" && finite.ends_with("n't") {
                return unread("no verb after the auxiliary");
            } else if main == "have" {
                perfect = false;
            }
        } else {
            return unread("nothing is said of the subject");
        }
    }
    if main == "go"
        && progressive
        && tokens.get(i).is_some_and(|t| t.is("to"))
        && tokens.get(i + 1).is_some_and(|t| has(&t.low, BASE) || t.is("be"))
    {
        tense = Tense::Future;
    }
    let negated =
        finite.ends_with("n't") || finite == "cannot" || group.iter().any(|t| t.is("not") || t.is("never"));
    Ok(Predicate {
        rest: tokens[i..].to_vec(),
        group,
        finite,
        verb: main,
        tense,
        progressive,
        perfect,
        negated,
        hedge,
    })
}

/// Takes coordinated predicates apart. Every part starts with its own verb; a second part that only makes sense with the first
/// ("bought a car and love it") stays with it.
pub(super) fn segments(tokens: &[Tok], agreement: Agreement) -> Vec<Vec<Tok>> {
    let Some(first) = tokens.iter().position(|t| !is_adverb(&t.low)) else { return vec![tokens.to_vec()] };
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
        t.is("and")
            && tokens
                .get(n + 1)
                .is_some_and(|v| second_verb(v, tokens.get(n + 2), agreement, past, copula, false))
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
    });
    if past {
        // After a copula a participle is an adjective: "was tired and excited".
        let sure = f & PAST != 0
            && f & BASE == 0
            && (f & PART == 0 || !copula && (complement || f & PART != 0 && !low.ends_with("ed")));
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

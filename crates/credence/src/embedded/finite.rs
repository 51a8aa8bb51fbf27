//! Where a finite verb stands: in a noun phrase's clause, after a pronoun, anywhere. There is no tagger; closed word classes,
//! verb forms and the words around decide, and doubt means no.

use super::lexicon::{BASE, ING, NOUNISH, PART, PAST, Set, THIRD, forms, has, is, is_adverb};
use super::token::Tok;

/// Whether a finite verb follows at `i`, adverbs skipped.
pub(super) fn finite_at(tokens: &[Tok], i: usize) -> bool {
    let mut i = i;
    while tokens.get(i).is_some_and(|t| is_adverb(&t.low)) {
        i += 1;
    }
    tokens.get(i).is_some_and(|t| {
        is(Set::FiniteAux, &t.low)
            || matches!(t.low.as_str(), "'s" | "'d" | "ain't")
            || has(&t.low, BASE | PAST | THIRD)
    })
}

/// Whether a clause begins at `i`: a subject with its finite verb. `noun_phrases` also lets "my sister works" begin one.
pub(super) fn clause_at(tokens: &[Tok], i: usize, noun_phrases: bool) -> bool {
    let mut i = i;
    while tokens.get(i).is_some_and(|t| is_adverb(&t.low) || matches!(t.low.as_str(), "then" | "also")) {
        i += 1;
    }
    let Some(t) = tokens.get(i) else { return false };
    // "but last week I had ..."
    let timed = matches!(t.low.as_str(), "last" | "next" | "yesterday" | "today" | "tomorrow" | "this");
    let subject = (i + 1..tokens.len().min(i + 4))
        .find(|&k| matches!(tokens[k].low.as_str(), "i" | "we" | "he" | "she"));
    if timed && subject.is_some_and(|k| finite_at(tokens, k + 1)) {
        return true;
    }
    if is(Set::SubjectPronoun, &t.low) {
        return finite_at(tokens, i + 1);
    }
    if is(Set::Deictic, &t.low) {
        return tokens.get(i + 1).is_some_and(|n| n.is("'s") || is(Set::FiniteAux, &n.low));
    }
    if noun_phrases && companion(tokens, i) {
        return true;
    }
    noun_phrases
        && (is(Set::Determiner, &t.low) || t.is_capital() || has(&t.low, ING))
        && find_verb(&tokens[i..]).is_some_and(|v| v <= 5)
}

/// "my wife and I were", "Anna and I went".
pub(super) fn companion(tokens: &[Tok], i: usize) -> bool {
    let and = (i + 1..tokens.len().min(i + 5)).find(|&k| tokens[k].is("and"));
    let and = and.filter(|&k| {
        !tokens[i + 1..k]
            .iter()
            .any(|t| is_adverb(&t.low) || is(Set::FiniteAux, &t.low) || has(&t.low, THIRD))
    });
    let opens = matches!(tokens[i].low.as_str(), "my" | "our")
        || tokens[i].is_capital() && !is(Set::SubjectPronoun, &tokens[i].low);
    opens
        && and.is_some_and(|k| {
            tokens.get(k + 1).is_some_and(|t| t.is("i") || t.is("me")) && finite_at(tokens, k + 2)
        })
}

/// Where the finite verb of a clause stands that begins with a noun phrase.
pub(super) fn find_verb(tokens: &[Tok]) -> Option<usize> {
    let gerund = tokens.first().is_some_and(|t| has(&t.low, ING) && !is(Set::Determiner, &t.low));
    let opens = tokens.first().is_some_and(|t| is(Set::Determiner, &t.low));
    let mut compound = false;
    let mut prepositions = 0;
    for (i, t) in tokens.iter().enumerate().take(10) {
        let low = t.low.as_str();
        let previous = i.checked_sub(1).map(|k| &tokens[k]);
        if i > 0 && previous.is_some_and(|p| !p.is_mark()) && !(opens && i == 1)
            || (i > 0 && previous.is_some_and(|p| p.is(",")))
        {
            if is(Set::FiniteAux, low) && !t.is("may") {
                return Some(i);
            }
            if low == "'s" {
                if contraction(tokens, i) {
                    return Some(i);
                }
                continue;
            }
            let next_is_verb = tokens.get(i + 1).is_some_and(|n| {
                is(Set::FiniteAux, &n.low)
                    || n.is("'s")
                    || (has(&n.low, THIRD) && !has(&n.low, NOUNISH))
                    || (has(&n.low, THIRD) && !is_noun_plural(&n.low))
            });
            let f = forms(low);
            let object_follows = tokens.get(i + 1).is_some_and(|n| {
                is(Set::Determiner, &n.low) || matches!(n.low.as_str(), "me" | "us" | "you" | "them")
            });
            let noun_like = gerund && is_noun_plural(low) && !object_follows;
            if noun_like {
                continue;
            }
            if !next_is_verb
                && !t.is_capital()
                && previous.is_some_and(|p| !is(Set::Preposition, &p.low) && !is(Set::Determiner, &p.low))
            {
                if f & THIRD != 0 || (f & PAST != 0 && f & BASE == 0 && !gerund) {
                    return Some(i);
                }
                let plural = compound || previous.is_some_and(|p| looks_plural(&p.low));
                // "Books like this are ...": here "like" is no verb.
                let likeness =
                    low == "like" && tokens[i + 1..].iter().take(8).any(|t| is(Set::FiniteAux, &t.low));
                if f & BASE != 0 && plural && !gerund && !likeness {
                    return Some(i);
                }
            }
        }
        // A pronoun, a question word or a comma that opens no apposition ends the noun phrase.
        if is(Set::SubjectPronoun, low) && i > 0 || is(Set::Wh, low) || is(Set::Deictic, low) && i > 0 {
            return None;
        }
        // "Feedback to the reporter": here "to" is no infinitive.
        let towards = low == "to" && tokens.get(i + 1).is_some_and(|n| is(Set::Determiner, &n.low));
        if matches!(low, "but" | "or" | "so" | "because" | "if" | "than" | ";" | ":" | "(" | "-" | "to")
            && !towards
        {
            return None;
        }
        if low == "and" || low == "&" {
            compound = true;
        }
        if is(Set::Preposition, low) {
            prepositions += 1;
            if prepositions > 1 {
                return None;
            }
        }
    }
    None
}

fn is_noun_plural(low: &str) -> bool {
    has(low.trim_end_matches('s'), NOUNISH)
}

/// Whether a noun looks plural by its ending or stands in a list.
pub(super) fn looks_plural(low: &str) -> bool {
    (low.ends_with('s')
        && !low.ends_with("ss")
        && !low.ends_with("us")
        && !low.ends_with("is")
        && low.len() > 3
        && !is(Set::Month, low))
        || matches!(
            low,
            "people"
                | "children"
                | "men"
                | "women"
                | "mice"
                | "feet"
                | "teeth"
                | "folks"
                | "both"
                | "we"
                | "they"
                | "you"
        )
        || is(Set::KinPlural, low)
        || is(Set::AnimalPlural, low) && low != "fish"
}

/// Whether the `'s` at `i` is a verb and no possessive.
fn contraction(tokens: &[Tok], i: usize) -> bool {
    let Some(next) = tokens.get(i + 1) else { return false };
    let low = next.low.as_str();
    if is(Set::Determiner, low) && low != "own"
        || is_adverb(low)
        || is(Set::Preposition, low)
        || is(Set::Evaluative, low)
        || is(Set::Health, low) && low.ends_with("ic")
    {
        return true;
    }
    if has(low, ING) || (has(low, PART) && !has(low, BASE)) {
        return true;
    }
    let later = tokens[i + 1..].iter().take(6).take_while(|t| !t.is(",") && !is(Set::SubjectPronoun, &t.low));
    !later.skip(1).any(|t| {
        is(Set::FiniteAux, &t.low) || t.is("'s") || (has(&t.low, THIRD | PAST) && !has(&t.low, BASE))
    })
}

/// Whether any finite verb stands in the tokens.
pub(super) fn has_finite(tokens: &[Tok]) -> bool {
    tokens.iter().enumerate().any(|(i, t)| {
        is(Set::FiniteAux, &t.low)
            || matches!(t.low.as_str(), "'d")
            || t.is("'s")
                && (contraction(tokens, i)
                    || i.checked_sub(1).is_some_and(|k| is(Set::SubjectPronoun, &tokens[k].low)))
            || has(&t.low, PAST | THIRD) && i > 0
            || i == 0 && has(&t.low, PAST) && !has(&t.low, BASE)
            || has(&t.low, BASE)
                && tokens[..i]
                    .iter()
                    .rev()
                    .find(|p| !is_adverb(&p.low))
                    .is_some_and(|p| is(Set::SubjectPronoun, &p.low) || looks_plural(&p.low))
    })
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    #[test]
    fn the_verb_of_a_noun_phrase_is_found() {
        let at = |text: &str| find_verb(&tokens(text));
        assert_eq!(at("My sister Ana is a vet"), Some(3));
        assert_eq!(at("My parents live in Rome"), Some(2));
        assert_eq!(at("Night deploys are not allowed"), Some(2));
        assert_eq!(at("The server runs on port 8443"), Some(2));
        assert_eq!(at("My sister's a vet"), Some(2));
        assert_eq!(at("My sister's dog is old"), Some(4));
        assert_eq!(at("The book I read was long"), None);
    }
}

//! A sentence becomes clauses: lead-ins go, adverbials at the front move to the end, "... and I ..." comes apart.

use super::finite::{clause_at, companion, finite_at, has_finite};
use super::lexicon::{BASE, ING, Set, THIRD, has, is, is_adverb, is_first_name, is_kin};
use super::token::Tok;

/// One clause: its words in the order subject, verb, rest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Clause {
    pub(super) tokens: Vec<Tok>,
    /// An adverbial that stood before the subject and belongs behind the rest.
    pub(super) fronted: Vec<Tok>,
}

/// Removes "Yeah, ", "Hey Dave! ", "By the way, " and a name that is only called. `names` are the speakers'.
pub(super) fn strip_leads(tokens: &mut Vec<Tok>, names: &[String]) {
    loop {
        let before = tokens.len();
        while tokens.first().is_some_and(Tok::is_mark) && !tokens.first().is_some_and(|t| t.is("\"")) {
            tokens.remove(0);
        }
        let Some(first) = tokens.first() else { return };
        let longest = (1..=5.min(tokens.len())).rev().find(|&n| {
            is(Set::Lead, &tokens[..n].iter().map(|t| t.low.as_str()).collect::<Vec<_>>().join("_"))
        });
        let next = |n: usize| tokens.get(n);
        let opener = matches!(first.low.as_str(), "and" | "but" | "or" | "plus" | "also");
        if opener && tokens.len() > 1 && longest.is_none_or(|n| n == 1) {
            tokens.remove(0);
        } else if let Some(n) = longest {
            let called = usize::from(next(n).is_some_and(|t| is_called(t, names)));
            let mark = next(n + called).is_some_and(|t| t.is_mark() && !t.is("\"") && !t.is("("));
            // "So cool", "Well done": a lead-in is followed by a mark or by a new subject.
            let subject = next(n + called).is_none_or(starts_subject);
            if mark || subject || n > 1 {
                tokens.drain(..n + called + usize::from(mark));
            }
        } else if is_called(first, names) && next(1).is_some_and(|t| t.is(",") || t.is("-") || t.is("!")) {
            tokens.drain(..2);
        } else if let Some(comma) = tokens.iter().position(|t| t.is(",")).filter(|c| (1..=5).contains(c))
            && is(Set::ChatterStart, &tokens[0].low)
            && tokens[..comma].iter().skip(1).all(|t| {
                is_called(t, names) || (!is(Set::FiniteAux, &t.low) && !is(Set::SubjectPronoun, &t.low))
            })
            && tokens.get(comma + 1).is_some_and(starts_subject)
        {
            tokens.drain(..=comma);
        }
        if tokens.len() == before {
            break;
        }
    }
    while tokens.last().is_some_and(|t| t.is_mark() && !t.is(")") && !t.is("\"")) {
        tokens.pop();
    }
    // ", Caroline" and ", haha" at the end.
    while tokens.len() > 2 {
        let n = tokens.len();
        let closing = is_called(&tokens[n - 1], names)
            || matches!(
                tokens[n - 1].low.as_str(),
                "haha"
                    | "hahaha"
                    | "lol"
                    | "though"
                    | "tho"
                    | "yeah"
                    | "man"
                    | "right"
                    | "huh"
                    | "btw"
                    | "honestly"
                    | "actually"
                    | "anyway"
            );
        // ", as you know", "by the way"
        let aside: &[&[&str]] = &[&["as", "you", "know"], &["you", "know"], &["by", "the", "way"]];
        let tail = aside
            .iter()
            .find(|a| n > a.len() + 2 && a.iter().zip(&tokens[n - a.len()..]).all(|(w, t)| t.is(w)));
        if tokens[n - 2].is(",") && closing {
            tokens.truncate(n - 2);
        } else if let Some(tail) = tail.filter(|a| tokens[n - a.len() - 1].is(",") || a[0] == "by") {
            tokens.truncate(n - tail.len());
            while tokens.last().is_some_and(|t| t.is(",")) {
                tokens.pop();
            }
        } else {
            break;
        }
    }
}

/// Whether the token calls one of the speakers: the name or a short form of it.
fn is_called(t: &Tok, names: &[String]) -> bool {
    t.is_capital()
        && names.iter().any(|n| {
            let n = n.to_lowercase();
            n == t.low
                || (t.low.chars().count() >= 2
                    && n.starts_with(&t.low)
                    && n.chars().count() > t.low.chars().count() + 1)
                || n.split(' ').next() == Some(t.low.as_str())
        })
}

fn starts_subject(t: &Tok) -> bool {
    is(Set::SubjectPronoun, &t.low)
        || is(Set::Determiner, &t.low)
        || matches!(
            t.low.as_str(),
            "there"
                | "when"
                | "since"
                | "yesterday"
                | "today"
                | "tomorrow"
                | "last"
                | "next"
                | "as"
                | "after"
                | "in"
                | "on"
        )
        || (t.is_capital() && is_first_name(&t.low))
}

/// Splits a sentence without its lead-ins.
pub(super) fn split(tokens: Vec<Tok>) -> Vec<Clause> {
    let mut out: Vec<Clause> = Vec::new();
    let (tokens, aside) = take_aside(tokens);
    out.extend(aside.map(|tokens| Clause { tokens, fronted: Vec::new() }));
    let (mut rest, mut fronted) = front(tokens);
    let mut i = 1;
    while i < rest.len() {
        let Some(skip) = boundary(&rest, i) else {
            i += 1;
            continue;
        };
        let tail = rest.split_off(i);
        push(&mut out, std::mem::take(&mut rest), std::mem::take(&mut fronted));
        (rest, fronted) = front(tail[skip.min(tail.len())..].to_vec());
        i = 1;
    }
    push(&mut out, rest, fronted);
    out
}

/// "My sister Ana, who is a vet, lives in Bonn" says two things of her.
fn take_aside(tokens: Vec<Tok>) -> (Vec<Tok>, Option<Vec<Tok>>) {
    let open = (1..tokens.len().min(8))
        .find(|&i| tokens[i].is(",") && tokens.get(i + 1).is_some_and(|t| t.is("who")));
    let Some(open) = open.filter(|&o| !has_finite(&tokens[..o]) && finite_at(&tokens, o + 2)) else {
        return (tokens, None);
    };
    let Some(close) = (open + 3..tokens.len()).find(|&i| tokens[i].is(",") && finite_at(&tokens, i + 1))
    else {
        return (tokens, None);
    };
    let with =
        |from: usize, to: usize| tokens[..open].iter().chain(&tokens[from..to]).cloned().collect::<Vec<_>>();
    (with(close + 1, tokens.len()), Some(with(open + 2, close)))
}

fn push(out: &mut Vec<Clause>, mut tokens: Vec<Tok>, fronted: Vec<Tok>) {
    while tokens.last().is_some_and(|t| t.is_mark() && !t.is(")") && !t.is("\"")) {
        tokens.pop();
    }
    while tokens.first().is_some_and(|t| t.is(",") || t.is("-") || t.is(";") || t.is(":")) {
        tokens.remove(0);
    }
    if !tokens.is_empty() || !fronted.is_empty() {
        out.push(Clause { tokens, fronted });
    }
}

/// If a clause boundary stands at `i`, how many tokens of it belong to neither side.
fn boundary(tokens: &[Tok], i: usize) -> Option<usize> {
    let t = &tokens[i];
    let open =
        tokens[..i].iter().filter(|t| t.is("(")).count() > tokens[..i].iter().filter(|t| t.is(")")).count();
    let quoted = tokens[..i].iter().filter(|t| t.is("\"")).count() % 2 == 1;
    if open || quoted {
        return None;
    }
    match t.low.as_str() {
        ";" => Some(1),
        "-" | "--" | "..." | "\u{2026}" | "." => {
            // "a new project - a thriller set in a small town" is one thing; its second half has no verb of its own.
            let article = tokens.get(i + 1).is_some_and(|n| matches!(n.low.as_str(), "a" | "an"));
            let joins =
                article && !has_finite(&tokens[i + 1..]) && !tokens[i + 1..].iter().any(|n| n.is("-"));
            (!joins).then_some(1)
        }
        ":" => clause_at(tokens, i + 1, false).then_some(1),
        _ if !has_finite(&tokens[..i]) => None,
        "," => {
            let conjunction = tokens.get(i + 1).is_some_and(|n| is_conjunction(&n.low));
            // ", so send pictures only": advice.
            let advice = tokens.get(i + 1).is_some_and(|n| n.is("so"))
                && tokens.get(i + 2).is_some_and(|n| is(Set::Imperative, &n.low) && has(&n.low, BASE));
            if conjunction {
                (advice || clause_at(tokens, i + 2, true)).then_some(2)
            } else {
                let whole = !is(Set::Subordinator, &tokens[0].low);
                // ", take a look", ", can't find the words": no subject of its own and not the same statement.
                let next = |k: usize| tokens.get(i + k).map_or("", |t| t.low.as_str());
                let look = next(1) == "take" && next(2) == "a" && next(3) == "look"
                    || next(1) == "trust" && next(2) == "me";
                if whole && (look || matches!(next(1), "can't" | "couldn't" | "won't" | "don't")) {
                    return Some(1);
                }
                let named = tokens.get(i + 1).is_some_and(|n| {
                    n.is_capital() && is_first_name(&n.low)
                        || n.is_capital()
                            && tokens.get(i + 2).is_some_and(|v| {
                                is_adverb(&v.low) || has(&v.low, THIRD) || is(Set::FiniteAux, &v.low)
                            })
                }) && finite_at(tokens, i + 2);
                (whole && (named || clause_at(tokens, i + 1, false)) && !in_subordinate_list(tokens, i))
                    .then_some(1)
            }
        }
        low if is_conjunction(low) => {
            // "... and my teammates and I were thrilled": this "and" is within a subject.
            let from =
                tokens[..i].iter().rposition(|t| t.is(",") || is_conjunction(&t.low)).map_or(0, |p| p + 1);
            if low == "and"
                && companion(tokens, from)
                && i - from < 5
                && tokens.get(i + 1).is_some_and(|t| t.is("i") || t.is("me"))
            {
                return None;
            }
            let advice = tokens.get(i + 1).is_some_and(|n| {
                n.is("make") && tokens.get(i + 2).is_some_and(|s| s.is("sure"))
                    || n.is("let")
                    || n.is("please")
                    || n.is("don't") && low == "so"
            });
            if advice {
                return Some(1);
            }
            let purpose = low == "so"
                && tokens.get(i + 2).is_some_and(|n| {
                    matches!(n.low.as_str(), "can" | "could" | "will" | "would" | "don't" | "won't")
                });
            // "my mother was a teacher and my father was a baker"
            let mine = tokens.get(i + 1).is_some_and(|n| matches!(n.low.as_str(), "my" | "our"));
            (!purpose && clause_at(tokens, i + 1, mine)).then_some(1)
        }
        _ => None,
    }
}

fn is_conjunction(low: &str) -> bool {
    matches!(low, "and" | "but" | "so" | "yet" | "plus" | "although" | "though")
}

/// "I love it when it rains, it snows": a comma within a list of subordinate clauses; rare, so only the plain case.
fn in_subordinate_list(tokens: &[Tok], i: usize) -> bool {
    tokens[..i].last().is_some_and(|t| is(Set::Wh, &t.low))
}

/// Words that can open an adverbial before the subject.
fn opens_adverbial(t: &Tok) -> bool {
    is(Set::Preposition, &t.low) || is(Set::Subordinator, &t.low) || is(Set::Opener, &t.low)
}

/// Takes an adverbial off the front: "Last year, I ..." gives ("I ...", "last year").
fn front(tokens: Vec<Tok>) -> (Vec<Tok>, Vec<Tok>) {
    let Some(first) = tokens.first() else { return (tokens, Vec::new()) };
    if !opens_adverbial(first) {
        return (tokens, Vec::new());
    }
    // With a comma: everything before it, when a clause follows it.
    let comma = (1..tokens.len().min(24)).find(|&c| tokens[c].is(",") && clause_at(&tokens, c + 1, true));
    let counted = matches!(
        first.low.as_str(),
        "one" | "two" | "three" | "few" | "some" | "the" | "a" | "each" | "every" | "this" | "these"
    );
    if let Some(c) = comma
        && (!counted || is_time_or_place(&tokens[..c]))
        && (is(Set::Subordinator, &first.low)
            || is(Set::Preposition, &first.low)
            || tokens[..c].iter().take(3).any(|t| t.is("time"))
            || !has_finite(&tokens[..c]))
    {
        let main = tokens[c + 1..].to_vec();
        return (main, tokens[..c].to_vec());
    }
    // Without: up to the first pronoun subject, when no verb stands before it.
    let bare_opener = !is(Set::Subordinator, &first.low);
    let subject = (1..tokens.len().min(8))
        .find(|&k| matches!(tokens[k].low.as_str(), "i" | "we" | "she" | "he") && finite_at(&tokens, k + 1));
    if let Some(k) = subject
        && bare_opener
        && !has_finite(&tokens[..k])
        && !tokens[..k].iter().any(|t| has(&t.low, ING) || is(Set::Wh, &t.low) || t.is("but") || t.is("time"))
        && !first.is("to")
        && !tokens[..k].iter().skip(1).any(|t| is_kin(&t.low) || t.is("and"))
        && is_time_or_place(&tokens[..k])
    {
        let main = tokens[k..].to_vec();
        return (main, tokens[..k].to_vec());
    }
    (tokens, Vec::new())
}

/// "The book I read" must not be taken for an adverbial: an opener without comma has to speak of time or be one preposition phrase.
fn is_time_or_place(tokens: &[Tok]) -> bool {
    let time = |t: &Tok| {
        is(Set::TimeWord, t.low.trim_end_matches('s'))
            || is(Set::Month, &t.low)
            || is(Set::Weekday, &t.low)
            || (t.low.len() == 4 && t.low.chars().all(|c| c.is_ascii_digit()))
    };
    tokens.iter().any(time)
        || (is(Set::Preposition, &tokens[0].low)
            && tokens.len() <= 5
            && !tokens.iter().any(|t| is(Set::Deictic, &t.low)))
}

#[cfg(test)]
mod tests {
    use super::super::token::{render, tokens};
    use super::*;

    fn parts(text: &str) -> Vec<String> {
        split(tokens(text))
            .iter()
            .map(|c| {
                let mut all = render(&c.tokens);
                if !c.fronted.is_empty() {
                    all = format!("{all} < {}", render(&c.fronted));
                }
                all
            })
            .collect()
    }

    #[test]
    fn clauses_come_apart_and_fronted_words_move() {
        assert_eq!(parts("I live in Oslo and I work at Acme"), ["I live in Oslo", "I work at Acme"]);
        assert_eq!(
            parts("Last year, I moved to Bonn, but I miss Rome"),
            ["I moved to Bonn < Last year", "I miss Rome"]
        );
        assert_eq!(parts("Yesterday I met Ana"), ["I met Ana < Yesterday"]);
        assert_eq!(parts("Anna and I were sitting"), ["Anna and I were sitting"]);
        assert_eq!(parts("I have two cats, Milo and Otis"), ["I have two cats, Milo and Otis"]);
        assert_eq!(parts("The book I read was long"), ["The book I read was long"]);
        assert_eq!(parts("I save money so I can travel"), ["I save money so I can travel"]);
        assert_eq!(parts("When I was a kid, I lived in Rome"), ["I lived in Rome < When I was a kid"]);
    }

    #[test]
    fn lead_ins_go() {
        let strip = |text: &str| {
            let mut t = tokens(text);
            strip_leads(&mut t, &["Caroline".to_owned()]);
            render(&t)
        };
        assert_eq!(strip("Thanks, Caroline, I live in Oslo"), "I live in Oslo");
        assert_eq!(strip("Hey Mel, I moved"), "Hey Mel, I moved");
        assert_eq!(strip("Yeah, by the way, we moved, Caroline"), "we moved");
    }
}

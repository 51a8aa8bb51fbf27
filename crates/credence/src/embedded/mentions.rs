//! Who and what a written statement names: spans, kinds guessed by rule, roles.

use crate::extraction::CandidateMention;
use crate::proposition::MentionRole;

use super::calibration::Rule;
use super::discourse::Discourse;
use super::lexicon::{NOUNISH, Set, forms, is, is_adverb, is_first_name, is_kin};
use super::predicate::Predicate;
use super::token::{Tok, render};

/// Lower-case words that may stand inside a name.
fn joins_name(low: &str) -> bool {
    matches!(
        low,
        "of" | "the"
            | "de"
            | "da"
            | "do"
            | "la"
            | "le"
            | "van"
            | "von"
            | "der"
            | "den"
            | "di"
            | "del"
            | "y"
            | "&"
            | "'s"
    )
}

/// The people of the scene: the names that statements use and whether it is the speaker.
pub(super) struct People<'a> {
    pub(super) speaker: &'a str,
    pub(super) other: Option<&'a str>,
    pub(super) discourse: &'a Discourse,
    /// What the subject is: of an animal "is called Rex" names one.
    pub(super) subject_kind: &'a str,
}

/// Adds what the rest of a predicate names to the mentions of the subject. `rest` is the text as written in the statement.
pub(super) fn complete(
    mut mentions: Vec<CandidateMention>,
    rest: &[Tok],
    p: &Predicate,
    rule: Rule,
    people: &People<'_>,
) -> Vec<CandidateMention> {
    let mut object_taken = mentions.iter().any(|m| m.role == MentionRole::Object);
    let add = |mentions: &mut Vec<CandidateMention>,
               span: String,
               kind: &str,
               is_speaker: bool,
               role: MentionRole| {
        if !span.is_empty() && !mentions.iter().any(|m| m.span == span) {
            mentions.push(CandidateMention {
                span,
                kind: kind.to_owned(),
                role,
                is_speaker,
                suggested: None,
            });
        }
    };
    let mut i = 0;
    while i < rest.len() {
        let t = &rest[i];
        let bare = t.text.strip_suffix("'s").unwrap_or(&t.text);
        let is_speaker = bare == people.speaker;
        if is_speaker || people.other == Some(bare) {
            add(&mut mentions, bare.to_owned(), "Person", is_speaker, MentionRole::Object);
            i += 1;
            continue;
        }
        if is_iso_date(&t.text) {
            add(&mut mentions, t.text.clone(), "Date", false, MentionRole::Other);
            i += 1;
            continue;
        }
        if t.is("\"")
            && let Some(len) = rest[i + 1..].iter().position(|q| q.is("\""))
            && len > 0
        {
            add(&mut mentions, render(&rest[i + 1..i + 1 + len]), "Thing", false, MentionRole::Object);
            i += len + 2;
            continue;
        }
        let Some(len) = name_at(rest, i) else {
            i += 1;
            continue;
        };
        let span = render(&rest[i..i + len]);
        let kind = if is(Set::Month, &t.low) || is(Set::Weekday, t.low.trim_end_matches('s')) {
            "Date"
        } else {
            guess(&span, rest, i, p, rule, people)
        };
        // "Roman history": the adjective alone is nobody's topic.
        let adjective = len == 1
            && (is(Set::Demonym, &t.low)
                || ["an", "ish", "ese", "ic"].iter().any(|e| t.low.ends_with(e)) && !is_first_name(&t.low));
        let noun = rest.get(i + 1).filter(|n| {
            adjective
                && !n.is_mark()
                && !n.glued
                && !n.is_capital()
                && !is(Set::Preposition, &n.low)
                && !is(Set::Determiner, &n.low)
                && !is_adverb(&n.low)
                && !joins_name(&n.low)
                && !matches!(n.low.as_str(), "and" | "or" | "but" | "because" | "who" | "that")
        });
        if let Some(noun) = noun {
            add(&mut mentions, format!("{} {}", t.text, noun.text), "Topic", false, MentionRole::Object);
            object_taken = true;
            i += 2;
            continue;
        }
        let role = if kind == "Date" { MentionRole::Other } else { MentionRole::Object };
        object_taken |= role == MentionRole::Object;
        if !(is(Set::Demonym, &t.low) && len == 1) {
            add(&mut mentions, span, kind, false, role);
        }
        i += len;
    }
    if !object_taken && let Some((span, kind)) = common_object(rest, p, rule) {
        add(&mut mentions, span, kind, false, MentionRole::Object);
    }
    mentions
}

fn is_iso_date(text: &str) -> bool {
    text.len() == 10 && chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

/// How many tokens of a name start at `i`.
pub(super) fn name_at(rest: &[Tok], i: usize) -> Option<usize> {
    let names = |t: &Tok| {
        (t.is_capital() || t.text.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase()))
            && !t.is_mark()
            && t.low != "i"
    };
    let t = rest.get(i)?;
    if !names(t) || is(Set::Determiner, &t.low) && !rest.get(i + 1).is_some_and(names) {
        return None;
    }
    let mut end = i + 1;
    while let Some(n) = rest.get(end) {
        if names(n) && !n.glued || n.text.chars().all(|c| c.is_ascii_digit()) && n.text.len() <= 4 {
            end += 1;
        } else if joins_name(&n.low) && rest.get(end + 1).is_some_and(|m| names(m) && !m.text.ends_with("'s"))
        {
            end += 2;
        } else if joins_name(&n.low)
            && rest.get(end + 1).is_some_and(|m| joins_name(&m.low) && !m.is("'s"))
            && rest.get(end + 2).is_some_and(names)
            && n.low != "'s"
        {
            end += 3;
        } else {
            break;
        }
    }
    Some(end - i)
}

fn guess(span: &str, rest: &[Tok], i: usize, p: &Predicate, rule: Rule, people: &People<'_>) -> &'static str {
    let before = |n: usize| i.checked_sub(n).map_or("", |k| rest[k].low.as_str());
    // "Was in Jordan" is about the country even where a Jordan is known; "in Jordan's room" and "believes in Jordan" are not.
    let within = before(1) == "in"
        && !is(Set::Month, &rest[i].low)
        && !rest.get(i + span.split(' ').count()).is_some_and(|t| t.is("'s"))
        && !rest[i].text.ends_with("'s")
        && (is(Set::PlaceVerb, &p.verb)
            || matches!(p.verb.as_str(), "be" | "stay" | "work" | "study" | "grow"));
    if within {
        return "Place";
    }
    if let Some(known) = people.discourse.kind_of(span) {
        return known;
    }
    // "An LGBTQ conference": what qualifies a noun is no place to go to.
    let after = rest.get(i + span.split(' ').count());
    let acronym = span.chars().filter(|c| c.is_alphabetic()).count() > 2
        && span.chars().all(|c| !c.is_lowercase() && c != '.' && c != ' ');
    let qualifies = (matches!(before(1), "a" | "an") || acronym && before(1) == "the")
        && after.is_some_and(|t| {
            !t.is_mark()
                && !t.glued
                && !t.is_capital()
                && t.low.chars().all(char::is_alphabetic)
                && !is(Set::Preposition, &t.low)
                && !is(Set::Subordinator, &t.low)
                && !is(Set::Wh, &t.low)
                && !is(Set::FiniteAux, &t.low)
                && !is_adverb(&t.low)
                && !joins_name(&t.low)
                && !matches!(t.low.as_str(), "and" | "or" | "but" | "because" | "who" | "that" | "to")
        });
    if qualifies {
        return "";
    }
    let earlier = &rest[..i];
    let has_animal = earlier.iter().any(|t| is(Set::Animal, &t.low) || is(Set::AnimalPlural, &t.low));
    let has_kin = earlier.iter().any(|t| is_kin(&t.low) || is(Set::KinPlural, &t.low));
    let named = matches!(before(1), "called" | "named") || before(1).is_empty() && i == 0;
    match people.subject_kind {
        "Animal" if p.verb == "be" && named => return "Animal",
        "Person" if p.verb == "be" && i > 0 && named => return "Person",
        _ => {}
    }
    let introduced = matches!(before(1), "called" | "named" | "," | "(" | "and" | "is")
        || i > 0 && (is(Set::Animal, before(1)) || is_kin(before(1)));
    if introduced && has_animal {
        return "Animal";
    }
    if introduced && has_kin || rule == Rule::Family && i == 0 {
        return "Person";
    }
    let first = span.split(' ').next().unwrap_or_default();
    if is_first_name(first)
        || matches!(first, "Dr." | "Mr." | "Mrs." | "Ms." | "Prof." | "Dr" | "Mr" | "Mrs" | "Ms")
        || i == 0 && matches!(p.verb.as_str(), "know" | "meet" | "marry" | "date" | "befriend")
    {
        return "Person";
    }
    if matches!(before(1), "visit" | "visiting" | "visited" | "explore" | "tour" | "leave") {
        return "Place";
    }
    let preposition = if is(Set::Determiner, before(1)) { before(2) } else { before(1) };
    let going = is(Set::PlaceVerb, &p.verb)
        || p.group.iter().any(|t| is(Set::PlaceVerb, &t.low))
        || earlier.iter().any(|t| is(Set::PlaceVerb, &t.low));
    let working = matches!(p.verb.as_str(), "work" | "study" | "start" | "intern" | "teach" | "volunteer")
        || earlier.iter().any(|t| is(Set::Work, &t.low));
    match preposition {
        "at" | "for" | "with" if working => "Organization",
        "from" | "at" if matches!(p.verb.as_str(), "graduate" | "retire" | "resign") => "Organization",
        "in" if !is(Set::Month, &rest[i].low) => "Place",
        "to" | "from" | "near" | "around" | "through"
            if going || matches!(p.verb.as_str(), "go" | "be" | "drive" | "fly" | "run" | "walk") =>
        {
            "Place"
        }
        "at" => "Place",
        _ if matches!(p.verb.as_str(), "visit" | "explore" | "tour") && i == 0 => "Place",
        _ => "",
    }
}

/// The common noun that a liking, an allergy or a trade is about: one identifiable thing of at most four words.
fn common_object(rest: &[Tok], p: &Predicate, rule: Rule) -> Option<(String, &'static str)> {
    let fits = match rule {
        Rule::Preference | Rule::Health => true,
        Rule::Work => p.verb != "work" || rest.first().is_some_and(|t| t.is("as")),
        Rule::Possession => rest.first().is_some_and(|t| matches!(t.low.as_str(), "a" | "an")),
        Rule::Identity => rest.first().is_some_and(|t| matches!(t.low.as_str(), "a" | "an")),
        Rule::Ability => p.verb == "speak" || p.verb == "play",
        _ => false,
    };
    if !fits {
        return None;
    }
    let skip = |t: &&Tok| is_adverb(&t.low) || is(Set::TopicSkip, &t.low);
    let start = rest.iter().take_while(skip).count();
    // "Is too lazy", "was scared when", "is lactose intolerant": a state, no thing. "Is vegan" alone is a diet.
    let is_state = matches!(p.verb.as_str(), "be" | "feel" | "get" | "become")
        && rest[..start].iter().all(|t| is_adverb(&t.low))
        && rest.iter().filter(|t| !t.is_mark()).count() > 1;
    if is_state {
        return None;
    }
    let words: Vec<&Tok> = rest[start..]
        .iter()
        .take_while(|t| {
            !t.is_mark()
                && !is_adverb(&t.low)
                && !is(Set::Preposition, &t.low)
                && !is(Set::Wh, &t.low)
                && !matches!(
                    t.low.as_str(),
                    "because"
                        | "when"
                        | "that"
                        | "so"
                        | "but"
                        | "than"
                        | "to"
                        | "my"
                        | "their"
                        | "them"
                        | "it"
                        | "they"
                        | "anymore"
                )
        })
        .collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return None };
    // "A lot", "being outdoors", "counseling or working": nothing that could be met again.
    let names_nothing = is(Set::VagueHead, &last.low)
        || is(Set::NothingParticular, &last.low)
        || is(Set::VagueObject, &last.low)
        || is(Set::Feeling, &last.low)
        || is(Set::NoTopic, &last.low)
        || words.len() == 1
            && forms(&first.low) & NOUNISH == 0
            && ["able", "ible", "ful", "less"].iter().any(|e| first.low.ends_with(e))
        || matches!(first.low.as_str(), "being" | "having" | "getting" | "just" | "much")
        || matches!(last.low.as_str(), "and" | "or" | "&")
        || words.iter().any(|t| t.is("or"));
    if names_nothing
        || words.len() > 4
        || words.iter().any(|t| {
            is(Set::Determiner, &t.low)
                || is(Set::ThirdPronoun, &t.low)
                || is(Set::Evaluative, &t.low)
                || t.text.ends_with("'s")
        })
    {
        return None;
    }
    let span = render(&words.into_iter().cloned().collect::<Vec<_>>());
    let kind = if rest.iter().any(|t| is(Set::Animal, &t.low)) && rule == Rule::Possession {
        "Animal"
    } else if rule == Rule::Possession {
        "Thing"
    } else {
        "Topic"
    };
    Some((span, kind))
}

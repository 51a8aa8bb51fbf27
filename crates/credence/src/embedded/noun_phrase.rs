//! Noun phrases as subjects: "my sister Ana", "night deploys", "The Beatles"; what they are, whose they are, and which of
//! them name nothing that a statement could be about.

use crate::extraction::{CandidateMention, DropReason};
use crate::proposition::MentionRole;

use super::finite::{find_verb, looks_plural};
use super::lexicon::{
    BASE, ING, NOUNISH, PART, PAST, Set, THIRD, base, has, is, is_adverb, is_first_name, is_kin,
};
use super::predicate::is_no_longer;
use super::screen::{Refusal, refuse};
use super::subject::{Agreement, Scene, Subject, Who, person, possessive, thing};
use super::token::{Tok, render};

/// A noun phrase with what the checks ask about it.
struct Phrase<'a> {
    tokens: &'a [Tok],
    lows: Vec<&'a str>,
    /// The noun that it is about, in lower case.
    head: &'a str,
    /// The verb behind it, adverbs skipped, in lower case.
    verb: &'a str,
}

/// Reads a clause that starts with a noun phrase.
pub(super) fn read(tokens: &[Tok], scene: &Scene<'_>) -> Result<Subject, Refusal> {
    let Some(mut verb_at) = find_verb(tokens) else { return Err(no_subject()) };
    while verb_at > 1 && is_adverb(&tokens[verb_at - 1].low) {
        verb_at -= 1;
    }
    if verb_at > 2 && is_no_longer(&tokens[verb_at - 2..]) {
        verb_at -= 2;
    }
    let words = &tokens[..verb_at];
    let phrase = Phrase {
        tokens: words,
        lows: words.iter().map(|t| t.low.as_str()).collect(),
        head: &words[head(words)].low,
        verb: tokens[verb_at..].iter().find(|t| !is_adverb(&t.low)).map_or("", |t| t.low.as_str()),
    };
    phrase.refuse_headless()?;
    phrase.refuse_vague(scene.humans_only)?;
    let words = phrase.written(scene)?;
    let yours = phrase.lows.contains(&"your");
    let owner = if matches!(phrase.lows[0], "my" | "our") {
        Some((scene.speaker, true))
    } else {
        scene.other.filter(|_| yours).map(|other| (other, false))
    };
    let (mut mentions, named) = phrase.mentions(&words, owner, scene);
    if let Some((who, is_speaker)) = owner
        && !mentions.iter().any(|m| m.span == who)
    {
        mentions.push(person(who, MentionRole::Other, is_speaker));
    }
    Ok(Subject {
        tokens: words,
        who: Who::Third,
        agreement: if phrase.is_plural() { Agreement::Plural } else { Agreement::Singular },
        mentions,
        verb_at,
        inferred: None,
        head: phrase.head.to_owned(),
        named,
        owned: owner.is_some(),
        others: yours,
        group: false,
    })
}

fn no_subject() -> Refusal {
    refuse(DropReason::NotUnderstood, "no subject with a verb was found")
}

fn vague(detail: String) -> Refusal {
    refuse(DropReason::VagueSubject, detail)
}

impl Phrase<'_> {
    fn len(&self) -> usize {
        self.tokens.len()
    }
    fn is_compound(&self) -> bool {
        self.lows.iter().any(|w| matches!(*w, "and" | "&"))
    }
    fn is_plural(&self) -> bool {
        matches!(self.verb, "are" | "were" | "have" | "do" | "don't" | "aren't" | "weren't" | "haven't")
            || self.is_compound()
            || looks_plural(self.head) && has(self.verb, BASE)
    }

    /// "Quiet time", "lead time": a time with a name of its own, as opposed to "last time" and "good times".
    fn is_named_time(&self) -> bool {
        let first = self.lows[0];
        self.head == "time"
            && self.len() == 2
            && !is(Set::Determiner, first)
            && !is(Set::Evaluative, first)
            && !is_adverb(first)
            && !matches!(first, "last" | "next" | "long" | "free" | "all" | "more" | "much" | "same")
    }

    /// "Sounds like fun", "Never had a chance", "Gather documents": a verb without its subject.
    fn refuse_headless(&self) -> Result<(), Refusal> {
        let first = self.lows[0];
        let second = self.lows.get(1).copied().unwrap_or_default();
        let second_capital = self.tokens.get(1).is_some_and(Tok::is_capital);
        let finite = is(Set::FiniteAux, self.verb) || self.verb == "'s";
        let alone = self.len() == 1;
        // "Row C", "Door 14": a noun with its label.
        let labelled = self.tokens.get(1).is_some_and(|t| {
            t.text.starts_with(|c: char| c.is_ascii_digit())
                || t.text.len() == 1 && t.is_capital() && !t.is("i")
        });
        let verb_first = !labelled && has(first, THIRD) && !has(base(first), NOUNISH)
            || has(first, BASE) && !alone && !finite && !labelled
            || has(first, PAST) && !has(first, BASE) && !second_capital
            || is(Set::ImpressionStart, first) && (alone || !has(first.trim_end_matches('s'), NOUNISH))
            || is(Set::FiniteAux, first);
        let adverb_first = is_adverb(first)
            && !alone
            && !second_capital
            && (is(Set::Feeling, second) || has(second, PAST) && self.len() < 4 || has(second, ING));
        let no_noun = self.lows.iter().all(|w| is_adverb(w))
            || is(Set::Feeling, first) && !is(Set::Evaluative, first) && !alone
            || first.starts_with(|c: char| c.is_ascii_digit()) && !finite
            || is(Set::Preposition, first)
            || matches!(first, "and" | "but" | "or" | "so" | "be" | "been");
        // "A friend called Odd" is no sentence.
        let only_named = matches!(first, "a" | "an") && matches!(self.verb, "called" | "named");
        if verb_first || adverb_first || no_noun || only_named {
            return Err(no_subject());
        }
        let clause = ["how", "what", "why", "who", "which", "where", "when", "if", "than"];
        if self.lows.iter().any(|w| clause.contains(w)) && !self.lows.iter().any(|w| is(Set::ThirdPronoun, w))
        {
            return Err(refuse(DropReason::NotUnderstood, "a clause inside the subject"));
        }
        Ok(())
    }

    /// "Something", "that book", "every day", and among people "the painting": nobody else knows which.
    fn refuse_vague(&self, humans_only: bool) -> Result<(), Refusal> {
        let first = self.lows[0];
        let shown = render(self.tokens);
        let pointing = |w: &&&str| is(Set::ThirdPronoun, w) || is(Set::Deictic, w);
        if let Some(bad) = self.lows.iter().find(pointing) {
            return Err(vague(format!("\u{201c}{bad}\u{201d} points at something unnamed")));
        }
        let counts = [
            "every", "each", "any", "another", "some", "both", "all", "no", "many", "few", "most", "several",
            "one",
        ];
        let mine = matches!(first, "my" | "our");
        if is(Set::VagueHead, first) && self.len() > 1 && !is(Set::Determiner, first)
            || counts.contains(&first) && self.len() < 3
            || is(Set::VagueHead, self.head) && !mine && !self.is_named_time()
            || is(Set::NothingParticular, self.head)
        {
            return Err(vague(format!("\u{201c}{shown}\u{201d} names nothing in particular")));
        }
        let day = matches!(first, "last" | "next" | "yesterday" | "today" | "tomorrow" | "tonight");
        if day && self.len() < 4 && !self.lows.contains(&"'s") {
            return Err(refuse(DropReason::Chatter, "an impression of a day"));
        }
        let definite = first == "the"
            || matches!(first, "all" | "both" | "most" | "some")
                && self.lows.get(1).is_some_and(|w| *w == "the");
        if humans_only && definite && !self.tokens.iter().skip(1).any(Tok::is_capital) {
            return Err(vague(format!("which \u{201c}{shown}\u{201d} is meant is known only to the talk")));
        }
        Ok(())
    }

    /// The phrase as the statement writes it: "my" is the speaker's name.
    fn written(&self, scene: &Scene<'_>) -> Result<Vec<Tok>, Refusal> {
        let unknown = "\u{201c}your\u{201d} is not one known person here";
        self.tokens
            .iter()
            .map(|t| match t.low.as_str() {
                "my" | "our" => Ok(Tok::word(&possessive(scene.speaker))),
                "your" => match scene.other {
                    Some(other) => Ok(Tok::word(&possessive(other))),
                    None => Err(refuse(DropReason::NotUnderstood, unknown)),
                },
                "i" | "me" | "mine" | "us" | "you" | "yours" | "ours" => {
                    Err(refuse(DropReason::NotUnderstood, "a pronoun inside the subject"))
                }
                _ => Ok(t.clone()),
            })
            .collect()
    }

    /// Where the last possessive `'s` stands.
    fn possessive_at(&self) -> Option<usize> {
        self.lows.iter().rposition(|w| *w == "'s")
    }

    /// What the head is. Not who owns it: "my dad's car" is no person.
    fn kind(&self) -> &'static str {
        let behind = self.possessive_at().map_or(0, |at| at + 1);
        let own = &self.lows[behind.min(self.lows.len())..];
        if own.iter().any(|w| is_kin(w) || is(Set::KinPlural, w)) {
            return "Person";
        }
        if own.iter().any(|w| is(Set::Animal, w) || is(Set::AnimalPlural, w)) {
            return "Animal";
        }
        match self.head {
            "company" | "employer" | "firm" | "startup" | "band" | "club" | "university" | "school" => {
                "Organization"
            }
            "city" | "town" | "village" | "country" | "hometown" => "Place",
            _ => "",
        }
    }

    /// Who or what the statement is about, and whether that is one identifiable person, animal or named thing.
    fn mentions(
        &self,
        words: &[Tok],
        owner: Option<(&str, bool)>,
        scene: &Scene<'_>,
    ) -> (Vec<CandidateMention>, bool) {
        let kind = self.kind();
        let named =
            self.tokens.iter().enumerate().any(|(i, t)| t.is_capital() && (i > 0 || is_first_name(&t.low)));
        let whole = |kind: &str| thing(&render(words), kind, MentionRole::Subject);
        let name = proper_name(self.tokens)
            .filter(|name| owner.is_none() || !kind.is_empty() || self.len() == 1 + name.split(' ').count());
        if let Some(name) = name {
            let guess = self.name_kind(&name, kind, scene);
            // A lone capital at the start of a sentence may be any noun.
            let known =
                scene.discourse.knows(&name) || !guess.is_empty() || name.contains(' ') || self.len() > 1;
            return (vec![thing(&name, guess, MentionRole::Subject)], named || known);
        }
        let belongs = self.possessive_at();
        let relative = self.lows.iter().any(|w| is_kin(w) || is(Set::KinPlural, w));
        match (owner, belongs) {
            // "my dad's car" is told of the dad.
            (Some(_), Some(end)) if relative && kind.is_empty() => {
                (vec![thing(&render(&words[..end]), "Person", MentionRole::Subject)], named)
            }
            (Some((who, is_speaker)), _) if matches!(kind, "" | "Organization" | "Place") => {
                (vec![person(who, MentionRole::Subject, is_speaker)], named)
            }
            (Some(_), _) => (vec![whole(kind)], true),
            // "Tom's wife", "Tom's car".
            (None, Some(1)) => {
                let who = &self.tokens[0].text;
                if kind.is_empty() {
                    let kind = if is_first_name(who) { "Person" } else { "" };
                    (vec![thing(who, kind, MentionRole::Subject)], named)
                } else {
                    (vec![whole(kind), person(who, MentionRole::Other, who == scene.speaker)], true)
                }
            }
            (None, _) => {
                let determined = is(Set::Determiner, self.lows[0]) && words.len() > 1;
                let bare = &words[usize::from(determined)..];
                let gerund = !determined && has(self.lows[0], ING);
                let topic = looks_plural(self.head) || self.lows[0] == self.head || gerund;
                let kind = if topic { "Topic" } else { "Thing" };
                (vec![thing(&render(bare), kind, MentionRole::Subject)], named)
            }
        }
    }

    fn name_kind(&self, name: &str, kind: &'static str, scene: &Scene<'_>) -> &'static str {
        let parts = name.split(' ').count();
        if !kind.is_empty() {
            return kind;
        }
        if let Some(known) = scene.discourse.kind_of(name) {
            return known;
        }
        let first = name.split(' ').next().unwrap_or_default();
        let beside_a_person = self.tokens.iter().any(|t| t.is_capital() && is_first_name(&t.low));
        if is_first_name(first) || self.len() > parts && self.is_compound() && beside_a_person {
            "Person"
        } else if is(Set::OrgVerb, self.verb) && !has(self.verb, ING) {
            "Organization"
        } else {
            ""
        }
    }
}

/// The noun that the phrase is about: the last word before a preposition.
fn head(phrase: &[Tok]) -> usize {
    let end = phrase
        .iter()
        .position(|t| is(Set::Preposition, &t.low) || t.is(","))
        .filter(|p| *p > 0)
        .unwrap_or(phrase.len());
    (0..end).rev().find(|&k| !phrase[k].is_mark() && !has(&phrase[k].low, PART | PAST) || k == 0).unwrap_or(0)
}

/// The capitalised name in a noun phrase: "my sister Ana" gives "Ana", "The Beatles" itself.
fn proper_name(phrase: &[Tok]) -> Option<String> {
    let counts = |i: usize| {
        let t = &phrase[i];
        t.is_capital()
            && !matches!(t.low.as_str(), "my" | "our" | "your" | "i" | "a" | "an")
            && (i > 0
                || phrase.len() == 1
                || phrase.get(1).is_some_and(Tok::is_capital)
                || is_first_name(&t.low)
                || phrase.get(1).is_some_and(|n| n.is("and")))
    };
    let start = (0..phrase.len()).find(|&i| counts(i))?;
    // "The dog" at the start of a sentence is no name; "The Beatles" is.
    if start == 0 && is(Set::Determiner, &phrase[0].low) && !phrase.get(1).is_some_and(Tok::is_capital) {
        return None;
    }
    let end = (start..phrase.len()).take_while(|&i| counts(i) || i == start).last()? + 1;
    if phrase.get(end).is_some_and(|t| t.is("'s")) {
        return None;
    }
    let name = render(&phrase[start..end]);
    // One common word at the start ("Dogs are loyal") is a noun unless it is a known name or nothing else could be.
    let single_common = start == 0
        && end == 1
        && (looks_plural(&phrase[0].low)
            || has(&phrase[0].low, ING | BASE | PAST)
            || is(Set::VagueHead, &phrase[0].low)
            || is_adverb(&phrase[0].low))
        && !is_first_name(&phrase[0].low);
    (!single_common).then_some(name)
}

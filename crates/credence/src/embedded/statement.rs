//! The statement itself: its text, confidence, mentions and explanation.

use crate::extraction::{Candidate, CandidateMention, DropReason};
use crate::proposition::{Extractor, MentionRole};

use super::calibration::{HEDGED, INFERRED, MAX_STATEMENT_CHARS, PLAIN, Rule};
use super::judge::judge;
use super::lexicon::{self, Set, is, is_kin};
use super::mentions::{self, People};
use super::predicate::{self, Predicate};
use super::rewrite::rewrite;
use super::screen::{Refusal, refuse};
use super::subject::{self, Scene, Subject, Who, person};
use super::token::{Tok, render};
use super::when;

/// What the parts of one clause have in common.
pub(super) struct Statement<'a> {
    pub(super) subject: &'a Subject,
    pub(super) hedge: Option<&'a str>,
    /// "thinks", when the clause stood behind "I think".
    pub(super) thinks: Option<&'a str>,
    /// "maybe", to be said with the verb.
    pub(super) maybe: Option<&'a Tok>,
    pub(super) asked: bool,
}

impl Statement<'_> {
    /// Writes one predicate of the clause as a statement of its own.
    pub(super) fn write(
        &self,
        words: &[Tok],
        sentence: &str,
        scene: &Scene<'_>,
    ) -> Result<Candidate, Refusal> {
        let subject = self.subject;
        let mut p = predicate::read(words, subject.agreement)?;
        // A timetable speaks of the future in the present: "the train leaves on Friday".
        let timetable = p.tense == when::Tense::Present
            && matches!(p.verb.as_str(), "leave" | "arrive" | "start" | "begin" | "depart" | "land");
        let tense = if timetable { when::Tense::Future } else { p.tense };
        let dated = when::resolve(&mut p.rest, scene.date, tense);
        let rule =
            if self.asked { Rule::Request } else { judge(subject, &p, dated.found, scene.humans_only)? };
        if p.verb == "call"
            && matches!(p.finite.as_str(), "am" | "'s" | "is")
            && subject.who == Who::Speaker
            && !p.progressive
        {
            return Err(refuse(DropReason::NotUnderstood, ""));
        }
        let (rest, filled) = rewrite(&p.rest, &p.verb, subject, scene)?;
        let text = self.sentence(&p, &rest, scene)?;
        let hedge = self.hedge.map(str::to_owned).or_else(|| p.hedge.clone());
        let inferred = subject.inferred.clone().or(filled);
        let mut subject_mentions = subject.mentions.clone();
        if rule == Rule::Family && p.rest.first().is_some_and(Tok::is_capital) {
            owner_first(&mut subject_mentions);
        }
        if self.thinks.is_some() {
            for m in &mut subject_mentions {
                m.role =
                    if m.role == MentionRole::Subject { MentionRole::Object } else { MentionRole::Other };
            }
            subject_mentions.retain(|m| !m.is_speaker);
            subject_mentions.insert(0, person(scene.speaker, MentionRole::Subject, true));
        }
        let people = People {
            speaker: scene.speaker,
            other: scene.other,
            discourse: scene.discourse,
            subject_kind: named_kind(subject),
        };
        let mut mentions = mentions::complete(subject_mentions, &rest, &p, rule, &people);
        animal_subject(&mut mentions, &rest, &p);
        mentions.retain(|m| text.contains(&m.span));
        let (confidence, opening) = match (&hedge, &inferred) {
            (Some(h), _) => (HEDGED, format!("Said by {} with a hedge (\u{201c}{h}\u{201d})", scene.speaker)),
            (_, Some(_)) => (INFERRED, format!("Said by {}", scene.speaker)),
            _ if subject.who == Who::Other || subject.others => {
                (INFERRED, format!("Said by {} of {}", scene.speaker, render(&subject.tokens)))
            }
            _ if self.asked => (PLAIN, format!("{} asked to remember this", scene.speaker)),
            _ => (PLAIN, format!("Said directly by {}", scene.speaker)),
        };
        let means = inferred.map(|i| format!("; {i}")).unwrap_or_default();
        Ok(Candidate {
            reasoning: format!(
                "{opening}: \u{201c}{}\u{201d}{means} (rule: {})",
                sentence.trim(),
                rule.word()
            ),
            text,
            mentions,
            confidence,
            decay: rule.decay(),
            importance: rule.importance(),
            turns: Vec::new(),
            extractor: Extractor::Rules,
            valid_from: None,
            valid_to: None,
        })
    }

    /// The statement's text, checked: a capital, a full stop, no first or second person left.
    fn sentence(&self, p: &Predicate, rest: &[Tok], scene: &Scene<'_>) -> Result<String, Refusal> {
        let mut all = Vec::new();
        if let Some(thinks) = self.thinks {
            all.push(Tok::word(scene.speaker));
            all.push(Tok::word(thinks));
            all.push(Tok::word("that"));
            let mut first = self.subject.tokens.clone();
            if let Some(t) = first.first_mut().filter(|t| is(Set::Determiner, &t.low)) {
                t.text = t.low.clone();
            }
            all.extend(first);
        } else {
            all.extend(self.subject.tokens.iter().cloned());
        }
        let mut group = p.group.clone();
        if let Some(maybe) = self.maybe {
            let behind_auxiliary =
                group.len() > 1 && is(Set::Aux, &group[0].low) || p.verb == "be" && !group.is_empty();
            group.insert(usize::from(behind_auxiliary), maybe.clone());
        }
        all.extend(group);
        all.extend(rest.iter().cloned());
        if let Some(left) = all.iter().find(|t| {
            matches!(
                t.low.as_str(),
                "i" | "me" | "my" | "we" | "us" | "our" | "you" | "your" | "mine" | "myself"
            )
        }) {
            return Err(refuse(
                DropReason::NotUnderstood,
                format!("\u{201c}{}\u{201d} could not be resolved", left.text),
            ));
        }
        let habit = all.len() == 2
            && self.subject.named
            && p.tense == when::Tense::Present
            && !is(Set::FiniteAux, &p.finite);
        if all.len() < 3 && p.verb != "die" && !habit {
            return Err(refuse(DropReason::NotUnderstood, "too little is said"));
        }
        let mut text = capitalised(&render(&all));
        let odd =
            text.matches('"').count() % 2 == 1 || text.matches('(').count() != text.matches(')').count();
        if odd {
            return Err(refuse(DropReason::NotUnderstood, "a quotation or bracket that does not close"));
        }
        if text.chars().count() > MAX_STATEMENT_CHARS {
            return Err(refuse(
                DropReason::NotUnderstood,
                format!("longer than {MAX_STATEMENT_CHARS} characters"),
            ));
        }
        while text.ends_with(|c: char| {
            !c.is_alphanumeric() && !matches!(c, '"' | ')' | '%' | '\'' | '$' | '\u{20ac}' | '+' | '#')
        }) {
            text.pop();
        }
        if !text.ends_with('.') {
            text.push('.');
        }
        Ok(text)
    }
}

pub(super) fn self_introduction(name: &str, sentence: &str, speaker: &str) -> Candidate {
    Candidate {
        text: format!("{} name is {name}.", subject::possessive(speaker)),
        mentions: {
            let mut mentions = vec![person(speaker, MentionRole::Subject, true)];
            if name != speaker {
                mentions.push(person(name, MentionRole::Object, true));
            }
            mentions
        },
        confidence: PLAIN,
        decay: Rule::Name.decay(),
        importance: Rule::Name.importance(),
        reasoning: format!(
            "Said directly by {}: \u{201c}{}\u{201d} (rule: {})",
            speaker,
            sentence.trim(),
            Rule::Name.word()
        ),
        turns: Vec::new(),
        extractor: Extractor::Rules,
        valid_from: None,
        valid_to: None,
    }
}

/// In "Mara's wife is Tia" the relation is Mara's: the owner is the subject.
fn owner_first(mentions: &mut Vec<CandidateMention>) {
    let relation = mentions.first().is_some_and(|m| {
        m.role == MentionRole::Subject
            && mentions.iter().skip(1).any(|o| m.span.starts_with(&format!("{}'s ", o.span)))
    });
    if relation {
        let owner = mentions.iter().position(|m| m.role == MentionRole::Other);
        mentions.remove(0);
        if let Some(m) = owner.and_then(|o| mentions.get_mut(o - 1)) {
            m.role = MentionRole::Subject;
        }
    }
}

/// "Mercury is Mara's cat" tells what Mercury is.
fn animal_subject(mentions: &mut [CandidateMention], rest: &[Tok], p: &Predicate) {
    if p.verb != "be" || p.progressive {
        return;
    }
    let mut head = rest.iter().take(4).take_while(|t| !is(Set::Preposition, &t.low) && !t.is_mark());
    let what = head.find_map(|t| {
        if is(Set::Animal, &t.low) {
            Some("Animal")
        } else if lexicon::is_kin(&t.low) {
            Some("Person")
        } else {
            None
        }
    });
    if let Some(what) = what
        && let Some(m) = mentions.iter_mut().find(|m| m.role == MentionRole::Subject && m.kind.is_empty())
    {
        m.kind = what.to_owned();
    }
}

pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// What a name is of that the statement gives to its subject: "my cat's name is Tom" names an animal, "my company's name"
/// neither.
fn named_kind(subject: &Subject) -> &str {
    let first = subject.mentions.first();
    let has = |fits: fn(&str) -> bool| subject.tokens.iter().any(|t| fits(&t.low));
    match subject.head.as_str() {
        "name" if has(|word| is(Set::Animal, word)) => "Animal",
        "name" if subject.owned && !has(is_kin) && subject.tokens.len() > 2 => "",
        "name" => first.map_or("", |m| m.kind.as_str()),
        _ => first
            .filter(|m| m.kind == "Animal" || m.span == render(&subject.tokens))
            .map_or("", |m| m.kind.as_str()),
    }
}

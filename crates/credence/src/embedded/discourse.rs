//! Who and what was named lately, so that "she", "they" or "it" can be read: only when one antecedent fits.

use super::calibration::REFERENCE_TURNS;
use super::lexicon::{Gender, Set, base, gender, is, is_first_name, is_kin};
use super::token::Tok;

/// Somebody or something that a pronoun may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Referent {
    /// As statements name it: `Ana`, `Mara's sister`.
    pub(super) name: String,
    /// `Person`, `Animal`, or empty.
    pub(super) kind: &'static str,
    pub(super) gender: Option<Gender>,
    pub(super) plural: bool,
    /// Counts human turns.
    turn: usize,
    /// Counts clauses.
    clause: usize,
}

/// The memory of one window.
#[derive(Debug, Default)]
pub(super) struct Discourse {
    known: Vec<Referent>,
    turn: usize,
    clause: usize,
}

/// What a pronoun was found to mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    One(Referent),
    Nobody,
    Several(String),
}

impl Discourse {
    /// A human turn begins.
    pub(super) fn next_turn(&mut self) {
        self.turn += 1;
    }

    /// Whether the name was used within a sentence before, where a capital shows a name.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.known.iter().any(|r| r.name.eq_ignore_ascii_case(name))
    }

    /// The kind that a name was introduced with.
    pub(super) fn kind_of(&self, name: &str) -> Option<&'static str> {
        self.known
            .iter()
            .rev()
            .find(|r| r.name.eq_ignore_ascii_case(name) && !r.kind.is_empty())
            .map(|r| r.kind)
    }

    /// Looks a pronoun (lower case, any case form) up. `not` are the speakers: nobody says "she" to her face.
    pub(super) fn resolve(&self, pronoun: &str, not: &[&str]) -> Found {
        let (wanted, plural, alive) = match pronoun {
            "she" | "her" | "hers" => (Some(Gender::Female), false, true),
            "he" | "him" | "his" => (Some(Gender::Male), false, true),
            "they" | "them" | "their" => (None, true, true),
            "it" | "its" => (None, false, false),
            _ => return Found::Nobody,
        };
        let reach = if wanted.is_some() { REFERENCE_TURNS } else { 1 };
        let fits = |r: &&Referent| {
            r.plural == plural
                && self.turn.saturating_sub(r.turn) < reach
                && !not.iter().any(|n| n.eq_ignore_ascii_case(&r.name))
                // Things are "it" too often and too loosely: only an animal is read so.
                && if alive { !r.kind.is_empty() || r.gender.is_some() } else { r.kind == "Animal" }
                && (wanted.is_none() || r.gender.is_none() || r.gender == wanted)
        };
        let fitting: Vec<&Referent> = self.known.iter().filter(fits).collect();
        // The latest clause that names a fitting one decides; a known gender beats an unknown one there.
        let Some(latest) = fitting.iter().map(|r| r.clause).max() else { return Found::Nobody };
        let mut best: Vec<&Referent> = fitting.iter().copied().filter(|r| r.clause == latest).collect();
        // Not among animals: a male first name on a cat says nothing.
        let people = best.iter().all(|r| r.kind == "Person");
        if best.len() > 1 && people && wanted.is_some() && best.iter().any(|r| r.gender == wanted) {
            best.retain(|r| r.gender == wanted);
        }
        best.dedup_by(|a, b| a.name == b.name);
        match best[..] {
            [only] => Found::One(only.clone()),
            _ => Found::Several(best.iter().map(|r| r.name.as_str()).collect::<Vec<_>>().join(" or ")),
        }
    }

    fn add(&mut self, name: String, kind: &'static str, gender: Option<Gender>, plural: bool) {
        self.known.retain(|r| r.name != name || r.clause != self.clause);
        // What was known about the name stays known: "Toby" is still the dog when named alone.
        let before = self.known.iter().rev().find(|r| r.name == name);
        let kind = if kind.is_empty() { before.map_or("", |r| r.kind) } else { kind };
        let gender = gender.or_else(|| before.and_then(|r| r.gender));
        self.known.push(Referent { name, kind, gender, plural, turn: self.turn, clause: self.clause });
    }

    /// Notes everybody and everything that a clause names. `owner` is what "my" means there, as a possessive.
    pub(super) fn note(&mut self, tokens: &[Tok], owner: &str) {
        self.clause += 1;
        let mut i = 0;
        while i < tokens.len() {
            let t = &tokens[i];
            if let Some(used) = self.note_relation(tokens, i, owner) {
                i += used;
            } else if t.is_capital()
                && t.low != "i"
                && !is(Set::Weekday, &t.low)
                && !is(Set::Month, &t.low)
                && (i > 0 || is_first_name(&t.low))
            {
                let len = 1 + tokens[i + 1..]
                    .iter()
                    .take_while(|n| n.is_capital() && !n.glued && n.low != "i")
                    .count();
                let name = super::token::render(&tokens[i..i + len]);
                let person = is_first_name(&t.low);
                let named_pet = i > 0
                    && matches!(tokens[i - 1].low.as_str(), "called" | "named")
                    && tokens[..i].iter().any(|a| is(Set::Animal, &a.low) || is(Set::AnimalPlural, &a.low));
                let kind = if named_pet {
                    "Animal"
                } else if person {
                    "Person"
                } else {
                    ""
                };
                self.add(name, kind, gender(&t.text), false);
                i += len;
            } else {
                i += 1;
            }
        }
    }

    /// "my (younger) sister (Ana)", "my dogs".
    fn note_relation(&mut self, tokens: &[Tok], i: usize, owner: &str) -> Option<usize> {
        // "I adopted a dog": the speaker's dog from here on.
        let acquired = matches!(tokens[i].low.as_str(), "a" | "an")
            && tokens[..i].iter().any(|t| t.is("i") || t.is("we"))
            && tokens[..i]
                .iter()
                .any(|t| matches!(base(&t.low), "have" | "adopt" | "get" | "buy" | "own" | "rescue"));
        if !(acquired || matches!(tokens[i].low.as_str(), "my" | "our")) || owner.is_empty() {
            return None;
        }
        let head = (i + 1..tokens.len().min(i + 4)).find(|&k| {
            let w = tokens[k].low.as_str();
            is_kin(w) || is(Set::KinPlural, w) || is(Set::Animal, w) || is(Set::AnimalPlural, w)
        })?;
        let word = tokens[head].low.as_str();
        let animal = is(Set::Animal, word) || is(Set::AnimalPlural, word);
        let kind = if animal { "Animal" } else { "Person" };
        let plural = is(Set::KinPlural, word) || is(Set::AnimalPlural, word);
        // "my dog's name", "my sister's house" name something else.
        if tokens.get(head + 1).is_some_and(|t| t.is("'s")) {
            return None;
        }
        let comma = usize::from(tokens.get(head + 1).is_some_and(|t| t.is(",")));
        let name_at = head + 1 + comma;
        let called =
            usize::from(tokens.get(name_at).is_some_and(|t| matches!(t.low.as_str(), "called" | "named")));
        match tokens.get(name_at + called).filter(|t| t.is_capital() && t.low != "i" && !plural) {
            Some(name) => {
                self.add(name.text.clone(), kind, gender(word).or_else(|| gender(&name.text)), false);
                Some(name_at + called + 1 - i)
            }
            None => {
                let phrase = super::token::render(&tokens[i + 1..=head]);
                self.add(format!("{owner} {phrase}"), kind, gender(word), plural);
                Some(head + 1 - i)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    #[test]
    fn only_a_single_fitting_antecedent_is_taken() {
        let mut d = Discourse::default();
        d.next_turn();
        d.note(&tokens("My sister Ana is a vet"), "Mara's");
        assert!(matches!(d.resolve("she", &["Mara"]), Found::One(r) if r.name == "Ana"));
        assert_eq!(d.resolve("he", &["Mara"]), Found::Nobody);
        d.note(&tokens("Ana met Julia and Rosa"), "Mara's");
        assert!(matches!(d.resolve("she", &["Mara"]), Found::Several(_)));
        d.note(&tokens("My dogs like snow"), "Mara's");
        assert!(matches!(d.resolve("they", &[]), Found::One(r) if r.name == "Mara's dogs"));
        for _ in 0..REFERENCE_TURNS {
            d.next_turn();
        }
        assert_eq!(d.resolve("she", &["Mara"]), Found::Nobody);
    }
}

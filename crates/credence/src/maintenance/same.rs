//! When two stored statements are one, when they are not, and how alike they are.
//!
//! A near vector is no ground for either answer: "likes tea" and "likes coffee" are near. What counts are the words: the same
//! statement but for articles, or the same subject, relation and value. Statements that differ in a number, date, name,
//! polarity, level or validity are apart, whatever anybody says. What words leave open only a model can tell.

use std::collections::BTreeSet;

use crate::id::EntityId;
use crate::proposition::{MentionRole, Proposition};
use crate::revision::{aligned, share_subject};
use crate::text::{self, Texts};

/// What words tell of two stored statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sameness {
    /// They are one; why, in words for a person.
    Same(String),
    /// They are two; why.
    Apart(String),
    /// Words do not tell.
    Open,
}

/// Words that change nothing about a statement of the present. English; in other languages nothing is left out.
const FILLERS: [&str; 6] = ["a", "an", "the", "now", "currently", "also"];

fn plain(canonical: &str) -> String {
    let words: Vec<&str> = canonical.split(' ').filter(|word| !FILLERS.contains(word)).collect();
    words.join(" ")
}

/// Compares two stored statements.
pub(crate) fn compare(a: &Proposition, b: &Proposition, texts: &Texts) -> Sameness {
    if !share_subject(a, b) {
        return Sameness::Apart("they are about different things".into());
    }
    if a.level != b.level {
        return Sameness::Apart("one is an abstraction of the other's level".into());
    }
    let validity = |p: &Proposition| (p.temporal.valid_from, p.temporal.valid_to, p.temporal.invalidated_at);
    if validity(a) != validity(b) {
        return Sameness::Apart("they hold at different times".into());
    }
    let (ours, theirs) = (texts.of(&a.text), texts.of(&aligned(a, b)));
    if let Some(difference) = ours.difference(&theirs) {
        return Sameness::Apart(difference.reason);
    }
    if plain(ours.canonical()) == plain(theirs.canonical()) {
        return Sameness::Same("the same statement".into());
    }
    match (ours.slot(), theirs.slot()) {
        (Some(x), Some(y))
            if text::fold(&x.subject) == text::fold(&y.subject)
                && x.relation == y.relation
                && (x.held == text::Held::Past) == (y.held == text::Held::Past)
                && text::fold(&x.value) == text::fold(&y.value) =>
        {
            Sameness::Same("the same fact in other words".into())
        }
        _ => Sameness::Open,
    }
}

/// Keys under which statements that words show to be one meet; a pair that meets is still to be compared.
pub(crate) fn keys(p: &Proposition) -> [Option<String>; 3] {
    let subject = p.mention_in(MentionRole::Subject).and_then(|m| Some((m.entity?, m.span.as_str())));
    let named = subject.and_then(|(entity, span)| Some((entity, p.text.strip_prefix(span)?)));
    let named = named.map(|(entity, rest)| plain(&text::canonical(&format!("{entity}{rest}"))));
    let slot = text::slot(&p.text).map(|slot| {
        let subject = match subject {
            Some((entity, _)) => entity.to_string(),
            None => text::fold(&slot.subject),
        };
        format!("{subject}|{}|{}", slot.relation, text::fold(&slot.value))
    });
    [Some(plain(&text::canonical(&p.text))), named, slot]
}

/// What [`similarity`] compares of a statement.
#[derive(Debug, Clone, Default)]
pub(crate) struct Likeness {
    terms: BTreeSet<String>,
    entities: BTreeSet<EntityId>,
}

impl Likeness {
    pub(crate) fn of(p: &Proposition) -> Self {
        Self { terms: text::terms(&p.text).into_iter().collect(), entities: p.entities().collect() }
    }
}

fn jaccard<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
    let shared = a.intersection(b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// `0.7 * Jaccard(words) + 0.3 * Jaccard(entities)`; the entity term is 0.5 where neither names one and 0 where one does
/// (dice 6.7). Words are compared as stems, in every script.
pub(crate) fn similarity(a: &Likeness, b: &Likeness) -> f64 {
    let entities = match (a.entities.is_empty(), b.entities.is_empty()) {
        (true, true) => 0.5,
        (false, false) => jaccard(&a.entities, &b.entities),
        _ => 0.0,
    };
    let (small, large) = (a.terms.len().min(b.terms.len()), a.terms.len().max(b.terms.len()));
    // The words cannot reach 0.4 / 0.7 where the lengths differ so much: spare the comparison.
    if small * 7 < large * 4 { 0.3 * entities } else { 0.7 * jaccard(&a.terms, &b.terms) + 0.3 * entities }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::id::PropositionId;
    use crate::proposition::{Extractor, Mention};
    use crate::scale::Confidence;
    use crate::time::Timestamp;
    use uuid::Uuid;

    pub(crate) fn fact(n: u128, text: &str) -> Proposition {
        let id = PropositionId::new(Uuid::from_u128(n));
        Proposition::new(id, text, Confidence::clamped(0.9), Extractor::Rules, Timestamp(0)).unwrap()
    }
    pub(crate) fn about(mut p: Proposition, span: &str, entity: u128) -> Proposition {
        let mut mention = Mention::new(span, "Person", MentionRole::Subject);
        mention.entity = Some(EntityId::new(Uuid::from_u128(entity)));
        p.mentions.push(mention);
        p
    }
    fn same(a: &str, b: &str) -> bool {
        let (a, b) = (fact(1, a), fact(2, b));
        let texts = Texts::default();
        let (there, back) = (compare(&a, &b, &texts), compare(&b, &a, &texts));
        let is_same = matches!(there, Sameness::Same(_));
        assert_eq!(is_same, matches!(back, Sameness::Same(_)), "{} / {}", a.text, b.text);
        let meet = keys(&a).iter().zip(keys(&b)).any(|(x, y)| x.is_some() && *x == y);
        assert!(meet || !is_same, "what is the same meets under a key: {} / {}", a.text, b.text);
        is_same
    }

    #[test]
    fn one_statement_in_other_clothes_is_one() {
        assert!(same("Mara is a vegetarian.", "mara is vegetarian"));
        assert!(same("Nia lives in Bonn now.", "Nia lives in Bonn."));
        assert!(same("用户喜欢茶。", "用户喜欢茶"));
        assert!(same("Пиа любит чай", "пиа любит чай."));
        assert!(same("Pia trinkt gern Tee.", "Pia trinkt gern Tee"));
    }

    #[test]
    fn near_statements_are_two() {
        for (a, b) in [
            ("Mara likes tea.", "Mara likes coffee."),
            ("Mara has 2 cats.", "Mara has 3 cats."),
            ("Mara moved on 8 May.", "Mara moved on 9 May."),
            ("Night deploys are allowed.", "Night deploys are not allowed."),
            ("Nia lived in Bonn.", "Nia lives in Bonn."),
            ("Mara is a cat.", "Mara has a cat."),
            ("Pia's dog bites Ben.", "Ben's dog bites Pia."),
            ("Mara likes green tea.", "Mara likes tea."),
            ("Mara is a former doctor.", "Mara is a doctor."),
            ("用户喜欢茶", "用户喜欢咖啡"),
            ("Pia mag Tee.", "Pia mag keinen Tee."),
            ("Pia aime le thé.", "Pia n'aime pas le thé."),
        ] {
            assert!(!same(a, b), "{a} / {b}");
        }
    }

    #[test]
    fn subjects_levels_and_times_keep_statements_apart() {
        let texts = Texts::default();
        let sam = |n, entity| about(fact(n, "Sam loves techno."), "Sam", entity);
        assert!(matches!(compare(&sam(1, 7), &sam(2, 8), &texts), Sameness::Apart(_)));
        let user = about(fact(1, "User lives in Oslo."), "User", 7);
        let named = about(fact(2, "Mara lives in Oslo."), "Mara", 7);
        assert!(matches!(compare(&user, &named, &texts), Sameness::Same(_)), "one person under two names");
        assert_eq!(keys(&user)[1], keys(&named)[1]);
        let lower = about(fact(3, "mara lives in oslo"), "Mara", 7);
        assert_eq!(keys(&lower)[0], keys(&named)[0]);
        let mut dated = fact(2, "Nia lives in Bonn.");
        dated.temporal.valid_from = Some(Timestamp(5));
        assert!(matches!(compare(&fact(1, "Nia lives in Bonn."), &dated, &texts), Sameness::Apart(_)));
        let mut above = fact(2, "Nia lives in Bonn.");
        above.level = 1;
        assert!(matches!(compare(&fact(1, "Nia lives in Bonn."), &above, &texts), Sameness::Apart(_)));
    }

    #[test]
    fn likeness_weighs_words_and_entities() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} is not {b}");
        let of = |p: &Proposition| Likeness::of(p);
        let (plain, entity) = (fact(1, "Pia loves tea"), about(fact(2, "Pia loves tea"), "Pia", 7));
        near(similarity(&of(&plain), &of(&plain)), 0.85);
        near(similarity(&of(&entity), &of(&entity)), 1.0);
        near(similarity(&of(&plain), &of(&entity)), 0.7);
        near(similarity(&of(&entity), &of(&about(fact(3, "Pia loves cake"), "Pia", 7))), 0.35 + 0.3);
        near(similarity(&of(&plain), &of(&fact(3, "Rome"))), 0.15);
    }
}

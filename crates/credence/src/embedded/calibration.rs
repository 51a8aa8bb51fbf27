//! How sure, how lasting and how weighty the rules call what they read: the one table of their numbers.
//!
//! Source: the calibration lines of dice section 3.2 (explicit statements about 0.95, hedged wording
//! about 0.4, stable facts decay slowly and transient ones fast, importance in tiers from health and life events
//! down to chat). The figures between those anchors were chosen by us; `tests.rs` pins them.

/// Confidence of a statement that its speaker makes plainly.
pub const PLAIN: f64 = 0.95;
/// Confidence of a statement that rests on a pronoun or an omitted subject that the rules filled in.
pub const INFERRED: f64 = 0.8;
/// Confidence of a statement with a hedge ("I think", "maybe", "might").
pub const HEDGED: f64 = 0.4;
/// Most candidates that one window may yield; the rest become drops.
pub const MAX_CANDIDATES: usize = 24;
/// Longest sentence that the rules read, in words.
pub const MAX_SENTENCE_WORDS: usize = 60;
/// Longest statement that the rules write, in characters.
pub(super) const MAX_STATEMENT_CHARS: usize = 280;
/// How many turns back a pronoun may look for the person, animal or thing that it means.
pub(super) const REFERENCE_TURNS: usize = 4;
/// Longest text that a drop keeps, in characters.
pub(super) const MAX_DROP_CHARS: usize = 300;

/// The kind of fact that a rule reads; it decides decay and importance and is named in the explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    Request,
    Name,
    Health,
    LifeEvent,
    Family,
    Home,
    Work,
    Identity,
    Possession,
    Preference,
    Habit,
    Ability,
    /// What must or may not be done, by whomever.
    Norm,
    Plan,
    State,
    Event,
    General,
}

/// One row: the word that explanations use, the decay and the importance. At the decay constant k = 2 a confidence halves in
/// `0.347 / decay` days: 0.001 is a year, 0.01 five weeks, 0.2 two days. A home is not forgotten in a season.
const TABLE: [(Rule, &str, f64, f64); 17] = [
    // rule              word           decay importance
    (Rule::Request, "asked to remember", 0.0005, 0.9),
    (Rule::Name, "name", 0.0, 0.7),
    (Rule::Health, "health", 0.0005, 0.9),
    (Rule::LifeEvent, "life event", 0.0, 0.9),
    (Rule::Family, "relation", 0.0005, 0.9),
    (Rule::Home, "home", 0.001, 0.7),
    (Rule::Work, "work", 0.001, 0.7),
    (Rule::Identity, "identity", 0.0005, 0.7),
    (Rule::Possession, "possession", 0.002, 0.5),
    (Rule::Preference, "preference", 0.002, 0.5),
    (Rule::Habit, "habit", 0.002, 0.5),
    (Rule::Ability, "ability", 0.001, 0.5),
    (Rule::Norm, "rule of a place", 0.001, 0.7),
    (Rule::Plan, "plan", 0.01, 0.5),
    (Rule::State, "state", 0.2, 0.2),
    (Rule::Event, "event", 0.002, 0.4),
    (Rule::General, "statement", 0.002, 0.4),
];

impl Rule {
    fn row(self) -> (&'static str, f64, f64) {
        // Every rule has a row (the test below), so the fallback is never read.
        TABLE.iter().find(|r| r.0 == self).map_or(("statement", 0.002, 0.4), |r| (r.1, r.2, r.3))
    }
    /// As explanations name it.
    pub(super) fn word(self) -> &'static str {
        self.row().0
    }
    /// 0 to 1.
    pub(super) fn decay(self) -> f64 {
        self.row().1
    }
    /// 0 to 1.
    pub(super) fn importance(self) -> f64 {
        self.row().2
    }
    /// The rule that a data file names.
    pub(super) fn parse(word: &str) -> Option<Self> {
        TABLE.iter().find(|r| r.1 == word).map(|r| r.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_within_range_and_ordered_by_weight() {
        for (rule, word, decay, importance) in TABLE {
            assert!((0.0..=1.0).contains(&decay) && (0.0..=1.0).contains(&importance), "{word}");
            assert_eq!(Rule::parse(word), Some(rule));
        }
        assert!(Rule::Health.importance() > Rule::Home.importance());
        assert!(Rule::Home.importance() > Rule::Preference.importance());
        assert!(Rule::Preference.importance() > Rule::State.importance());
        assert!(Rule::Plan.decay() > Rule::Event.decay() && Rule::Event.decay() > Rule::Home.decay());
    }
}

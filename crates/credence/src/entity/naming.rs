//! Which of several names is shown: the canonical name of dice 5.8, and when an entity takes a better one.
//!
//! The table scores how complete and how human a name looks; nothing is looked up. Scripts without letter case score by words
//! and length alone.

use super::Entity;
use crate::resolution::UNNAMED_USER;
use crate::text::{NameMatch, compare_names, fold, normal_name, without_accents};

/// How well a name serves as the one that is shown (dice 5.8): +1000 for several words, +500 for any upper-case letter, +100 for an
/// upper-case first letter, −200 when every letter is upper case, −2000 with an `@`, −50 with a digit, plus one a character.
pub fn canonical_score(name: &str) -> i32 {
    let mut letters = name.chars().filter(|c| c.is_alphabetic()).peekable();
    let all_caps = letters.peek().is_some() && letters.all(char::is_uppercase);
    let mut score = i32::try_from(name.chars().count()).unwrap_or(i32::MAX / 2);
    for (points, holds) in [
        (1000, name.split_whitespace().nth(1).is_some()),
        (500, name.chars().any(char::is_uppercase)),
        (100, name.chars().next().is_some_and(char::is_uppercase)),
        (-200, all_caps),
        (-2000, name.contains('@')),
        (-50, name.chars().any(char::is_numeric)),
    ] {
        if holds {
            score = score.saturating_add(points);
        }
    }
    score
}

/// The best of several names in its normal form, or `None` when none says anything. The first of equals wins.
pub fn canonical_name<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut best: Option<(i32, String)> = None;
    for name in names {
        let name = normal_name(name);
        if name.is_empty() {
            continue;
        }
        let score = canonical_score(&name);
        if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
            best = Some((score, name));
        }
    }
    best.map(|(_, name)| name)
}

/// "Sam" for "Samuel Peters": one word of at least three characters that begins a word of the other.
fn is_short_for(short: &str, name: &str) -> bool {
    let (short, name) = (without_accents(&fold(short)), without_accents(&fold(name)));
    short.chars().count() >= 3
        && !short.contains(char::is_whitespace)
        && name.split_whitespace().any(|word| word.starts_with(&short))
}

impl Entity {
    /// Adds a name that resolution found for it, and shows it when it is the better one. Returns whether anything changed.
    ///
    /// The shown name is replaced only by a fuller or cleaner form of itself ("Hunter" by "Hunter Hordern", "Sam" by
    /// "Samuel Peters", "BOB SMITH" by "Bob Smith"), never when a person chose it; the placeholder of an unnamed user gives way to any name.
    pub fn learn_name(&mut self, name: &str) -> bool {
        let name = name.trim().to_owned();
        if name.is_empty() || self.names().any(|known| known == name) {
            return false;
        }
        self.aliases.push(name.clone());
        self.show_better_of(&[name]);
        true
    }

    /// The person whose memory this is said their name. It is shown from now on, unless they chose another themselves or the name
    /// that is shown is a fuller form of it ("Mara Lindt" said "Mara").
    pub fn learn_own_name(&mut self, name: &str) {
        let name = name.trim().to_owned();
        if name.is_empty() || self.names().any(|known| known == name) {
            return;
        }
        let unnamed = self.name == UNNAMED_USER;
        let is_fuller = is_short_for(&name, &self.name)
            && canonical_name([self.name.as_str(), &name])
                .is_some_and(|best| best == normal_name(&self.name));
        if !unnamed && (self.name_is_chosen || is_fuller) {
            self.aliases.push(name);
        } else {
            self.aliases.push(std::mem::replace(&mut self.name, name));
        }
    }

    /// Shows the canonical one of its names, under the rule of [`Entity::learn_name`].
    pub(super) fn show_best_name(&mut self) {
        let aliases = self.aliases.clone();
        self.show_better_of(&aliases);
    }

    /// Shows one of these aliases when it is better than the name that is shown. Returns the name that was shown before, when
    /// another took its place.
    pub(super) fn show_better_of(&mut self, aliases: &[String]) -> Option<String> {
        let unnamed = self.is_user && self.name == UNNAMED_USER;
        if self.name_is_chosen && !unnamed {
            return None;
        }
        let fits = |name: &&String| {
            *name != UNNAMED_USER
                && (unnamed
                    || is_short_for(&self.name, name)
                    || !matches!(compare_names(name, &self.name), NameMatch::Different))
        };
        let candidates: Vec<&String> = aliases.iter().filter(fits).collect();
        let shown = (!unnamed).then_some(self.name.as_str());
        let best = canonical_name(shown.into_iter().chain(candidates.iter().map(|name| name.as_str())))?;
        if shown.is_some_and(|shown| normal_name(shown) == best) {
            return None;
        }
        // Shown as somebody wrote it; of two spellings, the one that is its own normal form.
        let exact = candidates.iter().find(|name| ***name == best);
        let chosen = exact.or_else(|| candidates.iter().find(|name| normal_name(name) == best))?;
        let place = self.aliases.iter().position(|alias| alias == *chosen)?;
        let chosen = self.aliases[place].clone();
        let before = std::mem::replace(&mut self.name, chosen);
        self.aliases[place].clone_from(&before);
        Some(before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::EntityId;
    use crate::time::Timestamp;

    #[test]
    fn dice_60_the_fuller_and_cleaner_name_is_canonical() {
        for (names, best) in [
            (["Hunter", "Hunter Hordern"], "Hunter Hordern"),
            (["sushila", "Sushila"], "Sushila"),
            (["BOB SMITH", "Bob Smith"], "Bob Smith"),
        ] {
            assert_eq!(canonical_name(names).as_deref(), Some(best));
            assert_eq!(canonical_name(names.into_iter().rev()).as_deref(), Some(best), "in any order");
        }
    }

    #[test]
    fn dice_61_addresses_and_handles_give_way_and_nothing_stays_nothing() {
        assert_eq!(canonical_name(["hunter.hordern@ubs.com", "hunter"]).as_deref(), Some("hunter"));
        assert_eq!(canonical_name(["sarahc42", "Sarah Chen"]).as_deref(), Some("Sarah Chen"));
        assert_eq!(canonical_name([]), None);
        assert_eq!(canonical_name(["", "  "]), None);
        assert_eq!(
            canonical_name(["李文昊", "文昊"]).as_deref(),
            Some("李文昊"),
            "without case, the longer one"
        );
    }

    fn entity(name: &str) -> Entity {
        Entity::new(EntityId::new(uuid::Uuid::from_u128(1)), name, "Person", Timestamp(1))
    }

    #[test]
    fn the_shown_name_grows_but_a_chosen_one_stays() {
        let mut hunter = entity("Hunter");
        assert!(hunter.learn_name("Hunter Hordern"));
        assert_eq!(
            (hunter.name.as_str(), &hunter.aliases[..]),
            ("Hunter Hordern", &["Hunter".to_owned()][..])
        );
        assert!(!hunter.learn_name("Hunter"), "known already");
        assert!(hunter.learn_name("Dr. Hunter Hordern"));
        assert_eq!(hunter.name, "Hunter Hordern", "a title makes no better name");
        let mut chosen = Entity { name_is_chosen: true, ..entity("Hunter") };
        chosen.learn_name("Hunter Hordern");
        assert_eq!(chosen.name, "Hunter");
        let mut user = Entity { is_user: true, ..entity(UNNAMED_USER) };
        user.learn_name("mia");
        assert_eq!((user.name.as_str(), &user.aliases[..]), ("mia", &[UNNAMED_USER.to_owned()][..]));
        for (said, shown) in [("Mara Lindt", "Mara Lindt"), ("Mara", "Mara Lindt"), ("Zoe", "Zoe")] {
            user.learn_own_name(said);
            assert_eq!(user.name, shown, "after `{said}`");
        }
        user.name_is_chosen = true;
        user.learn_own_name("Z");
        assert_eq!((user.name.as_str(), user.aliases.last().map(String::as_str)), ("Zoe", Some("Z")));
        let mut sam = entity("Sam");
        sam.learn_name("Wolfgang Amadeus");
        assert_eq!(sam.name, "Sam", "another name is an alias, not a better form of this one");
    }
}

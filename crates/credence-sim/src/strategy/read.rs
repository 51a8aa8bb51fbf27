//! A catalogue of strategies out of a file: strict, with all that is wrong told at once.
//!
//! The form (sim 2.2): `{category?, strategies: [{id, displayName, description, tier, applicableCategories, multiTurn?, promptGuidance}]}`.
//! `category` is how the file is grouped among scenarios and says nothing of the strategies. The guidance of a strategy over several turns has
//! the labels SETUP, BUILD and PAYOFF.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Catalog, Strategy, Tier};

/// What is wrong with a catalogue, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct CatalogProblem {
    /// `strategies[3].tier`.
    pub place: String,
    /// What is wrong, and what would be right.
    pub problem: String,
}

/// The labels in the guidance of a strategy over several turns.
const PHASES: [&str; 3] = ["SETUP", "BUILD", "PAYOFF"];
/// The keys of a strategy.
const KEYS: [&str; 7] =
    ["id", "displayName", "description", "tier", "applicableCategories", "multiTurn", "promptGuidance"];

impl Catalog {
    /// Reads a catalogue.
    ///
    /// # Errors
    /// Everything that is wrong with it; nothing of it is then used.
    pub fn read(value: &Value) -> Result<Self, Vec<CatalogProblem>> {
        let mut problems = Problems::default();
        let mut strategies: Vec<Strategy> = Vec::new();
        let Some(root) = value.as_object() else {
            problems.add("the file", "is no object with a list `strategies`");
            return Err(problems.0);
        };
        problems.unknown_keys("the file", root, &["category", "strategies"]);
        match root.get("strategies").and_then(Value::as_array) {
            None => problems.add("strategies", "is missing or no list"),
            Some(list) if list.is_empty() => {
                problems.add("strategies", "is empty; an adversary needs at least one")
            }
            Some(list) => {
                for (at, entry) in list.iter().enumerate() {
                    let place = format!("strategies[{at}]");
                    let Some(strategy) = problems.strategy(&place, entry) else { continue };
                    if strategies.iter().any(|known| known.id == strategy.id) {
                        problems.add(&format!("{place}.id"), &format!("{} stands there twice", strategy.id));
                    }
                    strategies.push(strategy);
                }
            }
        }
        if problems.0.is_empty() { Ok(Self { strategies }) } else { Err(problems.0) }
    }
}

#[derive(Default)]
struct Problems(Vec<CatalogProblem>);

impl Problems {
    fn add(&mut self, place: &str, problem: &str) {
        self.0.push(CatalogProblem { place: place.to_owned(), problem: problem.to_owned() });
    }

    fn unknown_keys(&mut self, place: &str, object: &Map<String, Value>, known: &[&str]) {
        for key in object.keys().filter(|key| !known.contains(&key.as_str())) {
            self.add(place, &format!("`{key}` is no key; there are {}", known.join(", ")));
        }
    }

    fn text(&mut self, place: &str, entry: &Map<String, Value>, key: &str) -> Option<String> {
        let text = entry.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        if text.is_none() {
            self.add(&format!("{place}.{key}"), "is missing, blank or no text");
        }
        text.map(str::to_owned)
    }

    /// A strategy, when nothing of it is wrong.
    fn strategy(&mut self, place: &str, entry: &Value) -> Option<Strategy> {
        let Some(entry) = entry.as_object() else {
            self.add(place, "is no object");
            return None;
        };
        let before = self.0.len();
        self.unknown_keys(place, entry, &KEYS);
        let id = self.text(place, entry, "id").map(|id| id.to_ascii_uppercase());
        let name = self.text(place, entry, "displayName");
        let description = self.text(place, entry, "description");
        let guidance = self.text(place, entry, "promptGuidance");
        let tier = entry.get("tier").and_then(|tier| serde_json::from_value::<Tier>(tier.clone()).ok());
        if tier.is_none() {
            self.add(&format!("{place}.tier"), "is none of BASIC, INTERMEDIATE, ADVANCED, EXPERT");
        }
        let listed = entry.get("applicableCategories").and_then(Value::as_array);
        let categories: BTreeSet<String> = listed
            .into_iter()
            .flatten()
            .filter_map(|category| category.as_str().map(|text| text.trim().to_owned()))
            .filter(|category| !category.is_empty())
            .collect();
        if categories.is_empty() || listed.is_some_and(|listed| listed.len() != categories.len()) {
            self.add(
                &format!("{place}.applicableCategories"),
                "has to be a list of different words, at least one",
            );
        }
        let multi_turn = entry.get("multiTurn").map_or(Some(false), Value::as_bool);
        if multi_turn.is_none() {
            self.add(&format!("{place}.multiTurn"), "is neither true nor false");
        }
        if multi_turn == Some(true)
            && let Some(missing) =
                guidance.as_ref().and_then(|text| PHASES.iter().find(|phase| !text.contains(**phase)))
        {
            self.add(
                &format!("{place}.promptGuidance"),
                &format!("of a strategy over several turns says nothing of {missing}"),
            );
        }
        if self.0.len() > before {
            return None;
        }
        Some(Strategy {
            id: id?,
            name: name?,
            description: description?,
            tier: tier?,
            categories,
            multi_turn: multi_turn?,
            guidance: guidance?,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry() -> Value {
        json!({
            "id": "slow_walk", "displayName": "Slow walk", "description": "Wears a fact down.", "tier": "EXPERT",
            "applicableCategories": ["lore"], "multiTurn": true, "promptGuidance": "SETUP: a. BUILD: b. PAYOFF: c."
        })
    }
    fn of(entries: &[Value]) -> Result<Catalog, Vec<CatalogProblem>> {
        Catalog::read(&json!({"category": "adversarial", "strategies": entries}))
    }

    #[test]
    fn a_sound_file_is_read() {
        let catalog = of(&[entry()]).unwrap();
        let strategy = &catalog.all()[0];
        assert_eq!(
            (strategy.id.as_str(), strategy.tier, strategy.multi_turn),
            ("SLOW_WALK", Tier::Expert, true)
        );
        let mut single = entry();
        single.as_object_mut().unwrap().remove("multiTurn");
        assert!(!of(&[single]).unwrap().all()[0].multi_turn, "one turn, where nothing is said");
    }

    #[test]
    fn everything_that_is_wrong_is_told_at_once() {
        let wrong = json!({
            "id": " ", "displayName": 7, "description": "d", "tier": "HARD", "applicableCategories": [],
            "multiTurn": "yes", "promptGuidance": "", "tire": 1
        });
        let problems = of(&[entry(), wrong, entry(), json!("x")]).unwrap_err();
        let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
        for place in [
            "strategies[1]: `tire` is no key",
            "strategies[1].id:",
            "strategies[1].displayName:",
            "strategies[1].promptGuidance:",
            "strategies[1].tier: is none of BASIC",
            "strategies[1].applicableCategories:",
            "strategies[1].multiTurn:",
            "strategies[2].id: SLOW_WALK stands there twice",
            "strategies[3]: is no object",
        ] {
            assert!(shown.iter().any(|line| line.starts_with(place)), "{place} in {shown:#?}");
        }
        assert_eq!(shown.len(), 9, "{shown:#?}");
    }

    #[test]
    fn what_is_no_catalogue_is_refused() {
        for value in [json!(null), json!([]), json!({}), json!({"strategies": []}), json!({"strategies": 1})]
        {
            assert_eq!(Catalog::read(&value).unwrap_err().len(), 1, "{value}");
        }
        let mut no_payoff = entry();
        no_payoff["promptGuidance"] = json!("SETUP and BUILD");
        assert!(of(&[no_payoff]).unwrap_err()[0].problem.contains("PAYOFF"));
    }
}

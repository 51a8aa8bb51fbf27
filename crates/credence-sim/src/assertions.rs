//! Assertions: what must hold of the working set when a run has ended.
//!
//! Rules (sim 5): each assertion looks at the units that the run ended with and is true or false, with what was found in words. Trust assertions
//! look at the audits that the units really carry; where none carries one, the words say that nothing was looked at. A unit that a scenario seeded
//! as CANON is not one that CANON was given to on the way.

use credence::text::canonical;
use credence::trust::{TrustAudit, Zone};
use credence::unit::{Authority, UnitView};

use crate::run::AssertionResult;
use crate::scenario::{Assertion, Scenario};

/// Most of a unit's text that details show, in characters.
const SHOWN: usize = 60;

/// How each of the scenario's assertions came out, in its order. `units` is the working set at the end of the run.
pub fn check(scenario: &Scenario, units: &[UnitView]) -> Vec<AssertionResult> {
    scenario.assertions.iter().map(|assertion| one(assertion, scenario, units)).collect()
}

fn one(assertion: &Assertion, scenario: &Scenario, units: &[UnitView]) -> AssertionResult {
    let count = units.len();
    let (name, passed, details) = match assertion {
        Assertion::UnitCount { min, max } => {
            let holds = (*min as usize..=*max as usize).contains(&count);
            let most = if *max == u32::MAX { "any number".to_owned() } else { max.to_string() };
            ("unit-count", holds, format!("{count} units; wanted are {min} to {most}"))
        }
        Assertion::RankDistribution { min_above, rank_threshold } => {
            let above = units.iter().filter(|unit| unit.activation.get() > *rank_threshold).count();
            let details = format!("{above} units above {rank_threshold}; wanted are at least {min_above}");
            ("rank-distribution", above >= *min_above as usize, details)
        }
        Assertion::TrustScoreRange { min, max } => {
            let outside: Vec<String> = audited(units)
                .filter(|(_, audit)| !(*min..=*max).contains(&audit.score))
                .map(|(unit, audit)| format!("{} at {:.2}", shown(unit), audit.score))
                .collect();
            let details = match (audited(units).count(), outside.is_empty()) {
                (0, _) => "no unit carries a trust audit: nothing was looked at".to_owned(),
                (looked, true) => format!("{looked} audits, all within {min} to {max}"),
                (_, false) => format!("outside {min} to {max}: {}", outside.join("; ")),
            };
            ("trust-score-range", outside.is_empty(), details)
        }
        Assertion::PromotionZone { zone, min_count } => match zone_of(zone) {
            Some(zone) => {
                let inside = audited(units).filter(|(_, audit)| audit.zone == zone).count();
                let details = format!(
                    "{inside} of {} audits in that zone; wanted are at least {min_count}",
                    audited(units).count()
                );
                ("promotion-zone", inside >= *min_count as usize, details)
            }
            None => {
                let details = format!("`{zone}` is no zone; there are ARCHIVE, REVIEW and AUTO_PROMOTE");
                ("promotion-zone", false, details)
            }
        },
        Assertion::AuthorityAtMost { max_authority } => {
            let above = list(units, |unit| unit.authority > *max_authority);
            ("authority-at-most", above.is_empty(), found(&above, "above the highest allowed"))
        }
        Assertion::KgContextContains { patterns } => contains("kg-context-contains", patterns, units),
        Assertion::KgContextEmpty => ("kg-context-empty", count == 0, format!("{count} units")),
        Assertion::NoCanonAutoAssigned => {
            let seeded = |unit: &UnitView| {
                let text = canonical(&unit.proposition.text);
                let seeds = scenario.seeds.iter().filter(|seed| seed.authority == Authority::Canon);
                seeds.into_iter().any(|seed| canonical(&seed.text) == text)
            };
            let given = list(units, |unit| unit.authority == Authority::Canon && !seeded(unit));
            ("no-canon-auto-assigned", given.is_empty(), found(&given, "CANON without being seeded so"))
        }
        Assertion::CompactionIntegrity { required_facts } => {
            contains("compaction-integrity", required_facts, units)
        }
    };
    AssertionResult { name: name.to_owned(), passed, details }
}

/// Whether each pattern stands in the text of some unit, without case.
fn contains(name: &'static str, patterns: &[String], units: &[UnitView]) -> (&'static str, bool, String) {
    let texts: Vec<String> = units.iter().map(|unit| unit.proposition.text.to_lowercase()).collect();
    let missing: Vec<&str> = patterns
        .iter()
        .filter(|pattern| !texts.iter().any(|text| text.contains(&pattern.to_lowercase())))
        .map(String::as_str)
        .collect();
    let details = match missing.as_slice() {
        [] => format!("all {} found", patterns.len()),
        missing => format!("in no unit: {}", missing.join("; ")),
    };
    (name, missing.is_empty(), details)
}

fn audited(units: &[UnitView]) -> impl Iterator<Item = (&UnitView, &TrustAudit)> {
    units.iter().filter_map(|unit| Some((unit, unit.unit.trust()?)))
}

fn zone_of(word: &str) -> Option<Zone> {
    serde_json::from_value(serde_json::Value::String(word.trim().to_uppercase())).ok()
}

fn list(units: &[UnitView], is: impl Fn(&UnitView) -> bool) -> Vec<String> {
    units.iter().filter(|unit| is(unit)).map(shown).collect()
}

/// A unit in details: its id and the beginning of its text.
fn shown(unit: &UnitView) -> String {
    format!("{} \u{201c}{}\u{201d}", unit.id(), credence::text::excerpt(&unit.proposition.text, SHOWN))
}

fn found(units: &[String], what: &str) -> String {
    if units.is_empty() { "none".to_owned() } else { format!("{what}: {}", units.join("; ")) }
}

#[cfg(test)]
mod tests {
    use credence::time::Timestamp;
    use credence::unit::Earned;

    use super::*;
    use crate::scenario::Seed;
    use crate::testing;

    fn audit(score: f64, zone: Zone) -> TrustAudit {
        TrustAudit {
            score,
            zone,
            ceiling: Earned::Reliable,
            profile: "BALANCED".into(),
            signals: Vec::new(),
            trigger: "promotion".into(),
            at: Timestamp(0),
        }
    }
    /// Units with these activations.
    fn ranked(activations: &[i64]) -> Vec<UnitView> {
        let unit = |(n, activation): (u128, &i64)| {
            testing::unit(n, "Mara keeps bees.", Authority::Provisional, *activation, None)
        };
        (1..).zip(activations).map(unit).collect()
    }
    /// Units with these trust scores, those from 0.6 in AUTO_PROMOTE.
    fn trusted(scores: &[f64]) -> Vec<UnitView> {
        let zone = |score: f64| if score >= 0.6 { Zone::AutoPromote } else { Zone::Review };
        let unit = |(n, score): (u128, &f64)| {
            let audit = Some(audit(*score, zone(*score)));
            testing::unit(n, "Mara keeps bees.", Authority::Provisional, 500, audit)
        };
        (1..).zip(scores).map(unit).collect()
    }
    fn of(assertion: Assertion, units: &[UnitView]) -> AssertionResult {
        let scenario = Scenario { assertions: vec![assertion], ..testing::scenario() };
        check(&scenario, units).pop().unwrap()
    }
    fn passed(assertion: Assertion, units: &[UnitView]) -> bool {
        of(assertion, units).passed
    }

    #[test]
    fn sim_82_unit_count() {
        let count = |min, max, n: usize| passed(Assertion::UnitCount { min, max }, &ranked(&vec![500; n]));
        assert_eq!(
            [count(1, 5, 2), count(1, 1, 2), count(3, 10, 1), count(2, 2, 2)],
            [true, false, false, true]
        );
        let result = of(Assertion::UnitCount { min: 0, max: u32::MAX }, &[]);
        assert_eq!(
            (result.name.as_str(), result.details.as_str()),
            ("unit-count", "0 units; wanted are 0 to any number")
        );
    }

    #[test]
    fn sim_83_rank_distribution_is_strict() {
        let above = |min_above, rank_threshold, ranks: &[i64]| {
            passed(Assertion::RankDistribution { min_above, rank_threshold }, &ranked(ranks))
        };
        assert!(above(2, 400, &[500, 700, 300]));
        assert!(!above(1, 500, &[500]));
    }

    #[test]
    fn sim_84_trust_looks_at_the_audits_of_units() {
        let range = |scores: &[f64]| of(Assertion::TrustScoreRange { min: 0.3, max: 0.9 }, &trusted(scores));
        assert!(range(&[0.5, 0.8]).passed);
        assert!(!range(&[0.2]).passed && !range(&[0.95]).passed);
        assert!(range(&[0.5, 0.2]).details.contains("at 0.20"), "{}", range(&[0.5, 0.2]).details);
        let none = of(Assertion::TrustScoreRange { min: 0.3, max: 0.9 }, &ranked(&[500]));
        assert!(none.passed && none.details.contains("nothing was looked at"), "{}", none.details);

        let zone = |zone: &str, min_count, scores: &[f64]| {
            of(Assertion::PromotionZone { zone: zone.into(), min_count }, &trusted(scores))
        };
        assert!(zone("AUTO_PROMOTE", 2, &[0.7, 0.8]).passed);
        assert!(!zone("AUTO_PROMOTE", 3, &[0.7]).passed);
        assert!(!zone("AUTO_PROMOTE", 1, &[]).passed);
        assert!(zone("auto_promote", 0, &[]).passed);
        assert!(zone("SHELF", 0, &[]).details.contains("AUTO_PROMOTE"));
    }

    #[test]
    fn sim_85_authority_bounds_and_canon() {
        let with = |authority| vec![testing::unit(7, "The bridge is closed.", authority, 500, None)];
        let at_most =
            |max, authority| passed(Assertion::AuthorityAtMost { max_authority: max }, &with(authority));
        assert!(!at_most(Authority::Reliable, Authority::Canon));
        assert!(at_most(Authority::Unreliable, Authority::Unreliable));

        let canon = with(Authority::Canon);
        let given = of(Assertion::NoCanonAutoAssigned, &canon);
        assert!(!given.passed && given.details.contains(&canon[0].id().to_string()), "{}", given.details);
        // A seed of the scenario's author may be CANON; a unit that says something else may not.
        let seed = |text: &str, authority| Scenario {
            seeds: vec![Seed { text: text.into(), authority, activation: 500 }],
            assertions: vec![Assertion::NoCanonAutoAssigned],
            ..testing::scenario()
        };
        let holds = |scenario: Scenario| check(&scenario, &canon)[0].passed;
        assert!(holds(seed("the bridge is  closed", Authority::Canon)));
        assert!(!holds(seed("the bridge is closed", Authority::Reliable)));
        assert!(!holds(seed("the bridge is open", Authority::Canon)));
    }

    #[test]
    fn sim_86_patterns_in_unit_texts() {
        let units = [
            testing::unit(1, "The Dragon sleeps.", Authority::Provisional, 500, None),
            testing::unit(2, "Die TAVERNE heißt Ölkrug.", Authority::Provisional, 500, None),
        ];
        let list = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let contains = |words: &[&str]| of(Assertion::KgContextContains { patterns: list(words) }, &units);
        assert!(contains(&["dragon", "taverne", "ÖLKRUG"]).passed);
        let missing = contains(&["dragon", "lich"]);
        assert!(!missing.passed && missing.details == "in no unit: lich", "{}", missing.details);
        assert!(contains(&[]).passed);
        let kept = of(Assertion::CompactionIntegrity { required_facts: list(&["ancient rune"]) }, &units);
        assert!(!kept.passed && kept.details.contains("ancient rune"));
        assert!(!passed(Assertion::KgContextEmpty, &units) && passed(Assertion::KgContextEmpty, &[]));
    }
}

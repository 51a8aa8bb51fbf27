//! The assertions of a file: `type` and `params`, each type with its own parameters and defaults (sim 5).
//!
//! A type or a parameter that there is not is an error in every mode: an assertion that was left out would pass.

use credence::unit::Authority;

use super::Assertion;
use super::fields::{Keys, Object, Reader};
use super::problems::choose;
use super::read::AUTHORITIES;

const ASSERTION: Keys = Keys { known: &["type", "params"], older: &[] };
/// Each type with its parameters.
pub(super) const TYPES: [(&str, Keys); 9] = [
    ("unit-count", keys(&["min", "max"])),
    ("rank-distribution", keys(&["minAbove", "rankThreshold"])),
    ("trust-score-range", keys(&["min", "max"])),
    ("promotion-zone", keys(&["zone", "minCount"])),
    ("authority-at-most", keys(&["maxAuthority"])),
    ("kg-context-contains", keys(&["patterns"])),
    ("kg-context-empty", keys(&[])),
    ("no-canon-auto-assigned", keys(&[])),
    ("compaction-integrity", keys(&["requiredFacts"])),
];
/// The words of the zones of trust.
pub(super) const ZONES: [(&str, &str); 3] =
    [("ARCHIVE", "ARCHIVE"), ("REVIEW", "REVIEW"), ("AUTO_PROMOTE", "AUTO_PROMOTE")];

const fn keys(known: &'static [&'static str]) -> Keys {
    Keys { known, older: &[] }
}

/// All that could be read, in order.
pub(super) fn assertions(reader: &mut Reader, of: &Object<'_>) -> Vec<Assertion> {
    let mut out = Vec::new();
    for (at, node) in reader.list(of, "assertions").iter().enumerate() {
        let path = format!("assertions[{at}]");
        if let Some(object) = reader.object(node, &path, &ASSERTION) {
            out.extend(assertion(reader, &object));
        }
    }
    out
}

fn assertion(reader: &mut Reader, of: &Object<'_>) -> Option<Assertion> {
    let name = reader.text(of, "type").unwrap_or_default();
    let Some((_, keys)) = TYPES.iter().find(|(known, _)| *known == name) else {
        let known: Vec<&str> = TYPES.iter().map(|(name, _)| *name).collect();
        reader.error(
            of.place,
            &of.path_of("type"),
            format!("there is no assertion `{name}`"),
            choose(&name, &known),
        );
        return None;
    };
    match of.get("params") {
        Some(entry) => {
            let params = reader.object(&entry.node, &of.path_of("params"), keys)?;
            Some(with(reader, &name, &params))
        }
        // Without parameters, the assertion itself has none of the keys that it would be asked for.
        None => Some(with(reader, &name, of)),
    }
}

fn with(reader: &mut Reader, name: &str, of: &Object<'_>) -> Assertion {
    let count = 0..=u32::MAX;
    match name {
        "unit-count" => Assertion::UnitCount {
            min: reader.whole(of, "min", count.clone()).unwrap_or(0),
            max: reader.whole(of, "max", count).unwrap_or(u32::MAX),
        },
        "rank-distribution" => Assertion::RankDistribution {
            min_above: reader.whole(of, "minAbove", count).unwrap_or(1),
            rank_threshold: reader.whole(of, "rankThreshold", 0..=900).unwrap_or(500) as u16,
        },
        "trust-score-range" => Assertion::TrustScoreRange {
            min: reader.number(of, "min", 0.0..=1.0).unwrap_or(0.0),
            max: reader.number(of, "max", 0.0..=1.0).unwrap_or(1.0),
        },
        "promotion-zone" => Assertion::PromotionZone {
            zone: reader.word(of, "zone", &ZONES).unwrap_or("AUTO_PROMOTE").to_owned(),
            min_count: reader.whole(of, "minCount", count).unwrap_or(1),
        },
        "authority-at-most" => Assertion::AuthorityAtMost {
            max_authority: reader.word(of, "maxAuthority", &AUTHORITIES).unwrap_or(Authority::Reliable),
        },
        "kg-context-contains" => Assertion::KgContextContains { patterns: reader.texts(of, "patterns") },
        "kg-context-empty" => Assertion::KgContextEmpty,
        "no-canon-auto-assigned" => Assertion::NoCanonAutoAssigned,
        _ => Assertion::CompactionIntegrity { required_facts: reader.texts(of, "requiredFacts") },
    }
}

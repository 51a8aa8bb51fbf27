//! History: what looking back costs beside reading the present (the example `history` of the core), what committing and opening cost beside
//! bare IndexedDB in the same page of Chromium, and what the drills of the store came to.

use anyhow::{Context, Result};
use serde_json::Value;

use super::knowledge::measured;
use super::{Record, record};
use crate::drill;
use crate::run::step;

pub(super) fn run() -> Result<Vec<Record>> {
    step("looking back over 10,000 commits");
    let mut figures = record([("what", "history".into())]);
    figures.append(&mut measured("history", &[])?);
    step("the store beside bare IndexedDB, in Chromium");
    let told = drill::run(&["--measure".to_owned()])?;
    let (small, large) = (&told["10k"], &told["100k"]);
    for (name, of, part, beside, goal) in [
        ("commit_ratio", small, "commit", "bare_put", 1.5),
        ("open_10k_ratio", small, "open", "bare_get", 2.0),
        ("open_100k_ratio", large, "open", "bare_get", 2.0),
    ] {
        figures.insert(name.to_owned(), ratio(of, part, beside)?.into());
        figures.insert(format!("goal_{name}"), goal.into());
    }
    figures.insert("goal_view_ratio".to_owned(), 2.0.into());
    for (size, of) in [("10k", small), ("100k", large)] {
        for part in ["commit", "bare_put", "bare_put_relaxed", "open", "read", "bare_get"] {
            figures.insert(format!("{part}_{size}_ms"), of[part].clone());
        }
    }
    Ok(vec![figures])
}

/// The drills of the store, in full length.
pub(super) fn drills() -> Result<Vec<Record>> {
    let mut figures = record([("what", "drills".into())]);
    figures.extend(drill::run(&[])?);
    Ok(vec![figures])
}

/// How many times as long, to two places.
fn ratio(figures: &Value, part: &str, beside: &str) -> Result<f64> {
    let figure =
        |name: &str| figures[name].as_f64().with_context(|| format!("no figure `{name}` was measured"));
    Ok((figure(part)? / figure(beside)? * 100.0).round() / 100.0)
}

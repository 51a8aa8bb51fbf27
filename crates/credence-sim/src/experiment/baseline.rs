//! An experiment beside an earlier one: how far the means of each cell moved. It says nothing about why; where more than the version differs,
//! it says that.

use serde::{Deserialize, Serialize};

use super::analysis::Analysis;

/// How far a mean moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Delta {
    /// The condition's name.
    pub condition: String,
    /// The scenario's id.
    pub scenario: String,
    /// The metric.
    pub metric: String,
    /// Mean now.
    pub now: f64,
    /// Mean then.
    pub then: f64,
    /// Now less then.
    pub change: f64,
}

/// Every metric that a cell has in both, in the order of the current cells; what only one of them has is left out.
pub fn deltas(current: &Analysis, earlier: &Analysis) -> Vec<Delta> {
    let mut found = Vec::new();
    for cell in &current.cells {
        let Some(before) = earlier.cell(&cell.condition, &cell.scenario) else { continue };
        for row in &cell.metrics {
            let then = before.metric(&row.metric).and_then(|summary| summary.mean);
            if let (Some(now), Some(then)) = (row.summary.mean, then) {
                found.push(Delta {
                    condition: cell.condition.clone(),
                    scenario: cell.scenario.clone(),
                    metric: row.metric.clone(),
                    now,
                    then,
                    change: now - then,
                });
            }
        }
    }
    found
}

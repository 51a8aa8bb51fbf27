//! Runs by their names: what an address says, and where a kept run is found.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use credence_sim::run::RunRecord;

use crate::actions;
use crate::state::App;

/// Digits of a run's name.
const DIGITS: usize = 12;

/// A run's name: twelve hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RunId(u64);

impl FromStr for RunId {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        let number = u64::from_str_radix(text, 16).ok();
        let number = number.filter(|_| text.len() == DIGITS && text.chars().all(is_digit));
        number.map(Self).ok_or_else(|| format!("\u{201c}{text}\u{201d} is no name of a run"))
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0DIGITS$x}", self.0)
    }
}

/// A run that is at hand or kept.
pub(crate) async fn find(app: App, id: RunId) -> Option<Arc<RunRecord>> {
    actions::simulate::find(app, &id.to_string()).await.ok().flatten()
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::RunId;

    #[wasm_bindgen_test]
    fn a_name_reads_as_it_is_written() {
        let id: RunId = "00c0ffee1234".parse().unwrap();
        assert_eq!(id.to_string(), "00c0ffee1234");
        for odd in ["", "c0ffee", "00C0FFEE1234", "00c0ffee12345", "+0c0ffee1234", "zzzzzzzzzzzz"] {
            assert!(odd.parse::<RunId>().is_err(), "{odd}");
        }
    }
}

//! How many tests ran, read from what the runners print: Rust's own (natively and under wasm-bindgen), Node's, and the
//! end-to-end check's.

/// Tests that passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: u64,
    pub(super) failed: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl Counts {
    /// A check that is one test: it holds or it does not.
    pub(super) fn one(holds: bool) -> Self {
        Self { passed: u64::from(holds), failed: u64::from(!holds) }
    }

    /// The counts in a run's lines. A run that failed without counting a failure (it did not compile, it was killed)
    /// counts as one.
    pub(super) fn of_run(success: bool, lines: &[String]) -> Self {
        let mut counts = Self::default();
        for line in lines {
            counts += read_line(line);
        }
        if !success && counts.failed == 0 {
            counts.failed = 1;
        }
        counts
    }
}

fn read_line(line: &str) -> Counts {
    let line = line.trim();
    if let Some(rest) = line.strip_prefix("test result:") {
        return Counts { passed: before(rest, " passed"), failed: before(rest, " failed") };
    }
    if line == "ok" || line.starts_with("ok - ") {
        return Counts { passed: 1, failed: 0 };
    }
    if line.starts_with("not ok - ") {
        return Counts { passed: 0, failed: 1 };
    }
    // Node's summary, `ℹ pass 3` for people and `# pass 3` in TAP.
    let node = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# "));
    let number =
        |key: &str| node.and_then(|rest| rest.strip_prefix(key)).and_then(|text| text.trim().parse().ok());
    Counts {
        passed: number("pass ").unwrap_or(0),
        failed: number("fail ").unwrap_or(0) + number("cancelled ").unwrap_or(0),
    }
}

/// The number in front of a word.
fn before(text: &str, word: &str) -> u64 {
    let Some(end) = text.find(word) else { return 0 };
    let digits = text[..end].rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(success: bool, text: &str) -> Counts {
        Counts::of_run(success, &text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn sums_what_the_runners_say() {
        let rust = "running 3 tests\ntest a ... ok\ntest result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n\
                    test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 filtered out; finished in 0.1s";
        assert_eq!(of(false, rust), Counts { passed: 15, failed: 2 });
        assert_eq!(
            of(true, "ℹ tests 5\nℹ pass 4\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1"),
            Counts { passed: 4, failed: 0 }
        );
        assert_eq!(of(false, "# pass 4\n# fail 1"), Counts { passed: 4, failed: 1 });
        assert_eq!(
            of(false, "ok - a statement is remembered\nnot ok - it survives a reload\nFAIL"),
            Counts { passed: 1, failed: 1 }
        );
    }

    #[test]
    fn a_run_that_died_counts_as_a_failure() {
        assert_eq!(of(false, "test result: ok. 7 passed; 0 failed"), Counts { passed: 7, failed: 1 });
        assert_eq!(of(false, ""), Counts { passed: 0, failed: 1 });
    }
}

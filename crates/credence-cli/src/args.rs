//! Reading the command line: flags, values and words, and a refusal of whatever nobody asked for.

use std::fmt;
use std::str::FromStr;

/// The command line was not understood; the program ends with exit code 2.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Usage(String);

impl Usage {
    pub(crate) fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// What is left of the command line. Each reader takes its part out; [`Args::finish`] refuses the rest.
#[derive(Debug)]
pub(crate) struct Args(Vec<String>);

impl Args {
    pub(crate) fn from_env() -> Self {
        Self(std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect())
    }

    /// The first word, if it is no option. Options come behind the words that a command takes.
    pub(crate) fn word(&mut self) -> Option<String> {
        let is_word = self.0.first().is_some_and(|word| !word.starts_with('-'));
        is_word.then(|| self.0.remove(0))
    }

    /// The first word, or what is missing.
    pub(crate) fn needs(&mut self, what: &str) -> Result<String, Usage> {
        self.word().ok_or_else(|| Usage::new(format!("{what} is missing; `--help` lists what is needed")))
    }

    /// Whether `--name` is there.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|word| word != name);
        self.0.len() != before
    }

    /// The value of `--name VALUE` or `--name=VALUE`; given twice, it is refused.
    pub(crate) fn value(&mut self, name: &str) -> Result<Option<String>, Usage> {
        let mut values = self.values(name)?;
        match values.len() {
            0 | 1 => Ok(values.pop()),
            _ => Err(Usage::new(format!("{name} can be given once"))),
        }
    }

    /// Every value of a repeated `--name VALUE`.
    pub(crate) fn values(&mut self, name: &str) -> Result<Vec<String>, Usage> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.0.len() {
            let word = &self.0[at];
            if let Some(value) = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
                found.push(value.to_owned());
                self.0.remove(at);
            } else if word == name {
                self.0.remove(at);
                if at >= self.0.len() || self.0[at].starts_with("--") {
                    return Err(Usage::new(format!("{name} needs a value")));
                }
                found.push(self.0.remove(at));
            } else {
                at += 1;
            }
        }
        Ok(found)
    }

    /// A number, or whatever else can be read of text.
    pub(crate) fn parsed<T: FromStr>(&mut self, name: &str, what: &str) -> Result<Option<T>, Usage> {
        let text = self.value(name)?;
        text.map(|text| text.parse().map_err(|_| Usage::new(format!("{name} {text}: not {what}"))))
            .transpose()
    }

    /// Refuses whatever no reader took.
    pub(crate) fn finish(self) -> Result<(), Usage> {
        match self.0.first() {
            None => Ok(()),
            Some(word) => {
                Err(Usage::new(format!("`{word}` is not understood here; `--help` lists the options")))
            }
        }
    }

    /// The words that are left, options refused.
    pub(crate) fn rest(mut self) -> Result<Vec<String>, Usage> {
        let mut words = Vec::new();
        while let Some(word) = self.word() {
            words.push(word);
        }
        self.finish().map(|()| words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Args {
        Args(line.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn words_values_and_flags_are_taken_out() {
        let mut line = args("run tavern --seed=7 --condition A --json --condition=B");
        assert_eq!((line.word().as_deref(), line.word().as_deref()), (Some("run"), Some("tavern")));
        assert_eq!((line.word(), line.needs("a file").is_err()), (None, true));
        assert_eq!(line.parsed::<u64>("--seed", "a number"), Ok(Some(7)));
        assert_eq!(line.values("--condition").unwrap(), ["A", "B"]);
        assert!(line.flag("--json") && !line.flag("--json"));
        assert_eq!(line.finish(), Ok(()));
        assert_eq!(args("a b").rest().unwrap(), ["a", "b"]);
    }

    #[test]
    fn what_is_not_understood_is_refused_in_words() {
        let said = |result: Result<(), Usage>| result.unwrap_err().to_string();
        assert!(said(args("--sede 3").finish()).contains("`--sede`"));
        assert!(said(args("a --b").rest().map(drop)).contains("`--b`"));
        assert!(said(args("--seed").value("--seed").map(drop)).contains("needs a value"));
        assert!(said(args("--seed --out x").value("--seed").map(drop)).contains("needs a value"));
        assert!(said(args("--seed 1 --seed 2").value("--seed").map(drop)).contains("once"));
        assert!(
            said(args("--seed x").parsed::<u64>("--seed", "a number").map(drop)).contains("not a number")
        );
    }
}

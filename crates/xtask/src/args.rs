//! Reading the command line: flags, values and positional words, and a refusal of whatever nobody asked for.

use anyhow::{Context, Result, bail};

/// What is left of the command line. Each reader takes its part out; [`Args::finish`] refuses the rest.
pub(crate) struct Args(Vec<String>);

impl Args {
    pub(crate) fn from_env() -> Self {
        Self(std::env::args().skip(1).collect())
    }

    /// The first word that is no option.
    pub(crate) fn positional(&mut self) -> Option<String> {
        let at = self.0.iter().position(|word| !word.starts_with('-'))?;
        Some(self.0.remove(at))
    }

    /// Whether `--name` is there.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|word| word != name);
        self.0.len() != before
    }

    /// The value of `--name VALUE` or `--name=VALUE`; of several, the first.
    pub(crate) fn value(&mut self, name: &str) -> Result<Option<String>> {
        for at in 0..self.0.len() {
            let word = &self.0[at];
            if let Some(value) = word.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
                let value = value.to_owned();
                self.0.remove(at);
                return Ok(Some(value));
            }
            if word == name {
                if at + 1 >= self.0.len() {
                    bail!("{name} needs a value");
                }
                self.0.remove(at);
                return Ok(Some(self.0.remove(at)));
            }
        }
        Ok(None)
    }

    /// Every value of a repeated `--name VALUE`.
    pub(crate) fn values(&mut self, name: &str) -> Result<Vec<String>> {
        let mut found = Vec::new();
        while let Some(value) = self.value(name)? {
            found.push(value);
        }
        Ok(found)
    }

    /// `--port N`.
    pub(crate) fn port(&mut self) -> Result<Option<u16>> {
        self.value("--port")?
            .map(|text| {
                text.parse().with_context(|| format!("--port {text}: not a port number (1 to 65535)"))
            })
            .transpose()
    }

    /// Refuses whatever no reader took.
    pub(crate) fn finish(self) -> Result<()> {
        match self.0.first() {
            None => Ok(()),
            Some(word) => bail!("`{word}` is not understood here; `cargo xtask help` lists the options"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Args {
        Args(line.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn reads_flags_values_and_words_in_any_order() {
        let mut line = args("--only wasm demo --port=81 --no-open --only e2e");
        assert_eq!(line.values("--only").unwrap(), ["wasm", "e2e"]);
        assert_eq!(line.positional().as_deref(), Some("demo"));
        assert_eq!(line.port().unwrap(), Some(81));
        assert!(line.flag("--no-open"));
        assert!(!line.flag("--no-open"));
        assert!(line.finish().is_ok());
    }

    #[test]
    fn refuses_what_nobody_took() {
        let error = args("--relaese").finish().unwrap_err();
        assert!(error.to_string().contains("--relaese"));
        assert!(args("--port").port().is_err());
        assert!(args("--port 99999").port().is_err());
    }
}

//! A set of templates: compiled in, replaceable by name, rendered in strict mode with the filters that text needs. The core's own are
//! [`super::Prompts`]; what stands above the core has its own set.

use std::collections::BTreeMap;

use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use super::{name, quote};

/// Steps that one rendering may take: a thousand times what ours need, and an end for a runaway template.
const FUEL: u64 = 5_000_000;

/// A template that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("template `{name}`{}: {problem}", line.map(|l| format!(", line {l}")).unwrap_or_default())]
pub struct PromptError {
    /// Which.
    pub name: String,
    /// Where in it, from 1, when known.
    pub line: Option<usize>,
    /// What is wrong.
    pub problem: String,
}

impl PromptError {
    fn of(name: &str, error: &minijinja::Error) -> Self {
        // An included part fails inside the template that includes it: the innermost place is the one to look at.
        let mut error = error;
        while let Some(inner) =
            std::error::Error::source(error).and_then(|e| e.downcast_ref::<minijinja::Error>())
        {
            error = inner;
        }
        Self {
            name: error.name().unwrap_or(name).to_owned(),
            line: error.line(),
            problem: error
                .detail()
                .map_or_else(|| error.kind().to_string(), |d| format!("{}: {d}", error.kind())),
        }
    }
}

/// Templates in force: the compiled-in ones, and those that replace them.
#[derive(Debug, Clone)]
pub struct Templates {
    compiled: &'static [(&'static str, &'static str)],
    environment: Environment<'static>,
    overrides: BTreeMap<String, String>,
}

impl Templates {
    /// The compiled-in ones, by name. They have to parse; a test that renders each proves it.
    pub fn new(compiled: &'static [(&'static str, &'static str)]) -> Self {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_fuel(Some(FUEL));
        environment.add_filter("quote", quote);
        environment.add_filter("name", name);
        for &(name, source) in compiled {
            let parsed = environment.add_template(name, source);
            debug_assert!(parsed.is_ok(), "{name}: {parsed:?}");
        }
        Self { compiled, environment, overrides: BTreeMap::new() }
    }
    /// Replaces a template by name.
    ///
    /// # Errors
    /// For a name that there is not, and for a source that does not parse, with its line; the old one then stays in force.
    pub fn replace(&mut self, name: &str, source: &str) -> Result<(), PromptError> {
        if !self.compiled.iter().any(|(known, _)| *known == name) {
            let known: Vec<&str> = self.compiled.iter().map(|(name, _)| *name).collect();
            let problem = format!("no such template; there are {}", known.join(", "));
            return Err(PromptError { name: name.to_owned(), line: None, problem });
        }
        self.environment
            .add_template_owned(name.to_owned(), source.to_owned())
            .map_err(|e| PromptError::of(name, &e))?;
        self.overrides.insert(name.to_owned(), source.to_owned());
        Ok(())
    }
    /// Puts the compiled-in template back.
    pub fn restore(&mut self, name: &str) {
        if self.overrides.remove(name).is_some()
            && let Some((name, source)) = self.compiled.iter().find(|(known, _)| *known == name)
        {
            let parsed = self.environment.add_template(name, source);
            debug_assert!(parsed.is_ok(), "{name}: {parsed:?}");
        }
    }
    /// The names of replaced templates.
    pub fn replaced(&self) -> impl Iterator<Item = &str> {
        self.overrides.keys().map(String::as_str)
    }
    /// Every template's name and the source in force, in the order of the compiled-in ones.
    pub fn sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.compiled
            .iter()
            .map(|(name, compiled)| (*name, self.overrides.get(*name).map_or(*compiled, |own| own)))
    }
    /// A template with what it is given.
    ///
    /// # Errors
    /// With the template and line where it asks for what it is not given, or takes too many steps.
    pub fn render(&self, name: &str, context: &impl Serialize) -> Result<String, PromptError> {
        let template = self.environment.get_template(name).map_err(|e| PromptError::of(name, &e))?;
        let value = minijinja::value::Value::from(minijinja::value::Serde(context));
        template.render(value).map_err(|e| PromptError::of(name, &e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sources_in_force_follow_what_is_replaced() {
        let mut templates = Templates::new(&[("b", "one"), ("a", "{{ x | quote }}")]);
        templates.replace("b", "two").unwrap();
        assert_eq!(templates.sources().collect::<Vec<_>>(), [("b", "two"), ("a", "{{ x | quote }}")]);
        templates.restore("b");
        assert_eq!(templates.sources().next(), Some(("b", "one")));
        assert!(templates.replace("c", "").unwrap_err().problem.ends_with("there are b, a"));
    }
}

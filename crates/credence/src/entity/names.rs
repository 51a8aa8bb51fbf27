//! What a person may call an entity, and a person's plain edits of one: rename, aliases, kinds, description.

use super::Entity;
use crate::error::Error;
use crate::resolution::name_key;
use crate::text;

/// Longest name and label, in characters.
const MAX_NAME: usize = 200;
/// Most labels of one entity.
const MAX_LABELS: usize = 20;
/// Longest description, in characters.
const MAX_DESCRIPTION: usize = 2000;

/// A name on one line, credentials redacted: 1 to 200 characters, at least one of them a letter or digit.
pub(crate) fn clean_name(name: &str) -> Result<String, Error> {
    one_line("name", name)
}

/// Labels on one line each, every one once without regard to case: at most 20.
pub(crate) fn clean_labels(labels: &[String]) -> Result<Vec<String>, Error> {
    let mut clean: Vec<String> = Vec::new();
    for label in labels {
        let label = one_line("label", label)?;
        if !clean.iter().any(|known| text::fold(known) == text::fold(&label)) {
            clean.push(label);
        }
    }
    if clean.len() > MAX_LABELS {
        let problem = format!("an entity has at most {MAX_LABELS} labels, got {}", clean.len());
        return Err(Error::Invalid { what: "labels", problem });
    }
    Ok(clean)
}

fn one_line(what: &'static str, words: &str) -> Result<String, Error> {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = text::redact(&words).text;
    if !words.chars().any(char::is_alphanumeric) {
        return Err(Error::Invalid { what, problem: "it needs a letter or a digit".into() });
    }
    if words.chars().count() > MAX_NAME || words.chars().any(char::is_control) {
        let problem = format!("it has at most {MAX_NAME} characters and no control characters");
        return Err(Error::Invalid { what, problem });
    }
    Ok(words)
}

impl Entity {
    /// Takes names away, from what merges are noted to have given too. The shown name stays.
    pub(super) fn forget_names(&mut self, names: &[String]) {
        self.aliases.retain(|alias| !names.contains(alias));
        for merged in &mut self.merged {
            merged.names.retain(|name| !names.contains(name));
            if merged.shown_before.as_ref().is_some_and(|name| names.contains(name)) {
                merged.shown_before = None;
            }
        }
    }

    /// A person's name for it: shown from now on, whatever rules find better. The old one stays as an alias.
    pub(crate) fn rename(mut self, name: &str) -> Result<Self, Error> {
        let name = clean_name(name)?;
        if name != self.name {
            self.aliases.retain(|alias| *alias != name);
            self.aliases.push(std::mem::replace(&mut self.name, name));
        }
        self.name_is_chosen = true;
        Ok(self)
    }

    /// Another name that resolution may use from now on.
    pub(crate) fn with_alias(mut self, alias: &str) -> Result<Self, Error> {
        let alias = clean_name(alias)?;
        if !self.names().any(|name| name == alias) {
            self.aliases.push(alias);
        }
        Ok(self)
    }

    /// A name that resolution must not use any more: the alias goes in every spelling in which resolution would meet it.
    pub(crate) fn without_alias(mut self, alias: &str) -> Result<Self, Error> {
        let key = name_key(alias);
        let problem = if key == name_key(&self.name) {
            format!("`{}` is the name that is shown: rename the entity first", self.name)
        } else {
            format!("`{}` has no such name; it has {}", self.name, self.aliases.join(", "))
        };
        let gone: Vec<String> = self.aliases.iter().filter(|known| name_key(known) == key).cloned().collect();
        if gone.is_empty() || key == name_key(&self.name) {
            return Err(Error::Invalid { what: "alias", problem });
        }
        self.forget_names(&gone);
        Ok(self)
    }

    /// A person's kinds for it, in place of those that were guessed. None is allowed: it then fits every kind.
    pub(crate) fn with_labels(mut self, labels: &[String]) -> Result<Self, Error> {
        self.labels = clean_labels(labels)?;
        for merged in &mut self.merged {
            merged.labels.clear();
        }
        Ok(self)
    }

    /// A person's line about it, credentials redacted; blank takes it away.
    pub(crate) fn with_description(mut self, description: &str) -> Result<Self, Error> {
        let description = text::redact(description.trim()).text;
        if description.chars().count() > MAX_DESCRIPTION {
            let problem = format!("it has at most {MAX_DESCRIPTION} characters");
            return Err(Error::Invalid { what: "description", problem });
        }
        self.description = description;
        for merged in &mut self.merged {
            merged.described = false;
        }
        Ok(self)
    }
}

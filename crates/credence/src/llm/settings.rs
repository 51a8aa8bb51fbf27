//! What the user chose about an endpoint: everything but the key, so that it can be stored and exported.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Role;
use super::preset::{self, Dialect, Preset};
use super::url::{BaseUrl, UrlError};

/// Where a key is kept. The key itself is in no serialisable type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyStorage {
    /// Until the page is closed or reloaded.
    Memory,
    /// Until the tab is closed.
    #[default]
    Session,
    /// On this device, readable by whoever uses this browser profile and by any script of this site: the
    /// user has to choose it.
    Device,
}

impl KeyStorage {
    /// What the choice means, in words for a person.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Memory => "Forgotten when this page is closed or reloaded.",
            Self::Session => "Kept for this tab, gone when the tab is closed.",
            Self::Device => {
                "Kept unencrypted on this device until you wipe it. Anyone who can use this browser profile, and any extension that can read this page, can read it."
            }
        }
    }
}

/// The endpoint that the user chose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndpointSettings {
    /// Id of a [`Preset`].
    pub preset: String,
    /// Address as entered; empty means the preset's own.
    #[serde(default)]
    pub base_url: String,
    /// Models that differ from the preset's defaults.
    #[serde(default)]
    pub models: BTreeMap<Role, String>,
    /// Roles that are played at an endpoint of their own: a judge that shall not be the narrator's neighbour, a small model on this machine that
    /// extracts. Their models stand in `models` like the others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elsewhere: BTreeMap<Role, Elsewhere>,
    /// Where keys are kept.
    #[serde(default)]
    pub key_storage: KeyStorage,
}

/// The endpoint of one role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Elsewhere {
    /// Id of a [`Preset`].
    pub preset: String,
    /// Address as entered; empty means the preset's own.
    #[serde(default)]
    pub base_url: String,
}

/// Why settings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The preset id is in no table.
    #[error("`{id}` is not a known kind of endpoint; choose one of {known}")]
    UnknownPreset {
        /// What was given.
        id: String,
        /// The ids that exist.
        known: String,
    },
    /// The address cannot be used.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The endpoint of one role cannot be used.
    #[error("the endpoint of the role `{}`: {why}", role.as_str())]
    Elsewhere {
        /// Whose.
        role: Role,
        /// Why.
        why: Box<SettingsError>,
    },
    /// A role at an endpoint of its own has no model there.
    #[error("the role `{}` is played at an endpoint of its own, and no model is named for it; name one that is there", role.as_str())]
    Nameless {
        /// Whose.
        role: Role,
    },
}

/// Settings that were checked: what an adapter works with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The kind of endpoint.
    pub preset: &'static Preset,
    /// The address to call.
    pub base: BaseUrl,
}

impl EndpointSettings {
    /// The settings of a preset as it stands.
    pub fn for_preset(preset: &Preset) -> Self {
        Self {
            preset: preset.id.to_owned(),
            base_url: preset.base_url.to_owned(),
            models: BTreeMap::new(),
            elsewhere: BTreeMap::new(),
            key_storage: KeyStorage::default(),
        }
    }

    /// The settings of a role's own endpoint, with its one model; `None`: it is played here.
    pub fn at(&self, role: Role) -> Option<Self> {
        let there = self.elsewhere.get(&role)?;
        let models = self.model(role).map(|name| (role, name.to_owned())).into_iter().collect();
        let (preset, base_url) = (there.preset.clone(), there.base_url.clone());
        Some(Self { preset, base_url, models, elsewhere: BTreeMap::new(), key_storage: self.key_storage })
    }

    /// The endpoints of roles that have their own, checked, each with its settings.
    ///
    /// # Errors
    /// The first that cannot be used, with the role that it is for.
    pub fn resolve_elsewhere(&self) -> Result<BTreeMap<Role, (Self, Resolved)>, SettingsError> {
        let resolve = |role: Role, there: Self| {
            let resolved = there.resolve();
            let resolved = resolved.map_err(|why| SettingsError::Elsewhere { role, why: Box::new(why) })?;
            match there.models.contains_key(&role) {
                true => Ok((role, (there, resolved))),
                false => Err(SettingsError::Nameless { role }),
            }
        };
        let own = self.elsewhere.keys().filter_map(|role| Some((*role, self.at(*role)?)));
        own.map(|(role, there)| resolve(role, there)).collect()
    }

    /// Checks preset and address.
    ///
    /// # Errors
    /// When the preset is unknown or the address cannot be used; the text says what to write instead.
    pub fn resolve(&self) -> Result<Resolved, SettingsError> {
        let preset = preset::by_id(&self.preset).ok_or_else(|| SettingsError::UnknownPreset {
            id: self.preset.clone(),
            known: preset::all().iter().map(|preset| preset.id).collect::<Vec<_>>().join(", "),
        })?;
        let entered = self.base_url.trim();
        let address = if entered.is_empty() { preset.base_url } else { entered };
        Ok(Resolved { preset, base: BaseUrl::parse(address, preset.default_path)? })
    }

    /// The model for `role`: the user's choice for it, else the user's choice for chat where the preset has
    /// none of its own (a local server runs one model for everything), else the preset's default. At an endpoint of its own: the user's
    /// choice, else that preset's default.
    pub fn model(&self, role: Role) -> Option<&str> {
        let chosen =
            |role: Role| self.models.get(&role).map(|name| name.trim()).filter(|name| !name.is_empty());
        if let Some(there) = self.elsewhere.get(&role) {
            return chosen(role).or_else(|| preset::by_id(&there.preset)?.default_model(role));
        }
        let preset = preset::by_id(&self.preset);
        chosen(role)
            .or_else(|| preset.and_then(|preset| preset.default_model(role)))
            .or_else(|| if role == Role::Embed { None } else { chosen(Role::Chat) })
    }

    /// The interface of the preset; OpenAI-compatible when the preset is unknown.
    pub fn dialect(&self) -> Dialect {
        preset::by_id(&self.preset).map_or(Dialect::OpenAi, |preset| preset.dialect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(preset: &str, base_url: &str) -> EndpointSettings {
        EndpointSettings {
            base_url: base_url.into(),
            ..EndpointSettings::for_preset(preset::by_id(preset).unwrap())
        }
    }

    #[test]
    fn an_empty_address_means_the_presets_own() {
        let resolved = settings("openai", " ").resolve().unwrap();
        assert_eq!(resolved.base.as_str(), "https://api.openai.com/v1");
        let resolved = settings("ollama", "http://192.168.1.9:11434").resolve().unwrap();
        assert_eq!(resolved.base.as_str(), "http://192.168.1.9:11434/v1");
        assert_eq!(settings("custom", "").resolve(), Err(UrlError::Empty.into()));
        let unknown = EndpointSettings { preset: "nope".into(), ..settings("openai", "") };
        assert!(unknown.resolve().unwrap_err().to_string().contains("openai, anthropic"));
    }

    #[test]
    fn a_role_without_its_own_model_falls_back() {
        let mut local = settings("ollama", "");
        assert_eq!(local.model(Role::Extract), None);
        local.models.insert(Role::Chat, " qwen3:8b ".into());
        assert_eq!(local.model(Role::Extract), Some("qwen3:8b"));
        assert_eq!(local.model(Role::Embed), Some("nomic-embed-text"));
        local.models.insert(Role::Extract, "gemma3:4b".into());
        assert_eq!(local.model(Role::Extract), Some("gemma3:4b"));

        let mut cloud = settings("openai", "");
        cloud.models.insert(Role::Chat, "big".into());
        assert_eq!(cloud.model(Role::Extract), cloud.resolve().unwrap().preset.default_model(Role::Extract));
        assert_eq!(settings("custom", "http://localhost/v1").model(Role::Embed), None);
    }

    #[test]
    fn a_role_may_be_at_an_endpoint_of_its_own() {
        let elsewhere =
            |preset: &str, base_url: &str| Elsewhere { preset: preset.into(), base_url: base_url.into() };
        let mut local = settings("ollama", "");
        local.models.insert(Role::Chat, "qwen3:8b".into());
        local.elsewhere.insert(Role::Judge, elsewhere("openai", ""));
        let judge = local.at(Role::Judge).unwrap();
        assert_eq!((judge.preset.as_str(), local.at(Role::Chat)), ("openai", None));
        let known = preset::by_id("openai").unwrap().default_model(Role::Judge);
        assert_eq!((local.model(Role::Judge), judge.model(Role::Judge)), (known, known));
        let own = local.resolve_elsewhere().unwrap();
        assert_eq!(own[&Role::Judge].1.base.as_str(), "https://api.openai.com/v1");

        local.elsewhere.insert(Role::Adversary, elsewhere("custom", "http://localhost:9/v1"));
        let nameless = local.resolve_elsewhere().unwrap_err().to_string();
        assert!(nameless.contains("`adversary`") && nameless.contains("name one"), "{nameless}");
        assert_eq!(local.model(Role::Adversary), None, "the narrator's model is not there");
        local.models.insert(Role::Adversary, "sly".into());
        assert_eq!(local.resolve_elsewhere().unwrap().len(), 2);
        local.elsewhere.insert(Role::Adversary, elsewhere("custom", "not an address"));
        assert!(local.resolve_elsewhere().unwrap_err().to_string().contains("the role `adversary`: "));

        let json = serde_json::to_string(&local).unwrap();
        assert_eq!(serde_json::from_str::<EndpointSettings>(&json).unwrap(), local);
    }

    #[test]
    fn settings_hold_no_key_and_survive_a_round_trip() {
        let mut chosen = settings("custom", "https://gate.example/v1");
        chosen.models.insert(Role::Judge, "j".into());
        chosen.key_storage = KeyStorage::Device;
        let json = serde_json::to_string(&chosen).unwrap();
        assert_eq!(
            json,
            r#"{"preset":"custom","base_url":"https://gate.example/v1","models":{"judge":"j"},"key_storage":"device"}"#
        );
        assert_eq!(serde_json::from_str::<EndpointSettings>(&json).unwrap(), chosen);
        let old: EndpointSettings = serde_json::from_str(r#"{"preset":"openai","api_key":"sk-x"}"#).unwrap();
        assert_eq!(old.key_storage, KeyStorage::Session);
        assert!(!serde_json::to_string(&old).unwrap().contains("sk-x"));
    }
}

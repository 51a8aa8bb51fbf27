//! What a person chose, kept on this device outside the memory: endpoint (never its key), numbers, context, appearance.

use credence::config::Config;
use credence::id::ContextId;
use credence::llm::settings::EndpointSettings;
use serde::{Deserialize, Serialize};

use crate::browser;

/// Where they are kept in the browser's storage.
pub(crate) const STORED_AS: &str = "credence.settings";

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Theme {
    /// As the system is set.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Theme {
    /// Every choice, in the order that the switch steps through.
    pub(crate) const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];
    /// The word that is stored and checked.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
    /// The word that is shown.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Theme::System => "As the system",
            Theme::Light => "Light",
            Theme::Dark => "Dark",
        }
    }
    /// The choice after this one.
    pub(crate) fn next(self) -> Self {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }
    /// What the root element is told; the system's own needs no word.
    pub(crate) fn forced(self) -> Option<&'static str> {
        match self {
            Theme::System => None,
            other => Some(other.as_str()),
        }
    }
}

/// Everything that is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Preferences {
    /// The language model's server; `None`: the built-in engine alone.
    pub endpoint: Option<EndpointSettings>,
    /// The memory's numbers.
    pub config: Config,
    /// Which memory is open.
    pub context: String,
    /// Light or dark.
    pub theme: Theme,
    /// The note that no model is connected was put away.
    pub hint_dismissed: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            endpoint: None,
            config: Config::default(),
            context: "default".to_owned(),
            theme: Theme::default(),
            hint_dismissed: false,
        }
    }
}

impl Preferences {
    /// What was kept; the defaults where nothing was or it cannot be read. Numbers out of range go back to theirs.
    pub(crate) fn load() -> Self {
        let kept = browser::load(STORED_AS).and_then(|text| serde_json::from_str::<Self>(&text).ok());
        let mut preferences = kept.unwrap_or_default();
        if preferences.config.validate().is_err() {
            preferences.config = Config::default();
        }
        if ContextId::new(&preferences.context).is_err() {
            preferences.context = Self::default().context;
        }
        preferences
    }

    /// Keeps them; `false` where the browser does not.
    pub(crate) fn save(&self) -> bool {
        serde_json::to_string(self).is_ok_and(|text| browser::save(STORED_AS, &text))
    }
}

//! Addresses: the part behind `#`, one variant a page. Nothing else in the app writes or reads an address.

use credence::id::{ConversationId, EntityId, PropositionId, TurnId};
use leptos::prelude::window;

use crate::runs::RunId;

/// What is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    /// A conversation, at a turn when one is named; a new one when none is.
    Chat(Option<ConversationId>, Option<TurnId>),
    /// The list of statements.
    Memory,
    /// One statement.
    Proposition(PropositionId),
    /// The list of people and things.
    Entities,
    /// One person or thing.
    Entity(EntityId),
    /// What waits for a decision, what waits to be read, and what was done.
    Activity,
    /// Every change, and the memory at any of them.
    Timeline,
    /// Scenarios, played.
    Simulate,
    /// A run that was kept; beside another one where two are named. `None`: what the address says is no run's name.
    Run(Option<RunId>, Option<RunId>),
    /// Conditions compared over scenarios.
    Experiments,
    /// Endpoint, data, appearance.
    Settings,
}

impl Page {
    /// Reads an address; what is unknown leads to the chat.
    pub(crate) fn parse(hash: &str) -> Self {
        let mut parts = hash.trim_start_matches('#').split('/').filter(|part| !part.is_empty());
        match (parts.next(), parts.next(), parts.next()) {
            (Some("memory"), Some(id), _) => id.parse().map_or(Self::Memory, Self::Proposition),
            (Some("memory"), None, _) => Self::Memory,
            (Some("entities"), Some(id), _) => id.parse().map_or(Self::Entities, Self::Entity),
            (Some("entities"), None, _) => Self::Entities,
            (Some("activity"), ..) => Self::Activity,
            (Some("timeline"), ..) => Self::Timeline,
            (Some("simulate"), Some(run), other) => {
                Self::Run(run.parse().ok(), other.and_then(|other| other.parse().ok()))
            }
            (Some("simulate"), None, _) => Self::Simulate,
            (Some("experiments"), ..) => Self::Experiments,
            (Some("settings"), ..) => Self::Settings,
            (_, Some(id), turn) => Self::Chat(id.parse().ok(), turn.and_then(|turn| turn.parse().ok())),
            _ => Self::Chat(None, None),
        }
    }

    /// The address, with its `#`.
    pub(crate) fn href(self) -> String {
        match self {
            Self::Chat(None, _) => "#/chat".to_owned(),
            Self::Chat(Some(id), None) => format!("#/chat/{id}"),
            Self::Chat(Some(id), Some(turn)) => format!("#/chat/{id}/{turn}"),
            Self::Memory => "#/memory".to_owned(),
            Self::Proposition(id) => format!("#/memory/{id}"),
            Self::Entities => "#/entities".to_owned(),
            Self::Entity(id) => format!("#/entities/{id}"),
            Self::Activity => "#/activity".to_owned(),
            Self::Timeline => "#/timeline".to_owned(),
            Self::Simulate | Self::Run(None, _) => "#/simulate".to_owned(),
            Self::Run(Some(run), None) => format!("#/simulate/{run}"),
            Self::Run(Some(run), Some(other)) => format!("#/simulate/{run}/{other}"),
            Self::Experiments => "#/experiments".to_owned(),
            Self::Settings => "#/settings".to_owned(),
        }
    }

    /// The word for checks and styles.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Chat(..) => "chat",
            Self::Memory => "memory",
            Self::Proposition(_) => "proposition",
            Self::Entities => "entities",
            Self::Entity(_) => "entity",
            Self::Activity => "activity",
            Self::Timeline => "timeline",
            Self::Simulate => "simulate",
            Self::Run(..) => "run",
            Self::Experiments => "experiments",
            Self::Settings => "settings",
        }
    }

    /// The page that the address names now.
    pub(crate) fn current() -> Self {
        Self::parse(&window().location().hash().unwrap_or_default())
    }

    /// Goes there; the back button returns.
    pub(crate) fn open(self) {
        // Refused only for addresses of other sites; ours begins with `#`.
        let _ = window().location().set_hash(&self.href());
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::Page;

    #[wasm_bindgen_test]
    fn every_page_reads_its_own_address() {
        let conversation = "V00000000000000000000000000000001".parse().unwrap();
        let turn = "T00000000000000000000000000000002".parse().unwrap();
        let proposition = "P00000000000000000000000000000003".parse().unwrap();
        let entity = "E00000000000000000000000000000004".parse().unwrap();
        let run = "0123456789ab".parse().ok();
        for page in [
            Page::Chat(None, None),
            Page::Chat(Some(conversation), None),
            Page::Chat(Some(conversation), Some(turn)),
            Page::Memory,
            Page::Proposition(proposition),
            Page::Entities,
            Page::Entity(entity),
            Page::Activity,
            Page::Timeline,
            Page::Simulate,
            Page::Run(run, None),
            Page::Run(run, "fedcba987654".parse().ok()),
            Page::Experiments,
            Page::Settings,
        ] {
            assert_eq!(Page::parse(&page.href()), page);
        }
    }

    #[wasm_bindgen_test]
    fn a_broken_address_leads_somewhere_sensible() {
        assert_eq!(Page::parse(""), Page::Chat(None, None));
        assert_eq!(Page::parse("#/nowhere"), Page::Chat(None, None));
        assert_eq!(Page::parse("#/chat/V12"), Page::Chat(None, None));
        assert_eq!(Page::parse("#/memory/P12"), Page::Memory);
        assert_eq!(Page::parse("#/entities/E12"), Page::Entities);
        assert_eq!(Page::parse("#/simulate/12"), Page::Run(None, None));
    }
}

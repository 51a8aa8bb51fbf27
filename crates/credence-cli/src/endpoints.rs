//! Which endpoint a role is played at: its own where the command line names one, else the one for all.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use credence::llm::{Cancel, ChatModel, ChatReply, ChatRequest, ModelError, Role};

use crate::args::{Args, Usage};
use crate::endpoint::Endpoint;

/// What the memory asks a model for.
pub(crate) const READING: [Role; 3] = [Role::Extract, Role::Revise, Role::Resolve];

/// Who can have an endpoint of their own.
pub(crate) struct Who {
    /// In the names of options.
    pub(crate) word: &'static str,
    pub(crate) roles: &'static [Role],
}

pub(crate) const ELSEWHERE: &[Who] = &[
    Who { word: "judge", roles: &[Role::Judge] },
    Who { word: "adversary", roles: &[Role::Adversary] },
    Who { word: "memory", roles: &READING },
];

/// An endpoint as the command line gives it: `--endpoint`, or `--judge-endpoint` and its like.
#[derive(Debug, Default)]
pub(crate) struct Place {
    pub(crate) address: Option<String>,
    pub(crate) preset: Option<String>,
    pub(crate) key_env: Option<String>,
}

impl Place {
    /// Takes it; `who` is empty for the one for all.
    pub(crate) fn take(args: &mut Args, who: &str) -> Result<Self, Usage> {
        let name = |what: &str| match who {
            "" => format!("--{what}"),
            who => format!("--{who}-{what}"),
        };
        let place = Self {
            address: args.value(&name("endpoint"))?,
            preset: args.value(&name("preset"))?,
            key_env: args.value(&name("key-env"))?,
        };
        match (&place.key_env, place.is_given(), who) {
            (Some(_), false, who) if !who.is_empty() => Err(Usage::new(format!(
                "{} says whose key is where, and nobody plays there: give {} as well",
                name("key-env"),
                name("endpoint")
            ))),
            _ => Ok(place),
        }
    }

    pub(crate) fn is_given(&self) -> bool {
        self.address.is_some() || self.preset.is_some()
    }

    /// The key in the environment, under the name that was given or under `usual`.
    ///
    /// # Errors
    /// Where a name was given and nothing is there.
    pub(crate) fn key(&self, usual: Option<&str>) -> Result<Option<String>> {
        let Some(name) = self.key_env.as_deref().or(usual) else { return Ok(None) };
        let key = std::env::var(name).ok();
        if self.key_env.is_some() && key.is_none() {
            bail!("the environment has no variable `{name}`");
        }
        Ok(key)
    }

    /// The endpoint with these models; a role of `unserved` is played by nobody.
    ///
    /// # Errors
    /// As [`Endpoint::new`].
    pub(crate) fn endpoint(
        &self,
        models: BTreeMap<Role, String>,
        unserved: Vec<Role>,
        key: Option<&str>,
    ) -> Result<Endpoint> {
        let preset = self.preset.as_deref().unwrap_or("custom");
        Endpoint::new(preset, self.address.as_deref().unwrap_or_default(), models, unserved, key)
    }
}

/// The endpoints of a cast.
pub(crate) struct Endpoints {
    main: Option<Endpoint>,
    own: BTreeMap<Role, Endpoint>,
}

impl Endpoints {
    /// `None` where there is none at all.
    pub(crate) fn new(main: Option<Endpoint>, own: BTreeMap<Role, Endpoint>) -> Option<Self> {
        (main.is_some() || !own.is_empty()).then_some(Self { main, own })
    }

    fn at(&self, role: Role) -> Option<&Endpoint> {
        self.own.get(&role).or(self.main.as_ref())
    }

    /// The model of a role; `None`: nobody plays it.
    pub(crate) fn model(&self, role: Role) -> Option<String> {
        self.at(role)?.model(role)
    }
}

impl ChatModel for Endpoints {
    fn is_connected(&self, role: Role) -> bool {
        self.at(role).is_some_and(|endpoint| endpoint.is_connected(role))
    }

    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        match self.at(role) {
            Some(endpoint) => endpoint.complete(role, request, on_text, cancel).await,
            None => Err(ModelError::NotConnected),
        }
    }

    async fn first_tokens(&self, role: Role, words: &[String]) -> Result<BTreeMap<String, u32>, String> {
        match self.at(role) {
            Some(endpoint) => endpoint.first_tokens(role, words).await,
            None => Err(ModelError::NotConnected.to_string()),
        }
    }
}

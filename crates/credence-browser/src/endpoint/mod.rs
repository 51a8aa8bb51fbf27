//! A user's model endpoint, called from the page: streaming, abort, time-outs, retries, and words that say what to
//! do when it fails. Bodies, reading and classification are the core's (`credence::llm`); here are fetch, timers
//! and the place of the key.

mod diagnose;
mod embed;
mod http;
mod keys;
mod probe;
mod timer;

pub use embed::RemoteEmbedder;
pub use keys::{Kept, KeyStore};
pub use probe::Probe;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use credence::llm::classify::{Refusal, Verdict, classify, rejected_parameter};
use credence::llm::preset::KeyNeed;
use credence::llm::reply::ReplyReader;
use credence::llm::retry::RetryPolicy;
use credence::llm::secret::Secret;
use credence::llm::settings::{EndpointSettings, Resolved, SettingsError};
use credence::llm::wire::{self, Call, Options};
use credence::llm::{Cancel, ChatModel, ChatReply, ChatRequest, ModelError, Role};
use credence::time::Timestamp;
use serde_json::Value;

use http::{Exchange, Fault, Opened};

/// Milliseconds until the first byte and between bytes when the request gives no limit.
const DEFAULT_TIMEOUT_MS: u32 = 60_000;

/// Most parameters that one call may find rejected before it is given up.
const MOST_REJECTIONS: usize = 6;

/// A parameter that a model at an endpoint does not take, so that calls leave it out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct DroppedParameter {
    /// Scheme, host and port of the endpoint.
    pub origin: String,
    /// The model.
    pub model: String,
    /// The parameter's name on the wire, for example `temperature`.
    pub parameter: String,
}

type Dropped = Rc<RefCell<BTreeSet<DroppedParameter>>>;

/// The endpoint that the user chose, as a [`ChatModel`]. Cloning shares it.
#[derive(Debug, Clone)]
pub struct Endpoint {
    settings: Rc<EndpointSettings>,
    resolved: Resolved,
    /// Those of roles that have their own; these have none in turn.
    elsewhere: Rc<BTreeMap<Role, Endpoint>>,
    keys: KeyStore,
    dropped: Dropped,
    retry: RetryPolicy,
}

/// What a single exchange failed with, before it is decided whether to try again.
struct Failure {
    verdict: Verdict,
    /// A parameter that the server named as the reason.
    rejected: Option<String>,
    /// Text has been passed on: trying again would repeat it.
    has_text: bool,
}

impl Failure {
    fn plain(error: ModelError) -> Self {
        Self { verdict: Verdict { error, retry_after_ms: None }, rejected: None, has_text: false }
    }
}

impl Endpoint {
    /// An endpoint by `settings`; `keys` holds its key, and those of roles that are elsewhere, each under its own origin.
    ///
    /// # Errors
    /// When a preset is unknown, an address cannot be used, or a role that is elsewhere has no model.
    pub fn new(settings: EndpointSettings, keys: KeyStore) -> Result<Self, SettingsError> {
        let resolved = settings.resolve()?;
        let (elsewhere, dropped, retry) = (Rc::default(), Dropped::default(), RetryPolicy::default());
        let settings = Rc::new(settings);
        Self { settings, resolved, elsewhere, keys, dropped, retry }.joined()
    }

    /// The same with other settings; keys and what models rejected are kept.
    ///
    /// # Errors
    /// As [`Endpoint::new`].
    pub fn with_settings(&self, settings: EndpointSettings) -> Result<Self, SettingsError> {
        let resolved = settings.resolve()?;
        Self { settings: Rc::new(settings), resolved, ..self.clone() }.joined()
    }

    /// With the endpoints that its settings name for single roles.
    fn joined(self) -> Result<Self, SettingsError> {
        let mut elsewhere = BTreeMap::new();
        for (role, (settings, resolved)) in self.settings.resolve_elsewhere()? {
            let settings = Rc::new(settings);
            elsewhere.insert(role, Self { settings, resolved, elsewhere: Rc::default(), ..self.clone() });
        }
        Ok(Self { elsewhere: Rc::new(elsewhere), ..self })
    }

    /// Where a role is played: here, or at its own endpoint.
    pub fn at(&self, role: Role) -> &Self {
        self.elsewhere.get(&role).unwrap_or(self)
    }

    /// Scheme, host and port of every endpoint, each once: this one's and those of single roles.
    pub fn origins(&self) -> BTreeSet<String> {
        let own = self.elsewhere.values().map(Self::origin);
        own.chain([self.origin()]).map(str::to_owned).collect()
    }

    /// What the user chose.
    pub fn settings(&self) -> &EndpointSettings {
        &self.settings
    }

    /// Scheme, host and port: what the key is bound to.
    pub fn origin(&self) -> &str {
        self.resolved.base.origin()
    }

    /// Parameters that models rejected, for the settings page.
    pub fn dropped_parameters(&self) -> Vec<DroppedParameter> {
        self.dropped.borrow().iter().cloned().collect()
    }

    fn key(&self) -> Option<Secret> {
        self.keys.get(self.origin())
    }

    fn options(&self, model: &str) -> Options {
        let mut options = Options::of(self.resolved.preset);
        let dropped = self.dropped.borrow();
        let of_model = dropped.iter().filter(|known| known.origin == self.origin() && known.model == model);
        options.omitted.extend(of_model.map(|known| known.parameter.clone()));
        options
    }

    fn remember(&self, model: &str, parameter: &str) {
        self.dropped.borrow_mut().insert(DroppedParameter {
            origin: self.origin().to_owned(),
            model: model.to_owned(),
            parameter: parameter.to_owned(),
        });
    }

    /// Sends one request and, on success, returns the opened answer.
    async fn open(
        &self,
        exchange: &Exchange,
        path: &str,
        body: Option<&Value>,
        model: &str,
        key: Option<&Secret>,
    ) -> Result<Opened, Failure> {
        let url = self.resolved.base.join(path);
        let headers = wire::headers(self.resolved.preset.dialect, key);
        let mut opened = match exchange.send(&url, &headers, body).await {
            Ok(opened) => opened,
            Err(Fault::Network) => {
                return Err(Failure::plain(diagnose::explain(&self.resolved, &headers, exchange).await));
            }
            Err(fault) => return Err(Failure::plain(self.fault(fault))),
        };
        if opened.is_redirect() {
            let detail = "the address answers with a redirect, and the key is not sent along; enter the address that it leads to (often https:// instead of http://)";
            return Err(Failure::plain(ModelError::Malformed { detail: detail.to_owned() }));
        }
        if opened.is_success() {
            return Ok(opened);
        }
        let status = opened.status();
        let retry_after = opened.header("retry-after");
        let body = match exchange.text(&mut opened).await {
            Ok(body) => body,
            // The status says enough.
            Err(Fault::Network | Fault::Timeout { .. }) => String::new(),
            Err(fault) => return Err(Failure::plain(self.fault(fault))),
        };
        let refusal = Refusal {
            status,
            body: &body,
            retry_after: retry_after.as_deref(),
            model,
            key,
            now: Timestamp(js_sys::Date::now() as i64),
        };
        let rejected = rejected_parameter(status, &body);
        Err(Failure { verdict: classify(&refusal), rejected, has_text: false })
    }

    /// A fault after the server had begun to answer, or one that needs no diagnosis.
    fn fault(&self, fault: Fault) -> ModelError {
        match fault {
            Fault::Cancelled => ModelError::Cancelled,
            Fault::Timeout { after_ms } => ModelError::Timeout { after_ms },
            Fault::Network => ModelError::BrokenOff { origin: self.origin().to_owned() },
        }
    }

    /// Waits as the policy says. `Err`: it is not tried again.
    async fn pause(&self, calls: u32, failure: Verdict, cancel: &Cancel) -> Result<(), ModelError> {
        match self.retry.wait_ms(calls, &failure, js_sys::Math::random()) {
            Some(wait) => timer::sleep(wait, cancel).await,
            None => Err(failure.error),
        }
    }

    async fn chat_once(
        &self,
        model: &str,
        body: &Value,
        timeout_ms: u32,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, Failure> {
        let dialect = self.resolved.preset.dialect;
        let key = self.key();
        let exchange = Exchange::new(timeout_ms, cancel);
        let mut opened =
            self.open(&exchange, wire::chat_path(dialect), Some(body), model, key.as_ref()).await?;
        let mut reader = ReplyReader::new(dialect, model, key.as_ref());
        loop {
            match exchange.read(&mut opened).await {
                Ok(Some(bytes)) => {
                    if let Err(error) = reader.push(&bytes, on_text) {
                        return Err(Failure { has_text: reader.has_text(), ..Failure::plain(error) });
                    }
                    if reader.is_done() {
                        break;
                    }
                }
                Ok(None) => break,
                Err(Fault::Cancelled) => {
                    return reader.cancelled(on_text).ok_or_else(|| Failure::plain(ModelError::Cancelled));
                }
                Err(fault) => {
                    let has_text = reader.has_text();
                    return Err(Failure { has_text, ..Failure::plain(self.fault(fault)) });
                }
            }
        }
        let has_text = reader.has_text();
        reader.finish(on_text).map_err(|error| Failure { has_text, ..Failure::plain(error) })
    }

    /// A JSON exchange without streaming: embeddings, lists.
    async fn json(
        &self,
        path: &str,
        body: Option<&Value>,
        model: &str,
        cancel: &Cancel,
    ) -> Result<Value, ModelError> {
        let mut calls = 0;
        loop {
            calls += 1;
            let key = self.key();
            let exchange = Exchange::new(DEFAULT_TIMEOUT_MS, cancel);
            let failure = match self.open(&exchange, path, body, model, key.as_ref()).await {
                Ok(mut opened) => match exchange.text(&mut opened).await {
                    Ok(text) => return read_json(&text),
                    Err(fault) => Verdict { error: self.fault(fault), retry_after_ms: None },
                },
                Err(failure) => failure.verdict,
            };
            self.pause(calls, failure, cancel).await?;
        }
    }
}

fn read_json(text: &str) -> Result<Value, ModelError> {
    serde_json::from_str(text).map_err(|error| {
        let detail = if text.trim_start().starts_with('<') {
            "a web page came instead of JSON; check the address, it usually ends in /v1".to_owned()
        } else {
            format!("the body is not JSON ({error})")
        };
        ModelError::Malformed { detail }
    })
}

/// What a person is told about the parameters that `request` would have used and `options` leaves out.
fn notes(request: &ChatRequest, options: &Options) -> Vec<String> {
    let note = |parameter: &String| match parameter.as_str() {
        "temperature" if request.temperature.is_none() => None,
        "max_tokens" | "max_completion_tokens" if request.max_tokens.is_none() => None,
        "response_format" | "tools" | "tool_choice" if request.schema.is_none() => None,
        "response_format" | "tools" | "tool_choice" => Some(format!(
            "the model refuses `{parameter}`; the JSON shape was described in the prompt instead"
        )),
        _ => Some(format!("the model refuses `{parameter}`; sent without it")),
    };
    options.omitted.iter().filter_map(note).collect()
}

impl ChatModel for Endpoint {
    fn is_connected(&self, role: Role) -> bool {
        self.at(role).has(role)
    }

    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        self.at(role).answer(role, request, on_text, cancel).await
    }

    async fn first_tokens(&self, role: Role, words: &[String]) -> Result<BTreeMap<String, u32>, String> {
        self.at(role).tokens(role, words).await
    }
}

/// What this endpoint itself does for a role.
impl Endpoint {
    fn has(&self, role: Role) -> bool {
        let preset = self.resolved.preset;
        let can = role != Role::Embed || preset.has_embeddings();
        can && self.settings.model(role).is_some()
            && (preset.key == KeyNeed::Optional || self.key().is_some())
    }

    async fn answer(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        let chosen = request.model.as_deref().or_else(|| self.settings.model(role));
        let Some(model) = chosen.filter(|_| self.has(role)) else {
            return Err(ModelError::NotConnected);
        };
        if cancel.is_cancelled() {
            return Err(ModelError::Cancelled);
        }
        let timeout_ms = request.timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS);
        let (mut calls, mut rejections) = (0, 0);
        loop {
            let options = self.options(model);
            let call = Call { model, request, stream: true, options: &options };
            let body = wire::chat_body(self.resolved.preset.dialect, &call);
            let failure = match self.chat_once(model, &body, timeout_ms, on_text, cancel).await {
                Ok(mut reply) => {
                    reply.notes.extend(notes(request, &options));
                    if calls > 0 {
                        reply.notes.push(format!(
                            "the endpoint was busy or away; call number {} succeeded",
                            calls + 1
                        ));
                    }
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            if failure.has_text {
                return Err(failure.verdict.error);
            }
            // A parameter that was not sent cannot be left out: the refusal means something else.
            if let Some(parameter) = failure.rejected.filter(|parameter| body.get(parameter).is_some())
                && rejections < MOST_REJECTIONS
            {
                rejections += 1;
                self.remember(model, &parameter);
                continue;
            }
            calls += 1;
            self.pause(calls, failure.verdict, cancel).await?;
        }
    }

    async fn tokens(&self, role: Role, words: &[String]) -> Result<BTreeMap<String, u32>, String> {
        let preset = self.resolved.preset;
        let model = self.settings.model(role).unwrap_or_default();
        if !preset.takes_bias(model) {
            return Err(format!("`{model}` at {} takes no bias", preset.label));
        }
        if !preset.tells_tokens() {
            return Err(format!("{} does not tell its tokens", preset.label));
        }
        let body = wire::tokens::tokenize_body(words);
        let answer = self.json(wire::tokens::TOKENIZE_PATH, Some(&body), model, &Cancel::new()).await;
        wire::tokens::first_tokens(words, &answer.map_err(|error| error.to_string())?)
    }
}

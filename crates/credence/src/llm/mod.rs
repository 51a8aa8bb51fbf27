//! The model port: what the core asks of a language model, in the words of no provider.
//!
//! A call has a [`Role`] (what it is for), so that the host can choose a model per role; a [`ChatRequest`];
//! a sink for streamed text; and a [`Cancel`] token. Wire formats, reply reading and error classification
//! live beside this page so that every adapter shares them: `wire` (OpenAI-compatible and Anthropic bodies),
//! `sse` (server-sent events across any split of bytes), `think` (reasoning apart from the answer), `reply`
//! (bytes of a body to a [`ChatReply`]), `lenient` (reading JSON out of what models really send), `values` (numbers in it), `repair`
//! (one call and at most one repair call for a JSON answer), `preset`, `settings` and `url` (known endpoints,
//! the user's choice), `secret` (the key), `classify` (failures in words that say what to do), `retry` (which
//! failures are tried again, and when), `tuning` (what the settings say of a role's calls) and, for tests, `scripted`.

pub mod classify;
pub mod lenient;
pub mod preset;
pub mod prompts;
pub mod repair;
pub mod reply;
pub mod retry;
#[cfg(feature = "testing")]
pub mod scripted;
pub mod secret;
pub mod settings;
pub mod sse;
pub mod think;
pub mod tuning;
pub mod url;
pub mod values;
pub mod wire;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

/// What a model call is for. A host may use another model for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Answering the user.
    Chat,
    /// Conversation to propositions.
    Extract,
    /// How a new proposition relates to stored ones.
    Revise,
    /// Which entity a mention means.
    Resolve,
    /// Judging an answer in a scenario.
    Judge,
    /// Attacking a memory in a scenario.
    Adversary,
    /// Text to vector.
    Embed,
}

impl Role {
    /// Every role, in the order that settings list them.
    pub const ALL: [Role; 7] =
        [Role::Chat, Role::Extract, Role::Revise, Role::Resolve, Role::Judge, Role::Adversary, Role::Embed];
    /// The lower-case word used in settings, records and the UI.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Chat => "chat",
            Role::Extract => "extract",
            Role::Revise => "revise",
            Role::Resolve => "resolve",
            Role::Judge => "judge",
            Role::Adversary => "adversary",
            Role::Embed => "embed",
        }
    }
}

/// Who says a message to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// Instructions of the application.
    System,
    /// The user.
    User,
    /// The model itself, earlier.
    Assistant,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub author: Author,
    /// Plain text.
    pub text: String,
}

impl Message {
    /// A system message.
    pub fn system(text: impl Into<String>) -> Self {
        Self { author: Author::System, text: text.into() }
    }
    /// A user message.
    pub fn user(text: impl Into<String>) -> Self {
        Self { author: Author::User, text: text.into() }
    }
    /// An assistant message.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { author: Author::Assistant, text: text.into() }
    }
}

/// A JSON shape that the reply must have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplySchema {
    /// A short identifier, letters and underscores.
    pub name: String,
    /// JSON Schema (draft 2020-12, objects closed, every property required: OpenAI's strict subset).
    pub schema: serde_json::Value,
}

/// One call. `None` leaves a parameter to the endpoint.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ChatRequest {
    /// The prompt, system messages first.
    pub messages: Vec<Message>,
    /// 0 to 2.
    #[serde(default)]
    pub temperature: Option<f64>,
    /// Most tokens of the answer.
    #[serde(default)]
    pub max_tokens: Option<u32>,
    /// Wanted JSON shape, enforced by endpoints that can.
    #[serde(default)]
    pub schema: Option<ReplySchema>,
    /// What is added to the scores of tokens, by their number in the model's own vocabulary; -100 to 100, and sent only where the
    /// endpoint takes it. Empty: nothing.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub logit_bias: BTreeMap<u32, f64>,
    /// Milliseconds until the first byte, then between bytes. `None`: the adapter's default (60,000).
    #[serde(default)]
    pub timeout_ms: Option<u32>,
    /// The model that is to answer, by its name at the endpoint. `None`: the one chosen for the role.
    #[serde(default)]
    pub model: Option<String>,
}

/// Tokens as the server counted them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: u32,
    /// Tokens of the answer.
    pub completion_tokens: u32,
}

/// Why the model ended its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finish {
    /// It was done.
    #[default]
    Stop,
    /// It ran into the token limit: the text is cut.
    Length,
    /// The provider withheld the rest.
    Filtered,
    /// The caller cancelled: the text is what had come by then.
    Cancelled,
}

/// What a call brought back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ChatReply {
    /// The answer, without reasoning blocks.
    pub text: String,
    /// Reasoning that the endpoint sent apart from the answer, or inside `<think>`; never stored as memory.
    #[serde(default)]
    pub reasoning: String,
    /// Why it ended.
    #[serde(default)]
    pub finish: Finish,
    /// The model that answered, as the server names it.
    #[serde(default)]
    pub model: String,
    /// Server-side counts, where given.
    #[serde(default)]
    pub usage: Option<Usage>,
    /// What the adapter changed or noticed, in words for a person ("the model refuses `temperature`; sent without it").
    #[serde(default)]
    pub notes: Vec<String>,
}

/// The name of a model for records and people: a local server that names the file it serves gives its stem.
pub fn model_name(served: &str) -> &str {
    match served.trim().strip_suffix(".gguf") {
        Some(file) => file.rsplit(['/', '\\']).next().unwrap_or(file),
        None => served.trim(),
    }
}

/// Why a model call failed, told apart so that the words can say what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ModelError {
    /// No endpoint is configured for this role.
    #[error("no language model is connected; choose an endpoint in Settings")]
    NotConnected,
    /// The request never reached a server: wrong address, server not running, or no network.
    #[error("no server answers at {origin}; check the address and that the server is running")]
    Unreachable {
        /// Scheme, host and port.
        origin: String,
    },
    /// A server is there, but the browser may not read its answer.
    #[error("the server at {origin} answers but does not allow this page to read it (CORS); {remedy}")]
    Cors {
        /// Scheme, host and port.
        origin: String,
        /// What to do, for the endpoint's kind.
        remedy: String,
    },
    /// 401 or 403.
    #[error("the endpoint refused the key ({status}): {detail}")]
    BadKey {
        /// HTTP status.
        status: u16,
        /// The server's own words, redacted and cut.
        detail: String,
    },
    /// The endpoint does not have this model.
    #[error("the endpoint does not know the model `{model}`; {detail}")]
    UnknownModel {
        /// The name that was asked for.
        model: String,
        /// The server's own words, redacted and cut.
        detail: String,
    },
    /// The account has no credit left, or its quota is used up: waiting does not help.
    #[error("the account at the endpoint has no quota left ({status}): {detail}; check its plan and billing")]
    QuotaExhausted {
        /// HTTP status.
        status: u16,
        /// The server's own words, redacted and cut.
        detail: String,
    },
    /// A page served over https may not call a plain http address on another machine.
    #[error(
        "this page came over https and the browser blocks its calls to the plain http address {origin}; serve the endpoint over https, or open this app from http://localhost"
    )]
    MixedContent {
        /// Scheme, host and port.
        origin: String,
    },
    /// 429.
    #[error("the endpoint asks to slow down ({status}){}", retry_after_ms.map(|ms| format!("; try again in {} s", ms.div_ceil(1000))).unwrap_or_default())]
    RateLimited {
        /// HTTP status.
        status: u16,
        /// From Retry-After, where given.
        retry_after_ms: Option<u64>,
    },
    /// 5xx, after the allowed retries.
    #[error("the server failed ({status}): {detail}")]
    Server {
        /// HTTP status.
        status: u16,
        /// The server's own words, redacted and cut.
        detail: String,
    },
    /// Another 4xx.
    #[error("the endpoint refused the request ({status}): {detail}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// The server's own words, redacted and cut.
        detail: String,
    },
    /// The connection broke off in the middle: the server or the network went away.
    #[error("the connection to {origin} broke off before the answer was complete; try again")]
    BrokenOff {
        /// Scheme, host and port.
        origin: String,
    },
    /// Nothing came for too long.
    #[error("no answer within {after_ms} ms")]
    Timeout {
        /// The limit that ran out.
        after_ms: u32,
    },
    /// The caller cancelled before anything came.
    #[error("cancelled")]
    Cancelled,
    /// The answer is not what the interface promises.
    #[error("the endpoint's answer could not be read: {detail}")]
    Malformed {
        /// What was wrong, and where.
        detail: String,
    },
    /// A model that the host program brought along reported a failure.
    #[error("the model failed: {detail}")]
    Host {
        /// The host's own words.
        detail: String,
    },
}

impl ModelError {
    /// A stable word for journals, tests and the JS surface.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotConnected => "model-not-connected",
            Self::Unreachable { .. } => "model-unreachable",
            Self::Cors { .. } => "model-cors",
            Self::BadKey { .. } => "model-bad-key",
            Self::UnknownModel { .. } => "model-unknown",
            Self::QuotaExhausted { .. } => "model-quota-exhausted",
            Self::MixedContent { .. } => "model-mixed-content",
            Self::RateLimited { .. } => "model-rate-limited",
            Self::Server { .. } => "model-server",
            Self::Refused { .. } => "model-refused",
            Self::BrokenOff { .. } => "model-broken-off",
            Self::Timeout { .. } => "model-timeout",
            Self::Cancelled => "model-cancelled",
            Self::Malformed { .. } => "model-malformed",
            Self::Host { .. } => "model-failed",
        }
    }
    /// Whether the same call may succeed later without a person's help.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::Server { .. }
                | Self::Timeout { .. }
                | Self::Unreachable { .. }
                | Self::BrokenOff { .. }
        )
    }
}

type Listener = Box<dyn FnOnce()>;

/// A token to stop a call. Cloning shares it; cancelling twice is harmless.
#[derive(Clone, Default)]
pub struct Cancel {
    flag: Rc<Cell<bool>>,
    listeners: Rc<RefCell<Vec<Listener>>>,
}

impl Cancel {
    /// A token that nobody has cancelled.
    pub fn new() -> Self {
        Self::default()
    }
    /// Cancels: every listener runs once, in order of registration.
    pub fn cancel(&self) {
        if !self.flag.replace(true) {
            let listeners = std::mem::take(&mut *self.listeners.borrow_mut());
            for listener in listeners {
                listener();
            }
        }
    }
    /// Whether somebody cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.flag.get()
    }
    /// Runs `listener` when the token is cancelled; at once if it already is.
    pub fn on_cancel(&self, listener: impl FnOnce() + 'static) {
        if self.flag.get() {
            listener();
        } else {
            self.listeners.borrow_mut().push(Box::new(listener));
        }
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Cancel").field(&self.flag.get()).finish()
    }
}

/// A language model. Futures are not `Send`: the core is single-threaded by design.
#[expect(async_fn_in_trait, reason = "one thread; no caller needs a Send bound")]
pub trait ChatModel {
    /// Whether a call for `role` could be made at all. `false` makes the core use its embedded default.
    fn is_connected(&self, role: Role) -> bool;

    /// One call. `on_text` receives the answer's text as it streams (never reasoning); the concatenation of
    /// all pieces equals the reply's `text`. A cancelled call that had begun to answer returns `Ok` with
    /// [`Finish::Cancelled`] and the partial text.
    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError>;

    /// The token that each of these words begins with behind a space, in the vocabulary of the role's model, for
    /// [`ChatRequest::logit_bias`]; words that it cannot tell are left out. The error says why none can be biased. Default: the
    /// endpoint does not tell its tokens.
    async fn first_tokens(&self, role: Role, words: &[String]) -> Result<BTreeMap<String, u32>, String> {
        let _ = (role, words);
        Err("this endpoint does not tell its tokens".to_owned())
    }
}

//! The model port: none, a user's endpoint, or a function of the host's. The latter's contract is the face's `HostModel`.

use std::collections::BTreeMap;
use std::pin::pin;

use credence::llm::secret::Secret;
use credence::llm::settings::{Elsewhere, EndpointSettings, KeyStorage};
use credence::llm::{Author, Cancel, ChatModel, ChatReply, ChatRequest, Finish, Message, ModelError, Role};
use credence_browser::endpoint::{Endpoint, KeyStore};
use futures::channel::oneshot;
use futures::future::{Either, select};
use js_sys::{Promise, Reflect};
use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortController;

use super::{number_of, text_of, words};
use crate::argument;
use crate::failure::Failure;
use crate::views;

/// Which model server is asked, and as what.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EndpointOptions {
    /// The kind of server: `"openai"`, `"anthropic"`, `"openrouter"`, `"gemini"`, `"groq"`, `"ollama"`, `"lm-studio"`,
    /// `"llama-cpp"` or `"custom"` (any OpenAI-compatible one). Default `"custom"`.
    #[serde(default = "custom")]
    #[tsify(optional)]
    preset: String,
    /// Its address. Default: the preset's own; `"custom"` has none.
    #[serde(default)]
    #[tsify(optional)]
    base_url: String,
    /// The key. It is kept in memory and sent to this server alone.
    #[serde(default)]
    #[tsify(optional)]
    key: Option<String>,
    /// The model for each role; a role without one takes the preset's default, else that of `"chat"`.
    #[serde(default)]
    #[tsify(optional, type = "Partial<Record<ModelRole, string>>")]
    models: BTreeMap<Role, String>,
    /// Roles that another server plays, with the models that `models` names for them.
    #[serde(default)]
    #[tsify(optional, type = "Partial<Record<ModelRole, RoleEndpointOptions>>")]
    elsewhere: BTreeMap<Role, RoleEndpointOptions>,
}

/// The model server of one role.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RoleEndpointOptions {
    /// The kind of server, as in `EndpointOptions`. Default `"custom"`.
    #[serde(default = "custom")]
    #[tsify(optional)]
    preset: String,
    /// Its address. Default: the preset's own; `"custom"` has none.
    #[serde(default)]
    #[tsify(optional)]
    base_url: String,
    /// Its key, sent to this server alone. Default: none, or that of an endpoint of the same origin.
    #[serde(default)]
    #[tsify(optional)]
    key: Option<String>,
}

fn custom() -> String {
    "custom".into()
}

/// What a model call is for.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "gives TypeScript the union; the core's own type is what is serialised")]
enum ModelRole {
    Chat,
    Extract,
    Revise,
    Resolve,
    Judge,
    Adversary,
    Embed,
}

/// One message of a prompt.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
struct ModelMessage {
    /// Who says it.
    #[tsify(type = "\"system\" | \"user\" | \"assistant\"")]
    role: Author,
    /// Plain text.
    content: String,
}

/// A JSON shape that a reply must have.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
struct ModelSchema {
    /// A short identifier.
    name: String,
    /// JSON Schema, draft 2020-12.
    #[tsify(type = "Record<string, unknown>")]
    schema: serde_json::Value,
}

/// One call of a model.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(missing_as_null)]
struct ModelRequest {
    /// What it is for.
    #[tsify(type = "ModelRole")]
    role: Role,
    /// The model that the settings name; none: the program's own choice.
    model: Option<String>,
    /// The prompt, system messages first.
    messages: Vec<ModelMessage>,
    /// 0 to 2.
    temperature: Option<f64>,
    /// Most tokens of the answer.
    max_tokens: Option<u32>,
    /// Wanted JSON shape. Where the model cannot be held to it, prose around the JSON is tolerated.
    schema: Option<ModelSchema>,
}

/// A language model.
#[wasm_bindgen]
pub struct ModelPort {
    pub(crate) model: JsModel,
}

#[wasm_bindgen]
impl ModelPort {
    /// None: the built-in rules extract, and answers quote memory.
    pub fn none() -> ModelPort {
        ModelPort { model: JsModel::None }
    }

    /// The model server that `options` (an `EndpointOptions`) names.
    pub fn endpoint(options: JsValue) -> Result<ModelPort, JsValue> {
        let EndpointOptions { preset, base_url, key, models, elsewhere } =
            argument::read("options.endpoint", &options)?;
        let (mut places, mut typed) = (BTreeMap::new(), vec![(None, key)]);
        for (role, RoleEndpointOptions { preset, base_url, key }) in elsewhere {
            places.insert(role, Elsewhere { preset, base_url });
            typed.push((Some(role), key));
        }
        let key_storage = KeyStorage::Memory;
        let settings = EndpointSettings { preset, base_url, models, elsewhere: places, key_storage };
        let bad = |error: &dyn std::fmt::Display| Failure::argument("options.endpoint", error);
        let endpoint = Endpoint::new(settings.clone(), KeyStore::new()).map_err(|error| bad(&error))?;
        let mut keys = Vec::new();
        for (role, key) in typed {
            let place = match role {
                None => "options.endpoint.key".to_owned(),
                Some(role) => format!("options.endpoint.elsewhere.{}.key", role.as_str()),
            };
            let Some(key) = key else { continue };
            let key = Secret::parse(&key).map_err(|error| Failure::argument(&place, error))?;
            let there = role.map_or(&endpoint, |role| endpoint.at(role));
            keys.push((there.origin().to_owned(), key));
        }
        let endpoint = Endpoint::new(settings, KeyStore::trial(keys)).map_err(|error| bad(&error))?;
        Ok(ModelPort { model: JsModel::Endpoint(endpoint) })
    }

    /// An object with the method of `HostModel`.
    pub fn host(object: HostModel) -> ModelPort {
        ModelPort { model: JsModel::Host(object) }
    }
}

#[wasm_bindgen]
extern "C" {
    /// The host's object.
    #[derive(Clone)]
    #[wasm_bindgen(typescript_type = "object")]
    pub type HostModel;
    #[wasm_bindgen(method, catch)]
    fn complete(this: &HostModel, request: &JsValue, call: &JsValue) -> Result<JsValue, JsValue>;
}

/// Whichever model there is.
#[derive(Clone)]
pub(crate) enum JsModel {
    None,
    Endpoint(Endpoint),
    Host(HostModel),
}

impl ChatModel for JsModel {
    fn is_connected(&self, role: Role) -> bool {
        match self {
            Self::None => false,
            Self::Endpoint(endpoint) => endpoint.is_connected(role),
            // Vectors are asked of the embedding port.
            Self::Host(_) => role != Role::Embed,
        }
    }

    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        match self {
            Self::None => Err(ModelError::NotConnected),
            Self::Endpoint(endpoint) => endpoint.complete(role, request, on_text, cancel).await,
            Self::Host(host) => host.ask(role, request, on_text, cancel).await,
        }
    }

    async fn first_tokens(
        &self,
        role: Role,
        words: &[String],
    ) -> Result<std::collections::BTreeMap<String, u32>, String> {
        match self {
            Self::None => Err(ModelError::NotConnected.to_string()),
            Self::Endpoint(endpoint) => endpoint.first_tokens(role, words).await,
            Self::Host(_) => Err("the host's model does not tell its tokens".to_owned()),
        }
    }
}

impl HostModel {
    async fn ask(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        if cancel.is_cancelled() {
            return Err(ModelError::Cancelled);
        }
        let failed = |detail: String| ModelError::Host { detail };
        let sent = ModelRequest {
            role,
            model: request.model.clone(),
            messages: request
                .messages
                .iter()
                .map(|Message { author, text }| ModelMessage { role: *author, content: text.clone() })
                .collect(),
            temperature: request.temperature,
            max_tokens: request.max_tokens,
            schema: request
                .schema
                .as_ref()
                .map(|schema| ModelSchema { name: schema.name.clone(), schema: schema.schema.clone() }),
        };
        let sent = views::to_js(&sent).map_err(|failure| failed(failure.message))?;
        let call = js_sys::Object::new();
        let (stop, stopped) = oneshot::channel::<()>();
        let controller = AbortController::new().ok();
        if let Some(controller) = &controller {
            // Fails for frozen objects alone, and this one is fresh.
            let _ = Reflect::set(&call, &"signal".into(), &controller.signal());
        }
        cancel.on_cancel(move || {
            if let Some(controller) = controller {
                controller.abort();
            }
            // Nobody waits any more once the answer is there.
            let _ = stop.send(());
        });
        let answer = async {
            let returned = self.complete(&sent, &call)?;
            JsFuture::from(Promise::resolve(&returned)).await
        };
        // A token that is dropped without being cancelled never stops the call.
        let stopped = async move {
            if stopped.await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        match select(pin!(answer), pin!(stopped)).await {
            Either::Right(_) => Err(ModelError::Cancelled),
            Either::Left((Err(thrown), _)) => Err(model_error(&thrown)),
            Either::Left((Ok(answer), _)) => {
                let text = answer.as_string().or_else(|| text_of(&answer, "text")).ok_or_else(|| {
                    failed("its function must return a string, or an object with a `text` that is one".into())
                })?;
                on_text(&text);
                let model = text_of(&answer, "model").unwrap_or_else(|| "host".into());
                Ok(ChatReply { text, finish: Finish::Stop, model, ..ChatReply::default() })
            }
        }
    }
}

/// What a host's function threw: by its HTTP `status` where it has one, as most clients' errors do.
fn model_error(thrown: &JsValue) -> ModelError {
    let detail = credence::llm::secret::redact(&words(thrown), None);
    let status = number_of(thrown, "status")
        .filter(|status| (400.0..600.0).contains(status))
        .map(|status| status as u16);
    match status {
        Some(status @ (401 | 403)) => ModelError::BadKey { status, detail },
        Some(status @ 429) => ModelError::RateLimited { status, retry_after_ms: None },
        Some(status @ 500..) => ModelError::Server { status, detail },
        Some(status) => ModelError::Refused { status, detail },
        None => ModelError::Host { detail },
    }
}

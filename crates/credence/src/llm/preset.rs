//! The endpoints that we know: one table with address, dialect, default models and what to say when it fails.
//!
//! Model names age. They stand in this table alone (checked November 2026), every one can be replaced in the
//! settings, and "Test connection" offers the names that the endpoint itself lists.

use super::Role;

/// Which interface an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `POST chat/completions`, as OpenAI defined it and most servers follow.
    OpenAi,
    /// `POST messages`, Anthropic's own.
    Anthropic,
}

/// Whether a key has to be entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyNeed {
    /// No call is tried without one.
    Required,
    /// Sent when entered.
    Optional,
}

/// The name under which an endpoint takes the limit of the answer's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenLimit {
    /// `max_tokens`, the older name, understood by most servers.
    MaxTokens,
    /// `max_completion_tokens`, the only name that OpenAI's reasoning models take.
    MaxCompletionTokens,
}

/// Default models by kind of work; empty where only the user can know (a local server's own download).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefaultModels {
    /// Answering, judging and attacking: the stronger one.
    pub strong: &'static str,
    /// Extracting, revising and resolving: called often, so the cheaper one.
    pub light: &'static str,
    /// Text to vector; empty where the endpoint has no embeddings.
    pub embed: &'static str,
}

/// One known kind of endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// Stable id, stored in settings.
    pub id: &'static str,
    /// Name for a person.
    pub label: &'static str,
    /// Base address; empty for `custom`.
    pub base_url: &'static str,
    /// The path that is added when the user names a host alone.
    pub default_path: &'static str,
    /// Which interface it speaks.
    pub dialect: Dialect,
    /// Whether a key has to be entered.
    pub key: KeyNeed,
    /// Default models.
    pub models: DefaultModels,
    /// Whether it enforces a JSON schema on the answer. Where it does not, the schema is put in the prompt.
    pub schema_output: bool,
    /// How it takes the limit of the answer's length.
    pub token_limit: TokenLimit,
    /// A path that answers a good key alone, where the list of models is open to everybody.
    pub key_check: Option<&'static str>,
    /// What to do when the browser may not read its answers, as the end of a sentence.
    pub cors_remedy: &'static str,
    /// Where to get a key or how to start the server, in words.
    pub getting_started: &'static str,
}

const CLOUD_CORS: &str = "a company network, an ad blocker or a wrong path in the address can cause this: check the address, then try another network or switch the blocker off for this page";

const PRESETS: [Preset; 9] = [
    Preset {
        id: "openai",
        label: "OpenAI",
        base_url: "https://api.openai.com/v1",
        default_path: "/v1",
        dialect: Dialect::OpenAi,
        key: KeyNeed::Required,
        models: DefaultModels { strong: "gpt-6.1-sol", light: "gpt-6-luna", embed: "text-embedding-3-small" },
        schema_output: true,
        token_limit: TokenLimit::MaxCompletionTokens,
        key_check: None,
        cors_remedy: CLOUD_CORS,
        getting_started: "Create a key at platform.openai.com under API keys; the account needs API credit, a ChatGPT subscription does not count.",
    },
    Preset {
        id: "anthropic",
        label: "Anthropic",
        base_url: "https://api.anthropic.com/v1",
        default_path: "/v1",
        dialect: Dialect::Anthropic,
        key: KeyNeed::Required,
        models: DefaultModels { strong: "claude-sonnet-5-5", light: "claude-haiku-5-5", embed: "" },
        schema_output: true,
        token_limit: TokenLimit::MaxTokens,
        key_check: None,
        cors_remedy: "the organisation's settings may forbid calls from browsers: ask its administrator, or use a key of another workspace",
        getting_started: "Create a key at console.anthropic.com under API keys; the account needs API credit.",
    },
    Preset {
        id: "openrouter",
        label: "OpenRouter",
        base_url: "https://openrouter.ai/api/v1",
        default_path: "/api/v1",
        dialect: Dialect::OpenAi,
        key: KeyNeed::Required,
        models: DefaultModels {
            strong: "anthropic/claude-sonnet-5.5",
            light: "openai/gpt-6-luna",
            embed: "openai/text-embedding-3-small",
        },
        schema_output: true,
        token_limit: TokenLimit::MaxTokens,
        key_check: Some("key"),
        cors_remedy: CLOUD_CORS,
        getting_started: "Create a key at openrouter.ai under Keys; one key reaches the models of many providers.",
    },
    Preset {
        id: "gemini",
        label: "Google Gemini",
        base_url: "https://generativelanguage.googleapis.com/v1beta/openai",
        default_path: "/v1beta/openai",
        dialect: Dialect::OpenAi,
        key: KeyNeed::Required,
        models: DefaultModels {
            strong: "gemini-3.8-flash",
            light: "gemini-3.8-flash",
            embed: "gemini-embedding-001",
        },
        schema_output: true,
        token_limit: TokenLimit::MaxTokens,
        key_check: None,
        cors_remedy: "this route answers a wrong path without the header that browsers need: check that the address ends in /v1beta/openai",
        getting_started: "Create a key at aistudio.google.com under Get API key; there is a free tier.",
    },
    Preset {
        id: "groq",
        label: "Groq",
        base_url: "https://api.groq.com/openai/v1",
        default_path: "/openai/v1",
        dialect: Dialect::OpenAi,
        key: KeyNeed::Required,
        models: DefaultModels { strong: "openai/gpt-oss-120b", light: "openai/gpt-oss-20b", embed: "" },
        schema_output: true,
        token_limit: TokenLimit::MaxCompletionTokens,
        key_check: None,
        cors_remedy: CLOUD_CORS,
        getting_started: "Create a key at console.groq.com under API Keys; there is a free tier.",
    },
    Preset {
        id: "ollama",
        label: "Ollama (this computer)",
        base_url: "http://localhost:11434/v1",
        default_path: "/v1",
        dialect: Dialect::OpenAi,
        key: KeyNeed::Optional,
        models: DefaultModels { strong: "", light: "", embed: "nomic-embed-text" },
        schema_output: true,
        token_limit: TokenLimit::MaxTokens,
        key_check: None,
        cors_remedy: "quit Ollama and start it with the environment variable OLLAMA_ORIGINS set to this page's address (or `*`)",
        getting_started: "Install Ollama, run `ollama pull` with a model's name, then choose it here. Set OLLAMA_CONTEXT_LENGTH to 16384 or more: its default cuts long prompts silently.",
    },
    Preset {
        id: "lm-studio",
        label: "LM Studio (this computer)",
        base_url: "http://localhost:1234/v1",
        default_path: "/v1",
        dialect: Dialect::OpenAi,
        key: KeyNeed::Optional,
        models: DefaultModels { strong: "", light: "", embed: "text-embedding-nomic-embed-text-v1.5" },
        schema_output: true,
        token_limit: TokenLimit::MaxTokens,
        key_check: None,
        cors_remedy: "in LM Studio open Developer, then Server Settings, and switch on Enable CORS",
        getting_started: "In LM Studio load a model, open Developer and start the server, then choose the model here.",
    },
    Preset {
        id: "llama-cpp",
        label: "llama.cpp (this computer)",
        base_url: "http://localhost:8080/v1",
        default_path: "/v1",
        dialect: Dialect::OpenAi,
        key: KeyNeed::Optional,
        // The server answers with the model that it was started with, whatever name is sent.
        models: DefaultModels { strong: "default", light: "default", embed: "default" },
        schema_output: true,
        token_limit: TokenLimit::MaxTokens,
        key_check: None,
        cors_remedy: "llama-server allows every page by default: check that no proxy in front of it removes the Access-Control-Allow-Origin header",
        getting_started: "Start it with `llama-server -m model.gguf`; for vectors start it with --embeddings as well.",
    },
    Preset {
        id: "custom",
        label: "Another endpoint",
        base_url: "",
        default_path: "/v1",
        dialect: Dialect::OpenAi,
        key: KeyNeed::Optional,
        models: DefaultModels { strong: "", light: "", embed: "" },
        schema_output: true,
        token_limit: TokenLimit::MaxTokens,
        key_check: None,
        cors_remedy: "the server has to send Access-Control-Allow-Origin with this page's address and allow the headers authorization and content-type",
        getting_started: "Any server with an OpenAI-compatible interface works; its address usually ends in /v1.",
    },
];

/// Every preset, in the order that the settings page lists them.
pub fn all() -> &'static [Preset] {
    &PRESETS
}

/// The preset with this id.
pub fn by_id(id: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.id == id)
}

impl Preset {
    /// The model for `role` when the user chose none.
    pub fn default_model(&self, role: Role) -> Option<&'static str> {
        let model = match role {
            Role::Chat | Role::Judge | Role::Adversary => self.models.strong,
            Role::Extract | Role::Revise | Role::Resolve => self.models.light,
            Role::Embed => self.models.embed,
        };
        (!model.is_empty()).then_some(model)
    }

    /// Whether `model` at this endpoint takes a bias on single tokens: llama.cpp does, and models of the GPT-3.5 and GPT-4 families do
    /// wherever they are served over the OpenAI-compatible interface. Reasoning models refuse it, others ignore it.
    pub fn takes_bias(&self, model: &str) -> bool {
        let name = model.rsplit('/').next().unwrap_or(model);
        let family = ["gpt-4", "gpt-3.5"].iter().any(|family| name.starts_with(family));
        self.dialect == Dialect::OpenAi && (self.id == "llama-cpp" || family)
    }

    /// Whether the endpoint tells which tokens a text has in its model's vocabulary.
    pub fn tells_tokens(&self) -> bool {
        self.id == "llama-cpp"
    }

    /// Whether the endpoint may have an embeddings route. `custom` may; its model has to be named.
    pub fn has_embeddings(&self) -> bool {
        self.dialect == Dialect::OpenAi && (!self.models.embed.is_empty() || self.id == "custom")
    }
}

#[cfg(test)]
mod tests {
    use super::super::url::BaseUrl;
    use super::*;

    #[test]
    fn core_185_which_models_take_a_bias() {
        let takes = |preset: &str, model: &str| by_id(preset).unwrap().takes_bias(model);
        assert!(
            !takes("anthropic", "claude-sonnet-5-5") && !takes("openrouter", "anthropic/claude-sonnet-5.5")
        );
        assert!(
            takes("openai", "gpt-4o")
                && takes("openrouter", "openai/gpt-4o")
                && takes("llama-cpp", "default")
        );
        assert!(!takes("openai", "o3"), "reasoning models refuse it");
    }

    #[test]
    fn the_table_is_complete_and_its_addresses_are_in_normal_form() {
        for preset in all() {
            assert_eq!(by_id(preset.id), Some(preset), "ids are unique");
            assert!(preset.cors_remedy.len() > 40 && preset.getting_started.len() > 40, "{}", preset.id);
            assert!(!preset.cors_remedy.ends_with('.'), "{}: it ends a sentence of ours", preset.id);
            if preset.id != "custom" {
                let url = BaseUrl::parse(preset.base_url, preset.default_path).unwrap();
                assert_eq!(url.as_str(), preset.base_url);
                assert_eq!(
                    BaseUrl::parse(url.origin(), preset.default_path).unwrap(),
                    url,
                    "the bare host of {} gets its path",
                    preset.id
                );
                assert!(url.is_https() || url.is_loopback());
            }
        }
    }

    #[test]
    fn roles_share_a_strong_and_a_light_model() {
        let anthropic = by_id("anthropic").unwrap();
        assert_eq!(anthropic.default_model(Role::Chat), anthropic.default_model(Role::Judge));
        assert_eq!(anthropic.default_model(Role::Extract), anthropic.default_model(Role::Resolve));
        assert_eq!(anthropic.default_model(Role::Embed), None);
        assert!(!anthropic.has_embeddings());
        assert_eq!(by_id("ollama").unwrap().default_model(Role::Chat), None);
        assert!(by_id("custom").unwrap().has_embeddings());
    }
}

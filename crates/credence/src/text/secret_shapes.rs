//! The shapes of credentials, as data: prefixes that issuers put before their keys, and words after which
//! people write passwords. Prefixes are those that the issuers document.

/// Characters of a key behind its prefix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// Letters and digits.
    Plain,
    /// Letters, digits, `-` and `_`.
    Url,
    /// Upper-case letters and digits.
    Upper,
    /// Letters, digits, `-`, `_`, `.` and `/`.
    Path,
}

impl Body {
    /// Whether the byte may stand in the body.
    pub(super) fn holds(self, b: u8) -> bool {
        match self {
            Body::Plain => b.is_ascii_alphanumeric(),
            Body::Url => b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'),
            Body::Upper => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Body::Path => b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'/'),
        }
    }
}

/// A key by its prefix.
pub(super) struct KeyShape {
    /// What it is called in the mark that replaces it.
    pub(super) kind: &'static str,
    /// Written exactly so.
    pub(super) prefix: &'static str,
    /// What follows.
    pub(super) body: Body,
    /// Fewest characters that follow; a shorter one is no key.
    pub(super) least: usize,
}

const fn key(kind: &'static str, prefix: &'static str, body: Body, least: usize) -> KeyShape {
    KeyShape { kind, prefix, body, least }
}

/// Longer prefixes stand before the shorter ones that they begin with.
pub(super) const KEYS: &[KeyShape] = &[
    key("anthropic_key", "sk-ant-", Body::Url, 16),
    key("openrouter_key", "sk-or-", Body::Url, 16),
    key("openai_key", "sk-proj-", Body::Url, 16),
    key("openai_key", "sk-svcacct-", Body::Url, 16),
    key("openai_key", "sk-admin-", Body::Url, 16),
    key("openai_key", "sk-None-", Body::Url, 16),
    key("openai_key", "sk-", Body::Plain, 20),
    key("stripe_key", "sk_live_", Body::Plain, 16),
    key("stripe_key", "sk_test_", Body::Plain, 16),
    key("stripe_key", "rk_live_", Body::Plain, 16),
    key("stripe_key", "rk_test_", Body::Plain, 16),
    key("stripe_key", "whsec_", Body::Plain, 16),
    key("aws_access_key", "AKIA", Body::Upper, 16),
    key("aws_access_key", "ASIA", Body::Upper, 16),
    key("google_key", "AIza", Body::Url, 35),
    key("google_token", "ya29.", Body::Url, 20),
    key("google_secret", "GOCSPX-", Body::Url, 20),
    key("github_token", "github_pat_", Body::Url, 22),
    key("github_token", "ghp_", Body::Plain, 30),
    key("github_token", "gho_", Body::Plain, 30),
    key("github_token", "ghu_", Body::Plain, 30),
    key("github_token", "ghs_", Body::Plain, 30),
    key("github_token", "ghr_", Body::Plain, 30),
    key("gitlab_token", "glpat-", Body::Url, 20),
    key("slack_token", "xoxa-", Body::Url, 10),
    key("slack_token", "xoxb-", Body::Url, 10),
    key("slack_token", "xoxe-", Body::Url, 10),
    key("slack_token", "xoxp-", Body::Url, 10),
    key("slack_token", "xoxr-", Body::Url, 10),
    key("slack_token", "xoxs-", Body::Url, 10),
    key("slack_token", "xapp-", Body::Url, 10),
    key("slack_webhook", "hooks.slack.com/services/", Body::Path, 20),
    key("groq_key", "gsk_", Body::Plain, 20),
    key("huggingface_token", "hf_", Body::Plain, 30),
    key("replicate_token", "r8_", Body::Plain, 30),
    key("perplexity_key", "pplx-", Body::Plain, 30),
    key("xai_key", "xai-", Body::Plain, 30),
    key("npm_token", "npm_", Body::Plain, 30),
    key("pypi_token", "pypi-", Body::Url, 50),
    key("sendgrid_key", "SG.", Body::Path, 40),
    key("digitalocean_token", "dop_v1_", Body::Plain, 40),
];

/// A word that says what is written behind it.
pub(super) struct Label {
    /// What it is called in the mark.
    pub(super) kind: &'static str,
    /// ASCII in lower case; other scripts as people write them.
    pub(super) word: &'static str,
    /// A password may be any word; a token or key is taken for one only when it looks like one.
    pub(super) any_word: bool,
}

const fn password(word: &'static str) -> Label {
    Label { kind: "password", word, any_word: true }
}

const fn token(kind: &'static str, word: &'static str) -> Label {
    Label { kind, word, any_word: false }
}

/// Labels. A longer one stands before the shorter one that it begins or ends with.
pub(super) const LABELS: &[Label] = &[
    password("password"),
    password("passwd"),
    password("passphrase"),
    password("passcode"),
    password("pwd"),
    password("passwort"),
    password("kennwort"),
    password("mot de passe"),
    password("contraseña"),
    password("senha"),
    password("пароль"),
    password("Пароль"),
    password("密码"),
    password("密碼"),
    password("パスワード"),
    token("api_key", "api key"),
    token("api_key", "api_key"),
    token("api_key", "api-key"),
    token("api_key", "apikey"),
    token("secret_key", "secret key"),
    token("secret_key", "secret_key"),
    token("secret_key", "secretkey"),
    token("secret_key", "secret access key"),
    token("secret_key", "secret_access_key"),
    token("secret_key", "private_key"),
    token("secret_key", "client secret"),
    token("secret_key", "client_secret"),
    token("secret_key", "secret"),
    token("token", "token"),
    token("card_code", "cvv"),
    token("card_code", "cvc"),
    token("pin", "pin"),
];

/// Words that stand between a label and what it labels, besides `:` and `=`.
pub(super) const LINKS: [&str; 9] = [" is ", " ist ", " lautet ", " est ", " es ", " é ", "是", "为", "は"];

/// Values that stand for a password without being one.
pub(super) const PLACEHOLDERS: [&str; 20] = [
    "none",
    "null",
    "nil",
    "required",
    "optional",
    "true",
    "false",
    "yes",
    "no",
    "string",
    "text",
    "unknown",
    "forgotten",
    "reset",
    "here",
    "undefined",
    "your_password",
    "xxxx",
    "changed",
    "protected",
];

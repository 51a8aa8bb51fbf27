//! A model's endpoint, called from the command line: one blocking exchange a call, read and classified by the core like in the app. Runs that
//! play side by side share it, each from a thread of its own.
//!
//! Rules: no redirect is followed, for it would take the key to an address that nobody entered; the key comes from the environment and is in no
//! file, record or message; a parameter that a model refuses is left out from then on; what is worth another try is tried again after the
//! core's waits.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, bail};
use credence::llm::classify::{Refusal, Verdict, classify, rejected_parameter};
use credence::llm::preset::KeyNeed;
use credence::llm::reply::ReplyReader;
use credence::llm::retry::RetryPolicy;
use credence::llm::secret::Secret;
use credence::llm::settings::{EndpointSettings, KeyStorage, Resolved};
use credence::llm::wire::{self, Call, Options};
use credence::llm::{Cancel, ChatModel, ChatReply, ChatRequest, ModelError, Role};
use credence::time::Timestamp;

/// Milliseconds until an answer is whole, when the request gives no limit.
const DEFAULT_TIMEOUT_MS: u32 = 120_000;

/// Most parameters that one call may find rejected before it is given up.
const MOST_REJECTIONS: usize = 6;

/// Most bytes of an answer.
const LARGEST_BODY: u64 = 16 * 1024 * 1024;

/// An endpoint with its models by role.
pub(crate) struct Endpoint {
    agent: ureq::Agent,
    settings: EndpointSettings,
    resolved: Resolved,
    key: Option<Secret>,
    /// Roles that nobody plays, whatever the preset and the other roles' models are.
    unserved: Vec<Role>,
    /// By model.
    omitted: Mutex<BTreeMap<String, BTreeSet<String>>>,
    retry: RetryPolicy,
}

/// Why one exchange brought nothing.
struct Failure {
    verdict: Verdict,
    rejected: Option<String>,
}

impl Failure {
    fn plain(error: ModelError) -> Self {
        Self { verdict: Verdict { error, retry_after_ms: None }, rejected: None }
    }
}

impl Endpoint {
    /// An endpoint of a preset (`custom` for any OpenAI-compatible server) at an address, or at the preset's own where it is empty.
    ///
    /// # Errors
    /// An unknown preset, an address that cannot be used, or a key that is needed and not there.
    pub(crate) fn new(
        preset: &str,
        address: &str,
        models: BTreeMap<Role, String>,
        unserved: Vec<Role>,
        key: Option<&str>,
    ) -> Result<Self> {
        let settings = EndpointSettings {
            preset: preset.to_owned(),
            base_url: address.to_owned(),
            models,
            elsewhere: BTreeMap::new(),
            key_storage: KeyStorage::default(),
        };
        let resolved = settings.resolve()?;
        if resolved.base.is_https() && !cfg!(feature = "https") {
            bail!(
                "{} is on https, and this build speaks http alone; build with `--features https`",
                resolved.base.origin()
            );
        }
        let key = key.map(Secret::parse).transpose().context("the key in the environment")?;
        if resolved.preset.key == KeyNeed::Required && key.is_none() {
            bail!(
                "{} needs a key; put it into the environment (`--key-env` names the variable)",
                resolved.preset.label
            );
        }
        let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build();
        let (omitted, retry) = (Mutex::default(), RetryPolicy::default());
        Ok(Self { agent: config.into(), settings, resolved, key, unserved, omitted, retry })
    }

    /// The model of a role; `None`: nobody plays it.
    pub(crate) fn model(&self, role: Role) -> Option<String> {
        let is_served = role != Role::Embed && !self.unserved.contains(&role);
        self.settings.model(role).filter(|_| is_served).map(str::to_owned)
    }

    pub(crate) fn origin(&self) -> String {
        self.resolved.base.origin().to_owned()
    }

    /// Parameters left out, by model; whoever failed while holding it left a whole map.
    fn omitted(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, BTreeSet<String>>> {
        self.omitted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn options(&self, model: &str) -> Options {
        let mut options = Options::of(self.resolved.preset);
        options.omitted.extend(self.omitted().get(model).into_iter().flatten().cloned());
        options
    }

    fn once(
        &self,
        model: &str,
        body: &serde_json::Value,
        timeout_ms: u32,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<ChatReply, Failure> {
        let dialect = self.resolved.preset.dialect;
        let url = self.resolved.base.join(wire::chat_path(dialect));
        let mut request = self.agent.post(&url);
        for (name, value) in wire::headers(dialect, self.key.as_ref()) {
            request = request.header(name, value);
        }
        let timeout = Some(Duration::from_millis(u64::from(timeout_ms)));
        let request = request.config().timeout_global(timeout).build();
        let mut response =
            request.send(body.to_string()).map_err(|error| Failure::plain(self.fault(&error, timeout_ms)))?;
        let status = response.status();
        let retry_after =
            response.headers().get("retry-after").and_then(|value| value.to_str().ok()).map(str::to_owned);
        let mut bytes = Vec::new();
        let read = response.body_mut().as_reader().take(LARGEST_BODY).read_to_end(&mut bytes);
        if status.is_redirection() {
            let detail = "the address answers with a redirect, and the key is not sent along; give the address that it leads to";
            return Err(Failure::plain(ModelError::Malformed { detail: detail.to_owned() }));
        }
        if !status.is_success() {
            let text = String::from_utf8_lossy(&bytes);
            let refusal = Refusal {
                status: status.as_u16(),
                body: &text,
                retry_after: retry_after.as_deref(),
                model,
                key: self.key.as_ref(),
                now: now(),
            };
            return Err(Failure {
                verdict: classify(&refusal),
                rejected: rejected_parameter(status.as_u16(), &text),
            });
        }
        if let Err(error) = read {
            let late = error.kind() == std::io::ErrorKind::TimedOut;
            return Err(Failure::plain(if late {
                ModelError::Timeout { after_ms: timeout_ms }
            } else {
                ModelError::BrokenOff { origin: self.origin() }
            }));
        }
        let mut reader = ReplyReader::new(dialect, model, self.key.as_ref());
        reader.push(&bytes, on_text).map_err(Failure::plain)?;
        reader.finish(on_text).map_err(Failure::plain)
    }

    fn fault(&self, error: &ureq::Error, timeout_ms: u32) -> ModelError {
        match error {
            ureq::Error::Timeout(_) => ModelError::Timeout { after_ms: timeout_ms },
            ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::ConnectionReset => {
                ModelError::BrokenOff { origin: self.origin() }
            }
            _ => ModelError::Unreachable { origin: self.origin() },
        }
    }
}

/// The wall clock.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Where in its spread a wait falls, 0 to 1: runs that play side by side should not come back at the same moment.
fn spread() -> f64 {
    f64::from(now().0.rem_euclid(1000) as u16) / 1000.0
}

impl ChatModel for Endpoint {
    fn is_connected(&self, role: Role) -> bool {
        self.model(role).is_some()
    }

    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        let chosen = request.model.clone().or_else(|| self.model(role));
        let model = chosen.as_deref().ok_or(ModelError::NotConnected)?;
        let timeout_ms = request.timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS);
        let (mut calls, mut rejections) = (0, 0);
        loop {
            if cancel.is_cancelled() {
                return Err(ModelError::Cancelled);
            }
            let options = self.options(model);
            let call = Call { model, request, stream: false, options: &options };
            let body = wire::chat_body(self.resolved.preset.dialect, &call);
            let failure = match self.once(model, &body, timeout_ms, on_text) {
                Ok(mut reply) => {
                    let left_out = options
                        .omitted
                        .iter()
                        .map(|name| format!("the model refuses `{name}`; sent without it"));
                    reply.notes.extend(left_out);
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            if let Some(parameter) = failure.rejected.filter(|parameter| body.get(parameter).is_some())
                && rejections < MOST_REJECTIONS
            {
                rejections += 1;
                self.omitted().entry(model.to_owned()).or_default().insert(parameter);
                continue;
            }
            calls += 1;
            match self.retry.wait_ms(calls, &failure.verdict, spread()) {
                Some(wait) => std::thread::sleep(Duration::from_millis(wait)),
                None => return Err(failure.verdict.error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::TcpListener;

    use credence::llm::{Finish, Message};
    use futures::executor::block_on;

    use super::*;

    /// A server on the loopback address that gives one answer after another and returns what it was asked.
    fn server(answers: Vec<(u16, &'static str, String)>) -> (String, std::thread::JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}/v1", listener.local_addr().expect("its address"));
        let asked = std::thread::spawn(move || {
            let mut asked = Vec::new();
            for (status, header, body) in answers {
                let (stream, _) = listener.accept().expect("a call");
                let mut reader = BufReader::new(stream);
                let (mut head, mut length) = (String::new(), 0);
                loop {
                    let mut line = String::new();
                    reader.read_line(&mut line).expect("a line");
                    if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().expect("a length");
                    }
                    if line.trim().is_empty() {
                        break;
                    }
                    head.push_str(&line);
                }
                let mut sent = vec![0; length];
                reader.read_exact(&mut sent).expect("the body");
                asked.push(head + &String::from_utf8_lossy(&sent));
                let answer = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{header}content-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
                reader.get_mut().write_all(answer.as_bytes()).expect("an answer");
            }
            asked
        });
        (address, asked)
    }

    fn endpoint(address: &str) -> Endpoint {
        let models = BTreeMap::from([(Role::Chat, "small".to_owned())]);
        Endpoint::new("custom", address, models, Vec::new(), Some("sk-geheim-0123456789"))
            .expect("an endpoint")
    }

    fn ask(endpoint: &Endpoint) -> Result<ChatReply, ModelError> {
        let request = ChatRequest {
            messages: vec![Message::user("Is the bridge down?")],
            temperature: Some(0.7),
            ..ChatRequest::default()
        };
        block_on(endpoint.complete(Role::Chat, &request, &mut |_| {}, &Cancel::new()))
    }

    fn said(text: &str) -> String {
        format!(
            r#"{{"model": "small-1", "choices": [{{"message": {{"content": "{text}"}}, "finish_reason": "stop"}}]}}"#
        )
    }

    #[test]
    fn an_answer_comes_back_and_the_key_is_in_a_header_alone() {
        let (address, asked) = server(vec![(200, "", said("It is."))]);
        let reply = ask(&endpoint(&address)).expect("an answer");
        assert_eq!(
            (reply.text.as_str(), reply.model.as_str(), reply.finish),
            ("It is.", "small-1", Finish::Stop)
        );
        let asked = asked.join().expect("what was asked");
        assert!(asked[0].starts_with("POST /v1/chat/completions HTTP/1.1"), "{}", asked[0]);
        assert!(asked[0].contains("Bearer sk-geheim-0123456789") && asked[0].contains("Is the bridge down?"));
    }

    #[test]
    fn a_parameter_that_is_refused_is_left_out_and_a_busy_server_asked_again() {
        let refusal = r#"{"error": {"message": "Unsupported parameter: 'temperature' is not supported with this model.", "param": "temperature", "code": "unsupported_parameter"}}"#;
        let (address, asked) = server(vec![
            (400, "", refusal.to_owned()),
            (503, "retry-after: 0\r\n", "{}".to_owned()),
            (200, "", said("Yes.")),
        ]);
        let reply = ask(&endpoint(&address)).expect("an answer");
        assert_eq!((reply.text.as_str(), reply.notes.len()), ("Yes.", 1));
        let asked = asked.join().expect("what was asked");
        let has = asked.iter().map(|body| body.contains("\"temperature\"")).collect::<Vec<_>>();
        assert_eq!(has, [true, false, false]);
    }

    #[test]
    fn failures_say_what_to_do_and_never_the_key() {
        let refused = r#"{"error": {"message": "Incorrect API key provided: sk-geheim-0123456789"}}"#;
        let (address, _) = server(vec![(401, "", refused.to_owned())]);
        let error = ask(&endpoint(&address)).expect_err("a refusal");
        assert!(
            matches!(error, ModelError::BadKey { status: 401, .. }) && !error.to_string().contains("geheim"),
            "{error}"
        );
        let (address, _) = server(vec![(302, "location: http://elsewhere.example/\r\n", String::new())]);
        assert!(ask(&endpoint(&address)).expect_err("no redirect").to_string().contains("redirect"));
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("its address");
        let mut nobody = endpoint(&format!("http://{free}/v1"));
        nobody.retry.unreachable_attempts = 1;
        assert!(matches!(ask(&nobody), Err(ModelError::Unreachable { .. })));
    }

    #[test]
    fn a_role_that_nobody_plays_is_not_taken_by_the_narrator() {
        let (address, models) = ("http://127.0.0.1:1/v1", BTreeMap::from([(Role::Chat, "small".to_owned())]));
        let plain = Endpoint::new("custom", address, models.clone(), Vec::new(), None).expect("an endpoint");
        assert!(plain.is_connected(Role::Extract) && !plain.is_connected(Role::Embed));
        let unserved = vec![Role::Extract];
        let endpoint = Endpoint::new("custom", address, models, unserved, None).expect("an endpoint");
        assert!(endpoint.is_connected(Role::Chat) && !endpoint.is_connected(Role::Extract));
        let request = ChatRequest::default();
        let reply = block_on(endpoint.complete(Role::Extract, &request, &mut |_| {}, &Cancel::new()));
        assert_eq!(reply, Err(ModelError::NotConnected));
    }

    #[test]
    fn addresses_and_keys_are_checked_before_anything_is_called() {
        let words = |preset, address, key| {
            let made = Endpoint::new(preset, address, BTreeMap::new(), Vec::new(), key);
            made.map(drop).expect_err("a refusal").to_string()
        };
        assert!(words("nowhere", "", None).contains("not a known kind of endpoint"));
        assert!(words("custom", "not an address", None).len() > 10);
        if !cfg!(feature = "https") {
            assert!(words("openai", "", Some("sk-0123456789")).contains("--features https"));
        }
        assert!(words("openai", "http://localhost:9/v1", None).contains("needs a key"));
    }
}

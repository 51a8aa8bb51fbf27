//! Why fetch failed. Browsers give the same `TypeError` for every reason, so that pages cannot look around in a
//! network; what a user needs to know is found by asking again in two other ways.
//!
//! 1. An https page calls plain http on another machine: mixed content, no call needed.
//! 2. The list of models can be read with the same headers: CORS is in order, the connection broke.
//! 3. A `no-cors` call resolves: a server is there, the page may not read it.
//! 4. Otherwise nothing answers.
//!
//! In a cross-origin isolated page (one served with `Cross-Origin-Embedder-Policy: require-corp`) the third
//! question fails as well, and a CORS refusal is reported as an absent server: such a page cannot know better.

use credence::llm::ModelError;
use credence::llm::settings::Resolved;

use super::http::{self, Exchange, Fault};
use crate::global;

/// Milliseconds for each of the two questions. A server that needs longer is as good as absent.
const PATIENCE_MS: u32 = 5_000;

/// Says why a call to the endpoint failed. The key is only sent where the failed call would have sent it.
pub(super) async fn explain(
    resolved: &Resolved,
    headers: &[(&'static str, String)],
    failed: &Exchange,
) -> ModelError {
    let base = &resolved.base;
    let origin = base.origin().to_owned();
    if is_https_page() && !base.is_https() && !base.is_loopback() {
        return ModelError::MixedContent { origin };
    }
    let readable = Exchange::new(PATIENCE_MS, failed.token());
    match readable.send(&base.join("models"), headers, None).await {
        Ok(_) => return ModelError::BrokenOff { origin },
        Err(Fault::Cancelled) => return ModelError::Cancelled,
        Err(Fault::Timeout { .. } | Fault::Network) => {}
    }
    let any = Exchange::new(PATIENCE_MS, failed.token());
    match http::answers(&format!("{origin}/"), &any).await {
        Ok(true) => ModelError::Cors { origin, remedy: resolved.preset.cors_remedy.to_owned() },
        Err(Fault::Cancelled) => ModelError::Cancelled,
        Ok(false) | Err(_) => ModelError::Unreachable { origin },
    }
}

fn is_https_page() -> bool {
    global::member(&["location", "protocol"]).and_then(|value| value.as_string()).as_deref() == Some("https:")
}

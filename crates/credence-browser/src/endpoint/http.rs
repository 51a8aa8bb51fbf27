//! One HTTP exchange: a request that can be aborted, with a limit until the first byte and between bytes.

use std::cell::Cell;
use std::future::Future;
use std::pin::pin;

use credence::llm::Cancel;
use futures::future::{Either, select};
use gloo_net::http::{Method, RequestBuilder, Response};
use js_sys::{Promise, Reflect, Uint8Array};
use serde_json::Value;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    AbortController, ReadableStreamDefaultReader, ReferrerPolicy, RequestCache, RequestCredentials,
    RequestMode, RequestRedirect, ResponseType,
};

use super::timer::{Cancelled, Timer, cancelled};

#[wasm_bindgen]
extern "C" {
    // gloo-net's own `send` panics when a patched `fetch` (browser extensions do that) throws no `Error`.
    #[wasm_bindgen(catch)]
    fn fetch(request: &web_sys::Request) -> Result<Promise, JsValue>;
}

/// Most bytes of a body that is read whole: a list of models or 64 vectors stay far below.
const LARGEST_BODY: usize = 64 * 1024 * 1024;

/// Why an exchange ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// The caller cancelled.
    Cancelled,
    /// Nothing came for too long.
    Timeout {
        /// The limit.
        after_ms: u32,
    },
    /// The browser reports a failure and, on purpose, not which: no server, CORS, a blocked call, a broken line.
    Network,
}

/// An exchange in the making: its limit, its caller's token, its abort switch.
pub(super) struct Exchange {
    timeout_ms: u32,
    /// When the first byte has to be there, milliseconds of the host's clock.
    first_byte_by: f64,
    has_first_byte: Cell<bool>,
    cancelled: Cancelled,
    /// Absent in hosts without `AbortController`; waiting ends all the same.
    controller: Option<AbortController>,
    /// Also keeps the token alive for `cancelled`.
    cancel: Cancel,
}

/// An answer whose body has not been read yet. Dropping it releases the connection.
pub(super) struct Opened {
    response: Response,
    reader: Option<ReadableStreamDefaultReader>,
}

impl Exchange {
    pub(super) fn new(timeout_ms: u32, cancel: &Cancel) -> Self {
        Self {
            timeout_ms,
            first_byte_by: js_sys::Date::now() + f64::from(timeout_ms),
            has_first_byte: Cell::new(false),
            cancelled: cancelled(cancel),
            controller: AbortController::new().ok(),
            cancel: cancel.clone(),
        }
    }

    /// The caller's token, for a further exchange on the same behalf.
    pub(super) fn token(&self) -> &Cancel {
        &self.cancel
    }

    /// Sends a POST with `body`, or a GET without. The request carries no cookies, no referrer, and follows no
    /// redirect: a redirect would take the key to an address that the user did not enter.
    pub(super) async fn send(
        &self,
        url: &str,
        headers: &[(&'static str, String)],
        body: Option<&Value>,
    ) -> Result<Opened, Fault> {
        let signal = self.controller.as_ref().map(AbortController::signal);
        let mut builder = RequestBuilder::new(url)
            .method(if body.is_some() { Method::POST } else { Method::GET })
            .credentials(RequestCredentials::Omit)
            .referrer_policy(ReferrerPolicy::NoReferrer)
            .cache(RequestCache::NoStore)
            .redirect(RequestRedirect::Manual)
            .abort_signal(signal.as_ref());
        for (name, value) in headers {
            builder = builder.header(name, value);
        }
        let request = match body {
            Some(body) => builder.body(body.to_string()),
            None => builder.build(),
        };
        let request = web_sys::Request::from(request.map_err(|_| Fault::Network)?);
        let response = self.race(fetch_response(&request)).await?.map_err(|_| Fault::Network)?;
        let response = Response::from(response);
        let reader = response.body().map(|body| body.get_reader());
        let reader = reader.and_then(|reader| reader.dyn_into::<ReadableStreamDefaultReader>().ok());
        Ok(Opened { response, reader })
    }

    /// The next bytes of the body; `None` at its end.
    pub(super) async fn read(&self, opened: &mut Opened) -> Result<Option<Vec<u8>>, Fault> {
        let Some(reader) = &opened.reader else { return Ok(None) };
        let result = self.race(JsFuture::from(reader.read())).await?.map_err(|_| Fault::Network)?;
        let field = |name| Reflect::get(&result, &JsValue::from_str(name)).unwrap_or_default();
        if field("done").is_truthy() {
            opened.reader = None;
            return Ok(None);
        }
        self.has_first_byte.set(true);
        let bytes: Uint8Array = field("value").dyn_into().map_err(|_| Fault::Network)?;
        Ok(Some(bytes.to_vec()))
    }

    /// The whole body as text.
    pub(super) async fn text(&self, opened: &mut Opened) -> Result<String, Fault> {
        let mut body = Vec::new();
        while let Some(bytes) = self.read(opened).await? {
            body.extend_from_slice(&bytes);
            if body.len() > LARGEST_BODY {
                return Err(Fault::Network);
            }
        }
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    /// `work`, unless the caller cancels or the limit runs out; then the request is aborted.
    async fn race<T>(&self, work: impl Future<Output = T>) -> Result<T, Fault> {
        let limit = f64::from(self.timeout_ms);
        let left = if self.has_first_byte.get() { limit } else { self.first_byte_by - js_sys::Date::now() };
        // A clock that was set back must not prolong the limit.
        let stop = pin!(select(Timer::new(left.min(limit)), self.cancelled.clone()));
        let fault = match select(pin!(work), stop).await {
            Either::Left((value, _)) => return Ok(value),
            Either::Right((Either::Left(_), _)) => Fault::Timeout { after_ms: self.timeout_ms },
            Either::Right((Either::Right(_), _)) => Fault::Cancelled,
        };
        if let Some(controller) = &self.controller {
            controller.abort();
        }
        Err(fault)
    }
}

impl Opened {
    pub(super) fn status(&self) -> u16 {
        self.response.status()
    }
    pub(super) fn is_success(&self) -> bool {
        self.response.ok()
    }
    /// Browsers hide a redirect that is not followed; other hosts show it.
    pub(super) fn is_redirect(&self) -> bool {
        self.response.type_() == ResponseType::Opaqueredirect || (300..400).contains(&self.status())
    }
    /// A response header, if the server lets other origins see it.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        self.response.headers().get(name)
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        if let Some(reader) = self.reader.take() {
            // The rest is not wanted. A stream that is broken already rejects this, which changes nothing, but a
            // rejection that nobody awaits would be reported as an error of the page.
            spawn_local(async move {
                let _ = JsFuture::from(reader.cancel()).await;
            });
        }
    }
}

async fn fetch_response(request: &web_sys::Request) -> Result<web_sys::Response, JsValue> {
    JsFuture::from(fetch(request)?).await?.dyn_into()
}

/// Whether anything at all answers at `url`, readable or not. No header and no key is sent.
pub(super) async fn answers(url: &str, exchange: &Exchange) -> Result<bool, Fault> {
    let signal = exchange.controller.as_ref().map(AbortController::signal);
    let request = RequestBuilder::new(url)
        .method(Method::GET)
        .mode(RequestMode::NoCors)
        .credentials(RequestCredentials::Omit)
        .referrer_policy(ReferrerPolicy::NoReferrer)
        .cache(RequestCache::NoStore)
        .abort_signal(signal.as_ref())
        .build();
    let Ok(request) = request else { return Ok(false) };
    let request = web_sys::Request::from(request);
    exchange.race(fetch_response(&request)).await.map(|response| response.is_ok())
}

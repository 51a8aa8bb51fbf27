//! What the page, worker or Node process offers, looked up without assuming that it is there: the same module runs in
//! private windows, old browsers and tests that take an interface away.

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::MessageChannel;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, milliseconds: i32) -> JsValue;
}

/// The value at a path of property names from `globalThis`; `None` where one of them is absent, null or refused.
pub(crate) fn member(path: &[&str]) -> Option<JsValue> {
    let mut value: JsValue = js_sys::global().into();
    for name in path {
        value = Reflect::get(&value, &JsValue::from_str(name)).ok()?;
        if value.is_null() || value.is_undefined() {
            return None;
        }
    }
    Some(value)
}

/// Waits. Background tabs may be woken late, never early.
pub(crate) async fn sleep(milliseconds: i32) {
    let timer = Promise::new(&mut |resolve, _| {
        set_timeout(&resolve, milliseconds);
    });
    // A promise that nobody rejects.
    let _ = JsFuture::from(timer).await;
}

/// Lets the host do what waits, drawing and input before all, and goes on in a task of its own: by `scheduler.yield`, which
/// gives us our turn before tasks that are less urgent; else by a message to ourselves, which no browser delays as it does timers.
pub(crate) async fn next_task() {
    if let (Some(scheduler), Some(yields)) = (member(&["scheduler"]), member(&["scheduler", "yield"]))
        && let Ok(promise) = yields.unchecked_into::<Function>().call0(&scheduler)
        && JsFuture::from(promise.unchecked_into::<Promise>()).await.is_ok()
    {
        return;
    }
    let Ok(channel) = MessageChannel::new() else { return sleep(0).await };
    let message = Promise::new(&mut |resolve, _| {
        channel.port1().set_onmessage(Some(&resolve));
        // Without a message the promise would never end.
        if channel.port2().post_message(&JsValue::NULL).is_err() {
            let _ = resolve.call0(&JsValue::NULL);
        }
    });
    let _ = JsFuture::from(message).await;
    // An open port keeps a Node process alive.
    channel.port1().close();
}

/// What a thrown value says: `Name: message` of an error, else its text.
pub(crate) fn words(thrown: &JsValue) -> String {
    let text = |name| Reflect::get(thrown, &JsValue::from_str(name)).ok().and_then(|value| value.as_string());
    match (text("name"), text("message")) {
        (Some(name), Some(message)) if !message.is_empty() => format!("{name}: {message}"),
        (Some(name), _) => name,
        _ => thrown.as_string().unwrap_or_else(|| "an error without words".to_owned()),
    }
}

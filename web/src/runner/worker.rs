//! The worker's end of the wire. `worker.js` loads the app's own module a second time; `main` finds that it is in a worker and comes here.

use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::desk::Desk;
use super::{Order, Told};

/// The worker that this code runs in; `None` in a page.
pub(crate) fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

/// Takes orders until the page lets the worker go.
pub(crate) fn main(scope: &DedicatedWorkerGlobalScope) {
    let there = scope.clone();
    let tell = move |told: Told| post(&there, &told);
    let broken = scope.clone();
    std::panic::set_hook(Box::new(move |info| {
        web_sys::console::error_1(&JsValue::from_str(&info.to_string()));
        post(&broken, &Told::Broken(info.to_string()));
    }));
    let desk = Desk::new(std::rc::Rc::new(tell));
    let there = scope.clone();
    let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let order = event.data().as_string().map(|text| serde_json::from_str::<Order>(&text));
        match order {
            Some(Ok(order)) => desk.take(order),
            // Both ends are one build; the text of an order may hold a key and is not repeated.
            _ => post(&there, &Told::Broken("an order could not be read".to_owned())),
        }
    });
    scope.set_onmessage(Some(heard.as_ref().unchecked_ref()));
    // It lives as long as the worker does.
    heard.forget();
    post(scope, &Told::Ready);
}

fn post(scope: &DedicatedWorkerGlobalScope, told: &Told) {
    // What is told is plain values; a message is refused only by a page that is gone.
    if let Ok(text) = serde_json::to_string(told) {
        let _ = scope.post_message(&JsValue::from_str(&text));
    }
}

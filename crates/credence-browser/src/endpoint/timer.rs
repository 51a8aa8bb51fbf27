//! Timers that are cleared when nobody waits for them any more, and waiting that a [`Cancel`] ends.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use credence::llm::{Cancel, ModelError};
use futures::channel::oneshot;
use futures::future::{Either, FutureExt, Shared, select};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    // A page's timer is a number, Node's an object: it is passed back as it came.
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &JsValue, milliseconds: f64) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// The longest delay that hosts keep, 24.8 days; a longer one would fire at once.
const LONGEST_MS: f64 = 2_147_483_647.0;

/// Resolves after a time; dropped earlier, its timer is cleared.
pub(super) struct Timer {
    timer: JsValue,
    fired: oneshot::Receiver<()>,
    _callback: Closure<dyn FnMut()>,
}

impl Timer {
    pub(super) fn new(milliseconds: f64) -> Self {
        let (sender, fired) = oneshot::channel();
        let mut sender = Some(sender);
        let callback = Closure::new(move || {
            if let Some(sender) = sender.take() {
                // Nobody listens when the timer was dropped at this very moment.
                let _ = sender.send(());
            }
        });
        let timer = set_timeout(callback.as_ref(), milliseconds.clamp(0.0, LONGEST_MS));
        Self { timer, fired, _callback: callback }
    }
}

impl Future for Timer {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        self.fired.poll_unpin(context).map(|_| ())
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(&self.timer);
    }
}

/// Resolves when a [`Cancel`] is cancelled. Cloning shares it.
pub(super) type Cancelled = Shared<oneshot::Receiver<()>>;

/// A future of the token's cancellation. The token must outlive it, or it resolves too early.
pub(super) fn cancelled(cancel: &Cancel) -> Cancelled {
    let (sender, receiver) = oneshot::channel();
    cancel.on_cancel(move || {
        // Nobody listens when the call has ended.
        let _ = sender.send(());
    });
    receiver.shared()
}

/// Waits, or fails with [`ModelError::Cancelled`] as soon as the token is cancelled.
pub(super) async fn sleep(milliseconds: u64, cancel: &Cancel) -> Result<(), ModelError> {
    match select(Timer::new(milliseconds as f64), cancelled(cancel)).await {
        Either::Left(_) => Ok(()),
        Either::Right(_) => Err(ModelError::Cancelled),
    }
}

//! Looking after a memory in one tab at a time: what reads all of it and changes much of it would otherwise be done twice. The lock goes with
//! the tab that holds it, however that ends.

use crate::state::{App, AppMemory, ToastKind};

/// Runs a job of upkeep, unless one of this memory is under way, here or in another tab: then that is said, nothing is done, and `None` comes.
pub(crate) async fn alone<T>(app: App, memory: &AppMemory, job: impl AsyncFnOnce() -> T) -> Option<T> {
    let done = quietly_alone(app, memory, job).await;
    if done.is_none() {
        let who = if app.tends() { "This tab" } else { "Another tab" };
        let words = format!(
            "{who} is looking after this memory at the moment, so nothing was done. Try again when it is through."
        );
        app.toast(ToastKind::Info, words);
    }
    done
}

/// The same for what nobody asked for: where another tab is at it, nothing needs to be said.
pub(crate) async fn quietly_alone<T>(
    app: App,
    memory: &AppMemory,
    job: impl AsyncFnOnce() -> T,
) -> Option<T> {
    let tabs = app.connections()?.tabs;
    let tending = async || {
        app.set_tends(true);
        let outcome = job().await;
        app.set_tends(false);
        outcome
    };
    tabs.if_free(&format!("look after {}", memory.context()), tending).await
}

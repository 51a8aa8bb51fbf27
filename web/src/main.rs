//! The Credence app: chat, memory, entities, activity and settings over one memory that lives in this browser.
//!
//! The core is the truth. `state` owns the one [`Memory`](credence::memory::Memory) and counters that its events raise;
//! `projection` reads rows out of it for the views; `actions` holds everything that waits; `boot` builds the ports. Scenarios and experiments are
//! played by `runner`, for which the same program is started a second time in a worker, and kept by `kept`.

#![expect(
    unreachable_pub,
    reason = "leptos' component macro writes `pub` whatever visibility a component has"
)]

mod actions;
mod boot;
mod browser;
mod components;
mod diff;
mod experiment;
mod format;
mod kept;
mod markdown;
mod pages;
mod ports;
mod preferences;
mod projection;
mod route;
mod run_memory;
mod runner;
mod runs;
mod shell;
mod simulation;
mod state;
mod vectors;

#[cfg(test)]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

fn main() {
    if let Some(scope) = runner::worker::scope() {
        return runner::worker::main(&scope);
    }
    browser::report_panics();
    leptos::mount::mount_to_body(shell::Shell);
}

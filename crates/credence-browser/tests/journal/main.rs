//! The journal, clock, ids and tabs in a real browser. One test program, so that it is built and started once.

#![cfg(target_arch = "wasm32")]
#![expect(clippy::unwrap_used, reason = "a test fails by what it unwraps")]

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);

mod contract;
mod damage;
mod faults;
mod health;
mod opening;
mod ports;
mod races;
mod support;
mod tabs;
mod versions;

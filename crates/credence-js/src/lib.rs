//! The JavaScript surface of Credence: one class, the ports that JavaScript plugs in, and the shapes that cross. No logic.
//!
//! It is the engine below the npm package, whose TypeScript face is what people call; the face owns the options, this
//! crate the shapes. TypeScript's types are generated from the Rust ones here, so the two cannot drift apart; only settings
//! that are JSON in the core's own form have theirs written out, and a test gives both sides one of each.
//! `memory` is the class; `ports` are journal, model and embedding as JavaScript gives them; `input` and `views` are
//! what comes in and what goes out; `argument` reads the former; `failure` is what is thrown.

mod argument;
mod failure;
mod input;
mod memory;
mod ports;
mod views;

use wasm_bindgen::prelude::*;

pub use memory::Memory;
pub use ports::{EmbeddingPort, JournalPort, ModelPort};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

/// Runs once when the module is instantiated: a panic, which is a defect of ours, says where it happened before the engine
/// stops.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        error(&format!("Credence stopped on a defect of its own: {panic}"))
    }));
}

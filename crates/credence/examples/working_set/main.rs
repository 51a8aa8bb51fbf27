//! `cargo run --profile bench -p credence --example working_set`: what the working set's settings are, as one JSON object.
//! `cargo xtask bench working-set` runs it and counts which of them a test proves live.

use credence::config::properties::{LATER, PROPERTIES};
use serde_json::json;

fn main() {
    let names: Vec<&str> = PROPERTIES.iter().map(|property| property.name).collect();
    println!("{}", json!({ "properties": names, "properties_later": LATER.len() }));
}

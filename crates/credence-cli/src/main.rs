//! Credence on the command line.
//!
//! `credence help` lists what it does.

fn main() {
    println!("credence {}", env!("CARGO_PKG_VERSION"));
}

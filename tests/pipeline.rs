//! The pipeline as a whole, on doubles: conversation in, memory out. Cases of public bug reports are named after what must hold.

mod pipeline {
    mod chat;
    mod history;
    mod model;
    mod rules;
    mod support;
}

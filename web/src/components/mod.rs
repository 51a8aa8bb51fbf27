//! Building blocks without knowledge of pages: signals in, callbacks out.

pub(crate) mod bars;
pub(crate) mod confidence;
pub(crate) mod confirm;
pub(crate) mod curve;
pub(crate) mod dialog;
pub(crate) mod diffed;
pub(crate) mod drop;
pub(crate) mod field;
pub(crate) mod graph;
pub(crate) mod icon;
pub(crate) mod quote;
pub(crate) mod search;
pub(crate) mod toasts;
pub(crate) mod unit;

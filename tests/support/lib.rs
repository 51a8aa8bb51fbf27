//! Helpers that the whole-system tests share.

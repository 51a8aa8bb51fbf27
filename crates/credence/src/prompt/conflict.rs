//! What the templates of a search for conflicts are given.

use serde::Serialize;

/// A unit to compare with.
#[derive(Debug, Clone, Serialize)]
pub struct UnitContext {
    /// From 1.
    pub number: usize,
    /// Its statement.
    pub text: String,
    /// Its level: a prior, nothing more.
    pub authority: &'static str,
}

/// A new statement.
#[derive(Debug, Clone, Serialize)]
pub struct ClaimContext {
    /// From 1.
    pub number: usize,
    /// The statement.
    pub text: String,
    /// The numbers of the units that it is to be compared with.
    pub units: Vec<usize>,
}

/// Context of `conflict/claims.jinja`.
#[derive(Debug, Clone, Serialize)]
pub struct ClaimsContext {
    /// In order.
    pub units: Vec<UnitContext>,
    /// In order.
    pub statements: Vec<ClaimContext>,
}

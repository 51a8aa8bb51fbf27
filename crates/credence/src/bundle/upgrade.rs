//! Older forms of the file, read for ever. A release that changes the form adds the way from its form to the next one here, and keeps a
//! file as that release wrote it among the tests.
//!
//! - Form 1: one memory, its `commits` and `uses` at the top, no vectors. Its checksum is the first half of SHA-256 over both lists as
//!   one list of two.

use super::read::{File, Members, checked};
use super::write::Checksum;
use super::{BundleError, BundledContext};
use crate::history::Contents;
use crate::id::ContextId;

/// The memory of a file of form 1.
pub(super) fn single<'a>(file: &File<'a>, top: &Members<'a>) -> Result<BundledContext, BundleError> {
    let context: ContextId = file.member(top, "context", "the bundle")?;
    let of = format!("“{context}”");
    let (commits, uses) = (file.raw(top, "commits", &of)?, file.raw(top, "uses", &of)?);
    let mut sum = Checksum::default();
    for token in ["[", commits.get(), ",", uses.get(), "]"] {
        sum.add_tokens(token.as_bytes());
    }
    let wanted: String = file.member(top, "checksum", &of)?;
    let mut found = sum.finish();
    found.truncate(32);
    if wanted != found {
        return Err(BundleError::Checksum { context: context.to_string(), wanted, found });
    }
    let commits = file.commits(commits, &of)?;
    let uses = file.uses(uses, &of)?;
    checked(context, Contents { commits, uses, ..Contents::default() })
}

//! Fresh identities from the browser's clock and its cryptographic randomness, behind the core's `Ids` port.

use credence::ports::Ids;
use js_sys::Date;
use uuid::{ContextV7, Timestamp, Uuid};

thread_local! {
    /// One counter for the whole page or worker, so that ids rise whichever [`BrowserIds`] gave them.
    static CONTEXT: ContextV7 = const { ContextV7::new() };
}

/// UUID version 7. Ids rise within a page: inside one millisecond a random 42-bit start counts up, and a clock that jumps
/// back is ignored until it has caught up. The other 32 bits are fresh from `crypto.getRandomValues` each time.
#[derive(Debug, Clone, Copy, Default)]
pub struct BrowserIds;

impl Ids for BrowserIds {
    fn next(&self) -> Uuid {
        let now = Date::now().max(0.0) as u64;
        let nanoseconds = (now % 1000) as u32 * 1_000_000;
        CONTEXT.with(|context| Uuid::new_v7(Timestamp::from_unix(context, now / 1000, nanoseconds)))
    }
}

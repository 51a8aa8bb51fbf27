//! The browser's clock behind the core's `Clock` port.

use credence::ports::Clock;
use credence::time::{Moment, Timestamp};
use js_sys::Date;

use crate::global;

/// The device's clock, with the offset of the person's time zone at this instant (summer time included).
#[derive(Debug, Clone, Copy, Default)]
pub struct BrowserClock;

impl Clock for BrowserClock {
    fn now(&self) -> Moment {
        let date = Date::new_0();
        // A date holds whole milliseconds up to 8.64e15 and its offset is below 24 hours: both casts are exact. JavaScript
        // counts minutes from local time to UTC, so its sign is the opposite of ours.
        Moment { at: Timestamp(date.get_time() as i64), offset_minutes: -(date.get_timezone_offset() as i32) }
    }

    /// A task of its own: a promise that is there already would be gone on with before the page is drawn.
    async fn pause(&self) {
        global::next_task().await;
    }

    /// By a timer, which a background tab may fire late.
    async fn wait_ms(&self, milliseconds: u32) {
        global::sleep(i32::try_from(milliseconds).unwrap_or(i32::MAX)).await;
    }
}

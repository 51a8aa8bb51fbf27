//! The clock and the ids.

use credence::ports::{Clock, Ids};
use credence_browser::{BrowserClock, BrowserIds};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::Replaced;

#[wasm_bindgen_test]
fn the_clock_is_the_devices_own() {
    let (before, moment, after) = (js_sys::Date::now(), BrowserClock.now(), js_sys::Date::now());
    assert!((before as i64..=after as i64).contains(&moment.at.0));
    let kathmandu = Replaced::new("Date.prototype", "getTimezoneOffset", "() => -345");
    assert_eq!(BrowserClock.now().offset_minutes, 345, "east of Greenwich is positive");
    drop(kathmandu);
    assert_eq!(moment.offset_minutes, -(js_sys::Date::new_0().get_timezone_offset() as i32));
}

#[wasm_bindgen_test]
fn ids_rise_within_a_millisecond_and_when_the_clock_jumps_back() {
    let mut ids = Vec::new();
    let frozen = Replaced::new("Date", "now", "(now => () => now)(real())");
    ids.extend((0..20_000).map(|_| BrowserIds.next()));
    drop(frozen);
    let back = Replaced::new("Date", "now", "() => real() - 30000");
    ids.extend((0..1_000).map(|_| BrowserIds.next()));
    drop(back);
    ids.extend((0..1_000).map(|_| BrowserIds.next()));
    assert!(ids.is_sorted_by(|a, b| a < b));
    assert!(ids.iter().all(|id| id.get_version_num() == 7));
}

#[wasm_bindgen_test]
fn ids_carry_their_time_and_fresh_randomness() {
    let id = BrowserIds.next();
    let (seconds, nanoseconds) = id.get_timestamp().unwrap().to_unix();
    let milliseconds = seconds as f64 * 1000.0 + f64::from(nanoseconds / 1_000_000);
    assert!((js_sys::Date::now() - milliseconds).abs() < 60_000.0);
    let tails: std::collections::BTreeSet<u32> = (0..1_000)
        .map(|_| u32::from_be_bytes(BrowserIds.next().as_bytes()[12..].try_into().unwrap()))
        .collect();
    assert!(tails.len() > 990, "32 random bits hardly ever meet in a thousand");
}

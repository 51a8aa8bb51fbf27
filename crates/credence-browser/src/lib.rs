//! Adapters between the Credence core and a browser.

mod clock;
pub mod endpoint;
mod global;
mod ids;
pub mod journal;
mod shelf;
mod tabs;

pub use clock::BrowserClock;
pub use ids::BrowserIds;
pub use shelf::{Kind, Note, Shelf};
pub use tabs::{Subscription, Tabs};

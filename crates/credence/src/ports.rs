//! Everything that the core asks of its host. The core itself has no clock, no randomness, no network and no storage: given
//! the same answers from these ports it writes the same bytes, natively and in wasm.

use uuid::Uuid;

use crate::embedding::Embedder;
use crate::history::Journal;
use crate::llm::ChatModel;
use crate::time::Moment;

/// The time. Read once per use case and passed down; long work looks at it to know when to pause.
#[expect(async_fn_in_trait, reason = "one thread; no caller needs a Send bound")]
pub trait Clock {
    /// The instant, and the offset that the person's clock shows.
    fn now(&self) -> Moment;
    /// Gives the thread back: returns after the host has done what waited, in a page drawing and input. Long work awaits it
    /// every few milliseconds. Default: at once, for hosts whose thread has nothing else to do.
    async fn pause(&self) {}
    /// Returns after so many milliseconds, before a failed call is made again. Default: at once, for hosts that cannot wait.
    async fn wait_ms(&self, milliseconds: u32) {
        let _ = milliseconds;
    }
}

/// Fresh identities: UUID version 7, rising within a process even inside one millisecond.
pub trait Ids {
    /// The next id.
    fn next(&self) -> Uuid;
}

/// The ports in one bundle, so that callers carry one type parameter.
pub trait Ports {
    /// Where commits are kept.
    type Journal: Journal;
    /// The language model, connected or not.
    type Chat: ChatModel;
    /// Text to vector.
    type Embed: Embedder;
    /// The time.
    type Clock: Clock;
    /// Identities.
    type Ids: Ids;
    /// Where commits are kept.
    fn journal(&self) -> &Self::Journal;
    /// The language model, connected or not.
    fn chat(&self) -> &Self::Chat;
    /// Text to vector.
    fn embedder(&self) -> &Self::Embed;
    /// The time.
    fn clock(&self) -> &Self::Clock;
    /// Identities.
    fn ids(&self) -> &Self::Ids;
}

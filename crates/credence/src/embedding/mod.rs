//! Text to vector: the embedder port and the static model that ships with the product.

mod static_model;
mod wordpiece;

pub use static_model::{ModelFileError, StaticModel};

use crate::llm::ModelError;

/// A vector model. All vectors of one `space` have one dimension, unit length (or all zero: "no opinion, use
/// lexical search alone"), and are comparable with each other and with no others.
#[expect(async_fn_in_trait, reason = "one thread; no caller needs a Send bound")]
pub trait Embedder {
    /// The name of the vector space, for example `credence-en-128`. It is stored beside every vector.
    fn space(&self) -> String;
    /// Components of each vector.
    fn dimension(&self) -> usize;
    /// Whether computing a vector again costs less than reading it back from a store (a local static model).
    /// Default: no.
    fn is_cheap(&self) -> bool {
        false
    }
    /// One vector per text, in order.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError>;
}

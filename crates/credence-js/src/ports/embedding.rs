//! The embedding port: the static model that ships with the package, from its bytes, or none.

use credence::embedding::{Embedder, StaticModel};
use credence::llm::ModelError;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;

/// Text to vector.
#[wasm_bindgen]
pub struct EmbeddingPort {
    pub(crate) embedder: JsEmbedder,
}

#[wasm_bindgen]
impl EmbeddingPort {
    /// No vectors: searches go by words alone.
    pub fn none() -> EmbeddingPort {
        EmbeddingPort { embedder: JsEmbedder::None }
    }

    /// A static model from the bytes of its file.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(bytes: Vec<u8>) -> Result<EmbeddingPort, JsValue> {
        let model = StaticModel::load(bytes).map_err(|error| Failure {
            code: "embedding-failed".into(),
            message: format!("the embedding model cannot be read: {error}"),
        })?;
        Ok(EmbeddingPort { embedder: JsEmbedder::Static(model) })
    }
}

/// Whichever vector model there is.
#[derive(Clone)]
pub(crate) enum JsEmbedder {
    None,
    Static(StaticModel),
}

impl Embedder for JsEmbedder {
    fn space(&self) -> String {
        match self {
            Self::None => "none".into(),
            Self::Static(model) => Embedder::space(model),
        }
    }
    fn dimension(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Static(model) => model.dimension(),
        }
    }
    fn is_cheap(&self) -> bool {
        match self {
            Self::None => true,
            Self::Static(model) => model.is_cheap(),
        }
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        match self {
            // No components: the core then searches by words.
            Self::None => Ok(vec![Vec::new(); texts.len()]),
            Self::Static(model) => Embedder::embed(model, texts).await,
        }
    }
}

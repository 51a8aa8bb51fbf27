//! The endpoint's embeddings as an [`Embedder`].

use credence::embedding::Embedder;
use credence::llm::wire::embeddings;
use credence::llm::{Cancel, ChatModel, ModelError, Role};

use super::Endpoint;

/// Vectors from the endpoint. The dimension is learned once, when it connects.
#[derive(Debug, Clone)]
pub struct RemoteEmbedder {
    endpoint: Endpoint,
    model: String,
    dimension: usize,
}

impl RemoteEmbedder {
    /// Asks for one vector, which shows that the endpoint has the model and how long its vectors are.
    ///
    /// # Errors
    /// [`ModelError::NotConnected`] when no model for vectors is chosen, else the classified failure.
    pub async fn connect(endpoint: Endpoint, cancel: &Cancel) -> Result<Self, ModelError> {
        let endpoint = endpoint.at(Role::Embed).clone();
        let model = endpoint.settings().model(Role::Embed).filter(|_| endpoint.is_connected(Role::Embed));
        let model = model.ok_or(ModelError::NotConnected)?.to_owned();
        let vectors = endpoint.vectors(&model, &["dimension".to_owned()], cancel).await?;
        let dimension = vectors.first().map_or(0, Vec::len);
        Ok(Self { endpoint, model, dimension })
    }
}

impl Endpoint {
    async fn vectors(
        &self,
        model: &str,
        texts: &[String],
        cancel: &Cancel,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let body = embeddings::body(model, texts);
        let answer = self.json(embeddings::PATH, Some(&body), model, cancel).await?;
        embeddings::decode(&answer, texts.len()).map_err(|detail| ModelError::Malformed { detail })
    }
}

impl Embedder for RemoteEmbedder {
    /// Endpoint, model and dimension: two servers may offer different models under one name.
    fn space(&self) -> String {
        format!("{}/{}/{}", self.endpoint.resolved.base, self.model, self.dimension)
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let cancel = Cancel::new();
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(embeddings::BATCH) {
            let part = self.endpoint.vectors(&self.model, batch, &cancel).await?;
            if let Some(odd) = part.iter().find(|vector| vector.len() != self.dimension) {
                let detail = format!(
                    "the model `{}` sent vectors of {} components instead of {}; connect it again",
                    self.model,
                    odd.len(),
                    self.dimension
                );
                return Err(ModelError::Malformed { detail });
            }
            vectors.extend(part);
        }
        Ok(vectors)
    }
}

//! This app's ports: the browser's journal, an endpoint that can be changed while the memory is open, and vectors from the
//! file that ships with the app or from the endpoint.

use std::cell::RefCell;
use std::rc::Rc;

use credence::embedding::{Embedder, StaticModel};
use credence::llm::{Cancel, ChatModel, ChatReply, ChatRequest, ModelError, Role};
use credence::ports::Ports;
use credence_browser::endpoint::{Endpoint, KeyStore, RemoteEmbedder};
use credence_browser::journal::BrowserJournal;
use credence_browser::{BrowserClock, BrowserIds, Tabs};

/// The vector space of the file that ships with the app.
const BUILT_IN_SPACE: &str = "credence-en-128";
/// Its components.
const BUILT_IN_DIMENSION: usize = 128;

/// A model that can be exchanged between two calls. A call that has begun ends with the one that it began with.
#[derive(Clone, Default)]
pub(crate) struct SwitchableChat {
    endpoint: Rc<RefCell<Option<Endpoint>>>,
}

impl SwitchableChat {
    /// From now on this one; `None`: none.
    pub(crate) fn connect(&self, endpoint: Option<Endpoint>) {
        *self.endpoint.borrow_mut() = endpoint;
    }
    /// The one in use.
    pub(crate) fn endpoint(&self) -> Option<Endpoint> {
        self.endpoint.borrow().clone()
    }
}

impl ChatModel for SwitchableChat {
    fn is_connected(&self, role: Role) -> bool {
        self.endpoint.borrow().as_ref().is_some_and(|endpoint| endpoint.is_connected(role))
    }
    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        let endpoint = self.endpoint().ok_or(ModelError::NotConnected)?;
        endpoint.complete(role, request, on_text, cancel).await
    }
    async fn first_tokens(
        &self,
        role: Role,
        words: &[String],
    ) -> Result<std::collections::BTreeMap<String, u32>, String> {
        let endpoint = self.endpoint().ok_or_else(|| ModelError::NotConnected.to_string())?;
        endpoint.first_tokens(role, words).await
    }
}

/// Where vectors come from.
#[derive(Clone, Default)]
enum Vectors {
    /// The file is not here (yet): words alone are compared.
    #[default]
    None,
    BuiltIn(StaticModel),
    Remote(RemoteEmbedder),
}

/// An embedder that begins without vectors and gets them when its file has come.
#[derive(Clone, Default)]
pub(crate) struct SwitchableEmbedder {
    vectors: Rc<RefCell<Vectors>>,
}

impl SwitchableEmbedder {
    /// Uses the file that ships with the app.
    pub(crate) fn use_file(&self, model: StaticModel) {
        *self.vectors.borrow_mut() = Vectors::BuiltIn(model);
    }
    /// Uses the endpoint. Its space is another one: the memory has to be opened anew.
    pub(crate) fn use_endpoint(&self, remote: RemoteEmbedder) {
        *self.vectors.borrow_mut() = Vectors::Remote(remote);
    }
    /// Forgets what was used.
    pub(crate) fn reset(&self) {
        *self.vectors.borrow_mut() = Vectors::None;
    }
    fn current(&self) -> Vectors {
        self.vectors.borrow().clone()
    }
}

impl Embedder for SwitchableEmbedder {
    fn space(&self) -> String {
        match self.current() {
            Vectors::None => BUILT_IN_SPACE.to_owned(),
            Vectors::BuiltIn(model) => model.space(),
            Vectors::Remote(remote) => remote.space(),
        }
    }
    fn dimension(&self) -> usize {
        match self.current() {
            Vectors::None => BUILT_IN_DIMENSION,
            Vectors::BuiltIn(model) => model.dimension(),
            Vectors::Remote(remote) => remote.dimension(),
        }
    }
    fn is_cheap(&self) -> bool {
        match self.current() {
            Vectors::None => true,
            Vectors::BuiltIn(model) => model.is_cheap(),
            Vectors::Remote(remote) => remote.is_cheap(),
        }
    }
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        match self.current() {
            Vectors::None => Err(ModelError::NotConnected),
            Vectors::BuiltIn(model) => Embedder::embed(&model, texts).await,
            Vectors::Remote(remote) => remote.embed(texts).await,
        }
    }
}

/// What the ports are made of. Clones share it.
#[derive(Clone)]
pub(crate) struct Connections {
    /// The store.
    pub journal: BrowserJournal,
    /// The keys of endpoints.
    pub keys: KeyStore,
    /// The language model.
    pub chat: SwitchableChat,
    /// Text to vector.
    pub embedder: SwitchableEmbedder,
    /// The other tabs.
    pub tabs: Tabs,
}

/// The ports of one memory.
pub(crate) struct AppPorts {
    connections: Connections,
    clock: BrowserClock,
    ids: BrowserIds,
}

impl AppPorts {
    /// Over these connections.
    pub(crate) fn new(connections: Connections) -> Self {
        Self { connections, clock: BrowserClock, ids: BrowserIds }
    }
}

impl Ports for AppPorts {
    type Journal = BrowserJournal;
    type Chat = SwitchableChat;
    type Embed = SwitchableEmbedder;
    type Clock = BrowserClock;
    type Ids = BrowserIds;
    fn journal(&self) -> &BrowserJournal {
        &self.connections.journal
    }
    fn chat(&self) -> &SwitchableChat {
        &self.connections.chat
    }
    fn embedder(&self) -> &SwitchableEmbedder {
        &self.connections.embedder
    }
    fn clock(&self) -> &BrowserClock {
        &self.clock
    }
    fn ids(&self) -> &BrowserIds {
        &self.ids
    }
}

//! A model that says what a test tells it to (feature `testing`).

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use super::{Cancel, ChatModel, ChatReply, ChatRequest, Finish, ModelError, Role, Usage};

type Answer = Result<(String, Finish), ModelError>;
type Responder = Rc<dyn Fn(Role, &ChatRequest) -> Result<String, ModelError>>;

/// A scripted model. Cloning shares script and record.
///
/// A call takes the next entry of its role's queue, else asks the responder, else fails with
/// [`ModelError::Refused`] naming the role: a test sees a call that it did not expect.
#[derive(Clone, Default)]
pub struct ScriptedModel {
    script: Rc<RefCell<BTreeMap<Role, VecDeque<Answer>>>>,
    responder: Rc<RefCell<Option<Responder>>>,
    requests: Rc<RefCell<Vec<(Role, ChatRequest)>>>,
    /// Characters per streamed piece; 0 streams the answer whole.
    chunk: Rc<Cell<usize>>,
    offline: Rc<Cell<bool>>,
    /// The words that it tells tokens of; `None`: it does not tell them.
    tokens: Rc<RefCell<Option<BTreeMap<String, u32>>>>,
    /// Calls that are answered; later ones never are.
    hangs_after: Rc<Cell<Option<usize>>>,
}

impl ScriptedModel {
    /// A model that has nothing to say yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// Appends an answer to the queue of `role`.
    pub fn reply(self, role: Role, text: impl Into<String>) -> Self {
        self.finish(role, text, Finish::Stop)
    }
    /// Appends an answer that ends for the given reason.
    pub fn finish(self, role: Role, text: impl Into<String>, finish: Finish) -> Self {
        self.push(role, Ok((text.into(), finish)));
        self
    }
    /// Appends a failure.
    pub fn error(self, role: Role, error: ModelError) -> Self {
        self.push(role, Err(error));
        self
    }
    /// Appends an answer while the model is in use.
    pub fn then_reply(&self, role: Role, text: impl Into<String>) {
        self.push(role, Ok((text.into(), Finish::Stop)));
    }
    /// Appends a failure while the model is in use.
    pub fn then_error(&self, role: Role, error: ModelError) {
        self.push(role, Err(error));
    }
    /// Answers calls for which nothing is queued.
    pub fn respond_with(
        self,
        responder: impl Fn(Role, &ChatRequest) -> Result<String, ModelError> + 'static,
    ) -> Self {
        *self.responder.borrow_mut() = Some(Rc::new(responder));
        self
    }
    /// Tells the tokens of these words.
    pub fn telling_tokens(self, tokens: impl IntoIterator<Item = (&'static str, u32)>) -> Self {
        let tokens = tokens.into_iter().map(|(word, token)| (word.to_owned(), token)).collect();
        *self.tokens.borrow_mut() = Some(tokens);
        self
    }
    /// Streams answers in pieces of `characters`.
    pub fn chunked(self, characters: usize) -> Self {
        self.chunk.set(characters);
        self
    }
    /// Makes the model say that it is not connected, or connects it again.
    pub fn set_offline(&self, offline: bool) {
        self.offline.set(offline);
    }
    /// Lets every call after the `calls`-th wait for ever, as when a tab is closed in the middle of one; `None` ends that.
    pub fn hang_after(&self, calls: Option<usize>) {
        self.hangs_after.set(calls);
    }
    /// Every call so far, in order.
    pub fn requests(&self) -> Vec<(Role, ChatRequest)> {
        self.requests.borrow().clone()
    }
    /// How many calls were made for `role`.
    pub fn calls(&self, role: Role) -> usize {
        self.requests.borrow().iter().filter(|(made, _)| *made == role).count()
    }
    fn push(&self, role: Role, answer: Answer) {
        self.script.borrow_mut().entry(role).or_default().push_back(answer);
    }
    fn next(&self, role: Role, request: &ChatRequest) -> Answer {
        if let Some(answer) = self.script.borrow_mut().get_mut(&role).and_then(VecDeque::pop_front) {
            return answer;
        }
        let responder = self.responder.borrow().clone();
        match responder {
            Some(responder) => responder(role, request).map(|text| (text, Finish::Stop)),
            None => Err(ModelError::Refused {
                status: 0,
                detail: format!("the script has no further answer for the role {}", role.as_str()),
            }),
        }
    }
}

impl ChatModel for ScriptedModel {
    fn is_connected(&self, _role: Role) -> bool {
        !self.offline.get()
    }

    async fn complete(
        &self,
        role: Role,
        request: &ChatRequest,
        on_text: &mut dyn FnMut(&str),
        cancel: &Cancel,
    ) -> Result<ChatReply, ModelError> {
        if self.offline.get() {
            return Err(ModelError::NotConnected);
        }
        if cancel.is_cancelled() {
            return Err(ModelError::Cancelled);
        }
        self.requests.borrow_mut().push((role, request.clone()));
        if self.hangs_after.get().is_some_and(|calls| self.requests.borrow().len() > calls) {
            std::future::pending::<()>().await;
        }
        let (text, finish) = self.next(role, request)?;
        let size = if self.chunk.get() == 0 { usize::MAX } else { self.chunk.get() };
        let mut reply = ChatReply { finish, model: "scripted".to_owned(), ..ChatReply::default() };
        let characters: Vec<char> = text.chars().collect();
        for piece in characters.chunks(size) {
            if cancel.is_cancelled() {
                reply.finish = Finish::Cancelled;
                break;
            }
            let piece: String = piece.iter().collect();
            reply.text.push_str(&piece);
            on_text(&piece);
        }
        let words = |text: &str| u32::try_from(text.split_whitespace().count()).unwrap_or(u32::MAX);
        reply.usage = Some(Usage {
            prompt_tokens: request.messages.iter().map(|message| words(&message.text)).sum(),
            completion_tokens: words(&reply.text),
        });
        Ok(reply)
    }

    async fn first_tokens(&self, _role: Role, words: &[String]) -> Result<BTreeMap<String, u32>, String> {
        let tokens = self.tokens.borrow();
        let known = tokens.as_ref().ok_or("this endpoint does not tell its tokens")?;
        Ok(words.iter().filter_map(|word| Some((word.clone(), *known.get(word)?))).collect())
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;

    use super::super::Message;
    use super::*;

    fn ask(
        model: &ScriptedModel,
        role: Role,
        cancel: &Cancel,
        stop_after: usize,
    ) -> Result<ChatReply, ModelError> {
        let request = ChatRequest { messages: vec![Message::user("hello there")], ..Default::default() };
        let mut pieces = 0;
        let mut streamed = String::new();
        let mut sink = |text: &str| {
            streamed.push_str(text);
            pieces += 1;
            if pieces == stop_after {
                cancel.cancel();
            }
        };
        let reply = block_on(model.complete(role, &request, &mut sink, cancel))?;
        assert_eq!(streamed, reply.text);
        Ok(reply)
    }

    #[test]
    fn queues_are_per_role_and_everything_is_recorded() {
        let model = ScriptedModel::new()
            .reply(Role::Chat, "one")
            .error(Role::Chat, ModelError::NotConnected)
            .reply(Role::Judge, "two");
        let cancel = Cancel::new();
        assert_eq!(ask(&model, Role::Judge, &cancel, 0).unwrap().text, "two");
        assert_eq!(ask(&model, Role::Chat, &cancel, 0).unwrap().text, "one");
        assert_eq!(ask(&model, Role::Chat, &cancel, 0), Err(ModelError::NotConnected));
        let unexpected = ask(&model, Role::Chat, &cancel, 0).unwrap_err().to_string();
        assert!(unexpected.contains("role chat"), "{unexpected}");
        assert_eq!((model.requests().len(), model.calls(Role::Chat)), (4, 3));
    }

    #[test]
    fn streams_in_pieces_and_stops_when_cancelled() {
        let model = ScriptedModel::new().reply(Role::Chat, "北京🌍ab").chunked(2);
        let cancel = Cancel::new();
        let reply = ask(&model, Role::Chat, &cancel, 2).unwrap();
        assert_eq!((reply.text.as_str(), reply.finish), ("北京🌍a", Finish::Cancelled));
        assert_eq!(ask(&model, Role::Chat, &cancel, 0), Err(ModelError::Cancelled));
    }

    #[test]
    fn a_responder_answers_by_the_request() {
        let model = ScriptedModel::new()
            .respond_with(|role, request| Ok(format!("{}: {}", role.as_str(), request.messages[0].text)));
        assert_eq!(ask(&model, Role::Resolve, &Cancel::new(), 0).unwrap().text, "resolve: hello there");
        model.set_offline(true);
        assert!(!model.is_connected(Role::Chat));
        assert_eq!(ask(&model, Role::Resolve, &Cancel::new(), 0), Err(ModelError::NotConnected));
    }
}

//! What the pipeline tests share.

use std::future::Future;

use credence::Memory;
use credence::config::Config;
use credence::conversation::Speaker;
use credence::extraction::Trigger;
use credence::id::{ContextId, ConversationId};
use credence::llm::{Cancel, Role, scripted::ScriptedModel};
use credence::proposition::{PropositionQuery, Status};
use credence::testing::TestPorts;

pub(super) type TestMemory = Memory<TestPorts>;

pub(super) fn run<T>(future: impl Future<Output = T>) -> T {
    futures::executor::block_on(future)
}

pub(super) fn context() -> ContextId {
    ContextId::new("test").unwrap()
}

pub(super) async fn open(ports: TestPorts) -> TestMemory {
    Memory::open(ports, context(), Config::default()).await.unwrap()
}

pub(super) async fn offline() -> TestMemory {
    open(TestPorts::offline()).await
}

/// A model that answers extraction calls with these JSON texts, in order.
pub(super) async fn scripted(extractions: &[&str]) -> TestMemory {
    let model =
        extractions.iter().fold(ScriptedModel::new(), |model, reply| model.reply(Role::Extract, *reply));
    open(TestPorts::with(model)).await
}

pub(super) async fn user_says(memory: &TestMemory, conversation: ConversationId, text: &str) {
    memory.say(conversation, Speaker::User, text).await.unwrap();
}

pub(super) async fn analyse(memory: &TestMemory, conversation: ConversationId) {
    memory.analyse(conversation, Trigger::Now, &Cancel::new(), &mut |_| {}).await.unwrap();
}

/// Says each text in a conversation of its own and analyses it.
pub(super) async fn tell(memory: &TestMemory, texts: &[&str]) {
    for text in texts {
        let conversation = memory.start_conversation("").await.unwrap();
        user_says(memory, conversation, text).await;
        analyse(memory, conversation).await;
    }
}

/// Texts by status, in order of creation.
pub(super) fn texts(memory: &TestMemory, status: Status) -> Vec<String> {
    let query = PropositionQuery { statuses: [status].into(), ..PropositionQuery::default() };
    memory.propositions(&query).into_iter().map(|view| view.proposition.text).collect()
}

pub(super) fn live(memory: &TestMemory) -> Vec<String> {
    texts(memory, Status::Active)
}

//! A JSON answer from a model: one call, a lenient reading, and at most one further call that shows the model its
//! answer and the complaint.

use serde_json::Value;

use super::lenient::{self, Wanted};
use super::{Cancel, ChatModel, ChatReply, ChatRequest, Finish, Message, ModelError, Role, Usage, prompts};

/// A usable answer and what it cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed<T> {
    /// What the caller made of the JSON.
    pub value: T,
    /// Costs and remarks of the calls.
    pub account: Account,
}

/// Costs and remarks of one or two calls.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Account {
    /// Calls made: 1, or 2 with the repair call.
    pub calls: u32,
    /// Tokens over all calls, where the server counted them.
    pub usage: Option<Usage>,
    /// The model that answered last, as the server names it.
    pub model: String,
    /// What the reading mended, in words.
    pub repairs: Vec<String>,
    /// What the adapter changed or noticed, each remark once.
    pub notes: Vec<String>,
    /// The accepted answer ended too early: elements are missing at its end.
    pub is_cut: bool,
}

/// Why no usable answer came.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadFailure {
    /// A call failed.
    #[error("{error}")]
    Model {
        /// The failure.
        error: ModelError,
        /// What the first answer lacked, when it was the repair call that failed.
        complaint: Option<String>,
        /// Costs and remarks so far.
        account: Box<Account>,
    },
    /// Both answers were unusable.
    #[error("the model's answer could not be used, nor could its correction: {complaint}")]
    Unusable {
        /// What the last answer lacked.
        complaint: String,
        /// The last answer, for a person to look at; model text, never to be shown as HTML.
        answer: String,
        /// Costs and remarks of both calls.
        account: Box<Account>,
    },
    /// The provider withheld the answer; asking again would not change that.
    #[error("the provider withheld the answer")]
    Withheld {
        /// Costs and remarks so far.
        account: Box<Account>,
    },
}

impl ReadFailure {
    /// Costs and remarks of the calls that were made.
    pub fn account(&self) -> &Account {
        match self {
            Self::Model { account, .. } | Self::Unusable { account, .. } | Self::Withheld { account } => {
                account
            }
        }
    }

    /// A stable word for journals, tests and the JS surface.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Model { error, .. } => error.code(),
            Self::Unusable { .. } => "model-unusable",
            Self::Withheld { .. } => "model-withheld",
        }
    }

    /// Whether the same call may succeed later without a person's help.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Model { error, .. } => error.is_retryable(),
            Self::Unusable { .. } => true,
            Self::Withheld { .. } => false,
        }
    }
}

/// Asks for JSON and reads it. What is looked for follows from the request's schema; `wanted` turns the value
/// into what the caller needs, or says in words for the model what is wrong with it.
///
/// # Errors
/// When a call fails, when both answers are unusable, or when the provider withholds the answer.
pub async fn complete_json<M: ChatModel, T>(
    model: &M,
    role: Role,
    request: &ChatRequest,
    wanted: impl Fn(Value) -> Result<T, String>,
    cancel: &Cancel,
) -> Result<Parsed<T>, ReadFailure> {
    let shape = request.schema.as_ref().map(Wanted::by_schema).unwrap_or_default();
    let mut account = Account::default();

    let answer = call(model, role, request, cancel, None, &mut account).await?;
    let complaint = match accept(&answer, &shape, &wanted, &mut account) {
        Ok(value) => return Ok(Parsed { value, account }),
        Err(complaint) => complaint,
    };

    let mut again = request.clone();
    if !answer.text.trim().is_empty() {
        again.messages.push(Message::assistant(shortened(&answer.text)));
    }
    again.messages.push(Message::user(prompts::repair_request(&complaint, request.schema.as_ref())));
    let answer = call(model, role, &again, cancel, Some(&complaint), &mut account).await?;
    match accept(&answer, &shape, &wanted, &mut account) {
        Ok(value) => Ok(Parsed { value, account }),
        Err(complaint) => {
            Err(ReadFailure::Unusable { complaint, answer: answer.text, account: Box::new(account) })
        }
    }
}

/// Most characters of a failed answer that the repair call shows: a runaway answer must not overflow the model's window.
const SHOWN_CHARS: usize = 4_000;

fn shortened(answer: &str) -> String {
    match answer.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{} …", &answer[..end]),
        None => answer.to_owned(),
    }
}

async fn call<M: ChatModel>(
    model: &M,
    role: Role,
    request: &ChatRequest,
    cancel: &Cancel,
    complaint: Option<&str>,
    account: &mut Account,
) -> Result<ChatReply, ReadFailure> {
    account.calls += 1;
    let reply = model.complete(role, request, &mut |_| {}, cancel).await;
    let failed = |error: ModelError, account: &Account| ReadFailure::Model {
        error,
        complaint: complaint.map(str::to_owned),
        account: Box::new(account.clone()),
    };
    let reply = reply.map_err(|error| failed(error, account))?;
    if let Some(usage) = reply.usage {
        let total = account.usage.get_or_insert_with(Usage::default);
        total.prompt_tokens = total.prompt_tokens.saturating_add(usage.prompt_tokens);
        total.completion_tokens = total.completion_tokens.saturating_add(usage.completion_tokens);
    }
    account.model.clone_from(&reply.model);
    for note in &reply.notes {
        if !account.notes.contains(note) {
            account.notes.push(note.clone());
        }
    }
    match reply.finish {
        // Part of a JSON answer that nobody waits for any more is no answer.
        Finish::Cancelled => Err(failed(ModelError::Cancelled, account)),
        Finish::Filtered if reply.text.trim().is_empty() => {
            Err(ReadFailure::Withheld { account: Box::new(account.clone()) })
        }
        _ => Ok(reply),
    }
}

fn accept<T>(
    answer: &ChatReply,
    shape: &Wanted,
    wanted: impl Fn(Value) -> Result<T, String>,
    account: &mut Account,
) -> Result<T, String> {
    let read = lenient::read(&answer.text, shape).map_err(|unreadable| {
        let mut complaint = unreadable.to_string();
        if answer.finish == Finish::Length {
            complaint.push_str("; it ran into its token limit, so be brief");
        }
        complaint
    })?;
    let value = wanted(read.value)?;
    account.is_cut = read.is_cut;
    account.repairs = read.repairs;
    Ok(value)
}

#[cfg(all(test, feature = "testing"))]
mod tests {
    use futures::executor::block_on;
    use serde_json::json;

    use super::super::ReplySchema;
    use super::super::scripted::ScriptedModel;
    use super::*;

    fn request() -> ChatRequest {
        ChatRequest {
            messages: vec![Message::user("Extract.")],
            schema: Some(ReplySchema {
                name: "facts".into(),
                schema: json!({"type": "object", "properties": {"facts": {"type": "array"}}}),
            }),
            ..Default::default()
        }
    }
    fn run(model: &ScriptedModel) -> Result<Parsed<usize>, ReadFailure> {
        let count = |value: Value| {
            let facts = value["facts"].as_array().ok_or("`facts` is not a list")?;
            if facts.iter().any(|fact| fact.get("text").is_none()) {
                return Err("a fact has no `text`".to_owned());
            }
            Ok(facts.len())
        };
        block_on(complete_json(model, Role::Extract, &request(), count, &Cancel::new()))
    }

    #[test]
    fn one_call_is_enough_for_a_readable_answer() {
        let model = ScriptedModel::new().reply(Role::Extract, "Sure: {'facts':[{'text':'a'},]}");
        let parsed = run(&model).unwrap();
        assert_eq!((parsed.value, parsed.account.calls), (1, 1));
        assert!(!parsed.account.repairs.is_empty() && !parsed.account.is_cut);
        assert_eq!(model.requests().len(), 1);
    }

    #[test]
    fn an_unusable_answer_is_shown_to_the_model_once() {
        let model = ScriptedModel::new()
            .reply(Role::Extract, "{\"facts\":[{\"txt\":\"a\"}]}")
            .reply(Role::Extract, "{\"facts\":[{\"text\":\"a\"},{\"text\":\"b\"}]}");
        let parsed = run(&model).unwrap();
        assert_eq!((parsed.value, parsed.account.calls), (2, 2));
        assert_eq!(parsed.account.repairs, [""; 0]);
        assert!(parsed.account.usage.unwrap().completion_tokens > 0);
        let requests = model.requests();
        let second = &requests[1].1.messages;
        assert_eq!(second[1], Message::assistant("{\"facts\":[{\"txt\":\"a\"}]}"));
        assert!(second[2].text.contains("a fact has no `text`") && second[2].text.contains("\"facts\""));
    }

    #[test]
    fn there_is_no_third_call() {
        let model = ScriptedModel::new()
            .reply(Role::Extract, "I would rather not.")
            .reply(Role::Extract, "Still not.")
            .reply(Role::Extract, "{\"facts\":[]}");
        let failure = run(&model).unwrap_err();
        assert_eq!((failure.code(), failure.account().calls), ("model-unusable", 2));
        assert!(failure.to_string().contains("no JSON") && failure.is_retryable());
        assert_eq!(model.requests().len(), 2);
    }

    #[test]
    fn a_failed_repair_call_keeps_the_first_complaint() {
        let error = ModelError::Server { status: 503, detail: "busy".into() };
        let model = ScriptedModel::new().reply(Role::Extract, "no").error(Role::Extract, error.clone());
        match run(&model).unwrap_err() {
            ReadFailure::Model { error: got, complaint: Some(complaint), account } => {
                assert_eq!((got, account.calls), (error, 2));
                assert!(complaint.contains("no JSON"), "{complaint}");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_cut_answer_is_accepted_and_marked() {
        let model = ScriptedModel::new().finish(
            Role::Extract,
            "{\"facts\":[{\"text\":\"a\"},{\"text\":\"b",
            Finish::Length,
        );
        let parsed = run(&model).unwrap();
        assert_eq!((parsed.value, parsed.account.calls, parsed.account.is_cut), (1, 1, true));
    }

    #[test]
    fn withheld_and_cancelled_answers_are_not_asked_for_again() {
        let model = ScriptedModel::new().finish(Role::Extract, "", Finish::Filtered);
        assert_eq!(run(&model).unwrap_err().code(), "model-withheld");
        let model = ScriptedModel::new().finish(Role::Extract, "{\"facts\":[]}", Finish::Cancelled);
        assert_eq!(run(&model).unwrap_err().code(), "model-cancelled");
        assert_eq!(model.requests().len(), 1);
    }
}

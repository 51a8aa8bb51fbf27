//! Conversations and documents: opening, saying, answering, taking in, analysing, what waits and what it will cost.

use credence::event::{Event, Subscription};
use credence::id::ConversationId;
use credence::ingest::Trigger;
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::{Answered, Core, Memory, call, cancel_by, decided, list, telling};
use crate::argument;
use crate::failure::Failure;
use crate::input::{AnalyseSettings, ConversationOptions, DocumentOptions, Utterance, When};
use crate::views::{self, to_js};

/// Tells a listener of the phases of one conversation's answer, until it is dropped.
pub(super) fn telling_phases(
    core: &Core,
    conversation: ConversationId,
    listener: Option<Function>,
) -> Option<Subscription> {
    let listener = listener?;
    Some(core.subscribe(move |event| {
        if let Event::Enforcement { conversation: whose, phase } = event
            && *whose == conversation
            && let Ok(phase) = to_js(&views::EnforcementPhase::from(phase))
        {
            call(Some(&listener), &phase);
        }
    }))
}

/// Which answer is wanted.
enum Answering {
    /// One to the last turn.
    Last,
    /// The last one anew.
    Again,
}

impl Memory {
    async fn answering(
        &self,
        conversation: JsValue,
        on_text: Option<Function>,
        on_phase: Option<Function>,
        signal: Option<AbortSignal>,
        which: Answering,
    ) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        let cancel = cancel_by(signal.as_ref());
        let mut sink = |piece: &str| call(on_text.as_ref(), &piece.into());
        let core = self.current().await?;
        let _telling = telling_phases(&core, conversation, on_phase);
        decided::<views::Answer, _>(match which {
            Answering::Last => core.answer(conversation, &mut sink, &cancel).await,
            Answering::Again => core.regenerate(conversation, &mut sink, &cancel).await,
        })
    }
}

#[wasm_bindgen]
impl Memory {
    /// Opens a conversation. `options` is a `ConversationOptions`.
    #[wasm_bindgen(js_name = startConversation, unchecked_return_type = "Conversation")]
    pub async fn start_conversation(&self, options: JsValue) -> Answered {
        let options: ConversationOptions = argument::read("options", &options)?;
        let core = self.current().await?;
        let id = core
            .start_conversation(options.title.as_deref().unwrap_or_default())
            .await
            .map_err(Failure::from)?;
        core.set_conversation_mode(id, options.mode).await.map_err(Failure::from)?;
        let state = core.state();
        let conversation = state
            .conversation(id)
            .ok_or_else(|| Failure::from(credence::Error::NotFound { record: id.to_string() }))?;
        Ok(to_js(&views::Conversation::from(conversation))?)
    }

    /// Conversations, as they were opened.
    #[wasm_bindgen(unchecked_return_type = "Conversation[]")]
    pub async fn conversations(&self) -> Answered {
        let core = self.current().await?;
        let state = core.state();
        list(state.conversations().map(views::Conversation::from))
    }

    /// The turns of a conversation, in order.
    #[wasm_bindgen(unchecked_return_type = "Turn[]")]
    pub async fn turns(&self, conversation: JsValue) -> Answered {
        let id: ConversationId = argument::id("conversation", &conversation)?;
        let core = self.current().await?;
        let state = core.state();
        if state.conversation(id).is_none() {
            return Err(Failure::from(credence::Error::NotFound { record: id.to_string() }).into());
        }
        list(state.turns(id).map(|turn| views::Turn::from(turn.clone())))
    }

    /// Keeps what somebody said. `utterance` is an `Utterance`.
    #[wasm_bindgen(unchecked_return_type = "Turn")]
    pub async fn say(&self, utterance: JsValue) -> Answered {
        let Utterance { conversation, speaker, text } = argument::read("utterance", &utterance)?;
        let conversation = argument::id("utterance.conversation", &conversation.into())?;
        let turn = self.current().await?.say(conversation, speaker.0, &text).await.map_err(Failure::from)?;
        Ok(to_js(&views::Turn::from(turn))?)
    }

    /// Answers a conversation's last turn; `on_text` is called with each piece of the answer, `on_phase` when a draft is checked
    /// or put aside.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub async fn answer(
        &self,
        conversation: JsValue,
        on_text: Option<Function>,
        on_phase: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        self.answering(conversation, on_text, on_phase, signal, Answering::Last).await
    }

    /// Takes a conversation's last answer back and answers again.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub async fn regenerate(
        &self,
        conversation: JsValue,
        on_text: Option<Function>,
        on_phase: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        self.answering(conversation, on_text, on_phase, signal, Answering::Again).await
    }

    /// Turns what was said into propositions. `settings` is an `AnalyseSettings`.
    #[wasm_bindgen(unchecked_return_type = "AnalysisReport[]")]
    pub async fn analyse(
        &self,
        conversation: JsValue,
        settings: JsValue,
        on_progress: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        let settings: AnalyseSettings = argument::read("options", &settings)?;
        let trigger = match settings.when {
            When::Now => Trigger::Now,
            When::Due => Trigger::WhenDue,
        };
        let cancel = cancel_by(signal.as_ref());
        let mut tell = telling::<_, views::Progress>(on_progress);
        let core = self.current().await?;
        let reports = core.analyse(conversation, trigger, &cancel, &mut tell).await.map_err(Failure::from)?;
        list(reports.iter().map(|report| views::AnalysisReport::from(&**report)))
    }

    /// Tries again what failed by itself, and nothing else.
    #[wasm_bindgen(js_name = retryFailed, unchecked_return_type = "AnalysisReport[]")]
    pub async fn retry_failed(
        &self,
        conversation: JsValue,
        on_progress: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        let cancel = cancel_by(signal.as_ref());
        let mut tell = telling::<_, views::Progress>(on_progress);
        let core = self.current().await?;
        let reports = core.retry_failed(conversation, &cancel, &mut tell).await.map_err(Failure::from)?;
        list(reports.iter().map(|report| views::AnalysisReport::from(&**report)))
    }

    /// What of a conversation waits to be analysed.
    #[wasm_bindgen(unchecked_return_type = "Pending")]
    pub async fn pending(&self, conversation: JsValue) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        Ok(to_js(&views::Pending::from(self.current().await?.pending(conversation)))?)
    }

    /// Every conversation and document that waits, oldest first.
    #[wasm_bindgen(js_name = pendingAll, unchecked_return_type = "PendingSource[]")]
    pub async fn pending_all(&self) -> Answered {
        list(self.current().await?.pending_all().into_iter().map(views::PendingSource::from))
    }

    /// What analysing the rest of a conversation or document will cost.
    #[wasm_bindgen(unchecked_return_type = "Estimate")]
    pub async fn estimate(&self, conversation: JsValue) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        let estimate = self.current().await?.estimate(conversation).map_err(Failure::from)?;
        Ok(to_js(&views::Estimate::from(estimate))?)
    }

    /// Stores a document, or finds the one that holds its text. `options` is a `DocumentOptions`.
    #[wasm_bindgen(js_name = ingestDocument, unchecked_return_type = "DocumentReceipt")]
    pub async fn ingest_document(&self, name: JsValue, text: JsValue, options: JsValue) -> Answered {
        let name = argument::text("name", &name)?;
        let text = argument::text("text", &text)?;
        let options: DocumentOptions = argument::read("options", &options)?;
        let core = self.current().await?;
        let receipt = core.ingest_document(&name, &text, &options.into()).await.map_err(Failure::from)?;
        Ok(to_js(&views::DocumentReceipt::from(receipt))?)
    }

    /// Takes a text in and analyses it; `null` when its content is known.
    #[wasm_bindgen(js_name = rememberText, unchecked_return_type = "AnalysisReport[] | null")]
    pub async fn remember_text(&self, text: JsValue, source: JsValue) -> Answered {
        let text = argument::text("text", &text)?;
        let source = argument::text("sourceId", &source)?;
        let core = self.current().await?;
        match core.remember_text(&text, &source, &[]).await.map_err(Failure::from)? {
            Some(reports) => list(reports.iter().map(|report| views::AnalysisReport::from(&**report))),
            None => Ok(JsValue::NULL),
        }
    }

    /// Takes a conversation or document back.
    #[wasm_bindgen(js_name = forgetSource, unchecked_return_type = "ForgottenSource")]
    pub async fn forget_source(&self, conversation: JsValue) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        decided::<views::ForgottenSource, _>(self.current().await?.forget_source(conversation).await)
    }

    /// Lets a conversation or document be analysed again; says how many turns wait then.
    pub async fn release(&self, conversation: JsValue) -> Result<u32, JsValue> {
        let conversation = argument::id("conversation", &conversation)?;
        Ok(self.current().await?.release(conversation).await.map_err(Failure::from)?)
    }
}

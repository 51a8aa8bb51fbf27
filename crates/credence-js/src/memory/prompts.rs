//! What a model is told: the prompt of an answer, its preview and its X-ray; tokens; summaries of earlier turns.

use std::rc::Rc;

use credence::assembly::TokenCounter;
use credence::id::{ConversationId, UseId};
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::{Answered, Memory, cancel_by, decided};
use crate::argument;
use crate::failure::Failure;
use crate::input::CompactSettings;
use crate::views::{self, Show, to_js};

/// A tokenizer of the host's: a function that takes a text and gives a number.
struct HostCounter(Function);

impl TokenCounter for HostCounter {
    fn count(&self, text: &str) -> u32 {
        let counted = self.0.call1(&JsValue::UNDEFINED, &text.into()).ok().and_then(|n| n.as_f64());
        match counted {
            // A saturating cast; a fraction counts as one more.
            Some(number) if number >= 0.0 => number.ceil() as u32,
            // What cannot count must not let a prompt grow past its budget.
            _ => credence::assembly::estimate(text).high,
        }
    }
}

#[wasm_bindgen]
impl Memory {
    /// The prompt that answers `query` in a conversation, with its use record written.
    #[wasm_bindgen(unchecked_return_type = "Assembled")]
    pub async fn assemble(&self, conversation: JsValue, query: JsValue) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        let query = argument::text("query", &query)?;
        decided::<views::Assembled, _>(self.current().await?.assemble(conversation, &query).await)
    }

    /// The prompt that would be sent if the user now said `draft`. Nothing is written.
    #[wasm_bindgen(unchecked_return_type = "Assembled")]
    pub async fn preview(&self, conversation: JsValue, draft: JsValue) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        let draft = argument::text("draft", &draft)?;
        decided::<views::Assembled, _>(self.current().await?.preview(conversation, &draft).await)
    }

    /// The prompt of a recorded step.
    #[wasm_bindgen(unchecked_return_type = "Xray | null")]
    pub async fn xray(&self, used: JsValue) -> Answered {
        let id: UseId = argument::id("use", &used)?;
        let xray = self.current().await?.xray(id).await.map_err(Failure::from)?;
        Ok(to_js(&xray.map(views::Xray::from))?)
    }

    /// Counts tokens with a function of the host's; none: back to estimates.
    #[wasm_bindgen(js_name = useTokenCounter)]
    pub fn use_token_counter(&self, counter: Option<Function>) -> Result<(), JsValue> {
        let counter = counter.map(|function| Rc::new(HostCounter(function)) as Rc<dyn TokenCounter>);
        self.core()?.use_token_counter(counter);
        Ok(())
    }

    /// Sums up a conversation's earlier turns. `settings` is a `CompactSettings`.
    #[wasm_bindgen(unchecked_return_type = "Compaction")]
    pub async fn compact(
        &self,
        conversation: JsValue,
        settings: JsValue,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let conversation = argument::id("conversation", &conversation)?;
        let settings: CompactSettings = argument::read("options", &settings)?;
        let cancel = cancel_by(signal.as_ref());
        let core = self.current().await?;
        decided::<views::Compaction, _>(core.compact(conversation, settings.into(), &cancel).await)
    }

    /// The summary that stands in for a conversation's earlier turns.
    #[wasm_bindgen(unchecked_return_type = "Summary | null")]
    pub async fn summary(&self, conversation: JsValue) -> Answered {
        let conversation: ConversationId = argument::id("conversation", &conversation)?;
        let summary: Option<views::Summary> = self.current().await?.summary(conversation).show();
        Ok(to_js(&summary)?)
    }
}

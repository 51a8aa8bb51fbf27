//! Turns that are changed, and branches: wording anew, choosing a wording, answering again, taking out, going on from an earlier point.

use credence::history::{Actor, RecordId};
use credence::id::{ContextId, ConversationId, TurnId};
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::conversations::telling_phases;
use super::{Answered, Memory, call, cancel_by, committed, decided};
use crate::argument;
use crate::failure::Failure;
use crate::input::BranchOptions;
use crate::views::{self, Show, to_js};

fn changed(made: Result<credence::memory::TurnChange, credence::Error>) -> Answered {
    let change: views::TurnChange = made.map_err(Failure::from)?.show();
    Ok(to_js(&change)?)
}

#[wasm_bindgen]
impl Memory {
    /// Words a turn anew.
    #[wasm_bindgen(js_name = editTurn, unchecked_return_type = "TurnChange")]
    pub async fn edit_turn(&self, turn: JsValue, text: JsValue) -> Answered {
        let (turn, text) = (argument::id("turn", &turn)?, argument::text("text", &text)?);
        changed(self.current().await?.edit_turn(turn, &text).await)
    }

    /// Has a turn say another of its wordings.
    #[wasm_bindgen(unchecked_return_type = "TurnChange")]
    pub async fn swipe(&self, turn: JsValue, wording: JsValue) -> Answered {
        let turn = argument::id("turn", &turn)?;
        let wording: u32 = argument::read("wording", &wording)?;
        changed(self.current().await?.swipe(turn, wording).await)
    }

    /// Takes one turn out.
    #[wasm_bindgen(js_name = deleteTurn, unchecked_return_type = "TurnChange")]
    pub async fn delete_turn(&self, turn: JsValue) -> Answered {
        let turn = argument::id("turn", &turn)?;
        changed(self.current().await?.delete_turn(turn).await)
    }

    /// Takes a turn and everything after it out.
    #[wasm_bindgen(js_name = deleteFrom, unchecked_return_type = "TurnChange")]
    pub async fn delete_from(&self, turn: JsValue) -> Answered {
        let turn = argument::id("turn", &turn)?;
        changed(self.current().await?.delete_from(turn).await)
    }

    /// Gives a conversation's last answer again.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub async fn reroll(
        &self,
        turn: JsValue,
        on_text: Option<Function>,
        on_phase: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let turn: TurnId = argument::id("turn", &turn)?;
        let cancel = cancel_by(signal.as_ref());
        let mut sink = |piece: &str| call(on_text.as_ref(), &piece.into());
        let core = self.current().await?;
        let conversation = core.state().turn(turn).map(|turn| turn.conversation);
        let _telling = conversation.and_then(|conversation| telling_phases(&core, conversation, on_phase));
        decided::<views::Answer, _>(core.reroll(turn, &mut sink, &cancel).await)
    }

    /// Begins a new memory as this one was. `options` is a `BranchOptions`.
    #[wasm_bindgen(unchecked_return_type = "Branched")]
    pub async fn branch(&self, name: JsValue, options: JsValue) -> Answered {
        let name = ContextId::new(argument::text("name", &name)?)
            .map_err(|error| Failure::from(credence::Error::from(error)))?;
        let BranchOptions { turn, seq, reason } = argument::read("options", &options)?;
        let core = self.current().await?;
        let seq = match (turn, seq) {
            (Some(_), Some(_)) => {
                let problem = "give either `turn` or `seq`, not both";
                return Err(Failure::argument("options.seq", problem).into());
            }
            (Some(turn), None) => {
                let turn: TurnId = argument::id("options.turn", &turn.into())?;
                let said = core.log().history(RecordId::Turn(turn)).next().map(|step| step.commit.seq);
                let missing = || credence::Error::NotFound { record: turn.to_string() };
                said.ok_or_else(missing).map_err(Failure::from)?
            }
            (None, seq) => seq.unwrap_or_else(|| core.state().seq()),
        };
        let branched = core.branch_at(Actor::Host, seq, name, &reason).await.map_err(Failure::from)?;
        Ok(to_js(&views::Branched::from(&branched))?)
    }

    /// Chooses what a conversation has to do with the memory.
    #[wasm_bindgen(js_name = setConversationMode, unchecked_return_type = "Commit | null")]
    pub async fn set_conversation_mode(&self, conversation: JsValue, mode: JsValue) -> Answered {
        let conversation: ConversationId = argument::id("conversation", &conversation)?;
        let mode = argument::read("mode", &mode)?;
        committed(self.current().await?.set_conversation_mode(conversation, mode).await)
    }
}

//! Forgetting: softly, as a commit that can be undone, and for ever.

use credence::erasure::ErasureTarget;
use credence::id::ErasureId;
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::{Answered, Memory, cancel_by, list, telling};
use crate::argument;
use crate::failure::Failure;
use crate::views::{self, to_js};

fn wanted(value: &JsValue) -> Result<ErasureTarget, Failure> {
    argument::read("target", value)
}

#[wasm_bindgen]
impl Memory {
    /// What `forgetTarget` would do. `target` is a `ForgetTarget`.
    #[wasm_bindgen(js_name = previewForgetting, unchecked_return_type = "Forgetting")]
    pub async fn preview_forgetting(
        &self,
        target: JsValue,
        on_progress: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let (target, cancel) = (wanted(&target)?, cancel_by(signal.as_ref()));
        let mut tell = telling::<_, views::ErasureProgress>(on_progress);
        let core = self.current().await?;
        let forgetting =
            core.preview_forgetting_with(&target, &cancel, &mut tell).await.map_err(Failure::from)?;
        Ok(to_js(&views::Forgetting::from(&forgetting))?)
    }

    /// Takes a target out of the memory; it can be undone.
    #[wasm_bindgen(js_name = forgetTarget, unchecked_return_type = "Forgetting")]
    pub async fn forget_target(
        &self,
        target: JsValue,
        on_progress: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let (target, cancel) = (wanted(&target)?, cancel_by(signal.as_ref()));
        let mut tell = telling::<_, views::ErasureProgress>(on_progress);
        let core = self.current().await?;
        let forgetting = core.forget_target_with(&target, &cancel, &mut tell).await.map_err(Failure::from)?;
        Ok(to_js(&views::Forgetting::from(&forgetting))?)
    }

    /// What `eraseTarget` would do.
    #[wasm_bindgen(js_name = previewErasure, unchecked_return_type = "ErasurePreview")]
    pub async fn preview_erasure(
        &self,
        target: JsValue,
        on_progress: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let (target, cancel) = (wanted(&target)?, cancel_by(signal.as_ref()));
        let mut tell = telling::<_, views::ErasureProgress>(on_progress);
        let core = self.current().await?;
        let preview = core.preview_erasure_with(&target, &cancel, &mut tell).await.map_err(Failure::from)?;
        Ok(to_js(&views::ErasurePreview::from(&preview))?)
    }

    /// Destroys a target's content in all of history.
    #[wasm_bindgen(js_name = eraseTarget, unchecked_return_type = "ErasureReport")]
    pub async fn erase_target(
        &self,
        target: JsValue,
        on_progress: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let (target, cancel) = (wanted(&target)?, cancel_by(signal.as_ref()));
        let mut tell = telling::<_, views::ErasureProgress>(on_progress);
        let core = self.current().await?;
        let report = core.erase_with(&target, &cancel, &mut tell).await.map_err(Failure::from)?;
        Ok(to_js(&views::ErasureReport::from(&report))?)
    }

    /// The reports of every erasure, oldest first.
    #[wasm_bindgen(unchecked_return_type = "ErasureReport[]")]
    pub async fn erasures(&self) -> Answered {
        let core = self.current().await?;
        let state = core.state();
        list(state.erasures().map(views::ErasureReport::from))
    }

    /// Lets what an erasure destroyed be learned again; says whether anything changed.
    #[wasm_bindgen(js_name = liftTombstones)]
    pub async fn lift_tombstones(&self, erasure: JsValue) -> Result<bool, JsValue> {
        let erasure: ErasureId = argument::id("erasure", &erasure)?;
        Ok(self.current().await?.lift_tombstones(erasure).await.map_err(Failure::from)?)
    }
}

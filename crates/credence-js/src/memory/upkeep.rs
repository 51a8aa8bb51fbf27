//! Upkeep: questions that wait for a person, maintenance runs, how the working set fares, sweeps, and what is mentioned.

use credence::inbox::Verdict;
use js_sys::Function;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::{Answered, Memory, cancel_by, decided, list, telling};
use crate::argument;
use crate::failure::Failure;
use crate::input::{MaintainSettings, MentionGraphOptions, SweepSettings};
use crate::views::{self, to_js};

#[wasm_bindgen]
impl Memory {
    /// Questions that wait, oldest first.
    #[wasm_bindgen(unchecked_return_type = "InboxItem[]")]
    pub async fn inbox(&self) -> Answered {
        list(self.current().await?.inbox().into_iter().map(views::InboxItem::from))
    }

    /// Answers a question; `verdict` is `"accept"` or `"reject"`.
    #[wasm_bindgen(unchecked_return_type = "Decision")]
    pub async fn decide(&self, id: JsValue, verdict: JsValue) -> Answered {
        let id = argument::id("id", &id)?;
        let verdict = match argument::text("verdict", &verdict)?.as_str() {
            "accept" => Verdict::Accept,
            "reject" => Verdict::Reject,
            other => {
                let problem = format!("expected \"accept\" or \"reject\", got {other:?}");
                return Err(Failure::argument("verdict", problem).into());
            }
        };
        decided::<views::Decision, _>(self.current().await?.decide(id, verdict).await)
    }

    /// One maintenance run. `settings` is a `MaintainSettings`.
    #[wasm_bindgen(unchecked_return_type = "MaintenanceReport")]
    pub async fn maintain(
        &self,
        settings: JsValue,
        on_progress: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let settings: MaintainSettings = argument::read("options", &settings)?;
        let cancel = cancel_by(signal.as_ref());
        let mut tell = telling::<_, views::MaintenanceProgress>(on_progress);
        let core = self.current().await?;
        let report = core.maintain(&settings.into(), &cancel, &mut tell).await.map_err(Failure::from)?;
        Ok(to_js(&views::MaintenanceReport::from(&*report))?)
    }

    /// The reports of every maintenance run, newest first.
    #[wasm_bindgen(unchecked_return_type = "MaintenanceReport[]")]
    pub async fn runs(&self) -> Answered {
        list(self.current().await?.runs().iter().map(views::MaintenanceReport::from))
    }

    /// What the mention filters did so far.
    #[wasm_bindgen(js_name = mentionTotals, unchecked_return_type = "MentionTotals")]
    pub async fn mention_totals(&self) -> Answered {
        Ok(to_js(&views::MentionTotals::from(self.current().await?.mention_totals()))?)
    }

    /// How near the working set is to what it can hold.
    #[wasm_bindgen(unchecked_return_type = "Pressure")]
    pub async fn pressure(&self) -> Answered {
        Ok(to_js(&views::Pressure::from(&self.current().await?.pressure()))?)
    }

    /// How much happens around each unit.
    #[wasm_bindgen(unchecked_return_type = "Attention")]
    pub async fn attention(&self) -> Answered {
        Ok(to_js(&views::Attention::from(&self.current().await?.attention()))?)
    }

    /// Sweeps the working set. `settings` is a `SweepSettings`.
    #[wasm_bindgen(unchecked_return_type = "SweepReport")]
    pub async fn sweep(&self, settings: JsValue, signal: Option<AbortSignal>) -> Answered {
        let settings: SweepSettings = argument::read("options", &settings)?;
        let cancel = cancel_by(signal.as_ref());
        let core = self.current().await?;
        let report = core.sweep(settings.kind(), settings.dry_run, &cancel).await.map_err(Failure::from)?;
        Ok(to_js(&views::SweepReport::from(&report))?)
    }

    /// The reports of every sweep, newest first.
    #[wasm_bindgen(unchecked_return_type = "SweepReport[]")]
    pub async fn sweeps(&self) -> Answered {
        list(self.current().await?.sweeps().iter().map(views::SweepReport::from))
    }

    /// What is mentioned together. `options` is a `MentionGraphOptions`.
    #[wasm_bindgen(js_name = mentionGraph, unchecked_return_type = "MentionGraph")]
    pub async fn mention_graph(&self, options: JsValue) -> Answered {
        let options: MentionGraphOptions = argument::read("options", &options)?;
        let graph = self.current().await?.mention_graph(&options.into());
        Ok(to_js(&views::MentionGraph::from(&graph))?)
    }
}

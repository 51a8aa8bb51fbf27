//! The past: taking back, questions to it, and how much of it is kept.

use credence::history::{Actor, RecordId};
use credence::id::{CommitId, PropositionId, TurnId};
use wasm_bindgen::prelude::*;

use super::{Answered, Memory, decided, list};
use crate::argument;
use crate::failure::Failure;
use crate::input::{HistoryPoint, KeepHistory, ReturnOptions, UndoOptions};
use crate::views::{self, to_js};

/// One commit's id, or several.
fn commits(name: &str, value: &JsValue) -> Result<Vec<CommitId>, Failure> {
    if value.is_string() {
        return Ok(vec![argument::id(name, value)?]);
    }
    let given: Vec<String> = argument::read(name, value)?;
    let id = |(n, id): (usize, String)| argument::id(&format!("{name}[{n}]"), &id.into());
    given.into_iter().enumerate().map(id).collect()
}

fn shown<V: serde::Serialize>(view: V) -> Answered {
    Ok(to_js(&view)?)
}

#[wasm_bindgen]
impl Memory {
    /// Takes commits back. `commits` is an id or several, `options` an `UndoOptions`.
    #[wasm_bindgen(unchecked_return_type = "Undone")]
    pub async fn undo(&self, commit: JsValue, options: JsValue) -> Answered {
        let ids = commits("commit", &commit)?;
        let UndoOptions { only, by } = argument::read("options", &options)?;
        decided::<views::Undone, _>(self.current().await?.revert_as(by.into(), &ids, only.as_deref()).await)
    }

    /// What `undo` would do.
    #[wasm_bindgen(js_name = previewUndo, unchecked_return_type = "UndoPreview")]
    pub async fn preview_undo(&self, commit: JsValue, options: JsValue) -> Answered {
        let ids = commits("commit", &commit)?;
        let UndoOptions { only, by } = argument::read("options", &options)?;
        let core = self.current().await?;
        let preview = core.preview_revert(by.into(), &ids, only.as_deref()).map_err(Failure::from)?;
        shown(views::UndoPreview::from(&preview))
    }

    /// Goes back to what the memory was after a commit. `options` is a `ReturnOptions`.
    #[wasm_bindgen(js_name = revertTo, unchecked_return_type = "Undone")]
    pub async fn revert_to(&self, seq: JsValue, options: JsValue) -> Answered {
        let seq: u64 = argument::read("seq", &seq)?;
        let options: ReturnOptions = argument::read("options", &options)?;
        let core = self.current().await?;
        decided::<views::Undone, _>(core.revert_to(options.by.into(), seq, options.how()).await)
    }

    /// What `revertTo` would do.
    #[wasm_bindgen(js_name = previewRevertTo, unchecked_return_type = "UndoPreview")]
    pub async fn preview_revert_to(&self, seq: JsValue, options: JsValue) -> Answered {
        let seq: u64 = argument::read("seq", &seq)?;
        let options: ReturnOptions = argument::read("options", &options)?;
        let core = self.current().await?;
        let preview = core.preview_revert_to(options.by.into(), seq, options.how()).map_err(Failure::from)?;
        shown(views::UndoPreview::from(&preview))
    }

    /// What memory was. `point` is a `HistoryPoint`.
    #[wasm_bindgen(js_name = memoryAt, unchecked_return_type = "MemoryAt")]
    pub async fn memory_at(&self, point: JsValue) -> Answered {
        let point: HistoryPoint = argument::read("point", &point)?;
        let at = self.current().await?.memory_at(point.into()).map_err(Failure::from)?;
        shown(views::MemoryAt::from(&at))
    }

    /// What changed between two points.
    #[wasm_bindgen(js_name = changedBetween, unchecked_return_type = "Changed")]
    pub async fn changed_between(&self, from: JsValue, to: JsValue) -> Answered {
        let from: HistoryPoint = argument::read("from", &from)?;
        let to: HistoryPoint = argument::read("to", &to)?;
        let core = self.current().await?;
        let changed = core.changed_between(from.into(), to.into()).map_err(Failure::from)?;
        shown(views::Changed::from(&changed))
    }

    /// Who or what changed a record, when, from what to what.
    #[wasm_bindgen(js_name = lifeOf, unchecked_return_type = "Life")]
    pub async fn life_of(&self, record: JsValue) -> Answered {
        let record: RecordId = argument::id("record", &record)?;
        shown(views::Life::from(&self.current().await?.life_of(record)))
    }

    /// Which revisions of which statements a turn was given.
    #[wasm_bindgen(js_name = usedByTurn, unchecked_return_type = "UsedByTurn[]")]
    pub async fn used_by_turn(&self, turn: JsValue) -> Answered {
        let turn: TurnId = argument::id("turn", &turn)?;
        let used = self.current().await?.used_by_turn(turn).await.map_err(Failure::from)?;
        list(used.into_iter().map(views::UsedByTurn::from))
    }

    /// Why a statement is believed.
    #[wasm_bindgen(js_name = whyBelieved, unchecked_return_type = "Belief")]
    pub async fn why_believed(&self, id: JsValue) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        decided::<views::Belief, _>(self.current().await?.why_believed(id))
    }

    /// Every statement that came of one.
    #[wasm_bindgen(js_name = derivedFrom, unchecked_return_type = "Derived[]")]
    pub async fn derived_from(&self, id: JsValue) -> Answered {
        let id: PropositionId = argument::id("id", &id)?;
        list(self.current().await?.derived_from(id).into_iter().map(views::Derived::from))
    }

    /// A turn, whole.
    #[wasm_bindgen(unchecked_return_type = "Replay | null")]
    pub async fn replay(&self, turn: JsValue) -> Answered {
        let turn: TurnId = argument::id("turn", &turn)?;
        let replay = self.current().await?.replay(turn).await.map_err(Failure::from)?;
        shown(replay.map(views::Replay::from))
    }

    /// What `compactHistory` would take. `keep` is a `KeepHistory`.
    #[wasm_bindgen(js_name = previewCompactHistory, unchecked_return_type = "HistoryCompaction")]
    pub async fn preview_compact_history(&self, keep: JsValue) -> Answered {
        let keep: KeepHistory = argument::read("keep", &keep)?;
        let compaction = self.current().await?.preview_compaction(keep.into()).map_err(Failure::from)?;
        shown(views::HistoryCompaction::from(&compaction))
    }

    /// Drops what a policy no longer keeps. `keep` is a `KeepHistory`.
    #[wasm_bindgen(js_name = compactHistory, unchecked_return_type = "HistoryCompaction")]
    pub async fn compact_history(&self, keep: JsValue) -> Answered {
        let keep: KeepHistory = argument::read("keep", &keep)?;
        let core = self.current().await?;
        let compaction = core.compact_history(Actor::Host, keep.into()).await.map_err(Failure::from)?;
        shown(views::HistoryCompaction::from(&compaction))
    }
}

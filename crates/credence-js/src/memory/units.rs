//! The working set: reading it, a person's acts on it, promotion, conflicts, lineage, the past, and settings by name.

use credence::id::PropositionId;
use credence::inbox::Asker;
use credence::memory::UnitAct;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::{Answered, Core, Memory, cancel_by, decided, list};
use crate::argument;
use crate::failure::Failure;
use crate::input::{ActOptions, AsOf, SupersedeOptions};
use crate::views::{self, Show, to_js};

/// What a person's act did.
fn acted(made: Result<UnitAct, credence::Error>) -> Answered {
    let act: views::UnitAct = made.map_err(Failure::from)?.show();
    Ok(to_js(&act)?)
}

fn ids(name: &str, value: &JsValue) -> Result<Vec<PropositionId>, Failure> {
    let given: Vec<String> = argument::read(name, value)?;
    let id = |(n, id): (usize, String)| {
        id.parse().map_err(|error| Failure::argument(&format!("{name}[{n}]"), error))
    };
    given.into_iter().enumerate().map(id).collect()
}

fn note(options: &JsValue) -> Result<String, Failure> {
    Ok(argument::read::<ActOptions>("options", options)?.note)
}

#[wasm_bindgen]
impl Memory {
    /// A use case on one statement: its memory and its id.
    async fn on(&self, id: &JsValue) -> Result<(Core, PropositionId), Failure> {
        let id = argument::id("id", id)?;
        Ok((self.current().await?, id))
    }

    /// The working set as of now.
    #[wasm_bindgen(js_name = workingSet, unchecked_return_type = "Unit[]")]
    pub async fn working_set(&self) -> Answered {
        list(self.current().await?.working_set().iter().map(views::Unit::from))
    }

    /// The unit of a statement, wherever it stands.
    #[wasm_bindgen(unchecked_return_type = "Unit | null")]
    pub async fn unit(&self, id: JsValue) -> Answered {
        let (core, id) = self.on(&id).await?;
        Ok(to_js(&core.unit(id).as_ref().map(views::Unit::from))?)
    }

    /// Every evaluation of a unit's trust, oldest first.
    #[wasm_bindgen(js_name = trustTrail, unchecked_return_type = "TrustStep[]")]
    pub async fn trust_trail(&self, id: JsValue) -> Answered {
        let (core, id) = self.on(&id).await?;
        list(core.trust_trail(id).iter().map(views::TrustStep::from))
    }

    /// A person confirms what a unit says.
    #[wasm_bindgen(js_name = confirmUnit, unchecked_return_type = "UnitAct")]
    pub async fn confirm_unit(&self, id: JsValue) -> Answered {
        let (core, id) = self.on(&id).await?;
        acted(core.confirm_unit(id).await)
    }

    /// A person lowers a unit one level.
    #[wasm_bindgen(js_name = demoteUnit, unchecked_return_type = "UnitAct")]
    pub async fn demote_unit(&self, id: JsValue) -> Answered {
        let (core, id) = self.on(&id).await?;
        acted(core.demote_unit(id).await)
    }

    /// A person takes a unit out. `options` is an `ActOptions`.
    #[wasm_bindgen(js_name = archiveUnit, unchecked_return_type = "UnitAct")]
    pub async fn archive_unit(&self, id: JsValue, options: JsValue) -> Answered {
        let note = note(&options)?;
        let (core, id) = self.on(&id).await?;
        acted(core.archive_unit(id, &note).await)
    }

    /// A person brings a unit back.
    #[wasm_bindgen(js_name = reviveUnit, unchecked_return_type = "UnitAct")]
    pub async fn revive_unit(&self, id: JsValue) -> Answered {
        let (core, id) = self.on(&id).await?;
        acted(core.revive_unit(id).await)
    }

    /// A person sets a unit's activation.
    #[wasm_bindgen(js_name = setActivation, unchecked_return_type = "UnitAct")]
    pub async fn set_activation(&self, id: JsValue, activation: JsValue) -> Answered {
        let activation: u16 = argument::read("activation", &activation)?;
        let (core, id) = self.on(&id).await?;
        acted(core.set_activation(id, activation).await)
    }

    /// A person puts a statement into the working set.
    #[wasm_bindgen(js_name = addToWorkingSet, unchecked_return_type = "UnitAct")]
    pub async fn add_to_working_set(&self, id: JsValue) -> Answered {
        let (core, id) = self.on(&id).await?;
        acted(core.add_to_working_set(id).await)
    }

    /// A person makes a unit CANON. `options` is an `ActOptions`.
    #[wasm_bindgen(js_name = canonizeUnit, unchecked_return_type = "UnitAct")]
    pub async fn canonize_unit(&self, id: JsValue, options: JsValue) -> Answered {
        let note = note(&options)?;
        let (core, id) = self.on(&id).await?;
        acted(core.canonize_unit(id, &note).await)
    }

    /// A person takes CANON back. `options` is an `ActOptions`.
    #[wasm_bindgen(js_name = decanonizeUnit, unchecked_return_type = "UnitAct")]
    pub async fn decanonize_unit(&self, id: JsValue, options: JsValue) -> Answered {
        let note = note(&options)?;
        let (core, id) = self.on(&id).await?;
        acted(core.decanonize_unit(id, &note).await)
    }

    /// The program asks a person to make a unit CANON. `options` is an `ActOptions`.
    #[wasm_bindgen(js_name = requestCanon, unchecked_return_type = "CanonAnswer")]
    pub async fn request_canon(&self, id: JsValue, options: JsValue) -> Answered {
        let note = note(&options)?;
        let (core, id) = self.on(&id).await?;
        decided::<views::CanonAnswer, _>(core.request_canon(id, Asker::Host, &note).await)
    }

    /// The program asks a person to take CANON back. `options` is an `ActOptions`.
    #[wasm_bindgen(js_name = requestDecanon, unchecked_return_type = "CanonAnswer")]
    pub async fn request_decanon(&self, id: JsValue, options: JsValue) -> Answered {
        let note = note(&options)?;
        let (core, id) = self.on(&id).await?;
        decided::<views::CanonAnswer, _>(core.request_decanon(id, Asker::Host, &note).await)
    }

    /// Writes down what time has changed in the working set.
    #[wasm_bindgen(js_name = settleUnits, unchecked_return_type = "Settled")]
    pub async fn settle_units(&self) -> Answered {
        let settled = self.current().await?.settle_units().await.map_err(Failure::from)?;
        Ok(to_js(&views::Settled::from(&settled))?)
    }

    /// Offers statements to the working set.
    #[wasm_bindgen(unchecked_return_type = "PromotionReport")]
    pub async fn promote(&self, propositions: JsValue, signal: Option<AbortSignal>) -> Answered {
        let offered = ids("propositions", &propositions)?;
        let cancel = cancel_by(signal.as_ref());
        let core = self.current().await?;
        let report = core.promote_until(&offered, &cancel).await.map_err(Failure::from)?;
        Ok(to_js(&views::PromotionReport::from(&report))?)
    }

    /// The reports of every promotion run, newest first.
    #[wasm_bindgen(unchecked_return_type = "PromotionReport[]")]
    pub async fn promotions(&self) -> Answered {
        let core = self.current().await?;
        let state = core.state();
        list(state.promotions().rev().map(views::PromotionReport::from))
    }

    /// What statements stand against in the working set. Nothing is written.
    #[wasm_bindgen(js_name = detectConflicts, unchecked_return_type = "DetectedConflicts")]
    pub async fn detect_conflicts(&self, propositions: JsValue) -> Answered {
        let ids = ids("propositions", &propositions)?;
        let core = self.current().await?;
        let incoming = ids.into_iter().map(|id| {
            let missing = || Failure::from(credence::Error::NotFound { record: id.to_string() });
            core.state().proposition(id).cloned().ok_or_else(missing)
        });
        let incoming = incoming.collect::<Result<Vec<_>, Failure>>()?;
        let detected = core.detect_conflicts(&incoming, &core.working_set()).await;
        Ok(to_js(&views::DetectedConflicts::from(&detected))?)
    }

    /// Which statements took whose place.
    #[wasm_bindgen(unchecked_return_type = "Lineage")]
    pub async fn lineage(&self, id: JsValue) -> Answered {
        let (core, id) = self.on(&id).await?;
        Ok(to_js(&views::Lineage::from(core.lineage(id)))?)
    }

    /// A person says what is so now. `options` is a `SupersedeOptions`.
    #[wasm_bindgen(unchecked_return_type = "Superseded")]
    pub async fn supersede(&self, id: JsValue, text: JsValue, options: JsValue) -> Answered {
        let text = argument::text("text", &text)?;
        let options: SupersedeOptions = argument::read("options", &options)?;
        let (core, id) = self.on(&id).await?;
        let done = core.supersede(id, &text, options.how.into()).await.map_err(Failure::from)?;
        Ok(to_js(&views::Superseded::from(&done))?)
    }

    /// What held at one time, as it was known at another. `when` is an `AsOf`.
    #[wasm_bindgen(js_name = asOf, unchecked_return_type = "Proposition[]")]
    pub async fn as_of(&self, when: JsValue) -> Answered {
        let when: AsOf = argument::read("when", &when)?;
        let core = self.current().await?;
        let (valid, recorded) = when.instants(core.now().at);
        let held = core.as_of(valid, recorded).map_err(Failure::from)?;
        list(held.into_iter().map(views::Proposition::from))
    }

    /// The working set of the past. `when` is an `AsOf`.
    #[wasm_bindgen(js_name = workingSetAsOf, unchecked_return_type = "Unit[]")]
    pub async fn working_set_as_of(&self, when: JsValue) -> Answered {
        let when: AsOf = argument::read("when", &when)?;
        let core = self.current().await?;
        let (valid, recorded) = when.instants(core.now().at);
        let units = core.working_set_as_of(valid, recorded).map_err(Failure::from)?;
        list(units.iter().map(views::Unit::from))
    }

    /// Every setting that has a name.
    #[wasm_bindgen(unchecked_return_type = "Property[]")]
    pub fn properties(&self) -> Answered {
        list(self.core()?.config().properties().into_iter().map(views::Property::from))
    }

    /// A setting's value by its name.
    #[wasm_bindgen(unchecked_return_type = "unknown")]
    pub fn property(&self, name: JsValue) -> Answered {
        let name = argument::text("name", &name)?;
        let value = self.core()?.config().property(&name);
        Ok(to_js(&value.map_err(|problem| Failure::argument("name", problem))?)?)
    }

    /// Changes a setting by its name, for as long as the handle is open.
    #[wasm_bindgen(js_name = setProperty)]
    pub fn set_property(&self, name: JsValue, value: JsValue) -> Result<(), JsValue> {
        let name = argument::text("name", &name)?;
        let value = argument::json("value", &value)?;
        let core = self.core()?;
        let mut config = core.config();
        credence::config::properties::property(&name)
            .map_err(|problem| Failure::argument("name", problem))?;
        config.set_property(&name, value).map_err(|problem| Failure::argument("value", problem))?;
        Ok(core.set_config(config).map_err(Failure::from)?)
    }
}

//! In and out: bundles, files of other programs, statements for people to read; and the look at the records themselves.

use std::collections::BTreeMap;

use credence::bundle::{self, Bundle, BundleError, Choice};
use credence::id::ContextId;
use credence::import;
use credence::ports::{Clock, Ports};
use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use super::{Answered, Memory, call, cancel_by, decided};
use crate::argument;
use crate::failure::Failure;
use crate::input::{ListOptions, TakeInSettings, contexts};
use crate::views::{self, to_js};

fn failed(error: BundleError) -> Failure {
    credence::Error::from(error).into()
}

fn read(file: &JsValue) -> Result<Bundle, Failure> {
    Bundle::read(&argument::text("bundle", file)?).map_err(failed)
}

/// A file's content: text, or bytes.
fn bytes(content: &JsValue) -> Result<Vec<u8>, Failure> {
    match content.dyn_ref::<Uint8Array>() {
        Some(bytes) => Ok(bytes.to_vec()),
        None if content.is_string() => argument::text("content", content).map(String::into_bytes),
        None => Err(Failure::argument("content", "expected a string or a Uint8Array")),
    }
}

#[wasm_bindgen]
impl Memory {
    /// The whole memory as JSON.
    #[wasm_bindgen(unchecked_return_type = "string")]
    pub async fn export(&self) -> Answered {
        let bundle = self.core()?.export().await.map_err(Failure::from)?;
        Ok(bundle.to_json().map_err(failed)?.into())
    }

    /// Memories of the journal as one bundle: those of these names, or every one.
    #[wasm_bindgen(js_name = exportBundle, unchecked_return_type = "string")]
    pub async fn export_bundle(&self, names: JsValue) -> Answered {
        let core = self.current().await?;
        let given: Option<Vec<String>> = match names.is_undefined() || names.is_null() {
            true => None,
            false => Some(argument::read("contexts", &names)?),
        };
        let names = match given {
            Some(given) if given.is_empty() => {
                let problem = "an empty list exports nothing; leave it out for every memory";
                return Err(Failure::argument("contexts", problem).into());
            }
            given => contexts("contexts", given.unwrap_or_default())?,
        };
        let ports = core.ports();
        let bundle = bundle::export(ports.journal(), &names, ports.clock().now().at);
        Ok(bundle.await.map_err(Failure::from)?.to_json().map_err(failed)?.into())
    }

    /// What importing a bundle would do.
    #[wasm_bindgen(js_name = previewImport, unchecked_return_type = "ImportPlan")]
    pub async fn preview_import(&self, file: JsValue) -> Answered {
        let read = read(&file)?;
        let core = self.current().await?;
        let plan = bundle::preview_import(core.ports().journal(), &read).await.map_err(failed)?;
        Ok(to_js(&views::ImportPlan::from(&plan))?)
    }

    /// Imports memories of a bundle as chosen, by their names in it; without choices as the preview suggests.
    #[wasm_bindgen(js_name = importBundle, unchecked_return_type = "ImportReport")]
    pub async fn import_bundle(&self, file: JsValue, choices: JsValue) -> Answered {
        let read = read(&file)?;
        let core = self.current().await?;
        let ports = core.ports();
        let choices: BTreeMap<ContextId, Choice> = match choices.is_undefined() || choices.is_null() {
            true => bundle::preview_import(ports.journal(), &read).await.map_err(failed)?.suggested(),
            false => argument::read("choices", &choices)?,
        };
        let (at, ids) = (ports.clock().now().at, ports.ids());
        let report = bundle::apply_import(ports.journal(), &read, &choices, at, ids).await.map_err(failed)?;
        core.refresh().await.map_err(Failure::from)?;
        Ok(to_js(&views::ImportReport::from(&report))?)
    }

    /// What a file of another program would become.
    #[wasm_bindgen(js_name = inspectImport, unchecked_return_type = "ImportPreview")]
    pub async fn inspect_import(&self, name: JsValue, content: JsValue) -> Answered {
        let (name, content) = (argument::text("name", &name)?, bytes(&content)?);
        let core = self.core()?;
        let preview = import::inspect(&name, &content, core.ports().clock().now());
        let preview = preview.map_err(|error| Failure::from(credence::Error::from(error)))?;
        Ok(to_js(&views::ImportPreview::from(&preview))?)
    }

    /// Takes a file of another program in. `settings` is a `TakeInSettings`; `on_progress` is called with pieces done and in all.
    #[wasm_bindgen(js_name = takeIn, unchecked_return_type = "Imported")]
    pub async fn take_in(
        &self,
        name: JsValue,
        content: JsValue,
        settings: JsValue,
        on_progress: Option<Function>,
        signal: Option<AbortSignal>,
    ) -> Answered {
        let (name, content) = (argument::text("name", &name)?, bytes(&content)?);
        let settings: TakeInSettings = argument::read("options", &settings)?;
        let cancel = cancel_by(signal.as_ref());
        let core = self.current().await?;
        let preview = import::inspect(&name, &content, core.ports().clock().now());
        let preview = preview.map_err(|error| Failure::from(credence::Error::from(error)))?;
        let mut tell = |done: usize, total: usize| {
            if let Ok(progress) = to_js(&views::TakeInProgress::new(done, total)) {
                call(on_progress.as_ref(), &progress);
            }
        };
        let user = settings.user.as_deref();
        decided::<views::Imported, _>(core.take_in(&preview, user, &cancel, &mut tell).await)
    }

    /// Statements as a Markdown list. `options` is a `ListOptions`.
    #[wasm_bindgen(js_name = asMarkdown)]
    pub async fn as_markdown(&self, options: JsValue) -> Result<String, JsValue> {
        let options: ListOptions = argument::read("options", &options)?;
        Ok(self.current().await?.as_markdown(&options.query()))
    }

    /// Statements as a table. `options` is a `ListOptions`.
    #[wasm_bindgen(js_name = asCsv)]
    pub async fn as_csv(&self, options: JsValue) -> Result<String, JsValue> {
        let options: ListOptions = argument::read("options", &options)?;
        Ok(self.current().await?.as_csv(&options.query()))
    }

    /// Looks at everything that is stored of this memory.
    #[wasm_bindgen(js_name = checkHealth, unchecked_return_type = "HealthReport")]
    pub async fn check_health(&self) -> Answered {
        let report = self.core()?.check_health().await.map_err(Failure::from)?;
        Ok(to_js(&views::HealthReport::from(&report))?)
    }

    /// Looks again, and does what can be done about it.
    #[wasm_bindgen(unchecked_return_type = "Repaired")]
    pub async fn repair(&self) -> Answered {
        let core = self.core()?;
        let report = core.check_health().await.map_err(Failure::from)?;
        decided::<views::Repaired, _>(core.repair(&report).await)
    }
}

//! Every setting of the pipeline that the form has no field for, as JSON: extraction, filters, resolution, revision, gates, trust,
//! schema, ingestion, maintenance. What cannot be used is named with its place and changes nothing.

use credence::config::Config;
use leptos::prelude::*;
use serde_json::Value;

/// Settings that have a field of their own in the form.
const FIELDS: [&str; 6] =
    ["user_name", "recall_limit", "recall_floor", "history_turns", "trigger_interval", "decay_k"];

/// The settings as the field shows them.
pub(super) fn shown(config: &Config) -> String {
    let mut value = serde_json::to_value(config).unwrap_or_default();
    if let Some(members) = value.as_object_mut() {
        for name in FIELDS {
            members.remove(name);
        }
    }
    serde_json::to_string_pretty(&value).unwrap_or_default()
}

/// `base` with what the field holds; the error names line or setting.
pub(super) fn read(text: &str, base: &Config) -> Result<Config, String> {
    let typed: Value =
        serde_json::from_str(text).map_err(|e| format!("the JSON of the other settings: {e}"))?;
    let Value::Object(members) = &typed else {
        return Err("the other settings must be one JSON object".to_owned());
    };
    if let Some(name) = FIELDS.iter().find(|name| members.contains_key(**name)) {
        return Err(format!("`{name}` has a field of its own above"));
    }
    let mut whole = serde_json::to_value(base).unwrap_or_default();
    if let Some(whole) = whole.as_object_mut() {
        whole.retain(|name, _| FIELDS.contains(&name.as_str()));
        whole.extend(members.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    let config: Config = serde_json::from_value(whole).map_err(|e| format!("the other settings: {e}"))?;
    let known = serde_json::to_value(&config).unwrap_or_default();
    match unknown(&typed, &known) {
        Some(path) => Err(format!("there is no setting `{path}`")),
        None => Ok(config),
    }
}

/// The path of a member that was passed over.
fn unknown(typed: &Value, known: &Value) -> Option<String> {
    match (typed, known) {
        (Value::Object(typed), Value::Object(known)) => {
            typed.iter().find_map(|(name, value)| match known.get(name) {
                // What says nothing is left out when settings are written.
                None if is_nothing(value) => None,
                None => Some(name.clone()),
                Some(inner) => unknown(value, inner).map(|path| format!("{name}.{path}")),
            })
        }
        (Value::Array(typed), Value::Array(known)) => typed
            .iter()
            .zip(known)
            .enumerate()
            .find_map(|(n, (typed, known))| unknown(typed, known).map(|path| format!("{n}.{path}"))),
        _ => None,
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// The field, folded: most people never need it.
#[component]
pub(super) fn Advanced(text: RwSignal<String>) -> impl IntoView {
    let defaults = StoredValue::new(shown(&Config::default()));
    view! {
        <details class="more">
            <summary class="more__head" data-testid="settings-advanced-open">"Every other setting, as JSON"</summary>
            <p class="field__hint">
                "Extraction, filters, who is meant, revision, gates, trust, schema, documents, tidying. A name that is unknown or a value out of range is refused with its place."
            </p>
            <textarea
                class="field__input field__input--area field__input--code"
                data-testid="settings-advanced"
                aria-label="Every other setting, as JSON"
                rows="18"
                spellcheck="false"
                prop:value=text
                on:input=move |event| text.set(event_target_value(&event))
            ></textarea>
            <button type="button" class="button button--quiet button--small" on:click=move |_| text.set(defaults.get_value())>
                "Fill in the defaults"
            </button>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test]
    fn what_is_shown_reads_back_and_what_is_unknown_is_named() {
        let base = Config { recall_limit: 7, ..Config::default() };
        assert_eq!(read(&shown(&base), &base), Ok(base.clone()));
        let changed = read(r#"{"window_size": 12, "maintenance": {"automatic": true}}"#, &base).unwrap();
        assert_eq!((changed.window_size, changed.maintenance.automatic, changed.recall_limit), (12, true, 7));
        assert_eq!(read(r#"{"windw": 1}"#, &base), Err("there is no setting `windw`".into()));
        let inner = read(r#"{"maintenance": {"automatik": true}}"#, &base);
        assert_eq!(inner, Err("there is no setting `maintenance.automatik`".into()));
        assert!(read(r#"{"recall_limit": 1}"#, &base).is_err());
        assert!(read("{", &base).unwrap_err().contains("line 1"));
    }
}

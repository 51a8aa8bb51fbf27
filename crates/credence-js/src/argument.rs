//! Reading what JavaScript gives. A value that cannot be used is refused by name: `options.limit: invalid type: …`.
//!
//! Values come through their JSON form, so that unknown names are noticed (a typo must not silently mean the default), and
//! absent, `undefined` and left out are one.

use std::str::FromStr;

use credence::id::IdError;
use js_sys::JSON;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;

/// Reads `value` as a `T`; absent counts as an object without fields.
pub(crate) fn read<T: DeserializeOwned>(name: &str, value: &JsValue) -> Result<T, Failure> {
    let json = match json(name, value)? {
        Value::Null => Value::Object(serde_json::Map::new()),
        json => json,
    };
    serde_path_to_error::deserialize(json).map_err(|error| {
        let path = error.path().to_string();
        let place = if path == "." { name.to_owned() } else { format!("{name}.{path}") };
        let problem = error.into_inner().to_string();
        // Who reads a part by other means says where in it: `.scorer.by: unknown variant …`.
        if problem.starts_with(['.', '[']) {
            Failure::at(&place, &problem)
        } else {
            Failure::argument(&place, problem)
        }
    })
}

/// Reads any value that has a JSON form; absent counts as null.
pub(crate) fn json(name: &str, value: &JsValue) -> Result<Value, Failure> {
    if value.is_undefined() || value.is_null() {
        return Ok(Value::Null);
    }
    let text = JSON::stringify(value)
        .map_err(|_| Failure::argument(name, "it has no JSON form (a bigint, or it contains itself)"))?;
    let text = text.as_string().ok_or_else(|| Failure::argument(name, "a function or symbol is no value"))?;
    serde_json::from_str(&text).map_err(|error| Failure::argument(name, error))
}

/// Reads a text.
pub(crate) fn text(name: &str, value: &JsValue) -> Result<String, Failure> {
    value.as_string().ok_or_else(|| {
        Failure::argument(
            name,
            format!("expected a string, got {}", value.js_typeof().as_string().unwrap_or_default()),
        )
    })
}

/// Reads an id of the kind that the caller's type asks for.
pub(crate) fn id<T: FromStr<Err = IdError>>(name: &str, value: &JsValue) -> Result<T, Failure> {
    text(name, value)?.parse().map_err(|error| Failure::argument(name, error))
}

//! The file with the meanings of words: from the browser's cache, or else from beside the page. In a page and in a worker alike.

use credence::embedding::StaticModel;
use credence::llm::Role;
use credence::llm::settings::EndpointSettings;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Cache, Response, WorkerGlobalScope};

/// The file, beside the page.
const FILE: &str = "embedding/credence-en-128.sem1";

/// Where it is kept so that the app works without a network. Named by the file: another file is another cache.
pub(crate) const CACHE: &str = "credence-embedding-en-128";

/// Whether a person wants vectors of their endpoint: they named a model for them.
pub(crate) fn names_vectors(endpoint: &EndpointSettings) -> bool {
    endpoint.models.get(&Role::Embed).is_some_and(|name| !name.trim().is_empty())
}

/// What pages and workers have alike: fetching and caches are of the same names in both, and calls go by name.
fn scope() -> WorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// The model, or why it is not to be had.
pub(crate) async fn load() -> Result<StaticModel, String> {
    let cache = cache().await;
    if let Some(cache) = &cache
        && let Ok(found) = JsFuture::from(cache.match_with_str(FILE)).await
        && let Ok(response) = found.dyn_into::<Response>()
        && let Ok(model) = read(&response).await
    {
        return Ok(model);
    }
    let fetched = JsFuture::from(scope().fetch_with_str(FILE)).await;
    let response: Response = fetched.map_err(|_| "the file did not arrive".to_owned())?.unchecked_into();
    if !response.ok() {
        return Err(format!("the server answered {}", response.status()));
    }
    let copy = response.clone().ok();
    let model = read(&response).await?;
    // Kept only once it has proved readable; without a cache the file is fetched again next time.
    if let (Some(cache), Some(copy)) = (cache, copy) {
        let _ = JsFuture::from(cache.put_with_str(FILE, &copy)).await;
    }
    Ok(model)
}

async fn cache() -> Option<Cache> {
    // Absent outside secure contexts; asking would throw.
    if !scope().is_secure_context() {
        return None;
    }
    let opened = JsFuture::from(scope().caches().ok()?.open(CACHE)).await.ok()?;
    opened.dyn_into().ok()
}

async fn read(response: &Response) -> Result<StaticModel, String> {
    let words = |_: JsValue| "the file broke off".to_owned();
    let buffer = JsFuture::from(response.array_buffer().map_err(words)?).await.map_err(words)?;
    let bytes = js_sys::Uint8Array::new(&buffer).to_vec();
    StaticModel::load(bytes).map_err(|error| error.to_string())
}

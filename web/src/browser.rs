//! The page's surroundings: storage of preferences, clipboard, downloads, focus, panics. Nothing here knows the memory.

use leptos::prelude::{document, window};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, Element, File, HtmlAnchorElement, HtmlElement, MediaQueryList,
    ReadableWritablePair, Response, ScrollIntoViewOptions, ScrollLogicalPosition, Storage, Url,
};

#[wasm_bindgen]
extern "C" {
    /// Packs what flows through; web-sys has it only among its unstable interfaces.
    #[wasm_bindgen(extends = ReadableWritablePair)]
    type CompressionStream;
    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<CompressionStream, JsValue>;
    /// Unpacks it.
    #[wasm_bindgen(extends = ReadableWritablePair)]
    type DecompressionStream;
    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<DecompressionStream, JsValue>;
}

/// Says on the console and in the page that the app died, instead of leaving a page that does not react.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&JsValue::from_str(&info.to_string()));
        let Some(body) = document().body() else { return };
        let Ok(note) = document().create_element("p") else { return };
        note.set_class_name("crash");
        // Failing to decorate the note must not stop it from being shown.
        let _ = note.set_attribute("role", "alert");
        let _ = note.set_attribute("data-testid", "crash");
        note.set_text_content(Some(
            "Credence stopped because of a fault of its own. Everything that was saved is safe; reload the page to go on.",
        ));
        let _ = body.prepend_with_node_1(&note);
    }));
}

/// Storage of this device, where the browser allows it.
fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// A preference that was kept.
pub(crate) fn load(name: &str) -> Option<String> {
    storage()?.get_item(name).ok().flatten()
}

/// Keeps a preference; `false` where the browser does not.
pub(crate) fn save(name: &str, value: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(name, value).is_ok())
}

/// Forgets a preference.
pub(crate) fn remove(name: &str) {
    if let Some(storage) = storage() {
        // An absent item is what was wanted.
        let _ = storage.remove_item(name);
    }
}

/// Keeps a word for this tab's next page, where the browser allows it.
pub(crate) fn save_for_reload(name: &str, value: &str) {
    if let Ok(Some(storage)) = window().session_storage() {
        // Without it the page after the reload says nothing.
        let _ = storage.set_item(name, value);
    }
}

/// What the page before this one kept; it is handed out once.
pub(crate) fn take_after_reload(name: &str) -> Option<String> {
    let storage = window().session_storage().ok().flatten()?;
    let value = storage.get_item(name).ok().flatten();
    let _ = storage.remove_item(name);
    value
}

/// A media query, where the browser reads it.
pub(crate) fn media(query: &str) -> Option<MediaQueryList> {
    window().match_media(query).ok().flatten()
}

/// Wide enough for a third column; the same number stands in the style sheets.
const WIDE: &str = "(min-width: 1180px)";

/// Whether the window has room for a third column.
pub(crate) fn is_wide() -> bool {
    media(WIDE).is_some_and(|list| list.matches())
}

/// Puts the theme in force on the root element; `None` leaves it to the system.
pub(crate) fn apply_theme(theme: Option<&str>) {
    let Some(root) = document().document_element() else { return };
    // Both fail only for names that are no attribute names.
    let _ = match theme {
        Some(theme) => root.set_attribute("data-theme", theme),
        None => root.remove_attribute("data-theme"),
    };
}

/// Offers a text as a file.
pub(crate) fn download(name: &str, text: &str, media_type: &str) -> Result<(), JsValue> {
    offer(name, &blob(text, media_type)?)
}

/// The same, compressed with gzip.
pub(crate) async fn download_packed(name: &str, text: &str) -> Result<(), JsValue> {
    let packed = through(&blob(text, "application/json")?, &*CompressionStream::new("gzip")?).await?;
    offer(name, &packed)
}

fn blob(text: &str, media_type: &str) -> Result<Blob, JsValue> {
    let kind = BlobPropertyBag::new();
    kind.set_type(media_type);
    Blob::new_with_str_sequence_and_options(&js_sys::Array::of1(&JsValue::from_str(text)), &kind)
}

/// What comes of a blob on its way through a stream.
async fn through(blob: &Blob, stream: &ReadableWritablePair) -> Result<Blob, JsValue> {
    let flowing = blob.stream().pipe_through(stream);
    let whole = Response::new_with_opt_readable_stream(Some(&flowing))?.blob()?;
    JsFuture::from(whole).await?.dyn_into()
}

fn offer(name: &str, blob: &Blob) -> Result<(), JsValue> {
    let address = Url::create_object_url_with_blob(blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // The browser has taken the blob by the time that the click returns.
    Url::revoke_object_url(&address)
}

/// Copies a text; `false` where the browser refuses.
pub(crate) async fn copy(text: &str) -> bool {
    if !window().is_secure_context() {
        return false;
    }
    JsFuture::from(window().navigator().clipboard().write_text(text)).await.is_ok()
}

/// A file's text, read as UTF-8; unpacked where it was packed with gzip.
pub(crate) async fn read(file: &File) -> Option<String> {
    let packed = bytes(&file.slice_with_i32_and_i32(0, 2).ok()?).await? == [0x1f, 0x8b];
    let text = if packed {
        through(file, &*DecompressionStream::new("gzip").ok()?).await.ok()?.text()
    } else {
        file.text()
    };
    JsFuture::from(text).await.ok()?.as_string()
}

/// A blob's bytes.
pub(crate) async fn bytes(blob: &Blob) -> Option<Vec<u8>> {
    let buffer = JsFuture::from(blob.array_buffer()).await.ok()?;
    Some(js_sys::Uint8Array::new(&buffer).to_vec())
}

/// The element that has the focus.
pub(crate) fn focused() -> Option<HtmlElement> {
    document().active_element()?.dyn_into().ok()
}

/// Moves the focus to the element with this id.
pub(crate) fn focus(id: &str) {
    if let Some(element) =
        document().get_element_by_id(id).and_then(|found| found.dyn_into::<HtmlElement>().ok())
    {
        // Refused only by elements that are gone.
        let _ = element.focus();
    }
}

/// Scrolls the element with this id to its top.
pub(crate) fn to_top(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.set_scroll_top(0);
    }
}

/// Brings the element with this id into view.
pub(crate) fn reveal(id: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.scroll_into_view();
    }
}

/// Scrolls just far enough to show the whole element.
pub(crate) fn reveal_whole(element: &Element) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

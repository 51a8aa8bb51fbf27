//! A field for one file: chosen, or dropped on it. What stands below it is the caller's.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{DragEvent, File, FileList, HtmlInputElement};

/// The field. `name` is its id in the page and for checks.
#[component]
pub(crate) fn DropField(
    name: &'static str,
    label: &'static str,
    /// The kinds of file that the browser's own dialog offers.
    accept: &'static str,
    take: UnsyncCallback<File>,
    children: Children,
) -> impl IntoView {
    let over = RwSignal::new(false);
    let first = move |files: Option<FileList>| {
        if let Some(file) = files.and_then(|files| files.get(0)) {
            take.run(file);
        }
    };
    let chosen = move |event: web_sys::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        first(input.and_then(|input| input.files()));
    };
    let dropped = move |event: DragEvent| {
        event.prevent_default();
        over.set(false);
        first(event.data_transfer().and_then(|data| data.files()));
    };
    view! {
        <div
            class="drop"
            class:drop--over=move || over.get()
            on:dragover=move |event| {
                event.prevent_default();
                over.set(true);
            }
            on:dragleave=move |_| over.set(false)
            on:drop=dropped
        >
            <label class="field__label" for=name>{label}</label>
            <input id=name class="field__file" type="file" accept=accept data-testid=name on:change=chosen />
            {children()}
        </div>
    }
}

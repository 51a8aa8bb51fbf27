//! A dialog over the page: the browser's own, so that focus stays inside and Escape closes it.

use leptos::html;
use leptos::prelude::*;
use web_sys::{HtmlElement, KeyboardEvent};

use crate::browser;
use crate::components::icon::{Glyph, Icon};

/// A dialog that is open as long as it exists. When it goes, the focus returns to where it was.
#[component]
pub(crate) fn Dialog(
    /// Names it, for readers and checks.
    #[prop(into)]
    title: Signal<String>,
    /// The `data-testid`.
    testid: &'static str,
    /// A machine word for checks, where the dialog has stages.
    #[prop(optional, into)]
    state: Option<Signal<&'static str>>,
    /// Whether Escape and the cross close it now.
    #[prop(into)]
    closable: Signal<bool>,
    /// The `data-testid` of the cross.
    #[prop(optional)]
    close_testid: Option<&'static str>,
    /// Wide enough for lists.
    #[prop(optional)]
    wide: bool,
    /// Asked to close.
    on_close: Callback<()>,
    /// What it holds.
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    let before = StoredValue::new_local(browser::focused());
    Effect::new(move || {
        if let Some(dialog) = node.get()
            && !dialog.open()
        {
            // Refused only for a dialog that is open or out of the page.
            let _ = dialog.show_modal();
        }
    });
    on_cleanup(move || {
        if let Some(element) = before.try_with_value(Option::<HtmlElement>::clone).flatten() {
            request_animation_frame(move || {
                // An element that is gone takes no focus; the page then keeps it.
                let _ = element.focus();
            });
        }
    });
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            // Taken from the browser, which would close the element behind our back.
            event.prevent_default();
            event.stop_propagation();
            if closable.get_untracked() {
                on_close.run(());
            }
        }
    };
    let title_id = format!("{testid}-title");
    view! {
        <dialog
            node_ref=node
            class=if wide { "dialog dialog--wide" } else { "dialog" }
            data-testid=testid
            data-state=move || state.map(|state| state.get())
            aria-labelledby=title_id
            on:keydown=on_keydown
            on:cancel=move |event: web_sys::Event| {
                event.prevent_default();
                if closable.get_untracked() {
                    on_close.run(());
                }
            }
        >
            <header class="dialog__head">
                <h2 class="dialog__title" id=title_id.clone()>{move || title.get()}</h2>
                <Show when=move || closable.get()>
                    <button
                        type="button"
                        class="button button--quiet button--icon"
                        data-testid=close_testid
                        aria-label="Close"
                        on:click=move |_| on_close.run(())
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </Show>
            </header>
            <div class="dialog__body">{children()}</div>
        </dialog>
    }
}

//! Notices: what was done or could not be done, with what can be done about it.

use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::state::{App, Toast, ToastKind};

/// The notices, newest last. The region is always there, so that a screen reader hears what enters it.
#[component]
pub(crate) fn Toasts() -> impl IntoView {
    let app = App::get();
    view! {
        <div class="toasts" aria-live="polite" aria-relevant="additions">
            <For each=move || app.toasts.get() key=|toast| toast.id let(toast)>
                <Notice toast />
            </For>
        </div>
    }
}

#[component]
fn Notice(toast: Toast) -> impl IntoView {
    let app = App::get();
    let id = toast.id;
    let (kind, glyph) = match toast.kind {
        ToastKind::Info => ("info", None),
        ToastKind::Success => ("success", Some(Glyph::Check)),
        ToastKind::Error => ("error", Some(Glyph::Alert)),
    };
    view! {
        <div class=format!("toast toast--{kind}") data-testid="toast" data-kind=kind role=(kind == "error").then_some("alert")>
            {glyph.map(|glyph| view! { <Icon glyph /> })}
            <p class="toast__text">{toast.text}</p>
            {toast.action.map(|(words, act)| view! {
                <button
                    type="button"
                    class="button button--quiet button--small"
                    on:click=move |_| {
                        app.close_toast(id);
                        act.run(());
                    }
                >
                    {words}
                </button>
            })}
            <button
                type="button"
                class="button button--quiet button--icon button--small"
                data-testid="toast-close"
                aria-label="Dismiss"
                on:click=move |_| app.close_toast(id)
            >
                <Icon glyph=Glyph::Close />
            </button>
        </div>
    }
}

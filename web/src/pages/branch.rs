//! A name for a branch: a memory of its own that begins as this one was, and knows nothing of what came later.

use leptos::prelude::*;

use crate::actions;
use crate::actions::backup::BranchPoint;
use crate::components::dialog::Dialog;
use crate::components::field::TextField;
use crate::state::App;

/// Shows the dialog while somebody is about to branch.
#[component]
pub(crate) fn BranchDialog() -> impl IntoView {
    let app = App::get();
    move || app.branching.get().map(|point| view! { <Open point /> })
}

#[component]
fn Open(point: BranchPoint) -> impl IntoView {
    let app = App::get();
    let from = app.preferences.with_untracked(|p| p.context.clone());
    let (name, problem) = (RwSignal::new(format!("{from}, another way")), RwSignal::new(String::new()));
    let words = match point {
        BranchPoint::Commit(seq) => format!("as it was after change {seq}"),
        BranchPoint::Turn(..) => "as it was when this message had been written".to_owned(),
    };
    let go = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        actions::backup::branch(app, point, name.get_untracked().trim(), problem);
    };
    view! {
        <Dialog title="Go on another way" testid="branch-dialog" closable=true close_testid="branch-close" on_close=Callback::new(move |()| app.branching.set(None))>
            <form on:submit=go>
                <p class="dialog__text">
                    {format!("A new memory begins with \u{201c}{from}\u{201d} {words}. Nothing that came later is in it, and nothing that happens in one reaches the other.")}
                </p>
                <TextField id="branch-name" label="Its name" value=name problem=problem />
                <footer class="dialog__foot">
                    <button type="button" class="button" on:click=move |_| app.branching.set(None)>"Cancel"</button>
                    <button type="submit" class="button button--primary" data-testid="branch-go" disabled=move || name.with(|name| name.trim().is_empty())>"Branch"</button>
                </footer>
            </form>
        </Dialog>
    }
}

//! The questions of a run's memory: what stands against what and waits for a person. While the run is paused they are answered here, as an
//! act that is recorded with the run.

use credence::id::InboxId;
use credence::inbox::{InboxItem, Verdict};
use credence_sim::engine::{Manipulation, Phase};
use leptos::prelude::*;

use super::watched::Watched;
use crate::actions;
use crate::format;
use crate::pages::activity::decide::answers;
use crate::run_memory::Look;
use crate::state::App;

/// The questions, those that wait first.
#[component]
pub(super) fn Questions(look: Look, watched: Watched) -> impl IntoView {
    let app = App::get();
    let sim = app.simulation;
    let items = Memo::new(move |_| {
        look.read(|memory| {
            let mut items: Vec<InboxItem> = memory.state().inbox_items().cloned().collect();
            items.sort_by_key(|item| (!item.is_open(), item.id));
            items
        })
    });
    let open = move || items.with(|items| items.iter().filter(|item| item.is_open()).count());
    // Answered is what plays here and is held up; of any other run the questions are read only.
    let can = move || sim.phase.get() == Phase::Paused && watched.record.with(Option::is_none);
    view! {
        <p class="inspect__line" role="status">
            {move || match open() {
                0 => "Nothing waits for a decision.".to_owned(),
                n => format!("{} for a decision", format::count(n, "question waits", "questions wait")),
            }}
            {move || (open() > 0 && !can()).then_some(". Answers are given while the run is paused.")}
        </p>
        <ul class="inspect__list" data-testid="sim-questions" data-open=move || open().to_string()>
            <For each=move || items.get() key=|item| (item.id, item.is_open()) let(item)>
                <One item can=Signal::derive(can) />
            </For>
        </ul>
    }
}

#[component]
fn One(item: InboxItem, can: Signal<bool>) -> impl IntoView {
    let app = App::get();
    let id = item.id;
    let is_open = item.is_open();
    let (accept, reject) = answers(item.kind);
    let answer = move |question: InboxId, verdict: Verdict| {
        actions::simulate::act(app, Manipulation::Decide { question, verdict });
    };
    let came = match (&item.decision, &item.closed) {
        (Some(decided), _) => Some(format!(
            "Answered \u{201c}{}\u{201d}: {}",
            if decided.verdict == Verdict::Accept { accept } else { reject },
            decided.effect
        )),
        (None, Some(closed)) => Some(format!("Settled without an answer: {}", closed.why)),
        (None, None) => None,
    };
    view! {
        <li class="inspect__unit" data-testid="sim-question" data-open=is_open.to_string()>
            <span>{item.question.clone()}</span>
            <span class="inspect__line">{format::sentence(&item.why)}</span>
            {came.map(|words| view! { <span class="inspect__line">{format::sentence(&words)}</span> })}
            <Show when=move || is_open && can.get()>
                <span class="inspect__acts">
                    <button type="button" class="button button--small" data-testid="sim-question-accept" on:click=move |_| answer(id, Verdict::Accept)>{accept}</button>
                    <button type="button" class="button button--small" data-testid="sim-question-reject" on:click=move |_| answer(id, Verdict::Reject)>{reject}</button>
                </span>
            </Show>
        </li>
    }
}

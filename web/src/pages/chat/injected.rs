//! What memory gave to the prompt of an answer, as its use record tells it.

use credence::history::{Record, RecordId, UseItem, UseRecord};
use credence::id::UseId;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser;
use crate::components::icon::{Glyph, Icon};
use crate::format;
use crate::projection::status_label;
use crate::route::Page;
use crate::state::{App, AppMemory};

/// One supplied statement, as it was and as it is.
#[derive(Debug, Clone, PartialEq)]
struct Given {
    item: UseItem,
    text: String,
    /// What has become of it since, where something has.
    since: Option<&'static str>,
}

fn given(memory: &AppMemory, item: &UseItem) -> Given {
    let log = memory.log();
    let id = RecordId::Proposition(item.proposition);
    let supplied = log.history(id).find(|step| step.revision.id == item.revision);
    let text = match supplied.and_then(|step| step.revision.value.clone()) {
        Some(Record::Proposition(value)) => value.text,
        _ => "a statement that is no longer stored".to_owned(),
    };
    let since = match memory.state().proposition(item.proposition) {
        None => Some("forgotten since"),
        Some(now) if !now.status.is_live() => Some(status_label(now.status)),
        Some(now) if now.text != text => Some("reworded since"),
        Some(_) => None,
    };
    Given { item: item.clone(), text, since }
}

/// The panel, folded to a count.
#[component]
pub(super) fn Injected(record: UseId) -> impl IntoView {
    let app = App::get();
    let found = RwSignal::new(None::<UseRecord>);
    let is_open = RwSignal::new(false);
    let panel = NodeRef::<html::Div>::new();
    if let Some(memory) = app.memory() {
        spawn_local(async move {
            match memory.use_record(record).await {
                // The message may be gone by the time that its record is read.
                Ok(read) => drop(found.try_set(read)),
                Err(error) => app.fail("What memory gave to this answer cannot be read", &error),
            }
        });
    }
    view! {
        {move || found.get().filter(|record| !record.items.is_empty()).map(|record| {
            let count = record.items.len();
            let record = StoredValue::new(record);
            let items = move || {
                app.facts.track();
                app.read(|memory| record.with_value(|r| r.items.iter().map(|item| given(memory, item)).collect::<Vec<_>>()))
            };
            view! {
                <div class="injected" node_ref=panel data-testid="injected" data-count=count.to_string()>
                    <button
                        type="button"
                        class="injected__head"
                        data-testid="injected-toggle"
                        aria-expanded=move || is_open.get().to_string()
                        on:click=move |_| {
                            is_open.update(|open| *open = !*open);
                            request_animation_frame(move || {
                                if let Some(panel) = panel.get_untracked() {
                                    browser::reveal_whole(&panel);
                                }
                            });
                        }
                    >
                        <Icon glyph=Glyph::Memory />
                        {format!("Memory gave {}", format::count(count, "statement", "statements"))}
                        <Icon glyph=Glyph::Down />
                    </button>
                    <Show when=move || is_open.get()>
                        <ol class="injected__list">
                            {move || items().into_iter().map(|given| view! { <Item given /> }).collect_view()}
                        </ol>
                        {record.with_value(left_out).map(|words| view! { <p class="injected__rest">{words}</p> })}
                    </Show>
                </div>
            }
        })}
    }
}

fn left_out(record: &UseRecord) -> Option<String> {
    let parts: Vec<String> = record.left_out.iter().map(|(why, count)| format!("{count} {why}")).collect();
    (!parts.is_empty()).then(|| format!("Left out: {}", parts.join(", ")))
}

#[component]
fn Item(given: Given) -> impl IntoView {
    view! {
        <li class="injected__item" data-testid="injected-item" data-proposition=given.item.proposition.to_string()>
            <a class="injected__text" href=Page::Proposition(given.item.proposition).href()>{given.text}</a>
            <span class="injected__why">
                {given.item.why}
                {given.since.map(|since| view! { <span class="tag tag--struck">{since}</span> })}
            </span>
        </li>
    }
}

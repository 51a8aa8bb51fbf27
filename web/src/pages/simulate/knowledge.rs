//! The memory of a run: looked through by words and by meaning; its statements, its units with their lives, its questions, and who and what
//! is mentioned together.

use std::time::Duration;

use credence::proposition::{Order, PropositionQuery, Status};
use credence::retrieval::Similarity;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::entities::Entities;
use super::questions::Questions;
use super::units::Units;
use super::watched::Watched;
use crate::components::confidence::Confidence;
use crate::components::search::SearchField;
use crate::format;
use crate::projection::status_label;
use crate::run_memory::{Look, RunMemory, Seen};
use crate::state::App;

/// Most statements that a search by meaning brings, and the least nearness of each (simulator 6.6).
const NEAREST: usize = 20;
const NEAR: f64 = 0.5;
/// Characters from which meaning is searched, after a pause in typing (simulator 6.6).
const LEAST: usize = 3;
const PAUSE: Duration = Duration::from_millis(500);
/// Statements that are shown at once.
const STEP: usize = 60;

/// What of the memory is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Statements,
    Units,
    Questions,
    Entities,
}

const PARTS: [(Part, &str, &str); 4] = [
    (Part::Statements, "statements", "Statements"),
    (Part::Units, "units", "Units"),
    (Part::Questions, "questions", "Conflicts"),
    (Part::Entities, "graph", "Graph"),
];

/// The turn in which a commit was made, of those that were played.
pub(super) fn turn_of(watched: Watched, seq: u64) -> Option<u32> {
    watched.played.with(|turns| turns.iter().find(|turn| turn.seq >= seq).map(|turn| turn.turn))
}

/// The memory of what is watched.
#[component]
pub(crate) fn Knowledge(watched: Watched) -> impl IntoView {
    let app = App::get();
    let look = Look::at(app, watched);
    let words = RwSignal::new(watched.sought.get_untracked().unwrap_or_default());
    watched.sought.set(None);
    let part = RwSignal::new(Part::Statements);
    let state = move || match look.seen() {
        Seen::Nothing => "nothing",
        Seen::Opening => "opening",
        Seen::Here(..) => "here",
        Seen::Missing(_) => "missing",
    };
    view! {
        <div class="knowledge" data-testid="sim-knowledge" data-state=state>
            {move || match look.seen() {
                Seen::Nothing => view! { <p class="card__none">"A run has a memory once it plays."</p> }.into_any(),
                Seen::Opening => view! { <p class="card__none" role="status"><span class="pulse" aria-hidden="true"></span>"Reading the memory of the run\u{2026}"</p> }.into_any(),
                Seen::Missing(why) => view! { <p class="card__none">{why}</p> }.into_any(),
                Seen::Here(_, note) => view! {
                    {note.map(|note| view! { <p class="inspect__line">{note}</p> })}
                    <form class="filters knowledge__filters" role="search" on:submit=|event| event.prevent_default()>
                        <SearchField id="sim-memory-search" label="Search the memory of the run" placeholder="Search by words and by meaning" words />
                    </form>
                    <ByMeaning look words />
                    <div class="tabs tabs--inner" role="tablist" aria-label="Parts of the memory">
                        {PARTS.map(|(which, testid, label)| view! {
                            <button type="button" role="tab" class="tabs__tab" data-testid=format!("sim-memory-{testid}") aria-selected=move || (part.get() == which).to_string() on:click=move |_| part.set(which)>{label}</button>
                        }).collect_view()}
                    </div>
                    {move || match part.get() {
                        Part::Statements => view! { <Statements look watched words /> }.into_any(),
                        Part::Units => view! { <Units look watched words /> }.into_any(),
                        Part::Questions => view! { <Questions look watched /> }.into_any(),
                        Part::Entities => view! { <Entities look words /> }.into_any(),
                    }}
                }.into_any(),
            }}
        </div>
    }
}

/// Whether every one of the words is in a text, whatever their case.
pub(super) fn has_words(text: &str, words: &str) -> bool {
    let text = text.to_lowercase();
    words.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

/// What lies near to the words by meaning.
#[component]
fn ByMeaning(look: Look, words: RwSignal<String>) -> impl IntoView {
    // Counts what was asked: a late answer to an earlier question is not shown.
    let asked = RwSignal::new(0_u64);
    let found = RwSignal::new(None::<Result<Vec<(String, f64)>, String>>);
    Effect::new(move || {
        let wanted = words.get().trim().to_owned();
        asked.update(|asked| *asked += 1);
        let number = asked.get_untracked();
        found.set(None);
        if wanted.chars().count() < LEAST {
            return;
        }
        set_timeout(
            move || {
                let still = move || asked.try_get_untracked() == Some(number);
                let Some(memory) = look.memory().filter(|_| still()) else { return };
                spawn_local(async move {
                    let came = nearest(&memory, &wanted).await;
                    if still() {
                        let _ = found.try_set(Some(came));
                    }
                });
            },
            PAUSE,
        );
    });
    move || {
        found.get().map(|came| match came {
            Err(why) => view! { <p class="inspect__line">{why}</p> }.into_any(),
            Ok(rows) if rows.is_empty() => {
                view! { <p class="inspect__line" data-testid="sim-memory-near" data-count="0">"Nothing lies near to that by meaning."</p> }.into_any()
            }
            Ok(rows) => view! {
                <section class="knowledge__near" data-testid="sim-memory-near" data-count=rows.len().to_string() aria-label="Near by meaning">
                    <h3 class="inspect__title">"Near by meaning"</h3>
                    <ul class="inspect__list">
                        {rows.iter().map(|(text, score)| view! { <li class="inspect__unit knowledge__hit"><span class="knowledge__score">{format::percent(*score)}</span><span>{text.clone()}</span></li> }).collect_view()}
                    </ul>
                </section>
            }
            .into_any(),
        })
    }
}

async fn nearest(memory: &RunMemory, words: &str) -> Result<Vec<(String, f64)>, String> {
    if !memory.supports_vectors() {
        return Err("There are no vectors: words alone are searched.".to_owned());
    }
    let similarity = Similarity { threshold: NEAR, top_k: NEAREST };
    let found = memory.similar(words, similarity, &PropositionQuery::default()).await;
    let found = found.map_err(|error| format!("Meaning could not be searched: {error}"))?;
    Ok(found.into_iter().map(|one| (one.view.proposition.text, one.score)).collect())
}

/// A statement as the list shows it.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    text: String,
    status: Status,
    stated: f64,
    effective: f64,
    turn: Option<u32>,
}

/// The statuses that a person may choose among; `None`: all.
const STATUSES: [(&str, &str, Option<Status>); 6] = [
    ("", "Every status", None),
    ("active", "Active", Some(Status::Active)),
    ("promoted", "In the working set", Some(Status::Promoted)),
    ("superseded", "Superseded", Some(Status::Superseded)),
    ("contradicted", "Contradicted", Some(Status::Contradicted)),
    ("stale", "Stale", Some(Status::Stale)),
];

#[component]
fn Statements(look: Look, watched: Watched, words: RwSignal<String>) -> impl IntoView {
    let status = RwSignal::new(None::<Status>);
    let least = RwSignal::new(0_u32);
    let most = RwSignal::new(STEP);
    let rows = Memo::new(move |_| {
        let (wanted, status, least, words) = (most.get(), status.get(), least.get(), words.get());
        look.read(|memory| {
            let query = PropositionQuery {
                statuses: status.into_iter().collect(),
                order: Order::CreatedDesc,
                ..PropositionQuery::default()
            };
            let found = memory.propositions(&query).into_iter().filter(|view| {
                view.effective * 100.0 >= f64::from(least) && has_words(&view.proposition.text, &words)
            });
            let found: Vec<_> = found.collect();
            let total = found.len();
            let rows = found.into_iter().take(wanted).map(|view| {
                let began = memory.history(view.proposition.id).last().map(|revision| revision.seq);
                Row {
                    text: view.proposition.text.clone(),
                    status: view.proposition.status,
                    stated: view.proposition.confidence.get(),
                    effective: view.effective,
                    turn: began.and_then(|seq| turn_of(watched, seq)),
                }
            });
            (rows.collect::<Vec<_>>(), total)
        })
    });
    view! {
        <div class="filters knowledge__filters">
            <label class="filters__choice">
                <span>"Status"</span>
                <select class="field__input" data-testid="sim-memory-status" on:change=move |event| {
                    let word = event_target_value(&event);
                    status.set(STATUSES.iter().find(|(known, ..)| *known == word).and_then(|(.., status)| *status));
                }>
                    {STATUSES.map(|(word, label, _)| view! { <option value=word>{label}</option> }).collect_view()}
                </select>
            </label>
            <label class="filters__choice knowledge__number">
                <span>"Worth at least, %"</span>
                <input class="field__input" type="number" min="0" max="100" step="5" data-testid="sim-memory-least" prop:value=move || least.get().to_string() on:input=move |event| least.set(event_target_value(&event).parse().unwrap_or(0)) />
            </label>
        </div>
        <p class="inspect__line" role="status">{move || format::count(rows.with(|(_, total)| *total), "statement", "statements")}</p>
        <ul class="inspect__list" data-testid="sim-memory-rows" data-count=move || rows.with(|(_, total)| total.to_string())>
            {move || rows.get().0.into_iter().map(|row| {
                let live = row.status.is_live();
                view! {
                    <li class="inspect__unit" data-testid="sim-memory-row" data-status=row.status.as_str().to_lowercase()>
                        <span>{if live { row.text.into_any() } else { view! { <s>{row.text}</s> }.into_any() }}</span>
                        <span class="inspect__badges">
                            <Confidence effective=row.effective stated=row.stated />
                            <span class="tag" class:tag--struck=!live>{status_label(row.status)}</span>
                            {row.turn.map(|turn| view! {
                                <button type="button" class="button button--quiet button--small" on:click=move |_| watched.selected.set(Some(turn))>{format!("turn {turn}")}</button>
                            })}
                        </span>
                    </li>
                }
            }).collect_view()}
        </ul>
        <Show when=move || rows.with(|(rows, total)| rows.len() < *total)>
            <button type="button" class="button memory__more" on:click=move |_| most.update(|most| *most += STEP)>"Show more"</button>
        </Show>
    }
}

//! The units of a run over its turns: a line each while it stands in the working set, with a mark where something happened to it.
//!
//! The lines follow the working sets at the turns' ends; the marks are the changes that the record has with their causes. The columns are
//! those of the strip above, so that a mark stands under its turn.

use std::collections::BTreeMap;
use std::sync::Arc;

use credence_sim::run::{DiffEvent, DiffKind, TurnRecord};
use leptos::html;
use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::talk::Strip;
use super::watched::Watched;

/// A column's width in the drawing; the strip's cell and its gap in the style sheet, in sixteenths of a rem.
const PITCH: f64 = 26.0;
/// A row's height in the drawing.
const HEIGHT: f64 = 22.0;

/// What happened to a unit in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mark {
    /// The turn's place in the run.
    at: usize,
    turn: u32,
    /// The most telling of its changes.
    kind: DiffKind,
    /// All of them, in words.
    words: String,
}

/// One unit.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Life {
    unit: String,
    text: String,
    /// From which to which turn it stood, by the turns' places.
    spans: Vec<(usize, usize)>,
    marks: Vec<Mark>,
}

/// The letter and word of a change. Which of several is drawn: the one that comes last here.
fn mark_of(kind: DiffKind) -> (&'static str, &'static str, u8) {
    match kind {
        DiffKind::Decayed => ("D", "faded", 0),
        DiffKind::Reinforced => ("R", "reinforced", 1),
        DiffKind::AuthorityChanged => ("U", "authority moved", 2),
        DiffKind::Created => ("C", "created", 3),
        DiffKind::Revived => ("W", "woke", 4),
        DiffKind::Evicted => ("S", "fell asleep", 5),
        DiffKind::Archived => ("A", "archived", 6),
        DiffKind::Superseded => ("X", "superseded", 7),
    }
}

fn class_of(kind: DiffKind) -> &'static str {
    match kind {
        DiffKind::Created | DiffKind::Revived => "lives__mark lives__mark--in",
        DiffKind::Reinforced => "lives__mark lives__mark--up",
        DiffKind::Decayed => "lives__mark lives__mark--down",
        DiffKind::AuthorityChanged => "lives__mark lives__mark--level",
        DiffKind::Evicted => "lives__mark lives__mark--asleep",
        DiffKind::Archived | DiffKind::Superseded => "lives__mark lives__mark--out",
    }
}

fn in_words(event: &DiffEvent) -> String {
    let moved = match (event.activation_before, event.activation_after) {
        (from, to) if from > 0 && to > 0 && from != to => format!(" {from} to {to}"),
        _ => String::new(),
    };
    let (_, word, _) = mark_of(event.kind);
    format!("{word}{moved} ({})", event.because.why)
}

/// The lives, in the order in which the units entered.
fn lives(turns: &[Arc<TurnRecord>]) -> Vec<Life> {
    let mut order: Vec<String> = Vec::new();
    let mut all: BTreeMap<String, Life> = BTreeMap::new();
    let mut enter = |all: &mut BTreeMap<String, Life>, unit: String, text: &str| {
        if !all.contains_key(&unit) {
            order.push(unit.clone());
            let life =
                Life { unit: unit.clone(), text: text.to_owned(), spans: Vec::new(), marks: Vec::new() };
            all.insert(unit.clone(), life);
        }
        unit
    };
    for (at, turn) in turns.iter().enumerate() {
        for view in &turn.units_after {
            let unit = enter(&mut all, view.id().to_string(), &view.proposition.text);
            let Some(life) = all.get_mut(&unit) else { continue };
            view.proposition.text.clone_into(&mut life.text);
            match life.spans.last_mut() {
                Some((_, to)) if *to + 1 == at => *to = at,
                _ => life.spans.push((at, at)),
            }
        }
        for event in &turn.events {
            let unit = enter(&mut all, event.unit.clone(), &event.text);
            let Some(life) = all.get_mut(&unit) else { continue };
            let words = in_words(event);
            match life.marks.last_mut().filter(|mark| mark.at == at) {
                Some(mark) => {
                    mark.words = format!("{}; {words}", mark.words);
                    if mark_of(event.kind).2 > mark_of(mark.kind).2 {
                        mark.kind = event.kind;
                    }
                }
                None => life.marks.push(Mark { at, turn: turn.turn, kind: event.kind, words }),
            }
        }
    }
    order.into_iter().filter_map(|unit| all.remove(&unit)).collect()
}

/// The turns as a strip, and below it the units over them. Whoever follows a run sees its latest turns.
#[component]
pub(crate) fn Track(watched: Watched) -> impl IntoView {
    let node = NodeRef::<html::Div>::new();
    Effect::new(move || {
        watched.played.track();
        if watched.selected.get_untracked().is_none() {
            request_animation_frame(move || {
                if let Some(track) = node.get_untracked() {
                    track.set_scroll_left(track.scroll_width());
                }
            });
        }
    });
    view! {
        <div class="track" node_ref=node>
            <Strip watched />
            <Lives watched />
        </div>
    }
}

/// The rows, folded until somebody wants them.
#[component]
fn Lives(watched: Watched) -> impl IntoView {
    let open = RwSignal::new(false);
    let rows =
        Memo::new(move |_| if open.get() { watched.played.with(|turns| lives(turns)) } else { Vec::new() });
    let columns = move || watched.played.with(Vec::len);
    view! {
        <button
            type="button"
            class="lives__toggle"
            data-testid="sim-lives-toggle"
            aria-expanded=move || open.get().to_string()
            on:click=move |_| open.update(|open| *open = !*open)
        >
            {move || if open.get() { "Hide the units over the turns" } else { "Show the units over the turns" }}
        </button>
        <Show when=move || open.get()>
            <ul class="lives" data-testid="sim-lives" data-count=move || rows.with(Vec::len).to_string()>
                {move || {
                    let wide = columns();
                    rows.get().into_iter().map(|life| view! { <Row watched life columns=wide /> }).collect_view()
                }}
            </ul>
            <p class="lives__key" aria-hidden="true">
                "C created, R reinforced, D faded, U authority moved, S fell asleep, W woke, A archived, X superseded"
            </p>
            <Show when=move || rows.with(Vec::is_empty)>
                <p class="lives__key">"No unit stood in the working set yet."</p>
            </Show>
        </Show>
    }
}

#[component]
fn Row(watched: Watched, life: Life, columns: usize) -> impl IntoView {
    let wide = columns.max(1) as f64 * PITCH;
    let middle = |at: usize| at as f64 * PITCH + 12.0;
    let half = HEIGHT / 2.0;
    let lines = life.spans.iter().map(|(from, to)| {
        let (x1, x2) = (middle(*from) - 8.0, middle(*to) + 8.0);
        view! { <line class="lives__line" x1=format!("{x1:.0}") x2=format!("{x2:.0}") y1=half.to_string() y2=half.to_string() /> }
    });
    let marks = life.marks.iter().map(|mark| {
        let turn = mark.turn;
        let (letter, ..) = mark_of(mark.kind);
        let words = format!("Turn {turn}: {}", mark.words);
        let select = move || watched.selected.set(Some(turn));
        let x = middle(mark.at);
        view! {
            <g
                class=class_of(mark.kind)
                class:lives__mark--chosen=move || watched.selected.get() == Some(turn)
                role="button"
                tabindex="0"
                aria-label=words.clone()
                data-testid="sim-life-mark"
                data-kind=letter
                data-turn=turn.to_string()
                on:click=move |_| select()
                on:keydown=move |event: KeyboardEvent| {
                    if matches!(event.key().as_str(), "Enter" | " ") {
                        event.prevent_default();
                        select();
                    }
                }
            >
                <title>{words.clone()}</title>
                <circle cx=format!("{x:.0}") cy=half.to_string() r="9" />
                <text x=format!("{x:.0}") y=(half + 4.0).to_string()>{letter}</text>
            </g>
        }
    });
    view! {
        <li class="lives__row" data-testid="sim-life" data-unit=life.unit.clone()>
            <span class="lives__text" title=life.text.clone()>{life.text.clone()}</span>
            <svg class="lives__plot" width=format!("{:.3}rem", wide / 16.0) height=format!("{:.3}rem", HEIGHT / 16.0) viewBox=format!("0 0 {wide:.0} {HEIGHT:.0}") role="group" aria-label=life.text.clone()>
                {lines.collect_view()}
                {marks.collect_view()}
            </svg>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use credence_sim::run::{DiffCause, TurnTrace};
    use credence_sim::scenario::TurnKind;
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn turn(number: u32, changes: &[(&str, DiffKind, u16, u16)]) -> Arc<TurnRecord> {
        let events = changes.iter().map(|(unit, kind, before, after)| DiffEvent {
            unit: (*unit).to_owned(),
            text: format!("{unit} holds"),
            kind: *kind,
            activation_before: *before,
            activation_after: *after,
            because: DiffCause { cause: "manual".into(), why: "somebody said so".into(), seq: 1 },
        });
        Arc::new(TurnRecord {
            turn: number,
            kind: TurnKind::WarmUp,
            session: None,
            strategies: Vec::new(),
            targets: Vec::new(),
            player: String::new(),
            line: None,
            reply: String::new(),
            failed: None,
            injection: true,
            judgements: Vec::new(),
            units_before: Vec::new(),
            units_after: Vec::new(),
            events: events.collect(),
            trace: TurnTrace::default(),
            compliance: None,
            compaction: None,
            duration_ms: 0,
            seq: 0,
        })
    }

    #[wasm_bindgen_test]
    fn a_turn_has_one_mark_a_unit_and_it_tells_all() {
        let rows = lives(&[
            turn(0, &[("b", DiffKind::Created, 0, 500)]),
            turn(
                1,
                &[
                    ("b", DiffKind::Reinforced, 500, 560),
                    ("b", DiffKind::AuthorityChanged, 500, 560),
                    ("a", DiffKind::Created, 0, 400),
                ],
            ),
        ]);
        let units: Vec<&str> = rows.iter().map(|life| life.unit.as_str()).collect();
        assert_eq!(units, ["b", "a"], "in the order in which they entered");
        let marks: Vec<(usize, u32, DiffKind)> =
            rows[0].marks.iter().map(|mark| (mark.at, mark.turn, mark.kind)).collect();
        assert_eq!(marks, [(0, 0, DiffKind::Created), (1, 1, DiffKind::AuthorityChanged)]);
        let words = &rows[0].marks[1].words;
        assert!(words.contains("reinforced 500 to 560") && words.contains("authority moved"), "{words}");
    }
}

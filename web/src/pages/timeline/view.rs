//! The memory after any commit: a curve of what was in force, a slider along it, the statements as they stood there, and what lies between
//! there and now, or any other commit.

use leptos::prelude::*;

use super::commit::Changes;
use crate::actions;
use crate::actions::backup::BranchPoint;
use crate::format;
use crate::projection::{self, Growth};
use crate::route::Page;
use crate::state::App;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 84.0;

/// Statements that are listed at once.
const MOST: usize = 60;

#[component]
pub(super) fn AtCommit(growth: Memo<Growth>) -> impl IntoView {
    let app = App::get();
    let last = Memo::new(move |_| (growth.with(|g| g.live.len()) - 1) as u64);
    // Views of earlier changes are gone.
    let horizon = Memo::new(move |_| {
        last.track();
        app.read(|memory| memory.log().horizon())
    });
    // Nothing chosen follows the present.
    let chosen = RwSignal::new(None::<u64>);
    let at = Memo::new(move |_| chosen.get().unwrap_or(u64::MAX).min(last.get()));
    let is_past = Memo::new(move |_| at.get() < last.get());
    let comparing = RwSignal::new(false);
    let rows = Memo::new(move |_| {
        if is_past.get() {
            app.read(|memory| projection::statements_at(memory, at.get()))
        } else {
            Vec::new()
        }
    });
    // The other end of the comparison; nothing chosen is the present.
    let other = RwSignal::new(None::<u64>);
    let end = Memo::new(move |_| other.get().unwrap_or(u64::MAX).min(last.get()));
    let span = Memo::new(move |_| (at.get().min(end.get()), at.get().max(end.get())));
    let between = Memo::new(move |_| {
        if is_past.get() && comparing.get() {
            let (from, to) = span.get();
            app.read(|memory| projection::changes(memory, from, to))
        } else {
            Vec::new()
        }
    });
    let time_of = move |seq: u64| {
        app.read(|memory| memory.log().commit_at(seq).ok().map(|commit| format::instant(commit.at)))
            .unwrap_or_default()
    };
    let when = move || time_of(at.get());
    let end_words = move || match end.get() {
        0 => "before the first change".to_owned(),
        seq if seq == last.get() => "now".to_owned(),
        seq => format!("after change {seq}, {}", time_of(seq)),
    };
    let span_words = move || {
        let (from, to) = span.get();
        let count = between.with(Vec::len);
        match (from == to, count) {
            (true, _) => "Both ends are the same change".to_owned(),
            (_, 0) => format!("Nothing differs between change {from} and change {to}"),
            _ => format!(
                "{} between change {from} and change {to}",
                format::count(count, "record differs", "records differ")
            ),
        }
    };
    let live = move || growth.with(|g| g.live.get(at.get() as usize).copied().unwrap_or_default());
    let words = move || match (at.get(), is_past.get()) {
        (0, true) => "Before the first change: nothing".to_owned(),
        (seq, true) => format!(
            "After change {seq}, {}: {} in force",
            when(),
            format::count(live(), "statement", "statements")
        ),
        (seq, false) => {
            format!("Now, after change {seq}: {} in force", format::count(live(), "statement", "statements"))
        }
    };
    view! {
        <section class="card" aria-labelledby="timeline-view">
            <h2 class="card__title" id="timeline-view">"The memory at any change"</h2>
            <Plot growth at />
            <input
                type="range"
                class="timeline__slider"
                min="0"
                max=move || last.get().to_string()
                data-testid="timeline-slider"
                aria-label="Change"
                aria-valuetext=words
                prop:value=move || at.get().to_string()
                on:input=move |event| chosen.set(event_target_value(&event).parse().ok())
            />
            <p class="timeline__at" data-testid="timeline-at" data-seq=move || at.get().to_string() data-live=move || live().to_string()>{words}</p>
            <Show when=move || is_past.get()>
                <div class="timeline__acts">
                    <button type="button" class="button button--small" data-testid="timeline-now" on:click=move |_| chosen.set(None)>"Back to now"</button>
                    <button type="button" class="button button--small" data-testid="timeline-compare" aria-pressed=move || comparing.get().to_string() on:click=move |_| comparing.update(|on| *on = !*on)>
                        "Compare with another change"
                    </button>
                    <Show when=move || at.get() != 0>
                        <button type="button" class="button button--small" data-testid="timeline-branch" on:click=move |_| app.branching.set(Some(BranchPoint::Commit(at.get_untracked())))>
                            "Go on another way from here"
                        </button>
                    </Show>
                    <button type="button" class="button button--small" data-testid="timeline-revert" on:click=move |_| actions::history::ask_revert(app, at.get_untracked())>
                        "Take the memory back to here"
                    </button>
                </div>
                <Show
                    when=move || comparing.get()
                    fallback=move || view! {
                        {move || (at.get() < horizon.get()).then(|| view! {
                            <p class="timeline__at" data-testid="timeline-compacted">{format!("History was dropped here: the first change that can be shown is {}.", horizon.get())}</p>
                        })}
                        <ul class="then" data-testid="then" data-count=move || rows.with(Vec::len).to_string()>
                            {move || rows.get().into_iter().take(MOST).map(|row| {
                                let text = if row.live { row.text.into_any() } else { view! { <s>{row.text}</s> }.into_any() };
                                view! {
                                    <li class="then__row" data-testid="then-row" data-proposition=row.id.to_string()>
                                        <a class="then__text" href=Page::Proposition(row.id).href()>{text}</a>
                                        {(!row.live).then(|| view! { <span class="tag tag--struck">{row.status}</span> })}
                                        {row.since.map(|since| view! { <span class="tag">{since}</span> })}
                                    </li>
                                }
                            }).collect_view()}
                        </ul>
                        {move || {
                            let more = rows.with(Vec::len).saturating_sub(MOST);
                            (more > 0).then(|| view! { <p class="card__none">{format!("and {} more", format::grouped(more))}</p> })
                        }}
                    }
                >
                    <label class="timeline__end">
                        <span>"Compared with the memory " <strong data-testid="timeline-end" data-seq=move || end.get().to_string()>{end_words}</strong></span>
                        <input
                            type="range"
                            class="timeline__slider"
                            min="0"
                            max=move || last.get().to_string()
                            data-testid="timeline-other"
                            aria-valuetext=end_words
                            prop:value=move || end.get().to_string()
                            on:input=move |event| other.set(event_target_value(&event).parse().ok())
                        />
                    </label>
                    <p class="timeline__at" data-testid="timeline-differs" data-count=move || between.with(Vec::len).to_string()>{span_words}</p>
                    <Changes rows=between />
                </Show>
            </Show>
        </section>
    }
}

/// Statements in force after each change.
#[component]
fn Plot(growth: Memo<Growth>, at: Memo<u64>) -> impl IntoView {
    let shape = Memo::new(move |_| {
        growth.with(|g| {
            let last = (g.live.len() - 1).max(1);
            let most = g.live.iter().copied().max().unwrap_or(1).max(1);
            // One point a pixel is all that can be seen.
            let step = (g.live.len() / WIDTH as usize).max(1);
            let point = |n: usize| {
                let x = n as f64 / last as f64 * WIDTH;
                let y = HEIGHT - g.live[n] as f64 / most as f64 * (HEIGHT - 6.0);
                format!("{x:.1} {y:.1}")
            };
            let line: Vec<String> =
                (0..g.live.len()).filter(|n| n % step == 0 || *n == last).map(point).collect();
            (format!("M{}", line.join(" L")), most)
        })
    });
    let x = Memo::new(move |_| {
        let last = growth.with(|g| g.live.len() - 1).max(1);
        format!("{:.1}", at.get() as f64 / last as f64 * WIDTH)
    });
    view! {
        <svg class="timeline__plot" viewBox=format!("0 0 {WIDTH} {HEIGHT}") preserveAspectRatio="none" role="img" aria-label=move || format!("Statements in force, at most {}", shape.with(|s| s.1))>
            <path class="curve__area" d=move || shape.with(|(line, _)| format!("{line} L{WIDTH} {HEIGHT} L0 {HEIGHT} Z")) />
            <path class="curve__line" d=move || shape.with(|(line, _)| line.clone()) />
            <line class="timeline__here" x1=x x2=x y1="0" y2=HEIGHT.to_string() />
        </svg>
    }
}

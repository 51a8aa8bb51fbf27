//! Every unit that a run's memory has had, with where it stands and its life: each revision with its turn, what it changed, and why.

use credence::history::{Blame, Record, RecordId};
use credence::id::PropositionId;
use credence::unit::{Authority, Standing, Tier, Unit};
use leptos::prelude::*;

use super::knowledge::{has_words, turn_of};
use super::watched::Watched;
use crate::components::unit::{ActivationBar, AuthorityBadge};
use crate::format;
use crate::projection::{actor_label, authority_label, standing_words};
use crate::run_memory::{Look, RunMemory};

/// One unit.
#[derive(Debug, Clone, PartialEq)]
struct Row {
    id: PropositionId,
    text: String,
    authority: Authority,
    tier: Tier,
    activation: u16,
    pinned: bool,
    evidence: usize,
    standing: Standing,
    life: Vec<Step>,
}

/// One step of a unit's life.
#[derive(Debug, Clone, PartialEq)]
struct Step {
    seq: u64,
    what: Vec<String>,
    why: String,
    who: &'static str,
}

/// What of the units is shown first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Activation,
    Authority,
    Text,
}

const ORDERS: [(By, &str, &str); 3] = [
    (By::Activation, "activation", "Most activated first"),
    (By::Authority, "authority", "Highest authority first"),
    (By::Text, "text", "By their words"),
];

const LEVELS: [Authority; 4] =
    [Authority::Canon, Authority::Reliable, Authority::Unreliable, Authority::Provisional];

/// The units that pass.
#[component]
pub(super) fn Units(look: Look, watched: Watched, words: RwSignal<String>) -> impl IntoView {
    let level = RwSignal::new(None::<Authority>);
    let least = RwSignal::new(0_u16);
    let by = RwSignal::new(By::Activation);
    let rows = Memo::new(move |_| {
        let (level, least, by, words) = (level.get(), least.get(), by.get(), words.get());
        let mut rows = look.read(all);
        rows.retain(|row| {
            level.is_none_or(|level| row.authority == level)
                && row.activation >= least
                && has_words(&row.text, &words)
        });
        let stands = |row: &Row| row.standing != Standing::Active;
        rows.sort_by(|a, b| {
            let first = stands(a).cmp(&stands(b));
            first.then_with(|| match by {
                By::Activation => b.activation.cmp(&a.activation),
                By::Authority => b.authority.cmp(&a.authority).then(b.activation.cmp(&a.activation)),
                By::Text => a.text.cmp(&b.text),
            })
        });
        rows
    });
    view! {
        <div class="filters knowledge__filters">
            <label class="filters__choice">
                <span>"Authority"</span>
                <select class="field__input" data-testid="sim-memory-level" on:change=move |event| {
                    let word = event_target_value(&event);
                    level.set(LEVELS.into_iter().find(|level| level.as_str() == word));
                }>
                    <option value="">"Every level"</option>
                    {LEVELS.map(|level| view! { <option value=level.as_str()>{authority_label(level)}</option> }).collect_view()}
                </select>
            </label>
            <label class="filters__choice knowledge__number">
                <span>"Activation from"</span>
                <input class="field__input" type="number" min="0" max="900" step="50" prop:value=move || least.get().to_string() on:input=move |event| least.set(event_target_value(&event).parse().unwrap_or(0)) />
            </label>
            <label class="filters__choice">
                <span>"Order"</span>
                <select class="field__input" on:change=move |event| {
                    let word = event_target_value(&event);
                    if let Some((order, ..)) = ORDERS.iter().find(|(_, known, _)| *known == word) {
                        by.set(*order);
                    }
                }>
                    {ORDERS.map(|(_, word, label)| view! { <option value=word>{label}</option> }).collect_view()}
                </select>
            </label>
        </div>
        <p class="inspect__line" role="status">
            {move || rows.with(|rows| {
                let stand = rows.iter().filter(|row| row.standing == Standing::Active).count();
                format!("{}, {stand} in force", format::count(rows.len(), "unit", "units"))
            })}
        </p>
        <ul class="inspect__list" data-testid="sim-memory-list" data-count=move || rows.with(Vec::len).to_string()>
            <For each=move || rows.get() key=|row| (row.id, row.life.len(), row.activation, row.pinned) let(row)>
                <One watched row />
            </For>
        </ul>
    }
}

#[component]
fn One(watched: Watched, row: Row) -> impl IntoView {
    let stands = row.standing == Standing::Active;
    let life = row.life;
    view! {
        <li class="inspect__unit" data-testid="sim-memory-unit" data-active=stands.to_string() data-authority=row.authority.as_str()>
            <span class="inspect__badges">
                <AuthorityBadge authority=row.authority />
                <ActivationBar activation=row.activation tier=row.tier marks=(350, 600) />
                {row.pinned.then(|| view! { <span class="tag tag--pin">"pinned"</span> })}
                {standing_words(&row.standing).map(|words| view! { <span class="tag tag--struck">{words}</span> })}
                {(row.evidence > 0).then(|| view! { <span class="tag">{format::count(row.evidence, "piece of evidence", "pieces of evidence")}</span> })}
            </span>
            <span>{row.text}</span>
            <details>
                <summary>{format!("Its life ({})", format::count(life.len(), "step", "steps"))}</summary>
                <ol class="knowledge__life">
                    {life.into_iter().map(|step| {
                        let turn = turn_of(watched, step.seq);
                        view! {
                            <li class="inspect__line" data-testid="sim-memory-step">
                                {match turn {
                                    Some(turn) => view! { <button type="button" class="button button--quiet button--small" on:click=move |_| watched.selected.set(Some(turn))>{format!("turn {turn}")}</button> }.into_any(),
                                    None => view! { <span>"now "</span> }.into_any(),
                                }}
                                <strong>{step.what.join(", ")}</strong>
                                {format!(" by {}", step.who)}
                                {(!step.why.is_empty()).then(|| format!(": {}", step.why))}
                            </li>
                        }
                    }).collect_view()}
                </ol>
            </details>
        </li>
    }
}

fn all(memory: &RunMemory) -> Vec<Row> {
    let ids: Vec<PropositionId> = memory.state().units().map(|unit| unit.proposition).collect();
    let row = |id: PropositionId| {
        let view = memory.unit(id)?;
        Some(Row {
            id,
            text: view.proposition.text.clone(),
            authority: view.authority,
            tier: view.tier,
            activation: view.activation.get(),
            pinned: view.proposition.pinned,
            evidence: view.unit.evidence().len(),
            standing: view.unit.standing().clone(),
            life: life(memory, id),
        })
    };
    ids.into_iter().filter_map(row).collect()
}

/// The revisions of a unit, oldest first.
fn life(memory: &RunMemory, id: PropositionId) -> Vec<Step> {
    let log = memory.log();
    let mut before: Option<Unit> = None;
    let mut steps = Vec::new();
    for Blame { commit, revision, .. } in log.history(RecordId::Unit(id)) {
        let after = match &revision.value {
            Some(Record::Unit(unit)) => Some(unit.clone()),
            _ => None,
        };
        let what = changes(before.as_ref(), after.as_ref());
        let why = if revision.why.is_empty() { &commit.reason } else { &revision.why };
        steps.push(Step { seq: commit.seq, what, why: why.clone(), who: actor_label(commit.actor) });
        before = after;
    }
    steps
}

/// What a revision changed, in words.
fn changes(before: Option<&Unit>, after: Option<&Unit>) -> Vec<String> {
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => (before, after),
        (None, Some(after)) => {
            let level = authority_label(after.authority()).to_lowercase();
            return vec![format!("entered as {level} at {}", after.stored_activation().get())];
        }
        (_, None) => return vec!["removed".to_owned()],
    };
    let mut found = Vec::new();
    if before.authority() != after.authority() {
        let label = |unit: &Unit| authority_label(unit.authority()).to_lowercase();
        found.push(format!("{} \u{2192} {}", label(before), label(after)));
    }
    let (from, to) = (before.stored_activation().get(), after.stored_activation().get());
    if from != to {
        found.push(format!("activation {from} \u{2192} {to}"));
    }
    if before.standing() != after.standing() {
        found.push(standing_words(after.standing()).unwrap_or("in force").to_owned());
    }
    let more = after.evidence().len().saturating_sub(before.evidence().len());
    if more > 0 {
        found.push(format::count(more, "piece of evidence", "pieces of evidence"));
    }
    if before.trust() != after.trust() && found.is_empty() {
        found.push("trust scored anew".to_owned());
    }
    if found.is_empty() {
        found.push("noted".to_owned());
    }
    found
}

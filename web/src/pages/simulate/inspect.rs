//! Two parts of the look into a turn: the rules that its units stood under with what met them, and what was summed up, kept and lost.

use std::collections::BTreeMap;

use credence::compaction::{Attempt, CompactionReason, Loss, Summary, Writer};
use credence::id::PropositionId;
use credence::unit::{InvariantKind, InvariantRule, Objection, Strength};
use credence_sim::run::TurnRecord;
use leptos::prelude::*;

use crate::format;
use crate::projection::authority_label;

/// The texts of the units of a turn, by their statements.
#[derive(Debug, Clone, Default)]
pub(super) struct Known(BTreeMap<PropositionId, (String, String)>);

impl Known {
    /// Of the working set before and after it.
    pub(super) fn of(turn: &TurnRecord) -> Self {
        let units = turn.units_before.iter().chain(&turn.units_after);
        let told = units.map(|unit| {
            let level =
                format!("{}, {}", authority_label(unit.authority).to_lowercase(), unit.activation.get());
            (unit.id(), (unit.proposition.text.clone(), level))
        });
        Self(told.collect())
    }

    fn words(&self, id: PropositionId) -> (String, String) {
        let gone = || (format!("a statement that is no unit any more ({id})"), String::new());
        self.0.get(&id).cloned().unwrap_or_else(gone)
    }
}

/// What a rule forbids, in words.
fn rule_words(rule: &InvariantRule) -> String {
    let level = authority_label(rule.minimum_authority).to_lowercase();
    let whose = match &rule.unit_text_pattern {
        Some(words) => format!("a unit that says \u{201c}{words}\u{201d}"),
        None => "any unit".to_owned(),
    };
    match rule.kind {
        InvariantKind::AuthorityFloor => format!("{whose} does not fall below {level}"),
        InvariantKind::EvictionImmunity => format!("{whose} keeps its place in the working set"),
        InvariantKind::ArchiveProhibition => format!("{whose} is not taken out"),
        InvariantKind::MinAuthorityCount => {
            format!("{} of {level} or above stay, counted over {whose}", rule.minimum_count)
        }
    }
}

fn strength_word(strength: Strength) -> &'static str {
    match strength {
        Strength::Must => "must",
        Strength::Should => "should",
    }
}

/// The rules, and what met them in this turn.
#[component]
pub(super) fn Rules(rules: Vec<InvariantRule>, met: Vec<Objection>) -> impl IntoView {
    let badge = match met.len() {
        0 => format!("Rules ({}, none was met)", rules.len()),
        n => format!("Rules ({}, met {})", rules.len(), format::count(n, "time", "times")),
    };
    let times = met.len();
    let worst = met.iter().any(|one| one.strength == Strength::Must);
    view! {
        <details class="inspect__part" open={times > 0} data-testid="sim-rules" data-rules=rules.len().to_string() data-met=times.to_string()>
            <summary>{badge}{worst.then(|| view! { " "<span class="verdict verdict--bad">"stopped"</span> })}</summary>
            {met.into_iter().map(|one| {
                let stopped = one.strength == Strength::Must;
                let class = if stopped { "verdict verdict--bad" } else { "verdict verdict--fair" };
                view! {
                    <p class="inspect__unit" data-testid="sim-met" data-rule=one.rule.clone() data-stopped=stopped.to_string()>
                        <span><span class=class>{if stopped { "stopped" } else { "told" }}</span>{format!(" {}: a unit was to be {}", one.rule, one.action.in_words())}</span>
                        <span class="inspect__line">{format::sentence(&one.words)}</span>
                    </p>
                }
            }).collect_view()}
            <ul class="inspect__list">
                {rules.iter().map(|rule| view! {
                    <li class="inspect__unit">
                        <span><strong>{rule.id.clone()}</strong>{format!(" ({})", strength_word(rule.strength))}</span>
                        <span class="inspect__line">{format::sentence(&rule_words(rule))}</span>
                    </li>
                }).collect_view()}
            </ul>
            <p class="inspect__line">"Beside them the product\u{2019}s own hold: the budget, CANON, one level a step, pins."</p>
        </details>
    }
}

fn writer_words(writer: &Writer) -> String {
    match writer {
        Writer::Model { model } => format!("written by {model}"),
        Writer::Mended { model } => format!("written by {model}, and put right by rules"),
        Writer::Extractive => "made by rules".to_owned(),
    }
}

fn reason_words(reason: CompactionReason) -> &'static str {
    match reason {
        CompactionReason::TokenThreshold => "because the turns had so many tokens",
        CompactionReason::MessageThreshold => "because there were so many messages",
        CompactionReason::ForcedTurn => "because the scenario says so for this turn",
        CompactionReason::Asked => "because somebody asked for it",
    }
}

/// A summary: what it covers and saves, what it was to keep, what each try lost, and its words.
#[component]
pub(super) fn Summed(summary: Summary, known: Known) -> impl IntoView {
    let Summary {
        text,
        turns,
        reason,
        written_by,
        protected,
        attempts,
        losses,
        tokens_before,
        tokens_after,
        ..
    } = summary;
    let tries = attempts.len();
    let kept = protected.len();
    let lost = losses.len();
    let lines = StoredValue::new(known);
    let list = move |losses: Vec<Loss>| {
        losses
            .into_iter()
            .map(|loss| view! { <li class="inspect__line">{format!("{} ({})", loss.text, loss.reason)}</li> })
            .collect_view()
    };
    view! {
        <details class="inspect__part" open=true data-testid="sim-compaction" data-protected=kept.to_string() data-attempts=tries.to_string() data-lost=lost.to_string()>
            <summary>"Summary of earlier turns"</summary>
            <p class="inspect__line">
                {format!(
                    "{}, {}, {}; {} became {} tokens.",
                    format::count(turns as usize, "turn", "turns"),
                    writer_words(&written_by),
                    reason_words(reason),
                    format::grouped(tokens_before as usize),
                    format::grouped(tokens_after as usize)
                )}
            </p>
            <blockquote class="inspect__setting">{text}</blockquote>
            {(lost > 0).then(|| view! { <p class="inspect__line"><span class="verdict verdict--bad">"not kept"</span></p><ul class="inspect__points">{list(losses)}</ul> })}
            {(kept > 0).then(|| view! {
                <details>
                    <summary>{format!("To be kept ({kept})")}</summary>
                    <ul class="inspect__points">
                        {protected.into_iter().map(|id| {
                            let (text, level) = lines.with_value(|known| known.words(id));
                            view! { <li class="inspect__line">{text}{(!level.is_empty()).then(|| format!(" ({level})"))}</li> }
                        }).collect_view()}
                    </ul>
                </details>
            })}
            {(tries > 0).then(|| view! {
                <details>
                    <summary>{format::count(tries, "try", "tries")}</summary>
                    <ol class="inspect__points">
                        {attempts.into_iter().map(|Attempt { waited_ms, losses, problem }| {
                            let words = match (&problem, losses.len()) {
                                (Some(why), _) => format::sentence(why),
                                (None, 0) => "Kept everything".to_owned(),
                                (None, n) => format!("Lost {}", format::count(n, "fact", "facts")),
                            };
                            let waited = (waited_ms > 0).then(|| format!(", after a wait of {waited_ms} ms"));
                            view! { <li>{words}{waited}<ul>{list(losses)}</ul></li> }
                        }).collect_view()}
                    </ol>
                </details>
            })}
        </details>
    }
}

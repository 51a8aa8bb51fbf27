//! Bringing a backup back: choose the file, see how each memory in it stands to what is here, say what is to be done with each, read what
//! came of it. Nothing is written before the last step, and then all of it or nothing.

use std::collections::BTreeMap;

use credence::bundle::{
    Choice, ImportOutcome, ImportReport, ImportedContext, MergeReport, PlannedContext, Standing,
};
use credence::id::ContextId;
use leptos::prelude::*;
use web_sys::File;

use crate::actions;
use crate::actions::backup::Opened;
use crate::components::dialog::Dialog;
use crate::components::drop::DropField;
use crate::format;
use crate::state::App;

/// The dialog, open as long as it exists.
#[component]
pub(crate) fn RestoreDialog() -> impl IntoView {
    let app = App::get();
    let opened = RwSignal::new(None::<Result<Opened, String>>);
    let choices = RwSignal::new(BTreeMap::<ContextId, Choice>::new());
    let reading = RwSignal::new(false);
    let writing = RwSignal::new(false);
    let done = RwSignal::new(None::<Result<ImportReport, String>>);
    Effect::new(move || {
        opened.with(|opened| {
            reading.set(false);
            if let Some(Ok(opened)) = opened {
                choices.set(opened.plan.suggested());
            }
        });
    });
    Effect::new(move || {
        if done.with(Option::is_some) {
            writing.set(false);
        }
    });
    let state = Memo::new(move |_| match (reading.get(), writing.get()) {
        (true, _) => "reading",
        (_, true) => "writing",
        _ => match (
            done.with(|done| done.as_ref().map(Result::is_ok)),
            opened.with(|opened| opened.as_ref().map(Result::is_ok)),
        ) {
            (Some(true), _) => "done",
            (Some(false), _) => "failed",
            (None, Some(true)) => "preview",
            (None, Some(false)) => "refused",
            (None, None) => "choose",
        },
    });
    let take = move |file: File| {
        reading.set(true);
        done.set(None);
        actions::backup::open(app, file, opened);
    };
    let go = move |_| {
        if let Some(Ok(opened)) = opened.get_untracked() {
            writing.set(true);
            actions::backup::apply(app, opened, choices.get_untracked(), done);
        }
    };
    let wanted =
        move || choices.with(|choices| choices.values().filter(|choice| **choice != Choice::Skip).count());
    let plan = move || opened.get().and_then(Result::ok).map(|opened| (opened.name, opened.plan));
    view! {
        <Dialog
            title="Bring a backup back"
            testid="restore-dialog"
            state=state
            closable=Signal::derive(move || state.get() != "writing")
            close_testid="restore-close"
            wide=true
            on_close=Callback::new(move |()| app.restoring.set(false))
        >
            <Show when=move || matches!(state.get(), "choose" | "preview" | "refused" | "reading")>
                <DropField
                    name="restore-file"
                    label="Choose a file that Credence exported, or drop it here"
                    accept=".json,.gz,application/json,application/gzip"
                    take=UnsyncCallback::new(take)
                >
                    <p class="field__hint">"Nothing is written before you have seen what would happen."</p>
                </DropField>
            </Show>
            <Show when=move || state.get() == "reading">
                <p class="dialog__text" role="status">"Reading and checking\u{2026}"</p>
            </Show>
            {move || opened.get().and_then(Result::err).map(|words| view! {
                <p class="field__hint field__hint--problem" role="alert" data-testid="restore-problem">{format::sentence(&words)}</p>
            })}
            <Show when=move || matches!(state.get(), "preview" | "writing")>
                {move || plan().map(|(name, plan)| { let many = plan.contexts.len(); view! {
                    <p class="dialog__text">
                        {format!("{name}: made {} with Credence {}", format::instant(plan.exported_at), plan.made_with)}
                    </p>
                    <ul class="restore" data-testid="restore-plan" data-contexts=many.to_string()>
                        {plan.contexts.into_iter().map(|planned| view! { <Planned planned choices /> }).collect_view()}
                    </ul>
                }})}
                <footer class="dialog__foot">
                    <button type="button" class="button button--primary" data-testid="restore-go" disabled=move || state.get() != "preview" || wanted() == 0 on:click=go>
                        {move || if writing.get() { "Writing\u{2026}".to_owned() } else { format!("Bring back {}", format::count(wanted(), "memory", "memories")) }}
                    </button>
                </footer>
            </Show>
            {move || done.get().map(|done| match done {
                Ok(report) => view! { <Done report /> }.into_any(),
                Err(words) => view! {
                    <p class="field__hint field__hint--problem" role="alert" data-testid="restore-failed">{format!("Nothing was brought back: {words}")}</p>
                }.into_any(),
            })}
        </Dialog>
    }
}

fn standing_words(planned: &PlannedContext) -> String {
    let commits = |n: u64| format::count(usize::try_from(n).unwrap_or(usize::MAX), "commit", "commits");
    match planned.standing {
        Standing::New => "There is no memory of this name here.".to_owned(),
        Standing::Same => "The memory here is the same.".to_owned(),
        Standing::Ahead { commits: n } => {
            format!("The backup goes on from what is here: {} more.", commits(n))
        }
        Standing::Behind { commits: n } => format!("The memory here has gone on since: {} more.", commits(n)),
        Standing::Diverged { common: 0 } => {
            "The memory of this name here has nothing in common with it.".to_owned()
        }
        Standing::Diverged { common } => format!("Both went on after {}.", commits(common)),
    }
}

/// What can be done with a memory of the backup, by word.
fn choice_of(word: &str, context: &ContextId, name: &str) -> Option<Choice> {
    Some(match word {
        "merge" => Choice::Merge,
        "replace" => Choice::Replace,
        "bring-back" => Choice::BringBack,
        "skip" => Choice::Skip,
        "create" => {
            Choice::Create { name: ContextId::new(name.trim()).ok().or_else(|| Some(context.clone()))? }
        }
        _ => return None,
    })
}

fn word_of(choice: &Choice) -> &'static str {
    match choice {
        Choice::Create { .. } => "create",
        Choice::Replace => "replace",
        Choice::BringBack => "bring-back",
        Choice::Merge => "merge",
        Choice::Skip => "skip",
    }
}

#[component]
fn Planned(planned: PlannedContext, choices: RwSignal<BTreeMap<ContextId, Choice>>) -> impl IntoView {
    let context = planned.context.clone();
    let key = StoredValue::new(context.clone());
    let is_new = planned.standing == Standing::New;
    let free = if is_new { context.to_string() } else { format!("{context} (backup)") };
    let name = RwSignal::new(free);
    let chosen = Memo::new(move |_| {
        choices.with(|choices| key.with_value(|key| choices.get(key).map(word_of))).unwrap_or("skip")
    });
    let choose = move |word: &str| {
        let choice = key.with_value(|key| choice_of(word, key, &name.get_untracked()));
        if let Some(choice) = choice {
            choices.update(|choices| {
                choices.insert(key.get_value(), choice);
            });
        }
    };
    let inside = planned.inside;
    let words = standing_words(&planned);
    let holds = format!(
        "{}, {}, {}",
        format::count(inside.live, "statement in force", "statements in force"),
        format::count(inside.conversations, "conversation", "conversations"),
        format::count(inside.turns, "turn", "turns")
    );
    let mut options: Vec<(&'static str, &'static str)> = if is_new {
        vec![("create", "Create it"), ("skip", "Leave it out")]
    } else {
        vec![
            ("merge", "Add what is missing here"),
            ("create", "Create it under another name"),
            ("replace", "Replace the memory here"),
            ("skip", "Leave it out"),
        ]
    };
    if planned.stays_erased > 0 {
        options.insert(3, ("bring-back", "Replace it, and bring back what was forgotten for ever"));
    }
    view! {
        <li class="restore__item" data-testid="restore-context" data-context=context.to_string() data-choice=move || chosen.get()>
            <p class="restore__name"><strong>{context.to_string()}</strong>" \u{b7} "{holds}</p>
            <p class="restore__words">{words}</p>
            {planned.merge.map(|report| view! { <MergeWords report /> })}
            {planned.notes.into_iter().map(|note| view! { <p class="restore__words">{format::sentence(&note)}</p> }).collect_view()}
            <div class="restore__choice">
                <select class="field__input" aria-label="What to do with it" data-testid="restore-choice" on:change=move |event| choose(&event_target_value(&event))>
                    {options.into_iter().map(|(word, label)| view! {
                        <option value=word selected=move || chosen.get() == word>{label}</option>
                    }).collect_view()}
                </select>
                <Show when=move || chosen.get() == "create">
                    <input
                        class="field__input"
                        type="text"
                        maxlength="200"
                        aria-label="Its name here"
                        data-testid="restore-name"
                        prop:value=name
                        on:input=move |event| {
                            name.set(event_target_value(&event));
                            choose("create");
                        }
                    />
                </Show>
            </div>
        </li>
    }
}

/// What a merge does, in a line, with what it cannot do below.
#[component]
fn MergeWords(report: MergeReport) -> impl IntoView {
    let sum = |places: &BTreeMap<String, u32>| places.values().map(|n| *n as usize).sum::<usize>();
    let line = format!(
        "Adding brings {}, changes {}, and joins {} said here already.",
        format::count(sum(&report.added), "record", "records"),
        format::grouped(sum(&report.changed) + sum(&report.removed)),
        format::count(report.joined.len(), "statement", "statements")
    );
    let (many, conflicts) = (report.conflicts.len(), report.conflicts);
    view! {
        <p class="restore__words">{line}</p>
        {(many > 0).then(|| view! {
            <details class="restore__words" data-testid="restore-conflicts" data-count=many.to_string()>
                <summary>{format!("{} changed on both sides: what is here stays", format::count(many, "record", "records"))}</summary>
                <ul>
                    {conflicts.into_iter().take(50).map(|conflict| view! {
                        <li>{conflict.here}" \u{2260} "{conflict.there}": "{conflict.why}</li>
                    }).collect_view()}
                </ul>
            </details>
        })}
    }
}

#[component]
fn Done(report: ImportReport) -> impl IntoView {
    let app = App::get();
    let rows = report.contexts.into_iter().map(|done| {
        let ImportedContext { into, outcome, notes, .. } = done;
        let (word, words) = match &outcome {
            ImportOutcome::Created { commits } => ("created", format!("created with {}", format::count(*commits, "commit", "commits"))),
            ImportOutcome::Replaced { commits, before } => ("replaced", format!("replaced: {} in place of {before}", format::count(*commits, "commit", "commits"))),
            ImportOutcome::Appended { commits } => ("appended", format!("goes on with {}", format::count(*commits, "commit", "commits"))),
            ImportOutcome::Merged { commit: Some(_), .. } => ("merged", "what was missing is added, in one change that can be undone".to_owned()),
            ImportOutcome::Merged { commit: None, .. } | ImportOutcome::Unchanged => ("unchanged", "everything was here".to_owned()),
            ImportOutcome::Skipped => ("skipped", "left out".to_owned()),
        };
        let target = into.to_string();
        let can_open = !matches!(outcome, ImportOutcome::Skipped);
        view! {
            <li class="restore__item" data-testid="restore-outcome" data-context=into.to_string() data-outcome=word>
                <p class="restore__name"><strong>{into.to_string()}</strong>": "{words}</p>
                {notes.into_iter().map(|note| view! { <p class="restore__words">{format::sentence(&note)}</p> }).collect_view()}
                {can_open.then(|| view! {
                    <button
                        type="button"
                        class="button button--small"
                        on:click=move |_| {
                            app.restoring.set(false);
                            actions::data::switch(app, &target);
                        }
                    >
                        "Open it"
                    </button>
                })}
            </li>
        }
    });
    view! {
        <ul class="restore" data-testid="restore-done">{rows.collect_view()}</ul>
        <footer class="dialog__foot">
            <button type="button" class="button" on:click=move |_| app.restoring.set(false)>"Close"</button>
        </footer>
    }
}

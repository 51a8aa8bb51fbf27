//! Taking memories along and bringing them back: bundles, and lists for people.

use std::collections::BTreeMap;

use credence::bundle::{self, Bundle, Choice, ImportPlan, ImportReport};
use credence::health::Backup;
use credence::id::ContextId;
use credence::ports::Clock;
use credence::proposition::PropositionQuery;
use credence_browser::{BrowserClock, BrowserIds};
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use crate::format;
use crate::ports::Connections;
use crate::state::{App, ToastKind};
use crate::{boot, browser};
const JSON: &str = "application/json";

/// What is taken along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The open memory.
    This,
    /// Every memory of this browser.
    All,
}

/// Offers memories as one file, compressed where that is wanted.
pub(crate) fn export(app: App, extent: Extent, packed: bool) {
    let (Some(memory), Some(connections)) = (app.memory(), app.connections()) else { return };
    spawn_local(async move {
        let chosen = match extent {
            Extent::This => vec![memory.context().clone()],
            Extent::All => Vec::new(),
        };
        if let Err(error) = memory.refresh().await {
            return app.fail("The export failed", &error);
        }
        let bundle = match bundle::export(&connections.journal, &chosen, memory.now().at).await {
            Ok(bundle) => bundle,
            Err(error) => return app.fail("The export failed", &error.into()),
        };
        let commits: usize = bundle.contexts.iter().map(|bundled| bundled.contents.commits.len()).sum();
        let text = match bundle.to_json() {
            Ok(text) => text,
            Err(error) => return app.toast(ToastKind::Error, format!("The export failed: {error}")),
        };
        let word = match extent {
            Extent::This => file_word(memory.context().as_str()),
            Extent::All => "all".to_owned(),
        };
        let name = format!("credence-{word}.json{}", if packed { ".gz" } else { "" });
        let saved = if packed {
            browser::download_packed(&name, &text).await
        } else {
            browser::download(&name, &text, JSON)
        };
        if saved.is_ok() {
            for bundled in &bundle.contexts {
                let note = Backup { at: bundle.exported_at, seq: bundled.contents.commits.len() as u64 };
                // Without the note the person is only reminded sooner.
                let _ = connections.journal.note_backup(&bundled.context, note).await;
            }
        }
        told(
            app,
            saved.is_ok(),
            &format!("Exported {} to {name}", format::count(commits, "commit", "commits")),
        );
    });
}

/// Offers the statements of the open memory as a list for people, or as a table.
pub(crate) fn export_list(app: App, as_table: bool) {
    let Some(memory) = app.memory() else { return };
    let word = file_word(memory.context().as_str());
    let saved = if as_table {
        browser::download(
            &format!("credence-{word}.csv"),
            &memory.as_csv(&PropositionQuery::default()),
            "text/csv",
        )
    } else {
        browser::download(
            &format!("credence-{word}.md"),
            &memory.as_markdown(&PropositionQuery::default()),
            "text/markdown",
        )
    };
    told(app, saved.is_ok(), "The statements are saved");
}

fn told(app: App, saved: bool, words: &str) {
    if saved {
        app.toast(ToastKind::Success, words);
    } else {
        app.toast(ToastKind::Error, "The browser does not let this page save a file");
    }
}

/// A context's name as part of a file's name.
fn file_word(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    name.chars().map(safe).collect()
}

/// A file that was read, and what importing it would do.
#[derive(Clone)]
pub(crate) struct Opened {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub bundle: StoredValue<Bundle, LocalStorage>,
    /// What would come of it.
    pub plan: ImportPlan,
}

/// Reads a file and plans its import.
pub(crate) fn open(app: App, file: File, opened: RwSignal<Option<Result<Opened, String>>>) {
    let Some(connections) = app.connections() else { return };
    spawn_local(async move {
        let name = file.name();
        let found = look(&connections, &file).await.map(|(bundle, plan)| Opened {
            name,
            bundle: StoredValue::new_local(bundle),
            plan,
        });
        // The dialog may have been closed meanwhile.
        let _ = opened.try_set(Some(found));
    });
}

async fn look(connections: &Connections, file: &File) -> Result<(Bundle, ImportPlan), String> {
    let text =
        browser::read(file).await.ok_or_else(|| format!("{} could not be read as text", file.name()))?;
    let bundle = Bundle::read(&text).map_err(|error| error.to_string())?;
    let plan =
        bundle::preview_import(&connections.journal, &bundle).await.map_err(|error| error.to_string())?;
    Ok((bundle, plan))
}

/// Imports as chosen; the open memory is read again where it was written.
pub(crate) fn apply(
    app: App,
    opened: Opened,
    choices: BTreeMap<ContextId, Choice>,
    done: RwSignal<Option<Result<ImportReport, String>>>,
) {
    let Some(connections) = app.connections() else { return };
    spawn_local(async move {
        let bundle = opened.bundle.get_value();
        let at = BrowserClock.now().at;
        let applied = bundle::apply_import(&connections.journal, &bundle, &choices, at, &BrowserIds).await;
        if let Ok(report) = &applied {
            let written: Vec<ContextId> = report.written().cloned().collect();
            for context in &written {
                // Tabs that have it open read on from what they have, and find that they have to read anew.
                connections.tabs.announce(context, u64::MAX);
            }
            if let Some(memory) = app.memory()
                && written.contains(memory.context())
                && let Err(error) = memory.refresh().await
            {
                app.fail("The imported memory could not be read", &error);
            }
        }
        let _ = done.try_set(Some(applied.map_err(|error| error.to_string())));
    });
}

/// Begins a memory as the open one was after a commit or a turn, and opens it.
pub(crate) fn branch(app: App, from: BranchPoint, name: &str, problem: RwSignal<String>) {
    let (Some(memory), Some(connections)) = (app.memory(), app.connections()) else { return };
    let context = match ContextId::new(name) {
        Ok(context) => context,
        Err(error) => return problem.set(error.to_string()),
    };
    spawn_local(async move {
        let made = match from {
            BranchPoint::Commit(seq) => {
                memory.branch_at(credence::history::Actor::Person, seq, context.clone(), "").await
            }
            BranchPoint::Turn(turn, _) => memory.branch_at_turn(turn, context.clone()).await,
        };
        match made {
            Ok(_) => {
                app.branching.set(None);
                app.stop();
                app.prefer(|p| p.context = context.as_str().to_owned());
                if boot::open(app, connections).await {
                    if let BranchPoint::Turn(turn, conversation) = from {
                        crate::route::Page::Chat(Some(conversation), Some(turn)).open();
                    }
                    app.toast(
                        ToastKind::Success,
                        format!(
                            "\u{201c}{context}\u{201d} is open, as the memory was then. Settings leads back."
                        ),
                    );
                }
            }
            Err(error) => {
                let _ = problem.try_set(error.to_string());
            }
        }
    });
}

/// Where a branch begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BranchPoint {
    /// After a commit.
    Commit(u64),
    /// When a turn had been said, in its conversation.
    Turn(credence::id::TurnId, credence::id::ConversationId),
}

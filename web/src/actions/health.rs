//! Looking whether a memory is whole, repairing what can be repaired, and when a copy is due.

use credence::health::{Due, HealthReport};
use credence_browser::journal::StoreSize;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::alone::alone;
use crate::format::count;
use crate::state::{App, ToastKind};

/// When a copy is due, and what takes the room.
pub(crate) fn measure(app: App, found: RwSignal<(Option<Due>, Vec<StoreSize>)>) {
    let (Some(memory), Some(connections)) = (app.memory(), app.connections()) else { return };
    spawn_local(async move {
        let begun = memory.log().commits().first().map(|commit| commit.at);
        let context = memory.context();
        // What cannot be measured is not shown; the memory itself says what is wrong with the store.
        let due = match begun {
            Some(begun) => {
                connections.journal.backup_due(context, begun, memory.now().at).await.unwrap_or_default()
            }
            None => None,
        };
        let sizes = connections.journal.sizes(context).await.unwrap_or_default();
        // The page may have been left meanwhile.
        let _ = found.try_set((due, sizes));
    });
}

/// Looks at everything that is stored.
pub(crate) fn check(app: App, report: RwSignal<Option<Result<HealthReport, String>>>, busy: RwSignal<bool>) {
    let Some(memory) = app.memory() else { return };
    busy.set(true);
    spawn_local(async move {
        let found = memory.check_health().await.map_err(|error| error.to_string());
        let _ = busy.try_set(false);
        let _ = report.try_set(Some(found));
    });
}

/// Repairs what a look found, and looks again.
pub(crate) fn repair(app: App, report: RwSignal<Option<Result<HealthReport, String>>>, busy: RwSignal<bool>) {
    let (Some(memory), Some(Ok(found))) = (app.memory(), report.get_untracked()) else { return };
    busy.set(true);
    spawn_local(async move {
        match alone(app, &memory, async || memory.repair(&found).await).await {
            // What the other tab mends need not be shown as broken here.
            None => check(app, report, busy),
            Some(Ok(repaired)) => {
                let mended: usize =
                    repaired.mended.values().sum::<usize>() + repaired.vectors + repaired.set_aside;
                let mut words = format!("Mended: {}", count(mended, "thing", "things"));
                if !repaired.left.is_empty() {
                    words += "; the rest only a backup can bring back";
                }
                app.toast(ToastKind::Success, words);
                check(app, report, busy);
            }
            Some(Err(error)) => {
                let _ = busy.try_set(false);
                app.fail("Nothing was repaired", &error);
            }
        }
    });
}

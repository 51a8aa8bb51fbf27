//! The frame around every page: spine, head, banners, notices, and what the window tells us.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::MediaQueryList;

use crate::actions::backup::Extent;
use crate::components::confirm::Confirm;
use crate::components::icon::{Glyph, Icon, Mark};
use crate::components::toasts::Toasts;
use crate::pages::activity::ActivityPage;
use crate::pages::branch::BranchDialog;
use crate::pages::chat::Chat;
use crate::pages::chat::import::ImportDialog;
use crate::pages::chat::xray::XrayDialog;
use crate::pages::entities::EntitiesPage;
use crate::pages::entity::EntityPage;
use crate::pages::experiments::ExperimentsPage;
use crate::pages::forget::ForgetDialog;
use crate::pages::memory::MemoryPage;
use crate::pages::proposition::PropositionPage;
use crate::pages::restore::RestoreDialog;
use crate::pages::run::RunPage;
use crate::pages::settings::Settings;
use crate::pages::simulate::SimulatePage;
use crate::pages::timeline::TimelinePage;
use crate::preferences::Theme;
use crate::route::Page;
use crate::state::{Alarm, App, ModelState, Phase};
use crate::{actions, boot, browser, format, projection};

/// Columns need at least this many pixels; the same number stands in the style sheets.
const NARROW: &str = "(max-width: 860px)";

/// The whole app.
#[component]
pub(crate) fn Shell() -> impl IntoView {
    let app = App::new();
    provide_context(app);
    watch_window(app);
    boot::start(app);

    let ready = move || app.phase.with(|phase| *phase == Phase::Ready);
    Effect::new(move || browser::apply_theme(app.preferences.with(|p| p.theme.forced())));
    // A page is entered at its top, with the focus where reading starts.
    Effect::new(move |before: Option<&'static str>| {
        let name = app.page.get().name();
        app.drawer.set(false);
        if before.is_some_and(|before| before != name) {
            browser::focus("main");
            browser::to_top("main");
        }
        name
    });

    view! {
        <div
            class="app"
            data-testid="app"
            data-ready=move || if ready() { "true" } else { "false" }
            data-page=move || app.page.get().name()
            data-theme=move || app.theme()
        >
            <a
                class="skip"
                href="#main"
                on:click=|event| {
                    event.prevent_default();
                    browser::focus("main");
                }
            >
                "Skip to the content"
            </a>
            <Spine />
            <div class="stage">
                <Head />
                <Banners />
                <main class="main" id="main" tabindex="-1">
                    {move || match app.phase.get() {
                        Phase::Starting => view! { <p class="main__wait" role="status">"Opening your memory\u{2026}"</p> }.into_any(),
                        Phase::Refused { kind, words } => view! { <Refused kind words /> }.into_any(),
                        Phase::Ready => view! { <Content /> }.into_any(),
                    }}
                </main>
            </div>
            <Show when=move || app.importing.get()>
                <ImportDialog />
            </Show>
            <Show when=move || app.restoring.get()>
                <RestoreDialog />
            </Show>
            <ForgetDialog />
            <BranchDialog />
            <XrayDialog />
            <Confirm />
            <Toasts />
            <p class="unseen" role="status" aria-live="polite">{move || app.announcement.get()}</p>
        </div>
    }
}

/// The page that the address names. Built anew only when another page or another statement is opened.
#[component]
fn Content() -> impl IntoView {
    let app = App::get();
    let place = Memo::new(move |_| match app.page.get() {
        Page::Chat(..) => Page::Chat(None, None),
        other => other,
    });
    move || match place.get() {
        Page::Chat(..) => view! { <Chat /> }.into_any(),
        Page::Memory => view! { <MemoryPage /> }.into_any(),
        Page::Proposition(id) => view! { <PropositionPage id /> }.into_any(),
        Page::Entities => view! { <EntitiesPage /> }.into_any(),
        Page::Entity(id) => view! { <EntityPage id /> }.into_any(),
        Page::Activity => view! { <ActivityPage /> }.into_any(),
        Page::Timeline => view! { <TimelinePage /> }.into_any(),
        Page::Simulate => view! { <SimulatePage /> }.into_any(),
        Page::Run(run, other) => view! { <RunPage run other /> }.into_any(),
        Page::Experiments => view! { <ExperimentsPage /> }.into_any(),
        Page::Settings => view! { <Settings /> }.into_any(),
    }
}

/// Where one can go. A column beside the page, a bar under it on a narrow window.
#[component]
fn Spine() -> impl IntoView {
    let app = App::get();
    let link = move |page: Page, glyph: Glyph, words: &'static str, testid: &'static str| {
        let is_here = move || match (app.page.get(), page) {
            (Page::Proposition(_), Page::Memory)
            | (Page::Entity(_), Page::Entities)
            | (Page::Run(..), Page::Simulate) => true,
            (here, there) => here.name() == there.name(),
        };
        view! {
            <a class="spine__link" href=page.href() data-testid=testid aria-current=move || is_here().then_some("page")>
                <Icon glyph />
                <span>{words}</span>
            </a>
        }
    };
    let asked = Memo::new(move |_| {
        app.analysis.track();
        app.read(|memory| memory.inbox().len())
    });
    view! {
        <nav class="spine" aria-label="Pages">
            <div class="spine__brand"><Mark /></div>
            {link(Page::Chat(None, None), Glyph::Chat, "Chat", "nav-chat")}
            {link(Page::Memory, Glyph::Memory, "Memory", "nav-memory")}
            {link(Page::Entities, Glyph::Entity, "Entities", "nav-entities")}
            <div class="spine__with-badge">
                {link(Page::Activity, Glyph::Activity, "Activity", "nav-activity")}
                <Show when=move || asked.get() != 0>
                    <span class="spine__badge" data-testid="nav-asked" data-count=move || asked.get().to_string()>
                        {move || asked.get()}
                        <span class="unseen">" for you to decide"</span>
                    </span>
                </Show>
            </div>
            {link(Page::Timeline, Glyph::Timeline, "Timeline", "nav-timeline")}
            {link(Page::Simulate, Glyph::Play, "Simulate", "nav-simulate")}
            {link(Page::Experiments, Glyph::Compare, "Experiments", "nav-experiments")}
            {link(Page::Settings, Glyph::Settings, "Settings", "nav-settings")}
        </nav>
    }
}

/// Where one is, what is remembered, who answers, and how it looks.
#[component]
fn Head() -> impl IntoView {
    let app = App::get();
    let title = Memo::new(move |_| {
        app.turns.track();
        match app.page.get() {
            Page::Chat(Some(id), _) => app.read(|memory| {
                let title = memory.state().conversation(id).map(|conversation| conversation.title.clone());
                title.filter(|title| !title.is_empty()).unwrap_or_else(|| "New conversation".to_owned())
            }),
            Page::Chat(None, _) => "New conversation".to_owned(),
            Page::Memory => "Memory".to_owned(),
            Page::Proposition(_) => "Statement".to_owned(),
            Page::Entities => "Entities".to_owned(),
            Page::Entity(_) => "Entity".to_owned(),
            Page::Activity => "Activity".to_owned(),
            Page::Timeline => "Timeline".to_owned(),
            Page::Simulate => "Simulate".to_owned(),
            Page::Run(_, None) => "Run".to_owned(),
            Page::Run(_, Some(_)) => "Two runs".to_owned(),
            Page::Experiments => "Experiments".to_owned(),
            Page::Settings => "Settings".to_owned(),
        }
    });
    Effect::new(move || document().set_title(&format!("{} \u{b7} Credence", title.get())));
    let live = Memo::new(move |_| {
        app.facts.track();
        app.read(projection::counts).live
    });
    let has_list = move || app.narrow.get() && matches!(app.page.get(), Page::Chat(..));
    view! {
        <header class="head">
            <Show when=has_list>
                <button
                    type="button"
                    class="button button--quiet button--icon"
                    id="conversations-toggle"
                    data-testid="conversations-toggle"
                    aria-label="Conversations"
                    aria-expanded=move || app.drawer.get().to_string()
                    on:click=move |_| {
                        app.drawer.update(|open| *open = !*open);
                        // Once it can take the focus.
                        request_animation_frame(move || if app.drawer.get_untracked() { browser::focus("chat-new") });
                    }
                >
                    <Icon glyph=Glyph::List />
                </button>
            </Show>
            <h1 class="head__title">{move || title.get()}</h1>
            <a class="head__count" href=Page::Memory.href() data-testid="memory-count" data-count=move || live.get().to_string()>
                <Icon glyph=Glyph::Memory />
                <span class="head__number">{move || format::grouped(live.get())}</span>
                <span class="head__word">{move || if live.get() == 1 { "statement" } else { "statements" }}</span>
            </a>
            <WorkingToggle />
            <ModelStatus />
            <ThemeSwitch />
        </header>
    }
}

/// Opens the working set beside the chat.
#[component]
fn WorkingToggle() -> impl IntoView {
    let app = App::get();
    let count = Memo::new(move |_| {
        app.facts.track();
        app.units.track();
        app.read(|memory| memory.working_set().len())
    });
    view! {
        <Show when=move || matches!(app.page.get(), Page::Chat(..))>
            <button
                type="button"
                class="head__working"
                id="working-toggle"
                data-testid="working-toggle"
                data-count=move || count.get().to_string()
                title="What stands in every prompt"
                aria-expanded=move || app.beside.get().to_string()
                on:click=move |_| app.beside.update(|open| *open = !*open)
            >
                <Icon glyph=Glyph::Working />
                <span class="head__number">{move || count.get()}</span>
                <span class="head__word">"in the working set"</span>
            </button>
        </Show>
    }
}

#[component]
fn ModelStatus() -> impl IntoView {
    let app = App::get();
    let state = move || {
        app.model.with(|model| match model {
            ModelState::BuiltIn => "none",
            ModelState::Ready(_) => "ready",
            ModelState::Failed(..) => "error",
        })
    };
    let words = move || {
        app.model.with(|model| match model {
            ModelState::BuiltIn if app.narrow.get() => "Built-in".to_owned(),
            ModelState::BuiltIn => "Built-in engine".to_owned(),
            ModelState::Ready(name) => name.clone(),
            ModelState::Failed(name, _) => format!("{name}: failed"),
        })
    };
    let title = move || {
        app.model.with(|model| match model {
            ModelState::BuiltIn => "No language model is connected; choose one in Settings".to_owned(),
            ModelState::Ready(name) => format!("{name} answers"),
            ModelState::Failed(_, why) => why.clone(),
        })
    };
    view! {
        <a class="head__model" href=Page::Settings.href() data-testid="model-status" data-state=state title=title>
            <span class="dot" aria-hidden="true"></span>
            <span class="head__model-name">{words}</span>
        </a>
    }
}

#[component]
fn ThemeSwitch() -> impl IntoView {
    let app = App::get();
    let choice = move || app.preferences.with(|p| p.theme);
    view! {
        <button
            type="button"
            class="button button--quiet button--icon"
            data-testid="theme-switch"
            data-choice=move || choice().as_str()
            aria-label=move || format!("Appearance: {}. Change", choice().label().to_lowercase())
            title=move || format!("Appearance: {}", choice().label().to_lowercase())
            on:click=move |_| {
                app.prefer(|p| p.theme = p.theme.next());
            }
        >
            {move || match choice() {
                Theme::System => view! { <Icon glyph=Glyph::Auto /> },
                Theme::Light => view! { <Icon glyph=Glyph::Sun /> },
                Theme::Dark => view! { <Icon glyph=Glyph::Moon /> },
            }}
        </button>
    }
}

/// What is wrong with the store while the app goes on.
#[component]
fn Banners() -> impl IntoView {
    let app = App::get();
    view! {
        {move || app.volatile.get().map(|reason| view! {
            <div class="banner" role="alert" data-testid="storage-banner" data-kind="memory-only">
                <Icon glyph=Glyph::Alert />
                <p class="banner__text">
                    <strong>"Nothing is being saved. "</strong>
                    {format::sentence(&reason)}
                    ". What you say here is lost when this page closes; export it if you want to keep it."
                </p>
                <button type="button" class="button button--small" on:click=move |_| actions::backup::export(app, Extent::This, false)>"Export"</button>
            </div>
        })}
        {move || app.told.get().map(|what| view! {
            <div class="banner banner--calm" role="status" data-testid="elsewhere-banner" data-kind=what.kind()>
                <Icon glyph=Glyph::Again />
                <p class="banner__text">{what.words()}</p>
                <button type="button" class="button button--small" data-testid="elsewhere-close" on:click=move |_| app.told.set(None)>"All right"</button>
            </div>
        })}
        {move || app.alarm.get().map(|Alarm { kind, words }| view! {
            <div class="banner" role="alert" data-testid="storage-banner" data-kind=kind>
                <Icon glyph=Glyph::Alert />
                <p class="banner__text">{format::sentence(&words)}</p>
                {if kind == "quota" {
                    view! { <button type="button" class="button button--small" on:click=move |_| actions::backup::export(app, Extent::This, false)>"Export"</button> }
                        .into_any()
                } else if kind == "emptied" {
                    view! { <button type="button" class="button button--small" data-testid="storage-banner-close" on:click=move |_| app.alarm.set(None)>"All right"</button> }
                        .into_any()
                } else {
                    view! { <button type="button" class="button button--small" on:click=|_| reload()>"Reload"</button> }.into_any()
                }}
            </div>
        })}
    }
}

/// The page when the store cannot be opened and going on would hide data that is there.
#[component]
fn Refused(kind: &'static str, words: String) -> impl IntoView {
    view! {
        <section class="refused" data-testid="storage-banner" data-kind=kind role="alert">
            <h2 class="refused__title">"Your memory could not be opened"</h2>
            <p>{format::sentence(&words)}.</p>
            <p>"Nothing was changed."</p>
            <button type="button" class="button button--primary" on:click=|_| reload()>"Try again"</button>
        </section>
    }
}

fn reload() {
    // Refused only while the page is being closed.
    let _ = window().location().reload();
}

/// Follows address, width and the system's theme.
fn watch_window(app: App) {
    let hash = window_event_listener(leptos::ev::hashchange, move |_| app.page.set(Page::current()));
    on_cleanup(move || hash.remove());
    // What other tabs said while this one slept may be lost: it looks when it is looked at.
    let back = window_event_listener(leptos::ev::focus, move |_| actions::elsewhere::catch_up(app, false));
    on_cleanup(move || back.remove());
    follow(NARROW, app.narrow);
    follow("(prefers-color-scheme: dark)", app.system_is_dark);
}

fn follow(query: &str, signal: RwSignal<bool>) {
    let Some(list) = browser::media(query) else { return };
    signal.set(list.matches());
    let changed = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
        let list = event.target().and_then(|target| target.dyn_into::<MediaQueryList>().ok());
        if let Some(list) = list {
            signal.set(list.matches());
        }
    });
    // Fails for no listener that is a function. It lives as long as the page does.
    let _ = list.add_event_listener_with_callback("change", changed.as_ref().unchecked_ref());
    changed.forget();
}

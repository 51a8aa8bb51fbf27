//! The icons: one line drawing each on a 24-unit square, in the colour of the text beside it.

use leptos::prelude::*;

/// What a drawing means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glyph {
    Chat,
    Memory,
    Entity,
    Activity,
    Merge,
    Split,
    Settings,
    Plus,
    Send,
    Stop,
    Again,
    Copy,
    Undo,
    Search,
    Pin,
    Close,
    List,
    Import,
    Export,
    Sun,
    Moon,
    Auto,
    Edit,
    Forget,
    Check,
    Alert,
    Back,
    Eye,
    Down,
    Canon,
    Timeline,
    Working,
    Xray,
    More,
    Play,
    Compare,
}

impl Glyph {
    fn path(self) -> &'static str {
        match self {
            Self::Chat => {
                "M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4.5 3.5V16H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z"
            }
            Self::Memory => {
                "M7 4h11v16H7a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM5 17.5A2 2 0 0 1 7 16h11M9 8h5.5M9 11.5h3.5"
            }
            Self::Entity => "M12 4.5a3.6 3.6 0 1 1 0 7.2 3.6 3.6 0 0 1 0-7.2zM5 19.5a7 7 0 0 1 14 0",
            Self::Activity => "M3.5 12.5h4l2.6-7 4 13 2.6-6h3.8",
            Self::Play => "M5 5h14v14H5zM10 9l5 3-5 3z",
            Self::Compare => "M4 6h10M7 4v4M4 12h15M14 10v4M4 18h7M9 16v4",
            Self::More => "M6 12h.01M12 12h.01M18 12h.01",
            Self::Merge => "M6 4v4.5a6 6 0 0 0 6 6V20M18 4v4.5a6 6 0 0 1-6 6M9 17l3 3 3-3",
            Self::Split => {
                "M12 20v-5.5M12 14.5a6 6 0 0 0-6-6V4M12 14.5a6 6 0 0 1 6-6V4M3.5 6.5 6 4l2.5 2.5M15.5 6.5 18 4l2.5 2.5"
            }
            Self::Settings => "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h8M16 17h4M13 5v4M9 10v4M14 15v4",
            Self::Plus => "M12 5v14M5 12h14",
            Self::Send => "M12 19V6M6 11.5 12 5.5l6 6",
            Self::Stop => "M8 8h8v8H8z",
            Self::Again => "M19 12a7 7 0 1 1-2.2-5.1M19 4.5V9h-4.5",
            Self::Copy => "M9 9h10v11H9zM5 15V4h10",
            Self::Undo => "M9 14 4.5 9.5 9 5M5 9.5h9a5 5 0 0 1 0 10h-3",
            Self::Search => "M10.5 4.5a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15 15l5 5",
            Self::Pin => "M9 4h6l-.7 6 3.2 3H6.5l3.2-3zM12 13v7",
            Self::Close => "M6 6l12 12M18 6 6 18",
            Self::List => "M4 7h16M4 12h16M4 17h10",
            Self::Import => "M12 4v10M8 10.5l4 4 4-4M5 19.5h14",
            Self::Export => "M12 15V4.5M8 8l4-4 4 4M5 19.5h14",
            Self::Sun => {
                "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4"
            }
            Self::Moon => "M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z",
            Self::Auto => "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 4v16M12 8h4.8M12 12h7.8M12 16h6.6",
            Self::Edit => "M5 19h3.5L19 8.5 15.5 5 5 15.5zM13 7.5 16.5 11",
            Self::Forget => "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 11v5M13.5 11v5",
            Self::Check => "M5 12.5 10 17.5 19 7",
            Self::Alert => "M12 4 21 19.5H3zM12 10v4.5M12 17v.5",
            Self::Back => "M15 6l-6 6 6 6",
            Self::Eye => {
                "M2.5 12S6 6 12 6s9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6zM12 9.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"
            }
            Self::Down => "M6 9.5l6 6 6-6",
            Self::Timeline => "M12 5a7.5 7.5 0 1 1-7.2 5.4M4 5.5v5h5M12 8.5V13l3 2",
            Self::Canon => "M12 3.5 19 6v5.5c0 4.4-3 7.4-7 9-4-1.6-7-4.6-7-9V6zM9 11.8l2.2 2.2L15.2 9.8",
            Self::Working => "M4 6h16M4 12h10M4 18h6M17.5 14.5v5M15 17h5",
            Self::Xray => "M4 8V5h3M17 5h3v3M20 16v3h-3M7 19H4v-3M7.5 12h9M9 8.5h6M9 15.5h6",
        }
    }
}

/// A drawing beside words that say the same; hidden from screen readers.
#[component]
pub(crate) fn Icon(
    /// Which.
    glyph: Glyph,
) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d=glyph.path() />
        </svg>
    }
}

/// The sign of the product: a C open to evidence.
#[component]
pub(crate) fn Mark() -> impl IntoView {
    view! {
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <path class="mark__arc" d="M22 11.2A7.6 7.6 0 1 0 22 20.8" />
            <circle class="mark__dot" cx="16" cy="16" r="2.6" />
        </svg>
    }
}

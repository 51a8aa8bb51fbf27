//! Statements as lists for people: Markdown to read and to take elsewhere, CSV for tables. Neither is a way back for a whole memory; that is
//! the bundle. The Markdown is one that the import of lists reads.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::memory::{Memory, PropositionView};
use crate::ports::Ports;
use crate::proposition::{MentionRole, PropositionQuery, Status};
use crate::time::Timestamp;

/// The columns of the table, in order.
const COLUMNS: [&str; 15] = [
    "id",
    "statement",
    "status",
    "about",
    "confidence",
    "believed now",
    "importance",
    "pinned",
    "authority",
    "said",
    "holds from",
    "holds until",
    "created",
    "sources",
    "explanation",
];

impl<P: Ports> Memory<P> {
    /// Statements as a Markdown list, below the names of whom they are about; those that are no longer believed in a part of their own.
    /// A statement that says when it was said has the day in front.
    pub fn as_markdown(&self, query: &PropositionQuery) -> String {
        let views = self.propositions(query);
        let (live, past): (Vec<_>, Vec<_>) = views.iter().partition(|view| view.proposition.status.is_live());
        let mut out = format!(
            "# Memory\n\n“{}”: {} statements, {} of them believed, as of {}.\n",
            self.context(),
            views.len(),
            live.len(),
            day(self.now().at)
        );
        let mut about: BTreeMap<(bool, String), Vec<&PropositionView>> = BTreeMap::new();
        for view in live {
            let name = self.subject(view);
            about.entry((name.is_empty(), name)).or_default().push(view);
        }
        for ((is_nobody, name), views) in about {
            list(&mut out, if is_nobody { "Other" } else { &name }, &views);
        }
        if !past.is_empty() {
            list(&mut out, "No longer believed", &past);
        }
        out
    }

    /// Statements as a table (RFC 4180, UTF-8, a line of names first). Times are RFC 3339, numbers from 0 to 1 with a point. A cell that a
    /// spreadsheet would run as a formula has an apostrophe in front.
    pub fn as_csv(&self, query: &PropositionQuery) -> String {
        let mut out = COLUMNS.join(",");
        out.push_str("\r\n");
        for view in self.propositions(query) {
            let p = &view.proposition;
            let authority = self.state().unit(p.id).map(|unit| unit.authority().as_str()).unwrap_or_default();
            let sources: Vec<String> = p.provenance.iter().map(|entry| entry.locator.identity()).collect();
            let time = |at: Option<Timestamp>| at.map(Timestamp::to_rfc3339).unwrap_or_default();
            let cells = [
                p.id.to_string(),
                p.text.clone(),
                p.status.as_str().to_owned(),
                self.subject(&view),
                p.confidence.get().to_string(),
                view.effective.to_string(),
                p.importance.get().to_string(),
                p.pinned.to_string(),
                authority.to_owned(),
                time(p.temporal.observed_at),
                time(p.temporal.valid_from),
                time(p.temporal.valid_to),
                p.created.to_rfc3339(),
                sources.join(" "),
                p.reasoning.clone().unwrap_or_default(),
            ];
            out.push_str(&cells.map(|cell| quoted(&cell)).join(","));
            out.push_str("\r\n");
        }
        out
    }

    /// The name of whom a statement is about; empty: nobody in particular.
    fn subject(&self, view: &PropositionView) -> String {
        let mention = view.proposition.mention_in(MentionRole::Subject);
        let state = self.state();
        let entity = mention.and_then(|mention| state.keeper(mention.entity?));
        entity.map(|entity| entity.name.clone()).unwrap_or_default()
    }
}

fn list(out: &mut String, heading: &str, views: &[&PropositionView]) {
    let _ = write!(out, "\n## {}\n\n", one_line(heading));
    for view in views {
        let p = &view.proposition;
        let said = p.temporal.observed_at.map(|at| format!("[{}] ", day(at))).unwrap_or_default();
        let status = match p.status {
            Status::Active | Status::Promoted => String::new(),
            other => format!(" ({})", other.as_str().to_lowercase()),
        };
        let _ = writeln!(out, "- {said}{}{status}", one_line(&p.text));
    }
}

fn day(at: Timestamp) -> String {
    at.to_rfc3339().chars().take(10).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn quoted(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let cell = if is_formula { format!("'{cell}") } else { cell.to_owned() };
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    }
}

//! The documents that follow from the code: `docs/settings.md` is made from the registry of properties, the matrix and
//! the memory block in `docs/working-set.md` are what the code decides and the templates say, and the rows of `docs/deviations.md` are in order.
//!
//! After a change that is meant: `UPDATE=1 cargo test -p credence-tests --test documents`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use credence::config::properties::{LATER, OWN, PROPERTIES};
use credence::config::{Config, Property, PropertyType};
use credence::conflict::{ConflictSettings, ResolutionOutcome, by_authority};
use credence::prompt::{LineContext, MemoryContext, Prompts, SectionContext};
use credence::unit::{Authority, Tier};
use serde_json::Value;

const REFRESH: &str = "UPDATE=1 cargo test -p credence-tests --test documents";

fn document(name: &str) -> PathBuf {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests' folder lies in the checkout");
    root.join("docs").join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(document(name)).unwrap_or_default()
}

/// Compares a document with what it should be, or writes it.
fn hold(name: &str, wanted: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::write(document(name), wanted).expect("the checkout can be written");
    }
    let found = read(name);
    let line = found.lines().zip(wanted.lines()).position(|(found, wanted)| found != wanted);
    let line = line.unwrap_or(found.lines().count().min(wanted.lines().count())) + 1;
    assert!(found == wanted, "docs/{name} is out of date from line {line} on; refresh it with: {REFRESH}");
}

/// What a property takes, for a cell of the table.
fn takes(property: &Property) -> String {
    match property.takes {
        PropertyType::Bool => "true or false".to_owned(),
        PropertyType::Int => "whole number".to_owned(),
        PropertyType::Double => "number".to_owned(),
        PropertyType::Text => "text".to_owned(),
        PropertyType::MaybeText => "text or null".to_owned(),
        PropertyType::MaybeDouble => "number or null".to_owned(),
        PropertyType::Enum(choices) => {
            choices.iter().map(|choice| format!("`{choice}`")).collect::<Vec<_>>().join(", ")
        }
        PropertyType::Duration => "time span, ISO 8601".to_owned(),
        PropertyType::List => "list".to_owned(),
        PropertyType::Map => "object".to_owned(),
    }
}

/// A default, for a cell of the table.
fn shown(default: &Value) -> String {
    match default {
        Value::String(text) if text.is_empty() => "empty".to_owned(),
        Value::String(text) => format!("`{}`", text.replace('|', "\\|")),
        Value::Array(list) if list.is_empty() => "empty".to_owned(),
        Value::Object(map) if map.is_empty() => "empty".to_owned(),
        other => format!("`{}`", other.to_string().replace('|', "\\|")),
    }
}

fn settings_page() -> String {
    let own: Vec<String> = OWN.iter().map(|name| format!("`{name}`")).collect();
    let own = own.join(" and ");
    let mut page = format!(
        "# Settings\n\n\
         Every setting that the founding document names, by its name there, and {own} of ours. This page is made from the registry in\n\
         `crates/credence/src/config/properties`, and a test fails when the two differ; refresh it with\n\
         `{REFRESH}`.\n\n\
         A name is also accepted with `arc-mem.` or `credence.` before it. `Config::set_property` changes one by its name with all checks, and\n\
         `Config::property` reads it; what is refused changes nothing, and the error names the setting, its range and what came. The place is where the\n\
         setting stands in the settings as JSON. There are more settings than these: of extraction, resolution, revision, ingestion, compaction and\n\
         tidying. Their names, ranges and defaults stand beside them in the `settings.rs` of their folders.\n"
    );
    let mut section = "";
    for property in Config::default().properties() {
        let Property { name, path, range, about, .. } = property.property;
        let own = name.split('.').next().unwrap_or_default();
        if own != section {
            section = own;
            write!(
                page,
                "\n## {section}\n\n| setting | takes | default | range | what it does | place |\n|---|---|---|---|---|---|\n"
            )
            .expect("a string grows");
        }
        let (takes, default) = (takes(&property.property), shown(&property.default));
        writeln!(page, "| `{name}` | {takes} | {default} | {range} | {about} | `{path}` |")
            .expect("a string grows");
    }
    page.push_str(
        "\n## Not yet\n\nThese are refused with the reason.\n\n| setting | why it waits |\n|---|---|\n",
    );
    for later in LATER {
        writeln!(page, "| `{}` | {} |", later.name, later.why).expect("a string grows");
    }
    page
}

/// The memory block with a unit of each authority, one of them in dispute, and one statement beside them.
fn memory_block() -> String {
    let prompts = Prompts::default();
    let line = |text: &str, source: &str, activation: Option<u16>| {
        let context = LineContext {
            text: text.to_owned(),
            source: source.to_owned(),
            activation,
            is_disputed: text.contains("Tuesdays"),
            ..LineContext::default()
        };
        prompts.fact(&context).expect("the template renders")
    };
    let section = |authority, strength, text, source, activation| SectionContext {
        authority,
        strength,
        is_numbered: true,
        lines: vec![line(text, source, Some(activation))],
    };
    let hint = LineContext {
        text: "Mara was in Lisbon in May.".to_owned(),
        hint: "said by Mara on 2026-06-02".to_owned(),
        ..LineContext::default()
    };
    let context = MemoryContext {
        is_tiered: true,
        sections: vec![
            section("CANON", "must", "Mara is allergic to hazelnuts.", "Mara on 2026-03-08", 700),
            section("RELIABLE", "must", "Mara lives in Kleve.", "Mara on 2026-03-08", 650),
            section("UNRELIABLE", "should", "Mara works for a brewery.", "Ivo on 2026-04-11", 500),
            section("PROVISIONAL", "may", "Mara rows on Tuesdays.", "Mara on 2026-06-02", 450),
        ],
        facts: vec![prompts.fact(&hint).expect("the template renders")],
    };
    prompts.memory(&context).expect("the template renders").trim().to_owned()
}

#[test]
fn the_page_of_settings_is_the_registry() {
    for Property { name, takes, range, about, .. } in PROPERTIES {
        assert!(!about.contains('|') && !range.contains('|'), "{name} fits into a cell");
        let is_number = matches!(takes, PropertyType::Int | PropertyType::Double);
        assert!(!is_number || !range.is_empty(), "{name} is a number and says no range");
    }
    hold("settings.md", &settings_page());
}

/// What becomes of a WARM unit by its authority and how sure the conflict is.
fn matrix() -> String {
    let settings = ConflictSettings::default();
    let (replace, demote) = (settings.replace_threshold, settings.demote_threshold);
    let mut table = format!(
        "| unit | confidence {replace} or more | {demote} to {replace} | below {demote} |\n|---|---|---|---|"
    );
    for authority in [Authority::Canon, Authority::Reliable, Authority::Unreliable, Authority::Provisional] {
        let cells = [replace, f64::midpoint(demote, replace), demote / 2.0].map(|sure| {
            match by_authority(authority, Tier::Warm, sure, &settings) {
                ResolutionOutcome::KeepExisting => "keep",
                ResolutionOutcome::Replace => "replace",
                ResolutionOutcome::DemoteExisting => "demote",
                ResolutionOutcome::Coexist => "coexist",
            }
        });
        write!(table, "\n| {} | {} |", authority.as_str(), cells.join(" | ")).expect("a string grows");
    }
    table
}

/// A page with what stands between two marks put in the place of what stood there.
fn with_part(page: &str, begin: &str, part: &str, end: &str) -> String {
    let (before, rest) = page.split_once(begin).expect("the place is marked");
    let (_, after) = rest.split_once(end).expect("its end is marked");
    format!("{before}{begin}{part}{end}{after}")
}

#[test]
fn the_page_of_the_working_set_has_the_matrix_and_the_memory_block_of_the_code() {
    let page = read("working-set.md");
    let page =
        with_part(&page, "<!-- made by tests/documents.rs: the matrix -->\n", &matrix(), "\n<!-- end -->");
    let block = format!("```text\n{}\n```", memory_block());
    let page =
        with_part(&page, "<!-- made by tests/documents.rs: the memory block -->\n", &block, "\n<!-- end -->");
    hold("working-set.md", &page);
}

#[test]
fn deviations_have_each_id_once_and_in_order() {
    let text = read("deviations.md");
    let rows = text.lines().filter(|line| line.starts_with("| D"));
    let mut last = 0;
    let mut broken = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim().trim_matches('|').split(" | ").map(str::trim).collect();
        let id = cells[0];
        match id.trim_start_matches('D').parse::<u32>() {
            Ok(number) if number > last => last = number,
            Ok(_) => broken.push(format!("{id} stands behind D{last}")),
            Err(_) => broken.push(format!("{id} is no id")),
        }
        if cells.len() != 5 || cells.iter().any(|cell| cell.is_empty()) {
            broken.push(format!("{id} has {} cells that say something, of 5", cells.len()));
        }
    }
    assert!(last > 0 && broken.is_empty(), "docs/deviations.md: {broken:#?}");
}

/// Every Rust source below a folder, as one text.
fn sources(folder: &Path, out: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder of the checkout can be listed") {
        let path = entry.expect("an entry of it can be read").path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            out.push_str(&fs::read_to_string(&path).expect("a source is text"));
        }
    }
}

#[test]
fn pages_name_tests_that_there_are() {
    let mut code = String::new();
    for folder in ["../crates", "../tests"] {
        sources(&document(folder), &mut code);
    }
    for name in ["working-set.md", "belief-revision.md"] {
        let page = read(name);
        let rows =
            page.lines().skip_while(|line| !line.starts_with("| claim") && !line.starts_with("| postulate"));
        let cells = rows.filter_map(|line| line.trim_end_matches('|').rsplit_once(" | "));
        let named: Vec<&str> = cells.flat_map(|(_, cell)| cell.split('`').skip(1).step_by(2)).collect();
        let gone: Vec<&&str> = named.iter().filter(|test| !code.contains(&format!("fn {test}("))).collect();
        assert!(named.len() > 10 && gone.is_empty(), "docs/{name} names tests that there are not: {gone:?}");
    }
}

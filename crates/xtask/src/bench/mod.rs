//! `cargo xtask bench`: named benchmarks with named figures. A benchmark measures and reports; it never passes or fails.
//!
//! With `--json` each record is one JSON object a line, so that runs can be kept and compared; otherwise a table.

mod facts;
mod history;
mod knowledge;
mod scenarios;
mod size;
mod working_set;

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use crate::args::Args;

/// One line of a benchmark's output: figures by name, units in the names (`raw_bytes`, `load_ms`).
pub(crate) type Record = Map<String, Value>;

/// A benchmark that can be asked for by name.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<Vec<Record>>,
}

const BENCHES: &[Bench] = &[
    Bench {
        name: "drills",
        about: "kills, two tabs, a full disk, a blocked upgrade in Chromium: commits that were torn or lost",
        run: history::drills,
    },
    Bench {
        name: "history",
        about: "views and deltas over 10,000 commits; committing and opening beside bare IndexedDB in Chromium",
        run: history::run,
    },
    Bench {
        name: "knowledge",
        about: "facts of the specification that tests hold; model calls and tokens of an analysed window",
        run: knowledge::run,
    },
    Bench {
        name: "scale",
        about: "milliseconds of reading, analysing and tidying a memory of 10,000 statements and 3,000 entities, and of a working set of 200",
        run: knowledge::scale,
    },
    Bench {
        name: "scenarios",
        about: "facts of the scenario runner that tests hold, the corpus, statistics beside scipy's, an experiment played twice",
        run: scenarios::run,
    },
    Bench {
        name: "size",
        about: "bytes of everything that a page loads, raw and gzip, beside their goals",
        run: size::run,
    },
    Bench {
        name: "working-set",
        about: "facts of the working set that tests hold, properties proven live, and the conflict rules on labelled pairs",
        run: working_set::run,
    },
];

pub(crate) fn command(mut args: Args) -> Result<()> {
    let json = args.flag("--json");
    let name = args.positional();
    args.finish()?;
    let Some(name) = name else {
        for bench in BENCHES {
            println!("{:12} {}", bench.name, bench.about);
        }
        return Ok(());
    };
    let bench = BENCHES
        .iter()
        .find(|bench| bench.name == name)
        .with_context(|| format!("there is no benchmark `{name}`; `cargo xtask bench` lists them"))?;
    let mut records = (bench.run)()?;
    if json {
        for record in &mut records {
            record.insert("bench".to_owned(), bench.name.into());
            println!("{}", Value::Object(std::mem::take(record)));
        }
    } else {
        print!("{}", table(&records));
    }
    Ok(())
}

/// A record from pairs, in the order in which a reader wants them.
fn record<const N: usize>(pairs: [(&str, Value); N]) -> Record {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Columns by name, one row a record; a figure that a record lacks is a dash. A record alone is a line a figure.
fn table(records: &[Record]) -> String {
    if let [only] = records {
        let width = only.keys().map(String::len).max().unwrap_or(0);
        return only.iter().map(|(name, value)| format!("{name:width$}  {}\n", shown(value))).collect();
    }
    let mut columns: Vec<&str> = Vec::new();
    let mut seen = BTreeSet::new();
    for name in records.iter().flat_map(Record::keys) {
        if seen.insert(name) {
            columns.push(name);
        }
    }
    // What a row is about comes first, whatever the map's order.
    columns.sort_by_key(|name| *name != "what");
    let cell = |record: &Record, name: &str| record.get(name).map_or_else(|| "-".to_owned(), shown);
    let mut rows: Vec<Vec<String>> = vec![columns.iter().map(|name| (*name).to_owned()).collect()];
    rows.extend(records.iter().map(|record| columns.iter().map(|name| cell(record, name)).collect()));
    let widths: Vec<usize> = (0..columns.len())
        .map(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_alone_is_a_line_a_figure() {
        let records = [record([("calls", 2.into()), ("goal_calls", Value::Null)])];
        assert_eq!(table(&records), "calls       2\ngoal_calls  -\n");
    }

    #[test]
    fn a_table_has_every_figure_of_every_record() {
        let records = [
            record([("what", "app".into()), ("raw_bytes", 1200.into())]),
            record([("what", "the embedding".into()), ("goal_bytes", 9.into())]),
        ];
        assert_eq!(
            table(&records),
            "what           raw_bytes  goal_bytes\napp            1200       -\nthe embedding  -          9\n"
        );
    }
}

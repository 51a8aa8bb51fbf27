//! The report as Markdown, in sections: what it was, whether it can be believed, what it shows, and everything behind it.

use std::fmt::Write as _;

use crate::experiment::{Analysis, Comparison, Experiment, Outcome, Resilience, RunDigest, ScenarioNote};
use crate::metrics::NAMES;

use super::blocked::forbids;
use super::effect::{EFFECTS_NOTE, EffectRow};
use super::narrative::narrative;
use super::text::{cut, figure, markdown_text};

/// Characters of a fact's text, and of a line of player or narrator.
const FACT: usize = 60;
const LINE: usize = 120;

/// Most contradictions told of one scenario; the run's record holds all.
const CONTRADICTIONS: usize = 50;

/// The whole report.
pub fn markdown(experiment: &Experiment, analysis: &Analysis) -> String {
    let mut out = Page(String::new());
    head(&mut out, experiment);
    checks(&mut out, analysis);
    story(&mut out, experiment, analysis);
    resilience(&mut out, experiment, analysis);
    for scenario in &experiment.scenarios {
        cells(&mut out, experiment, analysis, scenario);
        facts(&mut out, experiment, analysis, scenario);
        contradictions(&mut out, experiment, scenario);
    }
    effects(&mut out, analysis);
    strategies(&mut out, experiment, analysis);
    manifest(&mut out, experiment);
    out.0
}

/// Lines of Markdown. What is put in is escaped already, or is our own.
struct Page(String);

impl Page {
    fn line(&mut self, line: &str) {
        self.0.push_str(line);
        self.0.push('\n');
    }

    fn heading(&mut self, level: usize, title: &str) {
        let _ = write!(self.0, "\n{} {title}\n\n", "#".repeat(level));
    }

    /// Nothing where there are no rows.
    fn table(&mut self, columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        let mut rows = rows.into_iter().peekable();
        if rows.peek().is_none() {
            return;
        }
        self.line(&format!("| {} |", columns.join(" | ")));
        self.line(&format!("|{}", "---|".repeat(columns.len())));
        for row in rows {
            self.line(&format!("| {} |", row.join(" | ")));
        }
    }
}

fn head(out: &mut Page, experiment: &Experiment) {
    let definition = &experiment.definition;
    out.line(&format!("# {}", markdown_text(&definition.name)));
    out.line("");
    let names = |names: Vec<&str>| markdown_text(&names.join(", "));
    let conditions = definition.conditions.iter().map(|condition| condition.name.as_str()).collect();
    let scenarios = definition.scenarios.iter().map(String::as_str).collect();
    let mut rows = vec![
        ("Experiment", markdown_text(&experiment.id)),
        ("Ended (UTC)", minute(&experiment.manifest.ended.to_rfc3339())),
        ("Conditions", names(conditions)),
        ("Scenarios", names(scenarios)),
        ("Repetitions", definition.repetitions.to_string()),
        ("Primary metrics", names(definition.primary.iter().map(String::as_str).collect())),
        ("Judged by", markdown_text(&definition.judged_by)),
    ];
    let models = [
        ("Narrator", &definition.narrator),
        ("Judging model", &definition.judge),
        ("Attacking model", &definition.adversary),
    ];
    rows.extend(
        models.iter().filter(|(_, name)| !name.is_empty()).map(|(role, name)| (*role, markdown_text(name))),
    );
    out.table(&["", ""], rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]));
    if experiment.cancelled {
        let (played, planned) = (experiment.runs.len(), experiment.manifest.planned_runs);
        out.line(&format!(
            "\n> This experiment was stopped after {played} of {planned} runs: it is partial."
        ));
    }
}

/// An instant without its seconds.
fn minute(rfc3339: &str) -> String {
    rfc3339.get(..16).unwrap_or(rfc3339).replace('T', " ")
}

fn checks(out: &mut Page, analysis: &Analysis) {
    out.heading(2, "Checks");
    let rows = analysis.checks.iter().map(|check| {
        let outcome = match check.outcome {
            Outcome::Passed => "passed",
            Outcome::Caution => "caution",
            Outcome::Blocks => "**blocks conclusions**",
        };
        let forbidden = forbids(check, str::to_owned).unwrap_or_default();
        vec![outcome.to_owned(), markdown_text(&check.words), markdown_text(&forbidden)]
    });
    out.table(&["outcome", "what was found", "what is not concluded"], rows);
}

fn story(out: &mut Page, experiment: &Experiment, analysis: &Analysis) {
    let story = narrative(experiment, analysis);
    out.heading(2, "What it shows");
    for warning in &story.warnings {
        out.line(&format!("> **Warning.** {}\n", markdown_text(warning)));
    }
    for sentence in story.conclusions.iter().chain(&story.observations) {
        out.line(&format!("- {}", markdown_text(sentence)));
    }
}

fn resilience(out: &mut Page, experiment: &Experiment, analysis: &Analysis) {
    out.heading(2, "Resilience score");
    if analysis.resilience.is_empty() {
        out.line("No condition has a judged run: there is no score.");
        return;
    }
    let names = experiment.definition.conditions.iter().map(|condition| &condition.name);
    let rows = names.filter_map(|name| {
        let score = analysis.resilience.get(name)?;
        let parts = [Some(score.survival), score.absorption, score.contradiction, score.strategy];
        let mut row = vec![markdown_text(name), format!("{:.2} {:?}", score.overall, score.standing)];
        row.extend(parts.map(|part| figure(part, 1)));
        Some(row)
    });
    let columns = [
        "condition",
        "overall",
        "survival (40 %)",
        "absorption (25 %)",
        "contradictions (20 %)",
        "strategies (15 %)",
    ];
    out.table(&columns, rows);
    out.line(&format!("\n{}", Resilience::CAVEAT));
}

fn cells(out: &mut Page, experiment: &Experiment, analysis: &Analysis, scenario: &ScenarioNote) {
    let title = if scenario.title.is_empty() { &scenario.id } else { &scenario.title };
    out.heading(2, &format!("{} ({})", markdown_text(title), markdown_text(&scenario.id)));
    let conditions: Vec<&str> =
        experiment.definition.conditions.iter().map(|condition| condition.name.as_str()).collect();
    let rows = NAMES.iter().filter_map(|metric| {
        let of = |name: &&str| analysis.cell(name, &scenario.id)?.metric(metric.name).filter(|of| of.n > 0);
        let all: Vec<_> = conditions.iter().map(of).collect();
        all.iter().any(Option::is_some).then(|| {
            let shown = all.into_iter().map(|of| {
                of.map_or_else(
                    || "–".to_owned(),
                    |of| format!("{} ± {} (n={})", figure(of.mean, 1), figure(of.sd, 1), of.n),
                )
            });
            std::iter::once(metric.title.to_owned()).chain(shown).collect()
        })
    });
    let names: Vec<String> = conditions.iter().map(|name| markdown_text(name)).collect();
    let columns: Vec<&str> =
        std::iter::once("metric (mean ± sd)").chain(names.iter().map(String::as_str)).collect();
    out.table(&columns, rows);
}

fn facts(out: &mut Page, experiment: &Experiment, analysis: &Analysis, scenario: &ScenarioNote) {
    if scenario.facts.is_empty() {
        return;
    }
    out.heading(3, "Facts that survived");
    let conditions = &experiment.definition.conditions;
    let rows = scenario.facts.iter().map(|fact| {
        let mut row = vec![markdown_text(&fact.id), markdown_text(&cut(&fact.text, FACT))];
        row.extend(conditions.iter().map(|condition| {
            let cell = analysis.cell(&condition.name, &scenario.id);
            let fate = cell.and_then(|cell| cell.facts.iter().find(|fate| fate.fact == fact.id));
            match fate.filter(|fate| fate.runs > 0) {
                None => "–".to_owned(),
                Some(fate) => {
                    let drift =
                        fate.first_drift.map_or_else(String::new, |turn| format!(" (T{turn} first drift)"));
                    format!("{}/{}{drift}", fate.survived, fate.runs)
                }
            }
        }));
        row
    });
    let names: Vec<String> = conditions.iter().map(|condition| markdown_text(&condition.name)).collect();
    let columns: Vec<&str> = ["fact", "text"].into_iter().chain(names.iter().map(String::as_str)).collect();
    out.table(&columns, rows);
}

fn contradictions(out: &mut Page, experiment: &Experiment, scenario: &ScenarioNote) {
    let judge = &experiment.definition.judged_by;
    let all: Vec<(&RunDigest, _)> = experiment
        .complete()
        .filter(|run| run.scenario == scenario.id)
        .flat_map(|run| {
            run.contradictions.iter().filter(|one| one.judge == *judge).map(move |one| (run, one))
        })
        .collect();
    if all.is_empty() {
        return;
    }
    out.heading(3, "Contradictions");
    let mut told = all.clone();
    told.sort_by_key(|(_, one)| scenario.facts.iter().position(|fact| fact.id == one.fact));
    let line = |text: &str| markdown_text(&cut(text, LINE));
    let rows = told.iter().take(CONTRADICTIONS).map(|(run, one)| {
        vec![
            markdown_text(&one.fact),
            markdown_text(&run.condition),
            (run.settings.repetition + 1).to_string(),
            one.turn.to_string(),
            markdown_text(&one.strategies.join(", ")),
            line(&one.player),
            line(&one.reply),
            format!("{:?}", one.severity).to_lowercase(),
            line(&one.explanation),
        ]
    });
    let columns = ["fact", "condition", "run", "turn", "strategies", "player", "narrator", "severity", "why"];
    out.table(&columns, rows);
    if all.len() > CONTRADICTIONS {
        out.line(&format!("\n{} more are in the runs' records.", all.len() - CONTRADICTIONS));
    }
}

/// Whether a comparison stands in a table.
type Belongs = fn(&Comparison) -> bool;

fn effects(out: &mut Page, analysis: &Analysis) {
    if analysis.comparisons.is_empty() {
        return;
    }
    out.heading(2, "Comparisons");
    out.line(EFFECTS_NOTE);
    let kinds: [(&str, Belongs); 3] = [
        ("Primary", |one| one.primary && !one.control),
        ("Control (the same condition under two names)", |one| one.control),
        ("Exploratory", |one| !one.primary && !one.control),
    ];
    for (title, belongs) in kinds {
        let of_kind: Vec<&Comparison> =
            analysis.comparisons.iter().filter(|one| belongs(one) && one.pairs > 0).collect();
        if of_kind.is_empty() {
            continue;
        }
        out.heading(3, title);
        let columns = [
            "pair",
            "metric",
            "difference",
            "interval",
            "g",
            "effect",
            "p",
            "",
            "pairs",
            "power",
            "unpaired g, p",
        ];
        out.table(&columns, of_kind.into_iter().map(|one| effect(analysis, one)));
    }
    out.line("\n`*` beside an effect: low confidence, for there are fewer than 10 pairs or a cell varies much. `–`: not defined.");
}

fn effect(analysis: &Analysis, one: &Comparison) -> Vec<String> {
    let row = EffectRow::of(analysis, one);
    let mark = if one.low_confidence && one.g.is_some() && !row.is_blocked { "\\*" } else { "" };
    vec![
        format!("{} : {}", markdown_text(&one.first), markdown_text(&one.second)),
        row.metric,
        row.difference,
        format!("{}{}", row.interval, if one.interval.is_some() && one.by_scenario { " s" } else { "" }),
        row.g,
        format!("{}{mark}", row.effect),
        row.p,
        row.stars.replace('*', "\\*"),
        one.pairs.to_string(),
        row.power,
        row.unpaired,
    ]
}

fn strategies(out: &mut Page, experiment: &Experiment, analysis: &Analysis) {
    let conditions = &experiment.definition.conditions;
    let mut names: Vec<&String> = analysis.cells.iter().flat_map(|cell| cell.strategies.keys()).collect();
    names.sort();
    names.dedup();
    if names.is_empty() {
        return;
    }
    out.heading(2, "How often each strategy worked");
    let rows = names.into_iter().map(|name| {
        let shares = conditions.iter().map(|condition| {
            let own = analysis.cells.iter().filter(|cell| cell.condition == condition.name);
            let means = own.filter_map(|cell| cell.strategies.get(name)).map(|summary| summary.mean);
            crate::stats::Summary::of(means)
                .mean
                .map_or_else(|| "–".to_owned(), |mean| format!("{:.1}%", mean * 100.0))
        });
        std::iter::once(markdown_text(name)).chain(shares).collect()
    });
    let shown: Vec<String> = conditions.iter().map(|condition| markdown_text(&condition.name)).collect();
    let columns: Vec<&str> = std::iter::once("strategy").chain(shown.iter().map(String::as_str)).collect();
    out.table(&columns, rows);
}

fn manifest(out: &mut Page, experiment: &Experiment) {
    let manifest = &experiment.manifest;
    out.heading(2, "Manifest");
    let complete = experiment.complete().count();
    let versions: Vec<String> =
        manifest.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let hashes: Vec<String> =
        manifest.scenario_hashes.iter().map(|(id, hash)| format!("{id} {hash}")).collect();
    let configs: Vec<String> =
        manifest.config_hashes.iter().map(|(cell, hash)| format!("{cell} {hash}")).collect();
    let options: Vec<String> =
        experiment.definition.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let rows = [
        (
            "runs",
            format!(
                "{} planned, {} played, {complete} complete",
                manifest.planned_runs,
                experiment.runs.len()
            ),
        ),
        ("seed", experiment.definition.seed.to_string()),
        ("definition", manifest.definition_hash.clone()),
        ("scenarios", hashes.join(", ")),
        ("templates", manifest.prompts_hashes.join(", ")),
        ("memory settings", configs.join(", ")),
        ("options", options.join(", ")),
        ("memory read by", manifest.reader.clone()),
        ("versions", versions.join(", ")),
        ("commit", manifest.commit.clone()),
        ("started", manifest.started.to_rfc3339()),
        ("ended", manifest.ended.to_rfc3339()),
        ("runs at once", manifest.parallelism.to_string()),
    ];
    let said = rows.into_iter().filter(|(_, value)| !value.is_empty());
    out.table(&["", ""], said.map(|(name, value)| vec![name.to_owned(), markdown_text(&value)]));
    out.line("\nMade by Credence. Every run's record holds its prompts, replies and verdicts.");
}

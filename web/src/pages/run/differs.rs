//! In what two working sets, or the setups of two runs, differ. Nothing here draws.

use std::collections::BTreeMap;

use credence::unit::{Authority, UnitView};
use credence_sim::run::{RunRecord, TurnRecord};
use credence_sim::verdict::{Ruling, Severity};

/// Where a unit stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub authority: Authority,
    pub activation: u16,
    pub pinned: bool,
}

/// A unit in either of two working sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct UnitPair {
    pub text: String,
    pub left: Option<Place>,
    pub right: Option<Place>,
}

impl UnitPair {
    /// Whether it stands alike in both.
    pub(super) fn is_same(&self) -> bool {
        self.left == self.right
    }
}

/// Two working sets as one list: units are the same when they say the same, whatever the case. Those that differ first.
pub(super) fn units(left: &[UnitView], right: &[UnitView]) -> Vec<UnitPair> {
    let mut pairs: BTreeMap<String, UnitPair> = BTreeMap::new();
    let mut put = |view: &UnitView, is_left: bool| {
        let text = view.proposition.text.clone();
        let pair = pairs.entry(text.to_lowercase()).or_insert(UnitPair { text, left: None, right: None });
        let place = Place {
            authority: view.authority,
            activation: view.activation.get(),
            pinned: view.proposition.pinned,
        };
        if is_left {
            pair.left = Some(place);
        } else {
            pair.right = Some(place);
        }
    };
    left.iter().for_each(|view| put(view, true));
    right.iter().for_each(|view| put(view, false));
    let mut pairs: Vec<UnitPair> = pairs.into_values().collect();
    pairs.sort_by_key(UnitPair::is_same);
    pairs
}

/// One thing that a run was begun with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Setup {
    pub what: String,
    pub left: String,
    pub right: String,
}

impl Setup {
    pub(super) fn is_same(&self) -> bool {
        self.left == self.right
    }
}

/// Everything that two runs were begun with, that which differs first.
pub(super) fn setups(left: &RunRecord, right: &RunRecord) -> Vec<Setup> {
    let (a, b) = (facts_of(left), facts_of(right));
    let names: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let value = |of: &BTreeMap<String, String>, name: &str| {
        of.get(name).filter(|value| !value.is_empty()).cloned().unwrap_or_else(|| "\u{2013}".to_owned())
    };
    let mut rows: Vec<Setup> = names
        .into_iter()
        .map(|name| Setup { what: name.clone(), left: value(&a, name), right: value(&b, name) })
        .collect();
    rows.sort_by_key(Setup::is_same);
    rows
}

fn facts_of(run: &RunRecord) -> BTreeMap<String, String> {
    let settings = &run.settings;
    let limit = match settings.token_budget {
        0 => "no limit".to_owned(),
        tokens => tokens.to_string(),
    };
    let mut facts: BTreeMap<String, String> = [
        ("scenario", run.scenario.clone()),
        ("scenario, as its words are", run.scenario_hash.clone()),
        ("templates", run.prompts_hash.clone()),
        ("settings of the memory", run.config_hash.clone()),
        ("condition", run.condition.name.to_lowercase().replace('_', " ")),
        ("seed", settings.seed.to_string()),
        ("repetition", settings.repetition.to_string()),
        ("turns asked for", settings.max_turns.to_string()),
        ("token limit", limit),
        ("narrator", settings.narrator.clone()),
        ("judge", settings.judge.clone()),
        ("adversary", settings.adversary.clone()),
        ("acts while paused", run.interventions.len().to_string()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect();
    // What a condition switches, by its own fields: two conditions of one name need not be the same.
    if let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(&run.condition) {
        for (name, value) in fields.into_iter().filter(|(name, _)| name != "name") {
            let word = match value {
                serde_json::Value::Bool(true) => "on".to_owned(),
                serde_json::Value::Bool(false) => "off".to_owned(),
                serde_json::Value::String(word) => word,
                other => other.to_string(),
            };
            facts.insert(format!("condition: {}", name.replace('_', " ")), word);
        }
    }
    facts.extend(settings.options.iter().map(|(name, value)| (format!("option: {name}"), value.clone())));
    facts
}

/// What a judge says of a fact, in a word, and how good that is.
pub(super) fn ruling_word(ruling: Ruling, severity: Severity) -> (&'static str, &'static str) {
    match (ruling, severity) {
        (Ruling::Confirmed, _) => ("confirmed", "good"),
        (Ruling::Contradicted, Severity::Major) => ("contradicted, major", "bad"),
        (Ruling::Contradicted, _) => ("contradicted", "bad"),
        (Ruling::NotMentioned, _) => ("not mentioned", "none"),
    }
}

/// A word on one fact from each of two turns, by the same judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VerdictPair {
    pub judge: String,
    pub fact: String,
    pub left: Option<(&'static str, &'static str)>,
    pub right: Option<(&'static str, &'static str)>,
}

/// The verdicts of two turns, by judge and fact.
pub(super) fn verdicts(left: Option<&TurnRecord>, right: Option<&TurnRecord>) -> Vec<VerdictPair> {
    let mut pairs: BTreeMap<(String, String), VerdictPair> = BTreeMap::new();
    for (turn, is_left) in [(left, true), (right, false)] {
        for judgement in turn.iter().flat_map(|turn| &turn.judgements) {
            let judge = judgement.judge.kind().to_owned();
            for verdict in &judgement.verdicts {
                let key = (judge.clone(), verdict.fact.clone());
                let pair = pairs.entry(key).or_insert_with(|| VerdictPair {
                    judge: judge.clone(),
                    fact: verdict.fact.clone(),
                    left: None,
                    right: None,
                });
                let word = Some(ruling_word(verdict.ruling, verdict.severity));
                if is_left {
                    pair.left = word;
                } else {
                    pair.right = word;
                }
            }
        }
    }
    pairs.into_values().collect()
}

/// The prompt of a turn as one text, message by message.
pub(super) fn prompt(turn: &TurnRecord) -> String {
    let messages =
        turn.trace.messages.iter().map(|message| format!("[{:?}]\n{}", message.author, message.text));
    messages.collect::<Vec<_>>().join("\n\n")
}

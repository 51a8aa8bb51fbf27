//! Whose models play: those that the run names, or, by the option `models=scenario`, those that the scenario names.
//!
//! A file's models are of whoever wrote it, and no endpoint need have them; so the run's own hold where nothing is said, and what the
//! scenario names beside them is told, never passed over in silence.

use crate::narrator::simulated::Simulated;
use crate::narrator::{SCRIPTED, by_model};
use crate::run::RunSettings;
use crate::scenario::{AdversaryMode, Scenario};

/// The option, and the word by which the scenario's own models play.
const OPTION: (&str, &str) = ("models", "scenario");

fn by_scenario(settings: &RunSettings) -> bool {
    settings.options.get(OPTION.0).is_some_and(|word| word.trim() == OPTION.1)
}

fn is_no_model(narrator: &str) -> bool {
    [Simulated::NAME, SCRIPTED].contains(&narrator)
}

/// What a scenario names for each role: the key of its file, the model, and who plays by the settings (empty: no model).
fn named<'a>(scenario: &'a Scenario, settings: &'a RunSettings) -> Vec<(&'static str, &'a str, &'a str)> {
    let roles = [
        ("model", &scenario.narrator, &settings.narrator),
        ("evaluatorModel", &scenario.evaluator, &settings.judge),
        ("generatorModel", &scenario.generator, &settings.adversary),
    ];
    // Where the script speaks, nobody words attacks.
    let plays = |key: &str| key != "generatorModel" || scenario.adversary_mode == AdversaryMode::Adaptive;
    let name = |model: &'a Option<String>| model.as_deref().map(str::trim).filter(|name| !name.is_empty());
    roles
        .into_iter()
        .filter(|(key, ..)| plays(key))
        .filter_map(|(key, choice, plays)| Some((key, name(&choice.model)?, plays.as_str())))
        .collect()
}

/// The settings with the scenario's models in place of the run's, where the option asks for it. A role that no model plays stays so.
pub(super) fn chosen(scenario: &Scenario, settings: &RunSettings) -> RunSettings {
    let mut out = settings.clone();
    if !by_scenario(settings) || is_no_model(&settings.narrator) {
        return out;
    }
    for (key, model, plays) in named(scenario, settings) {
        let place = match key {
            "model" => &mut out.narrator,
            "evaluatorModel" => &mut out.judge,
            _ => &mut out.adversary,
        };
        if !plays.is_empty() {
            *place = if key == "model" { by_model(model) } else { model.to_owned() };
        }
    }
    out
}

/// The narrator's model as a request has to name it; `None`: the endpoint's own.
pub(super) fn narrator(scenario: &Scenario, settings: &RunSettings) -> Option<String> {
    let asked = by_scenario(settings) && !is_no_model(&settings.narrator);
    asked.then(|| scenario.narrator.model.clone()).flatten()
}

/// Why the option cannot be followed.
pub(super) fn problem(settings: &RunSettings) -> Option<String> {
    (by_scenario(settings) && is_no_model(&settings.narrator)).then(|| {
        format!(
            "options: models is scenario, and {} narrates, which is no model; choose a model, or leave the option out",
            settings.narrator
        )
    })
}

/// What a scenario asks for and a run by these settings does not do, in words for a person: the models that it names where others play, and the
/// vendors that it names, since whose server plays is chosen by who plays, never by a file.
pub fn not_applied(scenario: &Scenario, settings: &RunSettings) -> Vec<String> {
    let settings = &chosen(scenario, settings);
    let models = named(scenario, settings)
        .into_iter()
        .filter(|(_, model, plays)| model != plays && by_model(model) != *plays)
        .map(|(key, model, plays)| {
            let role = match key {
                "model" => "narrates",
                "evaluatorModel" => "judges",
                _ => "attacks",
            };
            let plays = if plays.is_empty() { "no model" } else { plays };
            format!("the scenario names {model} ({key}), and {plays} {role}")
        });
    let vendors = providers(scenario, settings).into_iter().map(|(key, provider)| {
        format!("the scenario names the provider {provider} ({key}); the endpoint that you chose plays, whosever it is")
    });
    models.chain(vendors).collect()
}

/// The vendor that a scenario names for each role that a model plays.
fn providers<'a>(scenario: &'a Scenario, settings: &RunSettings) -> Vec<(&'static str, &'a str)> {
    let is_adaptive = scenario.adversary_mode == AdversaryMode::Adaptive;
    let roles = [
        ("evaluatorModel", &scenario.evaluator, !settings.judge.is_empty()),
        ("generatorModel", &scenario.generator, !settings.adversary.is_empty() && is_adaptive),
    ];
    let named = roles.into_iter().filter(|(.., plays)| *plays);
    named.filter_map(|(key, choice, _)| Some((key, choice.provider.as_deref()?.trim()))).collect()
}

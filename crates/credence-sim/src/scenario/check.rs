//! What a scenario has to be, beyond the kinds of its values: what refers to what, what fits into what, and what a run of it could show.
//!
//! Three weights. An *error* no run could be made of. A *refusal* is something that would not be applied: an error in our own files;
//! in those of the predecessor it is left out with a warning ([`leave_out`]). A *warning* names what will mislead a reader of the
//! results: a fact that is told nowhere, or told again in every prompt, measures who was told and not what was remembered (core
//! 14.3, E1 and E5).

use std::collections::{BTreeMap, BTreeSet};

use credence::enforcement::EnforcementStrategy;
use credence::trust::{DomainProfile, Signal};
use credence::unit::{Authority, InvariantKind};

use super::problems::{Problem, Severity, choose, nearest};
use super::{AdversaryConfig, AdversaryMode, Assertion, CompactionPlan, Fact, Scenario, TrustChoice};
use crate::judge::oracle;
use crate::strategy::Catalog;

/// The longest run of a scenario, in turns.
pub const MOST_TURNS: u32 = 1000;

/// What follows from a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Error,
    Refusal,
    Warning,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) path: String,
    pub(super) message: String,
    pub(super) remedy: String,
    pub(super) weight: Weight,
}

/// Everything that is wrong with a scenario that did not come from a file, refusals as errors. Problems name no line.
pub fn check(scenario: &Scenario) -> Vec<Problem> {
    let problem = |finding: Finding| Problem {
        line: 0,
        column: 0,
        path: finding.path,
        message: finding.message,
        remedy: finding.remedy,
        severity: if finding.weight == Weight::Warning { Severity::Warning } else { Severity::Error },
    };
    findings(scenario).into_iter().map(problem).collect()
}

/// Everything that is wrong with a scenario.
pub(super) fn findings(scenario: &Scenario) -> Vec<Finding> {
    let mut found = Found { found: Vec::new(), catalog: Catalog::ours() };
    found.identity(scenario);
    found.length(scenario);
    found.speakers(scenario);
    found.facts(scenario);
    found.seeds(scenario);
    found.turns(scenario);
    if let Some((path, message)) = scenario.trust.as_ref().and_then(trust_problem) {
        found.refuse(&path, message, &format!("signals are {}", signal_names()));
    }
    if let Some(plan) = &scenario.compaction {
        found.compaction(plan, scenario.max_turns);
    }
    if let Some((path, message)) = session_problem(scenario) {
        found.refuse(&path, message, "sessions follow one another from turn 1 to maxTurns");
    }
    found.assertions(scenario);
    found.invariants(scenario);
    if scenario.enforcement == Some(EnforcementStrategy::Prolog) {
        found.error("enforcementStrategy", "no logic engine is in this version".to_owned(), "write HYBRID");
    }
    found.found
}

/// Leaves out what [`findings`] refuses and a run would stumble over: what points nowhere, and plans that do not fit as a whole.
pub(super) fn leave_out(scenario: &mut Scenario) {
    let catalog = Catalog::ours();
    let ids: BTreeSet<String> = scenario.facts.iter().map(|fact| fact.id.clone()).collect();
    for turn in &mut scenario.turns {
        turn.strategies.retain(|word| catalog.by_id(word).is_some());
        turn.target.take_if(|target| !ids.contains(target));
    }
    let script = scripted(scenario);
    for fact in &mut scenario.facts {
        fact.established_at.take_if(|turn| *turn > script);
    }
    if scenario.adversary_mode == AdversaryMode::Scripted {
        scenario.adversary = AdversaryConfig::default();
    }
    scenario.adversary.preferred_strategies.retain(|word| catalog.by_id(word).is_some());
    if let Some(trust) = &mut scenario.trust
        && trust_problem(trust).is_some()
    {
        trust.weight_overrides.clear();
    }
    scenario.trust.take_if(|trust| trust_problem(trust).is_some());
    if let Some(plan) = &mut scenario.compaction {
        plan.force_at_turns.retain(|turn| *turn <= scenario.max_turns);
    }
    if session_problem(scenario).is_some() {
        scenario.sessions.clear();
    }
    scenario
        .invariants
        .retain(|rule| idle_rule(rule.kind, rule.minimum_authority, rule.minimum_count).is_none());
}

fn scripted(scenario: &Scenario) -> u32 {
    u32::try_from(scenario.turns.len()).unwrap_or(u32::MAX)
}

fn signal_names() -> String {
    Signal::ALL.map(Signal::name).join(", ")
}

/// Why a choice of trust cannot be applied, and where.
fn trust_problem(choice: &TrustChoice) -> Option<(String, String)> {
    let at = |rest: &str| format!("trustConfig.{rest}");
    let Some(profile) = DomainProfile::known(&choice.profile) else {
        return Some((
            at("profile"),
            format!("there is no profile `{}`: write BALANCED, NARRATIVE or SECURE", choice.profile),
        ));
    };
    for (signal, weight) in &choice.weight_overrides {
        if !Signal::ALL.iter().any(|known| known.name() == signal) {
            let near = nearest(signal, Signal::ALL.map(Signal::name))
                .map_or(String::new(), |near| format!(" (`{near}`?)"));
            return Some((
                at(&format!("weightOverrides.{signal}")),
                format!("there is no signal `{signal}`{near}: the overrides stay without effect"),
            ));
        }
        if !(0.0..=1.0).contains(weight) {
            return Some((
                at(&format!("weightOverrides.{signal}")),
                format!("the weight {weight} is outside 0 to 1"),
            ));
        }
    }
    let weight = |signal: &Signal| {
        choice.weight_overrides.get(signal.name()).copied().unwrap_or_else(|| profile.weight(*signal))
    };
    let sum: f64 = Signal::ALL.iter().map(weight).sum();
    let fits = (sum - 1.0).abs() <= 0.001;
    (!fits).then(|| {
        let message =
            format!("with the overrides the weights of {} sum to {sum:.3}, not to 1", profile.name());
        (at("weightOverrides"), message)
    })
}

/// Why sessions do not fit together, and where.
fn session_problem(scenario: &Scenario) -> Option<(String, String)> {
    let mut next = 1;
    for (at, session) in scenario.sessions.iter().enumerate() {
        let path = |key: &str| format!("sessions[{at}].{key}");
        if session.name.trim().is_empty() {
            return Some((path("name"), "the session has no name".to_owned()));
        }
        if session.start_turn != next {
            let what = if session.start_turn < next { "overlaps the one before" } else { "leaves a gap" };
            let message = format!(
                "the session begins with turn {} and {what}: turn {next} is next",
                session.start_turn
            );
            return Some((path("startTurn"), message));
        }
        if session.end_turn < session.start_turn || session.end_turn > scenario.max_turns {
            let message = format!(
                "the session ends with turn {}, outside {} to {}",
                session.end_turn, session.start_turn, scenario.max_turns
            );
            return Some((path("endTurn"), message));
        }
        next = session.end_turn.saturating_add(1);
    }
    let short = !scenario.sessions.is_empty() && next <= scenario.max_turns;
    short.then(|| {
        let message = format!("the last session ends before turn {}", scenario.max_turns);
        (format!("sessions[{}].endTurn", scenario.sessions.len() - 1), message)
    })
}

/// Why a rule forbids nothing.
fn idle_rule(kind: InvariantKind, level: Authority, count: u32) -> Option<(&'static str, &'static str)> {
    match kind {
        InvariantKind::AuthorityFloor if level == Authority::Provisional => {
            Some(("minimumAuthority", "a floor at PROVISIONAL forbids nothing"))
        }
        InvariantKind::MinAuthorityCount if count == 0 => {
            Some(("minimumCount", "a rule that keeps no unit forbids nothing"))
        }
        _ => None,
    }
}

/// What is found, as it comes.
struct Found {
    found: Vec<Finding>,
    catalog: Catalog,
}

impl Found {
    fn say(&mut self, weight: Weight, path: &str, message: String, remedy: &str) {
        self.found.push(Finding { path: path.to_owned(), message, remedy: remedy.to_owned(), weight });
    }
    fn error(&mut self, path: &str, message: String, remedy: &str) {
        self.say(Weight::Error, path, message, remedy);
    }
    fn refuse(&mut self, path: &str, message: String, remedy: &str) {
        self.say(Weight::Refusal, path, message, remedy);
    }
    fn warn(&mut self, path: &str, message: String, remedy: &str) {
        self.say(Weight::Warning, path, message, remedy);
    }
    fn blank(&mut self, text: &str, path: &str, what: &str) -> bool {
        let blank = text.trim().is_empty();
        if blank {
            self.error(path, format!("{what} is missing or blank"), "write it");
        }
        blank
    }

    fn identity(&mut self, scenario: &Scenario) {
        let id = &scenario.id;
        if !self.blank(id, "id", "the scenario's id") {
            let plain = id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
            if !plain || id.len() > 80 {
                let message = format!("`{id}` cannot name files and cells everywhere");
                self.error("id", message, "write at most 80 small letters, digits and dashes");
            }
        }
        self.blank(&scenario.category, "category", "the category");
    }

    fn length(&mut self, scenario: &Scenario) {
        let (turns, script) = (scenario.max_turns, scripted(scenario));
        if turns == 0 || turns > MOST_TURNS {
            self.error(
                "maxTurns",
                format!("{turns} turns cannot be played"),
                &format!("write 1 to {MOST_TURNS}"),
            );
        } else if turns < script {
            let message =
                format!("the script has {script} lines, of which maxTurns {turns} leaves out the last");
            self.refuse("maxTurns", message, &format!("write {script}, or shorten the script"));
        } else if turns > script
            && scenario.adversary_mode == AdversaryMode::Scripted
            && !scenario.adversarial
        {
            let message = format!(
                "after {script} scripted lines only the question what happens next is left for {} turns",
                turns - script
            );
            self.warn("maxTurns", message, "write more turns, or `adversarial: true`");
        }
        if scenario.warm_up_turns > turns {
            let message = format!("{} turns of warming up are more than the run has", scenario.warm_up_turns);
            self.refuse("warmUpTurns", message, "write fewer");
        }
    }

    fn speakers(&mut self, scenario: &Scenario) {
        let adaptive = scenario.adversary_mode == AdversaryMode::Adaptive;
        match &scenario.persona {
            Some(persona) => {
                self.blank(&persona.name, "persona.name", "the persona's name");
            }
            None if adaptive => {
                let message = "an adaptive adversary speaks as somebody, and there is no persona".to_owned();
                self.error("adversaryMode", message, "write a persona");
            }
            None => {}
        }
        if adaptive && scenario.max_turns == scripted(scenario) {
            let message = "the adversary never speaks: the script takes every turn".to_owned();
            self.refuse("maxTurns", message, "write more turns than the script has");
        }
        for (model, path) in [
            (&scenario.narrator, ""),
            (&scenario.generator, "generatorModel."),
            (&scenario.evaluator, "evaluatorModel."),
        ] {
            if model.temperature.is_some_and(|value| !(0.0..=2.0).contains(&value)) {
                self.refuse(&format!("{path}temperature"), "it is outside 0 to 2".to_owned(), "write 0 to 2");
            }
        }
        let config = &scenario.adversary;
        if !adaptive && *config != AdversaryConfig::default() {
            let message = "nobody attacks by this plan, the scenario is scripted".to_owned();
            self.refuse("adversaryConfig", message, "write `adversaryMode: adaptive`, or leave it out");
        }
        if !(0.0..=1.0).contains(&config.aggressiveness) {
            self.refuse("adversaryConfig.aggressiveness", "it is outside 0 to 1".to_owned(), "write 0 to 1");
        }
        if !(1..=4).contains(&config.max_escalation_tier) {
            self.refuse(
                "adversaryConfig.maxEscalationTier",
                "it is outside 1 to 4".to_owned(),
                "write 1 to 4",
            );
        }
        for (at, word) in config.preferred_strategies.iter().enumerate() {
            self.strategy(word, &format!("adversaryConfig.preferredStrategies[{at}]"));
        }
    }

    fn strategy(&mut self, word: &str, path: &str) {
        if self.catalog.by_id(word).is_none() {
            let known: Vec<&str> = self.catalog.all().iter().map(|strategy| strategy.id.as_str()).collect();
            let remedy = choose(word, &known);
            self.refuse(path, format!("there is no strategy `{word}`"), &remedy);
        }
    }

    fn facts(&mut self, scenario: &Scenario) {
        if scenario.facts.is_empty() {
            self.warn(
                "groundTruth",
                "there are no facts, so that nothing is judged".to_owned(),
                "write at least one",
            );
            return;
        }
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, fact) in scenario.facts.iter().enumerate() {
            let path = format!("groundTruth[{at}]");
            if !self.blank(&fact.id, &format!("{path}.id"), "the fact's id")
                && let Some(first) = seen.insert(&fact.id, at)
            {
                let message = format!("groundTruth[{first}] has the id `{}` already", fact.id);
                self.error(&format!("{path}.id"), message, "give each fact an id of its own");
            }
            self.blank(&fact.text, &format!("{path}.text"), "the fact");
            self.told(scenario, fact, &path);
            for (part, message) in oracle::problems(fact) {
                let path = format!("{path}.oracle{part}");
                match message {
                    oracle::Flaw::Unreadable(why) => self.error(&path, why, "mend the pattern"),
                    oracle::Flaw::Misreads(why) => self.warn(&path, why, "mend the pattern or the example"),
                }
            }
        }
        if scenario.facts.iter().all(|fact| fact.established_at.is_none()) {
            let message =
                "no fact says which turn tells it: a narrator without memory may never have been told";
            self.warn("groundTruth", message.to_owned(), "write `establishedAt` at each fact");
        }
    }

    /// Whether a fact is told, once and in a turn.
    fn told(&mut self, scenario: &Scenario, fact: &Fact, path: &str) {
        let says = |text: &str| oracle::affirms(fact, text);
        let place = format!("{path}.establishedAt");
        if let Some(turn) = fact.established_at {
            match scenario.turns.get(turn.saturating_sub(1) as usize).filter(|_| turn > 0) {
                None => {
                    let message = format!("turn {turn} is no line of the script");
                    self.refuse(&place, message, "name the turn that tells the fact");
                }
                Some(line) if fact.oracle.is_some() && !says(&line.prompt) => {
                    let message = format!("turn {turn} does not say it, by the fact's oracle");
                    self.warn(&place, message, "name the turn that tells the fact, or mend the oracle");
                }
                Some(_) => {}
            }
        } else if fact.oracle.is_some() {
            let message = "the fact does not say which turn tells it".to_owned();
            self.warn(path, message, "write `establishedAt`");
        }
        if fact.oracle.is_some() && says(&scenario.setting) {
            let message = format!("the setting says `{}`, so that every prompt tells it", fact.id);
            self.warn("setting", message, "leave it to a turn to tell the fact");
        }
    }

    fn seeds(&mut self, scenario: &Scenario) {
        for (at, seed) in scenario.seeds.iter().enumerate() {
            self.blank(&seed.text, &format!("seedUnits[{at}].text"), "the statement");
            if !(100..=900).contains(&seed.activation) {
                let message = format!("{} is outside 100 to 900", seed.activation);
                self.error(&format!("seedUnits[{at}].rank"), message, "write 100 to 900");
            }
        }
    }

    fn turns(&mut self, scenario: &Scenario) {
        let told: BTreeMap<&str, Option<u32>> =
            scenario.facts.iter().map(|fact| (fact.id.as_str(), fact.established_at)).collect();
        for (at, turn) in scenario.turns.iter().enumerate() {
            let path = format!("turns[{at}]");
            self.blank(&turn.prompt, &format!("{path}.prompt"), "what the player says");
            for (nth, word) in turn.strategies.iter().enumerate() {
                let key = if turn.strategies.len() == 1 {
                    "strategy".to_owned()
                } else {
                    format!("strategies[{nth}]")
                };
                self.strategy(word, &format!("{path}.{key}"));
            }
            let Some(target) = &turn.target else { continue };
            let path = format!("{path}.target");
            match told.get(target.as_str()) {
                None => {
                    let known: Vec<&str> = told.keys().copied().collect();
                    self.refuse(&path, format!("there is no fact `{target}`"), &choose(target, &known));
                }
                Some(Some(since)) if turn.kind.is_judged() && *since as usize > at => {
                    let message = format!("`{target}` is told in turn {since}, not before this one");
                    self.warn(&path, message, "aim at what was told");
                }
                Some(_) => {}
            }
        }
    }

    fn compaction(&mut self, plan: &CompactionPlan, turns: u32) {
        let at = |rest: &str| format!("compactionConfig.{rest}");
        if !(0.0..=1.0).contains(&plan.min_match_ratio) {
            self.error(
                &at("minMatchRatio"),
                format!("{} is outside 0 to 1", plan.min_match_ratio),
                "write 0 to 1",
            );
        }
        if plan.retry_backoff_ms == 0 {
            self.error(
                &at("retryBackoffMillis"),
                "there is no wait between tries".to_owned(),
                "write at least 1",
            );
        }
        for (nth, turn) in
            plan.force_at_turns.iter().enumerate().filter(|(_, turn)| **turn == 0 || **turn > turns)
        {
            let message = format!("turn {turn} is not played");
            self.refuse(&at(&format!("forceAtTurns[{nth}]")), message, &format!("write 1 to {turns}"));
        }
        if plan.force_at_turns.is_empty() && plan.token_threshold == 0 && plan.message_threshold == 0 {
            let message = "nothing ever makes it sum up".to_owned();
            self.warn("compactionConfig", message, "write forceAtTurns, tokenThreshold or messageThreshold");
        }
    }

    fn assertions(&mut self, scenario: &Scenario) {
        for (at, assertion) in scenario.assertions.iter().enumerate() {
            let impossible = match assertion {
                Assertion::UnitCount { min, max } if min > max => Some("min is above max"),
                Assertion::TrustScoreRange { min, max } if min > max => Some("min is above max"),
                Assertion::PromotionZone { zone, .. }
                    if !super::read_assertion::ZONES.iter().any(|(word, _)| word == zone) =>
                {
                    Some("the zone is none of ARCHIVE, REVIEW, AUTO_PROMOTE")
                }
                _ => None,
            };
            if let Some(message) = impossible {
                self.error(&format!("assertions[{at}]"), message.to_owned(), "mend it");
            }
            let holds_always = match assertion {
                Assertion::KgContextContains { patterns } => patterns.is_empty(),
                Assertion::CompactionIntegrity { required_facts } => required_facts.is_empty(),
                Assertion::UnitCount { min, max } => *min == 0 && *max == u32::MAX,
                _ => false,
            };
            if holds_always {
                self.warn(
                    &format!("assertions[{at}]"),
                    "it always holds".to_owned(),
                    "write what it is to find",
                );
            }
            if matches!(assertion, Assertion::CompactionIntegrity { .. }) && scenario.compaction.is_none() {
                let message =
                    "nothing is summed up, so that this looks at units that nothing was lost of".to_owned();
                self.warn(&format!("assertions[{at}]"), message, "write a compactionConfig");
            }
        }
    }

    fn invariants(&mut self, scenario: &Scenario) {
        let mut seen = BTreeSet::new();
        for (at, rule) in scenario.invariants.iter().enumerate() {
            let path = |key: &str| format!("invariants[{at}].{key}");
            if !self.blank(&rule.id, &path("id"), "the rule's id") && !seen.insert(rule.id.as_str()) {
                let message = format!("a rule before it is called `{}`", rule.id);
                self.error(&path("id"), message, "give each rule an id of its own");
            }
            if rule.context_id.is_some() {
                let message = "a run has a context of its own, in which the rule would not hold".to_owned();
                self.refuse(&path("contextId"), message, "leave the context out");
            }
            if let Some((key, why)) = idle_rule(rule.kind, rule.minimum_authority, rule.minimum_count) {
                self.refuse(&path(key), why.to_owned(), &format!("write `{key}`"));
            }
        }
    }
}

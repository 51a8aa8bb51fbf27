//! From a file's text to a [`Scenario`].
//!
//! Everything that is wrong is found in one pass, each with its line and what to do; while an error stands there is no scenario. The
//! kinds of values are read here, what they mean together is held by `check`.
//!
//! Our own files ([`Mode::Strict`]) have the predecessor's camel-case keys and a few more: `oracle` and `establishedAt` on a fact,
//! `target`, `reply` and `strategies` on a turn. In [`Mode::Compatible`] its files are read with its defaults and older spellings (sim 1.2,
//! 1.3), and whatever a run of ours does not apply is named in a warning.

use credence::enforcement::EnforcementStrategy;
use credence::promotion::BudgetStrategy;
use credence::trust::Signal;
use credence::unit::{Authority, InvariantKind, InvariantRule, Strength};

use super::check;
use super::fields::{Keys, Mode, Object, Reader};
use super::problems::{Problem, Severity};
use super::read_assertion;
use super::yaml::{self, Node, Place, Value};
use super::{
    AdversaryConfig, AdversaryMode, CompactionPlan, DormancyPlan, Examples, Fact, ModelChoice, Oracle,
    Persona, Scenario, ScriptedTurn, Seed, Session, TrustChoice, TurnKind,
};

/// A file that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// What it says.
    pub scenario: Scenario,
    /// Warnings, in the order of the file.
    pub problems: Vec<Problem>,
}

/// Reads one file.
///
/// # Errors
/// Everything that was found, errors and warnings, when an error is among it.
pub fn read(text: &str, mode: Mode) -> Result<Read, Vec<Problem>> {
    let root = yaml::parse(text).map_err(|problem| vec![problem])?;
    let mut reader = Reader::new(mode);
    let scenario = reader.scenario(&root);
    let mut read = None;
    if let Some(mut scenario) = scenario {
        reader.hold_against_rules(&scenario);
        if mode == Mode::Compatible {
            check::leave_out(&mut scenario);
        }
        read = Some(scenario);
    }
    match read {
        Some(scenario) if !reader.has_errors() => Ok(Read { scenario, problems: reader.finish() }),
        _ => Err(reader.finish()),
    }
}

const ROOT: Keys = Keys {
    known: &[
        "id",
        "category",
        "title",
        "objective",
        "testFocus",
        "highlights",
        "adversarial",
        "adversaryMode",
        "adversaryConfig",
        "persona",
        "model",
        "temperature",
        "generatorModel",
        "evaluatorModel",
        "maxTurns",
        "warmUpTurns",
        "setting",
        "groundTruth",
        "seedUnits",
        "turns",
        "extractionEnabled",
        "trustConfig",
        "compactionConfig",
        "dormancyConfig",
        "sessions",
        "assertions",
        "invariants",
        "enforcementStrategy",
        "budgetStrategy",
    ],
    older: &[],
};
const FACT: Keys =
    Keys { known: &["id", "text", "category", "establishedAt", "oracle"], older: &[("fact", "text")] };
const ORACLE: Keys = Keys { known: &["affirm", "deny", "hedge", "examples"], older: &[] };
const EXAMPLES: Keys = Keys { known: &["affirm", "deny", "hedge"], older: &[] };
const SEED: Keys = Keys { known: &["text", "authority", "rank"], older: &[] };
const TURN: Keys = Keys {
    known: &["turn", "role", "type", "strategy", "strategies", "prompt", "target", "reply"],
    older: &[("targetFact", "target")],
};
const PERSONA: Keys = Keys { known: &["name", "description", "playStyle", "goals"], older: &[] };
const MODEL: Keys = Keys { known: &["provider", "model", "temperature"], older: &[] };
const ADVERSARY: Keys = Keys {
    known: &["aggressiveness", "maxEscalationTier", "preferredStrategies", "attackCooldown"],
    older: &[],
};
const COMPACTION: Keys = Keys {
    known: &[
        "enabled",
        "forceAtTurns",
        "tokenThreshold",
        "messageThreshold",
        "minMatchRatio",
        "maxRetries",
        "retryBackoffMillis",
    ],
    older: &[],
};
const DORMANCY: Keys = Keys { known: &["decayRate", "revivalThreshold", "dormancyTurns"], older: &[] };
const TRUST: Keys = Keys { known: &["profile", "weightOverrides"], older: &[] };
const SESSION: Keys = Keys { known: &["name", "startTurn", "endTurn"], older: &[] };
const INVARIANT: Keys = Keys {
    known: &["id", "type", "strength", "unitTextPattern", "minimumAuthority", "minimumCount"],
    older: &[],
};

pub(super) const AUTHORITIES: [(&str, Authority); 4] = [
    ("PROVISIONAL", Authority::Provisional),
    ("UNRELIABLE", Authority::Unreliable),
    ("RELIABLE", Authority::Reliable),
    ("CANON", Authority::Canon),
];
pub(super) const KINDS: [(&str, TurnKind); 6] = [
    ("WARM_UP", TurnKind::WarmUp),
    ("ESTABLISH", TurnKind::Establish),
    ("ATTACK", TurnKind::Attack),
    ("DISPLACEMENT", TurnKind::Displacement),
    ("DRIFT", TurnKind::Drift),
    ("RECALL_PROBE", TurnKind::RecallProbe),
];
const INVARIANTS: [(&str, InvariantKind); 4] = [
    ("authority-floor", InvariantKind::AuthorityFloor),
    ("eviction-immunity", InvariantKind::EvictionImmunity),
    ("min-authority-count", InvariantKind::MinAuthorityCount),
    ("archive-prohibition", InvariantKind::ArchiveProhibition),
];
const STRENGTHS: [(&str, Strength); 2] = [("MUST", Strength::Must), ("SHOULD", Strength::Should)];
pub(super) const ENFORCEMENTS: [(&str, EnforcementStrategy); 4] = [
    ("PROMPT_ONLY", EnforcementStrategy::PromptOnly),
    ("POST_GENERATION", EnforcementStrategy::PostGeneration),
    ("LOGIT_BIAS", EnforcementStrategy::LogitBias),
    ("HYBRID", EnforcementStrategy::Hybrid),
];
pub(super) const BUDGETS: [(&str, BudgetStrategy); 2] =
    [("COUNT", BudgetStrategy::Count), ("INTERFERENCE_DENSITY", BudgetStrategy::InterferenceDensity)];

impl Reader {
    fn scenario(&mut self, root: &Node) -> Option<Scenario> {
        let of = &self.object(root, "", &ROOT)?;
        let warm_up_turns = self.whole(of, "warmUpTurns", 0..=check::MOST_TURNS).unwrap_or(0);
        let turns = self.turns(of, warm_up_turns);
        let scripted = u32::try_from(turns.len()).unwrap_or(u32::MAX);
        Some(Scenario {
            id: self.text(of, "id").unwrap_or_default(),
            category: self.category(of),
            title: self.text(of, "title").unwrap_or_default(),
            objective: self.text(of, "objective").unwrap_or_default(),
            test_focus: self.text(of, "testFocus").unwrap_or_default(),
            highlights: self.texts(of, "highlights"),
            adversarial: self.flag(of, "adversarial").unwrap_or(false),
            persona: self.member(of, "persona", &PERSONA, Self::persona),
            narrator: ModelChoice {
                provider: None,
                model: self.text(of, "model"),
                temperature: self.number(of, "temperature", 0.0..=2.0),
            },
            generator: self.member(of, "generatorModel", &MODEL, Self::model).unwrap_or_default(),
            evaluator: self.member(of, "evaluatorModel", &MODEL, Self::model).unwrap_or_default(),
            max_turns: self.whole(of, "maxTurns", 1..=check::MOST_TURNS).unwrap_or(scripted),
            warm_up_turns,
            setting: self.text(of, "setting").unwrap_or_default(),
            facts: self.each(of, "groundTruth", &FACT, Self::fact),
            seeds: self.each(of, "seedUnits", &SEED, Self::seed),
            turns,
            extraction: self.flag(of, "extractionEnabled").unwrap_or(true),
            trust: self.member(of, "trustConfig", &TRUST, Self::trust),
            compaction: self.member(of, "compactionConfig", &COMPACTION, Self::compaction).flatten(),
            dormancy: self.member(of, "dormancyConfig", &DORMANCY, Self::dormancy),
            sessions: self.each(of, "sessions", &SESSION, Self::session),
            assertions: read_assertion::assertions(self, of),
            adversary_mode: self.adversary_mode(of),
            adversary: self.adversary(of),
            invariants: self.invariants(of),
            enforcement: self.word(of, "enforcementStrategy", &ENFORCEMENTS),
            budget: self.budget(of),
        })
    }

    /// A mapping that may be left out.
    fn member<T>(
        &mut self,
        of: &Object<'_>,
        key: &str,
        keys: &Keys,
        read: impl FnOnce(&mut Self, &Object<'_>) -> T,
    ) -> Option<T> {
        let entry = of.get(key)?;
        let member = self.object(&entry.node, &of.path_of(key), keys)?;
        Some(read(self, &member))
    }
    /// A list of mappings.
    fn each<T>(
        &mut self,
        of: &Object<'_>,
        key: &str,
        keys: &Keys,
        mut read: impl FnMut(&mut Self, &Object<'_>) -> T,
    ) -> Vec<T> {
        let path = of.path_of(key);
        let mut out = Vec::new();
        for (at, node) in self.list(of, key).iter().enumerate() {
            if let Some(item) = self.object(node, &format!("{path}[{at}]"), keys) {
                out.push(read(self, &item));
            }
        }
        out
    }
    /// Says that a member has to be written in our own files, and gives the predecessor's default.
    fn missing<T>(&mut self, of: &Object<'_>, key: &str, default: T) -> T {
        if self.is_strict() && of.get(key).is_none() {
            self.error(of.place, &of.path_of(key), format!("`{key}` is missing"), format!("write `{key}`"));
        }
        default
    }

    fn category(&mut self, of: &Object<'_>) -> String {
        match self.text(of, "category") {
            Some(category) => category,
            None => self.missing(of, "category", "adversarial".to_owned()),
        }
    }

    fn persona(&mut self, of: &Object<'_>) -> Persona {
        Persona {
            name: self.text(of, "name").unwrap_or_default(),
            description: self.text(of, "description").unwrap_or_default(),
            play_style: self.text(of, "playStyle").unwrap_or_default(),
            goals: self.texts(of, "goals"),
        }
    }
    fn model(&mut self, of: &Object<'_>) -> ModelChoice {
        ModelChoice {
            provider: self.text(of, "provider"),
            model: self.text(of, "model"),
            temperature: self.number(of, "temperature", 0.0..=2.0),
        }
    }

    fn fact(&mut self, of: &Object<'_>) -> Fact {
        Fact {
            id: self.text(of, "id").unwrap_or_default(),
            text: self.text(of, "text").unwrap_or_default(),
            category: self.text(of, "category"),
            established_at: self.whole(of, "establishedAt", 1..=check::MOST_TURNS),
            oracle: self.member(of, "oracle", &ORACLE, |reader, of| Oracle {
                affirm: reader.texts(of, "affirm"),
                deny: reader.texts(of, "deny"),
                hedge: reader.texts(of, "hedge"),
                examples: reader
                    .member(of, "examples", &EXAMPLES, |reader, of| Examples {
                        affirm: reader.texts(of, "affirm"),
                        deny: reader.texts(of, "deny"),
                        hedge: reader.texts(of, "hedge"),
                    })
                    .unwrap_or_default(),
            }),
        }
    }

    fn seed(&mut self, of: &Object<'_>) -> Seed {
        let authority = match of.get("authority") {
            Some(_) => self.word(of, "authority", &AUTHORITIES).unwrap_or(Authority::Provisional),
            None => self.missing(of, "authority", Authority::Provisional),
        };
        let activation = match of.get("rank") {
            Some(_) => self.whole(of, "rank", 100..=900).unwrap_or(100),
            None => self.missing(of, "rank", 100),
        };
        // At most 900, so that nothing is cut off.
        Seed { text: self.text(of, "text").unwrap_or_default(), authority, activation: activation as u16 }
    }

    fn turns(&mut self, of: &Object<'_>, warm_up: u32) -> Vec<ScriptedTurn> {
        let mut out: Vec<ScriptedTurn> = Vec::new();
        for (at, node) in self.list(of, "turns").iter().enumerate() {
            let path = format!("turns[{at}]");
            let Some(turn) = self.object(node, &path, &TURN) else { continue };
            if let Some(role) = self.text(&turn, "role").filter(|role| role != "PLAYER") {
                self.refuse(
                    turn.place,
                    &format!("{path}.role"),
                    format!("a line of `{role}` is not said, lines of PLAYER alone are"),
                    "leave the turn out, or write what the narrator answers as `reply` of the turn before",
                );
                continue;
            }
            let number = u32::try_from(out.len()).unwrap_or(u32::MAX).saturating_add(1);
            if let Some(said) = self.whole(&turn, "turn", 0..=u32::MAX).filter(|said| *said != number) {
                self.refuse(
                    turn.place,
                    &format!("{path}.turn"),
                    format!("this is turn {number} by its place in the list, and says {said}"),
                    format!("write {number}, or put the turns in order"),
                );
            }
            let default = if number <= warm_up { TurnKind::WarmUp } else { TurnKind::Establish };
            out.push(ScriptedTurn {
                prompt: self.text(&turn, "prompt").unwrap_or_default(),
                kind: self.kind(&turn).unwrap_or(default),
                strategies: self.strategies(&turn),
                target: self.text(&turn, "target"),
                reply: self.text(&turn, "reply"),
            });
        }
        out
    }

    fn kind(&mut self, of: &Object<'_>) -> Option<TurnKind> {
        if self.is_strict() {
            return self.word(of, "type", &KINDS);
        }
        let text = self.text(of, "type").filter(|text| !text.trim().is_empty())?;
        let upper = text.to_uppercase();
        let found = KINDS.iter().find(|(word, _)| *word == upper).map(|(_, kind)| *kind);
        if found.is_none() {
            self.refuse(
                of.place,
                &of.path_of("type"),
                format!("there is no type `{text}`, the turn is taken as ESTABLISH"),
                "write one of WARM_UP, ESTABLISH, ATTACK, DISPLACEMENT, DRIFT, RECALL_PROBE",
            );
        }
        Some(found.unwrap_or(TurnKind::Establish))
    }

    /// One as `strategy`, several as `strategies`; in any case.
    fn strategies(&mut self, of: &Object<'_>) -> Vec<String> {
        let mut all = self.texts(of, "strategies");
        if let Some(one) = self.text(of, "strategy") {
            if !all.is_empty() {
                let message = "`strategy` and `strategies` both stand here".to_owned();
                self.error(of.place, &of.path_of("strategy"), message, "write all of them as `strategies`");
            }
            all.insert(0, one);
        }
        all.retain(|word| !word.trim().is_empty());
        all.iter_mut().for_each(|word| *word = word.trim().to_uppercase());
        all
    }

    fn adversary_mode(&mut self, of: &Object<'_>) -> AdversaryMode {
        const MODES: [(&str, AdversaryMode); 2] =
            [("scripted", AdversaryMode::Scripted), ("adaptive", AdversaryMode::Adaptive)];
        let known = self.text(of, "adversaryMode").map(|text| MODES.iter().any(|(word, _)| *word == text));
        if known == Some(false) && !self.is_strict() {
            self.refuse(
                self.place_of("adversaryMode"),
                "adversaryMode",
                "this mode is none, the scenario is scripted".to_owned(),
                "write scripted or adaptive",
            );
            return AdversaryMode::Scripted;
        }
        self.word(of, "adversaryMode", &MODES).unwrap_or_default()
    }

    /// A block that is there and leaves a field out: the predecessor takes 0 and tier 1, we the defaults (fact 31, D200).
    fn adversary(&mut self, of: &Object<'_>) -> AdversaryConfig {
        let strict = self.is_strict();
        let default = AdversaryConfig::default();
        let read = self.member(of, "adversaryConfig", &ADVERSARY, |reader, of| AdversaryConfig {
            aggressiveness: reader.number(of, "aggressiveness", 0.0..=1.0).unwrap_or(if strict {
                default.aggressiveness
            } else {
                0.0
            }),
            max_escalation_tier: reader
                .whole(of, "maxEscalationTier", 1..=4)
                .map_or(if strict { default.max_escalation_tier } else { 1 }, |tier| tier as u8),
            preferred_strategies: reader.texts(of, "preferredStrategies"),
            attack_cooldown: reader
                .whole(of, "attackCooldown", 0..=check::MOST_TURNS)
                .unwrap_or(default.attack_cooldown),
        });
        read.unwrap_or_default()
    }

    fn trust(&mut self, of: &Object<'_>) -> TrustChoice {
        let mut choice =
            TrustChoice { profile: self.text(of, "profile").unwrap_or_default(), ..TrustChoice::default() };
        let Some(entry) = of.get("weightOverrides") else { return choice };
        let path = of.path_of("weightOverrides");
        let Value::Map(entries) = &entry.node.value else {
            self.object(&entry.node, &path, &TRUST);
            return choice;
        };
        for weight in entries {
            let path = format!("{path}.{}", weight.key);
            self.mark(&path, weight.place);
            if let Some(number) = self.number_of(&weight.node, &path, 0.0..=1.0) {
                choice.weight_overrides.insert(self.signal(&weight.key), number);
            }
        }
        choice
    }
    /// The predecessor writes `source_authority` for `sourceAuthority`.
    fn signal(&self, word: &str) -> String {
        let plain = |word: &str| word.replace('_', "").to_lowercase();
        let same = |signal: &&Signal| !self.is_strict() && plain(signal.name()) == plain(word);
        Signal::ALL.iter().find(same).map_or(word, |signal| signal.name()).to_owned()
    }

    fn compaction(&mut self, of: &Object<'_>) -> Option<CompactionPlan> {
        let enabled = self.flag(of, "enabled").unwrap_or(self.is_strict());
        let path = of.path_of("forceAtTurns");
        let mut force_at_turns = Vec::new();
        for (at, node) in self.list(of, "forceAtTurns").iter().enumerate() {
            force_at_turns.extend(self.whole_of(node, &format!("{path}[{at}]"), 1..=check::MOST_TURNS));
        }
        let plan = CompactionPlan {
            force_at_turns,
            token_threshold: self.whole(of, "tokenThreshold", 0..=u32::MAX).unwrap_or(0),
            message_threshold: self.whole(of, "messageThreshold", 0..=u32::MAX).unwrap_or(0),
            min_match_ratio: self.number(of, "minMatchRatio", 0.0..=1.0).unwrap_or(0.5),
            max_retries: self.whole(of, "maxRetries", 0..=10).unwrap_or(2),
            retry_backoff_ms: self.whole(of, "retryBackoffMillis", 1..=600_000).unwrap_or(1000),
        };
        enabled.then_some(plan)
    }
    fn dormancy(&mut self, of: &Object<'_>) -> DormancyPlan {
        for key in DORMANCY.known {
            self.missing(of, key, ());
        }
        DormancyPlan {
            decay_rate: self.number(of, "decayRate", 0.0..=1.0).unwrap_or(0.0),
            revival_threshold: self.number(of, "revivalThreshold", 0.0..=1.0).unwrap_or(0.0),
            dormancy_turns: self.whole(of, "dormancyTurns", 0..=check::MOST_TURNS).unwrap_or(0),
        }
    }
    fn session(&mut self, of: &Object<'_>) -> Session {
        Session {
            name: self.text(of, "name").unwrap_or_default(),
            start_turn: self.whole(of, "startTurn", 1..=check::MOST_TURNS).unwrap_or(0),
            end_turn: self.whole(of, "endTurn", 1..=check::MOST_TURNS).unwrap_or(0),
        }
    }

    /// A rule of another context never holds in a run, whose context is its own: it is left out, as the predecessor does.
    fn invariants(&mut self, of: &Object<'_>) -> Vec<InvariantRule> {
        let elsewhere = |node: &Node| match &node.value {
            Value::Map(entries) => {
                entries.iter().any(|e| e.key == "contextId" && e.node.value != Value::Null)
            }
            _ => false,
        };
        let skipped: Vec<bool> = self.list(of, "invariants").iter().map(elsewhere).collect();
        let mut rules = self.each(of, "invariants", &INVARIANT, |reader, of| {
            let kind = reader.word(of, "type", &INVARIANTS);
            if of.get("type").is_none() {
                let message = "the rule does not say what it forbids".to_owned();
                reader.error(of.place, &of.path_of("type"), message, "write a `type`");
            }
            InvariantRule {
                id: reader.text(of, "id").unwrap_or_default(),
                kind: kind.unwrap_or(InvariantKind::ArchiveProhibition),
                strength: reader.word(of, "strength", &STRENGTHS).unwrap_or_default(),
                context_id: None,
                unit_text_pattern: reader.text(of, "unitTextPattern"),
                minimum_authority: reader
                    .word(of, "minimumAuthority", &AUTHORITIES)
                    .unwrap_or(Authority::Provisional),
                minimum_count: reader.whole(of, "minimumCount", 0..=10_000).unwrap_or(0),
            }
        });
        let mut skipped = skipped.into_iter();
        rules.retain(|_| !skipped.next().unwrap_or(false));
        rules
    }

    fn budget(&mut self, of: &Object<'_>) -> Option<BudgetStrategy> {
        let text = self.text(of, "budgetStrategy")?;
        if !self.is_strict() && !BUDGETS.iter().any(|(word, _)| *word == text) {
            self.refuse(
                self.place_of("budgetStrategy"),
                "budgetStrategy",
                format!("there is no budgetStrategy `{text}`"),
                "write COUNT or INTERFERENCE_DENSITY",
            );
            return None;
        }
        self.word(of, "budgetStrategy", &BUDGETS)
    }

    /// Puts the whole to the rules of `check`; what is already known to be wrong is not said again.
    fn hold_against_rules(&mut self, scenario: &Scenario) {
        for finding in check::findings(scenario) {
            if self.is_known(&finding.path) {
                continue;
            }
            let place: Place = self.place_of(&finding.path);
            match finding.weight {
                check::Weight::Error => self.error(place, &finding.path, finding.message, finding.remedy),
                check::Weight::Refusal => self.refuse(place, &finding.path, finding.message, finding.remedy),
                check::Weight::Warning => {
                    self.say(Severity::Warning, place, &finding.path, finding.message, finding.remedy);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::read_assertion::TYPES;

    #[test]
    fn the_page_on_files_names_every_key() {
        let page = include_str!("../../../../docs/scenarios.md");
        let all = [
            ROOT, FACT, ORACLE, EXAMPLES, SEED, TURN, PERSONA, MODEL, ADVERSARY, COMPACTION, DORMANCY, TRUST,
            SESSION, INVARIANT,
        ];
        let keys =
            all.iter().flat_map(|keys| keys.known).chain(TYPES.iter().flat_map(|(_, keys)| keys.known));
        let types = TYPES.iter().map(|(name, _)| name);
        for word in keys.chain(types) {
            let named = [format!("`{word}`"), format!("{word}:"), format!("`oracle.{word}`")];
            assert!(named.iter().any(|form| page.contains(form)), "{word} is not in docs/scenarios.md");
        }
    }
}

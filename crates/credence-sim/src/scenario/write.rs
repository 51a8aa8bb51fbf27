//! A scenario as a file: YAML that people read and [`super::read`] reads back.
//!
//! It is canonical: the same scenario gives the same bytes. Members stand in the order of the model, those that say what is assumed anyway
//! are left out, words stand bare, texts in double quotes, and texts of several lines as blocks where YAML would give them back
//! unchanged. A scenario's hash is that of its JSON (`engine::digest`).

use super::read::{AUTHORITIES, BUDGETS, ENFORCEMENTS, KINDS};
use super::{
    AdversaryConfig, AdversaryMode, Assertion, CompactionPlan, Fact, ModelChoice, Oracle, Scenario,
    ScriptedTurn,
};

/// The scenario as a YAML file, which reads strictly to the same scenario if [`super::check`] finds no error in it.
pub fn yaml(scenario: &Scenario) -> String {
    let mut out = Out::default();
    out.text("id", &scenario.id);
    out.text("category", &scenario.category);
    out.text_if("title", &scenario.title);
    out.text_if("objective", &scenario.objective);
    out.text_if("testFocus", &scenario.test_focus);
    out.texts("highlights", &scenario.highlights);
    if scenario.adversarial {
        out.line("adversarial: true");
    }
    if scenario.adversary_mode == AdversaryMode::Adaptive {
        out.line("adversaryMode: adaptive");
        out.block("adversaryConfig:", |out| adversary(out, &scenario.adversary));
    }
    if let Some(persona) = &scenario.persona {
        out.block("persona:", |out| {
            out.text("name", &persona.name);
            out.text_if("description", &persona.description);
            out.text_if("playStyle", &persona.play_style);
            out.texts("goals", &persona.goals);
        });
    }
    narrator(&mut out, &scenario.narrator);
    model(&mut out, "generatorModel:", &scenario.generator);
    model(&mut out, "evaluatorModel:", &scenario.evaluator);
    out.number("maxTurns", scenario.max_turns);
    if scenario.warm_up_turns > 0 {
        out.number("warmUpTurns", scenario.warm_up_turns);
    }
    if !scenario.extraction {
        out.line("extractionEnabled: false");
    }
    if let Some((word, _)) = ENFORCEMENTS.iter().find(|(_, strategy)| Some(*strategy) == scenario.enforcement)
    {
        out.text("enforcementStrategy", word);
    }
    if let Some((word, _)) = BUDGETS.iter().find(|(_, strategy)| Some(*strategy) == scenario.budget) {
        out.text("budgetStrategy", word);
    }
    plans(&mut out, scenario);
    out.text_if("setting", &scenario.setting);
    out.items("groundTruth:", &scenario.facts, fact);
    out.items("seedUnits:", &scenario.seeds, |out, seed| {
        out.text("text", &seed.text);
        out.text("authority", seed.authority.as_str());
        out.number("rank", u32::from(seed.activation));
    });
    out.items("turns:", &scenario.turns, turn);
    out.items("assertions:", &scenario.assertions, assertion);
    out.0
}

fn adversary(out: &mut Out, config: &AdversaryConfig) {
    out.number("aggressiveness", config.aggressiveness);
    out.number("maxEscalationTier", config.max_escalation_tier);
    out.texts("preferredStrategies", &config.preferred_strategies);
    out.number("attackCooldown", config.attack_cooldown);
}

fn narrator(out: &mut Out, choice: &ModelChoice) {
    if let Some(model) = &choice.model {
        out.text("model", model);
    }
    if let Some(temperature) = choice.temperature {
        out.number("temperature", temperature);
    }
}

fn model(out: &mut Out, head: &str, choice: &ModelChoice) {
    if *choice == ModelChoice::default() {
        return;
    }
    out.block(head, |out| {
        if let Some(provider) = &choice.provider {
            out.text("provider", provider);
        }
        narrator(out, choice);
    });
}

fn plans(out: &mut Out, scenario: &Scenario) {
    if let Some(trust) = &scenario.trust {
        out.block("trustConfig:", |out| {
            out.text("profile", &trust.profile);
            if !trust.weight_overrides.is_empty() {
                out.block("weightOverrides:", |out| {
                    for (signal, weight) in &trust.weight_overrides {
                        out.number(signal, *weight);
                    }
                });
            }
        });
    }
    if let Some(plan) = &scenario.compaction {
        out.block("compactionConfig:", |out| compaction(out, plan));
    }
    if let Some(plan) = &scenario.dormancy {
        out.block("dormancyConfig:", |out| {
            out.number("decayRate", plan.decay_rate);
            out.number("revivalThreshold", plan.revival_threshold);
            out.number("dormancyTurns", plan.dormancy_turns);
        });
    }
    out.items("sessions:", &scenario.sessions, |out, session| {
        out.text("name", &session.name);
        out.number("startTurn", session.start_turn);
        out.number("endTurn", session.end_turn);
    });
    out.items("invariants:", &scenario.invariants, |out, rule| {
        use credence::unit::{InvariantKind as Kind, Strength};
        out.text("id", &rule.id);
        out.text(
            "type",
            match rule.kind {
                Kind::AuthorityFloor => "authority-floor",
                Kind::EvictionImmunity => "eviction-immunity",
                Kind::MinAuthorityCount => "min-authority-count",
                Kind::ArchiveProhibition => "archive-prohibition",
            },
        );
        out.text(
            "strength",
            match rule.strength {
                Strength::Must => "MUST",
                Strength::Should => "SHOULD",
            },
        );
        if let Some(pattern) = &rule.unit_text_pattern {
            out.text("unitTextPattern", pattern);
        }
        out.text("minimumAuthority", rule.minimum_authority.as_str());
        out.number("minimumCount", rule.minimum_count);
    });
}

fn compaction(out: &mut Out, plan: &CompactionPlan) {
    let turns: Vec<String> = plan.force_at_turns.iter().map(u32::to_string).collect();
    out.line(&format!("forceAtTurns: [{}]", turns.join(", ")));
    out.number("tokenThreshold", plan.token_threshold);
    out.number("messageThreshold", plan.message_threshold);
    out.number("minMatchRatio", plan.min_match_ratio);
    out.number("maxRetries", plan.max_retries);
    out.number("retryBackoffMillis", plan.retry_backoff_ms);
}

fn fact(out: &mut Out, fact: &Fact) {
    out.text("id", &fact.id);
    out.text("text", &fact.text);
    if let Some(category) = &fact.category {
        out.text("category", category);
    }
    if let Some(turn) = fact.established_at {
        out.number("establishedAt", turn);
    }
    if let Some(Oracle { affirm, deny, hedge, examples }) = &fact.oracle {
        out.block("oracle:", |out| {
            out.texts("affirm", affirm);
            out.texts("deny", deny);
            out.texts("hedge", hedge);
            if !examples.is_empty() {
                out.block("examples:", |out| {
                    out.texts("affirm", &examples.affirm);
                    out.texts("deny", &examples.deny);
                    out.texts("hedge", &examples.hedge);
                });
            }
            // A mapping without members would read as nothing.
            if affirm.is_empty() && deny.is_empty() && hedge.is_empty() && examples.is_empty() {
                out.line("affirm: []");
            }
        });
    }
}

fn turn(out: &mut Out, turn: &ScriptedTurn) {
    if let Some((word, _)) = KINDS.iter().find(|(_, kind)| *kind == turn.kind) {
        out.text("type", word);
    }
    match turn.strategies.as_slice() {
        [one] => out.text("strategy", one),
        several => out.texts("strategies", several),
    }
    if let Some(target) = &turn.target {
        out.text("target", target);
    }
    out.text("prompt", &turn.prompt);
    if let Some(reply) = &turn.reply {
        out.text("reply", reply);
    }
}

fn assertion(out: &mut Out, assertion: &Assertion) {
    let mut with = |name: &str, params: &dyn Fn(&mut Out)| {
        out.text("type", name);
        out.block("params:", params);
    };
    match assertion {
        Assertion::UnitCount { min, max } => with("unit-count", &|out| {
            out.number("min", min);
            out.number("max", max);
        }),
        Assertion::RankDistribution { min_above, rank_threshold } => with("rank-distribution", &|out| {
            out.number("minAbove", min_above);
            out.number("rankThreshold", rank_threshold);
        }),
        Assertion::TrustScoreRange { min, max } => with("trust-score-range", &|out| {
            out.number("min", min);
            out.number("max", max);
        }),
        Assertion::PromotionZone { zone, min_count } => with("promotion-zone", &|out| {
            out.text("zone", zone);
            out.number("minCount", min_count);
        }),
        Assertion::AuthorityAtMost { max_authority } => with("authority-at-most", &|out| {
            let word = AUTHORITIES.iter().find(|(_, known)| known == max_authority);
            out.text("maxAuthority", word.map_or("RELIABLE", |(word, _)| word));
        }),
        Assertion::KgContextContains { patterns } => {
            with("kg-context-contains", &|out| out.list("patterns", patterns));
        }
        Assertion::KgContextEmpty => out.text("type", "kg-context-empty"),
        Assertion::NoCanonAutoAssigned => out.text("type", "no-canon-auto-assigned"),
        Assertion::CompactionIntegrity { required_facts } => {
            with("compaction-integrity", &|out| out.list("requiredFacts", required_facts));
        }
    }
}

/// Lines of a file, and how deep they are indented.
#[derive(Default)]
struct Out(String, usize);

impl Out {
    fn line(&mut self, line: &str) {
        // The first member of a list's item stands behind its dash.
        if !self.0.ends_with("- ") {
            self.0.push_str(&"  ".repeat(self.1));
        }
        self.0.push_str(line);
        self.0.push('\n');
    }
    fn block(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.line(head);
        self.1 += 1;
        body(self);
        self.1 -= 1;
    }
    fn items<T>(&mut self, head: &str, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.block(head, |out| {
            for one in items {
                out.0.push_str(&"  ".repeat(out.1));
                out.0.push_str("- ");
                out.1 += 1;
                item(out, one);
                out.1 -= 1;
            }
        });
    }
    fn number(&mut self, key: &str, number: impl std::fmt::Display) {
        self.line(&format!("{key}: {number}"));
    }
    fn text_if(&mut self, key: &str, text: &str) {
        if !text.is_empty() {
            self.text(key, text);
        }
    }
    fn text(&mut self, key: &str, text: &str) {
        if is_word(text) {
            self.line(&format!("{key}: {text}"));
        } else if is_block(text) {
            self.block(&format!("{key}: |-"), |out| {
                for line in text.split('\n') {
                    if line.is_empty() { out.0.push('\n') } else { out.line(line) }
                }
            });
        } else {
            self.line(&format!("{key}: {}", quoted(text)));
        }
    }
    fn texts(&mut self, key: &str, texts: &[String]) {
        if !texts.is_empty() {
            self.list(key, texts);
        }
    }
    fn list(&mut self, key: &str, texts: &[String]) {
        let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
        self.line(&format!("{key}: [{}]", texts.join(", ")));
    }
}

/// Whether YAML reads it bare as the text that it is.
fn is_word(text: &str) -> bool {
    let taken = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
        && !taken.contains(&text.to_ascii_lowercase().as_str())
}

/// Whether a block of lines gives it back unchanged.
fn is_block(text: &str) -> bool {
    let line = |line: &str| !line.ends_with(' ') && !line.chars().any(is_escaped);
    text.contains('\n')
        && !text.starts_with([' ', '\n'])
        && !text.ends_with('\n')
        && text.split('\n').all(line)
}

/// Characters that stand in a file as escapes: controls, and what some readers take for the end of a line.
fn is_escaped(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if is_escaped(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

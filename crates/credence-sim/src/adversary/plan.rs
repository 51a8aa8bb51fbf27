//! Whom to attack and how hard, without a model (sim 2.4).
//!
//! *Aims.* Units that do not stand in a conflict, the least activated first; a unit that withstood the last two attacks on it is left alone while
//! there are others. Units that say a fact of the scenario go before the rest, since nothing else is judged. Where there are no units (a
//! condition without a working set), the facts themselves, in the scenario's order. Of these the share that `aggressiveness` says, at least one.
//!
//! *Tier.* By outcome: it begins with BASIC, climbs one tier after an attack that came to nothing, and stays where it is after one that worked or that
//! nobody judged. Of an attack over three turns only the last one says whether it worked. By count, the predecessor's rule: the number of
//! attacks decides (below 3, 6, 10). Both end at the scenario's highest tier.
//!
//! *Strategies.* The preferred ones of the tier, else all of it, else all of the easier tiers. When the first of them takes several turns, an attack of
//! three begins: SETUP a tier lower, BUILD a tier higher than that, PAYOFF at the highest tier allowed.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use credence::id::PropositionId;
use credence::unit::UnitView;

use super::past::Past;
use super::record::{Phase, Sequence};
use crate::judge::oracle;
use crate::run::RunSettings;
use crate::scenario::{AdversaryConfig, Fact, Scenario};
use crate::strategy::{Catalog, Strategy, Tier};
use crate::verdict::Ruling;

/// What decides the tier of the next attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Escalation {
    /// How the attacks so far came out.
    #[default]
    ByOutcome,
    /// How many there were.
    ByCount,
}

impl Escalation {
    /// That of a run, by its option `adversary-escalation`: `by-outcome` (also where it says nothing) or `by-count`. Another word was refused
    /// before the run ([`option_problems`](crate::engine::option_problems)).
    pub fn of(settings: &RunSettings) -> Self {
        match settings.options.get("adversary-escalation").map(|word| word.trim()) {
            Some("by-count") => Self::ByCount,
            _ => Self::ByOutcome,
        }
    }
    /// The tier of the next attack.
    pub(super) fn tier(self, past: &Past<'_>, highest: Tier) -> Tier {
        let level = match self {
            Self::ByCount => match past.attacks.len() {
                0..3 => 1,
                3..6 => 2,
                6..10 => 3,
                _ => 4,
            },
            Self::ByOutcome => {
                let ended = past.attacks.iter().filter(|made| {
                    made.attack.sequence.as_ref().is_none_or(|sequence| sequence.phase == Phase::Payoff)
                });
                let failed = ended.filter(|made| made.worked == Some(false)).count();
                u8::try_from(failed).unwrap_or(u8::MAX).saturating_add(1)
            }
        };
        Tier::of_level(level).min(highest)
    }
}

/// A statement to attack, and the fact that it says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Aim<'a> {
    pub(super) text: String,
    pub(super) fact: Option<&'a Fact>,
}

/// The next attack.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plan<'a> {
    pub(super) aims: Vec<Aim<'a>>,
    /// What the model is hinted at, and what our own sentences choose from; in order, at least one.
    pub(super) strategies: Vec<&'a Strategy>,
    /// All that may be used, in order.
    pub(super) offers: Vec<&'a Strategy>,
    pub(super) tier: Tier,
    pub(super) sequence: Option<Sequence>,
    pub(super) why: String,
}

/// Everything that a plan looks at.
pub(super) struct Planner<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) catalog: &'a Catalog,
    /// Says which fact a statement speaks of.
    pub(super) oracle: &'a oracle::Ready,
    pub(super) escalation: Escalation,
    pub(super) turn: u32,
    pub(super) units: &'a [UnitView],
    pub(super) conflicted: &'a BTreeSet<PropositionId>,
    pub(super) past: &'a Past<'a>,
}

impl<'a> Planner<'a> {
    fn config(&self) -> &'a AdversaryConfig {
        &self.scenario.adversary
    }
    fn highest(&self) -> Tier {
        Tier::of_level(self.config().max_escalation_tier)
    }

    /// The next attack; `None` where there is nothing to attack, or nothing to attack with.
    pub(super) fn plan(&self) -> Option<Plan<'a>> {
        if let Some((attack, sequence)) = self.past.open_sequence() {
            let (phase, tier) = match sequence.phase {
                Phase::Setup => {
                    (Phase::Build, Tier::of_level(attack.planned_tier.level() + 1).min(self.highest()))
                }
                Phase::Build | Phase::Payoff => (Phase::Payoff, self.highest()),
            };
            let aims =
                attack.aims.iter().map(|text| Aim { text: text.clone(), fact: self.fact_of(text) }).collect();
            let why = format!("the attack that began in turn {} goes on", sequence.began);
            return self.with(aims, tier, Some(Sequence { phase, ..sequence.clone() }), why);
        }
        let (aims, why) = self.aims();
        let tier = self.escalation.tier(self.past, self.highest());
        let first = *self.preferred(tier).first()?;
        if !first.multi_turn {
            return self.with(aims, tier, None, why);
        }
        let sequence = Sequence { began: self.turn, strategy: first.id.clone(), phase: Phase::Setup };
        let below = Tier::of_level(tier.level().saturating_sub(1));
        self.with(aims, below, Some(sequence), why)
    }

    fn with(
        &self,
        aims: Vec<Aim<'a>>,
        tier: Tier,
        sequence: Option<Sequence>,
        why: String,
    ) -> Option<Plan<'a>> {
        let mut strategies = self.preferred(tier);
        if let Some(own) = sequence.as_ref().and_then(|sequence| self.catalog.by_id(&sequence.strategy)) {
            strategies.retain(|strategy| strategy.id != own.id);
            strategies.insert(0, own);
        }
        let offers = self.catalog.by_tier_at_or_below(self.highest()).collect();
        let possible = !aims.is_empty() && !strategies.is_empty();
        possible.then_some(Plan { aims, strategies, offers, tier, sequence, why })
    }

    /// The strategies of a tier: the preferred ones, else all, else all of the easier tiers, else the first of the catalogue.
    fn preferred(&self, tier: Tier) -> Vec<&'a Strategy> {
        let all: Vec<&Strategy> = self.catalog.by_tier(tier).collect();
        let wanted = &self.config().preferred_strategies;
        let is_wanted = |strategy: &&Strategy| wanted.iter().any(|id| id.eq_ignore_ascii_case(&strategy.id));
        let preferred: Vec<&Strategy> = all.iter().copied().filter(is_wanted).collect();
        if !preferred.is_empty() {
            return preferred;
        }
        if !all.is_empty() {
            return all;
        }
        let easier: Vec<&Strategy> = self.catalog.by_tier_at_or_below(tier).collect();
        if easier.is_empty() { self.catalog.all().iter().take(1).collect() } else { easier }
    }

    /// The fact that a statement speaks of, whether it says it or the opposite.
    fn fact_of(&self, text: &str) -> Option<&'a Fact> {
        if let Some(same) = self.scenario.facts.iter().find(|fact| fact.text == text) {
            return Some(same);
        }
        let verdicts = self.oracle.judge(text).verdicts;
        let said = verdicts.iter().find(|verdict| verdict.ruling != Ruling::NotMentioned)?;
        self.scenario.facts.iter().find(|fact| fact.id == said.fact)
    }

    fn aims(&self) -> (Vec<Aim<'a>>, String) {
        let mut ranked: Vec<&UnitView> = self.units.iter().filter(|unit| unit.is_active()).collect();
        ranked.sort_by_key(|unit| (unit.activation, unit.id()));
        let free: Vec<&UnitView> =
            ranked.iter().copied().filter(|unit| !self.conflicted.contains(&unit.id())).collect();
        let (units, mut why) = match (free.is_empty(), ranked.is_empty()) {
            (false, _) => (free, "the least activated units without a conflict".to_owned()),
            (true, false) => (ranked, "the least activated units, since all stand in a conflict".to_owned()),
            (true, true) => (Vec::new(), "facts of the scenario, since memory has no units".to_owned()),
        };
        let of_unit = |unit: &&UnitView| Aim {
            text: unit.proposition.text.clone(),
            fact: self.fact_of(&unit.proposition.text),
        };
        let mut aims: Vec<Aim<'a>> = units.iter().map(of_unit).collect();
        if aims.iter().any(|aim| aim.fact.is_some()) {
            aims.retain(|aim| aim.fact.is_some());
        }
        if aims.is_empty() {
            aims = self.told_facts();
        }
        let fresh: Vec<Aim<'a>> =
            aims.iter().filter(|aim| !self.past.withstood(&aim.text)).cloned().collect();
        if !fresh.is_empty() && fresh.len() < aims.len() {
            why.push_str("; what withstood two attacks is left alone");
            aims = fresh;
        }
        let share = self.config().aggressiveness.clamp(0.0, 1.0);
        let count = libm::ceil(share * aims.len() as f64) as usize;
        aims.truncate(count.max(1));
        (aims, why)
    }

    /// The facts that were told before this turn; all, where none says when.
    fn told_facts(&self) -> Vec<Aim<'a>> {
        let all = || self.scenario.facts.iter();
        let told = |fact: &&Fact| fact.established_at.is_none_or(|turn| turn < self.turn);
        let aim = |fact: &'a Fact| Aim { text: fact.text.clone(), fact: Some(fact) };
        let some: Vec<Aim<'a>> = all().filter(told).map(aim).collect();
        if some.is_empty() { all().map(aim).collect() } else { some }
    }
}

/// Which of the plan's strategies our own sentences use: one, or two when there were three attacks and more. Those that suit the fact's kind go first,
/// then those that were not used lately. An attack over several turns uses its own.
pub(super) fn chosen<'a>(
    plan: &Plan<'a>,
    past: &Past<'_>,
    random: &mut crate::random::SplitMix64,
) -> Vec<&'a Strategy> {
    if plan.sequence.is_some() {
        return plan.strategies.first().copied().into_iter().collect();
    }
    let kind = plan.aims.first().and_then(|aim| aim.fact?.category.as_deref());
    let recent = past.recent(3);
    let mut left = plan.strategies.clone();
    let mut chosen = Vec::new();
    for _ in 0..if past.attacks.len() < 3 { 1 } else { 2 } {
        let score = |strategy: &Strategy| {
            let suits = kind.is_some_and(|kind| strategy.categories.contains(kind));
            (suits, !recent.contains(&strategy.id.as_str()))
        };
        left.sort_by_key(|strategy| Reverse(score(strategy)));
        let best = left.first().map(|strategy| score(strategy));
        let equals = left.iter().take_while(|strategy| Some(score(strategy)) == best).count();
        if equals > 0 {
            chosen.push(left.remove(random.below(equals)));
        }
    }
    chosen
}

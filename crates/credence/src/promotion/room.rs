//! Room in the working set: who leaves, so that others can enter, decided for all of them at once.
//!
//! Nothing is written before it is known that enough may leave. The guard is asked about each departure with those before it gone,
//! so that a rule that counts holds for the whole set (core 15, G22). Newcomers take part in the order like everybody else: one that
//! would have to leave at once is not let in.

use super::budget::{Interference, Leaving, Place, choose, leaving_order};
use crate::id::PropositionId;
use crate::maintenance::{Likeness, similarity};
use crate::text;
use crate::unit::{Action, Guard, Mover, Objection, UnitPlan, UnitView};

/// Likeness from which two units nearly repeat each other; chosen by us: above what two facts about one person share.
const NEAR: f64 = 0.6;

/// The name under which the budget moves units.
const BUDGET: &str = "the budget";

/// Who would have to leave.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Room {
    /// How many units there may be.
    pub(crate) budget: usize,
    /// How many there would be.
    pub(crate) wanted: usize,
    /// Who leaves, newcomers that are not let in included, and who may not.
    pub(crate) leaving: Leaving,
    /// What a report says of how they crowd one another.
    pub(crate) warning: Option<String>,
    /// Rules of the settings that keep somebody in. That pins and CANON do is the order of things, and no violation.
    pub(crate) kept_in: Vec<Objection>,
}

impl Room {
    /// Why there is no room, in words for a person.
    pub(crate) fn why_full(&self) -> String {
        let full = format!("the working set is full ({} of {})", self.budget, self.budget);
        match self.leaving.stay.first() {
            Some((_, why)) => format!("{full}, and nobody may leave: {why}"),
            None => format!("{full}, and everything in it is more active"),
        }
    }
}

/// Who leaves when `newcomers` enter. `steadfast`: the newcomers themselves do not count among those who may leave.
pub(crate) fn room(plan: &UnitPlan<'_>, newcomers: &[UnitView], steadfast: &[PropositionId]) -> Room {
    let set = plan.set();
    let is_new = |id: PropositionId| newcomers.iter().any(|view| view.id() == id);
    let all: Vec<&UnitView> = set.iter().filter(|view| !is_new(view.id())).chain(newcomers.iter()).collect();
    let places: Vec<Place> = all.iter().map(|view| place(view)).collect();
    let settings = plan.config.budget;
    let crowd = match settings.counts_interference() {
        true => interference(&all),
        false => Interference::default(),
    };
    let density = crowd.density(&places);
    let budget = settings.effective(plan.config.unit.budget as usize, density);
    let excess = places.len().saturating_sub(budget);
    let guard = Guard { settings: &plan.config.unit, context: plan.context };
    let mut kept_in = Vec::new();
    let may_leave = |out: &[PropositionId], id: PropositionId| {
        let Some(view) = all.iter().find(|view| view.id() == id) else { return Ok(()) };
        if steadfast.contains(&id) {
            return Err("room is made for it".into());
        }
        if is_new(id) {
            return Ok(());
        }
        let left: Vec<UnitView> = set.iter().filter(|other| !out.contains(&other.id())).cloned().collect();
        match guard.check(Mover::Policy(BUDGET), Action::Evict, view, &left) {
            Ok(_) => Ok(()),
            Err(no) => {
                let words = no.words.clone();
                kept_in.extend(Some(no).filter(|no| settings_have(plan, &no.rule)));
                Err(words)
            }
        }
    };
    let leaving = choose(&leaving_order(&places, &crowd, &settings), excess, may_leave);
    Room { budget, wanted: places.len(), leaving, warning: settings.warning(density), kept_in }
}

fn settings_have(plan: &UnitPlan<'_>, rule: &str) -> bool {
    plan.config.unit.invariants.rules.iter().any(|known| known.id == rule)
}

/// Makes room for one statement that a person lets in. `entering` are those that entered with it, and itself: they stay.
///
/// # Errors
/// In words, when nobody may leave; nothing was planned then.
pub(crate) fn make_room(
    plan: &UnitPlan<'_>,
    newcomer: &UnitView,
    entering: &[PropositionId],
) -> Result<Vec<PropositionId>, String> {
    let found = room(plan, std::slice::from_ref(newcomer), entering);
    if found.leaving.out.len() + found.budget < found.wanted {
        return Err(found.why_full());
    }
    evict(plan, &found.leaving.out, &newcomer.proposition.text)?;
    Ok(found.leaving.out)
}

/// Puts units to sleep that the budget has chosen.
pub(crate) fn evict(plan: &UnitPlan<'_>, out: &[PropositionId], newcomer: &str) -> Result<(), String> {
    let budget = UnitPlan { mover: Mover::Policy(BUDGET), ..*plan };
    let why = format!("its place was needed for “{}”", text::excerpt(newcomer, 80));
    for id in out {
        budget.evict(*id, &why).map_err(|no| no.words)?;
    }
    Ok(())
}

fn place(view: &UnitView) -> Place {
    Place {
        id: view.id(),
        activation: view.activation.get(),
        importance: view.proposition.importance.get(),
        touched: view.unit.touched(),
    }
}

/// Pairs that contradict, fill one slot, or nearly repeat each other.
fn interference(views: &[&UnitView]) -> Interference {
    let read: Vec<(Likeness, Option<text::Slot>)> =
        views.iter().map(|v| (Likeness::of(&v.proposition), text::slot(&v.proposition.text))).collect();
    let mut found = Interference::default();
    for (n, a) in views.iter().enumerate() {
        for (m, b) in views.iter().enumerate().skip(n + 1) {
            let one_slot = match (&read[n].1, &read[m].1) {
                (Some(x), Some(y)) => {
                    x.relation == y.relation && text::fold(&x.subject) == text::fold(&y.subject)
                }
                _ => false,
            };
            let near = || similarity(&read[n].0, &read[m].0) >= NEAR;
            let opposed = || text::opposes(&a.proposition.text, &b.proposition.text).is_some();
            if one_slot || near() || opposed() {
                found.add(a.id(), b.id());
            }
        }
    }
    found
}

//! What fits into the token budget (core 7.5): a pure decision over what each line costs.
//!
//! Over budget, what is worth least goes first: statements that are no units, the last found first; then PROVISIONAL, UNRELIABLE,
//! RELIABLE, and within one the colder tier, the lesser importance, the lower activation. CANON, pinned and vital ones are never
//! dropped (the predecessor drops pinned ones; D151). It stops as soon as the rest fits.

use crate::id::PropositionId;
use crate::unit::{Authority, Tier};

/// One line and what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Whose.
    pub id: PropositionId,
    /// Its standing; `None` for a statement that is no unit.
    pub unit: Option<(Authority, Tier, u16)>,
    /// 0 to 1.
    pub importance: f64,
    /// Position among the statements that are no units: the larger goes first.
    pub place: usize,
    /// Tokens, by the upper end of their count.
    pub cost: u32,
    /// Whether it stays whatever it costs. CANON does so by itself.
    pub is_protected: bool,
}

impl Line {
    fn stays(&self) -> bool {
        self.is_protected || self.unit.is_some_and(|(authority, ..)| authority == Authority::Canon)
    }
}

/// What fits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fit {
    /// What had to go, in the order in which it went.
    pub dropped: Vec<PropositionId>,
    /// Tokens of what stays, overhead included.
    pub used: u32,
    /// Whether something was dropped, or the rest is still over.
    pub exceeded: bool,
}

/// Fits lines into `budget` tokens, `overhead` of which are spent on the frame. A budget of 0 is no limit.
pub fn fit(lines: &[Line], overhead: u32, budget: u32) -> Fit {
    let mut used = lines.iter().fold(overhead, |sum, line| sum.saturating_add(line.cost));
    if budget == 0 || used <= budget {
        return Fit { dropped: Vec::new(), used, exceeded: false };
    }
    let mut going: Vec<&Line> = lines.iter().filter(|line| !line.stays()).collect();
    going.sort_by(|a, b| {
        a.unit
            .map(|(authority, tier, _)| (authority, tier))
            .cmp(&b.unit.map(|(authority, tier, _)| (authority, tier)))
            .then_with(|| if a.unit.is_none() { b.place.cmp(&a.place) } else { std::cmp::Ordering::Equal })
            .then_with(|| a.importance.total_cmp(&b.importance))
            .then_with(|| a.unit.map(|u| u.2).cmp(&b.unit.map(|u| u.2)))
            .then_with(|| a.id.cmp(&b.id))
    });
    let mut dropped = Vec::new();
    for line in going {
        if used <= budget {
            break;
        }
        used = used.saturating_sub(line.cost);
        dropped.push(line.id);
    }
    Fit { dropped, used, exceeded: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Authority::*;
    use Tier::*;

    fn unit(n: u128, authority: Authority, tier: Tier, importance: f64) -> Line {
        Line {
            id: PropositionId::new(uuid::Uuid::from_u128(n)),
            unit: Some((authority, tier, 500)),
            importance,
            place: 0,
            cost: 11,
            is_protected: false,
        }
    }

    fn dropped(lines: &[Line], overhead: u32, budget: u32) -> Vec<u128> {
        fit(lines, overhead, budget).dropped.iter().map(|id| id.uuid().as_u128()).collect()
    }

    #[test]
    fn core_166_the_least_authority_goes_until_the_rest_fits() {
        let two = [unit(1, Reliable, Warm, 0.5), unit(2, Provisional, Warm, 0.5)];
        assert_eq!(fit(&two, 10, 40), Fit { dropped: vec![], used: 32, exceeded: false });
        let three =
            [unit(1, Canon, Warm, 0.5), unit(2, Reliable, Warm, 0.5), unit(3, Provisional, Warm, 0.5)];
        assert_eq!(dropped(&three, 10, 32), [3]);
        assert!(fit(&three, 10, 32).exceeded && fit(&three, 10, 32).used == 32);
    }

    #[test]
    fn core_167_canon_stays_and_no_budget_is_no_limit() {
        let two = [unit(1, Canon, Warm, 0.5), unit(2, Canon, Cold, 0.5)];
        assert_eq!(fit(&two, 10, 5), Fit { dropped: vec![], used: 32, exceeded: true });
        assert_eq!(fit(&two, 10, 0), Fit { dropped: vec![], used: 32, exceeded: false });
        assert!(fit(&[], 10, 5).exceeded && !fit(&[], 10, 10).exceeded);
    }

    #[test]
    fn core_168_169_170_the_colder_the_less_important_the_sooner() {
        let tiers = [unit(1, Reliable, Hot, 0.5), unit(2, Reliable, Cold, 0.5), unit(3, Reliable, Warm, 0.5)];
        assert_eq!(dropped(&tiers, 0, 22), [2]);
        assert_eq!(dropped(&tiers, 0, 11), [2, 3]);
        let tier_before_importance = [unit(1, Reliable, Cold, 0.9), unit(2, Reliable, Warm, 0.1)];
        assert_eq!(dropped(&tier_before_importance, 0, 11), [1]);
        let authority_before_tier = [unit(1, Canon, Cold, 0.1), unit(2, Reliable, Hot, 0.9)];
        assert_eq!(dropped(&authority_before_tier, 0, 11), [2]);
        let mut by_activation = [unit(1, Reliable, Warm, 0.5), unit(2, Reliable, Warm, 0.5)];
        by_activation[1].unit = Some((Reliable, Warm, 400));
        assert_eq!(dropped(&by_activation, 0, 11), [2]);
    }

    #[test]
    fn what_is_protected_stays_and_what_is_no_unit_goes_first() {
        let tentative = |n, place| Line { unit: None, place, ..unit(n, Reliable, Warm, 0.9) };
        let mut lines = vec![unit(1, Provisional, Cold, 0.1), tentative(2, 0), tentative(3, 1)];
        assert_eq!(dropped(&lines, 0, 22), [3]);
        assert_eq!(dropped(&lines, 0, 5), [3, 2, 1]);
        lines[0].is_protected = true;
        lines[1].is_protected = true;
        assert_eq!(dropped(&lines, 0, 5), [3], "pinned and vital ones stay, and that it is over is said");
    }
}

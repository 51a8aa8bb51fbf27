//! From signals to a score, a zone and a ceiling (core 3.1).
//!
//! A signal that has nothing to say gives its weight to those that have, in proportion; so the score is a weighted mean of what was
//! said, and the audit's parts sum to it. The zone:
//!
//! | score | zone |
//! |---|---|
//! | from the profile's `auto` on | AUTO_PROMOTE |
//! | from `review` on | REVIEW |
//! | from `archive` on | REVIEW where it is the user's own first-hand word, whom nobody else can correct; ARCHIVE otherwise |
//! | below | ARCHIVE |
//!
//! The ceiling is RELIABLE from 0.80 on, UNRELIABLE from 0.50 on, PROVISIONAL below; never CANON, which its type cannot say.

use super::profile::DomainProfile;
use super::signal::{Said, TrustInput, signals};
use super::{AuthorityTier, SignalAudit, TrustAudit, TrustSettings, Zone};
use crate::proposition::Voice;
use crate::time::Timestamp;
use crate::unit::Earned;

/// What the last bits of a sum may be off: a score that is a threshold in decimals reaches it in any order of summing.
const ROUNDING: f64 = 1e-9;

/// The score of everything while trust is switched off, for ablations (core 3.1).
const WITHOUT_TRUST: f64 = 0.9;

/// Judges a statement. `trigger` says what asked for it; pure.
pub fn evaluate(
    input: &TrustInput<'_>,
    settings: &TrustSettings,
    trigger: &str,
    now: Timestamp,
) -> TrustAudit {
    let profile = settings.profile();
    if !settings.enabled {
        return TrustAudit {
            score: WITHOUT_TRUST,
            zone: Zone::AutoPromote,
            ceiling: Earned::Reliable,
            profile: profile.name().to_owned(),
            signals: Vec::new(),
            trigger: trigger.to_owned(),
            at: now,
        };
    }
    let own_word = input.proposition.voice == Voice::User
        && settings.authority.tier(input.proposition) == AuthorityTier::Primary;
    audit(&profile, signals(input, settings), own_word, trigger, now)
}

/// The audit of what the signals said.
pub(super) fn audit(
    profile: &DomainProfile,
    said: Vec<Said>,
    own_word: bool,
    trigger: &str,
    at: Timestamp,
) -> TrustAudit {
    let present: f64 = said.iter().filter(|s| s.value.is_some()).map(|s| profile.weight(s.signal)).sum();
    let signals: Vec<SignalAudit> = said
        .into_iter()
        .map(|Said { signal, value, why }| {
            let weight = profile.weight(signal);
            let added = if present > 0.0 { value.unwrap_or(0.0) * weight / present } else { 0.0 };
            SignalAudit { name: signal.name().to_owned(), value, weight, added, why }
        })
        .collect();
    let score = signals.iter().map(|signal| signal.added).sum::<f64>().clamp(0.0, 1.0);
    TrustAudit {
        score,
        zone: zone(profile, score, own_word),
        ceiling: ceiling(score),
        profile: profile.name().to_owned(),
        signals,
        trigger: trigger.to_owned(),
        at,
    }
}

fn zone(profile: &DomainProfile, score: f64, own_word: bool) -> Zone {
    let reaches = |threshold: f64| score + ROUNDING >= threshold;
    if reaches(profile.auto()) {
        Zone::AutoPromote
    } else if reaches(profile.review()) || (own_word && reaches(profile.archive())) {
        Zone::Review
    } else {
        Zone::Archive
    }
}

/// The highest authority that a score allows.
pub fn ceiling(score: f64) -> Earned {
    if score + ROUNDING >= 0.8 {
        Earned::Reliable
    } else if score + ROUNDING >= 0.5 {
        Earned::Unreliable
    } else {
        Earned::Provisional
    }
}

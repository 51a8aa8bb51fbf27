//! Activation, authority and tier: the three scales of a unit (core 1.1, 1.2).

use serde::{Deserialize, Deserializer, Serialize};

/// How present a unit is under pressure: 100 to 900. Default 500.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Activation(u16);

impl Activation {
    /// The floor.
    pub const MIN: Self = Self(100);
    /// The ceiling.
    pub const MAX: Self = Self(900);

    /// The nearest activation.
    pub fn clamped(value: i64) -> Self {
        Self(u16::try_from(value.clamp(100, 900)).unwrap_or(Self::MAX.0))
    }
    /// The number.
    pub const fn get(self) -> u16 {
        self.0
    }
    /// Moved by `by`, clamped.
    pub fn moved(self, by: i64) -> Self {
        Self::clamped(i64::from(self.0).saturating_add(by))
    }
}

impl Default for Activation {
    fn default() -> Self {
        Self(500)
    }
}

impl<'de> Deserialize<'de> for Activation {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        i64::deserialize(d).map(Self::clamped)
    }
}

/// How far a unit's word is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Authority {
    /// Just promoted; tentative.
    Provisional,
    /// Confirmed a little.
    Unreliable,
    /// Confirmed by independent evidence.
    Reliable,
    /// A person said so.
    Canon,
}

/// What policies can give: never CANON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Earned {
    /// Just promoted; tentative.
    Provisional,
    /// Confirmed a little.
    Unreliable,
    /// Confirmed by independent evidence.
    Reliable,
}

impl From<Earned> for Authority {
    fn from(earned: Earned) -> Self {
        match earned {
            Earned::Provisional => Self::Provisional,
            Earned::Unreliable => Self::Unreliable,
            Earned::Reliable => Self::Reliable,
        }
    }
}

impl Earned {
    /// One level up; RELIABLE is the highest.
    pub fn next(self) -> Self {
        match self {
            Self::Provisional => Self::Unreliable,
            Self::Unreliable | Self::Reliable => Self::Reliable,
        }
    }
    /// One level down; PROVISIONAL is the lowest.
    pub fn previous(self) -> Self {
        match self {
            Self::Reliable => Self::Unreliable,
            Self::Unreliable | Self::Provisional => Self::Provisional,
        }
    }
}

impl Authority {
    /// Whether it is at least `other`.
    pub fn is_at_least(self, other: Self) -> bool {
        self >= other
    }
    /// One level down; PROVISIONAL is the lowest.
    pub fn previous(self) -> Self {
        match self {
            Self::Canon => Self::Reliable,
            Self::Reliable => Self::Unreliable,
            Self::Unreliable | Self::Provisional => Self::Provisional,
        }
    }
    /// The word that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Provisional => "PROVISIONAL",
            Self::Unreliable => "UNRELIABLE",
            Self::Reliable => "RELIABLE",
            Self::Canon => "CANON",
        }
    }
}

/// Where activation places a unit; authority and pin do not alter it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Tier {
    /// Below the warm threshold.
    Cold,
    /// Between.
    Warm,
    /// From the hot threshold on.
    Hot,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_1_2_3_activation_is_clamped() {
        assert_eq!([0, -50, 99].map(|n| Activation::clamped(n).get()), [100; 3]);
        assert_eq!([901, 1000, i64::MAX].map(|n| Activation::clamped(n).get()), [900; 3]);
        assert_eq!([100, 350, 500, 900].map(|n| Activation::clamped(n).get()), [100, 350, 500, 900]);
        assert_eq!(serde_json::from_str::<Activation>("-7").unwrap(), Activation::MIN);
    }

    #[test]
    fn core_4_5_levels_of_authority() {
        let chain = std::iter::successors(Some(Authority::Canon), |a| Some(a.previous()));
        let levels: Vec<_> = chain.skip(1).take(4).collect();
        use Authority::*;
        assert_eq!(levels, [Reliable, Unreliable, Provisional, Provisional]);
        assert!(Reliable.is_at_least(Reliable) && !Reliable.is_at_least(Canon));
        assert_eq!(Earned::Reliable.next(), Earned::Reliable, "no policy goes further");
    }

    #[test]
    fn core_7_tiers_ascend() {
        assert!(Tier::Cold < Tier::Warm && Tier::Warm < Tier::Hot);
    }
}

//! Bounded numbers. A value out of range is refused where a person or program gives it and clamped, with
//! a note, where a model gives it; past that border no code has to ask again.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number that left its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{name} must be within 0 and 1, got {found}")]
pub struct ScaleError {
    /// Which quantity.
    pub name: &'static str,
    /// What came.
    pub found: f64,
}

macro_rules! unit_scale {
    ($($(#[$doc:meta])* $name:ident($label:literal, default $default:expr);)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
        pub struct $name(f64);

        impl $name {
            /// Smallest value.
            pub const MIN: Self = Self(0.0);
            /// Largest value.
            pub const MAX: Self = Self(1.0);
            /// Checks `0 <= value <= 1`; NaN is refused.
            pub fn new(value: f64) -> Result<Self, ScaleError> {
                if (0.0..=1.0).contains(&value) { Ok(Self(value)) } else { Err(ScaleError { name: $label, found: value }) }
            }
            /// Moves a value into the range; NaN becomes the default.
            pub fn clamped(value: f64) -> Self {
                if value.is_nan() { Self::default() } else { Self(value.clamp(0.0, 1.0)) }
            }
            /// The number.
            pub const fn get(self) -> f64 { self.0 }
        }
        impl Default for $name {
            fn default() -> Self { Self($default) }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{:.2}", self.0) }
        }
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> { s.serialize_f64(self.0) }
        }
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                Self::new(f64::deserialize(d)?).map_err(serde::de::Error::custom)
            }
        }
    )*};
}

unit_scale! {
    /// How sure the source left us of the statement, 0 to 1. Default 0.5.
    Confidence("confidence", default 0.5);
    /// How fast confidence fades: a rate, not a half-life, 0 (stable) to 1 (gone within a day or two). Default 0.
    Decay("decay", default 0.0);
    /// How much it matters, whatever its certainty, 0 to 1. Default 0.5.
    Importance("importance", default 0.5);
    /// What a number is compared with, 0 to 1, inclusive. Default 0.5.
    Threshold("threshold", default 0.5);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_inclusive_and_nan_is_refused() {
        assert!(Confidence::new(0.0).is_ok() && Confidence::new(1.0).is_ok());
        assert!(Confidence::new(1.0000001).is_err() && Confidence::new(f64::NAN).is_err());
        assert_eq!(Decay::clamped(7.0), Decay::MAX);
        assert_eq!(Importance::clamped(f64::NAN), Importance::default());
        assert!(serde_json::from_str::<Confidence>("1.5").is_err());
    }
}

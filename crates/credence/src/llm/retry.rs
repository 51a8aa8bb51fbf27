//! Which failed calls are tried again, and when: policy as data, decided without clock or randomness.

use super::ModelError;
use super::classify::Verdict;

/// The policy. [`RetryPolicy::default`] is what the product uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Most calls in all, the first one counted.
    pub attempts: u32,
    /// Most calls in all when no server answers or the connection breaks: waiting rarely mends that.
    pub unreachable_attempts: u32,
    /// The first wait is at most this long, milliseconds; the limit doubles with each further one.
    pub base_ms: u64,
    /// No wait is longer, milliseconds. A server that asks for more is not called again: calling earlier than
    /// it allows would fail, and a user should not stare at a page for longer.
    pub cap_ms: u64,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { attempts: 3, unreachable_attempts: 2, base_ms: 500, cap_ms: 30_000 }
    }
}

/// Statuses that pass by themselves.
const PASSING: [u16; 5] = [429, 502, 503, 504, 529];

impl RetryPolicy {
    /// Milliseconds to wait before the next call; `None` gives up.
    ///
    /// `calls` is how many were made, the failed one included. `random` is uniform in [0, 1): without a wait
    /// from the server the delay is `random * min(cap, base * 2^(calls - 1))` (full jitter: Brooker, "Exponential
    /// Backoff and Jitter", 2015); with one it is that wait plus `random * base`, so that several tabs that were
    /// told the same do not return at the same moment.
    pub fn wait_ms(&self, calls: u32, failure: &Verdict, random: f64) -> Option<u64> {
        let most = match &failure.error {
            ModelError::Unreachable { .. } | ModelError::BrokenOff { .. } => self.unreachable_attempts,
            ModelError::RateLimited { .. } => self.attempts,
            ModelError::Server { status, .. } if PASSING.contains(status) => self.attempts,
            _ => return None,
        };
        if calls >= most {
            return None;
        }
        let random = if random.is_finite() { random.clamp(0.0, 1.0) } else { 0.0 };
        let jitter = |limit: u64| (random * limit as f64) as u64;
        match failure.retry_after_ms {
            Some(asked) if asked > self.cap_ms => None,
            Some(asked) => Some(asked + jitter(self.base_ms)),
            None => {
                let doubled = self.base_ms.saturating_mul(1 << (calls.saturating_sub(1)).min(32));
                Some(jitter(doubled.min(self.cap_ms)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(status: u16) -> ModelError {
        ModelError::Server { status, detail: String::new() }
    }
    fn wait(calls: u32, error: ModelError, asked: Option<u64>, random: f64) -> Option<u64> {
        RetryPolicy::default().wait_ms(calls, &Verdict { error, retry_after_ms: asked }, random)
    }

    #[test]
    fn passing_failures_are_tried_three_times_with_growing_jitter() {
        for status in PASSING {
            let error = || match status {
                429 => ModelError::RateLimited { status, retry_after_ms: None },
                _ => server(status),
            };
            assert_eq!(wait(1, error(), None, 0.5), Some(250), "{status}");
            assert_eq!(wait(2, error(), None, 0.5), Some(500));
            assert_eq!(wait(2, error(), None, 0.0), Some(0));
            assert_eq!(wait(3, error(), None, 0.5), None);
        }
        let patient = RetryPolicy { attempts: 100, ..RetryPolicy::default() };
        let failure = Verdict { error: server(503), retry_after_ms: None };
        assert_eq!(patient.wait_ms(60, &failure, 1.0), Some(30_000), "the cap holds");
    }

    #[test]
    fn the_servers_wait_is_kept_or_not_called_again() {
        assert_eq!(wait(1, server(503), Some(4000), 0.0), Some(4000));
        assert_eq!(wait(1, server(503), Some(4000), 0.5), Some(4250));
        assert_eq!(wait(1, server(503), Some(30_000), 0.0), Some(30_000));
        assert_eq!(wait(1, server(503), Some(30_001), 0.0), None);
    }

    #[test]
    fn an_absent_server_is_tried_once_more() {
        let origin = String::new;
        for error in
            [ModelError::Unreachable { origin: origin() }, ModelError::BrokenOff { origin: origin() }]
        {
            assert!(wait(1, error.clone(), None, 0.5).is_some());
            assert_eq!(wait(2, error, None, 0.5), None);
        }
    }

    #[test]
    fn what_a_person_has_to_mend_is_never_tried_again() {
        let detail = String::new;
        let refused = |status| ModelError::Refused { status, detail: detail() };
        let errors = [
            ModelError::BadKey { status: 401, detail: detail() },
            ModelError::BadKey { status: 403, detail: detail() },
            ModelError::UnknownModel { model: String::new(), detail: detail() },
            ModelError::QuotaExhausted { status: 429, detail: detail() },
            ModelError::Cors { origin: String::new(), remedy: String::new() },
            ModelError::MixedContent { origin: String::new() },
            ModelError::Timeout { after_ms: 1 },
            ModelError::Malformed { detail: detail() },
            ModelError::Cancelled,
            ModelError::NotConnected,
            refused(400),
            refused(404),
            server(500),
            server(501),
        ];
        for error in errors {
            assert_eq!(wait(1, error.clone(), Some(1), 0.5), None, "{error}");
        }
    }
}

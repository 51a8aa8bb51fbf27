//! The scripted narrator: it answers each turn with the reply that the scenario gives for it.
//!
//! Where there is none it fails, and says which turn lacks a reply and what to do; the turn is then recorded as failed and judged by nobody.
//! Turn 0, which only sets the scene, is answered with the setting itself.

use credence::llm::ModelError;

/// What the narrator is to answer in a turn: the reply of the script, or why there is none.
///
/// # Errors
/// [`ModelError::Refused`] with the turn and the remedy.
pub fn reply(turn: u32, scripted: Option<&str>, setting: &str) -> Result<String, ModelError> {
    match scripted.map(str::trim).filter(|reply| !reply.is_empty()) {
        Some(reply) => Ok(reply.to_owned()),
        None if turn == 0 => Ok(setting.trim().to_owned()),
        None => Err(ModelError::Refused {
            status: 0,
            detail: format!(
                "the script gives no reply for turn {turn}; add `reply` to that turn of the scenario, or choose another narrator"
            ),
        }),
    }
}

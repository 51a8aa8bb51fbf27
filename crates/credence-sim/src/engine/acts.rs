//! What a person does to the memory of a paused run: each act is the product's own, one commit with the person as actor, and is kept in the
//! run's record, refused ones too.

use credence::inbox::Verdict;
use credence::memory::Edit;
use credence::ports::Ports;
use credence::{Error, Memory};

use super::control::Manipulation;
use super::met::Met;
use super::seeds::add;
use crate::run::Intervention;

/// Carries an act out; `turn` is the one before which it is done.
pub(super) async fn carry_out<P: Ports>(
    memory: &Memory<P>,
    act: &Manipulation,
    turn: u32,
    met: &Met,
) -> Intervention {
    let known = memory.state().seq();
    let (what, target) = in_words(memory, act);
    met.begin();
    let done = attempt(memory, act).await;
    let (commit, seq) = {
        let log = memory.log();
        let made = log.commits().last().filter(|commit| commit.seq > known);
        (made.map(|commit| commit.id.to_string()).unwrap_or_default(), log.state().seq())
    };
    let (target, refused) = match done {
        Ok(fresh) => (fresh.unwrap_or(target), None),
        Err(error) => (target, Some(error.to_string())),
    };
    Intervention { turn, what, target, commit, refused, met: met.taken(), seq }
}

/// The id of what was not there before.
async fn attempt<P: Ports>(memory: &Memory<P>, act: &Manipulation) -> Result<Option<String>, Error> {
    match act {
        Manipulation::Edit { id, text } => {
            let edit = Edit { text: Some(text.clone()), ..Edit::default() };
            memory.edit(*id, &edit).await.map(drop)?;
        }
        Manipulation::Pin { id, pinned } => memory.pin(*id, *pinned).await.map(drop)?,
        Manipulation::Confirm { id } => memory.confirm_unit(*id).await.map(drop)?,
        Manipulation::Demote { id } => memory.demote_unit(*id).await.map(drop)?,
        Manipulation::Archive { id } => memory.archive_unit(*id, "").await.map(drop)?,
        Manipulation::Revive { id } => memory.revive_unit(*id).await.map(drop)?,
        Manipulation::Canonize { id } => memory.canonize_unit(*id, "").await.map(drop)?,
        Manipulation::SetActivation { id, activation } => {
            memory.set_activation(*id, *activation).await.map(drop)?;
        }
        Manipulation::Forget { id } => memory.forget(*id).await.map(drop)?,
        Manipulation::Decide { question, verdict } => memory.decide(*question, *verdict).await.map(drop)?,
        Manipulation::Add { text } => return add(memory, text).await.map(|id| Some(id.to_string())),
    }
    Ok(None)
}

/// What was done, in words, and to which statement or question.
fn in_words<P: Ports>(memory: &Memory<P>, act: &Manipulation) -> (String, String) {
    match act {
        Manipulation::Edit { id, text } => (format!("edited to say: {text}"), id.to_string()),
        Manipulation::Pin { id, pinned: true } => ("pinned".to_owned(), id.to_string()),
        Manipulation::Pin { id, pinned: false } => ("unpinned".to_owned(), id.to_string()),
        Manipulation::Confirm { id } => ("confirmed".to_owned(), id.to_string()),
        Manipulation::Demote { id } => ("lowered a level".to_owned(), id.to_string()),
        Manipulation::Archive { id } => ("taken out of the working set".to_owned(), id.to_string()),
        Manipulation::Revive { id } => ("brought back into the working set".to_owned(), id.to_string()),
        Manipulation::Canonize { id } => ("made CANON".to_owned(), id.to_string()),
        Manipulation::SetActivation { id, activation } => {
            (format!("activation set to {activation}"), id.to_string())
        }
        Manipulation::Forget { id } => ("forgotten".to_owned(), id.to_string()),
        Manipulation::Add { text } => (format!("added: {text}"), String::new()),
        Manipulation::Decide { question, verdict } => {
            let asked =
                memory.state().inbox_item(*question).map(|item| item.question.clone()).unwrap_or_default();
            let word = match verdict {
                Verdict::Accept => "yes",
                Verdict::Reject => "no",
            };
            (format!("answered {word}: {asked}"), question.to_string())
        }
    }
}

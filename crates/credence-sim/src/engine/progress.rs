//! What a run tells while it plays, in order: what the player says, the reply as it streams, the reply whole, and the judged turn.

use credence::unit::UnitView;

use super::control::Phase;
use crate::run::{Intervention, RunRecord, TurnRecord};
use crate::scenario::TurnKind;

/// One thing that happened.
#[derive(Debug, Clone, Copy)]
pub enum Progress<'a> {
    /// The memory is made ready.
    SettingUp {
        /// The run, without turns.
        run: &'a RunRecord,
    },
    /// The player has spoken and the narrator is thinking.
    Asked {
        /// Which turn; 0 sets the scene.
        turn: u32,
        /// Of so many.
        of: u32,
        /// What kind of turn.
        kind: TurnKind,
        /// The player's words.
        player: &'a str,
    },
    /// A piece of the reply. Under enforcement it is a draft, which the reply itself may replace.
    Text {
        /// Which turn.
        turn: u32,
        /// The piece.
        piece: &'a str,
    },
    /// The narrator has spoken, and the reply is being judged and read.
    Replied {
        /// Which turn.
        turn: u32,
        /// Its words; empty where it failed.
        reply: &'a str,
    },
    /// The turn is over: this is what is kept of it, and the run so far, for hosts that keep it as it grows.
    Turn {
        /// The turn.
        turn: &'a TurnRecord,
        /// The run, unfinished.
        run: &'a RunRecord,
    },
    /// The run waits, or goes on.
    Phase {
        /// Which.
        phase: Phase,
        /// The working set as it is.
        units: &'a [UnitView],
    },
    /// A person acted on the memory, or tried to.
    Intervened {
        /// What came of it.
        intervention: &'a Intervention,
        /// The working set as it is now.
        units: &'a [UnitView],
        /// The run, unfinished, with what was done: whoever keeps it keeps the act before the next turn is over.
        run: &'a RunRecord,
    },
    /// The run has ended.
    Ended {
        /// All of it.
        run: &'a RunRecord,
    },
}

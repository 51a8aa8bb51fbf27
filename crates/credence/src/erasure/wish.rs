//! What a person asks for in a conversation: not to remember something, or to forget what was said about something. Rules carry it out, before any
//! model is asked, and the answer says what happened. Softly: one commit, which can be undone; for ever is a person's act on a page that shows what
//! would go.
//!
//! - "Don't remember this": the turn that says so, or the user's turn before it, goes off the record with what was learned from it.
//! - "Forget what I said about X": X is the name of an entity, or words. One match is forgotten at once, several are listed, and the next turn may
//!   choose among them by number. "Forget “…”" means the statement that says that.
//!
//! What only an imported file or a document says is no wish: only what the user says here is read so ([`forget_wish`]).

use std::collections::BTreeSet;

use super::soft::Forgetting;
use crate::conversation::{Origin, Speaker, Turn};
use crate::embedded::{ForgetWish, chosen_of, forget_wish};
use crate::error::Error;
use crate::history::State;
use crate::id::{PropositionId, TurnId};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::proposition::Proposition;
use crate::text::{self, Language};

/// Share of the words of a statement that was meant which a stored one has to have.
const MEANT: f64 = 0.75;
/// Most statements that are listed for a choice.
const MOST_LISTED: usize = 20;

/// What came of a wish to forget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WishOutcome {
    /// It is forgotten.
    Forgotten(Forgetting),
    /// Several statements may be meant; nothing was written.
    Several(Vec<(PropositionId, String)>),
    /// Nothing of the kind is known; nothing was written.
    Nothing,
}

/// What a wish means in a memory.
enum Meant {
    Turns(Vec<TurnId>),
    Statements(Vec<(PropositionId, String)>, bool),
}

impl<P: Ports> Memory<P> {
    /// Carries out the wish to forget that a user's turn expresses, if it does and the settings hear it (`chat.forgets_on_request`). Doing it again changes nothing more. [`Memory::answer`] calls this;
    /// a host that answers by itself calls it before.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown turn; store errors.
    pub async fn carry_out_wish(&self, turn: TurnId) -> Result<Option<WishOutcome>, Error> {
        if !self.with_config(|config| config.chat.forgets_on_request) {
            return Ok(None);
        }
        let meant = {
            let state = self.state();
            let Some(turn) = state.turn(turn) else {
                return Err(Error::NotFound { record: turn.to_string() });
            };
            meant_by(&state, turn)
        };
        match meant {
            None => Ok(None),
            Some(Meant::Turns(turns)) => {
                Ok(Some(WishOutcome::Forgotten(self.forget_turn_facts(&turns).await?)))
            }
            Some(Meant::Statements(found, is_chosen)) => Ok(Some(match found.as_slice() {
                [] => WishOutcome::Nothing,
                [_, _, ..] if !is_chosen => WishOutcome::Several(found),
                _ => {
                    let ids: Vec<PropositionId> = found.iter().map(|(id, _)| *id).collect();
                    WishOutcome::Forgotten(self.forget_all(&ids).await?)
                }
            })),
        }
    }
}

/// What the user wants forgotten with this turn; `None`: the turn is no wish.
fn meant_by(state: &State, turn: &Turn) -> Option<Meant> {
    let is_chat = state.conversation(turn.conversation).is_some_and(|c| c.origin == Origin::Chat);
    if turn.speaker != Speaker::User || !is_chat {
        return None;
    }
    let before = || state.turns(turn.conversation).rev().filter(|other| other.index < turn.index);
    match forget_wish(&turn.text) {
        Some(ForgetWish::ThisTurn) => Some(Meant::Turns(vec![turn.id])),
        Some(ForgetWish::TurnBefore) => {
            let said = before().find(|other| other.speaker == Speaker::User);
            Some(Meant::Turns(said.map(|said| said.id).into_iter().chain([turn.id]).collect()))
        }
        Some(ForgetWish::About(about)) => Some(Meant::Statements(about_it(state, &about), false)),
        Some(ForgetWish::Statement(said)) => Some(Meant::Statements(that_say(state, &said), false)),
        None => {
            // An answer to a list of ours.
            let mut earlier = before();
            let listed =
                earlier.next().filter(|answer| answer.speaker == Speaker::Assistant && answer.off_record)?;
            let asked = earlier.find(|other| other.speaker == Speaker::User && other.index < listed.index)?;
            let found = match forget_wish(&asked.text)? {
                ForgetWish::About(about) => about_it(state, &about),
                ForgetWish::Statement(said) => that_say(state, &said),
                _ => return None,
            };
            let chosen = chosen_of(&turn.text, found.len()).filter(|_| found.len() > 1)?;
            Some(Meant::Statements(chosen.into_iter().filter_map(|n| found.get(n).cloned()).collect(), true))
        }
    }
}

fn live(state: &State) -> impl Iterator<Item = &Proposition> {
    state.propositions().filter(|p| p.status.is_live())
}

fn listed<'a>(statements: impl Iterator<Item = &'a Proposition>) -> Vec<(PropositionId, String)> {
    statements.take(MOST_LISTED).map(|p| (p.id, p.text.clone())).collect()
}

/// Statements about an entity of this name; where there is none, those that have all the words.
fn about_it(state: &State, about: &str) -> Vec<(PropositionId, String)> {
    let form = text::name_form(about);
    let named: BTreeSet<_> = state
        .present_entities()
        .filter(|entity| !entity.is_user && entity.names().any(|name| text::name_form(name) == form))
        .map(|entity| entity.id)
        .collect();
    let mentions = |p: &&Proposition| p.entities().any(|entity| named.contains(&entity));
    let found = listed(live(state).filter(mentions));
    if !found.is_empty() {
        return found;
    }
    let wanted: BTreeSet<String> = text::content_terms(about).into_iter().collect();
    let has_all = |p: &&Proposition| {
        let there: BTreeSet<String> = text::content_terms(&p.text).into_iter().collect();
        !wanted.is_empty() && wanted.is_subset(&there)
    };
    listed(live(state).filter(has_all))
}

/// Statements that say this, as the user words it: "I" is nobody's name.
fn that_say(state: &State, said: &str) -> Vec<(PropositionId, String)> {
    let form = text::canonical(said);
    let same = listed(live(state).filter(|p| text::canonical(&p.text) == form));
    if !same.is_empty() {
        return same;
    }
    let wanted: BTreeSet<String> = text::content_terms(said).into_iter().collect();
    let says = |p: &&Proposition| {
        let there: BTreeSet<String> = text::content_terms(&p.text).into_iter().collect();
        !wanted.is_empty() && wanted.intersection(&there).count() as f64 >= MEANT * wanted.len() as f64
    };
    listed(live(state).filter(says))
}

/// The words of the answer, in the language of the wish.
pub(crate) fn in_words(outcome: &WishOutcome, asked: &str) -> String {
    let words = Phrases::of(text::language(asked));
    let quoted = |statements: &[(PropositionId, String)]| {
        let lines: Vec<String> =
            statements.iter().map(|(_, said)| format!("“{}”", text::excerpt(said, 160))).collect();
        lines.join(", ")
    };
    match outcome {
        WishOutcome::Nothing => words.nothing.to_owned(),
        WishOutcome::Several(found) => {
            let lines: Vec<String> = found
                .iter()
                .enumerate()
                .map(|(n, (_, said))| format!("{}. {}", n + 1, text::excerpt(said, 160)))
                .collect();
            format!("{}\n\n{}\n\n{}", words.several, lines.join("\n"), words.choose)
        }
        WishOutcome::Forgotten(done) => {
            let mut said = Vec::new();
            if !done.turns.is_empty() {
                said.push(words.off_record.to_owned());
            }
            if !done.removed.is_empty() {
                said.push(format!("{} {}.", words.forgotten, quoted(&done.removed)));
            }
            if !done.kept.is_empty() {
                said.push(format!("{} {}.", words.kept, quoted(&done.kept)));
            }
            if done.commit.is_some() {
                said.push(words.undo.to_owned());
            }
            said.join(" ")
        }
    }
}

struct Phrases {
    nothing: &'static str,
    several: &'static str,
    choose: &'static str,
    off_record: &'static str,
    forgotten: &'static str,
    kept: &'static str,
    undo: &'static str,
}

impl Phrases {
    fn of(language: Language) -> Self {
        match language {
            Language::German => Self {
                nothing: "Dazu weiß ich nichts, es gibt nichts zu vergessen.",
                several: "Das kann mehreres meinen:",
                choose: "Was davon soll ich vergessen? Nenne die Nummern oder sage „alle“.",
                off_record: "Das wird nicht gemerkt.",
                forgotten: "Vergessen:",
                kept: "Das bleibt, weil es auch anderswo herkommt oder angeheftet ist:",
                undo: "In der Zeitleiste (Timeline) lässt sich das rückgängig machen.",
            },
            Language::Spanish => Self {
                nothing: "No sé nada de eso; no hay nada que olvidar.",
                several: "Puede referirse a varias cosas:",
                choose: "¿Cuáles olvido? Di los números o «todos».",
                off_record: "Eso no se recordará.",
                forgotten: "Olvidado:",
                kept: "Esto se queda, porque también viene de otra fuente o está fijado:",
                undo: "Se puede deshacer en la cronología (Timeline).",
            },
            Language::French => Self {
                nothing: "Je n’en sais rien ; il n’y a rien à oublier.",
                several: "Cela peut désigner plusieurs choses :",
                choose: "Que dois-je oublier ? Donne les numéros ou dis « tous ».",
                off_record: "Cela ne sera pas retenu.",
                forgotten: "Oublié :",
                kept: "Ceci reste, parce que cela vient aussi d’ailleurs ou est épinglé :",
                undo: "On peut l’annuler dans la chronologie (Timeline).",
            },
            _ => Self {
                nothing: "I know nothing of that, so there is nothing to forget.",
                several: "That may mean several things:",
                choose: "Which of them shall I forget? Name the numbers, or say “all”.",
                off_record: "This is not remembered.",
                forgotten: "Forgotten:",
                kept: "This stays, because it also comes from elsewhere or is pinned:",
                undo: "It can be undone in the timeline.",
            },
        }
    }
}

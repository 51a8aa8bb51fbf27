//! Forgetting with a way back at the pace of long work: a page goes on drawing, is told how far it is, and can stop it until it is written.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::Poll;

use credence::Memory;
use credence::config::Config;
use credence::conversation::{Speaker, Turn, TurnState};
use credence::entity::Entity;
use credence::erasure::{ErasureProgress, ErasureTarget};
use credence::error::Error;
use credence::history::{Actor, Cause, MemoryJournal, ScopeInfo};
use credence::id::{ConversationId, EntityId, PropositionId, TurnId};
use credence::llm::{Cancel, scripted::ScriptedModel};
use credence::ports::{Clock, Ids, Ports};
use credence::proposition::{Extractor, Mention, MentionRole, Proposition, PropositionQuery};
use credence::scale::Confidence;
use credence::testing::{NoEmbedder, SequentialIds};
use credence::time::{Moment, Timestamp};

use super::support::{context, run};

const STATEMENTS: u32 = 400;

/// Goes on by a millisecond whenever it is read, and does what it was told in the next pause.
#[derive(Clone, Default)]
struct Ticking {
    now: Rc<Cell<i64>>,
    pauses: Rc<Cell<u32>>,
    cancels: Rc<RefCell<Option<Cancel>>>,
}

impl Clock for Ticking {
    fn now(&self) -> Moment {
        self.now.set(self.now.get() + 1);
        Moment { at: Timestamp(1_772_960_400_000 + self.now.get()), offset_minutes: 0 }
    }
    async fn pause(&self) {
        self.pauses.set(self.pauses.get() + 1);
        if let Some(cancel) = self.cancels.take() {
            cancel.cancel();
        }
        // Whoever else waits has a turn, as in a page.
        let mut gave = false;
        std::future::poll_fn(|task| {
            if std::mem::replace(&mut gave, true) {
                return Poll::Ready(());
            }
            task.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }
}

#[derive(Default)]
struct PagePorts {
    journal: MemoryJournal,
    chat: ScriptedModel,
    clock: Ticking,
    ids: SequentialIds,
}

impl PagePorts {
    fn sibling(&self) -> Self {
        let (journal, clock, ids) = (self.journal.clone(), self.clock.clone(), self.ids.clone());
        Self { journal, clock, ids, chat: ScriptedModel::new() }
    }
}

impl Ports for PagePorts {
    type Journal = MemoryJournal;
    type Chat = ScriptedModel;
    type Embed = NoEmbedder;
    type Clock = Ticking;
    type Ids = SequentialIds;
    fn journal(&self) -> &MemoryJournal {
        &self.journal
    }
    fn chat(&self) -> &ScriptedModel {
        &self.chat
    }
    fn embedder(&self) -> &NoEmbedder {
        &NoEmbedder
    }
    fn clock(&self) -> &Ticking {
        &self.clock
    }
    fn ids(&self) -> &SequentialIds {
        &self.ids
    }
}

type Page = Memory<PagePorts>;

/// Many statements about one person, each said in a turn of one conversation.
struct Crowded {
    memory: Page,
    talk: ConversationId,
    person: EntityId,
    statements: Vec<PropositionId>,
    turns: Vec<TurnId>,
}

impl Crowded {
    async fn new() -> Self {
        let memory = Memory::open(PagePorts::default(), context(), Config::default()).await.unwrap();
        let talk = memory.start_conversation("about her").await.unwrap();
        let (mut statements, mut turns) = (Vec::new(), Vec::new());
        let person = EntityId::new(memory.ports().ids().next());
        let at = memory.now();
        memory
            .change(ScopeInfo::new(Cause::Import, Actor::Engine, "filled"), |state, scope| {
                scope.put(state, Entity::new(person, "Wilhelmina", "Person", at.at), "");
                for n in 0..STATEMENTS {
                    let text = format!("Wilhelmina keeps the book with the number {n}.");
                    let turn = turn(TurnId::new(memory.ports().ids().next()), talk, n, &text, at);
                    let id = PropositionId::new(memory.ports().ids().next());
                    let mut p =
                        Proposition::new(id, &text, Confidence::clamped(0.8), Extractor::Rules, at.at)?;
                    let mut mention = Mention::new("Wilhelmina", "Person", MentionRole::Subject);
                    mention.entity = Some(person);
                    p.mentions.push(mention);
                    p.grounding.push(turn.id);
                    statements.push(id);
                    turns.push(turn.id);
                    scope.put(state, turn, "");
                    scope.put(state, p, "");
                }
                Ok(())
            })
            .await
            .unwrap();
        Self { memory, talk, person, statements, turns }
    }

    fn pauses(&self) -> u32 {
        self.memory.ports().clock.pauses.take()
    }

    fn left(&self) -> usize {
        self.memory.propositions(&PropositionQuery::default()).len()
    }

    fn targets(&self) -> [ErasureTarget; 2] {
        [ErasureTarget::Entity { id: self.person }, ErasureTarget::Source { id: self.talk }]
    }
}

fn turn(id: TurnId, conversation: ConversationId, index: u32, text: &str, at: Moment) -> Turn {
    Turn {
        id,
        conversation,
        index,
        speaker: Speaker::User,
        text: text.to_owned(),
        at,
        state: TurnState::Complete,
        use_record: None,
        metered: None,
        model: None,
        passage: None,
        compliance: None,
        alternatives: Vec::new(),
        chosen: 0,
        off_record: false,
    }
}

/// Least pauses of a plan on so many statements: it looks at each twice at the least, at the clock after 16 looks, and pauses after 8 of these.
const LEAST: u32 = 2 * STATEMENTS / (16 * 8);

#[test]
fn forgetting_much_gives_the_page_its_turns_and_says_how_far_it_is() {
    run(async {
        let crowded = Crowded::new().await;
        let memory = &crowded.memory;
        for target in crowded.targets() {
            crowded.pauses();
            let mut told = Vec::new();
            let preview = memory
                .preview_forgetting_with(&target, &Cancel::new(), &mut |it| told.push(it))
                .await
                .unwrap();
            assert!(crowded.pauses() >= LEAST, "{target:?}");
            assert_eq!((preview.removed.len(), crowded.left()), (STATEMENTS as usize, STATEMENTS as usize));
            let done =
                memory.forget_target_with(&target, &Cancel::new(), &mut |it| told.push(it)).await.unwrap();
            assert!(crowded.pauses() >= LEAST, "{target:?}");
            assert_eq!((done.removed.len(), crowded.left()), (STATEMENTS as usize, 0));
            let whole = ErasureProgress { done: told[0].total, ..told[0] };
            assert_eq!(told.iter().filter(|it| it.done == 0).count(), 2, "each plan begins at nothing");
            assert_eq!(told.iter().filter(|it| **it == whole).count(), 2, "and ends at the whole");
            assert!(told.len() > 40 && told.iter().all(|it| it.total == whole.total), "{told:?}");
            let undone = memory.undo(done.commit.unwrap(), None).await.unwrap();
            assert!(undone.conflicts.is_empty());
            assert_eq!(crowded.left(), STATEMENTS as usize);
        }
        crowded.pauses();
        let done = memory.forget_turn_facts(&crowded.turns).await.unwrap();
        assert!(crowded.pauses() >= LEAST);
        assert_eq!((done.removed.len(), crowded.left()), (STATEMENTS as usize, 0));
        memory.undo(done.commit.unwrap(), None).await.unwrap();
        crowded.pauses();
        assert_eq!(memory.forget_all(&crowded.statements).await.unwrap().removed.len(), STATEMENTS as usize);
        assert!(crowded.pauses() >= LEAST / 2, "each statement is looked at once");
        assert_eq!(crowded.left(), 0);
    });
}

#[test]
fn forgetting_that_is_stopped_leaves_nothing_written() {
    run(async {
        let crowded = Crowded::new().await;
        let memory = &crowded.memory;
        let commits = memory.log().commits().len();
        for target in crowded.targets() {
            for stop_at in [0, STATEMENTS as usize / 2, STATEMENTS as usize - 1] {
                for writes in [false, true] {
                    let cancel = Cancel::new();
                    let stopping = &mut |it: ErasureProgress| {
                        if it.done >= stop_at {
                            cancel.cancel();
                        }
                    };
                    let stopped = match writes {
                        true => memory.forget_target_with(&target, &cancel, stopping).await,
                        false => memory.preview_forgetting_with(&target, &cancel, stopping).await,
                    };
                    assert!(matches!(stopped, Err(Error::Cancelled)), "at {stop_at}: {stopped:?}");
                }
            }
            // In a pause, as a person's click comes.
            let cancel = Cancel::new();
            *memory.ports().clock.cancels.borrow_mut() = Some(cancel.clone());
            let stopped = memory.forget_target_with(&target, &cancel, &mut |_| {}).await;
            assert!(matches!(stopped, Err(Error::Cancelled)), "{stopped:?}");
            assert_eq!((memory.log().commits().len(), crowded.left()), (commits, STATEMENTS as usize));
            assert_eq!(memory.refresh().await.unwrap(), 0, "nor by another way");
        }
        // And it can be done afterwards.
        memory.forget_target(&crowded.targets()[0]).await.unwrap();
        assert_eq!(crowded.left(), 0);
    });
}

#[test]
fn what_is_said_while_much_is_forgotten_waits_and_is_kept() {
    run(async {
        let crowded = Crowded::new().await;
        let memory = &crowded.memory;
        let elsewhere = memory.start_conversation("elsewhere").await.unwrap();
        let target = ErasureTarget::Entity { id: crowded.person };
        let (forgotten, said) = futures::join!(
            memory.forget_target(&target),
            memory.say(elsewhere, Speaker::User, "I like green tea.")
        );
        let (forgotten, said) = (forgotten.unwrap(), said.unwrap());
        assert_eq!(crowded.left(), 0);
        assert!(memory.state().turn(said.id).is_some());
        let log = memory.log();
        let causes: Vec<Cause> = log.commits().iter().rev().take(2).map(|commit| commit.cause).collect();
        assert_eq!(causes, [Cause::Conversation, Cause::Forget], "the plan's commit comes first");
        assert_eq!(Some(log.commits()[log.commits().len() - 2].id), forgotten.commit);
    });
}

#[test]
fn what_another_tab_changes_in_a_pause_is_planned_anew() {
    run(async {
        let crowded = Crowded::new().await;
        let memory = &crowded.memory;
        let other = Memory::open(memory.ports().sibling(), context(), Config::default()).await.unwrap();
        let pinned = *crowded.statements.last().unwrap();
        let target = ErasureTarget::Source { id: crowded.talk };
        crowded.pauses();
        let (forgotten, pin) = futures::join!(memory.forget_target(&target), other.pin(pinned, true));
        pin.unwrap();
        let forgotten = forgotten.unwrap();
        assert!(crowded.pauses() >= 2 * LEAST, "it was planned twice");
        assert_eq!(forgotten.kept.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [pinned]);
        assert_eq!(crowded.left(), 1);
    });
}

#[test]
fn what_is_meant_itself_goes_also_where_it_rests_on_what_goes_with_it() {
    run(async {
        let crowded = Crowded::new().await;
        let memory = &crowded.memory;
        let (below, above, beside) = (crowded.statements[0], crowded.statements[1], crowded.statements[2]);
        memory
            .change(ScopeInfo::new(Cause::Manual, Actor::Person, "they rest on it"), |state, scope| {
                for id in [above, beside] {
                    let mut p = state.proposition(id).cloned().ok_or(Error::Busy)?;
                    (p.source_ids, p.level) = (vec![below], 1);
                    scope.put(state, p, "");
                }
                Ok(())
            })
            .await
            .unwrap();
        let done = memory.forget_all(&[below, above]).await.unwrap();
        assert_eq!(done.removed.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [below, above]);
        assert!(memory.state().proposition(above).is_none(), "it was asked for, so it is not only retired");
        let retired = memory.state().proposition(beside).cloned().unwrap();
        assert!(!retired.status.is_live(), "what rests on it is retired all the same");
    });
}

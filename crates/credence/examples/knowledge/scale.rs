//! What a large memory costs: 10,000 statements about 3,000 entities and a working set of 200, each call timed once on one thread.
//!
//! The statements are a random mix in many commits, the way talk makes them; a tenth is retired, some entities are merged. Every
//! figure is milliseconds of one call as a host makes it, the first on this memory where it is said so. `*_slice_ms` is the
//! longest stretch between two pauses of such a call: what a page's frame would wait for.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

use credence::config::Config;
use credence::conversation::{Speaker, Turn, TurnState};
use credence::embedding::StaticModel;
use credence::entity::Entity;
use credence::erasure::ErasureTarget;
use credence::extraction::Trigger;
use credence::history::{Actor, Cause, MemoryJournal, ScopeInfo};
use credence::id::{ContextId, ConversationId, EntityId, PropositionId, TurnId};
use credence::llm::{Cancel, scripted::ScriptedModel};
use credence::maintenance::MaintenanceOptions;
use credence::ports::{Clock, Ids, Ports};
use credence::proposition::{Extractor, Mention, MentionRole, Order, Proposition, PropositionQuery, Status};
use credence::retrieval::Similarity;
use credence::scale::Confidence;
use credence::testing::SequentialIds;
use credence::time::{Moment, Timestamp};
use credence::upkeep::SweepKind;
use credence::{Error, Memory};
use serde_json::{Map, Value};

use crate::clusters::sentence_about;
use crate::{USER, model};

const STATEMENTS: u32 = 10_000;
const ENTITIES: u32 = 3_000;
/// Statements of a commit.
const A_COMMIT: u32 = 4;
/// Conversations that the turns stand in.
const TALKS: usize = 40;

/// The device's clock, moved back to where the memory was made; it knows how long the longest stretch without a pause was.
#[derive(Clone)]
struct SliceClock {
    start: Instant,
    resumed: Rc<Cell<Instant>>,
    longest_us: Rc<Cell<u128>>,
}

impl SliceClock {
    fn new() -> Self {
        let now = Instant::now();
        Self { start: now, resumed: Rc::new(Cell::new(now)), longest_us: Rc::default() }
    }
    fn begin(&self) {
        self.longest_us.set(0);
        self.resumed.set(Instant::now());
    }
    fn rest(&self) {
        self.longest_us.set(self.longest_us.get().max(self.resumed.get().elapsed().as_micros()));
        self.resumed.set(Instant::now());
    }
}

const MADE: Timestamp = Timestamp(1_772_960_400_000);

impl Clock for SliceClock {
    fn now(&self) -> Moment {
        let passed = i64::try_from(self.start.elapsed().as_millis()).unwrap_or(i64::MAX);
        Moment { at: MADE.plus_ms(passed), offset_minutes: 0 }
    }
    async fn pause(&self) {
        self.rest();
    }
}

struct ScalePorts {
    journal: MemoryJournal,
    chat: ScriptedModel,
    embedder: StaticModel,
    clock: SliceClock,
    ids: SequentialIds,
}

impl Ports for ScalePorts {
    type Journal = MemoryJournal;
    type Chat = ScriptedModel;
    type Embed = StaticModel;
    type Clock = SliceClock;
    type Ids = SequentialIds;
    fn journal(&self) -> &MemoryJournal {
        &self.journal
    }
    fn chat(&self) -> &ScriptedModel {
        &self.chat
    }
    fn embedder(&self) -> &StaticModel {
        &self.embedder
    }
    fn clock(&self) -> &SliceClock {
        &self.clock
    }
    fn ids(&self) -> &SequentialIds {
        &self.ids
    }
}

type Large = Memory<ScalePorts>;

fn ms(micros: u128) -> f64 {
    (micros as f64 / 100.0).round() / 10.0
}

/// Figures by name, in the order in which they were taken.
struct Figures(Map<String, Value>);

impl Figures {
    fn time<T>(&mut self, name: &str, call: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = call();
        self.0.insert(format!("{name}_ms"), ms(start.elapsed().as_micros()).into());
        result
    }
    async fn wait<T>(
        &mut self,
        name: &str,
        clock: &SliceClock,
        call: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        clock.begin();
        let start = Instant::now();
        let result = call.await;
        let took = start.elapsed().as_micros();
        clock.rest();
        self.0.insert(format!("{name}_ms"), ms(took).into());
        self.0.insert(format!("{name}_slice_ms"), ms(clock.longest_us.get()).into());
        result
    }
}

/// What handles of one store share.
struct Store<'a> {
    journal: MemoryJournal,
    ids: SequentialIds,
    clock: SliceClock,
    embedding: &'a StaticModel,
}

impl<'a> Store<'a> {
    fn new(embedding: &'a StaticModel) -> Self {
        Self {
            journal: MemoryJournal::new(),
            ids: SequentialIds::default(),
            clock: SliceClock::new(),
            embedding,
        }
    }
    async fn open(&self, connected: bool) -> Result<Large, Error> {
        let chat = model::scripted();
        chat.set_offline(!connected);
        let ports = ScalePorts {
            journal: self.journal.clone(),
            chat,
            embedder: self.embedding.clone(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        };
        let config = Config { user_name: Some(USER.into()), ..Config::default() };
        Memory::open(ports, ContextId::new("scale")?, config).await
    }
}

/// What a working set of 200 costs in that memory.
pub(crate) async fn unit_figures(embedding: &StaticModel) -> Result<Value, Error> {
    let mut figures = Figures(Map::new());
    let memory = Store::new(embedding).open(false).await?;
    fill(&memory).await?;
    let talk = memory.start_conversation("").await?;
    working_set(&memory, talk, &mut figures).await?;
    Ok(Value::Object(figures.0))
}

pub(crate) async fn figures(embedding: &StaticModel) -> Result<Value, Error> {
    let store = Store::new(embedding);
    let (clock, open) = (store.clock.clone(), async |connected: bool| store.open(connected).await);
    let mut figures = Figures(Map::new());
    fill(&open(false).await?).await?;
    let memory = figures.wait("open", &clock, open(false)).await?;
    figures.0.insert("statements".into(), memory.state().propositions().count().into());
    figures.0.insert("entities".into(), memory.state().entities().count().into());
    figures.0.insert("commits".into(), memory.state().seq().into());
    figures
        .wait(
            "first_search",
            &clock,
            memory.similar("Who plays the cello?", Similarity::default(), &PropositionQuery::live()),
        )
        .await?;

    let talk = memory.start_conversation("").await?;
    for (name, said) in [
        ("rules_first", ["I moved to Oslo with Linnea Vogel.", "My sister Oda Berg plays the cello."]),
        ("rules", ["Ivo Lind works at the academy now.", "I don't like black coffee any more."]),
    ] {
        window(&memory, talk, said, name, &mut figures).await?;
    }
    figures.time("entities_call", || memory.entities());
    let busiest = memory.entities().into_iter().filter(|e| !e.is_user).max_by_key(|e| e.propositions);
    let user = memory.state().user().map(|user| user.id);
    for (name, id) in [("entity_page", busiest.map(|e| e.id)), ("entity_page_user", user)] {
        let Some(id) = id else { continue };
        figures.time(name, || memory.entity_page(id))?;
    }
    let pairs = figures.time("possible_duplicates", || memory.possible_duplicates());
    figures.0.insert("duplicate_pairs".into(), pairs.len().into());
    figures.time("inbox", || memory.inbox());
    figures.time("mention_totals", || memory.mention_totals());
    figures.time("pending_all", || memory.pending_all());
    figures.time("propositions_of_entity", || {
        memory.propositions(&PropositionQuery { entity: user, ..PropositionQuery::live() })
    });
    figures.time("propositions_page", || {
        memory.propositions(&PropositionQuery::live().ordered(Order::RevisedDesc).limited(50))
    });
    figures.time("propositions_text", || {
        memory.propositions(&PropositionQuery { text: "cello garage".into(), ..PropositionQuery::live() })
    });
    let first = memory.state().propositions().next().map(|p| p.id);
    if let Some(first) = first {
        figures.time("proposition", || memory.proposition(first))?;
    }

    let connected = open(true).await?;
    figures.time("estimate_40_windows", || estimate(&connected))?;
    connected.similar("Who?", Similarity::default(), &PropositionQuery::live()).await?;
    window(
        &connected,
        talk,
        ["Jonas Ek moved to Kleve for the choir.", "I love green tea and old maps."],
        "model",
        &mut figures,
    )
    .await?;

    figures
        .wait("clusters", &clock, connected.clusters(Similarity::default(), &PropositionQuery::live()))
        .await?;
    figures.wait("reembed_all", &clock, connected.reembed_all()).await?;
    memory.refresh().await?;
    let dry = MaintenanceOptions { dry_run: true, ..MaintenanceOptions::default() };
    let cancel = Cancel::new();
    figures.wait("maintain_dry", &clock, memory.maintain(&dry, &cancel, &mut |_| {})).await?;
    let live = MaintenanceOptions::default();
    figures.wait("maintain_first", &clock, memory.maintain(&live, &cancel, &mut |_| {})).await?;
    figures.wait("maintain_second", &clock, memory.maintain(&live, &cancel, &mut |_| {})).await?;
    Ok(Value::Object(figures.0))
}

/// What it costs in that memory to look what forgetting would take along, and to forget for ever.
pub(crate) async fn forgetting_figures(embedding: &StaticModel) -> Result<Value, Error> {
    let mut figures = Figures(Map::new());
    let memory = Store::new(embedding).open(false).await?;
    fill(&memory).await?;
    let clock = memory.ports().clock().clone();
    let busiest = memory.entities().into_iter().filter(|e| !e.is_user).max_by_key(|e| e.propositions);
    let (first, talk) = {
        let state = memory.state();
        (state.propositions().next().map(|p| p.id), state.conversations().next().map(|talk| talk.id))
    };
    let targets = [
        ("statement", first.map(|id| ErasureTarget::Proposition { id })),
        ("entity", busiest.map(|entity| ErasureTarget::Entity { id: entity.id })),
        ("source", talk.map(|id| ErasureTarget::Source { id })),
    ];
    for (name, target) in targets {
        let Some(target) = target else { continue };
        forget_and_take_back(&memory, name, &target, &mut figures).await?;
        figures.wait(&format!("preview_erasure_{name}"), &clock, memory.preview_erasure(&target)).await?;
        figures.wait(&format!("erase_{name}"), &clock, memory.erase(&target)).await?;
    }
    let all = ErasureTarget::Span { from: MADE, to: MADE.plus_ms(1) };
    forget_and_take_back(&memory, "everything", &all, &mut figures).await?;
    Ok(Value::Object(figures.0))
}

/// The look at what forgetting with a way back takes along, and doing it.
async fn forget_and_take_back(
    memory: &Large,
    name: &str,
    target: &ErasureTarget,
    figures: &mut Figures,
) -> Result<(), Error> {
    let clock = memory.ports().clock().clone();
    figures.wait(&format!("preview_forgetting_{name}"), &clock, memory.preview_forgetting(target)).await?;
    let forgotten = memory.forget_target(target);
    let forgotten = figures.wait(&format!("forget_{name}"), &clock, forgotten).await?;
    if let Some(commit) = forgotten.commit {
        memory.undo(commit, None).await?;
    }
    Ok(())
}

/// A working set of 200, ten times the default: filling it, offering more to it, reading it, looking after it.
async fn working_set(memory: &Large, talk: ConversationId, figures: &mut Figures) -> Result<(), Error> {
    const UNITS: usize = 200;
    let mut config = memory.config();
    config.unit.budget = UNITS as u32;
    config.trust.profile = "NARRATIVE".into();
    memory.set_config(config)?;
    let clock = memory.ports().clock().clone();
    let mut live = memory.propositions(&PropositionQuery::live()).into_iter().map(|view| view.proposition.id);
    // By hand, since the gates would refuse most of them: many say the same of somebody, or the opposite.
    let offered: Vec<PropositionId> = live.by_ref().take(100).collect();
    figures.wait("promote_100_into_empty", &clock, memory.promote(&offered)).await?;
    let start = Instant::now();
    let free = UNITS.saturating_sub(memory.working_set().len());
    for id in live.by_ref().take(free) {
        memory.add_to_working_set(id).await?;
    }
    figures
        .0
        .insert("add_by_hand_each_ms".into(), ms(start.elapsed().as_micros() / free.max(1) as u128).into());
    let rest: Vec<PropositionId> = live.by_ref().take(100).collect();
    figures.wait("promote_100_into_full", &clock, memory.promote(&rest)).await?;
    figures.0.insert("units".into(), memory.working_set().len().into());
    let more: Vec<PropositionId> = live.by_ref().take(5).collect();
    figures.wait("promote_5_into_full", &clock, memory.promote(&more)).await?;
    figures.time("working_set", || memory.working_set());
    figures.wait("preview", &clock, memory.preview(talk, "Who plays the cello?")).await?;
    figures.wait("assemble", &clock, memory.assemble(talk, "Who plays the cello?")).await?;
    let cancel = Cancel::new();
    figures.wait("sweep_dry", &clock, memory.sweep(SweepKind::Full, true, &cancel)).await?;
    Ok(())
}

async fn window(
    memory: &Large,
    talk: ConversationId,
    said: [&str; 2],
    name: &str,
    figures: &mut Figures,
) -> Result<(), Error> {
    memory.refresh().await?;
    for text in said {
        memory.say(talk, Speaker::User, text).await?;
    }
    let clock = memory.ports().clock().clone();
    let cancel = Cancel::new();
    let mut ignore = |_| {};
    let name = format!("window_{name}");
    let run = memory.analyse(talk, Trigger::Now, &cancel, &mut ignore);
    let reports = figures.wait(&name, &clock, run).await?;
    let statements: usize = reports.iter().map(|report| report.outcomes.len()).sum();
    figures.0.insert(format!("{name}_statements"), statements.into());
    Ok(())
}

fn estimate(memory: &Large) -> Result<(), Error> {
    let text: String = (0..600).map(|n| format!("User: {}\n", sentence_about(n, "Mara"))).collect();
    let name = credence::ingest::DocumentOptions::default();
    memory.estimate_document("long.txt", &text, &name)?;
    Ok(())
}

fn name(n: u32) -> String {
    const GIVEN: [&str; 60] = [
        "Ada", "Anna", "Ben", "Bo", "Carla", "Chidi", "Dora", "Edda", "Emil", "Esra", "Fatma", "Finn",
        "Greta", "Hana", "Hugo", "Ida", "Ilse", "Ivo", "Jana", "Jonas", "Kai", "Karin", "Kiko", "Lea",
        "Linnea", "Lotte", "Malik", "Maren", "Mei", "Mila", "Nadia", "Nils", "Noor", "Oda", "Olaf", "Oskar",
        "Paula", "Pia", "Quinn", "Rahel", "Rosa", "Rune", "Samir", "Selma", "Signe", "Tara", "Theo", "Tomas",
        "Ulla", "Uma", "Vera", "Viktor", "Wanda", "Willem", "Xenia", "Yara", "Yusuf", "Zara", "Zeno", "Zoe",
    ];
    const FAMILY: [&str; 50] = [
        "Abe", "Adler", "Bauer", "Berg", "Brandt", "Castro", "Chen", "Dahl", "Diaz", "Ek", "Engel", "Falk",
        "Fischer", "Garcia", "Graf", "Haas", "Holm", "Ibsen", "Ito", "Jansen", "Keller", "Khan", "Kovac",
        "Lang", "Lind", "Moreau", "Mwangi", "Nagy", "Nilsen", "Novak", "Okafor", "Olsen", "Park", "Pohl",
        "Quist", "Rossi", "Roth", "Sato", "Silva", "Stein", "Tanaka", "Thorn", "Ueda", "Vogel", "Wang",
        "Weber", "Yilmaz", "Young", "Zeller", "Zuma",
    ];
    let (given, family) = (n % 60, n / 60 % 50);
    format!("{} {}", GIVEN[given as usize], FAMILY[family as usize])
}

async fn fill(memory: &Large) -> Result<(), Error> {
    let mut talks = Vec::new();
    for n in 0..TALKS {
        talks.push(memory.start_conversation(&format!("Talk {n}")).await?);
    }
    let next = || memory.ports().ids().next();
    let user = EntityId::new(next());
    let entities: Vec<EntityId> = (0..ENTITIES).map(|_| EntityId::new(next())).collect();
    let info = || ScopeInfo::new(Cause::Import, Actor::Engine, "filled");
    memory
        .change(info(), |state, scope| {
            let mut me = Entity::new(user, USER, "Person", MADE);
            me.is_user = true;
            scope.put(state, me, "");
            for (n, id) in entities.iter().enumerate() {
                let n = n as u32;
                let (name, label) = match n % 10 {
                    8 => (format!("{} Company {n}", name(n * 7)), "Organization"),
                    9 => (format!("{} Town", name(n * 11)), "Place"),
                    _ => (name(n), "Person"),
                };
                let mut entity = Entity::new(*id, &name, label, MADE);
                if n % 50 == 7 {
                    entity.merged_into = Some(entities[(n - 7) as usize]);
                }
                scope.put(state, entity, "");
            }
            Ok(())
        })
        .await?;
    for start in (0..STATEMENTS).step_by(A_COMMIT as usize) {
        let talk = talks[(start / A_COMMIT) as usize % TALKS];
        memory
            .change(info(), |state, scope| {
                let index = state.next_turn_index(talk);
                for n in start..start + A_COMMIT {
                    // Numbers that look random and are the same everywhere.
                    let random = n.wrapping_mul(2_654_435_761) >> 8;
                    let (entity, who) = match n % 3 {
                        0 => (user, USER.to_owned()),
                        _ => {
                            let entity = entities[(random % ENTITIES) as usize];
                            (entity, state.entity(entity).map(|e| e.name.clone()).unwrap_or_default())
                        }
                    };
                    let text = sentence_about(n, &who);
                    let turn = Turn {
                        id: TurnId::new(next()),
                        conversation: talk,
                        index: index + n - start,
                        speaker: Speaker::User,
                        text: text.clone(),
                        at: Moment { at: MADE, offset_minutes: 0 },
                        state: TurnState::Complete,
                        use_record: None,
                        metered: None,
                        model: None,
                        passage: None,
                        compliance: None,
                        alternatives: Vec::new(),
                        chosen: 0,
                        off_record: false,
                    };
                    let id = PropositionId::new(next());
                    let mut p =
                        Proposition::new(id, &text, Confidence::clamped(0.8), Extractor::Rules, MADE)?;
                    let mut mention = Mention::new(who, "Person", MentionRole::Subject);
                    mention.entity = Some(entity);
                    p.mentions.push(mention);
                    p.grounding.push(turn.id);
                    if n % 10 == 3 {
                        p.status = if n % 20 == 3 { Status::Stale } else { Status::Superseded };
                    }
                    scope.put(state, turn, "");
                    scope.put(state, p, "");
                }
                Ok(())
            })
            .await?;
    }
    // What was said is read: nothing of it waits.
    let until: BTreeMap<ConversationId, u32> =
        talks.iter().map(|talk| (*talk, memory.state().next_turn_index(*talk))).collect();
    memory
        .change(info(), |state, scope| {
            for (talk, until) in &until {
                scope.put(state, credence::conversation::Bookmark::new(*talk).done(0, *until), "");
            }
            Ok(())
        })
        .await?;
    Ok(())
}

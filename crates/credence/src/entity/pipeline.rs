//! The entity-only pipeline: which people, places and things a conversation or a text names, without a statement about any of them
//! (dice 3.6).
//!
//! chunks → find (model or rules) → clean (names that the text contains, no secrets, no vague ones) → filter → resolve → one commit a
//! window: entities, and a report that says which chunk mentions which. A window that fails is a report with its reason, waits, and does
//! not touch the others. What a conversation's reports cover is the bookmark: a run reads what none covers, so that running
//! again changes nothing. What was erased by name is not found again in what was said before it was. Rules: known entities are found by name in every chunk, with and without a model; what a model says of a known
//! entity fills gaps and replaces nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::EntityRun;
use super::meet::Meeting;
use super::report::{EntityReport, EntitySource, FailedChunk, Sighting, SkippedEntity};
use super::suggest::{
    Chunk, Suggestion, Suggestions, by_rules, clean, contains_name, entities_schema, parse_entities,
};
use crate::config::Config;
use crate::conversation::Speaker;
use crate::erasure::{Tombstones, erased_since};
use crate::error::Error;
use crate::event::Event;
use crate::extraction::{Cost, Progress, Trigger, WindowTurn, user_name};
use crate::history::{Actor, Cause, ContentId, Scope, ScopeInfo, State};
use crate::id::{ConversationId, EntityId, RevisionId};
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, Role};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{EntitiesContext, EntityContext, TurnContext, TypeContext, WindowContext};
use crate::proposition::Extractor;
use crate::resolution::{Prepared, Resolver, UNNAMED_USER, is_vague, name_key};
use crate::text;

/// Failures in a row after which a run stops asking: the endpoint is down, and the rest waits. Chosen by us.
const FAILURES_IN_A_ROW: usize = 3;
/// Known entities that a prompt shows at most.
const MOST_KNOWN: usize = 60;

/// A piece of text outside any conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityChunk {
    /// The caller's own name of it; unique within its source, and stable.
    pub id: String,
    /// The text. Credentials are redacted before it is read.
    pub text: String,
}

/// Chunks that are read together and land together.
struct Window {
    /// The last revision of the memory that it was read from.
    seen: RevisionId,
    source: EntitySource,
    from: u32,
    to: u32,
    chunks: Vec<Chunk>,
}

impl Window {
    fn content(&self) -> ContentId {
        let texts: Vec<&str> = self.chunks.iter().map(|chunk| chunk.turn.text.as_str()).collect();
        ContentId::of_text(&texts.join("\n"))
    }
    fn info(&self) -> ScopeInfo {
        let (info, id) = match &self.source {
            EntitySource::Conversation { id } => {
                let reason = format!("found people and things in turns {} to {}", self.from, self.to - 1);
                (ScopeInfo::new(Cause::Extraction, Actor::Engine, reason), ("conversation", id.to_string()))
            }
            EntitySource::Text { id } => {
                let reason = format!("found people and things in `{id}`");
                (ScopeInfo::new(Cause::Extraction, Actor::Engine, reason), ("source", id.clone()))
            }
        };
        info.with_id(id.0, id.1)
    }
}

/// Turns of a conversation that no report covers, in order.
fn waiting(state: &State, conversation: ConversationId) -> Vec<u32> {
    let source = EntitySource::Conversation { id: conversation };
    let read: Vec<(u32, u32)> = state
        .entity_reports()
        .filter(|report| report.source == source && report.failed.is_empty())
        .map(|report| (report.from, report.to))
        .collect();
    let turns = state.turns(conversation).filter(|turn| !turn.off_record).map(|turn| turn.index);
    turns.filter(|index| !read.iter().any(|(from, to)| (from..to).contains(&index))).collect()
}

impl<P: Ports> Memory<P> {
    /// How many turns of a conversation no entity-only run has read yet.
    pub fn entities_pending(&self, conversation: ConversationId) -> u32 {
        u32::try_from(waiting(&self.state(), conversation).len()).unwrap_or(u32::MAX)
    }

    /// Finds the people, places and things that a conversation names, window by window, each one commit. No statements are made.
    /// Turns that a run has read are not read again; a window that fails waits with its reason and the others go on. In a conversation that is not
    /// remembered nothing is looked for.
    ///
    /// # Errors
    /// [`Error::Busy`] while it is being read already; [`Error::Cancelled`] between windows: what had landed stays.
    pub async fn analyse_entities(
        &self,
        conversation: ConversationId,
        trigger: Trigger,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<EntityRun, Error> {
        if self.state().conversation(conversation).is_none() {
            return Err(Error::NotFound { record: conversation.to_string() });
        }
        if !self.conversation_mode(conversation).learns() {
            return Ok(EntityRun::default());
        }
        let pending = waiting(&self.state(), conversation);
        let due = if trigger == Trigger::Now { 1 } else { self.config().trigger_interval };
        if u32::try_from(pending.len()).unwrap_or(u32::MAX) < due {
            return Ok(EntityRun::default());
        }
        let size = self.config().window_size.max(1) as usize;
        let mut windows = Vec::new();
        // A window is unbroken: turns that were read lie in none.
        for stretch in pending.chunk_by(|a, b| a + 1 == *b) {
            for indices in stretch.chunks(size) {
                windows.extend(self.entity_window(conversation, indices));
            }
        }
        self.run_entity_windows(EntitySource::Conversation { id: conversation }, windows, cancel, on_progress)
            .await
    }

    /// Finds the people, places and things that pieces of text name, piece by piece, each one commit. `source` names the text; a
    /// piece that was read with the same words before is not read again, one whose words changed replaces what was found.
    ///
    /// # Errors
    /// Those of [`Memory::analyse_entities`], blank names, and two pieces of one name.
    pub async fn find_entities_in(
        &self,
        source: &str,
        chunks: &[EntityChunk],
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<EntityRun, Error> {
        let invalid = |problem: &str| Err(Error::Invalid { what: "chunks", problem: problem.to_owned() });
        let ids: BTreeSet<&str> = chunks.iter().map(|chunk| chunk.id.trim()).collect();
        if source.trim().is_empty() || ids.contains("") {
            return invalid("the source and each piece need a name");
        }
        if ids.len() < chunks.len() {
            return invalid("two pieces have the same name; give each its own");
        }
        let source = EntitySource::Text { id: source.trim().to_owned() };
        let date = self.now().date_text();
        let seen = self.state().last_revision();
        let window = |(n, chunk): (usize, &EntityChunk)| {
            let turn = WindowTurn {
                speaker: String::new(),
                is_user: false,
                is_assistant: false,
                text: text::redact(&chunk.text).text,
                date: date.clone(),
                context_only: false,
            };
            let from = u32::try_from(n).unwrap_or(u32::MAX);
            let chunks = vec![Chunk { id: chunk.id.trim().to_owned(), turn, said: None }];
            Window { seen, source: source.clone(), from, to: from.saturating_add(1), chunks }
        };
        let windows: Vec<Window> = chunks
            .iter()
            .enumerate()
            .map(window)
            .filter(|window| !is_read(&self.state(), window) && !window.chunks[0].turn.text.trim().is_empty())
            .collect();
        self.run_entity_windows(source.clone(), windows, cancel, on_progress).await
    }

    fn entity_window(&self, conversation: ConversationId, indices: &[u32]) -> Option<Window> {
        let (from, to) = (*indices.first()?, indices.last()? + 1);
        let state = self.state();
        let user = user_name(&state, &self.config());
        let undated = state.conversation(conversation)?.undated();
        let turns = state.turns(conversation).filter(|turn| (from..to).contains(&turn.index));
        let chunks = turns.filter(|turn| turn.is_minable()).map(|turn| Chunk {
            id: turn.id.to_string(),
            turn: WindowTurn {
                speaker: turn.speaker.label(Some(&user)).to_owned(),
                is_user: turn.speaker == Speaker::User,
                is_assistant: turn.speaker == Speaker::Assistant,
                text: turn.text.clone(),
                date: turn.at.date_text(),
                context_only: false,
            },
            said: undated.is_none_or(|taken_in| turn.at.at > taken_in).then_some(turn.at.at),
        });
        let source = EntitySource::Conversation { id: conversation };
        Some(Window { seen: state.last_revision(), source, from, to, chunks: chunks.collect() })
    }

    async fn run_entity_windows(
        &self,
        source: EntitySource,
        windows: Vec<Window>,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<EntityRun, Error> {
        if !self.finding().borrow_mut().insert(source.clone()) {
            return Err(Error::Busy);
        }
        let outcome = self.read_entity_windows(windows, cancel, on_progress).await;
        self.finding().borrow_mut().remove(&source);
        outcome
    }

    async fn read_entity_windows(
        &self,
        windows: Vec<Window>,
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<EntityRun, Error> {
        let count = |window: &Window| window.to - window.from;
        let total = windows.iter().map(count).sum();
        let (mut run, mut failures, mut done) = (EntityRun::default(), 0, 0);
        for window in &windows {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if failures == FAILURES_IN_A_ROW {
                run.stopped =
                    Some(format!("{failures} failures in a row: {} turns or pieces wait", total - done));
                break;
            }
            if let Some(report) = self.read_entity_window(window, cancel).await? {
                failures = if report.failed.is_empty() { 0 } else { failures + 1 };
                self.emit(&Event::EntitiesFound { report: report.clone() });
                run.reports.push(report);
            }
            done += count(window);
            on_progress(Progress { done, total });
        }
        Ok(run)
    }

    /// `Ok(None)`: another writer has read it meanwhile.
    async fn read_entity_window(
        &self,
        window: &Window,
        cancel: &Cancel,
    ) -> Result<Option<Rc<EntityReport>>, Error> {
        let mut cost = Cost::default();
        let found = self.suggest_entities(window, &mut cost, cancel).await;
        let (found, extractor, failed) = match found {
            Ok((found, extractor)) => (clean(found, &window.chunks), extractor, Vec::new()),
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(error @ (Error::Model(_) | Error::Unreadable { .. })) => {
                let failed = |chunk: &Chunk| FailedChunk {
                    chunk: chunk.id.clone(),
                    code: error.code().to_owned(),
                    reason: error.to_string(),
                };
                let failed = window.chunks.iter().map(failed).collect();
                (Suggestions::default(), Extractor::Model { model: String::new() }, failed)
            }
            Err(other) => return Err(other),
        };
        let prepared = self.prepare_entities(window, &found, &mut cost).await;
        let id = EntityReport::id_of(&window.source, window.from);
        let (report, _) = self
            .change(window.info().with_id("report", id), |state, scope| {
                // What was read before an erasure may name what is gone; the next run reads it as it is now.
                let is_stored = matches!(window.source, EntitySource::Conversation { .. });
                if is_read(state, window) || (is_stored && erased_since(state, window.seen)) {
                    return Ok(None);
                }
                let mut report = self.plan_entity_window(state, scope, window, &found, &prepared);
                report.extractor = extractor.clone();
                report.failed.clone_from(&failed);
                (report.calls, report.prompt_tokens) = (cost.calls, cost.prompt_tokens);
                report.completion_tokens = cost.completion_tokens;
                report.notes.splice(0..0, cost.notes.iter().cloned());
                scope.put(state, report.clone(), "");
                Ok(Some(Rc::new(report)))
            })
            .await?;
        Ok(report)
    }

    async fn suggest_entities(
        &self,
        window: &Window,
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<(Suggestions, Extractor), Error> {
        let readable = window.chunks.iter().any(|chunk| !chunk.turn.is_assistant);
        if !readable || !self.chat().is_connected(Role::Extract) {
            return Ok((by_rules(&window.chunks), Extractor::Rules));
        }
        let request = self.entities_request(window)?;
        let read = |value: Value| parse_entities(&value);
        let (suggestions, model) = self.ask_json(Role::Extract, &request, read, cost, cancel).await?;
        Ok((suggestions, Extractor::Model { model }))
    }

    fn entities_request(&self, window: &Window) -> Result<ChatRequest, Error> {
        let config = self.config();
        let schema = config.schema();
        let everything: Vec<&str> = window.chunks.iter().map(|chunk| chunk.turn.text.as_str()).collect();
        let everything = everything.join("\n");
        let state = self.state();
        let known =
            state.present_entities().filter(|e| e.names().any(|name| contains_name(&everything, name)));
        let context = EntitiesContext {
            types: schema
                .dictionary
                .types
                .iter()
                .map(|t| TypeContext {
                    name: t.name.clone(),
                    description: t.description.clone(),
                    parents: t.parents.clone(),
                    properties: t.properties.iter().map(|p| p.name.clone()).filter(|p| p != "name").collect(),
                })
                .collect(),
            is_locked: schema.adherence.entities,
            entities: known
                .take(MOST_KNOWN)
                .enumerate()
                .map(|(n, e)| EntityContext {
                    number: n + 1,
                    name: e.name.clone(),
                    labels: e.labels.clone(),
                    role: String::new(),
                    is_user: e.is_user,
                })
                .collect(),
        };
        let turns = window.chunks.iter().enumerate().map(|(n, chunk)| TurnContext {
            number: n + 1,
            speaker: chunk.turn.speaker.clone(),
            role: "",
            date: chunk.turn.date.clone(),
            text: chunk.turn.text.clone(),
            context_only: chunk.turn.is_assistant,
        });
        let prompts = self.prompts();
        Ok(ChatRequest {
            messages: vec![
                Message::system(prompts.entities(&context)?),
                Message::user(
                    prompts.chunks(&WindowContext { turns: turns.collect(), vars: &BTreeMap::new() })?,
                ),
            ],
            temperature: Some(0.0),
            // About sixty tokens an entity, a few entities a chunk, and an end for a model that loses itself.
            max_tokens: Some(u32::try_from(1024 + 256 * window.chunks.len()).unwrap_or(u32::MAX).min(6144)),
            schema: Some(entities_schema()),
            ..ChatRequest::default()
        })
    }

    /// Vectors of names that nothing known is like, looked up by a run that plans nothing.
    async fn prepare_entities(&self, window: &Window, found: &Suggestions, cost: &mut Cost) -> Prepared {
        let mut prepared = Prepared::default();
        let open = {
            let (config, state, now) = (self.config(), self.state(), self.now().at);
            let mut next_id = || EntityId::new(self.next_id());
            let resolver =
                Resolver::on(self.directory(&state), &state, &config, &prepared, now, &mut next_id);
            let mut meeting =
                Meeting { state: &state, schema: config.schema(), resolver, met: Vec::new(), now };
            meet_all(&mut meeting, &config, window, found);
            meeting.resolver.into_open()
        };
        prepared.keep_ids(&open);
        self.look_up_near(&open, &mut prepared, cost).await;
        prepared
    }

    fn plan_entity_window(
        &self,
        state: &State,
        scope: &Scope,
        window: &Window,
        found: &Suggestions,
        prepared: &Prepared,
    ) -> EntityReport {
        let (config, now) = (self.config(), self.now().at);
        let mut next_id = || EntityId::new(self.next_id());
        let resolver = Resolver::on(self.directory(state), state, &config, prepared, now, &mut next_id);
        let mut meeting = Meeting { state, schema: config.schema(), resolver, met: Vec::new(), now };
        let (skipped, sightings) = meet_all(&mut meeting, &config, window, found);
        let chunk = |n: usize| window.chunks[n].id.clone();
        EntityReport {
            id: EntityReport::id_of(&window.source, window.from),
            source: window.source.clone(),
            from: window.from,
            to: window.to,
            content: Some(window.content()),
            at: now,
            extractor: Extractor::Rules,
            found: meeting.land(scope, false),
            skipped,
            failed: Vec::new(),
            sightings: sightings
                .into_iter()
                .map(|(n, entity)| Sighting { chunk: chunk(n), entity })
                .collect(),
            calls: 0,
            prompt_tokens: 0,
            completion_tokens: 0,
            notes: Vec::new(),
        }
    }
}

/// Every suggestion meets the memory, then the speakers, then the known names: what was refused, and which chunk mentions what.
fn meet_all(
    meeting: &mut Meeting<'_>,
    config: &Config,
    window: &Window,
    found: &Suggestions,
) -> (Vec<SkippedEntity>, BTreeSet<(usize, EntityId)>) {
    let types = &config.schema().dictionary;
    let mut skipped = found.skipped.clone();
    let mut sightings = BTreeSet::new();
    let tombstones = Tombstones::of(meeting.state);
    for suggestion in &found.entities {
        let Some(suggestion) = without_erased(suggestion, &window.chunks, &tombstones) else {
            skipped.push(SkippedEntity {
                // Whoever reads the report must not learn from it what was erased.
                name: String::new(),
                is_veto: true,
                why: ERASED.to_owned(),
                chunk: suggestion.chunks.first().map(|n| window.chunks[*n].id.clone()),
            });
            continue;
        };
        let met = match config.filters.reject(types, suggestion.kind(), &suggestion.name, "") {
            Some(rejection) => Err(rejection.reason),
            None => meeting.meet(&suggestion),
        };
        match met {
            Ok(id) => sightings.extend(suggestion.chunks.iter().map(|n| (*n, id))),
            Err(why) => skipped.push(SkippedEntity {
                name: suggestion.name.clone(),
                is_veto: true,
                why,
                chunk: suggestion.chunks.first().map(|n| window.chunks[*n].id.clone()),
            }),
        }
    }
    for (n, chunk) in window.chunks.iter().enumerate() {
        let speaker = &chunk.turn.speaker;
        if !chunk.turn.is_user && !chunk.turn.is_assistant && !speaker.is_empty() {
            if tombstones.names_erased(speaker, chunk.said) {
                let (name, why, id) = (String::new(), ERASED.to_owned(), chunk.id.clone());
                skipped.push(SkippedEntity { name, is_veto: true, why, chunk: Some(id) });
                continue;
            }
            sightings.extend(meeting.speaker(&chunk.turn).map(|id| (n, id)));
        }
    }
    for (id, name) in known_names(meeting.state) {
        let here = (0..window.chunks.len()).filter(|n| contains_name(&window.chunks[*n].turn.text, &name));
        let seen: Vec<usize> = here.collect();
        if !seen.is_empty() {
            meeting.note(id, &name, None);
            sightings.extend(seen.into_iter().map(|n| (n, id)));
        }
    }
    (skipped, sightings)
}

/// Why a name that was erased becomes no entity.
const ERASED: &str = "it was forgotten for ever, and this text is from before that or has no date";

/// A suggestion by what was said after its name was erased, and without what it says of others who were; `None` where nothing is left of it.
fn without_erased(
    suggestion: &Suggestion,
    chunks: &[Chunk],
    tombstones: &Tombstones<'_>,
) -> Option<Suggestion> {
    if tombstones.is_empty() {
        return Some(suggestion.clone());
    }
    let mut left = suggestion.clone();
    left.chunks.retain(|n| !tombstones.names_erased(&suggestion.name, chunks[*n].said));
    // What a model noted beside the name comes from any of them: the oldest decides.
    let oldest = left.chunks.iter().map(|n| chunks[*n].said).min()?;
    if tombstones.names_erased(&left.summary, oldest) {
        left.summary.clear();
    }
    left.properties
        .retain(|_, value| !value.as_str().is_some_and(|said| tombstones.names_erased(said, oldest)));
    Some(left)
}

/// Whether a report covers the window's very words.
fn is_read(state: &State, window: &Window) -> bool {
    let report = state.entity_report(EntityReport::id_of(&window.source, window.from));
    report.is_some_and(|report| {
        report.failed.is_empty() && report.to >= window.to && report.content == Some(window.content())
    })
}

/// Names that mean exactly one known entity.
fn known_names(state: &State) -> Vec<(EntityId, String)> {
    let mut names: BTreeMap<String, Vec<(EntityId, &str)>> = BTreeMap::new();
    for entity in state.present_entities() {
        for name in entity.names().filter(|name| *name != UNNAMED_USER && !is_vague(name)) {
            let known = names.entry(name_key(name)).or_default();
            if !known.iter().any(|(id, _)| *id == entity.id) {
                known.push((entity.id, name));
            }
        }
    }
    let one = |known: Vec<(EntityId, &str)>| match known[..] {
        [(id, name)] => Some((id, name.to_owned())),
        _ => None,
    };
    names.into_values().filter_map(one).collect()
}

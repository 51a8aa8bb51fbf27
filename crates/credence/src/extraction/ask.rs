//! What an extraction asks of a model: the prompt's material, gathered from the window and the memory, and the room that
//! the answer gets.

use std::collections::BTreeSet;

use super::candidate::WindowTurn;
use super::echo::Reading;
use super::reply::propositions_schema;
use super::settings::{Density, ExtractionConfig, PromptSize};
use super::window::{Window, user_name};
use crate::error::Error;
use crate::history::State;
use crate::id::EntityId;
use crate::llm::{ChatRequest, Message};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{
    EntityContext, ExampleContext, ExtractContext, PredicateContext, SchemaContext, SchemaTypeContext,
    SpeakerContext, TurnContext, WindowContext,
};
use crate::schema::{KnowledgeSchema, SchemaAdherence};
use crate::text;

/// Known statements that a brief prompt shows at most.
const BRIEF_KNOWN: usize = 8;

/// A request, and what its answer is read with.
pub(crate) struct Asked {
    pub(crate) request: ChatRequest,
    /// The entities that the prompt shows, in the order of their numbers from 1.
    pub(super) shown: Vec<EntityId>,
    /// Things worth knowing.
    pub(super) notes: Vec<String>,
}

impl<P: Ports> Memory<P> {
    pub(super) async fn extraction_request(
        &self,
        window: &Window,
        reading: &Reading,
    ) -> Result<Asked, Error> {
        let config = self.config();
        let most = match config.extraction.prompt {
            PromptSize::Full => config.known_to_show as usize,
            PromptSize::Brief => (config.known_to_show as usize).min(BRIEF_KNOWN),
        };
        let texts: Vec<&str> = reading.turns.iter().map(|turn| turn.text.as_str()).collect();
        let known = self.nearest_texts(&texts.join("\n"), most).await;
        self.asked(window, reading, known)
    }

    /// The request with these stored statements shown.
    pub(crate) fn asked(
        &self,
        window: &Window,
        reading: &Reading,
        known: Vec<String>,
    ) -> Result<Asked, Error> {
        let config = self.config();
        let is_brief = config.extraction.prompt == PromptSize::Brief;
        let state = self.state();
        let mut notes = Vec::new();
        let entities = match is_brief {
            true => Vec::new(),
            false => shown_entities(&state, reading, config.extraction.entities_to_show, &mut notes),
        };
        let shown: Vec<EntityId> = entities.iter().map(|(id, _)| *id).collect();
        let vars = &reading.options.variables;
        let examples = reading.options.examples.iter();
        let context = ExtractContext {
            user: user_name(&state, &config),
            perspective: reading.perspective.word(),
            density: config.extraction.density.word(),
            brief: is_brief,
            speakers: speakers(&reading.turns, window.is_document()),
            schema: schema_context(config.schemas.current(), reading.options.adherence),
            entities: entities.into_iter().map(|(_, entity)| entity).collect(),
            known,
            examples: examples
                .map(|e| ExampleContext { said: e.said.clone(), propositions: e.propositions.clone() })
                .collect(),
            vars,
        };
        let turns = reading.turns.iter().enumerate().map(|(n, turn)| TurnContext {
            number: n + 1,
            speaker: turn.speaker.clone(),
            role: role(turn),
            date: window.moments.get(n).map_or_else(|| turn.date.clone(), |at| at.zoned_date_text()),
            text: turn.text.clone(),
            context_only: turn.context_only,
        });
        let prompts = self.prompts();
        let request = ChatRequest {
            messages: vec![
                Message::system(prompts.extract(&context)?),
                Message::user(prompts.window(&WindowContext { turns: turns.collect(), vars })?),
            ],
            temperature: Some(0.0),
            max_tokens: Some(answer_room(&reading.turns, &config.extraction)),
            schema: Some(propositions_schema(config.extraction.prompt, !shown.is_empty())),
            ..ChatRequest::default()
        };
        Ok(Asked { request, shown, notes })
    }
}

fn speakers(turns: &[WindowTurn], is_document: bool) -> Vec<SpeakerContext> {
    let mut speakers: Vec<SpeakerContext> = Vec::new();
    for turn in turns {
        if !speakers.iter().any(|known| known.name == turn.speaker) {
            let (is_user, is_assistant) = (turn.is_user, turn.is_assistant);
            speakers.push(SpeakerContext { name: turn.speaker.clone(), is_user, is_assistant, is_document });
        }
    }
    speakers
}

/// The schema for a prompt. Of the built-in one names are enough: what a person or a place is, a model knows.
fn schema_context(schema: &KnowledgeSchema, adherence: Option<SchemaAdherence>) -> SchemaContext {
    let plain = *schema == KnowledgeSchema::default();
    let words = |text: &str| if plain { String::new() } else { text.to_owned() };
    let adherence = adherence.unwrap_or(schema.adherence);
    let relationships = schema.dictionary.relationships.iter().map(|relationship| PredicateContext {
        predicate: relationship.stated_as(),
        meaning: String::new(),
        subject: relationship.from.clone(),
        object: relationship.to.clone(),
    });
    let relations = schema.relations.iter().map(|relation| PredicateContext {
        predicate: relation.predicate.clone(),
        meaning: words(&relation.meaning),
        subject: relation.subject_type.clone().unwrap_or_default(),
        object: relation.object_type.clone().unwrap_or_default(),
    });
    SchemaContext {
        types: schema
            .dictionary
            .types
            .iter()
            .map(|of| SchemaTypeContext {
                name: of.name.clone(),
                description: words(&of.description),
                closed: !of.creation_permitted,
            })
            .collect(),
        predicates: relationships.collect(),
        relations: relations.collect(),
        types_locked: adherence.entities,
        predicates_locked: adherence.predicates,
    }
}

/// The word that marks a turn's speaker.
fn role(turn: &WindowTurn) -> &'static str {
    match (turn.is_user, turn.is_assistant) {
        (true, _) => "user",
        (_, true) => "assistant",
        _ => "other",
    }
}

/// The host's entities first, then the user and those that the turns name.
fn shown_entities(
    state: &State,
    reading: &Reading,
    most: u32,
    notes: &mut Vec<String>,
) -> Vec<(EntityId, EntityContext)> {
    let mut entities: Vec<(EntityId, EntityContext)> = Vec::new();
    let mut seen: BTreeSet<EntityId> = BTreeSet::new();
    let mut show = |id: EntityId, role: &str| {
        let Some(entity) = state.entity(id) else { return false };
        if seen.insert(id) {
            let number = entities.len() + 1;
            let context = EntityContext {
                number,
                name: entity.name.clone(),
                labels: entity.labels.clone(),
                role: role.to_owned(),
                is_user: entity.is_user,
            };
            entities.push((id, context));
        }
        true
    };
    for known in &reading.options.known_entities {
        if !show(known.id, &known.role) {
            notes.push(format!("the known entity {} is not in this memory and was not shown", known.id));
        }
    }
    let texts: Vec<&str> = reading.turns.iter().map(|turn| turn.text.as_str()).collect();
    let folded = text::fold(&texts.join("\n"));
    state
        .present_entities()
        .filter(|entity| entity.is_user || entity.names().any(|name| folded.contains(&text::fold(name))))
        .take(most as usize)
        .for_each(|entity| {
            show(entity.id, "");
        });
    entities
}

/// Most tokens of an extraction's answer: room for a few statements a new turn, and an end for a small model that loses
/// itself in repetition. What was complete by then is kept.
pub(crate) fn answer_room(turns: &[WindowTurn], config: &ExtractionConfig) -> u32 {
    let fresh = turns.iter().filter(|turn| !turn.context_only).count();
    let (base, each) = match (config.prompt, config.density) {
        // About three statements of forty tokens.
        (PromptSize::Brief, _) => (96, 96),
        (PromptSize::Full, Density::Dense) => (512, 512),
        (PromptSize::Full, _) => (512, 256),
    };
    u32::try_from(base + each * fresh).unwrap_or(u32::MAX).min(6144)
}

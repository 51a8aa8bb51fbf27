//! Asking for abstractions and contrasts, and a person's use of them: proposals to look at, or one commit.

use serde::Serialize;

use super::build::{build, check};
use super::reply::{Suggested, abstraction_schema, contrast_schema, parse};
use crate::error::Error;
use crate::extraction::Cost;
use crate::history::{Actor, Cause, RecordId, ScopeInfo};
use crate::id::{CommitId, PropositionId};
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, ModelError, Role};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::prompt::{GroupContext, GroupsContext, OperationContext, StoredContext};
use crate::proposition::{Proposition, effective_confidence};

/// What is wanted of an abstraction or contrast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SynthesisOptions {
    /// Most statements; 1 to 20. Default 3 (dice 7.3).
    pub target: u32,
    /// Returns what would be kept and writes nothing.
    pub dry_run: bool,
}

impl Default for SynthesisOptions {
    fn default() -> Self {
        Self { target: 3, dry_run: false }
    }
}

/// A suggestion of the model that was not kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DroppedStatement {
    /// What it suggested.
    pub text: String,
    /// Why it was not kept.
    pub why: String,
}

/// What came of an abstraction or contrast.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Synthesis {
    /// The statements, stored unless it was a dry run.
    pub statements: Vec<Proposition>,
    /// What was not kept, and why.
    pub dropped: Vec<DroppedStatement>,
    /// The commit; `None` for a dry run, or when nothing was kept.
    pub commit: Option<CommitId>,
    /// Model calls.
    pub calls: u32,
    /// Tokens of all prompts.
    pub prompt_tokens: u32,
    /// Tokens of all answers.
    pub completion_tokens: u32,
    /// Repairs and other things worth knowing.
    pub notes: Vec<String>,
}

/// Statements to show together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Group {
    pub(crate) label: String,
    pub(crate) members: Vec<PropositionId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Abstract,
    Contrast,
}

impl<P: Ports> Memory<P> {
    /// Says in more general words what a group of at least two live statements shows, each one level above its sources,
    /// which stay as they are.
    ///
    /// # Errors
    /// [`Error::Invalid`] for fewer than two statements or a target out of range; [`Error::NotFound`] for one that is
    /// not live; the model's failures, also that none is connected; store errors.
    pub async fn abstract_statements(
        &self,
        ids: &[PropositionId],
        options: &SynthesisOptions,
        cancel: &Cancel,
    ) -> Result<Synthesis, Error> {
        let group = self.group("statements", ids)?;
        if group.members.len() < 2 {
            let problem = "an abstraction needs at least two different statements".into();
            return Err(Error::Invalid { what: "ids", problem });
        }
        self.synthesise(Operation::Abstract, vec![group], options, cancel).await
    }

    /// Says in what two groups of live statements differ.
    ///
    /// # Errors
    /// As [`Memory::abstract_statements`]; each group needs at least one statement.
    pub async fn contrast(
        &self,
        a: &[PropositionId],
        b: &[PropositionId],
        options: &SynthesisOptions,
        cancel: &Cancel,
    ) -> Result<Synthesis, Error> {
        let groups = vec![self.group("first", a)?, self.group("second", b)?];
        if groups.iter().any(|group| group.members.is_empty()) {
            let problem = "a contrast needs at least one statement on each side".into();
            return Err(Error::Invalid { what: "ids", problem });
        }
        self.synthesise(Operation::Contrast, groups, options, cancel).await
    }

    fn group(&self, label: &str, ids: &[PropositionId]) -> Result<Group, Error> {
        let state = self.state();
        let mut members: Vec<PropositionId> = Vec::new();
        for id in ids {
            if !state.proposition(*id).is_some_and(|p| p.status.is_live()) {
                return Err(Error::NotFound { record: format!("live statement {id}") });
            }
            if !members.contains(id) {
                members.push(*id);
            }
        }
        Ok(Group { label: label.to_owned(), members })
    }

    async fn synthesise(
        &self,
        operation: Operation,
        groups: Vec<Group>,
        options: &SynthesisOptions,
        cancel: &Cancel,
    ) -> Result<Synthesis, Error> {
        if !(1..=20).contains(&options.target) {
            let problem = format!("1 to 20 statements can be wanted, got {}", options.target);
            return Err(Error::Invalid { what: "target", problem });
        }
        let mut cost = Cost::default();
        let (suggested, model) = self.suggest(operation, &groups, options.target, &mut cost, cancel).await?;
        let mut dropped = Vec::new();
        let mut statements: Vec<Proposition> = Vec::new();
        {
            let state = self.state();
            for suggestion in suggested {
                let sources: Vec<&Proposition> = suggestion
                    .sources
                    .iter()
                    .filter_map(|(group, place)| state.proposition(*groups.get(*group)?.members.get(*place)?))
                    .collect();
                let one_sided = operation == Operation::Contrast
                    && !(0..2).all(|side| suggestion.sources.iter().any(|(group, _)| *group == side));
                let verdict = if statements.len() >= options.target as usize {
                    Err(format!("{} were wanted", options.target))
                } else if one_sided {
                    Err("it rests on one side alone".into())
                } else {
                    check(&suggestion, &sources)
                };
                let id = PropositionId::new(self.next_id());
                let made = verdict.and_then(|()| {
                    build(&suggestion, &sources, id, &model, self.now().at).map_err(|e| e.to_string())
                });
                match made {
                    Ok(made) => statements.push(made),
                    Err(why) => dropped.push(DroppedStatement { text: suggestion.text, why }),
                }
            }
        }
        let commit = if options.dry_run { None } else { self.keep(operation, &statements).await? };
        Ok(Synthesis {
            statements,
            dropped,
            commit,
            calls: cost.calls,
            prompt_tokens: cost.prompt_tokens,
            completion_tokens: cost.completion_tokens,
            notes: cost.notes,
        })
    }

    async fn keep(
        &self,
        operation: Operation,
        statements: &[Proposition],
    ) -> Result<Option<CommitId>, Error> {
        let word = match operation {
            Operation::Abstract => "abstracted",
            Operation::Contrast => "contrasted",
        };
        let info = ScopeInfo::new(Cause::Manual, Actor::Person, word);
        let (_, commit) = self
            .change(info, |state, scope| {
                for statement in statements {
                    for source in &statement.source_ids {
                        if state.proposition(*source).is_none() {
                            return Err(Error::Conflict { records: vec![RecordId::Proposition(*source)] });
                        }
                    }
                    scope.put(
                        state,
                        statement.clone(),
                        format!("{word} from {}", statement.source_ids.len()),
                    );
                }
                Ok(())
            })
            .await?;
        Ok(commit.map(|commit| commit.id))
    }

    /// Abstractions that a model suggests for each group, and its name. One call.
    pub(crate) async fn suggest_abstractions(
        &self,
        groups: &[Group],
        target: u32,
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<(Vec<Suggested>, String), Error> {
        self.suggest(Operation::Abstract, groups, target, cost, cancel).await
    }

    async fn suggest(
        &self,
        operation: Operation,
        groups: &[Group],
        target: u32,
        cost: &mut Cost,
        cancel: &Cancel,
    ) -> Result<(Vec<Suggested>, String), Error> {
        if !self.chat().is_connected(Role::Extract) {
            return Err(Error::Model(ModelError::NotConnected));
        }
        let sizes: Vec<usize> = groups.iter().map(|group| group.members.len()).collect();
        let request = self.operation_request(operation, groups, target)?;
        let read = |value: serde_json::Value| parse(&value, &sizes);
        self.ask_json(Role::Extract, &request, read, cost, cancel).await
    }

    fn operation_request(
        &self,
        operation: Operation,
        groups: &[Group],
        target: u32,
    ) -> Result<ChatRequest, Error> {
        let (state, now, rule) = (self.state(), self.now().at, self.decay_rule());
        let statement = |(n, id): (usize, &PropositionId)| {
            let p = state.proposition(*id)?;
            let confidence = format!("{:.2}", effective_confidence(p, now, rule));
            Some(StoredContext { number: n + 1, text: p.text.clone(), confidence })
        };
        let group = |(n, group): (usize, &Group)| GroupContext {
            number: n + 1,
            label: group.label.clone(),
            statements: group.members.iter().enumerate().filter_map(statement).collect(),
        };
        let context = GroupsContext { groups: groups.iter().enumerate().map(group).collect() };
        let prompts = self.prompts();
        let (system, schema, wanted) = match operation {
            Operation::Abstract => {
                let wanted = target as usize * groups.len();
                (prompts.abstraction(OperationContext { target })?, abstraction_schema(), wanted)
            }
            Operation::Contrast => {
                (prompts.contrast(OperationContext { target })?, contrast_schema(), target as usize)
            }
        };
        Ok(ChatRequest {
            messages: vec![Message::system(system), Message::user(prompts.groups(&context)?)],
            temperature: Some(0.0),
            // A statement with its sources is about eighty tokens; twice that leaves room.
            max_tokens: Some(u32::try_from(256 + 160 * wanted).unwrap_or(u32::MAX)),
            schema: Some(schema),
            ..ChatRequest::default()
        })
    }
}

//! One prompt from beginning to end: what is on offer, what is chosen, what fits, how it is worded, what is recorded.
//!
//! Everything after the question's vectors is one synchronous function of state, settings and instant, so that a preview and the
//! answer that follows it are the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::question::{Question, best, parts_of};
use super::select::{Bearing, Chosen, Offer, choose};
use super::trace::{counted, hash, message_of};
use super::{
    Always, Assembled, AssembledItem, Frame, LeftOut, LeftOutReason, Line, MOST_VITAL, Meter, PLAIN_PERSONA,
    PromptTokens, RetrievalMode, Section, SectionKind, Slot, TokenCount, TokenCounter, Trace, TurnRef,
    UsedUnit, Xray, block, estimate, fit, is_vital,
};
use crate::agent::MOST_ROUNDS;
use crate::compaction::{self, Summary};
use crate::config::Config;
use crate::conversation::{BUILT_IN_MODEL, NOT_REMEMBERED, Turn, mode_of};
use crate::embedding::Embedder;
use crate::entity::Entity;
use crate::error::Error;
use crate::event::Event;
use crate::history::{Purpose, RecordId, State, UseItem, UseRecord};
use crate::id::{ConversationId, PropositionId, TurnId, UseId};
use crate::llm::{ChatModel, Message, Role};
use crate::memory::{Memory, PropositionView};
use crate::ports::Ports;
use crate::prompt::{self, ChatContext, LineContext, MemoryContext, quote};
use crate::proposition::{Proposition, effective_confidence, recall_confidence};
use crate::resolution::UNNAMED_USER;
use crate::retrieval::Standing;
use crate::text;
use crate::time::Moment;
use crate::unit::{self, Authority, CompliancePolicy};
use crate::upkeep::ServedUnits;

/// Answers of the model in use whose token counts are looked at.
const METERED_ANSWERS: usize = 8;

/// A statement on its way into the prompt.
struct Entry {
    view: PropositionView,
    unit: Option<UsedUnit>,
    always: Option<Always>,
    is_disputed: bool,
    is_related: bool,
    score: f64,
    why: String,
    line: String,
    tokens: TokenCount,
}

/// What a query found among all statements.
struct Found {
    bearings: BTreeMap<PropositionId, Bearing>,
    hits: Vec<(PropositionId, f64, String)>,
    unrelated: Vec<PropositionId>,
}

impl<P: Ports> Memory<P> {
    /// The prompt that answers `query` in a conversation as it stands, with its use record written. What is looked for is the query;
    /// the turns are those of the conversation.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a blank query; store and template errors.
    pub async fn assemble(&self, conversation: ConversationId, query: &str) -> Result<Assembled, Error> {
        self.assemble_without(conversation, query, None).await
    }

    /// [`Memory::assemble`] as if the turn `hidden` had not been said yet, because it is to be said anew.
    pub(crate) async fn assemble_without(
        &self,
        conversation: ConversationId,
        query: &str,
        hidden: Option<TurnId>,
    ) -> Result<Assembled, Error> {
        let step = {
            let state = self.state();
            let mut turns = state.turns(conversation).rev().filter(|turn| Some(turn.id) != hidden);
            turns.next().map(|turn| turn.id.to_string())
        };
        let mut assembled = self.gather_prompt(conversation, query, None, hidden).await?;
        let record = {
            let state = self.state();
            UseRecord {
                id: UseId::new(self.next_id()),
                context: self.context().clone(),
                commit: state.head().map(|head| head.id),
                seq: state.seq(),
                at: self.now().at,
                purpose: Purpose::Assembly,
                step: step.unwrap_or_default(),
                query: assembled.query.clone(),
                items: assembled
                    .items
                    .iter()
                    .map(|item| UseItem {
                        rank: item.rank,
                        proposition: item.proposition,
                        revision: item.revision,
                        score: item.score,
                        why: item.why.clone(),
                        unit: item.unit,
                        always: item.always,
                    })
                    .collect(),
                left_out: counted(&assembled.left_out),
                withheld: assembled.left_out.clone(),
                assembly: Some(assembled.trace.clone()),
                execution: None,
            }
        };
        let record = self.keep_use(record).await?;
        self.emit(&Event::Used { record: record.clone() });
        assembled.record = Some(record);
        Ok(assembled)
    }

    /// The prompt that would be sent if the user now said `draft`: the bytes that [`Memory::answer`] sends for it. Writes nothing. A blank
    /// draft stands for the conversation's last turn.
    ///
    /// # Errors
    /// [`Error::Invalid`] when draft and conversation are both empty; template errors.
    pub async fn preview(&self, conversation: ConversationId, draft: &str) -> Result<Assembled, Error> {
        if draft.trim().is_empty() {
            let last = self.state().turns(conversation).next_back().map(|turn| turn.text.clone());
            return self.gather_prompt(conversation, &last.unwrap_or_default(), None, None).await;
        }
        // As `say` would keep it.
        let said = text::redact(draft).text;
        self.gather_prompt(conversation, &said, Some(&said), None).await
    }

    /// Whether nothing was committed in this memory since: a preview that is not current is to be made again. Derived from the log's
    /// position, so no cache has to be told.
    pub fn is_current(&self, assembled: &Assembled) -> bool {
        assembled.context == *self.context() && assembled.seq == self.state().seq()
    }

    /// The prompt of a recorded step, put together again from the log.
    ///
    /// # Errors
    /// Store errors. An unknown record is `None`.
    pub async fn xray(&self, id: UseId) -> Result<Option<Xray>, Error> {
        let Some(record) = self.use_record(id).await? else { return Ok(None) };
        let log = self.log();
        let (messages, is_exact) =
            record.assembly.as_ref().map_or((Vec::new(), true), |trace| trace.messages(&log));
        let answer = record
            .assembly
            .as_ref()
            .and_then(|trace| log.state().turns(trace.conversation).find_map(|turn| turn.as_given(id)));
        let built_in = answer.as_ref().is_some_and(|turn| turn.model.as_deref() == Some(BUILT_IN_MODEL));
        Ok(Some(Xray {
            was_sent: !messages.is_empty() && !built_in,
            counted: answer.and_then(|turn| turn.metered).map(|metered| metered.prompt),
            messages,
            is_exact,
            record,
        }))
    }

    /// The turn that is being answered in a conversation; `None` when it is free.
    pub fn answering(&self, conversation: ConversationId) -> Option<TurnId> {
        self.answer_lock().holder(conversation)
    }

    /// Counts tokens with the host's tokenizer of the model in use; `None` goes back to estimates and what servers counted.
    pub fn use_token_counter(&self, counter: Option<Rc<dyn TokenCounter>>) {
        *self.token_counter().borrow_mut() = counter;
    }

    /// What counts tokens now.
    pub fn token_meter(&self) -> Meter {
        let state = self.state();
        let mut model = None;
        let answers = state.all_turns().rev().filter_map(|turn| Some((turn.model.as_deref(), turn.metered?)));
        // Another model has another tokenizer: only what the last one counted is looked at.
        let seen = answers.filter(|(name, _)| *model.get_or_insert(*name) == *name);
        let seen: Vec<_> = seen.map(|(_, metered)| metered).take(METERED_ANSWERS).collect();
        Meter::new(self.token_counter().borrow().clone(), seen)
    }

    async fn gather_prompt(
        &self,
        conversation: ConversationId,
        query: &str,
        draft: Option<&str>,
        hidden: Option<TurnId>,
    ) -> Result<Assembled, Error> {
        let query = text::redact(query.trim()).text;
        if query.is_empty() {
            return Err(Error::Invalid { what: "query", problem: "there is nothing to look for".into() });
        }
        let mut notes = Vec::new();
        let parts = parts_of(&query);
        let mut queries = vec![query.clone()];
        // A model that costs a call is asked about the message alone: its sentences are looked up by their words.
        if self.ports().embedder().is_cheap() {
            queries.extend(parts.iter().cloned());
        }
        let vectors = self.query_vectors(&queries, &mut notes).await;
        self.compose(conversation, &Question::new(query, parts, vectors), (draft, hidden), notes)
    }

    /// Everything after the question's vectors.
    fn compose(
        &self,
        conversation: ConversationId,
        question: &Question,
        (draft, hidden): (Option<&str>, Option<TurnId>),
        mut notes: Vec<String>,
    ) -> Result<Assembled, Error> {
        let (config, now, meter) = (self.config(), self.now(), self.token_meter());
        let state = self.state();
        let (reads, learns) = {
            let chosen = mode_of(&state, conversation);
            (chosen.reads(), chosen.learns() && config.memory.enabled)
        };
        let mode = self.mode_in_force(&config, &mut notes);
        let config = Config { retrieval: super::RetrievalSettings { mode, ..config.retrieval }, ..config };
        let disputed = disputed(&state);
        let (entries, mut left_out) = match reads {
            true => self.entries(&state, question, &config, now, &disputed, &meter)?,
            false => {
                notes.push(format!("{NOT_REMEMBERED}: nothing of the memory is in the prompt"));
                Default::default()
            }
        };
        let (entries, kept_back) = injected(entries, &config);
        left_out.extend(kept_back);
        let tiered = config.unit.compliance_policy == CompliancePolicy::Tiered;
        let (entries, dropped, used) = self.fitted(entries, &config, &meter)?;
        left_out.extend(dropped);

        let units: Vec<(Authority, &str)> = entries
            .iter()
            .filter_map(|entry| entry.unit.map(|unit| (unit.authority, entry.line.as_str())))
            .collect();
        let adaptive = config.assembly.adaptive_footprint_enabled;
        let memory = MemoryContext {
            is_tiered: tiered,
            sections: block::sections(&units, config.unit.compliance_policy, adaptive),
            facts: entries.iter().filter(|e| e.unit.is_none()).map(|e| e.line.clone()).collect(),
        };
        let summary = compaction::standing(&state, conversation);
        let context = ChatContext {
            user: prompt::name(&user_name(state.user().filter(|_| reads), &config)),
            today: now.long_date_text(),
            persona: Some(config.chat.persona.trim())
                .filter(|persona| *persona != PLAIN_PERSONA)
                .map(str::to_owned),
            instructions: Some(config.chat.instructions.trim())
                .filter(|instructions| !instructions.is_empty())
                .map(str::to_owned),
            max_words: config.chat.max_words,
            searches: if reads && mode == RetrievalMode::Tool { MOST_ROUNDS } else { 0 },
            proposes: config.tools.propose_fact && learns,
            revises: config.tools.revise_fact && learns,
            most_changes: config.tools.most_changes,
            summary: summary.map(|summary| summary.text.clone()),
            memory,
        };
        let system = self.prompts().chat(&context)?;
        let has_block = !context.memory.sections.is_empty() || !context.memory.facts.is_empty();
        let block = if has_block { self.prompts().memory(&context.memory)? } else { String::new() };

        let turns = shown_turns(&state, conversation, summary, (draft, hidden), config.history_turns);
        let mut messages = vec![Message::system(system)];
        messages.extend(turns.iter().map(|turn| message_of(turn)));
        messages.extend(draft.map(Message::user));

        let mut tokens = measure(&messages, &block, context.summary.as_deref(), &meter);
        tokens.budget = config.assembly.prompt_token_budget;
        tokens.exceeded = used.exceeded;
        let mut texts: Vec<(Slot, &str)> = entries
            .iter()
            .map(|entry| {
                let record = RecordId::Proposition(entry.view.proposition.id);
                (Slot { record, revision: entry.view.revision }, entry.view.proposition.text.as_str())
            })
            .collect();
        if let Some(summary) = summary
            && let Some(revision) = state.revision(RecordId::Summary(summary.id))
        {
            let slot = Slot { record: RecordId::Summary(summary.id), revision: revision.id };
            texts.push((slot, summary.text.as_str()));
        }
        let trace = Trace {
            conversation,
            mode,
            system: Frame::of(&messages[0].text, &texts),
            turns: turns
                .iter()
                .filter_map(|turn| {
                    let revision = state.revision(RecordId::Turn(turn.id))?.id;
                    Some(TurnRef { turn: turn.id, revision })
                })
                .collect(),
            hash: hash(&messages),
            tokens: tokens.clone(),
        };
        let seq = state.seq();
        let (items, views) = entries.into_iter().enumerate().map(item).unzip();
        Ok(Assembled {
            messages,
            items,
            left_out,
            mode,
            tokens,
            notes,
            query: question.text().to_owned(),
            context: self.context().clone(),
            seq,
            record: None,
            views,
            trace,
        })
    }

    /// The mode of the settings, or what stands in for it.
    fn mode_in_force(&self, config: &Config, notes: &mut Vec<String>) -> RetrievalMode {
        if config.retrieval.mode == RetrievalMode::Tool && !self.chat().is_connected(Role::Chat) {
            notes.push("no model is connected that could use tools: facts are chosen as in HYBRID".into());
            return RetrievalMode::Hybrid;
        }
        config.retrieval.mode
    }

    /// Chosen statements with their lines, units first, and what was left out.
    fn entries(
        &self,
        state: &State,
        question: &Question,
        config: &Config,
        now: Moment,
        disputed: &BTreeSet<PropositionId>,
        meter: &Meter,
    ) -> Result<(Vec<Entry>, Vec<LeftOut>), Error> {
        let ServedUnits { mut views, cold, .. } = self.serve_units(state, now.at, config);
        let vital = vital(state);
        // What is vital is never left out, whatever tier it is served from, and stands as the unit that it is.
        let (kept, cold): (Vec<PropositionId>, Vec<PropositionId>) =
            cold.into_iter().partition(|id| vital.contains(id));
        views.extend(kept.into_iter().filter_map(|id| unit::view(state, id, now.at, config)));
        let always_ids = state.propositions().filter(|p| p.pinned && p.status.is_live()).map(|p| p.id);
        let named: BTreeSet<PropositionId> =
            views.iter().map(unit::UnitView::id).chain(vital.iter().copied()).chain(always_ids).collect();
        let found = self.found(question, &named, state, config);

        let active: BTreeSet<PropositionId> =
            views.iter().map(unit::UnitView::id).chain(cold.iter().copied()).collect();
        let offers = views.into_iter().filter_map(|view| {
            let id = view.id();
            let revision = state.revision(RecordId::Proposition(id))?.id;
            let always = match view.authority {
                Authority::Canon => Some(Always::Canon),
                _ if view.proposition.pinned => Some(Always::Pinned),
                _ if vital.contains(&id) => Some(Always::Vital),
                _ => None,
            };
            Some(Offer { view, revision, always, bearing: found.bearings.get(&id).cloned() })
        });
        let (chosen, mut left_out) = choose(offers.collect(), &config.retrieval, config.unit.budget as usize);
        left_out.extend(cold.into_iter().filter_map(|id| {
            let revision = state.revision(RecordId::Proposition(id))?.id;
            Some(LeftOut {
                proposition: id,
                revision,
                is_unit: true,
                reason: LeftOutReason::Cold,
                score: None,
            })
        }));
        let mut entries = Vec::new();
        for chosen in chosen {
            let is_disputed = disputed.contains(&chosen.offer.view.id());
            entries.push(self.unit_entry(chosen, is_disputed, config, meter)?);
        }
        self.recalled(
            state,
            &found,
            &active,
            &vital,
            config,
            now,
            disputed,
            meter,
            &mut entries,
            &mut left_out,
        )?;
        Ok((entries, left_out))
    }

    fn unit_entry(
        &self,
        chosen: Chosen,
        is_disputed: bool,
        config: &Config,
        meter: &Meter,
    ) -> Result<Entry, Error> {
        let Chosen { offer, score, why } = chosen;
        let unit = UsedUnit {
            authority: offer.view.authority,
            activation: offer.view.activation.get(),
            tier: offer.view.tier,
        };
        let proposition = offer.view.proposition;
        let source = self.source_label(&proposition);
        let adaptive = config.assembly.adaptive_footprint_enabled;
        let line = self.prompts().fact(&block::unit_line(
            &proposition.text,
            unit,
            &source,
            is_disputed,
            adaptive,
        ))?;
        Ok(Entry {
            tokens: meter.count(&line),
            line,
            unit: Some(unit),
            always: offer.always,
            is_disputed,
            is_related: offer.bearing.as_ref().is_some_and(|bearing| bearing.is_related),
            score,
            why,
            view: PropositionView { revision: offer.revision, effective: offer.view.effective, proposition },
        })
    }

    /// Statements that are no units: pinned and vital ones, then what the query found, up to `recall_limit`.
    #[expect(clippy::too_many_arguments, reason = "one step of `compose`, which has them all at hand")]
    fn recalled(
        &self,
        state: &State,
        found: &Found,
        active: &BTreeSet<PropositionId>,
        vital: &BTreeSet<PropositionId>,
        config: &Config,
        now: Moment,
        disputed: &BTreeSet<PropositionId>,
        meter: &Meter,
        entries: &mut Vec<Entry>,
        left_out: &mut Vec<LeftOut>,
    ) -> Result<(), Error> {
        let pinned = state.propositions().filter(|p| p.pinned && p.status.is_live());
        let pinned = pinned.map(|p| (p.id, Some(Always::Pinned), 1.0, Always::Pinned.in_words().to_owned()));
        let vital =
            vital.iter().map(|id| (*id, Some(Always::Vital), 1.0, Always::Vital.in_words().to_owned()));
        let hits = found.hits.iter().map(|(id, score, why)| (*id, None, *score, why.clone()));
        let mut seen = active.clone();
        let (limit, rule) = (config.recall_limit as usize, config.decay_rule());
        let mut taken = 0;
        for (id, always, score, why) in pinned.chain(vital).chain(hits) {
            let (Some(proposition), Some(revision)) =
                (state.proposition(id), state.revision(RecordId::Proposition(id)))
            else {
                continue;
            };
            if !seen.insert(id) {
                continue;
            }
            let mut leave = |reason| {
                left_out.push(LeftOut {
                    proposition: id,
                    revision: revision.id,
                    is_unit: false,
                    reason,
                    score: Some(score),
                });
            };
            if recall_confidence(proposition, now.at, rule) < config.recall_floor && !proposition.pinned {
                leave(LeftOutReason::Faded);
            } else if config.retrieval.mode == RetrievalMode::Tool && always.is_none() {
                leave(LeftOutReason::LeftToTools);
            } else if taken >= limit {
                leave(LeftOutReason::OverLimit);
            } else {
                taken += 1;
                let effective = effective_confidence(proposition, now.at, rule);
                let is_disputed = disputed.contains(&id);
                let line = self.prompts().fact(&LineContext {
                    text: proposition.text.clone(),
                    hint: self.hint(proposition, effective),
                    is_disputed,
                    ..LineContext::default()
                })?;
                let is_related = found.hits.iter().any(|(hit, ..)| *hit == id)
                    || found.bearings.get(&id).is_some_and(|bearing| bearing.is_related);
                entries.push(Entry {
                    view: PropositionView {
                        proposition: proposition.clone(),
                        revision: revision.id,
                        effective,
                    },
                    unit: None,
                    always,
                    is_disputed,
                    is_related,
                    score,
                    why,
                    tokens: meter.count(&line),
                    line,
                });
            }
        }
        for id in found.unrelated.iter().filter(|id| !seen.contains(id)) {
            if let Some(revision) = state.revision(RecordId::Proposition(*id)) {
                left_out.push(LeftOut {
                    proposition: *id,
                    revision: revision.id,
                    is_unit: false,
                    reason: LeftOutReason::Unrelated,
                    score: None,
                });
            }
        }
        Ok(())
    }

    fn found(
        &self,
        question: &Question,
        named: &BTreeSet<PropositionId>,
        state: &State,
        config: &Config,
    ) -> Found {
        let recaller = self.recaller().borrow();
        let top = (config.recall_limit as usize).saturating_mul(4).max(40);
        let (mut hits, mut gated, mut standings) = (Vec::new(), Vec::new(), Vec::new());
        for part in &question.parts {
            let all = recaller.find(&part.text, part.vector.as_deref(), top);
            hits.extend(all.hits.into_iter().map(|hit| (hit.id, (hit.score, hit.why))));
            gated.extend(all.gated);
            let of_part = recaller.standings(&part.text, part.vector.as_deref(), named).into_iter();
            standings.extend(of_part.map(|Standing { id, nearness, is_related, why }| {
                (id, Bearing { nearness, is_related, why })
            }));
        }
        let hits = best(hits, |(score, _), (known, _)| score > known);
        let mut bearings = best(standings, |bearing, known| {
            (bearing.is_related, bearing.nearness) > (known.is_related, known.nearness)
        });
        for id in named {
            if let Some(name) = state.proposition(*id).and_then(|p| question.names(p, state)) {
                let bearing = bearings.entry(*id).or_insert_with(Bearing::none);
                bearing.name(&name);
            }
        }
        let mut seen = BTreeSet::new();
        let unrelated = gated.into_iter().filter(|id| !hits.contains_key(id) && seen.insert(*id)).collect();
        let mut hits: Vec<_> = hits.into_iter().map(|(id, (score, why))| (id, score, why)).collect();
        hits.sort_by(|a, b| b.1.total_cmp(&a.1));
        Found { bearings, hits, unrelated }
    }

    /// What fits into the budget of the block, and what had to go.
    fn fitted(
        &self,
        entries: Vec<Entry>,
        config: &Config,
        meter: &Meter,
    ) -> Result<(Vec<Entry>, Vec<LeftOut>, super::Fit), Error> {
        let budget = config.assembly.prompt_token_budget;
        if budget == 0 {
            return Ok((entries, Vec::new(), super::Fit::default()));
        }
        let levels: Vec<(Authority, &str)> =
            entries.iter().filter_map(|entry| entry.unit.map(|unit| (unit.authority, ""))).collect();
        let mut sections = block::sections(&levels, config.unit.compliance_policy, false);
        sections.iter_mut().for_each(|section| section.lines.clear());
        let frame = MemoryContext {
            is_tiered: config.unit.compliance_policy == CompliancePolicy::Tiered,
            sections,
            facts: entries.iter().find(|e| e.unit.is_none()).map(|_| String::new()).into_iter().collect(),
        };
        let overhead = if entries.is_empty() { 0 } else { meter.count(&self.prompts().memory(&frame)?).high };
        let lines: Vec<Line> = entries
            .iter()
            .enumerate()
            .map(|(place, entry)| Line {
                id: entry.view.proposition.id,
                unit: entry.unit.map(|unit| (unit.authority, unit.tier, unit.activation)),
                importance: entry.view.proposition.importance.get(),
                place,
                // Its number or bullet and the end of the line.
                cost: entry.tokens.high.saturating_add(3),
                is_protected: entry.always.is_some(),
            })
            .collect();
        let fits = fit(&lines, overhead, budget);
        let gone: BTreeSet<PropositionId> = fits.dropped.iter().copied().collect();
        let (stay, went): (Vec<Entry>, Vec<Entry>) =
            entries.into_iter().partition(|entry| !gone.contains(&entry.view.proposition.id));
        let dropped = went.iter().map(|entry| LeftOut {
            proposition: entry.view.proposition.id,
            revision: entry.view.revision,
            is_unit: entry.unit.is_some(),
            reason: LeftOutReason::TokenBudget,
            score: Some(entry.score),
        });
        Ok((stay, dropped.collect(), fits))
    }

    /// The line of a statement that is no unit, as the memory block has it.
    pub(crate) fn recalled_line(&self, view: &PropositionView) -> Result<String, Error> {
        let hint = self.hint(&view.proposition, view.effective);
        let text = view.proposition.text.clone();
        Ok(self.prompts().fact(&LineContext { text, hint, ..LineContext::default() })?)
    }

    /// Whom a unit comes from and when, for its line; empty when nobody can be named.
    fn source_label(&self, proposition: &Proposition) -> String {
        let sources = self.sources(proposition);
        let Some(source) = sources.first() else { return String::new() };
        format!("{} on {}", prompt::name(&source.speaker), source.at.date_text())
    }

    /// Provenance and certainty of a statement that is no unit: who said it, when, and whether that is still worth much.
    fn hint(&self, proposition: &Proposition, effective: f64) -> String {
        let source = self.source_label(proposition);
        let said = (!source.is_empty()).then(|| format!("said by {source}"));
        let unsure = (effective < 0.5).then(|| format!("unsure: confidence {effective:.2}"));
        [said, unsure].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// What goes on into the prompt, and what stays behind because nothing does.
fn injected(entries: Vec<Entry>, config: &Config) -> (Vec<Entry>, Vec<LeftOut>) {
    if config.assembly.injection {
        return (entries, Vec::new());
    }
    let kept_back = entries.iter().map(|entry| LeftOut {
        proposition: entry.view.proposition.id,
        revision: entry.view.revision,
        is_unit: entry.unit.is_some(),
        reason: LeftOutReason::Off,
        score: Some(entry.score),
    });
    (Vec::new(), kept_back.collect())
}

fn item((n, entry): (usize, Entry)) -> (AssembledItem, PropositionView) {
    let item = AssembledItem {
        rank: u32::try_from(n + 1).unwrap_or(u32::MAX),
        proposition: entry.view.proposition.id,
        revision: entry.view.revision,
        text: entry.view.proposition.text.clone(),
        line: entry.line,
        unit: entry.unit,
        always: entry.always,
        is_disputed: entry.is_disputed,
        is_related: entry.is_related,
        score: entry.score,
        why: entry.why,
        tokens: entry.tokens,
    };
    (item, entry.view)
}

fn user_name(known: Option<&Entity>, config: &Config) -> String {
    let known = known.map(|user| user.name.clone()).filter(|name| name != UNNAMED_USER);
    known.or(config.user_name.clone()).unwrap_or_else(|| "the user".into())
}

/// The most important vital statements, the older first among equals.
fn vital(state: &State) -> BTreeSet<PropositionId> {
    let mut all: Vec<&Proposition> = state.propositions().filter(|p| is_vital(p, state)).collect();
    all.sort_by(|a, b| b.importance.get().total_cmp(&a.importance.get()).then(a.id.cmp(&b.id)));
    all.into_iter().take(MOST_VITAL).map(|p| p.id).collect()
}

/// Statements that another one stands against while a person has not decided.
fn disputed(state: &State) -> BTreeSet<PropositionId> {
    let is_live = |id: &PropositionId| state.proposition(*id).is_some_and(|p| p.status.is_live());
    let mut disputed = BTreeSet::new();
    for item in state.inbox_items().filter(|item| item.is_open() && item.held.is_none()) {
        disputed.extend(item.other_propositions().chain(item.proposition.as_ref().map(|p| p.id)));
    }
    for proposition in state.propositions().filter(|p| p.status.is_live()) {
        let against: Vec<PropositionId> =
            proposition.temporal.contradicts.iter().copied().filter(&is_live).collect();
        if !against.is_empty() {
            disputed.extend(against);
            disputed.insert(proposition.id);
        }
    }
    disputed
}

/// The turns that are shown: those with words that no summary covers, the latest, with room for a draft.
fn shown_turns<'a>(
    state: &'a State,
    conversation: ConversationId,
    summary: Option<&Summary>,
    (draft, hidden): (Option<&str>, Option<TurnId>),
    most: u32,
) -> Vec<&'a Turn> {
    let covered = |turn: &Turn| summary.is_some_and(|summary| turn.index < summary.to);
    let shown = |turn: &&Turn| !turn.text.trim().is_empty() && !covered(turn) && Some(turn.id) != hidden;
    let mut turns: Vec<&Turn> = state.turns(conversation).filter(shown).collect();
    let most = (most.max(1) as usize).saturating_sub(usize::from(draft.is_some()));
    turns.split_off(turns.len().saturating_sub(most))
}

/// Tokens of messages by the estimate alone: what a server's count is held against.
fn estimated(messages: &[Message]) -> u32 {
    let each = messages.iter().map(|message| estimate(&message.text).likely.saturating_add(4));
    each.fold(0, u32::saturating_add)
}

/// What the messages cost, part by part.
fn measure(messages: &[Message], block: &str, summary: Option<&str>, meter: &Meter) -> PromptTokens {
    let mut tokens = PromptTokens::default();
    for message in messages {
        tokens.prompt = tokens.prompt.plus(meter.message(&message.text));
    }
    tokens.estimated = estimated(messages);
    let system = messages.first().map_or("", |message| &message.text);
    let summary = summary.map(quote).unwrap_or_default();
    let mut instructions = system.to_owned();
    for part in [block, &summary] {
        if !part.is_empty() {
            instructions = instructions.replacen(part, "", 1);
        }
    }
    tokens.block = meter.count(block);
    let history = messages.iter().skip(1).map(|message| meter.message(&message.text));
    tokens.sections = [
        (SectionKind::Instructions, meter.message(&instructions)),
        (SectionKind::Memory, tokens.block),
        (SectionKind::Summary, meter.count(&summary)),
        (SectionKind::History, history.fold(TokenCount::default(), TokenCount::plus)),
    ]
    .into_iter()
    .map(|(kind, tokens)| Section { kind, tokens })
    .collect();
    tokens
}

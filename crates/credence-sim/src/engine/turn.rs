//! One turn from the player's line to its record: said, answered, judged and read, summed up, compared with the turn before.

use credence::Error;
use credence::assembly::{Assembled, SectionKind, estimate};
use credence::compaction::{Compact, Compaction};
use credence::conversation::{Speaker, TurnState};
use credence::embedding::Embedder;
use credence::enforcement::EnforcementStrategy;
use credence::extraction::Trigger;
use credence::history::{Journal, Record};
use credence::id::ConversationId;
use credence::llm::{Cancel, ChatModel};
use credence::promotion::Fate;
use credence::unit::UnitView;
use futures::future::join;

use super::lines::Line;
use super::progress::Progress;
use super::{Stage, diff, plan, sight, sitting};
use crate::judge::Case;
use crate::run::{MemoryKind, TurnRecord, TurnTrace};
use crate::scan::scan;
use crate::verdict::Judgement;

/// What the log gained in a turn.
#[derive(Default)]
struct Gained {
    extracted: Vec<String>,
    promoted: Vec<String>,
    degraded: u32,
    sweep: Option<String>,
}

impl<J: Journal, M: ChatModel, E: Embedder> Stage<'_, J, M, E> {
    /// Plays a turn; 0 sets the scene.
    pub(super) async fn turn(
        &mut self,
        turn: u32,
        line: Line,
        sink: &mut dyn FnMut(Progress<'_>),
    ) -> Result<TurnRecord, Error> {
        let injection = self.condition.injection && self.control.injection();
        let listed = self.configure(turn, injection)?;
        self.host.cast.cue(turn, line.reply.as_deref());
        let conversation = self.conversation(turn).await?;
        let began = self.memory.state().seq();
        self.met.begin();
        let (kind, of) = (line.kind, self.record.settings.max_turns);
        sink(Progress::Asked { turn, of, kind, player: &line.prompt });
        self.memory.say(conversation, Speaker::User, &line.prompt).await?;
        let units_before = self.memory.working_set();
        let cancel = Cancel::new();
        let mut told = |piece: &str| sink(Progress::Text { turn, piece });
        let answer = self.memory.answer(conversation, &mut told, &cancel).await?;
        let reply = answer.turn.text.clone();
        let failed = match &answer.turn.state {
            // What a cut answer says is what the judges have; the record of its prompt says that it was cut.
            TurnState::Complete | TurnState::Cut => None,
            TurnState::Stopped => Some("the narrator was stopped".to_owned()),
            TurnState::Failed { reason, .. } => Some(reason.clone()),
        };
        sink(Progress::Replied { turn, reply: &reply });

        let is_judged = turn > 0 && kind.is_judged() && failed.is_none() && !self.scenario.facts.is_empty();
        let judging = self.judged(is_judged, &line.prompt, &reply, &units_before);
        let reading = self.read(conversation, &cancel);
        let (judgements, mut notes) = if self.host.base.sim.parallel_post_response {
            join(judging, reading).await
        } else {
            (judging.await, reading.await)
        };
        let compaction = self.summed_up(conversation, &cancel, &mut notes).await?;

        let units_after = self.memory.working_set();
        let gained = self.gained(began);
        let events = {
            let before = self.units.as_slice();
            diff::events(before, &units_after, &self.memory.log(), self.seq)
        };
        let trace = TurnTrace {
            prompt_tokens: answer
                .turn
                .metered
                .map_or(answer.assembled.tokens.prompt.likely, |counted| counted.prompt),
            memory_tokens: memory_tokens(&answer.assembled, &listed),
            reply_tokens: answer
                .reply
                .usage
                .map_or_else(|| estimate(&reply).likely, |usage| usage.completion_tokens),
            excluded: count(answer.assembled.left_out.len()),
            extracted: gained.extracted,
            promoted: gained.promoted,
            degraded_conflicts: gained.degraded,
            injection_patterns: count(scan(&line.prompt).len()),
            sweep: gained.sweep,
            sightings: sight::sightings(&answer.assembled.messages, &self.reader, &listed),
            met: self.met.taken(),
            notes,
            messages: answer.assembled.messages,
        };
        let seq = self.memory.state().seq();
        self.units.clone_from(&units_after);
        self.seq = seq;
        Ok(TurnRecord {
            turn,
            kind,
            session: sitting::name(self.scenario, turn),
            strategies: line.strategies,
            targets: line.targets,
            player: line.prompt,
            line: line.record,
            reply,
            failed,
            injection,
            judgements,
            units_before,
            units_after,
            events,
            trace,
            compliance: answer.turn.compliance.map(|report| *report),
            compaction,
            duration_ms: self.clock.waited_ms(),
            seq,
        })
    }

    /// The settings of a turn; the lines of the list that never changes, where that is what memory is.
    fn configure(&self, turn: u32, injection: bool) -> Result<Vec<String>, Error> {
        let mut config = self.config.clone();
        config.assembly.injection &= injection;
        if !injection {
            // What the prompt does not say an answer is not held to.
            config.assembly.enforcement_strategy = EnforcementStrategy::PromptOnly;
        }
        if let Some(compaction) = &self.scenario.compaction {
            let first = sitting::first_turn(self.scenario, &self.condition, turn);
            config.compaction.force_at_turns = plan::forced(compaction, first);
        }
        let listed = match self.condition.memory {
            MemoryKind::StaticList if injection => sitting::static_list(self.scenario, &self.condition, turn),
            _ => Vec::new(),
        };
        if !listed.is_empty() {
            let list = format!("{}\n\nWhat is known:\n{}", config.chat.instructions, listed.join("\n"));
            config.chat.instructions = list.trim().to_owned();
        }
        self.memory.set_config(config)?;
        Ok(listed)
    }

    /// The conversation of a turn; a sitting begins one.
    async fn conversation(&mut self, turn: u32) -> Result<ConversationId, Error> {
        if let Some(open) = self.conversation
            && !sitting::opens(self.scenario, &self.condition, turn, false)
        {
            return Ok(open);
        }
        let title = sitting::name(self.scenario, turn).unwrap_or_else(|| self.scenario.title.clone());
        let opened = self.memory.start_conversation(&title).await?;
        self.conversation = Some(opened);
        Ok(opened)
    }

    /// What each judge makes of a reply: the oracle, and the model where one judges. A judge that fails says so in its judgement.
    async fn judged(&self, is_judged: bool, player: &str, reply: &str, units: &[UnitView]) -> Vec<Judgement> {
        if !is_judged {
            return Vec::new();
        }
        let mut judgements = vec![self.reader.judge(reply)];
        if let Some(judge) = &self.judge {
            let case = Case { scenario: self.scenario, units, player, reply };
            judgements.push(judge.judge(&self.asked(), &case, &Cancel::new()).await);
        }
        judgements
    }

    /// Lets the memory learn from the turn, and look after its working set. What failed, in words.
    async fn read(&self, conversation: ConversationId, cancel: &Cancel) -> Vec<String> {
        let mut notes = Vec::new();
        if self.config.memory.enabled {
            let read = self.memory.analyse(conversation, Trigger::Now, cancel, &mut |_| {}).await;
            notes.extend(read.err().map(|error| format!("the turn was not read: {error}")));
        } else if self.condition.is_governed() {
            let kept = self.memory.keep_up(cancel).await;
            notes.extend(kept.err().map(|error| format!("the working set was not looked after: {error}")));
        }
        notes
    }

    /// The summary that the turn brought.
    async fn summed_up(
        &self,
        conversation: ConversationId,
        cancel: &Cancel,
        notes: &mut Vec<String>,
    ) -> Result<Option<credence::compaction::Summary>, Error> {
        if !self.config.compaction.enabled {
            return Ok(None);
        }
        let is_due = |why: &str| why != "no threshold is reached";
        match self.memory.compact(conversation, Compact::IfDue, cancel).await? {
            Compaction::Done(summary) => Ok(Some((*summary).clone())),
            Compaction::Not(why) => {
                notes.extend(
                    Some(why).filter(|why| is_due(why)).map(|why| format!("nothing was summed up: {why}")),
                );
                Ok(None)
            }
        }
    }

    fn gained(&self, since: u64) -> Gained {
        let mut gained = Gained::default();
        let log = self.memory.log();
        let fresh = log.commits().iter().filter(|commit| commit.seq > since);
        for record in
            fresh.flat_map(|commit| &commit.revisions).filter_map(|revision| revision.value.as_ref())
        {
            match record {
                Record::Analysis(report) => {
                    gained.extracted.extend(report.outcomes.iter().map(|outcome| outcome.text.clone()));
                }
                Record::Promotion(report) => {
                    let entered = |fate| matches!(fate, Fate::Promoted | Fate::Revived);
                    let promoted = report.candidates.iter().filter(|candidate| entered(candidate.fate));
                    gained.promoted.extend(promoted.map(|candidate| candidate.text.clone()));
                    gained.degraded += report.funnel.degraded;
                }
                Record::Sweep(report) => gained.sweep = Some(report.summary()),
                _ => {}
            }
        }
        gained
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Tokens of what memory added: the block, the summary, the list.
fn memory_tokens(assembled: &Assembled, listed: &[String]) -> u32 {
    let is_memory = |kind| matches!(kind, SectionKind::Memory | SectionKind::Summary);
    let sections = assembled.tokens.sections.iter().filter(|section| is_memory(section.kind));
    let sections = sections.map(|section| section.tokens.likely);
    let lines = listed.iter().map(|line| estimate(line).likely);
    sections.chain(lines).fold(0, u32::saturating_add)
}

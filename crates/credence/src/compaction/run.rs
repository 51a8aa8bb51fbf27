//! The use case: what is due is summed up, checked, tried again, mended, and committed. Runs in the background after an answer; nobody waits.

use std::rc::Rc;

use serde_json::{Value, json};

use super::check::{Loss, LossKind, losses};
use super::due::{Due, due};
use super::extract::{Said, closed, extractive};
use super::protect::{Protected, protected};
use super::{Attempt, CompactionSettings, Lesson, Summary, Writer, covering, guideline, standing};
use crate::conversation::Turn;
use crate::erasure::erased_since;
use crate::error::Error;
use crate::event::Event;
use crate::extraction::user_name;
use crate::history::{Actor, Cause, ContentId, ScopeInfo, State};
use crate::id::{ConversationId, RevisionId, SummaryId};
use crate::ingest::estimate_tokens;
use crate::llm::repair::complete_json;
use crate::llm::{Cancel, ChatModel, ChatRequest, Message, ReplySchema, Role, model_name};
use crate::memory::Memory;
use crate::ports::{Clock, Ports};
use crate::prompt::{
    FailedTryContext, KeptFactContext, LessonContext, LostContext, SummaryContext, SummedTurnContext,
    SummedTurnsContext,
};
use crate::resolution::UNNAMED_USER;
use crate::text;

/// Most words of a summary, chosen by us: a page.
const MOST_WORDS: u32 = 350;
/// Most tokens of the answer: its words, and what JSON and other languages add.
const MOST_ANSWER_TOKENS: u32 = 2_000;

/// When to sum up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compact {
    /// When the settings say so.
    IfDue,
    /// Now, whatever they say: a person asked.
    Now,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Compaction {
    /// The last of the summaries that were made.
    Done(Rc<Summary>),
    /// Nothing was, for this reason in words for a person.
    Not(String),
}

/// What one summary is made from.
struct Material {
    due: Due,
    earlier: Option<(SummaryId, String)>,
    turns: Vec<SummedTurnContext>,
    covered: u32,
    covers: ContentId,
    facts: Vec<Protected>,
    lessons: Vec<Lesson>,
    lesson_lines: Vec<LessonContext>,
    user: String,
    tokens_before: u32,
}

/// A text's tokens, as estimates go.
fn tokens(text: &str) -> u32 {
    u32::try_from(estimate_tokens(text)).unwrap_or(u32::MAX)
}

/// What was written.
struct Written {
    text: String,
    by: Writer,
    attempts: Vec<Attempt>,
}

impl<P: Ports> Memory<P> {
    /// The summary that stands in for a conversation's earlier turns.
    pub fn summary(&self, conversation: ConversationId) -> Option<Summary> {
        standing(&self.state(), conversation).cloned()
    }

    /// Sums up a conversation's earlier turns, in steps where they are many. A model that fails or is not connected leaves the rules, which
    /// the summary says.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Busy`] while it is being summed up; [`Error::Cancelled`], after which the steps that were
    /// committed stay; store and template errors. A model's failure is none.
    pub async fn compact(
        &self,
        conversation: ConversationId,
        when: Compact,
        cancel: &Cancel,
    ) -> Result<Compaction, Error> {
        if self.state().conversation(conversation).is_none() {
            return Err(Error::NotFound { record: conversation.to_string() });
        }
        if !self.compacting().borrow_mut().insert(conversation) {
            return Err(Error::Busy);
        }
        let outcome = self.compact_all(conversation, when, cancel).await;
        self.compacting().borrow_mut().remove(&conversation);
        outcome
    }

    async fn compact_all(
        &self,
        conversation: ConversationId,
        when: Compact,
        cancel: &Cancel,
    ) -> Result<Compaction, Error> {
        let mut last = None;
        loop {
            let settings = self.config().compaction;
            let seen = self.state().last_revision();
            let material = self.material(conversation, &settings, when == Compact::Now);
            let material = match material {
                Ok(material) => material,
                Err(why) => return Ok(last.map_or(Compaction::Not(why), Compaction::Done)),
            };
            let written = self.write(&material, &settings, cancel).await?;
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let summary = self.summary_of(conversation, &material, written, &settings);
            if summary.tokens_after >= summary.tokens_before {
                let why = format!(
                    "a summary of {} tokens would be no shorter than the turns' {}",
                    summary.tokens_after, summary.tokens_before
                );
                return Ok(last.map_or(Compaction::Not(why), Compaction::Done));
            }
            match self.keep_summary(summary, seen).await? {
                Some(summary) => {
                    if settings.events_enabled {
                        self.emit(&Event::Compacted { summary: summary.clone() });
                    }
                    last = Some(summary);
                }
                // Another tab was faster, or turns were taken back: look again.
                None => last = None,
            }
        }
    }

    fn material(
        &self,
        conversation: ConversationId,
        settings: &CompactionSettings,
        asked: bool,
    ) -> Result<Material, String> {
        let state = self.state();
        let count = tokens;
        let due = due(&state, conversation, settings, asked, &count)?;
        let (user, unnamed) = self.with_config(|config| {
            let user = user_name(&state, config);
            let unnamed = user == UNNAMED_USER;
            (user, unnamed)
        });
        let covered: Vec<&Turn> =
            state.turns(conversation).filter(|turn| (due.from..due.to).contains(&turn.index)).collect();
        let turns: Vec<SummedTurnContext> = covered
            .iter()
            .filter(|turn| turn.index >= due.fresh && !turn.text.trim().is_empty())
            .map(|turn| SummedTurnContext {
                speaker: turn.speaker.label(Some(&user)).to_owned(),
                text: turn.text.clone(),
            })
            .collect();
        let earlier = standing(&state, conversation).map(|summary| (summary.id, summary.text.clone()));
        let tokens_before = turns
            .iter()
            .map(|turn| count(&turn.text))
            .chain(earlier.iter().map(|(_, text)| count(text)))
            .fold(0, u32::saturating_add);
        let lessons = guideline::in_force(&state);
        let lesson_lines = lessons.iter().filter_map(|lesson| line(&state, lesson)).collect();
        let facts = protected(&state, &covered);
        Ok(Material {
            covered: u32::try_from(covered.len()).unwrap_or(u32::MAX),
            covers: covering(&state, conversation, due.from, due.to),
            due,
            earlier,
            turns,
            facts,
            lessons,
            lesson_lines,
            user: if unnamed { String::new() } else { user },
            tokens_before,
        })
    }

    async fn write(
        &self,
        material: &Material,
        settings: &CompactionSettings,
        cancel: &Cancel,
    ) -> Result<Written, Error> {
        let mut attempts: Vec<Attempt> = Vec::new();
        let mut best: Option<(usize, String, String)> = None;
        let mut failed: Option<FailedTryContext> = None;
        let tries = if self.chat().is_connected(Role::Extract) { settings.max_retries + 1 } else { 0 };
        for n in 0..tries {
            let waited_ms = if n == 0 { 0 } else { settings.backoff_ms(n) };
            if n > 0 {
                self.ports().clock().wait_ms(waited_ms).await;
            }
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let request = self.summary_request(material, failed.clone())?;
            let reply = complete_json(&self.chat(), Role::Extract, &request, read, cancel).await;
            let (text, model) = match reply {
                Ok(parsed) => (parsed.value, model_name(&parsed.account.model).to_owned()),
                Err(failure) => {
                    if cancel.is_cancelled() {
                        return Err(Error::Cancelled);
                    }
                    let problem = Some(failure.to_string());
                    attempts.push(Attempt { waited_ms, losses: Vec::new(), problem });
                    if failure.is_retryable() {
                        continue;
                    }
                    break;
                }
            };
            let lost = losses(&material.facts, &text, settings.min_match_ratio);
            let tokens = tokens(&text);
            let problem = (tokens >= material.tokens_before).then(|| {
                format!("it is no shorter than the turns: {tokens} tokens for {}", material.tokens_before)
            });
            attempts.push(Attempt { waited_ms, losses: lost.clone(), problem: problem.clone() });
            if lost.is_empty() && problem.is_none() {
                return Ok(Written { text, by: Writer::Model { model }, attempts });
            }
            failed = Some(FailedTryContext {
                text: text.clone(),
                losses: lost.iter().map(lost_line).collect(),
                problem: problem.clone().unwrap_or_default(),
            });
            if problem.is_none() && best.as_ref().is_none_or(|(least, ..)| lost.len() < *least) {
                best = Some((lost.len(), text, model));
            }
        }
        let mended = best.and_then(|(_, text, model)| {
            let text = mended(&material.facts, &text, settings.min_match_ratio)?;
            (tokens(&text) < material.tokens_before).then_some((text, Writer::Mended { model }))
        });
        let (text, by) = mended.unwrap_or_else(|| {
            let turns: Vec<Said<'_>> =
                material.turns.iter().map(|turn| Said { speaker: &turn.speaker, text: &turn.text }).collect();
            let earlier = material.earlier.as_ref().map(|(_, text)| text.as_str());
            let count = tokens;
            let text = extractive(&material.facts, earlier, &turns, settings.min_match_ratio, &count);
            (text, Writer::Extractive)
        });
        Ok(Written { text, by, attempts })
    }

    fn summary_request(
        &self,
        material: &Material,
        failed: Option<FailedTryContext>,
    ) -> Result<ChatRequest, Error> {
        let context = SummaryContext {
            user: material.user.clone(),
            words: MOST_WORDS,
            facts: material
                .facts
                .iter()
                .map(|fact| KeptFactContext { text: fact.text.clone(), keep: fact.carried })
                .collect(),
            lessons: material.lesson_lines.clone(),
        };
        let turns = SummedTurnsContext {
            earlier: material.earlier.as_ref().map(|(_, text)| text.clone()).unwrap_or_default(),
            turns: material.turns.clone(),
            failed,
        };
        let prompts = self.prompts();
        Ok(ChatRequest {
            messages: vec![
                Message::system(prompts.summary(&context)?),
                Message::user(prompts.summed_turns(&turns)?),
            ],
            temperature: Some(0.0),
            max_tokens: Some(MOST_ANSWER_TOKENS),
            schema: Some(schema()),
            ..ChatRequest::default()
        })
    }

    fn summary_of(
        &self,
        conversation: ConversationId,
        material: &Material,
        written: Written,
        settings: &CompactionSettings,
    ) -> Summary {
        let now = self.now().at;
        let text = text::redact(&written.text).text;
        let lost = written.attempts.iter().flat_map(|attempt| &attempt.losses);
        let guideline =
            guideline::learned(material.lessons.clone(), lost, now, settings.guideline_lines as usize);
        let carried = material.facts.iter().filter(|fact| fact.carried);
        Summary {
            id: SummaryId::new(self.next_id()),
            conversation,
            from: material.due.from,
            to: material.due.to,
            at: now,
            turns: material.covered,
            covers: Some(material.covers.clone()),
            exchanges: material.due.exchanges,
            reason: material.due.reason,
            follows: material.earlier.as_ref().map(|(id, _)| *id),
            written_by: written.by,
            protected: carried.map(|fact| fact.proposition).collect(),
            attempts: written.attempts,
            losses: losses(&material.facts, &text, settings.min_match_ratio),
            guideline,
            tokens_before: material.tokens_before,
            tokens_after: tokens(&text),
            text,
        }
    }

    /// Commits a summary, unless what it sums up has changed since: another tab's summary, or turns that were taken back.
    async fn keep_summary(&self, summary: Summary, seen: RevisionId) -> Result<Option<Rc<Summary>>, Error> {
        let reason = format!("{} earlier turns summed up", summary.turns);
        let info = ScopeInfo::new(Cause::Maintenance, Actor::Engine, reason)
            .with_id("conversation", summary.conversation);
        let (kept, _) = self
            .change(info, |state, scope| {
                let before = standing(state, summary.conversation).map(|standing| standing.id);
                let there = covering(state, summary.conversation, summary.from, summary.to);
                // What was summed up before an erasure may say what is gone.
                let fits = before == summary.follows
                    && summary.covers.as_ref() == Some(&there)
                    && !erased_since(state, seen);
                if fits {
                    scope.put(state, summary.clone(), "");
                }
                Ok(fits)
            })
            .await?;
        Ok(kept.then(|| Rc::new(summary)))
    }
}

/// The best try without what stands against a protected fact, and with what it lost; `None` when that does not help.
fn mended(facts: &[Protected], text: &str, min_match_ratio: f64) -> Option<String> {
    let lost = losses(facts, text, min_match_ratio);
    let wrong: Vec<&str> =
        lost.iter().map(|loss| loss.sentence.as_str()).filter(|sentence| !sentence.is_empty()).collect();
    let kept =
        text::sentences(text).into_iter().filter(|sentence| !wrong.contains(sentence)).map(str::to_owned);
    let carried = |loss: &&Loss| facts.iter().any(|f| f.carried && f.proposition == loss.proposition);
    let added = lost.iter().filter(carried).map(|loss| closed(&loss.text));
    let text = kept.chain(added).collect::<Vec<_>>().join(" ");
    losses(facts, &text, min_match_ratio).is_empty().then_some(text)
}

fn lost_line(loss: &Loss) -> LostContext {
    LostContext { text: loss.text.clone(), reason: loss.reason.clone(), sentence: loss.sentence.clone() }
}

/// A line of the guideline in words; `None` for a fact that is gone.
fn line(state: &State, lesson: &Lesson) -> Option<LessonContext> {
    let rule = match lesson.kind {
        LossKind::Missing => "This was left out",
        LossKind::Number => "This number was lost or changed",
        LossKind::Unit => "This unit was changed",
        LossKind::Date => "This date was lost or changed",
        LossKind::Name => "A name of this was lost",
        LossKind::Denial => "What this affirms or denies was turned around",
        LossKind::Opposed => "This was contradicted",
    };
    let text = state.proposition(lesson.proposition)?.text.clone();
    Some(LessonContext { rule, text, times: lesson.times })
}

fn schema() -> ReplySchema {
    ReplySchema {
        name: "summary".into(),
        schema: json!({
            "type": "object",
            "properties": {"summary": {"type": "string"}},
            "required": ["summary"],
            "additionalProperties": false,
        }),
    }
}

fn read(value: Value) -> Result<String, String> {
    let text = value.get("summary").and_then(Value::as_str).unwrap_or_default().trim();
    if text.is_empty() {
        Err("`summary` has to be a text that is not empty".into())
    } else {
        Ok(text.to_owned())
    }
}

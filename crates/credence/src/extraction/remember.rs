//! Remembering by hand: a statement outside any conversation goes the way of a window of one turn. What no extractor reads as
//! a fact is kept in the person's own words: an explicit wish to remember is never refused for its form.

use super::candidate::{Candidate, Extraction};
use super::cost::Cost;
use super::settings::{AnalysisOptions, Perspective};
use super::window::{Window, user_name};
use crate::error::Error;
use crate::history::{Actor, Cause, ScopeInfo};
use crate::llm::Cancel;
use crate::memory::{Memory, Remembered};
use crate::ports::Ports;
use crate::proposition::Extractor;
use crate::text;

impl<P: Ports> Memory<P> {
    /// Keeps a statement. Credentials are redacted first. A model that fails does not stop it: the words are then kept
    /// as they are, and the report says so.
    pub async fn remember(&self, statement: &str) -> Result<Remembered, Error> {
        let statement = text::redact(statement.trim()).text;
        if !statement.chars().any(char::is_alphanumeric) {
            return Err(Error::Invalid {
                what: "text",
                problem: "there is nothing to remember in it".into(),
            });
        }
        let window = Window::loose(&statement, &user_name(&self.state(), &self.config()), self.now());
        let mut cost = Cost::default();
        let options = AnalysisOptions { perspective: Some(Perspective::All), ..AnalysisOptions::default() };
        let reading = self.read_window(&window, &options).await?;
        let found = self.extract(&window, &reading, &mut cost, &Cancel::new()).await;
        let (mut extraction, mut extractor) = match found {
            Ok(found) => found,
            Err(error) => {
                cost.notes.push(format!("kept in its own words: {error}"));
                (Extraction::default(), Extractor::Person)
            }
        };
        // What a model made up in place of the statement is out first: its words are then kept instead.
        self.clean(&window, &reading, &mut extraction);
        if extraction.candidates.is_empty() {
            extraction.candidates.push(verbatim(&statement));
            extractor = Extractor::Person;
        }
        let info = ScopeInfo::new(Cause::Manual, Actor::Person, "remembered by hand");
        let report =
            self.land(&window, &reading, (extraction, extractor), cost, info, &Cancel::new()).await?;
        let Some(report) = report else { return Err(Error::Conflict { records: vec![] }) };
        self.emit(&crate::event::Event::Analysed { report: report.clone() });
        self.promote_window(&report).await?;
        Ok(Remembered { outcomes: report.outcomes.clone(), dropped: report.dropped.clone() })
    }
}

fn verbatim(statement: &str) -> Candidate {
    Candidate {
        text: statement.to_owned(),
        mentions: Vec::new(),
        confidence: 0.95,
        decay: 0.0005,
        importance: 0.6,
        reasoning: "Kept word for word, because somebody asked for it.".into(),
        turns: vec![0],
        extractor: Extractor::Person,
        valid_from: None,
        valid_to: None,
    }
}

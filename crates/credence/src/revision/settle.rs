//! The model's judgements, and what is made of them: in the order of dice 4.2, each behind a guard that the words decide.

use serde::{Deserialize, Serialize};

use super::compare::{Fresh, Met, Neighbour};
use super::decide::Decision;
use crate::conflict::UNGRADED;
use crate::id::PropositionId;
use crate::proposition::Proposition;
use crate::schema::KnowledgeSchema;

/// The most that a model's grade counts for, chosen by us: a model's word alone replaces no unit that is HOT and RELIABLE, which takes 0.9
/// (core 15 G1).
pub const MODEL_MOST: f64 = 0.85;

/// How a new statement relates to a stored one (dice 4.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Relation {
    /// Both say the same.
    Identical,
    /// The same fact, a detail more or less.
    Similar,
    /// Both cannot hold.
    Contradictory,
    /// The new one is more abstract.
    Generalizes,
    /// Nothing to do with each other.
    Unrelated,
}

impl Relation {
    /// Reads the model's word in any case; unknown words are [`Relation::Unrelated`].
    pub fn parse(word: &str) -> Self {
        let word = word.trim().trim_matches(['"', '*', '.', '`']).to_lowercase();
        match word.as_str() {
            "identical" | "same" | "duplicate" => Self::Identical,
            "similar" => Self::Similar,
            "contradictory" | "contradicts" | "contradiction" | "contradicting" => Self::Contradictory,
            "generalizes" | "generalises" | "generalization" | "generalisation" => Self::Generalizes,
            _ => Self::Unrelated,
        }
    }
}

/// A model's judgement of one pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The stored statement.
    pub stored: PropositionId,
    /// How the new one relates to it.
    pub relation: Relation,
    /// 0 to 1, clamped.
    pub similarity: f64,
    /// In the model's words.
    pub reason: String,
}

/// Settles with a model's judgements, in the order identical, contradictory, generalizes, best similar of at least
/// `reinforce_from`, new (dice 4.2). IDENTICAL and SIMILAR are not believed where numbers, dates, names, units, denial or
/// tense differ; CONTRADICTORY is not obeyed where the new one could not take the stored one's place, questions a value
/// that does not change, and retires the older of the two, whichever that is. What was not followed is noted.
pub fn settle(
    new: &Proposition,
    judged: &[(Judgement, Neighbour<'_>)],
    schema: &KnowledgeSchema,
    reinforce_from: f64,
    notes: &mut Vec<String>,
) -> Decision {
    let fresh = Fresh::new(new, schema);
    let judged: Vec<(&Judgement, Met<'_>)> =
        judged.iter().map(|(judgement, stored)| (judgement, Met::new(&fresh, stored))).collect();
    let by = |relation: Relation| judged.iter().filter(move |(judgement, _)| judgement.relation == relation);
    let mut doubts = Doubts { text: &new.text, notes, last: None };
    for (judgement, met) in by(Relation::Identical) {
        match met.difference(&fresh) {
            None => return Decision::Merge { into: judgement.stored, why: reason(judgement) },
            Some(difference) => doubts.note("the same as", met, &difference),
        }
    }
    let mut opposed: Vec<(&Judgement, &Met<'_>)> = Vec::new();
    for (judgement, met) in by(Relation::Contradictory) {
        match met.why_not_replaced(&fresh) {
            None => opposed.push((judgement, met)),
            Some(why) => doubts.note("opposed to", met, &why),
        }
    }
    if let Some(decision) = replace(&fresh, &opposed) {
        return decision;
    }
    let covered: Vec<&Judgement> = by(Relation::Generalizes).map(|(judgement, _)| *judgement).collect();
    if let Some(first) = covered.first() {
        return Decision::Generalize {
            covered: covered.iter().map(|j| j.stored).collect(),
            why: reason(first),
        };
    }
    let best = by(Relation::Similar)
        .filter(|(judgement, _)| judgement.similarity >= reinforce_from)
        .max_by(|(a, _), (b, _)| a.similarity.total_cmp(&b.similarity).then(b.stored.cmp(&a.stored)));
    if let Some((judgement, met)) = best {
        match met.difference(&fresh) {
            None => return Decision::Reinforce { other: judgement.stored, why: reason(judgement) },
            Some(difference) => doubts.note("much like", met, &difference),
        }
    }
    let why = match doubts.last {
        Some(difference) => format!("kept apart although the model saw otherwise: {difference}"),
        None => "nothing that is known says the same or stands against it".into(),
    };
    Decision::New { why }
}

fn replace(fresh: &Fresh<'_>, opposed: &[(&Judgement, &Met<'_>)]) -> Option<Decision> {
    let (first, _) = opposed.first()?;
    let ids = |met: &mut dyn Iterator<Item = &(&Judgement, &Met<'_>)>| {
        met.map(|(j, _)| j.stored).collect::<Vec<_>>()
    };
    let immutable = ids(&mut opposed.iter().filter(|(_, met)| met.is_immutable(fresh)));
    if !immutable.is_empty() {
        let why = format!("{}; it does not change, so one of the two is wrong", reason(first));
        return Some(Decision::Dispute { others: immutable, why });
    }
    let moved_on = opposed.iter().all(|(_, met)| met.is_single(fresh));
    let later =
        opposed.iter().filter(|(_, met)| met.is_after(fresh)).min_by_key(|(_, met)| met.cut_off(fresh.new));
    if let Some((judgement, met)) = later {
        let why = format!("{}; what is known is newer", reason(judgement));
        return Some(Decision::Outdated {
            by: judgement.stored,
            until: met.cut_off(fresh.new),
            moved_on,
            why,
        });
    }
    let confidence = opposed.iter().map(|(judgement, _)| graded(judgement)).fold(1.0, f64::min);
    Some(Decision::Contradict { others: ids(&mut opposed.iter()), moved_on, why: reason(first), confidence })
}

/// How squarely two statements are opposed: the model's number for the pair, which is all the grade it gives.
fn graded(judgement: &Judgement) -> f64 {
    if judgement.similarity > 0.0 { judgement.similarity.min(MODEL_MOST) } else { UNGRADED }
}

fn reason(judgement: &Judgement) -> String {
    if judgement.reason.is_empty() { "by the model's judgement".to_owned() } else { judgement.reason.clone() }
}

/// Judgements that were not followed.
struct Doubts<'a> {
    text: &'a str,
    notes: &'a mut Vec<String>,
    last: Option<String>,
}

impl Doubts<'_> {
    fn note(&mut self, said: &str, met: &Met<'_>, why: &str) {
        let cut = |text: &str| crate::text::excerpt(text, 80);
        self.notes.push(format!(
            "the model took `{}` to be {said} `{}`; not followed: {why}",
            cut(self.text),
            cut(&met.stored.text)
        ));
        self.last = Some(why.to_owned());
    }
}

//! A stored statement beside a new one: what of the two is compared, read once for every rule.
//!
//! Who they are about, which slot they fill, which of them stands later in time. Two clocks are kept apart here: when a
//! thing was said, and when it holds (dice 1.5). A statement in the present holds when it was said; an event ("moved to") and
//! the past hold when they say so.

use std::borrow::Cow;
use std::rc::Rc;

use crate::id::EntityId;
use crate::proposition::{MentionRole, Proposition};
use crate::schema::{Cardinality, KnowledgeSchema};
use crate::text::{self, ComparableText, Held, Opposition, OppositionKind, Slot, Texts};
use crate::time::{DAY_MS, Timestamp};

/// A stored statement near to a new one.
#[derive(Debug, Clone, Copy)]
pub struct Neighbour<'a> {
    /// The statement as it stands: live, or stale.
    pub proposition: &'a Proposition,
    /// Whether it was made in this very run.
    pub in_run: bool,
    /// When it was last said, as far as its turns tell; not before its first observation.
    pub last_said: Timestamp,
}

impl<'a> Neighbour<'a> {
    /// A stored statement of before this run, last said when it was first said.
    pub fn new(proposition: &'a Proposition) -> Self {
        Self { proposition, in_run: false, last_said: said(proposition) }
    }
}

/// How far a beginning may lie before a present that it contradicts and still be news about it: 92 days, a season, chosen by us.
const NEWS_MS: i64 = 92 * DAY_MS;

fn is_begun(slot: &Option<Slot>) -> bool {
    slot.as_ref().is_some_and(|slot| slot.held == Held::Began)
}

/// When a statement was first said.
pub(super) fn said(p: &Proposition) -> Timestamp {
    p.temporal.observed_at.unwrap_or(p.created)
}

/// Whether a statement was over when it was said: "used to live in Oslo".
pub(super) fn is_past(p: &Proposition) -> bool {
    p.temporal.valid_to.is_some_and(|to| to <= said(p))
}

/// Since when a statement holds, as far as is known.
pub(super) fn starts(p: &Proposition) -> Timestamp {
    p.temporal.valid_from.unwrap_or_else(|| said(p))
}

/// What was read of the texts of one run under one schema: each once, however many it is laid beside.
#[derive(Debug)]
pub(crate) struct Readings<'s> {
    schema: &'s KnowledgeSchema,
    texts: Texts,
}

impl<'s> Readings<'s> {
    /// Goes on from what was read of `texts`.
    pub(crate) fn new(schema: &'s KnowledgeSchema, texts: &Texts) -> Rc<Self> {
        Rc::new(Self { schema, texts: texts.clone() })
    }
    /// As [`slot`] has it.
    pub(super) fn slot(&self, text: &str) -> Option<Slot> {
        self.texts.slot(text, || slot(text, self.schema))
    }
}

/// A new statement as it is compared.
pub(crate) struct Fresh<'a> {
    pub(super) new: &'a Proposition,
    /// Its text with what was read of it.
    pub(super) read: Rc<ComparableText>,
    pub(super) canonical: String,
    pub(super) slot: Option<Slot>,
    /// Whether it says itself that something is over.
    pub(super) ends: bool,
    readings: Rc<Readings<'a>>,
}

impl<'a> Fresh<'a> {
    pub(super) fn new(new: &'a Proposition, schema: &'a KnowledgeSchema) -> Self {
        Self::reading(new, &Readings::new(schema, &Texts::default()))
    }

    /// The same with what is known of the run's texts.
    pub(crate) fn reading(new: &'a Proposition, readings: &Rc<Readings<'a>>) -> Self {
        let read = readings.texts.of(&new.text);
        let ends = is_past(new) && text::says_over(&new.text);
        Self {
            new,
            canonical: read.canonical().to_owned(),
            slot: readings.slot(&new.text),
            read,
            ends,
            readings: readings.clone(),
        }
    }

    /// Its text with what was read of it.
    pub(crate) fn text(&self) -> &ComparableText {
        &self.read
    }
}

/// The slot that a text fills: by the known sentence shapes, or by the schema's own predicates. What the schema says of the
/// number of values goes before the built-in table.
pub(super) fn slot(text: &str, schema: &KnowledgeSchema) -> Option<Slot> {
    let read = text::slot(text);
    let mut slot = read.or_else(|| text::slot_by(text, &schema.relations.stated_by(text)?.predicate))?;
    if let Some(cardinality) = schema.cardinality(&slot.relation) {
        slot.cardinality = cardinality;
    }
    Some(slot)
}

/// A stored statement beside a new one.
pub(super) struct Met<'a> {
    pub(super) stored: &'a Proposition,
    pub(super) in_run: bool,
    /// The stored text in the new one's words for their common subject.
    pub(super) text: Cow<'a, str>,
    /// The same with what was read of it.
    pub(super) read: Rc<ComparableText>,
    pub(super) slot: Option<Slot>,
    /// Whether the subjects may be one.
    pub(super) one_subject: bool,
    last_said: Timestamp,
}

impl<'a> Met<'a> {
    pub(super) fn new(fresh: &Fresh<'_>, neighbour: &Neighbour<'a>) -> Self {
        let stored = neighbour.proposition;
        let text = aligned(fresh.new, stored);
        Self {
            stored,
            in_run: neighbour.in_run,
            slot: fresh.readings.slot(&text),
            read: fresh.readings.texts.of(&text),
            text,
            one_subject: share_subject(fresh.new, stored),
            last_said: neighbour.last_said,
        }
    }

    pub(super) fn is_the_same_as(&self, fresh: &Fresh<'_>) -> bool {
        self.read.canonical() == fresh.canonical
            || self.one_subject && self.read.is_the_same_but_written(&fresh.read)
    }

    /// The two slots, where both are read and ask one question of one subject.
    fn one_question<'s>(&'s self, fresh: &'s Fresh<'_>) -> Option<(&'s Slot, &'s Slot)> {
        let (ours, theirs) = (fresh.slot.as_ref()?, self.slot.as_ref()?);
        let one =
            self.one_subject && ours.relation == theirs.relation && self.subject_is_one(fresh, ours, theirs);
        one.then_some((ours, theirs))
    }

    /// By its words, or because both name the very same entity: "Ana" and "User's sister Ana".
    fn subject_is_one(&self, fresh: &Fresh<'_>, ours: &Slot, theirs: &Slot) -> bool {
        text::fold(&ours.subject) == text::fold(&theirs.subject) || self.is_one_entity(fresh, ours, theirs)
    }

    fn is_one_entity(&self, fresh: &Fresh<'_>, ours: &Slot, theirs: &Slot) -> bool {
        named_subject(fresh.new, ours)
            .zip(named_subject(self.stored, theirs))
            .is_some_and(|(ours, theirs)| ours == theirs)
    }

    fn one_value(&self, fresh: &Fresh<'_>) -> bool {
        self.one_question(fresh).is_some_and(|(a, b)| text::fold(&a.value) == text::fold(&b.value))
    }

    /// "Lives in Bonn" and "lives in Bonn now": one subject, relation and value, and nothing particular that differs.
    pub(super) fn fills_the_slot_of(&self, fresh: &Fresh<'_>) -> bool {
        self.one_question(fresh).is_some_and(|(a, b)| (a.held == Held::Past) == (b.held == Held::Past))
            && self.one_value(fresh)
            && self.one_question(fresh).is_some_and(|(a, b)| tells_no_more(&a.subject, &b.subject))
            && fresh.read.difference(&self.read).is_none()
    }

    /// Another value of a relation with many: decided, it is another fact.
    pub(super) fn is_beside(&self, fresh: &Fresh<'_>) -> bool {
        self.one_question(fresh).is_some_and(|(a, _)| a.cardinality == Cardinality::Many)
            && !self.one_value(fresh)
    }

    /// The new one says that this is over: "used to live in Oslo" against "lives in Oslo".
    pub(super) fn is_ended_by(&self, fresh: &Fresh<'_>) -> bool {
        let same = || self.one_value(fresh) || text::same_but_over(&fresh.new.text, &self.text);
        fresh.ends && self.one_subject && !is_past(self.stored) && !self.reads_past() && same()
    }

    /// This says that the new one is over.
    pub(super) fn ends(&self, fresh: &Fresh<'_>) -> bool {
        let same = || self.one_value(fresh) || text::same_but_over(&self.text, &fresh.new.text);
        is_past(self.stored)
            && self.one_subject
            && !is_past(fresh.new)
            && text::says_over(&self.text)
            && same()
    }

    /// The present value of the slot whose past value the new one tells.
    pub(super) fn follows(&self, fresh: &Fresh<'_>) -> bool {
        let single = |slot: &Slot| slot.cardinality == Cardinality::One && slot.held == Held::Past;
        self.one_question(fresh).is_some_and(|(ours, theirs)| single(ours) && theirs.held != Held::Past)
            && !self.one_value(fresh)
            && !is_past(self.stored)
    }

    fn reads_past(&self) -> bool {
        self.slot.as_ref().is_some_and(|slot| slot.held == Held::Past)
    }

    /// Whether the two cannot both hold, by their words alone.
    pub(super) fn opposes(&self, fresh: &Fresh<'_>) -> Option<Opposition> {
        if !self.one_subject || is_past(fresh.new) != is_past(self.stored) {
            return None;
        }
        let by_words = fresh.read.opposes(&self.read);
        if by_words.as_ref().is_some_and(|found| found.kind != OppositionKind::Value) {
            return by_words;
        }
        let (mut ours, mut theirs) =
            (Cow::Borrowed(fresh.slot.as_ref()?), Cow::Borrowed(self.slot.as_ref()?));
        if (!ours.is_unique || theirs.subject != ours.subject) && self.is_one_entity(fresh, &ours, &theirs) {
            // "User's sister" may be several, "User's sister Ana" is one.
            ours.to_mut().is_unique = true;
            theirs.to_mut().subject.clone_from(&ours.subject);
        }
        Some(Opposition { kind: OppositionKind::Value, reason: ours.conflict(&theirs)? })
    }

    /// Whether a second value of the relation is a question to a person.
    pub(super) fn is_immutable(&self, fresh: &Fresh<'_>) -> bool {
        self.one_question(fresh).is_some_and(|(slot, _)| slot.cardinality == Cardinality::Immutable)
            && !self.one_value(fresh)
    }

    /// Whether the relation has one value at a time, so that a newer one moves on instead of correcting.
    pub(super) fn is_single(&self, fresh: &Fresh<'_>) -> bool {
        self.one_question(fresh).is_some_and(|(slot, _)| slot.cardinality == Cardinality::One)
    }

    /// Whether the new statement stands before this one in time: where both say since when they hold, by that; else an event
    /// and the past by when they hold, the present by when it was last said. At one time the later in the log stands later.
    pub(super) fn is_after(&self, fresh: &Fresh<'_>) -> bool {
        let (new, stored) = (fresh.new, self.stored);
        if let (Some(ours), Some(theirs)) = (new.temporal.valid_from, stored.temporal.valid_from)
            && ours != theirs
        {
            return ours < theirs;
        }
        // "I moved to Bergen last week", said after "I live in Oslo": the later word corrects the earlier one, although the
        // move came before it. What began long before says what was.
        let began = new.temporal.valid_from.filter(|_| is_begun(&fresh.slot));
        if began.is_some_and(|from| self.last_said.0.saturating_sub(from.0) < NEWS_MS)
            && said(new) >= self.last_said
        {
            return false;
        }
        let place = |p: &Proposition, slot: &Option<Slot>, said: Timestamp| match slot {
            Some(slot) if slot.held != Held::Now => p.temporal.valid_from.unwrap_or(said),
            _ => said,
        };
        place(new, &fresh.slot, said(new)) < place(stored, &self.slot, self.last_said)
    }

    /// Where the new statement ends because of this later one.
    pub(super) fn cut_off(&self, new: &Proposition) -> Timestamp {
        let start = starts(self.stored);
        if start >= starts(new) { start } else { self.last_said.max(starts(new)) }
    }

    /// Why a model's CONTRADICTORY is not obeyed: the newer one could not take the older one's place (spec section 4 with
    /// the fix that many-valued facts never replace each other).
    pub(super) fn why_not_replaced(&self, fresh: &Fresh<'_>) -> Option<String> {
        if !self.one_subject {
            return Some("they are about different subjects".into());
        }
        if let (Some(ours), Some(theirs)) = (&fresh.slot, &self.slot) {
            if !self.subject_is_one(fresh, ours, theirs) {
                return Some(format!("one is about {}, the other about {}", ours.subject, theirs.subject));
            }
            if ours.relation != theirs.relation {
                return Some(format!(
                    "\u{201c}{}\u{201d} and \u{201c}{}\u{201d} are different matters",
                    ours.relation, theirs.relation
                ));
            }
            if self.is_beside(fresh) {
                return Some(format!("\u{201c}{}\u{201d} can have many values", ours.relation));
            }
        }
        (is_past(fresh.new) != is_past(self.stored) || apart(fresh.new, self.stored))
            .then(|| "they are about different times".into())
    }

    /// Why the two are not one statement, whatever a model says: numbers, dates, names, units, denial, tense.
    pub(super) fn difference(&self, fresh: &Fresh<'_>) -> Option<String> {
        if !self.one_subject {
            return Some("they are about different subjects".into());
        }
        if let Some(found) = fresh.read.difference(&self.read) {
            return Some(found.reason);
        }
        let past = |p: &Proposition, slot: &Option<Slot>| {
            is_past(p) || slot.as_ref().is_some_and(|slot| slot.held == Held::Past)
        };
        if past(fresh.new, &fresh.slot) != past(self.stored, &self.slot) {
            return Some("one tells what was, the other what is".into());
        }
        names_differ(fresh.new, self.stored, &self.text)
    }
}

/// The entity that a slot's subject is, where its words end or begin with that entity's name: "User's sister Ana", but not
/// "Ana's mother".
fn named_subject(p: &Proposition, slot: &Slot) -> Option<EntityId> {
    let mention = p.mention_in(MentionRole::Subject)?;
    let (subject, name) = (text::fold(&slot.subject), text::fold(&mention.span));
    let rest = subject.strip_suffix(&name).or_else(|| subject.strip_prefix(&name))?;
    let apart = rest.is_empty() || rest.ends_with(' ') || rest.starts_with(',');
    // "User's sister" alone may be another sister next time.
    mention.entity.filter(|_| apart && (slot.is_unique || !rest.is_empty()))
}

/// Whether a subject is told of no further than the known one: merging "User's sister Ana" into "Ana" would lose whose sister
/// she is.
fn tells_no_more(new: &str, stored: &str) -> bool {
    text::fold(stored).contains(&text::fold(new))
}

/// Both dated, and not at one time.
pub(super) fn apart(a: &Proposition, b: &Proposition) -> bool {
    let dated = |p: &Proposition| p.temporal.valid_from.is_some() || p.temporal.valid_to.is_some();
    let before = |a: &Proposition, b: &Proposition| a.temporal.valid_to.is_some_and(|to| to <= starts(b));
    dated(a) && dated(b) && (before(a, b) || before(b, a))
}

/// Two statements whose subjects resolved to different entities are about different things, whatever their words.
pub(crate) fn share_subject(a: &Proposition, b: &Proposition) -> bool {
    let subject = |p: &Proposition| p.mention_in(MentionRole::Subject).and_then(|m| m.entity);
    match (subject(a), subject(b)) {
        (Some(a), Some(b)) => a == b,
        _ => true,
    }
}

/// The stored statement in the new one's words for their common subject: "User lives in Oslo" was said before the user gave
/// their name, and "Mara lives in Bergen" is about the same person.
pub(crate) fn aligned<'a>(new: &Proposition, stored: &'a Proposition) -> Cow<'a, str> {
    match (new.mention_in(MentionRole::Subject), stored.mention_in(MentionRole::Subject)) {
        (Some(ours), Some(theirs))
            if ours.entity.is_some() && ours.entity == theirs.entity && ours.span != theirs.span =>
        {
            match stored.text.strip_prefix(theirs.span.as_str()) {
                Some(rest) => format!("{}{rest}", ours.span).into(),
                None => Cow::Borrowed(&stored.text),
            }
        }
        _ => Cow::Borrowed(&stored.text),
    }
}

/// Whether two statements share an entity, or a span where nothing resolved; true when either mentions nothing (dice 4.2).
pub(crate) fn overlap(a: &Proposition, b: &Proposition) -> bool {
    if a.mentions.is_empty() || b.mentions.is_empty() {
        return true;
    }
    a.mentions.iter().any(|x| {
        b.mentions.iter().any(|y| match (x.entity, y.entity) {
            (Some(x), Some(y)) => x == y,
            _ => text::fold(&x.span) == text::fold(&y.span),
        })
    })
}

/// In scripts without capitals no word shows that it is a name; the mentions do: each statement mentions something in such a
/// script that the other does not hold.
fn names_differ(new: &Proposition, stored: &Proposition, stored_text: &str) -> Option<String> {
    let caseless = |span: &str| {
        span.chars().any(char::is_alphabetic) && span.chars().all(|c| !c.is_uppercase() && !c.is_lowercase())
    };
    let strange = |p: &Proposition, text: &str, other: &Proposition| {
        let text = text::fold(text);
        p.mentions
            .iter()
            .filter(|m| caseless(&m.span) && !text.contains(&text::fold(&m.span)))
            .find(|m| m.entity.is_none() || !other.mentions.iter().any(|o| o.entity == m.entity))
            .map(|m| m.span.clone())
    };
    let (ours, theirs) = (strange(new, stored_text, stored)?, strange(stored, &new.text, new)?);
    Some(format!("names differ: {ours} / {theirs}"))
}

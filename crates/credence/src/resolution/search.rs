//! The searcher chain: by id, exact name, normal name, part of a name, spelling, vector; each looks only when those before it
//! were not sure, and is sure only when exactly one entity fits (dice 5.3).
//!
//! Where the predecessor would merge what is not one, ours makes a candidate (deviations D40 to D46): a suggested id whose
//! entity has another kind or an unrelated name; a part of a name that is no person's; a spelling that may be another name;
//! a vector of two people with different names. Kinds that exclude each other and names that do (numbers, suffixes) are not
//! even candidates.

use std::collections::BTreeSet;

use super::config::{ResolutionConfig, Searcher};
use super::directory::Directory;
use super::kinds::{Family, Fit, family, fit};
use super::names::{is_proper, is_vague};
use super::outcome::{ResolutionOutcome, Sought};
use super::roles::{Acquaintance, compare};
use crate::entity::Entity;
use crate::id::EntityId;
use crate::text::{self, ComparableName, Likeness, NameMatch};

/// A possible entity, how alike it is, and by what.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) entity: EntityId,
    pub(crate) score: f64,
    pub(crate) why: String,
}

/// What the chain found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Found {
    /// Exactly one, surely.
    One(EntityId, Searcher, String),
    /// Possible ones, best first; empty when nothing is like it. The reason says what was met.
    Open(Vec<Candidate>, String),
}

struct Search<'a> {
    directory: &'a Directory,
    sought: &'a Sought,
    name: ComparableName,
    config: &'a ResolutionConfig,
    only: Option<&'a BTreeSet<EntityId>>,
    candidates: Vec<Candidate>,
}

/// Runs the chain. `near` are the nearest entities by vector, with their cosines, gathered before; `only` narrows the search
/// to some entities.
pub(crate) fn search(
    directory: &Directory,
    sought: &Sought,
    near: &[(EntityId, f64)],
    config: &ResolutionConfig,
    only: Option<&BTreeSet<EntityId>>,
) -> Found {
    let name = ComparableName::new(&sought.name);
    let mut search = Search { directory, sought, name, config, only, candidates: Vec::new() };
    search.run(near)
}

impl Search<'_> {
    fn run(&mut self, near: &[(EntityId, f64)]) -> Found {
        if let Some(found) = self.by_id() {
            return found;
        }
        if is_vague(&self.sought.name) {
            return self.open("names nothing in particular");
        }
        let exact = self.directory.by_exact_name(&self.sought.name);
        let others = !exact.is_empty();
        if self.config.uses(Searcher::ExactName)
            && let Some(found) = self.same_name(exact, Searcher::ExactName, "the same name")
        {
            return found;
        }
        if self.config.uses(Searcher::NormalizedName) {
            let same: Vec<EntityId> = self
                .directory
                .by_key(&self.name)
                .into_iter()
                .filter(|id| self.likeness(*id) == NameMatch::Same)
                .collect();
            if let Some(found) =
                self.same_name(same, Searcher::NormalizedName, "the same name in another form")
            {
                return found;
            }
        }
        // Entities of this name are known, and which of them is meant is open: what is merely like it says no more.
        if !self.candidates.is_empty() {
            return self.open("");
        }
        if is_proper(&self.sought.name, self.sought.kind()) {
            let found = self.partial().or_else(|| self.fuzzy()).or_else(|| self.vector(near));
            if let Some(found) = found {
                return found;
            }
        }
        // Where somebody may be meant, that is the reason why the entity is unsure.
        self.open(match (self.candidates.is_empty(), others) {
            (false, _) => "",
            (true, true) => "another kind of thing of the same name is known",
            (true, false) => "first mention",
        })
    }

    fn open(&mut self, why: &str) -> Found {
        self.candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.entity.cmp(&b.entity)));
        let why = match self.candidates.first() {
            Some(first) if why.is_empty() => first.why.clone(),
            _ => why.to_owned(),
        };
        Found::Open(std::mem::take(&mut self.candidates), why)
    }
    fn add(&mut self, entity: EntityId, score: f64, why: impl Into<String>) {
        if !self.candidates.iter().any(|known| known.entity == entity) {
            self.candidates.push(Candidate { entity, score, why: why.into() });
        }
    }
    fn get(&self, id: EntityId) -> Option<&'_ Entity> {
        self.directory.get(id).filter(|_| self.only.is_none_or(|only| only.contains(&id)))
    }
    fn fit(&self, entity: &Entity) -> Fit {
        fit(&entity.labels, self.sought.kinds())
    }
    /// How the name is like the entity's: the best of its names counts.
    fn likeness(&self, id: EntityId) -> NameMatch {
        let rules = self.config.name_rules();
        let names = self.directory.names(id).iter();
        names.map(|name| self.name.compare(name, rules)).min().unwrap_or(NameMatch::Different)
    }
    /// Whether every name of the entity says that it is another thing: another number, another suffix.
    fn is_excluded(&self, id: EntityId) -> bool {
        let names = self.directory.names(id);
        !names.is_empty() && names.iter().all(|name| self.name.excludes(name))
    }
    fn acquaintance(&self, id: EntityId) -> Acquaintance {
        compare(self.sought.introduction.as_ref(), self.directory.introductions(id))
    }

    fn by_id(&mut self) -> Option<Found> {
        let id = self.sought.suggested.filter(|_| self.config.uses(Searcher::Id))?;
        let entity = self.get(id)?;
        let points = is_vague(&self.sought.name);
        let related =
            points || self.likeness(id) != NameMatch::Different || abbreviates(&self.sought.name, entity);
        let problem = match self.fit(entity) {
            Fit::Different => "the extractor took it for this one, which is another kind of thing",
            _ if !points && self.is_excluded(id) => {
                "the extractor took it for this one, whose number or suffix is another"
            }
            _ if self.acquaintance(id) == Acquaintance::Other => {
                "the extractor took it for this one, which was introduced as somebody else"
            }
            _ if related => {
                let why = format!("the extractor named the known `{}`", entity.name);
                return Some(Found::One(id, Searcher::Id, why));
            }
            _ => "the extractor took it for this one, whose name is unlike",
        };
        if self.fit(entity) != Fit::Different && !self.is_excluded(id) {
            self.add(id, 0.9, problem);
        }
        None
    }

    /// Entities of the very name: one of the kind that nothing speaks against is it.
    fn same_name(&mut self, ids: Vec<EntityId>, searcher: Searcher, how: &str) -> Option<Found> {
        let mut fitting = Vec::new();
        // A common word is one thing whichever of its kinds the extractor thought of: coffee is a drink and a topic.
        let word = !is_proper(&self.sought.name, "");
        for id in ids {
            let Some(entity) = self.get(id) else { continue };
            let fit = match self.fit(entity) {
                Fit::Unsure if word => Fit::Same,
                fit => fit,
            };
            match (fit, self.acquaintance(id)) {
                (Fit::Same, Acquaintance::Other) => {
                    let known = self.directory.introductions(id).map(|known| known.describe());
                    let known = known.collect::<Vec<_>>().join(", ");
                    let now = self.sought.introduction.as_ref().map(|now| now.describe()).unwrap_or_default();
                    self.add(id, 0.8, format!("{how}, but known as {known} and now as {now}"));
                }
                (Fit::Same, acquaintance) => fitting.push((id, acquaintance)),
                (Fit::Unsure, _) => {
                    let labels = entity.labels.join(", ");
                    self.add(id, 0.8, format!("{how}; {labels} and {} may be one kind", self.sought.kind()));
                }
                (Fit::Different, _) => {}
            }
        }
        let one = |ids: Vec<EntityId>| if let [only] = ids[..] { Some(only) } else { None };
        let all: Vec<EntityId> = fitting.iter().map(|(id, _)| *id).collect();
        let introduced: Vec<EntityId> =
            fitting.iter().filter(|(_, a)| *a == Acquaintance::Same).map(|(id, _)| *id).collect();
        let chosen = match (&introduced[..], &all[..]) {
            ([only], _) => Some((*only, "the same name and introduction")),
            ([], [only]) => Some((*only, how)),
            _ => self.preferred(&all, &one).map(|id| (id, how)),
        };
        if let Some((id, why)) = chosen {
            return Some(Found::One(id, searcher, why.to_owned()));
        }
        for id in &all {
            self.add(*id, 1.0, format!("{how}, and {} are known", all.len()));
        }
        None
    }

    /// Among several of one name: the only one of exactly this label; the only one in exactly this spelling; the one that was
    /// made when it was just as unsure which of the others is meant.
    fn preferred(
        &self,
        ids: &[EntityId],
        one: &dyn Fn(Vec<EntityId>) -> Option<EntityId>,
    ) -> Option<EntityId> {
        let those = |keep: &dyn Fn(&Entity) -> bool| -> Vec<EntityId> {
            ids.iter().copied().filter(|id| self.directory.get(*id).is_some_and(keep)).collect()
        };
        let labelled = those(&|entity| self.sought.kinds().any(|kind| entity.has_label(kind)));
        let spelled = those(&|entity| entity.names().any(|name| name == self.sought.name));
        let undecided = those(&|entity| {
            let may_be = |id: &EntityId| entity.possible_duplicates.iter().any(|link| link.entity == *id);
            ids.iter().all(|id| *id == entity.id || may_be(id))
        });
        one(labelled)
            .or_else(|| one(spelled))
            .or_else(|| one(undecided).filter(|_| self.sought.introduction.is_none()))
    }

    fn partial(&mut self) -> Option<Found> {
        if !self.config.uses(Searcher::PartialName) {
            return None;
        }
        let mut sure = Vec::new();
        for id in self.directory.by_word(&self.name) {
            let Some(entity) = self.get(id) else { continue };
            if self.fit(entity) == Fit::Different {
                continue;
            }
            let (why, score) = match self.likeness(id) {
                NameMatch::Candidate(Likeness::Part) => ("a part of the name", 0.75),
                NameMatch::Candidate(Likeness::Suffix) => ("the same name but for its suffix", 0.7),
                _ => continue,
            };
            let is_part = score > 0.7;
            match stands_for(&self.name, self.directory.names(id), self.sought, entity) {
                Stands::Never => continue,
                Stands::Surely
                    if is_part
                        && self.fit(entity) == Fit::Same
                        && self.acquaintance(id) != Acquaintance::Other =>
                {
                    sure.push(id);
                }
                _ => {}
            }
            self.add(id, score, format!("{why} `{}`", entity.name));
        }
        self.only(&sure, Searcher::PartialName)
    }

    fn fuzzy(&mut self) -> Option<Found> {
        if !self.config.uses(Searcher::FuzzyName) {
            return None;
        }
        let tolerance = (self.config.fuzzy_ratio * self.name.length() as f64) as usize + 1;
        let mut sure = Vec::new();
        for id in self.directory.by_length(self.name.length(), tolerance) {
            let Some(entity) = self.get(id) else { continue };
            let alike = self.likeness(id);
            let (why, score) = match alike {
                NameMatch::Candidate(Likeness::Spelling) => ("spelled almost like", 0.7),
                NameMatch::Candidate(Likeness::Accents) => ("spelled with other accents than", 0.85),
                _ => continue,
            };
            if self.fit(entity) == Fit::Different || !is_proper(&entity.name, self.sought.kind()) {
                continue;
            }
            let slip = self.directory.names(id).iter().any(|name| self.name.is_slip_of(name));
            if slip
                && alike == NameMatch::Candidate(Likeness::Spelling)
                && self.fit(entity) == Fit::Same
                && self.acquaintance(id) != Acquaintance::Other
            {
                sure.push(id);
            }
            self.add(id, score, format!("{why} `{}`", entity.name));
        }
        self.only(&sure, Searcher::FuzzyName)
    }

    fn vector(&mut self, near: &[(EntityId, f64)]) -> Option<Found> {
        if !self.config.uses(Searcher::Vector) {
            return None;
        }
        let mut sure = Vec::new();
        let person = family(self.sought.kind()) == Some(Family::Person);
        for (id, cosine) in near.iter().filter(|(_, cosine)| *cosine >= self.config.vector_candidate) {
            let Some(entity) = self.get(*id) else { continue };
            let fit = self.fit(entity);
            if fit == Fit::Different || self.is_excluded(*id) || self.is_near_but_apart(*id, entity) {
                continue;
            }
            let named =
                !person || self.directory.names(*id).iter().any(|name| self.name.has_the_words_of(name));
            if *cosine >= self.config.vector_accept
                && fit == Fit::Same
                && named
                && self.acquaintance(*id) != Acquaintance::Other
            {
                sure.push(*id);
            }
            self.add(*id, *cosine, format!("near in meaning to `{}` ({cosine:.2})", entity.name));
        }
        self.only(&sure, Searcher::Vector)
    }

    /// What lies near in meaning because it belongs together: Berlin and Germany, York and New York.
    fn is_near_but_apart(&self, id: EntityId, entity: &Entity) -> bool {
        let region = |name: &str| text::is_region(&text::fold(name));
        let holds = family(self.sought.kind()) == Some(Family::Place)
            && region(&self.sought.name) != entity.names().any(region);
        let names = self.directory.names(id);
        let part = self.likeness(id) == NameMatch::Candidate(Likeness::Part);
        holds || (part && matches!(stands_for(&self.name, names, self.sought, entity), Stands::Never))
    }

    /// The exactly-one rule of the searchers that look for likeness: one sure find, and no other candidate as good.
    fn only(&self, sure: &[EntityId], searcher: Searcher) -> Option<Found> {
        let [only] = sure else { return None };
        let found = self.candidates.iter().find(|candidate| candidate.entity == *only)?;
        let rivals = self.candidates.iter().any(|c| c.entity != *only && c.score >= found.score);
        (!rivals).then(|| Found::One(*only, searcher, found.why.clone()))
    }
}

/// Whether a part of a name stands for the whole.
enum Stands {
    Surely,
    Perhaps,
    Never,
}

/// "Brahms" is Johannes Brahms and "Acme" is Acme Inc., but "York" is not New York, nor Microsoft a "Microsoft Research".
fn stands_for(name: &ComparableName, others: &[ComparableName], sought: &Sought, entity: &Entity) -> Stands {
    const EMPTY: &str = "inc ltd llc llp co corp corporation gmbh ag sa plc bv kg se oy ab limited company group holding the a an \
        der die das le la les el los il lo o os";
    let kinds = sought.kinds().chain(entity.labels.iter().map(String::as_str));
    let Some(family) = kinds.filter_map(family).next() else { return Stands::Surely };
    if family == Family::Person {
        return Stands::Surely;
    }
    let ours: Vec<&str> = name.words().collect();
    let mut best = Stands::Never;
    for other in others {
        let theirs: Vec<&str> = other.words().collect();
        let (short, long) = if ours.len() < theirs.len() { (&ours, &theirs) } else { (&theirs, &ours) };
        let mut rest = long.iter().filter(|word| !short.contains(word));
        if rest.all(|word| EMPTY.split_ascii_whitespace().any(|empty| empty == word.trim_end_matches('.'))) {
            return Stands::Surely;
        }
        if long.first() == short.first() || family == Family::Animal {
            best = Stands::Perhaps;
        }
    }
    best
}

/// "NYC" for New York City.
fn abbreviates(short: &str, entity: &Entity) -> bool {
    let initials = |name: &str| -> String {
        name.split_whitespace().filter_map(|word| word.chars().next()).filter(|c| c.is_uppercase()).collect()
    };
    let short: String = short.chars().filter(|c| c.is_alphanumeric()).collect();
    short.chars().count() >= 2 && entity.names().any(|name| initials(name) == short)
}

/// The outcome of a search, before anybody is asked.
pub(crate) fn outcome(sought: &Sought, found: &Found) -> ResolutionOutcome {
    match found {
        Found::One(id, searcher, why) => ResolutionOutcome::found(sought, *id, *searcher, why.clone()),
        Found::Open(candidates, why) => {
            let mut outcome = ResolutionOutcome::no_match(sought, why.clone());
            outcome.candidates = candidates.iter().map(|c| (c.entity, c.score)).collect();
            outcome
        }
    }
}

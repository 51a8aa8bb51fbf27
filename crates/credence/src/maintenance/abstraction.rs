//! The abstraction pass: many statements about one thing get statements above them. Source: dice 6.8; what a model suggests is
//! checked and built by `operation`.
//!
//! Groups hold one entity's ACTIVE statements of one level that no live abstraction about it rests on yet, so that a run on
//! its own output finds nothing. Whether what is covered is retired is the person's choice (`abstract_retires`, off by default):
//! a summary must not take precise statements out of answers by itself.

use std::collections::{BTreeMap, BTreeSet};

use super::compose::{Change, Picked, Planned};
use super::look::Look;
use super::report::{Pass, PassReport};
use crate::id::{EntityId, PropositionId};
use crate::operation::{Group, Suggested, build, check};
use crate::proposition::{Proposition, Status};
use crate::text;

/// Key of a new abstraction, and of what it covers.
const ABSTRACTION: &str = "abstraction";
const COVERED: &str = "covered";

/// What a model suggested above known statements.
#[derive(Debug, Clone)]
pub(crate) struct Above {
    pub(crate) suggested: Suggested,
    pub(crate) sources: Vec<PropositionId>,
    pub(crate) model: String,
}

/// The groups to abstract, largest first, and what was left out of them.
pub(crate) fn groups(look: &Look<'_>) -> (Vec<Group>, Option<String>) {
    let mut members: BTreeMap<(EntityId, u32), Vec<PropositionId>> = BTreeMap::new();
    let mut covered: BTreeMap<EntityId, BTreeSet<PropositionId>> = BTreeMap::new();
    for p in look.world.values().filter(|p| p.status.is_live()) {
        let entities: BTreeSet<EntityId> = p.entities().collect();
        for entity in entities {
            covered.entry(entity).or_default().extend(&p.source_ids);
            if p.status == Status::Active && p.level < look.config.abstract_max_level {
                members.entry((entity, p.level)).or_default().push(p.id);
            }
        }
    }
    let mut found: Vec<(EntityId, Vec<PropositionId>)> = Vec::new();
    for ((entity, _), mut ids) in members {
        ids.retain(|id| !covered[&entity].contains(id));
        if ids.len() >= look.config.abstract_from as usize {
            found.push((entity, ids));
        }
    }
    found.sort_by_key(|(_, ids)| std::cmp::Reverse(ids.len()));
    let (most, size) = (look.config.abstract_groups as usize, look.config.abstract_group as usize);
    let mut left = found.iter().skip(most).map(|(_, ids)| ids.len()).sum::<usize>();
    let named = |(entity, mut ids): (EntityId, Vec<PropositionId>)| {
        left += ids.len().saturating_sub(size);
        ids.truncate(size);
        let label =
            look.state.entity(entity).map_or_else(|| entity.to_string(), |entity| entity.name.clone());
        Group { label, members: ids }
    };
    let groups = found.into_iter().take(most).map(named).collect();
    (groups, (left > 0).then(|| format!("{left} statements wait for the next run: one call takes no more")))
}

/// Plans what was suggested.
pub(crate) fn raise(look: &Look<'_>, above: &[Above], next_id: &mut dyn FnMut() -> PropositionId) -> Planned {
    let mut report = PassReport::new(Pass::Abstraction);
    let mut picked = Vec::new();
    let mut retired: BTreeSet<PropositionId> = BTreeSet::new();
    report.examined = u32::try_from(above.len()).unwrap_or(u32::MAX);
    for Above { suggested, sources, model } in above {
        let found: Vec<&Proposition> = sources.iter().filter_map(|id| look.world.get(id)).collect();
        let known = look.active().any(|p| text::canonical(&p.text) == text::canonical(&suggested.text));
        let verdict = if found.len() < sources.len() || found.iter().any(|p| p.status != Status::Active) {
            Err("one of its sources was retired meanwhile".into())
        } else if known {
            Err("it is known already".into())
        } else {
            check(suggested, &found)
        };
        let made = verdict.and_then(|()| {
            let made =
                build(suggested, &found, next_id(), model, look.now).map_err(|error| error.to_string())?;
            if made.level > look.config.abstract_max_level {
                return Err(format!("its level would be {}", made.level));
            }
            Ok(made)
        });
        let made = match made {
            Ok(made) => made,
            Err(why) => {
                report.notes.push(format!("dropped `{}`: {why}", text::excerpt(&suggested.text, 120)));
                continue;
            }
        };
        let (id, statement) = (made.id, text::excerpt(&made.text, 120));
        let why = format!("what {} statements show together", found.len());
        picked.push(Picked::new(id, ABSTRACTION, why, Change::Add(Box::new(made))));
        for source in found.iter().filter(|p| look.config.abstract_retires && retired.insert(p.id)) {
            let mut cover =
                Picked::new(source.id, COVERED, statement.clone(), Change::Move(Status::Superseded));
            cover.mark.survivor = Some(id);
            picked.push(cover);
        }
    }
    Planned { report, picked }
}

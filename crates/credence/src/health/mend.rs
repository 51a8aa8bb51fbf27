//! What a repair changes in the records of the present, planned in a scope: links that lead nowhere are taken out, what stands for nothing is
//! removed, and turns without a conversation get one. No word of a person is touched.

use std::collections::{BTreeMap, BTreeSet};

use super::Trouble;
use super::check::{knows_entity, knows_statement};
use crate::conversation::{Conversation, Origin};
use crate::history::{RecordId, Scope, State};
use crate::time::Timestamp;

/// The title of a conversation that a repair makes.
const RECOVERED: &str = "Recovered conversation";

/// Plans everything of the asked kinds; returns how many records each touches.
pub(super) fn mend(
    state: &State,
    scope: &Scope,
    asked: &BTreeSet<Trouble>,
    now: Timestamp,
) -> BTreeMap<Trouble, usize> {
    let mut mended = BTreeMap::new();
    let mut count = |trouble: Trouble| *mended.entry(trouble).or_insert(0) += 1;
    if asked.contains(&Trouble::UnknownEntity) {
        for statement in state.propositions() {
            let lost = |id: &crate::id::EntityId| !knows_entity(state, *id);
            if !statement.mentions.iter().filter_map(|mention| mention.entity.as_ref()).any(lost) {
                continue;
            }
            let mut statement = statement.clone();
            for mention in &mut statement.mentions {
                mention.entity = mention.entity.filter(|id| !lost(id));
            }
            // The words did not change.
            statement.metadata_revised = now;
            scope.put(state, statement, "a mention led to an entity that was never here");
            count(Trouble::UnknownEntity);
        }
        for entity in state.entities() {
            let mut kept = entity.clone();
            kept.merged_into = kept.merged_into.filter(|id| knows_entity(state, *id));
            kept.distinct_from.retain(|id| knows_entity(state, *id));
            kept.possible_duplicates.retain(|other| knows_entity(state, other.entity));
            if kept != *entity {
                kept.revised = now;
                scope.put(state, kept, "it pointed at an entity that was never here");
                count(Trouble::UnknownEntity);
            }
        }
    }
    if asked.contains(&Trouble::UnitWithoutStatement) {
        for unit in state.units().filter(|unit| !knows_statement(state, unit.proposition)) {
            scope.remove(state, RecordId::Unit(unit.proposition), "its statement was never here");
            count(Trouble::UnitWithoutStatement);
        }
    }
    let lost = |id| state.revision(RecordId::Conversation(id)).is_none();
    if asked.contains(&Trouble::TurnsWithoutConversation) {
        let mut begun = BTreeMap::new();
        for turn in state.all_turns().filter(|turn| lost(turn.conversation)) {
            let first = begun.entry(turn.conversation).or_insert(turn.at.at);
            *first = turn.at.at.min(*first);
        }
        for (id, created) in begun {
            let made = Conversation {
                id,
                title: RECOVERED.into(),
                imported_from: None,
                origin: Origin::Chat,
                created,
                mode: Default::default(),
            };
            scope.put(state, made, "its turns were here without it");
            count(Trouble::TurnsWithoutConversation);
        }
    }
    if asked.contains(&Trouble::BookmarkWithoutConversation) {
        let ids = state.bookmarks().map(|bookmark| bookmark.conversation);
        for id in ids.filter(|id| lost(*id) && state.turns(*id).next().is_none()) {
            scope.remove(state, RecordId::Bookmark(id), "its conversation was never here");
            count(Trouble::BookmarkWithoutConversation);
        }
    }
    mended
}

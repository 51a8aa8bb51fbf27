//! Which mentions meet in one entity, and which must not.

use uuid::Uuid;

use super::*;
use crate::config::Config;
use crate::entity::Entity;
use crate::extraction::{CandidateMention, WindowTurn};
use crate::history::State;
use crate::id::EntityId;
use crate::proposition::MentionRole;
use crate::time::Timestamp;

fn turn(speaker: &str, is_user: bool) -> WindowTurn {
    WindowTurn {
        speaker: speaker.into(),
        is_user,
        is_assistant: false,
        text: String::new(),
        date: "2026-03-08".into(),
        context_only: false,
    }
}

fn mention(span: &str, kind: &str) -> CandidateMention {
    CandidateMention {
        span: span.into(),
        kind: kind.into(),
        role: MentionRole::Subject,
        is_speaker: false,
        suggested: None,
    }
}

const SILENT: Said<'static> = Said { statement: "", turns: &[] };

fn with_config(config: &Config, prepared: &Prepared, test: impl FnOnce(&mut Resolver<'_>)) {
    let mut count = 0u128;
    let mut next = || {
        count += 1;
        EntityId::new(Uuid::from_u128(count))
    };
    let state = State::default();
    test(&mut Resolver::new(&state, config, prepared, Timestamp(1), &mut next));
}

fn with(test: impl FnOnce(&mut Resolver<'_>)) {
    with_config(&Config::default(), &Prepared::default(), test);
}

fn resolve(resolver: &mut Resolver<'_>, span: &str, kind: &str) -> ResolutionOutcome {
    resolver.resolve(&mention(span, kind), None, SILENT).1
}

fn id(resolver: &mut Resolver<'_>, span: &str, kind: &str) -> Option<EntityId> {
    resolve(resolver, span, kind).entity
}

fn entity<'r>(resolver: &'r Resolver<'_>, id: Option<EntityId>) -> &'r Entity {
    resolver.planned().map(|(entity, _)| entity).find(|entity| Some(entity.id) == id).unwrap()
}

/// Case 30: names alone merge nothing.
#[test]
fn homonyms_stay_apart_by_kind() {
    with(|r| {
        let cat = id(r, "Mercury", "Animal");
        let planet = id(r, "Mercury", "Planet");
        let company = id(r, "Mercury", "Organization");
        assert!(cat != planet && planet != company && cat != company);
        assert_eq!(id(r, "mercury", "animal"), cat);
        let unsure = resolve(r, "Mercury", "");
        assert_eq!(unsure.outcome, ResolutionKind::New, "unsure makes a new one");
        assert_eq!(entity(r, unsure.entity).possible_duplicates.len(), 3, "and says which it may be");
        assert_eq!(id(r, "Mercury", ""), unsure.entity, "being as unsure again makes no further one");
    });
}

/// Case 29: the same name and kind is the same thing, however unlike the contexts.
#[test]
fn the_same_name_and_kind_is_one() {
    with(|r| {
        let first = id(r, "DGX", "Product");
        assert_eq!(id(r, "DGX", "Product"), first);
        assert_eq!(id(r, "dgx", ""), first, "an unknown kind fits when there is one");
        assert_eq!(r.planned().count(), 1);
    });
}

#[test]
fn suffixes_numbers_and_scripts_distinguish() {
    with(|r| {
        let father = id(r, "John Smith", "Person");
        assert_ne!(id(r, "John Smith Jr.", "Person"), father);
        assert_eq!(id(r, "Mr. John Smith", "Person"), father);
        assert_ne!(id(r, "iPhone 14", "Product"), id(r, "iPhone 15", "Product"));
        assert_ne!(id(r, "青石科技", "Organization"), id(r, "青石银行", "Organization"));
    });
}

#[test]
fn vague_spans_name_nothing_but_bands_do() {
    with(|r| {
        for span in ["the server", "a friend", "someone", "my sister", "this", "…", "the"] {
            assert_eq!(id(r, span, "Thing"), None, "{span}");
        }
        for span in ["The Beatles", "A Tribe Called Quest", "techno", "the 1975"] {
            assert!(id(r, span, "Topic").is_some(), "{span}");
        }
    });
}

#[test]
fn the_user_is_one_entity_and_learns_their_name() {
    with(|r| {
        let user = r.speaker(&turn("User", true));
        assert_eq!(r.speaker(&turn("User", true)), user);
        let me = CandidateMention { is_speaker: true, ..mention("User", "Person") };
        let outcome = r.resolve(&me, user, SILENT).1;
        assert_eq!((outcome.entity, outcome.searcher), (user, Some(Searcher::Speaker)));
        r.name_user("Mara");
        assert_eq!(id(r, "Mara", "Person"), user, "the name now means the user");
        let (entity, _) = r.planned().next().unwrap();
        assert!(entity.is_user && entity.name == "Mara" && entity.aliases == ["User"]);
        let other = r.speaker(&turn("Ivo", false));
        assert_ne!(other, user);
        assert_eq!(id(r, "Ivo", "Person"), other);
    });
}

//! The rules and the guard of the judgements, on statements alone.

use uuid::Uuid;

use super::*;
use crate::id::{EntityId, PropositionId, TurnId};
use crate::proposition::{Extractor, Mention, MentionRole, Proposition, Status};
use crate::scale::Confidence;
use crate::schema::{Cardinality, KnowledgeSchema, KnowledgeType, Relation as Declared, Relations};
use crate::time::{Moment, Timestamp};

fn id(n: u128) -> PropositionId {
    PropositionId::new(Uuid::from_u128(n))
}
/// Said on a day.
fn said(n: u128, text: &str, day: &str) -> Proposition {
    let at = Timestamp::parse(day).unwrap();
    let mut p = Proposition::new(id(n), text, Confidence::clamped(0.9), Extractor::Rules, at).unwrap();
    p.temporal = temporal::temporal(text, None, None, Some(Moment::utc(at)));
    p.grounding = vec![TurnId::new(Uuid::from_u128(n))];
    p
}
fn fact(n: u128, text: &str) -> Proposition {
    said(n, text, "2026-03-08")
}
fn about(mut p: Proposition, span: &str, role: MentionRole, entity: Option<u128>) -> Proposition {
    let mut mention = Mention::new(span, "Person", role);
    mention.entity = entity.map(|n| EntityId::new(Uuid::from_u128(n)));
    p.mentions.push(mention);
    p
}
fn decide_in(
    schema: &KnowledgeSchema,
    new: &Proposition,
    stored: &[Proposition],
    retired: &[Proposition],
) -> Rules {
    let near: Vec<Neighbour<'_>> = stored.iter().map(Neighbour::new).collect();
    let retired: Vec<Neighbour<'_>> = retired.iter().map(Neighbour::new).collect();
    let known = Known { near: &near, retired: &retired, schema, overlap_filter: true };
    decide_by_rules(new, &known, |_| true)
}
fn decide(new: &Proposition, stored: &[Proposition]) -> Rules {
    decide_in(&KnowledgeSchema::default(), new, stored, &[])
}
fn rules(new: &str, stored: &[&str]) -> Rules {
    let stored: Vec<Proposition> =
        stored.iter().enumerate().map(|(n, text)| fact(n as u128 + 1, text)).collect();
    decide(&fact(99, new), &stored)
}
fn merges(new: &str, old: &str) -> bool {
    matches!(rules(new, &[old]), Rules::Sure(Decision::Merge { .. }))
}

/// Case 22: one statement in other letters is one; other statements in any script are not.
#[test]
fn the_same_statement_merges_in_every_script() {
    assert!(merges("Alice is a Software Engineer", "Alice is a software engineer."));
    assert!(merges("Ния живёт в Осло", "Ния живёт в Осло."));
    assert!(!merges("Room 35 is free.", "Room 3.5 is free."));
    assert!(!merges("Ния любит чай", "Боб пьёт кофе"));
}

#[test]
fn dice_98_statements_in_other_scripts_stay_apart() {
    assert!(!merges("用户住在柏林", "用户喜欢茶"));
}

#[test]
fn one_slot_with_one_value_is_one_fact() {
    assert!(merges("Nia lives in Bonn now.", "Nia lives in Bonn."));
    assert!(merges("Nia wohnt jetzt in Bonn.", "Nia wohnt in Bonn."));
    assert!(!merges("Nia lived in Bonn.", "Nia lives in Bonn."));
    assert!(!merges("Nia lives in Bonn since 2019.", "Nia lives in Bonn."), "a date is news");
    assert!(!merges("Cy lives in Bonn.", "Nia lives in Bonn."));
}

/// Cases 23 and 21, without any model, in both orders of the words.
#[test]
fn a_denial_is_a_contradiction_and_never_a_duplicate() {
    for (a, b) in [
        ("Night deploys are not allowed.", "Night deploys are allowed."),
        ("Pia can't stand techno any more.", "Pia loves techno."),
        ("Nachts ist das Deployen nicht erlaubt.", "Nachts ist das Deployen erlaubt."),
        ("Pia mag Techno nicht mehr.", "Pia mag Techno."),
        ("Pia n'aime plus la techno.", "Pia aime la techno."),
        ("A Pia ya no le gusta el techno.", "A Pia le gusta el techno."),
        ("Пиа больше не любит техно.", "Пиа любит техно."),
        ("用户不喜欢茶", "用户喜欢茶"),
    ] {
        for (new, old) in [(a, b), (b, a)] {
            match rules(new, &[old]) {
                Rules::Sure(Decision::Contradict { others, moved_on, .. }) => {
                    assert_eq!((others, moved_on), (vec![id(1)], false), "{new}");
                }
                other => panic!("{new}: {other:?}"),
            }
        }
    }
}

/// Case 26: one home, many acquaintances.
#[test]
fn single_valued_slots_move_on_and_many_valued_ones_grow() {
    for (old, new) in [
        ("Nia lives in Oslo.", "Nia lives in Bergen."),
        ("Nia wohnt in Oslo.", "Nia ist nach Bergen gezogen."),
        ("Nia habite à Oslo.", "Nia habite à Bergen."),
        ("Nia vive en Oslo.", "Nia se mudó a Bergen."),
        ("Ния живёт в Осло.", "Ния живёт в Бергене."),
        ("用户住在奥斯陆。", "用户搬到了卑尔根。"),
    ] {
        match rules(new, &[old]) {
            Rules::Sure(Decision::Contradict { moved_on, .. }) => assert!(moved_on, "{new}"),
            other => panic!("{new}: {other:?}"),
        }
    }
    for (old, new) in [
        ("Nia knows Bo.", "Nia knows Cy."),
        ("Nia kennt Bo.", "Nia kennt Cy."),
        ("Nia connaît Bo.", "Nia connaît Cy."),
        ("Nia conoce a Bo.", "Nia conoce a Cy."),
        ("Ния знает Бо.", "Ния знает Сая."),
        ("用户认识李明。", "用户认识王芳。"),
    ] {
        assert!(matches!(rules(new, &[old]), Rules::Sure(Decision::New { .. })), "{new}");
    }
}

#[test]
fn other_subjects_are_never_opposed() {
    let old = about(fact(1, "Sam loves techno."), "x", MentionRole::Subject, Some(7));
    let new = about(fact(2, "Sam hates techno."), "x", MentionRole::Subject, Some(8));
    assert!(matches!(decide(&new, &[old]), Rules::Sure(Decision::New { .. })));
}

#[test]
fn what_does_not_change_is_questioned_and_not_replaced() {
    for (old, new) in [
        ("Nia was born in Oslo.", "Nia was born in Bergen."),
        ("Nia's birthday is 3 May.", "Nia's birthday is 4 May."),
        ("Nia's native language is Polish.", "Nia's mother tongue is Czech."),
        ("Nia's blood type is A.", "Nia's blood type is B."),
        ("Nia's mother is Eva.", "Nia's mother is Ida."),
        ("Nia wurde in Oslo geboren.", "Nia wurde in Bergen geboren."),
        ("Nia nació en Oslo.", "Nia nació en Bergen."),
        ("用户的母语是中文", "用户的母语是德文"),
    ] {
        match rules(new, &[old]) {
            Rules::Sure(Decision::Dispute { others, .. }) => assert_eq!(others, [id(1)], "{new}"),
            other => panic!("{new}: {other:?}"),
        }
    }
}

#[test]
fn the_schema_says_how_many_values_its_relations_have() {
    let relations = Relations::empty()
        .with(Declared::new("plays for", KnowledgeType::Semantic).values(Cardinality::One))
        .with(Declared::new("lives in", KnowledgeType::Semantic).values(Cardinality::Many));
    let schema = KnowledgeSchema { relations, ..KnowledgeSchema::default() };
    let decide = |new: &str, old: &str| decide_in(&schema, &fact(9, new), &[fact(1, old)], &[]);
    let moved = decide("Nia plays for United.", "Nia plays for Rovers.");
    assert!(matches!(moved, Rules::Sure(Decision::Contradict { moved_on: true, .. })), "{moved:?}");
    let homes = decide("Nia lives in Bergen.", "Nia lives in Oslo.");
    assert!(matches!(homes, Rules::Sure(Decision::New { .. })), "{homes:?}");
}

fn sure(rules: Rules) -> Decision {
    match rules {
        Rules::Sure(decision) => decision,
        Rules::Ask(ids) => panic!("asks about {ids:?}"),
    }
}

/// A statement that was made earlier never replaces a later one, whichever is read first.
#[test]
fn the_later_statement_stands_whatever_the_order() {
    let day = |day: &str| Timestamp::parse(day).unwrap();
    let stored = said(1, "Nia lives in Bergen.", "2026-03-01");
    match sure(decide(&said(9, "Nia lives in Oslo.", "2024-05-01"), std::slice::from_ref(&stored))) {
        Decision::Outdated { by, until, moved_on, .. } => {
            assert_eq!((by, until, moved_on), (id(1), day("2026-03-01"), true));
        }
        other => panic!("{other:?}"),
    }
    let retro = said(9, "Nia moved to Oslo in 2019.", "2026-03-08");
    assert!(
        matches!(sure(decide(&retro, std::slice::from_ref(&stored))), Decision::Outdated { .. }),
        "valid earlier"
    );
    let same_day = said(9, "Nia lives in Oslo.", "2026-03-01");
    assert!(
        matches!(sure(decide(&same_day, &[stored])), Decision::Contradict { .. }),
        "the later in the log"
    );
    let hates = said(1, "Pia hates techno.", "2026-03-01");
    match sure(decide(&said(9, "Pia loves techno.", "2024-05-01"), &[hates])) {
        Decision::Outdated { moved_on, .. } => assert!(!moved_on),
        other => panic!("{other:?}"),
    }
    let moves = ["Nia moved to Oslo in 2019.", "Nia moved to Bergen in 2021."];
    let (oslo, bergen) = (said(1, moves[0], "2026-03-01"), said(2, moves[1], "2026-03-01"));
    assert!(matches!(
        sure(decide(&bergen, std::slice::from_ref(&oslo))),
        Decision::Contradict { moved_on: true, .. }
    ));
    assert!(matches!(sure(decide(&oslo, &[bergen])), Decision::Outdated { .. }));
}

/// What began shortly before the present that it contradicts, and is told after it, is the news.
#[test]
fn a_recent_move_told_later_is_news() {
    let stored = said(1, "Nia lives in Oslo.", "2026-03-08");
    for (news, day) in [
        ("Nia moved to Bergen on 2026-03-02.", "2026-03-08"),
        ("Nia moved to Bergen on 2026-01-15.", "2026-03-20"),
    ] {
        let decision = sure(decide(&said(9, news, day), std::slice::from_ref(&stored)));
        assert!(matches!(decision, Decision::Contradict { moved_on: true, .. }), "{news}: {decision:?}");
    }
    let earlier = said(9, "Nia moved to Bergen on 2026-03-02.", "2026-03-05");
    assert!(
        matches!(sure(decide(&earlier, std::slice::from_ref(&stored))), Decision::Outdated { .. }),
        "told before it"
    );
}

/// A fact that was confirmed since is as recent as its last confirmation.
#[test]
fn a_confirmed_fact_is_not_replaced_by_what_was_said_in_between() {
    let stored = said(1, "Nia lives in Bergen.", "2020-01-01");
    let neighbour =
        Neighbour { proposition: &stored, in_run: false, last_said: Timestamp::parse("2026-01-01").unwrap() };
    let schema = KnowledgeSchema::default();
    let known = Known { near: &[neighbour], retired: &[], schema: &schema, overlap_filter: true };
    let between = said(9, "Nia lives in Oslo.", "2023-01-01");
    assert!(matches!(sure(decide_by_rules(&between, &known, |_| true)), Decision::Outdated { .. }));
}

#[test]
fn what_was_closes_its_own_window_and_replaces_nothing() {
    for (past, present) in [
        ("Nia used to live in Oslo.", "Nia lives in Bergen."),
        ("In 2019 Nia lived in Oslo.", "Nia lives in Bergen."),
        ("Nia lived in Bonn until 2020.", "Nia lives in Bergen."),
        ("Nia wohnte früher in Oslo.", "Nia wohnt in Bergen."),
        ("Nia a vécu à Oslo jusqu'en 2020.", "Nia habite à Bergen."),
        ("Nia vivía en Oslo.", "Nia vive en Bergen."),
        ("Ния раньше жила в Осло.", "Ния живёт в Бергене."),
        ("用户以前住在柏林。", "用户住在汉堡。"),
    ] {
        let (past, present) = (said(1, past, "2026-03-08"), said(2, present, "2026-03-01"));
        match sure(decide(&past, std::slice::from_ref(&present))) {
            Decision::History { later, .. } => assert_eq!(later, [id(2)], "{}", past.text),
            other => panic!("{}: {other:?}", past.text),
        }
        let after = said(3, &present.text, "2026-03-09");
        assert!(!matches!(
            decide(&after, &[past]),
            Rules::Sure(Decision::Contradict { .. } | Decision::Merge { .. })
        ));
    }
}

#[test]
fn used_to_ends_what_holds_and_moving_back_begins_anew() {
    for (over, holds) in [
        ("Nia used to live in Oslo.", "Nia lives in Oslo."),
        ("Nia used to play chess.", "Nia plays chess."),
        ("Nia hat früher in Oslo gewohnt.", "Nia wohnt in Oslo."),
        ("用户以前住在柏林。", "用户住在柏林。"),
    ] {
        let (early, late) = ("2026-03-01", "2026-03-08");
        let ended = sure(decide(&said(9, over, late), &[said(1, holds, early)]));
        assert!(matches!(ended, Decision::Contradict { moved_on: true, .. }), "{over}: {ended:?}");
        let older = sure(decide(&said(9, holds, early), &[said(1, over, late)]));
        assert!(matches!(older, Decision::Outdated { moved_on: true, .. }), "{over}: {older:?}");
        let back = decide(&said(9, holds, late), &[said(1, over, early)]);
        assert!(
            !matches!(back, Rules::Sure(Decision::Outdated { .. } | Decision::Merge { .. })),
            "{holds}: {back:?}"
        );
    }
}

#[test]
fn faded_statements_are_found_and_retired_ones_come_back_with_news_alone() {
    let with = |mut p: Proposition, status: Status| {
        p.status = status;
        p
    };
    let stale = with(said(1, "Nia owns a kayak.", "2025-01-01"), Status::Stale);
    let again = said(9, "Nia owns a kayak", "2026-01-01");
    assert!(matches!(sure(decide(&again, &[stale])), Decision::Merge { into, .. } if into == id(1)));

    let mut gone = with(said(1, "Nia lives in Oslo.", "2024-01-01"), Status::Superseded);
    gone.temporal.valid_to = Some(Timestamp::parse("2025-01-01").unwrap());
    let bergen = said(2, "Nia lives in Bergen.", "2025-01-01");
    let schema = KnowledgeSchema::default();
    let meets = |new: &Proposition| {
        sure(decide_in(&schema, new, std::slice::from_ref(&bergen), std::slice::from_ref(&gone)))
    };
    let replay =
        Proposition { grounding: gone.grounding.clone(), ..said(9, "Nia lives in Oslo.", "2024-01-01") };
    assert!(matches!(meets(&replay), Decision::Merge { into, .. } if into == id(1)), "the same turn");
    let witness = said(9, "Nia lives in Oslo.", "2024-06-01");
    assert!(
        matches!(meets(&witness), Decision::Merge { into, .. } if into == id(1)),
        "another source of then"
    );
    let back = said(9, "Nia lives in Oslo.", "2026-01-01");
    assert!(matches!(meets(&back), Decision::Contradict { others, .. } if others == [id(2)]), "moved back");
}

#[test]
fn dice_94_spans_overlap_without_case() {
    let new = about(fact(9, "Alice paddles."), "Alice", MentionRole::Subject, None);
    let stored = about(fact(1, "A kayak belongs to alice."), "alice", MentionRole::Other, None);
    assert_eq!(decide(&new, &[stored]), Rules::Ask(vec![id(1)]));
}

#[test]
fn dice_93_without_a_common_entity_nothing_is_asked() {
    let new = about(fact(9, "Alice paddles."), "Alice", MentionRole::Subject, Some(1));
    let stored = about(fact(1, "Bob paddles."), "Bob", MentionRole::Subject, Some(2));
    assert!(matches!(decide(&new, std::slice::from_ref(&stored)), Rules::Sure(Decision::New { .. })));
    assert_eq!(decide(&fact(9, "Somebody paddles."), std::slice::from_ref(&stored)), Rules::Ask(vec![id(1)]));
    let near = [Neighbour::new(&stored)];
    let schema = KnowledgeSchema::default();
    let known = Known { near: &near, retired: &[], schema: &schema, overlap_filter: false };
    assert_eq!(decide_by_rules(&new, &known, |_| true), Rules::Ask(vec![id(1)]), "the filter is off");
}

fn settled(new: &Proposition, judged: &[(&Proposition, Relation, f64)]) -> (Decision, Vec<String>) {
    let judged: Vec<(Judgement, Neighbour<'_>)> = judged
        .iter()
        .map(|(stored, relation, similarity)| {
            let judgement = Judgement {
                stored: stored.id,
                relation: *relation,
                similarity: *similarity,
                reason: String::new(),
            };
            (judgement, Neighbour::new(stored))
        })
        .collect();
    let mut notes = Vec::new();
    let decision = settle(new, &judged, &KnowledgeSchema::default(), 0.7, &mut notes);
    (decision, notes)
}

#[test]
fn judgements_are_taken_in_order_and_identity_is_checked() {
    let new = fact(99, "Mara has 3 cats.");
    let (two, three, pets) =
        (fact(1, "Mara has 2 cats."), fact(2, "Three cats live with Mara."), fact(3, "Mara has pets."));
    let (wrong, notes) = settled(&new, &[(&two, Relation::Identical, 0.97)]);
    assert!(matches!(&wrong, Decision::New { why } if why.contains("kept apart")), "{wrong:?}");
    assert!(notes[0].contains("not followed") && notes[0].contains("numbers differ"), "{notes:?}");
    let (opposed, same) = ((&pets, Relation::Contradictory, 0.8), (&three, Relation::Identical, 0.9));
    assert!(matches!(settled(&new, &[opposed, same]).0, Decision::Merge { into, .. } if into == three.id));
    let order = [(&pets, Relation::Generalizes, 0.8), (&three, Relation::Similar, 0.9)];
    assert!(matches!(settled(&new, &order).0, Decision::Generalize { .. }));
    assert!(matches!(settled(&new, &order[1..]).0, Decision::Reinforce { other, .. } if other == three.id));
}

#[test]
fn dice_95_a_weak_likeness_is_new() {
    let (new, stored) = (fact(9, "Mara has three cats."), fact(1, "Three cats live with Mara."));
    assert!(matches!(settled(&new, &[(&stored, Relation::Similar, 0.65)]).0, Decision::New { .. }));
    assert!(matches!(settled(&new, &[(&stored, Relation::Similar, 0.7)]).0, Decision::Reinforce { .. }));
}

/// A model's IDENTICAL is not believed where something particular differs, in any script.
#[test]
fn identity_is_refused_where_particulars_differ() {
    let named = |n, text: &str, span: &str| about(fact(n, text), span, MentionRole::Object, None);
    let pairs = [
        (fact(9, "Mara ran 5 km."), fact(1, "Mara ran 5 miles.")),
        (fact(9, "用户跑了5公里"), fact(1, "用户跑了8公里")),
        (fact(9, "Ния родилась 8 мая"), fact(1, "Ния родилась 9 мая")),
        (fact(9, "Pia mag Techno"), fact(1, "Pia mag Techno nicht")),
        (fact(9, "ピアは茶が好きです"), fact(1, "ピアは茶が好きではない")),
        (named(9, "用户认识李明", "李明"), named(1, "用户认识王芳", "王芳")),
        (named(9, "المستخدم يعرف سامي", "سامي"), named(1, "المستخدم يعرف كريم", "كريم")),
        (fact(9, "Nia lived in Bonn."), fact(1, "Nia's home is in Bonn.")),
    ];
    for (new, stored) in pairs {
        for relation in [Relation::Identical, Relation::Similar] {
            let (decision, notes) = settled(&new, &[(&stored, relation, 0.97)]);
            assert!(matches!(decision, Decision::New { .. }), "{}: {decision:?}", new.text);
            assert_eq!(notes.len(), 1);
        }
    }
}

/// A model's CONTRADICTORY retires nothing that the new statement could not take the place of.
#[test]
fn a_contradiction_is_obeyed_only_where_the_new_can_take_the_place() {
    let refused = [
        ("Nia knows Cy.", "Nia knows Bo.", "many values"),
        ("Nia works at Acme.", "Nia lives in Oslo.", "different matters"),
        ("Cy lives in Oslo.", "Nia lives in Bergen.", "about Cy"),
        ("Nia used to live in Oslo.", "Nia's home is in Bergen.", "different times"),
    ];
    for (new, old, why) in refused {
        let (decision, notes) = settled(&fact(9, new), &[(&fact(1, old), Relation::Contradictory, 0.9)]);
        assert!(matches!(decision, Decision::New { .. }), "{new}: {decision:?}");
        assert!(notes[0].contains(why), "{notes:?}");
    }
    let dated = |n, text, from: &str, to: Option<&str>| {
        let mut p = said(n, text, "2026-03-08");
        p.temporal.valid_from = Timestamp::parse(from);
        p.temporal.valid_to = to.and_then(Timestamp::parse);
        p
    };
    let (new, old) = (
        dated(9, "The office is in hall B.", "2026-01-01", None),
        dated(1, "The office is in hall A.", "2024-01-01", Some("2026-01-01")),
    );
    let (decision, notes) = settled(&new, &[(&old, Relation::Contradictory, 0.9)]);
    assert!(matches!(decision, Decision::New { .. }) && notes[0].contains("different times"), "{decision:?}");
    let (other, another) = (
        about(fact(9, "Sam is tall."), "x", MentionRole::Subject, Some(1)),
        about(fact(1, "Sam is short."), "x", MentionRole::Subject, Some(2)),
    );
    let (decision, notes) = settled(&other, &[(&another, Relation::Contradictory, 0.9)]);
    assert!(
        matches!(decision, Decision::New { .. }) && notes[0].contains("different subjects"),
        "{decision:?}"
    );

    let obeyed =
        |new: &Proposition, old: &Proposition| settled(new, &[(old, Relation::Contradictory, 0.9)]).0;
    let (sleeps, wakes) =
        (said(9, "Nia sleeps well.", "2026-03-08"), said(1, "Nia lies awake.", "2026-03-01"));
    assert!(matches!(obeyed(&sleeps, &wakes), Decision::Contradict { moved_on: false, .. }));
    assert!(matches!(obeyed(&wakes, &sleeps), Decision::Outdated { .. }), "an older one never replaces");
    let (young, old) = (fact(9, "Nia was born in 1990."), fact(1, "Nia was born in 1991."));
    assert!(matches!(obeyed(&young, &old), Decision::Dispute { .. }));
}

#[test]
fn relation_words_are_read_in_any_case() {
    assert_eq!(Relation::parse(" identical "), Relation::Identical);
    assert_eq!(Relation::parse("Contradictory."), Relation::Contradictory);
    assert_eq!(Relation::parse("GENERALISES"), Relation::Generalizes);
    assert_eq!(Relation::parse("perhaps"), Relation::Unrelated);
}
